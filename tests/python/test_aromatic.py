"""Aromatic rings against RDKit: atoms, charges, hydrogens and bonds of molecules, in each spelling and format. With
LEMAN_MOLECULES=all every molecule of the large sets and 10,000 random ones instead of samples."""
import csv
import gzip
import io
import os
import random
import re
import tempfile
import unittest
import zipfile

import package
import leman

ALL = os.environ.get("LEMAN_MOLECULES") == "all"
LABELS = ("element", "charge", "isotope", "radical", "hydrogens", "aromatic", "columns")
KINDS = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "AROMATIC": 4, "UNSPECIFIED": 8, "ZERO": 8, "DATIVE": 9, "HYDROGEN": 10, "QUADRUPLE": 11}


def our_bonds(graph):
    index, labels = graph.edge_index, graph.edge_labels
    return {(int(u), int(v)): int(label) for u, v, label in zip(index[0], index[1], labels) if u < v}


def our_atoms(graph):
    return [(int(e), int(c), int(a), int(h)) for e, c, _, _, h, a in graph.vertex_labels]


def random_molecule(chem, pick):
    """Rings of odd elements and charges, fused, bridged and spiro, with double bonds in and out of them; not all of them exist."""
    molecule = chem.RWMol()

    def atom():
        new = chem.Atom(pick.choice([6] * 14 + [7] * 5 + [8] * 2 + [16] * 2 + [34, 52, 15, 5, 14, 33]))
        new.SetFormalCharge(pick.choices((0, 1, -1, 2), (88, 6, 5, 1))[0])
        return molecule.AddAtom(new)

    ring = [atom() for _ in range(pick.choice([3, 4, 5, 5, 5, 6, 6, 6, 6, 7, 8]))]
    edges = list(zip(ring, ring[1:] + ring[:1]))
    for u, v in edges:
        molecule.AddBond(u, v, chem.BondType.SINGLE)
    for _ in range(pick.choice([0, 0, 1, 1, 2, 3, 4, 5])):
        kind = pick.random()
        if kind < 0.8:  # fused
            (u, v), between = pick.choice(edges), pick.choice([1, 2, 3, 3, 4, 4, 4, 5, 8, 14])
        elif kind < 0.9:  # bridged
            (u, v), between = pick.sample(range(molecule.GetNumAtoms()), 2), pick.choice([1, 2, 3])
        else:  # spiro
            u = v = pick.randrange(molecule.GetNumAtoms())
            between = pick.choice([2, 4, 5])
        path = [u] + [atom() for _ in range(between)] + [v]
        for a, b in zip(path, path[1:]):
            molecule.AddBond(a, b, chem.BondType.SINGLE)
            edges.append((a, b))
    taken = set()
    for a in range(molecule.GetNumAtoms()):
        if pick.random() < 0.15:
            element = pick.choice([6, 6, 8, 8, 7, 16, 9])
            double = pick.random() < 0.6 and element != 9
            molecule.AddBond(a, molecule.AddAtom(chem.Atom(element)), chem.BondType.DOUBLE if double else chem.BondType.SINGLE)
            taken |= {a} if double else set()
    pick.shuffle(edges)
    for u, v in edges:
        neutral = any(molecule.GetAtomWithIdx(i).GetAtomicNum() in (8, 16, 34, 52) and not molecule.GetAtomWithIdx(i).GetFormalCharge()
                      for i in (u, v))
        if not {u, v} & taken and not neutral and pick.random() > 0.08:
            molecule.GetBondBetweenAtoms(u, v).SetBondType(chem.BondType.TRIPLE if pick.random() < 0.01 else chem.BondType.DOUBLE)
            taken |= {u, v}
    return molecule


@package.needs("rdkit")
class Aromatic(unittest.TestCase):
    def setUp(self):
        from rdkit import Chem, RDLogger
        RDLogger.DisableLog("rdApp.*")
        self.chem = Chem
        self.parameters = Chem.SmilesParserParams()
        self.parameters.removeHs = False

    def read(self, text, model):
        molecule = self.chem.MolFromSmiles(text, self.parameters)
        if molecule is not None and model == "mdl":
            try:
                self.chem.Kekulize(molecule, True)
            except self.chem.KekulizeException:
                return None
            self.chem.SetAromaticity(molecule, self.chem.AromaticityModel.AROMATICITY_MDL)
        return molecule

    def atoms(self, molecule):
        return [(a.GetAtomicNum(), a.GetFormalCharge(), int(a.GetIsAromatic()), a.GetTotalNumHs()) for a in molecule.GetAtoms()]

    def bonds(self, molecule):
        return {tuple(sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))): KINDS[str(b.GetBondType())] for b in molecule.GetBonds()}

    def compare(self, texts, model="rdkit"):
        """Every molecule that RDKit accepts has its atoms and bonds; with "mdl", its atoms and aromatic bonds, since it may choose
        other double bonds for the rest."""
        pairs = [(text, self.read(text, model)) for text in texts]
        pairs = [(text, molecule) for text, molecule in pairs if molecule is not None]
        self.assertGreater(len(pairs), 0.9 * len(texts))
        data = leman.Dataset.from_smiles([text for text, _ in pairs], atom_labels=LABELS, aromatic=model, hydrogens="as-written")
        for (text, molecule), graph in zip(pairs, data):
            ours, theirs = our_bonds(graph), self.bonds(molecule)
            if model == "mdl":
                ours, theirs = ({ends for ends, kind in bonds.items() if kind == 4} for bonds in (ours, theirs))
            if our_atoms(graph) != self.atoms(molecule) or ours != theirs:
                self.assertEqual(our_atoms(graph), self.atoms(molecule), text)
                self.assertEqual(ours, theirs, text)

    def tables(self, name):
        """The SMILES of each table in a zip."""
        path = os.path.join(package.DATA, name)
        if not os.path.exists(path):
            self.skipTest(f"the data set {name} is not here")
        with zipfile.ZipFile(path) as archive:
            for member in archive.namelist():
                if not member.endswith(".csv") or "published" in member:
                    continue
                rows = list(csv.DictReader(io.TextIOWrapper(archive.open(member), encoding="utf-8")))
                column = next(key for key in rows[0] if key.lower() == "smiles")
                yield [row[column].split()[0] for row in rows][::1 if ALL else 1 + len(rows) // 60]

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
        with_hydrogens = [self.chem.MolToSmiles(self.chem.AddHs(self.chem.MolFromSmiles(text))) for text in texts[::1 if ALL else 1000]]
        self.compare(with_hydrogens)

    def test_moleculenet(self):
        for texts in self.tables("moleculenet.zip"):
            self.compare(texts)

    def test_moleculeace(self):
        for texts in self.tables("moleculeace.zip"):
            self.compare(texts)

    def random_texts(self, count, seed):
        pick = random.Random(seed)
        texts = []
        while len(texts) < count:
            text = self.chem.MolToSmiles(random_molecule(self.chem, pick), canonical=False)
            if self.chem.MolFromSmiles(text) is not None:
                texts.append(text)
        return texts

    def test_random(self):
        """With double bonds, as RDKit spells them, and with their atoms in another order."""
        texts = self.random_texts(10000 if ALL else 500, 3)
        for model in ("rdkit", "mdl"):
            self.compare(texts, model)
        molecules = [self.chem.MolFromSmiles(text) for text in texts]
        self.compare([self.chem.MolToSmiles(m, doRandom=True) for m in molecules])

    def test_formats(self):
        """By default, V2000 and V3000, with and without hydrogens: the atoms and bonds of RDKit's molecule."""
        texts = self.random_texts(2000 if ALL else 60, 4) + ["Cn1cnc2c1c(=O)n(C)c(=O)n2C", "c1cc[nH]c1", "C[n+]1ccccc1", "O=[N+]([O-])c1ccccc1"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.sdf")
            for v3000 in (False, True):
                for hydrogens in (False, True):
                    molecules = [self.chem.MolFromSmiles(text) for text in texts]
                    with open(path, "w", encoding="utf-8") as file:
                        for m in molecules:
                            file.write(self.chem.MolToMolBlock(self.chem.AddHs(m) if hydrogens else m, forceV3000=v3000) + "$$$$\n")
                    data = leman.Dataset.read(path, atom_labels=LABELS)
                    for text, m, graph in zip(texts, molecules, data):
                        self.assertEqual(our_atoms(graph), self.atoms(m), text)
                        self.assertEqual(our_bonds(graph), self.bonds(m), text)

    def test_molecules_of_rdkit(self):
        """Held by RDKit with hydrogens, and with double bonds, they are the graphs of their SMILES."""
        texts = self.random_texts(60, 5) + ["Cn1cnc2c1c(=O)n(C)c(=O)n2C", "c1cc[nH]c1", "[2H]OC", "[H][H]", "CCO", "C1CC=C1", "[H+].[Cl-]"]
        for text in texts:
            molecule = self.chem.MolFromSmiles(text)
            spelled = leman.Dataset.from_smiles([self.chem.MolToSmiles(molecule, canonical=False)])
            order = list(map(int, re.findall(r"\d+", molecule.GetProp("_smilesAtomOutputOrder"))))
            renumbered = self.chem.RenumberAtoms(molecule, order)
            kekule = self.chem.Mol(renumbered)
            try:
                self.chem.Kekulize(kekule, True)
            except self.chem.KekulizeException:  # RDKit cannot read again what it found aromatic in some random molecules
                continue
            for held in (renumbered, self.chem.AddHs(renumbered), kekule, self.chem.AddHs(kekule)):
                found = leman.Dataset.from_rdkit([held])
                self.assertEqual(found[0].vertex_labels, spelled[0].vertex_labels, text)
                self.assertEqual(our_bonds(found[0]), our_bonds(spelled[0]), text)
        with_hydrogens = self.chem.AddHs(self.chem.MolFromSmiles("CO"))
        self.assertEqual(leman.Dataset.from_rdkit([with_hydrogens], hydrogens="as-written")[0].num_vertices, 6)
        with self.assertRaisesRegex(leman.InputError, "hydrogens: found 'none', expected 'implicit' or 'as-written'"):
            leman.Dataset.from_rdkit([with_hydrogens], hydrogens="none")


if __name__ == "__main__":
    package.main()
