"""Colours of one graph, and which graphs are told apart: `colors`, `distinguish`, `distinguish_pairs`, `wl_equivalent`,
`dimension`, `dimension_pairs`."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import InputError, OutOfMemoryError
from ._graph import Graph
from ._kernels import components_of, rounds_of
from ._library import Session, lib, options, parse
from ._tuples import tuples_of
from ._unread import warn_of_colors


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
    """The colour of every k-tuple of one graph after so many rounds. Colours are canonical: the same in every graph, on every machine, in
    every run.

    Parameters
    ----------
    graph : graph of any kind
    method : str
        The algorithm: "1-WL", "2-WL", "delta-2-LWL", "2-FWL", ...
    rounds : int or "stable"
        The last round.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    count_every_round : bool
        Of delta-k-LWL+: use the counter in every round, not only in the last.
    in_arcs : bool
        Of directed graphs: entering arcs are neighbours, too.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    ndarray of uint64 or TupleColors
        An array with k axes of length n; with `components` a TupleColors, which has these tuples alone.

    Examples
    --------
    >>> import leman
    >>> path = leman.generate("path", vertices=4)[0]
    >>> colors = leman.colors(path, "1-WL")
    >>> bool(colors[0] == colors[3]), bool(colors[0] == colors[1])
    (True, False)
    """
    kept = _one(graph, "graph")
    warn_of_colors(kept)
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


def _whole(shape: tuple[int, ...], instead: str = "components=1 colours connected tuples alone") -> npt.NDArray[np.uint64]:
    """An array of zeros, or our own exception."""
    try:
        return np.zeros(shape, dtype=np.uint64)
    except (MemoryError, ValueError):
        raise OutOfMemoryError(f"the {len(shape)}-tuples of {shape[0]} vertices are {shape[0] ** len(shape)} numbers, more than "
                               f"memory has; {instead}") from None


class TupleColors:
    """Colours of some of the tuples of a graph, as `colors` returns them with `components`. numpy.asarray() makes the array of all tuples, with 0
    for those that have no colour.

    Attributes
    ----------
    tuples : ndarray of int64, [count, k]
        The vertices of each tuple.
    colors : ndarray of uint64, [count]
        Its colour.
    shape : tuple of int
        The shape of the array of all tuples, k times n.

    Examples
    --------
    >>> import leman
    >>> found = leman.colors(leman.generate("path", vertices=3)[0], "delta-2-LWL", components=1)
    >>> found
    <leman.TupleColors: 7 of the 3^2 tuples>
    >>> found.tuples[:3].tolist()
    [[0, 0], [0, 1], [1, 0]]
    """

    def __init__(self, tuples: npt.NDArray[np.int64], colors: npt.NDArray[np.uint64], shape: tuple[int, ...]) -> None:
        self.tuples = tuples
        self.colors = colors
        self.shape = shape

    def __len__(self) -> int:
        return len(self.colors)

    def __repr__(self) -> str:
        return f"<leman.TupleColors: {len(self)} of the {self.shape[0]}^{len(self.shape)} tuples>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        whole = _whole(self.shape, ".tuples and .colors have those with a colour")
        whole[tuple(self.tuples.T)] = self.colors
        return whole if dtype is None else whole.astype(dtype)


class Explanation:
    """Why two graphs differ: the unrolling tree of a colour that one graph has more often. Draws itself in a notebook.

    Attributes
    ----------
    text : str
        The tree in sentences.
    dot : str
        The tree for Graphviz.
    svg : str
        A picture of it.

    Examples
    --------
    >>> import leman
    >>> hexagon, triangles = leman.generate("cycles")
    >>> why = leman.distinguish(hexagon, triangles, "delta-2-LWL").explain()
    >>> why.svg[:4], why.dot.split()[0]
    ('<svg', 'digraph')
    """

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
    """What `distinguish` found: true where the graphs are told apart.

    Attributes
    ----------
    distinguished : bool
        The same as bool().
    method : str
        The algorithm.
    round : int
        The first round that tells the graphs apart, otherwise the last that was looked at.
    color : int or None
        A colour whose counts differ.
    counts : tuple of int or None
        How many tuples of each graph have this colour.

    Examples
    --------
    >>> import leman
    >>> hexagon, triangles = leman.generate("cycles")
    >>> found = leman.distinguish(hexagon, triangles, "delta-2-LWL")
    >>> found
    <leman.Difference: delta-2-LWL tells them apart in round 1>
    >>> found.counts[0] != found.counts[1]
    True
    """

    def __init__(self, found: Any, graphs: tuple[Graph, Graph], how: dict[str, Any]) -> None:
        self.distinguished: bool = bool(found.distinguished)
        self.round: int = int(found.round)
        self.color: int | None = int(found.color) if self.distinguished else None
        self.counts: tuple[int, int] | None = (int(found.count[0]), int(found.count[1])) if self.distinguished else None
        self.method: str = how["method"]
        self._graphs = graphs
        self._how = how

    def __bool__(self) -> bool:
        return self.distinguished

    def __repr__(self) -> str:
        if not self.distinguished:
            return f"<leman.Difference: {self.method} does not tell them apart in {self.round} round{'' if self.round == 1 else 's'}>"
        return f"<leman.Difference: {self.method} tells them apart in round {self.round}>"

    def explain(self, max_nodes: int = 0) -> Explanation:
        """The unrolling tree of a colour that one graph has more often.

        Parameters
        ----------
        max_nodes : int
            At most so many nodes of the tree; 0: the default of the library.

        Returns
        -------
        Explanation
        """
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


def _warn_of_pair(a: Graph, b: Graph) -> None:
    """Says once that colours do not use the attributes of one graph or of both."""
    columns = a.dataset.columns
    warn_of_colors(a if columns.vertex_attributes or columns.edge_attributes else b)


def distinguish(a: Any, b: Any, method: str = "delta-2-LWL", rounds: int | str = "stable", *, as_union: bool = False,
                ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False, components: int | None = None,
                n_jobs: int | None = None) -> Difference:
    """Does the method tell two graphs apart? Compares counts of colours round by round, until they differ or nothing splits any more.

    Parameters
    ----------
    a, b : graphs of any kind
    method : str
        The algorithm: "1-WL", "2-WL", "delta-2-LWL", "2-FWL", ...
    rounds : int or "stable"
        The last round that is looked at.
    as_union : bool
        Colour both graphs as parts of their disjoint union.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    Difference
        True where the graphs are told apart, with `round` and `explain()`.

    Examples
    --------
    >>> import leman
    >>> hexagon, triangles = leman.generate("cycles")
    >>> bool(leman.distinguish(hexagon, triangles, "1-WL"))
    False
    >>> leman.distinguish(hexagon, triangles, "delta-2-LWL").round
    1
    """
    graphs = (_one(a, "a"), _one(b, "b"))
    _warn_of_pair(*graphs)
    how = dict(method=method, rounds=rounds, count_every_round=True, ignore_vertex_labels=bool(ignore_vertex_labels),
               ignore_edge_labels=bool(ignore_edge_labels), components=components_of(components) or 0)
    found = c.leman_difference()
    with Session(n_jobs) as session:
        coloring = _coloring(session, **how)
        session.call("leman_distinguish", ctypes.byref(graphs[0]._view), ctypes.byref(graphs[1]._view),
                     ctypes.byref(coloring), bool(as_union), ctypes.byref(found))
    return Difference(found, graphs, {**how, "as_union": bool(as_union), "n_jobs": n_jobs})


def wl_equivalent(a: Any, b: Any, k: int = 1, *, n_jobs: int | None = None) -> bool:
    """Are two graphs k-WL equivalent: does k-WL give both the same colours equally often in every round?

    Parameters
    ----------
    a, b : graphs of any kind
    k : int
        1 is colour refinement. Colours of n^k tuples are kept in memory.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    bool

    Examples
    --------
    >>> import leman
    >>> hexagon, triangles = leman.generate("cycles")
    >>> leman.wl_equivalent(hexagon, triangles), leman.wl_equivalent(hexagon, triangles, k=3)
    (True, False)
    """
    return not distinguish(a, b, f"{v.integer(k, 'k', 1)}-WL", n_jobs=n_jobs)


def _paired(pairs: Any) -> Dataset:
    """A data set whose graphs 2i and 2i + 1 are a pair."""
    data = pairs
    if not isinstance(data, Dataset):
        listed = v.listed(pairs, "pairs")
        for place, pair in enumerate(listed):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise InputError(f"pairs: found {v.shown(pair)} in place {place}, expected two graphs")
        data = as_dataset([graph for pair in listed for graph in pair])
    if len(data) % 2:
        raise InputError(f"pairs: found {len(data)} graphs, expected an even number")
    warn_of_colors(data)
    return data


def distinguish_pairs(pairs: Any, method: str = "delta-2-LWL", rounds: int | str = "stable", *, as_union: bool = False,
                      ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False, components: int | None = None,
                      n_jobs: int | None = None) -> list[Difference]:
    """Which pairs of graphs does the method tell apart? As distinguish(), with the pairs in parallel.

    Parameters
    ----------
    pairs : list of pairs of graphs, or graphs of any kind
        Of a data set, graphs 2i and 2i + 1 are a pair.
    method : str
        The algorithm: "1-WL", "2-WL", "delta-2-LWL", "2-FWL", ...
    rounds : int or "stable"
        The last round that is looked at.
    as_union : bool
        Colour both graphs as parts of their disjoint union.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    list of Difference

    Examples
    --------
    >>> import leman
    >>> [found.distinguished for found in leman.distinguish_pairs(leman.generate("cycles"), "2-FWL")]
    [True]
    """
    pairs = _paired(pairs)
    how = dict(method=method, rounds=rounds, count_every_round=True, ignore_vertex_labels=bool(ignore_vertex_labels),
               ignore_edge_labels=bool(ignore_edge_labels), components=components_of(components) or 0)
    found = (c.leman_difference * (len(pairs) // 2))()
    with Session(n_jobs) as session:
        session.call("leman_distinguish_pairs", pairs._handle.pointer, ctypes.byref(_coloring(session, **how)), bool(as_union), found)
    return [Difference(one, (pairs[2 * i], pairs[2 * i + 1]), {**how, "as_union": bool(as_union), "n_jobs": n_jobs})
            for i, one in enumerate(found)]


# ---- Dimension -----------------------------------------------------------------------------------


class Dimension:
    """The smallest k for which k-WL tells two graphs apart.

    Attributes
    ----------
    folklore : int or None
        Of folklore k-WL, which the literature on the WL dimension means; None if no k up to `tried` tells the graphs apart.
    wl : int or None
        Of the k-WL of this package, which for 2 and more is `folklore` + 1; None if unknown.
    tried : int
        The largest k that was tried.
    round : int or None
        The round in which folklore k-WL tells the graphs apart.
    isomorphic : bool
        No k tells them apart.
    needs : int or None
        The bytes that k = tried + 1 needs, if memory ended the search.

    Examples
    --------
    >>> import leman
    >>> hexagon, triangles = leman.generate("cycles")
    >>> found = leman.dimension(hexagon, triangles)
    >>> found.folklore, found.wl, found.isomorphic
    (2, 3, False)
    """

    def __init__(self, found: Any) -> None:
        self.folklore: int | None = found.folklore or None
        self.wl: int | None = found.wl or None
        self.tried: int = int(found.tried)
        self.round: int | None = int(found.round) if found.folklore else None
        self.isomorphic: bool = bool(found.isomorphic)
        self.needs: int | None = found.bytes or None

    def __repr__(self) -> str:
        if self.folklore:
            return f"<leman.Dimension {self.folklore}: {self.folklore}-FWL tells the graphs apart" + \
                (f", and of k-WL {self.wl}-WL>" if self.wl else ">")
        if self.isomorphic:
            return "<leman.Dimension: the graphs are isomorphic>"
        return f"<leman.Dimension > {self.tried}: {self.tried}-FWL does not tell the graphs apart" + \
            (f", and k = {self.tried + 1} needs {self.needs:,} bytes>" if self.needs else ">")


class GraphDimensions:
    """What is known about the WL dimension (folklore) of each graph of a data set.

    Attributes
    ----------
    at_least, at_most : ndarray of int64, [graphs]
        Bounds of the dimension, which holds against all graphs.
    within : ndarray of int64, [graphs]
        The smallest k that tells the graph apart from all graphs of the data that are not isomorphic to it; 0 if unknown.
    tried : ndarray of int64, [graphs]
        The largest k that was tried.
    graph_classes : ndarray of int64, [graphs]
        The number of the class of each graph, for the largest k that was tried.
    classes : list of int
        classes[k - 1]: how many classes k-FWL has.
    needs : int or None
        The bytes that the next k needs, if memory ended the search.

    Examples
    --------
    >>> import leman
    >>> found = leman.dimension(leman.generate("cycles"))
    >>> found.within.tolist(), found.classes[:2]
    ([2, 2], [1, 2])
    """

    def __init__(self, found: Any, classes: Any) -> None:
        def column(name: str) -> npt.NDArray[np.int64]:
            return np.array([getattr(one, name) for one in found], dtype=np.int64)
        self.at_least: npt.NDArray[np.int64] = column("at_least")
        self.at_most: npt.NDArray[np.int64] = column("at_most")
        self.within: npt.NDArray[np.int64] = column("within")
        self.tried: npt.NDArray[np.int64] = column("tried")
        self.graph_classes: npt.NDArray[np.int64] = np.unique(column("first"), return_inverse=True)[1].reshape(-1).astype(np.int64)
        self.classes: list[int] = [int(one) for one in classes]
        self.needs: int | None = max((int(one.bytes) for one in found), default=0) or None

    def __len__(self) -> int:
        return len(self.at_least)

    def __repr__(self) -> str:
        exact = self.at_least == self.at_most
        known = ", ".join(f"{np.count_nonzero(exact & (self.at_least == k))} of dimension {k}" for k in np.unique(self.at_least[exact]))
        rest = np.count_nonzero(~exact)
        return f"<leman.GraphDimensions of {len(self)} graph{'' if len(self) == 1 else 's'}: {known}{', ' if known and rest else ''}" + (f"{rest} open>" if rest else ">")


def _dimension_coloring(session: Session, how: dict[str, Any]) -> Any:
    return _coloring(session, "1-WL", "stable", **{name: bool(value) for name, value in how.items()})


def dimension(a: Any, b: Any = None, max_k: int = 3, *, ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False,
              n_jobs: int | None = None) -> Any:
    """The smallest k for which k-WL tells two graphs apart, or what is known about each graph of a data set.

    Arcs of directed graphs are seen from both ends. A k that does not fit into memory ends the search.

    Parameters
    ----------
    a : graph of any kind, or graphs
    b : graph of any kind, optional
        None: the graphs of the data set `a` are looked at one by one, against all graphs.
    max_k : int
        The largest k that is tried.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    Dimension or GraphDimensions
        Without `b` a GraphDimensions.

    Examples
    --------
    >>> import leman
    >>> leman.dimension(*leman.generate("cycles"))
    <leman.Dimension 2: 2-FWL tells the graphs apart, and of k-WL 3-WL>
    """
    how = dict(ignore_vertex_labels=ignore_vertex_labels, ignore_edge_labels=ignore_edge_labels)
    most = v.integer(max_k, "max_k", 1, 32)
    if b is None:
        data = as_dataset(a)
        warn_of_colors(data)
        graphs, classes = (c.leman_graph_dimension * len(data))(), (ctypes.c_size_t * most)()
        with Session(n_jobs) as session:
            session.call("leman_graph_dimensions", data._handle.pointer, ctypes.byref(_dimension_coloring(session, how)), most, graphs, classes)
        return GraphDimensions(graphs, classes)
    pair, found = (_one(a, "a"), _one(b, "b")), c.leman_dimension()
    _warn_of_pair(*pair)
    with Session(n_jobs) as session:
        session.call("leman_pair_dimension", ctypes.byref(pair[0]._view), ctypes.byref(pair[1]._view),
                     ctypes.byref(_dimension_coloring(session, how)), most, ctypes.byref(found))
    return Dimension(found)


def dimension_pairs(pairs: Any, max_k: int = 3, *, ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False,
                    n_jobs: int | None = None) -> list[Dimension]:
    """dimension() of many pairs at once.

    Parameters
    ----------
    pairs : list of pairs of graphs, or graphs of any kind
        Of a data set, graphs 2i and 2i + 1 are a pair.
    max_k : int
        The largest k that is tried.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    list of Dimension

    Examples
    --------
    >>> import leman
    >>> [found.folklore for found in leman.dimension_pairs(leman.generate("cycles"))]
    [2]
    """
    data = _paired(pairs)
    found = (c.leman_dimension * (len(data) // 2))()
    how = dict(ignore_vertex_labels=ignore_vertex_labels, ignore_edge_labels=ignore_edge_labels)
    with Session(n_jobs) as session:
        session.call("leman_pair_dimensions", data._handle.pointer, ctypes.byref(_dimension_coloring(session, how)),
                     v.integer(max_k, "max_k", 1, 32), found)
    return [Dimension(one) for one in found]
