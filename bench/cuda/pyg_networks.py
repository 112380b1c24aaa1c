"""The same networks by PyTorch Geometric, as the published programs have them: one-hot vectors and the lists of arcs of
the tuple graphs stored with every graph, GINConv or GINEConv for each list."""
import numpy as np
import torch
from torch import nn
from torch_geometric.data import Data
from torch_geometric.nn import GINConv, GINEConv, global_mean_pool
from torch_networks import LAYERS, PUBLISHED_LABELS, SUMS, Head, two_maps


class PairData(Data):
    """Lists of arcs between pairs are counted on by the number of pairs when graphs become a batch."""

    def __inc__(self, key, value, *args, **kwargs):
        return self.x.shape[0] if key.startswith("arcs") else super().__inc__(key, value, *args, **kwargs)

    def __cat_dim__(self, key, value, *args, **kwargs):
        return 1 if key.startswith("arcs") else super().__cat_dim__(key, value, *args, **kwargs)


def lists(adjacent, which):
    """Arcs between pairs for both components; the pair itself is left out, as GINConv did when it was published."""
    n = len(adjacent)
    other = ~adjacent & ~np.eye(n, dtype=bool)
    tail, head = np.nonzero({"near": adjacent, "others": other, "all": ~np.eye(n, dtype=bool)}[which])
    v = np.arange(n)
    first = np.stack(((tail[:, None] * n + v).ravel(), (head[:, None] * n + v).ravel()))
    second = np.stack(((v[:, None] * n + tail).ravel(), (v[:, None] * n + head).ravel()))
    return torch.from_numpy(first), torch.from_numpy(second)


def stored(kind, graphs, which):
    """Graphs as the published programs store them."""
    types, count = graphs.pair_types() if kind != "gine" else (None, 0)
    ends = np.concatenate(([0], np.cumsum(graphs.n**2)))
    of = graphs.graph[graphs.tail]
    arc_ends = np.searchsorted(of, np.arange(graphs.count + 1))
    out = []
    for g in which:
        arcs = slice(arc_ends[g], arc_ends[g + 1])
        tail, head = graphs.tail[arcs] - graphs.first[g], graphs.head[arcs] - graphs.first[g]
        y = torch.tensor([graphs.y[g]])
        if kind == "gine":
            x = nn.functional.one_hot(torch.from_numpy(graphs.label[graphs.first[g] : graphs.first[g + 1]]), graphs.labels)
            bonds = nn.functional.one_hot(torch.from_numpy(graphs.bond[arcs]), PUBLISHED_LABELS)
            out.append(Data(x=x.float(), edge_index=torch.from_numpy(np.stack((tail, head))), edge_attr=bonds.float(), y=y))
            continue
        adjacent = np.zeros((graphs.n[g], graphs.n[g]), bool)
        adjacent[tail, head] = True
        x = nn.functional.one_hot(torch.from_numpy(types[ends[g] : ends[g + 1]]), count).float()
        arcs = {f"arcs{j}_{way}": a for way in SUMS[kind] for j, a in enumerate(lists(adjacent, way), 1)}
        out.append(PairData(x=x, y=y, **arcs))
    return out


class Tuples(nn.Module):
    def __init__(self, kind, types, d):
        super().__init__()
        self.ways = [f"arcs{j}_{way}" for j in (1, 2) for way in SUMS[kind]]
        widths = [types] + [d] * (LAYERS - 1)
        self.convs = nn.ModuleList(nn.ModuleList(GINConv(two_maps(w, d, d), train_eps=True) for _ in self.ways) for w in widths)
        self.merges = nn.ModuleList(two_maps(len(self.ways) * d, d, d) for _ in widths)
        self.norms = nn.ModuleList(nn.BatchNorm1d(d) for _ in widths)
        self.head = Head(d)

    def forward(self, data):
        x, outputs = data.x, []
        for convs, merge, norm in zip(self.convs, self.merges, self.norms):
            sides = [torch.relu(conv(x, data[way])) for conv, way in zip(convs, self.ways)]
            x = norm(merge(torch.cat(sides, 1)))
            outputs.append(x)
        return self.head(global_mean_pool(torch.cat(outputs, 1), data.batch))[:, 0]


class EdgeConv(nn.Module):
    """GINEConv behind a network of its own for bonds."""

    def __init__(self, inputs, d):
        super().__init__()
        self.edges = two_maps(PUBLISHED_LABELS, inputs, inputs)
        self.conv = GINEConv(two_maps(inputs, inputs, d), train_eps=True)

    def forward(self, x, data):
        return self.conv(x, data.edge_index, self.edges(data.edge_attr))


class Gine(nn.Module):
    def __init__(self, labels, d):
        super().__init__()
        self.convs = nn.ModuleList(EdgeConv(d if t else labels, d) for t in range(LAYERS - 1))  # the last is used twice
        self.norms = nn.ModuleList(nn.BatchNorm1d(d) for _ in range(LAYERS))
        self.head = Head(d)

    def forward(self, data):
        x, outputs = data.x, []
        for t in range(LAYERS):
            x = self.norms[t](torch.relu(self.convs[min(t, LAYERS - 2)](x, data)))
            outputs.append(x)
        return self.head(global_mean_pool(torch.cat(outputs, 1), data.batch))[:, 0]


def make(kind, graphs, width):
    if kind == "gine":
        return Gine(graphs.labels, width)
    return Tuples(kind, graphs.pair_types()[1], width)
