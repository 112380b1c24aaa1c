"""Kernels of GraKeL that the library computes pair by pair."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from .. import _values as v
from .._arrays import from_arrays, to_arrays
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError, warn
from .._kernels import Matrix, _Kernel, kernels_of
from .._library import Session
from .weights import Weighted


def chosen(value: Any, name: str, among: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in among:
        raise ArgumentError(f"{name}: found {v.shown(value)}, expected one of {', '.join(among)}")
    return value


class RandomWalk(Weighted):
    """Pairs of walks of equal length, one in each graph, labels aside: a pair of walks of s steps counts lamda^s times (kernel_type
    "geometric") or lamda^s / s! times ("exponential"). p: only walks of at most p steps. method_type is accepted; both methods are exact here.

    The geometric sum over all walks is finite only if lamda times the square of the largest spectral radius is below 1. A larger lamda is
    replaced by 0.9 of that limit when the kernel is fitted, with a warning, as in GraKeL; lamda_ is the number that is used."""

    _method = "RandomWalk"

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, lamda: float = 0.1,
                 method_type: str = "fast", kernel_type: str = "geometric", p: int | None = None) -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.lamda = lamda
        self.method_type = method_type
        self.kernel_type = kernel_type
        self.p = p

    def _kernels(self, session: Session) -> Any:
        chosen(self.method_type, "method_type", ("baseline", "fast"))
        lamda = getattr(self, "lamda_", v.real(self.lamda, "lamda", "a number above 0"))
        if not lamda > 0:
            raise ArgumentError(f"lamda: found {v.shown(self.lamda)}, expected a number above 0")
        return kernels_of(session, self._method, 0, **{
            "lambda": lamda, "exponential": chosen(self.kernel_type, "kernel_type", ("geometric", "exponential")) == "exponential",
            "steps": None if self.p is None else v.integer(self.p, "p", 1),
            "weighted": self.weighted_})

    def _reads_vertex_labels(self) -> bool:
        return self._method == "RandomWalkLabeled"

    def _resolved(self, session: Session, data: Dataset) -> Any:
        if not hasattr(self, "lamda_"):
            self._kernels(session)  # refuses wrong parameters before work begins
            self.lamda_: float = self._converging(session, data)
        return self._kernels(session)

    def _converging(self, session: Session, data: Dataset) -> float:
        """lamda, or 0.9 of its limit on these graphs."""
        lamda = float(self.lamda)
        if self.kernel_type != "geometric" or self.p is not None:
            return lamda
        radius = ctypes.c_double()
        session.call("leman_spectral_radius", data._handle.pointer, self.weighted_, ctypes.byref(radius))
        limit = 1 / radius.value ** 2 if radius.value > 0 else float("inf")
        if lamda < limit:
            return lamda
        warn(f"lamda: found {lamda:g}, with which the sum over walks diverges on these graphs; {0.9 * limit:.4g} is used, 0.9 of the limit. A "
             "smaller lamda, or p, a number of steps, avoids this")
        return 0.9 * limit

    def fit(self, X: Any, y: Any = None) -> Any:
        self.__dict__.pop("lamda_", None)
        return super().fit(X)

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        self.__dict__.pop("lamda_", None)
        return super().fit_transform(X)


class RandomWalkLabeled(RandomWalk):
    """RandomWalk over walks whose vertices have equal labels at every step. A pair of vertices with different labels counts 1, for its
    walk of no steps, as in GraKeL."""

    _method = "RandomWalkLabeled"


class PyramidMatch(Weighted):
    """Vertices as points, whose coordinates are the absolute entries of the d leading eigenvectors of the adjacency matrix, matched in
    cells of 2^0, 2^1, ..., 2^(L-1) to a coordinate: the kernel of Nikolentzos et al. (2017). with_labels: only vertices of one label match.

    GraKeL 0.1 adds the whole sum again at each of its levels: its number is the sum over l = 1 .. L of 2^(l - L) times this kernel with l
    levels. Eigenvectors of an eigenvalue that occurs several times are not unique; there the two libraries may differ."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, with_labels: bool = True, d: int = 6,
                 L: int = 4) -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.with_labels = with_labels
        self.d = d
        self.L = L

    def _kernels(self, session: Session) -> Any:
        levels = v.integer(self.L, "L", 1, 16)
        made = kernels_of(session, "PyramidMatch", 0, dimensions=v.integer(self.d, "d", 1, 64), levels=levels,
                          ignore_vertex_labels=not self.with_labels, weighted=self.weighted_)
        made[0].weight = 2.0 ** (1 - levels)  # the library's kernel is this times larger, an integer
        return made


class GraphHopper(_Kernel):
    """Pairs of shortest paths of equal length, whose vertices are compared step by step by their attributes: "linear" (scalar product),
    "gaussian" or ("gaussian", mu) (exp(-mu |x - y|^2)), or "bridge" (max(0, 1 - |x - y| / 4)). Paths count edges, whatever their weights.

    Attributes are the vertex attributes of a leman.Dataset, or vectors of numbers in the place of GraKeL's node labels."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, kernel_type: Any = "linear") -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.kernel_type = kernel_type

    def _kernels(self, session: Session) -> Any:
        kind, mu = self.kernel_type if isinstance(self.kernel_type, tuple) and len(self.kernel_type) == 2 else (self.kernel_type, 1.0)
        kind = chosen(kind, "kernel_type", ("linear", "gaussian", "bridge"))
        return kernels_of(session, f"GraphHopper:{kind}", 0, mu=v.real(mu, "mu", "a number above 0"))

    def fit(self, X: Any, y: Any = None) -> Any:
        return super().fit(attributed(X))

    def transform(self, X: Any) -> Matrix:
        return super().transform(attributed(X))

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        return super().fit_transform(attributed(X))

    def diagonal(self, X: Any = None) -> Matrix:
        return super().diagonal(None if X is None else attributed(X))


def attributed(X: Any) -> Dataset:
    """The graphs with vertex attributes; labels that are vectors of numbers become attributes."""
    data = as_dataset(X)
    if data.columns.vertex_attributes or not data.columns.vertex_labels:
        return data
    arrays = to_arrays(data)
    try:
        found = np.array([np.asarray(label, dtype=np.float64) for label in arrays.pop("vertex_labels")])
    except (TypeError, ValueError):
        return data
    if found.ndim != 2:
        return data
    return from_arrays(**{**arrays, "vertex_attributes": found})
