"""Data sets from flat arrays and back: `Dataset.from_arrays` and `Dataset.to_arrays`. One call of the library for all graphs."""
from __future__ import annotations

import ctypes
from typing import Any, Hashable, Sequence

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._dataset import Dataset, _policy, _warn_of_cleaning
from ._errors import InputError
from ._labels import encode
from ._library import Session, builder, lib, options

Array = npt.NDArray[Any]


def _pointer(array: Array | None, type_: Any) -> Any:
    return None if array is None else array.ctypes.data_as(ctypes.POINTER(type_))


def _integers(values: Any, what: str) -> npt.NDArray[np.int64]:
    found = np.asarray(values)
    if found.dtype.kind == "f" and found.size and np.all(found == np.floor(found)) and np.all(np.abs(found) < 2.0**53):
        found = found.astype(np.int64)
    if found.dtype.kind not in "iub" and found.size:
        raise InputError(f"{what}: found an array of {found.dtype}, expected integers")
    if found.dtype == np.uint64 and found.size and int(found.max()) >= 2**63:
        raise InputError(f"{what}: found {int(found.max())}, expected numbers below 2^63")
    return np.ascontiguousarray(found, dtype=np.int64)


def _reals(values: Any, items: int, what: str) -> npt.NDArray[np.float64] | None:
    if values is None:
        return None
    try:
        found = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what}: {error}") from error
    if found.ndim == 1:
        found = found.reshape(-1, 1) if found.size or items == 0 else found.reshape(0, 1)
    if found.ndim != 2 or found.shape[0] != items:
        raise InputError(f"{what}: found an array of shape {found.shape}, expected ({items}, columns)")
    return found if found.shape[1] else None


def _labels(values: Any, items: int, what: str) -> tuple[npt.NDArray[np.int64] | None, dict[int, Hashable]]:
    if values is None:
        return None, {}
    if not isinstance(values, (np.ndarray, list, tuple)):
        values = np.asarray(values) if hasattr(values, "__array__") else list(values)
    found, words = encode(values, what)
    if found.ndim == 1:
        found = found.reshape(-1, 1)
    if found.shape[0] != items:
        raise InputError(f"{what}: found {found.shape[0]} labels, expected {items}")
    return (np.ascontiguousarray(found) if found.shape[1] else None), words


def _missing(value: Any) -> bool:
    return value is None or isinstance(value, (float, np.floating)) and bool(np.isnan(value))


class Supervision:
    """y and targets as the library holds them: classes (numbers, with their values) or reals."""

    def __init__(self, y: Any, targets: Any, graphs: int) -> None:
        self.classes: npt.NDArray[np.int64] | None = None
        self.values: list[Any] | None = None
        self.targets = _reals(targets, graphs, "targets")
        if y is None:
            return
        found = np.asarray(y) if hasattr(y, "__array__") else None
        if found is None:
            y = list(y)
            kinds = {type(value) for value in y}
            if y and all(np.ndim(value) == 1 and not isinstance(value, (str, tuple)) for value in y):
                found = np.asarray(y)
            elif kinds <= {int, bool, float, type(None)} or all(issubclass(k, np.generic) for k in kinds):
                found = np.array([np.nan if value is None else value for value in y])
            else:
                found = np.empty(len(y), dtype=object)
                found[:] = y
        if found.ndim == 2 and found.shape[1] == 1:
            found = found[:, 0]
        if found.shape[:1] != (graphs,):
            raise InputError(f"y: found {found.shape[0] if found.ndim else 'one value'}, expected {graphs}, one for each graph")
        if found.ndim == 2:
            self._reals(found, graphs)
        elif found.dtype.kind == "f":
            whole = np.isnan(found) | (found == np.floor(found))
            if np.isnan(found).any() and whole.all() and isinstance(y, list):  # a list of integers and None
                self.classes = np.where(np.isnan(found), float(c.LEMAN_CLASS_MISSING), found).astype(np.int64)
            else:
                self._reals(found, graphs)
        elif found.dtype.kind in "iu":
            self.classes = np.ascontiguousarray(found, dtype=np.int64)
        else:
            known = [value for value in found.tolist() if not _missing(value)]
            try:
                values = sorted(set(known))
            except TypeError:
                values = list(dict.fromkeys(known))
            place = {value: i for i, value in enumerate(values)}
            self.values = values
            self.classes = np.array([c.LEMAN_CLASS_MISSING if _missing(value) else place[value]
                                     for value in found.tolist()], dtype=np.int64)

    def _reals(self, found: Array, graphs: int) -> None:
        reals = _reals(found, graphs, "y")
        self.targets = reals if self.targets is None or reals is None else np.hstack([self.targets, reals])


def with_targets(data: Dataset, classes: Array | None, targets: Array | None) -> Dataset:
    """The same graphs with these classes and targets."""
    out = ctypes.c_void_p()
    labels = None if classes is None else np.ascontiguousarray(classes, dtype=np.int64)
    reals = None if targets is None else np.ascontiguousarray(targets, dtype=np.float64).reshape(len(data), -1)
    with Session(1) as session:
        session.call("leman_dataset_set_targets", data._handle.pointer, _pointer(labels, ctypes.c_int64),
                     _pointer(reals, ctypes.c_double), 0 if reals is None else reals.shape[1], ctypes.byref(out))
    return data._derived(out, data._nodes)


def with_y(data: Dataset, y: Any) -> Dataset:
    """The same graphs with y as their classes or targets; those they had, where y is None."""
    if y is None:
        return data
    found = Supervision(y, None, len(data))
    made = with_targets(data, found.classes, found.targets)
    made._class_values = found.values
    return made


def _texts(names: Sequence[Any] | None, items: int, what: str) -> Any:
    if names is None:
        return None
    if len(names) != items:
        raise InputError(f"{what}: found {len(names)}, expected {items}")
    encoded = [None if name is None else str(name).encode("utf-8", "replace").replace(b"\0", b"") for name in names]
    return (ctypes.c_char_p * max(1, items))(*encoded)


def _offsets(offsets: Any, ends: Array, vertices: int | None) -> npt.NDArray[np.uint64]:
    if offsets is None:  # one graph
        size = vertices if vertices is not None else int(ends.max()) + 1 if ends.size else 0
        return np.array([0, size], dtype=np.uint64)
    found = _integers(offsets, "offsets")
    if found.ndim != 1 or len(found) == 0 or found[0] != 0 or np.any(np.diff(found) < 0):
        raise InputError("offsets: expected graphs + 1 numbers that begin with 0 and do not fall")
    return np.ascontiguousarray(found, dtype=np.uint64)


def from_arrays(edge_index: Any, offsets: Any = None, *, vertex_labels: Any = None, edge_labels: Any = None,
                vertex_attributes: Any = None, edge_attributes: Any = None, y: Any = None, targets: Any = None,
                target_names: Sequence[str] | None = None, names: Sequence[str] | None = None,
                nodes: list[Any] | None = None, directed: bool = False, policy: str | None = None, name: str = "data",
                class_values: list[Any] | None = None) -> Dataset:
    ends = _integers(edge_index, "edge_index")
    if ends.size == 0:
        ends = ends.reshape(2, 0)
    if ends.ndim != 2 or ends.shape[0] != 2:
        raise InputError(f"edge_index: found an array of shape {ends.shape}, expected (2, arcs)")
    count = next((len(v) for v in (vertex_labels, vertex_attributes) if v is not None), None)
    start = _offsets(offsets, ends, count)
    graphs, vertices, edges = len(start) - 1, int(start[-1]), ends.shape[1]
    vertex, vertex_words = _labels(vertex_labels, vertices, "vertex_labels")
    edge, edge_words = _labels(edge_labels, edges, "edge_labels")
    vertex_real = _reals(vertex_attributes, vertices, "vertex_attributes")
    edge_real = _reals(edge_attributes, edges, "edge_attributes")
    learned = Supervision(y, targets, graphs)
    columns = c.leman_columns(
        vertex_labels=0 if vertex is None else vertex.shape[1], edge_labels=0 if edge is None else edge.shape[1],
        vertex_attributes=0 if vertex_real is None else vertex_real.shape[1],
        edge_attributes=0 if edge_real is None else edge_real.shape[1],
        targets=0 if learned.targets is None else learned.targets.shape[1], classes=learned.classes is not None,
        graph_names=names is not None)
    arrays = options("leman_graph_arrays")
    tail, head = np.ascontiguousarray(ends[0]), np.ascontiguousarray(ends[1])
    texts = _texts(names, graphs, "names")
    arrays.graphs, arrays.edges = graphs, edges
    arrays.vertex_start = _pointer(start, ctypes.c_uint64)
    arrays.tail, arrays.head = _pointer(tail, ctypes.c_int64), _pointer(head, ctypes.c_int64)
    arrays.vertex_label, arrays.edge_label = _pointer(vertex, ctypes.c_int64), _pointer(edge, ctypes.c_int64)
    arrays.vertex_attribute = _pointer(vertex_real, ctypes.c_double)
    arrays.edge_attribute = _pointer(edge_real, ctypes.c_double)
    arrays.class_label, arrays.target = _pointer(learned.classes, ctypes.c_int64), _pointer(learned.targets, ctypes.c_double)
    if texts is not None:
        arrays.graph_name = texts
    cleaning, out = c.leman_cleaning(), ctypes.c_void_p()
    with Session(1) as session:
        rules = _policy(session, directed, policy)
        with builder(session, name, columns) as made:
            if target_names is not None and columns.targets:
                session.check(lib.leman_builder_target_names(made, _texts(target_names, columns.targets, "target_names")))
            if learned.values is not None and all(isinstance(value, str) for value in learned.values):
                for i, value in enumerate(learned.values):
                    if value.isprintable() and value:
                        session.check(lib.leman_builder_class_name(made, i, value.encode()))
            session.check(lib.leman_builder_arrays(made, ctypes.byref(arrays)))
            session.check(lib.leman_builder_finish(made, ctypes.byref(rules), ctypes.byref(cleaning), ctypes.byref(out)))
    if "isolated-vertices=remove" in (policy or "") or "empty-graphs=remove" in (policy or ""):
        nodes = None  # vertices moved: their names are not those of the numbers any more
    data = Dataset._made(out, vertex_words, edge_words, nodes, class_values or learned.values)
    _warn_of_cleaning(cleaning, rules, name)
    return data


def to_arrays(data: Dataset) -> dict[str, Any]:
    graphs = list(data)
    sizes = np.array([graph.num_vertices for graph in graphs], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    ends = [graph.edge_index + first for graph, first in zip(graphs, offsets)]
    found: dict[str, Any] = {"edge_index": np.hstack(ends) if ends else np.zeros((2, 0), np.int64), "offsets": offsets,
                             "directed": data.directed, "policy": "self-loops=keep", "name": data.name}
    columns = data.columns
    for field in ("vertex_labels", "edge_labels"):
        if getattr(columns, field):
            if getattr(columns, field) == 1:
                found[field] = [label for graph in graphs for label in getattr(graph, field)]
            else:
                parts = [np.array(getattr(graph, field), dtype=object).reshape(-1, getattr(columns, field))
                         for graph in graphs]
                found[field] = np.concatenate(parts) if parts else np.zeros((0, getattr(columns, field)), np.int64)
    for field in ("vertex_attributes", "edge_attributes"):
        if getattr(columns, field):
            found[field] = np.vstack([getattr(graph, field) for graph in graphs])
    if data.classes is not None:
        values = data.y
        found["y"] = values if values is None or values.dtype.kind != "f" else [None if v != v else int(v) for v in values]
    if columns.targets:
        found["targets"], found["target_names"] = data.targets, data.target_names
    if columns.graph_names:
        found["names"] = [data._graph_name(i) for i in range(len(data))]
    return found
