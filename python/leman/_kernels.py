"""Graph kernels as scikit-learn's transformers: from graphs to Gram matrices.

    gram = WLKernel(method="delta-2-LWL").fit_transform(train)     [train, train]
    rows = kernel.transform(test)                                  [test, train], for SVC(kernel="precomputed")

Colours are canonical, so nothing is learned in fit() but which graphs the columns are: fit(all) cut into pieces equals
fit(train).transform(test) to the bit. `a + b` is the sum of two kernels.
"""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, warn
from ._library import Session, lib, options
from ._names import hint
from ._unread import attributes_of, warn_of_new

Matrix = npt.NDArray[np.float64]


def rounds_of(rounds: Any) -> int:
    """A number of rounds, or "stable"."""
    if isinstance(rounds, str):
        if rounds == "stable":
            return c.LEMAN_STABLE
    return v.integer(rounds, "rounds", 0, 2**31 - 1, "a number from 0 on, or 'stable'")


def components_of(components: Any) -> int | None:
    return None if components is None else v.integer(components, "components", 1)


def kernels_of(session: Session, method: Any, rounds: Any = 5, **set_: Any) -> Any:
    """An array of leman_kernel: those that a name such as "delta-2-LWL" or "delta-2-LWL + SP" means."""
    text = v.text(method, "method", "a name such as 'delta-2-LWL', '1-WL', 'WLOA', 'SP' or 'GR'")
    count = int(lib.leman_kernels_count(text)) or 1
    kernels = (c.leman_kernel * count)()
    for kernel in kernels:
        ctypes.memmove(ctypes.byref(kernel), ctypes.byref(options("leman_kernel")), ctypes.sizeof(kernel))
        kernel.coloring.rounds = rounds_of(rounds)
        for name, value in set_.items():
            if value is not None:
                setattr(kernel if hasattr(kernel, name) else kernel.coloring, name, value)
    try:
        session.call("leman_kernels_parse", text, kernels, count)
    except ArgumentError as error:
        raise ArgumentError(f"{error}{hint(method, 'kernel')}") from None
    for kernel in kernels:
        if set_.get("assignment"):
            kernel.assignment = True
    return kernels


def normalized(kernels: Any, how: Any) -> bool:
    """Makes kernels normalise as asked: True means as they are named. Returns whether their matrix is normalised."""
    if isinstance(how, str):
        if how not in ("cosine", "tanimoto", "minmax"):
            raise ArgumentError(f"normalize: found {how!r}, expected True, False, 'cosine', 'tanimoto' or 'minmax'")
        for kernel in kernels:
            if not kernel.atom_labels:  # ECFP4 has a normalisation of its own
                kernel.normalization = c.LEMAN_NORMALIZATION_COSINE if how == "cosine" else c.LEMAN_NORMALIZATION_TANIMOTO
                kernel.assignment = kernel.assignment or how == "minmax"
    return bool(how)


def gram(session: Session, data: Dataset, against: Dataset | None, kernels: Any, normalize: Any) -> Matrix:
    rows = len(data)
    out = np.zeros((rows, rows if against is None else len(against)))
    if out.size:
        session.call("leman_gram_compute", data._handle.pointer, against._handle.pointer if against is not None else None,
                     kernels, len(kernels), normalized(kernels, normalize), out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
    return out


def self_similarities(session: Session, data: Dataset, kernels: Any) -> Matrix:
    """k(G, G) of every graph, without a Gram matrix."""
    out = np.zeros(len(data))
    session.call("leman_gram_diagonal", data._handle.pointer, kernels, len(kernels), out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
    return out


def standardized(session: Session, data: Dataset, like: Dataset) -> Dataset:
    """The data with vertex attributes of mean 0 and deviation 1 over the vertices of `like`."""
    out = ctypes.c_void_p()
    session.call("leman_dataset_standardize", data._handle.pointer, like._handle.pointer, ctypes.byref(out))
    return Dataset._made(out, {}, {}, None, None)


def hashes_of(binnings: Any, bin_width: Any, hash_seed: Any) -> dict[str, Any]:
    """The members of leman_kernel about binnings of attributes."""
    return {"binnings": v.integer(binnings, "binnings", 0, 1000), "bin_width": v.real(bin_width, "bin_width", "a positive number", above=0),
            "hash_seed": v.integer(hash_seed, "hash_seed")}


def warn_of_attributes(data: Dataset, kernels: Any) -> None:
    """Says that kernels compare labels alone, where the graphs have attributes and none of the kernels reads them."""
    if data.columns.edge_attributes and not any(kernel.weighted for kernel in kernels):
        warn(f"{data.name}: the kernel does not use the edge attributes; weighted=True of ShortestPathKernel and PropagationKernel takes the first")
    if data.columns.vertex_attributes and not any(kernel.binnings or kernel.kind == c.LEMAN_KERNEL_KIND_GRAPH_HOPPER for kernel in kernels):
        warn(f"{data.name}: the kernel does not use the vertex attributes; binnings=20 of WLKernel, ShortestPathKernel, PropagationKernel, "
             "GraphSVC and GraphSVR takes them")


class _Kernel(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What all kernels share. A subclass says in _kernels() what it computes."""

    n_jobs: int | None
    verbose: Any
    normalize: bool | str

    def _kernels(self, session: Session) -> Any:
        raise NotImplementedError

    def _reads_vertex_labels(self) -> bool:
        return True

    def _session(self) -> Session:
        return Session(self.n_jobs, verbose=self.verbose)

    def _resolved(self, session: Session, data: Dataset) -> Any:
        """The kernels with a number for rounds="stable": the one that fit() found."""
        kernels = self._kernels(session)
        if any(kernel.coloring.rounds == c.LEMAN_STABLE and kernel.kind == c.LEMAN_KERNEL_KIND_COLORS for kernel in kernels):
            rounds = getattr(self, "rounds_", None)
            if rounds is None:
                session.call("leman_kernels_resolve", data._handle.pointer, kernels, len(kernels))
            else:
                for kernel, number in zip(kernels, rounds):
                    kernel.coloring.rounds = number
        return kernels

    def _scaled_data(self, session: Session, data: Dataset, like: Dataset) -> Dataset:
        """The data as the kernels see it: attributes are standardised by those of the fitted graphs if the kernel bins them."""
        return standardized(session, data, like) if getattr(self, "binnings", 0) else data

    def _remember(self, data: Dataset, kernels: Any) -> None:
        warn_of_attributes(data, kernels)
        self.X_ = data
        self.rounds_: list[int] = [int(kernel.coloring.rounds) for kernel in kernels]
        self.n_graphs_in_: int = len(data)

    def fit(self, X: Any, y: Any = None) -> Any:
        """Remembers the graphs that the columns of transform() are.

        Parameters
        ----------
        X : graphs of any kind
        y : ignored

        Returns
        -------
        self
        """
        data = as_dataset(X)
        self.__dict__.pop("rounds_", None)
        with self._session() as session:
            kernels = self._resolved(session, self._scaled_data(session, data, data))
        self._remember(data, kernels)
        return self

    def transform(self, X: Any) -> Matrix:
        """The kernel of each of these graphs and each fitted one.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray, [graphs of X, fitted graphs]
        """
        check_is_fitted(self, "X_")
        data = as_dataset(X, reading=self.X_.reading_code)
        warn_of_new(data, attributes_of(self.X_))
        with self._session() as session:
            columns = self._scaled_data(session, self.X_, self.X_)
            kernels = self._resolved(session, columns)
            if data is self.X_:
                return gram(session, columns, None, kernels, self.normalize)
            return gram(session, self._scaled_data(session, data, self.X_), columns, kernels, self.normalize)

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        """fit(X).transform(X), at half the price.

        Parameters
        ----------
        X : graphs of any kind
        y : ignored
        **unused
            What scikit-learn passes along; ignored.

        Returns
        -------
        ndarray, [graphs of X, graphs of X]
        """
        data = as_dataset(X)
        self.__dict__.pop("rounds_", None)
        with self._session() as session:
            standard = self._scaled_data(session, data, data)
            kernels = self._resolved(session, standard)
            found = gram(session, standard, None, kernels, self.normalize)
        self._remember(data, kernels)
        return found

    def diagonal(self, X: Any = None) -> Matrix:
        """k(G, G) of each graph: what an unnormalised matrix has on its diagonal. 1 for normalised kernels (0 for graphs without features).

        Parameters
        ----------
        X : graphs of any kind, optional
            None: the fitted ones.

        Returns
        -------
        ndarray, [graphs]
        """
        check_is_fitted(self, "X_")
        data = self.X_ if X is None else as_dataset(X, reading=self.X_.reading_code)
        with self._session() as session:
            kernels = self._resolved(session, self._scaled_data(session, self.X_, self.X_))
            found = self_similarities(session, self._scaled_data(session, data, self.X_), kernels)
        return (found > 0).astype(np.float64) if self.normalize else found

    def __add__(self, other: Any) -> SumKernel:
        if not isinstance(other, _Kernel):
            return NotImplemented
        parts: list[Any] = []
        for kernel in (self, other):
            parts += kernel.kernels if isinstance(kernel, SumKernel) else [kernel]
        return SumKernel(parts)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"X_types": ["graphs"], "no_validation": True}


class WLKernel(_Kernel):
    """Weisfeiler-Leman subtree kernels of any order: histograms of colours after the rounds from 0 to `rounds`.

    Parameters
    ----------
    method : str
        "1-WL", "2-WL", "delta-2-WL", "delta-2-LWL", "delta-2-LWL+", "2-FWL", ..., "WLOA", or a sum such as "delta-2-LWL + SP". "ECFP4", "FCFP4"
        and their kin have two rounds and "minmax", and need data with atom_labels="ecfp" or "fcfp".
    rounds : int or "stable"
        The last round.
    normalize : bool or str
        True or "cosine"; "tanimoto", k(G, H) / (k(G, G) + k(H, H) - k(G, H)); "minmax", the sum of minima of two histograms over that of maxima; False.
    assignment : bool
        Histogram intersection.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    count_every_round : bool
        Of delta-k-LWL+: use the counter in every round, not only in the last.
    in_arcs : bool
        Of directed graphs: entering arcs are neighbours, too.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
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
    >>> leman.WLKernel("1-WL").fit_transform(data).round(2).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    >>> matrix = leman.WLKernel("delta-2-LWL", rounds=3).fit(data).transform(data)
    >>> bool(matrix[0, 1] < 0.9)
    True
    """

    def __init__(self, method: str = "delta-2-LWL", rounds: int | str = 5, normalize: bool | str = True,
                 assignment: bool = False, ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False,
                 count_every_round: bool = False, in_arcs: bool = False, n_jobs: int | None = None,
                 verbose: bool = False, components: int | None = None, binnings: int = 0, bin_width: float = 1.0,
                 hash_seed: int = 0) -> None:
        self.method = method
        self.rounds = rounds
        self.normalize = normalize
        self.assignment = assignment
        self.ignore_vertex_labels = ignore_vertex_labels
        self.ignore_edge_labels = ignore_edge_labels
        self.count_every_round = count_every_round
        self.in_arcs = in_arcs
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.components = components
        self.binnings = binnings
        self.bin_width = bin_width
        self.hash_seed = hash_seed

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, self.method, self.rounds, assignment=bool(self.assignment),
                          ignore_vertex_labels=bool(self.ignore_vertex_labels),
                          ignore_edge_labels=bool(self.ignore_edge_labels),
                          count_every_round=bool(self.count_every_round), in_arcs=bool(self.in_arcs),
                          components=components_of(self.components),
                          **hashes_of(self.binnings, self.bin_width, self.hash_seed))


class SumKernel(_Kernel):
    """The sum of kernels, each as it stands (a normalised one is normalised before it is added), times its weight. `a + b` makes one.

    Parameters
    ----------
    kernels : list of kernels
        WLKernel and the like.
    weights : list of float, optional
        None: 1 each.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.

    Attributes
    ----------
    X_ : Dataset
        The fitted graphs.
    fitted_ : list of tuple
        Weight and fitted kernel of each part.
    n_graphs_in_ : int
        How many graphs were fitted.

    Examples
    --------
    >>> import leman
    >>> kernel = leman.WLKernel("1-WL", rounds=2) + leman.ShortestPathKernel()
    >>> kernel.fit_transform(leman.generate("cycles")).round(2).tolist()
    [[2.0, 1.67], [1.67, 2.0]]
    """

    def __init__(self, kernels: Any, weights: Any = None, n_jobs: int | None = None, verbose: bool = False) -> None:
        self.kernels = kernels
        self.weights = weights
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _parts(self) -> list[tuple[float, Any]]:
        kernels = v.listed(self.kernels, "kernels")
        weights = [1.0] * len(kernels) if self.weights is None else [v.real(w, "weights", "numbers") for w in
                                                                             v.listed(self.weights, "weights")]
        if not kernels or len(weights) != len(kernels) or not all(isinstance(k, _Kernel) for k in kernels):
            raise ArgumentError("kernels: expected kernels of leman, and a weight for each where weights are given")
        return list(zip(weights, kernels))

    def fit(self, X: Any, y: Any = None) -> SumKernel:
        """Fits every kernel of the sum.

        Parameters
        ----------
        X : graphs of any kind
        y : ignored

        Returns
        -------
        self
        """
        from sklearn.base import clone
        self.X_ = as_dataset(X)
        self.fitted_: list[tuple[float, Any]] = [(weight, clone(kernel).fit(self.X_)) for weight, kernel in self._parts()]
        self.n_graphs_in_: int = len(self.X_)
        return self

    def transform(self, X: Any) -> Matrix:
        """The weighted sum of the matrices.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray, [graphs of X, fitted graphs]
        """
        check_is_fitted(self, "X_")
        data = as_dataset(X)
        return np.asarray(sum(weight * kernel.transform(data) for weight, kernel in self.fitted_))

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        """fit(X).transform(X).

        Parameters
        ----------
        X : graphs of any kind
        y : ignored
        **unused
            What scikit-learn passes along; ignored.

        Returns
        -------
        ndarray, [graphs of X, graphs of X]
        """
        return self.fit(X).transform(self.X_)

    def diagonal(self, X: Any = None) -> Matrix:
        """The weighted sum of the diagonals, as WLKernel.diagonal() has them.

        Parameters
        ----------
        X : graphs of any kind, optional
            None: the fitted ones.

        Returns
        -------
        ndarray, [graphs]
        """
        check_is_fitted(self, "X_")
        data = self.X_ if X is None else as_dataset(X)
        return np.asarray(sum(weight * kernel.diagonal(data) for weight, kernel in self.fitted_))
