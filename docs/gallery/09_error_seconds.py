"""
Error against seconds
=====================

A method pays if none to its left is lower. The target of these molecules has a part that atoms and bonds determine, and a part that their rings
determine, which only methods beyond 1-WL see.
"""
import time

import matplotlib.pyplot as plt

import leman

data = leman.generate("molecules", graphs=150, vertices=16)
found = {}
for method in ("1-WL", "WLOA", "SP", "delta-2-LWL", "delta-2-LWL + SP"):
    begin = time.process_time()
    result = leman.evaluate(data, method, target=0, repetitions=1, folds=5, rounds=(0, 3), C=[1.0, 100.0], n_jobs=1)
    found[method] = (time.process_time() - begin, result[method].test_mean)
    print(f"{method:18} {found[method][1]:.3f} mean absolute error")

figure, axes = plt.subplots(figsize=(6, 4), constrained_layout=True)
for method, (spent, error) in found.items():
    axes.scatter(spent, error, s=50)
    axes.annotate(method, (spent, error), (6, 4), textcoords="offset points")
axes.set(xscale="log", xlabel="seconds for five folds, one thread", ylabel="mean absolute error")
axes.margins(x=0.6, y=0.15)
axes.grid(alpha=0.3)
