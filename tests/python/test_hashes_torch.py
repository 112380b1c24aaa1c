"""Hashes of the graphs of PyTorch Geometric, beside the same graphs of networkx."""
import unittest

import networkx as nx

import package
import leman


class Hashes(unittest.TestCase):
    @package.needs("torch", "torch_geometric")
    def test_pyg(self):
        import torch
        from torch_geometric.data import Batch, Data
        graph = Data(edge_index=torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]]), num_nodes=4)
        text = leman.graph_hash(nx.path_graph(4))
        self.assertEqual(leman.graph_hash(graph), text)
        self.assertEqual(leman.graph_hash([graph]), [text])
        self.assertEqual(leman.graph_hash(Batch.from_data_list([graph, graph])), [text] * 2)


if __name__ == "__main__":
    package.main()
