"""Matrices of convective inertia, MCI, with C q̇ = h, by composite bodies in link frames.

A body adds the wrench M Ṡ + B S for every joint column S that moves it, with Ṡ = t × S. With mass m, first moment s,
tensor J about the frame's origin, ω and v of that origin, every B of interest is as sparse as

    B = [ω × (J − λ 1) − (s × 1)(v × 1)   O]
        [L                                O]

so that a composite body needs only two 3×3 blocks. There are three forms:

- Christoffel's symbols: λ = ½ tr J, L = −l × 1 with l = m v + ω × s the momentum (Echeandia and Wensing 2021); İ − 2C
  is skew, and C is the matrix that passivity-based control is written with;
- the mass-centre form, Nᵀ (M Ṅ + W M E N) about C_i (Saha 1999, eq. (29), with Ṁ read as W M E; the time derivative
  of M is another matrix, with the same C q̇): λ = m c·c, L = −l × 1; İ − 2C is skew too, since ω × 1 is and so any λ
  keeps that;
- the same product about O_i (Saha, recursive dynamics algorithms, eq. (16a)): λ = 0, L = −m v × 1 − (ω × 1)(s × 1);
  İ − 2C is not skew (see `convective`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, cross_matrix, dot, is_zero, vector, zeros
from symgen.mechanics.articulated import matrix_product
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.kinematics import Twist, twists
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import carry
from symgen.mechanics.reference_points import mass_centre
from symgen.robot.model import BASE


class Part(Protocol):
    """The B of a body or a composite body, in link axes about the frame's origin."""

    def __add__(self, other: Any) -> Any:
        """The B of both together."""

    def moved(self, domain: Domain, body: Body) -> Any:
        """Seen from the parent's frame."""

    def apply(self, column: Vector) -> tuple[Vector, Vector]:
        """B S as (moment, force)."""

    def apply_transposed(self, domain: Domain, column: Vector) -> tuple[Vector, Vector]:
        """Bᵀ S as (moment, force)."""


@dataclass(frozen=True)
class MomentumPart:
    """A part with L = −l × 1: T, and the momentum l."""

    T: Matrix
    momentum: Vector

    def __add__(self, other: MomentumPart) -> MomentumPart:
        return MomentumPart(self.T + other.T, self.momentum + other.momentum)

    def moved(self, domain: Domain, body: Body) -> MomentumPart:
        """Seen from the parent's frame: T − (p × 1)(l × 1)."""
        momentum = body.rotation.to_parent(self.momentum)
        T = body.rotation.to_parent_matrix(self.T)
        return MomentumPart(T - matrix_product(cross_matrix(body.position), cross_matrix(momentum)), momentum)

    def apply(self, column: Vector) -> tuple[Vector, Vector]:
        """B S as (moment, force)."""
        w = column[:3]
        return vector([dot(row, w) for row in self.T]), cross(w, self.momentum)

    def apply_transposed(self, domain: Domain, column: Vector) -> tuple[Vector, Vector]:
        """Bᵀ S as (moment, force)."""
        w, v = column[:3], column[3:]
        moment = vector([dot(self.T[:, i], w) for i in range(3)]) + cross(self.momentum, v)
        return moment, zeros(domain, 3)


def coriolis_matrix(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Matrix:
    """C by Christoffel's symbols, nv × nv, at q and q̇ = `velocity`, nv: C q̇ = h (N m or N), and İ − 2C is skew.

    Of the links alone; see Echeandia and Wensing (2021).
    """
    return composed(mechanism, velocity, christoffel_part)


def mass_centre_matrix(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Matrix:
    """C = Nᵀ (M Ṅ + W M E N) about the mass centres, nv × nv, at q and q̇ = `velocity`, nv (Saha 1999, eq. (29)).

    C q̇ = h (N m or N), and İ − 2C is skew.
    """
    return composed(mechanism, velocity, _about_mass_centre)


def composed(
    mechanism: Mechanism, velocity: Sequence[Scalar], part: Callable[[Domain, SpatialInertia, Twist], Part]
) -> Matrix:
    """C, nv × nv, at q and q̇ = `velocity`, nv, of the composite bodies made of the given parts."""
    domain = mechanism.domain
    matrix = zeros(domain, mechanism.nv, mechanism.nv)
    motion = twists(mechanism, velocity)
    masses = [body.inertia for body in mechanism.bodies]
    rates: list[Any] = [part(domain, body.inertia, twist) for body, twist in zip(mechanism.bodies, motion, strict=True)]
    for index in reversed(range(len(mechanism.bodies))):
        body = mechanism.bodies[index]
        _fill(mechanism, matrix, index, motion, masses[index], rates[index])
        if body.parent != BASE:
            masses[body.parent] = masses[body.parent] + masses[index].moved(body.rotation, body.position)
            rates[body.parent] = rates[body.parent] + rates[index].moved(domain, body)
    return matrix


def christoffel_part(domain: Domain, inertia: SpatialInertia, twist: Twist) -> MomentumPart:
    """The part of a body in the matrix of Christoffel's symbols: λ = ½ tr J."""
    tensor = inertia.tensor
    half_trace = domain.constant(1) / domain.constant(2) * (tensor[0, 0] + tensor[1, 1] + tensor[2, 2])
    return momentum_part(inertia, twist, half_trace)


def _about_mass_centre(domain: Domain, inertia: SpatialInertia, twist: Twist) -> MomentumPart:
    return momentum_part(inertia, twist, dot(inertia.first_moment, mass_centre(domain, inertia)))


def momentum_part(inertia: SpatialInertia, twist: Twist, shift: Scalar) -> MomentumPart:
    """The part with λ = `shift` and L = −l × 1."""
    w, v, s = twist.angular, twist.linear, inertia.first_moment
    shape = inertia.tensor.copy()
    for i in range(3):
        shape[i, i] = shape[i, i] - shift
    T = matrix_product(cross_matrix(w), shape) - matrix_product(cross_matrix(s), cross_matrix(v))
    return MomentumPart(T, v * inertia.mass + cross(w, s))


def rate_of_column(twist: Twist, column: Vector) -> tuple[Vector, Vector]:
    """Ṡ = t × S: (angular, linear) rate of a column that is fixed in its body."""
    angular = cross(twist.angular, column[:3])
    linear = cross(twist.angular, column[3:]) + cross(twist.linear, column[:3])
    return angular, linear


def _fill(
    mechanism: Mechanism,
    matrix: Matrix,
    index: int,
    motion: Sequence[Twist],
    mass: SpatialInertia,
    rate: Part,
) -> None:
    """Entries (i, j) and (j, i) for the columns j of body `index` and i of the bodies that carry it."""
    domain = mechanism.domain
    body = mechanism.bodies[index]
    for column, j in zip(body.subspace, body.velocities, strict=True):
        direct = _add(mass.wrench(*rate_of_column(motion[index], column)), rate.apply(column))
        push = mass.wrench(column[:3], column[3:])
        back = rate.apply_transposed(domain, column)
        k = index
        while k != BASE:
            carrier = mechanism.bodies[k]
            for inner, i in zip(carrier.subspace, carrier.velocities, strict=True):
                _put(domain, matrix, i, j, _work(inner, direct))
                if k != index:
                    turning = vector([*rate_of_column(motion[k], inner)[0], *rate_of_column(motion[k], inner)[1]])
                    entry = _work(turning, push) + _work(inner, back)
                    _put(domain, matrix, j, i, entry)
            if carrier.parent != BASE:
                direct, push, back = (carry(domain, carrier, *wrench) for wrench in (direct, push, back))
            k = carrier.parent


def _put(domain: Domain, matrix: Matrix, i: int, j: int, entry: Scalar) -> None:
    """Adds an entry, named: joints that move together share one."""
    matrix[i, j] = domain.define(f"C{i + 1}_{j + 1}", entry if is_zero(matrix[i, j]) else matrix[i, j] + entry)


def _add(a: tuple[Vector, Vector], b: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
    return a[0] + b[0], a[1] + b[1]


def _work(column: Vector, wrench: tuple[Vector, Vector]) -> Scalar:
    return dot(column[:3], wrench[0]) + dot(column[3:], wrench[1])
