"""Molecules that are written and read again by RDKit are the molecules that were read, by their canonical SMILES without
stereochemistry, and their double bonds are E or Z as before. With LEMAN_MOLECULES=all every molecule of the large sets instead of a sample."""
import csv
import gzip
import io
import os
import random
import tempfile
import unittest
import warnings
import zipfile

import numpy as np

import package
import test_aromatic
import test_molecules
import leman

ALL = os.environ.get("LEMAN_MOLECULES") == "all"
LABELS = ("element", "charge", "isotope", "radical", "hydrogens")


@package.needs("rdkit")
class Written(unittest.TestCase):
    def setUp(self):
        from rdkit import Chem, RDLogger
        RDLogger.DisableLog("rdApp.*")
        self.chem = Chem

    def canonical(self, molecule):
        if molecule is None:
            return None
        self.chem.RemoveStereochemistry(molecule)
        molecule = self.chem.RemoveHs(molecule, sanitize=False)  # those that said E or Z
        for atom in molecule.GetAtoms():
            atom.SetAtomMapNum(0)  # [CH3:1]: numbers that are not part of the molecule
        return self.chem.MolToSmiles(molecule)

    def isomer(self, molecule):
        """The SMILES with E and Z, but without chirality, and the number of double bonds that are either."""
        molecule = self.chem.RemoveHs(molecule, sanitize=False)
        for atom in molecule.GetAtoms():
            atom.SetChiralTag(self.chem.ChiralType.CHI_UNSPECIFIED)
            atom.SetAtomMapNum(0)
        molecule = self.chem.MolFromSmiles(self.chem.MolToSmiles(molecule))
        known = (self.chem.BondStereo.STEREOE, self.chem.BondStereo.STEREOZ)
        return None if molecule is None else (sum(bond.GetStereo() in known for bond in molecule.GetBonds()), self.chem.MolToSmiles(molecule))

    def compare_isomers(self, before, after):
        """No double bond is turned or made up. In large rings, and where [H] says E or Z, it may be lost. Returns how many are."""
        lost = 0
        for a, b in ((self.isomer(a), self.isomer(b)) for a, b in zip(before, after)):
            if a is None or b is None:
                continue
            self.assertTrue(b[0] < a[0] or b == a, (a, b))
            lost += b[0] < a[0]
        return lost

    def compare(self, texts, endings=("m.sdf", "m.smi"), **how):
        """Those that RDKit and we read come back."""
        texts = [text for text in texts if self.chem.MolFromSmiles(text) is not None]
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
            warnings.simplefilter("ignore")
            data = leman.Dataset.from_smiles(texts, list(range(len(texts))), on_error="skip", atom_labels=LABELS, **how)
            self.assertGreater(len(data), 0.99 * len(texts))
            for name in endings:
                path = os.path.join(folder, name)
                data.save(path)
                if name == "m.sdf":
                    written = list(self.chem.SDMolSupplier(path))
                else:
                    with open(path, encoding="utf-8") as file:
                        written = [self.chem.MolFromSmiles(row["smiles"]) for row in csv.DictReader(file, delimiter="\t")]
                self.compare_isomers([self.chem.MolFromSmiles(texts[i]) for i in data.classes], written)
                expected = [self.canonical(self.chem.MolFromSmiles(texts[i])) for i in data.classes]
                wrong = [(a, b) for a, b in zip(expected, map(self.canonical, written)) if a != b]
                self.assertEqual((len(written), wrong[:10]), (len(data), []), f"{name}: {len(wrong)} of {len(data)}")

    def test_odd_molecules(self):
        """An SDF has no quadruple bonds and no hydrogens of *; RDKit makes an aromatic bond outside rings double."""
        texts = [text for text in test_molecules.ODD if "$" not in text and text not in ("C:C", "[*H2]")]
        for aromatic in ("rdkit", "mdl", "kekule", "as-written"):
            self.compare(texts, aromatic=aromatic)
        self.compare(["[*H2]", "[Re]$[Re]"], ["m.smi"])
        self.compare([text for text in texts if text != "[HH]"], hydrogens="explicit")

    def test_random_molecules(self):
        """RDKit does not read its own canonical SMILES of rings with [n+2], so these are compared as SDF."""
        pick, texts = random.Random(11), []
        while len(texts) < (3000 if ALL else 300):
            text = self.chem.MolToSmiles(test_aromatic.random_molecule(self.chem, pick), canonical=False)
            if self.chem.MolFromSmiles(text) is not None:
                texts.append(text)
        self.compare(texts, ["m.sdf"])
        self.compare([text for text in texts if "[N+2]" not in text], ["m.smi"])
        self.compare(texts, hydrogens="as-written", aromatic="kekule")

    def test_isomers_of_double_bonds(self):
        """Large rings and hydrogens too: drawn places would say E or Z of C=C, C=N and N=N."""
        self.compare(["CC=CC", "C/C=C/C", "CC=NO", "CC=N", "CN=NC", "C1CCCCCCC=CC1", "C1CCCCC=CC1", "C1CCC=CC1", "CC=C=CC", "C=CC=C", "O=CC=O"])
        self.compare(["CC=CC", "CC=N", "N=N"], ["m.sdf"], hydrogens="explicit")

    def test_e_and_z(self):
        """Marks in chains, branches, at ring numbers, at hydrogens, beside aromatic rings, of several double bonds, of crowded ones."""
        texts = ["F/C=C/F", "F/C=C\\F", "C(\\F)=C/F", "F/C(Cl)=C(/Br)I", "C/C=C/C=C\\C", "C/C=C\\C=C\\C", "C/C=N/O", "C/C=N\\O", "c1ccccc1/N=N\\c1ccccc1",
                 "F/C=C1/CCCC(C)C1", "C1CCC(C)C/C1=C\\F", "C/1CCC(C)CC1=C\\F", "[H]/C(C)=C(\\[H])CC", "[H]\\C(C)=C(C)/[H]", "C(/C=C/c1ccccc1)=C\\C(=O)O",
                 "CC(C)(C)/C=C\\C(C)(C)C", "OC(=O)/C=C\\C(O)=O", "CC/C(c1ccccc1)=C(/c1ccccc1)c1ccc(OCCN(C)C)cc1", "Cn1c(C)c/c(=N\\C)cc1",
                 "C/C(=C\\CO)/C=C/C=C(C)/C=C/C1=C(C)CCCC1(C)C", "CCCCCCCC/C=C\\CCCCCCCC(=O)O"]
        before = [self.chem.MolFromSmiles(text) for text in texts]
        self.assertGreater(sum(self.isomer(molecule)[0] for molecule in before), 20)
        data = leman.Dataset.from_smiles(texts)
        again = data[np.arange(len(data))[::-1].copy()]  # other data sets of these molecules know it too
        with tempfile.TemporaryDirectory() as folder:
            for made, molecules in ((data, before), (again, before[::-1])):
                made.save(os.path.join(folder, "m.sdf"))
                self.assertEqual(self.compare_isomers(molecules, list(self.chem.SDMolSupplier(os.path.join(folder, "m.sdf")))), 0)
                made.save(os.path.join(folder, "m.smi"))
                with open(os.path.join(folder, "m.smi"), encoding="utf-8") as file:
                    self.assertEqual(self.compare_isomers(molecules, [self.chem.MolFromSmiles(line.split()[0]) for line in file]), 0)
                made.save(os.path.join(folder, "m.leman"))
                leman.Dataset.read(os.path.join(folder, "m.leman")).save(os.path.join(folder, "n.sdf"))
                self.assertEqual(self.compare_isomers(molecules, list(self.chem.SDMolSupplier(os.path.join(folder, "n.sdf")))), 0)

    def test_large(self):
        """More than 999 atoms: a V3000 table."""
        for text in ("C" * 1200, "C=C" * 400 + "c1ccccc1" * 40 + "[O-].[Na+]", "C1CC1" * 333 + "N"):
            self.compare([text])

    def tables(self, name):
        path = os.path.join(package.DATA, name)
        if not os.path.exists(path):
            self.skipTest(f"the data set {name} is not here")
        with zipfile.ZipFile(path) as archive:
            for member in archive.namelist():
                if member.endswith(".csv") and "published" not in member:
                    rows = list(csv.DictReader(io.TextIOWrapper(archive.open(member), encoding="utf-8")))
                    column = next(key for key in rows[0] if key.lower() == "smiles")
                    yield member, [row[column].split()[0] for row in rows][::1 if ALL else 1 + len(rows) // 60]

    def test_moleculenet(self):
        for member, texts in self.tables("moleculenet.zip"):
            with self.subTest(member):
                self.compare(texts)

    def test_moleculeace(self):
        for member, texts in self.tables("moleculeace.zip"):
            with self.subTest(member):
                self.compare(texts)

    def test_zinc(self):
        path = os.path.join(package.DATA, "ZINC_full.csv.gz")
        if not os.path.exists(path):
            self.skipTest("the data set ZINC_full.csv.gz is not here")
        with gzip.open(path, "rt") as file:
            self.compare([line.split(",")[0] for line in file][1::1 if ALL else 500])

    def test_qm9(self):
        path = os.path.join(package.DATA, "QM9.zip")
        if not os.path.exists(path):
            self.skipTest("the data set QM9.zip is not here")
        with zipfile.ZipFile(path) as archive:
            texts = archive.read("QM9/QM9_smiles.txt").decode().split()
        self.compare(texts[::1 if ALL else 300])
        self.compare([self.chem.MolToSmiles(self.chem.AddHs(self.chem.MolFromSmiles(text))) for text in texts[::10 if ALL else 1000]],
                     hydrogens="as-written")


if __name__ == "__main__":
    package.main()
