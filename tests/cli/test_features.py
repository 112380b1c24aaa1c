#!/usr/bin/env python3
"""leman features: every format holds the same matrix, as scipy and scikit-learn read it; columns line up."""
import csv
import gzip
import math
import os
import struct
import subprocess
import unittest.mock
import zipfile

import program
from program import Case


def arrays(path):
    """The members of an .npz by numpy's definition: name -> list of numbers (row by row), of bytes, or bytes."""
    result = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            length = struct.unpack("<H", content[8:10])[0]
            head = eval(content[10:10 + length].decode())  # a Python dictionary by definition
            body = content[10 + length:]
            letter = {"<f8": "d", "<i4": "i", "<i8": "q", "<u4": "I", "<u8": "Q"}.get(head["descr"])
            count = math.prod(head["shape"])
            if letter:
                result[name[:-4]] = list(struct.unpack(f"<{count}{letter}", body))
            elif head["shape"]:
                width = int(head["descr"][2:])
                assert head["descr"][:2] == "|S" and len(body) == width * count
                result[name[:-4]] = [body[i:i + width].rstrip(b"\0") for i in range(0, len(body), width)]
            else:
                result[name[:-4]] = body
    return result


def from_npz(path):
    """rows -> {column: value}, both from 0, and the shape."""
    a = arrays(path)
    assert a["format"] == b"csr"
    rows = [dict(zip(a["indices"][b:e], a["data"][b:e])) for b, e in zip(a["indptr"], a["indptr"][1:])]
    return rows, tuple(a["shape"])


def text_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return file.read()


def from_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


SDF = "{name}\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n" + "".join(
    f"    0.0000    0.0000    0.0000 {atom}   0  0  0  0  0  0  0  0  0  0  0  0\n" for atom in "CO") + (
    "  1  2  1  0  0  0  0\nM  END\n{fields}$$$$\n")


def sdf(*molecules):
    """Records of (name, {property: text})."""
    return "".join(SDF.format(name=name, fields="".join(f"> <{key}>\n{value}\n\n" for key, value in fields.items()))
                   for name, fields in molecules)


def from_svm(path):
    rows, labels = [], []
    for line in text_of(path).splitlines():
        label, *cells = line.split(" ")
        labels.append(float(label))
        rows.append({int(c.split(":")[0]) - 1: float(c.split(":")[1]) for c in cells})
    return rows, labels


def from_mtx(path):
    lines = text_of(path).splitlines()
    assert lines[0] == "%%MatrixMarket matrix coordinate real general"
    shape = [int(word) for word in lines[1].split()]
    rows = [{} for _ in range(shape[0])]
    for line in lines[2:]:
        i, j, value = line.split()
        rows[int(i) - 1][int(j) - 1] = float(value)
    assert shape[2] == len(lines) - 2
    return rows, tuple(shape[:2])


class Serialized:
    """A file of ours, word by word, as docs/kernels.md and base/serialize.h have it; the checksum is the C tests' business."""

    def __init__(self, path, magic, version):
        with open(path, "rb") as file:
            content = file.read()
        assert content[:8] == magic and struct.unpack("<QQQ", content[8:32])[::2] == (version, len(content) - 32)
        self.rest = content[32:]

    def words(self, count=1):
        found, self.rest = struct.unpack(f"<{count}Q", self.rest[:8 * count]), self.rest[8 * count:]
        return found if count > 1 else found[0]

    def array(self, letter):
        count = self.words()
        size = struct.calcsize(f"<{count}{letter}")
        found = struct.unpack(f"<{count}{letter}", self.rest[:size])
        self.rest = self.rest[(size + 7) // 8 * 8:]
        return list(found)

    def columns(self):
        """Kernels, (apex, directed, vertex and edge labels), number of columns, and blocks if they are named."""
        kernels = [self.words(14) for _ in range(self.words())]
        origin = self.words(4)
        self.words()  # how the graphs were read
        columns, named = self.words(2)
        blocks = [(*self.words(2), self.array("Q")) for _ in range(self.words())] if named else None
        return kernels, origin, columns, blocks


def from_lmf(path):
    file = Serialized(path, b"LEMANFM\n", 2)
    about = file.columns()
    start, column, value = file.array("Q"), file.array("I"), file.array("d")
    rows = [dict(zip(column[b:e], value[b:e])) for b, e in zip(start, start[1:])]
    classes, targets = file.array("q"), file.array("d")
    assert not file.rest
    return rows, about, classes, targets


class Features(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "30", "-o", self.data, "--quiet")

    def make(self, name, *arguments, data=None):
        return self.json("features", data or self.data, *arguments, "-o", self.path(name))

    def test_formats_agree(self):
        options = ("-a", "local:2+WL1", "--weights", "1,0.3", "-r", "2", "--normalize")
        said = self.make("f.npz", *options)
        rows, shape = from_npz(self.path("f.npz"))
        self.assertEqual(shape, (30, said["columns"]))
        self.assertEqual(sum(map(len, rows)), said["entries"])
        self.assertEqual((said["rows"], said["out_of_vocabulary"], said["normalized"]), (30, 0, True))
        self.assertEqual([k["weight"] for k in said["kernels"]], [1, 0.3])
        for row in rows:
            self.assertAlmostEqual(sum(x * x for x in row.values()), 1)
        for name in ("f.svm", "f.svm.gz", "f.libsvm"):
            self.make(name, *options)
            found, labels = from_svm(self.path(name))
            self.assertEqual(found, rows)
            self.assertLessEqual(set(labels), {0, 1})
        for name in ("f.mtx", "f.mtx.gz"):
            self.make(name, *options)
            self.assertEqual(from_mtx(self.path(name)), (rows, shape))
        self.assertEqual(self.succeeds("features", self.data, *options, "-o", "-").stdout, text_of(self.path("f.svm")))
        self.make("f.lmf", *options)
        found, (kernels, origin, columns, blocks), classes, _ = from_lmf(self.path("f.lmf"))
        self.assertEqual((found, columns, classes), (rows, shape[1], labels))
        kind, algorithm, k, components, rounds, *_, weight = zip(*kernels)
        self.assertEqual((kind, algorithm, k, components, rounds), ((0, 0), (2, 2), (2, 1), (0, 0), (2, 2)))
        self.assertEqual([struct.unpack("<d", struct.pack("<Q", w))[0] for w in weight], [1, 0.3])
        self.assertEqual(origin, (0, 0, *(self.json("info", self.data)[f"{x}_labels"] > 0 for x in ("vertex", "edge"))))
        self.assertEqual([b[:2] for b in blocks], [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)])
        for _, _, keys in blocks:
            self.assertEqual(sorted(set(keys)), keys)

    def test_blocks(self):
        """Columns cut by round are the features of fewer rounds."""
        said = self.make("f.npz", "-a", "local:2+sp+WL1", "-r", "2")
        blocks = said["blocks"]
        self.assertEqual([(b["kernel"], b["k"], b["round"]) for b in blocks],
                         [("local", 2, 0), ("local", 2, 1), ("local", 2, 2), ("sp", None, None),
                          ("local", 1, 0), ("local", 1, 1), ("local", 1, 2)])
        self.assertEqual([b["first"] for b in blocks], [sum(c["columns"] for c in blocks[:i]) for i in range(7)])
        self.assertEqual(sum(b["columns"] for b in blocks), said["columns"])
        rows, _ = from_npz(self.path("f.npz"))
        self.make("g.npz", "-a", "local:2", "-r", "1")
        end = blocks[2]["first"]
        self.assertEqual([{c: x for c, x in row.items() if c < end} for row in rows], from_npz(self.path("g.npz"))[0])
        self.make("s.npz", "-a", "sp")
        first, count = blocks[3]["first"], blocks[3]["columns"]
        self.assertEqual([{c - first: x for c, x in row.items() if first <= c < first + count} for row in rows],
                         from_npz(self.path("s.npz"))[0])
        self.assertEqual(self.make("h.npz", "--hash-bits", "5")["blocks"], [])
        self.assertEqual([b["kernel"] for b in self.make("p.npz", "-a", "graphlet+graphlet:4")["blocks"]],
                         ["graphlet", "graphlet:4"])

    def test_columns_fit_their_data(self):
        """Other labels, an apex: an error, not a file of nothing. What has no edges misses no label of them."""
        tu = {"A": "1, 2\n2, 1\n2, 3\n3, 2\n", "graph_indicator": "1\n1\n1\n"}
        data = self.tu("D", **tu, node_labels="0\n1\n0\n", edge_labels="5\n5\n6\n6\n")
        bare = self.tu("B", **tu, edge_labels="5\n5\n6\n6\n")
        atom = self.tu("O", A="", graph_indicator="1\n", node_labels="1\n")
        columns = ("-r", "2", "--columns", self.path("c.map"))
        self.make("f.svm", *columns, data=data)
        out = ("-o", self.path("g.svm"), "-q")
        self.fails("features", data, *columns, "--apex", *out, words=["D: found columns", "without an apex"])
        self.fails("features", bare, *columns, *out, words=["B: found 0 columns of vertex labels, expected 1"])
        self.fails("features", bare, *columns, "--ignore", "vertex-labels", *out, words=["no vertex labels"])
        self.assertFalse(os.path.exists(self.path("g.svm")))
        os.chmod(self.path("c.map"), 0o444)  # which is enough for columns that are only read
        self.assertEqual(self.make("g.svm", *columns, data=atom)["rows"], 1)
        os.chmod(self.path("c.map"), 0o644)
        strange = self.tu("S", **tu, node_labels="7\n7\n7\n", edge_labels="5\n5\n6\n6\n")
        log = self.succeeds("features", strange, *columns, "-o", self.path("g.svm")).stderr
        self.assertIn("no feature of these graphs has a column", log)
        self.write("c.map", b"LEMANFC\n" + struct.pack("<Q", 3) + bytes(32))
        self.fails("features", data, *columns, *out, words=["c.map: found version 3 of the format, expected 2"])
        self.make("f.lmf", "-r", "2", data=data)  # a matrix knows its columns as well
        said = self.make("g.svm", "-r", "2", "--columns", self.path("f.lmf"), data=data)
        self.assertEqual((said["out_of_vocabulary"], from_svm(self.path("g.svm"))[0]), (0, from_lmf(self.path("f.lmf"))[0]))

    def test_both_files_or_none(self):
        self.fails("features", self.data, "--columns", self.path("c.map"), "-o", self.path("no", "f.svm"), words=["f.svm"])
        self.fails("features", self.data, "--columns", self.path("no", "c.map"), "-o", self.path("f.svm"), words=["c.map"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["m.zip"])

    @program.needs("python")
    def test_scipy_and_sklearn(self):
        python = self.python_with("scipy", "sklearn")
        options = ("-a", "local", "-k", "2", "-r", "3", "--normalize")
        for name in ("f.npz", "f.mtx", "f.mtx.gz", "f.svm", "f.svm.gz"):
            self.make(name, *options)
        self.succeeds("gram", self.data, *options, "-o", self.path("k.npy"))
        script = """
import sys, numpy, scipy.io, scipy.sparse
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC
folder = sys.argv[1]
x = scipy.sparse.load_npz(folder + "/f.npz")
assert scipy.sparse.isspmatrix_csr(x) and x.dtype == numpy.float64 and x.has_sorted_indices
x.check_format()
beside = numpy.load(folder + "/f.npz")
assert len(beside["y"]) == x.shape[0] and len(beside["column_color"]) == x.shape[1]
for name in ("/f.mtx", "/f.mtx.gz"):
    y = scipy.io.mmread(folder + name).tocsr()
    assert y.shape == x.shape and (x != y).nnz == 0
for name in ("/f.svm", "/f.svm.gz"):
    y, labels = load_svmlight_file(folder + name, n_features=x.shape[1], zero_based=False)
    assert y.shape == x.shape and (x != y).nnz == 0 and len(set(labels)) == 2
assert abs((x @ x.T).toarray() - numpy.load(folder + "/k.npy")).max() < 1e-12
LinearSVC().fit(x, labels)
"""
        subprocess.run([python, "-W", "ignore", "-c", script, self.folder], check=True, timeout=120)

    def test_columns_of_runs_at_once(self):
        """Runs on different data that begin without the file: whatever one of them writes has the columns of the file
        that is there at the end, and who came too late says so and writes nothing."""
        runs = []
        for i in range(4):
            data = self.path(f"once{i}.zip")
            self.succeeds("generate", "molecules", "--graphs", "300", "--seed", str(i), "-o", data, "-q")
        for i in range(4):
            runs.append(subprocess.Popen([program.LEMAN, "features", self.path(f"once{i}.zip"), "-a", "1-WL", "--columns",
                                          self.path("once"), "-o", self.path(f"once{i}.svm"), "-q", "-t", "1"],
                                         stderr=subprocess.PIPE, text=True))
        for i, run in enumerate(runs):
            said = run.communicate(timeout=120)[1]
            if run.returncode:
                self.assertIn("another run", said)
                self.assertFalse(os.path.exists(self.path(f"once{i}.svm")))
                continue
            again = self.path("again.svm")
            self.succeeds("features", self.path(f"once{i}.zip"), "-a", "1-WL", "--columns", self.path("once"), "-o", again, "-q")
            with open(again, "rb") as one, open(self.path(f"once{i}.svm"), "rb") as other:
                self.assertEqual(one.read(), other.read())
        self.assertIn(0, [run.returncode for run in runs])

    def test_columns_line_up(self):
        """A test file alone, under the columns of the training file, is what both together say about it."""
        self.succeeds("convert", self.data, self.path("train.zip"), "--graphs", "0-19", "-q")
        self.succeeds("convert", self.data, self.path("test.zip"), "--graphs", "20-29", "-q")
        options = ("-a", "local", "-k", "2", "-r", "3")
        columns = ("--columns", self.path("c.map"))
        self.make("all.npz", *options)
        made = self.make("train.npz", *options, *columns, data=self.path("train.zip"))
        self.assertTrue(os.path.exists(self.path("c.map")))
        self.assertEqual(self.make("again.npz", *options, *columns, data=self.path("train.zip")), {
            **made, "output": self.path("again.npz"), "seconds": unittest.mock.ANY})
        with open(self.path("train.npz"), "rb") as a, open(self.path("again.npz"), "rb") as b:
            self.assertEqual(a.read(), b.read())
        said = self.make("test.npz", *options, *columns, data=self.path("test.zip"))
        self.assertEqual(said["columns"], made["columns"])
        everything, _ = from_npz(self.path("all.npz"))
        train, _ = from_npz(self.path("train.npz"))
        test, _ = from_npz(self.path("test.npz"))
        translate = {}  # a column of all -> the column of train, by the rows that both have
        for one, other in zip(everything[:20], train):
            translate.update(zip(sorted(one), sorted(other)))
        self.assertEqual(len(translate), made["columns"])
        for row, other in zip(test, everything[20:]):
            self.assertEqual(row, {translate[c]: x for c, x in other.items() if c in translate})
        self.assertEqual(said["out_of_vocabulary"], sum(map(len, everything[20:])) - said["entries"])
        self.assertGreater(said["out_of_vocabulary"], 0)
        log = self.succeeds("features", self.path("test.zip"), *options, *columns, "-o", self.path("t.svm")).stderr
        self.assertIn(f"left out {said['out_of_vocabulary']} of ", log)
        self.assertEqual(from_svm(self.path("t.svm"))[0], test)
        self.fails("features", self.path("test.zip"), *options, *columns, "--out-of-vocabulary", "refuse", "-o",
                   self.path("r.svm"), words=["graph ", "have a column"])
        self.assertFalse(os.path.exists(self.path("r.svm")))
        self.fails("features", self.data, "-r", "2", *columns, "-o", self.path("r.svm"),
                   words=["'local:2, 3 rounds'", "'local:2, 2 rounds'"])
        self.write("c.map", "nonsense")
        self.fails("features", self.data, *options, *columns, "-o", self.path("r.svm"), words=["c.map", "columns"])
        self.assertEqual(self.left_over(), [])

    def test_hash_bits(self):
        said = self.make("h.svm", "-r", "2", "--hash-bits", "7")
        self.assertEqual(said["columns"], 128)
        self.make("h.npz", "-r", "2", "--hash-bits", "7", "-t", "1")
        self.make("f.npz", "-r", "2")
        folded, shape = from_npz(self.path("h.npz"))
        self.assertEqual(shape, (30, 128))
        self.assertEqual(from_svm(self.path("h.svm"))[0], folded)
        for one, other in zip(folded, from_npz(self.path("f.npz"))[0]):
            self.assertEqual(sum(one.values()), sum(other.values()))

    def test_stable_and_apex(self):
        said = self.make("s.svm", "-a", "local", "-k", "1", "-r", "stable")
        self.assertEqual(said["kernels"][0]["rounds"], self.json("colors", self.data, "-k", "1", "-r", "stable")[
            "stable_round"])
        plain, joined = (self.make("a.svm", "-r", "1", *more)["entries"] for more in ([], ["--apex"]))
        self.assertGreater(joined, plain)
        bare = self.make("a.svm", "-r", "1", "--apex", "--ignore", "vertex-labels")["entries"]
        self.assertGreater(bare, self.make("a.svm", "-r", "1", "--ignore", "vertex-labels")["entries"])
        self.assertLess(bare, joined)

    def test_labels(self):
        data = self.tu("T", A="1, 2\n2, 1\n", graph_indicator="1\n1\n2\n", graph_attributes="0.5\n-2\n")
        self.make("t.svm", "-r", "0", data=data)
        self.assertEqual(from_svm(self.path("t.svm"))[1], [0.5, -2])
        data = self.tu("N", A="1, 2\n2, 1\n", graph_indicator="1\n1\n2\n")
        self.make("t.svm", "-r", "0", data=data)
        rows, labels = from_svm(self.path("t.svm"))
        self.assertEqual(labels, [0, 0])
        self.assertEqual([sorted(row.values()) for row in rows], [[2, 2], [1]])  # (v, v) twice, (u, v) twice; (v, v)
        self.assertLess(set(rows[1]), set(rows[0]))

    def test_labels_of_rows_and_columns(self):
        """Classes and targets are those of the TU files, columns those of the blocks and of our own format."""
        options = ("-a", "delta-2-LWL+SP", "-r", "2")
        said = self.make("f.npz", *options, "--with-labels")
        self.succeeds("convert", self.data, self.path("t"), "-q")
        lines = lambda what: text_of(self.path("t", f"t_{what}.txt")).split("\n")[:-1]
        classes = [int(x) for x in lines("graph_labels")]
        targets = [[float(x) for x in line.split(",")] for line in lines("graph_attributes")]
        found = arrays(self.path("f.npz"))
        self.assertEqual(found["y"], classes)
        self.assertEqual(found["targets"], [x for row in targets for x in row])
        _, (kernels, _, columns, blocks), _, _ = (self.make("f.lmf", *options), from_lmf(self.path("f.lmf")))[1]
        self.assertEqual(found["kernels"], [b"local:2, 2 rounds", b"sp"])
        self.assertEqual(len(found["kernels"]), 2)
        meant = [(kernel, round, key) for kernel, round, keys in blocks for key in keys]
        self.assertEqual(list(zip(found["column_kernel"], found["column_round"], found["column_color"])), meant)
        self.assertEqual((len(meant), {kernel for kernel, _, _ in meant}), (said["columns"], {0, 1}))
        rows = from_csv(self.path("f.y.csv"))
        self.assertEqual([(int(r["graph"]), int(r["class"])) for r in rows], list(enumerate(classes)))
        self.assertEqual([[float(x) for x in list(r.values())[3:]] for r in rows], targets)
        names = {0: "delta-2-LWL", 1: "SP"}
        self.assertEqual([(int(r["column"]), r["kernel"], r["round"], int(r["color"]))
                          for r in from_csv(self.path("f.columns.csv"))],
                         [(i, names[k], "" if k else str(r), c) for i, (k, r, c) in enumerate(meant)])
        columns, rows = text_of(self.path("f.columns.csv")), text_of(self.path("f.y.csv"))
        for name in ("g.svm.gz", "h.mtx", "i.lmf"):  # the same beside every format
            self.make(name, *options, "--with-labels")
            self.assertEqual(text_of(self.path(name[0] + ".columns.csv")), columns)
            self.assertEqual(text_of(self.path(name[0] + ".y.csv")), rows)
        self.make("j.npz", *options, "--columns", self.path("i.lmf"), "--with-labels")  # columns that are there already
        self.assertEqual(text_of(self.path("j.columns.csv")), columns)
        self.assertEqual(arrays(self.path("j.npz")), found)

    def test_target(self):
        """y is the column that was asked for, by its number or its name, whatever else there is."""
        self.succeeds("convert", self.data, self.path("t"), "-q")
        lines = text_of(self.path("t", "t_graph_attributes.txt")).split("\n")[:-1]
        targets = [[float(x) for x in line.split(",")] for line in lines]
        for column in range(len(targets[0])):
            wanted = [row[column] for row in targets]
            self.make("f.npz", "-r", "0", "--target", str(column), "--with-labels")
            found = arrays(self.path("f.npz"))
            self.assertEqual(found["y"], wanted)
            self.assertEqual(found["targets"], wanted)
            self.assertEqual([r["class"] for r in from_csv(self.path("f.y.csv"))], [""] * len(wanted))
            self.make("f.svm", "-r", "0", "--target", str(column))
            self.assertEqual(from_svm(self.path("f.svm"))[1], wanted)
        self.write("m.sdf", sdf(("a", {"logP": "1.5", "mass": "18"}), ("b", {"logP": "2", "mass": "20"})))
        self.make("f.npz", "-r", "0", "--target", "mass", data=self.path("m.sdf"))
        found = arrays(self.path("f.npz"))
        self.assertEqual((found["y"], found["target_names"]), ([18, 20], [b"mass"]))
        self.fails("features", self.data, "--target", "nosuch", "-o", self.path("f.npz"), words=(self.data, "nosuch"))
        self.wrong("features", self.data, "--target", "0", "--class", "0", "-o", self.path("f.npz"), words=("--class",))

    def test_labels_of_slices(self):
        """Columns that are gathered some graphs at a time have the same labels."""
        data = self.path("many.zip")
        self.succeeds("generate", "molecules", "--graphs", "900", "-o", data, "--quiet")
        for name, more in (("a.npz", ()), ("b.npz", ("--memory", program.little_memory()))):
            self.make(name, "-a", "delta-2-LWL", "-r", "3", "--with-labels", *more, data=data)
        self.assertEqual(text_of(self.path("a.columns.csv")), text_of(self.path("b.columns.csv")))
        self.assertEqual(arrays(self.path("a.npz")), arrays(self.path("b.npz")))

    def test_labels_of_molecules(self):
        self.write("m.sdf", sdf(("water, heavy", {"logP": "1.5"}), ("\u00e9", {})))
        data = self.path("m.sdf")
        self.make("f.npz", "-r", "0", "--with-labels", data=data)
        found = arrays(self.path("f.npz"))
        self.assertEqual(found["names"], [b"water, heavy", "\u00e9".encode()])
        self.assertEqual(found["target_names"], [b"logP"])
        self.assertEqual(found["y"][0], 1.5)
        self.assertTrue(math.isnan(found["y"][1]) and math.isnan(found["targets"][1]))
        self.assertEqual(from_csv(self.path("f.y.csv")),
                         [{"graph": "0", "name": "water, heavy", "class": "", "logP": "1.5"},
                          {"graph": "1", "name": "\u00e9", "class": "", "logP": ""}])

    def test_labels_without_columns(self):
        self.make("f.npz", "-r", "1", "--hash-bits", "4", "--with-labels")
        self.assertTrue(os.path.exists(self.path("f.y.csv")))
        self.assertFalse(os.path.exists(self.path("f.columns.csv")))
        self.assertNotIn("column_color", arrays(self.path("f.npz")))
        bare = self.tu("N", A="1, 2\n2, 1\n", graph_indicator="1\n1\n2\n")
        self.make("n.npz", "-r", "0", data=bare)
        self.assertFalse({"y", "targets", "names", "target_names"} & set(arrays(self.path("n.npz"))))
        self.wrong("features", self.data, "-o", "-", "--with-labels", words=["--with-labels", "standard output"])
        self.write("t.y.csv", "0,1\n")
        self.wrong("features", self.path("t.y.csv"), "-o", self.path("t.svm"), "--with-labels", words=["t.y.csv"])
        self.assertEqual(text_of(self.path("t.y.csv")), "0,1\n")
        os.mkdir(self.path("d.columns.csv"))
        self.assertNotEqual(program.leman("features", self.data, "-o", self.path("d.svm"), "--with-labels").returncode, 0)
        self.assertFalse(os.path.exists(self.path("d.svm")) or os.path.exists(self.path("d.y.csv")))
        self.assertEqual(self.left_over(), [])

    def test_substructures(self):
        """What each column counts, by hand; of known columns those that DATA has; a kernel of paths has none."""
        texts = {"CCO": {"[#6]": 2, "[#8]": 1, "[CD1][#6]": 1, "[CD2]([#6])[#8]": 1, "[OD1][#6]": 1}, "CO": {"[#6]": 1, "[#8]": 1, "[CD1][#8]": 1, "[OD1][#6]": 1},
                 "CCN": {"[#6]": 2, "[#7]": 1, "[CD1][#6]": 1, "[CD2]([#6])[#7]": 1, "[ND1][#6]": 1}}
        data = self.write("s.csv", "smiles\n" + "\n".join(texts) + "\n")
        named = ("--with-labels", "--substructures")
        self.make("s.npz", "-a", "1-WL", "-r", "1", *named, data=data)
        columns = from_csv(self.path("s.columns.csv"))
        found = arrays(self.path("s.npz"))
        for row, counts in enumerate(texts.values()):
            entries = range(found["indptr"][row], found["indptr"][row + 1])
            self.assertEqual({columns[found["indices"][e]]["substructure"]: found["data"][e] for e in entries}, counts)
        self.make("plain.npz", "-a", "1-WL", "-r", "1", "--with-labels", data=data)
        self.assertEqual([{k: v for k, v in row.items() if k != "substructure"} for row in columns], from_csv(self.path("plain.columns.csv")))
        self.make("kept.npz", "-a", "1-WL", "-r", "1", "--columns", self.path("kept.map"), data=data)
        self.make("new.npz", "-a", "1-WL", "-r", "1", "--columns", self.path("kept.map"), *named, data=self.write("n.csv", "smiles\nCO\n"))
        there = [row["substructure"] for row in from_csv(self.path("new.columns.csv"))]
        self.assertEqual([text for text in there if text], [row["substructure"] for row in columns if row["substructure"] in texts["CO"]])
        self.make("sp.npz", "-a", "SP", *named, data=data)
        self.assertEqual({row["substructure"] for row in from_csv(self.path("sp.columns.csv"))}, {""})
        self.fails("features", data, "-a", "1-WL", "--apex", *named, "-o", self.path("a.svm"), "-q", words=["marked vertex"])
        self.wrong("features", data, "--substructures", "-o", self.path("a.svm"), words=["--substructures", "--with-labels"])
        self.wrong("features", data, *named, "--hash-bits", "3", "-o", self.path("a.svm"), words=["--substructures", "--hash-bits"])

    def test_wrong_command_lines(self):
        out = ("-o", self.path("f.svm"))
        for arguments, words in (
            ([], ["-o F.svm"]),
            (["-o", self.path("f.lmf.gz")], ["f.lmf.gz", ".lmf"]),
            (["-o", self.path("f.txt")], ["f.txt", ".npz"]),
            (["-o", "-", "--json"], ["standard output"]),
            ([*out, "--hash-bits", "0"], ["'0'", "1 to 31"]),
            ([*out, "--hash-bits", "32"], ["'32'"]),
            ([*out, "--hash-bits", "5", "--columns", self.path("c")], ["--columns", "--hash-bits"]),
            ([*out, "--columns", "-"], ["--columns"]),
            ([*out, "--columns", self.path("f.svm")], ["f.svm", "two files"]),
            ([*out, "--out-of-vocabulary", "keep"], ["'keep'", "drop or refuse"]),
            ([*out, "-a", "wloa"], ["assignment"]),
            ([*out, "--assignment"], ["assignment"]),
            ([*out, "-a", "nothing"], ["'nothing'", "graphlet"]),
            ([*out, "-a", "local+WL1", "--weights", "1"], ["'1'", "2 numbers"]),
            ([*out, "--weights", "0"], ["'0'", "from 1e-100 to 1e100"]),
            ([*out, "--weights", "1e153"], ["'1e153'", "from 1e-100 to 1e100"]),
            ([*out, "--weights", "1,2"], ["'1,2'", "1 number"]),
            ([*out, "-r", "many"], ["'many'"]),
            ([*out, "-a", "local+", "-r", "stable", "--count-rounds", "last"], ["stable"]),
        ):
            self.wrong("features", self.data, *arguments, words=words)
        self.assertFalse(os.path.exists(self.path("f.svm")))


if __name__ == "__main__":
    program.main()
