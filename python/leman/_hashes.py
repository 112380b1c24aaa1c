"""Hashes of graphs, of vertices and of tuples: `graph_hash`, `wl_hash`, `graph_classes`, `stable_round`. docs/color_definition.md
defines the hashes."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._colors import _coloring, _one, _whole
from ._convert import _kind_of, as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InputError
from ._graph import Graph
from ._kernels import components_of
from ._library import Session
from ._unread import warn_of_colors

KEPT = "self-loops=keep,repeated-edges=keep"


def _prepared(graphs: Any, digits: int | None, ignore_vertex_labels: bool, ignore_edge_labels: bool) -> Any:
    """The graphs as a data set, and what a colouring of it has to ignore: nothing, where attributes became labels."""
    data = as_dataset([graphs] if _is_one(graphs) else graphs, policy=KEPT)
    ignored = {"ignore_vertex_labels": bool(ignore_vertex_labels), "ignore_edge_labels": bool(ignore_edge_labels)}
    if digits is None:
        return data, ignored
    return _rounded(data, v.integer(digits, "digits", 0, 15), ignored), {}


def _hashes(graphs: Any, method: str, rounds: int | str, digits: int | None, in_arcs: bool, how: dict[str, Any], n_jobs: int | None) -> Any:
    components = components_of(how.pop("components")) or 0
    data, ignored = _prepared(graphs, digits, **how)
    if digits is None:
        warn_of_colors(data, ", which digits=3 of graph_hash() rounds and takes")
    found = (c.leman_graph_hash * len(data))()
    with Session(n_jobs) as session:
        coloring = _coloring(session, method, rounds, count_every_round=True, in_arcs=in_arcs, components=components, **ignored)
        session.call("leman_graph_hashes", data._handle.pointer, ctypes.byref(coloring), found)
    return found


def _exact(graphs: Any, digits: int | None, how: dict[str, Any], n_jobs: int | None) -> list[bytes]:
    """SHA-256 of the canonical form of each graph."""
    data, ignored = _prepared(graphs, digits, **how)
    if any(ignored.values()):
        data = _kept(data, ignored)
    found = (c.leman_exact_hash * len(data))()
    with Session(n_jobs) as session:
        session.call("leman_exact_hashes", data._handle.pointer, found)
    return [bytes(one.digest) for one in found]


def _is_one(graphs: Any) -> bool:
    """Is it a graph, and not several? Lists, arrays and dictionaries are several."""
    if isinstance(graphs, Graph):
        return True
    kind = None if isinstance(graphs, (Dataset, str, bytes, list, tuple, dict, set, frozenset, np.ndarray)) else _kind_of(graphs)
    return kind is not None and not hasattr(graphs, "to_data_list") and not (hasattr(graphs, "__getitem__") and hasattr(graphs, "get_summary"))


def _kept(data: Dataset, ignored: dict[str, bool]) -> Dataset:
    """The data without ignored labels."""
    out = ctypes.c_void_p()
    keep = c.leman_columns(vertex_labels=not ignored["ignore_vertex_labels"], edge_labels=not ignored["ignore_edge_labels"],
                           vertex_attributes=1, edge_attributes=1)
    with Session(1) as session:
        session.call("leman_dataset_keep", data._handle.pointer, ctypes.byref(keep), ctypes.byref(out))
    return Dataset._made(out, {}, {}, None, None)


def _rounded(data: Dataset, digits: int, ignored: dict[str, bool]) -> Dataset:
    """The data with attributes as labels, and without ignored labels."""
    held, out = _kept(data, ignored), ctypes.c_void_p()
    with Session(1) as session:
        session.call("leman_dataset_round_attributes", held._handle.pointer, digits, ctypes.byref(out))
    return Dataset._made(out, {}, {}, None, None)


def graph_hash(graphs: Any, method: str | None = None, rounds: int | str = "stable", *, digits: int | None = None, ignore_vertex_labels: bool = False,
               ignore_edge_labels: bool = False, components: int | None = None, exact: bool = False, sha256: bool = False,
               n_jobs: int | None = None) -> Any:
    """A text for each graph, "lm1:" and 32 hexadecimal digits. Isomorphic graphs have the same text, on every machine and in every run.

    Two graphs that the method does not tell apart have the same text, too, and others by chance only, about once in 2^128 pairs; the hash is not
    cryptographic. Arcs of directed graphs are seen from both ends.

    Parameters
    ----------
    graphs : graph or graphs of any kind
    method : str, optional
        The algorithm; None: "1-WL".
    rounds : int or "stable"
        The round whose colours are hashed.
    digits : int, optional
        Attributes of vertices and edges count, too, rounded to so many digits after the decimal point.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    exact : bool
        Take the first 128 bits of the SHA-256 of the canonical form instead, the same if and only if the graphs are isomorphic; attributes
        count, and there is no method.
    sha256 : bool
        With `exact`, all 256 bits, 64 digits.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    str or list of str
        Of one graph that is not in a list, its text.

    Examples
    --------
    >>> import leman
    >>> leman.graph_hash(leman.generate("cycles"))
    ['lm1:542417bf47f55a530da2d4b908551e56', 'lm1:542417bf47f55a530da2d4b908551e56']
    >>> len(set(leman.graph_hash(leman.generate("cycles"), exact=True)))
    2
    """
    how = dict(ignore_vertex_labels=ignore_vertex_labels, ignore_edge_labels=ignore_edge_labels)
    if exact:
        if method is not None or rounds != "stable" or components is not None:
            raise ArgumentError("exact: found a method, rounds or components, too, which canonical forms do not have")
        texts = [f"lm1:{digest[:32 if sha256 else 16].hex()}" for digest in _exact(graphs, digits, how, n_jobs)]
    else:
        if sha256:
            raise ArgumentError("sha256: found True without exact=True")
        found = _hashes(graphs, method or "1-WL", rounds, digits, True, dict(how, components=components), n_jobs)
        words = np.frombuffer(found, np.uint64).reshape(-1, ctypes.sizeof(c.leman_graph_hash) // 8)[:, :2] if len(found) else _whole((0, 2))
        digits_of_all = words.astype(">u8").tobytes().hex()
        texts = [f"lm1:{digits_of_all[at:at + 32]}" for at in range(0, len(digits_of_all), 32)]
    return texts[0] if _is_one(graphs) else texts


def graph_classes(graphs: Any, method: str = "delta-2-LWL", rounds: int | str = "stable", **how: Any) -> npt.NDArray[np.int64]:
    """A number for each graph, the same for graphs that the method does not tell apart. Numbers count from 0 in the order of the first graphs.

    Parameters
    ----------
    graphs : graph or graphs of any kind
    method : str
        The algorithm.
    rounds : int or "stable"
        The round whose colours are compared.
    **how
        The other arguments of graph_hash().

    Returns
    -------
    ndarray of int64, [graphs]

    Examples
    --------
    >>> import leman
    >>> leman.graph_classes(leman.generate("cycles")).tolist(), leman.graph_classes(leman.generate("cycles"), "1-WL").tolist()
    ([0, 1], [0, 0])
    """
    number: dict[str, int] = {}
    texts = graph_hash(graphs, method, rounds, **how)
    return np.array([number.setdefault(text, len(number)) for text in ([texts] if isinstance(texts, str) else texts)], dtype=np.int64)


def stable_round(graphs: Any, method: str = "delta-2-LWL", *, ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False,
                 components: int | None = None, n_jobs: int | None = None) -> npt.NDArray[np.int64]:
    """For each graph the first round after which no colour class is split any more.

    Parameters
    ----------
    graphs : graph or graphs of any kind
    method : str
        The algorithm.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    ndarray of int64, [graphs]

    Examples
    --------
    >>> import leman
    >>> leman.stable_round(leman.generate("path", vertices=9), "1-WL").tolist()
    [4]
    """
    how = dict(ignore_vertex_labels=ignore_vertex_labels, ignore_edge_labels=ignore_edge_labels, components=components)
    return np.array([one.stable_round for one in _hashes(graphs, method, "stable", None, False, how, n_jobs)], dtype=np.int64)


def wl_hash(graph: Any, tuples: Any = None, method: str = "1-WL", rounds: int = 3, *, ignore_vertex_labels: bool = False,
            ignore_edge_labels: bool = False, n_jobs: int | None = None) -> Any:
    """Texts of vertices or of k-tuples of one graph, as of graphs in graph_hash(): "lm1:" and 32 hexadecimal digits, the same exactly for those
    that `method` does not tell apart in so many rounds, in any graph.

    Parameters
    ----------
    graph : graph of any kind
    tuples : int, tuple or list, optional
        A vertex by its number, or a k-tuple of vertices; a list of such; None: all, the last vertex of a tuple varying fastest.
    method : str
        The algorithm.
    rounds : int
        The round whose colours are hashed.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    str or list of str
        One text for one vertex or tuple, otherwise a list.

    Examples
    --------
    >>> import leman
    >>> path = leman.generate("path", vertices=4)[0]
    >>> leman.wl_hash(path, 0) == leman.wl_hash(path, 3), leman.wl_hash(path, 0) == leman.wl_hash(path, 1)
    (True, False)
    """
    kept = _one(as_dataset([graph] if _is_one(graph) else graph, policy=KEPT), "graph")
    warn_of_colors(kept)
    words = []
    with Session(n_jobs) as session:
        coloring = _coloring(session, method, v.integer(rounds, "rounds", 0), count_every_round=True, in_arcs=True,
                             ignore_vertex_labels=bool(ignore_vertex_labels), ignore_edge_labels=bool(ignore_edge_labels))
        k, n = int(coloring.k), kept.num_vertices
        for seed in (0, c.LEMAN_HASH_SEED):
            coloring.seed = seed
            words.append(_whole((n,) * k))
            session.call("leman_tuple_colors", ctypes.byref(kept._view), ctypes.byref(coloring), coloring.rounds,
                         words[-1].ctypes.data_as(ctypes.POINTER(ctypes.c_uint64)))

    def text(place: Any) -> str:
        numbers = place if isinstance(place, tuple) else (place,)
        if len(numbers) != k:
            raise InputError(f"tuples: found {v.shown(place)}, expected {k} vertices for {method}")
        at = tuple(v.integer(number, "tuples", 0, n - 1) for number in numbers)
        return f"lm1:{int(words[0][at]):016x}{int(words[1][at]):016x}"

    if tuples is None:
        return [f"lm1:{one:016x}{two:016x}" for one, two in zip(words[0].ravel().tolist(), words[1].ravel().tolist())]
    one = isinstance(tuples, tuple) or not hasattr(tuples, "__len__")
    return text(tuples) if one else [text(tuple(place) if isinstance(place, (list, np.ndarray)) else place) for place in tuples]
