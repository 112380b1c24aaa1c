"""The table brec: how many of the 400 pairs of BREC each test tells apart, class by class.

A test is a colouring until it is stable. "delta-2-LWL*2" marks vertices: for every choice of up to two vertices, one after the other, the graph
without marks, with one and with both has a sequence of hashes; two graphs are told apart if the multisets of these sequences differ. Of
choices that symmetries exchange one is coloured (nauty). A test with two marks tells apart at most what the colouring with two more
components does, on connected graphs with equally many vertices, and takes no more memory than the colouring itself.
"""
from __future__ import annotations

import collections
import ctypes
import os
import re
import time
from typing import Any, NamedTuple

import numpy as np

import leman
from leman import _declarations as c
from leman._colors import _coloring
from leman._library import Session, lib, sized_text

import tables
from page import Page
from results import Failure

CLASSES = {"basic": 60, "regular": 50, "strongly-regular": 50, "extension": 100, "CFI": 100, "4-vertex": 20, "distance-regular": 20}
METHODS = ("1-WL", "SPD-WL", "DS-WL(EGO)", "DRFWL(2)", "DRFWL(2):3", "RD-WL", "GD-WL", "SWL(VS)", "PSWL(VS)", "LFWL(2)", "SWL(SV)", "PSWL(SV)",
           "GSWL", "SSWL", "SLFWL(2)", "delta-2-LWL", "2-FWL", "delta-3-LWL")
UNUSED = ("repetitions", "runs", "epochs", "device", "precision", "device_memory", "merge", "beside", "resume", "finished", "offline",
          "time_limit")
FILE = "BREC.pairs"
_SHARED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "shared", "data")


Marks = tuple[list[int], int]  # marked vertices in order, and how many lists symmetries turn into this one


class Pair(NamedTuple):
    number: int  # counted from 0, in the order of the file
    set_: str
    graphs: leman.Dataset  # two


class Result(NamedTuple):
    told: dict[str, list[int]]  # of each class the numbers of the pairs that are told apart
    seconds: float  # of processor time


# ---- Tests ---------------------------------------------------------------------------------------


def _hashes(asked: Any, data: leman.Dataset, method: str) -> list[tuple[int, int]]:
    found = (c.leman_graph_hash * len(data))()
    with Session(asked.threads, memory=asked.memory) as session:
        coloring = _coloring(session, method, "stable", count_every_round=True)
        session.call("leman_graph_hashes", data._handle.pointer, ctypes.byref(coloring), found)
    return [(one.hash[0], one.hash[1]) for one in found]


def _marked(graph: Any, marks: list[int]) -> leman.Dataset:
    """The graph with label 1 at the first mark, 2 at the second, and so on."""
    labels = np.zeros(graph.num_vertices, dtype=np.int64)
    labels[marks] = range(1, len(marks) + 1)
    return leman.Dataset.from_arrays(graph.edge_index, vertex_labels=labels)


def _one_more(asked: Any, graph: Any, lists: list[Marks], method: str) -> dict[tuple[int, int], list[Marks]]:
    """Every list with one more marked vertex, one for each orbit, by the hash of the marked graph."""
    found: dict[tuple[int, int], list[Marks]] = {}
    for marks, count in lists:
        orbits = leman.symmetry(_marked(graph, marks)[0], n_jobs=1).orbits
        for vertex, size in zip(*np.unique(np.asarray(orbits), return_counts=True)):
            more = [*marks, int(vertex)]
            found.setdefault(_hashes(asked, _marked(graph, more), method)[0], []).append((more, count * int(size)))
    return found


def _differ(asked: Any, graphs: leman.Dataset, lists: tuple[list[Marks], list[Marks]], method: str, left: int) -> bool:
    """Do the sequences of hashes differ that begin with these lists of marks? The smallest classes go first."""
    a, b = (_one_more(asked, graphs[i], lists[i], method) for i in range(2))
    counts = [{key: sum(count for _, count in members) for key, members in side.items()} for side in (a, b)]
    if counts[0] != counts[1]:
        return True
    return left > 1 and any(_differ(asked, graphs, (a[key], b[key]), method, left - 1) for key in sorted(a, key=lambda key: (len(a[key]), key)))


def _name(asked: Any, given: str) -> tuple[str, int]:
    """The paper's name of a test and the number of its marks. Fails if the library does not know it."""
    method, _, marks = given.partition("*")
    if marks not in ("", "1", "2", "3", "4"):
        raise Failure(f"option '--methods': found '{given}', expected 1 to 4 marked vertices behind '*'", 2)
    with Session(1) as session:
        coloring = _coloring(session, method, "stable", count_every_round=True)
    return sized_text(lib.leman_coloring_paper_name, ctypes.byref(coloring)), int(marks or 0)


def _run_test(asked: Any, pairs: list[Pair], method: str, marks: int) -> Result:
    told: dict[str, list[int]] = {p.set_: [] for p in pairs}
    began = time.process_time()
    for p in pairs:
        a, b = _hashes(asked, p.graphs, method)
        if a != b or marks and _differ(asked, p.graphs, ([([], 1)], [([], 1)]), method, marks):
            told[p.set_].append(p.number)
    return Result(told, time.process_time() - began)


# ---- Data and the page ---------------------------------------------------------------------------


def _read(asked: Any) -> list[Pair]:
    path = os.path.join(asked.data or _SHARED, FILE)
    if not os.path.exists(path):
        raise Failure(f"{path}: no such file; --data FOLDER says where {FILE} is: the 400 pairs of GraphPKU/BREC, one a line, two graph6 "
                      "texts with a tab between")
    chosen: set[int] = set()
    first = 0
    for name, count in CLASSES.items():
        chosen.update(range(first, first + count) if name in asked.only or not asked.only else ())
        first += count
    for name in (name for name in asked.only if name not in CLASSES):
        numbers = re.fullmatch(r"(\d{1,3})(?:-(\d{1,3}))?", name)
        if not numbers or not int(numbers[1]) <= int(numbers[2] or numbers[1]) < first:
            raise Failure(f"option '--only': found '{name}', expected some of {', '.join(CLASSES)}, or numbers of pairs such as 340-359", 2)
        chosen.update(range(int(numbers[1]), int(numbers[2] or numbers[1]) + 1))
    with open(path, encoding="ascii") as file:
        lines = [line.split() for line in file if line.strip()]
    set_of = [name for name, count in CLASSES.items() for _ in range(count)]
    if len(lines) != len(set_of) or any(len(line) != 2 for line in lines):
        raise Failure(f"{path}: found {len(lines)} lines, expected {len(set_of)} of two graph6 texts each")
    return [Pair(i, s, leman.Dataset.from_graph6(line)) for i, (line, s) in enumerate(zip(lines, set_of)) if i in chosen]


def _title(method: str, marks: int) -> str:
    return method + (f", {marks} marked" if marks else "")


def _page(asked: Any, command: str, pairs: list[Pair], results: dict[tuple[str, int], Result]) -> Page:
    classes = dict(collections.Counter(p.set_ for p in pairs))
    published = tables.Table("brec")
    page = Page(published.title, leman.__version__, note="Counts of pairs; a published figure stands below ours where one is known.")
    page.heading("Pairs told apart")
    page.paragraph(tables.ABOUT["brec"])
    rows = []
    for (method, marks), result in results.items():
        counts = [len(result.told[s]) for s in classes]
        rows.append(("ours", [_title(method, marks), "ours", *map(str, counts), str(sum(counts)), f"{result.seconds:.3g}"]))
        theirs = [published.published("pairs", method, s).value for s in classes]
        if not marks and all(t == t for t in theirs) and classes == {s: CLASSES[s] for s in classes}:
            rows.append(("theirs", ["", "published", *(f"{t:.0f}" for t in theirs), f"{sum(theirs):.0f}", ""]))
            rows.append(("between", ["", "difference", *(f"{n - t:+.0f}" for n, t in zip(counts, theirs)), f"{sum(counts) - sum(theirs):+.0f}", ""]))
    page.table(["test", "", *(f"{s} ({n})" for s, n in classes.items()), f"all ({sum(classes.values())})", "seconds"], rows)
    page.items([(_title(*test), "does not tell apart " + _left(pairs, result)) for test, result in results.items()
                if 0 < len(pairs) - sum(map(len, result.told.values())) <= 30])
    page.reproduce(command, [("threads", str(asked.threads))], "Pairs are counted from 0 in the order of the file. Seconds are processor time.")
    return page


def _left(pairs: list[Pair], result: Result) -> str:
    told = {number for numbers in result.told.values() for number in numbers}
    return "pairs " + ", ".join(str(p.number) for p in pairs if p.number not in told)


def reproduce(asked: Any, command: str, say: Any) -> tuple[Page, dict[str, Any]]:
    """Computes the table. Returns its page, and what --json prints."""
    pairs = _read(asked)
    classes = dict(collections.Counter(p.set_ for p in pairs))
    results = {}
    for given in asked.methods or METHODS:
        test = _name(asked, given)
        results[test] = found = _run_test(asked, pairs, *test)
        say(asked, f"brec, {_title(*test)}: {sum(map(len, found.told.values()))} of {len(pairs)} pairs")
    published = tables.Table("brec")
    cells = [{"method": method, "marks": marks, "set": s, "pairs": count, "ours": len(result.told[s]), "told_apart": result.told[s],
              "published": None if marks or p != p else int(p)}
             for (method, marks), result in results.items() for s, count in classes.items()
             for p in [published.published("pairs", method, s).value]]
    return _page(asked, command, pairs, results), {
        "version": leman.__version__, "threads": asked.threads, "tables": [{"table": "brec", "cells": cells}],
        "tests": [{"method": method, "marks": marks, "seconds": result.seconds} for (method, marks), result in results.items()]}
