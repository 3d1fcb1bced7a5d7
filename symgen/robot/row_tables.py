"""Rows of a Denavit-Hartenberg table, standard or modified, checked."""

from __future__ import annotations

from symgen.algebra.exact import Exact
from symgen.robot.angles import read_angle
from symgen.robot.expression import ZERO, Expression
from symgen.robot.findings import Findings, place_of
from symgen.robot.joints import kind_called
from symgen.robot.model import Row
from symgen.robot.schema import LinkTable


def row_of(convention: str, row: LinkTable, index: int, defaults: dict[str, Exact], findings: Findings) -> Row:
    """The row of a link's table; what is wrong with it is noted in `findings`."""
    kind = kind_called(row.joint)
    if row.b is not None and row.d is not None:
        findings.problem(place_of(row, index, "b"), "b and d are two names of the same length along z; give one")
    if convention == "modified" and row.b is not None:
        findings.problem(
            place_of(row, index, "b"),
            "in a modified table the length along the joint's z is called d (Khalil's r); the length along x, his d,"
            " is called a, and the shift along the parent's z, his b, is called before",
        )
    if convention == "standard":
        for key in ("gamma", "before"):
            if getattr(row, key) is not None:
                findings.problem(place_of(row, index, key), "only modified tables have gamma and before (for branches)")
    along = row.b if row.b is not None else row.d
    lengths = ("b", "a constant length") if row.b is not None else ("d", "a constant length")
    key, constant = lengths if kind.stands_for == "b" else ("theta", "a constant turn")
    if kind.stands_for and getattr(row, key) is not None:
        findings.problem(
            place_of(row, index, key),
            f"{key} is the coordinate of a {kind.value} joint; {constant} goes into offset",
        )
    return Row(
        a=row.a or ZERO,
        alpha=angle(row, index, "alpha", defaults, findings),
        b=along or ZERO,
        theta=angle(row, index, "theta", defaults, findings),
        gamma=angle(row, index, "gamma", defaults, findings),
        before=row.before or ZERO,
    )


def angle(row: LinkTable, index: int, key: str, defaults: dict[str, Exact], findings: Findings) -> Expression:
    """The angle under `key`; of a row's angles, only the offset of a joint may hold parameters."""
    expression: Expression = getattr(row, key) or ZERO
    if key == "offset" and not expression.is_constant:
        return expression
    return read_angle(expression, place_of(row, index, key), defaults, findings)
