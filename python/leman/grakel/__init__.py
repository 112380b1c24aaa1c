"""GraKeL's names on Leman: a script runs by writing `leman.grakel` where it imported `grakel`.

Kernels are in `kernels`, `fetch_dataset` and `generate_dataset` in `datasets`, converters and helpers in `utils`. 1-WL, WLOA, shortest
paths, histograms and the frameworks give the numbers that GraKeL gives; n_iter = h means the h + 1 levels 0 .. h, as there.
"""
from typing import Any

from . import datasets, kernels, utils
from .frameworks import CoreFramework, EdgeHistogram, Kernel
from .graph_kernels import GraphKernel
from .kernels import (
    GraphletSampling,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
    WeisfeilerLehmanOptimalAssignment,
)
from .utils import (
    Graph,
    KMTransformer,
    cross_validate_Kfold_SVM,
    graph_from_csv,
    graph_from_networkx,
    graph_from_pandas,
    graph_from_torch_geometric,
)

__all__ = ["CoreFramework", "EdgeHistogram", "Graph", "GraphKernel", "GraphletSampling", "KMTransformer", "Kernel", "ShortestPath",
           "VertexHistogram", "WeisfeilerLehman", "WeisfeilerLehmanOptimalAssignment", "cross_validate_Kfold_SVM", "datasets", "graph_from_csv",
           "graph_from_networkx", "graph_from_pandas", "graph_from_torch_geometric", "kernels", "utils"]

_ATTRIBUTES = "leman.nn.GraphNetwork learns from attributes"
_SERVED_BY = {
    "GraphHopper": _ATTRIBUTES, "HadamardCode": "WeisfeilerLehman, which distinguishes at least as many graphs",
    "LovaszTheta": "leman.WLKernel('delta-2-LWL')", "MultiscaleLaplacian": _ATTRIBUTES,
    "NeighborhoodHash": "WeisfeilerLehman, whose colours are hashes of neighbourhoods without collisions of small hashes",
    "NeighborhoodSubgraphPairwiseDistance": "leman.WLKernel('delta-2-LWL', components=2), which colours pairs at all distances",
    "OddSth": "WeisfeilerLehman", "Propagation": "WeisfeilerLehman", "PropagationAttr": _ATTRIBUTES,
    "PyramidMatch": "WeisfeilerLehmanOptimalAssignment", "RandomWalk": "ShortestPath or WeisfeilerLehman",
    "RandomWalkLabeled": "ShortestPath or WeisfeilerLehman", "ShortestPathAttr": _ATTRIBUTES,
    "SubgraphMatching": "leman.WLKernel('delta-3-LWL')", "SvmTheta": "leman.WLKernel('delta-2-LWL')",
}


def __getattr__(name: str) -> Any:
    if name in _SERVED_BY:
        raise ImportError(f"leman.grakel has no {name}; nearest: {_SERVED_BY[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
