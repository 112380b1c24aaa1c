#!/usr/bin/env python3
"""leman unique: against a slow definition, by lines and at once; order, headers, names, little memory, what cannot be read."""
import csv
import os
import random

import program
from program import Case, leman

ALKANES = ["C", "CC", "CCC", "CC(C)C", "CCCC", "CCO", "CC=O", "C1CC1", "c1ccccc1", "CN", "C#N", "CCS", "OCC", "C(C)C", "C(C)(C)C", "NC", "C(O)C", "C(C)CC"]
SAME = [{"CCC", "C(C)C"}, {"CC(C)C", "C(C)(C)C"}, {"CCO", "OCC", "C(O)C"}, {"CN", "NC"}, {"CCCC", "C(C)CC"}]  # two spellings of a molecule


def class_of(smiles):
    return next((min(words) for words in SAME if smiles in words), smiles)


def graph6(n, edges):
    bits = "".join("1" if (u, v) in edges or (v, u) in edges else "0" for v in range(n) for u in range(v))
    bits += "0" * (-len(bits) % 6)
    return chr(n + 63) + "".join(chr(int(bits[i:i + 6], 2) + 63) for i in range(0, len(bits), 6))


class Unique(Case):
    def lines(self, name):
        with open(self.path(name), newline="") as file:
            return file.read().splitlines()

    def drawn(self, count, seed=1):
        draw = random.Random(seed)
        return [f"{draw.choice(ALKANES)} m{i}" for i in range(count)]

    def expected(self, lines):
        """The first line of each class, and the rows of the table, one comparison after the other."""
        first, counts = {}, {}
        for number, line in enumerate(lines):
            name = class_of(line.split()[0])
            first.setdefault(name, number)
            counts[name] = counts.get(name, 0) + 1
        return [lines[number] for number in first.values()], [(str(number), lines[number].split()[1], str(counts[name])) for name, number in first.items()]

    def rows(self, name):
        with open(self.path(name), newline="") as file:
            return list(csv.reader(file))

    def test_lines(self):
        lines = self.drawn(500)
        self.write("x.smi", "\n".join(lines) + "\n")
        kept, rows = self.expected(lines)
        found = self.json("unique", self.path("x.smi"), "-o", self.path("y.smi"), "--classes", self.path("c.csv"), "-q")
        self.assertEqual(self.lines("y.smi"), kept)
        self.assertEqual((found["graphs"], found["kept"], found["classes"], found["duplicates"]), (500, len(kept), len(kept), 500 - len(kept)))
        self.assertEqual(found["largest"], max(int(row[2]) for row in rows))
        table = self.rows("c.csv")
        self.assertEqual(table[0], ["first", "name", "graphs", "hash"])
        self.assertEqual([tuple(row[:3]) for row in table[1:]], rows)
        hashes = [line.split("\t")[1] for line in self.succeeds("hash", self.path("y.smi")).stdout.splitlines()]
        self.assertEqual([row[3] for row in table[1:]], hashes)
        self.assertFalse(self.left_over())

    def test_pipes_and_packed(self):
        import gzip
        lines = self.drawn(60, 2)
        text = "\r\n".join(lines)  # the last line without an end
        kept, _ = self.expected(lines)
        self.write("x.smi", text)
        self.write("x.smi.gz", gzip.compress(text.encode()))
        self.assertEqual(self.succeeds("unique", self.path("x.smi"), "-o", "-").stdout.splitlines(), kept)
        self.assertEqual(self.succeeds("unique", self.path("x.smi.gz"), "-o", "-").stdout.splitlines(), kept)
        self.assertEqual(self.succeeds("unique", "-", "-o", "-", "--from", "smiles", input=text).stdout.splitlines(), kept)
        self.succeeds("unique", "-", "-o", self.path("y.smi"), "--from", "smiles", input=text)
        self.assertEqual(self.lines("y.smi"), kept)

    def test_little_memory(self):
        """Sorted parts and lines in temporary files, and the same answer for any number of threads."""
        lines = self.drawn(30000, 3)
        self.write("x.smi", "\n".join(lines) + "\n")
        kept, rows = self.expected(lines)
        for threads in "12":
            self.succeeds("unique", self.path("x.smi"), "-o", self.path("y.smi"), "--classes", self.path("c.csv"), "--memory", "32M", "-t", threads)
            self.assertEqual(self.lines("y.smi"), kept)
            self.assertEqual([tuple(row[:3]) for row in self.rows("c.csv")[1:]], rows)
        self.assertFalse(self.left_over())

    def test_many_classes(self):
        """Chains of different lengths, more than one slice and more than one part of the sort."""
        draw = random.Random(4)
        lines = [f"{'C' * draw.randrange(1, 40)} m{i}" for i in range(18000)]
        self.write("x.smi", "\n".join(lines) + "\n")
        first = {}
        for line in lines:
            first.setdefault(line.split()[0], line)
        self.succeeds("unique", self.path("x.smi"), "-o", self.path("y.smi"), "--memory", "32M")
        self.assertEqual(self.lines("y.smi"), list(first.values()))

    def test_tables(self):
        """The header and the columns that the reader does not use stay; quotes, too."""
        self.write("x.csv", 'id,smiles,remark\n1,CCO,"a, b"\n2,OCC,\n3,CC,"two ""quotes"""\n4,CCO,z\n')
        self.succeeds("unique", self.path("x.csv"), "-o", self.path("y.csv"))
        self.assertEqual(self.lines("y.csv"), ['id,smiles,remark', '1,CCO,"a, b"', '3,CC,"two ""quotes"""'])
        rows = ["smiles,note", 'CCO,"a', '# b""c"', 'CC,"d', "", '"']
        self.write("l.csv", "\n".join(rows + ["OCC,e"]) + "\n")
        self.succeeds("unique", self.path("l.csv"), "-o", self.path("m.csv"))
        self.assertEqual(self.lines("m.csv"), rows)
        self.write("h.csv", "id,smiles\n1,CCO\n")
        self.assertEqual(self.succeeds("unique", self.path("h.csv"), "-o", "-").stdout, "id,smiles\n1,CCO\n")

    def test_graph6(self):
        draw = random.Random(5)
        graphs, classes = [], []
        for _ in range(80):
            length = draw.randrange(3, 7)
            order = draw.sample(range(7), 7)
            edges = {(order[i], order[(i + 1) % length]) for i in range(length)}
            graphs.append(graph6(7, edges))
            classes.append(length)
        self.write("x.g6", ">>graph6<<" + "\n".join(graphs) + "\n")
        self.succeeds("unique", self.path("x.g6"), "-o", self.path("y.g6"))
        kept = [graphs[classes.index(length)] for length in dict.fromkeys(classes)]
        found = self.lines("y.g6")
        self.assertEqual([found[0].replace(">>graph6<<", ""), *found[1:]], kept)
        self.assertEqual(self.json("info", self.path("y.g6"))["graphs"], len(kept))
        pair = graph6(6, {(i, (i + 1) % 6) for i in range(6)}) + "\n" + graph6(6, {(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)}) + "\n"
        self.write("pair.g6", pair)
        self.assertEqual(self.json("unique", self.path("pair.g6"), "-o", self.path("p.g6"))["kept"], 1)
        self.assertEqual(self.json("unique", self.path("pair.g6"), "-o", self.path("p.g6"), "-a", "delta-2-LWL")["kept"], 2)

    def test_at_once(self):
        """Other formats, and another format than that of the input: the data set of the first graphs, with names and targets."""
        lines = self.drawn(80, 6)
        self.write("x.smi", "\n".join(lines) + "\n")
        kept, rows = self.expected(lines)
        self.succeeds("unique", self.path("x.smi"), "-o", self.path("y.leman"), "--classes", self.path("c.csv"))
        names = [line.split("\t")[0] for line in self.succeeds("hash", self.path("y.leman")).stdout.splitlines()]
        self.assertEqual(names, [line.split()[1] for line in kept])
        self.assertEqual([tuple(row[:3]) for row in self.rows("c.csv")[1:]], rows)
        self.succeeds("unique", self.path("y.leman"), "-o", self.path("z.leman"))
        self.assertEqual(self.json("info", self.path("z.leman"))["graphs"], len(kept))
        text = self.succeeds("unique", self.path("x.smi"), "-o", "-", "--to", "graph6").stdout
        self.assertEqual(len(text.splitlines()), len(kept))
        tu = self.tu("T", A="1, 2\n2, 1\n3, 4\n4, 3\n5, 6\n6, 5\n", graph_indicator="1\n1\n2\n2\n3\n3\n", node_attributes="0.5\n0\n0\n0.51\n7\n0\n")
        self.assertEqual(self.json("unique", tu, "-o", self.path("t.zip"))["kept"], 1)
        self.assertEqual(self.json("unique", tu, "-o", self.path("t1.zip"), "--digits", "1")["kept"], 2)
        self.assertEqual(self.json("unique", tu, "-o", self.path("t2.zip"), "--digits", "2")["kept"], 3)
        self.assertEqual(self.json("info", self.path("t2.zip"))["vertex_attributes"], 1)

    def test_unreadable(self):
        self.write("x.smi", "CCO a\nC(C b\nOCC c\nCC d\n")
        self.assertIn("x.smi:2:", self.fails("unique", self.path("x.smi"), "-o", self.path("y.smi")))
        self.assertFalse(os.path.exists(self.path("y.smi")))
        result = self.succeeds("unique", self.path("x.smi"), "-o", self.path("y.smi"), "--skip-unreadable", "--classes", self.path("c.csv"))
        self.assertEqual(self.lines("y.smi"), ["CCO a", "CC d"])
        self.assertEqual([row[:3] for row in self.rows("c.csv")[1:]], [["0", "a", "2"], ["2", "d", "1"]])
        self.assertIn("kept 2 of 3 graphs", result.stderr)
        self.fails("unique", self.path("missing.smi"), "-o", self.path("y.smi"), words=["missing.smi"])
        self.write("empty.g6", "")
        self.fails("unique", self.path("empty.g6"), "-o", self.path("y.g6"), words=["empty.g6"])

    def test_policy(self):
        """Numbers in the table are those of the graphs that are left."""
        self.write("x.g6", "?\nBw\n?\nBW\nBw\n")
        self.succeeds("unique", self.path("x.g6"), "-o", self.path("y.g6"), "--policy", "empty-graphs=remove", "--classes", self.path("c.csv"))
        self.assertEqual(self.lines("y.g6"), ["Bw", "BW"])
        self.assertEqual([row[0::2] for row in self.rows("c.csv")[1:]], [["0", "2"], ["1", "1"]])

    def test_wrong_usage(self):
        self.write("x.smi", "CCO\n")
        self.wrong("unique", self.path("x.smi"), words=["--output"])
        self.wrong("unique", words=["DATA"])
        self.wrong("unique", self.path("x.smi"), "-o", self.path("y.xyz"), words=[".xyz"])
        self.wrong("unique", self.path("x.smi"), "-o", "-", "--json", words=["--json"])
        self.wrong("unique", self.path("x.smi"), "-o", self.path("y.smi"), "--classes", self.path("c.txt"), words=[".csv"])
        self.wrong("unique", self.path("x.smi"), "-o", self.path("y.smi"), "--apex", words=["'--apex' has no effect"])
        result = leman("unique", self.path("x.smi"), "-o", self.path("no", "y.smi"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("no/y.smi", result.stderr)


if __name__ == "__main__":
    program.main()
