"""Lists of graphs of GraKeL's shapes as flat arrays at the speed of C: libwalk.so, which python/walk.c is the source of.

`quick` gives the arguments of from_arrays(), or None where a graph is one that only the converters of `_convert` take or refuse:
they define what a graph means, and they are the whole of it where the library is missing.
"""
from __future__ import annotations

import ctypes
import pathlib
import sys
from typing import Any

import numpy as np

WHOLE = (np.int64, np.int32)
REAL = (np.float64,)
_BARE = (dict, set, frozenset)


def _load() -> Any:
    """The function of the library; None where there is no library for this Python: it needs CPython's stable interface, which a
    Python without a global lock does not have."""
    if sys.implementation.name != "cpython" or "t" in getattr(sys, "abiflags", ""):
        return None
    try:
        function = ctypes.PyDLL(str(pathlib.Path(__file__).parent / "libwalk.so")).leman_walk_graphs
    except (OSError, AttributeError):
        return None
    function.restype, function.argtypes = ctypes.py_object, [ctypes.py_object] * 6
    return function


walk: Any = _load()


def parts_of(graph: Any) -> tuple[Any, Any, Any]:
    """[edges, labels, edge labels] of a grakel.Graph. One that has a matrix has labels by its rows, too."""
    if graph._format == "dictionary":
        return graph.edge_dictionary, graph.node_labels, graph.edge_labels
    return graph.adjacency_matrix, graph.index_node_labels, graph.index_edge_labels


def _of_lists(graph: Any) -> Any:
    """A graph as a type that the library knows, if it can be."""
    if hasattr(graph, "get_edge_dictionary"):
        return parts_of(graph)
    if isinstance(graph, np.ndarray) or hasattr(graph, "tocoo"):
        return (graph,)
    if isinstance(graph, (list, tuple)) and type(graph).__iter__ in (list.__iter__, tuple.__iter__):
        return tuple(graph)
    return graph


class _Entries:
    """The entries of matrices, which are arcs."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self.columns: list[Any] = []
        self.count = 0
        self.weighted = False

    def add(self, matrix: Any) -> tuple[int, int, int] | None:
        """(vertices, first entry, last entry + 1); None if it is no square matrix of numbers."""
        sparse = hasattr(matrix, "tocoo")
        if not sparse and type(matrix) is not np.ndarray or matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or \
                matrix.dtype.kind not in "biuf":
            return None
        if sparse:
            found = matrix.tocoo()
            rows, columns, values = found.row, found.col, found.data
        else:
            rows, columns = matrix.nonzero()
            values = matrix[rows, columns]
        self.weighted = self.weighted or matrix.dtype.kind != "b" and bool((values != 1).any())
        self.rows.append(rows)
        self.columns.append(columns)
        first, self.count = self.count, self.count + len(rows)
        return int(matrix.shape[0]), first, self.count

    def bytes_of(self, parts: list[Any]) -> bytes:
        return np.concatenate(parts).astype(np.int64, copy=False).tobytes() if parts else b""


def _is_matrix(edges: Any) -> bool:
    return isinstance(edges, np.ndarray) or hasattr(edges, "tocoo")


def quick(graphs: list[Any]) -> tuple[dict[str, Any], bool] | None:
    """The arguments of from_arrays(), and whether an edge has a weight other than 1."""
    if walk is None:
        return None
    try:
        if set(map(type, graphs)) - {list, tuple, *_BARE}:
            graphs = [_of_lists(graph) for graph in graphs]
        edges = [graph[0] if type(graph) in (list, tuple) and graph else graph for graph in graphs]
        entries, matrices = _Entries(), None
        if set(map(type, edges)) - {list, tuple, *_BARE}:
            matrices = [entries.add(given) if _is_matrix(given) else None for given in edges]
    except Exception:  # the converters of Python say what is wrong
        return None
    found = walk(graphs, matrices, entries.bytes_of(entries.rows), entries.bytes_of(entries.columns), WHOLE, REAL)
    if found is None:
        return None
    arcs, starts, vertex_labels, edge_labels, names, weighted = found
    vertex_labels, edge_labels = (np.frombuffer(part, np.int64) if isinstance(part, bytes) else part for part in (vertex_labels, edge_labels))
    return {"edge_index": np.frombuffer(arcs, np.int64).reshape(2, -1), "offsets": np.frombuffer(starts, np.int64),
            "vertex_labels": vertex_labels, "edge_labels": edge_labels, "nodes": names}, weighted or entries.weighted
