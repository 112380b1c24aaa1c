"""Which cells are asked for, how they are filled, and what is known of each.

A cell of the tables kernels and overfitting is one piece of work "accuracy", a cell of times one piece "seconds"; a cell of a
table of networks has `runs` pieces, each named by the table. What fails for lack of memory or time is a result of a kernel and a
note of a network; any other failure of a kernel ends the program.
"""
from __future__ import annotations

import math
import os
import statistics
import time
from typing import Any, Iterable, NamedTuple

import leman
from leman import _errors as errors

import compute
import finished
import tables


class Failure(Exception):
    """A sentence for the person who made the mistake; status is the exit status of the program."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        super().__init__(sentence)
        self.status = status


class Cell(NamedTuple):
    state: str  # "done", "open", "oom", "oot", "missing"
    value: float = math.nan
    deviation: float = math.nan
    folds: float = math.nan  # deviation over the folds of one repetition
    count: int = 0  # repetitions or runs
    difference: float = math.nan  # ours less the published result; of kernels' times, the published result over ours
    seconds: float = math.nan  # of the work, or of one run
    epochs: float = math.nan
    parameters: int = 0
    note: str = ""


def _work(table: tables.Table) -> str:
    return {"kernels": "accuracy", "overfitting": "accuracy", "times": "seconds"}.get(table.name, table.name)


def _mean(numbers: Iterable[float | None]) -> tuple[float, float]:
    """Mean and population deviation of those that are numbers; NaN."""
    known = [n for n in numbers if n is not None and math.isfinite(n)]
    return statistics.fmean(known) if known else math.nan, statistics.pstdev(known) if len(known) > 1 else math.nan


class Reproduction:
    def __init__(self, asked: Any) -> None:
        """asked: the options of the command line."""
        self.asked = asked
        self.tables = tables.load(asked.table)
        self.kernels = self.tables[0].name in tables.KERNELS
        self.accuracies = tables.Table("kernels")
        self.until = time.monotonic() + asked.time_limit if asked.time_limit else math.inf
        self.missing: dict[str, str] = {}
        self.data: dict[str, str] = {}
        self.notes: dict[tuple[str, str, str], str] = {}
        self.stopped: set[tuple[str, str, str]] = set()  # by the time limit
        self.beside: list[dict[str, Any]] = []
        self.methods, self.sets = self._chosen()
        self.entries: list[dict[str, Any]] = []
        for path in [*asked.merge, *([asked.resume] if asked.resume and (asked.finished or os.path.exists(asked.resume)) else [])]:
            self.entries += finished.read(path)

    # ---- What is asked for -----------------------------------------------------------------------

    def _chosen(self) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """Methods and sets of every table, in its order."""
        methods = {t.name: t.methods if not self.asked.methods else [] for t in self.tables}
        with leman._library.Session(1) as session:
            for name in self.asked.methods:
                rows = {t.name: [m for m in t.methods if compute.same_method(session, name, m, t.is_kernel(m))] for t in self.tables}
                if not any(rows.values()) and not any(compute.same_method(session, name, m, True) and self.kernels
                                                      for m in self.accuracies.methods):
                    known = ", ".join(dict.fromkeys(m for t in self.tables for m in t.methods))
                    raise Failure(f"found '{name}', which is no method of the tables that were asked for: {known}", 2)
                methods = {t.name: [m for m in t.methods if m in methods[t.name] + rows[t.name]] for t in self.tables}
        sets = {t.name: [s for s in t.sets if not self.asked.only or s in self.asked.only] for t in self.tables}
        for name in self.asked.only:
            if not any(name in found for found in sets.values()):
                known = ", ".join(dict.fromkeys(s for t in self.tables for s in t.sets))
                raise Failure(f"found '{name}', which is no data set of the tables that were asked for: {known}", 2)
        return methods, sets

    def all_sets(self) -> list[str]:
        return list(dict.fromkeys(s for t in self.tables for s in self.sets[t.name]))

    def _limit(self, table: tables.Table, method: str, set_: str) -> int:
        """The largest number of epochs; 0: of kernels, and the preset's."""
        if table.is_kernel(method):
            return 0
        published = compute.TIMED_EPOCHS if table.name == "network-times" else table.epochs(set_)
        return self.asked.epochs or published

    def sources(self) -> str:
        return ", ".join([*([self.asked.resume] if self.asked.resume else []), *self.asked.merge])

    # ---- Finished work ---------------------------------------------------------------------------

    def _found(self, table: tables.Table, method: str, set_: str) -> list[dict[str, Any]]:
        """Entries of a cell as it was asked for. finished: whatever their data and seed."""
        def belongs(e: dict[str, Any]) -> bool:
            if (e["work"], e["method"], e["set"]) != (_work(table), method, set_):
                return False
            if not self.kernels and e["limit"] != self._limit(table, method, set_):
                return False
            return self.asked.finished or (e["seed"], e["data"]) == (self.asked.seed, self.data.get(set_))
        return [e for e in self.entries if belongs(e)]

    def _enough(self, e: dict[str, Any]) -> bool:
        """Need a kernel not be computed again?"""
        if self.asked.finished:
            return True
        if e.get("version") != leman.__version__:
            return False
        if e["state"] == "done":
            return e["work"] == "seconds" or e["repetitions"] >= self.asked.repetitions
        if e["state"] == "memory":
            return e["memory"] == self.asked.memory or bool(e["memory"] and self.asked.memory and e["memory"] >= self.asked.memory)
        return bool(self.asked.time_limit) and e["time_limit"] >= self.asked.time_limit

    def _best(self, table: tables.Table, method: str, set_: str) -> dict[str, Any] | None:
        """The entry of a kernel: one with a number goes before others, then one with more repetitions, then a later one."""
        best = None
        for e in self._found(table, method, set_):
            if self._enough(e) and (best is None or (e["state"] == "done", e["repetitions"]) >= (best["state"] == "done",
                                                                                                best["repetitions"])):
                best = e
        return best

    def _runs(self, table: tables.Table, method: str, set_: str) -> list[dict[str, Any]]:
        """The entries of a network, the last of every run."""
        return list({e["run"]: e for e in self._found(table, method, set_)}.values())

    def _add(self, entry: dict[str, Any]) -> None:
        entry["values"] = {key: None if isinstance(v, float) and math.isnan(v) else v for key, v in entry["values"].items()}
        self.entries.append(entry)
        if self.asked.resume:
            finished.add(self.asked.resume, entry)

    # ---- Computing -------------------------------------------------------------------------------

    def session(self, until: float, seed: int, threads: int | None = None, device: str | None = None) -> compute.Limited:
        asked, precision = self.asked, None
        if asked.precision and device != "cpu":
            with leman._library.Session(1) as session:
                precision = leman._values.choice(session, "leman_precision_parse", asked.precision, "precision")
        return compute.Limited(until, n_jobs=threads or asked.threads, seed=seed, memory=asked.memory, device=device or asked.device,
                               precision=precision, device_memory=asked.device_memory)

    def run(self, table: tables.Table, method: str, set_: str, data: Any, path: str) -> bool:
        """Fills a cell; was something computed?"""
        return self._run_kernel(table, method, set_, data) if self.kernels else self._run_network(table, method, set_, data, path)

    def _run_kernel(self, table: tables.Table, method: str, set_: str, data: Any) -> bool:
        if self._best(table, method, set_):
            return False
        asked = self.asked
        entry = {"work": _work(table), "method": method, "set": set_, "data": self.data[set_], "seed": asked.seed,
                 "version": leman.__version__, "repetitions": asked.repetitions, "state": "done", "memory": asked.memory,
                 "time_limit": asked.time_limit, "values": {}, "note": ""}
        until = time.monotonic() + asked.time_limit if asked.time_limit else math.inf
        try:
            if entry["work"] == "accuracy":
                with self.session(until, asked.seed, device="cpu") as session:
                    entry["values"] = compute.accuracy(session, data, method, asked.repetitions)
            else:
                with self.session(until, asked.seed, threads=1, device="cpu") as session:
                    entry["values"] = compute.gram_seconds(session, data, method)
        except leman.MemoryBudgetError as error:
            entry.update(state="memory", note=str(error))
        except errors.CancelledError:
            pass
        if entry["state"] == "done" and time.monotonic() > until:
            entry.update(state="time", values={}, note=f"not finished within {asked.time_limit:g} seconds")
        self._add(entry)
        return True

    def _run_network(self, table: tables.Table, method: str, set_: str, data: Any, path: str) -> bool:
        key, computed = (table.name, method, set_), False
        have = {e["run"] for e in self._runs(table, method, set_)}
        for run in range(self.asked.runs):
            if run in have:
                continue
            if time.monotonic() >= self.until:
                self.stopped.add(key)
                self.notes[key] = f"run {run} was not begun within {self.asked.time_limit:g} seconds"
                break
            kept = f"{self.asked.resume}.{table.name}.{method}.{set_}.run{run}" if self.asked.resume else None
            try:
                values = self._one_run(table, method, set_, run, data, path, kept)
            except errors.CancelledError:
                self.stopped.add(key)
                self.notes[key] = self._stopped_note(table, run, kept)
                break
            except (leman.MemoryBudgetError, leman.UnsupportedError, leman.FileError, leman.InputError) as error:
                self.notes[key] = str(error)
                break
            self._add({"work": table.name, "method": method, "set": set_, "data": self.data[set_], "seed": self.asked.seed,
                       "version": leman.__version__, "run": run, "limit": self._limit(table, method, set_), "values": values})
            computed = True
            if kept and os.path.exists(kept):
                os.remove(kept)  # its result is in the file of finished work
        return computed

    def _one_run(self, table: tables.Table, method: str, set_: str, run: int, data: Any, path: str,
                 kept: str | None) -> dict[str, float]:
        limit, seed = self._limit(table, method, set_), self.asked.seed
        if table.name not in tables.PERCENT:
            with self.session(self.until, seed) as session:
                return compute.regression(session, data, path, table.name, method, set_, run, seed, limit, kept)
        if not table.is_kernel(method):
            with self.session(self.until, seed + run) as session:  # a shuffle for every repetition
                return compute.folds(session, data, table.name, method, limit, kept)
        with self.session(self.until, seed + run) as session:
            values = compute.linear_svm(session, data, method, kept)
        with self.session(self.until, seed, threads=1, device="cpu") as session:
            return {**values, "seconds": compute.feature_seconds(session, data, method)}

    def _stopped_note(self, table: tables.Table, run: int, kept: str | None) -> str:
        part = {"tu-networks": "network", "mid-scale": "fold"}.get(table.name, "epoch")
        said = f"run {run} was not finished within {self.asked.time_limit:g} seconds"
        if kept and os.path.exists(kept):
            return f"{said}; the next time it goes on behind its last {part}"
        return f"{said}, nor was its first {part}: nothing of it is kept" if kept else said

    # ---- Cells -----------------------------------------------------------------------------------

    def published(self, table: tables.Table, quantity: str, method: str, set_: str) -> tables.Published:
        return (self.accuracies if quantity == "test" else table).published(quantity, method, set_)

    def cell(self, table: tables.Table, quantity: str, method: str, set_: str) -> Cell:
        theirs = self.published(table, quantity, method, set_)
        return self._kernel_cell(table, quantity, method, set_, theirs) if self.kernels else \
            self._network_cell(table, quantity, method, set_, theirs)

    def _kernel_cell(self, table: tables.Table, quantity: str, method: str, set_: str, theirs: tables.Published) -> Cell:
        entry = self._best(table, method, set_)
        if entry is None:
            return Cell("missing" if set_ in self.missing else "open")
        if entry["state"] != "done":
            return Cell({"memory": "oom", "time": "oot"}[entry["state"]], note=entry["note"])
        values = {key: math.nan if v is None else v for key, v in entry["values"].items()}
        if quantity in ("test", "train"):
            own = values[f"{quantity}_mean"]
            return Cell("done", own, values["test_std"] if quantity == "test" and entry["repetitions"] > 1 else math.nan,
                        values["test_std_folds"] if quantity == "test" else math.nan, entry["repetitions"], own - theirs.value,
                        values["seconds_features"] + values["seconds_svm"])
        own, unit = values["seconds"], 1.0
        if quantity == "ratio":
            found = self._best(table, "delta-2-LWL", set_)
            unit = found["values"]["seconds"] if found and found["state"] == "done" else math.nan
        return Cell("done", own / unit, difference=math.nan if theirs.note else theirs.value * unit / own, seconds=own)

    def _network_cell(self, table: tables.Table, quantity: str, method: str, set_: str, theirs: tables.Published) -> Cell:
        runs = self._runs(table, method, set_)
        note = self.missing.get(set_) or self.notes.get((table.name, method, set_), "")
        value, deviation = _mean(e["values"].get(quantity) for e in runs)
        if quantity == "ratio":
            own = _mean(e["values"]["seconds"] for e in runs)[0]
            value = own / _mean(e["values"]["seconds"] for e in self._runs(table, "delta-2-LGNN", set_))[0]
        return Cell("done" if runs else "missing" if set_ in self.missing else "not run", value, deviation, count=len(runs),
                    difference=value - theirs.value, seconds=_mean(e["values"]["run_seconds"] for e in runs)[0],
                    epochs=_mean(e["values"].get("epochs") for e in runs)[0],
                    parameters=max((e["values"].get("parameters", 0) for e in runs), default=0), note=note)

    def checksums(self, set_: str) -> list[str]:
        """Of the data that the cells of a set were computed on."""
        found = [self.data[set_]] if set_ in self.data else []
        for t in self.tables:
            for method in self.methods[t.name]:
                if self.kernels:
                    best = self._best(t, method, set_)
                    found += [best["data"]] if best else []
                else:
                    found += [e["data"] for e in self._runs(t, method, set_)]
        return list(dict.fromkeys(found))
