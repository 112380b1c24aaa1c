"""Set networks against PyTorch in float64, from the weights that `leman train --export` writes (torch_sets.py)."""
import csv
import json
import os
import random
import subprocess

import program

SIZES = {"gnn12": "2", "gnn13": "3", "gnn123": "23"}


def molecule(rng):
    """A connected graph of 1 to 7 labelled vertices with positions and two features each."""
    count = rng.choice((1, 2, 4, 5, 6, 7))
    pairs = {(rng.randrange(w), w) for w in range(1, count)}
    pairs |= {pair for pair in ((u, w) for w in range(count) for u in range(w)) if rng.random() < 0.2}
    return {"labels": [rng.randrange(3) for _ in range(count)], "edges": [(u, w, rng.randrange(2)) for u, w in sorted(pairs)],
            "features": [[round(rng.gauss(0, 1), 3) for _ in range(2)] for _ in range(count)],
            "positions": [[round(rng.gauss(0, 1), 3) for _ in range(3)] for _ in range(count)],
            "targets": [round(rng.gauss(0, 2), 3) for _ in range(2)]}


class Torch(program.Case):
    def made(self, graphs):
        """The graphs as a TU folder: an attribute line is two features, then the position."""
        first, text = 0, {name: "" for name in ("A", "edge_labels", "graph_indicator", "node_labels", "node_attributes",
                                                "graph_attributes")}
        for number, graph in enumerate(graphs):
            for u, w, bond in graph["edges"]:
                for a, b in ((u, w), (w, u)):
                    text["A"] += f"{first + a + 1}, {first + b + 1}\n"
                    text["edge_labels"] += f"{bond}\n"
            for label, features, position in zip(graph["labels"], graph["features"], graph["positions"]):
                text["graph_indicator"] += f"{number + 1}\n"
                text["node_labels"] += f"{label}\n"
                text["node_attributes"] += ", ".join(map(str, features + position)) + "\n"
            text["graph_attributes"] += ", ".join(map(str, graph["targets"])) + "\n"
            first += len(graph["labels"])
        return self.tu("M", **text)

    @program.needs("python")
    def test_set_networks(self):
        python = self.python_with("torch", "numpy")
        rng = random.Random(5)
        graphs = [molecule(rng) for _ in range(14)]
        data, order = self.made(graphs), list(range(14))
        rng.shuffle(order)  # numbered by their first appearance: training, validation, test
        for name, part in (("train", order[:8]), ("val", order[8:11]), ("test", order[11:])):
            self.write(name, ",".join(map(str, part)))
        given = self.write("graphs.json", json.dumps({"order": order, "graphs": [graphs[i] for i in order]}))
        for model, sizes in SIZES.items():
            weights, checkpoint, out = self.path("w.npz"), self.path("net.lmn"), self.path("p.csv")
            trained = self.json("train", data, "-a", model, "--preset", "qm9", "--coordinates", "2-4", "--target", "0,1",
                                "--width", "8", "--epochs", "3", "--batch", "3", "--train", self.path("train"), "--val",
                                self.path("val"), "--test", self.path("test"), "--export", weights, "--checkpoint", checkpoint,
                                "--quiet")
            self.succeeds("predict", "--model", checkpoint, data, "-o", out, "--quiet")
            with open(out, newline="", encoding="utf-8") as file:
                ours = [[float(row["target_0"]), float(row["target_1"])] for row in csv.DictReader(file)]
            script = os.path.join(program.SOURCE, "tests", "cli", "torch_sets.py")
            run = subprocess.run([python, script, given, weights, sizes], capture_output=True, text=True, check=True)
            theirs = json.loads(run.stdout)
            self.assertEqual(len(theirs), len(ours))
            for mine, yours in zip(ours, theirs):
                for scale, a, b in zip(trained["targets"], mine, yours):
                    self.assertLess(abs((a - scale["mean"]) / scale["deviation"] - b), 1e-5 * max(1, abs(b)), model)


if __name__ == "__main__":
    program.main()
