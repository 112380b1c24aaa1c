#!/usr/bin/env python3
"""Tables of molecules as people have them: words for two classes, cells of several lines, what is said about columns, names on pages."""
import csv
import io
import re

import program
from program import Case, leman

SMILES = ["CCO", "c1ccccc1", "CC(=O)O", "CCN", "CCC", "CCCC", "CCCCO", "c1ccncc1", "C1CC1", "C1CCC1"]
WORDS = ["TRUE", "True", "1", "0", "FALSE", "0", "true", "1", "no", "false"]


class Tables(Case):
    def setUp(self):
        super().setUp()
        rows = [f'"m{i}\n(lot {i})",{s},{w},{i / 4},{i % 2}\n' for i, (s, w) in enumerate(zip(SMILES, WORDS))]
        self.data = self.write("a.csv", "name,smiles,active,pIC50,toxic\n" + "".join(rows))

    def evaluate(self, *options, folds="2"):
        page = self.path("r.html")
        self.succeeds("evaluate", self.data, "-a", "1-WL", "-r", "0-1", "--folds", folds, "--repetitions", "1", "--report", page, *options)
        with open(page, encoding="utf-8") as file:
            return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", file.read())).replace("&#160;", " ")

    def test_positive(self):
        result = self.succeeds("info", self.data, "--class", "active", "--positive", "true,1")
        self.assertIn("class 1 is TRUE (1), True (1), 1 (2), true (1); class 0 is 0 (2), FALSE (1), no (1), false (1)", result.stderr)
        self.assertEqual(self.json("info", self.data, "--class", "active", "--positive", "true,1")["classes"], 2)
        self.assertEqual(self.json("info", self.data, "--class", "active")["classes"], 8)
        self.wrong("info", self.data, "--positive", "true", words=["'--positive'", "without --class"])
        self.fails("info", self.data, "--class", "active", "--positive", "aktiv", "-q", words=["found no word of aktiv", "TRUE (1)"])
        self.wrong("evaluate", self.data, "--class", "pIC50,toxic", "--positive", "1", words=["--positive", "one column"])
        self.fails("info", self.write("e.csv", "a,b\nb,c\n"), "--class", "0", "--positive", "1", "-q", words=["no table of molecules"])

    def test_columns_before_the_estimate(self):
        """Without --class the columns are named, and no time is estimated."""
        with open(self.data, "a", encoding="utf-8") as file:
            file.writelines(f"x{i},C{'C' * (i % 30)},1,2,0\n" for i in range(3000))
        result = leman("evaluate", self.data, "-a", "1-WL")
        self.assertEqual(result.returncode, 1)
        self.assertIn("without classes, expected a class for each, or a target: one of the columns 0 (pIC50), 1 (toxic)", result.stderr)
        self.assertNotIn("may take", result.stderr)

    def test_columns_to_learn(self):
        """Some columns of a table are nothing to learn: of several, the user names those that are; a single one is learned."""
        quick = ("-a", "GIN-0", "--layers", "1", "--width", "4", "--epochs", "1")
        for options in ((), ("--preset", "zinc"), ("--folds", "2"), ("--runs", "2")):
            self.fails("train", self.data, "-q", *quick, *options, words=["a.csv", "no --target", "0 (pIC50), 1 (toxic)", "--target 0-1"])
        found = self.succeeds("train", self.data, *quick, "--target", "0-1").stdout
        self.assertRegex(found, r"(?m)^ *pIC50 .*\n *toxic ")
        self.assertEqual(self.json("train", self.data, *quick, "--target", "pIC50")["targets"][0]["target"], 0)
        single = self.write("b.csv", "smiles,y\n" + "".join(f"{s},{i}\n" for i, s in enumerate(SMILES)))
        self.assertEqual(self.json("train", single, *quick)["targets"][0]["target"], 0)
        self.succeeds("train", self.data, *quick, "--class", "toxic")

    def test_pages(self):
        """The target or class column, and how the molecules were split."""
        self.assertRegex(self.evaluate("--target", "pIC50"), r"mean absolute error [0-9.]+ of pIC50 on a .* split at random;")
        self.assertRegex(self.evaluate("--class", "toxic", "--stratified"), r"test accuracy for toxic on a .* split at random, stratified by class;")
        self.assertRegex(self.evaluate("--target", "pIC50", "--scaffold", folds="4"), r"of pIC50 on a .* split by scaffold: ")
        self.assertRegex(self.evaluate("--class", "toxic", "--splits", self.splits()), r"for toxic on a .* split with given parts;")

    def splits(self):
        self.succeeds("evaluate", self.data, "--class", "toxic", "-a", "1-WL", "-r", "0", "--folds", "2", "--repetitions", "1",
                      "--write-splits", self.path("s.txt"))
        return self.path("s.txt")

    def test_several_lines(self):
        """Names of several lines are one line of the predictions."""
        model = self.path("m.lm")
        self.succeeds("fit", self.data, "--class", "toxic", "-a", "1-WL", "--folds", "2", "-o", model)
        rows = list(csv.DictReader(io.StringIO(self.succeeds("predict", "--model", model, self.data, "--columns", "active").stdout)))
        self.assertEqual([row["name"] for row in rows], [f"m{i} (lot {i})" for i in range(len(SMILES))])
        said = self.json("predict", "--model", model, self.data)
        self.assertEqual([p["line"] for p in said["predictions"]], [2 + 2 * i for i in range(len(SMILES))])


if __name__ == "__main__":
    program.main()
