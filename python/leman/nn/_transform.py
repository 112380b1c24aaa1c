"""Tuples of graphs in Data objects of PyG: `TupleTransform`, and numbers for their types: `TypeVocabulary`."""
from __future__ import annotations

import copyreg
from copy import copy
from typing import Any, Iterable

import numpy as np
import torch

from .. import _values as v
from .._pyg import collected_pyg, taken_apart
from .._errors import ArgumentError, InputError, warn
from .._tuples import Tuples, tuples

_OVER = {"local": "edge", "entering": "entering", "global": "global", "all": "all"}  # and the names of their tensors


class _Tuples:
    """What a Data object with tuples has beside its base class: how its tensors are joined in a batch."""

    @property
    def num_tuples(self) -> int:
        """Of a graph, or of all graphs of a batch."""
        if "tuple_index" not in self:  # type: ignore[operator]
            raise InputError("found a graph without tuples among graphs with tuples, expected TupleTransform to have been applied to all")
        return int(self.tuple_index.size(1))  # type: ignore[attr-defined]

    def __inc__(self, key: str, value: Any, *args: Any, **how: Any) -> Any:
        if key == "tuple_index":
            return self.num_nodes  # type: ignore[attr-defined]
        if key.startswith("tuple_") and "index" in key:
            return self.num_tuples
        if key == "tuple_batch":
            return 1
        return super().__inc__(key, value, *args, **how)  # type: ignore[misc]

    def __cat_dim__(self, key: str, value: Any, *args: Any, **how: Any) -> Any:
        if key.startswith("tuple_"):
            return 1 if "index" in key else 0
        return super().__cat_dim__(key, value, *args, **how)  # type: ignore[misc]


_KINDS: dict[type, type] = {}


def _kind(base: type) -> type:
    """The class of Data objects of class `base` with tuples. pickle writes it as the call of this function."""
    if base not in _KINDS:
        metaclass = type("_Kind", (type(base),), {})
        copyreg.pickle(metaclass, lambda kind: (_kind, (kind.__mro__[2],)))
        _KINDS[base] = metaclass(f"Tuple{base.__name__}", (_Tuples, base), {"__module__": __name__})
    return _KINDS[base]


class TypeVocabulary:
    """Numbers 0, 1, ... for the isomorphism types of tuples, the same for every data set with the same k and components: types of later
    graphs that the vocabulary does not have are -1. types: tensors of tuple_type, or Data objects that have it. The numbers do not depend on the order of the types."""

    def __init__(self, types: Any) -> None:
        if hasattr(types, "tuple_type") or isinstance(types, (torch.Tensor, np.ndarray)):
            types = [types]
        found = [torch.as_tensor(item.tuple_type if hasattr(item, "tuple_type") else self._tensor(item)).reshape(-1) for item in types]
        self.types: Any = torch.unique(torch.cat(found)) if found else torch.zeros(0, dtype=torch.int64)

    @staticmethod
    def _tensor(item: Any) -> Any:
        if not isinstance(item, (torch.Tensor, np.ndarray)):
            raise InputError(f"types: found {type(item).__name__} without tuples, expected graphs of TupleTransform or tensors of types")
        return item

    def __len__(self) -> int:
        return len(self.types)

    def numbers(self, types: torch.Tensor) -> torch.Tensor:
        """[tuples]: the number of each type, -1 for one that is not known."""
        if not len(self.types):
            return torch.full_like(types, -1)
        place = torch.searchsorted(self.types, types).clamp(max=len(self.types) - 1)
        return torch.where(self.types[place] == types, place, -1)


class TupleTransform:
    """A transform of PyG: adds the k-tuples of a graph to its Data object. transform(data) takes one graph, transform.all(list) many: all
    their tensors are made by one call of the library.

    tuple_index [k, tuples]: their vertices. tuple_type [tuples]: isomorphism types as canonical 64-bit numbers, the same in every graph;
    with a vocabulary, its numbers. tuple_batch [tuples]: the graph of each tuple, for pooling. num_tuples: how many tuples there are.
    tuple_edge_index_0, ..., _(k-1) [2, links]: from the tuples with component j replaced by a neighbour, to the tuple.

    components: only tuples whose vertices induce at most so many connected components, the (k, s) tuples of SpeqNets; None: all.
    over: what links are made over, of "local" (tuple_edge_index_j), "entering" (arcs of directed graphs that enter component j:
    tuple_entering_index_j), "global" (tuples that differ in component j alone and are no local neighbours: tuple_global_index_j) and
    "all" (local and global: tuple_all_index_j). delta-k-WL has local and global, k-WL all.
    folklore: tuple_folklore_index [1 + k, links], a tuple and the k tuples in which one vertex replaces component 1, ..., k.
    counts: tuple_count [tuples, counts * k], the counter # of delta-k-LWL+ after so many rounds 0, 1, ..., for each component.
    distances: tuple_distance [tuples, k (k-1) / 2], lengths of shortest paths between the components 12, 13, 23; -1 without a path.

    The result has the class of the Data object and knows how batches join these tensors: in a Batch or DataLoader of PyG all
    numbers count over the whole batch, and to_data_list() gives the graphs back. label_columns: as in Dataset.from_pyg(); a graph that
    is converted alone has types that are comparable where x has integers, or one-hot columns that label_columns names. directed, policy:
    as in Dataset.from_pyg(); "entering" makes graphs directed.
    """

    def __init__(self, k: int = 2, label_columns: int | None = None, *, components: int | None = None, over: str | Iterable[str] = "local",
                 folklore: bool = False, counts: int = 0, distances: bool = False, vocabulary: TypeVocabulary | None = None,
                 directed: bool = False, policy: str | None = None) -> None:
        self.k: int = v.integer(k, "k", 2, 6, "2 to 6")
        self.label_columns = label_columns
        self.components = components
        self.over: tuple[str, ...] = (over,) if isinstance(over, str) else tuple(over)
        for kind in self.over:
            if kind not in _OVER:
                raise ArgumentError(f"over: found {v.shown(kind)}, expected some of {', '.join(_OVER)}")
        self.folklore: bool = bool(folklore)
        self.counts: int = v.integer(counts, "counts")
        self.distances: bool = bool(distances)
        if vocabulary is not None and not isinstance(vocabulary, TypeVocabulary):
            raise ArgumentError(f"vocabulary: found {v.shown(vocabulary)}, expected a TypeVocabulary")
        self.vocabulary = vocabulary
        self.directed: bool = bool(directed)
        self.policy = policy

    def __call__(self, data: Any) -> Any:
        """The graph with its tuples; a Batch of graphs becomes a Batch."""
        made = self.all([data])
        if not hasattr(data, "to_data_list"):
            return made[0]
        from torch_geometric.data import Batch
        return Batch.from_data_list(made)

    def all(self, data: Iterable[Any]) -> list[Any]:
        """The same for a list of Data objects, much faster than one by one."""
        given = taken_apart(data)
        if not given:
            return []
        in_arcs = "entering" in self.over
        kept, _ = collected_pyg(given, self.label_columns)  # what it does not read stays in the graphs
        graphs = kept.dataset(None, directed=self.directed or in_arcs, policy=self.policy)
        found = tuples(graphs, self.k, components=self.components, in_arcs=in_arcs, distances=self.distances)
        joined = self._joined(graphs, found)
        return [self._with(item, i, joined) for i, item in enumerate(given)]

    def _joined(self, graphs: Any, found: Tuples) -> dict[str, tuple[Any, Any, Any]]:
        """For each tensor: all graphs in one, where each graph begins, and what its numbers count from."""
        start, zero = found.start, np.zeros(found.num_graphs, np.int64)
        types = torch.from_numpy(found.color.view(np.int64))
        if self.vocabulary is not None:
            types = self.vocabulary.numbers(types)
            if len(types) and bool((types < 0).all()):
                warn("vocabulary: found none of the types of these graphs in it; it must be of the same k and components")
        joined = {"tuple_index": (found.vertex.T, start, zero), "tuple_type": (types, start, zero),
                  "tuple_batch": (np.zeros(len(found), np.int64), start, zero)}
        for kind in self.over:
            for j in range(self.k):
                links = found.links(j, kind)
                joined[f"tuple_{_OVER[kind]}_index_{j}"] = (links, np.searchsorted(links[1], start), start)
        if self.folklore:
            to, parts = found.folklore()
            joined["tuple_folklore_index"] = (np.vstack([to, parts]), np.searchsorted(to, start), start)
        if self.counts:
            columns = [found.counts(tuples(graphs, self.k, components=self.components, method="local+", rounds=r, count_every_round=True,
                                           in_arcs="entering" in self.over, links=False).color) for r in range(self.counts)]
            joined["tuple_count"] = (np.hstack(columns), start, zero)
        if found.distance is not None:
            joined["tuple_distance"] = (found.distance, start, zero)
        return {name: (torch.as_tensor(np.ascontiguousarray(array) if isinstance(array, np.ndarray) else array), first, base)
                for name, (array, first, base) in joined.items()}

    def _with(self, data: Any, i: int, joined: dict[str, tuple[Any, Any, Any]]) -> Any:
        data = copy(data)
        for name in [key for key in data.keys() if key.startswith("tuple_")]:  # of an earlier transform
            del data[name]
        if not isinstance(data, _Tuples):
            object.__setattr__(data, "__class__", _kind(type(data)))  # Data has a __setattr__ of its own
        for name, (array, first, base) in joined.items():
            here = slice(int(first[i]), int(first[i + 1]))
            data[name] = array[:, here] - int(base[i]) if "index" in name else array[here].clone()
        return data
