#!/usr/bin/env python3
"""leman predict --explain: sums, pages, pictures, which graphs and classes; models of every kind."""
import json
import os
import xml.etree.ElementTree

import pages
import program
from program import Case

RINGS = "c1ccncc1 c1ccccc1 C1CCCCC1 C1CCNCC1".split()
TAILS = "C CC CCO CC(=O)O C(F)(F)F OC CN S(=O)(=O)C C#N CCCl".split()


def table():
    """Forty molecules: is there an aromatic ring, a nitrogen (some missing), how many characters, which ring."""
    lines = ["name,smiles,aromatic,nitrogen,length,ring"]
    for i in range(40):
        smiles = RINGS[i % 4] + TAILS[i // 4]
        nitrogen = "" if i % 9 == 5 else int("n" in smiles.lower())
        lines.append(f"m{i},{smiles},{int('c' in smiles)},{nitrogen},{len(smiles)},{('py', 'ph', 'cy', 'pi')[i % 4]}")
    return "\n".join(lines) + "\n"


class Explain(Case):
    def setUp(self):
        super().setUp()
        self.data = self.write("molecules.csv", table())

    def tearDown(self):
        self.assertEqual(self.left_over(), [])
        super().tearDown()

    def fit(self, *arguments):
        model = self.path("model")
        self.succeeds("fit", self.data, "-r", "0-2", "--folds", "3", *arguments, "-o", model, "-q")
        return model

    def explain(self, model, *arguments):
        path = self.path("e.json")
        self.succeeds("predict", "--model", model, self.data, "-q", "-o", self.path("p.csv"), "--explain", path, *arguments)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def predictions(self, model):
        return self.json("predict", "--model", model, self.data, "-q")["predictions"]

    def test_sums(self):
        """Of atoms and bonds, with the bias: the score that predict writes, of every class model and of values."""
        for arguments in (("-a", "1-WL", "--class", "aromatic"), ("-a", "delta-2-LWL", "--class", "ring"),
                          ("-a", "1-WL", "--svm", "kernel", "--class", "ring"), ("-a", "delta-2-LWL+", "--target", "length")):
            model = self.fit(*arguments)
            found = self.explain(model)
            predicted = self.predictions(model)
            self.assertEqual(len(found["explanations"]), 40)
            for one, line in zip(found["explanations"], predicted):
                self.assertEqual((one["graph"], one["name"], one["method"]), (line["graph"], line["name"], "weights"))
                score = line["score"] if "score" in line else line["value"]
                self.assertAlmostEqual(one["score"], score, 9)
                self.assertAlmostEqual(sum(one["atom_contributions"]) + one["bias"], score, 7)
                self.assertAlmostEqual(sum(one["bond_contributions"]) + one["bias"], score, 7)
                self.assertEqual(len(one["atoms"]), len(one["atom_contributions"]))
                self.assertEqual(len(one["bonds"]), len(one["bond_contributions"]))
                if "class" in line:
                    self.assertEqual(one["class"], line["class"])
                    self.assertAlmostEqual(one["probability"], max(line["probabilities"]), 9)
            self.assertEqual(found["explanations"][0]["atoms"], ["C", "C", "C", "N", "C", "C", "C"])

    def test_class(self):
        model = self.fit("-a", "1-WL", "--class", "aromatic")
        zero, one = (self.explain(model, "--explain-class", c)["explanations"] for c in "01")
        for a, b in zip(zero, one):
            self.assertEqual((a["class"], b["class"]), (0, 1))
            self.assertAlmostEqual(a["score"], -b["score"], 9)
            self.assertAlmostEqual(a["probability"] + b["probability"], 1, 9)
        self.wrong("predict", "-q", "--model", model, self.data, "--explain", self.path("x.json"), "--explain-class", "7",
                   words=("--explain-class", "'7'"))
        self.wrong("predict", "-q", "--model", model, self.data, "--explain-class", "1", words=("--explain",))
        model = self.fit("-a", "1-WL", "--target", "length")
        self.wrong("predict", "-q", "--model", model, self.data, "--explain", self.path("x.json"), "--explain-class", "1",
                   words=("no effect",))

    def test_method(self):
        model = self.fit("-a", "1-WL", "--class", "aromatic")
        exact = self.explain(model, "--explain-method", "weights", "--explain-graphs", "0")["explanations"][0]
        left = self.explain(model, "--explain-method", "leave-one-out", "--explain-graphs", "0")["explanations"][0]
        self.assertEqual((exact["method"], left["method"]), ("weights", "leave-one-out"))
        self.assertEqual(exact["score"], left["score"])
        self.assertNotEqual(exact["atom_contributions"], left["atom_contributions"])
        model = self.fit("-a", "WLOA", "--class", "aromatic")
        self.assertEqual(self.explain(model, "--explain-method", "leave-one-out", "--explain-graphs", "0")["explanations"][0]["method"], "leave-one-out")
        model = self.fit("-a", "SP", "--class", "aromatic")
        self.fails("predict", "-q", "--model", model, self.data, "-o", self.path("p.csv"), "--explain", self.path("y.json"),
                   "--explain-method", "weights", words=("SP", "model of colours"))
        self.assertFalse(os.path.exists(self.path("y.json")))

    def test_supports(self):
        model = self.fit("-a", "WLOA", "--class", "aromatic")
        for one in self.explain(model)["explanations"]:
            self.assertEqual(one["method"], "weights")
            self.assertAlmostEqual(sum(one["atom_contributions"]) + one["rest"], one["score"], 9)
            self.assertAlmostEqual(sum(one["bond_contributions"]) + one["bond_rest"], one["score"], 9)
            shares = [s["share"] for s in one["support_graphs"]]
            self.assertEqual(shares, sorted(shares, reverse=True))
            self.assertLessEqual(len(shares), 5)
            for support in one["support_graphs"]:
                self.assertEqual(support["name"], f"m{support['graph']}")
                self.assertEqual(support["class"], int("c" in table().splitlines()[support["graph"] + 1].split(",")[1]))
        page = self.path("e.html")
        self.succeeds("predict", "--model", model, self.data, "-q", "-o", self.path("p.csv"), "--explain", page,
                      "--explain-graphs", "0-2", "--training-data", self.data)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        pages.is_whole(self, text)
        self.assertEqual(text.count('aria-label="support graph'), 6)  # pictures: two for each
        fewer = self.write("fewer.csv", "\n".join(table().splitlines()[:9]) + "\n")
        self.fails("predict", "-q", "--model", model, self.data, "--explain", page, "--training-data", fewer, words=("8 graphs", "40"))
        model = self.fit("-a", "1-WL", "--class", "aromatic")
        self.wrong("predict", "-q", "--model", model, self.data, "--explain", page, "--training-data", self.data, words=("no effect",))

    def test_tasks(self):
        model = self.fit("-a", "1-WL", "--class", "aromatic,nitrogen")
        found = self.explain(model, "--explain-graphs", "3,1")["explanations"]
        self.assertEqual([(e["graph"], e["column"], e["class"]) for e in found],
                         [(3, "aromatic", 1), (3, "nitrogen", 1), (1, "aromatic", 1), (1, "nitrogen", 1)])
        lines = self.json("predict", "--model", model, self.data, "-q")["predictions"]
        self.assertAlmostEqual(found[1]["probability"], lines[3]["probabilities"][1], 9)

    def test_table_of_tasks(self):
        """From a table with missing values to scores, a page, a model and explained probabilities, on folds of scaffolds."""
        tasks, page = ("--class", "aromatic,nitrogen"), self.path("r.html")
        found = self.json("evaluate", self.data, *tasks, "-a", "1-WL", "-r", "0-1", "--scaffold", "--folds", "3", "--repetitions", "1",
                          "--report", page, "-q")
        self.assertEqual([(t["name"], t["graphs"]) for t in found["tasks"]], [("aromatic", 40), ("nitrogen", 36)])
        with open(page, encoding="utf-8") as file:
            pages.is_whole(self, file.read())
        model = self.fit("-a", "1-WL", *tasks, "--scaffold", "--folds", "3")
        self.succeeds("predict", "-q", "--model", model, self.data, "-o", self.path("p.csv"), "--explain", page)
        with open(page, encoding="utf-8") as file:
            text, _ = pages.is_whole(self, file.read())
        self.assertIn("aromatic: class 1", text)
        self.assertIn("nitrogen: class 1", text)

    def test_networks(self):
        """Leaving out, of classes, tasks and targets: score, probability and value are those of the prediction."""
        net = self.path("net.lmn")
        for arguments, count in ((("--class", "aromatic"), 1), (("--class", "aromatic,nitrogen"), 2), (("--target", "length"), 1)):
            self.succeeds("train", self.data, "-a", "GIN-eps", "--width", "8", "--layers", "2", "--epochs", "2", *arguments,
                          "--checkpoint", net, "-q")
            found = self.explain(net, "--explain-graphs", "0-2")["explanations"]
            lines = self.predictions(net)
            self.assertEqual(len(found), 3 * count)
            for i, one in enumerate(found):
                self.assertEqual(one["method"], "leave-one-out")
                line = lines[i // count]
                if "--target" in arguments:
                    self.assertAlmostEqual(one["score"], line["targets"][0], 4)
                else:
                    likely = line["probabilities"][i % count] if count > 1 else max(line["probabilities"])
                    self.assertAlmostEqual(one["probability"], likely, 5)
                self.assertEqual(len(one["bond_contributions"]), len(one["bonds"]))

    def test_page_and_pictures(self):
        model = self.fit("-a", "delta-2-LWL", "--class", "ring")
        page, picture = self.path("e.html"), self.path("e.svg")
        run = self.succeeds("predict", "--model", model, self.data, "-o", self.path("p.csv"), "--explain", picture)
        self.assertIn("first 12 of 40", run.stderr)
        root = xml.etree.ElementTree.parse(picture).getroot()
        self.assertEqual(sum(c.text.startswith("m") for c in root.iter() if c.get("class") == "caption"), 12)
        self.succeeds("predict", "--model", model, self.data, "-q", "-o", self.path("p.csv"), "--explain", page,
                      "--explain-graphs", "0-8")
        with open(page, encoding="utf-8") as file:
            text, pictures = pages.is_whole(self, file.read())
        self.assertEqual(len(pictures), 1 + 2 * 9)  # the legend; a picture and bars for each
        self.assertRegex(text, r"ring: class p[yhi]|ring: class cy")
        self.assertIn("leman predict", text)

    @program.needs("browser")
    def test_page_in_a_browser(self):
        model, page = self.fit("-a", "delta-2-LWL", "--class", "ring"), self.path("e.html")
        self.succeeds("predict", "--model", model, self.data, "-q", "-o", self.path("p.csv"), "--explain", page,
                      "--explain-graphs", "0-5")
        pages.is_readable(self, page)

    def test_which_graphs(self):
        many = self.write("many.smi", "".join(f"{'C' * (1 + i % 9)}O m{i}\n" for i in range(2200)))
        model = self.fit("-a", "1-WL", "--class", "aromatic")
        page = self.path("many.html")
        run = self.succeeds("predict", "--model", model, many, "-o", self.path("p.csv"), "--explain", page)
        self.assertIn("first 100 of 2200", run.stderr)
        self.assertLess(os.path.getsize(page), 2e6)
        self.wrong("predict", "-q", "--model", model, many, "-o", self.path("p.csv"), "--explain", page, "--explain-graphs", "0-2100",
                   words=("2101", "at most 2000"))
        self.wrong("predict", "-q", "--model", model, many, "-o", self.path("p.csv"), "--explain", page, "--explain-graphs", "2200",
                   words=("2200", "--explain-graphs"))
        self.wrong("predict", "-q", "--model", model, many, "--explain-graphs", "1", words=("--explain",))

    def test_small_graphs(self):
        """One atom, an ion apart, no bond: nothing to spread over, and sums hold."""
        odd = self.write("odd.smi", "C methane\n[Na+].[Cl-] salt\nCC ethane\n")
        for algorithm in ("1-WL", "WLOA", "delta-2-LWL"):
            model = self.fit("-a", algorithm, "--class", "aromatic")
            for ending in ("json", "html", "svg"):
                path = self.path("odd." + ending)
                self.succeeds("predict", "--model", model, odd, "-q", "-o", self.path("p.csv"), "--explain", path)
            with open(self.path("odd.json"), encoding="utf-8") as file:
                found = json.load(file)["explanations"]
            self.assertEqual([len(e["bonds"]) for e in found], [0, 0, 1])
            for one in found:
                self.assertAlmostEqual(sum(one["atom_contributions"]) + one["rest"], one["score"], 9)
                self.assertAlmostEqual(sum(one["bond_contributions"]) + one["bond_rest"], one["score"], 9)


CORE = 10  # atoms of the planted rings, the first of every generated molecule (docs/generators.md)


def share_in_core(contributions, count):
    """How many of the `count` largest are in the core, ties shared evenly."""
    values = [round(value, 9) for value in contributions]
    cut = sorted(values, reverse=True)[count - 1]
    above = [value > cut for value in values]
    tied = [value == cut for value in values]
    return (sum(above[:CORE]) + (count - sum(above)) * sum(tied[:CORE]) / sum(tied)) / count


class Planted(Case):
    """Generated molecules, whose class is a ring pattern that colour refinement cannot see: the explanation shows it."""

    def shares(self, algorithm, *arguments):
        """By class: the share of the five atoms with the largest contributions that lie in the pattern, and that of all atoms."""
        train, test, model = self.path("train.leman"), self.path("test.leman"), self.path("model")
        self.succeeds("generate", "molecules", "--graphs", "3000", "--seed", "3", "-o", train, "-q")
        self.succeeds("generate", "molecules", "--graphs", "200", "--seed", "4", "-o", test, "-q")
        self.succeeds("fit", train, "-a", algorithm, "--ignore", "vertex-labels,edge-labels", "-r", "3", "-C", "1000", "--folds", "3",
                      "-o", model, "-q")
        self.succeeds("predict", "--model", model, test, "-q", "-o", self.path("p.csv"), "--explain", self.path("e.json"), *arguments)
        labelled = self.path("labelled")
        self.succeeds("convert", test, labelled, "-q")
        with open(os.path.join(labelled, "labelled_graph_labels.txt")) as file:
            classes = [int(line) for line in file]
        with open(self.path("e.json")) as file:
            found = json.load(file)["explanations"]
        shares, baseline, right = ([], []), [], 0
        for one, label in zip(found, classes):
            if one["class"] != label:
                continue
            right += 1
            if len(one["atoms"]) > CORE + 2:
                shares[label].append(share_in_core(one["atom_contributions"], 5))
                baseline.append(CORE / len(one["atoms"]))
        mean = lambda values: sum(values) / len(values)
        return right / len(classes), [mean(values) for values in shares], mean(baseline)

    def test_weights(self):
        right, (linked, fused), random = self.shares("delta-2-LWL")
        self.assertGreater(right, 0.9)
        self.assertLess(random, 0.56)
        self.assertGreater(fused, 0.92)  # docs/molecules.md has all figures
        self.assertGreater(linked, 0.88)

    def test_colour_refinement_sees_nothing(self):
        right, shares, random = self.shares("1-WL")
        self.assertLess(right, 0.65)
        self.assertLess(max(shares), random + 0.2)


if __name__ == "__main__":
    program.main()
