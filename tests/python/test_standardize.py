"""Standardised molecules: what becomes of known ones, spellings, and RDKit's LargestFragmentChooser, Normalizer and Uncharger.

LEMAN_MOLECULES=all compares all molecules of MoleculeNet and MoleculeACE instead of a sample."""
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

# (as it is, standardised), both read by us; the second is written by hand.
KNOWN = [("CCO.Cl", "CCO"), ("CC(=O)[O-].[Na+]", "CC(=O)O"), ("O.O.CCN.OS(=O)(=O)O", "CCN"), ("C[NH3+].[Cl-]", "CN"),
         ("CS(C)=O", "C[S+](C)[O-]"), ("CN(=O)=O", "C[N+](=O)[O-]"), ("CS(C)(=O)=O", "CS(C)(=O)=O"), ("CN=N#N", "CN=[N+]=[N-]"),
         ("[O-]c1cccc[n+]1C", "O=c1ccccn1C"), ("NC(=[NH2+])N", "NC(=N)N"), ("C[NH+]=CC=CN(C)C", "CN=CC=CN(C)C"),
         ("[NH3+]CC(=O)[O-]", "NCC(=O)O"), ("C[N+](C)(C)CC(=O)[O-]", "C[N+](C)(C)CC(=O)[O-]"), ("[nH+]1ccccc1", "n1ccccc1"),
         ("c1nnn[n-]1", "c1nnn[nH]1"), ("[O-][n+]1ccccc1", "[O-][n+]1ccccc1"), ("[O-]P([O-])(=O)OC", "OP(O)(=O)OC"),
         ("[NH4+].[O-]S(=O)(=O)c1ccccc1", "OS(=O)(=O)c1ccccc1"), ("C[N+](C)(C)C.[O-]C(=O)CCCCC", "OC(=O)CCCCC"), ("[CH2-]C", "CC"),
         ("[Na+].[Cl-]", "Cl"), ("C[N-]S(=O)(=O)C", "CNS(=O)(=O)C"), ("O=[n]1ccccc1", "[O-][n+]1ccccc1")]
DIFFERENT = 0.002  # of the molecules that have something to standardise: sites or fragments that are equal but for their place


class Standardize(unittest.TestCase):
    def same(self, texts, expected, **how):
        found = leman.graph_hash(leman.Dataset.from_smiles(texts, **how), exact=True)
        for text, other, a, b in zip(texts, expected, found, leman.graph_hash(leman.Dataset.from_smiles(expected), exact=True)):
            self.assertEqual(a, b, f"{text}, expected {other}")

    def test_known(self):
        before, after = map(list, zip(*KNOWN))
        self.same(before, after, standardize=True)
        self.same(after, after, standardize=True)  # once more changes nothing

    def test_steps(self):
        for steps, expected in (("fragment", "C[NH2+]CS(C)=O"), ("groups", "C[NH2+]C[S+](C)[O-].[Cl-]"), ("charges", "CNCS(C)=O.Cl"),
                                ("fragment,groups", "C[NH2+]C[S+](C)[O-]"), ("charges,groups", "CNC[S+](C)[O-].Cl")):
            self.same(["C[NH2+]CS(C)=O.[Cl-]"], [expected], standardize=steps)
        with self.assertRaisesRegex(leman.InputError, "standardize: found 'salts', expected True, or some of fragment, groups, charges"):
            leman.Dataset.from_smiles(["C"], standardize="salts")
        with self.assertRaisesRegex(leman.ArgumentError, "expected other hydrogens"):
            leman.Dataset.from_smiles(["C"], standardize=True, hydrogens="as-written")

    def test_reading(self):
        """Models read new molecules as they were fitted."""
        texts = ["CCO.Cl", "CC[O-].[Na+]", "c1ccccc1.Cl", "c1ccccc1C", "CCCO", "c1ccncc1"] * 2
        model = leman.GraphSVC("1-WL", folds=2).fit(leman.Dataset.from_smiles(texts, [0, 0, 1, 1, 0, 1] * 2, standardize=True))
        self.assertIn("--standardize", model.reading_)
        self.assertEqual(max(model.out_of_vocabulary(["OCC.[K+]", "[O-]CC"])), 0)
        with self.assertRaisesRegex(leman.InputError, "found molecules read with"):
            model.predict(leman.Dataset.from_smiles(["CCO"]))

    def test_duplicates(self):
        """Rows of one molecule stay, and are told with those whose labels differ."""
        for y, words in (([1, 0, 2, 2], "2 of the molecules are in more than one row, 1 of them with different classes or values; the first: graphs 0 and 1"),
                         ([1, 1, 2, 2], "2 of the molecules are in more than one row, 4 rows together"), (None, "4 rows together")):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found = leman.Dataset.from_smiles(["CCO.Cl", "OCC", "CS(C)=O", "C[S+](C)[O-]"], y, standardize=True)
            self.assertEqual(len(found), 4)
            self.assertIn(words, " ".join(str(one.message) for one in said))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("smiles,y\nCCO.Cl,1\nC,\nOCC,2\nC.O,3\n")
            with self.assertWarnsRegex(leman.DataWarning, "2 of .*, 1 of them .*: graphs 0 and 2"):
                leman.Dataset.read(path, standardize=True)

    def test_hydrogens(self):
        for hydrogens in ("explicit", "labels"):
            found = leman.Dataset.from_smiles(["[H][N+]([H])([H])CC.[Cl-]", "C(C)N"], standardize=True, hydrogens=hydrogens)
            self.assertEqual(*leman.graph_hash(found, exact=True))


@package.needs("rdkit")
class Beside(unittest.TestCase):
    def drawn(self):
        """Molecules of MoleculeNet and MoleculeACE, half of them with charges, fragments or groups."""
        found = set()
        for name in ("moleculenet", "moleculeace"):
            path = os.path.join(package.DATA, f"{name}.zip")
            if not os.path.exists(path):
                self.skipTest(f"the data set {name}.zip is not here")
            with zipfile.ZipFile(path) as file:
                for one in file.namelist():
                    if one.endswith(".csv"):
                        for row in csv.DictReader(io.TextIOWrapper(file.open(one), encoding="utf-8")):
                            found.update(row[key].strip() for key in row if key and key.lower() in ("smiles", "mol"))
        texts = sorted(text for text in found if text and " " not in text)
        if os.environ.get("LEMAN_MOLECULES") != "all":
            draw = random.Random(3)
            odd = [text for text in texts if re.search(r"[.+]|-\]|S[@H\]]*\(=O\)", text)]
            texts = draw.sample(odd, 600) + draw.sample(texts, 300)
        return texts

    def test_rdkit(self):
        from rdkit import Chem, rdBase
        from rdkit.Chem.MolStandardize import rdMolStandardize
        texts, changed, different = self.drawn(), 0, []
        choose, normalize, uncharge = (rdMolStandardize.LargestFragmentChooser(preferOrganic=True), rdMolStandardize.Normalizer(),
                                       rdMolStandardize.Uncharger())

        def canonical(molecule):
            flat = molecule and Chem.MolFromSmiles(Chem.MolToSmiles(molecule))
            if flat:
                Chem.RemoveStereochemistry(flat)
            return flat and Chem.MolToSmiles(flat)

        with tempfile.TemporaryDirectory() as folder, rdBase.BlockLogs():
            molecules = [(i, molecule) for i, molecule in enumerate(map(Chem.MolFromSmiles, texts)) if molecule is not None]
            data = leman.Dataset.from_smiles([texts[i] for i, _ in molecules], standardize=True,
                                             atom_labels="element,charge,isotope,radical,hydrogens", policy="valence=keep")
            path = os.path.join(folder, "s.smi")
            data.save(path)
            with open(path, encoding="utf-8") as file:
                ours = [line.split()[0] for line in file]
            for (i, molecule), text in zip(molecules, ours):
                expected = canonical(uncharge.uncharge(normalize.normalize(choose.choose(molecule))))
                if expected is None:  # RDKit does not read what it made
                    continue
                changed += expected != canonical(molecule)
                if canonical(Chem.MolFromSmiles(text)) != expected:
                    different.append((texts[i], text, expected))
        self.assertGreater(changed, 100)
        self.assertLessEqual(len(different), 1 + DIFFERENT * len(texts), different)

    def test_spellings(self):
        """Whichever way a molecule is written, its standard form is one graph."""
        from rdkit import Chem, rdBase
        draw = random.Random(4)
        with rdBase.BlockLogs():
            texts = [text for text in draw.sample(self.drawn(), 150) if Chem.MolFromSmiles(text)]
            for text in texts:
                molecule = Chem.MolFromSmiles(text)
                spelled = [Chem.MolToSmiles(molecule, doRandom=True, kekuleSmiles=False) for _ in range(3)]
                found = leman.Dataset.from_smiles([text, *spelled], standardize=True, policy="valence=keep")
                self.assertEqual(len(set(leman.graph_hash(found, exact=True))), 1, [text, *spelled])

    def test_tautomers(self):
        """The example of docs/molecules.md: tautomers are RDKit's."""
        from rdkit import Chem, rdBase
        from rdkit.Chem.MolStandardize import rdMolStandardize
        with rdBase.BlockLogs():
            tautomers = rdMolStandardize.TautomerEnumerator()
            texts = [Chem.MolToSmiles(tautomers.Canonicalize(Chem.MolFromSmiles(text))) for text in ("Oc1ccccn1", "O=c1cccc[nH]1")]
        self.assertEqual(*leman.graph_hash(leman.Dataset.from_smiles(texts, standardize=True), exact=True))


if __name__ == "__main__":
    package.main()
