"""Predictions of vertices and edges: against the definition of pair networks, in files, without a look at what is learned; and the generator of
counts."""
import os
import tempfile
import unittest

import networkx as nx
import numpy as np

import package
import leman
from test_pair_networks import PARTS, Definition, graphs

SETTINGS = dict(layers=2, width=5, epochs=3, batch_size=4, random_state=1, device="cpu")


def attributed():
    """The labelled graphs of test_pair_networks, with two attributes of vertices and two of edges."""
    made, rng = graphs(), np.random.default_rng(7)
    for g in made:
        nx.set_node_attributes(g, {v: rng.normal(size=2) for v in g}, "x")
        nx.set_edge_attributes(g, {e: rng.normal(size=2) for e in g.edges}, "w")
    return made


def dataset(made, vertices=True, edges=True):
    return leman.Dataset.from_networkx(made, node_attributes=["x"] * vertices, edge_attributes=["w"] * edges)


def rows(data, level):
    """The attributes of all vertices, or of all arcs, one below the other."""
    found = [g.vertex_attributes if level == "vertex" else g.edge_attributes for g in data]
    return np.concatenate([part for part in found if part is not None and len(part)])


class Levels(unittest.TestCase):
    def setUp(self):
        self.graphs = attributed()

    def test_definition(self):
        """All columns of a level are learned, and those of the other level left out, so that a network reads labels alone."""
        for level in ("vertex", "edge"):
            data = dataset(self.graphs, level == "vertex", level == "edge")
            for name, parts in PARTS.items():
                with self.subTest(f"{name}, {level}"):
                    network = leman.nn.GraphNetwork(name, level=level, **SETTINGS).fit(data, validation=[0, 3])
                    described = network.describe()
                    self.assertEqual((described["level"], described["columns"], described["method"]), (level, [0, 1], name))
                    self.assertEqual((described["vertex_attributes"], described["edge_attributes"]), (0, 0))
                    labels = {key[0]: i for i, key in enumerate(described["vertex_labels"])}
                    edge_labels = {key[0]: i for i, key in enumerate(described["edge_labels"])}
                    slow = Definition(network, network.state_dict(), parts, labels, edge_labels)
                    if level == "vertex":
                        expected = np.concatenate([slow.head(slow.vertices(g)) for g in self.graphs])
                    else:
                        expected = np.concatenate([self.arcs(slow, g, graph) for g, graph in zip(self.graphs, data) if graph.num_edges])
                    found = network.predict(data)
                    np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)
                    self.assertGreater(np.ptp(expected[:, 0]), 1e-3)

    @staticmethod
    def arcs(slow, g, graph):
        h, (tail, head) = slow.pairs(g), graph.edge_index
        return slow.head(h[tail, head] + h[head, tail])

    def test_errors(self):
        """The error of an epoch is the mean absolute error over the rows of a part, and the loss of training that of its rows."""
        for level in ("vertex", "edge"):
            data, held = dataset(self.graphs), [0, 3, 4]
            network = leman.nn.GraphNetwork("Local-2-GNN", level=level, target=1, **SETTINGS).fit(data, validation=held, test=[2, 5])
            for part, key in ((held, "val_error"), ([2, 5], "test_error")):
                some = data[np.array(part)]
                error = np.abs(network.predict(some) - rows(some, level)[:, 1]).mean()
                self.assertAlmostEqual(network.best_[key], error, places=4)
            self.assertAlmostEqual(network.score(data), network.score(data, rows(data, level)[:, 1]))

    def test_what_is_learned_is_not_read(self):
        """Predictions do not depend on the column that is learned, which new graphs may also lack; they depend on the other one."""
        for level, kind in (("vertex", "x"), ("edge", "w")):
            data = dataset(self.graphs)
            network = leman.nn.GraphNetwork("delta-2-LGNN", level=level, target=[1], **SETTINGS).fit(data, validation=[0, 3])
            self.assertEqual([network.describe()[f"{part}_attributes"] for part in ("vertex", "edge")], [1, 2] if level == "vertex" else [2, 1])
            found = network.predict(data)
            self.assertEqual(found.shape, rows(data, level)[:, 1].shape)
            for column, same in ((1, True), (0, False)):
                other = [g.copy() for g in self.graphs]
                for g in other:
                    for _, item in (g.nodes if level == "vertex" else g.edges).items():
                        item[kind] = item[kind] + 3 * (np.arange(2) == column)
                self.assertEqual(np.array_equal(network.predict(dataset(other)), found), same)
            less = [g.copy() for g in self.graphs]
            for g in less:
                for _, item in (g.nodes if level == "vertex" else g.edges).items():
                    item[kind] = item[kind][:1]
            np.testing.assert_array_equal(network.predict(dataset(less)), found)

    def test_files(self):
        """A run that resumes gives the bits of one that did not stop; a file has the level."""
        data = dataset(self.graphs)
        with tempfile.TemporaryDirectory() as folder:
            for level in ("vertex", "edge"):
                path = os.path.join(folder, level + ".lmn")
                common = dict(SETTINGS, level=level, target=[0], checkpoint=path, model="Local-2-FGNN")
                whole = leman.nn.GraphNetwork(**dict(common, checkpoint=None, epochs=4)).fit(data, validation=[0, 3])
                leman.nn.GraphNetwork(**dict(common, epochs=2)).fit(data, validation=[0, 3])
                again = leman.nn.GraphNetwork(**dict(common, epochs=4, resume=True)).fit(data, validation=[0, 3])
                for name, weight in whole.state_dict().items():
                    np.testing.assert_array_equal(weight, again.state_dict()[name])
                read = leman.nn.GraphNetwork.load(path)
                self.assertEqual((read.level, read.target), (level, [0]))
                np.testing.assert_array_equal(read.predict(data), again.predict(data))
                with self.assertRaisesRegex(leman.InputError, "other targets"):
                    leman.nn.GraphNetwork(**dict(common, level="edge" if level == "vertex" else "vertex", epochs=4, resume=True)).fit(
                        data, validation=[0, 3])

    def test_refusals(self):
        data = dataset(self.graphs)
        for settings, words in ((dict(model="GIN-eps", level="edge"), "a network on pairs"), (dict(model="1-2-GNN", level="vertex"), "on vertices or tuples"),
                                (dict(level="vertex", target=[2]), "vertex attribute 2: expected a column from 0 to 1"),
                                (dict(level="vertex", target=[1, 1]), "twice"), (dict(target=1), "level='vertex' or 'edge'"),
                                (dict(level="corner"), "level")):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                leman.nn.GraphNetwork(**{**SETTINGS, **settings}).fit(data)
        with self.assertRaisesRegex(ValueError, "y: found values"):
            leman.nn.GraphNetwork(level="vertex", **SETTINGS).fit(data, np.zeros(len(data)))
        with self.assertRaisesRegex(leman.InputError, "no vertex attributes to learn"):
            leman.nn.GraphNetwork(level="vertex", **SETTINGS).fit(dataset(self.graphs, vertices=False))
        network = leman.nn.GraphNetwork(level="vertex", **SETTINGS).fit(data)
        with self.assertRaisesRegex(leman.UnsupportedError, "level vertex"):
            network.explain(self.graphs[0])


class Counts(unittest.TestCase):
    def test_generate(self):
        for level in ("graph", "vertex", "edge"):
            data = leman.Dataset.generate("counts", graphs=5, vertices=9, probability=0.5, level=level)
            self.assertEqual((data.columns.targets, data.columns.vertex_attributes, data.columns.edge_attributes),
                             (13, 13 * (level == "vertex"), 13 * (level == "edge")))
            for graph, target in zip(data, data.targets):
                g = nx.Graph([tuple(edge) for edge in graph.edges])
                self.assertEqual(target[0], sum(nx.triangles(g).values()) / 3)
                a = nx.to_numpy_array(g)
                self.assertEqual(target[10], np.trace(np.linalg.matrix_power(a, 6)))
                if level == "vertex":
                    self.assertEqual(graph.vertex_attributes[:, 0].sum(), 3 * target[0])
                    self.assertEqual(graph.vertex_attributes[:, 3].sum(), 6 * target[3])
                if level == "edge":
                    self.assertEqual(graph.edge_attributes[:, 2].sum() / 2, 5 * target[2])
        with self.assertRaisesRegex(ValueError, "no such option"):
            leman.Dataset.generate("random", level="vertex")


if __name__ == "__main__":
    package.main()
