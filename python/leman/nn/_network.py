"""GraphNetwork: training and prediction of the library's networks (docs/networks.md) as an estimator.

    network = GraphNetwork(model="delta-2-LGNN", preset="tu", epochs=50).fit(data)
    network.predict(new), network.history_, network.state_dict(), network.save("net.lmn")

A part of the graphs is held out and selects the epoch. save() writes the checkpoint that `leman predict --model` reads.
"""
from __future__ import annotations

import ctypes
import functools
import inspect
import json
import os
import tempfile
import weakref
from typing import Any, Callable, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .. import _declarations as c
from .. import _values as v
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError, InputError, UnsupportedError, warn
from .._explain import VertexExplanation, explained, one_graph, several
from .._kernels import components_of
from .._learned import Supervision, own_classes, task_values, with_learned
from .._library import Handle, Session, file_content, handle_of, lib, options, parse, seed_of, sized_text
from .._models import classes_of_file
from .._names import hint
from .._policy import reading_text
from .._splits import graph_numbers
from .._unread import attributes_of, warn_of_new

Array = npt.NDArray[Any]
_EPOCH = ("epoch", "train_loss", "val_error", "test_error", "learning_rate", "seconds", "val_loss")
_IGNORED = ("ignore_vertex_labels", "ignore_edge_labels", "ignore_attributes", "in_arcs")


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


def _parameters(shape: Any, run: Any, settings: dict[str, Any]) -> dict[str, Any]:
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
    found.update({name: bool(getattr(architecture, name)) for name in _IGNORED})
    if graphs and run.count[1] != max(1, int(0.1 * graphs + 1e-9)):  # as leman_parts_draw() rounds
        found["validation_fraction"] = run.count[1] / graphs
    if graphs and run.count[2]:
        found["test_fraction"] = run.count[2] / graphs
    return found


def _rows(history: Any) -> list[dict[str, Any]]:
    """Every epoch of a leman_history, with the score that selects."""
    return [{**{name: getattr(history.epoch[i], name) for name in _EPOCH}, "val_score": history.score[2 * i],
             "test_score": history.score[2 * i + 1]} for i in range(history.epochs)]


class _Run:
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


class GraphNetwork(BaseEstimator):  # type: ignore[misc]
    """A network on vertices or tuples, by the paper's name: "delta-2-LGNN", "2-WL-GNN", "GIN-eps", "GINE-eps", ...

    The parameters are the options of `leman train` (docs/networks.md, docs/training.md).

    preset: "zinc", "alchemy", "qm9" or "tu", what stands around the layers and how it is trained; None: by the data. layers, width and
    the numbers of the training (epochs, batch_size, learning_rate, patience, weight_decay, max_gradient_norm, and every other row of
    LEMAN_TRAINING_NUMBERS in the library's header): None is the preset's. loss: "l1" or "l2", of targets. scale_targets: learn targets with mean 0 and
    deviation 1; None: as the preset. class_weight: "balanced" or a dictionary. scoring: the validation score that selects the epoch of
    classes: "accuracy", "balanced" or "auc". schedule: how the learning rate changes, "plateau" (None), "cosine" (to min_learning_rate) or "constant", each
    after warm_up epochs. plateau: what the schedule plateau follows, "error" (None) or "accuracy" (None in leman.evaluate()). own_fourth_layer: GINE
    with preset zinc, as `--own-fourth`. coordinates: with the preset qm9, which columns of vertex attributes are a position, such as range(13, 16).

    attributes: how real-valued attributes of vertices and edges are read beside the labels: "standardized" (None), with mean 0 and deviation 1
    over the graphs that train; "raw"; or "none". The preset qm9 reads them raw. GIN-0 and GIN-eps read no edge attributes: fit() warns where the data has some.

    encodings: of pair networks, what a pair of vertices has beside labels, such as "distance:5,walk:16,resistance"; None: "distance:5".

    components: of delta-2-LGNN, delta-3-LGNN and pair networks, only tuples whose vertices induce at most so many connected components (1: connected
    tuples) are rows of the network; None: all tuples.

    level: what is predicted: "graph" (None), "vertex" or "edge". At the levels of vertices and edges, what is learned are columns of vertex or of edge
    attributes, which are no inputs then: target is the number of one, or a list of numbers; None: all. fit() takes no y, and predict() gives a row for each
    vertex of all graphs, in their order, or for each arc, in the order of edge_index (both arcs of an undirected edge have the same prediction).

    validation_fraction and test_fraction of the graphs, at random, select and test the epoch, unless fit() is told which do. y: classes, or
    reals (one or several columns), or tasks (several columns of 0 and 1, or -1 and 1, and missing values, each a class of its own); else the data's
    own. GraphNetworkClassifier and GraphNetworkRegressor are told which. random_state: None trains another network in each fit.
    runs: train so often on the same parts, from other weights, and keep the network that validates best; run: the number of the first.

    device: "auto", "cpu", "cuda", "cuda:1". precision: "tf32", "fp32" or "bf16" on a CUDA device. memory, device_memory: at most so many bytes.
    recompute: less memory, more time. checkpoint: a file that keeps the run after every epoch; resume=True continues from it, and needs
    the random_state of the run.
    """

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
        for name in _IGNORED:
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

    _wanted = "either"  # what is learned: "classes", "reals" or either
    _multilabel = False

    def _supervised(self, data: Dataset, y: Any, wanted: str) -> tuple[Dataset, Array | None, int]:
        """The data with what is to be learned; the classes, if that are classes; and the number of tasks, if that are tasks."""
        if self.level not in (None, "graph"):
            if y is not None:
                raise ArgumentError(f"y: found values and level={self.level!r}, expected none: columns of attributes are learned, and target names them")
            if wanted == "classes":
                raise ArgumentError(f"level: found {self.level!r} and a network that learns classes, expected GraphNetwork or GraphNetworkRegressor")
            return data, None, 0
        if self.target is not None:
            raise ArgumentError(f"target: found {v.shown(self.target)} and level={self.level!r}, expected level='vertex' or 'edge'")
        if y is None and data.classes is not None and wanted != "reals":
            return data, own_classes(data), 0
        if y is None:
            y = data.targets if data.targets is not None else data.y
        if y is None:
            raise InputError("y: found none, and the data set has neither classes nor targets")
        found = Supervision(y, None, len(data), wanted, several=True)
        tasks = found.targets.shape[1] if found.tasks and found.targets is not None else 0
        same = y is data.targets or found.classes is None and data.targets is not None and np.array_equal(y, data.targets, equal_nan=True)
        return data if same else with_learned(data, found), None if found.classes is None else found.known_classes(), tasks

    def fit(self, X: Any, y: Any = None, *, validation: Any = None, test: Any = None,
            callback: Callable[[dict[str, Any]], Any] | None = None) -> GraphNetwork:
        """Trains. validation, test: numbers or masks of the graphs that select the epoch and that test it; all others train.

        callback(epoch): called after every epoch with its row of history_; the run ends if callback returns False, and the next run begins
        if there are several. An exception of callback, such as optuna.TrialPruned, and Ctrl-C end the fit with all its runs. In all three
        cases the network of the best epoch so far is kept; the exception (KeyboardInterrupt) is raised after that."""
        return self._train(as_dataset(X), y, validation, test, callback)

    def initialize(self, X: Any, y: Any = None, *, outputs: int | None = None) -> GraphNetwork:
        """The network with the weights with which fit() would begin: it is not trained. X has the labels and types that the network reads,
        y the classes or targets that it will predict; without y, and if X has none either, it has so many outputs for targets (None: 1).
        random_state determines the weights. Training goes on in PyTorch: leman.nn.torch.Network.from_network()."""
        data, wanted = as_dataset(X), None if outputs is None else v.integer(outputs, "outputs", 1)
        if self.level not in (None, "graph"):
            made = self._train(data, y, initial=True)
            if wanted not in (None, made.n_outputs_):
                raise ArgumentError(f"outputs: found {wanted}, expected {made.n_outputs_}, the columns that are learned, or None")
            return made
        if y is not None or data.y is not None or data.targets is not None or self._wanted == "classes":
            learned, classes, tasks = self._supervised(data, y, self._wanted)
            targets = learned.targets
            known, what = (len(classes), "classes") if classes is not None else (tasks, "tasks") if tasks else \
                (0 if targets is None else targets.shape[1], "targets")
            if wanted not in (None, known):
                raise ArgumentError(f"outputs: found {wanted}, expected {known}, as the graphs have {known} {what}, or None")
            return self._train(data, y, initial=True)
        nothing = Supervision(np.zeros((len(data), wanted or 1)), None, len(data), "reals", several=True)
        return self._train(with_learned(data, nothing), None, initial=True, wanted="reals")

    def _train(self, given: Dataset, y: Any, validation: Any = None, test: Any = None,
               callback: Callable[[dict[str, Any]], Any] | None = None, initial: bool = False, wanted: str | None = None) -> GraphNetwork:
        """initial: only until the first weights are drawn."""
        data, classes, tasks = self._supervised(given, y, wanted or self._wanted)
        self._check_options(classes is not None or tasks > 0)
        if callback is not None and not callable(callback):
            raise ArgumentError(f"callback: found {v.shown(callback)}, expected a function of one epoch")
        network, run = ctypes.c_void_p(), _Run(callback)
        with self._session(draws=True) as session:
            architecture = self._architecture(session, data, tasks=tasks > 0)
            training = self._training(session, architecture, classes is not None)
            if initial:
                training.epochs, training.initial_weights = 0, 1
            else:
                self._keep(training)
            columns, training.level = self._columns(tasks), self._level(session)
            if tasks:
                training.tasks, training.task_count = v.pointer(columns, ctypes.c_size_t), tasks
            elif columns is not None:
                training.targets, training.target_count = v.pointer(columns, ctypes.c_size_t), len(columns)
            if classes is not None or tasks:
                weights, training.balanced_weights = v.weights_of(self.class_weight, task_values(data.targets) if classes is None else classes.tolist())
                if weights is not None:
                    training.class_weight = weights.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
                    training.class_weights = len(weights)
            training.on_epoch = session.guarded(type(training.on_epoch), lambda now: run.after(session, now))
            parts = Handle(self._one_part(session) if initial and len(data) == 1 else self._parts(session, len(data), validation, test),
                           lib.leman_parts_free)
            common = (session.pointer, data._handle.pointer, parts.pointer, ctypes.byref(architecture), ctypes.byref(training))
            status = run.train(common, 1 if initial else v.integer(self.runs, "runs", 1), ctypes.byref(network))
            if network:
                self._finish(run, data, parts)
                self._adopt(Handle(network, lib.leman_network_free), classes)
            session.check(status)
        return self

    def _finish(self, run: _Run, data: Dataset, parts: Handle) -> None:
        histories = run.histories()
        best = histories[run.best]
        self.history_ = _rows(best)
        self.best_epoch_ = int(best.epoch[best.best].epoch) if best.best < best.epochs else 0
        self.best_ = self.history_[best.best] if best.best < best.epochs else None
        self.runs_ = [_rows(history) for history in histories]
        self.__dict__.pop("means_", None)
        if run.runs is not None:
            found = run.runs.contents
            self.means_ = {name: float(getattr(found, name)) for name, *_ in found._fields_ if name.endswith(("_mean", "_std"))}
        self._trained = run, data, parts
        self._attributes: tuple[bool, bool] | None = attributes_of(data)

    def report(self, path: str | os.PathLike[str]) -> None:
        """The page of `leman train --report`: training curves, predicted against true values. After fit(), not after load()."""
        check_is_fitted(self, "_network")
        if not hasattr(self, "_trained"):
            raise UnsupportedError("report: the curves belong to the process that trained; expected report() after fit(), not after load() or pickle")
        run, data, parts = self._trained
        with self._session() as session:
            function = "leman_training_page_write" if run.runs is None else "leman_runs_page_write"
            session.call(function, data._handle.pointer, parts.pointer, self._network.pointer, run.runs if run.runs is not None else run.history,
                         None, v.path(path))

    def _check_wanted(self, where: str = "") -> None:
        if self._wanted != "either" and self.is_classifier_ != (self._wanted == "classes"):
            raise InputError(f"{where}found a network that predicts {'classes' if self.is_classifier_ else 'reals'}, expected one that "
                             f"predicts {self._wanted}")

    def _adopt(self, network: Handle, classes: Array | None = None) -> None:
        """The network, and the values of its classes where they are known; else those of the file."""
        self.__dict__.pop("classes_", None)
        self._network = network
        shape = lib.leman_network_describe(network.pointer).contents
        self.n_parameters_ = int(shape.parameters)
        self.n_types_ = int(shape.types)
        self._reading = int(shape.reading)
        self.reading_ = reading_text(self._reading)  # how SMILES and files are read for this network
        self.n_outputs_ = int(shape.outputs)
        self.is_classifier_ = bool(shape.class_label or shape.task_label)
        self._multilabel = bool(shape.task_label)
        self.classes_: Any
        if classes is not None:
            self.classes_ = classes
        elif self._multilabel:
            self.classes_ = [np.array(shape.task_label[2 * i:2 * i + 2]) for i in range(self.n_outputs_)]
        elif self.is_classifier_:
            self.classes_ = classes_of_file(shape, self.n_outputs_)

    def _outputs(self, X: Any) -> Array:
        check_is_fitted(self, "_network")
        data = as_dataset(X, reading=self._reading)
        warn_of_new(data, getattr(self, "_attributes", None))
        out = np.zeros((lib.leman_network_rows(self._network.pointer, data._handle.pointer), self.n_outputs_))
        if len(data):
            with self._session() as session:
                session.call("leman_network_predict", self._network.pointer, data._handle.pointer,
                             0 if self.batch_size is None else v.integer(self.batch_size, "batch_size", 1),
                             out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
        return out

    def predict(self, X: Any) -> Array:
        """Classes; of several tasks [graphs, tasks]; or targets in the units of the data, [graphs] for one and [graphs, targets] for
        several. With level="vertex" or "edge" the rows are the vertices of all graphs, or their arcs in the order of edge_index; the row of
        a self-loop is NaN."""
        out = self._outputs(X)
        if self._multilabel:
            return np.stack([known[(out[:, i] > 0.5).astype(int)] for i, known in enumerate(self.classes_)], axis=1)
        if self.is_classifier_:
            return np.asarray(self.classes_[out.argmax(axis=1)])
        return out[:, 0] if out.shape[1] == 1 else out

    def _predicts_classes(self) -> bool:
        """Whether the network has probabilities: a network that learned, or is to learn, reals has none."""
        if self._wanted == "reals" or not getattr(self, "is_classifier_", True):
            raise AttributeError(f"{type(self).__name__} predicts reals, not classes: it has no predict_proba and no decision_function")
        return True

    @available_if(_predicts_classes)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Array:
        """[graphs, classes]; of tasks [graphs, tasks], the probability of the larger class of each."""
        check_is_fitted(self, "_network")
        return self._outputs(X)

    @available_if(_predicts_classes)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Array:
        """Two classes: [graphs], the log odds of the second; tasks: [graphs, tasks]. More classes: [graphs, classes], the logarithms of
        the probabilities."""
        known = np.log(np.maximum(self.predict_proba(X), 1e-300))
        if self._multilabel:
            return np.asarray(known - np.log(np.maximum(1 - np.exp(known), 1e-300)))
        return np.asarray(known[:, 1] - known[:, 0] if known.shape[1] == 2 else known)

    @overload
    def explain(self, graph: list[str], of: Any = None, atom_numbers: bool = False) -> list[VertexExplanation]: ...

    @overload
    def explain(self, graph: Any, of: Any = None, atom_numbers: bool = False) -> VertexExplanation: ...

    def explain(self, graph: Any, of: Any = None, atom_numbers: bool = False) -> Any:
        """Which vertices and edges decide: by how much the log odds of the class `of` (the predicted one where it is None) or of the
        task of number `of`, or the target of number `of` (0 where it is None), falls without each of them. As GraphSVC.explain() otherwise."""
        check_is_fitted(self, "_network")
        if molecules := several(graph):
            return [self.explain(molecule, of, atom_numbers) for molecule in molecules]
        data = one_graph(graph, self._reading)
        place = 0 if of is None else of
        if self.is_classifier_ and not self._multilabel:
            of = self.predict(data)[0] if of is None else of
            places = [i for i, known in enumerate(self.classes_.tolist()) if known == of]
            if not places:
                raise ArgumentError(f"of: found {v.shown(of)}, expected one of {', '.join(map(v.shown, self.classes_.tolist()))}")
            place = places[0]
        predictor = ctypes.c_void_p()
        with self._session() as session:
            session.call("leman_predictor_new", self._network.pointer, ctypes.byref(predictor))
            try:
                return explained(session, data, of, atom_numbers, "leman_predictor_attribute", predictor, data._handle.pointer, 0,
                                 v.integer(place, "of", 0))
            finally:
                lib.leman_predictor_free(predictor)

    def encode(self, X: Any) -> dict[str, Array]:
        """The graphs as the network reads them, side by side in one batch: arrays by their names (docs/networks.md). What the
        network has no number for is -1."""
        return self._encode(X)[1]

    def _encode(self, X: Any) -> tuple[Handle, dict[str, Array]]:
        """The graphs as a leman_batch, and copies of its arrays."""
        check_is_fitted(self, "_network")
        data, batch, found = as_dataset(X, reading=self._reading), ctypes.POINTER(c.leman_batch)(), {}
        with Session(self.n_jobs) as session:
            session.call("leman_network_encode", self._network.pointer, data._handle.pointer, ctypes.byref(batch))
        made = Handle(batch, lib.leman_batch_free)
        for array in batch.contents.array[:batch.contents.arrays]:
            shape, kind = (array.rows, array.columns), np.float32 if array.real else np.int32
            content = ctypes.string_at(array.data, array.rows * array.columns * array.bytes)
            numbers = np.frombuffer(content, kind).reshape(shape)
            found[array.name.decode()] = numbers.astype(kind if array.real else np.int64)
        return made, found

    def score(self, X: Any, y: Any = None) -> float:
        """Accuracy of classes; of tasks, the share of the labels that are known and predicted correctly; R^2 of reals."""
        from sklearn.metrics import accuracy_score, r2_score
        check_is_fitted(self, "_network")
        data = as_dataset(X, reading=self._reading)
        level = lib.leman_network_describe(self._network.pointer).contents.level
        y = (self._true_rows(data) if level else data.targets if self._multilabel else data.y) if y is None else y
        if level:
            found = self.predict(data)
            known = np.isfinite(found).all(axis=tuple(range(1, found.ndim)))  # self-loops have no prediction
            return float(r2_score(np.asarray(y)[known], found[known]))
        if self._multilabel:
            wanted = None if y is None else Supervision(y, None, len(data), "reals", several=True).targets
            if wanted is None or wanted.shape[1] != self.n_outputs_:
                raise InputError(f"y: found {'none' if wanted is None else f'{wanted.shape[1]} columns'}, expected {self.n_outputs_}, one for each "
                                 "task")
            return float(np.mean((self.predict(data) == wanted)[~np.isnan(wanted)]))
        if y is None:
            raise InputError("y: found none, and the graphs have neither classes nor targets, expected what the network predicts")
        return float((accuracy_score if self.is_classifier_ else r2_score)(y, self.predict(data)))

    def _true_rows(self, data: Dataset) -> Array:
        """The attributes that the network predicts, of all vertices or arcs."""
        shape, made = lib.leman_network_describe(self._network.pointer).contents, ctypes.c_void_p()
        with Session(1) as session:
            session.call("leman_dataset_rows", data._handle.pointer, shape.level, ctypes.byref(made))
        rows, columns = Dataset._made(made).targets, [int(shape.target[i]) for i in range(self.n_outputs_)]
        if rows is None or rows.shape[1] <= max(columns):
            raise InputError("y: found none, and the graphs do not have the attributes that the network predicts")
        return rows[:, columns[0]] if len(columns) == 1 else rows[:, columns]

    def _exported(self) -> tuple[dict[str, Array], dict[str, Any]]:
        check_is_fitted(self, "_network")
        with tempfile.TemporaryDirectory(prefix="leman-") as folder:
            path = os.path.join(folder, "weights.npz")
            with Session(1) as session:
                session.call("leman_network_export", self._network.pointer, os.fsencode(path))
            with np.load(path) as arrays:
                description: dict[str, Any] = json.loads(bytes(arrays["network.json"]))
                return {weight["name"]: arrays[weight["name"]] for weight in description["weights"]}, description

    def state_dict(self) -> dict[str, Array]:
        """Every weight under its name, as NumPy arrays: what `leman train --export` writes."""
        return self._exported()[0]

    def export(self, path: str | os.PathLike[str]) -> None:
        """The file of `leman train --export`, an .npz that leman.nn.torch.Network.from_export() and numpy.load() read."""
        check_is_fitted(self, "_network")
        with Session(1) as session:
            session.call("leman_network_export", self._network.pointer, v.path(path))

    def describe(self) -> dict[str, Any]:
        """All that the weights do not say: architecture, order of labels and types, scaling of targets, the steps of the
        network (docs/networks.md)."""
        return self._exported()[1]

    def save(self, path: str | os.PathLike[str]) -> None:
        """The network and how it was trained, for GraphNetwork.load() and `leman predict --model`."""
        check_is_fitted(self, "_network")
        with Session(1) as session:
            session.call("leman_network_write", self._network.pointer, v.path(path))

    @classmethod
    def from_torch(cls, module: Any) -> GraphNetwork:
        """The weights of a leman.nn.torch.Network in a network of the library, to predict, explain and save. It is a copy: further training
        of the module does not change it."""
        if not hasattr(module, "network") or not hasattr(module, "state_dict"):
            raise ArgumentError(f"module: found {v.shown(module)}, expected a leman.nn.torch.Network")
        if module.network is None:
            raise InputError("found a module without a GraphNetwork that encodes graphs, expected Network(description, network)")
        made = cls(**module.network.get_params())
        made._adopt(handle_of(file_content(module.network.save), "leman_network_read", lib.leman_network_free),
                    getattr(module.network, "classes_", None))
        made._check_wanted()
        made._set_weights({name: weight.detach().cpu().float().numpy() for name, weight in module.state_dict().items()})
        return made

    def _set_weights(self, weights: dict[str, Array]) -> None:
        """All weights of the network, by their names."""
        i, name = 0, lib.leman_network_weight_name(self._network.pointer, 0, None, None)
        while name is not None:
            if name.decode() not in weights:
                raise InputError(f"found no weight {name.decode()}, expected all of the network")
            i, name = i + 1, lib.leman_network_weight_name(self._network.pointer, i + 1, None, None)
        with Session(1) as session:
            for text, weight in weights.items():
                rows, columns = weight.shape if weight.ndim == 2 else (weight.size, 1)
                numbers = np.ascontiguousarray(weight, np.float32)
                session.call("leman_network_set_weight", self._network.pointer, text.encode(),
                             numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_float)), rows, columns)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GraphNetwork:
        """What save() or `leman train --checkpoint` wrote, with the parameters that it was trained with: fit() on the same graphs
        trains the same network. The file has neither what belongs to the machine (device, n_jobs, verbose, memory, device_memory, recompute), nor
        the files of the run (checkpoint, resume), nor the graphs that fit() was told to validate and test on. The files of export() are
        read, too."""
        pointer, where = ctypes.c_void_p(), v.path(path)
        with Session(1) as session:
            session.call("leman_network_read", where, ctypes.byref(pointer))
        shape = lib.leman_network_describe(pointer).contents
        made = cls()
        made._adopt(Handle(pointer, lib.leman_network_free))
        run = shape.checkpoint.contents
        made.set_params(**_parameters(shape, run, made.describe()))
        made._check_wanted(f"{os.fsdecode(where)}: ")
        if run.class_weight_count:
            labels = (made.classes_[0] if made._multilabel else made.classes_).tolist()
            made.class_weight = dict(zip(labels, run.class_weight[: run.class_weight_count]))
        return made

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "_network" in state:
            state["_network"] = file_content(self.save)
        state.pop("_trained", None)  # it belongs to the process that trained
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("_network"), bytes):
            state = {**state, "_network": handle_of(state["_network"], "leman_network_read", lib.leman_network_free)}
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


class GraphNetworkClassifier(ClassifierMixin, GraphNetwork):  # type: ignore[misc]
    """A GraphNetwork that learns classes, whatever kind of numbers or texts they are, or several tasks. scikit-learn takes it as a
    classifier: folds are stratified, and scoring="roc_auc" works."""

    _wanted = "classes"
    score = GraphNetwork.score


class GraphNetworkRegressor(RegressorMixin, GraphNetwork):  # type: ignore[misc]
    """A GraphNetwork that learns reals, also where y has integers. scikit-learn takes it as a regressor."""

    _wanted = "reals"
    score = GraphNetwork.score
