"""One row, measured in a process of its own: python measure.py NAME TOOL --size S --seconds T --least N. Prints a line of JSON.

A process of its own compares the results of both sides. Then each side has a process of its own, because a heap that one side leaves full of holes slows down the other: after RDKit has
freed 5,000 molecules, malloc() may take 100 ms for the next large list. Each runs once unmeasured. Then they run in turn, in processor time of their process and its children, on one
thread, until T seconds are spent, at least N times and at most 50. The ratio is that of the medians; its interval holds 95 % of the ratios of 2,000 bootstrap samples of the runs.
"""
from __future__ import annotations

import argparse
import contextlib
import gc
import json
import multiprocessing
import os
import random
import resource
import statistics
import sys
import time
import warnings
from typing import Any, Callable, Sequence

MOST = 50  # runs


def clock() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Side:
    """A work in a process of its own, where it has run once. A call runs it once more and returns its seconds."""

    def __init__(self, work: Callable[[], Any], keep: bool = False) -> None:
        """keep: the result of the first run is fetched, as `result`."""
        fork = multiprocessing.get_context("fork")
        self.pipe, there = fork.Pipe()
        self.process = fork.Process(target=self._serve, args=(work, keep, there))
        self.process.start()
        there.close()
        self.result = self._answer()

    @staticmethod
    def _serve(work: Callable[[], Any], keep: bool, pipe: Any) -> None:
        try:
            first = work()
            pipe.send(("", first if keep else None))
            del first
            while pipe.recv():
                gc.collect()  # every run begins alike; what the collector does for the work's own objects counts
                began = clock()
                work()
                pipe.send(("", max(clock() - began, 1e-6)))
        except Exception as error:
            pipe.send((f"{type(error).__name__}: {error}", None))

    def _answer(self) -> Any:
        try:
            fault, found = self.pipe.recv()
        except EOFError:
            self.process.join()
            fault, found = f"the process of one side ended with status {self.process.exitcode}", None
        if fault:
            raise RuntimeError(fault)
        return found

    def __call__(self) -> float:
        self.pipe.send(True)
        return float(self._answer())

    def __enter__(self) -> Side:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(BrokenPipeError):  # it has failed and ended
            self.pipe.send(False)
        self.process.join()


def alternate(ours: Callable[[], float], theirs: Callable[[], float], seconds: float, least: int) -> tuple[list[float], list[float]]:
    """Times of the runs of both."""
    times: tuple[list[float], list[float]] = ([], [])
    end = time.monotonic() + seconds
    while len(times[0]) < least or (time.monotonic() < end and len(times[0]) < MOST):
        for run, kept in zip((ours, theirs), times):
            kept.append(run())
    return times


def ratio(ours: Sequence[float], theirs: Sequence[float], samples: int = 2000) -> tuple[float, float, float]:
    """How many times as long the others take: the ratio of the medians, and the ends of its bootstrap interval."""
    draw = random.Random(1)
    found = sorted(statistics.median(draw.choices(theirs, k=len(theirs))) / statistics.median(draw.choices(ours, k=len(ours))) for _ in range(samples))
    return statistics.median(theirs) / statistics.median(ours), found[round(0.025 * (samples - 1))], found[round(0.975 * (samples - 1))]


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Of the line through the points on logarithmic axes, by least squares."""
    from math import fsum, log
    u, v = [log(value) for value in x], [log(value) for value in y]
    mean_u, mean_v = fsum(u) / len(u), fsum(v) / len(v)
    return fsum((a - mean_u) * (b - mean_v) for a, b in zip(u, v)) / fsum((a - mean_u) ** 2 for a in u)


def versions(modules: Sequence[str]) -> dict[str, str]:
    from importlib import metadata
    packages = {"sklearn": "scikit-learn"}
    found = {}
    for module in modules:
        try:
            found[packages.get(module, module)] = metadata.version(packages.get(module, module))
        except metadata.PackageNotFoundError:
            found[module] = str(getattr(sys.modules.get(module), "__version__", "unknown"))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name")
    parser.add_argument("tool")
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--least", type=int, default=5)
    asked = parser.parse_args()
    import rows
    one = next(r for r in rows.ROWS if (r.name, r.tool) == (asked.name, asked.tool))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        case = one.make(asked.size)
        gc.freeze()  # what the case and the modules hold is never collected, neither at our cost nor at theirs
        with Side(lambda: case.agree(case.ours(), case.theirs()), keep=True) as both:
            note = both.result
        with Side(case.ours) as our_side, Side(case.theirs) as their_side:
            ours, theirs = alternate(our_side, their_side, asked.seconds, asked.least)
    print(json.dumps({"what": case.what, "note": note, "ours": ours, "theirs": theirs, "versions": versions(one.modules)}))


if __name__ == "__main__":
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    main()
