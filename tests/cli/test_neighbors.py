#!/usr/bin/env python3
"""leman neighbors and leman clusters: against sorted rows of a Gram matrix, from files, pipes and tables; little memory, wrong command lines."""
import csv
import gzip
import io
import os
import random
import subprocess

import program
from program import Case, leman

PARTS = ["C", "N", "O", "CC", "C(=O)", "c1ccccc1", "C(C)", "CN", "S", "C1CC1", "N(C)", "C(F)"]


def drawn(count, seed=1):
    draw = random.Random(seed)
    return ["C" + "".join(draw.choices(PARTS, k=draw.randint(1, 5))) for _ in range(count)]


class Similar(Case):
    def matrix(self, rows, columns=None, *how):
        self.succeeds("gram", rows, *(["--against", columns] if columns else []), *how, "-o", self.path("k.csv"), "-q")
        with open(self.path("k.csv")) as file:
            return [[float(cell) for cell in row] for row in csv.reader(file)]

    def table(self, *arguments, **options):
        return list(csv.DictReader(io.StringIO(self.succeeds(*arguments, **options).stdout)))

    def setUp(self):
        super().setUp()
        self.library, self.names = drawn(300), [f"m{i}" for i in range(300)]
        self.write("q.smi", "".join(f"{smiles} q{i}\n" for i, smiles in enumerate(drawn(7, 2))))
        self.write("x.smi", "".join(f"{smiles} {name}\n" for smiles, name in zip(self.library, self.names)))
        self.query, self.data = self.path("q.smi"), self.path("x.smi")


class Neighbors(Similar):
    def expected(self, matrix, k, own=False):
        """The definition: of each row the k largest cells, of equal ones the first."""
        found = []
        for q, row in enumerate(matrix):
            order = sorted((-value, g) for g, value in enumerate(row) if not (own and g == q))
            found += [(q, rank + 1, g, -value) for rank, (value, g) in enumerate(order[:k])]
        return found

    def check(self, rows, expected, smiles, names):
        self.assertEqual(len(rows), len(expected))
        for row, (query, rank, g, value) in zip(rows, expected):
            self.assertEqual((int(row["query"]), int(row["rank"]), int(row["row"])), (query, rank, g))
            self.assertEqual((row["smiles"], row["name"]), (smiles[g], names[g]))
            self.assertEqual(float(row["similarity"]), value)

    def test_definition(self):
        """The usual kernel is ECFP4; integers are divided once, so that equal similarities are equal numbers."""
        expected = self.expected(self.matrix(self.query, self.data, "-a", "ECFP4", "--normalize"), 10)
        rows = self.table("neighbors", self.query, self.data)
        self.check(rows, expected, self.library, self.names)
        self.assertEqual([row["query_name"] for row in rows[::10]], [f"q{i}" for i in range(7)])
        for arguments in (("-t", "1"), ("-t", "3"), ("--memory", program.little_memory())):
            self.assertEqual(self.table("neighbors", self.query, self.data, *arguments), rows)
        with open(self.data) as file:
            text = file.read()
        self.assertEqual(self.table("neighbors", self.query, "-", "--from", "smiles", input=text), rows)
        self.write("x.csv.gz", gzip.compress(("id,smiles,y\n" + "".join(f"{name},{smiles},1\n" for smiles, name in zip(self.library, self.names))).encode()))
        packed = self.table("neighbors", self.query, self.path("x.csv.gz"))
        self.assertEqual([{**row, "name": ""} for row in packed], [{**row, "name": ""} for row in rows])

    def test_other_kernels(self):
        for how in (("-a", "1-WL:minmax", "-r", "3"), ("-a", "FCFP2"), ("-a", "WLOA", "--normalize", "tanimoto", "-r", "2")):
            expected = self.expected(self.matrix(self.query, self.data, *how, *(() if "--normalize" in how else ("--normalize",))), 4)
            rows = self.table("neighbors", self.query, self.data, "-k", "4", *how)
            self.assertEqual([float(row["similarity"]) for row in rows], [one[3] for one in expected], how)

    def test_one_operand(self):
        expected = self.expected(self.matrix(self.data, None, "-a", "ECFP4", "--normalize"), 3, own=True)
        self.check(self.table("neighbors", self.data, "-k", "3"), expected, self.library, self.names)

    def test_other_graphs(self):
        """Two rounds of 1-WL on the labels that there are; names of binary files and TU folders; graphs without a SMILES."""
        self.succeeds("generate", "molecules", "--graphs", "40", "--seed", "3", "-o", self.path("t.zip"), "-q")
        self.succeeds("convert", self.path("t.zip"), self.path("t.leman"), "-q")
        expected = self.expected(self.matrix(self.path("t.zip"), None, "-a", "1-WL:minmax", "-r", "2", "--normalize"), 5)
        for data in ("t.zip", "t.leman"):
            rows = self.table("neighbors", self.path("t.zip"), self.path(data), "-k", "5")
            self.check(rows, expected, [""] * 40, [""] * 40)
        self.succeeds("convert", self.data, self.path("named.leman"), "--atom-labels", "ecfp", "-q")
        rows = self.table("neighbors", self.query, self.path("named.leman"), "--atom-labels", "ecfp")
        self.assertEqual([row["name"] for row in rows], [row["name"] for row in self.table("neighbors", self.query, self.data)])

    def test_files(self):
        rows = self.table("neighbors", self.query, self.data, "-k", "2")
        found = self.json("neighbors", self.query, self.data, "-k", "2", "-q")
        flat = [(str(result["query"]), result["name"], near["name"], str(near["row"]), near["similarity"])
                for result in found["results"] for near in result["neighbors"]]
        self.assertEqual(flat, [(row["query"], row["query_name"], row["name"], row["row"], float(row["similarity"])) for row in rows])
        self.assertEqual((found["k"], found["queries"], found["graphs"], found["method"]), (2, 7, 300, "ECFP4"))
        self.assertEqual(found["results"][3]["smiles"], drawn(7, 2)[3])
        found = self.json("neighbors", self.query, self.data, "-k", "2", "-q", "-o", self.path("n.tsv"))
        self.assertNotIn("results", found)
        with open(self.path("n.tsv"), newline="") as file:
            self.assertEqual(list(csv.DictReader(file, delimiter="\t")), rows)
        self.succeeds("neighbors", self.query, self.data, "-k", "2", "-q", "-o", self.path("n.json"))
        self.assertTrue(os.path.getsize(self.path("n.json")) > 1000)

    def test_rows_that_cannot_be_read(self):
        self.write("bad.smi", "CCO one\nxyz two\nCCN three\nCCO four\n")
        self.assertIn("bad.smi:2:", self.fails("neighbors", self.path("bad.smi"), self.data))
        self.assertIn("bad.smi:2:", self.fails("neighbors", self.query, self.path("bad.smi")))
        rows = self.table("neighbors", self.path("bad.smi"), self.path("bad.smi"), "-k", "2", "--skip-unreadable")
        self.assertEqual([(row["query"], row["row"], row["name"]) for row in rows[:2] + rows[-2:]],
                         [("0", "0", "one"), ("0", "3", "four"), ("3", "0", "one"), ("3", "3", "four")])

    def test_little_memory(self):
        """Many slices and many neighbours that are pushed out: the same table, whatever the budget."""
        library = drawn(9000, 5)
        self.write("long.smi", "".join(f"{smiles} name{i}\n" for i, smiles in enumerate(library)))
        wide = self.table("neighbors", self.query, self.path("long.smi"), "-k", "50")
        self.assertEqual(self.table("neighbors", self.query, self.path("long.smi"), "-k", "50", "--memory", "32M"), wide)
        for row in wide:
            self.assertEqual((row["smiles"], row["name"]), (library[int(row["row"])], "name" + row["row"]))

    def test_refused(self):
        for arguments, word in (((self.query, self.data, "-k", "0"), "from 1 to"), ((self.query, self.data, "-a", "RandomWalk"), "feature vectors"),
                                ((self.query, self.data, "-a", "1-WL", "-r", "stable"), "a number of them"),
                                ((self.query, self.data, "-a", "1-WL", "--attributes", "bins:1"), "--attributes"),
                                ((self.query, self.data, "--normalize", "minmax"), "-a NAME"), ((self.query, self.data, "--apex"), "--apex"),
                                ((self.query, self.data, "--json", "-o", "-"), "standard output")):
            run = leman("neighbors", *arguments)
            self.assertNotEqual(run.returncode, 0, arguments)
            self.assertIn(word, run.stderr, arguments)
        self.succeeds("generate", "molecules", "--graphs", "5", "-o", self.path("t.g6"), "-q")
        self.assertIn("label", self.fails("neighbors", self.query, self.path("t.g6")))


class Clusters(Similar):
    def slow(self, matrix, least):
        """The definition: again and again the graph with the most neighbours of those that no cluster has taken."""
        near = [[j for j, value in enumerate(row) if j != i and value >= least] for i, row in enumerate(matrix)]
        cluster, centre = [None] * len(matrix), [None] * len(matrix)
        for number, i in enumerate(sorted(range(len(matrix)), key=lambda i: (-len(near[i]), i))):
            if cluster[i] is None:
                taken = [i] + [j for j in near[i] if cluster[j] is None]
                for j in taken:
                    cluster[j], centre[j] = len(set(cluster) - {None}) if j == i else cluster[i], i
        return cluster, centre

    def test_clusters(self):
        matrix = self.matrix(self.data, None, "-a", "ECFP4", "--normalize")
        for least in (0.3, 0.6, 0.9):
            rows = self.table("clusters", self.data, "--similarity", str(least))
            cluster, centre = self.slow(matrix, least)
            self.assertEqual([int(row["cluster"]) for row in rows], cluster)
            self.assertEqual([int(row["centre"]) for row in rows], centre)
            self.assertEqual([float(row["similarity"]) for row in rows], [1 if c == i else matrix[c][i] for i, c in enumerate(centre)])
            self.assertEqual([(row["smiles"], row["name"]) for row in rows], list(zip(self.library, self.names)))
        found = self.json("clusters", self.data, "--similarity", "0.9", "-q", "-t", "2")
        self.assertEqual([result["cluster"] for result in found["results"]], cluster)
        sizes = [cluster.count(number) for number in set(cluster)]
        self.assertEqual((found["clusters"], found["largest"], found["single"]), (len(sizes), max(sizes), sizes.count(1)))
        self.assertEqual(self.table("clusters", self.data, "--similarity", "0.6"), self.table("clusters", self.data))

    def test_wrong_similarity(self):
        for value in ("0", "1.5", "x"):
            self.assertIn("--similarity", leman("clusters", self.data, "--similarity", value).stderr)


class OfRDKit(Case):
    @program.needs("python")
    def test_clusters(self):
        """The clusters of RDKit's Butina on unfolded Morgan counts, which prefers later molecules among equals: its input is turned round."""
        python = self.python_with("rdkit")
        code = """
import sys
from rdkit import Chem, DataStructs
from rdkit.Chem import rdFingerprintGenerator
from rdkit.ML.Cluster import Butina
morgan = rdFingerprintGenerator.GetMorganGenerator(radius=2, includeRedundantEnvironments=True)
prints = [morgan.GetSparseCountFingerprint(Chem.MolFromSmiles(line.split()[0])) for line in open(sys.argv[1])][::-1]
n = len(prints)
near = [1 - DataStructs.TanimotoSimilarity(prints[i], prints[j]) for i in range(n) for j in range(i)]
cluster = [None] * n
for number, members in enumerate(Butina.ClusterData(near, n, 0.449, isDistData=True)):
    for i in members:
        cluster[n - 1 - i] = number
print(*cluster)
"""
        self.write("x.smi", "\n".join(drawn(250, 9)) + "\n")
        run = subprocess.run([python, "-c", code, self.path("x.smi")], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        found = self.json("clusters", self.path("x.smi"), "--similarity", "0.551", "-q")
        self.assertEqual([result["cluster"] for result in found["results"]], [int(word) for word in run.stdout.split()])


if __name__ == "__main__":
    program.main()
