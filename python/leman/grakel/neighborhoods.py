"""GraKeL's kernels of the neighbourhoods of vertices."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from .. import _values as v
from .._arrays import from_arrays, to_arrays
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError
from .._kernels import Matrix, gram, kernels_of
from .._labels import encode
from .frameworks import Computed, _one_column

_TYPES = {"simple": "NH", "count_sensitive": "CSNH"}
_DRAWN_BITS = 24  # numbers of so many bits, at most, are drawn as GraKeL draws them, from a permutation of all


class NeighborhoodHash(Computed):
    """The mean over R rounds of neighbourhood hashing of c / (n + m - c), where c is the number of vertices of two graphs of n and m vertices
    that can be matched with equal hashes (Hido and Kashima 2009). nh_type: "simple", or "count_sensitive", whose hash counts equal neighbours.
    bits: the size of a hash; the labels begin with different numbers of so many bits, drawn by random_state as GraKeL draws them. bits=None
    (or above 24): hashes of 64 bits that depend on the labels alone, without collisions for practical purposes."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, random_state: Any = None, R: int = 3,
                 nh_type: str = "simple", bits: int | None = 8) -> None:
        self.n_jobs = n_jobs
        self.normalize = normalize
        self.verbose = verbose
        self.random_state = random_state
        self.R = R
        self.nh_type = nh_type
        self.bits = bits

    def _drawn(self) -> bool:
        return self.bits is not None and v.integer(self.bits, "bits", 1) <= _DRAWN_BITS

    def fit(self, X: Any, y: Any = None) -> Any:
        v.integer(self.R, "R", 1, 255)
        if self.nh_type not in _TYPES:
            raise ArgumentError(f"nh_type: found {v.shown(self.nh_type)}, expected 'simple' or 'count_sensitive'")
        data = as_dataset(X)
        self.numbers_ = self._draw(data) if self._drawn() else None
        self.X_ = self._parsed(data)
        return self

    def _draw(self, data: Dataset) -> dict[int, int]:
        """{label as an integer: its number below 2^bits}, in the order in which GraKeL's set has the labels."""
        arrays = to_arrays(data)
        met: set[Any] = set()
        codes: dict[Any, int] = {0: 0}
        if "vertex_labels" in arrays:
            given = list(map(tuple, arrays["vertex_labels"])) if data.columns.vertex_labels > 1 else arrays["vertex_labels"]
            codes = dict(zip(given, _one_column(encode(arrays["vertex_labels"], "vertex_labels")[0]).tolist()))
            for begin, end in zip(arrays["offsets"], arrays["offsets"][1:]):
                met |= set(given[begin:end])
        else:
            met.add(0)
        state, most = check_random_state(self.random_state), 1 << int(self.bits or 0)
        drawn: list[int] = []
        while len(drawn) < len(met):  # more labels than numbers: the numbers are used again
            drawn += state.choice(most, min(most, len(met) - len(drawn)), replace=False).tolist()
        return {codes[label]: number for label, number in zip(met, drawn)}

    def _parsed(self, X: Any) -> Any:
        """The data set; with drawn numbers, the numbers are its labels, and -1 that of a label that fit() has not met."""
        data = as_dataset(X)
        numbers = getattr(self, "numbers_", None)
        if numbers is None:
            return data
        arrays = to_arrays(data)
        codes = _one_column(encode(arrays["vertex_labels"], "vertex_labels")[0]) if "vertex_labels" in arrays else \
            np.zeros(int(arrays["offsets"][-1]), np.int64)
        different, place = np.unique(codes, return_inverse=True)
        values = np.array([numbers.get(code, -1) for code in different.tolist()], dtype=np.int64)
        part = {key: arrays[key] for key in ("edge_index", "offsets", "directed", "policy")}
        return from_arrays(**part, vertex_labels=values[place].reshape(-1))

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        rounds = v.integer(self.R, "R", 1, 255)
        sizes = np.add.outer(*([graph.num_vertices for graph in data] for data in (rows, columns))).astype(np.float64)
        found, before = np.zeros(sizes.shape), np.zeros(sizes.shape)
        with self._session() as session:
            for radius in range(1, rounds + 1):
                kernels = kernels_of(session, _TYPES[self.nh_type], 0, radius=radius, assignment=True,
                                     bits=self.bits if self._drawn() else 0)
                sums = gram(session, rows, None if rows is columns else columns, kernels, False)  # of minima, over rounds 1 .. radius
                either = sizes - (sums - before)
                found += np.divide(sums - before, either, out=np.zeros_like(either), where=either > 0)
                before = sums
        return np.asarray(found / rounds)

    def _diagonal(self, rows: Any) -> Matrix:
        return np.array([float(graph.num_vertices > 0) for graph in rows])
