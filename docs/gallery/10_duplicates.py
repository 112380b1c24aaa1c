"""
Molecules that are there twice
==============================

One molecule may be written in many ways. Its exact hash is the same for all of them, and salts become one with their acids if they are standardised.
"""
import collections

import matplotlib.pyplot as plt

import leman

smiles = ["CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1OC(C)=O", "CC(=O)Oc1ccccc1C(=O)[O-].[Na+]",  # aspirin, and its salt
          "Cn1cnc2c1c(=O)n(C)c(=O)n2C", "CN1C=NC2=C1C(=O)N(C)C(=O)N2C",                          # caffeine
          "CC(C)Cc1ccc(cc1)C(C)C(=O)O", "CCO", "OCC", "C(O)C", "c1ccccc1O", "Oc1ccccc1", "CCN"]
counts = {}
for name, standardize in (("as written", False), ("standardised", True)):
    data = leman.Dataset.from_smiles(smiles, standardize=standardize)
    rows = collections.defaultdict(list)
    for row, text in enumerate(leman.graph_hash(data, exact=True)):
        rows[text].append(row)
    counts[name] = sorted((len(same) for same in rows.values()), reverse=True)
    print(name, "-", len(rows), "molecules in", len(smiles), "rows:", [same for same in rows.values() if len(same) > 1])

# %%
# A bar is a molecule, and its height is the number of rows that have it.
figure, axes = plt.subplots(1, 2, figsize=(8, 3), sharey=True, constrained_layout=True)
for place, (name, found) in zip(axes, counts.items()):
    place.bar(range(len(found)), found, color=["#d55e00" if n > 1 else "#0072b2" for n in found])
    place.set(title=f"{name}: {len(found)} molecules", xlabel="molecule", ylabel="rows")
