#!/usr/bin/env python3
"""--stereo: what is said, models that follow, contradictions, files, rows of equal molecules."""
import program
from program import Case

TABLE = """name,smiles,active
a,C[C@H](F)Cl,1
b,C[C@@H](F)Cl,0
c,[C@H](C)(Cl)F,1
d,F/C=C/F,0
e,F/C=C\\F,1
f,C[C@@](C)(F)Cl,0
g,CCCl,1
h,CCF,0
"""


# E and Z, of conjugated double bonds too, of some of which nothing is known
DRAWN = ("F/C=C\\F", "F/C=C/F", "C/C=C/C=C\\C=C/Cl", "C/C=C(/C=C/C)\\C=C\\F", "C/C=C/C=CF", "C/C=C/C=CC=CF", "CC=CF", "C/C=C1/CC/C(=C/C)CC1", "C/C(F)=C(/Cl)Br")


class Stereo(Case):
    def setUp(self):
        super().setUp()
        self.data = self.write("s.csv", TABLE)

    def hashes(self, *options, of=None):
        return [line.split("\t")[-1] for line in self.succeeds("hash", of or self.data, *options).stdout.splitlines()]

    def test_what_is_said(self):
        said = self.succeeds("info", self.data, "--stereo", "labels").stderr
        for words in ("atoms with a label of stereochemistry: 3; double bonds: 2", "that give no label, as neighbours are equal or the atom or bond has none: 1"):
            self.assertIn(words, said)
        self.assertNotIn("left out of the graphs", said)
        self.assertIn("left out of the graphs: 8", self.succeeds("info", self.data).stderr)
        self.assertIn("--stereo labels", self.json("info", self.data, "--stereo", "labels")["reading"])
        self.assertNotIn("--stereo", self.json("info", self.data, "--stereo", "none")["reading"])
        self.wrong("info", self.data, "--stereo", "RS", words=["expected none or labels"])

    def test_hashes(self):
        a, b, c, d, e, *_ = self.hashes("--stereo", "labels")
        self.assertEqual(len({a, b, d, e}), 4)
        self.assertEqual(a, c)
        a, b, c, d, e, *_ = self.hashes()
        self.assertEqual((a, a, d), (b, c, e))

    def test_models(self):
        model = self.path("m.lm")
        self.succeeds("fit", self.data, "--class", "active", "-a", "1-WL", "--folds", "2", "--stereo", "labels", "-o", model)
        new = self.write("n.smi", "[C@H](C)(F)Cl\nC[C@H](Cl)F\nC[C@H](F)Cl\n")
        rows = self.json("predict", "--model", model, new)["predictions"]
        self.assertEqual(rows[0]["score"], rows[1]["score"])
        self.assertNotEqual(rows[0]["score"], rows[2]["score"])
        self.wrong("predict", "--model", model, new, "--stereo", "none", words=["'--stereo' contradicts"])
        self.succeeds("predict", "--model", model, new, "--stereo", "labels")
        self.assertIn("--stereo labels", self.succeeds("info", model).stdout)

    def test_files(self):
        """A binary file keeps the labels; SMILES and SDF cannot have those of atoms, which is said. Pages draw such bonds."""
        self.succeeds("convert", self.data, self.path("s.leman"), "--stereo", "labels")
        self.assertIn("--stereo labels", self.json("info", self.path("s.leman"))["reading"])
        for name in ("o.smi", "o.sdf"):
            said = self.succeeds("convert", self.path("s.leman"), self.path(name)).stderr
            self.assertIn("atoms whose label R or S is left out of the file: 3", said)
        with open(self.path("o.smi"), encoding="utf-8") as file:
            self.assertIn("F/C=C\\F", file.read())
        self.assertIn("double bonds: 2", self.succeeds("info", self.path("o.sdf"), "--stereo", "labels").stderr)
        names = self.write("d.smi", "".join(f"{smiles} {i}\n" for i, smiles in enumerate(DRAWN)))
        self.succeeds("convert", names, self.path("d.sdf"))
        self.succeeds("convert", self.path("d.sdf"), self.path("e.smi"))
        known = self.hashes("--stereo", "labels", of=names)
        self.assertEqual(self.hashes("--stereo", "labels", of=self.path("e.smi")), known)
        self.assertGreater(len(set(known)), len(set(self.hashes(of=names))))
        self.succeeds("convert", self.path("d.sdf"), self.path("again.sdf"))  # crossed bonds stay crossed
        self.assertEqual(self.hashes("--stereo", "labels", of=self.path("again.sdf")), known)
        with open(self.path("d.sdf"), encoding="utf-8") as drawn, open(self.path("again.sdf"), encoding="utf-8") as again:
            crossed = [sum(line[9:12] == "  3" for line in file if len(line) == 13) for file in (drawn, again)]
        self.assertGreater(crossed[0], 3)
        self.assertEqual(*crossed)
        self.succeeds("convert", self.path("d.sdf"), self.path("e.smi"), "--stereo", "none")
        self.assertEqual(self.hashes("--stereo", "labels", of=self.path("e.smi")), self.hashes(of=names))
        self.succeeds("features", self.data, "-a", "1-WL", "--stereo", "labels", "--atom-labels", "element,columns", "-o", self.path("f.svm"))


if __name__ == "__main__":
    program.main()
