#!/usr/bin/env python3
"""compare_torch.py BUILD [DATA.zip] [--model local|delta|wl|gine|local2|folklore2|sswl+] [--target T] [--width D] [--epochs E] [--seed S]
[--graphs N]: the same network by leman train and by PyTorch, on one core.

First the weights of a short run of ours are read by PyTorch, and both validate with them: the same error but for
rounding. Then both train the network of the zinc preset on the same graphs (batches of 25, of pair networks 128; Adam at 0.001, the mean
absolute error) and validate on the same tenth; the random numbers are each program's own, so curves agree in kind, not
in digits. Printed for every epoch: the loss in training and the validation error; at the end seconds of processor time
on one core, ours with reading the file and finding the types. PyTorch has its graphs in memory before the clock starts.
Without PyTorch or data it prints a message and exits with 0. bench/cuda/compare_torch_cuda.py is the one for a GPU."""
import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.path.join(os.environ.get("LEMAN_DATA", os.path.join(ROOT, "..", "shared", "data")), "ZINC_10k.zip")
BATCH, PAIR_BATCH, RATE = 25, 128, 1e-3
CHECKED = 50  # graphs that train, and as many that validate, before the comparison


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", nargs="?", default=os.path.join(ROOT, "build"))
    parser.add_argument("data", nargs="?", default=DATA)
    parser.add_argument("--model", choices=("local", "delta", "wl", "gine", "local2", "folklore2", "sswl+"), default="local")
    parser.add_argument("--target", type=int, default=0)
    parser.add_argument("--width", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--graphs", type=int, help="train and validate on so many of the first graphs only")
    parser.add_argument("--sums", choices=("add", "csr"), default="csr", help="how PyTorch adds up neighbours")
    return parser.parse_args()


def is_pairs(options):
    return options.model in torch_pair_networks.PARTS


def batch_size(options):
    return PAIR_BATCH if is_pairs(options) else BATCH


def make(options, data):
    if is_pairs(options):
        return torch_pair_networks.PairNetwork(options.model, data.labels, data.bonds, options.width)
    return torch_networks.make(options.model, data, options.width)


def load(options, network, weights):
    if is_pairs(options):
        torch_pair_networks.load(network, weights)
    else:
        torch_networks.load(network, options.model, weights)


def batch(data, which, how):
    return torch_data.ragged(data, torch.from_numpy(which), which, how)


def validate(network, data, val, how):
    """The mean absolute error."""
    network.eval()
    error = 0.0
    with torch.no_grad():
        for at in range(0, len(val), BATCH):
            b = batch(data, val[at : at + BATCH], how)
            error += (network(b) - b["y"]).abs().sum().item()
    return error / len(val)


def run_torch(options, data, train, val):
    """Parameters first, then the epochs: loss, validation error, seconds of processor time."""
    torch.manual_seed(options.seed)
    random = np.random.default_rng(options.seed)
    network = make(options, data)
    steps = torch.optim.Adam(network.parameters(), lr=RATE)
    yield torch_networks.parameters(network)
    for _ in range(options.epochs):
        began, losses = time.process_time(), 0.0
        network.train()
        order = random.permutation(train)
        for at in range(0, len(order), batch_size(options)):
            b = batch(data, order[at : at + batch_size(options)], options.sums)
            steps.zero_grad()
            loss = (network(b) - b["y"]).abs().mean()
            loss.backward()
            steps.step()
            losses += loss.item() * len(b["y"])
        error = validate(network, data, val, options.sums)
        yield losses / len(train), error, time.process_time() - began


def run_leman(options, train, val, epochs, *more):
    """The epochs: loss and validation error."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("train.index", "val.index", "log.csv")]
        for path, part in zip(files, (train, val)):
            with open(path, "w", encoding="ascii") as file:
                print(*part, sep=",", file=file)
        subprocess.run([os.path.join(options.build, "leman"), "train", options.data, "--algorithm", options.model,
                        "--preset", "zinc", "--target", str(options.target), "--width", str(options.width), "--epochs",
                        str(epochs), "--train", files[0], "--val", files[1], "--log", files[2], "--seed",
                        str(options.seed), "--batch", str(batch_size(options)), "--device", "cpu", "-t", "1", "-q", *more], check=True, stdout=subprocess.DEVNULL)
        with open(files[2], newline="", encoding="ascii") as file:
            return [(float(row["train_loss"]), float(row["val_error"])) for row in csv.DictReader(file)]


def check(options, data, count):
    """Validation errors of both programs with the weights of a run of ours."""
    part = min(CHECKED, count // 2)
    train, val = np.arange(part), np.arange(part, 2 * part)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.npz")
        mine = min(error for _, error in run_leman(options, train, val, options.epochs, "--export", path))
        network = make(options, data)
        load(options, network, np.load(path))
    other = validate(network, data, val, options.sums)
    print(f"validation error with the same weights: leman {mine:.7f}, PyTorch {other:.7f}")
    if abs(mine - other) > 1e-5 * abs(mine):
        sys.exit("compare_torch: these are different networks")


def main():
    options = arguments()
    if not os.path.exists(options.data):
        print(f"compare_torch: no data at {options.data}: nothing is compared")
        return
    graphs = torch_data.Graphs(options.data, options.target)
    data = torch_data.Resident(graphs, torch_data.NODES if options.model == "gine" else torch_data.PAIRS,
                               distances=torch_pair_networks.DISTANCES - 1 if is_pairs(options) else 0)
    order = np.random.default_rng(1).permutation(min(graphs.count, options.graphs or graphs.count))
    val, train = order[: len(order) // 10], order[len(order) // 10 :]
    check(options, data, graphs.count)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    mine, other = run_leman(options, train, val, options.epochs), run_torch(options, data, train, val)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = [used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime, 0.0]
    print(f"{(torch_pair_networks if is_pairs(options) else torch_networks).PAPER[options.model]}, width {options.width}, {next(other):,} parameters, {len(train)} graphs train, "
          f"{len(val)} validate")
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
    import torch_data
    import torch_networks
    import torch_pair_networks
except ImportError:
    print("compare_torch: PyTorch is not installed: nothing is compared")
    sys.exit(0)
torch.set_num_threads(1)
main()
