"""Features of graphs that nothing reads are named in a warning, and attributes survive the way to another library and back."""
import unittest
import warnings

import networkx as nx
import numpy as np

import package
import leman

ARCS = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])


def said(work):
    """The DataWarnings of work()."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    return [str(one.message) for one in caught if issubclass(one.category, leman.DataWarning)]


def paths(count=1, **more):
    """Paths of three vertices; more: columns of one of them."""
    return leman.Dataset.from_arrays(np.hstack([ARCS + 3 * i for i in range(count)]), 3 * np.arange(count + 1),
                                     **{key: np.tile(value, (count, 1)) for key, value in more.items()})


REALS = {"vertex_attributes": np.array([[0.5], [1.5], [2.5]]), "edge_attributes": np.array([[0.5], [0.5], [1.5], [1.5]])}


class Networkx(unittest.TestCase):
    def setUp(self):
        self.graph = nx.path_graph(3)
        nx.set_node_attributes(self.graph, dict(enumerate("CNO")), "element")
        nx.set_node_attributes(self.graph, {v: v / 2 for v in range(3)}, "charge")
        nx.set_edge_attributes(self.graph, 1.5, "weight")

    def test_names_what_is_not_read(self):
        found = said(lambda: leman.Dataset.from_networkx([self.graph]))
        self.assertEqual(len(found), 2)
        self.assertRegex(found[0], "data: found 'charge', 'element' on nodes, which are not read; node_label=.* node_attributes=.*")
        self.assertRegex(found[1], "data: found 'weight' on edges, which is not read; edge_label=.* edge_attributes=.*")
        found = said(lambda: leman.Dataset.from_networkx([self.graph], node_label="element", edge_attributes=["weight"]))
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], "found 'charge' on nodes, which is not read")

    def test_nothing_to_say(self):
        self.assertEqual(said(lambda: leman.Dataset.from_networkx([nx.path_graph(3), nx.Graph()])), [])
        self.assertEqual(said(lambda: leman.Dataset.from_networkx([self.graph], node_attributes=(), edge_attributes=())), [])
        nx.set_node_attributes(self.graph, 1, "label")
        self.assertEqual(said(lambda: leman.Dataset.from_networkx([self.graph], node_label=None, node_attributes=["charge"], edge_attributes=())), [])

    def test_also_as_an_argument(self):
        self.assertEqual(len(said(lambda: leman.WLKernel("1-WL", 1).fit_transform([self.graph]))), 2)

    def test_and_back(self):
        data = paths(2, **REALS)
        again = leman.Dataset.from_networkx(data.to_networkx())
        np.testing.assert_array_equal(again[1].vertex_attributes, data[1].vertex_attributes)
        np.testing.assert_array_equal(again[1].edge_attributes, data[1].edge_attributes)
        self.assertEqual(said(lambda: leman.Dataset.from_networkx(data.to_networkx())), [])
        nx.set_node_attributes(self.graph, {v: {"any": "thing"} for v in range(3)}, "attributes")  # not what to_networkx() writes
        self.assertRegex(said(lambda: leman.Dataset.from_networkx([self.graph]))[0], "found 'attributes', 'charge', 'element' on nodes")


@package.needs("igraph")
class Igraph(unittest.TestCase):
    def test_names_what_is_not_read(self):
        import igraph
        graph = igraph.Graph([(0, 1), (1, 2)], vertex_attrs={"name": list("abc"), "charge": [1.0, 2.0, 3.0]}, edge_attrs={"weight": [1.0, 2.0]})
        found = said(lambda: leman.Dataset.from_igraph([graph]))
        self.assertRegex(found[0], "found 'charge' on vertices, which is not read")
        self.assertRegex(found[1], "found 'weight' on edges, which is not read")
        self.assertEqual(said(lambda: leman.Dataset.from_igraph([graph], node_attributes=["charge"], edge_attributes=())), [])


class Colors(unittest.TestCase):
    def test_attributes(self):
        for columns, words in (({}, None), ({"vertex_attributes": REALS["vertex_attributes"]}, "vertex"),
                               ({"edge_attributes": REALS["edge_attributes"]}, "edge"), (REALS, "vertex and edge")):
            data = paths(2, **columns)
            for work in (lambda: leman.colors(data[0]), lambda: leman.graph_hash(data), lambda: leman.graph_classes(data),
                         lambda: leman.stable_round(data), lambda: leman.wl_hash(data[0]), lambda: leman.distinguish(data[0], data[1]),
                         lambda: leman.distinguish_pairs(data), lambda: leman.wl_equivalent(data[0], data[1]),
                         lambda: leman.dimension(data[0], data[1]), lambda: leman.dimension(data), lambda: leman.dimension_pairs(data),
                         lambda: leman.distinguish(paths()[0], data[1])):
                found = said(work)
                self.assertEqual(len(found), 1 if words else 0)
                if words:
                    self.assertIn(f"colours do not use the {words} attributes", found[0])
            self.assertEqual(said(lambda: leman.graph_hash(data, digits=2)), [])
            self.assertEqual(said(lambda: leman.isomorphic(data[0], data[1])), [])


class New(unittest.TestCase):
    """Attributes of graphs to predict that those of the fit did not have."""

    def test_estimators(self):
        plain, rich, y = paths(12), paths(12, **REALS), np.arange(12) % 2
        for make in (lambda: leman.WLKernel("1-WL", 1), lambda: leman.WLVectorizer("1-WL", 1), lambda: leman.GraphSVC("1-WL", folds=2),
                     lambda: leman.GraphSVR("1-WL", folds=2), lambda: leman.nn.GraphNetwork("GINE-eps", layers=1, width=4, epochs=1, device="cpu")):
            fitted = make().fit(plain, y)
            use = fitted.transform if hasattr(fitted, "transform") else fitted.predict
            self.assertEqual(said(lambda: use(plain)), [])
            self.assertEqual(said(lambda: use(rich)), ["data: the vertex and edge attributes are not used, because the graphs of fit() had none"])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = leman.WLKernel("1-WL", 1).fit(rich)
        self.assertEqual(said(lambda: fitted.transform(rich)), [])  # fit() said it


if __name__ == "__main__":
    package.main()
