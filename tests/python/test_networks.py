"""leman.nn.GraphNetwork: learns, says what happened, keeps itself, and agrees with the program on the same file."""
import os
import pickle
import subprocess
import tempfile
import unittest
import warnings

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

    def refitted(self, network, data, y=None):
        """Trains, saves, loads and trains again: the parameters and the weights are the same."""
        network.fit(data, y)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "network")
            network.save(path)
            again = leman.nn.GraphNetwork.load(path)
        own, found = network.get_params(), again.get_params()
        for name, value in own.items():
            if value is not None and name not in ("device", "n_jobs", "verbose"):
                self.assertEqual(found[name], value, name)
        again.set_params(device=network.device).fit(data, y)
        weights = network.state_dict()
        for name, value in again.state_dict().items():
            np.testing.assert_array_equal(value, weights[name], name)
        self.assertEqual(len(again.history_), len(network.history_))
        return again

    def test_loaded_parameters(self):
        """What is loaded trains the same network again, whatever it was told to ignore."""
        labelled = [nx.gnp_random_graph(8, 0.4, seed=i) for i in range(20)]
        for graph in labelled:
            nx.set_node_attributes(graph, {vertex: vertex % 3 for vertex in graph}, "label")
            nx.set_node_attributes(graph, {vertex: float(vertex) / 8 for vertex in graph}, "real")
            nx.set_edge_attributes(graph, {edge: sum(edge) % 2 for edge in graph.edges}, "label")
        data = leman.Dataset.from_networkx(labelled, np.arange(20) % 2, node_attributes=["real"])
        common = {"layers": 1, "width": 8, "epochs": 2, "device": "cpu", "random_state": 5, "batch_size": 7,
                  "learning_rate": 0.003, "validation_fraction": 0.2, "precision": "fp32"}
        for extra in ({"ignore_vertex_labels": True}, {"ignore_edge_labels": True}, {"ignore_attributes": True},
                      {"class_weight": "balanced", "preset": "tu"}, {}):
            self.refitted(leman.nn.GraphNetwork("GINE-eps", **common, **extra), data)
        graphs = [nx.path_graph(n) for n in range(2, 22)]
        y = np.arange(20) / 10
        self.refitted(leman.nn.GraphNetwork("GIN-eps", loss="l2", **common), graphs, y)
        self.refitted(leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=1, device="cpu"), graphs, y)
        directed = [nx.gnp_random_graph(6, 0.4, seed=i, directed=True) for i in range(20)]
        self.refitted(leman.nn.GraphNetwork("GIN-eps", in_arcs=True, **common), directed, y)

    def test_loaded_coordinates(self):
        graphs = []
        for i in range(16):
            graph = nx.cycle_graph(4)
            for vertex in graph:
                graph.nodes[vertex].update(a=1.0, x=float(vertex), y=float(i), z=0.5)
            graphs.append(graph)
        data = leman.Dataset.from_networkx(graphs, node_attributes=["a", "x", "y", "z"])
        network = leman.nn.GraphNetwork("1-2-GNN", preset="qm9", layers=1, width=4, epochs=1, device="cpu", coordinates=range(1, 4))
        self.assertEqual(self.refitted(network, data, np.arange(16) / 4).coordinates, range(1, 4))

    def test_class_weights_are_kept(self):
        graphs, y = rings(16)
        weights = {"ring": 2.0, "triangles": 1.0}
        network = leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=1, device="cpu", class_weight=weights)
        self.assertEqual(self.refitted(network, graphs, y).class_weight, weights)

    def test_reals(self):
        graphs = [nx.path_graph(n) for n in range(2, 34)]
        y = np.array([[g.number_of_nodes() / 10, 1.0 - g.number_of_nodes() / 20] for g in graphs])
        network = leman.nn.GraphNetwork("GIN-eps", layers=1, width=8, epochs=3, device="cpu").fit(graphs, y)
        self.assertEqual(network.predict(graphs).shape, y.shape)
        with self.assertRaises(AttributeError):
            network.predict_proba(graphs)

    def test_integers(self):
        """-1 and +1 are two classes, in one column and in several; columns of -1, 0 and 1 might have missing values, and are refused."""
        graphs = [nx.gnp_random_graph(8, 0.2 + 0.05 * (i % 10), seed=i) for i in range(40)]
        dense = np.array([graph.size() > 10 for graph in graphs])
        ones = np.stack([dense, ~dense], axis=1).astype(int)
        how = dict(layers=1, width=8, epochs=3, device="cpu", random_state=0, batch_size=10, class_weight={1: 2.0})
        for y in (ones[:, 0], 2 * ones[:, 0] - 1):
            network = leman.nn.GraphNetwork("GIN-eps", **how).fit(graphs, y)
            self.assertEqual(network.classes_.tolist(), sorted(set(y.tolist())))
        tasks, signs = (leman.nn.GraphNetwork("GIN-eps", **how).fit(graphs, y) for y in (ones, 2 * ones - 1))
        self.assertEqual([known.tolist() for known in signs.classes_], [[-1, 1], [-1, 1]])
        np.testing.assert_array_equal(signs.predict_proba(graphs), tasks.predict_proba(graphs))
        np.testing.assert_array_equal(signs.predict(graphs), 2 * tasks.predict(graphs) - 1)
        self.assertEqual(signs.score(graphs, 2 * ones - 1), tasks.score(graphs, ones))
        with tempfile.TemporaryDirectory() as folder:
            signs.save(os.path.join(folder, "n.lmn"))
            self.assertEqual(leman.nn.GraphNetwork.load(os.path.join(folder, "n.lmn")).class_weight, {-1: 1.0, 1: 2.0})
        holes = (2.0 * ones - 1)
        holes[::5, 0] = np.nan
        self.assertTrue(leman.nn.GraphNetwork("GIN-eps", **how).fit(graphs, holes).is_classifier_)
        del how["class_weight"]
        three = np.arange(80).reshape(40, 2) % 3 - 1
        for kind in leman.nn.GraphNetwork, leman.nn.GraphNetworkClassifier:
            with self.assertRaisesRegex(leman.InputError, "-1 and 1"):
                kind("GIN-eps", **how).fit(graphs, three)
        with self.assertWarnsRegex(leman.DataWarning, "y: 2 columns of integers are learned as reals"):
            self.assertFalse(leman.nn.GraphNetwork("GIN-eps", **how).fit(graphs, three + 3).is_classifier_)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertFalse(leman.nn.GraphNetworkRegressor("GIN-eps", **how).fit(graphs, three).is_classifier_)
            self.assertFalse(leman.nn.GraphNetwork("GIN-eps", **how).fit(graphs, three.astype(float)).is_classifier_)

    def test_tasks(self):
        """Columns of 0, 1 and missing values are classes each, by binary cross entropy; the program learns the same from a file."""
        graphs = [nx.gnp_random_graph(8, 0.2 + 0.05 * (i % 10), seed=i) for i in range(60)]
        dense = np.array([graph.size() > 10 for graph in graphs])
        y = np.stack([dense, ~dense], axis=1).astype(int)
        how = dict(layers=2, width=16, epochs=60, learning_rate=0.01, device="cpu", random_state=0, batch_size=10)
        network = leman.nn.GraphNetwork("GIN-eps", **how).fit(graphs, y)
        self.assertEqual([list(known) for known in network.classes_], [[0, 1], [0, 1]])
        self.assertGreater(network.score(graphs, y), 0.9)
        self.assertEqual(network.predict(graphs).shape, y.shape)
        probability = network.predict_proba(graphs)
        np.testing.assert_array_equal(network.predict(graphs), probability > 0.5)
        np.testing.assert_allclose(network.decision_function(graphs), np.log(probability / (1 - probability)), rtol=1e-9)
        found = network.explain(graphs[0], of=1)
        self.assertAlmostEqual(found.value, network.decision_function(graphs[:1])[0, 1], 4)
        holes = y.astype(object)
        holes[::5, 0] = None
        some = leman.nn.GraphNetworkClassifier("GIN-eps", **how).fit(graphs, holes)
        self.assertGreater(some.score(graphs, holes), 0.9)
        again = leman.nn.GraphNetwork("GIN-eps", **how).fit(graphs, np.where(holes == None, np.nan, holes).astype(float))  # noqa: E711
        np.testing.assert_array_equal(some.predict_proba(graphs), again.predict_proba(graphs))
        reals = leman.nn.GraphNetworkRegressor("GIN-eps", **how).fit(graphs, y)
        self.assertFalse(reals.is_classifier_)
        if os.path.exists(PROGRAM):
            with tempfile.TemporaryDirectory() as folder:
                data, path = os.path.join(folder, "d.leman"), os.path.join(folder, "n.lmn")
                leman.Dataset.from_networkx(graphs, y.astype(float)).save(data)
                subprocess.run([PROGRAM, "train", data, "-a", "GIN-eps", "--layers", "2", "--width", "16", "--epochs", "60", "--batch",
                                "10", "--lr", "0.01", "--seed", "0", "--class", "0,1", "--checkpoint", path, "--val-share", "0.1", "--test-share", "0",
                                "--device", "cpu"], check=True, capture_output=True)
                np.testing.assert_array_equal(leman.nn.GraphNetworkClassifier.load(path).predict_proba(graphs), probability)
                with self.assertRaisesRegex(leman.InputError, "predicts classes"):
                    leman.nn.GraphNetworkRegressor.load(path)
        own = leman.Dataset.from_networkx(graphs, y.astype(float))  # the targets of the data are what y would be
        np.testing.assert_array_equal(leman.nn.GraphNetwork("GIN-eps", **how).fit(own).predict_proba(graphs), probability)
        with self.assertRaises(leman.InputError):
            network.score(leman.Dataset.from_networkx(graphs))
        one = leman.Dataset.from_networkx(graphs, dense.astype(float))
        self.assertEqual(list(leman.nn.GraphNetworkClassifier("GIN-eps", **how).fit(one).classes_), [0, 1])
        some = leman.Dataset.from_networkx(graphs, [None if i % 4 == 0 else i % 3 for i in range(60)])
        self.assertLess(np.abs(leman.nn.GraphNetworkRegressor("GIN-eps", **how).fit(some).predict(graphs)).max(), 100)
        for wrong in (y + 1, y * 0.5):
            with self.assertRaisesRegex(leman.InputError, "0, 1 and missing values"):
                leman.nn.GraphNetworkClassifier("GIN-eps", **how).fit(graphs, wrong)

    def test_as_scikit_learn_takes_them(self):
        from sklearn.base import is_classifier, is_regressor
        from sklearn.model_selection import cross_val_score
        graphs = [nx.gnp_random_graph(8, 0.2 + 0.05 * (i % 10), seed=i) for i in range(60)]
        sizes = np.array([graph.size() for graph in graphs])
        how = dict(layers=1, width=16, epochs=40, device="cpu", random_state=0, batch_size=10)
        classifier, regressor = (kind("GIN-eps", **how) for kind in (leman.nn.GraphNetworkClassifier, leman.nn.GraphNetworkRegressor))
        self.assertTrue(is_classifier(classifier) and not is_regressor(classifier))
        self.assertTrue(is_regressor(regressor) and not is_classifier(regressor))
        data = leman.Dataset.from_networkx(graphs)
        self.assertGreater(cross_val_score(classifier, list(data), (sizes > 10).astype(float), cv=3, scoring="roc_auc").mean(), 0.9)
        self.assertFalse(regressor.fit(data, sizes).is_classifier_)  # integers are numbers for a regressor
        self.assertEqual(regressor.predict(data).shape, (60,))

    def test_random_state(self):
        """None trains another network each time; numpy.random.seed() repeats them, as in scikit-learn."""
        graphs, y = rings(16)

        def weights():
            return leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=1, device="cpu").fit(graphs, y).state_dict()

        np.random.seed(3)
        one, two = weights(), weights()
        state = np.random.get_state()[2]
        leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=1, device="cpu", random_state=1).fit(graphs, y).predict(graphs)
        self.assertEqual(np.random.get_state()[2], state)  # only a fit without random_state draws
        np.random.seed(3)
        again = weights()
        self.assertTrue(any((one[name] != two[name]).any() for name in one))
        self.assertTrue(all((one[name] == again[name]).all() for name in one))

    def test_refusals(self):
        graphs, y = rings(8)
        for wrong in (dict(model="no"), dict(preset="no"), dict(layers=0), dict(width="a"), dict(epochs=-1), dict(device="no"),
                      dict(device=3), dict(precision="no"), dict(validation_fraction=2), dict(loss="no")):
            with self.assertRaises((leman.Error, TypeError, ValueError), msg=str(wrong)):
                leman.nn.GraphNetwork(**{"epochs": 1, "device": "cpu", **wrong}).fit(graphs, y)
        with self.assertRaises(leman.InputError):
            leman.nn.GraphNetwork(epochs=1).fit(graphs)

    def test_options_that_would_be_ignored(self):
        """Options of reals with classes, and of classes with reals, are refused before anything is trained."""
        graphs, y = rings(8)
        reals, tasks = [float(i) / 3 for i in range(8)], np.array([[i % 2, 1 - i % 2] for i in range(8)])
        how = dict(model="GIN-eps", layers=1, width=2, epochs=1, device="cpu")
        for labels in (y, tasks):
            for name, value in (("loss", "l2"), ("scale_targets", True)):
                with self.assertRaisesRegex(leman.ArgumentError, f"{name}: found .* learns classes"):
                    leman.nn.GraphNetwork(**how, **{name: value}).fit(graphs, labels)
        for balanced in ("balanced", {0: 1.0, 1: 2.0}):
            with self.assertRaisesRegex(leman.ArgumentError, "class_weight: found .* learns reals"):
                leman.nn.GraphNetwork(**how, class_weight=balanced).fit(graphs, reals)
        with self.assertRaisesRegex(leman.ArgumentError, "class_weight: found .* learns reals"):
            leman.evaluate(graphs, [leman.nn.GraphNetwork(**how, class_weight="balanced")], y=reals, repetitions=1, folds=2)
        with self.assertRaisesRegex(leman.ArgumentError, "callback: found 3"):
            leman.nn.GraphNetwork(**how).fit(graphs, y, callback=3)
        with self.assertRaisesRegex(leman.InputError, "y: found none"):
            leman.nn.GraphNetwork(**how).fit(graphs, y).score(graphs)

    def test_initial_outputs(self):
        """outputs= may not contradict what the graphs have."""
        graphs, y = rings(9)
        make = lambda: leman.nn.GraphNetwork("GIN-eps", layers=1, width=2, device="cpu", random_state=1)
        three, reals = [i % 3 for i in range(9)], np.arange(18.0).reshape(9, 2) / 7
        for given, outputs, wanted in ((three, 3, 3), (three, None, 3), (reals, 2, 2), (None, 4, 4), (None, None, 1)):
            self.assertEqual(make().initialize(graphs, given, outputs=outputs).n_outputs_, wanted)
        for given, outputs, sentence in ((three, 2, "found 2, expected 3, as the graphs have 3 classes"),
                                         (reals, 1, "found 1, expected 2, as the graphs have 2 targets"),
                                         (reals > 1, 3, "found 3, expected 2, as the graphs have 2 tasks")):
            with self.assertRaisesRegex(leman.ArgumentError, sentence):
                make().initialize(graphs, given, outputs=outputs)

    def test_initial_weights_of_one_graph(self):
        graphs, y = rings(2)
        one = leman.nn.GraphNetwork("delta-2-LGNN", layers=1, width=2, device="cpu", random_state=1).initialize(graphs[:1])
        self.assertEqual(one.predict(graphs[:1]).shape, (1,))
        self.assertTrue(np.isfinite(one.predict(graphs)).all())
        self.assertEqual(one.initialize(graphs[:1], [0.5]).n_outputs_, 1)


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
