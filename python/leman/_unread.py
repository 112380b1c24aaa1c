"""Sentences about features of graphs that nothing reads: of the objects that are converted, and of the data that is coloured."""
from __future__ import annotations

from typing import Any, Iterable

import numpy as np

from ._errors import warn

# What from_pyg() reads, and what PyG's batches and leman.nn.torch.TupleTransform add.
PYG_READ = ("x", "z", "pos", "vertex_attributes", "edge_attr", "edge_attributes", "y")
_PYG_KNOWN = {*PYG_READ, "edge_index", "num_nodes", "batch", "ptr", "num_tuples"}


def _keys(graph: Any) -> Iterable[str]:
    keys = getattr(graph, "keys", ())
    found: Iterable[str] = keys() if callable(keys) else keys  # a property before PyG 2.4
    return found


def _is_feature(value: Any, vertices: int, edges: int) -> bool:
    """Reals, or whole numbers with a row for each vertex or edge. Masks, texts and numbers of graphs are none."""
    if not hasattr(value, "shape") or not hasattr(value, "detach") or not value.numel():
        return False
    return bool(value.is_floating_point()) or str(value.dtype) != "torch.bool" and value.ndim > 0 and len(value) > 1 and \
        len(value) in (vertices, edges)


def warn_of_tensors(graphs: list[Any], also: list[str], name: str) -> None:
    """Says which tensors of PyG's graphs are features that are not read. also: tensors that are not read because of others."""
    unread = dict.fromkeys(also)
    for graph in graphs:
        for key in _keys(graph):
            if key not in _PYG_KNOWN and key not in unread and not key.startswith("tuple_") and \
                    _is_feature(graph[key], int(graph.num_nodes), int(graph.edge_index.shape[1])):
                unread[key] = None
    if unread:
        warn(f"{name}: found {', '.join(unread)} in the graphs, which {'is' if len(unread) == 1 else 'are'} not read; {', '.join(PYG_READ[:-1])} "
             f"and {PYG_READ[-1]} are")


def warn_of_rows(graphs: list[Any], sizes: list[int], name: str) -> None:
    """Says that a y with a value for each vertex is read as targets of graphs. sizes: the numbers of vertices."""
    if max(sizes, default=0) > 1 and all(tuple(getattr(getattr(graph, "y", None), "shape", ())) == (size,) for graph, size in zip(graphs, sizes)):
        warn(f"{name}: found as many values of y as vertices in every graph, which are read as values of the graph; for values of vertices, "
             "GraphNetwork(level='vertex') learns columns of their attributes, such as x")


def warn_of_names(items: Iterable[str], read: Iterable[Any], what: str, label: str, argument: str, name: str) -> None:
    """Says which attributes of nodes or edges of networkx and igraph are not read."""
    known = set(read)
    unread = [repr(item) for item in dict.fromkeys(items) if item not in known]
    if unread:
        shown = ", ".join(unread[:4]) + (", ..." if len(unread) > 4 else "")
        warn(f"{name}: found {shown} on {what}, which {'is' if len(unread) == 1 else 'are'} not read; {label}= takes one as the label, {argument}= real "
             f"numbers, and {argument}=() leaves the others out without this line")


def warn_of_colors(data: Any, instead: str = "") -> None:
    """Says that colours do not use the attributes of the data, a data set or one of its graphs."""
    columns = getattr(data, "dataset", data).columns
    kinds = [kind for kind in ("vertex", "edge") if getattr(columns, f"{kind}_attributes")]
    if kinds:
        warn(f"{getattr(data, 'dataset', data).name}: colours do not use the {' and '.join(kinds)} attributes{instead}; "
             "leman.isomorphic() and leman.canonical() do")


def attributes_of(data: Any) -> tuple[bool, bool]:
    """Whether a data set has attributes of vertices, and of edges."""
    return bool(data.columns.vertex_attributes), bool(data.columns.edge_attributes)


def warn_of_new(data: Any, fitted: tuple[bool, bool] | None) -> None:
    """Says that graphs have attributes of a kind that the graphs of the fit did not have. fitted: attributes_of() those, None if unknown."""
    kinds = [kind for kind, new, old in zip(("vertex", "edge"), attributes_of(data), fitted or (True, True)) if new and not old]
    if kinds:
        warn(f"{data.name}: the {' and '.join(kinds)} attributes are not used, because the graphs of fit() had none")


def are_arrays(values: Iterable[Any]) -> bool:
    """Whether each is an array of reals, as to_networkx() writes attributes."""
    return all(isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim == 1 for value in values)
