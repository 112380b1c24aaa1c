#!/usr/bin/env python3
"""A grid search of scikit-learn over methods, rounds and C, beside GraphSVC, which selects rounds and C itself.

    examples/grid_search.py                         generated molecules: a ring pattern that colour refinement misses is the class
    examples/grid_search.py MUTAG.zip --folds 10    a data set with classes

Both are judged by nested cross-validation: each test fold is predicted by a model that was selected on the other folds alone.
WLVectorizer is a step of the pipeline, so that its columns come from the training graphs of each fold.
"""
import argparse

import networkx as nx
import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

import leman


def search_over(methods=("1-WL", "delta-2-LWL"), rounds=(0, 1, 2), C=(1.0, 10.0, 100.0), folds=3, n_jobs=None):
    """Every combination is fitted folds times; n_jobs=2 spreads them over two processes."""
    pipeline = make_pipeline(leman.WLVectorizer(normalize=True, n_jobs=1), LinearSVC(max_iter=20_000, random_state=0))
    grid = {"wlvectorizer__method": list(methods), "wlvectorizer__rounds": list(rounds), "linearsvc__C": list(C)}
    return GridSearchCV(pipeline, grid, cv=StratifiedKFold(folds, shuffle=True, random_state=0), n_jobs=n_jobs)


def without_labels(data):
    return leman.Dataset.from_networkx([nx.Graph(graph.to_networkx().edges) for graph in data], data.y)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    data = leman.Dataset.read(asked.data) if asked.data else without_labels(leman.generate("molecules", graphs=90, vertices=12, seed=1))
    y = np.asarray(data.y)
    search = search_over(folds=asked.folds, n_jobs=asked.jobs)
    outer = StratifiedKFold(asked.folds, shuffle=True, random_state=1)
    chosen = search.fit(data, y)
    print(f"best on all {len(data)} graphs:", ", ".join(f"{name.split('__')[1]} {value}" for name, value in chosen.best_params_.items()))
    for name, model in (("pipeline with GridSearchCV", search), ("GraphSVC", leman.GraphSVC("delta-2-LWL", random_state=0))):
        scores = 100 * cross_val_score(model, data, y, cv=outer)
        print(f"{name}: {scores.mean():.1f} % of new graphs, folds from {scores.min():.1f} to {scores.max():.1f}")


if __name__ == "__main__":
    main()
