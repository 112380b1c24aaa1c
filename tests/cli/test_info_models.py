#!/usr/bin/env python3
"""leman info of models and checkpoints: the same as the commands said that wrote them, as text, JSON and page."""
import os

import program
from program import Case

SMILES = ["CCO", "CCN", "CCCO", "CCCN", "CC(C)O", "CC(C)N", "CCCCO", "CCCCN", "OCC1CC1", "NCC1CC1", "c1ccccc1O", "c1ccccc1N",
          "CC(O)CC", "CC(N)CC", "OC1CCCC1", "NC1CCCC1"]


class Models(Case):
    def molecules(self):
        """Alcohols and amines; a second column that is missing once."""
        lines = ["smiles,kind,acid,logP"]
        for i, smiles in enumerate(SMILES):
            lines.append(f"{smiles},{'alcohol' if 'O' in smiles else 'amine'},{'' if i == 3 else int('O' in smiles)},{i / 10}")
        return self.write("m.csv", "\n".join(lines) + "\n")

    def test_model(self):
        data, model = self.molecules(), self.path("x.model")
        fitted = self.json("fit", data, "--class", "kind", "-a", "1-WL", "-r", "0-2", "--folds", "3", "-o", model, "--quiet")
        told = self.json("info", model)
        self.assertEqual((told["kind"], told["file"], told["bytes"]), ("model", model, os.path.getsize(model)))
        self.assertEqual(told["model"], fitted["model"])
        self.assertEqual(told["model"]["data"]["name"], "m")
        text = self.succeeds("info", model).stdout
        for words in ("1-WL", "0 (alcohol), 1 (amine)", "linear SVM", "m, 16 undirected graphs", "3-fold"):
            self.assertIn(words, text)
        self.assertIn(f"{told['model']['cv_accuracy']:.1f} %", text)

    def test_page_draws_colours(self):
        data, model, page = self.molecules(), self.path("x.model"), self.path("p.html")
        self.succeeds("fit", data, "--class", "kind", "-a", "1-WL", "-r", "0-1", "--folds", "3", "-o", model, "--quiet")
        self.succeeds("info", model, "--report", page, "--data", data, "--class", "kind", "--quiet")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("Discriminative for class alcohol", text)
        self.assertIn("Discriminative for class amine", text)
        self.assertIn('<text class="hit-label"', text)  # a nitrogen or oxygen is what sets them apart
        self.assertIn("phi&#160;=&#160;1.00", text)  # every alcohol has it, and no amine
        self.succeeds("info", model, "--report", page, "--quiet")
        with open(page, encoding="utf-8") as file:
            self.assertIn("A model keeps no graphs", file.read())
        self.fails("info", model, "--report", page, "--data", data, "--quiet", words=["classes"])

    def test_features(self):
        """Every alcohol has [#8], and no amine: both are among the features with the largest effects, in the table, the JSON and on the
        page."""
        data, model, page = self.molecules(), self.path("x.model"), self.path("p.html")
        self.succeeds("fit", data, "--class", "kind", "-a", "1-WL", "-r", "1", "--folds", "3", "-o", model, "--quiet")
        asked = ("info", model, "--features", "4", "--data", data)
        text = self.succeeds(*asked, "--report", page, "--class", "kind", "--quiet").stdout
        self.assertIn("Effects on the score of class 1 (amine)", text)
        rows = [line.split() for line in text[text.index("weight"):].splitlines()]
        self.assertEqual(rows[0], ["weight", "effect", "round", "graphs", "example", "name", "substructure"])
        found = self.json(*asked, "--quiet")["features"]
        self.assertEqual([row[-1] for row in rows[1:]], [one["substructure"] for one in found])
        self.assertEqual(len(found), 4)
        by_text = {one["substructure"]: one for one in found}
        self.assertEqual(by_text["[#8]"]["graphs"], 8)
        self.assertLess(by_text["[#8]"]["weight"], 0)
        self.assertGreater(by_text["[#7]"]["weight"], 0)
        self.assertEqual(SMILES[by_text["[#8]"]["example"]], "CCO")
        self.assertEqual(by_text["[#8]"]["vertices"], [2])
        with open(page, encoding="utf-8") as file:
            self.assertIn('<h3 class="mono">[#8]</h3>', file.read())
        self.wrong("info", model, "--features", "4", words=["--data"])
        self.wrong("info", data, "--features", "4", "--data", data, words=["no model"])
        self.succeeds("fit", data, "--class", "kind", "-a", "WLOA", "-r", "1", "--folds", "3", "-o", model, "--quiet")
        self.fails(*asked, "--quiet", words=["minima"])
        self.succeeds("fit", data, "--target", "logP", "-a", "1-WL", "-r", "1", "--folds", "3", "-o", model, "--quiet")
        self.assertIn("Effects on the value", self.succeeds(*asked, "--quiet").stdout)

    def test_tasks(self):
        data, model, page = self.molecules(), self.path("t.model"), self.path("t.html")
        twice = self.write("two.csv", "".join(f"{line.rstrip()},{'other' if i == 0 else i % 2}\n" for i, line in enumerate(open(data))))
        fitted = self.json("fit", twice, "--class", "acid,other", "-a", "1-WL", "-r", "0-1", "--folds", "3", "-o", model, "--quiet")
        told = self.json("info", model)
        self.assertEqual((told["kind"], told["tasks"]), ("task models", fitted["tasks"]))
        text = self.succeeds("info", model, "--report", page, "--data", twice, "--features", "3", "--quiet").stdout
        self.assertIn("models of 2 tasks", text)
        self.assertIn("acid: effects on the score of class 1", text)
        told = self.json("info", model, "--features", "3", "--data", twice, "--quiet")["tasks"]
        self.assertEqual([(task["name"], len(task["features"])) for task in told], [("acid", 3), ("other", 3)])
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("<h2>acid</h2>", text)
        self.assertIn("<h2>other</h2>", text)

    def test_regression_and_support_graphs(self):
        data, model = self.molecules(), self.path("x.model")
        self.succeeds("fit", data, "--target", "logP", "-a", "1-WL", "-r", "0", "--folds", "3", "-o", model, "--quiet")
        self.assertIn("(logP)", self.succeeds("info", model).stdout)
        self.succeeds("fit", data, "--class", "kind", "-a", "WLOA", "-r", "0", "--folds", "3", "-o", model, "--quiet")
        self.assertIn("support graphs", self.succeeds("info", model).stdout)

    def test_network(self):
        data, net = self.molecules(), self.path("n.lmn")
        trained = self.json("train", data, "--class", "kind", "-a", "GIN-eps", "--layers", "2", "--width", "4", "--epochs", "3",
                            "--checkpoint", net, "--quiet")
        told = self.json("info", net)
        self.assertEqual(told["kind"], "network")
        for key in ("method", "k", "preset", "layers", "width", "parameters", "precision", "class_names"):
            self.assertEqual(told["network"][key], trained[key], key)
        self.assertEqual(told["training"]["epochs"], 3)
        self.assertEqual(told["training"]["best_epoch"], trained["best"]["epoch"])
        self.assertEqual(told["training"]["val_error"], trained["best"]["val_error"])
        self.assertEqual(told["data"]["name"], "m")
        self.assertEqual([told["data"][p] for p in ("train", "val", "test")], [trained[p] for p in ("train", "val", "test")])
        text = self.succeeds("info", net).stdout
        for words in ("GIN-eps", "2 of width 4", "3 so far", "alcohol"):
            self.assertIn(words, text)
        self.wrong("info", net, "--report", self.path("x.html"), words=["network"])

    def test_refusals(self):
        data, model = self.molecules(), self.path("x.model")
        self.wrong("info", data, "--report", self.path("x.html"), "-q", words=["no model"])
        self.wrong("info", data, "--data", data, words=["--report"])
        self.succeeds("features", data, "-a", "1-WL", "-o", self.path("f.lmf"), "--quiet")
        self.fails("info", self.path("f.lmf"), words=["found features", "expected a data set, a model"])
        self.succeeds("fit", data, "--class", "kind", "-a", "1-WL", "-r", "0", "--folds", "3", "-o", model, "--quiet")
        with open(model, "rb") as file:
            content = file.read()
        self.fails("info", self.write("cut.model", content[:len(content) // 2]), words=["cut.model"])


if __name__ == "__main__":
    program.main()
