"""Splits that evaluate() takes instead of drawing them, and the parts of each fold as arrays.

A split is what these files and objects say: the text file of the program (docs/evaluation.md); JSON of Errica et al. (a list of
folds, each {"test": [...], "model_selection": [{"train": [...], "validation": [...]}]}); JSON or dictionaries as OGB has them
({"train": [...], "valid": [...], "test": [...]}); a list of such dictionaries; (train, test) pairs as scikit-learn's splitters
make them; or a splitter itself. A fold without a validation part gets a tenth of the other graphs at random.
"""
from __future__ import annotations

import ctypes
import json
import os
import re
import tempfile
from typing import Any, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._dataset import Dataset
from ._errors import ArgumentError, Error, InputError
from ._library import Session, lib

Indices = npt.NDArray[np.int64]
_EXPECTED = "expected a file, a dictionary with the parts train, valid and test, a list of those or of (train, test), or a splitter"


class Fold(dict[str, Any]):
    """{"repetition", "fold", "train", "validation", "test"}: the parts are arrays of graph numbers, increasing."""


def folds_of(splits: Any) -> list[Fold]:
    """The folds of a leman_splits."""
    count = int(splits.repetitions) * int(splits.folds)
    start = np.array(splits.start[: 2 * count + 1], dtype=np.int64)
    graph = np.array(splits.graph[: int(start[-1])], dtype=np.int64)
    found = []
    for i in range(count):
        test, validation = graph[start[2 * i]:start[2 * i + 1]], graph[start[2 * i + 1]:start[2 * i + 2]]
        train = np.ones(int(splits.graphs), dtype=bool)
        train[test] = train[validation] = False
        found.append(Fold(repetition=i // int(splits.folds), fold=i % int(splits.folds), train=np.flatnonzero(train),
                          validation=validation, test=test))
    return found


# ---- Reading -------------------------------------------------------------------------------------


def graph_numbers(part: Any, graphs: int, what: str) -> Indices:
    """Numbers of graphs, or a mask, as increasing numbers."""
    found = v.array(part, what, "numbers of graphs")
    if found.dtype.kind == "b":
        if found.shape != (graphs,):
            raise InputError(f"{what}: found a mask of shape {found.shape}, expected one of {graphs} graphs")
        return np.flatnonzero(found)
    if found.ndim == 2 and found.shape[1] == 1:  # a column of OGB's tables
        found = found[:, 0]
    numbers = v.integers(found, what)
    if numbers.ndim != 1 or numbers.size and not (0 <= numbers.min() and numbers.max() < graphs):
        raise InputError(f"{what}: found {v.shown(part)}, expected numbers of graphs from 0 to {graphs - 1}")
    unique = np.unique(numbers)
    if len(unique) != len(numbers):
        raise InputError(f"{what}: found a graph twice, expected each once")
    return unique


def _named(part: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """(train, validation, test) of one dictionary; None where it has no such part."""
    inner = part.get("model_selection")
    if isinstance(inner, (list, tuple)) and inner:
        if len(inner) != 1:
            raise InputError(f"splits: found {len(inner)} inner folds in model_selection, expected one validation part for a fold")
        part = {**part, **inner[0]}
    if "test" not in part:
        raise InputError(f"splits: found a fold with the parts {', '.join(map(str, part)) or 'none'}, expected test, and train and valid")
    validation = [part[name] for name in ("validation", "valid", "val") if part.get(name) is not None]
    return part.get("train"), validation[0] if validation else None, part["test"]


def _listed(given: Any, data: Dataset) -> list[Any]:
    """Folds as dictionaries, pairs or triples."""
    if isinstance(given, Mapping):
        if "test" in given:
            return [given]
        given = given.get("folds", given.get("splits"))
        if given is None:
            raise InputError(f"splits: {_EXPECTED}")
    if isinstance(given, type):
        raise InputError(f"splits: found the class {given.__name__}, {_EXPECTED}, such as KFold(10)")
    is_splitter = hasattr(given, "split") and hasattr(given, "get_n_splits")
    try:
        return list(given.split(np.zeros(len(data)), data.y)) if is_splitter else v.listed(given, "splits")
    except Error:
        raise
    except Exception as error:  # of a splitter, or of a generator that it made
        raise InputError(f"splits: found {v.shown(given)}, which cannot split the {len(data)} graphs: {error}") from None


def _parts(given: Any, data: Dataset) -> Iterator[tuple[Indices, Indices | None]]:
    """(test, validation or None) of each fold; a training part that is given must be all other graphs."""
    graphs = len(data)
    for place, fold in enumerate(_listed(given, data)):
        if isinstance(fold, Mapping):
            parts = _named(fold)
        elif isinstance(fold, (tuple, list)) and len(fold) in (2, 3):
            parts = (fold[0], fold[1] if len(fold) == 3 else None, fold[-1])
        else:
            raise InputError(f"splits: found {v.shown(fold)}, {_EXPECTED}")
        train, validation, test = (None if part is None else graph_numbers(part, graphs, f"splits, fold {place}, {name}")
                                   for part, name in zip(parts, ("train", "validation", "test")))
        assert test is not None
        held = test if validation is None else np.union1d(test, validation)
        if not len(test) or validation is not None and (not len(validation) or len(held) < len(test) + len(validation)):
            raise InputError(f"splits, fold {place}: expected a test and a validation part without common graphs, neither empty")
        rest = graphs - len(held)
        if train is not None and (len(train) != rest or len(np.intersect1d(train, held))):
            raise InputError(f"splits, fold {place}: found {len(train)} training graphs, expected the {rest} that are in no other part; "
                             "select the graphs first: data[numbers]")
        yield test, validation


def _made(session: Session, data: Dataset, given: Any, out: Any) -> None:
    """Splits of objects, through the JSON that the library reads. It finds repetitions, and draws the validation parts that are lacking."""
    folds: list[dict[str, Any]] = [{"test": test.tolist(), **({} if validation is None else {"validation": validation.tolist()})}
                                   for test, validation in _parts(given, data)]
    if isinstance(given, list) and all(isinstance(part, Fold) for part in given):  # as an Evaluation has them
        folds = [{**fold, "repetition": int(part["repetition"]), "fold": int(part["fold"])} for fold, part in zip(folds, given)]
    with tempfile.TemporaryDirectory(prefix="leman-") as folder:
        path = os.path.join(folder, "splits")
        with open(path, "w") as file:
            json.dump(folds, file)
        try:
            session.call("leman_splits_read", data._handle.pointer, os.fsencode(path), out)
        except (ArgumentError, InputError) as error:
            raise type(error)(re.sub(re.escape(path) + r"(:\d+)?", "splits", str(error))) from None


def read_splits(session: Session, data: Dataset, given: Any, out: Any) -> None:
    """A leman_splits of whatever evaluate() takes as splits=, into *out."""
    if isinstance(given, (str, os.PathLike)):
        session.call("leman_splits_read", data._handle.pointer, v.path(given, "splits"), out)
    else:
        _made(session, data, given, out)


def split_by_sizes(session: Session, data: Dataset, parts: Any, out: Any) -> None:
    """One fold of consecutive parts: "train=10000,val=1000,test=1000", or a dictionary of these sizes, in the order of the data."""
    expected = "expected sizes in the order of the data, such as 'train=10000,val=1000,test=1000'"
    given: Any = parts
    if isinstance(parts, str):
        pairs = [item.partition("=") for item in parts.split(",")]
        given = {name.strip(): int(size) if size.strip().isdigit() else -1 for name, _, size in pairs}
    items = given.items() if isinstance(given, Mapping) else ()
    sizes = {"val" if name in ("valid", "validation") else name: size for name, size in items}
    if set(sizes) != {"train", "val", "test"} or not all(v.is_integer(size) and size > 0 for size in sizes.values()):
        raise ArgumentError(f"parts: found {v.shown(parts)}, {expected}")
    if sum(sizes.values()) != len(data):
        raise ArgumentError(f"parts: found parts of {sum(sizes.values())} graphs, expected those of the data, {len(data)}")
    first, at = {}, 0
    for name, size in sizes.items():
        first[name] = np.arange(at, at + size, dtype=np.uint32)
        at += size
    graph = np.concatenate([first["test"], first["val"]])
    start = np.array([0, sizes["test"], sizes["test"] + sizes["val"]], dtype=np.uint64)
    session.call("leman_splits_new", len(data), 1, 1, v.pointer(start, ctypes.c_uint64), v.pointer(graph, ctypes.c_uint32), out)


class Drawn:
    """The splits of one evaluation, for the time of the calls that use them."""

    def __init__(self, session: Session, data: Dataset, repetitions: Any, folds: Any, stratified: bool, scaffold: bool,
                 splits: Any, parts: Any) -> None:
        given = {"splits": splits is not None, "parts": parts is not None, "scaffold": scaffold, "stratified": stratified}
        several = [name for name, value in given.items() if value]
        if len(several) > 1:
            raise ArgumentError(f"found both {several[0]} and {several[1]}, expected one of them")
        for name, value in (("repetitions", repetitions), ("folds", folds)):
            if value is not None and several[:1] in (["splits"], ["parts"]):
                raise ArgumentError(f"{name}: found {v.shown(value)} beside {several[0]}, expected None: the number is that of {several[0]}")
        self.pointer = ctypes.POINTER(c.leman_splits)()
        out = ctypes.byref(self.pointer)
        if splits is not None:
            read_splits(session, data, splits, out)
        elif parts is not None:
            split_by_sizes(session, data, parts, out)
        else:
            count = tuple(10 if value is None else v.integer(value, name, 1) for name, value in (("repetitions", repetitions), ("folds", folds)))
            if scaffold:
                groups = data.scaffolds().astype(np.uint32)
                session.call("leman_splits_draw_groups", data._handle.pointer, v.pointer(groups, ctypes.c_uint32), *count, out)
            else:
                session.call("leman_splits_draw", data._handle.pointer, *count, bool(stratified), out)

    def __enter__(self) -> Any:
        return self.pointer

    def __exit__(self, *unused: Any) -> None:
        lib.leman_splits_free(self.pointer)
