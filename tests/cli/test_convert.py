#!/usr/bin/env python3
"""leman convert: graphs survive every format, columns and graphs are chosen, output is whole or not there."""
import gzip
import json
import os
import random

import program
from program import Case, leman

FILES = ("A", "graph_indicator", "graph_labels", "node_labels", "edge_labels", "node_attributes", "graph_attributes")


def read_tu(folder, name):
    """Sorted edges with labels and the columns, as another reader would see them."""
    def lines(what):
        path = os.path.join(folder, f"{name}_{what}.txt")
        if not os.path.exists(path):
            return None
        with open(path) as file:
            return [[float(x) for x in line.split(",")] for line in file if line.strip()]
    content = {what: lines(what) for what in FILES}
    labels = content.pop("edge_labels") or [[]] * len(content["A"])
    content["A"] = sorted(tuple(a) + tuple(b) for a, b in zip(content["A"], labels))
    return content


class Convert(Case):
    def random_set(self, seed, name="R"):
        pick = random.Random(seed)
        sizes = [pick.randint(2, 8) for _ in range(10)]
        indicator, edges, first = [], [], 1
        for graph, size in enumerate(sizes, 1):
            indicator += [graph] * size
            edges += [(u, v, pick.randint(0, 3)) for u in range(first, first + size)
                      for v in range(u + 1, first + size) if pick.random() < 0.5]
            first += size
        arcs = sorted([(u, v, x) for u, v, x in edges] + [(v, u, x) for u, v, x in edges])
        rows = lambda values: "".join(f"{x}\n" for x in values)
        return self.tu(name, A=rows(f"{u}, {v}" for u, v, _ in arcs), graph_indicator=rows(indicator),
                       edge_labels=rows(x for _, _, x in arcs), node_labels=rows(pick.randint(0, 5) for _ in indicator),
                       graph_labels=rows(pick.randint(0, 1) for _ in sizes),
                       node_attributes=rows(f"{pick.random()}, {pick.gauss(0, 1e6)}" for _ in indicator),
                       graph_attributes=rows(pick.random() for _ in sizes)), sizes

    def test_everything_survives_tu_zip_and_binary(self):
        for seed in range(5):
            data, _ = self.random_set(seed)
            here = os.path.join(self.folder, str(seed))
            os.mkdir(here)
            self.succeeds("convert", data, f"{here}/R.leman")
            self.succeeds("convert", f"{here}/R.leman", f"{here}/R.zip")
            self.succeeds("convert", f"{here}/R.zip", f"{here}/R")
            self.assertEqual(read_tu(data, "R"), read_tu(f"{here}/R", "R"))
            self.assertEqual(self.left_over(), [])

    def test_guessed_hydrogens_are_named(self):
        """A binary file of the default labels does not say where the hydrogen of a ring is; one with hydrogens does."""
        path = self.write("x.smi", "Cc1c[nH]cn1 a\nCc1cnc[nH]1 b\nc1ccncc1 c\nCCO d\n")
        self.succeeds("convert", path, self.path("x.leman"))
        said = self.succeeds("convert", self.path("x.leman"), self.path("y.smi")).stderr
        self.assertIn("and may have been at others: 2; --hydrogens labels keeps them", said)
        self.succeeds("convert", path, self.path("x.leman"), "--hydrogens", "labels", "--force")
        for data in path, self.path("x.leman"):
            result = self.succeeds("convert", data, "-", "--to", "smiles")
            self.assertNotIn("may have been at others", result.stderr)
            self.assertEqual(result.stdout.splitlines()[:2], ["Cc1c[nH]cn1\ta", "Cc1cnc[nH]1\tb"])

    def test_fragments_with_open_ends_are_drawn(self):
        """Placeholders are atoms of a drawing, and so are metals with many neighbours."""
        path = self.write("x.smi", "[1*]CC[2*] a\n*c1ccccc1 b\nCl[Mo](Cl)(Cl)(Cl)(Cl)(Cl)(Cl)(Cl)Cl c\n")
        for block in self.succeeds("convert", path, "-", "--to", "sdf").stdout.split("$$$$\n")[:-1]:
            lines = block.splitlines()
            places = [line[:20] for line in lines[4:4 + int(lines[3][:3])]]
            self.assertEqual(len(set(places)), len(places), block)

    def test_names_that_say_smiles_are_no_headers(self):
        """What is written is read back, whatever the molecules are called."""
        for first, second in (("from_smiles_1", "b"), ("smiles", "C"), ("canonical smiles, name", "7"), ("x;SMILES", "")):
            for separator in " ", "\t":
                path = self.write("x.smi", f"CCO{separator}{first}\nCC{separator}{second}\n")
                text = self.succeeds("convert", path, "-", "--to", "smiles").stdout
                self.assertEqual(text, f"CCO\t{first}\nCC{second and chr(9)}{second}\n")
                again = self.write("y.smi", text)
                self.assertEqual(self.succeeds("convert", again, "-", "--to", "smiles").stdout, text)

    def test_graphs_survive_graph6_and_edge_lists(self):
        data, _ = self.random_set(77)
        self.succeeds("convert", data, self.path("R.leman"), "--keep", "names")
        self.succeeds("convert", self.path("R.leman"), self.path("R.g6"))
        reference = read_tu(data, "R")
        for name in ("R.g6", "R.s6", "R.leman"):
            self.succeeds("convert", self.path("R.g6"), self.path(name), "--force")
            here = self.path("from-" + name)
            os.mkdir(here)
            self.succeeds("convert", self.path(name), here + "/R")
            back = read_tu(here + "/R", "R")
            self.assertEqual([edge[:2] for edge in reference["A"]], back["A"])
            self.assertEqual(reference["graph_indicator"], back["graph_indicator"])

    def test_pipes(self):
        data, _ = self.random_set(3)
        for form in ("tu-zip", "binary", "graph6", "sparse6", "edge-list"):
            out = self.succeeds("convert", data, "-", "--to", form, "--quiet", text=False)
            self.assertEqual(out.stderr, b"")
            back = self.succeeds("info", "-", "--json", "--from", form, input=out.stdout, text=False)
            self.assertEqual(json.loads(back.stdout)["edges"], self.json("info", data)["edges"])

    def test_chosen_columns(self):
        data, _ = self.random_set(4)
        kinds = {"vertex-labels": "vertex_labels", "edge-labels": "edge_labels", "targets": "targets",
                 "vertex-attributes": "vertex_attributes", "classes": "classes"}
        whole = self.json("info", data)
        for kind, key in kinds.items():
            self.succeeds("convert", data, self.path("keep.leman"), "--keep", kind)
            self.succeeds("convert", data, self.path("drop.leman"), "--drop", kind)
            for other in kinds.values():
                kept = self.json("info", self.path("keep.leman"))[other]
                dropped = self.json("info", self.path("drop.leman"))[other]
                self.assertEqual(kept or 0, whole[other] if other == key else 0)
                self.assertEqual(dropped or 0, 0 if other == key else whole[other])
        self.succeeds("convert", data, self.path("x.leman"), "--keep", "classes,targets", "--drop", "targets")
        self.assertEqual(self.json("info", self.path("x.leman"))["targets"], 0)
        self.wrong("convert", data, self.path("y.leman"), "--keep", "labels", words=["'labels'", "vertex-labels"])
        self.assertFalse(os.path.exists(self.path("y.leman")))

    def test_chosen_graphs(self):
        data, sizes = self.random_set(5)
        self.succeeds("convert", data, self.path("some.leman"), "--graphs", "2-4,9", "--graphs", "2")
        found = self.json("info", self.path("some.leman"))
        self.assertEqual(found["graphs"], 5)
        self.assertEqual(found["vertices"], sum(sizes[i] for i in (2, 3, 4, 9, 2)))
        self.fails("convert", data, self.path("no.leman"), "--graphs", "3-10", words=["10", "below 10"])
        for wrong in ("4-2", "1,", ",", "a", "1--2", "-3", "1-99999999999999999999999"):
            self.wrong("convert", data, self.path("no.leman"), "--graphs", wrong, words=["--graphs"])
        self.assertFalse(os.path.exists(self.path("no.leman")))

    def test_json(self):
        data, sizes = self.random_set(6)
        found = self.json("convert", data, self.path("x.leman"))
        self.assertEqual((found["graphs"], found["vertices"]), (10, sum(sizes)))
        self.assertIn("repeated_edges", found["report"])
        found = self.json("convert", data, "-o", self.path("y.leman"))
        self.assertEqual(found["output"], self.path("y.leman"))
        with open(self.path("x.leman"), "rb") as x, open(self.path("y.leman"), "rb") as y:
            self.assertEqual(x.read(), y.read())

    def test_wrong_usage(self):
        data, _ = self.random_set(7)
        self.wrong("convert", data, "-", words=["--to"])
        self.wrong("convert", data, "-", "--to", "tu", words=["tu-zip"])
        self.wrong("convert", data, "-", "--to", "graph6", "--json", words=["--json"])
        self.wrong("convert", data, "x.leman", "-o", "y.leman", words=["x.leman", "y.leman"])
        self.wrong("convert", data, "x.mol2", words=["x.mol2"])
        self.wrong("convert", data, "x", "--to", "pairs", words=["'pairs'"])

    def test_molecules(self):
        """SMILES to SDF and back: the same graphs, names, targets and classes."""
        table = self.write("m.csv", "name,smiles,logP,active\nethanol,CCO,-0.3,1\nsalt,C[N+](C)(C)C.[Cl-],,0\nring,c1ccccc1,2.5,1\n")
        sdf, smi = self.path("m.sdf"), self.path("m.smi")
        self.succeeds("convert", table, sdf)
        self.succeeds("convert", sdf, smi)
        with open(smi) as file:
            self.assertEqual(file.read(), "smiles\tname\tlogP\tactive\nCCO\tethanol\t-0.3\t1\nC[N+](C)(C)C.[Cl-]\tsalt\t\t0\n"
                             "c1ccccc1\tring\t2.5\t1\n")
        found = [self.json("info", path) for path in (table, sdf, smi)]
        for key in ("graphs", "vertices", "edges", "vertex_labels", "edge_labels", "targets"):
            self.assertEqual(len({str(f[key]) for f in found}), 1, key)
        self.fails("convert", self.write("plain.g6", "Bw\n"), smi, words=["atoms and bonds"])

    def test_compressed(self):
        table = self.write("m.csv", "name,smiles,logP\nethanol,CCO,-0.3\nring,c1ccccc1,2.5\n")
        for ending in (".smi", ".sdf", ".csv", ".g6", ".leman"):
            self.succeeds("convert", table, self.path("x" + ending))
            self.succeeds("convert", table, self.path("x" + ending + ".gz"))
            with gzip.open(self.path("x" + ending + ".gz")) as packed, open(self.path("x" + ending), "rb") as plain:
                self.assertEqual(packed.read(), plain.read())
        self.wrong("convert", table, self.path("x.zip.gz"), words=[".gz"])

    def test_output_is_whole_or_not_there(self):
        data, _ = self.random_set(8)
        before = self.write("old.g6", "Bw\n")
        self.fails("convert", self.path("missing"), before)
        with open(before) as file:
            self.assertEqual(file.read(), "Bw\n")
        self.assertIn("/dev/full", leman("convert", data, "/dev/full", "--to", "tu-zip").stderr)
        for form in ("tu-zip", "binary", "graph6", "sparse6", "edge-list"):
            self.assertEqual(leman("convert", data, "/dev/full", "--to", form).returncode, 1)
            with open("/dev/full", "w") as full:
                self.assertEqual(leman("convert", data, "-", "--to", form, stdout=full).returncode, 1)
        for name in ("none/x.g6", "none/x.zip", "none/x"):
            self.assertEqual(leman("convert", data, self.path(name)).returncode, 1)
        existing = self.tu("there", A="", graph_indicator="1\n")
        self.assertEqual(leman("convert", data, existing).returncode, 1)
        self.assertEqual(sorted(os.listdir(existing)), ["there_A.txt", "there_graph_indicator.txt"])
        self.assertEqual(self.left_over(), [])

    def test_a_file_onto_itself(self):
        self.succeeds("convert", self.write("x.g6", "Bw\nEhEG\n"), self.path("x.leman"))
        self.wrong("convert", self.path("x.leman"), self.path("x.leman"), "--graphs", "1", words=["--force"])
        self.assertEqual(self.json("info", self.path("x.leman"))["vertices"], 9)
        self.succeeds("convert", self.path("x.leman"), self.path("x.leman"), "--graphs", "1", "--force")
        self.assertEqual(self.json("info", self.path("x.leman"))["vertices"], 6)


class Molecules(Case):
    def test_hydrogens(self):
        """Which nitrogen has the hydrogen of [nH], charges, isotopes and radicals are written as they were read; so are explicit hydrogens."""
        texts = ["Cc1cnc[nH]1", "Cc1c[nH]cn1", "CC1=CN=CN1", "C[n+]1cc[nH]c1", "[13CH3][CH2]", "[NH4+].[Cl-]", "c1cc[cH-]c1", "[2H]C([H])([H])O",
                 "C[N+](=O)[O-]", "OS(=O)(=O)O", "[CH2]", "C[S+](C)[O-]", "O=c1cc[nH]c(=O)[nH]1", "N[Pt](N)(Cl)Cl", "c1ccc2c(c1)[nH]c1ccccc12"]
        data = self.write("a.smi", "".join(f"{text} m{i}\n" for i, text in enumerate(texts)))
        labels = ("--hydrogens", "labels")
        expected = self.succeeds("hash", data, *labels).stdout
        self.assertNotEqual(*[line.split()[-1] for line in expected.splitlines()[:2]])
        for ending in ("smi", "sdf"):
            out = self.path(f"b.{ending}")
            self.succeeds("convert", data, out)
            self.assertEqual(self.succeeds("hash", out, *labels).stdout, expected)
            self.succeeds("convert", out, self.path("c.smi"))
            self.assertEqual(self.succeeds("hash", self.path("c.smi"), *labels).stdout, expected)


if __name__ == "__main__":
    program.main()
