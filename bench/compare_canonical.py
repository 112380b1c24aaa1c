#!/usr/bin/env python3
"""Canonical forms beside nauty's labelg and igraph's BLISS: regular, strongly regular and CFI graphs, and the graphs of molecules.

    PYTHONPATH=build/python python bench/compare_canonical.py --program build/leman

Every line has the seconds of processor time, on one thread, of `leman canonical -o`, of nauty's `labelg` on the same graph6 file, of the program
without the search (`leman convert`), and of igraph's canonical_permutation() for graphs in memory; the best of three runs counts. The classes
of isomorphic graphs that the programs find must be as many: half of the graphs are shuffled copies of the other half.
"""
import argparse
import os
import resource
import shutil
import subprocess
import tempfile
import time

import networkx as nx
import numpy as np

import leman


def seconds_of(command):
    best = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = spent if best is None else min(best, spent)
    return best


def lines_of(path):
    with open(path, encoding="ascii") as file:
        return [line.strip() for line in file if not line.startswith(">")]


def bliss(graphs):
    """Seconds of igraph, and the number of classes; None without igraph."""
    try:
        import igraph
    except ImportError:
        return None
    theirs = [igraph.Graph(len(graph), list(graph.edges)) for graph in graphs]
    begin = time.process_time()
    orders = [graph.canonical_permutation() for graph in theirs]
    spent = time.process_time() - begin
    forms = {(graph.vcount(), tuple(sorted(graph.permute_vertices(order).get_edgelist()))) for graph, order in zip(theirs, orders)}
    return spent, len(forms)


def compare(name, graphs, program, labelg, folder):
    random = np.random.default_rng(1)
    plain = [nx.convert_node_labels_to_integers(nx.Graph(graph.edges)) if graph.edges else nx.Graph() for graph in graphs]
    plain += [nx.relabel_nodes(graph, dict(zip(graph, random.permutation(len(graph)).tolist()))) for graph in plain]
    plain = [nx.from_edgelist(graph.edges, nx.empty_graph(len(graph))) for graph in plain]
    data, ours, theirs = (os.path.join(folder, one) for one in ("data.g6", "ours.g6", "theirs.g6"))
    with open(data, "wb") as file:
        for graph in plain:
            file.write(nx.to_graph6_bytes(graph, header=False))
    own = seconds_of([program, "canonical", data, "-o", ours, "--force", "-t", "1", "--quiet"])
    reading = seconds_of([program, "convert", data, "-o", os.path.join(folder, "copy.g6"), "--force", "-t", "1", "--quiet"])
    line = f"{name}: {len(plain):,} graphs; leman {own:.3f} s, of which reading and writing {reading:.3f} s"
    classes = {"leman": len(set(lines_of(ours)))}
    if labelg:
        spent = seconds_of([labelg, "-q", "-g", data, theirs])
        classes["labelg"] = len(set(lines_of(theirs)))
        line += f"; labelg {spent:.3f} s"
    found = bliss(plain)
    if found:
        classes["igraph"] = found[1]
        line += f"; BLISS in memory {found[0]:.3f} s"
    assert len(set(classes.values())) == 1, (name, classes)
    print(f"{line}; {classes['leman']:,} classes", flush=True)


def paley(q):
    squares = {x * x % q for x in range(1, q)}
    return nx.Graph([(u, v) for u in range(q) for v in range(u) if (u - v) % q in squares])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="leman")
    parser.add_argument("--graphs", type=int, default=1000, help="graphs of each kind, before they are copied")
    asked = parser.parse_args()
    few = max(1, asked.graphs // 50)
    labelg = shutil.which("nauty-labelg") or shutil.which("labelg")
    with tempfile.TemporaryDirectory() as folder:
        def run(name, graphs):
            compare(name, graphs, asked.program, labelg, folder)
        run("molecules", [graph.to_networkx() for graph in leman.generate("molecules", graphs=asked.graphs, seed=1)])
        run("random 3-regular, 20 vertices", [nx.random_regular_graph(3, 20, seed=seed) for seed in range(asked.graphs)])
        run("random 3-regular, 200 vertices", [nx.random_regular_graph(3, 200, seed=seed) for seed in range(few)])
        run("strongly regular: Paley", [paley(q) for q in (13, 17, 29, 37, 41, 53, 61)])
        run("strongly regular: rook and Shrikhande", [graph.to_networkx() for graph in leman.generate("rook-shrikhande")])
        for k in (3, 4):
            run(f"CFI over K_{k + 1}", [graph.to_networkx() for graph in leman.generate("cfi", k=k)])


if __name__ == "__main__":
    main()
