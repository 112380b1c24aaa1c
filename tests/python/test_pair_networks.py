"""Pair networks against their definition in NumPy: loops over pairs and neighbours, 64-bit floats, with the weights of the library."""
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


def relu(x):
    return np.maximum(x, 0)


class Definition:
    """A network in prediction: norms use their running statistics."""

    def __init__(self, network, weights, parts, labels, edge_labels):
        self.w = {name: np.asarray(value, np.float64) for name, value in weights.items()}
        self.parts, self.layers, self.d = parts, network.layers, network.width
        self.labels, self.edge_labels = labels, edge_labels

    def norm(self, name, x):
        w = self.w
        y = (x - w[name + ".mean"][0]) / np.sqrt(w[name + ".variance"][0] + 1e-5)
        return y * w[name + ".scale"][0] + w[name + ".shift"][0]

    def half(self, name, z):
        return relu(self.norm(name + ".norm1", z @ self.w[name + ".linear1.weight"].T))

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
                    s[u, v] = sum((relu(b @ h[u, w] + shift + edge(w, v)) for w in near[v]), np.zeros(self.d))
                elif part == "folklore1":
                    s[u, v] = sum((relu(b @ h[w, v] + shift + c @ h[u, w] + more + edge(u, w)) for w in near[u]), np.zeros(self.d))
                elif part == "folklore2":
                    s[u, v] = sum((relu(b @ h[u, w] + shift + c @ h[w, v] + more + edge(w, v)) for w in near[v]), np.zeros(self.d))
                elif part == "global1":
                    s[u, v] = h[:, v].sum(0)
                elif part == "global2":
                    s[u, v] = h[u].sum(0)
                else:
                    s[u, v] = h[v, v] if part == "diagonal1" else h[u, u]
        return s

    def pairs(self, g):
        """h[u, v] after the last layer."""
        n = len(g)
        distance = dict(nx.all_pairs_shortest_path_length(g))
        a = np.array([self.w["input.vertex.table"][self.labels[g.nodes[v]["label"]]] for v in range(n)])
        h = np.array([[a[v] + self.w["input.distance.table"][min(distance[u].get(v, 5), 5)] for v in range(n)] for u in range(n)])
        for layer in range(1, self.layers + 1):
            halves = []
            for part in self.parts:
                name = f"layer{layer}.{part}"
                z = (1 + self.w[name + ".epsilon"][0, 0]) * h + self.sums(g, layer, part, h)
                halves.append(self.half(name, z))
            h = relu(self.norm(f"layer{layer}.norm", np.concatenate(halves, 2) @ self.w[f"layer{layer}.linear2.weight"].T))
        return h

    def vertices(self, g):
        """x[u]."""
        return relu(self.norm("readout.norm", self.half("readout", self.pairs(g).sum(1)) @ self.w["readout.linear2.weight"].T))

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

    def test_bad_parts(self):
        for name in ("pairs", "pairs:local3", "pairs:local1+local1", "Local-2-GNN:local1"):
            with self.subTest(name), self.assertRaisesRegex(ValueError, "found '"):
                leman.nn.GraphNetwork(name, epochs=1, device="cpu").fit(graphs(), np.arange(8.0))


if __name__ == "__main__":
    package.main()
