"""Features as substructures: RDKit finds the SMARTS of a feature at the atoms that have its colour, and nowhere else."""
import pickle
import unittest

import numpy as np
import package
import leman
from test_domain import molecules

ODD = ["C[N+](C)(C)CC(=O)[O-]", "[O-]C(=O)c1ccccc1", "CC#N", "c1ccc2[nH]ccc2c1", "OCC1CCCCC1", "Clc1ccc(Br)cc1", "CS(=O)(=O)C", "O=C=O", "CO", "C",
       "N[C@@H](C)C(=O)O", "c1ccc(-c2ccccc2)cc1", "FC(F)(F)c1ncccc1I", "CC1(C)OC1", "C1CC1", "CP(=O)(O)O"]

ROUNDS = 3


def known_bonds(molecule, atom, radius):
    """The ball of an atom, and its bonds but for those between two atoms of the last step."""
    from rdkit import Chem
    steps = Chem.GetDistanceMatrix(molecule)[atom]
    ends = [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in molecule.GetBonds()]
    return int((steps <= radius).sum()), sum(max(steps[u], steps[v]) <= radius and min(steps[u], steps[v]) < radius for u, v in ends)


class Substructures(unittest.TestCase):
    def compare(self, labels):
        """Both ways, at atoms whose known bonds have no ring: elsewhere a colour is also that of a chain or of a larger ring."""
        from rdkit import Chem
        texts = molecules(60, 4) + ODD
        read = [Chem.MolFromSmiles(text) for text in texts]
        data = leman.Dataset.from_smiles(texts, atom_labels=labels)
        names = leman.WLVectorizer("1-WL", rounds=ROUNDS).fit(data).get_feature_names_out()
        self.assertEqual(len(set(names)), len(names))
        smarts = {name.split()[1]: name.split()[0] for name in names}
        trees = [set() for _ in range(ROUNDS + 1)]
        atoms = {}
        for i, molecule in enumerate(read):
            for r in range(ROUNDS + 1):
                colors = leman.colors(data[i], "1-WL", r)
                for atom in range(molecule.GetNumAtoms()):
                    count, bonds = known_bonds(molecule, atom, r)
                    if bonds < count:
                        trees[r].add((i, atom))
                        atoms.setdefault((r, colors[atom]), set()).add((i, atom))
        self.assertGreater(len(atoms), 300)
        charged = {i for i, molecule in enumerate(read) if any(a.GetFormalCharge() for a in molecule.GetAtoms())}
        for (r, color), expected in atoms.items():
            pattern = Chem.MolFromSmarts(smarts[f"r{r}:{color:016x}"])
            if pattern.GetNumBonds() >= pattern.GetNumAtoms():
                continue  # the example has a ring
            found = {(i, match[0]) for i, molecule in enumerate(read)
                     for match in molecule.GetSubstructMatches(pattern, uniquify=False, maxMatches=10**6)}
            self.assertLessEqual(expected, found)
            if not any(i in charged for i, _ in expected):  # a charge of 0 is not written
                self.assertLessEqual({one for one in found if one[0] not in charged} & trees[r], expected)

    @package.needs("rdkit")
    def test_smarts(self):
        self.compare(None)

    @package.needs("rdkit")
    def test_hydrogens_in_labels(self):
        self.compare("element,charge,hydrogens")

    @package.needs("rdkit")
    def test_ecfp(self):
        self.compare("ecfp")

    def names(self, data, method, rounds):
        names = leman.WLVectorizer(method, rounds=rounds).fit(data).get_feature_names_out()
        return sorted(name.rsplit(maxsplit=1)[0] for name in names)

    def test_texts(self):
        """Letter by letter, what a colour knows."""
        for smiles, expected in (("CO", ["[#6]", "[#8]", "[CD1][#8]", "[OD1][#6]"]), ("c1ccccc1", ["[#6]", "[cD2](:c):c"]),
                                 ("C[NH3+]", ["[#6]", "[#7+]", "[CD1][#7+]", "[ND1+][#6]"])):
            self.assertEqual(self.names(leman.Dataset.from_smiles([smiles]), "1-WL", 1), expected)
        fluoride = leman.Dataset.from_smiles(["CF"])
        self.assertEqual(self.names(fluoride, "delta-2-LWL", 0), ["F", "[#6:1][F:2]", "[#6]", "[F:1][#6:2]"])
        donor = leman.Dataset.from_smiles(["CO"], atom_labels="fcfp")
        self.assertEqual(self.names(donor, "1-WL", 0), ["*", "[donor,acceptor]"])

    def test_other_graphs(self):
        import networkx as nx
        self.assertEqual(self.names([nx.path_graph(3)], "1-WL", 1), ["*", "[*;D1]~*", "[*;D2](~*)~*"])
        self.assertEqual(self.names([nx.cycle_graph(4)], "delta-2-LWL", 0), ["*", "[*:1].[*:2]", "[*:1]~[*:2]"])
        self.assertIn("(300 vertices)", self.names([nx.star_graph(299)], "1-WL", 1))
        directed = leman.Dataset.from_networkx([nx.DiGraph([(0, 1)])], directed=True)
        self.assertEqual(self.names(directed, "1-WL", 1), ["*", "*", "*>*"])
        paths = leman.WLVectorizer("SP").fit([nx.path_graph(3)]).get_feature_names_out()
        self.assertTrue(all(name.startswith("r0:") for name in paths))

    def test_pickled(self):
        vectorizer = leman.WLVectorizer("1-WL", rounds=1).fit(ODD)
        names = pickle.loads(pickle.dumps(vectorizer)).get_feature_names_out()
        np.testing.assert_array_equal(names, vectorizer.get_feature_names_out())

    def test_top_features(self):
        """Half of the molecules end with NC, the others with OC. That is the feature with the largest effect; effects are the
        deviations of what a count adds, by a model of two features that are counted by hand."""
        texts = [f"{'C' * (i % 7 + 1)}{'NO'[i % 2]}C" for i in range(60)]
        y = [i % 2 for i in range(60)]
        model = leman.GraphSVC("1-WL", rounds=1, folds=3).fit(texts, y)
        top = model.top_features(texts, 4)
        self.assertIn("[#8]", top[0]["substructure"] + top[1]["substructure"])
        for one in top:
            graph = leman.Dataset.from_smiles(texts)[one["example"]]
            colors = leman.colors(graph, "1-WL", one["round"])
            self.assertEqual(f"{colors[one['vertices'][0]]:016x}", one["color"])
            self.assertEqual(one["components"], 1)
            counts, lengths = [], []
            for text in texts:
                rounds = [leman.colors(leman.Dataset.from_smiles([text])[0], "1-WL", r) for r in range(2)]
                lengths.append(np.sqrt(sum((np.unique(c, return_counts=True)[1].astype(float) ** 2).sum() for c in rounds)))
                counts.append((rounds[one["round"]] == int(one["color"], 16)).sum())
            counts = np.array(counts)
            self.assertEqual((counts > 0).sum(), one["graphs"])
            self.assertAlmostEqual(one["effect"], abs(one["weight"]) * np.std(counts / np.array(lengths)), 6)
        other = model.top_features(texts, 4, of=0)
        self.assertEqual([one["weight"] for one in other], [-one["weight"] for one in top])
        with self.assertRaisesRegex(leman.ArgumentError, "of: found 7"):
            model.top_features(texts, of=7)
        with self.assertRaises(leman.Error):
            leman.GraphSVC("WLOA", rounds=1, folds=3).fit(texts, y).top_features(texts)


if __name__ == "__main__":
    package.main()
