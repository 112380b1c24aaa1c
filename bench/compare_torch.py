#!/usr/bin/env python3
"""compare_torch.py BUILD [DATA.zip] [--model local|gine] [--target T] [--width D] [--epochs E] [--seed S]: the same
network by leman train and by PyTorch.

Both train the network of the zinc preset on the same graphs (batches of 25, Adam at 0.001, the mean absolute error) and
validate on the same tenth; the random numbers are each program's own, so curves agree in kind, not in digits. Printed
for every epoch: the loss in training and the validation error; at the end seconds of processor time on one core, ours with
reading the file and finding the types. PyTorch gets its tuple graphs as lists of edges that are made before the clock
starts. Without PyTorch or data it prints a message and exits with 0."""
import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.path.join(os.environ.get("LEMAN_DATA", os.path.join(ROOT, "..", "shared", "data")), "ZINC_10k.zip")
BATCH, RATE, LAYERS = 25, 1e-3, 4


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default=os.path.join(ROOT, "build"))
    parser.add_argument("data", nargs="?", default=DATA)
    parser.add_argument("--model", choices=("local", "gine"), default="local")
    parser.add_argument("--target", type=int, default=0)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


# ---- Data


class Graphs:
    """Vertices, labelled arcs and one target of every graph of a TU zip."""

    def __init__(self, path, target):
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()

            def column(name, kind=int):
                member = [n for n in names if n.endswith("_" + name + ".txt")][0]
                text = archive.read(member).decode().replace(",", " ").splitlines()
                return np.array([[kind(word) for word in line.split()] for line in text if line.strip()])

            arcs, of = column("A") - 1, column("graph_indicator")[:, 0] - 1
            label = np.unique(column("node_labels")[:, 0], return_inverse=True)[1]
            bond = np.unique(column("edge_labels")[:, 0], return_inverse=True)[1]
            self.y = column("graph_attributes", float)[:, target].astype(np.float32)
        order = np.argsort(of[arcs[:, 0]], kind="stable")
        arcs, bond = arcs[order], bond[order]
        starts = np.searchsorted(of, np.arange(len(self.y) + 1))
        ends = np.searchsorted(of[arcs[:, 0]], np.arange(len(self.y) + 1))
        self.labels, self.bonds = int(label.max()) + 1, int(bond.max()) + 1
        self.label = [label[a:b] for a, b in zip(starts, starts[1:])]
        self.arcs = [arcs[a:b] - starts[g] for g, (a, b) in enumerate(zip(ends, ends[1:]))]
        self.bond = [bond[a:b] for a, b in zip(ends, ends[1:])]

    def pairs(self, types):
        """For each graph the types of its ordered pairs, and for both components the arcs between pairs."""
        rows = []
        for label, arcs, bond in zip(self.label, self.arcs, self.bond):
            n = len(label)
            relation = np.ones((n, n), int)
            relation[arcs[:, 0], arcs[:, 1]] = 2 + bond
            relation[np.arange(n), np.arange(n)] = 0
            code = (label[:, None] * 1000 + label) * 100 + relation
            kind = np.array([types.setdefault(c, len(types)) for c in code.reshape(-1).tolist()])
            all_v, tail, head = np.arange(n), arcs[:, 0], arcs[:, 1]
            rows.append((kind, (tail[:, None] * n + all_v).reshape(-1), (head[:, None] * n + all_v).reshape(-1),
                         (all_v[:, None] * n + tail).reshape(-1), (all_v[:, None] * n + head).reshape(-1)))
        return rows

    def vertices(self):
        return [(label, arcs[:, 0], arcs[:, 1], bond) for label, arcs, bond in zip(self.label, self.arcs, self.bond)]


def batch(rows, y, which, shifted):
    """Rows of several graphs behind each other; the columns in `shifted` number rows."""
    sizes = [len(rows[g][0]) for g in which]
    first = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    columns = [torch.from_numpy(np.concatenate([rows[g][c] + (first[i] if c in shifted else 0)
                                                for i, g in enumerate(which)])) for c in range(len(rows[0]))]
    return columns, torch.from_numpy(np.repeat(np.arange(len(which)), sizes)), torch.from_numpy(y[which])


# ---- The networks, as the paper's programs have them


def two_maps(a, b, c):
    return torch.nn.Sequential(torch.nn.Linear(a, b), torch.nn.ReLU(), torch.nn.Linear(b, c))


def make_local(types, d):
    class Layer(torch.nn.Module):
        def __init__(self, inputs):
            super().__init__()
            self.table = inputs == types
            self.first = torch.nn.ModuleList(torch.nn.Linear(inputs, d) for _ in range(2))
            self.second = torch.nn.ModuleList(torch.nn.Linear(d, d) for _ in range(2))
            self.epsilon = torch.nn.Parameter(torch.zeros(2))
            self.merge, self.norm = two_maps(2 * d, d, d), torch.nn.BatchNorm1d(d)

        def forward(self, x, arcs):
            sides = []
            for j in range(2):
                own = self.first[j].weight.t()[x] if self.table else x
                z = ((1 + self.epsilon[j]) * own).index_add(0, arcs[2 * j + 1], own[arcs[2 * j]])
                z = z + self.first[j].bias if self.table else self.first[j](z)
                sides.append(torch.relu(self.second[j](torch.relu(z))))
            return self.norm(self.merge(torch.cat(sides, 1)))

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList(Layer(d if t else types) for t in range(LAYERS))
            self.head = make_head(d)

        def forward(self, columns, of, graphs):
            x, outputs = columns[0], []
            for layer in self.layers:
                x = layer(x, columns[1:])
                outputs.append(x)
            return self.head(pool(torch.cat(outputs, 1), of, graphs))[:, 0]

    return Network()


def make_gine(labels, bonds, d):
    class Layer(torch.nn.Module):
        def __init__(self, inputs):
            super().__init__()
            self.edges, self.vertices = two_maps(bonds, inputs, inputs), two_maps(inputs, inputs, d)
            self.epsilon = torch.nn.Parameter(torch.zeros(1))

        def forward(self, x, tail, head, bond):
            message = torch.relu(x[tail] + self.edges(torch.eye(bonds))[bond])
            return self.vertices(((1 + self.epsilon) * x).index_add(0, head, message))

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList(Layer(d if t else labels) for t in range(LAYERS - 1))  # the last is used twice
            self.norms = torch.nn.ModuleList(torch.nn.BatchNorm1d(d) for _ in range(LAYERS))
            self.head = make_head(d)

        def forward(self, columns, of, graphs):
            x, outputs = torch.eye(labels)[columns[0]], []
            for t in range(LAYERS):
                x = self.norms[t](torch.relu(self.layers[min(t, LAYERS - 2)](x, *columns[1:])))
                outputs.append(x)
            return self.head(pool(torch.cat(outputs, 1), of, graphs))[:, 0]

    return Network()


def make_head(d):
    return torch.nn.Sequential(torch.nn.Linear(LAYERS * d, d), torch.nn.ReLU(), torch.nn.Linear(d, d), torch.nn.ReLU(),
                               torch.nn.Linear(d, d), torch.nn.ReLU(), torch.nn.Linear(d, 1))


def pool(x, of, graphs):
    count = torch.bincount(of, minlength=graphs).to(x.dtype)
    return torch.zeros(graphs, x.shape[1]).index_add(0, of, x) / count[:, None]


# ---- Training


def run_torch(options, graphs, train, val):
    torch.manual_seed(options.seed)
    random = np.random.default_rng(options.seed)
    types = {}
    rows, shifted = (graphs.pairs(types), (1, 2, 3, 4)) if options.model == "local" else (graphs.vertices(), (1, 2))
    network = make_local(len(types), options.width) if types else make_gine(graphs.labels, graphs.bonds, options.width)
    steps = torch.optim.Adam(network.parameters(), lr=RATE)
    yield sum(p.numel() for p in network.parameters())
    for _ in range(options.epochs):
        began, losses, error = time.process_time(), 0.0, 0.0
        network.train()
        order = random.permutation(train)
        for at in range(0, len(order), BATCH):
            columns, of, y = batch(rows, graphs.y, order[at : at + BATCH], shifted)
            steps.zero_grad()
            loss = (network(columns, of, len(y)) - y).abs().mean()
            loss.backward()
            steps.step()
            losses += loss.item() * len(y)
        network.eval()
        with torch.no_grad():
            for at in range(0, len(val), BATCH):
                columns, of, y = batch(rows, graphs.y, val[at : at + BATCH], shifted)
                error += (network(columns, of, len(y)) - y).abs().sum().item()
        yield losses / len(train), error / len(val), time.process_time() - began


def run_leman(options, train, val):
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("train.index", "val.index", "log.csv")]
        for path, part in zip(files, (train, val)):
            with open(path, "w", encoding="ascii") as file:
                print(*part, sep=",", file=file)
        subprocess.run([os.path.join(options.build, "leman"), "train", options.data, "--model", options.model, "--preset", "zinc",
                        "--target", str(options.target), "--width", str(options.width), "--epochs", str(options.epochs),
                        "--train", files[0], "--val", files[1], "--log", files[2], "--seed", str(options.seed), "-t", "1",
                        "-q"], check=True, stdout=subprocess.DEVNULL)
        with open(files[2], newline="", encoding="ascii") as file:
            return [(float(row["train_loss"]), float(row["val_error"])) for row in csv.DictReader(file)]


def main():
    options = arguments()
    if not os.path.exists(options.data):
        print(f"compare_torch: no data at {options.data}: nothing is compared")
        return
    graphs = Graphs(options.data, options.target)
    order = np.random.default_rng(1).permutation(len(graphs.y))
    val, train = order[: len(order) // 10], order[len(order) // 10 :]
    mine, other = run_leman(options, train, val), run_torch(options, graphs, train, val)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = [used.ru_utime + used.ru_stime, 0.0]
    print(f"{options.model}, width {options.width}, {next(other):,} parameters, {len(train)} graphs train, {len(val)} validate")
    print("epoch   leman: loss  validation   PyTorch: loss  validation")
    for epoch, (a, b) in enumerate(zip(mine, other), 1):
        took[1] += b[2]
        print(f"{epoch:5}{a[0]:15.3f}{a[1]:12.3f}{b[0]:16.3f}{b[1]:12.3f}", flush=True)
    print(f"leman {took[0]:.1f} s, PyTorch {took[1]:.1f} s: {took[1] / took[0]:.1f} times as long")


for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
try:
    import numpy as np
    import torch
except ImportError:
    print("compare_torch: PyTorch is not installed: nothing is compared")
    sys.exit(0)
torch.set_num_threads(1)
main()
