"""The domain of a model in Python: molecules that are unlike the fitted ones, and intervals of values."""
import os
import random
import tempfile
import unittest

import numpy as np
import package
import leman

RINGS = ["c1ccc({})cc1", "c1ccnc({})c1", "C1CCN({})CC1", "c1csc({})c1", "C1COC({})CC1"]
LINKS = ["C(=O)N", "CC", "CCO", "CN", "S(=O)(=O)N", "C(=O)O"]
TAILS = ["C", "CC(C)C", "c2ccccc2", "C2CCCC2", "CF", "CCl"]


def molecules(count, seed):
    draw = random.Random(seed)
    return [draw.choice(RINGS).format(draw.choice(LINKS) + draw.choice(LINKS) + draw.choice(TAILS)) for _ in range(count)]


class Domain(unittest.TestCase):
    def test_probabilities_outside(self):
        """Three of four molecules are of class 1. Ethanol, an unknown element and a long chain are not known to be."""
        texts = molecules(200, 1)
        y = [int(i % 4 > 0) for i in range(200)]
        texts = ["N" + text if label else text for text, label in zip(texts, y)]
        for method in ("1-WL", "delta-2-LWL", "WLOA"):
            model = leman.GraphSVC(method, rounds=(0, 2), folds=3).fit(texts, y)
            label, domain = model.predict(["CCO", "[U]", "C" * 30, texts[0]], return_domain=True)
            probability, again = model.predict_proba(["CCO", "[U]", "C" * 30, texts[0]], return_domain=True)
            np.testing.assert_array_equal(domain, again)
            self.assertEqual(label.shape, domain.shape)
            self.assertEqual(domain[1], 0)
            np.testing.assert_allclose(probability[1], [0.25, 0.75], atol=1e-12)
            np.testing.assert_allclose(probability.sum(1), 1)
            self.assertLess(max(domain[0], domain[2]), 0.5)
            self.assertLess(probability[[0, 2]].max(), 0.9)
            self.assertEqual(domain[3], 1)
            inside, similarity = model.domain(["CCO", texts[0]])
            np.testing.assert_array_equal(inside, domain[[0, 3]])
            self.assertLess(similarity[0], similarity[1])
            row = model.predictions(["CCO"])[0]
            self.assertEqual((row["domain"], row["similarity"]), (inside[0], similarity[0]))
            why = model.explain("CCO")
            self.assertEqual((why.domain, why.similarity), (inside[0], similarity[0]))
            self.assertIn("outside the domain", why._repr_svg_())
            self.assertNotIn("outside the domain", model.explain(texts[0])._repr_svg_())

    def test_intervals(self):
        """Values of 300 molecules with noise, and of 300 others: nine of ten lie in their intervals, within five standard deviations."""
        rng = np.random.default_rng(1)
        texts = molecules(300, 2), molecules(300, 3)
        values = [np.array([text.count("O") + 0.3 * text.count("c") for text in part]) + rng.normal(0, 0.5, 300) for part in texts]
        model = leman.GraphSVR("1-WL", rounds=1, folds=5).fit(texts[0], values[0])
        for coverage in (0.5, 0.9):
            low, high = model.predict_interval(texts[1], coverage)
            self.assertAlmostEqual(np.mean((low <= values[1]) & (values[1] <= high)), coverage, delta=0.13)
            np.testing.assert_allclose((low + high) / 2, model.predict(texts[1]))
        self.assertGreater(*(np.ptp(model.predict_interval([text], 0.9)) for text in ("[U]", texts[0][0])))
        with self.assertRaisesRegex(leman.ArgumentError, "coverage: found 2"):
            model.predict_interval(texts[1], 2)
        with tempfile.TemporaryDirectory() as folder:
            model.save(os.path.join(folder, "m"))
            read = leman.load_model(os.path.join(folder, "m"))
            np.testing.assert_array_equal(read.predict_interval(texts[1], 0.9), model.predict_interval(texts[1], 0.9))


if __name__ == "__main__":
    package.main()
