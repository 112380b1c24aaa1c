"""A page as Markdown and as HTML by the same calls: headings, paragraphs, tables, lists, figures (HTML only), and at the end
how to reproduce it. The HTML page is one file that needs neither network nor scripts."""
from __future__ import annotations

import html
from typing import Sequence

STYLE = """:root{--paper:#fff;--card:#f7f6f3;--ink:#1c1d21;--soft:#5d6068;--faint:#8d9099;--rule:#dedcd6;--grid:#e9e7e2;--c0:#0072b2;--c1:#d55e00;--c2:#54585f}
@media screen and (prefers-color-scheme:dark){:root{--paper:#15171b;--card:#1d2026;--ink:#e8e6e1;--soft:#a9acb5;--faint:#7d818b;--rule:#353943;--grid:#282c34;--c0:#56a9e6;--c1:#f0803c;--c2:#b4b8c0}}
*{box-sizing:border-box}
.c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.55 Georgia,serif}
main{max-width:66rem;margin:0 auto;padding:2rem 1rem 3rem}
h1,h2,h3,p,li,pre,figcaption,table.plain td{overflow-wrap:anywhere}
h1{line-height:1.15}h2{margin:0 0 .4rem}h3{margin:0 0 .4rem;font-size:1.04rem}
header,section>p,ul.notes{max-width:44rem}
section{border-top:1px solid var(--rule);padding-top:1.5rem;margin-top:2.5rem}
.note,.kicker,figcaption,table,ul{font:14.5px/1.5 Helvetica,Arial,sans-serif;color:var(--soft)}
pre{background:var(--card);border:1px solid var(--rule);padding:.8rem 1rem;white-space:pre-wrap;font-size:14px}
figure{margin:1.2rem 0 0;min-width:0}
.pair{display:grid;grid-template-columns:1fr;gap:1rem 3rem}
.pair>*{min-width:0}
@media(min-width:54rem){.pair{grid-template-columns:1fr 1fr}}
.table{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;margin-top:1.2rem;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .9rem .2rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid);font-weight:400}
th:first-child,th+th,table.plain td,table.plain th{text-align:left}
thead th+th+th{text-align:right}
table.plain td{white-space:normal}
.ours td,tbody th:first-child{color:var(--ink);font-weight:600}
ul.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;padding:0;margin:.6rem 0 0}
ul.legend svg{display:inline-block;width:1em;height:1em;margin-right:.4em}
svg{display:block;width:100%;height:auto}
svg text{font:12px Helvetica,Arial,sans-serif;fill:var(--soft)}
svg .name,svg .value{fill:var(--ink)}
svg .grid{stroke:var(--grid)}svg .base{stroke:var(--faint)}svg .guide{stroke:var(--faint);stroke-dasharray:3 4}
svg .dot{fill:var(--c);stroke:var(--paper)}svg .whisker,svg .line{stroke:var(--c);stroke-width:2.2;fill:none}
@media(max-width:31rem){svg text{font-size:17px}}
@media print{th,td{padding-right:.35rem;font-size:11px}}
"""


class Page:
    def __init__(self, title: str, version: str, headline: str = "", lead: str = "", note: str = "", kicker: str = "reproduction report") -> None:
        """kicker, headline, lead and note open the HTML page."""
        self.title = title
        self._text = [f"# {title}\n\nWritten by Leman {version}.\n"]
        self._html = [f'<header>\n<p class="kicker">Leman · {html.escape(kicker)}</p>\n<h1>{html.escape(headline or title)}</h1>\n'
                      + (f"<p>{html.escape(lead)}</p>\n" if lead else "") + f'<p class="note">{html.escape(note)}</p>\n</header>\n']
        self._open = False
        self._version = version

    def heading(self, text: str) -> None:
        """Begins a section."""
        self._text.append(f"\n## {text}\n")
        self._html.append("</section>\n" * self._open + f"<section>\n<h2>{html.escape(text)}</h2>\n")
        self._open = True

    def paragraph(self, text: str) -> None:
        self._text.append(f"\n{text}\n")
        self._html.append(f"<p>{html.escape(text)}</p>\n")

    def pictures(self, files: Sequence[tuple[str, str]]) -> None:
        """(what it shows, name of the file) of each, in Markdown, where figures() adds nothing."""
        self._text.append("\n" + "".join(f"![{said}]({name})\n" for said, name in files))

    def figures(self, note: str, legend: str, figures: Sequence[tuple[str, str, str]]) -> None:
        """(heading, SVG, what stands below it) of each."""
        shown = [f for f in figures if f[1]]
        if not shown:
            return
        self._html.append(legend + (f'<p class="note">{html.escape(note)}</p>\n' if note else "") + '<div class="pair">\n')
        for heading, svg, below in shown:
            self._html.append(f"<figure>\n<h3>{html.escape(heading)}</h3>\n{svg}"
                              + (f"<figcaption>{html.escape(below)}</figcaption>\n" if below else "") + "</figure>\n")
        self._html.append("</div>\n")

    def table(self, head: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> None:
        """The first two cells of a row say what it is. Of each row: its class ("ours", "theirs", "between") and its cells."""
        self._text.append("\n| " + " | ".join(head) + " |\n" + "|---|---" + "|---:" * (len(head) - 2) + "|\n")
        self._text += ["| " + " | ".join(cells) + " |\n" for _, cells in rows]
        self._html.append('<div class="table"><table class="cells">\n<thead><tr>'
                          + "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head) + "</tr></thead><tbody>\n")
        for kind, cells in rows:
            words = "".join(f'<th scope="row">{html.escape(cell)}</th>' for cell in cells[:2])
            numbers = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells[2:])
            self._html.append(f'<tr class="{kind}">{words}{numbers}</tr>\n')
        self._html.append("</tbody></table></div>\n")

    def items(self, items: Sequence[tuple[str, str]]) -> None:
        """A list of marks and what is said of each."""
        if items:
            self._text.append("\n" + "".join(f"- {mark}: {said}.\n" for mark, said in items))
            self._html.append('<ul class="notes">\n' + "".join(f"<li>{html.escape(mark)}: {html.escape(said)}.</li>\n"
                                                              for mark, said in items) + "</ul>\n")

    def reproduce(self, command: str, properties: Sequence[tuple[str, str]], note: str) -> None:
        self.heading("How to reproduce")
        properties = [("program", f"leman {self._version}"), *properties]
        self._text.append(f"\n    {command}\n\n" + "".join(f"    {name}: {said}\n" for name, said in properties) + f"\n{note}\n")
        rows = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(said)}</td></tr>\n" for name, said in properties)
        self._html.append(f'<pre>{html.escape(command)}</pre>\n<table class="plain"><tbody>\n{rows}</tbody></table>\n'
                          f'<p class="note">{html.escape(note)}</p>\n</section>\n')

    def markdown(self) -> str:
        return "".join(self._text)

    def html(self) -> str:
        return ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
                '<meta name="viewport" content="width=device-width,initial-scale=1">\n<meta name="color-scheme" content="light dark">\n'
                f"<title>{html.escape(self.title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n"
                + "".join(self._html) + "</main>\n</body>\n</html>\n")
