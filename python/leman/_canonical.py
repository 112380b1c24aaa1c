"""Identity of graphs: `canonical`, `isomorphic`, `isomorphism`, `symmetry`."""
from __future__ import annotations

import ctypes
from typing import Any, Hashable

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._colors import _one
from ._convert import as_dataset
from ._graph import Graph
from ._hashes import KEPT, _is_one
from ._library import Handle, Session, lib


def _words(graph: Graph) -> Any:
    return graph.dataset._vertex_words, graph.dataset._edge_words


def _pair(a: Any, b: Any) -> tuple[Graph, Graph]:
    """Two graphs whose labels have the same numbers for the same words."""
    if isinstance(a, Graph) and isinstance(b, Graph) and (a.dataset is b.dataset or _words(a) == _words(b) and a._view.edge_labels == b._view.edge_labels):
        return a, b
    graphs = [_one(one, what).to_networkx() if isinstance(one, Graph) else one for one, what in ((a, "a"), (b, "b"))]
    data = as_dataset(graphs, policy=KEPT)
    return data[0], data[1]


def canonical(graphs: Any, *, n_jobs: int | None = None) -> list[str]:
    """The canonical form of each graph, a line of text: two graphs have the same form if and only if they are isomorphic, with labels,
    attributes, directions, loops and parallel edges.

    Parameters
    ----------
    graphs : graph or graphs of any kind
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    list of str
        Labels that are no integers stand there as numbers that depend on their values alone.

    Examples
    --------
    >>> import leman
    >>> data = leman.Dataset.from_smiles(["CCO", "OCC", "COC"])
    >>> first, second, third = leman.canonical(data)
    >>> first == second, first == third
    (True, False)
    """
    data = as_dataset([graphs] if _is_one(graphs) else graphs, policy=KEPT)
    out = ctypes.c_void_p()
    with Session(n_jobs) as session:
        session.call("leman_dataset_canonical", data._handle.pointer, None, None, ctypes.byref(out))
    ordered = Handle(out, lib.leman_dataset_free)
    found = []
    for i in range(len(data)):
        view = lib.leman_dataset_graph(ordered.pointer, i)
        size = lib.leman_graph_text(ctypes.byref(view), None, 0) + 1
        text = ctypes.create_string_buffer(size)
        lib.leman_graph_text(ctypes.byref(view), text, size)
        found.append(text.value.decode())
    return found


def isomorphism(a: Any, b: Any, *, n_jobs: int | None = None) -> dict[Hashable, Hashable] | None:
    """A map of the nodes of a to those of b that preserves edges, directions, labels, attributes and loops.

    Parameters
    ----------
    a, b : graphs of any kind
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    dict or None
        The image of each node of `a`; None if the graphs are not isomorphic.

    Examples
    --------
    >>> import leman, networkx as nx
    >>> found = leman.isomorphism(nx.path_graph(3), nx.Graph([("end", "middle"), ("middle", "other end")]))
    >>> found[1]
    'middle'
    """
    first, second = _pair(a, b)
    image = np.zeros(max(1, first.num_vertices), dtype=np.uint32)
    same = ctypes.c_bool()
    with Session(n_jobs) as session:
        session.call("leman_isomorphic", ctypes.byref(first._view), ctypes.byref(second._view), ctypes.byref(same),
                     image.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)))
    if not same.value:
        return None
    theirs = second.nodes
    return {node: theirs[image[v]] for v, node in enumerate(first.nodes)}


def isomorphic(a: Any, b: Any, *, n_jobs: int | None = None) -> bool:
    """Are two graphs isomorphic, with labels, attributes, directions and loops? Attributes are compared exactly.

    Parameters
    ----------
    a, b : graphs of any kind
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    bool

    Examples
    --------
    >>> import leman, networkx as nx
    >>> leman.isomorphic(nx.path_graph(4), nx.Graph([("a", "b"), ("c", "b"), ("c", "d")]))
    True
    """
    return isomorphism(a, b, n_jobs=n_jobs) is not None


class Symmetry:
    """The automorphisms of a graph.

    Attributes
    ----------
    order : int or float
        How many there are, exact up to 10^15.
    orbits : ndarray of int64, [n]
        The smallest vertex of the orbit of each vertex.

    Examples
    --------
    >>> import leman, networkx as nx
    >>> leman.symmetry(nx.path_graph(4))
    <leman.Symmetry: 2 automorphisms, 2 orbits>
    """

    def __init__(self, found: Any, orbits: npt.NDArray[np.int64]) -> None:
        order = found.mantissa * 10.0 ** found.exponent if found.exponent < 308 else float("inf")
        self.order: int | float = round(order) if order < 1e15 else order
        self.orbits = orbits

    def __repr__(self) -> str:
        return f"<leman.Symmetry: {self.order} automorphisms, {len(set(self.orbits.tolist()))} orbits>"


def symmetry(graph: Any, *, n_jobs: int | None = None) -> Symmetry:
    """The number of automorphisms of a graph, and the orbits of its vertices.

    Parameters
    ----------
    graph : graph of any kind
    n_jobs : int, optional
        Threads, which never change a result; None: all.

    Returns
    -------
    Symmetry

    Examples
    --------
    >>> import leman
    >>> found = leman.symmetry(leman.generate("petersen")[0])
    >>> found.order, set(found.orbits.tolist())
    (120, {0})
    """
    kept = _one(as_dataset([graph] if _is_one(graph) else graph, policy=KEPT), "graph")
    order, orbit = (np.zeros(max(1, kept.num_vertices), dtype=np.uint32) for _ in range(2))
    found = c.leman_symmetry()
    with Session(n_jobs) as session:
        session.call("leman_canonical_order", ctypes.byref(kept._view), *(
            one.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)) for one in (order, orbit)), ctypes.byref(found))
    return Symmetry(found, orbit[:kept.num_vertices].astype(np.int64))
