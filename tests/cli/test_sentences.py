#!/usr/bin/env python3
"""Sentences to people: they name the file, count in good English, and exit 1 for data, 2 for the command line."""
import os
import re

import program
from program import SOURCE, Case, leman

# A number that is filled in, and a plural behind it that does not depend on it.
NOUNS = "graphs|layers|epochs|columns|targets|rounds|folds|repetitions|lines|edges|vertices|classes|methods|kernels|pairs|rows|matrices"
FIXED = re.compile(r'%(?:zu|llu|lu|u|" PRIu64 ") (?:' + NOUNS + r')\b')


class Sentences(Case):
    def test_plurals_follow_their_numbers(self):
        """What stands behind a number of the program's sentences is made by lm_plural(), but for numbers that are never 1."""
        allowed = ("too many", "more than", "at most", "by %zu", "pairs told apart", "%s:%u, %u rounds%s", "lm_progress_")  # the last is kept in files
        found = []
        for folder, _, names in os.walk(os.path.join(SOURCE, "src")):
            for name in names:
                if not name.endswith(".c") or "report" in folder:  # pages are read by their own tests
                    continue
                with open(os.path.join(folder, name)) as file:
                    for number, line in enumerate(file, 1):
                        if FIXED.search(line) and not any(word in line for word in allowed):
                            found.append(f"{name}:{number}: {line.strip()}")
        self.assertEqual(found, [])

    def test_one_is_singular(self):
        one = self.write("one.g6", "Bw\n")
        shown = self.succeeds("convert", one, self.path("x.leman")).stderr
        self.assertIn("1 graph, 3 vertices", shown)
        shown = self.succeeds("features", one, "-a", "wl:1", "-r", "0", "-o", self.path("f.svm")).stderr
        self.assertRegex(shown, r"wrote 1 row, 1 column, 1 entry\b")
        data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "12", "-o", data, "-q")
        shown = self.succeeds("train", data, "--model", "gin", "--layers", "1", "--width", "2", "--epochs", "1").stdout
        self.assertNotRegex(shown, r"\b1 (layers|epochs)")
        labels = self.tu("T", A="1, 2\n2, 1\n3, 4\n4, 3\n", graph_indicator="1\n1\n2\n2\n", graph_labels="1\n")
        self.fails("info", labels, words=("found 1 line, expected 2",))

    def test_the_file_is_named_not_what_is_inside(self):
        """A binary file whose content was made wrong, with its checksum right, is named by its path."""
        data = self.path("outside.leman")
        self.succeeds("convert", self.write("inside.g6", "Bw\n"), data, "-q")
        self.fails("evaluate", data, words=(data,))
        self.assertNotIn("leman: inside:", self.fails("evaluate", data))
        self.assertNotIn("inside", self.fails("info", data, "--policy", "isolated-vertices=refuse,self-loops=refuse",
                                              "--from", "tu-zip"))

    def test_budgets_name_the_file(self):
        data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "60", "-o", data, "-q")
        for line in (("gram", data, "-r", "0-999", "-o", self.path("k.npy"), "--memory", "16M"),
                     ("train", data, "--width", "256", "--memory", "16M")):
            said = self.fails(*line)
            self.assertIn(data, said)
            self.assertIn("budget", said)

    def test_limits_are_told(self):
        data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "12", "-o", data, "-q")
        self.wrong("fit", data, "-C", "1e308", "-o", self.path("m"), words=("up to 1e100",))
        self.wrong("gram", data, "-a", "wl+sp", "--weights", "1,1e308", "-o", self.path("k.npy"), words=("from 1e-100 to 1e100",))
        plain = self.write("plain.g6", "Bw\n" * 12)
        self.fails("train", plain, "--targets", "0", words=(plain, "no targets"))
        self.fails("fit", plain, "--target", "0", "-o", self.path("m"), words=(plain, "targets"))

    def test_data_problems_exit_1(self):
        looped = self.write("loop.csv", "a,a\na,b\n")
        directed = self.write("d.csv", "a,b\n")
        hollow = self.write("hollow.g6", "Bw\n?\n")
        self.fails("convert", looped, self.path("x.g6"), "--policy", "self-loops=keep", words=(looped, "self-loop"))
        self.fails("convert", directed, self.path("x.s6"), "--directed", words=(directed, "directed"))
        self.fails("convert", hollow, self.path("x.zip"), words=(hollow, "no vertices"))
        pair = self.write("pair.csv", "graph,source,target\n1,a,b\n2,a,b\n3,a,b\n")
        self.fails("distinguish", pair, words=(pair, "3 graphs"))
        self.fails("gram", pair, "-a", "sp", "--weighted", "-o", self.path("k.npy"), words=(pair, "edge attributes"))


if __name__ == "__main__":
    program.main()
