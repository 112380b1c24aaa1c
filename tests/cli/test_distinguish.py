#!/usr/bin/env python3
"""leman distinguish: which algorithm distinguishes what, lists of pairs, and explanations that are checked against the graphs."""
import itertools
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree

import program
from program import LEMAN, PATIENCE, Case, leman

CYCLE, TRIANGLES = "EhEG", "EwCW"
ALGORITHMS = ("wl", "delta", "local", "local+", "folklore")


def edges(text):
    """The edges of a graph6 string of at most 62 vertices."""
    n, bits = ord(text[0]) - 63, "".join(f"{ord(c) - 63:06b}" for c in text[1:])
    pairs = [(u, v) for v in range(1, n) for u in range(v)]
    return n, {p for (u, v), bit in zip(pairs, bits) if bit == "1" for p in ((u, v), (v, u))}


class Distinguishing(Case):
    def pairs(self, *lines):
        return self.write("pairs.tsv", "".join(f"{a}\t{b}\n" for a, b in lines))

    def told(self, algorithm, k, *pair, more=()):
        found = self.json("distinguish", "--pairs", self.pairs(pair), "-a", algorithm, "-k", str(k), *more)
        self.assertEqual(set(found), {"algorithm", "method", "k", "tuples", "pairs", "distinguished", "results"})
        self.assertEqual((found["algorithm"], found["k"], found["pairs"]), (algorithm, k, 1))
        result = found["results"][0]
        self.assertEqual(set(result), {"pair", "distinguished", "round"})
        self.assertEqual(result["pair"], 0)
        self.assertIs(result["distinguished"], found["distinguished"] == 1)
        self.assertEqual(result["round"] is None, not result["distinguished"])
        return result["distinguished"]

    MOLECULE = "{name}\n  x\n\n  6  6  0  0  0  0  0  0  0  0999 V2000\n{atoms}{bonds}M  END\n$$$$\n"

    def molecules(self):
        """A ring C-C=C-O-N with chlorine at its first or second atom."""
        text = ""
        for name, at in (("first", 1), ("second", 2)):
            atoms = "".join(f"    0.0000    0.0000    0.0000 {a:<3} 0  0\n" for a in ("C", "C", "C", "O", "N", "Cl"))
            bonds = ((1, 2, 1), (2, 3, 2), (3, 4, 1), (4, 5, 1), (5, 1, 1), (at, 6, 1))
            text += self.MOLECULE.format(name=name, atoms=atoms, bonds="".join(f"{a:3}{b:3}{o:3}  0\n" for a, b, o in bonds))
        return self.write("two.sdf", text)

    def test_explanations_draw_both_graphs(self):
        path = self.path("e.svg")
        self.succeeds("distinguish", self.molecules(), "-a", "local", "-k", "2", "--explain", "svg", "-o", path, "--quiet")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        root = xml.etree.ElementTree.fromstring(text)
        space = {"s": "http://www.w3.org/2000/svg"}
        self.assertEqual((root.get("role"), root.get("aria-labelledby")), ("img", root.find("s:title", space).get("id")))
        self.assertIn("@media(prefers-color-scheme:dark)", text)
        pictures = root.findall("s:g[@class='graph']", space)
        self.assertEqual(len(pictures), 2)
        filled = 0
        for graph, name in zip(pictures, ("first", "second")):
            self.assertIn(name, graph.get("aria-label"))
            self.assertLess(len(graph.findall("s:circle", space)), 6)  # only atoms of the colour have one
            symbols = sorted(t.text for t in graph.findall("s:text", space) if t.get("class") in ("label", "hit-label"))
            self.assertEqual(symbols, ["Cl", "H", "N", "O"])  # carbon is a corner; the nitrogen has a hydrogen
            numbers = sorted(int(t.text) for t in graph.findall("s:text[@class='label small number']", space))
            self.assertEqual(numbers, [0, 1, 2, 3, 4, 5])
            self.assertEqual(len(graph.findall("s:path[@class='edge']", space)), 7)  # six bonds, one of them double
            filled += len(graph.findall("s:circle[@class='vertex hit']", space))
        self.assertGreater(filled, 0)
        self.assertIn("atoms ", text)
        dot = self.succeeds("distinguish", self.molecules(), "-a", "local", "-k", "2", "--explain", "dot", "--quiet").stdout
        self.assertEqual((dot.count("subgraph cluster_graph_"), dot.count('[label="Cl"')), (2, 2))

    def test_six_cycle_and_triangles(self):
        for algorithm, k, expected in (("wl", 1, False), ("wl", 2, False), ("wl", 3, True), ("local", 1, False),
                                       ("local", 2, True), ("delta", 2, True), ("local+", 2, True),
                                       ("folklore", 1, False), ("folklore", 2, True)):
            for more in ((), ("-r", "stable"), ("--union",)):
                self.assertIs(self.told(algorithm, k, CYCLE, TRIANGLES, more=more), expected, (algorithm, k, more))

    def test_cfi(self):
        """k-WL fails on the pair of k, the local and the delta algorithms do not."""
        for k in (2, 3):
            path = self.path(f"cfi{k}.g6")
            self.succeeds("generate", "cfi", "-k", str(k), "-o", path, "--quiet")
            for algorithm, expected in (("wl", 0), ("local", 1), ("delta", 1), ("local+", 1)):
                found = self.json("distinguish", path, "-a", algorithm, "-k", str(k))
                self.assertEqual(found["distinguished"], expected, (algorithm, k))

    def test_apex(self):
        """Nothing lies between the components of a disconnected graph; with an apex something does."""
        for algorithm in ("local", "local+", "delta"):
            self.assertIs(self.told(algorithm, 2, CYCLE, TRIANGLES, more=["--apex"]), True)
        self.assertIs(self.told("wl", 1, CYCLE, TRIANGLES, more=["--apex"]), False)

    def test_rounds(self):
        path = self.write("p.tsv", "DhC\tDqK\n")  # a path of five vertices and a star with a longer arm
        found = self.json("distinguish", "--pairs", path, "-k", "1")["results"][0]
        self.assertEqual(found, {"pair": 0, "distinguished": True, "round": 1})
        self.assertIs(self.json("distinguish", "--pairs", path, "-k", "1", "-r", "0")["results"][0]["distinguished"],
                      False)

    def test_two_files_and_one(self):
        one, two = self.write("a.g6", CYCLE + "\n"), self.write("b.g6", TRIANGLES + "\n")
        both = self.write("both.g6", CYCLE + "\n" + TRIANGLES + "\n")
        self.assertEqual(self.json("distinguish", one, two), self.json("distinguish", both))
        self.assertIn("told apart in round 1.", self.succeeds("distinguish", one, two).stdout)
        self.assertIn("not told apart", self.succeeds("distinguish", one, one).stdout)
        self.fails("distinguish", both, one, words=["both.g6", "2 graphs", "expected one"])
        self.fails("distinguish", one, words=["a.g6", "1 graph", "expected two"])

    def test_many_pairs(self):
        lines = [(CYCLE, TRIANGLES), (CYCLE, CYCLE), ("?", "?"), ("@", "?"), (CYCLE, "DhC")] * 20
        path = self.pairs(*lines)
        expected = [True, False, False, True, True] * 20
        one = self.json("distinguish", "--pairs", path, "-t", "1")
        self.assertEqual([r["distinguished"] for r in one["results"]], expected)
        self.assertEqual([r["pair"] for r in one["results"]], list(range(100)))
        self.assertEqual((one["pairs"], one["distinguished"]), (100, 60))
        self.assertEqual(one, self.json("distinguish", "--pairs", path, "-t", "3"))
        self.assertEqual([r["distinguished"] for r in self.json("distinguish", "--pairs", path, "--union")["results"]],
                         expected)
        text = self.succeeds("distinguish", "--pairs", path).stdout
        self.assertIn("60 of 100 pairs told apart", text)
        self.assertEqual(len(re.findall(r"(?m)^ +\d+ +(in round \d+|no)$", text)), 100)

    def test_all(self):
        found = self.json("distinguish", "--pairs", self.pairs((CYCLE, TRIANGLES)), "--all", "-k", "3")
        self.assertEqual(found["pairs"], 1)
        pairs = [(name, 2) for name in "swl swl-sv pswl pswl-sv gswl sswl lfwl slfwl drfwl".split()]
        seen = [(name, 1) for name in ("spd", "rd", "gd")]
        sets = [("set", k) for k in (1, 2, 3)]
        bags = [(name, 2) for name in ("ds-nd", "ds-ego", "ds-nm")]
        self.assertEqual([(v["algorithm"], v["k"]) for v in found["variants"]],
                         [*itertools.product(ALGORITHMS, (1, 2, 3)), *pairs, *seen, *sets, *bags])
        items = found["variants"][3 * len(ALGORITHMS):]
        self.assertEqual({(v["algorithm"], v["k"]) for v in items if not v["distinguished"]}, set(sets[:2]))
        told = {(v["algorithm"], v["k"]) for v in found["variants"][:3 * len(ALGORITHMS)] if v["distinguished"]}
        self.assertEqual(told, {(a, k) for a in ALGORITHMS for k in (2, 3)} - {("wl", 2)})
        text = self.succeeds("distinguish", "--pairs", self.pairs((CYCLE, TRIANGLES)), "--all").stdout
        self.assertRegex(text, r"(?m)^  k-WL +- +-$")
        self.assertRegex(text, r"(?m)^  delta-k-LWL +- +1$")
        many = self.succeeds("distinguish", "--pairs", self.pairs((CYCLE, TRIANGLES), (CYCLE, CYCLE)), "--all").stdout
        self.assertRegex(many, r"(?m)^  delta-k-WL +0 +1$")

    def test_labels(self):
        """Graphs that differ in one label alone."""
        files = {"A": "1, 2\n2, 1\n3, 4\n4, 3\n", "graph_indicator": "1\n1\n2\n2\n"}
        nodes = self.tu("N", node_labels="1\n2\n1\n1\n", **files)
        bonds = self.tu("B", edge_labels="1\n1\n2\n2\n", **files)
        for k in ("1", "2"):
            self.assertEqual(self.json("distinguish", nodes, "-k", k)["distinguished"], 1)
            self.assertEqual(self.json("distinguish", bonds, "-k", k)["distinguished"], 1)
            self.assertEqual(self.json("distinguish", nodes, "-k", k, "--ignore", "vertex-labels")["distinguished"], 0)
            self.assertEqual(self.json("distinguish", bonds, "-k", k, "--ignore", "edge-labels")["distinguished"], 0)
            self.assertEqual(self.json("distinguish", nodes, "-k", k, "--ignore", "vertex-labels", "--apex")
                             ["distinguished"], 0)


class BadInput(Case):
    def test_pairs_files(self):
        for content, words in (
            ("EhEG\tEwCW\nEhEG\n", ["p.tsv:2:", "second graph"]),
            ("EhEG\n", ["p.tsv:1:", "second graph"]),
            ("EhEG\tEwCW\tEhEG\n", ["p.tsv:1:", "behind the second graph"]),
            ("EhEG\tEwC\n", ["p.tsv:1:", "characters"]),
            ("\n\nEhEG\t\x01\n", ["p.tsv:3:", "0x01"]),
            ("EhEG,EwCW\n", ["p.tsv:1:", "','"]),
            ("", ["p.tsv", "end of the file"]),
            ("\n\n", ["p.tsv", "end of the file"]),
        ):
            self.fails("distinguish", "--pairs", self.write("p.tsv", content), words=words)
        self.fails("distinguish", "--pairs", self.path("nothing.tsv"), words=["nothing.tsv"])
        self.fails("distinguish", "--pairs", self.folder)
        for content in ("EhEG\tEwCW", "EhEG\tEwCW\r\n", "EhEG \t EwCW \n\n"):
            self.assertEqual(self.json("distinguish", "--pairs", self.write("p.tsv", content))["distinguished"], 1)
        self.assertEqual(self.json("distinguish", "--pairs", "-", input="EhEG\tEwCW\n")["pairs"], 1)

    def test_wrong_usage(self):
        pair = self.write("p.g6", CYCLE + "\n" + TRIANGLES + "\n")
        pairs = self.write("p.tsv", (CYCLE + "\t" + TRIANGLES + "\n") * 2)
        self.wrong("distinguish", words=["missing", "--pairs"])
        self.wrong("distinguish", pair, "--pairs", pairs, words=["both"])
        self.wrong("distinguish", pair, "-a", "local+", "--count-rounds", "last", words=["last", "stable"])
        self.wrong("distinguish", pair, "--all", "--count-rounds", "last", words=["last", "stable"])
        self.wrong("distinguish", pair, "--all", "-a", "wl", words=["--all", "wl"])
        self.wrong("distinguish", pair, "--all", "--explain", words=["--all", "--explain"])
        self.wrong("distinguish", pair, "--json", "--explain", words=["--json", "--explain"])
        self.fails("distinguish", "--pairs", pairs, "--explain", words=["one pair", "2"])
        self.wrong("distinguish", pair, "--explain=png", words=["'png'", "svg"])
        self.wrong("distinguish", pair, pair, pair, words=["'"])
        self.succeeds("distinguish", pair, "-a", "wl", "--count-rounds", "last")
        self.succeeds("distinguish", pair, "-a", "local+", "--count-rounds", "last", "-r", "3")

    def test_too_large(self):
        large = self.path("large.s6")
        self.succeeds("generate", "path", "--vertices", "1000000", "-o", large, "--quiet")
        self.fails("distinguish", large, large, "-k", "3", words=["the first graph", "1000000 vertices"])
        small = self.path("small.g6")
        self.succeeds("generate", "cycle", "--vertices", "150", "-o", small, "--quiet")
        self.fails("distinguish", small, small, "-k", "3", "--memory", "16M")
        pairs = self.write("p.tsv", (open(small).read().strip() + "\t" + CYCLE + "\n"))
        self.fails("distinguish", "--pairs", pairs, "-k", "3", "--memory", "16M", words=["pair 0"])

    def test_interrupted(self):
        path = self.path("dense.g6")
        self.succeeds("generate", "random", "--vertices", "200", "--probability", "0.5", "-o", path, "--quiet")
        pairs = self.write("p.tsv", (open(path).read().strip() + "\t" + open(path).read().strip() + "\n") * 50)
        child = subprocess.Popen([LEMAN, "distinguish", "--pairs", pairs, "-a", "folklore", "-k", "3", "-o",
                                  self.path("out")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        begin = time.monotonic()
        out, error = child.communicate(timeout=60 * PATIENCE)
        self.assertLess(time.monotonic() - begin, 10 * PATIENCE)
        self.assertEqual((child.returncode, out), (1, ""))
        self.assertRegex(error, r"\Aleman: interrupted: [^\n]+\n\Z")
        self.assertFalse(os.path.exists(self.path("out")))


class Explaining(Case):
    def setUp(self):
        super().setUp()
        self.pair = self.write("p.g6", CYCLE + "\n" + TRIANGLES + "\n")

    def colors(self, graph, k, rounds, algorithm="local"):
        lines = self.succeeds("colors", self.pair, "--graph", str(graph), "--tuple-colors", "-a", algorithm, "-k", str(k),
                              "-r", str(rounds), "--count-rounds", "all").stdout.splitlines()[1:]
        return {tuple(map(int, line.split(",")[:-1])): line.split(",")[-1] for line in lines}

    def test_text(self):
        """The colour, its counts and its tuples are those of leman colors."""
        for algorithm in ("local", "delta", "local+", "folklore"):
            text = program.plain(self.succeeds("distinguish", self.pair, "-a", algorithm, "--explain").stdout)
            color, round_, first, second = re.search(
                r"Colour ([0-9a-f]{16}) of round (\d+) .* is carried by (no|\d+) tuples? of the first graph and by "
                r"(none|\d+) of the second", text).groups()
            counts = [0 if c in ("no", "none") else int(c) for c in (first, second)]
            self.assertNotEqual(*counts)
            for graph, count in ((0, counts[0]), (1, counts[1])):
                carriers = [t for t, c in self.colors(graph, 2, round_, algorithm).items() if c == color]
                self.assertEqual(len(carriers), count)
                for t in carriers[:8]:
                    self.assertIn(f"({t[0]},{t[1]})", text)

    def test_tree(self):
        """Round 1 of local, k = 2: what is said about the neighbours of a pair is true."""
        text = self.succeeds("distinguish", self.pair, "--explain").stdout
        trees = re.findall(r"(?ms)(?:Its unrolling at|Beside it, that of) \((\d),(\d)\) of the (\w+) graph.*?\n\n(.*?)"
                           r"(?:\n\n|\Z)", text)
        self.assertEqual(len(trees), 2)
        for u, v, which, tree in trees:
            n, arcs = edges({"first": CYCLE, "second": TRIANGLES}[which])
            pair = (int(u), int(v))

            def type_of(a, b):
                return "v1 = v2" if a == b else "v1, v2 adjacent" if (a, b) in arcs else "v1, v2 not adjacent"

            expected = {}
            for w in range(n):
                if (pair[0], w) in arcs:
                    key = "v1", type_of(w, pair[1])
                    expected[key] = expected.get(key, 0) + 1
                if (pair[1], w) in arcs:
                    key = "v2", type_of(pair[0], w)
                    expected[key] = expected.get(key, 0) + 1
            found = {(place, words): int(count) for place, count, words in re.findall(
                r"(v\d) to a neighbour, (\d+) x: round 0, [0-9a-f]{8}  (.*)", tree)}
            self.assertEqual(found, expected)
            self.assertIn(f"itself: round 0, {self.colors(0 if which == 'first' else 1, 2, 0)[pair][:8]}", tree)

    def explained(self):
        """A command line of every algorithm for several pairs."""
        cfi = self.path("cfi.leman")
        self.succeeds("generate", "cfi", "-o", cfi, "--quiet")
        for path, algorithm, more in itertools.product((self.pair, cfi), ALGORITHMS, ([], ["--union"], ["--apex"])):
            yield ["distinguish", path, "-a", algorithm, *more, "--explain"]

    def test_forms(self):
        for arguments in self.explained():
            self.assertEqual(self.succeeds(*arguments).stdout, self.succeeds(*arguments, "text").stdout)
            self.no_overlap(self.succeeds(*arguments, "svg").stdout)

    @program.needs("command")
    def test_graphviz_draws_it(self):
        dot = self.command("dot")
        for arguments in self.explained():
            graph = self.succeeds(*arguments, "dot").stdout
            drawn = subprocess.run([dot, "-Tsvg"], input=graph, capture_output=True, text=True)
            self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))

    def no_overlap(self, picture):
        root = xml.etree.ElementTree.fromstring(picture)
        name = "{http://www.w3.org/2000/svg}"
        width, height = float(root.get("width")), float(root.get("height"))
        boxes = [[float(r.get(a)) for a in ("x", "y", "width", "height")] for r in root.iter(name + "rect")
                 if r.get("x")]
        for i, (x, y, w, h) in enumerate(boxes):
            self.assertTrue(0 <= x and 0 <= y and x + w <= width and y + h <= height)
            for a, b, c, d in boxes[:i]:
                self.assertTrue(x + w <= a or a + c <= x or y + h <= b or b + d <= y)
        for text in root.iter(name + "text"):
            self.assertTrue(float(text.get("x")) + 6 * len(text.text) <= width and float(text.get("y")) < height)

    def test_where_it_goes(self):
        self.succeeds("distinguish", self.pair, "--explain", "svg", "-o", self.path("u.svg"))
        with open(self.path("u.svg")) as file:
            self.assertEqual(file.read(), self.succeeds("distinguish", "--explain", "svg", self.pair).stdout)
        self.assertIn("Colour", self.succeeds("distinguish", "--explain", self.pair).stdout)  # its operand is no form

    def test_names_and_labels(self):
        bonds = self.write("bonds.csv", "graph,source,target,label\n1,C1,C2,1\n1,C2,O3,2\n2,C1,C2,1\n2,C2,O3,1\n")
        text = self.succeeds("distinguish", bonds, "-k", "2", "--explain").stdout
        self.assertRegex(text, r"\((C1|C2|O3),(C1|C2|O3)\)")
        self.assertRegex(text, r"v1, v2 adjacent \([12]\)")
        text = self.succeeds("distinguish", bonds, "-k", "1", "--explain").stdout
        self.assertRegex(text, r"v1 to a neighbour over [12], 1 x")

    def test_nothing_to_explain(self):
        for form in ("text", "dot", "svg"):
            self.assertIn("nothing to explain", self.succeeds("distinguish", self.pair, "-a", "wl", "--explain",
                                                              form).stdout)


if __name__ == "__main__":
    program.main()
