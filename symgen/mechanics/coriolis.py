"""The Coriolis matrix C with İ − 2C skew and C q̇ = h, by composite bodies in link frames.

A body's part of the convective inertia is B = ½ (v ×* M − M v × + (M v) ×̄*), after Echeandia and Wensing (2021). With
mass m, first moment s, tensor J about the frame's origin, ω and v of that origin, it is as sparse as

    B = [ω × (J − ½ tr J 1) − (s × 1)(v × 1)   O]
        [−l × 1                                O],   l = m v + ω × s the momentum,

so that a composite body needs only the 3×3 block T and the momentum l. The columns of C belong to Christoffel's
symbols.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, cross_matrix, dot, vector, zeros
from symgen.mechanics.articulated import _product as matrix_product
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.kinematics import Twist, twists
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import carry
from symgen.robot.model import BASE


@dataclass(frozen=True)
class ConvectiveInertia:
    """Blocks of a composite body's B: T (moment per angular velocity) and the momentum l."""

    T: Matrix
    momentum: Vector


def coriolis_matrix(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Matrix:
    """C, nv × nv, at q and q̇."""
    domain = mechanism.domain
    matrix = zeros(domain, mechanism.nv, mechanism.nv)
    motion = twists(mechanism, velocity)
    masses = [body.inertia for body in mechanism.bodies]
    rates = [_body(domain, body.inertia, twist) for body, twist in zip(mechanism.bodies, motion, strict=True)]
    for index in reversed(range(len(mechanism.bodies))):
        body = mechanism.bodies[index]
        _fill(mechanism, matrix, index, motion, masses[index], rates[index])
        if body.parent != BASE:
            masses[body.parent] = masses[body.parent] + masses[index].moved(body.rotation, body.position)
            rates[body.parent] = _sum(rates[body.parent], _moved(mechanism, index, rates[index]))
    return matrix


def _body(domain: Domain, inertia: SpatialInertia, twist: Twist) -> ConvectiveInertia:
    w, v, s = twist.angular, twist.linear, inertia.first_moment
    half_trace = (
        domain.constant(1) / domain.constant(2) * (inertia.tensor[0, 0] + inertia.tensor[1, 1] + inertia.tensor[2, 2])
    )
    shape = inertia.tensor.copy()
    for i in range(3):
        shape[i, i] = shape[i, i] - half_trace
    T = matrix_product(cross_matrix(w), shape) - matrix_product(cross_matrix(s), cross_matrix(v))
    return ConvectiveInertia(T, v * inertia.mass + cross(w, s))


def _moved(mechanism: Mechanism, index: int, rate: ConvectiveInertia) -> ConvectiveInertia:
    """Seen from the parent's frame: T − (p × 1)(l × 1)."""
    body = mechanism.bodies[index]
    momentum = body.rotation.outward(rate.momentum)
    T = body.rotation.outward_matrix(rate.T)
    return ConvectiveInertia(T - matrix_product(cross_matrix(body.position), cross_matrix(momentum)), momentum)


def _sum(a: ConvectiveInertia, b: ConvectiveInertia) -> ConvectiveInertia:
    return ConvectiveInertia(a.T + b.T, a.momentum + b.momentum)


def _rate_of_column(twist: Twist, column: Vector) -> tuple[Vector, Vector]:
    """Ṡ = t × S: (angular, linear) rate of a column that is fixed in its body."""
    angular = cross(twist.angular, column[:3])
    linear = cross(twist.angular, column[3:]) + cross(twist.linear, column[:3])
    return angular, linear


def _apply(rate: ConvectiveInertia, column: Vector) -> tuple[Vector, Vector]:
    """B S as (moment, force)."""
    w = column[:3]
    return vector([dot(row, w) for row in rate.T]), cross(w, rate.momentum)


def _apply_transposed(domain: Domain, rate: ConvectiveInertia, column: Vector) -> tuple[Vector, Vector]:
    """Bᵀ S as (moment, force)."""
    w, v = column[:3], column[3:]
    moment = vector([dot(rate.T[:, i], w) for i in range(3)]) + cross(rate.momentum, v)
    return moment, zeros(domain, 3)


def _fill(
    mechanism: Mechanism,
    matrix: Matrix,
    index: int,
    motion: Sequence[Twist],
    mass: SpatialInertia,
    rate: ConvectiveInertia,
) -> None:
    """Entries (i, j) and (j, i) for the columns j of body `index` and i of the bodies that carry it."""
    domain = mechanism.domain
    body = mechanism.bodies[index]
    for column, j in zip(body.subspace, body.velocities, strict=True):
        direct = _add(mass.wrench(*_rate_of_column(motion[index], column)), _apply(rate, column))
        push = mass.wrench(column[:3], column[3:])
        back = _apply_transposed(domain, rate, column)
        k = index
        while k != BASE:
            carrier = mechanism.bodies[k]
            for inner, i in zip(carrier.subspace, carrier.velocities, strict=True):
                matrix[i, j] = domain.define(f"C{i + 1}_{j + 1}", _work(inner, direct))
                if k != index:
                    turning = vector([*_rate_of_column(motion[k], inner)[0], *_rate_of_column(motion[k], inner)[1]])
                    entry = _work(turning, push) + _work(inner, back)
                    matrix[j, i] = domain.define(f"C{j + 1}_{i + 1}", entry)
            if carrier.parent != BASE:
                direct, push, back = (carry(domain, carrier, *wrench) for wrench in (direct, push, back))
            k = carrier.parent


def _add(a: tuple[Vector, Vector], b: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
    return a[0] + b[0], a[1] + b[1]


def _work(column: Vector, wrench: tuple[Vector, Vector]) -> Scalar:
    return dot(column[:3], wrench[0]) + dot(column[3:], wrench[1])
