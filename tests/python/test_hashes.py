"""Hashes of graphs, vertices and tuples, against the second implementation of docs/color_definition.md; graphs of other libraries."""
import hashlib
import os
import sys
import unittest

import networkx as nx
import numpy as np

import package
import leman

sys.path.insert(0, os.path.join(package.SOURCE, "tests", "refine"))
sys.dont_write_bytecode = True
from golden_hashes import HASH_SEED, Coloring, Graph, bundles, graph_hash


def golden(graph, label="label"):
    """A networkx graph as the second implementation has it."""
    nodes = list(graph)
    at = {node: i for i, node in enumerate(nodes)}
    vertices = [tuple(data[label] for _ in (0,) if label in data) for _, data in graph.nodes(data=True)]
    arcs = {(at[u], at[v]): tuple(data[label] for _ in (0,) if label in data) for u, v, data in graph.edges(data=True)}
    return Graph(vertices, arcs, graph.is_directed())


def drawn(seed, directed=False):
    random = np.random.default_rng(seed)
    graph = nx.gnp_random_graph(int(random.integers(1, 9)), 0.4, seed=seed, directed=directed)
    for node in graph:
        graph.nodes[node]["label"] = int(random.integers(3))
    for edge in graph.edges:
        graph.edges[edge]["label"] = int(random.integers(2))
    return graph


class GraphHash(unittest.TestCase):
    def test_definition(self):
        for directed in (False, True):
            graphs = [graph for graph in (drawn(seed, directed) for seed in range(30)) if graph.number_of_edges()]
            self.assertEqual(leman.graph_hash(graphs), [graph_hash(golden(graph)) for graph in graphs])
            self.assertEqual(leman.graph_hash(graphs[:6], "2-WL", 2), [graph_hash(golden(graph), "wl", 2, 2) for graph in graphs[:6]])
        loop = nx.Graph([(0, 1), (1, 1)])
        self.assertEqual(leman.graph_hash(loop), graph_hash(golden(loop)))

    def test_kinds(self):
        """One graph, a list, a data set; the same graph from other libraries."""
        path = nx.path_graph(4)
        text = leman.graph_hash(path)
        self.assertEqual(text, graph_hash(golden(path)))
        self.assertEqual(leman.graph_hash([path]), [text])
        self.assertEqual(leman.graph_hash([path, path]), [text] * 2)
        data = leman.Dataset.from_networkx([path])
        self.assertEqual(leman.graph_hash(data), [text])
        self.assertEqual(leman.graph_hash(data[0]), text)
        self.assertEqual(leman.graph_hash([]), [])

    @package.needs("igraph")
    def test_igraph(self):
        import igraph
        graph = igraph.Graph(4, [(0, 1), (1, 2), (2, 3)])
        self.assertEqual(leman.graph_hash(graph), leman.graph_hash(nx.path_graph(4)))
        self.assertEqual(leman.graph_hash([graph, graph])[1], leman.graph_hash(nx.path_graph(4)))

    @package.needs("rdkit")
    def test_rdkit(self):
        from rdkit import Chem
        text = leman.graph_hash(Chem.MolFromSmiles("CCO"))
        self.assertEqual([text], leman.graph_hash(["OCC"]))
        self.assertEqual(leman.graph_hash([Chem.MolFromSmiles("CCN")]), leman.graph_hash(["NCC"]))
        self.assertNotEqual([text], leman.graph_hash(["NCC"]))

    def test_labels_of_any_kind(self):
        """Words are labels by their own value, whatever else is in the list."""
        one, two = nx.path_graph(2), nx.path_graph(2)
        nx.set_node_attributes(one, {0: "C", 1: "O"}, "label")
        nx.set_node_attributes(two, {0: "O", 1: "C"}, "label")
        three = nx.path_graph(2)
        nx.set_node_attributes(three, {0: "O", 1: "N"}, "label")
        self.assertEqual(leman.graph_hash([three, two])[1], leman.graph_hash(one))
        self.assertNotEqual(leman.graph_hash(three), leman.graph_hash(one))

    def test_digits(self):
        def data(*reals, label=(0, 0)):
            return leman.Dataset.from_arrays([[0, 1], [1, 0]], [0, 2], vertex_labels=list(label), vertex_attributes=np.array(reals))
        plain = nx.path_graph(2)
        nx.set_node_attributes(plain, {0: 0, 1: 0}, "label")
        self.assertEqual(leman.graph_hash(data(0.5, 1.5)), [leman.graph_hash(plain)])
        rounded = Graph([(0, 12), (0, -30)], {(0, 1): ()})
        self.assertEqual(leman.graph_hash(data(1.204, -2.996), digits=1), [graph_hash(rounded)])
        self.assertEqual(leman.graph_hash(data(1.204, -2.996), digits=1, ignore_vertex_labels=True), [graph_hash(Graph([(12,), (-30,)], {(0, 1): ()}))])
        for wrong in (16, -1, 1.5, "2"):
            with self.assertRaises(leman.ArgumentError):
                leman.graph_hash(plain, digits=wrong)
        with self.assertRaisesRegex(leman.InputError, "attribute 1e"):
            leman.graph_hash(data(1e20, 1), digits=1)


def multigraph(seed, labelled):
    """A random multigraph with loops, and a copy with other nodes in another order."""
    random = np.random.default_rng(seed)
    kind, n = (nx.MultiGraph, nx.MultiDiGraph)[seed % 2], int(random.integers(1, 6))
    edges = [(*map(int, random.integers(n, size=2)), {"label": int(random.integers(2))} if labelled else {}) for _ in range(random.integers(9))]
    graph, copy = kind(), kind()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    names = [f"v{i}" for i in random.permutation(n)]
    copy.add_nodes_from(names[i] for i in random.permutation(n))
    for i in random.permutation(len(edges)):
        u, v, data = edges[i]
        u, v = (v, u) if random.integers(2) and not graph.is_directed() else (u, v)
        copy.add_edge(names[u], names[v], **data)
    return graph, copy


class Multigraphs(unittest.TestCase):
    def test_definition(self):
        for seed in range(60):
            graph, copy = multigraph(seed, seed % 4 > 1)
            edges = [(*((u, v) if graph.is_directed() else sorted((u, v))), *data.values()) for u, v, data in graph.edges(data=True)]
            expected = graph_hash(Graph([()] * len(graph), bundles(edges), graph.is_directed()))
            self.assertEqual(leman.graph_hash(graph), expected, edges)
            self.assertEqual(leman.graph_hash(copy), expected)
            self.assertEqual(leman.graph_hash(graph, "delta-2-LWL"), leman.graph_hash(copy, "delta-2-LWL"))

    def test_simple(self):
        """A graph has the hash that it has alone, whatever else is in the list; no edge is lost."""
        path, loop = nx.path_graph(3), nx.Graph([(0, 0), (0, 1)])
        double, loops = nx.MultiGraph([(0, 1), (0, 1), (1, 2)]), nx.MultiGraph([(0, 0), (0, 0), (0, 1)])
        for exact in (False, True):
            found = leman.graph_hash([nx.MultiGraph(path), double, loops, nx.MultiGraph(loop)], exact=exact)
            self.assertEqual(found[0], leman.graph_hash(path, exact=exact))
            self.assertEqual(found[1], leman.graph_hash(double, exact=exact))
            self.assertEqual(found[3], leman.graph_hash(loop, exact=exact))
            self.assertEqual(len(set(found)), 4)

    @package.needs("igraph")
    def test_igraph(self):
        import igraph
        self.assertEqual(leman.graph_hash(igraph.Graph(3, [(0, 1), (0, 1), (1, 2)])), leman.graph_hash(nx.MultiGraph([(0, 1), (0, 1), (1, 2)])))


def needs_nauty():
    try:
        leman.symmetry(nx.cycle_graph(4))
    except leman.UnsupportedError as error:
        raise unittest.SkipTest(str(error)) from None


class Exact(unittest.TestCase):
    def test_text(self):
        """SHA-256 of the canonical form, all of it or half."""
        needs_nauty()
        for graph in (nx.cycle_graph(6), nx.path_graph(3), nx.DiGraph([(0, 1)]), nx.empty_graph(0), nx.empty_graph(2)):
            whole = hashlib.sha256(leman.canonical([graph])[0].encode()).hexdigest()
            self.assertEqual(leman.graph_hash(graph, exact=True, sha256=True), "lm1:" + whole)
            self.assertEqual(leman.graph_hash([graph], exact=True), ["lm1:" + whole[:32]])

    def test_equal_to_1_wl(self):
        needs_nauty()
        pair = [nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))]
        self.assertEqual(*leman.graph_hash(pair))
        self.assertNotEqual(*leman.graph_hash(pair, exact=True))

    def test_random(self):
        """Copies are equal, and a graph that lost an edge or got another label differs."""
        needs_nauty()
        for seed in range(80):
            graph, copy = multigraph(seed, seed % 4 > 1)
            found = leman.graph_hash(graph, exact=True)
            self.assertEqual(leman.graph_hash(copy, exact=True), found)
            self.assertTrue(leman.isomorphic(graph, copy))
            if copy.number_of_edges():
                edge = list(copy.edges(keys=True))[seed % copy.number_of_edges()]
                if seed % 4 > 1 and seed % 3:
                    copy.edges[edge]["label"] += 7
                else:
                    copy.remove_edge(*edge)
                self.assertNotEqual(leman.graph_hash(copy, exact=True), found)
                self.assertFalse(leman.isomorphic(graph, copy))

    def test_attributes(self):
        def data(*reals):
            return leman.Dataset.from_arrays([[0, 1], [1, 0]], [0, 2], vertex_attributes=np.array(reals))
        one = leman.graph_hash(data(0.25, 1.0), exact=True)
        self.assertEqual(leman.graph_hash(data(1.0, 0.25), exact=True), one)
        self.assertNotEqual(leman.graph_hash(data(0.25, 1.001), exact=True), one)
        rounded = leman.graph_hash(data(0.25, 1.0), exact=True, digits=2)
        self.assertEqual(leman.graph_hash(data(0.25, 1.001), exact=True, digits=2), rounded)
        self.assertNotEqual(leman.graph_hash(data(0.26, 1.001), exact=True, digits=2), rounded)
        self.assertEqual(leman.graph_hash(data(-0.0, 1.0), exact=True), leman.graph_hash(data(0.0, 1.0), exact=True))
        self.assertEqual(leman.graph_hash(data(-0.001, 1.0), digits=2), leman.graph_hash(data(0.0, 1.0), digits=2))
        labelled = nx.path_graph(3)
        nx.set_node_attributes(labelled, {0: "C", 1: "N", 2: "O"}, "label")
        needs_nauty()
        self.assertEqual(leman.graph_hash(labelled, exact=True, ignore_vertex_labels=True), leman.graph_hash(nx.path_graph(3), exact=True))
        self.assertNotEqual(leman.graph_hash(labelled, exact=True), leman.graph_hash(nx.path_graph(3), exact=True))

    def test_wrong(self):
        for how in (dict(method="1-WL"), dict(rounds=3), dict(components=1)):
            with self.assertRaisesRegex(leman.ArgumentError, "exact"):
                leman.graph_hash(nx.path_graph(2), exact=True, **how)
        with self.assertRaisesRegex(leman.ArgumentError, "sha256"):
            leman.graph_hash(nx.path_graph(2), sha256=True)


class WlHash(unittest.TestCase):
    def test_definition(self):
        for directed in (False, True):
            for seed in range(5):
                graph = drawn(seed, directed)
                if not graph.number_of_edges():
                    continue
                for method, algorithm, k in (("1-WL", "local", 1), ("delta-2-LWL", "local", 2)):
                    halves = [Coloring(golden(graph), algorithm, k, True, True, s).after(2) for s in (0, HASH_SEED)]
                    texts = [f"lm1:{a:016x}{b:016x}" for a, b in zip(*halves)]
                    self.assertEqual(leman.wl_hash(graph, method=method, rounds=2), texts)
                    if k == 2:
                        n = len(graph)
                        self.assertEqual(leman.wl_hash(graph, (n - 1, 0), method, 2), texts[(n - 1) * n])
                        self.assertEqual(leman.wl_hash(graph, [(0, n - 1), [n - 1, 0]], method, 2), [texts[n - 1], texts[(n - 1) * n]])
                    else:
                        self.assertEqual(leman.wl_hash(graph, 0, rounds=2), texts[0])
                        self.assertEqual(leman.wl_hash(graph, [0, len(graph) - 1], rounds=2), [texts[0], texts[-1]])

    def test_across_graphs(self):
        """The middle of a long path looks like that of a longer one, up to the ends."""
        one, two = (leman.wl_hash(nx.path_graph(n), n // 2) for n in (9, 15))
        self.assertEqual(one, two)
        self.assertNotEqual(*(leman.wl_hash(nx.path_graph(n), n // 2, rounds=5) for n in (9, 15)))
        self.assertEqual(leman.wl_hash(nx.empty_graph(0)), [])

    def test_wrong(self):
        graph = nx.path_graph(3)
        for tuples, method in (((0, 1), "1-WL"), (0, "2-WL"), ((0, 1, 2), "2-WL")):
            with self.assertRaisesRegex(leman.InputError, "tuples: found"):
                leman.wl_hash(graph, tuples, method)
        for tuples in (3, -1, "a", [0, 7]):
            with self.assertRaises(leman.Error):
                leman.wl_hash(graph, tuples)
        with self.assertRaises(leman.ArgumentError):
            leman.wl_hash(graph, rounds="stable")
        with self.assertRaisesRegex(leman.InputError, "found 2 graphs"):
            leman.wl_hash([graph, graph])


if __name__ == "__main__":
    package.main()
