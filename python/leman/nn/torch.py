"""The networks of the library in plain PyTorch: `TupleNetwork` loads the weights of a GraphNetwork and computes the same, and
`TupleTransform` gives tuples and their neighbours to models of your own.

    module = TupleNetwork.from_network(network)          # a leman.nn.GraphNetwork
    outputs = module(module.encode(graphs))              # before softmax and scaling; module.predict(graphs) has both

Rows are tuples of all graphs of a batch side by side, the last component fastest; neighbours are lists of (from, to) rows for
each component. Networks with mean pooling are here (presets zinc and tu): k-tuple models delta-k-LGNN, delta-k-GNN and k-WL-GNN, and GIN on
vertices. Memory: lists of k n^(k-1) arcs for each graph.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from .._convert import as_dataset
from .._dataset import Graph
from .._errors import UnsupportedError

_SUMS = {"local": ["local"], "delta": ["local", "global"], "wl": ["all"], "gin0": ["local"], "gin": ["local"]}


@dataclass
class TupleBatch:
    """Rows of a batch: type [rows] (-1: not known), neighbours (from, to) and lines [rows] of each component, graph [rows]."""

    type: torch.Tensor
    neighbors: list[tuple[torch.Tensor, torch.Tensor]]
    lines: list[torch.Tensor]
    graph: torch.Tensor
    graphs: int

    def to(self, device: Any) -> TupleBatch:
        return TupleBatch(self.type.to(device), [(a.to(device), b.to(device)) for a, b in self.neighbors],
                          [line.to(device) for line in self.lines], self.graph.to(device), self.graphs)


def tuple_neighbors(n: int, edge_index: Any, k: int) -> tuple[list[Any], list[Any]]:
    """For each component j: (from, to) [2, arcs], where `from` is `to` with component j replaced by a neighbour of it; and the
    line of each tuple, which is the same for all that differ in component j only."""
    tuples = np.arange(n**k).reshape((n,) * k) if n else np.zeros((0,) * k, np.int64)
    tail, head = np.asarray(edge_index)
    keep = tail != head
    tail, head = tail[keep], head[keep]
    neighbors, lines = [], []
    for j in range(k):
        moved = np.moveaxis(tuples, j, 0).reshape(n, -1)
        neighbors.append(np.stack([moved[head].ravel(), moved[tail].ravel()]))
        line = np.empty_like(moved)
        line[:] = np.arange(moved.shape[1])
        lines.append(np.moveaxis(line.reshape((n,) * k), 0, j).ravel() if n else np.zeros(0, np.int64))
    return neighbors, lines


class _Encoding:
    """Types of tuples by the vocabulary of a network."""

    def __init__(self, description: dict[str, Any]) -> None:
        self.k = int(description["k"])
        self.tuples = description["model"] not in ("gin0", "gin")
        self.degrees = description["vertex_input"] == "degree"
        self.vertex = {tuple(label): i for i, label in enumerate(description["vertex_labels"])}
        self.edge = {tuple(label): i for i, label in enumerate(description["edge_labels"])}
        self.types = {(tuple(t["labels"]), tuple(r if r == "same" else tuple(r) for r in t["relations"])): i
                      for i, t in enumerate(description["types"])}
        self.ignore = (description["ignore_vertex_labels"], description["ignore_edge_labels"])
        self.width = int(description["type_width"])

    def __call__(self, graph: Graph) -> Any:
        view, n = graph._view, graph.num_vertices
        ends = graph.edge_index
        if not self.tuples and self.degrees:
            degree = np.bincount(ends[0][ends[0] != ends[1]], minlength=n)
            return np.where(degree < self.width, degree, -1)
        labels = graph._vertex(view.vertex_label, view.vertex_labels, np.int64)
        labels = np.zeros((n, 0), np.int64) if labels is None or self.ignore[0] else labels
        arcs = graph._edge(view.edge_label, view.edge_labels, np.int64)
        arcs = np.zeros((ends.shape[1], 0), np.int64) if arcs is None or self.ignore[1] else arcs
        loops, relation = [0] * n, {}
        for (tail, head), label in zip(ends.T.tolist(), arcs.tolist()):
            number = self.edge.get(tuple(label), -1)
            if tail == head:
                loops[tail] = 1 + number
            else:
                relation[tail, head] = number
        numbers = [self.vertex.get((*label, loop), -1) for label, loop in zip(labels.tolist(), loops)]
        if not self.tuples:
            return np.array(numbers, dtype=np.int64)
        pairs = [(i, j) for i in range(self.k) for j in range(i + 1, self.k)]
        found = np.empty(n**self.k, dtype=np.int64)
        for row, vertices in enumerate(np.ndindex(*(n,) * self.k)):
            between = tuple("same" if vertices[i] == vertices[j] else
                            (relation.get((vertices[i], vertices[j])), relation.get((vertices[j], vertices[i])))
                            for i, j in pairs)
            found[row] = self.types.get((tuple(numbers[v] for v in vertices), between), -1)
        return found


class _Norm(nn.Module):  # type: ignore[misc]
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(width, eps=1e-5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(x)


class _Block(nn.Module):  # type: ignore[misc]
    """Two linear maps; the first may be a table of types. Activations and norm behind, as the preset has them."""

    def __init__(self, inputs: int, middle: int, outputs: int, one_hot: bool, relu: bool, behind: bool) -> None:
        super().__init__()
        self.table = nn.Embedding(inputs, middle) if one_hot else None
        self.bias = nn.Parameter(torch.zeros(middle)) if one_hot else None
        self.linear1 = None if one_hot else nn.Linear(inputs, middle)
        self.linear2 = nn.Linear(middle, outputs)
        self.relu = relu
        self.norm = _Norm(outputs) if behind else None

    def look_up(self, types: torch.Tensor) -> torch.Tensor:
        assert self.table is not None
        return self.table(types.clamp(min=0)) * (types >= 0).unsqueeze(1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: the input of the first map; where that is a table, what was looked up, summed."""
        x = x + self.bias if self.linear1 is None else self.linear1(x)
        x = self.linear2(torch.relu(x))
        if self.relu:
            x = torch.relu(x)
        return x if self.norm is None else self.norm(x)


class _Sum(nn.Module):  # type: ignore[misc]
    """f((1 + eps) x + sum over neighbours)."""

    def __init__(self, kind: str, position: int, epsilon: bool, block: _Block) -> None:
        super().__init__()
        self.kind, self.position, self.block = kind, position, block
        self.epsilon = nn.Parameter(torch.zeros(1)) if epsilon else None

    def forward(self, x: torch.Tensor | None, batch: TupleBatch) -> torch.Tensor:
        if x is None:
            x = self.block.look_up(batch.type)
        total = torch.zeros_like(x)
        if self.kind in ("local", "global"):
            source, target = batch.neighbors[self.position]
            total = total.index_add(0, target, x[source])
        if self.kind in ("global", "all"):
            line = batch.lines[self.position]
            sums = x.new_zeros(int(line.max()) + 1 if line.numel() else 0, x.shape[1]).index_add(0, line, x)
            everything = sums[line] - x
            total = everything - total if self.kind == "global" else everything
        own = x if self.epsilon is None else (1 + self.epsilon) * x
        return self.block(own + total)


class TupleNetwork(nn.Module):  # type: ignore[misc]
    """A network of the library as a torch.nn.Module, made from what GraphNetwork.describe() and state_dict() say."""

    def __init__(self, description: dict[str, Any]) -> None:
        super().__init__()
        model, preset = description["model"], description["preset"]
        if model not in _SUMS or preset not in ("zinc", "tu"):
            raise UnsupportedError(f"{description['method']} with the preset {preset} is not written in PyTorch; expected "
                                   f"one of {', '.join(_SUMS)} with zinc or tu")
        if description.get("joined") or not description["type_width"] or description.get("vertex_width"):
            raise UnsupportedError("the network reads reals; only networks on labels and types are written in PyTorch")
        self.description = description
        self.encoding = _Encoding(description)
        width, layers = int(description["width"]), int(description["layers"])
        self.all_layers = preset == "zinc"
        tuples, k = self.encoding.tuples, self.encoding.k if self.encoding.tuples else 1
        sizes = {weight["name"]: int(weight["columns"]) for weight in description["weights"]}
        self.layers, self.merges = nn.ModuleList(), nn.ModuleList()
        for layer in range(layers):
            inputs, first = (int(description["type_width"]), True) if layer == 0 else (width, False)
            sums = nn.ModuleList()
            for j in range(k):
                for kind in _SUMS[model]:
                    middle = width if tuples else sizes[f"layer{layer + 1}.linear1.bias"]
                    block = _Block(inputs, middle, width, first, True, not tuples)
                    sums.append(_Sum(kind, j, model != "gin0", block))
            self.layers.append(sums)
            if tuples:
                self.merges.append(_Block(width * len(sums), width, width, False, preset == "tu", True))
        maps = 4 if preset == "zinc" else 2
        pooled = width * layers if self.all_layers else width
        self.head = nn.ModuleList(nn.Linear(pooled if i == 0 else width, width if i + 1 < maps else
                                            int(description["outputs"])) for i in range(maps))
        self.dropout = nn.Dropout(0.5 if preset == "tu" else 0.0)

    @classmethod
    def from_network(cls, network: Any) -> TupleNetwork:
        """The same network, with its weights, ready to predict (eval mode)."""
        weights, description = network._exported()
        made = cls(description)
        made.load_weights(weights)
        made.eval()
        return made

    def _named(self) -> Any:
        """(name in the library, tensor of ours)."""
        tuples, several = self.encoding.tuples, len(_SUMS[self.description["model"]]) > 1
        for t, sums in enumerate(self.layers, 1):
            for s in sums:
                name = f"layer{t}." + (f"position{s.position + 1}." if tuples else "") + (f"{s.kind}." if several else "")
                if s.epsilon is not None:
                    yield name + "epsilon", s.epsilon
                yield from self._block(name, s.block)
            if tuples:
                yield from self._block(f"layer{t}.merge.", self.merges[t - 1])
        for i, linear in enumerate(self.head, 1):
            yield f"head.linear{i}.weight", linear.weight
            yield f"head.linear{i}.bias", linear.bias

    @staticmethod
    def _block(name: str, block: Any) -> Any:
        if block.linear1 is None:
            yield name + "linear1.table", block.table.weight
            yield name + "linear1.bias", block.bias
        else:
            yield name + "linear1.weight", block.linear1.weight
            yield name + "linear1.bias", block.linear1.bias
        yield name + "linear2.weight", block.linear2.weight
        yield name + "linear2.bias", block.linear2.bias
        if block.norm is not None:
            norm = block.norm.norm
            for theirs, ours in (("scale", norm.weight), ("shift", norm.bias), ("mean", norm.running_mean),
                                 ("variance", norm.running_var)):
                yield f"{name}norm.{theirs}", ours

    def load_weights(self, weights: dict[str, Any]) -> None:
        """From GraphNetwork.state_dict(), or numpy.load() of what `leman train --export` wrote."""
        with torch.no_grad():
            for name, tensor in self._named():
                tensor.copy_(torch.from_numpy(np.asarray(weights[name])).reshape(tensor.shape))

    def encode(self, graphs: Any) -> TupleBatch:
        """Graphs as rows of tuples."""
        k = self.encoding.k if self.encoding.tuples else 1
        types, members, first = [], [], 0
        neighbors: list[list[Any]] = [[] for _ in range(k)]
        lines: list[list[Any]] = [[] for _ in range(k)]
        ends = [0] * k
        data = as_dataset(graphs)
        for place, graph in enumerate(data):
            found = self.encoding(graph)
            near, line = tuple_neighbors(graph.num_vertices, graph.edge_index, k)
            for j in range(k):
                neighbors[j].append(near[j] + first)
                lines[j].append(line[j] + ends[j])
                ends[j] += graph.num_vertices ** (k - 1)
            types.append(found)
            members.append(np.full(len(found), place))
            first += len(found)

        def joined(parts: list[Any], axis: int = 0) -> torch.Tensor:
            return torch.from_numpy(np.concatenate(parts, axis=axis).astype(np.int64))

        if not types:
            none = torch.zeros(0, dtype=torch.long)
            return TupleBatch(none, [(none, none)] * k, [none] * k, none, 0)
        pairs = [joined(part, 1) for part in neighbors]
        return TupleBatch(joined(types), [(p[0], p[1]) for p in pairs], [joined(part) for part in lines], joined(members),
                          len(data))

    def forward(self, batch: TupleBatch) -> torch.Tensor:
        x: torch.Tensor | None = None
        outputs = []
        for t, sums in enumerate(self.layers):
            parts = [s(x, batch) for s in sums]
            x = self.merges[t](torch.cat(parts, dim=1)) if self.encoding.tuples else parts[0]
            outputs.append(x)
        rows = torch.cat(outputs, dim=1) if self.all_layers else outputs[-1]
        size = torch.bincount(batch.graph, minlength=batch.graphs).clamp(min=1).to(rows.dtype)
        y = rows.new_zeros(batch.graphs, rows.shape[1]).index_add(0, batch.graph, rows) / size.unsqueeze(1)
        for i, linear in enumerate(self.head):
            last = i + 1 == len(self.head)
            y = linear(self.dropout(y) if last else y)
            y = y if last else torch.relu(y)
        return y

    @torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
    def predict(self, graphs: Any) -> Any:
        """What GraphNetwork predicts: probabilities of classes, or targets in the units of the data."""
        y = self(self.encode(graphs)).double()
        if self.description["learns"] == "classes":
            return torch.softmax(y, dim=1).numpy()
        if self.description["learns"] != "targets":
            return torch.sigmoid(y).numpy()
        if self.description["scaled"]:
            y = y * torch.tensor(self.description["deviation"]) + torch.tensor(self.description["mean"])
        return y.numpy()


class TupleTransform:
    """A transform of PyG: adds the k-tuples of a graph to its Data object.

    tuple_index [k, tuples]: their vertices. tuple_type [tuples]: isomorphism types as canonical 64-bit numbers, the same in every graph.
    tuple_edge_index_0, ..., _(k-1) [2, arcs]: from the tuples with component j replaced by a neighbour, to the tuple.
    """

    def __init__(self, k: int = 2) -> None:
        if k not in (2, 3):
            raise ValueError(f"k: found {k!r}, expected 2 or 3")
        self.k = k

    def __call__(self, data: Any) -> Any:
        from .._colors import colors
        from .._convert import from_pyg
        graph = from_pyg([data])[0]
        n = graph.num_vertices
        kinds = colors(graph, f"delta-{self.k}-LWL", 0).ravel().view(np.int64)
        near, _ = tuple_neighbors(n, graph.edge_index, self.k)
        data.tuple_type = torch.from_numpy(kinds.copy())
        data.tuple_index = torch.from_numpy(np.indices((n,) * self.k).reshape(self.k, -1).astype(np.int64))
        for j in range(self.k):
            data[f"tuple_edge_index_{j}"] = torch.from_numpy(near[j].astype(np.int64))
        data.num_tuples = n**self.k
        return data
