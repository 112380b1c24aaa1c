"""
Two graphs that 1-WL cannot tell apart
======================================

In a hexagon and in two triangles every vertex has two neighbours, so that colour refinement (1-WL) gives all twelve the same
colour. delta-2-LWL colours pairs of vertices, and the two graphs share no colour.
"""
import matplotlib.pyplot as plt
import numpy as np

import leman
import sets

hexagon, triangles = leman.generate("cycles")
vertices = [leman.colors(graph, "1-WL") for graph in (hexagon, triangles)]
pairs = [leman.colors(graph, "delta-2-LWL") for graph in (hexagon, triangles)]
print("1-WL:", np.unique(np.concatenate(vertices)).size, "colour of 12 vertices")
print("delta-2-LWL:", [np.unique(p).size for p in pairs], "colours of pairs,", np.intersect1d(*pairs).size, "in both graphs")

# %%
# Colours are numbers of 64 bits. For the picture they are numbered.
numbers = np.unique(np.concatenate([p.ravel() for p in pairs]), return_inverse=True)[1].reshape(2, 6, 6)
figure, axes = plt.subplots(1, 4, figsize=(9, 2.6), constrained_layout=True)
for place, (graph, name) in enumerate(((hexagon, "a hexagon"), (triangles, "two triangles"))):
    sets.draw(axes[place], graph, "#bbbbbb")
    axes[place].set_title(f"{name}, by 1-WL", fontsize=10)
    axes[2 + place].imshow(numbers[place], cmap="tab10", vmin=0, vmax=9)
    axes[2 + place].set(xticks=[], yticks=[])
    axes[2 + place].set_title(f"{name}, pairs", fontsize=10)
