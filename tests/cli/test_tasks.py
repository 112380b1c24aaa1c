#!/usr/bin/env python3
"""--class A,B,C, --score and --class-weights: several tasks with missing values, imbalanced classes."""
import os
import re

import pages
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

    def test_stratified(self):
        """Every task has the folds of its column alone, which hold their shares of both values."""
        arguments = (*self.quick, "--stratified", "--quiet")
        together = self.json("evaluate", self.data, *arguments, "--class", "0,1,2")
        self.assertTrue(together["stratified"])
        for number, task in enumerate(together["tasks"]):
            alone = self.json("evaluate", self.data, *arguments, "--class", str(number))
            for key in ("test_mean", "auc_mean", "balanced_mean", "splits_checksum"):
                self.assertEqual(task[key], alone[key])
            positive = [(g % 3 == 0, g % 3 == 1 and g % 7 != 2, g * 7 % 11 < 3)[number] for g in range(GRAPHS)]
            counts = [sum(positive[g] for part in fold["test_graphs"].split(",")
                          for g in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1))
                      for fold in alone["choices"]]
            self.assertEqual(sum(counts), sum(positive))
            self.assertLessEqual(max(counts) - min(counts), 1)
        self.assertEqual(len({task["splits_checksum"] for task in together["tasks"]}), 3)

    def test_report(self):
        """The page has the numbers of the JSON, each score beside what it is where nothing is learned."""
        page = self.path("page.html")
        found = self.json("evaluate", self.data, *self.quick, "--class", "0,1,2", "--report", page, "--quiet")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        rows = dict(re.findall(r'<tr><th scope="row">([^<]*)</th>(.*?)</tr>', text))

        def cells(row):
            return re.findall(r"<td>([^<]*)</td>", rows[row])

        for task in found["tasks"]:
            scores = [f"{task[key]:.1f}" for key in ("auc_mean", "balanced_mean", "test_mean", "baseline", "test_low",
                                                     "test_high", "train_mean")]
            for key in ("auc_mean", "test_mean"):  # beside its dot
                self.assertIn(f">{task[key]:.1f}</text>", text)
            self.assertEqual(cells(task["name"])[:9], [str(task["graphs"]), str(task["positives"]), *scores])
        baseline = sum(task["baseline"] for task in found["tasks"]) / 3
        self.assertEqual(cells("mean")[2:6], [f"{found[key]:.1f}" for key in ("auc_mean", "balanced_mean", "test_mean")]
                         + [f"{baseline:.1f}"])
        self.assertIn(f"{found['auc_mean']:.1f}&#160;% mean area under the ROC curve over 3 tasks of TASKS</h1>", text)
        better = sum(task["test_mean"] > task["baseline"] for task in found["tasks"])
        self.assertIn(f"{baseline:.1f}&#160;%; {better} of 3 tasks", text)
        self.assertIn("leman evaluate", text)
        pages.is_whole(self, text)
        self.assertEqual(text.count('role="img"'), 6)  # scores by task, rounds, two curves, calibration, error by similarity

    def test_report_of_one_task(self):
        """Graphs without the class or the target are in no figure; the others keep their numbers."""
        for option in ("--class", "--target"):
            page = self.path("one.html")
            self.succeeds("evaluate", self.data, *self.quick, option, "1", "--report", page, "--quiet")
            with open(page, encoding="utf-8") as file:
                text = file.read()
            missing = [graph for graph in range(GRAPHS) if graph % 7 == 2]
            self.assertIn(f"<dd>{GRAPHS - len(missing)}</dd>", text)
            self.assertIn(f"<dd>{len(missing)} <small>take no part", text)
            shown = sorted(int(number) for number in re.findall(r"<title>graph (\d+), ", text))
            self.assertEqual(shown, [graph for graph in range(GRAPHS) if graph not in missing])

    @program.needs("browser")
    def test_report_in_a_browser(self):
        page = self.path("page.html")
        self.succeeds("evaluate", self.data, *self.quick, "--class", "0,1,2", "--stratified", "--report", page, "--quiet")
        pages.is_readable(self, page)

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
        self.assertEqual(lines[0], ["graph", "probability_0", "probability_1", "probability_2", "out_of_vocabulary", "similarity", "domain"])
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

    def test_network(self):
        """One network for all tasks: what train says of the best epoch is what its predictions give."""
        net, log, parts = self.path("net.lmn"), self.path("log.csv"), []
        order = [g * 7 % GRAPHS for g in range(GRAPHS)]
        lists = {"train": order[:25], "val": order[25:35], "test": order[35:]}
        for part, graphs in lists.items():
            parts += ["--" + part, self.write(part + ".txt", " ".join(map(str, graphs)) + "\n")]
        quick = ("-a", "GIN-eps", "--layers", "2", "--width", "8", "--epochs", "8", *parts, "--quiet")
        found = self.json("train", self.data, *quick, "--class", "0,1,2", "--score", "auc", "--class-weights", "balanced",
                          "--checkpoint", net, "--log", log)
        self.assertEqual((found["learns"], found["outputs"], found["selected_by"]), ("tasks", 3, "auc"))
        missing = sum(graph % 7 == 2 for graph in range(GRAPHS))
        self.assertEqual([task["graphs"] for task in found["tasks"]], [GRAPHS, GRAPHS - missing, GRAPHS])
        self.assertEqual([task["name"] for task in found["tasks"]], ["0", "1", "2"])
        self.assertEqual(found["tasks"][0]["positives"], GRAPHS // 3)
        predicted = self.json("predict", "--model", net, self.data, "--quiet")
        table = leman("predict", "--model", net, self.data)
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertIn("task 1: AUC", table.stderr)
        lines = [line.split(",") for line in table.stdout.splitlines()]
        self.assertEqual(lines[0], ["graph", "probability_0", "probability_1", "probability_2", "out_of_vocabulary"])
        rows = [row["probabilities"] for row in predicted["predictions"]]
        self.assertEqual([[float(cell) for cell in line[1:4]] for line in lines[1:]], rows)

        def label(graph, task):
            if task == 1 and graph % 7 == 2:
                return None
            return (graph % 3 == 0, graph % 3 == 1, graph * 7 % 11 < 3)[task]

        def auc(graphs, task, shift=0):
            """shift: how much the positives' predictions are raised."""
            pairs = [(rows[a][task] + shift > rows[b][task]) + (rows[a][task] + shift == rows[b][task]) / 2
                     for a in graphs if label(a, task) is True for b in graphs if label(b, task) is False]
            return 100 * sum(pairs) / len(pairs)

        for task in range(3):
            self.assertAlmostEqual(predicted["tasks"][task]["auc"], auc(range(GRAPHS), task), places=9)
            for part in ("val", "test"):  # in another batch isomorphic graphs may differ in the last digits, either way
                least, most = auc(lists[part], task, -1e-6), auc(lists[part], task, 1e-6)
                self.assertTrue(least - 1e-3 <= found["tasks"][task][part + "_auc"] <= most + 1e-3)
                self.assertLess(most - least, 50)
        for part in ("val", "test"):
            labels = [(label(g, t), rows[g][t] > 0.5) for g in lists[part] for t in range(3) if label(g, t) is not None]
            wrong = 100 * sum(a != b for a, b in labels) / len(labels)
            self.assertAlmostEqual(found["best"][part + "_error"], wrong, places=9)
            mean = sum(task[part + "_auc"] for task in found["tasks"]) / 3
            self.assertAlmostEqual(found["best"][part + "_score"], mean, places=9)
            self.assertAlmostEqual(found[part + "_auc_mean"], mean, places=9)
        self.assertEqual(found["best"]["val_score"], max(epoch["val_score"] for epoch in found["epochs"]))
        majority = sum(max(t.count(True), t.count(False)) for t in
                       ([label(g, t) for g in lists["test"]] for t in range(3)))
        known = sum(label(g, t) is not None for g in lists["test"] for t in range(3))
        self.assertAlmostEqual(found["baseline"], 100 - 100 * majority / known, places=9)
        with open(log, encoding="ascii") as file:
            head = file.readline().strip().split(",")
        self.assertEqual(head[-8:], ["val_auc", "test_auc"] + [f"{p}_auc_{t}" for p in ("val", "test") for t in range(3)])

        page = self.path("page.html")
        done = leman("train", self.data, *quick, "--class", "0,1", "--report", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("test accuracy", done.stdout)
        self.assertRegex(done.stdout, r"task +graphs +positives +validation AUC +test AUC\n +0 +45 +15 ")
        with open(page, encoding="utf-8") as file:
            self.assertIn("<h2>Tasks</h2>", file.read())
        for status, arguments, sentence in (
            (2, ("predict", "--model", net, self.data, "--class", "0"), "names of its tasks"),
            (2, ("train", self.data, "--class", "0,1", "--score", "r2"), "expected accuracy, balanced or auc"),
            (2, ("train", self.data, "--class", "0,1", "--target", "2"), "--class and --target"),
            (2, ("train", self.data, "--class", "0,1", "--classes"), "--classes and several tasks"),
            (2, ("train", self.data, "--target", "0", "--score", "auc"), "'--score' has no effect with --target"),
            (2, ("train", self.data, "--class", "0,1", "--class-weights", "1,2,3"), "expected 2, one for each class of a task"),
            (1, ("train", self.data, "--class", "0,9"), "there is no target '9'"),
        ):
            with self.subTest(arguments=arguments):
                done = leman(*arguments)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(sentence, done.stderr)

    def test_network_by_folds(self):
        quick = ("-a", "GIN-eps", "--layers", "2", "--width", "8", "--epochs", "4", "--folds", "3", "--repetitions", "1")
        found = self.json("train", self.data, *quick, "--class", "0,1,2", "--score", "auc", "--quiet")
        self.assertEqual([task["name"] for task in found["tasks"]], ["0", "1", "2"])
        self.assertEqual(found["tasks"][2]["positives"], sum(graph * 7 % 11 < 3 for graph in range(GRAPHS)))
        self.assertAlmostEqual(found["auc_mean"], sum(task["auc_mean"] for task in found["tasks"]) / 3, places=9)
        self.assertAlmostEqual(found["test_score_mean"], sum(c["test_score"] for c in found["choices"]) / 3, places=9)
        self.assertEqual(found["selected_by"], "auc")
        labels = [[graph % 3 == 0 for graph in range(GRAPHS)], [graph % 3 == 1 for graph in range(GRAPHS) if graph % 7 != 2],
                  [graph * 7 % 11 < 3 for graph in range(GRAPHS)]]
        majority = sum(max(sum(task), len(task) - sum(task)) for task in labels) / sum(map(len, labels))
        self.assertAlmostEqual(found["baseline"], 100 * majority, places=9)  # every graph is tested once
        done = leman("train", self.data, *quick, "--class", "0,1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"task +graphs +positives +AUC\n +0 +45 +15 ")

    def test_missing_in_networks(self):
        """Targets and classes of which some are missing are learned from the others."""
        quick = ("-a", "GIN-eps", "--layers", "1", "--width", "4", "--epochs", "2")
        done = leman("train", self.data, *quick, "--target", "0,1", "--checkpoint", self.path("t.lmn"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("7 of 45 graphs have no value of target 1 and take no part in learning it", done.stderr)
        rows = self.json("predict", "--model", self.path("t.lmn"), self.data, "--quiet")
        known = [g for g in range(GRAPHS) if g % 7 != 2]
        errors = [abs(row["targets"][0] - (g % 3 == 0)) for g, row in enumerate(rows["predictions"])]
        others = [abs(rows["predictions"][g]["targets"][1] - (g % 3 == 1)) for g in known]
        mean = (sum(errors) / GRAPHS + sum(others) / len(known)) / 2
        self.assertAlmostEqual(rows["error"], mean, places=9)
        done = leman("train", self.data, *quick, "--class", "1", "--checkpoint", self.path("c.lmn"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("7 of 45 graphs have no class and are ignored", done.stderr)
        rows = self.json("predict", "--model", self.path("c.lmn"), self.data, "--class", "1", "--quiet")
        right = [rows["predictions"][g]["class"] == (g % 3 == 1) for g in known]
        self.assertAlmostEqual(rows["accuracy"], 100 * sum(right) / len(known), places=9)

    def test_the_log_counts_missing_values(self):
        done = leman("evaluate", self.data, *self.quick, "--class", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("graphs have no class and are ignored", done.stderr)
        done = leman("fit", self.data, "-a", "1-WL", "-r", "1", "--class", "1", "-o", self.path("m.model"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("graphs have no class and are ignored", done.stderr)

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
            (2, ("--class", "0,1", "--stratified", "--write-splits", "s"), "each task has its own folds"),
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
