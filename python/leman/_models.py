"""GraphSVC and GraphSVR: the program's `fit` and `predict` as estimators.

fit() selects rounds and C by cross-validation, trains a support vector machine on all graphs and calibrates probabilities; the
model keeps no training graphs. Files are those of the program: `leman predict --model FILE` reads what save() writes.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset, reading_text
from ._errors import ArgumentError, InputError
from ._explain import VertexExplanation, explained, one_graph, several
from ._gaussian import GraphGPR, load_gp
from ._kernels import components_of, hashes_of, kernels_of, rounds_of, warn_of_attributes
from ._learned import Supervision, own_classes, with_learned
from ._rows import rows_of
from ._library import Handle, Session, file_content, handle_of, lib, options, seed_of, sized_text
from ._unread import attributes_of, warn_of_new

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
        self._attributes: tuple[bool, bool] | None = attributes_of(data)

    def _adopt(self, pointer: Any) -> None:
        self._model = Handle(pointer, lib.leman_model_free)
        shape = lib.leman_model_describe(pointer).contents
        self.rounds_ = int(shape.rounds)
        self.C_ = float(shape.C)
        self.score_ = float(shape.score)  # of the cross-validation
        self.n_features_ = int(shape.features)
        self._reading = int(shape.reading)
        self.reading_ = reading_text(self._reading)  # how SMILES and files are read for this model
        self._labels = np.array([int(shape.class_label[i]) for i in range(shape.classes)], dtype=np.int64)

    def _predict(self, X: Any, classes: int) -> dict[str, Array]:
        check_is_fitted(self, "_model")
        data = as_dataset(X, reading=self._reading)
        warn_of_new(data, getattr(self, "_attributes", None))
        found = {"label": np.zeros(len(data), np.int64), "score": np.zeros(len(data)),
                 "probability": np.zeros((len(data), classes)), "out_of_vocabulary": np.zeros(len(data)),
                 "similarity": np.zeros(len(data)), "domain": np.zeros(len(data))}
        real = ctypes.POINTER(ctypes.c_double)
        with Session(self.n_jobs, verbose=self.verbose) as session:
            session.call("leman_model_predict", self._model.pointer, data._handle.pointer,
                         found["label"].ctypes.data_as(ctypes.POINTER(ctypes.c_int64)) if classes else None,
                         found["score"].ctypes.data_as(real), found["probability"].ctypes.data_as(real) if classes else None,
                         found["out_of_vocabulary"].ctypes.data_as(real))
            session.call("leman_model_domain", self._model.pointer, data._handle.pointer,
                         found["similarity"].ctypes.data_as(real), found["domain"].ctypes.data_as(real))
        return found

    def predictions(self, X: Any, columns: Any = None) -> list[dict[str, Any]]:
        """A dictionary for each row of a file of molecules (a path), or for each of a list, of which some may be None or no
        SMILES: row, name, smiles, status ("ok", or why there is no prediction), class and probabilities or value,
        out_of_vocabulary, similarity and domain. columns: of the file, whose texts are added. pandas.DataFrame() makes a table of it."""
        check_is_fitted(self, "_model")
        directed = bool(lib.leman_model_describe(self._model.pointer).contents.directed)
        data, rows = rows_of(X, self._reading, directed, columns)
        classes: list[Any] = list(getattr(self, "classes_", []))
        found = self._predict(data, len(classes)) if data is not None else {}
        made = []
        for row in rows:
            place = row.pop("place")
            answer: dict[str, Any] = {}
            if place is not None and classes:
                answer["class"] = classes[int(self._places(found["label"][place]))]
                answer["score"] = float(found["score"][place])
                answer["probabilities"] = dict(zip(classes, found["probability"][place].tolist()))
            elif place is not None:
                answer["value"] = float(found["score"][place])
            if place is not None:
                for name in ("out_of_vocabulary", "similarity", "domain"):
                    answer[name] = float(found[name][place])
            made.append({**row, **answer})
        return made

    @overload
    def explain(self, graph: list[str], of: Any = None, how: str = "auto", atom_numbers: bool = False) -> list[VertexExplanation]: ...

    @overload
    def explain(self, graph: Any, of: Any = None, how: str = "auto", atom_numbers: bool = False) -> VertexExplanation: ...

    def explain(self, graph: Any, of: Any = None, how: str = "auto", atom_numbers: bool = False) -> Any:
        """Which vertices and edges decide for the class `of`, the predicted one where it is None. The graph may be anything a data
        set is made from: a molecule of RDKit gives weights in the order of its atoms, a SMILES in that of its text. A list of molecules
        gives a list.

        how="exact": the effect on the decision of one tuple more or less of each colour, shared among the vertices that the
        colour depends on, half as much with every edge; with the mean decision of the training graphs (`rest`) all vertices add up to the
        decision. For models on colours, not for assignment kernels, shortest paths and graphlets.
        how="occlusion": how much the decision falls when a vertex and its edges, or an edge, is left out; a prediction for each.
        "auto": exact where it can be had. atom_numbers: its picture has the numbers of the vertices, from 0."""
        check_is_fitted(self, "_model")
        if how not in _HOW:
            raise ArgumentError(f"how: found {v.shown(how)}, expected 'auto', 'exact' or 'occlusion'")
        if molecules := several(graph):
            return [self.explain(molecule, of, how, atom_numbers) for molecule in molecules]
        data = one_graph(graph, self._reading)
        classes, place = getattr(self, "classes_", None), 0
        if classes is not None:
            of = self.predict(data)[0] if of is None else of
            place = self._place_of(of)
        with Session(self.n_jobs, verbose=self.verbose) as session:
            return explained(session, data, of, atom_numbers, "leman_model_attribute", self._model.pointer, data._handle.pointer, 0, place,
                             _HOW[how], _SUPPORTS)

    def top_features(self, X: Any, count: int = 20, of: Any = None) -> list[dict[str, Any]]:
        """The features with the largest effects on the decision for the class `of`, the last one where it is None (of a regression, on
        the value), each as a substructure of one of these graphs: a dictionary with substructure (SMARTS of molecules), weight,
        effect (the deviation over these graphs of what the feature adds), round, color, graphs (that have it), example (a place in
        X), name (of this graph) and vertices (of its neighbourhood, the `components` of the feature first)."""
        check_is_fitted(self, "_model")
        data = as_dataset(X, reading=self._reading)
        place = self._place_of(of) if of is not None else max(len(getattr(self, "classes_", [])) - 1, 0)
        found = ctypes.POINTER(c.leman_substructures)()
        try:
            with Session(self.n_jobs, verbose=self.verbose) as session:
                session.call("leman_model_substructures", self._model.pointer, data._handle.pointer, place,
                             v.integer(count, "count", 1), ctypes.byref(found))
            return [{"substructure": (s.text or b"").decode(), "weight": float(s.weight), "effect": float(s.effect),
                     "round": int(s.feature.round), "color": f"{s.feature.key:016x}", "graphs": int(s.graphs),
                     "example": int(s.example), "name": data[int(s.example)].name, "components": int(s.components),
                     "vertices": list(s.vertex[: s.vertices])} for s in found.contents.item[: found.contents.count]]
        finally:
            lib.leman_substructures_free(found)

    def _place_of(self, of: Any) -> int:
        classes = getattr(self, "classes_", np.array([])).tolist()
        places = [i for i, known in enumerate(classes) if known == of]
        if not places:
            raise ArgumentError(f"of: found {v.shown(of)}, expected one of {', '.join(map(v.shown, classes))}")
        return places[0]

    def out_of_vocabulary(self, X: Any) -> Array:
        """The share of each graph, in 0 .. 1, that lies in features the model does not know."""
        return self._predict(X, 0)["out_of_vocabulary"]

    def domain(self, X: Any) -> tuple[Array, Array]:
        """How far each graph is inside the domain of the model, 0 .. 1, and its similarity to the nearest training graphs, nan where
        the model was fitted on features. Probabilities are moved by the domain from the shares of the classes."""
        found = self._predict(X, 0)
        return found["domain"], found["similarity"]

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

    y may be any labels, None or NaN for graphs without one, which take no part; without y the classes of the data set are learned.

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

    def predict(self, X: Any, return_domain: bool = False) -> Any:
        """[graphs]; with return_domain also how far each graph is inside the domain of the model, 0 .. 1, as domain() has it."""
        check_is_fitted(self, "_model")
        found = self._predict(X, len(self.classes_))
        label = np.asarray(self.classes_[self._places(found["label"])])
        return (label, found["domain"]) if return_domain else label

    def _places(self, labels: Array) -> Array:
        """Labels of the model as places in classes_; a model from a file has labels of its own."""
        return np.searchsorted(self._labels, labels)

    def predict_proba(self, X: Any, return_domain: bool = False) -> Any:
        """[graphs, classes], calibrated on graphs that were not trained on, and moved towards the shares of the classes outside the
        domain of the model, which return_domain adds."""
        check_is_fitted(self, "_model")
        found = self._predict(X, len(self.classes_))
        return (found["probability"], found["domain"]) if return_domain else found["probability"]

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

    def predict(self, X: Any, return_domain: bool = False) -> Any:
        """[graphs]; with return_domain also how far each graph is inside the domain of the model, 0 .. 1, as domain() has it."""
        found = self._predict(X, 0)
        return (found["score"], found["domain"]) if return_domain else found["score"]

    def predict_interval(self, X: Any, coverage: float = 0.9) -> tuple[Array, Array]:
        """The ends of intervals that have the targets of graphs like the fitted ones with this probability (normalised conformal
        prediction by the errors of the cross-validation); wider for graphs that are less similar to the fitted ones."""
        check_is_fitted(self, "_model")
        data = as_dataset(X, reading=self._reading)
        low, high = np.zeros(len(data)), np.zeros(len(data))
        real = ctypes.POINTER(ctypes.c_double)
        with Session(self.n_jobs, verbose=self.verbose) as session:
            session.call("leman_model_intervals", self._model.pointer, data._handle.pointer, float(coverage),
                         low.ctypes.data_as(real), high.ctypes.data_as(real))
        return low, high


def classes_of_file(shape: Any, count: int) -> Array:
    """The classes of a model or a network: their words, and the numbers of those that have none."""
    names = [(shape.class_name[i] or b"").decode("utf-8", "replace") for i in range(count)] if shape.class_name else [""] * count
    return v.class_array([name or int(shape.class_label[i]) for i, name in enumerate(names)])


def load_model(path: str | os.PathLike[str]) -> GraphSVC | GraphSVR | GraphGPR:
    """A model that `leman fit` or save() wrote. Classes are the numbers, or the words, that the file has."""
    gp = load_gp(path)
    if gp is not None:
        return gp
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

