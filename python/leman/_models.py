"""GraphSVC and GraphSVR: the program's `fit` and `predict` as estimators.

fit() selects rounds and C by cross-validation, trains a support vector machine on all graphs and calibrates probabilities; the
model keeps no training graphs. Files are those of the program: `leman predict --model FILE` reads what save() writes.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InputError
from ._explain import VertexExplanation, explained, one_graph
from ._kernels import components_of, hashes_of, kernels_of, rounds_of, warn_of_attributes
from ._learned import Supervision, own_classes, with_learned
from ._library import Handle, Session, file_content, handle_of, lib, options, seed_of, sized_text

Array = npt.NDArray[Any]
_HOW = {"auto": c.LEMAN_ATTRIBUTION_METHOD_AUTO, "exact": c.LEMAN_ATTRIBUTION_METHOD_WEIGHTS,
        "occlusion": c.LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT}
_SUPPORTS = 5  # support graphs that an explanation names


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


class _GraphSVM(BaseEstimator):  # type: ignore[misc]
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

    def _fit(self, data: Dataset, target: int, weights: Any, balanced: bool) -> None:
        chosen = options("leman_fit_options")
        chosen.min_rounds, chosen.max_rounds = rounds_range(self.rounds)
        chosen.target = target
        grid = v.costs(self.C)
        if grid is not None:
            chosen.C, chosen.C_count = grid.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(grid)
        if weights is not None:
            chosen.class_weight, chosen.class_weights = weights.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(weights)
        chosen.balanced_weights = balanced
        chosen.folds = min(v.integer(self.folds, "folds", 2), max(2, len(data)))
        out = ctypes.c_void_p()
        with Session(self.n_jobs, seed=seed_of(self.random_state), verbose=self.verbose) as session:
            chosen.svm = v.choice(session, "leman_svm_parse", self.svm, "svm")
            if self.scoring is not None:
                chosen.score = v.choice(session, "leman_score_parse", self.scoring, "scoring")
            kernels = kernels_of(session, self.method, 0, components=components_of(self.components),
                                 **hashes_of(self.binnings, self.bin_width, self.hash_seed))
            warn_of_attributes(data, kernels)
            session.call("leman_model_fit", data._handle.pointer, kernels, len(kernels), ctypes.byref(chosen),
                         ctypes.byref(out))
        self._adopt(out)

    def _adopt(self, pointer: Any) -> None:
        self._model = Handle(pointer, lib.leman_model_free)
        shape = lib.leman_model_describe(pointer).contents
        self.rounds_ = int(shape.rounds)
        self.C_ = float(shape.C)
        self.score_ = float(shape.score)  # of the cross-validation
        self.n_features_ = int(shape.features)
        self._labels = np.array([int(shape.class_label[i]) for i in range(shape.classes)], dtype=np.int64)

    def _predict(self, X: Any, classes: int) -> dict[str, Array]:
        check_is_fitted(self, "_model")
        data = as_dataset(X)
        found = {"label": np.zeros(len(data), np.int64), "score": np.zeros(len(data)),
                 "probability": np.zeros((len(data), classes)), "out_of_vocabulary": np.zeros(len(data))}
        real = ctypes.POINTER(ctypes.c_double)
        with Session(self.n_jobs, verbose=self.verbose) as session:
            session.call("leman_model_predict", self._model.pointer, data._handle.pointer,
                         found["label"].ctypes.data_as(ctypes.POINTER(ctypes.c_int64)) if classes else None,
                         found["score"].ctypes.data_as(real), found["probability"].ctypes.data_as(real) if classes else None,
                         found["out_of_vocabulary"].ctypes.data_as(real))
        return found

    def explain(self, graph: Any, of: Any = None, how: str = "auto") -> VertexExplanation:
        """Which vertices and edges decide for the class `of`, the predicted one where it is None. The graph may be anything a data
        set is made from: a molecule of RDKit gives weights in the order of its atoms, a SMILES in that of its text.

        how="exact": the weights of the colours of all tuples, each shared equally among the vertices of the tuple; with the bias
        they add up to the decision. For models on colours, not for assignment kernels, shortest paths and graphlets.
        how="occlusion": how much the decision falls when a vertex and its edges, or an edge, is left out; a prediction for each.
        "auto": exact where it can be had."""
        check_is_fitted(self, "_model")
        if how not in _HOW:
            raise ArgumentError(f"how: found {v.shown(how)}, expected 'auto', 'exact' or 'occlusion'")
        data = one_graph(graph)
        classes, place = getattr(self, "classes_", None), 0
        if classes is not None:
            of = self.predict(data)[0] if of is None else of
            places = [i for i, known in enumerate(classes.tolist()) if known == of]
            if not places:
                raise ArgumentError(f"of: found {v.shown(of)}, expected one of {', '.join(map(v.shown, classes.tolist()))}")
            place = places[0]
        with Session(self.n_jobs, verbose=self.verbose) as session:
            return explained(session, data, of, "leman_model_attribute", self._model.pointer, data._handle.pointer, 0, place,
                             _HOW[how], _SUPPORTS)

    def out_of_vocabulary(self, X: Any) -> Array:
        """The share of each graph, in 0 .. 1, that lies in features the model does not know."""
        return self._predict(X, 0)["out_of_vocabulary"]

    def save(self, path: str | os.PathLike[str]) -> None:
        """The file of the program."""
        check_is_fitted(self, "_model")
        with Session(1) as session:
            session.call("leman_model_write", self._model.pointer, v.path(path))

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "_model" in state:
            state["_model"] = file_content(self.save)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        if isinstance(state.get("_model"), bytes):
            state = {**state, "_model": handle_of(state["_model"], "leman_model_read", lib.leman_model_free)}
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

    method, components, binnings, bin_width, hash_seed: as WLKernel; new graphs are standardised as the fitted ones. rounds: (0, 5)
    selects by cross-validation, a number is that one. C: values to select from; None: 10^-3 .. 10^3. svm: "auto", "linear" or
    "kernel". scoring: "accuracy", "balanced" or "auc". class_weight: "balanced" or a dictionary. y may be any labels, None or NaN
    for graphs without one, which take no part; without y the classes of the data set are learned.
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

    def fit(self, X: Any, y: Any = None) -> GraphSVC:
        data = as_dataset(X)
        if y is not None:
            learned = Supervision(y, None, len(data), "classes")
            classes, data = learned.known_classes(), with_learned(data, learned)
        elif data.classes is not None:
            classes = own_classes(data)
        else:
            raise InputError("y: found none, and the data set has no classes")
        weights, balanced = v.weights_of(self.class_weight, classes.tolist())
        self._fit(data, c.LEMAN_NO_TARGET, weights, balanced)
        self.classes_ = classes  # with the model that knows them: a fit that fails leaves both as they were
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self, "_model")
        return np.asarray(self.classes_[self._places(self._predict(X, len(self.classes_))["label"])])

    def _places(self, labels: Array) -> Array:
        """Labels of the model as places in classes_; a model from a file has labels of its own."""
        return np.searchsorted(self._labels, labels)

    def predict_proba(self, X: Any) -> Array:
        """[graphs, classes], calibrated on graphs that were not trained on."""
        check_is_fitted(self, "_model")
        return self._predict(X, len(self.classes_))["probability"]

    def decision_function(self, X: Any) -> Array:
        """Two classes: [graphs], positive for the second. More: [graphs, classes], the logarithms of the probabilities."""
        check_is_fitted(self, "_model")
        found = self._predict(X, len(self.classes_))
        if len(self.classes_) == 2:
            return np.where(self._places(found["label"]) == 1, found["score"], -found["score"])
        return np.asarray(np.log(np.maximum(found["probability"], 1e-300)))


class GraphSVR(RegressorMixin, _GraphSVM):  # type: ignore[misc]
    """Predicts reals of graphs by support vector regression; otherwise as GraphSVC. scoring: "mae", "rmse" or "r2". Graphs whose y is
    None or NaN take no part."""

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

    def fit(self, X: Any, y: Any = None) -> GraphSVR:
        data = as_dataset(X)
        if y is None:
            targets = data.targets
            y = targets[:, 0] if targets is not None and targets.shape[1] == 1 else None
        if y is None:
            raise InputError("y: found none, and the data set has not exactly one column of targets")
        self._fit(with_learned(data, Supervision(y, None, len(data), "reals")), 0, None, False)
        return self

    def predict(self, X: Any) -> Array:
        return self._predict(X, 0)["score"]


def classes_of_file(shape: Any, count: int) -> Array:
    """The classes of a model or a network: their words, and the numbers of those that have none."""
    names = [(shape.class_name[i] or b"").decode("utf-8", "replace") for i in range(count)] if shape.class_name else [""] * count
    return v.class_array([name or int(shape.class_label[i]) for i, name in enumerate(names)])


def load_model(path: str | os.PathLike[str]) -> GraphSVC | GraphSVR:
    """A model that `leman fit` or save() wrote. Classes are the numbers, or the words, that the file has."""
    out = ctypes.c_void_p()
    with Session(1) as session:
        session.call("leman_model_read", v.path(path), ctypes.byref(out))
        shape = lib.leman_model_describe(out).contents
        kernels = (c.leman_kernel * shape.kernels)(*[shape.kernel[i].contents for i in range(shape.kernels)])
        method = sized_text(lib.leman_kernels_paper_name, kernels, len(kernels))
    hashes = {"binnings": kernels[0].binnings, "bin_width": kernels[0].bin_width, "hash_seed": kernels[0].hash_seed} if len(kernels) else {}
    made: GraphSVC | GraphSVR = GraphSVR(method, **hashes) if shape.regression else GraphSVC(method, **hashes)
    if isinstance(made, GraphSVC):
        made.classes_ = classes_of_file(shape, shape.classes)
    made._adopt(out)
    return made

