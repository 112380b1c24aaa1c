"""GraphNetwork: training and prediction of the library's networks (docs/networks.md) as an estimator.

    network = GraphNetwork(model="delta-2-LGNN", preset="tu", epochs=50).fit(data)
    network.predict(new), network.history_, network.state_dict(), network.save("net.lmn")

A part of the graphs is held out and selects the epoch. save() writes the checkpoint that `leman predict --model` reads.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from .. import _declarations as c
from .. import _values as v
from .._convert import as_dataset
from .._dataset import Dataset
from .._errors import ArgumentError, InputError, UnsupportedError
from .._explain import VertexExplanation, explained, one_graph, several
from .._learned import Supervision, own_classes, task_values, with_learned
from .._library import Handle, Session, lib
from .._models import classes_of_file
from .._policy import reading_text
from .._unread import attributes_of, warn_of_new
from ._files import Files
from ._options import Options
from ._runs import Run, rows_of

Array = npt.NDArray[Any]


class GraphNetwork(Files, Options):
    """A network on vertices or tuples, by the paper's name. The parameters are the options of `leman train` (docs/networks.md, docs/training.md).

    A part of the graphs is held out and selects the epoch. y: classes, or reals (one or several columns), or tasks (several columns of 0 and 1, or
    -1 and 1, and missing values, each a class of its own); else the data's own. GraphNetworkClassifier and GraphNetworkRegressor are told which.

    Parameters
    ----------
    model : str
        "delta-2-LGNN", "2-WL-GNN", "GIN-eps", "GINE-eps", "Local-2-GNN", ...
    preset : str, optional
        "zinc", "alchemy", "qm9" or "tu": what stands around the layers and how it is trained; None: by the data.
    layers, width : int, optional
        None, here and in all numbers of the training: the preset's.
    epochs, batch_size : int, optional
        At most so many epochs; graphs in a batch.
    learning_rate : float, optional
        At the beginning.
    loss : str, optional
        "l1" or "l2", of targets.
    class_weight : "balanced" or dict, optional
    validation_fraction : float
        The share of the graphs, at random, that selects the epoch, unless fit() is told which.
    device : str
        "auto", "cpu", "cuda" or "cuda:1".
    precision : str, optional
        "tf32", "fp32" or "bf16" on a CUDA device.
    random_state : int, optional
        None trains another network in each fit.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    ignore_vertex_labels, ignore_edge_labels, ignore_attributes : bool
        Inputs that are not read.
    coordinates : range, optional
        With the preset qm9, which columns of vertex attributes are a position, such as range(13, 16).
    in_arcs : bool
        Of directed graphs: entering arcs are neighbours, too.
    test_fraction : float
        The share of the graphs that tests the selected epoch.
    scoring : str, optional
        The validation score that selects the epoch of classes: "accuracy", "balanced" or "auc".
    scale_targets : bool, optional
        Learn targets with mean 0 and deviation 1; None: as the preset.
    plateau : str, optional
        What the schedule plateau follows, "error" (None) or "accuracy" (None in leman.evaluate()).
    own_fourth_layer : bool
        GINE with the preset zinc, as `--own-fourth`.
    recompute : bool
        Less memory, more time.
    checkpoint : path, optional
        A file that keeps the run after every epoch.
    resume : bool
        Continue from `checkpoint`; it needs the random_state of the run.
    runs : int
        Train so often on the same parts, from other weights, and keep the network that validates best.
    run : int
        The number of the first run.
    memory, device_memory : int, optional
        At most so many bytes.
    schedule : str, optional
        How the learning rate changes: "plateau" (None), "cosine" (to min_learning_rate) or "constant", each after warm_up epochs.
    attributes : str, optional
        How real-valued attributes are read beside the labels: "standardized" (None), with mean 0 and deviation 1 over the graphs that train; "raw";
        or "none". The preset qm9 reads them raw. GIN-0 and GIN-eps read no edge attributes: fit() warns where the data has some.
    encodings : str, optional
        Of pair networks, what a pair of vertices has beside labels, such as "distance:5,walk:16,resistance", or "none"; None: "distance:5".
    level : str, optional
        What is predicted: "graph" (None), "vertex" or "edge". At the levels of vertices and edges, columns of vertex or of edge attributes are learned,
        which are no inputs then. fit() takes no y, and predict() gives a row for each vertex of all graphs, in their order, or for each arc, in the
        order of edge_index (both arcs of an undirected edge have the same prediction).
    target : int or list of int, optional
        The columns that are learned at these levels; None: all.
    components : int, optional
        Of delta-2-LGNN, delta-3-LGNN and pair networks, only tuples whose vertices induce at most so many connected components (1: connected tuples)
        are rows of the network; None: all.
    patience, warm_up : int, optional
        Epochs without a better validation before the rate is halved; epochs over which the rate rises.
    min_learning_rate, weight_decay, max_gradient_norm : float, optional
        Of the schedule cosine; of Adam; longer gradients are scaled down to this length.
    value_mebibytes : int, optional
        CUDA: if the values of a batch take more, cheap ones are computed again.

    Attributes
    ----------
    classes_ : ndarray
        Of a network that learned classes; of tasks a list.
    is_classifier_ : bool
        Whether it learned classes or tasks.
    history_ : list of dict
        A row for each epoch: epoch, train_loss, val_error, test_error, learning_rate, seconds, val_loss, val_score and test_score.
    best_epoch_, best_ : int, dict
        The selected epoch, and its row.
    runs_ : list of list of dict
        The histories of all runs.
    means_ : dict
        Of several runs, means and deviations of their errors.
    n_parameters_, n_types_, n_outputs_ : int
        Numbers of the network.
    reading_ : str
        How SMILES and files are read for this network, as options of the program.

    Examples
    --------
    >>> import leman
    >>> data = leman.generate("molecules", graphs=60, vertices=12)
    >>> network = leman.nn.GraphNetwork("GIN-eps", layers=2, width=8, epochs=3, random_state=1).fit(data)
    >>> len(network.history_), network.predict(data[:4]).shape
    (3, (4,))
    """

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
        """Trains.

        An exception of `callback`, such as optuna.TrialPruned, and Ctrl-C end the fit with all its runs. If `callback` returns False, the run ends, and
        the next one begins if there are several. In all three cases the network of the best epoch so far is kept; the exception (KeyboardInterrupt) is
        raised after that.

        Parameters
        ----------
        X : graphs of any kind
        y : sequence, optional
            Classes, reals or tasks; None: those of the data set.
        validation, test : sequence of int or mask, optional
            The graphs that select the epoch and that test it; all others train.
        callback : function, optional
            Called after every epoch with its row of history_.

        Returns
        -------
        self
        """
        return self._train(as_dataset(X), y, validation, test, callback)

    def initialize(self, X: Any, y: Any = None, *, outputs: int | None = None) -> GraphNetwork:
        """The network with the weights with which fit() would begin: it is not trained. Training goes on in PyTorch:
        leman.nn.torch.Network.from_network().

        Parameters
        ----------
        X : graphs of any kind
            They have the labels and types that the network reads.
        y : sequence, optional
            The classes or targets that the network will predict.
        outputs : int, optional
            Without y, and if X has none either, the number of outputs for targets; None: 1.

        Returns
        -------
        self
        """
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
        network, run = ctypes.c_void_p(), Run(callback)
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

    def _finish(self, run: Run, data: Dataset, parts: Handle) -> None:
        histories = run.histories()
        best = histories[run.best]
        self.history_: list[dict[str, Any]] = rows_of(best)
        self.best_epoch_: int = int(best.epoch[best.best].epoch) if best.best < best.epochs else 0
        self.best_: dict[str, Any] | None = self.history_[best.best] if best.best < best.epochs else None
        self.runs_: list[list[dict[str, Any]]] = [rows_of(history) for history in histories]
        self.__dict__.pop("means_", None)
        if run.runs is not None:
            found = run.runs.contents
            self.means_: dict[str, float] = {name: float(getattr(found, name)) for name, *_ in found._fields_ if name.endswith(("_mean", "_std"))}
        self._trained = run, data, parts
        self._attributes: tuple[bool, bool] | None = attributes_of(data)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the page of `leman train --report`: training curves, predicted against true values. After fit(), not after load().

        Parameters
        ----------
        path : path
        """
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
        self.n_parameters_: int = int(shape.parameters)
        self.n_types_: int = int(shape.types)
        self._reading = int(shape.reading)
        self.reading_: str = reading_text(self._reading)  # how SMILES and files are read for this network
        self.n_outputs_: int = int(shape.outputs)
        self.is_classifier_: bool = bool(shape.class_label or shape.task_label)
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
        """Classes, or targets in the units of the data.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray
            [graphs], or [graphs, targets] or [graphs, tasks] for several. With level="vertex" or "edge" the rows are the vertices of all graphs, or their
            arcs in the order of edge_index; the row of a self-loop is NaN.
        """
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
        """The probabilities of classes.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray, [graphs, classes]
            Of tasks [graphs, tasks], the probability of the larger class of each.
        """
        check_is_fitted(self, "_network")
        return self._outputs(X)

    @available_if(_predicts_classes)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Array:
        """Log odds, or logarithms of probabilities.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray
            Two classes: [graphs], the log odds of the second; tasks: [graphs, tasks]; more classes: [graphs, classes], the logarithms of the
            probabilities.
        """
        known = np.log(np.maximum(self.predict_proba(X), 1e-300))
        if self._multilabel:
            return np.asarray(known - np.log(np.maximum(1 - np.exp(known), 1e-300)))
        return np.asarray(known[:, 1] - known[:, 0] if known.shape[1] == 2 else known)

    @overload
    def explain(self, graph: list[str], of: Any = None, atom_numbers: bool = False) -> list[VertexExplanation]: ...

    @overload
    def explain(self, graph: Any, of: Any = None, atom_numbers: bool = False) -> VertexExplanation: ...

    def explain(self, graph: Any, of: Any = None, atom_numbers: bool = False) -> Any:
        """Which vertices and edges decide: by how much the log odds or the value falls without each of them.

        Parameters
        ----------
        graph : graph of any kind, or list of molecules
        of : object, optional
            The class, the number of the task or the number of the target; None: the predicted class, or number 0.
        atom_numbers : bool
            Draw the numbers of the vertices, from 0.

        Returns
        -------
        VertexExplanation or list of VertexExplanation
            A list for a list of molecules.
        """
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
        """The graphs as the network reads them, side by side in one batch (docs/networks.md).

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        dict of ndarray
            Arrays by their names. What the network has no number for is -1.
        """
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
        """Accuracy of classes; of tasks, the share of the labels that are known and predicted correctly; R^2 of reals.

        Parameters
        ----------
        X : graphs of any kind
        y : sequence, optional
            None: what the graphs have.

        Returns
        -------
        float
        """
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


class GraphNetworkClassifier(ClassifierMixin, GraphNetwork):  # type: ignore[misc]
    """A GraphNetwork that learns classes, whatever kind of numbers or texts they are, or several tasks; parameters and attributes as there.
    scikit-learn takes it as a classifier: folds are stratified, and scoring="roc_auc" works.

    Examples
    --------
    >>> import leman
    >>> data = leman.generate("molecules", graphs=60, vertices=12)
    >>> network = leman.nn.GraphNetworkClassifier("GIN-eps", layers=2, width=8, epochs=3, random_state=1).fit(data)
    >>> network.predict_proba(data[:4]).shape
    (4, 2)
    """

    _wanted = "classes"
    score = GraphNetwork.score


class GraphNetworkRegressor(RegressorMixin, GraphNetwork):  # type: ignore[misc]
    """A GraphNetwork that learns reals, also where y has integers; parameters and attributes as there. scikit-learn takes it as a regressor.

    Examples
    --------
    >>> import leman
    >>> smiles = ["C" * n + "O" for n in range(1, 21)]
    >>> network = leman.nn.GraphNetworkRegressor("GIN-eps", layers=2, width=8, epochs=3, random_state=1).fit(smiles, [len(text) for text in smiles])
    >>> network.predict(["CCO"]).shape
    (1,)
    """

    _wanted = "reals"
    score = GraphNetwork.score
