#!/usr/bin/env python3
"""leman gram: every format holds the same matrix, slices agree, and wrong command lines say what is wrong."""
import csv
import math
import os
import struct
import subprocess

import program
from program import Case, leman


def numbers(path):
    """The matrix in a .npy file, read by its definition."""
    with open(path, "rb") as file:
        content = file.read()
    assert content[:8] == b"\x93NUMPY\x01\x00"
    length = struct.unpack("<H", content[8:10])[0]
    head = eval(content[10:10 + length].decode())  # a Python dictionary by definition
    assert head["descr"] == "<f8" and not head["fortran_order"]
    rows, columns = head["shape"]
    flat = struct.unpack(f"<{rows * columns}d", content[10 + length:])
    return [list(flat[i * columns:(i + 1) * columns]) for i in range(rows)]


class Gram(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "30", "-o", self.data, "--quiet")

    def gram(self, *arguments, name="k.npy"):
        self.succeeds("gram", *arguments, "-o", self.path(name), "--quiet")
        return numbers(self.path(name)) if name.endswith(".npy") else open(self.path(name)).read()

    def test_formats_agree(self):
        arguments = (self.data, "-a", "local", "-k", "2", "-r", "3", "--normalize")
        matrix = self.gram(*arguments)
        rows = lambda text, between: [[float(x) for x in line.split(between)] for line in text.splitlines()]
        self.assertEqual(rows(self.gram(*arguments, name="k.csv"), ","), matrix)
        self.assertEqual(rows(self.gram(*arguments, name="k.txt"), None), matrix)
        lines = self.gram(*arguments, name="k.svm").splitlines()
        for i, line in enumerate(lines):
            label, row, *cells = line.split(" ")
            self.assertIn(label, ("0", "1"))
            self.assertEqual(row, f"0:{i + 1}")
            self.assertEqual([c.split(":")[0] for c in cells], [str(j + 1) for j in range(30)])
            self.assertEqual([float(c.split(":")[1]) for c in cells], matrix[i])

    @program.needs("python")
    def test_learners_read_them(self):
        python = self.python_with("numpy", "sklearn")
        self.gram(self.data, "-a", "local", "-r", "3", "--normalize")
        self.gram(self.data, "-a", "local", "-r", "3", "--normalize", name="k.svm")
        script = ("import sys, numpy\nfrom sklearn.svm import SVC\nfrom sklearn.datasets import load_svmlight_file\n"
                  "k = numpy.load(sys.argv[1])\nx, y = load_svmlight_file(sys.argv[2], zero_based=True)\n"
                  "x = x.toarray()\nassert (x[:, 1:] == k).all() and (x[:, 0] == range(1, 31)).all()\n"
                  "print(SVC(kernel='precomputed', C=1000).fit(k, y).score(k, y))")
        found = subprocess.run([python, "-c", script, self.path("k.npy"), self.path("k.svm")], capture_output=True,
                               text=True)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.assertEqual(float(found.stdout), 1.0)  # delta-2-LWL sees the class of these molecules

    def test_order_and_threads(self):
        matrix = self.gram(self.data, "-a", "delta", "-t", "1")
        self.assertEqual(self.gram(self.data, "-a", "delta", "-t", "3"), matrix)
        order = list(range(29, -1, -1))
        self.succeeds("convert", self.data, self.path("r.leman"), "--graphs", ",".join(map(str, order)), "--quiet")
        reversed_graphs = self.gram(self.path("r.leman"), "-a", "delta")
        self.assertEqual([row[::-1] for row in reversed_graphs[::-1]], matrix)

    def test_slices_and_sums(self):
        whole = self.gram(self.data, "-a", "local:2+wl:1", "--weights", "1,0.5")
        self.succeeds("convert", self.data, self.path("test.leman"), "--graphs", "0-9", "--quiet")
        self.succeeds("convert", self.data, self.path("train.leman"), "--graphs", "10-29", "--quiet")
        part = self.gram(self.path("test.leman"), "--against", self.path("train.leman"), "-a", "local:2+wl:1",
                         "--weights", "1,0.5")
        self.assertEqual(part, [row[10:] for row in whole[:10]])
        one, two = self.gram(self.data, "-a", "local:2"), self.gram(self.data, "-a", "wl:1")
        self.assertEqual(whole, [[x + 0.5 * y for x, y in zip(a, b)] for a, b in zip(one, two)])

    def test_labels(self):
        """Beside the matrix: what the TU files say about the rows, and about the columns where they are others."""
        self.succeeds("convert", self.data, self.path("few.zip"), "--graphs", "3-7", "-q")
        self.succeeds("convert", self.data, self.path("t"), "-q")
        with open(self.path("t", "t_graph_labels.txt")) as file:
            classes = [line.strip() for line in file]
        with open(self.path("t", "t_graph_attributes.txt")) as file:
            targets = [[float(x) for x in line.split(",")] for line in file]

        def found(name):
            with open(self.path(name), newline="") as file:
                head, *rows = csv.reader(file)
            self.assertEqual(head[:3], ["graph", "name", "class"])
            self.assertEqual([row[0] for row in rows], [str(i) for i in range(len(rows))])
            return [row[2] for row in rows], [[float(x) for x in row[3:]] for row in rows]

        self.gram(self.data, "--against", self.path("few.zip"), "-r", "1", "--with-labels")
        self.assertEqual(found("k.y.csv"), (classes, targets))
        self.assertEqual(found("k.against.csv"), (classes[3:8], targets[3:8]))
        self.succeeds("gram", self.data, "-r", "0-1", "--with-labels", "-o", self.path("r.csv"))
        self.assertEqual(found("r.y.csv"), (classes, targets))
        self.assertFalse(os.path.exists(self.path("r.against.csv")))
        self.wrong("gram", self.data, "-o", "-", "--with-labels", words=["--with-labels", "standard output"])

    def test_standard_output(self):
        matrix = self.gram(self.data, "-r", "2")
        text = self.succeeds("gram", self.data, "-r", "2", "-o", "-").stdout
        self.assertEqual([[float(x) for x in line.split(",")] for line in text.splitlines()], matrix)
        self.wrong("gram", self.data, "-o", "-", "--json", words=["standard output"])

    def test_every_number_of_rounds(self):
        """A range of rounds gives the matrices that each number of rounds gives alone."""
        for options in (("-a", "local", "--normalize"), ("-a", "local+"), ("-a", "wloa"), ("--against", self.data)):
            said = self.json("gram", self.data, "-r", "1-3", *options, "-o", self.path("K.npy"))
            self.assertEqual(said["outputs"], [{"rounds": h, "output": self.path(f"K-{h}.npy")} for h in (1, 2, 3)])
            self.assertFalse(os.path.exists(self.path("K.npy")) or os.path.exists(self.path("K-0.npy")))
            for h in (1, 2, 3):
                self.assertEqual(numbers(self.path(f"K-{h}.npy")), self.gram(self.data, "-r", str(h), *options))
        self.succeeds("gram", self.data, "-r", "0-0", "-o", self.path("Z.csv"))
        self.assertTrue(os.path.exists(self.path("Z-0.csv")))
        for arguments, words in ((("-r", "3-1"), "'3-1'"), (("-r", "0-2", "-a", "sp"), "colourings"),
                                 (("-r", "0-2", "-a", "local+WL1"), "one kernel"), (("-r", "0-"), "'0-'")):
            self.wrong("gram", self.data, *arguments, "-o", self.path("W.npy"), words=[words])
        self.wrong("gram", self.data, "-r", "0-2", "-o", "-", words=["standard output"])
        self.succeeds("generate", "path", "--vertices", "3", "--graphs", "60", "-o", self.path("small.g6"), "--quiet")
        self.fails("gram", self.path("small.g6"), "-r", "0-999", "--memory", "16M", "-o", self.path("W.npy"),
                   words=["1000 matrices"])

    def test_only_what_kernels_see_must_agree(self):
        tu = {"A": "1, 2\n2, 1\n2, 3\n3, 2\n", "graph_indicator": "1\n1\n1\n"}
        full = self.tu("F", **tu, node_labels="0\n1\n0\n", edge_labels="5\n5\n6\n6\n")
        bare = self.tu("B", **tu)
        plain = self.tu("P", **tu, node_labels="0\n1\n0\n")
        atom = self.tu("O", A="", graph_indicator="1\n", node_labels="1\n")
        self.fails("gram", plain, "--against", full, "-o", self.path("k.npy"),
                   words=["F: found 1 column of edge labels, expected 0, as P has"])
        self.fails("gram", full, "--against", bare, "-o", self.path("k.npy"),
                   words=["B: found 0 columns of vertex labels, expected 1, as F has"])
        ignore = ("--ignore", "vertex-labels,edge-labels")
        self.assertEqual(self.gram(full, "--against", bare, *ignore), self.gram(bare))
        self.assertEqual(self.gram(full, "--against", plain, "-a", "sp"), self.gram(full, "-a", "sp"))
        self.assertEqual(self.gram(full, "--against", atom, "-r", "0"), [[1]])  # the vertex of that label: (v, v)

    def test_sample(self):
        """Estimates within the bounds that are written beside them; whole graphs are exact."""
        arguments = (self.data, "-a", "delta-2-LWL", "-r", "2", "--normalize")
        exact = self.gram(*arguments)
        for seed in ("1", "2"):
            found = self.json("gram", *arguments, "--sample", "200", "--seed", seed, "-o", self.path("s.npy"),
                              "--sample-bounds", self.path("b.npy"))
            sample = found["sample"]
            self.assertEqual((sample["tuples"], sample["confidence"], sample["unbiased"]), (200, 0.95, False))
            some, bounds = numbers(self.path("s.npy")), numbers(self.path("b.npy"))
            self.assertEqual(max(map(max, bounds)), sample["bound"])
            self.assertNotEqual(some, exact)
            for i, j in ((i, j) for i in range(30) for j in range(30)):
                self.assertLessEqual(abs(some[i][j] - exact[i][j]), bounds[i][j] + 1e-12)
        self.assertIsNone(self.json("gram", *arguments, "-o", self.path("k.npy"))["sample"])
        found = self.json("gram", *arguments[:-1], "--sample", "100000", "-o", self.path("s.npy"))["sample"]
        self.assertEqual((found["bound"], found["unbiased"]), (0, True))
        self.fails("gram", self.data, "-a", "2-WL", "--sample", "9", "-o", self.path("x.npy"), words=["delta-k-LWL"])
        self.succeeds("generate", "molecules", "--graphs", "1500", "-o", self.path("many.leman"))
        self.fails("gram", self.path("many.leman"), "-a", "1-WL", "--sample", "5", "--memory", "32M", "-o", self.path("x.npy"),
                   words=["34.3 MiB"])  # the matrix and its bounds: 2 * 1500^2 doubles
        self.wrong("gram", self.data, "--confidence", "0.9", "-o", self.path("x.npy"), words=["--sample"])
        self.wrong("gram", self.data, "--sample", "9", "-r", "0-2", "-o", self.path("x.npy"), words=["range of rounds"])

    def test_assignment(self):
        loose = self.gram(self.data, "-a", "wloa", "-r", "2")
        self.assertEqual(self.gram(self.data, "-a", "local", "-k", "1", "--assignment", "-r", "2"), loose)
        vertices = self.json("info", self.data)["vertices"]
        self.assertEqual(sum(loose[i][i] for i in range(30)), 3 * vertices)  # every vertex once a round

    def test_empty_graphs(self):
        data = self.tu("E", A="1, 2\n2, 1\n", graph_indicator="2\n2\n")
        matrix = self.gram(data, "-r", "1", "--normalize")
        self.assertEqual(matrix[0], [0, 0])
        self.assertTrue(math.isclose(matrix[1][1], 1))

    def test_wrong_command_lines(self):
        for arguments, words in ((("gram", self.data), "-o"),
                                 (("gram", self.data, "-o", self.path("k.xyz")), ".npy"),
                                 (("gram", self.data, "-a", "lokal", "-o", self.path("k.npy")), "lokal"),
                                 (("gram", self.data, "-a", "sp", "--weights", "1,2", "-o", self.path("k.npy")), "weights")):
            result = leman(*arguments)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(words, result.stderr)
        result = leman("gram", self.data, "-o", self.path("no", "such", "k.npy"))
        self.assertEqual(result.returncode, 1)
        self.wrong("gram", self.data, "--memory", "1K", "-o", self.path("k.npy"), words=["1K", "16.0 MiB"])
        self.assertFalse(os.path.exists(self.path("k.npy")))

    def test_memory(self):
        data = self.path("many.zip")
        self.succeeds("generate", "molecules", "--graphs", "300", "--vertices", "40", "-o", data, "--quiet")
        self.succeeds("gram", data, "-k", "2", "-o", self.path("all.npy"), "--memory", "1G")
        whole = numbers(self.path("all.npy"))
        for threads in ("1", "2"):
            result = self.succeeds("gram", data, "-k", "2", "-t", threads, "-o", self.path("k.npy"), "--memory", "16M")
            self.assertIn("passes over the graphs", result.stderr)
            self.assertEqual(numbers(self.path("k.npy")), whole)

    def test_larger_than_memory(self):
        """A matrix of 32 MB within 24 MiB, and where there is no room for all of it with what filling it takes."""
        data = self.path("many.leman")
        self.succeeds("generate", "molecules", "--graphs", "2000", "--vertices", "10", "-o", data, "--quiet")
        for more in ([], ["--normalize"]):
            command = ["gram", data, "-a", "1-WL", "-r", "2", *more]
            self.succeeds(*command, "-o", self.path("all.npy"), "--memory", "1G")
            whole = numbers(self.path("all.npy"))
            for budget in ("24M", "44M"):
                self.succeeds(*command, "-o", self.path("k.npy"), "--memory", budget)
                self.assertEqual(numbers(self.path("k.npy")), whole)
        self.fails("gram", data, "-a", "1-WL", "-r", "0-2", "-o", self.path("no.npy"), "--memory", "24M",
                   words=("3 matrices of 2000 by 2000 graphs needs", "the memory budget is 24.0 MiB"))


if __name__ == "__main__":
    program.main()
