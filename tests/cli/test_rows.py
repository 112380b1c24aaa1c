#!/usr/bin/env python3
"""Predictions of files of molecules: row number, name, SMILES and status of every row, whichever can be read, and columns of the file."""
import csv
import io
import json

import program
from program import Case

TRAINING = "name,smiles,active\n" + "".join(f"m{i},{s},{int('1' in s)}\n" for i, s in enumerate(
    ["c1ccccc1C", "C1=CC=CC=C1O", "CCO", "CCC", "CCCO", "c1ccncc1", "Cc1ccccc1C", "CCN"]))
TABLE = """name,smiles,batch,note
a,c1ccccc1C,x,"first, of all"
bad,C1CC,y,
c,CCO,,\xe4
,,z,no SMILES
e,CC(C)C,w,last
"""


class Rows(Case):
    def setUp(self):
        super().setUp()
        self.model = self.path("m.lm")
        self.succeeds("fit", self.write("train.csv", TRAINING), "--class", "active", "-a", "1-WL", "--folds", "2", "-o", self.model)
        self.data = self.write("n.csv", TABLE)

    def predict(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.succeeds("predict", "--model", self.model, *arguments).stdout)))

    def test_columns_without_effect(self):
        self.wrong("predict", "--model", self.model, self.data, "--skip-unreadable", "--columns", "batch,batch", words=["'batch' twice"])
        self.succeeds("features", self.path("train.csv"), "--class", "active", "-a", "1-WL", "-o", self.path("f.lmf"))
        self.succeeds("fit", self.path("f.lmf"), "--folds", "2", "-o", self.path("f.lm"))
        self.wrong("predict", "--model", self.path("f.lm"), self.path("f.lmf"), "--columns", "batch", words=["'--columns' has no effect"])

    def test_tables(self):
        self.fails("predict", "--model", self.model, self.data, words=["n.csv:3: column 6"])
        rows = self.predict(self.data, "--skip-unreadable", "--columns", "batch,note")
        self.assertEqual([row["graph"] for row in rows], ["0", "1", "2", "3", "4"])
        self.assertEqual([row["name"] for row in rows], ["a", "bad", "c", "", "e"])
        self.assertEqual([row["smiles"] for row in rows], ["c1ccccc1C", "C1CC", "CCO", "", "CC(C)C"])
        self.assertEqual([row["status"] == "ok" for row in rows], [True, False, True, False, True])
        self.assertIn("n.csv:3: column", rows[1]["status"])
        self.assertEqual((rows[1]["class"], rows[1]["probability_0"], rows[1]["out_of_vocabulary"]), ("", "", ""))
        self.assertEqual([row["batch"] for row in rows], ["x", "y", "", "z", "w"])
        self.assertEqual(rows[0]["note"], "first, of all")
        alone = self.predict(self.write("alone.smi", "CC(C)C e\n"))
        for key in ("class", "score", "probability_1"):
            self.assertEqual(rows[4][key], alone[0][key])
        said = self.json("predict", "--model", self.model, self.data, "--skip-unreadable", "--columns", "batch")
        self.assertEqual((said["graphs"], said["skipped"], len(said["predictions"])), (3, 2, 5))
        self.assertEqual([p["line"] for p in said["predictions"]], [2, 3, 4, 5, 6])
        self.assertEqual(said["predictions"][1]["columns"], {"batch": "y"})
        self.assertNotIn("class", said["predictions"][1])
        self.succeeds("predict", "--model", self.model, self.data, "--skip-unreadable", "-o", self.path("p.tsv"))
        with open(self.path("p.tsv"), encoding="utf-8") as file:
            self.assertEqual([row["status"] == "ok" for row in csv.DictReader(file, delimiter="\t")], [True, False, True, False, True])

    def test_options(self):
        self.fails("predict", "--model", self.model, self.data, "--skip-unreadable", "--columns", "batch,no",
                   words=["n.csv: there is no column 'no', expected one of the file"])
        self.assertNotIn("status", self.predict(self.data, "--skip-unreadable", "--policy", "empty-graphs=remove")[0])

    def test_sdf(self):
        sdf = self.path("n.sdf")
        self.succeeds("convert", self.write("t.csv", "name,smiles,y\na,c1ccccc1C,1\nb,CCO,2\nc,CCC,3\n"), sdf)
        with open(sdf, encoding="utf-8") as file:
            parts = file.read().split("$$$$\n")
        parts[1] = parts[1].replace(" O ", " Xx", 1)
        self.write("n.sdf", "$$$$\n".join(parts))
        self.fails("predict", "--model", self.model, sdf, words=["expected an element symbol"])
        rows = self.predict(sdf, "--skip-unreadable", "--columns", "y")
        self.assertEqual([row["name"] for row in rows], ["a", "b", "c"])
        self.assertEqual([row["status"] == "ok" for row in rows], [True, False, True])
        self.assertEqual([row["y"] for row in rows], ["1", "", "3"])
        self.assertEqual((rows[0]["smiles"], rows[2]["smiles"]), ("c1ccccc1C", "CCC"))
        plain = self.predict(self.write("c.smi", "CCC c\n"))
        self.assertEqual(rows[2]["score"], plain[0]["score"])

    def test_networks(self):
        model = self.path("m.nn")
        self.succeeds("train", self.path("train.csv"), "--class", "active", "-a", "GIN-0", "--epochs", "1", "--layers", "1", "--width", "4",
                      "--checkpoint", model)
        said = json.loads(self.succeeds("predict", "--model", model, self.data, "--skip-unreadable", "--json").stdout)
        self.assertEqual([p["status"] == "ok" for p in said["predictions"]], [True, False, True, False, True])
        self.assertEqual(len(said["predictions"][4]["probabilities"]), 2)


if __name__ == "__main__":
    program.main()
