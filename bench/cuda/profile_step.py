#!/usr/bin/env python3
"""Where the steps of a network spend their time on a CUDA device: its kernels, by Nsight Compute.

    bench/cuda/profile_step.py [--skip N] [--kernels N] -- leman train DATA --preset qm9 -a delta-2-LGNN --epochs 1 --device cuda

The command is run under `ncu`, which has to be on the PATH; the first step of every size of batch is launched kernel by kernel, so these can be
told apart. Printed are, for each kernel, how often it ran, its microseconds in all and each time, and its blocks; the longest first. Caches
are left as they are, as in training. Times are those of kernels alone: what lies between them is the difference to the seconds of an epoch."""

import argparse
import collections
import csv
import subprocess
import sys

METRICS = "gpu__time_duration.sum,launch__grid_size"
UNITS = {"ns": 1e-3, "nsecond": 1e-3, "us": 1, "usecond": 1, "ms": 1e3, "msecond": 1e3}


def table(lines):
    """{kernel: [runs, microseconds, blocks]} from ncu's CSV."""
    found = collections.defaultdict(lambda: [0, 0.0, 0])
    rows = [row for row in csv.reader(lines) if "Metric Name" in row or (row and row[0].isdigit())]
    if not rows or "Metric Name" not in rows[0]:
        return found
    column = {name: i for i, name in enumerate(rows[0])}
    for row in rows[1:]:
        kernel = found[row[column["Kernel Name"]]]
        value = float(row[column["Metric Value"]].replace(",", ""))
        if row[column["Metric Name"]] == "gpu__time_duration.sum":
            kernel[0] += 1
            kernel[1] += value * UNITS[row[column["Metric Unit"]]]
        else:
            kernel[2] = max(kernel[2], int(value))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skip", type=int, default=200, help="kernels before the first that counts: loading the data")
    parser.add_argument("--kernels", type=int, default=2000, help="how many count")
    parser.add_argument("command", nargs="+")
    asked = parser.parse_args()
    run = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none", "--metrics", METRICS, "--csv", "--launch-skip", str(asked.skip),
                          "--launch-count", str(asked.kernels), *asked.command], capture_output=True, text=True, check=False)
    found = table(run.stdout.splitlines())
    if not found:
        sys.exit(f"profile_step: ncu has timed no kernel\n{run.stdout[-500:]}{run.stderr[-1500:]}")
    runs, total = sum(k[0] for k in found.values()), sum(k[1] for k in found.values())
    print(f"{runs} kernels, {total:.0f} us")
    for name, (count, time, blocks) in sorted(found.items(), key=lambda item: -item[1][1]):
        print(f"{100 * time / total:5.1f} %  {count:5d} x {time / count:8.2f} us  {blocks:6d} blocks  {name[:100]}")


if __name__ == "__main__":
    main()
