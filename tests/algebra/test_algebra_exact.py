"""Exact constants: arithmetic, what is seen to be equal, rounding, text."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symgen.algebra.angles import cos_sin, pi_multiple, split_quarter_turns
from symgen.algebra.atoms import LONGEST_NAME
from symgen.algebra.exact import MAX_TERMS, ONE, PI, ZERO, Exact, atom_named
from symgen.algebra.prime import radicands
from symgen.algebra.roots import sqrt
from symgen.errors import LimitError

DIGITS = 80


def of(number) -> Exact:
    return Exact.of(Fraction(number))


def cos(angle) -> Exact:
    return cos_sin(angle)[0]


def sin(angle) -> Exact:
    return cos_sin(angle)[1]


# numbers and their reference values in mpmath --------------------------------------------------------


def _reference(value: Exact) -> mpmath.mpf:
    """The value with mpmath, by its own definition of every atom."""
    total = mpmath.mpf(0)
    for monomial, coefficient in value.terms.items():
        term = mpmath.mpf(coefficient.numerator) / coefficient.denominator
        for name, exponent in monomial:
            term *= _atom(name) ** exponent
        total += term
    return total


def _atom(name: str) -> mpmath.mpf:
    if name == "pi":
        return +mpmath.pi
    kind, _, argument = name.partition("(")
    number = Fraction(argument.removesuffix(")"))
    function = {"sqrt": mpmath.sqrt, "cos": mpmath.cos, "sin": mpmath.sin}[kind]
    return function(mpmath.mpf(number.numerator) / number.denominator)


rationals = st.fractions(-20, 20, max_denominator=50)
leaves = st.one_of(
    rationals.map(Exact.of),
    st.fractions(0, 20, max_denominator=12).map(sqrt),
    st.integers(-30, 30).map(lambda k: cos(PI * Fraction(k, 12))),
    st.fractions(-3, 3, max_denominator=10).map(cos),
    st.fractions(-3, 3, max_denominator=10).map(sin),
    st.just(PI),
)
numbers = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] - pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
    ),
    max_leaves=6,
)


@given(numbers, numbers, numbers)
def test_ring_laws(x, y, z):
    assert x + y == y + x
    assert x * y == y * x
    assert (x + y) + z == x + (y + z)
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x - x == ZERO
    assert x + -x == 0
    assert x * 0 == 0
    assert x * 1 == x
    assert hash(x * y) == hash(y * x)


@given(numbers, numbers)
def test_sums_and_products_have_the_right_value(x, y):
    with mpmath.workdps(DIGITS):
        scale = (1 + abs(_reference(x))) * (1 + abs(_reference(y)))
        for value, expected in (
            (x + y, _reference(x) + _reference(y)),
            (x - y, _reference(x) - _reference(y)),
            (x * y, _reference(x) * _reference(y)),
        ):
            assert abs(_reference(value) - expected) <= scale * mpmath.mpf(10) ** (10 - DIGITS)


@given(numbers)
def test_float_is_the_nearest_double(x):
    with mpmath.workdps(DIGITS):
        reference = _reference(x)
        assert float(x) == float(reference) or abs(reference) < mpmath.mpf(10) ** (20 - DIGITS)


@given(st.fractions())
def test_rationals_round_once(value):
    assert float(Exact.of(value)) == float(value)
    assert Exact.of(value).midpoint() == value
    assert Exact.of(value).rational == value
    assert Exact.of(value) == value
    assert hash(Exact.of(value)) == hash(value)


@given(numbers, numbers)
def test_division_inverts_multiplication_in_value(x, y):
    if not y:
        with pytest.raises(ZeroDivisionError):
            x / y
    else:
        assert float(x / y * y) == pytest.approx(float(x), rel=1e-15, abs=1e-15)


@pytest.mark.parametrize(
    ("value", "inverse"),
    [
        (of(4), of("1/4")),
        (of("-2/3"), of("-3/2")),
        (sqrt(2), sqrt(2) / 2),
        (-3 * sqrt(6), -sqrt(6) / 18),
        (sqrt(of("2/3")), sqrt(6) / 2),
    ],
)
def test_inverse_of_rationals_and_roots_is_closed(value, inverse):
    assert 1 / value == inverse
    assert value * inverse == 1


@pytest.mark.parametrize("value", [PI, 1 + sqrt(2), cos(of("0.3")), sqrt(2) - PI], ids=str)
def test_other_inverses_are_atoms_that_share_their_sign(value):
    assert 1 / -value == -(1 / value)
    assert 1 / value - 1 / value == 0
    assert float(1 / value) == pytest.approx(1 / float(value), rel=1e-15)


def test_a_divisor_that_passes_for_zero_is_refused():
    hidden = cos(of("0.6")) - 2 * cos(of("0.3")) ** 2 + 1
    assert hidden != 0  # the relation of 0.6 and 0.3 is beyond the normal form
    assert float(hidden) == 0.0
    with pytest.raises(ZeroDivisionError):
        1 / hidden


@pytest.mark.parametrize("exponent", range(-3, 6))
def test_powers(exponent):
    assert float((1 + sqrt(2)) ** exponent) == pytest.approx((1 + 2**0.5) ** exponent, rel=1e-14)


# what is seen to be zero -------------------------------------------------------------------------------

ANGLES = [PI * Fraction(k, 12) for k in range(-26, 27)]


@pytest.mark.parametrize("angle", ANGLES, ids=str)
def test_twelfths_of_pi(angle):
    c, s = cos_sin(angle)
    assert c * c + s * s == 1
    with mpmath.workdps(DIGITS):
        turns = mpmath.pi * pi_multiple(angle).numerator / pi_multiple(angle).denominator
        assert abs(_reference(c) - mpmath.cos(turns)) < 1e-70
        assert abs(_reference(s) - mpmath.sin(turns)) < 1e-70
    other = PI / 4
    assert cos(angle + other) == c * cos(other) - s * sin(other)
    assert sin(angle - other) == s * cos(other) - c * sin(other)
    assert cos(2 * angle) == 2 * c * c - 1
    assert sin(2 * angle) == 2 * s * c


@pytest.mark.parametrize("angle", [of("0.7"), PI / 12, PI / 5, of("0.3") + PI / 7, sqrt(2)], ids=str)
@pytest.mark.parametrize("turns", [-5, -1, 0, 1, 2, 3, 8])
def test_opposite_angles_and_quarter_turns_share_their_atoms(angle, turns):
    c, s = cos_sin(angle)
    assert cos_sin(-angle) == (c, -s)
    assert c * c + s * s == 1
    turned = {0: (c, s), 1: (-s, c), 2: (-c, -s), 3: (s, -c)}[turns % 4]
    assert cos_sin(angle + turns * PI / 2) == turned
    quarter_turns, rest = split_quarter_turns(angle + turns * PI / 2)
    assert quarter_turns * PI / 2 + rest == angle + turns * PI / 2
    assert Fraction(-1, 4) <= pi_multiple(rest) < Fraction(1, 4)


ZEROS = {
    "2 sin cos": 2 * sin(PI / 12) * cos(PI / 12) - Fraction(1, 2),
    "nested roots": sqrt(8) - 2 * sqrt(2),
    "product of roots": sqrt(2) * sqrt(3) - sqrt(6),
    "root of a fraction": sqrt(Fraction(1, 2)) - sqrt(2) / 2,
    "root of a square": sqrt(Fraction(49, 64)) - Fraction(7, 8),
    "large roots": sqrt(1_000_003) * sqrt(1_000_003) - 1_000_003,
    "conjugates": (sqrt(3) + 1) * (sqrt(3) - 1) - 2,
    "decimal angle": sin(of("0.7")) ** 2 + cos(of("-0.7")) ** 2 - 1,
    "turned decimal": sin(of("0.7") + PI / 2) - cos(of("0.7")),
    "third power": sin(of("0.2")) ** 3 - sin(of("0.2")) * (1 - cos(of("0.2")) ** 2),
    "irrational cancels": (PI + 1) ** 2 - PI**2 - 2 * PI - 1,
}


@pytest.mark.parametrize("value", ZEROS.values(), ids=ZEROS)
def test_identities(value):
    assert value == 0
    assert not value
    assert float(value) == 0.0


NEAR_MISSES = {
    "tiny rational": Exact.of(Fraction(1, 10**30)),
    "nearly right angle": cos(PI / 2 + Fraction(1, 10**30)),
    "nearly equal cosines": cos(of("0.3")) - cos(of("0.3") + Fraction(1, 10**30)),
    "pi and its decimals": PI - Fraction("3.14159265358979323846264338327950288"),
    "root and its decimals": sqrt(2) - Fraction("1.41421356237309504880168872420969807856967187537694"),
}


@pytest.mark.parametrize("value", NEAR_MISSES.values(), ids=NEAR_MISSES)
def test_near_misses_are_not_zero(value):
    assert value != 0
    assert float(value) != 0.0
    assert 1 / value != 0


@pytest.mark.parametrize("digits", [90, 200, 700])
def test_rounding_survives_cancellation(digits):
    with mpmath.workdps(digits + 50):
        decimals = Fraction(int(mpmath.sqrt(2) * 10**digits), 10**digits)
        expected = float(mpmath.sqrt(2) - mpmath.mpf(decimals.numerator) / decimals.denominator)
    assert float(sqrt(2) - decimals) == expected


def test_cosine_of_a_large_angle():
    with mpmath.workdps(300):
        expected = float(mpmath.cos(mpmath.mpf(10) ** 100))
    assert float(cos(Exact.of(10**100))) == expected


# square roots ------------------------------------------------------------------------------------------


@given(st.fractions(0, 10**6, max_denominator=10**4))
def test_square_of_a_root(value):
    assert sqrt(value) ** 2 == value


@pytest.mark.parametrize("value", [PI, sqrt(2)], ids=str)
def test_root_of_an_irrational_is_a_limit(value):
    with pytest.raises(LimitError, match="rational"):
        sqrt(value)


def test_root_of_a_negative_number():
    with pytest.raises(ValueError, match="negative"):
        sqrt(Fraction(-1, 4))


def test_root_of_zero():
    assert sqrt(0) == ZERO


# text and limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (ZERO, "0"),
        (ONE, "1"),
        (of("-0.432"), "-0.432"),
        (of("1/3"), "1/3"),
        (of("0.000000000001"), "0.000000000001"),
        (of("1/4096"), "0.000244140625"),
        (of("1/8192"), "1/8192"),
        (PI, "pi"),
        (-PI / 2, "-pi/2"),
        (PI * Fraction(2, 3), "2*pi/3"),
        (sqrt(2) / 2, "sqrt(2)/2"),
        (1 - sqrt(2), "1 - sqrt(2)"),
        (PI**2, "pi**2"),
        (of(100), "100"),
    ],
)
def test_plain_text(value, text):
    assert value.plain() == text


def test_too_many_terms_become_an_atom_of_the_same_value():
    total = sum((cos(Fraction(k, 1000)) for k in range(1, MAX_TERMS + 10)), ZERO)
    assert len(total.terms) < MAX_TERMS
    with mpmath.workdps(40):
        expected = sum(mpmath.cos(mpmath.mpf(k) / 1000) for k in range(1, MAX_TERMS + 10))
    assert float(total) == float(expected)
    assert total - total == 0


class Other:
    """A scalar of another kind, which knows exact constants."""

    def __radd__(self, other):
        return "their sum"

    def __rmul__(self, other):
        return "their product"

    def __rtruediv__(self, other):
        return "their quotient"


@pytest.mark.parametrize("value", [ONE, PI], ids=str)
def test_scalars_of_other_kinds_have_their_say(value):
    assert value + Other() == "their sum"
    assert value * Other() == "their product"
    assert value / Other() == "their quotient"
    with pytest.raises(TypeError):
        value + 0.5


def test_sorted_terms_do_not_depend_on_the_order_of_summation():
    parts = [sqrt(2), PI, cos(of("0.3")), of("0.5"), sqrt(3) * PI]
    sums = [sum(parts[k:] + parts[:k], ZERO) for k in range(len(parts))]
    assert all(str(a) == str(b) and a == b for a, b in pairwise(sums))


# constants in constants -------------------------------------------------------------------------------------


def test_constants_of_many_terms_may_stand_in_one_another():
    """Names, roots and digits cost no more with each level, as along joints that do not turn their links."""
    x, y = (cos(Fraction(k, 10)) + sin(Fraction(k, 7)) * sqrt(k + 4) for k in (1, 2))
    levels = 0
    for k in range(60):
        x, y = x * y + cos(Fraction(k, 11)), y * y - x
        names = {name for value in (x, y) for monomial in value.terms for name, _ in monomial}
        values = [name for name in names if atom_named(name).kind == "value"]
        levels += bool(values)
        assert max(map(len, names)) < LONGEST_NAME + 100
        scale = Fraction(2) ** int(mpmath.log(1 + abs(float(x)) + abs(float(y)), 2))
        x, y = x / scale, y / scale
    assert levels > 10
    assert radicands([x, y]) == {2, 3, 5}
