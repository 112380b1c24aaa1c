#!/usr/bin/env python3
"""leman train with pair networks: the network that it chooses for targets, encodings of pairs, and runs that are killed in the middle
of an epoch."""
import os
import signal
import subprocess
import time

import program
from program import LEMAN, PATIENCE, Case


def timeless(value):
    """The same without seconds, and without the number of resumed epochs."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if k not in ("seconds", "resumed", "chosen")}
    return [timeless(v) for v in value] if isinstance(value, list) else value


class Pairs(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "60", "--vertices", "12", "-o", self.data, "-q")

    SMALL = ("--target", "0", "--width", "8", "--layers", "2", "--batch", "7", "-t", "1")

    def chosen(self, *arguments, **options):
        found = self.json("train", self.data, *arguments, **options)
        return found["method"], found["chosen"]

    # ---- The network that is chosen

    def test_best_network_for_targets(self):
        budget = ("--memory", "4G")  # what is free changes while other programs run
        result = self.succeeds("train", self.data, "--target", "0", "--epochs", "0", *budget)
        for words in ("Local-2-FGNN: chosen for targets by its published error", "of memory and about", "-a decides otherwise"):
            self.assertIn(words, result.stderr)
        found = self.json("train", self.data, "--target", "0", "--epochs", "0", "-q", *budget)
        self.assertEqual((found["model"], found["method"], found["layers"], found["width"], found["batch"]),
                         ("folklore2", "Local-2-FGNN", 6, 96, 128))
        self.assertIn(found["chosen"], result.stderr)
        self.assertIn(" for 0 epochs;", found["chosen"])
        text = self.chosen(*self.SMALL, "--epochs", "1")[1]
        self.assertIn(" for 1 epoch;", text)

    def test_what_decides_otherwise(self):
        """A named network, k, a preset, classes and folds: as before."""
        for arguments, method in ((("--target", "0", "-a", "GIN-eps"), "GIN-eps"), (("--target", "0", "-k", "3"), "delta-3-LGNN"),
                                  (("--target", "0", "--preset", "zinc"), "delta-2-LGNN"),
                                  (("--target", "0", "--preset", "alchemy"), "delta-2-LGNN"), ((), "delta-2-LGNN"),
                                  (("--classes",), "delta-2-LGNN")):
            with self.subTest(arguments):
                self.assertEqual(self.chosen(*arguments, "--epochs", "0", "--width", "8"), (method, None))
        found = self.json("train", self.data, *self.SMALL[:2], "--folds", "3", "--repetitions", "1", "--epochs", "1", "--width", "4",
                          "--layers", "1", "-q")
        self.assertEqual(found["method"], "delta-2-LGNN")

    def test_what_does_not_fit(self):
        """Too little memory, or too much work: the next network, and the sentence says what the better one would need."""
        method, text = self.chosen("--target", "0", "--epochs", "0", "--memory", "64M")
        self.assertEqual(method, "Message-Passing")
        self.assertRegex(text, r"; Local-2-FGNN, which is better, needs [0-9.]+ MiB of memory and has [0-9.]+ MiB; -a decides")
        long = ("--target", "0", "--lr", "1e-6", "--patience", "0", "--epochs", "1000000")  # the rate soon ends the run
        method, text = self.chosen(*long)
        self.assertEqual(method, "Message-Passing")
        self.assertRegex(text, r"for 1000000 epochs; Local-2-FGNN, which is better, needs about [0-9.]+ days on 8 cores")
        self.assertEqual(self.chosen("--target", "0", "--epochs", "0", "-t", "1")[0], self.chosen("--target", "0", "--epochs", "0", "-t", "2")[0])

    def test_resumed_networks_stay(self):
        """A run goes on with the network of its checkpoint, whatever would be chosen today."""
        net = self.path("net.lmn")
        self.succeeds("train", self.data, *self.SMALL, "-a", "SSWL+", "--epochs", "1", "--checkpoint", net, "-q")
        self.assertEqual(self.chosen(*self.SMALL, "--epochs", "2", "--checkpoint", net, "--resume"), ("SSWL+", None))
        runs = self.path("runs.lmn")
        self.succeeds("train", self.data, *self.SMALL, "-a", "SSWL+", "--epochs", "1", "--runs", "2", "--checkpoint", runs, "-q")
        found = self.json("train", self.data, *self.SMALL, "--epochs", "2", "--runs", "2", "--checkpoint", runs, "--resume", "-q")
        self.assertEqual(found["method"], "SSWL+")

    # ---- Encodings

    def test_encodings(self):
        net = self.path("net.lmn")
        for arguments, method in (((), "Local-2-FGNN"), (("-a", "Local-2-GNN"), "Local-2-GNN"), (("-a", "pairs:local2+diagonal1"), "pairs:local2+diagonal1"),
                                  (("--preset", "zinc"), "Local-2-FGNN")):
            with self.subTest(arguments):
                found = self.json("train", self.data, *self.SMALL, *arguments, "--encode", "resistance,walk:3", "--epochs", "1",
                                  "--checkpoint", net, "-q")
                self.assertEqual((found["method"], found["encodings"]), (method, "walk:3,resistance"))
        self.assertEqual(self.json("info", net)["network"]["encodings"], "walk:3,resistance")
        self.assertRegex(self.succeeds("info", net).stdout, r"pairs +walk:3,resistance")
        self.succeeds("predict", "--model", net, self.data, "-o", self.path("p.csv"), "-q")
        plain = self.json("train", self.data, *self.SMALL, "-a", "Local-2-GNN", "--epochs", "2", "-q")
        same = self.json("train", self.data, *self.SMALL, "-a", "Local-2-GNN", "--epochs", "2", "--encode", "distance:5", "-q")
        self.assertEqual(timeless(plain), timeless(same))
        self.assertEqual(plain["encodings"], "distance:5")
        self.assertIsNone(self.json("train", self.data, "-a", "GIN-eps", "--epochs", "0", "-q")["encodings"])
        for arguments, words in ((("-a", "GIN-eps", "--encode", "walk"), ("GIN-eps", "a pair network")),
                                 (("-a", "delta-2-LGNN", "--encode", "walk"), ("delta-2-LGNN", "a pair network")),
                                 (("-a", "Local-2-GNN", "--encode", "walk:0"), ("'walk:0'", "1 to 1000")),
                                 (("-a", "Local-2-GNN", "--encode", "walks"), ("'walks'", "distance:N"))):
            self.wrong("train", self.data, *self.SMALL, *arguments, words=words)

    def test_encodings_of_compared_networks(self):
        """--encode of leman compare is for pair networks alone, and changes what they learn; the default may be said."""
        common = ("--target", "0", "-a", "Local-2-GNN", "-a", "GIN-eps", "-a", "1-WL", "-r", "0-1", "--repetitions", "1", "--folds", "3", "--epochs", "2",
                  "--width", "8", "--layers", "2", "-q")
        usual, said, walks = (self.json("compare", self.data, *common, *more)["methods"] for more in ((), ("--encode", "distance"), ("--encode", "walk:3,resistance")))
        self.assertEqual([[method.get("encodings") for method in found] for found in (usual, said, walks)],
                         [["distance:5", None, None]] * 2 + [["walk:3,resistance", None, None]])
        self.assertEqual([[method["test"] for method in usual]], [[method["test"] for method in said]])
        self.assertNotEqual(usual[0]["test"], walks[0]["test"])
        self.assertEqual([method["test"] for method in usual[1:]], [method["test"] for method in walks[1:]])
        self.assertGreater(walks[0]["parameters"], 0)
        self.wrong("compare", self.data, "-a", "GIN-eps", "-a", "1-WL", "--encode", "walk", words=("--encode", "no method is a pair network, such as Local-2-GNN"))
        self.wrong("compare", self.data, "-a", "1-WL", "-a", "SP", "--encode", "walk", words=("--encode",))
        self.wrong("compare", self.data, "-a", "Local-2-GNN", "-a", "1-WL", "--encode", "degree", words=("found 'degree'",))

    def test_encodings_and_memory(self):
        """Encodings that do not fit are computed for each batch, to the same numbers. A graph too large for that is refused."""
        arguments = ("train", self.data, "--target", "0", "--width", "4", "--layers", "1", "-a", "Local-2-GNN", "--epochs", "1", "--batch", "2",
                     "-t", "1")
        plenty = self.json(*arguments, "--encode", "walk:1000,resistance", "-q")
        little = self.succeeds(*arguments, "--encode", "walk:1000,resistance", "--memory", "48M", "--json")
        self.assertIn("they are computed again for every batch", little.stderr)
        self.assertEqual(timeless(program.json.loads(little.stdout)), timeless(plenty))

    # ---- Runs that are killed

    def killed_within(self, command, checkpoint, after):
        """Runs until the checkpoint has been replaced `after` times, then for half an epoch, then kill -9."""
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times, last, deadline = [], None, time.monotonic() + 60 * PATIENCE
        while len(times) < after and process.poll() is None and time.monotonic() < deadline:
            try:
                now = os.stat(checkpoint).st_ino, os.stat(checkpoint).st_mtime_ns
            except FileNotFoundError:
                now = last
            if now != last:
                times.append(time.monotonic())
            last = now
            time.sleep(0.001)
        if len(times) > 1:
            time.sleep((times[-1] - times[-2]) / 2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        return len(times)

    def test_killed_within_an_epoch(self):
        for more in (("-a", "Local-2-FGNN"), ("-a", "Local-2-GNN", "--encode", "distance:3,walk:4,resistance")):
            with self.subTest(more):
                net = self.path("killed.lmn")
                if os.path.exists(net):
                    os.remove(net)
                arguments = (*self.SMALL, *more, "--epochs", "12", "--patience", "2")
                whole = self.json("train", self.data, *arguments, "-q")
                for times in (2, 3):
                    self.killed_within([LEMAN, "train", self.data, *arguments, "--checkpoint", net, "--resume", "-q"], net, times)
                resumed = self.json("train", self.data, *arguments, "--checkpoint", net, "--resume", "-q")
                self.assertGreaterEqual(resumed["resumed"], 2)
                self.assertEqual(timeless(resumed), timeless(whole))

    def test_size_of_a_checkpoint(self):
        """Four numbers of 32 bits for each parameter, the best weights, the present ones and two moments, and little else."""
        net = self.path("net.lmn")
        found = self.json("train", self.data, "--target", "0", "--epochs", "1", "--batch", "8", "--val-share", "0.4", "--test-share", "0.5",
                          "-a", "Local-2-FGNN", "--checkpoint", net, "-q")
        size = os.path.getsize(net)
        self.assertGreater(size, 16 * found["parameters"])
        self.assertLess(size, 16 * found["parameters"] + 100_000)  # with the running means and variances of norms


if __name__ == "__main__":
    program.main()
