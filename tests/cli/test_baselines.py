#!/usr/bin/env python3
"""Every headline names what a constant prediction scores, and an interval; what is no better says so."""
import re
import statistics
import zipfile

import program
from program import Case


class Baselines(Case):
    GRAPHS, LARGE = 90, 63  # graphs, and those of the largest class: 70 %

    def setUp(self):
        super().setUp()
        self.data = self.noise()
        self.targets = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "60", "--seed", "3", "-o", self.targets, "--quiet")
        with zipfile.ZipFile(self.targets) as file:
            name, = [n for n in file.namelist() if n.endswith("_graph_attributes.txt")]
            self.values = [float(line) for line in file.read(name).split()]

    def noise(self):
        """The same triangle in every graph, so that nothing but the majority class can be learned."""
        arcs = "".join(f"{3 * g + a}, {3 * g + b}\n" for g in range(self.GRAPHS)
                       for a, b in ((1, 2), (2, 1), (2, 3), (3, 2), (1, 3), (3, 1)))
        labels = ["1\n" if g % 10 < 7 else "2\n" for g in range(self.GRAPHS)]
        return self.tu("noise", A=arcs, graph_indicator="".join(f"{g + 1}\n" * 3 for g in range(self.GRAPHS)),
                       graph_labels="".join(labels))

    def median_error(self):
        middle = statistics.median(self.values)
        return statistics.mean(abs(v - middle) for v in self.values)

    def test_evaluate(self):
        arguments = ("evaluate", self.data, "-a", "wl", "-k", "1", "-r", "0-1", "--repetitions", "2", "--folds", "5")
        found = self.json(*arguments)
        self.assertAlmostEqual(found["baseline"], 70)
        self.assertEqual(found["baseline_kind"], "majority class")
        self.assertAlmostEqual(found["test_mean"], 70)
        tests = [c["test"] for c in found["choices"]]
        half = 2.262157162740992 * (statistics.variance(tests) * (1 / 10 + 18 / 72)) ** 0.5  # t of 9 degrees of freedom
        self.assertAlmostEqual(found["test_low"], 70 - half, places=6)
        self.assertAlmostEqual(found["test_high"], 70 + half, places=6)
        text = self.succeeds(*arguments, "--quiet").stdout
        self.assertRegex(text, rf"95 % interval {70 - half:.1f} to {70 + half:.1f} %; no better than the majority class, 70.0 %")
        self.assertRegex(text, r"Test accuracy   70.0 % \+- 0.0 over repetitions, \+- [\d.]+ over folds\n")

    def test_regression(self):
        found = self.json("evaluate", self.targets, "-a", "wl", "-k", "1", "-r", "0-1", "--target", "0", "--repetitions", "1",
                          "--folds", "3")
        self.assertAlmostEqual(found["baseline"], self.median_error())
        self.assertEqual((found["baseline_kind"], found["test_std"]), ("median", None))

    def test_compare(self):
        arguments = ("compare", self.data, "-a", "wl:1", "-a", "sp", "-r", "0-1", "--repetitions", "1", "--folds", "3")
        found = self.json(*arguments)
        self.assertAlmostEqual(found["baseline"], 70)
        for method in found["methods"]:
            self.assertIsNone(method["test_std"])
            self.assertLessEqual(method["test_low"], method["test_mean"])
            self.assertGreaterEqual(method["test_high"], method["test_mean"])
        text = self.succeeds(*arguments, "--quiet").stdout
        self.assertIn("Majority class: 70.00 %; no better than it: ", text)
        self.assertNotIn("+- 0.00", text.replace("folds", ""))

    def test_fit_and_predict(self):
        model = self.path("m.model")
        result = self.succeeds("fit", self.data, "-a", "wl", "-k", "1", "-r", "0-1", "-o", model)
        self.assertIn("no better than the majority class, 70.0 %", result.stderr)
        found = self.json("fit", self.data, "-a", "wl", "-k", "1", "-r", "0-1", "-o", model)
        self.assertAlmostEqual(found["baseline"], 70)
        found = self.json("predict", "--model", model, self.data, "-o", self.path("p.csv"))
        self.assertAlmostEqual(found["accuracy"], 70)
        self.assertAlmostEqual(found["baseline"], 70)
        # Wilson: the shares p with (0.7 - p)^2 = z^2 p (1 - p) / n
        for key in ("accuracy_low", "accuracy_high"):
            p = found[key] / 100
            self.assertAlmostEqual((0.7 - p) ** 2, 1.959963984540054 ** 2 * p * (1 - p) / self.GRAPHS, places=9)
        result = self.succeeds("predict", "--model", model, self.data, "-o", self.path("p.csv"))
        self.assertIn("no better than the majority class, 70.0 %", result.stderr)

    def test_train(self):
        page = self.path("t.html")
        network = ("--model", "gin", "--layers", "1", "--width", "4", "--epochs", "2")
        result = self.succeeds("train", self.data, *network, "--test-share", "0.3", "--report", page, "--quiet")
        self.assertRegex(result.stdout, r"test accuracy [\d.]+ %, 95 % interval [\d.]+ to [\d.]+ %; no better than the majority class")
        with open(page, encoding="utf-8") as file:
            text = re.sub("&#160;", " ", file.read())
        self.assertRegex(text, r"95 % interval: [\d.]+ to [\d.]+ %\. Predicting the majority class: [\d.]+ %; "
                               r"<strong>this is no better</strong>")
        found = self.json("train", self.data, *network, "--test-share", "0.3")
        self.assertEqual((found["baseline_kind"], found["baseline_part"]), ("majority class", "test"))
        self.assertGreaterEqual(found["best"]["test_error"], found["baseline"] - 1e-9)
        self.assertLessEqual(found["error_low"], found["best"]["test_error"])
        self.assertGreaterEqual(found["error_high"], found["best"]["test_error"])

    def test_train_folds(self):
        network = ("--model", "gin", "--layers", "1", "--width", "4", "--epochs", "2", "--folds", "3", "--repetitions", "1")
        found = self.json("train", self.data, *network)
        self.assertAlmostEqual(found["baseline"], 70)
        self.assertIsNone(found["test_std"])
        text = self.succeeds("train", self.data, *network, "--quiet").stdout
        self.assertNotIn("over repetitions", text)
        self.assertRegex(text, r"95 % interval .*; (no better than the )?majority class")

    def test_page(self):
        page = self.path("r.html")
        self.succeeds("evaluate", self.data, "-a", "wl", "-k", "1", "-r", "0-1", "--repetitions", "1", "--folds", "3",
                      "--report", page, "--quiet")
        with open(page, encoding="utf-8") as file:
            text = re.sub("&#160;", " ", file.read())
        self.assertRegex(text, r"95 % interval: [\d.]+ to [\d.]+ %\. Predicting the majority class: 70.0 %; "
                               r"<strong>this is no better</strong>")


if __name__ == "__main__":
    program.main()
