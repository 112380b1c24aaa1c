"""The evaluation protocol of the field: `evaluate` and `compare`.

In every fold the validation part selects rounds and C, and the selected support vector machine is tested once
(docs/evaluation.md); of a network it selects the epoch, and layers and width where there are several. All methods share the
splits, so they can be compared by the corrected resampled t-test.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any, Mapping, Sequence

from . import _declarations as c
from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError, InputError
from ._kernels import SumKernel, _Kernel, components_of, kernels_of, normalized, warn_of_attributes
from ._learned import Supervision, own_classes, with_learned
from ._library import Handle, Session, lib, options, seed_of, sized_text
from ._models import rounds_range
from ._results import Comparison, Evaluation, MethodResult, _agreed, _compared
from ._splits import Drawn


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
