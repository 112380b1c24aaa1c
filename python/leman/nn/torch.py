"""The networks of the library in plain PyTorch: `Network` loads the weights of a GraphNetwork, or of `leman train --export`, and
computes the same; `TupleTransform` gives tuples and their neighbours to models of your own.

    module = Network.from_network(network)               # a leman.nn.GraphNetwork
    module = Network.from_export("weights.npz")          # what leman train --export wrote
    outputs = module(module.encode(graphs))              # before softmax and scaling; module.predict(graphs) has both

Every architecture and preset is here: a module runs the steps that the export of its network lists, each in PyTorch, so that it
can be trained further, changed and moved to a device. state_dict() has the names of the library.
"""
from __future__ import annotations

import copyreg
import json
import os
from copy import copy
from typing import Any

import numpy as np
import torch
from torch import nn

from .. import _values as v
from .._convert import as_dataset
from .._errors import InputError, file_error
from . import _operations as operations
from ._network import GraphNetwork
from ._operations import GraphBatch, tuple_links

__all__ = ["GraphBatch", "Network", "TupleNetwork", "TupleTransform"]


class _Scope(nn.Module):  # type: ignore[misc]
    """Weights whose names begin alike."""


class Network(nn.Module):  # type: ignore[misc]
    """A network of the library as a torch.nn.Module, made from what GraphNetwork.describe() says. New weights are zeros: load them
    with load_state_dict(), or use from_network() or from_export(). network: the GraphNetwork that encodes graphs; without it,
    encode() and predict() are refused."""

    def __init__(self, description: dict[str, Any], network: GraphNetwork | None = None) -> None:
        super().__init__()
        self.description = description
        self.network = network
        values = description["values"]
        self._weights: dict[str, tuple[nn.Module, str]] = {}
        for weight in description["weights"]:
            self._add(weight["name"], torch.zeros(int(weight["rows"]), int(weight["columns"])), bool(weight["learned"]))
        self._steps = []
        for given in description["steps"]:
            if given["operation"] in operations.LOSSES:
                break
            if given["operation"] not in operations.OPERATIONS and given["operation"] not in ("norm", "dropout"):
                raise InputError(f"found the operation {given['operation']}, which this version does not know")
            reads, writes = (list(given["reads"]) + [None] * 4)[:4], given["writes"]
            first = next((value for value in reads if value is not None), None)
            step = {**given, "reads": reads, "space": None if first is None else values[first]["rows"],
                    "on_tuples": first is not None and values[first]["rows"] == "tuples"}
            if given["operation"] in ("messages", "nnconv"):
                step["by_label"] = values[reads[1]]["rows"] == "edge labels"
                step.setdefault("over", "leaving")
            if given["operation"] == "listed":
                step["list"] = int(values[writes[0]]["rows"][len("sets"):])
                step["of_vertices"] = values[reads[1]]["rows"] == "vertices"
            step["weights"] = (list(given["weights"]) + [None] * 4)[:4]
            self._steps.append(step)

    def _add(self, name: str, tensor: torch.Tensor, learned: bool) -> None:
        module: nn.Module = self
        *scopes, leaf = name.split(".")
        for scope in scopes:
            if scope not in module._modules:
                module._modules[scope] = _Scope()  # not by add_module(), which refuses the name "type"
            module = module._modules[scope]  # type: ignore[assignment, unused-ignore]
        if learned:
            module.register_parameter(leaf, nn.Parameter(tensor))
        else:
            module.register_buffer(leaf, tensor)
        self._weights[name] = (module, leaf)

    # ---- Making ----------------------------------------------------------------------------------

    @classmethod
    def from_network(cls, network: Any) -> Network:
        """The same network as a GraphNetwork, with its weights, ready to predict (eval mode)."""
        weights, description = network._exported()
        return cls._made(description, weights, network)

    @classmethod
    def from_export(cls, path: str | os.PathLike[str]) -> Network:
        """From the file of `leman train --export`, ready to predict."""
        where = os.fsdecode(v.path(path))
        try:
            with np.load(where) as arrays:
                if "network.json" not in arrays.files:
                    raise InputError(f"{where}: found no network.json, expected what leman train --export wrote")
                description = json.loads(bytes(arrays["network.json"]))
                return cls._made(description, {name: arrays[name] for name in arrays.files}, GraphNetwork.load(where))
        except OSError as error:
            raise file_error(f"{where}: {error.strerror or error}", error.errno or 0) from None

    @classmethod
    def _made(cls, description: dict[str, Any], weights: dict[str, Any], network: GraphNetwork) -> Network:
        made = cls(description, network)
        made.load_weights(weights)
        made.eval()
        return made

    def load_weights(self, weights: dict[str, Any]) -> None:
        """From GraphNetwork.state_dict(), or numpy.load() of what `leman train --export` wrote."""
        missing = [name for name in self._weights if name not in weights]
        if missing:
            raise InputError(f"found no weight {missing[0]}, expected all of the network")
        self.load_state_dict({name: torch.from_numpy(np.array(weights[name])) for name in self._weights})

    # ---- Computing -------------------------------------------------------------------------------

    def encode(self, graphs: Any) -> GraphBatch:
        """Graphs of any kind as one batch, with the numbers of labels and types that the network learned."""
        if self.network is None:
            raise InputError("found no GraphNetwork that encodes graphs, expected Network(description, network)")
        return operations.batch_of(self.network.encode(as_dataset(graphs)), int(self.description["k"]))

    def _value(self, number: int | None, written: dict[int, torch.Tensor]) -> torch.Tensor | None:
        """A value as it was written; columns of one that was, or several side by side."""
        if number is None or number in written:
            return None if number is None else written[number]
        value = self.description["values"][number]
        first, end, root = value["column"], value["column"] + value["width"], value["columns_of"]
        if root in written:
            return written[root][:, first:end]
        parts, at = [], first
        while at < end:
            inside = [(other, w) for other, w in written.items()
                      if self.description["values"][other]["columns_of"] == root and
                      self.description["values"][other]["column"] == at and
                      at + self.description["values"][other]["width"] <= end]
            if not inside:
                raise InputError(f"found no step that writes value {number}")
            parts.append(max((w for _, w in inside), key=lambda w: w.shape[1]))
            at += parts[-1].shape[1]
        return torch.cat(parts, dim=1)

    def forward(self, batch: GraphBatch) -> torch.Tensor:
        """[graphs, outputs], before softmax and scaling."""
        written: dict[int, torch.Tensor] = {}
        some = next(self.parameters())
        for number, value in enumerate(self.description["values"]):
            if value["from"] == "zeros" and value["columns_of"] == number:
                written[number] = some.new_zeros(batch.rows[value["rows"]], value["width"])
            elif value["from"] in batch.reals and value["columns_of"] == number:
                written[number] = batch.reals[value["from"]].to(some.dtype)
        for step in self._steps:
            reads = [self._value(number, written) for number in step["reads"]]
            weights = [None if name is None else getattr(*self._weights[name]) for name in step["weights"]]
            if step["operation"] == "norm":
                result = operations.norm(step, reads, weights, batch, self.training)
            elif step["operation"] == "dropout":
                assert reads[0] is not None
                result = nn.functional.dropout(reads[0], step["rate"], self.training)
            else:
                result = operations.OPERATIONS[step["operation"]](step, reads, weights, batch)
            for number, tensor in zip(step["writes"], result if isinstance(result, tuple) else (result,)):
                written[number] = tensor
        found = self._value(self.description["prediction"], written)
        assert found is not None
        return found

    @torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
    def predict(self, graphs: Any) -> Any:
        """What GraphNetwork predicts: probabilities of classes or of tasks, or targets in the units of the data."""
        batch = self.encode(graphs).to(next(self.parameters()).device)
        if not batch.graphs:
            return np.zeros((0, self.description["outputs"]))
        y = self(batch).double().cpu()
        if self.description["learns"] == "classes":
            return torch.softmax(y, dim=1).numpy()
        if self.description["learns"] != "targets":
            return torch.sigmoid(y).numpy()
        if self.description["scaled"]:
            y = y * torch.tensor(self.description["deviation"]) + torch.tensor(self.description["mean"])
        return y.numpy()


TupleNetwork = Network  # its name before it held networks without tuples


class _Tuples:
    """What a Data object with tuples has beside its base class: how its tensors are joined in a batch."""

    @property
    def num_tuples(self) -> int:
        """Of a graph, or of all graphs of a batch."""
        return int(self.tuple_index.size(1))  # type: ignore[attr-defined]

    def __inc__(self, key: str, value: Any, *args: Any, **how: Any) -> Any:
        if key.startswith("tuple_edge_index_"):
            return self.num_tuples
        if key == "tuple_index":
            return self.num_nodes  # type: ignore[attr-defined]
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


class TupleTransform:
    """A transform of PyG: adds the k-tuples of a graph to its Data object.

    tuple_index [k, tuples]: their vertices. tuple_type [tuples]: isomorphism types as canonical 64-bit numbers, the same in every graph.
    tuple_edge_index_0, ..., _(k-1) [2, arcs]: from the tuples with component j replaced by a neighbour, to the tuple.
    tuple_batch [tuples]: the graph of each tuple, for pooling. num_tuples: how many tuples there are.

    The result has the class of the Data object and knows how batches join these tensors: in a Batch or DataLoader of PyG all
    numbers count over the whole batch, and to_data_list() gives the graphs back. label_columns: as in Dataset.from_pyg(); each graph
    is converted alone, so types are comparable where x has integers, or one-hot columns that label_columns names.
    """

    def __init__(self, k: int = 2, label_columns: int | None = None) -> None:
        self.k = v.integer(k, "k", 2, 3, "2 or 3")
        self.label_columns = label_columns

    def __call__(self, data: Any) -> Any:
        from .._colors import colors
        from .._convert import from_pyg
        graph = from_pyg([data], label_columns=self.label_columns)[0]
        n = graph.num_vertices
        kinds = colors(graph, f"delta-{self.k}-LWL", 0).ravel().view(np.int64)
        tail, head = graph.edge_index
        near, _ = tuple_links(n, tail[tail != head], head[tail != head], self.k)
        data = copy(data)
        if not isinstance(data, _Tuples):
            object.__setattr__(data, "__class__", _kind(type(data)))  # Data has a __setattr__ of its own
        data.tuple_index = torch.from_numpy(np.indices((n,) * self.k).reshape(self.k, -1).astype(np.int64))
        data.tuple_type = torch.from_numpy(kinds.copy())
        data.tuple_batch = torch.zeros(n**self.k, dtype=torch.int64)
        for j in range(self.k):
            data[f"tuple_edge_index_{j}"] = torch.from_numpy(near[j][::-1].astype(np.int64))
        return data
