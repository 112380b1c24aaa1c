"""libwalk.so, which walks through lists of graphs in C, beside the converters in Python, which define what a graph means: both give the
same data set, the same warning or the same error, whatever they are given. No reference is lost, and no allocation may go unchecked."""
import collections
import ctypes
import gc
import importlib.util
import os
import random
import subprocess
import sys
import tracemalloc
import unittest
import warnings
from unittest import mock

import networkx as nx
import numpy as np
import scipy.sparse

import package
import leman
from leman import _convert, _walk


def description(data):
    """All that a data set says."""
    arrays = data.to_arrays()
    return (data.checksum, [list(graph.nodes) for graph in data], arrays["edge_index"].tolist(), arrays["offsets"].tolist(),
            repr(arrays.get("vertex_labels")), repr(arrays.get("edge_labels")), repr(sorted(data._vertex_words.items())),
            repr(sorted(data._edge_words.items())), repr(data.columns.vertex_labels), repr(data.columns.edge_labels))


def outcome(graphs, **how):
    """What becomes of graphs: a description, or an error; and the warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = description(leman.Dataset.from_grakel(graphs, **how))
        except Exception as error:
            found = (type(error), str(error))
    return found, [(entry.category, str(entry.message)) for entry in caught]


class Raises:
    """Raises wherever it is asked for anything."""

    def __hash__(self):
        raise ValueError("no hash")

    def __eq__(self, other):
        raise ValueError("no comparison")

    def __iter__(self):
        raise ValueError("no items")


class Clears:
    """Empties containers whenever it is compared; equal to everything of its hash."""

    def __init__(self, number, *containers):
        self.number = number
        self.containers = containers

    def __hash__(self):
        return hash(self.number)

    def __eq__(self, other):
        for container in self.containers:
            container.clear()
        return True


class OwnInt(int):
    pass


class OwnDict(dict):
    def __iter__(self):
        return iter(())


def missing_matrix():
    return np.ma.array([[0, 1], [1, 0]], mask=[[0, 1], [0, 0]])


LABELS = {0: 7, 1: 8, 2: 7}
PAIRS = [(0, 1), (1, 0), (1, 2), (2, 1)]
MARKS = {(0, 1): 3, (1, 0): 3, (1, 2): -4, (2, 1): -4}
MATRIX = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]

# Shapes that the library itself must take, each a list of graphs.
TAKEN = {
    "pairs": [[PAIRS, LABELS]],
    "tuple of pairs": [[tuple(PAIRS), LABELS]],
    "sets": [[set(PAIRS), LABELS, MARKS], (frozenset(PAIRS), LABELS, MARKS)],
    "lists as pairs": [[[[0, 1], [1, 0], [2, 1], [1, 2]], LABELS]],
    "weights": [[[(0, 1, 2.5), (1, 0, 2.5)], {0: 1, 1: 1}]],
    "weights of 1": [[[(0, 1, 1.0), (1, 0, 1)], {0: 1, 1: 1}, {(0, 1): 5, (1, 0): 5}]],
    "neighbours": [[{0: [1], 1: [0, 2], 2: {1}}, LABELS]],
    "dictionaries": [[{0: {1: 1.0}, 1: {0: 1, 2: 1.0}, 2: {1: 1.0}}, LABELS, MARKS]],
    "weighted dictionaries": [[{0: {1: 4}, 1: {0: 4}}, {0: "a", 1: "b"}]],
    "pairs as keys": [[{(0, 1): 1, (1, 0): 1}, {0: 7, 1: 8}, {(0, 1): "x", (1, 0): "x"}]],
    "both kinds of keys": [[{3: {0: 1}, (0, 1): 1, (1, 0): 1, 0: [3]}, {0: 7, 1: 8, 3: 9}]],
    "matrix of lists": [[MATRIX, LABELS, MARKS]],
    "weighted matrix of lists": [[[[0, 2], [2, 0.0]], [1, 2]]],
    "rows of other length": [[[[0, 1, 0], [1, 0, 1]], LABELS]],
    "array": [[np.array(MATRIX), LABELS], [np.array(MATRIX, dtype=float), LABELS], [np.array(MATRIX, dtype=bool), LABELS]],
    "array with edge labels": [[np.array(MATRIX), LABELS, MARKS]],
    "weighted array": [[np.array(MATRIX) * 3, LABELS]],
    "arrays alone": [np.array(MATRIX), np.zeros((0, 0)), np.eye(2)],
    "sparse": [[scipy.sparse.csr_matrix(MATRIX), LABELS]],
    "containers alone": [{0: [1], 1: [0]}, {(5, 6), (6, 5)}, frozenset({(1, 0), (0, 1)})],
    "no labels": [[PAIRS], (PAIRS, None), [PAIRS, None, None], [PAIRS, {}, {}]],
    "labels of edges alone": [[PAIRS, None, MARKS]],
    "labels as a list": [[PAIRS, [4, 5, 6]], [PAIRS, (4, "b", None)]],
    "names from 1": [[{(1, 2), (2, 1)}, {1: 0, 2: 1}]],
    "names in another order": [[[(0, 1), (1, 0)], {1: 5, 0: 6}]],
    "names with gaps": [[[(10, 30), (30, 10)], {10: 1, 20: 2, 30: 3}, {(10, 30): 1, (30, 10): 1}]],
    "negative names": [[[(-2, -1), (-1, -2)], {-2: 1, -1: 2}]],
    "huge names": [[[(2**70, -(2**63))], {2**70: 1, -(2**63): 2}], [[], {2**63 - 1: 1}], [[(2**63 - 1, 2**63 - 2)], {2**63 - 2: 1, 2**63 - 1: 1}]],
    "far names": [[[(2**62, -(2**63))], {-(2**63): 1, 2**62: 2}], [[(2**62, 2**62)], {-(2**63): 1, 2**62: 1}]],
    "texts as names": [[[("a", "b"), ("b", "a")], {"a": 1, "b": 2, "c": 3}], [{"x": {"y": 1}, "y": {"x": 1}}, {"y": 0, "x": 0}]],
    "tuples as names": [[[((0, 1), (1, "x")), ((1, "x"), (0, 1))], {(0, 1): 1, (1, "x"): 2}]],
    "floats as names": [[[(0.0, 1.0), (1.0, 0.0)], {0: 1, 1: 2}], [[(0, 1)], {0.0: 1, True: 2}], [[(0.5, 1)], {0.5: 1, 1: 2}]],
    "names without labels": [[[("b", "a"), ("a", "b")]], [[(5, 9), (9, 5)]]],
    "NumPy's names": [[[(np.int64(0), np.int32(1)), (1, 0)], {np.int64(0): 1, 1: 2}]],
    "NumPy's names in another order": [[[(np.int64(4), np.int32(1)), (1, 4)], {np.int64(4): 1, 1: 2}]],
    "isolated": [[[], {0: 1, 1: 1}], [set(), {0: 2}], [{0: [], 1: {}}, {0: 1, 1: 1}]],
    "empty": [[[], {}], [[], None], [{}, {}], [set()], [[], [], {}]],
    "empty beside others": [[PAIRS, LABELS, MARKS], [[], {}, {}], [[], None], [{}]],
    "edge labels without edges": [[[], {0: 1}, {(0, 0): 1}]],
    "edge labels without edges, beside others": [[[], {0: 1}, {(0, 0): 1}], [[(0, 1), (1, 0)], {0: 1, 1: 1}, {}]],
    "loops": [[[(0, 0), (0, 1), (1, 0)], {0: 1, 1: 2}]],
    "repeated": [[[(0, 1), (0, 1), (1, 0)], {0: 1, 1: 2}, {(0, 1): 1, (1, 0): 1}]],
    "one direction": [[[(0, 1), (1, 2)], LABELS]],
    "texts as labels": [[PAIRS, {0: "C", 1: "N", 2: "C"}, dict.fromkeys(PAIRS, "single")]],
    "numbers and texts as labels": [[PAIRS, {0: 1, 1: "N", 2: None}], [PAIRS, LABELS]],
    "reals as labels": [[PAIRS, {0: 0.5, 1: 1.0, 2: np.float64(2.5)}]],
    "huge labels": [[PAIRS, {0: 2**62, 1: -(2**62), 2: 2**62 - 1}], [PAIRS, {0: 2**80, 1: 1, 2: 1 - 2**62}]],
    "truth as labels": [[PAIRS, {0: True, 1: False, 2: 1}]],
    "tuples as labels": [[PAIRS, {0: (1, 2), 1: (), 2: (1, 2)}]],
    "NumPy's labels": [[PAIRS, {0: np.int64(4), 1: np.int32(5), 2: 4}]],
    "unhashable labels": [[PAIRS, {0: [1.0], 1: [2.0], 2: [3.0]}]],
    "labels that raise": [[PAIRS, {0: 1, 1: Raises(), 2: 2}]],
    "matrix among more vertices": [[[[0, 1], [1, 0]], {-1: 1, 0: 2, 1: 3}]], "array among more vertices": [[np.eye(2), {-2: 1, -1: 2, 0: 3, 1: 4}]],
    "more than three parts": [[PAIRS, LABELS, MARKS, "more"]],
    "own lists": [leman.grakel.Graph(PAIRS, LABELS, MARKS)],
}

# What goes the way of Python, to be taken or refused there.
REFUSED = {
    "no graph": [5], "text": ["CCO"], "nothing": [None], "empty list": [[]], "no edges": [[None, {0: 1}]], "a number as edges": [[3, {0: 1}]],
    "edge of four": [[[(0, 1, 1, 1)], {0: 1, 1: 1}]], "edge of one": [[[(0,)], {0: 1}]], "edges that are none": [[[0, 1], {0: 1}]],
    "no label of a vertex": [[PAIRS, {0: 1}]], "no label of an edge": [[PAIRS, LABELS, {(0, 1): 3}]],
    "labels in one graph alone": [[PAIRS, LABELS], [PAIRS]], "edge labels in one graph alone": [[PAIRS, LABELS, MARKS], [PAIRS, LABELS]],
    "generator": [[(pair for pair in PAIRS), LABELS]], "other keys": [[{0: 1}, {0: 1}]], "labels that are none": [[PAIRS, 5]],
    "a list as edge labels": [[PAIRS, LABELS, [1, 2]]], "own types": [[[(OwnInt(0), 1), (1, 0)], {OwnInt(0): 1, 1: 2}]],
    "own dictionary": [[OwnDict({0: [1]}), {0: 1, 1: 1}]], "default dictionary": [[collections.defaultdict(list, {0: [1], 1: [0]}), {0: 1, 1: 1}]],
    "truth as weight": [[{0: {1: True}, 1: {0: True}}, {0: 1, 1: 1}]], "texts as weights": [[{(0, 1): "x", (1, 0): "y"}]],
    "huge weights": [[[(0, 1, 2**70), (1, 0, 2**70)]]], "oblong array": [[np.zeros((2, 3)), {0: 1, 1: 1}]], "array of objects": [[np.array(MATRIX, dtype=object), LABELS]],
    "complex array": [[np.eye(2) * 1j, [1, 1]]], "cube": [[np.zeros((2, 2, 2)), [1, 1]]], "masked array": [[missing_matrix(), [1, 1]]],
    "rows of arrays": [[[np.array([0, 1]), np.array([1, 0])], [1, 2]]],
    "names that raise": [[[(Raises(), 1)], {0: 1, 1: 1}]], "keys that raise": [[PAIRS, LABELS, {(0, 1): 1}], [[(0, 1)], {0: 1, 1: 1}, {Raises: 1}]],
    "edges that raise": [[Raises(), {0: 1}]], "a graph that raises": [Raises()], "labels as an array": [[PAIRS, np.array([4, 5, 6])]],
    "deep names": [[[(((((((1,),),),),),), 2)]]],
}


@unittest.skipIf(_walk.walk is None, "there is no libwalk.so")
class Walk(unittest.TestCase):
    def both(self, graphs, what="", taken=None, **how):
        """Is the outcome the same without the library, and without any quick way? Each way gets a generator anew."""
        given = graphs if callable(graphs) else lambda: graphs
        if taken is not None:
            self.assertEqual(_walk.quick(list(given())) is not None, taken, what)
        found = outcome(given(), **how)
        with mock.patch.object(_walk, "walk", None):
            self.assertEqual(found, outcome(given(), **how), what)
            with mock.patch.object(_convert, "_plain_grakel", lambda graphs: None):
                self.assertEqual(found, outcome(given(), **how), what)
        return found

    def test_shapes(self):
        for what, graphs in TAKEN.items():
            for directed in (False, True):
                with self.subTest(what, directed=directed):
                    self.both(graphs, what, taken=True, directed=directed)

    def test_other_shapes(self):
        for what, graphs in REFUSED.items():
            with self.subTest(what):
                if what != "generator":
                    self.both(graphs, what, taken=False)
        self.both(lambda: [[(pair for pair in PAIRS), LABELS]], "generator")
        self.both(lambda: ([PAIRS, LABELS] for _ in range(2)), "generator of graphs")
        self.both([[PAIRS, LABELS]], "policy", policy="self-loops=keep")

    def test_by_hand(self):
        """What the arrays of one list must be, written down."""
        arrays, weighted = _walk.quick([[[("b", "a", 2.0), ("a", "c")], {"c": 5, "a": "x", "b": 5}], [[[0, 1], [1, 0]], [3, 4]]])
        self.assertTrue(weighted)
        np.testing.assert_array_equal(arrays["edge_index"], [[1, 2, 3, 4], [0, 1, 4, 3]])
        np.testing.assert_array_equal(arrays["offsets"], [0, 3, 5])
        self.assertEqual((arrays["vertex_labels"], arrays["edge_labels"], arrays["nodes"]), ([5, "x", 5, 3, 4], None, [("c", "a", "b"), None]))
        arrays, weighted = _walk.quick([[{(7, 6), (6, 7)}, {6: 1, 7: 2}, {(6, 7): -1, (7, 6): -1}]])
        self.assertFalse(weighted)
        self.assertEqual(sorted(arrays["edge_index"].T.tolist()), [[0, 1], [1, 0]])
        np.testing.assert_array_equal(arrays["vertex_labels"], [1, 2])
        np.testing.assert_array_equal(arrays["edge_labels"], [-1, -1])
        self.assertEqual(arrays["nodes"], [range(6, 8)])
        arrays, _ = _walk.quick([[[[0, 1], [1, 0]], {-1: 1, 0: 2, 1: 3}]])  # the rows of the matrix are the vertices 0 and 1
        self.assertEqual((arrays["edge_index"].tolist(), arrays["nodes"]), ([[1, 2], [2, 1]], [range(-1, 2)]))

    def test_code_of_the_user(self):
        """Objects whose comparison empties the containers that are walked through."""
        for build in (lambda: ([], {}, {}), lambda: (set(), {}, {})):
            edges, labels, marks = build()
            (edges.append if isinstance(edges, list) else edges.add)((0, 1))
            labels.update({0: 1, 1: 2})
            marks[Clears((0, 1), edges, labels, marks)] = 5
            self.assertIsNone(_walk.quick([[edges, labels, marks]]))
            self.assertEqual((len(edges), len(labels), len(marks)), (1, 2, 1), "the library compared")
        edges, labels = [], {}
        labels.update({Clears(0, edges): 1, 1: 2})
        edges.append((0, 1))
        self.assertIsNone(_walk.quick([[edges, labels]]))
        self.assertEqual(len(edges), 1)

    def random_graph(self, rng):
        n = rng.randrange(6)
        names = rng.choice([range(n), range(1, n + 1), rng.sample(range(20), n), "abcdefgh"[:n], [(i, "x") for i in range(n)],
                            [float(i) for i in range(n)], [np.int64(i) for i in range(n)], [i / 2 for i in range(n)], [None, *range(1, 9)][:n]])
        names = list(names)
        pairs = [(u, v) for u in names for v in names if rng.random() < 0.3]
        if rng.random() < 0.7:
            pairs += [(v, u) for u, v in pairs]
        weight = rng.choice([1, 1.0, 2, np.float64(1), 0.5, True, "w", None])
        whole = {u: i for i, u in enumerate(names)}
        matrix = np.zeros((n, n))
        for u, v in pairs:
            matrix[whole[u], whole[v]] = weight if isinstance(weight, float) else 1
        edges = rng.choice([
            lambda: pairs, lambda: tuple(pairs), lambda: set(pairs), lambda: frozenset(pairs), lambda: list(map(list, pairs)),
            lambda: [(*pair, weight) for pair in pairs], lambda: dict.fromkeys(pairs, weight),
            lambda: {u: {v: weight for t, v in pairs if t == u} for u in names}, lambda: {u: [v for t, v in pairs if t == u] for u in names},
            lambda: {u: {v for t, v in pairs if t == u} for u, _ in pairs}, lambda: matrix, lambda: matrix.tolist(),
            lambda: scipy.sparse.coo_matrix(matrix), lambda: matrix.astype(int)])()
        label = rng.choice([lambda: rng.randrange(3), lambda: rng.choice("CNO"), lambda: rng.choice([1, "C", 0.5, None, True, 2**62, np.int64(3)])])
        on_vertices = rng.choice([{u: label() for u in names}, {u: label() for u in rng.sample(names, n)}, [label() for _ in names], None, {},
                                  {u: label() for u in names[1:]}])
        on_edges = rng.choice([None, None, {}, {pair: label() for pair in pairs}, {pair: label() for pair in pairs[1:]},
                               {pair: label() for pair in [*pairs, (names[0],) * 2 if names else (0, 0)]}])
        return rng.choice([lambda: [edges, on_vertices, on_edges]] * 6 + [lambda: (edges, on_vertices), lambda: [edges], lambda: edges])()

    def test_random_lists(self):
        """Any outcome, but the same one: lists of mixed shapes, names, labels and faults."""
        rng = random.Random(5)
        taken = good = 0
        for _ in range(3000):
            graphs = [self.random_graph(rng) for _ in range(rng.choice([1, 1, 2, 3]))]
            found, _ = self.both(graphs, repr(graphs)[:300], directed=rng.random() < 0.3)
            good += len(found) > 2
            taken += _walk.quick(graphs) is not None
        self.assertGreater(good, 800)
        self.assertGreater(taken, 800)

    def test_references(self):
        """No object has another count of references after 1,000 rounds, and no memory is kept."""
        name, label, mark, far = "a name of its own"[:17], ("label",), ("mark",), 10**12
        own = [[[(name, "b"), ("b", name)], {name: label, "b": 3}, {(name, "b"): mark, ("b", name): 4}], [{(far, far + 1), (far + 1, far)}, {far: 1, far + 1: 2}, {(far, far + 1): 1, (far + 1, far): 1}],
               [{name: {"b": 1.5}, "b": [name]}, {name: 1, "b": label}, {(name, "b"): mark, ("b", name): 1}], [[[0, 1], [1, 0]], [label, 2], {(0, 1): mark, (1, 0): 1}]]
        odd = [own + [[[(0, 5)], {0: 1}]], own + [[[(name, "b")], {name: label, "b": 1}, {("b", name): mark}]], own + [[{name: {"b": Raises}}]]]
        watched = [name, label, mark, far, own[0], own[0][0], own[0][0][0], own[1][0], Raises]
        for graph in own + [given[-1] for given in odd]:
            watched += [graph, *graph]
        for case, taken in [(own, True)] + [(given, False) for given in odd]:
            for _ in range(10):
                self.assertEqual(_walk.quick(case) is not None, taken)
            gc.collect()
            before = [sys.getrefcount(item) for item in watched]
            tracemalloc.start()
            start = tracemalloc.get_traced_memory()[0]
            for _ in range(1000):
                _walk.quick(case)
            gc.collect()
            kept = tracemalloc.get_traced_memory()[0] - start
            tracemalloc.stop()
            self.assertEqual([sys.getrefcount(item) for item in watched], before)
            self.assertLess(kept, 2000)

    def test_collector(self):
        """The collector of garbage is on afterwards if it was on before."""
        for graphs in (TAKEN["pairs"], REFUSED["nothing"]):
            for on in (True, False):
                (gc.enable if on else gc.disable)()
                _walk.quick(graphs)
                self.assertEqual(gc.isenabled(), on)
        gc.enable()

    def test_failing_allocations(self):
        """The first, second, ... allocation fails: a MemoryError, until all succeed."""
        if importlib.util.find_spec("_testcapi") is None:
            return  # a Python without its own tests
        import _testcapi
        lists = [[[PAIRS, {2: "a", 0: 2**40, 1: 5}, {pair: "x" for pair in PAIRS}], [{"a": {"b": 1}, "b": {"a": 1}}, {"a": 1, "b": 2}, {("a", "b"): 2**40, ("b", "a"): 5}]],
                 [[set(PAIRS), LABELS, MARKS], [MATRIX, [2**40, 3, 4], MARKS]]]
        for graphs in lists:
            expected = _walk.walk(graphs, None, b"", b"", _walk.WHOLE, _walk.REAL)
            self.assertIsNotNone(expected)
            failed = 0
            for place in range(1, 400):
                try:
                    _testcapi.set_nomemory(place, place + 1)
                    found = _walk.walk(graphs, None, b"", b"", _walk.WHOLE, _walk.REAL)
                except (MemoryError, ctypes.ArgumentError):  # the latter where ctypes itself lacked memory
                    found = None
                finally:
                    _testcapi.remove_mem_hooks()
                self.assertTrue(gc.isenabled())
                failed += found is None
                if found is not None:
                    self.assertEqual(found, expected)
            self.assertGreater(failed, 10)
            self.assertLess(failed, 390)
        marked = [[PAIRS, None, dict.fromkeys(PAIRS, "x")], [set(PAIRS), None, dict.fromkeys(PAIRS, 1)]]
        marked += [[PAIRS, dict.fromkeys(range(3), "x")], [PAIRS, [2**40, 2**41, "y"]]]
        for graphs, edges in ((marked[:2], True), (marked[1:2], True), (marked[2:], False), (marked[3:], False)):
            expected, failed = _walk.walk_labels(graphs, _walk.WHOLE, edges), 0
            for place in range(1, 60):
                try:
                    _testcapi.set_nomemory(place, place + 1)
                    found = _walk.walk_labels(graphs, _walk.WHOLE, edges)
                except (MemoryError, ctypes.ArgumentError):
                    found = None
                finally:
                    _testcapi.remove_mem_hooks()
                self.assertTrue(gc.isenabled())
                failed += found is None
                self.assertIn(found, (None, expected))
            self.assertTrue(0 < failed < 50)

    def test_wrong_arguments(self):
        good = ([], None, b"", b"", _walk.WHOLE, _walk.REAL)
        for place, wrong in ((0, ()), (1, [None]), (2, b"12345678"), (3, ""), (4, []), (5, None)):
            arguments = list(good)
            arguments[place] = wrong
            with self.assertRaises(TypeError):
                _walk.walk(*arguments)
        for wrong in (((), _walk.WHOLE, True), ([], [], True), ([], _walk.WHOLE, 1)):
            with self.assertRaises(TypeError):
                _walk.walk_labels(*wrong)

    def counts(self, graphs, edges):
        """For each graph, how often it has each label."""
        starts, labels, counts = _walk.counted_labels(graphs, edges)
        self.assertEqual(starts[-1], len(counts))
        found = [collections.Counter() for _ in graphs]
        for counter, begin, end in zip(found, starts, starts[1:]):
            for label, count in zip(labels[begin:end], counts[begin:end]):
                counter[label] += count
        return found

    def test_many_labels(self):
        """More labels than the walk keeps at a time, small and large numbers, and equal labels that are different objects."""
        draw = np.random.default_rng(3)
        for pool in ([int(x) for x in range(-10, 300)], [10**12 + 7 * i for i in range(500)], [f"label {i % 90}" for i in range(400)],
                     [float(i) / 8 for i in range(300)], [*range(250, 262), "a", None, 2.5, True]):
            graphs = [[[], [pool[i] for i in draw.integers(0, len(pool), size)]] for size in (1, 700, 3, 1500)]
            self.assertEqual(self.counts(graphs, False), [collections.Counter(labels) for _, labels in graphs])

    def test_small_numbers(self):
        """Vertices around the numbers that an interpreter keeps as objects, and labels beside them."""
        for first in (0, -3, 250, 255, 256, 257, 300):
            names = range(first, first + 9)
            arcs = [(int(str(u)), int(str(u + 1))) for u in names[:-1]]
            graph = [arcs + [(v, u) for u, v in arcs], {int(str(v)): v % 4 - 1 for v in names}]
            data = leman.Dataset.from_grakel([graph])
            self.assertEqual(data[0].edge_index.T.tolist(), sorted([[i, i + 1] for i in range(8)] + [[i + 1, i] for i in range(8)]))
            self.assertEqual(data[0].vertex_labels, [v % 4 - 1 for v in names])
            self.assertEqual(list(data[0].nodes), list(names))

    def test_edge_labels(self):
        """The counts of the labels of edges; a graph that has not one for each of its arcs, or has another form, is left to the converters."""
        near = {0: {1: 1.0}, 1: {0: 1.0, 2: 1.0}, 2: {1: 1.0}}
        marks = {(0, 1): 5, (1, 0): 5, (1, 2): 7, (2, 1): 7}
        for edges in (near, {u: list(ends) for u, ends in near.items()}, {u: set(ends) for u, ends in near.items()}, set(marks), list(marks),
                      tuple(marks), frozenset(marks), dict.fromkeys(marks, 1.0)):
            self.assertEqual(self.counts([[edges, {}, marks], [{}, {}, {}], (edges, None, marks)], True), [{5: 2, 7: 2}, {}, {5: 2, 7: 2}])
        for values in ([1, True, np.int64(3), 4], [1, 1, "x", "x"], [2**62, 1, 1.0, None]):
            self.assertEqual(self.counts([[near, {}, dict(zip(marks, values))]], True), [collections.Counter(values)])
        for odd in ([near, {}], [near, {}, None], [near, {}, {(0, 1): 5}], [{}, {}, marks], [np.eye(2), {}, {(0, 0): 1, (1, 1): 1}], {0: [1]}, 7,
                    [[[0, 1], [1, 0]], {}, {(0, 1): 1, (1, 0): 1}], [marks.items().__iter__(), {}, marks]):
            self.assertIsNone(_walk.counted_labels([[near, {}, marks], odd], True))
        self.assertIsNone(_walk.counted_labels(([near, {}, marks],), True))
        with mock.patch.object(_walk, "walk", None):
            self.assertIsNone(_walk.counted_labels([[near, {}, marks]], True))

    def test_vertex_labels(self):
        """The counts of the labels of vertices, of which a graph may have more than the walk remembers."""
        draw = random.Random(7)
        for kind in (int, str, lambda i: i * 2**50, lambda i: (i, "x"), lambda i: i if i % 3 else str(i)):
            labels = [[kind(draw.randrange(most)) for _ in range(90)] for most in (2, 40, 10**6)]
            lists = [[{}, labels[0]], ({}, tuple(labels[1]), None), [{}, dict(zip("abcdefg" * 5, labels[2])), {}], [None, dict(enumerate(labels[2]))]]
            self.assertEqual(self.counts(lists, False), [collections.Counter(own.values() if isinstance(own, dict) else own) for _, own, *_ in lists])
        for odd in ([{}, {}], [{}, None], [{}], {0: [1]}, [{}, np.arange(2)], [{}, "ab"], []):
            self.assertIsNone(_walk.counted_labels([[{}, [1]], odd], False))

    def test_symbols(self):
        """The library uses nothing of Python but functions and types of its stable interface, and exports three functions."""
        path = os.path.join(os.path.dirname(_walk.__file__), "libwalk.so")
        listed = subprocess.run(["nm", "-D", path], capture_output=True, text=True, check=True).stdout.split("\n")
        symbols = {line.split()[-1].split("@")[0]: line.split()[-2] for line in listed if line}
        self.assertEqual([name for name, kind in sorted(symbols.items()) if kind in "TDB"], ["leman_walk_graphs", "leman_walk_labels", "leman_walk_networks"])
        self.assertEqual([name for name in symbols if name.startswith("_Py") and name not in ("_Py_Dealloc", "_Py_NoneStruct", "_Py_TrueStruct",
                                                                                               "_Py_FalseStruct")], [])


def networks(random):
    """A list of random graphs of networkx: all kinds, names and labels, sometimes missing ones."""
    directed, labelled, marked = (random.random() < 0.5 for _ in range(3))
    kinds = (nx.DiGraph, nx.MultiDiGraph) if directed else (nx.Graph, nx.MultiGraph)
    words = random.choice(([1, 2], ["C", 2**40], [None, "x"], [True, 0], [2**70, 1]))
    graphs = []
    for _ in range(random.randrange(4)):
        graph, n = random.choice(kinds)(), random.randrange(5)
        names = random.choice((list(range(n)), list(range(3, 3 + n)), [f"v{i}" for i in range(n)], [i / 2 for i in range(n)], [(i, "a") for i in range(n)]))
        random.shuffle(names)
        missing, others = random.random() < 0.05, random.random() < 0.1
        for name in names:
            graph.add_node(name, **({"label": random.choice(words)} if labelled and not missing else {}), **({"other": 1} if others else {}))
        for _ in range(random.randrange(8) if n else 0):
            graph.add_edge(random.choice(names), random.choice(names), **({"weight": 2.5} if others else {}), **({"label": random.choice(words)} if marked and random.random() < 0.995 else {}))
        graphs.append(graph)
    return graphs


class Networks(unittest.TestCase):
    def outcome(self, graphs, how, without):
        with warnings.catch_warnings(record=True) as caught, mock.patch.object(_convert, "quick_networks", (lambda *_: None) if without else _walk.quick_networks):
            warnings.simplefilter("always")
            try:
                found = description(leman.Dataset.from_networkx(graphs, **how))
            except Exception as error:
                found = (type(error), str(error))
        return found, [str(entry.message) for entry in caught]

    def test_random(self):
        """The walk in C gives the data set of the converter in Python, or leaves the graphs to it."""
        random_, taken, tries = random.Random(6), 0, 400
        for _ in range(tries):
            graphs = networks(random_)
            how = random_.choice(({}, {"policy": "self-loops=keep,repeated-edges=keep"}, {"node_label": None}, {"edge_label": "weight"}, {"directed": False}))
            self.assertEqual(self.outcome(graphs, how, False), self.outcome(graphs, how, True), how)
            taken += _walk.walk_networks is None or _walk.quick_networks(graphs, "label", "label") is not None
        self.assertGreater(taken, tries // 2)

    def test_odd(self):
        """Classes that inherit, views, and dictionaries of other kinds are left to Python."""
        class Own(nx.Graph):
            pass
        graph = nx.path_graph(4)
        for odd in (Own(graph), graph.subgraph([0, 1]), graph.to_directed(as_view=True)):
            self.assertTrue(type(odd) is nx.DiGraph or _walk.quick_networks([odd], "label", "label") is None)
            self.assertEqual(self.outcome([odd], {}, False), self.outcome([odd], {}, True))
        graph.nodes[0][3] = "a key that is no text"
        self.assertIsNone(_walk.quick_networks([graph], "label", "label"))
        if _walk.walk_networks is not None:
            for wrong in (([], [], [True], "a", "b", ()), ([], [], [], 1, "b", ()), ([], [], (), None, None, ()), ([], [], [], None, None, [])):
                with self.assertRaises(TypeError):
                    _walk.walk_networks(*wrong)

    def test_references(self):
        label, name = ("label",), ("name", 1)
        graph = nx.MultiGraph()
        graph.add_node(name, label=label)
        graph.add_edge(name, name, label=label)
        cases = [[graph, nx.MultiGraph(graph)], [nx.path_graph(3), nx.DiGraph([(5, 6)])]]
        before = sys.getrefcount(label), sys.getrefcount(name)
        for _ in range(500):
            for graphs in cases:
                _walk.quick_networks(graphs, "label", "label")
        self.assertEqual((sys.getrefcount(label), sys.getrefcount(name)), before)

    def test_failing_allocations(self):
        if importlib.util.find_spec("_testcapi") is None or _walk.walk_networks is None:
            return  # a Python without its own tests
        import _testcapi
        graphs = [nx.path_graph(5), nx.Graph([("a", "b"), ("b", "c")])]
        nx.set_node_attributes(graphs[1], "x", "label")
        nx.set_node_attributes(graphs[0], 2**40, "label")
        arguments = [graph._adj for graph in graphs], [graph._node for graph in graphs], [False, False], "label", "label", _walk.WHOLE
        expected, failed = _walk.walk_networks(*arguments), 0
        self.assertIsNotNone(expected)
        for place in range(1, 120):
            try:
                _testcapi.set_nomemory(place, place + 1)
                found = _walk.walk_networks(*arguments)
            except (MemoryError, ctypes.ArgumentError):
                found = None
            finally:
                _testcapi.remove_mem_hooks()
            self.assertTrue(gc.isenabled())
            failed += found is None
            if found is not None:
                self.assertEqual(found, expected)
        self.assertGreater(failed, 10)


class Loading(unittest.TestCase):
    def test_without_the_library(self):
        """Another Python than CPython with a global lock does without."""
        self.assertIsNone(_walk.quick([]) if _walk.walk is None else None)
        with mock.patch.object(sys, "abiflags", "t"):
            self.assertEqual(_walk._load(), (None, None, None))
        with mock.patch.object(sys, "implementation", mock.Mock()):
            self.assertEqual(_walk._load(), (None, None, None))
        with mock.patch.object(_walk, "__file__", "/nowhere/_walk.py"):
            self.assertEqual(_walk._load(), (None, None, None))


@package.needs("grakel")
class GrakelGraphs(unittest.TestCase):
    def test_graphs(self):
        """Graph objects of GraKeL in all its formats have the vertices and labels of the lists that they were made from, and are not
        changed."""
        import grakel
        edges, labels = {4: {7: 1.0}, 7: {4: 1.0, 1: 1.0}, 1: {7: 1.0}}, {4: "a", 7: "b", 1: "c"}
        marks = {(4, 7): 1, (7, 4): 1, (7, 1): 2, (1, 7): 2}
        expected = {(1, "ab"), (1, "ba"), (2, "bc"), (2, "cb")}
        for form in ("dictionary", "adjacency", "all"):
            graph = grakel.Graph(edges, labels, marks, graph_format=form)
            before = graph._format
            for without in (False, True):
                with mock.patch.object(_walk, "walk", None if without else _walk.walk):
                    found = leman.Dataset.from_grakel([graph])[0]
                    self.assertEqual(graph._format, before)
                    self.assertEqual({(mark, found.vertex_labels[u] + found.vertex_labels[v]) for (u, v), mark in
                                      zip(found.edge_index.T.tolist(), found.edge_labels)}, expected, form)


if __name__ == "__main__":
    package.main()
