"""Predictions that are matched with rows: of a file of molecules, and of a list with None and faults."""
import os
import tempfile
import unittest

import package
import leman

TEXTS = ["c1ccccc1C", "C1=CC=CC=C1O", "CCO", "CCC", "CCCO", "c1ccncc1", "Cc1ccccc1C", "CCN"]
Y = [1, 1, 0, 0, 0, 1, 1, 0]


class Rows(unittest.TestCase):
    def setUp(self):
        self.model = leman.GraphSVC("1-WL", folds=2).fit(TEXTS, Y)

    def test_lists(self):
        given = [None, "CCO", "C1CC", "c1ccccc1", float("nan")]
        found = self.model.predictions(given)
        self.assertEqual([row["row"] for row in found], [0, 1, 2, 3, 4])
        self.assertEqual([row["status"] == "ok" for row in found], [False, True, False, True, False])
        self.assertIn("column 2: found '1'", found[2]["status"])
        self.assertEqual([row.get("class") for row in found], [None, 0, None, 1, None])
        np_class, probability = self.model.predict(["CCO"])[0], self.model.predict_proba(["CCO"])[0]
        self.assertEqual(found[1]["class"], np_class)
        self.assertEqual(list(found[1]["probabilities"].values()), probability.tolist())
        self.assertEqual(self.model.predictions([None]), [{"row": 0, "name": "", "smiles": "", "status": "found None, expected a graph"}])
        self.assertEqual(len(self.model.predictions(leman.Dataset.from_smiles(TEXTS))), len(TEXTS))

    def test_columns_of_a_prediction(self):
        """A column cannot take the place of what a prediction has itself."""
        for columns, named in ((["status"], "status"), (["a", "class"], "class"), (["a", "a"], "a")):
            with self.assertRaisesRegex(leman.InputError, f"columns: found '{named}'"):
                self.model.predictions("no.csv", columns=columns)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("name,smiles,batch\na,CCO,x\nbad,C1CC,y\nc,c1ccccc1,z\n")
            found = self.model.predictions(path, columns=["batch"])
            self.assertEqual([(row["name"], row["batch"], row.get("class")) for row in found], [("a", "x", 0), ("bad", "y", None), ("c", "z", 1)])
            with self.assertRaisesRegex(leman.InputError, "there is no column 'no'"):
                self.model.predictions(path, columns="no")
            graph6 = os.path.join(folder, "g.g6")
            with open(graph6, "w", encoding="utf-8") as file:
                file.write("Bw\n")
            with self.assertRaisesRegex(leman.InputError, "found no file of molecules"):
                self.model.predictions(graph6)
        with self.assertRaisesRegex(leman.InputError, "expected the path of a file"):
            self.model.predictions(TEXTS, columns="batch")

    def test_tables(self):
        """A table of pandas, or what looks like one, is taken by its column of SMILES."""
        class Column(list):
            def tolist(self):
                return list(self)

        class Table(dict):
            iloc = None

            @property
            def columns(self):
                return list(self)

        table = Table(id=Column(["a", "b"]), Canonical_SMILES=Column(["CCO", "CCN"]), active=Column([1, 0]))
        data = leman.Dataset.from_smiles(table, "active", names="id")
        self.assertEqual((list(data.y), data[1].name, data[1].vertex_labels), ([1, 0], "b", [6, 6, 7]))
        with self.assertRaisesRegex(leman.InputError, "found a table with the columns a, b, expected one called smiles"):
            leman.Dataset.from_smiles(Table(a=Column([1]), b=Column([2])))

    def test_explained_lists(self):
        found = self.model.explain(["CCO", "CCN"])
        self.assertEqual([one.weights.tolist() for one in found], [self.model.explain(text).weights.tolist() for text in ("CCO", "CCN")])

    def test_values(self):
        model = leman.GraphSVR("1-WL", folds=2).fit(TEXTS, [float(len(text)) for text in TEXTS])
        found = model.predictions(["CCO", None])
        self.assertAlmostEqual(found[0]["value"], model.predict(["CCO"])[0])
        self.assertNotIn("value", found[1])


if __name__ == "__main__":
    package.main()
