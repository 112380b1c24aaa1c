"""Sums of a base kernel over data sets that are made from the graphs: colours of 1-WL as labels; cores."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from .._arrays import from_arrays, to_arrays
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError
from .._kernels import Matrix, _Kernel
from .computed import Computed
from .histograms import Histogram, mixed, one_column


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


class Level:
    """A data set that is made from the graphs. It exists as arrays until a kernel needs more."""

    def __init__(self, arrays: dict[str, Any], data: Dataset | None = None) -> None:
        self.arrays = arrays
        self._data = data

    @property
    def data(self) -> Dataset:
        return from_arrays(**self.arrays) if self._data is None else self._data


class Levels(list[Any]):
    """What the base kernel makes of each level of so many graphs, all of which count `times` times."""

    def __init__(self, made: list[Any], graphs: int, times: int = 1) -> None:
        super().__init__(made)
        self.graphs = graphs
        self.times = times


class Framework(Computed):
    """The sum of a base kernel over data sets that are made from the graphs, in the order of _levels()."""

    def _base(self) -> _Kernel:
        raise NotImplementedError

    def _levels(self, data: Dataset) -> list[Level]:
        raise NotImplementedError

    def _parsed(self, X: Any) -> Any:
        base = self._base()  # a wrong one is refused before work begins
        data = as_dataset(X)
        return Levels([base._counts(level.arrays) if isinstance(base, Histogram) else level.data for level in self._levels(data)], len(data))

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        def one(row: Any, column: Any) -> Matrix:
            base = self._base()
            if isinstance(base, Histogram):
                return base._matrix(row, column)
            return base.fit_transform(column) if row is column else base.fit(column).transform(row)
        return np.asarray(columns.times * sum(map(one, rows, columns), np.zeros((rows.graphs, columns.graphs))))

    def _diagonal(self, rows: Any) -> Matrix:
        def one(row: Any) -> Matrix:
            base = self._base()
            return base._diagonal(row) if isinstance(base, Histogram) else base.fit(row).diagonal()
        return np.asarray(rows.times * sum(map(one, rows), np.zeros(rows.graphs)))


def _refined(data: Dataset, rounds: int, message: Any, update: Any) -> list[Level]:
    """The data sets with the words of rounds 0 .. rounds as vertex labels. A word becomes update(word, the sum of message(word) over the
    neighbours). Labels are hashes of words, of 62 bits, and depend on the graph alone."""
    arrays = to_arrays(data, numbers=True)
    labels = one_column(arrays["vertex_labels"]) if "vertex_labels" in arrays else np.zeros(int(arrays["offsets"][-1]), np.int64)
    tails, heads = arrays["edge_index"]  # sorted by tails
    has_arcs, first = np.unique(tails, return_index=True)
    found, words = [Level(arrays, data)], mixed(labels.astype(np.uint64) + np.uint64(1))
    for _ in range(rounds):
        sums = np.zeros(len(words), np.uint64)
        with np.errstate(over="ignore"):
            if len(tails):
                sums[has_arcs] = np.add.reduceat(message(words)[heads], first)
            words = update(words, sums)
        found.append(Level({**arrays, "vertex_labels": (mixed(words) >> np.uint64(2)).astype(np.int64)}))
    return found


def colored(data: Dataset, rounds: int) -> list[Level]:
    """The data sets with the colours of rounds 0 .. rounds of 1-WL as vertex labels."""
    return _refined(data, rounds, lambda words: mixed(words + np.uint64(0x9E3779B97F4A7C15)),
                    lambda words, sums: mixed(mixed(words) * np.uint64(3) + sums))


def coded(data: Dataset, rounds: int) -> list[Level]:
    """The data sets with the Hadamard codes of rounds 0 .. rounds as vertex labels: sums over a vertex and its neighbours."""
    return _refined(data, rounds, lambda words: words, lambda words, sums: words + sums)


class CoreFramework(Framework):
    """The sum of a base kernel over the k-cores of the graphs, for all k above min_core (Nikolentzos et al.). GraKeL 0.1 ignores
    min_core."""

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, min_core: int = -1,
                 base_graph_kernel: Any = None) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize: bool = normalize
        self.min_core = min_core
        self.base_graph_kernel = base_graph_kernel

    def _base(self) -> _Kernel:
        from .kernels import ShortestPath
        return base_kernel(self.base_graph_kernel, ShortestPath)

    def _levels(self, data: Dataset) -> list[Level]:
        return self._cores(data, self.min_core)

    def fit(self, X: Any, y: Any = None) -> Any:
        """Refuses graphs without a core above min_core, whose matrix would be zero. transform() takes such graphs."""
        data = as_dataset(X)
        super().fit(data)
        cores = len(self.X_) or len(self._cores(data, -1))
        if cores and not self.X_:
            raise ArgumentError(f"min_core: found {self.min_core}, expected less than the largest core number, {cores - 1}")
        return self

    def _cores(self, data: Dataset, above: int) -> list[Level]:
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
            found.append(Level(part))
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
