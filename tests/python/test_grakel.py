"""GraKeL's names with GraKeL's numbers: a script that imports `leman.grakel` where it imported `grakel` gets the same
matrices, where GraKeL is installed to compare with. Its input formats, with and without its Graph objects."""
import functools
import os
import tempfile
import unittest
import zipfile

import numpy as np

import package
import leman
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

    def test_lists_of_its_data_sets(self):
        """[edges, labels, edge labels] as read_data() of GraKeL makes them: vertices count through the data set from 1, and labels that
        the data set does not have are an empty dictionary."""
        import grakel
        made, first = [], 1
        for edges, labels in graphs(5):
            pairs = {(first + u, first + v) for u in edges for v in edges[u]}
            made.append([pairs, {first + v: label for v, label in labels.items()}, {}])
            first += len(labels)
        np.testing.assert_array_equal(ours.WeisfeilerLehman(n_iter=3).fit_transform(made),
                                      grakel.WeisfeilerLehman(n_iter=3).fit_transform(made))
        self.assertEqual(leman.Dataset.from_grakel(made).checksum, leman.Dataset.from_grakel(graphs(5)).checksum)
        bare = leman.Dataset.from_grakel([[pairs, {}, {}] for pairs, _, _ in made])
        self.assertEqual(bare.columns.vertex_labels, 0)
        marked = [[pairs, labels, {edge: sum(edge) % 2 for edge in pairs}] for pairs, labels, _ in made]
        marked.append([set(), {first: "a"}, {}])  # no edge, no label
        data = leman.Dataset.from_grakel(marked)
        self.assertEqual(data.columns.edge_labels, 1)
        for graph, (pairs, _, on_edges) in zip(data, marked):
            names = list(graph.nodes)
            found = {(names[u], names[v]): label for (u, v), label in zip(graph.edge_index.T.tolist(), graph.edge_labels)}
            self.assertEqual(found, on_edges)

    def test_wrong_edge_labels(self):
        for wrong in ([5, 6], np.zeros(2)):
            with self.assertRaises(leman.InputError):
                leman.Dataset.from_grakel([[{(0, 1), (1, 0)}, {0: 1, 1: 2}, wrong]])


class Fetched(unittest.TestCase):
    def test_options_of_fetch_dataset(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = {"A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n", "graph_indicator": "1\n1\n1\n2\n2\n", "graph_labels": "1\n2\n",
                     "node_attributes": "0.5\n1.5\n0.5\n2\n0.5\n", "edge_attributes": "1\n1\n2\n2\n1\n1\n"}
            with zipfile.ZipFile(os.path.join(folder, "TINY.zip"), "w") as archive:
                for name, text in texts.items():
                    archive.writestr(f"TINY/TINY_{name}.txt", text)
            fetch = functools.partial(ours.datasets.fetch_dataset, "TINY", False, folder, False)
            found = fetch()
            self.assertEqual(list(found.target), [1, 2])
            self.assertIsNone(found.data[0].vertex_labels)
            self.assertNotIn("target", fetch(with_classes=False))
            self.assertEqual(fetch(produce_labels_nodes=True).data[0].vertex_labels, [1, 2, 1])
            found = fetch(prefer_attr_nodes=True, prefer_attr_edges=True, produce_labels_nodes=True)
            self.assertEqual(found.data[1].vertex_labels, [(2.0,), (0.5,)])
            self.assertEqual(found.data[0].edge_labels, [(1.0,), (1.0,), (2.0,), (2.0,)])
            found = fetch(as_graphs=True, prefer_attr_nodes=True).data
            self.assertIsInstance(found, list)
            matrix = ours.WeisfeilerLehman(n_iter=0).fit_transform(found)
            np.testing.assert_array_equal(matrix, [[2 * 2 + 1, 2], [2, 2]])  # 0.5 twice and 1.5; 2 and 0.5


if __name__ == "__main__":
    package.main()
