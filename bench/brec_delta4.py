#!/usr/bin/env python3
"""delta-4-LWL on the CFI pairs 340 to 359 of BREC, the cheapest first, each in a process of its own that is ended after a while.

    bench/brec_delta4.py build/leman BREC.pairs --memory 110G --threads 16 --limit 480 --pairs 356,345

A line for each pair: its number, the vertices of its graphs, whether and in which round they are told apart, seconds. It takes about
39 bytes times n^4: 1.5 GiB for the smallest pair (80 vertices), 56 GiB for the largest (198).
"""
import argparse
import json
import subprocess
import tempfile
import time


def vertices(graph6):
    return ord(graph6[0]) - 63 if graph6[0] != "~" else sum((ord(x) - 63) << 6 * (2 - i) for i, x in enumerate(graph6[1:4]))


def told(program, line, asked):
    """What is said of one pair."""
    with tempfile.NamedTemporaryFile("w", suffix=".pairs") as file:
        file.write(line)
        file.flush()
        words = [program, "distinguish", "--pairs", file.name, "-a", asked.algorithm, "--json", "--memory", asked.memory, "-t", str(asked.threads)]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=asked.limit)
        except subprocess.TimeoutExpired:
            return f"not finished within {asked.limit:g} s"
    if done.returncode:
        return done.stderr.strip()
    result = json.loads(done.stdout)["results"][0]
    return f"told apart in round {result['round']}" if result["distinguished"] else "not told apart"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("list")
    p.add_argument("-a", "--algorithm", default="delta-4-LWL")
    p.add_argument("--memory", default="110G")
    p.add_argument("-t", "--threads", type=int, default=16)
    p.add_argument("--limit", type=float, default=480, metavar="SECONDS", help="for each pair")
    p.add_argument("--pairs", default=",".join(map(str, range(340, 360))), help="numbers, counted from 0")
    asked = p.parse_args()
    with open(asked.list, encoding="ascii") as file:
        lines = file.readlines()
    for number in sorted(map(int, asked.pairs.split(",")), key=lambda i: vertices(lines[i])):
        began = time.monotonic()
        said = told(asked.program, lines[number], asked)
        print(f"pair {number}, {vertices(lines[number])} vertices, {asked.algorithm}: {said}, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
