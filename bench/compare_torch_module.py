#!/usr/bin/env python3
"""compare_torch_module.py [DATA.zip] [--model M] [--preset P] [--width 16,64,256] [--batch 25,128] [--rounds R] [--threads 1,2]
[--device cpu|cuda|all] [--parts] [--profile]: a training step of leman.nn.torch.Network beside one of leman.nn.GraphNetwork, the library; a
line for each width and batch.

Both train the same network on the same batches: forward and backward pass, mean absolute error, Adam (PyTorch's fused one where it has
that). The library makes its batches in every epoch. PyTorch gets batches that were encoded beforehand, and the time of encoding is printed beside. Times are
the smallest of several epochs, in which both take turns, so that what else the computer does disturbs both; with one thread on the CPU they are
processor times. On the CPU each number of threads is a process of its own. CUDA is measured if PyTorch and the library have it. PYTHONPATH must have the package (BUILD/python). --parts: the module computes each
step by its sub-module, as with hooks. --profile prints where PyTorch spends its time."""
import argparse
import os
import subprocess
import sys
import time

VERTICES = 24  # of a graph, about
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
DATA = os.path.join(os.environ.get("LEMAN_DATA", os.path.join(ROOT, "..", "shared", "data")), "ZINC_10k.zip")


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default=DATA)
    parser.add_argument("--model", default="delta-2-LGNN")
    parser.add_argument("--preset", default="zinc")
    parser.add_argument("--width", default="16,64,256")
    parser.add_argument("--batch", default="25,128")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--device", choices=("cpu", "cuda", "all"), default="all")
    parser.add_argument("--parts", action="store_true")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--measure", metavar="DEVICE:THREADS", help=argparse.SUPPRESS)
    return parser.parse_args()


def steps_of(device, width, batch):
    """So many that an epoch takes about a second, and its end, where the library validates, does not count."""
    work = batch * VERTICES**2 * (width**2 + 50 * width) * 400.0
    return int(max(2, min(30, (3e10 if device == "cpu" else 3e12) / work)))


def adam(parameters):
    for how in ({"fused": True}, {"foreach": True}, {}):
        try:
            return torch.optim.Adam(parameters, 1e-3, **how)
        except (TypeError, RuntimeError):  # before the version that has it
            continue


def measure(options, device, threads, width, size):
    """Seconds of a step: the library, PyTorch; seconds of encoding a batch; the epoch of PyTorch, for a profile."""
    torch.set_num_threads(threads)
    count = steps_of(device, width, size)
    held = size * count
    graphs = leman.Dataset.read(options.data) if os.path.exists(options.data) else \
        leman.Dataset.generate("molecules", graphs=held + 1, vertices=VERTICES)
    graphs = graphs[:held + 1]
    reals = np.random.default_rng(1).normal(size=held + 1)

    def network(epochs):
        return leman.nn.GraphNetwork(options.model, options.preset, width=width, batch_size=size, epochs=epochs, loss="l1",
                                     n_jobs=threads, device=device, random_state=1, precision="fp32" if device == "cuda" else None)

    module = Network.from_network(network(1).initialize(graphs, reals)).to(device).train()
    if options.parts:
        next(module.children()).register_forward_hook(lambda *call: None)
    began = time.perf_counter()
    batches = [module.encode(graphs[i * size:(i + 1) * size]) for i in range(count)]
    encoding = (time.perf_counter() - began) / count
    wanted = torch.tensor(reals, dtype=torch.float32, device=device).reshape(-1, 1)
    steps = [(batch.to(device), wanted[i * size:(i + 1) * size]) for i, batch in enumerate(batches)]
    optimizer = adam(list(module.parameters()))

    def epoch():
        for batch, y in steps:
            optimizer.zero_grad(set_to_none=True)
            (module(batch) - y).abs().mean().backward()
            optimizer.step()
        if device == "cuda":
            torch.cuda.synchronize()

    clock = time.process_time if device == "cpu" and threads == 1 else time.perf_counter

    def seconds():
        began = clock()
        epoch()
        return (clock() - began) / count

    def fitted(epochs):
        began = clock()
        made = network(epochs).fit(graphs, reals, validation=[held])
        return clock() - began, made.history_

    for _ in range(3 if device == "cuda" else 1):  # steps are recorded
        seconds()
    library, other = [], []
    for _ in range(options.rounds):
        if clock is time.process_time:
            library.append((fitted(3)[0] - fitted(1)[0]) / 2 / count)
        else:
            library += [row["seconds"] / count for row in fitted(2 if device == "cpu" else 6)[1]]
        other += [seconds() for _ in range(2 if device == "cpu" else 6)]
    return min(library), min(other), encoding, epoch


def report(options, device, threads, width, size):
    library, other, encoding, epoch = measure(options, device, threads, width, size)
    where = f"{threads} thread{'s' if threads > 1 else ''}" if device == "cpu" else torch.cuda.get_device_name()
    print(f"{options.model}, width {width}, batches of {size}, {where}: a step of the library {1e3 * library:.2f} ms, of PyTorch "
          f"{torch.__version__} {1e3 * other:.2f} ms: {other / library:.2f} times; encoding a batch {1e3 * encoding:.1f} ms", flush=True)
    if options.profile:
        with torch.profiler.profile() as found:
            epoch()
        print(found.key_averages().table(sort_by="self_cuda_time_total" if device == "cuda" else "self_cpu_time_total", row_limit=25))


def has_cuda():
    if not torch.cuda.is_available():
        print("compare_torch_module: PyTorch has no CUDA device")
        return False
    try:
        leman.nn.GraphNetwork("GIN-eps", layers=1, width=2, device="cuda").initialize(leman.Dataset.generate("molecules", graphs=2, vertices=12))
    except leman.Error as error:
        print(f"compare_torch_module: {error}")
        return False
    return True


def main():
    options = arguments()
    if options.measure:
        device, threads = options.measure.split(":")
        for width in map(int, options.width.split(",")):
            for size in map(int, options.batch.split(",")):
                report(options, device, int(threads), width, size)
        return
    wanted = [f"cpu:{threads}" for threads in options.threads.split(",") if options.device != "cuda"]
    wanted += [f"cuda:{torch.get_num_threads()}"] if options.device != "cpu" and has_cuda() else []
    for one in wanted:
        environment = {**os.environ, "OMP_NUM_THREADS": one.split(":")[1], "OPENBLAS_NUM_THREADS": one.split(":")[1]}
        subprocess.run([sys.executable, *sys.argv, "--measure", one], env=environment, check=True)


try:
    import numpy as np
    import torch
    import leman
    import leman.nn
    from leman.nn.torch import Network
except ImportError as missing:
    print(f"compare_torch_module: {missing}: nothing is compared")
    sys.exit(0)
main()
