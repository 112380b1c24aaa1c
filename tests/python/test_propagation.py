"""Propagation kernels: GraKeL's numbers where GraKeL is installed, the definition with numpy, and attributes in estimators."""
import unittest

import numpy as np

import package
import leman
import leman.grakel as ours


def graphs(seed, count, label):
    """Random graphs as GraKeL takes them, each with a path through all vertices: GraKeL loses vertices without edges."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        n = int(rng.integers(3, 12))
        near = {v: [] for v in range(n)}
        for u in range(n):
            for v in range(u):
                if u == v + 1 or rng.random() < 0.2:
                    near[u].append(v)
                    near[v].append(u)
        made.append([near, {v: label(rng) for v in range(n)}])
    return made


def whole(rng):
    return int(rng.integers(5))


def word(rng):
    return "abcde"[rng.integers(5)]


def vector(rng):
    return list(rng.normal(size=3))


def defined(train, test, t_max, w, M, seed):
    """The kernel of GraKeL's documentation, with whole matrices."""
    random = np.random.RandomState(seed)
    labels = set()
    for _, own in train:
        labels |= set(own.values())
    number = {label: i for i, label in enumerate(list(labels))}
    numbers = []
    for _ in range(t_max):
        u = random.randn(len(number))
        if M == "TV":
            u = u / random.randn(len(number))
        numbers.append((u, w * random.rand()))

    def bins(graph):
        near, own = graph
        steps = np.array([[float(v in near[u]) for v in range(len(own))] for u in range(len(own))])
        steps /= steps.sum(axis=1, keepdims=True)
        P = np.zeros((len(own), len(number)))
        for v, label in own.items():
            P[v, number[label]] = 1
        found = []
        for u, b in numbers:
            found.append(np.floor(((np.sqrt(P) if M == "H" else P) @ u + b) / w))
            P = steps @ P
        return found

    rows, columns = [bins(graph) for graph in test], [bins(graph) for graph in train]
    return np.array([[sum(float((x[:, None] == y[None]).sum()) for x, y in zip(one, other)) for other in columns] for one in rows])


class Definition(unittest.TestCase):
    def test_labels(self):
        for label in (whole, word):
            train, test = graphs(1, 12, label), graphs(2, 5, label)
            for M in ("TV", "H"):
                kernel = ours.Propagation(M=M, w=0.2, t_max=3, random_state=7)
                np.testing.assert_array_equal(kernel.fit_transform(train), defined(train, train, 3, 0.2, M, 7))
                np.testing.assert_array_equal(kernel.transform(test), defined(train, test, 3, 0.2, M, 7))
                np.testing.assert_array_equal(kernel.diagonal(), np.diag(defined(train, train, 3, 0.2, M, 7)))

    def test_new_labels_and_refusals(self):
        train, test = graphs(1, 6, whole), graphs(2, 3, word)
        kernel = ours.Propagation(random_state=1).fit(train)
        np.testing.assert_array_equal(kernel.transform(test)[:, 0].shape, (3,))
        for wrong in (ours.Propagation(M="L1"), ours.Propagation(t_max=0), ours.Propagation(w=0), ours.PropagationAttr(M="TV"),
                      ours.Propagation(metric=lambda x, y: 0)):
            with self.assertRaises(leman.ArgumentError):
                wrong.fit(train)
        with self.assertRaises(leman.ArgumentError):
            ours.PropagationAttr().fit(graphs(1, 3, vector)).transform(graphs(1, 3, lambda rng: [1.0]))

    def test_by_name(self):
        train = graphs(1, 6, whole)
        named = ours.GraphKernel({"name": "propagation", "random_state": 3}).fit_transform(train)
        np.testing.assert_array_equal(named, ours.Propagation(random_state=3).fit_transform(train))


class AsGraKeL(unittest.TestCase):
    @package.needs("grakel")
    def test_equal(self):
        import grakel
        for label in (whole, word):
            train, test = graphs(3, 20, label), graphs(4, 7, label)
            for M in ("TV", "H"):
                for normalize in (False, True):
                    how = {"M": M, "random_state": 5, "normalize": normalize, "w": 0.05}
                    theirs, own = grakel.Propagation(**how), ours.Propagation(**how)
                    np.testing.assert_allclose(own.fit_transform(train), theirs.fit_transform(train), rtol=1e-12)
                    np.testing.assert_allclose(own.transform(test), theirs.transform(test), rtol=1e-12)
        train, test = graphs(3, 20, vector), graphs(4, 7, vector)
        for M in ("L1", "L2"):
            theirs, own = grakel.PropagationAttr(M=M, random_state=5), ours.PropagationAttr(M=M, random_state=5)
            np.testing.assert_array_equal(own.fit_transform(train), theirs.fit_transform(train))
            np.testing.assert_array_equal(own.transform(test), theirs.transform(test))


class Attributes(unittest.TestCase):
    def test_estimators(self):
        """transform() of graphs is a slice of the matrix of all, if the scale is that of the same graphs."""
        rng = np.random.default_rng(1)
        sizes = rng.integers(3, 8, size=10)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        edges = np.array([(v, v + 1) for a, b in zip(offsets, offsets[1:]) for v in range(a, b - 1)]).T
        arrays = {"edge_index": np.hstack([edges, edges[::-1]]), "offsets": offsets}
        x = rng.normal(3, 5, size=(offsets[-1], 2))
        data = leman.Dataset.from_arrays(**arrays, vertex_attributes=x)
        scaled = leman.Dataset.from_arrays(**arrays, vertex_attributes=10 * x - 7)
        for kernel in (leman.WLKernel("1-WL", 2, binnings=5), leman.WLKernel("WLOA", 2, binnings=5), leman.ShortestPathKernel(binnings=5),
                       leman.PropagationKernel(2, binnings=5), leman.WLKernel("1-WL", "stable", binnings=2)):
            whole_matrix = kernel.fit_transform(data)
            np.testing.assert_array_equal(kernel.transform(data.select([3, 4])), whole_matrix[3:5])
            np.testing.assert_array_equal(kernel.fit_transform(scaled), whole_matrix)
            self.assertLess(np.median(whole_matrix), 1)
            np.testing.assert_allclose(kernel.diagonal(), np.ones(10))
        bare = leman.Dataset.from_arrays(**arrays)
        with self.assertRaises(leman.InputError):
            leman.WLKernel(binnings=1).fit(data).transform(bare)
        with self.assertRaises(leman.InputError):
            leman.PropagationKernel(binnings=1).fit_transform(bare)


if __name__ == "__main__":
    package.main()
