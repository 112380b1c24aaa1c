#!/usr/bin/env python3
"""leman hash: against the second implementation of docs/color_definition.md on random graphs; attributes, names, JSON."""
import hashlib
import os
import random
import sys

import program
from program import SOURCE, Case, leman

sys.path.insert(0, os.path.join(SOURCE, "tests", "refine"))
sys.dont_write_bytecode = True
from golden_hashes import Graph, graph_hash


def random_graph(draw, directed=False):
    n = draw.randrange(1, 8)
    arcs = {}
    for u in range(n):
        for v in range(n if directed else u):
            if u != v and draw.random() < 0.4:
                arcs[u, v] = (draw.randrange(2),)
    return Graph([(draw.randrange(3),) for _ in range(n)], arcs, directed)


def shuffled(draw, graph):
    to = list(range(graph.n))
    draw.shuffle(to)
    vertices = [None] * graph.n
    for v, label in enumerate(graph.vertices):
        vertices[to[v]] = label
    return Graph(vertices, {(to[u], to[v]): a for (u, v), a in graph.arcs.items()}, graph.directed)


class Parallel(Case):
    def hashes(self, attribute, *how):
        data = self.tu("mu", A="1, 2\n1, 2\n2, 1\n2, 1\n2, 3\n3, 2\n", graph_indicator="1\n1\n1\n",
                       edge_attributes="0\n0\n0\n0\n" + f"{attribute}\n" * 2)
        return self.succeeds("hash", data, "-q", "--digits", "0", "--policy", "repeated-edges=keep", *how).stdout

    def test_attributes_beside_parallel_edges(self):
        """A row of labels that ends early does not hide the attribute behind it."""
        for how in ((), ("--exact",)):
            self.assertEqual(self.hashes(5, *how), self.hashes(5, *how))
            self.assertNotEqual(self.hashes(5, *how), self.hashes(9, *how))

    def test_the_label_that_is_none(self):
        data = self.tu("least", A="1, 2\n2, 1\n", graph_indicator="1\n1\n", edge_labels=f"{-2**63}\n" * 2)
        self.fails("hash", data, words=["found the edge label -9223372036854775808"])


class Hash(Case):
    def tu_of(self, name, graphs, **more):
        lines = {"A": [], "graph_indicator": [], "node_labels": [], "edge_labels": []}
        first = 1
        for number, graph in enumerate(graphs, 1):
            lines["graph_indicator"] += [number] * graph.n
            lines["node_labels"] += [label[0] for label in graph.vertices]
            for (u, v), label in sorted(graph.arcs.items()):
                lines["A"].append(f"{first + u}, {first + v}")
                lines["edge_labels"].append(label[0])
            first += graph.n
        return self.tu(name, **{key: "".join(f"{x}\n" for x in value) for key, value in lines.items()}, **more)

    def hashes(self, *arguments):
        return [line.split("\t")[1] for line in self.succeeds("hash", *arguments).stdout.splitlines()]

    def test_definition(self):
        draw = random.Random(1)
        for directed in (False, True):
            graphs = [random_graph(draw, directed) for _ in range(40)]
            graphs += [shuffled(draw, graph) for graph in graphs]
            path = self.tu_of("X", graphs)
            how = ["--directed"] if directed else []
            for algorithm, k, rounds in (("local", 1, None), ("local", 1, 1), ("delta", 2, None), ("folklore", 2, 1), ("local+", 2, None)):
                with self.subTest(directed=directed, algorithm=algorithm, k=k, rounds=rounds):
                    few = graphs[:40] if k == 1 else graphs[:8]
                    found = self.hashes(path, *how, "-a", algorithm, "-k", str(k), *(["-r", str(rounds)] if rounds is not None else []))
                    self.assertEqual(found[:len(few)], [graph_hash(graph, algorithm, k, rounds) for graph in few])
                    self.assertEqual(found[:40], found[40:])
            self.assertEqual(self.hashes(path, *how), self.hashes(path, *how, "-a", "1-WL", "-t", "1"))
            self.assertGreater(len(set(self.hashes(path, *how))), 30)

    def test_near_misses(self):
        """A label, a direction, a vertex, an attribute beyond the digits."""
        path = Graph([(0,), (0,), (1,)], {(0, 1): (0,), (1, 2): (0,)})
        other = Graph([(0,), (1,), (0,)], path.arcs)
        edge = Graph(path.vertices, {(0, 1): (0,), (1, 2): (1,)})
        more = Graph([*path.vertices, (0,)], path.arcs)
        self.assertEqual(len(set(self.hashes(self.tu_of("U", [path, other, edge, more])))), 4)
        arcs = [Graph([(0,)] * 3, {one: (0,), two: (0,)}, True) for one, two in (((0, 1), (2, 1)), ((1, 0), (1, 2)), ((0, 1), (1, 2)))]
        arcs.append(Graph([(0,)] * 3, {(0, 1): (0,), (1, 0): (0,)}, True))
        self.assertEqual(len(set(self.hashes(self.tu_of("D", arcs), "--directed"))), 4)
        # in U every vertex has one leaving arc or none; only entering arcs tell the two graphs apart
        two = [Graph([(0,)] * 4, {(0, 1): (0,), (2, one): (0,)}, True) for one in (1, 3)]
        self.assertEqual(len(set(self.hashes(self.tu_of("E", two), "--directed"))), 2)
        self.assertEqual(len(set(self.hashes(self.tu_of("E", two)))), 2)

    def test_directed_is_said(self):
        path = self.tu_of("X", [Graph([(0,)] * 2, {(0, 1): (0,), (1, 0): (0,)}, True)])
        self.assertNotEqual(self.hashes(path), self.hashes(path, "--directed"))

    def test_attributes(self):
        graph = Graph([(0,), (0,)], {(0, 1): (0,)})
        path = self.tu_of("X", [graph] * 4, node_attributes="0.125, -1\n2.5, 0\n2.5, 0\n0.1251, -1\n0.13, -1\n2.5, 0\n0.1, -1\n2.5, -0.04\n")
        text = self.succeeds("hash", path)
        self.assertIn("do not use the attributes", text.stderr)
        self.assertEqual(len(set(self.hashes(path))), 1)
        self.assertEqual(self.succeeds("hash", path, "--ignore", "attributes").stderr, "")
        for digits, classes in ((0, 1), (1, 1), (2, 3), (3, 3), (4, 4)):
            found = self.hashes(path, "--digits", str(digits))
            rounded = [tuple((0, *(round(x * 10**digits) for x in row)) for row in rows) for rows in
                       (((0.125, -1), (2.5, 0)), ((2.5, 0), (0.1251, -1)), ((0.13, -1), (2.5, 0)), ((0.1, -1), (2.5, -0.04)))]
            self.assertEqual(found, [graph_hash(Graph(rows, Graph([], graph.arcs).arcs)) for rows in rounded], digits)
            self.assertEqual(len(set(found)), classes, digits)
        bare = self.hashes(path, "--digits", "2", "--ignore", "vertex-labels")
        self.assertEqual(bare[0], graph_hash(Graph([(12, -100), (250, 0)], graph.arcs)))

    def test_edge_attributes(self):
        """Both arcs of an edge get the smaller value."""
        graph = Graph([(0,)] * 3, {(0, 1): (0,), (1, 2): (0,)})
        path = self.tu_of("X", [graph], edge_attributes="0.5\n0.7\n0.2\n0.2\n")
        self.assertEqual(sorted(graph.arcs), [(0, 1), (1, 0), (1, 2), (2, 1)])
        rounded = Graph(graph.vertices, {(0, 1): (0, 5), (1, 2): (0, 2)})
        self.assertEqual(self.hashes(path, "--digits", "1"), [graph_hash(rounded)])

    def test_names_and_json(self):
        self.write("x.smi", "CCO ethanol\nOCC again\nCCC propane\n")
        lines = self.succeeds("hash", self.path("x.smi")).stdout.splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines], ["ethanol", "again", "propane"])
        self.assertRegex(lines[0], r"\Aethanol\tlm1:[0-9a-f]{32}\Z")
        found = self.json("hash", self.path("x.smi"), "-r", "2")
        self.assertEqual((found["algorithm"], found["method"], found["k"], found["rounds"], found["digits"], found["graphs"]),
                         ("local", "1-WL", 1, 2, None, 3))
        self.assertEqual([(one["graph"], one["name"]) for one in found["hashes"]], [(0, "ethanol"), (1, "again"), (2, "propane")])
        hashes = [one["hash"] for one in found["hashes"]]
        self.assertEqual([hashes.index(one) for one in hashes], [0, 0, 2])
        self.write("x.g6", "EhEG\nEwCW\n")
        self.assertEqual(self.succeeds("hash", self.path("x.g6")).stdout, "".join(f"{i}\t{graph_hash(GRAPH)}\n" for i, GRAPH in enumerate(PAIR)))
        self.assertEqual(len(set(self.hashes(self.path("x.g6"), "-k", "2"))), 2)
        self.assertEqual(len(set(self.hashes(self.path("x.g6"), "--apex"))), 1)

    def test_wrong_usage(self):
        self.write("x.g6", "EhEG\n")
        self.wrong("hash", words=["DATA"])
        self.wrong("hash", self.path("x.g6"), "--digits", "16", words=["'16'"])
        self.wrong("hash", self.path("x.g6"), "--digits", "2", "--ignore", "attributes", words=["--digits"])
        self.wrong("hash", self.path("x.g6"), "--in-arcs", words=["--in-arcs"])
        path = self.tu("Y", A="1, 2\n2, 1\n", graph_indicator="1\n1\n", node_attributes="1e18\n2\n")
        self.fails("hash", path, "--digits", "3", words=["1e+18", "3 digits"])
        self.fails("hash", self.path("x.g6"), "-k", "9", "--memory", program.little_memory(), words=["graph 0", "memory"])

    def test_exact(self):
        """SHA-256 of the lines of `leman canonical`; what 1-WL does not tell apart; options that do not go together."""
        self.write("x.g6", "EhEG\nEwCW\nBw\n?\n")
        result = leman("canonical", self.path("x.g6"))
        if result.returncode:
            self.skipTest(result.stderr)
        forms = [line.split("\t")[1] for line in result.stdout.splitlines()]
        digests = ["lm1:" + hashlib.sha256(form.encode()).hexdigest() for form in forms]
        self.assertEqual(self.hashes(self.path("x.g6"), "--exact", "--sha256"), digests)
        self.assertEqual(self.hashes(self.path("x.g6"), "--exact"), [digest[:36] for digest in digests])
        found = self.json("hash", self.path("x.g6"), "--exact")
        self.assertEqual((found["exact"], found["sha256"], found["graphs"], found["hashes"][1]["hash"]), (True, False, 4, digests[1][:36]))
        self.assertEqual(len(set(self.hashes(self.path("x.g6")))), 3)
        self.assertEqual(self.json("unique", self.path("x.g6"), "-o", self.path("y.g6"))["kept"], 3)
        self.assertEqual(self.json("unique", self.path("x.g6"), "-o", self.path("y.g6"), "--exact")["kept"], 4)
        for wrong in (["--sha256"], ["--exact", "-k", "2"], ["--exact", "-a", "wl"], ["--exact", "-r", "2"], ["--exact", "--apex"], ["--exact", "--tuples", "all"]):
            self.wrong("hash", self.path("x.g6"), *wrong, words=["--exact"])
        self.wrong("unique", self.path("x.g6"), "-o", self.path("y.g6"), "--exact", "--ignore", "vertex-labels", words=["--ignore"])
        self.wrong("unique", self.path("x.g6"), "-o", self.path("y.g6"), "--exact", "-k", "2", words=["--k"])

    def test_exact_hashes_of_drawings(self):
        """A molecule has one exact hash, as a SMILES and wherever its atoms are drawn, and is kept once."""
        smiles = self.write("a.smi", "CCO a\nOCC b\nCCN c\n")
        sdf = self.path("a.sdf")
        self.succeeds("convert", smiles, sdf, "-q")
        known = self.hashes(smiles, "--exact")
        self.assertEqual(self.hashes(sdf, "--exact"), known)
        self.assertEqual((known[0] == known[1], known[0] == known[2]), (True, False))
        self.assertIn("do not use the coordinates", leman("hash", sdf, "--exact").stderr)
        self.assertNotEqual(*self.hashes(sdf, "--exact", "--digits", "1")[:2])
        self.assertEqual(self.json("unique", sdf, "-o", self.path("b.sdf"), "--exact")["kept"], 2)

    def test_exact_columns(self):
        """Attributes count, rounded if asked for; ignored columns do not."""
        tu = self.tu("T", A="1, 2\n2, 1\n3, 4\n4, 3\n5, 6\n6, 5\n", graph_indicator="1\n1\n2\n2\n3\n3\n", node_attributes="0.5\n0\n0\n0.51\n7\n0\n")
        self.assertEqual(len(set(self.hashes(tu, "--exact"))), 3)
        self.assertEqual(len(set(self.hashes(tu, "--exact", "--digits", "1"))), 2)
        result = leman("hash", tu, "--exact", "--ignore", "attributes")
        if result.returncode == 0:  # two equal vertices need nauty
            self.assertEqual(len({line.split("\t")[1] for line in result.stdout.splitlines()}), 1)

    def test_parallel_edges(self):
        tu = self.tu("M", A="1, 2\n2, 1\n1, 2\n2, 1\n3, 4\n4, 3\n", graph_indicator="1\n1\n2\n2\n")
        self.assertEqual(len(set(self.hashes(tu))), 1)
        kept = self.hashes(tu, "--policy", "repeated-edges=keep")
        self.assertEqual(kept[1], self.hashes(tu)[1])
        self.assertNotEqual(kept[0], kept[1])
        result = self.succeeds("hash", tu, "--policy", "repeated-edges=keep")
        self.assertNotIn("removed", result.stderr)


PAIR = (Graph([()] * 6, {(i, (i + 1) % 6): () for i in range(6)}),
        Graph([()] * 6, {(3 * c + i, 3 * c + (i + 1) % 3): () for c in (0, 1) for i in range(3)}))


if __name__ == "__main__":
    program.main()
