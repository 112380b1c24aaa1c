"""Kernels of counts of other things than colours: shortest paths, labels that diffuse, graphlets."""
from __future__ import annotations

from typing import Any

from . import _values as v
from ._errors import ArgumentError
from ._kernels import _Kernel, hashes_of, kernels_of
from ._library import Session


class ShortestPathKernel(_Kernel):
    """Counts of (label, label, distance) over ordered connected pairs of vertices.

    Parameters
    ----------
    normalize : bool or str
        True or "cosine"; "tanimoto", k(G, H) / (k(G, G) + k(H, H) - k(G, H)); "minmax", the sum of minima of two histograms over that of maxima; False.
    assignment : bool
        Histogram intersection.
    weighted : bool
        The first edge attribute is the length of an edge.
    ignore_vertex_labels : bool
        Count without them.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    binnings : int
        How many random binnings of the vertex attributes, standardised over the fitted graphs, are added up; 0: none. Each is one more
        label, the interval of the length `bin_width` of a random projection.
    bin_width : float
        See `binnings`.
    hash_seed : int
        Of the binnings.

    Attributes
    ----------
    X_ : Dataset
        The fitted graphs, which the columns of transform() are.
    rounds_ : list of int
        The last round of each kernel.
    n_graphs_in_ : int
        How many graphs were fitted.

    Examples
    --------
    >>> import leman
    >>> data = leman.generate("cycles")
    >>> leman.ShortestPathKernel(normalize=False).fit_transform(data).tolist()  # ordered pairs at distance 1, 2, 3: 12, 12, 6; and 12, 0, 0
    [[324.0, 144.0], [144.0, 144.0]]
    """

    def __init__(self, normalize: bool | str = True, assignment: bool = False, weighted: bool = False,
                 ignore_vertex_labels: bool = False, n_jobs: int | None = None, verbose: bool = False, binnings: int = 0,
                 bin_width: float = 1.0, hash_seed: int = 0) -> None:
        self.binnings = binnings
        self.bin_width = bin_width
        self.hash_seed = hash_seed
        self.normalize = normalize
        self.assignment = assignment
        self.weighted = weighted
        self.ignore_vertex_labels = ignore_vertex_labels
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, "SP", 0, assignment=bool(self.assignment), weighted=bool(self.weighted),
                          ignore_vertex_labels=bool(self.ignore_vertex_labels),
                          **hashes_of(self.binnings, self.bin_width, self.hash_seed))


class PropagationKernel(_Kernel):
    """Labels that diffuse along the edges, hashed and counted in the rounds from 0 to `rounds` (Neumann et al. 2016).

    Parameters
    ----------
    rounds : int
        The last round.
    normalize : bool or str
        True or "cosine"; "tanimoto", k(G, H) / (k(G, G) + k(H, H) - k(G, H)); "minmax", the sum of minima of two histograms over that of maxima; False.
    label_width : float
        The width of the bins of distributions of labels.
    distance : str
        What the hashes preserve, "total-variation" or "hellinger".
    binnings : int
        How many times the standardised vertex attributes are diffused and hashed, too; 0: not at all.
    bin_width : float
        The width of their bins.
    hash_seed : int
        Of all hashes.
    assignment : bool
        Histogram intersection.
    weighted : bool
        The first edge attribute is the weight of an edge.
    ignore_vertex_labels : bool
        Diffuse without them.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.

    Attributes
    ----------
    X_ : Dataset
        The fitted graphs, which the columns of transform() are.
    rounds_ : list of int
        The last round of each kernel.
    n_graphs_in_ : int
        How many graphs were fitted.

    Examples
    --------
    >>> import leman
    >>> leman.PropagationKernel(rounds=2).fit_transform(["CCO", "CCO", "CCN"]).round(2)[0, :2].tolist()
    [1.0, 1.0]
    """

    def __init__(self, rounds: int = 5, normalize: bool | str = True, label_width: float = 0.01, distance: str = "total-variation",
                 binnings: int = 0, bin_width: float = 1.0, hash_seed: int = 0, assignment: bool = False, weighted: bool = False,
                 ignore_vertex_labels: bool = False, n_jobs: int | None = None, verbose: bool = False) -> None:
        self.rounds = rounds
        self.normalize = normalize
        self.label_width = label_width
        self.distance = distance
        self.binnings = binnings
        self.bin_width = bin_width
        self.hash_seed = hash_seed
        self.assignment = assignment
        self.weighted = weighted
        self.ignore_vertex_labels = ignore_vertex_labels
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _kernels(self, session: Session) -> Any:
        if self.distance not in ("total-variation", "hellinger"):
            raise ArgumentError(f"distance: found {v.shown(self.distance)}, expected 'total-variation' or 'hellinger'")
        return kernels_of(session, "Propagation", v.integer(self.rounds, "rounds", 0, 4096), assignment=bool(self.assignment),
                          weighted=bool(self.weighted), ignore_vertex_labels=bool(self.ignore_vertex_labels),
                          label_width=v.real(self.label_width, "label_width", "a positive number", above=0),
                          hellinger=self.distance == "hellinger", **hashes_of(self.binnings, self.bin_width, self.hash_seed))


class GraphletKernel(_Kernel):
    """Counts of connected induced subgraphs of `size` vertices.

    Parameters
    ----------
    size : int
        3, with labels; 4 or 5, without.
    normalize : bool or str
        True or "cosine"; "tanimoto", k(G, H) / (k(G, G) + k(H, H) - k(G, H)); "minmax", the sum of minima of two histograms over that of maxima; False.
    assignment : bool
        Histogram intersection.
    ignore_vertex_labels, ignore_edge_labels : bool
        Count without these labels.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.

    Attributes
    ----------
    X_ : Dataset
        The fitted graphs, which the columns of transform() are.
    rounds_ : list of int
        The last round of each kernel.
    n_graphs_in_ : int
        How many graphs were fitted.

    Examples
    --------
    >>> import leman
    >>> data = leman.generate("cycles")  # a hexagon has 6 paths of three vertices, two triangles have 2 triangles
    >>> leman.GraphletKernel(3, normalize=False).fit_transform(data).tolist()
    [[36.0, 0.0], [0.0, 4.0]]
    """

    def __init__(self, size: int = 3, normalize: bool | str = True, assignment: bool = False, ignore_vertex_labels: bool = False,
                 ignore_edge_labels: bool = False, n_jobs: int | None = None, verbose: bool = False) -> None:
        self.size = size
        self.normalize = normalize
        self.assignment = assignment
        self.ignore_vertex_labels = ignore_vertex_labels
        self.ignore_edge_labels = ignore_edge_labels
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, f"GR:{v.integer(self.size, 'size', 3, 5, '3, 4 or 5')}", 0, assignment=bool(self.assignment),
                          ignore_vertex_labels=bool(self.ignore_vertex_labels),
                          ignore_edge_labels=bool(self.ignore_edge_labels))
