#!/usr/bin/env python3
"""reproduce/modes.py: runs of leman train with one thing changed, what is kept of them, and how they go on."""
import csv
import json
import os
import subprocess
import sys

import program
from program import LEMAN, PATIENCE, SOURCE, Case

NETWORK = ("--layers", "1", "--width", "8", "--parts", "train=40,val=10,test=10", "--device", "cpu", "-t", "1")


class Modes(Case):
    def setUp(self):
        super().setUp()
        self.data, self.kept = self.path("m.leman"), self.path("kept")
        self.succeeds("generate", "molecules", "--graphs", "60", "--vertices", "12", "-o", self.data, "-q")

    def run_it(self, *more, status=0):
        words = [sys.executable, os.path.join(SOURCE, "reproduce", "modes.py"), self.data, "--program", LEMAN, *NETWORK, "--resume", self.kept, *more]
        found = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE * 100)
        self.assertEqual(found.returncode, status, found.stderr)
        return found

    def runs(self):
        with open(self.path("kept", "runs"), encoding="utf-8") as file:
            return {(run["factor"], run["seed"]): run for run in map(json.loads, file)}

    def test_runs_are_those_of_train(self):
        table = self.run_it("--factors", "base,batch", "--seeds", "3", "--epochs", "2", "--beside", "2").stdout
        found = self.runs()
        self.assertEqual(sorted(found), [(factor, seed) for factor in ("base", "batch") for seed in (1, 2, 3)])
        self.assertEqual(os.listdir(self.kept), ["runs"])
        for factor, batch in ("base", "25"), ("batch", "128"):
            log = self.path(f"{factor}.csv")
            self.succeeds("train", self.data, "-a", "delta-2-LGNN", "--preset", "zinc", "--target", "0", *NETWORK, "--epochs", "2",
                          "--seed", "2", "--batch", batch, "--log", log, "-q")
            with open(log, encoding="utf-8", newline="") as file:
                best = min(csv.DictReader(file), key=lambda row: float(row["val_error"]))
            self.assertEqual((found[factor, 2]["test"], found[factor, 2]["train"]), (float(best["test_error"]), float(best["train_loss"])))
        errors = sorted(found["base", seed]["test"] for seed in (1, 2, 3))
        low, high = errors[1] - errors[0], errors[2] - errors[1]
        self.assertIn(", ".join(f"{error:.3f}" for error in errors), table)
        self.assertIn(f"{max(low, high):.3f} ({'1 : 2' if low > high else '2 : 1'})", table)
        self.assertEqual(self.run_it("--factors", "base,batch", "--seeds", "3", "--epochs", "2").stdout, table)

    def test_a_run_that_was_stopped_goes_on(self):
        more = ("--factors", "base", "--seeds", "1", "--epochs", "2000")
        self.assertIn("not run", self.run_it(*more, "--time-limit", "0.15").stdout)
        self.assertNotIn("runs", os.listdir(self.kept))
        self.run_it(*more)
        resumed = self.runs()
        os.remove(self.path("kept", "runs"))
        self.run_it(*more)
        self.assertEqual(self.runs(), resumed)

    def test_what_fails_is_said(self):
        said = self.run_it("--factors", "base,warm-up", "--seeds", "1", "--epochs", "3", "--beside", "2", status=1).stderr
        self.assertIn("modes: warm-up, seed 1: ", said)
        self.assertIn("found 10 epochs of warm-up", said)


if __name__ == "__main__":
    program.main()
