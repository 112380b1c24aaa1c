"""The examples beside other tools: grid_search.py (scikit-learn), dask_workers.py (Dask) and duckdb_predictions.py (DuckDB) of examples/."""
import contextlib
import importlib.util
import io
import os
import tempfile
import unittest
import unittest.mock

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC, LinearSVC

import package
import leman


def example(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(package.SOURCE, "examples", name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class GridSearch(unittest.TestCase):
    def test_search(self):
        """Beside loops over the grid and the folds; the columns of a fold come from its training graphs."""
        module = example("grid_search")
        data = module.without_labels(leman.generate("molecules", graphs=60, vertices=12, seed=1))
        y = np.asarray(data.y)
        methods, rounds, C = ("1-WL", "delta-2-LWL"), (0, 2), (1.0, 100.0)
        found = module.search_over(methods, rounds, C, folds=3).fit(data, y)
        for i, asked in enumerate(found.cv_results_["params"]):
            scores = []
            for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(np.zeros(len(y)), y):
                vectors = leman.WLVectorizer(asked["wlvectorizer__method"], rounds=asked["wlvectorizer__rounds"], normalize=True)
                model = LinearSVC(C=asked["linearsvc__C"], max_iter=20_000, random_state=0).fit(vectors.fit_transform(data[train]), y[train])
                scores.append(np.mean(model.predict(vectors.transform(data[test])) == y[test]))
            np.testing.assert_allclose(found.cv_results_["mean_test_score"][i], np.mean(scores))
        self.assertEqual(len(found.cv_results_["params"]), 8)
        self.assertEqual(found.best_params_["wlvectorizer__method"], "delta-2-LWL")  # 1-WL does not see the classes
        self.assertGreater(found.best_score_, 0.8)


@package.needs("distributed")
class Workers(unittest.TestCase):
    def test_two_workers(self):
        """Both workers take part, and the numbers are those of this process; a worker that fails is an exception here."""
        from dask.distributed import Client, LocalCluster
        module = example("dask_workers")
        data = leman.generate("molecules", graphs=70, vertices=10, seed=1)
        y = np.asarray(data.y)
        kernel = leman.WLKernel("delta-2-LWL", rounds=2, normalize=True, n_jobs=1).fit(data[:50])
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            for rows in (9, 35, 100):
                np.testing.assert_array_equal(module.gram(client, kernel, data, rows), kernel.transform(data))
            self.assertEqual(len(client.scheduler_info()["workers"]), 2)
            found = module.search(client, data, y)
            with self.assertRaises(NotFittedError):
                module.gram(client, leman.WLKernel("1-WL"), data)  # not fitted
        for asked, score in zip(found.cv_results_["params"], found.cv_results_["mean_test_score"]):
            scores = []
            for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(np.zeros(len(y)), y):
                alone = leman.WLKernel("delta-2-LWL", rounds=asked["wlkernel__rounds"])
                model = SVC(kernel="precomputed", C=asked["svc__C"]).fit(alone.fit_transform(data[train]), y[train])
                scores.append(np.mean(model.predict(alone.transform(data[test])) == y[test]))
            np.testing.assert_allclose(score, np.mean(scores))


@package.needs("duckdb")
class Table(unittest.TestCase):
    TRAIN = [(smiles, label) for length in range(2, 8) for smiles, label in (("C" * length + "O", "alcohol"), ("C" * length + "N", "amine"))]
    NEW = [(1, "CCCCCO"), (2, None), (3, "C(("), (4, "NCCC"), (5, ""), (6, "OCCC"), (7, "CCN")]

    def database(self, connection):
        connection.execute("CREATE TABLE assays (smiles VARCHAR, kind VARCHAR)")
        connection.executemany("INSERT INTO assays VALUES (?, ?)", [*self.TRAIN, ("C((", "amine"), (None, "amine"), ("CCC", None)])
        connection.execute("CREATE TABLE candidates (id INTEGER, smiles VARCHAR)")
        connection.executemany("INSERT INTO candidates VALUES (?, ?)", self.NEW)

    def test_predictions(self):
        """Every row in its place, whatever the sizes of the parts, with what the model says of the molecule alone."""
        import duckdb
        module = example("duckdb_predictions")
        with duckdb.connect() as connection:
            self.database(connection)
            model, left_out = module.fit(connection, "SELECT smiles, kind FROM assays")
            self.assertEqual(left_out, 3)
            for rows_at_once in (1, 3, 100):
                query = "SELECT id, smiles FROM candidates ORDER BY id"
                self.assertEqual(module.predict(connection, model, query, rows_at_once=rows_at_once), len(self.NEW))
                rows = connection.execute("SELECT id, smiles, status, class, probability FROM candidates "
                                          "JOIN predictions ON CAST(id AS VARCHAR) = key ORDER BY id").fetchall()
                self.assertEqual([row[:2] for row in rows], self.NEW)
                for _, smiles, status, label, probability in rows:
                    if status == "ok":
                        shares = model.predict_proba([smiles])[0]
                        self.assertEqual(label, model.predict([smiles])[0])
                        self.assertAlmostEqual(probability, shares[list(model.classes_).index(label)], places=12)
                        self.assertEqual(label, "amine" if "N" in smiles else "alcohol")
                    else:
                        self.assertIsNone(label)
                        self.assertIsNone(probability)
                self.assertEqual([row[0] for row in rows if row[2] == "ok"], [1, 4, 6, 7])

    def test_failure_leaves_the_table(self):
        """A fault in the middle: the earlier table is still there, whole."""
        import duckdb
        module = example("duckdb_predictions")
        with duckdb.connect() as connection:
            self.database(connection)
            model, _ = module.fit(connection, "SELECT smiles, kind FROM assays")
            module.predict(connection, model, "SELECT id, smiles FROM candidates")
            with self.assertRaises(duckdb.Error), contextlib.redirect_stdout(io.StringIO()):
                module.predict(connection, model, "SELECT id, CASE WHEN id < 5 THEN smiles ELSE error('no') END FROM candidates", rows_at_once=1)
            self.assertEqual(connection.execute("SELECT count(*) FROM predictions").fetchone(), (len(self.NEW),))
            with self.assertRaisesRegex(leman.InputError, "no row with a SMILES and a class among 1"):
                module.fit(connection, "SELECT NULL, 'amine'")

    def test_command(self):
        import duckdb
        module, printed = example("duckdb_predictions"), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lab.duckdb")
            with duckdb.connect(path) as connection:
                self.database(connection)
            command = ["duckdb_predictions.py", path, "--train", "SELECT smiles, kind FROM assays", "--new", "SELECT id, smiles FROM candidates"]
            with unittest.mock.patch("sys.argv", command), contextlib.redirect_stdout(printed):
                module.main()
            self.assertEqual(printed.getvalue(), "7 predictions; 3 rows of --train took no part\n")
            with unittest.mock.patch("sys.argv", [*command[:-1], "SELECT id FROM nowhere"]), self.assertRaises(SystemExit) as ended:
                module.main()
            self.assertRegex(ended.exception.code, r"\Aduckdb_predictions: .*nowhere")
            with duckdb.connect(path) as connection:
                self.assertEqual(connection.execute("SELECT count(*) FROM predictions WHERE status = 'ok'").fetchone(), (4,))


if __name__ == "__main__":
    package.main()
