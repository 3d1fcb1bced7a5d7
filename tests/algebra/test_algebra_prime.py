"""The prime field: constants and angles keep every relation that a fingerprint relies on."""

import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import PI, Exact
from symgen.algebra.inverse_functions import acos, asin, atan2
from symgen.algebra.prime import PrimeField, radicands
from symgen.algebra.roots import sqrt
from symgen.algebra.zero import is_zero
from symgen.errors import InternalError, LimitError

SEEDS = (1, 2, 3)

constants = st.recursive(
    st.one_of(
        st.fractions(-9, 9, max_denominator=30).map(Exact.of),
        st.fractions(0, 9, max_denominator=8).map(sqrt),
        st.integers(-30, 30).map(lambda k: cos_sin(PI * Fraction(k, 12))[0]),
        st.decimals(-3, 3, places=3).map(lambda angle: cos_sin(Fraction(angle))[1]),
        st.just(PI),
    ),
    lambda inner: st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1] + pair[0]),
    max_leaves=5,
)
angles = st.one_of(
    st.decimals(-7, 7, places=4).map(lambda value: Exact.of(Fraction(value))),
    st.integers(-40, 40).map(lambda k: PI * Fraction(k, 12)),
)


@given(constants, constants, st.sampled_from(SEEDS))
def test_constants_map_by_a_homomorphism(x, y, seed):
    field = PrimeField(radicands([x, y]), seed)
    assert field.constant(x + y) == field.constant(x) + field.constant(y)
    assert field.constant(x - y) == field.constant(x) - field.constant(y)
    assert field.constant(x * y) == field.constant(x) * field.constant(y)
    assert field.constant(-x) == -field.constant(x)
    if y:
        assert field.constant(x / y) == field.constant(x) / field.constant(y)


@given(angles, angles)
def test_constant_angles_form_a_group(a, b):
    field = PrimeField()
    point = field.constant_point
    assert field.composed(point(a), point(b)) == point(a + b)
    assert field.opposite(point(a)) == point(-a)
    assert field.composed(point(a), point(-a)) == (1, 0)


@pytest.mark.parametrize(
    ("whole", "part", "times"),
    [("0.6", "0.3", 2), ("2.1", "-0.7", -3), ("1", "0.001", 1000), ("0.000000000004", "0.000000000002", 2)],
)
def test_dependent_decimal_angles(whole, part, times):
    field = PrimeField()
    multiple = field.multiple(field.constant_point(Exact.of(Fraction(part))), times)
    assert multiple == field.constant_point(Exact.of(Fraction(whole)))


@given(st.integers(0, 2**61), st.integers(0, 2**61), st.integers(-50, 50), st.integers(-50, 50))
def test_circle_points_form_a_group(first, second, m, n):
    field = PrimeField()
    x, y = field.value_point(first), field.value_point(second)
    assert (x[0] ** 2 + x[1] ** 2) % field.p == 1
    assert field.composed(x, y) == field.composed(y, x)
    assert field.composed(x, (1, 0)) == x
    assert field.composed(x, field.opposite(x)) == (1, 0)
    assert field.composed(field.multiple(x, m), field.multiple(x, n)) == field.multiple(x, m + n)
    assert field.multiple(field.multiple(x, m), n) == field.multiple(x, m * n)


@pytest.mark.parametrize("offset", [0, "0.3", "-2.5"])
@pytest.mark.parametrize("turns", [-1, 0, 1, 2])
def test_joint_angles(offset, turns):
    field = PrimeField()
    angle = Exact.of(Fraction(offset)) + turns * PI / 2
    c, s = field.cos_sin(1, angle)
    assert c * c + s * s == field.constant(1)
    c0, s0 = field.cos_sin(1, Exact.of(0))
    co, so = (field.constant(value) for value in cos_sin(angle))
    assert c == c0 * co - s0 * so
    assert s == s0 * co + c0 * so


TURNS = [PI * Fraction(2 * k, order) for order in (5, 7, 8, 9, 16, 24, 360) for k in range(1, order // 2)]


@given(st.lists(st.tuples(st.integers(-3, 3), st.sampled_from(TURNS)), min_size=2, max_size=4), st.sampled_from(SEEDS))
def test_relations_between_fractions_of_a_turn_hold(terms, seed):
    """Products of cosines and sines by the addition theorems, which constants do not apply."""
    field = PrimeField(seed=seed)
    angle = sum((factor * turn for factor, turn in terms), Exact.of(0))
    c, s = 1, 0
    for factor, turn in terms:
        for _ in range(abs(factor)):
            cosine, sine = map(field.image, cos_sin(turn if factor > 0 else -turn))
            c, s = (c * cosine - s * sine) % field.p, (s * cosine + c * sine) % field.p
    assert (c, s) == tuple(map(field.image, cos_sin(angle)))


def cosine(*turn):
    return cos_sin(2 * PI * Fraction(*turn))[0]


def sine(*turn):
    return cos_sin(2 * PI * Fraction(*turn))[1]


@pytest.mark.parametrize(
    "zero",
    [
        cosine(1, 36) - sine(1, 18) - sine(1, 9),
        cosine(1, 10) - (1 + sqrt(5)) / 4,
        sine(1, 7) + sine(2, 7) + sine(4, 7) - sqrt(7) / 2,
        sine(1, 9) * sine(2, 9) * sine(4, 9) - sqrt(3) / 8,
        2 * cosine(1, 16) * cosine(1, 16) - 1 - sqrt(2) / 2,
        2 * sine(1, 16) * cosine(1, 16) - sqrt(2) / 2,
        4 * cosine(1, 5) + 1 - sqrt(5),
    ],
)
def test_what_is_zero_for_regular_polygons_is_zero(zero):
    assert is_zero(zero)
    for seed in SEEDS:
        assert PrimeField(radicands([zero]), seed).image(zero) == 0


def test_field_arithmetic():
    field = PrimeField()
    x, y = field.variable("q", 0), field.parameter("m")
    assert (x + y) - y == x
    assert (x * y) / y == x
    assert 1 / (1 / x) == x
    assert 2 - x == -(x - 2)
    assert Fraction(1, 2) * x + x / 2 == x
    assert (x - x).is_zero
    assert len({x + y, y + x}) == 1


def test_inputs_parameters_and_seeds_are_independent():
    fields = [PrimeField(seed=seed) for seed in SEEDS]
    elements = [
        element
        for field in fields
        for element in (field.variable("q", 0), field.variable("q", 1), field.variable("qd", 0), field.parameter("q"))
    ]
    assert len({element.value for element in elements}) == len(elements)


@pytest.mark.parametrize("divide", [lambda f: f.constant(1) / f.constant(0), lambda f: f.inverse(f.p)])
def test_division_by_zero(divide):
    with pytest.raises(ZeroDivisionError, match="identically zero"):
        divide(PrimeField())


@pytest.mark.parametrize("number", [5, 7, 11, 13, 1_000_003])
def test_square_roots_exist_where_they_were_announced(number):
    field = PrimeField(radicands([sqrt(number)]))
    root = field.constant(sqrt(number))
    assert root * root == field.constant(number)


def test_a_square_root_that_was_not_announced_is_an_error():
    field = PrimeField()
    missing = next(n for n in (5, 7, 11, 13, 17) if pow(n, (field.p - 1) // 2, field.p) != 1)
    with pytest.raises(InternalError, match=f"square root of {missing}"):
        field.constant(sqrt(missing))


def test_radicands_inside_atoms_are_found():
    assert radicands([1 / (1 + sqrt(15)), PI]) == {3, 5}


_SCRIPT = """
from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import Exact, PI
from symgen.algebra.roots import sqrt
from symgen.algebra.zero import is_zero
from symgen.algebra.inverse_functions import acos, asin, atan2
from symgen.algebra.prime import PrimeField
values = [cos_sin(Exact.of(3) / 10)[0], sqrt(6), PI, 1 / (1 + sqrt(2)), cos_sin(PI / 5)[1]]
field = PrimeField()
print([field.constant(value).value for value in (values if {order} else values[::-1])][::1 if {order} else -1])
print(field.cos_sin(0, Exact.of(1))[0].value, field.parameter("m").value, field.p)
"""


def test_images_depend_on_neither_order_nor_hash_seed():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _SCRIPT.format(order=order)],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for order, hash_seed in ((True, "0"), (False, "1"), (True, "12345"))
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("count", [12, 13, 20, 24])
def test_a_field_has_many_square_roots(count):
    primes = [number for number in range(2, 200) if all(number % divisor for divisor in range(2, number))][:count]
    field = PrimeField(frozenset(primes))
    assert field.p < 2**61
    assert all(pow(field.image(sqrt(prime)), 2, field.p) == prime for prime in primes)


def test_more_square_roots_than_a_field_can_have_are_refused():
    primes = [number for number in range(2, 600) if all(number % divisor for divisor in range(2, number))]
    with pytest.raises(LimitError, match="109 independent square roots"):
        PrimeField(frozenset(primes), bits=18)


@pytest.mark.parametrize(
    "angle", [atan2(1, 2), asin(Fraction(1, 3)) * 2 + PI / 7, acos(Fraction(2, 7)) - Fraction(3, 10)]
)
def test_angles_given_by_ratios_are_exact_points(angle):
    field = PrimeField(radicands([angle]))
    c, s = cos_sin(angle)
    assert field.constant_point(angle) == (field.image(c), field.image(s))
    assert field.composed(field.constant_point(angle), field.constant_point(-angle)) == (1, 0)
