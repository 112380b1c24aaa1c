"""fetch_dataset, as GraKeL has it."""
from __future__ import annotations

from typing import Any

from sklearn.utils import Bunch

from .._dataset import Dataset


def fetch_dataset(name: str, verbose: bool = True, data_home: Any = None, download_if_missing: bool = True,
                  prefer_attr_nodes: bool = False, prefer_attr_edges: bool = False, produce_labels_nodes: bool = False,
                  as_graphs: bool = False) -> Bunch:
    """A data set of the TU collection: a Bunch with `data`, a leman.Dataset, and `target`."""
    found = Dataset.tudataset(name, cache=data_home, offline=not download_if_missing)
    return Bunch(data=found, target=found.y)
