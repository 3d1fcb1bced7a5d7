"""Forward dynamics in O(n) by articulated-body inertias (Saha, recursive dynamics algorithms, eqs. (19) to (21)).

The 6×6 inertia M̂ᵢ of the articulated body i is kept as 3×3 blocks in the body's frame:
[n; f] = [I H; Hᵀ M] [ω̇; v̇]. A joint of several columns is eliminated column by column, from the last to the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, cross_matrix, dot, vector, zeros
from symgen.mechanics.factorization import reciprocal
from symgen.mechanics.inertia import SpatialInertia, add_symmetric
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import carry, named
from symgen.robot.model import BASE


@dataclass(frozen=True)
class ArticulatedInertia:
    """Blocks of M̂: angular I (symmetric), coupling H, linear M (symmetric)."""

    angular: Matrix
    coupling: Matrix
    linear: Matrix

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        return ArticulatedInertia(
            add_symmetric(self.angular, other.angular),
            self.coupling + other.coupling,
            add_symmetric(self.linear, other.linear),
        )

    def times(self, column: Vector) -> Vector:
        """M̂ p as [n; f], 6, for a column [ω; v], in the body's frame about its origin (eq. (19c))."""
        w, v = column[:3], column[3:]
        moment = [dot(self.angular[i], w) + dot(self.coupling[i], v) for i in range(3)]
        force = [dot(self.coupling[:, i], w) + dot(self.linear[i], v) for i in range(3)]
        return vector(moment + force)

    def less(self, a: Vector, b: Vector) -> ArticulatedInertia:
        """M̂ − a bᵀ, where a bᵀ is symmetric (eq. (19d))."""
        angular, linear, coupling = self.angular.copy(), self.linear.copy(), self.coupling.copy()
        for i in range(3):
            for j in range(i, 3):
                angular[i, j] = angular[j, i] = angular[i, j] - a[i] * b[j]
                linear[i, j] = linear[j, i] = linear[i, j] - a[i + 3] * b[j + 3]
            for j in range(3):
                coupling[i, j] = coupling[i, j] - a[i] * b[j + 3]
        return ArticulatedInertia(angular, coupling, linear)

    def moved(self, body: Body) -> ArticulatedInertia:
        """Seen from the parent's frame, about the parent's origin: Aᵀ M̂ A (eq. (19d))."""
        p = cross_matrix(body.position)
        linear = body.rotation.to_parent_symmetric(self.linear)
        coupling = body.rotation.to_parent_matrix(self.coupling)
        shifted = coupling + matrix_product(p, linear)
        change = matrix_product(p, shifted.T) - matrix_product(coupling, p)
        angular = add_symmetric(body.rotation.to_parent_symmetric(self.angular), change)
        return ArticulatedInertia(angular, shifted, linear)


def matrix_product(a: Matrix, b: Matrix) -> Matrix:
    """a b of 3×3 matrices, entry by entry, so that zeros stay out of the sums."""
    result = a.copy()
    for i in range(3):
        for j in range(3):
            result[i, j] = dot(a[i], b[:, j])
    return result


def rigid(domain: Domain, inertia: SpatialInertia) -> ArticulatedInertia:
    """The blocks of a rigid body about its frame's origin, 3×3 each: J, m c × 1 and m 1 (Saha, eq. (4))."""
    linear = zeros(domain, 3, 3)
    for i in range(3):
        linear[i, i] = inertia.mass
    return ArticulatedInertia(inertia.tensor, cross_matrix(inertia.first_moment), linear)


@dataclass(frozen=True)
class _Eliminated:
    """What the forward sweep needs of one joint column: its index, p, ψ and φ̂ / m̂."""

    index: int
    column: Vector
    psi: Vector
    drive: Scalar


def forward_dynamics(mechanism: Mechanism, forces: Sequence[Scalar]) -> list[Scalar]:
    """q̈, nv (rad/s² or m/s²), for `forces` φ = τ − h − gravity, nv (N m or N), in O(n) (eqs. (19a) to (21b)).

    Raises `ZeroPivotError` where the inertia of a joint is the constant 0.
    """
    domain = mechanism.domain
    inertias = [rigid(domain, body.inertia) for body in mechanism.bodies]
    wrenches = [zeros(domain, 6) for _ in mechanism.bodies]
    eliminated: list[list[_Eliminated]] = [[] for _ in mechanism.bodies]
    for index in reversed(range(len(mechanism.bodies))):
        body = mechanism.bodies[index]
        inertia, wrench = inertias[index], wrenches[index]
        for column, i in reversed(list(zip(body.subspace, body.velocities, strict=True))):
            psi_hat = inertia.times(column)
            _, inverse = reciprocal(domain, i, dot(column, psi_hat) + body.drive.rotor_inertia)
            psi = named_wrench(domain, f"psi{i + 1}", psi_hat * inverse)
            rest = domain.define(f"phi{i + 1}", forces[i] - dot(column, wrench))
            inertia = inertia.less(psi_hat, psi)
            wrench = wrench + psi * rest
            eliminated[index].insert(0, _Eliminated(i, column, psi, rest * inverse))
        if body.parent != BASE:
            parent = mechanism.bodies[body.parent]
            inertias[body.parent] = named_blocks(domain, parent, inertias[body.parent] + inertia.moved(body))
            moment, force = carry(domain, body, wrench[:3], wrench[3:])
            total = wrenches[body.parent] + vector([*moment, *force])
            wrenches[body.parent] = named_wrench(domain, f"eta{parent.label}", total)
    return _accelerations(mechanism, eliminated)


def _accelerations(mechanism: Mechanism, eliminated: list[list[_Eliminated]]) -> list[Scalar]:
    """The forward sweep: q̈ᵢ = φ̂ᵢ/m̂ᵢ − ψᵢᵀ μ̃ᵢ (eqs. (21a), (21b))."""
    domain = mechanism.domain
    result: list[Scalar] = [None] * mechanism.nv
    motions: list[Vector] = []
    for body, columns in zip(mechanism.bodies, eliminated, strict=True):
        motion = carried_motion(mechanism, body, motions)
        for item in columns:
            result[item.index] = domain.define(f"qdd{item.index + 1}", item.drive - dot(item.psi, motion))
            motion = motion + item.column * result[item.index]
        motions.append(named_wrench(domain, f"mu{body.label}", motion))
    return result


def carried_motion(mechanism: Mechanism, body: Body, motions: Sequence[Vector]) -> Vector:
    """A_i,i−1 μ̃: the part of a body's twist rate, 6, that it has of its carrier; `motions` are the earlier bodies'."""
    if body.parent == BASE:
        return zeros(mechanism.domain, 6)
    outer = motions[body.parent]
    linear = outer[3:] + cross(outer[:3], body.position)
    return vector([*body.rotation.to_child(outer[:3]), *body.rotation.to_child(linear)])


def named_wrench(domain: Domain, name: str, values: Vector) -> Vector:
    """A vector of 6 with its entries named."""
    return vector([*named(domain, f"{name}_n", values[:3]), *named(domain, f"{name}_f", values[3:])])


def named_blocks(domain: Domain, body: Body, inertia: ArticulatedInertia) -> ArticulatedInertia:
    """The inertia with its entries named after the body."""
    blocks = []
    for letter, block in (("I", inertia.angular), ("H", inertia.coupling), ("M", inertia.linear)):
        result = block.copy()
        for i in range(3):
            for j in range(3):
                same = letter != "H" and j < i
                name = f"{letter}{body.label}hat_{'xyz'[i]}{'xyz'[j]}"
                result[i, j] = result[j, i] if same else domain.define(name, block[i, j])
        blocks.append(result)
    return ArticulatedInertia(*blocks)
