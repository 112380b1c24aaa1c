"""GraKeL's names on Leman: a script runs by writing `leman.grakel` where it imported `grakel`.

Kernels are in `kernels`, `fetch_dataset` and `generate_dataset` in `datasets`, converters and helpers in `utils`. 1-WL, WLOA, shortest
paths, histograms and the frameworks give the numbers that GraKeL gives; n_iter = h means the h + 1 levels 0 .. h, as there.
"""
from typing import Any

from . import datasets, kernels, utils
from .computed import Kernel
from .frameworks import CoreFramework
from .histograms import EdgeHistogram, VertexHistogram
from .graph_kernels import GraphKernel
from .kernels import (
    GraphletSampling,
    HadamardCode,
    NeighborhoodHash,
    NeighborhoodSubgraphPairwiseDistance,
    OddSth,
    ShortestPath,
    WeisfeilerLehman,
    WeisfeilerLehmanOptimalAssignment,
)
from .pairs import GraphHopper, PyramidMatch, RandomWalk, RandomWalkLabeled
from .propagation import Propagation, PropagationAttr
from .utils import (
    Graph,
    KMTransformer,
    cross_validate_Kfold_SVM,
    graph_from_csv,
    graph_from_networkx,
    graph_from_pandas,
    graph_from_torch_geometric,
)

__all__ = ["CoreFramework", "EdgeHistogram", "Graph", "GraphKernel", "GraphletSampling", "HadamardCode", "KMTransformer", "Kernel",
           "NeighborhoodHash", "NeighborhoodSubgraphPairwiseDistance", "OddSth", "Propagation", "PropagationAttr", "ShortestPath",
           "VertexHistogram", "WeisfeilerLehman", "WeisfeilerLehmanOptimalAssignment", "cross_validate_Kfold_SVM", "datasets", "graph_from_csv",
           "graph_from_networkx", "graph_from_pandas", "graph_from_torch_geometric", "kernels", "utils",
           "GraphHopper", "PyramidMatch", "RandomWalk", "RandomWalkLabeled"]


def __getattr__(name: str) -> Any:
    kernels.refuse_unserved(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
