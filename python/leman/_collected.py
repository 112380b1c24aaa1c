"""What the converters of graphs of other libraries share."""
from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from ._arrays import from_arrays
from ._dataset import Dataset
from ._errors import InputError


class Collected:
    """Flat arrays that grow graph by graph."""

    def __init__(self) -> None:
        self.offsets = [0]
        self.ends: list[Any] = []
        self.vertex_labels: list[Any] = []
        self.edge_labels: list[Any] = []
        self.vertex_attributes: list[Any] = []
        self.edge_attributes: list[Any] = []
        self.nodes: list[Any] = []
        self.named = False

    def graph(self, nodes: Sequence[Any], ends: Any) -> None:
        """The vertices of the next graph by their names, and its edges [2, edges] by number."""
        first = self.offsets[-1]
        self.offsets.append(first + len(nodes))
        self.ends.append(np.asarray(ends, dtype=np.int64).reshape(2, -1) + first)
        plain = isinstance(nodes, range) or list(nodes) == list(range(len(nodes)))
        self.nodes.append(None if plain else tuple(nodes))
        self.named = self.named or not plain

    def dataset(self, y: Any, **more: Any) -> Dataset:
        graphs = len(self.offsets) - 1

        def column(values: list[Any], sizes: Any, what: str) -> Any:
            """Parts that are arrays become one; None where no graph has any; else every graph must have them whose size, the number
            of its vertices or edges, is not 0."""
            if not any(part is not None and (len(part) or not any(sizes)) for part in values):
                return None
            for place, part in enumerate(values):
                if part is None and sizes[place]:
                    raise InputError(f"graph {place}: found no {what}, but other graphs have them")
            values = [part for part in values if part is not None]
            if all(isinstance(part, np.ndarray) for part in values):
                widths = {part.shape[1:] for part in values if part.size} or {values[0].shape[1:]}
                if len(widths) > 1:
                    raise InputError(f"{what}: found graphs with different numbers of columns: {sorted(widths)}")
                width = widths.pop()
                return np.concatenate([part if part.size else part.reshape((0, *width)) for part in values])
            return [label for part in values for label in part]

        vertices, edges = np.diff(self.offsets).tolist(), [part.shape[1] for part in self.ends]
        return from_arrays(np.hstack(self.ends) if self.ends else np.zeros((2, 0), np.int64), self.offsets,
                           vertex_labels=column(self.vertex_labels, vertices, "vertex labels") if graphs else None,
                           edge_labels=column(self.edge_labels, edges, "edge labels") if graphs else None,
                           vertex_attributes=column(self.vertex_attributes, vertices, "vertex attributes") if graphs else None,
                           edge_attributes=column(self.edge_attributes, edges, "edge attributes") if graphs else None,
                           nodes=self.nodes if self.named else None, y=y, **more)


def _one_direction(graphs: Sequence[Any], is_directed: Callable[[Any], bool], directed: bool | None) -> bool:
    if directed is not None:
        return directed
    found = {is_directed(graph) for graph in graphs}
    if len(found) > 1:
        raise InputError("found directed and undirected graphs in one list; directed=False makes all of them undirected")
    return bool(found and found.pop())


def _values(items: Sequence[Any], name: str, what: str, place: int) -> list[Any]:
    """The attribute of that name of each item, which is a dictionary."""
    try:
        return [item[name] for item in items]
    except KeyError:
        lacking = next(i for i, item in enumerate(items) if name not in item)
        raise InputError(f"graph {place}: {what} {lacking} has no attribute {name!r}, but others have it") from None


def _names(given: str | Sequence[str]) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _check_name(name: str | None, found: bool, argument: str, graphs: Sequence[Any]) -> None:
    """The default, "label", is used where graphs have it. Another name was asked for, and must be there."""
    if graphs and not found and name not in (None, "label"):
        raise InputError(f"{argument}: found {name!r}, which no graph has")
