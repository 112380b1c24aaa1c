"""The benchmarks page (bench/page): its statistics beside NumPy and SciPy, the quick form as a whole, and what is missing or fails."""
import html.parser
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import xml.etree.ElementTree

import numpy as np
import scipy.stats

import package
import leman

PAGE = os.path.join(package.SOURCE, "bench", "page")
BUILD = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__))))
sys.path.insert(0, PAGE)
growth, measure, rows = (importlib.import_module(name) for name in ("growth", "measure", "rows"))


def page(*arguments, **environment):
    return subprocess.run([sys.executable, PAGE, "--build", BUILD, *arguments], capture_output=True, text=True, env={**os.environ, **environment})


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


class Statistics(unittest.TestCase):
    def test_ratio(self):
        random = np.random.default_rng(1)
        ours, theirs = random.lognormal(0, 0.2, 30).tolist(), random.lognormal(1, 0.3, 25).tolist()
        middle, low, high = measure.ratio(ours, theirs, 5000)
        self.assertAlmostEqual(middle, np.median(theirs) / np.median(ours))
        expected = scipy.stats.bootstrap((theirs, ours), lambda a, b, axis: np.median(a, axis=axis) / np.median(b, axis=axis), n_resamples=5000,
                                         method="percentile", random_state=1).confidence_interval
        np.testing.assert_allclose([low, high], expected, rtol=0.03)
        self.assertEqual(measure.ratio([2.0], [6.0]), (3, 3, 3))

    def test_slopes(self):
        random = np.random.default_rng(1)
        x = np.array([1.0, 3, 10, 40, 90])
        y = 7 * x**1.7 * np.exp(random.normal(0, 0.1, len(x)))
        self.assertAlmostEqual(measure.slope(x, y), np.polyfit(np.log(x), np.log(y), 1)[0])
        self.assertAlmostEqual(growth.fitted(5, x, 5 + 7 * x**2), 2)
        self.assertAlmostEqual(growth.fitted(100, [1, 10, 100], [150, 100 + 7 * 10**2, 100 + 7 * 100**2]), 2)  # 150 is too near 100
        self.assertIsNone(growth.fitted(100, [1, 10], [150, 300]))

    def test_runs_alternate(self):
        calls = []
        times = measure.alternate(lambda: calls.append("ours") or 1.5, lambda: calls.append("theirs") or 2.5, 0, 3)
        self.assertEqual(calls, ["ours", "theirs"] * 3)
        self.assertEqual(times, ([1.5] * 3, [2.5] * 3))

    def test_sides_are_processes(self):
        """Each side keeps its own objects from run to run, is charged for work and not for waiting, and fails with its sentence."""
        seen = []

        def work():
            seen.append(os.getpid())
            end = time.process_time() + (0.05 if len(seen) == 2 else 0)
            while time.process_time() < end:
                pass
            time.sleep(0.03)
            return list(seen)
        with measure.Side(work, keep=True) as one, measure.Side(work, keep=True) as other:
            self.assertEqual((len(one.result), len(other.result)), (1, 1))
            self.assertEqual(len({os.getpid(), *one.result, *other.result}), 3)
            busy, idle = one(), one()  # the second run and the third
            self.assertGreaterEqual(busy, 0.05)
            self.assertLess(idle, 0.03)
        self.assertEqual(seen, [])

        def fail():
            raise ValueError("no such number")
        with self.assertRaisesRegex(RuntimeError, "ValueError: no such number"):
            measure.Side(fail)
        with self.assertRaisesRegex(RuntimeError, "ended with status 3"):
            measure.Side(lambda: os._exit(3))

    def test_smiles_differ(self):
        """Where there is no data set, the generated molecules are all different."""
        if importlib.util.find_spec("rdkit") is None:
            self.skipTest("the Python package rdkit is not installed")
        with unittest.mock.patch.object(rows, "DATA", "no such folder"):
            texts, what = rows._smiles(300)
        self.assertEqual((len(set(texts)), what), (300, "300 generated SMILES"))

    def test_results_are_compared(self):
        self.assertEqual(rows.near(0)(np.eye(2), np.eye(2)), "")
        self.assertEqual(rows.near(0.1)(np.eye(2), 2 * np.eye(2)), "results differ by 0.5")

    def test_memory_of_a_process(self):
        """An array of 64 MiB more is a peak of so many bytes more."""
        with tempfile.TemporaryDirectory() as folder:
            peaks = []
            for size in (1, 65):
                script = os.path.join(folder, f"{size}.py")
                with open(script, "w", encoding="ascii") as file:
                    file.write(f"#!{sys.executable}\nheld = bytearray({size} << 20)\n")
                os.chmod(script, 0o755)
                peaks.append(growth.run(script, folder, [])[1])
            self.assertAlmostEqual((peaks[1] - peaks[0]) / 2**20, 64, delta=3)
            with self.assertRaisesRegex(RuntimeError, "leman info nowhere.zip: leman: nowhere.zip: "):
                growth.run(os.path.join(BUILD, "leman"), folder, ["info", "nowhere.zip"])


class Quick(unittest.TestCase):
    def setUp(self):
        if not os.path.exists(os.path.join(BUILD, "leman")):
            self.skipTest("the program is not built")
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder, self.output = place.name, os.path.join(place.name, "page.md")

    def test_page(self):
        """Every row has figures, or its tool is named as missing; results are equal; plots and pages are well-formed."""
        words = "1-WL,networkx,RDKit,PyTorch,growth"
        done = page("--quick", "--only", words, "-o", self.output, LEMAN_DATA=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        text, site = read(self.output), read(self.folder, "page.html")
        chosen = [r for r in rows.ROWS if any(word.lower() in f"{r.name} {r.tool}".lower() for word in words.split(","))]
        self.assertEqual(len(chosen), 6)
        measured = 0
        for one in chosen:
            line = re.search(rf"^\| {re.escape(one.name)}: .*$", text, re.M)
            if not line:
                self.assertRegex(text, rf"- {re.escape(one.name)} \({re.escape(one.tool)}\): left out, as .+ is not installed")
                continue
            measured += 1
            _, tool, ours, theirs, middle, interval, runs, note = [cell.strip() for cell in line.group().strip("| ").split("|")] + [""] * (line.group().endswith("|  |"))
            low, high = map(float, interval.split(" to "))
            self.assertEqual((tool, runs, note), (one.tool, "2", ""))
            self.assertTrue(0 < low <= float(middle) <= high, line.group())
        self.assertGreaterEqual(measured, 2)  # networkx is always there
        for axis in growth.AXES:
            self.assertIn(f"| {axis.title} | {axis.expected} |", text)
        self.assertIn("    machine: ", text)
        self.assertRegex(text, r"versions: .*networkx \d")
        pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
        self.assertEqual(len(pictures), 1 + 2 * len(growth.AXES))
        for name in pictures:
            self.assertTrue(xml.etree.ElementTree.parse(os.path.join(self.folder, name)).getroot().tag.endswith("svg"))
        self.assertEqual(site.count("<svg"), 1 + 2 * len(growth.AXES))
        self.assertNotRegex(site, r"<script|<link|src=|href=")
        html.parser.HTMLParser().feed(site)
        self.assertEqual(sorted(os.listdir(self.folder)), sorted([*pictures, "page.md", "page.html"]))

    def test_what_is_missing_or_fails(self):
        """A program that is not installed is named, and is no failure; a row that fails is, and the others are still there."""
        with open(os.path.join(self.folder, "NCI1.zip"), "w", encoding="ascii") as file:
            file.write("no zip")
        done = page("--quick", "--only", "nauty,networkx", "-o", self.output, PATH=self.folder, LEMAN_DATA=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        text = read(self.output)
        self.assertIn("- canonical forms of a file (nauty): left out, as nauty-labelg is not installed.\n", text)
        self.assertRegex(text, r"- graph hash, 3 rounds \(networkx\): failed: .*NCI1\.zip: ")
        self.assertRegex(text, r"\| isomorphism: \d+ pairs")

    def test_wrong_command_lines(self):
        for words, status, sentence in ((["-o", "page.txt"], 2, "expected the name of a Markdown file"), (["--seconds", "-1"], 2, "expected 0 or more"),
                                        (["--only", "nothing like this"], 2, "found no row with nothing like this"),
                                        (["--build", self.folder], 1, "leman: is not there; run make first")):
            done = page("-o", self.output, *words)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(sentence, done.stderr)
            self.assertFalse(os.listdir(self.folder))
        listed = page("--list").stdout.splitlines()
        self.assertEqual(len(listed), len(rows.ROWS))
        self.assertEqual(len(set(listed)), len(listed))


if __name__ == "__main__":
    package.main()
