"""Charts as SVG: a row for each method with our result beside the published one, and dots in a square or a rectangle.

Colour c0 is ours and c1 is published; results of methods in a chart of costs have c0. NaN is not drawn.
"""
from __future__ import annotations

import html
import math
from typing import Any, NamedTuple, Sequence

WIDTH, RIGHT = 400.0, 46.0


class Series(NamedTuple):
    name: str  # in the legend; "": not there
    color: int
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[float] = ()  # half the length of a level bar
    titles: Sequence[str] = ()  # what a dot says under the pointer
    line: bool = False  # consecutive points are the ends of a line; NaN ends it
    values: str = ""  # a format: the numbers stand at the right end
    ends: Sequence[tuple[float, float]] = ()  # of a level bar that is not spread evenly


class Axis:
    """A range of numbers between two places; logarithmic: by powers of ten."""

    def __init__(self, values: Sequence[float], start: float, end: float, logarithmic: bool = False) -> None:
        self.logarithmic, self.start, self.end = logarithmic, start, end
        known = [self._at(v) for v in values if math.isfinite(v) and (v > 0 or not logarithmic)] or [0.0, 1.0]
        margin = 0.06 * (max(known) - min(known)) or max(0.05 * abs(known[0]), 0.05)
        self.low, self.high = min(known) - margin, max(known) + margin

    def _at(self, value: float) -> float:
        return math.log10(max(value, 1e-300)) if self.logarithmic else value

    def place(self, value: float) -> float:
        return self.start + (self.end - self.start) * (self._at(value) - self.low) / (self.high - self.low)

    def ticks(self) -> list[tuple[float, str]]:
        """Round numbers, at most six, and their texts."""
        if self.logarithmic and self.high - self.low >= 1:
            every = math.ceil((self.high - self.low) / 5)
            return [(10.0**p, f"{10.0**p:.6g}") for p in range(math.ceil(self.low), math.floor(self.high) + 1, every)]
        low, high = (10**self.low, 10**self.high) if self.logarithmic else (self.low, self.high)
        unit = 10 ** math.floor(math.log10((high - low) / 4))
        step = next(unit * f for f in (1, 2, 5, 10) if unit * f >= (high - low) / 5)
        digits = max(0, -math.floor(math.log10(step) + 1e-9))
        return [(i * step, f"{i * step:.{digits}f}") for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def legend(series: Sequence[Series]) -> str:
    named = [s for s in series if s.name]
    if len(named) < 2:
        return ""
    marks = "".join(f'<li class="c{s.color}"><svg viewBox="0 0 12 12" aria-hidden="true">'
                    f'<circle class="dot" cx="6" cy="6" r="4.6"/></svg>{html.escape(s.name)}</li>' for s in named)
    return f'<ul class="legend">{marks}</ul>\n'


def _series(s: Series, x: Axis, y: Any) -> str:
    shown = [i for i in range(len(s.x)) if math.isfinite(s.x[i]) and math.isfinite(s.y[i])]
    out = f'<g class="c{s.color}">\n'
    if s.line:
        for i, j in zip(shown, shown[1:]):
            if j == i + 1:
                out += f'<path class="line" d="M{x.place(s.x[i]):.1f} {y(s.y[i]):.1f}L{x.place(s.x[j]):.1f} {y(s.y[j]):.1f}"/>\n'
    for i in shown:
        bar = s.ends[i] if s.ends else (s.x[i] - s.spread[i], s.x[i] + s.spread[i]) if i < len(s.spread) else (s.x[i], s.x[i])
        if bar[1] > bar[0]:
            out += f'<path class="whisker" d="M{x.place(bar[0]):.1f} {y(s.y[i]):.1f}H{x.place(bar[1]):.1f}"/>\n'
    for i in shown:
        title = f"<title>{html.escape(s.titles[i])}</title>" if s.titles else ""
        out += f'<circle class="dot" cx="{x.place(s.x[i]):.1f}" cy="{y(s.y[i]):.1f}" r="4">{title}</circle>\n'
        if s.values:
            out += f'<text class="value" x="{WIDTH}" y="{y(s.y[i]) + 4.5:.1f}" text-anchor="end">{s.x[i]:{s.values}}</text>\n'
    return out + "</g>\n"


def _frame(title: str, height: float, body: str) -> str:
    return (f'<svg viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img" aria-label="{html.escape(title)}">\n'
            f"<title>{html.escape(title)}</title>\n{body}</svg>\n")


def _level(x: Axis, foot: float, top: float, label: str) -> str:
    out = ""
    for value, text in x.ticks():
        at = x.place(value)
        out += f'<path class="grid" d="M{at:.1f} {foot:.1f}V{top:.1f}"/>' \
               f'<text x="{at:.1f}" y="{foot + 19:.1f}" text-anchor="middle">{text}</text>\n'
    return out + f'<path class="base" d="M{x.start:.1f} {foot:.1f}H{x.end:.1f}"/>\n' \
                 f'<text class="axis" x="{(x.start + x.end) / 2:.1f}" y="{foot + 40:.1f}" text-anchor="middle">{html.escape(label)}</text>\n'


def rows(title: str, label: str, names: Sequence[str], series: Sequence[Series], logarithmic: bool = False) -> str:
    """A row for each name, the first on top. y of a series counts rows from 0."""
    foot = 14 + 30.0 * len(names)
    values = [v + side * (s.spread[i] if i < len(s.spread) and math.isfinite(s.spread[i]) else 0)
              for s in series for i, v in enumerate(s.x) for side in (-1, 1)] + [end for s in series for bar in s.ends for end in bar]
    x = Axis(values, 10 + 9.0 * max(map(len, names)), WIDTH - RIGHT, logarithmic)

    def place(row: float) -> float:
        return 14 + 30 * (row + 0.5)

    body = _level(x, foot, 8, label)
    for i, name in enumerate(names):
        body += f'<path class="grid" d="M{x.start:.1f} {place(i):.1f}H{x.end:.1f}"/><text class="name" x="{x.start - 8:.1f}" ' \
                f'y="{place(i) + 4.5:.1f}" text-anchor="end">{html.escape(name)}</text>\n'
    return _frame(title, foot + 48, body + "".join(_series(s, x, place) for s in series))


def dots(title: str, label: str, upright: str, series: Sequence[Series], logarithmic: tuple[bool, bool] = (False, False),
         square: bool = False) -> str:
    """Dots in a plane. square: both axes have one range, and a dashed line shows where x = y."""
    xs, ys = [v for s in series for v in s.x], [v for s in series for v in s.y]
    if square:
        xs = ys = xs + ys
    foot = 320.0
    x, y = Axis(xs, 64, WIDTH - 14, logarithmic[0]), Axis(ys, foot, 34, logarithmic[1])
    body = _level(x, foot, 34, label) + f'<text class="axis" x="0" y="18">{html.escape(upright)}</text>\n'
    for value, text in y.ticks():
        body += f'<path class="grid" d="M64 {y.place(value):.1f}H{x.end:.1f}"/>' \
                f'<text x="56" y="{y.place(value) + 4:.1f}" text-anchor="end">{text}</text>\n'
    if square:
        body += f'<path class="guide" d="M64 {foot:.1f}L{x.end:.1f} 34"/>\n'
    return _frame(title, foot + 48, body + "".join(_series(s, x, y.place) for s in series))
