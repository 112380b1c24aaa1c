"""Predictions of vertices and edges in PyTorch."""
import unittest

import numpy as np

import package
import leman
from test_levels import SETTINGS, attributed, dataset


@package.needs("torch")
class Torch(unittest.TestCase):
    def test_outputs(self):
        import leman.nn.torch as lt
        data = dataset(attributed())
        for model, level in (("Local-2-FGNN", "edge"), ("Local-2-GNN", "vertex"), ("delta-2-LGNN", "vertex"), ("delta-2-LGNN", "edge"),
                             ("GINE-eps", "vertex"), ("PPGN", "edge")):
            with self.subTest(f"{model}, {level}"):
                network = leman.nn.GraphNetwork(model, level=level, target=0, **SETTINGS).fit(data, validation=[0, 3])
                module = lt.Network.from_network(network)
                np.testing.assert_allclose(module.predict(data)[:, 0], network.predict(data), rtol=1e-4, atol=1e-5)
                self.assertIsNone(module.embed(data).graphs)


if __name__ == "__main__":
    package.main()
