"""How one cell is computed, by the calls of the library that `leman evaluate` and `leman train` make.

Accuracies of kernels: ten folds, an SVM on the Gram matrix (mid-scale: a linear SVM), no edge labels (mid-scale: with them).
Seconds: processor time of the normalised Gram matrix with five rounds on one thread, the least of up to five runs.
Errors of networks: one training on the published parts, or on parts drawn for the run. Accuracies of networks: one repetition
of ten folds, layers and width chosen by validation.

The bindings of the package are used directly (leman._library), because a cell needs a memory budget, a limit on its time and
files from which an interrupted run goes on, which evaluate() and GraphNetwork do not take.
"""
from __future__ import annotations

import ctypes
import math
import os
import tempfile
import time
import zipfile
from typing import Any

import numpy as np

from leman import Dataset, InputError, UnsupportedError
from leman import _declarations as c
from leman import _values as v
from leman._errors import ArgumentError
from leman._library import Session, lib, options, parse, sized_text

import tables

_PRESETS = {"zinc": "zinc", "qm9": "qm9", "alchemy": "alchemy", "tu-networks": "tu", "mid-scale": "tu"}
TIMED_EPOCHS = 3


class Limited(Session):
    """A session that is cancelled at a moment of time.monotonic()."""

    def __init__(self, until: float, **settings: Any) -> None:
        self.until = until
        super().__init__(**settings)

    def _on_progress(self, progress: Any) -> bool:
        return not self.is_over() and super()._on_progress(progress)

    def is_over(self) -> bool:
        return time.monotonic() > self.until


# ---- Names and data ------------------------------------------------------------------------------


def same_method(session: Session, given: str, method: str, kernel: bool) -> bool:
    """Is `given` a name of the method, under any of the names that the library knows?"""
    own = tables.known(method)
    if given.lower() in (method.lower(), own.lower()):
        return True
    found = []
    for name in (given, own):
        made = options("leman_kernel" if kernel else "leman_architecture")
        if kernel and name is given:
            made.k = 0  # a name without k is not a name of the paper
        try:
            parse(session, "leman_kernel_parse" if kernel else "leman_architecture_parse", name, made)
        except ArgumentError:
            return False
        found.append(sized_text(lib.leman_kernels_paper_name, ctypes.byref(made), 1) if kernel else
                     sized_text(lib.leman_architecture_paper_name, ctypes.byref(made)))
    return found[0] == found[1]


def read(session: Session, path: str, attributes: bool) -> Dataset:
    """attributes: also those of vertices, which only the positions of QM9 are read for."""
    chosen, out = options("leman_read_options"), ctypes.c_void_p()
    chosen.without_vertex_attributes = not attributes
    session.call("leman_dataset_read", v.path(path), ctypes.byref(chosen), None, ctypes.byref(out))
    return Dataset._made(out)


def download(session: Session, name: str, offline: bool) -> str:
    """The path of a set in the download cache."""
    chosen, path = options("leman_download_options"), ctypes.create_string_buffer(4096)
    chosen.offline = offline
    session.call("leman_dataset_download", name.encode(), ctypes.byref(chosen), path, len(path))
    return os.fsdecode(path.value)


def checksum(data: Dataset) -> str:
    return f"{lib.leman_dataset_checksum(data._handle.pointer):016x}"


# ---- Kernels -------------------------------------------------------------------------------------


def _evaluate(session: Session, data: Dataset, kernel: Any, protocol: Any, keys: tuple[str, ...]) -> dict[str, float]:
    found = ctypes.POINTER(c.leman_evaluation)()
    session.call("leman_evaluate", data._handle.pointer, ctypes.byref(kernel), 1, ctypes.byref(protocol), ctypes.byref(found))
    try:
        return {key: float(getattr(found.contents, key)) for key in keys}
    finally:
        lib.leman_evaluation_free(found)


def accuracy(session: Session, data: Dataset, method: str, repetitions: int) -> dict[str, float]:
    """Means and deviations in percent, and seconds."""
    kernel = parse(session, "leman_kernel_parse", method, options("leman_kernel"))
    kernel.coloring.ignore_edge_labels = True  # as the published experiments did
    protocol = options("leman_protocol")
    protocol.repetitions, protocol.svm = repetitions, c.LEMAN_SVM_KERNEL
    return _evaluate(session, data, kernel, protocol, ("test_mean", "test_std", "test_std_folds", "train_mean",
                                                       "seconds_features", "seconds_svm"))


def gram_seconds(session: Session, data: Dataset, method: str) -> dict[str, float]:
    """The session must have one thread."""
    kernel = parse(session, "leman_kernel_parse", method, options("leman_kernel"))
    kernel.coloring.ignore_edge_labels = True
    matrix = np.zeros((len(data), len(data)))
    began, least = time.process_time(), math.inf
    for _ in range(5):
        before = time.process_time()
        session.call("leman_gram_compute", data._handle.pointer, None, ctypes.byref(kernel), 1, True,
                     v.pointer(matrix, ctypes.c_double))
        least = min(least, time.process_time() - before)
        if time.process_time() - began >= 1:
            break
    return {"seconds": least}


def linear_svm(session: Session, data: Dataset, method: str, kept: str | None) -> dict[str, float]:
    """One repetition of ten folds. kept: a file of finished folds, from which an interrupted run goes on."""
    kernel = parse(session, "leman_kernel_parse", method, options("leman_kernel"))
    protocol = options("leman_protocol")
    protocol.repetitions, protocol.svm = 1, c.LEMAN_SVM_LINEAR
    protocol.journal = os.fsencode(kept) if kept else None
    found = _evaluate(session, data, kernel, protocol, ("test_mean", "seconds_features", "seconds_svm"))
    return {"accuracy": found["test_mean"], "run_seconds": found["seconds_features"] + found["seconds_svm"]}


def feature_seconds(session: Session, data: Dataset, method: str) -> float:
    """Of two rounds, as published. The session must have one thread."""
    kernel, found = parse(session, "leman_kernel_parse", method, options("leman_kernel")), ctypes.POINTER(c.leman_features)()
    kernel.coloring.rounds = 2
    before = time.process_time()
    session.call("leman_features_compute", data._handle.pointer, ctypes.byref(kernel), 1, None, ctypes.byref(found))
    seconds = time.process_time() - before
    lib.leman_features_free(found)
    return seconds


# ---- Networks ------------------------------------------------------------------------------------


def _architecture(session: Session, data: Dataset, method: str, preset: str) -> Any:
    made, known = options("leman_architecture"), ctypes.c_bool()
    try:
        parse(session, "leman_architecture_parse", tables.known(method), made)
    except ArgumentError:
        raise UnsupportedError(f"this version has no network '{tables.known(method)}'") from None
    made.preset = v.choice(session, "leman_preset_parse", preset, "preset")
    made.attributes = c.LEMAN_ATTRIBUTE_USE_NONE  # as published: only the preset qm9 reads attributes, in its own way
    session.call("leman_architecture_attributes", data._handle.pointer, ctypes.byref(made), ctypes.byref(known))
    if not known.value:
        raise InputError("found no positions of atoms among the vertex attributes, expected those of QM9, which are in "
                         "QM9_node_attributes.zip, to be unpacked into the same folder as QM9.zip")
    return made


def _listed_parts(session: Session, path: str, names: tuple[str, ...], graphs: int, parts: Any) -> None:
    """The parts of three lists of graph numbers in the folder or zip of the data."""
    with tempfile.TemporaryDirectory(prefix="leman-") as folder:
        found = []
        for name in names:
            place = os.path.join(path, name)
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    member = next((m for m in archive.namelist() if os.path.basename(m) == name), None)
                    place = os.path.join(folder, name)
                    if member:
                        with open(place, "wb") as file:
                            file.write(archive.read(member))
            if not os.path.exists(place):
                raise InputError(f"{path}: found no {name}, expected that list of graph numbers there")
            found.append(os.fsencode(place))
        session.call("leman_parts_read", graphs, *found, ctypes.byref(parts))


def regression(session: Session, data: Dataset, path: str, table: str, method: str, set_: str, run: int, seed: int, epochs: int,
               kept: str | None) -> dict[str, float]:
    """One training. kept: a checkpoint, from which an interrupted run goes on."""
    lists, columns = tables.REGRESSIONS[set_][1], int(data.columns.targets)
    preset = _PRESETS.get(table) or ("alchemy" if set_.startswith("Alchemy") else "zinc")
    if not columns:
        raise InputError(f"{path}: found no targets, expected some")
    architecture = _architecture(session, data, method, preset)
    training = options("leman_training", ctypes.byref(architecture))
    targets = (ctypes.c_size_t * 12)(*range(12))
    training.targets, training.target_count = targets, 1 if preset == "zinc" else min(columns, 12)
    training.epochs, training.run = epochs, run
    training.value_mebibytes = 1 << 20  # keep all values: the same weights in less time
    training.checkpoint, training.resume = os.fsencode(kept) if kept else None, kept is not None
    parts = ctypes.POINTER(c.leman_parts)()
    network, history = ctypes.c_void_p(), ctypes.POINTER(c.leman_history)()
    try:
        if lists:
            _listed_parts(session, path, lists, len(data), parts)
        else:
            with Session(1, seed=seed + run) as drawing:  # a split for every run, as published
                drawing.call("leman_parts_draw", len(data), 0.1, 0.1, ctypes.byref(parts))
        session.call("leman_train", data._handle.pointer, parts, ctypes.byref(architecture), ctypes.byref(training),
                     ctypes.byref(network), ctypes.byref(history))
        found = _of_history(history, table)
        found["parameters"] = int(lib.leman_network_describe(network).contents.parameters)
        return found
    finally:
        lib.leman_parts_free(parts)
        lib.leman_network_free(network)
        lib.leman_history_free(history)


def _of_history(history: Any, table: str) -> dict[str, float]:
    h = history.contents
    best, seconds = h.epoch[h.best], [float(h.epoch[i].seconds) for i in range(h.epochs)]
    found = {"validation": float(best.val_error), "epochs": int(h.epochs), "run_seconds": sum(seconds)}
    if table == "network-times":
        warm = seconds[1:] or seconds  # the first epoch finds everything cold
        return {"seconds": sum(warm) / len(warm), **found}
    if table in ("zinc", "pair-networks"):
        return {"MAE": float(best.test_error), **found}
    error, logarithm = ctypes.c_double(), ctypes.c_double()
    lib.leman_history_standardized(history, h.best, 1, ctypes.byref(error), ctypes.byref(logarithm))
    return {"standardised MAE": error.value, "logMAE": logarithm.value, **found}


def folds(session: Session, data: Dataset, table: str, method: str, epochs: int, kept: str | None) -> dict[str, float]:
    """One repetition of ten folds. kept: a file of finished networks, from which an interrupted run goes on."""
    architecture = _architecture(session, data, method, _PRESETS[table])
    training, protocol = options("leman_training", ctypes.byref(architecture)), options("leman_network_protocol")
    training.classes = True
    if epochs:
        training.epochs = epochs
    protocol.repetitions = 1
    protocol.journal, protocol.resume = os.fsencode(kept) if kept else None, kept is not None
    layers, width = (ctypes.c_size_t * 1)(2), (ctypes.c_size_t * 1)(64)
    if table == "mid-scale":
        protocol.layers, protocol.layers_count, protocol.widths, protocol.widths_count = layers, 1, width, 1
    found = ctypes.POINTER(c.leman_network_evaluation)()
    session.call("leman_network_evaluate", data._handle.pointer, ctypes.byref(architecture), ctypes.byref(training),
                 ctypes.byref(protocol), ctypes.byref(found))
    try:
        seconds = sum(float(found.contents.fold[i].seconds) for i in range(found.contents.folds))
        return {"accuracy": float(found.contents.test_mean), "run_seconds": seconds}
    finally:
        lib.leman_network_evaluation_free(found)
