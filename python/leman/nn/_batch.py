"""Graphs side by side in PyTorch, sums over lists of rows, and linear maps.

    torch.ops.leman.neighbor_sum(x, epsilon, start, other, back_start, back_other)
        Y[r] = (1 + epsilon) X[r] + sum of X[other[i]], start[r] <= i < start[r + 1]; without the first term if epsilon is None

is an operator of torch.library with a backward pass: the sum over the transposed lists, which the caller gives. No pass writes a row
twice, so both passes are deterministic. 16-bit floats are added as 32-bit floats. The library computes the sum on CPU and CUDA
tensors (_native.py); PyTorch's own kernels do where the library has no CUDA.

    torch.ops.leman.linear(x, weight, bias, relu)            f(X W' + b), f the ReLU or the identity

is computed by the library for 32-bit floats on the CPU, bias and ReLU while the rows are in the cache.
"""
from __future__ import annotations

from dataclasses import dataclass, fields
from operator import is_
from typing import Any, ClassVar, Iterator

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from .._errors import InputError
from . import _native

# ---- Sums over lists -----------------------------------------------------------------------------


def _sum(x: Tensor, epsilon: Tensor | None, start: Tensor, other: Tensor, back_start: Tensor, back_other: Tensor) -> Tensor:
    exact = x.detach().to(x.dtype if x.dtype in (torch.float32, torch.float64) else torch.float32).contiguous()
    y = _native.neighbor_sum(exact, epsilon, start, other)
    if y is None:
        y = _sum_by_torch(exact, epsilon, start, other)
    return y.to(x.dtype)


def _sum_by_torch(x: Tensor, epsilon: Tensor | None, start: Tensor, other: Tensor) -> Tensor:
    """By PyTorch's own kernels, for devices that the library does not have."""
    y = functional.embedding_bag(other, x, start, mode="sum", include_last_offset=True) if len(other) else \
        x.new_zeros(len(start) - 1, x.shape[1])
    return y if epsilon is None else y.addcmul_(x, (1 + epsilon.detach()).to(x.dtype))


def _shape(x: Tensor, epsilon: Tensor | None, start: Tensor, *lists: Tensor) -> Tensor:
    return x.new_empty(start.shape[0] - 1, x.shape[1])


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.save_for_backward(*inputs)


def _backward(ctx: Any, gradient: Tensor) -> Any:
    x, epsilon, start, other, back_start, back_other = ctx.saved_tensors
    of_epsilon = None
    if epsilon is not None and ctx.needs_input_grad[1]:
        of_epsilon = torch.dot(gradient.reshape(-1).to(epsilon.dtype), x.reshape(-1).to(epsilon.dtype)).reshape(epsilon.shape)
    of_x = neighbor_sum(gradient, epsilon, back_start, back_other, start, other) if ctx.needs_input_grad[0] else None
    return of_x, of_epsilon, None, None, None, None


_LIBRARY = torch.library.Library("leman", "DEF")  # the operators exist as long as this object


_KNOWS_TRACERS = hasattr(getattr(torch, "compiler", None), "is_compiling") and \
    hasattr(torch._C, "_len_torch_dispatch_stack") and hasattr(torch._C, "_are_functorch_transforms_active")


def _is_eager(x: Any) -> bool:
    """Is x an ordinary tensor, which nobody traces or transforms? A call of an operator whose kernels are written in Python takes longer
    than one of a function of autograd."""
    if not _KNOWS_TRACERS or type(x) not in (Tensor, torch.nn.Parameter):
        return False
    if torch.jit.is_tracing() or torch.compiler.is_compiling():
        return False
    return not (torch._C._len_torch_dispatch_stack() or torch._C._are_functorch_transforms_active())


def _operator(schema: str, compute: Any, shape: Any, keep: Any = None, backward: Any = None) -> Any:
    """Registers torch.ops.leman.NAME with its kernel, the shapes of its results, and its backward pass. Returns a function that calls the
    operator where tensors are traced or transformed; otherwise it computes the same without the operator."""
    name = schema.split("(")[0]
    _LIBRARY.define(schema)
    for device in ("CPU", "CUDA"):
        _LIBRARY.impl(name, compute, device)
    _LIBRARY.impl(name, shape, "Meta")
    operator = getattr(torch.ops.leman, name)
    if backward is None:
        return operator

    def forward(ctx: Any, *inputs: Any) -> Any:
        output = compute(*inputs)
        keep(ctx, inputs, output)
        return output

    both = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    function: Any = type(name, (torch.autograd.Function,), both)
    if hasattr(torch.library, "register_autograd"):
        torch.library.register_autograd(f"leman::{name}", backward, setup_context=keep, lib=_LIBRARY)
    else:  # before PyTorch 2.4
        _LIBRARY.impl(name, function.apply, "Autograd")
    return lambda x, *others: (function.apply if _is_eager(x) else operator)(x, *others)


neighbor_sum = _operator("neighbor_sum(Tensor x, Tensor? epsilon, Tensor start, Tensor other, Tensor back_start, Tensor back_other) -> Tensor",
                         _sum, _shape, _keep, _backward)

# ---- Linear maps ---------------------------------------------------------------------------------


def _linear(x: Tensor, weight: Tensor, bias: Tensor | None, relu: bool) -> Tensor:
    if not _is_native(x, weight):
        y = functional.linear(x, weight, bias)
        return torch.relu(y) if relu else y
    return _native.linear(x.detach(), weight.detach(), None if bias is None else bias.detach(), relu)


def _linear_backward(x: Tensor, weight: Tensor, y: Tensor | None, gradient: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor, Tensor]:
    if _is_native(x, weight):
        return _native.linear_backward(x, weight, y, gradient, needs)
    return _linear_gradients(x, weight, y, gradient, needs)


def _linear_gradients(x: Tensor, weight: Tensor, y: Tensor | None, gradient: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor, Tensor]:
    """By PyTorch, which can differentiate them."""
    g, none = gradient if y is None else torch.where(y > 0, gradient, torch.zeros_like(gradient)), gradient.new_empty(0)
    return g @ weight if needs[0] else none, g.t() @ x if needs[1] else none, g.sum(0) if needs[2] else none


def _is_native(x: Tensor, weight: Tensor) -> bool:
    return bool(x.device.type == weight.device.type == "cpu" and x.dtype == weight.dtype == torch.float32)


def _keep_linear(ctx: Any, inputs: Any, output: Any) -> None:
    x, weight, bias, relu = inputs
    ctx.save_for_backward(x, weight, output if relu else None)


def _back_through_linear(ctx: Any, gradient: Tensor) -> Any:
    needs = list(ctx.needs_input_grad[:3])
    # A backward pass that is differentiated again (create_graph=True) is computed by operations of PyTorch.
    compute: Any = _linear_gradients if torch.is_grad_enabled() else linear_backward
    found = compute(*ctx.saved_tensors, gradient, needs)
    return *(part if needed else None for part, needed in zip(found, needs)), None


def _shapes_of_gradients(x: Tensor, weight: Tensor, y: Tensor | None, gradient: Tensor, needs: list[bool]) -> tuple[Tensor, Tensor, Tensor]:
    sizes = (x.shape, weight.shape, weight.shape[:1])
    found = [x.new_empty(size if needed else (0,)) for size, needed in zip(sizes, needs)]
    return found[0], found[1], found[2]


linear = _operator("linear(Tensor x, Tensor weight, Tensor? bias, bool relu) -> Tensor", _linear,
                   lambda x, weight, bias, relu: x.new_empty(x.shape[0], weight.shape[0]), _keep_linear, _back_through_linear)
linear_backward = _operator("linear_backward(Tensor x, Tensor weight, Tensor? y, Tensor gradient, bool[] needs) -> (Tensor, Tensor, Tensor)",
                            _linear_backward, _shapes_of_gradients)

# ---- Lists ---------------------------------------------------------------------------------------


def _starts(part: Tensor, parts: int) -> Tensor:
    """[parts + 1] where the rows of each part begin if rows are sorted by their part."""
    return functional.pad(torch.bincount(part, minlength=parts).cumsum(0), (1, 0))


@dataclass(frozen=True)
class Lists:
    """A list of rows for each row: row r has other[start[r]] up to other[start[r + 1] - 1]. back_start and back_other are the transposed
    lists, of the rows that have a row in their list."""

    start: Tensor
    other: Tensor
    back_start: Tensor
    back_other: Tensor

    def __iter__(self) -> Iterator[Tensor]:
        return iter((self.start, self.other, self.back_start, self.back_other))

    @classmethod
    def of(cls, row: Tensor, other: Tensor, rows: int, others: int) -> Lists:
        """From pairs of a row and a member of its list, in any order."""
        def sorted_by(first: Tensor, second: Tensor, count: int, width: int) -> tuple[Tensor, Tensor]:
            key = first * width + second
            return _starts(first, count), second if bool((key[1:] >= key[:-1]).all()) else second[torch.argsort(key)]

        there, back = sorted_by(row, other, rows, others), sorted_by(other, row, others, rows)
        same = rows == others and torch.equal(there[0], back[0]) and torch.equal(there[1], back[1])
        return cls(*there, *(there if same else back))  # undirected graphs need their lists once

    @classmethod
    def parts(cls, part: Tensor, parts: int) -> Lists:
        """From the part that each row belongs to: the list of a part has its rows."""
        rows = torch.arange(len(part) + 1, device=part.device)
        in_order = bool((part[1:] >= part[:-1]).all())
        return cls(_starts(part, parts), rows[:-1] if in_order else torch.sort(part, stable=True)[1], rows, part)

    @property
    def transposed(self) -> Lists:
        return Lists(self.back_start, self.back_other, self.start, self.other)

    def sum(self, x: Tensor, epsilon: Tensor | None = None) -> Tensor:
        """The sum over the list of each row; with epsilon, plus 1 + epsilon times the row itself."""
        return neighbor_sum(x, epsilon, self.start, self.other, self.back_start, self.back_other)

    def mean(self, x: Tensor) -> Tensor:
        """The mean over the list of each row, 0 over an empty one."""
        return self.sum(x) / (self.start[1:] - self.start[:-1]).clamp(min=1).unsqueeze(1).to(x.dtype)


# ---- Batches -------------------------------------------------------------------------------------


def _moved(value: Any, device: Any) -> Any:
    if isinstance(value, Tensor):
        return value.to(device)
    if isinstance(value, dict):
        return {key: _moved(item, device) for key, item in value.items()}
    if isinstance(value, Lists):
        return Lists(*(item.to(device) for item in value))
    return [_moved(item, device) for item in value] if isinstance(value, list) else value


class Source:
    """The leman_batch that the tensors of a GraphBatch were copied from, and the description of the network that numbered its labels. The
    tensors are remembered, so that a change of one of them is noticed."""

    def __init__(self, batch: GraphBatch, handle: Any, description: dict[str, Any]) -> None:
        self.handle, self.description = handle, description
        self._parts = batch._parts()
        self._tensors = [tensor for part in self._parts for tensor in (part if isinstance(part, Lists) else [part])
                         if isinstance(tensor, Tensor)]
        self._versions = [tensor._version for tensor in self._tensors]
        self.labelled = int((batch.index["arc label"] >= 0).sum())

    def is_unchanged(self, batch: GraphBatch) -> bool:
        parts = batch._parts()
        return len(parts) == len(self._parts) and all(map(is_, parts, self._parts)) and \
            [tensor._version for tensor in self._tensors] == self._versions


@dataclass
class GraphBatch:
    """Graphs side by side. Rows of a space ("vertices", "arcs", "tuples", "sets0", ...) count over the whole batch."""

    graphs: int
    k: int
    sizes: list[int]  # vertices of each graph
    rows: dict[str, int]  # how many, by space
    tails: Lists  # the arcs that leave each vertex
    heads: Lists  # the arcs that enter each vertex
    arcs: Lists  # the neighbours of each vertex along arcs that leave it
    pools: dict[str, Lists]  # the rows of each graph, by space; pools["tuples"].back_other is the graph of each tuple
    index: dict[str, Tensor]  # [rows] numbers of labels and types, -1 for none
    counts: list[Tensor]
    reals: dict[str, Tensor]  # [rows, width]
    component: Tensor  # [k, tuples] the vertices of each tuple
    diagonal: Tensor  # [vertices] the tuple (v, ..., v) of each vertex
    neighbors: list[Lists]  # of component j: the tuples with a neighbour in place j
    lines: list[Lists]  # of component j: the tuples that differ in component j alone
    sets: list[dict[str, Any]]  # "member" [rows, size], "type" [rows], "neighbors" of each list; of sparse tuples see _sparse()
    source: ClassVar[Any] = None  # the Source of this batch; None if the tensors were made in another way

    def to(self, device: Any) -> GraphBatch:
        made = GraphBatch(**{f.name: _moved(getattr(self, f.name), device) for f in fields(self)})
        if self.source is not None and self.source.is_unchanged(self):
            made._come_from(self.source.handle, self.source.description)
        return made

    def _come_from(self, handle: Any, description: dict[str, Any]) -> None:
        if not torch.is_inference_mode_enabled():  # such tensors do not tell when they change
            self.__dict__["source"] = Source(self, handle, description)

    def _parts(self) -> list[Any]:
        """Everything that is read when a network computes, down to tensors and lists."""
        return [self.graphs, self.sizes, self.rows, self.tails, self.heads, self.arcs, self.component, self.diagonal, *self.pools.values(),
                *self.index.values(), *self.counts, *self.reals.values(), *self.neighbors, *self.lines,
                *(part for one in self.sets for value in one.values() for part in (value if isinstance(value, list) else [value]))]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "source"}

    @classmethod
    def from_pyg(cls, data: Any) -> GraphBatch:
        """From a Data object or Batch of PyG that TupleTransform gave its tuples. Types are the numbers of TupleTransform; its counts are put
        into the buckets of the library (docs/networks.md)."""
        if "tuple_index" not in data:
            raise InputError("found graphs without tuples, expected what leman.nn.torch.TupleTransform gives")
        if "tuple_edge_index_0" not in data:
            raise InputError("found tuples without local neighbours, expected TupleTransform(over=...) with 'local'")
        component: Tensor = data.tuple_index
        tail, head = data.edge_index
        (k, tuples), vertices = component.shape, int(data.num_nodes)
        ones = getattr(data, "batch", None)
        graph = torch.zeros(vertices, dtype=torch.int64, device=tail.device) if ones is None else ones
        graphs = int(getattr(data, "num_graphs", 1))
        neighbors, lines = [], []
        for j in range(k):
            other, to = data[f"tuple_edge_index_{j}"]
            neighbors.append(Lists.of(to, other, tuples, tuples))
            key = torch.zeros_like(component[0])
            for i in range(k):
                key = key if i == j else key * vertices + component[i]
            different, line = torch.unique(key, return_inverse=True)
            lines.append(Lists.parts(line, len(different)))
        on = {"vertices": graph, "arcs": graph[tail], "tuples": data.tuple_batch,
              "graphs": torch.arange(graphs, device=tail.device)}
        return cls(graphs, k, torch.bincount(graph, minlength=graphs).tolist(), {space: len(of) for space, of in on.items()},
                   Lists.parts(tail, vertices), Lists.parts(head, vertices), Lists.of(tail, head, vertices, vertices),
                   {space: Lists.parts(of, graphs) for space, of in on.items()}, {"tuple type": data.tuple_type},
                   list(_buckets(data.tuple_count).T.contiguous()) if "tuple_count" in data else [], {}, component,
                   (component == component[0]).all(0).nonzero().ravel(), neighbors, lines, [])


if hasattr(torch, "export") and hasattr(torch.export, "register_dataclass"):
    for kind in (Lists, GraphBatch):
        torch.export.register_dataclass(kind, serialized_type_name=f"leman.{kind.__name__}")
if hasattr(torch.serialization, "add_safe_globals"):
    torch.serialization.add_safe_globals([Lists, GraphBatch])


COUNT_BUCKETS = 33


def _buckets(counts: Tensor) -> Tensor:
    """lm_count_bucket() of src/nn/encode/counts.c: a bucket for each count up to 16, then two for each octave, the last from 4096 on."""
    octave = torch.floor(torch.log2(counts.double())).long()
    upper = (counts * counts >= 2 ** (2 * octave + 1)).long()
    return torch.where(counts <= 16, counts - 1, (16 + 2 * (octave - 4) + upper).clamp(max=COUNT_BUCKETS - 1))


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


_REALS = {"vertices": "vertex_attribute", "arcs": "arc_attribute", "tuples": "tuple_attribute", "sets0": "sets0.attribute"}


def _tensor(array: Any) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(array))


def _ends(each: Any) -> Any:
    return np.concatenate([[0], np.cumsum(each)]).astype(np.int64)


def _found(keys: Any, wanted: Any) -> Any:
    """The place of each wanted number among the increasing keys, and whether it is there."""
    place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    return place, keys[place] == wanted if len(keys) else np.zeros(len(wanted), bool)


def _sparse(chosen: dict[str, Any], links: list[Any], tail: Any, head: Any, vertices: int) -> dict[str, Any]:
    """What a sparse set of tuples has in addition. "arc": for each list, the arc of every link. Of pairs: "diagonal" [vertices], "there" and "back"
    [arcs], the rows of (v, v), of (u, w) and of (w, u) for an arc from u to w."""
    member = chosen["member"].numpy()
    k, arcs = member.shape[1], tail * vertices + head
    found = {"arc": []}
    for j, (row, other) in enumerate(links):
        ends = [member[row, j % k], member[other, j % k]]
        if j >= k:
            ends.reverse()
        found["arc"].append(_tensor(_found(arcs, ends[0] * vertices + ends[1])[0]))
    if k == 2:
        keys = member[:, 0] * vertices + member[:, 1]
        for name, first, second in (("diagonal", np.arange(vertices), np.arange(vertices)), ("there", tail, head), ("back", head, tail)):
            found[name] = _tensor(_found(keys, first * vertices + second)[0])
    return found


def batch_of(arrays: dict[str, Any], k: int, lists: int = 0) -> GraphBatch:
    """The arrays of GraphNetwork.encode(); k above 1: the network has all tuples. lists: of each tuple of a sparse set, if there is one."""
    first, arc = arrays["vertex_start"].ravel(), arrays["arc_start"].ravel()
    sizes, count, vertices = np.diff(first), len(first) - 1, int(first[-1])
    tail, head = (arrays[name].ravel() if name in arrays else np.zeros(0, np.int64) for name in ("tail", "head"))
    each = {"vertices": sizes, "arcs": np.diff(arc), "graphs": np.ones(count, np.int64)}
    neighbors: list[Lists] = []
    lines: list[Lists] = []
    component = np.concatenate([np.zeros((k, 0), np.int64)] +
                               [np.indices((n,) * k).reshape(k, -1) + f for n, f in zip(sizes, first)], axis=1)
    if k > 1:
        each["tuples"] = sizes**k
        links = [tuple_links(int(n), tail[a:b] - f, head[a:b] - f, k) for n, f, a, b in zip(sizes, first, arc, arc[1:])]
        tuples, line = _ends(sizes**k), _ends(np.where(sizes > 0, sizes ** (k - 1), 0))
        for j in range(k if count else 0):
            to, other = _tensor(np.concatenate([near[j] + t for (near, _), t in zip(links, tuples)], axis=1))
            neighbors.append(Lists.of(to, other, int(tuples[-1]), int(tuples[-1])))
            lines.append(Lists.parts(_tensor(np.concatenate([on[j] + l for (_, on), l in zip(links, line)])), int(line[-1])))
    none = np.zeros(0, np.int64)
    sets: list[dict[str, Any]] = []
    while (name := f"sets{len(sets)}") + ".start" in arrays:
        each[name] = np.diff(arrays[name + ".start"].ravel())
        rows = int(each[name].sum())
        count_of = np.diff(arrays[name + ".neighbor_start"].ravel()).reshape(rows, lists or 1)
        neighbor = arrays.get(name + ".neighbor", none).ravel()
        of_list = np.repeat(np.arange(count_of.size) % (lists or 1), count_of.ravel())
        own = np.repeat(np.arange(rows), count_of.sum(1))
        links_of = [(own[of_list == j], neighbor[of_list == j]) for j in range(lists or 1)]
        sets.append({"member": _tensor(arrays.get(name + ".member", np.zeros((0, 2), np.int64))),
                     "neighbors": [Lists.of(_tensor(row), _tensor(other), rows, rows) for row, other in links_of],
                     "type": _tensor(arrays.get(name + ".type", none).ravel())})
        if lists:
            sets[-1].update(_sparse(sets[-1], links_of, tail, head, vertices))
    ends = _tensor(tail), _tensor(head)
    return GraphBatch(
        count, k, sizes.tolist(), {space: int(sum(rows)) for space, rows in each.items()},
        Lists.parts(ends[0], vertices), Lists.parts(ends[1], vertices), Lists.of(*ends, vertices, vertices),
        {space: Lists.parts(_tensor(np.repeat(np.arange(count), rows)), count) for space, rows in each.items()},
        {name: _tensor(arrays.get(name.replace(" ", "_"), none).ravel()) for name in ("tuple type", "vertex type", "arc label")},
        list(_tensor(arrays["count"].reshape(-1, int(sum(each["tuples"]))))) if "count" in arrays else [],
        {space: _tensor(arrays[name]) for space, name in _REALS.items() if name in arrays},
        _tensor(component), _tensor(np.flatnonzero((component == component[0]).all(0))), neighbors, lines, sets)
