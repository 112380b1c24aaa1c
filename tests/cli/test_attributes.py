#!/usr/bin/env python3
"""Kernels of graphs with real vertex attributes: --attributes, Propagation, and the line that says that attributes are not used."""
import random

import program
from program import Case, leman

UNUSED = "kernels do not use the vertex attributes"


class Attributes(Case):
    def paths(self, name, graphs, seed, attributes=2):
        """Paths of five vertices; the sign of the attributes is the class."""
        draw = random.Random(seed)
        edges, indicator, labels, values = [], [], [], []
        for g in range(graphs):
            first, label = 5 * g + 1, g % 2
            edges += [f"{u}, {v}" for i in range(4) for u, v in ((first + i, first + i + 1), (first + i + 1, first + i))]
            indicator += [str(g + 1)] * 5
            labels.append(str(label))
            values += [", ".join(f"{100 + 5 * (2 * label - 1) + draw.gauss(0, 1):.4f}" for _ in range(attributes)) for _ in range(5)]
        files = {"A": edges, "graph_indicator": indicator, "graph_labels": labels}
        if attributes:
            files["node_attributes"] = values
        return self.tu(name, **{key: "".join(line + "\n" for line in lines) for key, lines in files.items()})

    def test_the_line(self):
        """Once, on standard error, and not where the attributes are used or ignored."""
        data = self.paths("P", 10, 1)
        self.succeeds("convert", data, self.path("p.leman"), "--quiet")
        for given in (data, self.path("p.leman")):
            result = self.succeeds("gram", given, "-a", "1-WL", "-o", self.path("k.npy"), "--json")
            self.assertEqual(result.stderr.count(UNUSED), 1, result.stderr)
            self.assertNotIn(UNUSED, result.stdout)
            for more in (("--attributes", "bins:1"), ("--ignore", "attributes")):
                self.assertNotIn(UNUSED, self.succeeds("gram", given, "-a", "1-WL", "-o", self.path("k.npy"), *more).stderr)
        self.assertIn(UNUSED, self.succeeds("evaluate", data, "-a", "SP", "--folds", "3", "--repetitions", "1").stderr)
        self.assertIn(UNUSED, self.succeeds("fit", data, "-a", "SP", "--folds", "3", "-o", self.path("x.model")).stderr)
        self.assertNotIn(UNUSED, self.succeeds("gram", self.paths("N", 4, 1, 0), "-a", "1-WL", "-o", self.path("k.npy")).stderr)

    def test_the_line_of_edge_attributes(self):
        lengths = self.tu("L", A="1, 2\n2, 1\n3, 4\n4, 3\n", graph_indicator="1\n1\n2\n2\n", graph_labels="0\n1\n", edge_attributes="0.5\n0.5\n2\n2\n")
        words = "kernels do not use the edge attributes; --weighted takes the first"
        for kernel, said in (("1-WL",), 1), (("SP",), 1), (("SP", "--weighted"), 0), (("1-WL", "--ignore", "attributes"), 0):
            result = self.succeeds("gram", lengths, "-o", self.path("k.npy"), "-a", *kernel)
            self.assertEqual(result.stderr.count(words), said, result.stderr)

    def test_the_line_of_colourings(self):
        """Commands that colour say once which attributes they do not use, for one file of two graphs and for two files."""
        words = "colourings use labels, not the {} attributes; --ignore attributes leaves them out without this line"
        shape = dict(A="1, 2\n2, 1\n3, 4\n4, 3\n", graph_indicator="1\n1\n2\n2\n")
        on_vertices, on_edges = dict(node_attributes="0.5\n1\n2\n3\n"), dict(edge_attributes="0.5\n0.5\n2\n2\n")
        for name, attributes, which in (("V", on_vertices, "vertex"), ("E", on_edges, "edge"), ("B", {**on_vertices, **on_edges}, "vertex and edge"), ("N", {}, None)):
            data = self.tu(name, **shape, **attributes)
            for command in ("distinguish", data), ("distinguish", data, "--all", "-k", "2"), ("distinguish", data, "--json"), ("colors", data), ("dimension", data):
                result = self.succeeds(*command)
                self.assertEqual(result.stderr.count("attributes;"), int(which is not None), result.stderr)
                if which:
                    self.assertIn(f"leman: {name}: {words.format(which)}\n", result.stderr)
                for more in ("--quiet",), ("--ignore", "attributes"):
                    self.assertNotIn("attributes", self.succeeds(*command, *more).stderr)
        single = [self.tu(name, A="1, 2\n2, 1\n", graph_indicator="1\n1\n", **more) for name, more in (("S", {}), ("T", dict(node_attributes="0.5\n1\n")))]
        for command in "distinguish", "dimension":
            self.assertEqual(self.succeeds(command, *single).stderr.count("leman: T: " + words.format("vertex")), 1)

    def test_fit_and_predict(self):
        """The model keeps the scale of its training data: the test data has other means, and its first graph alone is predicted alike."""
        train, test = self.paths("TRAIN", 40, 2), self.paths("TEST", 20, 3)
        for method in ("1-WL", "WLOA", "SP", "Propagation"):
            how = ("--attributes", "bins:1,count:5,seed:3")
            self.succeeds("fit", train, "-a", method, "-r", "0-1", "--folds", "4", *how, "-o", self.path("x.model"), "--quiet")
            found = self.json("predict", "--model", self.path("x.model"), test, "-o", self.path("x.csv"), "--quiet")
            self.assertGreater(found["accuracy"], 90, method)
            self.succeeds("convert", test, self.path("one.leman"), "--graphs", "0-0", "--quiet")
            self.succeeds("predict", "--model", self.path("x.model"), self.path("one.leman"), "-o", self.path("one.csv"), "--quiet")
            with open(self.path("x.csv")) as every, open(self.path("one.csv")) as one:
                self.assertEqual(every.read().splitlines()[:2], one.read().splitlines()[:2])
            self.fails("predict", "--model", self.path("x.model"), self.paths("THREE", 4, 1, 3), "-o", self.path("y.csv"), "--quiet",
                       words=("found 3 vertex attributes, expected 2",))
            self.fails("predict", "--model", self.path("x.model"), self.paths("NONE", 4, 1, 0), "-o", self.path("y.csv"), "--quiet",
                       words=("found 0 vertex attributes, expected 2",))

    def test_evaluate_and_features(self):
        data = self.paths("P", 30, 4)
        plain = self.json("evaluate", data, "-a", "1-WL", "--folds", "3", "--repetitions", "1", "--quiet")
        binned = self.json("evaluate", data, "-a", "1-WL", "--folds", "3", "--repetitions", "1", "--attributes", "count:5", "--quiet")
        self.assertGreater(binned["test_mean"], plain["test_mean"])
        columns = [self.json("features", data, "-a", "1-WL", "-r", "1", "-o", self.path("f.svm"), "--quiet", *more)["columns"]
                   for more in ((), ("--attributes", "count:2"))]
        self.assertGreater(columns[1], columns[0])

    def test_wrong(self):
        data = self.paths("P", 4, 1)
        for text in ("", "bins", "bins:0", "bins:-1", "count:0", "count:1.5", "count:1001", "seed:-1", "seed:0.5", "bins:1,", "width:1", "bins:1;count:2"):
            self.wrong("gram", data, "-o", self.path("k.npy"), "--attributes", text, words=("--attributes",))
        for text in ("width:0", "distance:euclid", "bins:1", "count:2"):
            self.wrong("gram", data, "-a", "Propagation", "-o", self.path("k.npy"), "--propagation", text, words=("--propagation",))
        self.wrong("gram", data, "-o", self.path("k.npy"), "--attributes", "bins:1", "--apex", words=("--apex",))
        self.wrong("features", data, "-o", self.path("f.lmf"), "--attributes", "bins:1", "--columns", self.path("c"), words=("--columns",))
        self.wrong("gram", data, "-a", "Propagation", "-o", self.path("k.npy"), "--propagation", "seed:5", "--attributes", "seed:6", words=("seed 5", "6 in"))
        self.fails("gram", self.paths("N", 4, 1, 0), "-o", self.path("k.npy"), "--attributes", "bins:1", "--quiet", words=("no vertex attributes",))

    def test_propagation(self):
        data = self.paths("P", 6, 1)
        made = self.json("gram", data, "-a", "Propagation", "-r", "2", "--propagation", "width:0.1,distance:hellinger,seed:5",
                         "-o", self.path("k.csv"), "--quiet")["kernels"][0]
        self.assertEqual((made["algorithm"], made["rounds"], made["label_width"], made["distance"], made["hash_seed"]),
                         ("propagation", 2, 0.1, "hellinger", 5))
        with open(self.path("k.csv")) as file:
            values = [[float(x) for x in line.split(",")] for line in file]
        self.assertEqual(values, [[75.0] * 6] * 6)  # paths are equal, and all vertices of an unlabelled path share a bin: 3 rounds of 5 by 5


if __name__ == "__main__":
    program.main()
