"""Molecules as people have them in Python: tables of pandas, None and nan among them, lists where one is explained."""
import os
import tempfile
import unittest
import warnings

import numpy as np

import package
import leman

TEXTS = ["CCO", "CCC", "c1ccccc1", "CCN", "CCCO", "c1ccncc1"]
Y = [1, 0, 1, 0, 1, 1]


class Tables(unittest.TestCase):
    def test_explain(self):
        """A list of molecules gives a list of what each gives."""
        model = leman.GraphSVC("1-WL", folds=2).fit(TEXTS, Y)
        network = leman.nn.GraphNetwork("GIN-0", layers=1, width=4, epochs=1).fit(TEXTS, Y)
        for one in (model, network):
            for several in (TEXTS[:3], tuple(TEXTS[:3]), np.array(TEXTS[:3])):
                found = one.explain(several)
                self.assertEqual([list(why.weights) for why in found], [list(one.explain(text).weights) for text in TEXTS[:3]])
        with self.assertRaisesRegex(leman.InputError, "found 2 graphs, expected one"):
            model.explain(leman.Dataset.from_smiles(TEXTS[:2]))

    def test_missing(self):
        with self.assertRaisesRegex(leman.InputError, "SMILES 1: found None, expected a text"):
            leman.Dataset.from_smiles(["CCO", None])
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = leman.Dataset.from_smiles(["CCO", None, float("nan"), "CC"], [1, 2, 3, 4], on_error="skip")
        self.assertEqual(list(found.y), [1, 4])
        self.assertIn("2 of 4 SMILES cannot be read and were left out, the first is number 1", str(said[0].message))

    def test_positive(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("smiles,active\nCCO,TRUE\nCC,True\nCCC,1\nC,0\nO,FALSE\n")
            for words in ("true,1", ["TRUE", 1]):
                self.assertEqual(list(leman.Dataset.read(path, class_column="active", positive=words).y), [1, 1, 1, 0, 0])
            self.assertEqual(len(set(leman.Dataset.read(path, class_column="active").y)), 5)


@package.needs("pandas")
class Pandas(unittest.TestCase):
    def test_tables(self):
        import pandas
        for name in ("smiles", "Canonical_SMILES", "Structure", "mol"):
            table = pandas.DataFrame({"id": list("abcdef"), name: TEXTS, "y": Y})
            found = leman.Dataset.from_smiles(table, "y", names="id")
            self.assertEqual((list(found.y), found[1].name, found[2].num_vertices), (Y, "b", 6))
            self.assertEqual(len(leman.Dataset(table)), 6)
        with self.assertRaisesRegex(leman.InputError, "a table with the columns a, b, expected one called smiles"):
            leman.Dataset.from_smiles(pandas.DataFrame({"a": TEXTS, "b": Y}))


@package.needs("rdkit")
class Molecules(unittest.TestCase):
    def test_none(self):
        from rdkit import Chem
        molecules = [None] + [Chem.MolFromSmiles(text) for text in TEXTS]
        for convert in (leman.Dataset, leman.Dataset.from_rdkit):
            with self.assertRaisesRegex(leman.InputError, "molecule 0: found None, which RDKit gives .*on_error='skip'"):
                convert(molecules)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = leman.Dataset.from_rdkit(molecules, [5] + Y, names=list("abcdefg"), on_error="skip")
        self.assertEqual((list(found.y), found[0].name), (Y, "b"))
        self.assertIn("1 of 7 molecules are None and were left out, the first is number 0", str(said[0].message))
        model = leman.GraphSVC("1-WL", folds=2).fit(found)
        self.assertEqual(len(model.explain(molecules[1:3])), 2)


if __name__ == "__main__":
    package.main()
