"""Doubles of a compiled model → the numbers they stand for.

A double is the decimal of 15 digits that is nearest to it, which is the number that was printed in the file. Angles and
rotations that are multiples of π to the precision of doubles are these multiples. Coarser ones, such as 1.5708 or the
quaternion 0.92388 0 0 0.382683, stay what they are: the compiled model is what such a file means, and dynamics are to
be its own. Those that would take fewer operations as right angles are told. With snapping off a double is the shortest
decimal that reads back as it, and rotations, which MuJoCo keeps as quaternions, have 18 decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import isfinite

import flint

from symgen.algebra.exact import PI, Exact
from symgen.robot.angles import DUST
from symgen.robot.direction import rounded
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.model import Vector
from symgen.robot.numbers import bounded
from symgen.robot.urdf.snap import PARTS, Snapping

DIGITS = 15
RAW_PLACES = 18
"""Decimals of what is worked out from doubles and left as it is."""

EXACT = Fraction(1, 10**11)
"""Angles this close to a multiple of π/12 or π/8 are it and rounding, in rad; forces change by less than 1e-9."""

ROUNDING = 1e-15
"""Lengths that sums of others leave, in m; no word is said of them."""

NEAR = Fraction(1, 10**5)
"""Angles this close to a right one are told, in rad: 3.1416 and quaternions of six digits leave them."""

_BITS = 512
_FEW = 3

Tensor = tuple[Expression, Expression, Expression, Expression, Expression, Expression]


@dataclass
class Meant:
    """What doubles stand for, and which were changed by more than rounding; with `active` off all stay as they are."""

    active: bool = True
    _axes: Snapping = field(init=False)
    _dust: list[tuple[float, str]] = field(default_factory=list)
    _turns: list[tuple[float, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._axes = Snapping(self.active)

    def number(self, value: float) -> Expression:
        """A number as it was printed."""
        return constant(self._decimal(value))

    def _decimal(self, value: float) -> Fraction:
        value = float(value)
        text = f"{value:.{DIGITS - 1}e}" if self.active and isfinite(value) else repr(value)
        return bounded(Decimal(text))

    def length(self, value: float, name: str) -> Expression:
        """A length, without the dust; `name` is whose it is."""
        if self.active and value and abs(value) < DUST:
            if abs(value) > ROUNDING:
                self._dust.append((abs(float(value)), name))
            return ZERO
        return self.number(value)

    def lengths(self, values: Iterable[float], name: str) -> Vector:
        """Three lengths, without the dust in them."""
        x, y, z = (self.length(value, name) for value in values)
        return x, y, z

    def angle(self, value: float) -> Expression:
        """An angle, a multiple of π if it is one to the digits that are there."""
        number = self._decimal(value)
        return constant(_meant(number) if self.active else number)

    def axis(self, values: Iterable[float], name: str) -> Vector:
        """The direction of an axis: its entries' ratios where these are short decimals."""
        exact = [Fraction(float(value)) for value in values]
        if self.active:
            largest = max(map(abs, exact))
            exact = [value if abs(value) > largest * DUST else Fraction(0) for value in exact]
            exact = _short_ratios(exact) or [self._decimal(float(value)) for value in exact]
        else:
            exact = [self._decimal(float(value)) for value in exact]
        x, y, z = map(constant, exact)
        return self._axes.axis((x, y, z), name)

    # rotations -------------------------------------------------------------------------------------

    def rpy(self, quaternion: Sequence[float], name: str) -> Vector:
        """Roll, pitch and yaw of a quaternion w x y z."""
        rows = _rotation(quaternion)
        found = _angles(rows, RAW_PLACES)
        if not self.active:
            return _vector(found)
        upright = abs(abs(found[1]) - PI.midpoint() / 2) < EXACT
        meant = [_meant(angle) for angle in (_upright(rows) if upright else _angles(rows, DIGITS))]
        away = max((_from_right(angle.rational) for angle in meant if angle.rational), default=Fraction(0))
        if away:
            self._turns.append((float(away), name))
        return _vector(meant)

    def tensor(self, moments: Sequence[float], quaternion: Sequence[float]) -> Tensor:
        """xx, yy, zz, xy, xz, yz of principal moments along axes that the quaternion w x y z turns to."""
        rows, diagonal = _rotation(quaternion), [Fraction(float(moment)) for moment in moments]
        largest = max(map(abs, diagonal))
        digits = DIGITS if self.active else RAW_PLACES

        def entry(i: int, j: int) -> Expression:
            value = sum((rows[i][k] * rows[j][k] * diagonal[k] for k in range(3)), Fraction(0))
            return constant(_rounded(value, largest, digits))

        return entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)

    # notices ---------------------------------------------------------------------------------------

    def notices(self) -> Iterator[str]:
        """One line for each number that was read as another."""
        if self._dust:
            names = list(dict.fromkeys(name for _, name in self._dust))
            shown = ", ".join(names[:_FEW]) + (f" and {len(names) - _FEW} more" if len(names) > _FEW else "")
            largest = max(value for value, _ in self._dust)
            yield f"lengths up to {largest:.0e} m are read as 0 ({shown})"
        if self._turns:
            names = list(dict.fromkeys(name for _, name in self._turns))
            shown = ", ".join(names[:_FEW]) + (f" and {len(names) - _FEW} more" if len(names) > _FEW else "")
            largest = max(away for away, _ in self._turns)
            yield (
                f"rotations that have nearly right angles, up to {largest:.0e} rad away, are left as MuJoCo has them "
                f'({shown}); exact ones, such as quat="1 1 0 0" or degrees, would take fewer operations'
            )
        yield from self._axes.notices()


def _short_ratios(values: list[Fraction]) -> list[Fraction] | None:
    """The entries over one of them, if all are then decimals of few places to 14 digits."""
    for unit in sorted({abs(value) for value in values if value}):
        scaled = [Fraction(round(value / unit * 10**4), 10**4) for value in values]
        if all(abs(one - value / unit) < Fraction(1, 10**14) for one, value in zip(scaled, values, strict=True)):
            return scaled
    return None


def _rotation(quaternion: Sequence[float]) -> list[list[Fraction]]:
    """The matrix of a quaternion of any length but 0, exactly."""
    w, x, y, z = (Fraction(float(entry)) for entry in quaternion)
    n = w * w + x * x + y * y + z * z
    return [
        [(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n],
        [2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n],
        [2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n],
    ]


def _angles(rows: list[list[Fraction]], places: int) -> list[Fraction]:
    """Roll, pitch and yaw of a matrix, rounded to so many decimals."""
    with flint.ctx.workprec(_BITS):
        r = [[_ball(entry) for entry in row] for row in rows]
        level = _ball(rows[0][0] ** 2 + rows[1][0] ** 2).sqrt()
        if level.abs_upper() == 0:
            pitch = -flint.arb(rows[2][0].numerator) * flint.arb.pi() / 2
            return [Fraction(0), rounded(pitch, places), rounded(flint.arb.atan2(-r[0][1], r[1][1]), places)]
        angles = [(r[2][1], r[2][2]), (-r[2][0], level), (r[1][0], r[0][0])]
        return [rounded(flint.arb.atan2(y, x), places) for y, x in angles]


def _upright(rows: list[list[Fraction]]) -> list[Fraction]:
    """Roll, pitch and yaw of a matrix that pitches by a right angle, or nearly so: no roll."""
    with flint.ctx.workprec(_BITS):
        yaw = flint.arb.atan2(_ball(-rows[0][1]), _ball(rows[1][1]))
        pitch = flint.arb.atan2(_ball(-rows[2][0]), _ball(rows[0][0] ** 2 + rows[1][0] ** 2).sqrt())
        return [Fraction(0), rounded(pitch, DIGITS), rounded(yaw, DIGITS)]


def _ball(value: Fraction) -> flint.arb:
    return flint.arb(value.numerator) / flint.arb(value.denominator)


def _meant(number: Fraction) -> Exact:
    """The multiple of π that an angle is but for rounding, or itself."""
    for parts in PARTS:
        multiple = PI * Fraction(round(number / PI.midpoint() * parts), parts)
        if abs(multiple.midpoint() - number) < EXACT:
            return multiple
    return Exact.of(number)


def _from_right(angle: Fraction) -> Fraction:
    """How far an angle is from a right one or none, if that is little; else 0."""
    right = PI.midpoint() / 2
    away = abs(angle - round(angle / right) * right)
    return away if away < NEAR else Fraction(0)


def _rounded(value: Fraction, size: Fraction, digits: int) -> Fraction:
    """The value to so many digits of `size`."""
    if not size:
        return Fraction(0)
    scale = digits - 1 - int(f"{float(size):e}".partition("e")[2])
    unit = Fraction(10) ** scale
    return Fraction(round(value * unit)) / unit


def _vector(values: Iterable[Exact | Fraction]) -> Vector:
    x, y, z = map(constant, values)
    return x, y, z
