"""Tables for the terminal: counts, robots, verification reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

from symgen.display.published import FORWARD_DYNAMICS, GENERATORS, INVERSE_DYNAMICS
from symgen.markup import Grid
from symgen.program.counts import Counts, counts_grid
from symgen.robot import tabular
from symgen.robot.model import Elementary, Robot
from symgen.robot.physical import lumps, remarks
from symgen.verify.geometry import pose
from symgen.verify.report import Check, Report


class TitledTable(Table):
    """A table below its title, which may be wider than the table. Its cells wrap between words only, if at all."""

    def __init__(self, heading: str) -> None:
        super().__init__(header_style="bold")
        self.heading = heading

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.heading, style="italic")
        yield from super().__rich_console__(console, options)

    def add_row(self, *cells: RenderableType | None, style: StyleType | None = None, end_section: bool = False) -> None:
        """Add a row, and make its columns as wide as its words."""
        super().add_row(*cells, style=style, end_section=end_section)
        for column, cell in zip(self.columns, cells, strict=False):
            text = str(cell or "")
            words = [text] if column.no_wrap else text.split()
            column.min_width = max(column.min_width or 0, *map(cell_len, words), 0)


def new_table(title: str, *columns: str, left: int = 1) -> TitledTable:
    """A table whose first columns are words and may wrap; the others are numbers, which never do."""
    table = TitledTable(title)
    for index, column in enumerate(columns):
        words = index < left
        least = max(map(cell_len, column.split()), default=0) if words else cell_len(column)
        table.add_column(
            column, justify="left" if words else "right", overflow="fold", no_wrap=not words, min_width=least
        )
    return table


def noted(grid: Grid, *notes: str) -> RenderableType:
    """A table of plain text with lines below it."""
    return Group(grid_table(grid), *map(Text, notes))


def grid_table(grid: Grid) -> TitledTable:
    """A table of plain text for the terminal."""
    table = new_table(grid.title, *grid.columns, left=grid.words)
    for row in grid.rows:
        table.add_row(*row)
    return table


# counts --------------------------------------------------------------------------------------------


def counts_table(robot: str, counts: Mapping[str, Counts]) -> Table:
    """Function × (mult, add, div, sqrt, trig, total, hoisted)."""
    return grid_table(counts_grid(robot, counts))


MIN_JOINTS = 3
"""The formulas of the literature are for arms; below so many joints they give nonsense."""


def published_tables(robot: str, n: int, counts: Mapping[str, Counts]) -> list[Table]:
    """The papers' algorithms at n joints, and other generators' code for the same robot where it was counted."""
    tables = []
    for function, rows in (("inverse_dynamics", INVERSE_DYNAMICS), ("forward_dynamics", FORWARD_DYNAMICS)):
        if function in counts and n >= MIN_JOINTS:
            tables.append(_algorithms(function, rows, n, counts[function]))
    if robot in GENERATORS:
        tables.append(_generators(robot, counts))
    return tables


def _algorithms(function: str, rows: Sequence[object], n: int, count: Counts) -> Table:
    table = new_table(
        f"{function}: algorithms in the literature for a general arm of n = {n} revolute joints",
        "algorithm",
        "mult and div",
        "add",
    )
    for row in rows:
        table.add_row(row.name, str(row.mul(n)), str(row.add(n)))  # type: ignore[attr-defined]
    table.add_row("symgen, this robot", str(count.mul + count.div), str(count.add), style="bold")
    return table


def _generators(robot: str, counts: Mapping[str, Counts]) -> Table:
    table = new_table(
        f"{robot}: other generators, same numeric table",
        "function",
        "generator",
        "mult",
        "add",
        "div",
        left=2,
    )
    for function, generators in GENERATORS[robot].items():
        if function not in counts:
            continue
        for name, numbers in generators.items():
            table.add_row(function, name, *map(str, numbers))
        count = counts[function]
        table.add_row(function, "symgen", str(count.mul), str(count.add), str(count.div), style="bold")
    return table


# robots --------------------------------------------------------------------------------------------


def robot_view(robot: Robot, frames: NDArray[np.float64], axes: NDArray[np.float64]) -> RenderableType:
    """What was understood of a robot: the table, frames and joint axes at q = 0, masses, notices.

    `frames` are the links' table frames at q = 0, (links, 4, 4); `axes` the axes of the joints that move, (n, 3), in
    the base frame.
    """
    grids = [tabular.link_grid(robot), tabular.mass_grid(robot)]
    if tabular.has_drives(robot):
        grids.append(tabular.drive_grid(robot))
    parts: list[RenderableType] = [_heading(robot), *map(grid_table, grids)]
    parts.append(_frame_table(robot, frames, axes))
    parts += [
        Text(f"frame '{frame.name}' on {robot.links[frame.link].name}: {_pose_text(frame.placement)}")
        for frame in robot.frames
    ]
    parts += [Text(f"carried: {line}") for line in lumps(robot)]
    parts += [Text(f"notice: {notice}", style="yellow") for notice in (*robot.notices, *remarks(robot))]
    return Group(*parts)


def _heading(robot: Robot) -> Text:
    base = [f"base: {_pose_text(robot.base)}"] if robot.base else []
    lines = [*tabular.heading(robot), *base, *tabular.parameter_lines(robot)]
    return Text("\n".join(lines) + "\n")


def _pose_text(placement: Sequence[Elementary]) -> str:
    return (
        " ".join(f"{'R' if part.rotates else 'T'}{'xyz'[part.axis]}({part.amount})" for part in placement) or "identity"
    )


def _frame_table(robot: Robot, frames: NDArray[np.float64], axes: NDArray[np.float64]) -> Table:
    """Frames of the links and the named ones: a table read in the wrong convention shows here at once."""
    table = new_table(
        "frames of the table at q = 0, in the base frame",
        "#",
        "link",
        "origin (m)",
        "x",
        "z",
        "joint axis",
        left=2,
    )
    for index, _, coordinate in robot.coordinates():
        link = robot.links[index]
        axis = numbers(axes[coordinate.start]) if link.joint.nv else "fixed"
        table.add_row(str(index + 1), link.name, *_frame_cells(frames[index]), axis)
    for named in robot.frames:
        frame = frames[named.link] @ pose(named.placement, robot)
        table.add_row("", f"{named.name} on {robot.links[named.link].name}", *_frame_cells(frame), "", style="bold")
    return table


def _frame_cells(frame: NDArray[np.float64]) -> tuple[str, str, str]:
    """Origin, x and z of a frame (4, 4)."""
    return numbers(frame[:3, 3]), numbers(frame[:3, 0]), numbers(frame[:3, 2])


def numbers(values: NDArray[np.float64]) -> str:
    """Numbers at a glance: rounded to four decimals, without minus zero."""
    return " ".join(f"{value + 0.0:g}" for value in np.round(values, 4) + 0.0)


# verification --------------------------------------------------------------------------------------


def report_table(report: Report, proofs: Sequence[tuple[str, str, bool]]) -> RenderableType:
    """Every check with its states and worst error, then what was proved."""
    table = new_table(
        f"{report.robot}: verification", "check", "against", "states", "worst error", "tolerance", "", left=2
    )
    for check in _joined(report.checks):
        verdict = Text("ok", style="green") if check.passed else Text("FAILED", style="bold red")
        table.add_row(
            check.name, check.kind, str(check.states), f"{check.error:.1e}", f"{check.tolerance:.0e}", verdict
        )
    if not proofs:
        return table
    proved = new_table(f"{report.robot}: proved in the prime field, as functions", "function", "equals", "", left=3)
    for function, statement, holds in proofs:
        verdict = Text("proved", style="green") if holds else Text("REFUTED", style="bold red")
        proved.add_row(function, statement.removeprefix("= "), verdict)
    return Group(table, proved)


_SINGLE = ": single calls = batch"


def _joined(checks: Sequence[Check]) -> Sequence[Check]:
    """The checks, with those of single calls in one row if all of them passed."""
    single = [check for check in checks if check.name.endswith(_SINGLE)]
    if not single or not all(check.passed for check in single):
        return checks
    worst = max(single, key=lambda check: check.error / check.tolerance)
    name = f"every function{_SINGLE}" if len(single) > 1 else worst.name
    return [*(check for check in checks if check not in single), replace(worst, name=name)]
