#!/usr/bin/env python3
"""leman fit --gp, predict and info of Gaussian processes: values with standard deviations, the same after writing, rows
that cannot be read, what is refused. The numbers are those of tests/learn/test_gp.c."""
import csv
import json
import math

import program
from program import Case

CHAINS = ["C" * n + end for n in range(1, 9) for end in ("O", "N", "Cl", "C(=O)O")]


class Gaussian(Case):
    def molecules(self, more=()):
        """The target is the number of carbons, and one more for every oxygen, with a known error."""
        lines = ["smiles,name,logS"]
        for i, smiles in enumerate(CHAINS):
            value = smiles.replace("Cl", "").count("C") + smiles.count("O") + 0.1 * (-1) ** i
            lines.append(f"{smiles},m{i},{value}")
        return self.write("m.csv", "\n".join([*lines, *more]) + "\n")

    def fit(self, *more, data=None):
        return self.json("fit", data or self.molecules(), "--target", "logS", "--gp", "-o", self.path("m.gp"), *more, "--quiet")

    def test_fit_predict_info(self):
        fitted = self.fit("-a", "1-WL", "-r", "3")
        model = fitted["model"]
        self.assertEqual((model["machine"], model["rounds"], model["training_graphs"]), ("gaussian process", 3, 32))
        self.assertEqual([row["round"] for row in model["weights"]], [0, 1, 2, 3])
        self.assertTrue(all(row["weight"] > 0 for row in model["weights"]) and model["noise"] > 0)
        self.assertLess(model["loo_rmse"], 1)  # the targets have a deviation of 2.3
        told = self.json("info", self.path("m.gp"))
        self.assertEqual((told["kind"], told["model"]), ("gaussian process", model))
        self.assertIn("a Gaussian process of 32 graphs", self.succeeds(
            "fit", self.path("m.csv"), "--target", "logS", "--gp", "-a", "1-WL", "-r", "3", "-o", self.path("again.gp")).stderr)
        text = self.succeeds("info", self.path("m.gp")).stdout
        for words in ("target 0 (logS), with its standard deviation", "round 3", "noise", "32 undirected graphs", "rmse"):
            self.assertIn(words, text)

    def test_predictions(self):
        fitted = self.fit("-a", "1-WL", "-r", "2")
        new = self.write("new.csv", "smiles,name,logS\nCCCO,known,4.1\nCCCCCCCCCO,longer,10\nc1ccccc1[Se],strange,1\n")
        out = self.path("p.csv")
        said = self.json("predict", "--model", self.path("m.gp"), new, "-o", out, "--quiet")
        self.assertEqual(said["model"], fitted["model"])
        with open(out, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0])[:5], ["graph", "name", "value", "std", "out_of_vocabulary"])
        std = [float(row["std"]) for row in rows]
        self.assertLess(max(std[:2]), std[2])
        self.assertLess(abs(float(rows[0]["value"]) - 4), 1)
        variance = fitted["model"]["noise"] + sum(row["weight"] for row in fitted["model"]["weights"])
        for value in std:
            self.assertTrue(math.sqrt(fitted["model"]["noise"]) * 0.999 < value < math.sqrt(variance) * 1.001)
        listed = self.json("predict", "--model", self.path("m.gp"), new, "--quiet")["predictions"]
        self.assertEqual([one["std"] for one in listed], std)
        self.assertEqual(float(rows[1]["value"]), listed[1]["value"])
        self.assertGreater(float(rows[2]["out_of_vocabulary"]), 0.5)
        json_file = self.path("p.json")
        self.succeeds("predict", "--model", self.path("m.gp"), new, "-o", json_file, "--quiet")
        with open(json_file, encoding="utf-8") as file:
            self.assertEqual([one["std"] for one in json.load(file)["predictions"]], std)

    def test_rows_that_cannot_be_read(self):
        data = self.molecules(["C(,broken,1", "CCF,fluoride,"])
        self.fit("-a", "1-WL", "-r", "1", "--skip-unreadable", data=data)
        said = self.succeeds("predict", "--model", self.path("m.gp"), data, "--skip-unreadable", "--quiet").stdout
        rows = list(csv.DictReader(said.splitlines()))
        self.assertEqual(len(rows), 34)
        self.assertEqual((rows[32]["value"], rows[32]["std"], rows[32]["smiles"]), ("", "", "C("))
        self.assertTrue(float(rows[33]["std"]) > 0 and rows[33]["status"] == "ok")

    def test_kernels(self):
        for method in ("WLOA", "delta-2-LWL", "SP", "GR", "1-WL+SP", "1-WL:tanimoto", "1-WL:minmax"):
            model = self.fit("-a", method, "-r", "1")["model"]
            rounds = [row["round"] for row in model["weights"]]
            self.assertEqual(rounds, [None] if method in ("SP", "GR") else [0, 1, None] if "SP" in method else [0, 1], method)
            self.succeeds("predict", "--model", self.path("m.gp"), self.path("m.csv"), "--quiet")

    def test_threads_change_nothing(self):
        for threads, name in (("1", "one.csv"), ("3", "three.csv")):
            self.fit("-a", "WLOA", "-r", "2", "--threads", threads)
            self.succeeds("predict", "--model", self.path("m.gp"), self.path("m.csv"), "-t", threads, "-o", self.path(name), "-q")
        with open(self.path("one.csv"), encoding="utf-8") as one, open(self.path("three.csv"), encoding="utf-8") as three:
            self.assertEqual(one.read(), three.read())

    def test_refused(self):
        data, model = self.molecules(), self.path("m.gp")
        gp = ("fit", data, "--target", "logS", "--gp", "-o", model)
        self.wrong("fit", data, "--gp", "-o", model, words=("--gp", "without --target"))
        for option, value in (("--svm", "linear"), ("-C", "1"), ("--folds", "3"), ("--scaffold", None), ("--score", "rmse"),
                              ("--apex", None)):
            self.wrong(*gp, option, *([value] if value else []), words=("--gp", "with " + ("-C" if option == "-C" else option)))
        self.wrong(*gp, "-r", "1-3", words=("found 1-3", "one number"))
        self.wrong("fit", data, "--target", "logS", "--gp", words=("-o MODEL",))
        self.wrong(*gp, "-q", "-a", "RandomWalk", words=("RandomWalk",))
        features = self.write("f.svm", "1 1:1\n2 2:1\n3 1:1 2:2\n")
        self.wrong("fit", features, "--target", "0", "--gp", "-o", model, words=("--gp", "feature file"))
        self.fit("-a", "1-WL", "-r", "1")
        self.wrong("predict", "--model", model, data, "--explain", self.path("p.html"), words=("--explain", "Gaussian process"))
        self.wrong("predict", "--model", model, data, "--device", "cpu", words=("--device",))
        self.wrong("predict", "--model", model, features, words=("feature file", "expected graphs"))
        self.wrong("info", model, "--report", self.path("p.html"), words=("--report", "Gaussian process"))

    def test_memory(self):
        data = self.path("many.csv")
        with open(data, "w", encoding="utf-8") as file:
            file.write("smiles,logS\n" + "".join(f"{'C' * (1 + i % 9)}{'O' * (i % 2)},{i % 7}\n" for i in range(3000)))
        self.fails("fit", data, "--target", "logS", "--gp", "-a", "1-WL", "-r", "1", "-o", self.path("m.gp"), "--memory", "64M", "-q",
                   words=("a Gaussian process of 3000 graphs and 2 rounds needs 206 MiB", "the memory budget is 64.0 MiB"))


if __name__ == "__main__":
    program.main()
