"""The evaluation protocol of the field: `evaluate` and `compare`.

In every fold the validation part selects rounds and C, and the selected support vector machine is tested once
(docs/evaluation.md); of a network it selects the epoch, and layers and width where there are several. All methods share the
splits, so they can be compared by the corrected resampled t-test.
"""
from __future__ import annotations

import ctypes
import math
import os
from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InputError, UnsupportedError
from ._figures import COLORS, calibration_curve, dots_figure, precision_curve, roc_curve, rounds_figure, scores_figure, unit_figure
from ._kernels import SumKernel, _Kernel, components_of, kernels_of, normalized, warn_of_attributes
from ._learned import Supervision, own_classes, with_learned
from ._library import Handle, Session, lib, options, seed_of, sized_text
from ._models import rounds_range
from ._splits import Drawn, Fold, folds_of
from ._tables import Table, cell, latex_number, latex_table, latex_text


_CURVES = {"roc": (roc_curve, "others found; positive graphs found upwards"),
           "precision-recall": (precision_curve, "recall; precision upwards"),
           "calibration": (calibration_curve, "mean probability; share that is positive upwards")}


class Predictions(Table):
    """What a method predicted for each graph of each test part: rows of repetition, fold, graph, y and predicted; of kernels and two
    classes also the probability of the second class."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows


class MethodResult:
    """What one method scored. Means are over repetitions; classification in percent, regression mean absolute errors."""

    def __init__(self, name: str, data: Dataset | None, handle: Handle, kernels: Any = None, folds: Any = None) -> None:
        """data: None for scores of unknown graphs. kernels: None for networks and for scores that were given. folds: of a network,
        instead of those of the handle."""
        self.method = name
        self.data = data
        self._kernels = kernels
        self._handle = handle
        found = handle.pointer.contents
        self.test_mean, self.test_std = float(found.test_mean), float(found.test_std)
        self.test_low, self.test_high = float(found.test_low), float(found.test_high)
        self.train_mean = float(found.train_mean)
        self.baseline = float(found.baseline)
        self.seconds_features, self.seconds_svm = float(found.seconds_features), float(found.seconds_svm)
        splits = found.splits.contents
        self._shape = int(splits.repetitions), int(splits.folds)
        self.folds: list[dict[str, Any]] = [
            {"repetition": f.repetition, "fold": f.fold, "rounds": f.rounds, "C": f.C, "test": f.test, "validation": f.validation,
             "train": f.train} for f in found.fold[: splits.repetitions * splits.folds]] if folds is None else folds

    def __reduce__(self) -> Any:
        raise UnsupportedError(f"{self.method}: found a result to pickle, which lives in the memory of the library; expected to_pandas() or "
                               "rows of the Evaluation, which can be pickled")

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        """[repetitions, folds]: the test score of every fold."""
        return np.array([fold["test"] for fold in self.folds]).reshape(self._shape)

    @property
    def splits(self) -> list[Fold]:
        """For every fold its parts, arrays of graph numbers: {"repetition", "fold", "train", "validation", "test"}. evaluate(splits=...)
        takes the list, so other methods meet the same folds."""
        return folds_of(self._handle.pointer.contents.splits.contents)

    def predictions(self) -> Predictions:
        """A row for every graph of every test part: repetition, fold, graph, y, predicted. Of kernels and networks. Of kernels and two classes
        also the probability of the class with the larger label, by a sigmoid of the decision that was fitted to the other folds."""
        found, data = self._handle.pointer.contents, self.data
        if not found.predicted or data is None:
            raise UnsupportedError(f"{self.method}: predictions are known for kernels and networks, not for given scores")
        start = np.array(found.splits.contents.start[: 2 * len(self.folds) + 1], dtype=np.int64)
        graph, predicted = (np.array(values[: int(start[-1])]) for values in (found.splits.contents.graph, found.predicted))
        labels = None
        if found.classes:
            labels = data._class_values_of(np.array(found.class_label[: found.classes], dtype=np.int64))
        y = data.y if labels is not None else data.targets[:, found.target] if data.targets is not None else None
        probability = np.array(found.probability[: int(start[-1])]) if found.probability else None
        rows = []
        for i, fold in enumerate(self.folds):
            for j in range(start[2 * i], start[2 * i + 1]):
                value: Any = None if math.isnan(predicted[j]) else float(predicted[j]) if labels is None else labels[int(predicted[j])]
                rows.append({"repetition": fold["repetition"], "fold": fold["fold"], "graph": int(graph[j]),
                             "y": None if y is None else y[int(graph[j])], "predicted": value})
                if probability is not None:
                    rows[-1]["probability"] = None if math.isnan(probability[j]) else float(probability[j])
        return Predictions(rows)

    def row(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("method", "test_mean", "test_std", "test_low", "test_high",
                                                       "train_mean", "baseline", "seconds_features", "seconds_svm")}


class Evaluation(Table):
    """The results of `evaluate`, one MethodResult for each method: ev["1-WL"], ev.rows, ev.table(), ev.to_pandas(), ev.latex(),
    ev.figure("scores.pdf"), ev.report("page.html"), ev.predictions("1-WL"), ev.splits, ev.compare()."""

    def __init__(self, results: list[MethodResult], smaller_is_better: bool = False) -> None:
        """smaller_is_better: of scores without graphs; graphs say it themselves."""
        self.results = results
        self._smaller_is_better = bool(smaller_is_better)
        self.rows = [result.row() for result in results]
        names = [result.method for result in results]
        for name in names:
            if names.count(name) > 1:
                raise ArgumentError(f"found two methods with the name {name!r}, expected another name for each")

    @property
    def data(self) -> Dataset | None:
        """The graphs; None if all scores were given, and nothing is known about the graphs."""
        return next((result.data for result in self.results if result.data is not None), None)

    @property
    def smaller_is_better(self) -> bool:
        """Whether the scores are errors: those of a regression, or what compare() was told of scores without graphs."""
        return self._smaller_is_better if self.data is None else not self._reference()._handle.pointer.contents.classes

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, key: int | str) -> MethodResult:
        if isinstance(key, str):
            for result in self.results:
                if result.method == key:
                    return result
            raise KeyError(f"{key!r}: found {', '.join(result.method for result in self.results)}")
        return self.results[key]

    @property
    def splits(self) -> list[Fold]:
        """The folds that all methods share, as MethodResult.splits."""
        return self._reference().splits

    def predictions(self, method: int | str = 0) -> Predictions:
        """A row for every graph of every test part: repetition, fold, graph, y, predicted. Of kernels and networks."""
        return self[method].predictions()

    def _reference(self) -> MethodResult:
        """A method whose graphs are known."""
        for result in self.results:
            if result.data is not None:
                return result
        raise UnsupportedError("found only scores that were given, expected at least one result of evaluate() among the methods")

    def report(self, path: str | os.PathLike[str]) -> None:
        """A page of HTML with charts (docs/report.md); needs neither network nor scripts."""
        data: Any = self._reference().data
        methods = (c.leman_method * len(self.results))()
        names = [result.method.encode() for result in self.results]
        for method, result, name in zip(methods, self.results, names):
            method.name = name
            if result._kernels is not None:
                method.count = len(result._kernels)
                method.kernels = ctypes.cast(result._kernels, ctypes.POINTER(c.leman_kernel))
            method.evaluation = result._handle.pointer
        with Session() as session:
            session.call("leman_report_write", data._handle.pointer, methods, len(methods), None, v.path(path))

    def _axis(self) -> str:
        if self.data is None:
            return "error" if self.smaller_is_better else "score"
        return "mean absolute error" if self.smaller_is_better else "accuracy (%)"

    def figure(self, path: str | os.PathLike[str], kind: str = "scores") -> None:
        """Draws a figure into path, which ends in .svg or .pdf. kind="scores": the mean of every method with its 95 % interval, beside
        the baseline. kind="rounds": the mean test score of every kernel by its number of rounds. Of the test predictions of the first
        repetition: kind="predictions", predicted against measured values of a regression; kind="roc", "precision-recall" or
        "calibration", of the probabilities of kernels for two classes, with the area below the curve, the average precision, or the mean
        distance of probability and share."""
        if kind == "scores":
            return scores_figure(self.rows, self._axis()).write(path)
        if kind in (*_CURVES, "predictions"):
            self._curves(kind).write(path)
            return None
        if kind != "rounds":
            raise ArgumentError(f"kind: found {v.shown(kind)}, expected 'scores', 'rounds', 'predictions', 'roc', 'precision-recall' or "
                                "'calibration'")
        curves: dict[str, list[tuple[float, float]]] = {}
        for result in self.results:
            found = result._handle.pointer.contents
            if result._kernels is not None and found.has_rounds:
                curves[result.method] = [(int(found.min_rounds) + i, float(found.round[i].test)) for i in range(found.rounds)]
        if not curves:
            raise ArgumentError("kind: found 'rounds', expected 'scores': no method is a kernel with rounds")
        colors = {result.method: COLORS[i % len(COLORS)] for i, result in enumerate(self.results)}
        rounds_figure(curves, colors, self._axis()).write(path)

    def _curves(self, kind: str) -> Any:
        curves: dict[str, list[tuple[float, float]]] = {}
        colors = {}
        for i, result in enumerate(self.results):
            found = result._handle.pointer.contents
            if result.data is None or not (found.predicted if kind == "predictions" else found.probability):
                continue
            rows = [row for row in result.predictions().rows if row["repetition"] == 0 and row["predicted"] is not None]
            name = result.method
            if kind == "predictions":
                curves[name] = [(float(row["y"]), row["predicted"]) for row in rows if not found.classes]
            else:
                second = result.data._class_values_of(np.array(found.class_label[1:2], dtype=np.int64))[0]
                positive = np.array([row["y"] == second for row in rows])
                if positive.all() or not positive.any():
                    continue  # nothing to order
                points, number = _CURVES[kind][0](positive, np.array([row["probability"] for row in rows], dtype=float))
                name = f"{result.method}: {number:.3f}"
                curves[name] = points
            colors[name] = COLORS[i % len(COLORS)]
        curves = {name: points for name, points in curves.items() if points}
        if not curves:
            raise ArgumentError(f"kind: found {v.shown(kind)}, expected another one: " + (
                "no method predicts values" if kind == "predictions" else "no method is a kernel that predicts two classes"))
        if kind == "predictions":
            return dots_figure(curves, colors, "measured; predicted upwards")
        return unit_figure(curves, colors, _CURVES[kind][1], kind == "calibration", kind != "precision-recall")

    def _best(self) -> int:
        means = [-row["test_mean"] if self.smaller_is_better else row["test_mean"] for row in self.rows]
        return int(np.nanargmax(means))

    def latex(self, caption: str | None = None, label: str | None = None) -> str:
        """A tabular of LaTeX (booktabs): mean and deviation of every method. The best mean is bold; an asterisk marks those that differ
        from it significantly, p < 0.05 by the corrected resampled t-test with Holm's correction."""
        if not self.rows:
            return ""
        best, worse = self._best(), set()
        for pair in self.compare().rows:
            if pair["p_holm"] < 0.05:
                worse |= {pair["first"], pair["second"]} if self.results[best].method in (pair["first"], pair["second"]) else set()
        lines, digits = [], 2 if max(abs(row["test_mean"]) for row in self.rows) >= 10 else 3
        for i, row in enumerate(self.rows):
            text, deviation = ("" if math.isnan(row[key]) else f"{row[key]:.{digits}f}" for key in ("test_mean", "test_std"))
            number = rf"\textbf{{{text}}}" if i == best else text
            mark = r"$^{\ast}$" if i != best and row["method"] in worse else ""
            lines.append([latex_text(row["method"]), number + (rf" $\pm$ {deviation}" if deviation else "") + mark])
        axis = self._axis()
        note = "bold: best; asterisk: differs from it, p < 0.05 (corrected resampled t-test, Holm)"
        return latex_table(["Method", latex_text(axis[0].upper() + axis[1:])], lines, "lr", note, caption, label)

    def with_scores(self, scores: Mapping[str, Any]) -> Evaluation:
        """These results and, beside them, methods of one's own: for each name the test scores [repetitions, folds] on the folds of
        `splits`, percentages or mean absolute errors as those of the others."""
        reference = self._reference()
        if not isinstance(scores, Mapping):
            raise ArgumentError(f"scores: found {v.shown(scores)}, expected a dictionary from names to scores")
        return Evaluation(self.results + [_own(reference, str(name), given) for name, given in scores.items()])

    def compare(self, scores: Mapping[str, Any] | None = None) -> Comparison:
        """All pairs of methods by the corrected resampled t-test, with Holm's correction. scores: methods of one's own, as in
        with_scores()."""
        if scores is not None:
            return self.with_scores(scores).compare()
        count = len(self.results)
        pairs = (c.leman_pair_comparison * max(1, count * (count - 1) // 2))()
        pointers = (ctypes.POINTER(c.leman_evaluation) * max(1, count))(*[r._handle.pointer for r in self.results])
        rows = []
        if count > 1:
            with Session(1) as session:
                session.call("leman_compare_all", pointers, count, pairs)
            rows = [{"first": self.results[p.first].method, "second": self.results[p.second].method,
                     "difference": p.comparison.difference, "t": p.comparison.t, "p": p.comparison.p, "p_holm": p.p_holm}
                    for p in pairs]
        return Comparison(self, rows)


class Comparison(Table):
    """Pairs of methods: difference of the means, t, p, and p by Holm. `evaluation` has the scores, and report() writes its page."""

    def __init__(self, evaluation: Evaluation, rows: list[dict[str, Any]]) -> None:
        self.evaluation = evaluation
        self.rows = rows

    def report(self, path: str | os.PathLike[str]) -> None:
        """The page of the evaluation, on which all pairs are compared."""
        self.evaluation.report(path)

    def latex(self, caption: str | None = None, label: str | None = None) -> str:
        """A tabular of LaTeX (booktabs): difference, t and p of every pair; significant p (Holm, below 0.05) are bold."""
        lines = []
        for row in self.rows:
            p = cell(row["p_holm"])
            lines.append([latex_text(row["first"]), latex_text(row["second"]), *(latex_number(row[key]) for key in ("difference", "t", "p")),
                          rf"\textbf{{{p}}}" if row["p_holm"] < 0.05 else p])
        head = ["First", "Second", "Difference", "$t$", "$p$", r"$p_{\mathrm{Holm}}$"]
        return latex_table(head, lines, "llrrrr", "bold: p < 0.05 (corrected resampled t-test, Holm)", caption, label)


# ---- Scores of other methods ---------------------------------------------------------------------


def _score_array(name: str, scores: Any, shape: tuple[int, int] | None) -> npt.NDArray[np.float64]:
    """[repetitions, folds]; shape: that of the evaluation they stand beside."""
    found = v.reals(scores, f"scores of {name}")
    if np.ndim(v.array(scores, f"scores of {name}")) == 1:
        found = found[:, 0].reshape(shape if shape is not None and found.size == shape[0] * shape[1] else (1, -1))
    if not found.size or shape is not None and found.shape != shape or not np.all(np.isfinite(found)):
        expected = "one finite score for each fold" if shape is None else \
            f"{shape[0]} repetition{'' if shape[0] == 1 else 's'} of {shape[1]} fold{'' if shape[1] == 1 else 's'}, finite numbers"
        raise ArgumentError(f"scores of {name}: found {v.shown(scores)}, expected {expected}")
    return np.ascontiguousarray(found)


def _own(reference: MethodResult, name: str, given: Any) -> MethodResult:
    """A method of which only the scores are known, summarised by the library as those of networks are."""
    if isinstance(given, MethodResult):
        return MethodResult(name, given.data, given._handle, given._kernels, given.folds)
    data: Any = reference.data
    scores = _score_array(name, given, reference._shape)
    known = reference._handle.pointer.contents
    if known.classes and not 0 <= scores.min() <= scores.max() <= 100:
        raise ArgumentError(f"scores of {name}: found {scores.max() if scores.max() > 100 else scores.min():g}, expected percentages, as "
                            f"{reference.method} has them")
    if known.classes and scores.max() <= 1 and reference.test_mean > 1:
        raise ArgumentError(f"scores of {name}: found scores up to {scores.max():g}, expected percentages, as {reference.method} has them: "
                            "multiply them by 100")
    repetitions, folds = scores.shape
    fold = (c.leman_network_fold * scores.size)()
    for i, score in enumerate(scores.ravel().tolist()):
        fold[i].repetition, fold[i].fold, fold[i].test, fold[i].validation = i // folds, i % folds, score, math.nan
    made_up = c.leman_network_evaluation(repetitions=repetitions, folds=folds, fold=fold, classes=bool(known.classes))
    found = ctypes.POINTER(c.leman_evaluation)()
    with Session(1) as session:
        session.call("leman_network_evaluation_scores", data._handle.pointer, known.splits,
                     c.LEMAN_NO_TARGET if known.classes else known.target, ctypes.byref(made_up), ctypes.byref(found))
    rows = [{"repetition": f.repetition, "fold": f.fold, "test": f.test} for f in fold]
    return MethodResult(name, data, Handle(found, lib.leman_evaluation_free), None, rows)


class _Bare(MethodResult):
    """Scores without graphs: the folds are taken to be of equal size, so that tested / trained is 1 / (folds - 1)."""

    def __init__(self, name: str, scores: npt.NDArray[np.float64]) -> None:
        repetitions, folds = scores.shape
        if folds < 2:
            raise ArgumentError(f"scores of {name}: found 1 fold, expected two or more, or a result of evaluate() among the methods, whose "
                                "splits say how many graphs train")
        count = scores.size
        start = (ctypes.c_uint64 * (2 * count + 1))(*[(i + 1) // 2 for i in range(2 * count + 1)])  # one graph in every test part
        splits = c.leman_splits(graphs=folds, repetitions=repetitions, folds=folds, start=start)
        fold = (c.leman_fold * count)()
        for i, score in enumerate(scores.ravel().tolist()):
            fold[i].repetition, fold[i].fold, fold[i].test = i // folds, i % folds, score
        found = c.leman_evaluation(splits=ctypes.pointer(splits), fold=fold)
        from scipy.stats import t
        half = t.ppf(0.975, count - 1) * math.sqrt((1 / count + 1 / (folds - 1)) * scores.var(ddof=1))
        found.test_mean, found.test_low, found.test_high = scores.mean(), scores.mean() - half, scores.mean() + half
        found.test_std = scores.mean(axis=1).std() if repetitions > 1 else math.nan
        found.train_mean = found.baseline = found.seconds_features = found.seconds_svm = math.nan
        super().__init__(name, None, Handle(ctypes.pointer(found), lambda pointer: None), None,
                         [{"repetition": f.repetition, "fold": f.fold, "test": f.test} for f in fold])
        self._kept = found, splits, start, fold


def _same_scale(arrays: Sequence[tuple[str, npt.NDArray[np.float64]]]) -> None:
    """Refuses percentages beside shares of 1."""
    shares = [name for name, scores in arrays if scores.max() <= 1]
    percentages = [name for name, scores in arrays if scores.max() > 1]
    if shares and percentages:
        raise ArgumentError(f"scores of {shares[0]}: found none above 1, but {percentages[0]} has some, expected all in percent or none; errors "
                            "are compared with smaller_is_better=True")


def _compared(methods: Mapping[str, Any], smaller_is_better: bool) -> Comparison:
    """Names with scores, MethodResults and Evaluations, in their order. An Evaluation of one method takes the name that is given."""
    given: list[tuple[str, Any]] = []
    for name, value in methods.items():
        if isinstance(value, Evaluation) and len(value) != 1:
            given += [(result.method, result) for result in value.results]
        else:
            given.append((str(name), value[0] if isinstance(value, Evaluation) else value))
    if not given:
        raise ArgumentError("methods: found none, expected two or more")
    reference = next((value for _, value in given if isinstance(value, MethodResult) and value.data is not None), None)
    if reference is not None:
        return _agreed(Evaluation([_own(reference, name, value) for name, value in given]), smaller_is_better).compare()
    smaller_is_better |= any(isinstance(value, Evaluation) and value.smaller_is_better for value in methods.values())
    arrays = [(name, _score_array(name, value.scores if isinstance(value, MethodResult) else value, None)) for name, value in given]
    if len({scores.shape for _, scores in arrays}) > 1:
        raise ArgumentError("found scores of different numbers of folds, expected the same folds for all methods")
    if not smaller_is_better:
        _same_scale(arrays)
    return Evaluation([_Bare(name, scores) for name, scores in arrays], smaller_is_better).compare()


def _agreed(evaluation: Evaluation, smaller_is_better: bool) -> Evaluation:
    """The evaluation, of which it is known already whether its scores are errors."""
    if smaller_is_better and not evaluation.smaller_is_better:
        raise ArgumentError("smaller_is_better: found True, expected False: the scores are no errors")
    return evaluation


def _with_y(data: Dataset, y: Any, target: Any) -> tuple[Dataset, int, Sequence[Any]]:
    """The data, the column of targets to learn or LEMAN_NO_TARGET, and the classes."""
    if y is not None:
        data = with_learned(data, Supervision(y, None, len(data)))
    if target is not None:
        column = ctypes.c_size_t()
        with Session(1) as session:
            session.call("leman_dataset_target_find", data._handle.pointer, v.text(str(target), "target"), ctypes.byref(column))
        return data, column.value, []
    if data.classes is not None:
        return data, c.LEMAN_NO_TARGET, own_classes(data).tolist()
    if data.columns.targets == 1:
        return data, 0, []
    raise InputError(f"y: found none, and the data set has no classes and {data.columns.targets} columns of targets; "
                     "target= names one")


# ---- Networks ------------------------------------------------------------------------------------

_EPOCHS, _LAYERS, _WIDTH = 30, 3, 32  # of networks that are given by name, as in leman compare


def _is_network(session: Session, name: Any) -> bool:
    """Is it the name of a network and not of a kernel? "network:wl" says so."""
    text = v.text(name, "methods", "names of kernels and networks")
    if name.lower().startswith("network:"):
        return True
    kernel, architecture = options("leman_kernel"), options("leman_architecture")
    return "+" not in name.rstrip("+") and bool(lib.leman_kernel_parse(session.pointer, text, ctypes.byref(kernel))) and \
        not lib.leman_architecture_parse(session.pointer, text, ctypes.byref(architecture))


def _is_pair_network(session: Session, name: str) -> bool:
    """Does the network of this name read encodings of pairs?"""
    architecture = options("leman_architecture")
    return not lib.leman_architecture_parse(session.pointer, name.encode(), ctypes.byref(architecture)) and \
        bool(lib.leman_architecture_encodings(ctypes.byref(architecture), None, 0))


def _sizes(value: Any, name: str, usual: int) -> Any:
    """The numbers that validation chooses from: one, or a list."""
    listed = [usual] if value is None else [value] if v.is_integer(value) else v.listed(value, name)
    if not listed:
        raise ArgumentError(f"{name}: found an empty list, expected numbers from 1 on")
    return (ctypes.c_size_t * len(listed))(*[v.integer(number, name, 1) for number in listed])


def _evaluate_network(session: Session, data: Dataset, network: Any, splits: Any, column: int, classes: Sequence[Any],
                      scoring: str | None, class_weight: Any, journal: bytes | None) -> MethodResult:
    target = ctypes.c_size_t(column)
    architecture = network._architecture(session, data, learned_sizes=False)
    network._check_options(column == c.LEMAN_NO_TARGET)
    training = network._training(session, architecture, column == c.LEMAN_NO_TARGET, folds=True)
    if column != c.LEMAN_NO_TARGET:
        training.targets, training.target_count = ctypes.pointer(target), 1
        training.scale_targets = bool(network.scale_targets)  # errors are in the units of the data all the same, as those of kernels
    else:
        weights, training.balanced_weights = v.weights_of(network.class_weight if class_weight is None else class_weight, classes)
        if weights is not None:
            training.class_weight, training.class_weights = v.pointer(weights, ctypes.c_double), len(weights)
    if scoring is not None:
        training.score = v.choice(session, "leman_score_parse", scoring, "scoring")
    protocol = options("leman_network_protocol")
    layers, widths = _sizes(network.layers, "layers", _LAYERS), _sizes(network.width, "width", _WIDTH)
    protocol.layers, protocol.layers_count = ctypes.cast(layers, ctypes.POINTER(ctypes.c_size_t)), len(layers)
    protocol.widths, protocol.widths_count = ctypes.cast(widths, ctypes.POINTER(ctypes.c_size_t)), len(widths)
    protocol.splits, protocol.journal, protocol.resume = splits, journal, journal is not None
    trained, found = ctypes.POINTER(c.leman_network_evaluation)(), ctypes.POINTER(c.leman_evaluation)()
    session.call("leman_network_evaluate", data._handle.pointer, ctypes.byref(architecture), ctypes.byref(training),
                 ctypes.byref(protocol), ctypes.byref(trained))
    try:
        session.call("leman_network_evaluation_scores", data._handle.pointer, splits, column, trained, ctypes.byref(found))
        count = trained.contents.repetitions * trained.contents.folds
        folds = [{"repetition": f.repetition, "fold": f.fold, "layers": f.layers, "width": f.width, "epoch": f.epoch, "test": scores.test,
                  "validation": scores.validation} for f, scores in zip(trained.contents.fold[:count], found.contents.fold[:count])]
        return MethodResult(sized_text(lib.leman_architecture_paper_name, ctypes.byref(architecture)), data,
                            Handle(found, lib.leman_evaluation_free), None, folds)
    finally:
        lib.leman_network_evaluation_free(trained)


# Parameters of estimators that change no score of evaluate(): it has its own, or the folds say it. Names of methods leave them out.
_UNUSED = {"rounds", "n_iter", "normalize", "n_jobs", "verbose", "device", "random_state", "memory", "device_memory",
           "validation_fraction", "sparse", "algorithm_type", "sampling"}
_REFUSED = {"runs": 1, "checkpoint": None, "resume": False, "test_fraction": 0.0}  # refused unless they are these


def _used_parameters(method: Any) -> dict[str, Any]:
    """The parameters of an estimator that evaluate() follows."""
    given = method.get_params(deep=False)
    for name, usual in _REFUSED.items():
        if name in given and given[name] != usual:
            raise ArgumentError(f"{name}: found {v.shown(given[name])}, which evaluate() does not use; expected {usual}")
    return {name: value for name, value in given.items() if name not in _UNUSED}


class _Method:
    """A method to evaluate: an array of kernels or a GraphNetwork, its name if it has one already, and its parameters."""

    def __init__(self, what: Any, name: str | None, parameters: Mapping[str, Any]) -> None:
        self.what, self.name, self.parameters = what, name, parameters


def _methods(session: Session, given: Any, column: int, epochs: Any, layers: Any, width: Any, ignore: dict[str, Any],
             components: int | None, encodings: Any) -> list[_Method]:
    from .nn import GraphNetwork
    encoded = 0
    if isinstance(given, (str, GraphNetwork, _Kernel)):
        given = [given]
    names, listed = (list(given), list(given.values())) if isinstance(given, Mapping) else (None, v.listed(given, "methods"))
    found: list[_Method] = []
    for place, method in enumerate(listed):
        what: Any = method
        if isinstance(method, SumKernel):
            raise ArgumentError("methods: found a sum of kernels, expected its name, such as 'delta-2-LWL + SP'")
        if isinstance(method, _Kernel):
            what = method._kernels(session)
            normalized(what, method.normalize if isinstance(method.normalize, str) else True)
        elif isinstance(method, GraphNetwork):
            pass
        elif _is_network(session, method):
            pairs = encodings is not None and _is_pair_network(session, method)
            encoded += pairs
            what = GraphNetwork(method, "tu" if column == c.LEMAN_NO_TARGET else "zinc", layers, width,
                                _EPOCHS if epochs is None else epochs, encodings=encodings if pairs else None, **ignore)
        else:
            what = kernels_of(session, method, 0, components=components, **ignore)
        parameters = _used_parameters(method) if isinstance(method, (_Kernel, GraphNetwork)) else {}
        found.append(_Method(what, None if names is None else str(names[place]), parameters))
    if not found:
        raise ArgumentError("methods: found none, expected one or more")
    if encodings is not None and not encoded:
        raise ArgumentError(f"encodings: found {v.shown(encodings)}, which has no effect: no method that is given by name is a pair network, such as "
                            "'Local-2-GNN'")
    return found


def _tell_apart(results: Sequence[MethodResult], methods: Sequence[_Method]) -> None:
    """Methods with equal names get the parameters in which they differ behind their names: "GIN-eps (layers=2)"."""
    for name in {result.method for result in results}:
        same = [i for i, result in enumerate(results) if result.method == name]
        if len(same) < 2:
            continue
        keys = [key for key in methods[same[0]].parameters if len({repr(methods[i].parameters.get(key)) for i in same}) > 1]
        for number, i in enumerate(same, 1):
            shown = [f"{key}={methods[i].parameters[key]}" for key in keys if methods[i].parameters.get(key) is not None]
            results[i].method = f"{name} ({', '.join(shown)})" if shown else name
            if [results[j].method for j in same[:number]].count(results[i].method) > 1:
                results[i].method += f" #{number}"


def evaluate(data: Any, methods: Any = ("delta-2-LWL",), *, y: Any = None, target: Any = None,
             rounds: Any = (0, 5), C: Any = None, repetitions: int | None = None, folds: int | None = None, stratified: bool = False,
             scaffold: bool = False, splits: Any = None, parts: Any = None, resume: str | os.PathLike[str] | None = None,
             retrain: bool = False, svm: str = "auto", scoring: str | None = None, class_weight: Any = None, sample_weight: Any = None,
             weighted_scores: bool = False, censoring: Any = None, ignore_vertex_labels: bool = False, ignore_edge_labels: bool = False, components: int | None = None,
             epochs: int | None = None, layers: Any = None, width: Any = None, encodings: str | None = None, device: str = "auto", random_state: Any = 1,
             n_jobs: int | None = None, verbose: bool = False) -> Evaluation:
    """Cross-validates methods, all on the same splits.

    rounds, C, device, random_state, n_jobs and verbose are those of evaluate(), also of methods that are estimators. Kernels are normalised.
    The folds say which graphs validate, so validation_fraction of an estimator is not used. precision, memory and device_memory of a
    GraphNetwork hold while it is trained, and with scale_targets=True it learns scaled targets; errors are in the units of the data in any case. runs,
    checkpoint, resume and test_fraction of a GraphNetwork are refused.

    Parameters
    ----------
    data : graphs of any kind
    methods : str, estimator, list or dict
        Names of kernels ("1-WL", "WLOA", "delta-2-LWL + SP") and of networks ("delta-2-LGNN", "GIN-eps"), WLKernel and the like, nn.GraphNetwork;
        or a dictionary from names of one's own to those.
    y : sequence, optional
        Instead of the data's own classes; reals are regressed.
    target : str or int, optional
        A column of targets.
    rounds : int, pair or sequence of int
        What validation selects from.
    C : float or sequence of float, optional
        What validation selects from; None: 10^-3 .. 10^3.
    repetitions, folds : int, optional
        Of drawn splits; None: 10. Neither is given beside splits or parts.
    stratified : bool
        Spread the classes evenly over the folds.
    scaffold : bool
        Keep molecules with the same Bemis-Murcko scaffold in one fold.
    splits : path, dict, list, splitter or splits of another Evaluation, optional
        Folds instead of drawn ones: a file of the program, JSON of Errica et al. or of OGB, (train, test) pairs, ...; all other graphs train.
    parts : str, optional
        One fold by sizes in the order of the data, "train=10000,val=1000,test=1000".
    resume : path, optional
        A file that keeps finished folds (with several methods FILE.0, FILE.1, ...); the same call continues from it.
    retrain : bool
        Train the selected SVM again on the training and validation parts.
    svm : str
        "auto", "linear" or "kernel".
    scoring : str, optional
        "accuracy", "balanced" or "auc"; of reals "mae", "rmse" or "r2".
    class_weight : "balanced" or dict, optional
    sample_weight : sequence of float, optional
        A number above 0 for each graph, a factor on C in training. That of a graph without a class or target may be NaN. Of kernels.
    weighted_scores : bool
        A graph also counts as sample_weight graphs in the scores of validation and test parts; False: all count the same there.
    censoring : sequence of int, optional
        For each graph 0 if the target is the value, 1 if it is a lower bound of it, -1 if it is an upper bound: only predictions beyond a
        bound are errors, in training and in scores. Of kernels.
    ignore_vertex_labels, ignore_edge_labels : bool
        Colour without these labels.
    components : int, optional
        Only the tuples that induce at most so many connected components; None: all.
    epochs, layers, width : int or list, optional
        Of networks that are given by name, 30, 3 and 32; validation chooses from lists.
    encodings : str, optional
        Such as "walk:16", of pair networks that are given by name.
    device : str
        "auto", "cpu", "cuda" or "cuda:1".
    random_state : int, optional
        Draws the splits: 1, as in the program, another number, or None for new splits in every call.
    n_jobs : int, optional
        Threads, which never change a result; None: all.
    verbose : bool
        Draw a progress bar.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> import leman
    >>> data = leman.generate("molecules", graphs=60, vertices=12)
    >>> large = [int(graph.num_edges > 12) for graph in data]
    >>> found = leman.evaluate(data, ["1-WL", "SP"], y=large, repetitions=1, folds=5, rounds=(0, 1), C=[1.0])
    >>> found["SP"].scores.shape
    (1, 5)
    """
    data, column, classes = _with_y(as_dataset(data), y, target)
    protocol = options("leman_protocol")
    protocol.min_rounds, protocol.max_rounds = rounds_range(rounds)
    protocol.target = column
    protocol.retrain = bool(retrain)
    grid = v.costs(C)
    if grid is not None:
        protocol.C, protocol.C_count = v.pointer(grid, ctypes.c_double), len(grid)
    weights, protocol.balanced_weights = v.weights_of(class_weight, classes)
    if weights is not None:
        protocol.class_weight, protocol.class_weights = v.pointer(weights, ctypes.c_double), len(weights)
    own_weights, bounds = v.sample_weights(sample_weight, len(data)), v.bounds(censoring, len(data), 1)
    protocol.weight, protocol.censoring = v.pointer(own_weights, ctypes.c_double), v.pointer(bounds, ctypes.c_int8)
    if weighted_scores and own_weights is None:
        raise ArgumentError("weighted_scores: found True without sample_weight, expected False")
    protocol.weighted_scores = bool(weighted_scores)
    ignore: dict[str, Any] = dict(ignore_vertex_labels=bool(ignore_vertex_labels), ignore_edge_labels=bool(ignore_edge_labels))
    results: list[MethodResult] = []
    seed = seed_of(random_state)
    with Session(n_jobs, seed=seed, verbose=verbose, device=device) as session:
        protocol.svm = v.choice(session, "leman_svm_parse", svm, "svm")
        if scoring is not None:
            protocol.score = v.choice(session, "leman_score_parse", scoring, "scoring")
        chosen = _methods(session, methods, column, epochs, layers, width, ignore, components_of(components), encodings)
        for method in chosen:
            if isinstance(method.what, ctypes.Array):
                warn_of_attributes(data, method.what)
        if (own_weights is not None or bounds is not None) and not all(isinstance(method.what, ctypes.Array) for method in chosen):
            raise ArgumentError(f"{'sample_weight' if bounds is None else 'censoring'}: found it beside a network, expected kernels alone")
        if retrain and not any(isinstance(method.what, ctypes.Array) for method in chosen):
            raise ArgumentError("retrain: found True, expected False: every method is a network")
        with Drawn(session, data, repetitions, folds, stratified, scaffold, splits, parts) as drawn:
            protocol.splits = drawn
            for place, method in enumerate(chosen):
                journal = None if resume is None else v.path(resume, "resume") + (b".%d" % place if len(chosen) > 1 else b"")
                if not isinstance(method.what, ctypes.Array):
                    with method.what._session_of(n_jobs, seed, verbose, device) as own:
                        results.append(_evaluate_network(own, data, method.what, drawn, column, classes, scoring, class_weight, journal))
                else:
                    found = ctypes.POINTER(c.leman_evaluation)()
                    protocol.journal = journal
                    session.call("leman_evaluate", data._handle.pointer, method.what, len(method.what), ctypes.byref(protocol),
                                 ctypes.byref(found))
                    results.append(MethodResult(sized_text(lib.leman_kernels_paper_name, method.what, len(method.what)), data,
                                                Handle(found, lib.leman_evaluation_free), method.what))
                results[-1].method = method.name or results[-1].method
    _tell_apart(results, chosen)
    return Evaluation(results)


def compare(data: Any, methods: Any = None, *, smaller_is_better: bool = False, **options_: Any) -> Comparison:
    """Are the differences between methods more than chance? The corrected resampled t-test of every two of them, and p by Holm.

    Parameters
    ----------
    data : graphs, Evaluation or dict
        What evaluate() takes; or an Evaluation; or a dictionary: for each name the test scores [repetitions, folds] of a method of one's own, a
        MethodResult, or a whole Evaluation, all on the same folds. An Evaluation of one method takes the name.
    methods : list, optional
        Of evaluate(); of an Evaluation, which of its methods.
    smaller_is_better : bool
        Scores without graphs are errors.
    **options_
        Those of evaluate().

    Returns
    -------
    Comparison

    Examples
    --------
    >>> import leman
    >>> compared = leman.compare({"mine": [[80.0, 82.0, 84.0]], "theirs": [[70.0, 73.0, 74.0]]})
    >>> round(compared.rows[0]["difference"], 2)
    9.67
    """
    known = isinstance(data, Evaluation) or isinstance(data, Mapping) and methods is None
    for name, value in options_.items() if known else ():
        raise ArgumentError(f"{name}: found {v.shown(value)}, expected it only beside data: the scores are known already")
    if isinstance(data, Evaluation):
        return _agreed(data, smaller_is_better).compare(methods)
    if known:
        return _compared(data, bool(smaller_is_better))
    if methods is None:
        raise ArgumentError("methods: found none, expected two or more")
    return _agreed(evaluate(data, methods, **options_), smaller_is_better).compare()
