#!/usr/bin/env python3
"""--report: one page that needs nothing else, says what it should, and is readable in a browser at every width."""
import os
import re

import pages
import program
from program import Case, leman

class Report(Case):
    def setUp(self):
        super().setUp()
        self.data = self.path("m.zip")
        self.succeeds("generate", "molecules", "--graphs", "40", "-o", self.data, "--quiet")

    def report(self, *arguments, command="evaluate", data=None, name="r.html"):
        """The page and what was read from it; it must be whole by itself."""
        path = self.path(name)
        result = self.succeeds(command, data or self.data, "--repetitions", "1", "--folds", "4", *arguments, "--report",
                               path, "--quiet")
        self.assertEqual(result.stderr, "")
        self.assertEqual(self.left_over(), [])
        with open(path, encoding="utf-8") as file:
            page = file.read()
        text, charts = pages.is_whole(self, page)
        self.assertGreater(len(charts), 5)
        return page, text

    def test_one_method(self):
        page, text = self.report("-a", "local", "-k", "2", "-r", "0-2")
        accuracy = self.json("evaluate", self.data, "--repetitions", "1", "--folds", "4", "-r", "0-2")["test_mean"]
        self.assertIn(f"δ-2-LWL: {accuracy:.1f}\u00a0% test accuracy on m", text)
        for section in ("Data", "Accuracy", "Overfitting", "Accuracy by number of rounds", "Training against test accuracy",
                        "Confusion matrix", "Gram matrix", "Kernel PCA", "The most discriminative colours",
                        "Running times", "How to reproduce"):
            self.assertIn(section, text)
        self.assertIn("Discriminative for class 0", text)
        self.assertIn(f"leman evaluate {self.data} --repetitions 1 --folds 4 -a local -k 2 -r 0-2 --report", text)
        self.assertEqual(page.count("data:image/png;base64,"), 2)

    def test_several_methods(self):
        _, text = self.report("-a", "wl:1", "-a", "sp", "-r", "0-1", command="compare")
        for words in ("The best of 2 methods.", "significant (corrected resampled t-test, p ", "1-WL", "SP", "colours of 1-WL", "ROC-AUC"):
            self.assertIn(words, text)
        _, text = self.report("-a", "wloa", "-r", "0-1")
        self.assertIn("None of the methods has colours", text)

    def test_a_method_has_one_color_and_mark(self):
        """In every figure, whatever the order of the methods by their scores."""
        page, _ = self.report("-a", "sp", "-a", "GIN-eps", "-a", "wl:1", "-a", "local", "-r", "0-1", "--epochs", "1", command="compare")
        marks = {}
        for legend in re.findall(r'<ul class="legend">.*?</ul>', page, re.S):
            for color, mark, name in re.findall(r'<li class="(c\d)">.*?<(circle|path[^>]*scale[^>]*) ?.*?</svg>([^<]+)</li>', legend):
                shape = re.search(r' d="([^"]+)"', mark)
                if name in ("SP", "GIN-ε", "1-WL", "δ-2-LWL"):
                    marks.setdefault(name, []).append((color, shape[1] if shape else "circle"))
        self.assertEqual({n: len(m) for n, m in marks.items()}, {"SP": 3, "GIN-ε": 1, "1-WL": 4, "δ-2-LWL": 4})
        chart = re.search(r"<title>Test accuracy</title>.*?</svg>", page, re.S)[0]
        rows = {y: name for y, name in re.findall(r'<text class="name" x="[^"]+" y="([^"]+)"[^>]*>([^<]+)</text>', chart)}
        for color, body in re.findall(r'<g class="(c\d)">(.*?)</g>', chart, re.S):
            shape = re.search(r'scale[^>]* d="([^"]+)"', body)
            marks[rows[re.search(r'class="value" x="[^"]+" y="([^"]+)"', body)[1]]].append((color, shape[1] if shape else "circle"))
        for name, seen in marks.items():
            self.assertEqual(len(set(seen)), 1, f"{name}: {seen}")
        self.assertEqual(len({seen[0] for seen in marks.values()}), 4, marks)

    def classes_of_stars(self):
        """Four classes of paths; a star of 3 to 6 leaves at the end of each, in proportions that differ from class to class."""
        sizes = [(c, 3 + (c if g % 4 else g // 4 % 4), 2 + g % 5) for c in range(4) for g in range(15)]
        arcs, vertices, first = "", [], 1
        for _, leaves, path in sizes:
            edges = [(0, i + 1) for i in range(leaves)] + [(leaves + i, leaves + i + 1) for i in range(path)]
            arcs += "".join(f"{first + a}, {first + b}\n{first + b}, {first + a}\n" for a, b in edges)
            vertices.append(1 + leaves + path)
            first += vertices[-1]
        return self.tu("stars", A=arcs, graph_indicator="".join(f"{i + 1}\n" * n for i, n in enumerate(vertices)),
                       graph_labels="".join(f"{c}\n" for c, _, _ in sizes))

    def test_colors_are_listed_for_the_class_that_has_them_most(self):
        page, _ = self.report("-a", "local", "-k", "2", "-r", "2-3", data=self.classes_of_stars())
        cards = re.findall(r"<h3>Discriminative for (class \d)</h3>.*?</figure>", page, re.S)
        self.assertEqual(len(cards), 4)
        for card in re.finditer(r"<h3>Discriminative for (class \d)</h3>.*?</figure>", page, re.S):
            rows = re.findall(r'<th scope="row">(class \d)</th>.*?(\d+)&#160;%</td>', card[0])
            self.assertEqual(len(rows), 4)
            share = {name: int(percent) for name, percent in rows}
            self.assertEqual(share[card[1]], max(share.values()), card[0])
            self.assertRegex(card[0], r"\d+&#160;% of class \d have it \(\d+ of 15 graphs\), \d+&#160;% of the others \(\d+ of 45\)")

    def test_names_are_text(self):
        name = "<script>alert(1)<&\"'x> y"
        arcs = "".join(f"{3 * i + a}, {3 * i + b}\n" for i in range(12) for a, b in ((1, 2), (2, 1), (2, 3), (3, 2)))
        data = self.tu(name, A=arcs, graph_indicator="".join(f"{i + 1}\n" * 3 for i in range(12)),
                       graph_labels="1\n-1\n" * 6)
        page, text = self.report("-r", "0-1", data=data)
        self.assertIn(name, text)
        self.assertIn("class -1", text)
        self.assertNotIn("<script", page)

    def test_threads_change_nothing(self):
        pages = []
        for threads in ("1", "3"):
            page, _ = self.report("-r", "0-2", "-t", threads)
            page = re.sub(r"<h2>Running times</h2>.*?</section>", "", page, flags=re.S)
            pages.append(re.sub(r"<pre>.*?</pre>", "", page, flags=re.S))
        self.assertEqual(*pages)

    def test_json_stays_alone(self):
        found = self.json("evaluate", self.data, "--repetitions", "1", "--folds", "3", "-r", "0-1", "--report",
                          self.path("r.html"), "--quiet")
        self.assertEqual(found["folds"], 3)
        self.assertTrue(os.path.exists(self.path("r.html")))

    def test_wrong_command_lines(self):
        self.wrong("evaluate", self.data, "--report", "-", words=["--report"])
        self.fails("evaluate", self.data, "--report", self.path("no", "such.html"), words=["such.html"])
        result = leman("evaluate", self.path("none.zip"), "--report", self.path("r.html"))
        self.assertEqual(result.returncode, 1)
        self.assertFalse(os.path.exists(self.path("r.html")))

    @program.needs("browser")
    def test_in_a_browser(self):
        self.report("-a", "local", "-r", "0-2", name="one.html")
        self.report("-a", "wl:1", "-a", "sp", "-a", "delta:2", "-r", "0-1", command="compare", name="three.html")
        pages.is_readable(self, self.path("one.html"), self.path("three.html"))


if __name__ == "__main__":
    program.main()
