"""Angles of a table: what stands for a multiple of pi/12 is read as it, and what looks like a slip is warned of."""

from __future__ import annotations

from fractions import Fraction

from symgen.algebra.angles import pi_multiple
from symgen.algebra.exact import PI, Exact
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.findings import Findings

DUST = Fraction(1, 10**12)
"""An angle this close to a multiple of pi/12 is that multiple and rounding, in rad."""

MIN_DIGITS, MAX_DIGITS = 4, 16

NEARLY_RIGHT = 3e-3
"""An angle this close to a right one, in rad, was probably meant to be it."""


def read_angle(expression: Expression, place: str, defaults: dict[str, Exact], findings: Findings) -> Expression:
    """A constant angle, at the parameters' default values; see `meant_multiple` for what it is read as."""
    if findings.about(place):
        return ZERO
    if not expression.is_constant:
        findings.notice(place, "angles are numeric; the parameters' default values are used")
    value = expression.constant(defaults)
    snapped = meant_multiple(value) if findings.snap else None
    if snapped is not None:
        findings.notice(place, f"{_brief(value)} is read as {snapped.plain()}")
        return constant(snapped)
    quarters = round(float(value) / float(PI) * 2)
    right = PI * Fraction(quarters, 2)
    if value != right and quarters and abs(float(value - right)) < NEARLY_RIGHT:
        findings.notice(
            place, f'{_brief(value)} is close to {right.plain()} but is not it; write "pi/2" for a right angle'
        )
    elif not pi_multiple(value) and abs(float(value)) > 2 * float(PI):
        findings.notice(
            place, f'{_brief(value)} rad is more than a full turn; angles are in radians: write "pi/2" for 90 degrees'
        )
    return constant(value)


def meant_multiple(value: Exact, parts: tuple[int, ...] = (12,)) -> Exact | None:
    """The multiple of π over one of `parts` that `value` stands for, if it is not one.

    It stands for it if it is within `DUST`, or if it is a decimal with `MIN_DIGITS` digits after the point, or more,
    all of them the multiple's (rounded or cut off).
    """
    multiples = [PI * Fraction(round(float(value) / float(PI) * part), part) for part in parts]
    if value in multiples:
        return None
    return next((multiple for multiple in multiples if _stands_for(value, multiple)), None)


def _stands_for(value: Exact, multiple: Exact) -> bool:
    if abs((value - multiple).midpoint()) < DUST:
        return True
    number = value.rational
    if number is None or not multiple:
        return False
    for digits in range(MIN_DIGITS, MAX_DIGITS):
        scaled = number * 10**digits
        if scaled.denominator == 1:
            wanted = multiple.midpoint() * 10**digits
            return scaled in (round(wanted), int(wanted))
    return False


def _brief(value: Exact) -> str:
    text = value.plain()
    return text if len(text) <= 20 else repr(float(value))
