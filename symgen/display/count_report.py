"""Operation counts beside the literature: one table for every format, and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from symgen.display.published import FORWARD_DYNAMICS, GENERATORS, INVERSE_DYNAMICS, Published
from symgen.markup import Grid
from symgen.program.counts import Counts

if TYPE_CHECKING:
    from symgen.crossover import Crossover
    from symgen.display.plots import Picture

Row = tuple[str, str, int, int]
"""A function, who computes it, multiplications, additions."""

OURS = "symgen"

MIN_JOINTS = 2
"""The published formulas are for arms of at least this many joints."""


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
    formulas: dict[str, Sequence[Published]] = {
        "inverse_dynamics": INVERSE_DYNAMICS,
        "forward_dynamics": FORWARD_DYNAMICS,
    }
    for function, found in counts.items():
        others = [(name, mul, add) for name, (mul, add, _) in GENERATORS.get(robot, {}).get(function, {}).items()]
        if joints >= MIN_JOINTS:
            published = formulas.get(function, ())
            others += [(f"{p.name}, any {joints}R arm", int(p.mul(joints)), int(p.add(joints))) for p in published]
        if others:
            yield function, OURS, found.mul, found.add
            yield from ((function, *other) for other in others)


def literature_grid(robot: str, joints: int, counts: Mapping[str, Counts]) -> Grid:
    """Multiplications and additions beside the literature; divisions apart."""
    rows = tuple(
        (function if name == OURS else "", name, str(mul), str(add), str(mul + add))
        for function, name, mul, add in literature_rows(robot, joints, counts)
    )
    return Grid("beside the literature", ("function", "by", "mult", "add", "sum"), rows, words=2)


def crossover_grid(found: Crossover) -> Grid:
    """Forward dynamics of general arms by both algorithms."""
    rows = tuple((str(n), str(udu.mul), str(udu.add), str(aba.mul), str(aba.add)) for n, udu, aba in found.rows)
    columns = ("n", "mult, U D U^T", "add, U D U^T", "mult, O(n)", "add, O(n)")
    return Grid(f"forward dynamics of general arms: {found.text}", columns, rows, words=0)


def counts_picture(robot: str, joints: int, counts: Mapping[str, Counts]) -> Picture:
    """Bars of multiplications and additions, ours first, one panel for each function that was published."""
    from symgen.display.bars import bars

    panels: dict[str, list[tuple[str, int, int]]] = {}
    for function, name, mul, add in literature_rows(robot, joints, counts):
        panels.setdefault(function, []).append((name, mul, add))
    if not panels:
        panels = {"operations per call": [(name, found.mul, found.add) for name, found in counts.items()]}
    return bars(f"{robot or 'robot'}: multiplications and additions", panels)
