"""Tables of operation counts for the terminal, beside the literature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.table import Table

from symgen.display.published import FORWARD_DYNAMICS, GENERATORS, INVERSE_DYNAMICS
from symgen.display.tables import grid_table, new_table
from symgen.program.counts import Counts, counts_grid


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
