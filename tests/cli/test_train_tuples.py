#!/usr/bin/env python3
"""leman train --tuples: networks on sparse sets of tuples, their checkpoints, predictions and explanations."""
import csv

import program
from program import Case


def timeless(value):
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k not in ("seconds", "resumed")}
    return [timeless(v) for v in value] if isinstance(value, list) else value


class Tuples(Case):
    SMALL = ("--layers", "2", "--width", "8", "--lr", "0.01", "--batch", "7", "-q")

    def setUp(self):
        super().setUp()
        self.data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "40", "--vertices", "10", "-o", self.data, "-q")

    def rows(self, *arguments):
        self.succeeds("predict", *arguments, "-o", self.path("p.csv"), "-q")
        with open(self.path("p.csv"), encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def test_sets(self):
        for name, tuples, shown in (("delta-2-LGNN", "connected", "connected"), ("delta-2-LGNN", "components:1", "connected"),
                                    ("delta-3-LGNN", "components:2", "components:2"), ("delta-3-LGNN", "connected", "connected"),
                                    ("delta-2-LGNN", "components:2", "all"), ("delta-2-LGNN", "all", "all"),
                                    ("Local-2-FGNN", "connected", "connected"), ("pairs:local1+global2+diagonal1", "connected", "connected")):
            with self.subTest(name=name, tuples=tuples):
                net = self.path("net.lmn")
                found = self.json("train", self.data, "-a", name, "--tuples", tuples, "--epochs", "1", *self.SMALL, "--checkpoint", net)
                self.assertEqual((found["method"], found["tuples"]), (name, shown))
                self.assertEqual(self.json("info", net)["network"]["tuples"], shown)
                self.assertEqual("tuples " in self.succeeds("info", net).stdout, shown != "all")
                self.assertEqual(len(self.rows("--model", net, self.data)), 41)

    def test_sets_of_all_tuples(self):
        """A set that has all tuples is no other network; a smaller set is: of the types of pairs those without an edge are missing."""
        found = [self.json("train", self.data, "-a", "delta-2-LGNN", *more, "--epochs", "2", *self.SMALL)
                 for more in ((), ("--tuples", "components:2"), ("--tuples", "connected"))]
        self.assertEqual(timeless(found[0]), timeless(found[1]))
        self.assertNotEqual(timeless(found[0])["epochs"], timeless(found[2])["epochs"])
        self.assertLess(found[2]["types"], found[0]["types"])

    def test_resume(self):
        net, other = self.path("net.lmn"), self.path("other.lmn")
        arguments = ("train", self.data, "-a", "delta-3-LGNN", "--tuples", "components:2", *self.SMALL)
        whole = self.json(*arguments, "--epochs", "3", "--checkpoint", other)
        self.json(*arguments, "--epochs", "1", "--checkpoint", net)
        self.assertEqual(timeless(self.json(*arguments, "--epochs", "3", "--checkpoint", net, "--resume")), timeless(whole))
        self.assertEqual(self.rows("--model", net, self.data), self.rows("--model", other, self.data))
        self.fails("train", self.data, "-a", "delta-3-LGNN", "--tuples", "connected", *self.SMALL, "--epochs", "4", "--checkpoint", net,
                   "--resume", words=("another set of tuples",))

    def test_edges(self):
        """--level edge: every arc is a pair of the set."""
        self.succeeds("generate", "counts", "--graphs", "20", "--vertices", "7", "--probability", "0.4", "--level", "edge", "-o", self.path("c.leman"), "-q")
        for name in ("delta-2-LGNN", "SSWL+"):
            found = self.json("train", self.path("c.leman"), "-a", name, "--tuples", "connected", "--level", "edge", "--target", "0", "--epochs", "1",
                              *self.SMALL, "--checkpoint", self.path("net.lmn"))
            self.assertEqual((found["level"], found["tuples"]), ("edge", "connected"))

    def test_vertices(self):
        """--level vertex: a row for each vertex, from the tuples that begin with it."""
        self.succeeds("generate", "counts", "--graphs", "20", "--vertices", "7", "--probability", "0.4", "--level", "vertex", "-o", self.path("c.leman"), "-q")
        found = self.json("train", self.path("c.leman"), "-a", "delta-2-LGNN", "--tuples", "connected", "--level", "vertex", "--target", "0",
                          "--epochs", "1", *self.SMALL, "--checkpoint", self.path("net.lmn"))
        self.assertEqual((found["level"], found["tuples"]), ("vertex", "connected"))
        self.assertEqual(len(self.rows("--model", self.path("net.lmn"), self.path("c.leman"))), 1 + 20 * 7)

    def test_explanation(self):
        """A page of explanations: the network runs on graphs without one vertex or edge."""
        net = self.path("net.lmn")
        self.succeeds("train", self.data, "-a", "delta-2-LGNN", "--tuples", "connected", "--epochs", "2", *self.SMALL, "--checkpoint", net)
        self.succeeds("predict", "--model", net, self.data, "--explain", self.path("x.html"), "-o", self.path("p.csv"), "-q")
        with open(self.path("x.html"), encoding="utf-8") as file:
            self.assertIn("delta-2-LGNN", file.read())

    def test_refused(self):
        for name in ("GIN-eps", "2-WL-GNN", "delta-2-GNN", "delta-2-LGNN+", "PPGN"):
            self.wrong("train", self.data, "-a", name, "--tuples", "connected", *self.SMALL, words=(name, "1 connected component ", "delta-2-LGNN"))
        self.wrong("train", self.data, "--tuples", "components:4", words=("components:4", "connected"))


if __name__ == "__main__":
    program.main()
