"""Quick SymPy expressions are what SymPy's own constructors make, part by part."""

import pytest
import sympy
from formula_worlds import worlds
from hypothesis import given, settings

import symgen
from symgen.algebra.exact import PI, Exact
from symgen.algebra.ring import Ring
from symgen.algebra.roots import sqrt
from symgen.formulas.writing.alphabet import Alphabet
from symgen.formulas.writing.notation import Notation
from symgen.formulas.writing.quick import quick_expression


def constructed(alphabet, element, letter):
    """Σ rates · parameter · (sum of the rest), by nothing but Add, Mul and powers."""
    parts = {}
    for powers, value in element.terms():
        outside = {i: k for i, k in powers.items() if alphabet.is_head(i) or alphabet.is_inertial(i)}
        inside = [letter(i) ** k for i, k in powers.items() if i not in outside]
        term = sympy.Mul(sympy.Rational(value.numerator, value.denominator), *inside)
        parts.setdefault(tuple(sorted(outside.items())), []).append(term)
    return sympy.Add(
        *(sympy.Mul(*(letter(i) ** k for i, k in outside), sympy.Add(*terms)) for outside, terms in parts.items())
    )


def is_canonical(expression):
    """Whether every part is what its constructor makes of the part's arguments, in this order."""
    parts = {part for part in sympy.preorder_traversal(expression) if part.args}
    return all((again := part.func(*part.args)) == part and again.args == part.args for part in parts)


def check(alphabet, element):
    letter = Notation(alphabet, 4).sympy
    quick, expected = quick_expression(alphabet, element, letter), constructed(alphabet, element, letter)
    assert quick == expected
    assert quick.args == expected.args
    assert is_canonical(quick)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(worlds())
def test_random_elements(world):
    check(world.alphabet, world.element)


def test_every_kind_of_letter():
    ring = Ring()
    c, s = ring.cos_sin(0, PI / 5)
    m, a, q, qd = ring.parameter("m2"), ring.parameter("a2"), ring.variable("q", 1), ring.variable("qd", 0)
    root, pi, third = ring.constant(sqrt(2)), ring.constant(PI), ring.constant(Exact.of(1) / 3)
    quotient = ring.quotient(m + c, m + s)
    elements = [
        root * m * c + pi * s - third,
        root * pi * a + pi * q + q * q + 1,
        m / a + c / a / a + q + 1,
        quotient * c + quotient * quotient * a + s,
        ring.sign(qd) * a + ring.tanh(qd / a) * m + qd * c,
        (1 + root * c + pi * s + q + a) * (1 + root * c + pi * s + q + a),
        ring.constant(sqrt(2) * sqrt(3)) + root + q,
        ring.constant(0),
        ring.constant(7),
        m,
    ]
    alphabet = Alphabet(ring, inertial=["m2"])
    for element in elements:
        check(alphabet, element)


@pytest.mark.parametrize("options", [{}, {"inertia": "base"}, {"parameters": "numeric"}])
def test_entries_of_a_robot(options):
    closed = symgen.closed_form("scara", **options)
    for form in (closed.inertia_matrix, closed.inverse_dynamics, closed.U, closed.inverse_inertia_matrix):
        for index in form.indices():
            check(form.subject.alphabet, form.element(*index))
