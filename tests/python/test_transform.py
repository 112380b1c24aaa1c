"""TupleTransform with every kind of neighbours and tuple set, alone, for many graphs at once and in batches; vocabularies of types."""
import itertools
import unittest

import numpy as np
import package


def random_data(n, seed):
    import torch
    from torch_geometric.data import Data
    draw = np.random.default_rng(seed)
    edges = [(u, w) for u in range(n) for w in range(u) if draw.random() < 0.5]
    both = np.array(edges + [(w, u) for u, w in edges], dtype=np.int64).reshape(-1, 2).T
    return Data(edge_index=torch.from_numpy(both.copy()), x=torch.from_numpy(draw.integers(0, 2, (n, 1))), num_nodes=n)


def expected_links(data, k, members, kind):
    """For each component: {(neighbour, tuple)} by definition, as tuples of vertices."""
    arcs = set(map(tuple, data.edge_index.T.tolist()))
    found = []
    for j in range(k):
        links = set()
        for t in members:
            for w in range(data.num_nodes):
                other = t[:j] + (w,) + t[j + 1:]
                near = (t[j], w) in arcs
                if other in members and other != t and (kind == "all" or near == (kind == "edge")):
                    links.add((other, t))
        found.append(links)
    return found


@package.needs("torch", "torch_geometric")
class Transform(unittest.TestCase):
    def vertices(self, data):
        return [tuple(t) for t in data.tuple_index.T.tolist()]

    def check(self, k, components):
        from leman.nn.torch import TupleTransform
        transform = TupleTransform(k, components=components, over=("local", "global", "all"), folklore=True, counts=2, distances=True)
        graphs = [random_data(n, 7 * k + n) for n in (4, 1, 5, 0, 3)]
        together = transform.all(graphs)
        for plain, data in zip(graphs, together):
            alone = transform(plain)
            members = self.vertices(data)
            self.assertEqual(data.num_tuples, len(members))
            if components is None:
                self.assertEqual(members, list(itertools.product(range(plain.num_nodes), repeat=k)))
            for key in alone.keys():
                np.testing.assert_array_equal(np.asarray(alone[key]), np.asarray(data[key]), err_msg=key)
            for kind in ("edge", "global", "all"):
                for j, links in enumerate(expected_links(plain, k, set(members), kind)):
                    pairs = data[f"tuple_{kind}_index_{j}"].T.tolist()
                    self.assertEqual({(members[a], members[b]) for a, b in pairs}, links)
                    self.assertEqual(len(pairs), len(links))
            rows = data.tuple_folklore_index.T.tolist()
            for t, *parts in rows:
                changed = [members[p][j] for j, p in enumerate(parts)]
                self.assertEqual(len(set(changed)), 1)
                for j, p in enumerate(parts):
                    self.assertEqual(members[p], members[t][:j] + (changed[0],) + members[t][j + 1:])
            if components is None:
                self.assertEqual(len(rows), len(members) * plain.num_nodes)
            self.assertEqual(tuple(data.tuple_count.shape), (len(members), 2 * k))
            self.assertEqual(tuple(data.tuple_distance.shape), (len(members), k * (k - 1) // 2))

    def test_pairs(self):
        self.check(2, None)
        self.check(2, 1)

    def test_triples(self):
        self.check(3, None)
        self.check(3, 1)
        self.check(3, 2)

    def test_counts_are_those_of_types(self):
        from leman.nn.torch import TupleTransform
        data = TupleTransform(2, counts=1)(random_data(6, 3))
        members, types = self.vertices(data), data.tuple_type.tolist()
        for t, kind, row in zip(members, types, data.tuple_count.tolist()):
            for j in range(2):
                self.assertEqual(row[j], sum(other == kind and u[1 - j] == t[1 - j] for u, other in zip(members, types)))

    def test_batches(self):
        from torch_geometric.data import Batch
        from torch_geometric.loader import DataLoader

        from leman.nn.torch import TupleTransform
        transform = TupleTransform(2, components=1, over=("local", "global"), folklore=True, distances=True)
        graphs = transform.all([random_data(n, n) for n in (3, 5, 4)])
        batch = next(iter(DataLoader(graphs, batch_size=3)))
        first = np.cumsum([0] + [g.num_tuples for g in graphs])
        for key in ("tuple_edge_index_0", "tuple_global_index_1", "tuple_folklore_index"):
            joined = np.concatenate([g[key].numpy() + f for g, f in zip(graphs, first)], axis=1)
            np.testing.assert_array_equal(batch[key].numpy(), joined)
        for plain, back in zip(graphs, Batch.from_data_list(graphs).to_data_list()):
            for key in plain.keys():
                np.testing.assert_array_equal(np.asarray(plain[key]), np.asarray(back[key]), err_msg=key)
        self.assertEqual(len(transform.all(Batch.from_data_list([random_data(n, n) for n in (3, 5)]))), 2)
        self.assertEqual(transform.all([]), [])

    def test_entering_arcs(self):
        import torch
        from torch_geometric.data import Data

        from leman.nn.torch import TupleTransform
        data = TupleTransform(2, over=("local", "entering"))(Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3))
        leaving, entering = set(map(tuple, data.tuple_edge_index_0.T.tolist())), set(map(tuple, data.tuple_entering_index_0.T.tolist()))
        self.assertEqual(leaving, {(3 * w + x, 3 * u + x) for u, w in ((0, 1), (1, 2)) for x in range(3)})
        self.assertEqual(entering, {(b, a) for a, b in leaving})

    def test_vocabulary(self):
        import leman
        from leman.nn.torch import TupleTransform, TypeVocabulary
        known, new = TupleTransform(2).all([random_data(4, 1), random_data(5, 2)]), random_data(6, 9)
        new.x = new.x + 5
        words = TypeVocabulary(known)
        self.assertEqual(len(words), len({t for data in known for t in data.tuple_type.tolist()}))
        numbered = TupleTransform(2, vocabulary=words)
        for data in known:
            numbers = numbered(data).tuple_type
            self.assertEqual(len(set(zip(numbers.tolist(), data.tuple_type.tolist()))), len(set(data.tuple_type.tolist())))
            self.assertGreaterEqual(int(numbers.min()), 0)
        with self.assertWarns(leman.DataWarning):
            self.assertEqual(set(numbered(new).tuple_type.tolist()), {-1})
        self.assertEqual(TypeVocabulary(known[::-1]).types.tolist(), words.types.tolist())

    def test_batch_stays_whole(self):
        from torch_geometric.data import Batch

        from leman.nn.torch import TupleTransform
        graphs = [random_data(n, n) for n in (3, 5, 4)]
        batch = TupleTransform(2)(Batch.from_data_list(graphs))
        self.assertEqual(batch.num_graphs, 3)
        self.assertEqual(batch.num_tuples, 9 + 25 + 16)

    def test_earlier_tuples_go(self):
        from leman.nn.torch import TupleTransform
        twice = TupleTransform(2)(TupleTransform(3, counts=1)(random_data(4, 1)))
        self.assertEqual({key for key in twice.keys() if key.startswith("tuple_")}, {key for key in TupleTransform(2)(random_data(4, 1)).keys()
                                                                                     if key.startswith("tuple_")})

    def test_counts_of_directed_graphs(self):
        """Of rounds that refine over entering arcs, too: as the network encodes them."""
        import torch
        from torch_geometric.data import Data

        import leman
        from leman.nn.torch import TupleTransform
        draw = np.random.default_rng(3)
        arcs = [(u, w) for u in range(6) for w in range(6) if u != w and draw.random() < 0.3]
        data = Data(edge_index=torch.tensor(arcs).T, num_nodes=6)
        found = TupleTransform(2, over=("local", "entering"), counts=2)(data).tuple_count.numpy()
        graph = leman.Dataset.from_pyg([data], directed=True)
        for r in range(2):
            colors = leman.tuples(graph, 2, method="local+", rounds=r, in_arcs=True, count_every_round=True)
            np.testing.assert_array_equal(found[:, 2 * r:2 * r + 2], colors.counts())

    def test_refusals(self):
        import leman
        from leman.nn.torch import GraphBatch, LocalConv, TupleEncoder, TupleTransform, TypeVocabulary
        known = TypeVocabulary(TupleTransform(2)(random_data(4, 1)))
        with self.assertWarnsRegex(leman.DataWarning, "same k and components"):
            TupleTransform(3, vocabulary=known)(random_data(4, 1))
        with self.assertRaisesRegex(leman.InputError, "Data without tuples"):
            TypeVocabulary([random_data(3, 1)])
        with self.assertRaisesRegex(leman.ArgumentError, "expected a TypeVocabulary"):
            TupleTransform(2, vocabulary={})
        with self.assertRaisesRegex(leman.InputError, "'local'"):
            GraphBatch.from_pyg(TupleTransform(2, over="global")(random_data(4, 1)))
        data = TupleTransform(2)(random_data(4, 1))
        with self.assertRaisesRegex(leman.InputError, "16 tuples"):
            LocalConv(2, 1, 3)(data.x.float(), data)
        with self.assertRaisesRegex(leman.InputError, "vertex_features=their number"):
            TupleEncoder(2, data.tuple_type, 3)(data, data.x.float())
        with self.assertRaisesRegex(leman.InputError, "tuples of 2 vertices, expected 3"):
            TupleEncoder(3, data.tuple_type, 3)(data)
        with self.assertRaisesRegex(leman.ArgumentError, "over: found 'near', expected some of local"):
            TupleTransform(2, over=["near"])
        with self.assertRaisesRegex(leman.ArgumentError, "k: found 7"):
            TupleTransform(7)

    def test_values_of_vertices(self):
        """What the transform does not read stays in the graphs, without a warning: y and weights with a row for each vertex or edge."""
        import warnings
        import torch
        from torch_geometric.data import Batch
        from leman.nn.torch import TupleTransform
        graphs = [random_data(n, n) for n in (3, 5, 4)]
        for graph in graphs:
            graph.y, graph.edge_weight = torch.arange(graph.num_nodes), torch.rand(graph.num_edges)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found = TupleTransform(2).all(graphs)
        batch = Batch.from_data_list(found)
        self.assertEqual(batch.y.tolist(), [0, 1, 2, 0, 1, 2, 3, 4, 0, 1, 2, 3])
        self.assertEqual(len(batch.edge_weight), batch.num_edges)


if __name__ == "__main__":
    package.main()
