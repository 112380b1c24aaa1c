#!/usr/bin/env python3
"""Hashes of graphs beside networkx.weisfeiler_lehman_graph_hash: many small graphs, and one large graph. Needs networkx and the package.

    PYTHONPATH=build/python python bench/compare_hashes.py

Every line has the seconds of processor time, on one thread, of networkx, of leman.graph_hash for the same networkx graphs, of the conversion
alone, and of leman.graph_hash for the converted data set; and how many times faster a program would be that only visits the entries of
networkx's dictionaries, with a lookup of each neighbour's number or without (networkx_walk.c). The last figure is by the clock, on all threads.
Both sides take as many rounds; the best of several runs counts, for networkx one of two.
"""
import argparse
import ctypes
import os
import subprocess
import sysconfig
import tempfile
import time
import warnings

import networkx as nx

import leman


def best(function, runs=20, clock=time.process_time):
    seconds = []
    for _ in range(runs):
        begin = clock()
        result = function()
        seconds.append(clock() - begin)
    return min(seconds), result


def compiled_walk():
    """walk() of networkx_walk.c."""
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "walk.so")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "networkx_walk.c")
        subprocess.run(["cc", "-O3", "-shared", "-fPIC", f"-I{sysconfig.get_paths()['include']}", source, "-o", library], check=True)
        walk = ctypes.PyDLL(library).walk
    walk.restype, walk.argtypes = ctypes.c_ssize_t, [ctypes.py_object, ctypes.c_int, ctypes.py_object]
    return walk


def compare(name, graphs, rounds, labelled, walk):
    attributes = dict(node_attr="label", edge_attr="label") if labelled else {}
    theirs, texts = best(lambda: [nx.weisfeiler_lehman_graph_hash(graph, iterations=rounds, **attributes) for graph in graphs], 2)
    direct, ours = best(lambda: leman.graph_hash(graphs, "1-WL", rounds, n_jobs=1))
    converting, data = best(lambda: leman.Dataset.from_networkx(graphs))
    hashing, again = best(lambda: leman.graph_hash(data, "1-WL", rounds, n_jobs=1))
    shared, _ = best(lambda: leman.graph_hash(data, "1-WL", rounds), clock=time.perf_counter)
    parts = [(graph._adj, graph._node, {node: i for i, node in enumerate(graph)}) for graph in graphs]
    label = "label" if labelled else None
    visiting, numbering = (best(lambda: walk(parts, number, label))[0] for number in (0, 1))
    assert ours == again
    print(f"{name}, {rounds} rounds: networkx {theirs:.3f} s; leman {direct:.4f} s ({theirs / direct:.0f} x), of which conversion {converting:.4f} s; "
          f"visiting alone {visiting:.4f} s (at most {theirs / visiting:.0f} x), with numbers {numbering:.4f} s (at most {theirs / numbering:.0f} x); "
          f"of a data set {hashing:.5f} s ({theirs / hashing:.0f} x), by the clock {shared:.5f} s ({theirs / shared:.0f} x); "
          f"{len(set(texts))} and {len(set(ours))} different hashes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=10**4, help="number of small graphs")
    parser.add_argument("--vertices", type=int, default=10**5, help="vertices of the large graph")
    asked = parser.parse_args()
    walk = compiled_walk()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        molecules = leman.generate("molecules", graphs=asked.graphs, seed=1)
        small = [graph.to_networkx() for graph in molecules]
        compare(f"{len(small):,} molecules", small, 3, True, walk)
        compare(f"{len(small):,} molecules without labels", [nx.Graph(graph.edges) for graph in small], 3, False, walk)
        large = nx.gnm_random_graph(asked.vertices, 4 * asked.vertices, seed=1)
        compare(f"a random graph of {asked.vertices:,} vertices and {large.number_of_edges():,} edges", [large], 3, False, walk)


if __name__ == "__main__":
    main()
