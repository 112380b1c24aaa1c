#!/usr/bin/env python3
"""Bayesian optimisation of a property of molecules with leman.GraphGPR.

    examples/bayesian_optimization.py                      a small set of molecules that is part of this file
    examples/bayesian_optimization.py ESOL.csv --smiles smiles --target "measured log solubility in mols per litre"

A Gaussian process on the molecules measured so far proposes the next one, that of largest expected improvement. Each measurement
adds one row to its factor (extend()); weights and noise are found again after every tenth. Prints the best value after each
measurement beside that of a random order. With --botorch the model is botorch's SingleTaskGP with the kernel of leman.gpytorch.
"""
import argparse
import csv

import numpy as np
from scipy.stats import norm

import leman

CHAIN = ["C" * n + end for n in range(1, 10) for end in ("O", "N", "Cl", "F", "C(=O)O", "C#N", "c1ccccc1", "C(C)(C)C", "OC")]


def built_in():
    """Chains with an end group; the property is largest for five carbons and an acid."""
    value = [-(text.replace("Cl", "").count("C") - 5) ** 2 / 4 + 1.5 * text.count("O") - 2 * text.count("F") for text in CHAIN]
    return CHAIN, np.array(value)


def readable(text):
    try:
        leman.as_dataset([text])
    except leman.InputError:
        return False
    return True


def read(path, smiles, target):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    read_well = [row for row in rows if readable(row[smiles].strip())]
    return [row[smiles].strip() for row in read_well], np.array([float(row[target]) for row in read_well])


def expected_improvement(mean, std, best):
    scaled = (mean - best) / std
    return std * (scaled * norm.cdf(scaled) + norm.pdf(scaled))


class Exact:
    """leman.GraphGPR: exact, and extended by one graph at a time."""

    def __init__(self, data, y, method, rounds):
        self.data, self.y, self.method, self.rounds = data, y, method, rounds
        self.model = None

    def learn(self, measured):
        if self.model is None or len(measured) % 10 == 0:
            self.model = leman.GraphGPR(self.method, rounds=self.rounds).fit(self.data[measured], self.y[measured])
        else:
            self.model.extend(self.data[measured[-1:]], self.y[measured[-1:]])

    def predict(self, candidates):
        return self.model.predict(self.data[candidates], return_std=True, noise=False)


class BoTorch:
    """botorch.models.SingleTaskGP with leman.gpytorch.GraphKernel."""

    def __init__(self, data, y, method, rounds):
        import torch
        from leman.gpytorch import GraphKernel
        self.torch, self.kernel = torch, GraphKernel(data, method, rounds=rounds).double()
        self.x, self.y = self.kernel.inputs(), torch.tensor(y)[:, None]

    def learn(self, measured):
        import gpytorch
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import SingleTaskGP
        from botorch.models.transforms import Standardize
        self.model = SingleTaskGP(self.x[measured], self.y[measured], covar_module=self.kernel, outcome_transform=Standardize(m=1))
        if len(measured) % 10 == 0:
            fit_gpytorch_mll(gpytorch.mlls.ExactMarginalLogLikelihood(self.model.likelihood, self.model))
        self.model.eval()

    def predict(self, candidates):
        with self.torch.no_grad():
            posterior = self.model.posterior(self.x[candidates])
        return posterior.mean[:, 0].numpy(), posterior.variance[:, 0].sqrt().numpy()


def optimize(smiles, y, method="WLOA", rounds=3, start=10, measurements=40, seed=0, model=Exact):
    """Numbers of the molecules in the order in which they are measured: `start` at random, then by expected improvement."""
    rng = np.random.default_rng(seed)
    data = leman.as_dataset(smiles)
    measured = rng.permutation(len(y))[:start].tolist()
    process = model(data, y, method, rounds)
    while len(measured) < min(measurements, len(y)):
        process.learn(measured)
        candidates = np.setdiff1d(np.arange(len(y)), measured)
        mean, std = process.predict(candidates)
        gain = expected_improvement(mean, np.maximum(std, 1e-12), y[measured].max())
        measured.append(int(candidates[np.argmax(gain)]))
    return measured


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv", nargs="?")
    parser.add_argument("--smiles", default="smiles")
    parser.add_argument("--target", default="y")
    parser.add_argument("--method", default="WLOA")
    parser.add_argument("--measurements", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--botorch", action="store_true")
    asked = parser.parse_args()
    smiles, y = read(asked.csv, asked.smiles, asked.target) if asked.csv else built_in()
    order = optimize(smiles, y, asked.method, measurements=asked.measurements, seed=asked.seed, model=BoTorch if asked.botorch else Exact)
    chance = np.random.default_rng(asked.seed).permutation(len(y))
    print(f"the best of {len(y)} molecules is {smiles[int(np.argmax(y))]}, {y.max():.4g}")
    for count in range(10, len(order) + 1, 5):
        print(f"after {count} measurements: {y[order[:count]].max():.4g}, in a random order {y[chance[:count]].max():.4g}")


if __name__ == "__main__":
    main()
