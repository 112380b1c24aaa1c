"""Products of histograms of labels. Of GraKeL's lists the dictionaries of labels are read, and nothing else."""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from .. import _walk
from .._arrays import to_arrays
from .._convert import as_dataset
from .._errors import ArgumentError, InputError
from .._kernels import Matrix, kernels_of, warn_of_attributes
from .._labels import encode
from .._library import Session
from .computed import Computed


def mixed(values: Any) -> Any:
    """The finalizer of splitmix64, of uint64."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return values ^ (values >> np.uint64(31))


def one_column(labels: Any) -> Any:
    """Labels [items] of [items] or [items, columns]: several columns are one label, a hash of them."""
    if labels.ndim == 1 or labels.shape[1] == 1:
        return labels.reshape(-1)
    found = np.zeros(len(labels), np.uint64)
    with np.errstate(over="ignore"):
        for column in labels.T.astype(np.uint64):
            found = mixed(found * np.uint64(3) + mixed(column + np.uint64(1)))
    return found.view(np.int64)


class Counts(NamedTuple):
    """How often each graph has each label: labels [columns], ascending, and a matrix [graphs, columns], dense or sparse."""

    labels: Any
    table: Any


def counted(graph: Any, labels: Any, graphs: int, counts: Any = None) -> Counts:
    """graph[i] has labels[i], once or counts[i] times."""
    if not len(labels):
        return Counts(np.zeros(0, np.int64), np.zeros((graphs, 0)))
    least, most = int(labels.min()), int(labels.max())
    if (most - least + 1) * graphs <= 8 * len(labels) + 4096:  # a column for each number in between, which spares sorting
        known, column = np.arange(least, most + 1), labels - least
    else:
        known, column = np.unique(labels, return_inverse=True)
    if len(known) > 64 and graphs * len(known) > 8 * len(labels) + 4096:
        values = np.ones(len(labels)) if counts is None else counts.astype(np.float64)
        return Counts(known, csr_matrix((values, (graph, column)), shape=(graphs, len(known))))
    table = np.bincount(graph * len(known) + column, weights=counts, minlength=graphs * len(known))
    return Counts(known, table.astype(np.float64, copy=False).reshape(graphs, len(known)))


def _counted_lists(graphs: Any, edges: bool) -> Counts | None:
    """The counts of GraKeL's lists; None where libwalk.so does not take them."""
    listed = _walk.counted_labels(graphs, edges)
    if listed is None:
        return None
    starts, labels, counts = listed
    try:
        numbers = labels if isinstance(labels, np.ndarray) else encode(labels, "labels")[0]
    except InputError:  # vectors in the place of labels, perhaps: the converters know, or say what is wrong
        return None
    return counted(np.repeat(np.arange(len(graphs)), np.diff(starts)), numbers, len(graphs), counts)


class Histogram(Computed):
    """Products of histograms of the labels of vertices or of edges."""

    _edges: bool

    def _parsed(self, X: Any, fits: bool = False) -> Counts:
        found = _counted_lists(X, self._edges)
        if found is not None:
            return found
        data = as_dataset(X)
        if fits:
            warn_of_attributes(data, ())
        return self._counts(to_arrays(data, numbers=True))

    def _counts(self, arrays: dict[str, Any]) -> Counts:
        """The counts of the arguments of from_arrays(), whose labels are numbers."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Any:
        counts: Any = self._parsed(X, fits=True)
        self.X_: Any = counts
        self.n_graphs_in_: int = counts.table.shape[0]
        return self

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        left, right = rows.table, columns.table
        if rows is not columns and not np.array_equal(rows.labels, columns.labels):
            _, *places = np.intersect1d(rows.labels, columns.labels, return_indices=True)
            left, right = left[:, places[0]], right[:, places[1]]
        if hasattr(left, "toarray") or hasattr(right, "toarray"):
            found = left @ right.T
            return np.asarray(found.toarray() if hasattr(found, "toarray") else found)
        # NumPy computes a product with the transpose of the same array as half a matrix, and copying the other half takes longer.
        return np.asarray(left @ np.ascontiguousarray(right.T))

    def _diagonal(self, rows: Any) -> Matrix:
        table = rows.table
        squares = table.multiply(table) if hasattr(table, "multiply") else table * table
        return np.asarray(squares.sum(axis=1), dtype=np.float64).reshape(-1)


class VertexHistogram(Histogram):
    """Products of histograms of vertex labels: round 0 of colour refinement. GraKeL's arguments and defaults. Of lists, each item of the dictionary
    of vertex labels counts once.

    Parameters
    ----------
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    normalize : bool
        Divide by the roots of k(G, G) and k(H, H).
    sparse : bool or "auto"
        Without effect; GraKeL has it.

    Examples
    --------
    >>> import leman
    >>> triangle = [[[0, 1, 1], [1, 0, 1], [1, 1, 0]], {0: "a", 1: "a", 2: "a"}]
    >>> path = [[[0, 1, 0], [1, 0, 1], [0, 1, 0]], {0: "a", 1: "a", 2: "b"}]
    >>> leman.VertexHistogram().fit_transform([triangle, path]).tolist()
    [[9.0, 6.0], [6.0, 5.0]]
    """

    _edges = False

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, sparse: Any = "auto") -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize: bool = normalize
        self.sparse = sparse

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, "1-WL", 0, ignore_edge_labels=True)

    def _counts(self, arrays: dict[str, Any]) -> Counts:
        offsets = arrays["offsets"]
        labels = one_column(arrays["vertex_labels"]) if "vertex_labels" in arrays else np.zeros(int(offsets[-1]), np.int64)
        return counted(np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)), labels, len(offsets) - 1)


class EdgeHistogram(Histogram):
    """Products of histograms of edge labels. An undirected edge counts in both directions, as in GraKeL's dictionaries; of lists, each item of
    the dictionary of edge labels counts once."""

    _edges = True

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, sparse: Any = "auto") -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.sparse = sparse

    def _reads_vertex_labels(self) -> bool:
        return False

    def _counts(self, arrays: dict[str, Any]) -> Counts:
        tails, offsets = arrays["edge_index"][0], arrays["offsets"]
        if "edge_labels" not in arrays and len(tails):
            raise ArgumentError("EdgeHistogram: found graphs without edge labels, expected a label for each edge")
        labels = one_column(arrays["edge_labels"]) if len(tails) else np.zeros(0, np.int64)
        return counted(np.searchsorted(offsets, tails, side="right") - 1, labels, len(offsets) - 1)
