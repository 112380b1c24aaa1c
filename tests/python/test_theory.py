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

    def test_options_of_other_families(self):
        """An option that the family does not have would change nothing: it is refused."""
        for family, option in (("cycle", dict(probability=0.5)), ("petersen", dict(vertices=12)), ("random", dict(k=3)),
                               ("csl", dict(base=nx.cycle_graph(4))), ("path", dict(rows=2)), ("grid", dict(degree=2)), ("cfi", dict(skips=[2]))):
            with self.assertRaisesRegex(leman.ArgumentError, f"family {family} has no"):
                leman.generate(family, **option)


if __name__ == "__main__":
    package.main()
