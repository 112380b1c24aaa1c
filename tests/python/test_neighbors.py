"""leman.neighbors() and leman.clusters(): against rows of Gram matrices; paths, lists and data sets."""
import os
import random
import tempfile
import unittest

import networkx as nx
import numpy as np

import package
import leman

PARTS = ["C", "N", "O", "CC", "C(=O)", "c1ccccc1", "C(C)", "CN", "S", "C1CC1"]


def drawn(count, seed):
    draw = random.Random(seed)
    return ["C" + "".join(draw.choices(PARTS, k=draw.randint(1, 5))) for _ in range(count)]


def gram(queries, data, method, **how):
    kernel = leman.WLKernel(method=method, rounds=2, normalize=True, **how)
    return kernel.fit(data).transform(queries)


class Neighbors(unittest.TestCase):
    def setUp(self):
        self.texts, self.asked = drawn(120, 1), drawn(9, 2)
        self.ecfp = [leman.Dataset.from_smiles(texts, atom_labels="ecfp") for texts in (self.asked, self.texts)]

    def check(self, found, matrix, k, own=False):
        self.assertEqual(found.index.shape, (len(matrix), k))
        for q, row in enumerate(matrix):
            order = sorted((-value, g) for g, value in enumerate(row) if not (own and g == q))[:k]
            self.assertEqual(found.index[q].tolist(), [g for _, g in order])
            self.assertEqual(found.similarity[q].tolist(), [-value for value, _ in order])

    def test_lists(self):
        """Integers are divided once, so that equal similarities are equal numbers: the order is the definition's."""
        expected = gram(*self.ecfp, "ECFP4")
        for queries, data in ((self.asked, self.texts), self.ecfp, (self.asked, self.ecfp[1])):
            self.check(leman.neighbors(queries, data, 7), expected, 7)
        self.check(leman.neighbors(self.texts, k=3, n_jobs=2), gram(self.ecfp[1], self.ecfp[1], "ECFP4"), 3, own=True)
        similarity, index = leman.neighbors(self.asked, self.texts, 1)
        self.assertEqual(similarity[:, 0].tolist(), expected.max(axis=1).tolist())
        self.assertEqual(index[:, 0].tolist(), expected.argmax(axis=1).tolist())

    def test_paths(self):
        with tempfile.TemporaryDirectory() as folder:
            library, queries = os.path.join(folder, "x.csv"), os.path.join(folder, "q.smi")
            with open(library, "w") as file:
                file.write("smiles,name\nnothing,bad\n" + "".join(f"{text},m{i}\n" for i, text in enumerate(self.texts)))
            with open(queries, "w") as file:
                file.writelines(f"{text} q\n" for text in self.asked)
            with self.assertRaisesRegex(leman.InputError, "x.csv:2:"):
                leman.neighbors(self.asked, library)
            among = leman.neighbors(self.asked, self.texts, 5)
            for asked in (queries, self.asked):
                found = leman.neighbors(asked, library, 5, on_error="skip")
                self.assertEqual((found.index - 1).tolist(), among.index.tolist())
                self.assertEqual(found.similarity.tolist(), among.similarity.tolist())
            for row in found.rows():
                self.assertEqual((row["smiles"], row["name"]), (self.texts[row["row"] - 1], f"m{row['row'] - 1}"))

    def test_other_kernels(self):
        plain = [leman.Dataset.from_smiles(texts) for texts in (self.asked, self.texts)]
        found = leman.neighbors(self.asked, self.texts, 4, method="delta-2-LWL")
        expected = np.sort(gram(*plain, "delta-2-LWL"), axis=1)[:, ::-1][:, :4]
        np.testing.assert_allclose(found.similarity, expected, atol=1e-12)
        found = leman.neighbors(self.asked, self.texts, 4, method="1-WL", normalize="minmax")
        self.check(found, leman.WLKernel(method="1-WL", rounds=2, normalize="minmax").fit(plain[1]).transform(plain[0]), 4)
        graphs = [nx.gnp_random_graph(7, 0.4, seed=seed) for seed in range(30)]
        data = leman.as_dataset(graphs)
        self.check(leman.neighbors(graphs[:5], graphs, 6), leman.WLKernel(method="1-WL", rounds=2, normalize="minmax").fit(data).transform(graphs[:5]), 6)

    def test_refused(self):
        for how in (dict(k=0), dict(method="RandomWalk"), dict(method="none"), dict(on_error="pass"), dict(method="1-WL", rounds="stable")):
            with self.assertRaises(leman.Error):
                leman.neighbors(self.asked, self.texts, **how)
        with self.assertRaisesRegex(leman.Error, "read with"):
            leman.neighbors(self.ecfp[0], leman.Dataset.from_smiles(self.texts))

    def test_clusters(self):
        matrix = gram(self.ecfp[1], self.ecfp[1], "ECFP4")
        for least in (0.4, 0.7):
            found = leman.clusters(self.texts, least)
            near = [[j for j, value in enumerate(row) if j != i and value >= least] for i, row in enumerate(matrix)]
            labels, centers = [-1] * len(near), []
            for i in sorted(range(len(near)), key=lambda i: (-len(near[i]), i)):
                if labels[i] < 0:
                    for j in [i] + [j for j in near[i] if labels[j] < 0]:
                        labels[j] = len(centers)
                    centers.append(i)
            self.assertEqual(found.labels.tolist(), labels)
            self.assertEqual(found.centers.tolist(), centers)
            self.assertEqual(len(found), len(centers))
            self.assertEqual(found.similarity.tolist(), [matrix[i, centers[label]] for i, label in enumerate(labels)])
        with self.assertRaises(leman.Error):
            leman.clusters(self.texts, 1.5)


if __name__ == "__main__":
    package.main()
