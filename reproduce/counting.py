"""How well networks count subgraphs: python3 reproduce/counting.py --help, and docs/networks.md.

Random graphs with exact counts (`leman generate counts`), of which networks learn the counts through each vertex, all at once. Writes a table
of mean absolute errors over the vertices of the test graphs, each over the deviation of its count, with means and
deviations over runs. With --resume FILE every finished run is a line of JSON in FILE.
"""
from __future__ import annotations

import argparse
import json
import os
import time
from typing import Any

import numpy as np

import leman

PATTERNS = ("cycle3", "cycle4", "cycle5", "cycle6", "chordal-cycle4", "chordal-cycle5", "tailed-triangle", "clique4", "path4", "star3",
            "hom-cycle6", "hom-chordal-cycle4", "hom-chordal-cycle5")
METHODS = ("GINE-eps", "Message-Passing", "Subgraph-GNN", "SSWL+", "Local-2-GNN", "Local-2-FGNN")
SHARES = (0.6, 0.2)  # of the graphs, for training and validation


def _list(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _options() -> argparse.Namespace:
    p = argparse.ArgumentParser(prog="counting", description=__doc__.splitlines()[0])
    p.add_argument("-a", "--methods", type=_list, default=list(METHODS), metavar="LIST", help="networks, with commas (default: all six)")
    p.add_argument("--runs", type=int, default=3, metavar="N", help="runs of each network from independent random starts (default: 3)")
    p.add_argument("--graphs", type=int, default=5000, metavar="N", help="random graphs (default: 5000)")
    p.add_argument("--vertices", type=int, default=16, metavar="N", help="vertices of each (default: 16)")
    p.add_argument("--probability", type=float, default=0.25, metavar="P", help="of an edge (default: 0.25)")
    p.add_argument("--layers", type=int, default=5, metavar="N", help="layers of each network (default: 5)")
    p.add_argument("--width", type=int, default=64, metavar="N", help="width of each network (default: 64)")
    p.add_argument("--epochs", type=int, default=200, metavar="N", help="epochs, with a learning rate that falls as a cosine (default: 200)")
    p.add_argument("--device", default="auto", metavar="NAME", help="cpu, cuda, ... (default: auto)")
    p.add_argument("--seed", type=int, default=1, metavar="N", help="of the graphs and of the first run (default: 1)")
    p.add_argument("--resume", metavar="FILE", help="keep finished runs in FILE, and take those that it has")
    p.add_argument("--time-limit", type=float, default=float("inf"), metavar="SECONDS", help="begin no run after so long (default: none)")
    p.add_argument("-o", "--output", metavar="FILE", help="write the table to FILE instead of standard output")
    return p.parse_args()


def _setting(o: argparse.Namespace) -> list[Any]:
    """What runs of one table have in common."""
    return [o.graphs, o.vertices, o.probability, o.layers, o.width, o.epochs, o.seed, leman.__version__]


def _finished(o: argparse.Namespace) -> list[dict[str, Any]]:
    if not o.resume or not os.path.exists(o.resume):
        return []
    with open(o.resume, encoding="utf-8") as file:
        return [run for run in map(json.loads, file) if run["setting"] == _setting(o)]


def _run(o: argparse.Namespace, data: leman.Dataset, method: str, run: int) -> dict[str, Any]:
    count = len(data)
    first, second = int(SHARES[0] * count), int(sum(SHARES) * count)
    network = leman.nn.GraphNetwork(method, level="vertex", layers=o.layers, width=o.width, epochs=o.epochs, batch_size=64,
                                    schedule="cosine", scale_targets=True, device=o.device, random_state=o.seed + run)
    began = time.perf_counter()
    network.fit(data, validation=np.arange(first, second), test=np.arange(second, count))
    seconds, tested = time.perf_counter() - began, data[np.arange(second, count)]
    counts = np.concatenate([graph.vertex_attributes for graph in data])
    deviation, truth = counts.std(axis=0), np.concatenate([graph.vertex_attributes for graph in tested])
    error = np.abs(network.predict(tested) - truth).mean(axis=0) / deviation
    median = np.abs(truth - np.median(truth, axis=0)).mean(axis=0) / deviation
    return {"setting": _setting(o), "method": method, "run": run, "error": dict(zip(PATTERNS, error.tolist(), strict=True)),
            "median": float(median.mean()), "validation": network.best_["val_error"], "epochs": len(network.history_), "seconds": seconds,
            "parameters": int(network.describe()["parameters"])}


def _cell(values: list[float]) -> str:
    return f"{np.mean(values):.4f} ±{np.std(values):.4f}" if values else "not run"


def _table(o: argparse.Namespace, runs: list[dict[str, Any]]) -> str:
    of = {method: [run for run in runs if run["method"] == method] for method in o.methods}
    lines = [f"| through each vertex | {' | '.join(o.methods)} |", "|---" * (len(o.methods) + 1) + "|"]
    lines += [f"| `{pattern}` | " + " | ".join(_cell([run["error"][pattern] for run in of[method]]) for method in o.methods) + " |"
              for pattern in PATTERNS]
    mean = [_cell([float(np.mean(list(run["error"].values()))) for run in of[method]]) for method in o.methods]
    lines.append(f"| mean of all | {' | '.join(mean)} |")
    for name, form in (("parameters", "{:,.0f}"), ("seconds", "{:.0f}")):
        lines.append(f"| {name} | " + " | ".join(form.format(np.mean([run[name] for run in of[method]])) if of[method] else "–"
                                                 for method in o.methods) + " |")
    medians = {f"{run['median']:.3f}" for run in runs}
    counts = sorted({len(found) for found in of.values()})
    return "\n".join(lines) + (f"\n\nRuns: {', '.join(map(str, counts))}. The median of the test vertices as prediction has "
                               f"{', '.join(medians)} on average.\n" if runs else "\n")


def main() -> None:
    o = _options()
    began, runs = time.monotonic(), _finished(o)
    data = leman.Dataset.generate("counts", graphs=o.graphs, vertices=o.vertices, probability=o.probability, seed=o.seed, level="vertex")
    for run in range(o.runs):
        for method in o.methods:
            if any((done["method"], done["run"]) == (method, run) for done in runs) or time.monotonic() - began > o.time_limit:
                continue
            runs.append(_run(o, data, method, run))
            if o.resume:
                with open(o.resume, "a", encoding="utf-8") as file:
                    file.write(json.dumps(runs[-1]) + "\n")
    table = _table(o, runs)
    if not o.output:
        print(table, end="")
        return
    with open(o.output + ".new", "w", encoding="utf-8") as file:
        file.write(table)
    os.replace(o.output + ".new", o.output)


if __name__ == "__main__":
    main()
