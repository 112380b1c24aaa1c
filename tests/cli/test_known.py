#!/usr/bin/env python3
"""Known data sets by name: a missing one says how to get it, an empty name what is empty, a subset that it is one."""
import hashlib
import os

import program
from program import Case, leman


class Known(Case):
    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        os.mkdir(self.cache)
        self.environment = {**os.environ, "LEMAN_CACHE": self.cache}

    def said(self, *arguments):
        found = leman(*arguments, env=self.environment, cwd=self.folder)
        self.assertEqual((found.returncode, found.stdout), (1, ""), found.stderr)
        self.assertEqual(len(found.stderr.splitlines()), 1)
        return found.stderr

    def few(self, name="MUTAG", graphs=3):
        """A TU folder of so many single vertices."""
        numbers = "".join(f"{i + 1}\n" for i in range(graphs))
        return self.tu(name, A="", graph_indicator=numbers, graph_labels="1\n" * graphs)

    def test_missing_file(self):
        for command in (["evaluate"], ["info"], ["features", "-o", "F.svm"], ["compare", "-a", "1-WL", "-a", "SP"], ["gram", "-o", "K.npy"]):
            for name in ("MUTAG", "mutag", "MUTAG.zip", "data/MUTAG.zip"):
                self.assertIn("leman download MUTAG", self.said(*command, name))
        for name in ("MUTAGX", "MUTAG.csv", "no.zip", ".zip", "MUTAG/"):
            self.assertNotIn("download", self.said("info", name))

    def test_missing_file_in_the_cache(self):
        path = os.path.join(self.cache, "MUTAG.zip")
        self.write("cache/MUTAG.zip", "some bytes")
        self.write("cache/MUTAG.zip.sha256", f"{hashlib.sha256(b'some bytes').hexdigest()}  MUTAG.zip\n")
        said = self.said("evaluate", "MUTAG")
        self.assertIn(path, said)
        self.assertIn("in the cache", said)
        self.assertNotIn("leman download", said)
        self.assertIn("leman download NCI1", self.said("evaluate", "NCI1"))

    def test_empty_names(self):
        for command in ("info", "evaluate", "colors"):
            self.wrong(command, "", words=["DATA is empty", "printed nothing"])
        self.wrong("features", self.few(), "-o", "", words=["--output is empty"])
        self.wrong("gram", self.few(), "--against", "", "-o", self.path("K.npy"), words=["--against is empty"])

    def test_subsets(self):
        data = self.few()
        found = self.succeeds("info", data)
        self.assertIn("a subset, 3 of the 188 graphs that MUTAG has", found.stderr)
        self.assertIn("a subset: MUTAG has 188", found.stdout)
        self.assertEqual(self.json("info", data)["known_graphs"], 188)
        self.assertIn("3 of the 188", self.succeeds("colors", data).stderr)
        self.assertNotIn("188", self.succeeds("colors", data, "--quiet").stderr)
        many = self.succeeds("info", self.few("PTC_FM", 350))
        self.assertIn("found 350 graphs, where PTC_FM has 349", many.stderr)
        self.assertNotIn("subset", many.stdout + many.stderr)
        for name, graphs in (("OTHER", 3), ("PTC_MM", 349)):
            other = self.succeeds("info", self.few(name, graphs))
            self.assertNotIn("has", other.stderr + other.stdout)
        self.assertIsNone(self.json("info", self.path("OTHER"))["known_graphs"])

    def test_whole_set(self):
        found = self.succeeds("info", self.few(graphs=188))
        self.assertEqual(found.stderr, "")
        self.assertNotIn("subset", found.stdout)

    def test_convert(self):
        data = self.few("OWN", 20)
        log = self.succeeds("convert", data, self.path("some.g6"), "--graphs", "0-9").stderr
        self.assertIn("wrote 10 of 20 graphs", log)
        self.assertIn("wrote 1 of 20 graphs", self.succeeds("convert", data, self.path("one.g6"), "--graphs", "3").stderr)
        self.assertIn("wrote 20 graphs", self.succeeds("convert", data, self.path("all.g6")).stderr)
        said = self.json("convert", data, self.path("j.g6"), "--graphs", "0-9")
        self.assertEqual((said["graphs"], said["graphs_read"]), (10, 20))

    @program.needs("data")
    def test_subset_of_mutag(self):
        data = self.data_set("MUTAG")
        self.assertEqual(self.succeeds("info", data).stderr, "")
        for name in ("ten.leman", "MUTAG.zip", "MUTAG"):
            self.assertIn("wrote 10 of 188", self.succeeds("convert", data, self.path(name), "--graphs", "0-9").stderr)
            self.assertIn("10 of the 188", self.succeeds("info", self.path(name)).stderr)


if __name__ == "__main__":
    program.main()
