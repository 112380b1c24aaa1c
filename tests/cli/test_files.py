#!/usr/bin/env python3
"""The files of a command line: no result takes the place of another file, whatever the two are called."""
import os
import subprocess

import program
from program import LEMAN, Case, leman


class Files(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("d.leman")
        self.succeeds("generate", "molecules", "--graphs", "12", "-o", self.data, "-q")
        self.quick = ("-a", "wl:1", "-r", "1", "--folds", "3")
        with open(self.data, "rb") as file:
            self.before = file.read()

    def tearDown(self):
        self.assertEqual(self.left_over(), [])
        super().tearDown()

    def unchanged(self):
        with open(self.data, "rb") as file:
            self.assertEqual(file.read(), self.before)

    def spellings(self, name):
        """Other ways to write self.path(name): none of them is the same text."""
        os.makedirs(self.path("sub"), exist_ok=True)
        os.symlink(self.folder, self.path("away"))
        return [os.path.join(self.folder, ".", name), self.path("sub", "..", name), self.folder + "//" + name,
                self.path("away", name), os.path.relpath(self.path(name))]

    def test_what_is_written_can_be_written_and_is_no_input(self):
        """Known before the work begins."""
        data, model = self.data, self.path("m.model")
        self.succeeds("fit", data, *self.quick, "-o", model, "-q")
        link = self.path("link.leman")
        os.symlink(data, link)
        os.link(data, self.path("hard.leman"))
        for arguments in (("fit", data, "-o", data), ("evaluate", data, "-o", data), ("gram", data, "-o", data),
                          ("evaluate", data, "--report", link), ("evaluate", link, "--write-splits", data),
                          ("predict", "--model", model, data, "-o", model), ("colors", data, "-o", link),
                          ("convert", data, data), ("convert", data, "-o", self.path("hard.leman")),
                          ("info", f"{self.folder}/./d.leman", "-o", data),
                          ("train", data, "--train", data, "--val", data, "--log", link),
                          ("gram", self.path("m.model"), "--against", data, "-o", data)):
            self.wrong(*arguments, words=("two files", "--force"))
        self.unchanged()
        for command in ("evaluate", "compare", "fit", "gram", "features", "info", "train", "convert"):
            out = self.path("none", "x.npy")
            self.fails(command, self.path("missing"), "-o", out, words=(out,))  # asked before the data are
        for option in ("--report", "--resume", "--write-splits"):
            self.wrong("evaluate", data, option, "-", words=(option, "expected a file"))

    def test_two_outputs_that_are_not_there_yet(self):
        for place in self.spellings("JJ"):
            for options in (("--resume", self.path("JJ"), "-o", place), ("--resume", place, "-o", self.path("JJ")),
                            ("--write-splits", self.path("JJ"), "-o", place),
                            ("--report", self.path("JJ"), "--write-splits", place)):
                self.wrong("evaluate", self.data, *self.quick, *options, words=("one file", "two files"))
                self.assertFalse(os.path.exists(self.path("JJ")))
            self.wrong("evaluate", self.data, "--resume", self.path("JJ"), "-o", place, "--force", words=("two files",))
            self.wrong("train", self.data, "--log", self.path("JJ"), "--report", place, words=("two files",))
            self.wrong("train", self.data, "--checkpoint", self.path("JJ"), "--export", place, words=("two files",))
            self.wrong("features", self.data, "--columns", self.path("JJ"), "-o", place, words=("two files",))
            self.wrong("reproduce", "--resume", self.path("JJ"), "-o", place, words=("two files",))
        os.symlink(self.path("later"), self.path("link"))  # to nothing yet
        self.wrong("evaluate", self.data, "--resume", self.path("link"), "-o", self.path("later"), words=("two files",))

    def test_names_that_are_made_from_others(self):
        self.wrong("gram", self.data, "-a", "wl", "-r", "0-2", "-o", self.path("K.csv"), "--against",
                   self.write("K-1.csv", "0,1\n"), words=("K-1.csv", "--force"))
        self.wrong("compare", self.data, "-a", "wl:1", "-a", "sp", "--resume", self.path("j"), "-o", self.path("j.2"),
                   words=("j.2", "two files"))

    def test_standard_streams(self):
        with open(self.path("both"), "w") as both:
            for place in (self.path("both"), "/dev/stdout", "/dev/fd/1"):
                run = leman("evaluate", self.data, *self.quick, "--write-splits", place, stdout=both)
                self.assertEqual((run.returncode, "two files" in run.stderr), (2, True), run.stderr)
        with open(self.data) as standard:
            run = leman("convert", "-", self.data, stdin=standard)
        self.assertEqual((run.returncode, "--force" in run.stderr), (2, True), run.stderr)
        with open(self.data, "a") as standard:
            run = leman("info", self.data, stdout=standard)
        self.assertEqual((run.returncode, "--force" in run.stderr), (2, True), run.stderr)
        self.wrong("distinguish", "-", "-", words=("only once",))
        run = leman("evaluate", self.data, "-o", "-", "--write-splits", "/dev/stdout")  # one pipe
        self.assertEqual(run.returncode, 2, run.stderr)
        self.unchanged()

    def test_what_may_be_named_twice(self):
        self.succeeds("evaluate", self.data, *self.quick, "--write-splits", "/dev/null", "-o", "/dev/null")
        self.succeeds("compare", self.data, *self.quick[2:], "-a", "wl:1", "-a", "sp", "--splits",
                      self.splits(), "--resume", self.path("j"), "-o", self.path("x.txt"))
        with open(self.path("out"), "w") as out:
            self.succeeds("info", self.data, "-o", "/dev/stdout", stdout=out)
            self.succeeds("info", self.data, "-o", "-", stdout=out)
        line = f"cd '{self.folder}' && '{LEMAN}' help info >info && '{LEMAN}' convert -q d.leman - --to graph6 >x.g6"
        self.assertEqual(subprocess.run(["bash", "-c", line], stderr=subprocess.PIPE).stderr, b"")
        self.succeeds("features", self.data, "-a", "wl", "--columns", self.path("c.map"), "-o", self.path("a.svm"))
        self.succeeds("features", self.data, "-a", "wl", "--columns", self.path("c.map"), "-o", self.path("b.svm"))

    def splits(self):
        path = self.path("splits.txt")
        self.succeeds("evaluate", self.data, *self.quick, "--write-splits", path)
        return path

    def test_force_writes_over_the_input(self):
        self.succeeds("convert", self.data, self.data, "--graphs", "2", "--force")
        self.assertEqual(self.json("info", self.data)["graphs"], 1)
        self.succeeds("info", self.data, "--force", "-o", self.data)
        self.fails("info", self.data)

    def test_a_file_of_the_folder_that_is_read(self):
        folder = self.tu("T", A="1, 2\n2, 1\n", graph_indicator="1\n1\n")
        labels = self.write("T/T_node_labels.txt", "0\n1\n")
        self.wrong("info", folder, "-o", labels, words=("T_node_labels.txt", "--force"))
        self.wrong("colors", os.path.join(folder, "."), "-o", labels, words=("--force",))
        self.succeeds("info", folder, "-o", os.path.join(folder, "new.txt"))
        self.fails("convert", folder, folder, words=(folder,))
        self.assertEqual(self.json("info", folder)["vertex_labels"], 2)


if __name__ == "__main__":
    program.main()
