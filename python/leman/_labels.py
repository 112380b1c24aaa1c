"""Labels of any hashable kind as the integers that the library colours by, and back.

An integer is itself, so labels from Python and labels in files agree. Any other label becomes a number of 62 bits that
depends on its value alone, never on the order in which labels are met: data sets that are converted one by one, training
set here and test set there, meet under the same numbers. Each data set keeps a dictionary from those numbers to the labels.
"""
from __future__ import annotations

import decimal
import enum
import hashlib
import numbers
import pickle
import struct
from typing import Any, Hashable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ._errors import InputError

Ints = npt.NDArray[np.int64]
LabelMap = Mapping[int, Hashable]
_FIRST = 1 << 62  # labels that are no integers lie from here on


def _pack(tag: bytes, parts: Iterable[bytes]) -> bytes:
    return tag + b"".join(struct.pack(">Q", len(part)) + part for part in parts)


def _bytes_of(label: Any) -> bytes:
    """Equal labels have equal bytes, others have others."""
    if isinstance(label, (bool, np.bool_)):
        label = int(label)
    if isinstance(label, enum.Enum):
        return _pack(b"M", [type(label).__qualname__.encode(), label.name.encode()])
    if isinstance(label, decimal.Decimal):
        label = float(label)
    if isinstance(label, numbers.Integral):
        return b"I" + str(int(label)).encode()
    if isinstance(label, numbers.Real):
        if float(label).is_integer():
            return _bytes_of(int(float(label)))
        return b"F" + struct.pack(">d", float(label))
    if isinstance(label, str):
        return b"S" + str(label).encode("utf-8", "surrogatepass")
    if isinstance(label, bytes):
        return b"B" + label
    if isinstance(label, tuple):
        return _pack(b"T", map(_bytes_of, label))
    if isinstance(label, frozenset):
        return _pack(b"E", sorted(map(_bytes_of, label)))
    if label is None:
        return b"N"
    name = type(label).__qualname__.encode()
    if getattr(type(label), "__repr__") is not object.__repr__:
        return _pack(b"R", [name, repr(label).encode("utf-8", "surrogatepass")])
    try:
        return _pack(b"P", [name, pickle.dumps(label, protocol=4)])
    except Exception as error:
        raise InputError(f"labels: found {label!r}, expected something that can be written down: {error}") from error


def number_of(label: Any) -> int:
    """The number of one label."""
    value: int | None = None
    if isinstance(label, (int, numbers.Integral, np.bool_)):
        value = int(label)
    elif isinstance(label, (numbers.Real, decimal.Decimal)) and float(label).is_integer():
        value = int(float(label))
    if value is not None and -(1 << 62) < value < _FIRST:
        return value
    return int.from_bytes(hashlib.blake2b(_bytes_of(label), digest_size=8).digest(), "big") % _FIRST + _FIRST


def encode(labels: Sequence[Any] | npt.NDArray[Any], what: str) -> tuple[Ints, dict[int, Hashable]]:
    """Labels as numbers [items] or [items, columns], and the labels behind those numbers that are no integers. A
    two-dimensional array holds several columns; a list holds one label an item, which may be a tuple."""
    if isinstance(labels, np.ndarray):
        if labels.ndim not in (1, 2):
            raise InputError(f"{what}: found an array of {labels.ndim} dimensions, expected 1 or 2")
        if labels.dtype.kind == "b" or labels.dtype.kind == "i" and labels.dtype.itemsize < 8:
            return labels.astype(np.int64), {}
        if labels.dtype.kind in "iu":
            if labels.size == 0 or -_FIRST < int(labels.min()) and int(labels.max()) < _FIRST:
                return labels.astype(np.int64, copy=False), {}
        elif labels.dtype.kind == "f":
            if np.all(np.isfinite(labels)) and np.all(labels == np.floor(labels)) and np.all(np.abs(labels) < 2.0**53):
                return labels.astype(np.int64), {}
        names, places = np.unique(labels, return_inverse=True) if labels.dtype.kind != "O" else (None, None)
        if names is not None and places is not None:
            codes, words = encode(names.tolist(), what)
            return codes[places].reshape(labels.shape), words
        codes, words = encode(labels.ravel().tolist(), what)
        return codes.reshape(labels.shape), words
    known: dict[Any, int] = {}
    words = {}
    found = np.empty(len(labels), dtype=np.int64)
    for place, label in enumerate(labels):
        try:
            number = known.get(label)
        except TypeError as error:
            raise InputError(f"{what}: found {label!r}, which is not hashable, expected a number, a string or the like"
                             ) from error
        if number is None:
            if isinstance(label, np.generic):
                label = label.item()
            number = known[label] = number_of(label)
            if type(label) is not int or number != label:
                if words.get(number, label) != label and label == label:
                    raise InputError(f"{what}: {label!r} and {words[number]!r} have the same number {number}")
                words[number] = label
        found[place] = number
    return found, words


def decode(numbers_: npt.NDArray[Any], words: LabelMap) -> list[Any]:
    """The labels behind numbers [items] or [items, columns]; rows of several columns become tuples."""
    if numbers_.ndim == 2 and numbers_.shape[1] == 1:
        numbers_ = numbers_[:, 0]
    plain = numbers_.tolist()
    if numbers_.ndim == 2:
        return [tuple(words.get(value, value) for value in row) for row in plain]
    return [words.get(value, value) for value in plain] if words else plain
