"""Closed forms in notebooks: what is short enough is written, of the rest an overview is given, quickly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symgen.algebra.ring_element import Key
from symgen.display.markup import Grid, escaped
from symgen.formulas.formula import DISPLAY_LIMIT, DISPLAY_TERMS, Formula, Quotient, legend_text, letters_of, parts_of
from symgen.formulas.symbols import symbol_lines, symbols_of
from symgen.formulas.writing import printers
from symgen.formulas.writing.expressions import Product, Sum

if TYPE_CHECKING:
    from symgen.formulas.form import Form

LINE, ROW = 24, 60
"""Letters on one line of a sum, if its terms are not longer, and in a row of a matrix; wider ones are listed."""

DEFINITION_TERMS, DEFINITIONS = 1000, 40
"""Terms of definitions, and definitions, that are shown below formulas."""

MATRIX_TERMS, MATRIX_ENTRIES = 1500, 400
"""Terms of all entries together, and entries, that are shown; of larger matrices the structure is."""

STRUCTURE_TERMS = 5000
"""Terms of all entries together that are compared for the structure; of still larger ones the terms are counted."""


# formulas ------------------------------------------------------------------------------------------


def formula_html(item: Formula) -> str:
    """A formula with its definitions and what its short forms stand for."""
    written = [item] if item.terms <= DISPLAY_TERMS else []
    return f"<div>{formula_latex(item)}{_surroundings(written, item.definitions)}</div>"


def formula_latex(item: Formula, limit: int = DISPLAY_TERMS) -> str:
    """A formula in LaTeX, if its normal form has at most `limit` terms; else how many it has."""
    head = f"{item.label_latex} = " if item.label_latex else ""
    if item.terms > limit:
        return rf"$\displaystyle {head}\cdots\ \text{{({item.terms} terms)}}$"
    lines = formula_lines(item)
    if len(lines) < 2:
        return rf"$\displaystyle {head}{''.join(lines) or 0}$"
    return rf"$\begin{{aligned}}{head}{{}}&" + r" \\ &".join(lines) + r"\end{aligned}$"


def formula_lines(item: Formula) -> list[str]:
    """The lines of LaTeX that a formula is shown in, cut to what is shown."""
    return [item.latex(DISPLAY_LIMIT)] if isinstance(item, Quotient) else _lines(item)


def _lines(item: Formula) -> list[str]:
    """A sum in LaTeX, cut to what is shown, in lines of whole terms or, of long ones, of the terms in their bracket."""
    style = printers.latex_style(item.subject.notation)
    lines: list[str] = []
    used, left = LINE, DISPLAY_LIMIT
    for index, term in enumerate(item.sum.terms):
        if left <= 0:
            return [*lines, f"+ {style.more(item.summands - index)}"]
        for text, length in _pieces(term, style, left):
            text = text if not lines else f"- {text[1:]}" if text.startswith("-") else f"+ {text}"
            if used + length > LINE or not lines:
                lines.append(text)
                used = 0
            else:
                lines[-1] += f" {text}"
            used += length
        left -= term.length
    return lines


def _pieces(term: Product, style: printers.Style, limit: int) -> list[tuple[str, int]]:
    """(LaTeX, letters) of a term; of a long one in pieces, which its longest bracket falls into."""
    brackets = [index for index, (factor, power) in enumerate(term.factors) if isinstance(factor, Sum) and power == 1]
    divides = any(not isinstance(factor, Sum) and style.reciprocal(factor) is not None for factor, _ in term.factors)
    if not LINE < term.length <= limit or not brackets or divides:
        return [(printers.written(Sum((term,)), style, limit), term.length)]
    place = max(brackets, key=lambda index: _length(term.factors[index][0]))
    before, after = Product(term.coefficient, term.factors[:place]), Product(1, term.factors[place + 1 :])
    inner = term.factors[place][0]
    assert isinstance(inner, Sum)
    pieces = [(printers.written(Sum((each,)), style), each.length) for each in inner.terms]
    head = printers.written(Sum((before,)), style) + style.times
    if not before.factors and abs(term.coefficient) == 1:
        head = "-" if term.coefficient < 0 else ""
    tail = style.times + printers.written(Sum((after,)), style) if after.factors else ""
    pieces[0] = rf"{head}\bigl({pieces[0][0]}", pieces[0][1] + before.length
    pieces[-1] = rf"{pieces[-1][0]}\bigr){tail}", pieces[-1][1] + after.length
    return pieces


def _length(factor: int | Sum) -> int:
    return factor.length if isinstance(factor, Sum) else 1


def _surroundings(written: Sequence[Formula], defined: Sequence[tuple[str, Formula]]) -> str:
    """What stands below formulas: the definitions they use, the first in full, what short forms and symbols mean."""
    lines, shown, left = [], list(written), DEFINITION_TERMS
    for _, item in defined[:DEFINITIONS]:
        lines.append(formula_latex(item, left))
        if item.terms <= left:
            left -= item.terms
            shown.append(item)
    if len(defined) > DEFINITIONS:
        lines.append(f"… and {len(defined) - DEFINITIONS} more definitions; see <code>.definitions</code>")
    letters = [letter for item in shown for letter in letters_of(item)]
    legend = shown[0].subject.notation.legend(letters) if shown else []
    parts = [part for item in shown for part in parts_of(item)]
    symbols = symbol_lines(symbols_of(shown[0].subject, parts)) if shown else []
    notes = [", ".join(legend_text(*entry) for entry in legend), "; ".join(symbols)]
    below = [f"<small>{escaped(note)}</small>" for note in notes if note]
    return "<br>".join([*(["<br>with", *lines] if lines else [""]), *below]) if lines or below else ""


# matrices and vectors ------------------------------------------------------------------------------


def form_html(form: Form) -> str:
    """A form with its definitions, or where it is too long an overview."""
    caption = f"<small>{escaped(form.label.meaning)} ({escaped(form.label.unit)})</small>"
    if not form.shape:
        return f"<div>{caption}<br>{formula_html(form.entry())}</div>"
    terms = sum(form.element(*index).summands for index in form.indices())
    if terms > MATRIX_TERMS or math.prod(form.shape) > MATRIX_ENTRIES:
        picture = form.structure._repr_html_() if terms <= STRUCTURE_TERMS else _terms_grid(form).html()
        example = f"entry({', '.join('0' * len(form.shape))})"
        return f"<div>{caption}{picture}Too long to show: ask for entries, such as <code>{example}</code>.</div>"
    entries = [form.entry(*index) for index in form.indices()]
    if _width(form, entries) > (ROW if len(form.shape) == 2 else LINE):
        body = _listed(entries)
    else:
        body = rf"$\displaystyle {form.label.symbol} = {form.latex(DISPLAY_LIMIT)}$"
    return f"<div>{caption}<br>{body}{_surroundings(entries, form.definitions)}</div>"


def _width(form: Form, entries: Sequence[Formula]) -> int:
    """Letters on a line of the matrix: those of the longest entries of its columns."""
    columns = (*form.shape, 1)[1]
    return sum(max((item.length for item in entries[j::columns]), default=0) for j in range(columns))


def _listed(entries: Sequence[Formula]) -> str:
    """Entries below each other; then those that are equal to one before, and whether others are 0."""
    first: dict[Key, Formula] = {}
    lines, equal = [], []
    for item in (item for item in entries if not item.element.is_zero):
        known = first.setdefault(item.element.key, item)
        if known is item:
            lines.append(formula_latex(item))
        else:
            equal.append(f"${item.label_latex} = {known.label_latex}$")
    lines += [", ".join(equal)] if equal else []
    lines += ["the other entries are 0"] if len(first) + len(equal) < len(entries) else []
    return "<br>".join(lines)


def _terms_grid(form: Form) -> Grid:
    """The number of terms of every entry."""
    rows, columns = (*form.shape, 1)[:2]
    counts = [str(form.element(*index).summands) for index in form.indices()]
    lines = [(str(i + 1), *counts[i * columns : (i + 1) * columns]) for i in range(rows)]
    head = ("", *(str(j + 1) for j in range(columns))) if len(form.shape) == 2 else ("", "terms")
    return Grid("terms of the entries in normal form", head, tuple(lines))
