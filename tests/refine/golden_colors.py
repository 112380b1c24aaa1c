#!/usr/bin/env python3
"""The colours of docs/color_definition.md a second time, from the page alone: plain integers, no cleverness, no library.

golden_colors.py        prints the table of tests/refine/test_colors.c
golden_colors.py --doc  prints the golden values of docs/color_definition.md
"""
import itertools
import sys

WORD = 2**64 - 1
M = 0xD6E8FEB86659FD93
LABEL, VERTEX, PAIR, LOCAL, LINE, ENTERING, VECTOR, COUNTER, MESSAGE = range(9)
TUPLE_SET = 11


def mix(x):
    x &= WORD
    x ^= x >> 32
    x = x * M & WORD
    x ^= x >> 29
    x = x * M & WORD
    return x ^ x >> 32


def multiplier(family, index):
    return mix(((family << 32) + index) * 0x9E3779B97F4A7C15 + 0x2545F4914F6CDD1D) | 1


class Graph:
    """vertices: a tuple of labels each. arcs: (tail, head) -> tuple of labels; an undirected edge is there both ways."""

    def __init__(self, vertices, arcs, directed=False):
        self.n, self.vertices, self.directed = len(vertices), vertices, directed
        self.arcs = dict(arcs) if directed else {**arcs, **{(v, u): a for (u, v), a in arcs.items()}}
        self.edge_columns = max(map(len, arcs.values()), default=0)

    def out(self, v):
        return [w for w in range(self.n) if (v, w) in self.arcs]

    def into(self, v):
        return [w for w in range(self.n) if (w, v) in self.arcs]


class Coloring:
    def __init__(self, graph, algorithm, k, every=False, in_arcs=False, seed=0, ignore=(), components=0):
        self.g, self.k, self.every, self.ignore = graph, k, every, ignore
        self.seed = mix(seed + multiplier(TUPLE_SET, components)) if components else seed
        self.algorithm = "local" if k == 1 and algorithm in ("wl", "folklore") else algorithm
        self.in_arcs = in_arcs and graph.directed
        self.tuples = list(itertools.product(range(graph.n), repeat=k))
        if components:
            self.tuples = [v for v in self.tuples if self.components(v) <= components]

        self.members = set(self.tuples)

    def components(self, v):
        """Of the subgraph that the vertices of a tuple induce."""
        parts = [{u} for u in set(v)]
        for u, w in self.g.arcs:
            of_u, of_w = ([p for p in parts if x in p] for x in (u, w))
            if of_u and of_w and of_u != of_w:
                parts.remove(of_w[0])
                of_u[0].update(of_w[0])
        return len(parts)

    # ---- labels and atomic types

    def labels(self, start, values):
        h = mix(start)
        for column, value in enumerate(values):
            h = mix(h + (value + 1) * multiplier(LABEL, column))
        return h

    def arc(self, u, w):
        if (u, w) not in self.g.arcs:
            return 0
        return self.labels(self.seed + 2, () if "edge" in self.ignore else self.g.arcs[u, w]) | 1

    def vertex(self, v):
        h = self.labels(self.seed + 1, () if "vertex" in self.ignore else self.g.vertices[v])
        return mix(h + self.arc(v, v)) if (v, v) in self.g.arcs else h

    def relation(self, u, w):
        if u == w:
            return mix(mix(self.seed + 4))
        return mix(mix(self.seed + 3) + self.arc(u, w) * multiplier(PAIR, 0) + self.arc(w, u) * multiplier(PAIR, 1))

    def types(self):
        def type_of(v):
            total = sum(self.vertex(v[i]) * multiplier(VERTEX, i) for i in range(self.k))
            for j in range(self.k):
                for i in range(j):
                    total += self.relation(v[i], v[j]) * multiplier(PAIR, 2 + j * (j - 1) // 2 + i)
            return mix(total)

        return {v: type_of(v) for v in self.tuples}

    # ---- a round; tuples that are not in the set take no part

    def replaced(self, v, j, w):
        return v[:j] + (w,) + v[j + 1 :]

    def line(self, v, j):
        return [x for w in range(self.g.n) if (x := self.replaced(v, j, w)) in self.members]

    def neighbour_sum(self, color, v, j, entering, counted):
        total = 0
        for w in self.g.into(v[j]) if entering else self.g.out(v[j]):
            x = self.replaced(v, j, w)
            if x not in color:
                continue
            value = color[x]
            if counted:
                count = sum(color[y] == color[x] for y in self.line(x, j))
                value = mix(value + count * multiplier(COUNTER, 0))
            if self.k == 1 and self.g.edge_columns and "edge" not in self.ignore:
                arc = self.arc(w, v[j]) if entering else self.arc(v[j], w)
                value = mix(value + arc * multiplier(MESSAGE, 0))
            total += value
        return total

    def next(self, color, counted):
        def color_of(v):
            total = color[v]
            for j in range(self.k):
                if self.algorithm in ("local", "local+", "delta"):
                    total += self.neighbour_sum(color, v, j, False, counted) * multiplier(LOCAL, j)
                    if self.in_arcs:
                        total += self.neighbour_sum(color, v, j, True, counted) * multiplier(ENTERING, j)
                if self.algorithm in ("wl", "delta"):
                    total += sum(color[x] for x in self.line(v, j)) * multiplier(LINE, j)
            if self.algorithm == "folklore":
                for w in range(self.g.n):
                    places = [(j, x) for j in range(self.k) if (x := self.replaced(v, j, w)) in color]
                    if places:
                        total += mix(sum(color[x] * multiplier(VECTOR, j) for j, x in places))
            return mix(total)

        return {v: color_of(v) for v in self.tuples}

    def after(self, rounds):
        """The colours after so many rounds, of which the last is the last there is."""
        color = self.types()
        for r in range(1, rounds + 1):
            color = self.next(color, self.algorithm == "local+" and (self.every or r == rounds))
        return [color.get(v, 0) for v in itertools.product(range(self.g.n), repeat=self.k)]


GRAPHS = {
    "edge": Graph([(), ()], {(0, 1): ()}),
    "kite": Graph([(1,), (1,), (2,), (-3,)], {(0, 1): (0,), (1, 2): (1,), (0, 2): (1,), (2, 3): (5,)}),
    "wheel": Graph(
        [(0, 7), (0, 7), (1, 0)],
        {(0, 1): (0, 0), (1, 2): (1, 0), (2, 0): (0, 1), (0, 2): (0, 0), (1, 1): (2, 2)},
        directed=True,
    ),
}


def cases():
    """graph, algorithm, k, round, # in every round, in-arcs, seed, components"""
    for case in dense_cases():
        yield *case, 0
    for graph, k, components in (("kite", 2, 1), ("kite", 3, 1), ("kite", 3, 2), ("wheel", 2, 2), ("kite", 4, 2)):
        for algorithm in ("wl", "delta", "local", "local+", "folklore"):
            yield graph, algorithm, k, 2, algorithm == "local+", graph == "wheel", 0, components


def dense_cases():
    for graph in GRAPHS:
        for k in (1, 2, 3):
            yield graph, "local", k, 0, False, False, 0
            for algorithm in ("wl", "delta", "local", "local+", "folklore"):
                if k == 1 and algorithm in ("wl", "folklore"):
                    continue
                yield graph, algorithm, k, 2, False, False, 0
                if algorithm == "local+":
                    yield graph, algorithm, k, 2, True, False, 0
    for algorithm in ("delta", "local", "local+"):
        for k in (1, 2):
            yield "wheel", algorithm, k, 3, True, True, 0
    for k in (1, 2, 3):
        yield "kite", "local", k, 1, False, False, 0x6C656D616E
    yield "kite", "local+", 4, 2, True, False, 0
    yield "kite", "folklore", 4, 1, False, False, 0


def values(case):
    graph, algorithm, k, rounds, every, in_arcs, seed, components = case
    color = Coloring(GRAPHS[graph], algorithm, k, every, in_arcs, seed, components=components).after(rounds)
    check = sum(c * (2 * t + 1) for t, c in enumerate(color)) & WORD
    return color[0], color[1], check


def c_row(case):
    graph, algorithm, k, rounds, every, in_arcs, seed, components = case
    name = "LEMAN_ALGORITHM_" + algorithm.upper().replace("+", "_PLUS")
    flag = {True: "true", False: "false"}
    first, second, check = values(case)
    return (
        f'    {{"{graph}", {name}, {k}, {rounds}, {flag[every]}, {flag[in_arcs]}, 0x{seed:x}, {components},\n'
        f"     0x{first:016x}, 0x{second:016x}, 0x{check:016x}}},"
    )


def doc_rows():
    yield "| graph | algorithm | k | round | (0, ..., 0) | (0, ..., 0, 1) | check |"
    yield "|---|---|---|---|---|---|---|"
    for case in cases():
        graph, algorithm, k, rounds, every, in_arcs, seed, components = case
        if seed or k > 3 or graph == "edge" and k != 2:
            continue
        how = (", every" if every else ", last") if algorithm == "local+" else ""
        words = " | ".join(f"`{v:016x}`" for v in values(case))
        how += f", components {components}" if components else ""
        yield f"| {graph} | {algorithm}{how}{', in-arcs' if in_arcs else ''} | {k} | {rounds} | {words} |"


def doc_mixing():
    yield f"    mix(0) = {mix(0):016x}     mix(1) = {mix(1):016x}     mix(2^64 - 1) = {mix(WORD):016x}"
    named = ((0, 0), (3, 1), (8, 0))
    yield "    " + "     ".join(f"multiplier({f}, {i}) = {multiplier(f, i):016x}" for f, i in named)


if __name__ == "__main__":
    if sys.argv[1:] == ["--doc"]:
        print("\n".join([*doc_mixing(), "", *doc_rows()]))
    else:
        print("\n".join(c_row(case) for case in cases()))
