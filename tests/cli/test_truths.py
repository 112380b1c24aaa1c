#!/usr/bin/env python3
"""leman predict finds what it predicts in DATA by name: scores by those columns, sentences where they are missing, and --report."""
import csv
import io
import os
import re

import pages
import program
from program import Case, leman

GROUPS = ("C", "O", "N", "CC", "C(F)", "C(=O)O", "c1ccccc1")


def molecules(count, first=0):
    """SMILES with a value (oxygens and length), and a class (has oxygen) that some noise flips."""
    made = []
    for i in range(first, first + count):
        parts = [GROUPS[i * k % 7] for k in (1, 3, 5)] + ["C"] * (i % 4)
        smiles = "C" + "".join(parts) + "C"
        value = round(smiles.count("O") + 0.1 * len(smiles) + (i * 7 % 5) / 20, 3)
        made.append((smiles, value, ("O" in smiles) != (i % 11 == 3), i * 13 % 101))
    return made


def table(head, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


class Truths(Case):
    def setUp(self):
        super().setUp()
        self.made, self.new = molecules(60), molecules(45, 60)
        self.quick = ("-a", "1-WL", "-r", "0-1", "--folds", "3", "-C", "1", "--quiet")

    def fit(self, name, content, *arguments):
        data, model = self.write(name, content), self.path(name + ".model")
        self.succeeds("fit", data, *self.quick, *arguments, "-o", model)
        return model

    def predict(self, model, name, content, *arguments):
        """What --json says, and the lines that are logged without it."""
        data = self.write(name, content)
        logged = self.succeeds("predict", "--model", model, data, *arguments).stderr
        return self.json("predict", "--model", model, data, *arguments, "--quiet"), logged

    def values(self):
        return self.fit("values.csv", table(("smiles", "pIC50", "serial"), [(s, v, n) for s, v, _, n in self.made]),
                        "--target", "pIC50")

    def classes(self, *arguments):
        words = [(s, "active" if c else "inactive") for s, _, c, _ in self.made]
        return self.fit("classes.csv", table(("smiles", "result"), words), "--class", "result", *arguments)

    def test_target_in_another_place(self):
        model = self.values()
        for head in (("serial", "smiles", "pIC50"), ("serial", "smiles", "PIC50")):
            found, logged = self.predict(model, "new.csv", table(head, [(n, s, v) for s, v, _, n in self.new]))
            error = sum(abs(row["value"] - v) for row, (_, v, _, _) in zip(found["predictions"], self.new)) / len(self.new)
            self.assertAlmostEqual(found["error"], error, places=12)
            self.assertIn("mean absolute error", logged)
            self.assertEqual(found["remarks"], [])

    def test_table_without_the_target(self):
        model = self.values()
        found, logged = self.predict(model, "new.csv", table(("smiles", "serial"), [(s, n) for s, _, _, n in self.new]))
        self.assertIsNone(found["error"])
        self.assertIsNone(found["baseline"])
        self.assertIn("no column of targets called pIC50", found["remarks"][0])
        self.assertIn("new.csv: the data has no column of targets called pIC50", logged)
        self.assertNotIn("mean absolute error", logged)
        found, logged = self.predict(model, "bare.csv", table(("smiles",), [(s,) for s, *_ in self.new]))
        self.assertEqual((found["error"], found["remarks"]), (None, []))  # nobody asked for a score
        self.assertEqual(logged, "")

    def test_data_without_names(self):
        """A TU folder has targets without names, as has a model that was fitted on one: the number is used, and said."""
        model = self.values()
        with_names = self.write("a.csv", table(("smiles", "pIC50", "serial"), [(s, v, n) for s, v, _, n in self.new]))
        self.succeeds("convert", with_names, self.path("NEW"), "--to", "tu", "--quiet")
        for file in os.listdir(self.path("NEW")):
            if "name" in file:
                os.remove(self.path("NEW", file))
        by_name = self.json("predict", "--model", model, with_names, "--quiet")["error"]
        done = self.succeeds("predict", "--model", model, self.path("NEW"))
        self.assertIn("the score is by column 0 of the targets, found by number: the data has no names", done.stderr)
        found = self.json("predict", "--model", model, self.path("NEW"), "--quiet")
        self.assertAlmostEqual(found["error"], by_name, places=9)
        nameless = self.path("nameless.model")
        self.succeeds("fit", self.path("NEW"), *self.quick, "--target", "1", "-o", nameless)
        done = self.succeeds("predict", "--model", nameless, self.path("NEW"))
        self.assertIn("by column 1 of the targets, found by number", done.stderr)

    def test_classes_are_found_and_compared_by_their_words(self):
        """The table has one of the words, and another one: numbers of words differ from those of the model."""
        model = self.classes()
        rows = [(s, "inactive" if not c else "doubtful" if n % 2 else "") for s, _, c, n in self.new]
        found, logged = self.predict(model, "new.csv", table(("smiles", "Result"), rows))
        known = [(p["class"], word) for p, (_, word) in zip(found["predictions"], rows) if word]
        self.assertLess(len(known), len(rows))
        self.assertAlmostEqual(found["accuracy"], 100 * sum(a == b for a, b in known) / len(known), places=9)
        self.assertIn("accuracy", logged)
        explicit = self.json("predict", "--model", model, self.path("new.csv"), "--class", "Result", "--quiet")
        self.assertEqual(explicit["accuracy"], found["accuracy"])

    def test_tables_without_the_class(self):
        model = self.classes()
        for head, values in ((("smiles", "serial"), [n for *_, n in self.new]), (("smiles", "result"), [n + 0.5 for *_, n in self.new])):
            found, logged = self.predict(model, "new.csv", table(head, zip([s for s, *_ in self.new], values)))
            self.assertIsNone(found["accuracy"])
            self.assertIn("no classes in a column called result", found["remarks"][0])
            self.assertIn("no score is computed", logged)
        self.fails("predict", "--model", model, self.path("new.csv"), "--class", "other", "--quiet", words=("other",))

    def test_words_and_numbers_are_not_compared(self):
        """--positive makes numbers of words: without it at prediction, words would be numbered by their order."""
        model = self.classes("--positive", "active")
        rows = table(("smiles", "result"), [(s, "active" if c else "inactive") for s, _, c, _ in self.new])
        found, logged = self.predict(model, "new.csv", rows)
        self.assertIsNone(found["accuracy"])
        self.assertIn("the classes are words in the data", found["remarks"][0])
        self.assertIn("numbers in the model", logged)
        right = self.json("predict", "--model", model, self.path("new.csv"), "--class", "result", "--positive", "active", "--quiet")
        expected = sum(p["class"] == c for p, (_, _, c, _) in zip(right["predictions"], self.new))
        self.assertAlmostEqual(right["accuracy"], 100 * expected / len(self.new), places=9)

    def test_class_given_by_its_number(self):
        """The model has the name of the column."""
        model = self.fit("n.csv", table(("smiles", "serial", "result"), [(s, n, int(c)) for s, _, c, n in self.made]), "--class", "1")
        found, _ = self.predict(model, "new.csv", table(("smiles", "result", "serial"), [(s, int(c), n) for s, _, c, n in self.new]))
        self.assertEqual(found["model"]["target_name"], "result")
        right = sum(p["class"] == c for p, (_, _, c, _) in zip(found["predictions"], self.new))
        self.assertAlmostEqual(found["accuracy"], 100 * right / len(self.new), places=9)

    def test_several_targets(self):
        """Each has an error by its own column, wherever that is; of missing columns a sentence says the names."""
        rows = [(s, v, n, "" if n % 5 == 0 else round(v - n / 50, 3)) for s, v, _, n in self.made]
        model = self.fit("two.csv", table(("smiles", "a", "serial", "b,c"), rows), "--target", 'a,"b,c"')
        described = self.json("info", model)
        self.assertEqual([t["name"] for t in described["tasks"]], ["a", "b,c"])
        new = [(s, round(v - n / 50, 3), n, v) for s, v, _, n in self.new]
        found, logged = self.predict(model, "new.csv", table(("smiles", "b,c", "serial", "a"), new))
        for t, column in ((0, 3), (1, 1)):
            error = sum(abs(p["targets"][t] - row[column]) for p, row in zip(found["predictions"], new)) / len(new)
            self.assertAlmostEqual(found["tasks"][t]["error"], error, places=12)
        self.assertIn("task b,c: mean absolute error", logged)
        out = self.succeeds("predict", "--model", model, self.path("new.csv"), "--quiet").stdout
        self.assertEqual(next(csv.reader([out.splitlines()[0]]))[1:3], ["value_a", "value_b,c"])
        found, logged = self.predict(model, "part.csv", table(("smiles", "a"), [(s, v) for s, v, *_ in self.new]))
        self.assertIsNone(found["error"])
        self.assertIsNotNone(found["tasks"][0]["error"])
        self.assertIsNone(found["tasks"][1]["error"])
        self.assertIn("called b,c, which", logged)

    def test_gaussian_processes_and_networks(self):
        rows = [(s, v, n) for s, v, _, n in self.made]
        data = self.write("values.csv", table(("smiles", "pIC50", "serial"), rows))
        gp, net = self.path("gp.model"), self.path("net.lmn")
        self.succeeds("fit", data, "--gp", "-a", "1-WL", "-r", "1", "--target", "pIC50", "-o", gp, "--quiet")
        self.succeeds("train", data, "-a", "GIN", "--layers", "2", "--width", "8", "--epochs", "2", "--target", "pIC50",
                      "--checkpoint", net, "--quiet")
        for model, key in ((gp, "value"), (net, "targets")):
            found, _ = self.predict(model, "new.csv", table(("serial", "smiles", "pIC50"), [(n, s, v) for s, v, _, n in self.new]))
            values = [p[key] if key == "value" else p[key][0] for p in found["predictions"]]
            error = sum(abs(x - v) for x, (_, v, *_) in zip(values, self.new)) / len(self.new)
            self.assertAlmostEqual(found["error"], error, places=9)
            found, logged = self.predict(model, "other.csv", table(("serial", "smiles"), [(n, s) for s, _, _, n in self.new]))
            self.assertIsNone(found["error"])
            self.assertIn("called pIC50, which", logged)

    # ---- Pages ----------------------------------------------------------------------------------

    def page(self, model, rows, *arguments):
        path = self.path("page.html")
        self.succeeds("predict", "--model", model, self.write("new.csv", rows), "--report", path, "--force", "-o",
                      self.path("out.csv"), "--force", "--quiet", *arguments)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        pages.is_whole(self, text)
        return text

    def test_report_of_classes(self):
        """The area in the legend is that of all pairs, and the mean score the one that is printed."""
        model = self.classes()
        rows = table(("smiles", "result"), [(s, "active" if c else "inactive") for s, _, c, _ in self.new])
        text = self.page(model, rows)
        found = self.json("predict", "--model", model, self.path("new.csv"), "--quiet")
        places = {name: i for i, name in enumerate(found["model"]["class_names"])}
        p = [row["probabilities"][places["inactive"]] for row in found["predictions"]]
        pairs = [(a > b) + (a == b) / 2 for a, (_, _, x, _) in zip(p, self.new) if not x for b, (_, _, y, _) in zip(p, self.new) if y]
        self.assertIn(f"result: {sum(pairs) / len(pairs):.3f}", text)
        self.assertIn(f"accuracy {found['accuracy']:.1f} %", text)
        for words in ("ROC curve", "Precision and recall", "Calibration", "Error by similarity", "leman predict"):
            self.assertIn(words, text)
        wrong = sum(row["class"] != ("active" if c else "inactive") for row, (_, _, c, _) in zip(found["predictions"], self.new))
        bins = re.search(r"wrong \(%\).*?</table>", text, re.S)[0]
        counted = [(int(n), float(share)) for n, share in re.findall(r"<td>(\d+)</td><td>([\d.]+)</td>", bins)]
        self.assertAlmostEqual(sum(n * share for n, share in counted) / 100, wrong, delta=0.05)

    def test_report_of_values_and_tasks(self):
        rows = table(("smiles", "pIC50", "serial"), [(s, v, n) for s, v, _, n in self.new])
        text = self.page(self.values(), rows)
        self.assertIn("45 graphs with a known value", text)
        self.assertEqual(text.count('role="img"'), 2)
        both = [(s, int(c), int(n % 3 == 0)) for s, _, c, n in self.made]
        model = self.fit("tasks.csv", table(("smiles", "x", "y"), both), "--class", "x,y")
        text = self.page(model, table(("smiles", "y"), [(s, int(n % 3 == 0)) for s, _, _, n in self.new]))
        self.assertIn("y: 0.", text)
        self.assertNotIn("x: 0.", text)  # the table has one of the tasks
        self.assertIn("45 graphs; models of 2 tasks; mean area under the ROC curve", text)
        number = self.fit("number.csv", table(("smiles", "x"), [(s, int(c)) for s, _, c, _ in self.made]), "--class", "x")
        text = self.page(number, table(("smiles", "x"), [(s, int(c)) for s, _, c, _ in self.new]))
        self.assertIn("Predicted probabilities of class 1, for the graphs", text)

    def test_report_needs_the_truth(self):
        data = self.write("bare.csv", table(("smiles", "serial"), [(s, n) for s, _, _, n in self.new]))
        for model in (self.values(), self.classes()):
            self.fails("predict", "--model", model, data, "--report", self.path("no.html"), "--quiet", words=("--report", "that the model predicts"))
        self.assertFalse(os.path.exists(self.path("no.html")))

    @program.needs("browser")
    def test_report_in_a_browser(self):
        model = self.classes()
        self.page(model, table(("smiles", "result"), [(s, "active" if c else "inactive") for s, _, c, _ in self.new]))
        pages.is_readable(self, self.path("page.html"))


if __name__ == "__main__":
    program.main()
