#!/usr/bin/env python3
"""leman clusters --report: the map has every graph once, in the colour of its cluster, class or third; samples; wrong command lines."""
import collections
import csv
import io
import random
import re

import pages
import program
from program import Case

PARTS = ["C", "N", "O", "CC", "C(=O)", "c1ccccc1", "C(C)", "CN", "S", "C1CC1", "N(C)", "C(F)"]
MARK = re.compile(r"<title>(m\d+): (centre of )?cluster (\d+)(?:, ([-\d.e]+))?</title>")


class ClustersPage(Case):
    def table(self, count):
        draw = random.Random(4)
        smiles = ["C" + "".join(draw.choices(PARTS, k=draw.randint(1, 4))) for _ in range(count)]
        rows = "".join(f"m{i},{text},{'' if i % 10 == 3 else len(text)},{'ab'[i % 2]}\n" for i, text in enumerate(smiles))
        return smiles, self.write("m.csv", "name,smiles,length,kind\n" + rows)

    def page(self, data, *arguments, name="map.html"):
        path = self.path(name)
        out = self.succeeds("clusters", data, "--similarity", "0.4", "--report", path, *arguments)
        pages.is_whole(self, path)
        with open(path, encoding="utf-8") as file:
            return file.read(), list(csv.DictReader(io.StringIO(out.stdout)))

    def test_marks(self):
        smiles, data = self.table(150)
        page, rows = self.page(data, "--color", "length")
        figures = re.findall(r"<figure>.*?</figure>", page.split("<h2>Map</h2>")[1].split("</section>")[0], re.S)
        self.assertEqual(len(figures), 2)
        for figure in figures:
            marks = MARK.findall(figure)
            self.assertEqual(sorted(m[0] for m in marks), sorted(row["name"] for row in rows))
            for name, centre, cluster, value in marks:
                row = rows[int(name[1:])]
                self.assertEqual((cluster, bool(centre)), (row["cluster"], row["centre"] == row["row"]))
                self.assertEqual(value, "" if int(name[1:]) % 10 == 3 else str(len(smiles[int(name[1:])])))
        sizes = collections.Counter(row["cluster"] for row in rows)
        for cluster, size in re.findall(r"cluster (\d+), (\d+) graph", figures[0]):
            self.assertEqual(sizes[cluster], int(size))
        largest = sorted(sizes.values(), reverse=True)[:12]
        cards = re.findall(r"Cluster (\d+)</h3>\n<p class=\"note\">(\d+) graphs?; centre: (m\d+)</p>\n<p class=\"note\"><code>([^<]*)<", page)
        self.assertEqual([int(card[1]) for card in cards], largest)
        for cluster, _, name, text in cards:
            self.assertEqual((rows[int(name[1:])]["cluster"], smiles[int(name[1:])]), (cluster, text))

    def test_long_names(self):
        """A name is cut between two characters; a page with half a character would not be UTF-8."""
        data = self.write("n.csv", "name,smiles\n" + "".join(f"{'a' * (i % 4)}{'δ' * 60},{'C' * (1 + i)}O\n" for i in range(8)))
        page, _ = self.page(data)
        for i in range(4):
            self.assertIn(f"<title>{'a' * i}{'δ' * ((80 - i) // 2)}:", page)

    def test_thirds(self):
        """Of the values that are known, a third each, as well as equal values allow; those that are missing stand apart."""
        smiles, data = self.table(150)
        figure = self.page(data, "--color", "length")[0].split("By length</h3>")[1].split("</figure>")[0]
        known = sorted(len(text) for i, text in enumerate(smiles) if i % 10 != 3)
        low, high = known[len(known) // 3], known[2 * len(known) // 3]
        for name in (f"below {low}", f"{low} to below {high}", f"from {high}", "not known"):
            self.assertIn(name, figure)
        groups = collections.defaultdict(set)
        for color, body in re.findall(r'<g class="([^"]*)">(.*?)</g>', figure, re.S):
            for mark in MARK.findall(body):
                groups[color].add(3 if not mark[3] else (float(mark[3]) >= low) + (float(mark[3]) >= high))
        self.assertEqual(sorted(map(len, groups.values())), [1, 1, 1, 1])

    def test_sample(self):
        """Two thousand of more graphs, with the centres that are drawn; the same on every number of threads."""
        _, data = self.table(2300)
        page, rows = self.page(data, "--threads", "1")
        self.assertIn("of the 2,300 graphs are shown", page)
        marks = {m[0] for m in MARK.findall(page)}
        self.assertTrue(1900 <= len(marks) <= 2000, len(marks))
        for name in re.findall(r"; centre: (m\d+)</p>", page):
            self.assertIn(name, marks)
        again, _ = self.page(data, "--threads", "2", name="again.html")
        self.assertEqual(re.sub(r"<pre>.*?</pre>", "", page, flags=re.S), re.sub(r"<pre>.*?</pre>", "", again, flags=re.S))

    def test_other_graphs(self):
        """Graphs without names or labels are numbered; one graph makes a page."""
        graphs = self.write("g.g6", "Dhc\nDhc\nD?{\nCF\n")
        path = self.path("g.html")
        self.succeeds("clusters", graphs, "--report", path, "-q")
        pages.is_whole(self, path)
        with open(path, encoding="utf-8") as file:
            self.assertIn("<title>graph 3: ", file.read())
        self.succeeds("clusters", self.write("one.smi", "CCO x\n"), "--report", path, "-q")
        pages.is_whole(self, path)

    def test_classes(self):
        """A TU data set has classes: a second map."""
        graphs = 12
        edges = "".join(f"{3 * g + u}, {3 * g + v}\n{3 * g + v}, {3 * g + u}\n" for g in range(graphs) for u, v in ((1, 2), (2, 3), (1, 3))[: 2 + g % 2])
        data = self.tu("T", A=edges, graph_indicator="".join(f"{g + 1}\n" * 3 for g in range(graphs)),
                       graph_labels="".join(f"{7 if g % 3 else -1}\n" for g in range(graphs)))
        page, _ = self.page(data)
        figure = page.split("By class</h3>")[1].split("</figure>")[0]
        counts = {name: len(re.findall("<title>", body)) for name, body in zip(re.findall(r"class (-?\d+)</", figure), re.findall(r'<g class="[^"]*faded[^"]*">(.*?)</g>', figure, re.S))}
        self.assertEqual(sorted(counts.items()), [("-1", 4), ("7", 8)])

    def test_wrong(self):
        _, data = self.table(20)
        self.wrong("clusters", data, "--color", "length", words=("--report",))
        self.fails("clusters", data, "-q", "--color", "weight", "--report", self.path("x.html"), words=("weight",))
        self.wrong("clusters", data, "--report", self.path("x.pdf"), words=(".html",))
        self.assertEqual(self.left_over(), [])

    @program.needs("browser")
    def test_page_in_a_browser(self):
        rows = "".join(f"m{i},{'C' * (1 + i % 5)}c1ccc(Cl)cc1{'C' * (i % 4)},{i}\n" for i in range(60))
        self.page(self.write("b.csv", "name,smiles,length\n" + rows), "--color", "length")
        pages.is_readable(self, self.path("map.html"))


if __name__ == "__main__":
    program.main()
