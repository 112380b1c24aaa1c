"""One row, measured in a process of its own: python measure.py NAME TOOL --size S --seconds T --least N. Prints a line of JSON.

Both sides run once unmeasured, and their results are compared. Then they run in turn, in processor time of this process and its children, on one thread, until T
seconds are spent, at least N times and at most 50. The ratio is that of the medians; its interval holds 95 % of the ratios of 2,000 bootstrap samples of the runs.
"""
from __future__ import annotations

import argparse
import json
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


def alternate(ours: Callable[[], Any], theirs: Callable[[], Any], seconds: float, least: int) -> tuple[list[float], list[float]]:
    """Times of the runs of both."""
    times: tuple[list[float], list[float]] = ([], [])
    end = time.monotonic() + seconds
    while len(times[0]) < least or (time.monotonic() < end and len(times[0]) < MOST):
        for work, kept in zip((ours, theirs), times):
            began = clock()
            work()
            kept.append(max(clock() - began, 1e-6))
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
        note = case.agree(case.ours(), case.theirs())
        ours, theirs = alternate(case.ours, case.theirs, asked.seconds, asked.least)
    print(json.dumps({"what": case.what, "note": note, "ours": ours, "theirs": theirs, "versions": versions(one.modules)}))


if __name__ == "__main__":
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    main()
