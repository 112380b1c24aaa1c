"""GraphKernel: GraKeL's kernels by their names."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from .. import _values as v
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError
from .._kernels import Matrix
from . import kernels as k

NAMES: dict[str, Any] = {name: kind for kind, names in (
    (k.VertexHistogram, "vertex_histogram subtree_wl VH ST-WL"), (k.EdgeHistogram, "edge_histogram EH"),
    (k.ShortestPath, "shortest_path SP"), (k.GraphletSampling, "graphlet_sampling GR"), (k.WeisfeilerLehman, "weisfeiler_lehman WL"),
    (k.WeisfeilerLehmanOptimalAssignment, "weisfeiler_lehman_optimal_assignment WL-OA"), (k.CoreFramework, "core_framework CORE"),
    (k.NeighborhoodHash, "neighborhood_hash NH"), (k.HadamardCode, "hadamard_code HC"),
    (k.NeighborhoodSubgraphPairwiseDistance, "neighborhood_subgraph_pairwise_distance NSPD"), (k.OddSth, "odd_sth ODD"),
    (k.RandomWalk, "random_walk RW"), (k.RandomWalkLabeled, "random_walk_labeled RW-L"),
    (k.PyramidMatch, "pyramid_match PM"), (k.GraphHopper, "graph_hopper GH"),
    (k.Propagation, "propagation PR"))
    for name in names.split()}


def _made(listed: list[Any]) -> Any:
    """(class, parameters) of a list of names or dictionaries: each is the base kernel of the one before."""
    first, rest = listed[0], listed[1:]
    named: dict[str, Any] = {"name": first} if isinstance(first, str) else dict(first) if isinstance(first, dict) else {}
    name = named.pop("name", None)
    if name not in NAMES:
        raise ArgumentError(f"kernel: found {v.shown(first)}, expected one of {', '.join(NAMES)}, or a dictionary with such a name; "
                            "leman.WLKernel has colourings of higher order")
    if NAMES[name] is k.RandomWalk and named.pop("with_labels", False):
        name = "random_walk_labeled"
    if rest:
        if NAMES[name] not in (k.WeisfeilerLehman, k.HadamardCode, k.CoreFramework):
            raise ArgumentError(f"kernel: found a base kernel behind {name!r}, expected one only behind weisfeiler_lehman, hadamard_code and "
                                "core_framework")
        named["base_graph_kernel"] = _made(rest)
    if NAMES[name] is k.Propagation and named.pop("with_attributes", False):
        return k.PropagationAttr, named
    return NAMES[name], named


def _listed(X: Any) -> Any:
    """Graphs that can be taken one by one, twice. Lists stay what they are: kernels read weights and attributes in them."""
    if isinstance(X, (Dataset, list)):
        return X
    return list(X) if isinstance(X, tuple) or hasattr(X, "__next__") else as_dataset(X)


class GraphKernel(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A kernel by its name in GraKeL: GraphKernel("shortest_path"), GraphKernel({"name": "weisfeiler_lehman", "n_iter": 3}), or with a base
    kernel GraphKernel(["weisfeiler_lehman", "shortest_path"]). Nystroem: True or a number of graphs: features of so many columns instead of
    a Gram matrix."""

    def __init__(self, kernel: Any = "shortest_path", normalize: bool = False, verbose: bool = False, n_jobs: int | None = None,
                 random_state: Any = None, Nystroem: Any = False) -> None:
        self.kernel = kernel
        self.normalize: bool = normalize
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.Nystroem = Nystroem

    def _kernel(self) -> Any:
        kind, parameters = _made(list(self.kernel) if isinstance(self.kernel, (list, tuple)) else [self.kernel])
        return kind(**parameters).set_params(normalize=self.normalize, verbose=self.verbose, n_jobs=self.n_jobs)

    def fit(self, X: Any, y: Any = None) -> GraphKernel:
        made = self._kernel()
        if self.Nystroem is False:
            self.kernel_: Any = made.fit(X)
            return self
        graphs = _listed(X)
        count = 100 if self.Nystroem is True else v.integer(self.Nystroem, "Nystroem", 1)
        self.components_: Any = check_random_state(self.random_state).permutation(len(graphs))[:count]
        numbers = np.sort(self.components_)
        chosen = graphs.select(numbers) if isinstance(graphs, Dataset) else [graphs[i] for i in numbers.tolist()]
        self.kernel_ = made.fit(chosen)
        values, vectors = np.linalg.eigh(self.kernel_.transform(chosen))
        kept = values > max(1e-12, 1e-10 * values.max(initial=0))
        self.nystroem_normalization_: Matrix = vectors[:, kept] / np.sqrt(values[kept])
        return self

    def transform(self, X: Any) -> Matrix:
        check_is_fitted(self, "kernel_")
        found = self.kernel_.transform(X)
        return found if self.Nystroem is False else np.asarray(found @ self.nystroem_normalization_)

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        graphs = _listed(X)
        if self.Nystroem is not False:
            return self.fit(graphs).transform(graphs)
        self.kernel_ = self._kernel()
        return np.asarray(self.kernel_.fit_transform(graphs))

    def diagonal(self, X: Any = None) -> Matrix:
        check_is_fitted(self, "kernel_")
        return np.asarray(self.kernel_.diagonal(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags
