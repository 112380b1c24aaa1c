"""All ways of compare_torch_cuda.py on the processor: the same loss and gradients, and the published parameters."""
import numpy as np
import torch
import torch_data
import torch_networks
from compare_torch_cuda import MODELS, PUBLISHED, WIDTH

GRAPHS, FILLED, SMALL = 12, 16, 8


def gradients(network, b):
    network.zero_grad()
    loss = ((network(b) - b["y"]).abs() * b["weight"]).sum()
    loss.backward()
    return loss.item(), torch.cat([p.grad.flatten() for p in network.parameters()])


def compare(kind, way, found, expected):
    apart = float((found[1] - expected[1]).norm() / expected[1].norm())
    right = abs(found[0] - expected[0]) < 1e-6 and apart < 1e-6
    print(f"{kind} {way}: loss {found[0]:.9f}, gradient {apart:.1e} away: {'right' if right else 'WRONG'}")
    return right


def published(kind, data):
    count = torch_networks.parameters(torch_networks.make(kind, data, WIDTH, torch_networks.PUBLISHED_LABELS))
    print(f"{kind}: {count:,} parameters, expected {PUBLISHED[kind]:,}")
    return count == PUBLISHED[kind]


def geometric(kind, graphs, network, numbers):
    """The network with the same weights by PyTorch Geometric."""
    import pyg_networks
    from torch_geometric.loader import DataLoader
    other = pyg_networks.make(kind, graphs, SMALL).double().train()
    b = next(iter(DataLoader(pyg_networks.stored(kind, graphs, numbers), batch_size=len(numbers))))
    b.x = b.x.double()
    if kind == "gine":
        b.edge_attr = b.edge_attr.double()
    with torch.no_grad():
        for t, layer in enumerate(network.layers):
            if kind == "gine":
                other.convs[t].edges.load_state_dict(layer.edges.state_dict())
                other.convs[t].conv.nn.load_state_dict(layer.vertices.state_dict())
                continue
            for i, conv in enumerate(other.convs[t]):
                conv.nn[0].load_state_dict(layer.first[i].state_dict())
                conv.nn[2].load_state_dict(layer.second[i].state_dict())
            other.merges[t].load_state_dict(layer.merge.state_dict())
        other.head.load_state_dict(network.head.state_dict())
    loss = (other(b) - b.y).abs().mean().item()
    return loss, torch_networks.parameters(other)


def main(options):
    graphs, right = torch_data.Graphs(options.data), True
    for kind in [m for m in MODELS if not options.only or m == options.only]:
        data = torch_data.Resident(graphs, torch_data.NODES if kind == "gine" else torch_data.PAIRS)
        right &= published(kind, data)
        torch.manual_seed(1)
        network = torch_networks.make(kind, data, SMALL, torch_networks.PUBLISHED_LABELS).double().train()
        numbers = np.random.default_rng(1).permutation(graphs.count)[:GRAPHS]
        which = torch.from_numpy(numbers)
        expected = gradients(network, torch_data.ragged(data, which, numbers, "add"))
        right &= compare(kind, "csr", gradients(network, torch_data.ragged(data, which, numbers, "csr")), expected)
        filled = torch.from_numpy(np.append(numbers, np.full(FILLED - GRAPHS, data.empty)))
        rows, vertices = data.sizes(numbers)
        b = torch_data.padded(data, filled, rows + 37, vertices + 5)
        b["live"] = b["live"].double()
        right &= compare(kind, "padded", gradients(network, b), expected)
        loss, parameters = geometric(kind, graphs, network, numbers)
        same = abs(loss - expected[0]) < 1e-6 and parameters == torch_networks.parameters(network)
        print(f"{kind} PyTorch Geometric: loss {loss:.9f}: {'right' if same else 'WRONG'}")
        right &= same
        for layer in network.layers:
            layer.compile()
        for more in (37, 101):
            b = torch_data.padded(data, filled, (rows + more) if kind != "gine" else vertices + 5, vertices + 5)
            b["live"] = b["live"].double()
            right &= compare(kind, f"compiled, {more} rows more", gradients(network, b), expected)
    print("all right" if right else "something is WRONG")
