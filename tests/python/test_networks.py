"""leman.nn.GraphNetwork: learns, says what happened, keeps itself, and agrees with the program on the same file."""
import os
import pickle
import subprocess
import tempfile
import unittest

import networkx as nx
import numpy as np

import package
import leman

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__)))), "leman")


def rings(count=48):
    """Cycles of 6 vertices, and pairs of triangles, in shuffled order: only tuples see the difference."""
    one, two = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
    return [one if i % 2 else two for i in range(count)], ["ring" if i % 2 else "triangles" for i in range(count)]


class Networks(unittest.TestCase):
    def test_classes(self):
        graphs, y = rings()
        network = leman.nn.GraphNetwork("delta-2-LGNN", layers=3, width=16, epochs=40, batch_size=16, random_state=2, device="cpu")
        network.fit(graphs, y, validation=np.arange(8))
        self.assertEqual(list(network.classes_), ["ring", "triangles"])
        self.assertEqual(network.score(graphs, y), 1.0)
        self.assertEqual([e["epoch"] for e in network.history_], list(range(1, len(network.history_) + 1)))
        probabilities = network.predict_proba(graphs[:4])
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
        weights = network.state_dict()
        described = network.describe()
        self.assertEqual({w["name"] for w in described["weights"]}, set(weights))
        self.assertEqual((described["method"], len(described["types"])), ("delta-2-LGNN", network.n_types_))
        learned = sum(v.size for n, v in weights.items() if not n.endswith((".mean", ".variance")))
        self.assertEqual(learned, network.n_parameters_)
        again = pickle.loads(pickle.dumps(network))
        np.testing.assert_array_equal(again.predict_proba(graphs[:4]), probabilities)
        self.assertEqual(list(again.predict(graphs[:2])), y[:2])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "network")
            network.save(path)
            np.testing.assert_array_equal(leman.nn.GraphNetwork.load(path).predict_proba(graphs[:4]), probabilities)
            if os.path.exists(PROGRAM):
                data = os.path.join(folder, "data.leman")
                leman.Dataset.from_networkx(graphs[:4]).save(data)
                out = os.path.join(folder, "out.csv")
                subprocess.run([PROGRAM, "predict", "--model", path, data, "-o", out], check=True, capture_output=True)
                with open(out) as file:
                    self.assertEqual(len(file.read().splitlines()), 5)

    def test_reals(self):
        graphs = [nx.path_graph(n) for n in range(2, 34)]
        y = np.array([[g.number_of_nodes() / 10, 1.0 - g.number_of_nodes() / 20] for g in graphs])
        network = leman.nn.GraphNetwork("GIN-eps", layers=1, width=8, epochs=3, device="cpu").fit(graphs, y)
        self.assertEqual(network.predict(graphs).shape, y.shape)
        with self.assertRaises(AttributeError):
            network.predict_proba(graphs)

    def test_refusals(self):
        graphs, y = rings(8)
        for wrong in (dict(model="no"), dict(preset="no"), dict(layers=0), dict(width="a"), dict(epochs=-1), dict(device="no"),
                      dict(device=3), dict(precision="no"), dict(validation_fraction=2), dict(loss="no")):
            with self.assertRaises((leman.Error, TypeError, ValueError), msg=str(wrong)):
                leman.nn.GraphNetwork(**{"epochs": 1, "device": "cpu", **wrong}).fit(graphs, y)
        with self.assertRaises(leman.InputError):
            leman.nn.GraphNetwork(epochs=1).fit(graphs)


class Explaining(unittest.TestCase):
    def test_by_leaving_out(self):
        """Weights are differences of log odds with and without the vertex."""
        listed = [nx.path_graph(5) for _ in range(30)]
        for i, graph in enumerate(listed):
            nx.set_node_attributes(graph, "C", "label")
            if i % 2:
                graph.nodes[i % 5]["label"] = "N"
        network = leman.nn.GraphNetwork("GIN-eps", layers=2, width=8, epochs=5, random_state=0).fit(listed, [i % 2 for i in range(30)])
        odds = lambda g: float(np.log(network.predict_proba([g])[0, 1] / network.predict_proba([g])[0, 0]))
        found = network.explain(listed[1], of=1)
        self.assertFalse(found.exact)
        self.assertAlmostEqual(found.value, odds(listed[1]), 4)
        for v in range(5):
            self.assertAlmostEqual(found.weights[v], found.value - odds(listed[1].subgraph([u for u in range(5) if u != v])), 3)
        self.assertEqual(found.edges.tolist(), [[0, 1], [1, 2], [2, 3], [3, 4]])
        self.assertIn("<svg", found._repr_svg_())
        with self.assertRaises(leman.ArgumentError):
            network.explain(listed[1], of=7)


if __name__ == "__main__":
    package.main()
