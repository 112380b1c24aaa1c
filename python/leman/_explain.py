"""What made a prediction: how every vertex and edge adds to a score, from `leman_attribution`, and its picture."""
from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from ._convert import as_dataset
from ._dataset import Dataset
from ._draw import svg
from ._errors import Error, InputError
from ._graph import Graph
from ._library import Session, lib, options

Array = npt.NDArray[Any]
LARGEST = 256  # vertices of a graph that is drawn


class VertexExplanation:
    """What each vertex and edge of a graph contributes to a decision. Draws itself in a notebook, red where a vertex is in favour of the decision,
    blue where it is against it.

    Attributes
    ----------
    graph : Graph
        The graph that is explained.
    of : object
        The class that is explained; None: a value.
    value : float
        The decision for the whole graph.
    exact : bool
        Weights and `rest` add up to `value`, and so do edge_weights and edge_rest. Otherwise a weight is by how much the value falls without the
        vertex, or the edge.
    weights : ndarray, [vertices]
        In the order of the graph's vertices (of a molecule of RDKit, of its atoms).
    rest : float
        The mean value of the training graphs.
    edges : ndarray of int64, [edges, 2]
        The ends of each edge.
    edge_weights : ndarray, [edges]
        What each edge contributes.
    edge_rest : float
        What is missing to the sum of edge_weights.
    probability : float
        Of the class that is explained.
    similarity, domain : float
        Of the graph, as GraphSVC.domain() has them; nan for networks.
    supports : list of dict
        Of assignment kernels, the training graphs that add most.

    Examples
    --------
    >>> import leman
    >>> alcohols, amines = ["C" * n + "O" for n in range(1, 9)], ["C" * n + "N" for n in range(1, 9)]
    >>> model = leman.GraphSVC("1-WL", rounds=1, C=1.0, folds=4, random_state=1).fit(alcohols + amines, ["alcohol"] * 8 + ["amine"] * 8)
    >>> why = model.explain("CCCCO", of="alcohol")
    >>> why.exact, int(why.weights.argmax())
    (True, 4)
    >>> bool(abs(why.weights.sum() + why.rest - why.value) < 1e-9)
    True
    """

    def __init__(self, graph: Graph, found: Any, of: Any, picture: str) -> None:
        n, m = int(found.vertices), int(found.edges)
        self.graph = graph
        self.value: float = float(found.score)
        self.weights: Array = np.array(found.vertex[:n], dtype=float)
        self.of = of  # the class that is explained; None: a value
        self.exact: bool = int(found.method) == c.LEMAN_ATTRIBUTION_METHOD_WEIGHTS
        self.rest: float = float(found.rest)
        self.edges: Array = np.array(found.end[: 2 * m], dtype=np.int64).reshape(m, 2)
        self.edge_weights: Array = np.array(found.edge[:m], dtype=float)
        self.edge_rest: float = float(found.edge_rest)
        self.probability: float = float(found.probability)
        self.similarity: float = found.similarity
        self.domain: float = found.domain
        self.supports: list[dict[str, Any]] = [{"graph": int(s.graph),
                          "name": (s.name or b"").decode("utf-8", "replace"), "similarity": float(s.similarity),
                          "contribution": float(s.contribution), "share": float(s.share)} for s in found.support[: found.supports]]
        self._picture = picture

    def __repr__(self) -> str:
        most = np.argsort(-np.abs(self.weights))[:5].tolist()
        of = self.of.item() if isinstance(self.of, np.generic) else self.of
        what = "the prediction" if of is None else f"class {of!r}"
        return f"<leman.VertexExplanation of {what}: {self.value:.3g}; most by the vertices {most}>"

    def _repr_svg_(self) -> str:
        return self._picture or svg(self.graph, 260, self.weights, repr(self))


def one_graph(graph: Any, reading: int) -> Dataset:
    """The graph that is to be explained, in any form, as a data set of one. reading: how the model reads SMILES."""
    data = as_dataset([graph] if not isinstance(graph, (Dataset, Graph)) else graph, reading=reading)
    if len(data) != 1:
        raise InputError(f"graph: found {len(data)} graphs, expected one")
    return data


def _draw(session: Session, data: Dataset, found: Any, atom_numbers: bool) -> str:
    if not 0 < found.contents.vertices <= LARGEST:
        return ""
    picture = ctypes.POINTER(c.leman_explanation)()
    how = options("leman_drawing_options")
    how.atom_numbers = atom_numbers
    try:
        session.call("leman_attribution_draw", data._handle.pointer, ctypes.byref(found), 1, ctypes.byref(how),
                     ctypes.byref(picture))
    except Error:
        return ""
    try:
        return (picture.contents.text or b"").decode("utf-8", "replace")
    finally:
        lib.leman_explanation_free(picture)


def several(graph: Any) -> list[Any]:
    """The molecules of a list of SMILES or of molecules of RDKit, which are explained one by one; of anything else none."""
    listed = graph.tolist() if hasattr(graph, "tolist") else graph
    known = isinstance(listed, (list, tuple)) and listed and (isinstance(listed[0], str) or hasattr(listed[0], "GetAtoms"))
    return list(listed) if known else []


def explained(session: Session, data: Dataset, of: Any, atom_numbers: bool, function: str, *arguments: Any) -> VertexExplanation:
    """function(session, *arguments, out) makes the attribution. atom_numbers: its picture has the numbers of the vertices."""
    found = ctypes.POINTER(c.leman_attribution)()
    session.call(function, *arguments, ctypes.byref(found))
    try:
        return VertexExplanation(data[0], found.contents, of, _draw(session, data, found, bool(atom_numbers)))
    finally:
        lib.leman_attribution_free(found)
