#!/usr/bin/env python3
"""leman evaluate --class A,B,C, --score and --class-weights: several tasks with missing values, imbalanced classes."""
import os

import program
from program import Case, leman

GRAPHS = 45


def tasks(folder):
    """Stars, paths and cycles as a TU folder with three targets: is it a star, is it a cycle (some missing), noise."""
    name = os.path.basename(folder)
    os.mkdir(folder)
    arcs, indicator, targets, first = [], [], [], 1
    for graph in range(GRAPHS):
        size = 5 + graph % 4
        edges = [(0 if graph % 3 == 0 else v - 1, v) for v in range(1, size)] + [(0, size - 1)] * (graph % 3 == 1)
        arcs += [f"{first + a}, {first + b}" for u, v in edges for a, b in ((u, v), (v, u))]
        indicator += [str(graph + 1)] * size
        cycle = "nan" if graph % 7 == 2 else str(float(graph % 3 == 1))
        targets.append(f"{float(graph % 3 == 0)}, {cycle}, {float(graph * 7 % 11 < 3)}")
        first += size
    for file, lines in (("A", arcs), ("graph_indicator", indicator), ("graph_attributes", targets)):
        with open(os.path.join(folder, f"{name}_{file}.txt"), "w", encoding="ascii") as out:
            out.write("\n".join(lines) + "\n")


class Tasks(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("TASKS")
        tasks(self.data)
        self.quick = ("-a", "1-WL", "-r", "0-1", "--repetitions", "1", "--folds", "3")

    def test_each_is_the_column_alone(self):
        together = self.json("evaluate", self.data, *self.quick, "--class", "0,1", "--score", "auc", "--quiet")
        self.assertEqual([task["name"] for task in together["tasks"]], ["0", "1"])
        missing = sum(graph % 7 == 2 for graph in range(GRAPHS))
        self.assertEqual([task["graphs"] for task in together["tasks"]], [GRAPHS, GRAPHS - missing])
        self.assertEqual(together["tasks"][0]["positives"], GRAPHS // 3)
        for number, task in enumerate(together["tasks"]):
            alone = self.json("evaluate", self.data, *self.quick, "--class", str(number), "--score", "auc", "--quiet")
            for key in ("test_mean", "auc_mean", "balanced_mean", "baseline"):
                self.assertEqual(task[key], alone[key])
            self.assertEqual([fold["C"] for fold in task["choices"]], [fold["C"] for fold in alone["choices"]])
        for key in ("test_mean", "auc_mean"):
            mean = sum(task[key] for task in together["tasks"]) / 2
            self.assertAlmostEqual(together[key], mean, places=9)
        self.assertEqual(together["selected_by"], "auc")

    def test_fit_and_predict(self):
        """Every task of a file is the model that its column alone gives; the AUC is that of the pairs."""
        quick = ("-a", "1-WL", "-r", "0-1", "--folds", "3", "--quiet")
        fitted = self.json("fit", self.data, *quick, "--class", "0,1,2", "-o", self.path("all.model"))
        self.assertEqual([task["name"] for task in fitted["tasks"]], ["0", "1", "2"])
        found = self.json("predict", "--model", self.path("all.model"), self.data, "--quiet")
        table = leman("predict", "--model", self.path("all.model"), self.data)
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertIn("task 1: AUC", table.stderr)
        lines = [line.split(",") for line in table.stdout.splitlines()]
        self.assertEqual(lines[0], ["graph", "probability_0", "probability_1", "probability_2", "out_of_vocabulary"])
        shares = [0] * GRAPHS
        for number in range(3):
            model = self.path(f"{number}.model")
            alone = self.json("fit", self.data, *quick, "--class", str(number), "-o", model)["model"]
            one = {key: value for key, value in fitted["tasks"][number]["model"].items() if key != "data"}
            self.assertEqual(one, {key: value for key, value in alone.items() if key != "data"})
            rows = self.json("predict", "--model", model, self.data, "--quiet")["predictions"]
            expected = [row["probabilities"][1] for row in rows]
            self.assertEqual([row["probabilities"][number] for row in found["predictions"]], expected)
            self.assertEqual([float(line[1 + number]) for line in lines[1:]], expected)
            shares = [max(a, row["out_of_vocabulary"]) for a, row in zip(shares, rows)]
            known = [g for g in range(GRAPHS) if number != 1 or g % 7 != 2]
            labels = [(g % 3 == 0, g % 3 == 1, g * 7 % 11 < 3)[number] for g in range(GRAPHS)]
            pairs = [(expected[a] > expected[b]) + (expected[a] == expected[b]) / 2
                     for a in known if labels[a] for b in known if not labels[b]]
            self.assertAlmostEqual(found["tasks"][number]["auc"], 100 * sum(pairs) / len(pairs), places=9)
        self.assertEqual([row["out_of_vocabulary"] for row in found["predictions"]], shares)
        for status, arguments, sentence in (
            (2, ("predict", "--model", self.path("all.model"), self.data, "--class", "0"), "names of its tasks"),
            (1, ("fit", self.data, "--class", "0,9", "-o", self.path("no.model")), "there is no target '9'"),
        ):
            done = leman(*arguments)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(sentence, done.stderr)
        self.assertFalse(os.path.exists(self.path("no.model")))

    def test_the_log_counts_missing_values(self):
        done = leman("evaluate", self.data, *self.quick, "--class", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("graphs have no class and take no part", done.stderr)
        done = leman("fit", self.data, "-a", "1-WL", "-r", "1", "--class", "1", "-o", self.path("m.model"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("graphs have no class and take no part", done.stderr)

    def test_class_weights(self):
        def confusion(*weights):
            arguments = ("-a", "1-WL", "-r", "1", "-C", "1", "--repetitions", "1", "--folds", "3", "--class", "2")
            found = self.json("evaluate", self.data, *arguments, *weights, "--quiet")
            self.assertEqual(found["class_weights"], weights[1] if weights else "none")
            return found["confusion"]

        plain = confusion()
        self.assertEqual(confusion("--class-weights", "1,1"), plain)
        heavy = confusion("--class-weights", "1,100")  # the rare class is predicted more often
        self.assertGreater(heavy[0][1] + heavy[1][1], plain[0][1] + plain[1][1])

    def test_sentences(self):
        for status, arguments, sentence in (
            (2, ("--class", "0,1", "--report", "x.html"), "--report with several tasks"),
            (2, ("--class", "0,1", "--stratified"), "--stratified with several tasks"),
            (1, ("--class", "0,9"), "there is no target '9'"),
            (2, ("--class", "0", "--score", "r2"), "found r2, expected accuracy, balanced or auc"),
            (2, ("--class", "0", "--class-weights", "1,2,3"), "found 3 weights of classes, expected 2"),
            (2, ("--class", "0", "--class-weights", "0,1"), "expected balanced, none, or numbers above 0"),
        ):
            with self.subTest(arguments=arguments):
                done = leman("evaluate", self.data, *self.quick, *arguments, cwd=self.path(""))
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    program.main()
