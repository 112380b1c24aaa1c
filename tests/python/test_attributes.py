"""Networks read real-valued attributes of vertices and edges beside labels. Predictions against the definition in NumPy with 64-bit
floats, from the graphs and the weights alone; what only attributes show is learned; files keep the scale; what does not fit is refused."""
import itertools
import os
import tempfile
import unittest
import warnings

import networkx as nx
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import package
import leman

VERTEX, EDGE = ("a", "b"), ("w",)


def graphs_of(count, seed, labels=True):
    """Random graphs, most of them disconnected, some with a single vertex, with two reals at each vertex and one at each edge."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(count):
        graph = nx.gnp_random_graph(int(rng.integers(1, 6)), 0.35, seed=int(rng.integers(1 << 30)))
        for vertex in graph:
            graph.nodes[vertex].update(a=float(rng.normal(3, 2)), b=float(rng.uniform(100, 200)))
            if labels:
                graph.nodes[vertex]["label"] = int(rng.integers(3))
        for edge in graph.edges:
            graph.edges[edge]["w"] = float(rng.normal(-5, 0.1))
            if labels:
                graph.edges[edge]["label"] = int(rng.integers(2))
        made.append(graph)
    return made


def dataset(graphs, y=None, vertex=VERTEX, edge=EDGE):
    return leman.Dataset.from_networkx(graphs, y, node_attributes=list(vertex), edge_attributes=list(edge))


# ---- The definition ------------------------------------------------------------------------------


def scale_of(rows):
    rows = np.array(rows, float)
    return rows.mean(0), rows.std(0, ddof=1)


class Definition:
    """The networks of the preset tu on one graph at a time, as docs/networks.md has them."""

    def __init__(self, network, training, standardized=True):
        self.w = {name: np.asarray(value, float) for name, value in network.state_dict().items()}
        self.how = network.describe()
        self.vertex = scale_of([[g.nodes[v][c] for c in VERTEX] for g in training for v in g]) if standardized else (0, 1)
        self.edge = scale_of([[g.edges[e][c] for c in EDGE] for g in training for e in g.edges]) if standardized else (0, 1)
        self.label = {key[0]: number for number, key in enumerate(self.how["vertex_labels"]) if len(key) > 1}
        self.edge_label = {key[0]: number for number, key in enumerate(self.how["edge_labels"]) if key}
        self.types = {(tuple(t["labels"]), tuple(r if r == "same" else tuple(r) for r in t["relations"])): number
                      for number, t in enumerate(self.how["types"])}

    def linear(self, scope, x):
        return x @ self.w[scope + ".weight"].T + self.w[scope + ".bias"]

    def block(self, scope, z, norm=True):
        """L R L R, and batch norm with the running statistics."""
        y = np.maximum(self.linear(scope + ".linear2", np.maximum(z, 0)), 0)
        if not norm:
            return y
        n = {part: self.w[f"{scope}.norm.{part}"] for part in ("mean", "variance", "scale", "shift")}
        return (y - n["mean"]) / np.sqrt(n["variance"] + 1e-5) * n["scale"] + n["shift"]

    def head(self, x):
        y = self.linear("head.linear2", np.maximum(self.linear("head.linear1", x.mean(0, keepdims=True)), 0))[0]
        e = np.exp(y - y.max())
        return e / e.sum()

    def reals(self, graph):
        return np.array([(np.array([graph.nodes[v][c] for c in VERTEX]) - self.vertex[0]) / self.vertex[1] for v in graph])

    def of_edge(self, graph, u, v):
        """Zeros for two vertices without an edge."""
        if not graph.has_edge(u, v):
            return np.zeros(len(EDGE))
        return (np.array([graph.edges[u, v][c] for c in EDGE]) - self.edge[0]) / self.edge[1]

    def one_hot(self, graph):
        numbers = [self.label[graph.nodes[v]["label"]] if self.label else graph.degree(v) for v in graph]
        return np.eye(self.how["type_width"])[numbers]

    def gin(self, graph):
        x = self.one_hot(graph) @ self.w["input.table"] + self.reals(graph) @ self.w["input.weight"].T + self.w["input.bias"]
        for t in range(1, self.how["layers"] + 1):
            z = (1 + self.w[f"layer{t}.epsilon"]) * x
            for u, v in graph.edges:
                z[u] += x[v]
                z[v] += x[u]
            x = self.block(f"layer{t}", self.linear(f"layer{t}.linear1", z))
        return self.head(x)

    def gine(self, graph):
        x = self.linear("input", np.hstack([self.one_hot(graph), self.reals(graph)]))
        for t in range(1, self.how["layers"] + 1):
            z = (1 + self.w[f"layer{t}.epsilon"]) * x
            for u, v in graph.edges:
                scope = f"layer{t}.edge"
                e = self.of_edge(graph, u, v) @ self.w[scope + ".linear1.weight"].T + self.w[scope + ".linear1.bias"]
                if self.edge_label:
                    e = e + self.w[scope + ".linear1.table"][self.edge_label[graph.edges[u, v]["label"]]]
                e = self.block(scope, e)[0]
                z[u] += np.maximum(x[v] + e, 0)
                z[v] += np.maximum(x[u] + e, 0)
            x = self.block(f"layer{t}", self.linear(f"layer{t}.linear1", z))
        return self.head(x)

    def type_of(self, graph, vertices):
        labels = tuple(self.label[graph.nodes[v]["label"]] if self.label else 0 for v in vertices)
        relations = []
        for u, v in itertools.combinations(vertices, 2):
            edge = None if not graph.has_edge(u, v) else self.edge_label[graph.edges[u, v]["label"]] if self.edge_label else 0
            relations.append("same" if u == v else (edge, edge))
        return self.types[labels, tuple(relations)]

    def tuples(self, graph):
        k, reals = self.how["k"], self.reals(graph)
        every = list(itertools.product(graph, repeat=k))
        place = {vertices: i for i, vertices in enumerate(every)}
        x = np.array([self.w["input.table"][self.type_of(graph, t)] + self.w["input.bias"][0] +
                      sum(self.w[f"input.vertices.position{j + 1}"] @ reals[t[j]] for j in range(k)) +
                      self.w["input.pairs"] @ np.concatenate([self.of_edge(graph, u, v) for u, v in itertools.combinations(t, 2)])
                      for t in every])
        for layer in range(1, self.how["layers"] + 1):
            parts = []
            for j in range(k):
                scope = f"layer{layer}.position{j + 1}"
                z = (1 + self.w[scope + ".epsilon"]) * x
                for i, t in enumerate(every):
                    for v in graph[t[j]]:
                        z[i] += x[place[t[:j] + (v,) + t[j + 1:]]]
                parts.append(self.block(scope, self.linear(scope + ".linear1", z), norm=False))
            x = self.block(f"layer{layer}.merge", self.linear(f"layer{layer}.merge.linear1", np.hstack(parts)))
        return self.head(x)


class ByDefinition(unittest.TestCase):
    def compare(self, model, forward, labels, **more):
        graphs, others = graphs_of(24, 1, labels), graphs_of(6, 2, labels)
        y = np.arange(24) % 2
        network = leman.nn.GraphNetwork(model, "tu", layers=2, width=5, epochs=2, batch_size=8, device="cpu", random_state=3, **more)
        network.fit(dataset(graphs, y), validation=np.arange(4))
        definition = Definition(network, graphs[4:], more.get("attributes") != "raw")
        known = [g for g in others if self.known(definition, g, forward)]
        self.assertTrue(known)
        found = network.predict_proba(dataset(graphs + known))
        expected = np.array([getattr(definition, forward)(g) for g in graphs + known])
        np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-4, err_msg=f"{model}, labels: {labels}, {more}")

    def known(self, definition, graph, forward):
        """Whether training showed all types of the graph."""
        try:
            getattr(definition, forward)(graph)
        except (KeyError, IndexError):
            return False
        return True

    def test_vertices(self):
        for labels in (True, False):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", leman.DataWarning)  # GIN reads no edge attributes
                self.compare("GIN-eps", "gin", labels)
                self.compare("GIN-eps", "gin", labels, attributes="raw")
            self.compare("GINE-eps", "gine", labels)

    def test_tuples(self):
        for labels in (True, False):
            self.compare("delta-2-LGNN", "tuples", labels)
            self.compare("delta-3-LGNN", "tuples", labels)
        self.compare("delta-2-LGNN", "tuples", True, attributes="raw")


# ---- What users see ------------------------------------------------------------------------------


def signs(count, seed):
    """Cycles whose class is the sign of one real, which is the same at all vertices; the other real is noise."""
    rng = np.random.default_rng(seed)
    y, graphs = np.arange(count) % 2, []
    for i in range(count):
        graph = nx.cycle_graph(5)
        for vertex in graph:
            graph.nodes[vertex].update(a=1000.0 + (0.5 if y[i] else -0.5), b=float(rng.normal()))
        graphs.append(graph)
    return graphs, y


class Attributes(unittest.TestCase):
    def test_learned(self):
        """What only attributes show is learned, by networks of every kind, and not without them."""
        graphs, y = signs(60, 1)
        new, expected = signs(20, 2)
        data, other = dataset(graphs, y, edge=()), dataset(new, edge=())
        for model in ("GIN-eps", "GINE-eps", "delta-2-LGNN", "delta-2-LGNN+", "2-WL-GNN", "MPNN", "PPGN", "1-2-GNN", "Local-2-GNN"):
            network = leman.nn.GraphNetwork(model, layers=2, width=16, epochs=30, batch_size=16, learning_rate=0.01, device="cpu", random_state=1)
            self.assertEqual(list(network.fit(data).predict(other)), list(expected), model)
        without = leman.nn.GraphNetwork("GIN-eps", layers=2, width=16, epochs=5, device="cpu", random_state=1, attributes="none").fit(data)
        self.assertEqual(len(np.unique(without.predict_proba(other).round(6), axis=0)), 1)

    def test_unit(self):
        """Standardised attributes do not depend on their units."""
        graphs, y = graphs_of(24, 5), np.arange(24) % 2
        other = [g.copy() for g in graphs]
        for graph in other:
            for vertex in graph:
                graph.nodes[vertex]["a"] = 1024 * graph.nodes[vertex]["a"] - 3
            for edge in graph.edges:
                graph.edges[edge]["w"] *= 64
        how = dict(layers=2, width=8, epochs=2, device="cpu", random_state=1)
        a, b = (leman.nn.GraphNetwork("delta-2-LGNN", "tu", **how).fit(dataset(g, y)).predict_proba(dataset(g)) for g in (graphs, other))
        np.testing.assert_allclose(a, b, atol=1e-3)

    def test_files(self):
        graphs, y = graphs_of(20, 6), np.arange(20) % 2
        data = dataset(graphs, y)
        for use in ("standardized", "raw"):
            network = leman.nn.GraphNetwork("delta-2-LGNN", "tu", layers=1, width=8, epochs=2, device="cpu", random_state=1, attributes=use).fit(data)
            with tempfile.TemporaryDirectory() as folder:
                for name in ("network.lmn", "weights.npz"):
                    path = os.path.join(folder, name)
                    (network.export if name.endswith(".npz") else network.save)(path)
                    again = leman.nn.GraphNetwork.load(path)
                    self.assertEqual(again.attributes, use)
                    np.testing.assert_array_equal(again.predict_proba(data), network.predict_proba(data))
            how = network.describe()
            self.assertEqual((how["attributes"], how["vertex_attributes"], how["edge_attributes"]), (use, 2, 1))
            mean, deviation = scale_of([[g.nodes[v][c] for c in VERTEX] for g in graphs for v in g])
            self.assertEqual(use == "raw", how["attribute_mean"] == [0, 0, 0] and how["attribute_deviation"] == [1, 1, 1])
            self.assertTrue(use == "raw" or np.all(np.abs(np.array(how["attribute_mean"])[:2] - mean) < deviation))

    def test_refused(self):
        graphs, y = graphs_of(20, 7), np.arange(20) % 2
        network = leman.nn.GraphNetwork("GINE-eps", layers=1, width=4, epochs=1, device="cpu", random_state=1).fit(dataset(graphs, y))
        for vertex, edge, words in (((), EDGE, "0 columns of vertex attributes, expected 2"), (VERTEX, (), "0 columns of edge attributes"),
                                    (("a",), EDGE, "1 column of vertex attributes, expected 2")):
            with self.assertRaisesRegex(leman.InputError, words):
                network.predict(dataset(graphs, vertex=vertex, edge=edge))
        with self.assertRaisesRegex(leman.ArgumentError, "none, raw, standardized"):
            leman.nn.GraphNetwork(attributes="scaled").fit(dataset(graphs, y))
        with self.assertRaisesRegex(leman.ArgumentError, "qm9 reads attributes as they are"):
            leman.nn.GraphNetwork(preset="qm9", attributes="standardized", coordinates=range(2)).fit(dataset(graphs, y))

    def test_warning(self):
        """GIN cannot read edge attributes, and says so; networks that can do not warn."""
        graphs, y = graphs_of(20, 8), np.arange(20) % 2
        how = dict(layers=1, width=4, epochs=1, device="cpu", random_state=1)
        for network in (leman.nn.GraphNetwork, leman.nn.GraphNetworkClassifier):
            with self.assertWarnsRegex(leman.DataWarning, "GIN-eps cannot read edge attributes") as caught:
                network("GIN-eps", **how).fit(dataset(graphs, y))
            self.assertEqual(caught.filename, __file__)  # the line of the caller
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            leman.nn.GraphNetwork("GINE-eps", **how).fit(dataset(graphs, y))
            leman.nn.GraphNetwork("GIN-eps", **how).fit(dataset(graphs, y, edge=()))
            leman.nn.GraphNetwork("GIN-eps", **how, attributes="none").fit(dataset(graphs, y))

    def test_kernels_say_that_attributes_are_left_out(self):
        """Every estimator of kernels, at the line of the caller; not those that read attributes, and not where there are none."""
        graphs, y = graphs_of(20, 8), np.arange(20) % 2
        data, bare = dataset(graphs, y, edge=()), dataset(graphs, y, vertex=(), edge=())
        how = dict(repetitions=1, folds=2, rounds=1, C=[1.0])
        for call in (leman.WLKernel("1-WL").fit, lambda given: make_pipeline(leman.WLKernel("1-WL"), SVC(kernel="precomputed")).fit(given, y),
                     leman.WLKernel("1-WL").fit_transform, leman.ShortestPathKernel().fit, leman.PropagationKernel().fit,
                     leman.WLVectorizer("1-WL").fit, leman.GraphSVC("1-WL", rounds=1, folds=2).fit,
                     lambda given: leman.evaluate(given, ["1-WL"], **how)):
            with self.assertWarnsRegex(leman.DataWarning, "does not use the vertex attributes; binnings=20 of WLKernel") as caught:
                call(data)
            self.assertEqual(caught.filename, __file__)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                call(bare)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            leman.WLKernel("1-WL", binnings=2).fit(data)
            leman.GraphSVC("1-WL", rounds=1, folds=2, binnings=2).fit(data)
            leman.evaluate(data, [leman.ShortestPathKernel(binnings=2)], **how)
        lengths = leman.Dataset.from_networkx([nx.Graph([(0, 1, {"w": 2.0}), (1, 2, {"w": 0.5})])], edge_attributes=["w"])
        for kernel in leman.WLKernel("1-WL"), leman.ShortestPathKernel(), leman.PropagationKernel():
            with self.assertWarnsRegex(leman.DataWarning, "does not use the edge attributes; weighted=True of ShortestPathKernel"):
                kernel.fit(lengths)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            leman.ShortestPathKernel(weighted=True).fit(lengths)
            leman.PropagationKernel(weighted=True).fit(lengths)

    def test_support_vector_machines_bin_attributes(self):
        """The scale is that of the fitted graphs: other units change nothing. A file keeps the binnings."""
        graphs, y = graphs_of(60, 11), np.arange(60) % 2
        for g, label in zip(graphs, y):
            for v in g:
                g.nodes[v]["a"] += 6 * float(label)
        fit = dict(rounds=1, folds=3, random_state=1)
        data = dataset(graphs, y)
        model = leman.GraphSVC("1-WL", binnings=5, hash_seed=3, **fit).fit(data[:40])
        self.assertGreater(model.score(data[40:], y[40:]), 0.9)
        for g in graphs:
            for v in g:
                g.nodes[v]["a"] = 8 * g.nodes[v]["a"] - 64
        scaled = dataset(graphs, y)
        again = leman.GraphSVC("1-WL", binnings=5, hash_seed=3, **fit).fit(scaled[:40])
        np.testing.assert_allclose(again.decision_function(scaled), model.decision_function(data), rtol=1e-9)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "svm.model")
            model.save(path)
            read = leman.load_model(path)
            self.assertEqual((read.binnings, read.bin_width, read.hash_seed), (5, 1.0, 3))
            np.testing.assert_array_equal(read.predict_proba(data), model.predict_proba(data))
        with self.assertRaisesRegex(leman.InputError, "found 0 vertex attributes, expected 2"):
            model.predict(dataset(graphs, y, vertex=()))

    def test_what_is_not_finite(self):
        """Graph and column are named."""
        graphs, y = graphs_of(5, 12), np.zeros(5, int)
        graphs[3].nodes[0]["b"] = float("nan")
        with self.assertRaisesRegex(leman.ArgumentError, "graph 3: found NaN in column 1 of vertex attributes, expected a finite number"):
            dataset(graphs, y)

    def test_evaluation(self):
        """evaluate() reads attributes of networks by name, too."""
        graphs, y = signs(40, 3)
        found = leman.evaluate(dataset(graphs, y, edge=()), methods=["GIN-eps"], repetitions=1, folds=4, epochs=30, layers=2, width=16)
        self.assertGreater(found.results[0].test_mean, 90)


@package.needs("torch", "torch_geometric")
class FromPyG(unittest.TestCase):
    def graphs(self, count, seed, labels=False):
        import torch
        from torch_geometric.data import Data
        generator = torch.Generator().manual_seed(seed)
        made = []
        for i in range(count):
            x = torch.randn(6, 3, generator=generator)
            x[:, 1] += 2 if i % 2 else -2
            if labels:
                x = torch.cat([x, torch.eye(2)[torch.arange(6) % 2]], dim=1)
            ring = torch.arange(6)
            edges = torch.stack([torch.cat([ring, (ring + 1) % 6]), torch.cat([(ring + 1) % 6, ring])])
            made.append(Data(x=x, edge_index=edges, y=torch.tensor([i % 2]), pos=torch.randn(6, 2, generator=generator)))
        return made

    def test_x(self):
        """Only x carries the class. Labels behind attributes are kept, and pos is read, too."""
        new = self.graphs(20, 2)
        network = leman.nn.GraphNetwork("GIN-eps", layers=2, width=16, epochs=30, device="cpu", random_state=1).fit(self.graphs(60, 1))
        self.assertEqual(list(network.predict(new)), [i % 2 for i in range(20)])
        self.assertEqual(network.describe()["vertex_attributes"], 5)
        labelled = leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=1, device="cpu", random_state=1).fit(self.graphs(20, 1, True))
        self.assertEqual((labelled.describe()["vertex_attributes"], len(labelled.describe()["vertex_labels"])), (5, 2))

    def test_module(self):
        """The module of PyTorch computes the same, also for edge_attr of reals and for a Batch."""
        import torch
        from torch_geometric.data import Batch
        from leman.nn.torch import Network
        for model in ("GIN-eps", "GINE-eps", "delta-2-LGNN", "delta-2-LGNN+", "delta-3-LGNN", "delta-2-GNN", "MPNN", "PPGN", "1-2-3-GNN", "Local-2-GNN",
                      "Local-2-FGNN"):
            graphs = self.graphs(16, 4, True)
            for graph in graphs:
                graph.edge_attr = torch.cat([graph.pos[graph.edge_index[0]] + graph.pos[graph.edge_index[1]]], dim=1)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", leman.DataWarning)
                network = leman.nn.GraphNetwork(model, "tu", layers=2, width=6, epochs=2, device="cpu", random_state=1).fit(graphs)
            module = Network.from_network(network)
            np.testing.assert_allclose(module.predict(Batch.from_data_list(graphs)), network.predict_proba(graphs), rtol=2e-4, atol=2e-5, err_msg=model)
            self.assertEqual(set(module.state_dict()), set(network.state_dict()))


if __name__ == "__main__":
    package.main()
