#!/usr/bin/env python3
"""Graphs that do not fit into the memory budget: their features have the bytes that a run with much memory writes. Gram
matrices need the graphs in memory."""
import gzip
import os
import random
import subprocess

import program
from program import leman
from test_memory import MIB, MemoryCase

GRAPHS, BUDGET = 24000, 20  # 20 MB in memory, beside the program


def smiles(count, seed):
    """Lines of a table: molecules, names, a number and a word, some of them missing."""
    choose = random.Random(seed)
    lines = ["smiles,name,weight,kind"]
    for i in range(count):
        chain = "".join(choose.choice(["C", "N", "O", "C(C)", "C(=O)", "c1ccccc1", "C1CC1", "S"]) for _ in range(6))
        lines.append(f"{chain},m{i},{choose.choice(['', str(i % 97)])},{choose.choice(['', 'a', 'b'])}")
    return "\n".join(lines) + "\n"


class Streams(MemoryCase):
    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def assert_same(self, found, expected):
        self.assertEqual(self.bytes_of(found), self.bytes_of(expected), f"{found} is not {expected}")

    def test_binary_file(self):
        self.assertEqual(leman("generate", "molecules", "--graphs", str(GRAPHS), "-o", self.path("m.leman")).returncode, 0)
        self.assertGreater(os.path.getsize(self.path("m.leman")), 0.9 * BUDGET * MIB)
        for ending in ("svm", "npz", "lmf", "mtx"):
            arguments = ["features", self.path("m.leman"), "-a", "1-WL", "-r", "2", "--with-labels"]
            self.assertEqual(leman(*arguments, "-o", self.path(f"all.{ending}")).returncode, 0)
            self.assertTrue(self.stays_within(BUDGET, *arguments, "-o", self.path(f"few.{ending}")))
            self.assert_same(f"few.{ending}", f"all.{ending}")
        self.assert_same("few.y.csv", "all.y.csv")
        self.assert_same("few.columns.csv", "all.columns.csv")
        self.assertFalse([name for name in os.listdir(self.folder) if "tmp" in name])

    def test_pipe(self):
        """SMILES with classes and targets, which are known at the end only; compressed and not."""
        text = smiles(30000, 1)
        with open(self.path("m.csv"), "w") as file:
            file.write(text)
        with gzip.open(self.path("m.csv.gz"), "wt") as file:
            file.write(text)
        arguments = ["-a", "delta-2-LWL", "-r", "1", "--class", "kind"]
        self.assertEqual(leman("features", self.path("m.csv"), *arguments, "-o", self.path("all.svm")).returncode, 0)
        for name in ("m.csv", "m.csv.gz"):
            with open(self.path(name), "rb") as pipe:
                command = ["cat"]
                with subprocess.Popen(command, stdin=pipe, stdout=subprocess.PIPE) as cat:
                    done = self.stays_within(BUDGET, "features", "-", *arguments, "-o", self.path("few.svm"),
                                             stdin=cat.stdout)
                    cat.stdout.close()
            self.assertTrue(done)
            self.assert_same("few.svm", "all.svm")

    def test_flat(self):
        """Four times the graphs take no more than their labels more: 24 bytes each, and less than a MiB. One thread: how many slices
        several have at once is chance. The least of three runs: now and then the kernel has large pages for the program itself, and any
        command, even --version, takes 2 or 4 MB more."""
        peaks = []
        for count in (20000, 80000):
            with open(self.path("m.smi"), "w") as file:
                file.write("".join(line.split(",")[0] + "\n" for line in smiles(count, 2).splitlines()[1:]))
            runs = [self.measure("features", self.path("m.smi"), "-a", "1-WL", "-r", "1", "-q", "-t", "1", "-o", self.path("f.svm"),
                                 "--memory", f"{BUDGET}M") for _ in range(3)]
            for status, text, _ in runs:
                self.assertEqual(status, 0, text)
            peaks.append(min(peak for _, _, peak in runs))
        self.assertLess(peaks[1], peaks[0] + 3 * MIB + 24 * 60000)

    def test_gram(self):
        """A matrix of 72 MB."""
        data = self.path("m.leman")
        self.assertEqual(leman("generate", "molecules", "--graphs", "3000", "--vertices", "10", "-o", data).returncode, 0)
        self.assertTrue(self.stays_within(24, "gram", data, "-a", "1-WL", "-r", "1", "-o", self.path("k.npy")))
        self.assertGreater(os.path.getsize(self.path("k.npy")), 70 * MIB * 0.95)

    def test_gram_of_larger_graphs(self):
        """Graphs that need more than the budget are refused with one sentence, from a file and from a pipe."""
        data = self.path("m.leman")
        self.assertEqual(leman("generate", "molecules", "--graphs", str(GRAPHS), "-o", data).returncode, 0)
        arguments = ["-a", "1-WL", "-r", "1", "-q", "--memory", f"{BUDGET}M", "-o", self.path("k.npy")]
        with open(data, "rb") as pipe:
            results = [leman("gram", data, *arguments), leman("gram", "-", *arguments, stdin=pipe)]
        for result in results:
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, r"\Aleman: .*needs .*, the memory budget is .*'leman features' .*\n\Z")
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertFalse(os.path.exists(self.path("k.npy")))

    def test_bad_line_of_pipe(self):
        """Named once, with its line, whether all graphs fit or are read some at a time."""
        with open(self.path("m.csv"), "w") as file:
            file.write(smiles(2600, 3))
        self.assertEqual(leman("convert", self.path("m.csv"), self.path("m.g6")).returncode, 0)
        with open(self.path("m.g6"), "a") as file:
            file.write("!!bad\n")
        for command in ("gram", "features"):
            for memory in ([], ["--memory", "16M"]):
                with open(self.path("m.g6"), "rb") as pipe, subprocess.Popen(["cat"], stdin=pipe, stdout=subprocess.PIPE) as cat:
                    result = leman(command, "-", "--from", "graph6", "-a", "1-WL", "-o", self.path("bad.svm"), *memory,
                                   stdin=cat.stdout)
                    cat.stdout.close()
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, r"^leman: stdin:2601: found '!', expected")
                self.assertFalse(os.path.exists(self.path("bad.svm")))

    def test_refused_graph_of_stream(self):
        """A graph that is too large is named by its number in the file, read at once or some graphs at a time."""
        with open(self.path("m.smi"), "w") as file:
            file.write("CCOCC\n" * 30000 + "C" * 3000 + "\n" + "CCO\n" * 10)
        for memory in ("600M", program.little_memory()):
            result = leman("features", self.path("m.smi"), "-a", "delta-3-LWL", "-r", "1", "-q", "--memory", memory, "-o",
                           self.path("f.svm"))
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("graph 30000 has 3000 vertices", result.stderr)

    def test_fit(self):
        """Features that do not fit: the model is the same, byte for byte, and with it every prediction."""
        data = self.path("m.leman")
        self.assertEqual(leman("generate", "molecules", "--graphs", "8000", "-o", data).returncode, 0)
        arguments = ["fit", data, "-a", "delta-2-LWL", "-r", "1", "--svm", "linear", "-C", "1", "-t", "1"]
        self.assertEqual(leman(*arguments, "-o", self.path("all.model")).returncode, 0)
        self.assertTrue(self.stays_within(24, *arguments, "-o", self.path("few.model")))
        self.assert_same("few.model", "all.model")


if __name__ == "__main__":
    program.main()
