"""GraphGPR beside scikit-learn's GaussianProcessRegressor with the same kernel matrices: predictions, deviations, likelihoods, gradients
and optima; leave-one-out beside fits without the graph; added graphs; files; what is refused."""
import os
import pickle
import tempfile
import unittest

import networkx as nx
import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Hyperparameter, Kernel
from sklearn.model_selection import cross_val_score

import package
import leman

ROUNDS = 2
SMILES = ["C" * n + end for n in range(1, 9) for end in ("O", "N", "Cl", "C(=O)O", "c1ccccc1")]


def graphs(count, seed=1):
    rng = np.random.default_rng(seed)
    made = []
    for i in range(count):
        graph = nx.gnm_random_graph(int(rng.integers(5, 10)), int(rng.integers(5, 12)), seed=int(rng.integers(10 ** 6)))
        nx.set_node_attributes(graph, {v: "CNO"[int(rng.integers(3))] for v in graph}, "label")
        made.append(graph)
    y = np.array([3 * sum(graph.nodes[v]["label"] == "N" for v in graph) / len(graph) + 0.3 * len(graph) for graph in made])
    return made, y + 0.1 * rng.standard_normal(count)


def round_matrices(listed, method, rounds=ROUNDS):
    """The normalised matrix of each round alone: differences of matrices of all rounds up to h."""
    sums = [leman.WLKernel(method, rounds=h, normalize=False).fit_transform(listed) for h in range(rounds + 1)]
    found = []
    for matrix in [sums[0], *(b - a for a, b in zip(sums, sums[1:]))]:
        length = np.sqrt(np.diag(matrix))
        found.append(matrix / np.outer(length, length))
    return np.array(found)


class Rounds(Kernel):
    """sum of weight * matrix over the rounds, plus noise on the diagonal, for inputs that are numbers of graphs."""

    def __init__(self, weights, noise, matrices=None, bounds=(1e-9, 1e9)):
        self.weights, self.noise, self.matrices, self.bounds_ = weights, noise, matrices, bounds
        self.bounds = bounds

    @property
    def hyperparameter_weights(self):
        return Hyperparameter("weights", "numeric", self.bounds_, len(self.weights))

    @property
    def hyperparameter_noise(self):
        return Hyperparameter("noise", "numeric", self.bounds_)

    def get_params(self, deep=True):
        return dict(weights=self.weights, noise=self.noise, matrices=self.matrices, bounds=self.bounds_)

    def set_params(self, **params):
        for name, value in params.items():
            setattr(self, "bounds_" if name == "bounds" else name, value)
        return self

    @property
    def bounds(self):
        return np.log(np.tile(self.bounds_, (len(self.weights) + 1, 1)))

    @bounds.setter
    def bounds(self, value):
        pass

    @property
    def theta(self):
        return np.log(np.append(self.noise, self.weights))  # in the order of their names

    @theta.setter
    def theta(self, theta):
        self.noise, self.weights = float(np.exp(theta[0])), np.exp(theta[1:])

    def __call__(self, X, Y=None, eval_gradient=False):
        i, j = X[:, 0].astype(int), (X if Y is None else Y)[:, 0].astype(int)
        parts = self.matrices[:, i[:, None], j[None, :]]
        found = np.tensordot(self.weights, parts, 1)
        if Y is None:
            found = found + self.noise * np.eye(len(i))
        if not eval_gradient:
            return found
        return found, np.stack([self.noise * np.eye(len(i)), *(w * part for w, part in zip(self.weights, parts))], axis=2)

    def diag(self, X):
        i = X[:, 0].astype(int)
        return np.tensordot(self.weights, self.matrices[:, i, i], 1) + self.noise

    def is_stationary(self):
        return False


def theirs(matrices, weights, noise, y, optimizer=None, restarts=0):
    model = GaussianProcessRegressor(Rounds(np.asarray(weights), noise, matrices), alpha=0, optimizer=optimizer, n_restarts_optimizer=restarts,
                                     random_state=0)
    return model.fit(np.arange(len(y))[:, None], y)


class Gaussian(unittest.TestCase):
    def test_predictions_of_scikit_learn(self):
        """At the weights, the noise and the mean that were found: the same means, deviations and likelihood."""
        listed, y = graphs(60)
        for method in ("1-WL", "WLOA", "delta-2-LWL"):
            ours = leman.GraphGPR(method, rounds=ROUNDS).fit(listed[:45], y[:45])
            matrices = round_matrices(listed, method)
            other = theirs(matrices, ours.weights_, ours.noise_, y[:45] - ours.mean_)
            mean, std = ours.predict(listed, return_std=True)
            expected, deviation = other.predict(np.arange(60)[:, None], return_std=True)
            np.testing.assert_allclose(mean, expected + ours.mean_, rtol=1e-7)
            np.testing.assert_allclose(std, deviation, rtol=1e-6)
            self.assertAlmostEqual(ours.log_marginal_likelihood(), other.log_marginal_likelihood(), delta=1e-6)
            np.testing.assert_array_equal(ours.predict(listed), mean)
            alone = ours.predict(listed, return_std=True, noise=False)[1]
            np.testing.assert_allclose(alone ** 2 + ours.noise_, std ** 2)

    def test_gradient_of_scikit_learn(self):
        listed, y = graphs(30)
        ours = leman.GraphGPR("1-WL", rounds=ROUNDS, weights=[1, 2, 3], noise=0.5, optimize=False).fit(listed, y)
        np.testing.assert_array_equal(ours.weights_, [1, 2, 3])
        value, gradient = ours.log_marginal_likelihood(eval_gradient=True)
        self.assertAlmostEqual(value, ours.log_marginal_likelihood_value_, places=8)
        other = theirs(round_matrices(listed, "1-WL"), [1, 2, 3], 0.5, y - ours.mean_)
        expected = other.log_marginal_likelihood(other.kernel_.theta, eval_gradient=True)[1]
        np.testing.assert_allclose(gradient, np.append(expected[1:], expected[0]), rtol=1e-6)
        for i in range(4):
            step = 1e-5 * (np.arange(4) == i)
            slope = (ours.log_marginal_likelihood(ours.theta_ + step) - ours.log_marginal_likelihood(ours.theta_ - step)) / 2e-5
            self.assertAlmostEqual(slope, gradient[i], delta=1e-5 * max(1, abs(slope)))

    def test_optimum_of_scikit_learn(self):
        """L-BFGS-B with restarts finds nothing better for the same mean, and starting at ours stays there."""
        listed, y = graphs(60)
        for method in ("1-WL", "WLOA"):
            ours = leman.GraphGPR(method, rounds=ROUNDS).fit(listed, y)
            matrices = round_matrices(listed, method)
            for weights, noise, restarts in ((ours.weights_, ours.noise_, 0), (np.full(3, y.var() / 3), y.var() / 10, 2)):
                other = theirs(matrices, weights, noise, y - ours.mean_, "fmin_l_bfgs_b", restarts)
                self.assertLess(other.log_marginal_likelihood_value_, ours.log_marginal_likelihood_value_ + 0.02, method)

    def test_leave_one_out(self):
        listed, y = graphs(20)
        model = leman.GraphGPR("WLOA", rounds=ROUNDS).fit(listed, y)
        mean, std = model.leave_one_out()
        matrices = round_matrices(listed, "WLOA")
        for left in range(20):
            rest = np.delete(np.arange(20), left)
            other = theirs(matrices[:, rest[:, None], rest[None, :]], model.weights_, model.noise_, y[rest] - model.mean_)
            other.kernel_.matrices, other.X_train_ = matrices, rest[:, None]
            expected, deviation = other.predict(np.array([[left]]), return_std=True)
            self.assertAlmostEqual(mean[left], expected[0] + model.mean_, places=7)
            self.assertAlmostEqual(std[left], deviation[0], places=7)
        self.assertAlmostEqual(model.loo_rmse_, np.sqrt(np.mean((mean - y) ** 2)), places=8)

    def test_extend(self):
        listed, y = graphs(40)
        model = leman.GraphGPR("1-WL", rounds=ROUNDS).fit(listed[:30], y[:30])
        for i in range(30, 34):
            model.extend(listed[i:i + 1], y[i:i + 1])
        model.extend(listed[34:], y[34:])
        self.assertEqual(model.n_graphs_, 40)
        fresh = leman.GraphGPR("1-WL", rounds=ROUNDS, weights=model.weights_, noise=model.noise_, optimize=False).fit(listed, y)
        for a, b in zip(model.predict(listed, return_std=True), fresh.predict(listed, return_std=True)):
            np.testing.assert_allclose(a, b, rtol=1e-7)
        self.assertAlmostEqual(model.mean_, fresh.mean_, places=8)

    def test_files_and_pickles(self):
        y = np.array([len(smiles) + 0.1 * (i % 3) for i, smiles in enumerate(SMILES)])
        model = leman.GraphGPR("WLOA", rounds=1).fit(SMILES, y)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.gp")
            model.save(path)
            back = leman.load_model(path)
        self.assertIsInstance(back, leman.GraphGPR)
        self.assertEqual((back.method, back.rounds, back.reading_), ("WLOA", 1, model.reading_))
        for other in (back, pickle.loads(pickle.dumps(model))):
            for a, b in zip(model.predict(SMILES, return_std=True), other.predict(SMILES, return_std=True)):
                np.testing.assert_array_equal(a, b)
            np.testing.assert_array_equal(other.weights_, model.weights_)
        rows = model.predictions(["CCO", None, "C("])
        self.assertEqual([("std" in row, row["status"] == "ok") for row in rows], [(True, True), (False, False), (False, False)])
        self.assertEqual(rows[0]["value"], model.predict(["CCO"])[0])
        self.assertGreater(model.out_of_vocabulary(["[Se]"])[0], 0.9)

    def test_missing_and_scores(self):
        listed, y = graphs(50)
        known = y.copy()
        known[::7] = np.nan
        model = leman.GraphGPR("1-WL", rounds=1).fit(listed, known)
        there = [i for i in range(50) if i % 7]
        np.testing.assert_array_equal(model.predict(listed),
                                      leman.GraphGPR("1-WL", rounds=1).fit([listed[i] for i in there], y[there]).predict(listed))
        self.assertGreater(cross_val_score(leman.GraphGPR("1-WL", rounds=1), listed, y, cv=3).mean(), 0.5)

    def test_deviations_cover(self):
        """Of new values, about 95 in 100 lie within 1.96 deviations."""
        listed, y = graphs(400, seed=5)
        model = leman.GraphGPR("1-WL", rounds=1).fit(listed[:200], y[:200])
        mean, std = model.predict(listed[200:], return_std=True)
        covered = np.mean(np.abs(mean - y[200:]) < 1.96 * std)
        self.assertTrue(0.88 < covered < 0.99, covered)

    def test_refused(self):
        listed, y = graphs(12)
        for wrong, words in ((dict(noise=-1), "noise"), (dict(weights=[1]), "weights"), (dict(rounds=-1), "rounds"), (dict(method="RandomWalk"), "RandomWalk"),
                             (dict(method="nothing"), "nothing")):
            with self.assertRaises(leman.ArgumentError) as caught:
                leman.GraphGPR(**{"method": "1-WL", "rounds": 1, **wrong}).fit(listed, y)
            self.assertIn(words, str(caught.exception))
        with self.assertRaises(leman.InputError):
            leman.GraphGPR().fit(listed)
        model = leman.GraphGPR("1-WL", rounds=1).fit(listed, y)
        with self.assertRaises(leman.ArgumentError):
            model.log_marginal_likelihood([1, 2])
        with self.assertRaises(leman.InputError):
            model.extend(listed)


class Weighted(unittest.TestCase):
    """fit(sample_weight=w): the noise of a graph has the variance noise / w, which is alpha of scikit-learn."""

    def setUp(self):
        self.listed, self.y = graphs(50)
        self.w = np.random.default_rng(4).choice([0.05, 0.5, 1, 3, 20], 50)
        self.matrices = round_matrices(self.listed, "1-WL")
        self.model = leman.GraphGPR("1-WL", rounds=ROUNDS).fit(self.listed[:40], self.y[:40], sample_weight=self.w[:40])

    def covariance(self, weights, noise, n=40):
        return np.tensordot(weights, self.matrices[:, :n, :n], 1) + noise * np.diag(1 / self.w[:n])

    def likelihood(self, theta):
        """Of the values around the mean of largest likelihood."""
        k, y = self.covariance(np.exp(theta[:-1]), np.exp(theta[-1])), self.y[:40]
        inverse = np.linalg.inv(k)
        centred = y - inverse.sum(axis=0) @ y / inverse.sum()
        return -0.5 * (centred @ inverse @ centred + np.linalg.slogdet(k)[1] + 40 * np.log(2 * np.pi))

    def test_predictions_of_scikit_learn(self):
        ours = self.model
        oracle = GaussianProcessRegressor(Rounds(ours.weights_, 1e-300, self.matrices), alpha=ours.noise_ / self.w[:40], optimizer=None)
        oracle.fit(np.arange(40)[:, None], self.y[:40] - ours.mean_)
        mean, std = oracle.predict(np.arange(40, 50)[:, None], return_std=True)
        found, deviation = ours.predict(self.listed[40:], return_std=True)
        np.testing.assert_allclose(found, mean + ours.mean_, rtol=0, atol=1e-8)
        np.testing.assert_allclose(deviation, np.sqrt(std ** 2 + ours.noise_), rtol=1e-7)
        self.assertAlmostEqual(ours.log_marginal_likelihood_value_, oracle.log_marginal_likelihood_value_, places=7)
        plain = leman.GraphGPR("1-WL", rounds=ROUNDS).fit(self.listed[:40], self.y[:40])
        self.assertGreater(np.abs(plain.predict(self.listed[40:]) - found).max(), 0.01)

    def test_likelihood_and_gradient(self):
        for theta in (self.model.theta_, np.log([0.3, 0.8, 0.1, 0.2])):
            value, gradient = self.model.log_marginal_likelihood(theta, eval_gradient=True)
            self.assertAlmostEqual(value, self.likelihood(theta), places=7)
            for i in range(len(theta)):
                step = 1e-5 * np.eye(len(theta))[i]
                self.assertAlmostEqual(gradient[i], (self.likelihood(theta + step) - self.likelihood(theta - step)) / 2e-5, delta=1e-4)
        for step in 0.02 * np.vstack([np.eye(4), -np.eye(4)]):  # it is a maximum
            self.assertLessEqual(self.likelihood(self.model.theta_ + step), self.likelihood(self.model.theta_) + 1e-3)

    def test_leave_one_out(self):
        k, centred = self.covariance(self.model.weights_, self.model.noise_), self.y[:40] - self.model.mean_
        mean, std = self.model.leave_one_out()
        for i in range(40):
            rest = np.delete(np.arange(40), i)
            solved = np.linalg.solve(k[np.ix_(rest, rest)], np.stack([centred[rest], k[rest, i]], axis=1))
            self.assertAlmostEqual(mean[i], self.model.mean_ + k[i, rest] @ solved[:, 0], places=7)
            self.assertAlmostEqual(std[i], np.sqrt(k[i, i] - k[i, rest] @ solved[:, 1]), places=7)
        self.assertAlmostEqual(self.model.loo_rmse_, np.sqrt(np.average((mean - self.y[:40]) ** 2, weights=self.w[:40])), places=7)

    def test_extension_and_files(self):
        how = {"weights": self.model.weights_, "noise": self.model.noise_, "optimize": False}
        for more in (self.w[40:], None):
            longer = leman.GraphGPR("1-WL", rounds=ROUNDS, **how).fit(self.listed[:40], self.y[:40], sample_weight=self.w[:40])
            longer.extend(self.listed[40:], self.y[40:], sample_weight=more)
            own = np.concatenate([self.w[:40], np.ones(10) if more is None else more])
            whole = leman.GraphGPR("1-WL", rounds=ROUNDS, **how).fit(self.listed, self.y, sample_weight=own)
            np.testing.assert_allclose(longer.leave_one_out(), whole.leave_one_out(), rtol=0, atol=1e-7)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weighted.gp")
            longer.save(path)
            for copy in (leman.load_model(path), pickle.loads(pickle.dumps(longer))):
                np.testing.assert_array_equal(copy.leave_one_out(), longer.leave_one_out())
                self.assertEqual(copy.log_marginal_likelihood(copy.theta_), longer.log_marginal_likelihood(longer.theta_))

    def test_what_is_refused(self):
        for wrong in (0.0, -1.0, np.nan):
            self.w[3] = wrong
            with self.assertRaisesRegex(leman.InputError, "as the weight of graph 3, expected a number above 0"):
                leman.GraphGPR("1-WL", rounds=1).fit(self.listed, self.y, sample_weight=self.w)
        self.y[3] = np.nan  # a graph without a target takes no part
        leman.GraphGPR("1-WL", rounds=1).fit(self.listed, self.y, sample_weight=self.w)


if __name__ == "__main__":
    package.main()
