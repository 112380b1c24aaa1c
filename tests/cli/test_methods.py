"""Names of methods: the same ones in every command, the paper's on every output, and several of them where that has a meaning."""
import unittest

import pages
import program

SPELLINGS = {"1-WL": ("1-wl", "WL1", "wl:1"), "2-WL": ("2-WL", "wl:2", "WL2", "2–WL"),
             "delta-2-WL": ("DELTA-2-WL", "DWL2", "δ-2-WL"), "delta-2-LWL": ("delta-2-LWL", "δ-2-LWL", "local:2", "lwl2"),
             "delta-2-LWL+": ("delta-2-LWL+", "δ-2-LWL⁺", "LWLP2", "local+:2"), "2-FWL": ("2-FWL", "folklore:2")}
NETWORKS = {"delta-2-LGNN": ("δ-2-LGNN", "local:2", "local"), "delta-2-LGNN+": ("delta-2-lgnn+", "local+"),
            "delta-2-GNN": ("delta-2-GNN", "delta:2"), "2-WL-GNN": ("2-WL-GNN", "wl"), "GIN-0": ("gin-0", "gin0"),
            "GIN-eps": ("GIN-ε", "gin"), "GINE-0": ("GINE-0",), "GINE-eps": ("gine",),
            "1-2-GNN": ("1-2-gnn", "gnn12"), "1-3-GNN": ("gnn13",), "1-2-3-GNN": ("1-2-3-GNN", "GNN123")}


class Methods(program.Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "16", "-o", self.data, "--quiet")

    def test_every_command_knows_every_name(self):
        for name, spellings in SPELLINGS.items():
            for spelled in spellings:
                found = self.json("colors", self.data, "-a", spelled, "-r", "1")
                self.assertEqual(found["method"], name)
                self.assertIn(found["algorithm"], ("wl", "delta", "local", "local+", "folklore"))
        quick = ("-r", "0-1", "--repetitions", "1", "--folds", "2", "--quiet")
        for name in SPELLINGS:
            for command, more in (("distinguish", ()), ("gram", ("-o", self.path("k.csv"))),
                                  ("features", ("-o", self.path("f.svm"))), ("evaluate", quick)):
                data = self.path("pair.leman") if command == "distinguish" else self.data
                if command == "distinguish":
                    self.succeeds("generate", "cycles", "-o", data, "--quiet")
                found = self.json(command, data, "-a", name, *more)
                self.assertEqual(found["method"], name, command)
            fitted = self.json("fit", self.data, "-a", name, "-r", "1", "--folds", "2", "-o", self.path("m.model"), "--quiet")
            self.assertEqual(fitted["model"]["kernels"][0]["method"], name)
        for name, spelled in (("WLOA", "wloa"), ("SP", "Sp"), ("GR", "graphlet"), ("GR:4", "gr:4"),
                              ("delta-2-LWL + SP", "lwl2+sp"), ("delta-2-LWL:assignment", "δ-2-LWL:assignment")):
            self.assertEqual(self.json("gram", self.data, "-a", spelled, "-o", self.path("k.csv"))["method"], name)

    def test_a_mistyped_name(self):
        """The sentence ends in the kernel or network that was probably meant, in commands of either."""
        for command, name, words in (("evaluate", "delta-2-LGN", "'delta-2-LGNN', a network?"), ("evaluate", "GIN-eps", "'GIN-eps', a network?"),
                                     ("evaluate", "wloaa", "'wloa', a kernel?"), ("compare", "gin-epz", "'GIN-eps', a network?"),
                                     ("train", "GINE-ep", "'GINE-eps', a network?"), ("train", "1-WL", "'1-WL', a kernel?"), ("evaluate", "1-WLL", "'1-WL', a kernel?")):
            others = ("-a", "1-WL") if command == "compare" else ()
            sentence = self.wrong(command, self.data, *others, "-a", name).splitlines()[0]
            self.assertTrue(sentence.endswith(f"; did you mean {words}"), (command, name, sentence))
        for command, name in (("evaluate", "zzzzzzzzzz"), ("evaluate", "GR:99"), ("train", "local:9")):
            self.assertNotIn("did you mean", self.wrong(command, self.data, "-a", name))

    def test_text_has_the_papers_name(self):
        self.assertIn(": delta-2-LWL+, rounds", self.succeeds("colors", self.data, "-a", "local+").stdout)
        text = self.succeeds("evaluate", self.data, "-a", "lwl2+sp", "-r", "0", "--repetitions", "1", "--folds", "2").stdout
        self.assertIn("m: delta-2-LWL + SP; ", text)
        text = self.succeeds("compare", self.data, "-a", "wl:1", "-a", "wloa", "-r", "0", "--repetitions", "1", "--folds",
                             "2").stdout
        self.assertRegex(text, r"(?m)^ +0 +1-WL .*\n +1 +WLOA ")

    def test_networks(self):
        for name, spellings in NETWORKS.items():
            for spelled in spellings:
                for option in ("-a", "--algorithm", "--model"):
                    found = self.json("train", self.data, option, spelled, "--epochs", "0", "--width", "4", "--quiet")
                    self.assertEqual(found["method"], name)
        self.assertEqual(self.json("train", self.data, "-a", "delta-3-LGNN", "--epochs", "0", "--width", "4")["k"], 3)
        text = self.succeeds("train", self.data, "-a", "gin", "--epochs", "1", "--width", "4", "--layers", "1")
        self.assertIn("GIN-eps, 1 layer of width 4:", text.stdout)
        self.assertIn("GIN-eps: ", text.stderr)
        self.wrong("train", self.data, "-a", "delta-4-LGNN", words=("'delta-4-LGNN'", "k from 2 to 3"))
        self.wrong("train", self.data, "-a", "gcn", words=("'gcn'", "GIN-eps", "delta-2-LGNN"))

    def test_splits_of_evaluate_serve_networks(self):
        """A file of splits is the folds that the same seed draws: training on either is the same to the last digit."""
        path = self.path("splits.txt")
        self.succeeds("evaluate", self.data, "-a", "1-WL", "-r", "0", "--repetitions", "2", "--folds", "3", "--write-splits",
                      path, "--seed", "5", "--quiet")
        rest = ("train", self.data, "-a", "GIN-0", "--layers", "1", "--width", "4", "--epochs", "2", "--seed", "5", "--quiet")
        drawn = self.json(*rest, "--folds", "3", "--repetitions", "2")
        read = self.json(*rest, "--splits", path)
        self.assertEqual((read["repetitions"], read["folds"], read["splits"]), (2, 3, path))
        self.assertEqual([c["test"] for c in read["choices"]], [c["test"] for c in drawn["choices"]])
        self.assertEqual(read["test_mean"], drawn["test_mean"])
        self.assertIsNone(drawn["splits"])
        self.wrong(*rest, "--splits", path, "--folds", "4", words=(path, "2 repetitions of 3 folds", "--folds"))
        self.wrong(*rest, "--splits", path, "--export", self.path("w.npz"), words=("--splits", "--export"))

    def test_contradictions(self):
        for command, more in (("colors", ()), ("gram", ("-o", self.path("k.csv"))), ("features", ("-o", self.path("f.svm"))),
                              ("fit", ("-o", self.path("m.model"))), ("evaluate", ()), ("compare", ("-a", "1-WL"))):
            for name, k in (("delta-2-LWL", "3"), ("LWL2", "3"), ("local:2", "3")):
                self.wrong(command, self.data, "-a", name, *more, "-k", k, words=("sets k to 2", "-k 3", "expected one"))
        self.wrong("gram", self.data, "-a", "WLOA", "-k", "2", "-o", self.path("k.csv"), words=("WLOA", "sets k to 1"))
        self.wrong("train", self.data, "-a", "delta-2-LGNN", "-k", "3", words=("sets k to 2", "-k 3"))
        self.assertEqual(self.json("colors", self.data, "-a", "delta-2-LWL", "-k", "2", "-r", "0")["k"], 2)
        both = self.json("compare", self.data, "-a", "1-WL", "-a", "local", "-k", "2", "-r", "0", "--repetitions", "1", "--folds",
                         "2")  # -k is for the name that leaves it open
        self.assertEqual([m["method"] for m in both["methods"]], ["1-WL", "delta-2-LWL"])

    def test_several_methods_are_not_a_sum(self):
        for command, more in (("gram", ("-o", self.path("k.csv"))), ("features", ("-o", self.path("f.svm"))),
                              ("fit", ("-o", self.path("m.model"))), ("evaluate", ())):
            said = self.wrong(command, self.data, "-a", "1-WL", "-a", "SP", *more, words=("-a 2 times", "-a 1-WL+SP"))
            self.assertEqual("leman compare" in said, command == "evaluate")

    def test_networks_are_methods_of_compare(self):
        """Kernels and networks on the same splits: one table, and t, p and Holm's p that follow from the scores of the folds."""
        page = self.path("page.html")
        rest = ("compare", self.data, "-a", "delta-2-LWL", "-a", "GIN-eps", "-a", "network:local", "-r", "0-1", "--repetitions",
                "2", "--folds", "3", "--epochs", "2", "--layers", "1", "--width", "4", "--quiet")
        found = self.json(*rest, "--report", page)
        self.assertEqual([m["method"] for m in found["methods"]], ["delta-2-LWL", "GIN-eps", "delta-2-LGNN"])
        self.assertEqual([m["machine"] for m in found["methods"]], ["kernel", "network", "network"])
        self.assertEqual([(m["algorithm"], m["k"]) for m in found["methods"]], [("local", 2), ("gin", None), ("local", 2)])
        ratio = sum(len(t) / (16 - len(t)) for t in ([0] * 6, [0] * 5, [0] * 5)) / 3  # 16 graphs in three folds
        p_values = []
        for pair in found["pairs"]:
            first, second = (found["methods"][pair[which]]["test"] for which in ("first", "second"))
            difference = [a - b for a, b in zip(first, second)]
            mean = sum(difference) / 6
            variance = sum((d - mean) ** 2 for d in difference) / 5
            self.assertAlmostEqual(pair["difference"], mean)
            if variance:
                self.assertAlmostEqual(pair["t"], mean / ((1 / 6 + ratio) * variance) ** 0.5)
            p_values.append(pair["p"])
        smallest = min(range(3), key=p_values.__getitem__)
        self.assertAlmostEqual(found["pairs"][smallest]["p_holm"], min(1, 3 * p_values[smallest]))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for words in ("Comparison", "δ-2-LWL, GIN-ε", "GIN-ε, δ-2-LGNN", "p (Holm)"):
            self.assertIn(words, text)
        self.assertIn(f"<td>{found['pairs'][0]['p']:.4f}</td><td>{found['pairs'][0]['p_holm']:.4f}</td>", text)
        self.assertRegex(self.succeeds(*rest).stdout, r"(?m)^  1  GIN-eps .* -  network$")
        alone = self.json("compare", self.data, "-a", "gin0", "-a", "GIN-0", "--repetitions", "1", "--folds", "2", "--epochs", "1",
                          "--report", page, "--quiet")  # networks alone; equal ones are equal
        self.assertEqual((alone["pairs"][0]["difference"], alone["pairs"][0]["p"]), (0, 1))
        self.wrong("compare", self.data, "-a", "1-WL", "-a", "network:gcn", words=("'network:gcn'", "GIN-eps"))
        self.wrong("compare", self.data, "-a", "GIN-0", "-a", "delta-2-LGNN", "-k", "3", words=("sets k to 2",))

    def test_layers_and_widths_by_validation(self):
        """Lists are the grid of leman train --folds, on the same splits: the same scores."""
        splits = self.path("splits.txt")
        grid = ("--layers", "1-2", "--width", "4,8", "--epochs", "2")
        kernel = self.json("evaluate", self.data, "-a", "1-WL", "-r", "0-1", "--repetitions", "2", "--folds", "3",
                           "--write-splits", splits)
        found = self.json("compare", self.data, "-a", "1-WL", "-a", "GIN-eps", "-r", "0-1", "--splits", splits, *grid)
        alone = self.json("train", self.data, "-a", "GIN-eps", "--ignore", "attributes", "--splits", splits, *grid)
        self.assertEqual(found["methods"][0]["test_mean"], kernel["test_mean"])
        self.assertEqual(found["methods"][1]["test"], [fold["test"] for fold in alone["choices"]])
        self.assertEqual((found["methods"][1]["layers"], found["methods"][1]["layers_choices"]), (None, [1, 2]))
        self.assertEqual(found["methods"][1]["width_choices"], [4, 8])

    def test_networks_resume(self):
        journal = self.path("j")
        rest = ("compare", self.data, "-a", "1-WL", "-a", "GIN-0", "-r", "0", "--repetitions", "1", "--folds", "2", "--epochs",
                "2", "--quiet", "--resume", journal)
        first = self.json(*rest)
        again = self.json(*rest)
        self.assertEqual([m["test"] for m in first["methods"]], [m["test"] for m in again["methods"]])

    def test_networks_learn_targets(self):
        data = self.path("v.zip")
        self.succeeds("generate", "molecules", "--graphs", "20", "-o", data, "--quiet")
        found = self.json("compare", data, "-a", "SP", "-a", "GIN-eps", "--target", "0", "--repetitions", "1", "--folds", "2",
                          "--epochs", "2", "--width", "8", "--quiet")
        self.assertEqual(found["score"], "mean absolute error")
        self.assertGreater(found["methods"][1]["test_mean"], 0)

    def test_parts(self):
        """Fixed parts: those of a file of splits, and those on which leman train trains and tests."""
        data, page = self.path("v.zip"), self.path("page.html")
        self.succeeds("generate", "molecules", "--graphs", "20", "-o", data, "--quiet")
        parts = ("--target", "0", "--parts", "train=12,test=5,val=3")
        network = ("--epochs", "2", "--width", "8", "--layers", "2", "--quiet", "-t", "1")
        found = self.json("compare", data, "-a", "1-WL", "-a", "GIN-eps", "-a", "GIN-0", "-r", "0-1", *parts, *network,
                          "--report", page)
        splits = self.write("s.txt", "graphs 20\n0 0 test 12-16\n0 0 validation 17-19\n")
        kernel = self.json("evaluate", data, "-a", "1-WL", "-r", "0-1", "--target", "0", "--splits", splits)
        self.assertEqual(found["methods"][0]["test_mean"], kernel["test_mean"])
        self.assertEqual(found["splits_checksum"], kernel["splits_checksum"])
        for method in found["methods"][1:]:
            alone = self.json("train", data, "-a", method["method"], "--preset", "zinc", "--ignore", "attributes", *parts,
                              *network)
            self.assertEqual(method["test_mean"], alone["best"]["test_error"])
            self.assertEqual(method["parameters"], alone["parameters"])
        self.assertIsNone(found["methods"][0]["parameters"])
        with open(page, encoding="utf-8") as file:
            text, pictures = pages.is_whole(self, file.read())
        for heading in ("Error and cost", "Error against seconds", "Error against parameters"):
            self.assertIn(heading, text)
        self.wrong("evaluate", data, *parts, "--folds", "3", words=("'--parts'", "with --folds"))
        self.wrong("evaluate", data, *parts, "--scaffold", words=("'--parts'", "with --scaffold"))
        self.wrong("evaluate", data, "--parts", "train=17,val=3", words=("'--parts'", "val and test"))
        self.fails("evaluate", data, "--parts", "train=10,val=3,test=3", words=("16 graphs", "20"))


if __name__ == "__main__":
    program.main()
