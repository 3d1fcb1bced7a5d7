"""Dynamics in casadi.SX, written plainly: Newton-Euler, composite bodies and articulated bodies in link frames.

Every quantity is in the frame on its joint's axis, and about that frame's origin. A vector goes from frame to frame in
two turns, by the constant rotation and by that about z, which costs less than their product does; constants that are
exactly 0 or 1 leave no operations behind, and what is symmetric is computed once. `casadi.cse` comes afterwards.
Vectors are (3, 1), matrices (3, 3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import casadi
import numpy as np

from symgen.bench.cases import Case
from symgen.bench.joints import Floats, PlainJoint

SX = Any
"""A `casadi.SX`, which has no types."""

_Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Step:
    """A joint at its coordinate: the way between its frame and the parent's; `place` is in the parent's."""

    joint: PlainJoint
    cosine: SX
    sine: SX
    place: SX

    def down(self, vector: SX) -> SX:
        """A vector of the parent's frame in the joint's."""
        x, y, z = _entries(casadi.SX(self.joint.rotation.T) @ vector)
        if not self.joint.turns:
            return _vector(x, y, z)
        return _vector(self.cosine * x + self.sine * y, self.cosine * y - self.sine * x, z)

    def up(self, vector: SX) -> SX:
        """A vector of the joint's frame in the parent's."""
        x, y, z = _entries(vector)
        if self.joint.turns:
            x, y = self.cosine * x - self.sine * y, self.sine * x + self.cosine * y
        return casadi.SX(self.joint.rotation) @ _vector(x, y, z)

    def up_symmetric(self, matrix: SX) -> SX:
        """A symmetric matrix of the joint's frame in the parent's."""
        if self.joint.turns:
            matrix = self._turned_symmetric(matrix)
        rotation = casadi.SX(self.joint.rotation)
        return _mirrored(rotation @ matrix @ rotation.T)

    def up_matrix(self, matrix: SX) -> SX:
        """Any matrix of the joint's frame in the parent's."""
        columns = casadi.horzcat(*(self.up(matrix[:, k]) for k in range(3))).T
        return casadi.horzcat(*(self.up(columns[:, k]) for k in range(3))).T

    def _turned_symmetric(self, matrix: SX) -> SX:
        c, s = self.cosine, self.sine
        xx, yy, zz, xy, xz, yz = (matrix[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        first, second = c * xx - s * xy, c * xy - s * yy
        new_xx, new_xy = c * first - s * second, s * first + c * second
        return _symmetric(new_xx, xx + yy - new_xx, zz, new_xy, c * xz - s * yz, s * xz + c * yz)


def steps(case: Case, q: SX) -> list[Step]:
    """All joints at coordinates q."""
    made = []
    for k, joint in enumerate(case.joints):
        place = casadi.SX(joint.place)
        if not joint.turns:
            place = place + casadi.SX(joint.rotation @ _Z) * q[k]
        turns = joint.turns
        made.append(Step(joint, casadi.cos(q[k]) if turns else 1, casadi.sin(q[k]) if turns else 0, place))
    return made


def inverse_dynamics(case: Case, q: SX, qd: SX, qdd: SX) -> SX:
    """τ (n, 1): velocities and accelerations outward, forces inward."""
    path = steps(case, q)
    motions: list[tuple[SX, SX, SX]] = []  # ω, ω̇ ~ + ω~ω~ (which turns and carries), acceleration of the origin
    forces, moments = [], []
    for k, (step, joint) in enumerate(zip(path, case.joints, strict=True)):
        spin, rate, linear = _moved(step, case, motions, qd[k], qdd[k], k)
        square = _square(spin)
        carry = _skew(rate) + square
        motions.append((spin, rate, linear))
        mass, first, tensor = _about_origin(joint)
        forces.append(mass * linear + carry @ first)
        moments.append(tensor @ rate + casadi.cross(spin, tensor @ spin) + casadi.cross(first, linear))
    return _collected(path, forces, moments)


def _moved(
    step: Step, case: Case, motions: Sequence[tuple[SX, SX, SX]], speed: SX, thrust: SX, index: int
) -> tuple[SX, SX, SX]:
    """ω, ω̇ and the acceleration of the origin of a joint's frame, against gravity."""
    parent = step.joint.parent
    if parent < 0:
        spin, rate = casadi.SX.zeros(3), casadi.SX.zeros(3)
        linear = step.down(casadi.SX(-case.gravity))
    else:
        spin, rate, linear = motions[parent]
        carry = _skew(rate) + _square(spin)
        linear = step.down(linear + carry @ step.place)
        spin, rate = step.down(spin), step.down(rate)
    along = _vector(0, 0, speed)
    if step.joint.turns:
        return spin + along, rate + casadi.cross(spin, along) + _vector(0, 0, thrust), linear
    return spin, rate, linear + 2 * casadi.cross(spin, along) + _vector(0, 0, thrust)


def _collected(path: Sequence[Step], forces: list[SX], moments: list[SX]) -> SX:
    """The joint forces of the bodies' forces and moments, gathered from the tips inward."""
    result: list[SX] = [None] * len(path)
    for k in reversed(range(len(path))):
        step = path[k]
        result[k] = moments[k][2] if step.joint.turns else forces[k][2]
        if step.joint.parent >= 0:
            force = step.up(forces[k])
            forces[step.joint.parent] += force
            moments[step.joint.parent] += step.up(moments[k]) + casadi.cross(step.place, force)
    return casadi.vertcat(*result)


def inertia_matrix(case: Case, q: SX) -> SX:
    """The inertia matrix (n, n), both triangles, by composite bodies."""
    path = steps(case, q)
    composites = [_about_origin(joint) for joint in case.joints]
    matrix = casadi.SX.zeros(len(path), len(path))
    for k in reversed(range(len(path))):
        step, parent = path[k], path[k].joint.parent
        force, moment = _column(step, *composites[k])
        if parent >= 0:
            composites[parent] = _merged(composites[parent], step, *composites[k])
        matrix[k, k] = moment[2] if step.joint.turns else force[2]
        while parent >= 0:
            force, moment = step.up(force), step.up(moment)
            moment = moment + casadi.cross(step.place, force)
            step, at = path[parent], parent
            matrix[k, at] = matrix[at, k] = moment[2] if step.joint.turns else force[2]
            parent = step.joint.parent
    return matrix


def _column(step: Step, mass: float, first: SX, tensor: SX) -> tuple[SX, SX]:
    """Force and moment that give a composite body a unit acceleration along or about its joint."""
    axis = casadi.SX(_Z)
    if step.joint.turns:
        return casadi.cross(axis, first), tensor[:, 2]
    return mass * axis, casadi.cross(first, axis)


def _merged(carrier: tuple[Any, SX, SX], step: Step, mass: float, first: SX, tensor: SX) -> tuple[Any, SX, SX]:
    """A composite body with the one beyond a joint."""
    place, turned = step.place, step.up(first)
    # About the parent's origin: ∫ (r·r 1 − r rᵀ) dm with r = place + what the turned body spans.
    mixed = place @ (turned + mass / 2 * place).T
    mixed = mixed + mixed.T
    trace = (mixed[0, 0] + mixed[1, 1], mixed[1, 1] + mixed[2, 2], mixed[0, 0] + mixed[2, 2])
    moved = _symmetric(trace[1], trace[2], trace[0], -mixed[0, 1], -mixed[0, 2], -mixed[1, 2])
    carried_mass, carried_first, carried_tensor = carrier
    return (
        carried_mass + mass,
        carried_first + turned + mass * place,
        carried_tensor + step.up_symmetric(tensor) + moved,
    )


@dataclass
class Articulated:
    """An articulated body: inertia [[angular, mixed], [mixedᵀ, linear]] and bias wrench (moment, force).

    `turning`, `swung`: the angular and linear acceleration its joint's velocity gives it.
    """

    angular: SX
    mixed: SX
    linear: SX
    moment: SX
    force: SX
    turning: SX
    swung: SX


@dataclass(frozen=True)
class Hinge:
    """A joint of an articulated body: a column of the inertia (top, bottom), 1/pivot, and what is left of τ."""

    top: SX
    bottom: SX
    pivot: SX
    rest: SX


def forward_dynamics(case: Case, q: SX, qd: SX, tau: SX) -> SX:
    """q̈ (n, 1) by articulated bodies."""
    path = steps(case, q)
    bodies = _rigid(case, path, qd)
    hinges = []
    for k in reversed(range(len(path))):
        hinge = _hinge(path[k], bodies[k], tau[k])
        hinges.append(hinge)
        if path[k].joint.parent >= 0:
            _joined(bodies[path[k].joint.parent], path[k], bodies[k], hinge)
    return _accelerations(case, path, hinges[::-1], bodies)


def _rigid(case: Case, path: Sequence[Step], qd: SX) -> list[Articulated]:
    """The bodies alone, at velocities q̇."""
    spins: list[SX] = []
    made = []
    for k, step in enumerate(path):
        joint = step.joint
        carrier = spins[joint.parent] if joint.parent >= 0 else casadi.SX.zeros(3)
        before, along = step.down(carrier), _vector(0, 0, qd[k])
        crossed = casadi.cross(before, along)
        swung = step.down(_square(carrier) @ step.place)
        spin = before + along if joint.turns else before
        spins.append(spin)
        mass, first, tensor = _about_origin(joint)
        made.append(
            Articulated(
                angular=tensor,
                mixed=_skew(first),
                linear=mass * casadi.SX.eye(3),
                moment=casadi.cross(spin, tensor @ spin),
                force=_square(spin) @ first,
                turning=crossed if joint.turns else casadi.SX.zeros(3),
                swung=swung if joint.turns else swung + 2 * crossed,
            )
        )
    return made


def _hinge(step: Step, body: Articulated, tau: SX) -> Hinge:
    if step.joint.turns:
        top, bottom = body.angular[:, 2], body.mixed[2, :].T
        return Hinge(top, bottom, 1 / top[2], tau - body.moment[2])
    top, bottom = body.mixed[:, 2], body.linear[:, 2]
    return Hinge(top, bottom, 1 / bottom[2], tau - body.force[2])


def _joined(carrier: Articulated, step: Step, body: Articulated, hinge: Hinge) -> None:
    """Add to an articulated body the one beyond a joint, as far as the joint passes it on."""
    top, bottom = hinge.pivot * hinge.top, hinge.pivot * hinge.bottom
    angular = _mirrored(body.angular - top @ hinge.top.T)
    mixed = body.mixed - top @ hinge.bottom.T
    linear = _mirrored(body.linear - bottom @ hinge.bottom.T)
    moment = step.up(body.moment + angular @ body.turning + mixed @ body.swung + top * hinge.rest)
    force = step.up(body.force + mixed.T @ body.turning + linear @ body.swung + bottom * hinge.rest)
    angular, mixed, linear = step.up_symmetric(angular), step.up_matrix(mixed), step.up_symmetric(linear)
    arm = _skew(step.place)
    shifted = mixed + arm @ linear
    carrier.angular += _mirrored(angular - mixed @ arm + arm @ shifted.T)
    carrier.mixed += shifted
    carrier.linear += linear
    carrier.moment += moment + casadi.cross(step.place, force)
    carrier.force += force


def _accelerations(case: Case, path: Sequence[Step], hinges: Sequence[Hinge], bodies: Sequence[Articulated]) -> SX:
    """q̈ from the base outward."""
    motions: list[tuple[SX, SX]] = []
    result = []
    for step, hinge, body in zip(path, hinges, bodies, strict=True):
        if step.joint.parent < 0:
            rate, linear = casadi.SX.zeros(3), casadi.SX(-case.gravity)
        else:
            rate, linear = motions[step.joint.parent]
        linear = step.down(linear + casadi.cross(rate, step.place)) + body.swung
        rate = step.down(rate) + body.turning
        thrust = hinge.pivot * (hinge.rest - casadi.dot(hinge.top, rate) - casadi.dot(hinge.bottom, linear))
        along = _vector(0, 0, thrust)
        motions.append((rate + along, linear) if step.joint.turns else (rate, linear + along))
        result.append(thrust)
    return casadi.vertcat(*result)


# small things --------------------------------------------------------------------------------------


def _about_origin(joint: PlainJoint) -> tuple[float, SX, SX]:
    """Mass, first moment (3) and tensor (3, 3) of a body about its frame's origin."""
    com = joint.com
    tensor: Floats = joint.tensor + joint.mass * (com @ com * np.eye(3) - np.outer(com, com))
    return joint.mass, casadi.SX(_clean(joint.mass * com)), casadi.SX(_clean(tensor))


def _clean(array: Floats) -> Floats:
    """Without what rounding left of zeros."""
    return np.where(np.abs(array) < 1e-15 * np.abs(array).max(initial=0), 0.0, array)


def _entries(vector: SX) -> tuple[SX, SX, SX]:
    return vector[0], vector[1], vector[2]


def _vector(x: SX, y: SX, z: SX) -> SX:
    return casadi.vertcat(x, y, z)


def _skew(v: SX) -> SX:
    x, y, z = _entries(v)
    return casadi.vertcat(casadi.horzcat(0, -z, y), casadi.horzcat(z, 0, -x), casadi.horzcat(-y, x, 0))


def _square(v: SX) -> SX:
    """ω~ ω~, a symmetric matrix."""
    x, y, z = _entries(v)
    xx, yy, zz = x * x, y * y, z * z
    return _symmetric(-(yy + zz), -(xx + zz), -(xx + yy), x * y, x * z, y * z)


def _symmetric(xx: SX, yy: SX, zz: SX, xy: SX, xz: SX, yz: SX) -> SX:
    rows = (casadi.horzcat(xx, xy, xz), casadi.horzcat(xy, yy, yz), casadi.horzcat(xz, yz, zz))
    return casadi.vertcat(*rows)


def _mirrored(matrix: SX) -> SX:
    """A matrix that is symmetric, from its upper triangle."""
    return _symmetric(matrix[0, 0], matrix[1, 1], matrix[2, 2], matrix[0, 1], matrix[0, 2], matrix[1, 2])
