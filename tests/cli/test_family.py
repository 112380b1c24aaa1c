#!/usr/bin/env python3
"""leman distinguish --family: its counts are those of single comparisons, its page shows them, and what it refuses. Families with known
answers: strongly regular graphs of equal parameters are alike for all tests of pairs, and triples tell them apart."""
import itertools
import re

import program
from program import Case


def graph6(vertices, joined):
    """The text of an undirected graph: joined(u, v) says whether two different vertices are adjacent."""
    bits = [int(joined(vertices[u], vertices[v])) for v in range(len(vertices)) for u in range(v)]
    bits += [0] * (-len(bits) % 6)
    return chr(63 + len(vertices)) + "".join(chr(63 + int("".join(map(str, bits[i:i + 6])), 2)) for i in range(0, len(bits), 6))


def latin_square_graph(square):
    cells = list(itertools.product(range(len(square)), repeat=2))
    return graph6(cells, lambda a, b: a[0] == b[0] or a[1] == b[1] or square[a[0]][a[1]] == square[b[0]][b[1]])


def triangular_graphs():
    """T(8) and the three Chang graphs, which Seidel switching makes of it: (28, 12, 6, 4)."""
    cycle = lambda *v: [tuple(sorted((v[i], v[i - 1]))) for i in range(len(v))]  # noqa: E731
    switched = [[], [(0, 1), (2, 3), (4, 5), (6, 7)], cycle(*range(8)), cycle(0, 1, 2) + cycle(3, 4, 5, 6, 7)]
    return [graph6(list(itertools.combinations(range(8), 2)), lambda a, b: bool({*a} & {*b}) != ((a in s) != (b in s))) for s in switched]


class Family(Case):
    def corpus(self):
        self.succeeds("generate", "random", "--vertices", "7", "--graphs", "12", "-o", self.path("r.g6"), "--quiet")
        with open(self.path("r.g6")) as file:
            graphs = file.read().split()
        graphs += ["EhEG", "EwCW"]
        listed = "".join(f"{a}\t{b}\n" for a, b in zip(graphs[::2], graphs[1::2]))
        return self.write("graphs.g6", "\n".join(graphs) + "\n"), self.write("list.pairs", listed)

    def test_counts_are_those_of_single_comparisons(self):
        _, pairs = self.corpus()
        found = self.json("distinguish", "--family", pairs, "-k", "2")
        self.assertEqual((found["graphs"], found["pairs"], found["violated"]), (14, 7, []))
        methods = [test["method"] for test in found["tests"]]
        self.assertEqual(methods[0], "1-WL")
        self.assertEqual(len(set(methods)), len(methods))
        told = {}
        for test in found["tests"]:
            alone = self.json("distinguish", "--pairs", pairs, "-a", test["method"])
            self.assertEqual(alone["distinguished"], test["distinguished"], test["method"])
            told[test["method"]] = {2 * one["pair"] for one in alone["results"] if one["distinguished"]}
        expected = {(a, b): len(told[a] - told[b]) for a in methods for b in methods if told[a] - told[b]}
        self.assertEqual({(one["by"], one["not_by"]): one["pairs"] for one in found["only"]}, expected)
        for one in found["only"]:
            self.assertIn(one["first"], told[one["by"]] - told[one["not_by"]])
            self.assertEqual(one["second"], one["first"] + 1)

    def test_page(self):
        graphs, pairs = self.corpus()
        page = self.path("page.html")
        out = self.succeeds("distinguish", "--family", pairs, "-o", page, "--groups", "random=6,cycles=1").stdout
        self.assertRegex(out, r"7 pairs of 14 graphs\.\n(.|\n)*SSWL +6 ")
        with open(page) as file:
            text = file.read()
        for words in ("cycles (1)", "Which test sees more", "The smallest pair for each step", "δ-2-LWL", "data:image/png"):
            self.assertIn(words, text)
        self.assertNotIn("violated", text)
        self.assertGreater(len(re.findall('<g class="graph"', text)), 1)
        self.succeeds("distinguish", "--family", graphs, "-o", page)
        with open(page) as file:
            self.assertIn("91 pairs of 14 graphs", file.read())

    def test_strongly_regular_graphs(self):
        squares = [[[(i + j) % 5 for j in range(5)] for i in range(5)],
                   [[0, 1, 2, 3, 4], [1, 0, 3, 4, 2], [2, 3, 4, 0, 1], [3, 4, 1, 2, 0], [4, 2, 0, 1, 3]]]
        for name, graphs in (("chang", triangular_graphs()), ("latin", [latin_square_graph(square) for square in squares])):
            found = self.json("distinguish", "--family", self.write(name + ".g6", "\n".join(graphs) + "\n"), "-k", "3")
            self.assertEqual(found["violated"], [])
            pairs = len(graphs) * (len(graphs) - 1) // 2
            for test in found["tests"]:
                triples = test["method"] in ("delta-3-LWL", "delta-3-LWL+", "delta-3-WL", "3-FWL")
                self.assertEqual(test["distinguished"], pairs if triples else 0, (name, test["method"]))

    def test_refusals(self):
        graphs, pairs = self.corpus()
        self.wrong("distinguish", "--family", pairs, "-a", "wl", words=["--family", "-a"])
        self.wrong("distinguish", "--family", pairs, "--all", words=["--family", "--all"])
        self.wrong("distinguish", "--family", words=["one corpus"])
        self.wrong("distinguish", "--family", pairs, "--groups", "x=1,y", words=["--groups", "'y'", "NAME=PAIRS"])
        self.wrong("distinguish", "--family", pairs, "-o", "page.svg", words=["page.svg"])
        self.wrong("distinguish", "--family", pairs, "-o", self.path("p.html"), "--groups", "x=3", words=["3 pairs", "7"])
        self.wrong("distinguish", graphs, "--groups", "x=3", words=["--family"])


if __name__ == "__main__":
    program.main()
