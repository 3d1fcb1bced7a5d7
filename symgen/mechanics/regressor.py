"""The regressor: joint forces as a linear map of inertial parameters.

With J, m c and m about the origins of frames that lie on the joint axes, every body's wrench is linear in its ten
parameters, and so is τ = Y π. The columns of base parameters are columns of this Y: of those that stay when the others
are regrouped (see `grouping`), whatever values they take by that.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, cross, dot, vector, zeros
from symgen.mechanics.grouping import STEMS, base_stems, grouped, parameters_of
from symgen.mechanics.mechanism import Mechanism
from symgen.mechanics.newton_euler import Motion, body_motions, named
from symgen.robot.model import BASE

BASE_COLUMNS, STANDARD_COLUMNS = "base", "standard"
REGRESSORS = (BASE_COLUMNS, STANDARD_COLUMNS)
"""Inertial parameters of regressors: the base parameters, or all ten of every moving link."""

Column = tuple[int, str]
"""A column: index of a body, and stem of one of its inertial parameters."""


def columns(mechanism: Mechanism, kind: str) -> list[Column]:
    """The columns of the regressor, from the base outward."""
    if kind == BASE_COLUMNS:
        stems = base_stems(mechanism)
    else:
        stems = [() if body.is_between else STEMS for body in mechanism.bodies]
    return [(index, stem) for index, own in enumerate(stems) for stem in own]


def parameter_values(mechanism: Mechanism, kind: str) -> list[Scalar]:
    """The inertial parameters π, p values (kg, kg m, kg m²), in the order of the columns."""
    regrouped = grouped(mechanism) if kind == BASE_COLUMNS else mechanism
    known = [parameters_of(body.inertia) for body in regrouped.bodies]
    return [known[index][stem] for index, stem in columns(mechanism, kind)]


def regressor(mechanism: Mechanism, kind: str, velocity: Sequence[Scalar], acceleration: Sequence[Scalar]) -> Matrix:
    """Y, nv × p: joint forces of the links, gravity included, are Y π (Khalil and Dombre 2002, chapter 12)."""
    return of_motions(mechanism, kind, body_motions(mechanism, velocity, acceleration, mechanism.gravity))


def of_motions(mechanism: Mechanism, kind: str, motions: Sequence[Motion]) -> Matrix:
    """Y, nv × p, of these motions of the bodies.

    Entry (i, k) is the power of the wrench that column k needs at its body, when joint i alone moves at unit rate.
    """
    domain = mechanism.domain
    seen = _joints_seen(mechanism)
    chosen = columns(mechanism, kind)
    Y = zeros(domain, mechanism.nv, len(chosen))
    for k, (index, stem) in enumerate(chosen):
        moment, force = _unit_wrench(domain, motions[index], stem)
        number = mechanism.bodies[index].number
        for i, (angular, linear) in seen[index].items():
            entry = dot(angular, moment) + dot(linear, force)
            Y[i, k] = domain.define(f"Y{i + 1}_{stem}{number}", entry)
    return Y


def _joints_seen(mechanism: Mechanism) -> list[dict[int, tuple[Vector, Vector]]]:
    """For every body, index in q̇ → the twist that this rate of a joint gives the body, in its frame."""
    domain = mechanism.domain
    result: list[dict[int, tuple[Vector, Vector]]] = []
    for body in mechanism.bodies:
        seen: dict[int, tuple[Vector, Vector]] = {}
        inward = body.rotation.to_child
        for i, (angular, linear) in (result[body.parent] if body.parent != BASE else {}).items():
            name = f"{body.label}_{i + 1}"
            angular, linear = inward(angular), inward(linear + cross(angular, body.position))
            seen[i] = named(domain, f"e{name}", angular), named(domain, f"b{name}", linear)
        for column, i in zip(body.subspace, body.velocities, strict=True):
            angular, linear = column[:3], column[3:]
            # A joint that moves together with one beneath adds to what its rate does.
            seen[i] = (seen[i][0] + angular, seen[i][1] + linear) if i in seen else (angular, linear)
        result.append(seen)
    return result


def _unit_wrench(domain: Domain, motion: Motion, stem: str) -> tuple[Vector, Vector]:
    """(moment, force) about the origin that a body needs whose one inertial parameter is 1 (Newton and Euler)."""
    U, none = motion.U, zeros(domain, 3)
    if stem == "M":
        return none, motion.acceleration
    if stem in ("MX", "MY", "MZ"):
        axis = "XYZ".index(stem[1])
        direction = zeros(domain, 3)
        direction[axis] = domain.constant(1)
        return cross(direction, motion.acceleration), U[:, axis]
    wd, (yz, xz, xy) = motion.turning(domain)
    moments = {
        "XX": [wd[0], xz, -xy],
        "YY": [-yz, wd[1], xy],
        "ZZ": [yz, -xz, wd[2]],
        "XY": [-U[2, 0], U[2, 1], U[0, 0] - U[1, 1]],
        "XZ": [U[1, 0], U[2, 2] - U[0, 0], -U[1, 2]],
        "YZ": [U[1, 1] - U[2, 2], -U[0, 1], U[0, 2]],
    }
    return vector(moments[stem]), none
