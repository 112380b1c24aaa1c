"""
What k costs
============

Seconds to colour one sparse graph, three neighbours a vertex, for five rounds on one thread. There are n\\ :sup:`k` tuples, so that a line of slope k
is what to expect.
"""
import time

import matplotlib.pyplot as plt

import leman


def seconds(graph, method):
    """The least of three."""
    found = []
    for _ in range(3):
        begin = time.perf_counter()
        leman.graph_hash(graph, method, 5, n_jobs=1)
        found.append(time.perf_counter() - begin)
    return min(found)


sizes = {"1-WL": [1000, 3000, 10000, 30000], "delta-2-LWL": [60, 120, 250, 400], "delta-3-LWL": [16, 24, 40, 56]}
figure, axes = plt.subplots(figsize=(6, 4), constrained_layout=True)
for method, vertices in sizes.items():
    times = [seconds(leman.generate("regular", vertices=n, degree=3)[0], method) for n in vertices]
    axes.loglog(vertices, times, marker="o", label=method)
axes.set(xlabel="vertices", ylabel="seconds, five rounds")
axes.grid(alpha=0.3)
axes.legend()
