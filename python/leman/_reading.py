"""Files and graph6 into data sets."""
from __future__ import annotations

import ctypes
import os
import tempfile
import warnings
from typing import Any, Sequence

from . import _declarations as c
from . import _values as v
from ._dataset import Dataset
from ._errors import Error, InputError, warn
from ._learned import with_y
from ._library import Session, options
from ._policy import policy_of, warn_of_cleaning


def read(path: str | os.PathLike[str], *, format: str | None, directed: bool, policy: str | None, class_column: str | None,
         positive: str | Sequence[str] | None, vertex_labels: str | None, n_jobs: int | None, verbose: bool, **molecules: Any) -> Dataset:
    """Dataset.read()."""
    chosen = options("leman_read_options")
    with Session(n_jobs, verbose=verbose) as session:
        rules = policy_of(session, directed, policy)
        if format is not None:
            chosen.format = v.choice(session, "leman_format_parse", format, "format")
        chosen.policy = ctypes.pointer(rules)
        if class_column is not None:
            chosen.class_column = v.text(str(class_column), "class_column")
        if positive is not None:
            words = positive if isinstance(positive, str) else ",".join(map(str, positive))
            chosen.positive = v.text(words, "positive")
        if vertex_labels is not None:
            chosen.vertex_labels = v.path(vertex_labels, "vertex_labels")
        if molecules:
            from ._molecules import choose
            choose(session, chosen, **molecules)
        cleaning, out = c.leman_cleaning(), ctypes.c_void_p()
        session.call("leman_dataset_read", v.path(path), ctypes.byref(chosen), ctypes.byref(cleaning),
                     ctypes.byref(out))
    made = Dataset._made(out)
    warn_of_cleaning(cleaning, rules, os.fspath(path))
    if molecules.get("standardize"):
        from ._molecules import warn_of_duplicates
        warn_of_duplicates(made)
    return made


def from_graph6(texts: Any, y: Any, *, directed: bool, policy: str | None) -> Dataset:
    """Dataset.from_graph6(), through a file: the reader of the library is for files."""
    parts = [texts] if isinstance(texts, (str, bytes)) else v.listed(texts, "texts")
    lines = [v.text(part, "texts") if isinstance(part, str) else part for part in parts]
    for place, line in enumerate(lines):
        if not isinstance(line, bytes):
            raise InputError(f"texts: found {type(line).__name__} in place {place}, expected graph6 or sparse6")
        if not line.strip() and not isinstance(texts, (str, bytes)):
            raise InputError(f"texts: found an empty text in place {place}, expected graph6 or sparse6")
    with tempfile.TemporaryDirectory(prefix="leman-") as folder:
        path = os.path.join(folder, "texts")
        with open(path, "wb") as file:
            file.writelines(line.rstrip(b"\r\n") + b"\n" for line in lines if line.strip())
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                made = Dataset.read(path, format="graph6", directed=directed, policy=policy) if any(map(bytes.strip, lines)) else Dataset()
            except Error as error:
                raise type(error)(str(error).replace(path, "texts")) from None
    for warning in caught:
        warn(str(warning.message).replace(path, "texts"), warning.category)
    return with_y(made, y)
