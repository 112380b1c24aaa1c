#!/usr/bin/env python3
"""Models, networks and columns of features keep how molecules were read: predict and features follow, info shows it, and options that
contradict are refused."""
import program
from program import Case

TABLE = """name,smiles,active
a,c1ccccc1C,1
b,C1=CC=CC=C1O,1
c,CCO,0
d,CCC,0
e,CCCO,0
f,c1ccncc1,1
g,Cc1ccccc1C,1
h,CCN,0
"""
KEKULE = "--aromatic kekule --hydrogens implicit --atom-labels element"


class Reading(Case):
    def setUp(self):
        super().setUp()
        self.data = self.write("m.csv", TABLE)

    def check(self, model):
        """A model of molecules with single and double bonds whose labels are elements."""
        expected = self.json("predict", "--model", model, self.data, "--aromatic", "kekule", "--atom-labels", "element")
        found = self.json("predict", "--model", model, self.data)
        self.assertEqual(found["predictions"], expected["predictions"])
        self.assertEqual(max(p["out_of_vocabulary"] for p in found["predictions"]), 0)
        for option, value in (("aromatic", "rdkit"), ("atom-labels", "element,charge"), ("hydrogens", "explicit"),
                              ("policy", "self-loops=keep")):
            self.wrong("predict", "--model", model, self.data, f"--{option}", value,
                       words=[f"option '--{option}' contradicts {model}, whose graphs were read with {KEKULE}"])
        self.assertRegex(self.succeeds("info", model).stdout, f"read with +{KEKULE}")
        said = self.json("info", model)
        said = said.get("model") or said["network"]
        self.assertEqual((said["reading"], said["reading_assumed"]), (KEKULE, False))

    def test_models(self):
        model = self.path("m.lm")
        self.succeeds("fit", self.data, "--class", "active", "-a", "1-WL", "--folds", "2", "--aromatic", "kekule", "--atom-labels", "element",
                      "-o", model)
        self.check(model)

    def test_networks(self):
        model = self.path("m.nn")
        self.succeeds("train", self.data, "--class", "active", "-a", "GIN-0", "--epochs", "2", "--layers", "1", "--width", "4", "--aromatic",
                      "kekule", "--atom-labels", "element", "--checkpoint", model)
        self.check(model)

    def test_models_that_know_nothing(self):
        """A model of graphs that are no molecules leaves the options for molecules as they are."""
        data = self.path("g.zip")
        self.succeeds("generate", "molecules", "--graphs", "20", "-o", data)
        model = self.path("g.lm")
        self.succeeds("fit", data, "-a", "1-WL", "--folds", "2", "-o", model)
        self.assertEqual(self.json("info", model)["model"]["reading"], "")
        self.wrong("predict", "--model", model, data, "--policy", "self-loops=keep",
                   words=["contradicts", "read with the default policy"])
        self.succeeds("predict", "--model", model, data, "--policy", "self-loops=refuse", "-o", self.path("p.csv"))

    def test_columns(self):
        columns, out = self.path("c.map"), ("-o", self.path("f.npz"))
        self.succeeds("features", self.data, "-a", "1-WL", "--aromatic", "kekule", "--columns", columns, *out)
        found = self.json("features", self.data, "-a", "1-WL", "--columns", columns, *out)
        self.assertEqual(found["out_of_vocabulary"], 0)
        self.wrong("features", self.data, "-a", "1-WL", "--aromatic", "mdl", "--columns", columns, *out,
                   words=[f"option '--aromatic' contradicts {columns}"])

    def test_data(self):
        said = self.json("info", self.data)
        self.assertEqual(said["reading"], "--aromatic rdkit --hydrogens implicit --atom-labels element,charge,isotope,radical")
        self.succeeds("convert", self.data, self.path("m.leman"), "--hydrogens", "labels")
        self.assertIn("--hydrogens labels", self.json("info", self.path("m.leman"))["reading"])


if __name__ == "__main__":
    program.main()
