"""Options that have no effect on a command line are refused; those that do not apply to the algorithm are told."""
import json
import re
import subprocess

import program


class Effects(program.Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "16", "-o", self.data, "--quiet")

    def test_refused(self):
        quick = ("--epochs", "1", "--width", "4", "--layers", "1")
        listed = self.write("list.txt", "0 1 2 3\n")
        for arguments, words in (
                (("train", self.data, *quick, "--repetitions", "3"), ("'--repetitions'", "without --folds or --splits")),
                (("train", self.data, *quick, "--folds", "2", "--val-share", "0.2"), ("'--val-share'", "with --folds")),
                (("train", self.data, *quick, "--train", listed, "--val", listed, "--test-share", "0.2"),
                 ("'--test-share'", "with --train")),
                (("train", self.data, *quick, "--val", listed), ("'--val'", "without --train")),
                (("train", self.data, *quick, "--resume"), ("'--resume'", "without --checkpoint")),
                (("train", self.data, *quick, "--classes", "--square"), ("'--square'", "with --classes")),
                (("train", self.data, *quick, "--classes", "--scale-targets", "no"), ("'--scale-targets'", "with --classes")),
                (("colors", self.data, "--in-arcs"), ("'--in-arcs'", "without --directed")),
                (("train", self.data, *quick, "--in-arcs"), ("'--in-arcs'", "without --directed")),
                (("gram", self.data, "--in-arcs", "-o", self.path("k.csv")), ("'--in-arcs'",)),
                (("features", self.data, "--out-of-vocabulary", "drop", "-o", self.path("f.svm")),
                 ("'--out-of-vocabulary'", "without --columns")),
                (("generate", "cycles", "--degree", "3", "-o", self.path("c.g6")), ("'--degree'", "only on regular or power-law")),
                (("generate", "petersen", "--vertices", "9", "-o", self.path("c.g6")), ("'--vertices'", "on petersen")),
                (("generate", "csl", "-k", "3", "-o", self.path("c.g6")), ("'-k'", "only on cfi")),
                (("download", "MUTAG", "--offline", "--url", "http://localhost/x.zip"), ("'--url'", "with --offline")),
                (("evaluate", self.data, "-a", "1-WL", "--weights", "2"), ("'--weights'", "single kernel")),
                (("fit", self.data, "-a", "1-WL", "--weights", "2", "-o", self.path("m")), ("'--weights'", "single kernel")),
                (("compare", self.data, "-a", "1-WL", "-a", "SP", "--epochs", "3"), ("'--epochs'", "no method is a network")),
                (("compare", self.data, "-a", "1-WL", "-a", "SP", "--device", "cpu"), ("'--device'", "no method is a network")),
                (("compare", self.data, "-a", "gin", "-a", "gin0", "-C", "1"), ("'-C'", "every method is a network")),
                (("predict", "--model", listed, self.data, "--directed"), ("'--directed'", "the model says")),
                (("train", self.data, "--epochs", "0", "--checkpoint", self.path("n")), ("--epochs 0", "--checkpoint")),
                (("train", self.data, "-a", "1-2-GNN", *quick, "--directed", "--in-arcs"),
                 ("1-2-GNN", "whichever way the arcs between them go")),
                (("distinguish", self.data, "--all", "-a", "2-WL"), ("--all", "-a 2-WL"))):
            self.wrong(*arguments, words=words)

    def test_with_what_they_need(self):
        quick = ("--epochs", "1", "--width", "4", "--layers", "1", "--quiet")
        self.succeeds("train", self.data, "-a", "GIN-0", *quick, "--folds", "2", "--repetitions", "2")
        self.succeeds("train", self.data, "-a", "GIN-0", *quick, "--val-share", "0.2", "--test-share", "0.2")
        self.succeeds("colors", self.data, "--directed", "--in-arcs", "-r", "1")
        self.succeeds("train", self.data, *quick, "--directed", "--in-arcs", "-a", "GIN-0")
        self.succeeds("generate", "regular", "--degree", "4", "--vertices", "9", "-o", self.path("r.g6"), "--quiet")

    def test_device_of_colours(self):
        on_cpu = self.succeeds("colors", self.data, "--device", "cpu", "--json").stdout
        anywhere = self.succeeds("colors", self.data, "--json").stdout
        rounds = [json.loads(text)["rounds"] for text in (on_cpu, anywhere)]
        self.assertEqual(rounds[0], rounds[1])
        for command in (("colors",), ("features", "-o", "-"), ("gram", "-o", "-")):
            self.fails(command[0], self.data, *command[1:], "--device", "cuda:1023", words=("device cuda", "CUDA"))
            self.wrong(command[0], self.data, *command[1:], "--device", "gpu", words=("'gpu'",))

    def test_devices(self):
        found = json.loads(self.succeeds("info", "--devices", "--json").stdout)
        self.assertEqual(set(found), {"cuda", "devices"})
        self.assertIn("CUDA" if not found["devices"] else "cuda:0", self.succeeds("info", "--devices").stdout)
        self.wrong("info", "--devices", self.data, words=("--devices",))
        self.wrong("info", words=("DATA is missing",))

    def test_device(self):
        """Of networks alone: where they are trained, and where they predict."""
        net, svm = self.path("net"), self.path("svm")
        self.succeeds("train", self.data, "-a", "GIN-0", "--epochs", "1", "--width", "4", "--layers", "1", "--device", "cpu",
                      "--checkpoint", net, "--quiet")
        self.succeeds("fit", self.data, "-r", "0", "--folds", "2", "-o", svm, "--quiet")
        self.succeeds("predict", "--model", net, self.data, "--device", "cpu", "--quiet")
        self.succeeds("predict", "--model", net, self.data, "--device", "auto", "--quiet")
        self.fails("predict", "--model", net, self.data, "--device", "cuda:1023", words=("cuda", "CUDA"))
        self.wrong("predict", "--model", net, self.data, "--device", "gpu", words=("'gpu'",))
        self.wrong("predict", "--model", svm, self.data, "--device", "cpu", words=("'--device'", "not a network"))

    def test_told(self):
        """Accepted, with a remark: the same result as without them."""
        quick = ("-r", "0-1", "--repetitions", "1", "--folds", "2", "--json")
        plain = self.succeeds("evaluate", self.data, "-a", "1-WL", *quick)
        normal = self.succeeds("evaluate", self.data, "-a", "1-WL", "--normalize", *quick)
        self.assertIn("--normalize changes nothing here", normal.stderr)
        self.assertNotIn("changes nothing", plain.stderr)
        self.assertIn("--normalize changes nothing here",
                      self.succeeds("fit", self.data, "--normalize", "-r", "0", "--folds", "2", "-o", self.path("m")).stderr)
        out = ("-o", self.path("k.csv"))
        for arguments, words in ((("-a", "SP", "-k", "3"), "-k changes nothing"),
                                 (("-a", "GR", "-r", "2"), "--rounds changes nothing"),
                                 (("-a", "2-WL", "--count-rounds", "all"), "--count-rounds changes nothing"),
                                 (("-a", "1-WL", "--weighted"), "--weighted changes nothing")):
            self.assertIn(words, self.succeeds("gram", self.data, *arguments, *out).stderr)
        self.assertEqual(self.succeeds("gram", self.data, "-a", "SP", "-k", "3", "--quiet", *out).stderr, "")
        folds = ("--repetitions", "1", "--folds", "2")
        for command in (("evaluate", "-a", "SP", *folds), ("compare", "-a", "SP", "-a", "GR", *folds),
                        ("fit", "-a", "SP+GR", "--folds", "2", "-o", self.path("m"))):
            arguments = (command[0], self.data, *command[1:])
            self.assertIn("--rounds changes nothing", self.succeeds(*arguments, "-r", "1-2").stderr)
            self.assertNotIn("--rounds", self.succeeds(*arguments).stderr)
        self.assertNotIn("--rounds", self.succeeds("compare", self.data, "-a", "SP", "-a", "1-WL", *folds, "-r", "1-2").stderr)

    def test_told_of_networks(self):
        quick = ("--epochs", "1", "--width", "4", "--layers", "1")
        for name in ("GIN-0", "GINE-eps", "MPNN", "PPGN", "1-2-GNN"):
            said = self.succeeds("train", self.data, "-a", name, *quick, "-k", "3").stderr
            self.assertIn(f"-k changes nothing: {name} has no k", said)
        self.assertNotIn("changes nothing", self.succeeds("train", self.data, "-a", "local", *quick, "-k", "2").stderr)
        zinc = ("train", self.data, "--preset", "zinc", "--epochs", "0", "--width", "4", "--own-fourth")
        self.assertNotIn("--own-fourth", self.succeeds(*zinc, "-a", "GINE-eps").stderr)
        for more in (("-a", "GINE-eps", "--layers", "3"), ("-a", "GIN-eps"), ("-a", "GINE-eps", "--preset", "tu")):
            self.assertIn("--own-fourth changes nothing", self.succeeds(*zinc, *more).stderr)
        folds = (*quick, "--repetitions", "1", "--folds", "2", "-k", "2")
        for methods, told in ((("GIN-0", "GIN-eps"), True), (("SP", "GIN-0"), True), (("SP", "network:local"), False),
                              (("local", "GIN-0"), False), (("GIN-0", "network:local"), False)):
            said = self.succeeds("compare", self.data, "-a", methods[0], "-a", methods[1], *folds).stderr
            self.assertEqual("-k changes nothing" in said, told, methods)

    def test_coordinates_of_ppgn(self):
        """It reads attributes as they are: positions need not be named, and naming them changes nothing."""
        graphs = 12
        path = "".join(f"{2 * g + 1}, {2 * g + 2}\n{2 * g + 2}, {2 * g + 1}\n" for g in range(graphs))
        data = self.tu("P", A=path, graph_indicator="".join(f"{g + 1}\n" * 2 for g in range(graphs)),
                       node_attributes="".join(f"0, 1, {g}\n1, 0, {g}\n" for g in range(graphs)),
                       graph_attributes="".join(f"{g}\n" for g in range(graphs)))
        ppgn = ("train", data, "-a", "PPGN", "--preset", "qm9", "--epochs", "1", "--width", "4", "-t", "1")
        told = self.succeeds(*ppgn, "--coordinates", "0-2", "--json")
        self.assertIn("--coordinates changes nothing: PPGN", told.stderr)
        plain = self.succeeds(*ppgn, "--json")
        self.assertEqual(json.loads(told.stdout)["best"]["val_error"], json.loads(plain.stdout)["best"]["val_error"])
        mpnn = ("train", data, "-a", "MPNN", "--preset", "qm9", "--epochs", "0", "--width", "4")
        self.assertNotIn("changes nothing", self.succeeds(*mpnn, "--coordinates", "0-2").stderr)
        self.fails(*mpnn, "-q", words=("which of the 3 vertex attributes",))


class Announced(program.Case):
    """What takes minutes says so, kernels before the first fold and networks after the first epoch, and what would be quicker; then it is stopped."""

    def says(self, pattern, *arguments):
        """Looks at the lines of standard error up to the first one that matches."""
        run = subprocess.Popen([program.LEMAN, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               stdin=subprocess.DEVNULL, text=True)
        try:
            lines = []
            for line in run.stderr:
                lines.append(line)
                if re.search(pattern, line):
                    return
            self.fail(f"no line of {lines} matches {pattern}")
        finally:
            run.terminate()
            run.communicate()

    def test_long_runs(self):
        data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "2500", "-o", data, "--quiet")
        self.says(r"1-WL: 2,800 kernel SVMs may take up to about .* quicker: --svm linear, --repetitions 1",
                  "evaluate", data, "-a", "1-WL", "-r", "0-1", "-t", "1", "--folds", "20")
        self.succeeds("generate", "molecules", "--graphs", "200", "-o", data, "--quiet")
        for width, hint in (("4", ""), ("17", ", --width 16")):
            self.says(r"delta-2-LGNN: the first epoch took .*, 100000 epochs will take up to .*; "
                      r"quicker: --epochs \d+" + hint + ", -a GIN-eps",
                      "train", data, "-a", "delta-2-LGNN", "--width", width, "--epochs", "100000", "-t", "1")

    def test_short_runs_say_nothing(self):
        data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "20", "-o", data, "--quiet")
        for arguments in (("evaluate", data, "-a", "1-WL", "--repetitions", "1"),
                          ("train", data, "-a", "GIN-0", "--epochs", "2", "--width", "4")):
            self.assertNotIn("quicker", self.succeeds(*arguments).stderr)


if __name__ == "__main__":
    program.main()
