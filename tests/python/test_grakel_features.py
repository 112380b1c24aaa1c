"""GraKeL's kernels of neighbourhoods, on random graphs and on MUTAG: equal numbers where GraKeL is installed, and slow definitions."""
import os
import tempfile
import unittest
import warnings

import numpy as np

import package
import leman
import leman.grakel as ours
from test_grakel import graphs, marked


def both(mine, theirs, train, test, tolerance=0.0):
    """The matrices of two kernels are equal, on the training part and beyond."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(mine.fit_transform(train), theirs.fit_transform(train), rtol=0, atol=tolerance)
        np.testing.assert_allclose(mine.transform(test), theirs.transform(test), rtol=0, atol=tolerance)


def molecules(name="MUTAG", count=60):
    """A data set as GraKeL's lists: [edges, labels, edge labels]."""
    data = package.data_set(name)
    made = []
    for graph in list(data)[:count]:
        pairs = list(map(tuple, graph.edge_index.T.tolist()))
        near = {u: {} for u in range(len(graph))}
        for u, w in pairs:
            near[u][w] = 1.0
        made.append([near, dict(enumerate(graph.vertex_labels)), dict(zip(pairs, graph.edge_labels))])
    return made


def codes(edges, labels, rounds, matrix):
    """Hadamard codes by definition: rows of a matrix, one for each label, and sums of rows."""
    rows = {u: np.array(matrix[labels[u]]) for u in edges}
    found = [tuple(map(tuple, rows.values()))]
    for _ in range(rounds):
        rows = {u: rows[u] + sum(rows[w] for w in near) for u, near in edges.items()}
        found.append(tuple(map(tuple, rows.values())))
    return found


def distances(near, source, inside):
    """{vertex: distance from source} on paths inside a set of vertices."""
    found, front = {source: 0}, [source]
    while front:
        front = [w for u in front for w in near[u] if w in inside and w not in found and not found.update({w: found[u] + 1})]
    return found


def ball(near, labels, edge_labels, centre, radius):
    """The invariant of a neighbourhood with its centre, as docs/kernels.md defines it, in words instead of hashes."""
    depth = distances(near, centre, near)
    inside = {u for u in depth if depth[u] <= radius}
    code = {u: (depth[u], tuple(sorted((d, labels[w]) for w, d in distances(near, u, inside).items()))) for u in inside}
    return (tuple(sorted(code.values())),
            tuple(sorted((code[u], code[w], edge_labels[u, w]) for u in inside for w in near[u] if w in inside)))


def pairs(graph, r, d):
    """{(radius, distance): {(ball, ball): how often}}."""
    near, labels, edge_labels = graph
    found = {}
    for radius in range(r + 1):
        around = {u: ball(near, labels, edge_labels, u, radius) for u in near}
        for u in near:
            for w, far in distances(near, u, near).items():
                if far <= d:
                    counts = found.setdefault((radius, far), {})
                    counts[around[u], around[w]] = counts.get((around[u], around[w]), 0) + 1
    return found


def of_pairs(some, others, r, d):
    """The kernel by definition: the sum of cosines over all radii and distances."""
    def cosine(a, b):
        square = [sum(value ** 2 for value in x.values()) for x in (a, b)]
        return sum(value * b.get(key, 0) for key, value in a.items()) / np.sqrt(square[0] * square[1])
    some, others = ([pairs(graph, r, d) for graph in part] for part in (some, others))
    return np.array([[sum(cosine(x[key], y[key]) for key in x.keys() & y.keys()) for y in others] for x in some])


def trees(graph, h):
    """{tree: how often}: a tree is (label, the sorted trees of its children)."""
    near, labels, counts = graph[0], graph[1], {}
    for root in near:
        depth = {u: far for u, far in distances(near, root, near).items() if h is None or far <= h}

        def tree(u):
            return (labels[u], tuple(sorted(tree(w) for w in near[u] if depth.get(w) == depth[u] + 1)))
        for u in depth:
            counts[tree(u)] = counts.get(tree(u), 0) + 1
    return counts


def of_trees(some, others, h):
    some, others = ([trees(graph, h) for graph in part] for part in (some, others))
    return np.array([[sum(value * y.get(key, 0) for key, value in x.items()) for y in others] for x in some], dtype=float)


def renumbered(graph, seed):
    """A graph with its vertices in another order."""
    place = np.random.default_rng(seed).permutation(len(graph[0])).tolist()
    near, labels, edge_labels = graph
    return [{place[u]: {place[w]: 1.0 for w in ends} for u, ends in sorted(near.items(), key=lambda item: place[item[0]])},
            {place[u]: label for u, label in labels.items()}, {(place[u], place[w]): label for (u, w), label in edge_labels.items()}]


class Neighborhoods(unittest.TestCase):
    def test_pairs_of_neighborhoods(self):
        """Against the definition: products of unit vectors of 31 bits, so some ten digits."""
        train, test = marked(graphs(1, 12)), marked(graphs(2, 5))
        for r, d in ((0, 0), (1, 2), (3, 4), (2, 0), (0, 3)):
            kernel = ours.NeighborhoodSubgraphPairwiseDistance(r=r, d=d)
            expected = of_pairs(train, train, r, d)
            np.testing.assert_allclose(kernel.fit_transform(train), expected, rtol=0, atol=1e-8)
            np.testing.assert_allclose(kernel.transform(test), of_pairs(test, train, r, d), rtol=0, atol=1e-8)
            np.testing.assert_allclose(kernel.diagonal(), np.diag(expected), rtol=0, atol=1e-8)
            own = np.sqrt(np.diag(expected))
            np.testing.assert_allclose(kernel.set_params(normalize=True).fit_transform(train), expected / np.outer(own, own), rtol=0, atol=1e-8)

    def test_trees(self):
        train, test = graphs(1, 12), graphs(2, 5)
        for h in (None, 1, 2, 4):
            kernel = ours.OddSth(h=h)
            expected = of_trees(train, train, h)
            np.testing.assert_array_equal(kernel.fit_transform(train), expected)
            np.testing.assert_array_equal(kernel.transform(test), of_trees(test, train, h))
            np.testing.assert_array_equal(kernel.diagonal(), np.diag(expected))
        with self.assertRaises(leman.ArgumentError):
            ours.OddSth(h=0).fit(train)
        with self.assertRaises(leman.ArgumentError):
            ours.NeighborhoodSubgraphPairwiseDistance(r=-1).fit(train)

    def test_order_of_vertices(self):
        """Nothing depends on the numbers of vertices, nor on the order of graphs."""
        data = marked(graphs(5, 10))
        other = [renumbered(graph, seed) for seed, graph in enumerate(data)]
        for kernel in (ours.NeighborhoodSubgraphPairwiseDistance(), ours.OddSth(), ours.OddSth(h=2), ours.NeighborhoodHash(bits=None), ours.HadamardCode()):
            expected = kernel.fit_transform(data)
            np.testing.assert_array_equal(kernel.transform(other), expected)
            np.testing.assert_array_equal(kernel.fit_transform(data[::-1]), expected[::-1, ::-1])

    def test_neighborhood_hash(self):
        """A matrix by hand: labels 0 and 1 with numbers of 64 bits, one round, simple. The path a - b - a has the hashes rot(a) ^ b twice and
        rot(b) ^ a ^ a once, and the edge a - b has rot(a) ^ b and rot(b) ^ a: one hash in common."""
        path = [{0: [1], 1: [0, 2], 2: [1]}, {0: 0, 1: 1, 2: 0}]
        edge = [{0: [1], 1: [0]}, {0: 0, 1: 1}]
        alone = [{0: [], 1: []}, {0: 1, 1: 1}]  # rot(b), as the middle of the path, whose neighbours cancel
        kernel = ours.NeighborhoodHash(R=1, bits=None)
        found = kernel.fit_transform(leman.Dataset.from_arrays([[0, 1, 1, 2, 3, 4], [1, 0, 2, 1, 4, 3]], [0, 3, 5, 7],
                                                               vertex_labels=[0, 1, 0, 0, 1, 1, 1]))
        np.testing.assert_allclose(found, [[1, 1 / 4, 1 / 4], [1 / 4, 1, 0], [1 / 4, 0, 1]])
        self.assertEqual(kernel.transform([path, edge]).shape, (2, 3))
        np.testing.assert_array_equal(kernel.diagonal(), np.ones(3))
        counted = ours.NeighborhoodHash(R=1, bits=None, nh_type="count_sensitive").fit_transform([path, edge, alone])
        self.assertEqual(counted[0, 2], 0)

    def test_wrong_hashes(self):
        for wrong in (dict(R=0), dict(R=1.5), dict(nh_type="sorted"), dict(bits=0), dict(bits="8")):
            with self.assertRaises(leman.ArgumentError):
                ours.NeighborhoodHash(**wrong).fit(graphs(1, 3))
        with self.assertRaises(leman.ArgumentError):
            ours.HadamardCode(n_iter=0).fit(graphs(1, 3))

    def test_hadamard_code(self):
        """The definition, with rows of a Hadamard matrix, and with a base kernel."""
        from scipy.linalg import hadamard
        data, rows = graphs(3, 10), dict(zip("abc", hadamard(4)))
        expected = np.zeros((10, 10))
        level = [codes(edges, labels, 3, rows) for edges, labels in data]
        for i, one in enumerate(level):
            for j, other in enumerate(level):
                expected[i, j] = sum(x == y for a, b in zip(one, other) for x in a for y in b)
        np.testing.assert_array_equal(ours.HadamardCode(n_iter=4).fit_transform(data), expected)
        above = ours.HadamardCode(n_iter=4, base_graph_kernel=(ours.WeisfeilerLehman, {"n_iter": 0}))
        np.testing.assert_array_equal(above.fit_transform(data), expected)
        np.testing.assert_array_equal(above.transform(data[:3]), expected[:3])

    def test_labels_that_come_later(self):
        """A fifth label in transform() makes GraKeL's Hadamard matrix larger than that of fit(), so that no label is equal to itself."""
        def path(labels):
            return [{0: [1], 1: [0, 2], 2: [1]}, dict(enumerate(labels))]
        train, test = [path("abc"), path("bcd")], [path("abc"), path("abe")]
        kernel = ours.HadamardCode(n_iter=1).fit(train)
        np.testing.assert_array_equal(kernel.transform(test), [[3, 2], [2, 1]])

    def test_models(self):
        """Fitted, saved and read back: Leman's own kernels of these names."""
        data, y = leman.Dataset(marked(graphs(6, 24))), np.arange(24) % 2
        with tempfile.TemporaryDirectory() as folder:
            for name in ("NSPD:1:2", "ODD:2 + NH:2", "HC:1", "CSNH:assignment"):
                model = leman.GraphSVC(name, folds=3).fit(data, y)
                path = os.path.join(folder, "model")
                model.save(path)
                np.testing.assert_array_equal(leman.load_model(path).decision_function(data), model.decision_function(data))
                os.remove(path)

    def test_names(self):
        data = graphs(4, 6)
        for names, kernel in ((("NH", "neighborhood_hash"), ours.NeighborhoodHash(random_state=1)), (("HC", "hadamard_code"), ours.HadamardCode()),
                              (("NSPD", "neighborhood_subgraph_pairwise_distance"), ours.NeighborhoodSubgraphPairwiseDistance()),
                              (("ODD", "odd_sth"), ours.OddSth())):
            for name in names:
                given = {"name": name, "random_state": 1} if "random_state" in kernel.get_params() else name
                np.testing.assert_array_equal(ours.GraphKernel(given).fit_transform(data), kernel.fit_transform(data))
        np.testing.assert_array_equal(ours.GraphKernel(["HC", "SP"]).fit_transform(data),
                                      ours.HadamardCode(base_graph_kernel=ours.ShortestPath).fit_transform(data))
        for name in ("NH", "CSNH:2", "HC:4", "NSPD:1:2", "ODD:2"):  # Leman's own
            found = leman.WLKernel(name, normalize=True).fit_transform(data)
            np.testing.assert_allclose(np.diag(found), 1)
        np.testing.assert_array_equal(leman.WLKernel("HC:4", normalize=False).fit_transform(data), ours.HadamardCode().fit_transform(data))


@package.needs("grakel")
class Grakel(unittest.TestCase):
    def test_neighborhood_hash(self):
        """Equal to the last bit, collisions of few bits included, if the numbers of labels are drawn alike."""
        import grakel
        train, test = graphs(1), graphs(2, 9)
        for labels in ("abc", (7, 3, 12)):
            part = [[[edges, {u: labels["abc".index(label)] for u, label in on.items()}] for edges, on in some] for some in (train, test)]
            for how in (dict(), dict(R=1, bits=3), dict(R=5, bits=1), dict(nh_type="count_sensitive"), dict(nh_type="count_sensitive", R=6, bits=4)):
                both(*(kind.NeighborhoodHash(random_state=3, **how) for kind in (ours, grakel)), *part)

    def test_without_collisions(self):
        """64 bits give what GraKeL gives if no two hashes of 20 bits collide."""
        import grakel
        for kind in ("simple", "count_sensitive"):
            both(ours.NeighborhoodHash(nh_type=kind, bits=None), grakel.NeighborhoodHash(nh_type=kind, bits=20, random_state=1), graphs(1), graphs(2, 9))

    def test_labels_without_a_number(self):
        """A label that fit() has not met takes its vertex, and what it reaches, out of the comparison."""
        import grakel
        test = [[edges, {u: "z" if u == 0 else label for u, label in labels.items()}] for edges, labels in graphs(2, 9)]
        both(*(kind.NeighborhoodHash(random_state=3, R=2) for kind in (ours, grakel)), graphs(1), test)

    def test_hadamard_code(self):
        import grakel
        for normalize in (False, True):
            for base in (None, "ShortestPath", "EdgeHistogram"):
                for n_iter in (1, 4):
                    how = dict(n_iter=n_iter, normalize=normalize)
                    both(*(kind.HadamardCode(base_graph_kernel=base and getattr(kind, base), **how) for kind in (ours, grakel)),
                         marked(graphs(1, 12)), marked(graphs(2, 5)), 1e-12)

    def test_pairs_of_neighborhoods(self):
        """GraKeL's kernel with a hash that does not depend on the numbers of vertices, up to distance 2: what GraKeL takes for distance 3 is 3 or
        4. The diagonal of fit_transform() aside, where GraKeL puts 1 for a radius and distance that the graph does not have."""
        import grakel
        from unittest import mock

        def hashes(self, vertices, edges, labels, edge_labels, levels, unused):
            near = {u: [w for v, w in edges if v == u] for u in vertices}
            return {(radius, u): ball(near, labels, edge_labels, u, radius) for u in vertices for radius in range(self.r + 1)}
        data = [graph for graph in marked(graphs(1, 40)) if any(far == 2 for u in graph[0] for far in distances(graph[0], u, graph[0]).values())]
        train, test = data[:16], data[16:22]
        with mock.patch.object(grakel.NeighborhoodSubgraphPairwiseDistance, "_hash_neighborhoods", hashes):
            for normalize in (False, True):
                how = dict(r=2, d=2, normalize=normalize)
                both(*(kind.NeighborhoodSubgraphPairwiseDistance(**how) for kind in (ours, grakel)), train, test, 1e-8)
            complete = [*train, *(graph for graph in marked(graphs(1, 40)) if graph not in data)]
            self.assertGreater(len(complete), len(train))
            found = [kind.NeighborhoodSubgraphPairwiseDistance(r=1, d=2).fit_transform(complete) for kind in (ours, grakel)]
            np.testing.assert_allclose(*(matrix - np.diag(np.diag(matrix)) for matrix in found), rtol=0, atol=1e-8)
            self.assertEqual(found[0].diagonal().round(6).min(), 4)
            self.assertEqual(found[1].diagonal().round(6).min(), 6)
            levels = [kind.WeisfeilerLehman(n_iter=1, base_graph_kernel=(kind.NeighborhoodSubgraphPairwiseDistance, dict(r=1, d=2)))
                      for kind in (ours, grakel)]
            both(*levels, train, test, 1e-8)
        theirs = grakel.NeighborhoodSubgraphPairwiseDistance(normalize=True).fit([train[0]])
        self.assertTrue(any(abs(theirs.transform([renumbered(train[0], seed)])[0, 0] - 1) > 1e-3 for seed in range(10)))
        line = grakel.Graph({u: {w: 1.0 for w in (u - 1, u + 1) if 0 <= w < 9} for u in range(9)}, dict.fromkeys(range(9), "a"))
        self.assertEqual(len(line.produce_neighborhoods(3, purpose="dictionary")[3][0]), 5)  # of the end of a path: expected 4

    def test_trees(self):
        """GraKeL's features, its texts of one tree in different orders of children joined, are ours. Its weights, the number of times that the
        first graph with a tree has the tree, depend on the order of the graphs."""
        import grakel
        data = graphs(1, 12)

        def parsed(text):
            label, children, depth, begin = text[0], [], 0, 2
            for at in range(2, len(text)):
                depth += (text[at] == "(") - (text[at] == ")")
                if text[at] == "," and depth == 0 or depth < 0:
                    children.append(parsed(text[begin:at]))
                    begin = at + 1
            return label, tuple(sorted(children))
        for h in (None, 2):
            theirs = grakel.OddSth(h=h)
            theirs.fit(data)
            merged = {}
            for _, frequency, text in theirs.X[0].values():
                row = merged.setdefault(parsed(text), np.zeros(len(data)))
                row += frequency
            phi = np.array(list(merged.values()))
            np.testing.assert_array_equal(ours.OddSth(h=h).fit_transform(data), phi.T @ phi)
        first, last = (grakel.OddSth().fit_transform(some) for some in (data, data[::-1]))
        self.assertFalse(np.allclose(first, last[::-1, ::-1]))

    def test_molecules(self):
        import grakel
        data = molecules()
        for how in (dict(), dict(nh_type="count_sensitive", R=4, bits=12)):
            both(*(kind.NeighborhoodHash(random_state=3, **how) for kind in (ours, grakel)), data[:40], data[40:])
        both(*(kind.HadamardCode(normalize=True) for kind in (ours, grakel)), data[:40], data[40:], 1e-12)


if __name__ == "__main__":
    package.main()
