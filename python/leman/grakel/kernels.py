"""GraKeL's kernels with GraKeL's arguments and defaults."""
from __future__ import annotations

from typing import Any

import numpy as np

from .. import _values as v
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError, warn
from .._kernels import Matrix, _Kernel, kernels_of
from .._library import Session
from .computed import Kernel
from .frameworks import CoreFramework, Framework, Level, Levels, base_kernel, coded, colored
from .histograms import EdgeHistogram, Histogram, VertexHistogram
from .neighborhoods import NeighborhoodHash, NeighborhoodSubgraphPairwiseDistance, OddSth
from .pairs import GraphHopper, PyramidMatch, RandomWalk, RandomWalkLabeled
from .propagation import Propagation, PropagationAttr
from .weights import Weighted

__all__ = ["CoreFramework", "EdgeHistogram", "GraphHopper", "GraphletSampling", "HadamardCode", "Kernel", "NeighborhoodHash",
           "NeighborhoodSubgraphPairwiseDistance", "OddSth", "Propagation", "PropagationAttr", "PyramidMatch", "RandomWalk", "RandomWalkLabeled", "ShortestPath",
           "VertexHistogram", "WeisfeilerLehman", "WeisfeilerLehmanOptimalAssignment"]

_ATTRIBUTES = "leman.nn.GraphNetwork learns from attributes"
_SERVED_BY = {
    "LovaszTheta": "leman.WLKernel('delta-2-LWL')", "MultiscaleLaplacian": _ATTRIBUTES,
    "ShortestPathAttr": "GraphHopper, which compares shortest paths by the attributes of their vertices",
    "SubgraphMatching": "leman.WLKernel('delta-3-LWL')", "SvmTheta": "leman.WLKernel('delta-2-LWL')",
}


def refuse_unserved(name: str) -> None:
    """Raises an ImportError that names the nearest kernel, if it is the name of a kernel of GraKeL."""
    if name in _SERVED_BY:
        raise ImportError(f"leman.grakel has no {name}; nearest: {_SERVED_BY[name]}")


def __getattr__(name: str) -> Any:
    refuse_unserved(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class _Refinement(Framework):
    """The sum of a base kernel over the graphs whose labels a refinement replaces, level by level. Over histograms of labels, the library
    computes the sum itself."""

    def _base(self) -> _Kernel:
        return base_kernel(getattr(self, "base_graph_kernel"), VertexHistogram)

    def _histograms(self, session: Session) -> Any:
        raise NotImplementedError

    def _rounds(self) -> int:
        """How many levels there are beside the first."""
        raise NotImplementedError

    def _parsed(self, X: Any) -> Any:
        """A base kernel that does not read vertex labels is the same on every level."""
        base = self._base()
        if base._reads_vertex_labels():
            return super()._parsed(X)
        times = self._rounds() + 1
        if isinstance(base, Histogram):
            counts = base._parsed(X)
            return Levels([counts], counts.table.shape[0], times)
        data = as_dataset(X)
        return Levels([data], len(data), times)

    def _over_histograms(self) -> bool:
        given = getattr(self, "base_graph_kernel")
        return given is None or given is VertexHistogram or isinstance(self._base(), VertexHistogram)

    def _way(self) -> Any:
        return _Kernel if self._over_histograms() else Framework

    def _kernels(self, session: Session) -> Any:
        return self._histograms(session) if self._over_histograms() else super()._kernels(session)

    def fit(self, X: Any, y: Any = None) -> Any:
        return self._way().fit(self, X)

    def transform(self, X: Any) -> Matrix:
        return np.asarray(self._way().transform(self, X))

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        return np.asarray(self._way().fit_transform(self, X))

    def diagonal(self, X: Any = None) -> Matrix:
        return np.asarray(self._way().diagonal(self, X))


class WeisfeilerLehman(_Refinement):
    """1-WL over the levels 0 .. n_iter, edge labels aside: the subtree kernel, or the sum of another kernel over the graphs whose labels are the
    colours of each level. GraKeL's arguments and defaults.

    Parameters
    ----------
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    normalize : bool
        Divide by the roots of k(G, G) and k(H, H).
    n_iter : int
        The last level.
    base_graph_kernel : class, or tuple of a class and its parameters
        The kernel of each level.

    Examples
    --------
    >>> import leman
    >>> triangle = [[[0, 1, 1], [1, 0, 1], [1, 1, 0]], {0: "a", 1: "a", 2: "a"}]
    >>> path = [[[0, 1, 0], [1, 0, 1], [0, 1, 0]], {0: "a", 1: "a", 2: "b"}]
    >>> leman.WeisfeilerLehman(n_iter=1).fit_transform([triangle, path]).tolist()
    [[18.0, 6.0], [6.0, 8.0]]
    """

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, n_iter: int = 5,
                 base_graph_kernel: Any = VertexHistogram) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize: bool = normalize
        self.n_iter = n_iter
        self.base_graph_kernel = base_graph_kernel

    def _rounds(self) -> int:
        return v.integer(self.n_iter, "n_iter", 0)

    def _levels(self, data: Dataset) -> list[Level]:
        return colored(data, self._rounds())

    def _histograms(self, session: Session) -> Any:
        return kernels_of(session, "1-WL", self.n_iter, ignore_edge_labels=True)


class HadamardCode(_Refinement):
    """The sum of a base kernel (a class, or (class, parameters)) over n_iter levels. On the first level a label is its row of a Hadamard
    matrix; on every further level the label of a vertex is its label plus those of its neighbours (Kataoka and Inokuchi 2016). The rows are
    linearly independent, so sums of random words stand for them, and data sets with different labels are comparable."""

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, n_iter: int = 5,
                 base_graph_kernel: Any = None) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize: bool = normalize
        self.n_iter = n_iter
        self.base_graph_kernel = base_graph_kernel

    def _rounds(self) -> int:
        return v.integer(self.n_iter, "n_iter", 1, 256) - 1

    def _levels(self, data: Dataset) -> list[Level]:
        return coded(data, self._rounds())

    def _histograms(self, session: Session) -> Any:
        return kernels_of(session, "HC", 0, radius=self._rounds())


class WeisfeilerLehmanOptimalAssignment(_Kernel):
    """WLOA: histogram intersection over the levels 0 .. n_iter, edge labels aside. GraKeL's arguments and defaults.

    Parameters
    ----------
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    normalize : bool
        Divide by the roots of k(G, G) and k(H, H).
    n_iter : int
        The last level.
    sparse : bool
        Without effect; GraKeL has it.

    Examples
    --------
    >>> import leman
    >>> triangle = [[[0, 1, 1], [1, 0, 1], [1, 1, 0]], {0: "a", 1: "a", 2: "a"}]
    >>> path = [[[0, 1, 0], [1, 0, 1], [0, 1, 0]], {0: "a", 1: "a", 2: "b"}]
    >>> leman.WeisfeilerLehmanOptimalAssignment(n_iter=1).fit_transform([triangle, path]).tolist()
    [[6.0, 2.0], [2.0, 6.0]]
    """

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, n_iter: int = 5,
                 sparse: bool = False) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize: bool = normalize
        self.n_iter = n_iter
        self.sparse = sparse

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, "WLOA", self.n_iter, ignore_edge_labels=True)


class ShortestPath(Weighted):
    """Shortest paths by (label, label, length). If an edge has a weight that is not 1, weights are lengths. GraKeL's arguments and defaults.

    Parameters
    ----------
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    normalize : bool
        Divide by the roots of k(G, G) and k(H, H).
    verbose : bool
        Draw a progress bar.
    with_labels : bool
        False: by length alone.
    algorithm_type : str
        "auto", "dijkstra" or "floyd_warshall", which give the same numbers.

    Examples
    --------
    >>> import leman
    >>> triangle = [[[0, 1, 1], [1, 0, 1], [1, 1, 0]], {0: "a", 1: "a", 2: "a"}]
    >>> path = [[[0, 1, 0], [1, 0, 1], [0, 1, 0]], {0: "a", 1: "a", 2: "b"}]
    >>> leman.ShortestPath().fit_transform([triangle, path]).tolist()
    [[36.0, 12.0], [12.0, 8.0]]
    """

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, with_labels: bool = True,
                 algorithm_type: str = "auto") -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.with_labels = with_labels
        self.algorithm_type = algorithm_type

    def _reads_vertex_labels(self) -> bool:
        return bool(self.with_labels)

    def _kernels(self, session: Session) -> Any:
        if self.algorithm_type not in ("auto", "dijkstra", "floyd_warshall"):
            raise ArgumentError(f"algorithm_type: found {v.shown(self.algorithm_type)}, expected 'auto', 'dijkstra' or 'floyd_warshall', which give "
                                "the same numbers")
        return kernels_of(session, "SP", 0, ignore_vertex_labels=not self.with_labels, weighted=self.weighted_)


class GraphletSampling(_Kernel):
    """All connected graphlets of k vertices without labels, counted, not sampled (GraKeL's sampling=None). GraKeL's arguments and defaults.

    Parameters
    ----------
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    normalize : bool
        Divide by the roots of k(G, G) and k(H, H).
    verbose : bool
        Draw a progress bar.
    random_state : int, optional
        Without effect; GraKeL has it.
    k : int
        3, 4 or 5.
    sampling : dict, optional
        Graphlets are counted all the same, which a warning says.

    Examples
    --------
    >>> import leman
    >>> triangle = [[[0, 1, 1], [1, 0, 1], [1, 1, 0]], {0: "a", 1: "a", 2: "a"}]
    >>> path = [[[0, 1, 0], [1, 0, 1], [0, 1, 0]], {0: "a", 1: "a", 2: "b"}]
    >>> leman.GraphletSampling(k=3).fit_transform([triangle, path]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, random_state: Any = None,
                 k: int = 5, sampling: Any = None) -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.random_state = random_state
        self.k = k
        self.sampling = sampling

    def _reads_vertex_labels(self) -> bool:
        return False

    def _kernels(self, session: Session) -> Any:
        if isinstance(self.k, bool) or self.k not in (3, 4, 5):
            raise ArgumentError(f"k: found {self.k!r}, expected 3, 4 or 5")
        if self.sampling is not None:
            warn(f"sampling: found {v.shown(self.sampling)}, which is not used; all graphlets are counted")
        return kernels_of(session, f"GR:{int(self.k)}", 0, ignore_vertex_labels=True, ignore_edge_labels=True)
