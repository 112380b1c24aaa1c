#!/usr/bin/env python3
"""compare_torch_cuda.py DATA.zip [--only REGEX] [--quick] [--all] [--limit SECONDS] [--list]: seconds of one training
epoch of the networks of the zinc preset (width 256) by PyTorch on a CUDA device, to be put beside leman train --device cuda.

A variant is MODEL-PRECISION-BATCH-WAY. The ways:

  graphs    graphs on the device, padded batches, layers compiled, the whole step with Adam in a CUDA graph for each
            number of rows; falls back to compiled, then to csr, and says so
  compiled  the same without CUDA graphs
  csr, add  eager PyTorch, exact batches: neighbours by products of sparse matrices, or by index_add
  pyg       PyTorch Geometric as the published programs have it: a DataLoader puts stored graphs together
  resident  PyTorch Geometric on batches that were put together and copied to the device beforehand

Timed is an epoch after the first ones, the median of three, device synchronised before and after; validation is not part
of it. PyTorch Geometric gets a share of the graphs, and the seconds are scaled up to all (--share 1 for all). A variant that fails
prints a sentence. --check compares all ways on the processor instead, in double precision: loss, gradients, parameters (--only gine: of one model)."""
import argparse
import contextlib
import os
import re
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
try:
    import numpy as np
    import torch
    import torch_data
    import torch_networks
except ImportError as error:
    print(f"compare_torch_cuda: {error}: nothing is compared")
    sys.exit(0)

MODELS = ("local", "delta", "wl", "gine")
PUBLISHED = {"local": 2334217, "wl": 2334217, "delta": 4007953, "gine": 809326}
DEFAULT = ["local-tf32-128-graphs", "local-tf32-25-graphs", "local-bf16-128-graphs", "local-fp32-128-graphs", "delta-tf32-128-graphs",
           "wl-tf32-128-graphs", "gine-tf32-128-graphs", "local-tf32-128-csr", "local-tf32-128-add", "local-tf32-128-resident",
           "local-tf32-128-pyg", "local-fp32-25-pyg", "gine-tf32-128-pyg", "wl-tf32-128-pyg", "delta-tf32-128-pyg"]
MORE = ["local-bf16-25-graphs", "local-fp32-25-graphs", "local-tf32-128-compiled", "delta-tf32-128-csr", "wl-tf32-128-csr",
        "gine-tf32-128-csr", "local-tf32-25-resident", "delta-tf32-128-resident", "wl-tf32-128-resident", "gine-tf32-128-resident"]
WIDTH, RATE, WARM, TIMED = 256, 1e-3, 2, 3


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", help="ZINC_10k.zip")
    parser.add_argument("--only", help="variants in whose names this regular expression is found")
    parser.add_argument("--quick", action="store_true", help="one epoch to warm up, one timed; without PyTorch Geometric")
    parser.add_argument("--all", action="store_true", help="more variants than the usual ones")
    parser.add_argument("--limit", type=float, default=230, help="begin no variant after so many seconds")
    parser.add_argument("--share", type=float, default=0.125, help="of the graphs, for PyTorch Geometric")
    parser.add_argument("--width", type=int, default=WIDTH)
    parser.add_argument("--autotune", action="store_true", help="let the compiler try matrix products of its own: slow to start")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


def set_precision(precision):
    torch.set_float32_matmul_precision("highest" if precision == "fp32" else "high")


def lower(precision, device):
    """Autocast without its cache, which a CUDA graph must not hold."""
    if precision != "bf16":
        return contextlib.nullcontext()
    return torch.autocast(device, dtype=torch.bfloat16, cache_enabled=False)


# ---- Dense


class Dense:
    """One network in training, by batches of torch_data."""

    def __init__(self, options, data, train, kind, precision, batch, way):
        self.options, self.data, self.train, self.kind, self.batch, self.way = options, data, train, kind, batch, way
        self.precision, self.device = precision, torch.device(data.device).type
        torch.manual_seed(1)
        bonds = torch_networks.PUBLISHED_LABELS
        self.network = torch_networks.make(kind, data, options.width, bonds).to(data.device).train()
        self.steps = torch.optim.Adam(self.network.parameters(), lr=RATE, fused=self.device == "cuda", capturable=self.device == "cuda")
        self.which = torch.full((batch,), data.empty, device=data.device)
        self.loss = torch.zeros((), device=data.device)
        self.graphs, self.pool = {}, None
        self.padded = torch_data.padded
        if way in ("graphs", "compiled"):
            mode = "max-autotune-no-cudagraphs" if options.autotune else "default"
            for layer in self.network.layers:
                layer.compile(mode=mode)

    def orders(self, epochs):
        """For each epoch the graphs in random order, filled up to whole batches; [epochs][batches][batch]."""
        random = np.random.default_rng(1)
        count = -(-len(self.train) // self.batch)
        orders = np.full((epochs, count * self.batch), self.data.empty)
        for order in orders:
            order[: len(self.train)] = random.permutation(self.train)
        return orders.reshape(epochs, count, self.batch)

    def prepare(self, orders):
        """Numbers of rows: rounded up, so that there are few different ones."""
        sizes = [[self.data.sizes(which) for which in order] for order in orders]
        step = 32 * self.batch if self.kind != "gine" else 4 * self.batch
        self.vertices = (max(v for order in sizes for _, v in order) // 64 + 1) * 64
        self.rows = [[(r // step + 1) * step if self.kind != "gine" else self.vertices for r, _ in order] for order in sizes]

    def step(self, rows, numbers=None):
        if numbers is None:
            b = self.padded(self.data, self.which, rows, self.vertices, self.kind in ("delta", "wl"))
            for t in b.values() if self.kind != "gine" else ():
                if t.shape[0] == rows:
                    torch_networks.free_rows(t)
        else:
            numbers = numbers[numbers != self.data.empty]
            b = torch_data.ragged(self.data, self.which[: len(numbers)], numbers, self.way)
        self.steps.zero_grad(set_to_none=True)
        with lower(self.precision, self.device):
            predicted = self.network(b)
        loss = ((predicted.float() - b["y"]).abs() * b["weight"]).sum()
        loss.backward()
        self.steps.step()
        self.loss += loss.detach()

    def captured(self, rows):
        """The CUDA graph of a step with so many rows, made when it is needed first."""
        if rows in self.graphs:
            return self.graphs[rows]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(2):
                self.step(rows)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        self.steps.zero_grad(set_to_none=True)
        with torch.cuda.graph(graph, pool=self.pool):
            self.step(rows)
        self.pool = self.pool or graph.pool()
        self.graphs[rows] = graph
        return graph

    def epoch(self, order, rows):
        on_device = torch.from_numpy(order).to(self.data.device)
        self.loss.zero_()
        for i, numbers in enumerate(order):
            self.which.copy_(on_device[i])
            if self.way == "graphs":
                self.captured(rows[i]).replay()
            else:
                self.step(rows[i], None if self.way == "compiled" else numbers)
        return self.loss / len(order)

    def measure(self, warm, timed):
        orders = self.orders(warm + timed)
        self.prepare(orders)
        if self.way == "graphs":  # all that will be needed, before the clock starts
            for rows in sorted({r for epoch in self.rows for r in epoch}, reverse=True):
                self.which.copy_(torch.from_numpy(orders[0][0]).to(self.data.device))
                fits = next((i for i, r in enumerate(self.rows[0]) if r == rows), None)
                if fits is not None:
                    self.which.copy_(torch.from_numpy(orders[0][fits]).to(self.data.device))
                else:
                    self.which[1:] = self.data.empty
                self.captured(rows)
        seconds = [clock(lambda e=e: self.epoch(orders[e], self.rows[e])) for e in range(warm + timed)]
        return statistics.median(s for s, _ in seconds[warm:]), seconds[-1][1]


def clock(work):
    """Seconds, and the loss."""
    torch.cuda.synchronize()
    began = time.perf_counter()
    loss = work()
    torch.cuda.synchronize()
    return time.perf_counter() - began, float(loss)


# ---- PyTorch Geometric


class Geometric:
    def __init__(self, options, graphs, train, kind, precision, batch, way):
        import pyg_networks
        from torch_geometric.loader import DataLoader
        torch.manual_seed(1)
        self.share = min(1, max(options.share, batch / len(train)))
        which = train[: int(self.share * len(train)) // batch * batch]
        self.scale = len(train) / len(which)
        stored = pyg_networks.stored(kind, graphs, which)
        self.network = pyg_networks.make(kind, graphs, options.width).cuda().train()
        self.steps = torch.optim.Adam(self.network.parameters(), lr=RATE)
        self.batches = DataLoader(stored, batch_size=batch, shuffle=True)
        self.precision = precision
        if way == "resident":
            self.batches = [b.cuda() for b in self.batches]

    def epoch(self):
        total = torch.zeros((), device="cuda")
        for b in self.batches:
            b = b.cuda()
            self.steps.zero_grad()
            with lower(self.precision, "cuda"):
                predicted = self.network(b)
            loss = (predicted.float() - b.y).abs().mean()
            loss.backward()
            self.steps.step()
            total += loss.detach()
        return total / len(self.batches)

    def measure(self, warm, timed):
        seconds = [clock(self.epoch) for _ in range(warm + timed)]
        return self.scale * statistics.median(s for s, _ in seconds[warm:]), seconds[-1][1]


# ---- The table


class Bench:
    def __init__(self, options):
        self.options, self.resident = options, {}
        self.graphs = torch_data.Graphs(options.data)
        self.train = torch_data.training_part(self.graphs, options.data)

    def data(self, kind):
        rows = torch_data.NODES if kind == "gine" else torch_data.PAIRS
        if rows not in self.resident:
            self.resident[rows] = torch_data.Resident(self.graphs, rows, "cuda")
        return self.resident[rows]

    def run(self, name, way):
        """Seconds of an epoch, loss and parameters, in this way."""
        kind, precision, batch, _ = name.split("-")
        set_precision(precision)
        torch._dynamo.reset()
        torch.cuda.empty_cache()
        warm, timed = (1, 1) if self.options.quick else (WARM, TIMED)
        if way in ("pyg", "resident"):
            run = Geometric(self.options, self.graphs, self.train, kind, precision, int(batch), way)
            warm = 1
        else:
            run = Dense(self.options, self.data(kind), self.train, kind, precision, int(batch), way)
        seconds, loss = run.measure(warm, timed)
        return seconds, loss, torch_networks.parameters(run.network)

    def variant(self, name):
        """A line of the table, or None where all ways fail."""
        way = name.rsplit("-", 1)[1]
        for attempt in {"graphs": ("graphs", "compiled", "csr"), "compiled": ("compiled", "csr")}.get(way, (way,)):
            began = time.perf_counter()
            try:
                seconds, loss, parameters = self.run(name, attempt)
            except Exception as error:  # the others go on
                first = (str(error).strip().splitlines() or [""])[0][:300]
                print(f"{name}: {attempt} failed: {type(error).__name__}: {first}", flush=True)
                continue
            took = time.perf_counter() - began
            print(f"{name}: {seconds:.3f} s an epoch by {attempt}, loss {loss:.3f}; {took:.0f} s in all", flush=True)
            return name, attempt, seconds, loss, parameters
        return None


def print_table(lines, width):
    print(f"\n{'model':14}{'precision':>10}{'batch':>7}  {'way':10}{'parameters':>12}{'s/epoch':>10}{'loss':>9}")
    for name, way, seconds, loss, parameters in lines:
        kind, precision, batch, _ = name.split("-")
        odd = " not as published" if width == WIDTH and parameters != PUBLISHED[kind] else ""
        print(f"{torch_networks.PAPER[kind]:14}{precision:>10}{batch:>7}  {way:10}{parameters:12,}{seconds:10.3f}{loss:9.3f}{odd}")


def main():
    options = arguments()
    names = [n for n in DEFAULT + (MORE if options.all or options.only else []) if not options.only or re.search(options.only, n)]
    if options.quick:
        names = [n for n in names if not n.endswith(("pyg", "resident"))]
    if options.list:
        print(*names, sep="\n")
        return
    if options.check:
        import check_torch
        check_torch.main(options)
        return
    if not torch.cuda.is_available():
        print("compare_torch_cuda: there is no CUDA device: nothing is compared")
        return
    began = time.perf_counter()
    torch._dynamo.config.recompile_limit = 32
    torch._inductor.config.assert_indirect_indexing = False
    bench, lines = Bench(options), []
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, {len(bench.train)} graphs", flush=True)
    for name in names:
        if time.perf_counter() - began > options.limit:
            print(f"{name}: not begun, for {options.limit:.0f} s are over")
            continue
        line = bench.variant(name)
        lines += [line] if line else []
    print_table(lines, options.width)


if __name__ == "__main__":
    main()
