"""evaluate() and compare(): splits of others, predictions, scores of other models beside ours, tables, figures. The t-test is
compared with its definition in NumPy and SciPy, areas of curves with scikit-learn."""
import itertools
import json
import math
import os
import pickle
import re
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

import networkx as nx
import numpy as np
from scipy import stats
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold

import package
import leman


def graphs(count=40, seed=0):
    """Trees (class "tree") and trees with a triangle (class "ring"), in turns."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(count):
        graph = nx.random_labeled_tree(int(rng.integers(6, 12)), seed=int(rng.integers(1 << 30)))
        if i % 2:
            graph.add_edges_from([(0, 100), (100, 101), (101, 0)])
        made.append(graph)
    return leman.Dataset.from_networkx(made, ["ring" if i % 2 else "tree" for i in range(count)])


DATA = graphs()
QUICK = dict(rounds=(0, 1), C=[1, 100], repetitions=2, folds=4)


class Splits(unittest.TestCase):
    def parts(self, evaluation):
        return [{key: fold[key].tolist() for key in ("train", "validation", "test")} for fold in evaluation.splits]

    def test_parts_cover_the_data(self):
        found = leman.evaluate(DATA, "1-WL", **QUICK)
        self.assertEqual([(fold["repetition"], fold["fold"]) for fold in found.splits], list(itertools.product(range(2), range(4))))
        for fold in found.splits:
            self.assertEqual(sorted(np.concatenate([fold["train"], fold["validation"], fold["test"]]).tolist()), list(range(40)))
        again = leman.evaluate(DATA, "1-WL", splits=found.splits, rounds=(0, 1), C=[1, 100])
        self.assertEqual(self.parts(again), self.parts(found))
        self.assertEqual(again[0].scores.tolist(), found[0].scores.tolist())
        self.assertEqual(again[0].scores.shape, (2, 4))

    def test_json(self):
        """Errica's file has a list of folds with an inner split each, OGB's one split."""
        folds = [(list(range(i, 40, 4)), list(range((i + 1) % 4, 40, 8))) for i in range(4)]
        rest = [sorted(set(range(40)) - set(test) - set(validation)) for test, validation in folds]
        errica = [{"test": test, "model_selection": [{"train": train, "validation": validation}]}
                  for (test, validation), train in zip(folds, rest)]
        expected = [{"train": train, "validation": validation, "test": test} for (test, validation), train in zip(folds, rest)]
        ogb = {"train": rest[0], "valid": folds[0][1], "test": folds[0][0]}
        with tempfile.TemporaryDirectory() as folder:
            for content, wanted in ((errica, expected), (ogb, expected[:1])):
                path = os.path.join(folder, "splits.json")
                with open(path, "w") as file:
                    json.dump(content, file)
                for given in (path, content):
                    self.assertEqual(self.parts(leman.evaluate(DATA, "1-WL", splits=given, rounds=0, C=1)), wanted)
            text = os.path.join(folder, "splits.txt")
            with open(text, "w") as file:
                file.write("graphs 40\n0 0 test 1 2 3\n0 0 validation 7 8\n")
            found = self.parts(leman.evaluate(DATA, "1-WL", splits=text, rounds=0, C=1))
            self.assertEqual((found[0]["test"], found[0]["validation"]), ([1, 2, 3], [7, 8]))
            with self.assertRaises(FileNotFoundError):
                leman.evaluate(DATA, "1-WL", splits=os.path.join(folder, "none"))
        arrays = {key: np.array(part) for key, part in ogb.items()}
        self.assertEqual(self.parts(leman.evaluate(DATA, "1-WL", splits=arrays, rounds=0, C=1)), expected[:1])

    def test_splitters(self):
        """Pairs of scikit-learn have no validation part, which is a tenth of the others. Folds that together test every graph once are a
        repetition; other test parts that overlap are a repetition each."""
        for splitter, shape in ((StratifiedKFold(4), (1, 4)), (KFold(5, shuffle=True, random_state=1), (1, 5)),
                                (RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=1), (2, 4)),
                                (ShuffleSplit(3, test_size=0.5, random_state=2), (3, 1)), (ShuffleSplit(4, test_size=0.5, random_state=2), (4, 1))):
            pairs = list(splitter.split(np.zeros(40), DATA.y))
            for given in (splitter, pairs):
                found = leman.evaluate(DATA, "1-WL", splits=given, rounds=0, C=1)
                self.assertEqual(found[0].scores.shape, shape)
                for fold, (train, test) in zip(found.splits, pairs):
                    self.assertEqual(fold["test"].tolist(), sorted(test.tolist()))
                    self.assertEqual(len(fold["validation"]), math.ceil(len(train) / 10))

    def test_sizes(self):
        found = leman.evaluate(DATA, "1-WL", parts="train=30,val=4,test=6", rounds=0, C=1)
        self.assertEqual(self.parts(found), [{"train": list(range(30)), "validation": list(range(30, 34)), "test": list(range(34, 40))}])
        again = leman.evaluate(DATA, "1-WL", parts={"test": 6, "train": 30, "valid": 4}, rounds=0, C=1)
        self.assertEqual(self.parts(again)[0]["test"], list(range(6)))

    def test_refusals(self):
        train = list(range(30))
        for wrong in ({"splits": {"train": train, "test": [40]}}, {"splits": {"train": train, "test": [30]}}, {"splits": []},
                      {"splits": [{"train": train}]}, {"splits": 3}, {"splits": {"test": [1, 1], "valid": [2]}}, {"parts": "train=30"},
                      {"splits": {"test": [1], "valid": [1]}}, {"parts": "train=30,val=5,test=6"}, {"parts": 7}, {"parts": "a"},
                      {"parts": "train=30,val=4,test=6", "stratified": True}, {"splits": [(train, [30, 31])]}):
            with self.assertRaises((leman.ArgumentError, leman.InputError), msg=str(wrong)):
                leman.evaluate(DATA, "1-WL", rounds=0, C=1, **wrong)

    def test_numbers_beside_splits(self):
        """repetitions and folds are those of the splits that are given."""
        for given in ({"splits": KFold(4)}, {"parts": "train=30,val=4,test=6"}):
            for number in ("repetitions", "folds"):
                with self.assertRaisesRegex(leman.ArgumentError, f"{number}: found 3 beside {next(iter(given))}, expected None"):
                    leman.evaluate(DATA, "1-WL", rounds=0, C=1, **given, **{number: 3})
        drawn = leman.evaluate(DATA, "1-WL", rounds=0, C=1, repetitions=1)
        self.assertEqual(drawn[0].scores.shape, (1, 10))

    def test_splitters_that_fail(self):
        """What a splitter of scikit-learn says about the data stands in a sentence of ours."""
        partly = [None if i == 3 else i % 2 for i in range(40)]
        for wrong, y, sentence in ((GroupKFold(4), None, "splits: found GroupKFold.*groups"), (KFold, None, "splits: found the class KFold, expected"),
                                   (KFold(50), None, "splits: found KFold.*50"), (KFold(50).split(np.zeros(40)), None, "splits: found .*50"),
                                   (StratifiedKFold(4), partly, "splits: found StratifiedKFold")):
            with self.assertRaisesRegex(leman.InputError, sentence):
                leman.evaluate(DATA, "1-WL", y=y, rounds=0, C=1, splits=wrong)

    def test_no_temporary_file_in_messages(self):
        everything = {"test": list(range(20)), "valid": list(range(20, 40))}
        with self.assertRaisesRegex(leman.Error, "^splits: ") as caught:
            leman.evaluate(DATA, "1-WL", rounds=0, C=1, splits=everything)
        self.assertNotIn(tempfile.gettempdir(), str(caught.exception))


class Protocol(unittest.TestCase):
    def test_resume(self):
        whole = leman.evaluate(DATA, ["1-WL", "GIN-eps"], epochs=2, layers=1, width=4, device="cpu", **QUICK)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "journal")
            how = dict(epochs=2, layers=1, width=4, device="cpu", resume=path, **QUICK)
            first = leman.evaluate(DATA, ["1-WL", "GIN-eps"], **how)
            self.assertEqual(sorted(os.listdir(folder)), ["journal.0", "journal.1"])
            with open(path + ".0") as file:
                lines = file.read().splitlines(True)
            self.assertEqual(len(lines), 1 + 8)
            with open(path + ".0", "w") as file:
                file.writelines(lines[:4])  # as if the run had been stopped after three folds
            again = leman.evaluate(DATA, ["1-WL", "GIN-eps"], **how)
            self.assertEqual([result._handle.pointer.contents.resumed for result in again.results], [3, 8])
            for place in range(2):
                self.assertEqual(first[place].scores.tolist(), whole[place].scores.tolist())
                self.assertEqual(again[place].scores.tolist(), whole[place].scores.tolist())

    def test_retrain(self):
        """With nearly all training graphs in the validation part, only a retrained machine knows enough."""
        splits = [{"test": list(range(10)), "valid": list(range(12, 40))}]
        found = [leman.evaluate(DATA, "delta-2-LWL", splits=splits, rounds=1, C=100, retrain=retrain)[0] for retrain in (False, True)]
        self.assertGreater(found[1].test_mean, found[0].test_mean)
        with self.assertRaisesRegex(leman.ArgumentError, "network"):
            leman.evaluate(DATA, "GIN-eps", retrain=True)

    def test_predictions(self):
        found = leman.evaluate(DATA, ["1-WL", "GIN-eps"], epochs=1, layers=1, width=4, device="cpu", **QUICK)
        self.assertEqual({row["predicted"] for row in found.predictions("1-WL").rows}, {"ring", "tree"})
        for method in ("1-WL", "GIN-eps"):
            rows = found.predictions(method).rows
            self.assertEqual(len(rows), 2 * 40)
            for repetition, fold in itertools.product(range(2), range(4)):
                own = [row for row in rows if (row["repetition"], row["fold"]) == (repetition, fold)]
                self.assertEqual([row["y"] for row in own], [DATA.y[row["graph"]] for row in own])
                right = np.mean([row["y"] == row["predicted"] for row in own])
                self.assertAlmostEqual(100 * right, found[method].scores[repetition, fold])
        self.assertEqual(list(found.predictions(0).to_pandas()), ["repetition", "fold", "graph", "y", "predicted", "probability"])
        with self.assertRaisesRegex(leman.UnsupportedError, "given scores"):
            found.with_scores({"mine": np.full((2, 4), 50.0)}).predictions("mine")
        sizes = [float(len(graph)) for graph in DATA]
        scaled = leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=2, scale_targets=True)
        reals = leman.evaluate(DATA, {"kernel": "1-WL", "plain": scaled.__class__(**{**scaled.get_params(), "scale_targets": None}), "scaled": scaled},
                               y=sizes, device="cpu", **QUICK)
        for method in ("kernel", "plain", "scaled"):  # errors in the units of the data, whatever a network learned
            rows = [row for row in reals.predictions(method).rows if row["repetition"] == 0 and row["fold"] == 2]
            self.assertEqual([row["y"] for row in rows], [sizes[row["graph"]] for row in rows])
            self.assertAlmostEqual(np.mean([abs(row["y"] - row["predicted"]) for row in rows]), reals[method].scores[0, 2], 4)
        self.assertNotEqual(reals["plain"].scores.tolist(), reals["scaled"].scores.tolist())

    def test_memory_and_precision_of_a_network(self):
        how = dict(QUICK, repetitions=1, folds=2, device="cpu")
        with self.assertRaises(leman.MemoryBudgetError):
            leman.evaluate(DATA, leman.nn.GraphNetwork("delta-2-LGNN", layers=2, width=2048, epochs=1, memory=1 << 24), **how)
        with self.assertRaises(leman.ArgumentError):
            leman.evaluate(DATA, leman.nn.GraphNetwork("GIN-eps", layers=1, width=4, epochs=1, precision="no"), **how)

    def test_equal_names(self):
        networks = [leman.nn.GraphNetwork("GIN-eps", "tu", layers=layers, width=width, epochs=1, device="cpu")
                    for layers, width in ((1, 4), (2, 4), (1, 8))]
        how = dict(QUICK, repetitions=1, folds=2)
        found = leman.evaluate(DATA, networks + [leman.WLKernel("1-WL"), leman.WLKernel("1-WL", in_arcs=False)], **how)
        self.assertEqual([result.method for result in found.results], ["GIN-eps (layers=1, width=4)", "GIN-eps (layers=2, width=4)",
                                                                       "GIN-eps (layers=1, width=8)", "1-WL", "1-WL #2"])
        self.assertEqual(found["GIN-eps (layers=2, width=4)"].folds[0]["layers"], 2)
        named = leman.evaluate(DATA, {"shallow": networks[0], "kernel": "1-WL"}, **how)
        self.assertEqual([row["method"] for row in named.rows], ["shallow", "kernel"])

    def test_parameters_that_are_not_used(self):
        """Names tell apart what evaluate() follows; what it would have to ignore silently is refused."""
        how = dict(QUICK, repetitions=1, folds=2)
        found = leman.evaluate(DATA, [leman.WLKernel("1-WL", rounds=1), leman.WLKernel("1-WL", rounds=4, normalize=False),
                                      leman.WLKernel("1-WL", rounds=4, count_every_round=True)], **how)
        self.assertEqual([result.method for result in found.results], ["1-WL (count_every_round=False)", "1-WL (count_every_round=False) #2",
                                                                       "1-WL (count_every_round=True)"])
        networks = [leman.nn.GraphNetwork("GIN-eps", "tu", layers=1, width=4, epochs=1, random_state=seed, validation_fraction=share)
                    for seed, share in ((1, 0.1), (2, 0.3))]
        found = leman.evaluate(DATA, networks, device="cpu", **how)
        self.assertEqual([result.method for result in found.results], ["GIN-eps", "GIN-eps #2"])
        self.assertEqual(found[0].scores.tolist(), found[1].scores.tolist())
        for wrong, sentence in ((dict(runs=3), "runs: found 3, which evaluate\\(\\) does not use; expected 1$"),
                                (dict(checkpoint="a.lmn"), "checkpoint: found 'a.lmn'.*expected None"),
                                (dict(resume=True), "resume: found True.*expected False"), (dict(test_fraction=0.2), "test_fraction: found 0.2")):
            with self.assertRaisesRegex(leman.ArgumentError, sentence):
                leman.evaluate(DATA, leman.nn.GraphNetwork("GIN-eps", "tu", **wrong), **how)
        with self.assertRaisesRegex(leman.ArgumentError, "methods: found none"):
            leman.evaluate(DATA, [])

    def test_kernels_of_grakel(self):
        """What the library does not compute is refused, not replaced by 1-WL."""
        from leman.grakel import EdgeHistogram, ShortestPath, WeisfeilerLehman
        self.assertEqual(leman.evaluate(DATA, WeisfeilerLehman(n_iter=2), **QUICK)[0].scores.tolist(),
                         leman.evaluate(DATA, "1-WL", **QUICK)[0].scores.tolist())
        for wrong in (EdgeHistogram(), WeisfeilerLehman(base_graph_kernel=ShortestPath)):
            with self.assertRaisesRegex(leman.ArgumentError, type(wrong).__name__):
                leman.evaluate(DATA, wrong, **QUICK)

    def test_pickle(self):
        found = leman.evaluate(DATA, "1-WL", **QUICK)
        for result in (found, found[0], found.compare()):
            with self.assertRaisesRegex(leman.UnsupportedError, "to_pandas"):
                pickle.dumps(result)
        self.assertEqual(len(pickle.loads(pickle.dumps(found.to_pandas()))), 1)

    def test_misspelled(self):
        for name, wanted in (("delta-2-LGN", "delta-2-LGNN.*network"), ("GIN-ep", "GIN-eps.*network"), ("delta-2-LW", "delta-2-LWL.*kernel")):
            with self.assertRaisesRegex(leman.ArgumentError, wanted):
                leman.evaluate(DATA, [name])
        with self.assertRaisesRegex(leman.ArgumentError, "GraphNetwork"):
            leman.WLKernel("delta-2-LGNN").fit(DATA)
        with self.assertRaisesRegex(leman.ArgumentError, "WLKernel"):
            leman.nn.GraphNetwork("delta-2-LWL").fit(DATA)


def t_test(first, second, ratio):
    """The corrected resampled t-test by its definition."""
    d = np.ravel(first) - np.ravel(second)
    t = d.mean() / math.sqrt((1 / d.size + ratio) * d.var(ddof=1))
    return t, 2 * stats.t.sf(abs(t), d.size - 1)


class Compared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ours = leman.evaluate(DATA, ["1-WL", "delta-2-LWL"], **QUICK)
        cls.mine = np.random.default_rng(1).uniform(40, 70, (2, 4))

    def check(self, found, scores):
        self.assertEqual([(row["first"], row["second"]) for row in found.rows], list(itertools.combinations(scores, 2)))
        raw = []
        for row in found.rows:
            t, p = t_test(scores[row["first"]], scores[row["second"]], 1 / 3)
            np.testing.assert_allclose([row["t"], row["p"]], [t, p], rtol=1e-9)
            raw.append(p)
        largest = 0
        for rank, place in enumerate(np.argsort(raw)):
            largest = min(1, max(largest, raw[place] * (len(raw) - rank)))
            self.assertAlmostEqual(found.rows[place]["p_holm"], largest, 12)

    def test_mine_beside_ours(self):
        expected = {"mine": self.mine, **{result.method: result.scores for result in self.ours.results}}
        for given in ({"mine": self.mine, "ours": self.ours}, {"mine": self.mine.ravel().tolist(), "1-WL": self.ours["1-WL"],
                                                                "delta-2-LWL": self.ours["delta-2-LWL"]}):
            found = leman.compare(given)
            self.check(found, expected)
        self.check(self.ours.compare({"mine": self.mine}), dict(sorted(expected.items(), key=lambda item: item[0] == "mine")))
        row = found.evaluation["mine"].row()
        self.assertAlmostEqual(row["test_mean"], self.mine.mean())
        self.assertAlmostEqual(row["test_std"], self.mine.mean(axis=1).std())
        half = stats.t.ppf(0.975, 7) * math.sqrt((1 / 8 + 1 / 3) * self.mine.var(ddof=1))
        self.assertAlmostEqual(row["test_high"], self.mine.mean() + half)
        self.assertEqual(row["baseline"], self.ours[0].baseline)
        self.assertIn("mine", found.evaluation.table())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            found.report(path)
            with open(path) as file:
                self.assertIn("mine", file.read())

    def test_only_mine(self):
        other = self.mine + np.random.default_rng(2).normal(2, 3, (2, 4))
        found = leman.compare({"mine": self.mine, "other": other})
        self.check(found, {"mine": self.mine, "other": other})
        beside = leman.compare({"mine": self.mine, "ours": self.ours}).evaluation["mine"].row()
        alone = found.evaluation["mine"].row()
        for key in ("test_mean", "test_std", "test_low", "test_high"):
            self.assertAlmostEqual(alone[key], beside[key])
        with self.assertRaisesRegex(leman.UnsupportedError, "evaluate"):
            found.report("page.html")

    def test_refusals(self):
        for wrong in ({"mine": self.mine / 100, "ours": self.ours}, {"mine": self.mine[:, :3], "ours": self.ours},
                      {"mine": self.mine * np.nan, "ours": self.ours}, {"1-WL": self.mine, "ours": self.ours},
                      {"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, {"a": [1.0], "b": [2.0]}, {}, {"a": [0.5, 0.6, 0.7], "b": [50, 60, 80]}):
            with self.assertRaises(leman.ArgumentError, msg=str(wrong)):
                leman.compare(wrong)
        for given in ({"a": [50, 60, 70], "b": [55, 60, 80]}, self.ours):
            with self.assertRaisesRegex(leman.ArgumentError, "nonsense: found 1"):
                leman.compare(given, nonsense=1)
        for given in ({"mine": self.mine, "ours": self.ours}, self.ours):
            with self.assertRaisesRegex(leman.ArgumentError, "smaller_is_better"):
                leman.compare(given, smaller_is_better=True)
        with self.assertRaisesRegex(leman.ArgumentError, "dictionary"):
            self.ours.compare("1-WL")

    def test_percentages(self):
        """Scores beside accuracies are percentages."""
        for wrong in (self.mine + 100, self.mine - 200):
            with self.assertRaisesRegex(leman.ArgumentError, "scores of mine: found -?[0-9.]+, expected percentages"):
                leman.compare({"mine": wrong, "ours": self.ours})
        with self.assertRaisesRegex(leman.ArgumentError, "^scoring: found 'acuracy', expected one of"):
            leman.evaluate(leman.generate("molecules", graphs=20), "1-WL", scoring="acuracy")

    def test_names_of_evaluations(self):
        """An evaluation of one method has the name that it is given; of several methods each has its own."""
        one = leman.evaluate(DATA, "1-WL", **QUICK)
        found = leman.compare({"tuned": one, "default": leman.evaluate(DATA, "1-WL", **dict(QUICK, rounds=0)), "ours": self.ours})
        self.assertEqual([row["method"] for row in found.evaluation.rows], ["tuned", "default", "1-WL", "delta-2-LWL"])
        self.assertEqual(one[0].method, "1-WL")

    def test_errors_without_graphs(self):
        errors = {"good": [0.5, 0.6, 0.7], "bad": [1.5, 1.6, 1.8]}
        found = leman.compare(errors, smaller_is_better=True).evaluation
        self.assertTrue(found.smaller_is_better)
        self.assertRegex(found.latex(), r"good & \\textbf")
        again = leman.compare({"both": found, "worst": [2.0, 3.0, 4.0]}).evaluation
        self.assertTrue(again.smaller_is_better)
        scores = {name: [100 * value for value in values] for name, values in errors.items()}
        self.assertRegex(leman.compare(scores).evaluation.latex(), r"bad & \\textbf")

    def test_infinite_and_missing_numbers(self):
        """Equal differences have an infinite t, and no differences at all have none."""
        scores = {"a": [50.0, 60.0, 70.0], "b": [51.0, 61.0, 71.0], "c": [50.0, 60.0, 70.0]}
        text = leman.compare(scores).latex()
        self.assertIn(r"$-\infty$", text)
        self.assertNotIn("inf$", text)
        self.assertNotIn("$$", text)

    def test_latex(self):
        """The best is bold; what differs from it significantly has an asterisk."""
        rng = np.random.default_rng(3)
        good, noise = rng.normal(90, 1, (2, 4)), rng.normal(0, 1, (2, 4))
        scores = {"good_one": good, "near": good - 0.1 + noise - noise.mean(), "far": rng.normal(60, 1, (2, 4))}
        found = leman.compare(scores)
        text = found.evaluation.latex(caption="50 % & more", label="t:x")
        self.assertRegex(text, r"good\\_one & \\textbf\{\d+\.\d+\} \$\\pm\$ [\d.]+ \\\\")
        self.assertRegex(text, r"near & \d+\.\d+ \$\\pm\$ [\d.]+ \\\\")
        self.assertRegex(text, r"far & \d+\.\d+ \$\\pm\$ [\d.]+\$\^\{\\ast\}\$ \\\\")
        self.assertIn(r"\caption{50 \% \& more}", text)
        self.assertIn(r"\label{t:x}", text)
        pairs = found.latex()
        self.assertEqual(pairs.count(r"\textbf"), sum(row["p_holm"] < 0.05 for row in found.rows))
        self.assertEqual(pairs.count(r"\\"), 4)
        self.assertIn(r"$\delta$-2-LWL", self.ours.latex())
        errors = leman.evaluate(DATA, ["1-WL", "SP"], y=[float(len(graph)) for graph in DATA], **QUICK)
        best = min(errors.results, key=lambda result: result.test_mean).method
        self.assertRegex(errors.latex(), re.escape(best) + r" & \\textbf")

    def test_figures(self):
        compared = self.ours.with_scores({"mine (a)": self.mine})
        with tempfile.TemporaryDirectory() as folder:
            for kind, dots in (("scores", 3), ("rounds", 2 * 2 + 2)):
                svg, pdf = os.path.join(folder, "f.svg"), os.path.join(folder, "f.pdf")
                compared.figure(svg, kind)
                tree = xml.etree.ElementTree.parse(svg).getroot()
                self.assertEqual(len(tree.findall("{*}circle")), dots)
                texts = [item.text for item in tree.findall("{*}text")]
                self.assertIn("delta-2-LWL", texts)
                self.assertEqual("mine (a)" in texts, kind == "scores")
                compared.figure(pdf, kind)
                with open(pdf, "rb") as file:
                    content = file.read()
                place = int(re.search(rb"startxref\n(\d+)", content)[1])
                self.assertEqual(content[place:place + 4], b"xref")
                for number, entry in enumerate(re.findall(rb"^(\d{10}) 00000 n ", content[place:], re.M), 1):
                    self.assertTrue(content[int(entry):].startswith(b"%d 0 obj" % number))
                drawn = zlib.decompress(re.search(rb"stream\n(.*)\nendstream", content, re.S)[1])
                self.assertIn(rb"(delta-2-LWL) Tj", drawn)
                self.assertEqual(drawn.count(b" Tj"), len(texts))
            named = self.ours.with_scores({"δ-GNN-ε": self.mine})
            named.figure(pdf)
            with open(pdf, "rb") as file:
                drawn = zlib.decompress(re.search(rb"stream\n(.*)\nendstream", file.read(), re.S)[1])
            self.assertIn(b"(delta-GNN-eps) Tj", drawn)
            named.figure(svg)
            with open(svg, encoding="utf-8") as file:
                self.assertIn("δ-GNN-ε", file.read())
            with self.assertRaisesRegex(leman.ArgumentError, "letter 'λ'.*svg"):
                self.ours.with_scores({"λ-net": self.mine}).figure(pdf)
            for wrong in (dict(path="f.png"), dict(path="f.svg", kind="no")):
                with self.assertRaises(leman.ArgumentError):
                    compared.figure(**wrong)
            with self.assertRaises(leman.Error):
                compared.figure(os.path.join(folder, "no", "f.svg"))


class Curves(unittest.TestCase):
    """Probabilities of the test graphs, and what is drawn of them."""

    @classmethod
    def setUpClass(cls):
        rng = np.random.default_rng(3)
        cls.data = graphs(160, 5)
        cls.y = [str(name) if rng.random() < 0.8 else "ring" for name in cls.data.y]  # some trees are called rings
        cls.found = leman.evaluate(cls.data, ["1-WL", "SP"], y=cls.y, rounds=(1, 2), C=[1], repetitions=1, folds=4)
        rows = [row for row in cls.found.predictions("1-WL").rows if row["repetition"] == 0]
        cls.positive = np.array([row["y"] == "tree" for row in rows])
        cls.probability = np.array([row["probability"] for row in rows])

    def numbers(self, kind, name="1-WL"):
        """The number in the legend of a figure, and the number of its dots and lines."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.svg")
            self.found.figure(path, kind)
            tree = xml.etree.ElementTree.parse(path).getroot()
        texts = [item.text for item in tree.findall("{*}text")]
        return float(next(text for text in texts if text.startswith(f"{name}: ")).split(": ")[1]), len(tree.findall("{*}circle"))

    def test_probabilities_are_platts(self):
        """A sigmoid of the decision: increasing within a fold, and near the best one for such decisions."""
        self.assertTrue(np.all((self.probability > 0) & (self.probability < 1)))
        self.assertGreater(roc_auc_score(self.positive, self.probability), 0.6)
        odds = np.log(self.probability / (1 - self.probability))[:, None]
        fitted = LogisticRegression(C=1e6).fit(odds, self.positive).predict_proba(odds)[:, 1]
        self.assertLess(brier_score_loss(self.positive, self.probability), brier_score_loss(self.positive, fitted) + 0.02)
        rows = self.found.predictions("1-WL").rows
        self.assertEqual(len(rows), 160)
        agree = [(row["predicted"] == "tree") == (row["probability"] > 0.5) for row in rows]
        self.assertGreater(np.mean(agree), 0.7)  # they differ near the border: the sigmoid has an offset

    def test_numbers_of_figures(self):
        self.assertAlmostEqual(self.numbers("roc")[0], roc_auc_score(self.positive, self.probability), 3)
        self.assertAlmostEqual(self.numbers("precision-recall")[0], average_precision_score(self.positive, self.probability), 3)
        share, mean = calibration_curve(self.positive, self.probability, n_bins=10)
        counts = np.histogram(self.probability, np.linspace(0, 1, 11))[0]
        number, dots = self.numbers("calibration")
        self.assertAlmostEqual(number, np.average(np.abs(share - mean), weights=counts[counts > 0]), 3)
        self.assertGreaterEqual(dots, len(mean) + 2)

    def test_page(self):
        """The page has the same areas."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            self.found.report(path)
            with open(path, encoding="utf-8") as file:
                page = file.read()
        for score in (roc_auc_score, average_precision_score):
            self.assertIn(f"1-WL: {score(self.positive, self.probability):.3f}", page)
        self.assertIn(f"Brier score {brier_score_loss(self.positive, self.probability):.3f}", page)
        self.assertIn("Error by similarity", page)

    def test_journal(self):
        with tempfile.TemporaryDirectory() as folder:
            how = dict(y=self.y, rounds=(1, 2), C=[1], repetitions=1, folds=4, resume=os.path.join(folder, "journal"))
            first = leman.evaluate(self.data, "1-WL", **how).predictions().rows
            self.assertEqual(leman.evaluate(self.data, "1-WL", **how).predictions().rows, first)
            self.assertEqual([row["probability"] for row in first], self.probability.tolist())

    def test_values(self):
        found = leman.evaluate(self.data, "1-WL", y=[float(len(graph)) for graph in self.data], **QUICK)
        self.assertNotIn("probability", found.predictions().rows[0])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.svg")
            found.figure(path, "predictions")
            self.assertEqual(len(xml.etree.ElementTree.parse(path).getroot().findall("{*}circle")), 160 + 1)
            for evaluation, kind in ((found, "roc"), (self.found, "predictions")):
                with self.assertRaisesRegex(leman.ArgumentError, "expected another one"):
                    evaluation.figure(path, kind)


if __name__ == "__main__":
    package.main()
