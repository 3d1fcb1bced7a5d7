"""What each function of configurations is, by matrices: of quaternion products, of turns, and of what these move.

Roots, sines, signs and arc tangents are functions that nothing is known of here, but that equal numbers have equal
values; so `TINY` stands in the claims, too. How near it is to the exponential is for verification to say.
"""

from __future__ import annotations

from symgen.algebra.domain import Matrix, Scalar, Vector, cross_matrix, dot, identity, vector, zeros
from symgen.algebra.prime import Element, PrimeField
from symgen.mechanics.configuration import HALF, TINY, has_quaternion, parts
from symgen.mechanics.mechanism import JointPlace
from symgen.mechanics.quaternion import orientation
from symgen.prove.claim import Claim, Form, equal


def _integrate(claim: Claim) -> bool:
    q, v, found = claim.variables("q"), claim.variables("v"), claim.outputs[0]
    return all(_is_integrated(claim.point.field, each, q[each.q], v[each.v], found[each.q]) for each in _joints(claim))


def _difference(claim: Claim) -> bool:
    q0, q1, found = claim.variables("q0"), claim.variables("q1"), claim.outputs[0]
    return all(_is_between(claim.point.field, each, q0[each.q], q1[each.q], found[each.v]) for each in _joints(claim))


def _normalize(claim: Claim) -> bool:
    q, found, field = claim.variables("q"), claim.outputs[0], claim.point.field
    expected = q.copy()
    for joint in _joints(claim):
        if has_quaternion(joint):
            _, n = parts(q[joint.q], 4)
            found[joint.q][-4:] = found[joint.q][-4:] * field.sqrt(dot(n, n))
    return equal(found, expected)


def _joints(claim: Claim) -> tuple[JointPlace, ...]:
    return claim.form.mechanism.joints


def _is_integrated(field: PrimeField, joint: JointPlace, q: Vector, v: Vector, found: Vector) -> bool:
    if not joint.kind.is_free:
        return equal(found, q + v)
    if not has_quaternion(joint):
        c, s = _circle(field, field.composed(_point(field, q[2]), _point(field, v[2], halved=True)))
        _, S, _ = _turn(field, vector([v[2] * HALF]))
        moved = _plane(c, s).dot(v[:2]) * S
        return equal(found, vector([*(q[:2] + moved), q[2] + v[2]]))
    (point, n), (linear, angular) = parts(q, 4), parts(v, 3)
    squared, S, c = _turn(field, angular * HALF)
    step = vector([*(angular * HALF * S), c])
    if not equal(found[-4:] * field.sqrt(dot(n, n)), _left(field, n).dot(step)):
        return False
    if not len(point):
        return True
    H = cross_matrix(angular * HALF)
    V = identity(field, 3) + H * (S * S) + H.dot(H) * ((field.constant(1) - S * c) / squared)
    return equal(found[:3], point + _rotation(field, n).dot(V).dot(linear))


def _is_between(field: PrimeField, joint: JointPlace, q0: Vector, q1: Vector, found: Vector) -> bool:
    if not joint.kind.is_free:
        return equal(found, q1 - q0)
    if not has_quaternion(joint):
        start, end = (_point(field, q[2], halved=True) for q in (q0, q1))
        w, e = _circle(field, field.composed(end, field.opposite(start)))
        _, _, K, side = _way(field, vector([e]), w)
        inward = _plane(*_circle(field, field.composed(start, end))).T
        return equal(found, vector([*(inward.dot(q1[:2] - q0[:2]) * (K * side)), e * K * side * 2]))
    (start_point, n), (end_point, m) = parts(q0, 4), parts(q1, 4)
    lengths = field.sqrt(dot(n, n)) * field.sqrt(dot(m, m))
    between = _left(field, n).T.dot(m) * (field.constant(1) / lengths)
    squared, c, K, side = _way(field, between[:3], between[3])
    u = between[:3] * (K * side)
    if not equal(found[-3:], u * 2):
        return False
    if not len(start_point):
        return True
    E = cross_matrix(between[:3])
    back = identity(field, 3) - cross_matrix(u) + E.dot(E) * ((field.constant(1) - K * c) / squared)
    return equal(found[:3], back.dot(_rotation(field, n).T).dot(end_point - start_point))


# what both are made of -------------------------------------------------------------------------------------


def _turn(field: PrimeField, u: Vector) -> tuple[Scalar, Scalar, Scalar]:
    """h² = |u|² + TINY, sin h / h and cos h."""
    squared = dot(u, u) + TINY
    h = field.sqrt(squared)
    c, s = field.circle(h)
    return squared, s / h, c


def _way(field: PrimeField, e: Vector, w: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """|e|² + TINY, |w|, K = 2 atan(|e|/(1 + |w|))/|e|, and the side of w."""
    squared = dot(e, e) + TINY
    size, side = field.sqrt(squared), field.sign(field.sign(w) + HALF)
    return squared, w * side, field.atan(size / (w * side + 1)) * 2 / size, side


def _point(field: PrimeField, angle: Element, *, halved: bool = False) -> tuple[int, int]:
    return field.value_point(angle.value, HALF) if halved else field.value_point(angle.value)


def _circle(field: PrimeField, point: tuple[int, int]) -> tuple[Element, Element]:
    return Element(field, point[0]), Element(field, point[1])


def _plane(c: Scalar, s: Scalar) -> Matrix:
    matrix: Matrix = vector([c, -s, s, c]).reshape(2, 2)
    return matrix


def _left(field: PrimeField, n: Vector) -> Matrix:
    """The matrix of n ⊗; its transpose is that of the conjugate."""
    matrix = zeros(field, 4, 4)
    matrix[:3, :3], matrix[:3, 3], matrix[3, :3] = cross_matrix(n[:3]), n[:3], -n[:3]
    result: Matrix = matrix + identity(field, 4) * n[3]
    return result


def _rotation(field: PrimeField, n: Vector) -> Matrix:
    return orientation(field, (*n, field.constant(2) / dot(n, n))).matrix


_FREE = "of free joints"

FORMS = (
    Form("integrate", f"q + v; {_FREE} q times the turn and shift of v, |w|^2 with 4e-24 more", _integrate),
    Form("difference", f"q1 - q0; {_FREE} the logarithm of q0 to q1, |sin(|w|/2)|^2 with 1e-24 more", _difference),
    Form("normalize", "q, its quaternions divided by their lengths", _normalize),
)
