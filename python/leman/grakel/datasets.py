"""fetch_dataset, as GraKeL has it."""
from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import Bunch

from .._arrays import from_arrays, to_arrays
from .._dataset import Dataset


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
        arrays["vertex_labels"] = list(map(tuple, arrays.pop("vertex_attributes").tolist()))
    if edges:
        arrays["edge_labels"] = list(map(tuple, arrays.pop("edge_attributes").tolist()))
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
