"""Lists of graphs of networkx and of GraKeL's shapes as flat arrays at the speed of C: libwalk.so, whose source is python/walk/.

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


def _load() -> tuple[Any, Any, Any]:
    """The functions of the library; None where there is no library for this Python: it needs CPython's stable interface, which a
    Python without a global lock does not have."""
    if sys.implementation.name != "cpython" or "t" in getattr(sys, "abiflags", ""):
        return None, None, None
    try:
        library = ctypes.PyDLL(str(pathlib.Path(__file__).parent / "libwalk.so"))
        functions = library.leman_walk_graphs, library.leman_walk_labels, library.leman_walk_networks
    except (OSError, AttributeError):
        return None, None, None
    for function, arguments in zip(functions, (6, 3, 6)):
        function.restype, function.argtypes = ctypes.py_object, [ctypes.py_object] * arguments
    return functions


walk: Any
walk_labels: Any
walk_networks: Any
walk, walk_labels, walk_networks = _load()


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


_WAITING = 1 << 20  # numbers of dense matrices that are searched at once


class _Entries:
    """The entries of square matrices, which are arcs. Many small matrices are searched at once: a call of NumPy takes longer than one."""

    def __init__(self) -> None:
        self.places: list[Any] = []  # row * vertices + column, ascending in a dense matrix
        self.values: list[Any] = []
        self.counts: list[Any] = []  # of the entries of each matrix
        self.sizes: list[int] = []
        self.dense: list[Any] = []  # the last matrices, flat, whose entries are not found yet
        self.waiting = 0

    def add(self, matrix: Any) -> bool:
        """False if it is no square matrix of numbers."""
        dense = type(matrix) is np.ndarray
        if not dense and not hasattr(matrix, "tocoo") or matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
            return False
        n, columns = matrix.shape
        if n != columns:
            return False
        if dense:
            self.sizes.append(n)
            self.dense.append(matrix.ravel())
            self.waiting += n * n
            if self.waiting >= _WAITING:
                self.search()
        else:
            self.search()
            found = matrix.tocoo()
            self.sizes.append(n)
            self.places.append(found.row.astype(np.int64) * n + found.col)
            self.values.append(found.data)
            self.counts.append([len(found.row)])
        return True

    def search(self) -> None:
        """Finds the entries of the dense matrices that wait."""
        if not self.dense:
            return
        flat = np.concatenate(self.dense)
        places = (flat != 0).nonzero()[0]  # of truth values, which NumPy finds several times as fast as of reals
        ends = np.cumsum([len(part) for part in self.dense])
        counts = np.diff(np.searchsorted(places, ends), prepend=0)
        self.values.append(flat[places])
        self.places.append(places - np.repeat(ends - [len(part) for part in self.dense], counts))
        self.counts.append(counts)
        self.dense, self.waiting = [], 0

    def ranges(self, taken: list[bool]) -> list[tuple[int, int, int] | None]:
        """(vertices, first entry, last entry + 1) of each matrix that was taken, None for others."""
        self.search()
        ends = np.cumsum(np.concatenate(self.counts)).tolist() if self.counts else []
        found = zip(self.sizes, [0, *ends], ends)
        return [next(found) if one else None for one in taken]

    def arcs(self) -> tuple[bytes, bytes]:
        """Tails and heads as numbers of 64 bits."""
        if not self.places:
            return b"", b""
        sizes = np.repeat(np.array(self.sizes, np.int64), np.concatenate(self.counts))
        tails, heads = np.divmod(np.concatenate(self.places).astype(np.int64, copy=False), sizes)
        return tails.tobytes(), heads.tobytes()

    @property
    def weighted(self) -> bool:
        return any(bool((values != 1).any()) for values in self.values if values.dtype.kind != "b")


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
            matrices = entries.ranges([_is_matrix(given) and entries.add(given) for given in edges])
    except Exception:  # the converters of Python say what is wrong
        return None
    found = walk(graphs, matrices, *entries.arcs(), WHOLE, REAL)
    if found is None:
        return None
    arrays, weighted = _arrays_of(found)
    return arrays, weighted or entries.weighted


def quick_networks(graphs: list[Any], node_label: str | None, edge_label: str | None) -> dict[str, Any] | None:
    """The arguments of from_arrays() for networkx's own classes, not for theirs who inherit."""
    module = sys.modules.get("networkx")
    if walk_networks is None or module is None or not all(name is None or type(name) is str for name in (node_label, edge_label)):
        return None
    several = {module.Graph: False, module.DiGraph: False, module.MultiGraph: True, module.MultiDiGraph: True}
    if set(map(type, graphs)) - set(several):
        return None
    found = walk_networks([graph._adj for graph in graphs], [graph._node for graph in graphs], list(map(several.__getitem__, map(type, graphs))),
                          node_label, edge_label, WHOLE)
    return None if found is None else _arrays_of(found)[0]


def _arrays_of(found: Any) -> tuple[dict[str, Any], bool]:
    """What a function of the library returned as the arguments of from_arrays(), and whether an edge has a weight other than 1."""
    arcs, starts, vertex_labels, edge_labels, names, weighted = found
    vertex_labels, edge_labels = (np.frombuffer(part, np.int64) if isinstance(part, bytes) else part for part in (vertex_labels, edge_labels))
    return {"edge_index": np.frombuffer(arcs, np.int64).reshape(2, -1), "offsets": np.frombuffer(starts, np.int64),
            "vertex_labels": vertex_labels, "edge_labels": edge_labels, "nodes": names}, weighted


def counted_labels(graphs: Any, edges: bool) -> tuple[Any, Any, Any] | None:
    """(starts [graphs + 1], labels, counts): how often each of GraKeL's lists has each label of its vertices, or of its edges, in the
    dictionaries that have them; a label may occur several times. None where a graph has another form, or has not one label for each arc."""
    found = walk_labels(graphs, WHOLE, edges) if walk is not None and type(graphs) is list else None
    if found is None:
        return None
    starts, labels, counts = found
    return np.frombuffer(starts, np.int64), np.frombuffer(labels, np.int64) if isinstance(labels, bytes) else labels, np.frombuffer(counts, np.int64)
