#!/usr/bin/env python3
"""--report: one page that needs nothing else, says what it should, and is readable in a browser at every width."""
import html.parser
import os
import re
import xml.etree.ElementTree

import browser
import program
from program import Case, leman

VOID = {"meta", "link", "br", "img", "hr"}

# Contrast of every piece of text with what is behind it (WCAG 2), the least of them, and its words.
CONTRAST = """(() => {
  const parse = c => { const m = c.match(/[\\d.]+/g).map(Number); return /srgb/.test(c) ? m.map((x, i) => i < 3 ? 255 * x : x) : m; };
  const light = c => { const [r, g, b] = parse(c).map(x => { x /= 255; return x <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4; });
                       return .2126 * r + .7152 * g + .0722 * b; };
  let least = 99, words = "";
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement, text = walk.currentNode.data.trim();
    if (!text || !element.checkVisibility() || ["title", "desc", "TITLE"].includes(element.tagName)) continue;
    if (element.closest(".hit-label")) continue;  // stands on a disc of its own colour
    const color = element instanceof SVGElement ? getComputedStyle(element).fill : getComputedStyle(element).color;
    let behind = element;
    while (behind && /rgba\\(0, 0, 0, 0\\)|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    const [a, b] = [light(color), light(getComputedStyle(behind || document.body).backgroundColor)];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < least) { least = ratio; words = text; }
  }
  return [least, words];
})()"""

# Texts and marks of pictures that stick out of the window.
OUTSIDE = """[...document.querySelectorAll("svg text, svg path, svg circle, svg image, h1, h2, p, td, pre")].filter(e => {
  const r = e.getBoundingClientRect(), table = e.closest(".table");
  return e.checkVisibility() && !table && r.width && (r.left < -1 || r.right > innerWidth + 1); }).map(e => e.outerHTML.slice(0, 200))"""


class Reader(html.parser.HTMLParser):
    """Every tag is closed in order; texts and addresses are gathered."""
    def __init__(self):
        super().__init__()
        self.stack, self.addresses, self.text, self.wrong = [], [], "", []

    def handle_starttag(self, tag, attributes):
        self.addresses += [value for name, value in attributes if name in ("href", "src", "srcset", "action")]
        self.wrong += [name for name, _ in attributes if name.startswith("on")]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.addresses += [value for name, value in attributes if name in ("href", "src")]

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data):
        self.text += data


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
        reader = Reader()
        reader.feed(page)
        self.assertEqual((reader.stack, reader.wrong), ([], []))
        self.assertTrue(all(a.startswith("data:") for a in reader.addresses), reader.addresses)
        self.assertNotRegex(page, r"https?:|<script|@import|url\(")
        pictures = re.findall(r"<svg\b.*?</svg>", page, re.S)
        self.assertGreater(len(pictures), 5)
        for picture in pictures:
            root = xml.etree.ElementTree.fromstring(picture)
            self.assertTrue(root.get("aria-label") or root.get("aria-hidden"), picture[:200])
        return page, reader.text

    def test_one_method(self):
        page, text = self.report("-a", "local", "-k", "2", "-r", "0-2")
        accuracy = self.json("evaluate", self.data, "--repetitions", "1", "--folds", "4", "-r", "0-2")["test_mean"]
        self.assertIn(f"With δ-2-LWL, {accuracy:.1f}\u00a0% of the graphs of m", text)
        for section in ("The data", "Accuracy", "How many rounds it takes", "What is taken for what",
                        "Every graph against every other", "The graphs as a map", "The most telling colours",
                        "How long it took", "To get it again"):
            self.assertIn(section, text)
        self.assertIn("Speaks for class 0", text)
        self.assertIn(f"leman evaluate {self.data} --repetitions 1 --folds 4 -a local -k 2 -r 0-2 --report", text)
        self.assertEqual(page.count("data:image/png;base64,"), 2)

    def test_several_methods(self):
        _, text = self.report("-a", "wl:1", "-a", "sp", "-r", "0-1", command="compare")
        for words in ("That is the best of 2 methods.", "1-WL", "shortest paths", "every colour of 1-WL", "ROC-AUC"):
            self.assertIn(words, text)
        _, text = self.report("-a", "wloa", "-r", "0-1")
        self.assertIn("None of the methods has colours", text)

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
            page = re.sub(r"<h2>How long it took</h2>.*?</section>", "", page, flags=re.S)
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

    def test_in_a_browser(self):
        if not browser.PROGRAM:
            self.skipTest("no Chromium here to open the page in (Debian: apt-get install chromium)")
        self.report("-a", "local", "-r", "0-2", name="one.html")
        self.report("-a", "wl:1", "-a", "sp", "-a", "delta:2", "-r", "0-1", command="compare", name="three.html")
        window = browser.Browser()
        self.addCleanup(window.close)
        for name in ("one.html", "three.html"):
            for width, scheme, media in ((390, "light", "screen"), (390, "dark", "screen"), (320, "light", "screen"),
                                         (768, "light", "screen"), (1280, "light", "screen"), (1280, "dark", "screen"),
                                         (720, "light", "print")):
                where = f"{name} at {width} in {scheme}, {media}"
                self.assertEqual(window.open(self.path(name), width, scheme=scheme, media=media), [], where)
                wide, room = window.value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
                self.assertEqual(room, width, where)
                self.assertLessEqual(wide, room, where)
                self.assertEqual(window.value(OUTSIDE), [], where)
                ratio, words = window.value(CONTRAST)
                self.assertGreaterEqual(ratio, 4.5, f"{where}: {words!r} is hard to read")
                dark = window.value("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
                self.assertEqual(dark, scheme == "dark", where)


if __name__ == "__main__":
    program.main()
