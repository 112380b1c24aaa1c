"""GraphSVC and GraphSVR: the program's `fit` and `predict` as estimators.

fit() selects rounds and C by cross-validation, trains a support vector machine on all graphs and calibrates probabilities; the
model keeps no training graphs. Files are those of the program: `leman predict --model FILE` reads what save() writes.
"""
from __future__ import annotations

import ctypes
import os
import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _declarations as c
from . import _values as v
from ._answers import Answers
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InputError
from ._gaussian import GraphGPR, load_gp
from ._kernels import components_of, hashes_of, kernels_of, rounds_of, warn_of_attributes
from ._learned import Supervision, own_classes, task_values, with_learned
from ._policy import reading_text
from ._library import Handle, Session, file_content, lib, options, seed_of, sized_text
from ._unread import attributes_of

Array = npt.NDArray[Any]


def rounds_range(rounds: Any) -> tuple[int, int]:
    """3 is 3 alone; (0, 5), range(6) and "0-5" are all that validation selects from."""
    if isinstance(rounds, str) and rounds.count("-") == 1:
        low, high = rounds.split("-")
        if low.isdigit() and high.isdigit() and int(low) <= int(high):
            return int(low), int(high)
    elif isinstance(rounds, range) and len(rounds) and rounds.step == 1:
        return rounds[0], rounds[-1]
    elif isinstance(rounds, (tuple, list)) and len(rounds) == 2:
        low_, high_ = rounds_of(rounds[0]), rounds_of(rounds[1])
        if low_ <= high_:
            return low_, high_
    elif not isinstance(rounds, str):
        one = rounds_of(rounds)
        return one, one
    raise ArgumentError(f"rounds: found {rounds!r}, expected a number, a pair (first, last) or '0-5'")


def _handle_of(models: Any) -> Handle:
    """A handle of an array of models, each of which leman_model_free() frees."""
    def free(array: Any) -> None:
        for pointer in array:
            lib.leman_model_free(pointer)
    return Handle(models, free)


def _read_models(path: Any) -> tuple[Handle, list[Any], bool]:
    """The models of a file, their pointers, and whether they are those of several tasks."""
    kind, count = ctypes.c_int(), ctypes.c_size_t()
    one, several = (ctypes.c_void_p * 1)(), ctypes.POINTER(ctypes.c_void_p)()
    with Session(1) as session:
        session.call("leman_file_kind_detect", v.path(path), ctypes.byref(kind))
        if kind.value != c.LEMAN_FILE_KIND_TASK_MODELS:
            session.call("leman_model_read", v.path(path), one)
            return _handle_of(one), list(one), False
        session.call("leman_models_read", v.path(path), ctypes.byref(several), ctypes.byref(count))
    return Handle(several, lambda array: lib.leman_models_free(array, count.value)), several[: count.value], True


class _GraphSVM(Answers):
    method: str
    rounds: Any
    C: Any
    folds: int
    svm: str
    scoring: Any
    random_state: Any
    n_jobs: int | None
    verbose: Any
    components: int | None
    binnings: int
    bin_width: float
    hash_seed: int

    def _fit(self, data: Dataset, target: int, weights: Any = None, balanced: bool = False, sample_weight: Any = None,
             censoring: Any = None, tasks: int = 0, regression: bool = False) -> None:
        """target: its column, or LEMAN_NO_TARGET. tasks: how many columns are learned, each by a model of its own, of its classes or, in a
        regression, of its values; 0: one model."""
        chosen = options("leman_fit_options")
        chosen.min_rounds, chosen.max_rounds = rounds_range(self.rounds)
        chosen.target, chosen.regression = c.LEMAN_NO_TARGET if tasks else target, regression
        grid = v.costs(self.C)
        if grid is not None:
            chosen.C, chosen.C_count = grid.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(grid)
        if weights is not None:
            chosen.class_weight, chosen.class_weights = weights.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(weights)
        chosen.balanced_weights = balanced
        own = v.sample_weights(sample_weight, len(data))
        bounds = v.bounds(censoring, len(data), max(tasks, 1))
        chosen.weight = v.pointer(own, ctypes.c_double)
        chosen.censoring = v.pointer(bounds, ctypes.c_int8)
        chosen.folds = min(v.integer(self.folds, "folds", 2), max(2, len(data)))
        out = (ctypes.c_void_p * max(tasks, 1))()
        handle = _handle_of(out)
        with Session(self.n_jobs, seed=seed_of(self.random_state), verbose=self.verbose) as session:
            chosen.svm = v.choice(session, "leman_svm_parse", self.svm, "svm")
            if self.scoring is not None:
                chosen.score = v.choice(session, "leman_score_parse", self.scoring, "scoring")
            kernels = kernels_of(session, self.method, 0, components=components_of(self.components),
                                 **hashes_of(self.binnings, self.bin_width, self.hash_seed))
            warn_of_attributes(data, kernels)
            if tasks:
                session.call("leman_model_fit_tasks", data._handle.pointer, kernels, len(kernels), ctypes.byref(chosen),
                             (ctypes.c_size_t * tasks)(*range(tasks)), tasks, out)
            else:
                session.call("leman_model_fit", data._handle.pointer, kernels, len(kernels), ctypes.byref(chosen), out)
        self._adopt(handle, list(out), tasks > 0)
        self._attributes: tuple[bool, bool] | None = attributes_of(data)

    def _adopt(self, handle: Handle, pointers: list[Any], several: bool) -> None:
        self._model, self._pointers = handle, [ctypes.c_void_p(pointer) for pointer in pointers]
        shapes = self._shapes()
        self.tasks_: list[str] | None = [(shape.target_name or b"").decode("utf-8", "replace") for shape in shapes] if several else None
        self.rounds_: Any = self._each([int(shape.rounds) for shape in shapes])
        self.C_ = self._each([float(shape.C) for shape in shapes])
        self.score_: Any = self._each([float(shape.score) for shape in shapes])  # of the cross-validation
        self.n_features_: Any = self._each([int(shape.features) for shape in shapes])
        self._reading = int(shapes[0].reading)
        self.reading_: str = reading_text(self._reading)  # how SMILES and files are read for this model
        self._labels = self._each([np.array([int(shape.class_label[i]) for i in range(shape.classes)], dtype=np.int64)
                                   for shape in shapes])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file of the program, which `leman predict --model` and load_model() read.

        Parameters
        ----------
        path : path
        """
        check_is_fitted(self, "_model")
        with Session(1) as session:
            if self.tasks_ is None:
                session.call("leman_model_write", self._pointers[0], v.path(path))
            else:
                session.call("leman_models_write", (ctypes.c_void_p * len(self._pointers))(*self._pointers), len(self._pointers),
                             v.path(path))

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = file_content(self.save)
            del state["_pointers"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("_model"), bytes):
            with tempfile.TemporaryDirectory(prefix="leman-") as folder:
                path = os.path.join(folder, "model")
                with open(path, "wb") as file:
                    file.write(state["_model"])
                handle, pointers, _ = _read_models(path)
            pointers = [ctypes.c_void_p(pointer) for pointer in pointers]
            state = {"tasks_": None, **state, "_model": handle, "_pointers": pointers}
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["graphs"], "no_validation": True}


class GraphSVC(ClassifierMixin, _GraphSVM):  # type: ignore[misc]
    """Classifies graphs by a support vector machine on Weisfeiler-Leman features.

    y may be any labels, None or NaN for graphs without one, which take no part; without y the classes of the data set are learned.
    Several columns of 0 and 1, or -1 and 1, with NaN for missing values, are tasks: fit() trains a model for each, and predictions are
    [graphs, tasks]; tasks_ has their names, classes_ and the other fitted attributes a list with one element for each.

    Parameters
    ----------
    method : str
        The kernel, as in WLKernel.
    rounds : int, pair or sequence of int
        A number is that one; (0, 5) selects by cross-validation.
    C : float or sequence of float, optional
        Values to select from; None: 10^-3 .. 10^3.
    folds : int
        Of the cross-validation that selects.
    svm : str
        "auto", "linear" or "kernel".
    scoring : str, optional
        "accuracy", "balanced" or "auc".
    class_weight : "balanced" or dict, optional
    random_state : int, optional
        Draws the folds; None: others in every fit.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    binnings : int
        How many random binnings of the vertex attributes, standardised over the fitted graphs, are added up; 0: none. Each is one more
        label, the interval of the length `bin_width` of a random projection.
    bin_width : float
        See `binnings`.
    hash_seed : int
        Of the binnings.

    Attributes
    ----------
    rounds_, C_ : int, float
        What the cross-validation selected; of several tasks a list, as all below.
    score_ : float
        Of the cross-validation.
    n_features_ : int
        How many features the model has a weight for.
    classes_ : ndarray
        The classes, in the order of the columns of predict_proba().
    tasks_ : list of str or None
        The names of several tasks.
    reading_ : str
        How SMILES and files are read for this model, as options of the program.

    Examples
    --------
    >>> import leman
    >>> alcohols, amines = ["C" * n + "O" for n in range(1, 9)], ["C" * n + "N" for n in range(1, 9)]
    >>> model = leman.GraphSVC("1-WL", rounds=1, C=1.0, folds=4, random_state=1).fit(alcohols + amines, ["alcohol"] * 8 + ["amine"] * 8)
    >>> model.predict(["CCCCCCCCCCO", "CC(C)N"]).tolist()
    ['alcohol', 'amine']
    """

    def __init__(self, method: str = "delta-2-LWL", rounds: Any = (0, 5), C: Any = None, folds: int = 10, svm: str = "auto",
                 scoring: str | None = None, class_weight: Any = None, random_state: Any = None,
                 n_jobs: int | None = None, verbose: bool = False, components: int | None = None, binnings: int = 0,
                 bin_width: float = 1.0, hash_seed: int = 0) -> None:
        self.method = method
        self.rounds = rounds
        self.C = C
        self.folds = folds
        self.svm = svm
        self.scoring = scoring
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.components = components
        self.binnings = binnings
        self.bin_width = bin_width
        self.hash_seed = hash_seed

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> GraphSVC:
        """Selects rounds and C by cross-validation and trains on all graphs.

        Parameters
        ----------
        X : graphs of any kind
        y : sequence, optional
            The classes; None: those of the data set.
        sample_weight : sequence of float, optional
            A number above 0 for each graph, a factor on C; scores of the cross-validation and probabilities are weighted too. That of a graph
            without a class may be NaN.

        Returns
        -------
        self
        """
        data = as_dataset(X)
        own = y is None and data.classes is None  # targets, which have names
        y = data.targets if own else y
        if y is not None:
            learned = Supervision(y, None, len(data), "classes", several=True)
            data = data if own and learned.tasks else with_learned(data, learned)
            if learned.tasks:
                return self._fit_tasks(data, sample_weight)
            classes = learned.known_classes()
        elif data.classes is not None:
            classes = own_classes(data)
        else:
            raise InputError("y: found none, and the data set has no classes")
        weights, balanced = v.weights_of(self.class_weight, classes.tolist())
        self._fit(data, c.LEMAN_NO_TARGET, weights, balanced, sample_weight)
        self.classes_: Any = classes  # with the model that knows them: a fit that fails leaves both as they were
        return self

    def _fit_tasks(self, data: Dataset, sample_weight: Any) -> GraphSVC:
        assert data.targets is not None
        weights, balanced = v.weights_of(self.class_weight, task_values(data.targets))
        self._fit(data, c.LEMAN_NO_TARGET, weights, balanced, sample_weight, tasks=data.targets.shape[1])
        self.classes_ = list(self._labels)
        return self

    def predict(self, X: Any, return_domain: bool = False) -> Any:
        """The class of each graph.

        Parameters
        ----------
        X : graphs of any kind
        return_domain : bool
            Return also how far each graph is inside the domain of the model, 0 .. 1, as domain() has it.

        Returns
        -------
        ndarray, [graphs], of several tasks [graphs, tasks]
            With `return_domain` a pair of arrays.
        """
        check_is_fitted(self, "_model")
        found = self._predict(X, True)
        if self.tasks_ is None:
            label = np.asarray(self.classes_[self._places(found["label"])])
        else:
            label = np.stack([known[self._places(found["label"][t], t)] for t, known in enumerate(self.classes_)], axis=1)
        return (label, found["domain"]) if return_domain else label

    def _places(self, labels: Array, task: int = 0) -> Array:
        """Labels of the model as places in classes_; a model from a file has labels of its own."""
        return np.searchsorted(self._labels[task] if self.tasks_ is not None else self._labels, labels)

    def predict_proba(self, X: Any, return_domain: bool = False) -> Any:
        """Probabilities, calibrated on graphs that were not trained on, and moved towards the shares of the classes outside the domain of the model.

        Parameters
        ----------
        X : graphs of any kind
        return_domain : bool
            Return also how far each graph is inside the domain of the model, 0 .. 1, as domain() has it.

        Returns
        -------
        ndarray, [graphs, classes], or [graphs, tasks]
            Of tasks the probability of the larger class of each. With `return_domain` a pair of arrays.
        """
        check_is_fitted(self, "_model")
        found = self._predict(X, True)
        made = found["probability"] if self.tasks_ is None else np.ascontiguousarray(found["probability"][:, :, 1].T)
        return (made, found["domain"]) if return_domain else made

    def decision_function(self, X: Any) -> Array:
        """The decisions before they become probabilities.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray
            Two classes: [graphs], positive for the second; tasks: [graphs, tasks]; more classes: [graphs, classes], the logarithms of the
            probabilities.
        """
        check_is_fitted(self, "_model")
        found = self._predict(X, True)
        if self.tasks_ is not None:
            second = np.stack([self._places(found["label"][t], t) for t in range(len(self.tasks_))])
            return np.ascontiguousarray(np.where(second == 1, found["score"], -found["score"]).T)
        if len(self.classes_) == 2:
            return np.where(self._places(found["label"]) == 1, found["score"], -found["score"])
        return np.asarray(np.log(np.maximum(found["probability"], 1e-300)))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy; of several tasks the share of the known labels that are predicted correctly.

        Parameters
        ----------
        X : graphs of any kind
        y : sequence
            The true classes.
        sample_weight : sequence of float, optional

        Returns
        -------
        float
        """
        check_is_fitted(self, "_model")
        if self.tasks_ is None:
            return float(super().score(X, y, sample_weight))
        found = self.predict(X)
        labels = v.reals(y, "y", len(found), masked=True)
        if labels.shape != found.shape:
            raise InputError(f"y: found an array of shape {labels.shape}, expected {found.shape}")
        weights = v.sample_weights(sample_weight, len(found))
        known = ~np.isnan(labels) * (1.0 if weights is None else weights[:, np.newaxis])
        return float(np.sum(known * (found == labels)) / np.sum(known))


class GraphSVR(RegressorMixin, _GraphSVM):  # type: ignore[misc]
    """Predicts reals of graphs by support vector regression on Weisfeiler-Leman features.

    Graphs whose y is None or NaN take no part. Several columns of y are tasks: fit() trains a model for each, and predictions are
    [graphs, tasks]; tasks_ has their names, and the other fitted attributes are lists with one element for each.

    Parameters
    ----------
    method : str
        The kernel, as in WLKernel.
    rounds : int, pair or sequence of int
        A number is that one; (0, 5) selects by cross-validation.
    C : float or sequence of float, optional
        Values to select from; None: 10^-3 .. 10^3.
    folds : int
        Of the cross-validation that selects.
    svm : str
        "auto", "linear" or "kernel".
    scoring : str, optional
        "mae", "rmse" or "r2".
    random_state : int, optional
        Draws the folds; None: others in every fit.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    binnings : int
        How many random binnings of the vertex attributes, standardised over the fitted graphs, are added up; 0: none. Each is one more
        label, the interval of the length `bin_width` of a random projection.
    bin_width : float
        See `binnings`.
    hash_seed : int
        Of the binnings.

    Attributes
    ----------
    rounds_, C_ : int, float
        What the cross-validation selected; of several tasks a list, as all below.
    score_ : float
        Of the cross-validation.
    n_features_ : int
        How many features the model has a weight for.
    tasks_ : list of str or None
        The names of several tasks.
    reading_ : str
        How SMILES and files are read for this model, as options of the program.

    Examples
    --------
    >>> import leman
    >>> smiles = ["C" * n + "O" for n in range(1, 17)]
    >>> model = leman.GraphSVR("delta-2-LWL", rounds=1, C=1000.0, folds=4, random_state=1).fit(smiles, [float(len(text)) for text in smiles])
    >>> bool(abs(model.predict(["CCCCCCCO"])[0] - 8) < 1)
    True
    >>> low, high = model.predict_interval(["CCCCCCCO"], coverage=0.8)
    >>> bool(low[0] < high[0])
    True
    """

    def __init__(self, method: str = "delta-2-LWL", rounds: Any = (0, 5), C: Any = None, folds: int = 10, svm: str = "auto",
                 scoring: str | None = None, random_state: Any = None, n_jobs: int | None = None,
                 verbose: bool = False, components: int | None = None, binnings: int = 0, bin_width: float = 1.0,
                 hash_seed: int = 0) -> None:
        self.method = method
        self.rounds = rounds
        self.C = C
        self.folds = folds
        self.svm = svm
        self.scoring = scoring
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.components = components
        self.binnings = binnings
        self.bin_width = bin_width
        self.hash_seed = hash_seed

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, censoring: Any = None) -> GraphSVR:
        """Selects rounds and C by cross-validation and trains on all graphs.

        Parameters
        ----------
        X : graphs of any kind
        y : sequence, optional
            The values; None: the targets of the data set.
        sample_weight : sequence of float, optional
            As in GraphSVC.
        censoring : sequence of int, optional
            For each graph 0 if y is the value, 1 if y is a lower bound of the value (">10"), -1 if y is an upper bound: only predictions beyond a
            bound are errors, also in the scores of the cross-validation. Of several tasks [graphs, tasks].

        Returns
        -------
        self
        """
        data = as_dataset(X)
        if y is None and data.targets is None:
            raise InputError("y: found none, and the data set has no targets")
        if y is not None:
            data = with_learned(data, Supervision(y, None, len(data), "reals", several=True))
        assert data.targets is not None
        columns = data.targets.shape[1]
        self._fit(data, 0, sample_weight=sample_weight, censoring=censoring, tasks=columns if columns > 1 else 0, regression=columns > 1)
        return self

    def predict(self, X: Any, return_domain: bool = False) -> Any:
        """The value of each graph.

        Parameters
        ----------
        X : graphs of any kind
        return_domain : bool
            Return also how far each graph is inside the domain of the model, 0 .. 1, as domain() has it.

        Returns
        -------
        ndarray, [graphs], of several tasks [graphs, tasks]
            With `return_domain` a pair of arrays.
        """
        found = self._predict(X, False)
        values = np.ascontiguousarray(found["score"].T)
        return (values, found["domain"]) if return_domain else values

    def predict_interval(self, X: Any, coverage: float = 0.9) -> tuple[Array, Array]:
        """Intervals that have the targets of graphs like the fitted ones with a given probability (normalised conformal prediction by the errors of
        the cross-validation); wider for graphs that are less similar to the fitted ones.

        Parameters
        ----------
        X : graphs of any kind
        coverage : float
            The probability, between 0 and 1.

        Returns
        -------
        low, high : ndarray, [graphs], of several tasks [graphs, tasks]
        """
        check_is_fitted(self, "_model")
        data = as_dataset(X, reading=self._reading)
        ends = np.zeros((2, len(self._pointers), len(data)))
        with Session(self.n_jobs, verbose=self.verbose) as session:
            for t, pointer in enumerate(self._pointers):
                session.call("leman_model_intervals", pointer, data._handle.pointer, float(coverage),
                             v.pointer(ends[0, t], ctypes.c_double), v.pointer(ends[1, t], ctypes.c_double))
        low, high = (ends[0, 0], ends[1, 0]) if self.tasks_ is None else (ends[0].T.copy(), ends[1].T.copy())
        return low, high


def classes_of_file(shape: Any, count: int) -> Array:
    """The classes of a model or a network: their words, and the numbers of those that have none."""
    names = [(shape.class_name[i] or b"").decode("utf-8", "replace") for i in range(count)] if shape.class_name else [""] * count
    return v.class_array([name or int(shape.class_label[i]) for i, name in enumerate(names)])


def load_model(path: str | os.PathLike[str]) -> GraphSVC | GraphSVR | GraphGPR:
    """A model, or the models of several tasks, that `leman fit` or save() wrote. Classes are the numbers, or the words, that the file has.

    Parameters
    ----------
    path : path

    Returns
    -------
    GraphSVC, GraphSVR or GraphGPR

    Examples
    --------
    >>> import leman, os, tempfile
    >>> model = leman.GraphSVC("1-WL", rounds=1, C=1.0, folds=2).fit(["CO", "CCO", "CN", "CCN"], ["O", "O", "N", "N"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.lm")
    ...     model.save(path)
    ...     print(leman.load_model(path).predict(["CCCN"])[0])
    N
    """
    gp = load_gp(path)
    if gp is not None:
        return gp
    handle, pointers, several_tasks = _read_models(path)
    shapes = [lib.leman_model_describe(pointer).contents for pointer in pointers]
    shape = shapes[0]
    with Session(1):
        kernels = (c.leman_kernel * shape.kernels)(*[shape.kernel[i].contents for i in range(shape.kernels)])
        method = sized_text(lib.leman_kernels_paper_name, kernels, len(kernels))
    hashes = {"binnings": kernels[0].binnings, "bin_width": kernels[0].bin_width, "hash_seed": kernels[0].hash_seed} if len(kernels) else {}
    made: GraphSVC | GraphSVR = GraphSVR(method, **hashes) if shape.regression else GraphSVC(method, **hashes)
    if isinstance(made, GraphSVC):
        known = [classes_of_file(one, one.classes) for one in shapes]
        made.classes_ = known if several_tasks else known[0]
    made._adopt(handle, pointers, several_tasks)
    return made

