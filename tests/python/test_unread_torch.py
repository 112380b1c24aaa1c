"""Tensors of PyG's graphs that nothing reads are named in a warning, and attributes survive the way to PyG and back."""
import unittest

import numpy as np

import package
import leman
from test_unread import REALS, paths, said


@package.needs("torch", "torch_geometric")
class Pyg(unittest.TestCase):
    def graph(self, n=3, **more):
        import torch
        from torch_geometric.data import Data
        edges = torch.tensor([[v for v in range(n - 1)] + [v + 1 for v in range(n - 1)], [v + 1 for v in range(n - 1)] + [v for v in range(n - 1)]])
        return Data(edge_index=edges, num_nodes=n, **more)

    def test_names_what_is_not_read(self):
        import torch
        for key, value in (("edge_weight", torch.rand(4)), ("edge_type", torch.tensor([0, 1, 0, 1])), ("node_type", torch.arange(3)),
                           ("laplacian", torch.rand(3, 2)), ("u", torch.rand(1, 5))):
            graphs = [self.graph(), self.graph(**{key: value})]
            self.assertEqual(said(lambda: leman.Dataset.from_pyg(graphs)), [
                f"data: found {key} in the graphs, which is not read; x, z, pos, vertex_attributes, edge_attr, edge_attributes and y are"])
        self.assertRegex(said(lambda: leman.Dataset.from_pyg([self.graph(x=torch.arange(3), z=torch.arange(3))]))[0], "found z in the graphs")

    def test_nothing_to_say(self):
        import torch
        from torch_geometric.data import Batch
        from leman.nn.torch import TupleTransform
        graphs = [self.graph(n, x=torch.rand(n, 2), z=torch.arange(n), pos=torch.rand(n, 3), y=torch.tensor([1]), name="a", smiles="C", idx=torch.tensor([4]),
                             train_mask=torch.ones(n, dtype=torch.bool)) for n in (2, 3, 4)]
        graphs = TupleTransform(2, counts=1, distances=True).all(graphs)
        self.assertEqual(said(lambda: leman.Dataset.from_pyg(graphs)), [])
        self.assertEqual(said(lambda: leman.Dataset.from_pyg(Batch.from_data_list(graphs))), [])

    def test_y_of_vertices(self):
        import torch
        graphs = [self.graph(y=torch.tensor([0, 1, 0])) for _ in range(3)]
        self.assertRegex(said(lambda: leman.Dataset.from_pyg(graphs))[0], "found as many values of y as vertices in every graph")
        self.assertEqual(said(lambda: leman.Dataset.from_pyg(graphs, y=[0, 1, 0])), [])
        self.assertEqual(said(lambda: leman.Dataset.from_pyg([self.graph(y=torch.tensor([[0, 1, 0]]))] * 3)), [])

    def test_and_back(self):
        data = paths(2, vertex_labels=np.array([[3], [5], [4]]), edge_labels=np.array([[1], [1], [0], [0]]), **REALS)
        self.assertEqual(leman.Dataset.from_pyg(data.to_pyg()), data)
        self.assertEqual(data.to_pyg()[0].vertex_attributes.shape, (3, 1))
        without = paths(2, **REALS)
        self.assertEqual(leman.Dataset.from_pyg(without.to_pyg()), without)
        wrong = data.to_pyg()
        wrong[1].edge_attributes = wrong[1].edge_attributes[:2]
        with self.assertRaisesRegex(leman.InputError, "graph 1: found edge_attributes of length 2, expected 4"):
            leman.Dataset.from_pyg(wrong)


if __name__ == "__main__":
    package.main()
