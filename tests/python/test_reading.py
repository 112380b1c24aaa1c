"""Models keep how molecules were read: SMILES are read in the same way, and molecules that were read in another way are refused."""
import os
import pickle
import tempfile
import unittest

import package
import leman

TEXTS = ["c1ccccc1C", "C1=CC=CC=C1O", "CCO", "CCC", "CCCO", "c1ccncc1", "Cc1ccccc1C", "CCN"]
Y = [1, 1, 0, 0, 0, 1, 1, 0]
KEKULE = "--aromatic kekule --hydrogens implicit --atom-labels element"


class Reading(unittest.TestCase):
    def setUp(self):
        self.data = leman.Dataset.from_smiles(TEXTS, Y, aromatic="kekule", atom_labels="element")

    def check(self, model):
        self.assertEqual(model.reading_, KEKULE)
        self.assertEqual(list(model.predict(TEXTS)), list(model.predict(self.data)))
        with self.assertRaisesRegex(leman.InputError, f"found molecules read with --aromatic rdkit .* expected {KEKULE}"):
            model.predict(leman.Dataset.from_smiles(TEXTS))

    def test_models(self):
        self.assertEqual(self.data.reading, KEKULE)
        self.assertEqual(self.data[2:4].reading, KEKULE)
        model = leman.GraphSVC("1-WL", folds=2).fit(self.data)
        self.check(model)
        self.check(pickle.loads(pickle.dumps(model)))
        self.assertEqual(max(model.out_of_vocabulary(TEXTS)), 0)
        self.assertAlmostEqual(model.explain(TEXTS[0]).value, model.explain(self.data[0]).value)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.lm")
            model.save(path)
            self.check(leman.load_model(path))

    def test_networks(self):
        self.check(leman.nn.GraphNetwork("GIN-0", layers=1, width=4, epochs=2).fit(self.data))

    def test_vectorizer(self):
        columns = leman.WLVectorizer("1-WL", rounds=1).fit(self.data)
        self.assertEqual((columns.transform(TEXTS) != columns.transform(self.data)).nnz, 0)

    def test_kernels(self):
        """A fitted kernel reads new SMILES as the graphs that it was fitted on, and refuses molecules that were read otherwise."""
        data = leman.Dataset.from_smiles(TEXTS, hydrogens="explicit")
        kernel = leman.WLKernel("1-WL", rounds=1, normalize=True).fit(data)
        for i, text in enumerate(TEXTS):
            self.assertAlmostEqual(kernel.transform([text])[0, i], 1)
        self.assertEqual(kernel.diagonal(TEXTS).tolist(), [1.0] * len(TEXTS))
        with self.assertRaisesRegex(leman.InputError, "found molecules read with"):
            kernel.transform(leman.Dataset.from_smiles(TEXTS))

    def test_made_in_memory(self):
        graphs = leman.Dataset.generate("csl")
        self.assertEqual(graphs.reading, "")


@package.needs("rdkit")
class Molecules(unittest.TestCase):
    def test_rdkit(self):
        """Molecules of RDKit are read as a model's were, or refused."""
        from rdkit import Chem
        molecules = [Chem.AddHs(Chem.MolFromSmiles(text)) for text in TEXTS]
        model = leman.GraphSVC("1-WL", folds=2).fit(leman.Dataset.from_rdkit(molecules, Y, hydrogens="as-written"))
        self.assertEqual(model.reading_, "--aromatic rdkit --hydrogens as-written --atom-labels element,charge,isotope,radical")
        self.assertEqual(max(model.out_of_vocabulary(molecules)), 0)
        self.assertEqual(list(model.predict(molecules)), list(model.predict(leman.Dataset.from_rdkit(molecules, hydrogens="as-written"))))
        with self.assertRaisesRegex(leman.InputError, "found molecules read with --aromatic rdkit --hydrogens implicit"):
            model.predict(leman.Dataset.from_rdkit(molecules))
        kekule = leman.GraphSVC("1-WL", folds=2).fit(leman.Dataset.from_smiles(TEXTS, Y, aromatic="kekule", atom_labels="element"))
        with self.assertRaisesRegex(leman.InputError, f"found molecules of RDKit .* {KEKULE}, expected SMILES"):
            kekule.predict(molecules)


if __name__ == "__main__":
    package.main()
