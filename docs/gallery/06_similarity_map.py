"""
A map of a library of molecules
===============================

The similarity of every molecule with every other, by ECFP4 and in the order of their clusters, between which the lines are.
"""
import matplotlib.pyplot as plt
import numpy as np

import leman

families = {"alcohols": "C{}O", "phenols": "Oc1ccc(C{})cc1", "pyridines": "n1ccc(C{})cc1", "sulfonamides": "NS(=O)(=O)c1ccc(C{})cc1",
            "nitriles": "N#CC(C)C{}", "thiophenes": "c1ccsc1C{}"}
smiles = [pattern.format("C" * n) for pattern in families.values() for n in range(1, 9)]
smiles = [smiles[i] for i in np.random.default_rng(1).permutation(len(smiles))]  # a library is in no order
library = leman.Dataset.from_smiles(smiles, atom_labels="ecfp")

groups = leman.clusters(smiles, similarity=0.45)
order = np.argsort(groups.labels, kind="stable")
matrix = leman.WLKernel("ECFP4").fit_transform(library)[np.ix_(order, order)]
print(len(smiles), "molecules,", groups.labels.max() + 1, "clusters")

figure, axes = plt.subplots(figsize=(5.4, 4.6), constrained_layout=True)
image = axes.imshow(matrix, cmap="viridis", vmin=0, vmax=1)
for edge in np.flatnonzero(np.diff(groups.labels[order])):
    axes.axhline(edge + 0.5, color="white", linewidth=0.6)
    axes.axvline(edge + 0.5, color="white", linewidth=0.6)
axes.set(xlabel="molecule, by cluster", ylabel="molecule, by cluster")
figure.colorbar(image, label="similarity (ECFP4)")
