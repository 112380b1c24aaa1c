"""How time and memory of the program grow: processor seconds and peak memory of one process for each size, on one thread.

What the program takes for one graph of three vertices is subtracted, and sizes at which less than that is left are shown, but do not enter the fitted slope, which is that of a line
through the others on logarithmic axes. Of several runs of a size the least time and the least peak count.
"""
from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, NamedTuple, Sequence

from measure import slope


class Axis(NamedTuple):
    name: str  # of the file of the picture, too
    title: str
    label: str  # what is counted to the right
    expected: str
    command: str
    sizes: Sequence[int]
    arguments: Any  # of a size: arguments of leman generate, and of the command
    count: Any = staticmethod(lambda size: size)  # what is counted, of a size


class Point(NamedTuple):
    count: float
    seconds: float
    bytes: float


def _molecules(graphs: int) -> list[str]:
    return ["molecules", "--graphs", str(graphs)]


def _random(vertices: int) -> list[str]:
    return ["regular", "--vertices", str(vertices), "--degree", "3", "--graphs", "2"]


def _tuples(k: int, vertices: Sequence[int]) -> Axis:
    """One k for each axis: a tuple has k sums, so a line through tuples of different k would have no meaning."""
    return Axis(f"tuples{k}", f"Tuples of {k} vertices: delta-{k}-LWL of two random 3-regular graphs, 3 rounds", f"tuples n^{k}",
                f"slope 1, as each of n^{k} tuples has {k} sums of 3 neighbours", "colors", vertices,
                lambda n: (_random(n), ["-a", "local", "-k", str(k), "-r", "3"]), staticmethod(lambda n: n**k))


AXES = (
    Axis("vertices", "Vertices: delta-2-LWL of two random 3-regular graphs, 3 rounds", "vertices n", "slope 2, as n vertices have n² pairs", "colors", (400, 800, 1600, 3200),
         lambda n: (_random(n), ["-a", "delta-2-LWL", "-r", "3"])),
    _tuples(3, (56, 80, 112, 160, 224)),
    _tuples(4, (20, 28, 40, 56)),
    Axis("graphs", "Graphs: hashed features of 1-WL, 3 rounds", "graphs", "slope 1", "features", (1000, 4000, 16000, 64000),
         lambda n: (_molecules(n), ["-a", "1-WL", "-r", "3", "--hash-bits", "16", "-o", "F.npz"])),
    Axis("matrix", "Graphs: Gram matrix of 1-WL, 3 rounds", "graphs", "slope 2: a cell for each pair of graphs", "gram", (500, 1000, 2000, 4000),
         lambda n: (_molecules(n), ["-a", "1-WL", "-r", "3", "-o", "K.npy"])),
    Axis("rounds", "Rounds: delta-2-LWL of two paths of 400 vertices", "rounds", "slope 1", "colors", (4, 8, 16, 32, 64),
         lambda h: (["path", "--vertices", "400", "--graphs", "2"], ["-a", "delta-2-LWL", "-r", str(h)])),
)


# A small process starts the program, because the peak of a child begins with what its parent holds.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
sys.exit(os.waitstatus_to_exitcode(status) % 256)
"""


def run(program: str, folder: str, arguments: Sequence[str]) -> tuple[float, float]:
    """Processor seconds and peak bytes of one process."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCHER, program, *arguments, "--quiet"], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    if done.returncode:
        raise RuntimeError(f"leman {' '.join(arguments)}: {done.stderr.strip()}")
    seconds, peak = done.stdout.splitlines()[-1].split()
    return float(seconds), float(peak)


def measure(program: str, axis: Axis, sizes: Sequence[int], runs: int, folder: str) -> tuple[Point, list[Point]]:
    """What the program takes for a graph of three vertices, and a point for each size, as measured."""
    def least(family: Sequence[str], arguments: Sequence[str], count: float) -> Point:
        data = os.path.join(folder, f"{axis.name}.leman")
        if os.path.exists(data):
            os.remove(data)
        run(program, folder, ["generate", *family, "-o", data])
        found = [run(program, folder, [axis.command, data, *arguments, "-t", "1"]) for _ in range(runs)]
        return Point(count, min(seconds for seconds, _ in found), min(peak for _, peak in found))
    smallest = least(["path", "--vertices", "3"], axis.arguments(sizes[0])[1], 0)
    return smallest, [least(*axis.arguments(size), count=axis.count(size)) for size in sizes]


def fitted(smallest: float, counts: Sequence[float], values: Sequence[float]) -> float | None:
    """The slope through the points that are above twice the smallest; None if there are fewer than two."""
    above = [(count, value - smallest) for count, value in zip(counts, values) if value > 2 * smallest]
    return slope([count for count, _ in above], [value for _, value in above]) if len(above) > 1 else None
