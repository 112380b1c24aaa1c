"""leman.gpytorch: covariances, batches and gradients beside matrices of WLKernel, the likelihood and predictions of GPyTorch beside
GraphGPR, and a model of BoTorch with an acquisition function."""
import unittest
import warnings

import numpy as np

import package
import leman

SMILES = ["C" * n + end for n in range(1, 8) for end in ("O", "N", "Cl", "C(=O)O")]
Y = np.array([0.5 * text.replace("Cl", "").count("C") - text.count("O") + 0.1 * (i % 3) for i, text in enumerate(SMILES)])
ROUNDS = 2


def definition(listed, method, rounds=ROUNDS):
    """[rounds, n, n]: the matrix of every round, the difference of two sums, normalised."""
    sums = [leman.WLKernel(method, rounds=h, normalize=False, count_every_round=True).fit_transform(listed) for h in range(rounds + 1)]
    blocks = [sums[0], *(b - a for a, b in zip(sums, sums[1:]))]
    return np.array([block / np.sqrt(np.outer(np.diag(block), np.diag(block))) for block in blocks])


@package.needs("torch", "gpytorch")
class Kernels(unittest.TestCase):
    def setUp(self):
        import torch
        from leman.gpytorch import GraphKernel
        self.torch, self.kernel = torch, GraphKernel

    def matrix(self, kernel, x1, x2=None):
        return kernel(x1, x2).to_dense().detach().numpy()

    def test_definition(self):
        for method in ("1-WL", "WLOA", "delta-2-LWL", "delta-2-LWL+"):
            kernel = self.kernel(SMILES, method, rounds=ROUNDS).double()
            weights = np.array([0.5, 2, 0.25])
            kernel.weights = self.torch.tensor(weights)
            expected = np.tensordot(weights, definition(SMILES, method), 1)
            x = kernel.inputs()
            np.testing.assert_allclose(self.matrix(kernel, x), expected, atol=1e-9)
            np.testing.assert_allclose(self.matrix(kernel, x[3:5], x), expected[3:5], atol=1e-9)
            np.testing.assert_allclose(kernel(x, diag=True).detach().numpy(), np.diag(expected), atol=1e-9)
            self.assertEqual(kernel.block_names, [(0, 0), (0, 1), (0, 2)])

    def test_sums_and_normalisations(self):
        kernel = self.kernel(SMILES, "1-WL+SP", rounds=1).double()
        self.assertEqual(kernel.block_names, [(0, 0), (0, 1), (1, None)])
        kernel.weights = self.torch.tensor([0.0001, 0.0001, 3.0])
        paths = leman.ShortestPathKernel(normalize=True).fit_transform(SMILES)
        np.testing.assert_allclose(self.matrix(kernel, kernel.inputs()), 3 * paths, atol=0.001)
        counts = leman.WLVectorizer("1-WL", rounds=0).fit_transform(SMILES).toarray()
        product = counts @ counts.T
        expected = product / (np.diag(product)[:, None] + np.diag(product)[None, :] - product)
        tanimoto = self.kernel(SMILES, "1-WL", rounds=0, normalize="tanimoto").double()
        tanimoto.weights = 1
        np.testing.assert_allclose(self.matrix(tanimoto, tanimoto.inputs()), expected, atol=1e-9)
        minima = np.minimum(counts[:, None], counts[None]).sum(2) / np.maximum(counts[:, None], counts[None]).sum(2)
        minmax = self.kernel(SMILES, "1-WL", rounds=0, normalize="minmax").double()
        minmax.weights = 1
        np.testing.assert_allclose(self.matrix(minmax, minmax.inputs()), minima, atol=1e-9)

    def test_pool_grows(self):
        whole = self.kernel(SMILES, "WLOA", rounds=ROUNDS).double()
        kernel = self.kernel(SMILES[:10], "WLOA", rounds=ROUNDS).double()
        new = kernel.add(SMILES[10:13])
        self.assertEqual(new[:, 0].tolist(), [10, 11, 12])
        kernel.add(SMILES[13:])
        self.assertEqual(len(kernel), len(SMILES))
        np.testing.assert_allclose(kernel.blocks.numpy(), whole.blocks.numpy(), atol=1e-12)
        with self.assertRaises(leman.ArgumentError) as caught:
            kernel(self.torch.tensor([[99.0]])).to_dense()
        self.assertIn("found number 99", str(caught.exception))
        with self.assertRaises(leman.ArgumentError):
            kernel(self.torch.zeros(4, 2)).to_dense()

    def test_batches(self):
        """A batch of inputs, and a batch of weights, are what one after the other gives."""
        kernel = self.kernel(SMILES, "1-WL", rounds=1).double()
        x = kernel.inputs()
        batch = self.torch.stack([x[:5], x[5:10], x[2:7]])
        whole = kernel(batch, x[:3]).to_dense().detach().numpy()
        self.assertEqual(whole.shape, (3, 5, 3))
        for one, part in zip(batch, whole):
            np.testing.assert_allclose(part, self.matrix(kernel, one, x[:3]))
        np.testing.assert_allclose(kernel(batch, diag=True).detach().numpy()[1], kernel(x[5:10], diag=True).detach().numpy())
        several = self.kernel(SMILES, "1-WL", rounds=1, batch_shape=self.torch.Size([2])).double()
        weights = self.torch.tensor([[1.0, 2.0], [3.0, 0.5]])
        several.weights = weights
        found = several(x.expand(2, -1, -1)).to_dense().detach().numpy()
        for w, part in zip(weights, found):
            kernel.weights = w
            np.testing.assert_allclose(part, self.matrix(kernel, x), atol=1e-9)

    def test_gradients(self):
        kernel = self.kernel(SMILES[:6], "1-WL", rounds=ROUNDS).double()
        x, torch = kernel.inputs(), self.torch
        factor = torch.linspace(-1, 1, 36, dtype=torch.float64).reshape(6, 6)

        def value(raw):
            kernel.raw_weights.data = raw
            return (kernel(x).to_dense() * factor).sum()

        raw = torch.tensor([0.3, -0.2, 1.0], dtype=torch.float64)
        kernel.zero_grad()
        value(raw).backward()
        for i in range(3):
            step = 1e-6 * (torch.arange(3) == i)
            slope = (value(raw + step) - value(raw - step)).item() / 2e-6
            self.assertAlmostEqual(kernel.raw_weights.grad[i].item(), slope, places=5)


def exact_gp(kernel, x, y, noise, mean):
    import gpytorch

    class Model(gpytorch.models.ExactGP):
        def __init__(self):
            super().__init__(x, y, gpytorch.likelihoods.GaussianLikelihood(noise_constraint=gpytorch.constraints.Positive()))
            self.mean_module, self.covar_module = gpytorch.means.ConstantMean(), kernel

        def forward(self, inputs):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(inputs), self.covar_module(inputs))

    model = Model().double()
    model.likelihood.noise, model.mean_module.constant = noise, mean
    return model


@package.needs("torch", "gpytorch")
class Models(unittest.TestCase):
    def test_same_as_exact(self):
        """With the weights, noise and mean of GraphGPR: its likelihood, a stationary point of it, and its predictions."""
        import gpytorch
        import torch
        from leman.gpytorch import GraphKernel
        for method in ("1-WL", "WLOA"):
            ours = leman.GraphGPR(method, rounds=ROUNDS).fit(SMILES[:20], Y[:20])
            kernel = GraphKernel(SMILES, method, rounds=ROUNDS).double()
            kernel.weights = torch.tensor(ours.weights_)
            x, y = kernel.inputs(), torch.tensor(Y)
            model = exact_gp(kernel, x[:20], y[:20], ours.noise_, ours.mean_)
            likelihood = gpytorch.mlls.ExactMarginalLogLikelihood(model.likelihood, model)
            value = 20 * likelihood(model(x[:20]), y[:20])
            self.assertAlmostEqual(value.item(), ours.log_marginal_likelihood_value_, places=4)
            value.backward()
            self.assertLess(abs(model.mean_module.raw_constant.grad.item() if hasattr(model.mean_module, "raw_constant")
                                else model.mean_module.constant.grad.item()), 1e-3)
            model.eval()
            with torch.no_grad():
                found = model.likelihood(model(x))
            mean, std = ours.predict(SMILES, return_std=True)
            np.testing.assert_allclose(found.mean.numpy(), mean, atol=1e-5)
            np.testing.assert_allclose(found.stddev.numpy(), std, rtol=1e-4)

    def test_training(self):
        """Steps of Adam raise the likelihood through the weights of the rounds."""
        import gpytorch
        import torch
        from leman.gpytorch import GraphKernel
        kernel = GraphKernel(SMILES, "WLOA", rounds=ROUNDS).double()
        x, y = kernel.inputs(), torch.tensor(Y)
        model = exact_gp(kernel, x, y, 0.1, float(Y.mean()))
        likelihood = gpytorch.mlls.ExactMarginalLogLikelihood(model.likelihood, model)
        optimizer, values = torch.optim.Adam(model.parameters(), lr=0.1), []
        for _ in range(40):
            optimizer.zero_grad()
            loss = -likelihood(model(x), y)
            loss.backward()
            optimizer.step()
            values.append(loss.item())
        self.assertLess(values[-1], values[0] - 0.1)
        self.assertFalse(np.allclose(kernel.weights.detach().numpy(), 1 / 3))
        best = leman.GraphGPR("WLOA", rounds=ROUNDS).fit(SMILES, Y)
        self.assertLess(-len(Y) * values[-1], best.log_marginal_likelihood_value_ + 1e-3)

    @package.needs("torch", "gpytorch", "botorch")
    def test_botorch(self):
        """A model of BoTorch with our kernel proposes the molecule of largest expected improvement: that of the definition."""
        import torch
        from scipy.stats import norm
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from botorch.acquisition import ExpectedImprovement
            from botorch.models import SingleTaskGP
            from leman.gpytorch import GraphKernel
            kernel = GraphKernel(SMILES, "WLOA", rounds=ROUNDS).double()
            x, y = kernel.inputs(), torch.tensor(Y)[:, None]
            model = SingleTaskGP(x[:12], y[:12], covar_module=kernel)
            model.eval()
            posterior = model.posterior(x[12:, None, :])  # a batch of candidates, one graph each
            self.assertEqual(tuple(posterior.mean.shape), (16, 1, 1))
            found = ExpectedImprovement(model, best_f=y[:12].max())(x[12:, None, :]).detach().numpy()
        mean, std = (part.detach().numpy().ravel() for part in (posterior.mean, posterior.variance.sqrt()))
        scaled = (mean - Y[:12].max()) / std
        np.testing.assert_allclose(found, std * (scaled * norm.cdf(scaled) + norm.pdf(scaled)), atol=1e-6)


if __name__ == "__main__":
    package.main()
