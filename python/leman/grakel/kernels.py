"""GraKeL's kernels with GraKeL's arguments and defaults."""
from __future__ import annotations

from typing import Any

from .._errors import ArgumentError
from .._kernels import _Kernel, kernels_of
from .._library import Session


class VertexHistogram(_Kernel):
    """Products of histograms of vertex labels: round 0 of colour refinement."""

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, sparse: Any = "auto") -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize = normalize
        self.sparse = sparse

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, "1-WL", 0, ignore_edge_labels=True)


class WeisfeilerLehman(_Kernel):
    """The subtree kernel: 1-WL over the levels 0 .. n_iter, edge labels aside."""

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, n_iter: int = 5,
                 base_graph_kernel: Any = VertexHistogram) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize = normalize
        self.n_iter = n_iter
        self.base_graph_kernel = base_graph_kernel

    def _kernels(self, session: Session) -> Any:
        base = self.base_graph_kernel
        base = base[0] if isinstance(base, tuple) else base
        if base is not None and getattr(base, "__name__", type(base).__name__) != "VertexHistogram":
            raise ArgumentError(f"base_graph_kernel: found {base!r}, expected VertexHistogram")
        return kernels_of(session, "1-WL", self.n_iter, ignore_edge_labels=True)


class WeisfeilerLehmanOptimalAssignment(_Kernel):
    """WLOA: histogram intersection over the levels 0 .. n_iter, edge labels aside."""

    def __init__(self, n_jobs: int | None = None, verbose: bool = False, normalize: bool = False, n_iter: int = 5,
                 sparse: bool = False) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.normalize = normalize
        self.n_iter = n_iter
        self.sparse = sparse

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, "WLOA", self.n_iter, ignore_edge_labels=True)


class ShortestPath(_Kernel):
    """Shortest paths by (label, label, length); with_labels=False: by length alone."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, with_labels: bool = True,
                 algorithm_type: str = "auto") -> None:
        self.n_jobs = n_jobs
        self.normalize = normalize
        self.verbose = verbose
        self.with_labels = with_labels
        self.algorithm_type = algorithm_type

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, "SP", 0, ignore_vertex_labels=not self.with_labels)


class GraphletSampling(_Kernel):
    """All connected graphlets of k vertices without labels, counted, not sampled (GraKeL's sampling=None)."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, random_state: Any = None,
                 k: int = 5, sampling: Any = None) -> None:
        self.n_jobs = n_jobs
        self.normalize = normalize
        self.verbose = verbose
        self.random_state = random_state
        self.k = k
        self.sampling = sampling

    def _kernels(self, session: Session) -> Any:
        if isinstance(self.k, bool) or self.k not in (3, 4, 5):
            raise ArgumentError(f"k: found {self.k!r}, expected 3, 4 or 5")
        return kernels_of(session, f"GR:{int(self.k)}", 0, ignore_vertex_labels=True, ignore_edge_labels=True)
