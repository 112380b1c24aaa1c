#!/usr/bin/env python3
"""leman fit and leman predict: a model fitted in one process classifies other graphs in a second one."""
import csv
import os

import program
from program import Case, leman


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Fit(Case):
    def halves(self, graphs, *arguments):
        self.succeeds("generate", "molecules", "--graphs", str(2 * graphs), "-o", self.path("m.leman"), "--quiet")
        for name, part in (("train", f"0-{graphs - 1}"), ("test", f"{graphs}-{2 * graphs - 1}")):
            self.succeeds("convert", self.path("m.leman"), self.path(f"{name}.leman"), "--graphs", part, "--quiet")
        return self.path("train.leman"), self.path("test.leman")

    def fit(self, data, *arguments, name="x.model"):
        return self.json("fit", data, *arguments, "-o", self.path(name), "--quiet")

    def test_rings(self):
        """Triples of vertices see rings, vertices do not."""
        train, test = self.halves(400)
        unlabelled = ("--ignore", "vertex-labels,edge-labels")
        fitted = self.fit(train, "-a", "local", "-k", "3", "-r", "0-1", *unlabelled)
        self.assertGreater(fitted["model"]["cv_accuracy"], 90)
        self.assertEqual(fitted["bytes"], os.path.getsize(self.path("x.model")))
        found = self.json("predict", "--model", self.path("x.model"), test, "-o", self.path("x.csv"), "--quiet")
        self.assertGreater(found["accuracy"], 90)
        table = rows(self.path("x.csv"))
        self.assertEqual([r["graph"] for r in table], [str(i) for i in range(400)])
        self.succeeds("features", test, "-a", "wl", "-r", "0", "-o", self.path("t.svm"), "--quiet")
        labels = [line.split()[0] for line in open(self.path("t.svm"))]
        self.assertAlmostEqual(sum(r["class"] == c for r, c in zip(table, labels)) / 4, found["accuracy"])
        for r in table:
            p = {c: float(r[f"probability_{c}"]) for c in "01"}
            self.assertAlmostEqual(sum(p.values()), 1)
            self.assertGreaterEqual(float(r["score"]), 0)
            self.assertTrue(0 <= float(r["out_of_vocabulary"]) <= 1)
        blind = self.fit(train, "-a", "wl", "-k", "1", name="1.model")
        self.assertLess(self.json("predict", "--model", self.path("1.model"), test)["accuracy"], 65)
        self.assertEqual(blind["model"]["kernels"][0]["k"], 1)

    def test_same_on_any_number_of_threads_and_in_any_order(self):
        train, test = self.halves(30)
        for arguments in (("-a", "local"), ("-a", "wloa"), ("-a", "local", "--svm", "kernel")):
            self.fit(train, *arguments, "-r", "0-2", "-t", "1", name="1.model")
            self.fit(train, *arguments, "-r", "0-2", "-t", "3", name="3.model")
            with open(self.path("1.model"), "rb") as one, open(self.path("3.model"), "rb") as three:
                self.assertEqual(one.read(), three.read())
            self.succeeds("convert", test, self.path("reversed.leman"), "--graphs",
                          ",".join(str(i) for i in range(29, -1, -1)), "--quiet")
            for data, name in ((test, "a.csv"), (self.path("reversed.leman"), "b.csv")):
                self.succeeds("predict", "--model", self.path("1.model"), data, "-o", self.path(name), "--quiet")
            there, backwards = rows(self.path("a.csv")), rows(self.path("b.csv"))
            for a, b in zip(there, reversed(backwards)):
                del a["graph"], b["graph"]
                self.assertEqual(a, b)

    def test_choices(self):
        train, _ = self.halves(30)
        model = self.fit(train, "-a", "local", "-r", "2", "-C", "1", "--folds", "4", "--seed", "7")["model"]
        self.assertEqual((model["rounds"], model["C"], model["folds"], model["seed"]), (2, 1, 4, 7))
        self.assertEqual(model["machine"], "linear")
        self.assertEqual(model["classes"], [0, 1])
        self.assertEqual(model["data"]["graphs"], 30)
        wloa = self.fit(train, "-a", "wloa", "-r", "1")["model"]
        self.assertEqual(wloa["machine"], "kernel")
        self.assertGreater(wloa["supports"], 0)

    def test_targets(self):
        train, test = self.halves(150)
        self.fit(train, "-a", "local", "-k", "1", "-r", "0-1", "--target", "0")
        found = self.json("predict", "--model", self.path("x.model"), test)
        labels = self.path("values")
        self.succeeds("convert", test, labels, "--to", "tu", "--quiet")
        values = [float(line) for name in os.listdir(labels) if name.endswith("graph_attributes.txt")
                  for line in open(os.path.join(labels, name))]
        self.assertEqual(len(values), 150)
        error = sum(abs(p["value"] - v) for p, v in zip(found["predictions"], values)) / 150
        self.assertAlmostEqual(error, found["error"])
        mean = sum(values) / 150
        self.assertLess(error, 0.9 * sum(abs(v - mean) for v in values) / 150)

    def test_no_negative_zero(self):
        """Graphs that are all alike leave the SVM without a preference: 0, not -0."""
        edges = "".join(f"{2 * i + 1}, {2 * i + 2}\n{2 * i + 2}, {2 * i + 1}\n" for i in range(8))
        data = self.tu("Z", A=edges, graph_indicator="".join(f"{i + 1}\n" * 2 for i in range(8)), graph_labels="1\n2\n" * 4)
        for svm in ("linear", "kernel"):
            self.fit(data, "-r", "0", "--folds", "2", "--svm", svm)
            text = self.succeeds("predict", "--model", self.path("x.model"), data, "--quiet").stdout
            self.assertNotRegex(text, r",-0(\.0*)?,")

    def test_names_and_directions(self):
        lines = "graph,source,target\n" + "".join(
            f'"a, {g}",{u},{(u + 1) % n}\n' for g, n in enumerate((3, 4, 5)) for u in range(n))
        new = self.write("new.csv", lines)
        data = self.tu("D", A="1, 2\n2, 3\n3, 1\n4, 5\n5, 6\n7, 8\n8, 9\n9, 7\n10, 11\n11, 12\n",
                       graph_indicator="".join(f"{g}\n" * 3 for g in (1, 2, 3, 4)), graph_labels="1\n2\n1\n2\n")
        self.fit(data, "--directed", "-k", "1", "-r", "1", "--folds", "2")
        result = self.succeeds("predict", "--model", self.path("x.model"), new, "--quiet")
        table = list(csv.DictReader(result.stdout.splitlines()))
        self.assertEqual([r["name"] for r in table], ["a, 0", "a, 1", "a, 2"])
        self.assertEqual([r["class"] for r in table], ["1"] * 3)  # directed cycles, without --directed being said

    def test_what_does_not_fit_is_refused(self):
        train, test = self.halves(20)
        self.fit(train, "-a", "local", "-k", "1", "-r", "1")
        model = self.path("x.model")
        plain = self.write("c.g6", "Bw\nC~\n")
        self.fails("predict", "--model", model, plain, words=("c.g6"[:1], "vertex labels", "fitted"))
        content = open(model, "rb").read()
        self.fails("predict", "--model", self.write("half.model", content[:len(content) // 2]), test, words=("half.model", "cut off"))
        self.fails("predict", "--model", self.write("long.model", content + b"more"), test, words=("long.model", "added behind"))
        self.fails("predict", "--model", self.write("new.model", content[:8] + b"\x09" + content[9:]), test,
                   words=("version 9",))
        damaged = bytearray(content)
        damaged[len(content) // 2] ^= 1
        self.fails("predict", "--model", self.write("bad.model", bytes(damaged)), test, words=("damaged",))
        self.fails("predict", "--model", test, test, words=("found dataset, expected a model",))
        self.succeeds("features", train, "-a", "wl:1", "--columns", self.path("c.lmc"), "-o", self.path("f.lmf"), "--quiet")
        self.fails("predict", "--model", self.path("f.lmf"), test, words=("found features, expected a model",))
        self.fails("predict", "--model", self.path("c.lmc"), test, words=("found feature columns, expected a model",))
        self.fails("predict", "--model", plain, test, words=("found something else, expected a model",))
        self.fails("predict", "--model", self.path("no.model"), test, words=("no.model",))
        self.fails("fit", plain, "-o", self.path("y.model"), words=("class",))
        self.assertFalse(os.path.exists(self.path("y.model")))

    def test_wrong_command_lines(self):
        train, test = self.halves(10)
        self.wrong("fit", train, words=("-o",))
        self.wrong("predict", test, words=("--model",))
        for arguments, word in ((("-r", "stable"), "stable"), (("-r", "3-1"), "3-1"), (("-C", "1,1"), "1,1"),
                                (("-C", ""), "C"), (("--svm", "linear", "-a", "wloa"), "assignment"),
                                (("--target", "0", "--class", "0"), "one of them")):
            self.wrong("fit", train, *arguments, "-o", self.path("y.model"), words=(word,))
        self.fails("fit", train, "--target", "4", "-o", self.path("y.model"), words=("no target '4'",))

    def molecules(self, name, graphs):
        """Chains of carbon, half of them with an oxygen at the end; `size` has a hole, `kind` holds words."""
        text = ""
        for i in range(graphs):
            atoms = ["C"] * (3 + i % 4) + (["O"] if i % 2 else [])
            text += f"m{i}\n\n\n{len(atoms):3}{len(atoms) - 1:3}  0  0  0  0            999 V2000\n"
            text += "".join(f"{j:10.4f}{0:10.4f}{0:10.4f} {a:3} 0  0\n" for j, a in enumerate(atoms))
            text += "".join(f"{j:3}{j + 1:3}  1\n" for j in range(1, len(atoms))) + "M  END\n"
            if i != 5:
                text += f"> <size>\n{len(atoms)}.5\n\n"
            text += f"> <oxygens>\n{i % 2}\n\n> <kind>\n{'alcohol' if i % 2 else 'alkane'}\n\n$$$$\n"
        return self.write(name, text)

    def test_columns_by_name(self):
        """The column that is named is the one that is learned, and a number means the same column as in the log."""
        data = self.molecules("m.sdf", 24)
        said = self.succeeds("info", data).stderr
        self.assertIn("numbered from 0: 0 is size (missing in 1), 1 is oxygens", said)
        self.assertIn("hold words, of which one may be read as the class: kind", said)
        by_name = self.fit(data, "-k", "1", "-r", "1", "--target", "Oxygens", "--folds", "3", name="a.model")
        by_number = self.fit(data, "-k", "1", "-r", "1", "--target", "1", "--folds", "3", name="b.model")
        self.assertEqual(by_name["model"], by_number["model"])
        self.assertLess(by_name["model"]["cv_error"], 0.2)
        self.fails("fit", data, "--target", "logP", "-o", self.path("c.model"), "--quiet",
                   words=("no target 'logP'", "0 (size), 1 (oxygens)"))
        result = leman("fit", data, "--target", "0", "-o", self.path("c.model"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("graphs have no target and are ignored", result.stderr)
        found = self.json("evaluate", data, "-k", "1", "-r", "1", "--target", "oxygens", "--repetitions", "1", "--folds",
                          "3", "--quiet")
        self.assertEqual(found["target"], 1)

    def test_few_graphs_of_which_some_have_no_class(self):
        """Each of few graphs is a fold by default: each that has a class, or the target, or a label in a feature file."""
        lines = ["CCO,a,1.5", "CCN,b,2", "CCC,a,", "CCCN,b,1", "CCCO,,3"]
        data = self.write("few.csv", "smiles,kind,size\n" + "\n".join(lines) + "\n")
        for asked in ("--class", "kind"), ("--target", "size"):
            self.assertEqual(self.fit(data, "-a", "1-WL", *asked)["model"]["folds"], 4)
        rows = self.write("few.svm", "1 1:1\n2 2:1\nnan 1:1\n1 1:2\n2 1:1 2:3\n")
        self.assertEqual(self.fit(rows)["model"]["folds"], 4)

    def test_a_property_as_the_class(self):
        data = self.molecules("m.sdf", 24)
        sizes = [{"class": 0, "graphs": 12, "name": "alcohol"}, {"class": 1, "graphs": 12, "name": "alkane"}]
        self.assertEqual(self.json("info", data, "--class", "kind", "--quiet")["class_sizes"], sizes)
        for column in ("kind", "oxygens", "1"):
            found = self.json("evaluate", data, "--class", column, "-k", "1", "-r", "1", "--repetitions", "1", "--folds", "3",
                              "--quiet")
            self.assertEqual(found["test_mean"], 100)
        self.fails("info", data, "--class", "size", "--quiet", words=("found 3.5 as target 0 of graph 0", "integer"))
        self.fails("info", data, "--class", "colour", "--quiet", words=("'colour'", "size, oxygens, kind"))
        self.succeeds("convert", data, self.path("m.zip"), "--class", "kind", "--quiet")
        again = self.json("info", self.path("m.zip"))
        self.assertEqual(again["class_sizes"], sizes)
        self.assertEqual([c["name"] for c in again["target_columns"]], ["size", "oxygens"])
        self.fit(self.path("m.zip"), "-k", "1", "-r", "1", "--folds", "3")
        found = self.json("predict", "--model", self.path("x.model"), data, "--class", "kind", "-o", self.path("x.csv"),
                          "--quiet")
        self.assertEqual(found["accuracy"], 100)

    def test_words_of_classes(self):
        """A model keeps the words of its classes and the name of the column; predictions are the words."""
        data = self.molecules("m.sdf", 24)
        model = self.fit(data, "-k", "1", "-r", "1", "--folds", "3", "--class", "kind")["model"]
        self.assertEqual((model["class_names"], model["target_name"]), (["alcohol", "alkane"], "kind"))
        table = self.succeeds("predict", "--model", self.path("x.model"), data, "--quiet").stdout.splitlines()
        self.assertEqual(table[0], "graph,name,class,score,probability_alcohol,probability_alkane,out_of_vocabulary,similarity,domain,smiles,status")
        self.assertEqual([line.split(",")[2] for line in table[1:]], ["alkane", "alcohol"] * 12)
        found = self.json("predict", "--model", self.path("x.model"), data, "--quiet")
        self.assertEqual([p["class"] for p in found["predictions"]], ["alkane", "alcohol"] * 12)
        with open(data, encoding="ascii") as file:  # the same words with other numbers: alcohol is 1, alkane is 2
            text = file.read().replace("alcohol", "acid", 1)
        found = self.json("predict", "--model", self.path("x.model"), self.write("n.sdf", text), "--class", "kind",
                          "--quiet")
        self.assertAlmostEqual(found["accuracy"], 100 * 23 / 24)
        with open(data, encoding="ascii") as file:
            text = file.read().replace("alcohol", 'a, "b"')
        self.fit(self.write("q.sdf", text), "-k", "1", "-r", "1", "--folds", "3", "--class", "kind")
        table = self.succeeds("predict", "--model", self.path("x.model"), data, "--quiet").stdout
        lines = list(csv.reader(table.splitlines()))
        self.assertEqual(lines[0][4], 'probability_a, "b"')
        self.assertEqual({len(row) for row in lines}, {11})
        self.assertEqual([row[2] for row in lines[1:3]], ["alkane", 'a, "b"'])
        self.assertEqual(self.fit(data, "-k", "1", "-r", "1", "--folds", "3", "--target", "1")["model"]["target_name"],
                         "oxygens")

    def test_words_of_classes_of_networks(self):
        data, net = self.molecules("m.sdf", 24), self.path("net.lmn")
        found = self.json("train", data, "--class", "kind", "-a", "GIN-eps", "--layers", "1", "--width", "8", "--epochs", "30",
                          "--checkpoint", net, "--quiet")
        self.assertEqual(found["class_names"], ["alcohol", "alkane"])
        table = self.succeeds("predict", "--model", net, data, "--quiet").stdout.splitlines()
        self.assertEqual(table[0], "graph,name,class,probability_alcohol,probability_alkane,out_of_vocabulary,smiles,status")
        self.assertLessEqual({line.split(",")[2] for line in table[1:]}, {"alkane", "alcohol"})
        with open(data, encoding="ascii") as file:  # the same words with other numbers: alcohol is 1, alkane is 2
            text = file.read().replace("alcohol", "acid", 1)
        found = self.json("predict", "--model", net, self.write("n.sdf", text), "--class", "kind", "--quiet")
        self.assertEqual(found["model"]["class_names"], ["alcohol", "alkane"])
        said = [p["class"] for p in found["predictions"]]
        right = sum(a == b for a, b in zip(said, ["alkane", "acid"] + ["alkane", "alcohol"] * 11))
        self.assertAlmostEqual(found["accuracy"], 100 * right / 24)
        self.assertGreater(found["accuracy"], 60)

    @program.needs("data")
    def test_real_data(self):
        """Fitted on half of MUTAG, right about most of the other half."""
        source = self.data_set("MUTAG")
        order = sorted(range(188), key=lambda i: (i * 7919) % 1009)
        for name, part in (("train", order[:94]), ("test", order[94:])):
            self.succeeds("convert", source, self.path(f"{name}.leman"), "--graphs", ",".join(map(str, part)), "--quiet")
        fitted = self.fit(self.path("train.leman"), "-a", "local", "-k", "2", "-r", "0-3")
        found = self.json("predict", "--model", self.path("x.model"), self.path("test.leman"))
        self.assertGreater(found["accuracy"], 75)
        self.assertGreater(fitted["model"]["cv_accuracy"], 75)


class Scaffolds(Case):
    """--scaffold: what is learned about a ring says nothing of the next one."""

    def test_folds_of_scaffolds(self):
        lines = ["smiles,active,other"]
        for ring in range(12):  # each ring has its element and size, and its class at random
            element, size = "NOSP"[ring % 4], 4 + ring // 4
            for tail in ("C", "CC", "CO", "CN", "CCC"):
                core = f"{element}1(C)C" if element == "P" else f"{element}1C"
                lines.append(f"{core}{'C' * (size - 3)}C1{tail},{'011010010101'[ring]},{'' if tail == 'C' else ring % 2}")
        data = self.write("m.csv", "\n".join(lines) + "\n")
        quick = ("-a", "1-WL", "-r", "0-2", "--folds", "4", "--class")
        fit = lambda *more: self.json("fit", data, *quick, *more, "-o", self.path("model"), "-q", "--force")
        usual, scaffold = fit("active"), fit("active", "--scaffold")
        self.assertGreater(usual["model"]["cv_score"], scaffold["model"]["cv_score"] + 15)
        fit("active,other", "--scaffold")  # tasks, with missing values
        run = self.succeeds("fit", data, *quick, "active", "--scaffold", "-o", self.path("model"))
        self.assertRegex(run.stderr, r"12 scaffolds of 60 molecules")
        self.fails("fit", data, "-q", "-a", "1-WL", "-r", "1", "--folds", "20", "--class", "active", "--scaffold", "-o", self.path("m2"),
                   words=("12 groups", "20 folds"))


if __name__ == "__main__":
    program.main()
