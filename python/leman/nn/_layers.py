"""Layers on k-tuples, and what stands around them, as modules of PyTorch. docs/networks.md has the formulas.

    Z_b = (1 + epsilon_b) X + S_b X        for each component and each sum S_b of the layer
    X'  = merge([f_1(Z_1), f_2(Z_2), ...])  f_b and merge: two linear maps with ReLU and batch norm, as the preset has them

Weights have the names and the shapes of the library, and the initial values are drawn from the same distributions.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from .. import _values as v
from .._errors import ArgumentError, InputError
from ._batch import COUNT_BUCKETS, GraphBatch, linear
from ._operations import look_up, with_neighbors


def _is_traced() -> bool:
    """Whether PyTorch only records what is computed: the numbers in tensors must not decide anything then."""
    compiler = getattr(torch, "compiler", None)
    return bool(torch.jit.is_tracing() or (compiler is not None and hasattr(compiler, "is_compiling") and compiler.is_compiling()))


def _is_autocast() -> bool:
    """Whether PyTorch computes linear maps on the CPU in 16-bit floats."""
    try:
        return bool(torch.is_autocast_enabled("cpu"))
    except TypeError:  # before PyTorch 2.4
        return bool(torch.is_autocast_cpu_enabled())


class Linear(nn.Linear):  # type: ignore[misc]
    """torch.nn.Linear whose bias is a row."""

    def __init__(self, d_in: int, d_out: int, bias: bool = True) -> None:
        super().__init__(d_in, d_out, bias)
        if bias:
            self.bias: Any = nn.Parameter(self.bias.detach().unsqueeze(0))

    def forward(self, x: Tensor, relu: bool = False) -> Tensor:
        bias = None if self.bias is None else self.bias[0]
        if self._is_quicker(x):
            return linear(x, self.weight, bias, relu)  # type: ignore[no-any-return, unused-ignore]
        y = functional.linear(x, self.weight, bias)
        return torch.relu(y) if relu else y

    def _is_quicker(self, x: Any) -> bool:
        """Whether the library computes the map quicker than PyTorch: many rows of 32-bit floats on the CPU, which nothing traces."""
        if not isinstance(x, Tensor) or not isinstance(self.weight, Tensor) or _is_traced():  # torch.fx has proxies of both
            return False
        exact = x.dtype == self.weight.dtype == torch.float32 and not _is_autocast()
        return exact and x.device.type == self.weight.device.type == "cpu" and x.dim() == 2 and len(x) >= 512


_HOOKS = ("forward_hooks", "forward_pre_hooks", "backward_hooks", "backward_pre_hooks")


def rectified(part: nn.Module, x: Tensor, norm: nn.Module | None = None) -> Tensor:
    """ReLU after a linear map and its norm. The two are one operation if there is no norm, and no hook that looks between them."""
    if norm is None and type(part) is Linear and not any(getattr(part, f"_{hooks}", None) or getattr(nn.modules.module, f"_global_{hooks}", None)
                                                         for hooks in _HOOKS):
        return part(x, True)  # type: ignore[no-any-return, unused-ignore]
    y = part(x)
    return torch.relu(y if norm is None else norm(y))


class Table(nn.Module):  # type: ignore[misc]
    """A linear map of one-hot vectors, by look-up; None looks up every row. The caller adds the bias, often after a sum."""

    def __init__(self, d_in: int, d_out: int, bias: bool = True) -> None:
        super().__init__()
        self.table: Any = nn.Parameter(torch.empty(d_in, d_out))
        self.bias: Any = nn.Parameter(torch.empty(1, d_out)) if bias else None
        for weight in self.parameters():
            nn.init.uniform_(weight, -(d_in**-0.5), d_in**-0.5)

    def forward(self, index: Tensor | None) -> Tensor:
        return self.table if index is None else look_up(self.table, index)

    def extra_repr(self) -> str:
        return ", ".join(map(str, self.table.shape))


class Norm(nn.Module):  # type: ignore[misc]
    """Batch norm over rows. With `over`, the statistics are those of other rows."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale: Tensor = nn.Parameter(torch.ones(1, width))
        self.shift: Tensor = nn.Parameter(torch.zeros(1, width))
        self.register_buffer("mean", torch.zeros(1, width))
        self.register_buffer("variance", torch.ones(1, width))

    def forward(self, x: Tensor, over: Tensor | None = None) -> Tensor:
        scale, shift, mean, variance = self.scale[0], self.shift[0], self.mean[0], self.variance[0]
        if self.training and over is not None and len(over) > 1:
            now, deviation = over.mean(0), torch.sqrt(over.var(0, unbiased=False) + 1e-5)
            with torch.no_grad():
                mean.lerp_(now, 0.1)
                variance.lerp_(over.var(0), 0.1)
            return (x - now) / deviation * scale + shift
        if self.training and over is None and x.shape[0] > 1:  # torch.compile decides this once; as an argument it would be no bool
            return functional.batch_norm(x, mean, variance, scale, shift, True, 0.1, 1e-5)
        return functional.batch_norm(x, mean, variance, scale, shift, False, 0.1, 1e-5)

    def extra_repr(self) -> str:
        return str(self.scale.shape[1])


class _Kind(NamedTuple):
    """Of a block: norms inside, a ReLU at the end, a norm behind everything."""

    inside: bool = False
    relu: bool = False
    behind: bool = False


_NORMED = _Kind(inside=True, relu=True)
_PRESETS = {"zinc": (_Kind(relu=True), _Kind(behind=True)), "alchemy": (_NORMED, _NORMED), "qm9": (_NORMED, _NORMED),
            "tu": (_Kind(relu=True), _Kind(relu=True, behind=True))}  # of sums, of merge


class _Block(nn.Module):  # type: ignore[misc]
    """linear1 [norm1] ReLU linear2 [norm2] [ReLU] [norm]"""

    def __init__(self, kind: _Kind, d_in: int, d_out: int, one_hot: bool = False) -> None:
        super().__init__()
        self.relu: bool = kind.relu
        self.linear1: Linear | Table = (Table if one_hot else Linear)(d_in, d_out)
        self.norm1: Norm | None = Norm(d_out) if kind.inside else None
        self.linear2: Linear = Linear(d_out, d_out)
        self.norm2: Norm | None = Norm(d_out) if kind.inside else None
        self.norm: Norm | None = Norm(d_out) if kind.behind else None

    def rest(self, y: Tensor) -> Tensor:
        """What follows linear1."""
        return self._second(torch.relu(y if self.norm1 is None else self.norm1(y)))

    def _second(self, y: Tensor) -> Tensor:
        """What follows the first ReLU."""
        if self.relu:
            y = rectified(self.linear2, y, self.norm2)
        else:
            y = self.linear2(y)
            y = y if self.norm2 is None else self.norm2(y)
        return y if self.norm is None else self.norm(y)

    def forward(self, x: Tensor) -> Tensor:
        return self._second(rectified(self.linear1, x, self.norm1))


class _Sum(_Block):
    """One sum along one component, and its block. Since sums are linear, linear1 of one-hot types is looked up before the sum."""

    def __init__(self, kind: _Kind, d_in: int, d_out: int, one_hot: bool, which: str, position: int,
                 column: int | None) -> None:
        super().__init__(kind, d_in, d_out, one_hot)
        self.which, self.position = which, position
        self.epsilon = nn.Parameter(torch.zeros(1, 1))
        self.column = column
        self.counts = None if column is None else Table(COUNT_BUCKETS, d_out if one_hot else d_in, bias=False)

    def forward(self, x: Tensor, batch: GraphBatch) -> Tensor:  # type: ignore[override, unused-ignore]
        looks_up = isinstance(self.linear1, Table)
        y = self.linear1(x) if looks_up else x
        sent = y if self.column is None else torch.relu(y + self.counts(batch.counts[self.column]))  # type: ignore[misc]
        z = with_neighbors(y, sent, self.epsilon, self.which, batch.neighbors[self.position], batch.lines[self.position])
        return self.rest(z + self.linear1.bias) if looks_up else super().forward(z)


class _Position(nn.Module):  # type: ignore[misc]
    """Several sums along one component."""

    def forward(self, x: Tensor, batch: GraphBatch) -> tuple[Tensor, ...]:
        return tuple(part(x, batch) for part in self.children())


def _batch_of(batch: Any) -> GraphBatch:
    return batch if isinstance(batch, GraphBatch) else GraphBatch.from_pyg(batch)


def _checked(x: Any, rows: int, what: str) -> Any:
    """x, which must have a row for each tuple or vertex."""
    if isinstance(x, Tensor) and len(x) != rows:  # not while torch.fx traces
        raise InputError(f"x: found {len(x)} rows, expected one for each of the {rows} {what}")
    return x


class TupleConv(nn.Module):  # type: ignore[misc]
    """A layer on k-tuples: LocalConv, LocalPlusConv, DeltaConv and DenseConv are its kinds.

    conv(x, batch): [tuples, d_out] from x [tuples, d_in], or from the numbers of types [tuples] where one_hot is true (d_in types).
    batch: a GraphBatch, or a Data object or Batch of PyG with tuples. GraphBatch.from_pyg(batch) sorts neighbours once for several layers.
    preset: which linear maps, ReLUs and norms follow a sum: "zinc", "alchemy", "qm9" or "tu" (docs/networks.md). in_arcs: entering arcs
    of directed graphs are a second relation. layer: a neighbour also has a row of a table for its counter # of delta-k-LWL+ after so many
    rounds, as in LocalPlusConv; None: without.
    """

    sums: tuple[str, ...] = ()

    def __init__(self, k: int, d_in: int, d_out: int, *, preset: str = "zinc", one_hot: bool = False, in_arcs: bool = False,
                 layer: int | None = None) -> None:
        super().__init__()
        if preset not in _PRESETS:
            raise ArgumentError(f"preset: found {v.shown(preset)}, expected one of {', '.join(_PRESETS)}")
        self.k: int = v.integer(k, "k", 2, 3, "2 or 3")
        branch, merge = _PRESETS[preset]
        d_in, d_out = v.integer(d_in, "d_in", 1), v.integer(d_out, "d_out", 1)
        self.layer: int | None = None if layer is None else v.integer(layer, "layer")
        sums: tuple[str, ...] = (*self.sums[:1], "entering", *self.sums[1:]) if in_arcs and "leaving" in self.sums else self.sums
        for j in range(k):
            position = _Position()
            for which in sums:
                part = _Sum(branch, d_in, d_out, one_hot, which, j, None if self.layer is None else self.layer * k + j)
                position.add_module({"leaving": "local", "others": "global_"}.get(which, which), part)
            self.add_module(f"position{j + 1}", position if len(sums) > 1 else part)
        self.merge: _Block = _Block(merge, k * len(sums) * d_out, d_out)

    def forward(self, x: Tensor, batch: Any) -> Tensor:
        found: list[Tensor] = []
        tuples = _batch_of(batch)
        if tuples.k != self.k:
            raise InputError(f"found tuples of {tuples.k} vertices, expected {self.k}")
        _checked(x, tuples.rows["tuples"], "tuples")
        if self.layer is not None and self.k * self.layer >= len(tuples.counts):
            raise InputError(f"layer {self.layer}: found the counter # after {len(tuples.counts) // self.k} rounds, expected at least {self.layer + 1}: "
                             "TupleTransform(k, counts=layers) computes it")
        for j in range(self.k):
            part = getattr(self, f"position{j + 1}")(x, tuples)
            found += part if isinstance(part, tuple) else (part,)
        return self.merge(torch.cat(found, dim=1))  # type: ignore[no-any-return, unused-ignore]


class LocalConv(TupleConv):
    """The layer of delta-k-LGNN: a sum over the neighbours of each component."""

    sums: tuple[str, ...] = ("leaving",)


class LocalPlusConv(LocalConv):
    """The layer of delta-k-LGNN+: LocalConv in which a neighbour also has the counter #, how many tuples on its line have its colour.

    layer: the number of this layer in its network, from 0 on. Layer i reads # after i rounds of colouring, so a network with l such layers
    needs TupleTransform(k, counts=l).
    """

    def __init__(self, k: int, d_in: int, d_out: int, layer: int = 0, *, preset: str = "zinc", one_hot: bool = False,
                 in_arcs: bool = False) -> None:
        super().__init__(k, d_in, d_out, preset=preset, one_hot=one_hot, in_arcs=in_arcs, layer=v.integer(layer, "layer"))


class DeltaConv(TupleConv):
    """The layer of delta-k-GNN: for each component a sum over its neighbours, and one over all vertices that are no neighbours."""

    sums: tuple[str, ...] = ("leaving", "others")


class DenseConv(TupleConv):
    """The layer of k-WL-GNN: for each component a sum over all vertices."""

    sums: tuple[str, ...] = ("all",)


class TupleEncoder(nn.Module):  # type: ignore[misc]
    """The first features of tuples: encoder(batch) is [tuples, width], a row of a table for each isomorphism type, which has the labels of
    the vertices and edges of the tuple. Types that are not known have zeros.

    types: how many there are, for the numbers of GraphNetwork.encode() or of a TypeVocabulary; or a tensor of the types of
    TupleTransform that are known, such as tuple_type of the training graphs. vertex_features: encoder(batch, x) adds, for each component, a linear map of the features x of its
    vertex, [vertices, vertex_features].
    """

    def __init__(self, k: int, types: int | Tensor, width: int, vertex_features: int = 0) -> None:
        super().__init__()
        known = torch.unique(types) if isinstance(types, Tensor) else None
        self.register_buffer("types", known)
        if known is not None and not len(known):
            raise ArgumentError("types: found none, expected at least one type")
        self.k = k
        self.table: Table = Table(v.integer(types, "types", 1) if known is None else len(known), width, bias=False)
        self.linear: Any = nn.ModuleList(Linear(vertex_features, width, bias=False) for _ in range(k if vertex_features else 0))

    def number(self, types: Tensor) -> Tensor:
        """The number of each type, -1 for one that is not known."""
        if self.types is None:
            rows = self.table.table.shape[0]
            if isinstance(types, Tensor) and not _is_traced() and bool(((types < -1) | (types >= rows)).any()):
                raise InputError(f"found types outside 0 to {rows - 1}, expected the numbers of GraphNetwork.encode() or of a TypeVocabulary: "
                                 "TupleTransform(k, vocabulary=TypeVocabulary(graphs)), or TupleEncoder(k, their tuple_type, width)")
            return types
        place = torch.searchsorted(self.types, types).clamp(max=len(self.types) - 1)
        return torch.where(self.types[place] == types, place, -1)

    def forward(self, batch: Any, x: Tensor | None = None) -> Tensor:
        tuples = _batch_of(batch)
        if tuples.k != self.k:
            raise InputError(f"found tuples of {tuples.k} vertices, expected {self.k}")
        if (x is None) != (not len(self.linear)):
            raise InputError("x: found no features of vertices, expected [vertices, vertex_features]" if x is None else
                             "x: found features of vertices, expected TupleEncoder(..., vertex_features=their number)")
        y = self.table(self.number(tuples.index["tuple type"]))
        for j, linear in enumerate(self.linear):
            y = y + linear(_checked(x, tuples.rows["vertices"], "vertices"))[tuples.component[j]]
        return y  # type: ignore[no-any-return, unused-ignore]


class GraphPool(nn.Module):  # type: ignore[misc]
    """From tuples to graphs: the mean or the sum over all tuples of each graph."""

    def __init__(self, reduce: str = "mean") -> None:
        super().__init__()
        if reduce not in ("mean", "sum"):
            raise ArgumentError(f"reduce: found {v.shown(reduce)}, expected mean or sum")
        self.reduce = reduce

    def forward(self, x: Tensor, batch: Any) -> Tensor:
        tuples = _batch_of(batch)
        rows = tuples.pools["tuples"]
        _checked(x, tuples.rows["tuples"], "tuples")
        return rows.mean(x) if self.reduce == "mean" else rows.sum(x)


class VertexPool(nn.Module):  # type: ignore[misc]
    """From tuples to vertices: the feature of the tuple (v, ..., v) on the diagonal."""

    def forward(self, x: Tensor, batch: Any) -> Tensor:
        tuples = _batch_of(batch)
        return _checked(x, tuples.rows["tuples"], "tuples")[tuples.diagonal]  # type: ignore[no-any-return, unused-ignore]
