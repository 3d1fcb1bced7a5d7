"""Configurations as points of a manifold: q ⊕ v, the v that leads from one q to another, quaternions of length 1.

A free joint moves its link by a twist v = [linear; angular] in the link's own axes for a unit of time, shorter or
longer ones by their multiples: q ⊕ v = q exp(v). All other joints have q + v. With u = ω/2, h = |u| and S = sin h / h
the turn is the quaternion (S u, cos h), and the origin moves by V v in the link's axes before the turn,

    V v = v + S² u × v + (1 − S cos h)/h² u × (u × v).

Back from a quaternion (e, c) with c ≥ 0, which is the shorter way: h = 2 atan(|e|/(1 + c)), u = K e with K = h/|e|, and

    V⁻¹ x = x − u × x + (1 − K c)/|e|² e × (e × x).

In the plane V v is S times v, turned by half the angle, so that the link's axes half-way are all that is needed.

No case is told from another: `TINY` is added to the squares under roots. It is beyond the digits of S and K, and keeps
divisors from 0; what is left of 1 − S cos h, divided by h², may be rounding alone, but the product with u × (u × v) is
then smaller than the rounding of v. Quaternions of any length but 0 stand for those of length 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from symgen.algebra.domain import Domain, Scalar, Vector, cross, dot, variables, vector, zeros
from symgen.mechanics.mechanism import JointPlace, Mechanism

TINY = Fraction(1, 10**24)
"""What is added to squares under roots: (1e-12)², of which no rotation that a quaternion resolves takes notice."""


def integrate(mechanism: Mechanism, q: Vector, v: Vector) -> Vector:
    """q ⊕ v, nq; quaternions have length 1."""
    domain, result = mechanism.domain, zeros(mechanism.domain, len(q))
    for joint in mechanism.joints:
        own, step = q[joint.q], v[joint.v]
        if not joint.kind.is_free:
            result[joint.q] = own + step
        elif joint.is_planar:
            result[joint.q] = _integrated_in_the_plane(domain, own, step)
        else:
            result[joint.q] = _integrated(domain, joint, own, step)
    return result


def difference(mechanism: Mechanism, start: Vector, end: Vector) -> Vector:
    """v, nv, with `start` ⊕ v = `end`, the shorter way round for free joints."""
    domain, result = mechanism.domain, zeros(mechanism.domain, mechanism.nv)
    for joint in mechanism.joints:
        first, last = start[joint.q], end[joint.q]
        if not joint.kind.is_free:
            result[joint.v] = last - first
        elif joint.is_planar:
            result[joint.v] = _difference_in_the_plane(domain, first, last)
        else:
            result[joint.v] = _difference(domain, joint, first, last)
    return result


def normalized(mechanism: Mechanism, q: Vector) -> Vector:
    """q with quaternions of length 1."""
    domain, result = mechanism.domain, q.copy()
    for joint in mechanism.joints:
        quaternion = joint.quaternion
        if quaternion is not None:
            result[quaternion] = _unit(domain, q[quaternion])
    return result


# turns ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Turn:
    """A turn by 2u: h² with what keeps it from 0, S = sin h / h, and cos h."""

    squared: Scalar
    sinc: Scalar
    cosine: Scalar


def _turn(domain: Domain, u: Vector) -> _Turn:
    squared = dot(u, u) + domain.constant(TINY)
    half = domain.sqrt(squared)
    c, s = domain.circle(half)
    return _Turn(squared, s / half, c)


@dataclass(frozen=True)
class _Way:
    """The shorter way to the quaternion (e, w): `factor` makes u of e, K = |u|/|e|, c = |w|, and |e|² but for 0."""

    factor: Scalar
    K: Scalar
    c: Scalar
    squared: Scalar


def _way(domain: Domain, e: Vector, w: Scalar) -> _Way:
    one, half = domain.constant(1), domain.constant(Fraction(1, 2))
    squared = dot(e, e) + domain.constant(TINY)
    size = domain.sqrt(squared)
    side = domain.sign(domain.sign(w) + half)  # 1 where w is 0: half a turn goes either way
    c = w * side
    K = domain.constant(2) * domain.atan(size / (one + c)) / size
    return _Way(K * side, K, c, squared)


# joints with a quaternion --------------------------------------------------------------------------------


def _integrated(domain: Domain, joint: JointPlace, q: Vector, v: Vector) -> Vector:
    quaternion, linear, angular = joint.within_quaternion, joint.linear, joint.angular
    result, u = q.copy(), v[angular] * domain.constant(Fraction(1, 2))
    turn = _turn(domain, u)
    n = q[quaternion]
    step = np.append(u * turn.sinc, turn.cosine)
    result[quaternion] = _unit_product(domain, n, step)
    if linear is not None:
        across = cross(u, v[linear])
        rest = (domain.constant(1) - turn.sinc * turn.cosine) / turn.squared
        moved = v[linear] + across * (turn.sinc * turn.sinc) + cross(u, across) * rest
        result[joint.point] = q[joint.point] + _rotated(domain, n, moved)
    return result


def _difference(domain: Domain, joint: JointPlace, first: Vector, last: Vector) -> Vector:
    result = zeros(domain, joint.kind.nv)
    n = _conjugate(first[joint.within_quaternion])
    product = _product(n, last[joint.within_quaternion])
    length = _length(domain, n) * _length(domain, last[joint.within_quaternion])
    turned = product / length
    e = turned[:3]
    way = _way(domain, e, turned[3])
    u = e * way.factor
    result[joint.angular] = u * domain.constant(2)
    if joint.linear is not None:
        x = _rotated(domain, n, last[joint.point] - first[joint.point])
        rest = (domain.constant(1) - way.K * way.c) / way.squared
        result[joint.linear] = x - cross(u, x) + cross(e, cross(e, x)) * rest
    return result


def _rotated(domain: Domain, q: Vector, x: Vector) -> Vector:
    """x turned by a quaternion of any length."""
    across = cross(q[:3], x)
    scale = domain.constant(2) / dot(q, q)
    return vector(x + (across * q[3] + cross(q[:3], across)) * scale)


def _product(a: Vector, b: Vector) -> Vector:
    """a ⊗ b."""
    e = b[:3] * a[3] + a[:3] * b[3] + cross(a[:3], b[:3])
    return np.append(e, a[3] * b[3] - dot(a[:3], b[:3]))


def _unit_product(domain: Domain, a: Vector, b: Vector) -> Vector:
    """a/|a| ⊗ b."""
    return _product(_unit(domain, a), b)


def _conjugate(q: Vector) -> Vector:
    return np.append(-q[:3], q[3])


def _length(domain: Domain, q: Vector) -> Scalar:
    return domain.sqrt(dot(q, q))


def _unit(domain: Domain, q: Vector) -> Vector:
    return q * (domain.constant(1) / _length(domain, q))


# planar joints -------------------------------------------------------------------------------------------


def _integrated_in_the_plane(domain: Domain, q: Vector, v: Vector) -> Vector:
    half = v[2] * domain.constant(Fraction(1, 2))
    c, s = domain.circle(q[2] + half)
    sinc = _turn(domain, vector([half])).sinc
    x, y = v[0] * sinc, v[1] * sinc
    return vector([q[0] + (c * x - s * y), q[1] + (s * x + c * y), q[2] + v[2]])


def _difference_in_the_plane(domain: Domain, first: Vector, last: Vector) -> Vector:
    half = domain.constant(Fraction(1, 2))
    w, e = domain.circle((last[2] - first[2]) * half)
    way = _way(domain, vector([e]), w)
    c, s = domain.circle((first[2] + last[2]) * half)
    x, y = (last[:2] - first[:2]) * way.factor
    return vector([c * x + s * y, c * y - s * x, e * way.factor * domain.constant(2)])


def variables_of(mechanism: Mechanism, name: str, *, velocities: bool = False) -> Vector:
    """An input of configurations, nq, or of velocities, nv."""
    nq = max((joint.q.stop for joint in mechanism.joints), default=0)
    return variables(mechanism.domain, name, mechanism.nv if velocities else nq)
