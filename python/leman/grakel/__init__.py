"""GraKeL's names on Leman: a script runs by writing `leman.grakel` where it imported `grakel`.

Kernels are in `kernels`, `fetch_dataset` in `datasets`, converters in `utils`. 1-WL, WLOA and shortest paths give the numbers
that GraKeL gives; n_iter = h means the h + 1 levels 0 .. h, as there.
"""
from . import datasets, kernels, utils
from .kernels import (
    GraphletSampling,
    ShortestPath,
    VertexHistogram,
    WeisfeilerLehman,
    WeisfeilerLehmanOptimalAssignment,
)

__all__ = ["GraphletSampling", "ShortestPath", "VertexHistogram", "WeisfeilerLehman", "WeisfeilerLehmanOptimalAssignment",
           "datasets", "kernels", "utils"]
