"""
Which atoms made a prediction
=============================

A model is fitted to molecules that are active if they have a carboxylic acid. For a new molecule it says what each atom adds to
its decision: exactly, because the model is linear in counts of colours.
"""
import matplotlib.pyplot as plt
import numpy as np

import leman
import sets

chains = ["C" * n for n in range(2, 8)] + ["CC(C)" + "C" * n for n in range(1, 5)]
chains += ["c1ccc(cc1)" + "C" * n for n in range(1, 5)] + ["Cc1ccc(cc1)C(C)" + "C" * n for n in range(4)]
acids = [chain + "C(=O)O" for chain in chains]
others = [chain + end for chain in chains for end in ("C(=O)C", "CO", "C(=O)N")]
smiles, active = acids + others, [1] * len(acids) + [0] * len(others)
model = leman.GraphSVC("1-WL", rounds=2, C=10.0, folds=3, class_weight="balanced", random_state=1)
model.fit(smiles, active)

found = model.explain("CC(C)Cc1ccc(cc1)C(C)C(=O)O", of=1)  # ibuprofen
print(found)

# %%
# Red atoms speak for the class, blue ones against it.
symbols = {6: "C", 7: "N", 8: "O"}
end = 1.4 * np.abs(found.weights).max()  # the ends of the scale are too dark for letters
scale = plt.cm.ScalarMappable(plt.Normalize(-end, end), "coolwarm")
figure, axes = plt.subplots(figsize=(6, 3.6), constrained_layout=True)
sets.draw(axes, found.graph, scale.to_rgba(found.weights), size=420,
          labels={v: symbols[label % 1000] for v, label in enumerate(found.graph.vertex_labels)})
axes.set_title("ibuprofen: contributions to 'acid'")
figure.colorbar(scale, ax=axes, label="contribution")
