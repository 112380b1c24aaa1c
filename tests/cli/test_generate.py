#!/usr/bin/env python3
"""leman generate and leman demo: every family can be written, read back and repeated; the demonstration ends well."""
import json
import os
import time
from math import comb

import program
from program import Case, leman

ONE_GRAPH = ("path", "cycle", "complete", "grid", "petersen", "random", "regular", "power-law")


class Generate(Case):
    def make(self, *arguments):
        self.succeeds("generate", *arguments, "-o", self.path("g.leman"), "--quiet")
        return self.json("info", self.path("g.leman"))

    def test_sizes(self):
        for k in (1, 2, 3, 4):
            found = self.make("cfi", "-k", str(k))
            each = (k + 1) * 2 ** (k - 1) + 2 * comb(k + 1, 2)
            self.assertEqual((found["graphs"], found["vertices"]), (2, 2 * each))
        self.assertEqual(self.make("rook-shrikhande")["edges"], 2 * 48)
        found = self.make("grid", "--rows", "3", "--columns", "5")
        self.assertEqual((found["vertices"], found["edges"]), (15, 3 * 4 + 2 * 5))
        found = self.make("regular", "--vertices", "10", "--degree", "4", "--graphs", "3")
        self.assertEqual((found["graphs"], found["edges"], found["max_degree"]), (3, 60, 4))
        found = self.make("csl", "--skips", "2-4,9", "--vertices", "41")
        self.assertEqual((found["graphs"], found["edges"]), (4, 4 * 82))
        self.assertEqual(self.make("random", "--vertices", "9", "--probability", "1")["edges"], 36)
        self.assertEqual(self.make("molecules", "--graphs", "50")["classes"], 2)

    def test_every_family(self):
        for family in ONE_GRAPH + ("csl", "cfi", "cycles", "molecules", "rook-shrikhande", "counts"):
            self.assertGreaterEqual(self.make(family)["graphs"], 1)

    def test_outputs(self):
        for name in ("m.g6", "m.s6", "m.zip", "m.leman", "m.csv", "m"):
            self.succeeds("generate", "molecules", "--graphs", "5", "-o", self.path(name))
            self.assertEqual(self.json("info", self.path(name))["graphs"], 5, name)
        self.assertTrue(os.path.isdir(self.path("m")))
        out = self.succeeds("generate", "complete", "--vertices", "3", "-o", "-", "--to", "graph6", "--quiet").stdout
        self.assertEqual(out, "Bw\n")
        found = json.loads(self.succeeds("generate", "petersen", "--json", "-o", self.path("p.g6")).stdout)
        self.assertEqual((found["graphs"], found["vertices"], found["edges"]), (1, 10, 15))

    def test_seeds(self):
        text = lambda seed, threads: self.succeeds("generate", "molecules", "--graphs", "20", "--seed", seed, "-t",
                                                   threads, "-o", "-", "--to", "tu-zip", text=False).stdout
        self.assertEqual(text("5", "1"), text("5", "2"))
        self.assertNotEqual(text("5", "1"), text("6", "1"))

    def test_base(self):
        """cfi on base graphs of one's own: a pair for each; the complete graph gives the pair of -k."""
        self.succeeds("generate", "complete", "--vertices", "4", "-o", self.path("k4.g6"), "--quiet")
        text = lambda *arguments: self.succeeds("generate", "cfi", *arguments, "-o", "-", "--to", "graph6", "--quiet").stdout
        self.assertEqual(text("--base", self.path("k4.g6")), text("-k", "3"))
        self.succeeds("generate", "regular", "--vertices", "8", "--graphs", "3", "--seed", "2", "-o", self.path("three.leman"), "--quiet")
        found = self.make("cfi", "--base", self.path("three.leman"))
        self.assertEqual((found["graphs"], found["classes"], found["vertices"]), (6, 2, 6 * (8 * 4 + 2 * 12)))
        self.wrong("generate", "cfi", "-k", "2", "--base", self.path("k4.g6"), "-o", self.path("x.g6"), words=["'-k'", "--base"])
        self.wrong("generate", "csl", "--base", self.path("k4.g6"), "-o", self.path("x.g6"), words=["'--base'", "only on cfi"])
        self.succeeds("generate", "path", "-o", self.path("path.g6"), "--quiet")
        result = leman("generate", "cfi", "--base", self.path("path.g6"), "-o", self.path("x.g6"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("vertex 0 of base graph 0 has degree 1", result.stderr)
        self.assertFalse(os.path.exists(self.path("x.g6")))

    def test_wrong_usage(self):
        self.wrong("generate", words=["FAMILY is missing"])
        self.wrong("generate", "cfi", words=["--output"])
        self.wrong("generate", "cif", "-o", self.path("x.g6"), words=["'cif'", "cfi"])
        self.wrong("generate", "cfi", "-k", "0", "-o", self.path("x.g6"), words=["'0'"])
        self.wrong("generate", "random", "--probability", "1.5", "-o", self.path("x.g6"), words=["'1.5'", "0 to 1"])
        self.wrong("generate", "random", "--probability", "nan", "-o", self.path("x.g6"), words=["'nan'"])
        self.wrong("generate", "cfi", "-o", "-", words=["--to"])
        for arguments in (["regular", "--vertices", "5", "--degree", "3"], ["regular", "--vertices", "3", "--degree", "9"],
                          ["complete", "--vertices", "4000000000"], ["cfi", "-k", "64"]):
            result = leman("generate", *arguments, "-o", self.path("x.g6"))
            self.assertIn(result.returncode, (1, 2), arguments)
            self.assertTrue(result.stderr.startswith("leman: "))
        self.assertEqual(os.listdir(self.folder), [])


class Demo(Case):
    def test_demo(self):
        begin = time.monotonic()
        result = self.succeeds("demo", env=dict(os.environ, TMPDIR=self.folder))
        self.assertLess(time.monotonic() - begin, 60)
        self.assertRegex(result.stdout.rstrip(), r"\.\Z")
        self.assertEqual(os.listdir(self.folder), [])
        self.assertNotIn("nan", result.stdout)

    def test_what_it_claims(self):
        """Decalin against bicyclopentyl: single atoms do not see it, pairs along bonds do."""
        text = self.succeeds("demo").stdout
        self.assertRegex(text, r"\$ leman distinguish pair\.smi -a 1-WL\n1-WL, until stable: not told apart")
        self.assertRegex(text, r"\$ leman distinguish pair\.smi -a delta-2-LWL\n.*: told apart in round \d")

    def test_json(self):
        found = self.json("demo")
        self.assertGreaterEqual(len(found["stops"]), 5)
        self.assertTrue(found["sentence"].endswith("."))

    def test_nowhere_to_write(self):
        result = leman("demo", env=dict(os.environ, TMPDIR=self.path("missing")))
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing", result.stderr)


if __name__ == "__main__":
    program.main()
