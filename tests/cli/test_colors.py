#!/usr/bin/env python3
"""leman colors: its counts and tuples against colourings written here from the definitions, its options, its end."""
import csv
import itertools
import os
import random
import signal
import struct
import subprocess
import time

import program
from program import LEMAN, PATIENCE, Case, leman

KEYS = {"algorithm", "method", "k", "tuples", "rounds", "colors", "pairs", "stable_round", "seconds"}
ALGORITHMS = ("wl", "delta", "local", "local+", "folklore")


def types(n, arcs, labels, k):
    """Round 0: equalities, arcs both ways, labels of every tuple."""
    return {t: (tuple(labels[v] for v in t),
                tuple((u == v, arcs.get((u, v)), arcs.get((v, u))) for u, v in itertools.combinations(t, 2)))
            for t in itertools.product(range(n), repeat=k)}


def refine(n, arcs, colors, k, algorithm, counted):
    """One round, word by word."""
    def put(t, j, w):
        return t[:j] + (w,) + t[j + 1:]

    def multiset(t, j):
        near = [w for w in range(n) if (t[j], w) in arcs]
        label = {w: arcs[t[j], w] if k == 1 else 0 for w in near}  # beyond k = 1 it is in the atomic types
        if algorithm == "wl":
            return sorted(repr(colors[put(t, j, w)]) for w in range(n))
        if algorithm == "delta":
            return sorted(repr((colors[put(t, j, w)], label.get(w))) for w in range(n))
        if algorithm == "local+" and counted:
            line = [colors[put(t, j, w)] for w in range(n)]
            return sorted(repr((line[w], line.count(line[w]), label[w])) for w in near)
        return sorted(repr((colors[put(t, j, w)], label[w])) for w in near)

    if algorithm == "folklore":
        def news(t):
            return sorted(repr([colors[put(t, j, w)] for j in range(k)]) for w in range(n))
    else:
        def news(t):
            return [multiset(t, j) for j in range(k)]
    return {t: (colors[t], news(t)) for t in colors}


def renamed(colorings, names):
    """Colours of all graphs of one round as small numbers, equal where the structures are."""
    return [{t: names.setdefault(repr(c), len(names)) for t, c in coloring.items()} for coloring in colorings]


def colorings(graphs, k, algorithm, rounds, every_round):
    """For each round the colouring of each graph; a graph is (n, arcs with labels, vertex labels)."""
    if k == 1 and algorithm in ("wl", "folklore"):
        algorithm = "local"
    now = renamed([types(*g, k) for g in graphs], {})
    result = [now]
    for r in range(1, rounds + 1):
        now = renamed([refine(g[0], g[1], c, k, algorithm, every_round or r == rounds) for g, c in zip(graphs, now)],
                      {})
        result.append(now)
    return result


class Counts(Case):
    def random_set(self, seed, labelled, directed):
        pick = random.Random(seed)
        graphs = []
        for _ in range(pick.randint(1, 4)):
            n = pick.randint(1, 6)
            arcs = {}
            for u, v in itertools.permutations(range(n), 2):
                if (directed or u < v) and pick.random() < 0.45:
                    arcs[u, v] = pick.randint(0, 1) if labelled else 0
                    if not directed:
                        arcs[v, u] = arcs[u, v]
            graphs.append((n, arcs, [pick.randint(0, 1) if labelled else 0 for _ in range(n)]))
        files = {"A": "", "graph_indicator": "", "node_labels": "", "edge_labels": ""}
        first = 1
        for number, (n, arcs, labels) in enumerate(graphs, 1):
            files["graph_indicator"] += f"{number}\n" * n
            files["node_labels"] += "".join(f"{x}\n" for x in labels)
            files["A"] += "".join(f"{u + first}, {v + first}\n" for u, v in arcs)
            files["edge_labels"] += "".join(f"{x}\n" for x in arcs.values())
            first += n
        return graphs, self.tu("R", **files)

    def test_against_the_definitions(self):
        for seed in range(40):
            directed = seed % 4 == 3
            graphs, data = self.random_set(seed, seed % 2 == 1, directed)
            algorithm, k, every = ALGORITHMS[seed % 5], 1 + seed // 5 % 3, seed % 3 == 0
            expected = colorings(graphs, k, algorithm, 3, every)
            found = self.json("colors", data, "-a", algorithm, "-k", str(k), "-r", "3", "--count-rounds",
                              "all" if every else "last", *(["--directed"] if directed else []))
            self.assertEqual(set(found), KEYS)
            self.assertEqual((found["algorithm"], found["k"]), (algorithm, k))
            for r, of_round in enumerate(expected):
                self.assertEqual(found["rounds"][r], {
                    "round": r, "colors": len({c for g in of_round for c in g.values()}),
                    "pairs": sum(len(set(g.values())) for g in of_round)}, (seed, algorithm, k, r))
            for key in ("colors", "pairs"):
                self.assertEqual(found[key], sum(r[key] for r in found["rounds"]))

    def test_tuple_sets(self):
        """--tuples in every command that colours: components:k is what all tuples are, connected ones are fewer."""
        self.succeeds("generate", "molecules", "--graphs", "30", "-o", self.path("m.zip"))
        data = self.path("m.zip")
        for k in ("2", "3"):
            dense = self.json("colors", data, "-k", k, "-r", "3")
            every = self.json("colors", data, "-k", k, "-r", "3", "--tuples", "components:6")
            few = self.json("colors", data, "-k", k, "-r", "3", "--tuples=connected", "--verify")
            self.assertEqual((dense["tuples"], every["tuples"], few["tuples"]), ("all", f"components:{k}", "connected"))
            self.assertEqual(dense["rounds"], every["rounds"])
            self.assertTrue(all(0 < a["pairs"] < b["pairs"] for a, b in zip(few["rounds"], dense["rounds"])))
        for tuples in ("components:2", "connected"):
            self.succeeds("gram", data, "--tuples", tuples, "-o", self.path(f"{tuples}.csv"))
        self.succeeds("gram", data, "-o", self.path("all.csv"))
        matrix = {name: open(self.path(f"{name}.csv")).read() for name in ("all", "components:2", "connected")}
        self.assertEqual(matrix["all"], matrix["components:2"])
        self.assertNotEqual(matrix["all"], matrix["connected"])
        self.succeeds("features", data, "--tuples", "connected", "-o", self.path("f.svm"), "--columns",
                      self.path("c.cols"))
        self.fails("features", data, "-o", self.path("g.svm"), "--columns", self.path("c.cols"), words=["components 1"])
        found = self.json("evaluate", data, "--tuples", "connected", "-r", "0-2", "--repetitions", "1", "--folds", "3")
        self.assertEqual(found["kernels"][0]["tuples"], "connected")
        found = self.json("fit", data, "--tuples", "connected", "-o", self.path("model"))
        self.assertEqual(found["model"]["kernels"][0]["tuples"], "connected")
        self.succeeds("predict", "--model", self.path("model"), data, "-o", self.path("p.csv"))
        with open(self.path("p.csv")) as file:  # colours of any other set of tuples would be out of vocabulary
            self.assertEqual({row["out_of_vocabulary"] for row in csv.DictReader(file)}, {"0"})

    def test_tuple_set_of_one_graph(self):
        path = self.write("p.g6", "Ch\n")  # the path 0-1-2-3
        lines = self.succeeds("colors", path, "-k", "3", "--tuples", "connected", "--tuple-colors").stdout.splitlines()
        edges = {(0, 1), (1, 2), (2, 3)}
        near = edges | {(v, u) for u, v in edges} | {(v, v) for v in range(4)}

        def connected(t):
            return any((t[a], t[b]) in near and (t[b], t[c]) in near for a, b, c in itertools.permutations(range(3)))
        self.assertEqual([tuple(map(int, line.split(",")[:3])) for line in lines[1:]],
                         [t for t in itertools.product(range(4), repeat=3) if connected(t)])
        self.wrong("colors", path, "-r", "2", "--tuples", words=["--tuples", "needs a value"])
        self.wrong("colors", path, "--tuples=some", words=["'some'", "connected"])
        self.wrong("gram", path, "-o", self.path("k.csv"), "--tuples", words=["--tuples", "needs a value"])
        self.wrong("colors", path, "-k", "7", "--tuples", "connected", words=["7", "1 to 6"])
        pair = self.write("two.g6", "Ch\nCh\n")
        self.fails("distinguish", pair, "--tuples", "connected", "--explain", words=["components"])

    def test_tuples_against_the_definitions(self):
        for seed in range(12):
            graphs, data = self.random_set(seed, True, False)
            which, k = seed % len(graphs), 1 + seed % 3
            n = graphs[which][0]
            expected = colorings([graphs[which]], k, "local", 2, False)[-1][0]
            lines = self.succeeds("colors", data, "-k", str(k), "-r", "2", "--graph", str(which),
                                  "--tuple-colors").stdout.splitlines()
            self.assertEqual(lines[0], ",".join([f"v{j}" for j in range(1, k + 1)] + ["color"]))
            found = {tuple(map(int, line.split(",")[:-1])): line.split(",")[-1] for line in lines[1:]}
            self.assertEqual(list(found), list(itertools.product(range(n), repeat=k)))
            self.assertTrue(all(len(c) == 16 and int(c, 16) >= 0 for c in found.values()))
            same = {(found[t], expected[t]) for t in found}
            self.assertEqual(len(same), len(set(found.values())))
            self.assertEqual(len(same), len(set(expected.values())))
            self.array_is(data, which, k, n, [int(c, 16) for c in found.values()])

    def array_is(self, data, which, k, n, colors):
        path = self.path("tuples.npy")
        found = self.json("colors", data, "-k", str(k), "-r", "2", "--graph", str(which), "--tuple-colors", "-o", path)
        self.assertEqual(found["rounds"][-1]["colors"], len(set(colors)))
        with open(path, "rb") as file:
            content = file.read()
        self.assertEqual(content[:8], b"\x93NUMPY\x01\x00")
        begin = 10 + int.from_bytes(content[8:10], "little")
        self.assertEqual(begin % 64, 0)
        self.assertEqual(eval(content[10:begin].decode()),
                         {"descr": "<u8", "fortran_order": False, "shape": (n,) * k})
        self.assertEqual(list(struct.unpack(f"<{n ** k}Q", content[begin:])), colors)

    def test_threads_order_and_verify(self):
        self.succeeds("generate", "molecules", "--graphs", "30", "-o", self.path("m.zip"))
        self.succeeds("convert", self.path("m.zip"), self.path("r.leman"), "--graphs",
                      ",".join(str(g) for g in range(29, -1, -1)))
        seen = [self.json("colors", self.path(name), "-a", "local+", *more) for name, more in (
            ("m.zip", ["-t", "1"]), ("m.zip", ["-t", "3"]), ("r.leman", []), ("m.zip", ["--verify"]))]
        for one in seen:
            self.assertGreaterEqual(one.pop("seconds"), 0)
        self.assertTrue(all(one == seen[0] for one in seen))

    def test_stable(self):
        path = self.write("p.g6", "DhC\n")  # a path of five vertices: distances to the middle, then nothing
        found = self.json("colors", path, "-k", "1", "-r", "stable")
        self.assertEqual(found["stable_round"], 2)
        self.assertEqual([r["colors"] for r in found["rounds"]], [1, 2, 3])
        self.assertIsNone(self.json("colors", path, "-k", "1", "-r", "2")["stable_round"])
        self.assertEqual(self.json("colors", path, "-k", "1", "-r", "3")["stable_round"], 2)
        self.assertIn("nothing splits after round 2", self.succeeds("colors", path, "-k", "1", "-r", "stable").stdout)
        self.assertIsNotNone(self.json("colors", path, "-a", "local+", "-r", "stable")["stable_round"])

    def test_sets_without_graphs_or_vertices(self):
        for content in ("?\n", "@\n", "?\n@\nA?\n"):
            for algorithm in ALGORITHMS:
                self.assertEqual(set(self.json("colors", self.write("e.g6", content), "-a", algorithm)), KEYS)


class Options(Case):
    def setUp(self):
        super().setUp()
        self.data = self.tu("L", A="1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n", graph_indicator="1\n1\n1\n1\n1\n",
                            node_labels="1\n2\n1\n1\n1\n", edge_labels="0\n0\n1\n1\n0\n")

    def rounds(self, *arguments):
        return self.json("colors", self.data, *arguments)["rounds"]

    def test_names(self):
        for name, algorithm, k in (("WL1", "local", 1), ("WL2", "wl", 2), ("WL3", "wl", 3), ("DWL2", "delta", 2),
                                   ("DWL3", "delta", 3), ("LWL2", "local", 2), ("LWL3", "local", 3),
                                   ("LWLP2", "local+", 2), ("LWLP3", "local+", 3), ("delta:3", "delta", 3),
                                   ("folklore:1", "folklore", 1)):
            found = self.json("colors", self.data, "-a", name)
            self.assertEqual((found["algorithm"], found["k"]), (algorithm, k))
            self.assertEqual(self.rounds("-a", name, "-k", str(k)), found["rounds"])
            self.assertEqual(self.rounds("-a", algorithm, "-k", str(k)), found["rounds"])
            self.wrong("colors", self.data, "-a", name, "-k", str(k + 1), words=[name, f"-k {k + 1}"])
        for algorithm in ("wl", "folklore"):
            self.assertEqual(self.rounds("-a", algorithm, "-k", "1"), self.rounds("-a", "local", "-k", "1"))

    def test_ignore(self):
        plain = self.write("plain.csv", "source,target\n1,2\n2,3\n4,5\n")
        bare = self.json("colors", plain, "-r", "3")["rounds"]
        self.assertEqual(self.rounds("-r", "3", "--ignore", "vertex-labels,edge-labels,attributes"), bare)
        self.assertNotEqual(self.rounds("-r", "3", "--ignore", "vertex-labels"), bare)
        self.assertNotEqual(self.rounds("-r", "3", "--ignore", "edge-labels"), bare)
        self.assertEqual(self.json("colors", plain, "--ignore", "edge-labels", "--count-rounds", "all",
                                   "-r", "3")["rounds"], bare)

    def test_apex(self):
        """The same as a sixth vertex with a label of its own, joined to all."""
        ring = self.write("ring.csv", "source,target\n1,2\n2,3\n4,5\n1,6\n2,6\n3,6\n4,6\n5,6\n")
        self.succeeds("convert", ring, self.path("joined"))
        os.rename(self.path("joined", "joined_A.txt"), self.path("keep"))
        data = self.tu("joined", graph_indicator="1\n" * 6, node_labels="0\n" * 5 + "1\n")
        os.rename(self.path("keep"), self.path("joined", "joined_A.txt"))
        self.assertEqual(self.rounds("--apex", "--ignore", "vertex-labels,edge-labels"),
                         self.json("colors", data)["rounds"])

    def test_directed(self):
        """1 -> 2 <- 3 -> 4: a path; without its sinks told apart; all four different."""
        arcs = self.write("arcs.csv", "source,target\n1,2\n3,2\n3,4\n")
        for more, colors in ([], 2), (["--directed"], 3), (["--directed", "--in-arcs"], 4):
            self.assertEqual(self.json("colors", arcs, "-k", "1", "-r", "1", *more)["rounds"][1]["colors"], colors)
        self.assertIn("made 1 one-way edge two-way", leman("colors", self.data).stderr)

    def test_wrong_usage(self):
        for arguments, words in (
            (["-a", "sp"], ["'sp'", "local+"]),
            (["-a", "local:x"], ["'local:x'"]),
            (["-a", "LWL2:3"], ["'LWL2:3'"]),
            (["-a", "local:"], ["'local:'"]),
            (["-k", "0"], ["'0'"]),
            (["-k", "33"], ["'33'"]),
            (["-r", "-1"], ["'-1'", "stable"]),
            (["-r", "five"], ["'five'", "stable"]),
            (["-r", "5x"], ["'5x'"]),
            (["-r", "99999999999999999999999"], ["65535"]),
            (["-r", "stable", "-a", "local+", "--count-rounds", "last"], ["last", "stable"]),
            (["--count-rounds", "some"], ["'some'", "last or all"]),
            (["--ignore", "labels"], ["'labels'", "vertex-labels"]),
            (["--graph", "-1"], ["'-1'"]),
            (["--tuple-colors", "--json"], ["--json"]),
        ):
            self.wrong("colors", self.data, *arguments, words=words)
        self.wrong("colors", words=["DATA is missing"])
        many = self.write("two.g6", "Bw\nBw\n")
        self.fails("colors", many, "--tuple-colors", words=["2 graphs", "--graph"])
        self.fails("colors", many, "--graph", "2", words=["--graph 2", "below 2"])

    def test_help_and_table(self):
        text = self.succeeds("colors", self.data).stdout
        self.assertIn("L: delta-2-LWL, rounds 0 to 5", text)
        self.assertRegex(text, r"(?m)^ +round +colours +\(graph, colour\) pairs$")


class End(Case):
    def test_too_large(self):
        path = self.path("large.s6")
        self.succeeds("generate", "path", "--vertices", "1000000", "-o", path, "--quiet")
        begin = time.monotonic()
        sentence = self.fails("colors", path, "-k", "3", words=["graph 0", "1000000 vertices", "k = 3", "would fit"])
        self.assertLess(time.monotonic() - begin, 20 * PATIENCE)
        self.assertNotIn("internal", sentence)
        self.fails("colors", path, "-k", "2", "--tuple-colors", "--memory", "100M", "-o", self.path("x.csv"))
        self.fails("colors", path, "-k", "1", "--tuple-colors", "--memory", "16M", "-o", self.path("x.csv"))
        self.assertEqual(os.listdir(self.folder), ["large.s6"])

    def test_interrupted(self):
        """The signal comes in the middle of rounds that would take a minute."""
        path = self.path("dense.g6")
        self.succeeds("generate", "random", "--vertices", "250", "--probability", "0.5", "-o", path, "--quiet")
        for algorithm in ("local", "folklore"):
            child = subprocess.Popen([LEMAN, "colors", path, "-a", algorithm, "-k", "3", "-r", "200", "--tuple-colors", "-o",
                                      self.path("x.csv")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            time.sleep(1)
            child.send_signal(signal.SIGINT)
            begin = time.monotonic()
            out, error = child.communicate(timeout=60 * PATIENCE)
            self.assertLess(time.monotonic() - begin, 10 * PATIENCE)  # a second, on a machine with nothing else to do
            self.assertEqual((child.returncode, out), (1, ""))
            self.assertRegex(error, r"\Aleman: interrupted: [^\n]+\n\Z")
            self.assertEqual(os.listdir(self.folder), ["dense.g6"])


class ManyRounds(Case):
    def test_stable_colours_stay(self):
        """What is known of vertices is counted in bytes; rounds beyond 255 change nothing of a stable colouring."""
        cycle = lambda first: "".join(f"{first + i}, {first + (i + 1) % 30}\n{first + (i + 1) % 30}, {first + i}\n" for i in range(30))
        one = self.tu("one", A=cycle(1), graph_indicator="1\n" * 30)
        two = self.tu("two", A=cycle(1) + cycle(31), graph_indicator="1\n" * 30 + "2\n" * 30)
        for k, colors in (("2", 16), ("3", None)):
            for data, graphs in ((one, 1), (two, 2)):
                rounds = self.json("colors", data, "-a", "delta", "-k", k, "-r", "258")["rounds"][20:]
                found = {(r["colors"], r["pairs"]) for r in rounds}
                self.assertEqual(len(found), 1, (k, graphs))
                ((many, pairs),) = found
                self.assertEqual(pairs, graphs * many)
                if colors:
                    self.assertEqual(many, colors)  # the distances 0 to 15


@program.needs("data")
class RealData(Case):
    def test_published_counts(self):
        for algorithm, colors, pairs in (("local", 184998, 244886), ("delta", 247459, 259298)):
            found = self.json("colors", self.data_set("PTC_FM"), "-a", algorithm, "--ignore", "edge-labels,attributes")
            self.assertEqual((found["colors"], found["pairs"]), (colors, pairs))


if __name__ == "__main__":
    program.main()
