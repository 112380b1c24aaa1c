"""Which molecules cannot exist: what RDKit's sanitisation refuses, `policy="valence=refuse"` refuses, and nothing else. With
LEMAN_MOLECULES=all every molecule of the large sets and 10,000 random ones instead of samples."""
import csv
import gzip
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

ALL = os.environ.get("LEMAN_MOLECULES") == "all"
ELEMENTS = ("H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd "
            "Ag Cd In Sn Sb Te I Xe Cs Ba La Gd Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac U").split()
CONSTRUCTED = """CN(C)(C)(C)C c1cccc1 Sn [CH5] c1CCCCC1 n1CCCCC1 c:c cc [NH5] [H][H-][H] [H][H][H] F[He] [Na](C)C CC(=O)(=O)C O=c1ccs(=O)cc1
c1ccncc1->[Fe] [C+5] [CH3+5] [C-5] [H+]C c1ccccc1c o1cccc1c *:c *1cccc1 F[Cl](F)F Cl(=O)(=O)(=O)O [B-](F)(F)(F)(F)F C[Si-2](F)(F)(F)(F)F
P(F)(F)(F)(F)F [P-](F)(F)(F)(F)(F)F S(F)(F)(F)(F)(F)F S(F)(F)(F)(F)(F)(F)F [SH-](F)F c1ccc[o]c1 CN=N#N CN(=O)=O [O](C)(C)C [n]1cccc1
n1cccc1 n1(C)cccc1 C=[Cl] [Na]C [NaH2] [SnH5] [C](C)(C)(C)(C)C [Zn](C)(C)(C)(C)C C=N(=O)(=O)C O=N(=O)(=O)C c1ccccc1=C c1ccc=cc1 [se]1cccc1
[te]1cccc1 [nH]1cccc1 [nH]1ccccc1 [cH-]1cccc1 [cH+]1cccccc1 [o+]1ccccc1 [s+]1ccccc1 s1(C)cccc1 s1(=O)(=O)cccc1 n1(=O)ccccc1 p1ccccc1 [pH]1ccccc1
p1(C)cccc1 [as]1ccccc1 [bH]1ccccc1 b1ccccc1 c1cc2ccccc2c1 c1ccc2cccc-2c1 c1ccc2cccc-2cc1 c1cccc2ccccc12 c1ccccccc1 c1cccc1.c1ccccc1
C1=CC=CC=C1=O [Br](F)(F)F [I](F)(F)(F)(F)F IF I(F)(F)F [Xe](F)(F)(F)F [Xe](F)(F)(F)(F)(F)(F)F [Al-](C)(C)(C)C [Al](C)(C)(C)C [AlH6-3]
[BH4-] [BH4] [NH4+] [NH4] [OH3+] [OH3] [FH2+] [FH2] [ClH2+] [ClH2] [SH3+] [SH3] [PH6-] [PH6] [SiH5-] [SiH5] [LiH2-] [BeH3-] [BeH3] [MgH4-2]
[GeH6-2] [AsH6-] [SeH6] [SeH7] [TeH6] [TeH7-] [IH6-] [IH6+] [CH4+2] [CH6+2] [CH3-] [CH4-] [NH2-] [NH3-] [OH-] [OH2-] [O-2] [OH-2] [SiH6-2]""".split()


@package.needs("rdkit")
class Chemistry(unittest.TestCase):
    def setUp(self):
        from rdkit import Chem, RDLogger
        RDLogger.DisableLog("rdApp.*")
        self.chem = Chem
        self.parameters = Chem.SmilesParserParams()
        self.parameters.removeHs = False

    def refused(self, texts, **how):
        """The places of the SMILES that are refused beside those that cannot be parsed."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y = list(range(len(texts)))
            kept = set(leman.Dataset.from_smiles(texts, y, on_error="skip", policy="valence=refuse", **how).classes.tolist())
            parsed = set(leman.Dataset.from_smiles(texts, y, on_error="skip", policy="valence=keep", **how).classes.tolist())
        return parsed - kept, parsed

    def differences(self, texts, **how):
        """(SMILES, who refuses it) where we and RDKit differ; how many were parsed; how many we refuse."""
        ours, parsed = self.refused(texts, **how)
        wrong = []
        for place in sorted(parsed):
            if self.chem.MolFromSmiles(texts[place], sanitize=False) is None:
                continue
            theirs = self.chem.MolFromSmiles(texts[place], self.parameters) is None
            if theirs != (place in ours):
                wrong.append((texts[place], "RDKit" if theirs else "Leman"))
        return wrong, len(parsed), len(ours)

    def compare(self, texts, **how):
        wrong, _, refused = self.differences(texts, **how)
        self.assertEqual(wrong[:20], [], f"{len(wrong)} differ")
        return refused

    def test_constructed(self):
        for aromatic in ("rdkit", "as-written", "mdl"):
            self.assertGreater(self.compare(CONSTRUCTED, aromatic=aromatic), 40)

    def test_every_element_and_charge(self):
        texts = []
        for element in ELEMENTS:
            for charge in range(-4, 5):
                sign = f"{charge:+d}" if charge else ""
                texts += [f"[{element}{sign}]" + "(F)" * bonds + "F" for bonds in range(8)]
                texts += [f"[{element}H{hydrogens}{sign}]" for hydrogens in range(1, 9)]
                texts += [f"[{element}{sign}](=O)" + "(=O)" * bonds for bonds in range(4)]
        self.assertGreater(self.compare(texts), 2000)
        self.assertGreater(self.compare(texts, aromatic="as-written"), 2000)

    def random_rings(self, count, seed):
        """Fused rings in small letters with odd elements, charges, hydrogens and substituents. Most of them cannot exist."""
        pick, texts = random.Random(seed), []

        def atom():
            odd = "o s [nH] [n+] [cH-] [c-] [cH+] [n-] [o+] [s+] [se] [te] p b [as] [si] [pH] [b-] [bH-]".split()
            return pick.choice(["c"] * 24 + ["n"] * 6 + odd) + pick.choice([""] * 12 + ["(C)", "(=O)", "(F)", "(O)"])

        for _ in range(count):
            size, text = pick.choice([3, 4, 5, 5, 5, 6, 6, 6, 6, 7, 8]), atom()
            text = text.replace("(", "1(") if "(" in text else text + "1"
            for place in range(1, size):
                new, digit = atom(), "1" if place == size - 1 else ""
                if pick.random() < 0.15 and not digit:  # a ring fused at this bond
                    new = "c2" + "".join(atom() for _ in range(pick.choice([3, 4, 4]))) + "c2"
                text += new.replace("(", digit + "(") if "(" in new else new + digit
            texts.append(text)
        return texts

    def test_random_rings(self):
        count = 10000 if ALL else 2000
        for seed, aromatic in ((5, "rdkit"), (6, "as-written")):
            refused = self.compare(self.random_rings(count, seed), aromatic=aromatic)
            self.assertGreater(refused, 0.3 * count)
            self.assertLess(refused, 0.8 * count)

    def test_misspelled(self):
        """Molecules with one or two wrong characters. RDKit's Kekulé structures differ from ours in rings that no chemist writes: with
        a triple bond or a written double bond at an atom in small letters (c#n, c=s), or with * among atoms in small letters; and RDKit
        drops the hydrogen of an [nH] with three bonds, which we refuse. These are fewer than one in a hundred."""
        known = ["Cn1nnc2cc(NC(=O)c3ccccc3)ccc21", "CC(C)NCC(O)COc1ccccc1", "Cn1c(=O)c2c(ncn2C)n(C)c1=O", "C[N+](C)(C)CCO", "O=[N+]([O-])c1ccc2[nH]ccc2c1",
                 "CCS(=O)(=O)N1CCN(C)CC1", "c1ccc2c(c1)oc1ccccc12", "OC(=O)c1cnc2sccn12", "CC1(C)SC2C(NC(=O)Cc3ccccc3)C(=O)N2C1C(=O)O"]
        pick, texts = random.Random(3), []
        atoms = "C N O S P F c n o s [nH] [NH] [N+] [O-] [n+] B [C-] [CH3] [C] [S+] = # ( ) 1 2 I [Se]".split()
        more = "C N O c n s = # (C) (=O) (F) 3CCC3".split()
        while len(texts) < (20000 if ALL else 4000):
            parts = re.findall(r"\[[^\]]*\]|Cl|Br|.", pick.choice(known))
            for _ in range(pick.choice([1, 1, 2])):
                place, kind = pick.randrange(len(parts)), pick.random()
                if kind < 0.35:
                    parts[place] = pick.choice(atoms)
                elif kind < 0.6:
                    parts.insert(place, pick.choice(more))
                else:
                    del parts[place]
            texts.append("".join(parts))
        wrong, parsed, refused = self.differences(texts)
        self.assertLess(len(wrong), 0.01 * parsed, wrong[:20])
        self.assertGreater(refused, 0.2 * parsed)
        for text, who in wrong:
            self.assertRegex(text, r"[a-z\]][0-9]*\(?[#=]|[#=]\[?[a-z]|\[nH\]|\*", who)

    def test_actions(self):
        texts = ["CCO", "CN(C)(C)(C)C", "c1cccc1", "Sn"]
        first = r"3 molecules that cannot exist.*SMILES:1: found valence 5 of atom 1 \(N\), counted from 0, in CN\(C\)\(C\)\(C\)C, expected at most 3"
        with self.assertWarnsRegex(UserWarning, first):
            self.assertEqual(len(leman.Dataset.from_smiles(texts)), 4)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(len(leman.Dataset.from_smiles(texts, policy="valence=keep")), 4)
        with self.assertRaisesRegex(leman.InputError, r"SMILES:1: found valence 5"):
            leman.Dataset.from_smiles(texts, policy="valence=refuse")
        with self.assertRaisesRegex(leman.InputError, r"expected a ring, or \[Sn\] for the element"):
            leman.Dataset.from_smiles(texts[3:], policy="valence=refuse")

    def test_blocks(self):
        """The same of connection tables, V2000 and V3000, whose atoms are counted from 1."""
        with tempfile.TemporaryDirectory() as folder:
            for text in CONSTRUCTED:
                molecule = self.chem.MolFromSmiles(text, sanitize=False)
                if "->" in text or any(a.GetIsAromatic() for a in molecule.GetAtoms()):
                    continue
                molecule.UpdatePropertyCache(strict=False)
                for version in (False, True):
                    block = self.chem.MolToMolBlock(molecule, kekulize=False, forceV3000=version)
                    path = os.path.join(folder, "one.sdf")
                    with open(path, "w") as file:
                        file.write(block + "$$$$\n")
                    theirs = self.chem.MolFromMolBlock(block, removeHs=False) is None
                    try:
                        leman.Dataset.read(path, policy="valence=refuse")
                        ours = False
                    except leman.InputError as error:
                        self.assertRegex(str(error), "one.sdf:1: found valence")
                        ours = True
                    self.assertEqual(ours, theirs, text)

    def tables(self, name):
        """The SMILES of each table in a zip."""
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


if __name__ == "__main__":
    package.main()
