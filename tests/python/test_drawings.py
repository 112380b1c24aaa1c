"""Drawings of molecules: coordinates beside RDKit's, measured from the coordinates alone."""
import csv
import gzip
import os
import tempfile
import unittest

import numpy as np

import package
import leman

BRIDGED = {"norbornane": "C1CC2CCC1C2", "adamantane": "C1C2CC3CC1CC(C2)C3", "camphor": "CC1(C)C2CCC1(C)C(=O)C2", "cubane": "C12C3C4C1C5C2C3C45",
           "morphine": "CN1CCC23C4C1CC5=C2C(=C(C=C5)O)OC3C(C=C4)O", "tropane": "CN1C2CCCC1CC2", "quinuclidine": "C1CN2CCC1CC2",
           "strychnine": "C1CN2CC3=CCOC4CC(=O)N5C6C4C3CC2C61C7=CC=CC=C75", "pinene": "CC1=CCC2CC1C2(C)C", "twistane": "C1CC2CC3CCC2CC13",
           "longifolene": "CC1(C)CCCC2(C)C3CCC(C12)C3=C", "cocaine": "COC(=O)C1C(OC(=O)c2ccccc2)CC2CCC1N2C", "prismane": "C12C3C1C1C2C31",
           "artemisinin": "CC1CCC2C(C)C(=O)OC3OC4(C)CCC1C23OO4", "quinine": "COc1ccc2nccc(C(O)C3CC4CCN3CC4C=C)c2c1", "urotropine": "C1N2CN3CN1CN(C2)C3",
           "porphine": "C1=CC2=CC3=CC=C(N3)C=C4C=CC(=N4)C=C5C=CC(=CC1=N2)N5", "crown ether": "C1COCCOCCOCCOCCOCCO1", "spiro": "C1CCC2(CC1)CCC1(CCCC1)CC2",
           "stearic acid": "CCCCCCCCCCCCCCCCCC(=O)O", "betaine": "C[N+](C)(C)CC(=O)[O-]", "propellane": "C1CC23CCCC2(C1)CCC3"}


def measured(place, bonds):
    """The smallest distance of two atoms in median bonds, the crossings of bonds, and the standard deviation of the bonds' lengths."""
    a, b = bonds[:, 0], bonds[:, 1]
    length = np.linalg.norm(place[a] - place[b], axis=1)
    place = place / np.median(length)
    apart = np.linalg.norm(place[:, None] - place[None], axis=-1)
    np.fill_diagonal(apart, np.inf)

    def side(p, q, r):
        return (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])

    p, q, r, s = place[a][:, None], place[b][:, None], place[a][None], place[b][None]
    cross = (side(p, q, r) * side(p, q, s) < -1e-9) & (side(r, s, p) * side(r, s, q) < -1e-9)
    shared = (a[:, None] == a) | (a[:, None] == b) | (b[:, None] == a) | (b[:, None] == b)
    return apart.min(), (cross & ~shared).sum() / 2, np.std(length / np.median(length))


@package.needs("rdkit")
class BesideRDKit(unittest.TestCase):
    def both(self, smiles):
        """[molecules, 2 (ours, RDKit's), 3 measures]"""
        from rdkit import Chem
        from rdkit.Chem import AllChem
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "drawn.sdf")
            leman.Dataset.from_smiles(smiles).save(path)
            drawn = list(Chem.SDMolSupplier(path, sanitize=False, removeHs=False))
        self.assertEqual(len(drawn), len(smiles))
        found = []
        for text, ours in zip(smiles, drawn):
            theirs = Chem.MolFromSmiles(text)
            AllChem.Compute2DCoords(theirs)
            found.append([measured(m.GetConformer().GetPositions()[:, :2], np.array([(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in m.GetBonds()]))
                          for m in (ours, theirs)])
        found = np.array(found)
        for name, column in zip(("ours", "RDKit's"), (0, 1)):
            m = found[:, column]
            print(f"{len(smiles)} molecules, {name}: smallest distance {m[:, 0].mean():.3f} on average, {m[:, 0].min():.3f} at least; {m[:, 1].sum():.0f} "
                  f"crossings in {(m[:, 1] > 0).sum()} molecules; deviation of bonds {m[:, 2].mean():.4f}")
        return found

    def no_worse(self, found):
        ours, theirs = found.mean(axis=0)
        self.assertGreaterEqual(ours[0], theirs[0])
        self.assertLessEqual(ours[1], theirs[1])
        self.assertGreaterEqual(found[:, 0, 0].min(), 0.45)

    def test_bridged(self):
        found = self.both(list(BRIDGED.values()))
        self.no_worse(found)
        crossed = [name for name, of in zip(BRIDGED, found[:, 0, 1]) if of]
        self.assertEqual(crossed, [])

    def test_zinc(self):
        path = os.path.join(package.DATA, "ZINC_full.csv.gz")
        if not os.path.exists(path):
            self.skipTest("the data set ZINC_full.csv.gz is not here")
        with gzip.open(path, "rt") as file:
            smiles = [row["smiles"] for row in csv.DictReader(file)]
        found = self.both(smiles[:: len(smiles) // 1000][:1000])
        self.no_worse(found)
        self.assertLessEqual(found[:, 0, 2].mean(), found[:, 1, 2].mean())


if __name__ == "__main__":
    package.main()
