#!/usr/bin/env python3
"""The files of a command line: no result takes the place of another file, whatever the two are called."""
import csv
import json
import os
import re
import subprocess

import program
from program import LEMAN, Case, commands, leman


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
                          ("info", f"{self.folder}/./d.leman", "-o", data), ("info", model, "--report", model),
                          ("info", model, "--report", link, "--data", data),
                          ("train", data, "--train", data, "--val", data, "--log", link),
                          ("gram", self.path("m.model"), "--against", data, "-o", data)):
            self.wrong(*arguments, words=("two files", "--force"))
        self.unchanged()
        for command in ("evaluate", "compare", "fit", "gram", "features", "info", "train", "convert"):
            out = self.path("none", {"gram": "x.npy", "features": "x.svm"}.get(command, "x"))
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
        os.symlink(self.path("later"), self.path("link"))  # to nothing yet
        self.wrong("evaluate", self.data, "--resume", self.path("link"), "-o", self.path("later"), words=("two files",))

    def test_names_that_are_made_from_others(self):
        self.wrong("gram", self.data, "-a", "wl", "-r", "0-2", "-o", self.path("K.csv"), "--against",
                   self.write("K-1.csv", "0,1\n"), words=("K-1.csv", "--force"))
        self.wrong("compare", self.data, "-a", "wl:1", "-a", "sp", "--resume", self.path("j"), "-o", self.path("j.1"),
                   words=("j.1", "two files"))

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
        self.succeeds("convert", self.data, self.data, "--graphs", "1", "--force")
        self.assertEqual(self.json("info", self.data)["graphs"], 1)
        os.rename(self.data, self.path("d"))
        self.succeeds("info", self.path("d"), "--force", "-o", self.path("d"))
        self.fails("info", self.path("d"))

    def test_a_file_of_the_folder_that_is_read(self):
        folder = self.tu("T", A="1, 2\n2, 1\n", graph_indicator="1\n1\n")
        labels = self.write("T/T_node_labels.txt", "0\n1\n")
        self.wrong("info", folder, "-o", labels, words=("T_node_labels.txt", "--force"))
        self.wrong("colors", os.path.join(folder, "."), "-o", labels, words=("--force",))
        self.succeeds("info", folder, "-o", os.path.join(folder, "new.txt"))
        self.fails("convert", folder, folder, words=(folder,))
        self.assertEqual(self.json("info", folder)["vertex_labels"], 2)


# Every option of a command that names a file to write: endings that are written, with what they hold.
RESULT = {"": "text", ".txt": "text", ".json": "json"}
OWN = {"": None, ".own": None}
WRITTEN = {
    ("info", "output"): RESULT, ("download", "output"): RESULT, ("colors", "output"): RESULT,
    ("distinguish", "output"): RESULT, ("dimension", "output"): RESULT, ("hash", "output"): RESULT, ("unique", "output"): {".zip": None, ".leman": None, ".g6": None, ".s6": None, ".csv": None, ".tsv": None, "": None}, ("unique", "classes"): {".csv": "text"}, ("evaluate", "output"): RESULT, ("compare", "output"): RESULT,
    ("train", "output"): RESULT, ("demo", "output"): RESULT, ("help", "output"): None,
    ("convert", "output"): {".zip": None, ".leman": None, ".g6": None, ".s6": None, ".csv": None, ".tsv": None, "": None},
    ("canonical", "output"): {".zip": None, ".leman": None, ".g6": None, ".s6": None, ".csv": None, ".tsv": None, "": None},
    ("generate", "output"): {".zip": None, ".leman": None, ".g6": None, ".s6": None, ".csv": None, ".tsv": None, "": None},
    ("features", "output"): {".svm": None, ".npz": None, ".mtx": None, ".lmf": None, ".svm.gz": None, ".mtx.gz": None},
    ("gram", "output"): {".npy": None, ".csv": None, ".txt": None, ".svm": None},
    ("gram", "sample-bounds"): None,  # with --sample: tests/cli/test_gram.py
    ("fit", "output"): OWN, ("predict", "output"): {".csv": "text", ".tsv": "text", ".json": "json", "": "text"},
    ("neighbors", "output"): {".csv": "text", ".tsv": "text", ".json": "json", "": "text"}, ("clusters", "output"): {".csv": "text", ".tsv": "text", ".json": "json", "": "text"},
    ("predict", "explain"): {".html": "html", ".svg": None, ".json": "json"},
    ("evaluate", "report"): {".html": "html"}, ("compare", "report"): {".html": "html"}, ("clusters", "report"): {".html": "html"}, ("predict", "report"): {".html": "html"}, ("info", "report"): {".html": "html"}, ("train", "report"): {".html": "html"},
    ("evaluate", "write-splits"): OWN, ("compare", "write-splits"): OWN, ("evaluate", "resume"): OWN,
    ("compare", "resume"): OWN, ("features", "columns"): OWN,
    ("train", "checkpoint"): OWN, ("train", "log"): {".csv": "text", ".json": "json"}, ("train", "export"): {".npz": None},
}
READ = {("info", "data"), ("distinguish", "pairs"), ("dimension", "pairs"), ("generate", "base"), ("gram", "against"), ("predict", "model"), ("predict", "training-data"), ("evaluate", "splits"), ("compare", "splits"),
        ("train", "train"), ("train", "val"), ("train", "test"), ("train", "splits")}


class Endings(Case):
    """An ending that is not written is refused, with the list of those that are, before anything is read."""

    def lines(self):
        return {"generate": ("cycles",), "distinguish": (self.path("missing"),), "download": ("MUTAG",),
                "predict": ("--model", self.path("missing"), self.path("missing")), "demo": (), "help": ()}

    def test_every_option_is_known(self):
        for command in commands():
            for name in re.findall(r"--([a-z-]+) FILE", leman(command, "--help").stdout):
                if name == "vertex-labels":  # read, by every command that reads data
                    continue
                self.assertIn((command, name), set(WRITTEN) | READ, "add it to the lists of this test")

    def test_endings(self):
        for (command, name), known in WRITTEN.items():
            line = (command, *self.lines().get(command, (self.path("missing"),)))
            if f"--{name} FILE" not in leman(command, "--help").stdout or known is None:
                continue
            if name != "output" and command in ("features", "gram", "unique"):
                line += ("-o", "-")
            for ending in (".xyz", ".gml", ".pdf", ".npz", ".json", ".html", ".csv"):
                if ending in known or (known is OWN and ending == ".xyz"):
                    continue
                said = self.wrong(*line, f"--{name}", self.path("x" + ending), words=(self.path("x" + ending),))
                for expected in known:
                    self.assertIn(expected if known is not OWN else "another ending", said)
            self.assertEqual(os.listdir(self.folder), [])

    def test_results_by_their_endings(self):
        data, model, net = self.path("d.leman"), self.path("m.model"), self.path("net.lmn")
        self.succeeds("generate", "molecules", "--graphs", "20", "-o", data, "-q")
        self.succeeds("fit", data, "-a", "wl:1", "-r", "1", "--folds", "3", "-o", model, "-q")
        self.succeeds("train", data, "--model", "gin", "--width", "4", "--epochs", "1", "--checkpoint", net, "-q")
        pair = self.write("pair.g6", "EhEG\nEwCW\n")
        quick = ("-a", "wl:1", "-r", "1", "--folds", "3", "--repetitions", "1")
        for arguments, key in ((("info", data), "graphs"), (("colors", data), "rounds"), (("distinguish", pair), "results"),
                               (("evaluate", data, *quick), "test_mean"), (("train", data, "--epochs", "0"), "model"),
                               (("compare", data, *quick, "-a", "sp"), "methods"),
                               (("predict", "--model", model, data), "predictions"),
                               (("predict", "--model", net, data), "predictions")):
            run = self.succeeds(*arguments, "-o", self.path("x.json"))
            self.assertEqual(run.stdout, "")
            with open(self.path("x.json")) as file:
                found = json.load(file)
            self.assertIn(key, found)
            if key not in ("test_mean", "methods", "rounds", "model"):  # which have times
                self.assertEqual({**found, "output": None}, {**self.json(*arguments), "output": None})
            self.succeeds(*arguments, "-o", self.path("x"))
            with open(self.path("x")) as file:
                self.assertNotEqual(file.read(1), "{")

    def test_predictions(self):
        data = self.write("d.sdf", "".join(
            f"a,b {i}\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n" + "    0.0 0.0 0.0 C   0\n" * 0 +
            "    0.0000    0.0000    0.0000 C   0  0\n    1.0000    0.0000    0.0000 " + ("N" if i % 2 else "O") +
            f"   0  0\n  1  2  1  0\nM  END\n> <y>\n{i}\n\n$$$$\n" for i in range(12)))
        model, net = self.path("m.model"), self.path("net.lmn")
        self.succeeds("fit", data, "-a", "wl:1", "-r", "1", "--folds", "3", "--target", "0", "-o", model, "-q")
        self.succeeds("train", data, "--model", "gin", "--width", "4", "--epochs", "1", "--checkpoint", net, "-q")
        for path in (model, net):
            tables = []
            for ending, dialect in ((".csv", "excel"), (".tsv", "excel-tab"), ("", "excel")):
                self.succeeds("predict", "--model", path, data, "-o", self.path("p" + ending), "-q")
                with open(self.path("p" + ending), newline="") as file:
                    tables.append(list(csv.reader(file, dialect)))
            self.assertEqual(tables[0], tables[1])
            self.assertEqual(tables[0], tables[2])
            self.assertEqual(tables[0][3][:2], ["2", "a,b 2"])
            found = self.json("predict", "--model", path, data)["predictions"]
            self.assertEqual([one["name"] for one in found], [row[1] for row in tables[0][1:]])
            values = [one["value"] if path == model else one["targets"][0] for one in found]
            self.assertEqual([float(row[2]) for row in tables[0][1:]], values)
            run = self.succeeds("predict", "--model", path, data, "-o", self.path("p.json"), "--json")
            self.assertNotIn("predictions", json.loads(run.stdout))
            with open(self.path("p.json")) as file:
                self.assertEqual(json.load(file)["predictions"], found)

    def test_data_sets(self):
        data = self.write("x.g6", "Bw\nEhEG\n?\n")
        for name in ("z.gml", "z.npz", "z.pdb", "z.zip.gz", "Z.V2"):
            for arguments in (("convert", data), ("generate", "cycles", "-o")):
                self.wrong(*arguments, self.path(name), words=(".zip", ".leman", ".g6", ".csv", "TU folder"))
                self.assertFalse(os.path.exists(self.path(name)))
        for name in ("folder", "other.2024", "in.tu/"):
            self.succeeds("convert", self.write("full.g6", "Bw\n"), self.path(name))
            self.assertTrue(os.path.isdir(self.path(name)))
        self.succeeds("convert", self.path("full.g6"), self.path("t.gml"), "--to", "tu")
        self.succeeds("convert", data, self.path("x.tsv"), "-q")
        self.succeeds("convert", data, self.path("x.csv"), "-q")
        with open(self.path("x.tsv")) as tabs, open(self.path("x.csv")) as commas:
            self.assertEqual(tabs.read().replace("\t", ","), commas.read())
        self.succeeds("convert", self.path("x.tsv"), self.path("back.g6"), "-q")
        with open(self.path("back.g6")) as back:
            self.assertEqual(len(back.read().split()), 3)

    def test_explanations(self):
        pair = self.write("pair.g6", "EhEG\nEwCW\n")
        for name, start in (("x.dot", "digraph"), ("x.svg", "<svg"), ("x.txt", "")):
            self.succeeds("distinguish", pair, "--explain", "-o", self.path(name))
            with open(self.path(name)) as file:
                self.assertTrue(file.read().startswith(start))
        self.wrong("distinguish", pair, "--explain", "dot", "-o", self.path("y.svg"), words=(".dot",))
        self.wrong("distinguish", pair, "--explain", "-o", self.path("y.json"), words=(".txt",))
        self.wrong("colors", pair, "-o", self.path("y.npy"), words=(".txt", ".json"))
        self.wrong("colors", pair, "--tuple-colors", "--graph", "0", "-o", self.path("y.json"), words=(".npy", ".csv"))


if __name__ == "__main__":
    program.main()
