"""GraKeL's names with GraKeL's numbers: a script that imports `leman.grakel` where it imported `grakel` gets the same
matrices, where GraKeL is installed to compare with. Its input formats, with and without its Graph objects."""
import unittest

import numpy as np

import package
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

    def test_graph_objects(self):
        """GraKeL's own Graph objects are taken too."""
        import grakel
        plain = graphs(3)
        wrapped = [grakel.Graph(edges, labels) for edges, labels in plain]
        np.testing.assert_array_equal(ours.WeisfeilerLehman(n_iter=2).fit_transform(wrapped),
                                      ours.WeisfeilerLehman(n_iter=2).fit_transform(plain))


if __name__ == "__main__":
    package.main()
