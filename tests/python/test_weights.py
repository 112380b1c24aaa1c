"""Weights of samples, censored targets and several tasks of GraphSVC and GraphSVR: against scikit-learn, a quadratic program of SciPy,
single fits and the program."""
import json
import os
import pickle
import subprocess
import tempfile
import unittest

import numpy as np
from scipy.optimize import minimize
from sklearn.metrics import accuracy_score, roc_auc_score
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR

import package
import leman

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__)))), "leman")
FIXED = {"method": "1-WL", "rounds": 2, "C": [1.0], "folds": 3, "random_state": 5}


def molecules(count=60):
    """SMILES of chains with a few groups, classes that depend on a group with some noise, and values."""
    rng = np.random.default_rng(3)
    smiles, classes, values = [], [], []
    for _ in range(count):
        parts = rng.choice(["C", "CC", "C(O)", "C(N)", "C(=O)", "C(F)", "c1ccccc1"], int(rng.integers(2, 6)))
        smiles.append("C" + "".join(parts) + "C")
        oxygens = sum("O" in part for part in parts)
        classes.append(int(oxygens + rng.normal(0, 0.7) > 1))
        values.append(float(oxygens + 0.3 * len(parts) + rng.normal(0, 0.3)))
    return smiles, np.array(classes), np.array(values), rng.choice([0.02, 0.3, 1, 4, 25], count)


def features(smiles):
    """Rows of length 1."""
    found = leman.WLVectorizer("1-WL", 2).fit_transform(smiles).toarray().astype(float)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


class Weights(unittest.TestCase):
    def setUp(self):
        self.smiles, self.y, self.values, self.w = molecules()
        self.x = features(self.smiles)
        self.k = self.x @ self.x.T

    def close(self, found, expected, unweighted, tolerance):
        """Equal up to the tolerance of the solvers, and not what a fit without weights gives."""
        self.assertLess(np.abs(found - expected).max(), tolerance)
        self.assertGreater(np.abs(unweighted - expected).max(), 5 * tolerance)

    def test_kernel_svc(self):
        expected = SVC(kernel="precomputed", C=1.0, tol=1e-5).fit(self.k, self.y, sample_weight=self.w).decision_function(self.k)
        found = leman.GraphSVC(svm="kernel", **FIXED).fit(self.smiles, self.y, sample_weight=self.w)
        plain = leman.GraphSVC(svm="kernel", **FIXED).fit(self.smiles, self.y)
        self.close(found.decision_function(self.smiles), expected, plain.decision_function(self.smiles), 0.01)

    def test_linear_svc(self):
        oracle = LinearSVC(C=1.0, dual=False, tol=1e-9, max_iter=100000).fit(self.x, self.y, sample_weight=self.w)
        found = leman.GraphSVC(svm="linear", **FIXED).fit(self.smiles, self.y, sample_weight=self.w)
        plain = leman.GraphSVC(svm="linear", **FIXED).fit(self.smiles, self.y)
        self.close(found.decision_function(self.smiles), oracle.decision_function(self.x), plain.decision_function(self.smiles), 0.05)

    def test_classes_have_weights_too(self):
        """The factors of a class and of a sample are multiplied, in a kernel SVM of three classes."""
        three = self.y + (self.values > 2.5)
        oracle = SVC(kernel="precomputed", C=1.0, tol=1e-5, class_weight={0: 3.0}).fit(self.k, three, sample_weight=self.w)
        found = leman.GraphSVC(svm="kernel", class_weight={0: 3.0}, **FIXED).fit(self.smiles, three, sample_weight=self.w)
        self.assertEqual(found.predict(self.smiles).tolist(), oracle.predict(self.k).tolist())

    def scaled(self, weights):
        mean = np.average(self.values, weights=weights)
        deviation = np.sqrt(np.average((self.values - mean) ** 2, weights=weights))
        return (self.values - mean) / deviation, mean, deviation

    def test_svr(self):
        y, mean, deviation = self.scaled(self.w)
        kernel = SVR(kernel="precomputed", C=1.0, epsilon=0.1, tol=1e-5).fit(self.k, y, sample_weight=self.w).predict(self.k)
        linear = LinearSVR(C=1.0, epsilon=0.1, loss="squared_epsilon_insensitive", dual=False, tol=1e-9, max_iter=100000)
        linear = linear.fit(self.x, y, sample_weight=self.w).predict(self.x)
        for svm, expected in (("kernel", kernel), ("linear", linear)):
            found = leman.GraphSVR(svm=svm, **FIXED).fit(self.smiles, self.values, sample_weight=self.w).predict(self.smiles)
            plain = leman.GraphSVR(svm=svm, **FIXED).fit(self.smiles, self.values).predict(self.smiles)
            self.close(found, expected * deviation + mean, plain, 0.02 * deviation)

    def test_weight_2_is_two_graphs(self):
        """In the final fit: doubled graphs give the same decisions."""
        w = np.where(self.y == 1, 2.0, 1.0)
        double = self.smiles + [s for s, c in zip(self.smiles, self.y) if c == 1]
        labels = np.concatenate([self.y, np.ones(int(self.y.sum()), int)])
        a = leman.GraphSVC(svm="kernel", **FIXED).fit(self.smiles, self.y, sample_weight=w)
        b = leman.GraphSVC(svm="kernel", **FIXED).fit(double, labels)
        self.assertLess(np.abs(a.decision_function(self.smiles) - b.decision_function(self.smiles)).max(), 0.01)

    def test_selection_is_weighted(self):
        """With leave-one-out folds every decision of the cross-validation can be had by scikit-learn: its score is weighted."""
        held = np.array([SVC(kernel="precomputed", C=1.0, tol=1e-6).fit(
            np.delete(np.delete(self.k, i, 0), i, 1), np.delete(self.y, i), sample_weight=np.delete(self.w, i)).decision_function(
            np.delete(self.k[i], i)[np.newaxis])[0] for i in range(len(self.y))])
        if np.abs(held).min() < 0.002:
            self.fail("a decision is too near 0 for this test")
        expected = {"accuracy": accuracy_score(self.y, held > 0, sample_weight=self.w),
                    "auc": roc_auc_score(self.y, held, sample_weight=self.w)}
        for scoring, value in expected.items():
            model = leman.GraphSVC(svm="kernel", scoring=scoring, **{**FIXED, "folds": len(self.y)}).fit(self.smiles, self.y, sample_weight=self.w)
            self.assertAlmostEqual(model.score_, 100 * value, delta=0.2 if scoring == "auc" else 1e-6)
        if abs(expected["accuracy"] - accuracy_score(self.y, held > 0)) < 0.01:
            self.fail("weights make no difference here")

    def test_what_is_refused(self):
        for wrong in (0.0, -1.0, np.nan, np.inf):
            w = self.w.copy()
            w[7] = wrong
            with self.assertRaisesRegex(leman.InputError, "as the weight of graph 7, expected a number above 0"):
                leman.GraphSVC(**FIXED).fit(self.smiles, self.y, sample_weight=w)
        labels = self.y.astype(float)
        labels[7] = np.nan
        w[7] = np.nan  # a graph without a class takes no part
        leman.GraphSVC(**FIXED).fit(self.smiles, labels, sample_weight=w)
        with self.assertRaisesRegex(leman.InputError, "sample_weight: found an array of shape"):
            leman.GraphSVC(**FIXED).fit(self.smiles, self.y, sample_weight=w[:5])


def charged(error, bound):
    """What of an error f - y counts: beyond a bound, nothing on its free side."""
    return np.where(bound > 0, np.minimum(error, 0), np.where(bound < 0, np.maximum(error, 0), error))


def quadratic_program(k, y, bound, epsilon=0.1):
    """Epsilon-SVR with C = 1 on a kernel matrix by its dual: the variable of a side that a bound leaves free is 0."""
    n = len(y)

    def objective(a):
        b = a[:n] - a[n:]
        kb = k @ b
        return 0.5 * b @ kb - y @ b + epsilon * a.sum(), np.concatenate([kb - y + epsilon, y - kb + epsilon])

    limits = [(0, 0 if c < 0 else 1) for c in bound] + [(0, 0 if c > 0 else 1) for c in bound]
    ones = np.concatenate([np.ones(n), -np.ones(n)])
    solution = minimize(objective, np.zeros(2 * n), jac=True, bounds=limits, method="SLSQP",
                        constraints={"type": "eq", "fun": lambda a: ones @ a, "jac": lambda a: ones},
                        options={"maxiter": 1000, "ftol": 1e-12})
    f = k @ (solution.x[:n] - solution.x[n:])
    loss = lambda bias: np.maximum(np.abs(charged(f + bias - y, bound)) - epsilon, 0).sum()
    grid = np.linspace(-4, 4, 8001)
    losses = np.array([loss(bias) for bias in grid])
    best = grid[losses < losses.min() + 1e-9]
    return f + best.mean(), 0.5 * f @ (solution.x[:n] - solution.x[n:]) + loss(best.mean())


class Censored(unittest.TestCase):
    def setUp(self):
        smiles, _, values, _ = molecules(40)
        self.smiles = smiles
        self.bound = np.array([0, 0, 1, -1] * 10)
        self.values = values - self.bound * np.random.default_rng(2).uniform(0.2, 2, 40).round(3)
        self.x = features(smiles)
        self.mean, self.deviation = self.values.mean(), self.values.std()
        self.y = (self.values - self.mean) / self.deviation

    def test_kernel(self):
        expected, least = quadratic_program(self.x @ self.x.T, self.y, self.bound)
        found = leman.GraphSVR(svm="kernel", **FIXED).fit(self.smiles, self.values, censoring=self.bound).predict(self.smiles)
        plain = leman.GraphSVR(svm="kernel", **FIXED).fit(self.smiles, self.values).predict(self.smiles)
        self.assertLess(np.abs(found - (expected * self.deviation + self.mean)).max(), 0.03)
        self.assertGreater(np.abs(plain - found).max(), 0.1)

    def test_linear(self):
        x = np.hstack([self.x, np.ones((len(self.y), 1))])

        def objective(w):
            error = charged(x @ w - self.y, self.bound)
            beyond = np.sign(error) * np.maximum(np.abs(error) - 0.1, 0)
            return 0.5 * w @ w + beyond @ beyond, w + 2 * x.T @ beyond

        w = minimize(objective, np.zeros(x.shape[1]), jac=True, options={"gtol": 1e-10, "maxiter": 10000}).x
        found = leman.GraphSVR(svm="linear", **FIXED).fit(self.smiles, self.values, censoring=self.bound).predict(self.smiles)
        plain = leman.GraphSVR(svm="linear", **FIXED).fit(self.smiles, self.values).predict(self.smiles)
        self.assertLess(np.abs(found - (x @ w * self.deviation + self.mean)).max(), 0.005)
        self.assertGreater(np.abs(plain - found).max(), 0.05)

    def test_scores_count_only_what_lies_beyond_a_bound(self):
        """With leave-one-out folds and a linear SVM every prediction of the cross-validation can be had."""
        n = len(self.values)
        held = np.array([leman.GraphSVR(svm="linear", **FIXED).fit(
            [s for j, s in enumerate(self.smiles) if j != i], np.delete(self.values, i),
            censoring=np.delete(self.bound, i)).predict([self.smiles[i]])[0] for i in range(n)])
        errors = charged(held - self.values, self.bound)
        for scoring, value in (("mae", np.abs(errors).mean()), ("rmse", np.sqrt((errors ** 2).mean()))):
            model = leman.GraphSVR(svm="linear", scoring=scoring, **{**FIXED, "folds": n}).fit(self.smiles, self.values, censoring=self.bound)
            self.assertAlmostEqual(model.score_, value, delta=0.02 * value)
        self.assertLess(np.abs(errors).mean(), 0.9 * np.abs(held - self.values).mean())

    def test_what_is_refused(self):
        for wrong, words in (([2] * 40, "censoring: found 2"), ([0] * 5, "censoring: found an array of shape"),
                             ([1] * 40, "all bounds, expected at least one value")):
            with self.assertRaisesRegex(leman.InputError, words):
                leman.GraphSVR(**FIXED).fit(self.smiles, self.values, censoring=wrong)
        with self.assertRaises(TypeError):
            leman.GraphGPR().fit(self.smiles, self.values, censoring=self.bound)

    def test_program(self):
        """Signs before numbers in a table are the bounds of the Python package; without the option they are refused with its name."""
        with tempfile.TemporaryDirectory() as folder:
            table, file = os.path.join(folder, "a.csv"), os.path.join(folder, "a.model")
            sign = {0: "", 1: ">", -1: "<="}
            with open(table, "w", encoding="utf-8") as out:
                out.write("smiles,other,IC50,last\n")
                out.writelines(f"{s},{i},{sign[int(b)]}{v!r},{i % 3}\n" for i, (s, v, b) in enumerate(zip(self.smiles, self.values.tolist(), self.bound)))
            how = [PROGRAM, "fit", table, "-a", "1-WL", "-r", "2", "-C", "1", "--folds", "3", "--seed", "5", "--target", "IC50", "-o", file]
            refused = subprocess.run(how, capture_output=True, text=True, check=False)
            self.assertNotEqual(refused.returncode, 0)
            self.assertIn("--censored", refused.stderr)
            report = json.loads(subprocess.run(how + ["--censored", "--json"], capture_output=True, text=True, check=True).stdout)
            self.assertEqual(report["bounds"], int(np.sum(self.bound != 0)))
            model = leman.GraphSVR(**FIXED).fit(self.smiles, self.values, censoring=self.bound)
            loaded = leman.load_model(file)
            self.assertEqual(loaded.predict(self.smiles).tolist(), model.predict(self.smiles).tolist())
            self.assertEqual(report["model"]["cv_error"], model.score_)


class Evaluations(unittest.TestCase):
    """evaluate() with weights and bounds: every fold by scikit-learn, or by fits that the tests above judge."""

    def setUp(self):
        self.smiles, self.y, self.values, self.w = molecules()
        self.x = features(self.smiles)
        self.how = {"rounds": 2, "C": [1.0], "repetitions": 1, "folds": 4, "random_state": 2}

    def test_weights_of_classes(self):
        kernel, scores, differ = self.x @ self.x.T, {}, 0
        for weighted in (False, True):
            result = leman.evaluate(self.smiles, "1-WL", y=self.y, svm="kernel", sample_weight=self.w, weighted_scores=weighted, **self.how)["1-WL"]
            scores[weighted] = result.folds
            for fold, parts in zip(result.folds, result.splits):
                train, test = parts["train"], parts["test"]
                oracle = SVC(kernel="precomputed", C=1.0, tol=1e-6).fit(kernel[np.ix_(train, train)], self.y[train], sample_weight=self.w[train])
                decision = oracle.decision_function(kernel[np.ix_(test, train)])
                self.assertGreater(np.abs(decision).min(), 1e-3)  # no prediction hangs on the tolerance of a solver
                own = self.w[test] if weighted else None
                self.assertAlmostEqual(fold["test"], 100 * accuracy_score(self.y[test], decision > 0, sample_weight=own), places=9)
                plain = SVC(kernel="precomputed", C=1.0, tol=1e-6).fit(kernel[np.ix_(train, train)], self.y[train])
                differ += int(np.sum((plain.decision_function(kernel[np.ix_(test, train)]) > 0) != (decision > 0)))
        self.assertGreater(differ, 0)
        self.assertNotEqual([fold["test"] for fold in scores[False]], [fold["test"] for fold in scores[True]])

    def test_bounds_of_targets(self):
        bound = np.array([0, 0, 1, -1, 0] * 12)
        y = self.values - bound * np.linspace(0.2, 2, 60).round(3)
        result = leman.evaluate(self.smiles, "1-WL", y=y, svm="linear", sample_weight=self.w, censoring=bound, **self.how)["1-WL"]
        plain = leman.evaluate(self.smiles, "1-WL", y=y, svm="linear", sample_weight=self.w, **self.how)["1-WL"]
        self.assertNotEqual([fold["test"] for fold in result.folds], [fold["test"] for fold in plain.folds])
        for fold, parts in zip(result.folds, result.splits):
            train, test = parts["train"], parts["test"]
            model = leman.GraphSVR(svm="linear", **FIXED).fit([self.smiles[i] for i in train], y[train], sample_weight=self.w[train],
                                                              censoring=bound[train])
            error = charged(model.predict([self.smiles[i] for i in test]) - y[test], bound[test])
            self.assertAlmostEqual(fold["test"], np.abs(error).mean(), delta=0.01)

    def test_program(self):
        """The options of the program are these arguments; scores say whether they are weighted."""
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "a.csv")
            sign = {0: "", 1: ">", -1: "<"}
            bound = [0, 1, -1] * 20
            with open(table, "w", encoding="utf-8") as out:
                out.write("smiles,active,IC50,sure\n")
                out.writelines(f"{s},{c},{sign[b]}{v!r},{w}\n" for s, c, v, w, b in zip(self.smiles, self.y, self.values.tolist(), self.w, bound))
            how = [PROGRAM, "evaluate", table, "-a", "1-WL", "-r", "2", "-C", "1", "--repetitions", "1", "--folds", "4", "--seed", "2",
                   "--sample-weights", "sure", "--censored"]
            report = json.loads(subprocess.run(how + ["--target", "IC50", "--json"], capture_output=True, text=True, check=True).stdout)
            result = leman.evaluate(self.smiles, "1-WL", y=self.values, sample_weight=self.w, censoring=bound, **self.how)["1-WL"]
            self.assertEqual(report["test_mean"], np.mean([fold["test"] for fold in result.folds]))
            self.assertEqual((report["bounds"], report["sample_weights"], report["weighted_scores"], report["baseline"]), (40, "sure", False, None))
            for more, words in (([], "not weighted; training weighted by sure"), (["--weighted-scores"], "scores weighted by sure")):
                said = subprocess.run(how[:-1] + ["--class", "active", *more], capture_output=True, text=True, check=True).stdout
                self.assertIn(words, " ".join(said.split()))

    def test_what_is_refused(self):
        with self.assertRaisesRegex(leman.ArgumentError, "weighted_scores"):
            leman.evaluate(self.smiles, "1-WL", y=self.y, weighted_scores=True, **self.how)
        with self.assertRaisesRegex(leman.Error, "censored targets, but classes"):
            leman.evaluate(self.smiles, "1-WL", y=self.y, censoring=[0] * 60, **self.how)
        with self.assertRaisesRegex(leman.ArgumentError, "sample_weight: found it beside a network"):
            leman.evaluate(self.smiles, ["1-WL", "GIN"], y=self.y, sample_weight=self.w, **self.how)


class Tasks(unittest.TestCase):
    def setUp(self):
        self.smiles, y, values, self.w = molecules()
        self.y = np.stack([y, values > 1.5, values > 2.5], axis=1).astype(float)
        self.y[::7, 0] = self.y[3::5, 1] = np.nan
        self.model = leman.GraphSVC(**FIXED).fit(self.smiles, self.y)

    def test_each_is_a_single_fit(self):
        decisions, found, probabilities = (f(self.smiles) for f in (self.model.decision_function, self.model.predict, self.model.predict_proba))
        self.assertEqual(decisions.shape, self.y.shape)
        for t in range(3):
            one = leman.GraphSVC(**FIXED).fit(self.smiles, self.y[:, t])
            self.assertEqual(one.decision_function(self.smiles).tolist(), decisions[:, t].tolist())
            self.assertEqual(one.predict(self.smiles).tolist(), found[:, t].tolist())
            self.assertEqual(one.predict_proba(self.smiles)[:, 1].tolist(), probabilities[:, t].tolist())
            self.assertEqual((one.rounds_, one.C_, one.score_), (self.model.rounds_[t], self.model.C_[t], self.model.score_[t]))
        known = ~np.isnan(self.y)
        self.assertAlmostEqual(self.model.score(self.smiles, self.y), np.mean((found == self.y)[known]))
        self.assertEqual(self.model.tasks_, ["0", "1", "2"])
        other = leman.GraphSVC(**FIXED).fit(self.smiles, 2 * self.y - 1)
        self.assertEqual(other.predict(self.smiles).tolist(), (2 * found - 1).tolist())
        self.assertEqual([known.tolist() for known in other.classes_], [[-1, 1]] * 3)

    def test_weights(self):
        weighted = leman.GraphSVC(**FIXED).fit(self.smiles, self.y, sample_weight=self.w)
        one = leman.GraphSVC(**FIXED).fit(self.smiles, self.y[:, 1], sample_weight=self.w)
        self.assertEqual(weighted.decision_function(self.smiles)[:, 1].tolist(), one.decision_function(self.smiles).tolist())
        self.assertNotEqual(weighted.decision_function(self.smiles).tolist(), self.model.decision_function(self.smiles).tolist())

    def test_explanations(self):
        for t in (1, "1"):
            found = self.model.explain(self.smiles[0], task=t)
            one = leman.GraphSVC(**FIXED).fit(self.smiles, self.y[:, 1]).explain(self.smiles[0])
            self.assertEqual((found.weights.tolist(), found.of), (one.weights.tolist(), one.of))
        self.assertTrue(self.model.top_features(self.smiles, 3, task=2))
        for wrong in (None, 3, "other"):
            with self.assertRaisesRegex(leman.ArgumentError, "task: found"):
                self.model.explain(self.smiles[0], task=wrong)
        with self.assertRaisesRegex(leman.ArgumentError, "the model has one task"):
            leman.GraphSVC(**FIXED).fit(self.smiles, self.y[:, 2]).explain(self.smiles[0], task=1)

    def test_files_are_those_of_the_program(self):
        """Both ways: bytes of a file that the program writes, predictions of the other's file, pickles."""
        expected = self.model.predict_proba(self.smiles)
        with tempfile.TemporaryDirectory() as folder:
            table, theirs, ours = (os.path.join(folder, name) for name in ("a.csv", "theirs.model", "ours.model"))
            with open(table, "w", encoding="utf-8") as out:
                out.write("smiles,a,b,c\n")
                out.writelines(f"{s},{','.join('' if np.isnan(x) else str(int(x)) for x in row)}\n" for s, row in zip(self.smiles, self.y))
            subprocess.run([PROGRAM, "fit", table, "-a", "1-WL", "-r", "2", "-C", "1", "--folds", "3", "--seed", "5", "--class", "a,b,c",
                            "-o", theirs, "--quiet"], check=True)
            loaded = leman.load_model(theirs)
            self.assertEqual(loaded.tasks_, ["a", "b", "c"])
            self.assertEqual(loaded.predict_proba(self.smiles).tolist(), expected.tolist())
            self.assertEqual(loaded.predict(self.smiles).tolist(), self.model.predict(self.smiles).tolist())
            leman.GraphSVC(**FIXED).fit(leman.Dataset.read(table)).save(ours)
            with open(theirs, "rb") as a, open(ours, "rb") as b:
                self.assertEqual(a.read(), b.read())
            self.model.save(ours)
            told = json.loads(subprocess.run([PROGRAM, "predict", "--model", ours, table, "--json", "--quiet"], capture_output=True,
                                             text=True, check=True).stdout)
            self.assertEqual([row["probabilities"] for row in told["predictions"]], expected.tolist())
            loaded.save(ours)
            with open(theirs, "rb") as a, open(ours, "rb") as b:
                self.assertEqual(a.read(), b.read())
        for copy in (pickle.loads(pickle.dumps(self.model)), pickle.loads(pickle.dumps(loaded))):
            self.assertEqual(copy.predict_proba(self.smiles).tolist(), expected.tolist())
        rows = self.model.predictions(["CCO", "not one", None])
        self.assertEqual(rows[0]["probabilities"]["2"], float(self.model.predict_proba(["CCO"])[0, 2]))
        self.assertNotIn("class", rows[1])

    def test_values(self):
        """A regression for each column, in a file of models that the program reads."""
        values = np.random.default_rng(1).normal(size=(len(self.smiles), 2)) + self.y[:, 2:]
        values[::6, 0] = np.nan
        bound = np.zeros(values.shape, int)
        bound[5] = 1
        model = leman.GraphSVR(**FIXED).fit(self.smiles, values, sample_weight=self.w, censoring=bound)
        for t in range(2):
            one = leman.GraphSVR(**FIXED).fit(self.smiles, values[:, t], sample_weight=self.w, censoring=bound[:, t])
            self.assertEqual(one.predict(self.smiles).tolist(), model.predict(self.smiles)[:, t].tolist())
            self.assertEqual(one.predict_interval(self.smiles)[1].tolist(), model.predict_interval(self.smiles)[1][:, t].tolist())
            self.assertEqual(one.explain(self.smiles[0]).weights.tolist(), model.explain(self.smiles[0], task=t).weights.tolist())
        with tempfile.TemporaryDirectory() as folder:  # the program's --target a,b
            table, theirs, ours = (os.path.join(folder, name) for name in ("a.csv", "theirs.model", "ours.model"))
            with open(table, "w", encoding="utf-8") as out:
                out.write("smiles,a,b\n")
                out.writelines(f"{s},{','.join('' if np.isnan(x) else repr(x) for x in row)}\n" for s, row in zip(self.smiles, values.tolist()))
            subprocess.run([PROGRAM, "fit", table, "-a", "1-WL", "-r", "2", "-C", "1", "--folds", "3", "--seed", "5", "--target", "a,b",
                            "-o", theirs, "--quiet"], check=True)
            plain = leman.GraphSVR(**FIXED).fit(leman.Dataset.read(table))
            plain.save(ours)
            with open(theirs, "rb") as a, open(ours, "rb") as b:
                self.assertEqual(a.read(), b.read())
            self.assertEqual(leman.load_model(theirs).tasks_, ["a", "b"])
            told = json.loads(subprocess.run([PROGRAM, "predict", "--model", theirs, table, "--json", "--quiet"], capture_output=True,
                                             text=True, check=True).stdout)
            self.assertEqual([row["targets"] for row in told["predictions"]], plain.predict(self.smiles).tolist())
        with tempfile.TemporaryDirectory() as folder:
            file, table = os.path.join(folder, "values.model"), os.path.join(folder, "a.smi")
            model.save(file)
            with open(table, "w", encoding="utf-8") as out:
                out.writelines(f"{s}\n" for s in self.smiles)
            told = json.loads(subprocess.run([PROGRAM, "predict", "--model", file, table, "--json", "--quiet"], capture_output=True,
                                             text=True, check=True).stdout)
            self.assertEqual([row["targets"] for row in told["predictions"]], model.predict(self.smiles).tolist())
            self.assertEqual([task["name"] for task in told["tasks"]], ["0", "1"])
            described = subprocess.run([PROGRAM, "info", file], capture_output=True, text=True, check=True).stdout
            self.assertIn("target 1", described)
            loaded = leman.load_model(file)
        for copy in (loaded, pickle.loads(pickle.dumps(model))):
            self.assertEqual(copy.predict(self.smiles).tolist(), model.predict(self.smiles).tolist())
        self.assertEqual(model.predictions([self.smiles[3]])[0]["value"]["1"], float(model.predict([self.smiles[3]])[0, 1]))

    def test_what_is_refused(self):
        with self.assertRaisesRegex(leman.InputError, "with other values than 0 and 1"):
            leman.GraphSVC(**FIXED).fit(self.smiles, self.y + 1)
        self.y[:, 1] = 0
        with self.assertRaisesRegex(leman.InputError, "task 1: .*one class only"):
            leman.GraphSVC(**FIXED).fit(self.smiles, self.y)


if __name__ == "__main__":
    package.main()
