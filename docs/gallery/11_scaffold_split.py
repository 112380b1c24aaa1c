"""
Folds of scaffolds
==================

A new project has new ring systems. If molecules with one scaffold are in the training part and in the test part, the test is too easy: here the
value depends on the ring system, which a model can learn only from molecules that have it.
"""
import matplotlib.pyplot as plt
import numpy as np

import leman

rings = ["c1ccccc1", "c1ccncc1", "c1ccsc1", "C1CCCCC1", "c1ccc2ccccc2c1", "C1CCNC1", "c1ccoc1", "C1CCOCC1", "c1cncnc1", "C1CCC1"]
tails = ["C", "CC", "CO", "CCl", "CCO", "CN", "CF", "CC#N"]
draw = np.random.default_rng(1)
worth = draw.normal(size=len(rings))
smiles = [ring + tail for ring in rings for tail in tails]
values = np.repeat(worth, len(tails)) + 0.2 * draw.normal(size=len(smiles))
data = leman.Dataset.from_smiles(smiles, y=values)

scores = {}
for name, scaffold in (("folds at random", False), ("folds of scaffolds", True)):
    found = leman.evaluate(data, "1-WL", repetitions=6, folds=5, scaffold=scaffold, rounds=(0, 2), C=[1.0, 10.0])
    scores[name] = np.asarray(found["1-WL"].scores).ravel()
    print(f"{name:20} mean absolute error {scores[name].mean():.2f}")

figure, axes = plt.subplots(figsize=(6, 3.4), constrained_layout=True)
axes.boxplot(list(scores.values()))
axes.set(xticks=[1, 2], xticklabels=list(scores), ylabel="mean absolute error of a fold")
