"""Tables of results that show themselves as text, HTML, LaTeX and pandas."""
from __future__ import annotations

import html
import math
import re
from typing import Any

_SPECIAL = {"\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
            "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}


def cell(value: Any) -> str:
    if not isinstance(value, float):
        return "" if value is None else str(value)
    return "" if math.isnan(value) else f"{value:.3g}" if abs(value) < 0.1 else f"{value:.2f}"


def latex_number(value: Any) -> str:
    """A number in the mathematics of LaTeX; nothing for NaN."""
    text = cell(value).replace("inf", r"\infty")
    return f"${text}$" if text else ""


def latex_text(text: str) -> str:
    """Text for LaTeX; delta and eps of methods are the letters of the paper."""
    found = "".join(_SPECIAL.get(letter, letter) for letter in text)
    found = re.sub(r"(?<![A-Za-z])(delta|δ)-", r"$\\delta$-", found)
    return re.sub(r"-(eps|ε)(?![A-Za-z])", r"-$\\varepsilon$", found)


def latex_table(head: list[str], lines: list[list[str]], columns: str, note: str, caption: str | None, label: str | None) -> str:
    """Cells of LaTeX as a tabular of booktabs; a table environment where it has a caption or a label."""
    body = [" & ".join(line) + r" \\" for line in lines]
    found = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", " & ".join(head) + r" \\", r"\midrule", *body, r"\bottomrule", r"\end{tabular}"]
    if note:
        found.append(rf"% {note}")
    if caption is not None or label is not None:
        found = [r"\begin{table}", r"\centering", *found]
        found += [rf"\caption{{{latex_text(caption)}}}"] if caption is not None else []
        found += [rf"\label{{{label}}}"] if label is not None else []
        found.append(r"\end{table}")
    return "\n".join(found) + "\n"


class Table:
    """Rows of the same keys."""

    rows: list[dict[str, Any]]

    def table(self) -> str:
        """The rows as text, one line each.

        Returns
        -------
        str
        """
        if not self.rows:
            return ""
        lines = [list(self.rows[0])] + [[cell(value) for value in row.values()] for row in self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        return "\n".join("  ".join(text.ljust(w) if i == 0 else text.rjust(w)
                                   for i, (text, w) in enumerate(zip(line, widths))) for line in lines)

    def to_pandas(self) -> Any:
        """The rows as a pandas.DataFrame.

        Returns
        -------
        pandas.DataFrame
        """
        import pandas
        return pandas.DataFrame(self.rows)

    def latex(self, caption: str | None = None, label: str | None = None) -> str:
        """A tabular of LaTeX with the rows; it needs the package booktabs.

        Parameters
        ----------
        caption, label : str, optional
            With one of them the tabular stands in a table environment.

        Returns
        -------
        str
        """
        if not self.rows:
            return ""
        head = [latex_text(name.replace("_", " ")) for name in self.rows[0]]
        lines = [[latex_text(cell(value)) for value in row.values()] for row in self.rows]
        return latex_table(head, lines, "l" + "r" * (len(head) - 1), "", caption, label)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        if not self.rows:
            return ""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.rows[0])
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell(value))}</td>" for value in row.values()) + "</tr>"
                       for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
