#!/usr/bin/env python3
"""The features of docs/kernels.md a second time, from the page alone: every pair, every set of vertices, plain integers.

golden_keys.py        prints the table of tests/kernel/test_keys.c
golden_keys.py --doc  prints the golden values of docs/kernels.md
"""
import collections
import itertools
import math
import os
import struct
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "refine"))
sys.dont_write_bytecode = True
from golden_colors import GRAPHS, Coloring, mix, multiplier

SHORTEST_PATH, GRAPHLET, VERTEX_HASH, BALL, TREE = 9, 10, 12, 13, 14
MASK = 2**64 - 1


def rot(x, by):
    return (x << by % 64 | x >> (64 - by % 64)) & MASK


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

    def words(self, kernel, radius):
        counts, word = collections.Counter(), {v: self.label(v) for v in range(self.g.n)}
        for r in range(radius + 1):
            if r or kernel == "hc":
                for v in word:
                    counts[mix(mix(self.seed) + r * multiplier(VERTEX_HASH, 0) + word[v] * multiplier(VERTEX_HASH, 1))] += 1
            word = {v: self.next_word(kernel, word, v) for v in word}
        return counts

    def next_word(self, kernel, word, v):
        near = [word[w] for w in self.g.out(v)]
        if kernel == "hc":
            return (word[v] + sum(near)) & MASK
        parts = near if kernel == "nh" else [rot(x ^ c, c) for x, c in collections.Counter(near).items()]
        found = rot(word[v], 1)
        for part in parts:
            found ^= part
        return found

    def distances(self, source, inside):
        found, queue = {source: 0}, [source]
        for v in queue:
            for w in self.g.out(v):
                if w in inside and w not in found:
                    found[w] = found[v] + 1
                    queue.append(w)
        return found

    def trees(self, height):
        counts = collections.Counter()
        for root in range(self.g.n):
            depth = {v: d for v, d in self.distances(root, range(self.g.n)).items() if d <= height}

            def tree(u):
                below = [w for w in self.g.out(u) if depth.get(w) == depth[u] + 1]
                children = sum(mix(tree(w) * multiplier(TREE, 0) + self.labels.arc(u, w) * multiplier(TREE, 1)) for w in below)
                return mix(self.label(u) * multiplier(TREE, 2) + children)
            for u in depth:
                counts[mix(tree(u) + multiplier(TREE, 3))] += 1
        return counts

    def ball(self, centre, radius):
        depth = self.distances(centre, range(self.g.n))
        inside = [v for v in depth if depth[v] <= radius]
        code = {}
        for u in inside:
            around = sum(mix(self.label(w) * multiplier(BALL, 0) + d * multiplier(BALL, 1)) for w, d in self.distances(u, inside).items())
            code[u] = mix(around + depth[u] * multiplier(BALL, 2))
        arcs = sum(mix(code[u] * multiplier(BALL, 4) + code[w] * multiplier(BALL, 5) + self.labels.arc(u, w) * multiplier(BALL, 6))
                   for u in inside for w in self.g.out(u) if w in code)
        return mix(sum(mix(x * multiplier(BALL, 3)) for x in code.values()) + arcs)

    def pairs(self, radius, distance):
        """Values in units of 2^-31."""
        found = {}
        for r, d in itertools.product(range(radius + 1), range(distance + 1)):
            counts = collections.Counter()
            for u in range(self.g.n):
                for w, far in self.distances(u, range(self.g.n)).items():
                    if far == d:
                        counts[mix(mix(self.seed) + r * multiplier(BALL, 7) + d * multiplier(BALL, 8) +
                                   self.ball(u, r) * multiplier(BALL, 9) + self.ball(w, r) * multiplier(BALL, 10))] += 1
            length = math.sqrt(sum(count * count for count in counts.values()))
            found.update({key: round(count / length * 2**31) for key, count in counts.items()})
        return found

    def of(self, kernel, size):
        if kernel in ("nh", "csnh", "hc"):
            return self.words(kernel, size)
        if kernel in ("nspd", "odd"):
            return self.pairs(size, 1) if kernel == "nspd" else self.trees(size)
        return self.shortest_paths() if kernel == "sp" else self.triples() if size == 3 else self.sets(size)


def cases():
    """graph, kernel, size, seed, key, count"""
    for graph in GRAPHS:
        for kernel, size, seed in (("sp", 0, 0), ("graphlet", 3, 0), ("graphlet", 4, 0), ("sp", 0, 77), ("graphlet", 3, 77)):
            for key, count in sorted(Features(GRAPHS[graph], seed).of(kernel, size).items()):
                yield graph, kernel, size, seed, key, count
    for kernel, graphs, seed in (("nh", ("kite",), 0), ("csnh", ("kite", "wheel"), 0), ("hc", ("edge", "wheel"), 77), ("odd", ("edge", "kite"), 0),
                                 ("nspd", ("edge",), 0), ("nspd", ("kite",), 77)):
        for graph in graphs:
            for key, count in sorted(Features(GRAPHS[graph], seed).of(kernel, 1).items()):
                yield graph, kernel, 1, seed, key, count


KINDS = {"sp": "SHORTEST_PATH", "graphlet": "GRAPHLET", "nh": "NEIGHBORHOOD_HASH", "csnh": "COUNT_SENSITIVE_HASH", "hc": "HADAMARD_CODE",
         "nspd": "NEIGHBORHOOD_PAIRS", "odd": "TREES"}


def c_row(case):
    graph, kernel, size, seed, key, count = case
    return f'    {{"{graph}", LEMAN_KERNEL_KIND_{KINDS[kernel]}, {size}, {seed}, 0x{key:016x}, {count}}},'


def doc_rows():
    yield "| graph | kernel | key | count |"
    yield "|---|---|---|---|"
    for graph, kernel, size, seed, key, count in cases():
        if not seed:
            yield f"| {graph} | {kernel}{f', {size} vertices' if kernel == 'graphlet' else ':1:1' if kernel == 'nspd' else ':1' if size else ''} | `{key:016x}` | {count} |"


if __name__ == "__main__":
    print("\n".join(doc_rows() if sys.argv[1:] == ["--doc"] else map(c_row, cases())))
