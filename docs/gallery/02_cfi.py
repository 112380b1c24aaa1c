"""
Graphs of Cai, Fürer and Immerman
=================================

One twist tells these two graphs apart, and no vertex sees it. k-WL does not tell apart the graphs over the complete graph with k + 1 vertices; its local variant
with the same k does.
"""
import matplotlib.pyplot as plt
import numpy as np

import leman
import sets

straight, twisted = leman.generate("cfi", k=2)
for method in ("1-WL", "2-WL", "delta-2-LWL", "2-FWL"):
    found = leman.distinguish(straight, twisted, method=method)
    print(f"{method:12}", f"told apart in round {found.round}" if found else "the same")

# %%
# The colour of a vertex v is that of the pair (v, v), after five rounds: no vertex of one graph has the colour of a vertex of the other.
colors = [np.diagonal(leman.colors(graph, "delta-2-LWL", rounds=5)) for graph in (straight, twisted)]
print(np.intersect1d(*colors).size, "colours are in both graphs")
known = np.unique(np.concatenate(colors))
figure, axes = plt.subplots(1, 2, figsize=(7, 3.2), constrained_layout=True)
for place, graph, color, name in zip(axes, (straight, twisted), colors, ("straight", "with a twist")):
    sets.draw(place, graph, [plt.cm.tab10(np.searchsorted(known, c)) for c in color], size=120)
    place.set_title(f"{name}: {graph.num_vertices} vertices, {graph.num_edges} edges", fontsize=10)
