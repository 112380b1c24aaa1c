"""evaluate() and compare(): splits of others, predictions, scores of other models beside ours, tables, figures. The t-test is
compared with its definition in NumPy and SciPy."""
import itertools
import json
import math
import os
import re
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

import networkx as nx
import numpy as np
from scipy import stats
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

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
        again = leman.evaluate(DATA, "1-WL", splits=found.splits, **QUICK)
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
        """Pairs of scikit-learn have no validation part, which is a tenth of the others. Test parts that overlap are repetitions."""
        for splitter, shape in ((StratifiedKFold(4), (1, 4)), (KFold(5, shuffle=True, random_state=1), (1, 5)),
                                (ShuffleSplit(3, test_size=0.5, random_state=2), (3, 1))):
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
        rows = found.predictions("1-WL").rows
        self.assertEqual(len(rows), 2 * 40)
        self.assertEqual({row["predicted"] for row in rows}, {"ring", "tree"})
        for repetition, fold in itertools.product(range(2), range(4)):
            own = [row for row in rows if (row["repetition"], row["fold"]) == (repetition, fold)]
            self.assertEqual([row["y"] for row in own], [DATA.y[row["graph"]] for row in own])
            right = np.mean([row["y"] == row["predicted"] for row in own])
            self.assertAlmostEqual(100 * right, found["1-WL"].scores[repetition, fold])
        self.assertEqual(list(found.predictions(0).to_pandas()), ["repetition", "fold", "graph", "y", "predicted"])
        with self.assertRaisesRegex(leman.UnsupportedError, "networks"):
            found.predictions("GIN-eps")
        sizes = [float(len(graph)) for graph in DATA]
        reals = leman.evaluate(DATA, "1-WL", y=sizes, **QUICK)
        rows = [row for row in reals.predictions().rows if row["repetition"] == 0 and row["fold"] == 2]
        self.assertEqual([row["y"] for row in rows], [sizes[row["graph"]] for row in rows])
        self.assertAlmostEqual(np.mean([abs(row["y"] - row["predicted"]) for row in rows]), reals[0].scores[0, 2])

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
                      {"a": [1.0, 2.0], "b": [1.0, 2.0, 3.0]}, {"a": [1.0], "b": [2.0]}):
            with self.assertRaises(leman.ArgumentError, msg=str(wrong)):
                leman.compare(wrong)

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
            for wrong in (dict(path="f.png"), dict(path="f.svg", kind="no")):
                with self.assertRaises(leman.ArgumentError):
                    compared.figure(**wrong)
            with self.assertRaises(leman.Error):
                compared.figure(os.path.join(folder, "no", "f.svg"))


if __name__ == "__main__":
    package.main()
