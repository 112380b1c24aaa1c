#!/usr/bin/env python3
"""The hashes of docs/color_definition.md a second time, from the page alone, on top of golden_colors.py and golden_items.py.

golden_hashes.py        prints the table of tests/refine/test_hashes.c
golden_hashes.py --doc  prints the test vectors of docs/color_definition.md
"""
import sys
from collections import Counter

from golden_colors import GRAPHS as COLORED
from golden_colors import WORD, Coloring, Graph, mix, multiplier
from golden_items import ENUM, NAMES, Items

GRAPH_HASH, HASH_SEED = 16, 0x6C6D31


def cycles(*lengths):
    arcs, first = {}, 0
    for length in lengths:
        arcs.update({(first + i, first + (i + 1) % length): () for i in range(length)})
        first += length
    return Graph([()] * first, arcs)


def bundles(edges):
    """Parallel edges as one, with the labels of all of them; (tail, head, label ...)."""
    rows = {}
    for tail, head, *labels in edges:
        rows.setdefault((tail, head), []).append(labels)
    return {arc: tuple(sum(sorted(of), [])) or ((len(of),) if len(of) > 1 else ()) for arc, of in rows.items()}


GRAPHS = {
    **COLORED,
    "none": Graph([], {}),
    "hexagon": cycles(6),
    "triangles": cycles(3, 3),
    "double": Graph([()] * 3, bundles([(0, 1), (0, 1), (1, 2)])),
    "bonds": Graph([()] * 3, bundles([(0, 1, 2), (0, 1, -1), (1, 2, 2)])),
    "arrows": Graph([()] * 2, bundles([(0, 1, 7), (0, 1, 7), (0, 1, 5), (1, 0, 7), (1, 1, 5), (1, 1, 5)]), True),
}
# Attributes of vertices, and of edges, which count only in rows with digits.
MEASURED = [(0.25, -1.5), (0.25, -1.5), (2.675, 1e9)], {(0, 1): (0.125,), (1, 2): (-0.375,)}


def measured(digits):
    """Three vertices with the label 4, and attributes as further labels: the product is a double, half rounds to even."""
    vertices, edges = MEASURED
    rounded = [(4, *(round(x * 10**digits) for x in row)) for row in vertices]
    return Graph(rounded, {edge: tuple(round(x * 10**digits) for x in row) for edge, row in edges.items()})


def last_round(graph, algorithm, k, rounds, every, seed, components):
    """The colours of the last round, and its number: the first round that splits no class, or `rounds` (None: no such limit)."""
    if algorithm.partition(":")[0] in NAMES:
        c = Items(graph, algorithm, k, seed, components)
    else:
        c = Coloring(graph, algorithm, k, every, True, seed, components=components)
    own_rule = c.algorithm == "local+" and not every
    color, number = c.types(), 0
    while number != rounds:
        number += 1
        after = c.next(color, c.algorithm == "local+" and (every or number == rounds))
        split = len(set(after.values())) > len(set(color.values()))
        color = after
        if not split and not own_rule:
            break
    return color, number


def graph_hash(graph, algorithm="local", k=1, rounds=None, every=True, components=0):
    words = []
    for seed in (0, HASH_SEED):
        color, number = last_round(graph, algorithm, k, rounds, every, seed, components)
        total = seed + sum(mix(mix(c) + m * multiplier(GRAPH_HASH, 0)) for c, m in Counter(color.values()).items())
        total = mix(total + graph.n * multiplier(GRAPH_HASH, 1))
        words.append(mix(total + (2 * number + graph.directed) * multiplier(GRAPH_HASH, 2)) & WORD)
    return "lm1:" + "".join(f"{word:016x}" for word in words)


def cases():
    """graph, algorithm, k, last round or None, # in every round, components, digits or None"""
    for case in tuple_cases():
        yield *case, None
    for digits in (0, 1, 2):
        for algorithm, k in (("local", 1), ("local", 2)):
            yield "measured", algorithm, k, None, True, 0, digits
    for name in ("kite", "wheel"):
        for algorithm in NAMES:
            yield name, algorithm, 1 if algorithm in ("spd", "rd", "gd") else 2, None, True, 0, None
    yield "bonds", "slfwl", 2, None, True, 0, None
    yield "triangles", "rd", 1, None, True, 0, None
    yield "hexagon", "drfwl:3", 2, None, True, 0, None
    yield "hexagon", "ds-ego:1", 2, None, True, 0, None
    yield "kite", "set", 3, None, True, 2, None
    yield "kite", "sswl", 2, 0, True, 0, None


def tuple_cases():
    for name in GRAPHS:
        yield name, "local", 1, None, True, 0
    for name in ("kite", "wheel", "hexagon"):
        yield name, "delta", 1, None, True, 0
        yield name, "local", 1, 1, True, 0
        for algorithm in ("wl", "delta", "local", "local+", "folklore"):
            yield name, algorithm, 2, None, True, 0
    yield "kite", "local+", 2, 3, False, 0
    yield "wheel", "local", 2, 0, True, 0
    yield "triangles", "local", 2, None, True, 0
    for name in ("double", "bonds", "arrows"):
        yield name, "local", 2, None, True, 0
    for name in ("kite", "wheel"):
        yield name, "local", 3, None, True, 0
        yield name, "local", 2, None, True, 1
        yield name, "folklore", 3, None, True, 2


def value(case):
    name, algorithm, k, rounds, every, components, digits = case
    return graph_hash(GRAPHS[name] if digits is None else measured(digits), algorithm, k, rounds, every, components)


def c_row(case):
    name, algorithm, k, rounds, every, components, digits = case
    base, _, distance = algorithm.partition(":")
    of_enum = "LEMAN_ALGORITHM_" + ENUM.get(base, base.upper().replace("+", "_PLUS"))
    last = "LEMAN_STABLE" if rounds is None else rounds
    return (f'    {{"{name}", {of_enum}, {k}, {last}, {"true" if every else "false"}, {components}, {distance or 0}, '
            f'{-1 if digits is None else digits}, "{value(case)}"}},')


def doc_rows():
    yield "| graph | algorithm | k | rounds | hash |"
    yield "|---|---|---|---|---|"
    for case in cases():
        name, algorithm, k, rounds, every, components, digits = case
        how = algorithm + ((", every" if every else ", last") if algorithm == "local+" else "")
        how += f", components {components}" if components else ""
        how += "" if digits is None else f", digits {digits}"
        yield f"| {name} | {how} | {k} | {'stable' if rounds is None else rounds} | `{value(case)}` |"


if __name__ == "__main__":
    print("\n".join(doc_rows() if sys.argv[1:] == ["--doc"] else map(c_row, cases())))
