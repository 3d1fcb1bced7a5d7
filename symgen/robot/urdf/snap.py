"""Printed numbers → what they stand for: angles that are multiples of π, axes along coordinate axes and such angles.

Lengths below a picometre are rounding and 0.

A number stands for another if it is that one, rounded or cut off, to all the digits printed, or within rounding of a
double. What is changed is kept, to be told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import asin, atan2, hypot, pi

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import PI, Exact
from symgen.robot.angles import DUST, MIN_DIGITS, meant_multiple
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.model import Vector

PARTS = (12, 8)
"""Angles may stand for multiples of π over these."""

_FEW = 3


@dataclass
class Snapping:
    """What numbers stand for, and which were changed; with `active` off all stay as they are."""

    active: bool = True
    changes: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    _sizes: dict[tuple[str, str], float] = field(default_factory=dict)

    def angles(self, rpy: Vector, name: str) -> Vector:
        """Angles as what they stand for; `name` is whose they are."""
        roll, pitch, yaw = (self._angle(angle, name) for angle in rpy)
        return roll, pitch, yaw

    def _angle(self, angle: Expression, name: str) -> Expression:
        value = angle.constant({})
        meant = meant_multiple(value, PARTS) if self.active else None
        if meant is None:
            return angle
        self._note(_printed(value), meant.plain(), float(value - meant), name)
        return constant(meant)

    def lengths(self, vector: Vector, name: str) -> Vector:
        """Lengths without the dust in them."""
        x, y, z = (self._length(entry, name) for entry in vector)
        return x, y, z

    def _length(self, entry: Expression, name: str) -> Expression:
        value = entry.constant({})
        if not self.active or not value or abs(value.midpoint()) >= DUST:
            return entry
        self._note(_printed(value), "0", float(value), name)
        return ZERO

    def axis(self, axis: Vector, name: str) -> Vector:
        """An axis as what it stands for: without the dust in it, and along a known direction if it is printed so."""
        if not self.active:
            return axis
        values = [entry.constant({}) for entry in axis]
        largest = max(abs(value.midpoint()) for value in values)
        clean = [Exact.of(0) if abs(value.midpoint()) < largest * DUST else value for value in values]
        meant = _known_direction(clean)
        result = clean if meant is None else meant
        if result != values:
            size = max(abs(float(one - other)) for one, other in zip(result, values, strict=True))
            self._note(_shown(values, _printed), _shown(result, Exact.plain), size, name)
        x, y, z = map(constant, result)
        return x, y, z

    def _note(self, printed: str, meant: str, change: float, name: str) -> None:
        self.changes.setdefault((printed, meant), []).append(name)
        self._sizes[printed, meant] = abs(change)

    def notices(self) -> Iterable[str]:
        """One line for each number that was read as another."""
        for (printed, meant), names in self.changes.items():
            unique = list(dict.fromkeys(names))
            shown = ", ".join(unique[:_FEW]) + (f" and {len(unique) - _FEW} more" if len(unique) > _FEW else "")
            yield f"{printed} is read as {meant}, {self._sizes[printed, meant]:.0e} away ({shown})"


def _known_direction(values: list[Exact]) -> list[Exact] | None:
    """The unit vector at known angles that the entries are printed digits of; None if they are not, or lie on an axis.

    Entries of equal size are the direction they say already.
    """
    numbers = [value.midpoint() for value in values]
    sizes = {abs(number) for number in numbers if number}
    x, y, z = map(float, numbers)
    if len(sizes) < 2 or abs(hypot(x, y, z) - 1) > 10.0**-MIN_DIGITS:
        return None
    for parts in PARTS:
        azimuth, height = (
            PI * Fraction(round(angle / pi * parts), parts) for angle in (atan2(y, x), asin(max(-1, min(1, z))))
        )
        (ca, sa), (ch, sh) = cos_sin(azimuth), cos_sin(height)
        exact = [ca * ch, sa * ch, sh]
        if all(map(_is_printed, numbers, exact)):
            return exact
    return None


def _is_printed(number: Fraction, exact: Exact) -> bool:
    """Whether the number is the exact one, rounded or cut off after at least `MIN_DIGITS` digits."""
    if not exact or abs(number - exact.midpoint()) < DUST:
        return abs(number - exact.midpoint()) < DUST
    if number.denominator == 1:
        return number == exact.rational
    digits = next((d for d in range(MIN_DIGITS, 30) if (number * 10**d).denominator == 1), 30)
    wanted = exact.midpoint() * 10**digits
    return number * 10**digits in (round(wanted), int(wanted))


def _printed(value: Exact) -> str:
    text = value.plain()
    return text if len(text) <= 24 else repr(float(value))


def _shown(values: list[Exact], text: Callable[[Exact], str]) -> str:
    return f"({', '.join(text(value) for value in values)})"
