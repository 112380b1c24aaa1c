"""GraKeL's converters."""
from __future__ import annotations

from typing import Any, Iterable

from .._convert import from_networkx
from .._dataset import Dataset


def graph_from_networkx(X: Iterable[Any], node_labels_tag: str | None = None, edge_labels_tag: str | None = None,
                        edge_weight_tag: str | None = None, as_Graph: bool = False, val_node_labels: Any = None) -> Dataset:
    """networkx graphs as a leman.Dataset, which every kernel takes."""
    return from_networkx(X, node_label=node_labels_tag, edge_label=edge_labels_tag,
                         edge_attributes=[edge_weight_tag] if edge_weight_tag else [])
