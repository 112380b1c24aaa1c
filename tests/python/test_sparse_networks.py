"""Networks on sparse sets of tuples from Python: parameters, checkpoints, and the same program in PyTorch."""
import os
import tempfile
import unittest

import networkx as nx
import numpy as np

import package
import leman

NETWORKS = (("delta-2-LGNN", 1), ("delta-3-LGNN", 1), ("delta-3-LGNN", 2), ("Local-2-GNN", 1), ("Local-2-FGNN", 1), ("Subgraph-GNN", 1),
            ("SSWL+", 1), ("pairs:local2+folklore1+global2+diagonal2", 1))


def graphs(directed=False, count=9):
    rng = np.random.default_rng(5)
    made = [nx.gnp_random_graph(int(rng.integers(1, 8)), 0.4, seed=i) for i in range(count)]
    if directed:
        made = [g.to_directed() for g in made]
        for g in made:
            g.remove_edges_from([e for e in list(g.edges) if rng.random() < 0.3])
    for g in made:
        nx.set_node_attributes(g, {v: "CNO"[rng.integers(3)] for v in g}, "label")
        nx.set_edge_attributes(g, {e: int(rng.integers(2)) for e in g.edges}, "label")
        nx.set_node_attributes(g, {v: float(rng.normal()) for v in g}, "x")
        nx.set_edge_attributes(g, {e: float(rng.normal()) for e in g.edges}, "w")
    return leman.Dataset.from_networkx(made, node_attributes=["x"], edge_attributes=["w"]), [float(len(g)) + g.size() / 3 for g in made]


class Sparse(unittest.TestCase):
    def test_parameters(self):
        data, y = graphs()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.lmn")
            network = leman.nn.GraphNetworkRegressor("delta-3-LGNN", layers=1, width=4, epochs=1, components=2, checkpoint=path, device="cpu",
                                                     random_state=3).fit(data, y)
            self.assertEqual(network.describe()["components"], 2)
            again = leman.nn.GraphNetwork.load(path)
            self.assertEqual(again.get_params()["components"], 2)
            np.testing.assert_array_equal(again.predict(data), network.predict(data))
        whole = [leman.nn.GraphNetwork("delta-2-LGNN", layers=1, width=4, epochs=1, components=c, device="cpu", random_state=3).fit(data, y)
                 for c in (None, 2)]
        np.testing.assert_array_equal(whole[0].predict(data), whole[1].predict(data))
        with self.assertRaisesRegex(leman.ArgumentError, "connected component"):
            leman.nn.GraphNetwork("GIN-eps", components=1).fit(data, y)
        with self.assertRaisesRegex(leman.ArgumentError, "components"):
            leman.nn.GraphNetwork(components=0).fit(data, y)

    def test_batches(self):
        """What a network reads are the tuples that leman.tuples() has, without the links of self-loops."""
        data, y = graphs()
        for name, components in (("delta-2-LGNN", 1), ("delta-3-LGNN", 2)):
            k = int(name[6])
            network = leman.nn.GraphNetwork(name, layers=1, width=3, components=components, device="cpu").initialize(data)
            found, tuples = network.encode(data), leman.tuples(data, k, components=components)
            expected = tuples.vertex + np.repeat(tuples.vertex_start[:-1], np.diff(tuples.start))[:, None]
            np.testing.assert_array_equal(found["sets0.member"], expected)
            start, neighbor = found["sets0.neighbor_start"].ravel(), found["sets0.neighbor"].ravel()
            for j in range(k):
                links = tuples.links(j)
                for row in range(len(tuples)):
                    np.testing.assert_array_equal(neighbor[start[row * k + j]:start[row * k + j + 1]], links[0][links[1] == row])

    @package.needs("torch")
    def test_in_torch(self):
        from leman.nn.torch import Network
        for directed in (False, True):
            data, y = graphs(directed)
            for name, components in NETWORKS:
                for more in ({"in_arcs": True},) if directed else ({},):
                    with self.subTest(name, components=components, directed=directed, **more):
                        network = leman.nn.GraphNetwork(name, layers=2, width=4, epochs=1, batch_size=5, components=components, device="cpu", n_jobs=1, **more)
                        network.fit(data, y, validation=np.arange(4))
                        module = Network.from_network(network)
                        np.testing.assert_allclose(module.predict(data).ravel(), network.predict(data), rtol=2e-4, atol=2e-4)
                        self.assertEqual(set(module.state_dict()), set(network.state_dict()))
                        module(data).sum().backward()
                        self.assertTrue(all(p.grad is not None for name, p in module.named_parameters() if name != "readout.epsilon"))
                        if name.startswith("delta"):
                            self.assertEqual(len(module.embed(data).tuples), module.encode(data).rows["sets0"])

    @package.needs("torch")
    def test_levels_in_torch(self):
        from leman.nn.torch import Network
        data, _ = graphs()
        for name, level in (("delta-2-LGNN", "edge"), ("Local-2-GNN", "edge"), ("delta-3-LGNN", "vertex"), ("SSWL+", "vertex")):
            with self.subTest(name, level=level):
                network = leman.nn.GraphNetwork(name, layers=1, width=4, epochs=2, batch_size=5, components=1, level=level, target=0, device="cpu")
                network.fit(data, validation=np.arange(4))
                found, expected = Network.from_network(network).predict(data), network.predict(data)
                np.testing.assert_allclose(found.ravel(), expected.ravel(), rtol=2e-4, atol=2e-4)


if __name__ == "__main__":
    package.main()
