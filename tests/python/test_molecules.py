"""Molecules against RDKit: atoms in order, bonds, hydrogens, charges, isotopes and aromatic flags as written; radicals; Kekulé
structures; what is no SMILES. With LEMAN_MOLECULES=all every molecule of the large sets instead of a sample."""
import collections
import gzip
import itertools
import os
import random
import re
import tempfile
import unittest
import zipfile

import numpy as np

import package
import leman

SAMPLE = 800
ALL = ("element", "charge", "isotope", "radical", "hydrogens", "aromatic", "columns")
WRITTEN = {"atom_labels": ALL, "hydrogens": "as-written", "aromatic": "as-written"}
ODD = """C[N+](C)(C)C [NH4+] [O-]C(=O)c1ccccc1 [Na+].[Cl-] CC(=O)[O-].[K+] [H+] [H-] [H][H] [2H]O[2H] [3H]C [13CH3][13C](=O)O
[12CH4] [238U] [CH3] [CH2] [CH] C[C]C [O] [OH] C[O] CC(C)[N]C [N]=O [O][O] [Na] [K] [Li]C [Mg] [Fe] [Cu] [Fe+2] [Cu+] [Al+3] [B]
[NH2] c1cc[c]cc1 [c]1ccccc1 c1cc[cH-]c1 [cH-]1cccc1 [cH+]1cccccc1 c1cc[n-]c1 c1cc[nH]c1 [nH+]1ccccc1 C[n+]1ccccc1
[O-][n+]1ccccc1 O=n1ccccc1 c1ccoc1 c1ccsc1 c1cc[se]c1 c1cc[te]c1 c1cc[s+]cc1 c1cc[o+]cc1 c1ccpcc1 C[p]1cccc1 [pH]1cccc1
b1ccccc1 [bH]1cccc1 [bH-]1ccccc1 Cb1ccccc1 c1cc[as]cc1 [asH]1cccc1 [si]1ccccc1 [siH]1ccccc1 C[si]1ccccc1 s1(=O)cccc1 s1(=O)(=O)cccc1
c1ccc2ccccc2c1 c1ccc2[nH]ccc2c1 c1ccn2cccc2c1 n1c2ccccc2[nH]1 c1ccc2c(c1)[nH]c1ccccc12 c1cc2ccc3cccc4ccc(c1)c2c34 c1cc2cccc2c1
c1ccc2cccc2cc1 c1ccccc1c1ccccc1 c1ccccc1-c1ccccc1 c1ccc(cc1)c1ccccc1 n1(C)cccc1 n1(c2ccccc2)cccc1 c1cccc1=O O=c1cccc[nH]1 O=c1ccocc1
Cn1cnc2c1c(=O)n(C)c(=O)n2C c1nc[nH]n1 c1nnn[nH]1 C1=CC=CC=C1 C1=CN=CN1 CC#N C#[O+] [C-]#[O+] [C-]#N C=[N+]=[N-] N#N [N-]=[N+]=N
C$C [Re]$[Re] N->[Cu] [Cu]<-N [NH3]->[Pt](Cl)(Cl)<-[NH3] O->[Fe]<-O CN1->[Zn]<-N1C C~C
C%12CCCCC%12 C%(12)CCCCC%(12) C%(123)CCCCC%(123) C%99CC%99 C0CC0 C1CC2CC1CC2 C1CC1C1CC1 C=1CCCCC1 C1CCCCC=1 C=1CCCCC=1 C1=CC#CC=C1
C12C3C4C1C5C2C3C45 C1.C1 C1.C2.C12 c1cc.c1 C12.C1.C2 CCO.CC.O C(C)(C)(C)C C(C(C(C)C)C)C F/C=C/F F/C=C\\F C/C=C/C=C\\C
N[C@@H](C)C(=O)O N[C@H](C)C(=O)O [C@](F)(Cl)(Br)I C[C@TH1](F)(Cl)Br F[Po@SP1](Cl)(Br)I O=C[As@](F)(Cl)(Br)S S[Co@@](F)(Cl)(Br)(I)C=O
C/1=C/CCCCCC1 C1CC[C@@H]2CCCC[C@H]2C1 FS(F)(F)(F)(F)F FP(F)(F)(F)F F[P-](F)(F)(F)(F)F OS(=O)(=O)O CS(C)=O CS(=O)(=O)C O=S=O
OP(=O)(O)O O=[N+]([O-])c1ccccc1 CN(=O)=O O=N(=O)c1ccccc1 OCl(=O)(=O)=O FI(F)F I(C)C Br Cl I F B BC OB(O)O [BH4-] C[Si](C)(C)C [SiH4]
C[Sn](C)(C)C C[Hg]C [Ar] [He] [Xe](F)F * *C [*] [2*]C [*-]C *c1ccccc1 [*H2] [#6] [#7H3] [OH3+] [OH-] [HH] [CH4:1] [CH3:12]C [NH2:3]C
[12CH3-:7] [C--] [C++] [Fe++] [Fe+++] [NH0] [CH1](C)(C)C [N-2] [N+1](C)(C)(C)C [Og] C[Te]C C[Se]C [SeH2] [AsH3] S SC SCC P PC
[H]C([H])([H])[H] [H]O[H] C[H] [H]c1ccccc1 [2H]c1ccccc1 c:c c-c cc C:C c1:c:c:c:c:c:1 c1=cc=cc=c1 c-1cccc-1 [cH3] [nH2]
C(C)1CC1 C(C)=1CC1 c1(C#N)c(Cl)c(C#N)c(Cl)c(Cl)c(Cl)1 C1CC(C(C)2CC2)1 C2C(C1)CC(C)1C2 F/C=C\\\\F C\\\\C=C/C C1CC2(CC1)CCCC2 C(=O)(O)C(=O)O CC(=O)Oc1ccccc1C(=O)O CN1C=NC2=C1C(=O)N(C(=O)N2C)C [NH3+]CC([O-])=O O=C([O-])CC(O)(CC(=O)[O-])C(=O)[O-].[Na+].[Na+].[Na+]""".split()
BAD = """C( C) ( ) () (C)C C()C C(()) C1 C1CC C11 C12CC12 C12CCCCC12 C% C%1 C%(1 C%(123456)C C=1CC=1=1 = =C C= C== C==C C-(C)C C(=) C(=)C C(1)CC1
C1(CC)1 . C. .C C..C C.( [ ] [] [C C] [C]] [13] [Xx] [cl] [CL] [D] [T] X Q R CX cl At H CH4 [C]H [CH4@] [C@@@H] [C-2H] [H2C] [C+-] [N+++-]
C! C& C^ {C} C" C' C; C, C-> C< C<N C>N C-.C [1.5C] [C:] [C:x] [C@TH3] C/ C\\ [#] [Ccc] c1ccccc1] é [+C]""".split()


def rdkit_atoms(molecule):
    return [(a.GetAtomicNum(), a.GetFormalCharge(), a.GetIsotope(), a.GetTotalNumHs(), int(a.GetIsAromatic()))
            for a in molecule.GetAtoms()]


def rdkit_bonds(molecule, text):
    """{(u, v): type}. A bond that nobody wrote between aromatic atoms of two rings is single; RDKit finds out when it sanitizes."""
    types = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "AROMATIC": 4, "UNSPECIFIED": 8, "DATIVE": 9, "QUADRUPLE": 11}
    found = {}
    for bond in molecule.GetBonds():
        kind = types[str(bond.GetBondType())]
        if kind == 4 and not bond.IsInRing() and ":" not in text:
            kind = 1
        found[tuple(sorted((bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())))] = kind
    return found


def our_bonds(graph):
    index, labels = graph.edge_index, graph.edge_labels
    return {(int(u), int(v)): label for u, v, label in zip(index[0], index[1], labels) if u < v}


@package.needs("rdkit")
class Agreement(unittest.TestCase):
    def setUp(self):
        from rdkit import Chem, RDLogger
        RDLogger.DisableLog("rdApp.*")
        self.chem = Chem

    def parsed(self, text):
        molecule = self.chem.MolFromSmiles(text, sanitize=False)
        if molecule is not None:
            molecule.UpdatePropertyCache(strict=False)
            self.chem.FastFindRings(molecule)
        return molecule

    def compare(self, texts):
        """Atoms, hydrogens, charges, isotopes, aromatic flags, bonds; and a valid Kekulé structure where RDKit has one."""
        data = leman.Dataset.from_smiles(texts, **WRITTEN)
        kekule = leman.Dataset.from_smiles(texts, **{**WRITTEN, "aromatic": "kekule"}) if all(
            self.chem.MolFromSmiles(text) is not None for text in texts[:50]) else None
        for i, text in enumerate(texts):
            molecule = self.parsed(text)
            labels = [tuple(map(int, row)) for row in data[i].vertex_labels]
            self.assertEqual([(e, c, m, h, a) for e, c, m, _, h, a in labels], rdkit_atoms(molecule), text)
            bonds = our_bonds(data[i])
            self.assertEqual(bonds, rdkit_bonds(molecule, text), text)
            if kekule is not None:
                self.check_kekule(text, labels, bonds, our_bonds(kekule[i]))

    def check_kekule(self, text, atoms, bonds, kekule):
        """Bonds that were not aromatic are as they were; the others are single and double, an atom has at most one of these
        double bonds, and every carbon among them that can have one has it."""
        self.assertEqual(set(bonds), set(kekule), text)
        double, degree = collections.Counter(), collections.Counter()
        for ends, kind in bonds.items():
            for end in ends:
                degree[end] += 1 if kind == 4 else kind
            if kind != 4:
                self.assertEqual(kekule[ends], kind, text)
                continue
            self.assertIn(kekule[ends], (1, 2), text)
            for end in ends:
                double[end] += kekule[ends] == 2
        for i, (element, charge, _, radical, hydrogens, aromatic) in enumerate(atoms):
            self.assertLessEqual(double[i], 1, text)
            if radical:
                continue
            if element == 6 and charge == 0 and aromatic:
                self.assertEqual(degree[i] + hydrogens + double[i], 4, text)
            elif element == 7 and aromatic and "O=n" not in text:
                self.assertEqual(degree[i] + hydrogens + double[i], 3 + charge, text)

    def sample(self, texts):
        if os.environ.get("LEMAN_MOLECULES") == "all":
            return texts
        return texts[::max(1, len(texts) // SAMPLE)]

    def test_zinc(self):
        path = os.path.join(package.DATA, "ZINC_full.csv.gz")
        if not os.path.exists(path):
            self.skipTest("the data set ZINC_full.csv.gz is not here")
        with gzip.open(path, "rt") as file:
            texts = [line.split(",")[0] for line in file][1:]
        texts = self.sample(texts)
        for first in range(0, len(texts), 20000):
            self.compare(texts[first:first + 20000])

    def test_qm9(self):
        texts = self.sample(self.member("QM9", "QM9_smiles.txt"))
        for first in range(0, len(texts), 20000):
            self.compare(texts[first:first + 20000])

    def member(self, name, file):
        path = os.path.join(package.DATA, f"{name}.zip")
        if not os.path.exists(path):
            self.skipTest(f"the data set {name}.zip is not here")
        with zipfile.ZipFile(path) as archive:
            return archive.read(f"{name}/{file}").decode().split()

    def test_qm9_graphs(self):
        """With all hydrogens: as many atoms of each element as the graphs of QM9 have."""
        texts = self.sample(self.member("QM9", "QM9_smiles.txt"))
        data = leman.Dataset.from_smiles(texts, hydrogens="explicit")
        for text, graph in zip(texts, data):
            molecule = self.chem.AddHs(self.chem.MolFromSmiles(text))
            self.assertEqual([int(label) % 1000 for label in graph.vertex_labels], [a.GetAtomicNum() for a in molecule.GetAtoms()])
            self.assertEqual(set(our_bonds(graph)),
                             {tuple(sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))) for b in molecule.GetBonds()}, text)

    def test_zinc_codes(self):
        """The vertex codes of ZINC_10k, with those of neighbours, from elements, charges and hydrogens of its SMILES. Hydrogens
        count where the atom has a charge, or a bracket because of its stereochemistry."""
        kinds = ["C", "O", "N", "F", "C H1", "S", "Cl", "O -", "N H1 +", "Br", "N H3 +", "N H2 +", "N +", "N -", "S -", "I", "P",
                 "O H1 +", "N H1 -", "O +", "S +", "P H1", "P H2", "C H2 -", "P +", "S H1 +", "C H1 -", "P H1 +"]
        symbols = {6: "C", 7: "N", 8: "O", 9: "F", 15: "P", 16: "S", 17: "Cl", 35: "Br", 53: "I"}
        texts = self.member("ZINC_10k", "ZINC_10k_smiles.txt")
        published = package.data_set("ZINC_10k")
        step = 1 if os.environ.get("LEMAN_MOLECULES") == "all" else 12
        data = leman.Dataset.from_smiles(texts, **WRITTEN)
        atom = re.compile(r"\[[^]]*\]|Br|Cl|[BCNOPSFIbcnops*]")
        agree = compared = 0
        for i in range(0, len(texts), step):
            codes = []
            for (element, charge, _, _, hydrogens, aromatic), token in zip(data[i].vertex_labels, atom.findall(texts[i])):
                counted = hydrogens if token[0] == "[" and (charge or not aromatic) else 0
                codes.append(kinds.index(symbols[element] + (f" H{counted}" if counted else "") +
                                         (" +" if charge > 0 else " -" if charge < 0 else "")))
            agree += self.star_counts(data[i], codes) == self.star_counts(published[i], [int(c) for c in published[i].vertex_labels])
            compared += 1
        self.assertEqual(agree, compared)

    @staticmethod
    def star_counts(graph, codes):
        around = collections.defaultdict(list)
        for u, v in zip(*graph.edge_index):
            around[int(u)].append(codes[int(v)])
        return collections.Counter((code, tuple(sorted(around[i]))) for i, code in enumerate(codes))

    def test_odd_molecules(self):
        # "..." of "+++" is not RDKit's; OpenSMILES has at most two signs
        for text in ODD:
            if text == "[Fe+++]":
                continue
            with self.subTest(text):
                self.compare([text])

    def test_radicals(self):
        for text in ODD:
            molecule = self.chem.MolFromSmiles(text)
            if molecule is None or "[H]" in text or ":" in text or "~" in text or "N(=O)=O" in text.upper() or "l(=O)" in text:
                continue  # RDKit folds hydrogens, and writes some groups anew
            with self.subTest(text):
                graph = leman.Dataset.from_smiles([text], **WRITTEN)[0]
                expected = [0 if n == 0 else 2 if n % 2 else 3 for n in (a.GetNumRadicalElectrons() for a in molecule.GetAtoms())]
                self.assertEqual([int(row[3]) for row in graph.vertex_labels], expected)

    def test_blanks(self):
        """Lines of a file and cells of a table may have blanks around the SMILES; inside it they are named."""
        data = leman.Dataset.from_smiles(["CCO\n", " CCO", "CCO \r\n", "\tCCO"])
        self.assertEqual(len(set(leman.graph_hash(data))), 1)
        with self.assertRaisesRegex(leman.InputError, "column 4: found a blank, expected an atom"):
            leman.Dataset.from_smiles([" CC O"])

    def test_malformed(self):
        for text in BAD:
            with self.subTest(text):
                self.assertIsNone(self.parsed(text))
                with self.assertRaisesRegex(leman.InputError, "SMILES:0: column [0-9]+: found .*, expected "):
                    leman.Dataset.from_smiles([text])
        for text in ("C=1CCC#1", "[1000CH4]", "[C+16]", ""):  # RDKit reads them; OpenSMILES does not, or our labels have no room
            with self.assertRaises(leman.InputError):
                leman.Dataset.from_smiles([text])

    def test_sdf_is_smiles(self):
        """One molecule, one graph, whatever file it came in: V2000 and V3000, with double bonds and, where all hydrogens follow from
        the bonds, with aromatic ones."""
        texts = [t for t in ODD if self.chem.MolFromSmiles(t) and not any(x in t for x in "~$*:") and "[H" not in t and "->" not in t]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.sdf")
            for text, aromatic, v3000 in itertools.product(texts, (False, True), (False, True)):
                molecule = self.chem.MolFromSmiles(text)
                if aromatic and re.search(r"\[[a-z]+H|N1", self.chem.MolToSmiles(molecule)):
                    continue
                if not aromatic:
                    self.chem.Kekulize(molecule, clearAromaticFlags=True)
                with open(path, "w") as file:
                    file.write(self.chem.MolToMolBlock(molecule, kekulize=False, forceV3000=v3000) + "$$$$\n")
                again = self.chem.MolToSmiles(molecule, canonical=False, kekuleSmiles=not aromatic)
                order = list(map(int, re.findall(r"\d+", molecule.GetProp("_smilesAtomOutputOrder"))))
                one = leman.Dataset.read(path, **WRITTEN)[0]
                other = leman.Dataset.from_smiles([again], **WRITTEN)[0]
                with self.subTest(text, v3000=v3000, aromatic=aromatic):
                    self.assertEqual([list(map(int, one.vertex_labels[i])) for i in order],
                                     [list(map(int, row)) for row in other.vertex_labels])
                    place = {old: new for new, old in enumerate(order)}
                    self.assertEqual({tuple(sorted((place[u], place[v]))): k for (u, v), k in our_bonds(one).items()}, our_bonds(other))


    def test_blocks_of_odd_molecules(self):
        """V2000 and V3000 of RDKit, dative bonds, wildcards, atom maps and quadruple bonds (which it writes as 0) too: read by us as
        RDKit reads them again; and random SMILES of one to three of them side by side."""
        kinds = {"SINGLE": 1, "DOUBLE": 2, "TRIPLE": 3, "AROMATIC": 4, "UNSPECIFIED": 8, "ZERO": 8, "DATIVE": 9, "HYDROGEN": 10}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.sdf")
            for text, v3000 in itertools.product(ODD, (False, True)):
                molecule = self.chem.MolFromSmiles(text, sanitize=False)
                if molecule is None:  # [Fe+++]
                    continue
                molecule.UpdatePropertyCache(strict=False)
                block = self.chem.MolToMolBlock(molecule, kekulize=False, forceV3000=v3000)
                again = self.chem.MolFromMolBlock(block, sanitize=False, removeHs=False, strictParsing=False)
                again.UpdatePropertyCache(strict=False)
                with open(path, "w") as file:
                    file.write(block + "$$$$\n")
                with self.subTest(text, v3000=v3000):
                    ours = leman.Dataset.read(path, **WRITTEN)[0]
                    labels = [tuple(map(int, row)) for row in ours.vertex_labels]
                    self.assertEqual([row[:3] for row in labels],
                                     [(a.GetAtomicNum(), a.GetFormalCharge(), a.GetIsotope()) for a in again.GetAtoms()])
                    self.assertEqual(our_bonds(ours), {tuple(sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))): kinds[str(b.GetBondType())]
                                                       for b in again.GetBonds()})
                    if not any(a.GetIsAromatic() for a in again.GetAtoms()):
                        self.assertEqual([row[4] for row in labels], [a.GetTotalNumHs() for a in again.GetAtoms()])
        pick, molecules = random.Random(5), [m for m in map(self.chem.MolFromSmiles, ODD) if m is not None]
        for _ in range(300):
            several = pick.sample(molecules, pick.choice((1, 1, 2, 3)))
            one = several[0]
            for other in several[1:]:
                one = self.chem.CombineMols(one, other)
            text = self.chem.MolToSmiles(one, doRandom=True, allBondsExplicit=pick.random() < 0.2, allHsExplicit=pick.random() < 0.2)
            with self.subTest(text):
                self.compare([text])

    def canonical(self, text):
        molecule = self.chem.MolFromSmiles(text)
        return molecule and self.chem.MolToSmiles(molecule, isomericSmiles=False)

    def zinc(self, count):
        path = os.path.join(package.DATA, "ZINC_full.csv.gz")
        if not os.path.exists(path):
            self.skipTest("the data set ZINC_full.csv.gz is not here")
        with gzip.open(path, "rt") as file:
            texts = [line.split(",")[0] for line in itertools.islice(file, 1, 60001)]
        return texts[::60000 // count]

    def test_written(self):
        """RDKit reads what is written as the molecule that it was, where labels say all hydrogens; where they do not, the hydrogen
        of [nH] may stand on another nitrogen."""
        from rdkit.Chem.rdMolDescriptors import CalcMolFormula
        texts = self.zinc(500) + ["[CH3]", "[NH4+].[Cl-]", "c1cc[cH-]c1", "[bH]1cccc1", "C[Si](C)(C)C", "[13CH3]O", "[O-][n+]1ccccc1",
                                  "F[P-](F)(F)(F)(F)F", "OS(=O)(=O)O", "C%12CC%12", "c1ccc2c(c1)[nH]c1ccccc12", "[2H]OC", "CC[Se]C"]
        with tempfile.TemporaryDirectory() as folder:
            for name, hydrogens in itertools.product(("m.smi", "m.sdf"), ("as-written", "labels")):
                path = os.path.join(folder, name)
                data = leman.Dataset.from_smiles(texts, names=[f"m{i}" for i in range(len(texts))], hydrogens=hydrogens)
                data._write(path)
                again = leman.Dataset.read(path, hydrogens=hydrogens)
                if name == "m.smi":  # an aromatic SDF does not say where the hydrogen of [nH] is, but for valences
                    self.assertEqual([sorted(g.vertex_labels) for g in data], [sorted(g.vertex_labels) for g in again])
                    with open(path, encoding="utf-8") as file:
                        written = [self.chem.MolFromSmiles(line.split("\t")[0]) for line in file]
                else:
                    written = list(self.chem.SDMolSupplier(path))
                for text, molecule in zip(texts, written):
                    with self.subTest(text, file=name, hydrogens=hydrogens):
                        self.assertIsNotNone(molecule)
                        before = self.chem.MolFromSmiles(text)
                        self.assertEqual(CalcMolFormula(molecule), CalcMolFormula(before))
                        if hydrogens == "labels":
                            self.assertEqual(self.chem.MolToSmiles(molecule, isomericSmiles=False), self.canonical(text))

    def test_scaffolds(self):
        """The same partition into groups as RDKit's scaffolds without stereochemistry, and without the hydrogens of [nH], which
        labels do not say: tautomers are one scaffold."""
        from rdkit.Chem.Scaffolds import MurckoScaffold
        texts = [t for t in self.zinc(2000) if self.chem.MolFromSmiles(t)] + ["CC", "CCO", "C1CCC2CCCCC2C1", "C1CCCC1C1CCCC1"]
        ours = leman.Dataset.from_smiles(texts).scaffolds()
        theirs = []
        for text in texts:
            scaffold = self.chem.MolFromSmiles(MurckoScaffold.MurckoScaffoldSmiles(mol=self.chem.MolFromSmiles(text), includeChirality=False))
            for atom in scaffold.GetAtoms():
                atom.SetNumExplicitHs(0)
                atom.SetNoImplicit(True)
            theirs.append(self.chem.MolToSmiles(scaffold))
        pairs = set(zip(ours.tolist(), theirs))
        self.assertEqual(len(pairs), len(set(theirs)), [p for p in pairs if sum(q[1] == p[1] for q in pairs) > 1][:10])
        self.assertEqual(len(pairs), len(set(ours.tolist())), [p for p in pairs if sum(q[0] == p[0] for q in pairs) > 1][:10])

    def test_explanations_of_molecules(self):
        """A molecule of RDKit and its SMILES, whose atoms have the same order, give the same weights; numbered anew, the weights
        follow the atoms. Nitrogen in a ring is what is learned, and it weighs most."""
        rings, tails = ("c1ccncc1", "c1ccccc1", "C1CCCCC1", "C1CCNCC1"), ("C", "CC", "CCO", "CF", "OC", "CCl", "C=O", "CS")
        texts = [ring + tail for tail in tails for ring in rings]
        for method in ("1-WL", "delta-2-LWL"):
            model = leman.GraphSVC(method, rounds=1, C=[10.0], folds=4).fit(texts, [int("n" in t.lower()) for t in texts])
            for text in ("c1ccncc1CCO", "OCC1CCNCC1"):
                molecule = self.chem.MolFromSmiles(text)
                found, same = model.explain(molecule), model.explain(text)
                np.testing.assert_allclose(found.weights, same.weights, atol=1e-12)
                self.assertAlmostEqual(found.weights.sum() + found.rest, found.value)
                self.assertAlmostEqual(found.edge_weights.sum() + found.edge_rest, found.value)
                bonds = {tuple(sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))) for b in molecule.GetBonds()}
                self.assertEqual({tuple(edge) for edge in found.edges.tolist()}, bonds)
                self.assertEqual(molecule.GetAtomWithIdx(int(np.argmax(found.weights))).GetSymbol(), "N")
                order = list(range(molecule.GetNumAtoms()))[::-1]
                renumbered = model.explain(self.chem.RenumberAtoms(molecule, order))
                np.testing.assert_allclose(renumbered.weights, found.weights[order], atol=1e-9)
                self.assertIn("</svg>", found._repr_svg_())
                self.assertIn(">N", found._repr_svg_())

    def test_scaffold_folds(self):
        texts = [f"C1{'C' * (1 + i % 6)}C1{'C' * (i % 5)}O" for i in range(60)]
        data = leman.Dataset.from_smiles(texts, y=[i % 6 % 2 for i in range(60)])
        found = leman.evaluate(data, ["1-WL"], rounds=1, C=[1.0], repetitions=1, folds=3, scaffold=True)
        self.assertEqual(len(found["1-WL"].folds), 3)
        usual = leman.evaluate(data, ["1-WL"], rounds=1, C=[1.0], repetitions=1, folds=3)
        self.assertNotEqual([f["test"] for f in found["1-WL"].folds], [f["test"] for f in usual["1-WL"].folds])
        with self.assertRaises(leman.ArgumentError):
            leman.evaluate(data, ["1-WL"], scaffold=True, stratified=True)


if __name__ == "__main__":
    package.main()
