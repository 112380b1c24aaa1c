"""Results of evaluations: scores of methods, their tables, figures and comparisons."""
from __future__ import annotations

import ctypes
import math
import os
from typing import Any, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._dataset import Dataset
from ._errors import ArgumentError, UnsupportedError
from ._figures import COLORS, calibration_curve, dots_figure, precision_curve, roc_curve, rounds_figure, scores_figure, unit_figure
from ._library import Handle, Session, lib
from ._splits import Fold, folds_of
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
        self.test_mean: float = found.test_mean
        self.test_std: float = found.test_std
        self.test_low: float = found.test_low
        self.test_high: float = found.test_high
        self.train_mean: float = float(found.train_mean)
        self.baseline: float = float(found.baseline)
        self.seconds_features: float = found.seconds_features
        self.seconds_svm: float = found.seconds_svm
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
    r"""The results of `evaluate`, one for each method: ev["1-WL"] or ev[0] has `scores`, `test_mean`, `test_std`, `folds` and `predictions()`. Prints
    as a table.

    Parameters
    ----------
    results : list of MethodResult
        What evaluate() found.
    smaller_is_better : bool
        Of scores without graphs, whether they are errors; graphs say it themselves.

    Attributes
    ----------
    results : list of MethodResult
        One for each method.
    rows : list of dict
        The lines of the table: method, test_mean, test_std, test_low and test_high (a 95 % interval), train_mean, baseline, seconds.

    Examples
    --------
    >>> import leman
    >>> data = leman.generate("molecules", graphs=60, vertices=12)
    >>> large = [int(graph.num_edges > 12) for graph in data]
    >>> found = leman.evaluate(data, ["1-WL", "SP"], y=large, repetitions=2, folds=3, rounds=1, C=1.0)
    >>> [row["method"] for row in found.rows], found["SP"].scores.shape
    (['1-WL', 'SP'], (2, 3))
    >>> print(found.latex().splitlines()[0])
    \begin{tabular}{lr}
    """

    def __init__(self, results: list[MethodResult], smaller_is_better: bool = False) -> None:
        """smaller_is_better: of scores without graphs; graphs say it themselves."""
        self.results = results
        self._smaller_is_better = bool(smaller_is_better)
        self.rows: list[dict[str, Any]] = [result.row() for result in results]
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
        """What a method predicted for each graph of each test part. Of kernels and networks.

        Parameters
        ----------
        method : int or str
            Its place or its name.

        Returns
        -------
        Predictions
            Rows of repetition, fold, graph, y and predicted; of kernels and two classes also probability.
        """
        return self[method].predictions()

    def _reference(self) -> MethodResult:
        """A method whose graphs are known."""
        for result in self.results:
            if result.data is not None:
                return result
        raise UnsupportedError("found only scores that were given, expected at least one result of evaluate() among the methods")

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes a page of HTML with charts (docs/report.md); it needs neither network nor scripts.

        Parameters
        ----------
        path : path
        """
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
        """Draws a figure.

        Parameters
        ----------
        path : path
            Ends in .svg or .pdf.
        kind : str
            "scores": the mean of every method with its 95 % interval, beside the baseline. "rounds": the mean test score of every kernel by its number
            of rounds. Of the test predictions of the first repetition: "predictions", predicted against measured values of a regression; "roc",
            "precision-recall" or "calibration", of the probabilities of kernels for two classes, with the area below the curve, the average
            precision, or the mean distance of probability and share.

        Returns
        -------
        None
        """
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
        """A tabular of LaTeX (booktabs): mean and deviation of every method. The best mean is bold; an asterisk marks those that differ from it
        significantly, p < 0.05 by the corrected resampled t-test with Holm's correction.

        Parameters
        ----------
        caption, label : str, optional
            With one of them the tabular stands in a table environment.

        Returns
        -------
        str
        """
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
        """These results and, beside them, methods of one's own.

        Parameters
        ----------
        scores : dict
            For each name the test scores [repetitions, folds] on the folds of `splits`, percentages or mean absolute errors as those of the others.

        Returns
        -------
        Evaluation
        """
        reference = self._reference()
        if not isinstance(scores, Mapping):
            raise ArgumentError(f"scores: found {v.shown(scores)}, expected a dictionary from names to scores")
        return Evaluation(self.results + [_own(reference, str(name), given) for name, given in scores.items()])

    def compare(self, scores: Mapping[str, Any] | None = None) -> Comparison:
        """All pairs of methods by the corrected resampled t-test, with Holm's correction.

        Parameters
        ----------
        scores : dict, optional
            Methods of one's own, as in with_scores().

        Returns
        -------
        Comparison
        """
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
    """Pairs of methods: difference of the means, t, p, and p by Holm. Prints as a table; `compare` makes it.

    Attributes
    ----------
    evaluation : Evaluation
        The scores that are compared.
    rows : list of dict
        The lines of the table: first, second, difference, t, p and p_holm.

    Examples
    --------
    >>> import leman
    >>> compared = leman.compare({"mine": [[80.0, 82.0, 84.0]], "theirs": [[70.0, 73.0, 74.0]]})
    >>> compared.rows[0]["first"], bool(compared.rows[0]["p"] < 0.05)
    ('mine', True)
    """

    def __init__(self, evaluation: Evaluation, rows: list[dict[str, Any]]) -> None:
        self.evaluation = evaluation
        self.rows = rows

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes the page of the evaluation, on which all pairs are compared.

        Parameters
        ----------
        path : path
        """
        self.evaluation.report(path)

    def latex(self, caption: str | None = None, label: str | None = None) -> str:
        """A tabular of LaTeX (booktabs): difference, t and p of every pair; significant p (Holm, below 0.05) are bold.

        Parameters
        ----------
        caption, label : str, optional
            With one of them the tabular stands in a table environment.

        Returns
        -------
        str
        """
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
