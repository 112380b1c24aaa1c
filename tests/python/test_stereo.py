"""Stereochemistry as labels: spellings are one graph, stereoisomers are not, R, S, Z and E of RDKit's CIP labels, SDF.

LEMAN_MOLECULES=all compares all molecules of MoleculeNet and MoleculeACE that have stereochemistry, instead of a sample."""
import csv
import io
import os
import random
import re
import tempfile
import unittest
import warnings
import zipfile

import package
import leman

# Sets of different stereoisomers, written by hand.
ISOMERS = [["N[C@@H](C)C(=O)O", "N[C@H](C)C(=O)O", "NC(C)C(=O)O"],
           ["F/C=C/F", "F/C=C\\F", "FC=CF"],
           ["C[C@H](O)[C@@H](O)C", "C[C@@H](O)[C@@H](O)C", "C[C@@H](O)[C@H](O)C"],
           ["O[C@@H](C)C[C@H](F)C[C@@H](C)O", "O[C@@H](C)C[C@@H](F)C[C@@H](C)O"],  # pseudo-asymmetric
           ["C[C@H]1CC[C@@H](C)CC1", "C[C@H]1CC[C@H](C)CC1"],  # rings
           ["C[C@@H]1C[C@H](C)C[C@H](C)C1", "C[C@H]1C[C@H](C)C[C@H](C)C1"],
           ["C/C=C1/CC[C@H](C)CC1", "C/C=C1/CC[C@@H](C)CC1"],
           ["F/C=C1/C[C@H](C)C1", "F/C=C1/C[C@@H](C)C1"],
           ["C[S@](=O)CC", "C[S@@](=O)CC"], ["C[P@](=O)(O)CC", "C[P@@](=O)(O)CC"], ["C[N@@+](CC)(CCC)CCCC", "C[N@+](CC)(CCC)CCCC"],
           ["CN/C(C)=N/O", "CN/C(C)=N\\O"], ["F[C@]1(Cl)CN1C", "F[C@@]1(Cl)CN1C"],
           ["C[Si@](F)(Cl)Br", "C[Si@@](F)(Cl)Br"], ["[2H][C@](C)(O)F", "[2H][C@@](C)(O)F"],
           ["C1CCCCCC/C=C/1", "C1CCCCCC/C=C\\1"]]
# Spellings of one molecule, of which RDKit does not write all.
SPELLINGS = [["N[C@@H](C)C(=O)O", "[C@@H](N)(C(=O)O)C", "OC(=O)[C@@H](N)C", "[H][C@](N)(C)C(=O)O", "[H]N([H])[C@@]([H])(C)C(=O)O", "C[C@TH1H](N)C(O)=O"],
             ["N1[C@@H](C)CC1", "C[C@@H]1NCC1", "[C@H]1(C)CCN1", "C1C[C@H](C)N1"],
             ["F/C=C/F", "F\\C=C\\F", "C(\\F)=C/F", "C(/F)=C\\F", "[H]\\C(F)=C/F", "[H]/C(F)=C(F)/[H]", "F/C([H])=C/F"],
             ["F/C=C/C=C/Br", "[H]\\C(F)=C/C([H])=C/Br"],
             ["C[S@@](=O)CC", "[S@@](C)(=O)CC", "CC[S@@](C)=O", "O=[S@](C)CC", "[O-][S@@+](CC)C"],
             ["C[C@@](C)(F)Cl", "CC(C)(F)Cl", "C[C@](C)(F)Cl"], ["O[C@H]1CCCC1", "OC1CCCC1"], ["CC1=C/CCCC/1", "CC1=CCCCC1"],
             ["C[N@](F)Cl", "CN(F)Cl"], ["C[C@H]1C[C@H](C)C[C@@H](C)C1", "C[C@H]1C[C@H](C)C[C@H](C)C1", "C[C@@H]1C[C@H](C)C[C@@H](C)C1"]]
AGREEMENT = 0.97  # of R, S, Z and E with RDKit's; the others are where CIP compares spheres of rings in another way


def stereo(texts, **how):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return leman.Dataset.from_smiles(texts, stereo="labels", policy="valence=keep", **how)


def labels_of(data):
    """Of each graph the labels of its atoms, and of its bonds (u, v), as letters."""
    return [(["-RS"[int(label) // 200000000000 % 5] for label in graph.vertex_labels],
             {(min(u, v), max(u, v)): "-ZE"[int(label) // 100] for u, v, label in zip(*graph.edge_index.tolist(), graph.edge_labels)}) for graph in data]


# Drawn as a circle: the neighbours of its double bonds lie close to the line of the bond.
LARGE_RING = "C1C/C=C\\C=C/C=C\\C=C/C=C\\C=C/C=C\\CCCCCCCCCCCCCCCCCCCC1"


class Stereo(unittest.TestCase):
    def test_isomers(self):
        for texts in ISOMERS:
            for hydrogens in ("implicit", "explicit", "labels"):
                found = leman.graph_hash(stereo(texts, hydrogens=hydrogens))
                self.assertEqual(len(set(found)), len(texts), texts)
            self.assertEqual(len(set(leman.graph_hash(leman.Dataset.from_smiles(texts)))), 1, texts)

    def test_spellings(self):
        for texts in SPELLINGS:
            for how in ({}, {"hydrogens": "explicit"}, {"standardize": True}, {"atom_labels": "ecfp"}):
                chosen = [text for text in texts if how.get("standardize") or "[O-]" not in text]
                self.assertEqual(len(set(leman.graph_hash(stereo(chosen, **how)))), 1, (texts, how))

    def test_letters(self):
        """Letters that everybody knows: L-alanine is S, L-cysteine R."""
        known = [("N[C@@H](C)C(=O)O", "S"), ("N[C@@H](CS)C(=O)O", "R"), ("C[C@@H](O)CC", "R"), ("OC[C@@H](O)C=O", "R")]
        for (text, letter), (atoms, _) in zip(known, labels_of(stereo([text for text, _ in known]))):
            self.assertEqual("".join(atoms).strip("-"), letter, text)
        (_, bonds), = labels_of(stereo(["OC(=O)/C=C\\C(=O)O"]))  # maleic acid
        self.assertEqual(bonds[3, 4], "Z")

    def test_options(self):
        with self.assertRaisesRegex(leman.ArgumentError, "'RS'"):
            leman.Dataset.from_smiles(["C"], stereo="RS")
        with self.assertRaisesRegex(leman.InputError, "expected one of them"):
            leman.Dataset.from_smiles(["C"], stereo="labels", sanitize=True)
        texts = ["C[C@H](F)Cl", "C[C@@H](F)Cl", "CCF", "CCCl"] * 3
        model = leman.GraphSVC("1-WL", folds=2).fit(stereo(texts, y=[0, 1, 0, 1] * 3))
        self.assertIn("--stereo labels", model.reading_)
        self.assertEqual(model.predict(["C[C@H](F)Cl", "[C@H](F)(C)Cl", "C[C@@H](F)Cl"]).tolist(), [0, 0, 1])
        with self.assertRaisesRegex(leman.InputError, "found molecules read with"):
            model.predict(leman.Dataset.from_smiles(["CCF"]))


@package.needs("rdkit")
class WithRdkit(unittest.TestCase):
    def drawn(self, count):
        texts = {text for texts in ISOMERS for text in texts}
        found = set()
        for name in ("moleculenet", "moleculeace"):
            path = os.path.join(package.DATA, f"{name}.zip")
            if os.path.exists(path):
                with zipfile.ZipFile(path) as file:
                    for one in file.namelist():
                        if one.endswith(".csv"):
                            for row in csv.DictReader(io.TextIOWrapper(file.open(one), encoding="utf-8")):
                                found.update(row[key].strip() for key in row if key and key.lower() in ("smiles", "mol"))
        found = sorted(text for text in found if " " not in text and re.search(r"[@/]", text))
        if os.environ.get("LEMAN_MOLECULES") != "all":
            found = random.Random(5).sample(found, min(count, len(found)))
        return sorted(texts) + found

    def canonical(self, text):
        from rdkit import Chem
        molecule = Chem.MolFromSmiles(text)
        return molecule and Chem.MolToSmiles(molecule)

    def isomers(self, text, draw):
        """The molecule, its mirror image, and those with one mark reversed, as canonical SMILES."""
        def swapped(match):
            return {"@": "@@", "@@": "@", "/": "\\", "\\": "/"}[match.group()]
        found = [text, re.sub("@+", swapped, text)]
        for pattern in (r"@+", r"[/\\]"):
            marks = list(re.finditer(pattern, text))
            for mark in draw.sample(marks, min(2, len(marks))):
                found.append(text[:mark.start()] + swapped(mark) + text[mark.end():])
        return sorted({canonical for canonical in map(self.canonical, found) if canonical})

    def spelled(self, text, draw):
        from rdkit import Chem
        molecule = Chem.MolFromSmiles(text)
        kekule = Chem.Mol(molecule)
        Chem.Kekulize(kekule, clearAromaticFlags=True)
        found = [Chem.MolToRandomSmilesVect(molecule, 2, randomSeed=draw.randrange(1, 1000)),
                 Chem.MolToRandomSmilesVect(kekule, 1, randomSeed=7, kekuleSmiles=True),
                 Chem.MolToRandomSmilesVect(Chem.AddHs(molecule), 1, randomSeed=draw.randrange(1, 1000))]
        return [text] + [spelling for some in found for spelling in some if self.canonical(spelling) == text]

    def test_isomers_and_spellings(self):
        """One graph for each of RDKit's canonical SMILES, and for one alone."""
        from rdkit import rdBase
        draw, texts, keys, families = random.Random(6), [], [], []
        with rdBase.BlockLogs():
            for family, text in enumerate(filter(None, map(self.canonical, self.drawn(100)))):
                for isomer in self.isomers(text, draw):
                    spelled = self.spelled(isomer, draw)
                    texts += spelled
                    keys += [isomer] * len(spelled)
                    families += [family] * len(spelled)
        graphs, molecules = {}, {}
        for text, key, family, graph in zip(texts, keys, families, leman.graph_hash(stereo(texts))):
            self.assertEqual(graphs.setdefault(key, graph), graph, (key, text))
            self.assertEqual(molecules.setdefault((family, graph), key), key, (key, text))

    def test_letters(self):
        from rdkit import Chem, rdBase
        from rdkit.Chem import rdCIPLabeler
        compared = different = 0
        with rdBase.BlockLogs():
            texts = [text for text in map(self.canonical, self.drawn(200)) if text and self.canonical(text) == text]
            for text, (atoms, bonds) in zip(texts, labels_of(stereo(texts))):
                molecule = Chem.MolFromSmiles(text)
                rdCIPLabeler.AssignCIPLabels(molecule)
                ours = [(atom, atoms[atom.GetIdx()]) for atom in molecule.GetAtoms()]
                ours += [(bond, bonds[tuple(sorted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())))]) for bond in molecule.GetBonds()]
                for item, letter in ours:
                    expected = item.GetProp("_CIPCode") if item.HasProp("_CIPCode") else "-"
                    if expected in "RSZE":
                        compared += 1
                        different += letter != expected
        self.assertGreater(compared, 20)
        self.assertLessEqual(different, (1 - AGREEMENT) * compared)

    def test_sdf(self):
        """Wedges of V2000 and V3000, coordinates in the plane and in space say what the SMILES says."""
        from rdkit import Chem, rdBase
        from rdkit.Chem import AllChem
        with rdBase.BlockLogs(), tempfile.TemporaryDirectory() as folder:
            for solid, v3000 in ((False, False), (False, True), (True, False)):
                path, texts = os.path.join(folder, "m.sdf"), []
                with Chem.SDWriter(path) as writer:
                    writer.SetForceV3000(v3000)
                    for text in filter(None, map(self.canonical, [*self.drawn(20 if solid else 60), *([] if solid else [LARGE_RING])])):
                        molecule = Chem.MolFromSmiles(text)
                        if solid:
                            molecule = Chem.AddHs(molecule)
                            if molecule.GetNumAtoms() > 60 or AllChem.EmbedMolecule(molecule, randomSeed=1):
                                continue
                        else:
                            AllChem.Compute2DCoords(molecule)
                        block = Chem.MolToMolBlock(molecule, forceV3000=v3000)
                        again = Chem.MolFromMolBlock(block)  # RDKit does not always draw what it reads
                        if again is None or Chem.MolToSmiles(again) != text:
                            continue
                        writer.write(molecule)
                        texts.append(text)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = leman.Dataset.read(path, stereo="labels", policy="valence=keep")
                self.assertGreater(len(texts), 10)
                for text, ours, expected in zip(texts, labels_of(found), labels_of(stereo(texts))):
                    self.assertEqual(sorted(ours[0]), sorted(expected[0] + ["-"] * (len(ours[0]) - len(expected[0]))), (text, solid, v3000))
                    self.assertEqual(sorted(ours[1].values()), sorted(expected[1].values()), (text, solid, v3000))


if __name__ == "__main__":
    package.main()
