#!/usr/bin/env python3
"""Networks against PyTorch: trained here, weights by --export, predictions by leman predict; the same weights in double
precision by torch_networks.py. Skipped where no Python has torch."""
import csv
import json
import os
import random
import subprocess

import program
from program import Case

LABELS, GRAPHS, LAYERS = 3, 24, 2


def some_graphs():
    """The first has the labels in their order, the second one vertex, the third no edges."""
    pick, graphs = random.Random(5), []
    for g in range(GRAPHS):
        n = (4, 1, 3)[g] if g < 3 else pick.randint(2, 7)
        edges = [[u, v, pick.randrange(LABELS)] for u in range(n) for v in range(u + 1, n) if pick.random() < 0.5]
        edges = ([[0, 1, 0], [1, 2, 1], [2, 3, 2]], [], [])[g] if g < 3 else edges
        graphs.append({"n": n, "edges": edges, "reals": [[round(pick.uniform(-1, 1), 4) for _ in range(5)] for _ in range(n)]})
    return graphs


@program.needs("python")
class Torch(Case):
    def setUp(self):
        super().setUp()
        self.python = self.python_with("torch")
        self.graphs, pick = some_graphs(), random.Random(6)
        arcs, labels, indicator, reals, first = [], [], [], [], 1
        for g, graph in enumerate(self.graphs):
            for u, v, label in graph["edges"]:
                arcs += [f"{first + u}, {first + v}", f"{first + v}, {first + u}"]
                labels += [str(label)] * 2
            indicator += [str(g + 1)] * graph["n"]
            reals += [", ".join(map(str, row)) for row in graph["reals"]]
            first += graph["n"]
        text = {"A": arcs, "edge_labels": labels, "graph_indicator": indicator, "node_attributes": reals,
                "graph_attributes": [f"{pick.uniform(2, 5)}, {pick.gauss(0, 30)}" for _ in self.graphs]}
        self.data = self.tu("t", **{name: "\n".join(lines) + "\n" for name, lines in text.items()})
        self.part = self.write("part", "\n".join(map(str, range(GRAPHS))) + "\n")

    def compare(self, kind, width):
        net, weights, out = self.path("net.lmn"), self.path("weights.npz"), self.path("out.csv")
        result = self.json("train", self.data, "-a", kind, "--preset", "qm9", "--coordinates", "2-4", "--layers", str(LAYERS),
                           "--width", str(width), "--epochs", "3", "--batch", "5", "--train", self.part, "--val", self.part,
                           "--checkpoint", net, "--export", weights, "-t", "1")
        self.assertEqual(result["model"], kind)
        self.succeeds("predict", "--model", net, self.data, "-o", out, "-t", "1")
        asked = self.write("graphs.json", json.dumps({"labels": LABELS, "layers": LAYERS, "graphs": self.graphs}))
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch_networks.py")
        done = subprocess.run([self.python, script, kind, asked, weights], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
        columns = [c for c in rows[0] if c.startswith("target")]
        self.assertEqual((len(rows), len(columns)), (GRAPHS, 2), rows[0])
        for row, theirs in zip(rows, json.loads(done.stdout)):
            for t, (column, y) in enumerate(zip(columns, theirs)):
                scale = result["targets"][t]
                found = (float(row[column]) - scale["mean"]) / scale["deviation"]
                self.assertLess(abs(found - y), 1e-5 * max(1, abs(y)), f"{kind}, graph {row}, target {t}: {y}")

    def test_mpnn(self):
        self.compare("mpnn", 12)

    def test_ppgn(self):
        self.compare("ppgn", 20)


if __name__ == "__main__":
    program.main()
