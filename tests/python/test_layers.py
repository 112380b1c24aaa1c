"""The layers of leman.nn.torch compute what their definitions say, alone and in batches of PyG, and the parts of a Network are modules that
PyTorch's tools work with."""
import copy
import io
import unittest
import warnings

import numpy as np

import package
import leman
import test_docs
from test_torch import MODELS, labelled, random_data


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


@package.needs("torch")
class Sums(unittest.TestCase):
    def lists(self, rows=4):
        import torch
        from leman.nn._batch import Lists
        row, other = torch.tensor([3, 0, 0, 3, 1, 0]), torch.tensor([1, 2, 0, 1, 4, 2])  # row 2 has none; pairs occur twice
        dense = torch.zeros(rows, 5, dtype=torch.float64).index_put((row, other), torch.ones(6, dtype=torch.float64), accumulate=True)
        return Lists.of(row, other, rows, 5), dense

    def test_operator(self):
        """A product with a sparse matrix, and its first and second derivatives."""
        import torch
        lists, dense = self.lists()
        x = torch.rand(5, 3, dtype=torch.float64, requires_grad=True)
        torch.testing.assert_close(torch.ops.leman.neighbor_sum(x, None, *lists), dense @ x)
        torch.testing.assert_close(lists.transposed.sum(x[:4]), dense.T @ x[:4])
        torch.testing.assert_close(lists.mean(x), dense @ x / dense.sum(1, keepdim=True).clamp(min=1))
        self.assertTrue(torch.autograd.gradcheck(lambda y: lists.sum(y) ** 2, x))
        self.assertTrue(torch.autograd.gradgradcheck(lambda y: lists.sum(y) ** 2, x))
        self.assertEqual(lists.sum(x.detach().bfloat16()).dtype, torch.bfloat16)
        epsilon = torch.tensor([[0.3]], dtype=torch.float64, requires_grad=True)
        square, matrix = self.lists(rows=5)
        torch.testing.assert_close(square.sum(x, epsilon), 1.3 * x + matrix @ x)
        self.assertTrue(torch.autograd.gradcheck(lambda y, e: square.sum(y, e) ** 2, (x, epsilon)))
        self.assertTrue(torch.autograd.gradgradcheck(lambda y, e: square.sum(y, e) ** 2, (x, epsilon)))
        empty = torch.zeros(0, dtype=torch.int64)
        from leman.nn._batch import Lists
        self.assertEqual(Lists.of(empty, empty, 2, 0).sum(torch.zeros(0, 3)).tolist(), [[0, 0, 0]] * 2)


    def random_lists(self, rows, others, seed, pairs=None):
        import torch
        from leman.nn._batch import Lists
        generator = torch.Generator().manual_seed(seed)
        pairs = 4 * rows if pairs is None else pairs
        return Lists.of(torch.randint(rows, (pairs,), generator=generator), torch.randint(others, (pairs,), generator=generator), rows, others)

    def test_the_library_computes(self):
        """The library's sums are those of a sparse matrix, with one thread and with two; PyTorch's own kernels agree."""
        import torch
        from leman.nn import _batch, _native
        before = torch.get_num_threads()
        for rows, others, width, pairs in ((1000, 1000, 16, None), (3, 2000, 5, 9000), (700, 3, 1, None), (5, 5, 8, 0)):
            lists = self.random_lists(rows, others, rows, pairs)
            row = torch.repeat_interleave(torch.arange(rows), lists.start[1:] - lists.start[:-1])
            for number, tolerance in ((torch.float32, 1e-5), (torch.float64, 1e-12)):
                x = torch.rand(others, width, dtype=number, generator=torch.Generator().manual_seed(1))
                epsilon = torch.tensor([[0.25]], dtype=number) if rows == others else None
                wanted = torch.zeros(rows, width, dtype=torch.float64).index_add_(0, row, x.double()[lists.other])
                wanted = wanted if epsilon is None else wanted + 1.25 * x.double()
                found = {}
                try:
                    for threads in (1, 2):
                        torch.set_num_threads(threads)
                        found[threads] = _native.neighbor_sum(x, epsilon, lists.start, lists.other)
                finally:
                    torch.set_num_threads(before)
                self.assertTrue(torch.equal(found[1], found[2]))
                for y in (found[1], _batch._sum_by_torch(x, epsilon, lists.start, lists.other)):
                    torch.testing.assert_close(y.double(), wanted, rtol=tolerance, atol=tolerance)
                torch.testing.assert_close(_native.neighbor_sum(x.t().contiguous().t(), epsilon, lists.start, lists.other.int()), found[1])

    def test_lists_that_do_not_fit(self):
        import torch
        from leman.nn import _native
        lists, _ = self.lists()
        with self.assertRaisesRegex(leman.InputError, "other: found a row that does not exist, expected numbers from 0 to 2"):
            lists.sum(torch.zeros(3, 2))
        with self.assertRaisesRegex(leman.InputError, "start: found 9 at the end, expected at most 1"):
            torch.ops.leman.neighbor_sum(torch.zeros(3, 2), None, torch.tensor([0, 9]), torch.tensor([1]), lists.back_start, lists.back_other)
        with self.assertRaisesRegex(leman.ArgumentError, "found x, start and other of shapes"):
            torch.ops.leman.neighbor_sum(torch.zeros(3), None, *lists)
        for start, epsilon in ((lists.start.to("meta"), None), (lists.start, torch.zeros(2)), (lists.start, torch.zeros(0))):
            with self.assertRaisesRegex(leman.ArgumentError, "expected one device and one number"):
                _native.neighbor_sum(torch.zeros(5, 2), epsilon, start, lists.other)
        with self.assertRaisesRegex(leman.ArgumentError, "epsilon: found 4 lists and 5 rows of x"):
            lists.sum(torch.zeros(5, 2), torch.zeros(1, 1))

    def test_in_a_child(self):
        """A process that was forked after a sum with two threads computes sums."""
        import os
        import torch
        lists, before = self.random_lists(3000, 3000, 1), torch.get_num_threads()
        x = torch.rand(3000, 8)
        try:
            torch.set_num_threads(2)
            wanted = lists.sum(x)
            child = os.fork()
            if not child:
                os._exit(0 if torch.equal(lists.sum(x), wanted) else 1)
        finally:
            torch.set_num_threads(before)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


@package.needs("torch")
class Maps(unittest.TestCase):
    def random(self, *shape, seed=1):
        import torch
        return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))

    def both(self, relu, biased, rows=1300):
        """Outputs and gradients of the operator, and of PyTorch in 64-bit floats."""
        import torch
        given = [self.random(rows, 6), self.random(5, 6, seed=2), self.random(5, seed=3) if biased else None]
        outer = self.random(rows, 5, seed=4)
        found = []
        for number in (torch.float32, torch.float64):
            x, weight, bias = (None if part is None else part.to(number).requires_grad_() for part in given)
            if number == torch.float32:
                y = torch.ops.leman.linear(x, weight, bias, relu)
            else:
                y = torch.nn.functional.linear(x, weight, bias)
                y = torch.relu(y) if relu else y
            parts = [part for part in (x, weight, bias) if part is not None]
            first = torch.autograd.grad((y * outer).sum(), parts, retain_graph=True)
            again = torch.autograd.grad((y * outer).pow(2).sum(), parts, create_graph=True)
            second = torch.autograd.grad(sum(part.sum() for part in again), parts)
            found.append((y, *first, *second))
        return found

    def test_operator(self):
        import torch
        for relu in (False, True):
            for biased in (False, True):
                for one, other in zip(*self.both(relu, biased)):
                    torch.testing.assert_close(one.double(), other, rtol=1e-4, atol=2e-3)

    def test_no_rows(self):
        import torch
        import leman.nn.torch  # its operators
        for relu in (False, True):
            x, weight, bias = torch.empty(0, 6, requires_grad=True), self.random(5, 6, seed=2).requires_grad_(), torch.zeros(5)
            y = torch.ops.leman.linear(x, weight, bias, relu)
            y.sum().backward()
            self.assertEqual((tuple(y.shape), tuple(x.grad.shape), weight.grad.abs().sum().item()), ((0, 5), (0, 6), 0))

    def test_some_gradients(self):
        """Gradients that nobody asks for are not computed, and those that are asked for are right without the others."""
        import torch
        x, weight, outer = self.random(600, 6), self.random(5, 6, seed=2), self.random(600, 5, seed=4)
        for wanted in range(2):
            given = [x.clone(), weight.clone()]
            given[wanted].requires_grad_()
            (torch.ops.leman.linear(*given, None, False) * outer).sum().backward()
            torch.testing.assert_close(given[wanted].grad, outer @ weight if wanted == 0 else outer.t() @ x, rtol=1e-4, atol=1e-3)
            self.assertIsNone(given[1 - wanted].grad)

    def test_shapes_that_do_not_fit(self):
        import torch
        x, weight = self.random(9, 6), self.random(5, 6, seed=2)
        for wrong in ((x, weight[:, :5], None), (x, weight, torch.zeros(4)), (x, weight, torch.zeros(5, dtype=torch.float64)), (x[0], weight, None)):
            with self.assertRaisesRegex(leman.ArgumentError, "found x, weight and bias of shapes"):
                torch.ops.leman.linear(*wrong, True)
        for wrong in ((x, weight, None, x), (x, weight, x, self.random(9, 5)), (x, weight[:, :5], None, self.random(9, 5))):
            with self.assertRaisesRegex(leman.ArgumentError, "found x, weight and gradient of shapes"):
                torch.ops.leman.linear_backward(*wrong, [True, True, True])

    def test_hooks_see_what_is_before_the_relu(self):
        import torch
        from leman.nn._layers import Linear, rectified
        linear, x = Linear(6, 5), self.random(600, 6)
        wanted = torch.relu(x @ linear.weight.t() + linear.bias)
        torch.testing.assert_close(rectified(linear, x), wanted, rtol=1e-5, atol=1e-5)
        seen = []
        hook = linear.register_forward_hook(lambda module, given, output: seen.append(output))
        torch.testing.assert_close(rectified(linear, x), wanted, rtol=1e-5, atol=1e-5)
        self.assertLess(float(seen[0].min()), -0.1)
        hook.remove()
        x[3, 2] = torch.nan
        self.assertTrue(bool(torch.isnan(rectified(linear, x)[3]).all()))


@package.needs("torch")
class Modules(unittest.TestCase):
    def made(self, model, preset="zinc"):
        import torch
        from leman.nn.torch import Network
        graphs = labelled(8)
        network = leman.nn.GraphNetwork(model, preset, layers=2, width=4, epochs=1, device="cpu", random_state=0)
        module = Network.from_network(network.fit(graphs, [float(len(g)) for g in graphs]))
        batch = module.encode(graphs)
        with torch.no_grad():
            return module, batch, module(batch)

    def test_many_rows(self):
        """Batches whose linear maps the library computes: outputs and gradients are those of PyTorch in 64-bit floats."""
        import torch
        from leman.nn.torch import Network
        graphs = labelled(60)
        for model, preset in (("delta-2-LGNN", "zinc"), ("delta-2-GNN", "alchemy"), ("GIN-eps", "zinc"), ("delta-2-LGNN+", "zinc")):
            network = leman.nn.GraphNetwork(model, preset, layers=2, width=6, device="cpu", random_state=0).initialize(graphs)
            module, gradients, outputs = Network.from_network(network).train(), [], []
            batch = module.encode(graphs * (1 if "delta" in model else 8))
            self.assertGreater(batch.rows["tuples" if "delta" in model else "vertices"], 1024)
            for number in (torch.float32, torch.float64):
                one = copy.deepcopy(module).to(number)
                outputs.append(one(batch).double())
                outputs[-1].square().sum().backward()
                gradients.append({name: weight.grad.double() for name, weight in one.named_parameters()})
            torch.testing.assert_close(outputs[0], outputs[1], rtol=1e-3, atol=1e-4)
            size = max(float(part.abs().max()) for part in gradients[1].values())
            for name, part in gradients[1].items():
                torch.testing.assert_close(gradients[0][name], part, rtol=1e-2, atol=1e-3 * size, msg=f"{model}: {name}")

    def test_layers_of_networks(self):
        from leman.nn.torch import DeltaConv, DenseConv, LocalConv, LocalPlusConv
        for model, kind in (("delta-2-LGNN", LocalConv), ("delta-2-LGNN+", LocalPlusConv), ("delta-2-GNN", DeltaConv), ("2-WL-GNN", DenseConv)):
            module, batch, _ = self.made(model)
            for name in ("layer1", "layer2"):
                self.assertIs(type(module.get_submodule(name)), kind)
            seen = {}
            module.layer1.register_forward_hook(lambda part, given, x: seen.update(first=x))
            module.layer2.register_forward_hook(lambda part, given, x: seen.update(given=given[0], second=x))
            module(batch)
            self.assertIs(seen["given"], seen["first"])
            self.assertEqual(seen["second"].shape, (batch.rows["tuples"], 4))

    def test_hooks(self):
        """Every named module is called, and what a hook returns is used."""
        import torch
        for model in MODELS:
            for preset in ("zinc", "alchemy"):
                module, batch, wanted = self.made(model, preset)
                called = set()
                for name, part in module.named_modules():
                    part.register_forward_hook(lambda part, given, y, name=name: called.add(name))
                module(batch)
                self.assertEqual(called, {name for name, _ in module.named_modules()}, model)
                module.head.linear1.register_forward_hook(lambda part, given, y: y + 1)
                self.assertFalse(torch.equal(module(batch), wanted))

    def test_embeddings(self):
        """The head maps the features of graphs to the outputs; features of vertices are those of the diagonal; in preset zinc the features
        of graphs are means of the features of all layers, of which the last come last."""
        import torch
        for model in MODELS:
            module, batch, wanted = self.made(model)
            with torch.no_grad():
                tuples, vertices, graphs = module.embed(batch)
            head = graphs
            maps = [part for _, part in module.head.named_children()]
            for i, part in enumerate(maps):
                head = part(head)
                head = head if i == len(maps) - 1 else torch.nn.functional.elu(head) if "1-" in model else torch.relu(head)
            torch.testing.assert_close(head, wanted, msg=model)
            sizes = batch.sizes
            self.assertEqual((len(vertices), len(graphs)), (sum(sizes), len(sizes)), model)
            if tuples is None:
                self.assertIn(model.split("-")[0], ("GIN", "GINE", "MPNN", "1"))
                parts = torch.split(vertices, sizes)
            else:
                parts = torch.split(tuples, [n * n for n in sizes])
                for n, part, diagonal in zip(sizes, parts, torch.split(vertices, sizes)):
                    torch.testing.assert_close(part.reshape(n, n, -1).diagonal().T, diagonal)
            if model not in ("MPNN", "PPGN"):
                pooled = graphs[:, :4] if "1-" in model else graphs[:, -4:]  # set networks have vertices first, then sets
                torch.testing.assert_close(torch.stack([part.mean(0) for part in parts]), pooled, msg=model)

    def check_compiled(self, module, batch, wanted):
        """In both modes, and for batches of other sizes, for which PyTorch compiles sizes that vary."""
        import torch
        smaller = module.encode(labelled(5))
        for training in (False, True):
            one, other = copy.deepcopy(module).train(training), copy.deepcopy(module).train(training)
            compiled = torch.compile(one, backend="aot_eager", fullgraph=True)
            for given in (batch, smaller, batch):
                torch.testing.assert_close(compiled(given), other(given), rtol=1e-4, atol=1e-5)
            if not training:
                torch.testing.assert_close(compiled(batch), wanted)
            torch._dynamo.reset()

    def test_batches_in_files(self):
        """torch.save() of a batch, which torch.load() reads without trusting the file."""
        import torch
        module, batch, wanted = self.made("delta-2-LGNN")
        kept = io.BytesIO()
        torch.save(batch, kept)
        kept.seek(0)
        torch.testing.assert_close(module(torch.load(kept)), wanted)

    def test_tools(self):
        """torch.fx, and torch.export and torch.compile where PyTorch has them; 64-bit floats; mixed precision; copies."""
        import torch
        for model in MODELS:
            module, batch, wanted = self.made(model, "zinc" if model != "MPNN" else "alchemy")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # the trace is that of this batch
                traced = torch.fx.symbolic_trace(module, concrete_args={"batch": batch})
            torch.testing.assert_close(traced(batch), wanted, msg=model)
            slow = model in ("GINE-eps", "delta-2-GNN", "1-2-3-GNN")  # of each kind one
            if slow and hasattr(torch, "compile"):
                self.check_compiled(module, batch, wanted)
            if slow and hasattr(torch, "export"):
                exported = torch.export.export(module, (batch,))
                torch.testing.assert_close(exported.module()(batch), wanted, msg=model)
                kept = io.BytesIO()
                torch.export.save(exported, kept)
                kept.seek(0)
                torch.testing.assert_close(torch.export.load(kept).module()(batch), wanted, msg=model)
            double = copy.deepcopy(module).double()(batch)
            self.assertEqual(double.dtype, torch.float64)
            torch.testing.assert_close(double, wanted.double(), rtol=1e-4, atol=1e-5)
            module.train()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                mixed = module(batch)
            self.assertEqual(mixed.dtype, torch.bfloat16)
            mixed.float().sum().backward()
            self.assertTrue(all(weight.grad is not None for weight in module.parameters()), model)


@package.needs("torch")
class ThereAndBack(unittest.TestCase):
    """From parameters to fresh weights, to PyTorch, and back into the library."""

    def network(self, **more):
        return leman.nn.GraphNetwork(**{**dict(model="delta-2-LGNN", preset="zinc", layers=2, width=8, device="cpu", random_state=3), **more})

    def test_fresh_weights(self):
        graphs = labelled(12)
        y = [float(len(g)) for g in graphs]
        weights = self.network().initialize(graphs, y).state_dict()
        for name, weight in weights.items():
            if name.endswith("linear2.weight"):
                bound = weight.shape[1] ** -0.5
                self.assertLessEqual(np.abs(weight).max(), bound)
                self.assertGreater(np.abs(weight).max(), 0.8 * bound)
                self.assertGreater(weight.std(), 0.3 * bound)
        self.assertEqual(weights["layer1.position1.epsilon"], 0)
        again, other = (self.network(random_state=seed).initialize(graphs, y).state_dict() for seed in (3, 4))
        self.assertTrue(all(np.array_equal(weights[name], again[name]) for name in weights))
        self.assertFalse(np.array_equal(weights["head.linear1.weight"], other["head.linear1.weight"]))
        moved = self.network(epochs=1, learning_rate=1e-6).fit(graphs, y).state_dict()
        for name in weights:  # fit() begins with these weights; a step of Adam is at most as long as the learning rate
            if not name.endswith(("mean", "variance")):
                np.testing.assert_allclose(moved[name], weights[name], rtol=0, atol=1e-5)

    def test_what_is_predicted(self):
        graphs = labelled(12)
        bare = self.network().initialize(graphs, outputs=3)
        self.assertEqual((bare.n_outputs_, bare.is_classifier_, bare.history_), (3, False, []))
        self.assertEqual(bare.predict(graphs).shape, (12, 3))
        classes = self.network(preset="tu").initialize(graphs, ["odd" if len(g) % 2 else "even" for g in graphs])
        self.assertEqual(classes.classes_.tolist(), ["even", "odd"])
        np.testing.assert_allclose(classes.predict_proba(graphs).sum(1), 1, rtol=1e-6)

    def test_weights_of_torch(self):
        """A network trained in PyTorch predicts in C what the module predicts, explains, and is saved and loaded."""
        import tempfile
        import torch
        from leman.nn.torch import Network
        graphs = labelled(12)
        wanted = torch.tensor([[float(len(g))] for g in graphs])
        for model in ("delta-2-LGNN", "delta-2-GNN", "GINE-eps", "PPGN"):
            fresh = self.network(model=model).initialize(graphs)
            module = Network.from_network(fresh).train()
            optimizer, batch = torch.optim.Adam(module.parameters(), 1e-2), module.encode(graphs)
            for _ in range(5):
                optimizer.zero_grad()
                torch.nn.functional.mse_loss(module(batch), wanted).backward()
                optimizer.step()
            module.eval()
            trained = leman.nn.GraphNetwork.from_torch(module)
            predicted = trained.predict(graphs)
            self.assertGreater(np.abs(predicted - fresh.predict(graphs)).max(), 0.1, model)
            np.testing.assert_allclose(predicted, module.predict(graphs)[:, 0], rtol=2e-4, atol=2e-4, err_msg=model)
            without = leman.Dataset.from_networkx([graphs[0].subgraph([v for v in graphs[0] if v != 2])])
            self.assertAlmostEqual(trained.explain(graphs[0]).weights[2], predicted[0] - trained.predict(without)[0], places=4)
            with tempfile.TemporaryDirectory() as folder:
                trained.save(f"{folder}/net.lmn")
                np.testing.assert_array_equal(leman.nn.GraphNetwork.load(f"{folder}/net.lmn").predict(graphs), predicted)
            with torch.no_grad():
                module.head.linear1.weight.zero_()
            np.testing.assert_array_equal(trained.predict(graphs), predicted)
            self.assertEqual(trained.get_params(), fresh.get_params())

    def test_what_is_refused(self):
        import torch
        from leman.nn.torch import Network
        module = Network.from_network(self.network().initialize(labelled(12)))
        with self.assertRaisesRegex(leman.InputError, "without a GraphNetwork"):
            leman.nn.GraphNetwork.from_torch(Network(module.description))
        module.own = torch.nn.Linear(2, 2)
        with self.assertRaisesRegex(leman.ArgumentError, "the weight own.weight, which the network does not have"):
            leman.nn.GraphNetwork.from_torch(module)
        del module.own
        with torch.no_grad():
            module.head.linear1.bias[0, 0] = torch.nan
        with self.assertRaisesRegex(leman.ArgumentError, "head.linear1.bias: found a number that is not finite"):
            leman.nn.GraphNetwork.from_torch(module)
        module.head.linear1.weight = torch.nn.Parameter(torch.zeros(3, 3))
        with self.assertRaisesRegex(leman.ArgumentError, "weight head.linear1.weight: found the shape 3 x 3"):
            leman.nn.GraphNetwork.from_torch(module)
        del module.head.linear1.weight
        with self.assertRaisesRegex(leman.InputError, "found no weight head.linear1.weight"):
            leman.nn.GraphNetwork.from_torch(module)


if __name__ == "__main__":
    package.main()
