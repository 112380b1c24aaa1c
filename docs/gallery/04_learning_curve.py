"""
A learning curve
================

The class of these molecules is a ring system: two linked rings of five, or two fused rings of six. No classifier that sees them through colour
refinement is better than chance, however many it is shown. Pairs of vertices need few.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit, learning_curve
from sklearn.svm import SVC

import leman

data = leman.generate("molecules", graphs=240, vertices=16)
sizes = [20, 40, 80, 120, 180]
figure, axes = plt.subplots(figsize=(6, 3.6), constrained_layout=True)
for method in ("1-WL", "delta-2-LWL"):
    matrix = leman.WLKernel(method, rounds=3, ignore_vertex_labels=True, ignore_edge_labels=True).fit_transform(data)
    _, _, scores = learning_curve(SVC(kernel="precomputed", C=100), matrix, data.y, train_sizes=sizes,
                                  cv=StratifiedShuffleSplit(10, test_size=60, random_state=1))
    mean, spread = 100 * scores.mean(axis=1), 100 * scores.std(axis=1)
    print(f"{method:12}", mean.round(1))
    axes.plot(sizes, mean, marker="o", label=method)
    axes.fill_between(sizes, mean - spread, mean + spread, alpha=0.2)
axes.axhline(50, color="#888888", linestyle=":", label="chance")
axes.set(xlabel="training graphs", ylabel="test accuracy, %", ylim=(35, 102))
axes.legend()
