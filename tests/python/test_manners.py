"""Manners: Ctrl-C, forks, threads, remarks and bars, exceptions with the library's sentence, and no crash whatever is handed
over (hypothesis)."""
import logging
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import networkx as nx
import numpy as np

import package
import leman
from leman._library import _path_of_library

LONG = """
import leman, networkx as nx, sys, time
data = leman.Dataset.from_networkx([nx.gnp_random_graph(120, 0.3, seed=i) for i in range(300)])
print("ready", flush=True)
try:
    leman.WLKernel("2-WL", 30).fit_transform(data)
except KeyboardInterrupt:
    print("interrupted", flush=True)
    assert len(leman.WLKernel("1-WL", 1).fit_transform(data[:3])) == 3
    sys.exit(7)
print("finished", flush=True)
"""

# One batch is all graphs, so that there is nothing between batches for many seconds.
LONG_BATCH = """
import leman, networkx as nx, sys
graphs = [nx.gnp_random_graph(60, 0.2, seed=i) for i in range(60)]
network = leman.nn.GraphNetwork("delta-2-LGNN", "zinc", layers=4, width=64, epochs=2, batch_size=60, device="cpu", n_jobs=1)
print("ready", flush=True)
try:
    network.fit(graphs, [0.5 * len(g.edges) for g in graphs])
except KeyboardInterrupt:
    print("interrupted", flush=True)
    sys.exit(7)
print("finished", flush=True)
"""


# With leman-cuda installed: its library is the one that is loaded, and the remark that no GPU can be used is a warning.
CUDA = """
import sys, types, warnings
given, sys.modules["leman_cuda"] = sys.argv[1], types.ModuleType("leman_cuda")
sys.modules["leman_cuda"].LIBRARY = given
import leman
from leman._library import Session, lib
assert lib._name == given, lib._name
for remark, expected in ((b"it is too old; the CPU is used instead", ["leman: it is too old; the CPU is used instead"]), (b"another remark", [])):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with Session(1) as session:
            session._on_log(None, remark)
    assert [str(w.message) for w in caught] == expected, caught
print("right")
"""


def gram_in_child(queue, graphs):
    queue.put(leman.WLKernel(rounds=2).fit_transform(graphs))


class Manners(unittest.TestCase):
    def test_library_of_leman_cuda(self):
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "with-cuda.so")
            shutil.copy(_path_of_library(), library)
            child = subprocess.run([sys.executable, "-c", CUDA, library], capture_output=True, text=True)
        self.assertEqual((child.stdout, child.stderr), ("right\n", ""))

    def interrupted(self, program, after):
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(after)
        began = time.monotonic()
        child.send_signal(signal.SIGINT)
        self.assertEqual(child.stdout.readline(), "interrupted\n")
        waited = time.monotonic() - began
        _, errors = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 7, errors)
        self.assertLess(waited, 5, "Ctrl-C is noticed within a second, on a machine that has time")

    def test_interrupt(self):
        self.interrupted(LONG, 1)

    def test_interrupt_inside_a_batch(self):
        self.interrupted(LONG_BATCH, 2)

    def test_handler_is_put_back(self):
        before = signal.getsignal(signal.SIGINT)
        leman.WLKernel().fit_transform([nx.path_graph(3)])
        with self.assertRaises(leman.Error):
            leman.Dataset.read("nothing-here.zip")
        self.assertIs(signal.getsignal(signal.SIGINT), before)

    def test_fork(self):
        graphs = [nx.gnp_random_graph(12, 0.3, seed=i) for i in range(20)]
        expected = leman.WLKernel(rounds=2, n_jobs=2).fit_transform(graphs)  # threads of OpenMP exist now
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = context.Process(target=gram_in_child, args=(queue, graphs))
            child.start()
        np.testing.assert_array_equal(queue.get(timeout=60), expected)
        child.join(60)
        self.assertEqual(child.exitcode, 0)

    def test_threads(self):
        graphs = leman.Dataset.from_networkx([nx.gnp_random_graph(12, 0.3, seed=i) for i in range(20)])
        expected = leman.WLKernel(rounds=2).fit_transform(graphs)
        found = []
        workers = [threading.Thread(target=lambda: found.append(leman.WLKernel(rounds=2).fit_transform(graphs)))
                   for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(len(found), 4)
        for gram in found:
            np.testing.assert_array_equal(gram, expected)

    def test_remarks_are_logged(self):
        labelled, other = nx.path_graph(3), nx.path_graph(3)
        nx.set_node_attributes(labelled, "a", "label")
        nx.set_node_attributes(other, "b", "label")
        vectorizer = leman.WLVectorizer("1-WL", 1).fit([labelled])
        with self.assertLogs("leman", logging.INFO) as logs:
            vectorizer.transform([other])
        self.assertTrue(logs.output)

    @package.needs("tqdm")
    def test_bar(self):
        data = leman.Dataset.from_networkx([nx.gnp_random_graph(60, 0.3, seed=i) for i in range(60)])
        leman.WLKernel("2-WL", 5, verbose=True).fit_transform(data)

    def test_exceptions(self):
        for kind, base in ((leman.InputError, ValueError), (leman.ArgumentError, ValueError),
                           (leman.MemoryBudgetError, MemoryError), (leman.FileError, OSError)):
            self.assertTrue(issubclass(kind, leman.Error) and issubclass(kind, base))
        with self.assertRaises(leman.FileError) as caught:
            leman.Dataset.read("nothing-here.zip")
        self.assertIn("nothing-here.zip", str(caught.exception))
        with self.assertRaises(leman.Error):
            leman.WLKernel("2-WL").fit_transform([nx.empty_graph(3_000_000)])

    def test_verbose_types(self):
        with self.assertRaises(leman.ArgumentError):
            leman.WLKernel(n_jobs=object()).fit([nx.path_graph(2)])


@package.needs("hypothesis")
class Misuse(unittest.TestCase):
    """Whatever is handed over: a result, or an exception of the package; never the end of the process."""

    def test_learning(self):
        from hypothesis import given, settings, strategies as st
        graphs = [nx.gnp_random_graph(5, 0.5, seed=i) for i in range(8)]
        value = st.none() | st.booleans() | st.integers(-2, 3) | st.floats() | st.sampled_from(["a", "b", "", (1,), 2**64, -2**63])
        odd = st.none() | st.booleans() | st.integers(-1, 3) | st.sampled_from([2**64, 1e300, float("nan"), "", "auto", [], {}, {0: 2}, [1]])

        @settings(max_examples=60, deadline=None)
        @given(st.lists(value, min_size=8, max_size=8), odd, odd, odd)
        def tried(y, one, two, three):
            for make in (lambda: leman.GraphSVC("1-WL", 0, C=[1], folds=2, class_weight=one).fit(graphs, y).predict(graphs),
                         lambda: leman.GraphSVC("1-WL", rounds=one, C=two, folds=three).fit(graphs, y),
                         lambda: leman.GraphSVR("1-WL", 0, C=one, folds=2).fit(graphs, y).predict(graphs),
                         lambda: leman.evaluate(graphs, ["1-WL"], y=y, rounds=0, C=1, repetitions=1, folds=2, class_weight=two),
                         lambda: leman.nn.GraphNetwork("GIN-0", epochs=1, layers=1, width=2, batch_size=one, learning_rate=two,
                                                       class_weight=three, device="cpu").fit(graphs, y)):
                try:
                    make()
                except leman.Error as error:
                    self.assertNotIsInstance(error, leman.InternalError)

        tried()

    def test_arrays(self):
        from hypothesis import given, settings, strategies as st
        numbers = st.lists(st.integers(-3, 12) | st.sampled_from([2**31, 2**63 - 1, -2**63]), max_size=8)
        anything = st.none() | numbers | st.text(max_size=3) | st.floats() | st.lists(st.floats(), max_size=6) | \
            st.lists(st.text(max_size=2) | st.none() | st.tuples(st.integers()), max_size=6)

        @settings(max_examples=100, deadline=None)
        @given(numbers, numbers, anything, anything, anything, anything, anything)
        def tried(tails, heads, offsets, labels, attributes, y, names):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    data = leman.Dataset.from_arrays([tails, heads], offsets, vertex_labels=labels,
                                                     vertex_attributes=attributes, y=y, names=names)
                except leman.Error:
                    return
                self.assertEqual(len(list(data)), len(data))
                leman.WLKernel("1-WL", 1).fit_transform(data)
                repr(data), data._repr_html_(), data.y, data.to_networkx()

        tried()

    def test_negative_vertices(self):
        for number in (-1, -5, -2**63):
            with self.assertRaisesRegex(leman.InputError, str(number)):
                leman.Dataset.from_arrays([[number], [number]])

    def test_parameters(self):
        from hypothesis import given, settings, strategies as st
        graphs = [nx.path_graph(4), nx.cycle_graph(4)]
        odd = st.none() | st.booleans() | st.integers(-2, 6) | st.floats() | st.text(max_size=8) | \
            st.sampled_from(["1-WL", "SP", "GR", "WLOA", "stable", "delta-2-LWL + SP", "3-WL", [], {}, (0, 1)])

        @settings(max_examples=60, deadline=None)
        @given(odd, odd, odd, odd)
        def tried(method, rounds, flag, jobs):
            if isinstance(jobs, int) and jobs > 4:
                return
            for make in (lambda: leman.WLKernel(method, rounds, flag, flag, n_jobs=jobs).fit_transform(graphs),
                         lambda: leman.WLVectorizer(method, rounds, flag, jobs).fit_transform(graphs),
                         lambda: leman.GraphletKernel(size=rounds, n_jobs=jobs).fit_transform(graphs),
                         lambda: leman.distinguish(graphs[0], graphs[1], method, rounds),
                         lambda: leman.colors(graphs[0], method, rounds)):
                try:
                    make()
                except leman.Error:
                    pass

        tried()

    def test_graphs(self):
        from hypothesis import given, settings, strategies as st
        thing = st.recursive(st.none() | st.integers(0, 3) | st.text(max_size=2) | st.booleans(),
                             lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.integers(0, 3), inner, max_size=3) |
                             st.tuples(inner, inner), max_leaves=8)

        @settings(max_examples=100, deadline=None)
        @given(thing)
        def tried(graphs):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    leman.WLKernel("1-WL", 1).fit_transform(graphs)
                except (leman.Error, ImportError):
                    pass

        tried()


if __name__ == "__main__":
    package.main()
