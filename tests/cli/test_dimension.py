#!/usr/bin/env python3
"""leman dimension: pairs, lists of pairs and data sets; both counts of k; what ends a search."""
import program
from program import Case, leman


class Dimension(Case):
    def setUp(self):
        super().setUp()
        for family in ("cycles", "rook-shrikhande"):
            self.succeeds("generate", family, "-o", self.path(f"{family}.leman"), "--quiet")
        self.write("hexagon.g6", "EhEG\n")
        self.write("triangles.g6", "EwCW\n")

    def test_pair(self):
        found = self.json("dimension", self.path("hexagon.g6"), self.path("triangles.g6"))
        self.assertEqual((found["max_k"], found["pairs"]), (3, 1))
        self.assertEqual({**found["results"][0], "round": None}, {"pair": 0, "folklore": 2, "wl": 3, "round": None, "isomorphic": False, "tried": 2, "bytes": None})
        text = self.succeeds("dimension", self.path("hexagon.g6"), self.path("triangles.g6")).stdout
        self.assertRegex(text, r"\Adimension 2: 2-FWL tells them apart in round \d; of k-WL, 3-WL does\.\n\Z")
        text = self.succeeds("dimension", self.path("hexagon.g6"), self.path("hexagon.g6")).stdout
        self.assertEqual(text, "isomorphic: no k tells them apart.\n")
        text = self.succeeds("dimension", self.path("hexagon.g6"), self.path("triangles.g6"), "--max-k", "1").stdout
        self.assertEqual(text, "dimension more than 1: 1-FWL and 1-WL do not tell them apart.\n")

    def test_list(self):
        self.write("pairs.tsv", "EhEG\tEwCW\nEhEG\tEhEG\nCF\tCo\n")
        found = self.json("dimension", "--pairs", self.path("pairs.tsv"))
        self.assertEqual([(one["folklore"], one["wl"], one["isomorphic"]) for one in found["results"]],
                         [(2, 3, False), (None, None, True), (1, 1, False)])
        self.assertIn("isomorphic", self.succeeds("dimension", "--pairs", self.path("pairs.tsv")).stdout)

    def test_data(self):
        """Strongly regular graphs: neither is identified by 2-FWL, because the other one shows it."""
        found = self.json("dimension", self.path("rook-shrikhande.leman"))
        self.assertEqual([one["classes"] for one in found["classes"]], [1, 1, 2])
        self.assertEqual([(one["at_least"], one["within"], one["first"]) for one in found["results"]], [(3, 3, 0), (3, 3, 1)])
        text = self.succeeds("dimension", self.path("rook-shrikhande.leman")).stdout
        self.assertIn("3-FWL (4-WL) tells apart all graphs of the data that are not isomorphic.", text)
        self.assertRegex(text, r"3 or more +2\n")
        text = self.succeeds("dimension", self.path("cycles.leman")).stdout
        self.assertRegex(text, r"WL dimension +graphs\n +2 +2\n")  # tree-width 2: exactly 2
        found = self.json("dimension", self.path("rook-shrikhande.leman"), "--max-k", "2")
        self.assertEqual([(one["within"], one["tried"]) for one in found["results"]], [(None, 2)] * 2)

    def test_memory(self):
        """A k that does not fit is an answer, not a failure."""
        self.succeeds("generate", "cfi", "-k", "5", "-o", self.path("cfi.leman"), "--quiet")
        found = self.json("dimension", self.path("cfi.leman"), "--memory", "30M", "--max-k", "6")
        for one in found["results"]:
            self.assertEqual((one["within"], one["tried"]), (None, 2))
            self.assertGreater(one["bytes"], 30 << 20)
        text = self.succeeds("dimension", self.path("cfi.leman"), "--memory", "30M", "--max-k", "6").stdout
        self.assertRegex(text, r"2 graphs are not told apart from all others up to k = 2 \(k = 3 needs [\d.]+ [MG]iB, the memory budget is ")

    def test_threads(self):
        self.succeeds("generate", "molecules", "--graphs", "60", "-o", self.path("m.leman"), "--quiet")
        one, two = (self.json("dimension", self.path("m.leman"), "--ignore", "edge-labels", "-t", t, "--max-k", "2") for t in "12")
        self.assertEqual(one, two)

    def test_wrong_usage(self):
        self.wrong("dimension", words=["graphs are missing"])
        self.wrong("dimension", self.path("hexagon.g6"), "--max-k", "0", words=["'0'"])
        self.wrong("dimension", self.path("hexagon.g6"), "--pairs", self.path("x"), words=["--pairs"])
        result = leman("dimension", self.path("hexagon.g6"), self.path("cycles.leman"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("found 2 graphs, expected one", result.stderr)


if __name__ == "__main__":
    program.main()
