"""The operations of the library's networks in PyTorch, one function each. Formulas are those of docs/networks.md, "How a network is
built"; names are those of the steps in an export. Linear maps, look-ups and batch norm have modules of their own in _layers.

A function gets the step, the tensors it reads (None where one is left out), its weights (likewise) and the batch, and returns
what it writes. All are differentiable.
"""
from __future__ import annotations

from typing import Any, Callable

import torch
from torch import Tensor
from torch.nn import functional

from ._batch import GraphBatch, Lists

Step = dict[str, Any]


def activate(y: Tensor, step: Step) -> Tensor:
    kind = step["activation"]
    return torch.relu(y) if kind == "relu" else functional.elu(y) if kind == "elu" else y


def look_up(table: Tensor, index: Tensor) -> Tensor:
    """Rows of the table; zeros for the index -1."""
    return functional.embedding(torch.where(index < 0, table.shape[0], index), functional.pad(table, (0, 0, 0, 1)))


def index_of(batch: GraphBatch, step: Step) -> Tensor | None:
    """The rows that an embed step looks up; None for all rows."""
    if step["looks_up"] == "edge label":
        return None
    if step["looks_up"] == "count":
        return batch.counts[step["position"]]
    if step["looks_up"] == "set type":
        return batch.sets[step["position"]]["type"]  # type: ignore[no-any-return, unused-ignore]
    return batch.index[step["looks_up"]]


def embed(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    index = index_of(batch, step)
    return w[0] if index is None else look_up(w[0], index)


def linear(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    return activate(functional.linear(x[0], w[0], None if w[1] is None else w[1][0]), step)


def _over(values: Tensor, which: str, near: Lists, line: Lists) -> Tensor:
    """The sum over the neighbours that arcs lead to ("leaving") or come from ("entering"), over all others on the line of each row
    ("all"), over those that are no neighbours ("others"), or over the whole line ("line")."""
    if which in ("leaving", "entering"):
        return (near if which == "leaving" else near.transposed).sum(values)
    if which == "line":
        return line.transposed.sum(line.sum(values))
    everything = line.transposed.sum(line.sum(values)) - values
    return everything if which == "all" else everything - near.sum(values)


def add_own(total: Tensor, x: Tensor, epsilon: Tensor | None) -> Tensor:
    """(1 + epsilon) X + the total."""
    return total + x if epsilon is None else torch.addcmul(total, x, (1 + epsilon).to(x.dtype))


def with_neighbors(x: Tensor, sent: Tensor, epsilon: Tensor | None, which: str, near: Lists, line: Lists) -> Tensor:
    """(1 + epsilon) X + the sum over what neighbours send."""
    if sent is x and epsilon is not None and which in ("leaving", "entering"):
        return (near if which == "leaving" else near.transposed).sum(x, epsilon)
    return add_own(_over(sent, which, near, line), x, epsilon)


def _summed(step: Step, position: int, x: Tensor, sent: Tensor, epsilon: Tensor | None, batch: GraphBatch) -> Tensor:
    near, line = (batch.neighbors[position], batch.lines[position]) if step["on_tuples"] else (batch.arcs, batch.pools["vertices"])
    return with_neighbors(x, sent, epsilon, step["over"], near, line)


def neighbors(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    sent = x[0] if x[1] is None else x[1]
    if step["over"] == "opposite":
        y = add_own(sent[batch.diagonal[batch.component[1 - step["position"]]]], x[0], w[0])
    else:
        y = _summed(step, step["position"], x[0], sent, w[0], batch)
    return activate(y if w[1] is None else y + w[1], step)


def pair_sums(step: Step, x: Any, w: Any, batch: GraphBatch) -> tuple[Tensor, Tensor]:
    first, second = (_summed(step, j, x[0], x[0], w[j], batch) for j in range(2))
    return first, second


def messages(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    edges = look_up(x[1], batch.index["arc label"]) if step["by_label"] else x[1]
    sent = x[0] if x[2] is None else x[2]
    to, other = (batch.tails, batch.heads) if step["over"] == "leaving" else (batch.heads, batch.tails)
    if step["on_tuples"]:
        row, sender, arc = _tuple_arcs(batch, step["position"], step["over"] == "leaving", to)
        received = torch.relu(sent[sender] + edges[arc]).to(sent.dtype)  # of two kinds of numbers under autocast
        return add_own(torch.zeros_like(sent).index_add(0, row, received), x[0], w[0])
    return add_own(to.sum(torch.relu(other.transposed.sum(sent) + edges)), x[0], w[0])


def _tuple_arcs(batch: GraphBatch, position: int, leaving: bool, arcs: Lists) -> tuple[Tensor, Tensor, Tensor]:
    """For every message along component `position`: the tuple that receives it, the tuple that sends it, and its arc. The arcs of a
    vertex and the neighbours of a tuple are in the same order, that of the vertices at the other ends."""
    near = batch.neighbors[position] if leaving else batch.neighbors[position].transposed
    row = torch.repeat_interleave(torch.arange(batch.rows["tuples"], device=near.start.device), near.start[1:] - near.start[:-1],
                                  output_size=near.other.shape[0])  # torch.export must know the size
    place = torch.arange(len(row), device=row.device) - near.start[row]
    return row, near.other, arcs.other[arcs.start[batch.component[position][row]] + place]


def gather(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    tail, head = batch.tails.back_other, batch.heads.back_other
    first, second = (head, tail) if step["position"] else (tail, head)
    return x[0][batch.diagonal[first] + second - first]  # type: ignore[no-any-return, unused-ignore]


def collect(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    return x[0].new_zeros(batch.rows["vertices"], x[0].shape[1]).index_add(0, batch.component[step["position"]], x[0])


def nnconv(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    to, other = (batch.tails, batch.heads) if step["over"] == "leaving" else (batch.heads, batch.tails)
    maps = other.transposed.sum(x[0]).reshape(batch.rows["arcs"], x[1].shape[1] + 1, -1)
    sent = maps[:, 0] + (x[1].unsqueeze(2) * maps[:, 1:]).sum(1)
    return to.mean(sent) if step["rate"] > 0 else to.sum(sent)


def _cut(parts: Any, count: int) -> list[Any]:
    """Tensors that chunk() or split() gave, one by one: torch.fx cannot unpack them."""
    return [parts[i] for i in range(count)]


def _matrices(x: Tensor, sizes: list[int]) -> list[Tensor]:
    """[n, n, width] of each graph."""
    parts = _cut(torch.split(x, [n * n for n in sizes]), len(sizes))
    return [part.reshape(n, n, x.shape[1]) for n, part in zip(sizes, parts)]


def matmul(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    parts = [torch.einsum("uwd,wvd->uvd", a, b).reshape(-1, x[0].shape[1])
             for a, b in zip(_matrices(x[0], batch.sizes), _matrices(x[1], batch.sizes))]
    return torch.cat(parts) if parts else x[0]


def _picked(chosen: dict[str, Any], to: str, place: int, x: Tensor, vertices: int) -> Tensor:
    """For each vertex the sum over the tuples with it at one place, or the pair (v, v); for each arc its pair."""
    if to == "arcs":
        return x[chosen["back" if place else "there"]]
    if place == chosen["member"].shape[1]:
        return x[chosen["diagonal"]]
    return x.new_zeros(vertices, x.shape[1]).index_add(0, chosen["member"][:, place], x)


def listed(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    chosen, mean = batch.sets[step["list"]], step["rate"] > 0
    if step["to"] in ("vertices", "arcs"):
        y = _picked(chosen, step["to"], step["position"], x[1], batch.rows["vertices"])
    elif step["of_vertices"] and "arc" in chosen:
        y = x[1][chosen["member"][:, step["position"]]]
    elif step["of_vertices"]:
        members = x[1][chosen["member"]]
        y = members.mean(1) if mean else members.sum(1)
    else:
        near = chosen["neighbors"][step["position"]]
        y = near.mean(x[1]) if mean else near.sum(x[1])
    y = y if x[0] is None else add_own(y, x[0], w[0])
    return activate(y if w[1] is None else y + w[1], step)


def linked(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    chosen, j = batch.sets[step["list"]], step["position"]
    near = chosen["neighbors"][j]
    row = torch.repeat_interleave(torch.arange(len(chosen["member"]), device=near.start.device), near.start[1:] - near.start[:-1],
                                  output_size=near.other.shape[0])
    sent = torch.relu(x[2][near.other] + x[1][chosen["arc"][j]]).to(x[0].dtype)
    return add_own(torch.zeros_like(x[0]).index_add(0, row, sent), x[0], w[0])


def spread(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    y = sum(part[batch.component[j]] for j, part in enumerate(x) if part is not None)
    return activate(y if w[0] is None else y + w[0], step)  # type: ignore[arg-type, operator, unused-ignore]


def add(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    y = x[0] if x[1] is None else x[0] + x[1]
    return activate(y if w[0] is None else y + w[0], step)


def pool(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    rows = batch.pools[step["space"]]
    return rows.mean(x[0]) if step["rate"] > 0 else rows.sum(x[0])


def pool_max(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    found = []
    for n, part in zip(batch.sizes, _matrices(x[0], batch.sizes)):
        flat = part.reshape(n * n, x[0].shape[1])
        beside = flat[1:].reshape(max(n - 1, 0), n + 1, x[0].shape[1])[:, :n]  # between two elements of the diagonal
        sides = [(flat[::n + 1], n), (beside.reshape(n * max(n - 1, 0), x[0].shape[1]), n - 1)]
        found.append(torch.cat([side.max(0)[0] if rows > 0 else x[0].new_zeros(x[0].shape[1]) for side, rows in sides]))
    return torch.stack(found) if found else x[0].new_zeros(0, 2 * x[0].shape[1])


def attend(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    rows = batch.pools[step["space"]]
    graph = rows.back_other
    energy = (x[0] * rows.transposed.sum(x[1])).sum(1)
    largest = energy.new_full((batch.graphs,), -torch.inf).scatter_reduce(0, graph, energy, "amax")
    weight = torch.exp(energy - largest[graph]).unsqueeze(1)
    return rows.sum(weight * x[0]) / (rows.sum(weight) + 1e-16)


def lstm(step: Step, x: Any, w: Any, batch: GraphBatch) -> tuple[Tensor, Tensor]:
    gates = functional.linear(x[0], w[0], w[2][0]) + functional.linear(x[1], w[1], w[3][0])
    i, f, g, o = _cut(gates.chunk(4, dim=1), 4)
    cell = torch.sigmoid(f) * x[2] + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


def gru(step: Step, x: Any, w: Any, batch: GraphBatch) -> Tensor:
    a, b = (_cut(functional.linear(x[i], w[i], w[i + 2][0]).chunk(3, dim=1), 3) for i in range(2))
    reset, update = torch.sigmoid(a[0] + b[0]), torch.sigmoid(a[1] + b[1])
    fresh = torch.tanh(a[2] + reset * b[2])
    return (1 - update) * fresh + update * x[1]


OPERATIONS: dict[str, Callable[..., Any]] = {f.__name__: f for f in (
    embed, linear, neighbors, pair_sums, messages, gather, collect, nnconv, matmul, listed, linked, spread, add, pool, pool_max, attend, lstm,
    gru)}
LOSSES = ("l1", "square", "cross_entropy", "binary_cross_entropy")
