"""Texts say what the formula is: read back as numbers, as arithmetic, as mathematics."""

import ast
import math
import operator
import re
from fractions import Fraction

import pytest
from formula_worlds import value, worlds
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.mathtext import MathTextParser

from symgen.algebra.exact import PI, Exact
from symgen.algebra.generators import COS, Angle, Generator
from symgen.algebra.ring import Ring
from symgen.algebra.roots import sqrt
from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.collecting import formula
from symgen.formulas.writing.expressions import plain
from symgen.formulas.writing.notation import Notation
from symgen.formulas.writing.printers import latex_style, python_number, python_style, text_style, written

many = settings(max_examples=60, deadline=None, derandomize=True)

NAMES = {"m2": 1.7, "Ixx3": 0.31, "m3": -0.8, "a2": 0.6, "b3": 1.3, "cx2": -0.45}
NAMES |= {f"{stem}{joint}": 0.37 * joint + shift for joint in range(1, 5) for stem, shift in (("q", 0.2), ("qd", -0.9))}
NAMES |= {"qdd1": 2.2, "pi": math.pi}


def typeset(latex):
    """Whether matplotlib can typeset it, which fails for braces that do not match and unknown commands."""
    return MathTextParser("path").parse(f"${latex}$").width > 0


def calculated(text, names):
    """The number that arithmetic over names, cos, sin and sqrt stands for; nothing else is understood."""
    operators = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
    operators |= {ast.Pow: operator.pow, ast.USub: operator.neg}

    def number(node):
        match node:
            case ast.Constant(value=found):
                return found
            case ast.Name(id=name):
                return names[name]
            case ast.UnaryOp(op=op, operand=operand):
                return operators[type(op)](number(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return operators[type(op)](number(left), number(right))
            case ast.Call(func=ast.Name(id=name), args=[argument]):
                return getattr(math, name)(number(argument))
        raise AssertionError(ast.dump(node))

    return number(ast.parse(text, mode="eval").body)


def known(notation, names, letters):
    """`names` with the short forms that stand for cosines and sines."""
    legend = notation.legend(letters)
    return names | {name: calculated(meaning, names) for name, meaning, _ in legend}


@many
@given(worlds())
def test_python_text_has_the_value_of_the_element(world):
    notation, found = Notation(world.alphabet, 4), formula(world.alphabet, world.element)
    text = written(found, python_style(notation))
    expected = value(world.element, NAMES)
    scale = 1 + sum(abs(value(term, NAMES)) for term in single_terms(world))
    assert calculated(text, known(notation, NAMES, found.letters())) == pytest.approx(expected, abs=1e-11 * scale)
    assert written(found, text_style(notation)).replace("^", "**") == whole_numbers(text)


def single_terms(world):
    for powers, number in world.element.terms():
        term = world.ring.constant(number)
        for index, exponent in powers.items():
            for _ in range(exponent):
                term = term * world.ring.at(index)
        yield term


def whole_numbers(text):
    """Python's 1.0/3.0 as the text's 1/3."""
    return re.sub(r"(\d+)\.0/(\d+)\.0", r"\1/\2", text)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(worlds())
def test_latex_can_be_typeset(world):
    latex = written(formula(world.alphabet, world.element), latex_style(Notation(world.alphabet, 4)))
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\left(") == latex.count(r"\right)")
    assert typeset(latex)


@many
@given(worlds(), st.integers(0, 12))
def test_a_limit_leaves_terms_out_and_counts_them(world, limit):
    found, notation = formula(world.alphabet, world.element), Notation(world.alphabet, 4)
    for style in (text_style(notation), latex_style(notation)):
        full, cut = written(found, style), written(found, style, limit)
        assert written(found, style, found.length + 1) == full
        assert ("more term" in cut) == (cut != full)
        if cut == full:
            continue
        assert len(cut) < len(full) + 40
        counts = [int(number) for number in re.findall(r"\((\d+) more term", cut)]
        assert min(counts) >= 1
        assert cut.replace(r"\cdots\ \text{", "").count("more term") == len(counts)
        assert ("(1 more term)" in cut) == (1 in counts)


def test_the_first_term_is_always_shown_and_the_rest_counted():
    ring = Ring()
    names = [ring.parameter(name) for name in ("a2", "b3", "cx4", "d5")]
    alphabet = Alphabet(ring)
    found, style = formula(alphabet, sum(names[1:], start=names[0])), text_style(Notation(alphabet, 1))
    assert written(found, style, 2) == "a2 + b3 + ... (2 more terms)"
    assert written(found, style, 0) == "a2 + ... (3 more terms)"
    assert written(found, style, 3) == "a2 + b3 + cx4 + ... (1 more term)"
    assert written(found, style, 4) == "a2 + b3 + cx4 + d5"


# kinds of letters -------------------------------------------------------------------------------------


def small():
    ring = Ring()
    c, s = ring.cos_sin(0, Exact.of(0))
    return ring, c, s, ring.parameter("m2"), ring.parameter("a2"), ring.variable("qd", 0)


def turned_by(ring, angle):
    return ring.cos_sin(1, Exact.of(angle))[0]


LETTERS = {
    "reciprocal": (lambda r, c, s, m, a, qd: c / m, "c1/m2", r"\frac{c_{1}}{m_{2}}"),
    "negative reciprocal": (lambda r, c, s, m, a, qd: -1 / m, "-1/m2", r"-\frac{1}{m_{2}}"),
    "square of a reciprocal": (lambda r, c, s, m, a, qd: c / m / m, "c1/m2^2", r"\frac{c_{1}}{m_{2}^{2}}"),
    "two reciprocals": (lambda r, c, s, m, a, qd: 3 / m / a, "3/(a2*m2)", r"\frac{3}{a_{2}\,m_{2}}"),
    "fraction": (lambda r, c, s, m, a, qd: c * Fraction(2, 3), "2/3*c1", r"\frac{2}{3}\,c_{1}"),
    "decimal": (lambda r, c, s, m, a, qd: c * Fraction(27, 1000), "0.027*c1", r"0.027\,c_{1}"),
    "root": (lambda r, c, s, m, a, qd: c * r.constant(sqrt(2)), "sqrt(2)*c1", r"\sqrt{2}\,c_{1}"),
    "pi": (lambda r, c, s, m, a, qd: c * r.constant(PI), "pi*c1", r"\pi\,c_{1}"),
    "cosine of a constant": (
        lambda r, c, s, m, a, qd: a * r.constant(sqrt(2)) * r.circle(r.constant(Fraction(3, 10)))[0],
        "sqrt(2)*cos(0.3)*a2",
        r"\sqrt{2}\,\cos\left(0.3\right)\,a_{2}",
    ),
    "power of a cosine": (lambda r, c, s, m, a, qd: c * c * c, "c1^3", r"c_{1}^{3}"),
    "power of a bracket": (
        lambda r, c, s, m, a, qd: (a + m) * (a + m) * qd,
        "(m2 + a2)^2*qd1",
        r"\left(m_{2} + a_{2}\right)^{2}\,\dot{q}_{1}",
    ),
    "sign": (
        lambda r, c, s, m, a, qd: a * r.sign(qd),
        "a2*sign(qd1)",
        r"a_{2}\,\operatorname{sign}\left(\dot{q}_{1}\right)",
    ),
    "tanh of a product": (
        lambda r, c, s, m, a, qd: r.tanh(-20 * qd),
        "tanh(-20*qd1)",
        r"\operatorname{tanh}\left(-20\,\dot{q}_{1}\right)",
    ),
    "tanh of a quotient": (
        lambda r, c, s, m, a, qd: r.tanh(qd / a),
        "tanh(qd1/a2)",
        r"\operatorname{tanh}\left(\frac{\dot{q}_{1}}{a_{2}}\right)",
    ),
    "short form of an angle with an offset": (
        lambda r, c, s, m, a, qd: turned_by(r, Fraction(3, 10)) * a,
        "a2*c2",
        r"a_{2}\,c_{2}",
    ),
    "double angle": (
        lambda r, c, s, m, a, qd: a * (2 * turned_by(r, Fraction(3, 10)) * turned_by(r, Fraction(3, 10)) - 1),
        "a2*cos(2*q2 + 0.6)",
        r"a_{2}\,\cos\left(2\,q_{2} + 0.6\right)",
    ),
    "angle less a constant": (
        lambda r, c, s, m, a, qd: a * (2 * turned_by(r, -PI / 5) * turned_by(r, -PI / 5) - 1),
        "a2*cos(2*q2 - 2*pi/5)",
        r"a_{2}\,\cos\left(2\,q_{2} - 2\,\pi/5\right)",
    ),
}


@pytest.mark.parametrize("name", LETTERS)
def test_letters(name):
    element, text, latex = LETTERS[name]
    ring, *letters = small()
    alphabet = Alphabet(ring)
    found, notation = formula(alphabet, element(ring, *letters)), Notation(alphabet, 1)
    assert written(found, text_style(notation)) == text
    assert written(found, latex_style(notation)) == latex
    assert typeset(latex)
    assert written(found, python_style(notation)) == python_numbers(text.replace("^", "**"))


def test_the_exponent_of_a_cosine_stands_behind_its_name():
    alphabet = Alphabet(small()[0])
    letter = alphabet.number(Generator(COS, angle=Angle(((0, 2),))))
    power, notation = plain(alphabet, {((letter, 3),): 2}), Notation(alphabet, 1)
    assert written(power, text_style(notation)) == "2*cos(2*q1)^3"
    assert written(power, latex_style(notation)) == r"2\,\cos^{3}\left(2\,q_{1}\right)"
    assert typeset(r"2\,\cos^{3}\left(2\,q_{1}\right)")


def python_numbers(text):
    return re.sub(r"(?<![\w.*])(\d+)/(\d+)(?![\w.])", r"\1.0/\2.0", text)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-7, "-7"),
        (Fraction(1, 3), "1.0/3.0"),
        (Fraction(-22, 7), "-22.0/7.0"),
        (Fraction(54, 125), "0.432"),
        (Fraction(1, 1024), "0.0009765625"),
    ],
)
def test_numbers_in_python(number, text):
    assert python_number(number) == text
    assert Fraction(calculated(text, {})).limit_denominator(10**6) == number
