"""
Kernel PCA of MUTAG
===================

The kernel of all pairs of graphs, seen from the two directions in which they differ most. MUTAG has 188 molecules in two classes; it is not part of Leman
(``leman download MUTAG`` fetches it).
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import KernelPCA

import leman
import sets

file = sets.path("MUTAG.zip")
data = leman.Dataset.read(file) if file else leman.generate("molecules", graphs=188, vertices=18)
matrix = leman.WLKernel("1-WL", rounds=3).fit_transform(data)
places = KernelPCA(2, kernel="precomputed").fit_transform(matrix)

figure, axes = plt.subplots(figsize=(6, 4), constrained_layout=True)
for value, marker in zip(sorted(set(data.y)), "os"):
    one = np.array([y == value for y in data.y])
    axes.scatter(*places[one].T, marker=marker, alpha=0.7, label=f"class {value}: {one.sum()} graphs")
axes.set(xlabel="first component", ylabel="second component", title=f"{data.name}, 1-WL, three rounds")
axes.legend()
