"""Hybrid dynamics: some joints have their accelerations given, the others their forces (Khalil 2010, sections 6 and 7).

With f the joint forces were the other joints not accelerated, and indices g where accelerations are given and o of the
others, I_oo q̈_o = τ_o − f_o, and then τ_g = f_g + I_go q̈_o.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, dot, vector, zeros
from symgen.mechanics import articulated, factorization
from symgen.mechanics.articulated import ArticulatedInertia, named_blocks, named_wrench, rigid
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import carry
from symgen.robot.model import BASE


@dataclass(frozen=True)
class Split:
    """The indices of the velocities whose accelerations are given, and of the others, in order."""

    given: tuple[int, ...]
    others: tuple[int, ...]

    @staticmethod
    def of(given: Sequence[int], count: int) -> Split:
        """The split of `count` velocities."""
        return Split(tuple(given), tuple(index for index in range(count) if index not in given))


def by_factors(
    domain: Domain, matrix: Matrix, split: Split, tau: Sequence[Scalar], resting: Sequence[Scalar]
) -> list[Vector]:
    """(q̈ of the others, τ of those given) from I_oo = U D Uᵀ of the inertia matrix I, n×n.

    `tau` of the others, `resting` is f, n (N m or N). Raises `ZeroPivotError` where the inertia of a joint is the
    constant 0.
    """
    inner = matrix[list(split.others)][:, list(split.others)]
    factors = factorization.factorize(domain, inner, split.others)
    left = [force - resting[index] for index, force in zip(split.others, tau, strict=True)]
    found = [
        domain.define(f"qdd{index + 1}", value)
        for index, value in zip(split.others, factorization.solve(factors, left), strict=True)
    ]
    forces = []
    for index in split.given:
        coupling = [matrix[index, other] for other in split.others]
        forces.append(domain.define(f"tau{index + 1}", resting[index] + dot(vector(coupling), vector(found))))
    return [vector(found), vector(forces)]


@dataclass(frozen=True)
class _Joint:
    """What the forward sweep needs of one joint column: its index, p, M̂ p or ψ, and φ̂/m̂ or what is left of τ."""

    index: int
    column: Vector
    psi: Vector
    rest: Scalar


def by_articulation(
    mechanism: Mechanism,
    split: Split,
    tau: Sequence[Scalar],
    qdd: Sequence[Scalar],
    bias: Sequence[Scalar],
) -> list[Vector]:
    """(q̈ of the others, τ of those given) in O(n); `bias` are the joint forces at q̈ = 0, nv (N m or N).

    A joint whose acceleration is given hands its whole inertia on, and the wrench M̂ p q̈ with it; the others give up
    what they do not resist, as in forward dynamics.
    """
    domain = mechanism.domain
    driving = dict(zip(split.others, tau, strict=True))
    pushed = dict(zip(split.given, qdd, strict=True))
    inertias = [rigid(domain, body.inertia) for body in mechanism.bodies]
    wrenches = [zeros(domain, 6) for _ in mechanism.bodies]
    swept: list[list[_Joint]] = [[] for _ in mechanism.bodies]
    for number in reversed(range(len(mechanism.bodies))):
        body = mechanism.bodies[number]
        inertia, wrench, carried = inertias[number], wrenches[number], wrenches[number]
        for column, i in reversed(list(zip(body.subspace, body.velocities, strict=True))):
            psi_hat = inertia.times(column)
            if i in pushed:
                rest = bias[i] + dot(column, carried) + body.drive.rotor_inertia * pushed[i]
                swept[number].insert(0, _Joint(i, column, psi_hat, rest))
                wrench = wrench + psi_hat * pushed[i]
                continue
            _, inverse = factorization.reciprocal(domain, i, dot(column, psi_hat) + body.drive.rotor_inertia)
            psi = named_wrench(domain, f"psi{i + 1}", psi_hat * inverse)
            rest = domain.define(f"phi{i + 1}", driving[i] - bias[i] - dot(column, wrench))
            inertia = inertia.less(psi_hat, psi)
            wrench = wrench + psi * rest
            swept[number].insert(0, _Joint(i, column, psi, rest * inverse))
        if body.parent != BASE:
            _hand_on(mechanism, body, inertia, wrench, inertias, wrenches)
    return _outward(mechanism, split, pushed, swept)


def _hand_on(
    mechanism: Mechanism,
    body: Body,
    inertia: ArticulatedInertia,
    wrench: Vector,
    inertias: list[ArticulatedInertia],
    wrenches: list[Vector],
) -> None:
    """Add an articulated body's inertia and wrench to those of its parent."""
    domain, parent = mechanism.domain, mechanism.bodies[body.parent]
    inertias[body.parent] = named_blocks(domain, parent, inertias[body.parent] + inertia.moved(body))
    moment, force = carry(domain, body, wrench[:3], wrench[3:])
    total = wrenches[body.parent] + vector([*moment, *force])
    wrenches[body.parent] = named_wrench(domain, f"eta{parent.label}", total)


def _outward(
    mechanism: Mechanism, split: Split, pushed: dict[int, Scalar], swept: Sequence[Sequence[_Joint]]
) -> list[Vector]:
    """The forward sweep: q̈_i = φ̂_i/m̂_i − ψ_iᵀ μ_i, or τ_i = p_iᵀ (M̂_i μ_i + what is carried)."""
    domain = mechanism.domain
    found: dict[int, Scalar] = {}
    motions: list[Vector] = []
    for body, joints in zip(mechanism.bodies, swept, strict=True):
        motion = articulated.carried_motion(mechanism, body, motions)
        for joint in joints:
            if joint.index not in pushed:
                value = joint.rest - dot(joint.psi, motion)
                found[joint.index] = domain.define(f"qdd{joint.index + 1}", value)
            motion = motion + joint.column * pushed.get(joint.index, found.get(joint.index))
        for joint in joints:
            if joint.index in pushed:
                value = joint.rest + dot(joint.psi, motion)
                found[joint.index] = domain.define(f"tau{joint.index + 1}", value)
        motions.append(named_wrench(domain, f"mu{body.label}", motion))
    return [vector(found[index] for index in split.others), vector(found[index] for index in split.given)]
