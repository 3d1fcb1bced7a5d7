"""Momenta of the joints, p = I q̇, and Cᵀ q̇ of Christoffel's symbols: both from the momenta of what joints carry.

With t the twists and h the momenta of the bodies that joint i carries, about its body's origin, p_i = S_iᵀ h for the
joint's column S_i. Of a body's part of C, M Ṡ + B S (see `coriolis`), the transpose has Bᵀ t = 0 at the body's own
twist, so that all that is left of Cᵀ q̇ is Ṡ_iᵀ h with Ṡ_i = t × S_i. It is what İ q̇ − C q̇ is, and the momenta change by
d(I q̇)/dt = τ + Cᵀ q̇ − gravity, which observers of external forces integrate (De Luca and others 2006).
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Scalar, dot, is_zero, zeros
from symgen.mechanics.coriolis import rate_of_column
from symgen.mechanics.kinematics import Twist, twists
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.momenta import Momentum
from symgen.mechanics.newton_euler import carry, named
from symgen.robot.model import BASE


def generalized_momentum(mechanism: Mechanism, velocity: Sequence[Scalar]) -> list[Scalar]:
    """p = I q̇, nv, at q̇ = `velocity`, nv (kg m²/s or kg m/s), with that of rotors."""
    domain = mechanism.domain
    result = [rotor * rate for rotor, rate in zip(mechanism.rotor_inertias, velocity, strict=True)]
    carried = _carried(mechanism, twists(mechanism, velocity))
    for body, (angular, linear) in zip(mechanism.bodies, carried, strict=True):
        for column, i in zip(body.subspace, body.velocities, strict=True):
            share = dot(column[:3], angular) + dot(column[3:], linear)
            result[i] = domain.define(f"p{i + 1}", share if is_zero(result[i]) else result[i] + share)
    return result


def coriolis_transpose_velocity(mechanism: Mechanism, velocity: Sequence[Scalar]) -> list[Scalar]:
    """Cᵀ q̇, nv, at q̇ = `velocity`, nv (N m or N), with C by Christoffel's symbols; rotors add nothing."""
    domain = mechanism.domain
    result = list(zeros(domain, mechanism.nv))
    motion = twists(mechanism, velocity)
    for body, twist, (angular, linear) in zip(mechanism.bodies, motion, _carried(mechanism, motion), strict=True):
        for column, i in zip(body.subspace, body.velocities, strict=True):
            turning, sliding = rate_of_column(twist, column)
            share = dot(turning, angular) + dot(sliding, linear)
            result[i] = domain.define(f"Ctv{i + 1}", share if is_zero(result[i]) else result[i] + share)
    return result


def _carried(mechanism: Mechanism, motion: Sequence[Twist]) -> list[Momentum]:
    """For every body the momentum of it and of all it carries, about its origin, in its axes."""
    momenta = [
        body.inertia.wrench(twist.angular, twist.linear) for body, twist in zip(mechanism.bodies, motion, strict=True)
    ]
    for index in reversed(range(len(momenta))):
        body = mechanism.bodies[index]
        if body.parent != BASE:
            label = mechanism.bodies[body.parent].label
            angular, linear = carry(mechanism.domain, body, *momenta[index])
            own = momenta[body.parent]
            momenta[body.parent] = (
                named(mechanism.domain, f"h{label}", own[0] + angular),
                named(mechanism.domain, f"l{label}", own[1] + linear),
            )
    return momenta
