"""Weights of edges in GraKeL's lists of graphs, for the kernels that use them: as lengths (ShortestPath), or in adjacency matrices."""
from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._arrays import from_arrays, to_arrays
from .._convert import as_dataset
from .._dataset import Dataset
from .._graph import Graph
from .._kernels import Matrix, _Kernel


def _weights(edges: Any) -> tuple[Any, dict[Any, Any]] | None:
    """The vertices that are named without edges, and the weight of every arc, of what GraKeL takes as a graph; None without weights."""
    if hasattr(edges, "tocoo"):
        found = edges.tocoo()
        return range(found.shape[0]), dict(zip(zip(found.row.tolist(), found.col.tolist()), found.data.tolist()))
    if isinstance(edges, np.ndarray) or isinstance(edges, list) and edges and \
            all(isinstance(row, (list, np.ndarray)) and len(row) == len(edges) for row in edges):
        matrix = np.asarray(edges)
        if matrix.ndim != 2 or matrix.dtype.kind not in "iufb":
            return None
        return range(len(matrix)), {(int(u), int(w)): matrix[u, w].item() for u, w in np.argwhere(matrix)}
    if isinstance(edges, dict):
        nodes: list[Any] = []
        made: dict[Any, Any] = {}
        for key, value in edges.items():
            if isinstance(value, (dict, list, set, frozenset)):
                nodes.append(key)
                made.update(((key, head), value[head] if isinstance(value, dict) else 1) for head in value)
            else:
                made[key] = value
        return nodes, made
    if isinstance(edges, (list, set, frozenset, tuple)) and edges and set(map(type, edges)) <= {tuple, list} and 3 in set(map(len, edges)):
        return (), {(edge[0], edge[1]): edge[2] if len(edge) == 3 else 1 for edge in edges}
    return None


def _parts(graph: Any) -> tuple[Any, Any]:
    """(edges, labels)."""
    if hasattr(graph, "get_edge_dictionary"):
        graph.desired_format("dictionary")
        return graph.get_edge_dictionary(), graph.get_labels(purpose="dictionary") if graph.node_labels or graph.index_node_labels else None
    if isinstance(graph, (list, tuple)) and graph:
        return graph[0], graph[1] if len(graph) > 1 else None
    return (graph, None) if isinstance(graph, (dict, np.ndarray)) or hasattr(graph, "tocoo") else (None, None)


def read(X: Any) -> tuple[Dataset, bool]:
    """The data set, and whether its first edge attribute is a weight that X gives. Weights that are all 1 are none. Graphs whose two
    directions of an edge have different weights are directed."""
    listed = [] if isinstance(X, (Dataset, Graph, str)) or isinstance(X, np.ndarray) and X.dtype != object or hasattr(X, "nodes") else list(X)
    parts = [_parts(graph) for graph in listed]
    weights = [_weights(edges) for edges, _ in parts]
    numbers = [value for own in weights if own for value in own[1].values()]
    if not all(isinstance(value, (int, float, np.number)) for value in numbers) or all(value == 1 for value in numbers):
        return as_dataset(listed or X), False
    directed = any(own[1].get((w, u), value) != value for own in weights if own for (u, w), value in own[1].items())
    made = []
    for (edges, labels), own in zip(parts, weights):
        nodes, arcs = own if own is not None else ((), dict.fromkeys(map(tuple, edges), 1))
        near: dict[Any, list[Any]] = {node: [] for node in nodes}
        for u, w in arcs:
            near.setdefault(u, []).append(w)
        made.append([near, labels, {arc: float(value) for arc, value in arcs.items()}])
    arrays = to_arrays(Dataset.from_grakel(made, directed=directed))
    values = np.array(arrays.pop("edge_labels"), dtype=np.float64).reshape(-1, 1)
    return from_arrays(**{**arrays, "edge_attributes": values}), True


def with_ones(data: Dataset) -> Dataset:
    """The data set with the weight 1 for every edge."""
    arrays = to_arrays(data)
    return from_arrays(**{**arrays, "edge_attributes": np.ones((arrays["edge_index"].shape[1], 1))})


class Weighted(_Kernel):
    """A kernel that uses the weights of GraKeL's graphs, if one of them is not 1. _kernels() reads weighted_."""

    weighted_: bool = False

    def fit(self, X: Any, y: Any = None) -> Any:
        data, self.weighted_ = read(X)
        return super().fit(data)

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        data, self.weighted_ = read(X)
        return super().fit_transform(data)

    def transform(self, X: Any) -> Matrix:
        check_is_fitted(self, "X_")
        data, weighted = read(X)
        if weighted == self.weighted_:
            return super().transform(data)
        other = copy.copy(self)
        other.X_, other.weighted_ = self.X_ if self.weighted_ else with_ones(self.X_), True
        return _Kernel.transform(other, data if weighted else with_ones(data))

    def diagonal(self, X: Any = None) -> Matrix:
        check_is_fitted(self, "X_")
        other = copy.copy(self)
        data, other.weighted_ = (self.X_, self.weighted_) if X is None else read(X)
        return _Kernel.diagonal(other, data)
