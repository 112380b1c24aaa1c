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
from .._kernels import Matrix, _Kernel, gram, kernels_of
from .._labels import LabelMap
from .._library import Session
from .computed import Computed
from .histograms import one_column

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
        self.normalize: bool = normalize
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
        self.numbers_: dict[int, int] | None = None
        if not self._drawn():
            self.X_ = self._parsed(X)
            return self
        data = as_dataset(X)
        arrays = to_arrays(data, numbers=True)
        codes = self._codes(arrays)
        self.numbers_ = self._draw(codes, data._vertex_words, arrays["offsets"])
        self.X_ = self._numbered(arrays, codes)
        return self

    @staticmethod
    def _codes(arrays: dict[str, Any]) -> Any:
        """The label of every vertex as an integer."""
        return one_column(arrays["vertex_labels"]) if "vertex_labels" in arrays else np.zeros(int(arrays["offsets"][-1]), np.int64)

    def _draw(self, codes: Any, words: LabelMap, offsets: Any) -> dict[int, int]:
        """{label as an integer: its number below 2^bits}, in the order in which GraKeL's set has the labels."""
        met: set[Any] = set()
        different, place = np.unique(codes, return_inverse=True)
        label = [words.get(code, code) for code in different.tolist()]
        for begin, end in zip(offsets, offsets[1:]):
            met |= {label[at] for at in place[begin:end].tolist()}
        state, most = check_random_state(self.random_state), 1 << int(self.bits or 0)
        drawn: list[int] = []
        while len(drawn) < len(met):  # more labels than numbers: the numbers are used again
            drawn += state.choice(most, min(most, len(met) - len(drawn)), replace=False).tolist()
        code = dict(zip(label, different.tolist()))
        return {code[one]: number for one, number in zip(met, drawn)}

    def _numbered(self, arrays: dict[str, Any], codes: Any) -> Dataset:
        """The data set with the drawn numbers as labels; -1 where fit() has not met the label."""
        different, place = np.unique(codes, return_inverse=True)
        values = np.array([(self.numbers_ or {}).get(code, -1) for code in different.tolist()], dtype=np.int64)
        part = {key: arrays[key] for key in ("edge_index", "offsets", "directed", "policy")}
        return from_arrays(**part, vertex_labels=values[place].reshape(-1))

    def _parsed(self, X: Any) -> Any:
        data = as_dataset(X)
        if self.numbers_ is None:
            return data
        arrays = to_arrays(data, numbers=True)
        return self._numbered(arrays, self._codes(arrays))

    def _matrix(self, rows: Any, columns: Any) -> Matrix:
        rounds = v.integer(self.R, "R", 1, 255)
        own = [graph.num_vertices for graph in rows]
        sizes = np.add.outer(own, own if rows is columns else [graph.num_vertices for graph in columns]).astype(np.float64)
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


class NeighborhoodSubgraphPairwiseDistance(_Kernel):
    """Pairs of neighbourhoods of radius 0 .. r, with their centres marked, whose centres have distance 0 .. d; the vector of each radius and
    distance is scaled to length 1 (Costa and De Grave 2010). Edge labels are used if the graphs have them."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, r: int = 3, d: int = 4) -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.r = r
        self.d = d

    def _kernels(self, session: Session) -> Any:
        return kernels_of(session, "NSPD", 0, radius=v.integer(self.r, "r", 0, 255), distance=v.integer(self.d, "d", 0, 255))


class OddSth(_Kernel):
    """Trees in the breadth-first DAGs of depth h (None: of any depth) from all vertices, each with the number of vertices of DAGs that are
    its root (Da San Martino, Navarin and Sperduti 2012, with every tree of weight 1)."""

    def __init__(self, n_jobs: int | None = None, normalize: bool = False, verbose: bool = False, h: int | None = None) -> None:
        self.n_jobs = n_jobs
        self.normalize: bool = normalize
        self.verbose = verbose
        self.h = h

    def _kernels(self, session: Session) -> Any:
        depth = 255 if self.h is None else v.integer(self.h, "h", 1, 254)  # 255: no limit
        return kernels_of(session, "ODD", 0, radius=depth, ignore_edge_labels=True)
