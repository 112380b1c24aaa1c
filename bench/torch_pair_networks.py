"""Pair networks in PyTorch, for the comparisons: Local-2-GNN, Local-2-FGNN and SSWL+ as docs/networks.md defines them. Batches are those
of torch_data, ragged and with distances. Messages are gathered, one row for each arc of a line, and added up by index_add."""
import torch
from torch import nn

PARTS = {"local2": ("local1", "local2", "global1"), "folklore2": ("folklore1", "folklore2", "global1"),
         "sswl+": ("local1", "local2", "diagonal1")}
PAPER = {"local2": "Local-2-GNN", "folklore2": "Local-2-FGNN", "sswl+": "SSWL+"}
LAYERS, DISTANCES = 6, 6


class Half(nn.Module):
    """What follows the first maps: norm, ReLU, a linear map without bias, norm, ReLU."""

    def __init__(self, inputs, d):
        super().__init__()
        self.norm1, self.linear2, self.norm = nn.BatchNorm1d(inputs), nn.Linear(inputs, d, bias=False), nn.BatchNorm1d(d)

    def forward(self, z):
        return torch.relu(self.norm(self.linear2(torch.relu(self.norm1(z)))))


class PairLayer(nn.Module):
    def __init__(self, parts, bonds, d):
        super().__init__()
        self.parts = parts
        self.local = [p for p in parts if p.startswith("local")]
        self.folklore = [p for p in parts if p.startswith("folklore")]
        self.message = nn.Linear(d, len(self.local) * d) if self.local else None
        self.moved, self.edge = (nn.Linear(d, d), nn.Linear(d, d)) if self.folklore else (None, None)
        self.labels = nn.ModuleDict({p: nn.Embedding(bonds, d) for p in self.local + self.folklore})
        self.epsilon = nn.ParameterDict({p: nn.Parameter(torch.zeros(1)) for p in parts})
        self.linear1 = nn.ModuleDict({p: nn.Linear(d, d, bias=False) for p in parts})
        self.second = Half(len(parts) * d, d)

    def sums(self, h, part, b, sent):
        j = int(part[-1])
        if part.startswith("global"):
            return h.new_zeros(b["vertices"], h.shape[1]).index_add(0, b[f"line{j}"], h)[b[f"line{j}"]]
        if part.startswith("diagonal"):
            return h[b[f"diagonal{j}"]]
        message = sent[part][b[f"columns{j}"]] + self.labels[part](b[f"bond{j}"])
        if part.startswith("folklore"):
            message = message + self.edge(h[b[f"edges{j}"]])[b[f"edge{j}"]]
        return torch.zeros_like(h).index_add(0, b[f"rows{j}"], torch.relu(message))

    def forward(self, h, b):
        sent = dict(zip(self.local, self.message(h).chunk(len(self.local), 1))) if self.local else {}
        if self.folklore:
            moved = self.moved(h)
            sent.update((p, moved) for p in self.folklore)
        z = [self.linear1[p]((1 + self.epsilon[p]) * h + self.sums(h, p, b, sent)) for p in self.parts]
        return self.second(torch.cat(z, 1))


class PairNetwork(nn.Module):
    def __init__(self, kind, labels, bonds, d):
        super().__init__()
        self.vertex, self.distance = nn.Embedding(labels, d), nn.Embedding(DISTANCES, d)
        self.layers = nn.ModuleList(PairLayer(PARTS[kind], bonds, d) for _ in range(LAYERS))
        self.first, self.readout = nn.Linear(d, d, bias=False), Half(d, d)
        self.idle = nn.Parameter(torch.zeros(1))  # counted as published, used by nothing
        self.head = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, 1))

    def forward(self, b):
        h = self.vertex(b["label2"]) + self.distance(b["distance"])
        for layer in self.layers:
            h = layer(h, b)
        x = h.new_zeros(b["vertices"], h.shape[1]).index_add(0, b["line2"], h)
        x = self.readout(self.first(x))
        means = x.new_zeros(len(b["y"]), x.shape[1]).index_add(0, b["vertex_graph"], x) * b["vertex_scale"]
        return self.head(means)[:, 0]


def load(network, weights):
    """Copies weights that leman train --export wrote."""
    def fill(to, name):
        to.copy_(torch.as_tensor(weights[name].copy()).reshape(to.shape))

    def linear(module, name):
        fill(module.weight, name + ".weight")
        if module.bias is not None:
            fill(module.bias, name + ".bias")

    def half(module, name):
        for norm in ("norm1", "norm"):
            own = getattr(module, norm)
            for to, part in ((own.weight, "scale"), (own.bias, "shift"), (own.running_mean, "mean"), (own.running_var, "variance")):
                fill(to, f"{name}.{norm}.{part}")
        fill(module.linear2.weight, name + ".linear2.weight")

    with torch.no_grad():
        fill(network.vertex.weight, "input.vertex.table")
        fill(network.distance.weight, "input.distance.table")
        for t, layer in enumerate(network.layers, 1):
            name = f"layer{t}"
            for module, part in ((layer.message, "message"), (layer.moved, "moved"), (layer.edge, "edge")):
                if module is not None:
                    linear(module, f"{name}.{part}")
            for p in layer.parts:
                fill(layer.epsilon[p], f"{name}.{p}.epsilon")
                linear(layer.linear1[p], f"{name}.{p}.linear1")
                if p in layer.labels:
                    fill(layer.labels[p].weight, f"{name}.{p}.labels.table")
            half(layer.second, name)
        linear(network.first, "readout.linear1")
        half(network.readout, "readout")
        linear(network.head[0], "head.linear1")
        linear(network.head[2], "head.linear2")
