#!/usr/bin/env python3
"""leman reproduce: the shape of the page and of the JSON object, missing sets, limits, and runs that go on."""
import math
import os
import re

import pages
import program
from program import Case

SETS = ["ENZYMES", "IMDB-BINARY", "IMDB-MULTI", "NCI1", "NCI109", "PTC_FM", "PROTEINS", "REDDIT-BINARY"]
METHODS = ["GR", "SP", "1-WL", "WLOA", "2-WL", "3-WL", "delta-2-WL", "delta-3-WL", "delta-2-LWL", "delta-2-LWL+",
           "delta-3-LWL", "delta-3-LWL+"]
QUICK = "1-WL,delta-2-LWL"


def tables(page):
    """{heading: rows of cells} of a Markdown page; every table is well formed."""
    found, heading = {}, None
    for line in page.splitlines():
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("|"):
            found.setdefault(heading, []).append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return found


def marks(chart, color):
    """The places of the marks of a colour."""
    found = []
    for group in chart.iter("g"):
        if group.get("class").split()[0] != color:
            continue
        for mark in group:
            if mark.get("class") != "dot":
                continue
            place = mark.get("transform", "").removeprefix("translate(").split(")")[0].split() or [mark.get("cx"), mark.get("cy")]
            found.append(tuple(map(float, place)))
    return found


def scale(chart, logarithmic=False):
    """What a place along the level axis means, by the first and the last number below it."""
    take = math.log10 if logarithmic else float
    texts = [t for t in chart.iter("text") if t.get("text-anchor") == "middle" and t.get("class") is None]
    (x0, v0), *_, (x1, v1) = [(float(t.get("x")), take(float(t.text))) for t in texts]
    return lambda x: v0 + (v1 - v0) * (x - x0) / (x1 - x0)


class Reproduce(Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("data"))
        for number, name in enumerate(("ENZYMES", "PTC_FM")):
            self.succeeds("generate", "molecules", "--graphs", "60", "--seed", str(number + 1), "-o",
                          self.path("data", name + ".zip"), "--quiet")

    def arguments(self, *more):
        return ("reproduce", "--data", self.path("data"), "--repetitions", "1", "--quiet", *more)

    def cells(self, *more, table=0):
        found = self.json(*self.arguments(*more))
        return {(c["method"], c["set"], c["part"]): c for c in found["tables"][table]["cells"]}

    def test_page(self):
        page = self.succeeds(*self.arguments("--only", "PTC_FM,ENZYMES,NCI1", "--methods", QUICK + ",LWLP2")).stdout
        (heading, rows), = tables(page).items()
        self.assertEqual(heading, "Test accuracy in percent")
        self.assertEqual(rows[0], ["method", "", "ENZYMES", "NCI1", "PTC_FM"])
        self.assertTrue(all(re.fullmatch(":?-+:?", cell) for cell in rows[1]))
        self.assertEqual([row[1] for row in rows[2:-1]], ["ours", "published", "difference"] * 3)
        self.assertEqual(rows.pop(), ["majority class", "", "16.7", "50.0", "59.0"])  # 100 of 600, 2057 of 4110, 206 of 349
        self.assertEqual([row[0] for row in rows[2::3]], ["1-WL", "δ-2-LWL", "δ-2-LWL+ ³"])
        self.assertTrue(all(len(row) == 5 for row in rows))
        for i in range(2, 11, 3):
            ours, theirs, between = rows[i:i + 3]
            self.assertEqual((ours[3], between[3]), ("no data", ""))
            for column in (2, 4):
                published = float(re.match(r"[\d.]+", theirs[column]).group())
                self.assertRegex(ours[column], r"\A\d+\.\d\Z")  # one repetition has no deviation
                self.assertAlmostEqual(float(between[column]), float(ours[column]) - published, delta=0.051)
        self.assertEqual(rows[3][2:], ["50.7 ±1.2", "84.2 ±0.3", "62.6 ±2.0"])
        self.assertRegex(page, r"(?m)^- NCI1: .*data: found neither NCI1\.zip nor NCI1\.leman nor a folder NCI1\.$")
        self.assertEqual(page.count("docs/reproduction.md"), 1)  # one sentence about the + figures

    def test_names_of_the_page(self):
        found = self.cells("--only", "ENZYMES", "--methods", "δ-2-LWL,1-WL")
        self.assertEqual([method for method, _, _ in found], ["1-WL", "delta-2-LWL"])

    def test_cells_are_those_of_evaluate(self):
        found = self.cells("--only", "ENZYMES", "--methods", "SP,delta-2-LWL")
        for method, algorithm in (("SP", "SP"), ("delta-2-LWL", "LWL2")):
            alone = self.json("evaluate", self.path("data", "ENZYMES.zip"), "-a", algorithm, "--ignore", "edge-labels",
                              "--repetitions", "1", "--quiet")
            cell = found[method, "ENZYMES", "test"]
            self.assertEqual((cell["ours"], cell["ours_std_folds"]), (alone["test_mean"], alone["test_std_folds"]))
            self.assertAlmostEqual(cell["difference"], cell["ours"] - cell["published"])

    def test_binary_files(self):
        found = self.cells("--only", "ENZYMES", "--methods", "1-WL")
        self.succeeds("convert", self.path("data", "ENZYMES.zip"), self.path("data", "ENZYMES.leman"), "--quiet")
        os.remove(self.path("data", "ENZYMES.zip"))
        again = self.cells("--only", "ENZYMES", "--methods", "1-WL")
        key = ("1-WL", "ENZYMES", "test")
        self.assertEqual((again[key]["ours"], again[key]["ours_std_folds"]), (found[key]["ours"], found[key]["ours_std_folds"]))

    def test_json(self):
        found = self.json(*self.arguments("--table", "kernels,overfitting,times", "--only", "PTC_FM,PROTEINS"))
        self.assertEqual((found["repetitions"], found["folds"], found["seed"]), (1, 10, 1))
        self.assertEqual([(s["name"], s["missing"] is None) for s in found["sets"]],
                         [("PTC_FM", True), ("PROTEINS", False)])
        kernels, overfitting, times = (table["cells"] for table in found["tables"])
        self.assertEqual([c["method"] for c in kernels[::2]], METHODS)
        self.assertEqual({c["state"] for c in kernels if c["set"] == "PTC_FM"}, {"done"})
        self.assertEqual({c["state"] for c in kernels if c["set"] == "PROTEINS"}, {"missing"})
        self.assertEqual({c["method"] for c in kernels if c["remark"]}, {"GR", "SP", "delta-2-LWL+", "delta-3-LWL+"})
        self.assertEqual([(c["method"], c["part"]) for c in overfitting[::2]],
                         [(m, p) for m in ("delta-2-WL", "delta-2-LWL", "delta-2-LWL+") for p in ("train", "test")])
        for cell in kernels + overfitting + times:
            self.assertLessEqual({"method", "set", "part", "state", "ours", "ours_std", "published", "published_std",
                                  "published_word", "difference", "faster", "repetitions", "seconds", "misprint",
                                  "note", "remark"}, set(cell))
        words = {(c["method"], c["set"]): c["published_word"] for c in kernels}
        self.assertEqual((words["3-WL", "PROTEINS"], words["3-WL", "PTC_FM"]), ("OOM", None))
        self.assertEqual([(c["method"], c["set"]) for c in times if c["misprint"]], [("3-WL", "PTC_FM")])
        self.assertTrue(all(c["ours"] > 0 for c in times if c["set"] == "PTC_FM"))
        faster = {c["method"]: c["faster"] for c in times if c["set"] == "PTC_FM"}
        self.assertEqual([m for m in METHODS if faster[m] is None], METHODS[:4] + ["3-WL"])  # "< 1", and the misprint

    def test_all_columns_without_data(self):
        nothing = self.write("nothing.cells", "leman cells 1\n")
        page = self.succeeds("reproduce", "--finished", "--resume", nothing, "--quiet").stdout
        rows = tables(page)["Test accuracy in percent"]
        self.assertEqual(rows[0], ["method", ""] + SETS)
        self.assertEqual(len(rows), 2 + 3 * 12 + 1)
        self.assertEqual(rows.pop()[0], "majority class")
        self.assertEqual({cell for row in rows[2::3] for cell in row[2:]}, {"not run"})
        self.assertEqual(sum(cell.endswith("(t)") for row in rows for cell in row), 1)
        empty = self.path("empty")
        os.mkdir(empty)
        offline = {**os.environ, "LEMAN_CACHE": empty}
        self.fails("reproduce", "--offline", "--only", "NCI1", words=["NCI1"], env=offline)
        self.fails("reproduce", "--offline", words=["ENZYMES", "nor is any other"], env=offline)
        self.fails("reproduce", "--data", self.path("typo"), words=["typo", "ENZYMES.zip"])
        self.assertEqual(self.left_over(), [])

    def test_times_and_ratios(self):
        page = self.succeeds(*self.arguments("--table", "times", "--only", "ENZYMES,PTC_FM", "--methods", "WL2,LWL2")).stdout
        times, ratios = tables(page).values()
        self.assertEqual([row[1] for row in times[2:]], ["ours", "published", "times faster"] * 2)
        self.assertEqual(ratios[0], ["method", "", "ENZYMES"])
        self.assertEqual([row[:2] for row in ratios[2:]], [["2-WL", "ours"], ["", "published"], ["δ-2-LWL", "ours"],
                                                         ["", "published"]])
        self.assertEqual((ratios[3][2], ratios[4][2]), ("10.4", "1.0"))

    def test_files(self):
        for name in ("t.md", "t.html"):
            result = self.succeeds(*self.arguments("--only", "PTC_FM", "--methods", "1-WL", "-o", self.path(name)))
            self.assertEqual(result.stdout, "")
        with open(self.path("t.html"), encoding="utf-8") as file:
            html = file.read()
        with open(self.path("t.md"), encoding="utf-8") as file:
            page = file.read()
        self.assertTrue(html.lower().startswith("<!doctype html>") and len(re.findall("<tr[ >]", html.split("How to reproduce")[0])) == 5, html[:100])
        ours = tables(page)["Test accuracy in percent"][2][2]
        self.assertIn(f"<td>{ours}</td>", html)
        self.assertEqual(self.left_over(), [])

    def page(self, *more, name="page.html"):
        self.succeeds(*self.arguments(*more, "-o", self.path(name)))
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def test_charts(self):
        journal = self.path("cells.txt")
        asked = ("--only", "ENZYMES,NCI1", "--methods", "SP,WLOA,2-WL,delta-2-LWL", "--table", "kernels,overfitting,times",
                 "--repetitions", "2", "--resume", journal)
        page = self.page(*asked)
        text, charts = pages.is_whole(self, page)
        found = self.json(*self.arguments(*asked))
        cells = {(c["method"], c["set"], c["part"]): c for table in found["tables"] for c in table["cells"]}
        by_title = {}
        for chart in charts:
            by_title.setdefault(chart.get("aria-label"), []).append(chart)
        self.assertEqual({title: len(list) for title, list in by_title.items() if title},
                         {"Test accuracy": 2, "Training against test accuracy": 2, "Seconds of a Gram matrix": 2})
        methods = ["SP", "WLOA", "2-WL", "delta-2-LWL"]
        rows = [name.replace("delta", "δ") for name in methods]
        for number, (title, part) in enumerate((("Test accuracy", "test"), ("Seconds of a Gram matrix", "seconds"))):
            for chart, name in zip(by_title[title], ("ENZYMES", "NCI1")):
                value = scale(chart, logarithmic=number == 1)
                take = math.log10 if number else float
                self.assertEqual([t.text for t in chart.iter("text") if t.get("class") == "name"][::-1], rows)
                for color, key in (("c0", "ours"), ("c1", "published")):
                    drawn = sorted((y, value(x)) for x, y in marks(chart, color))
                    expected = [cells[m, name, part] for m in methods]
                    # "< 1" stands at 1
                    expected = [1 if c["published_word"] == "<1" and color == "c1" else c[key] for c in expected]
                    expected = [take(v) for v in expected if v is not None]
                    self.assertEqual(len(drawn), len(expected), (title, name, color))
                    for (_, there), v in zip(drawn, expected):
                        self.assertAlmostEqual(there, v, delta=0.1 if part == "test" else 0.03)
        enzymes = by_title["Test accuracy"][0]
        bars = [p for p in enzymes.iter("path") if p.get("class") == "whisker"]
        self.assertEqual(len(bars), 2 * len(methods))
        self.assertEqual([t.text for t in enzymes.iter("text") if t.get("class") == "value"][::-1],
                         [f"{cells[m, 'ENZYMES', 'test']['ours']:.1f}" for m in methods])
        training = by_title["Training against test accuracy"][0]
        value = scale(training)
        ends = sorted((y, value(x)) for x, y in marks(training, "c0"))
        self.assertEqual(len(ends), 2 * len(methods))
        for part in ("test", "train"):
            self.assertTrue(any(abs(v - cells["delta-2-LWL", "ENZYMES", part]["ours"]) < 0.2 for _, v in ends[-2:]))
        self.assertIn("No result of ours: SP (not run)", text)  # there is no NCI1

    def test_headline(self):
        page = self.page("--only", "ENZYMES,PTC_FM", "--methods", "SP,2-WL,delta-2-LWL")
        text, _ = pages.is_whole(self, page)
        cells = self.cells("--only", "ENZYMES,PTC_FM", "--methods", "SP,2-WL,delta-2-LWL").values()
        agree = sum(abs(c["difference"]) <= max(1.5, 2 * c["published_std"]) for c in cells)
        self.assertIn(f"{agree} of 6 test accuracies agree with the published ones", text)
        text, _ = pages.is_whole(self, self.page("--table", "times", "--only", "ENZYMES", "--methods", "2-WL"))
        self.assertRegex(text, r"Gram matrices [\d.]+ times as fast as published")

    def test_how_to_reproduce(self):
        for name in ("page.html", "page.md"):
            self.page("--only", "PTC_FM", "--methods", "1-WL", name=name)
            with open(self.path(name), encoding="utf-8") as file:
                page = file.read()
            text = pages.is_whole(self, page)[0] if name.endswith("html") else page
            again = text[text.index("How to reproduce"):]
            data = self.json("evaluate", self.path("data", "PTC_FM.zip"), "-a", "wl:1", "--repetitions", "1", "--quiet")
            found = self.json(*self.arguments("--only", "PTC_FM", "--methods", "1-WL"))
            self.assertEqual(found["sets"][0]["data_checksum"], data["data_checksum"])
            for words in (f"leman reproduce --data {self.path('data')} --repetitions 1 --quiet --only PTC_FM --methods 1-WL -o",
                          data["data_checksum"], f"leman {found['version']}", "threads", "seed"):
                self.assertIn(words, again)

    @program.needs("browser")
    def test_in_a_browser(self):
        every = ("--table", "kernels,overfitting,times")
        self.page(*every, "--only", "ENZYMES,NCI1,PTC_FM", "--methods", "SP,WLOA,2-WL,delta-2-LWL,LWLP2", name="many.html")
        self.page(*every, "--only", "PTC_FM", "--methods", "GR,LWL2", name="one.html")
        nothing = self.write("nothing.cells", "leman cells 1\n")
        self.page(*every, "--finished", "--resume", nothing, name="empty.html")
        pages.is_readable(self, *map(self.path, ("many.html", "one.html", "empty.html")))

    def test_resume(self):
        journal = self.path("cells.txt")
        first = self.cells("--only", "ENZYMES", "--methods", QUICK, "--resume", journal)
        with open(journal) as file:
            lines = file.readlines()
        self.assertEqual(len(lines), 1 + len(first))
        with open(journal, "w") as file:  # as if the run had died while it wrote the second cell
            file.writelines(lines[:2] + [lines[2][:50]])
        again = self.cells("--only", "ENZYMES", "--methods", QUICK, "--resume", journal)
        self.assertEqual(again["1-WL", "ENZYMES", "test"], first["1-WL", "ENZYMES", "test"])  # to the seconds
        self.assertEqual(again["delta-2-LWL", "ENZYMES", "test"]["ours"], first["delta-2-LWL", "ENZYMES", "test"]["ours"])
        third = self.cells("--only", "ENZYMES", "--methods", QUICK, "--resume", journal)
        self.assertEqual(third, again)
        self.assertEqual(self.cells("--finished", "--only", "ENZYMES", "--methods", QUICK, "--resume", journal), again)

    def test_resume_computes_what_is_new(self):
        journal = self.path("cells.txt")
        self.cells("--only", "ENZYMES", "--methods", "1-WL", "--resume", journal)
        more = self.cells("--only", "ENZYMES", "--methods", "1-WL", "--resume", journal, "--repetitions", "2")
        self.assertEqual(more["1-WL", "ENZYMES", "test"]["repetitions"], 2)
        page = self.succeeds(*self.arguments("--only", "ENZYMES", "--methods", "1-WL", "--resume", journal)).stdout
        self.assertRegex(tables(page)["Test accuracy in percent"][2][2], r"\A\d+\.\d ±\d+\.\d ×2\Z")
        os.replace(self.path("data", "PTC_FM.zip"), self.path("data", "ENZYMES.zip"))  # other data, other cells
        other = self.cells("--only", "ENZYMES", "--methods", "1-WL", "--resume", journal)
        self.assertEqual(other["1-WL", "ENZYMES", "test"]["repetitions"], 1)

    def test_limits(self):
        self.succeeds("generate", "molecules", "--graphs", "20", "--vertices", "150", "-o", self.path("data", "ENZYMES.zip"), "-q")
        found = self.cells("--only", "ENZYMES", "--methods", "3-WL,delta-3-LWL", "--memory", "16M")
        self.assertEqual({c["state"] for c in found.values()}, {"oom"})
        self.assertTrue(all("budget" in c["note"] for c in found.values()), found)
        journal = self.path("cells.txt")  # what did not fit is not tried again with as much memory, only with more
        for which in ("times", "kernels,times"):
            for memory, lines in (("16M", 1), ("16M", 1), ("17M", 2)):
                again = (*self.arguments("--table", which, "--only", "ENZYMES", "--methods", "LWL3"), "--memory", memory,
                         "--resume", journal)
                result = self.succeeds(*[word for word in again if word != "--quiet"])
                self.assertNotIn("left out", result.stderr)
                with open(journal) as file:
                    self.assertEqual(len(file.readlines()), 1 + lines * (1 + (which != "times")))
            os.remove(journal)
        page = self.succeeds(*self.arguments("--only", "ENZYMES", "--methods", "LWL3", "--time-limit", "0.0001")).stdout
        self.assertEqual(tables(page)["Test accuracy in percent"][2][2], "OOT")
        self.assertIn("- ENZYMES, δ-3-LWL: not finished within", page)

    def test_what_is_wrong(self):
        self.wrong("reproduce", "--table", "networks", words=["'networks'", "kernels"])
        self.wrong("reproduce", "--only", "MUTAG", words=["'MUTAG'"])
        self.wrong("reproduce", "--methods", "4-WL", words=["'4-WL'"])
        self.wrong("reproduce", "-o", "page.pdf", words=["page.pdf", ".html"])
        self.wrong("reproduce", "--finished", words=["--resume"])
        self.fails("reproduce", "--resume", self.write("letter.txt", "Dear reader,\n"), words=["letter.txt:1"])
        self.write("data/NCI1.zip", "no zip")
        self.fails(*self.arguments("--only", "NCI1"), words=["NCI1.zip"])


if __name__ == "__main__":
    program.main()
