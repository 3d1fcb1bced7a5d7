"""İ, the rate of the generalized inertia matrix, by the rates of composite bodies in link frames.

Entry (i, j) of I is S_iᵀ F with F = M̃ S_j, carried from the outer joint's frame inward (see `composite`). In the frame
of its own link M̃ changes as what it carries moves beneath it; seen from the carrier, which a joint moves it past by the
twist ν = S q̇, a wrench gains ν ×* F and an inertia ν ×* M̃ − M̃ ν ×. No linear velocity nor momentum enters, and what
moves with the outer joint alone does not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, cross_matrix, zeros
from symgen.mechanics.articulated import matrix_product
from symgen.mechanics.composite import Carried, fill, named_inertia
from symgen.mechanics.inertia import SpatialInertia, no_inertia
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.newton_euler import carry, joint_motion, named
from symgen.robot.model import BASE


def inertia_rate(mechanism: Mechanism, velocity: Sequence[Scalar]) -> Matrix:
    """İ, nv × nv, symmetric, at q̇ = `velocity`, nv; İ = C + Cᵀ with C by Christoffel's symbols.

    Entries in kg m²/s between joints that turn, kg/s between those that slide, kg m/s between one and the other.
    """
    domain = mechanism.domain
    matrix = zeros(domain, mechanism.nv, mechanism.nv)
    masses = [body.inertia for body in mechanism.bodies]
    rates = [no_inertia(domain)] * len(masses)
    for index in reversed(range(len(masses))):
        body = mechanism.bodies[index]
        for column, j in zip(body.subspace, body.velocities, strict=True):
            wrench, rate = (each[index].wrench(column[:3], column[3:]) for each in (masses, rates))
            fill(mechanism, matrix, "Id", j, _carried(mechanism, index, wrench, rate, velocity))
        if body.parent != BASE:
            outer, moved = mechanism.bodies[body.parent], _passed(domain, body, masses[index], velocity)
            masses[body.parent] = named_inertia(
                domain, outer, masses[body.parent] + masses[index].moved(body.rotation, body.position)
            )
            total = rates[body.parent] + (rates[index] + moved).moved(body.rotation, body.position)
            rates[body.parent] = _named(domain, outer, total)
    return matrix


def _carried(
    mechanism: Mechanism,
    index: int,
    wrench: tuple[Vector, Vector],
    rate: tuple[Vector, Vector],
    velocity: Sequence[Scalar],
) -> Iterator[Carried]:
    """The rate of a wrench on body `index`, seen from it and from all that carry it."""
    while True:
        body = mechanism.bodies[index]
        yield index, *rate
        index = body.parent
        if index == BASE:
            return
        (w, v), (moment, force) = joint_motion(mechanism.domain, body, velocity), wrench
        passed = rate[0] + cross(w, moment) + cross(v, force), rate[1] + cross(w, force)
        wrench, rate = (carry(mechanism.domain, body, *each) for each in (wrench, passed))


def _passed(domain: Domain, body: Body, inertia: SpatialInertia, velocity: Sequence[Scalar]) -> SpatialInertia:
    """ν ×* M̃ − M̃ ν ×: how the inertia changes as its joint moves it past the carrier, in its own axes there."""
    w, v = joint_motion(domain, body, velocity)
    s = inertia.first_moment
    turned = matrix_product(cross_matrix(w), inertia.tensor)
    tensor = zeros(domain, 3, 3)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        tensor[i, i] = turned[i, i] + turned[i, i] + 2 * (v[j] * s[j] + v[k] * s[k])
        tensor[i, j] = tensor[j, i] = turned[i, j] + turned[j, i] - (v[i] * s[j] + s[i] * v[j])
    return SpatialInertia(domain.constant(0), cross(w, s) + v * inertia.mass, tensor)


def _named(domain: Domain, body: Body, rate: SpatialInertia) -> SpatialInertia:
    tensor = rate.tensor.copy()
    for i in range(3):
        for j in range(i, 3):
            name = f"Jd{body.label}_{'xyz'[i]}{'xyz'[j]}"
            tensor[i, j] = tensor[j, i] = domain.define(name, tensor[i, j])
    return SpatialInertia(rate.mass, named(domain, f"msd{body.label}", rate.first_moment), tensor)
