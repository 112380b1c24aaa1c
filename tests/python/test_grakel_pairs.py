"""Kernels of GraKeL that are computed pair by pair, and PyramidMatch: equal to slow computations by definition, and to GraKeL where GraKeL
is right. Where GraKeL differs, the difference is what docs/python.md says."""
import itertools
import math
import unittest
import warnings

import numpy as np

import package
import leman
import leman.grakel as ours


def graphs(seed, count=12, least=3, most=9, attributes=0, weights=False):
    """Random connected graphs as GraKeL takes them: [adjacency matrix, labels or vectors of vertices]."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        n = int(rng.integers(least, most))
        upper = np.triu(rng.random((n, n)) < 0.3, 1)
        upper[np.arange(n - 1), np.arange(1, n)] = True
        upper = upper * (rng.integers(1, 5, (n, n)) / 2 if weights else 1.0)
        labels = {v: tuple(rng.normal(size=attributes)) if attributes else "abc"[rng.integers(3)] for v in range(n)}
        made.append([upper + upper.T, labels])
    return made


def product_matrix(x, y, labeled):
    """The adjacency matrix of the product graph; without it, unlabelled, the Kronecker product."""
    found = np.kron(x[0], y[0])
    if labeled:
        same = np.array([[a == b for b in y[1].values()] for a in x[1].values()]).ravel()
        found = found * np.outer(same, same)
    return found


def walks(x, y, labeled, lamda, exponential=False, p=None):
    matrix = product_matrix(x, y, labeled)
    total, term = np.zeros_like(matrix), np.eye(len(matrix))
    if p is None and not exponential:
        return np.linalg.inv(np.eye(len(matrix)) - lamda * matrix).sum()
    for s in range((p if p is not None else 120) + 1):
        total += term
        term = lamda / (s + 1 if exponential else 1) * (term @ matrix)
    return total.sum()


def by_pairs(function, rows, columns):
    return np.array([[function(x, y) for y in columns] for x in rows])


def shortest_paths(matrix):
    """All shortest paths as tuples of vertices, those of one vertex included, in both directions."""
    n, found = len(matrix), []
    near = [np.flatnonzero(row) for row in matrix]
    for source in range(n):
        distance, level = {source: 0}, [source]
        while level:
            level = [w for v in level for w in near[v] if distance.setdefault(w, distance[v] + 1) == distance[v] + 1]
        paths = [(source,)]
        while paths:
            found += paths
            paths = [path + (w,) for path in paths for w in near[path[-1]] if distance[w] == len(path)]
    return [tuple(int(v) for v in path) for path in set(found)]


def hopper(x, y, node):
    total = 0.0
    for a, b in itertools.product(shortest_paths(x[0]), shortest_paths(y[0])):
        if len(a) == len(b):
            total += sum(node(np.array(x[1][u]), np.array(y[1][w])) for u, w in zip(a, b))
    return total


NODES = {"linear": lambda x, y: x @ y, "gaussian": lambda x, y: math.exp(-((x - y) ** 2).sum()),
         "bridge": lambda x, y: max(0.0, 1 - math.sqrt(((x - y) ** 2).sum()) / 4)}


def pyramid(x, y, d, levels, labeled):
    def cells(graph, level):
        values, vectors = np.linalg.eigh(graph[0])
        order = np.argsort(-values)
        if len(values) > d + 1:
            order = np.array(sorted(np.argsort(-np.abs(values))[:d], key=lambda i: -values[i]))
        entries = np.abs(vectors[:, order[:d]])
        found = {}
        for v, q in itertools.product(range(len(values)), range(min(d, len(values)))):
            key = (graph[1][v] if labeled else None, q, min(int(entries[v, q] * 2 ** level + 1e-9), 2 ** level - 1))
            found[key] = found.get(key, 0) + 1
        return found
    both = [(cells(x, level), cells(y, level)) for level in range(levels)]
    common = [sum(min(count, b.get(key, 0)) for key, count in a.items()) for a, b in both]
    return common[-1] + sum((common[q] - common[q + 1]) / 2 ** (levels - q - 1) for q in range(levels - 1))


def generic(made):
    """Graphs whose eigenvectors are unique up to their signs, and lie inside their cells."""
    kept = []
    for graph in made:
        values, vectors = np.linalg.eigh(graph[0])
        entries = np.abs(vectors) * 16
        if np.diff(np.sort(np.abs(values))).min() > 1e-6 and np.abs(entries - np.round(entries))[entries > 0.5].min() > 1e-6:
            kept.append(graph)
    return kept


def lengths(x, y, labeled=True):
    """The shortest-path kernel by Floyd and Warshall."""
    def count(graph):
        found = np.where(graph[0] > 0, graph[0], np.inf)
        for w in range(len(found)):
            found = np.minimum(found, found[:, w:w + 1] + found[w:w + 1])
        made = {}
        for u, w in itertools.permutations(range(len(found)), 2):
            key = (graph[1][u], graph[1][w], found[u, w]) if labeled else found[u, w]
            made[key] = made.get(key, 0) + (found[u, w] < np.inf)
        return made
    a, b = count(x), count(y)
    return sum(times * b.get(key, 0) for key, times in a.items())


class Definitions(unittest.TestCase):
    def check(self, kernel, function, train, test, rtol=1e-10):
        expected, across = by_pairs(function, train, train), by_pairs(function, test, train)
        np.testing.assert_allclose(kernel.fit_transform(train), expected, rtol=rtol)
        np.testing.assert_allclose(kernel.transform(test), across, rtol=rtol)
        selves = np.array([function(x, x) for x in test])
        np.testing.assert_allclose(kernel.diagonal(), np.diag(expected), rtol=rtol)
        np.testing.assert_allclose(kernel.diagonal(test), selves, rtol=rtol)
        kernel.set_params(normalize=True)
        np.testing.assert_allclose(kernel.fit(train).transform(test), across / np.sqrt(np.outer(selves, np.diag(expected))), rtol=rtol)

    def test_levels_and_vectors(self):
        """A pyramid has a level at least. Attributes may be lists, tuples and arrays in the place of labels."""
        with self.assertRaisesRegex(leman.ArgumentError, "L: found 0, expected a number from 1 to 16"):
            ours.PyramidMatch(L=0).fit([[{0: [1], 1: [0]}, {0: "a", 1: "a"}]])
        near, vectors = {0: [1], 1: [0, 2], 2: [1]}, {0: (1.0, 2.0), 1: (0.5, 0.0), 2: (1.0, -1.0)}
        expected = ours.GraphHopper().fit_transform([[near, vectors]])
        for kind in (list, np.array):
            np.testing.assert_array_equal(ours.GraphHopper().fit_transform([[near, {v: kind(row) for v, row in vectors.items()}]]), expected)
        np.testing.assert_array_equal(ours.GraphKernel("graph_hopper").fit_transform([[near, {v: list(row) for v, row in vectors.items()}]]), expected)

    def test_walks(self):
        train, test = graphs(1), graphs(2, 5)
        for labeled, kind in ((False, ours.RandomWalk), (True, ours.RandomWalkLabeled)):
            for how in ({}, {"kernel_type": "exponential"}, {"p": 3}, {"p": 2, "kernel_type": "exponential"}, {"p": 1, "method_type": "baseline"}):
                kernel = kind(lamda=0.01, **how)
                self.check(kernel, lambda x, y: walks(x, y, labeled, 0.01, "kernel_type" in how, how.get("p")), train, test)

    def test_weights(self):
        """Weights are lengths of paths, and entries of adjacency matrices; graphs with and without weights may meet."""
        train, test, plain = graphs(31, 8, weights=True), graphs(32, 4, weights=True), graphs(33, 4)
        for labeled in (True, False):
            self.check(ours.ShortestPath(with_labels=labeled), lambda x, y: lengths(x, y, labeled), train, test + plain)
            self.check(ours.ShortestPath(with_labels=labeled), lambda x, y: lengths(x, y, labeled), plain, test)
        for labeled, kind in ((False, ours.RandomWalk), (True, ours.RandomWalkLabeled)):
            for how in ({}, {"p": 2}):
                self.check(kind(lamda=0.001, **how), lambda x, y: walks(x, y, labeled, 0.001, p=how.get("p")), train, test)
        train = generic(graphs(34, 16, 3, 14, weights=True))
        self.check(ours.PyramidMatch(), lambda x, y: pyramid(x, y, 6, 4, True), train, train[:3])

    def test_shapes_of_weights(self):
        """The shapes in which GraKeL takes weights give one matrix; directions of different lengths are kept apart."""
        labels = {0: "a", 1: "b", 2: "a"}
        expected = lengths([np.array([[0, 2.0, 5], [2, 0, 0.5], [5, 0.5, 0]]), labels], [np.array([[0, 2.0, 5], [2, 0, 0.5], [5, 0.5, 0]]), labels])
        import scipy.sparse
        matrix = np.array([[0, 2.0, 5], [2, 0, 0.5], [5, 0.5, 0]])
        arcs = {(u, w): matrix[u, w] for u, w in np.argwhere(matrix).tolist()}
        for edges in (matrix, matrix.tolist(), scipy.sparse.csr_matrix(matrix), arcs, [(u, w, weight) for (u, w), weight in arcs.items()],
                      {u: {w: weight for (t, w), weight in arcs.items() if t == u} for u in range(3)}):
            self.assertEqual(ours.ShortestPath().fit_transform([[edges, labels]])[0, 0], expected)
        one_way = np.array([[0, 2.0, 5], [1, 0, 0.5], [5, 0.5, 0]])
        self.assertEqual(ours.ShortestPath().fit_transform([[one_way, labels]])[0, 0], lengths([one_way, labels], [one_way, labels]))

    def test_long_exponential_sums(self):
        """Sums whose largest terms are far from the first."""
        train = graphs(3, 4)
        for labeled, kind in ((False, ours.RandomWalk), (True, ours.RandomWalkLabeled)):
            found = kind(lamda=1.0, kernel_type="exponential").fit_transform(train)
            np.testing.assert_allclose(found, by_pairs(lambda x, y: walks(x, y, labeled, 1.0, True), train, train), rtol=1e-9)

    def test_directed_walks(self):
        """Walks follow the arcs; GraKeL's fast methods assume symmetric matrices."""
        rng = np.random.default_rng(4)
        made = []
        for n in (3, 4, 5, 6):
            matrix = ((rng.random((n, n)) < 0.4) & ~np.eye(n, dtype=bool)).astype(float)
            made.append([matrix, {v: "ab"[v % 2] for v in range(n)}])
        made.append([np.triu(np.ones((5, 5)), 1), {v: "a" for v in range(5)}])  # no cycle: every walk ends
        data = leman.Dataset.from_grakel(made, directed=True)
        for labeled, kind in ((False, ours.RandomWalk), (True, ours.RandomWalkLabeled)):
            for how in ({}, {"kernel_type": "exponential"}, {"p": 4}):
                found = kind(lamda=0.05, **how).fit_transform(data)
                expected = by_pairs(lambda x, y: walks(x, y, labeled, 0.05, "kernel_type" in how, how.get("p")), made, made)
                np.testing.assert_allclose(found, expected, rtol=1e-9)

    def test_lambda_that_diverges(self):
        train = graphs(5, 6)
        radius = max(np.abs(np.linalg.eigvalsh(matrix)).max() for matrix, _ in train)
        for kind, labeled in ((ours.RandomWalk, False), (ours.RandomWalkLabeled, True)):
            kernel = kind(lamda=1.0)
            with self.assertWarnsRegex(leman.DataWarning, "diverges"):
                found = kernel.fit_transform(train)
            self.assertAlmostEqual(kernel.lamda_, 0.9 / radius ** 2, places=12)
            np.testing.assert_allclose(found, by_pairs(lambda x, y: walks(x, y, labeled, kernel.lamda_), train, train), rtol=1e-8)
            larger = [[np.ones((12, 12)) - np.eye(12), {v: "a" for v in range(12)}]]
            with self.assertRaisesRegex(leman.ArgumentError, "lambda: found .* diverges; expected a number below"):
                kernel.transform(larger)
        with self.assertRaisesRegex(leman.ArgumentError, "lamda: found -1"):
            ours.RandomWalk(lamda=-1).fit(train)
        with self.assertRaisesRegex(leman.ArgumentError, "kernel_type"):
            ours.RandomWalk(kernel_type="other").fit(train)

    def test_pyramid_match(self):
        train, test = generic(graphs(6, 24, 3, 14)), generic(graphs(7, 12, 3, 14))
        self.assertGreater(min(len(train), len(test)), 4)
        for labeled, d, levels in ((True, 6, 4), (False, 6, 4), (True, 3, 2), (False, 2, 1), (True, 8, 6)):
            self.check(ours.PyramidMatch(with_labels=labeled, d=d, L=levels), lambda x, y: pyramid(x, y, d, levels, labeled), train, test)

    def test_graph_hopper(self):
        train, test = graphs(8, 6, 2, 8, attributes=3), graphs(9, 3, 2, 8, attributes=3)
        train.append([np.zeros((1, 1)), {0: (0.5, 1.0, -1.0)}])  # a single vertex, on which GraKeL fails
        train.append([np.kron(np.eye(2), np.ones((2, 2)) - np.eye(2)), {v: (v / 2, 1.0, 0.0) for v in range(4)}])  # two components
        for name, node in NODES.items():
            self.check(ours.GraphHopper(kernel_type=name), lambda x, y: hopper(x, y, node), train, test, rtol=1e-9)
        found = ours.GraphHopper(kernel_type=("gaussian", 0.25)).fit_transform(train)
        expected = by_pairs(lambda x, y: hopper(x, y, lambda a, b: math.exp(-0.25 * ((a - b) ** 2).sum())), train, train)
        np.testing.assert_allclose(found, expected, rtol=1e-9)

    def test_graphs_without_attributes(self):
        for made in (graphs(1, 3), [[np.zeros((2, 2)), {}]]):
            with self.assertRaisesRegex(leman.InputError, "no vertex attributes"):
                ours.GraphHopper().fit_transform(made)

    def test_threads(self):
        """The number of threads changes no bit."""
        train, vectors = graphs(10, 40), graphs(11, 40, attributes=2)
        for kind, how, data in ((ours.RandomWalk, {"lamda": 0.01}, train), (ours.RandomWalkLabeled, {"lamda": 0.01}, train),
                                (ours.PyramidMatch, {}, train), (ours.GraphHopper, {"kernel_type": "gaussian"}, vectors)):
            one, four = (kind(n_jobs=jobs, **how).fit_transform(data) for jobs in (1, 4))
            np.testing.assert_array_equal(one, four)

    def test_base_kernels(self):
        """Sums over levels of 1-WL and over cores take these kernels as their bases."""
        train = graphs(12, 8)
        kernel = ours.WeisfeilerLehman(n_iter=0, base_graph_kernel=(ours.RandomWalkLabeled, {"lamda": 0.01}))
        np.testing.assert_allclose(kernel.fit_transform(train), ours.RandomWalkLabeled(lamda=0.01).fit_transform(train), rtol=1e-12)
        cores = ours.CoreFramework(base_graph_kernel=(ours.RandomWalk, {"lamda": 0.001})).fit_transform(train)
        self.assertTrue((cores >= ours.RandomWalk(lamda=0.001).fit_transform(train) - 1e-9).all())

    def test_no_features(self):
        made = graphs(1, 6)
        data = leman.Dataset.from_grakel(made, y=[0, 1] * 3)
        for name in ("RandomWalk", "RandomWalkLabeled:lambda=0.01", "GraphHopper"):
            with self.assertRaisesRegex(leman.ArgumentError, "computed pair by pair and has no feature vectors; expected .*1-WL"):
                leman.WLVectorizer(method=name).fit_transform(data)


@package.needs("grakel")
class Grakel(unittest.TestCase):
    def compare(self, name, train, test, rtol=1e-9, **options):
        import grakel
        for normalize in (False, True):
            theirs = getattr(grakel, name)(normalize=normalize, **options)
            mine = getattr(ours, name)(normalize=normalize, **options)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                np.testing.assert_allclose(mine.fit_transform(train), theirs.fit_transform(train), rtol=rtol, err_msg=f"{name} {options}")
                np.testing.assert_allclose(mine.transform(test), theirs.transform(test), rtol=rtol, err_msg=f"{name} {options}")

    def test_walks(self):
        """GraKeL's fast geometric sums end at a relative residual of 1e-6. Its fast sums of unlabelled walks that are exponential or have p
        steps fail with NumPy 2.4, and are not compared."""
        train, test = graphs(21), graphs(22, 5, most=7)
        for name in ("RandomWalk", "RandomWalkLabeled"):
            for method in ("baseline", "fast"):
                if (name, method) != ("RandomWalkLabeled", "fast"):  # see test_fast_labeled_walks()
                    self.compare(name, train, test, rtol=1e-9 if method == "baseline" else 1e-5, lamda=0.01, method_type=method)
                for kind, p in (("exponential", None), ("geometric", 3), ("exponential", 2)):
                    if (name, method) != ("RandomWalk", "fast"):
                        self.compare(name, train, test, lamda=0.01, method_type=method, kernel_type=kind, p=p)
            self.compare(name, train, test, rtol=1e-7, lamda=1.0, method_type="baseline")  # both replace this lamda

    def test_weighted_paths(self):
        train, test = graphs(35, weights=True), graphs(36, 5, weights=True)
        for algorithm in ("auto", "dijkstra", "floyd_warshall"):
            self.compare("ShortestPath", train, test, algorithm_type=algorithm)
        self.compare("ShortestPath", train, test, with_labels=False)
        as_dictionaries = [[[{u: {w: row[w] for w in np.flatnonzero(row).tolist()} for u, row in enumerate(matrix)}, labels]
                            for matrix, labels in part] for part in (train, test)]
        self.compare("ShortestPath", *as_dictionaries)
        self.compare("RandomWalk", train, test, lamda=0.001, method_type="baseline")
        self.compare("RandomWalkLabeled", train, test, lamda=0.001, method_type="baseline")

    def test_fast_labeled_walks(self):
        """GraKeL's fast labelled sum takes the block of label a and b of the second graph where its transpose belongs, and so differs from
        GraKeL's baseline: walks a, b of one graph are paired with walks b, a of the other. With one label both are right."""
        import grakel
        train = graphs(21)
        mine, baseline, fast = (kind.RandomWalkLabeled(lamda=0.01, method_type=method).fit_transform(train)
                                for kind, method in ((ours, "fast"), (grakel, "baseline"), (grakel, "fast")))
        np.testing.assert_allclose(mine, baseline, rtol=1e-9)
        self.assertGreater(np.abs(fast / baseline - 1).max(), 1e-4)
        plain = [[matrix, dict.fromkeys(labels, "a")] for matrix, labels in train]
        self.compare("RandomWalkLabeled", plain, plain[:4], rtol=1e-5, lamda=0.01)

    def test_pyramid_match(self):
        """GraKeL's kernel of L levels is the sum over l = 1 .. L of 2^(l - L) times the kernel of l levels."""
        import grakel
        train, test = generic(graphs(23, 24, 3, 16)), generic(graphs(24, 12, 3, 16))
        self.assertGreater(min(len(train), len(test)), 4)
        for labeled in (True, False):
            theirs = grakel.PyramidMatch(with_labels=labeled)
            mine = [ours.PyramidMatch(with_labels=labeled, L=levels) for levels in (1, 2, 3, 4)]
            for call, data in (("fit_transform", train), ("transform", test)):
                found = sum(2.0 ** (kernel.L - 4) * getattr(kernel, call)(data) for kernel in mine)
                np.testing.assert_allclose(found, getattr(theirs, call)(data), rtol=1e-12)

    def test_graph_hopper(self):
        train, test = graphs(25, 8, 3, 9, attributes=2), graphs(26, 4, 3, 9, attributes=2)
        for kind in ("linear", "gaussian", ("gaussian", 0.5), "bridge"):
            self.compare("GraphHopper", train, test, kernel_type=kind)

    def test_names(self):
        import grakel
        train = graphs(27, 6)
        for named in ({"name": "random_walk", "lamda": 0.01, "method_type": "baseline"},
                      {"name": "RW", "with_labels": True, "lamda": 0.01, "method_type": "baseline"}):
            mine, theirs = (kind.GraphKernel(kernel=dict(named), normalize=True).fit_transform(train) for kind in (ours, grakel))
            np.testing.assert_allclose(mine, theirs, rtol=1e-9)


if __name__ == "__main__":
    package.main()
