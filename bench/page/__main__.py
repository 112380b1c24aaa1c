"""The benchmarks page: Leman beside other tools on this machine, and how its time and memory grow. `make bench-page` calls it.

    python bench/page --build build -o build/benchmarks.md [--quick] [--only WORDS] [--seconds T] [--list]

Writes the page as Markdown and as HTML (with the ending .html), and a picture for each plot beside them. Every row runs in a process of its own, by the first Python
that has what the row needs: that of this program, those of BUILD/venv and BUILD/venv-torch, or python3. Exit status 0: done, although tools may be missing; 1: a row failed;
2: the command line is wrong.
"""
from __future__ import annotations

import argparse
import datetime
import functools
import json
import math
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from typing import Any, NamedTuple, Sequence

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "reproduce")]
import charts  # noqa: E402
import growth  # noqa: E402
import page  # noqa: E402

import measure  # noqa: E402

PREFIX = "bench-page: "


class Result(NamedTuple):
    name: str
    tool: str
    missing: str = ""  # what was not found here; then nothing else is known
    failed: str = ""
    found: dict[str, Any] = {}


# ---- Running ---------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def lacks(python: str, build: str) -> dict[str, list[str]]:
    """What each row lacks with this Python."""
    code = "import json, rows; print(json.dumps({f'{r.name}|{r.tool}': rows.missing(r) for r in rows.ROWS}))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, env=environment(build))
    return dict(json.loads(done.stdout)) if done.returncode == 0 else {}


def environment(build: str) -> dict[str, str]:
    paths = [HERE, os.path.join(build, "python"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "LEMAN_BUILD": build, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def pythons(build: str) -> list[str]:
    places = [sys.executable, *(os.path.join(build, venv, "bin", "python") for venv in ("venv", "venv-torch")), shutil.which("python3") or ""]
    return list(dict.fromkeys(filter(os.path.exists, places)))


def run_row(name: str, tool: str, asked: argparse.Namespace) -> Result:
    lacking = {python: lacks(python, asked.build)[f"{name}|{tool}"] for python in pythons(asked.build) if lacks(python, asked.build)}
    python = next((p for p, what in lacking.items() if not what), None)
    if python is None:
        return Result(name, tool, missing=", ".join(min(lacking.values(), key=len, default=["Python"])))
    command = [python, os.path.join(HERE, "measure.py"), name, tool, "--size", str(asked.size), "--seconds", str(asked.seconds), "--least", str(asked.least)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(asked.build))
    if done.returncode:
        return Result(name, tool, failed=(done.stderr.strip().splitlines() or ["it ended without a message"])[-1])
    return Result(name, tool, found=json.loads(done.stdout.splitlines()[-1]))


# ---- The page --------------------------------------------------------------------------------------


def digits(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def figure(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def standalone(svg: str) -> str:
    """A picture that is a file: with its colours, which the HTML page has in its style."""
    svg = svg.replace("<svg ", f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * charts.WIDTH:.0f}" ', 1)
    return svg.replace("<title>", f'<style>{page.STYLE}</style><rect width="100%" height="100%" style="fill:var(--paper)"/><title>', 1)


class Pictures:
    """SVG files beside the page."""

    def __init__(self, output: str) -> None:
        self.stem = os.path.splitext(output)[0]
        self.files: list[tuple[str, str]] = []  # path, content

    def add(self, name: str, svg: str) -> str:
        path = f"{self.stem}-{name}.svg"
        self.files.append((path, standalone(svg)))
        return os.path.basename(path)


def write_rows(made: page.Page, results: Sequence[Result], pictures: Pictures) -> None:
    made.heading("Beside other tools")
    made.paragraph("The ratio says how many times as long the other tool takes as Leman, above 1 if Leman is faster: the quotient of the medians of all runs, in processor time on "
                   "one thread. The interval holds 95 % of the ratios of 2,000 bootstrap samples of the runs. Both sides run in turn, after one run each that is not measured and "
                   "whose results are compared; they are equal (but for rounding) unless the last column says otherwise.")
    done = [r for r in results if r.found]
    rows, ratios = [], []
    for r in done:
        times = (r.found["ours"], r.found["theirs"])
        ratios.append(measure.ratio(*times))
        middle, low, high = ratios[-1]
        ours, theirs = (sorted(side)[len(side) // 2] for side in times)
        rows.append(("", [f"{r.name}: {r.found['what']}", r.tool, figure(ours), figure(theirs), digits(middle), f"{digits(low)} to {digits(high)}", str(len(times[0])),
                          r.found["note"]]))
    if rows:
        made.table(["work", "tool", "Leman", "other", "ratio", "interval", "runs", "results"], rows)
        series = charts.Series("", 0, [middle for middle, _, _ in ratios], list(range(len(ratios))), titles=[f"{r.name}, {r.tool}" for r in done],
                               ends=[(low, high) for _, low, high in ratios], values=".3g")
        svg = charts.rows("How many times as long other tools take", "times as long as Leman", [f"{r.name[:24]} · {r.tool[:9]}" for r in done], [series], logarithmic=True)
        made.figures("", "", [("Ratios with their intervals", svg, "Logarithmic axis; above 1, Leman is faster.")])
        made.pictures([("Ratios with their intervals, on a logarithmic axis", pictures.add("ratios", svg))])
    made.items([(f"{r.name} ({r.tool})", f"left out, as {r.missing} is not installed") for r in results if r.missing]
               + [(f"{r.name} ({r.tool})", f"failed: {r.failed.rstrip('.')}") for r in results if r.failed])


def write_growth(made: page.Page, axes: Sequence[Any], asked: argparse.Namespace, pictures: Pictures, load: Load) -> None:
    made.heading("Growth of time and memory")
    made.paragraph("Processor seconds and peak memory of the program on one thread. Slopes are those of lines through the points on logarithmic axes, less what the program takes for a graph of "
                   "three vertices; points that are not above twice that do not count.")
    program, rows, figures, files = os.path.join(asked.build, "leman"), [], [], []
    for axis in axes:
        with tempfile.TemporaryDirectory(prefix="leman-bench-") as folder:
            smallest, points = growth.measure(program, axis, axis.sizes[:asked.sizes], asked.growth_runs, folder)
        counts = [p.count for p in points]
        slopes = [growth.fitted(small, counts, values) for small, values in ((smallest.seconds, [p.seconds for p in points]), (smallest.bytes, [p.bytes for p in points]))]
        texts = ["too small" if s is None else f"{s:.2f}" for s in slopes]
        rows.append(("", [axis.title, axis.expected, f"{counts[0]:,} to {counts[-1]:,}", f"{figure(points[0].seconds)} to {figure(points[-1].seconds)}", texts[0],
                          f"{points[0].bytes / 2**20:.0f} to {points[-1].bytes / 2**20:.0f} MiB", texts[1]]))
        for what, label, values, text in (("seconds", "processor seconds", [p.seconds for p in points], texts[0]), ("memory", "peak MiB", [p.bytes / 2**20 for p in points], texts[1])):
            svg = charts.dots(f"{axis.title}: {label}", axis.label, label, [charts.Series("", 0, counts, values, line=True)], logarithmic=(True, True))
            figures.append((f"{axis.title}: {label}", svg, f"Fitted slope: {text}."))
            files.append((f"{axis.title}: {label}, fitted slope {text}", pictures.add(f"{axis.name}-{what}", svg)))
        load.look()
        say(f"{axis.title}: slope {texts[0]} of time, {texts[1]} of memory")
    made.table(["what grows", "expected of time", "from, to", "time", "slope", "memory", "slope"], rows)
    made.figures("", "", figures)
    made.pictures(files)


def processor() -> str:
    """The name that the system gives it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


class Load:
    """How many processes wanted a processor while the page was made: the mean over a minute, before the first row and after each one."""

    def __init__(self) -> None:
        self.means: list[float] = []
        self.look()

    def look(self) -> None:
        self.means += os.getloadavg()[:1] if hasattr(os, "getloadavg") else ()

    def sentence(self) -> str:
        if not self.means:
            return "unknown"
        text = f"{self.means[0]:.1f} before the first row, then {min(self.means[1:], default=self.means[0]):.1f} to {max(self.means[1:], default=self.means[0]):.1f}"
        return f"{text} (means over a minute; the page itself is 1{', and so other programs disturbed it' if max(self.means) > 1.5 else ''})"


def machine(results: Sequence[Result], began: datetime.datetime, load: Load) -> list[tuple[str, str]]:
    found = {name: version for r in results if r.found for name, version in r.found["versions"].items()}
    return [("machine", f"{processor()}, {os.cpu_count()} processors, {platform.machine()}, {platform.system()} {platform.release()}"),
            ("load", load.sentence()),
            ("date", began.strftime("%Y-%m-%d")), ("Python", platform.python_version()),
            ("versions", ", ".join(f"{name} {version}" for name, version in sorted(found.items())) or "no other tool was found")]


def say(sentence: str) -> None:
    print(PREFIX + sentence, file=sys.stderr, flush=True)


def arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(prog="bench-page", description=__doc__.splitlines()[0])
    p.add_argument("--build", default=os.path.join(ROOT, "build"))
    p.add_argument("-o", "--output", help="PAGE.md (default: BUILD/benchmarks.md); the HTML page and the pictures are written beside it")
    p.add_argument("--quick", action="store_true", help="small inputs and two runs: whether everything works, no figures to keep")
    p.add_argument("--only", metavar="WORDS", help="rows whose name or tool contains one of these words, with commas; growth: the plots")
    p.add_argument("--seconds", type=float, help="for the runs of each row (default: 5)")
    p.add_argument("--list", action="store_true", help="print the rows")
    asked = p.parse_args()
    asked.build = os.path.abspath(asked.build)
    asked.output = asked.output or os.path.join(asked.build, "benchmarks.md")
    if not asked.output.endswith(".md"):
        p.error(f"--output: found {asked.output}, expected the name of a Markdown file, *.md")
    if asked.seconds is not None and not 0 <= asked.seconds < math.inf:
        p.error(f"--seconds: found {asked.seconds}, expected 0 or more")
    asked.size, asked.least, asked.sizes, asked.growth_runs = (0.1, 2, 2, 1) if asked.quick else (1.0, 5, 99, 3)
    asked.seconds = (0.0 if asked.quick else 5.0) if asked.seconds is None else asked.seconds
    return asked


def chosen(asked: argparse.Namespace, rows: Sequence[Any]) -> tuple[list[Any], bool]:
    """The rows, and whether growth is measured."""
    if asked.only is None:
        return list(rows), True
    words = [word.strip().lower() for word in asked.only.split(",") if word.strip()]
    kept = [r for r in rows if any(word in f"{r.name} {r.tool}".lower() for word in words)]
    return kept, "growth" in words


def save(files: Sequence[tuple[str, str]]) -> None:
    """Each file appears whole."""
    os.makedirs(os.path.dirname(os.path.abspath(files[-1][0])), exist_ok=True)
    for path, content in files:
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(path + ".tmp", path)


def main() -> int:
    asked = arguments()
    import rows
    names, grows = chosen(asked, rows.ROWS)
    if asked.list:
        print("\n".join(f"{r.name} ({r.tool})" for r in names))
        return 0
    if not names and not grows:
        say(f"--only: found no row with {asked.only}; --list prints them")
        return 2
    program = os.path.join(asked.build, "leman")
    if not os.access(program, os.X_OK):
        say(f"{program}: is not there; run make first")
        return 1
    began = datetime.datetime.now()
    version = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()[1]
    results, load = [], Load()
    for r in names:
        results.append(run_row(r.name, r.tool, asked))
        load.look()
        last = results[-1]
        say(f"{r.name} ({r.tool}): " + (f"{last.missing} is not installed" if last.missing else last.failed or f"{digits(measure.ratio(last.found['ours'], last.found['theirs'])[0])} times"))
    lead = "Quick form: inputs are a tenth, and there are two runs of each. These figures only show that everything works." if asked.quick else ""
    made = page.Page("Benchmarks", version, lead=lead, kicker="benchmarks")
    if lead:
        made.paragraph(lead)
    pictures = Pictures(asked.output)
    write_rows(made, results, pictures)
    if grows:
        try:
            write_growth(made, growth.AXES, asked, pictures, load)
        except RuntimeError as error:
            say(str(error))
            return 1
    made.reproduce("make bench-page" + (f" BENCH_PAGE={shlex.quote(shlex.join(sys.argv[1:]))}" if sys.argv[1:] else ""), machine(results, began, load),
                   "Times vary from machine to machine, ratios less. bench/page/rows.py has the code of each row.")
    save([*pictures.files, (asked.output, made.markdown()), (os.path.splitext(asked.output)[0] + ".html", made.html())])
    say(f"wrote {asked.output}")
    return 1 if any(r.failed for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
