"""Why runs of one network end in two groups: python3 reproduce/modes.py --help, and docs/reproduction.md.

Trains delta-2-LGNN on ZINC_10k from several seeds, as published and with one thing changed at a time, several runs side by side: a step of a narrow
network leaves most of a GPU idle. Writes a table of test errors, of the widest gap between them, and of training errors. Every
run is a process of `leman train` with a checkpoint in the folder of --resume, so that the same command goes on where a time limit
or a signal has ended it, on another machine too; finished runs, with their epochs, are lines of JSON in its file runs.
"""
from __future__ import annotations

import argparse
import csv
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

# What is changed: the options of `leman train`, and what the table says.
FACTORS = {
    "base": ([], "as published"),
    "patience": (["--patience", "20"], "the rate is halved after 20 epochs, not 5"),
    "batch": (["--batch", "128"], "norms and steps see 128 graphs, not 25"),
    "scaled": (["--scale-targets", "yes"], "targets have mean 0 and deviation 1"),
    "warm-up": (["--warm-up", "10"], "the rate rises over ten epochs"),
    "clip": (["--clip", "1"], "longer gradients are scaled down to norm 1"),
    "plus": (["-a", "delta-2-LGNN+"], "sums are weighed by counts"),
    "messages": (["-a", "pairs:local1+local2", "--patience", "5"], "messages read edges, and layers are those of 2024"),
}


def _factors(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in FACTORS:
            raise argparse.ArgumentTypeError(f"found '{name}', expected some of {', '.join(FACTORS)}")
    return names


def _options() -> argparse.Namespace:
    p = argparse.ArgumentParser(prog="modes", description=__doc__.splitlines()[0])
    p.add_argument("data", metavar="DATA", help="the data set, ZINC_10k.zip")
    p.add_argument("--program", default="build/leman", metavar="FILE", help="the program that trains (default: build/leman)")
    p.add_argument("--factors", type=_factors, default=list(FACTORS), metavar="LIST", help=f"of {', '.join(FACTORS)}, with commas (default: all)")
    p.add_argument("--seeds", type=int, default=8, metavar="N", help="runs of each, from the seeds 1 to N (default: 8)")
    p.add_argument("--layers", type=int, default=4, metavar="N", help="layers (default: 4)")
    p.add_argument("--width", type=int, default=256, metavar="N", help="width of the layers (default: 256)")
    p.add_argument("--epochs", type=int, default=500, metavar="N", help="at most so many (default: 500)")
    p.add_argument("--parts", default="lists", metavar="SIZES", help="as of leman train (default: lists)")
    p.add_argument("--device", default="auto", metavar="NAME", help="cpu, cuda, ... (default: auto)")
    p.add_argument("--beside", type=int, default=1, metavar="N", help="so many runs at the same time (default: 1)")
    p.add_argument("-t", "--threads", type=int, default=1, metavar="N", help="threads of each run (default: 1)")
    p.add_argument("--resume", metavar="FOLDER", help="keep runs and checkpoints there, and go on with those that it has")
    p.add_argument("--time-limit", type=float, default=float("inf"), metavar="SECONDS", help="stop after so long, also within runs (default: none)")
    p.add_argument("-o", "--output", metavar="FILE", help="write the table to FILE instead of standard output")
    return p.parse_args()


def _setting(o: argparse.Namespace) -> list[Any]:
    """What the runs of one table have in common."""
    return [os.path.basename(o.data), o.layers, o.width, o.epochs, o.parts]


class Runs:
    """Finished runs, in memory and in a file, and those that are computed now."""

    def __init__(self, o: argparse.Namespace, folder: str) -> None:
        self.o, self.folder, self.file = o, folder, os.path.join(folder, "runs")
        self.now: dict[tuple[str, int], subprocess.Popen[str]] = {}
        self.stopped = False
        self.finished: list[dict[str, Any]] = []
        if os.path.exists(self.file):
            with open(self.file, encoding="utf-8") as file:
                self.finished = [run for run in map(json.loads, file) if run["setting"] == _setting(o)]

    def _path(self, factor: str, seed: int, ending: str) -> str:
        return os.path.join(self.folder, f"{factor}.{self.o.width}.{seed}.{ending}")

    def wanted(self) -> list[tuple[str, int]]:
        """One seed of each factor after the other, so that what there is at any time can be compared."""
        have = {(run["factor"], run["seed"]) for run in self.finished}
        return [(factor, seed) for seed in range(1, self.o.seeds + 1) for factor in self.o.factors if (factor, seed) not in have]

    def begin(self, factor: str, seed: int) -> None:
        o = self.o
        changed = FACTORS[factor][0]
        words = [o.program, "train", o.data, "--preset", "zinc", "--target", "0", "--parts", o.parts, "--device", o.device,
                 "--layers", str(o.layers), "--width", str(o.width), "--epochs", str(o.epochs), "--seed", str(seed), "-q", "-t", str(o.threads),
                 "--checkpoint", self._path(factor, seed, "lmn"), "--resume", "--log", self._path(factor, seed, "csv"), *changed]
        words += ["-a", "delta-2-LGNN"] if "-a" not in changed else []
        words += ["--batch", "25"] if "--batch" not in changed else []
        self.now[factor, seed] = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def collect(self) -> None:
        """Takes what has ended."""
        for (factor, seed), process in list(self.now.items()):
            if process.poll() is None:
                continue
            said = (process.communicate()[1] or "").strip()
            del self.now[factor, seed]
            if process.returncode == 0:
                self._keep(factor, seed)
            elif not self.stopped:
                self.stop()
                sys.exit(f"modes: {factor}, seed {seed}: {said or f'ended with status {process.returncode}'}")

    def stop(self) -> None:
        """Ends what runs, behind its epoch."""
        self.stopped = True
        for process in self.now.values():
            process.send_signal(signal.SIGINT)
        for process in self.now.values():
            process.wait()

    def _keep(self, factor: str, seed: int) -> None:
        with open(self._path(factor, seed, "csv"), encoding="utf-8", newline="") as file:
            epochs = [[float(row[key]) if row[key] else None for key in ("train_loss", "val_error", "test_error", "lr")]  # tested where best so far
                      for row in csv.DictReader(file)]
        best = min(range(len(epochs)), key=lambda i: float(epochs[i][1] or 0))
        self.finished.append({"setting": _setting(self.o), "factor": factor, "seed": seed, "best": best + 1, "train": epochs[best][0],
                              "validation": epochs[best][1], "test": epochs[best][2], "epochs": epochs})
        with open(self.file, "a", encoding="utf-8") as file:
            file.write(json.dumps(self.finished[-1]) + "\n")
        for ending in ("lmn", "csv"):
            os.remove(self._path(factor, seed, ending))

    def compute(self) -> None:
        until, wanted = time.monotonic() + self.o.time_limit, self.wanted()
        while self.now or wanted:
            while wanted and len(self.now) < self.o.beside and time.monotonic() < until:
                self.begin(*wanted.pop(0))
            if time.monotonic() >= until:
                wanted = []
                self.stop()
            time.sleep(0.05)
            self.collect()


def _gap(errors: list[float]) -> str:
    """The widest gap between two errors that follow each other, and the groups beside it."""
    if len(errors) < 3:
        return "–"
    gap, i = max((errors[i + 1] - errors[i], i) for i in range(len(errors) - 1))
    return f"{gap:.3f} ({i + 1} : {len(errors) - i - 1})"


def _table(o: argparse.Namespace, finished: list[dict[str, Any]]) -> str:
    lines = ["| changed | | runs | test errors | mean | widest gap | training errors at the best epoch | epochs |", "|---|---|---:|---|---:|---|---|---|"]
    for factor in o.factors:
        runs = sorted((run for run in finished if run["factor"] == factor), key=lambda run: run["test"])
        errors = [run["test"] for run in runs]
        if not runs:
            lines.append(f"| `{factor}` | {FACTORS[factor][1]} | 0 | not run | | | | |")
            continue
        lines.append(f"| `{factor}` | {FACTORS[factor][1]} | {len(runs)} | {', '.join(f'{error:.3f}' for error in errors)} | "
                     f"{statistics.fmean(errors):.3f} ±{statistics.pstdev(errors):.3f} | {_gap(errors)} | "
                     f"{', '.join('%.3f' % run['train'] for run in runs)} | {', '.join(str(len(run['epochs'])) for run in runs)} |")
    return "\n".join(lines) + f"\n\n{o.layers} layers of width {o.width}. Training errors and epochs are in the order of the test errors.\n"


def main() -> None:
    o = _options()
    with tempfile.TemporaryDirectory(prefix="leman-") as folder:
        if o.resume:
            os.makedirs(o.resume, exist_ok=True)
        runs = Runs(o, o.resume or folder)
        runs.compute()
    table = _table(o, runs.finished)
    if not o.output:
        print(table, end="")
        return
    with open(o.output + ".new", "w", encoding="utf-8") as file:
        file.write(table)
    os.replace(o.output + ".new", o.output)


if __name__ == "__main__":
    main()
