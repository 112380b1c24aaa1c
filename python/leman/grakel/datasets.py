"""fetch_dataset, as GraKeL has it."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Bunch, check_random_state

from .._arrays import from_arrays, to_arrays
from .._dataset import Dataset
from .._errors import ArgumentError


def _labelled(data: Dataset, produce_labels_nodes: bool, prefer_attr_nodes: bool, prefer_attr_edges: bool) -> Dataset:
    """Attributes in the place of labels where they are preferred, degrees where vertices have no labels and are to have some."""
    columns = data.columns
    nodes = prefer_attr_nodes and columns.vertex_attributes
    edges = prefer_attr_edges and columns.edge_attributes
    degrees = produce_labels_nodes and not columns.vertex_labels and not nodes
    if not nodes and not edges and not degrees:
        return data
    arrays = to_arrays(data)
    if nodes:
        arrays.pop("vertex_labels", None)
    if edges:
        arrays.pop("edge_labels", None)
    if degrees:
        tail, head = arrays["edge_index"]
        arrays["vertex_labels"] = np.bincount(tail[tail != head], minlength=int(arrays["offsets"][-1]))
    return from_arrays(**arrays)


def fetch_dataset(name: str, verbose: bool = True, data_home: Any = None, download_if_missing: bool = True,
                  with_classes: bool = True, produce_labels_nodes: bool = False, prefer_attr_nodes: bool = False,
                  prefer_attr_edges: bool = False, as_graphs: bool = False) -> Bunch:
    """A data set of the TU collection: a Bunch with `data`, a leman.Dataset, and `target`. as_graphs: `data` is a list of
    leman.Graph. data_home: the folder of NAME.zip, by default the cache of `leman download`. Every kernel takes `data`."""
    found = Dataset.tudataset(name, cache=data_home, offline=not download_if_missing)
    data = _labelled(found, produce_labels_nodes, prefer_attr_nodes, prefer_attr_edges)
    made = Bunch(data=list(data) if as_graphs else data)
    if with_classes:
        made.target = found.y
    return made


def generate_dataset(n_graphs: int = 100, r_vertices: tuple[int, int] = (1, 20), r_connectivity: tuple[float, float] = (0.2, 0.8),
                     r_weight_edges: tuple[float, float] = (1, 1), n_graphs_test: int = 20, random_state: Any = None,
                     features: Any = "nl") -> tuple[list[Any], list[Any]]:
    """(train, test): random graphs as [adjacency matrix, labels of vertices, labels of edges], with vertices and shares of edges in the
    given ranges. features: "nl", "na", "el", "ea" (labels or attributes of nodes or edges), also ("nl", 3), ("nl", "el"), ("nl", 5,
    "ea", 2) with the number of labels or attributes behind; None: none. The random numbers are not those of GraKeL."""
    state, wanted = check_random_state(random_state), {}
    if not 0 < n_graphs_test < n_graphs:
        raise ArgumentError(f"n_graphs_test: found {n_graphs_test}, expected a number from 1 to {n_graphs - 1}")
    listed = [] if features is None else [features] if isinstance(features, str) else list(features)
    for place, item in enumerate(listed):
        if isinstance(item, str):
            size = listed[place + 1] if place + 1 < len(listed) and not isinstance(listed[place + 1], str) else {"l": 5, "a": 4}.get(item[-1:])
            wanted[item] = size
    if set(wanted) - {"nl", "na", "el", "ea"}:
        raise ArgumentError(f"features: found {features!r}, expected 'nl', 'na', 'el', 'ea', or a tuple of them")

    def values(keys: list[Any], kind: str) -> dict[Any, Any] | None:
        for name, size in wanted.items():
            if name[0] == kind:
                return {key: int(state.randint(size)) if name[1] == "l" else tuple(state.uniform(size=size)) for key in keys}
        return None

    made = []
    for _ in range(n_graphs):
        n = int(state.randint(r_vertices[0], r_vertices[1] + 1))
        upper = np.triu(state.uniform(size=(n, n)) < state.uniform(*r_connectivity), 1) * state.uniform(*r_weight_edges, size=(n, n))
        matrix = upper + upper.T
        ends = [(int(u), int(w)) for u, w in np.argwhere(upper)]
        on_edges = values(ends, "e")
        both = None if on_edges is None else {key: label for (u, w), label in on_edges.items() for key in ((u, w), (w, u))}
        made.append([matrix, values(list(range(n)), "n"), both])
    return made[:n_graphs - n_graphs_test], made[n_graphs - n_graphs_test:]
