"""Runs of a training: what they were, what they are, and the callback after an epoch."""
from __future__ import annotations

import ctypes
import weakref
from typing import Any

import numpy as np

from .. import _declarations as c
from .._library import Session, lib, sized_text
from ._options import IGNORED

_EPOCH = ("epoch", "train_loss", "val_error", "test_error", "learning_rate", "seconds", "val_loss")


def parameters_of(shape: Any, run: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a GraphNetwork that trains as the run of a checkpoint did. settings: network.json."""
    architecture = shape.architecture.contents
    first, graphs = int(architecture.first_coordinate), sum(run.count)
    targets = not (shape.class_label or shape.task_label)
    found = {"model": sized_text(lib.leman_architecture_paper_name, shape.architecture),
             "preset": lib.leman_preset_name(architecture.preset).decode(),
             "loss": lib.leman_loss_name(shape.loss).decode() if targets else None,
             "scale_targets": settings["scaled"] if targets else None,
             "scoring": None if targets or settings["selected_by"] == "accuracy" else settings["selected_by"],
             "own_fourth_layer": settings["own_fourth_layer"],
             "precision": lib.leman_precision_name(shape.precision).decode(), "random_state": int(run.seed), "run": int(run.run),
             "class_weight": "balanced" if run.balanced_weights else None,
             "level": lib.leman_level_name(shape.level).decode() if shape.level else None,
             "target": [int(shape.target[i]) for i in range(shape.outputs)] if shape.level else None,
             "attributes": lib.leman_attribute_use_name(architecture.attributes).decode() if architecture.attributes else None,
             "encodings": sized_text(lib.leman_architecture_encodings, shape.architecture) if architecture.encodings else None,
             "components": int(architecture.components) or None,
             "schedule": lib.leman_schedule_name(run.schedule).decode(), "plateau": "accuracy" if run.plateau_on_accuracy else None,
             "coordinates": range(first, first + int(architecture.coordinates)) if architecture.coordinates else None}
    found.update({name: int(getattr(architecture, name)) for name in ("layers", "width")})
    found.update({name: getattr(run, name, settings.get(name)) for name, *_ in c.TRAINING_NUMBERS})
    found["epochs"] = int(run.planned_epochs) or None
    if run.schedule != c.LEMAN_SCHEDULE_PLATEAU:
        found["patience"] = None
    found.update({name: bool(getattr(architecture, name)) for name in IGNORED})
    if graphs and run.count[1] != max(1, int(0.1 * graphs + 1e-9)):  # as leman_parts_draw() rounds
        found["validation_fraction"] = run.count[1] / graphs
    if graphs and run.count[2]:
        found["test_fraction"] = run.count[2] / graphs
    return found


def rows_of(history: Any) -> list[dict[str, Any]]:
    """Every epoch of a leman_history, with the score that selects."""
    return [{**{name: getattr(history.epoch[i], name) for name in _EPOCH}, "val_score": history.score[2 * i],
             "test_score": history.score[2 * i + 1]} for i in range(history.epochs)]


class Run:
    """One fit: the callback after its epochs, and the histories that the library makes."""

    def __init__(self, callback: Any) -> None:
        self.callback = callback
        self.history = ctypes.POINTER(c.leman_history)()
        self.runs: Any = None
        self.best = 0

    def after(self, session: Session, now: Any) -> bool:
        """After an epoch: whether this run goes on."""
        history = now.contents
        proceed = True
        if self.callback is not None and not session.stopped:
            last = history.epochs - 1
            row = {**{name: getattr(history.epoch[last], name) for name in _EPOCH}, "val_score": history.score[2 * last],
                   "test_score": history.score[2 * last + 1], "is_best": history.best == last, "run": int(history.run)}
            answer = self.callback(row)
            proceed = not (isinstance(answer, (bool, np.bool_)) and not answer)
        return proceed and not session.stopped

    def train(self, common: tuple[Any, ...], runs: int, network: Any) -> int:
        if runs == 1:
            status = lib.leman_train(*common, network, ctypes.byref(self.history))
            weakref.finalize(self, lib.leman_history_free, self.history)
        else:
            self.runs = ctypes.POINTER(c.leman_runs)()
            status = lib.leman_train_runs(*common, runs, network, ctypes.byref(self.runs))
            weakref.finalize(self, lib.leman_runs_free, self.runs)
        return int(status)

    def histories(self) -> list[Any]:
        if self.runs is None:
            return [self.history.contents]
        self.best = int(self.runs.contents.best)
        return [self.runs.contents.history[i].contents for i in range(self.runs.contents.runs)]
