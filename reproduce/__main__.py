"""The published tables computed again: python3 reproduce --help, and docs/reproduction.md.

Writes a page on which each cell shows our result, the published one and the difference. Exit status 0: success, 1: failure,
with a message, 2: wrong command line.
"""
from __future__ import annotations

import argparse
import json
import math
import os
import re
import shlex
import sys
from typing import Any

import leman
from leman._library import Session, cpu_count

import brec
import compute
import finished
import molecules
import report_kernels
import report_networks
import tables
from page import Page
from results import Failure, Reproduction

# Tables that are asked for alone: the program that computes each, and the options that have no effect on it.
ALONE: dict[str, Any] = {"brec": brec, **{name: molecules for name in molecules.TABLES}}
OF_NETWORKS = ("runs", "epochs", "device", "precision", "device_memory", "merge", "beside")


# ---- Options -------------------------------------------------------------------------------------


def _number(least: int) -> Any:
    def number(text: str) -> int:
        if not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"found '{text}', expected a number from {least} on")
        return int(text)
    return number


def _bytes(text: str) -> int:
    found = re.fullmatch(r"(\d+)([KMGT]?)", text.upper())
    if not found:
        raise argparse.ArgumentTypeError(f"found '{text}', expected a size in bytes such as 512M or 2G")
    return int(found[1]) << 10 * " KMGT".index(found[2] or " ")


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not 0 <= found <= 1e9:
        raise argparse.ArgumentTypeError(f"found '{text}', expected seconds from 0 to 1e9")
    return found


def _list(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="reproduce", description=__doc__.splitlines()[0], formatter_class=argparse.RawDescriptionHelpFormatter,
                                epilog=f"Tables of kernels: {', '.join(tables.KERNELS)}. Of networks: {', '.join(tables.NETWORKS)}. Of tests: brec. "
                                       f"Of molecules: {', '.join(molecules.TABLES)}.")
    p.add_argument("--table", type=_list, metavar="LIST", help=f"tables of kernels or of networks, with commas, or one of {', '.join(ALONE)} (default: kernels)")
    p.add_argument("--only", type=_list, action="extend", default=[], metavar="LIST", help="data sets, or classes of brec, with commas (default: all)")
    p.add_argument("-a", "--methods", type=_list, action="extend", default=[], metavar="LIST",
                   help="kernels or networks of the tables by any of their names, with commas (default: all); of brec: colourings, with "
                        "marked vertices such as delta-2-LWL*2; of tables of molecules: names of their rows")
    p.add_argument("--repetitions", type=_number(1), metavar="N", help="kernels: repeat the cross-validation N times (default: 10)")
    p.add_argument("--runs", type=_number(1), metavar="N",
                   help="networks: N runs of each cell from independent random starts; of folds, N repetitions (default: 5). Tables of "
                        "molecules: N splits of each kind (default: 3)")
    p.add_argument("--epochs", type=_number(1), metavar="E", help="networks: end after so many epochs at the latest (default: as published)")
    p.add_argument("--device", metavar="NAME", help="networks: cpu, cuda, cuda:1, ... or auto (default: auto, a CUDA device where there is one)")
    p.add_argument("--precision", metavar="NAME", help="on a CUDA device: tf32, fp32 or bf16 (default: tf32)")
    p.add_argument("--device-memory", type=_bytes, metavar="SIZE", help="use at most SIZE bytes of the memory of the CUDA device (default: what is free on it)")
    p.add_argument("--data", metavar="FOLDER", help="take NAME.zip, NAME.leman or the folder NAME from there instead of the download cache")
    p.add_argument("--offline", action="store_true", help="take what the cache has, fetch nothing")
    p.add_argument("--time-limit", type=_seconds, metavar="SECONDS",
                   help="kernels: give a cell up after so long, which shows OOT. Networks: stop after so long, also within a run; with "
                        "--resume the next command goes on (default: none)")
    p.add_argument("--resume", metavar="FILE", help="keep finished cells in FILE, and take those that it has: an interrupted run goes on")
    p.add_argument("--merge", action="append", default=[], metavar="FILE",
                   help="networks: take the finished runs of this file of --resume too, such as that of another machine; may be repeated")
    p.add_argument("--beside", action="append", default=[], metavar="FILE",
                   help="networks: show the results of leman evaluate, compare or train (their JSON) in the figure of errors against seconds; "
                        "may be repeated")
    p.add_argument("--finished", action="store_true", help="compute nothing, show what the files of --resume and --merge have")
    p.add_argument("-o", "--output", action="append", default=[], metavar="FILE",
                   help="write the page to FILE.md, or with charts to FILE.html, instead of Markdown to standard output; may be repeated")
    p.add_argument("--folder", metavar="FOLDER",
                   help="as `make reproduce` calls it: FOLDER/reproduction.html, .md and .cells where --output and --resume are not given, "
                        "all tables of kernels and a day for each cell where --table and --time-limit are not given")
    p.add_argument("-t", "--threads", type=_number(1), default=cpu_count(), metavar="N", help="use N threads (default: all cores)")
    p.add_argument("--memory", type=_bytes, metavar="SIZE", help="stay within SIZE bytes, such as 2G, or refuse the work")
    p.add_argument("--seed", type=_number(0), default=1, metavar="N", help="seed of everything random (default: 1)")
    p.add_argument("--json", action="store_true", help="write one JSON object to standard output")
    p.add_argument("-q", "--quiet", action="store_true", help="no remarks, only errors")
    return p


def _options(words: list[str]) -> argparse.Namespace:
    asked = _parser().parse_args(words)
    alone = asked.table[0] if asked.table and len(asked.table) == 1 and asked.table[0] in ALONE else ""
    if alone:
        unused = [name for name in ALONE[alone].UNUSED if getattr(asked, name)]
        if unused:
            raise Failure(f"option '--{unused[0].replace('_', '-')}' has no effect on the table {alone}", 2)
    if asked.folder:
        beside = os.path.join(asked.folder, "reproduction")
        if not asked.resume and not (asked.finished and asked.merge):
            asked.resume = beside + ".cells"
        asked.output = asked.output or [beside + ".html", beside + ".md"]
        if asked.table is None and asked.time_limit is None:
            asked.time_limit = 86400.0
        asked.table = asked.table or list(tables.KERNELS)
    asked.table, asked.time_limit = ["kernels"] if asked.table is None else asked.table, asked.time_limit or 0.0
    if alone:
        if asked.finished and not asked.resume:
            raise Failure("option '--finished' has no effect without --resume", 2)
        return _check_outputs(asked)
    unknown = [name for name in asked.table if name not in (*tables.KERNELS, *tables.NETWORKS)]
    if unknown or not asked.table:
        raise Failure(f"option '--table': found '{''.join(unknown[:1])}', expected some of "
                      f"{', '.join((*tables.KERNELS, *tables.NETWORKS))}, or one of {', '.join(ALONE)} alone", 2)
    networks = [name for name in asked.table if name in tables.NETWORKS]
    if networks and len(networks) < len(asked.table):
        raise Failure("option '--table': found tables of kernels and of networks, expected one kind in one command", 2)
    for name in ("repetitions",) if networks else OF_NETWORKS:
        if getattr(asked, name):
            raise Failure(f"option '--{name.replace('_', '-')}' has no effect: no table is one of "
                          f"{'kernels' if networks else 'networks'}", 2)
    asked.repetitions, asked.runs, asked.device = asked.repetitions or 10, asked.runs or 5, asked.device or "auto"
    if asked.finished and not asked.resume and not asked.merge:
        raise Failure("option '--finished' has no effect without --resume or --merge", 2)
    if asked.offline and (asked.data or asked.finished):
        raise Failure("option '--offline' has no effect with --data or --finished", 2)
    return _check_outputs(asked)


def _check_outputs(asked: argparse.Namespace) -> argparse.Namespace:
    for path in asked.output:
        if path != "-" and not path.endswith((".md", ".html")):
            raise Failure(f"option '--output': found '{path}', expected a name that ends in .md or .html, or '-'", 2)
        if asked.resume and os.path.realpath(path) == os.path.realpath(asked.resume):
            raise Failure(f"option '--output': found the file of --resume, '{path}', expected two files", 2)
    if "-" in asked.output and asked.json:
        raise Failure("the page and --json cannot both go to standard output", 2)
    return asked


# ---- Data and cells ------------------------------------------------------------------------------


def _say(asked: Any, sentence: str) -> None:
    if not asked.quiet:
        print(f"reproduce: {sentence}", file=sys.stderr, flush=True)


def _locate(asked: Any, name: str) -> tuple[str, str]:
    """Where the set of this file name is; "" and why it is not there. Of QM9 a folder, which has positions, goes before a zip."""
    if asked.data:
        for end in ("", ".leman", ".zip") if name == "QM9" else (".zip", "", ".leman"):
            path = os.path.join(asked.data, name + end)
            if os.path.exists(path):
                return path, ""
        return "", f"{asked.data}: found neither {name}.zip nor {name}.leman nor a folder {name}"
    try:
        with Session(1) as session:
            return compute.download(session, name, asked.offline), ""
    except leman.Error as error:
        return "", str(error)


def _said_of(r: Reproduction, table: tables.Table, method: str, set_: str) -> str:
    """What is said when a cell has been filled."""
    shown = next((q for q in table.quantities if not math.isnan(r.cell(table, q, method, set_).value)), table.quantities[0])
    c = r.cell(table, shown, method, set_)
    where = f"{table.name}, {set_}, {method}"
    if c.state != "done":
        return f"{where}: {c.note}"
    said = f"{where}: {shown} {c.value:.4g}" + (f", {c.count} run{'s' * (c.count != 1)}" if not r.kernels else "")
    return said + (f" of {c.seconds:.3g} s" if shown != "seconds" else "") + (f"; {c.note}" if c.note else "")


def _run(r: Reproduction) -> None:
    """All cells, one file of data after the other."""
    files = list(dict.fromkeys(tables.file_of(s) for s in r.all_sets()))
    found, first = False, ""
    for name in files:
        path, why = _locate(r.asked, name)
        sets = [s for s in r.all_sets() if tables.file_of(s) == name]
        if not path:
            first = first or why
            r.missing.update({s: why for s in sets})
            continue
        with Session(r.asked.threads) as session:
            data = compute.read(session, path, attributes=name == "QM9")
        found = True
        r.data.update({s: compute.checksum(data) for s in sets})
        for s in sets:
            for t in r.tables:
                for m in r.methods[t.name] if s in r.sets[t.name] else ():
                    if r.run(t, m, s, data, path) or (t.name, m, s) in r.notes:
                        _say(r.asked, _said_of(r, t, m, s))
    if not found:
        raise Failure(first + ("; nor is any other data set there that was asked for" if len(files) > 1 else ""))
    for why in dict.fromkeys(r.missing.values()):
        _say(r.asked, why)
    _check(r)


def _check(r: Reproduction) -> None:
    """Where no network could be computed, the first says why. What the time limit has stopped is no failure."""
    cells = [(t, m, s) for t in r.tables for m in r.methods[t.name] for s in r.sets[t.name]]
    if not r.notes or r.stopped or any(r.cell(t, t.quantities[0], m, s).state == "done" for t, m, s in cells):
        return
    (table, method, set_), why = next(iter(r.notes.items()))
    raise Failure(f"{table}, {set_}, {method}: {why}" + ("; nor could any other cell be computed" if len(r.notes) > 1 else ""))


# ---- Results -------------------------------------------------------------------------------------


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _json_cell(r: Reproduction, t: tables.Table, quantity: str, method: str, set_: str) -> dict[str, Any]:
    c, p = r.cell(t, quantity, method, set_), r.published(t, quantity, method, set_)
    found: dict[str, Any] = {"method": method, "set": set_, "part": quantity, "state": c.state, "ours": c.value, "ours_std": c.deviation,
                             "published": p.value, "published_std": p.deviation, "difference": c.difference, "seconds": c.seconds,
                             "note": c.note or None}
    if r.kernels:
        times = quantity == "seconds"
        found.update(ours_std_folds=c.folds, published_word=p.word or None, misprint=bool(p.note), faster=c.difference if times else None,
                     difference=None if times else c.difference, repetitions=c.count or None,
                     remark=tables.REMARKS[method][1] if method in tables.REMARKS else None)
    else:
        found.update(runs=c.count, epochs=c.epochs, parameters=c.parameters or None)
    return {key: _plain(value) for key, value in found.items()}


def _json(r: Reproduction) -> dict[str, Any]:
    asked, sets, listed = r.asked, [], []
    for s in r.all_sets():
        sums = r.checksums(s)
        one = {"name": s, "missing": r.missing.get(s) if r.kernels else s in r.missing, "data_checksum": sums[0] if len(sums) == 1 or sums and not r.kernels else None}
        sets.append({**one, "baseline": tables.majority(s)} if r.kernels else one)
    for t in r.tables:
        parts = {"overfitting": ["train", "test"], "times": ["seconds"]}.get(t.name, t.quantities)
        listed.append({"table": t.name, "cells": [_json_cell(r, t, q, m, s) for m in r.methods[t.name] for q in parts for s in r.sets[t.name]]})
    head = {"repetitions": asked.repetitions, "folds": 10} if r.kernels else {"runs": asked.runs, "device": asked.device}
    return {**head, "seed": asked.seed, "version": leman.__version__, "threads": asked.threads, "sets": sets, "tables": listed}


def _write(path: str, text: str) -> None:
    """The file appears whole or not at all."""
    beside = f"{path}.{os.getpid()}.new"
    try:
        with open(beside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.remove(beside)


def _reproduce(asked: Any, command: str) -> tuple[Page, dict[str, Any]]:
    """Tables of kernels or of networks: the page, and what --json prints."""
    r = Reproduction(asked)
    for path in asked.beside:
        report_networks.add_beside(r, path)
    if not asked.finished:
        _run(r)
    return (report_kernels if r.kernels else report_networks).page(r, command), _json(r) if asked.json else {}


def _run_command(words: list[str]) -> None:
    asked = _options(words)
    command = "python3 reproduce " + shlex.join(words)
    if asked.folder and words[:1] == ["--folder"]:
        command = f'make reproduce REPRODUCE="{shlex.join(words[2:])}"'
    if asked.table[0] in ALONE:
        page, found = ALONE[asked.table[0]].reproduce(asked, command, _say)
    else:
        page, found = _reproduce(asked, command)
    for path in asked.output:
        if path == "-":
            sys.stdout.write(page.markdown())
        else:
            _write(path, page.html() if path.endswith(".html") else page.markdown())
            _say(asked, f"{path}: wrote the page")
    if asked.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    elif not asked.output:
        sys.stdout.write(page.markdown())


def main() -> int:
    try:
        _run_command(sys.argv[1:])
        return 0
    except (Failure, finished.WrongFile, leman.Error, OSError) as error:
        print(f"reproduce: {error}", file=sys.stderr)
        return getattr(error, "status", 1)
    except KeyboardInterrupt:
        print("reproduce: interrupted", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
