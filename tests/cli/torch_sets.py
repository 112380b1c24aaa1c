"""1-2-GNN, 1-3-GNN and 1-2-3-GNN in PyTorch, float64, from exported weights: torch_sets.py GRAPHS.json WEIGHTS.npz SIZES.

Written from the definition alone: a matrix for every arc, every set of vertices tried, one-hot types beside the means of
vertices. GRAPHS.json has the graphs in the order in which labels and types are numbered, and "order", which graph of the
data each is. Prints the outputs by graph of the data as JSON."""
import itertools
import json
import sys

import numpy
import torch
from torch.nn.functional import elu, relu


def sets_of(graph, size):
    """All 2-sets; the 3-sets that a walk along their edges reaches whole."""
    edges = {frozenset(edge[:2]) for edge in graph["edges"]}
    for chosen in itertools.combinations(range(len(graph["labels"])), size):
        reached, before = {chosen[0]}, 0
        while size == 3 and len(reached) > before:
            before = len(reached)
            reached |= {w for v in reached for w in chosen if frozenset((v, w)) in edges}
        if size == 2 or len(reached) == 3:
            yield chosen


def type_of(graph, chosen):
    edges = {frozenset(edge[:2]) for edge in graph["edges"]}
    return (frozenset((chosen[0], chosen[-1])) in edges, *sorted(graph["labels"][v] for v in chosen))


def neighbors(graph, chosen, other):
    gone, new = set(chosen) - set(other), set(other) - set(chosen)
    return len(gone) == 1 and frozenset(gone | new) in {frozenset(edge[:2]) for edge in graph["edges"]}


class Network:
    def __init__(self, weights, sizes, graphs):
        self.w = {name: torch.tensor(weights[name], dtype=torch.float64) for name in weights.files if not name.startswith("network.")}
        self.sizes = sizes
        self.bonds = list(dict.fromkeys(edge[2] for graph in graphs for edge in self.arcs(graph)))
        self.types = {size: list(dict.fromkeys(type_of(graph, chosen) for graph in graphs for chosen in sets_of(graph, size)))
                      for size in sizes}

    @staticmethod
    def arcs(graph):
        return sorted([edge for u, w, bond in graph["edges"] for edge in ((u, w, bond), (w, u, bond))])

    def linear(self, name, x):
        bias = self.w.get(f"{name}.bias")
        y = x @ self.w[f"{name}.weight"].reshape(-1, x.shape[-1]).T
        return y if bias is None else y + bias.reshape(-1)

    def nnconv(self, name, graph, x):
        out = [row.clone() for row in self.linear(f"{name}.root", x)]
        position = torch.tensor(graph["positions"], dtype=torch.float64)
        maps = self.w[f"{name}.edge.maps"]
        for u, w, bond in self.arcs(graph):
            reals = torch.tensor([float(bond == known) for known in self.bonds] + [(position[u] - position[w]).norm()],
                                 dtype=torch.float64)
            hidden = relu(self.linear(f"{name}.edge.linear1", reals))
            matrix = (maps.reshape(len(hidden) + 1, -1, x.shape[1]) * torch.cat([torch.ones(1), hidden])[:, None, None]).sum(0)
            out[u] = out[u] + matrix @ x[w]
        return elu(torch.stack(out))

    def first_weight(self, name):
        return torch.cat([self.w[f"{name}.weight"], self.w[f"{name}.table"].T], 1)

    def mean_of_sets(self, graph, size, x):
        chosen = list(sets_of(graph, size))
        if not chosen:
            return torch.zeros(x.shape[1], dtype=torch.float64)
        one_hot = torch.eye(len(self.types[size]), dtype=torch.float64)
        y = torch.stack([torch.cat([x[list(s)].mean(0), one_hot[self.types[size].index(type_of(graph, s))]]) for s in chosen])
        near = torch.tensor([[neighbors(graph, s, t) for t in chosen] for s in chosen], dtype=torch.float64)
        near = near / near.sum(1, keepdim=True).clamp(min=1)
        for layer in (1, 2):
            name = f"sets{size}.layer{layer}"
            both = [self.first_weight(f"{name}.{part}") if layer == 1 else self.w[f"{name}.{part}.weight"]
                    for part in ("neighbors", "own")]
            y = elu(near @ (y @ both[0].T) + y @ both[1].T + self.w[f"{name}.own.bias"].reshape(-1))
        return y.mean(0)

    def __call__(self, graph):
        x = torch.tensor(graph["features"], dtype=torch.float64)
        layer = 1
        while f"layer{layer}.root.weight" in self.w:
            x = self.nnconv(f"layer{layer}", graph, x)
            layer += 1
        y = torch.cat([x.mean(0)] + [self.mean_of_sets(graph, size, x) for size in self.sizes])
        return self.linear("head.linear3", elu(self.linear("head.linear2", elu(self.linear("head.linear1", y)))))


def main():
    torch.set_num_threads(1)
    with open(sys.argv[1], encoding="utf-8") as file:
        given = json.load(file)
    network = Network(numpy.load(sys.argv[2]), [int(size) for size in sys.argv[3]], given["graphs"])
    outputs = {number: network(graph).tolist() for number, graph in zip(given["order"], given["graphs"])}
    print(json.dumps([outputs[number] for number in sorted(outputs)]))


if __name__ == "__main__":
    main()
