"""The oracle: Newton and Euler's laws for every body in the base frame, and d'Alembert's principle.

Written to be plain and different, not fast: positions, velocities and accelerations of the bodies in the
base frame, the forces m a and moments I ω̇ + ω × I ω they need, and the work these do in every joint's motion.
Derivatives are exact: rates of Jacobians follow from the velocities of the axes (see `jacobians`). It shares nothing
with `mechanics`, and reads the rows as the user wrote them (see `geometry`).

Arrays of joint quantities are (…, n) with leading dimensions that broadcast; SI units, angles in rad. Gravity is (…, 3)
in the base frame, by default the robot's. A load is (frame name, wrench): moment and force (…, 6) that the environment
exerts on the frame about its origin, in its axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from symgen.errors import InputError
from symgen.robot.model import BASE, Frame, Robot
from symgen.verify.base_parameters import columns_of, with_base_parameters
from symgen.verify.drives import Drives, drives
from symgen.verify.geometry import Body, Floats, Geometry, bodies, geometry, pose, vector, with_values
from symgen.verify.jacobians import Joints, Velocities, rates, times, velocities
from symgen.verify.joints import Column
from symgen.verify.joints import Motion as JointMotion
from symgen.verify.setting import BASE_AXES, FRAME_AXES
from symgen.verify.transforms import cross

Loads = Sequence[tuple[str, ArrayLike]]
"""External wrenches, each with the name of the frame it acts on."""

REMEMBERED = 4
"""At how many q the geometry is kept."""


@dataclass(frozen=True)
class Motion:
    """ω, ω̇ and the acceleration of a point less gravity, each (…, 3), in the base frame."""

    spin: Floats
    rate: Floats
    acceleration: Floats


class Oracle:
    """Dynamics of a robot, computed in NumPy from its table, at given values of its parameters."""

    def __init__(
        self,
        robot: Robot,
        parameters: Mapping[str, float] | None = None,
        base: Mapping[str, tuple[int, str]] | None = None,
    ) -> None:
        """Read the table; parameters have their default values unless given.

        With `base` (see `Setting`) they are the base inertial parameters, all of them; the links are those of the table
        if none are given. `LimitError` if a link has no row, `InputError` for a parameter the robot has not.
        """
        self.robot = robot if base else with_values(robot, parameters or {})
        self.bodies: tuple[Body, ...] = bodies(self.robot)
        if base and parameters is not None:
            self.bodies = with_base_parameters(self.bodies, columns_of(robot.name, base, parameters))
        self.gravity: Floats = vector(self.robot.gravity, self.robot)
        self.drives: Drives = drives(self.robot)
        self.masses: Floats = np.array([body.mass for body in self.bodies])
        self.columns: list[Column] = [each for body in self.bodies for part in body.motions for each in part.columns]
        self.rates: Floats = np.eye(robot.nv)[[j for body in self.bodies for part in body.motions for j in part.rates]]
        self.carries, self._hosts = _carries(self.bodies, len(self.columns))
        self.root: Floats = pose(self.robot.base, self.robot)
        self._latest: dict[tuple[tuple[int, ...], bytes], Geometry] = {}
        self._placements: dict[str, Floats] = {}
        self.named: dict[str, Frame] = {frame.name: frame for frame in robot.all_frames}

    # positions -----------------------------------------------------------------------------------------

    def geometry(self, q: ArrayLike) -> Geometry:
        """Poses, mass centres, tensors and joint axes of all links in the base frame, at q (…, nq)."""
        q = np.asarray(q, dtype=float)
        key = q.shape, q.tobytes()
        found = self._latest.get(key)
        if found is None:  # what is computed at one q asks for it several times, and at others between
            if len(self._latest) >= REMEMBERED:
                self._latest.pop(next(iter(self._latest)))
            found = self._latest[key] = geometry(self.bodies, self.root, q)
        return found

    def frames(self, q: ArrayLike) -> Floats:
        """Homogeneous transforms (…, L, 4, 4) from the frame of every row to the base frame."""
        return self.geometry(q).frames

    def axes(self, q: ArrayLike) -> Floats:
        """Unit vectors (…, c, 3) of the joint axes in the base frame."""
        return self.geometry(q).axes

    def joints(self, at: Geometry) -> Joints:
        """The columns of the joints, in order."""
        turns, slides = (np.array([getattr(each, what) for each in self.columns]) for what in ("turn", "slide"))
        return Joints(at.axes, at.points, turns, slides, self._hosts, self.rates)

    def velocities(self, at: Geometry) -> Velocities:
        """Jacobians of all mass centres and of all angular velocities."""
        return velocities(self.joints(at), at.centres, self.carries)

    # frames ----------------------------------------------------------------------------------------------

    def frame(self, name: str) -> Frame:
        """The frame called `name`; `InputError` if there is none."""
        if name not in self.named:
            raise InputError(f"{self.robot.name}: no frame is called {name[:60]!r}; there are: {', '.join(self.named)}")
        return self.named[name]

    def placed(self, at: Geometry, name: str) -> Floats:
        """The pose (…, 4, 4) of a frame."""
        frame = self.frame(name)
        if name not in self._placements:
            self._placements[name] = pose(frame.placement, self.robot)
        return np.asarray(at.frames[..., frame.link, :, :] @ self._placements[name])

    def forward_kinematics(self, q: ArrayLike, frames: Sequence[str]) -> tuple[Floats, ...]:
        """Homogeneous transforms (…, 4, 4) from each of these frames to the base frame."""
        at = self.geometry(q)
        return tuple(self.placed(at, name) for name in frames)

    def jacobian(self, q: ArrayLike, frame: str, axes: str = BASE_AXES) -> Floats:
        """J (…, 6, n): the frame's twist [ω; v] is J q̇, v at its origin; in base axes or the frame's own."""
        at = self.geometry(q)
        place = self.placed(at, frame)
        return _in_axes(axes, place, self.frame_columns(at, frame, place))

    def jacobian_dot(self, q: ArrayLike, qd: ArrayLike, frame: str, axes: str = BASE_AXES) -> Floats:
        """J̇ (…, 6, n): the rates of the Jacobian's entries."""
        q, qd = spread(q, qd)
        at = self.geometry(q)
        place, carried = self.placed(at, frame), self.carries[[self.frame(frame).link]]
        change = _stacked(rates(self.joints(at), place[..., None, :3, 3], carried, qd))
        if axes == FRAME_AXES:
            columns = self.frame_columns(at, frame, place)
            change = change - _turned(_apply(columns[..., :3, :], qd), columns)
        return _in_axes(axes, place, change)

    def jacobian_dot_velocity(self, q: ArrayLike, qd: ArrayLike, frame: str, axes: str = BASE_AXES) -> Floats:
        """J̇ q̇ (…, 6): the rate of the twist's entries at q̈ = 0, from the motion of the bodies."""
        q, qd = spread(q, qd)
        at, link = self.geometry(q), self.frame(frame).link
        place = self.placed(at, frame)
        bodies = self.motion(at, qd, 0 * qd, np.zeros(3), at.frames[..., :3, 3])
        spin, rate = bodies.spin[..., link, :], bodies.rate[..., link, :]
        arm = place[..., :3, 3] - at.frames[..., link, :3, 3]
        linear = bodies.acceleration[..., link, :] + _carried(spin, rate, arm)
        if axes == FRAME_AXES:
            linear = linear - cross(spin, _apply(self.frame_columns(at, frame, place), qd)[..., 3:])
        return np.asarray(_in_axes(axes, place, np.concatenate([rate, linear], axis=-1)[..., None])[..., 0])

    def frame_columns(self, at: Geometry, frame: str, place: Floats) -> Floats:
        """The Jacobian (…, 6, n) of a frame with this pose, in base axes."""
        carried = self.carries[[self.frame(frame).link]]
        return _stacked(velocities(self.joints(at), place[..., None, :3, 3], carried))

    # inertia ---------------------------------------------------------------------------------------------

    def inertia_matrix(self, q: ArrayLike) -> Floats:
        """Generalized inertia matrix (…, n, n): Σ m J_vᵀ J_v + J_ωᵀ I J_ω over the bodies, and rotors."""
        at = self.geometry(q)
        moves = self.velocities(at)
        return np.asarray(self.products(at, moves, moves) + np.diag(self.drives.rotors))

    def coriolis_matrix(self, q: ArrayLike, qd: ArrayLike) -> Floats:
        """C (…, n, n) of Christoffel's symbols: Σ m Jᵀ J̇ over the points of all bodies.

        A point's J̇_j is Σ_k ∂_k ∂_j p q̇_k, symmetric in j and k, so that its part of the inertia, m Jᵀ J, has the
        symbols m J_i · ∂_k J_j. Where rates are no q̇, those of free joints, the sum is what C means. Summed over a body
        it is m J_vᵀ J̇_v + J_ωᵀ (I J̇_ω + ω × (I − ½ tr I) J_ω) of its mass centre.
        """
        q, qd = spread(q, qd)
        at = self.geometry(q)
        moves, change = self.velocities(at), rates(self.joints(at), at.centres, self.carries, qd)
        second = at.inertia - np.trace(at.inertia, axis1=-2, axis2=-1)[..., None, None] / 2 * np.eye(3)
        convected = _turned(times(moves.angular, qd), second @ moves.angular)
        back = np.swapaxes(moves.angular, -1, -2)
        return np.asarray(self.products(at, moves, change) + (back @ convected).sum(axis=-3))

    def udu_factors(self, q: ArrayLike) -> tuple[Floats, Floats]:
        """U (…, n, n), unit upper triangular, and D (…, n) with I = U diag(D) Uᵀ."""
        return udu(self.inertia_matrix(q))

    def inverse_inertia_matrix(self, q: ArrayLike) -> Floats:
        """I⁻¹ (…, n, n); NumPy's `LinAlgError` if the inertia is singular."""
        return np.asarray(np.linalg.inv(self.inertia_matrix(q)))

    def products(self, at: Geometry, left: Velocities, right: Velocities) -> Floats:
        """Σ m J_vᵀ J'_v + J_ωᵀ I J'_ω over the bodies."""
        translation = np.einsum("l,...lai,...laj->...ij", self.masses, left.linear, right.linear)
        rotation: Floats = np.swapaxes(left.angular, -1, -2) @ at.inertia @ right.angular
        return np.asarray(translation + rotation.sum(axis=-3))

    # energy ------------------------------------------------------------------------------------------------

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike) -> Floats:
        """T (…): Σ ½ m v² + ½ ωᵀ I ω over the bodies, and rotors."""
        q, qd = spread(q, qd)
        at = self.geometry(q)
        moves = self.velocities(at)
        velocity, spin = times(moves.linear, qd), times(moves.angular, qd)
        bodies = np.sum(self.masses * np.sum(velocity**2, axis=-1) + np.sum(spin * _apply(at.inertia, spin), -1), -1)
        return np.asarray((bodies + np.sum(self.drives.rotors * qd**2, axis=-1)) / 2)

    def potential_energy(self, q: ArrayLike, gravity: ArrayLike | None = None) -> Floats:
        """V (…): −Σ m g·c over the bodies that joints carry, c from the base frame's origin, and energy of springs."""
        centres = self.geometry(q).centres
        masses = self.masses * self.carries.any(axis=1)
        weight = np.sum(np.einsum("l,...lx->...x", masses, centres) * self._gravity(gravity), axis=-1)
        return np.asarray(self.drives.spring_energy(np.asarray(q, dtype=float)) - weight)

    # forces ------------------------------------------------------------------------------------------------

    def inverse_dynamics(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, gravity: ArrayLike | None = None, loads: Loads = ()
    ) -> Floats:
        """Joint forces τ (…, n) for q, q̇, q̈: links, rotors, friction, springs and gravity, less what loads do."""
        q, qd, qdd = spread(q, qd, qdd)
        drive = self.drives.rotors * qdd + self.drives.forces(q, qd)
        return self.links_dynamics(q, qd, qdd, gravity, loads) + drive

    def links_dynamics(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, gravity: ArrayLike | None = None, loads: Loads = ()
    ) -> Floats:
        """Joint forces (…, n) of the links alone, gravity included, less what loads do: without rotors and drives."""
        force = self._forces(q, qd, qdd, self._gravity(gravity))
        for frame, wrench in loads:
            columns = self.jacobian(q, frame, FRAME_AXES)
            force = force - _apply(np.swapaxes(columns, -1, -2), np.asarray(wrench, dtype=float))
        return force

    def coriolis_torque(self, q: ArrayLike, qd: ArrayLike) -> Floats:
        """Convective inertia forces h (…, n), without gravity and friction."""
        return self._forces(q, qd, np.zeros(self.robot.nv), 0 * self.gravity)

    def gravity_torque(self, q: ArrayLike, gravity: ArrayLike | None = None) -> Floats:
        """Joint forces (…, n) that hold the robot at rest."""
        return self._forces(q, np.zeros(self.robot.nv), np.zeros(self.robot.nv), self._gravity(gravity))

    def bias_torque(self, q: ArrayLike, qd: ArrayLike, gravity: ArrayLike | None = None) -> Floats:
        """Joint forces (…, n) at zero acceleration: gravity, but no friction."""
        return self._forces(q, qd, np.zeros(self.robot.nv), self._gravity(gravity))

    def forward_dynamics(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, gravity: ArrayLike | None = None, loads: Loads = ()
    ) -> Floats:
        """Joint accelerations q̈ (…, n) under forces τ; NumPy's `LinAlgError` if the inertia is singular."""
        rest = np.asarray(tau, dtype=float) - self.inverse_dynamics(q, qd, np.zeros(self.robot.nv), gravity, loads)
        return np.asarray(np.linalg.solve(self.inertia_matrix(q), rest[..., None])[..., 0])

    def hybrid_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        qdd: ArrayLike,
        given: Sequence[int],
        gravity: ArrayLike | None = None,
        loads: Loads = (),
    ) -> Floats:
        """Accelerations q̈ (…, n): those of the indices `given` are as in `qdd`, the others answer to forces `tau`.

        Of `tau` and `qdd` (…, n) other entries play no part. They are found in two steps, the second of which takes
        away what rounding left of the forces; NumPy's `LinAlgError` if their inertia is singular.
        """
        free = [index for index in range(self.robot.nv) if index not in given]
        q, qd, qdd = spread(q, qd, qdd)
        qdd, tau = qdd.copy(), np.asarray(tau, dtype=float)
        qdd[..., free] = 0
        matrix = self.inertia_matrix(q)[..., free, :][..., free]
        for _ in range(2):
            left = (tau - self.inverse_dynamics(q, qd, qdd, gravity, loads))[..., free]
            qdd[..., free] += np.linalg.solve(matrix, left[..., None])[..., 0]
        return np.asarray(qdd)

    def _gravity(self, gravity: ArrayLike | None) -> Floats:
        return self.gravity if gravity is None else np.asarray(gravity, dtype=float)

    def _forces(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, gravity: Floats) -> Floats:
        """Forces for the links alone."""
        q, qd, qdd = spread(q, qd, qdd)
        at = self.geometry(q)
        motion, moves = self.motion(at, qd, qdd, gravity, at.centres), self.velocities(at)
        force = self.masses[:, None] * motion.acceleration
        moment = _apply(at.inertia, motion.rate) + cross(motion.spin, _apply(at.inertia, motion.spin))
        work = np.swapaxes(moves.linear, -1, -2) @ force[..., None]
        work = work + np.swapaxes(moves.angular, -1, -2) @ moment[..., None]
        return np.asarray(work[..., 0].sum(axis=-2))

    def motion(self, at: Geometry, qd: Floats, qdd: Floats, gravity: Floats, places: Floats) -> Motion:
        """Motion of all bodies, each array (…, L, 3), with the acceleration of the `places` (…, L, 3) fixed to them."""
        still = np.zeros((*np.broadcast_shapes(qd.shape[:-1], gravity.shape[:-1]), 3))
        motions: list[Motion] = []
        column = 0
        for body, (start, *ways, end) in zip(self.bodies, at.arms, strict=True):
            carrier = Motion(still, still, still - gravity) if body.parent == BASE else motions[body.parent]
            carrier = _held(carrier, start)
            for part, way in zip(body.motions, ways, strict=True):
                axes = at.axes[..., column : column + len(part.columns), :]
                speed, thrust = (_relative(part, axes, rates) for rates in (qd, qdd))
                carrier = _moved(carrier, way, speed, thrust)
                column += len(part.columns)
            motions.append(_held(carrier, end))
        spin = np.stack([motion.spin for motion in motions], axis=-2)
        rate = np.stack([motion.rate for motion in motions], axis=-2)
        origins = np.stack([motion.acceleration for motion in motions], axis=-2)
        return Motion(spin, rate, origins + _carried(spin, rate, places - at.frames[..., :3, 3]))


def _relative(part: JointMotion, axes: Floats, rates: Floats) -> tuple[Floats, Floats]:
    """How fast rates (…, n) make a joint's motion turn, and slide, each (…, 3), along its axes (…, k, 3)."""
    own = rates[..., list(part.rates)]
    turning, sliding = (np.einsum("...k,...kx->...x", own * each, axes) for each in (part.turns, part.slides))
    return np.asarray(turning), np.asarray(sliding)


def _held(carrier: Motion, arm: Floats) -> Motion:
    """The motion of the tip of an arm that is fixed to the carrier."""
    return Motion(carrier.spin, carrier.rate, carrier.acceleration + _carried(carrier.spin, carrier.rate, arm))


def _moved(carrier: Motion, way: Floats, speed: tuple[Floats, Floats], thrust: tuple[Floats, Floats]) -> Motion:
    """The motion of what a joint moves, `way` from where it starts: it turns and slides, along axes fixed in itself, by
    `speed` and, these axes held, `thrust`."""
    (turning, sliding), (faster, farther) = speed, thrust
    rate = carrier.rate + faster + cross(carrier.spin, turning)
    along = farther + cross(turning, sliding) + 2 * cross(carrier.spin, sliding)
    at_start = _carried(carrier.spin, carrier.rate, way)
    return Motion(carrier.spin + turning, rate, carrier.acceleration + at_start + along)


def _carried(spin: Floats, rate: Floats, arm: Floats) -> Floats:
    """Acceleration of the tip of an arm that turns with ω and ω̇, relative to its root."""
    return np.asarray(cross(rate, arm) + cross(spin, cross(spin, arm)))


def _turned(spin: Floats, columns: Floats) -> Floats:
    """ω × every column, for each three rows of a matrix (…, 3 or 6, n)."""
    parts = [columns[..., start : start + 3, :] for start in range(0, columns.shape[-2], 3)]
    turned = [cross(spin[..., None, :], np.swapaxes(part, -1, -2)) for part in parts]
    return np.concatenate([np.swapaxes(part, -1, -2) for part in turned], axis=-2)


def _stacked(columns: Velocities) -> Floats:
    """Rows ω, v (…, 6, n) of the Jacobians of one point."""
    return np.concatenate([columns.angular, columns.linear], axis=-2)[..., 0, :, :]


def _in_axes(axes: str, place: Floats, matrix: Floats) -> Floats:
    """A matrix (…, 6, m) of base axes in the axes wanted."""
    if axes != FRAME_AXES:
        return matrix
    back = np.swapaxes(place[..., :3, :3], -1, -2)
    return np.concatenate([back @ matrix[..., :3, :], back @ matrix[..., 3:, :]], axis=-2)


def _apply(matrix: Floats, column: Floats) -> Floats:
    return np.asarray((matrix @ column[..., None])[..., 0])


def spread(q: ArrayLike, *rates: ArrayLike) -> list[Floats]:
    """Positions (…, nq) and arrays (…, n) with the same leading dimensions."""
    arrays = [np.asarray(array, dtype=float) for array in (q, *rates)]
    leading = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    return [np.broadcast_to(array, (*leading, array.shape[-1])) for array in arrays]


def _carries(links: tuple[Body, ...], columns: int) -> tuple[Floats, Floats]:
    """(L, c): 1 where a column of a joint carries the link, 0 elsewhere; (c, c): the same for every column's axis."""
    table, hosts, column = np.zeros((len(links), columns)), np.zeros((columns, columns)), 0
    for index, body in enumerate(links):
        if body.parent != BASE:
            table[index] = table[body.parent]
        for part in body.motions:
            own = slice(column, column + len(part.columns))
            table[index, own] = 1
            hosts[own] = table[index]
            column = own.stop
    return table, hosts


def udu(matrix: Floats) -> tuple[Floats, Floats]:
    """U (…, n, n), unit upper triangular, and D (…, n) with `matrix` = U diag(D) Uᵀ."""
    rest = matrix.copy()
    upper = np.zeros_like(rest)
    with np.errstate(all="ignore"):
        for k in reversed(range(rest.shape[-1])):
            upper[..., : k + 1, k] = rest[..., : k + 1, k] / rest[..., k, None, k]
            rest[..., :k, :k] -= upper[..., :k, k, None] * rest[..., None, k, :k]
    return upper, np.diagonal(rest, axis1=-2, axis2=-1).copy()
