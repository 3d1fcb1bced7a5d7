"""Dual numbers: derivatives of formulas, against the rules of calculus in exact fractions and in floating point."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symgen.algebra.domain import Exacts, Floats
from symgen.algebra.duals import Dual, Duals
from symgen.algebra.exact import Exact

NUMBERS = st.fractions(-10, 10, max_denominator=20)


def exact(value):
    return Exact.of(value)


@given(NUMBERS, NUMBERS, NUMBERS, NUMBERS)
def test_products_and_quotients(a, da, b, db):
    x, y = Dual(exact(a), exact(da)), Dual(exact(b), exact(db))
    product, difference = x * y, x - y
    assert (product.value, product.slope) == (a * b, da * b + a * db)
    assert (difference.value, difference.slope) == (a - b, da - db)
    assert ((-x + 2).value, (3 - x).slope, (2 * x).slope) == (2 - a, -da, 2 * da)
    if b:
        numbers = Dual(float(a), float(da)) / Dual(float(b), float(db))
        assert numbers.value == pytest.approx(float(a / b))
        assert numbers.slope == pytest.approx(float((da * b - a * db) / (b * b)), rel=1e-9, abs=1e-9)


def test_functions_of_angles_and_rates():
    inputs = {"q": [0.3, -0.7], "qd": [0.4, 2.0]}
    duals = Duals(Floats(inputs), {("q", 1): 1.0, ("qd", 0): 2.0})
    c, s = duals.cos_sin(1, exact(Fraction(1, 2)))
    assert (c.value, c.slope) == pytest.approx((np.cos(-0.2), -np.sin(-0.2)))
    assert (s.value, s.slope) == pytest.approx((np.sin(-0.2), np.cos(-0.2)))
    still, _ = duals.cos_sin(0, exact(0))
    assert still.slope == 0
    rate = duals.variable("qd", 0)
    smooth, sign = duals.tanh(rate), duals.sign(rate)
    assert (smooth.value, smooth.slope) == pytest.approx((np.tanh(0.4), 2 / np.cosh(0.4) ** 2))
    assert (sign.value, sign.slope) == (1, 0)
    arc, root = duals.atan(rate), duals.sqrt(rate)
    assert (arc.value, arc.slope) == pytest.approx((np.arctan(0.4), 2 / 1.16))
    assert (root.value, root.slope) == pytest.approx((np.sqrt(0.4), 1 / np.sqrt(0.4)))
    c2, s2 = duals.compose((c, s), duals.circle(rate))
    assert (c2.value, s2.value) == pytest.approx((np.cos(0.2), np.sin(0.2)))
    assert (c2.slope, s2.slope) == pytest.approx((-3 * np.sin(0.2), 3 * np.cos(0.2)))


def test_constants_and_parameters_stay():
    duals = Duals(Floats({"q": [1.0]}, {"m": 2.0}), {("q", 0): 1.0})
    assert duals.constant(3).slope == duals.parameter("m").slope == 0
    assert duals.constant(0).is_zero
    assert not duals.variable("q", 0).is_zero
    assert duals.define("x", duals.variable("q", 0)).slope == 1
    assert Duals(Exacts(), {}).constant(Fraction(1, 3)).value == Fraction(1, 3)
    with pytest.raises(TypeError):
        duals.constant(1) + "1"
