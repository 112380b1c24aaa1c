#!/usr/bin/env python3
"""What measures of the domain know of errors: bench/compare_domain.py [METHOD] [--seeds 3] [--only classes|values|coverage] [--data FOLDER] [--package FOLDER]

Models are fitted, with all defaults, on four fifths of at most 1500 molecules, drawn by each seed, of sets of MoleculeNet and MoleculeACE, split
by scaffold or at random, and on one set of MoleculeACE to predict also the molecules of another target. Printed is the area under the
error-rejection curve (the mean error of the molecules that remain, over all shares of them, the least certain left out first) over the error of
all: 1 without any knowledge, less is better. Measures:

    out_of_vocabulary; similarity      of the model: leman_model_domain()
    nearest; cosine, 5 nearest         the similarity of leman_model_domain() to one training molecule; the cosine of the same counts to five
    leverage                           1 - k (K + 0.1)^-1 k of this cosine, the variance of a Gaussian process
    Tanimoto of ECFP4, 5 nearest       by RDKit, 2048 bits
    probability, moved; interval       |p - 0.5| before and after it is moved by the domain; the width of intervals of regressions, which also knows
                                       how far the values of the nearest training molecules are from the prediction
    forest                             |p - 0.5|, or the deviation of the trees, of a random forest on ECFP4: for our errors and for its own

Also Brier scores, and the coverage of intervals of 90 %. `--only coverage` measures this coverage alone, on the values of MoleculeNet, with its
smallest and largest value over seeds. Needs RDKit, scikit-learn and pandas."""
import argparse
import collections
import io
import itertools
import os
import sys
import warnings
import zipfile

import numpy as np
import pandas as pd

MOST = 1500
CLASSES = ("BACE Class", "BBBP p_np", "ClinTox CT_TOX", "Tox21 NR-AhR", "Tox21 SR-MMP", "HIV HIV_active")
VALUES = ("ESOL measured log solubility in mols per litre", "FreeSolv expt", "Lipophilicity exp")
PAIRS = (("CHEMBL236_Ki", "CHEMBL237_Ki"), ("CHEMBL234_Ki", "CHEMBL219_Ki"), ("CHEMBL214_Ki", "CHEMBL234_Ki"), ("CHEMBL204_Ki", "CHEMBL236_Ki"))


def area(error, certainty):
    kept = error[np.argsort(-certainty, kind="stable")]
    return (np.cumsum(kept) / np.arange(1, len(kept) + 1)).mean() / error.mean()


def five_nearest(similarity):
    return np.sort(similarity, 1)[:, -5:].mean(1)


def distances(train, tested, prints, new_prints):
    """The candidates that are no part of the library, from its kernels and from fingerprints of the same molecules."""
    near = leman.WLKernel("1-WL:minmax", rounds=2, normalize="minmax").fit(train).transform(tested)
    kernel = leman.WLKernel("1-WL", rounds=2)
    known = kernel.fit_transform(train)
    cosine = kernel.transform(tested)
    variance = 1 - np.einsum("ij,ij->i", cosine, np.linalg.solve(known + 0.1 * np.eye(len(known)), cosine.T).T)
    shared = new_prints.astype(float) @ prints.T.astype(float)
    tanimoto = shared / np.maximum(new_prints.sum(1)[:, None] + prints.sum(1) - shared, 1)
    return {"nearest": near.max(1), "cosine, 5 nearest": five_nearest(cosine), "leverage": -variance,
            "Tanimoto of ECFP4, 5 nearest": five_nearest(tanimoto)}


class Bench:
    def __init__(self, asked):
        from rdkit import Chem, RDLogger
        from rdkit.Chem import rdFingerprintGenerator
        RDLogger.DisableLog("rdApp.*")
        self.chem, self.method, self.folder, self.only = Chem, asked.method, asked.data, asked.only
        self.seeds, self.seed = asked.seeds, 0
        self.fingerprints = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
        self.found = collections.defaultdict(list)

    def table(self, package, name, column):
        with zipfile.ZipFile(os.path.join(self.folder, f"{package}.zip")) as file:
            table = pd.read_csv(io.BytesIO(file.read(f"{package}/{name}.csv")))
        smiles = next(c for c in table.columns if c.lower() in ("smiles", "mol"))
        table = table[[smiles, column]].dropna().sample(frac=1, random_state=self.seed)[:MOST * 11 // 10]
        with warnings.catch_warnings(action="ignore"):
            read = leman.Dataset.from_smiles(list(table[smiles]), names=[str(i) for i in range(len(table))], on_error="skip")
        kept = [i for i in map(int, read.names) if self.chem.MolFromSmiles(table[smiles].iloc[i]) is not None][:MOST]
        return table[smiles].to_numpy()[kept], table[column].to_numpy(float)[kept]

    def split(self, texts, kind):
        from rdkit.Chem.Scaffolds.MurckoScaffold import MurckoScaffoldSmiles
        if kind == "random":
            order = np.random.default_rng(self.seed).permutation(len(texts))
            return order[:len(texts) * 4 // 5], order[len(texts) * 4 // 5:]
        groups, parts = collections.defaultdict(list), ([], [])
        for i, text in enumerate(texts):
            groups[MurckoScaffoldSmiles(mol=self.chem.MolFromSmiles(text))].append(i)
        for group in sorted(groups.values(), key=lambda one: (-len(one), one[0])):
            parts[len(parts[0]) + len(group) > 0.8 * len(texts)].extend(group)
        return np.array(parts[0]), np.array(parts[1])

    def rows(self, texts):
        return np.array([self.fingerprints.GetFingerprintAsNumPy(self.chem.MolFromSmiles(text)) for text in texts])

    def classes(self, texts, y, tested, truth):
        from sklearn.ensemble import RandomForestClassifier
        known, new = leman.Dataset.from_smiles(list(texts)), leman.Dataset.from_smiles(list(tested))
        model = leman.GraphSVC(self.method, random_state=self.seed).fit(known, y.astype(int))
        moved, domain = model.predict_proba(new, return_domain=True)
        base, moved = y.mean(), moved[:, 1]
        platt = base + (moved - base) / np.maximum(domain, 1e-12)
        wrong = (model.predict(new) != truth).astype(float)
        prints, new_prints = self.rows(texts), self.rows(tested)
        forest = RandomForestClassifier(200, random_state=self.seed).fit(prints, y).predict_proba(new_prints)[:, 1]
        return {"out of vocabulary": area(wrong, -model.out_of_vocabulary(new)), "similarity": area(wrong, model.domain(new)[1]),
                **{name: area(wrong, near) for name, near in distances(known, new, prints, new_prints).items()},
                "probability": area(wrong, abs(platt - 0.5)), "moved probability": area(wrong, abs(moved - 0.5)),
                "forest, our errors": area(wrong, abs(forest - 0.5)),
                "forest, its errors": area(((forest > 0.5) != truth).astype(float), abs(forest - 0.5)),
                "Brier, probability": np.mean((platt - truth) ** 2), "Brier, moved": np.mean((moved - truth) ** 2),
                "Brier, forest": np.mean((forest - truth) ** 2)}

    def values(self, texts, y, tested, truth):
        from sklearn.ensemble import RandomForestRegressor
        known, new = leman.Dataset.from_smiles(list(texts)), leman.Dataset.from_smiles(list(tested))
        model = leman.GraphSVR(self.method, random_state=self.seed).fit(known, y)
        error, (low, high) = abs(model.predict(new) - truth), model.predict_interval(new)
        if self.only == "coverage":
            return {"coverage of 90 %": np.mean((low <= truth) & (truth <= high)), "width": np.mean(high - low)}
        prints, new_prints = self.rows(texts), self.rows(tested)
        forest = RandomForestRegressor(100, random_state=self.seed, max_features=0.3).fit(prints, y)
        trees = np.array([tree.predict(new_prints) for tree in forest.estimators_])
        return {"out of vocabulary": area(error, -model.out_of_vocabulary(new)), "similarity": area(error, model.domain(new)[1]),
                **{name: area(error, near) for name, near in distances(known, new, prints, new_prints).items()},
                "interval": area(error, low - high), "forest, our errors": area(error, -trees.std(0)),
                "forest, its errors": area(abs(trees.mean(0) - truth), -trees.std(0)),
                "coverage of 90 %": np.mean((low <= truth) & (truth <= high))}

    def add(self, name, kind, results):
        print(f"{name}, {kind}: " + ", ".join(f"{key} {value:.3f}" for key, value in results.items()), flush=True)
        what = "classes" if "moved probability" in results else "values"
        for key, value in results.items():
            self.found[what, key, kind].append(value)

    def run_seed(self):
        for what, names in (("classes", CLASSES), ("values", VALUES)):
            for name in names if self.only in (None, what) or (self.only, what) == ("coverage", "values") else ():
                texts, y = self.table("moleculenet", *name.split(" ", 1))
                for kind in ("scaffold", "random"):
                    train, test = self.split(texts, kind)
                    self.add(name, kind, getattr(self, what)(texts[train], y[train], texts[test], y[test]))
        for name, other in PAIRS if self.only in (None, "values") else ():
            texts, y = self.table("moleculeace", name, "y")
            train, test = self.split(texts, "scaffold")
            self.add(name, "scaffold", self.values(texts[train], y[train], texts[test], y[test]))
            more, z = self.table("moleculeace", other, "y")
            new = np.flatnonzero(~np.isin(more, texts))[:len(test)]
            self.add(f"{name} and {other}", "two sets", self.values(texts[train], y[train], np.append(texts[test], more[new]),
                                                                  np.append(y[test], z[new])))

    def run(self):
        for self.seed in range(self.seeds):
            self.run_seed()
        for kind in ("scaffold", "random") if self.only == "coverage" else ():
            found = self.found["values", "coverage of 90 %", kind]
            print(f"coverage, {kind}: {np.mean(found):.3f} of {len(found)} splits, {min(found):.3f} to {max(found):.3f}")
        for what, kinds in (("classes", ("scaffold", "random")), ("values", ("scaffold", "random", "two sets"))):
            if self.only not in (None, what):
                continue
            print(f"\n| {what} | " + " | ".join(kinds) + " |\n|---" + "|---:" * len(kinds) + "|")
            for key in dict.fromkeys(key for w, key, _ in self.found if w == what):
                print(f"| {key} | " + " | ".join(f"{np.mean(self.found[what, key, kind]):.3f}" for kind in kinds) + " |")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("method", nargs="?", default="1-WL")
    options.add_argument("--seeds", type=int, default=3)
    options.add_argument("--only", choices=("classes", "values", "coverage"))
    options.add_argument("--data", default="../shared/data")
    options.add_argument("--package", default=os.path.join(os.path.dirname(__file__), "..", "build", "python"))
    chosen = options.parse_args()
    sys.path.insert(0, chosen.package)
    import leman
    Bench(chosen).run()
