"""The evaluation protocol of the field: `evaluate` and `compare`.

In every fold the validation part selects rounds and C, and the selected support vector machine is tested once
(docs/evaluation.md); of a network it selects the epoch, and layers and width where there are several. All methods share the
splits, so they can be compared by the corrected resampled t-test.
"""
from __future__ import annotations

import ctypes
import html
import math
import os
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InputError
from ._kernels import SumKernel, _Kernel, components_of, kernels_of
from ._learned import Supervision, own_classes, with_learned
from ._library import Handle, Session, lib, options, seed_of, sized_text
from ._models import rounds_range


class MethodResult:
    """What one method scored. Means are over repetitions; classification in percent, regression mean absolute errors."""

    def __init__(self, name: str, kernels: Any, handle: Handle, networks: Any = None) -> None:
        """kernels: None of a network, of which `networks` are the folds."""
        self.method = name
        self._kernels = kernels
        self._handle = handle
        found = handle.pointer.contents
        self.test_mean, self.test_std = float(found.test_mean), float(found.test_std)
        self.test_low, self.test_high = float(found.test_low), float(found.test_high)
        self.train_mean = float(found.train_mean)
        self.baseline = float(found.baseline)
        self.seconds_features, self.seconds_svm = float(found.seconds_features), float(found.seconds_svm)
        splits = found.splits.contents
        folds = found.fold[: splits.repetitions * splits.folds]
        self.folds = [{"repetition": f.repetition, "fold": f.fold, "rounds": f.rounds, "C": f.C, "test": f.test,
                       "validation": f.validation, "train": f.train} for f in folds]
        if networks is not None:
            self.folds = [{"repetition": f.repetition, "fold": f.fold, "layers": f.layers, "width": f.width, "epoch": f.epoch,
                           "test": f.test, "validation": f.validation} for f in networks]

    def row(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("method", "test_mean", "test_std", "test_low", "test_high",
                                                       "train_mean", "baseline", "seconds_features", "seconds_svm")}


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if math.isnan(value) else f"{value:.3g}" if abs(value) < 0.1 else f"{value:.2f}"


class _Table:
    """Rows of the same keys that show themselves as text, HTML and pandas."""

    rows: list[dict[str, Any]]

    def table(self) -> str:
        """Text, one line a row."""
        if not self.rows:
            return ""
        lines = [list(self.rows[0])] + [[_cell(value) for value in row.values()] for row in self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        return "\n".join("  ".join(text.ljust(w) if i == 0 else text.rjust(w)
                                   for i, (text, w) in enumerate(zip(line, widths))) for line in lines)

    def to_pandas(self) -> Any:
        import pandas
        return pandas.DataFrame(self.rows)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        if not self.rows:
            return ""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.rows[0])
        body = "".join("<tr>" + "".join(f"<td>{html.escape(_cell(value))}</td>" for value in row.values()) + "</tr>"
                       for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Evaluation(_Table):
    """The results of `evaluate`, one MethodResult for each method: ev["1-WL"], ev.rows, ev.table(), ev.to_pandas(),
    ev.report("page.html"), ev.compare()."""

    def __init__(self, data: Dataset, results: list[MethodResult]) -> None:
        self.data = data
        self.results = results
        self.rows = [result.row() for result in results]

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, key: int | str) -> MethodResult:
        if isinstance(key, str):
            for result in self.results:
                if result.method == key:
                    return result
            raise KeyError(f"{key!r}: found {', '.join(result.method for result in self.results)}")
        return self.results[key]

    def report(self, path: str | os.PathLike[str]) -> None:
        """A page of HTML with charts (docs/report.md); needs neither network nor scripts."""
        methods = (c.leman_method * len(self.results))()
        names = [result.method.encode() for result in self.results]
        for method, result, name in zip(methods, self.results, names):
            method.name = name
            if result._kernels is not None:
                method.count = len(result._kernels)
                method.kernels = ctypes.cast(result._kernels, ctypes.POINTER(c.leman_kernel))
            method.evaluation = result._handle.pointer
        with Session() as session:
            session.call("leman_report_write", self.data._handle.pointer, methods, len(methods), None, v.path(path))

    def compare(self) -> Comparison:
        """All pairs of methods by the corrected resampled t-test, with Holm's correction."""
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


class Comparison(_Table):
    """Pairs of methods: difference of the means, t, p, and p by Holm. `evaluation` has the scores."""

    def __init__(self, evaluation: Evaluation, rows: list[dict[str, Any]]) -> None:
        self.evaluation = evaluation
        self.rows = rows


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


def _is_network(session: Session, name: str) -> bool:
    """Is it the name of a network and not of a kernel? "network:wl" says so."""
    text = v.text(name, "methods", "names of kernels and networks")
    if name.lower().startswith("network:"):
        return True
    kernel, architecture = options("leman_kernel"), options("leman_architecture")
    return "+" not in name.rstrip("+") and bool(lib.leman_kernel_parse(session.pointer, text, ctypes.byref(kernel))) and \
        not lib.leman_architecture_parse(session.pointer, text, ctypes.byref(architecture))


def _sizes(value: Any, name: str, usual: int) -> Any:
    """The numbers that validation chooses from: one, or a list."""
    listed = [usual] if value is None else [value] if v.is_integer(value) else v.listed(value, name)
    if not listed:
        raise ArgumentError(f"{name}: found an empty list, expected numbers from 1 on")
    return (ctypes.c_size_t * len(listed))(*[v.integer(number, name, 1) for number in listed])


def _evaluate_network(session: Session, data: Dataset, network: Any, splits: Any, column: int, classes: Sequence[Any],
                      scoring: str | None, class_weight: Any) -> MethodResult:
    target = ctypes.c_size_t(column)
    architecture = network._architecture(session, data, learned_sizes=False)
    training = network._training(session, architecture, column == c.LEMAN_NO_TARGET)
    if column != c.LEMAN_NO_TARGET:
        training.targets, training.target_count = ctypes.pointer(target), 1
        training.scale_targets = False  # errors in the units of the data, as those of kernels
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
    protocol.splits = splits
    trained, found = ctypes.POINTER(c.leman_network_evaluation)(), ctypes.POINTER(c.leman_evaluation)()
    session.call("leman_network_evaluate", data._handle.pointer, ctypes.byref(architecture), ctypes.byref(training),
                 ctypes.byref(protocol), ctypes.byref(trained))
    try:
        session.call("leman_network_evaluation_scores", data._handle.pointer, splits, column, trained, ctypes.byref(found))
        folds = trained.contents.fold[: trained.contents.repetitions * trained.contents.folds]
        return MethodResult(sized_text(lib.leman_architecture_paper_name, ctypes.byref(architecture)), None,
                            Handle(found, lib.leman_evaluation_free), folds)
    finally:
        lib.leman_network_evaluation_free(trained)


def _methods(session: Session, given: Any, column: int, epochs: Any, layers: Any, width: Any, ignore: dict[str, Any],
             components: int | None) -> list[Any]:
    """Arrays of kernels, and GraphNetworks."""
    from .nn import GraphNetwork
    found: list[Any] = []
    for method in [given] if isinstance(given, (str, GraphNetwork, _Kernel)) else v.listed(given, "methods"):
        if isinstance(method, GraphNetwork):
            found.append(method)
        elif isinstance(method, SumKernel):
            raise ArgumentError("methods: found a sum of kernels, expected its name, such as 'delta-2-LWL + SP'")
        elif isinstance(method, _Kernel):
            found.append(method._kernels(session))
        elif _is_network(session, method):
            found.append(GraphNetwork(method, "tu" if column == c.LEMAN_NO_TARGET else "zinc", layers, width,
                                      _EPOCHS if epochs is None else epochs, ignore_attributes=True, **ignore))
        else:
            found.append(kernels_of(session, method, 0, components=components, **ignore))
    return found


def evaluate(data: Any, methods: Any = ("delta-2-LWL",), *, y: Any = None, target: Any = None,
             rounds: Any = (0, 5), C: Any = None, repetitions: int = 10, folds: int = 10, stratified: bool = False,
             scaffold: bool = False, svm: str = "auto", scoring: str | None = None, class_weight: Any = None, ignore_vertex_labels: bool = False,
             ignore_edge_labels: bool = False, components: int | None = None, epochs: int | None = None, layers: Any = None, width: Any = None,
             device: str = "auto", random_state: Any = 1, n_jobs: int | None = None,
             verbose: bool = False) -> Evaluation:
    """Cross-validates methods, all on the same splits. methods: names of kernels ("1-WL", "WLOA", "delta-2-LWL + SP") and of
    networks ("delta-2-LGNN", "GIN-eps"), WLKernel and the like, nn.GraphNetwork. y: instead of the data's own classes; reals
    are regressed. scaffold: keep molecules with the same Bemis-Murcko scaffold in one fold. target: a column of targets by name or number. components: as WLKernel. epochs, layers, width (numbers or lists that validation
    chooses from) and device: of networks that are given by name, 30, 3 and 32. random_state draws the splits: 1, as in the program,
    another number, or None for new splits in every call."""
    data, column, classes = _with_y(as_dataset(data), y, target)
    protocol = options("leman_protocol")
    protocol.min_rounds, protocol.max_rounds = rounds_range(rounds)
    protocol.target = column
    grid = v.costs(C)
    if grid is not None:
        protocol.C, protocol.C_count = v.pointer(grid, ctypes.c_double), len(grid)
    weights, protocol.balanced_weights = v.weights_of(class_weight, classes)
    if weights is not None:
        protocol.class_weight, protocol.class_weights = v.pointer(weights, ctypes.c_double), len(weights)
    ignore: dict[str, Any] = dict(ignore_vertex_labels=bool(ignore_vertex_labels), ignore_edge_labels=bool(ignore_edge_labels))
    splits, results = ctypes.POINTER(c.leman_splits)(), []
    with Session(n_jobs, seed=seed_of(random_state), verbose=verbose, device=device) as session:
        protocol.svm = v.choice(session, "leman_svm_parse", svm, "svm")
        if scoring is not None:
            protocol.score = v.choice(session, "leman_score_parse", scoring, "scoring")
        chosen = _methods(session, methods, column, epochs, layers, width, ignore, components_of(components))
        parts = v.integer(repetitions, "repetitions", 1), v.integer(folds, "folds", 1)
        if scaffold and stratified:
            raise ArgumentError("found both scaffold and stratified, expected one of them")
        if scaffold:
            groups = data.scaffolds().astype(np.uint32)
            session.call("leman_splits_draw_groups", data._handle.pointer, v.pointer(groups, ctypes.c_uint32), *parts,
                         ctypes.byref(splits))
        else:
            session.call("leman_splits_draw", data._handle.pointer, *parts, bool(stratified), ctypes.byref(splits))
        protocol.splits = splits
        try:
            for method in chosen:
                if not isinstance(method, ctypes.Array):
                    results.append(_evaluate_network(session, data, method, splits, column, classes, scoring, class_weight))
                    continue
                found = ctypes.POINTER(c.leman_evaluation)()
                session.call("leman_evaluate", data._handle.pointer, method, len(method), ctypes.byref(protocol),
                             ctypes.byref(found))
                results.append(MethodResult(sized_text(lib.leman_kernels_paper_name, method, len(method)), method,
                                            Handle(found, lib.leman_evaluation_free)))
        finally:
            lib.leman_splits_free(splits)
    return Evaluation(data, results)


def compare(data: Any, methods: Any = None, **options_: Any) -> Comparison:
    """Are the differences between methods more than chance? Takes what evaluate() takes, or an Evaluation."""
    if isinstance(data, Evaluation):
        return data.compare()
    if methods is None:
        raise ArgumentError("methods: found none, expected two or more")
    return evaluate(data, methods, **options_).compare()
