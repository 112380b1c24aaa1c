#!/usr/bin/env python3
"""Feature files as DATA: leman fit, evaluate and predict on what leman features wrote."""
import csv
import gzip
import json
import os

import program
from program import leman
from test_memory import MIB, MemoryCase


class FeatureFiles(MemoryCase):
    def done(self, *arguments):
        result = leman(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def predictions(self, name):
        with open(self.path(name)) as file:
            return list(csv.DictReader(file))

    def test_as_from_graphs(self):
        """Columns that were kept make features of new graphs line up: the predictions are those of a model on graphs."""
        for name in ("train", "test"):  # the test graphs are some of the others: nothing is without a column
            self.done("generate", "molecules", "--graphs", "120" if name == "train" else "30", "-o", self.path(f"{name}.leman"))
            self.done("features", self.path(f"{name}.leman"), "-a", "delta-2-LWL", "-r", "1", "--columns", self.path("columns"),
                      "-o", self.path(f"{name}.svm.gz"))
        for target in ([], ["--target", "0"]):
            if target:
                for name in ("train", "test"):
                    self.done("features", self.path(f"{name}.leman"), "-a", "delta-2-LWL", "-r", "1", "--target", "0", "--columns",
                              self.path("columns"), "-o", self.path(f"{name}.svm.gz"))
            self.done("fit", self.path("train.leman"), "-a", "delta-2-LWL", "-r", "1", *target, "-o", self.path("graphs.model"))
            self.done("fit", self.path("train.svm.gz"), *target, "-o", self.path("rows.model"))
            self.done("predict", "--model", self.path("graphs.model"), self.path("test.leman"), "-o", self.path("graphs.csv"))
            self.done("predict", "--model", self.path("rows.model"), self.path("test.svm.gz"), "-o", self.path("rows.csv"))
            for graph, row in zip(self.predictions("graphs.csv"), self.predictions("rows.csv"), strict=True):
                for key in row:  # features tell neither similarities nor intervals
                    self.assertAlmostEqual(float(row[key]), float(graph[key]), 4, key)
        info = self.done("info", self.path("rows.model"))
        self.assertIn("features of a file", info.stdout)
        self.assertIn("120 rows", info.stdout)

    def test_lmf(self):
        """A model of an .lmf file predicts and explains new graphs as a model of the graphs does, and rows of an .lmf file, too."""
        for name, count in (("train", 120), ("test", 30)):
            self.done("generate", "molecules", "--graphs", str(count), "--seed", str(count), "-o", self.path(f"{name}.leman"))
        for method, more in (("delta-2-LWL", []), ("delta-2-LWL+", []), ("1-WL + SP", ["--weights", "1,4"])):
            kernels = ["-a", method, "-r", "2", *more]
            for name in ("train", "test"):
                self.done("features", self.path(f"{name}.leman"), *kernels, "-o", self.path(f"{name}.lmf"))
            self.done("fit", self.path("train.leman"), *kernels, "-C", "1", "-o", self.path("graphs.model"))
            self.done("fit", self.path("train.lmf"), "-C", "1", "-o", self.path("rows.model"))
            found = {}
            for model, data in (("graphs", "test.leman"), ("rows", "test.leman"), ("rows", "test.lmf")):
                explain = [] if data == "test.lmf" else ["--explain", self.path("e.json")]
                self.done("predict", "--model", self.path(f"{model}.model"), self.path(data), "-o", self.path("p.csv"), *explain)
                found[model, data] = self.predictions("p.csv")
                if explain:
                    with open(self.path("e.json")) as file:
                        found[model, "explained"] = json.load(file)
            for other in (found["rows", "test.leman"], found["rows", "test.lmf"]):
                for graph, row in zip(found["graphs", "test.leman"], other, strict=True):
                    inside = all(float(one.get("domain", 1)) == 1 for one in (graph, row))  # only graphs have similarities
                    for key in set(row) - {"similarity", "domain"} - (set() if inside else {"probability_0", "probability_1"}):
                        self.assertAlmostEqual(float(row[key]), float(graph[key]), 3, key)
            self.assert_near(found["rows", "explained"], found["graphs", "explained"])
        result = leman("predict", "--model", self.path("rows.model"), self.path("train.leman"), "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.done("features", self.path("test.leman"), "-a", "1-WL", "-r", "1", "-o", self.path("other.lmf"))
        result = leman("predict", "--model", self.path("rows.model"), self.path("other.lmf"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("other kernels", result.stderr)

    def assert_near(self, found, expected):
        """Compares what JSON holds, numbers to three digits behind the point, without what only a model of graphs knows."""
        self.assertEqual(type(found), type(expected))
        if isinstance(found, dict):
            self.assertEqual(found.keys(), expected.keys())
            for key in found.keys() - {"similarity", "domain", "probability"}:
                self.assert_near(found[key], expected[key])
        elif isinstance(found, list):
            self.assertEqual(len(found), len(expected))
            for a, b in zip(found, expected):
                self.assert_near(a, b)
        elif isinstance(found, float):
            self.assertAlmostEqual(found, expected, 3)

    def test_lmf_larger_than_memory(self):
        """20 MB of features, more than the budget: the model is the same, byte for byte."""
        self.done("generate", "molecules", "--graphs", "5000", "-o", self.path("m.leman"))
        self.done("features", self.path("m.leman"), "-a", "delta-2-LWL", "-r", "4", "--hash-bits", "14", "-o", self.path("f.lmf"))
        self.assertGreater(os.path.getsize(self.path("f.lmf")), 20 * MIB)
        arguments = ["fit", self.path("f.lmf"), "-C", "1", "--folds", "2", "-t", "1"]
        self.done(*arguments, "-o", self.path("all.model"))
        self.assertTrue(self.stays_within(24, *arguments, "-o", self.path("few.model")))
        with open(self.path("all.model"), "rb") as a, open(self.path("few.model"), "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_evaluate(self):
        self.done("generate", "molecules", "--graphs", "90", "-o", self.path("m.leman"))
        self.done("features", self.path("m.leman"), "-a", "1-WL", "-r", "2", "-o", self.path("f.svm"))
        rest = ["--folds", "5", "--repetitions", "2", "--json"]
        rows = json.loads(self.done("evaluate", self.path("f.svm"), *rest).stdout)
        graphs = json.loads(self.done("evaluate", self.path("m.leman"), "-a", "1-WL", "-r", "2", "--svm", "linear", *rest).stdout)
        self.assertEqual((rows["method"], rows["k"], rows["kernels"], rows["machine"]), ("features", None, [], "linear"))
        for key in ("test_mean", "test_std", "train_mean", "confusion"):
            self.assertEqual(rows[key], graphs[key], key)

    def test_larger_than_memory(self):
        """20 MB of text, more than the budget: the model is the same, byte for byte."""
        self.done("generate", "molecules", "--graphs", "5000", "-o", self.path("m.leman"))
        self.done("features", self.path("m.leman"), "-a", "delta-2-LWL", "-r", "4", "--hash-bits", "14", "-o", self.path("f.svm"))
        self.assertGreater(os.path.getsize(self.path("f.svm")), 20 * MIB)
        arguments = ["fit", self.path("f.svm"), "-C", "1", "--folds", "2", "-t", "1"]
        self.done(*arguments, "-o", self.path("all.model"))
        self.assertTrue(self.stays_within(24, *arguments, "-o", self.path("few.model")))
        with open(self.path("all.model"), "rb") as a, open(self.path("few.model"), "rb") as b:
            self.assertEqual(a.read(), b.read())
        self.assertTrue(self.stays_within(24, "predict", "--model", self.path("few.model"), self.path("f.svm"), "-o",
                                          self.path("p.csv")))

    def test_refused(self):
        """One sentence, with the file and the line."""
        def refused(status, words, text, *arguments, name="f.svm"):
            with open(self.path(name), "w") as file:
                file.write(text)
            result = leman("fit", self.path(name), *arguments, "-o", self.path("m"))
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertFalse(os.path.exists(self.path("m")))
        sound = "1 1:1\n0 2:1\n1 1:2\n0 2:2\n"
        for option in (["-a", "1-WL"], ["-r", "2"], ["-k", "1"], ["--apex"], ["--class", "x"], ["--scaffold"], ["--directed"], ["--normalize"]):
            refused(2, "is a feature file", sound, *option)
        refused(2, "kernel SVM", sound, "--svm", "kernel")
        refused(1, "f.svm:2: found '1:1', expected the label", "1 1:2\n1:1 2:2\n")
        refused(1, "f.svm:2: found index 1 behind 2", "1 1:2\n1 2:1 1:2\n")
        refused(1, "f.svm:1: found 'nan'", "1 1:nan\n")
        refused(1, "f.svm:1: found qid", "1 qid:1 1:2\n")
        refused(1, "f.svm: found labels that are not integers below 2^53, expected classes", "0.5 1:2\n1 1:1\n0 2:1\n")
        refused(1, "labels that are not integers below 2^53", "9007199254740993 1:2\n1 1:1\n0 2:1\n")
        refused(1, "f.svm: found graphs of one class only", "0 1:2\n0 1:1\n0 2:1\n")
        refused(1, "there is no target", sound, "--target", "1")
        self.done("generate", "molecules", "--graphs", "20", "-o", self.path("m.leman"))
        self.done("gram", self.path("m.leman"), "-a", "1-WL", "-o", self.path("k.svm"))
        result = leman("fit", self.path("k.svm"), "-o", self.path("m"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("precomputed kernel", result.stderr)
        with gzip.open(self.path("f.svm.gz"), "wt") as file:
            file.write("1 1:2\n1 x:2\n")
        result = leman("evaluate", self.path("f.svm.gz"))
        self.assertIn("f.svm.gz:2: found 'x:2', expected index:value", result.stderr)

    def test_other_data(self):
        """Models of graphs want graphs, and those of feature files a feature file."""
        self.done("generate", "molecules", "--graphs", "40", "-o", self.path("m.leman"))
        self.done("features", self.path("m.leman"), "-a", "1-WL", "-r", "1", "-o", self.path("f.svm"))
        self.done("fit", self.path("m.leman"), "-a", "1-WL", "-r", "1", "-o", self.path("graphs.model"))
        self.done("fit", self.path("f.svm"), "-o", self.path("rows.model"))
        for model, data, words in (("graphs.model", "f.svm", "expected graphs"), ("rows.model", "m.leman", "expected a feature file")):
            result = leman("predict", "--model", self.path(model), self.path(data))
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)
        result = leman("predict", "--model", self.path("rows.model"), self.path("f.svm"), "--explain", self.path("e.html"))
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    program.main()
