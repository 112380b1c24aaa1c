#!/usr/bin/env python3
"""A Gram matrix and a grid search on workers of Dask.

    examples/dask_workers.py                                         two processes of this computer, generated molecules
    examples/dask_workers.py MUTAG.zip --scheduler tcp://host:8786   workers that run already; Leman must be installed there too

Data sets and estimators travel to the workers. Colours are equal on all machines, so the workers return the numbers that one process
would compute, in the order of the graphs.
"""
import argparse
import contextlib

import joblib
import numpy as np
from dask.distributed import Client, LocalCluster
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import leman


def gram(client, kernel, data, rows=100):
    """The rows of kernel.transform(data), some graphs at a time; the fitted kernel is sent to each worker once."""
    fitted = client.scatter(kernel, broadcast=True, hash=False)
    parts = [data[i:i + rows] for i in range(0, len(data), rows)]
    return np.vstack(client.gather(client.map(transform, parts, kernel=fitted)))


def transform(part, kernel):
    return kernel.transform(part)


def search(client, data, y):
    """scikit-learn's grid search; joblib hands its fits to the workers of the client."""
    pipeline = make_pipeline(leman.WLKernel("delta-2-LWL", n_jobs=1), SVC(kernel="precomputed"))
    grid = GridSearchCV(pipeline, {"wlkernel__rounds": [0, 1, 2], "svc__C": [1.0, 100.0]}, cv=StratifiedKFold(3, shuffle=True, random_state=0), n_jobs=-1)
    with joblib.parallel_config("dask", client=client):
        return grid.fit(data, y)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="?")
    parser.add_argument("--scheduler")
    asked = parser.parse_args()
    data = leman.Dataset.read(asked.data) if asked.data else leman.generate("molecules", graphs=300, vertices=12, seed=1)
    with contextlib.ExitStack() as stack:
        where = asked.scheduler or stack.enter_context(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
        client = stack.enter_context(Client(where))
        kernel = leman.WLKernel("delta-2-LWL", rounds=3, normalize=True, n_jobs=1).fit(data)
        matrix = gram(client, kernel, data)
        same = np.array_equal(matrix, kernel.transform(data))
        print(f"{len(matrix)} rows by {len(client.scheduler_info()['workers'])} workers, {'equal' if same else 'NOT equal'} to those of one process")
        found = search(client, data, np.asarray(data.y))
        print(f"best of the grid: {found.best_params_}, {100 * found.best_score_:.1f} % of new graphs")


if __name__ == "__main__":
    main()
