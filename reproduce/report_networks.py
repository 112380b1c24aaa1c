"""The page of the tables of networks: errors and accuracies, ours beside the published ones, and what errors cost."""
from __future__ import annotations

import json
import math
from typing import Any

import leman

import charts
import tables
from page import Page
from results import Cell, Failure, Reproduction

LEGEND = charts.legend([charts.Series("ours", 0, (), ()), charts.Series("published", 1, (), ())])


def _digits(table: tables.Table, quantity: str, value: float) -> int:
    """Behind the point: accuracies, ratios and long times have one digit, errors three."""
    if table.name == "pair-networks":
        return 4
    if table.name in ("zinc", "qm9", "alchemy"):
        return 3
    return (3 if value < 1 else 1 if value < 100 else 0) if quantity == "seconds" else 1


def _with_deviation(value: float, deviation: float, digits: int) -> str:
    return f"{value:.{digits}f}" + ("" if math.isnan(deviation) else f" ±{deviation:.{digits}f}")


def _ours(r: Reproduction, table: tables.Table, quantity: str, c: Cell) -> str:
    if c.state != "done":
        return "no data" if c.state == "missing" else "not run"
    if math.isnan(c.value):
        return "–"
    said = _with_deviation(c.value, c.deviation, _digits(table, quantity, c.value))
    return said + (f" ×{c.count}" if c.count != r.asked.runs else "")


def _published(table: tables.Table, quantity: str, theirs: tables.Published) -> str:
    if math.isnan(theirs.value):
        return "–"
    return _with_deviation(theirs.value, theirs.deviation, 0 if quantity == "seconds" else _digits(table, quantity, theirs.value))


def _difference(table: tables.Table, quantity: str, c: Cell) -> str:
    if math.isnan(c.difference):
        return ""
    digits = _digits(table, quantity, c.value)
    return f"{0:.{digits}f}" if abs(c.difference) < 0.5 * 10.0**-digits else f"{c.difference:+.{digits}f}"


def _rows(r: Reproduction, table: tables.Table, method: str) -> list[tuple[str, list[str]]]:
    rows, sets = [], r.sets[table.name]
    for quantity in table.quantities:
        prefix = f"{quantity} " if len(table.quantities) > 1 else ""
        cells = [r.cell(table, quantity, method, s) for s in sets]
        rows.append(("ours", ["" if rows else tables.title(method), prefix + "ours", *(_ours(r, table, quantity, c) for c in cells)]))
        if table.name == "network-times" and quantity == "seconds":
            continue  # seconds of an epoch are not published
        rows.append(("theirs", ["", prefix + "published",
                                *(_published(table, quantity, table.published(quantity, method, s)) for s in sets)]))
        rows.append(("between", ["", prefix + "difference", *(_difference(table, quantity, c) for c in cells)]))
    return rows


def _figure(r: Reproduction, table: tables.Table, set_: str) -> tuple[str, str, str]:
    methods, quantity = r.methods[table.name], table.quantities[0]
    cells = [r.cell(table, quantity, m, set_) for m in methods]
    if all(math.isnan(c.value) for c in cells):
        return set_, "", ""
    theirs, count = [table.published(quantity, m, set_) for m in methods], range(len(methods))
    series = [charts.Series("", 1, [p.value for p in theirs], [i + 0.15 for i in count], [p.deviation for p in theirs]),
              charts.Series("", 0, [c.value for c in cells], [i - 0.15 for i in count], [c.deviation for c in cells],
                            values=f".{_digits(table, quantity, 1)}f")]
    return set_, charts.rows(set_, quantity, [tables.title(m) for m in methods], series), ""


# ---- Does it pay? --------------------------------------------------------------------------------


def add_beside(r: Reproduction, path: str) -> None:
    """Results of `leman evaluate`, `compare` or `train` as JSON, for the figure of errors against seconds."""
    expected = "expected the JSON of leman evaluate, compare or train"
    try:
        with open(path, encoding="utf-8") as file:
            root = json.load(file)
    except OSError as error:
        raise Failure(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Failure(f"{path}: found no JSON: {error}") from None
    if not isinstance(root, dict) or not isinstance(root.get("name"), str):
        raise Failure(f"{path}: found no name of a data set, {expected}")
    if root["name"] not in r.all_sets():
        raise Failure(f"{path}: found results on '{root['name']}', which is no set of the tables that were asked for")
    for found in root.get("methods", [root]):
        value, seconds = found.get("test_mean"), found.get("seconds")
        if "seconds_features" in found and "seconds_svm" in found:
            seconds = found["seconds_features"] + found["seconds_svm"]
        elif isinstance(seconds, (int, float)):
            seconds /= len(found.get("runs") or [0])
        if "test_mean" not in found:
            value = (found.get("best") or {}).get("test_error")
            if isinstance(value, (int, float)) and found.get("learns", "targets") != "targets":
                value = 100 - value
        if not isinstance(found.get("method"), str) or not isinstance(value, (int, float)) or not isinstance(seconds, (int, float)):
            raise Failure(f"{path}: found no method with its test score and seconds, {expected}")
        r.beside.append({"set": root["name"], "method": found["method"], "value": value, "seconds": seconds,
                         "deviation": math.nan if found.get("test_std") is None else found["test_std"],
                         "parameters": found.get("parameters") or 0})


def _costs(r: Reproduction, table: tables.Table, page: Page) -> None:
    """Errors against the seconds of a run and against parameters, of every set that has results of two methods or more."""
    percent, quantity = table.name in tables.PERCENT, table.quantities[0]
    label = "test error (%)" if percent else quantity
    for s in r.sets[table.name]:
        found: list[dict[str, Any]] = []
        for m in r.methods[table.name]:
            c = r.cell(table, quantity, m, s)
            if not math.isnan(c.value):
                found.append({"method": m, "value": c.value, "deviation": c.deviation, "seconds": c.seconds, "parameters": c.parameters})
        found += [b for b in r.beside if b["set"] == s]
        if len(found) < 2:
            continue
        rows, points = [], []
        for f in found:
            error, name = 100 - f["value"] if percent else f["value"], tables.title(f["method"])
            rows.append(("", [name, "", _with_deviation(error, f["deviation"], 1 if percent else 3),
                              f"{f['seconds']:.3g}" if f["seconds"] < 100 else f"{f['seconds']:.0f}",
                              f"{f['parameters']:,}" if f["parameters"] else "–"]))
            points.append((f["seconds"], f["parameters"], error, f"{name}: {error:.3g} in {f['seconds']:.3g} s"))
        page.heading(f"Does it pay? Error against seconds and parameters on {s}")
        figures = []
        for place, axis in ((0, "seconds"), (1, "parameters")):
            known = [p for p in points if p[place] > 0]
            if len(known) > 1:
                series = [charts.Series("", 0, [p[place] for p in known], [p[2] for p in known], titles=[p[3] for p in known])]
                title = f"Error against {axis}"
                figures.append((title, charts.dots(title, f"{axis} (logarithmic)", label, series, (True, False)), ""))
        page.figures("", "", figures)
        page.table(["method", "", label, "seconds", "parameters"], rows)


# ---- The page ------------------------------------------------------------------------------------


def _clock(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def _table(r: Reproduction, table: tables.Table, page: Page) -> None:
    methods, sets, runs, most = r.methods[table.name], r.sets[table.name], r.asked.runs, r.asked.epochs
    page.heading(table.title)
    page.paragraph(f"{tables.ABOUT[table.name]} {runs} run{' from a random start' if runs == 1 else 's from independent random starts'}, "
                   f"seed {r.asked.seed}{f', at most {most} epoch' + 's' * (most != 1) if most else ''}. ± is the standard deviation over "
                   "runs, ×N marks a cell of N runs; the last row of a method is ours less the published result.")
    page.figures("", LEGEND, [_figure(r, table, s) for s in sets])
    page.table(["method", "", *sets], [row for m in methods for row in _rows(r, table, m)])
    notes, costs = [], []
    for s in sets:
        if s in r.missing:
            notes.append((s, r.missing[s]))
        notes += [(f"{s}, {tables.title(m)}", r.notes[table.name, m, s]) for m in methods if (table.name, m, s) in r.notes]
    for m in methods:
        for s in sets:
            c = r.cell(table, table.quantities[0], m, s)
            if c.parameters:
                costs.append((f"{s}, {tables.title(m)}", f"{c.parameters:,} parameters, {c.epochs:.0f} epoch{'s' * (c.epochs != 1)} in "
                                                         f"{_clock(c.seconds)} a run"))
    page.items(notes)
    page.items(costs)
    if table.name != "network-times":
        _costs(r, table, page)


def page(r: Reproduction, command: str) -> Page:
    both = agree = 0
    for t in r.tables:
        for m in r.methods[t.name]:
            for s in r.sets[t.name]:
                c, p = r.cell(t, t.quantities[0], m, s), t.published(t.quantities[0], m, s)
                if not math.isnan(c.difference) and not math.isnan(p.deviation):
                    both, agree = both + 1, agree + (abs(c.difference) <= 2 * p.deviation)
    made = Page("The published tables of networks, reproduced", leman.__version__,
                f"{agree} of {both} results of networks within two published deviations" if both else "", "",
                "Networks of Weisfeiler and Leman go sparse (NeurIPS 2020), computed again. All values are in the tables below.")
    for table in r.tables:
        _table(r, table, made)
    files = r.sources()
    properties = [("seed", str(r.asked.seed)), ("runs asked for", str(r.asked.runs))]
    threads = f"{r.asked.threads} thread{'s' * (r.asked.threads != 1)}"
    properties.append(("computed", f"nothing: all runs are those of {files}") if r.asked.finished else
                      ("device", f"{r.asked.device}, {threads}" + (f"; finished runs from {files}" if files else "")))
    for s in r.all_sets():
        sums = r.checksums(s)
        if sums:
            more = "; some runs are of other data of that name" if len(sums) > 1 else ""
            properties.append((f"checksum of {s}", sums[0] + more))
    made.reproduce(command, properties, "The same seed gives the same results on the same kind of hardware; running times depend on the "
                                        "hardware.")
    return made
