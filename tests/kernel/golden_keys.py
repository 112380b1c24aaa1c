#!/usr/bin/env python3
"""The features of docs/kernels.md a second time, from the page alone: every pair, every set of vertices, plain integers.

golden_keys.py        prints the table of tests/kernel/test_keys.c
golden_keys.py --doc  prints the golden values of docs/kernels.md
"""
import collections
import itertools
import os
import struct
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "refine"))
sys.dont_write_bytecode = True
from golden_colors import GRAPHS, Coloring, mix, multiplier

SHORTEST_PATH, GRAPHLET = 9, 10


class Features:
    def __init__(self, graph, seed):
        self.g, self.seed = graph, seed
        self.labels = Coloring(graph, "local", 1, seed=seed)

    def label(self, v):
        return self.labels.labels(self.seed + 1, self.g.vertices[v])

    def joined(self, u, v):
        return u != v and ((u, v) in self.g.arcs or (v, u) in self.g.arcs)

    def shortest_paths(self):
        counts = collections.Counter()
        for u in range(self.g.n):
            distance, queue = {u: 0}, [u]
            for v in queue:
                for w in self.g.out(v):
                    if w not in distance:
                        distance[w] = distance[v] + 1
                        queue.append(w)
            for v, d in distance.items():
                if v != u:
                    bits = struct.unpack("<Q", struct.pack("<d", float(d)))[0]
                    key = self.label(u) * multiplier(SHORTEST_PATH, 0) + self.label(v) * multiplier(SHORTEST_PATH, 1)
                    counts[mix(key + mix(bits + multiplier(SHORTEST_PATH, 2)))] += 1
        return counts

    def end(self, v, w):
        arcs = self.labels.arc(v, w) * multiplier(GRAPHLET, 1) + self.labels.arc(w, v) * multiplier(GRAPHLET, 2)
        return mix(self.label(w) * multiplier(GRAPHLET, 0) + arcs)

    def corner(self, m, a, b):
        return mix(self.label(m) * multiplier(GRAPHLET, 3) + self.end(m, a) + self.end(m, b))

    def triples(self):
        counts = collections.Counter()
        for triple in itertools.combinations(range(self.g.n), 3):
            turns = [(m, *(x for x in triple if x != m)) for m in triple]
            middles = [t for t in turns if self.joined(t[0], t[1]) and self.joined(t[0], t[2])]
            if len(middles) == 1:
                counts[mix(self.corner(*middles[0]) + multiplier(GRAPHLET, 4))] += 1
            elif len(middles) == 3:
                counts[mix(sum(self.corner(*t) for t in turns) + multiplier(GRAPHLET, 5))] += 1
        return counts

    def connected(self, chosen):
        reached = {chosen[0]}
        for _ in chosen:
            reached |= {w for v in reached for w in chosen if self.joined(v, w)}
        return len(reached) == len(chosen)

    def code(self, order):
        pairs = ((i, j) for j in range(len(order)) for i in range(j))
        return sum(1 << j * (j - 1) // 2 + i for i, j in pairs if self.joined(order[i], order[j]))

    def sets(self, size):
        counts = collections.Counter()
        for chosen in itertools.combinations(range(self.g.n), size):
            if self.connected(chosen):
                shape = size * 1024 + min(map(self.code, itertools.permutations(chosen)))
                counts[mix(mix(self.seed) + shape * multiplier(GRAPHLET, 6))] += 1
        return counts

    def of(self, kernel, size):
        return self.shortest_paths() if kernel == "sp" else self.triples() if size == 3 else self.sets(size)


def cases():
    """graph, kernel, size, seed, key, count"""
    for graph in GRAPHS:
        for kernel, size, seed in (("sp", 0, 0), ("graphlet", 3, 0), ("graphlet", 4, 0), ("sp", 0, 77), ("graphlet", 3, 77)):
            for key, count in sorted(Features(GRAPHS[graph], seed).of(kernel, size).items()):
                yield graph, kernel, size, seed, key, count


def c_row(case):
    graph, kernel, size, seed, key, count = case
    kind = "LEMAN_KERNEL_KIND_SHORTEST_PATH" if kernel == "sp" else "LEMAN_KERNEL_KIND_GRAPHLET"
    return f'    {{"{graph}", {kind}, {size}, {seed}, 0x{key:016x}, {count}}},'


def doc_rows():
    yield "| graph | kernel | key | count |"
    yield "|---|---|---|---|"
    for graph, kernel, size, seed, key, count in cases():
        if not seed:
            yield f"| {graph} | {kernel}{f', {size} vertices' if size else ''} | `{key:016x}` | {count} |"


if __name__ == "__main__":
    print("\n".join(doc_rows() if sys.argv[1:] == ["--doc"] else map(c_row, cases())))
