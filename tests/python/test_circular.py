"""1-WL on the atom labels `ecfp` and `fcfp` against RDKit's Morgan environments: the same partition of (molecule, atom, radius).
With LEMAN_MOLECULES=all 100,000 molecules of ZINC, all of MoleculeACE and MoleculeNet, and 10,000 random ones instead of samples.

The environments of a radius are computed here from RDKit's invariants of atoms and RDKit's bonds, as nested tuples. Equal colours must
mean equal environments, and the reverse; and each environment must have one number of RDKit's fingerprint generator. The reverse
of the latter does not hold: RDKit hashes to 32 bits, and small numbers (features) collide often. Two more things are RDKit's own: it
has no environments around atoms without bonds; and 13C is C to it, since it rounds the difference between the mass of an isotope and the
mean mass of the element towards 0."""
import gzip
import os
import unittest

import numpy as np

import package
import leman
import test_aromatic

ALL = test_aromatic.ALL
RADIUS = 3
ODD = """C[N+](=O)[O-] O=S(=O)(O)c1ccccc1 CC(N)C(=O)O c1ccc2[nH]ccc2c1 C[S-] OP(=O)(O)O [NH4+].[Cl-] CN(C)C CNC(C)=O NC(=O)N c1cnoc1 c1ccsc1
c1ccoc1 Oc1ccncc1 NS(=O)(=O)C CC(=S)O CC(=O)[O-] C[n+]1ccccc1 FC(Br)(I)Cl N#Cc1ccccc1 C1CC2CCC1C2 O=C1CCCN1 CN=C(N)N NO ON=C C[NH+](C)C OO CSC
CS(C)=O [O-][n+]1ccccc1 C[Si](C)(C)C B(O)O [Na+].[O-]C(=O)C O=c1cc[nH]cc1 c1nc2ccccc2s1 c1ccc2occc2c1 N1C=CC=C1 C1=CC=CN1C CC(=NO)C O=C(O)C(=O)O
SC=O CC(=O)S [C-]#N C[N-]C [OH-] [SH-] P CP(C)C O=P(O)C NN CN(C)N=O C=N C=NC CN(c1ccccc1)C Nc1ccccc1 CNc1ccccc1 C1CCN(CC1)C(=O)C [14CH4] CC([2H])C
[H][H] [H+] O[Se]C C1=CN=CO1 o1cncc1 s1nccc1 o1c2ccccc2nc1 CC(C)(C)[NH3+] CN(C)(C)=O CC(O)=[NH2+] CC(=[OH+])O OS(=O)O [O-]S(=O)C CC(=P)O N""".split()


def is_readable(text):
    """RDKit is more lenient: it takes C\\\\C with two marks."""
    try:
        return len(leman.Dataset.from_smiles([text])) == 1
    except leman.InputError:
        return False


def numbers(molecule, features):
    """{(atom, radius): number of the fingerprint generator}"""
    from rdkit.Chem import rdFingerprintGenerator as generators
    invariants = generators.GetMorganFeatureAtomInvGen() if features else None
    made = generators.GetMorganGenerator(radius=RADIUS, includeRedundantEnvironments=True, atomInvariantsGenerator=invariants)
    more = generators.AdditionalOutput()
    more.AllocateBitInfoMap()
    made.GetSparseCountFingerprint(molecule, additionalOutput=more)
    return {(atom, radius): bit for bit, places in more.GetBitInfoMap().items() for atom, radius in places}


def environments(molecule, features, names):
    """[radius][atom]: an environment is its atom's invariant, or its smaller one with the sorted bonds and environments around; names
    has a short number for each."""
    from rdkit.Chem import rdMolDescriptors as descriptors
    invariants = descriptors.GetFeatureInvariants(molecule) if features else descriptors.GetConnectivityInvariants(molecule)
    bonds = [[] for _ in invariants]
    for bond in molecule.GetBonds():
        u, v, kind = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), int(bond.GetBondType())
        bonds[u].append((kind, v))
        bonds[v].append((kind, u))
    rounds = [[names.setdefault((0, invariant), len(names)) for invariant in invariants]]
    for radius in range(1, RADIUS + 1):
        last = rounds[-1]
        rounds.append([names.setdefault((radius, own, tuple(sorted((kind, last[v]) for kind, v in around))), len(names))
                       for own, around in zip(last, bonds)])
    return rounds


@package.needs("rdkit")
class Circular(unittest.TestCase):
    def setUp(self):
        from rdkit import Chem, rdBase
        self.chem, self.quiet = Chem, rdBase.BlockLogs()

    def compare(self, texts, labels):
        pairs = [(text, self.chem.MolFromSmiles(text)) for text in texts]
        pairs = [(text, molecule) for text, molecule in pairs if molecule is not None and is_readable(text)]
        self.assertGreater(len(pairs), 0.9 * len(texts))
        data = leman.Dataset.from_smiles([text for text, _ in pairs], atom_labels=labels, aromatic="rdkit", hydrogens="implicit")
        names, theirs, ours, known = {}, {}, {}, {}
        for (text, molecule), graph in zip(pairs, data):
            made, exact = numbers(molecule, labels == "fcfp"), environments(molecule, labels == "fcfp", names)
            isolated = {atom.GetIdx() for atom in molecule.GetAtoms() if not atom.GetDegree()}
            self.assertEqual(set(made), {(a, r) for a in range(molecule.GetNumAtoms()) for r in range(RADIUS + 1) if not r or a not in isolated})
            for radius in range(RADIUS + 1):
                color = np.asarray(leman.colors(graph, "1-WL", radius)).tolist()
                self.assertEqual(len(color), molecule.GetNumAtoms(), text)
                for atom, (own, environment) in enumerate(zip(color, exact[radius])):
                    self.assertEqual(theirs.setdefault((radius, own), environment), environment, (text, atom, radius))
                    self.assertEqual(ours.setdefault(environment, own), own, (text, atom, radius))
                    if atom not in isolated:
                        self.assertEqual(known.setdefault(environment, made[atom, radius]), made[atom, radius], (text, atom, radius))
        return len(pairs), len(ours), len(set(known.values()))

    def both(self, texts):
        for labels in ("ecfp", "fcfp"):
            counts = self.compare(texts, labels)
            if ALL:
                print(f"{labels}: {counts[0]} molecules, {counts[1]} environments, {counts[2]} numbers of RDKit", flush=True)

    def test_odd_groups(self):
        self.both(ODD)

    def test_zinc(self):
        path = os.path.join(package.DATA, "ZINC_full.csv.gz")
        if not os.path.exists(path):
            self.skipTest("the data set ZINC_full.csv.gz is not here")
        with gzip.open(path, "rt") as file:
            self.both([line.split(",")[0] for line in file][1:100001 if ALL else 300])

    def test_moleculenet_and_moleculeace(self):
        for name in ("moleculenet.zip", "moleculeace.zip"):
            for texts in test_aromatic.Aromatic.tables(self, name):
                self.both(texts if ALL else texts[::6])

    def test_random(self):
        self.both(test_aromatic.Aromatic.random_texts(self, 10000 if ALL else 150, 7))

    def test_kernel(self):
        """ECFP4 and FCFP4 are the min-max similarity of RDKit's counts of all environments, as `ECFP4` and with labels and options."""
        from rdkit import DataStructs
        texts = [text for text in ODD if "." not in text and self.chem.MolFromSmiles(text).GetNumBonds()]
        for method, labels in (("ECFP4", "ecfp"), ("FCFP4", "fcfp")):
            data = leman.Dataset.from_smiles(texts, atom_labels=labels, aromatic="rdkit", hydrogens="implicit")
            names, counts = {}, []
            for text in texts:
                count = DataStructs.ULongSparseIntVect(2 ** 31 - 1)
                for environment in sum(environments(self.chem.MolFromSmiles(text), labels == "fcfp", names)[:3], []):
                    count[environment] += 1
                counts.append(count)
            expected = np.array([DataStructs.BulkTanimotoSimilarity(count, counts) for count in counts])
            np.testing.assert_allclose(leman.WLKernel(method).fit_transform(data), expected, atol=1e-12)
            np.testing.assert_allclose(leman.WLKernel("1-WL", 2, normalize="minmax").fit_transform(data), expected, atol=1e-12)
            raw = leman.WLKernel("1-WL", 2, normalize=False).fit_transform(data)
            tanimoto = raw / (np.diag(raw)[:, None] + np.diag(raw) - raw)
            np.testing.assert_allclose(leman.WLKernel("1-WL", 2, normalize="tanimoto").fit_transform(data), tanimoto, atol=1e-12)

    def test_model(self):
        """A model of ECFP4 is scikit-learn's SVM on the matrix, also when it is read back."""
        from sklearn.svm import SVC
        import tempfile
        texts = [text for text in ODD if self.chem.MolFromSmiles(text) is not None]
        data = leman.Dataset.from_smiles(texts, y=[text.count("C") % 2 for text in texts], atom_labels="ecfp", hydrogens="implicit")
        model = leman.GraphSVC("ECFP4", C=10.0, svm="kernel").fit(data)
        matrix = leman.WLKernel("ECFP4").fit_transform(data)
        expected = SVC(kernel="precomputed", C=10.0, tol=1e-6).fit(matrix, data.y).decision_function(matrix)
        np.testing.assert_allclose(model.decision_function(data), expected, atol=2e-3)
        with tempfile.TemporaryDirectory() as folder:
            model.save(os.path.join(folder, "m.lm"))
            again = leman.load_model(os.path.join(folder, "m.lm"))
            np.testing.assert_array_equal(again.decision_function(data), model.decision_function(data))
        with self.assertRaisesRegex(leman.InputError, "atom_labels=\"ecfp\""):
            leman.GraphSVC("ECFP4").fit(leman.Dataset.from_smiles(texts, y=data.y))
        with self.assertRaisesRegex(leman.ArgumentError, "'minmax'"):
            leman.WLKernel(normalize="none").fit_transform(data)

    def test_one_alone(self):
        with self.assertRaisesRegex(leman.ArgumentError, "alone"):
            leman.Dataset.from_smiles(["C"], atom_labels="ecfp,element")


if __name__ == "__main__":
    package.main()
