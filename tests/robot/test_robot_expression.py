"""Numbers of robot files: taken exactly, and nothing but arithmetic is understood."""

import ast
import math
from decimal import Decimal
from fractions import Fraction

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import ONE, PI
from symgen.robot.expression import MAX_TEXT, checked_value, parse
from symgen.robot.linear import Linear, same
from symgen.robot.placement import turned_vector

EXACT = [
    (0.432, Fraction(54, 125)),
    (Decimal("0.432"), Fraction(54, 125)),
    ("0.432", Fraction(54, 125)),
    (3, 3),
    (" -1.5e-3 ", Fraction(-3, 2000)),
    (".5", Fraction(1, 2)),
    ("1/3", Fraction(1, 3)),
    ("2**-3", Fraction(1, 8)),
    ("-2**2", -4),
    ("+(1 - 2*3)/4", Fraction(-5, 4)),
    ("sqrt(2)**2", 2),
    ("sqrt(9/4)", Fraction(3, 2)),
    ("sin(pi/6)", Fraction(1, 2)),
    ("cos(0.3)**2 + sin(0.3)**2", 1),
    ("(((((((((1)))))))))", 1),
    ("-0", 0),
    ("1e100", 10**100),
    ("0e99999999999999999999", 0),
    (Decimal("0e5000000"), 0),
    ("sin(atan2(0.6, -0.8))", Fraction(3, 5)),
    ("cos(atan2(0.6, -0.8))", Fraction(-4, 5)),
    ("cos(2*atan(3/4))", Fraction(7, 25)),
    ("cos(atan(1/2) + atan(1/3))**2", Fraction(1, 2)),
    ("sin(asin(0.987654321))", Fraction(987654321, 10**9)),
    ("cos(acos(-1/7) + pi) - 1/7", 0),
    ("acos(0.6) + asin(0.6) - pi/2", 0),
    ("atan(-3) + atan2(3, 1)", 0),
    ("asin(sin(3)) - (pi - 3)", 0),
    ("acos(cos(0.3))", Fraction(3, 10)),
    ("0.1 + 0.2 - 0.3", 0),
]


@pytest.mark.parametrize(("value", "expected"), EXACT)
def test_numbers_are_exact(value, expected):
    assert parse(value).constant({}) == expected


@pytest.mark.parametrize(("text", "cosine", "sine"), [("-pi/2", 0, -1), ("pi", -1, 0), ("3*pi/2", 0, -1), ("0", 1, 0)])
def test_right_angles_have_no_dust(text, cosine, sine):
    assert cos_sin(parse(text).constant({})) == (cosine, sine)


def test_pi_is_pi():
    assert parse("pi").constant({}) == PI
    assert float(parse("pi/4").constant({})) == math.pi / 4


KNOWN_ANGLES = [
    ("atan2(1, 1)", Fraction(1, 4)),
    ("atan2(1, -1)", Fraction(3, 4)),
    ("atan2(-2, 0)", Fraction(-1, 2)),
    ("atan2(0, -3)", 1),
    ("atan2(-0.0, 3)", 0),
    ("atan2(sqrt(3), -1)", Fraction(2, 3)),
    ("atan(2 - sqrt(3))", Fraction(1, 12)),
    ("asin(1/2)", Fraction(1, 6)),
    ("asin(-1)", Fraction(-1, 2)),
    ("acos(0)", Fraction(1, 2)),
    ("acos(-sqrt(2)/2)", Fraction(3, 4)),
    ("acos((sqrt(5) - 1)/4)", Fraction(2, 5)),
    ("asin(cos(pi/7))", Fraction(5, 14)),
]


@pytest.mark.parametrize(("text", "multiple"), KNOWN_ANGLES)
def test_angles_that_are_multiples_of_pi_are_known(text, multiple):
    assert parse(text).constant({}) == PI * multiple


@given(st.fractions(-50, 50, max_denominator=200), st.fractions(-50, 50, max_denominator=200))
def test_angles_of_rational_directions_are_exact(y, x):
    if not (x or y):
        return
    angle = parse(f"atan2({y}, {x})").constant({})
    assert math.isclose(float(angle), math.atan2(y, x), rel_tol=1e-15)
    c, s = cos_sin(angle)
    assert c * c + s * s == 1
    assert abs(float(c * y - s * x)) < 1e-14
    assert float(c * x + s * y) > 0
    radicand = (x * x + y * y).numerator * (x * x + y * y).denominator
    if radicand < 10**6:
        assert c * y == s * x


_RATIOS = st.fractions(-1, 1, max_denominator=10**9)


@given(_RATIOS)
def test_sines_and_cosines_are_inverted_exactly(ratio):
    sine, cosine = (parse(f"{name}({ratio})").constant({}) for name in ("asin", "acos"))
    assert sine + cosine == PI / 2
    assert cos_sin(sine)[1] == cos_sin(cosine)[0] == ratio
    with flint.ctx.workprec(300):
        assert float(sine) == float(flint.arb(flint.fmpq(ratio.numerator, ratio.denominator)).asin())
    assert -PI.midpoint() / 2 <= sine.midpoint() <= PI.midpoint() / 2


_OF_RATIOS = ["asin(R)", "acos(R)", "atan(R)", "atan2(R, -2)", "2*asin(R) - pi/7", "atan(pi*R)", "asin(R/pi)"]


@given(st.sampled_from(_OF_RATIOS), _RATIOS)
def test_angles_given_by_ratios_read_back(text, ratio):
    expression = parse(text.replace("R", f"({ratio})"))
    assert parse(str(expression)) == expression


@pytest.mark.parametrize("text", ["atan(pi)", "asin(sqrt(2) - 1)", "atan2(1 + sqrt(2), sqrt(7))", "atan(0.123456789)"])
def test_other_angles_are_right_to_the_last_digit_and_keep_the_circle(text):
    angle = parse(text).constant({})
    value = eval(text, vars(math).copy())
    assert math.isclose(float(angle), value, rel_tol=4e-16)
    c, s = cos_sin(angle * 3 + PI / 5)
    assert c * c + s * s == 1
    assert math.isclose(float(s), math.sin(3 * value + math.pi / 5), rel_tol=1e-14)


def test_functions_of_parameters_follow_their_values():
    expression = parse("atan2(y, 0.8)*acos(y)")
    assert str(expression) == "atan2(y, 0.8)*acos(y)"
    assert expression.constant({"y": ONE * Fraction(3, 5)}) == parse("atan2(3, 4)*acos(0.6)").constant({})
    with pytest.raises(ValueError, match="between"):
        checked_value(expression, {"y": ONE * 2})


def test_symbols_are_found_and_put_in():
    expression = parse("L1 + L2*(L1 - 1)/2")
    assert set(expression.symbols()) == {"L1", "L2"}
    assert expression.constant({"L1": PI, "L2": PI * 0}) == PI


REFUSED = [
    ("__import__('os').system('id')", "has no place"),
    ("__import__(os)", "are allowed"),
    ("eval(1)", "are allowed"),
    ("pi.__class__", "are allowed"),
    ("(1).real", "are allowed"),
    ("lambda_()()", "are allowed"),
    ("L(1)", "are allowed"),
    ("tan(1)", "are allowed"),
    ("sqrt()", "sqrt takes a number, found 0 arguments$"),
    ("1 if 1 else 2", "are allowed"),
    ("1if 1 else 2", "are allowed"),
    ("1 and 2", "are allowed"),
    ("not 1", "are allowed"),
    ("3//2", "are allowed"),
    ("()", "are allowed"),
    ("sqrt(*L)", "are allowed"),
    ("sqrt(2, 3)", "sqrt takes a number, found 2 arguments; write a point before the decimals"),
    ("sqrt(2,)*tan(1)", "are allowed"),
    ("atan2(1)", "atan2 takes y and x, found 1 arguments$"),
    ("atan2(0,6, -0,8)", "atan2 takes y and x, found 4 arguments; write a point"),
    ("atan2(0, 0)", "has no value"),
    ("atan2(sin(pi), 1 - 1)", "has no value"),
    ("atan2(cos(0.6) - 2*cos(0.3)**2 + 1, 0)", "has no value"),
    ("asin(1.0000001)", "between -1 and 1"),
    ("acos(-2)", "between -1 and 1"),
    ("acos(pi)", "between -1 and 1"),
    ("atan(1e-60)*1e-60", "out of bounds"),
    ("L, 1", "write a point"),
    ("(x:=1)", "has no place"),
    ("[1][0]", "has no place"),
    ("{}", "has no place"),
    ("1<2", "has no place"),
    ("1;1", "has no place"),
    ("1 # one", "has no place"),
    ("1\n+1", "has no place"),
    ("1\x00", "has no place"),
    ("f'{1}'", "has no place"),
    ("3%2", "has no place"),
    ("2^3", "write [*][*] for a power"),
    ("0,5", "write a point"),
    ("π/2", "write pi"),
    ("90°", "radians"),
    ("１２", "has no place"),
    ("ｐｉ", "has no place"),
    ("", "not an expression"),
    ("  ", "not an expression"),
    ("90deg", "not an expression"),
    ("1 +", "not an expression"),
    ("*L", "not an expression"),
    ("for", "not an expression"),
    ("...", "found Ellipsis"),
    ("True", "found True"),
    ("None", "found None"),
    ("1j", "found 1j"),
    ("0x10", "'0x10' is not a plain decimal"),
    ("0o17", "'0o17' is not a plain decimal"),
    ("0b1", "'0b1' is not a plain decimal"),
    ("1_000", "'1_000' is not a plain decimal"),
    ("9**9**9", "exponent"),
    ("10**400", "exponent"),
    ("2**0.5", "exponent"),
    ("2**L", "exponent"),
    ("2**-99", "exponent"),
    ("1/0", "divides by zero"),
    ("1/(2 - 2)", "divides by zero"),
    ("1/sin(0)", "divides by zero"),
    ("1/cos(pi/2)", "divides by zero"),
    ("1/(sin(1)**2 + cos(1)**2 - 1)", "divides by zero"),
    ("0**-1", "divides by zero"),
    ("sqrt(-1)", "negative"),
    ("sqrt(sqrt(2))", "rational"),
    ("((10**16)**16)**16", "out of bounds"),
    ("1e-200", "out of bounds"),
    ("1e400", "out of bounds"),
    ("1e99999999999999999999", "out of bounds"),
    ("1e5000000", "the number 1e[+]5000000 is out of bounds"),
    ("-1.5e-5000000", "the number -1e-5000000 is out of bounds"),
    ("1 + 1e5000000", "out of bounds"),
    ("1e-99999999999999999999", "out of bounds"),
    ("1" + "0" * 450, "out of bounds"),
    ("1e-60**2", "out of bounds"),
    ("1/(1e60*1e60)", "out of bounds"),
    ("(((1.0000000000001**16)**16)**16)**16", "too many digits"),
    ("cos(" * 41 + "1" + ")" * 41, "levels of nesting"),
    ("٣", "has no place"),
    ("(" * 250 + "1" + ")" * 250, "at most 500"),
    ("1+" * 50_000 + "1", "100001 characters; at most 500"),
    ("-" * 400 + "1", "levels of nesting"),
    ("1+" * 200 + "1", "levels of nesting"),
    ("*".join(f"(1 + sin({i}) + cos({i}))**16" for i in (2, 3, 5, 7)), "too complicated"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=[text[:30] for text, _ in REFUSED])
def test_everything_else_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        parse(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "the boolean true"),
        (float("nan"), "finite"),
        (float("-inf"), "finite"),
        (Decimal("Infinity"), "finite"),
        (Decimal("1e999"), "out of bounds"),
        (Decimal("1e5000000"), "out of bounds"),
        (Decimal("-1e-5000000"), "out of bounds"),
        (Decimal("0." + "3" * 501), "501 digits; at most 500"),
        (1 << 10_000, "an integer of 10001 bits"),
        ([1], "an array"),
        ({}, "a table"),
        (None, "nothing"),
        (b"1", "a bytes"),
        (1j, "a complex"),
    ],
)
def test_other_kinds_are_named(value, words):
    with pytest.raises(ValueError, match=words):
        parse(value)


def test_values_are_checked_at_the_defaults():
    with pytest.raises(ZeroDivisionError):
        checked_value(parse("1/L"), {"L": PI * 0})
    with pytest.raises(ValueError, match="out of bounds"):
        checked_value(parse("L**16"), {"L": PI * 10**60})


@given(st.text(alphabet="0123456789.,+-*/() piesqrtcnaoLx_'\"#^,[]{}:=!%&|~<>@\\\n\t ", max_size=40))
def test_any_text_gives_a_number_or_a_reason(text):
    names = _symbols(text)
    if names:
        assert len(text.strip()) <= MAX_TEXT
        assert names <= {node.id for node in ast.walk(ast.parse(text.strip())) if isinstance(node, ast.Name)}


def _symbols(text):
    """The symbols of an expression; None if it is refused."""
    try:
        return set(parse(text).symbols())
    except ValueError:
        return None


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=9))
def test_decimals_keep_every_digit(number):
    assert parse(str(number) if abs(number) >= 1e-6 or not number else number).constant({}) == Fraction(number)


@given(st.floats(min_value=1e-90, max_value=1e90))
def test_floats_are_the_decimals_they_print_as(number):
    assert parse(number).constant({}) == Fraction(repr(number))


_NUMBERS = st.integers(-20, 20).map(str)
_SUMS = st.recursive(
    _NUMBERS, lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
)


@given(_SUMS)
def test_arithmetic_is_that_of_integers(text):
    expected = eval(text)
    if len(text) <= MAX_TEXT and abs(expected) < 10**100:
        assert parse(text).constant({}) == expected


SPELLED = [
    ("L1 + (L2/2)", "L1 + L2/2"),
    ("((L1 - L2) - 1)", "L1 - L2 - 1"),
    ("L1 - (L2 - 1)", "L1 - (L2 - 1)"),
    ("L1*(2*pi)", "L1*(2*pi)"),
    ("2*pi*L1", "2*pi*L1"),
    ("L1/(1/3)", "L1/(1/3)"),
    ("-(L1/2)", "-(L1/2)"),
    ("-L1/2", "-L1/2"),
    ("(-L1)**2", "(-L1)**2"),
    ("-L1**-2", "-L1**-2"),
    ("cos(pi/4)*sqrt(L1)", "sqrt(2)/2*sqrt(L1)"),
    ("1/cos(0.7)", "(1/(cos(0.7)))"),
    ("sin(1/3)**2 + 1", "2 - cos(1/3)**2"),
    ("1e-20", "0.00000000000000000001"),
    ("0.1234567890123456789", "0.1234567890123456789"),
    ("(1 + sqrt(2))*L1 - -1", "(1 + sqrt(2))*L1 - -1"),
]


@pytest.mark.parametrize(("text", "expected"), SPELLED)
def test_expressions_are_spelled_with_few_brackets(text, expected):
    assert str(parse(text)) == expected
    assert parse(expected) == parse(text)


_ATOMS = st.sampled_from(["L", "M", "2", "0.3", "pi", "cos(0.3)", "sqrt(3)", "(1/7)"])
_EXPRESSIONS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        inner.map(lambda text: f"-({text})"),
        inner.map(lambda text: f"({text})**2"),
    ),
    max_leaves=12,
)


@settings(deadline=None)
@given(_EXPRESSIONS)
def test_every_expression_reads_back(text):
    try:
        expression = parse(text)
    except ValueError:
        return
    if len(str(expression)) <= MAX_TEXT:
        assert parse(str(expression)) == expression


@settings(deadline=None)
@given(_EXPRESSIONS)
def test_linear_forms_keep_the_value(text):
    try:
        expression = parse(text)
        at = {"L": PI * 0 + Fraction(7, 5), "M": PI * 0 - Fraction(2, 3)}
        value = float(checked_value(expression, at))
    except (ValueError, ZeroDivisionError):
        return
    form = Linear.of(expression)
    assert math.isclose(float(form.expression().constant(at)), value, rel_tol=1e-12, abs_tol=1e-12)
    assert same(expression, form.expression())
    assert (form - form).expression().is_zero


def test_what_is_moved_there_and_back_is_what_it_was():
    x, y = parse("L/3 - M"), parse("2*M")
    angle = parse("0.7")
    there = turned_vector(0, angle, (x, x, y))
    assert turned_vector(0, -angle, there) == (x, (Linear.of(x)).expression(), y)
