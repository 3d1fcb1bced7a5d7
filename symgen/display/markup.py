"""Tables of plain text, and their HTML for notebooks; whatever comes from a robot file is escaped."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass

_LEFT = "text-align:left;vertical-align:top"
_LINES = f"{_LEFT};white-space:pre"
_CAPTION = "text-align:left;white-space:nowrap"
_RIGHT = "text-align:right;vertical-align:top"


@dataclass(frozen=True)
class Grid:
    """A table of plain text: the first `words` columns hold words, the others numbers. Cells may have several lines.

    `notes` are lines below it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    notes: tuple[str, ...] = ()

    def html(self) -> str:
        """The table for a notebook."""
        head = "".join(self._cells("th", self.columns))
        body = "".join(f"<tr>{''.join(self._cells('td', row))}</tr>" for row in self.rows)
        caption = f'<caption style="{_CAPTION}">{escaped(self.title)}</caption>'
        table = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return table + (paragraph(*self.notes) if self.notes else "")

    def markdown(self) -> str:
        """The table in Markdown."""
        rule = tuple("---" if index < self.words else "---:" for index in range(len(self.columns)))
        lines = ["| " + " | ".join(map(_markdown, row)) + " |" for row in (self.columns, rule, *self.rows)]
        notes = [line for note in self.notes for line in ("", _markdown(note))]
        return "\n".join([f"**{_markdown(self.title)}**", "", *lines, *notes])

    def latex(self) -> str:
        """The table in LaTeX, with the rules of the booktabs package."""
        columns = "l" * self.words + "r" * (len(self.columns) - self.words)
        head, *body = (" & ".join(map(_latex, row)) + r" \\" for row in (self.columns, *self.rows))
        lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule", *body, r"\bottomrule"]
        notes = [rf"\multicolumn{{{len(self.columns)}}}{{l}}{{{_latex(note)}}} \\" for note in self.notes]
        return "\n".join([f"% {self.title}", *lines, *notes, r"\end{tabular}"])

    def _cells(self, tag: str, texts: tuple[str, ...]) -> list[str]:
        styles = [
            _RIGHT if index >= self.words else _LINES if "\n" in text else _LEFT for index, text in enumerate(texts)
        ]
        return [f'<{tag} style="{style}">{escaped(text)}</{tag}>' for style, text in zip(styles, texts, strict=True)]


def _markdown(text: str) -> str:
    return re.sub(r"([|*_`<\\])", r"\\\1", text).replace("\n", " ")


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\n": " "}
_LATEX |= {letter: rf"\{letter}" for letter in "&%$#_{}"}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)


def escaped(text: str) -> str:
    """Text that is shown as it stands: neither tags nor, to the notebook's typesetter, formulas."""
    return re.sub(r"[$\\]", r"<span>\g<0></span>", html.escape(text))


def paragraph(*lines: str) -> str:
    """Lines of plain text."""
    return f"<p>{'<br>'.join(map(escaped, lines))}</p>"


def folded(title: str, inner: str) -> str:
    """HTML behind a title to click on."""
    return f"<details><summary>{escaped(title)}</summary>{inner}</details>"
