#!/usr/bin/env python3
"""leman train and leman predict with networks: what scripts read, runs that are killed and resumed, files that are
wrong, and predictions of a second process."""
import csv
import json
import math
import os
import signal
import subprocess
import time
import zipfile

import pages
import program
from program import LEMAN, PATIENCE, Case


def timeless(value):
    """The same without seconds, and without the number of resumed epochs."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k not in ("seconds", "resumed")}
    return [timeless(v) for v in value] if isinstance(value, list) else value


class Train(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "40", "--vertices", "12", "-o", self.data, "-q")

    SMALL = ("--width", "8", "--layers", "2", "--batch", "7", "-t", "1")

    def train(self, *arguments, **options):
        return self.json("train", self.data, *self.SMALL, *arguments, **options)

    # ---- What scripts read

    def test_keys(self):
        result = self.train("--epochs", "3")
        for key in ("model", "k", "parameters", "types", "epochs", "best", "preset", "layers", "width", "weight_bytes",
                    "activation_bytes", "seed", "converged"):
            self.assertIn(key, result)
        self.assertEqual((result["model"], result["k"], result["preset"], result["learns"]), ("local", 2, "tu", "classes"))
        self.assertEqual([e["epoch"] for e in result["epochs"]], [1, 2, 3])
        for epoch in result["epochs"]:
            self.assertLessEqual({"epoch", "train_loss", "val_error", "test_error", "lr", "seconds", "val_loss"}, set(epoch))
        smallest = min(e["val_error"] for e in result["epochs"])
        last = [e for e in result["epochs"] if e["val_error"] == smallest][-1]
        self.assertEqual((result["best"]["epoch"], result["best"]["test_error"]), (last["epoch"], last["test_error"]))
        self.assertEqual((result["train"], result["val"], result["test"]), (32, 4, 4))

    def test_types(self):
        """One number everywhere: of sets those of all lists; networks that look at none say nothing of them."""
        for name in ("1-2-GNN", "1-2-3-GNN", "delta-2-LGNN", "PPGN"):
            asked = ("train", self.data, *self.SMALL, "--epochs", "0", "-a", name)
            types = self.json(*asked)["types"]
            run = self.succeeds(*asked)
            for text in (run.stdout, run.stderr):
                self.assertEqual(f", {types} types" in text, types > 0, text)
                self.assertEqual("types" in text, types > 0, text)

    def test_the_rate_of_ppgn(self):
        """It does not fall, and the page says so; that of others says when it does."""
        html = self.path("page.html")
        for name, words in (("PPGN", "Constant: it is halved after more than 1000 epochs without a better validation, and 2 are "
                                     "asked for."),
                            ("GIN-0", "Halved after more than 1 epoch without a lower validation error")):
            more = () if name == "PPGN" else ("--patience", "1")
            self.train("-a", name, "--epochs", "2", *more, "--report", html)
            with open(html, encoding="utf-8") as file:
                self.assertIn(words, pages.is_whole(self, file.read())[0])

    def test_parameters_by_the_formula(self):
        """specs of the paper's models: GIN-eps has F h + 2 h^2 + 5 h + (L-1)(2 h^2 + 4 h) + (h+1) C + L of them."""
        for layers, width in ((1, 8), (5, 64)):
            result = self.json("train", self.data, "--model", "gin", "--layers", str(layers), "--width", str(width),
                               "--epochs", "0")
            types, h = result["types"], width
            expected = types * h + 2 * h * h + 5 * h + (layers - 1) * (2 * h * h + 4 * h) + (h + 1) * 2 + layers
            self.assertEqual(result["parameters"], expected)
            self.assertEqual((result["epochs"], result["best"]), ([], None))
        result = self.json("train", self.data, "--targets", "0", "--epochs", "0", "-a", "delta-2-LGNN")
        f, d = result["types"], 256  # delta-2-LGNN of ZINC
        self.assertEqual(result["parameters"], 2 * f * d + 32 * d * d + 36 * d + 9)

    def test_targets_and_log(self):
        log = self.path("log.csv")
        result = self.train("--target", "0", "--preset", "alchemy", "--epochs", "3", "--log", log)
        self.assertEqual(result["learns"], "targets")
        mean, deviation = result["targets"][0]["mean"], result["targets"][0]["deviation"]
        self.assertEqual(result["targets"][0]["target"], 0)
        with open(log, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 3)
        for row, epoch in zip(rows, result["epochs"]):
            self.assertEqual(float(row["val_error"]), epoch["val_error"])
            self.assertEqual(float(row["val_loss"]), epoch["val_loss"])
            self.assertTrue(math.isclose(epoch["val_loss"], epoch["val_error"], rel_tol=1e-5))  # the loss is the error
            self.assertEqual(float(row["lr"]), epoch["lr"])
            self.assertTrue(math.isclose(epoch["val_mae"][0], epoch["val_error"] * deviation, rel_tol=1e-12))
            self.assertTrue(math.isclose(epoch["val_standardised_mae"], epoch["val_error"], rel_tol=1e-12))
            self.assertTrue(math.isclose(epoch["val_log_mae"], math.log(epoch["val_error"]), abs_tol=1e-12))
            self.assertEqual(row["test_mae_0"] == "", epoch["test_error"] is None)
        raw = self.train("--target", "0", "--preset", "alchemy", "--scale-targets", "no", "--epochs", "1",
                         "--log", self.path("log.json"))
        self.assertEqual(raw["epochs"][0]["val_mae"][0], raw["epochs"][0]["val_error"])
        self.assertEqual(raw["targets"][0]["mean"], mean)
        with open(self.path("log.json")) as file:
            self.assertEqual(timeless(json.load(file)["epochs"]), timeless(raw["epochs"]))

    def test_class_weights(self):
        """Weights matter by their ratio alone, and change the loss; wrong ones are refused."""
        plain, one, two, half = (self.train("--epochs", "2", "--class-weights", w)
                                 for w in ("none", "1,1", "2,1", "1,0.5"))
        losses = [[e["train_loss"] for e in r["epochs"]] for r in (plain, one, two, half)]
        self.assertEqual(losses[0], losses[1])
        self.assertNotEqual(losses[0], losses[2])
        self.assertEqual(losses[2], losses[3])
        self.assertEqual((plain["class_weights"], two["class_weights"]), ("none", "2,1"))
        self.assertEqual(self.train("--epochs", "1", "--class-weights", "balanced")["class_weights"], "balanced")
        for weights, words in (("1,x", ("--class-weights", "1,x")), ("0,1", ("above 0",)), ("1,2,3", ("3 weights", "expected 2"))):
            self.wrong("train", self.data, "-q", "--class-weights", weights, words=words)
        self.wrong("train", self.data, "-q", "--target", "0", "--class-weights", "balanced", words=("--class-weights",))

    def test_parts_by_files(self):
        files = [self.write(name, text) for name, text in (("a.index", ",".join(map(str, range(20))) + "\n"),
                                                           ("b.index", "\n".join(map(str, range(20, 30)))),
                                                           ("c.index", "30,31,32\n"))]
        parts = ("--train", files[0], "--val", files[1], "--test", files[2])
        result = self.train("--epochs", "1", *parts)
        self.assertEqual((result["train"], result["val"], result["test"]), (20, 10, 3))
        result = self.train("--epochs", "1", *parts[:4])
        self.assertIsNone(result["best"]["test_error"])
        self.write("c.index", "30,31\n40\n")
        self.fails("train", self.data, *parts, words=("c.index:2", "found 40", "0 to 39"))
        self.wrong("train", self.data, "--train", files[0], words=("--val",))

    def test_parts_by_lists_of_the_data(self):
        """Lists in a zip are taken when asked for; otherwise the log says that they are not."""
        path = self.path("listed.zip")
        self.succeeds("convert", self.data, path)
        self.assertNotIn("at random", self.succeeds("train", path, "--layers", "2", "--width", "8", "--epochs", "1").stderr)
        with zipfile.ZipFile(path, "a") as file:
            for name, numbers in (("train", range(20)), ("val", range(20, 30)), ("test", (30, 31, 32))):
                file.writestr(f"listed/{name}.index", ",".join(map(str, numbers)))
        drawn = self.succeeds("train", path, "--layers", "2", "--width", "8", "--epochs", "1")
        self.assertIn("parts are drawn at random; --parts lists", drawn.stderr)
        result = json.loads(self.succeeds("train", path, "--layers", "2", "--width", "8", "--epochs", "1", "--parts", "lists", "--json").stdout)
        self.assertEqual((result["train"], result["val"], result["test"]), (20, 10, 3))
        self.wrong("train", path, "--parts", "lists", "--train", "a", "--val", "b", words=("--parts lists", "without"))
        self.fails("train", self.data, "--parts", "lists", words=("zip",))

    def test_several_devices(self):
        """Two devices with 8 graphs each are one with 16, to rounding: the log has the losses."""
        losses = []
        for device, batch in (("cpu", "16"), ("cpu,cpu", "8")):
            log = self.path(f"{batch}.csv")
            result = self.succeeds("train", self.data, "--layers", "2", "--width", "8", "--epochs", "2", "--batch", batch,
                                "--device", device, "--log", log)
            with open(log) as file:
                losses.append([float(row["train_loss"]) for row in csv.DictReader(file)])
        self.assertIn("2 devices with 8 graphs each: 16 in a step", result.stderr)
        for one, two in zip(*losses):
            self.assertAlmostEqual(one, two, delta=2e-3 * abs(one))
        self.wrong("colors", self.data, "--device", "cpu,cpu", words=("'cpu,cpu'", "only training"))

    def test_schedules(self):
        """The rates of each schedule by its formula, also after a kill; options of other schedules are refused."""
        cosine = [0.5 * 1e-2 * (1 + math.cos(math.pi * i / 6)) for i in range(6)]
        for arguments, rates in ((("cosine",), cosine), (("constant",), 6 * [1e-2]),
                                 (("constant", "--warm-up", "3"), [2.5e-3, 5e-3, 7.5e-3, 1e-2, 1e-2, 1e-2]),
                                 (("cosine", "--warm-up", "2", "--min-lr", "0.002"),
                                  [1e-2 / 3, 2e-2 / 3] + [2e-3 + 8e-3 * (1 + math.cos(math.pi * i / 4)) / 2 for i in range(4)])):
            found = [epoch["lr"] for epoch in self.train("--epochs", "6", "--schedule", *arguments)["epochs"]]
            self.assertEqual(len(found), 6)
            for rate, expected in zip(found, rates):
                self.assertAlmostEqual(rate, expected, 12)
        self.assertEqual(timeless(self.train("--epochs", "6", "--schedule", "plateau")), timeless(self.train("--epochs", "6")))
        net = self.path("cosine.lmn")
        arguments = ("--epochs", "40", "--schedule", "cosine", "--warm-up", "5")
        whole = self.train(*arguments)
        self.killed([LEMAN, "train", self.data, *self.SMALL, *arguments, "--checkpoint", net, "--resume", "-q"], net, 3)
        self.assertEqual(timeless(self.train(*arguments, "--checkpoint", net, "--resume")), timeless(whole))
        told = self.json("info", net)["training"]
        self.assertEqual((told["schedule"], told["warm_up"], told["planned_epochs"]), ("cosine", 5, 40))
        self.assertIn("falls as a cosine to 0 over 40 epochs", self.succeeds("info", net).stdout)
        self.fails("train", self.data, *self.SMALL, *arguments[2:], "--epochs", "50", "--checkpoint", net, "--resume", "-q",
                   words=("a cosine over 40 epochs, expected one over 50",))
        for arguments, words in ((("--schedule", "cosine", "--patience", "3"), ("--patience", "--schedule plateau")),
                                 (("--schedule", "constant", "--plateau", "error"), ("--plateau", "--schedule plateau")),
                                 (("--min-lr", "0.001"), ("--min-lr", "--schedule cosine")), (("--schedule", "cosinus"), ("cosine",))):
            self.wrong("train", self.data, *arguments, words=words)
        self.wrong("train", self.data, "-q", "--epochs", "3", "--warm-up", "3", words=("of warm-up", "fewer than the 3"))

    def test_wrong_command_lines(self):
        for arguments, words in ((("--model", "lokal"), ("lokal",)), (("-k", "4"), ("-k",)),
                                 (("--layers", "1-3"), ("--layers", "--folds")), (("--class", "0", "--target", "0"), ("one of them",)),
                                 (("--resume",), ("--checkpoint",)), (("--log", "x.txt"), (".csv",)),
                                 (("--export", "w.bin"), (".npz",)), (("--lr", "-1"), ("--lr",)),
                                 (("--val-share", "0.6", "--test-share", "0.5"), ("0.6",))):
            self.wrong("train", self.data, *arguments, words=words)
        self.fails("train", self.data, "--targets", "1", words=("no target '1'",))
        self.fails("train", self.data, "--device", "cuda:1023", words=("device cuda", "CUDA"))
        for device in ("gpu", "cuda:x", "", "cuda:" + 60 * "1"):
            self.wrong("train", self.data, "--device", device, words=(f"'{device}'", "auto"))
        same = self.path("same.npz")
        for arguments, words in ((("--checkpoint", "-"), ("--checkpoint",)), (("--target", "0,0"), ("twice",)),
                                 (("--checkpoint", same, "--export", same), ("--export", "two files")),
                                 (("--epochs", "0", "--report", "x.html"), ("--epochs 0",)),
                                 (("--coordinates", "0-2"), ("--coordinates", "--preset qm9")),
                                 (("--coordinates", "0-2", "--preset", "zinc"), ("--coordinates", "--preset qm9")),
                                 (("--layers", "100"), ("1 to 64",)), (("--classes", "--target", "0"), ("one of them",))):
            self.wrong("train", self.data, *arguments, words=words)
        self.fails("train", self.data, "-q", "--folds", "3", "--checkpoint", self.path("none", "x"), words=("none/x",))
        for option in ("--checkpoint", "--log", "--export", "--report", "-o"):
            path = self.path("none", {"--log": "x.csv", "--export": "x.npz", "--report": "x.html"}.get(option, "x"))
            self.fails("train", self.data, "-q", option, path, words=(path,))
        self.fails("train", self.data, "-q", "--preset", "qm9", "--coordinates", "0-2",
                   words=("--coordinates", "no vertex attributes", "QM9_node_attributes.zip"))
        self.fails("train", self.data, "-q", "--preset", "qm9", words=("no", "vertex attributes", "--ignore attributes"))
        self.fails("train", self.data, "-q", "--width", "256", "--memory", "16M", words=("memory budget", self.data))
        plain = self.path("plain.g6")
        self.succeeds("generate", "random", "--graphs", "5", "-o", plain, "-q")
        self.fails("train", plain, "-q", words=("no classes",))

    def test_attributes_of_qm9(self):
        """The element is not taken twice, and positions are known: by their layout, or by --coordinates."""
        def molecules(name, attributes):
            a, owner, labels, values, targets = "", "", "", "", ""
            for g in range(12):
                a += f"{2 * g + 1}, {2 * g + 2}\n{2 * g + 2}, {2 * g + 1}\n"
                owner += f"{g + 1}\n" * 2
                for v in range(2):
                    label = (g + v) % 5
                    labels += f"{label}\n"
                    values += ", ".join(str(x) for x in attributes(label, g, v)) + "\n"
                targets += f"{g}.5\n"
            return self.tu(name, A=a, graph_indicator=owner, node_labels=labels, node_attributes=values,
                           graph_attributes=targets)
        def hot(label):
            return [int(i == label) for i in range(5)]
        qm9 = molecules("Q", lambda label, g, v: hot(label) + [label, 0, 1, 0, 0, 1, 0, g % 3] + [0.5 * v, 0.25 * g, 1])
        options = ("--preset", "qm9", "--epochs", "0", "--width", "8", "--layers", "2")
        explicit = self.json("train", qm9, *options, "--ignore", "vertex-labels", "--coordinates", "13-15")
        for less in ((), ("--coordinates", "13-15"), ("--ignore", "vertex-labels")):
            self.assertEqual(self.json("train", qm9, *options, *less)["parameters"], explicit["parameters"], less)
        other = molecules("O", lambda label, g, v: [0.5 * v, g, 1, 2 * label])
        self.fails("train", other, *options, "-q", words=("4 vertex attributes are a position", "--coordinates"))
        self.fails("train", other, *options, "-q", "--coordinates", "2-4", words=("the 4 columns", "count from 0"))
        self.succeeds("train", other, *options, "-q", "--coordinates", "0-2")
        self.succeeds("train", other, *options, "-q", "--ignore", "attributes")

    # ---- The same again

    def test_reproducible(self):
        first = timeless(self.train("--epochs", "4"))
        self.assertEqual(timeless(self.train("--epochs", "4")), first)
        self.assertEqual(timeless(self.train("--epochs", "4", "-t", "2")), first)
        self.assertEqual(timeless(self.train("--epochs", "4", "--recompute"))["epochs"], first["epochs"])
        self.assertNotEqual(timeless(self.train("--epochs", "4", "--seed", "2"))["epochs"], first["epochs"])

    def killed(self, command, checkpoint, after):
        """Runs until the checkpoint has been written `after` times, then kill -9. How often it was seen to change."""
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seen, last, deadline = 0, None, time.monotonic() + 60 * PATIENCE
        while seen < after and process.poll() is None and time.monotonic() < deadline:
            try:
                about = os.stat(checkpoint)  # once: between two looks the file may change
                now = about.st_ino, about.st_mtime_ns
            except FileNotFoundError:
                now = last
            seen, last = seen + (now != last), now
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        return seen

    def test_two_runs_on_one_checkpoint(self):
        """The second is refused, whatever name the file has, and the first is not disturbed."""
        net = self.path("net.lmn")
        os.symlink(net, self.path("other.lmn"))
        for runs in ((), ("--runs", "2")):
            command = [LEMAN, "train", self.data, *self.SMALL, "--epochs", "100000", "--patience", "100000", *runs,
                       "--checkpoint", net, "-q"]
            written = self.path("net.run0.lmn") if runs else net
            first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                deadline = time.monotonic() + 60
                while not os.path.exists(written) and time.monotonic() < deadline:
                    time.sleep(0.01)
                for name in ("net.lmn",) if runs else ("net.lmn", "other.lmn"):
                    for options in ((), ("--resume",)):
                        self.fails("train", self.data, *self.SMALL, "--epochs", "2", *runs, "--checkpoint", self.path(name),
                                   *options, "-q", words=("another run is writing this checkpoint",))
                self.assertIsNone(first.poll())
            finally:
                first.terminate()
                first.wait()
            self.assertEqual([name for name in os.listdir(self.folder) if name.endswith(".lock")], [])
            self.succeeds("train", self.data, *self.SMALL, "--epochs", "2", *runs, "--checkpoint", net, "-q")
            os.remove(net)

    def test_killed_and_resumed(self):
        net = self.path("net.lmn")
        arguments = ("--epochs", "40", "--patience", "3", "--target", "0", "--preset", "zinc")
        whole = self.train(*arguments, "--checkpoint", self.path("whole.lmn"))
        command = [LEMAN, "train", self.data, *self.SMALL, *arguments, "--checkpoint", net, "--resume", "-q"]
        for after in (2, 5, 3):
            self.killed(command, net, after)
        result = self.train(*arguments, "--checkpoint", net, "--resume")
        self.assertGreater(result["resumed"], 0)
        self.assertEqual(timeless(result), timeless(whole))
        predictions = [self.succeeds("predict", "--model", path, self.data, "-q", "-t", "1").stdout
                   for path in (net, self.path("whole.lmn"))]
        self.assertEqual(predictions[0], predictions[1])
        longer = self.train("--epochs", "45", *arguments[2:], "--checkpoint", net, "--resume")
        self.assertEqual(timeless(longer["epochs"])[:40], timeless(whole["epochs"]))
        self.assertEqual(len(longer["epochs"]), 45)

    def test_checkpoints_that_cannot_be_used(self):
        net = self.path("net.lmn")
        self.train("--epochs", "1", "--checkpoint", net)
        with open(net, "rb") as file:
            content = file.read()
        resume = ("train", self.data, *self.SMALL, "--checkpoint", net, "--resume", "-q")
        self.fails(*resume, "--seed", "5", words=("net.lmn", "seed 1, expected 5"))
        self.fails(*resume, "--lr", "0.5", words=("learning rate",))
        self.fails(*resume, "--model", "wl", words=("the model local, expected wl",))
        self.fails(*resume, "--ignore", "edge-labels", words=("edge labels ignored: no, expected yes",))
        self.fails(*resume, "--target", "0", words=("other targets",))
        self.write("net.lmn", content[:len(content) // 2])
        self.fails(*resume, words=("net.lmn", "cut off"))
        self.fails("predict", "--model", net, self.data, words=("net.lmn", "cut off"))
        self.write("net.lmn", content[:1000] + b"?" + content[1001:])
        self.fails(*resume, words=("net.lmn", "damaged"))
        self.write("net.lmn", b"something else")
        self.fails(*resume, words=("net.lmn", "expected a checkpoint"))
        self.assertEqual(self.left_over(), [])

    def test_folds(self):
        arguments = ("train", self.data, "--model", "gin", "--folds", "4", "--repetitions", "2", "--layers", "1-2",
                     "--width", "4,8", "--epochs", "3")
        result = self.json(*arguments, "-t", "1", "--checkpoint", self.path("folds"))
        for key in ("model", "test_mean", "test_std", "test_std_folds", "repetitions", "folds", "seed", "choices"):
            self.assertIn(key, result)
        self.assertEqual([(c["repetition"], c["fold"]) for c in result["choices"]],
                         [(r, f) for r in range(2) for f in range(4)])
        self.assertTrue(math.isclose(result["test_mean"], sum(c["test"] for c in result["choices"]) / 8))
        self.assertEqual(timeless(self.json(*arguments, "-t", "2")), timeless(result))
        again = self.json(*arguments, "--checkpoint", self.path("folds"), "--resume")
        self.assertEqual((again["resumed"], timeless(again)), (8, timeless(result)))
        self.wrong(*arguments, "--log", "x.csv", words=("--folds",))
        log = self.succeeds(*arguments).stderr
        types = self.json("train", self.data, "--model", "gin", "--epochs", "0")["types"]
        self.assertIn(f"{types * 8 + 2 * 64 + 5 * 8 + 2 * 64 + 4 * 8 + 9 * 2 + 2} parameters", log)  # the largest
        self.fails(*arguments, "-q", "--width", "512", "--memory", "16M", words=("2 layers of width 512", "memory budget"))

    def test_predictions_of_folds(self):
        """The accuracy of every fold is that of its predictions, of kernels and of networks, on the folds of a JSON file."""
        folds = [list(range(i, 40, 4)) for i in range(4)]
        splits = self.path("splits.json")
        with open(splits, "w") as file:
            json.dump([{"test": test, "model_selection": [{"train": [g for g in range(40) if g % 4 != i and g not in test and g != (i + 1) % 4],
                                                           "validation": [(i + 1) % 4]}]} for i, test in enumerate(folds)], file)
        wrong = self.path("wrong.json")
        self.succeeds("generate", "molecules", "--graphs", "40", "--vertices", "12", "-o", self.path("tu"), "-q")
        with open(os.path.join(self.path("tu"), "tu_graph_labels.txt")) as file:
            labels = [int(line) for line in file]
        for command in (("train", self.data, "-a", "GIN-eps", "--epochs", "2", "--layers", "1", "--width", "4"), ("evaluate", self.data, "-a", "1-WL")):
            result = self.json(*command, "--splits", splits, "-t", "1")
            self.assertEqual((result["repetitions"], result["folds"]), (1, 4))
            for i, choice in enumerate(result["choices"]):
                self.assertEqual(choice["test_graphs"], ",".join(map(str, folds[i])))
                self.assertEqual(choice["validation_graphs"], str((i + 1) % 4))
                right = sum(labels[g] == predicted for g, predicted in zip(folds[i], choice["predictions"]))
                self.assertEqual(len(choice["predictions"]), 10)
                self.assertAlmostEqual(choice["test"], 100 * right / 10)
        several = self.json("train", self.data, "-a", "GIN-eps", "--epochs", "1", "--layers", "1", "--width", "4", "--splits", splits,
                            "--target", "0", "-t", "1")
        self.assertEqual([len(choice["predictions"]) for choice in several["choices"]], 4 * [10])
        with open(wrong, "w") as file:
            file.write('{"test": [1, 2],\n "valid": [2]}')
        self.fails("train", self.data, "-q", "--splits", wrong, words=(f"{wrong}:2", "graph 2 in two parts"))
        self.fails("evaluate", self.data, "-q", "--splits", wrong, words=(f"{wrong}:2", "graph 2 in two parts"))

    def test_folds_killed_and_resumed(self):
        """Every network that has ended is kept, not only whole folds."""
        arguments = ("--model", "gin", "--folds", "2", "--repetitions", "1", "--layers", "1-3", "--width", "4,8",
                     "--epochs", "30", "--patience", "30", "-t", "1")
        whole = self.json("train", self.data, *arguments, "--checkpoint", self.path("whole"))
        journal = self.path("folds")
        command = [LEMAN, "train", self.data, *arguments, "--checkpoint", journal, "--resume", "-q"]
        self.killed(command, journal, 5)  # the first line, and some of twelve networks
        with open(journal, "rb") as file:
            content = file.read()
        kept = content[: content.rindex(b"\n") + 1]
        self.assertGreater(kept.count(b"\n"), 1)
        self.succeeds(*command[1:])
        with open(journal, "rb") as file:
            lines = file.read()
        self.assertTrue(lines.startswith(kept))
        self.assertEqual(lines.count(b"\n"), 13)
        self.write("folds", content)
        result = self.json("train", self.data, *arguments, "--checkpoint", journal, "--resume")
        self.assertLess(result["resumed"], 2)
        self.assertEqual(timeless(result), timeless(whole))

    # ---- Predictions

    def test_predicts(self):
        net, out = self.path("net.lmn"), self.path("predictions.csv")
        self.train("--epochs", "3", "--checkpoint", net)
        self.succeeds("predict", "--model", net, self.data, "-o", out, "-q", "-t", "1")
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(r["graph"]) for r in rows], list(range(40)))
        for row in rows:
            chances = {int(k.split("_")[1]): float(v) for k, v in row.items() if k.startswith("probability_")}
            self.assertTrue(math.isclose(sum(chances.values()), 1, abs_tol=1e-12))
            self.assertEqual(chances[int(row["class"])], max(chances.values()))
        again = self.json("predict", "--model", net, self.data, "-t", "1")
        self.assertEqual([p["class"] for p in again["predictions"]], [int(r["class"]) for r in rows])
        self.assertEqual(again["model"]["model"], "local")
        self.assertIsInstance(again["accuracy"], float)
        other = self.path("other.leman")
        self.succeeds("generate", "molecules", "--graphs", "5", "--seed", "9", "-o", other, "-q")
        self.assertEqual(len(self.json("predict", "--model", net, other)["predictions"]), 5)
        plain = self.tu("P", A="1, 2\n2, 1\n", graph_indicator="1\n1\n")
        self.fails("predict", "--model", net, plain)

    def test_predictions_in_little_memory(self):
        """Batches become smaller where memory is scarce, and the predictions stay."""
        net = self.path("net.lmn")
        self.json("train", self.data, "--width", "192", "--layers", "1", "--epochs", "1", "--batch", "40",
                  "--checkpoint", net, "-t", "1")
        whole = self.json("predict", "--model", net, self.data, "-t", "1")["predictions"]
        few = self.json("predict", "--model", net, self.data, "-t", "1", "--memory", program.little_memory())["predictions"]
        for a, b in zip(whole, few):
            for x, y in zip(a["probabilities"], b["probabilities"]):
                self.assertTrue(math.isclose(x, y, abs_tol=1e-5))

    def test_what_is_learned(self):
        """Classes where there are some; with a preset for targets, the targets; --classes decides."""
        for arguments, learns in (((), "classes"), (("--preset", "alchemy"), "targets"),
                                  (("--preset", "alchemy", "--classes"), "classes"), (("--target", "0"), "targets")):
            self.assertEqual(self.train("--epochs", "0", *arguments)["learns"], learns)

    def test_test_error_is_that_of_the_predictions(self):
        net, test = self.path("net.lmn"), self.write("test.index", "3,9,11,30\n")
        others = [g for g in range(40) if g not in (3, 9, 11, 30)]
        train = self.write("train.index", ",".join(map(str, others[:28])))
        val = self.write("val.index", ",".join(map(str, others[28:])))
        result = self.train("--target", "0", "--epochs", "4", "--train", train, "--val", val, "--test", test,
                            "--checkpoint", net)
        part = self.path("part.leman")
        self.succeeds("convert", self.data, part, "--graphs", "3,9,11,30", "-q")
        error = self.json("predict", "--model", net, part, "-t", "1")["error"]
        self.assertTrue(math.isclose(error, result["best"]["test_mae"][0], rel_tol=1e-5))

    def test_reports(self):
        for name, arguments, words in (("classes", (), ("test accuracy", "Confusion matrix", "class 1", "Loss")),
                                       ("targets", ("--target", "0", "--square"), ("Predicted against true", "Target 0")),
                                       ("untested", ("--test-share", "0"), ("validation accuracy",))):
            path = self.path(name + ".html")
            self.train("--epochs", "3", "--report", path, *arguments)
            with open(path, encoding="utf-8") as file:
                page = file.read()
            text, pictures = pages.is_whole(self, page)
            self.assertGreater(len(pictures), 1)
            for word in (*words, "Learning rate", "How to reproduce", "leman train", "m"):
                self.assertIn(word, text)
        self.wrong("train", self.data, "--report", "-", words=("--report",))

    def test_exports_weights(self):
        out = self.path("w.npz")
        result = self.train("--epochs", "1", "--export", out)
        with zipfile.ZipFile(out) as archive:
            names = [name for name in archive.namelist() if name.endswith(".npy")]
            self.assertIsNone(archive.testzip())
            heads = [archive.read(name) for name in names]
        self.assertEqual(len(set(names)), len(names))
        learned = 0
        for name, content in zip(names, heads):
            head = eval(content[10:10 + int.from_bytes(content[8:10], "little")].decode())
            count = math.prod(head["shape"])
            self.assertEqual(head["descr"], "<f4")
            self.assertEqual(len(content) - 10 - int.from_bytes(content[8:10], "little"), 4 * count)
            running = name.endswith((".mean.npy", ".variance.npy"))
            learned += 0 if running else count
        self.assertEqual(learned, result["parameters"])


@program.needs("data")
class RealData(Case):
    """The networks of the paper's own programs, by the numbers written there."""

    def test_zinc(self):
        found = self.json("train", self.data_set("ZINC_10k"), "--model", "local", "--epochs", "0", "-q")
        self.assertEqual((found["types"], found["parameters"]), (445, 2334217))

    def test_qm9(self):
        for path in map(self.data_set, ("QM9", "QM9_node_attributes")):
            with zipfile.ZipFile(path) as archive:
                archive.extractall(self.folder)
        found = self.json("train", self.path("QM9"), "--preset", "qm9", "--ignore", "vertex-labels", "--coordinates",
                          "13-15", "--epochs", "0", "-q", timeout=300)
        self.assertEqual((found["outputs"], found["parameters"]), (12, 270040))
        plain = self.succeeds("train", self.path("QM9"), "--preset", "qm9", "--epochs", "0", timeout=300)
        self.assertIn("270,040 parameters", plain.stdout)
        for words in ("attributes 0 to 4 repeat the vertex labels", "attributes 13 to 15 are the positions"):
            self.assertIn(words, plain.stderr)


if __name__ == "__main__":
    program.main()
