#!/usr/bin/env python3
"""A Gaussian process of GPyTorch on molecules, as users of GAUCHE write it, with a kernel of Leman.

    examples/gaussian_process.py                        a small set of molecules that is part of the examples
    examples/gaussian_process.py ESOL.csv --smiles smiles --target "measured log solubility in mols per litre"

The model is an ExactGP whose covariance is one line. Here that line is leman.gpytorch.GraphKernel, whose inputs are numbers of graphs
and whose weights of the rounds are learned by their gradients. Where GAUCHE is installed, its Tanimoto kernel on 2,048 hashed bits
takes the place of that line in a second model. Prints the error on a fifth of the molecules and the likelihood of their values.
"""
import argparse
import importlib.util

import gpytorch
import numpy as np
import torch

import leman
from bayesian_optimization import built_in, read
from leman.gpytorch import GraphKernel


class MoleculeGP(gpytorch.models.ExactGP):
    def __init__(self, x, y, likelihood, kernel):
        super().__init__(x, y, likelihood)
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = kernel

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


def fit(x, y, kernel, steps=60, lr=0.1):
    """The model and its likelihood, after some steps of Adam on the marginal likelihood."""
    likelihood = gpytorch.likelihoods.GaussianLikelihood().double()
    model = MoleculeGP(x, y, likelihood, kernel).double()
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    optimizer = torch.optim.Adam(model.parameters(), lr)
    for _ in range(steps):
        optimizer.zero_grad()
        (-objective(model(x), y)).backward()
        optimizer.step()
    return model.eval(), likelihood.eval()


def judge(x, y, kernel, train, test):
    """The root mean squared error and the mean negative log density of the tested values, in units of the standardised target."""
    center, scale = y[train].mean(), y[train].std()
    standard = (y - center) / scale
    model, likelihood = fit(x[train], standard[train], kernel)
    with torch.no_grad():
        found = likelihood(model(x[test]))
    error = (found.mean - standard[test]).square().mean().sqrt()
    density = torch.distributions.Normal(found.mean, found.stddev).log_prob(standard[test]).mean()
    return float(error), -float(density)


def compare(smiles, y, rounds=3, seed=0):
    order = np.random.default_rng(seed).permutation(len(smiles))
    train, test = (torch.as_tensor(part) for part in np.split(order, [len(order) * 4 // 5]))
    y, found = torch.as_tensor(y).double(), {}
    kernel = GraphKernel(smiles, "WLOA", rounds=rounds)
    found["leman.gpytorch.GraphKernel, WLOA"] = judge(kernel.inputs().double(), y, kernel, train, test)
    if importlib.util.find_spec("gauche"):
        from gauche.kernels.fingerprint_kernels.tanimoto_kernel import TanimotoKernel
        counts = leman.WLVectorizer("1-WL", rounds=2, hash_bits=11).fit_transform(leman.Dataset.from_smiles(smiles, atom_labels="ecfp"))
        bits = torch.as_tensor((counts.toarray() > 0).astype(float))
        found["gauche's TanimotoKernel, 2,048 bits"] = judge(bits, y, gpytorch.kernels.ScaleKernel(TanimotoKernel()), train, test)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv", nargs="?")
    parser.add_argument("--smiles", default="smiles")
    parser.add_argument("--target", default="y")
    asked = parser.parse_args()
    smiles, y = read(asked.csv, asked.smiles, asked.target) if asked.csv else built_in()
    for name, (error, density) in compare(smiles, y).items():
        print(f"{name}: error {error:.3f}, negative log density {density:.3f}")


if __name__ == "__main__":
    main()
