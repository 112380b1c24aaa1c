"""Expressivity from Python: CFI pairs on base graphs, hashes and classes of graphs, and the dimension that tells graphs apart, each
against a slow construction or an exhaustive search of its own."""
import itertools
import unittest

import networkx as nx
import numpy as np

import package
import leman


def cfi(base, twisted):
    """The graph of Cai, Fuerer and Immerman, from the definition; the edges in `twisted` are crossed at one of their ends."""
    graph = nx.Graph()
    twisted = {frozenset(edge) for edge in twisted}
    for u, v in base.edges:
        graph.add_edge((frozenset((u, v)), 0), (frozenset((u, v)), 1))
    for v in base.nodes:
        edges = [frozenset(edge) for edge in base.edges(v)]
        for bits in itertools.product((0, 1), repeat=len(edges)):
            if sum(bits) % 2 == 0:
                for edge, bit in zip(edges, bits):
                    graph.add_edge((v, bits), (edge, bit ^ (edge in twisted and v == min(edge))))
    return graph


BASES = {"triangle": (nx.cycle_graph(3), 2), "square": (nx.cycle_graph(4), 2), "K4": (nx.complete_graph(4), 3),
         "prism": (nx.circular_ladder_graph(3), 3), "diamond": (nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]), 2),
         "K33": (nx.complete_bipartite_graph(3, 3), 3), "bowtie": (nx.Graph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)]), 2),
         "theta": (nx.Graph([(0, 1), (1, 5), (0, 2), (2, 5), (0, 3), (3, 4), (4, 5)]), 2)}


class Cfi(unittest.TestCase):
    def test_definition(self):
        """An even number of twisted edges gives G, an odd number gives H, wherever they are; the two are not isomorphic."""
        random = np.random.default_rng(5)
        for name, (base, _) in BASES.items():
            if name in ("prism", "K33"):
                continue  # networkx takes minutes
            pair = leman.generate("cfi", base=base)
            self.assertEqual(list(pair.y), [0, 1], name)
            found = [graph.to_networkx() for graph in pair]
            edges = list(base.edges)
            for count in (0, 1, 2, 3):
                chosen = [edges[i] for i in random.choice(len(edges), count, replace=False)]
                for member in (0, 1):
                    self.assertEqual(nx.is_isomorphic(found[member], cfi(base, chosen)), count % 2 == member, (name, chosen, member))

    def test_tree_width(self):
        """k-FWL does not distinguish the pair for k below the tree-width of the base; it does for the tree-width."""
        for name, (base, width) in BASES.items():
            pair = leman.generate("cfi", base=base)
            for k in range(1, width + 1):
                if pair[0].num_vertices ** k < 10**5:
                    self.assertEqual(bool(leman.distinguish(pair[0], pair[1], f"{k}-FWL")), k == width, (name, k))

    def test_several_bases(self):
        """Each base gives the pair that it gives alone; copies follow, with their vertices shuffled."""
        bases = [BASES[name][0] for name in ("diamond", "K4", "triangle", "theta")]
        pairs = leman.generate("cfi", base=bases, graphs=2, seed=3)
        self.assertEqual(list(pairs.y), [0, 1] * 8)
        for i, base in enumerate(bases):
            for j, alone in enumerate(leman.generate("cfi", base=base)):
                np.testing.assert_array_equal(pairs[2 * i + j].edge_index, alone.edge_index)
                self.assertTrue(nx.is_isomorphic(pairs[8 + 2 * i + j].to_networkx(), alone.to_networkx()), i)

    def test_refused(self):
        for base, words in ((nx.path_graph(4), "degree 1"), (nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)), "not connected"),
                            (nx.DiGraph(nx.cycle_graph(4)), "directed"), (nx.complete_graph(60), "vertices"), ([], "no base graph")):
            with self.assertRaisesRegex(leman.Error, words):
                leman.generate("cfi", base=base)
        with self.assertRaisesRegex(leman.ArgumentError, "k and base"):
            leman.generate("cfi", base=nx.cycle_graph(4), k=2)

    def test_misspelled_family(self):
        """The family is refused before its options are."""
        with self.assertRaisesRegex(leman.ArgumentError, "family: found 'cfl', expected one of: cfi"):
            leman.generate("cfl", k=3)

    def test_options_of_other_families(self):
        """An option that the family does not have would change nothing: it is refused."""
        for family, option in (("cycle", dict(probability=0.5)), ("petersen", dict(vertices=12)), ("random", dict(k=3)),
                               ("csl", dict(base=nx.cycle_graph(4))), ("path", dict(rows=2)), ("grid", dict(degree=2)), ("cfi", dict(skips=[2]))):
            with self.assertRaisesRegex(leman.ArgumentError, f"family {family} has no"):
                leman.generate(family, **option)


ATLAS = nx.graph_atlas_g()  # every graph of up to 7 vertices once


class Hashes(unittest.TestCase):
    def test_as_distinguish(self):
        """Two graphs have one hash exactly if the method does not tell them apart: also regular graphs, which are stable in round 0."""
        random = np.random.default_rng(2)
        graphs = [nx.complete_graph(4), nx.cycle_graph(4), nx.empty_graph(4), nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3)),
                  nx.complete_graph(1), nx.empty_graph(0), nx.petersen_graph(), nx.circular_ladder_graph(5)] + \
                 [ATLAS[i] for i in random.choice(1253, 12, replace=False)]
        for method in ("1-WL", "2-WL", "delta-2-LWL", "delta-2-LWL+", "2-FWL"):
            for rounds in ("stable", 0, 1, 2):
                hashes = leman.graph_hash(graphs, method, rounds)
                for i, j in itertools.combinations(range(len(graphs)), 2):
                    self.assertEqual(hashes[i] != hashes[j], bool(leman.distinguish(graphs[i], graphs[j], method, rounds)), (method, rounds, i, j))

    def test_isomorphic(self):
        random = np.random.default_rng(3)
        graphs = [nx.gnp_random_graph(9, 0.4, seed=i) for i in range(8)]
        for graph in graphs:
            for node in graph:
                graph.nodes[node]["label"] = int(random.integers(2))
        moved = [nx.relabel_nodes(graph, dict(zip(graph, random.permutation(9)))) for graph in graphs]
        for method in ("1-WL", "delta-2-LWL", "2-FWL", "delta-3-LWL"):
            self.assertEqual(leman.graph_hash(graphs, method, n_jobs=1), leman.graph_hash(moved, method, n_jobs=2))
            self.assertEqual(list(leman.stable_round(graphs, method)), list(leman.stable_round(moved, method)))


def neighbours(graph, node, label):
    return (graph.nodes[node].get("label", 0),) if label is None else (label[node], tuple(sorted(label[n] for n in graph[node])))


def refined(graph):
    """Colour refinement from its definition: the sorted trees of n rounds, as nested tuples."""
    label = None
    for _ in range(len(graph) + 1):
        label = {node: neighbours(graph, node, label) for node in graph}
        label = {node: hash(repr(value)) for node, value in label.items()}
    return tuple(sorted(label.values()))


class Dimension(unittest.TestCase):
    def test_dimension_one_is_exact(self):
        """Of all graphs of up to 7 vertices, those identified by colour refinement are exactly those whose colours no other graph has."""
        trees = [(len(graph), refined(graph)) for graph in ATLAS]
        found = leman.dimension(ATLAS, max_k=3)
        for place, key in enumerate(trees):
            self.assertEqual(found.at_least[place] == 1, trees.count(key) == 1, ATLAS[place].edges)
            self.assertLessEqual(found.at_least[place], found.at_most[place])
        self.assertEqual(found.classes, [len(set(trees)), 1253, 1253])
        self.assertTrue((found.within <= 2).all() and (found.within >= 1).all())
        self.assertEqual(len(set(found.graph_classes)), 1253)

    def test_labels(self):
        """The same with two labels, for all graphs of 5 vertices up to isomorphism."""
        graphs = []
        for graph in ATLAS:
            if len(graph) == 5:
                for bits in itertools.product((0, 1), repeat=5):
                    one = nx.Graph(graph)
                    nx.set_node_attributes(one, dict(enumerate(bits)), "label")
                    graphs.append(one)
        trees = [refined(graph) for graph in graphs]
        same = {}
        for graph, key in zip(graphs, trees):
            same.setdefault(key, []).append(graph)
        alike = lambda a, b: a["label"] == b["label"]
        identified = {key: all(nx.is_isomorphic(listed[0], graph, node_match=alike) for graph in listed) for key, listed in same.items()}
        found = leman.dimension(graphs, max_k=1)
        self.assertEqual([bool(one == 1) for one in found.at_least], [identified[key] for key in trees])

    def test_pairs(self):
        rook, shrikhande = leman.generate("rook-shrikhande")
        six, threes = leman.generate("cycles")
        found = leman.dimension(six, threes)
        self.assertEqual((found.folklore, found.wl, found.isomorphic), (2, 3, False))
        self.assertEqual(found.round, leman.distinguish(six, threes, "2-FWL").round)
        self.assertEqual((leman.dimension(rook, shrikhande).folklore, leman.dimension(rook, shrikhande).wl), (3, 4))
        self.assertEqual((leman.dimension(rook, shrikhande, 2).folklore, leman.dimension(rook, shrikhande, 2).tried), (None, 2))
        self.assertEqual((leman.dimension(nx.path_graph(4), nx.star_graph(3)).folklore, leman.dimension(nx.path_graph(4), nx.star_graph(3)).wl), (1, 1))
        tree = nx.balanced_tree(2, 3)
        self.assertTrue(leman.dimension(tree, nx.relabel_nodes(tree, lambda v: 100 - v)).isomorphic)
        many = leman.dimension_pairs([(six, threes), (six, six), (rook, shrikhande)], 3)
        self.assertEqual([one.folklore for one in many], [2, None, 3])
        self.assertEqual([one.isomorphic for one in many], [False, True, False])

    def test_cfi(self):
        """The dimension of a CFI pair is the tree-width of its base, and one less does not suffice for the graphs themselves."""
        names = [name for name in BASES if name not in ("K33", "prism")]
        pairs = leman.generate("cfi", base=[BASES[name][0] for name in names])
        self.assertEqual([one.folklore for one in leman.dimension_pairs(pairs)], [BASES[name][1] for name in names])
        found = leman.dimension(pairs)
        for place, name in enumerate(names):
            self.assertGreaterEqual(found.at_least[2 * place], BASES[name][1], name)

    def test_directed(self):
        """Two 2-cycles and a 4-cycle, directed: 1-WL sees one arc in and one arc out everywhere, 2-WL sees arcs in both directions."""
        a = nx.DiGraph([(0, 1), (1, 0), (2, 3), (3, 2)])
        b = nx.DiGraph([(0, 1), (1, 2), (2, 3), (3, 0)])
        found = leman.dimension(a, b)
        self.assertEqual((found.folklore, found.wl), (2, 2))
        self.assertTrue(leman.distinguish(a, b, "2-WL"))
        c, d = nx.DiGraph([(i, (i + 1) % 6) for i in range(6)]), nx.DiGraph([(i, (i + 1) % 3 + i // 3 * 3) for i in range(3)] + [(3, 4), (4, 5), (5, 3)])
        found = leman.dimension(c, d)
        self.assertEqual((found.folklore, found.wl), (2, 3))
        self.assertFalse(leman.distinguish(c, d, "2-WL"))

    def test_odd_graphs(self):
        found = leman.dimension([nx.empty_graph(0), nx.empty_graph(1), nx.empty_graph(3), nx.complete_graph(2), nx.empty_graph(1)])
        self.assertEqual((list(found.at_most), list(found.within), list(found.graph_classes)), ([1] * 5, [1] * 5, [0, 1, 2, 3, 1]))
        self.assertEqual(len(leman.dimension([])), 0)
        for wrong in (0, 33, "2"):
            with self.assertRaises(leman.ArgumentError):
                leman.dimension(nx.path_graph(2), nx.path_graph(3), wrong)


class Texts(unittest.TestCase):
    def test_nothing_is_guessed(self):
        """Texts that could be SMILES as well as graph6 are asked about; a character that no SMILES has decides."""
        for texts in (["CC", "CO"], ["Bw", "CC"]):
            with self.assertRaisesRegex(leman.InputError, "could be SMILES or graph6"):
                leman.graph_hash(texts)
        for texts in (["D?{"], ["CC", "C~"], [":Bc"], [">>graph6<<Bw"]):
            with self.assertRaisesRegex(leman.InputError, "no SMILES; leman.Dataset.from_graph6"):
                leman.graph_hash(texts)

    def test_empty_text(self):
        """A text without a graph in a list is not left out; a whole file may be empty."""
        with self.assertRaisesRegex(leman.InputError, "found an empty text in place 1"):
            leman.Dataset.from_graph6(["Bw", " ", "Bw"])
        self.assertEqual(len(leman.Dataset.from_graph6("")), 0)

    def test_one_round(self):
        two = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
        self.assertIn("in 1 round>", repr(leman.distinguish(two, nx.cycle_graph(6), "1-WL")))
        self.assertEqual(repr(leman.dimension([nx.path_graph(3)])), "<leman.GraphDimensions of 1 graph: 1 of dimension 1>")
        self.assertEqual(repr(leman.tuples([nx.path_graph(1)], 2)), "<leman.Tuples: 1 2-tuple of 1 graph>")
        self.assertEqual(repr(leman.tuples([nx.path_graph(2)] * 2, 3)), "<leman.Tuples: 16 3-tuples of 2 graphs>")


if __name__ == "__main__":
    package.main()
