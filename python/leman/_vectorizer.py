"""WLVectorizer: graphs to sparse feature vectors, one column for every colour of every round.

fit() finds the columns; transform() counts in them and leaves out what has no column (the logger says how much). With
hash_bits the columns are 2^bits by hash, nothing is learned, and graphs can come in slices for ever.
"""
from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError
from ._kernels import components_of, kernels_of, warn_of_attributes
from ._library import Handle, Session, lib, options
from ._unread import attributes_of, warn_of_new


def _matrix(handle: Handle) -> csr_matrix:
    features = handle.pointer.contents
    rows, columns, entries = features.rows, features.columns, features.entries
    start = np.ctypeslib.as_array(features.start, (rows + 1,)).astype(np.int64)
    if not entries:
        return csr_matrix((rows, columns), dtype=np.float64)
    index = np.int32 if max(entries, columns) < 2**31 else np.int64
    column = np.ctypeslib.as_array(features.column, (entries,)).astype(index)
    value = np.ctypeslib.as_array(features.value, (entries,)).copy()
    made = csr_matrix((value, column, start.astype(index)), shape=(rows, columns), copy=False)
    made.has_sorted_indices = True
    return made


class WLVectorizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Feature vectors of a kernel as a scipy CSR matrix: products of rows are the kernel.

    Parameters
    ----------
    method : str
        As in WLKernel; assignment kernels have no features.
    rounds : int or "stable"
        The last round.
    normalize : bool
        Rows of length 1.
    hash_bits : int, optional
        2^bits columns by hash, where collisions add up; None: a column for every colour that fit() met.
    out_of_vocabulary : str
        "ignore", or "raise" for colours that have no column.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    count_every_round : bool
        Of delta-k-LWL+: use the counter in every round, not only in the last.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.

    Attributes
    ----------
    rounds_ : list of int
        The last round of each kernel.
    n_features_ : int
        How many columns there are.

    Examples
    --------
    >>> import leman
    >>> counts = leman.WLVectorizer("1-WL", rounds=1).fit_transform(["CCO", "CCN"])
    >>> counts.sum(axis=1).tolist()  # a colour of each of three atoms in two rounds
    [[6.0], [6.0]]
    """

    def __init__(self, method: str = "delta-2-LWL", rounds: int | str = 5, normalize: bool = False,
                 hash_bits: int | None = None, out_of_vocabulary: str = "ignore", ignore_vertex_labels: bool = False,
                 ignore_edge_labels: bool = False, count_every_round: bool = False, n_jobs: int | None = None,
                 verbose: bool = False, components: int | None = None) -> None:
        self.method = method
        self.rounds = rounds
        self.normalize = normalize
        self.hash_bits = hash_bits
        self.out_of_vocabulary = out_of_vocabulary
        self.ignore_vertex_labels = ignore_vertex_labels
        self.ignore_edge_labels = ignore_edge_labels
        self.count_every_round = count_every_round
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.components = components

    rounds_: list[int]
    _columns: Any
    _data: Dataset | None  # the fitted graphs, until the names of the columns are known
    _names: npt.NDArray[np.object_] | None

    def _compute(self, data: Dataset, columns: Any) -> Any:
        if self.out_of_vocabulary not in ("ignore", "raise"):
            raise ArgumentError(f"out_of_vocabulary: found {self.out_of_vocabulary!r}, expected 'ignore' or 'raise'")
        chosen = options("leman_feature_options")
        chosen.normalize = bool(self.normalize)
        if self.hash_bits is not None:
            chosen.hash_bits = v.integer(self.hash_bits, "hash_bits", 1, 31)
        elif columns is not None:
            chosen.columns = columns.pointer
            chosen.refuse_out_of_vocabulary = self.out_of_vocabulary == "raise"
        found = ctypes.POINTER(c.leman_features)()
        with Session(self.n_jobs, verbose=self.verbose) as session:
            kernels = kernels_of(session, self.method, self.rounds,
                                 ignore_vertex_labels=bool(self.ignore_vertex_labels),
                                 ignore_edge_labels=bool(self.ignore_edge_labels),
                                 count_every_round=bool(self.count_every_round), components=components_of(self.components))
            if columns is None:
                warn_of_attributes(data, kernels)
            if columns is not None and self.rounds == "stable":
                for kernel, number in zip(kernels, self.rounds_):
                    kernel.coloring.rounds = number
            elif self.rounds == "stable":
                session.call("leman_kernels_resolve", data._handle.pointer, kernels, len(kernels))
            self._found_rounds = [int(kernel.coloring.rounds) for kernel in kernels]
            session.call("leman_features_compute", data._handle.pointer, kernels, len(kernels), ctypes.byref(chosen),
                         ctypes.byref(found))
        return Handle(found, lib.leman_features_free)

    def fit(self, X: Any, y: Any = None) -> WLVectorizer:
        """Finds the columns.

        Parameters
        ----------
        X : graphs of any kind
        y : ignored

        Returns
        -------
        self
        """
        self._fit(as_dataset(X))
        return self

    def _fit(self, data: Dataset) -> Any:
        found = self._compute(data, None)
        features = found.pointer.contents
        self.rounds_ = self._found_rounds
        self.n_features_: int = int(features.columns)
        self._reading = int(features.origin.reading)
        self._columns = None if self.hash_bits is not None else found
        self._data, self._names = (None if self.hash_bits is not None else data), None
        self._attributes = attributes_of(data)
        return found

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> csr_matrix:
        """fit(X).transform(X), at the price of one.

        Parameters
        ----------
        X : graphs of any kind
        y : ignored
        **unused
            What scikit-learn passes along; ignored.

        Returns
        -------
        scipy.sparse.csr_matrix, [graphs, columns]
        """
        return _matrix(self._fit(as_dataset(X)))

    def transform(self, X: Any) -> csr_matrix:
        """The features of graphs. SMILES are read as those that were fitted.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        scipy.sparse.csr_matrix, [graphs, columns]
        """
        data = as_dataset(X, reading=getattr(self, "_reading", 0))
        warn_of_new(data, getattr(self, "_attributes", None))
        if self.hash_bits is None:
            check_is_fitted(self, "n_features_")
            if self._columns is None:
                raise NotFittedError("fitted with hash_bits and asked to transform without: fit it again")
            return _matrix(self._compute(data, self._columns))
        return _matrix(self._compute(data, None))

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:
        """What each column counts.

        The neighbourhood of a vertex or tuple in a fitted graph, as SMARTS where graphs are molecules (docs/kernels.md, "Features as
        substructures"), and behind a blank the round and the colour, which do not depend on the graphs: "[OD1][#6] r1:0123456789abcdef". In sums
        the number of the kernel stands before the round. Features that have no neighbourhood, such as shortest paths, have the second part alone.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str, [columns]
        """
        check_is_fitted(self, "n_features_")
        if self._columns is None:
            return np.array([f"hash:{i}" for i in range(self.n_features_)], dtype=object)
        if self._names is None:
            self._names, self._data = self._name_columns(), None
        return np.array(self._names, dtype=object)

    def _name_columns(self) -> npt.NDArray[np.object_]:
        features = self._columns.pointer.contents
        several = len(self.rounds_) > 1
        found = ctypes.POINTER(c.leman_substructures)()
        try:
            with Session(self.n_jobs) as session:
                assert self._data is not None
                session.call("leman_features_substructures", self._columns.pointer, self._data._handle.pointer, ctypes.byref(found))
            texts = [(one.text or b"").decode() for one in found.contents.item[: self.n_features_]]
        finally:
            lib.leman_substructures_free(found)
        return np.array([f"{text} {f'k{f.kernel}:' if several else ''}r{f.round}:{f.key:016x}".lstrip()
                         for f, text in zip(features.feature[: features.columns], texts)], dtype=object)

    def __getstate__(self) -> dict[str, Any]:
        if getattr(self, "_columns", None) is not None:
            self.get_feature_names_out()  # what is unpickled has no graphs
        state: dict[str, Any] = dict(super().__getstate__())
        if state.get("_columns") is not None:
            with tempfile.TemporaryDirectory(prefix="leman-") as folder, Session(1) as session:
                path = os.path.join(folder, "columns")
                session.call("leman_feature_columns_write", self._columns.pointer, os.fsencode(path))
                with open(path, "rb") as file:
                    state["_columns"] = file.read()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("_columns"), bytes):
            with tempfile.TemporaryDirectory(prefix="leman-") as folder, Session(1) as session:
                path = os.path.join(folder, "columns")
                with open(path, "wb") as file:
                    file.write(state["_columns"])
                found = ctypes.POINTER(c.leman_features)()
                session.call("leman_feature_columns_read", os.fsencode(path), ctypes.byref(found))
            state = {**state, "_columns": Handle(found, lib.leman_features_free)}
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        tags.requires_fit = self.hash_bits is None
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["graphs"], "no_validation": True}
