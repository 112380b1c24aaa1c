#!/usr/bin/env python3
"""How well contributions of atoms find a pattern:
bench/compare_explanations.py [METHOD ...] [--learn classes|values|several] [--patterns WORDS] [--molecules 400] [--seed 1] [--data FILE] [--package FOLDER]

The class of a molecule of ZINC is whether it has a pattern: a substructure, a ring of a size, two groups at a distance, or a ring and a group
anywhere. A model is fitted, with all defaults, on as many molecules with the pattern as without, and explained on others with it. Printed
is the mean area under the ROC curve, within a molecule, of the contributions of atoms in and outside the pattern: by default and by
leave-one-out; beside ECFP4 (2,048 bits) with logistic regression, where a bit shares its weight equally among the atoms of its environments.
With `--learn values` the target is 1 with the pattern and 0 without, with normal noise of deviation 0.3 (beside ridge regression on the bits);
with `--learn several` molecules without the pattern are of two classes, those with a sulfur and those without, and the class of the pattern is
explained. Contributions by default that do not add up to the score are counted. Needs RDKit and scikit-learn."""
import argparse
import gzip
import os
import random
import sys

import numpy as np

TESTED = 25


def substructure(chem, smarts):
    pattern = chem.MolFromSmarts(smarts)
    return lambda molecule: molecule.GetSubstructMatches(pattern)


def ring(size):
    return lambda molecule: [one for one in molecule.GetRingInfo().AtomRings() if len(one) == size]


def distance(chem, one, other, length):
    first, second = chem.MolFromSmarts(one), chem.MolFromSmarts(other)

    def find(molecule):
        steps = chem.GetDistanceMatrix(molecule)
        return [(a[0], b[0]) for a in molecule.GetSubstructMatches(first) for b in molecule.GetSubstructMatches(second)
                if steps[a[0]][b[0]] == length]
    return find


def both(chem, one, other):
    first, second = chem.MolFromSmarts(one), chem.MolFromSmarts(other)

    def find(molecule):
        found = molecule.GetSubstructMatches(first), molecule.GetSubstructMatches(second)
        return found[0] + found[1] if found[0] and found[1] else ()
    return find


def patterns(chem):
    return {"sulfonamide": substructure(chem, "S(=O)(=O)N"), "aryl fluoride": substructure(chem, "c-F"),
            "anilide": substructure(chem, "C(=O)[NH]c"), "carboxylic acid": substructure(chem, "C(=O)[OH,O-]"),
            "CF3": substructure(chem, "C(F)(F)F"), "morpholine": substructure(chem, "O1CCNCC1"),
            "pyrimidine": substructure(chem, "c1ncncc1"), "thiophene": substructure(chem, "c1ccsc1"),
            "indole": substructure(chem, "c1ccc2[nH]ccc2c1"), "benzodioxole": substructure(chem, "O1COc2ccccc12"),
            "ring of 3": ring(3), "ring of 4": ring(4), "ring of 7": ring(7),
            "OH and N+, 4 bonds": distance(chem, "[OX2H]", "[NX4+,NX3+]", 4), "NH and aromatic N, 3 bonds": distance(chem, "[NX3;H1]", "[n]", 3),
            "Cl and aromatic N, 5 bonds": distance(chem, "Cl", "[n]", 5), "F and O=, 6 bonds": distance(chem, "F", "[OX1]", 6),
            "pyridine, and an amide": both(chem, "c1ccncc1", "C(=O)[NH]"), "fluorophenyl, and S": both(chem, "c1ccc(F)cc1", "[#16]")}


def area(truth, score):
    from sklearn.metrics import roc_auc_score
    return roc_auc_score(truth, score) if truth.any() and not truth.all() else np.nan


def by_ecfp(chem, texts, y, values, tested, found):
    from rdkit.Chem import rdFingerprintGenerator as generators
    from sklearn.linear_model import LogisticRegression, Ridge
    made, areas = generators.GetMorganGenerator(radius=2), []
    rows = np.array([made.GetFingerprintAsNumPy(chem.MolFromSmiles(text)) for text in texts])
    weight = Ridge(10).fit(rows, y).coef_ if values else LogisticRegression(max_iter=500).fit(rows, [one == 1 for one in y]).coef_[0]
    for text in tested:
        molecule, more = chem.MolFromSmiles(text), generators.AdditionalOutput()
        more.AllocateBitInfoMap()
        made.GetFingerprint(molecule, additionalOutput=more)
        score, steps = np.zeros(molecule.GetNumAtoms()), chem.GetDistanceMatrix(molecule)
        for bit, places in more.GetBitInfoMap().items():
            for atom, radius in places:
                ball = np.flatnonzero(steps[atom] <= radius)
                score[ball] += weight[bit] / len(ball) / len(places)
        areas.append(area(found(molecule), score))
    return np.nanmean(areas)


def main():
    from rdkit import Chem
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("methods", nargs="*", default=["1-WL", "delta-2-LWL"])
    options.add_argument("--learn", choices=("classes", "values", "several"), default="classes")
    options.add_argument("--patterns", default="", help="only those that begin with one of these words, with commas")
    options.add_argument("--molecules", type=int, default=400)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--data", default="../shared/data/ZINC_full.csv.gz")
    options.add_argument("--package", default=os.path.join(os.path.dirname(__file__), "..", "build", "python"))
    asked = options.parse_args()
    sys.path.insert(0, asked.package)
    import leman
    with gzip.open(asked.data, "rt") as file:
        texts = [line.split(",")[0] for line in file][1:]
    random.Random(asked.seed).shuffle(texts)
    values = asked.learn == "values"
    heads = [f"{method}{how}" for method in asked.methods for how in ("", ", leave-one-out")]
    heads.append("ECFP4, ridge regression" if values else "ECFP4, logistic regression")
    wrong, explained = 0, 0
    print("| pattern | " + " | ".join(heads) + " |\n|---" + "|---" * len(heads) + "|", flush=True)
    lines = []
    for name, find in patterns(Chem).items():
        if not name.startswith(tuple(asked.patterns.split(","))):
            continue
        sides = ([], [])
        for text in texts:
            side = sides[bool(find(Chem.MolFromSmiles(text)))]
            if len(side) < asked.molecules // 2 + TESTED:
                side.append(text)
            if min(len(side) for side in sides) == asked.molecules // 2 + TESTED:
                break
        half = min(len(side) for side in sides) - TESTED
        train, tested = sides[0][:half] + sides[1][:half], sides[1][half:half + TESTED]
        y = [2 if asked.learn == "several" and "s" in text.lower() else 0 for text in sides[0][:half]] + [1] * half
        if values:
            y = (y + np.random.default_rng(asked.seed).normal(0, 0.3, 2 * half)).tolist()

        def found(molecule):
            inside = {atom for match in find(molecule) for atom in match}
            return np.array([atom in inside for atom in range(molecule.GetNumAtoms())])
        results = []
        data, graphs = leman.Dataset.from_smiles(train), leman.Dataset.from_smiles(tested)
        for method in asked.methods:
            model = (leman.GraphSVR if values else leman.GraphSVC)(method, random_state=asked.seed).fit(data, y)
            for how in ("auto", "occlusion"):
                areas = []
                for text, graph in zip(tested, graphs):
                    shown = model.explain(graph, how=how) if values else model.explain(graph, of=1, how=how)
                    areas.append(area(found(Chem.MolFromSmiles(text)), shown.weights))
                    explained += how == "auto"
                    wrong += how == "auto" and not abs(shown.weights.sum() + shown.rest - shown.value) < 1e-6 * (1 + abs(shown.value))
                results.append(np.nanmean(areas))
        lines.append(results + [by_ecfp(Chem, train, y, values, tested, found)])
        print(f"| {name} |" + "".join(f" {result:.2f} |" for result in lines[-1]), flush=True)
    for name, row in (("mean", np.mean(lines, 0)), ("smallest", np.min(lines, 0))):
        print(f"| {name} |" + "".join(f" {result:.2f} |" for result in row))
    print(f"{wrong} of {explained} explanations by default do not add up to the score")


if __name__ == "__main__":
    main()
