"""Random elements of a ring with joints, some of them parallel, and what proves a way of writing them exact.

`Way back`: letters for cosines and sines of sums are put back by the addition theorems, and the result is an element of
the ring again, where equal elements have equal normal forms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from symgen.algebra.exact import PI, Exact
from symgen.algebra.generators import COS, SIN, Angle, Generator
from symgen.algebra.ring import Ring, RingElement
from symgen.formulas.writing.alphabet import Alphabet, ParallelJoints

INERTIAL = ("m2", "Ixx3", "m3")
LENGTHS = ("a2", "b3", "cx2")
OFFSETS = (Exact.of(0), Exact.of(0), Exact.of(0), PI / 2, PI / 3, Exact.of(Fraction(3, 10)))

MAX_TERMS = 60


@dataclass
class World:
    """An element, the alphabet it is written in, and the letters it is made of."""

    alphabet: Alphabet
    element: RingElement

    @property
    def ring(self) -> Ring:
        return self.alphabet.ring

    @property
    def polynomial(self) -> dict:
        return self.alphabet.polynomial(self.element)

    def again(self) -> Alphabet:
        """The alphabet without memory of what has been written."""
        return Alphabet(self.ring, inertial=self.alphabet.inertial, parallel=self.alphabet.parallel)

    def back(self, polynomial: dict, alphabet: Alphabet | None = None) -> RingElement:
        """A polynomial in letters as an element of the ring."""
        total = self.ring.constant(0)
        for monomial, value in polynomial.items():
            term = self.ring.constant(Fraction(value))
            for letter, exponent in monomial:
                for _ in range(exponent):
                    term = term * self._letter(letter, alphabet or self.alphabet)
            total = total + term
        return total

    def _letter(self, number: int, alphabet: Alphabet) -> RingElement:
        if number >= 0:
            return self.ring.at(number)
        letter = alphabet.letter(number)
        own = {g.angle.joints[0][0]: g.angle for g in self.ring.generators if g.kind == COS and g.angle.joints}
        point, total = (self.ring.constant(1), self.ring.constant(0)), Angle()
        for joint, factor in letter.angle.joints:
            total = total + own[joint].times(factor)
            cosine, sine = (self.ring.at(self.ring.find(Generator(kind, angle=own[joint]))) for kind in (COS, SIN))
            for _ in range(abs(int(factor))):
                point = turned(point, (cosine, sine if factor > 0 else -sine))
        assert total == letter.angle
        return point[letter.kind == SIN]


def turned(a, b):
    """(cos, sin) of the sum of two angles."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


# random elements -------------------------------------------------------------------------------------


def trees(joints: int):
    """Expressions as nested tuples."""
    numbers = st.sampled_from([1, 2, 3, -1, Fraction(1, 2), Fraction(1, 12), Fraction(54, 125)])
    joint = st.integers(0, joints - 1)
    leaves = st.one_of(
        st.tuples(st.just("circle"), joint, st.integers(0, 1)),
        st.tuples(st.just("circle"), joint, st.integers(0, 1)),
        st.tuples(st.just("sum"), joint, joint, st.integers(0, 1)),
        st.tuples(st.just("length"), st.sampled_from(LENGTHS)),
        st.tuples(st.just("number"), numbers),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(st.sampled_from(["+", "-", "*", "*"]), inner, inner), st.tuples(st.just("square"), inner)
        ),
        max_leaves=7,
    )


@st.composite
def groups(draw, joints: int):
    """Joints with parallel axes: one or two runs of neighbours, with senses."""
    found = []
    for _ in range(draw(st.sampled_from([0, 1, 1, 2])) if joints > 1 else 0):
        first = draw(st.integers(0, joints - 2))
        last = draw(st.integers(first + 1, joints - 1))
        senses = draw(st.lists(st.sampled_from([1, -1]), min_size=last - first, max_size=last - first))
        found.append(ParallelJoints(tuple(range(first, last + 1)), (1, *senses)))
    return found


@st.composite
def worlds(draw, rates: bool = True):
    """A world with 1 to 4 joints and an element of at most `MAX_TERMS` terms."""
    ring, joints = Ring(), draw(st.integers(1, 4))
    points = [ring.cos_sin(joint, draw(st.sampled_from(OFFSETS))) for joint in range(joints)]
    for name in (*INERTIAL, *LENGTHS):
        ring.parameter(name)
    alphabet = Alphabet(ring, inertial=INERTIAL, parallel=draw(groups(joints)))
    tree, inertial = trees(joints), st.lists(st.sampled_from(INERTIAL), max_size=2)
    speeds = st.lists(st.sampled_from([("qd", 0), ("qd", joints - 1), ("qdd", 0)]), max_size=2)
    factors = [evaluated(ring, points, draw(tree)) for _ in range(draw(st.integers(1, 3)))]
    element = ring.constant(0)
    for _ in range(draw(st.integers(1, 4))):
        term = draw(st.sampled_from(factors)) * draw(st.sampled_from([1, 1, 2, -1, Fraction(1, 2)]))
        for name in draw(inertial):
            term = term * ring.parameter(name)
        for name, index in draw(speeds) if rates else ():
            term = term * ring.variable(name, index)
        if (element + term).summands <= MAX_TERMS:
            element = element + term
    return World(alphabet, element)


def evaluated(ring: Ring, points: list, tree: tuple) -> RingElement:
    """A nested tuple as an element; products and squares that grow too long are left out."""
    kind, *rest = tree
    if kind == "circle":
        return points[rest[0]][rest[1]]
    if kind == "sum":
        first, last = sorted(rest[:2])
        point = points[first]
        for joint in range(first + 1, last + 1):
            point = turned(point, points[joint])
        return point[rest[2]]
    if kind == "length":
        return ring.parameter(rest[0])
    if kind == "number":
        return ring.constant(rest[0])
    a, b = (evaluated(ring, points, item) for item in (rest if len(rest) == 2 else (*rest, *rest)))
    if kind in ("+", "-"):
        return a + b if kind == "+" else a - b
    return a * b if a.summands * b.summands <= MAX_TERMS and degree(a) + degree(b) < 9 else a


def degree(element: RingElement) -> int:
    return max((sum(powers.values()) for powers, _ in element.terms()), default=0)


# numbers ---------------------------------------------------------------------------------------------


def value(element: RingElement, names: dict[str, float]) -> float:
    """An element at numbers for q1, qd1, …, and the parameters, term by term."""
    total = 0.0
    for powers, coefficient in element.terms():
        term = float(coefficient)
        for index, exponent in powers.items():
            term *= letter_value(element.ring.generators[index], names) ** exponent
        total += term
    return total


def letter_value(letter: Generator, names: dict[str, float]) -> float:
    if letter.kind not in (COS, SIN):
        return names[letter.name] if letter.kind == "parameter" else names[f"{letter.name}{letter.index + 1}"]
    angle = float(letter.angle.constant) + sum(factor * names[f"q{joint + 1}"] for joint, factor in letter.angle.joints)
    return math.cos(angle) if letter.kind == COS else math.sin(angle)
