"""How formulas are written: a table of elements of a ring with three joints, and their texts."""

from fractions import Fraction
from functools import reduce
from types import SimpleNamespace

import pytest
from formula_worlds import turned

from symgen.algebra.exact import Exact
from symgen.algebra.ring import Ring
from symgen.formulas.writing.alphabet import Alphabet, ParallelJoints
from symgen.formulas.writing.collecting import MAX_TERMS, formula
from symgen.formulas.writing.notation import Notation
from symgen.formulas.writing.printers import text_style, written

SKEW, PARALLEL = None, (1, 1, 1)


def letters():
    """c1 … s3, a2, b3 and the inertial parameters m2 to m4 of a new ring; `p` are the points of the joints."""
    ring = Ring()
    points = [ring.cos_sin(joint, Exact.of(0)) for joint in range(3)]
    found = {f"{name}{joint + 1}": point[k] for joint, point in enumerate(points) for k, name in enumerate("cs")}
    found |= {name: ring.parameter(name) for name in ("a2", "b3", "m2", "m3", "m4")}
    return SimpleNamespace(ring=ring, p=points, qd=[ring.variable("qd", i) for i in range(3)], **found)


def opposite(point):
    return point[0], -point[1]


def angle(*points):
    return reduce(turned, points)


def text(element, senses=SKEW):
    alphabet = Alphabet(
        element.ring,
        inertial=("m2", "m3", "m4"),
        parallel=[] if senses is None else [ParallelJoints((0, 1, 2), senses)],
    )
    return written(formula(alphabet, element), text_style(Notation(alphabet, 3)))


RULES = {
    # squares and double angles
    "square": (SKEW, lambda x: 1 - x.c2 * x.c2, "s2^2"),
    "square of one term of several": (SKEW, lambda x: x.a2 - x.a2 * x.c2 * x.c2 + x.b3, "b3 + a2*s2^2"),
    "fourth power": (SKEW, lambda x: x.s2 * x.s2 * x.s2 * x.s2, "s2^4"),
    "double sine": (SKEW, lambda x: 2 * x.s2 * x.c2 * x.a2, "a2*sin(2*q2)"),
    "double cosine": (SKEW, lambda x: x.a2 * (2 * x.c2 * x.c2 - 1), "a2*cos(2*q2)"),
    "double cosine by the sine": (SKEW, lambda x: x.a2 * (1 - 2 * x.s2 * x.s2), "a2*cos(2*q2)"),
    "single product stays": (SKEW, lambda x: x.a2 * x.s2 * x.c2, "a2*c2*s2"),
    # sums of angles
    "axes that are not parallel": (SKEW, lambda x: angle(*x.p[:2])[0], "c1*c2 - s1*s2"),
    "two parallel axes": (PARALLEL, lambda x: angle(*x.p[:2])[0], "c12"),
    "three parallel axes": (PARALLEL, lambda x: angle(*x.p)[1], "s123"),
    "opposite second axis": ((1, -1, 1), lambda x: angle(x.p[0], opposite(x.p[1]))[1], "sin(q1 - q2)"),
    "negative of it": ((1, -1, 1), lambda x: angle(opposite(x.p[0]), x.p[1])[1], "-sin(q1 - q2)"),
    "opposite last axis": ((1, 1, -1), lambda x: angle(*x.p[:2], opposite(x.p[2]))[0], "cos(q1 + q2 - q3)"),
    "an angle that bodies have not": (PARALLEL, lambda x: angle(x.p[0], opposite(x.p[1]))[0], "c1*c2 + s1*s2"),
    "twice a sum": (PARALLEL, lambda x: x.a2 * angle(*x.p[:2], *x.p[:2])[1], "a2*sin(2*q1 + 2*q2)"),
    "sum in a square": (
        PARALLEL,
        lambda x: x.m2 * (x.a2 * x.c1 + x.b3 * angle(*x.p[:2])[0]) * (x.a2 * x.c1 + x.b3 * angle(*x.p[:2])[0]),
        "m2*(a2*c1 + b3*c12)^2",
    ),
    # squares of sums and common factors
    "square of a sum": (SKEW, lambda x: (x.a2 + x.b3) * (x.a2 + x.b3), "(a2 + b3)^2"),
    "square of a difference": (SKEW, lambda x: (x.a2 - x.b3) * (x.b3 - x.a2), "-(a2 - b3)^2"),
    "square beside more": (SKEW, lambda x: (x.a2 + x.c2) * (x.a2 + x.c2) + x.b3 * x.a2, "a2*b3 + (a2 + c2)^2"),
    "half a square": (SKEW, lambda x: x.m2 * Fraction(1, 2) * (x.a2 + x.b3) * (x.a2 + x.b3), "0.5*m2*(a2 + b3)^2"),
    "square of rates": (
        SKEW,
        lambda x: x.a2 * (x.qd[0] + x.qd[1]) * (x.qd[0] + x.qd[1]),
        "a2*(qd1 + qd2)^2",
    ),
    "common factor": (SKEW, lambda x: x.a2 * x.c1 + x.a2 * x.c2, "a2*(c1 + c2)"),
    "nested common factors": (
        SKEW,
        lambda x: x.a2 * x.c1 * x.c2 + x.a2 * x.c1 * x.b3 + x.a2 * x.s3,
        "a2*(s3 + (b3 + c2)*c1)",
    ),
    # parameters
    "parameters of one factor": (SKEW, lambda x: x.m2 * x.a2 + x.m3 * x.a2, "a2*(m2 + m3)"),
    "parameters of opposite factors": (
        SKEW,
        lambda x: (x.m2 - x.m3) * (x.a2 - x.c1) + x.m4,
        "m4 + (m3 - m2)*(c1 - a2)",
    ),
    "fractions": (SKEW, lambda x: x.m2 * x.a2 * (x.a2 * Fraction(1, 3) + x.b3), "m2*a2*(1/3*a2 + b3)"),
    "decimals": (SKEW, lambda x: x.a2 * Fraction(54, 125) + x.b3 * Fraction(1, 50), "0.432*a2 + 0.02*b3"),
    # signs and numbers
    "nothing": (SKEW, lambda x: x.a2 - x.a2, "0"),
    "number": (SKEW, lambda x: x.ring.constant(Fraction(-7, 3)), "-7/3"),
    "one": (SKEW, lambda x: x.ring.constant(1), "1"),
    "minus": (SKEW, lambda x: -x.a2, "-a2"),
    "positive first": (SKEW, lambda x: x.b3 - x.a2, "b3 - a2"),
    "all negative": (SKEW, lambda x: -x.a2 - x.b3, "-a2 - b3"),
    # velocities and accelerations head the parts
    "heads": (
        SKEW,
        lambda x: x.m2 * x.qd[0] * x.qd[1] * x.a2 + x.m2 * x.ring.variable("qdd", 0) + x.m2 * x.c1,
        "m2*c1 + m2*qdd1 + m2*a2*qd1*qd2",
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_rule(name):
    senses, element, expected = RULES[name]
    assert text(element(letters()), senses) == expected


def test_what_is_very_long_is_written_in_normal_form_collected():
    x = letters()
    names = [x.ring.parameter(f"x{i}") for i in range(70)]
    total = sum(names[1:], start=names[0])
    element = x.m2 * total * total + x.m3 * total * total
    assert element.summands > MAX_TERMS
    found = formula(Alphabet(x.ring, inertial=("m2", "m3")), element)
    (term,) = found.terms
    assert sorted(len(factor.terms) for factor, _ in term.factors) == [2, 70 * 71 // 2]
