#!/usr/bin/env python3
"""Colourings of ordered pairs, of vertices with distances, of sets and of bags of subgraphs, against definitions written here."""
import fractions
import itertools
import math
import random

import program
from program import Case

FAR = math.inf
PAIRS = {"swl": ("L u", "VS"), "swl-sv": ("L u", "SV"), "pswl": ("L u, P vv", "VS"), "pswl-sv": ("L u, P vv", "SV"),
         "gswl": ("L u, G v", "VS"), "sswl": ("L u, L v", "VS"), "lfwl": ("F(N(v))", "VS"), "slfwl": ("F(N(u), N(v))", "VS")}
BAGS = ("ds-nd", "ds-ego", "ds-ego:1", "ds-nm")
NAMES = (*PAIRS, "drfwl", "drfwl:1", "drfwl:3", "spd", "rd", "gd", "set", "set:3", *BAGS)


class Graph:
    def __init__(self, n, arcs, labels):
        self.n, self.arcs, self.labels, self.vertices = n, arcs, labels, range(n)

    def near(self, v, entering=False):
        """Neighbours of v with the label of the arc."""
        return [(w, self.arcs[(w, v) if entering else (v, w)]) for w in self.vertices
                if ((w, v) if entering else (v, w)) in self.arcs]

    def distances(self):
        """Floyd and Warshall."""
        d = {(u, v): 0 if u == v else 1 if (u, v) in self.arcs else FAR for u in self.vertices for v in self.vertices}
        for w, u, v in itertools.product(self.vertices, repeat=3):
            d[u, v] = min(d[u, v], d[u, w] + d[w, v])
        return d

    def resistances(self):
        """For each pair: the potential between u and v when a current of one flows, by exact elimination of the other vertices."""
        joined = {(u, v) for u, v in self.arcs if u != v} | {(v, u) for u, v in self.arcs if u != v}
        found = {}
        for u, v in itertools.product(self.vertices, repeat=2):
            wire = {pair: fractions.Fraction(1) for pair in joined}  # conductances; a vertex without current becomes a mesh
            for w in self.vertices:
                if w in (u, v):
                    continue
                ends = [x for x in self.vertices if (w, x) in wire]
                total = sum(wire[w, x] for x in ends)
                for a, b in itertools.permutations(ends, 2):
                    wire[a, b] = wire.get((a, b), 0) + wire[w, a] * wire[w, b] / total
                for x in ends:
                    del wire[w, x], wire[x, w]
            found[u, v] = 0 if u == v else 1 / wire[u, v] if (u, v) in wire else FAR
        return found


def multiset(items):
    return sorted(map(repr, items))


def kinds(relations):
    """A multiset for leaving arcs and, where entering ones are asked for, one for those."""
    return [multiset(r) for r in relations]


def first_colors(g, name):
    """Colours of round 0, by item."""
    name, _, number = name.partition(":")
    d, label = g.distances(), g.labels
    everything = list(itertools.product(g.vertices, repeat=2))
    if name in PAIRS:
        return {(u, v): (u == v, label[u], label[v]) for u, v in everything}
    if name == "drfwl":
        return {(u, v): (d[u, v], label[u], label[v], u != v and g.arcs.get((u, v)))
                for u, v in everything if d[u, v] <= int(number or 2)}
    if name in ("spd", "rd", "gd"):
        return {(v,): label[v] for v in g.vertices}
    if name == "ds-nd":
        return {(u, v): label[v] for u, v in everything if u != v}
    if name == "ds-ego":
        return {(u, v): label[v] for u, v in everything if d[u, v] <= int(number or 2)}
    return {(u, v): (u == v, label[v]) for u, v in everything}  # ds-nm


def next_pairs(g, name, colors, directions):
    name = name.partition(":")[0]

    def move(u, v, entering):
        return [(colors[u, w], a) for w, a in g.near(v, entering) if (u, w) in colors]

    def news(u, v):
        if name == "drfwl":
            return multiset((colors[u, w], colors[w, v]) for w in g.vertices if (u, w) in colors and (w, v) in colors)
        if name in BAGS:
            return kinds(move(u, v, e) for e in directions)
        found = []
        for term in PAIRS[name][0].split(", ") if not PAIRS[name][0].startswith("F") else [PAIRS[name][0]]:
            if term == "L u":
                found += kinds(move(u, v, e) for e in directions)
            elif term == "L v":
                found += kinds([(colors[w, v], a) for w, a in g.near(u, e)] for e in directions)
            elif term == "G v":
                found.append(multiset(colors[w, v] for w in g.vertices))
            elif term == "P vv":
                found.append(colors[v, v])
            elif term == "F(N(v))":
                found += kinds([(colors[u, w], colors[w, v], a) for w, a in g.near(v, e)] for e in directions)
            else:
                both = [(dict(g.near(u, e)), dict(g.near(v, e))) for e in directions]
                labelled = g.edge_labels
                found += kinds([(colors[u, w], colors[w, v], labelled and (a.get(w), b.get(w))) for w in {*a, *b}]
                               for a, b in both)
        return found
    return {(u, v): (colors[u, v], news(u, v)) for u, v in colors}


def next_vertices(g, name, colors, directions):
    seen = {"spd": [g.distances()], "rd": [g.resistances()], "gd": [g.distances(), g.resistances()]}[name]

    def knows(v, w):
        return [[d[v, w] for d in seen], g.edge_labels and g.arcs.get((v, w))]
    return {(v,): (colors[v,], kinds([knows(*((w, v) if e else (v, w))) + [colors[w,]] for w in g.vertices]
                                     for e in directions)) for v in g.vertices}


def graph_colors(g, name, colors):
    """All items of a round with their colours: pairs, and multisets of rows or columns."""
    base = name.partition(":")[0]
    found = {item: ("item", color) for item, color in colors.items()}
    if base in PAIRS or base in ("ds-nd", "ds-ego", "ds-nm"):
        side = int(PAIRS.get(base, ("", "VS"))[1] == "SV")
        for x in g.vertices:
            found["pool", x] = ("pool", multiset(c for pair, c in colors.items() if pair[side] == x))
    return found


# ---- Sets ----------------------------------------------------------------------------------------

def components(g, vertices):
    left, count = set(vertices), 0
    while left:
        todo, count = [left.pop()], count + 1
        while todo:
            v = todo.pop()
            for w in [w for w in left if (v, w) in g.arcs or (w, v) in g.arcs]:
                left.discard(w)
                todo.append(w)
    return count


def first_sets(g, k, most):
    def kind(order):
        return [g.labels[v] for v in order], [g.arcs.get((u, v)) for u in order for v in order if u != v]
    return {s: min(map(repr, map(kind, itertools.permutations(s))))
            for size in range(1, k + 1) for s in itertools.combinations(g.vertices, size) if components(g, s) <= most}


def next_sets(g, colors):
    def near(s, more):
        return [c for t, c in colors.items() if len(t) == len(s) + more and len(set(t) ^ set(s)) == 1]
    return {s: (c, multiset(near(s, 1)), multiset(near(s, -1))) for s, c in colors.items()}


def renamed(colorings, names):
    return [{t: names.setdefault(repr(c), len(names)) for t, c in coloring.items()} for coloring in colorings]


def all_rounds(graphs, name, rounds, in_arcs, k=2, most=9):
    """The items of every graph with their colours, for each round."""
    directions = (False, True) if in_arcs else (False,)
    base = name.partition(":")[0]
    now = renamed([first_sets(g, k, most) if base == "set" else first_colors(g, name) for g in graphs], {})
    result = []
    for _ in range(rounds + 1):
        result.append((now, renamed([graph_colors(g, name, c) for g, c in zip(graphs, now)], {})))
        step = (next_sets if base == "set" else None)
        now = renamed([next_sets(g, c) if step else
                       (next_vertices if base in ("spd", "rd", "gd") else next_pairs)(g, name, c, directions)
                       for g, c in zip(graphs, now)], {})
    return result


class Items(Case):
    def random_set(self, seed, labelled, directed):
        pick = random.Random(seed)
        graphs, files, first = [], {"A": "", "graph_indicator": "", "node_labels": ""}, 1
        for number in range(1, pick.randint(3, 4)):
            n, arcs = pick.randint(2, 6), {}
            for u, v in itertools.permutations(range(n), 2):
                if (directed or u < v) and pick.random() < 0.4:
                    arcs[u, v] = pick.randint(0, 1) if labelled else 0
                    if not directed:
                        arcs[v, u] = arcs[u, v]
            graphs.append(Graph(n, arcs, [pick.randint(0, 1) if labelled else 0 for _ in range(n)]))
            graphs[-1].edge_labels = labelled
            files["graph_indicator"] += f"{number}\n" * n
            files["node_labels"] += "".join(f"{x}\n" for x in graphs[-1].labels)
            files["A"] += "".join(f"{u + first}, {v + first}\n" for u, v in arcs)
            if labelled:
                files["edge_labels"] = files.get("edge_labels", "") + "".join(f"{x}\n" for x in arcs.values())
            first += n
        return graphs, self.tu("R", **files)

    def compare(self, seed, name):
        labelled, directed = seed % 2 == 1, seed % 3 == 2
        in_arcs = directed and seed % 4 < 2
        k, tuples = (2 + seed % 3, "components:" + str(1 + seed % 2)) if name == "set" else (3, "all")
        if name == "set:3":
            name = "set"
        graphs, data = self.random_set(seed, labelled, directed)
        if not any(g.arcs for g in graphs):
            return
        most = 1 + seed % 2 if tuples != "all" else k
        asked = [data, "-a", name, "-r", "3", *(["-k", str(k), "--tuples", tuples] if name == "set" else []),
                 *(["--directed"] if directed else []), *(["--in-arcs"] if in_arcs else [])]
        found = self.json("colors", *asked)
        expected = all_rounds(graphs, name, 3, in_arcs, k, min(most, k))
        for r, (_, of_round) in enumerate(expected):
            self.assertEqual(found["rounds"][r], {
                "round": r, "colors": len({c for g in of_round for c in g.values()}),
                "pairs": sum(len(set(g.values())) for g in of_round)}, (seed, name, r, asked))
        colors = {}
        for number, g in list(enumerate(graphs))[:1]:
            self.succeeds("colors", *asked, "--graph", str(number), "--tuple-colors", "-o", self.path("c.csv"))
            with open(self.path("c.csv")) as file:
                lines = [line.strip().split(",") for line in list(file)[1:]]
            own = expected[3][0][number]
            items = {tuple(map(int, line[:-1])): line[-1] for line in lines}
            if name == "set":
                self.assertEqual({tuple(sorted(set(t))) for t in items}, set(own))
                items = {tuple(sorted(set(t))): c for t, c in items.items()}
            self.assertEqual(set(items), set(own), (seed, name))
            for item, color in items.items():
                self.assertEqual(colors.setdefault(color, own[item]), own[item], (seed, name, item))
        self.assertEqual(len(set(colors.values())), len(colors))

    def test_against_the_definitions(self):
        for i, name in enumerate(NAMES):
            for seed in range(3):
                self.compare(seed + 3 * i + i, name)

    def test_names(self):
        data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "5", "-o", data, "--quiet")
        for name, method in (("SWL(VS)", "SWL(VS)"), ("ssWL", "SSWL"), ("drfwl(2):3", "DRFWL(2):3"), ("drfwl:2", "DRFWL(2)"),
                             ("3-SetWL", "3-SetWL"), ("ds-ego:1", "DS-WL(EGO):1"), ("GD-WL", "GD-WL")):
            self.assertEqual(self.json("colors", data, "-a", name, "-r", "1")["method"], method)
        self.assertEqual(self.json("colors", data, "-a", "spd", "-r", "1")["k"], 1)
        self.wrong("colors", data, "-a", "swl", "-k", "3", words=["sets k to 2", "-k 3"])
        for bad, words in (("swl:2", ["'swl:2'", "expected one of"]), ("drfwl:0", ["drfwl:0", "1 to 255"]),
                           ("drfwl:300", ["drfwl:300", "1 to 255"])):
            self.wrong("colors", data, "-a", bad, words=words)
        self.wrong("colors", data, "-a", "swl", "--tuples", "connected", words=["SWL(VS)", "all pairs"])
        self.wrong("colors", data, "-a", "set", "-k", "7", words=["found 7", "1 to 6"])

    def test_memory(self):
        """The estimate comes before the work, and counts what is there."""
        n = 3000
        path = self.write("ring.csv", "source,target\n" + "".join(f"{i},{(i + 1) % n}\n" for i in range(n)))
        for name in ("swl", "gd", "ds-nd", "set"):
            self.fails("colors", path, "-a", name, "-r", "1", "--memory", "100M", *(["-k", "3"] if name == "set" else []),
                       words=["3000 vertices", "needs", "100"])
        self.assertEqual(self.json("colors", path, "-a", "drfwl", "-r", "2", "--memory", "100M")["rounds"][2]["pairs"], 3)
        found = self.json("colors", path, "-a", "set", "-k", "3", "--tuples", "connected", "-r", "1", "--memory", "100M")
        self.assertEqual(found["rounds"][1]["pairs"], 3)

    def test_commands(self):
        """Features, Gram matrices, models with contributions, unions and verification take them as other colourings."""
        data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "24", "-o", data, "--quiet")
        for name in ("swl", "drfwl", "gd", "set", "ds-ego:1"):
            self.json("colors", data, "-a", name, "-r", "2", "--verify")
            self.succeeds("features", data, "-a", name, "-r", "2", "-o", self.path("f.svm"))
            self.succeeds("gram", data, "-a", name, "-r", "2", "-o", self.path("k.csv"))
            with open(self.path("f.svm")) as file:
                rows = [dict(map(float, x.split(":")) for x in line.split()[1:]) for line in file]
            with open(self.path("k.csv")) as file:
                gram = [list(map(float, line.split(","))) for line in file]
            for i, j in ((0, 0), (0, 1), (3, 17)):
                self.assertAlmostEqual(gram[i][j], sum(x * rows[j].get(c, 0) for c, x in rows[i].items()), places=3)
            self.succeeds("fit", data, "-a", name, "-r", "2", "-o", self.path("model"), "--quiet")
            self.succeeds("predict", "--model", self.path("model"), data, "-o", self.path("p.csv"), "--explain",
                          self.path("e.json"))
        pair = self.write("pair.g6", "EhEG\nEwCW\n")  # a hexagon, two triangles
        for name in ("swl", "drfwl", "gd", "set"):
            found = [self.json("distinguish", pair, "-a", name, *union)["results"][0] for union in ((), ("--union",))]
            self.assertEqual([one["distinguished"] for one in found], [name != "set"] * 2, name)
        for name in NAMES:
            for union in ((), ("--union",)):
                text = self.succeeds("distinguish", pair, "-a", name, "--explain", *union).stdout
                self.assertRegex(text, "not told apart" if name == "set" else r"(?s)is carried by.*Its unrolling at")
        self.assertTrue(self.json("distinguish", pair, "-a", "set", "-k", "3")["results"][0]["distinguished"])
        table = self.succeeds("distinguish", pair, "--all", "-k", "2").stdout
        self.assertRegex(table, r"SSWL +\. +\d+\n")

    def test_threads(self):
        self.succeeds("generate", "random", "--vertices", "150", "--graphs", "2", "-o", self.path("r.g6"), "--quiet")
        for name in ("sswl", "slfwl", "drfwl", "gd", "set"):
            one, two = (self.json("distinguish", self.path("r.g6"), "-a", name, "-r", "2", "-t", t) for t in "12")
            self.assertEqual(one, two)


if __name__ == "__main__":
    program.main()
