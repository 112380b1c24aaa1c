"""examples/bayesian_optimization.py: expected improvement finds better molecules than chance, on its own set and on ESOL."""
import csv
import importlib.util
import io
import os
import unittest
import zipfile

import numpy as np

import package

PLACE = os.path.join(package.SOURCE, "examples", "bayesian_optimization.py")


def example():
    spec = importlib.util.spec_from_file_location("bayesian_optimization", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def beyond_chance(smiles, y, measurements, seeds, method):
    """The mean best value, and that of random orders, as shares of the molecules that are not better."""
    found = [y[example().optimize(smiles, y, method, measurements=measurements, seed=seed)].max() for seed in range(seeds)]
    chance = [y[np.random.default_rng(seed).permutation(len(y))[:measurements]].max() for seed in range(200)]
    return [np.mean([np.mean(y <= best) for best in values]) for values in (found, chance)]


class Optimization(unittest.TestCase):
    def test_built_in(self):
        smiles, y = example().built_in()
        found, chance = beyond_chance(smiles, y, 30, 4, "WLOA")
        self.assertGreater(found, chance)

    def test_improvement(self):
        """By the definition: the mean of max(f - best, 0)."""
        draws = np.random.default_rng(1).standard_normal(400_000)
        for mean, std, best in ((0, 1, 0.5), (2, 0.3, 1), (-1, 2, 1)):
            self.assertAlmostEqual(example().expected_improvement(mean, std, best), np.maximum(mean + std * draws - best, 0).mean(), places=2)

    def test_esol(self):
        path = os.path.join(package.DATA, "moleculenet.zip")
        if not os.path.exists(path):
            self.skipTest("the data set moleculenet.zip is not here")
        with zipfile.ZipFile(path) as file:
            rows = list(csv.DictReader(io.TextIOWrapper(file.open("moleculenet/ESOL.csv"), encoding="utf-8")))
        kept = [row for row in rows if example().readable(row["smiles"].strip())][::3]
        y = np.array([float(row["measured log solubility in mols per litre"]) for row in kept])
        found, chance = beyond_chance([row["smiles"].strip() for row in kept], y, 25, 2, "WLOA")
        self.assertGreater(found, chance)


if __name__ == "__main__":
    package.main()
