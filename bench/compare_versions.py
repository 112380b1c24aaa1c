"""The commands that users with many or large graphs wait for, by one build or by two side by side.

    bench/compare_versions.py BUILD [BEFORE] [--data FOLDER]

BUILD is a build folder, BEFORE the program of another version: every command is run with both in turn, three times, and their outputs are
compared. Figures are the least processor time, user and system, of one thread, so that other work on the machine matters little; with two threads
also the time by the clock, which needs an idle machine to mean something. Graphs are generated; with --data, PROTEINS, ENZYMES,
REDDIT-BINARY and ZINC_10k of that folder are coloured as well. LEMAN_BEFORE names BEFORE for `make bench`."""

import argparse
import filecmp
import json
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

REPETITIONS = 3


def generate(leman, folder):
    """The data of the rows, by name."""
    sets = {
        "molecules": ["molecules", "--graphs", "79601"],
        "random": ["random", "--graphs", "100", "--vertices", "120", "--probability", "0.035"],
        "small": ["random", "--graphs", "100", "--vertices", "40", "--probability", "0.1"],
        "dense": ["random", "--graphs", "1000", "--vertices", "74", "--probability", "0.9"],
        "half": ["random", "--graphs", "4", "--vertices", "450", "--probability", "0.5"],
        "vertices": ["random", "--vertices", "1000000", "--probability", "0.00002"],
    }
    for name, how in sets.items():
        subprocess.run([leman, "generate", *how, "-o", folder / f"{name}.leman", "--quiet"], check=True)
    subprocess.run([leman, "convert", folder / "dense.leman", folder / "dense.g6", "--quiet"], check=True)


def rows(folder, data):
    """(what, command, ending of the output; None: it is printed)"""
    yield "features delta-2-LWL, 2 rounds, 79,601 molecules", ["features", folder / "molecules.leman", "-a", "delta-2-LWL", "-r", "2"], "svm"
    yield "features 1-WL, 3 rounds, the same", ["features", folder / "molecules.leman", "-a", "1-WL", "-r", "3"], "svm"
    yield "gram delta-2-LWL, 5 rounds, 1,000 dense graphs", ["gram", folder / "dense.leman", "-a", "delta-2-LWL", "-r", "5"], "npy"
    yield "gram delta-2-LWL, 5 rounds, the same as graph6", ["gram", folder / "dense.g6", "-a", "delta-2-LWL", "-r", "5"], "npy"
    yield "colors k = 1 until stable, 10^6 vertices", ["colors", folder / "vertices.leman", "-k", "1", "-r", "stable"], None
    yield "colors k = 2, 5 rounds, 100 random graphs", ["colors", folder / "random.leman", "-k", "2", "-r", "5"], None
    yield "colors k = 3, 5 rounds, 100 random graphs", ["colors", folder / "small.leman", "-k", "3", "-r", "5"], None
    yield "colors k = 2, 5 rounds, 4 graphs of density 0.5", ["colors", folder / "half.leman", "-k", "2", "-r", "5"], None
    for name, k in (("PROTEINS", 2), ("ENZYMES", 3), ("REDDIT-BINARY", 2), ("ZINC_10k", 2)):
        if data and (Path(data) / f"{name}.zip").exists():
            yield f"colors k = {k}, 5 rounds, {name}", ["colors", Path(data) / f"{name}.zip", "-k", str(k), "-r", "5"], None


def run(leman, command, threads, out):
    """Processor and clock seconds of one run, and what it has printed."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    result = subprocess.run([leman, *command, "-t", str(threads), *(["-o", out, "--quiet"] if out else ["--json"])], check=True, capture_output=True, text=True)
    clock, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, clock, result.stdout


def tuple_rounds(leman, command, printed):
    """Tuples in all rounds of a colouring; 0 where they are no figure of the row."""
    report = json.loads(printed)
    if report["k"] < 2:
        return 0
    info = json.loads(subprocess.run([leman, "info", command[1], "--json"], check=True, capture_output=True, text=True).stdout)
    cost = [c for c in info["cost"] if c["k"] == report["k"]][0]
    return cost["tuples"] * (len(report["rounds"]) - 1)


def same(outs, printed):
    """Are the outputs of both programs the same?"""
    if outs[0]:
        return filecmp.cmp(*outs, shallow=False)
    reports = [json.loads(text) for text in printed]
    return reports[0]["rounds"] == reports[1]["rounds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("before", nargs="?", default=os.environ.get("LEMAN_BEFORE"))
    parser.add_argument("--data")
    asked = parser.parse_args()
    programs = [str(Path(asked.build) / "leman")] + ([asked.before] if asked.before else [])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(programs[0], folder)
        print(f"{'':52} {'1 thread':>9} {'2: user':>9} {'clock':>7}" + (f" {'before':>9} {'ratio':>7}" if asked.before else ""))
        for what, command, ending in rows(folder, asked.data):
            outs = [folder / f"{i}.{ending}" if ending else None for i in range(len(programs))]
            best, printed = [1e9] * len(programs), [""] * len(programs)
            for _ in range(REPETITIONS):
                for i, program in enumerate(programs):
                    seconds, _, printed[i] = run(program, command, 1, outs[i])
                    best[i] = min(best[i], seconds)
            two, clock, _ = run(programs[0], command, 2, folder / f"two.{ending}" if ending else None)
            line = f"{what:52} {best[0]:9.3f} {two:9.3f} {clock:7.3f}"
            if asked.before:
                line += f" {best[1]:9.3f} {best[0] / best[1]:7.3f}" + ("" if same(outs, printed) else "  other output")
            tuples = 0 if ending else tuple_rounds(programs[0], command, printed[0])
            print(line + (f"  {best[0] / tuples * 1e9:.1f} ns a tuple and round" if tuples else ""), flush=True)


main()
