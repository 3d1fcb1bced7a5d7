"""Configurations as points of a manifold: q ⊕ v, the v that leads from one q to another, quaternions of length 1.

A free joint's v = [linear; angular] is a twist in the link's own axes that lasts a unit of time: q ⊕ v is q exp(v). All
other joints have q + v. With u = ω/2, h = |u| and S = sin h / h the turn is the quaternion (S u, cos h), and the origin
moves by V v in the axes before the turn,

    V v = v + S² u × v + (1 − S cos h)/h² u × (u × v).

Back from a quaternion (e, c) with c ≥ 0, the shorter way: h = 2 atan(|e|/(1 + c)), u = K e with K = h/|e|, and

    V⁻¹ x = x − u × x + (1 − K c)/|e|² e × (e × x).

In the plane V v is S v turned by ω/2, so that the axes half-way are all that is needed.

No case is told from another: `TINY` is added to the squares under roots. It keeps divisors from 0 and is beyond the
digits of S and K. What 1 − S cos h leaves where h is small may be rounding alone, but then so is its term beside v.
Quaternions of any length but 0 stand for those of length 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symgen.algebra.domain import Domain, Scalar, Vector, cross, dot, vector, zeros
from symgen.mechanics.mechanism import JointPlace, Mechanism
from symgen.robot.joints import JointKind

TINY = Fraction(1, 10**24)
"""What is added to squares under roots: (1e-12)², far below the turn that double precision tells from none."""

HALF = Fraction(1, 2)


def integrate(mechanism: Mechanism, q: Vector, v: Vector) -> Vector:
    """q ⊕ v, nq; its quaternions have length 1."""
    domain, result = mechanism.domain, q.copy()
    for joint in mechanism.joints:
        own, step = q[joint.q], v[joint.v]
        if not joint.kind.is_free:
            result[joint.q] = own + step
        elif joint.kind is JointKind.PLANAR:
            result[joint.q] = _integrated_in_the_plane(domain, own, step)
        else:
            result[joint.q] = _integrated(domain, own, step)
    return result


def difference(mechanism: Mechanism, start: Vector, end: Vector) -> Vector:
    """The v, nv, with `start` ⊕ v = `end`; free joints turn the shorter way."""
    domain, result = mechanism.domain, zeros(mechanism.domain, mechanism.nv)
    for joint in mechanism.joints:
        first, last = start[joint.q], end[joint.q]
        if not joint.kind.is_free:
            result[joint.v] = last - first
        elif joint.kind is JointKind.PLANAR:
            result[joint.v] = _difference_in_the_plane(domain, first, last)
        else:
            result[joint.v] = _difference(domain, first, last)
    return result


def normalize(mechanism: Mechanism, q: Vector) -> Vector:
    """q with quaternions of length 1."""
    result = q.copy()
    for joint in mechanism.joints:
        if has_quaternion(joint):
            _, quaternion = parts(q[joint.q], 4)
            result[joint.q][-4:] = _unit(mechanism.domain, quaternion)
    return result


def turned(domain: Domain, quaternion: Vector, turn: Vector) -> Vector:
    """A quaternion (4) after a turn in the moved axes, given by a quaternion (4) of any length; of length 1."""
    return _unit(domain, _product(quaternion, turn))


def has_quaternion(joint: JointPlace) -> bool:
    """Whether the last four entries of the joint's q are a quaternion, and those of its v an angular velocity."""
    return any(position.name == "qx" for position in joint.kind.configuration)


def parts(entries: Vector, turning: int) -> tuple[Vector, Vector]:
    """A joint's entries of q or v: those of its point, which only floating joints have, and the last, that turn."""
    return entries[:-turning], entries[-turning:]


# turns ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Turn:
    """A turn by 2 u: h², S = sin h / h and cos h."""

    squared: Scalar
    S: Scalar
    cosine: Scalar


def _turn(domain: Domain, u: Vector) -> _Turn:
    squared = dot(u, u) + domain.constant(TINY)
    half = domain.sqrt(squared)
    c, s = domain.circle(half)
    return _Turn(squared, s / half, c)


@dataclass(frozen=True)
class _Way:
    """The shorter way to a quaternion (e, w) of length 1: |e|², c = |w|, K, and K with the sign of w: u by e."""

    squared: Scalar
    cosine: Scalar
    K: Scalar
    factor: Scalar


def _way(domain: Domain, e: Vector, w: Scalar) -> _Way:
    squared = dot(e, e) + domain.constant(TINY)
    size = domain.sqrt(squared)
    side = domain.sign(domain.sign(w) + domain.constant(HALF))  # 1 where w is 0: half a turn goes either way
    cosine = side * w
    K = domain.constant(2) * domain.atan(size / (domain.constant(1) + cosine)) / size
    return _Way(squared, cosine, K, side * K)


# joints with a quaternion --------------------------------------------------------------------------------


def _integrated(domain: Domain, q: Vector, v: Vector) -> Vector:
    (point, n), (linear, angular) = parts(q, 4), parts(v, 3)
    u = angular * domain.constant(HALF)
    turn = _turn(domain, u)
    step = vector([*(u * turn.S), turn.cosine])
    if len(point):
        across = cross(u, linear)
        rest = (domain.constant(1) - turn.S * turn.cosine) / turn.squared
        point = point + _rotated(domain, n, linear + across * (turn.S * turn.S) + cross(u, across) * rest)
    return vector([*point, *_product(_unit(domain, n), step)])


def _difference(domain: Domain, first: Vector, last: Vector) -> Vector:
    (start, n), (end, m) = parts(first, 4), parts(last, 4)
    back = _conjugate(n)
    *e, w = _product(_unit(domain, back), _unit(domain, m))
    way = _way(domain, vector(e), w)
    u = vector(e) * way.factor
    x = end - start
    if len(x):
        x = _rotated(domain, back, x)
        rest = (domain.constant(1) - way.K * way.cosine) / way.squared
        x = x - cross(u, x) + cross(e, cross(e, x)) * rest
    return vector([*x, *(u * domain.constant(2))])


def _rotated(domain: Domain, n: Vector, x: Vector) -> Vector:
    """x turned by a quaternion of any length."""
    across = cross(n, x)
    scale = domain.constant(2) / dot(n, n)
    return vector(x + (across * n[3] + cross(n, across)) * scale)


def _product(a: Vector, b: Vector) -> Vector:
    """a ⊗ b."""
    e = b[:3] * a[3] + a[:3] * b[3] + cross(a, b)
    return vector([*e, a[3] * b[3] - dot(a[:3], b[:3])])


def _conjugate(n: Vector) -> Vector:
    return vector([*(-n[:3]), n[3]])


def _unit(domain: Domain, n: Vector) -> Vector:
    """n/|n|."""
    return vector(n * (domain.constant(1) / domain.sqrt(dot(n, n))))


# planar joints -------------------------------------------------------------------------------------------


def _integrated_in_the_plane(domain: Domain, q: Vector, v: Vector) -> Vector:
    half = v[2] * domain.constant(HALF)
    c, s = domain.circle(q[2] + half)
    x, y = v[:2] * _turn(domain, vector([half])).S
    return vector([q[0] + (c * x - s * y), q[1] + (s * x + c * y), q[2] + v[2]])


def _difference_in_the_plane(domain: Domain, first: Vector, last: Vector) -> Vector:
    half = domain.constant(HALF)
    w, e = domain.circle((last[2] - first[2]) * half)
    c, s = domain.circle((first[2] + last[2]) * half)
    factor = _way(domain, vector([e]), w).factor
    x, y = (last[:2] - first[:2]) * factor
    return vector([c * x + s * y, c * y - s * x, domain.constant(2) * (e * factor)])
