"""Tables of a page; whatever they hold is escaped."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from symgen.display.markup import Grid
from symgen.formulas.structure import Structure
from symgen.generation.telling import joined
from symgen.prove.verdict import Proof
from symgen.verify.report import Report

MOST_NAMED = 14
"""Columns of a structure picture beyond which its cells hold no text."""


def table(grid: Grid) -> Markup:
    """A table that scrolls where it is wider than the page, and its notes."""
    head = _row("th", grid.columns, grid.words, ' scope="col"')
    body = Markup("").join(_row("td", row, grid.words) for row in grid.rows)
    inner = Markup("<table><caption>{}</caption><thead>{}</thead><tbody>{}</tbody></table>").format(
        grid.title, head, body
    )
    notes = Markup("").join(Markup('<p class="note">{}</p>').format(note) for note in grid.notes)
    return scrolled(inner, grid.title) + notes


def scrolled(inner: Markup, label: str) -> Markup:
    """What is wide, in a region that keys can scroll."""
    return Markup('<div class="scroll" tabindex="0" role="region" aria-label="{}">{}</div>').format(label, inner)


def _row(tag: str, cells: Sequence[str], words: int, extra: str = "") -> Markup:
    kinds = ["" if index < words else ' class="number"' for index in range(len(cells))]
    texts = Markup("").join(
        Markup(f"<{tag}{extra}{kind}>") + _lines(cell) + Markup(f"</{tag}>")
        for kind, cell in zip(kinds, cells, strict=True)
    )
    return Markup("<tr>{}</tr>").format(texts)


def _lines(text: str) -> Markup:
    return Markup("<br>").join(map(escape, text.split("\n")))


def checks_table(report: Report) -> Markup:
    """Every check with its states and worst error."""
    rows = tuple(
        (
            check.name,
            check.kind,
            str(check.states),
            f"{check.error:.1e}",
            f"{check.tolerance:.0e}",
            "holds" if check.passed else "FAILED",
        )
        for check in joined(report.checks)
    )
    columns = ("check", "against", "states", "worst error", "rounding allows", "verdict")
    return table(Grid("What was verified: the compiled module at random states", columns, rows, words=2))


def proofs_table(proofs: Sequence[Proof]) -> Markup:
    """Every proof, and why one is missing."""
    rows = tuple((proof.function, proof.statement, _verdict(proof)) for proof in proofs)
    return table(Grid("What was proved in the prime field", ("function", "equals", "verdict"), rows, words=3))


def _verdict(proof: Proof) -> str:
    if proof.holds:
        return "proved"
    word = "REFUTED" if proof.refuted else "not proved"
    return f"{word}: {proof.reason}" if proof.reason else word


def structure(found: Structure, *, free: bool) -> Markup:
    """A picture of a matrix: which entries are zero, constant or equal, and on which joints others depend."""
    named = found.shape[1] <= MOST_NAMED
    rows = []
    for row in found.entries:
        cells = [
            Markup('<td class="{}" title="{}">{}</td>').format(cell.kind, text, text if named else "")
            for cell, text in ((cell, found.cell(cell)) for cell in row)
        ]
        rows.append(Markup("<tr>{}</tr>").format(Markup("").join(cells)))
    caption = "0: zero, const: constant, = (i,j): equal to an entry; numbers: the {} an entry depends on".format(
        "entries of q" if free else "joints whose positions"
    )
    inner = Markup('<table class="structure{}"><tbody>{}</tbody></table>').format(
        "" if named else " wide", Markup("").join(rows)
    )
    note = Markup('<p class="note">{}</p>').format(caption)
    return note + scrolled(inner, "Structure of the inertia matrix")
