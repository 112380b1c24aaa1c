#!/usr/bin/env python3
"""A larger memory budget never refuses what a smaller one allowed, whatever the command and the data."""
import program
import test_memory


class LargerBudgets(test_memory.MemoryCase):
    BUDGETS = (16, 19, 24, 34, 80)  # MiB

    def climb(self, *arguments, budgets=BUDGETS, unit="M"):
        """Runs the command with one budget after the other. Returns the least that suffices, or None."""
        least = None
        for budget in budgets:
            result = program.leman(*arguments, "-q", "--memory", f"{budget}{unit}", timeout=300)
            shown = f"leman {' '.join(arguments)} --memory {budget}{unit}: {result.stderr}"
            self.assertIn(result.returncode, (0, 1), shown)
            if result.returncode:
                self.assertIn("memory budget", result.stderr, shown)
                self.assertIsNone(least, f"{shown}although {least}{unit} sufficed")
            elif least is None:
                least = budget
        return least

    def test_every_command(self):
        asked, sufficed = set(), 0
        for arguments in test_memory.Commands.commands(self):
            asked.add(arguments[0])
            with self.subTest(arguments=arguments):
                sufficed += self.climb(*arguments, "-t", "2") is not None
        alone = {"help", "demo", "download"}  # no data of the caller's
        self.assertEqual(asked | alone, set(program.commands()) | alone)
        self.assertGreater(sufficed, 30)

    def test_streams(self):
        """Inputs that are read in slices, or at once where they fit."""
        graphs = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "1500", "-o", graphs, "-q")
        for name in "m.smi", "m.g6", "m.sdf", "m.zip", "m.csv":
            data = self.path(name)
            self.succeeds("convert", graphs, data, "-q")
            for command in ("info", data), ("features", data, "-k", "1", "-o", self.path("f.svm")):
                with self.subTest(command=command):
                    self.assertIsNotNone(self.climb(*command))

    def test_one_large_graph(self):
        path = self.path("large.leman")
        self.succeeds("generate", "random", "--vertices", "60000", "--probability", "0.00004", "-o", path, "-q")
        for command in ("colors",), ("features", "-o", self.path("f.svm")), ("gram", "-o", self.path("k.npy")):
            with self.subTest(command=command[0]):
                self.assertIsNotNone(self.climb(command[0], path, "-a", "1-WL", "-r", "1", "-t", "2", *command[1:]))

    def test_feature_files(self):
        """Rows that are held in memory as soon as they fit must leave enough for training on them."""
        graphs, rows = self.path("m.leman"), self.path("m.svm")
        self.succeeds("generate", "molecules", "--graphs", "20000", "-o", graphs, "-q")
        self.succeeds("features", graphs, "-k", "1", "-r", "3", "--hash-bits", "11", "-o", rows, "-q")
        budgets = range(17500, 21000, 500)
        for threads in "1", "2":
            with self.subTest(threads=threads):
                training = ("--folds", "2", "-C", "1", "-t", threads)
                self.climb("evaluate", rows, "--repetitions", "1", *training, budgets=budgets, unit="K")
                self.climb("fit", rows, *training, "-o", self.path("m.model"), budgets=budgets, unit="K")

    def test_linear(self):
        """The same for features of graphs, of several numbers of rounds."""
        graphs = self.path("m.leman")
        self.succeeds("generate", "molecules", "--graphs", "1500", "-o", graphs, "-q")
        for threads in "1", "2":
            self.climb("evaluate", graphs, "-a", "1-WL", "--svm", "linear", "-r", "1-3", "--folds", "2", "--repetitions", "1",
                       "-C", "1", "-t", threads, budgets=range(17, 40, 4))


if __name__ == "__main__":
    program.main()
