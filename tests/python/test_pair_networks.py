"""Pair networks against their definition in NumPy: loops over pairs and neighbours, 64-bit floats, with the weights of the library."""
import os
import tempfile
import unittest

import networkx as nx
import numpy as np

import package
import leman

PARTS = {"Local-2-GNN": ["local1", "local2", "global1"], "Local-2-FGNN": ["folklore1", "folklore2", "global1"],
         "Subgraph-GNN": ["local2", "global2"], "SSWL+": ["local1", "local2", "diagonal1"],
         "pairs:local2+folklore1+global2+diagonal2": ["local2", "folklore1", "global2", "diagonal2"]}


def graphs():
    """Random graphs with labels of vertices and edges: one of a single vertex, one in two parts, one directed-looking path."""
    rng = np.random.default_rng(5)
    made = [nx.gnp_random_graph(n, p, seed=n) for n, p in ((5, 0.6), (1, 0.5), (8, 0.25), (7, 0.4), (9, 0.15), (6, 0.5))]
    made += [nx.path_graph(9), nx.disjoint_union(nx.cycle_graph(3), nx.star_graph(2))]
    for g in made:
        nx.set_node_attributes(g, {v: int(rng.integers(3)) for v in g}, "label")
        nx.set_edge_attributes(g, {e: int(rng.integers(2)) for e in g.edges}, "label")
    return made


def directed_graphs():
    """The same graphs with some edges in one direction only."""
    rng = np.random.default_rng(8)
    made = [g.to_directed() for g in graphs()]
    for g in made:
        g.remove_edges_from([e for e in list(g.edges) if rng.random() < 0.3])
    return made


def walks(g, steps):
    """[n, n, steps] by powers of the matrix of a step. A walk ends where no arc leaves."""
    a = nx.to_numpy_array(g, nodelist=range(len(g)), weight=None)
    step = np.divide(a, a.sum(1, keepdims=True), out=np.zeros_like(a), where=a.sum(1, keepdims=True) > 0)
    return np.stack([np.linalg.matrix_power(step, t) for t in range(1, steps + 1)], 2)


def resistances(g):
    """[n, n] by the pseudo-inverse of the Laplacian of the wires, -1 between components. In a component of m vertices the pseudo-inverse
    is (L + J/m)^-1 - J/m with J all ones: no eigenvalue has to be recognised as 0."""
    wires = nx.Graph(g.edges)
    wires.add_nodes_from(g)
    found = np.full((len(g), len(g)), -1.0)
    for part in map(sorted, nx.connected_components(wires)):
        ones = np.full((len(part), len(part)), 1 / len(part))
        inverse = np.linalg.inv(nx.laplacian_matrix(wires, nodelist=part, weight=None).toarray() + ones) - ones
        own = np.diag(inverse)
        found[np.ix_(part, part)] = own[:, None] + own[None] - 2 * inverse
    return found


def relu(x):
    return np.maximum(x, 0)


class Definition:
    """A network in prediction: norms use their running statistics."""

    def __init__(self, network, weights, parts, labels, edge_labels, bound=5, steps=0, resistance=False):
        self.bound, self.steps, self.resistance = bound, steps, resistance
        self.w = {name: np.asarray(value, np.float64) for name, value in weights.items()}
        self.parts, self.layers, self.d = parts, network.layers, network.width
        self.labels, self.edge_labels = labels, edge_labels

    def norm(self, name, x):
        w = self.w
        y = (x - w[name + ".mean"][0]) / np.sqrt(w[name + ".variance"][0] + 1e-5)
        return y * w[name + ".scale"][0] + w[name + ".shift"][0]

    def second_half(self, name, z):
        """What follows the first maps of all M, side by side."""
        return relu(self.norm(name + ".norm", relu(self.norm(name + ".norm1", z)) @ self.w[name + ".linear2.weight"].T))

    def sums(self, g, layer, part, h):
        """S of one part, pair by pair."""
        n, name = len(g), f"layer{layer}.{part}"
        near = {v: sorted(g[v]) for v in g}
        edge = lambda u, w: self.w[name + ".labels.table"][self.edge_labels[g.edges[u, w]["label"]]]
        s = np.zeros_like(h)
        if part.startswith("local"):
            own = [p for p in self.parts if p.startswith("local")].index(part) * self.d
            b, shift = self.w[f"layer{layer}.message.weight"][own:own + self.d], self.w[f"layer{layer}.message.bias"][0][own:own + self.d]
        if part.startswith("folklore"):
            b, shift = self.w[f"layer{layer}.moved.weight"], self.w[f"layer{layer}.moved.bias"][0]
            c, more = self.w[f"layer{layer}.edge.weight"], self.w[f"layer{layer}.edge.bias"][0]
        for u in range(n):
            for v in range(n):
                if part == "local1":
                    s[u, v] = sum((relu(b @ h[w, v] + shift + edge(u, w)) for w in near[u]), np.zeros(self.d))
                elif part == "local2":
                    s[u, v] = sum((relu(b @ h[u, w] + shift + edge(v, w)) for w in near[v]), np.zeros(self.d))
                elif part == "folklore1":
                    s[u, v] = sum((relu(b @ h[w, v] + shift + c @ h[u, w] + more + edge(u, w)) for w in near[u]), np.zeros(self.d))
                elif part == "folklore2":
                    s[u, v] = sum((relu(b @ h[u, w] + shift + c @ h[w, v] + more + edge(v, w)) for w in near[v]), np.zeros(self.d))
                elif part == "global1":
                    s[u, v] = h[:, v].sum(0)
                elif part == "global2":
                    s[u, v] = h[u].sum(0)
                else:
                    s[u, v] = h[v, v] if part == "diagonal1" else h[u, u]
        return s

    def input(self, g):
        n, bound = len(g), self.bound
        distance = dict(nx.all_pairs_shortest_path_length(g))
        a = np.array([self.w["input.vertex.table"][self.labels[g.nodes[v]["label"]]] for v in range(n)])
        h = np.array([[a[v] for v in range(n)] for u in range(n)])
        if bound:
            h += [[self.w["input.distance.table"][min(distance[u].get(v, bound), bound)] for v in range(n)] for u in range(n)]
        reals = ([walks(g, self.steps)] if self.steps else []) + ([resistances(g)[..., None]] if self.resistance else [])
        if reals:
            h += np.concatenate(reals, 2) @ self.w["input.pair.weight"].T + self.w["input.pair.bias"][0]
        return h

    def pairs(self, g):
        """h[u, v] after the last layer."""
        h = self.input(g)
        for layer in range(1, self.layers + 1):
            mapped = []
            for part in self.parts:
                name = f"layer{layer}.{part}"
                z = (1 + self.w[name + ".epsilon"][0, 0]) * h + self.sums(g, layer, part, h)
                mapped.append(z @ self.w[name + ".linear1.weight"].T)
            h = self.second_half(f"layer{layer}", np.concatenate(mapped, 2))
        return h

    def vertices(self, g):
        """x[u]."""
        return self.second_half("readout", self.pairs(g).sum(1) @ self.w["readout.linear1.weight"].T)

    def head(self, x):
        y = relu(x @ self.w["head.linear1.weight"].T + self.w["head.linear1.bias"][0])
        return y @ self.w["head.linear2.weight"].T + self.w["head.linear2.bias"][0]

    def output(self, g):
        return self.head(self.vertices(g).mean(0))


class PairNetworks(unittest.TestCase):
    def test_definition(self):
        data = graphs()
        y = np.random.default_rng(3).normal(size=(len(data), 2))
        for name, parts in PARTS.items():
            with self.subTest(name):
                network = leman.nn.GraphNetwork(name, layers=2, width=5, epochs=3, batch_size=4, random_state=1, device="cpu")
                network.fit(data, y, validation=[0, 3])
                described = network.describe()
                self.assertEqual(described["method"], name)
                labels = {key[0]: i for i, key in enumerate(described["vertex_labels"])}
                edge_labels = {key[0]: i for i, key in enumerate(described["edge_labels"])}
                slow = Definition(network, network.state_dict(), parts, labels, edge_labels)
                found = network.predict(data)
                expected = np.array([slow.output(g) for g in data])
                np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)
                self.assertGreater(np.ptp(expected[:, 0]), 1e-3)  # graphs differ, so that equal outputs say something

    def test_parameters(self):
        """The published number, with 32 labels of vertices and 5 of edges."""
        g = nx.path_graph(33)
        nx.set_node_attributes(g, {v: v % 32 for v in g}, "label")
        nx.set_edge_attributes(g, {e: i % 5 for i, e in enumerate(g.edges)}, "label")
        for name in ("Local-2-GNN", "Local-2-FGNN"):
            network = leman.nn.GraphNetwork(name, device="cpu").initialize([g, g], outputs=1)
            self.assertEqual(network.n_parameters_, 495188)

    def test_encodings(self):
        """Networks with encodings of pairs against their definition, on undirected and directed graphs."""
        y = np.random.default_rng(3).normal(size=(8, 1))
        for text, bound, steps, resistance in (("distance:2", 2, 0, False), ("walk:4", 0, 4, False), ("resistance", 0, 0, True),
                                               ("resistance,Walk,distance:9", 9, 16, True), ("None", 0, 0, False)):
            for data in (graphs(), directed_graphs()):
                with self.subTest(text, directed=data[0].is_directed()):
                    network = leman.nn.GraphNetwork("Local-2-GNN", layers=2, width=5, epochs=3, batch_size=4, random_state=1, device="cpu",
                                                    encodings=text)
                    network.fit(data, y, validation=[0, 3])
                    described = network.describe()
                    self.assertEqual(described["encodings"], ",".join(([f"distance:{bound}"] if bound else []) + ([f"walk:{steps}"] if steps else []) +
                                                                      (["resistance"] if resistance else [])) or "none")
                    labels = {key[0]: i for i, key in enumerate(described["vertex_labels"])}
                    edge_labels = {key[0]: i for i, key in enumerate(described["edge_labels"])}
                    slow = Definition(network, network.state_dict(), PARTS["Local-2-GNN"], labels, edge_labels, bound, steps, resistance)
                    np.testing.assert_allclose(network.predict(data).reshape(-1, 1), np.array([slow.output(g) for g in data]), rtol=2e-4, atol=2e-5)

    def test_reals_of_pairs(self):
        """What networks read is the definition in 64 bits, rounded once to 32: on large graphs, trees and graphs in parts too."""
        made = [nx.path_graph(120), nx.random_labeled_tree(60, seed=2), nx.gnp_random_graph(70, 0.02, seed=4), nx.complete_graph(9),
                nx.barbell_graph(20, 15)]
        made += [nx.gnp_random_graph(40, 0.06, seed=i, directed=True).to_directed() for i in range(2)]
        for data in (made[:5], made[5:]):
            network = leman.nn.GraphNetwork("Local-2-GNN", layers=1, width=3, encodings="walk:20,resistance", device="cpu").initialize(data)
            found, at = network.encode(data)["tuple_attribute"], 0
            for g in data:
                n = len(g)
                rows = found[at:at + n * n].reshape(n, n, 21)
                expected = np.concatenate([walks(g, 20), resistances(g)[..., None]], 2)
                np.testing.assert_allclose(rows, expected, rtol=1.2e-7, atol=2e-13 * n * n)
                at += n * n
            self.assertEqual(at, len(found))

    def test_published_encoding(self):
        """distance:5 is the published network: the same weights, the same predictions, the same file but for its times."""
        y, bits = np.arange(8.0), []
        for encodings in (None, "distance:5", "distance"):
            network = leman.nn.GraphNetwork("Local-2-FGNN", layers=1, width=4, epochs=2, random_state=3, device="cpu", encodings=encodings)
            network.fit(graphs(), y, validation=[0, 3])
            self.assertEqual(network.describe()["encodings"], "distance:5")
            bits.append([network.predict(graphs()).tobytes(), *(value.tobytes() for value in network.state_dict().values())])
        self.assertEqual(bits[0], bits[1])
        self.assertEqual(bits[0], bits[2])

    def test_files(self):
        """A file keeps the encodings, and a run resumes only with its own."""
        y = np.arange(8.0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.lmn")
            common = dict(layers=1, width=4, random_state=3, device="cpu", checkpoint=path)
            first = leman.nn.GraphNetwork("SSWL+", epochs=2, encodings="walk:7,resistance", **common).fit(graphs(), y, validation=[0, 3])
            read = leman.nn.GraphNetworkRegressor.load(path)
            self.assertEqual(read.encodings, "walk:7,resistance")
            np.testing.assert_array_equal(read.predict(graphs()), first.predict(graphs()))
            for other, words in ((None, "walk:7,resistance, expected distance:5"), ("walk:8,resistance", "expected walk:8,resistance")):
                with self.assertRaisesRegex(leman.Error, words):
                    leman.nn.GraphNetwork("SSWL+", epochs=4, encodings=other, resume=True, **common).fit(graphs(), y, validation=[0, 3])
            on = leman.nn.GraphNetwork("SSWL+", epochs=4, encodings="resistance,walk:7", resume=True, **common).fit(graphs(), y, validation=[0, 3])
            whole = leman.nn.GraphNetwork("SSWL+", epochs=4, encodings="walk:7,resistance", **{**common, "checkpoint": None})
            whole.fit(graphs(), y, validation=[0, 3])
            np.testing.assert_array_equal(on.predict(graphs()), whole.predict(graphs()))

    @package.needs("torch")
    def test_torch(self):
        from leman.nn.torch import Network
        network = leman.nn.GraphNetwork("Local-2-FGNN", layers=2, width=5, epochs=2, device="cpu", encodings="distance:3,walk:4,resistance")
        network.fit(graphs(), np.arange(8.0), validation=[0, 3])
        np.testing.assert_allclose(Network.from_network(network).predict(graphs()), network._outputs(graphs()), rtol=2e-4, atol=2e-5)

    def test_encodings_of_evaluate(self):
        """Pair networks that are given by name have the encodings of evaluate(), as a GraphNetwork with them has."""
        data, y = graphs(), np.arange(8.0)
        common = dict(y=y, repetitions=1, folds=2, device="cpu")
        network = leman.nn.GraphNetwork("Local-2-GNN", "zinc", layers=1, width=4, epochs=2, encodings="walk:3")
        expected = leman.evaluate(data, [network], **common).results[0].scores
        named = leman.evaluate(data, ["Local-2-GNN", "GIN-eps"], epochs=2, layers=1, width=4, encodings="walk:3", **common)
        np.testing.assert_array_equal(named.results[0].scores, expected)
        usual = leman.compare(data, ["Local-2-GNN", "GIN-eps"], epochs=2, layers=1, width=4, **common).evaluation.results
        self.assertTrue(np.any(usual[0].scores != expected))
        np.testing.assert_array_equal(usual[1].scores, named.results[1].scores)
        with self.assertRaisesRegex(leman.ArgumentError, "encodings: found 'walk:3', which has no effect"):
            leman.evaluate(data, ["GIN-eps", "1-WL"], encodings="walk:3", **common)
        with self.assertRaisesRegex(leman.ArgumentError, "found 'degree'"):
            leman.evaluate(data, ["Local-2-GNN"], encodings="degree", **common)

    def test_bad_encodings(self):
        for text in ("", "walk:0", "walk:1001", "walk:", "walk:4,walk:4", "resistance:3", "distance:5,", "degree", "walk:-1", "walk:00004"):
            with self.subTest(text), self.assertRaisesRegex(ValueError, "encodings of pairs: found '" + text):
                leman.nn.GraphNetwork("Local-2-GNN", epochs=1, device="cpu", encodings=text).fit(graphs(), np.arange(8.0))
        for name in ("delta-2-LGNN", "GIN-eps", "Message-Passing", "PPGN", "1-2-GNN"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, f"found encodings of pairs for {name}, expected a pair network"):
                leman.nn.GraphNetwork(name, epochs=1, device="cpu", encodings="walk:4").fit(graphs(), np.arange(8.0))

    def test_bad_parts(self):
        for name in ("pairs", "pairs:local3", "pairs:local1+local1", "Local-2-GNN:local1"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, "found '"):
                leman.nn.GraphNetwork(name, epochs=1, device="cpu").fit(graphs(), np.arange(8.0))


if __name__ == "__main__":
    package.main()
