#!/usr/bin/env python3
"""leman info: its JSON against counting in this file, what it reports about repairs, and bad input of every kind."""
import json
import os
import random
import shutil
import subprocess

import program
from program import Case, leman

KEYS = {"name", "graphs", "vertices", "edges", "max_vertices", "classes", "vertex_labels", "edge_labels",
        "vertex_attributes", "edge_attributes", "targets", "cost"}


class Contents(Case):
    def random_set(self, seed):
        """A TU folder of random graphs and what info must say about it."""
        pick = random.Random(seed)
        sizes = [pick.randint(1, 9) for _ in range(pick.randint(1, 12))]
        indicator, lines, edges, first = [], [], 0, 1
        for graph, size in enumerate(sizes, 1):
            indicator += [graph] * size
            pairs = [(u, v) for u in range(first, first + size) for v in range(u + 1, first + size)]
            for u, v in pairs:
                if pick.random() < 0.4:
                    label = pick.randint(0, 2)
                    lines += [(u, v, label), (v, u, label)]
                    edges += 1
            first += size
        pick.shuffle(lines)
        node_labels = [pick.choice([-7, 0, 5, 2 ** 40]) for _ in indicator]
        classes = [pick.randint(-1, 1) for _ in sizes]
        data = self.tu("R", A="".join(f"{u}, {v}\n" for u, v, _ in lines),
                       graph_indicator="".join(f"{g}\n" for g in indicator),
                       node_labels="".join(f"{x}\n" for x in node_labels),
                       edge_labels="".join(f"{x}\n" for _, _, x in lines),
                       graph_labels="".join(f"{x}\n" for x in classes),
                       node_attributes="".join(f"{x}, 0.5, 1e-3\n" for x in range(len(indicator))),
                       graph_attributes="".join("1.5, 2\n" for _ in sizes))
        touched = {u for u, _, _ in lines}
        return data, {
            "name": "R", "graphs": len(sizes), "vertices": len(indicator), "edges": edges,
            "max_vertices": max(sizes), "classes": len(set(classes)), "vertex_labels": len(set(node_labels)),
            "edge_labels": len({x for _, _, x in lines}), "vertex_attributes": 3, "edge_attributes": 0, "targets": 2,
            "isolated_vertices": len(indicator) - len(touched),
            "class_sizes": [{"class": c, "graphs": classes.count(c)} for c in sorted(set(classes))]}, sizes

    def test_against_counting(self):
        for seed in range(30):
            data, expected, sizes = self.random_set(seed)
            found = self.json("info", data)
            self.assertLessEqual(KEYS, set(found))
            for key, value in expected.items():
                self.assertEqual(found[key], value, f"{key}, seed {seed}")
            self.assertEqual([(c["k"], c["tuples"]) for c in found["cost"]],
                             [(k, sum(n ** k for n in sizes)) for k in (1, 2, 3)])
            self.assertTrue(all(isinstance(c["bytes"], int) and c["bytes"] > 0 for c in found["cost"]))

    def test_names_ranges_and_missing_values(self):
        data = self.tu("R", A="", graph_indicator="1\n2\n3\n4\n", graph_labels="1\nnan\n0\n1\n",
                       graph_attributes="nan, 5, nan\n-1.5, 7,\n2, 6, nan\n1,,nan\n", target_names="log P\n\nnever\n",
                       class_names="1, yes\n")
        found = self.json("info", data)
        self.assertEqual((found["classes"], found["missing_classes"]), (2, 1))
        self.assertEqual(found["class_sizes"], [{"class": 0, "graphs": 1}, {"class": 1, "graphs": 2, "name": "yes"}])
        self.assertEqual(found["target_columns"],
                         [{"column": 0, "name": "log P", "min": -1.5, "max": 2, "missing": 1},
                          {"column": 1, "name": None, "min": 5, "max": 7, "missing": 1},
                          {"column": 2, "name": "never", "min": None, "max": None, "missing": 4}])
        text = leman("info", data).stdout
        for words in ("0 log P", "from -1.5 to 2; missing: 1", "2 never", "no values", "class 0: 1, 1 (yes): 2; missing: 1"):
            self.assertIn(words, text)

    def test_what_does_not_exist(self):
        found = self.json("info", self.write("two.g6", "Bw\nA?\n"))
        self.assertIsNone(found["classes"])
        self.assertIsNone(found["class_sizes"])
        for key in ("vertex_labels", "edge_labels", "vertex_attributes", "edge_attributes", "targets"):
            self.assertEqual(found[key], 0)

    def test_report(self):
        data = self.tu("M", A="1, 2\n2, 1\n1, 2\n2, 3\n3, 3\n", graph_indicator="1\n1\n1\n1\n")
        result = self.succeeds("info", data, "--json")
        found = json.loads(result.stdout)
        self.assertEqual(found["edges"], 2)
        self.assertEqual({k: v for k, v in found["report"].items() if v},
                         {"repeated_edges": 1, "one_way_edges": 1, "self_loops": 1, "isolated_vertices": 1})
        for sentence in ("removed 1 repeated edge\n", "made 1 one-way edge two-way\n", "removed 1 self-loop\n"):
            self.assertIn(sentence, result.stderr)
        self.assertNotIn("isolated", result.stderr)
        self.assertEqual(self.succeeds("info", data, "--quiet").stderr, "")
        removed = self.succeeds("info", data, "--policy", "isolated-vertices=remove,one-way-edges=remove")
        self.assertIn("removed 2 isolated vertices\n", removed.stderr)
        self.assertIn("removed 1 one-way edge\n", removed.stderr)
        kept = self.json("info", data, "--policy", "self-loops=keep", "--directed")
        self.assertEqual((kept["directed"], kept["edges"], kept["self_loops"]), (True, 4, 1))
        self.fails("info", data, "--policy", "repeated-edges=refuse", words=["M_A.txt:3", "repeated"])

    def test_thousands(self):
        edges = "".join(f"{i}, {i + 1}\n{i + 1}, {i}\n" for i in range(1, 1235))
        text = self.succeeds("info", self.tu("L", A=edges * 2, graph_indicator="1\n" * 1235))
        self.assertRegex(text.stdout, r"vertices +1,235 ")
        self.assertIn("removed 1,234 repeated edges", text.stderr)

    def test_no_bar_and_no_remarks_in_a_pipe(self):
        result = self.succeeds("info", self.write("x.g6", "Bw\n" * 1000))
        self.assertEqual(result.stderr, "")
        self.assertNotIn("\033", result.stdout)

    def test_names_of_any_bytes(self):
        folder = os.fsencode(self.folder)
        for name in (b"\xff\xfe.g6", b"new\nline.g6", b"\x1b[31m.g6", "Pólya.g6".encode()):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(b"Bw\n")
            result = leman("info", path, "--json", text=False)
            self.assertEqual(result.returncode, 0)
            json.loads(result.stdout.decode("utf-8"))
            missing = leman("info", path + b".not-here", text=False)
            self.assertEqual(missing.returncode, 1)
            self.assertEqual(missing.stderr.decode("utf-8").count("\n"), 1)
            self.assertNotIn(b"\x1b", missing.stderr)

    @program.needs("data")
    def test_benchmark_sets(self):
        """Figures from the sets' own page."""
        for name, expected in {"MUTAG": (188, 3371, 3721, 2, 7, 4), "ENZYMES": (600, 19580, 37282, 6, 3, 0),
                               "PTC_FM": (349, 4925, 5055, 2, 18, 4), "IMDB-MULTI": (1500, 19502, 98903, 3, 0, 0),
                               "ZINC_10k": (12000, 277864, 298985, None, 21, 3),
                               "QM9": (130831, 2359210, 2440360, None, 5, 4)}.items():
            with self.subTest(name):
                found = self.json("info", self.data_set(name))
                self.assertEqual(tuple(found[key] for key in ("graphs", "vertices", "edges", "classes", "vertex_labels",
                                                              "edge_labels")), expected)


class BadInput(Case):
    def test_tu(self):
        for words, files in (
            (["_A.txt:1", "'two'"], {"A": "1, two\n", "graph_indicator": "1\n1\n"}),
            (["_A.txt:1", "9"], {"A": "1, 9\n9, 1\n", "graph_indicator": "1\n1\n"}),
            (["_A.txt:1", "0"], {"A": "0, 1\n", "graph_indicator": "1\n1\n"}),
            (["_A.txt:2", "-3"], {"A": "1, 2\n-3, 1\n", "graph_indicator": "1\n1\n"}),
            (["_A.txt:1"], {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n2\n"}),
            (["_node_labels.txt"], {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n", "node_labels": "3\n"}),
            (["_node_labels.txt"], {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n", "node_labels": "3\n3\n3\n"}),
            (["_edge_labels.txt"], {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n", "edge_labels": "3\n"}),
            (["_graph_labels.txt"], {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n", "graph_labels": "1\n2\n"}),
            (["_A.txt:1", "99999999999999999999999"], {"A": "1, 99999999999999999999999\n",
                                                       "graph_indicator": "1\n1\n"}),
            (["_graph_indicator.txt"], {"A": "", "graph_indicator": ""}),
            (["_graph_indicator.txt:1"], {"A": "1, 2\n", "graph_indicator": b"\x00\xff\x13\n1\n"}),
            (["_graph_indicator.txt:2", "0"], {"A": "1, 2\n", "graph_indicator": "1\n0\n"}),
            (["_A.txt"], {"graph_indicator": "1\n1\n"}),
            (["_graph_indicator.txt"], {"A": "1, 2\n"}),
            (["BAD"], {}),
        ):
            self.fails("info", self.tu("BAD", **files), words=words)

    def test_files(self):
        self.fails("info", self.path("nothing-here"), words=["nothing-here"])
        for name in ("x.g6", "x.s6", "x.zip", "x.leman", "x.csv", "x.sdf", "x"):
            for content in (b"", bytes(range(256)) * 20, b"\xff" * 1000):
                result = leman("info", self.write(name, content))
                if result.returncode:  # some junk is a graph in graph6
                    self.assertEqual(result.returncode, 1)
                    self.assertRegex(result.stderr, r"\Aleman: [^\n]+\n\Z")

    def test_cut_off(self):
        self.succeeds("convert", self.write("x.g6", "Bw\nEhEG\n"), self.path("x.leman"))
        self.succeeds("convert", self.path("x.leman"), self.path("x.zip"))
        for name in ("x.leman", "x.zip"):
            with open(self.path(name), "rb") as file:
                whole = file.read()
            for length in {0, 1, 7, 8, 100, len(whole) // 2, len(whole) - 1}:
                self.fails("info", self.write("cut-" + name, whole[:length]))

    def test_without_permission(self):
        """As root, which may read everything, by another user."""
        folder = self.tu("S", A="", graph_indicator="1\n")
        other = {"user": 65534} if os.geteuid() == 0 else {}
        os.chmod(self.folder, 0o755)
        os.chmod(folder, 0)
        self.addCleanup(os.chmod, folder, 0o700)
        # The build folder may be closed to the other user: the program is run from a copy.
        copy = shutil.copy(program.LEMAN, self.path("leman"))
        os.chmod(copy, 0o755)
        result = subprocess.run([copy, "info", folder], capture_output=True, text=True, timeout=60, cwd=self.folder, **other)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"\Aleman: [^\n]*ermission denied[^\n]*\n\Z")

    def test_standard_output(self):
        data = self.write("x.g6", "Bw\n")
        with open("/dev/full", "w") as full:
            for option in ([], ["--json"]):
                result = leman("info", data, *option, stdout=full)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(result.stderr, "leman: standard output: cannot be written: No space left on device\n")
        closed = leman("info", data, stdout=None, preexec_fn=lambda: os.close(1))
        self.assertEqual(closed.returncode, 1)
        self.assertIn("standard output", closed.stderr)
        self.fails("info", data, "-o", "/dev/full", words=["/dev/full"])
        self.fails("info", data, "-o", self.path("no", "such", "folder"), words=["No such file"])
        self.assertEqual(self.left_over(), [])


if __name__ == "__main__":
    program.main()
