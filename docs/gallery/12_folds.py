"""
Two methods, fold by fold
=========================

Both methods are tested on the same folds, so that a line joins the two scores of a fold. Folds share training graphs; the corrected test takes that into account.
"""
import matplotlib.pyplot as plt
import numpy as np

import leman

data = leman.generate("molecules", graphs=120, vertices=16)
y = [int(graph.num_edges > np.median([g.num_edges for g in data])) for graph in data]
methods = ["1-WL", "SP"]
found = leman.evaluate(data, methods, y=y, repetitions=3, folds=5, rounds=(0, 2), C=[1.0, 100.0], stratified=True)
row = leman.compare(found).rows[0]
print(leman.compare(found).table())

left, right = (np.asarray(found[method].scores).ravel() for method in methods)
figure, axes = plt.subplots(figsize=(5, 4), constrained_layout=True)
for a, b in zip(left, right):
    axes.plot([0, 1], [a, b], color="#0072b2" if b >= a else "#d55e00", marker="o", alpha=0.5)
axes.plot([0, 1], [left.mean(), right.mean()], color="black", marker="D", linewidth=2.5, label="mean")
axes.set(xticks=[0, 1], xticklabels=methods, xlim=(-0.3, 1.3), ylabel="accuracy, %",
         title=f"difference {row['difference']:.1f}, p = {row['p']:.2g} (corrected)")
axes.legend()
