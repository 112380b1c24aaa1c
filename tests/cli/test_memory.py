#!/usr/bin/env python3
"""The memory budget: whatever the command and the data, the process stays within it, or refuses in a sentence."""
import os
import re
import subprocess
import sys
import zipfile

import program
from program import LEMAN, Case, holds

MIB = 1 << 20
TOLERANCE = 1.25

# A small process starts the program and tells its peak. That of a child begins with what its parent holds: this script,
# with its modules, would be more than the least budget.
LAUNCHER = """
import os, sys
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w") as file:
    file.write(str(usage.ru_maxrss))
os._exit(os.waitstatus_to_exitcode(status) % 256)
"""


class MemoryCase(Case):
    def setUp(self):
        super().setUp()
        if holds("__asan_init", "__msan_init"):
            self.skipTest("a sanitizer has tables of its own in memory")

    def measure(self, *arguments, **options):
        """(exit status, standard error, peak in bytes)"""
        options.setdefault("stdin", subprocess.DEVNULL)
        result = subprocess.run([sys.executable, "-I", "-S", "-c", LAUNCHER, self.path("peak"), LEMAN, *arguments],
                                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120, **options)
        with open(self.path("peak")) as file:
            return result.returncode, result.stderr, int(file.read()) * 1024

    def stays_within(self, budget, *arguments, **options):
        """True: done; False: refused in one sentence about the budget. The peak holds in both."""
        status, text, peak = self.measure(*arguments, "--memory", f"{budget}M", "-q", **options)
        shown = " ".join(arguments)
        self.assertLessEqual(peak, TOLERANCE * budget * MIB, f"leman {shown} --memory {budget}M took {peak / MIB:.1f} MiB")
        self.assertIn(status, (0, 1), f"{shown}: {text}")
        if status:
            self.assertRegex(text, r"\Aleman: [^\n]+\n\Z", shown)
            self.assertIn("memory budget", text, shown)
        if os.environ.get("LEMAN_TEST_SHOW"):
            print(f"{budget:4}M {peak / MIB:6.1f} {status} {shown} {text.strip()}")
        return not status


class Budgets(MemoryCase):
    def test_whatever_the_page_cache_holds(self):
        """What is left of a budget is the same for a program that was just written, in large pieces, and one that was
        read from the disk, of which the kernel maps other numbers of pages at once."""
        copy, data = self.path("leman"), self.path("large")
        with open(LEMAN, "rb") as source, open(copy, "wb", buffering=0) as file:
            while piece := source.read(MIB):
                file.write(piece)
        os.chmod(copy, 0o755)
        with open(data, "wb") as file:
            file.truncate(64 * MIB)
        left = []
        for _ in range(2):
            result = subprocess.run([copy, "info", data, "--memory", "16M"], capture_output=True, text=True, timeout=60)
            left.append(float(re.search(r"\((\d+\.\d) MiB of it left\)", result.stderr).group(1)))
            with open(copy, "rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        self.assertAlmostEqual(left[0], left[1], delta=0.11)


class Commands(MemoryCase):
    """Every command, on data that takes more than the least budget when nobody looks."""
    BUDGETS = (16, 40)

    def commands(self):
        data, leman, out = self.path("m.zip"), self.path("m.leman"), self.path
        self.succeeds("generate", "molecules", "--graphs", "250", "--vertices", "30", "-o", data, "-q")
        self.succeeds("generate", "molecules", "--graphs", "2000", "--vertices", "30", "-o", out("many.leman"), "-q")
        self.succeeds("convert", data, leman, "-q")
        self.succeeds("generate", "random", "--vertices", "300", "--graphs", "2", "-o", out("dense.g6"), "-q")
        self.succeeds("generate", "molecules", "--graphs", "40", "-o", out("few.zip"), "-q")
        self.succeeds("fit", out("few.zip"), "-k", "1", "-o", out("svm.model"), "-q")
        self.succeeds("train", out("few.zip"), "--epochs", "1", "--width", "16", "--checkpoint", out("net"), "-q")
        evaluation = ("--folds", "3", "--repetitions", "1", "-r", "0-2")
        for ending in ("zip", "leman", "g6", "s6", "csv"):
            yield ("convert", data, out("c." + ending))
        yield ("info", data)
        yield ("info", out("many.leman"))
        yield ("convert", out("many.leman"), out("c.zip"))
        for k in "12":
            yield ("colors", data, "-k", k)
        yield ("colors", out("few.zip"), "-k", "3", "-r", "2")
        yield ("colors", out("many.leman"), "-k", "2", "-r", "2")
        yield ("colors", out("dense.g6"), "-k", "2", "--tuple-colors", "--graph", "1", "-o", out("t.csv"))
        yield ("distinguish", out("dense.g6"), "-k", "2")
        yield ("dimension", out("few.zip"), "--max-k", "2")
        yield ("canonical", out("many.leman"))
        yield ("hash", data)
        yield ("hash", out("many.leman"), "-a", "delta-2-LWL", "-r", "2")
        yield ("unique", out("many.leman"), "-o", out("u.leman"))
        yield ("neighbors", data, out("many.leman"), "-o", out("n.csv"))
        yield ("clusters", data, "-o", out("n.csv"))
        yield ("distinguish", out("dense.g6"), "-k", "1", "--explain")
        yield ("gram", data, "-k", "2", "-o", out("k.npy"))
        yield ("gram", data, "-k", "1", "-r", "0-3", "-o", out("k.csv"))
        yield ("gram", data, "-a", "sp", "-o", out("k.npy"))
        yield ("gram", data, "-a", "graphlet", "-o", out("k.npy"))
        for ending in ("svm", "npz", "mtx", "lmf"):
            yield ("features", data, "-k", "2", "-o", out("f." + ending))
        yield ("features", out("many.leman"), "-k", "1", "-o", out("f.lmf"))
        yield ("features", data, "-a", "sp", "-o", out("f.svm"))
        yield ("evaluate", data, "-k", "1", *evaluation)
        yield ("evaluate", data, "-k", "2", "--svm", "linear", *evaluation)
        yield ("compare", data, "-a", "local:1", "-a", "sp", *evaluation)
        yield ("fit", data, "-k", "1", "-r", "0-1", "--folds", "3", "-o", out("f.model"))
        yield ("fit", data, "-k", "2", "--svm", "linear", "-r", "0-1", "--folds", "3", "-o", out("f.model"))
        yield ("predict", "--model", out("svm.model"), out("many.leman"), "-o", out("p.csv"))
        yield ("predict", "--model", out("net"), data, "-o", out("p.csv"))
        yield ("train", out("few.zip"), "--epochs", "1", "--width", "32")
        yield ("train", data, "--epochs", "1", "--model", "gin", "--width", "32")
        yield ("generate", "molecules", "--graphs", "20000", "-o", out("g.zip"))
        yield ("generate", "random", "--vertices", "2000", "-o", out("g.g6"))

    def test_every_command(self):
        done = {budget: 0 for budget in self.BUDGETS}
        asked = set()
        for arguments in self.commands():
            asked.add(arguments[0])
            for budget in self.BUDGETS:
                with self.subTest(arguments=arguments, budget=budget):
                    done[budget] += self.stays_within(budget, *arguments, "-t", "2")
        alone = {"help", "demo", "download"}  # no data of the caller's
        self.assertEqual(asked | alone, set(program.commands()) | alone)
        # A program that refuses everything would hold the promise too.
        self.assertGreater(done[40], 30)
        self.assertGreater(done[16], 25)

    def test_many_threads(self):
        data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "250", "--vertices", "30", "-o", data, "-q")
        for arguments in (("colors", data, "-k", "2"), ("gram", data, "-k", "1", "-o", self.path("k.npy")),
                          ("evaluate", data, "-k", "1", "--folds", "3", "--repetitions", "1", "-r", "0-1")):
            self.stays_within(24, *arguments, "-t", "16")

    def test_the_least(self):
        self.wrong("info", "x.g6", "--memory", "15M", words=["'15M'", "at least 16.0 MiB"])

    def test_one_large_graph(self):
        """With k = 1 one row of scratch a thread suffices: what one thread can do, two can."""
        path = self.path("large.leman")
        self.succeeds("generate", "random", "--vertices", "200000", "--probability", "0.00001", "-o", path, "-q")
        for threads in "1", "2":
            for command in ("colors",), ("features", "-o", self.path("F.svm")), ("gram", "-o", self.path("K.npy")):
                with self.subTest(threads=threads, command=command[0]):
                    self.assertTrue(self.stays_within(72, command[0], path, "-a", "1-WL", "-r", "1", "-t", threads, *command[1:]))

    def test_compact_triples(self):
        """A graph whose array of colours of triples does not fit is refined without one: the same bytes, in the budget."""
        graphs = self.path("triples.leman")
        self.succeeds("generate", "power-law", "--vertices", "110", "--degree", "2", "--graphs", "2", "-o", graphs)
        self.assertFalse(self.stays_within(36, "colors", graphs, "-a", "delta-3-WL", "-r", "1"), "it has no other way")
        for command, rounds, output in (("gram", "2", "K.npy"), ("features", "1", "F.svm")):
            arguments = (command, graphs, "-a", "delta-3-LWL", "-r", rounds, "-o")
            self.succeeds(*arguments, self.path("plenty-" + output), "--memory", "400M", "-q")
            with open(self.path("plenty-" + output), "rb") as file:
                plenty = file.read()
            for threads in ("1", "2"):
                self.assertTrue(self.stays_within(36, *arguments, self.path(output), "-t", threads))
                with open(self.path(output), "rb") as file:
                    self.assertEqual(file.read(), plenty, (command, threads))
        for rounds in ("0", "1", "2"):
            arguments = ("colors", graphs, "-a", "delta-3-LWL", "-r", rounds)
            counts = [self.json(*arguments, "--memory", memory)["rounds"] for memory in ("400M", "36M")]
            self.assertEqual(*counts)


class Inputs(MemoryCase):
    """What is read has no end, or is larger than the budget."""
    def refused(self, budget, *arguments, words=(), **options):
        status, text, peak = self.measure(*arguments, "--memory", f"{budget}M", **options)
        self.assertLessEqual(peak, TOLERANCE * budget * MIB, f"{arguments}: {peak / MIB:.1f} MiB")
        self.assertEqual(status, 1, text)
        for word in (f"memory budget is {budget}", *words):
            self.assertIn(word, text)

    def test_devices(self):
        data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "20", "-o", data, "-q")
        with open("/dev/zero", "rb") as zeros:
            self.refused(50, "info", "-", words=["standard input"], stdin=zeros)
        self.refused(30, "info", "/dev/zero", words=["/dev/zero"])
        self.refused(30, "features", data, "--columns", "/dev/zero", "-o", self.path("f.svm"), words=["/dev/zero"])
        self.refused(30, "evaluate", data, "--splits", "/dev/zero", words=["/dev/zero"])
        self.refused(30, "distinguish", "--pairs", "/dev/zero", words=["/dev/zero"])
        status, text, peak = self.measure("predict", "--model", "/dev/zero", data)  # its kind is asked without reading it
        self.assertEqual(status, 1, text)
        self.assertLess(peak, 20 * MIB)

    def test_pipes(self):
        with subprocess.Popen(["head", "-c", "200M", "/dev/zero"], stdout=subprocess.PIPE) as source:
            self.refused(50, "info", "-", words=["standard input"], stdin=source.stdout)
            source.stdout.close()

    def test_large_text(self):
        path = self.path("big.csv")
        with open(path, "w") as file:
            for first in range(0, 1500000, 50000):
                file.write("".join(f"v{v},v{v * 7 % 1000003}\n" for v in range(first, first + 50000)))
        self.refused(20, "info", path, words=["big.csv"])
        self.refused(50, "info", path, words=["big.csv"])
        self.refused(100, "info", path, words=["big.csv"])
        self.refused(100, "info", "-", "--from", "edge-list", words=["stdin"], stdin=open(path, "rb"))

    def test_comments(self):
        """Comments take no memory, however many there are and however long one is."""
        lines = ["CCO a\n", "CC b\n", "c1ccccc1 c\n"] * 20
        plenty, scarce = self.path("plenty.svm"), self.path("scarce.svm")
        self.succeeds("features", self.write("bare.smi", "".join(lines)), "-k", "1", "-o", plenty, "-q")
        long = "#" * (60 * MIB) + "\n"
        texts = {"many": "# a comment\n" * 200000 + "".join(lines), "first": long + "".join(lines),
                 "between": "".join(lines[:30]) + long + "\n" + long + "".join(lines[30:])}
        for name, text in texts.items():
            path = self.write(name + ".smi", text)
            for budget in 16, 24, 40:
                with self.subTest(name=name, budget=budget):
                    self.assertTrue(self.stays_within(budget, "features", path, "-k", "1", "-o", scarce))
                    with open(plenty) as expected, open(scarce) as found:
                        self.assertEqual(found.read(), expected.read())
        rows = self.write("rows.svm", long + "1 1:1\n0 2:1\n1 1:2\n0 2:3\n")
        self.assertTrue(self.stays_within(24, "fit", rows, "--folds", "2", "-o", self.path("rows.model")))

    def test_feature_files(self):
        """Rows in mapped files: their pages count, for one thread and for two."""
        graphs, rows = self.path("m.leman"), self.path("m.svm")
        self.succeeds("generate", "molecules", "--graphs", "30000", "-o", graphs, "-q")
        self.succeeds("features", graphs, "-k", "1", "-r", "3", "--hash-bits", "14", "-o", rows, "-q")
        for threads in "1", "2":
            for command in ("evaluate", "--repetitions", "1"), ("fit", "-o", self.path("m.model")):
                self.assertTrue(self.stays_within(22, command[0], rows, *command[1:], "--folds", "2", "-C", "1", "-t", threads))

    def test_long_lines(self):
        """A line that does not fit is refused, with its number."""
        long = "C" * (60 * MIB)
        for name, text in (("m.smi", f"C\n# two\n{long}\n"), ("n.smi", f"C\n\nCC {long}\n"), ("r.svm", f"1 1:1\n\n0 {long}\n")):
            command = ("fit", "-o", self.path("o.model")) if name.endswith("svm") else ("features", "-o", self.path("o.svm"))
            self.refused(40, command[0], self.write(name, text), *command[1:], words=[f"{name}:3: found a line of more than "])

    def test_a_zip_of_many_members(self):
        path = self.path("members.zip")
        with zipfile.ZipFile(path, "w") as file:
            for i in range(60000):
                file.writestr(f"a{i}", "")
        status, text, peak = self.measure("info", path, "--memory", "16M")
        self.assertEqual(status, 1, text)
        self.assertLessEqual(peak, TOLERANCE * 16 * MIB, text)

    def test_json(self):
        pairs = self.write("pairs.tsv", "A_\tA_\n" * 60000)
        done = [self.stays_within(budget, "distinguish", "--pairs", pairs, "-k", "1", "--json", "-t", "1")
                for budget in (24, 32, 40, 80)]
        self.assertEqual((done[0], done[-1]), (False, True))


@program.needs("data")
class RealSets(MemoryCase):
    """The figures of people who measured it."""
    def test_sets(self):
        proteins, reddit, out = self.data_set("PROTEINS"), self.data_set("REDDIT-BINARY"), self.path
        self.stays_within(20, "colors", proteins, "-k", "2", "-t", "2")
        self.assertTrue(self.stays_within(60, "colors", proteins, "-k", "2", "-t", "2"))
        self.stays_within(20, "features", proteins, "-k", "2", "-t", "2", "-o", out("f.lmf"))
        self.assertTrue(self.stays_within(30, "features", proteins, "-k", "1", "-t", "2", "-o", out("f.lmf")))
        self.stays_within(50, "info", reddit)
        self.assertTrue(self.stays_within(100, "info", reddit))


if __name__ == "__main__":
    program.main()
