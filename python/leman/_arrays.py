"""Data sets from flat arrays and back: `Dataset.from_arrays` and `Dataset.to_arrays`. One call of the library for all graphs."""
from __future__ import annotations

import ctypes
from typing import Any, Hashable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._dataset import Dataset
from ._errors import InputError
from ._graph import Graph, _array, _offset
from ._labels import decode, encode
from ._learned import Supervision
from ._library import Session, builder, lib, options
from ._policy import policy_of, warn_of_cleaning

Array = npt.NDArray[Any]


def _attributes(values: Any, items: int, what: str) -> npt.NDArray[np.float64] | None:
    found = None if values is None else v.reals(values, what, items)
    return found if found is not None and found.shape[1] else None


def _labels(values: Any, items: int, what: str) -> tuple[npt.NDArray[np.int64] | None, dict[int, Hashable]]:
    if values is None:
        return None, {}
    if isinstance(values, np.ma.MaskedArray):
        values = v.array(values, what, "labels")
    elif not isinstance(values, (np.ndarray, list, tuple)):
        values = v.array(values, what) if hasattr(values, "__array__") else v.listed(values, what)
    found, words = encode(values, what)
    if found.ndim == 1:
        found = found.reshape(-1, 1)
    if found.shape[0] != items:
        raise InputError(f"{what}: found {found.shape[0]} labels, expected {items}")
    return (np.ascontiguousarray(found) if found.shape[1] else None), words


def _offsets(offsets: Any, ends: Array, vertices: int | None) -> npt.NDArray[np.uint64]:
    if offsets is None:  # one graph
        size = vertices if vertices is not None else max(int(ends.max()) + 1, 0) if ends.size else 0  # the library refuses negative ones
        return np.array([0, size], dtype=np.uint64)
    found = v.integers(offsets, "offsets")
    if found.ndim != 1 or len(found) == 0 or found[0] != 0 or np.any(np.diff(found) < 0):
        raise InputError("offsets: expected graphs + 1 numbers that begin with 0 and do not fall")
    return np.ascontiguousarray(found, dtype=np.uint64)


def from_arrays(edge_index: Any, offsets: Any = None, *, vertex_labels: Any = None, edge_labels: Any = None,
                vertex_attributes: Any = None, edge_attributes: Any = None, y: Any = None, targets: Any = None,
                target_names: Iterable[str] | None = None, names: Iterable[str] | None = None,
                nodes: list[Any] | None = None, directed: bool = False, policy: str | None = None, name: str = "data",
                class_values: list[Any] | None = None, expected: Sequence[str] = ()) -> Dataset:
    ends = v.integers(edge_index, "edge_index")
    if ends.size == 0:
        ends = ends.reshape(2, 0)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise InputError(f"edge_index: found an array of shape {ends.shape}, expected (2, arcs)")
    count = next((len(items) for items in (vertex_labels, vertex_attributes) if hasattr(items, "__len__") and
                  getattr(items, "shape", None) != ()), None)
    start = _offsets(offsets, ends, count)
    graphs, vertices, edges = len(start) - 1, int(start[-1]), ends.shape[1]
    vertex, vertex_words = _labels(vertex_labels, vertices, "vertex_labels")
    edge, edge_words = _labels(edge_labels, edges, "edge_labels")
    vertex_real = _attributes(vertex_attributes, vertices, "vertex_attributes")
    edge_real = _attributes(edge_attributes, edges, "edge_attributes")
    learned = Supervision(y, targets, graphs)
    columns = c.leman_columns(
        vertex_labels=0 if vertex is None else vertex.shape[1], edge_labels=0 if edge is None else edge.shape[1],
        vertex_attributes=0 if vertex_real is None else vertex_real.shape[1],
        edge_attributes=0 if edge_real is None else edge_real.shape[1],
        targets=0 if learned.targets is None else learned.targets.shape[1], classes=learned.classes is not None,
        graph_names=names is not None)
    arrays = options("leman_graph_arrays")
    tail, head = np.ascontiguousarray(ends[0]), np.ascontiguousarray(ends[1])
    texts = v.texts(names, graphs, "names")
    arrays.graphs, arrays.edges = graphs, edges
    arrays.vertex_start = v.pointer(start, ctypes.c_uint64)
    arrays.tail, arrays.head = v.pointer(tail, ctypes.c_int64), v.pointer(head, ctypes.c_int64)
    arrays.vertex_label, arrays.edge_label = v.pointer(vertex, ctypes.c_int64), v.pointer(edge, ctypes.c_int64)
    arrays.vertex_attribute = v.pointer(vertex_real, ctypes.c_double)
    arrays.edge_attribute = v.pointer(edge_real, ctypes.c_double)
    arrays.class_label, arrays.target = v.pointer(learned.classes, ctypes.c_int64), v.pointer(learned.targets, ctypes.c_double)
    if texts is not None:
        arrays.graph_name = texts
    cleaning, out = c.leman_cleaning(), ctypes.c_void_p()
    with Session(1) as session:
        rules = policy_of(session, directed, policy)
        with builder(session, name, columns) as made:
            if target_names is not None and columns.targets:
                session.check(lib.leman_builder_target_names(made, v.texts(target_names, columns.targets, "target_names")))
            for number, word in zip(*learned.names()):
                session.check(lib.leman_builder_class_name(made, number, word))
            session.check(lib.leman_builder_arrays(made, ctypes.byref(arrays)))
            session.check(lib.leman_builder_finish(made, ctypes.byref(rules), ctypes.byref(cleaning), ctypes.byref(out)))
    if "isolated-vertices=remove" in (policy or "") or "empty-graphs=remove" in (policy or ""):
        nodes = None  # vertices moved: their names are not those of the numbers any more
    data = Dataset._made(out, vertex_words, edge_words, nodes, class_values or learned.values)
    warn_of_cleaning(cleaning, rules, name, expected)
    return data


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _joined(graphs: list[Graph], field: str, offsets: Array, dtype: Any) -> Array:
    """What the graphs have in a column of vertices or edges, as the library has it: [items, columns]. Graphs of one data set show pieces of
    one array, which is copied at once."""
    views = graphs[0]._view, graphs[-1]._view
    columns, edges = int(getattr(views[0], field + "s")), field.startswith("edge")
    first, last = (getattr(view, field) for view in views)
    if edges:  # the library numbers the edges of all graphs together
        begin, arcs = int(graphs[0]._start()[0]), int(graphs[-1]._start()[0]) + int(views[1].arcs)
        if _address(first) == _address(last):
            return _array(_offset(first, begin * columns), (arcs - begin, columns), dtype)
    elif _address(last) - _address(first) == 8 * columns * int(offsets[-2]):
        return _array(first, (int(offsets[-1]), columns), dtype)
    found = ((graph._edge if edges else graph._vertex)(getattr(graph._view, field), columns, dtype) for graph in graphs)
    return np.vstack([part for part in found if part is not None])  # None: no columns


def _edge_index(graphs: list[Graph], offsets: Array) -> Array:
    """[2, arcs] of all graphs, whose vertices are numbered through. Graphs of one data set show pieces of one array: two copies for all."""
    if not graphs:
        return np.zeros((2, 0), np.int64)
    first, last = (_address(graph._view.start) for graph in (graphs[0], graphs[-1]))
    if last - first != 8 * int(offsets[-2]):
        return np.hstack([graph.edge_index + begin for graph, begin in zip(graphs, offsets)])
    start = _array(graphs[0]._view.start, (int(offsets[-1]) + 1,), np.uint64).astype(np.int64)
    head = _array(_offset(graphs[0]._view.head, int(start[0])), (int(start[-1] - start[0]),), np.uint32).astype(np.int64)
    tail = np.repeat(np.arange(int(offsets[-1])), np.diff(start))
    return np.stack([tail, head + np.repeat(offsets[:-1], np.diff(start[offsets]))])


def to_arrays(data: Dataset, numbers: bool = False) -> dict[str, Any]:
    """The arguments of from_arrays(). numbers: labels as the library has them, [items, columns], instead of those that came in."""
    graphs = list(data)
    sizes = np.array([graph.num_vertices for graph in graphs], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    found: dict[str, Any] = {"edge_index": _edge_index(graphs, offsets), "offsets": offsets,
                             "directed": data.directed, "policy": "self-loops=keep", "name": data.name}
    columns = data.columns
    for field, words in (("vertex_label", data._vertex_words), ("edge_label", data._edge_words)):
        count = getattr(columns, field + "s")
        if count:
            labels = _joined(graphs, field, offsets, np.int64) if graphs else np.zeros((0, count), np.int64)
            if numbers or count > 1 and not len(labels):
                found[field + "s"] = labels
            elif count == 1:
                found[field + "s"] = decode(labels, words)
            else:
                found[field + "s"] = np.array(decode(labels, words), dtype=object)
    for field in ("vertex_attribute", "edge_attribute"):
        count = getattr(columns, field + "s")
        if count:
            found[field + "s"] = _joined(graphs, field, offsets, np.float64) if graphs else np.zeros((0, count))
    if data.classes is not None:
        found["y"] = data.y
    if columns.targets:
        found["targets"], found["target_names"] = data.targets, data.target_names
    if columns.graph_names:
        found["names"] = [data._graph_name(i) for i in range(len(data))]
    return found
