#!/usr/bin/env python3
"""leman train --level and leman predict: networks of vertices and edges, and the lines of their predictions."""
import csv
import json

import program
from program import Case

FAST = ("-a", "Local-2-GNN", "--layers", "2", "--width", "8", "--epochs", "2", "--ignore", "attributes")


class Levels(Case):
    def setUp(self):
        super().setUp()
        for level in ("vertex", "edge"):
            self.succeeds("generate", "counts", "--graphs", "30", "--vertices", "8", "--probability", "0.5", "--level", level, "-o", self.path(f"{level}.leman"), "--quiet")
            self.succeeds("convert", self.path(f"{level}.leman"), "-o", self.path(level), "--quiet")

    def lines(self, level, name):
        with open(self.path(level, f"{level}_{name}.txt"), encoding="utf-8") as file:
            return [[float(number) for number in line.split(",")] for line in file]

    def places(self, level):
        """(graph, vertex) or (graph, tail, head) of every line that is expected, with its third attribute, from the files of the data."""
        graph = [int(line[0]) - 1 for line in self.lines(level, "graph_indicator")]
        vertex = [i - graph.index(g) for i, g in enumerate(graph)]
        if level == "vertex":
            return {(g, v): line[3] for g, v, line in zip(graph, vertex, self.lines(level, "node_attributes"))}
        arcs = [(int(tail) - 1, int(head) - 1) for tail, head in self.lines(level, "A")]
        found = {(graph[t], vertex[t], vertex[h]): line[3] for (t, h), line in zip(arcs, self.lines(level, "edge_attributes"))}
        return {place: value for place, value in found.items() if place[1] < place[2]}

    def test_train_and_predict(self):
        for level, columns in (("vertex", ["graph", "vertex"]), ("edge", ["graph", "tail", "head"])):
            found = self.json("train", self.path(f"{level}.leman"), *FAST, "--level", level, "--target", "3", "--checkpoint", self.path("net.lmn"))
            self.assertEqual((found["level"], found["outputs"], found["targets"][0]["target"]), (level, 1, 3))
            self.assertGreater(found["baseline"], 0)
            answer = self.json("predict", "--model", self.path("net.lmn"), self.path(f"{level}.leman"), "-o", self.path("p.csv"))
            with open(self.path("p.csv"), encoding="utf-8", newline="") as file:
                rows = list(csv.reader(file))
            self.assertEqual(rows[0], columns + ["attribute_3"])
            expected = self.places(level)
            predicted = {tuple(map(int, row[:-1])): float(row[-1]) for row in rows[1:]}
            self.assertEqual(sorted(predicted), sorted(expected))
            error = sum(abs(predicted[place] - expected[place]) for place in expected) / len(expected)
            self.assertAlmostEqual(answer["error"], error, places=4)
            self.assertEqual(answer["graphs"], 30)
            whole = self.json("predict", "--model", self.path("net.lmn"), self.path(f"{level}.leman"))["predictions"]
            self.assertEqual(len(whole), len(expected))
            self.assertEqual([whole[0][column] for column in columns], [int(cell) for cell in rows[1][:-1]])
            described = self.json("info", self.path("net.lmn"))
            self.assertIn(level, json.dumps(described))

    def test_what_is_read(self):
        """The log counts the attributes that are inputs: all but those that are learned."""
        result = self.succeeds("train", self.path("vertex.leman"), *FAST[:-2], "--level", "vertex", "--target", "0-10")
        self.assertIn("reads 2 vertex attributes", result.stderr)
        result = self.succeeds("train", self.path("vertex.leman"), *FAST[:-2], "--level", "vertex")
        self.assertNotIn("reads", result.stderr)

    def test_refusals(self):
        data = self.path("vertex.leman")
        self.wrong("train", data, "--level", "vertex", "--folds", "3", words=["'--level'", "--folds"])
        self.wrong("train", data, "--level", "vertex", "--classes", words=["'--level'", "--classes"])
        self.wrong("train", data, "--level", "corner", words=["'corner'", "vertex"])
        for arguments, words in ((("--level", "edge"), "no edge attributes to learn"), (("--level", "vertex", "--target", "13"), "13"),
                                 (("--level", "vertex", "--target", "cycle3"), "cycle3")):
            result = program.leman("train", data, *arguments)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn(words, result.stderr)
        self.wrong("train", data, "--level", "vertex", "-a", "1-2-GNN", words=["a network on vertices or tuples"])
        self.succeeds("train", data, *FAST, "--level", "vertex", "--checkpoint", self.path("net.lmn"), "--quiet")
        self.wrong("predict", "--model", self.path("net.lmn"), data, "-o", self.path("p.csv"), "--explain", self.path("e.html"),
                   words=["'--explain'", "vertices"])


if __name__ == "__main__":
    program.main()
