"""Operation counts beside the literature: one comparison, as a table in any format and as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symgen.count.literature import (
    FORWARD_DYNAMICS,
    GENERATORS,
    INVERSE_DYNAMICS,
    LEAST_JOINTS,
    ORDER_N3,
    Published,
)
from symgen.display.markup import Grid
from symgen.program.counts import Counts

if TYPE_CHECKING:
    from symgen.count.crossover import Crossover
    from symgen.count.formulations import Counted
    from symgen.count.generic import Generic
    from symgen.display.pictures import Picture

OURS = "symgen"
GENERIC, GIVEN = "generic (KKT)", "generic, given the tree's motion"
"""The generic route: from the independent joints' motion, as symgen's functions, or from all joints'."""

FORMULAS: Mapping[str, Sequence[Published]] = {
    "inverse_dynamics": INVERSE_DYNAMICS,
    "forward_dynamics": FORWARD_DYNAMICS,
}
"""Function → algorithms whose operations the papers tell for any number of joints."""


@dataclass(frozen=True)
class Row:
    """Operations of a function by whom; `div` is None where divisions are counted as multiplications."""

    function: str
    by: str
    mul: int
    add: int
    div: int | None

    @property
    def total(self) -> int:
        """All of them."""
        return self.mul + self.add + (self.div or 0)


def passes_grid(robot: str, steps: Mapping[str, Sequence[tuple[str, Counts]]]) -> Grid:
    """The counts as derived and after every run of a group of passes that changed them; numbers tell the runs apart."""
    rows: list[tuple[str, ...]] = []
    for function, line in steps.items():
        before: Counts | None = None
        for group, found in line:
            if before is None or (found.mul, found.add, found.div) != (before.mul, before.add, before.div):
                saved = "" if before is None else str(before.arithmetic - found.arithmetic)
                rows.append((function, group, str(found.mul), str(found.add), str(found.div), saved))
            before = found
    columns = ("function", "after", "mult", "add", "div", "saved")
    return Grid(f"{robot}: operations as derived and after the passes that change them", columns, tuple(rows), words=2)


def literature_rows(robot: str, joints: int, counts: Mapping[str, Counts]) -> Iterator[Row]:
    """Ours, other generators' for the robot of that name, and the papers' algorithms, function by function."""
    for function, found in counts.items():
        others = [Row(function, by, *numbers) for by, numbers in GENERATORS.get(robot, {}).get(function, {}).items()]
        others += [
            Row(function, f"{item.name}, any {joints}R arm", item.mul(joints), item.add(joints), None)
            for item in _algorithms(function, joints)
        ]
        if others:
            yield Row(function, OURS, found.mul, found.add, found.div)
            yield from others


def _algorithms(function: str, joints: int) -> Sequence[Published]:
    return FORMULAS.get(function, ()) if joints >= LEAST_JOINTS else ()


def literature_grids(robot: str, joints: int, counts: Mapping[str, Counts]) -> Iterator[Grid]:
    """The table beside the literature, if there is anything to compare with."""
    rows = tuple(
        (
            row.function if row.by == OURS else "",
            row.by,
            *(str(row.mul), str(row.add), "" if row.div is None else str(row.div)),
            str(row.total),
        )
        for row in literature_rows(robot, joints, counts)
    )
    remarks = (item.remarks.get(joints) for function in counts for item in _algorithms(function, joints))
    if rows:
        columns = ("function", "by", "mult", "add", "div", "sum")
        title = "beside the literature (papers count divisions as multiplications)"
        yield Grid(title, columns, rows, words=2, notes=tuple(filter(None, remarks)))


def generic_rows(counts: Mapping[str, Counts], generic: Mapping[str, Generic]) -> Iterator[Row]:
    """Ours and the generic route's, function by function, for a robot with loops."""
    for function, other in generic.items():
        if function in counts:
            for by, found in ((OURS, counts[function]), (GENERIC, other.whole), (GIVEN, other.given)):
                yield Row(function, by, found.mul, found.add, found.div)


def _sum(found: Counts) -> int:
    return found.arithmetic + found.div


def generic_grids(counts: Mapping[str, Counts], generic: Mapping[str, Generic]) -> Iterator[Grid]:
    """The table beside the generic route, if there is anything to compare; with ours as a part of each."""
    rows = tuple(
        (
            row.function if row.by == OURS else "",
            row.by,
            *map(str, (row.mul, row.add, row.div, row.total)),
            "" if row.by == OURS else f"{_sum(counts[row.function]) / row.total:.2f}",
        )
        for row in generic_rows(counts, generic)
    )
    if rows:
        columns = ("function", "by", "mult", "add", "div", "sum", f"{OURS}/it")
        title = "beside the generic route: the whole tree and its constraints, by sparse elimination without pivots"
        yield Grid(title, columns, rows, words=2)


def formulation_grids(found: Mapping[str, Sequence[Counted]]) -> Iterator[Grid]:
    """Every formulation of each function by itself, which do not fit, and which are singular elsewhere too."""
    rows: list[tuple[str, ...]] = []
    notes: dict[str, None] = {}
    for function, counted in found.items():
        lead = function
        for each in counted:
            if each.counts is None:
                notes[f"{each.name}: {each.misfit}"] = None
                continue
            if each.gap:
                notes[f"{each.name}, where asked for: {each.gap}"] = None
            numbers = each.counts.mul, each.counts.add, each.counts.div, _sum(each.counts)
            rows.append((lead, each.name, *map(str, numbers), each.text))
            lead = ""
    if rows:
        columns = ("function", "formulation", "mult", "add", "div", "sum", "how")
        yield Grid("formulations, each by itself", columns, tuple(rows), words=2, notes=tuple(notes))


def crossover_grids(found: Crossover) -> Iterator[Grid]:
    """Forward dynamics of general arms by both algorithms, and where those of the papers cross over."""
    rows = tuple((str(n), str(udu.mul), str(udu.add), str(aba.mul), str(aba.add)) for n, udu, aba in found.rows)
    columns = ("n", "mult, U D U^T", "add, U D U^T", "mult, O(n)", "add, O(n)")
    yield Grid(f"forward dynamics of general arms: {found.text}", columns, rows, words=0)
    published = tuple(
        (row.name, *map(str, (*formula_crossover(row), *row.crossover))) for row in FORWARD_DYNAMICS if row.crossover
    )
    title = f"n* and n+ of formulas in the literature, against {ORDER_N3.name}"
    yield Grid(title, ("algorithm", "n*", "n+", "n* printed", "n+ printed"), published)


def formula_crossover(item: Published) -> tuple[int | None, int | None]:
    """n* and n+ of an algorithm of order n, by its formula and that of `ORDER_N3`."""
    from symgen.count.crossover import Crossover

    def counts(algorithm: Published, n: int) -> Counts:
        return Counts(mul=algorithm.mul(n), add=algorithm.add(n))

    found = Crossover(tuple((n, counts(ORDER_N3, n), counts(item, n)) for n in range(LEAST_JOINTS, 50)))
    return found.multiplications, found.both


def counts_picture(robot: str, joints: int, counts: Mapping[str, Counts]) -> Picture:
    """Bars of operations, ours first, one panel for each function that was published."""
    from symgen.count.bars import bars

    panels: dict[str, list[tuple[str, int, int]]] = {}
    for row in literature_rows(robot, joints, counts):
        panels.setdefault(row.function, []).append((row.by, row.mul + (row.div or 0), row.add))
    if not panels:
        panels = {"operations per call": [(name, found.mul + found.div, found.add) for name, found in counts.items()]}
    return bars(f"{robot or 'robot'}: operations", panels)
