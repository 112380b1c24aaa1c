"""Graphs as the networks of the library read them, in NumPy, from the description of a network alone (docs/networks.md,
"Exports"): numbers of labels and of types of tuples, reals of vertices, arcs and pairs, sets of vertices and their neighbours.
What the network never saw has the number -1.

Memory: n^k numbers for each graph of a network on k-tuples.
"""
from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .._colors import colors
from .._dataset import Graph
from .._errors import InputError

Array = npt.NDArray[Any]
_EXACT_COUNTS, _LAST_COUNT = 16, 32  # buckets of #: each count up to 16, then two to an octave


@dataclass
class Encoded:
    """One graph. Arcs have no self-loops; with `joined` there is one between any two vertices."""

    vertices: int
    tail: Array
    head: Array
    index: dict[str, Array] = field(default_factory=dict)  # "vertex type", "tuple type", "arc label"
    reals: dict[str, Array] = field(default_factory=dict)  # "vertices", "arcs", "tuples"
    counts: list[Array] = field(default_factory=list)  # [rounds * k] of [tuples]
    sets: list[Sets] = field(default_factory=list)


@dataclass
class Sets:
    """member [sets, size]; neighbours of set to[i]: other[i]; type [sets]."""

    member: Array
    to: Array
    other: Array
    type: Array


def _bucket(count: Array) -> Array:
    large = np.maximum(count, _EXACT_COUNTS + 1)
    octave = np.floor(np.log2(large)).astype(np.int64)
    upper = large.astype(object) ** 2 >= np.array([2 ** (2 * int(o) + 1) for o in octave.ravel()], dtype=object).reshape(octave.shape)
    spread = _EXACT_COUNTS + 2 * (octave - 4) + upper.astype(np.int64)
    return np.where(count <= _EXACT_COUNTS, count - 1, np.minimum(spread, _LAST_COUNT))


class Encoding:
    """What a network makes of a graph. description: GraphNetwork.describe(), or network.json of an export."""

    def __init__(self, description: dict[str, Any]) -> None:
        d = self.description = description
        self.matrix = d["model"] == "ppgn"
        self.on_tuples = d["model"] in ("wl", "local", "local+", "delta", "ppgn")
        self.k = int(d["k"]) if self.on_tuples else 1
        self.parts, self.joined, self.directed = bool(d["parts"]), bool(d["joined"]), bool(d["directed"])
        self.vertex = {tuple(label): i for i, label in enumerate(d["vertex_labels"])}
        self.edge = {tuple(label): i for i, label in enumerate(d["edge_labels"])}
        self.types = {(tuple(t["labels"]), tuple(r if r == "same" else tuple(r) for r in t["relations"])): i
                      for i, t in enumerate(d["types"])}
        self.set_types = [{(tuple(t["labels"]), t["adjacent"]): i for i, t in enumerate(types)} for types in d["set_types"]]
        self.sets = {"gnn12": [2], "gnn13": [3], "gnn123": [2, 3]}.get(d["model"], [])
        self.coordinates = range(d["first_coordinate"], d["first_coordinate"] + d["coordinates"]) if self.parts else range(0)
        self.widths = {"vertices": int(d["vertex_width"]), "arcs": int(d["arc_width"]), "tuples": int(d["pair_width"])}
        self.entering = any(step.get("over") == "entering" for step in d["steps"])
        self.rounds = 1 + max((step["position"] for step in d["steps"] if step.get("looks_up") == "count"), default=-1)
        self.rounds = -(-self.rounds // self.k)

    def __call__(self, graph: Graph) -> Encoded:
        if graph.directed != self.directed:
            raise InputError(f"found a graph that is {'' if graph.directed else 'not '}directed, expected one as the network learned from")
        ends, n = graph.edge_index, graph.num_vertices
        view, d = graph._view, self.description
        none, empty = np.zeros((n, 0)), np.zeros((ends.shape[1], 0))
        arc_labels = graph._edge(view.edge_label, view.edge_labels, np.int64)
        labels = graph._vertex(view.vertex_label, view.vertex_labels, np.int64)
        labels = none if labels is None or d["ignore_vertex_labels"] else labels
        arc_labels = empty if arc_labels is None or d["ignore_edge_labels"] else arc_labels
        reals, arc_reals = graph.vertex_attributes, graph.edge_attributes
        self._reals = none if reals is None or d["ignore_attributes"] else reals
        arc_reals = empty if arc_reals is None or d["ignore_attributes"] else arc_reals
        numbers = np.array([self.edge.get(tuple(label), -1) for label in arc_labels.tolist()], dtype=np.int64)
        loop = ends[0] == ends[1]
        self._labelled = labels.shape[1] > 0
        loops = {int(v): int(number) for v, number in zip(ends[0][loop], numbers[loop])}
        label = np.array([self.vertex.get((*key, 1 + loops[v] if v in loops else 0), -1) if loops.get(v, 0) >= 0 else -1
                          for v, key in enumerate(labels.tolist())], dtype=np.int64)
        tail, head, arc, arc_reals = ends[0][~loop], ends[1][~loop], numbers[~loop], arc_reals[~loop]
        self._edge_labelled = arc_labels.shape[1] > 0
        made = Encoded(n, tail, head)
        self._vertices(made, label)
        if self.matrix:
            made.reals["tuples"] = self._matrix(n, tail, head, arc, arc_reals, label)
        elif self.on_tuples:
            if d["type_width"]:
                made.index["tuple type"] = self._tuple_types(n, tail, head, arc, label)
            if self.widths["tuples"]:
                made.reals["tuples"] = self._tuple_reals(n, tail, head, arc, arc_reals)
            made.counts = self._counts(graph)
        else:
            self._arcs(made, arc, arc_reals)
            made.sets = [self._sets(made, size, types, label) for size, types in zip(self.sets, self.set_types)]
        return made

    # ---- Vertices and arcs -----------------------------------------------------------------------

    def _vertices(self, made: Encoded, label: Array) -> None:
        kind, width, n = self.description["vertex_input"], self.widths["vertices"], made.vertices
        degree = np.bincount(made.tail, minlength=n)
        number = label
        if kind == "degree":
            number = np.where(degree < self.description["degrees"], degree, -1)
        if not self.on_tuples and self.description["type_width"] and not width:
            made.index["vertex type"] = number
        if not width:
            return
        found = np.zeros((n, width))
        if kind == "scaled degree":
            found[:, 0] = (degree - self.description["degree_mean"]) / self.description["degree_deviation"]
        else:
            others = [c for c in range(self._reals.shape[1]) if c not in self.coordinates] if kind == "labels and attributes" else []
            one_hot = width - len(others)
            known = np.flatnonzero((number >= 0) & (number < one_hot)) if one_hot else np.zeros(0, np.int64)
            found[known, number[known]] = 1
            found[:, one_hot:] = self._reals[:, others]
        made.reals["vertices"] = found

    def _distances(self) -> Array:
        place = self._reals[:, list(self.coordinates)]
        return np.asarray(np.sqrt(((place[:, None] - place[None]) ** 2).sum(axis=2)))

    def _arcs(self, made: Encoded, arc: Array, reals: Array) -> None:
        if self.description["edge_label_width"]:
            made.index["arc label"] = arc
        if not self.widths["arcs"]:
            return
        pairs = self._pairs(made.vertices, made.tail, made.head, arc, reals, self.widths["arcs"])
        if self.joined:
            made.tail, made.head = np.nonzero(~np.eye(made.vertices, dtype=bool))
        made.reals["arcs"] = pairs[made.tail, made.head]

    def _pairs(self, n: int, tail: Array, head: Array, arc: Array, reals: Array, width: int) -> Array:
        """[n, n, width]: one-hot edge label, edge attributes, distance."""
        found = np.zeros((n, n, width))
        known = arc >= 0
        found[tail[known], head[known], arc[known]] = 1
        labels = len(self.edge)
        found[tail, head, labels:labels + reals.shape[1]] = reals
        if len(self.coordinates):
            found[:, :, -1] = self._distances()
        return found

    # ---- Tuples ----------------------------------------------------------------------------------

    def _tuple_types(self, n: int, tail: Array, head: Array, arc: Array, label: Array) -> Array:
        numbers = [0] * n if self.parts else label.tolist()
        between = dict(zip(zip(tail.tolist(), head.tolist()), [0] * len(arc) if self.parts else arc.tolist()))
        pairs = list(itertools.combinations(range(self.k), 2))
        found = np.empty(n**self.k, dtype=np.int64)
        for row, v in enumerate(itertools.product(range(n), repeat=self.k)):
            relations = tuple("same" if v[i] == v[j] else (between.get((v[i], v[j])), between.get((v[j], v[i]))) for i, j in pairs)
            found[row] = self.types.get((tuple(numbers[u] for u in v), relations), -1)
        return found

    def _tuple_reals(self, n: int, tail: Array, head: Array, arc: Array, reals: Array) -> Array:
        of_tuple = list(itertools.combinations(range(self.k), 2))
        pairs = self._pairs(n, tail, head, arc, reals, self.widths["tuples"] // len(of_tuple))
        component = np.indices((n,) * self.k).reshape(self.k, -1)
        return np.concatenate([pairs[component[i], component[j]] for i, j in of_tuple], axis=1)

    def _matrix(self, n: int, tail: Array, head: Array, arc: Array, reals: Array, label: Array) -> Array:
        """[n * n, channels]: is an edge, same vertex, the edge, the vertex on the diagonal (docs/networks.md, PPGN)."""
        edge_labels = len(self.edge) if self._edge_labelled else 0
        labels = len(self.vertex) if self._labelled else 0
        own, width = self._reals if self.parts else self._reals[:, :0], self.widths["tuples"]
        reals = reals if self.parts else reals[:, :0]
        edge = np.zeros((len(tail), 1 + edge_labels + reals.shape[1]))
        edge[:, 0] = 1
        if edge_labels:
            edge[np.flatnonzero(arc >= 0), 1 + arc[arc >= 0]] = 1
        edge[:, 1 + edge_labels:] = reals
        both = width == 1 + 2 * edge.shape[1] + labels + own.shape[1]
        found = np.zeros((n, n, width))
        found[tail, head, 0] = 1
        found[tail, head, 2:1 + edge.shape[1]] = edge[:, 1:]
        if both:
            found[head, tail, 1 + edge.shape[1]:1 + 2 * edge.shape[1]] = edge
        every, first = np.arange(n), 1 + edge.shape[1] * (2 if both else 1)
        found[every, every, 1] = 1
        if labels:
            known = every[label >= 0]
            found[known, known, first + label[known]] = 1
        found[every, every, first + labels:] = own
        return found.reshape(n * n, width)

    def _counts(self, graph: Graph) -> list[Array]:
        """# of local+ for each round and component: how many tuples of the line of x along j have the colour of x."""
        found: list[Array] = []
        for t in range(self.rounds):
            color = colors(graph, f"delta-{self.k}-LWL+", t, count_every_round=True, in_arcs=self.entering,
                           ignore_vertex_labels=self.description["ignore_vertex_labels"],
                           ignore_edge_labels=self.description["ignore_edge_labels"])
            for j in range(self.k):
                lines = np.moveaxis(color, j, 0)
                same = (lines[:, None] == lines[None]).sum(axis=0)
                found.append(_bucket(np.moveaxis(same, 0, j).ravel()))
        return found

    # ---- Sets ------------------------------------------------------------------------------------

    @staticmethod
    def _sets(made: Encoded, size: int, types: dict[Any, int], label: Array) -> Sets:
        """All 2-sets, or the 3-sets that induce a connected graph; neighbours by moving one vertex along an edge."""
        n = made.vertices
        near: list[set[int]] = [set() for _ in range(n)]
        for u, w in zip(made.tail.tolist(), made.head.tolist()):
            near[u].add(w)
            near[w].add(u)
        chosen = [s for s in itertools.combinations(range(n), size)
                  if size == 2 or sum(w in near[u] for u, w in itertools.combinations(s, 2)) >= 2]
        place = {s: i for i, s in enumerate(chosen)}
        links = [(i, place[other]) for i, s in enumerate(chosen) for u in s for w in near[u] if w not in s
                 for other in [tuple(sorted({*s, w} - {u}))] if other in place]
        kinds = [types.get((tuple(sorted(label[list(s)].tolist())), s[-1] in near[s[0]]), -1) for s in chosen]
        to_other = np.array(sorted(links), dtype=np.int64).reshape(-1, 2).T
        return Sets(np.array(chosen, dtype=np.int64).reshape(-1, size), to_other[0], to_other[1], np.array(kinds, dtype=np.int64))
