"""Values of Python as values of the library: the one place where numbers, texts and arrays are checked before C sees them.

What does not fit is an ArgumentError, or an InputError where it is data, that says what was found and what was expected; no
exception of numpy or ctypes leaves this module, and nothing is cut off or wraps around.
"""
from __future__ import annotations

import ctypes
import math
import os
from typing import Any, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ._errors import ArgumentError, Error, InputError

Array = npt.NDArray[Any]
LARGEST = 2**63 - 1


def shown(value: Any) -> str:
    """A value as it stands in a sentence: short, on one line."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"an object of {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def is_integer(value: Any) -> bool:
    return not isinstance(value, (bool, np.bool_)) and hasattr(value, "__index__") and not isinstance(value, np.ndarray)


def integer(value: Any, name: str, least: int = 0, most: int = LARGEST, expected: str = "") -> int:
    """A whole number from `least` to `most`."""
    if is_integer(value) and least <= int(value) <= most:
        return int(value)
    bounds = f"a number from {least} on" if most >= LARGEST else f"a number from {least} to {most}"
    if most >= LARGEST and is_integer(value) and int(value) > most:
        bounds = f"a number from {least} to 2^63 - 1"
    raise ArgumentError(f"{name}: found {shown(value)}, expected {expected or bounds}")


def real(value: Any, name: str, expected: str = "a number", *, above: float = -math.inf, below: float = math.inf) -> float:
    """A finite number above `above` and below `below`."""
    try:
        found = math.nan if isinstance(value, (str, bytes, bool)) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = math.nan
    if not (math.isfinite(found) and above < found < below):
        raise ArgumentError(f"{name}: found {shown(value)}, expected {expected}")
    return found


def text(value: Any, name: str, expected: str = "a text") -> bytes:
    """A text for C: UTF-8 without a zero byte."""
    if isinstance(value, str) and "\0" not in value:
        try:
            return value.encode()
        except UnicodeEncodeError:
            pass
    if isinstance(value, str) and "\0" in value:
        expected += " without a zero character"
    raise ArgumentError(f"{name}: found {shown(value)}, expected {expected}")


def path(value: Any, name: str = "path") -> bytes:
    """A path for C."""
    try:
        found = os.fsencode(os.fspath(value))
    except (TypeError, UnicodeEncodeError):
        raise ArgumentError(f"{name}: found {shown(value)}, expected a path") from None
    if b"\0" in found:
        raise ArgumentError(f"{name}: found {shown(value)}, expected a path without a zero byte")
    return found


def choice(session: Any, function: str, value: Any, name: str) -> int:
    """The number of a name of an enum, by its leman_..._parse()."""
    found = ctypes.c_int()
    given = text(value, name, "a name")
    try:
        session.call(function, given, ctypes.byref(found))
    except Error as error:
        sentence = str(error)
        _, own, rest = sentence.partition(": found ")  # the library's name of the argument gives way to Python's
        raise type(error)(f"{name}: found {rest}" if own else f"{name}: {sentence}") from None
    return found.value


# ---- Arrays --------------------------------------------------------------------------------------


def is_missing(value: Any) -> bool:
    """None, NaN, NaT, pandas.NA, and numpy.ma.masked."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and value != value or \
        isinstance(value, (np.datetime64, np.timedelta64)) and bool(np.isnat(value))


def listed(values: Any, what: str) -> list[Any]:
    """Whatever can be walked through, once, as a list."""
    try:
        return list(values)
    except TypeError:
        raise InputError(f"{what}: found {shown(values)}, expected a list or an array") from None


def _objects(values: Sequence[Any]) -> Array:
    """An array [values] of what is given, None where it is missing."""
    made = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        made[i] = None if is_missing(value) else value
    return made


def _without_mask(values: Any, what: str, expected: str, masked: bool) -> Array:
    """What numpy.ma hides is missing, NaN among floats and None among others; where nothing may be missing it is refused."""
    found = np.ma.array(values)
    hidden = np.ma.getmaskarray(found)
    if not hidden.any():
        return np.asarray(found.data)
    if not masked:
        place = tuple(int(i) for i in np.argwhere(hidden)[0])
        raise InputError(f"{what}: found a masked value at {place[0] if len(place) == 1 else place}, expected {expected} without "
                         "missing values")
    if found.dtype.kind == "f":
        return np.asarray(found.filled(np.nan))
    made = np.array(found.data, dtype=object)
    made[hidden] = None
    return made


def _with_integers(values: Any, found: Array) -> Array:
    """Columns of pandas, polars and pyarrow that hold integers and missing values arrive as floats: the integers, with None."""
    method = next((getattr(values, name) for name in ("to_pylist", "tolist", "to_list") if hasattr(values, name)), None)
    items = method() if method is not None else []
    if len(items) == len(found) and all(is_missing(item) or is_integer(item) for item in items):
        return _objects(items)
    return found


def array(values: Any, what: str, expected: str = "an array", masked: bool = False) -> Array:
    """An array of numpy; rows of different lengths are refused, and so are values that a mask hides, unless `masked`: then they
    are missing. A column of integers, some of which are missing, is one of objects: integers and None."""
    if not hasattr(values, "__array__") and not isinstance(values, (list, tuple)) and hasattr(values, "__iter__"):
        values = listed(values, what)
    in_memory = isinstance(values, (np.ndarray, list, tuple))
    try:
        if isinstance(values, np.ma.MaskedArray) or isinstance(values, (list, tuple)) and \
                any(isinstance(row, np.ma.MaskedArray) for row in values):
            return _without_mask(values, what, expected, masked)
        found = np.asarray(values)
        if not in_memory and found.ndim == 1 and found.dtype.kind == "f" and np.isnan(found).any():
            found = _with_integers(values, found)
        return found
    except Error:
        raise
    except ValueError:
        raise InputError(f"{what}: found rows of different lengths, expected {expected}") from None
    except Exception as error:
        raise InputError(f"{what}: found {shown(values)}, expected {expected}: {error}") from None


def integers(values: Any, what: str) -> npt.NDArray[np.int64]:
    """Whole numbers below 2^63; floats that are whole are taken as such."""
    found = array(values, what, "integers")
    if found.dtype.kind == "f" and found.size and np.all(found == np.floor(found)) and np.all(np.abs(found) < 2.0**53):
        found = found.astype(np.int64)
    if found.dtype.kind not in "iub" and found.size:
        raise InputError(f"{what}: found an array of {found.dtype}, expected integers")
    if found.dtype == np.uint64 and found.size and int(found.max()) > LARGEST:
        raise InputError(f"{what}: found {int(found.max())}, expected numbers below 2^63")
    return np.ascontiguousarray(found, dtype=np.int64)


def reals(values: Any, what: str, items: int | None = None, masked: bool = False) -> npt.NDArray[np.float64]:
    """Reals [items, columns]; one dimension is one column. NaN stays, and what is missing is NaN; what a mask hides is so only
    with `masked`, and refused without."""
    found = array(values, what, "numbers", masked)
    if found.dtype.kind == "O":
        found = np.array([np.nan if is_missing(value) else value for value in found.ravel().tolist()],
                         dtype=object).reshape(found.shape)
    try:
        found = np.ascontiguousarray(found, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{what}: found {shown(values)}, expected numbers") from None
    if found.ndim == 1:
        found = found.reshape(-1, 1)
    if found.ndim != 2 or items is not None and found.shape[0] != items:
        rows = "items" if items is None else items
        raise InputError(f"{what}: found an array of shape {found.shape}, expected ({rows}, columns)")
    return found


def pointer(values: Array | None, type_: Any) -> Any:
    """A pointer into a contiguous array; NULL for None."""
    return None if values is None else values.ctypes.data_as(ctypes.POINTER(type_))


def class_array(values: Sequence[Any]) -> Array:
    """Classes as an array of their own type where they share one that holds them all, else of objects."""
    if len({type(value) for value in values}) == 1 and isinstance(values[0], (int, float, str)):
        found = np.array(values)
        if found.dtype.kind in "biufU" and found.tolist() == list(values):
            return found
    made = np.empty(len(values), dtype=object)
    for i, value in enumerate(values):
        made[i] = value
    return made


# ---- What several estimators take ----------------------------------------------------------------


def costs(C: Any) -> Any:
    """Values of C as an increasing array; None: the library's."""
    if C is None:
        return None
    try:
        found = np.unique(np.atleast_1d(reals(C if hasattr(C, "__iter__") and not isinstance(C, str) else [C], "C")[:, 0]))
    except Error:
        found = np.zeros(0)
    if not found.size or not np.all((found > 0) & (found <= 1e100)):
        raise ArgumentError(f"C: found {shown(C)}, expected numbers above 0 and up to 1e100")
    return found


def weights_of(class_weight: Any, classes: Sequence[Any]) -> tuple[Any, bool]:
    """(array in the order of the classes or None, balanced). A class that the dictionary does not name has weight 1."""
    expected = "expected 'balanced', a dictionary from classes to numbers, or None"
    if class_weight is None:
        return None, False
    if isinstance(class_weight, str) and class_weight == "balanced":
        return None, True
    if not isinstance(class_weight, Mapping):
        raise ArgumentError(f"class_weight: found {shown(class_weight)}, {expected}")
    unknown = [label for label in class_weight if not any(label == known for known in classes)]
    if unknown:
        raise ArgumentError(f"class_weight: found the class {shown(unknown[0])}, expected one of "
                            f"{', '.join(map(shown, classes[:8]))}{', ...' if len(classes) > 8 else ''}")
    given = {label: real(weight, f"class_weight of {shown(label)}", "a number above 0 and up to 1e100", above=0, below=1e100)
             for label, weight in class_weight.items()}
    return np.array([given.get(label, 1.0) for label in classes]), False


def sample_weights(weights: Any, items: int) -> npt.NDArray[np.float64] | None:
    """A number above 0 for each of the items; None stays None. The library refuses NaN where the weight is needed."""
    if weights is None:
        return None
    found = reals(weights, "sample_weight", items)
    if found.shape[1] != 1:
        raise InputError(f"sample_weight: found an array of shape {found.shape}, expected ({items},)")
    wrong = np.flatnonzero((found[:, 0] <= 0) | np.isinf(found[:, 0]))
    if wrong.size:
        raise InputError(f"sample_weight: found {found[wrong[0], 0]:g} as the weight of graph {wrong[0]}, expected a number above 0")
    return np.ascontiguousarray(found[:, 0])


def bounds(censoring: Any, items: int, columns: int) -> npt.NDArray[np.int8] | None:
    """-1, 0 or 1 for each of the items [columns, items]; None stays None."""
    if censoring is None:
        return None
    found = integers(censoring, "censoring")
    if found.shape != (items, columns) and (found.shape != (items,) or columns > 1):
        raise InputError(f"censoring: found an array of shape {found.shape}, expected ({items}{f', {columns}' if columns > 1 else ','})")
    wrong = found[(found < -1) | (found > 1)]
    if wrong.size:
        raise InputError(f"censoring: found {wrong[0]}, expected -1 (upper bound), 0 (value) or 1 (lower bound)")
    return np.ascontiguousarray(found.reshape(items, columns).T, dtype=np.int8)


def texts(names: Iterable[Any] | None, items: int, what: str) -> Any:
    """Names for C, None for those that are none."""
    if names is None:
        return None
    listed_ = listed(names, what)
    if len(listed_) != items:
        raise InputError(f"{what}: found {len(listed_)}, expected {items}")
    given = [None if is_missing(name) else str(name) for name in listed_]
    for place, name in enumerate(given):
        if name is not None and "\0" in name:
            raise InputError(f"{what} {place}: found {shown(name)}, expected a text without a zero character")
    return (ctypes.c_char_p * max(1, items))(*[None if name is None else name.encode("utf-8", "replace") for name in given])
