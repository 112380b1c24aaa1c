"""Figures of evaluations as files: SVG for pages and slides, PDF for papers, both from one list of lines, dots and texts.

Nothing is needed but this module and NumPy. A unit is a point (1/72 inch), y counts from the top. Texts are Helvetica, which every reader
of PDF has; its widths are those of Adobe's metrics. The colours are those of the library's pages.
"""
from __future__ import annotations

import html
import math
import os
import zlib
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from . import _values as v
from ._errors import ArgumentError, file_error

COLORS = ("#0072b2", "#d55e00", "#008f68", "#b5578f", "#a67c00", "#2a93c8", "#54585f", "#8a4b1f")
INK, SOFT, GRID = "#1c1d21", "#5d6068", "#dedcd6"
_WIDTHS = [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, *[556] * 10, 278, 278, 584, 584, 584, 556, 1015,
           667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667,
           611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333,
           500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584]  # of the characters from 32 to 126, in thousandths


_PLAIN = str.maketrans({"δ": "delta", "ε": "eps", "⁺": "+"})  # letters of the paper that Helvetica of PDF does not have


def text_width(text: str, size: float) -> float:
    """Of the text as PDF has it, which is never shorter."""
    return size / 1000 * sum(_WIDTHS[ord(letter) - 32] if 32 <= ord(letter) < 127 else 556 for letter in text.translate(_PLAIN))


def _pdf_text(text: str) -> str:
    """A text in the letters of PDF's Helvetica, escaped."""
    found = text.translate(_PLAIN)
    try:
        found.encode("cp1252")
    except UnicodeEncodeError as error:
        raise ArgumentError(f"path: found the letter {found[error.start]!r} in {v.shown(text)}, which a .pdf cannot show; expected another name, or "
                            "a path that ends in .svg") from None
    return found.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


class Canvas:
    """Lines, dots and texts, drawn in the order in which they are added."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self._drawn: list[tuple[Any, ...]] = []

    def line(self, points: Sequence[tuple[float, float]], color: str = INK, width: float = 1, dashes: float = 0) -> None:
        self._drawn.append(("line", points, color, width, dashes))

    def dot(self, x: float, y: float, color: str, radius: float = 3) -> None:
        self._drawn.append(("dot", x, y, color, radius))

    def text(self, x: float, y: float, text: str, anchor: str = "start", color: str = INK, size: float = 9) -> None:
        self._drawn.append(("text", x, y, text, anchor, color, size))

    def svg(self) -> str:
        parts = []
        for kind, *item in self._drawn:
            if kind == "line":
                points, color, width, dashes = item
                path = "M" + " L".join(f"{x:.2f} {y:.2f}" for x, y in points)
                extra = f' stroke-dasharray="{dashes:g}"' if dashes else ""
                parts.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width:g}"{extra}/>')
            elif kind == "dot":
                x, y, color, radius = item
                parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius:g}" fill="{color}"/>')
            else:
                x, y, text, anchor, color, size = item
                parts.append(f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" text-anchor="{anchor}" fill="{color}">{html.escape(text)}</text>')
        return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width:g}pt" height="{self.height:g}pt" viewBox="0 0 {self.width:g} '
                f'{self.height:g}" font-family="Helvetica, Arial, sans-serif">\n' + "\n".join(parts) + "\n</svg>\n")

    def pdf(self) -> bytes:
        content = zlib.compress("\n".join(self._operators()).encode("cp1252"))
        objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                   f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {self.width:g} {self.height:g}]/Contents 4 0 R"
                   "/Resources<</Font<</F 5 0 R>>>>>>".encode(),
                   b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content),
                   b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"]
        found, places = b"%PDF-1.4\n", []
        for number, content in enumerate(objects, 1):
            places.append(len(found))
            found += b"%d 0 obj%s\nendobj\n" % (number, content)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        return found + (b"xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
                        % (len(objects) + 1, table, len(objects) + 1, len(found)))

    def _operators(self) -> list[str]:
        def rgb(color: str) -> str:
            return " ".join(f"{int(color[i:i + 2], 16) / 255:.3f}" for i in (1, 3, 5))

        found = []
        for kind, *item in self._drawn:
            if kind == "line":
                points, color, width, dashes = item
                path = " ".join(f"{x:.2f} {self.height - y:.2f} {'l' if i else 'm'}" for i, (x, y) in enumerate(points))
                found.append(f"{rgb(color)} RG {width:g} w [{f'{dashes:g}' if dashes else ''}] 0 d {path} S")
            elif kind == "dot":  # four Bezier curves
                x, y, color, r = item[0], self.height - item[1], item[2], item[3]
                h = r * 4 / 3 * (math.sqrt(2) - 1)
                quarters = ((r, h, h, r, 0, r), (-h, r, -r, h, -r, 0), (-r, -h, -h, -r, 0, -r), (h, -r, r, -h, r, 0))
                curves = " ".join(" ".join(f"{(x, y)[i % 2] + d:.2f}" for i, d in enumerate(quarter)) + " c" for quarter in quarters)
                found.append(f"{rgb(color)} rg {x + r:.2f} {y:.2f} m {curves} f")
            else:
                x, y, text, anchor, color, size = item
                x -= text_width(text, size) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
                found.append(f"{rgb(color)} rg BT /F {size:g} Tf {x:.2f} {self.height - y:.2f} Td ({_pdf_text(text)}) Tj ET")
        return found

    def write(self, path: str | os.PathLike[str]) -> None:
        """An SVG or a PDF, as the name of the file ends."""
        name = os.fsdecode(v.path(path))
        ending = os.path.splitext(name)[1].lower()
        if ending not in (".svg", ".pdf"):
            raise ArgumentError(f"path: found {v.shown(name)}, expected a name that ends in .svg or .pdf")
        content = self.svg().encode() if ending == ".svg" else self.pdf()
        try:
            with open(name, "wb") as file:
                file.write(content)
        except OSError as error:
            raise file_error(f"{name}: {error.strerror}", error.errno or 0) from None


def _ticks(values: Sequence[float], count: int = 5) -> list[float]:
    """Round numbers from below the least of the finite values to above the largest."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min(finite), max(finite)
    if not high > low:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [i * step for i in range(first, last + 1)]


def scores_figure(rows: Sequence[dict[str, Any]], axis: str) -> Canvas:
    """For each row its test_mean and the interval test_low .. test_high; a dashed line at the baseline."""
    left = 20 + max(text_width(row["method"], 9) for row in rows)
    height = 18.0 * len(rows) + 48
    canvas = Canvas(left + 290, height)
    baseline = [row["baseline"] for row in rows if math.isfinite(row["baseline"])][:1]
    ticks = _ticks([row[key] for row in rows for key in ("test_mean", "test_low", "test_high")] + baseline)

    def place(value: float) -> float:
        return left + 270 * (value - ticks[0]) / (ticks[-1] - ticks[0])

    for tick in ticks:
        canvas.line([(place(tick), 8), (place(tick), height - 38)], GRID, 0.5)
        canvas.text(place(tick), height - 26, f"{tick:g}", "middle", SOFT)
    canvas.text(left + 135, height - 10, axis, "middle", SOFT)
    for value in baseline:
        canvas.line([(place(value), 8), (place(value), height - 38)], SOFT, 1, 3)
    for i, row in enumerate(rows):
        y, color = 18.0 * i + 18, COLORS[i % len(COLORS)]
        canvas.text(left - 12, y + 3, row["method"], "end")
        if math.isfinite(row["test_low"]):
            canvas.line([(place(row["test_low"]), y), (place(row["test_high"]), y)], color, 1.5)
        canvas.dot(place(row["test_mean"]), y, color)
    return canvas


def rounds_figure(curves: dict[str, list[tuple[float, float]]], colors: dict[str, str], axis: str) -> Canvas:
    """A line for each method: its mean test score by the number of rounds."""
    x_ticks = sorted({rounds for curve in curves.values() for rounds, _ in curve})
    y_ticks = _ticks([score for curve in curves.values() for _, score in curve])
    return lines_figure(curves, colors, f"rounds; {axis} by test", x_ticks, y_ticks)


def unit_figure(curves: dict[str, list[tuple[float, float]]], colors: dict[str, str], axis: str, dots: bool, diagonal: bool) -> Canvas:
    """A line for each method in the square from (0, 0) to (1, 1)."""
    ticks = [i / 5 for i in range(6)]
    return lines_figure(curves, colors, axis, ticks, ticks, dots, True, diagonal, 250)


def dots_figure(curves: dict[str, list[tuple[float, float]]], colors: dict[str, str], axis: str) -> Canvas:
    """Dots for each method, and the diagonal."""
    ticks = _ticks([value for curve in curves.values() for point in curve for value in point])
    return lines_figure(curves, colors, axis, ticks, ticks, True, False, True, 250)


def lines_figure(curves: dict[str, list[tuple[float, float]]], colors: dict[str, str], axis: str, x_ticks: Sequence[float],
                 y_ticks: Sequence[float], dots: bool = True, lines: bool = True, diagonal: bool = False, height: float = 150) -> Canvas:
    """A line or dots for each name."""
    right = 26 + max(text_width(name, 9) for name in curves)
    canvas = Canvas(320 + right, height + 60)
    foot, width = height + 10, (x_ticks[-1] - x_ticks[0]) or 1

    def place(x: float, y: float) -> tuple[float, float]:
        return 50 + 250 * (x - x_ticks[0]) / width, foot - height * (y - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])

    for tick in y_ticks:
        y = place(0, tick)[1]
        canvas.line([(50, y), (300, y)], GRID, 0.5)
        canvas.text(44, y + 3, f"{tick:g}", "end", SOFT)
    for tick in x_ticks:
        canvas.text(place(tick, 0)[0], foot + 14, f"{tick:g}", "middle", SOFT)
    canvas.text(175, foot + 34, axis, "middle", SOFT)
    if diagonal:
        canvas.line([place(x_ticks[0], x_ticks[0]), place(x_ticks[-1], x_ticks[-1])], SOFT, 1, 3)
    for i, (name, curve) in enumerate(curves.items()):
        points = [place(*point) for point in curve]
        if lines:
            canvas.line(points, colors[name], 1.5)
        for point in points if dots else []:
            canvas.dot(*point, colors[name], 2.5 if lines else 1.8)
        canvas.dot(314, 15 + 14 * i, colors[name])
        canvas.text(322, 18 + 14 * i, name)
    return canvas


# ---- Curves of probabilities ---------------------------------------------------------------------


def _found(positive: npt.NDArray[np.bool_], probability: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Numbers of positive graphs and of others with a probability from each threshold on, the largest threshold first."""
    order = np.argsort(-probability, kind="stable")
    last = np.append(np.flatnonzero(np.diff(probability[order])), len(order) - 1)
    return np.cumsum(positive[order])[last].astype(float), np.cumsum(~positive[order])[last].astype(float)


def roc_curve(positive: npt.NDArray[np.bool_], probability: npt.NDArray[np.float64]) -> tuple[list[tuple[float, float]], float]:
    """Shares of the other graphs and of the positive ones that are found, and the area under the curve."""
    right, wrong = _found(positive, probability)
    x, y = np.append(0, wrong / wrong[-1]), np.append(0, right / right[-1])
    return list(zip(x.tolist(), y.tolist())), float(np.sum(np.diff(x) * (y[1:] + y[:-1]) / 2))


def precision_curve(positive: npt.NDArray[np.bool_], probability: npt.NDArray[np.float64]) -> tuple[list[tuple[float, float]], float]:
    """Recall and precision, and the average precision."""
    right, wrong = _found(positive, probability)
    recall, precision = right / right[-1], right / (right + wrong)
    points = [(0.0, float(precision[0])), *zip(recall.tolist(), precision.tolist())]
    return points, float(np.sum(np.diff(np.append(0, recall)) * precision))


def calibration_curve(positive: npt.NDArray[np.bool_], probability: npt.NDArray[np.float64]) -> tuple[list[tuple[float, float]], float]:
    """Mean probability and share of positive graphs of ten bins, and the mean distance of both."""
    bins = np.minimum((probability * 10).astype(int), 9)
    points = [(float(probability[bins == i].mean()), float(positive[bins == i].mean())) for i in range(10) if np.any(bins == i)]
    counts = [np.count_nonzero(bins == i) for i in range(10) if np.any(bins == i)]
    return points, float(np.average([abs(x - y) for x, y in points], weights=counts))
