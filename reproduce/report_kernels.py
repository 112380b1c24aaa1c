"""The page of the tables of kernels: accuracies, training against test accuracies, and times, ours beside the published ones."""
from __future__ import annotations

import math
import statistics
from typing import Any

import leman

import charts
import tables
from page import Page
from results import Reproduction

APART = 0.17  # of a row: ours above, theirs below
LEGEND = charts.legend([charts.Series("ours", 0, (), ()), charts.Series("published", 1, (), ())])


def _seconds(value: float) -> str:
    return f"{value:.{4 if value < 0.01 else 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0}f}"


def _ours(r: Reproduction, table: tables.Table, quantity: str, method: str, set_: str) -> str:
    c = r.cell(table, quantity, method, set_)
    if c.state in ("oom", "oot"):
        return c.state.upper()
    if math.isnan(c.value):
        return "no data" if set_ in r.missing else "not run"
    if quantity == "seconds":
        return _seconds(c.value)
    said = f"{c.value:.1f}" + (f" ±{c.deviation:.1f}" if not math.isnan(c.deviation) else "")
    return said + (f" ×{c.count}" if quantity == "test" and c.count != r.asked.repetitions else "")


def _published(theirs: tables.Published, quantity: str) -> str:
    if theirs.word:
        return theirs.word.replace("<", "< ")
    if math.isnan(theirs.value):
        return "–"
    deviation = f" ±{theirs.deviation:.1f}" if not math.isnan(theirs.deviation) else ""
    return f"{theirs.value:.{0 if quantity == 'seconds' else 1}f}{deviation}" + (" (t)" if theirs.note else "")


def _difference(value: float, quantity: str) -> str:
    if math.isnan(value):
        return ""
    if quantity == "seconds":
        return f"{value:.1f}" if value < 10 else f"{value:.0f}"
    return "0.0" if abs(value) < 0.05 else f"{value:+.1f}"


def _rows(r: Reproduction, table: tables.Table, quantity: str, method: str, sets: list[str], prefix: str = "",
          between: str = "difference") -> list[tuple[str, list[str]]]:
    """Ours, published and, where `between` names it, the difference."""
    mark = tables.REMARKS[method][0] if method in tables.REMARKS and quantity in ("test", "train") else ""
    title = tables.title(method) + (f" {mark}" if mark else "") if prefix != "test " else ""
    rows = [("ours", [title, prefix + "ours", *(_ours(r, table, quantity, method, s) for s in sets)]),
            ("theirs", ["", prefix + "published", *(_published(r.published(table, quantity, method, s), quantity) for s in sets)])]
    if between:
        rows.append(("between", ["", between, *(_difference(r.cell(table, quantity, method, s).difference, quantity) for s in sets)]))
    return rows


def _notes(r: Reproduction, table: tables.Table, quantity: str) -> list[tuple[str, str]]:
    """Cells without a number, missing sets, misprints, and remarks on methods."""
    items = []
    for s in r.sets[table.name]:
        if s in r.missing:
            items.append((s, r.missing[s]))
        for m in r.methods[table.name]:
            note = r.cell(table, quantity, m, s).note
            if note:
                items.append((f"{s}, {tables.title(m)}", note))
    if table.name != "overfitting":
        items += [("(t)", p.note) for s in r.sets[table.name] for m in r.methods[table.name]
                  if (p := r.published(table, quantity, m, s)).note]
    if quantity == "test":
        items += dict.fromkeys(tables.REMARKS[m] for m in r.methods[table.name] if m in tables.REMARKS)
    return items


# ---- Charts --------------------------------------------------------------------------------------


def _absent(r: Reproduction, table: tables.Table, quantity: str, set_: str) -> str:
    """What the rows of a set leave out: "No published result: 3-WL (OOM)." """
    words = {"oom": "OOM", "oot": "OOT"}
    theirs = [f"{tables.title(m)} ({p.word})" for m in r.methods[table.name]
              if (p := r.published(table, quantity, m, set_)).word in ("OOM", "OOT")]
    ours = [f"{tables.title(m)} ({words.get(c.state, 'not run')})" for m in r.methods[table.name]
            if (c := r.cell(table, quantity, m, set_)).state != "done"]
    return (f"No published result: {', '.join(theirs)}. " if theirs else "") + (f"No result of ours: {', '.join(ours)}." if ours else "")


def _figure(r: Reproduction, table: tables.Table, set_: str) -> tuple[str, str, str]:
    quantity = table.quantities[0]
    found = [(m, r.cell(table, quantity, m, set_), r.published(table, quantity, m, set_)) for m in r.methods[table.name]]
    found = [f for f in found if not math.isnan(f[1].value) or not math.isnan(f[2].value) or f[2].word == "<1"]
    if not found:
        return set_, "", ""
    names, count = [tables.title(m) for m, _, _ in found], range(len(found))
    above, below = [i - APART for i in count], [i + APART for i in count]
    ours, theirs = [c.value for _, c, _ in found], [1.0 if p.word == "<1" else p.value for _, _, p in found]
    if quantity == "seconds":
        series = [charts.Series("", 1, theirs, list(count)), charts.Series("", 0, [max(v, 1e-5) for v in ours], list(count))]
        svg = charts.rows(table.title, "seconds (logarithmic)", names, series, logarithmic=True)
    elif quantity == "train":
        lines = []
        for values, places, color in ((theirs, below, 1), (ours, above, 0)):
            test = [r.published(table, "test", m, set_).value if color else r.cell(table, "test", m, set_).value for m, _, _ in found]
            ends = [(math.nan if math.isnan(b) else a, b, math.nan) for a, b in zip(test, values)]
            lines.append(charts.Series("", color, [v for e in ends for v in e], [p for p in places for _ in range(3)], line=True))
        svg = charts.rows("Training against test accuracy", "accuracy (%), from test to training", names, lines)
    else:
        spread = [c.folds if math.isnan(c.deviation) else c.deviation for _, c, _ in found]
        svg = charts.rows("Test accuracy", "test accuracy (%)", names,
                          [charts.Series("", 1, theirs, below, [p.deviation for _, _, p in found]),
                           charts.Series("", 0, ours, above, spread, values=".1f")])
    return set_, svg, _absent(r, table, quantity, set_)


def _overview(r: Reproduction, page: Page) -> None:
    """All cells at once, where there are six or more."""
    figures = []
    for t in r.tables:
        quantity = t.quantities[0]
        if quantity == "train":
            continue
        groups: dict[bool, list[tuple[float, float, str]]] = {False: [], True: []}
        for m in r.methods[t.name]:
            for s in r.sets[t.name]:
                ours, theirs = r.cell(t, quantity, m, s).value, r.published(t, quantity, m, s).value
                if math.isfinite(ours) and math.isfinite(theirs):
                    said = f"{s}, {tables.title(m)}: ours {ours:.4g}, published {theirs:.4g}"
                    groups[m in tables.REMARKS and quantity == "test"].append((theirs, ours, said))
        if len(groups[False]) + len(groups[True]) < 6:
            continue
        names = ("as defined", "published result is not that of the definition")
        series = [charts.Series(names[k], int(k), *map(list, list(zip(*g))[:2]), titles=[x[2] for x in g]) for k, g in groups.items() if g]
        unit, slow = ("%", False) if quantity == "test" else ("seconds, logarithmic", True)
        below = "One dot for each method and data set. On the dashed line both are equal."
        figures.append((t.title, charts.legend(series) + charts.dots(t.title, f"published ({unit})", f"ours ({unit})", series,
                                                                     (slow, slow), square=True), below))
    if figures:
        page.heading("Ours against published")
        page.figures("", "", figures)


def _headline(r: Reproduction) -> tuple[str, str]:
    both, agree, defined, fresh, faster = 0, 0, 0, 0, []
    for t in r.tables:
        for m in r.methods[t.name]:
            for s in r.sets[t.name]:
                c, p = r.cell(t, t.quantities[0], m, s), r.published(t, t.quantities[0], m, s)
                if t.name == "times" and math.isfinite(c.difference):
                    faster.append(c.difference)
                if t.name == "kernels" and math.isfinite(c.difference):
                    near = abs(c.difference) <= max(1.5, 2 * p.deviation)
                    both, agree, defined = both + 1, agree + near, defined + (not near and m in tables.REMARKS)
                elif t.name == "kernels" and math.isfinite(c.value):
                    fresh += 1
    lead = ""
    if both:
        lead = "Agree: within 1.5 percentage points or two published standard deviations, whichever is more. "
        if defined and defined == both - agree:
            lead += "All others belong to methods whose published results are not those of their definition; the notes say why. "
        elif defined:
            lead += f"Of the other {both - agree}, {defined} belong to methods whose published results are not those of their " \
                    "definition; the notes say why. "
        if fresh:
            lead += f"{fresh} more cell{' has' if fresh == 1 else 's have'} a result where the paper ran out of memory or time. "
    median = statistics.median(faster) if faster else 0.0
    speed = f"{median:.1f}" if median < 10 else f"{median:.0f}"
    if faster:
        lead += f"Median speed-up over {len(faster)} Gram matri{'x' if len(faster) == 1 else 'ces'} with a published time: {speed}, " \
                "on other hardware and one thread."
    if both:
        return f"{agree} of {both} test accuracies agree with the published ones", lead
    return (f"Gram matrices {speed} times as fast as published", lead) if faster else \
        ("", "No cell has both a result of ours and a published number.")


# ---- The page ------------------------------------------------------------------------------------

CHART_NOTES = {
    "kernels": "Values are ours. Bars: one standard deviation over repetitions; over folds where there was one repetition.",
    "overfitting": "A line runs from test to training accuracy: its length is the generalisation gap.",
    "times": "Published times of less than 1 s are drawn at 1 s.",
}


def _about(r: Reproduction, table: tables.Table) -> str:
    n = r.asked.repetitions
    return {
        "kernels": f"{n} repetition{'s' if n != 1 else ''} of 10-fold cross-validation, seed {r.asked.seed}; rounds 0 to 5 and C from "
                   "10^-3 to 10^3 chosen on a tenth of the training part; SVM on the normalised Gram matrix; vertex labels where a set "
                   "has them, no edge labels. ± is the standard deviation over repetitions, ×N marks a cell of N repetitions. The last "
                   "row of a method is ours less the published result, and the last row of the table what predicting the largest class "
                   "always scores.",
        "overfitting": "The same runs: training and test accuracy of the selected SVMs.",
        "times": "Features and normalised Gram matrix of the whole set, five rounds, one thread, processor seconds without reading the "
                 "file, the minimum of up to five runs. The published seconds are whole numbers, measured on other hardware; the last "
                 "row of a method is the published time over ours.",
    }[table.name]


def _table(r: Reproduction, table: tables.Table, page: Page) -> None:
    methods, sets = r.methods[table.name], r.sets[table.name]
    page.heading(table.title)
    page.paragraph(_about(r, table))
    page.figures(CHART_NOTES[table.name], LEGEND, [_figure(r, table, s) for s in sets])
    rows = []
    for m in methods:
        if table.name == "overfitting":
            rows += _rows(r, table, "train", m, sets, "train ") + _rows(r, table, "test", m, sets, "test ")
        else:
            rows += _rows(r, table, table.quantities[0], m, sets, between="times faster" if table.name == "times" else "difference")
    if table.name == "kernels":
        rows.append(("between", ["majority class", "", *(f"{tables.majority(s):.1f}" for s in sets)]))
    page.table(["method", "", *sets], rows)
    page.items(_notes(r, table, "seconds" if table.name == "times" else "test"))
    ratios = [s for s in sets if ("ratio", "2-WL", s) in table.results]
    if table.name == "times" and ratios:
        page.heading("Seconds relative to δ-2-LWL")
        shown = [m for m in methods if ("ratio", m, "NCI1") in table.results]
        page.table(["method", "", *ratios], [row for m in shown for row in _rows(r, table, "ratio", m, ratios, between="")])
        page.items([("(t)", p.note) for m in shown for s in ratios if (p := table.published("ratio", m, s)).note])


def page(r: Reproduction, command: str) -> Page:
    headline, lead = _headline(r)
    made = Page("The published tables, reproduced", leman.__version__, headline, lead,
                "Kernels of Weisfeiler and Leman go sparse (NeurIPS 2020), computed again. All values are in the tables below.")
    _overview(r, made)
    for table in r.tables:
        _table(r, table, made)
    files = r.sources()
    properties: list[tuple[str, Any]] = [("seed", str(r.asked.seed)), ("repetitions asked for", str(r.asked.repetitions))]
    properties.append(("computed", f"nothing: all cells are those of {files}") if r.asked.finished else
                      ("threads", f"{r.asked.threads} for accuracies, 1 for times" + (f"; finished cells from {files}" if files else "")))
    for s in r.all_sets():
        sums = r.checksums(s)
        if sums:
            properties.append((f"checksum of {s}", sums[0] if len(sums) == 1 else "several: its cells are not all of the same data"))
    made.reproduce(command, properties, "Accuracies depend on the seed and not on the number of threads; running times depend on "
                                        "the hardware.")
    return made
