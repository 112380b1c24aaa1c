"""Kernels, features, models and the protocol with scikit-learn's manners: against definitions, against the program, inside
pipelines, searches and pickles."""
import json
import os
import pickle
import subprocess
import tempfile
import unittest
import warnings

import networkx as nx
import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import package
import leman

PROGRAM = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(leman.__file__)))), "leman")


def graphs(count=30, seed=0):
    """Labelled trees (class 0) and trees with a triangle (class 1)."""
    rng = np.random.default_rng(seed)
    made = []
    for i in range(count):
        graph = nx.random_labeled_tree(int(rng.integers(6, 12)), seed=int(rng.integers(1 << 30)))
        if i % 2:
            graph.add_edges_from([(0, 100), (100, 101), (101, 0)])
        for v in graph:
            graph.nodes[v]["label"] = "CNO"[rng.integers(3)]
        made.append(graph)
    return made, np.arange(count) % 2


def refined(graph, rounds):
    """Colour refinement by its definition: a Counter of nested tuples over rounds 0 .. rounds."""
    import collections
    colors = {v: graph.nodes[v]["label"] for v in graph}
    counts = collections.Counter((0, c) for c in colors.values())
    for r in range(1, rounds + 1):
        colors = {v: (colors[v], tuple(sorted(map(repr, (colors[w] for w in graph[v]))))) for v in graph}
        counts.update((r, c) for c in colors.values())
    return counts


KERNELS = [leman.WLKernel(), leman.WLKernel("1-WL", 3, normalize=False), leman.WLKernel("delta-2-LWL+", 2),
           leman.WLKernel("WLOA", 3), leman.WLKernel("2-WL", "stable"), leman.ShortestPathKernel(), leman.GraphletKernel(),
           leman.GraphletKernel(size=4, ignore_vertex_labels=True), leman.WLKernel("1-WL") + leman.ShortestPathKernel(),
           leman.WeisfeilerLehman(), leman.WeisfeilerLehmanOptimalAssignment(), leman.ShortestPath(),
           leman.GraphletSampling(k=3)]


class Kernels(unittest.TestCase):
    def test_definitions(self):
        listed, _ = graphs(8)
        counts = [refined(g, 3) for g in listed]
        product = [[sum(a[c] * b[c] for c in a) for b in counts] for a in counts]
        least = [[sum((a & b).values()) for b in counts] for a in counts]
        self.assertEqual(leman.WLKernel("1-WL", 3, normalize=False).fit_transform(listed).tolist(), product)
        self.assertEqual(leman.WeisfeilerLehman(n_iter=3).fit_transform(listed).tolist(), product)
        self.assertEqual(leman.WLKernel("WLOA", 3, normalize=False).fit_transform(listed).tolist(), least)
        features = leman.WLVectorizer("1-WL", 3).fit_transform(listed)
        self.assertEqual((features @ features.T).toarray().tolist(), product)
        paths = []
        for graph in listed:
            import collections
            found = collections.Counter()
            for u, lengths in nx.all_pairs_shortest_path_length(graph):
                found.update((graph.nodes[u]["label"], graph.nodes[v]["label"], d) for v, d in lengths.items() if u != v)
            paths.append(found)
        expected = [[sum(a[c] * b[c] for c in a) for b in paths] for a in paths]
        self.assertEqual(leman.ShortestPath().fit_transform(listed).tolist(), expected)

    def test_slices_are_equal_to_the_bit(self):
        listed, _ = graphs(20)
        train, test = np.arange(0, 20, 2), np.arange(1, 20, 2)
        for kernel in KERNELS:
            if getattr(kernel, "rounds", None) == "stable":
                continue  # how many rounds is a property of the graphs
            whole = kernel.fit_transform(listed)
            fitted = clone(kernel).fit([listed[i] for i in train])
            np.testing.assert_array_equal(fitted.transform([listed[i] for i in test]), whole[np.ix_(test, train)], str(kernel))
            np.testing.assert_array_equal(clone(kernel).fit(listed).transform(listed), whole)
            np.testing.assert_allclose(fitted.diagonal(listed), np.diag(whole), rtol=1e-12)

    def test_pickle_and_clone(self):
        listed, _ = graphs(10)
        for kernel in KERNELS:
            rows = kernel.fit(listed).transform(listed[:3])
            again = pickle.loads(pickle.dumps(kernel))
            np.testing.assert_array_equal(again.transform(listed[:3]), rows)
            fresh = clone(kernel)
            self.assertFalse(hasattr(fresh, "X_"))
            np.testing.assert_array_equal(fresh.fit(listed).transform(listed[:3]), rows)

    def test_threads_do_not_matter(self):
        listed, _ = graphs(12)
        one = leman.WLKernel(n_jobs=1).fit_transform(listed)
        for jobs in (2, -1, None):
            np.testing.assert_array_equal(leman.WLKernel(n_jobs=jobs).fit_transform(listed), one)

    def test_empty_and_single(self):
        odd = [nx.Graph(), nx.empty_graph(1), nx.path_graph(2)]
        for kernel in (leman.WLKernel(), leman.WLKernel("WLOA"), leman.ShortestPathKernel(), leman.GraphletKernel()):
            gram = kernel.fit_transform(odd)
            self.assertTrue(np.isfinite(gram).all())
            self.assertEqual(kernel.transform([]).shape, (0, 3))

    def test_refusals(self):
        listed, _ = graphs(4)
        for kernel in (leman.WLKernel("3-XYZ"), leman.WLKernel(method=None), leman.WLKernel(rounds=-1),
                       leman.WLKernel(rounds="many"), leman.WLKernel(rounds=1.5), leman.GraphletKernel(size=7),
                       leman.WLKernel(method="1-WL\0")):
            with self.assertRaises((leman.Error, TypeError)):
                kernel.fit_transform(listed)
        for jobs in (0, 1.5, "two"):
            with self.assertRaises((ValueError, TypeError)):
                leman.WLKernel(n_jobs=jobs).fit(listed)
        with self.assertRaises(Exception) as caught:
            leman.WLKernel().transform(listed)
        self.assertEqual(type(caught.exception).__name__, "NotFittedError")


class Vectors(unittest.TestCase):
    def test_columns(self):
        listed, _ = graphs(20)
        vectorizer = leman.WLVectorizer("delta-2-LWL", 2)
        whole = vectorizer.fit_transform(listed)
        names = vectorizer.get_feature_names_out()
        self.assertEqual(len(names), whole.shape[1])
        self.assertEqual(len(set(names)), len(names))
        train = leman.WLVectorizer("delta-2-LWL", 2).fit(listed[:10])
        place = {name.split()[-1]: i for i, name in enumerate(names)}
        columns = [place[name.split()[-1]] for name in train.get_feature_names_out()]
        np.testing.assert_array_equal(train.transform(listed[10:]).toarray(), whole[10:][:, columns].toarray())
        again = pickle.loads(pickle.dumps(train))
        self.assertEqual((again.transform(listed) != train.transform(listed)).nnz, 0)
        strict = leman.WLVectorizer("delta-2-LWL", 2, out_of_vocabulary="raise").fit(listed[:1])
        with self.assertRaises(leman.InputError):
            strict.transform(listed[1:])

    def test_columns_need_a_fit(self):
        data = leman.Dataset.from_networkx(graphs(6)[0])
        hashed = leman.WLVectorizer("1-WL", rounds=1, hash_bits=6).fit(data)
        with self.assertRaises(NotFittedError):
            hashed.set_params(hash_bits=None).transform(data)

    def test_hashed(self):
        listed, _ = graphs(20)
        vectorizer = leman.WLVectorizer("1-WL", 3, hash_bits=12)
        whole = vectorizer.transform(listed)
        self.assertEqual(whole.shape, (20, 4096))
        np.testing.assert_array_equal(vectorizer.fit(listed[:2]).transform(listed[5:9]).toarray(), whole[5:9].toarray())
        exact = leman.WLVectorizer("1-WL", 3).fit_transform(listed)
        self.assertEqual(whole.sum(), exact.sum())


class InsideScikitLearn(unittest.TestCase):
    def test_pipelines_and_searches(self):
        listed, y = graphs(80)
        data = leman.Dataset.from_networkx(listed)
        for X in (listed, data):
            pipeline = make_pipeline(leman.WLKernel("delta-2-LWL", 2, ignore_vertex_labels=True), SVC(kernel="precomputed", C=100))
            self.assertGreater(cross_val_score(pipeline, X, y, cv=4).mean(), 0.9)
            linear = make_pipeline(leman.WLVectorizer(normalize=True, ignore_vertex_labels=True), SVC(kernel="linear", C=100))
            self.assertGreater(cross_val_score(linear, X, y, cv=4).mean(), 0.9)
        search = GridSearchCV(make_pipeline(leman.WLKernel(ignore_vertex_labels=True), SVC(kernel="precomputed")),
                              {"wlkernel__method": ["1-WL", "delta-2-LWL"], "wlkernel__rounds": [0, 2], "svc__C": [10, 1000]},
                              cv=StratifiedKFold(3), n_jobs=2)
        self.assertGreater(search.fit(data, y).best_score_, 0.9)
        same = GridSearchCV(search.estimator, search.param_grid, cv=StratifiedKFold(3)).fit(data, y)
        np.testing.assert_array_equal(same.cv_results_["mean_test_score"], search.cv_results_["mean_test_score"])

    @package.needs("distributed")
    def test_dask_workers(self):
        """Data sets and estimators travel to workers of Dask, which compute the same; joblib searches through them."""
        import joblib
        from dask.distributed import Client, LocalCluster
        listed, y = graphs(40)
        data = leman.Dataset.from_networkx(listed)
        kernel = leman.WLKernel("1-WL", 2).fit(data)
        with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster, Client(cluster) as client:
            parts = client.map(kernel.transform, [data[:13], data[13:]])
            np.testing.assert_array_equal(np.vstack(client.gather(parts)), kernel.transform(data))
            vectors = client.submit(leman.WLVectorizer("delta-2-LWL", 1).fit_transform, data).result()
            self.assertEqual((vectors != leman.WLVectorizer("delta-2-LWL", 1).fit_transform(data)).nnz, 0)
            search = GridSearchCV(make_pipeline(leman.WLKernel("1-WL"), SVC(kernel="precomputed")), {"wlkernel__rounds": [0, 2]}, cv=3)
            expected = clone(search).fit(data, y)
            with joblib.parallel_config("dask"):
                search.set_params(n_jobs=2).fit(data, y)
            np.testing.assert_array_equal(search.cv_results_["mean_test_score"], expected.cv_results_["mean_test_score"])


class Models(unittest.TestCase):
    def test_classifier(self):
        listed, numbers = graphs(60)
        y = np.array(["tree", "ring"])[numbers]
        model = leman.GraphSVC("delta-2-LWL", rounds=(0, 2), folds=5, random_state=3).fit(listed[:40], y[:40])
        self.assertEqual(list(model.classes_), ["ring", "tree"])
        self.assertGreater(model.score(listed[40:], y[40:]), 0.9)
        probabilities = model.predict_proba(listed[40:])
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        decided = model.decision_function(listed[40:])
        np.testing.assert_array_equal(model.classes_[(decided > 0).astype(int)], model.predict(listed[40:]))
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict_proba(listed), model.predict_proba(listed))
        self.assertTrue(((0 <= model.out_of_vocabulary(listed)) & (model.out_of_vocabulary(listed) <= 1)).all())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.lmm")
            model.save(path)
            read = leman.load_model(path)
            np.testing.assert_array_equal(read.predict_proba(listed), model.predict_proba(listed))
        for wrong in (leman.GraphSVC(rounds=(3, 1)), leman.GraphSVC(C=[-1]), leman.GraphSVC(svm="no"),
                      leman.GraphSVC(scoring="no"), leman.GraphSVC(class_weight="no"), leman.GraphSVC(folds=1)):
            with self.assertRaises(leman.Error):
                wrong.fit(listed, y)
        with self.assertRaises(leman.InputError):
            leman.GraphSVC().fit(listed, y[:3])

    def test_failed_fits_change_nothing(self):
        """The classes belong to the model: a fit that fails leaves both."""
        made, y = graphs()
        data = leman.Dataset.from_networkx(made, y)
        model = leman.GraphSVC("1-WL", rounds=1, folds=2).fit(data, np.array(["a", "b"])[y])
        before = model.predict(data)
        with self.assertRaises(leman.ArgumentError):
            model.set_params(C=-1).fit(data, np.array(["x", "y"])[y])
        self.assertEqual(model.predict(data).tolist(), before.tolist())
        self.assertEqual(model.classes_.tolist(), ["a", "b"])

    def test_explanation(self):
        """The class is whether there is an N: leaving it out changes the decision most."""
        listed = [nx.path_graph(5) for _ in range(40)]
        rng = np.random.default_rng(0)
        for i, graph in enumerate(listed):
            nx.set_node_attributes(graph, "C", "label")
            if i % 2:
                graph.nodes[int(rng.integers(5))]["label"] = "N"
        model = leman.GraphSVC("1-WL", rounds=1, folds=4).fit(listed, [i % 2 for i in range(40)])
        for graph in (listed[1], listed[3]):
            exact = model.explain(graph)
            self.assertTrue(exact.exact)
            self.assertAlmostEqual(exact.weights.sum() + exact.rest, model.decision_function([graph])[0])
            self.assertEqual(graph.nodes[int(np.argmax(exact.weights))]["label"], "N")
            other = model.explain(graph, of=0)
            np.testing.assert_allclose(other.weights, -exact.weights)
            found = model.explain(graph, how="occlusion")
            self.assertEqual(found.of, 1)
            self.assertEqual(len(found.weights), 5)
            self.assertEqual(graph.nodes[int(np.argmax(found.weights))]["label"], "N")
            without = graph.subgraph([v for v in graph if v != 2])
            self.assertAlmostEqual(found.weights[2], found.value - model.decision_function([without])[0])
            self.assertIn("<circle", found._repr_svg_())
            self.assertIn("<circle", exact._repr_svg_())
        for wrong in (dict(of=7), dict(how="no")):
            with self.assertRaises(leman.ArgumentError):
                model.explain(listed[1], **wrong)
        minima = leman.GraphSVC("WLOA", rounds=1, folds=4).fit(listed, [i % 2 for i in range(40)])
        self.assertTrue(minima.explain(listed[1]).exact)
        paths = leman.GraphSVC("SP", folds=4).fit(listed, [i % 2 for i in range(40)])
        self.assertFalse(paths.explain(listed[1]).exact)
        with self.assertRaises(leman.UnsupportedError):
            paths.explain(listed[1], how="exact")

    def test_contributions_by_definition(self):
        """A regression on pairs: the weights of colours are read off the values of many graphs, each pair shares the marginal effect
        of its colour in round t among the vertices within t steps, half as much with every step, and the rest is the mean value."""
        rng = np.random.default_rng(3)
        listed = [nx.gnp_random_graph(int(rng.integers(3, 7)), 0.5, seed=i) for i in range(120)]
        y = [float(sum(nx.triangles(g).values())) / 3 for g in listed]
        model = leman.GraphSVR("delta-2-LWL", rounds=1, C=10, folds=3).fit(listed, y)
        explained = [model.explain(g) for g in listed]
        self.assertTrue(all(abs(e.value - p) < 1e-9 * max(1, abs(p)) for e, p in zip(explained, model.predict(listed))))
        vectorizer = leman.WLVectorizer("delta-2-LWL", rounds=1).fit(listed)
        place = {name.split()[-1]: i for i, name in enumerate(vectorizer.get_feature_names_out())}
        counts = vectorizer.transform(listed).toarray()
        length = np.linalg.norm(counts, axis=1)
        values, bias = np.array([e.value for e in explained]), model.predict([nx.empty_graph(0)])[0]  # nothing has no features
        weights = np.linalg.lstsq(counts / length[:, None], values - bias, rcond=1e-12)[0]
        np.testing.assert_allclose((counts / length[:, None]) @ weights, values - bias, atol=1e-6)
        self.assertAlmostEqual(explained[0].rest, values.mean(), 5)
        for graph, found, norm in list(zip(listed, explained, length))[:20]:
            expected = np.full(len(graph), (found.value - values.mean()) / len(graph))
            steps = np.full((len(graph), len(graph)), np.inf)
            for u, reached in nx.all_pairs_shortest_path_length(graph):
                for w, distance in reached.items():
                    steps[u, w] = distance
            for t in range(2):
                colors = leman.colors(graph, "delta-2-LWL", t)
                for u, w in np.ndindex(*colors.shape):
                    distance = np.minimum(steps[u], steps[w])
                    part = np.where(distance <= t, 0.5 ** distance, 0)
                    effect = (weights[place[f"r{t}:{colors[u, w]:016x}"]] - (found.value - bias) * (colors == colors[u, w]).sum() / norm) / norm
                    expected += effect * part / part.sum()
            np.testing.assert_allclose(found.weights, expected, atol=1e-5)

    def test_regressor(self):
        listed, _ = graphs(60)
        y = np.array([sum(g.nodes[v]["label"] == "N" for v in g) for g in listed], dtype=float)
        model = leman.GraphSVR("1-WL", rounds=0, C=[1, 10, 100]).fit(listed[:40], y[:40])
        self.assertLess(np.abs(model.predict(listed[40:]) - y[40:]).mean(), np.abs(y[40:] - np.median(y)).mean())
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(listed), model.predict(listed))

    def test_evaluation_is_the_programs(self):
        if not os.path.exists(PROGRAM):
            self.skipTest("the program is not built")
        data = package.data_set("MUTAG")
        ours = leman.evaluate(data, ["1-WL", "SP"], repetitions=2, folds=5, rounds=(0, 2), random_state=7)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.leman")
            data.save(path)
            for result in ours.results:
                rounds = [] if result.method == "SP" else ["-r", "0-2"]
                command = [PROGRAM, "evaluate", path, "-a", result.method, "--repetitions", "2", "--folds", "5", "--seed",
                           "7", "--json", *rounds]
                found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
                self.assertEqual(found["test_mean"], result.test_mean)
                self.assertEqual(found["test_std"], result.test_std)
            page = os.path.join(folder, "page.html")
            ours.report(page)
            self.assertGreater(os.path.getsize(page), 1000)
        self.assertIn("1-WL", ours.table())
        self.assertEqual(ours["SP"].method, "SP")
        self.assertEqual(list(ours.to_pandas()["method"]), ["1-WL", "SP"])
        self.assertIn("<table>", ours._repr_html_())
        pairs = leman.compare(ours)
        self.assertEqual([(p["first"], p["second"]) for p in pairs.rows], [("1-WL", "SP")])
        self.assertAlmostEqual(pairs.rows[0]["difference"], ours[0].test_mean - ours[1].test_mean)


    def test_networks_beside_kernels(self):
        """The digits of `leman compare`, which has the same splits for both."""
        if not os.path.exists(PROGRAM):
            self.skipTest("the program is not built")
        listed, y = graphs(40)
        data = leman.Dataset.from_networkx(listed, y)
        how = dict(repetitions=2, folds=3, rounds=1, random_state=5)
        sizes = dict(epochs=3, layers=[1, 2], width=4, device="cpu")
        with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
            warnings.simplefilter("ignore")
            path = os.path.join(folder, "data.leman")
            data.save(path)
            command = [PROGRAM, "compare", path, "-a", "1-WL", "-a", "GIN-eps", "-a", "delta-2-LGNN", "--repetitions", "2", "--folds", "3",
                       "-r", "1", "--seed", "5", "--epochs", "3", "--layers", "1-2", "--width", "4", "--json", "--quiet"]
            theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            ours = leman.evaluate(data, ["1-WL", "GIN-eps", "delta-2-LGNN"], **how, **sizes)
            page = os.path.join(folder, "page.html")
            ours.report(page)
            self.assertGreater(os.path.getsize(page), 1000)
        self.assertEqual([r.method for r in ours.results], ["1-WL", "GIN-eps", "delta-2-LGNN"])
        self.assertEqual([r["test_mean"] for r in theirs["methods"]], [r.test_mean for r in ours.results])
        self.assertTrue(all(fold["layers"] in (1, 2) and fold["width"] == 4 for fold in ours["GIN-eps"].folds))
        pairs = leman.compare(ours).rows
        self.assertEqual([p["p"] for p in theirs["pairs"]], [p["p"] for p in pairs])
        network = leman.nn.GraphNetwork("GIN-eps", "tu", layers=[1, 2], width=4, epochs=3, device="cpu", ignore_attributes=True)
        again = leman.evaluate(data, [leman.WLKernel("1-WL"), network], **how, device="cpu")
        self.assertEqual([again[0].test_mean, again[1].folds], [ours[0].test_mean, ours[1].folds])
        reals = leman.compare(listed, ["1-WL", "GIN-0"], y=[float(len(g)) for g in listed], **how, **sizes)
        self.assertGreater(reals.evaluation["GIN-0"].test_mean, 0)
        with self.assertRaises(leman.ArgumentError):
            leman.evaluate(data, ["1-WL", "no-such"], **how)
        with self.assertRaises(leman.ArgumentError):
            leman.evaluate(data, [leman.WLKernel() + leman.ShortestPathKernel()], **how)


class Colors(unittest.TestCase):
    def test_distinguish(self):
        one, two = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
        self.assertFalse(leman.distinguish(one, two, method="1-WL"))
        found = leman.distinguish(one, two, method="delta-2-LWL")
        self.assertTrue(found)
        self.assertEqual(found.round, 1)
        self.assertIn("round 1", found.explain().text)
        self.assertIn("<svg", found.explain()._repr_html_())
        self.assertIn("<svg", found._repr_html_())
        self.assertTrue(leman.wl_equivalent(one, two) and leman.wl_equivalent(one, two, 2))
        self.assertFalse(leman.wl_equivalent(one, two, 3))
        with self.assertRaises(leman.ArgumentError):
            leman.wl_equivalent(one, two, 0)

    def test_components(self):
        """Connected pairs of a path of three vertices: all but those of its ends; with 2 all tuples are coloured."""
        path = nx.path_graph(3)
        found = np.asarray(leman.colors(path, "delta-2-LWL", 1, components=1))
        self.assertEqual(np.argwhere(found == 0).tolist(), [[0, 2], [2, 0]])
        self.assertTrue((np.asarray(leman.colors(path, "delta-2-LWL", 1, components=2)) != 0).all())
        listed, y = graphs(40)
        counts = leman.WLVectorizer("delta-2-LWL", 0, components=1).fit_transform(listed).sum(axis=1)
        self.assertEqual(np.asarray(counts).ravel().tolist(), [len(g) + 2 * g.number_of_edges() for g in listed])
        self.assertEqual(leman.WLKernel("delta-2-LWL", 1, components=1).fit_transform(listed).shape, (40, 40))
        model = leman.GraphSVC("delta-2-LWL", rounds=1, folds=3, components=1).fit(listed, y)
        explained = model.explain(listed[0])
        self.assertAlmostEqual(explained.weights.sum() + explained.rest, explained.value)
        self.assertAlmostEqual(abs(explained.value), abs(model.decision_function(listed[:1])[0]))
        leman.evaluate(listed, ["delta-2-LWL"], y=y, components=1, rounds=1, repetitions=1, folds=3)
        one, two = nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))
        self.assertTrue(leman.distinguish(one, two, "delta-2-LWL", components=2))
        for wrong in (0, -1, 1.5, "a"):
            with self.assertRaises(leman.ArgumentError):
                leman.WLKernel(components=wrong).fit(listed)

    def test_colors(self):
        star = nx.star_graph(3)
        found = leman.colors(star, "1-WL", 1)
        self.assertEqual(len(set(found.tolist())), 2)
        self.assertEqual(len(set(found[1:].tolist())), 1)
        self.assertEqual(leman.colors(star, "delta-2-LWL", 2).shape, (4, 4))
        self.assertEqual(leman.colors(star, "1-WL", "stable").shape, (4,))
        with self.assertRaises(leman.InputError):
            leman.colors([star, star])


if __name__ == "__main__":
    package.main()
