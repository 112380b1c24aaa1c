"""The operations of the library's networks in PyTorch, one function each, and the batches they run on. Formulas are those of
docs/networks.md, "How a network is built"; names are those of the steps in an export.

A function gets the step, the tensors it reads (None where one is left out), its weights (likewise) and the batch, and returns
what it writes. All are differentiable.
"""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Callable

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

Step = dict[str, Any]


def _moved(value: Any, device: Any) -> Any:
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return {key: _moved(item, device) for key, item in value.items()}
    return [_moved(item, device) for item in value] if isinstance(value, list) else value


@dataclass
class GraphBatch:
    """Graphs side by side. Rows of a space ("vertices", "arcs", "tuples", "sets0", ...) count over the whole batch."""

    graphs: int
    k: int
    sizes: list[int]  # vertices of each graph
    tail: Tensor  # [arcs]
    head: Tensor
    rows: dict[str, int]  # how many, by space
    graph: dict[str, Tensor]  # [rows] the graph of a row
    index: dict[str, Tensor]  # [rows] numbers of labels and types, -1 for none
    counts: list[Tensor]
    reals: dict[str, Tensor]  # [rows, width]
    component: Tensor  # [k, tuples] the vertices of each tuple
    neighbors: list[Tensor]  # of component j [2, links]: tuple, and the tuple with a neighbour in its place j
    lines: list[Tensor]  # [tuples] the same for tuples that differ in component j alone
    sets: list[dict[str, Tensor]]  # "member" [rows, size], "to" and "other" [links]

    def to(self, device: Any) -> GraphBatch:
        return GraphBatch(**{f.name: _moved(getattr(self, f.name), device) for f in fields(self)})


def tuple_links(n: int, tail: Any, head: Any, k: int) -> tuple[list[Any], list[Any]]:
    """For each component j: [2, links], a tuple and the tuple in which a neighbour stands for component j; and the line of each
    tuple, which is the same for all that differ in component j alone."""
    tuples = np.arange(n**k).reshape((n,) * k) if n else np.zeros((0,) * k, np.int64)
    links, lines = [], []
    for j in range(k):
        moved = np.moveaxis(tuples, j, 0).reshape(n, n ** (k - 1))
        links.append(np.stack([moved[tail].ravel(), moved[head].ravel()]))
        line = np.broadcast_to(np.arange(moved.shape[1]), moved.shape)
        lines.append(np.moveaxis(line.reshape((n,) * k), 0, j).ravel())
    return links, lines


_REALS = {"vertices": "vertex_attribute", "arcs": "arc_attribute", "tuples": "tuple_attribute"}


def _tensor(array: Any) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array))


def _starts(each: Any) -> Any:
    return np.concatenate([[0], np.cumsum(each)]).astype(np.int64)


def batch_of(arrays: dict[str, Any], k: int) -> GraphBatch:
    """The arrays of GraphNetwork.encode(); k above 1: the network has tuples."""
    first, arc = arrays["vertex_start"].ravel(), arrays["arc_start"].ravel()
    sizes, count = np.diff(first), len(first) - 1
    tail, head = (arrays[name].ravel() if name in arrays else np.zeros(0, np.int64) for name in ("tail", "head"))
    each = {"vertices": sizes, "arcs": np.diff(arc), "graphs": np.ones(count, np.int64)}
    neighbors: list[Tensor] = []
    lines: list[Tensor] = []
    component = np.concatenate([np.zeros((k, 0), np.int64)] +
                               [np.indices((n,) * k).reshape(k, -1) + f for n, f in zip(sizes, first)], axis=1)
    if k > 1:
        each["tuples"] = sizes**k
        links = [tuple_links(int(n), tail[a:b] - f, head[a:b] - f, k) for n, f, a, b in zip(sizes, first, arc, arc[1:])]
        tuples, line = _starts(sizes**k), _starts(np.where(sizes > 0, sizes ** (k - 1), 0))
        for j in range(k if count else 0):
            neighbors.append(_tensor(np.concatenate([near[j] + t for (near, _), t in zip(links, tuples)], axis=1)))
            lines.append(_tensor(np.concatenate([on[j] + l for (_, on), l in zip(links, line)])))
    none = np.zeros(0, np.int64)
    sets: list[dict[str, Tensor]] = []
    while (name := f"sets{len(sets)}") + ".start" in arrays:
        each[name] = np.diff(arrays[name + ".start"].ravel())
        rows = np.arange(each[name].sum())
        sets.append({"member": _tensor(arrays.get(name + ".member", np.zeros((0, 2), np.int64))),
                     "to": _tensor(np.repeat(rows, np.diff(arrays[name + ".neighbor_start"].ravel()))),
                     "other": _tensor(arrays.get(name + ".neighbor", none).ravel()),
                     "type": _tensor(arrays.get(name + ".type", none).ravel())})
    return GraphBatch(
        count, k, sizes.tolist(), _tensor(tail), _tensor(head), {space: int(sum(rows)) for space, rows in each.items()},
        {space: _tensor(np.repeat(np.arange(count), rows)) for space, rows in each.items()},
        {name: _tensor(arrays.get(name.replace(" ", "_"), none).ravel()) for name in ("tuple type", "vertex type", "arc label")},
        list(_tensor(arrays["count"].reshape(-1, int(sum(each["tuples"]))))) if "count" in arrays else [],
        {space: _tensor(arrays[name]) for space, name in _REALS.items() if name in arrays},
        _tensor(component), neighbors, lines, sets)


# ---- Operations ----------------------------------------------------------------------------------


def _activate(y: Tensor, step: Step) -> Tensor:
    kind = step["activation"]
    return torch.relu(y) if kind == "relu" else functional.elu(y) if kind == "elu" else y


def _summed(values: Tensor, place: Tensor, rows: int) -> Tensor:
    return values.new_zeros(rows, values.shape[1]).index_add(0, place, values)


def _look_up(table: Tensor, index: Tensor) -> Tensor:
    return table[index.clamp(min=0)] * (index >= 0).unsqueeze(1).to(table.dtype)


def embed(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    if step["looks_up"] == "edge label":
        return w[0]
    if step["looks_up"] == "count":
        return _look_up(w[0], batch.counts[step["position"]])
    if step["looks_up"] == "set type":
        return _look_up(w[0], batch.sets[step["position"]]["type"])
    return _look_up(w[0], batch.index[step["looks_up"]])


def linear(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    return _activate(functional.linear(x[0], w[0], None if w[1] is None else w[1][0]), step)


def _over(values: Tensor, step: Step, position: int, batch: GraphBatch) -> Tensor:
    """The sum over the neighbourhood along a component of tuples, or over that of vertices."""
    rows, over = len(values), step["over"]
    if step["on_tuples"]:
        to, other = batch.neighbors[position]
        line = batch.lines[position]
    else:
        to, other = batch.tail, batch.head
        line = batch.graph["vertices"]
    if over == "entering":
        to, other = other, to
    near = _summed(values[other], to, rows) if over != "all" else values
    if over in ("leaving", "entering"):
        return near
    everything = _summed(values, line, int(line.max()) + 1 if line.numel() else 0)[line] - values
    return everything if over == "all" else everything - near


def _own(x: Tensor, epsilon: Tensor | None) -> Tensor:
    return x if epsilon is None else (1 + epsilon) * x


def neighbors(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    sent = x[0] if x[1] is None else x[1]
    y = _own(x[0], w[0]) + _over(sent, step, step["position"], batch)
    return _activate(y if w[1] is None else y + w[1], step)


def pair_sums(step: Step, x: Any, w: Any, batch: GraphBatch) -> tuple[Tensor, Tensor]:
    first, second = (_own(x[0], w[j]) + _over(x[0], step, j, batch) for j in range(2))
    return first, second


def messages(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    to, other = (batch.tail, batch.head) if step["over"] == "leaving" else (batch.head, batch.tail)
    edges = _look_up(x[1], batch.index["arc label"]) if step["by_label"] else x[1]
    return _own(x[0], w[0]) + _summed(torch.relu(x[0][other] + edges), to, len(x[0]))


def nnconv(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    to, other = (batch.tail, batch.head) if step["over"] == "leaving" else (batch.head, batch.tail)
    maps = x[0].reshape(len(x[0]), x[1].shape[1] + 1, -1)[other]
    total = _summed(maps[:, 0] + (x[1].unsqueeze(2) * maps[:, 1:]).sum(1), to, len(x[0]))
    if step["rate"] > 0:
        total = total / torch.bincount(to, minlength=len(x[0])).clamp(min=1).unsqueeze(1).to(total.dtype)
    return total


def _matrices(x: Tensor, sizes: list[int]) -> list[Tensor]:
    """[n, n, width] of each graph."""
    return [part.reshape(n, n, x.shape[1]) for n, part in zip(sizes, torch.split(x, [n * n for n in sizes]))]


def matmul(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    parts = [torch.einsum("uwd,wvd->uvd", a, b).reshape(-1, x[0].shape[1])
             for a, b in zip(_matrices(x[0], batch.sizes), _matrices(x[1], batch.sizes))]
    return torch.cat(parts) if parts else x[0]


def listed(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    chosen = batch.sets[step["list"]]
    if step["of_vertices"]:
        size = chosen["member"].shape[1]
        total = x[1][chosen["member"]].sum(1)
        length = torch.full((len(total), 1), size, dtype=total.dtype, device=total.device)
    else:
        rows = len(chosen["member"])
        total = _summed(x[1][chosen["other"]], chosen["to"], rows)
        length = torch.bincount(chosen["to"], minlength=rows).clamp(min=1).unsqueeze(1).to(total.dtype)
    y = total / length if step["rate"] > 0 else total
    y = y if x[0] is None else y + _own(x[0], w[0])
    return _activate(y if w[1] is None else y + w[1], step)


def spread(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    y = sum(part[batch.component[j]] for j, part in enumerate(p for p in x if p is not None))
    return _activate(y if w[0] is None else y + w[0], step)  # type: ignore[arg-type, operator, unused-ignore]


def add(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    y = x[0] if x[1] is None else x[0] + x[1]
    return _activate(y if w[0] is None else y + w[0], step)


def pool(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    graph = batch.graph[step["space"]]
    total = _summed(x[0], graph, batch.graphs)
    if step["rate"] > 0:
        total = total / torch.bincount(graph, minlength=batch.graphs).clamp(min=1).unsqueeze(1).to(total.dtype)
    return total


def pool_max(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    found = []
    for part in _matrices(x[0], batch.sizes):
        diagonal = torch.eye(len(part), dtype=torch.bool, device=part.device)
        sides = [part[diagonal], part[~diagonal]]
        found.append(torch.cat([side.max(0).values if len(side) else side.new_zeros(side.shape[1]) for side in sides]))
    return torch.stack(found) if found else x[0].new_zeros(0, 2 * x[0].shape[1])


def attend(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    graph = batch.graph[step["space"]]
    energy = (x[0] * x[1][graph]).sum(1)
    largest = energy.new_full((batch.graphs,), -torch.inf).scatter_reduce(0, graph, energy, "amax")
    weight = torch.exp(energy - largest[graph])
    total = weight.new_zeros(batch.graphs).index_add(0, graph, weight) + 1e-16
    return _summed((weight / total[graph]).unsqueeze(1) * x[0], graph, batch.graphs)


def lstm(step: Step, x: Any, w: Any, batch: GraphBatch) -> tuple[Tensor, Tensor]:
    gates = functional.linear(x[0], w[0], w[2][0]) + functional.linear(x[1], w[1], w[3][0])
    i, f, g, o = gates.chunk(4, dim=1)
    cell = torch.sigmoid(f) * x[2] + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def gru(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    a, b = functional.linear(x[0], w[0], w[2][0]).chunk(3, dim=1), functional.linear(x[1], w[1], w[3][0]).chunk(3, dim=1)
    reset, update = torch.sigmoid(a[0] + b[0]), torch.sigmoid(a[1] + b[1])
    fresh = torch.tanh(a[2] + reset * b[2])
    return (1 - update) * fresh + update * x[1]


def norm(step: Step, x: Any, w: Any, batch: GraphBatch, training: bool) -> Tensor:
    """Statistics over the rows in training; over the arcs that carry them, where rows are edge labels."""
    scale, shift, mean, variance = (part[0] for part in w)
    if training and step["space"] == "edge labels":
        carried = batch.index["arc label"]
        over = x[0][carried[carried >= 0]]
        if len(over) > 1:
            now, spread_ = over.mean(0), over.var(0, unbiased=False)
            with torch.no_grad():
                mean.lerp_(now, 0.1)
                variance.lerp_(over.var(0), 0.1)
            return _activate((x[0] - now) / torch.sqrt(spread_ + 1e-5) * scale + shift, step)
    many = training and len(x[0]) > 1 and step["space"] != "edge labels"
    return _activate(functional.batch_norm(x[0], mean, variance, scale, shift, many, 0.1, 1e-5), step)


OPERATIONS: dict[str, Callable[..., Any]] = {f.__name__: f for f in (
    embed, linear, neighbors, pair_sums, messages, nnconv, matmul, listed, spread, add, pool, pool_max, attend, lstm,
    gru)}
LOSSES = ("l1", "square", "cross_entropy", "binary_cross_entropy")
