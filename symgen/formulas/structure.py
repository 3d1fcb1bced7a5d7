"""The structure of a matrix: which entries are zero, constant, equal to another, and which joints each depends on."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from symgen.formulas.comparison import Comparison, Place
from symgen.program.pattern import Pattern, pattern_of

ZERO, CONSTANT, VARYING, UNDECIDED = "zero", "constant", "varying", "undecided"

LONG_RUN = 6
"""A run of more consecutive joints than that is written as the first and the last."""

_COLOURS = {ZERO: "#f4f4f4", CONSTANT: "#cfe3f5", VARYING: "#fbe3c4", UNDECIDED: "#f6c6c6"}


class Comparing(Protocol):
    """Compares elements one after the other; see `Comparison`."""

    def vanishes(self, element: Any, /) -> bool | None:
        """Whether an element is identically zero; None if that is not decided."""
        ...

    def first_equal(self, element: Any, place: Place, /) -> tuple[int, int, int] | None:
        """(row, column, sign) of the first element that is the same or its negative; None enters this one."""
        ...

    def inputs(self, element: Any, /) -> tuple[tuple[int, ...], bool]:
        """(joints, from 0, on whose positions an element depends; whether it depends on rates)."""
        ...


@dataclass(frozen=True)
class EntryStructure:
    """An entry: its kind, the joints (from 0) on whose positions it depends, and the first entry it equals.

    `equals` is (row, column, sign) of an entry before this one, by rows, that is the same or its negative; None if
    there is none. `rates` says whether velocities, accelerations or forces occur.
    """

    kind: str
    joints: tuple[int, ...]
    rates: bool
    equals: tuple[int, int, int] | None


class Structure:
    """The structure of a matrix (a vector is a column): exact; what is not decided is marked.

    Elements are those of a ring, or what a `comparison` knows.
    """

    def __init__(self, elements: Sequence[Sequence[Any]], title: str = "", comparison: Comparing | None = None) -> None:
        self._elements = elements
        self._comparison = comparison
        self.title = title
        self.shape = (len(elements), len(elements[0]) if elements else 0)

    def __getitem__(self, index: tuple[int, int]) -> EntryStructure:
        return self.entries[index[0]][index[1]]

    @cached_property
    def entries(self) -> list[list[EntryStructure]]:
        """The structure of every entry."""
        comparison = self._comparison or Comparison(element for row in self._elements for element in row)
        rows = []
        for i, row in enumerate(self._elements):
            entries = []
            for j, element in enumerate(row):
                entries.append(_entry(comparison, element, (i, j)))
            rows.append(entries)
        return rows

    def cell(self, entry: EntryStructure) -> str:
        """What stands in the place of an entry in a picture."""
        return _cell(entry)

    @property
    def zero(self) -> list[list[bool]]:
        """Which entries are identically zero."""
        return [[entry.kind == ZERO for entry in row] for row in self.entries]

    @property
    def constant(self) -> list[list[bool]]:
        """Which entries depend on nothing but parameters, zeros included."""
        return [[entry.kind in (ZERO, CONSTANT) for entry in row] for row in self.entries]

    @cached_property
    def pattern(self) -> Pattern:
        """Which entries are other than zero, as far as that is decided, in compressed columns (CSC)."""
        marks = [entry.kind != ZERO for row in self.entries for entry in row]
        return pattern_of(self.shape, [place for place, held in enumerate(marks) if held])

    def text(self) -> str:
        """A picture in text: 0, const, = (row,column), or the numbers of the joints."""
        cells = [[_cell(entry) for entry in row] for row in self.entries]
        width = max((len(cell) for row in cells for cell in row), default=0)
        return "\n".join("  ".join(cell.ljust(width) for cell in row).rstrip() for row in cells)

    def as_dict(self) -> dict[str, object]:
        """Plain data; joints and entries count from 1, rows of the pattern from 0."""
        return {
            **self.pattern.as_dict(),
            "entries": [
                [
                    {
                        "kind": entry.kind,
                        "joints": [joint + 1 for joint in entry.joints],
                        "rates": entry.rates,
                        "equals": None if entry.equals is None else _equal_dict(entry.equals),
                    }
                    for entry in row
                ]
                for row in self.entries
            ],
        }

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f'<td style="{_style(entry)}">{_cell_html(entry)}</td>' for entry in row) + "</tr>"
            for row in self.entries
        )
        caption = (
            f"{html.escape(self.title)}: numbers are the joints on whose positions an entry depends, = names an "
            "entry that it equals"
        )
        return f"<table><caption>{caption}</caption>{rows}</table>"


def _equal_dict(equals: tuple[int, int, int]) -> dict[str, object]:
    return {"entry": [equals[0] + 1, equals[1] + 1], "sign": equals[2]}


def _style(entry: EntryStructure) -> str:
    return f"background:{_COLOURS[entry.kind]};text-align:center;padding:2px 8px;border:1px solid #ddd;color:#222"


def _cell(entry: EntryStructure) -> str:
    if entry.kind == ZERO:
        return "0"
    if entry.equals is not None:
        row, column, sign = entry.equals
        return f"{'-' if sign < 0 else '='} ({row + 1},{column + 1})"
    if entry.kind == UNDECIDED:
        return "?"
    rates = "rates" if entry.rates else ""
    return " ".join(part for part in (_counted_from_1(entry.joints), rates) if part) or "const"


def _counted_from_1(joints: Sequence[int]) -> str:
    """Numbers of joints, where long runs are their ends."""
    runs: list[list[int]] = []
    for joint in joints:
        if runs and runs[-1][-1] == joint:
            runs[-1].append(joint + 1)
        else:
            runs.append([joint + 1])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > LONG_RUN else ",".join(map(str, run)) for run in runs)


def _cell_html(entry: EntryStructure) -> str:
    return html.escape(_cell(entry)).replace("- (", "&minus;(")


def _entry(comparison: Comparing, element: Any, place: Place) -> EntryStructure:
    is_zero = comparison.vanishes(element)
    if is_zero:
        return EntryStructure(ZERO, (), False, None)
    joints, rates = comparison.inputs(element)
    kind = UNDECIDED if is_zero is None else VARYING if joints or rates else CONSTANT
    return EntryStructure(kind, joints, rates, comparison.first_equal(element, place))
