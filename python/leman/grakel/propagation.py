"""GraKeL's propagation kernels: its parameters, and its random numbers, drawn in its order from the same random_state."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .. import _values as v
from .._collected import Collected
from .._convert import as_dataset
from .._convert import _add_grakel as add_grakel
from .._dataset import Dataset
from .._errors import ArgumentError
from .._graph import Graph
from .._kernels import Matrix, _Kernel, gram, kernels_of, self_similarities
from .._labels import encode
from .._library import Session, options
from . import pairs

Reals = npt.NDArray[np.float64]


class Propagation(_Kernel):
    """Distributions of labels that diffuse along the edges, hashed and counted before each of t_max - 1 steps and after the last.

    w: bin width; M: the distance that the hashes preserve, "TV" (total variation) or "H" (Hellinger); metric: only the sum of
    products, GraKeL's default. The matrix is GraKeL's for the same random_state, except where transform() meets labels that fit() did
    not: their vertices are hashed as all others are, with projections drawn for the new labels, where GraKeL 0.1 counts the last vertex
    of one graph for its neighbour in the list, too.
    """

    _distances = ("TV", "H")

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, random_state: Any = None,
                 metric: Any = None, M: str = "TV", t_max: int = 5, w: float = 0.01) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize: bool = normalize
        self.random_state = random_state
        self.metric = metric
        self.M = M
        self.t_max = t_max
        self.w = w

    def _check(self) -> None:
        v.integer(self.t_max, "t_max", 1, 4097)
        v.real(self.w, "w", "a positive number", above=0)
        if self.M not in self._distances:
            raise ArgumentError(f"M: found {self.M!r}, expected one of {', '.join(map(repr, self._distances))}")
        if self.metric is not None and getattr(self.metric, "__name__", "") != "_dot":
            raise ArgumentError("metric: found a function, expected None: the sum of products, GraKeL's default")

    def _data(self, X: Any) -> Dataset:
        data = as_dataset(X)
        if data.columns.vertex_labels != 1 and data.num_vertices:
            raise ArgumentError(f"{type(self).__name__}: found {data.columns.vertex_labels} columns of vertex labels, expected one")
        return data

    def _draw(self, columns: int) -> Reals:
        """A direction: normal, or the quotient of two normal numbers, which has a Cauchy distribution."""
        found = self.random_state_.randn(columns)
        return np.divide(found, self.random_state_.randn(columns)) if self.M in ("TV", "L1") else np.asarray(found)

    def _start(self, data: Dataset) -> None:
        """Draws the numbers of fit()."""
        found: set[Any] = set()
        for graph in data:  # the order of GraKeL's labels is that of this set
            found |= set(graph.vertex_labels or ())
        self.labels_: list[Any] = list(found)
        self.directions_: list[Any] = []
        self.offsets_: list[Any] = []
        for _ in range(int(self.t_max)):
            self.directions_.append(self._draw(len(self.labels_)))
            self.offsets_.append(self.w * self.random_state_.rand())

    def _meet(self, data: Dataset) -> None:
        """Draws directions for labels that fit() did not meet."""
        known, met = set(self.labels_), set()
        for graph in data:
            met |= set(graph.vertex_labels or ())
        fresh = sorted(met - known, key=repr)
        if fresh:
            self.labels_ = self.labels_ + fresh
            self.directions_ = [np.concatenate([own, self._draw(len(fresh))]) for own in self.directions_]

    def _projections(self) -> tuple[Any, list[Any]]:
        """leman_projections, and the arrays that must live as long."""
        numbers = encode(self.labels_, "labels")[0].reshape(-1)
        order = np.argsort(numbers)
        labels = np.ascontiguousarray(numbers[order], dtype=np.int64)
        directions = np.ascontiguousarray(np.array(self.directions_)[:, order])
        offsets = np.ascontiguousarray(self.offsets_, dtype=np.float64)
        made = options("leman_projections")
        made.columns = len(labels)
        made.label = v.pointer(labels, ctypes.c_int64)
        made.direction, made.offset = v.pointer(directions, ctypes.c_double), v.pointer(offsets, ctypes.c_double)
        return made, [labels, directions, offsets]

    def _members(self) -> dict[str, Any]:
        return {"label_width": float(self.w), "hellinger": self.M == "H"}

    def _own_kernels(self, session: Session) -> tuple[Any, list[Any]]:
        made, alive = self._projections()
        kernels = kernels_of(session, "propagation", int(self.t_max) - 1, **self._members())
        kernels[0].projections = ctypes.pointer(made)
        return kernels, [made, alive]

    def fit(self, X: Any, y: Any = None) -> Any:
        self._check()
        data = self._data(X)
        self.random_state_: np.random.RandomState = check_random_state(self.random_state)
        self._start(data)
        self.X_ = data
        self.n_graphs_in_: int = len(data)
        return self

    def transform(self, X: Any) -> Matrix:
        check_is_fitted(self, "X_")
        data = self._data(X)
        if data is not self.X_:
            self._meet(data)
        with self._session() as session:
            kernels, alive = self._own_kernels(session)
            found = gram(session, data, None if data is self.X_ else self.X_, kernels, self.normalize)
        del alive
        return found

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        return self.fit(X).transform(self.X_)  # type: ignore[no-any-return]

    def diagonal(self, X: Any = None) -> Matrix:
        check_is_fitted(self, "X_")
        data = self.X_ if X is None else self._data(X)
        if data is not self.X_:
            self._meet(data)
        with self._session() as session:
            kernels, alive = self._own_kernels(session)
            found = self_similarities(session, data, kernels)
        del alive
        return (found > 0).astype(np.float64) if self.normalize else found

    def _kernels(self, session: Session) -> Any:
        raise ArgumentError(f"found {type(self).__name__}, whose random numbers are GraKeL's; expected leman.PropagationKernel in a sum of kernels")


def attributed_lists(graphs: Any) -> Dataset:
    """Graphs as GraKeL takes them, whose labels are vectors, as a data set with attributes."""
    listed = graphs if isinstance(graphs, (Dataset, Graph)) else v.listed(graphs, "graphs")
    if isinstance(listed, (Dataset, Graph)) or any(isinstance(graph, Graph) for graph in listed):
        return pairs.attributed(listed)
    found = Collected()
    for place, graph in enumerate(listed):
        if hasattr(graph, "get_edge_dictionary"):
            graph.desired_format("dictionary")
            graph = (graph.get_edge_dictionary(), graph.get_labels(purpose="dictionary"))
        if not isinstance(graph, (list, tuple)) or len(graph) < 2:
            raise ArgumentError(f"graph {place}: found {v.shown(graph)}, expected [edges, attributes of vertices]")
        vectors = graph[1] if isinstance(graph[1], dict) else dict(enumerate(graph[1]))
        add_grakel(found, [graph[0], vectors], place)  # its vertices are those of the dictionary, in that order
        found.vertex_labels[-1] = None
        try:
            rows = np.array(list(vectors.values()), dtype=np.float64)
        except (TypeError, ValueError):
            raise ArgumentError(f"graph {place}: found attributes that are no vectors of one length, expected a vector for each vertex") from None
        found.vertex_attributes[-1] = rows.reshape(len(rows), -1) if rows.size else None
    return found.dataset(None)


class PropagationAttr(Propagation):
    """Vectors of attributes that diffuse along the edges, hashed and counted as in Propagation. w: bin width of each attribute; M: "L1"
    or "L2"."""

    _distances = ("L1", "L2")

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, random_state: Any = None,
                 metric: Any = None, M: str = "L1", t_max: int = 5, w: float = 4) -> None:
        super().__init__(n_jobs, verbose, normalize, random_state, metric, M, t_max, w)

    def _data(self, X: Any) -> Dataset:
        return attributed_lists(X)

    def _start(self, data: Dataset) -> None:
        self.attributes_: int = int(data.columns.vertex_attributes)
        self.directions_: list[Any] = []
        self.offsets_: list[Any] = []
        for _ in range(int(self.t_max)):
            self.directions_.append(self._draw(self.attributes_))
            self.offsets_.append(self.w * self.random_state_.randn(self.attributes_))

    def _meet(self, data: Dataset) -> None:
        found = int(data.columns.vertex_attributes)
        if found != self.attributes_ and data.num_vertices:
            raise ArgumentError(f"graphs: found {found} vertex attributes, expected {self.attributes_}, as fit() had")

    def _projections(self) -> tuple[Any, list[Any]]:
        directions, offsets = np.array(self.directions_), np.array(self.offsets_)
        made = options("leman_projections")
        made.columns, made.separate = self.attributes_, True
        made.direction, made.offset = v.pointer(directions, ctypes.c_double), v.pointer(offsets, ctypes.c_double)
        return made, [directions, offsets]

    def _members(self) -> dict[str, Any]:
        return {"bin_width": float(self.w), "binnings": 1}
