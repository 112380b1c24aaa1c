"""The parameters of a GraphNetwork as the options of the library: architecture, training, parts."""
from __future__ import annotations

import ctypes
import functools
import inspect
import os
from typing import Any, Callable

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from .. import _declarations as c
from .. import _values as v
from .._dataset import Dataset
from .._errors import ArgumentError, warn
from .._kernels import components_of
from .._library import Session, lib, options, parse, seed_of
from .._names import hint
from .._splits import graph_numbers

Array = npt.NDArray[Any]
IGNORED = ("ignore_vertex_labels", "ignore_edge_labels", "ignore_attributes", "in_arcs")


def _with_numbers(init: Callable[..., None]) -> Callable[..., None]:
    """A constructor that also takes the numeric options of a training which its own signature does not name. Their names are the
    rows of LEMAN_TRAINING_NUMBERS in leman/network.h."""
    signature = inspect.signature(init)
    more = [name for name, *_ in c.TRAINING_NUMBERS if name not in signature.parameters]

    @functools.wraps(init)
    def constructor(self: Any, *positional: Any, **named: Any) -> None:
        for name in more:
            setattr(self, name, named.pop(name, None))
        init(self, *positional, **named)

    added = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in more]
    constructor.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *added])  # type: ignore[attr-defined]
    return constructor


class Options(BaseEstimator):  # type: ignore[misc]
    """The part of a GraphNetwork that needs no trained network."""

    @_with_numbers
    def __init__(self, model: str = "delta-2-LGNN", preset: str | None = None, layers: int | None = None,
                 width: int | None = None, epochs: int | None = None, batch_size: int | None = None,
                 learning_rate: float | None = None, loss: str | None = None, class_weight: Any = None,
                 validation_fraction: float = 0.1, device: str = "auto", precision: str | None = None,
                 random_state: Any = None, n_jobs: int | None = None, verbose: bool = False,
                 ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False, ignore_attributes: bool = False,
                 coordinates: Any = None, in_arcs: bool = False, test_fraction: float = 0.0, scoring: str | None = None,
                 scale_targets: bool | None = None, plateau: str | None = None, own_fourth_layer: bool = False, recompute: bool = False,
                 checkpoint: str | os.PathLike[str] | None = None, resume: bool = False, runs: int = 1, run: int = 0,
                 memory: int | None = None, device_memory: int | None = None, schedule: str | None = None,
                 attributes: str | None = None, encodings: str | None = None, level: str | None = None,
                 target: Any = None, components: int | None = None) -> None:
        self.model = model
        self.preset = preset
        self.layers = layers
        self.width = width
        self.epochs = epochs
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.loss = loss
        self.class_weight = class_weight
        self.validation_fraction = validation_fraction
        self.device = device
        self.precision = precision
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.ignore_vertex_labels = ignore_vertex_labels
        self.ignore_edge_labels = ignore_edge_labels
        self.ignore_attributes = ignore_attributes
        self.coordinates = coordinates
        self.in_arcs = in_arcs
        self.test_fraction = test_fraction
        self.scoring = scoring
        self.scale_targets = scale_targets
        self.plateau = plateau
        self.own_fourth_layer = own_fourth_layer
        self.recompute = recompute
        self.checkpoint = checkpoint
        self.resume = resume
        self.runs = runs
        self.run = run
        self.memory = memory
        self.device_memory = device_memory
        self.schedule = schedule
        self.attributes = attributes
        self.encodings = encodings
        self.level = level
        self.target = target
        self.components = components

    def _session(self, draws: bool = False) -> Session:
        """draws: for a fit, which draws random numbers."""
        return self._session_of(self.n_jobs, seed_of(self.random_state) if draws else None, self.verbose, self.device)

    def _session_of(self, n_jobs: int | None, seed: int | None, verbose: bool, device: str) -> Session:
        """A session with the memory and the precision of this network."""
        precision = None
        if self.precision is not None:
            with Session(1) as session:
                precision = v.choice(session, "leman_precision_parse", self.precision, "precision")
        return Session(n_jobs, seed=seed, memory=self.memory, verbose=verbose, device=device, precision=precision,
                       device_memory=self.device_memory)

    def _architecture(self, session: Session, data: Dataset, learned_sizes: bool = True, tasks: bool = False) -> Any:
        """learned_sizes: without, layers and width are chosen elsewhere. tasks: targets of the data are learned as classes."""
        made = options("leman_architecture")
        try:
            parse(session, "leman_architecture_parse", self.model, made, "model")
        except ArgumentError as error:
            raise ArgumentError(f"{error}{hint(str(self.model), 'network')}") from None
        if self.preset is not None:
            made.preset = v.choice(session, "leman_preset_parse", self.preset, "preset")
        elif self._level(session):
            made.preset = c.LEMAN_PRESET_ZINC
        else:
            made.preset = c.LEMAN_PRESET_TU if tasks else lib.leman_preset_for(data._handle.pointer)
        for name, most in (("layers", 2**31 - 1), ("width", v.LARGEST)):
            value = getattr(self, name)
            if value is not None and learned_sizes:
                setattr(made, name, v.integer(value, name, 1, most))
        for name in IGNORED:
            setattr(made, name, bool(getattr(self, name)))
        if self.attributes is not None:
            made.attributes = v.choice(session, "leman_attribute_use_parse", self.attributes, "attributes")
            made.ignore_attributes = made.ignore_attributes or made.attributes == c.LEMAN_ATTRIBUTE_USE_NONE
        if self.encodings is not None:
            session.call("leman_architecture_encode", v.text(self.encodings, "encodings"), ctypes.byref(made))
        made.components = components_of(self.components) or 0
        self._positions(session, data, made)
        self._check_attributes(session, data, made)
        return made

    def _level(self, session: Session) -> int:
        return 0 if self.level is None else int(v.choice(session, "leman_level_parse", self.level, "level"))

    def _columns(self, tasks: int) -> Array | None:
        """The columns that are learned, as tasks or of the level; None: all."""
        if tasks or self.target is None:
            return np.arange(tasks, dtype=np.uint64) if tasks else None
        given = v.integers([self.target] if v.is_integer(self.target) else self.target, "target")
        if given.ndim != 1 or not given.size or given.min() < 0:
            raise ArgumentError(f"target: found {v.shown(self.target)}, expected numbers of columns of attributes, which count from 0")
        return np.ascontiguousarray(given, dtype=np.uint64)

    def _positions(self, session: Session, data: Dataset, made: Any) -> None:
        """Which vertex attributes are a position: the preset qm9 computes distances."""
        columns, known = int(data.columns.vertex_attributes), ctypes.c_bool()
        if self.coordinates is not None:
            place = v.integers(self.coordinates, "coordinates")
            if made.preset != c.LEMAN_PRESET_QM9 or place.ndim != 1 or not place.size or np.any(np.diff(place) != 1) or \
                    not (0 <= place[0] and place[-1] < columns):
                raise ArgumentError(f"coordinates: found {v.shown(self.coordinates)}, expected consecutive numbers of the {columns} "
                                    "columns of vertex attributes, such as range(13, 16), and the preset qm9")
            made.first_coordinate, made.coordinates = int(place[0]), len(place)
        if (self.attributes is not None or self.level is not None) and made.preset != c.LEMAN_PRESET_QM9:
            return  # as the user asked
        session.call("leman_architecture_attributes", data._handle.pointer, ctypes.byref(made), ctypes.byref(known))
        if not known.value:
            raise ArgumentError(f"the preset qm9 computes distances, and it is not known which of the {columns} vertex attributes are "
                                "a position; expected coordinates, such as range(13, 16), or ignore_attributes=True")

    def _check_attributes(self, session: Session, data: Dataset, made: Any) -> None:
        """Refuses what the preset cannot do, and warns of attributes that the network cannot read."""
        if made.preset == c.LEMAN_PRESET_QM9 and self.attributes == "standardized":
            raise ArgumentError("attributes: the preset qm9 reads attributes as they are, expected 'raw' or 'none'")
        vertices, edges = ctypes.c_size_t(), ctypes.c_size_t()
        session.call("leman_architecture_columns", data._handle.pointer, ctypes.byref(made), ctypes.byref(vertices), ctypes.byref(edges))
        if not made.ignore_attributes and edges.value < data.columns.edge_attributes:
            warn(f"{self.model} cannot read edge attributes, and those of the data are left out; GINE-eps and networks on tuples read them")

    def _training(self, session: Session, architecture: Any, classes: bool, folds: bool = False) -> Any:
        """folds: for the protocol of leman.evaluate(), which is as published."""
        made = options("leman_training", ctypes.byref(architecture))
        made.classes = classes
        for name, kind, low, high in c.TRAINING_NUMBERS:
            value = getattr(self, name)
            if value is not None:
                number = v.integer(value, name, int(low)) if kind == "COUNT" else v.real(value, name)
                if kind == "REAL" and not low <= number <= high:
                    raise ArgumentError(f"{name}: found {v.shown(value)}, expected a number from {low:g} to {high:g}")
                setattr(made, name, number)
        if self.loss is not None:
            made.loss = v.choice(session, "leman_loss_parse", self.loss, "loss")
        if self.scoring is not None:
            made.score = v.choice(session, "leman_score_parse", self.scoring, "scoring")
        if self.scale_targets is not None:
            made.scale_targets = bool(self.scale_targets)
        if self.plateau not in ("error", "accuracy", None):
            raise ArgumentError(f"plateau: found {v.shown(self.plateau)}, expected 'error' or 'accuracy'")
        self._set_schedule(session, made)
        details = options("leman_paper_details")
        details.own_fourth_layer, details.best_must_improve = bool(self.own_fourth_layer), folds
        followed = folds and made.schedule == c.LEMAN_SCHEDULE_PLATEAU
        details.plateau_on_accuracy = followed if self.plateau is None else self.plateau == "accuracy"
        made.details = ctypes.pointer(details)
        made.recompute = bool(self.recompute)
        made.run = v.integer(self.run, "run")
        return made

    def _set_schedule(self, session: Session, training: Any) -> None:
        """The schedule of the learning rate. What another schedule would use is refused."""
        if self.schedule is not None:
            training.schedule = v.choice(session, "leman_schedule_parse", self.schedule, "schedule")
        for name in ("patience", "plateau"):
            if training.schedule != c.LEMAN_SCHEDULE_PLATEAU and getattr(self, name) is not None:
                raise ArgumentError(f"{name}: found {v.shown(getattr(self, name))} and schedule={self.schedule!r}, expected schedule='plateau'")

    def _check_options(self, labels: bool) -> None:
        """Refuses options that the network would ignore. labels: it learns classes or tasks, not reals."""
        of_reals = [name for name in ("loss", "scale_targets") if getattr(self, name) is not None]
        if labels and of_reals:
            raise ArgumentError(f"{of_reals[0]}: found {v.shown(getattr(self, of_reals[0]))} for a network that learns classes, expected None; "
                                "GraphNetworkRegressor learns reals")
        if not labels and self.class_weight is not None:
            raise ArgumentError(f"class_weight: found {v.shown(self.class_weight)} for a network that learns reals, expected None; "
                                "GraphNetworkClassifier learns classes")

    def _keep(self, training: Any) -> None:
        """The options of a single fit that the protocol of leman.evaluate() does not have."""
        if self.checkpoint is not None:
            training.checkpoint = v.path(self.checkpoint, "checkpoint")
        if self.resume and (self.checkpoint is None or not v.is_integer(self.random_state)):
            raise ArgumentError("resume: found True, expected a checkpoint, and the number that was random_state of the run")
        training.resume = bool(self.resume)

    def _parts(self, session: Session, graphs: int, validation: Any, test: Any) -> Any:
        parts = ctypes.POINTER(c.leman_parts)()
        if validation is None and test is None:
            share = v.real(self.validation_fraction, "validation_fraction", "a number between 0 and 1", above=0, below=1)
            tested = v.real(self.test_fraction, "test_fraction", "a number from 0 on, below 1", below=1)
            session.call("leman_parts_draw", graphs, share, tested, ctypes.byref(parts))
            return parts
        if validation is None:
            raise ArgumentError("test: found graphs that test, expected validation= with those that select the epoch as well")
        held, tests = (graph_numbers(part, graphs, name) for part, name in ((validation, "validation"), ([] if test is None else test, "test")))
        if np.intersect1d(held, tests).size:
            raise ArgumentError("validation, test: found a graph in both, expected each in one")
        lists = [np.ascontiguousarray(part, dtype=np.uint32)
                 for part in (np.setdiff1d(np.arange(graphs), np.union1d(held, tests)), held, tests)]
        pairs = [argument for part in lists for argument in (part.ctypes.data_as(ctypes.POINTER(ctypes.c_uint32)), len(part))]
        session.call("leman_parts_new", *pairs, ctypes.byref(parts))
        return parts

    @staticmethod
    def _one_part(session: Session) -> Any:
        """Of a single graph, which decides about the initial weights and is not trained on."""
        parts, only = ctypes.POINTER(c.leman_parts)(), (ctypes.c_uint32 * 1)(0)
        session.call("leman_parts_new", only, 1, only, 1, None, 0, ctypes.byref(parts))
        return parts
