"""Predictions that can be matched with the rows they came from: of a file of molecules, or of a list in which some are missing."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Sequence

from . import _declarations as c
from . import _values as v
from ._dataset import Dataset
from ._errors import Error, InputError
from ._library import Session, lib, options
from ._molecules import is_table, smiles_of

Row = dict[str, Any]
_OWN = ("row", "name", "smiles", "status", "place", "class", "score", "probabilities", "value", "out_of_vocabulary")


def rows_of_file(path: Any, reading: int, directed: bool, columns: Sequence[str]) -> tuple[Dataset, list[Row]]:
    """The data set of a file of molecules that can be read, and all rows of the file; place: the graph of the row."""
    chosen, policy, out, rows = options("leman_read_options"), options("leman_policy"), ctypes.c_void_p(), ctypes.c_void_p()
    cleaning = c.leman_cleaning()
    for name in columns:
        if "," in name:
            raise InputError(f"columns: found {name!r}, expected names without commas")
    with Session(1) as session:
        if reading:
            session.call("leman_reading_apply", reading, ctypes.byref(chosen), ctypes.byref(policy))
        policy.directed = directed
        chosen.policy, chosen.skip_unreadable = ctypes.pointer(policy), True
        chosen.rows = ctypes.cast(ctypes.pointer(rows), type(chosen.rows))
        if columns:
            chosen.row_columns = v.text(",".join(columns), "columns")
        session.call("leman_dataset_read", v.path(path), ctypes.byref(chosen), ctypes.byref(cleaning), ctypes.byref(out))
    data = Dataset._made(out)
    if not rows:
        raise InputError(f"{os.fspath(path)}: found no file of molecules, expected SMILES, a table of them or an SDF")
    try:
        found = []
        for i in range(lib.leman_rows_count(rows)):
            row = lib.leman_rows_get(rows, i)
            texts = {name: (lib.leman_rows_value(rows, i, place) or b"").decode("utf-8", "replace") for place, name in enumerate(columns)}
            fault = (row.fault or b"").decode("utf-8", "replace")
            found.append({"row": i, "name": row.name.decode("utf-8", "replace"), "smiles": row.smiles.decode("utf-8", "replace"),
                          "status": fault or "ok", "place": None if fault else int(row.graph), **texts})
        return data, found
    finally:
        lib.leman_rows_free(rows)


def rows_of_list(graphs: Any, reading: int) -> tuple[Dataset | None, list[Row]]:
    """The same of a list of SMILES, of molecules of RDKit or of other graphs, of which some may be None."""
    from ._convert import as_dataset
    listed: list[Any] = v.listed(graphs, "graphs")
    found: list[Row] = []
    kept: list[Any] = []
    for i, graph in enumerate(listed):
        row: Row = {"row": i, "name": "", "smiles": graph if isinstance(graph, str) else "", "status": "ok", "place": len(kept)}
        if graph is None or v.is_missing(graph):
            row.update(status="found None, expected a graph", place=None)
        elif isinstance(graph, str):
            try:
                from ._molecules import from_smiles
                from_smiles([graph], reading=reading)
            except Error as error:
                row.update(status=str(error).removeprefix("SMILES:0: "), place=None)
        if row["place"] is not None:
            kept.append(graph)
        found.append(row)
    if kept and all(isinstance(graph, str) for graph in kept):
        from ._molecules import from_smiles
        return from_smiles(kept, reading=reading), found
    return (as_dataset(kept, reading=reading) if kept else None), found


def rows_of(graphs: Any, reading: int, directed: bool, columns: Any) -> tuple[Dataset | None, list[Row]]:
    """Of a path or of a data set or list. A row has row, name, smiles, status, place and the columns."""
    names = [columns] if isinstance(columns, str) else list(columns or ())
    taken = [name for name in names if name in _OWN] + [name for i, name in enumerate(names) if name in names[:i]]
    if taken:
        raise InputError(f"columns: found {taken[0]!r}, expected each column once, and none of {', '.join(_OWN)}, which a prediction has itself")
    if isinstance(graphs, (str, os.PathLike)):
        return rows_of_file(graphs, reading, directed, names)
    if names:
        raise InputError("columns: found a list of graphs, expected the path of a file")
    if is_table(graphs):
        graphs = smiles_of(graphs)
    if isinstance(graphs, Dataset):
        return graphs, [{"row": i, "name": graphs._graph_name(i), "smiles": "", "status": "ok", "place": i} for i in range(len(graphs))]
    return rows_of_list(graphs, reading)

