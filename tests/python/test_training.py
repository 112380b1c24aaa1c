"""Every option of `leman train` as a parameter of GraphNetwork, the callback after each epoch, Ctrl-C, and what load() restores."""
import inspect
import math
import os
import pickle
import re
import signal
import subprocess
import tempfile
import unittest
import unittest.mock

import networkx as nx
import numpy as np
from sklearn.base import clone

import package
import leman
from leman import _declarations

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__)))), "leman")
HOW = dict(layers=1, width=8, epochs=4, batch_size=10, device="cpu", random_state=3)


def dense(count=60):
    made = [nx.gnp_random_graph(8, 0.2 + 0.05 * (i % 10), seed=i) for i in range(count)]
    return leman.Dataset.from_networkx(made, [int(graph.size() > 10) for graph in made])


DATA = dense()


def same(one, two):
    ours, theirs = one.state_dict(), two.state_dict()
    return set(ours) == set(theirs) and all(np.array_equal(ours[name], theirs[name]) for name in ours)


class Options(unittest.TestCase):
    def test_numbers_are_those_of_the_header(self):
        """A row of LEMAN_TRAINING_NUMBERS is a parameter, without a line in Python."""
        with open(os.path.join(package.SOURCE, "include", "leman", "network.h")) as file:
            rows = re.search(r"#define LEMAN_TRAINING_NUMBERS.*?clang-format on", file.read(), re.S)[0]
        numbers = re.findall(r"X\((\w+), (?:COUNT|REAL)", rows)
        self.assertIn("patience", numbers)
        for kind in (leman.nn.GraphNetwork, leman.nn.GraphNetworkClassifier, leman.nn.GraphNetworkRegressor):
            parameters = inspect.signature(kind).parameters
            self.assertEqual([name for name in numbers if name not in parameters], [])
            made = kind(**{name: 7 for name in numbers})
            self.assertEqual({name: clone(made).get_params()[name] for name in numbers}, {name: 7 for name in numbers})
        with self.assertRaises(TypeError):
            leman.nn.GraphNetwork(no_such=1)

    def test_a_new_number(self):
        """The constructor takes what the record has, not what Python lists."""
        from leman.nn import _options
        kept = _declarations.TRAINING_NUMBERS
        try:
            _declarations.TRAINING_NUMBERS = [*kept, ("warmup", "COUNT", 0, 10)]

            class Other(leman.nn.GraphNetwork):
                @_options._with_numbers
                def __init__(self, model="GIN-eps"):
                    self.model = model
            self.assertEqual(Other(warmup=3).get_params()["warmup"], 3)
        finally:
            _declarations.TRAINING_NUMBERS = kept

    def program(self, folder, *arguments):
        if not os.path.exists(PROGRAM):
            self.skipTest("the program is not built")
        data, path = os.path.join(folder, "d.leman"), os.path.join(folder, "n.lmn")
        DATA.save(data)
        subprocess.run([PROGRAM, "train", data, "-a", "GIN-eps", "--layers", "1", "--width", "8", "--epochs", "4", "--batch", "10", "--seed", "3",
                        "--device", "cpu", "--checkpoint", path, *arguments], check=True, capture_output=True)
        return leman.nn.GraphNetwork.load(path)

    def test_options_of_the_program(self):
        """The network of the same options is the program's, to the bit; and load() knows the options."""
        for options, arguments in ((dict(test_fraction=0.2, validation_fraction=0.2), ["--test-share", "0.2", "--val-share", "0.2"]),
                                   (dict(weight_decay=0.1, max_gradient_norm=0.01, patience=0, scoring="auc", plateau="accuracy"),
                                    ["--weight-decay", "0.1", "--clip", "0.01", "--patience", "0", "--score", "auc", "--plateau", "accuracy",
                                     "--test-share", "0"]),
                                   (dict(schedule="cosine", warm_up=2, min_learning_rate=1e-3, test_fraction=0.2),
                                    ["--schedule", "cosine", "--warm-up", "2", "--min-lr", "0.001", "--test-share", "0.2"]),
                                   (dict(schedule="constant", class_weight={0: 1.0, 1: 3.0}),
                                    ["--schedule", "constant", "--class-weights", "1,3", "--test-share", "0"]),
                                   (dict(recompute=True, class_weight="balanced", scoring="balanced"),
                                    ["--recompute", "--class-weights", "balanced", "--score", "balanced", "--test-share", "0"])):
            with tempfile.TemporaryDirectory() as folder:
                theirs = self.program(folder, *arguments)
                ours = leman.nn.GraphNetwork("GIN-eps", **HOW, **options).fit(DATA)
                self.assertTrue(same(ours, theirs), str(options))
                for name, value in options.items():
                    if name != "recompute":  # the file does not have it: it belongs to the machine
                        self.assertAlmostEqual(theirs.get_params()[name], value, msg=name) if isinstance(value, float) else \
                            self.assertEqual(theirs.get_params()[name], value, name)
                plain = leman.nn.GraphNetwork("GIN-eps", **HOW).fit(DATA)
                self.assertFalse(same(ours, plain))

    def test_loaded(self):
        """Every parameter that decides about the weights comes back, and trains the same network again."""
        targets = [float(graph.num_edges) for graph in DATA]
        for options in (dict(scale_targets=True, preset="zinc"), dict(scale_targets=False), dict(run=5), dict(own_fourth_layer=True, preset="zinc"),
                        dict(test_fraction=0.25, validation_fraction=0.15), dict(weight_decay=0.5, loss="l2")):
            network = leman.nn.GraphNetwork("GINE-eps", **{**HOW, "layers": 4}, **options).fit(DATA, targets)
            with tempfile.TemporaryDirectory() as folder:
                network.save(os.path.join(folder, "n"))
                loaded = leman.nn.GraphNetwork.load(os.path.join(folder, "n"))
            for name, value in options.items():
                self.assertEqual(loaded.get_params()[name], value, name)
            self.assertTrue(same(loaded.set_params(device="cpu").fit(DATA, targets), network), str(options))

    def test_parts(self):
        """Graphs that validate and test are as they are told, by number or mask."""
        tests = np.zeros(60, dtype=bool)
        tests[40:50] = True
        network = leman.nn.GraphNetwork("GIN-eps", **HOW).fit(DATA, validation=range(50, 60), test=tests)
        graphs = leman.Dataset(list(DATA)[40:50])
        wrong = 100 * np.mean(network.predict(graphs) != np.array(DATA.y)[40:50])
        self.assertAlmostEqual(network.best_["test_error"], wrong)
        self.assertEqual(network.best_["epoch"], network.best_epoch_)
        without = leman.nn.GraphNetwork("GIN-eps", **HOW).fit(DATA, validation=range(40, 60))
        self.assertTrue(all(math.isnan(epoch["test_error"]) for epoch in without.history_))
        for wrong in (dict(test=[1]), dict(validation=[1], test=[1]), dict(validation=[60]), dict(validation=tests[:5])):
            with self.assertRaises((leman.ArgumentError, leman.InputError), msg=str(wrong)):
                leman.nn.GraphNetwork("GIN-eps", **HOW).fit(DATA, **wrong)

    def test_runs(self):
        """Several runs are single fits with the numbers of the runs; the one that validates best is kept."""
        alone = [leman.nn.GraphNetwork("GIN-eps", **HOW, run=run, test_fraction=0.2).fit(DATA) for run in range(3)]
        network = leman.nn.GraphNetwork("GIN-eps", **HOW, runs=3, test_fraction=0.2).fit(DATA)
        self.assertEqual([[e["val_error"] for e in run] for run in network.runs_], [[e["val_error"] for e in one.history_] for one in alone])
        best = min(range(3), key=lambda i: alone[i].best_["val_error"])
        self.assertTrue(same(network, alone[best]))
        accuracies = [100 - one.best_["test_error"] for one in alone]
        self.assertAlmostEqual(network.means_["test_mean"], np.mean(accuracies))
        self.assertAlmostEqual(network.means_["test_std"], np.std(accuracies))
        with tempfile.TemporaryDirectory() as folder:
            network.report(os.path.join(folder, "runs.html"))
            alone[0].report(os.path.join(folder, "one.html"))
            self.assertEqual(sorted(os.listdir(folder)), ["one.html", "runs.html"])
        self.assertFalse(hasattr(pickle.loads(pickle.dumps(network)), "_trained"))

    def test_checkpoint_and_resume(self):
        whole = leman.nn.GraphNetwork("GIN-eps", **HOW).fit(DATA)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.lmn")
            first = leman.nn.GraphNetwork("GIN-eps", **{**HOW, "epochs": 2}, checkpoint=path).fit(DATA)
            self.assertEqual(len(first.history_), 2)
            second = leman.nn.GraphNetwork("GIN-eps", **HOW, checkpoint=path, resume=True).fit(DATA)
            self.assertEqual(len(second.history_), 4)
            self.assertTrue(same(second, whole))
            self.assertTrue(same(leman.nn.GraphNetwork.load(path), whole))
            for wrong in (dict(resume=True), dict(resume=True, checkpoint=path, random_state=None)):
                with self.assertRaisesRegex(leman.ArgumentError, "resume"):
                    leman.nn.GraphNetwork("GIN-eps", **{**HOW, **wrong}).fit(DATA)

    def test_refusals(self):
        with self.assertRaises(leman.MemoryBudgetError):
            leman.nn.GraphNetwork("delta-2-LGNN", **{**HOW, "width": 4096}, memory=1 << 26).fit(DATA)
        for wrong in (dict(patience=-1), dict(weight_decay=-0.5), dict(learning_rate=1e9), dict(max_gradient_norm="a"), dict(scoring="no"),
                      dict(plateau="no"), dict(schedule="no"), dict(schedule="cosine", patience=3), dict(schedule="constant", plateau="error"),
                      dict(warm_up=4), dict(min_learning_rate=0.001), dict(schedule="cosine", min_learning_rate=1.0), dict(runs=0),
                      dict(run=-1), dict(test_fraction=1.5), dict(memory=-1), dict(checkpoint=3)):
            with self.assertRaises(leman.ArgumentError, msg=str(wrong)):
                leman.nn.GraphNetwork("GIN-eps", **{**HOW, **wrong}).fit(DATA)


class Pruned(Exception):
    pass


class Callbacks(unittest.TestCase):
    def test_rows(self):
        seen = []
        network = leman.nn.GraphNetwork("GIN-eps", **HOW, test_fraction=0.2).fit(DATA, callback=seen.append)
        self.assertEqual([row["epoch"] for row in seen], [1, 2, 3, 4])
        for row, kept in zip(seen, network.history_):
            np.testing.assert_equal({key: row[key] for key in kept}, kept)
        self.assertEqual([row["epoch"] for row in seen if row["is_best"]][-1], network.best_epoch_)
        self.assertEqual({row["run"] for row in seen}, {0})

    def test_ends(self):
        """False ends the training; an exception ends the fit, and the best epoch so far is kept in both cases."""
        short = leman.nn.GraphNetwork("GIN-eps", **{**HOW, "epochs": 2}).fit(DATA)
        network = leman.nn.GraphNetwork("GIN-eps", **HOW).fit(DATA, callback=lambda row: row["epoch"] < 2)
        self.assertTrue(same(network, short))
        by_numpy = leman.nn.GraphNetwork("GIN-eps", **HOW).fit(DATA, callback=lambda row: np.bool_(row["epoch"] < 2))
        self.assertTrue(same(by_numpy, short))

        def prune(row):
            if row["epoch"] == 2:
                raise Pruned

        pruned = leman.nn.GraphNetwork("GIN-eps", **HOW)
        with self.assertRaises(Pruned):
            pruned.fit(DATA, callback=prune)
        self.assertTrue(same(pruned, short))
        self.assertEqual(len(pruned.history_), 2)

    def test_ends_of_runs(self):
        """False ends one run, and the next begins; an exception ends all. The network is the best of the epochs that were done."""
        short = leman.nn.GraphNetwork("GIN-eps", **{**HOW, "epochs": 2}, runs=3).fit(DATA)
        network = leman.nn.GraphNetwork("GIN-eps", **HOW, runs=3).fit(DATA, callback=lambda row: row["epoch"] < 2)
        self.assertEqual([len(run) for run in network.runs_], [2, 2, 2])
        self.assertTrue(same(network, short))
        seen = []

        def prune(row):
            seen.append((row["run"], row["epoch"]))
            if seen[-1] == (1, 2):
                raise Pruned

        pruned = leman.nn.GraphNetwork("GIN-eps", **HOW, runs=3)
        with self.assertRaises(Pruned):
            pruned.fit(DATA, callback=prune)
        self.assertEqual(seen, [(0, 1), (0, 2), (0, 3), (0, 4), (1, 1), (1, 2)])
        self.assertEqual([len(run) for run in pruned.runs_], [4, 2])

    def test_interrupt(self):
        """Ctrl-C during an epoch: the network of the best epoch so far is there when KeyboardInterrupt comes."""
        def interrupt(row):
            if row["epoch"] == 2:
                os.kill(os.getpid(), signal.SIGINT)

        network = leman.nn.GraphNetwork("GIN-eps", **HOW)
        with self.assertRaises(KeyboardInterrupt):
            network.fit(DATA, callback=interrupt)
        self.assertLessEqual(len(network.history_), 3)
        self.assertEqual(len(network.predict(DATA)), 60)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def test_interrupt_of_a_long_epoch(self):
        """Ctrl-C does not wait for the end of an epoch."""
        import threading
        import time
        graphs = leman.Dataset.generate("molecules", graphs=1500, vertices=40)
        network = leman.nn.GraphNetwork("delta-2-LGNN", layers=3, width=64, epochs=3, device="cpu")
        timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))  # in the first epoch: there is nothing to keep
        timer.start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            network.fit(graphs, np.arange(1500) % 2)
        self.assertLess(time.monotonic() - began, 60)
        self.assertFalse(hasattr(network, "history_"))


class Integrations(unittest.TestCase):
    """The blocks of docs/python.md that need other packages (```py), with objects that only remember what they are told."""

    def block(self, package_):
        with open(os.path.join(package.SOURCE, "docs", "python.md")) as file:
            return next(text for text in re.findall(r"^```py\n(.*?)^```$", file.read(), re.M | re.S) if package_ in text.split("\n")[0])

    def execute(self, name, **modules):
        network = leman.nn.GraphNetwork("GIN-eps", **HOW)
        made = {key.replace("__", "."): module for key, module in modules.items()}
        with unittest.mock.patch.dict("sys.modules", made):
            exec(compile(self.block(name), "docs/python.md", "exec"), space := {"leman": leman, "network": network, "data": DATA, "y": None})
        return network, space

    def test_tensorboard(self):
        board = unittest.mock.MagicMock()
        network, _ = self.execute("tensorboard", torch=board, torch__utils=board, torch__utils__tensorboard=board)
        calls = board.SummaryWriter.return_value.add_scalars.call_args_list
        self.assertEqual([call.args[1]["train"] for call in calls], [row["train_loss"] for row in network.history_])

    def test_wandb(self):
        wandb = unittest.mock.MagicMock()
        network, _ = self.execute("wandb", wandb=wandb)
        calls = wandb.init.return_value.log.call_args_list
        self.assertEqual([call.kwargs["step"] for call in calls], [1, 2, 3, 4])
        self.assertEqual([call.args[0]["val_loss"] for call in calls], [row["val_loss"] for row in network.history_])

    def test_optuna(self):
        optuna, trial = unittest.mock.MagicMock(), unittest.mock.MagicMock()
        optuna.TrialPruned = Pruned
        trial.suggest_categorical.return_value = 8
        _, space = self.execute("optuna", optuna=optuna)
        trial.should_prune.return_value = False
        self.assertIn(space["objective"](trial), [call.args[0] for call in trial.report.call_args_list])
        trial.should_prune.return_value = True
        with self.assertRaises(Pruned):
            space["objective"](trial)


if __name__ == "__main__":
    package.main()
