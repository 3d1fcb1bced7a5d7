"""The oracle: Newton and Euler's laws for every body in the base frame, and d'Alembert's principle.

Written to be plain and different, not fast: positions, velocities and accelerations of the bodies in the
base frame, the forces m a and moments I ω̇ + ω × I ω they need, and the work these do in every joint's motion.
It shares nothing with `mechanics`, and reads the rows as the user wrote them (see `geometry`).

Arrays of joint quantities are (…, n) with leading dimensions that broadcast; SI units, angles in rad.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from symgen.robot.model import BASE, Robot
from symgen.verify.geometry import Body, Floats, Geometry, bodies, geometry, pose, vector


@dataclass(frozen=True)
class Velocities:
    """How the joints move the L bodies: columns of Jacobians, in the base frame.

    `linear` (…, L, 3, n): velocity of the mass centres per unit of q̇. `angular` (…, L, 3, n): angular
    velocity.
    """

    linear: Floats
    angular: Floats


@dataclass(frozen=True)
class _Motion:
    """ω, ω̇ and the acceleration of a point less gravity, each (…, 3), in the base frame."""

    spin: Floats
    rate: Floats
    acceleration: Floats


class Oracle:
    """Dynamics of a robot, computed in NumPy from its table; parameters have their default values."""

    def __init__(self, robot: Robot) -> None:
        """Read the table; `LimitError` if a link has no row."""
        self.robot = robot
        self.bodies: tuple[Body, ...] = bodies(robot)
        self.gravity: Floats = vector(robot.gravity, robot)
        self.masses: Floats = np.array([body.mass for body in self.bodies])
        self.carries: Floats = _carries(self.bodies, robot.nv)
        self._root = pose(robot.base, robot)

    # positions -----------------------------------------------------------------------------------------

    def geometry(self, q: ArrayLike) -> Geometry:
        """Poses, mass centres, tensors and joint axes of all links in the base frame, at q (…, n)."""
        return geometry(self.bodies, self._root, np.asarray(q, dtype=float))

    def frames(self, q: ArrayLike) -> Floats:
        """Homogeneous transforms (…, L, 4, 4) from the frame of every row to the base frame."""
        return self.geometry(q).frames

    def axes(self, q: ArrayLike) -> Floats:
        """Unit vectors (…, n, 3) of the joint axes in the base frame."""
        moving = [index for index, body in enumerate(self.bodies) if body.coordinate is not None]
        return self.geometry(q).axes[..., moving, :]

    def velocities(self, at: Geometry) -> Velocities:
        """Jacobians of all mass centres and of all angular velocities."""
        shape = (*at.centres.shape, self.robot.nv)
        linear, angular = np.zeros(shape), np.zeros(shape)
        for index, body in enumerate(self.bodies):
            if body.coordinate is None:
                continue
            axis = np.broadcast_to(at.axes[..., None, index, :], at.centres.shape)
            carried = self.carries[:, body.coordinate, None]
            if body.turns:
                lever = at.centres - at.points[..., None, index, :]
                linear[..., body.coordinate] = carried * np.cross(axis, lever)
                angular[..., body.coordinate] = carried * axis
            else:
                linear[..., body.coordinate] = carried * axis
        return Velocities(linear, angular)

    # forces ------------------------------------------------------------------------------------------------

    def inverse_dynamics(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Floats:
        """Joint forces τ (…, n) for the motion q, q̇, q̈, gravity included."""
        return self._forces(q, qd, qdd, self.gravity)

    def coriolis_torque(self, q: ArrayLike, qd: ArrayLike) -> Floats:
        """Convective inertia forces h (…, n), without gravity."""
        return self._forces(q, qd, np.zeros(self.robot.nv), 0 * self.gravity)

    def gravity_torque(self, q: ArrayLike) -> Floats:
        """Joint forces (…, n) that hold the robot at rest."""
        return self._forces(q, np.zeros(self.robot.nv), np.zeros(self.robot.nv), self.gravity)

    def bias_torque(self, q: ArrayLike, qd: ArrayLike) -> Floats:
        """Joint forces (…, n) at zero acceleration, gravity included."""
        return self._forces(q, qd, np.zeros(self.robot.nv), self.gravity)

    def inertia_matrix(self, q: ArrayLike) -> Floats:
        """Generalized inertia matrix (…, n, n): Σ m J_vᵀ J_v + J_ωᵀ I J_ω over the bodies."""
        at = self.geometry(q)
        moves = self.velocities(at)
        translation = np.einsum("l,...lai,...laj->...ij", self.masses, moves.linear, moves.linear)
        rotation: Floats = np.swapaxes(moves.angular, -1, -2) @ at.inertia @ moves.angular
        return np.asarray(translation + rotation.sum(axis=-3))

    def forward_dynamics(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike) -> Floats:
        """Joint accelerations q̈ (…, n) under forces τ; NumPy's `LinAlgError` if the inertia is singular."""
        rest = np.asarray(tau, dtype=float) - self.bias_torque(q, qd)
        return np.asarray(np.linalg.solve(self.inertia_matrix(q), rest[..., None])[..., 0])

    def _forces(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, gravity: Floats) -> Floats:
        q, qd, qdd = (np.asarray(entry, dtype=float) for entry in np.broadcast_arrays(q, qd, qdd))
        at = self.geometry(q)
        motion, moves = self._motion(at, qd, qdd, gravity), self.velocities(at)
        force = self.masses[:, None] * motion.acceleration
        moment = _apply(at.inertia, motion.rate) + np.cross(motion.spin, _apply(at.inertia, motion.spin))
        work = np.swapaxes(moves.linear, -1, -2) @ force[..., None]
        work = work + np.swapaxes(moves.angular, -1, -2) @ moment[..., None]
        return np.asarray(work[..., 0].sum(axis=-2))

    def _motion(self, at: Geometry, qd: Floats, qdd: Floats, gravity: Floats) -> _Motion:
        """Motion of all bodies, each array (…, L, 3), with the acceleration of the mass centres."""
        still = np.zeros((*qd.shape[:-1], 3))
        motions: list[_Motion] = []
        for index, body in enumerate(self.bodies):
            carrier = _Motion(still, still, still - gravity) if body.parent == BASE else motions[body.parent]
            speed, thrust = self._relative(at, index, qd), self._relative(at, index, qdd)
            motions.append(_moved(body, carrier, at.arms[..., index, :], speed, thrust))
        spin = np.stack([motion.spin for motion in motions], axis=-2)
        rate = np.stack([motion.rate for motion in motions], axis=-2)
        origins = np.stack([motion.acceleration for motion in motions], axis=-2)
        return _Motion(spin, rate, origins + _carried(spin, rate, at.centres - at.frames[..., :3, 3]))

    def _relative(self, at: Geometry, index: int, rates: Floats) -> Floats:
        """The joint's axis times its coordinate's rate, (…, 3); 0 if it is fixed."""
        coordinate = self.bodies[index].coordinate
        axis = at.axes[..., index, :]
        return 0 * axis if coordinate is None else axis * rates[..., coordinate, None]


def _moved(body: Body, carrier: _Motion, arm: Floats, speed: Floats, thrust: Floats) -> _Motion:
    """Motion of a body's frame, from its parent's and from the joint's q̇ and q̈ along its axis (…, 3)."""
    if not body.turns:
        sliding = thrust + 2 * np.cross(carrier.spin, speed)
        acceleration = carrier.acceleration + _carried(carrier.spin, carrier.rate, arm) + sliding
        return _Motion(carrier.spin, carrier.rate, acceleration)
    spin = carrier.spin + speed
    rate = carrier.rate + thrust + np.cross(carrier.spin, speed)
    # From the parent's origin, the arm turns with the link in a standard table, with the parent in a modified.
    turning = (spin, rate) if body.standard else (carrier.spin, carrier.rate)
    return _Motion(spin, rate, carrier.acceleration + _carried(*turning, arm))


def _carried(spin: Floats, rate: Floats, arm: Floats) -> Floats:
    """Acceleration of the tip of an arm that turns with ω and ω̇, relative to its root."""
    return np.asarray(np.cross(rate, arm) + np.cross(spin, np.cross(spin, arm)))


def _apply(matrix: Floats, column: Floats) -> Floats:
    return np.asarray((matrix @ column[..., None])[..., 0])


def _carries(links: tuple[Body, ...], n: int) -> Floats:
    """(L, n): 1 where the joint of a coordinate carries the link, 0 elsewhere."""
    table = np.zeros((len(links), n))
    for index, body in enumerate(links):
        if body.parent != BASE:
            table[index] = table[body.parent]
        if body.coordinate is not None:
            table[index, body.coordinate] = 1
    return table
