"""Where assembly starts: entries of q that follow from the independent ones in closed form, one after the other.

An equation with one unknown angle is a cos θ + b sin θ + c = 0: a, b and c are made of its values at 0, a quarter and
half a turn. Its two solutions differ in the sign of its derivative by θ; that is the branch, and it is the guess's.
With an unknown shift it is quadratic at the most, and made of its values at -1, 0 and 1. Where there is no solution
roots of negative numbers are taken, and the result is no number.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symgen.algebra.domain import Domain, Scalar, Vector, cross, dot, variables, vector, zeros
from symgen.algebra.elsewhere import Elsewhere
from symgen.algebra.exact import PI
from symgen.mechanics.configuration import turned
from symgen.mechanics.loops.equations import equations
from symgen.mechanics.loops.plan import Step, Unknown
from symgen.mechanics.loops.view import seen
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.rotation import Rotation

HALF = Fraction(1, 2)


def start(mechanism: Mechanism, sides: Sequence[int] = ()) -> Vector:
    """q, nq, with the entries that `mechanism.plan` finds in closed form next to those of "guess".

    `sides`: a sign for every step, that of the derivative of its equation, instead of the guess's.
    """
    assert mechanism.plan is not None
    domain, q = mechanism.domain, variables(mechanism.domain, "q", mechanism.nq)
    guess = variables(domain, "guess", mechanism.nq)
    for number, step in enumerate(mechanism.plan.steps):
        if step.unknown is Unknown.BALL:
            own = slice(step.place, step.place + 4)
            q[own] = _ball(mechanism, step, q, guess)
            continue
        terms = [Terms.of(mechanism, step, index, q) for index in step.equations]
        side = domain.constant(1)
        if step.unknown.has_branches:
            side = domain.constant(sides[number]) if sides else branch(mechanism, step, guess)
        q[step.place] = _solved(domain, step.unknown, terms, side, guess[step.place])
    return q


def branch(mechanism: Mechanism, step: Step, q: Vector) -> Scalar:
    """The sign of the derivative of a step's equation by its unknown at q; 1 where that is 0."""
    domain = mechanism.domain
    (index,) = step.equations
    by = Terms.of(mechanism, step, index, q).derivative(domain, q[step.place])
    return _side(domain, by)


def _side(domain: Domain, value: Scalar) -> Scalar:
    return domain.sign(domain.sign(value) + domain.constant(HALF))


class Terms:
    """An equation in one unknown x: a cos x + b sin x + c of an angle, a x² + b x + c of a shift."""

    def __init__(self, a: Scalar, b: Scalar, c: Scalar, *, turns: bool) -> None:
        self.a, self.b, self.c, self.turns = a, b, c, turns

    @classmethod
    def of(cls, mechanism: Mechanism, step: Step, index: int, q: Vector) -> Terms:
        """The equation of this index, at what q has for the others."""
        assert mechanism.remake is not None
        domain, turns = mechanism.domain, step.unknown in (Unknown.ANGLE, Unknown.TURN)
        places = (PI * 0, PI * HALF, PI) if turns else (-1, 0, 1)
        found = []
        for place in places:
            values = dict(enumerate(q)) | {step.place: domain.constant(place)}
            found.append(equations(mechanism.remake(Elsewhere(domain, values)))[index].value)
        first, middle, last = found
        half = domain.constant(HALF)
        mean, rise = half * (first + last), half * (last - first)
        if turns:
            return cls(-rise, middle - mean, mean, turns=True)
        return cls(mean - middle, rise, middle, turns=False)

    def derivative(self, domain: Domain, x: Scalar) -> Scalar:
        """By x."""
        if not self.turns:
            return domain.constant(2) * (self.a * x) + self.b
        c, s = domain.circle(x)
        return self.b * c - self.a * s


def _solved(domain: Domain, unknown: Unknown, terms: Sequence[Terms], side: Scalar, near: Scalar) -> Scalar:
    first = terms[0]
    match unknown:
        case Unknown.TURN:
            other = terms[1]
            scale = first.a * other.b - first.b * other.a
            cosine = (first.b * other.c - first.c * other.b) / scale
            return _angle(domain, cosine, (first.c * other.a - first.a * other.c) / scale, near)
        case Unknown.ANGLE:
            size = first.a * first.a + first.b * first.b
            root = side * domain.sqrt(size - first.c * first.c)
            cosine, sine = first.b * root - first.a * first.c, -(first.a * root + first.b * first.c)
            return _angle(domain, cosine, sine, near)
        case Unknown.SLIDE:
            root = domain.sqrt(first.b * first.b - domain.constant(4) * (first.a * first.c))
            return (side * root - first.b) / (domain.constant(2) * first.a)
    return -(first.c / first.b)


def _angle(domain: Domain, cosine: Scalar, sine: Scalar, near: Scalar) -> Scalar:
    """The angle next to `near` of which these are multiples of the cosine and the sine, both by one positive number.

    The turn from `near` is 2 atan(s/(r + c)) or, where c is negative, half a turn from that of -s and -c.
    """
    c0, s0 = domain.circle(near)
    c, s = cosine * c0 + sine * s0, sine * c0 - cosine * s0
    side, one = _side(domain, c), domain.constant(1)
    size = domain.sqrt(c * c + s * s)
    half = domain.atan(side * s / (size + side * c))
    turn = domain.constant(2) * half + domain.constant(PI * HALF) * ((one - side) * _side(domain, s))
    return near + turn


def _ball(mechanism: Mechanism, step: Step, q: Vector, guess: Vector) -> Vector:
    """The quaternion of a ball joint after the least turn that leads its end of a cut joint towards the other end."""
    assert mechanism.remake is not None
    assert step.cut is not None
    domain = mechanism.domain
    values = dict(enumerate(q)) | {step.place + k: guess[step.place + k] for k in range(4)}
    other = mechanism.remake(Elsewhere(domain, values))
    body, cut = other.bodies[step.body], other.cuts[step.cut]
    own, far = cut.predecessor, cut.successor
    if own.body != step.body:
        own, far = far, own
    centre = FrameOnBody("", step.body, Rotation(), zeros(domain, 3))
    start, end = own.position, seen(other, centre, far, None).origin
    size = domain.sqrt(dot(start, start) * dot(end, end))
    axis = cross(start, end)
    turn = vector([*(dot(column[:3], axis) for column in body.subspace), size + dot(start, end)])
    return turned(domain, guess[step.place : step.place + 4], turn)
