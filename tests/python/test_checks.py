"""scikit-learn's check_estimator on all estimators. Its data are arrays of numbers, so every estimator is checked twice: as it is,
where the tags leave out the checks that fit; and behind an adapter that makes a graph of every row, where all checks run."""
import unittest
import warnings

import numpy as np
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted, validate_data

import package
import leman


def graphs_of_rows(rows):
    """A row of d numbers is a path of d vertices; the label of a vertex says its place and its number, rounded to halves."""
    count, width = rows.shape
    first = (np.arange(count)[:, None] * width + np.arange(width - 1)).ravel()
    labels = np.clip(np.round(2 * rows.astype(float)), -500, 500).astype(np.int64) + 1001 * np.arange(width)
    return leman.Dataset.from_arrays(np.stack([np.append(first, first + 1), np.append(first + 1, first)]),
                                     np.arange(count + 1) * width, vertex_labels=labels.ravel())


class Rows:
    """The adapter: arrays are validated as scikit-learn's own estimators do it, and become graphs."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        tags.no_validation = False
        return tags

    def fit(self, X, y=None, **more):
        found = validate_data(self, X) if y is None else validate_data(self, X, y)
        return super().fit(graphs_of_rows(found if y is None else found[0]), None if y is None else found[1], **more)

    def graphs(self, X):
        return X if isinstance(X, leman.Dataset) else graphs_of_rows(validate_data(self, X, reset=False))


def fitted(name):
    def call(self, X):
        check_is_fitted(self)
        return getattr(super(Rows, self), name)(self.graphs(X))

    return call


class Predicts(Rows):
    predict = fitted("predict")

    def score(self, X, y):
        return super().score(self.graphs(X), y)


class Decides(Predicts):
    predict_proba, decision_function = fitted("predict_proba"), fitted("decision_function")


class Transforms(Rows):
    transform = fitted("transform")

    def fit_transform(self, X, y=None):
        return self.fit(X, y).transform(X)


class RowsWL(Transforms, leman.WLKernel):
    pass


class RowsSP(Transforms, leman.ShortestPathKernel):
    pass


class RowsVectors(Transforms, leman.WLVectorizer):
    pass


class RowsSVC(Decides, leman.GraphSVC):
    pass


class RowsSVR(Predicts, leman.GraphSVR):
    pass


class RowsGPR(Predicts, leman.GraphGPR):
    pass


class RowsClassifier(Decides, leman.nn.GraphNetworkClassifier):
    pass


class RowsRegressor(Predicts, leman.nn.GraphNetworkRegressor):
    pass


COLORS = dict(method="1-WL", rounds=0, n_jobs=1)
SVM = dict(**COLORS, folds=2, C=1.0, random_state=0)
NETWORK = dict(model="GIN-eps", layers=1, width=16, epochs=12, learning_rate=0.02, device="cpu", random_state=0, n_jobs=1)
PLAIN = [leman.WLKernel(), leman.ShortestPathKernel(), leman.GraphletKernel(), leman.WLVectorizer(), leman.WeisfeilerLehman(), leman.GraphSVC(),
         leman.GraphSVR(), leman.GraphGPR(), leman.nn.GraphNetwork(), leman.nn.GraphNetworkClassifier(), leman.nn.GraphNetworkRegressor()]
ADAPTED = [RowsWL(**COLORS), RowsSP(n_jobs=1), RowsVectors(**COLORS), RowsSVC(**SVM), RowsSVR(**SVM), RowsGPR(**COLORS), RowsClassifier(**NETWORK),
           RowsRegressor(**NETWORK)]

LEFT_OUT = {
    "check_fit2d_1sample": "one graph is refused, as it should be, but the sentence says graph where the check looks for sample",
    "check_requires_y_none": "y may be None: a data set has classes and targets of its own, so its absence is found later, in another sentence",
}


class Checks(unittest.TestCase):
    def test_as_they_are(self):
        for estimator in PLAIN:
            with self.subTest(type(estimator).__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check_estimator(estimator)

    maxDiff = None

    def test_rows_as_graphs(self):
        """All checks pass but those of LEFT_OUT, and each of these fails somewhere: a reason that is gone must go."""
        seen = set()
        for estimator in ADAPTED:
            with self.subTest(type(estimator).__name__), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                results = check_estimator(estimator, on_skip=None, on_fail=None)
                seen |= {result["check_name"] for result in results if result["status"] == "failed"}
                failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
                self.assertEqual([f"{name}: {error!r}" for name, error in failed.items() if name not in LEFT_OUT], [])
                self.assertGreater(sum(result["status"] == "passed" for result in results), 40)
        self.assertEqual(seen, set(LEFT_OUT))


if __name__ == "__main__":
    package.main()
