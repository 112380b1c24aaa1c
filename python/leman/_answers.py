"""What a fitted support vector machine says about graphs: predictions, explanations, features and domain."""
from __future__ import annotations

import ctypes
from typing import Any, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError
from ._explain import VertexExplanation, explained, one_graph, several
from ._library import Session, lib
from ._rows import rows_of
from ._unread import warn_of_new

Array = npt.NDArray[Any]
_HOW = {"auto": c.LEMAN_ATTRIBUTION_METHOD_AUTO, "exact": c.LEMAN_ATTRIBUTION_METHOD_WEIGHTS,
        "occlusion": c.LEMAN_ATTRIBUTION_METHOD_LEAVE_ONE_OUT}
_SUPPORTS = 5  # support graphs that an explanation names


class Answers(BaseEstimator):  # type: ignore[misc]
    """The part of GraphSVC and GraphSVR that needs a fitted model, or one for each task."""

    n_jobs: int | None
    verbose: Any
    tasks_: list[str] | None
    _pointers: list[Any]
    _labels: Any
    _reading: int

    def predict(self, X: Any, return_domain: bool = False) -> Any:
        raise NotImplementedError

    def _places(self, labels: Array, task: int = 0) -> Array:
        raise NotImplementedError

    def _shapes(self) -> list[Any]:
        return [lib.leman_model_describe(pointer).contents for pointer in self._pointers]

    def _each(self, values: list[Any]) -> Any:
        """One value for each task, or that of the only model."""
        return values if self.tasks_ is not None else values[0]

    def _pointer_of(self, task: Any) -> Any:
        """The model of a task, by its name or number."""
        return self._pointers[self._task_of(task)]

    def _task_of(self, task: Any) -> int:
        if self.tasks_ is None and task is None:
            return 0
        if self.tasks_ is None:
            raise ArgumentError(f"task: found {v.shown(task)}, expected None: the model has one task")
        if isinstance(task, str) and task in self.tasks_:
            return self.tasks_.index(task)
        if v.is_integer(task) and 0 <= task < len(self.tasks_):
            return int(task)
        raise ArgumentError(f"task: found {v.shown(task)}, expected a number below {len(self.tasks_)} or one of {', '.join(map(v.shown, self.tasks_[:8]))}")

    def _predict(self, X: Any, classes: bool) -> dict[str, Array]:
        """What the models say about the graphs: label, score and probability have an axis of tasks in front if there are several. Of
        several tasks the shares of unknown features are the largest, and similarities and domains the smallest."""
        check_is_fitted(self, "_model")
        data = as_dataset(X, reading=self._reading)
        warn_of_new(data, getattr(self, "_attributes", None))
        found = [self._predict_by(pointer, data, shape.classes if classes else 0)
                 for pointer, shape in zip(self._pointers, self._shapes())]
        if self.tasks_ is None:
            return found[0]
        join: dict[str, Any] = {"out_of_vocabulary": np.max, "similarity": np.min, "domain": np.min}
        stacked = {name: np.stack([one[name] for one in found]) for name in found[0]}
        return {name: join[name](values, axis=0) if name in join else values for name, values in stacked.items()}

    def _predict_by(self, pointer: Any, data: Dataset, classes: int) -> dict[str, Array]:
        found = {"label": np.zeros(len(data), np.int64), "score": np.zeros(len(data)),
                 "probability": np.zeros((len(data), classes)), "out_of_vocabulary": np.zeros(len(data)),
                 "similarity": np.zeros(len(data)), "domain": np.zeros(len(data))}
        real = ctypes.POINTER(ctypes.c_double)
        with Session(self.n_jobs, verbose=self.verbose) as session:
            session.call("leman_model_predict", pointer, data._handle.pointer,
                         found["label"].ctypes.data_as(ctypes.POINTER(ctypes.c_int64)) if classes else None,
                         found["score"].ctypes.data_as(real), found["probability"].ctypes.data_as(real) if classes else None,
                         found["out_of_vocabulary"].ctypes.data_as(real))
            session.call("leman_model_domain", pointer, data._handle.pointer,
                         found["similarity"].ctypes.data_as(real), found["domain"].ctypes.data_as(real))
        return found

    def predictions(self, X: Any, columns: Any = None) -> list[dict[str, Any]]:
        """A dictionary for each molecule, for pandas.DataFrame().

        Parameters
        ----------
        X : path or list
            A file of molecules, or a list of which some may be None or no SMILES.
        columns : list of str, optional
            Columns of the file whose texts are added.

        Returns
        -------
        list of dict
            row, name, smiles, status ("ok", or why there is no prediction), class and probabilities or value (of several tasks a dictionary of the
            classes and one of the probabilities of the larger classes, or of the values), out_of_vocabulary, similarity and domain.
        """
        check_is_fitted(self, "_model")
        data, rows = rows_of(X, self._reading, bool(self._shapes()[0].directed), columns)
        classes: list[Any] = list(getattr(self, "classes_", []))
        found = self._predict(data, bool(classes)) if data is not None else {}
        made = []
        for row in rows:
            place = row.pop("place")
            answer: dict[str, Any] = {}
            if place is not None and self.tasks_ is not None and not classes:
                answer["value"] = {name: float(found["score"][t, place]) for t, name in enumerate(self.tasks_)}
            elif place is not None and self.tasks_ is not None:
                of = {name: found["label"][t, place] for t, name in enumerate(self.tasks_)}
                answer["class"] = {name: classes[t][int(self._places(of[name], t))] for t, name in enumerate(self.tasks_)}
                answer["probabilities"] = {name: float(found["probability"][t, place, 1]) for t, name in enumerate(self.tasks_)}
            elif place is not None and classes:
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
    def explain(self, graph: list[str], of: Any = None, how: str = "auto", task: Any = None, atom_numbers: bool = False) -> list[VertexExplanation]: ...

    @overload
    def explain(self, graph: Any, of: Any = None, how: str = "auto", task: Any = None, atom_numbers: bool = False) -> VertexExplanation: ...

    def explain(self, graph: Any, of: Any = None, how: str = "auto", task: Any = None, atom_numbers: bool = False) -> Any:
        """Which vertices and edges decide.

        Parameters
        ----------
        graph : graph of any kind, or list of molecules
            A molecule of RDKit gives weights in the order of its atoms, a SMILES in that of its text.
        of : object, optional
            The class that is explained; None: the predicted one.
        how : str
            "exact": the effect on the decision of one tuple more or less of each colour, shared among the vertices that the colour depends on, half as
            much with every edge; with the mean decision of the training graphs (`rest`) all vertices add up to the decision. For models on colours,
            assignment kernels too, not for shortest paths and graphlets. "occlusion": how much the decision falls when a vertex and its edges, or an edge, is
            left out; a prediction for each. "auto": exact where it can be had.
        task : str or int, optional
            Of several, by its name or number.
        atom_numbers : bool
            Draw the numbers of the vertices, from 0.

        Returns
        -------
        VertexExplanation or list of VertexExplanation
            A list for a list of molecules.
        """
        check_is_fitted(self, "_model")
        if how not in _HOW:
            raise ArgumentError(f"how: found {v.shown(how)}, expected 'auto', 'exact' or 'occlusion'")
        if molecules := several(graph):
            return [self.explain(molecule, of, how, task, atom_numbers) for molecule in molecules]
        data = one_graph(graph, self._reading)
        at, place = self._task_of(task), 0
        if getattr(self, "classes_", None) is not None:
            predicted = self.predict(data)[0]
            of = (predicted if self.tasks_ is None else predicted[at]) if of is None else of
            place = self._place_of(of, at)
        with Session(self.n_jobs, verbose=self.verbose) as session:
            return explained(session, data, of, atom_numbers, "leman_model_attribute", self._pointers[at], data._handle.pointer, 0, place,
                             _HOW[how], _SUPPORTS)

    def top_features(self, X: Any, count: int = 20, of: Any = None, task: Any = None) -> list[dict[str, Any]]:
        """The features with the largest effects on the decision, each as a substructure of one of these graphs.

        Parameters
        ----------
        X : graphs of any kind
        count : int
            How many.
        of : object, optional
            The class; None: the last one. Of a regression, the value is explained.
        task : str or int, optional
            Of several, by its name or number.

        Returns
        -------
        list of dict
            substructure (SMARTS of molecules), weight, effect (the deviation over these graphs of what the feature adds), round, color, graphs (that
            have it), example (a place in X), name (of this graph) and vertices (of its neighbourhood, the `components` of the feature first).
        """
        check_is_fitted(self, "_model")
        data = as_dataset(X, reading=self._reading)
        at = self._task_of(task)
        place = self._place_of(of, at) if of is not None else max(int(self._shapes()[at].classes) - 1, 0)
        found = ctypes.POINTER(c.leman_substructures)()
        try:
            with Session(self.n_jobs, verbose=self.verbose) as session:
                session.call("leman_model_substructures", self._pointers[at], data._handle.pointer, place,
                             v.integer(count, "count", 1), ctypes.byref(found))
            return [{"substructure": (s.text or b"").decode(), "weight": float(s.weight), "effect": float(s.effect),
                     "round": int(s.feature.round), "color": f"{s.feature.key:016x}", "graphs": int(s.graphs),
                     "example": int(s.example), "name": data[int(s.example)].name, "components": int(s.components),
                     "vertices": list(s.vertex[: s.vertices])} for s in found.contents.item[: found.contents.count]]
        finally:
            lib.leman_substructures_free(found)

    def _classes_of(self, task: int) -> Array:
        known: Any = getattr(self, "classes_", np.array([]))
        return np.asarray(known[task]) if self.tasks_ is not None else np.asarray(known)

    def _place_of(self, of: Any, task: int = 0) -> int:
        classes = self._classes_of(task).tolist()
        places = [i for i, known in enumerate(classes) if known == of]
        if not places:
            raise ArgumentError(f"of: found {v.shown(of)}, expected one of {', '.join(map(v.shown, classes))}")
        return places[0]

    def out_of_vocabulary(self, X: Any) -> Array:
        """How much of each graph lies in features that the model does not know.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        ndarray, [graphs]
            Shares, 0 .. 1.
        """
        return self._predict(X, False)["out_of_vocabulary"]

    def domain(self, X: Any) -> tuple[Array, Array]:
        """How far each graph is inside the domain of the model. Probabilities are moved by it from the shares of the classes.

        Parameters
        ----------
        X : graphs of any kind

        Returns
        -------
        domain : ndarray, [graphs]
            0 .. 1.
        similarity : ndarray, [graphs]
            To the nearest training graphs; nan where the model was fitted on features.
        """
        found = self._predict(X, False)
        return found["domain"], found["similarity"]
