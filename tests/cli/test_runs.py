#!/usr/bin/env python3
"""leman train --runs: independent starts on the same parts, their mean, their page, and runs that are killed and
resumed; --parts: index files that count inside parts of the data."""
import json
import os
import signal
import statistics
import subprocess
import time
import zipfile

import program
from program import LEMAN, PATIENCE, Case


def timeless(value):
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k not in ("seconds", "resumed", "finished")}
    return [timeless(v) for v in value] if isinstance(value, list) else value


class Runs(Case):
    SMALL = ("--width", "8", "--layers", "2", "--batch", "7", "-t", "1", "--target", "0", "--preset", "zinc")

    def setUp(self):
        super().setUp()
        self.data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "40", "--vertices", "12", "-o", self.data, "-q")

    def train(self, *arguments, **options):
        return self.json("train", self.data, *self.SMALL, *arguments, **options)

    def test_mean_of_runs(self):
        result = self.train("--epochs", "4", "--runs", "3")
        runs = result["runs"]
        self.assertEqual([run["run"] for run in runs], [0, 1, 2])
        tests = [run["best"]["test_error"] for run in runs]
        self.assertEqual(len(set(tests)), 3)
        self.assertAlmostEqual(result["test_mean"], statistics.fmean(tests))
        self.assertAlmostEqual(result["test_std"], statistics.pstdev(tests))
        logs = [run["best"]["test_log_mae"] for run in runs]
        self.assertAlmostEqual(result["test_log_mae_mean"], statistics.fmean(logs))
        best = min(runs, key=lambda run: run["best"]["val_error"])
        self.assertEqual(result["run"], best["run"])
        self.assertEqual(timeless(result["epochs"]), timeless(best["epochs"]))
        single = self.train("--epochs", "4")
        self.assertEqual(timeless(runs[0]["epochs"]), timeless(single["epochs"]))
        self.assertNotIn("runs", single)
        self.assertIsNone(self.train("--epochs", "2", "--runs", "1")["test_std"])

    def test_accuracies(self):
        result = self.json("train", self.data, "--width", "4", "--layers", "1", "-t", "1", "--classes", "--epochs", "2",
                           "--runs", "2")
        tests = [100 - run["best"]["test_error"] for run in result["runs"]]
        self.assertEqual(result["score"], "accuracy")
        self.assertAlmostEqual(result["test_mean"], statistics.fmean(tests))

    def test_killed_and_resumed(self):
        """Killed while the second run is under way: the first is not repeated, the second goes on."""
        net = self.path("net.lmn")
        arguments = ("--epochs", "30", "--runs", "3")
        whole = self.train(*arguments)
        command = [LEMAN, "train", self.data, *self.SMALL, *arguments, "--checkpoint", net, "-q"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60 * PATIENCE
        while not os.path.exists(self.path("net.run1.lmn")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertFalse(os.path.exists(self.path("net.run2.lmn")))
        first = os.stat(self.path("net.run0.lmn")).st_mtime_ns
        result = self.train(*arguments, "--checkpoint", net, "--resume")
        self.assertEqual(os.stat(self.path("net.run0.lmn")).st_mtime_ns, first)
        self.assertEqual(result["finished"], 1)
        self.assertEqual(result["runs"][0]["resumed"], 30)
        self.assertGreater(result["runs"][1]["resumed"], 0)
        self.assertEqual(timeless(result), timeless(whole))
        again = self.train(*arguments, "--checkpoint", net, "--resume")
        self.assertEqual(again["finished"], 3)
        self.succeeds("predict", "--model", net, self.data, "-q")

    def stopped(self, number, *arguments, log="log.csv", rows=3):
        """Sends the signal once the log has so many rows; returns what is on standard error."""
        process = subprocess.Popen([LEMAN, "train", self.data, *self.SMALL, "--epochs", "1000000", "--lr", "1e-3",
                                    "--schedule", "constant", "--log", self.path("log.csv"), "-o", self.path("out.json"), "--json", *arguments],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60 * PATIENCE
        while process.poll() is None and time.monotonic() < deadline:
            if os.path.exists(self.path(log)):
                with open(self.path(log), encoding="utf-8") as file:
                    if len(file.readlines()) > rows:
                        break
            time.sleep(0.002)
        process.send_signal(number)
        said = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 1, said)
        return said

    def test_interrupted(self):
        """The results are those of a training of as many epochs, and the program fails nevertheless."""
        for number in (signal.SIGINT, signal.SIGTERM):
            said = self.stopped(number, "--export", self.path("w.npz"), "--report", self.path("r.html"))
            with open(self.path("out.json"), encoding="utf-8") as file:
                found = json.load(file)
            epochs, best = len(found["epochs"]), found["best"]["epoch"]
            self.assertIn(f"leman: interrupted: the results are those of epoch {best}, the best of {epochs}\n", said)
            self.assertIs(found.pop("interrupted"), True)
            whole = self.train("--epochs", str(epochs), "--lr", "1e-3", "--schedule", "constant", "--export", self.path("whole.npz"))
            self.assertNotIn("interrupted", whole)
            for result in found, whole:
                del result["activation_bytes"]  # of the largest batch of all epochs that were asked for
            self.assertEqual(timeless(found), timeless(whole))
            with zipfile.ZipFile(self.path("w.npz")) as one, zipfile.ZipFile(self.path("whole.npz")) as other:
                self.assertEqual(one.namelist(), other.namelist())
                different = [name for name in one.namelist() if one.read(name) != other.read(name)]
            self.assertEqual(different, ["network.lmn", "network.json"])  # which have the epochs that were asked for
            self.assertTrue(os.path.exists(self.path("r.html")))
            for name in ("out.json", "log.csv", "w.npz", "r.html"):
                os.unlink(self.path(name))

    def test_interrupted_runs(self):
        said = self.stopped(signal.SIGINT, "--runs", "3", "--checkpoint", self.path("net.lmn"), log="log.run0.csv")
        with open(self.path("out.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(len(found["runs"]), 1)
        self.assertIn(f"interrupted: the results are those of 1 of 3 runs, with epoch {found['best']['epoch']} of run 0 the best; --resume goes on\n", said)
        self.succeeds("predict", "--model", self.path("net.lmn"), self.data, "-q")

    def test_interrupted_before_the_first_epoch(self):
        """Nothing is written: the file that is read does not end."""
        os.mkfifo(self.path("slow.leman"))
        process = subprocess.Popen([LEMAN, "train", self.path("slow.leman"), *self.SMALL, "-o", self.path("out.txt")], stderr=subprocess.PIPE, text=True)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        self.assertIn("interrupted", process.communicate(timeout=60)[1])
        self.assertEqual((process.returncode, os.path.exists(self.path("out.txt"))), (1, False))

    def test_page_and_logs(self):
        page, log = self.path("r.html"), self.path("log.csv")
        shown = self.succeeds("train", self.data, *self.SMALL, "--epochs", "3", "--runs", "2", "--report", page, "--log",
                              log, "-q").stdout
        self.assertIn("2 runs: validation error", shown)
        for run in range(2):
            with open(self.path(f"log.run{run}.csv"), encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), 4)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        for words in ("over 2 runs", "Validation error of all runs", "Training loss of all runs", "run 1"):
            self.assertIn(words, text)

    def test_wrong_command_lines(self):
        self.wrong("train", self.data, "--runs", "0", words=("--runs",))
        self.wrong("train", self.data, "--runs", "2", "--folds", "3", words=("--runs", "--folds"))
        self.wrong("train", self.data, "--runs", "2", "--epochs", "0", words=("--epochs 0", "--runs"))

    def test_files_of_runs_are_results_too(self):
        """What a run would write is neither read nor another result; the file that is read stays as it is."""
        with open(self.data, "rb") as file:
            bytes_ = file.read()
        twin = self.write("net.run1.lmn", bytes_)
        self.wrong("train", twin, "--from", "binary" if self.data.endswith(".leman") else "tu-zip", "--runs", "2", "--epochs", "1",
                   "--checkpoint", self.path("net.lmn"), words=("DATA and --checkpoint", "net.run1.lmn"))
        with open(twin, "rb") as file:
            self.assertEqual(file.read(), bytes_)
        self.wrong("train", self.data, "--runs", "2", "--epochs", "1", "--log", self.path("log.json"), "-o",
                   self.path("log.run1.json"), words=("--output and --log", "log.run1.json"))

    # ---- Parts

    def test_parts_of_the_data(self):
        """Lists that count inside their own part are the same parts as lists of graph numbers."""
        self.write("train.in", b"3,0,7,11,12,14,2")
        self.write("val.in", b"1,5")
        self.write("test.in", b"0\n3\n")
        self.write("train", b"3,0,7,11,12,14,2")
        self.write("val", b"31,35")
        self.write("test", b"20,23")
        inside = self.train("--epochs", "2", "--parts", "train=20,test=10,val=10", "--train", self.path("train.in"),
                            "--val", self.path("val.in"), "--test", self.path("test.in"))
        plain = self.train("--epochs", "2", "--train", self.path("train"), "--val", self.path("val"), "--test",
                           self.path("test"))
        self.assertEqual(timeless(inside), timeless(plain))
        whole = self.train("--epochs", "0", "--parts", "train=20,test=10,val=10", "--train", self.path("train.in"))
        self.assertEqual((whole["train"], whole["val"], whole["test"]), (7, 10, 10))
        whole = self.train("--epochs", "0", "--parts", "val=10,train=30")
        self.assertEqual((whole["train"], whole["val"], whole["test"]), (30, 10, 0))

    def test_wrong_parts(self):
        for text in ("train=20", "train=20,val", "train=20,val=10,val=10", "train=20,val=20,more=3", "train=20;val=20",
                     "train=-1,val=41"):
            self.wrong("train", self.data, "--parts", text, words=("--parts", text))
        self.fails("train", self.data, "--parts", "train=20,val=10", words=("parts of 30 graphs", "40"))
        self.write("val.in", b"10")
        self.fails("train", self.data, "--parts", "train=30,val=10", "--val", self.path("val.in"),
                   words=("val.in:1", "found 10", "from 0 to 9"))
        self.wrong("train", self.data, "--parts", "train=30,val=10", "--val-share", "0.2", words=("--val-share",))


if __name__ == "__main__":
    program.main()
