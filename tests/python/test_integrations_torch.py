"""The examples beside PyTorch's tools: pyg_training.py (PyTorch Geometric) and gaussian_process.py (GPyTorch, GAUCHE) of examples/."""
import importlib.util
import os
import sys
import unittest

import numpy as np

import package
import leman

EXAMPLES = os.path.join(package.SOURCE, "examples")


def example(name):
    spec = importlib.util.spec_from_file_location(name, os.path.join(EXAMPLES, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, EXAMPLES)  # one example uses another
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(EXAMPLES)
    return module


@package.needs("torch", "torch_geometric")
class Loop(unittest.TestCase):
    def test_training(self):
        """Pairs learn what vertices cannot see: the classes of new graphs."""
        module = example("pyg_training")
        found = module.compare(module.with_pairs(leman.generate("molecules", graphs=150, vertices=12, seed=1)), epochs=20)
        self.assertEqual(list(found), ["GIN on vertices", "LocalConv on pairs"])
        self.assertLess(found["GIN on vertices"], 0.75)
        self.assertGreater(found["LocalConv on pairs"], 0.9)

    def test_nothing_but_edges_is_learned(self):
        """Two graphs with the same edges and other labels are the same input."""
        module = example("pyg_training")
        import networkx as nx
        rings = [nx.cycle_graph(6), nx.cycle_graph(6)]
        for i, ring in enumerate(rings):
            nx.set_node_attributes(ring, {v: i * (v % 2) for v in ring}, "label")
        first, second = module.with_pairs(leman.Dataset.from_networkx(rings, y=["b", "a"]))
        self.assertEqual(first.tuple_type.tolist(), second.tuple_type.tolist())
        self.assertEqual((int(first.y), int(second.y)), (1, 0))


@package.needs("torch", "gpytorch")
class Process(unittest.TestCase):
    def test_beside_the_mean(self):
        """The model predicts better than the mean of the training values would, whose error is about 1 in these units."""
        module = example("gaussian_process")
        smiles, y = module.built_in()
        found = module.compare(smiles, y)
        error, density = found["leman.gpytorch.GraphKernel, WLOA"]
        self.assertLess(error, 0.8)
        self.assertLess(density, 0.5 * np.log(2 * np.pi) + 0.5)

    def test_beside_the_closed_form(self):
        """A model that was not trained predicts K (K + s I)^-1 (y - m) + m."""
        import torch
        module = example("gaussian_process")
        smiles, y = module.built_in()
        kernel = module.GraphKernel(smiles, "WLOA", rounds=2)
        x, y = kernel.inputs().double(), torch.as_tensor(y).double()
        model, likelihood = module.fit(x[:60], y[:60], kernel, steps=0)
        with torch.no_grad():
            found = model(x[60:]).mean.numpy()
            covariance, noise, mean = kernel(x).to_dense().numpy(), float(likelihood.noise), float(model.mean_module.constant)
        expected = mean + covariance[60:, :60] @ np.linalg.solve(covariance[:60, :60] + noise * np.eye(60), y[:60].numpy() - mean)
        np.testing.assert_allclose(found, expected, atol=1e-6)

    @package.needs("gauche")
    def test_gauche(self):
        module = example("gaussian_process")
        found = module.compare(*module.built_in())
        error, _ = found["gauche's TanimotoKernel, 2,048 bits"]
        self.assertLess(error, 1.2)


if __name__ == "__main__":
    package.main()
