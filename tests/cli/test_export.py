#!/usr/bin/env python3
"""leman train --export: the file alone is enough to build the network again, in NumPy, with the same predictions; with
--epochs 0 it has the initial weights and the order of the first epoch."""
import csv
import json
import math
import struct
import subprocess
import zipfile

import program
from program import Case

# Reads a TU folder and an export, prints the predictions. It knows of the network what docs/networks.md says of the file.
REBUILD = r"""
import json, sys, numpy as np
folder, name, path = sys.argv[1:]
export = np.load(path)
net = json.loads(export["network.json"])
lines = lambda end: [[int(x) for x in line.split(",")] for line in open(f"{folder}/{name}_{end}.txt")]
owner = np.array(lines("graph_indicator"))[:, 0] - 1
vertex_label = [tuple(x) for x in lines("node_labels")]
edge_label = [tuple(x) for x in lines("edge_labels")]
arcs = [(u - 1, v - 1, label) for (u, v), label in zip(lines("A"), edge_label)]
number = {tuple(key[:-1]): i for i, key in enumerate(net["vertex_labels"]) if key[-1] == 0}   # the last: no self-loop
edge_number = {tuple(key): i for i, key in enumerate(net["edge_labels"])}
key = lambda relation: relation if relation == "same" else tuple(relation)
types = {(*t["labels"], key(t["relations"][0])): i for i, t in enumerate(net["types"])}

def graph(g):
    first = int(np.flatnonzero(owner == g)[0])
    n = int((owner == g).sum())
    adjacency = np.zeros((n, n))
    between = {}
    for u, v, label in arcs:
        if owner[u] == g:
            adjacency[u - first, v - first] = 1
            between[u - first, v - first] = edge_number[label]
    labels = [number[vertex_label[first + v]] for v in range(n)]
    pairs = [types[labels[u], labels[v], "same" if u == v else (between.get((u, v)), between.get((v, u)))]
             for u in range(n) for v in range(n)] if types else []
    return n, adjacency, {"vertex type": labels, "tuple type": pairs}

ACTIVATION = {"identity": lambda x: x, "relu": lambda x: np.maximum(x, 0)}

def sums(position, value, n, adjacency, rows):
    if rows == "vertices":
        return adjacency @ value
    cube = value.reshape(n, n, -1)
    return np.einsum("uw,wvd->uvd" if position == 0 else "vw,uwd->uvd", adjacency, cube).reshape(value.shape)

def predict(g):
    n, adjacency, index = graph(g)
    count = {"vertices": n, "tuples": n * n, "graphs": 1}
    root = {}
    def place(i):
        v = net["values"][i]
        whole = net["values"][v["columns_of"]]
        if v["columns_of"] not in root:
            root[v["columns_of"]] = np.zeros((count[whole["rows"]], whole["width"]))
        return root[v["columns_of"]][:, v["column"]:v["column"] + v["width"]]
    for step in net["steps"]:
        weights = [None if w is None else np.asarray(export[w], float) for w in step["weights"]] + [None] * 4
        reads = [None if i is None else place(i) for i in step["reads"]] + [None] * 4
        do = step["operation"]
        if do == "embed":
            y = weights[0][index[step["looks_up"]]]
        elif do == "linear":
            y = reads[0] @ weights[0].T + (0 if weights[1] is None else weights[1])
        elif do == "add":
            y = reads[0] + (0 if reads[1] is None else reads[1]) + (0 if weights[0] is None else weights[0])
        elif do == "neighbors":
            epsilon = 0 if weights[0] is None else weights[0]
            rows = net["values"][step["reads"][0]]["rows"]
            assert step["over"] == "leaving"
            y = (1 + epsilon) * reads[0] + sums(step["position"], reads[0], n, adjacency, rows)
            y = y + (0 if weights[1] is None else weights[1])
        elif do == "pair_sums":   # along both components
            assert step["over"] == "leaving"
            second = (1 + (0 if weights[1] is None else weights[1])) * reads[0] + sums(1, reads[0], n, adjacency, "tuples")
            place(step["writes"][1])[...] = second
            y = (1 + (0 if weights[0] is None else weights[0])) * reads[0] + sums(0, reads[0], n, adjacency, "tuples")
        elif do == "norm":
            scale, shift, mean, variance = weights[:4]
            y = scale * (reads[0] - mean) / np.sqrt(variance + 1e-5) + shift
        elif do == "pool":
            y = reads[0].mean(0, keepdims=True) if step["rate"] == 1 else reads[0].sum(0, keepdims=True)
        elif do == "dropout":
            y = reads[0]
        else:
            assert do in ("l1", "cross_entropy"), do   # the loss
            break
        place(step["writes"][0])[...] = ACTIVATION[step["activation"]](y)
    y = place(net["prediction"])[0]
    if net["learns"] == "classes":
        y = np.exp(y - y.max())
        return list(y / y.sum())
    return list(y * net["deviation"] + net["mean"] if net["scaled"] else y)

print(json.dumps([predict(g) for g in range(owner.max() + 1)]))
"""


def arrays(path):
    """name -> (shape, numbers) of the arrays of 32-bit floats or unsigned integers in an .npz."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            if not name.endswith(".npy"):
                continue
            size = int.from_bytes(content[8:10], "little")
            head = eval(content[10:10 + size].decode())
            kind = {"<f4": "f", "<u4": "I"}[head["descr"]]
            count = math.prod(head["shape"])
            found[name[:-4]] = (head["shape"], struct.unpack(f"<{count}{kind}", content[10 + size:]))
        found["network"] = json.loads(archive.read("network.json"))
    return found


class Export(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("M")
        self.succeeds("generate", "molecules", "--graphs", "30", "--vertices", "12", "-o", self.data, "-q")

    @program.needs("python")
    def test_rebuilt_in_numpy(self):
        python = self.python_with("numpy")
        script, net, out = self.write("rebuild.py", REBUILD.encode()), self.path("net.lmn"), self.path("w.npz")
        for model, learned in (("GIN-0", ("--classes",)), ("GIN-eps", ("--target", "0", "--preset", "zinc")),
                               ("GIN-eps", ("--target", "0", "--preset", "zinc", "--scale-targets", "yes")),
                               ("delta-2-LGNN", ("--target", "0", "--preset", "zinc"))):
            self.succeeds("train", self.data, "-a", model, "--layers", "2", "--width", "8", "--epochs", "4", *learned,
                          "--checkpoint", net, "--export", out, "-q")
            table = self.succeeds("predict", "--model", net, self.data, "-q", "-o", "-").stdout
            rows = list(csv.DictReader(table.splitlines()))
            columns = [c for c in rows[0] if c.startswith(("probability_", "target_"))]
            expected = [[float(row[c]) for c in columns] for row in rows]
            result = subprocess.run([python, script, self.data, "M", out], capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, result.stderr)
            found = json.loads(result.stdout)
            self.assertEqual(len(found), 30)
            for a, b in zip(found, expected):
                for x, y in zip(a, b, strict=True):
                    self.assertAlmostEqual(x, y, delta=1e-5 * max(1, abs(y)))

    def test_initial_weights(self):
        """What the first epoch begins with: the same for any number of epochs to come, with the order of the epoch."""
        out, again = self.path("w.npz"), self.path("v.npz")
        shown = self.json("train", self.data, "-a", "GIN-eps", "--layers", "2", "--width", "8", "--epochs", "0",
                          "--export", out, "--target", "0")
        found = arrays(out)
        net = found["network"]
        self.assertEqual((net["epoch"], net["learns"], net["columns"], net["seed"]), (0, "targets", [0], 1))
        self.assertEqual(sum(math.prod(found[w["name"]][0]) for w in net["weights"] if w["learned"]), shown["parameters"])
        shape, numbers = found["layer2.linear1.weight"]
        self.assertEqual(shape, (8, 8))
        self.assertTrue(all(abs(x) <= 1 / math.sqrt(8) for x in numbers))
        self.assertGreater(max(numbers), 0.2)
        shape, order = found["order"]
        self.assertEqual(shape, (24,))
        self.assertEqual(len(set(order)), 24)
        self.succeeds("train", self.data, "-a", "GIN-eps", "--layers", "2", "--width", "8", "--epochs", "0", "--export",
                      again, "--target", "0", "--seed", "2", "-q")
        self.assertNotEqual(arrays(again)["layer2.linear1.weight"], found["layer2.linear1.weight"])
        self.assertNotEqual(arrays(again)["order"], found["order"])

    def test_labels_and_types(self):
        """In the order of their first appearance: training graphs first."""
        out = self.path("w.npz")
        self.write("train", b"7,3,11\n")
        self.write("val", b"0\n")
        shown = self.json("train", self.data, "-a", "delta-2-LGNN", "--layers", "1", "--width", "2", "--epochs", "0",
                          "--export", out, "--train", self.path("train"), "--val", self.path("val"))
        net = arrays(out)["network"]
        self.assertEqual(len(net["types"]), shown["types"])
        with open(self.data + "/M_graph_indicator.txt", encoding="ascii") as file:
            owner = [int(line) for line in file]
        with open(self.data + "/M_node_labels.txt", encoding="ascii") as file:
            labels = [int(line) for line in file]
        first = [label for label, graph in zip(labels, owner) if graph == 8]
        self.assertEqual(net["vertex_labels"][0], [first[0], 0])
        seen = list(dict.fromkeys(first))
        self.assertEqual([key[0] for key in net["vertex_labels"]][:len(seen)], seen)
        self.assertEqual(net["types"][0], {"labels": [0, 0], "relations": ["same"]})


if __name__ == "__main__":
    program.main()
