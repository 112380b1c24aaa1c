"""Kernels of GraKeL that are computed above the library: histograms of edge labels, sums of a base kernel over data sets that are
made from the graphs (colours of 1-WL as labels; cores), and kernels of one's own, by pairs."""
from __future__ import annotations

from typing import Any, NamedTuple, Sequence

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .._arrays import from_arrays, to_arrays
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError
from .._kernels import Matrix, _Kernel
from .._labels import encode
from .._library import Session
from .._walk import edge_labels


class Computed(_Kernel):
    """A kernel by two functions: what _parsed() makes of graphs, and the matrix of that without normalisation."""

    def _parsed(self, X: Any) -> Any:
        raise NotImplementedError

    def _kernels(self, session: Session) -> Any:
        raise ArgumentError(f"found {type(self).__name__}, which is computed above the library; expected 1-WL, shortest paths, graphlets or another "
                            "kernel of the library itself")

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        """rows is columns for a symmetric matrix."""
        raise NotImplementedError

    def _diagonal(self, rows: Any) -> Matrix:
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Any:
        self.X_ = self._parsed(X)
        return self

    def transform(self, X: Any) -> Matrix:
        check_is_fitted(self, "X_")
        rows = self._parsed(X)
        return self._scaled(self._matrix(rows, self.X_), rows)

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        self.fit(X)
        return self._scaled(self._matrix(self.X_, self.X_), self.X_)

    def diagonal(self, X: Any = None) -> Matrix:
        check_is_fitted(self, "X_")
        found = self._diagonal(self.X_ if X is None else self._parsed(X))
        return (found > 0).astype(np.float64) if self.normalize else found

    def _scaled(self, matrix: Matrix, rows: Any) -> Matrix:
        if not self.normalize:
            return matrix
        own = self._diagonal(self.X_)
        lengths = np.sqrt(np.outer(own if rows is self.X_ else self._diagonal(rows), own))
        return np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)


class Kernel(Computed):
    """The base of a kernel of one's own, as in GraKeL: parse_input(graphs) gives a list with something for each graph, and
    pairwise_operation(x, y) is the kernel of two of them. It must be positive semidefinite for a support vector machine."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False) -> None:
        self.n_jobs = n_jobs
        self.normalize = normalize
        self.verbose = verbose

    def parse_input(self, X: Any) -> Sequence[Any]:
        """By default the graphs of the data set, leman.Graph each."""
        return list(as_dataset(X))

    def pairwise_operation(self, x: Any, y: Any) -> float:
        raise NotImplementedError(f"{type(self).__name__}: expected a method pairwise_operation(x, y)")

    def _parsed(self, X: Any) -> Any:
        return list(self.parse_input(X))

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        found = np.zeros((len(rows), len(columns)))
        for i, x in enumerate(rows):
            for j, y in enumerate(columns):
                found[i, j] = found[j, i] if rows is columns and j < i else self.pairwise_operation(x, y)
        return found

    def _diagonal(self, rows: Any) -> Matrix:
        return np.array([self.pairwise_operation(x, x) for x in rows], dtype=np.float64)


class Counts(NamedTuple):
    """How often each graph has each label: labels [columns], ascending, and a matrix [graphs, columns], dense or sparse."""

    labels: Any
    table: Any


def _counted(graph: Any, labels: Any, graphs: int) -> Counts:
    """graph[i] has labels[i]."""
    if not len(labels):
        return Counts(np.zeros(0, np.int64), np.zeros((graphs, 0)))
    least, most = int(labels.min()), int(labels.max())
    # A table of all numbers in between spares sorting.
    known = least + np.flatnonzero(np.bincount(labels - least)) if most - least < 1024 else np.unique(labels)
    column = labels - least if most - least + 1 == len(known) else np.searchsorted(known, labels)
    if graphs * len(known) > 8 * len(labels) + 4096:
        return Counts(known, csr_matrix((np.ones(len(labels)), (graph, column)), shape=(graphs, len(known))))
    table = np.bincount(graph * len(known) + column, minlength=graphs * len(known))
    return Counts(known, table.reshape(graphs, len(known)).astype(np.float64))


class EdgeHistogram(Computed):
    """Products of histograms of edge labels. An undirected edge counts in both directions, as in GraKeL's dictionaries; of lists, each item of
    the dictionary of edge labels counts once."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, sparse: Any = "auto") -> None:
        self.n_jobs = n_jobs
        self.normalize = normalize
        self.verbose = verbose
        self.sparse = sparse

    def _parsed(self, X: Any) -> Counts:
        listed = edge_labels(X)
        if listed is not None:
            starts, labels = listed
            labels = encode(labels, "edge_labels")[0]
            return _counted(np.repeat(np.arange(len(X)), np.diff(starts)), labels, len(X))
        data = as_dataset(X)
        arrays = to_arrays(data, numbers=True)
        tails = arrays["edge_index"][0]
        if "edge_labels" not in arrays and len(tails):
            raise ArgumentError("EdgeHistogram: found graphs without edge labels, expected a label for each edge")
        labels = _one_column(arrays["edge_labels"]) if len(tails) else np.zeros(0, np.int64)
        return _counted(np.searchsorted(arrays["offsets"], tails, side="right") - 1, labels, len(data))

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        left, right = rows.table, columns.table
        if rows is not columns and not np.array_equal(rows.labels, columns.labels):
            _, *places = np.intersect1d(rows.labels, columns.labels, return_indices=True)
            left, right = left[:, places[0]], right[:, places[1]]
        found = left @ right.T
        return np.asarray(found.toarray() if hasattr(found, "toarray") else found)

    def _diagonal(self, rows: Any) -> Matrix:
        table = rows.table
        squares = table.multiply(table) if hasattr(table, "multiply") else table * table
        return np.asarray(squares.sum(axis=1), dtype=np.float64).reshape(-1)


# ---- Sums of a base kernel -----------------------------------------------------------------------


def base_kernel(given: Any, usual: type[_Kernel]) -> _Kernel:
    """A kernel from a class, (class, parameters), an instance, or None; not normalised."""
    kind, parameters = given if isinstance(given, tuple) and len(given) == 2 else (given, {})
    kind = usual if kind is None else kind
    made = clone(kind) if isinstance(kind, _Kernel) else kind(**dict(parameters or {})) if isinstance(kind, type) and issubclass(kind, _Kernel) \
        else None
    if made is None:
        raise ArgumentError(f"base_graph_kernel: found {given!r}, expected a kernel of leman.grakel, or (kernel, parameters)")
    made.set_params(normalize=False)
    return made


class Levels(list[Dataset]):
    """Data sets that are made from so many graphs."""

    def __init__(self, made: list[Dataset], graphs: int) -> None:
        super().__init__(made)
        self.graphs = graphs


class Framework(Computed):
    """The sum of a base kernel over data sets that are made from the graphs, in the order of _levels()."""

    def _base(self) -> _Kernel:
        raise NotImplementedError

    def _levels(self, data: Dataset) -> list[Dataset]:
        raise NotImplementedError

    def _parsed(self, X: Any) -> Any:
        self._base()  # a wrong one is refused before work begins
        data = as_dataset(X)
        return Levels(self._levels(data), len(data))

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        none = np.zeros((rows.graphs, columns.graphs))
        if rows is columns:
            return np.asarray(sum((self._base().fit_transform(level) for level in columns), none))
        return np.asarray(sum((self._base().fit(column).transform(row) for row, column in zip(rows, columns)), none))

    def _diagonal(self, rows: Any) -> Matrix:
        return np.asarray(sum((self._base().fit(level).diagonal() for level in rows), np.zeros(rows.graphs)))


def _mixed(values: Any) -> Any:
    """The finalizer of splitmix64, of uint64."""
    with np.errstate(over="ignore"):
        values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return values ^ (values >> np.uint64(31))


def _one_column(labels: Any) -> Any:
    """Labels [items] of [items] or [items, columns]: several columns are one label, a hash of them."""
    if labels.ndim == 1 or labels.shape[1] == 1:
        return labels.reshape(-1)
    found = np.zeros(len(labels), np.uint64)
    with np.errstate(over="ignore"):
        for column in labels.T.astype(np.uint64):
            found = _mixed(found * np.uint64(3) + _mixed(column + np.uint64(1)))
    return found.view(np.int64)


def _refined(data: Dataset, rounds: int, message: Any, update: Any) -> list[Dataset]:
    """The data sets with the words of rounds 0 .. rounds as vertex labels. A word becomes update(word, the sum of message(word) over the
    neighbours). Labels are hashes of words, of 62 bits, and depend on the graph alone."""
    arrays = to_arrays(data, numbers=True)
    labels = _one_column(arrays["vertex_labels"]) if "vertex_labels" in arrays else np.zeros(int(arrays["offsets"][-1]), np.int64)
    tails, heads = arrays["edge_index"]  # sorted by tails
    has_arcs, first = np.unique(tails, return_index=True)
    found, words = [data], _mixed(labels.astype(np.uint64) + np.uint64(1))
    for _ in range(rounds):
        sums = np.zeros(len(words), np.uint64)
        with np.errstate(over="ignore"):
            if len(tails):
                sums[has_arcs] = np.add.reduceat(message(words)[heads], first)
            words = update(words, sums)
        found.append(from_arrays(**{**arrays, "vertex_labels": (_mixed(words) >> np.uint64(2)).astype(np.int64)}))
    return found


def colored(data: Dataset, rounds: int) -> list[Dataset]:
    """The data sets with the colours of rounds 0 .. rounds of 1-WL as vertex labels."""
    return _refined(data, rounds, lambda words: _mixed(words + np.uint64(0x9E3779B97F4A7C15)),
                    lambda words, sums: _mixed(_mixed(words) * np.uint64(3) + sums))


def coded(data: Dataset, rounds: int) -> list[Dataset]:
    """The data sets with the Hadamard codes of rounds 0 .. rounds as vertex labels: sums over a vertex and its neighbours."""
    return _refined(data, rounds, lambda words: words, lambda words, sums: words + sums)


class CoreFramework(Framework):
    """The sum of a base kernel over the k-cores of the graphs, for all k above min_core (Nikolentzos et al.). GraKeL 0.1 ignores
    min_core."""

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, min_core: int = -1,
                 base_graph_kernel: Any = None) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize = normalize
        self.min_core = min_core
        self.base_graph_kernel = base_graph_kernel

    def _base(self) -> _Kernel:
        from .kernels import ShortestPath
        return base_kernel(self.base_graph_kernel, ShortestPath)

    def _levels(self, data: Dataset) -> list[Dataset]:
        return self._cores(data, self.min_core)

    def fit(self, X: Any, y: Any = None) -> Any:
        """Refuses graphs without a core above min_core, whose matrix would be zero. transform() takes such graphs."""
        data = as_dataset(X)
        super().fit(data)
        cores = len(self.X_) or len(self._cores(data, -1))
        if cores and not self.X_:
            raise ArgumentError(f"min_core: found {self.min_core}, expected less than the largest core number, {cores - 1}")
        return self

    def _cores(self, data: Dataset, above: int) -> list[Dataset]:
        """Cores above + 1, above + 2, ... until all graphs are empty."""
        arrays = to_arrays(data, numbers=True)
        offsets, (tails, heads) = arrays["offsets"], arrays["edge_index"]
        graph, core = np.repeat(np.arange(len(data)), np.diff(offsets)), _core_numbers(tails, heads, int(offsets[-1]))
        found = []
        for k in range(max(above + 1, 0), int(core.max(initial=-1)) + 1):
            alive = core >= k
            inside = alive[tails] & alive[heads]
            number = np.cumsum(alive) - 1
            part: dict[str, Any] = {key: arrays[key] for key in ("directed", "policy")}
            part["edge_index"] = number[arrays["edge_index"][:, inside]]
            part["offsets"] = np.concatenate([[0], np.cumsum(np.bincount(graph[alive], minlength=len(data)))])
            for key, mask in (("vertex_labels", alive), ("edge_labels", inside)):
                if key in arrays:
                    part[key] = arrays[key][mask]
            found.append(from_arrays(**part))
        return found


def _core_numbers(tails: Any, heads: Any, vertices: int) -> Any:
    """For each vertex the largest k for which it is in the k-core: the largest part in which every vertex has k leaving arcs. O(arcs), and
    O(vertices) each time that vertices are removed."""
    into = tails[np.argsort(heads, kind="stable")]  # the tails of the arcs that enter each vertex
    entering, degree = np.bincount(heads, minlength=vertices), np.bincount(tails, minlength=vertices)
    first = np.cumsum(entering) - entering
    core, k = np.full(vertices, -1), 0
    while (core < 0).any():
        few = np.flatnonzero((core < 0) & (degree <= k))
        if not len(few):
            k += 1
            continue
        core[few] = k
        counts = entering[few]
        places = np.repeat(first[few] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        degree = degree - np.bincount(into[places], minlength=vertices)
    return core
