"""Values of Python at the boundary: missing and odd y, classes that keep their words, numbers that do not fit, texts that are
none. Each either means what it says or is refused in a sentence of the library's exceptions."""
import os
import tempfile
import unittest
import warnings

import networkx as nx
import numpy as np
import pandas

import package
import leman

GRAPHS = [nx.gnp_random_graph(6, 0.4, seed=i) for i in range(20)]
NETWORK = dict(model="GIN-0", epochs=1, device="cpu", layers=1, width=4)


def svc(**more):
    return leman.GraphSVC("1-WL", **{"rounds": 1, "folds": 2, "random_state": 1, **more})


class Case(unittest.TestCase):
    def refused(self, kind, words, function, *arguments, **more):
        with self.assertRaises(kind) as caught:
            function(*arguments, **more)
        self.assertIsInstance(caught.exception, leman.Error)
        for word in words:
            self.assertIn(word, str(caught.exception))


class Given(Case):
    """What a stranger gives, and would otherwise lose without a word."""

    def test_vectors_as_attributes(self):
        """An attribute that is a vector gives all of its columns, beside those of others; a single name is one name."""
        graph = nx.Graph()
        graph.add_node("a", pos=[1.0, 2.0], mass=5)
        graph.add_node("b", pos=np.array([3.0, 4.0]), mass=6)
        graph.add_edge("a", "b", way=(0.5, 0.25))
        made = leman.Dataset.from_networkx([graph], node_attributes=["pos", "mass"], edge_attributes="way")[0]
        np.testing.assert_array_equal(made.vertex_attributes, [[1, 2, 5], [3, 4, 6]])
        np.testing.assert_array_equal(made.edge_attributes, [[0.5, 0.25]] * 2)

    def test_labels_that_no_graph_has(self):
        graph = nx.path_graph(3)
        nx.set_node_attributes(graph, 1, "kind")
        self.assertEqual(leman.Dataset.from_networkx([graph], node_label="kind")[0].vertex_labels, [1] * 3)
        self.refused(leman.InputError, ["node_label", "'knid'", "no graph"], leman.Dataset.from_networkx, [graph], node_label="knid")
        self.refused(leman.InputError, ["edge_label", "'bond'"], leman.Dataset.from_networkx, [graph], edge_label="bond")
        self.assertIsNone(leman.Dataset.from_networkx([graph])[0].vertex_labels)  # the default is used where it is there
        self.assertEqual(leman.Dataset.from_networkx([nx.empty_graph(2)], edge_label="bond")[0].num_edges, 0)

    def test_exact_numbers_are_reals(self):
        from decimal import Decimal
        from fractions import Fraction
        for y in ([Decimal("1.5"), Decimal(2)], [Fraction(3, 2), 2], [1.5, Decimal(2)]):
            data = leman.Dataset(GRAPHS[:2], y)
            self.assertIsNone(data.classes, y)
            np.testing.assert_array_equal(data.y, [1.5, 2])

    def test_y_is_no_text(self):
        for y in ("ab", b"ab", {0: 1, 1: 0}):
            self.refused(leman.InputError, ["y: found", "one value for each graph"], leman.Dataset, GRAPHS[:2], y)

    def test_texts(self):
        """Texts of graph6 that cannot be SMILES are named as such; SMILES may come as an array of texts."""
        path = nx.to_graph6_bytes(nx.path_graph(70), header=False).decode().strip()
        for text in (path, ">>graph6<<EhEG", ":Fa@x^", b"EhEG"):
            self.refused(leman.InputError, ["from_graph6()"], leman.as_dataset, [text])
        self.assertEqual([graph.num_vertices for graph in leman.as_dataset(np.array(["CCO", "CN"]))], [3, 2])


class Learned(Case):
    def test_missing_classes_take_no_part(self):
        """The model is the one of the graphs that have a class, however the others say that they have none."""
        known = [i for i in range(20) if i % 5]
        y = np.array([i % 3 % 2 for i in range(20)])
        expected = svc().fit([GRAPHS[i] for i in known], y[known])
        holes = [None if i % 5 == 0 else int(y[i]) for i in range(20)]
        words = ["ab"[value] if value is not None else None for value in holes]
        for given, classes in ((holes, [0, 1]), ([np.nan if v is None else v for v in holes], [0, 1]),
                               (np.where(np.arange(20) % 5, y, np.nan), [0, 1]), (words, ["a", "b"]),
                               (pandas.Series(holes), [0, 1]), (pandas.Series(holes, dtype="Int64"), [0, 1])):
            model = svc().fit(GRAPHS, given)
            self.assertEqual(model.classes_.tolist(), classes)
            np.testing.assert_array_equal(model.decision_function(GRAPHS), expected.decision_function(GRAPHS))
        data = leman.Dataset.from_networkx(GRAPHS, holes)
        self.assertEqual(data.y.tolist(), holes)
        np.testing.assert_array_equal(svc().fit(data).decision_function(GRAPHS), expected.decision_function(GRAPHS))
        self.assertEqual(leman.Dataset.from_arrays(**data.to_arrays()).y.tolist(), holes)
        self.refused(leman.InputError, ("0 graphs with a class",), svc().fit, GRAPHS, [None] * 20)

    def test_missing_targets_take_no_part(self):
        known = [i for i in range(20) if i % 5]
        y = np.array([g.number_of_edges() / 2 for g in GRAPHS])
        expected = leman.GraphSVR("1-WL", 1, folds=2).fit([GRAPHS[i] for i in known], y[known]).predict(GRAPHS)
        for given in ([None if i % 5 == 0 else y[i] for i in range(20)], np.where(np.arange(20) % 5, y, np.nan)):
            np.testing.assert_array_equal(leman.GraphSVR("1-WL", 1, folds=2).fit(GRAPHS, given).predict(GRAPHS), expected)

    def test_networks_learn_classes_with_holes(self):
        holes = [None if i % 5 == 0 else i % 2 for i in range(20)]
        for network in (leman.nn.GraphNetwork(**NETWORK).fit(GRAPHS, holes),
                        leman.nn.GraphNetwork(**NETWORK).fit(leman.Dataset.from_networkx(GRAPHS, holes))):
            self.assertTrue(network.is_classifier_)
            self.assertEqual(network.classes_.tolist(), [0, 1])

    def test_columns_with_missing_integers_are_classes(self):
        """pandas hands over such columns as floats, which must not make targets of classes."""
        make = leman.Dataset.from_networkx
        holes = [3, None, 2**60 + 1]
        for dtype in ("Int64", "UInt64"):
            column = pandas.Series(holes, dtype=dtype)
            for given in (column, column.array, pandas.DataFrame({"y": column}), pandas.Index(column)):
                data = make(GRAPHS[:3], given)
                self.assertIsNone(data.targets)
                self.assertEqual(data.y.tolist(), holes)
        self.assertEqual(make(GRAPHS[:3], pandas.Series([True, None, False], dtype="boolean")).y.tolist(), [True, None, False])
        for reals in (pandas.Series([1.0, None, 2.0], dtype="Float64"), pandas.Series([1, None, 2])):  # which are floats
            data = make(GRAPHS[:3], reals)
            self.assertIsNone(data.classes)
            np.testing.assert_array_equal(data.targets[:, 0], [1, np.nan, 2])
        table = pandas.DataFrame({"a": pandas.Series([1, None, 3], dtype="Int64"), "b": [0.5, 1.5, np.nan]})
        np.testing.assert_array_equal(make(GRAPHS[:3], table).targets, [[1, 0.5], [np.nan, 1.5], [3, np.nan]])
        data = leman.Dataset.from_smiles(["C", "CC", "CCC"], pandas.Series([0, None, 1], dtype="Int64"))
        self.assertEqual((data.y.tolist(), data.targets), ([0, None, 1], None))
        with self.assertWarns(leman.DataWarning):
            data = leman.Dataset.from_smiles(["C", "C(", "CCC"], pandas.Series([None, 0, 1], dtype="Int64"), on_error="skip")
        self.assertEqual((data.y.tolist(), data.targets), ([None, 1], None))

    def test_masked_values_are_missing_or_refused(self):
        make, arrays = leman.Dataset.from_networkx, leman.Dataset.from_arrays
        mask = [False, True, False]
        self.assertEqual(make(GRAPHS[:3], np.ma.array([4, 5, 6], mask=mask)).y.tolist(), [4, None, 6])
        self.assertEqual(make(GRAPHS[:3], [4, np.ma.masked, 6]).y.tolist(), [4, None, 6])
        self.assertEqual(make(GRAPHS[:3], np.ma.array(["a", "b", "c"], mask=mask)).y.tolist(), ["a", None, "c"])
        self.assertEqual(make(GRAPHS[:3], np.ma.array([4, 5, 6])).y.tolist(), [4, 5, 6])
        for given in (np.ma.array([0.5, 1.5, 2.5], mask=mask), [0.5, np.ma.masked, 2.5],
                      np.ma.array([[0.5], [1.5], [2.5]], mask=[[hidden] for hidden in mask])):
            np.testing.assert_array_equal(make(GRAPHS[:3], given).targets[:, 0], [0.5, np.nan, 2.5])
        rows = [np.ma.array([1.0, 2.0], mask=[False, True]), np.ma.array([3.0, 4.0]), np.array([5.0, 6.0])]
        np.testing.assert_array_equal(make(GRAPHS[:3], rows).targets, [[1, np.nan], [3, 4], [5, 6]])
        edges = np.array([[0, 1], [1, 2]])
        found = arrays(np.hstack([edges, edges[::-1]]), targets=np.ma.array([[1, 2]], mask=[[True, False]])).targets
        np.testing.assert_array_equal(found, [[np.nan, 2]])
        ends = np.ma.array([[0, 1], [1, 2]], mask=[[False, True], [False, False]])
        self.refused(leman.InputError, ("edge_index", "masked value at (0, 1)", "expected integers"), arrays, ends)
        for name, given in (("vertex_labels", np.ma.array([1, 2, 3], mask=mask)),
                            ("vertex_attributes", np.ma.array([1.0, 2.0, 3.0], mask=mask)),
                            ("edge_labels", np.ma.array([1, 2], mask=mask[:2])),
                            ("edge_attributes", [np.ma.array([1.0], mask=[True]), np.ma.array([2.0])])):
            self.refused(leman.InputError, (name, "masked value", "without missing values"), arrays, edges, **{name: given})
        self.refused(leman.InputError, ("masked value at (0, 1)",), leman.Dataset.from_grakel,
                     [[np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [1, 0]]), {0: "a", 1: "b"}]])
        data = make(GRAPHS[:3])
        self.refused(leman.InputError, ("graphs", "masked value at 0"), data.select, np.ma.array([0, 1], mask=[True, False]))

    def test_kinds_decide_and_not_containers(self):
        make = leman.Dataset.from_networkx
        for reals in ([0.0, 1.0, np.nan], np.array([0.0, 1.0, np.nan]), [0, 1.0, None]):
            self.assertIsNone(make(GRAPHS[:3], reals).classes)
        for classes in ([0, 1, np.nan], [0, 1, None], np.array([0, 1, None]), [True, False, None]):
            self.assertIsNone(make(GRAPHS[:3], classes).targets)
        for large in ([2**64, 1, 0], np.array([2**63, 2**63 + 1, 0], dtype=np.uint64), [-2**63, 0, 1]):
            self.assertEqual(make(GRAPHS[:3], large).y.tolist(), list(map(int, large)))
        self.refused(leman.InputError, ("inf",), make, GRAPHS[:3], [np.inf, 1.0, 2.0])
        self.refused(leman.InputError, ("y", "different lengths"), make, GRAPHS[:2], [[1.0, 2.0], [3.0]])
        self.refused(leman.InputError, ("reals",), svc().fit, GRAPHS, np.arange(20) / 3)
        self.refused(leman.InputError, ("'a'", "numbers"), leman.GraphSVR("1-WL", 1).fit, GRAPHS, ["a"] * 20)
        self.refused(leman.InputError, ("1e+50", "1e30"), leman.GraphSVR("1-WL", 1).fit, GRAPHS, [i * 1e50 for i in range(20)])
        self.refused(leman.InputError, ("2 columns",), leman.evaluate, GRAPHS, y=np.ones((20, 2)))

    def test_words_come_back(self):
        y = [("low", "high, é")[i % 2] for i in range(20)]
        for model in (svc().fit(GRAPHS, y), leman.nn.GraphNetwork(**NETWORK).fit(GRAPHS, y)):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model")
                model.save(path)
                read = leman.load_model(path) if isinstance(model, leman.GraphSVC) else leman.nn.GraphNetwork.load(path)
            self.assertEqual(read.classes_.tolist(), ["high, é", "low"])
            self.assertEqual(read.predict(GRAPHS).tolist(), model.predict(GRAPHS).tolist())
        numbers = svc().fit(GRAPHS, [(-7, 40)[i % 2] for i in range(20)])
        with tempfile.TemporaryDirectory() as folder:
            numbers.save(os.path.join(folder, "model"))
            self.assertEqual(leman.load_model(os.path.join(folder, "model")).classes_.tolist(), [-7, 40])

    def test_weights_are_of_the_callers_classes(self):
        y = ["y" if i % 3 else "x" for i in range(20)]
        how = dict(methods=["1-WL"], y=y, repetitions=2, folds=3, rounds=1, C=1, scoring="accuracy")
        plain = leman.evaluate(GRAPHS, **how).results[0].folds
        self.assertEqual(leman.evaluate(GRAPHS, class_weight={"x": 1.0, "y": 1}, **how).results[0].folds, plain)
        numbered = leman.evaluate(GRAPHS, class_weight={0: 30, 1: 1}, **{**how, "y": [int(word == "y") for word in y]})
        worded = leman.evaluate(GRAPHS, class_weight={"x": 30}, **how)
        self.assertEqual(worded.results[0].folds, numbered.results[0].folds)
        self.assertNotEqual(worded.results[0].folds, plain)
        self.refused(leman.ArgumentError, ("class 0", "'x', 'y'"), leman.evaluate, GRAPHS, class_weight={0: 2}, **how)
        for wrong in ([1, 2], 3, {"x": 0}, {"x": "a"}, {"x": np.nan}, {"x": 1e200}, "many"):
            self.refused(leman.ArgumentError, ("class_weight",), svc(class_weight=wrong).fit, GRAPHS, y)

    def test_joined_graphs_keep_what_is_learned(self):
        make = leman.Dataset.from_networkx
        one, two, none = make(GRAPHS[:2], [0.5, 1.5]), make(GRAPHS[2:4], [2.5, 3.5]), make(GRAPHS[4:5])
        np.testing.assert_array_equal(leman.as_dataset([one[1], two[0], none[0]]).y, [1.5, 2.5, np.nan])
        classes, words = make(GRAPHS[:1], ["a"]), make(GRAPHS[1:2], ["b"])
        self.assertEqual(leman.as_dataset([classes[0], words[0], none[0]]).y.tolist(), ["a", "b", None])
        pair = make(GRAPHS[:1], np.array([[1.0, 2.0]]))
        self.refused(leman.InputError, ("targets",), leman.as_dataset, [one[0], pair[0]])
        self.assertEqual(leman.as_dataset([one[0], pair[0]], y=[1, 2]).y.tolist(), [1, 2])

    def test_smiles_that_are_left_out(self):
        smiles = ["CC", "C(", "CO"]
        make = leman.Dataset.from_smiles
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for y in ([1, 2, 3], (i for i in (1, 2, 3)), np.array([1, 2, 3]), pandas.Series([1, 2, 3])):
                self.assertEqual(make(smiles, y, on_error="skip", names=iter("abc")).y.tolist(), [1, 3])
            self.assertEqual(make(smiles, [None, 2, 3], on_error="skip").y.tolist(), [None, 3])
            for y in ([1, 2], [1, 2, 3, 4], iter([1])):
                self.refused(leman.InputError, ("y", "expected 3"), make, smiles, y, on_error="skip")
            self.refused(leman.InputError, ("names",), make, smiles, None, on_error="skip", names=["a"])


class Boundary(Case):
    def test_numbers_do_not_wrap(self):
        y = [i % 2 for i in range(20)]
        for name, values in (("epochs", (2**64 + 1, -1, 1.5, True, "3")), ("batch_size", (2**70, 0, [3])), ("layers", (2**40, 0)),
                             ("width", (2**63, 0)), ("learning_rate", ("a", np.nan, -1, [1])),
                             ("validation_fraction", ("x", 0, 1, None)), ("random_state", (2**64, -1, "a")), ("n_jobs", (0, 1.5))):
            for value in values:
                self.refused(leman.ArgumentError, (name,), leman.nn.GraphNetwork(**{**NETWORK, name: value}).fit, GRAPHS, y)
        for C in (1e300, 0, -1, "a", [1, np.nan], [], [[1, 2], [3]]):
            self.refused(leman.ArgumentError, ("C",), svc(C=C).fit, GRAPHS, y)
        for folds in (1, 2**70, 2.5, None):
            self.refused(leman.ArgumentError, ("folds",), svc(folds=folds).fit, GRAPHS, y)
        self.refused(leman.ArgumentError, ("repetitions",), leman.evaluate, GRAPHS, y=y, repetitions=2**70)

    def test_texts(self):
        make = leman.Dataset.from_networkx
        for wrong in (5, "a\0b", b"x", "\ud800"):
            self.refused(leman.ArgumentError, ("name",), make, GRAPHS, name=wrong)
            self.refused(leman.ArgumentError, ("policy",), make, GRAPHS, policy=wrong)
            self.refused(leman.ArgumentError, ("format",), leman.Dataset.read, "x", format=wrong)
            self.refused(leman.ArgumentError, ("model",), leman.nn.GraphNetwork(wrong).fit, GRAPHS, [0.5] * 20)
            self.refused(leman.ArgumentError, ("svm",), svc(svm=wrong).fit, GRAPHS, [0, 1] * 10)
        self.refused(leman.ArgumentError, ("path",), leman.Dataset.read, "a\0b")
        # C takes a zero character for the end: what is behind it must not vanish
        expected = "expected a text without a zero character"
        smiles, edges = leman.Dataset.from_smiles, np.array([[0], [1]])
        self.refused(leman.InputError, ("SMILES 1", "'C\\x00C'", expected), smiles, ["C", "C\0C"])
        self.refused(leman.InputError, ("name 0", expected), smiles, ["C"], names=["a\0b"])
        self.refused(leman.InputError, ("names 0", expected), leman.Dataset.from_arrays, edges, names=["a\0b"])
        self.refused(leman.InputError, ("target_names 0", expected), leman.Dataset.from_arrays, edges, targets=[[1.0]],
                     target_names=["a\0b"])
        self.refused(leman.ArgumentError, ("smiles_column", expected), leman.Dataset.read, "x.csv", smiles_column="a\0b")
        with self.assertWarnsRegex(leman.DataWarning, "1 of 2 SMILES cannot be read"):
            self.assertEqual(len(smiles(["C", "C\0C"], on_error="skip")), 1)
        self.refused(leman.ArgumentError, ("path",), leman.load_model, 5.5)

    def test_arrays(self):
        make = leman.Dataset.from_arrays
        self.refused(leman.InputError, ("edge_index", "different lengths"), make, [[0, 1], [1]])
        self.refused(leman.InputError, ("vertex_attributes", "different lengths"), make, [[0], [1]], vertex_attributes=[[1, 2], [3]])
        self.refused(leman.InputError, ("vertex_attributes",), make, [[0], [1]], vertex_attributes=["a", "b"])
        self.refused(leman.InputError, ("offsets",), make, [[0], [1]], [0, "a"])

    def test_nothing_to_learn_from(self):
        for wrong in (svc(), leman.GraphSVR(), leman.nn.GraphNetwork(**NETWORK)):
            self.refused(leman.InputError, ("0 graphs",), wrong.fit, [], [])
        self.refused(leman.InputError, ("0 graphs",), leman.evaluate, [], y=[])

    def test_files_that_are_not_there(self):
        network = leman.nn.GraphNetwork(**NETWORK).fit(GRAPHS, [0, 1] * 10)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "no", "file.zip")
            for function in (leman.nn.GraphNetwork.load, leman.load_model, leman.Dataset.read, network.save,
                             svc().fit(GRAPHS, [0, 1] * 10).save):
                self.refused(FileNotFoundError, (path,), function, path)
                self.refused(leman.FileError, (path,), function, path)


if __name__ == "__main__":
    package.main()
