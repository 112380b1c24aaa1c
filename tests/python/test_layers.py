"""The layers of leman.nn.torch compute what their definitions say, alone and in batches of PyG."""
import unittest

import package
import leman
import test_docs
from test_torch import labelled, random_data


def transformed(k, sizes=(4, 1, 5), **more):
    from leman.nn.torch import TupleTransform
    return [TupleTransform(k)(random_data(n, 7 * k + n, **more)) for n in sizes]


def sums_by_definition(kind, x, graph, k):
    """For each component j the sums of a layer, from the features x [n, ..., n, d] and the adjacency matrix alone."""
    import torch
    n = graph.num_nodes
    adjacent = torch.zeros(n, n, dtype=x.dtype)
    adjacent[graph.edge_index[0], graph.edge_index[1]] = 1
    others = torch.ones(n, n, dtype=x.dtype) - torch.eye(n, dtype=x.dtype)
    matrices = {"LocalConv": [adjacent], "DeltaConv": [adjacent, others - adjacent], "DenseConv": [others]}[kind]
    return [torch.movedim(torch.tensordot(matrix, torch.movedim(x, j, 0), 1), 0, j) for j in range(k) for matrix in matrices]


def block(module, z):
    """Two linear maps with what the preset puts around them; running statistics."""
    import torch
    names = dict(module.named_children())

    def norm(name, y):
        part = names[name]
        return (y - part.mean[0]) / torch.sqrt(part.variance[0] + 1e-5) * part.scale[0] + part.shift[0]

    def linear(name, y):
        return y @ names[name].weight.T + names[name].bias[0]
    y = linear("linear1", z)
    y = linear("linear2", torch.relu(norm("norm1", y) if "norm1" in names else y))
    y = norm("norm2", y) if "norm2" in names else y
    y = torch.relu(y) if module.relu else y
    return norm("norm", y) if "norm" in names else y


def randomised(module):
    """Every weight and statistic drawn anew, so that none is 0 or 1."""
    import torch
    with torch.no_grad():
        for weight in [*module.parameters(), *module.buffers()]:
            if weight.dtype.is_floating_point:
                weight.uniform_(0.1, 0.9)
    return module


@package.needs("torch", "torch_geometric")
class Layers(unittest.TestCase):
    def test_definition(self):
        import torch
        from leman.nn import torch as layers
        for k in (2, 3):
            for kind in ("LocalConv", "DeltaConv", "DenseConv"):
                for preset in ("zinc", "alchemy", "tu"):
                    conv = randomised(getattr(layers, kind)(k, 3, 4, preset=preset)).double().eval()
                    graph = transformed(k)[0]
                    x = torch.rand(graph.num_tuples, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
                    shaped = x.reshape(*[graph.num_nodes] * k, 3)
                    parts = [part for j in range(k) for part in ([conv.get_submodule(f"position{j + 1}")] if kind != "DeltaConv" else
                                                                 list(conv.get_submodule(f"position{j + 1}").children()))]
                    found = [block(part, (1 + part.epsilon) * shaped + total)
                             for part, total in zip(parts, sums_by_definition(kind, shaped, graph, k))]
                    wanted = block(conv.merge, torch.cat(found, -1)).reshape(graph.num_tuples, 4)
                    torch.testing.assert_close(conv(x, graph), wanted)

    def test_types_are_one_hot_features(self):
        """A layer that reads types computes what a layer on their one-hot vectors does."""
        import torch
        from leman.nn.torch import DeltaConv
        graph = transformed(2)[0]
        _, kinds = torch.unique(graph.tuple_type, return_inverse=True)
        first, second = randomised(DeltaConv(2, 3, 4, one_hot=True)).eval(), DeltaConv(2, 3, 4).eval()
        weights = {name.replace("table", "weight"): weight.T if "table" in name else weight for name, weight in first.state_dict().items()}
        second.load_state_dict(weights)
        torch.testing.assert_close(first(kinds, graph), second(torch.eye(3)[kinds], graph))

    def test_counts(self):
        """Counts of TupleTransform reach the layers, in the buckets of delta-k-LGNN+."""
        import torch
        from leman.nn.torch import GraphBatch, LocalPlusConv, Network, TupleTransform
        graphs = labelled(6)
        network = leman.nn.GraphNetwork("delta-2-LGNN+", layers=2, width=4, device="cpu", random_state=1).initialize(graphs)
        wanted = Network.from_network(network).encode(graphs).counts
        given = [leman.Dataset.from_networkx([graph])[0].to_pyg() for graph in graphs]
        from torch_geometric.data import Batch
        batch = GraphBatch.from_pyg(Batch.from_data_list(TupleTransform(2, counts=2).all(given)))
        self.assertEqual(len(batch.counts), 4)
        for one, other in zip(batch.counts, wanted):
            torch.testing.assert_close(one, other)
        conv = LocalPlusConv(2, 3, 4, layer=2)
        x = torch.zeros(batch.rows["tuples"], 3)
        with self.assertRaisesRegex(leman.InputError, "layer 2: found the counter # after 2 rounds, expected at least 3: TupleTransform"):
            conv(x, batch)
        with self.assertRaisesRegex(leman.InputError, "layer 2: found the counter # after 0 rounds"):
            conv(x, Batch.from_data_list(TupleTransform(2).all(given)))
        self.assertRaises(leman.ArgumentError, LocalPlusConv, 2, 3, 4, layer=-1)

    def test_layer_with_counts(self):
        """LocalPlusConv is sums of ReLU(x[w] + table[#[w]]) over local neighbours w, with # counted from the types of the tuples."""
        import torch
        from leman.nn.torch import LocalPlusConv, TupleTransform
        for k in (2, 3):
            graph = TupleTransform(k, counts=2)(random_data(5, k))
            conv = randomised(LocalPlusConv(k, 3, 4)).double().eval()
            n, types = graph.num_nodes, graph.tuple_type.reshape(*[graph.num_nodes] * k)
            adjacent = torch.zeros(n, n, dtype=torch.float64)
            adjacent[graph.edge_index[0], graph.edge_index[1]] = 1
            x = torch.rand(graph.num_tuples, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(1)) - 0.5
            shaped, found = x.reshape(*[n] * k, 3), []
            for j in range(k):
                part = conv.get_submodule(f"position{j + 1}")
                line = torch.movedim(types, j, -1)
                count = torch.movedim((line[..., :, None] == line[..., None, :]).sum(-1), -1, j)
                sent = torch.relu(shaped + part.counts.table[count - 1])  # each count up to 16 has a row of its own
                total = torch.movedim(torch.tensordot(adjacent, torch.movedim(sent, j, 0), 1), 0, j)
                found.append(block(part, (1 + part.epsilon) * shaped + total))
            wanted = block(conv.merge, torch.cat(found, -1)).reshape(-1, 4)
            torch.testing.assert_close(conv(x, graph), wanted)
            later = LocalPlusConv(k, 3, 4, layer=1).double().eval()
            later.load_state_dict(conv.state_dict())
            self.assertGreater(float((later(x, graph) - wanted).abs().max()), 1e-4)  # other counts

    def test_buckets(self):
        import torch
        from leman.nn._batch import _buckets
        counts = torch.tensor([1, 2, 16, 17, 22, 23, 31, 32, 45, 46, 4095, 4096, 10**6])
        self.assertEqual(_buckets(counts).tolist(), [0, 1, 15, 16, 16, 17, 17, 18, 18, 19, 31, 32, 32])

    def test_rows_that_do_not_fit(self):
        import torch
        from leman.nn.torch import GraphBatch, GraphPool, Network, TupleEncoder, TypeVocabulary, VertexPool
        graph = transformed(2)[0]
        batch = GraphBatch.from_pyg(graph)
        more = torch.zeros(graph.num_tuples + 1, 3)
        for make in (lambda: GraphPool()(more, batch), lambda: VertexPool()(more, batch)):
            with self.assertRaisesRegex(leman.InputError, "found 17 rows, expected one for each of the 16 tuples"):
                make()
        with self.assertRaisesRegex(leman.InputError, "found 5 rows, expected one for each of the 4 vertices"):
            TupleEncoder(2, graph.tuple_type, 3, vertex_features=2)(batch, torch.zeros(5, 2))
        with self.assertRaisesRegex(leman.InputError, "outside 0 to 9.*TypeVocabulary"):
            TupleEncoder(2, 10, 3)(batch)
        batch.index["tuple type"] = -graph.tuple_type.abs() - 5  # negative hashes are no unknown types
        with self.assertRaisesRegex(leman.InputError, "TypeVocabulary"):
            TupleEncoder(2, 10, 3)(batch)
        batch.index["tuple type"] = TypeVocabulary(graph).numbers(graph.tuple_type)
        self.assertEqual(TupleEncoder(2, 10, 3)(batch).shape, (16, 3))
        module = Network.from_network(leman.nn.GraphNetwork(layers=1, width=2, device="cpu").initialize(labelled(4)))
        with self.assertRaisesRegex(leman.InputError, "GraphBatch.from_pyg.*other numbers"):
            module(batch)

    def test_batches(self):
        """Graphs in a batch have the features and gradients that they have alone."""
        import torch
        from torch_geometric.data import Batch
        from leman.nn.torch import DeltaConv, GraphBatch, GraphPool, TupleEncoder, VertexPool
        for k in (2, 3):
            graphs = transformed(k)
            batch = Batch.from_data_list(graphs)
            conv, encoder = DeltaConv(k, 3, 4).eval(), TupleEncoder(k, batch.tuple_type, 3)

            def run(data):
                tuples = GraphBatch.from_pyg(data)
                x = conv(encoder(tuples), tuples)
                return x, VertexPool()(x, tuples), GraphPool()(x, tuples), GraphPool("sum")(x, tuples)

            alone = [torch.cat(parts) for parts in zip(*(run(graph) for graph in graphs))]
            sum(part.sum() for part in alone).backward()
            gradients = [weight.grad.clone() for weight in conv.parameters()]
            conv.zero_grad()
            together = run(batch)
            for one, other in zip(alone, together):
                torch.testing.assert_close(one, other)
            sum(part.sum() for part in together).backward()
            for weight, gradient in zip(conv.parameters(), gradients):
                torch.testing.assert_close(weight.grad, gradient, rtol=1e-3, atol=1e-4)
            x, vertices, means, sums = together
            for i, graph in enumerate(batch.to_data_list()):
                mine = x[batch.tuple_batch == i].reshape(*[graph.num_nodes] * k, 4)
                torch.testing.assert_close(mine.reshape(-1, 4).mean(0), means[i])
                torch.testing.assert_close(mine.reshape(-1, 4).sum(0), sums[i])
                diagonal = mine[tuple([torch.arange(graph.num_nodes)] * k)]
                torch.testing.assert_close(diagonal, vertices[batch.batch == i])

    def test_encoder(self):
        """Equal types have equal features, types that are not known have zeros, and features of vertices are added by component."""
        import torch
        from leman.nn.torch import GraphBatch, TupleEncoder
        known, other = transformed(2, x=None)[0], transformed(2, (6,))[0]
        encoder = TupleEncoder(2, known.tuple_type, 5)
        x = encoder(known)
        same = known.tuple_type[:, None] == known.tuple_type
        self.assertTrue(torch.equal((x[:, None] == x).all(2), same))
        other.tuple_type = other.tuple_type + 1
        self.assertTrue(torch.equal(encoder(other), torch.zeros(36, 5)))
        features = torch.rand(4, 2)
        more = TupleEncoder(2, known.tuple_type, 5, vertex_features=2)
        tuples = GraphBatch.from_pyg(known)
        first, second = (features @ part.weight.T for part in more.linear)
        wanted = more.table(more.number(known.tuple_type)).reshape(4, 4, 5) + first[:, None] + second
        torch.testing.assert_close(more(tuples, features), wanted.reshape(16, 5))

    def test_networks_read_batches(self):
        """A Network takes graphs of any kind instead of what encode() gives."""
        import torch
        from torch_geometric.data import Batch
        from leman.nn.torch import Network
        graphs = [random_data(n, n, x=torch.eye(8)[:n]) for n in (3, 5, 4)]
        module = Network.from_network(leman.nn.GraphNetwork("delta-2-LGNN", layers=1, width=4, random_state=1).initialize(graphs))
        wanted, batch = module(module.encode(graphs)), Batch.from_data_list(graphs)
        torch.testing.assert_close(module(batch), wanted)
        torch.testing.assert_close(module.embed(batch).tuples, module.embed(module.encode(graphs)).tuples)

    def test_mixed_with_other_layers(self):
        """Trained together with a layer of PyG and a head and loss of its own, the loss falls."""
        import torch
        from torch_geometric.data import Batch
        from torch_geometric.nn import GINConv, global_add_pool
        from leman.nn.torch import GraphBatch, LocalConv, TupleEncoder, VertexPool
        torch.manual_seed(1)
        batch = Batch.from_data_list(transformed(2, (3, 4, 5, 6)))

        class Mine(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.encoder, self.conv, self.pool = TupleEncoder(2, batch.tuple_type, 8), LocalConv(2, 8, 8), VertexPool()
                self.gin, self.head = GINConv(torch.nn.Linear(8, 8)), torch.nn.Linear(8, 1)

            def forward(self, data):
                tuples = GraphBatch.from_pyg(data)
                x = self.pool(self.conv(self.encoder(tuples), tuples), tuples)
                return self.head(global_add_pool(self.gin(x, data.edge_index).relu(), data.batch))

        module, wanted, losses = Mine(), torch.tensor([[3.0], [4], [5], [6]]), []
        optimizer = torch.optim.Adam(module.parameters(), 1e-2)
        for _ in range(60):
            optimizer.zero_grad()
            loss = torch.nn.functional.huber_loss(module(batch), wanted)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], losses[0] / 4)

    def test_what_is_refused(self):
        from leman.nn.torch import GraphPool, LocalConv
        graph = transformed(2)[0]
        for wrong in (lambda: LocalConv(4, 3, 3), lambda: LocalConv(2, 0, 3), lambda: LocalConv(2, 3, 3, preset="mutag"),
                      lambda: GraphPool("median")):
            self.assertRaises(leman.ArgumentError, wrong)
        with self.assertRaisesRegex(leman.InputError, "found graphs without tuples"):
            LocalConv(2, 3, 3)(graph.tuple_type, random_data(3, 1))
        with self.assertRaisesRegex(leman.InputError, "tuples of 2 vertices, expected 3"):
            LocalConv(3, 3, 3)(graph.tuple_type, graph)

    def test_examples_of_the_page(self):
        import torch
        tuples, first, second = (test_docs.run(block) for block in test_docs.examples(with_torch=True))
        self.assertEqual(tuples[0]["batch"].tuple_type.numel(), tuples[0]["batch"].tuple_batch.numel())
        self.assertTrue(all(weight.grad is not None for weight in first[0]["model"].parameters()))
        self.assertTrue(torch.isfinite(first[0]["loss"]))
        sizes = [graph.num_vertices for graph in second[0]["data"]]
        shapes = [tuple(second[0][name].shape) for name in ("tuples", "vertices", "graphs")]
        self.assertEqual(shapes, [(sum(n * n for n in sizes), 16), (sum(sizes), 16), (len(sizes), 16)])


if __name__ == "__main__":
    package.main()
