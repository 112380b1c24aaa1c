"""The networks of the library in PyTorch, and the layers they are made of. `Network` loads the weights of a GraphNetwork, or of
`leman train --export`, and computes the same.

    module = Network.from_network(network)               # a leman.nn.GraphNetwork
    module = Network.from_export("weights.npz")          # what leman train --export wrote
    outputs = module(module.encode(graphs))              # before softmax and scaling; module.predict(graphs) has both
    tuples, vertices, graphs = module.embed(module.encode(graphs))

Every architecture and preset is here: a module runs the steps that the export of its network lists, each in PyTorch, so that it
can be trained further, changed and moved to a device. state_dict() has the names of the library.

`TupleTransform` gives the tuples of PyG's graphs to networks of your own, which are made of `TupleEncoder`, `LocalConv`, `LocalPlusConv`,
`DeltaConv`, `DenseConv`, `GraphPool` and `VertexPool`.
"""
from __future__ import annotations

import json
import keyword
import os
import re
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from .. import _values as v
from .._errors import InputError, file_error
from . import _operations as operations
from ._batch import GraphBatch, batch_of
from ._layers import DeltaConv, DenseConv, GraphPool, Linear, LocalConv, LocalPlusConv, Norm, Table, TupleConv, TupleEncoder, VertexPool, rectified
from ._network import GraphNetwork
from ._passes import Whole
from ._transform import TupleTransform, TypeVocabulary

__all__ = ["DeltaConv", "DenseConv", "Embedding", "GraphBatch", "GraphPool", "LocalConv", "LocalPlusConv", "Network", "TupleEncoder", "TupleNetwork",
           "TupleTransform", "TypeVocabulary", "VertexPool"]


_CONVS: dict[str, Any] = {"local": LocalConv, "local+": LocalPlusConv, "delta": DeltaConv, "wl": DenseConv}
_LEAVES: list[tuple[set[str], str, type]] = [({"weight", "bias"}, "linear", Linear), ({"table", "bias"}, "embed", Table),
                                             ({"scale", "shift", "mean", "variance"}, "norm", Norm)]


class Embedding(NamedTuple):
    """Features before the head: of k-tuples [tuples, width] (None if the network has none), of vertices [vertices, width] and of graphs
    [graphs, width] (None if the network predicts vertices or edges)."""

    tuples: torch.Tensor | None
    vertices: torch.Tensor | None
    graphs: torch.Tensor | None


@dataclass
class _Plan:
    """Steps in their order, with the values that come in and those that others read. An item is a step and the child that computes it,
    if one does, and the plan of that child, if it has several steps."""

    reads: list[int]
    writes: list[int]
    items: list[tuple[dict[str, Any], str | None, int | None]]


class Scope(nn.Module):  # type: ignore[misc]
    """A part of a network: weights whose names begin alike, and the steps that use them. scope(plan, batch, *values) runs the steps of one
    of its plans; a scope whose weights are shared between layers has several."""

    def __init__(self) -> None:
        super().__init__()
        self.plans: list[_Plan] = []

    def forward(self, plan: int, batch: GraphBatch, *values: torch.Tensor) -> Any:
        chosen = self.plans[plan]
        written = self._run(chosen, batch, dict(zip(chosen.reads, values)))
        found = tuple(written[number] for number in chosen.writes)
        return found[0] if len(found) == 1 else found

    def _run(self, plan: _Plan, batch: GraphBatch, written: dict[int, torch.Tensor]) -> dict[int, torch.Tensor]:
        for step, child, inner in plan.items:
            if inner is not None:
                part: Any = getattr(self, str(child))
                result = part(inner, batch, *(written[number] for number in part.plans[inner].reads))
                writes = part.plans[inner].writes
            else:
                result, writes = self._step(step, child, batch, [_read(source, written) for source in step["sources"]]), step["writes"]
            written.update(zip(writes, result if isinstance(result, tuple) else (result,)))
        return written

    def _step(self, step: dict[str, Any], child: str | None, batch: GraphBatch, x: list[Any]) -> Any:
        """One step, by a module or by its function."""
        part = None if child is None else getattr(self, child)
        if step["operation"] == "dropout":
            return nn.functional.dropout(x[0], step["rate"], self.training)
        if part is None:
            weights = [None if name is None else _weight(self, name[step["depth"]:]) for name in step["weights"]]
            return operations.OPERATIONS[step["operation"]](step, x, weights, batch)
        if isinstance(part, TupleConv):
            return part(batch.index["tuple type"] if x[0] is None else x[0], batch)
        if isinstance(part, Table):
            return part(operations.index_of(batch, step))
        if isinstance(part, Norm) and step["space"] == "edge labels" and self.training:  # statistics over the arcs that carry the labels
            carried = batch.index["arc label"]
            return operations.activate(part(x[0], x[0][carried[carried >= 0]]), step)
        if isinstance(part, Linear) and step["activation"] == "relu":
            return rectified(part, x[0])
        return operations.activate(part(x[0]), step)


def _read(source: Any, written: dict[int, torch.Tensor]) -> torch.Tensor | None:
    """A value, several side by side, or columns of one."""
    if source is None:
        return None
    numbers, columns = source
    whole = written[numbers[0]] if len(numbers) == 1 else torch.cat([written[number] for number in numbers], dim=1)
    return whole if columns is None else whole[:, columns]


def _weight(module: Any, path: list[str]) -> Any:
    for name in path:
        module = getattr(module, name)
    return module


def _attribute(name: str) -> str:
    """The library's name of a weight where each part can be an attribute of a module: "input.type" is "input.type_"."""
    return ".".join(part + "_" if keyword.iskeyword(part) or hasattr(nn.Module, part) else part for part in name.split("."))


def _common(*paths: list[str]) -> list[str]:
    """The beginning that all paths share."""
    return [names[0] for names in takewhile(lambda names: len(set(names)) == 1, zip(*paths))]


class Network(Scope):
    """A network of the library as a torch.nn.Module, made from what GraphNetwork.describe() says. Its layers on tuples are LocalConv,
    DeltaConv or DenseConv; every other part is a module with the name of its weights. from_network() and from_export() load the weights of
    a network; without them, use load_state_dict(). network: the GraphNetwork that encodes graphs; without it, encode() and predict() are refused."""

    def __init__(self, description: dict[str, Any], network: GraphNetwork | None = None) -> None:
        super().__init__()
        self.description = description
        self.network = network
        self._names = {_attribute(weight["name"]): weight["name"] for weight in description["weights"]}
        self._make_modules()
        self._make_plans()
        self._whole = Whole(self)
        self._register_state_dict_hook(_to_library)
        self._register_load_state_dict_pre_hook(_from_library, with_module=True)

    # ---- Modules and their steps -----------------------------------------------------------------

    def _make_modules(self) -> None:
        """A module for every beginning of a name."""
        weights, how = {_attribute(weight["name"]): weight for weight in self.description["weights"]}, self.description
        layers = {f"layer{i + 1}" for i in range(int(how["layers"]))} if how["model"] in _CONVS and not how.get("components") else set()
        maps = [[_attribute(name) for name in step["weights"] if name] for step in how["steps"] if step["operation"] == "linear"]
        inside: dict[str, set[str]] = {}
        for name in weights:
            path = name.split(".")
            for depth in range(1, len(path)):
                inside.setdefault(".".join(path[:depth]), set()).add(".".join(path[depth:]))
        for scope, found in inside.items():
            *above, name = scope.split(".")
            if above and above[0] in layers:
                continue
            parent = _weight(self, above)
            leaf = next((kind for names, _, kind in _LEAVES if names - {"bias"} <= found <= names), None)
            if leaf is Linear and [f"{scope}.{part}" for part in ("weight", "bias") if part in found] not in maps:
                leaf = None  # another step adds the bias
            shape = {part: (int(weights[f"{scope}.{part}"]["rows"]), int(weights[f"{scope}.{part}"]["columns"])) for part in found}
            made: nn.Module
            if scope in layers:
                made = self._conv(shape, int(name[len("layer"):]) - 1)
            elif leaf is None:
                made = Scope()
            elif leaf is Norm:
                made = Norm(shape["scale"][1])
            else:
                made = leaf(*(shape["weight"][::-1] if leaf is Linear else shape["table"]), "bias" in found)
            parent.add_module(name, made)
        for name, weight in weights.items():
            *above, leaf_name = name.split(".")
            module = _weight(self, above)
            if isinstance(module, Scope):  # other modules have made their weights
                module.register_parameter(leaf_name, nn.Parameter(torch.zeros(int(weight["rows"]), int(weight["columns"]))))

    def _conv(self, shape: dict[str, tuple[int, int]], number: int) -> TupleConv:
        """The layer on tuples whose weights have these shapes."""
        how = self.description
        first = next(name for name in shape if re.match(r"position1\.(\w+\.)?linear1\.(table|weight)$", name))
        one_hot = first.endswith("table")
        more = {"layer": number} if how["model"] == "local+" else {}
        made: TupleConv = _CONVS[how["model"]](int(how["k"]), shape[first][0 if one_hot else 1], shape["merge.linear2.weight"][0],
                                               preset=how["preset"], one_hot=one_hot,
                                               in_arcs=any(".entering." in name for name in shape), **more)
        return made

    def _make_plans(self) -> None:
        steps = self._prepared()
        last = {number: i for i, step in enumerate(steps) for source in step["sources"] if source for number in source[0]}
        head = next(step for step in steps if step["place"][:1] == ["head"])
        values, before = self.description["values"], steps[:steps.index(head)]
        self._embedded: dict[str, Any] = {"graphs": None, "tuples": None, "vertices": None}
        if head["space"] in self._embedded:  # not that of arcs
            self._embedded[head["space"]] = head["sources"][0]
        for step in before:  # the last features that are pooled
            to, space = values[step["writes"][0]]["rows"], step["space"]
            if self.description.get("components") and space == "sets0":
                space = "tuples"  # of a sparse set
            gathered = step["operation"] in ("collect", "gather") or (step["operation"] == "listed" and to != step["space"] == "sets0")
            if space in self._embedded and space != "graphs" and (to == "graphs" or (head["space"] != "graphs" and gathered)):
                self._embedded[space] = step["sources"][0]
        for source in (self._prediction, *self._embedded.values()):
            last.update({number: len(steps) for number in (source[0] if source else ())})
        self._before_head = _plan(self, before, 0, last)
        self._head = _plan(self, steps[len(before):], 0, last)

    def _prepared(self) -> list[dict[str, Any]]:
        """The steps of the description before the loss: where each is computed, and from which values."""
        values = self.description["values"]
        known = {number for number, value in enumerate(values) if value["from"] != "step" and value["columns_of"] == number}
        steps = []
        for place, given in enumerate(self.description["steps"]):
            if given["operation"] in operations.LOSSES:
                break
            if given["operation"] not in (*operations.OPERATIONS, "norm", "dropout"):
                raise InputError(f"found the operation {given['operation']}, which this version does not know")
            reads, writes = (list(given["reads"]) + [None] * 4)[:4], given["writes"]
            first = next((value for value in reads if value is not None), None)
            step = {**given, "space": None if first is None else values[first]["rows"], "number": place,
                    "on_tuples": first is not None and values[first]["rows"] == "tuples",
                    "sources": [self._source(number, known) for number in reads],
                    "weights": [None if name is None else _attribute(name).split(".") for name in (list(given["weights"]) + [None] * 4)[:4]]}
            if given["operation"] in ("messages", "nnconv"):
                step["by_label"] = values[reads[1]]["rows"] == "edge labels"
                step.setdefault("over", "leaving")
            if given["operation"] in ("listed", "linked"):
                step["to"], sent = values[writes[0]]["rows"], values[reads[1]]["rows"]
                step["list"] = int((step["to"] if step["to"].startswith("sets") else sent)[len("sets"):])
                step["of_vertices"] = sent == "vertices"
            known.update(writes)
            steps.append(step)
        self._prediction = self._source(self.description["prediction"], known)
        self._place(steps)
        return steps

    def _place(self, steps: list[dict[str, Any]]) -> None:
        """Where each step is computed: in the innermost module that has all of its weights. A step without weights is computed where the
        steps before and after it are."""
        for step in steps:
            own = [path[:-1] for path in step["weights"] if path]
            path, depth = _common(*own) if own else None, 0
            module: Any = self
            while path and depth < len(path) and not isinstance(module, TupleConv):
                module = getattr(module, path[depth])
                depth += 1
            if path and not isinstance(module, (Scope, TupleConv)) and \
                    (step["operation"], type(module)) not in [(name, kind) for _, name, kind in _LEAVES]:
                depth -= 1  # a weight of a linear map that another step adds
            step["place"] = None if path is None else path[:depth]
        placed = [step["place"] for step in steps]
        for i, step in enumerate(steps):
            if step["place"] is None:
                nearest: list[Any] = [next((path for path in side if path is not None), []) for side in (placed[i::-1], placed[i:])]
                step["place"] = _common(*nearest)

    def _source(self, number: int | None, written: set[int]) -> Any:
        """Which values a value is read from, and which of their columns: as it was written, columns of one that was, or several side by
        side."""
        if number is None or number in written:
            return None if number is None else ([number], None)
        values = self.description["values"]
        first, end, root = values[number]["column"], values[number]["column"] + values[number]["width"], values[number]["columns_of"]
        if root in written:
            return [root], slice(first, end)
        parts, at = [], first
        while at < end:
            inside = [other for other in written if values[other]["columns_of"] == root and values[other]["column"] == at and
                      at + values[other]["width"] <= end]
            if not inside:
                raise InputError(f"found no step that writes value {number}")
            parts.append(max(inside, key=lambda other: int(values[other]["width"])))
            at += values[parts[-1]]["width"]
        return parts, None

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
        missing = [name for name in self._names.values() if name not in weights]
        if missing:
            raise InputError(f"found no weight {missing[0]}, expected all of the network")
        self.load_state_dict({name: torch.from_numpy(np.array(weights[name])) for name in self._names.values()})

    # ---- Computing -------------------------------------------------------------------------------

    def encode(self, graphs: Any) -> GraphBatch:
        """Graphs of any kind as one batch, with the numbers of labels and types that the network learned."""
        if self.network is None:
            raise InputError("found no GraphNetwork that encodes graphs, expected Network(description, network)")
        handle, arrays = self.network._encode(graphs)
        k, sparse = int(self.description["k"]), bool(self.description.get("components"))
        lists = k * (2 if self.description["directed"] else 1)
        made = batch_of(arrays, 1 if sparse else k, lists if sparse else 0)
        if self._whole.is_described(self):
            made._come_from(handle, self.description)
        return made

    def _encoded(self, graphs: Any) -> GraphBatch:
        """A batch as it is; graphs of any kind, such as a Batch of PyG, encoded and on the device of the weights."""
        if not isinstance(graphs, GraphBatch):
            return self.encode(graphs).to(next(self.parameters()).device)
        if "vertex type" not in graphs.index:
            raise InputError("found a batch of GraphBatch.from_pyg(), whose types have other numbers than those of the network, expected the graphs "
                             "themselves or module.encode(graphs)")
        return graphs

    def _features(self, batch: GraphBatch) -> dict[int, torch.Tensor]:
        """Everything before the head."""
        written: dict[int, torch.Tensor] = {}
        some = next(self.parameters())
        for number, value in enumerate(self.description["values"]):
            if value["from"] == "zeros" and value["columns_of"] == number:
                written[number] = some.new_zeros(batch.rows[value["rows"]], value["width"])
            elif value["from"] in batch.reals and value["columns_of"] == number:
                written[number] = batch.reals[value["from"]].to(some.dtype)
        return self._run(self._before_head, batch, written)

    def forward(self, batch: Any) -> torch.Tensor:  # type: ignore[override, unused-ignore]
        """[graphs, outputs], before softmax and scaling; of networks of vertices or edges a row for each vertex, or for each arc without
        self-loops. batch: what encode() gave, which can be used again, or graphs of any kind."""
        batch = self._encoded(batch)
        found = self._whole.outputs(self, batch)
        return self._by_parts(batch) if found is None else found

    def _by_parts(self, batch: GraphBatch) -> torch.Tensor:
        """The outputs, each step by its module."""
        found = _read(self._prediction, self._run(self._head, batch, self._features(batch)))
        assert found is not None
        return found

    def embed(self, batch: Any) -> Embedding:
        """The features after the last layer: of tuples, of vertices, and of graphs, which the head reads. Features of vertices in a network
        on k-tuples are those of the tuples (v, ..., v), None on sparse sets of triples. Norms and dropout follow the mode of the module, train() or eval()."""
        batch = self._encoded(batch)
        written = self._features(batch)
        found: dict[str, Any] = {space: _read(source, written) for space, source in self._embedded.items()}
        diagonal = batch.sets[0].get("diagonal") if self.description.get("components") else batch.diagonal
        if found["tuples"] is not None and found["vertices"] is None and diagonal is not None:
            found["vertices"] = found["tuples"][diagonal]
        return Embedding(**found)

    @torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
    def predict(self, graphs: Any) -> Any:
        """What GraphNetwork predicts: probabilities of classes or of tasks, or targets in the units of the data."""
        batch = self._encoded(graphs)
        if not batch.graphs:
            return np.zeros((0, self.description["outputs"]))
        modes = {part: part.training for part in self.modules()}
        self.eval()
        try:
            y = self(batch).double().cpu()
        finally:
            for part, mode in modes.items():
                part.training = mode
        if self.description["learns"] == "classes":
            return torch.softmax(y, dim=1).numpy()
        if self.description["learns"] != "targets":
            return torch.sigmoid(y).numpy()
        if self.description["scaled"]:
            y = y * torch.tensor(self.description["deviation"]) + torch.tensor(self.description["mean"])
        return y.numpy()


def _renamed(weights: dict[str, Any], prefix: str, names: dict[str, str]) -> None:
    for old, new in names.items():
        if old != new and prefix + old in weights:
            weights[prefix + new] = weights.pop(prefix + old)


def _to_library(module: Network, weights: dict[str, Any], prefix: str, metadata: Any) -> None:
    _renamed(weights, prefix, module._names)


def _from_library(module: Network, weights: dict[str, Any], prefix: str, *others: Any) -> None:
    _renamed(weights, prefix, {new: old for old, new in module._names.items()})


def _plan(module: Any, steps: list[dict[str, Any]], depth: int, last: dict[int, int]) -> _Plan:
    """The plan of steps that a module computes, itself or by its children. last: the last step that reads each value."""
    items: list[tuple[dict[str, Any], str | None, int | None]] = []
    for child, group in groupby(steps, lambda step: step["place"][depth] if len(step["place"]) > depth else None):
        run = list(group)
        part = None if child is None else getattr(module, child)
        if isinstance(part, Scope):
            part.plans.append(_plan(part, run, depth + 1, last))
            items.append((run[0], child, len(part.plans) - 1))
        elif isinstance(part, TupleConv):
            plan = _plan(None, [{**step, "place": []} for step in run], 0, last)
            items.append(({**run[0], "operation": "conv", "writes": plan.writes,
                           "sources": [(plan.reads, None)] if plan.reads else [None]}, child, None))
        else:
            items += [({**step, "depth": depth}, child, None) for step in run]
    written = [number for step in steps for number in step["writes"]]
    reads = [number for step in steps for source in step["sources"] if source for number in source[0] if number not in written]
    return _Plan(list(dict.fromkeys(reads)), [n for n in written if last.get(n, -1) > steps[-1]["number"]] if steps else [], items)


TupleNetwork = Network  # its name before it held networks without tuples
