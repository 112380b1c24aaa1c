"""Leman: sparse higher-order Weisfeiler-Leman. Data sets, kernels and features with scikit-learn's manners, models, networks.

    import leman
    data = leman.Dataset.read("MUTAG.zip")
    gram = leman.WLKernel(method="delta-2-LWL", rounds=5).fit_transform(data)
    print(leman.evaluate(data, methods=["1-WL", "delta-2-LWL"]))

Wherever a data set is taken, a list of networkx graphs (or of PyG, igraph, GraKeL, RDKit objects, or SMILES) is taken too.
"""
from ._canonical import Symmetry, canonical, isomorphic, isomorphism, symmetry
from ._colors import (
    Difference,
    Dimension,
    Explanation,
    GraphDimensions,
    TupleColors,
    colors,
    dimension,
    dimension_pairs,
    distinguish,
    distinguish_pairs,
    wl_equivalent,
)
from ._convert import as_dataset
from ._counts import GraphletKernel, PropagationKernel, ShortestPathKernel
from ._dataset import Dataset, generate
from ._errors import (
    ArgumentError,
    CancelledError,
    DataWarning,
    DeviceError,
    Error,
    FileError,
    InputError,
    InternalError,
    MemoryBudgetError,
    MissingFileError,
    NetworkError,
    OutOfMemoryError,
    RefusedFileError,
    UnsupportedError,
)
from ._graph import Graph
from . import grakel, nn
from ._evaluate import compare, evaluate
from .grakel.kernels import (
    GraphletSampling,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
    WeisfeilerLehmanOptimalAssignment,
)
from ._kernels import SumKernel, WLKernel
from ._library import __version__
from ._explain import VertexExplanation
from ._gaussian import GraphGPR
from ._hashes import graph_classes, graph_hash, stable_round, wl_hash
from ._models import GraphSVC, GraphSVR, load_model
from ._neighbors import Clusters, Neighbors, clusters, neighbors
from ._results import Comparison, Evaluation
from ._tuples import Tuples, tuples
from ._vectorizer import WLVectorizer

__all__ = [
    "ArgumentError", "CancelledError", "Clusters", "Comparison", "DataWarning", "Dataset", "DeviceError", "Difference", "Dimension",
    "Error", "Evaluation", "Explanation", "FileError", "Graph", "GraphDimensions", "GraphGPR", "GraphSVC", "GraphSVR", "GraphletKernel", "GraphletSampling",
    "InputError", "InternalError", "MemoryBudgetError", "MissingFileError", "Neighbors", "NetworkError", "OutOfMemoryError", "RefusedFileError",
    "PropagationKernel", "ShortestPath",
    "ShortestPathKernel", "SumKernel", "Symmetry", "TupleColors", "Tuples", "UnsupportedError", "VertexExplanation", "VertexHistogram", "WLKernel", "WLVectorizer",
    "WeisfeilerLehman", "WeisfeilerLehmanOptimalAssignment", "as_dataset", "canonical", "clusters", "colors", "compare", "dimension", "dimension_pairs", "distinguish",
    "distinguish_pairs", "evaluate", "generate", "grakel", "graph_classes", "graph_hash", "isomorphic", "isomorphism", "load_model", "neighbors", "nn", "stable_round", "symmetry", "tuples", "wl_equivalent", "wl_hash",
    "__version__",
]
