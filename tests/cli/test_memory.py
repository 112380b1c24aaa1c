#!/usr/bin/env python3
"""The memory budget: whatever the command and the data, the process stays within it, or refuses in a sentence."""
import os
import re
import subprocess
import sys

import program
from program import DATA, LEMAN, Case, holds, needs

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
        """True: done; False: refused in one sentence that speaks of the budget. The peak holds in both."""
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


class Commands(MemoryCase):
    """Every command, on data that takes more than the least budget when nobody looks."""
    BUDGETS = (16, 24, 64)

    def commands(self):
        data, leman, out = self.path("m.zip"), self.path("m.leman"), self.path
        self.succeeds("generate", "molecules", "--graphs", "400", "--vertices", "30", "-o", data, "-q")
        self.succeeds("generate", "molecules", "--graphs", "4000", "--vertices", "30", "-o", out("many.leman"), "-q")
        self.succeeds("convert", data, leman, "-q")
        self.succeeds("generate", "random", "--vertices", "300", "--graphs", "2", "-o", out("dense.g6"), "-q")
        self.succeeds("generate", "molecules", "--graphs", "60", "-o", out("few.zip"), "-q")
        self.succeeds("fit", out("few.zip"), "-k", "1", "-o", out("svm.model"), "-q")
        self.succeeds("train", out("few.zip"), "--epochs", "1", "--width", "16", "--checkpoint", out("net"), "-q")
        os.mkdir(out("sets"))
        os.link(data, out("sets", "PTC_FM.zip"))
        evaluation = ("--folds", "3", "--repetitions", "1", "-r", "0-2")
        for ending in ("zip", "leman", "g6", "s6", "csv"):
            yield ("convert", data, out("c." + ending), "--force")[:3]
        yield ("info", data)
        yield ("info", out("many.leman"))
        yield ("convert", out("many.leman"), out("c.zip"))
        for k in "123":
            yield ("colors", data, "-k", k)
        yield ("colors", out("many.leman"), "-k", "2", "--verify")
        yield ("colors", out("dense.g6"), "-k", "2", "--tuples", "--graph", "1", "-o", out("t.csv"))[:4]
        yield ("distinguish", out("dense.g6"), "-k", "2")
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
        yield ("reproduce", "--data", out("sets"), "--only", "PTC_FM", "--repetitions", "1", "--methods", "1-WL,delta-2-LWL")
        yield ("demo",)

    def test_every_command(self):
        done = {budget: 0 for budget in self.BUDGETS}
        for arguments in self.commands():
            for budget in self.BUDGETS:
                if arguments[0] == "demo":
                    continue
                with self.subTest(arguments=arguments, budget=budget):
                    done[budget] += self.stays_within(budget, *arguments, "-t", "2")
        print(done)


if __name__ == "__main__":
    program.main()
