"""Inverse functions of exact constants: signs, quadrants, and what is decided about the angles they give."""

from fractions import Fraction

import pytest

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import ONE, PI, ZERO
from symgen.algebra.generators import constant_sympy
from symgen.algebra.inverse_functions import acos, asin, atan, atan2
from symgen.algebra.roots import sqrt
from symgen.algebra.zero import is_zero, same

QUADRANTS = [(y, x) for y in (-3, -2, 0, 2, 3) for x in (-3, -2, 0, 2, 3) if x or y]


@pytest.mark.parametrize(("y", "x"), QUADRANTS)
def test_every_octant_keeps_its_direction(y, x):
    c, s = cos_sin(atan2(y, x))
    size = sqrt(x * x + y * y)
    assert (c * size, s * size) == (x, y)
    assert -PI.midpoint() < atan2(y, x).midpoint() <= PI.midpoint()


@pytest.mark.parametrize(("y", "x"), [pair for pair in QUADRANTS if pair[0]])
def test_opposite_directions_differ_by_half_a_turn(y, x):
    assert atan2(y, x) == -atan2(-y, x)
    assert atan2(y, x) - atan2(-y, -x) in (PI, -PI)


def test_hidden_zeros_are_zeros():
    hidden = cos_sin(Fraction(6, 10))[0] - 2 * cos_sin(Fraction(3, 10))[0] ** 2 + 1
    assert is_zero(hidden)
    assert atan2(hidden, 2) == ZERO
    assert atan2(hidden - 1, hidden) == -PI / 2
    assert asin(1 + hidden) == PI / 2


@pytest.mark.parametrize("angle", [atan(PI), asin(sqrt(2) - 1), atan(Fraction(1, 123456789))])
def test_other_angles_are_atoms_whose_double_is_known(angle):
    c, s = cos_sin(angle)
    assert c * c + s * s == ONE
    assert is_zero(cos_sin(angle * 2)[0] - c * c + s * s)
    assert same(c, s) is False


@pytest.mark.parametrize("angle", [atan2(3, 4), acos(Fraction(9, 10)), asin(Fraction(1, 3)), atan(PI)])
def test_sympy_knows_them(angle):
    assert abs(float(constant_sympy(angle)) - float(angle)) < 1e-15
