"""GraphKernel: GraKeL's kernels by their names."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .. import _values as v
from .._errors import ArgumentError
from .._kernels import Matrix
from . import kernels as k

NAMES: dict[str, Any] = {name: kind for kind, names in (
    (k.VertexHistogram, "vertex_histogram subtree_wl VH ST-WL"), (k.EdgeHistogram, "edge_histogram EH"),
    (k.ShortestPath, "shortest_path SP"), (k.GraphletSampling, "graphlet_sampling GR"), (k.WeisfeilerLehman, "weisfeiler_lehman WL"),
    (k.WeisfeilerLehmanOptimalAssignment, "weisfeiler_lehman_optimal_assignment WL-OA"), (k.CoreFramework, "core_framework CORE"),
    (k.NeighborhoodHash, "neighborhood_hash NH"), (k.HadamardCode, "hadamard_code HC"),
    (k.NeighborhoodSubgraphPairwiseDistance, "neighborhood_subgraph_pairwise_distance NSPD"), (k.OddSth, "odd_sth ODD"))
    for name in names.split()}


def _made(listed: list[Any]) -> Any:
    """(class, parameters) of a list of names or dictionaries: each is the base kernel of the one before."""
    first, rest = listed[0], listed[1:]
    named: dict[str, Any] = {"name": first} if isinstance(first, str) else dict(first) if isinstance(first, dict) else {}
    name = named.pop("name", None)
    if name not in NAMES:
        raise ArgumentError(f"kernel: found {v.shown(first)}, expected one of {', '.join(NAMES)}, or a dictionary with such a name; "
                            "leman.WLKernel has colourings of higher order")
    if rest:
        if NAMES[name] not in (k.WeisfeilerLehman, k.HadamardCode, k.CoreFramework):
            raise ArgumentError(f"kernel: found a base kernel behind {name!r}, expected one only behind weisfeiler_lehman, hadamard_code and "
                                "core_framework")
        named["base_graph_kernel"] = _made(rest)
    return NAMES[name], named


class GraphKernel(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A kernel by its name in GraKeL: GraphKernel("shortest_path"), GraphKernel({"name": "weisfeiler_lehman", "n_iter": 3}), or with a base
    kernel GraphKernel(["weisfeiler_lehman", "shortest_path"]). Nystroem: True or a number of graphs: features of so many columns instead of
    a Gram matrix."""

    def __init__(self, kernel: Any = "shortest_path", normalize: bool = False, verbose: bool = False, n_jobs: int | None = None,
                 random_state: Any = None, Nystroem: Any = False) -> None:
        self.kernel = kernel
        self.normalize = normalize
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.Nystroem = Nystroem

    def fit(self, X: Any, y: Any = None) -> GraphKernel:
        from .._convert import as_dataset
        kind, parameters = _made(list(self.kernel) if isinstance(self.kernel, (list, tuple)) else [self.kernel])
        made = kind(**parameters).set_params(normalize=self.normalize, verbose=self.verbose, n_jobs=self.n_jobs)
        data = as_dataset(X)
        if self.Nystroem is False:
            self.kernel_ = made.fit(data)
            return self
        count = 100 if self.Nystroem is True else v.integer(self.Nystroem, "Nystroem", 1)
        self.components_ = check_random_state(self.random_state).permutation(len(data))[:count]
        chosen = data.select(np.sort(self.components_))
        self.kernel_ = made.fit(chosen)
        values, vectors = np.linalg.eigh(self.kernel_.transform(chosen))
        kept = values > max(1e-12, 1e-10 * values.max(initial=0))
        self.nystroem_normalization_ = vectors[:, kept] / np.sqrt(values[kept])
        return self

    def transform(self, X: Any) -> Matrix:
        check_is_fitted(self, "kernel_")
        found = self.kernel_.transform(X)
        return found if self.Nystroem is False else np.asarray(found @ self.nystroem_normalization_)

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        from .._convert import as_dataset
        data = as_dataset(X)
        return self.fit(data).transform(data)

    def diagonal(self, X: Any = None) -> Matrix:
        check_is_fitted(self, "kernel_")
        return np.asarray(self.kernel_.diagonal(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags
