"""Which constants are zero: identities and near misses, judged by mpmath on the same text at 60 digits."""

import ast
import operator
from fractions import Fraction
from math import gcd

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symgen.algebra import zero
from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import PI, ZERO, Exact
from symgen.algebra.roots import sqrt
from symgen.algebra.zero import is_zero, same
from symgen.errors import LimitError

DIGITS = 60
SEEN_AS_ZERO = mpmath.mpf(10) ** -45

# texts and their values -------------------------------------------------------------------------------

OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda base, exponent: base ** int(exponent.rational if isinstance(exponent, Exact) else exponent),
}
EXACT = {
    "number": lambda digits: Exact.of(Fraction(digits)),
    "cos": lambda angle: cos_sin(angle)[0],
    "sin": lambda angle: cos_sin(angle)[1],
    "sqrt": sqrt,
    "pi": PI,
}
MPMATH = {
    "number": mpmath.mpf,
    "cos": mpmath.cos,
    "sin": mpmath.sin,
    "sqrt": mpmath.sqrt,
    "pi": mpmath.pi,
}


def value(text, meaning):
    """The value of an expression with the functions and numbers of `meaning`."""

    def of(node):
        match node:
            case ast.Constant():
                return meaning["number"](ast.get_source_segment(text, node))
            case ast.Name(id=name):
                return meaning[name]
            case ast.UnaryOp(operand=operand):
                return -of(operand)
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATIONS[type(op)](of(left), of(right))
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return meaning[name](of(argument))
        raise AssertionError(f"{ast.dump(node)} in a test's expression")

    return of(ast.parse(text, mode="eval").body)


def exact(text) -> Exact:
    return value(text, EXACT)


def number(text) -> mpmath.mpf:
    with mpmath.workdps(DIGITS):
        return +value(text, MPMATH)


def difference(identity) -> str:
    left, right = identity.split(" = ")
    return f"({left}) - ({right})"


# tables -------------------------------------------------------------------------------------------------


def gauss_sum(p) -> str:
    """√p by the quadratic residues modulo the odd prime p."""
    function = "cos" if p % 4 == 1 else "sin"
    residues = sorted({a * a % p for a in range(1, p)})
    return f"sqrt({p}) = {p % 4 % 3} + 2*(" + " + ".join(f"{function}({2 * a}*pi/{p})" for a in residues) + ")"


def all_roots(n) -> str:
    """The sum of the primitive roots of unity for a square-free n: Möbius's function."""
    factors = sum(n % p == 0 for p in (2, 3, 5, 7, 11, 13))
    return " + ".join(f"cos({2 * k}*pi/{n})" for k in range(n) if gcd(k, n) == 1) + f" = {(-1) ** factors}"


SUM = "cos({a} + {b}) = cos({a})*cos({b}) - sin({a})*sin({b})"
DOUBLE = "sin(2*({a})) = 2*sin({a})*cos({a})"
TRIPLE = "cos(3*({a})) = 4*cos({a})**3 - 3*cos({a})"
PRODUCT = "2*sin({a})*sin({b}) = cos({a} - ({b})) - cos({a} + {b})"
TANGENT = "(sin({a})/cos({a}) + sin({b})/cos({b}))*cos({a})*cos({b}) = sin({a} + {b})"
RULES = (SUM, DOUBLE, TRIPLE, PRODUCT, TANGENT)

ANGLES = (
    ("0.3", "0.4"),
    ("0.3", "0.6"),
    ("0.9", "-0.3"),
    ("0.7", "0.7"),
    ("1/3", "1/7"),
    ("1e-30", "0.3"),
    ("123456.789", "1e9"),
    ("pi/3", "pi/4"),
    ("pi/5", "pi/7"),
    ("pi/12", "pi/24"),
    ("pi/24", "pi/24"),
    ("2*pi/5", "3*pi/7"),
    ("pi/3 + 0.2", "pi/3 + 0.2"),
    ("pi/3 + 0.2", "pi/5 - 0.2"),
    ("33.337*pi/180", "12.5*pi/180"),
    ("sqrt(2)/3", "0.1"),
    ("sqrt(2)/3", "sqrt(3)*sqrt(2)/5 + pi/7"),
    ("pi*sqrt(2)", "0.3"),
    ("pi**2", "cos(0.3)"),
)

IDENTITIES = (
    "cos(0.6) = 2*cos(0.3)**2 - 1",
    "cos(0.3)*cos(0.4) - sin(0.3)*sin(0.4) = cos(0.7)",
    "sin(0.3) + sin(0.6) + sin(0.9) = sin(0.6)*(1 + 2*cos(0.3))",
    "(cos(0.3)*cos(0.6) - sin(0.3)*sin(0.6))*sin(0.9) = sin(1.8)/2",
    "sqrt(6) = sqrt(2)*sqrt(3)",
    "(sqrt(2) + sqrt(3))*(sqrt(6) - 2) = sqrt(2)*(sqrt(3) + sqrt(2))*(sqrt(3) - sqrt(2))",
    "1/(sqrt(2) + sqrt(3) + sqrt(5)) = (2*sqrt(3) + 3*sqrt(2) - sqrt(30))/12",
    "sqrt(1000003)*cos(2*pi/7) = -sqrt(1000003)*(1/2 + cos(4*pi/7) + cos(6*pi/7))",
    "sqrt(6)*cos(2*pi/7) + sqrt(2) = sqrt(2) - sqrt(3)*sqrt(2)*(1/2 + cos(4*pi/7) + cos(6*pi/7))",
    "cos(pi/5) = (1 + sqrt(5))/4",
    "cos(pi/5)*cos(2*pi/5) = 1/4",
    "16*sin(pi/5)**2 = 10 - 2*sqrt(5)",
    "cos(pi/15)*cos(2*pi/15)*cos(4*pi/15)*cos(7*pi/15) = 1/16",
    "cos(pi/15) - cos(2*pi/15) - cos(4*pi/15) + cos(7*pi/15) = -1/2",
    "cos(2*pi/15) - cos(4*pi/15) + cos(8*pi/15) - cos(14*pi/15) = sqrt(5)/2",
    "2*cos(pi/24)**2 - 1 = (sqrt(6) + sqrt(2))/4",
    "sin(pi/24)*cos(pi/24)*8 = sqrt(6) - sqrt(2)",
    "cos(pi/16)*cos(3*pi/16) = (cos(pi/8) + sqrt(2)/2)/2",
    "sin(pi/14)*sin(3*pi/14)*sin(5*pi/14) = 1/8",
    "cos(pi/7) - cos(2*pi/7) + cos(3*pi/7) = 1/2",
    "sin(pi/7)*sin(2*pi/7)*sin(3*pi/7) = sqrt(7)/8",
    "sin(3*pi/11)/cos(3*pi/11) + 4*sin(2*pi/11) = sqrt(11)",
    "1/sin(pi/7) = 1/sin(2*pi/7) + 1/sin(3*pi/7)",
    "sin(pi/9)*sin(2*pi/9)*sin(4*pi/9) = sqrt(3)/8",
    "cos(pi/10007 + pi/7) = cos(pi/10007)*cos(pi/7) - sin(pi/10007)*sin(pi/7)",
    "sqrt(10007)*cos(pi/5) = sqrt(10007)*(1 + sqrt(5))/4",
    "1/(1 + cos(0.6)) = 1/(2*cos(0.3)**2)",
    "1/(cos(0.3) + pi) + 1/(cos(0.3) - pi) = 2*cos(0.3)/(cos(0.3)**2 - pi**2)",
    "1/(1 + 1/(1 + 1/cos(0.3))) = (1 + cos(0.3))/(1 + 2*cos(0.3))",
    "(1/(2 + sin(0.6)))**3 = 1/(8*(1 + sin(0.3)*cos(0.3))**3)",
    "sin(0.8)*pi**2/(pi*cos(0.4)) = 2*pi*sin(0.4)",
    "(pi + cos(0.3))**3*(cos(0.6) + 1) = 2*(pi + cos(0.3))**2*cos(0.3)**2*(pi + cos(0.3))",
    *(rule.format(a=a, b=b) for rule in RULES for a, b in ANGLES),
    *(gauss_sum(p) for p in (3, 5, 7, 11, 13, 19, 29, 43)),
    *(all_roots(n) for n in (3, 15, 21, 30, 77, 105)),
)


@pytest.mark.parametrize("identity", IDENTITIES)
def test_identities(identity):
    text = difference(identity)
    assert abs(number(text)) < SEEN_AS_ZERO
    assert is_zero(exact(text)) is True
    assert same(*map(exact, identity.split(" = "))) is True
    assert is_zero(exact(text) * sqrt(2) / PI) is True


@pytest.mark.parametrize("tiny", ["1e-30", "-1e-40", "sqrt(2)*1e-30", "cos(0.3 + 1e-30) - cos(0.3)"])
@pytest.mark.parametrize("identity", IDENTITIES)
def test_identities_and_a_little_more(identity, tiny):
    text = f"{difference(identity)} + {tiny}"
    assert abs(number(text)) > SEEN_AS_ZERO
    assert is_zero(exact(text)) is False


NEAR_MISSES = (
    "22/7 - pi",
    "355/113*3 - 3*pi",
    "cos(0.3) - cos(0.3 + 1e-20)",
    "cos(22) + 1",
    "cos(355) + 1",
    "sin(103993/33102)",
    "pi - 3.141592653589793238462643383279502884197",
    "sqrt(2) - 1.41421356237309504880168872420969807857",
    "cos(pi/5 + 1e-40) - (1 + sqrt(5))/4",
    "cos(pi/7) - cos(2*pi/7) + cos(3*pi/7 + 1e-25) - 1/2",
    "sqrt(2) + sqrt(3) - pi",
    "163/100*(pi + 1e-30) - 163*pi/100",
    "cos(pi*sqrt(2)) - cos(pi*sqrt(2) + 1e-20)",
    "cos(cos(0.3)) - cos(cos(0.3) + 1e-20)",
    "1/(cos(0.3) - cos(0.3 + 1e-20)) - 1/(cos(0.3) - cos(0.3 + 2e-20))",
    "pi*cos(0.3) - 3.00128437949883",
)


@pytest.mark.parametrize("text", NEAR_MISSES)
def test_near_misses(text):
    assert abs(number(text)) > SEEN_AS_ZERO
    assert is_zero(exact(text)) is False
    assert same(exact(text), ZERO) is False


# random identities ----------------------------------------------------------------------------------------

rational_parts = st.one_of(
    st.integers(-30, 30).map(lambda k: f"{k}/10"),
    st.fractions(-3, 3, max_denominator=12).map(str),
    st.sampled_from(["0.3", "0.6", "0.9", "sqrt(2)/3", "-sqrt(6)/5", "1/7 + sqrt(2)*2/3"]),
)
pi_parts = st.tuples(st.integers(-12, 12), st.sampled_from([1, 2, 3, 4, 5, 7, 8, 12, 24, 60])).map(
    lambda pair: f"{pair[0]}*pi/{pair[1]}"
)
angles = st.one_of(
    rational_parts, pi_parts, st.tuples(rational_parts, pi_parts).map(lambda pair: f"{pair[0]} + {pair[1]}")
)
constants = st.sampled_from(["1/3", "-2", "0.7", "sqrt(2)", "sqrt(5)/3", "sqrt(6)", "sqrt(7)", "pi"])

COSINES = (
    "cos({b})*cos({a} - ({b})) - sin({b})*sin({a} - ({b}))",
    "cos({a} + {b})*cos({b}) + sin({a} + {b})*sin({b})",
    "2*cos(({a})/2)**2 - 1",
    "1 - 2*sin(({a})/2)**2",
    "4*cos(({a})/3)**3 - 3*cos(({a})/3)",
    "sin({a} + pi/2)",
    "cos({a} + pi/3) + cos({a} - pi/3)",
    "-cos({a} + 2*pi/5) - cos({a} + 4*pi/5) - cos({a} + 6*pi/5) - cos({a} + 8*pi/5)",
)
SINES = (
    "sin({b})*cos({a} - ({b})) + cos({b})*sin({a} - ({b}))",
    "2*sin(({a})/2)*cos(({a})/2)",
    "3*sin(({a})/3) - 4*sin(({a})/3)**3",
    "cos(({a}) - pi/2)",
    "(sin({a} + pi/4) + sin({a} - pi/4))/sqrt(2)",
)

Pair = tuple[str, str]
"""Two texts of one value."""


@st.composite
def functions(draw) -> Pair:
    name, rewritings = draw(st.sampled_from([("cos", COSINES), ("sin", SINES)]))
    a, b = draw(angles), draw(angles)
    return f"{name}({a})", draw(st.sampled_from(rewritings)).format(a=a, b=b)


@st.composite
def quotients(draw, inner) -> Pair:
    """1 over what is neither zero nor small."""
    (plain, rewritten), offset = draw(inner), draw(st.sampled_from([5, 7, 11]))
    assume(abs(number(f"{offset} + ({plain})")) > 1)
    return f"1/({offset} + ({plain}))", f"1/({offset} + ({rewritten}))"


def joined(sign, pairs) -> Pair:
    (one, one_rewritten), (other, other_rewritten) = pairs
    return f"({one}){sign}({other})", f"({other_rewritten})*({one_rewritten})" if sign == "*" else (
        f"({one_rewritten}){sign}({other_rewritten})"
    )


def identities(max_leaves):
    return st.recursive(
        st.one_of(functions(), functions(), constants.map(lambda text: (text, text))),
        lambda inner: st.one_of(
            st.tuples(st.sampled_from("+-*"), st.tuples(inner, inner)).map(lambda drawn: joined(*drawn)),
            quotients(inner),
        ),
        max_leaves=max_leaves,
    )


tinies = st.tuples(st.integers(-9, 9).filter(bool), st.integers(20, 90)).map(lambda pair: f"{pair[0]}e-{pair[1]}")


@settings(deadline=None)
@given(identities(max_leaves=4), tinies)
def test_random_identities(pair, tiny):
    text = "({}) - ({})".format(*pair)
    assert abs(number(text)) < SEEN_AS_ZERO
    assert is_zero(exact(text)) is True
    assert is_zero(exact(f"{text} + {tiny}")) is False


@settings(deadline=None)
@given(identities(max_leaves=3), identities(max_leaves=3))
def test_random_differences(one, other):
    text = f"({one[0]}) - ({other[1]})"
    assert is_zero(exact(text)) is bool(abs(number(text)) < SEEN_AS_ZERO)


@settings(deadline=None)
@given(identities(max_leaves=3), identities(max_leaves=3), functions())
def test_common_denominators(x, y, z):
    assume(abs(number(y[0])) > 1e-3)
    text = f"({x[0]})/({y[0]}) + {z[0]} - (({x[1]}) + ({z[1]})*({y[1]}))/({y[1]})"
    assert abs(number(text)) < SEEN_AS_ZERO
    assert is_zero(exact(text)) is True


# beyond balls, and beyond the domain ---------------------------------------------------------------------


def decimals(text, digits) -> Fraction:
    """The value cut after so many digits."""
    with mpmath.workdps(digits + 20):
        return Fraction(int(mpmath.floor(value(text, MPMATH) * mpmath.mpf(10) ** digits)), 10**digits)


@pytest.mark.parametrize("text", ["cos(0.3)", "pi", "sqrt(2)", "cos(pi/7)", "cos(0.3)*pi"])
def test_differences_that_balls_tell_from_zero(text):
    assert is_zero(exact(text) - decimals(text, 1400)) is False


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("cos(0.3)", False),
        ("cos(sqrt(2)/3)*sqrt(3)", False),
        ("pi**2 + sqrt(2)*pi", False),
        ("cos(pi/7)", False),
        ("cos(0.3)*pi", None),  # are exp and π algebraically independent?
    ],
)
def test_differences_that_no_ball_tells_from_zero(text, decision):
    tiny = exact(text) - decimals(text, 1700)
    assert tiny.number().contains(0)
    assert is_zero(tiny) is decision


@pytest.mark.parametrize(
    "identity",
    [
        "cos(1/(1 + sqrt(2))) = cos(sqrt(2) - 1)",
        "cos(sqrt(2)*cos(pi/5)) = cos(sqrt(2)*(1 + sqrt(5))/4)",
        "sqrt(1000003)*sqrt(1000033) = sqrt(1000036000099)",
    ],
)
def test_what_is_not_decided(identity):
    text = difference(identity)
    assert abs(number(text)) < SEEN_AS_ZERO
    assert is_zero(exact(text)) is None
    assert is_zero(exact(f"{text} + 1e-30")) is False
    with pytest.raises(LimitError, match="cannot be told from zero"):
        1 / exact(text)


@pytest.mark.parametrize("identity", IDENTITIES[:30])
def test_division_by_zero_in_disguise(identity):
    with pytest.raises(ZeroDivisionError):
        1 / exact(f"{difference(identity)} + 0")


def test_bound_on_the_work(monkeypatch):
    text = difference("cos(3*pi/7 + 1)*cos(0.6) = (cos(pi/7 + 1)*cos(2*pi/7) - sin(pi/7 + 1)*sin(2*pi/7))*cos(0.6)")
    assert is_zero(exact(text)) is True
    monkeypatch.setattr(zero, "MAX_WORK", 10)
    assert is_zero(exact(text)) is None
    assert is_zero(exact(f"{text} + 1e-30")) is False
    assert is_zero(exact("1/3 - sqrt(4)/6")) is True


@pytest.mark.parametrize(("prime", "decision"), [(101, True), (1009, True), (999983, None)])
def test_roots_of_large_primes_in_the_order(prime, decision):
    identity = f"sqrt({prime})*cos(2*pi/{prime})*(cos(2*pi/7) + cos(4*pi/7) + cos(6*pi/7)) = 0"
    text = f"{difference(identity)} + sqrt({prime})*cos(2*pi/{prime})/2"
    assert abs(number(text)) < SEEN_AS_ZERO
    assert is_zero(exact(text)) is decision


def test_more_terms_than_a_constant_keeps():
    total = sum((exact(f"cos({k}/1000)") for k in range(1, 300)), ZERO)
    closed = exact("(sin(599/2000)/sin(1/2000) - 1)/2")
    assert same(total, closed) is True
    assert same(total, closed + Fraction(1, 10**50)) is False


@pytest.mark.parametrize(
    ("number_", "decision"), [(ZERO, True), (Exact.of(Fraction(1, 10**5000)), False), (PI - PI, True), (PI, False)]
)
def test_what_needs_no_proof(number_, decision):
    assert is_zero(number_) is decision
