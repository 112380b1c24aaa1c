"""The program of reproduce/: the published figures, cells, finished work that is taken up again, pages, and what is refused."""
import contextlib
import ctypes
import importlib.util
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from unittest import mock

import numpy as np

import leman
import package

sys.path[:0] = [os.path.join(package.SOURCE, "reproduce"), os.path.join(package.SOURCE, "tests", "cli")]
import compute  # noqa: E402
import pages  # noqa: E402
import tables  # noqa: E402

_spec = importlib.util.spec_from_file_location("reproduce_main", os.path.join(package.SOURCE, "reproduce", "__main__.py"))
program = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(program)


def graphs(count, seed, classes=True):
    """Small labelled trees, of which those of class 1 have a label more often."""
    draw = np.random.default_rng(seed)
    arcs, offsets, labels = [], [0], []
    for g in range(count):
        n = int(draw.integers(4, 8))
        arcs += [(offsets[-1] + int(draw.integers(v)), offsets[-1] + v) for v in range(1, n)]
        labels += [int(draw.random() < (0.3 + 0.4 * (g % 2))) for _ in range(n)]
        offsets.append(offsets[-1] + n)
    arcs += [(v, u) for u, v in arcs]
    y = [g % 2 for g in range(count)] if classes else [float(g % 5) for g in range(count)]
    return leman.Dataset.from_arrays(np.array(arcs).T, offsets, vertex_labels=labels, y=y)


class Published(unittest.TestCase):
    def setUp(self):
        self.tables = {t.name: t for t in tables.load([*tables.KERNELS, *tables.NETWORKS])}

    def test_shapes(self):
        shapes = {name: (len(t.methods), len(t.sets), t.quantities) for name, t in self.tables.items()}
        self.assertEqual(shapes, {
            "kernels": (12, 8, ["test"]), "overfitting": (3, 8, ["train"]), "times": (12, 8, ["seconds", "ratio"]),
            "zinc": (4, 3, ["MAE"]), "pair-networks": (5, 2, ["MAE"]), "qm9": (9, 1, ["standardised MAE"]), "alchemy": (4, 3, ["standardised MAE", "logMAE"]),
            "tu-networks": (2, 8, ["accuracy"]), "mid-scale": (5, 8, ["accuracy", "seconds"]),
            "network-times": (4, 2, ["ratio", "seconds"])})

    def test_values_of_the_paper(self):
        for table, quantity, method, set_, value, deviation in (
                ("kernels", "test", "1-WL", "ENZYMES", 50.7, 1.2), ("kernels", "test", "delta-3-WL", "IMDB-MULTI", 47.3, 0.9),
                ("kernels", "test", "delta-2-LWL+", "NCI1", 91.4, 0.2), ("zinc", "MAE", "delta-2-LGNN", "ZINC_50k", 0.1, 0.005),
                ("alchemy", "logMAE", "GINE-eps", "Alchemy_full", -2.956, 0.029), ("qm9", "standardised MAE", "MPNN", "QM9", 0.034, 0.001),
                ("tu-networks", "accuracy", "GIN-eps", "REDDIT-BINARY", 90.3, 0.3)):
            found = self.tables[table].published(quantity, method, set_)
            self.assertEqual((found.value, found.deviation, found.word), (value, deviation, ""))
        words = [p.word for p in self.tables["times"].results.values()]
        self.assertEqual((words.count("<1"), words.count("OOT"), words.count("OOM")), (19, 4, 10))
        notes = [key for t in self.tables.values() for key, p in t.results.items() if p.note]
        self.assertEqual(notes, [("test", "delta-3-WL", "IMDB-MULTI"), ("seconds", "3-WL", "PTC_FM"), ("ratio", "2-WL", "NCI1")])

    def test_figures_agree_with_each_other(self):
        """Printed ratios are those of printed times, but for the misprint; training accuracies are above test accuracies."""
        times = self.tables["times"]
        for (quantity, method, set_), p in times.results.items():
            if quantity == "ratio":
                ratio = times.published("seconds", method, set_).value / times.published("seconds", "delta-2-LWL", set_).value
                self.assertEqual(abs(ratio - p.value) < 0.06, not p.note, (method, set_))
        for (_, method, set_), p in self.tables["overfitting"].results.items():
            if not math.isnan(p.value):
                self.assertGreater(p.value, self.tables["kernels"].published("test", method, set_).value)

    def test_majorities(self):
        for set_ in self.tables["kernels"].sets:
            path = os.path.join(package.DATA, f"{set_}.zip")
            if not os.path.exists(path):
                self.skipTest(f"the data set {set_}.zip is not here")
            with zipfile.ZipFile(path) as file:
                labels = file.read(f"{set_}/{set_}_graph_labels.txt").split()
            most = max(labels.count(label) for label in set(labels))
            self.assertAlmostEqual(tables.majority(set_), 100 * most / len(labels))


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(self.path("data"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_program(self, *words):
        """(exit status, standard output, standard error)"""
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", ["reproduce", "--data", self.path("data"), "-t", "1", *words]), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = program.main()
            except SystemExit as end:  # of argparse
                status = end.code
        return status, out.getvalue(), err.getvalue()

    def succeeds(self, *words):
        status, out, err = self.run_program("-q", *words)
        self.assertEqual((status, err), (0, ""))
        return out

    def fails(self, *words, status=1, said=()):
        found, out, err = self.run_program("-q", *words)
        self.assertEqual((found, out), (status, ""), err)
        for word in said:
            self.assertIn(word, err)

    def cells(self, *words):
        found = json.loads(self.succeeds("--json", *words))
        return {(c["method"], c["set"], c["part"]): c for t in found["tables"] for c in t["cells"]}

    def lines(self, path):
        with open(path, encoding="utf-8") as file:
            return file.readlines()


class Kernels(Case):
    def setUp(self):
        super().setUp()
        graphs(40, 1).save(self.path("data", "ENZYMES.leman"))
        self.asked = ("--only", "ENZYMES", "--repetitions", "1")

    def test_cells_are_those_of_evaluate(self):
        found = self.cells("--table", "kernels,overfitting,times", *self.asked, "--methods", "SP,δ-2-LWL")
        data = leman.Dataset.read(self.path("data", "ENZYMES.leman"))
        for method in ("SP", "delta-2-LWL"):
            own = leman.evaluate(data, [method], repetitions=1, svm="kernel", ignore_edge_labels=True, n_jobs=1)[0]
            cell = found[method, "ENZYMES", "test"]
            self.assertEqual((cell["ours"], cell["state"], cell["repetitions"]), (own.test_mean, "done", 1))
            self.assertAlmostEqual(cell["difference"], cell["ours"] - cell["published"])
            self.assertGreater(found[method, "ENZYMES", "seconds"]["ours"], 0)
            last = own
        self.assertEqual(found["delta-2-LWL", "ENZYMES", "train"]["ours"], last.train_mean)

    def test_resume_after_an_interruption(self):
        cells = self.path("cells")
        words = (*self.asked, "--methods", "GR,1-WL", "--resume", cells)
        real, computed = compute.accuracy, []

        def interrupted(session, data, method, repetitions):
            computed.append(method)
            if method == "1-WL" and len(computed) == 2:
                raise KeyboardInterrupt
            return real(session, data, method, repetitions)

        with mock.patch.object(compute, "accuracy", interrupted):
            self.fails(*words, said=("interrupted",))
            self.assertEqual(len(self.lines(cells)), 2)  # the head and the first cell
            first = self.cells(*words)
            self.assertEqual(computed, ["GR", "1-WL", "1-WL"])
            self.assertEqual(self.cells(*words), first)
            self.assertEqual(self.cells(*words, "--finished"), first)
            self.cells(*words[:2], "--repetitions", "2", *words[4:])  # more repetitions are another piece of work
        self.assertEqual(computed[3:], ["GR", "1-WL"])
        self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".new")], [])

    def test_cells_of_another_version_are_computed_again(self):
        cells = self.path("cells")
        self.cells(*self.asked, "--methods", "GR", "--resume", cells)
        with open(cells, encoding="utf-8") as file:
            older = file.read().replace(json.dumps(leman.__version__), '"0.0.0"')
        with open(cells, "w", encoding="utf-8") as file:
            file.write(older)
        self.cells(*self.asked, "--methods", "GR", "--resume", cells)
        self.assertEqual({json.loads(line)["version"] for line in self.lines(cells)[1:]}, {"0.0.0", leman.__version__})

    def test_several_processes_add_to_one_file(self):
        adding = ("import sys; sys.path.insert(0, sys.argv[1]); import finished\n"
                  "for seed in range(20):\n"
                  "    finished.add(sys.argv[2], dict(work='w', method='m', set='s', data='d', seed=seed, values={}))")
        words = [sys.executable, "-c", adding, os.path.join(package.SOURCE, "reproduce"), self.path("cells")]
        for process in [subprocess.Popen(words) for _ in range(4)]:
            self.assertEqual(process.wait(), 0)
        self.assertEqual(len(self.lines(self.path("cells"))), 1 + 4 * 20)

    def test_other_data_is_other_work(self):
        cells = self.path("cells")
        self.cells(*self.asked, "--methods", "GR", "--resume", cells)
        graphs(30, 2).save(self.path("data", "ENZYMES.leman"))
        self.cells(*self.asked, "--methods", "GR", "--resume", cells)
        self.assertEqual(len({json.loads(line)["data"] for line in self.lines(cells)[1:]}), 2)

    def test_limits(self):
        found = self.cells(*self.asked, "--methods", "GR", "--time-limit", "1e-9")
        self.assertEqual(found["GR", "ENZYMES", "test"]["state"], "oot")
        with mock.patch.object(compute, "accuracy", side_effect=leman.MemoryBudgetError("the memory budget is 16 MiB")):
            page = self.succeeds(*self.asked, "--methods", "GR", "--memory", "16M")
        self.assertIn("| GR ¹ | ours | OOM |", page)
        self.assertIn("- ENZYMES, GR: the memory budget is 16 MiB.", page)

    def test_page(self):
        words = ("--table", "kernels,overfitting,times", "--only", "ENZYMES,NCI1", "--repetitions", "1", "--methods", "2-WL,LWL2")
        self.succeeds(*words, "-o", self.path("p.md"), "-o", self.path("p.html"), "--resume", self.path("cells"))
        page = "".join(self.lines(self.path("p.md")))
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
        self.assertEqual(rows[0], ["method", "", "ENZYMES", "NCI1"])
        self.assertEqual([row[1] for row in rows[1:4]], ["ours", "published", "difference"])
        self.assertEqual(rows[2][2:], ["36.7 ±1.7", "67.1 ±0.3"])
        self.assertRegex(rows[1][2], r"\A\d+\.\d\Z")
        self.assertEqual(rows[1][3], "no data")
        self.assertRegex(page, r"(?m)^- NCI1: .*data: found neither NCI1\.zip nor NCI1\.leman nor a folder NCI1\.$")
        self.assertIn("10.4 | 14.3 (t) |", page)
        with open(self.path("p.html"), encoding="utf-8") as file:
            text, drawn = pages.is_whole(self, file.read())
        self.assertIn("test accuracies agree with the published ones", text)
        names = [chart.get("aria-label") for chart in drawn if chart.get("aria-label")]
        for name in ("Test accuracy", "Training against test accuracy", "Seconds of a Gram matrix"):
            self.assertIn(name, names)

    def test_in_a_browser(self):
        self.succeeds("--table", "kernels,overfitting,times", "--only", "ENZYMES,NCI1", "--repetitions", "1", "--methods",
                      "SP,2-WL,LWL2", "-o", self.path("p.html"))
        pages.is_readable(self, self.path("p.html"))

    def test_refused(self):
        letter = self.path("letter.txt")
        with open(letter, "w", encoding="utf-8") as file:
            file.write("Dear reader,\n")
        self.fails("--resume", letter, said=("letter.txt:1", "finished work"))
        with open(letter, "w", encoding="utf-8") as file:
            file.write(json.dumps({"leman": "finished work", "version": 1}) + '\n{"work": "accuracy", "met\n')
        self.fails("--resume", letter, "--finished", said=("letter.txt:2",))
        for words, said in ((("--table", "networks"), "'networks'"), (("--table", "zinc,kernels"), "kernels and of networks"),
                            (("--only", "MUTAG"), "'MUTAG'"), (("--methods", "4-WL"), "'4-WL'"), (("-o", "page.pdf"), "page.pdf"),
                            (("--finished",), "--resume"), (("--runs", "3"), "'--runs' has no effect"), (("--memory", "x"), "'x'"),
                            (("--table", "zinc", "--repetitions", "3"), "'--repetitions' has no effect")):
            self.fails(*words, status=2, said=(said,))
        self.fails("--only", "NCI1,NCI109", said=("NCI1.zip", "nor is any other"))


class Brec(Case):
    """A list of 400 pairs: a hexagon and two triangles, or (every fifth pair) a hexagon with other numbers."""

    def setUp(self):
        super().setUp()
        with open(self.path("data", "BREC.pairs"), "w", encoding="ascii") as file:
            file.write("".join(f"EhEG\t{'EwCW' if i % 5 else 'EDZ?'}\n" for i in range(400)))

    def test_counts(self):
        found = json.loads(self.succeeds("--table", "brec", "--methods", "1-WL,LWL2,2-FWL", "--json"))
        sizes = {"basic": 60, "regular": 50, "strongly-regular": 50, "extension": 100, "CFI": 100, "4-vertex": 20, "distance-regular": 20}
        for cell in found["tables"][0]["cells"]:
            size = sizes[cell["set"]]
            self.assertEqual((cell["pairs"], cell["marks"]), (size, 0))
            self.assertEqual(cell["ours"], 0 if cell["method"] == "1-WL" else size * 4 // 5, cell)
            self.assertEqual(len(cell["told_apart"]), cell["ours"])
            self.assertFalse(any(number % 5 == 0 for number in cell["told_apart"]))
            self.assertEqual(cell["published"] is None, cell["method"] != "2-FWL")
        self.assertEqual({test["method"] for test in found["tests"]}, {"1-WL", "delta-2-LWL", "2-FWL"})

    def test_page(self):
        page = self.succeeds("--table", "brec", "--methods", "2-FWL", "--only", "basic,CFI")
        self.assertIn("| 2-FWL | ours | 48 | 80 | 128 |", page)
        self.assertIn("|  | published | 60 | 60 | 120 |", page)
        self.assertIn("|  | difference | -12 | +20 | +8 |", page)
        output = self.path("page.html")
        self.succeeds("--table", "brec", "--methods", "1-WL", "--only", "4-vertex", "-o", output)
        with open(output, encoding="utf-8") as file:
            text, _ = pages.is_whole(self, file.read())
        self.assertIn("4-vertex (20)", text)

    def test_marks(self):
        """A marked vertex breaks the symmetry that colour refinement cannot see through; isomorphic graphs stay together."""
        try:
            leman.symmetry(leman.Dataset.from_graph6(["EhEG"])[0])
        except leman.Error as error:
            self.skipTest(str(error))
        found = json.loads(self.succeeds("--table", "brec", "--methods", "1-WL*1,1-WL*2", "--only", "4-vertex", "--json"))
        for cell in found["tables"][0]["cells"]:
            self.assertEqual(cell["ours"], 16)
        found = json.loads(self.succeeds("--table", "brec", "--methods", "1-WL*1", "--only", "4,10-12", "--json"))
        self.assertEqual([cell["told_apart"] for cell in found["tables"][0]["cells"]], [[4, 11, 12]])

    def test_refused(self):
        for words, said in ((("--runs", "3"), "'--runs' has no effect"), (("--only", "MUTAG"), "'MUTAG'"), (("--only", "7-400"), "'7-400'"), (("--methods", "1-WL*5"), "'1-WL*5'"),
                            (("--resume", "x"), "'--resume' has no effect")):
            self.fails("--table", "brec", *words, status=2, said=(said,))
        self.fails("--table", "brec,zinc", status=2, said=("'brec'", "one of brec", "alone"))
        self.fails("--table", "brec", "--methods", "1-XL", said=("1-XL",))
        with open(self.path("data", "BREC.pairs"), "a", encoding="ascii") as file:
            file.write("EhEG\tEhEG\n")
        self.fails("--table", "brec", said=("found 401 lines",))
        os.remove(self.path("data", "BREC.pairs"))
        self.fails("--table", "brec", said=("BREC.pairs", "--data"))


class Networks(Case):
    def setUp(self):
        super().setUp()
        graphs(24, 3, classes=False).save(self.path("data", "ZINC_10k"), format="tu")
        for name, part in (("train", range(16)), ("val", range(16, 20)), ("test", range(20, 24))):
            with open(self.path("data", "ZINC_10k", f"{name}.index"), "w", encoding="utf-8") as file:
                file.write(",".join(map(str, part)))
        self.asked = ("--table", "zinc", "--only", "ZINC_10k", "--epochs", "2")

    def cell(self, *words, method="GINE-eps"):
        return self.cells(*self.asked, *words)[method, "ZINC_10k", "MAE"]

    def test_resume_and_merge(self):
        """Runs that were computed in several commands, or on several machines, are those of one command."""
        whole = self.cell("--methods", "gine", "--runs", "2")
        self.assertEqual((whole["runs"], whole["published"], whole["epochs"]), (2, 0.278, 2))
        self.assertGreater(whole["parameters"], 0)
        first, second = self.path("a"), self.path("b")
        self.cell("--methods", "gine", "--runs", "1", "--resume", first)
        stopped = self.cell("--methods", "gine", "--runs", "2", "--resume", first, "--time-limit", "1e-9")
        self.assertEqual(stopped["runs"], 1)
        self.assertIn("was not begun within", stopped["note"])
        both = self.cell("--methods", "gine", "--runs", "2", "--merge", first, "--resume", second)
        self.assertEqual((both["ours"], both["ours_std"]), (whole["ours"], whole["ours_std"]))
        self.assertEqual([json.loads(line)["run"] for line in self.lines(second)[1:]], [1])
        merged = self.cell("--methods", "gine", "--runs", "2", "--merge", first, "--merge", second, "--finished")
        self.assertEqual((merged["ours"], merged["runs"]), (whole["ours"], 2))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "b", "data"])  # no state of an unfinished run
        self.fails(*self.asked, "--merge", self.path("c"), "--finished", said=("c",))
        other = self.cells("--table", "zinc", "--only", "ZINC_10k", "--methods", "gine", "--merge", first, "--finished")
        self.assertEqual(other["GINE-eps", "ZINC_10k", "MAE"]["state"], "not run")  # another limit of epochs

    def test_goes_on_within_a_run(self):
        """An interrupted training goes on from its checkpoint to the digits of one that was not."""
        whole, state = self.cell("--methods", "gine", "--runs", "1"), self.path("runs")
        real = compute.regression

        def interrupted(*arguments):
            real(*arguments[:-2], 1, arguments[-1])  # one epoch of the two
            raise KeyboardInterrupt

        with mock.patch.object(compute, "regression", interrupted):
            self.fails(*self.asked, "--methods", "gine", "--runs", "1", "--resume", state, said=("interrupted",))
        self.assertTrue(os.path.exists(state + ".zinc.GINE-eps.ZINC_10k.run0"))
        self.assertEqual(self.cell("--methods", "gine", "--runs", "1", "--resume", state)["ours"], whole["ours"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["data", "runs"])

    def test_pair_networks(self):
        """The recipe is that of the networks themselves: no preset of the paper changes it."""
        asked = ("--table", "pair-networks", "--only", "ZINC_10k", "--methods", "message", "--runs", "1")
        found = self.cells(*asked, "--epochs", "2")["Message-Passing", "ZINC_10k", "MAE"]
        self.assertEqual((found["state"], found["published"], found["runs"], found["epochs"]), ("done", 0.1381, 1, 2))
        self.assertEqual(tables.load(["pair-networks"])[0].epochs("ZINC_10k"), 400)
        self.assertEqual(tables.load(["zinc"])[0].epochs("ZINC_10k"), 500)
        data = graphs(6, 3, classes=False)
        with leman._library.Session(1) as session:
            for method in tables.load(["pair-networks"])[0].methods:
                made = compute._architecture(session, data, method, "zinc")
                training = leman._library.options("leman_training", ctypes.byref(made))
                self.assertEqual((training.batch_size, training.patience, training.learning_rate), (128, 20, 0.001))

    def test_notes(self):
        os.remove(self.path("data", "ZINC_10k", "val.index"))
        self.fails(*self.asked, "--methods", "gine", "--runs", "1", said=("zinc, ZINC_10k, GINE-eps", "found no val.index"))

    def test_page(self):
        beside = self.path("k.json")
        with open(beside, "w", encoding="utf-8") as file:
            json.dump({"name": "ZINC_10k", "method": "1-WL", "test_mean": 0.5, "test_std": None, "seconds_features": 1, "seconds_svm": 2}, file)
        words = (*self.asked, "--methods", "gine", "--runs", "1", "--beside", beside)
        self.succeeds(*words, "-o", self.path("p.md"), "-o", self.path("p.html"))
        page = "".join(self.lines(self.path("p.md")))
        self.assertIn("| method |  | MAE | seconds | parameters |", page)
        self.assertIn("| 1-WL |  | 0.500 | 3 | – |", page)
        self.assertTrue(re.search(r"(?m)^\|  \| published \| 0\.278 ±0\.022 \|$", page))
        with open(self.path("p.html"), encoding="utf-8") as file:
            text, _ = pages.is_whole(self, file.read())
        self.assertIn("Error against seconds", text)
        with open(beside, "w", encoding="utf-8") as file:
            file.write("[")
        self.fails(*words, said=("k.json", "found no JSON"))


if __name__ == "__main__":
    package.main()
