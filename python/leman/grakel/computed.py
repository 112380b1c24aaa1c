"""Kernels that are computed above the library, from what they make of graphs, and kernels of one's own, by pairs."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._convert import as_dataset
from .._errors import ArgumentError
from .._kernels import Matrix, _Kernel
from .._library import Session


class Computed(_Kernel):
    """A kernel by two functions: what _parsed() makes of graphs, and the matrix of that without normalisation."""

    def _parsed(self, X: Any) -> Any:
        raise NotImplementedError

    def _kernels(self, session: Session) -> Any:
        raise ArgumentError(f"found {type(self).__name__}, which is computed above the library; expected 1-WL, shortest paths, graphlets or another "
                            "kernel of the library itself")

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        """rows is columns for a symmetric matrix."""
        raise NotImplementedError

    def _diagonal(self, rows: Any) -> Matrix:
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None) -> Any:
        self.X_ = self._parsed(X)
        return self

    def transform(self, X: Any) -> Matrix:
        check_is_fitted(self, "X_")
        rows = self._parsed(X)
        return self._scaled(self._matrix(rows, self.X_), rows)

    def fit_transform(self, X: Any, y: Any = None, **unused: Any) -> Matrix:
        self.fit(X)
        return self._scaled(self._matrix(self.X_, self.X_), self.X_)

    def diagonal(self, X: Any = None) -> Matrix:
        check_is_fitted(self, "X_")
        found = self._diagonal(self.X_ if X is None else self._parsed(X))
        return (found > 0).astype(np.float64) if self.normalize else found

    def _scaled(self, matrix: Matrix, rows: Any) -> Matrix:
        if not self.normalize:
            return matrix
        own = self._diagonal(self.X_)
        lengths = np.sqrt(np.outer(own if rows is self.X_ else self._diagonal(rows), own))
        return np.divide(matrix, lengths, out=np.zeros_like(matrix), where=lengths > 0)


class Kernel(Computed):
    """The base of a kernel of one's own, as in GraKeL: parse_input(graphs) gives a list with something for each graph, and
    pairwise_operation(x, y) is the kernel of two of them. It must be positive semidefinite for a support vector machine."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False) -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose

    def parse_input(self, X: Any) -> Sequence[Any]:
        """By default the graphs of the data set, leman.Graph each."""
        return list(as_dataset(X))

    def pairwise_operation(self, x: Any, y: Any) -> float:
        raise NotImplementedError(f"{type(self).__name__}: expected a method pairwise_operation(x, y)")

    def _parsed(self, X: Any) -> Any:
        return list(self.parse_input(X))

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        found = np.zeros((len(rows), len(columns)))
        for i, x in enumerate(rows):
            for j, y in enumerate(columns):
                found[i, j] = found[j, i] if rows is columns and j < i else self.pairwise_operation(x, y)
        return found

    def _diagonal(self, rows: Any) -> Matrix:
        return np.array([self.pairwise_operation(x, x) for x in rows], dtype=np.float64)
