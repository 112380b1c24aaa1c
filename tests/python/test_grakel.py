"""GraKeL's names with GraKeL's numbers: a script that imports `leman.grakel` where it imported `grakel` gets the same
matrices, where GraKeL is installed to compare with. Its input formats, with and without its Graph objects."""
import collections
import copy
import functools
import os
import tempfile
import unittest
import warnings
import zipfile

import numpy as np

import package
import leman
import leman.grakel as ours


def graphs(seed, count=24):
    """Random graphs as GraKeL takes them: a dictionary of neighbours and one of labels. Each has a path through all vertices:
    GraKeL loses vertices without edges."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        n = int(rng.integers(3, 9))
        edges = {v: [] for v in range(n)}
        for u in range(n):
            for v in range(u):
                if u == v + 1 or rng.random() < 0.3:
                    edges[u].append(v)
                    edges[v].append(u)
        made.append([edges, {v: "abc"[rng.integers(3)] for v in range(n)}])
    return made


def marked(plain):
    """Graphs with edge labels: [neighbours with weights, labels, edge labels]."""
    return [[{u: {v: 1.0 for v in near} for u, near in edges.items()}, labels,
             {(u, v): (u + v) % 3 for u, near in edges.items() for v in near}] for edges, labels in plain]


class OwnKernel(ours.Kernel):
    """Products of the numbers of vertices."""

    def parse_input(self, X):
        return [len(graph) for graph in leman.Dataset(X)]

    def pairwise_operation(self, x, y):
        return x * y


class Names(unittest.TestCase):
    def test_own_kernels(self):
        train, test = graphs(1, 6), graphs(2, 3)
        sizes = [np.array([len(labels) for _, labels in part]) for part in (train, test)]
        kernel = OwnKernel()
        np.testing.assert_array_equal(kernel.fit_transform(train), np.outer(sizes[0], sizes[0]))
        np.testing.assert_array_equal(kernel.transform(test), np.outer(sizes[1], sizes[0]))
        np.testing.assert_array_equal(OwnKernel(normalize=True).fit_transform(train), np.ones((6, 6)))

    def test_levels_are_the_colours(self):
        """The sum of vertex histograms over the levels is the subtree kernel of the library."""
        data = leman.Dataset.from_grakel(graphs(1) + [[{0: []}, {0: "a"}]])
        levels = ours.frameworks.colored(data, 3)
        total = sum(ours.VertexHistogram().fit_transform(level.data) for level in levels)
        np.testing.assert_array_equal(total, ours.WeisfeilerLehman(n_iter=3).fit_transform(data))

    def test_edge_histogram_of_lists(self):
        """Lists give the numbers of their data set, whatever the labels are: few small numbers, texts, or numbers far apart."""
        plain = marked(graphs(1, 12))
        for name in (lambda label: label, str, lambda label: label * 10**15 - 7, lambda label: (label, "x")):
            lists = [[edges, labels, {arc: name(label) for arc, label in on_edges.items()}] for edges, labels, on_edges in plain]
            for normalize in (False, True):
                kernel = ours.EdgeHistogram(normalize=normalize)
                expected = ours.EdgeHistogram(normalize=normalize).fit_transform(leman.Dataset.from_grakel(lists))
                np.testing.assert_array_equal(kernel.fit_transform(lists), expected)
                np.testing.assert_array_equal(kernel.fit(lists[:8]).transform(leman.Dataset.from_grakel(lists[8:])), expected[8:, :8])
        arc = [[{0: [1], 1: []}, {0: "a", 1: "a"}, {(0, 1): "x"}]]
        self.assertEqual(ours.EdgeHistogram().fit_transform(arc).tolist(), [[1]])
        many = [[{0: [1], 1: [0]}, {0: "a", 1: "a"}, {(0, 1): i, (1, 0): i}] for i in range(3000)]
        np.testing.assert_array_equal(ours.EdgeHistogram().fit_transform(many), 4 * np.eye(3000))

    def test_vertex_histogram(self):
        """By definition, of lists and of their data sets, whatever the labels are; vectors in the place of labels are attributes."""
        for name in (int, str, lambda label: label * 10**15 - 7, lambda label: (label, "x"), lambda label: label / 3):
            lists = [[edges, {v: name("abc".index(label)) for v, label in labels.items()}] for edges, labels in graphs(1, 12)]
            lists.append([{0: [1], 1: [0], 2: []}, [name(5), name(1), name(1)]])
            own = [collections.Counter(labels.values() if isinstance(labels, dict) else labels) for _, labels in lists]
            expected = np.array([[sum(count * other[label] for label, count in one.items()) for other in own] for one in own], dtype=float)
            lengths = np.sqrt(np.diag(expected))
            for normalize, wanted in ((False, expected), (True, expected / np.outer(lengths, lengths))):
                for given in (lists, leman.Dataset.from_grakel(lists)):
                    kernel = ours.VertexHistogram(normalize=normalize)
                    np.testing.assert_allclose(kernel.fit_transform(given), wanted, rtol=1e-15)
                    np.testing.assert_allclose(kernel.fit(given[:8]).transform(lists[8:]), wanted[8:, :8], rtol=1e-15)
                    np.testing.assert_allclose(kernel.diagonal(lists), np.diag(wanted), rtol=1e-15)
                    self.assertEqual(kernel.n_graphs_in_, 8)
        vectors = [[{0: [1], 1: [0]}, {0: [0.5], 1: [2.0]}]]
        with self.assertWarnsRegex(leman.DataWarning, "does not use the vertex attributes"):
            self.assertEqual(ours.VertexHistogram().fit_transform(vectors).tolist(), [[4]])
        np.testing.assert_array_equal(ours.VertexHistogram().fit_transform([[edges] for edges, _ in graphs(1, 3)]),
                                      np.outer(*[[len(edges) for edges, _ in graphs(1, 3)]] * 2))
        many = [[{0: []}, {0: i}] for i in range(3000)]
        np.testing.assert_array_equal(ours.VertexHistogram().fit_transform(many), np.eye(3000))

    def test_base_kernels_without_vertex_labels(self):
        """The sum over levels whose vertex labels differ is a multiple of a kernel that does not read vertex labels."""
        train, test = marked(graphs(1, 10)), marked(graphs(2, 4))
        bases = (ours.EdgeHistogram(), ours.ShortestPath(with_labels=False), ours.GraphletSampling(k=3), ours.RandomWalk(lamda=0.01, p=3))
        for base in bases:
            for kind, levels in ((ours.WeisfeilerLehman, ours.frameworks.colored), (ours.HadamardCode, ours.frameworks.coded)):
                kernel = kind(n_iter=3, base_graph_kernel=base)
                rounds = 3 if kind is ours.WeisfeilerLehman else 2
                data, other = leman.Dataset.from_grakel(train), leman.Dataset.from_grakel(test)
                expected = sum(base.fit_transform(level.data) for level in levels(data, rounds))
                np.testing.assert_allclose(kernel.fit_transform(train), expected, rtol=1e-12)
                np.testing.assert_allclose(kernel.diagonal(), np.diag(expected), rtol=1e-12)
                rows = sum(base.fit(level.data).transform(row.data) for level, row in zip(levels(data, rounds), levels(other, rounds)))
                np.testing.assert_allclose(kernel.transform(test), rows, rtol=1e-12)

    def test_weights_by_name(self):
        """GraphKernel passes lists on as they are: weights are lengths for ShortestPath, and entries of the matrix for walks."""
        matrix, labels = np.array([[0, 2.5, 0], [2.5, 0, 1], [0, 1, 0]]), {0: "a", 1: "b", 2: "a"}
        lists = [[matrix, labels], [matrix / 2.5, labels]]
        for name, kind in (("shortest_path", ours.ShortestPath), ("random_walk", ours.RandomWalk), ("pyramid_match", ours.PyramidMatch)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", leman.DataWarning)  # lamda
                expected = kind().fit_transform(lists)
                for given in (lists, tuple(lists), iter(lists)):
                    np.testing.assert_array_equal(ours.GraphKernel(name).fit_transform(given), expected)
                np.testing.assert_array_equal(ours.GraphKernel(name).fit(lists).transform(lists), kind().fit(lists).transform(lists))
        features = ours.GraphKernel("shortest_path", Nystroem=2, random_state=0).fit_transform(lists)
        np.testing.assert_allclose(features @ features.T, ours.ShortestPath().fit_transform(lists))
        self.assertNotEqual(ours.ShortestPath().fit_transform(lists)[0, 1], ours.ShortestPath().fit_transform(lists)[0, 0])

    def test_graphlets_of_a_cycle(self):
        """A cycle of n vertices has n connected graphlets of 3 and of 4 vertices."""
        for n in (5, 6, 7):
            cycle = [[{u: [(u + 1) % n, (u - 1) % n] for u in range(n)}, dict.fromkeys(range(n), "a")]]
            for k in (3, 4):
                self.assertEqual(ours.GraphletSampling(k=k).fit_transform(cycle).tolist(), [[n * n]])

    def test_core_numbers(self):
        """Against the definition: vertices with fewer than k neighbours are removed until there are none."""
        data = leman.Dataset.from_grakel(graphs(3, 10) + [[{0: []}, {0: "a"}]])
        arrays = data.to_arrays()
        tails, heads = arrays["edge_index"]
        expected, alive, k = np.zeros(data.num_vertices, int), np.ones(data.num_vertices, bool), 0
        while alive.any():
            degree = np.array([np.count_nonzero(alive[heads[tails == u]]) for u in range(len(alive))])
            few = alive & (degree < k)
            alive &= ~few
            k += not few.any()
            expected[alive] = np.maximum(expected[alive], k - 1) if not few.any() else expected[alive]
        np.testing.assert_array_equal(ours.frameworks._core_numbers(tails, heads, data.num_vertices), expected)

    def test_cores(self):
        """A triangle with a tail: the 2-core is the triangle, whose paths count once more."""
        tailed = [[{0: [1, 2], 1: [0, 2], 2: [0, 1, 3], 3: [2, 4], 4: [3]}, dict.fromkeys(range(5), "a")], [{0: [1], 1: [0]}, {0: "a", 1: "a"}]]
        base = ours.ShortestPath().fit_transform
        triangle = [[{0: [1, 2], 1: [0, 2], 2: [0, 1]}, dict.fromkeys(range(3), "a")], [{}, {}]]
        expected = 2 * base(tailed)
        expected[0, 0] += base(triangle[:1])[0, 0]
        np.testing.assert_array_equal(ours.CoreFramework().fit_transform(tailed), expected)
        np.testing.assert_array_equal(ours.CoreFramework(min_core=1).fit_transform(tailed), expected - 2 * base(tailed))

    def test_graphs_without_a_core(self):
        """transform() answers zeros for graphs that have no core above min_core; fit() refuses if none has."""
        triangle = [[{0: [1, 2], 1: [0, 2], 2: [0, 1]}, dict.fromkeys(range(3), "a")]]
        path = [[{0: [1], 1: [0, 2], 2: [1]}, dict.fromkeys(range(3), "a")]] * 2
        for normalize in (False, True):
            kernel = ours.CoreFramework(min_core=1, normalize=normalize).fit(triangle)
            np.testing.assert_array_equal(kernel.transform(path), np.zeros((2, 1)))
            np.testing.assert_array_equal(kernel.diagonal(path), np.zeros(2))
        with self.assertRaisesRegex(leman.ArgumentError, "min_core: found 1, expected less than the largest core number, 1"):
            ours.CoreFramework(min_core=1).fit(path)

    def test_labels_of_several_columns(self):
        """Labels of two columns are one label: as if each pair had a number."""
        pairs = [[edges, {v: ("abc".index(label), 1) for v, label in labels.items()}] for edges, labels in graphs(1, 8)]
        two = leman.Dataset.from_grakel(pairs)
        arrays = two.to_arrays()
        columns = np.array(arrays["vertex_labels"]).reshape(-1, 2)
        wide = leman.Dataset.from_arrays(**{**arrays, "vertex_labels": columns})
        self.assertEqual(wide.columns.vertex_labels, 2)
        for base in (ours.ShortestPath, ours.VertexHistogram):
            kernel = ours.WeisfeilerLehman(n_iter=2, base_graph_kernel=base)
            np.testing.assert_array_equal(kernel.fit_transform(wide), kernel.fit_transform(graphs(1, 8)))
        edges = leman.Dataset.from_grakel(marked(graphs(1, 8))).to_arrays()
        on_edges = np.array([[label, 7] for label in edges["edge_labels"]])
        np.testing.assert_array_equal(ours.EdgeHistogram().fit_transform(leman.Dataset.from_arrays(**{**edges, "edge_labels": on_edges})),
                                      ours.EdgeHistogram().fit_transform(marked(graphs(1, 8))))

    def test_weights(self):
        """Kernels that do not use weights say so in a warning; for ShortestPath weights are lengths: see test_grakel_pairs.py."""
        plain = [[np.array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]), {0: "a", 1: "b", 2: "c"}]]
        expected = ours.WeisfeilerLehman().fit_transform(plain)
        labels = plain[0][1]
        for edges in (plain[0][0] * 2.5, {0: {1: 1.0, 2: 3.0}, 1: {0: 1.0}, 2: {0: 3.0}}, {(0, 1): 2, (1, 0): 2, (0, 2): 1, (2, 0): 1},
                      [(0, 1, 1.0), (1, 0, 1.0), (0, 2, 0.5), (2, 0, 0.5)]):
            with self.assertWarnsRegex(leman.DataWarning, "edge weights are not used; ShortestPath"):
                np.testing.assert_array_equal(ours.WeisfeilerLehman().fit_transform([[edges, labels]]), expected)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                ours.ShortestPath().fit_transform([[edges, labels]])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for edges in (plain[0][0], plain[0][0].astype(float), {0: {1: 1.0, 2: 1}, 1: {0: 1.0}, 2: {0: 1}}, {0: [1, 2], 1: [0], 2: [0]}):
                ours.ShortestPath().fit_transform([[edges, labels]])

    def test_nystroem(self):
        """With all graphs as components the features have the kernel as their products."""
        data = graphs(1, 10)
        features = ours.GraphKernel("shortest_path", Nystroem=10, random_state=0).fit_transform(data)
        np.testing.assert_allclose(features @ features.T, ours.ShortestPath().fit_transform(data), rtol=1e-6, atol=1e-6)
        self.assertLessEqual(ours.GraphKernel("SP", Nystroem=4, random_state=0).fit_transform(data).shape[1], 4)
        for name, kind in (("edge_histogram", ours.EdgeHistogram), (["WL", "SP"], None), ("CORE", ours.CoreFramework)):
            kernel = ours.GraphKernel(name, Nystroem=10, random_state=0)
            features = kernel.fit_transform(marked(data))
            if kind is not None:
                np.testing.assert_allclose(features @ features.T, kind().fit_transform(marked(data)), rtol=1e-6, atol=1e-6)
            self.assertEqual(kernel.transform(marked(graphs(2, 3))).shape, (3, features.shape[1]))
        self.assertLessEqual(ours.GraphKernel("edge_histogram", Nystroem=5).fit_transform(marked(data)).shape[1], 5)

    def test_generated(self):
        train, test = ours.datasets.generate_dataset(30, (3, 9), n_graphs_test=5, random_state=1, features=("nl", 3, "el", 2))
        self.assertEqual((len(train), len(test)), (25, 5))
        data = leman.Dataset.from_grakel(train)
        self.assertEqual({label for graph in data for label in graph.vertex_labels}, {0, 1, 2})
        self.assertTrue(all(3 <= len(graph) <= 9 for graph in data))
        self.assertEqual(data.columns.edge_labels, 1)
        self.assertEqual(ours.EdgeHistogram().fit_transform(train).shape, (25, 25))
        with self.assertRaises(leman.ArgumentError):
            ours.datasets.generate_dataset(features="xx")

    def test_graph(self):
        matrix = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
        graph = ours.Graph(matrix, {0: "a", 1: "b", 2: "a"})
        np.testing.assert_array_equal(graph.get_adjacency_matrix(), matrix)
        self.assertEqual(graph.get_labels(), {0: "a", 1: "b", 2: "a"})
        self.assertEqual(ours.VertexHistogram().fit_transform([graph, [{0: [1], 1: [0]}, {0: "a", 1: "a"}]]).tolist(), [[5, 4], [4, 4]])
        self.assertEqual(ours.Graph({"x": ["y"], "y": ["x"]}, construct_labels=True)[1], {"x": 1, "y": 1})

    def test_what_is_not_served(self):
        with self.assertRaisesRegex(ImportError, "delta-3-LWL"):
            from leman.grakel import SubgraphMatching  # noqa: F401
        with self.assertRaisesRegex(ImportError, "no ShortestPathAttr; nearest: GraphHopper"):
            from leman.grakel.kernels import ShortestPathAttr  # noqa: F401
        self.assertFalse(hasattr(ours.kernels, "NoSuchName"))
        self.assertFalse(hasattr(ours, "NoSuchName"))
        for wrong in ("lovasz_theta", [], {"n_iter": 1}, ["SP", "VH"]):
            with self.assertRaises((leman.ArgumentError, IndexError)):
                ours.GraphKernel(wrong).fit(graphs(1, 3))
        with self.assertRaises(leman.ArgumentError):
            ours.WeisfeilerLehman(base_graph_kernel=int).fit(graphs(1, 3))
        with self.assertRaisesRegex(leman.ArgumentError, "edge labels"):
            ours.EdgeHistogram().fit(graphs(1, 3))

    def test_nothing_is_ignored_in_silence(self):
        """A parameter that changes nothing is refused if it is wrong, and named in a warning if GraKeL would use it."""
        with self.assertWarnsRegex(leman.DataWarning, "sampling: found {'n_samples': 9}, which is not used"):
            sampled = ours.GraphletSampling(k=3, sampling={"n_samples": 9}).fit_transform(graphs(1, 5))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            np.testing.assert_array_equal(ours.GraphletSampling(k=3).fit_transform(graphs(1, 5)), sampled)
        with self.assertRaisesRegex(leman.ArgumentError, "algorithm_type: found 'bfs'"):
            ours.ShortestPath(algorithm_type="bfs").fit(graphs(1, 3))
        for name in ("auto", "dijkstra", "floyd_warshall"):
            np.testing.assert_array_equal(ours.ShortestPath(algorithm_type=name).fit_transform(graphs(1, 5)), ours.ShortestPath().fit_transform(graphs(1, 5)))

    def test_one_matrix(self):
        matrix = np.eye(6)
        for wrong in (matrix, matrix.tolist(), [np.eye(5)], [[np.eye(6), np.eye(5)]]):
            with self.assertRaisesRegex(leman.ArgumentError, "K: .*expected a list of Gram matrices"):
                ours.cross_validate_Kfold_SVM(wrong, [0, 1] * 3, n_iter=1, n_splits=2)

    def test_networkx(self):
        import networkx as nx
        graph = nx.path_graph(["x", "y", "z"])
        nx.set_node_attributes(graph, {"x": 1, "y": 2, "z": 1}, "element")
        nx.set_edge_attributes(graph, {("x", "y"): 4.0, ("y", "z"): 1.0}, "length")
        found = ours.graph_from_networkx([graph], "element", None, "length", as_Graph=True)
        self.assertIsInstance(found[0], ours.Graph)
        self.assertEqual(found[0], [{"x": {"y": 4.0}, "y": {"x": 4.0, "z": 1.0}, "z": {"y": 1.0}}, {"x": 1, "y": 2, "z": 1}, None])
        same = ours.graph_from_networkx([graph], val_node_labels="C", val_edge_labels=7, as_Graph=True)[0]
        self.assertEqual(same[1:], [dict.fromkeys("xyz", "C"), {(u, w): 7 for u, w in ("xy", "yx", "yz", "zy")}])
        data = ours.graph_from_networkx([graph], val_node_labels="C", val_edge_labels=7)
        self.assertEqual((data[0].vertex_labels, data[0].edge_labels), (["C"] * 3, [7] * 4))
        self.assertEqual(set(graph.nodes["x"]), {"element"})
        self.assertEqual(ours.graph_from_networkx([graph], "element")[0].vertex_labels, [1, 2, 1])
        with self.assertRaisesRegex(leman.ArgumentError, "val_node_labels"):
            ours.graph_from_networkx([graph], "element", val_node_labels="C")
        for wrong in (dict(X=[graph], node_labels_tag="none", as_Graph=True), dict(X=[nx.MultiGraph(graph)], as_Graph=True)):
            with self.assertRaises(leman.InputError):
                ours.graph_from_networkx(**wrong)

    def test_odd_lists(self):
        """What the quick converter does not take goes the other way, with the same result."""
        plain = [[{(u, v) for u in edges for v in edges[u]}, labels] for edges, labels in graphs(4, 6)]
        expected = leman.Dataset.from_grakel(plain).checksum
        odd = [[[(np.int64(u), v) for u, v in pairs], labels] for pairs, labels in plain]
        self.assertEqual(leman.Dataset.from_grakel(odd).checksum, expected)
        floats = [[{(float(u), float(v)) for u, v in pairs}, {float(v): label for v, label in labels.items()}] for pairs, labels in plain]
        self.assertEqual(leman.Dataset.from_grakel(floats).checksum, expected)
        weighted = [[[(u, v, 1.0) for u, v in pairs], labels] for pairs, labels in plain]
        self.assertEqual(leman.Dataset.from_grakel(weighted).checksum, expected)
        with self.assertRaises(leman.InputError):
            leman.Dataset.from_grakel([[{(0, 1), (1, 0)}, {0: "a", 1: "b"}, {(0, 1): 1}]])


@package.needs("grakel")
class Grakel(unittest.TestCase):
    def compare(self, kernel, **options):
        import grakel
        train, test = graphs(1), graphs(2, 9)
        for normalize in (False, True):
            theirs = getattr(grakel, kernel)(normalize=normalize, **options)
            mine = getattr(ours, kernel)(normalize=normalize, **options)
            np.testing.assert_allclose(mine.fit_transform(train), theirs.fit_transform(train), rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(mine.transform(test), theirs.transform(test), rtol=1e-12, atol=1e-12)

    def test_weisfeiler_lehman(self):
        for rounds in (1, 3, 5):
            self.compare("WeisfeilerLehman", n_iter=rounds)

    def test_optimal_assignment(self):
        self.compare("WeisfeilerLehmanOptimalAssignment", n_iter=4)

    def test_shortest_path(self):
        self.compare("ShortestPath")

    def test_frameworks(self):
        """1-WL over another kernel, and sums over cores, on random graphs of GraKeL's shape. GraKeL's cores lose edge labels."""
        import grakel
        train, test = (marked(graphs(seed, 12)) for seed in (1, 2))
        for kind, base, how in (("WeisfeilerLehman", "ShortestPath", dict(n_iter=2)), ("WeisfeilerLehman", "EdgeHistogram", dict(n_iter=2)),
                                ("HadamardCode", "EdgeHistogram", {}), ("CoreFramework", "VertexHistogram", {}), ("CoreFramework", "ShortestPath", {})):
            for normalize in (False, True):
                theirs = getattr(grakel, kind)(normalize=normalize, base_graph_kernel=getattr(grakel, base), **how)
                mine = getattr(ours, kind)(normalize=normalize, base_graph_kernel=getattr(ours, base), **how)
                np.testing.assert_allclose(mine.fit_transform(train), theirs.fit_transform(train), rtol=1e-12, atol=1e-12, err_msg=kind)
                np.testing.assert_allclose(mine.transform(test), theirs.transform(test), rtol=1e-12, atol=1e-12, err_msg=kind)

    def test_edge_histogram(self):
        import grakel
        train, test = marked(graphs(1)), marked(graphs(2, 9))
        for normalize in (False, True):
            mine, theirs = (kind.EdgeHistogram(normalize=normalize) for kind in (ours, grakel))
            np.testing.assert_allclose(mine.fit_transform(train), theirs.fit_transform(train), rtol=1e-12)
            np.testing.assert_allclose(mine.transform(test), theirs.transform(test), rtol=1e-12)
            np.testing.assert_allclose(mine.diagonal(test), np.diag(ours.EdgeHistogram(normalize=normalize).fit_transform(test)))

    def test_graph_kernel(self):
        import grakel
        train, test = marked(graphs(1, 12)), marked(graphs(2, 5))
        for kernel in ("shortest_path", "VH", {"name": "weisfeiler_lehman", "n_iter": 2}, [{"name": "WL", "n_iter": 1}, "SP"], ["CORE", "SP"]):
            mine, theirs = (kind.GraphKernel(kernel=copy.deepcopy(kernel), normalize=True) for kind in (ours, grakel))
            if kernel == {"name": "weisfeiler_lehman", "n_iter": 2}:
                theirs = grakel.GraphKernel(kernel=[kernel.copy(), "VH"], normalize=True)
            np.testing.assert_allclose(mine.fit_transform(train), theirs.fit_transform(train), rtol=1e-12, atol=1e-12, err_msg=str(kernel))
            np.testing.assert_allclose(mine.transform(test), theirs.transform(test), rtol=1e-12, atol=1e-12, err_msg=str(kernel))

    def test_helpers(self):
        """The same folds and scores for the same numbers of NumPy; tables become the same graphs."""
        import grakel
        import pandas
        data = graphs(3, 30)
        y = np.arange(30) % 2
        K = [ours.WeisfeilerLehman(n_iter=2, normalize=True).fit_transform(data),
             [ours.ShortestPath(normalize=True).fit_transform(data), ours.VertexHistogram(normalize=True).fit_transform(data)]]
        found = [kind.cross_validate_Kfold_SVM(K, y, n_iter=2, n_splits=3, C_grid=[1, 100], random_state=1) for kind in (ours, grakel)]
        np.testing.assert_allclose(*found)
        rows = [kind.KMTransformer(K[0]) for kind in (ours, grakel)]
        for made in rows:
            made.fit([1, 4, 5])
        np.testing.assert_array_equal(rows[0].transform([0, 2]), rows[1].transform([0, 2]))
        edges = pandas.DataFrame({"g": [0, 0, 1], "u": [0, 1, 3], "v": [1, 2, 4], "w": [1.0, 2.0, 1.0], "l": ["a", "b", "a"]})
        nodes = pandas.DataFrame({"g": [0, 0, 0, 1, 1], "l": list("xyxyy")})
        for given in (((edges, "g", ("u", "v"), "w", "l"), (nodes, "g", "l")), ((edges, "g", ("u", "v"), None, "l"), None)):
            mine, theirs = (kind.graph_from_pandas(*given) for kind in (ours, grakel))
            self.assertEqual(mine, theirs)
        self.assertEqual(leman.Dataset.from_grakel(ours.graph_from_pandas(*given).values()).columns.edge_labels, 1)
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("e", "n")]
            for path, text in zip(paths, ("0,1,2.0,a\n1,2,1.0,b\n", "0,x\n1,y\n2,x\n")):
                with open(path, "w") as file:
                    file.write(text)
            mine = ours.graph_from_csv(([paths[0]], True, False), ([paths[1]], False), index_type=int)
            self.assertEqual(mine, [[{0: {1: 2.0}, 1: {0: 2.0, 2: 1.0}, 2: {1: 1.0}}, {0: "x", 1: "y", 2: "x"},
                                     {(0, 1): "a", (1, 0): "a", (1, 2): "b", (2, 1): "b"}]])

    def test_graph_objects(self):
        """GraKeL's own Graph objects are taken too."""
        import grakel
        plain = graphs(3)
        wrapped = [grakel.Graph(edges, labels) for edges, labels in plain]
        np.testing.assert_array_equal(ours.WeisfeilerLehman(n_iter=2).fit_transform(wrapped),
                                      ours.WeisfeilerLehman(n_iter=2).fit_transform(plain))

    def test_lists_of_its_data_sets(self):
        """[edges, labels, edge labels] as read_data() of GraKeL makes them: vertices count through the data set from 1, and labels that
        the data set does not have are an empty dictionary."""
        import grakel
        made, first = [], 1
        for edges, labels in graphs(5):
            pairs = {(first + u, first + v) for u in edges for v in edges[u]}
            made.append([pairs, {first + v: label for v, label in labels.items()}, {}])
            first += len(labels)
        np.testing.assert_array_equal(ours.WeisfeilerLehman(n_iter=3).fit_transform(made),
                                      grakel.WeisfeilerLehman(n_iter=3).fit_transform(made))
        self.assertEqual(leman.Dataset.from_grakel(made).checksum, leman.Dataset.from_grakel(graphs(5)).checksum)
        bare = leman.Dataset.from_grakel([[pairs, {}, {}] for pairs, _, _ in made])
        self.assertEqual(bare.columns.vertex_labels, 0)
        marked = [[pairs, labels, {edge: sum(edge) % 2 for edge in pairs}] for pairs, labels, _ in made]
        marked.append([set(), {first: "a"}, {}])  # no edge, no label
        data = leman.Dataset.from_grakel(marked)
        self.assertEqual(data.columns.edge_labels, 1)
        for graph, (pairs, _, on_edges) in zip(data, marked):
            names = list(graph.nodes)
            found = {(names[u], names[v]): label for (u, v), label in zip(graph.edge_index.T.tolist(), graph.edge_labels)}
            self.assertEqual(found, on_edges)

    def test_wrong_edge_labels(self):
        for wrong in ([5, 6], np.zeros(2)):
            with self.assertRaises(leman.InputError):
                leman.Dataset.from_grakel([[{(0, 1), (1, 0)}, {0: 1, 1: 2}, wrong]])


class Fetched(unittest.TestCase):
    def test_options_of_fetch_dataset(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = {"A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n", "graph_indicator": "1\n1\n1\n2\n2\n", "graph_labels": "1\n2\n",
                     "node_attributes": "0.5\n1.5\n0.5\n2\n0.5\n", "edge_attributes": "1\n1\n2\n2\n1\n1\n"}
            with zipfile.ZipFile(os.path.join(folder, "TINY.zip"), "w") as archive:
                for name, text in texts.items():
                    archive.writestr(f"TINY/TINY_{name}.txt", text)
            fetch = functools.partial(ours.datasets.fetch_dataset, "TINY", False, folder, False)
            found = fetch()
            self.assertEqual(list(found.target), [1, 2])
            self.assertIsNone(found.data[0].vertex_labels)
            self.assertNotIn("target", fetch(with_classes=False))
            self.assertEqual(fetch(produce_labels_nodes=True).data[0].vertex_labels, [1, 2, 1])
            found = fetch(prefer_attr_nodes=True, prefer_attr_edges=True, produce_labels_nodes=True)
            self.assertIsNone(found.data[1].vertex_labels)
            np.testing.assert_array_equal(found.data[1].vertex_attributes, [[2.0], [0.5]])
            np.testing.assert_array_equal(found.data[0].edge_attributes, [[1.0], [1.0], [2.0], [2.0]])
            found = fetch(as_graphs=True, prefer_attr_nodes=True).data
            self.assertIsInstance(found, list)
            given = [[{(0, 1), (1, 0), (1, 2), (2, 1)}, {0: [0.5], 1: [1.5], 2: [0.5]}], [{(0, 1), (1, 0)}, {0: [2.0], 1: [0.5]}]]
            for kernel in (ours.GraphHopper(), ours.PropagationAttr(random_state=1)):
                np.testing.assert_array_equal(kernel.fit_transform(found), kernel.fit_transform(given))

    def test_vectors_are_attributes(self):
        """GraKeL's data sets with prefer_attr_nodes and prefer_attr_edges have lists in the place of labels."""
        ends = {(1, 2): [1.0], (2, 1): [1.0], (2, 3): [4.0], (3, 2): [4.0]}
        graphs = [[set(ends), {1: [0.5, 1.0], 2: [1.5, 2.0], 3: [0.5, 3.0]}, ends],
                  [{(4, 5), (5, 4)}, {4: np.array([2.0, 0.0]), 5: [0.5, 1.0]}, {(4, 5): [3.0], (5, 4): [3.0]}]]
        for more in ({}, {"policy": "self-loops=keep"}):
            data = leman.Dataset.from_grakel(graphs, [0, 1], **more)
            self.assertIsNone(data[0].vertex_labels)
            np.testing.assert_array_equal(data[0].vertex_attributes, [[0.5, 1.0], [1.5, 2.0], [0.5, 3.0]])
            np.testing.assert_array_equal(data[1].vertex_attributes, [[2.0, 0.0], [0.5, 1.0]])
            self.assertEqual(sorted(np.ravel(data[0].edge_attributes)), [1.0, 1.0, 4.0, 4.0])
        pairs = leman.Dataset.from_grakel([[graph[0], {v: tuple(label) for v, label in graph[1].items()}] for graph in graphs])
        self.assertEqual(pairs[0].vertex_labels, [(0.5, 1.0), (1.5, 2.0), (0.5, 3.0)])  # what can be a label is one
        for wrong in ([0.5], ["a", "b"], [[1.0], [2.0]]):
            with self.assertRaisesRegex(leman.InputError, "graph 0: found lists in the place of labels that are no vectors"):
                leman.Dataset.from_grakel([[{(0, 1), (1, 0)}, {0: [1.0, 2.0], 1: wrong}]])


if __name__ == "__main__":
    package.main()
