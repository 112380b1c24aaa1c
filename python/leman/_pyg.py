"""Graphs of PyTorch Geometric into data sets and back."""
from __future__ import annotations

from typing import Any, Iterable

import numpy as np

from . import _values as v
from ._collected import Collected
from ._dataset import Dataset
from ._errors import InputError
from ._graph import Graph
from ._unread import warn_of_rows, warn_of_tensors


def _numpy(value: Any) -> Any:
    return value.detach().cpu().numpy() if hasattr(value, "detach") else v.array(value, "graphs")


def _rows(part: Any) -> Any:
    """A tensor as an array [items, width]."""
    array = _numpy(part)
    return array.reshape(-1, 1) if array.ndim == 1 else array.reshape(len(array), int(np.prod(array.shape[1:])))


def _one_hot(arrays: list[Any]) -> int:
    """The first column of the widest block of columns at the end, at least two, that is one-hot in every row; the number of columns
    if there is none. TUDataset of PyG writes labels so, behind the attributes."""
    every = np.concatenate(arrays)
    width = every.shape[1]
    sums = np.cumsum(every[:, ::-1], axis=1)[:, ::-1]  # of each column and those behind it
    binary = np.logical_and.accumulate(np.all((every == 0) | (every == 1), axis=0)[::-1])[::-1]
    fits = binary & np.all(sums == 1, axis=0) & (np.arange(width) < width - 1)
    return int(np.argmax(fits)) if len(every) and fits.any() else width


def _features(parts: list[Any], what: str, label_columns: int | None = None) -> tuple[list[Any], list[Any]]:
    """Tensors [items, width] of all graphs as labels and as attributes: integers are labels, and so are columns of reals at the end
    that are one-hot, label_columns of them if it is not None. Such a label is the number of its column, whatever else there is."""
    none: list[Any] = [None] * len(parts)
    if not parts or all(part is None for part in parts):
        return none, none
    if any(part is None for part in parts):
        raise InputError(f"{what}: found graphs with and without it")
    arrays = [_rows(part) for part in parts]
    widths = {array.shape[1] for array in arrays if len(array)} or {arrays[0].shape[1]}
    if len(widths) > 1:
        raise InputError(f"{what}: found graphs with different numbers of columns: {sorted(widths)}")
    width = widths.pop()
    arrays = [array if len(array) else array.reshape(0, width) for array in arrays]
    if all(array.dtype.kind in "iub" for array in arrays if len(array)):
        return [array.astype(np.int64) for array in arrays], none
    at = _one_hot(arrays) if label_columns is None else width - label_columns
    if at < 0 or label_columns and not all(np.all((a[:, at:] == 0) | (a[:, at:] == 1)) and np.all(a[:, at:].sum(1) == 1) for a in arrays):
        raise InputError(f"{what}: found {width} columns of which the last {label_columns} are not one-hot, expected label_columns that are")
    labels = [(at + array[:, at:].argmax(axis=1)).astype(np.int64).reshape(-1, 1) for array in arrays] if at < width else none
    return labels, [array[:, :at].astype(np.float64) for array in arrays] if at else none


def _beside(parts: list[Any], more: list[Any], what: str) -> list[Any]:
    """Attributes of all graphs, and further columns behind them."""
    if all(part is None for part in more):
        return parts
    if any(part is None for part in more):
        raise InputError(f"{what}: found graphs with and without it")
    reals = [_rows(part).astype(np.float64) for part in more]
    return reals if all(part is None for part in parts) else [np.hstack(both) for both in zip(parts, reals)]


def _pyg_edges(graph: Any, place: int) -> Any:
    """edge_index of a graph, whose edges are between its own vertices, for each of which its tensors have a row."""
    n, edges = int(graph.num_nodes), _numpy(graph.edge_index)
    if n < 0 or edges.ndim != 2 or edges.shape[0] != 2 or edges.dtype.kind not in "iu":
        raise InputError(f"graph {place}: found {n} vertices and edge_index of {edges.dtype} of shape {edges.shape}, expected "
                         "integers of shape (2, edges)")
    if edges.size and not (0 <= edges.min() and edges.max() < n):
        raise InputError(f"graph {place}: found an edge between vertices {edges.min()} and {edges.max()}, expected numbers from 0 "
                         f"to {n - 1}")
    for key, items, what in (("x", n, "vertex"), ("z", n, "vertex"), ("pos", n, "vertex"), ("edge_attr", edges.shape[1], "edge"),
                             ("vertex_attributes", n, "vertex"), ("edge_attributes", edges.shape[1], "edge")):
        given = getattr(graph, key, None)
        if given is not None and len(given) != items:
            raise InputError(f"graph {place}: found {key} of length {len(given)}, expected {items}, one row for each {what}")
    return edges


def _is_pyg_data(graphs: Any) -> bool:
    """A Data object or a Batch. A data set of PyG has the members of one, too, and stands for several."""
    return hasattr(graphs, "edge_index") and not isinstance(graphs, (list, tuple)) and not hasattr(graphs, "get_summary")


def taken_apart(graphs: Iterable[Any]) -> list[Any]:
    """The Data objects of one Data object or Batch, or of several."""
    if _is_pyg_data(graphs):
        graphs = [graphs]
    found: list[Any] = []
    for graph in graphs:
        if not hasattr(graph, "to_data_list"):
            numbers = getattr(graph, "batch", None)
            if numbers is not None and len(numbers) and int(numbers.max()) > 0:
                raise InputError(f"graph {len(found)}: found a Data object whose batch numbers {int(numbers.max()) + 1} graphs, expected one graph, or a "
                                 "Batch of Batch.from_data_list() or of a DataLoader")
            found.append(graph)
        elif hasattr(graph, "_slice_dict"):
            found += graph.to_data_list()
        else:
            raise InputError("found a Batch that cannot be taken apart, expected one of Batch.from_data_list() or of a DataLoader")
    return found


def _pyg_y(graphs: list[Any]) -> Any:
    """The values of y, one row for each graph; None and NaN where a graph has none."""
    parts = [None if getattr(graph, "y", None) is None else _numpy(graph.y).reshape(-1) for graph in graphs]
    known = [part for part in parts if part is not None]
    if not known:
        return None
    if len({len(part) for part in known}) > 1:
        raise InputError("y: found graphs with different numbers of values, expected one row for each graph")
    if len(known) == len(parts):
        return np.stack(known)
    missing = np.full(len(known[0]), None, dtype=object)
    rows = np.stack([missing if part is None else part.astype(object) for part in parts])
    return rows[:, 0] if rows.shape[1] == 1 else rows


def collected_pyg(graphs: list[Any], label_columns: int | None = None) -> tuple[Collected, list[str]]:
    """Data objects without y; and the tensors that are not read because of others."""
    if label_columns is not None:
        label_columns = v.integer(label_columns, "label_columns")
    found = Collected()
    for place, graph in enumerate(graphs):
        if getattr(graph, "edge_index", None) is None:
            raise InputError(f"graph {place}: found {type(graph).__name__} without edge_index, expected PyG's Data")
        found.graph(range(int(graph.num_nodes)), _pyg_edges(graph, place))

    def member(key: str) -> list[Any]:
        return [getattr(graph, key, None) for graph in graphs]

    found.vertex_labels, found.vertex_attributes = _features(member("x"), "x", label_columns)
    beside = []
    if any(part is not None for part in found.vertex_labels):
        beside = ["z"] if any(part is not None for part in member("z")) else []
    else:
        found.vertex_labels, reals = _features(member("z"), "z")
        found.vertex_attributes = _beside(found.vertex_attributes, reals, "z")
    for key in ("vertex_attributes", "pos"):
        found.vertex_attributes = _beside(found.vertex_attributes, member(key), key)
    found.edge_labels, found.edge_attributes = _features(member("edge_attr"), "edge_attr")
    found.edge_attributes = _beside(found.edge_attributes, member("edge_attributes"), "edge_attributes")
    return found, beside


def from_pyg(graphs: Iterable[Any], y: Any = None, *, label_columns: int | None = None, directed: bool = False,
             policy: str | None = None, name: str = "data", **more: Any) -> Dataset:
    """See Dataset.from_pyg."""
    graphs = taken_apart(graphs)
    found, unread = collected_pyg(graphs, label_columns)
    warn_of_tensors(graphs, unread, name)
    if y is None:
        warn_of_rows(graphs, np.diff(found.offsets).tolist(), name)
    return found.dataset(_pyg_y(graphs) if y is None else y, directed=directed, policy=policy, name=name, **more)


def to_pyg(graph: Graph) -> Any:
    """A Data object: integer labels become x (edge_attr) and attributes vertex_attributes (edge_attributes), or x (edge_attr) where there are
    no labels; y as it is."""
    import torch
    from torch_geometric.data import Data

    view = graph._view
    labels = graph._vertex(view.vertex_label, view.vertex_labels, np.int64)
    edge = graph._edge(view.edge_label, view.edge_labels, np.int64)
    made = Data(edge_index=torch.from_numpy(graph.edge_index), num_nodes=graph.num_vertices)
    for key, ints, beside, reals in (("x", labels, "vertex_attributes", graph.vertex_attributes),
                                     ("edge_attr", edge, "edge_attributes", graph.edge_attributes)):
        if ints is not None:
            made[key] = torch.from_numpy(ints)
        if reals is not None:
            made[key if ints is None else beside] = torch.from_numpy(reals).float()
    classes, targets = graph.dataset.classes, graph.targets
    if classes is not None:
        made.y = torch.tensor([int(classes[graph.index])])
    elif targets is not None:
        made.y = torch.from_numpy(targets.reshape(1, -1)).float()
    return made
