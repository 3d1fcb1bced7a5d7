"""Names of letters in text, LaTeX, Python and SymPy."""

import keyword
import math

import pytest
import sympy
from matplotlib.mathtext import MathTextParser

from symgen.algebra.exact import PI, Exact
from symgen.algebra.generators import COS, SIN, Angle, Generator
from symgen.algebra.ring import Ring
from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.notation import Notation, angle_latex, angle_text, latex_name, python_name

NAMES = {
    "m2": "m_{2}",
    "Ixx2": "I_{xx,2}",
    "Iyz12": "I_{yz,12}",
    "cx2": "c_{x,2}",
    "a10": "a_{10}",
    "L1": "L_{1}",
    "alpha2": r"\alpha_{2}",
    "beta": r"\beta",
    "E": "E",
    "length": r"\mathit{length}",
    "gr2": r"\mathit{gr}_{2}",
    "ZZR2": r"\mathit{ZZR}_{2}",
    "MX3": r"\mathit{MX}_{3}",
    "Mhat2_33": r"\hat{M}_{2,33}",
    "mhat2": r"\hat{m}_{2}",
    "I1_2": "I_{1,2}",
    "omega_dot": r"\omega_{dot}",
    "a_b_c": r"a_{b\_c}",
    "m2_": r"m_{2\_}",
    "Ixx2_": r"I_{xx,2\_}",
    "hat": r"\mathit{hat}",
    "a1b2": r"\mathrm{a1b2}",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_in_latex(name):
    assert latex_name(name) == NAMES[name]
    assert MathTextParser("path").parse(f"${NAMES[name]}$").width > 0


def test_names_that_symgen_lengthens_are_told_from_those_of_the_file():
    assert len({latex_name(name) for name in ("m2", "m2_", "m2__", "Ixx2", "Ixx2_", "cx2", "cx2_")}) == 7


def test_python_names_are_identifiers_that_hide_no_function():
    names = ["m2", "cos", "cos_", "sin", "pi", "sqrt", "sign", "tanh", "tanh__", *keyword.kwlist, "lambda_"]
    found = [python_name(name) for name in names]
    assert len(set(found)) == len(names)
    for name in found:
        assert name.isidentifier()
        assert not keyword.iskeyword(name)
        assert name not in ("cos", "sin", "pi", "sqrt", "sign", "tanh")


ANGLES = {
    Angle(((0, 1),)): ("q1", "q_{1}"),
    Angle(((1, 1), (2, 1))): ("q2 + q3", "q_{2} + q_{3}"),
    Angle(((1, 2), (2, -1))): ("2*q2 - q3", r"2\,q_{2} - q_{3}"),
    Angle(((0, -1),)): ("-q1", "-q_{1}"),
    Angle(((0, 1),), (("delta", 1),)): ("q1 + delta", r"q_{1} + \delta"),
    Angle((), (("alpha2", -2),)): ("-2*alpha2", r"-2\,\alpha_{2}"),
    Angle(((0, 1),), (), Exact.of(1) / 2): ("q1 + 0.5", "q_{1} + 0.5"),
    Angle(((0, 1),), (), -PI / 5): ("q1 - pi/5", r"q_{1} - \pi/5"),
    Angle((), (), PI / 7): ("pi/7", r"\pi/7"),
}


@pytest.mark.parametrize("angle", ANGLES, ids=lambda angle: ANGLES[angle][0])
def test_angles(angle):
    assert (angle_text(angle), angle_latex(angle)) == ANGLES[angle]


def circle_letters(joints, *parameters):
    ring = Ring()
    for joint in range(joints):
        ring.cos_sin(joint, Exact.of(0))
    for name in parameters:
        ring.parameter(name)
    alphabet = Alphabet(ring)
    sums = [
        alphabet.number(Generator(COS, angle=Angle(tuple((j, 1) for j in run)))) for run in ((0, 1), (0, joints - 1))
    ]
    return alphabet, [alphabet.number(Generator(SIN, angle=Angle(((1, 1),)))), *sums]


@pytest.mark.parametrize(
    ("joints", "texts", "latex"),
    [
        (3, ["s2", "c12", "c13"], ["s_{2}", "c_{12}", "c_{13}"]),
        (12, ["s2", "c1_2", "c1_12"], ["s_{2}", "c_{1,2}", "c_{1,12}"]),
    ],
)
def test_short_forms(joints, texts, latex):
    alphabet, numbers = circle_letters(joints)
    notation = Notation(alphabet, joints)
    assert [notation.text(number) for number in numbers] == texts
    assert [notation.latex(number) for number in numbers] == latex
    assert [notation.python(number) for number in numbers] == texts
    legend = {text: meaning for text, meaning, _ in notation.legend(numbers)}
    assert legend == dict(zip(texts, ["sin(q2)", "cos(q1 + q2)", f"cos(q1 + q{joints})"], strict=True))


@pytest.mark.parametrize("name", ["c2", "s23", "c1_12", "cos", "sin", "pi", "sqrt"])
def test_no_short_forms_beside_a_parameter_of_such_a_name(name):
    alphabet, numbers = circle_letters(3, name)
    notation = Notation(alphabet, 3)
    assert [notation.text(number) for number in numbers] == ["sin(q2)", "cos(q1 + q2)", "cos(q1 + q3)"]
    assert notation.legend(numbers) == []
    assert notation.latex(numbers[0]) == r"\sin\left(q_{2}\right)"


def test_constants_have_the_names_of_the_twists():
    ring = Ring()
    c, s = ring.circle(ring.constant(Exact.of(3) / 10))
    alphabet = Alphabet(ring)
    notation = Notation(alphabet, 2, {Exact.of(3) / 10: "alpha2"})
    numbers = [*c.generators(), *s.generators()]
    assert [notation.text(number) for number in numbers] == ["calpha2", "salpha2"]
    assert [notation.latex(number) for number in numbers] == [r"c_{\alpha_{2}}", r"s_{\alpha_{2}}"]
    assert notation.legend(numbers) == [
        ("calpha2", "cos(0.3)", math.cos(0.3)),
        ("salpha2", "sin(0.3)", pytest.approx(math.sin(0.3))),
    ]


def test_constants_have_no_short_form_beside_a_parameter_of_that_name():
    ring = Ring()
    c, _ = ring.circle(ring.constant(Exact.of(3) / 10))
    ring.parameter("calpha2")
    notation = Notation(Alphabet(ring), 2, {Exact.of(3) / 10: "alpha2"})
    assert [notation.text(number) for number in c.generators()] == ["cos(0.3)"]


def test_symbols_of_sympy_are_real_and_never_constants():
    ring = Ring()
    for name in ("E", "I", "pi_", "beta", "N", "S", "zoo"):
        ring.parameter(name)
    notation = Notation(Alphabet(ring), 1)
    for number, letter in enumerate(ring.generators):
        assert notation.sympy(number) == sympy.Symbol(letter.name, real=True)
        assert notation.sympy(number).is_Symbol
