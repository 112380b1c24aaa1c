"""
What k costs
============

Processor seconds to colour one random graph, with three neighbours a vertex on average, for five rounds on one thread. There are n\\ :sup:`k` tuples, so that a line of slope k
is what to expect: the dashed ones, drawn through the last point.
"""
import time

import matplotlib.pyplot as plt
import networkx as nx

import leman


def seconds(graph, method):
    """The least of four."""
    found = []
    for _ in range(4):
        begin = time.process_time()
        leman.graph_hash(graph, method, 5, n_jobs=1)
        found.append(time.process_time() - begin)
    return min(found)


sizes = {"1-WL": [3000, 10000, 30000, 100000], "delta-2-LWL": [100, 200, 400, 800], "delta-3-LWL": [20, 30, 45, 70]}
figure, axes = plt.subplots(figsize=(6, 4), constrained_layout=True)
for k, (method, vertices) in enumerate(sizes.items(), 1):
    times = [seconds(leman.as_dataset([nx.gnm_random_graph(n, 3 * n // 2, seed=1)]), method) for n in vertices]
    line, = axes.loglog(vertices, times, marker="o", label=method)
    axes.loglog(vertices, [times[-1] * (n / vertices[-1]) ** k for n in vertices], "--", color=line.get_color(), alpha=0.6, label=f"slope {k}")
axes.set(xlabel="vertices", ylabel="processor seconds, five rounds")
axes.grid(alpha=0.3)
axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
