"""leman.nn.torch computes what the C networks compute, to float rounding, and TupleTransform has the neighbours by definition."""
import unittest

import networkx as nx
import numpy as np

import package
import leman


def labelled(count=24):
    rng = np.random.default_rng(5)
    graphs = []
    for i in range(count):
        graph = nx.gnp_random_graph(int(rng.integers(3, 9)), 0.4, seed=i)
        for v in graph:
            graph.nodes[v]["label"] = "CNO"[rng.integers(3)]
        for e in graph.edges:
            graph.edges[e]["label"] = int(rng.integers(2))
        graphs.append(graph)
    return graphs


@package.needs("torch")
class InTorch(unittest.TestCase):
    def test_same_numbers(self):
        from leman.nn.torch import TupleNetwork
        graphs = labelled()
        plain = [nx.Graph(g.edges) for g in graphs if g.number_of_edges()]
        y, classes = np.array([[len(g), g.size() / 3] for g in graphs]), [len(g) % 2 for g in graphs]
        for model, preset, data, target in (("delta-2-LGNN", "zinc", graphs, y), ("delta-2-LGNN", "tu", graphs, classes),
                                            ("delta-2-GNN", "zinc", graphs, y), ("2-WL-GNN", "tu", graphs, classes),
                                            ("delta-3-LGNN", "zinc", graphs[:8], y[:8]), ("GIN-eps", "tu", graphs, classes),
                                            ("GIN-0", "zinc", graphs, y),
                                            ("GIN-eps", "tu", plain, [len(g) % 2 for g in plain])):
            network = leman.nn.GraphNetwork(model, preset, layers=2, width=6, epochs=3, device="cpu").fit(data, target)
            ours = network._outputs(data)
            module = TupleNetwork.from_network(network)
            np.testing.assert_allclose(module.predict(data), ours, rtol=2e-4, atol=2e-5, err_msg=f"{model} {preset}")
            self.assertEqual(sum(p.numel() for p in module.parameters()), network.n_parameters_)

    def test_gradients_flow(self):
        from leman.nn.torch import TupleNetwork
        graphs = labelled(8)
        network = leman.nn.GraphNetwork("delta-2-LGNN", "zinc", layers=2, width=4, epochs=1, device="cpu")
        module = TupleNetwork.from_network(network.fit(graphs, [float(len(g)) for g in graphs]))
        module.train()
        module(module.encode(graphs)).sum().backward()
        self.assertTrue(all(p.grad is not None for p in module.parameters()))

    @package.needs("torch_geometric")
    def test_transform(self):
        import torch
        from torch_geometric.data import Data
        from leman.nn.torch import TupleTransform
        edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        data = TupleTransform(2)(Data(edge_index=edge_index, num_nodes=3))
        index = data.tuple_index.T.tolist()
        adjacent = set(map(tuple, edge_index.T.tolist()))
        for j in range(2):
            expected = {(s, t) for s in range(9) for t in range(9)
                        if index[s][1 - j] == index[t][1 - j] and (index[t][j], index[s][j]) in adjacent}
            self.assertEqual(set(map(tuple, data[f"tuple_edge_index_{j}"].T.tolist())), expected)
        self.assertEqual(len(set(data.tuple_type.tolist())), 3)


if __name__ == "__main__":
    package.main()
