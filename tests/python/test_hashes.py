"""Hashes of graphs, vertices and tuples, against the second implementation of docs/color_definition.md; graphs of other libraries."""
import os
import sys
import unittest

import networkx as nx
import numpy as np

import package
import leman

sys.path.insert(0, os.path.join(package.SOURCE, "tests", "refine"))
sys.dont_write_bytecode = True
from golden_hashes import HASH_SEED, Coloring, Graph, graph_hash


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
