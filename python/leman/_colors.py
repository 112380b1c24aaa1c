"""Colours of one graph, which graphs are told apart, and hashes of graphs: `colors`, `distinguish`, `distinguish_pairs`,
`wl_equivalent`, `graph_hash`, `graph_classes`, `stable_round`."""
from __future__ import annotations

import ctypes
import hashlib
from typing import Any, Iterator

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset, Graph
from ._errors import InputError, OutOfMemoryError
from ._kernels import components_of, rounds_of
from ._library import Session, lib, options, parse
from ._tuples import tuples_of


def _coloring(session: Session, method: Any, rounds: Any, **set_: Any) -> Any:
    coloring = options("leman_coloring")
    coloring.rounds = rounds_of(rounds)
    for name, value in set_.items():
        setattr(coloring, name, value)
    return parse(session, "leman_coloring_parse", method, coloring)


def _one(graph: Any, what: str) -> Graph:
    """One graph of whatever kind."""
    if isinstance(graph, Graph):
        return graph
    if not isinstance(graph, (list, tuple, Dataset)) or isinstance(graph, str):
        graph = [graph]
    data = as_dataset(graph)
    if len(data) != 1:
        raise InputError(f"{what}: found {len(data)} graphs, expected one")
    return data[0]


def colors(graph: Any, method: str = "delta-2-LWL", rounds: int | str = 5, *, ignore_vertex_labels: bool = False,
           ignore_edge_labels: bool = False, count_every_round: bool = False, in_arcs: bool = False,
           components: int | None = None, n_jobs: int | None = None) -> Any:
    """The colour of every k-tuple of one graph after so many rounds, an array with k axes of length n. Colours are canonical:
    the same in every graph, on every machine, in every run. components: only tuples that induce at most so many connected
    components are coloured, and the answer is a TupleColors, which has these tuples alone."""
    kept = _one(graph, "graph")
    view = kept._view
    with Session(n_jobs) as session:
        coloring = _coloring(session, method, rounds, ignore_vertex_labels=bool(ignore_vertex_labels),
                             ignore_edge_labels=bool(ignore_edge_labels), count_every_round=bool(count_every_round),
                             in_arcs=bool(in_arcs), components=components_of(components) or 0)
        if coloring.rounds == c.LEMAN_STABLE:
            histogram = ctypes.POINTER(c.leman_histogram)()
            session.call("leman_histogram_compute", ctypes.byref(view), ctypes.byref(coloring), ctypes.byref(histogram))
            coloring.rounds = max(0, histogram.contents.rounds - 1)
            lib.leman_histogram_free(histogram)
        if components is not None and coloring.k > 1:
            found = tuples_of(session, kept.dataset[kept.index:kept.index + 1], coloring, int(coloring.rounds), 0)
            return TupleColors(found.vertex, found.color, (kept.num_vertices,) * found.k)
        out = _whole((kept.num_vertices,) * int(coloring.k))
        session.call("leman_tuple_colors", ctypes.byref(view), ctypes.byref(coloring), coloring.rounds,
                     out.ctypes.data_as(ctypes.POINTER(ctypes.c_uint64)))
    return out if components is None else TupleColors(np.arange(len(out)).reshape(-1, 1), out, out.shape)


def _whole(shape: tuple[int, ...]) -> npt.NDArray[np.uint64]:
    """An array of zeros, or our own exception."""
    try:
        return np.zeros(shape, dtype=np.uint64)
    except (MemoryError, ValueError):
        raise OutOfMemoryError(f"the {len(shape)}-tuples of {shape[0]} vertices are {shape[0] ** len(shape)} numbers, more than "
                               "memory has; components=1 colours connected tuples alone") from None


class TupleColors:
    """Colours of some of the tuples of a graph. tuples [count, k]: their vertices; colors [count]; shape: of the array of all
    tuples, which numpy.asarray() makes, with 0 for tuples that have no colour."""

    def __init__(self, tuples: npt.NDArray[np.int64], colors: npt.NDArray[np.uint64], shape: tuple[int, ...]) -> None:
        self.tuples = tuples
        self.colors = colors
        self.shape = shape

    def __len__(self) -> int:
        return len(self.colors)

    def __repr__(self) -> str:
        return f"<leman.TupleColors: {len(self)} of the {self.shape[0]}^{len(self.shape)} tuples>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        whole = _whole(self.shape)
        whole[tuple(self.tuples.T)] = self.colors
        return whole if dtype is None else whole.astype(dtype)


class Explanation:
    """Why two graphs differ: the unrolling tree of a colour, as `text`, `dot` (Graphviz) and `svg`; draws itself in a
    notebook."""

    def __init__(self, text: str, dot: str, svg: str) -> None:
        self.text = text
        self.dot = dot
        self.svg = svg

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<div>{self.svg}</div>"


class Difference:
    """What `distinguish` found: true where the graphs are told apart. `round` is the first that does it, otherwise the last
    that was looked at; `color` a colour whose counts differ, `counts` how many tuples carry it in each."""

    def __init__(self, found: Any, graphs: tuple[Graph, Graph], how: dict[str, Any]) -> None:
        self.distinguished = bool(found.distinguished)
        self.round = int(found.round)
        self.color = int(found.color) if self.distinguished else None
        self.counts = (int(found.count[0]), int(found.count[1])) if self.distinguished else None
        self.method: str = how["method"]
        self._graphs = graphs
        self._how = how

    def __bool__(self) -> bool:
        return self.distinguished

    def __repr__(self) -> str:
        if not self.distinguished:
            return f"<leman.Difference: {self.method} does not tell them apart in {self.round} rounds>"
        return f"<leman.Difference: {self.method} tells them apart in round {self.round}>"

    def explain(self, max_nodes: int = 0) -> Explanation:
        """The unrolling tree of a colour that one graph has more often."""
        how = dict(self._how)
        texts = []
        with Session(how.pop("n_jobs")) as session:
            as_union = how.pop("as_union")
            coloring = _coloring(session, **how)
            unrolling = ctypes.POINTER(c.leman_unrolling)()
            first, second = self._graphs
            session.call("leman_explain", ctypes.byref(first._view), ctypes.byref(second._view), ctypes.byref(coloring),
                         as_union, v.integer(max_nodes, "max_nodes"), ctypes.byref(unrolling))
            try:
                pair = options("leman_explained_pair")
                for i, graph in enumerate(self._graphs):
                    pair.data[i], pair.graph[i] = graph.dataset._handle.pointer.value, graph.index
                for format_ in (c.LEMAN_EXPLANATION_FORMAT_TEXT, c.LEMAN_EXPLANATION_FORMAT_DOT,
                                c.LEMAN_EXPLANATION_FORMAT_SVG):
                    made = ctypes.POINTER(c.leman_explanation)()
                    session.call("leman_explanation_write", unrolling, ctypes.byref(pair), format_, ctypes.byref(made))
                    texts.append((made.contents.text or b"").decode("utf-8", "replace"))
                    lib.leman_explanation_free(made)
            finally:
                lib.leman_unrolling_free(unrolling)
        return Explanation(*texts)

    def _repr_html_(self) -> str:
        import html
        from ._draw import svg
        pictures = "".join(f'<div style="display:inline-block">{svg(graph)}</div>' for graph in self._graphs)
        return f"<div><div>{html.escape(repr(self)[1:-1])}</div>{pictures}</div>"


def distinguish(a: Any, b: Any, method: str = "delta-2-LWL", rounds: int | str = "stable", *, as_union: bool = False,
                ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False, components: int | None = None,
                n_jobs: int | None = None) -> Difference:
    """Does the method tell two graphs apart? Compares counts of colours round by round, until they differ or nothing splits
    any more. as_union: both are coloured as parts of their disjoint union."""
    graphs = (_one(a, "a"), _one(b, "b"))
    how = dict(method=method, rounds=rounds, count_every_round=True, ignore_vertex_labels=bool(ignore_vertex_labels),
               ignore_edge_labels=bool(ignore_edge_labels), components=components_of(components) or 0)
    found = c.leman_difference()
    with Session(n_jobs) as session:
        coloring = _coloring(session, **how)
        session.call("leman_distinguish", ctypes.byref(graphs[0]._view), ctypes.byref(graphs[1]._view),
                     ctypes.byref(coloring), bool(as_union), ctypes.byref(found))
    return Difference(found, graphs, {**how, "as_union": bool(as_union), "n_jobs": n_jobs})


def wl_equivalent(a: Any, b: Any, k: int = 1, *, n_jobs: int | None = None) -> bool:
    """Are two graphs k-WL equivalent: does k-WL give both the same colours equally often in every round? k = 1 is colour
    refinement. n^k tuples of memory."""
    return not distinguish(a, b, f"{v.integer(k, 'k', 1)}-WL", n_jobs=n_jobs)


def distinguish_pairs(pairs: Any, method: str = "delta-2-LWL", rounds: int | str = "stable", *, as_union: bool = False,
                      ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False, components: int | None = None,
                      n_jobs: int | None = None) -> list[Difference]:
    """Which pairs of graphs does the method tell apart? pairs: a list of pairs of graphs, or a data set whose graphs 2i and 2i + 1 are
    a pair. As distinguish() otherwise, pairs in parallel."""
    if not isinstance(pairs, Dataset):
        listed = v.listed(pairs, "pairs")
        for place, pair in enumerate(listed):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise InputError(f"pairs: found {v.shown(pair)} in place {place}, expected two graphs")
        pairs = as_dataset([graph for pair in listed for graph in pair])
    if len(pairs) % 2:
        raise InputError(f"pairs: found {len(pairs)} graphs, expected an even number")
    how = dict(method=method, rounds=rounds, count_every_round=True, ignore_vertex_labels=bool(ignore_vertex_labels),
               ignore_edge_labels=bool(ignore_edge_labels), components=components_of(components) or 0)
    found = (c.leman_difference * (len(pairs) // 2))()
    with Session(n_jobs) as session:
        session.call("leman_distinguish_pairs", pairs._handle.pointer, ctypes.byref(_coloring(session, **how)), bool(as_union), found)
    return [Difference(one, (pairs[2 * i], pairs[2 * i + 1]), {**how, "as_union": bool(as_union), "n_jobs": n_jobs})
            for i, one in enumerate(found)]


def _histograms(data: Dataset, method: str, rounds: int | str, how: dict[str, Any], n_jobs: int | None) -> Iterator[Any]:
    """The colours of the last round of each graph, with their counts, and the number of that round."""
    how = {**how, "components": components_of(how["components"]) or 0}
    with Session(n_jobs) as session:
        coloring = _coloring(session, method, rounds, count_every_round=True, **how)
        for graph in data:
            histogram = ctypes.POINTER(c.leman_histogram)()
            session.call("leman_histogram_compute", ctypes.byref(graph._view), ctypes.byref(coloring), ctypes.byref(histogram))
            try:
                last = histogram.contents.rounds - 1
                first, end = histogram.contents.start[last], histogram.contents.start[last + 1]
                size = ctypes.sizeof(c.leman_color)
                at = ctypes.addressof(histogram.contents.color.contents) + first * size if end > first else 0
                yield last, ctypes.string_at(at, (end - first) * size) if end > first else b""
            finally:
                lib.leman_histogram_free(histogram)


def graph_hash(graphs: Any, method: str = "delta-2-LWL", rounds: int | str = "stable", *, ignore_vertex_labels: bool = False,
               ignore_edge_labels: bool = False, components: int | None = None, n_jobs: int | None = None) -> list[str]:
    """A text of 32 hexadecimal digits for each graph. Two graphs have the same text if the method does not tell them apart; isomorphic
    graphs always have. Colours are hashes of 64 bits, so other graphs have it by chance only. The same on every machine, in every run."""
    how = dict(ignore_vertex_labels=bool(ignore_vertex_labels), ignore_edge_labels=bool(ignore_edge_labels), components=components)
    return [hashlib.blake2b(round_.to_bytes(8, "little") + colors_, digest_size=16).hexdigest()
            for round_, colors_ in _histograms(as_dataset(graphs), method, rounds, how, n_jobs)]


def graph_classes(graphs: Any, method: str = "delta-2-LWL", rounds: int | str = "stable", **how: Any) -> npt.NDArray[np.int64]:
    """A number for each graph, the same for graphs that the method does not tell apart. Numbers count from 0 in the order of the first
    graphs. Arguments as in graph_hash()."""
    number: dict[str, int] = {}
    return np.array([number.setdefault(text, len(number)) for text in graph_hash(graphs, method, rounds, **how)], dtype=np.int64)


def stable_round(graphs: Any, method: str = "delta-2-LWL", *, ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False,
                 components: int | None = None, n_jobs: int | None = None) -> npt.NDArray[np.int64]:
    """For each graph the first round after which no colour class is split any more."""
    how = dict(ignore_vertex_labels=bool(ignore_vertex_labels), ignore_edge_labels=bool(ignore_edge_labels), components=components)
    return np.array([round_ for round_, _ in _histograms(as_dataset(graphs), method, "stable", how, n_jobs)], dtype=np.int64)
