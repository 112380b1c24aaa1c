"""What is to be learned: y and targets as the library holds them.

Which of the two y is depends on the kinds of its values alone, not on whether they came as a list or an array: integers,
booleans, texts and other things are classes, floats are targets. None, NaN, pandas.NA and what numpy.ma masks are missing, in
both; integers of which some are missing are classes, in whatever column they come. Estimators that know what they learn say so: a
classifier takes floats that are whole as classes, a regression takes integers as numbers. Several columns of 0 and 1, or of -1 and
1, and missing values are tasks, as scikit-learn's multilabel indicators are: a class each.
"""
from __future__ import annotations

import ctypes
import decimal
import fractions
import numbers
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _declarations as c
from . import _values as v
from ._dataset import Dataset
from ._errors import InputError, warn
from ._library import Session

Array = npt.NDArray[Any]
_REALS = (float, decimal.Decimal, fractions.Fraction)  # numbers that are not whole as their type says


def _as_array(y: Any) -> Array:
    """An array of numbers, of texts or of objects; a list becomes one of objects, unless it holds rows."""
    if hasattr(y, "iloc") and getattr(y, "ndim", 1) == 2 and y.shape[1] == 1:  # a table of one column
        y = y.iloc[:, 0]
    if hasattr(y, "__array__"):
        return v.array(y, "y", masked=True)
    if isinstance(y, (str, bytes, dict)):
        raise InputError(f"y: found {v.shown(y)}, expected a list or an array, one value for each graph")
    listed = v.listed(y, "y")
    if listed and all(isinstance(value, (list, np.ndarray)) and np.ndim(np.asarray(value, dtype=object)) == 1 for value in listed):
        return v.array(listed, "y", "one row for each graph", masked=True)
    found = np.empty(len(listed), dtype=object)
    for i, value in enumerate(listed):
        found[i] = value
    return found


def _plain(values: Sequence[Any]) -> list[Any]:
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def _is_integer(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def are_tasks(reals: npt.NDArray[np.float64]) -> bool:
    """Several columns of 0 and 1, or of -1 and 1, and NaN."""
    two = reals.ndim == 2 and reals.shape[1] > 1
    return two and any(bool(np.all((reals == low) | (reals == 1) | np.isnan(reals))) for low in (0, -1))


def task_values(reals: npt.NDArray[np.float64] | None) -> list[int]:
    """The two classes of tasks."""
    return [-1 if reals is not None and np.any(reals == -1) else 0, 1]


def check_no_tasks(found: Array, reals: npt.NDArray[np.float64]) -> None:
    """Several columns of -1, 0 and 1 may be tasks whose missing values are -1, or numbers: only the caller knows. Other integers are
    learned as reals, which a warning says. found: the numbers as they came."""
    known = [value for value in found.ravel().tolist() if not v.is_missing(value)]
    if reals.shape[1] < 2 or not known:
        return
    integers = all(isinstance(value, (int, np.integer)) for value in known)
    if integers and np.all((np.abs(reals) <= 1) | np.isnan(reals)):
        raise InputError(f"y: found {reals.shape[1]} columns of -1, 0 and 1, expected 0 and 1, or -1 and 1, with NaN or None for missing values; "
                         "GraphNetworkRegressor learns numbers")
    if integers:
        warn(f"y: {reals.shape[1]} columns of integers are learned as reals; GraphNetworkRegressor learns them without this line, and columns "
             "of 0 and 1 are learned as classes")


class Supervision:
    """classes [graphs], the numbers of the library, INT64_MIN where one is missing; or targets [graphs, columns], NaN where one
    is missing. values: class number i is values[i]; None: the numbers are the classes. tasks: the columns of y, which are targets,
    are classes 0 and 1."""

    def __init__(self, y: Any, targets: Any, graphs: int, wanted: str = "either", several: bool = False) -> None:
        """wanted: "classes", "reals" or "either". several: y may have several columns even if one of the two is wanted."""
        self.classes: npt.NDArray[np.int64] | None = None
        self.values: list[Any] | None = None
        self.targets: npt.NDArray[np.float64] | None = None
        self.tasks = False
        self._floats = False
        if targets is not None:
            self._add_reals(v.reals(targets, "targets", graphs, masked=True), "targets")
        if y is None:
            return
        found = _as_array(y)
        if found.ndim == 2 and found.shape[1] == 1:
            found = found[:, 0]
        if found.shape[:1] != (graphs,):
            raise InputError(f"y: found {found.shape[0] if found.ndim else 'one value'}, expected {graphs}, one for each graph")
        if found.ndim > 1 and wanted != "either" and not several:
            raise InputError(f"y: found an array of shape {found.shape}, expected ({graphs},)")
        if found.ndim > 1 or wanted == "reals":
            reals = self._numbers(found, graphs)
            self.tasks = wanted != "reals" and are_tasks(reals)
            if wanted == "classes" and not self.tasks:
                raise InputError(f"y: found an array of shape {found.shape} with other values than 0 and 1, or -1 and 1, expected one column of "
                                 "classes, or several of 0, 1 and missing values")
            if wanted == "either" and several and not self.tasks:
                check_no_tasks(found, reals)
            self._add_reals(reals, "y")
        elif found.dtype.kind == "f":
            self._from_floats(found, wanted)
        else:
            self._from_values(found, wanted)

    def _numbers(self, found: Array, graphs: int) -> npt.NDArray[np.float64]:
        if found.dtype.kind == "O":
            flat = [np.nan if v.is_missing(value) else value for value in found.ravel().tolist()]
            for value in flat:
                if isinstance(value, (str, bytes)) or not isinstance(value, (numbers.Real, np.number, np.bool_)) and \
                        not hasattr(value, "__float__"):
                    raise InputError(f"y: found {v.shown(value)}, expected numbers")
            found = np.array([v.reals([value], "y")[0, 0] for value in flat]).reshape(found.shape)
        elif found.dtype.kind not in "fiub":
            raise InputError(f"y: found an array of {found.dtype}, expected numbers")
        return v.reals(found, "y", graphs)

    def _add_reals(self, found: npt.NDArray[np.float64], what: str) -> None:
        if np.isinf(found).any():
            raise InputError(f"{what}: found {found[np.isinf(found)][0]}, expected finite numbers; NaN is missing")
        if found.shape[1]:
            self.targets = found if self.targets is None else np.hstack([self.targets, found])

    def _from_floats(self, found: Array, wanted: str) -> None:
        if wanted == "either":
            return self._add_reals(v.reals(found, "y"), "y")
        missing = np.isnan(found)
        if not np.all(missing | (found == np.floor(found)) & (np.abs(found) < 2.0**53)):
            raise InputError("y: found reals, a continuous target, expected classes; a regressor (GraphSVR, GraphNetworkRegressor) learns reals")
        self._floats = True
        self.classes = np.where(missing, 0, found).astype(np.int64)
        self.classes[missing] = c.LEMAN_CLASS_MISSING

    def _from_values(self, found: Array, wanted: str) -> None:
        if found.dtype.kind in "iu" and (found.dtype.kind == "i" and found.dtype.itemsize < 8 or not found.size or
                                         int(found.max()) <= v.LARGEST and int(found.min()) > c.LEMAN_CLASS_MISSING):
            self.classes = np.ascontiguousarray(found, dtype=np.int64)
            return
        listed = [None if v.is_missing(value) else value for value in _plain(list(found))]
        known = [value for value in listed if value is not None]
        if any(isinstance(value, _REALS) for value in known) and \
                all(isinstance(value, (int, *_REALS)) and not isinstance(value, bool) for value in known):
            return self._from_floats(np.array([np.nan if value is None else float(value) for value in listed]), wanted)
        if all(_is_integer(value) and c.LEMAN_CLASS_MISSING < value <= v.LARGEST for value in known):
            self.classes = np.array([c.LEMAN_CLASS_MISSING if value is None else value for value in listed], dtype=np.int64)
            return
        try:
            different = dict.fromkeys(known)
        except TypeError:
            raise InputError("y: found a class that is not hashable, expected numbers, texts or the like") from None
        try:
            self.values = sorted(different)
        except TypeError:
            self.values = list(different)
        place = {value: i for i, value in enumerate(self.values)}
        self.classes = np.array([c.LEMAN_CLASS_MISSING if value is None else place[value] for value in listed], dtype=np.int64)

    def known_classes(self) -> Array:
        """The classes that occur, as they were given, in the order of their numbers."""
        assert self.classes is not None
        labels = np.unique(self.classes[self.classes != c.LEMAN_CLASS_MISSING])
        if self.values is not None:
            return v.class_array([self.values[label] for label in labels.tolist()])
        return labels.astype(np.float64) if self._floats else labels

    def names(self) -> tuple[list[int], list[bytes]]:
        """The words of those classes that are no numbers, for files: increasing numbers, and their names."""
        found = [(i, str(value)) for i, value in enumerate(self.values or ())
                 if not isinstance(value, (bool, np.bool_, numbers.Number))]
        found = [(i, word) for i, word in found if word and word.isprintable()]
        return [i for i, _ in found], [word.encode() for _, word in found]


def with_learned(data: Dataset, learned: Supervision) -> Dataset:
    """The same graphs with these classes and targets, and the words of the classes."""
    columns = 0 if learned.targets is None else learned.targets.shape[1]
    labels, words = learned.names()
    made, named = ctypes.c_void_p(), ctypes.c_void_p()
    with Session(1) as session:
        session.call("leman_dataset_set_targets", data._handle.pointer, v.pointer(learned.classes, ctypes.c_int64),
                     v.pointer(learned.targets, ctypes.c_double), columns, ctypes.byref(made))
    found = data._derived(made, data._nodes)
    if learned.classes is not None and words:
        numbers_ = np.array(labels, dtype=np.int64)
        with Session(1) as session:
            session.call("leman_dataset_set_class_names", made, v.pointer(numbers_, ctypes.c_int64),
                         (ctypes.c_char_p * len(words))(*words), len(words), ctypes.byref(named))
        found = data._derived(named, data._nodes)
    found._class_values = learned.values
    return found


def with_y(data: Dataset, y: Any) -> Dataset:
    """The same graphs with y as their classes or targets; those they had, where y is None."""
    return data if y is None else with_learned(data, Supervision(y, None, len(data)))


def own_classes(data: Dataset) -> Array:
    """The classes of a data set as its y has them, in the order of their numbers."""
    labels = data.classes
    assert labels is not None
    return data._class_values_of(np.unique(labels[labels != c.LEMAN_CLASS_MISSING]))
