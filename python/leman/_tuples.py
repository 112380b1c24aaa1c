"""The k-tuples of graphs as arrays: `tuples`."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError
from ._kernels import components_of
from ._library import Session, lib, options, parse

Array = npt.NDArray[Any]

_OVER = ("local", "entering", "global", "all")


def _copied(pointer: Any, count: int, dtype: Any) -> Array:
    if not count:
        return np.zeros(0, dtype)
    return np.ctypeslib.as_array(pointer, (count,)).astype(dtype)


def _between_different(pairs: Array) -> Array:
    """The columns of pairs [2, links] whose two numbers are different."""
    different = pairs[0] != pairs[1]
    return pairs if different.all() else pairs[:, different]


class Tuples:
    """The k-tuples of one or more graphs, numbered graph by graph and in the order of their vertices. `tuples` makes them.

    Attributes
    ----------
    k, num_graphs, num_lines : int
        `num_lines`: how many numbers `line` has.
    start : ndarray, [graphs + 1]
        The first tuple of each graph.
    vertex : ndarray, [tuples, k]
        The vertices of each tuple, counted within its graph.
    vertex_start : ndarray, [graphs + 1]
        What to add to count vertices over all graphs.
    color : ndarray of uint64, [tuples]
        The colour of each tuple after the asked round, canonical as those of `colors`; round 0 is the isomorphism type.
    distance : ndarray, [tuples, k (k - 1) / 2], or None
        Lengths of shortest paths between the components 12, 13, 23; -1 without a path.
    line : ndarray, [k, tuples], or None
        Tuples of a graph have one number exactly if they differ in component j alone.

    Examples
    --------
    >>> import leman
    >>> found = leman.tuples(leman.generate("path", vertices=3), distances=True)
    >>> found.vertex[2].tolist(), found.distance[2].tolist()
    ([0, 2], [2])
    """

    def __init__(self, found: Any) -> None:
        k, count = int(found.k), int(found.tuples)
        self.k = k
        self.num_graphs: int = int(found.graphs)
        self.num_lines: int = int(found.lines)
        self.start: Array = _copied(found.start, self.num_graphs + 1, np.int64)
        self.vertex_start: Array = _copied(found.vertex_start, self.num_graphs + 1, np.int64)
        self.vertex: Array = _copied(found.vertex, count * k, np.int64).reshape(count, k)
        self.color: Array = _copied(found.color, count, np.uint64)
        self.line: Array | None = None
        self.distance: Array | None = None
        if found.line[0] or not count:
            self.line = np.stack([_copied(found.line[j], count, np.int64) for j in range(k)])
        self._links = {"local": [self._read(found.leaving[j]) for j in range(k)],
                       "entering": [self._read(found.entering[j]) for j in range(k)]}
        if found.distance:
            self.distance = _copied(found.distance, count * k * (k - 1) // 2, np.int64).reshape(count, k * (k - 1) // 2)
            self.distance[self.distance == 2**32 - 1] = -1

    def __repr__(self) -> str:
        count = len(self.color)
        return f"<leman.Tuples: {count:,} {self.k}-tuple{'' if count == 1 else 's'} of {self.num_graphs:,} graph{'' if self.num_graphs == 1 else 's'}>"

    def _read(self, links: Any) -> tuple[Array, Array] | None:
        if not links.start:
            return None
        start = _copied(links.start, len(self.color) + 1, np.int64)
        return start, _copied(links.tuple, int(start[-1]), np.int64)

    def __len__(self) -> int:
        return len(self.color)

    @property
    def graph(self) -> Array:
        """[tuples]: the graph of each tuple."""
        return np.repeat(np.arange(self.num_graphs), np.diff(self.start))

    def links(self, j: int, over: str = "local", self_loops: bool = False) -> Array:
        """The neighbours of all tuples along one component.

        Parameters
        ----------
        j : int
            The component, from 0.
        over : str
            "local": an arc leads from component j to the vertex that replaces it (in an undirected graph: neighbours); "entering": the arc leads to
            component j, for directed graphs; "global": all other tuples that differ in component j alone and are no local neighbours; "all": both.
        self_loops : bool
            A vertex with a self-loop replaces itself, as in colourings.

        Returns
        -------
        ndarray, [2, links]
            A neighbour of a tuple, and the tuple itself, in the order of an edge_index of PyG.
        """
        j = v.integer(j, "j", 0, self.k - 1, f"a component from 0 to {self.k - 1}")
        if over not in _OVER:
            raise ArgumentError(f"over: found {v.shown(over)}, expected one of {', '.join(_OVER)}")
        if self.line is None:
            raise ArgumentError("links: found tuples without links, expected tuples(..., links=True)")
        if over in ("local", "entering"):
            found = self._links[over][j]
            if found is None:
                if len(self):
                    raise ArgumentError("over: found entering, expected graphs that are directed and tuples(..., in_arcs=True)")
                return np.zeros((2, 0), np.int64)
            pairs = np.stack([found[1], np.repeat(np.arange(len(self)), np.diff(found[0]))])
            return pairs if self_loops else _between_different(pairs)
        pairs = _between_different(self._along(j))
        if over == "global":
            near = self.links(j)
            pairs = pairs[:, ~np.isin(pairs[1] * len(self) + pairs[0], near[1] * len(self) + near[0])]
        return pairs

    def _along(self, j: int) -> Array:
        """[2, pairs] all ordered pairs of tuples on one line, tuples with themselves included; by the second."""
        assert self.line is not None
        line = self.line[j]
        order, size = np.argsort(line, kind="stable"), np.bincount(line, minlength=self.num_lines)
        first, each = np.cumsum(size) - size, size[line]
        to = np.repeat(np.arange(len(self)), each)
        place = np.arange(len(to)) - np.repeat(np.cumsum(each) - each, each)
        return np.stack([order[first[line[to]] + place], to])

    def folklore(self) -> tuple[Array, Array]:
        """The neighbours of folklore k-WL, for every vertex w for which all of them are in the set.

        Returns
        -------
        to : ndarray, [links]
            A tuple.
        parts : ndarray, [k, links]
            The k tuples in which w replaces component 1, ..., k.
        """
        pairs = self._along(0) if self.line is not None else self.links(0)
        assert self.line is not None
        to, parts = pairs[1], [pairs[0]]
        w, most = self.vertex[pairs[0], 0], int(self.vertex.max(initial=0)) + 1
        for j in range(1, self.k):
            key = self.line[j] * most + self.vertex[:, j]
            order = np.argsort(key)
            place = np.searchsorted(key[order], self.line[j][to] * most + w)
            found = order[np.minimum(place, len(order) - 1)]
            there = key[found] == self.line[j][to] * most + w
            to, w, parts = to[there], w[there], [part[there] for part in parts] + [found[there]]
        return to, np.stack(parts)

    def counts(self, color: Any = None) -> Array:
        """The counter # of delta-k-LWL+: how many tuples that differ from a tuple in component j alone, itself included, have its colour.

        Parameters
        ----------
        color : ndarray, [tuples], optional
            The colours to count; None: those of the object.

        Returns
        -------
        ndarray, [tuples, k]
        """
        if self.line is None:
            self.links(0)  # refused
        assert self.line is not None
        kinds = np.unique(self.color if color is None else v.array(color, "color", "colours"), return_inverse=True)[1].reshape(-1)
        if len(kinds) != len(self):
            raise ArgumentError(f"color: found {len(kinds)} colours, expected {len(self)}")
        most = int(kinds.max(initial=0)) + 1
        columns = [np.unique(line * most + kinds, return_inverse=True, return_counts=True)[1:] for line in self.line]
        return np.stack([count[inverse.reshape(-1)] for inverse, count in columns], axis=1)


def tuples(graphs: Any, k: int = 2, *, components: int | None = None, method: str = "local", rounds: int = 0, links: bool = True,
           distances: bool = False, in_arcs: bool = False, count_every_round: bool = False, ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False,
           n_jobs: int | None = None) -> Tuples:
    """The k-tuples of one or more graphs, with colours, neighbours and distances: what networks on tuples are made of.

    Parameters
    ----------
    graphs : graph or graphs of any kind
    k : int
        From 2 to 6.
    components : int, optional
        Only tuples whose vertices induce at most so many connected components, the (k, s) tuples; None: all.
    method : str
        The algorithm that colours the tuples, with or without its k.
    rounds : int
        Colours after so many rounds; 0: isomorphism types.
    links, distances : bool
        Whether these are computed.
    in_arcs : bool
        Of directed graphs: entering arcs are neighbours of their own.
    count_every_round : bool
        Of delta-k-LWL+: use the counter in every round, not only in the last.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    Tuples

    Examples
    --------
    >>> import leman
    >>> found = leman.tuples(leman.generate("path", vertices=3), k=2)
    >>> found
    <leman.Tuples: 9 2-tuples of 1 graph>
    >>> found.links(0).shape  # three positions of the second vertex times four arcs
    (2, 12)
    """
    data = as_dataset(graphs)
    k = v.integer(k, "k", 2, int(c.LEMAN_TUPLES_MAX_K), f"2 to {int(c.LEMAN_TUPLES_MAX_K)}")
    last = v.integer(rounds, "rounds", 0)
    with Session(n_jobs) as session:
        coloring = options("leman_coloring")
        coloring.rounds = last
        parse(session, "leman_coloring_parse", method, coloring)
        if any(letter.isdigit() for letter in method) and coloring.k != k:
            raise ArgumentError(f"method: found {v.shown(method)} and k={k}, expected the same k in both, or a name without k such as 'local'")
        coloring.k, coloring.components = k, components_of(components) or 0
        coloring.in_arcs, coloring.count_every_round = bool(in_arcs), bool(count_every_round)
        coloring.ignore_vertex_labels, coloring.ignore_edge_labels = bool(ignore_vertex_labels), bool(ignore_edge_labels)
        wanted = (c.LEMAN_TUPLES_LINKS if links else 0) | (c.LEMAN_TUPLES_DISTANCES if distances else 0)
        return tuples_of(session, data, coloring, last, wanted)


def tuples_of(session: Session, data: Dataset, coloring: Any, last: int, wanted: int) -> Tuples:
    out = ctypes.POINTER(c.leman_tuples)()
    session.call("leman_tuples_compute", data._handle.pointer, ctypes.byref(coloring), last, wanted, ctypes.byref(out))
    try:
        return Tuples(out.contents)
    finally:
        lib.leman_tuples_free(out)
