#!/usr/bin/env python3
"""Circular fingerprints on the command line: atom labels, --normalize HOW and the methods ECFP4 and FCFP4 in every command."""
import random

import program
from program import Case

PIECES = ["C", "CC", "N", "O", "c1ccccc1", "C(=O)O", "C(=O)N", "CN(C)C", "S", "c1ccncc1", "F", "C1CCCCC1"]


class Circular(Case):
    def setUp(self):
        super().setUp()
        pick = random.Random(1)
        rows = []
        while len(rows) < 60:
            text = "".join(f"C({pick.choice(PIECES)})" for _ in range(3)) + "C"
            rows.append(f"{text},{int('N' in text)},{len(text) / 10}")
        self.data = self.path("m.csv")
        with open(self.data, "w", encoding="utf-8") as file:
            file.write("smiles,active,size\n" + "\n".join(rows) + "\n")

    def gram(self, *options):
        self.succeeds("gram", self.data, *options, "-o", self.path("k.csv"), "--quiet", "--force")
        with open(self.path("k.csv"), encoding="utf-8") as file:
            return [[float(x) for x in line.split(",")] for line in file]

    def assert_close(self, one, other):
        for a, b in zip(one, other):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, 12)

    def test_gram(self):
        ecfp = ("-a", "1-WL", "-r", "2", "--atom-labels", "ecfp")
        self.assertEqual(self.gram("-a", "ECFP4", "--normalize"), self.gram(*ecfp, "--normalize", "minmax"))
        self.assertEqual(self.gram("-a", "ECFP4"), self.gram(*ecfp, "--assignment"))
        self.assertNotEqual(self.gram("-a", "ECFP4"), self.gram("-a", "FCFP4"))
        self.assertEqual(self.gram(*ecfp, "--normalize"), self.gram(*ecfp, "--normalize", "cosine"))
        raw, minima = self.gram(*ecfp), self.gram(*ecfp, "--assignment")
        for how, sums in (("tanimoto", raw), ("minmax", minima)):
            expected = [[sums[i][j] / (sums[i][i] + sums[j][j] - sums[i][j]) for j in range(60)] for i in range(60)]
            self.assert_close(self.gram(*ecfp, "--normalize", how), expected)
            self.assert_close(self.gram("-a", f"1-WL:{how}", *ecfp[2:], "--normalize", how), expected)

    def test_names_say_their_own(self):
        """--normalize leaves a kernel alone whose name says how it is normalised."""
        for how in ("minmax", "tanimoto"):
            named = ("-a", f"1-WL:{how}", "-r", "2", "--atom-labels", "ecfp", "--normalize")
            self.assertEqual(self.gram(*named), self.gram("-a", "1-WL", *named[2:-1], "--normalize", how))

    def test_models(self):
        """predict reads the labels that the model needs; a model of a target and one of a sum too."""
        for name, what in (("ECFP4", ("--class", "active")), ("FCFP6", ("--target", "size")), ("ECFP2+ECFP6", ("--class", "active"))):
            model = self.path("m.lm")
            self.succeeds("fit", self.data, *what, "-a", name, "--folds", "3", "-C", "1,10", "-o", model, "--force")
            shown = self.json("info", model)["model"]
            self.assertEqual(" + ".join(kernel["method"] for kernel in shown["kernels"]), name.replace("+", " + "))
            self.assertEqual([kernel["rounds"] for kernel in shown["kernels"]], [int(one[4]) // 2 for one in name.split("+")])
            self.assertEqual(shown["kernels"][0]["normalization"], "tanimoto")
            self.succeeds("predict", "--model", model, self.data, *(what if what[0] == "--class" else ()), "-o", self.path("p.csv"), "--force")
            self.wrong("predict", "--quiet", "--model", model, self.data, "--atom-labels", "element", "-o", self.path("p.csv"), "--force",
                       words=("'--atom-labels' contradicts", "--atom-labels ecfp" if name[0] == "E" else "--atom-labels fcfp"))
        tanimoto = ("fit", self.data, "--class", "active", "-r", "1", "--folds", "3", "-C", "1", "-o", self.path("t.lm"))
        self.succeeds(*tanimoto, "-a", "1-WL", "--normalize", "tanimoto")
        self.succeeds("predict", "--model", self.path("t.lm"), self.data, "-o", self.path("q.csv"))

    def test_compare_and_evaluate(self):
        """Methods on their own labels, on the same folds; alone and beside others they have the same scores."""
        quick = ("--class", "active", "--repetitions", "1", "--folds", "3", "-C", "1,10")
        said = self.json("compare", self.data, "-a", "ECFP4", "-a", "1-WL", "-a", "FCFP4", "-r", "2", "--scaffold", *quick)
        self.assertEqual([method["method"] for method in said["methods"]], ["ECFP4", "1-WL", "FCFP4"])
        self.assertEqual([method["rounds"] for method in said["methods"]], [[None] * 3, [2] * 3, [None] * 3])
        for i, name in ((0, "ECFP4"), (1, "1-WL")):
            alone = self.json("evaluate", self.data, "-a", name, *(["-r", "2"] if i else []), "--scaffold", *quick)
            self.assertEqual(alone["test_mean"], said["methods"][i]["test_mean"])

    def test_refusals(self):
        self.fails("gram", "--quiet", self.data, "-a", "ECFP4", "--atom-labels", "element", "-o", self.path("x.npy"), words=("--atom-labels ecfp",))
        self.wrong("gram", "--quiet", self.data, "-a", "1-WL", "--atom-labels", "ecfp,charge", "-o", self.path("x.npy"), words=("alone",))
        self.wrong("features", "--quiet", self.data, "-a", "1-WL", "--normalize", "tanimoto", "-o", self.path("x.svm"), words=("Tanimoto",))
        self.wrong("gram", "--quiet", self.data, "-a", "ECFP4+FCFP4", "-o", self.path("x.npy"), words=("ECFP and of FCFP",))
        self.wrong("evaluate", "--quiet", self.data, "--class", "active", "-a", "1-WL:tanimoto", "--svm", "linear", words=("kernel SVM",))
        self.fails("evaluate", "--quiet", self.data, "--class", "active", "-a", "FCFP4", "--scaffold", words=("fcfp",))


if __name__ == "__main__":
    program.main()
