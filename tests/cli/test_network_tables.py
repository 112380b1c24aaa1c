#!/usr/bin/env python3
"""leman reproduce of the tables of networks: cells by the protocol of leman train, cells that were not run, data that is
not there, and runs that go on."""
import json
import os
import re
import shutil
import statistics
import subprocess

import pages
import program
from program import Case
from test_reproduce import tables


class NetworkTables(Case):
    """Small sets under the names of the paper's."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("data"))
        self.zinc = self.path("data", "ZINC_10k")
        self.generate(16)

    def generate(self, train):
        self.succeeds("generate", "molecules", "--graphs", str(train + 8), "--vertices", "12", "-o", self.zinc, "-q")
        for name, graphs in (("train", range(train)), ("val", range(train, train + 4)), ("test", range(train + 4, train + 8))):
            self.write(f"data/ZINC_10k/{name}.index", ",".join(map(str, graphs)))

    def arguments(self, *more, table="zinc"):
        return ("reproduce", "--table", table, "--data", self.path("data"), "-t", "1", "-q", *more)

    def cells(self, *more, table="zinc"):
        found = self.json(*self.arguments(*more, table=table))
        return {(c["method"], c["set"], c["part"]): c for c in found["tables"][0]["cells"]}

    def test_cells_are_those_of_train(self):
        cells = self.cells("--methods", "GINE-ε", "--epochs", "2", "--runs", "2")
        cell = cells["GINE-eps", "ZINC_10k", "MAE"]
        runs = self.json("train", self.zinc, "-a", "GINE-eps", "--target", "0", "--epochs", "2", "--runs", "2", "-t", "1",
                         *(x for part in ("train", "val", "test") for x in (f"--{part}", f"{self.zinc}/{part}.index")))
        errors = [run["best"]["test_error"] for run in runs["runs"]]
        self.assertAlmostEqual(cell["ours"], statistics.fmean(errors))
        self.assertAlmostEqual(cell["ours_std"], statistics.pstdev(errors))
        self.assertAlmostEqual(cell["difference"], cell["ours"] - 0.278)
        self.assertEqual((cell["published"], cell["published_std"], cell["runs"], cell["state"]), (0.278, 0.022, 2, "done"))
        self.assertEqual(cell["parameters"], runs["parameters"])
        missing = cells["GINE-eps", "ZINC_full", "MAE"]
        self.assertEqual((missing["state"], missing["ours"], missing["published"]), ("missing", None, 0.084))
        self.assertIn("ZINC_full.zip", missing["note"])

    def test_page(self):
        runs = self.path("runs.txt")
        asked = ("--methods", "gine,local", "--only", "ZINC_10k,ZINC_50k", "--epochs", "1", "--runs", "1", "--resume", runs)
        self.cells("--methods", "gine", "--only", "ZINC_10k", "--epochs", "1", "--runs", "1", "--resume", runs)
        page = self.succeeds(*self.arguments(*asked, "--finished")).stdout
        (heading, rows), = tables(page).items()
        self.assertEqual(heading, "ZINC: mean absolute error")
        self.assertEqual(rows[0], ["method", "", "ZINC_10k", "ZINC_50k"])
        self.assertIn("1 run from a random start, seed 1", page)
        self.assertEqual([row[1] for row in rows[2:]], ["ours", "published", "difference"] * 2)
        self.assertEqual([row[0] for row in rows[2::3]], ["GINE-ε", "δ-2-LGNN"])
        self.assertRegex(rows[2][2], r"\A\d\.\d{3}\Z")
        self.assertEqual(rows[2][3], "not run")
        self.assertEqual(rows[5][2:], ["not run", "not run"])
        self.assertEqual(rows[3][2:], ["0.278 ±0.022", "0.145 ±0.006"])
        self.assertEqual(rows[6][2:], ["0.306 ±0.044", "0.100 ±0.005"])
        self.assertRegex(rows[4][2], r"\A[+-]\d\.\d{3}\Z")
        other = tables(self.succeeds(*self.arguments("--methods", "gine", "--only", "ZINC_10k", "--resume", runs,
                                                     "--finished")).stdout)
        self.assertEqual(other[heading][2][2], "not run")  # a run of one epoch is none of the published limit
        html = self.path("page.html")
        self.succeeds(*self.arguments(*asked, "--finished", "-o", html))
        with open(html, encoding="utf-8") as file:
            text, pictures = pages.is_whole(self, file.read())
        self.assertGreaterEqual(len(pictures), 1)
        self.assertIn("not run", text)

    def test_goes_on(self):
        """A run that was stopped is continued, finished ones are not repeated, and the file is the sum of all calls."""
        runs = self.path("runs.txt")
        asked = ("--methods", "GINE-eps", "--only", "ZINC_10k", "--epochs", "3")
        whole = self.cells(*asked, "--runs", "3")["GINE-eps", "ZINC_10k", "MAE"]
        self.cells(*asked, "--runs", "1", "--resume", runs)
        stopped = self.cells(*asked, "--runs", "2", "--resume", runs, "--time-limit", "0.001")["GINE-eps", "ZINC_10k", "MAE"]
        self.assertEqual(stopped["runs"], 1)
        self.assertRegex(stopped["note"], "not (begun|finished) within 0.001 seconds")
        with open(runs, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 2)
        rest = self.cells(*asked, "--runs", "3", "--resume", runs)["GINE-eps", "ZINC_10k", "MAE"]
        self.assertEqual((rest["ours"], rest["ours_std"], rest["runs"]), (whole["ours"], whole["ours_std"], 3))
        with open(runs, encoding="utf-8") as file:
            lines = file.readlines()
        self.assertEqual(len(lines), 4)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("runs.txt.")], [])
        again = self.cells(*asked, "--runs", "2", "--resume", runs)["GINE-eps", "ZINC_10k", "MAE"]
        self.assertEqual(again["runs"], 3)
        with open(runs, encoding="utf-8") as file:
            self.assertEqual(file.readlines(), lines)
        other = self.cells(*asked[:-1], "2", "--runs", "1", "--resume", runs)["GINE-eps", "ZINC_10k", "MAE"]
        self.assertEqual(other["runs"], 1)  # another limit of epochs is another cell

    def test_what_cannot_be_computed(self):
        """A list that is missing is a note of its cell; where no cell could be computed, the command fails."""
        self.succeeds("generate", "molecules", "--graphs", "20", "-o", self.path("data", "ZINC_full"), "-q")
        asked = ("--methods", "GINE-eps", "--epochs", "1", "--runs", "1", "--only")
        cells = self.cells(*asked, "ZINC_10k,ZINC_full")
        cell = cells["GINE-eps", "ZINC_full", "MAE"]
        self.assertEqual((cell["state"], cell["runs"]), ("not run", 0))
        self.assertIn("found no train.index", cell["note"])
        self.assertEqual(cells["GINE-eps", "ZINC_10k", "MAE"]["state"], "done")
        page = self.path("page.md")
        self.fails(*self.arguments(*asked, "ZINC_full", "-o", page),
                   words=("zinc, ZINC_full, GINE-eps: ", "found no train.index"))
        self.assertFalse(os.path.exists(page))
        self.fails(*self.arguments(*asked, "ZINC_50k,ZINC_full"), words=("nor could any other cell be computed",))
        state = self.path("runs.txt")
        self.write("runs.txt.zinc.GINE-eps.ZINC_10k.run0", "no checkpoint at all\n")
        self.fails(*self.arguments(*asked, "ZINC_10k", "--resume", state), words=("runs.txt.zinc.GINE-eps", "checkpoint"))

    def test_time_limit(self):
        """What it says of the state is what is there."""
        shutil.rmtree(self.zinc)
        self.generate(200)  # all of its epochs take many times as long as the start of the program
        state = self.path("runs.txt")
        kept = self.path("runs.txt.zinc.GINE-eps.ZINC_10k.run0")
        asked = ("--methods", "GINE-eps", "--only", "ZINC_10k", "--runs", "1", "--resume", state, "--epochs")
        limit = 0.01
        while not os.path.exists(kept):  # until an epoch fits
            cell = self.cells(*asked, "100000", "--time-limit", str(limit))["GINE-eps", "ZINC_10k", "MAE"]
            self.assertEqual((cell["state"], cell["runs"]), ("not run", 0))
            words = "goes on behind its last epoch" if os.path.exists(kept) else "nothing of it is kept|not begun within"
            self.assertRegex(cell["note"], words)
            limit *= 2
        self.cells(*asked, "100000", "--time-limit", str(2 * limit))  # one more at least
        self.fails(*self.arguments(*asked, "1"), words=("epochs, expected at most the 1 that is asked for",))

    def test_checksums(self):
        """Those of the data, also where nothing is read but finished runs."""
        state = self.path("runs.txt")
        asked = ("--methods", "GINE-eps", "--only", "ZINC_10k,ZINC_50k", "--epochs", "1", "--runs", "1", "--resume", state)
        first = self.json(*self.arguments(*asked))["sets"]
        finished = self.json(*self.arguments(*asked, "--finished"))["sets"]
        self.assertRegex(first[0]["data_checksum"], r"\A[0-9a-f]{16}\Z")
        self.assertEqual([s["data_checksum"] for s in finished], [s["data_checksum"] for s in first])
        self.assertIn(first[0]["data_checksum"], self.succeeds(*self.arguments(*asked, "--finished")).stdout)

    def test_times(self):
        cells = self.cells("--only", "ZINC_10k", "--runs", "1", "--epochs", "2", "--methods", "GINE-eps,delta-2-LGNN",
                           table="network-times")
        unit = cells["delta-2-LGNN", "ZINC_10k", "ratio"]
        self.assertEqual(unit["ours"], 1)
        seconds = {m: cells[m, "ZINC_10k", "seconds"]["ours"] for m in ("GINE-eps", "delta-2-LGNN")}
        self.assertAlmostEqual(cells["GINE-eps", "ZINC_10k", "ratio"]["ours"], seconds["GINE-eps"] / seconds["delta-2-LGNN"])

    def test_folds(self):
        """tu-networks are the folds of leman train; mid-scale has kernels beside networks."""
        self.succeeds("generate", "molecules", "--graphs", "40", "--vertices", "12", "-o",
                      self.path("data", "Mutagenicity.zip"), "-q")
        cells = self.cells("--only", "Mutagenicity", "--runs", "1", "--epochs", "1", "--methods", "1-WL,GINE-eps",
                           table="mid-scale")
        folds = self.json("train", self.path("data", "Mutagenicity.zip"), "-a", "GINE-eps", "--folds", "10",
                          "--repetitions", "1", "--layers", "2", "--width", "64", "--epochs", "1", "-t", "1")
        kernel = self.json("evaluate", self.path("data", "Mutagenicity.zip"), "-a", "1-WL", "--folds", "10",
                           "--repetitions", "1", "--svm", "linear", "-t", "1")
        self.assertEqual(cells["GINE-eps", "Mutagenicity", "accuracy"]["ours"], folds["test_mean"])
        self.assertEqual(cells["1-WL", "Mutagenicity", "accuracy"]["ours"], kernel["test_mean"])
        self.assertGreater(cells["1-WL", "Mutagenicity", "seconds"]["ours"], 0)
        self.assertIsNone(cells["GINE-eps", "Mutagenicity", "seconds"]["ours"])

    def test_sets_that_are_not_there(self):
        self.fails(*self.arguments(table="alchemy"), words=("alchemy_full.zip",))
        self.fails(*self.arguments(table="qm9"), words=("QM9.zip",))

    def test_all_networks_of_qm9(self):
        """Every row runs, on graphs with the columns of QM9."""
        path, indicator, labels, values, targets = "", "", "", "", ""
        for g in range(20):
            for v in range(3):
                label = (g + v) % 5
                hot = ", ".join(str(int(i == label)) for i in range(5))
                labels += f"{label}\n"
                values += f"{hot}, {label}, 0, 1, 0, 0, 1, 0, {g % 3}, {0.5 * v}, {0.25 * g}, 1\n"
                indicator += f"{g + 1}\n"
            for u, v in ((1, 2), (2, 3)):
                path += f"{3 * g + u}, {3 * g + v}\n{3 * g + v}, {3 * g + u}\n"
            targets += ", ".join(str(g % (t + 2) + 0.5 * t) for t in range(12)) + "\n"
        made = self.tu("QM9", A=path, graph_indicator=indicator, node_labels=labels, node_attributes=values,
                       edge_labels="1\n" * path.count("\n"), graph_attributes=targets)
        os.rename(made, self.path("data", "QM9"))
        for method, cell in ((key[0], cell) for key, cell in self.cells("--runs", "1", "--epochs", "1", table="qm9").items()):
            self.assertEqual((method, cell["state"], cell["note"]), (method, "done", None))
            self.assertGreater(cell["ours"], 0)

    def test_qm9_without_positions(self):
        self.succeeds("generate", "molecules", "--graphs", "20", "--vertices", "12", "-o", self.path("data", "QM9"), "-q")
        self.fails(*self.arguments("--runs", "1", "--epochs", "1", table="qm9"),
                   words=("QM9_node_attributes.zip", "nor could any other cell"))

    def test_merge(self):
        """Files of several processes are one table; what they have is not computed again."""
        os.mkdir(self.path("states"))
        asked = ("--only", "ZINC_10k", "--epochs", "2")
        whole = self.cells(*asked, "--methods", "GINE-eps", "--runs", "2")["GINE-eps", "ZINC_10k", "MAE"]
        first, second = self.path("states", "a"), self.path("states", "b")
        processes = [subprocess.Popen([program.LEMAN, *self.arguments(*asked, "--methods", method, "--runs", "1", "--resume",
                                                                      path)], stdout=subprocess.DEVNULL)
                     for method, path in (("GINE-eps", first), ("local", second))]
        self.assertEqual([process.wait() for process in processes], [0, 0])
        cells = self.cells(*asked, "--merge", first, "--merge", second, "--finished")
        self.assertEqual({key[0] for key, cell in cells.items() if cell["state"] == "done"}, {"GINE-eps", "delta-2-LGNN"})
        page = self.succeeds(*self.arguments(*asked, "--merge", first, "--merge", second, "--finished")).stdout
        self.assertIn(f"all runs are those of {first}, {second}\n", page)
        third = self.path("states", "c")
        cell = self.cells(*asked, "--methods", "GINE-eps", "--runs", "2", "--merge", first, "--resume", third)
        cell = cell["GINE-eps", "ZINC_10k", "MAE"]
        self.assertEqual((cell["runs"], cell["ours"], cell["ours_std"]), (2, whole["ours"], whole["ours_std"]))
        with open(third, encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 2)  # the head, and the run that the other file has not
        self.fails(*self.arguments(*asked, "--merge", self.path("states", "no"), "--finished"), words=("states/no",))
        self.wrong("reproduce", "--merge", first, "--data", self.path("data"), words=("--merge", "no effect"))

    def test_beside(self):
        """Errors against seconds and parameters: networks of the table, and results of other commands."""
        parts = "train=16,val=4,test=4"
        kernels, network, state = self.path("k.json"), self.path("n.json"), self.path("runs")
        self.succeeds("compare", self.zinc, "--target", "0", "--parts", parts, "--svm", "linear", "-a", "1-WL", "-a", "SP",
                      "-r", "0-1", "-o", kernels, "-q")
        self.succeeds("train", self.zinc, "-a", "GIN-eps", "--target", "0", "--parts", parts, "--width", "4", "--epochs", "2",
                      "-o", network, "-q")
        self.cells("--methods", "GINE-eps", "--only", "ZINC_10k", "--epochs", "1", "--runs", "1", "--resume", state)
        asked = self.arguments("--methods", "GINE-eps", "--only", "ZINC_10k", "--epochs", "1", "--runs", "1", "--resume",
                               state, "--finished")
        page = self.succeeds(*asked, "--beside", kernels, "--beside", network).stdout
        rows = tables(page)["Does it pay? Error against seconds and parameters on ZINC_10k"]
        self.assertEqual(rows[0], ["method", "", "MAE", "seconds", "parameters"])
        self.assertEqual([row[0] for row in rows[2:]], ["GINE-ε", "1-WL", "SP", "GIN-ε"])
        with open(kernels, encoding="utf-8") as file:
            first = json.load(file)["methods"][0]
        with open(network, encoding="utf-8") as file:
            own = json.load(file)
        self.assertEqual(rows[3][2:], [f"{first['test_mean']:.3f}",
                                       f"{first['seconds_features'] + first['seconds_svm']:.3g}", "–"])
        self.assertEqual(rows[5][2:], [f"{own['best']['test_error']:.3f}", f"{own['seconds']:.3g}", f"{own['parameters']:,}"])
        html = self.path("page.html")
        self.succeeds(*asked, "--beside", kernels, "--beside", network, "-o", html)
        with open(html, encoding="utf-8") as file:
            text, pictures = pages.is_whole(self, file.read())
        self.assertIn("Error against seconds", text)
        self.assertIn("Error against parameters", text)
        self.assertNotIn("Does it pay", self.succeeds(*asked).stdout)  # one method is no comparison
        other = self.write("other.json", '{"name": "MUTAG", "method": "SP", "test_mean": 1, "seconds": 1}')
        self.fails(*asked, "--beside", other, words=("other.json", "'MUTAG'"))
        for wrong in ("[", "[]", '{"name": "ZINC_10k"}', '{"name": "ZINC_10k", "method": "SP", "test_mean": null, "seconds": 1}'):
            self.fails(*asked, "--beside", self.write("wrong.json", wrong), words=("wrong.json", "found no"))

    @program.needs("browser")
    def test_in_a_browser(self):
        kernels, page = self.path("k.json"), self.path("page.html")
        self.succeeds("compare", self.zinc, "--target", "0", "--parts", "train=16,val=4,test=4", "--svm", "linear", "-r", "0-1",
                      "-a", "1-WL", "-a", "SP", "-a", "GR", "-a", "delta-2-LWL", "-a", "delta-2-LWL+", "-o", kernels, "-q")
        self.succeeds(*self.arguments("--methods", "GINE-eps,delta-2-LGNN", "--only", "ZINC_10k", "--epochs", "1", "--runs",
                                      "2", "--beside", kernels, "-o", page))
        pages.is_readable(self, page)

    def test_wrong_command_lines(self):
        data = ("--data", self.path("data"))
        self.wrong("reproduce", "--table", "zinc,kernels", *data, words=("kernels and of networks",))
        self.wrong("reproduce", "--table", "zinc", "--repetitions", "3", *data, words=("--repetitions", "no effect"))
        self.wrong("reproduce", "--runs", "3", *data, words=("--runs", "no effect"))
        self.wrong("reproduce", "--only", "ZINC_10k", *data, words=("--only",))
        self.wrong("reproduce", "--table", "zinc", "--methods", "1-WL", *data, words=("1-WL", "no method"))
        self.wrong("reproduce", "--table", "zinc", "--only", "NCI1", *data, words=("NCI1", "no data set"))


if __name__ == "__main__":
    program.main()
