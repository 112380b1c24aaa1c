"""GraKeL's kernels of neighbourhoods, on random graphs and on MUTAG: equal numbers where GraKeL is installed, and slow definitions."""
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


class Neighborhoods(unittest.TestCase):
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

    def test_names(self):
        data = graphs(4, 6)
        for names, kernel in ((("NH", "neighborhood_hash"), ours.NeighborhoodHash(random_state=1)), (("HC", "hadamard_code"), ours.HadamardCode())):
            for name in names:
                given = {"name": name, "random_state": 1} if "random_state" in kernel.get_params() else name
                np.testing.assert_array_equal(ours.GraphKernel(given).fit_transform(data), kernel.fit_transform(data))
        np.testing.assert_array_equal(ours.GraphKernel(["HC", "SP"]).fit_transform(data),
                                      ours.HadamardCode(base_graph_kernel=ours.ShortestPath).fit_transform(data))
        for name in ("NH", "CSNH:2", "HC:4"):  # Leman's own
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

    def test_molecules(self):
        import grakel
        data = molecules()
        for how in (dict(), dict(nh_type="count_sensitive", R=4, bits=12)):
            both(*(kind.NeighborhoodHash(random_state=3, **how) for kind in (ours, grakel)), data[:40], data[40:])
        both(*(kind.HadamardCode(normalize=True) for kind in (ours, grakel)), data[:40], data[40:], 1e-12)


if __name__ == "__main__":
    package.main()
