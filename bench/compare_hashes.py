#!/usr/bin/env python3
"""Hashes of graphs beside networkx.weisfeiler_lehman_graph_hash: many small graphs, and one large graph. Needs networkx and the package.

    PYTHONPATH=build/python python bench/compare_hashes.py

Every line has the seconds of processor time, on one thread, of networkx, of leman.graph_hash for the same networkx graphs, of the conversion
alone, and of leman.graph_hash for the converted data set. Both sides take as many rounds; the best of three runs counts, for networkx one.
"""
import argparse
import time
import warnings

import networkx as nx

import leman


def best(function, runs=3):
    seconds = []
    for _ in range(runs):
        begin = time.process_time()
        result = function()
        seconds.append(time.process_time() - begin)
    return min(seconds), result


def compare(name, graphs, rounds, labelled):
    attributes = dict(node_attr="label", edge_attr="label") if labelled else {}
    theirs, texts = best(lambda: [nx.weisfeiler_lehman_graph_hash(graph, iterations=rounds, **attributes) for graph in graphs], 1)
    direct, ours = best(lambda: leman.graph_hash(graphs, "1-WL", rounds, n_jobs=1))
    converting, data = best(lambda: leman.Dataset.from_networkx(graphs))
    hashing, again = best(lambda: leman.graph_hash(data, "1-WL", rounds, n_jobs=1))
    assert ours == again
    print(f"{name}, {rounds} rounds: networkx {theirs:.3f} s; leman {direct:.4f} s ({theirs / direct:.0f} x), of which conversion {converting:.4f} s; "
          f"of a data set {hashing:.5f} s ({theirs / hashing:.0f} x); {len(set(texts))} and {len(set(ours))} different hashes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=10**4, help="number of small graphs")
    parser.add_argument("--vertices", type=int, default=10**5, help="vertices of the large graph")
    asked = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        molecules = leman.generate("molecules", graphs=asked.graphs, seed=1)
        small = [graph.to_networkx() for graph in molecules]
        compare(f"{len(small):,} molecules", small, 3, True)
        compare(f"{len(small):,} molecules without labels", [nx.Graph(graph.edges) for graph in small], 3, False)
        large = nx.gnm_random_graph(asked.vertices, 4 * asked.vertices, seed=1)
        compare(f"a random graph of {asked.vertices:,} vertices and {large.number_of_edges():,} edges", [large], 3, False)


if __name__ == "__main__":
    main()
