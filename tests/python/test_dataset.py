"""leman.Dataset: what goes in comes out, from every library and back; the sequence of graphs; labels of any kind; pickles."""
import decimal
import enum
import fractions
import os
import pickle
import tempfile
import types
import unittest
import warnings

import networkx as nx
import numpy as np

import package
import leman


class Color(enum.Enum):
    RED = 1


def labelled(n, seed, labels=("C", "N", "O")):
    rng = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(n, 0.4, seed=seed)
    for v in graph:
        graph.nodes[v]["label"] = labels[rng.integers(len(labels))]
    for u, v in graph.edges:
        graph.edges[u, v]["label"] = int(rng.integers(3))
    return graph


class Converters(unittest.TestCase):
    def test_networkx_and_back(self):
        graphs = [labelled(n, n) for n in (0, 1, 2, 5, 9)]
        graphs[3] = nx.relabel_nodes(graphs[3], {i: ("node", i * 7) for i in range(5)})
        data = leman.Dataset.from_networkx(graphs, y=["a", "b", "a", "c", "b"])
        self.assertEqual(len(data), 5)
        for before, after in zip(graphs, data.to_networkx()):
            self.assertEqual(dict(before.nodes(data=True)), dict(after.nodes(data=True)))
            self.assertEqual({frozenset(e): before.edges[e]["label"] for e in before.edges},
                             {frozenset(e): after.edges[e]["label"] for e in after.edges})
        self.assertEqual(list(data.y), ["a", "b", "a", "c", "b"])

    def test_directed(self):
        graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (0, 2)])
        data = leman.Dataset.from_networkx([graph])
        self.assertTrue(data.directed and data[0].directed)
        self.assertEqual(set(map(tuple, data[0].edges.tolist())), set(graph.edges))
        with self.assertRaisesRegex(leman.InputError, "directed and undirected"):
            leman.Dataset.from_networkx([graph, nx.path_graph(2)])
        with self.assertWarnsRegex(leman.DataWarning, "one-way edges? made two-way"):
            self.assertEqual(leman.Dataset.from_networkx([graph], directed=False)[0].num_edges, 3)

    def test_changes_are_said(self):
        with self.assertWarnsRegex(leman.DataWarning, "1 self-loop removed"):
            leman.Dataset.from_networkx([nx.Graph([(0, 0), (0, 1)])])
        with self.assertWarnsRegex(leman.DataWarning, "repeated"):
            leman.Dataset.from_networkx([nx.MultiGraph([(0, 1), (0, 1)])])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            kept = leman.Dataset.from_networkx([nx.Graph([(0, 0), (0, 1)])], policy="self-loops=keep")
        self.assertEqual(kept[0].num_edges, 2)
        with self.assertRaisesRegex(leman.InputError, "loop"):
            leman.Dataset.from_networkx([nx.Graph([(0, 0), (0, 1)])], policy="self-loops=refuse")

    def test_partly_labelled_is_refused(self):
        graph = nx.path_graph(3)
        graph.nodes[1]["label"] = "x"
        with self.assertRaisesRegex(leman.InputError, "graph 0: node 0 has no attribute 'label'"):
            leman.Dataset.from_networkx([graph])

    def test_arrays(self):
        edge_index = np.array([[0, 1, 3, 4], [1, 0, 4, 3]])
        data = leman.Dataset.from_arrays(edge_index, [0, 3, 3, 5], vertex_labels=np.array([1, 2, 1, 5, 6]),
                                         vertex_attributes=np.arange(10.0).reshape(5, 2), y=[1, 0, 1],
                                         names=["one", "two", "three"])
        self.assertEqual([g.num_vertices for g in data], [3, 0, 2])
        self.assertEqual(data[0].vertex_labels, [1, 2, 1])
        self.assertEqual(data[2].edge_index.tolist(), [[0, 1], [1, 0]])
        self.assertEqual(data[2].vertex_attributes.tolist(), [[6, 7], [8, 9]])
        self.assertEqual(data.names, ["one", "two", "three"])
        self.assertEqual(leman.Dataset.from_arrays(**data.to_arrays()), data)
        with self.assertRaisesRegex(leman.InputError, "edge 0: found vertex 9"):
            leman.Dataset.from_arrays([[9], [0]], [0, 2])
        with self.assertRaisesRegex(leman.InputError, "of graph 0 and vertex 1 of graph 1"):
            leman.Dataset.from_arrays([[0], [1]], [0, 1, 2])
        for bad in ([1, 2], [0, 2, 1], [[0, 1]], [0.5, 1]):
            with self.assertRaises(leman.InputError):
                leman.Dataset.from_arrays(np.zeros((2, 0), int), bad)

    def test_grakel_forms_are_one_graph(self):
        labels = {0: "a", 1: "b", 2: "a"}
        arcs = [(0, 1), (1, 0), (1, 2), (2, 1)]
        forms = [arcs, set(arcs), {a: 1.0 for a in arcs}, {0: [1], 1: [0, 2], 2: [1]},
                 {0: {1: 1.0}, 1: {0: 1.0, 2: 1.0}, 2: {1: 1.0}}, np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])]
        sums = {leman.Dataset.from_grakel([[form, labels]]).checksum for form in forms}
        self.assertEqual(len(sums), 1)
        expected = nx.path_graph(3)
        nx.set_node_attributes(expected, labels, "label")
        self.assertEqual(sums, {leman.Dataset.from_networkx([expected]).checksum})

    def test_grakel_lists_of_pairs(self):
        """Plain lists of pairs have a way of their own: the same data sets, and the same refusals, as one graph that is not plain
        sends all of them the other way."""
        from leman._convert import _plain_grakel
        rng = np.random.default_rng(4)
        plain = []
        for n in (3, 1, 6, 5):
            pairs = [(int(u), int(w)) for u, w in rng.integers(0, n, (7, 2))]
            plain.append([pairs + pairs[:2], {v: "abc"[v % 3] for v in range(n)}])
        plain.append([[], {0: "a"}])
        self.assertIsNotNone(_plain_grakel(plain))
        other = [[{(u, w): 1.0 for u, w in pairs}, labels] for pairs, labels in plain]
        self.assertIsNone(_plain_grakel(other))
        for directed in (False, True):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                one, two = (leman.Dataset.from_grakel(given, directed=directed) for given in (plain, other))
            self.assertEqual((one, [g.vertex_labels for g in one]), (two, [g.vertex_labels for g in two]))
            self.assertEqual(len({str(w.message) for w in said}), 1)  # self-loops, and one-way edges; repeated pairs are one edge
        for pairs, labels in (([(0, 5)], {0: "a", 1: "b"}), ([(0, 1.5)], {0: "a", 1: "b"}), ([("x", "y")], {"x": 1, "y": 2}),
                              ([(0, 1, 2.0)], {0: "a", 1: "b"}), ([(1, 0)], {1: "a", 0: "b"}), ([(0,), (1, 0, 1)], {0: 1, 1: 2}),
                              ([(0, 2**70)], {0: 1, 2**70: 2})):
            self.assertIsNone(_plain_grakel([[pairs, labels]]), pairs)
        self.assertEqual(leman.Dataset.from_grakel([[[(0, 1, 2.0), (1, 0, 1.0)], {0: "a", 1: "b"}]])[0].num_edges, 1)
        with self.assertRaises(leman.InputError):
            leman.Dataset.from_grakel([[[(0, 5)], {0: "a", 1: "b"}]])

    def test_anything(self):
        self.assertEqual(len(leman.as_dataset([])), 0)
        self.assertEqual(len(leman.as_dataset(nx.path_graph(3))), 1)
        self.assertEqual(len(leman.as_dataset(np.array([nx.path_graph(3), nx.path_graph(2)], dtype=object))), 2)
        data = leman.as_dataset([nx.path_graph(3), nx.path_graph(2)])
        self.assertEqual(leman.as_dataset(list(data)), data)
        mixed = leman.as_dataset([data[0], leman.as_dataset([nx.path_graph(2)])[0]])
        self.assertEqual(mixed, data)
        for wrong in (3, None, "file.zip", np.eye(3), [3], [None], [[3]], object()):
            with self.assertRaises((leman.Error, TypeError)):
                leman.as_dataset(wrong)

    @package.needs("igraph")
    def test_igraph(self):
        import igraph
        graph = igraph.Graph([(0, 1), (1, 2)])
        graph.vs["label"] = ["a", "b", "a"]
        expected = nx.path_graph(3)
        nx.set_node_attributes(expected, {0: "a", 1: "b", 2: "a"}, "label")
        self.assertEqual(leman.Dataset.from_igraph([graph]), leman.Dataset.from_networkx([expected]))
        graph.vs["pos"] = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]
        graph.es["way"] = [[1.0, 2.0], [3.0, 4.0]]
        made = leman.Dataset.from_igraph([graph], node_attributes="pos", edge_attributes=["way"])[0]
        np.testing.assert_array_equal(made.vertex_attributes, [[0, 1], [2, 3], [4, 5]])
        np.testing.assert_array_equal(made.edge_attributes, [[1, 2], [1, 2], [3, 4], [3, 4]])
        for wrong in (dict(node_attributes=["nothing"]), dict(node_label="nothing"), dict(edge_label="nothing")):
            with self.assertRaisesRegex(leman.InputError, "nothing"):
                leman.Dataset.from_igraph([graph], **wrong)

    def test_graphs_keep_to_themselves(self):
        """What looks like PyG's Data is checked graph by graph."""
        data = types.SimpleNamespace
        for edges, n, x in (([[3], [4]], 3, None), ([[-1], [0]], 3, None), ([[0, 1], [1, 0], [0, 1]], 3, None), ([[0.7], [1]], 3, None),
                            ([[0], [1]], 2, np.zeros((3, 1))), (np.zeros((2, 0), int), -3, None)):
            graph = data(edge_index=np.array(edges), num_nodes=n, x=x)
            with self.assertRaisesRegex(leman.InputError, "graph 1: found"):
                leman.Dataset.from_pyg([data(edge_index=np.array([[0], [1]]), num_nodes=2, x=None if x is None else x[:2]), graph])

    def test_smiles(self):
        data = leman.Dataset.from_smiles(["C[N+](C)(C)C", "c1ccccc1", "[13CH4]", "[O-]C=O"], y=[1.5, 2, 3, 4])
        self.assertEqual(data[0].vertex_labels, [6, 1007, 6, 6, 6])
        self.assertEqual(set(data[1].edge_labels), {4})
        self.assertEqual(data[2].vertex_labels, [13000006])
        self.assertEqual(data[3].vertex_labels, [51008, 6, 8])
        self.assertEqual(data.targets[:, 0].tolist(), [1.5, 2, 3, 4])
        with self.assertRaisesRegex(leman.InputError, "SMILES:1: column 2: found '\\('"):
            leman.Dataset.from_smiles(["C", "C("])
        self.assertEqual(leman.Dataset.from_smiles(["CO"], hydrogens="explicit")[0].vertex_labels, [6, 8, 1, 1, 1, 1])
        self.assertEqual(set(leman.Dataset.from_smiles(["c1ccccc1"], aromatic="kekule")[0].edge_labels), {1, 2})
        with self.assertWarnsRegex(leman.DataWarning, "1 of 3"):
            self.assertEqual(list(leman.Dataset.from_smiles(["C", "C(", "N"], y=[1, 2, 3], on_error="skip").y), [1, 3])


class Labels(unittest.TestCase):
    VALUES = [0, -5, 2**40, 2**70, "C", "", "é", b"x", (1, "a"), ((), ("b",)), 0.5, None, frozenset({1, "a"}), Color.RED,
              fractions.Fraction(1, 3), decimal.Decimal("0.1")]

    def graph(self, labels):
        graph = nx.path_graph(len(labels))
        nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
        return graph

    def test_given_back(self):
        data = leman.Dataset.from_networkx([self.graph(self.VALUES)])
        self.assertEqual(data[0].vertex_labels, self.VALUES)
        self.assertEqual([type(x) for x in data[0].vertex_labels], [type(x) for x in self.VALUES])
        self.assertEqual(pickle.loads(pickle.dumps(data))[0].vertex_labels, self.VALUES)

    def test_equal_labels_are_one_label(self):
        """As Python compares them: 1 == 1.0 == True, whichever data set they are in."""
        for one, other in ((1, 1.0), (1, True), (0, False), (np.int32(3), 3), (np.str_("a"), "a"), (0.5, np.float64(0.5))):
            a = leman.Dataset.from_networkx([self.graph([one, one])])
            b = leman.Dataset.from_networkx([self.graph([other, other])])
            self.assertEqual(a, b, (one, other))

    def test_order_of_conversion_does_not_matter(self):
        """Train and test sets are converted apart."""
        one, other = self.graph(["C", "N"]), self.graph(["N", "O"])
        both = leman.Dataset.from_networkx([one, other])
        self.assertEqual(leman.Dataset.from_networkx([other]), both[[1]])
        gram = leman.WLKernel("1-WL", 0, normalize=False).fit(both[[0]]).transform([other])
        self.assertEqual(gram.tolist(), [[1.0]])

    def test_not_hashable(self):
        with self.assertRaisesRegex(leman.InputError, "not hashable"):
            leman.Dataset.from_networkx([self.graph([[1], [2]])])


class Sequence(unittest.TestCase):
    def setUp(self):
        self.data = leman.Dataset.from_networkx([nx.path_graph(n) for n in range(6)], y=[0, 1, 0, 1, 0, 1])

    def test_indexing(self):
        data, sizes = self.data, lambda d: [g.num_vertices for g in d]
        self.assertEqual(data[-1].num_vertices, 5)
        self.assertEqual(sizes(data[1:4]), [1, 2, 3])
        self.assertEqual(sizes(data[::-2]), [5, 3, 1])
        self.assertEqual(sizes(data[[4, 4, -6]]), [4, 4, 0])
        self.assertEqual(sizes(data[data.y == 1]), [1, 3, 5])
        self.assertEqual(list(data[data.y == 1].y), [1, 1, 1])
        self.assertEqual(len(data[[]]), 0)
        for wrong in (6, -7, [6], [True], [[1]], "a", 1.5, [0.5], None):
            with self.assertRaises((IndexError, TypeError)):
                data[wrong]

    def test_views_outlive_the_data_set(self):
        graph = leman.Dataset.from_networkx([nx.path_graph(4)])[0]
        self.assertEqual(graph.edges.tolist(), [[0, 1], [1, 2], [2, 3]])

    def test_classes_and_targets(self):
        graphs = [nx.path_graph(2)] * 3
        make = leman.Dataset.from_networkx
        self.assertEqual(make(graphs, y=[1, None, 2]).y.tolist()[::2], [1, 2])
        self.assertIsNone(make(graphs, y=[1, None, 2]).y[1])
        self.assertEqual(make(graphs, y=["x", None, "y"]).y.tolist(), ["x", None, "y"])
        self.assertEqual(make(graphs, y=[True, False, True]).y.tolist(), [True, False, True])
        self.assertEqual(make(graphs, y=[0.5, 1, 2]).targets.tolist(), [[0.5], [1], [2]])
        self.assertIsNone(make(graphs, y=[0.5, 1, 2]).classes)
        self.assertEqual(make(graphs, y=np.ones((3, 2))).targets.shape, (3, 2))
        self.assertEqual(make(graphs, targets=np.ones((3, 2)), target_names=["a", "b"]).target_names, ["a", "b"])
        with self.assertRaisesRegex(leman.InputError, "y: found 2, expected 3"):
            make(graphs, y=[1, 2])

    def test_other_y(self):
        """y that is given takes the place of what the graphs had."""
        data = leman.Dataset.from_arrays([[0, 1, 2, 3], [1, 0, 3, 2]], [0, 2, 4], y=[0, 1])
        for given in (data, list(data)):
            self.assertEqual(leman.Dataset(given, y=["p", "q"]).y.tolist(), ["p", "q"])
            self.assertEqual(leman.Dataset(given, y=[2.5, 3.5]).y.tolist(), [2.5, 3.5])
            with self.assertRaisesRegex(leman.InputError, "y: found 3, expected 2"):
                leman.Dataset(given, y=[1, 2, 3])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("x.leman", "x.zip", "folder"):
                path = os.path.join(folder, name)
                self.data.save(path)
                again = leman.Dataset.read(path)
                self.assertEqual(again, self.data, name)
            with self.assertRaisesRegex(leman.FileError, "nothing.zip"):
                leman.Dataset.read(os.path.join(folder, "nothing.zip"))
            with open(os.path.join(folder, "bad.g6"), "w") as file:
                file.write("D?{\n~~\n")
            with self.assertRaisesRegex(leman.InputError, "bad.g6:2"):
                leman.Dataset.read(os.path.join(folder, "bad.g6"))

    def test_shown(self):
        self.assertRegex(repr(self.data), r"6 graphs, 15 vertices, 10 edges, 2 classes")
        one = leman.Dataset.from_smiles(["CC"])
        self.assertRegex(repr(one), r"1 graph, 2 vertices, 1 edge, ")
        self.assertEqual(repr(one[0]), "<leman.Graph: 2 vertices, 1 edge>")
        self.assertRegex(repr(leman.Dataset.from_smiles(["C"])), r"1 graph, 1 vertex, 0 edges")
        self.assertIn("<svg", self.data._repr_html_())
        self.assertIn("<circle", self.data[3]._repr_svg_())

    def test_known_sizes(self):
        """Counts that are published with the data set."""
        data = package.data_set("MUTAG")
        self.assertEqual((len(data), data.num_vertices, data.num_edges), (188, 3371, 3721))
        self.assertEqual(sorted(set(data.y.tolist())), [-1, 1])
        self.assertEqual(pickle.loads(pickle.dumps(data)), data)


class Texts(unittest.TestCase):
    def test_graph6(self):
        graphs = [nx.gnp_random_graph(n, 0.4, seed=n) for n in (1, 5, 12, 70)]
        texts = [nx.to_graph6_bytes(graph, header=False) for graph in graphs] + [nx.to_sparse6_bytes(graphs[2], header=False)]
        wanted = leman.Dataset.from_networkx([*graphs, graphs[2]])
        self.assertEqual(leman.Dataset.from_graph6(texts).checksum, wanted.checksum)
        self.assertEqual(leman.Dataset.from_graph6(b"".join(texts)).checksum, wanted.checksum)
        found = leman.Dataset.from_graph6([text.decode() for text in texts], y=[0, 1, 0, 1, 1])
        self.assertEqual(list(found.y), [0, 1, 0, 1, 1])
        self.assertEqual(len(leman.Dataset.from_graph6([])), 0)
        with self.assertRaisesRegex(leman.InputError, "^texts:1: "):
            leman.Dataset.from_graph6("D?")
        for wrong in ([3], 3):
            with self.assertRaises(leman.InputError):
                leman.Dataset.from_graph6(wrong)

    def test_texts_are_not_guessed(self):
        """CC is ethane, and a graph of 4 vertices; C? is no SMILES; CCO is no graph6."""
        with self.assertRaisesRegex(leman.InputError, "graph 0: found the text 'CC', which could be SMILES or graph6"):
            leman.as_dataset(["CC"])
        with self.assertRaisesRegex(leman.InputError, r"graph 1: found the text 'C\?', which is no SMILES"):
            leman.as_dataset(["CC", "C?"])
        self.assertEqual([graph.num_vertices for graph in leman.as_dataset(["CC", "CCO"])], [2, 3])
        self.assertEqual(leman.Dataset.from_graph6(["CC"])[0].num_vertices, 4)
        self.assertEqual(leman.Dataset.from_smiles(["CC"])[0].num_vertices, 2)

    def test_generate(self):
        pair = leman.Dataset.generate("cfi", k=2)
        self.assertEqual(len(pair), 2)
        self.assertFalse(leman.distinguish(pair[0], pair[1], "2-WL"))
        self.assertTrue(leman.distinguish(pair[0], pair[1], "3-WL"))
        grid = leman.Dataset.generate("grid", rows=3, columns=4)[0]
        self.assertTrue(nx.is_isomorphic(nx.Graph(grid.to_networkx()), nx.grid_2d_graph(3, 4)))
        rings = leman.Dataset.generate("csl", vertices=11, skips=[2, 3])
        self.assertEqual([graph.num_edges for graph in rings], [22, 22])
        self.assertEqual(leman.Dataset.generate("random", vertices=9, probability=0.5, graphs=3, seed=4),
                         leman.Dataset.generate("random", vertices=9, probability=0.5, graphs=3, seed=4))
        with self.assertRaises(leman.ArgumentError):
            leman.Dataset.generate("nothing")


class Hashes(unittest.TestCase):
    def test_classes_are_those_of_the_method(self):
        """Graphs have one hash if and only if no round tells them apart."""
        one, two = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
        shuffled = nx.relabel_nodes(one, dict(enumerate([3, 5, 0, 1, 4, 2])))
        data = leman.Dataset.from_networkx([one, two, shuffled, nx.path_graph(6), nx.empty_graph(0)])
        self.assertEqual(leman.graph_classes(data, "1-WL").tolist(), [0, 0, 0, 1, 2])
        self.assertEqual(leman.graph_classes(data).tolist(), [0, 1, 0, 2, 3])
        texts = leman.graph_hash(data)
        self.assertTrue(all(len(text) == 36 for text in texts))
        self.assertEqual(leman.graph_hash([shuffled]), texts[:1])
        random = [nx.gnp_random_graph(5, 0.5, seed=seed) for seed in range(40)]
        classes = leman.graph_classes(random, "delta-2-LWL")
        for i in range(40):
            for j in range(i):
                self.assertEqual(classes[i] == classes[j], not leman.distinguish(random[i], random[j], "delta-2-LWL"), (i, j))

    def test_stable_round(self):
        """Round r of colour refinement tells the vertices of a path apart that are less than r steps from an end: ceil(n / 2) classes
        need ceil(n / 2) - 1 rounds."""
        self.assertEqual(leman.stable_round([nx.path_graph(n) for n in (2, 4, 7, 12)], "1-WL").tolist(), [0, 1, 3, 5])

    def test_pairs(self):
        pairs = [(nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))), (nx.path_graph(3), nx.star_graph(2)),
                 (nx.path_graph(4), nx.star_graph(3))]
        found = leman.distinguish_pairs(pairs, "1-WL")
        self.assertEqual([bool(one) for one in found], [False, False, True])
        self.assertEqual([(bool(a), a.round, a.color) for a in found],
                         [(bool(b), b.round, b.color) for b in (leman.distinguish(*pair, "1-WL") for pair in pairs)])
        data = leman.Dataset.from_networkx([graph for pair in pairs for graph in pair])
        self.assertEqual([bool(one) for one in leman.distinguish_pairs(data, "delta-2-LWL")], [True, False, True])
        self.assertIn("round", str(found[2].explain()))
        with self.assertRaises(leman.InputError):
            leman.distinguish_pairs(data[:3])
        with self.assertRaises(leman.InputError):
            leman.distinguish_pairs([(nx.path_graph(2),)])


if __name__ == "__main__":
    package.main()
