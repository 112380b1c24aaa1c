"""Canonical forms and isomorphism from Python, against networkx and igraph on random graphs, and against the definition."""
import itertools
import random
import unittest

import networkx as nx
import numpy as np

import package
import leman


def shuffled(graph, draw):
    """The same graph with other nodes, in another order."""
    nodes = list(graph.nodes)
    names = dict(zip(nodes, draw.sample([f"node {i}" for i in range(len(nodes))], len(nodes))))
    out = graph.__class__()
    order = draw.sample(nodes, len(nodes))
    out.add_nodes_from((names[v], graph.nodes[v]) for v in order)
    edges = list(graph.edges(data=True))
    out.add_edges_from((names[u], names[v], data) for u, v, data in draw.sample(edges, len(edges)))
    return out


def random_graph(draw, directed, labels):
    n = draw.randint(2, 9)
    graph = nx.gnp_random_graph(n, draw.choice((0.2, 0.5, 0.8)), seed=draw.randrange(1 << 30), directed=directed)
    if draw.random() < 0.3 and not directed:
        graph = nx.random_regular_graph(draw.choice((2, 3)), 2 * draw.randint(2, 5), seed=draw.randrange(1000))
    if labels:
        for v in graph:
            graph.nodes[v]["label"] = draw.choice("CNO")
        for edge in graph.edges:
            graph.edges[edge]["label"] = draw.randint(1, 2)
    return graph


def changed(graph, draw):
    """A near miss: one label or one edge is another."""
    graph = graph.copy()
    v = draw.choice(list(graph))
    if "label" in graph.nodes[v] and draw.random() < 0.5:
        graph.nodes[v]["label"] = draw.choice("CNO")
        return graph
    if graph.edges:
        edge = draw.choice(list(graph.edges))
        data = dict(graph.edges[edge])
        graph.remove_edge(*edge)
        free = list(nx.non_edges(graph))
        graph.add_edge(*draw.choice(free), **data)
    return graph


def same(a, b):
    """networkx's answer, by VF2."""
    return nx.is_isomorphic(a, b, node_match=lambda x, y: x == y, edge_match=lambda x, y: x == y)


def maps(a, b, image):
    """Is image an isomorphism, by the definition?"""
    return set(image) == set(a) and sorted(map(str, image.values())) == sorted(map(str, b)) and \
        all(a.nodes[v] == b.nodes[image[v]] for v in a) and a.number_of_edges() == b.number_of_edges() and \
        all(b.has_edge(image[u], image[v]) and b.edges[image[u], image[v]] == data for u, v, data in a.edges(data=True))


def setUpModule():
    try:
        leman.symmetry(nx.cycle_graph(4))
    except leman.UnsupportedError as error:
        raise unittest.SkipTest(str(error))


class Canonical(unittest.TestCase):
    def test_pairs(self):
        draw = random.Random(11)
        for trial in range(96):
            directed, labels = trial % 2 == 1, trial % 4 > 1
            a = random_graph(draw, directed, labels)
            b = shuffled(a if trial % 3 else changed(a, draw), draw)
            expected, image = same(a, b), leman.isomorphism(a, b)
            self.assertEqual(image is not None, expected, (a.edges(data=True), b.edges(data=True)))
            self.assertEqual(leman.isomorphic(b, a), expected)
            forms = leman.canonical([a, b])
            self.assertEqual(forms[0] == forms[1], expected)
            if expected:
                self.assertTrue(maps(a, b, image))

    def test_data_sets(self):
        """Graphs of two data sets: words have other numbers in each."""
        one, two, three = nx.Graph([("x", "y")]), nx.Graph([("p", "q")]), nx.Graph([("p", "q")])
        nx.set_node_attributes(one, {"x": "C", "y": "O"}, "label")
        nx.set_node_attributes(two, {"p": "O", "q": "C"}, "label")
        nx.set_node_attributes(three, {"p": "O", "q": "N"}, "label")
        first, second, third = (leman.as_dataset([graph])[0] for graph in (one, two, three))
        self.assertEqual(leman.isomorphism(first, second), {"x": "q", "y": "p"})
        self.assertEqual(leman.isomorphism(one, second), {"x": "q", "y": "p"})
        self.assertFalse(leman.isomorphic(first, third))

    def test_symmetry(self):
        for graph in (nx.path_graph(4), nx.cycle_graph(5), nx.star_graph(4), nx.complete_bipartite_graph(2, 3), nx.empty_graph(3)):
            n = len(graph)
            group = [p for p in itertools.permutations(range(n)) if all(graph.has_edge(p[u], p[v]) for u, v in graph.edges)]
            found = leman.symmetry(graph)
            self.assertEqual(found.order, len(group))
            self.assertEqual(found.orbits.tolist(), [min(p[v] for p in group) for v in range(n)])
        self.assertEqual(leman.symmetry(nx.hypercube_graph(6)).order, 2 ** 6 * 720)
        self.assertEqual(repr(leman.symmetry(nx.path_graph(3))), "<leman.Symmetry: 2 automorphisms, 2 orbits>")
        self.assertGreater(leman.symmetry(nx.empty_graph(200)).order, 1e300)

    @package.needs("igraph")
    def test_igraph(self):
        """The classes and the groups that BLISS finds, with colours of vertices."""
        import igraph
        draw, numbers = random.Random(4), np.random.default_rng(4)
        graphs = []
        for _ in range(25):
            graph = random_graph(draw, False, False)
            nx.set_node_attributes(graph, {v: int(numbers.integers(2)) for v in graph}, "label")
            graphs += [graph, shuffled(graph, draw)]
        forms, theirs = leman.canonical(graphs), []
        for graph in graphs:
            one = igraph.Graph.from_networkx(graph)
            self.assertEqual(leman.symmetry(graph).order, int(one.count_automorphisms(color=one.vs["label"])))
            theirs.append(one)
        for i, j in itertools.combinations(range(len(graphs)), 2):
            a, b = theirs[i], theirs[j]
            self.assertEqual(forms[i] == forms[j], a.vcount() == b.vcount() and a.isomorphic_bliss(b, color1=a.vs["label"], color2=b.vs["label"]), (i, j))


if __name__ == "__main__":
    package.main()
