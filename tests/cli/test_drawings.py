#!/usr/bin/env python3
"""Pictures of molecules, measured from the SVG alone: no letter lies on a bond or on another letter; numbers of atoms, backgrounds,
sizes, and the captions of pages."""
import re
import xml.etree.ElementTree as ElementTree

import program
from program import Case

SVG = "{http://www.w3.org/2000/svg}"
MOLECULES = {
    "norbornane": "C1CC2CCC1C2", "camphor": "CC1(C)C2CCC1(C)C(=O)C2", "tropane": "CN1C2CCCC1CC2", "quinuclidine": "C1CN2CCC1CC2",
    "strychnine": "C1CN2CC3=CCOC4CC(=O)N5C6C4C3CC2C61C7=CC=CC=C75", "morphine": "CN1CCC23C4C1CC5=C2C(=C(C=C5)O)OC3C(C=C4)O",
    "penicillin": "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O", "ammonium": "C[N+](C)(C)C", "glycine": "[NH3+]CC(=O)[O-]", "pyridinium": "C[n+]1ccccc1",
    "pyridine oxide": "[O-][n+]1ccccc1", "acetate": "CC(=O)[O-].[Na+]", "salt": "[NH4+].[Cl-]", "trimethyl": "C[NH+](C)C", "dimethyl": "C[NH2+]C",
    "iminium": "CC(C)=[NH2+]", "sulfonium": "C[S+](C)C", "diazonium": "N#[N+]c1ccccc1", "azide": "[N-]=[N+]=NC", "phosphonium": "C[P+](C)(C)C",
    "carbon 13": "[13CH3]O", "nitrogen 15": "[15NH3+]CC", "dinitro": "O=[N+]([O-])c1ccccc1[N+](=O)[O-]", "sulfonate": "[O-]S(=O)(=O)c1ccccc1",
    "deuterium": "[2H]C([2H])([2H])O", "pyrophosphate": "[O-]P([O-])(=O)OP([O-])(=O)[O-]", "oxide": "CC[N+]([O-])(CC)CC", "methyl": "[CH3+]",
    "imidazolium": "C1=C[NH+]=CN1", "hydroxyls": "OCC(O)C(O)C(O)C(O)CO", "stearic acid": "CCCCCCCCCCCCCCCCCC(=O)O"}
# Widths of letters in Helvetica and Arial, in units of the font size.
WIDTH = {"H": .722, "O": .778, "N": .722, "C": .722, "S": .667, "F": .611, "P": .667, "l": .222, "a": .556, "+": .584, "\u2212": .584}
TOLERANCE = .4


def boxes(picture):
    """(left, top, right, bottom, text) of the letters, less a tolerance."""
    for text in picture.iter(SVG + "text"):
        names = text.get("class").split()
        if "label" not in names:
            continue
        size = 10.2 if "small" in names else 12
        width, x, y = size * sum(WIDTH.get(letter, .556) for letter in text.text), float(text.get("x")), float(text.get("y"))
        left = x if "start" in (text.get("style") or "") else x - width / 2
        yield left + TOLERANCE, y - .716 * size + TOLERANCE, left + width - TOLERANCE, y - TOLERANCE, text.text


def lines(picture):
    for path in picture.iter(SVG + "path"):
        if "edge" in path.get("class").split():
            yield tuple(map(float, re.findall(r"-?[\d.]+", path.get("d"))))


def is_hit(line, box, steps=400):
    """Does a point of the line lie in the box? Of 401 points, closer together than a tenth of a unit."""
    x0, y0, x1, y1 = line
    return any(box[0] < x0 + (x1 - x0) * i / steps < box[2] and box[1] < y0 + (y1 - y0) * i / steps < box[3] for i in range(steps + 1))


def collisions(picture):
    letters, bonds = list(boxes(picture)), list(lines(picture))
    found = [(a[4], b[4]) for i, a in enumerate(letters) for b in letters[:i] if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]]
    return found + [(a[4], "a bond") for a in letters for line in bonds if is_hit(line, a)], len(letters)


class Drawings(Case):
    def setUp(self):
        super().setUp()
        rows = "".join(f"m{i},{'CNO'[i % 3] * (1 + i % 4)}c1ccccc1,{i % 3 + i % 4}\n" for i in range(24))
        training = self.write("training.csv", "name,smiles,size\n" + rows)
        self.model, self.picture = self.path("model"), self.path("p.svg")
        self.succeeds("fit", training, "-a", "1-WL", "-r", "1", "--folds", "3", "--target", "size", "-o", self.model, "-q")
        self.data = self.write("drawn.csv", "name,smiles\n" + "".join(f"{name},{smiles}\n" for name, smiles in MOLECULES.items()))

    def draw(self, *arguments, path=None):
        path = path or self.picture
        self.succeeds("predict", "--model", self.model, self.data, "-q", "-o", self.path("p.csv"), "--explain", path, *arguments)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def pictures(self, text):
        """The picture of each molecule, without the scale behind them."""
        root = ElementTree.fromstring(text)
        cells = root.findall(SVG + "svg")[:-1]
        self.assertEqual(len(cells), len(MOLECULES))
        return root, dict(zip(MOLECULES, cells))

    def test_letters(self):
        """No letter, charge or number on a bond or on another; charged, bridged, isotopes; with and without numbers."""
        for numbers in ((), ("--atom-numbers",)):
            count = 0
            for name, picture in self.pictures(self.draw("--explain-graphs", f"0-{len(MOLECULES) - 1}", *numbers))[1].items():
                with self.subTest(molecule=name, numbers=numbers):
                    found, letters = collisions(picture)
                    self.assertEqual(found, [])
                    count += letters
            self.assertGreater(count, 100)

    def test_measure(self):
        """The measure sees what it should: a letter on a bond, and two letters on each other."""
        text = self.draw("--explain-graphs", f"0-{len(MOLECULES) - 1}")
        picture = self.pictures(text)[1]["glycine"]
        label = next(t for t in picture.iter(SVG + "text") if t.text == "O")
        line = next(lines(picture))
        label.set("x", str((line[0] + line[2]) / 2))
        label.set("y", str((line[1] + line[3]) / 2 + 4))
        self.assertIn(("O", "a bond"), collisions(picture)[0])

    def test_atom_numbers(self):
        """As the tooltips have them: every atom of the input, from 0."""
        for arguments, shown in ((), False), (("--atom-numbers",), True):
            for name, picture in self.pictures(self.draw("--explain-graphs", f"0-{len(MOLECULES) - 1}", *arguments))[1].items():
                numbers = [int(t.text) for t in picture.iter(SVG + "text") if "number" in t.get("class").split()]
                atoms = len([t for t in picture.iter(SVG + "title") if re.match(r"\S+ \d+(:|$)", t.text)])
                self.assertEqual(numbers, list(range(atoms)) if shown else [], name)
        self.assertIn('class="label small number"', self.draw("--atom-numbers", path=self.path("p.html")))
        self.wrong("predict", "--model", self.model, self.data, "--explain", self.path("p.json"), "--atom-numbers", words=("no effect", "pictures"))
        self.wrong("predict", "--model", self.model, self.data, "--atom-numbers", words=("--explain",))

    def test_alone(self):
        """A file that needs no other one: its size in millimetres, its background, nothing from elsewhere, colours without var()."""
        for arguments, background in ((), True), (("--transparent",), False):
            text = self.draw("--explain-graphs", "3", *arguments)
            root = ElementTree.fromstring(text)
            box = [float(x) for x in root.get("viewBox").split()]
            self.assertTrue(root.get("width").endswith("mm") and root.get("height").endswith("mm"))
            self.assertAlmostEqual(float(root.get("width")[:-2]) / float(root.get("height")[:-2]), box[2] / box[3], 2)
            self.assertAlmostEqual(float(root.get("width")[:-2]), box[2] * 25.4 / 96, 1)
            self.assertEqual([r.get("fill") for r in root.iter(SVG + "rect") if r.get("class") == "paper"], ["#fff"] if background else [])
            self.assertNotRegex(text.replace('"http://www.w3.org/2000/svg"', ""), r"https?:|url\(|@import|href")
            sheet = "".join(root.find(SVG + "style").itertext())
            for name in re.findall(r"\.(?:edge|label|hit-label|tick|caption|soft|number)\{[^}]*\}", sheet):
                self.assertEqual(len(re.findall(r"(?:fill|stroke):#", name)) >= len(re.findall(r"(?:fill|stroke):var", name)), True, name)
            dark = sheet.rfind("--m-ink:#e8e6e1"), sheet.rfind("--m-ink:#1c1d21")
            self.assertEqual(dark[0] < dark[1], not background)  # what is said last holds, in dark mode too
        self.wrong("predict", "--model", self.model, self.data, "--explain", self.path("p.html"), "--transparent", words=("no effect",))

    def test_captions(self):
        """Pages have the SMILES as the file has it; of a long one its beginning, and the whole in a title. Red and blue are explained."""
        page = self.draw(path=self.path("p.html"))
        for name, smiles in MOLECULES.items():
            self.assertTrue(f"<code>{smiles}</code>" in page, name)
        long = "C" * 70 + "(=O)O"
        self.data = self.write("long.csv", f"name,smiles\nlong,{long}\n")
        self.assertIn(f'<code title="{long}">{"C" * 60}&#8230;</code>', self.draw(path=self.path("p.html")))
        self.assertIn("red raises the value and blue lowers it", page)
        self.assertNotIn('class="bar c0"', page)  # which is blue


if __name__ == "__main__":
    program.main()
