"""leman.nn.torch computes what the C networks compute, to float rounding, TupleTransform has the neighbours by definition, and
graphs of PyG come and go. (What needs PyTorch is in files of its own: they may run in an environment of their own.)"""
import os
import tempfile
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


def with_reals(graphs, directed=False):
    """The same graphs with two features and a position at each vertex, and a real at each edge."""
    rng = np.random.default_rng(7)
    made = []
    for graph in graphs:
        graph = graph.to_directed() if directed else graph.copy()
        if directed:
            graph.remove_edges_from([e for e in list(graph.edges) if rng.random() < 0.3])
        for v in graph:
            for i in range(5):
                graph.nodes[v][f"x{i}"] = float(rng.normal())
        for e in graph.edges:
            graph.edges[e]["w"] = float(rng.normal())
        made.append(graph)
    return leman.Dataset.from_networkx(made, node_attributes=[f"x{i}" for i in range(5)], edge_attributes=["w"])


MODELS = ("GIN-0", "GIN-eps", "GINE-0", "GINE-eps", "2-WL-GNN", "delta-2-LGNN", "delta-2-LGNN+", "delta-2-GNN", "MPNN", "PPGN",
          "1-2-GNN", "1-3-GNN", "1-2-3-GNN")


@package.needs("torch")
class InTorch(unittest.TestCase):
    def compare(self, network, data, target, what):
        """The module predicts what the network does, for graphs that it learned from and for others, and has as many weights."""
        from leman.nn.torch import Network
        network.fit(data, target, validation=np.arange(4))
        module = Network.from_network(network)
        np.testing.assert_allclose(module.predict(data), network._outputs(data), rtol=2e-4, atol=2e-5, err_msg=what)
        self.assertEqual(sum(p.numel() for p in module.parameters()), network.n_parameters_, what)
        self.assertEqual(set(module.state_dict()), set(network.state_dict()), what)
        return module

    def test_every_model_and_preset(self):
        graphs = labelled() + [nx.empty_graph(1), nx.empty_graph(3)]
        nx.set_node_attributes(graphs[-2], "C", "label")
        nx.set_node_attributes(graphs[-1], "N", "label")
        plain = leman.Dataset.from_networkx(graphs)
        reals = with_reals(graphs)
        y = np.array([[len(g), g.size() / 3] for g in graphs])
        classes = [len(g) % 2 for g in graphs]
        for preset in ("zinc", "tu", "alchemy", "qm9"):
            for model in MODELS:
                data = reals if preset == "qm9" else plain
                how = dict(coordinates=range(2, 5)) if preset == "qm9" else {}
                network = leman.nn.GraphNetwork(model, preset, layers=2, width=6, epochs=2, batch_size=7, device="cpu", **how)
                self.compare(network, data, classes if preset == "tu" else y, f"{model} {preset}")

    def test_larger_tuples(self):
        graphs = labelled(10)
        for model in ("delta-3-LGNN", "delta-3-LGNN+", "3-WL-GNN", "delta-3-GNN"):
            network = leman.nn.GraphNetwork(model, "zinc", layers=2, width=4, epochs=2, device="cpu")
            self.compare(network, leman.Dataset.from_networkx(graphs), [float(len(g)) for g in graphs], model)
        network = leman.nn.GraphNetwork("delta-3-LGNN", "qm9", layers=1, width=4, epochs=2, device="cpu", coordinates=range(2, 5))
        self.compare(network, with_reals(graphs), [float(len(g)) for g in graphs], "delta-3-LGNN qm9")

    def test_directed_graphs(self):
        graphs = labelled(12)
        data, y = with_reals(graphs, True), [float(len(g)) for g in graphs]
        self.assertTrue(data.directed)
        for model in MODELS:
            for in_arcs in (False, True)[:1 if model.startswith("1-") else 2]:
                network = leman.nn.GraphNetwork(model, "zinc", layers=2, width=4, epochs=2, device="cpu", in_arcs=in_arcs)
                self.compare(network, data, y, f"{model} {in_arcs}")
        for model in ("MPNN", "PPGN", "delta-2-LGNN"):
            network = leman.nn.GraphNetwork(model, "qm9", layers=1, width=4, epochs=2, device="cpu", in_arcs=True,
                                            coordinates=range(2, 5))
            self.compare(network, data, y, f"{model} qm9")

    def test_degrees_and_what_was_never_seen(self):
        """Vertices without labels have their degree; unknown labels, edges and self-loops contribute what they do in C."""
        graphs = labelled(16)
        bare = [nx.Graph(g.edges) for g in graphs if g.number_of_edges()]
        network = leman.nn.GraphNetwork("GIN-eps", "tu", layers=2, width=6, epochs=2, device="cpu")
        self.compare(network, leman.Dataset.from_networkx(bare), [len(g) % 2 for g in bare], "degrees")
        star = leman.Dataset.from_networkx([nx.star_graph(20), nx.path_graph(3)])
        from leman.nn.torch import Network
        np.testing.assert_allclose(Network.from_network(network).predict(star), network._outputs(star), rtol=2e-4, atol=2e-5)
        for graph in graphs[:4]:
            graph.add_edge(0, 0, label=1)
        data = leman.Dataset.from_networkx(graphs, policy="self-loops=keep")
        other = labelled(6)
        for graph in other:
            graph.nodes[1]["label"] = "X"
            graph.add_edge(0, 1, label=9)
            graph.add_edge(2, 2, label=9)
        other = leman.Dataset.from_networkx(other, policy="self-loops=keep")
        for model in MODELS:
            network = leman.nn.GraphNetwork(model, "zinc", layers=2, width=6, epochs=2, device="cpu")
            module = self.compare(network, data, [float(len(g)) for g in graphs], model)
            np.testing.assert_allclose(module.predict(other), network._outputs(other), rtol=2e-4, atol=2e-5, err_msg=model)

    def test_export_of_the_program(self):
        from leman.nn.torch import Network
        graphs = labelled(12)
        data = leman.Dataset.from_networkx([nx.convert_node_labels_to_integers(g) for g in graphs], [float(len(g)) for g in graphs])
        network = leman.nn.GraphNetwork("delta-2-LGNN", "zinc", layers=1, width=4, epochs=1, device="cpu").fit(data)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights.npz")
            np.savez(path, **network.state_dict())
            with self.assertRaises(leman.InputError):
                Network.from_export(path)
            with self.assertRaises(FileNotFoundError) as caught:
                Network.from_export(path + "x")
            self.assertIsInstance(caught.exception, leman.FileError)
            network.export(path)
            module = Network.from_export(path)
        np.testing.assert_allclose(module.predict(data), network._outputs(data), rtol=2e-4, atol=2e-5)

    def test_prediction_does_not_train(self):
        """predict() of a module in train mode is that of eval mode, and changes neither norms nor the mode."""
        network = leman.nn.GraphNetwork("delta-2-LGNN", "tu", layers=2, width=8, epochs=1, random_state=0, device="cpu")
        from leman.nn.torch import Network
        data = leman.Dataset.generate("molecules", graphs=20, vertices=10)
        module = Network.from_network(network.fit(data, [i % 2 for i in range(20)]))
        before, weights = module.predict(data), {name: weight.clone() for name, weight in module.state_dict().items()}
        module.train()
        np.testing.assert_array_equal(module.predict(data), before)
        self.assertTrue(module.training)
        for name, weight in module.state_dict().items():
            np.testing.assert_array_equal(weight.numpy(), weights[name].numpy())

    def test_training_goes_on(self):
        """Trained in PyTorch, the loss falls; running statistics move as those of torch.nn.BatchNorm1d."""
        import torch
        from leman.nn.torch import Network
        graphs = labelled(20)
        y = [float(len(g)) for g in graphs]
        for model in ("delta-2-LGNN", "GINE-eps"):
            network = leman.nn.GraphNetwork(model, "zinc", layers=2, width=8, epochs=1, device="cpu", random_state=1).fit(graphs, y)
            module = Network.from_network(network)
            batch, wanted = module.encode(graphs), torch.tensor(y).unsqueeze(1)
            before = {name: tensor.clone() for name, tensor in module.named_buffers()}
            optimizer, losses = torch.optim.Adam(module.parameters(), 1e-2), []
            module.train()
            for _ in range(30):
                optimizer.zero_grad()
                loss = torch.nn.functional.l1_loss(module(batch), wanted)
                loss.backward()
                optimizer.step()
                losses.append(float(loss))
            self.assertLess(losses[-1], losses[0] / 2)
            self.assertTrue(all(bool((tensor != before[name]).any()) for name, tensor in module.named_buffers()))

    def test_gradients_flow(self):
        from leman.nn.torch import Network
        graphs = labelled(8)
        network = leman.nn.GraphNetwork("delta-2-LGNN", "zinc", layers=2, width=4, epochs=1, device="cpu")
        module = Network.from_network(network.fit(graphs, [float(len(g)) for g in graphs]))
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


def random_data(vertices, seed, kind=None, **more):
    import torch
    from torch_geometric.data import Data
    draw = torch.Generator().manual_seed(seed)
    upper = torch.triu(torch.rand(vertices, vertices, generator=draw) < 0.4, 1)
    return (kind or Data)(edge_index=(upper | upper.T).nonzero().T.contiguous(), num_nodes=vertices, **more)


@package.needs("torch", "torch_geometric")
class TuplesInBatches(unittest.TestCase):
    """Tuples of graphs side by side are those of each graph, shifted by the tuples and vertices of the graphs before it."""

    def graphs(self, k):
        from leman.nn.torch import TupleTransform
        return [TupleTransform(k)(random_data(n, 10 * k + n)) for n in (3, 5, 1, 0, 4)]

    def equal(self, one, other):
        import torch
        self.assertIs(type(one), type(other))
        self.assertEqual(sorted(one.keys()), sorted(other.keys()))
        for key in one.keys():
            self.assertTrue(torch.equal(torch.as_tensor(one[key]), torch.as_tensor(other[key])), key)

    def test_batch(self):
        import torch
        from torch_geometric.data import Batch
        for k in (2, 3):
            graphs = self.graphs(k)
            batch = Batch.from_data_list(graphs)
            self.assertEqual(batch.num_tuples, sum(g.num_nodes**k for g in graphs))
            value = torch.randn(batch.num_tuples, generator=torch.Generator().manual_seed(1))
            tuples = vertices = 0
            for place, graph in enumerate(graphs):
                mine = slice(tuples, tuples + graph.num_tuples)
                self.assertTrue(torch.equal(batch.tuple_index[:, mine], graph.tuple_index + vertices))
                self.assertTrue(torch.equal(batch.tuple_type[mine], graph.tuple_type))
                self.assertTrue(bool((batch.tuple_batch[mine] == place).all()))
                for j in range(k):  # sums over neighbours, alone and in the batch
                    source, to = batch[f"tuple_edge_index_{j}"]
                    together = torch.zeros(batch.num_tuples).index_add(0, to, value[source])
                    source, to = graph[f"tuple_edge_index_{j}"]
                    alone = torch.zeros(graph.num_tuples).index_add(0, to, value[mine][source])
                    torch.testing.assert_close(together[mine], alone)
                tuples, vertices = mine.stop, vertices + graph.num_nodes
            for one, other in zip(batch.to_data_list(), graphs):
                self.equal(one, other)

    def test_loader_and_pickle(self):
        import pickle
        from torch_geometric.data import Batch, Data
        from torch_geometric.loader import DataLoader
        graphs = self.graphs(2)
        for workers in (0, 1):
            batches = list(DataLoader(graphs, batch_size=2, num_workers=workers))
            self.assertEqual([batch.num_tuples for batch in batches], [9 + 25, 1, 16])
            self.equal(batches[0], Batch.from_data_list(graphs[:2]))
        self.equal(pickle.loads(pickle.dumps(graphs[0])), graphs[0])
        plain = random_data(4, 1)
        from leman.nn.torch import TupleTransform
        self.assertIsInstance(TupleTransform(2)(plain), Data)
        self.assertNotIn("tuple_index", plain)  # the argument is not changed

    def test_own_class(self):
        """A class of Data objects keeps what it says of its own tensors."""
        import torch
        from torch_geometric.data import Batch, Data
        from leman.nn.torch import TupleTransform

        class Mine(Data):
            def __inc__(self, key, value, *args, **how):
                return 7 if key == "seven" else super().__inc__(key, value, *args, **how)

        one = TupleTransform(2)(random_data(3, 5, Mine, seven=torch.tensor([1])))
        self.assertIsInstance(one, Mine)
        self.assertEqual(Batch.from_data_list([one, one]).seven.tolist(), [1, 8])


@package.needs("torch", "torch_geometric")
class Geometric(unittest.TestCase):
    def test_pyg(self):
        import torch
        from torch_geometric.data import Data
        edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
        data = leman.Dataset.from_pyg([Data(x=torch.eye(3), edge_index=edge_index, y=torch.tensor([1])),
                                       Data(x=torch.eye(3)[:1], edge_index=torch.zeros(2, 0, dtype=torch.long),
                                            y=torch.tensor([0]))])
        self.assertEqual(data[0].vertex_labels, [0, 1, 2])
        self.assertEqual(list(data.y), [1, 0])
        again = leman.Dataset.from_pyg(data.to_pyg())
        self.assertEqual(again, data)

    def test_batches_are_taken_apart(self):
        import torch
        from torch_geometric.data import Batch, Data
        from torch_geometric.loader import DataLoader
        graphs = [random_data(n, n, x=torch.eye(8)[:n], y=torch.tensor([n % 2])) for n in (3, 5, 1, 4, 2)]
        wanted = leman.Dataset.from_pyg(graphs)
        self.assertEqual(leman.Dataset.from_pyg(Batch.from_data_list(graphs)), wanted)
        self.assertEqual(leman.Dataset.from_pyg(DataLoader(graphs, batch_size=2)), wanted)
        self.assertEqual(leman.as_dataset(DataLoader(graphs, batch_size=2)), wanted)
        network = leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=1, device="cpu").fit(Batch.from_data_list(graphs))
        np.testing.assert_array_equal(network._outputs(Batch.from_data_list(graphs)), network._outputs(graphs))
        from leman.nn.torch import Network
        module = Network.from_network(network)
        self.assertEqual(module.encode(Batch.from_data_list(graphs)).graphs, len(graphs))
        with self.assertRaisesRegex(leman.InputError, "cannot be taken apart"):
            leman.Dataset.from_pyg(Batch(edge_index=graphs[0].edge_index, batch=torch.zeros(3, dtype=torch.int64)))
        with self.assertRaisesRegex(leman.InputError, "batch numbers 2 graphs"):
            leman.Dataset.from_pyg(Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=3, batch=torch.tensor([0, 0, 1])))

    def test_every_feature_arrives(self):
        """Labels behind attributes, as TUDataset(use_node_attr=True) writes them; atomic numbers; positions; y of some graphs."""
        import torch
        draw = torch.Generator().manual_seed(4)
        graphs, kinds = [], []
        for n in (4, 3, 6):
            kinds.append(torch.randint(0, 3, (n,), generator=draw))
            x = torch.cat([torch.randn(n, 2, generator=draw), torch.eye(3)[kinds[-1]]], 1)
            graphs.append(random_data(n, n, x=x, pos=torch.randn(n, 3, generator=draw)))
        graphs[0].y, graphs[2].y = torch.tensor([1]), torch.tensor([0])
        data = leman.Dataset.from_pyg(graphs)
        for graph, given, kind in zip(data, graphs, kinds):
            self.assertEqual(graph.vertex_labels, (kind + 2).tolist())  # the numbers of the columns
            np.testing.assert_array_equal(graph.vertex_attributes, torch.cat([given.x[:, :2], given.pos], 1).numpy())
        self.assertEqual([graph.y for graph in data], [1, None, 0])
        zero = random_data(2, 1, x=torch.tensor([[0.0, 0, 1], [0, 1, 0]]))  # an attribute that is 0, and two labels
        other = random_data(2, 1, x=torch.tensor([[2.0, 0, 1], [0, 1, 0]]))
        for listed in ([zero], [zero, other]):
            found = leman.Dataset.from_pyg(listed, label_columns=2)
            self.assertEqual((found[0].vertex_labels, found.columns.vertex_attributes), ([2, 1], 1))
            self.assertEqual(leman.Dataset.from_pyg(listed)[0].vertex_labels, [2, 1])
        for wrong in (dict(label_columns=3), dict(label_columns=7)):
            with self.assertRaisesRegex(leman.InputError, "one-hot"):
                leman.Dataset.from_pyg([other], **wrong)
        for wrong in (dict(pos=torch.zeros(3, 3)), dict(z=torch.zeros(1, dtype=torch.int64)), dict(edge_attr=torch.zeros(1, 2))):
            with self.assertRaisesRegex(leman.InputError, "graph 0: found .* of length"):
                leman.Dataset.from_pyg([random_data(2, 7, **wrong)])
        reals = [random_data(n, n, x=torch.randn(n, 2, generator=draw), z=torch.full((n,), 6), y=torch.randn(1, 2)) for n in (2, 5)]
        del reals[1].y
        data = leman.Dataset.from_pyg(reals)
        self.assertEqual(data[1].vertex_labels, [6] * 5)
        np.testing.assert_array_equal(data[0].vertex_attributes, reals[0].x.numpy())
        np.testing.assert_array_equal(np.isnan(data.targets), [[False, False], [True, True]])


if __name__ == "__main__":
    package.main()
