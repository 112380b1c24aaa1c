#!/usr/bin/env python3
"""leman fit with a weight for each graph (--sample-weights) and with bounds for values (--censored): what they change, and bad input."""
import csv
import re

import pages
import program
from program import Case, leman

SMILES = ["CCO", "c1ccccc1", "CC(=O)O", "CCN", "CCC", "CCCC", "CCCCO", "c1ccncc1", "C1CC1", "C1CCC1", "CCF", "CCCF"]


class Weights(Case):
    def table(self, weights, name="a.csv", values=None):
        values = values or [i / 4 for i in range(len(SMILES))]
        rows = [f"{s},{i % 2},{x},{w}\n" for i, (s, x, w) in enumerate(zip(SMILES, values, weights))]
        return self.write(name, "smiles,active,IC50,sure\n" + "".join(rows))

    def fit(self, data, *arguments, name="x.model"):
        return self.json("fit", data, "-a", "1-WL", "-r", "1", "-C", "1", "--folds", "3", *arguments, "-o", self.path(name), "--quiet")

    def predictions(self, name):
        text = self.succeeds("predict", "--model", self.path(name), self.path("a.csv"), "--quiet").stdout
        return [row["score"] if "score" in row else row["value"] for row in csv.DictReader(text.splitlines())]

    def test_weights_change_what_is_fitted(self):
        data = self.table([1 + i % 5 for i in range(len(SMILES))])
        for what in (("--class", "active"), ("--target", "IC50"), ("--class", "active", "--svm", "kernel")):
            found = self.fit(data, *what, "--sample-weights", "sure")
            plain = self.fit(data, *what, name="y.model")
            self.assertEqual(found["sample_weights"], "sure")
            self.assertNotIn("sample_weights", plain)
            self.assertIsNone(found["baseline"])
            self.assertNotEqual(self.predictions("x.model"), self.predictions("y.model"))
        equal = self.table([2.5] * len(SMILES))
        self.fit(equal, "--class", "active", "--sample-weights", "sure", "-C", "1")
        self.fit(equal, "--class", "active", "-C", "2.5", name="y.model")
        for a, b in zip(self.predictions("x.model"), self.predictions("y.model")):
            self.assertAlmostEqual(float(a), float(b), delta=0.02)

    def test_what_is_refused(self):
        for wrong, words in (("0", "found 0 as"), ("-2", "found -2 as"), ("", "found nothing as")):
            data = self.table([1] * 4 + [wrong] + [1] * 7)
            self.fails("fit", data, "-a", "1-WL", "--class", "active", "--sample-weights", "sure", "-o", self.path("x.model"), "-q",
                       words=["a.csv:6: ", words, "as the weight in column 'sure', expected a number above 0"])
        data = self.table([1] * 12)
        self.fails("fit", data, "-a", "1-WL", "--class", "active", "--sample-weights", "other", "-o", self.path("x.model"), "-q", words=["other"])
        gp = ("fit", "-a", "1-WL", "-r", "1", "--target", "IC50", "--gp", "--sample-weights", "sure", "-q", "-o", self.path("x.model"))
        self.fails(*gp, self.table([1] * 4 + ["-2"] + [1] * 7), words=["a.csv:6: ", "found -2 as the weight"])
        self.assertEqual(self.json(*gp, self.table([1] * 12))["sample_weights"], "sure")
        self.succeeds("generate", "molecules", "--graphs", "9", "-o", self.path("m.leman"), "-q")
        self.fails("fit", self.path("m.leman"), "--sample-weights", "0", "-o", self.path("x.model"), "-q", words=["graph ", "as the weight"])

    def test_evaluations(self):
        """Finished folds belong to their weights and bounds; networks take neither; without the options there is a baseline."""
        data = self.table([1 + i % 5 for i in range(12)], values=[f"{'>' if i % 4 == 1 else ''}{i / 4}" for i in range(12)])
        quick = (data, "-a", "1-WL", "-r", "1", "-C", "1", "--repetitions", "1", "--folds", "3", "--quiet")
        bounds = ("--target", "IC50", "--censored")
        first = self.json("evaluate", *quick, *bounds, "--sample-weights", "sure", "--resume", self.path("folds"))
        again = self.json("evaluate", *quick, *bounds, "--sample-weights", "sure", "--resume", self.path("folds"))
        self.assertEqual([fold["test"] for fold in first["choices"]], [fold["test"] for fold in again["choices"]])
        self.assertEqual((first["bounds"], first["weighted_scores"], first["baseline"]), (3, False, None))
        for other in (bounds, (*bounds, "--sample-weights", "sure", "--weighted-scores")):
            self.fails("evaluate", *quick, *other, "--resume", self.path("folds"), words=["folds"])
        plain = self.json("evaluate", *quick, "--class", "active", "--sample-weights", "sure")
        self.assertIsNotNone(plain["baseline"])
        self.assertIsNone(plain["bounds"])
        self.assertIsNone(self.json("evaluate", *quick, "--class", "active", "--sample-weights", "sure", "--weighted-scores")["baseline"])
        self.wrong("evaluate", *quick, "--class", "active", "--weighted-scores", words=["--weighted-scores", "--sample-weights"])
        self.wrong("evaluate", *quick, "--class", "active", "--censored", words=["--censored", "--target"])
        self.wrong("compare", data, "-a", "1-WL", "-a", "GIN", "--class", "active", "--sample-weights", "sure", "-q", words=["--sample-weights", "network GIN"])
        page = self.path("page.html")
        self.succeeds("evaluate", *quick, *bounds, "--sample-weights", "sure", "--report", page)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIsNone(re.search(r"[ >]-?nan[ <&.]", text))
        pages.is_whole(self, text)
        self.assertIn("3 targets are bounds; only predictions beyond them are errors.", text)
        two = self.write("two.csv", "smiles,a,b,sure\n" + "".join(f"{s},{i % 2},{i // 3 % 2},{1 + i % 5}\n" for i, s in enumerate(SMILES)))
        tasks = ("evaluate", two, *quick[1:], "--class", "a,b", "--sample-weights", "sure", "--weighted-scores", "--report", page, "--force")
        self.assertIn("scores weighted by sure", self.succeeds(*tasks).stdout)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("Scores count graphs by their weights.", text)
        self.assertIsNone(re.search(r"[ >]-?nan[ <&.]", text))

    def test_censored(self):
        signs = [">", "", "<", "", ">= ", "", "<=", "", "", "", "", ""]
        data = self.table([1] * 12, values=[f"{sign}{i / 4}" for i, sign in enumerate(signs)])
        refused = leman("fit", data, "-a", "1-WL", "--target", "IC50", "-o", self.path("x.model"))
        self.assertEqual(refused.returncode, 1)
        self.assertIn("'>0.0' in line 2 is no number; leman fit --censored reads it as a bound", refused.stderr)
        for svm in ("linear", "kernel"):
            found = self.fit(data, "--target", "IC50", "--censored", "--svm", svm)
            self.assertEqual(found["bounds"], 4)
            censored = self.predictions("x.model")
            data = self.table([1] * 12)
            plain = self.fit(data, "--target", "IC50", "--censored", "--svm", svm)
            self.assertEqual(plain["bounds"], 0)
            self.assertNotEqual(self.predictions("x.model"), censored)
            data = self.table([1] * 12, values=[f"{sign}{i / 4}" for i, sign in enumerate(signs)])
        self.wrong("fit", data, "--class", "active", "--censored", "-o", self.path("x.model"), words=["--censored", "--target"])
        self.wrong("fit", data, "--target", "IC50", "--gp", "--censored", "-o", self.path("x.model"), words=["--gp", "--censored"])
        self.succeeds("generate", "molecules", "--graphs", "9", "-o", self.path("m.leman"), "-q")
        self.fails("fit", self.path("m.leman"), "--target", "0", "--censored", "-o", self.path("x.model"), "-q", words=["no table of molecules"])


if __name__ == "__main__":
    program.main()
