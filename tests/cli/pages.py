"""What every page of ours must be: whole by itself, and readable in a browser at every width, in light, dark and print."""
import html.parser
import os
import re
import xml.etree.ElementTree

import browser

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

# Texts and marks of charts that stick out of the window.
OUTSIDE = """[...document.querySelectorAll("svg text, svg path, svg circle, svg image, h1, h2, p, td, pre")].filter(e => {
  const r = e.getBoundingClientRect(), table = e.closest(".table");
  return e.checkVisibility() && !table && r.width && (r.left < -1 || r.right > innerWidth + 1); }).map(e => e.outerHTML.slice(0, 200))"""


# Texts that are set smaller than 12 pixels on the screen, however an <svg> is scaled.
SMALL = """(() => {
  const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement, text = walk.currentNode.data.trim();
    if (!text || !element.checkVisibility() || ["title", "desc", "TITLE", "STYLE"].includes(element.tagName)) continue;
    let size = parseFloat(getComputedStyle(element).fontSize);
    if (element instanceof SVGElement) { const m = element.getScreenCTM(); size *= Math.hypot(m.a, m.b); }
    if (size < 11.99) found.push([size, text.slice(0, 40)]);
  }
  return found;
})()"""


# Tables that are wider than their place: nobody scrolls on paper, and a desktop has room for all columns.
CUT = """[...document.querySelectorAll(".table")].filter(e => e.firstElementChild.getBoundingClientRect().right >
  e.getBoundingClientRect().right + 1).map(e => e.textContent.slice(0, 80))"""
PAPER = 688  # pixels between the margins of A4


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


def is_whole(case, page):
    """Well formed, nothing from elsewhere, no scripts, charts with words. Returns the text and the <svg> elements."""
    reader = Reader()
    reader.feed(page)
    case.assertEqual((reader.stack, reader.wrong), ([], []))
    case.assertTrue(all(a.startswith("data:") for a in reader.addresses), reader.addresses)
    case.assertNotRegex(page, r"https?:|<script|@import|url\(")
    charts = []
    for chart in re.findall(r"<svg\b.*?</svg>", page, re.S):
        root = xml.etree.ElementTree.fromstring(chart)
        case.assertTrue(root.get("aria-label") or root.get("aria-hidden"), chart[:200])
        case.assertTrue(root.get("role") == "img" or root.get("aria-hidden"), chart[:200])
        charts.append(root)
    return reader.text, charts


def is_readable(case, *paths):
    """Opened in a browser nothing is wrong, too wide or hard to read."""
    path = browser.installed()
    if not path:
        case.skipTest("Chromium is not installed")
    window = browser.Browser(path)
    case.addCleanup(window.close)
    for path in paths:
        for width, scheme, media in ((390, "light", "screen"), (360, "light", "screen"), (390, "dark", "screen"), (320, "light", "screen"),
                                     (768, "light", "screen"), (1280, "light", "screen"), (1280, "dark", "screen"),
                                     (PAPER, "light", "print")):
            where = f"{os.path.basename(path)} at {width} in {scheme}, {media}"
            case.assertEqual(window.open(path, width, scheme=scheme, media=media), [], where)
            wide, room = window.value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            case.assertEqual(room, width, where)
            case.assertLessEqual(wide, room, where)
            case.assertEqual(window.value(OUTSIDE), [], where)
            if width < 500:
                case.assertEqual(window.value(SMALL), [], where)
            if media == "print" or width == 1280:
                case.assertEqual(window.value(CUT), [], where)
            ratio, words = window.value(CONTRAST)
            case.assertGreaterEqual(ratio, 4.5, f"{where}: {words!r} is hard to read")
            dark = window.value("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
            case.assertEqual(dark, scheme == "dark", where)
