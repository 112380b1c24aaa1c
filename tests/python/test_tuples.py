"""Tuples of graphs against their definitions, written out with loops."""
import itertools
import random
import unittest

import numpy as np
import package

import leman


def graph(n, p, seed, directed=False):
    draw = random.Random(seed)
    pairs = itertools.permutations(range(n), 2) if directed else itertools.combinations(range(n), 2)
    edges = [pair for pair in pairs if draw.random() < p]
    return edges, [draw.randrange(2) for _ in range(n)]


def dataset(shapes, directed=False):
    ends, labels, offsets = [], [], [0]
    for edges, label in shapes:
        ends += [(u + offsets[-1], w + offsets[-1]) for u, w in edges + ([] if directed else [(w, u) for u, w in edges])]
        labels += label
        offsets.append(offsets[-1] + len(label))
    return leman.Dataset.from_arrays(np.array(ends, dtype=np.int64).reshape(-1, 2).T, offsets, vertex_labels=labels, directed=directed)


def connected_parts(vertices, joined):
    parts = []
    for v in set(vertices):
        touching = [part for part in parts if any((v, w) in joined for w in part)]
        parts = [part for part in parts if part not in touching] + [{v}.union(*touching)]
    return len(parts)


class Tuples(unittest.TestCase):
    def check(self, k, components, directed=False):
        shapes = [graph(5, 0.5, 10 * k + i, directed) for i in range(3)]
        found = leman.tuples(dataset(shapes, directed), k, components=components, in_arcs=directed, distances=True)
        number = 0
        expected = {over: [set() for _ in range(k)] for over in ("local", "entering", "global", "all")}
        folklore = set()
        for i, (edges, label) in enumerate(shapes):
            arcs = set(edges) | (set() if directed else {(w, u) for u, w in edges})
            joined = arcs | {(w, u) for u, w in arcs}
            members = [t for t in itertools.product(range(len(label)), repeat=k)
                       if not components or connected_parts(t, joined) <= components]
            place = {t: number + at for at, t in enumerate(members)}
            number += len(members)
            self.assertEqual([tuple(t) for t in found.vertex[found.start[i]:found.start[i + 1]]], members)
            for t in members:
                for j, w in itertools.product(range(k), range(len(label))):
                    other = t[:j] + (w,) + t[j + 1:]
                    if other not in place or other == t:
                        continue
                    link = (place[other], place[t])
                    expected["all"][j].add(link)
                    if (t[j], w) in arcs:
                        expected["local"][j].add(link)
                    else:
                        expected["global"][j].add(link)
                    if (w, t[j]) in arcs:
                        expected["entering"][j].add(link)
                for w in range(len(label)):
                    around = [t[:j] + (w,) + t[j + 1:] for j in range(k)]
                    if all(other in place for other in around):
                        folklore.add((place[t],) + tuple(place[other] for other in around))
        self.assertEqual(len(found), number)
        for over in ("local", "global", "all") + (("entering",) if directed else ()):
            for j in range(k):
                links = [tuple(pair) for pair in found.links(j, over).T]
                self.assertEqual(len(links), len(set(links)))
                self.assertEqual(set(links), expected[over][j], (over, j))
        to, parts = found.folklore()
        self.assertEqual({(t,) + tuple(p) for t, p in zip(to, parts.T)}, folklore)
        self.assertEqual(len(to), len(folklore))
        counted = found.counts()
        for t in range(number):
            for j in range(k):
                same = {u for u, w in expected["all"][j] if w == t and found.color[u] == found.color[t]} | {t}
                self.assertEqual(counted[t, j], len(same))

    def test_pairs(self):
        self.check(2, None)
        self.check(2, 1)
        self.check(2, None, directed=True)

    def test_triples(self):
        self.check(3, None)
        self.check(3, 1)
        self.check(3, 2, directed=True)

    def test_colors_and_distances(self):
        shapes = [graph(6, 0.4, seed) for seed in range(3)]
        data = dataset(shapes)
        found = leman.tuples(data, 2, rounds=2, distances=True)
        for i, (edges, label) in enumerate(shapes):
            alone = leman.colors(data[i], "delta-2-LWL", 2)
            here = slice(found.start[i], found.start[i + 1])
            np.testing.assert_array_equal(found.color[here], alone.ravel())
            far = np.full((len(label),) * 2, 99)
            np.fill_diagonal(far, 0)
            for u, w in edges:
                far[u, w] = far[w, u] = 1
            for m in range(len(label)):
                far = np.minimum(far, far[:, m:m + 1] + far[m:m + 1])
            far[far >= 99] = -1
            np.testing.assert_array_equal(found.distance[here, 0], far.ravel())

    def test_refusals(self):
        data = dataset([graph(4, 0.5, 1)])
        with self.assertRaisesRegex(leman.ArgumentError, "k: found 1"):
            leman.tuples(data, 1)
        with self.assertRaisesRegex(leman.ArgumentError, "expected tuples\\(..., links=True\\)"):
            leman.tuples(data, 2, links=False).links(0)
        with self.assertRaisesRegex(leman.ArgumentError, "directed"):
            leman.tuples(data, 2).links(0, "entering")
        with self.assertRaisesRegex(leman.ArgumentError, "expected the same k in both"):
            leman.tuples(data, 2, method="delta-3-LWL")
        self.assertEqual(len(leman.tuples(data, 2, method="delta-2-LWL")), 16)
        with self.assertRaisesRegex(leman.ArgumentError, "over: found 'near'"):
            leman.tuples(data, 2).links(0, "near")
        self.assertEqual(len(leman.tuples(leman.Dataset.from_arrays(np.zeros((2, 0)), [0]), 2)), 0)


class SparseColors(unittest.TestCase):
    def test_sparse_answer(self):
        data = dataset([graph(7, 0.3, 4)])
        found = leman.colors(data[0], "delta-2-LWL", 2, components=1)
        self.assertEqual(found.tuples.shape, (len(found), 2))
        whole = np.asarray(found)
        self.assertEqual(whole.shape, (7, 7))
        self.assertEqual(int((whole != 0).sum()), len(found))
        for (u, w), color in zip(found.tuples, found.colors):
            self.assertEqual(whole[u, w], color)
            self.assertTrue(u == w or w in data[0].edge_index[1][data[0].edge_index[0] == u])

    def test_vertices(self):
        found = leman.colors(dataset([graph(7, 0.3, 4)])[0], "1-WL", 2, components=1)
        self.assertEqual(found.tuples.tolist(), [[v] for v in range(7)])

    def test_large_graph(self):
        n = 60000
        ring = np.stack([np.arange(n), (np.arange(n) + 1) % n])
        ring = np.hstack([ring, ring[::-1]])
        found = leman.colors(leman.Dataset.from_arrays(ring)[0], "delta-2-LWL", 1, components=1)
        self.assertEqual(len(found), 3 * n)
        self.assertEqual(len(set(found.colors.tolist())), 2)
        with self.assertRaisesRegex(leman.Error, "tuples"):
            leman.colors(leman.Dataset.from_arrays(ring)[0], "delta-3-LWL", 1)


if __name__ == "__main__":
    package.main()
