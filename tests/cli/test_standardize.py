#!/usr/bin/env python3
"""--standardize: what is said, duplicates and their labels, steps, models that follow, unique."""
import program
from program import Case

TABLE = """name,smiles,active,pIC50
a,CCO.Cl,1,5
b,OCC,0,
c,CS(C)=O,1,6
d,C[S+](C)[O-],1,6.5
e,c1ccccc1,0,4
f,C[NH3+].[Cl-],1,
g,c1ccccc1.O,,4
h,[Na+].[O-]CC,1,5
"""


class Standardize(Case):
    def setUp(self):
        super().setUp()
        self.data = self.write("s.csv", TABLE)

    def test_what_is_said(self):
        said = self.succeeds("info", self.data, "--standardize").stderr
        for words in ("of which the largest was kept: 4; fragments left out: 4", "written in the standard form: 1", "taken away by hydrogens: 2",
                      "3 molecules are in more than one row, in 7 rows together",
                      "2 of these molecules with different classes or values; the first: graph 0 (a) and graph 1 (b), counted from 0"):
            self.assertIn(words, said)
        self.assertNotIn("more than one row", self.succeeds("info", self.data).stderr)
        one = self.succeeds("info", self.write("o.smi", "CCO a\nCCC.O b\nOCC\n"), "--standardize").stderr
        self.assertIn("1 molecule is in more than one row, in 2 rows together", one)
        self.assertNotIn("different classes", one)
        self.assertIn("--standardize", self.json("info", self.data, "--standardize")["reading"])
        self.assertIn("--standardize fragment,charges", self.json("info", self.data, "--standardize", "fragment,charges")["reading"])
        self.wrong("info", self.data, "--standardize", "--hydrogens", "as-written", words=["expected other hydrogens"])

    def test_unique(self):
        self.succeeds("unique", self.data, "--standardize", "-o", self.path("u.csv"))
        with open(self.path("u.csv"), encoding="utf-8") as file:
            self.assertEqual([line.split(",")[0] for line in file], ["name", "a", "c", "e", "f"])

    def test_models(self):
        model = self.path("m.lm")
        self.succeeds("fit", self.data, "--class", "active", "-a", "1-WL", "--folds", "2", "--standardize", "-o", model)
        new = self.write("n.smi", "OCC\nCC[O-].[K+]\n")
        rows = self.json("predict", "--model", model, new)["predictions"]
        self.assertEqual(rows[0]["score"], rows[1]["score"])
        self.wrong("predict", "--model", model, new, "--standardize", "groups", words=["'--standardize' contradicts"])
        self.succeeds("predict", "--model", model, new, "--standardize")

    def test_converted(self):
        """Written SMILES are standardised, and SDF are read like SMILES."""
        self.succeeds("convert", self.data, self.path("o.sdf"))
        for path in (self.data, self.path("o.sdf")):
            self.succeeds("convert", path, self.path("o.smi"), "--standardize", "--force")
            with open(self.path("o.smi"), encoding="utf-8") as file:
                smiles = [line.split()[0] for line in file][1:]
            self.assertEqual(smiles[2:4] + [text for text in smiles if "." in text or "Na" in text], ["C[S+](C)[O-]"] * 2)


if __name__ == "__main__":
    program.main()
