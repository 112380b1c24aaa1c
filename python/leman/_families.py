"""Graphs of families, as `leman generate` makes them."""
from __future__ import annotations

import ctypes
from typing import Any, Sequence

import numpy as np

from . import _values as v
from ._convert import as_dataset
from ._dataset import Dataset
from ._errors import ArgumentError
from ._library import Session, options

# The options that only some families have: (True, these families alone) or (False, all families but these).
_FAMILIES: dict[str, tuple[bool, set[str]]] = {
    "vertices": (False, {"cfi", "grid", "petersen", "rook-shrikhande"}), "k": (True, {"cfi"}), "base": (True, {"cfi"}),
    "rows": (True, {"grid"}), "columns": (True, {"grid"}), "degree": (True, {"regular", "power-law"}),
    "probability": (True, {"random", "counts"}), "skips": (True, {"csl"}), "level": (True, {"counts"}),
}


def generate(family: str, *, graphs: int | None, vertices: int | None, k: int | None, rows: int | None, columns: int | None, degree: int | None,
             probability: float | None, skips: Sequence[int] | None, base: Any, seed: int, level: str | None) -> Dataset:
    """Dataset.generate()."""
    chosen, out = options("leman_family_options"), ctypes.c_void_p()
    given_ = dict(vertices=vertices, k=k, rows=rows, columns=columns, degree=degree, probability=probability, skips=skips, base=base,
                  level=level)
    with Session(1) as session:
        kind = v.choice(session, "leman_family_parse", family, "family")
        if level is not None:
            chosen.level = v.choice(session, "leman_level_parse", level, "level")
    for name, value in given_.items():
        if value is not None and (family in _FAMILIES[name][1]) != _FAMILIES[name][0]:
            raise ArgumentError(f"{name}: the family {family} has no such option")
    if base is not None and k is not None:
        raise ArgumentError("found both k and base, expected one of them: k stands for the complete graph with k + 1 vertices")
    graphs_of_base = None if base is None else as_dataset(base)
    if graphs_of_base is not None:
        chosen.base = graphs_of_base._handle.pointer.value
    for name, value in (("graphs", graphs), ("vertices", vertices), ("k", k), ("rows", rows), ("columns", columns),
                        ("degree", degree)):
        if value is not None:
            setattr(chosen, name, v.integer(value, name, 0, 2**32 - 1))
    if probability is not None:
        chosen.probability = v.real(probability, "probability")
    chosen.seed = v.integer(seed, "seed", 0, 2**64 - 1)
    if skips is not None:
        given = v.integers(skips, "skips")
        if given.ndim != 1 or given.size and given.min() < 1:
            raise ArgumentError(f"skips: found {v.shown(skips)}, expected numbers above 0")
        lengths = np.ascontiguousarray(given, dtype=np.uint64)
        chosen.skips, chosen.skip_count = v.pointer(lengths, ctypes.c_size_t), len(lengths)
    with Session(1) as session:
        session.call("leman_dataset_generate", kind, ctypes.byref(chosen), ctypes.byref(out))
    return Dataset._made(out)
