"""The tables of molecules of reproduce/: splits, what methods see, left-out molecules, resuming, pages, and what is refused."""
import json
import math
import os
import re
import types
import unittest
from unittest import mock

import numpy as np

import package
from test_reproduce import Case

try:
    import molecules
except ImportError:
    molecules = None

FAST = "1-WL by SVM,ECFP4 bits by ridge"


def chains(count, seed):
    """Chains with halogens and amines on chains or two rings: SMILES, and their numbers of chlorine and of amino groups."""
    draw = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        body = "".join(draw.choice(["C", "C(Cl)", "C(N)", "C(F)", "C(Cl)(Cl)"], size=draw.integers(2, 7)))
        rings = draw.choice(["", "c1ccccc1", "C1CC1", "c1ccncc1", "C1CCCC1", "C1CCC1"], size=2)
        made = str(rings[0]) + body + str(rings[1])
        if made not in (s for s, _, _ in found):
            found.append((made, made.count("Cl"), made.count("N")))
    return found


@package.needs("rdkit", "sklearn", "scipy")
class Tables(Case):
    def write(self, *names, lines):
        path = self.path("data", *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))

    def write_ace(self, name, seed, shift=0.0):
        lines = ["smiles,y,split,cliff_mol"]
        for i, (smiles, chlorine, _) in enumerate(chains(100, seed)):
            test = i % 5 == 0
            lines.append(f"{smiles},{5 + chlorine + shift * test},{'test' if test else 'train'},{int(i % 10 == 0)}")
        self.write("moleculeace", f"{name}.csv", lines=lines)

    def test_moleculeace(self):
        self.write_ace("A", 1)
        self.write_ace("B", 2, shift=1000)
        self.write("moleculeace", "published.csv", lines=[
            "dataset,algorithm,descriptor,augmentation,rmse,cliff_rmse", "A,SVM,ECFP,0,0.25,0.5", "B,SVM,ECFP,0,0.75,1.5", "A,RF,ECFP,0,0.1,0.1"])
        page = self.path("ace.md")
        found = json.loads(self.succeeds("--table", "moleculeace", "--methods", FAST, "--json", "-o", page))
        cells = {(c["method"], c["set"]): c for c in found["tables"][0]["cells"]}
        self.assertEqual(len(cells), 4)
        for method in FAST.split(","):
            a, b = cells[method, "A"], cells[method, "B"]
            self.assertLess(a["score"], np.std([c for _, c, _ in chains(100, 1)]) * 0.75, method)
            self.assertTrue(0 <= a["cliffs"] < 2, method)
            self.assertAlmostEqual(b["score"], 1000, delta=5)  # the parts that test are not learned from
            self.assertAlmostEqual(b["cliffs"], 1000, delta=5)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertRegex(text, r"\| SVM on ECFP \| published \| 0\.500 \| 1\.000 \|")
        self.assertNotIn("RF on ECFP", text)  # has not all sets

    def test_p_value(self):
        self.assertEqual(molecules._p_value(np.array([-1.0] * 5)), "")
        self.assertEqual(molecules._p_value(np.array([-1.0, -2, -3, -4, -5, -6])), "0.031")  # 2 of 2^6 signs

    def test_moleculenet(self):
        drawn = chains(120, 3)
        self.write("moleculenet", "BBBP.csv", lines=["num,name,p_np,smiles", *(f"{i},x,{int(n > 0)},{s}" for i, (s, _, n) in enumerate(drawn)), "120,x,1,c1cccc1",
                                                    "121,x,0,CC("])
        self.write("moleculenet", "ESOL.csv", lines=["smiles,measured log solubility in mols per litre", *(f"{s},{c}" for s, c, _ in drawn)])
        page, cells = self.path("net.md"), self.path("net.cells")
        words = ("--table", "moleculenet", "--methods", FAST + ",1-WL + SP by Gaussian process", "--runs", "2", "--json", "--resume", cells)
        found = json.loads(self.succeeds(*words, "-o", page))["tables"][0]["cells"]
        scores = {(c["method"], c["set"], c["part"], c["part_seed"]): c["score"] for c in found}
        self.assertEqual(len(scores), 3 * 2 * 2 + 2 * 2 * 2)
        self.assertEqual({c["set"]: c["measure"] for c in found}, {"ESOL": "RMSE", "BBBP": "AUC"})
        for (method, set_, _, _), score in scores.items():
            self.assertTrue(0.9 < score <= 1 if set_ == "BBBP" else 0 <= score < 1, (method, set_, score))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("BBBP: 2 molecules that RDKit or we refuse are left out", text)
        self.assertIn("not run on BBBP: it is for values, not for classes", text)
        with mock.patch.object(molecules, "_cell", side_effect=AssertionError("computed again")):
            self.assertEqual(json.loads(self.succeeds(*words))["tables"][0]["cells"], found)
            self.assertEqual(json.loads(self.succeeds(*words, "--finished"))["tables"][0]["cells"], found)

    def test_cells_of_few_splits(self):
        """A cell with fewer splits than were asked for says so, and is compared with the base on the splits that both have."""
        self.assertEqual([molecules._shown(scores, 2) for scores in ([], [0.5], [0.5, 0.7])], ["", "0.500 ×1", "0.600 ±0.100"])
        of = molecules.Molecules("x", [], np.zeros((0, 1)), False, 0)
        of.parts = [molecules.Part("random", seed, np.zeros(0), np.zeros(0)) for seed in (1, 2)]
        other = "1-WL by SVM"
        found = {("x", molecules.BASE, "random", 1): {"score": 3.0, "seconds": 1}, ("x", molecules.BASE, "random", 2): {"score": 1.0, "seconds": 1},
                 ("x", other, "random", 2): {"score": 1.5, "seconds": 1}}
        page = mock.Mock()
        molecules._page_of_splits(page, [of], [other, molecules.BASE], found)
        rows = page.table.call_args_list[-1].args[1]
        self.assertEqual(rows[0][1][2:4], ["1.500 ×1", "0 of 1"])  # larger than 1, though smaller than the mean of 3 and 1

    def test_scaffold_split(self):
        groups = np.repeat(np.arange(40), np.r_[200, np.full(39, 10)])
        for seed in range(5):
            train, test = molecules._by_scaffold(groups, seed)
            self.assertEqual(sorted([*train, *test]), list(range(len(groups))))
            self.assertFalse(set(groups[train]) & set(groups[test]))
            self.assertNotIn(0, groups[test])  # larger than a tenth
            self.assertTrue(0.15 <= len(test) / len(groups) <= 0.25)
        self.assertNotEqual(list(molecules._by_scaffold(groups, 1)[1]), list(molecules._by_scaffold(groups, 2)[1]))

    def test_tasks_without_both_classes(self):
        of = molecules.Molecules("x", [s for s, _, _ in chains(60, 4)], np.column_stack([np.tile([0.0, 1], 30), np.zeros(60), np.full(60, math.nan)]), True, 0)
        part = molecules.Part("random", 1, np.arange(40), np.arange(40, 60))
        answer = molecules.Method(True, True, False, lambda task: np.asarray(task.of.y[task.test, 0]))
        asked = types.SimpleNamespace(seed=1, threads=1, device="cpu")
        self.assertEqual({key: molecules._cell(of, part, answer, asked)[key] for key in ("score", "tasks")}, {"score": 1.0, "tasks": 1})

    def test_networks(self):
        """A network answers for values and for classes; sets of many tasks or molecules have none, with a reason."""
        network, rng = molecules.METHODS["Local-2-FGNN"], np.random.default_rng(1)
        made = [s for s, _, _ in chains(12, 4)]
        asked = types.SimpleNamespace(seed=1, threads=1, device="cpu")
        for classes, y in ((False, rng.normal(size=12)), (True, np.tile([0.0, 1], 6))):
            of = molecules.Molecules("x", made, y[:, None], classes, 0)
            with mock.patch.object(molecules, "NETWORK", {"preset": "zinc", "epochs": 1, "layers": 1, "width": 4}):
                found = molecules._cell(of, molecules.Part("random", 1, np.arange(10), np.arange(10, 12)), network, asked)
            self.assertTrue(math.isfinite(found["score"]))
        self.assertIn("more than 2 tasks", molecules._refused(molecules.Molecules("x", made, np.zeros((12, 12)), True, 0), network))

    def test_refused(self):
        self.fails("--table", "moleculeace", said=("moleculeace.zip: no such file", "--data"))
        self.write_ace("A", 1)
        for words, said in ((("--runs", "3"), "'--runs' has no effect"), (("--only", "B"), "'B'"), (("--methods", "ECFP9"), "'ECFP9'"),
                            (("--epochs", "3"), "'--epochs' has no effect"), (("--finished",), "without --resume")):
            self.fails("--table", "moleculeace", *words, status=2, said=(said,))
        self.fails("--table", "moleculeace,zinc", status=2, said=("alone",))
        self.write("moleculeace", "C.csv", lines=["smiles,split,cliff_mol", "CC,train,0"])
        self.fails("--table", "moleculeace", "--only", "C", said=("moleculeace/C.csv", "'y'"))
        self.write("moleculeace", "C.csv", lines=["smiles,y,split,cliff_mol", "CC,high,train,0"])
        self.fails("--table", "moleculeace", "--only", "C", said=("moleculeace/C.csv", "'high'"))

    def test_names(self):
        for name in molecules.METHODS:
            self.assertIsNone(re.search(",", name))


if __name__ == "__main__":
    package.main()
