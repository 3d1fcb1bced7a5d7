"""How joint forces change with parameters, positions and rates.

The regressor follows from the laws of Newton and Euler in the base frame, for bodies with one inertial parameter each.
Derivatives are sums of the oracle's forces at shifted states: along one position these are trigonometric polynomials
of degree 2 at most, or polynomials (see `rates`), and along one rate they are quadratic but for friction, so that no
difference truncates anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from symgen.verify import sizes
from symgen.verify.geometry import Floats
from symgen.verify.jacobians import velocities
from symgen.verify.oracle import Loads, Oracle, spread
from symgen.verify.rates import slope
from symgen.verify.sizes import Measure
from symgen.verify.transforms import cross

Column = tuple[int, str]
"""A column of a regressor: number of a link in the table, from 1, and stem of its inertial parameter, such as ZZ."""


# regressor ---------------------------------------------------------------------------------------------


def regressor(
    oracle: Oracle, columns: Sequence[Column], q: Floats, qd: Floats, qdd: Floats, gravity: Floats | None = None
) -> Floats:
    """Y (…, n, p): joint forces of links with one inertial parameter of 1, about the joints' frames."""
    q, qd, qdd = spread(q, qd, qdd)
    at = oracle.geometry(q)
    frames = at.joints
    origins = frames[..., :3, 3]
    motion = oracle.motion(at, qd, qdd, oracle.gravity if gravity is None else np.asarray(gravity), origins)
    moves = velocities(oracle.joints(at), origins, oracle.carries)
    work = []
    for number, stem in columns:
        link = number - 1
        spin, rate, acceleration = (array[..., link, :] for array in (motion.spin, motion.rate, motion.acceleration))
        mass, first, tensor = unit_inertia(frames[..., link, :3, :3], stem)
        force = mass * acceleration + cross(rate, first) + cross(spin, cross(spin, first))
        moment = cross(first, acceleration) + _times(tensor, rate) + cross(spin, _times(tensor, spin))
        turned, slid = (np.swapaxes(array[..., link, :, :], -1, -2) for array in (moves.angular, moves.linear))
        work.append(_times(turned, moment) + _times(slid, force))
    return np.stack(work, axis=-1)


def unit_inertia(axes: Floats, stem: str) -> tuple[float, Floats, Floats]:
    """(mass, first moment (…, 3), tensor (…, 3, 3)) of a body with this parameter 1, in the base frame."""
    first, tensor = np.zeros(3), np.zeros((3, 3))
    if stem.startswith("M") and stem != "M":
        first["XYZ".index(stem[1])] = 1
    elif stem != "M":
        i, j = map("XYZ".index, stem)
        tensor[i, j] = tensor[j, i] = 1
    return float(stem == "M"), _times(axes, first), axes @ tensor @ np.swapaxes(axes, -1, -2)


def regressor_sizes(by: Measure, columns: Sequence[Column], q: Floats, qd: Floats, qdd: Floats, pull: Floats) -> Floats:
    """Sum of the absolute terms of every entry of a regressor, (…, n, p)."""
    at = by.oracle.geometry(q)
    origins = at.joints[..., :3, 3]
    angular, linear = sizes.motion_sizes(by, at, np.abs(qd), np.abs(qdd), pull, origins)
    arms = sizes.moments(by, at, origins)
    result = []
    for number, stem in columns:
        link = number - 1
        reach, turning = arms.reach[..., link, :], arms.turning[link]
        spin, thrust = angular[..., link, None], linear[..., link, None]
        if stem == "M":
            result.append(reach * thrust)
        elif stem.startswith("M"):
            result.append(reach * spin + turning * thrust)
        else:
            result.append(turning * spin + 0 * reach)
    return np.stack(result, axis=-1)


# derivatives -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instant:
    """A state (…, n) with its accelerations, gravity (…, 3) and loads: where derivatives are wanted."""

    q: Floats
    qd: Floats
    qdd: Floats
    gravity: Floats | None
    loads: Loads

    def forces(self, oracle: Oracle, q: Floats, qd: Floats) -> Floats:
        """Joint forces at other positions and rates, without those of rotors and drives.

        Springs are no trigonometric polynomials, and their slopes are known. The others do not change with q, and may
        be so large that differences would show nothing else than their rounding.
        """
        return oracle.links_dynamics(q, qd, self.qdd, self.gravity, self.loads)


def inverse_dynamics_derivatives(oracle: Oracle, at: Instant) -> tuple[Floats, Floats]:
    """∂τ/∂q and ∂τ/∂q̇, (…, n, n) each."""

    by_position = _stacked(oracle, lambda j: slope(oracle.robot, lambda q: at.forces(oracle, q, at.qd), at.q, j))
    by_position = by_position + np.diag(oracle.drives.spring_slopes)

    units = np.eye(oracle.robot.nv)
    by_rate = _stacked(
        oracle,
        lambda j: (oracle.coriolis_torque(at.q, at.qd + units[j]) - oracle.coriolis_torque(at.q, at.qd - units[j])) / 2,
    )
    return by_position, by_rate + _diagonal(oracle.drives.friction_slope(at.qd))


def derivative_sizes(by: Measure, at: Instant, pull: Floats) -> tuple[Floats, Floats]:
    """Sums of the absolute terms that ∂τ/∂q and ∂τ/∂q̇ are made of, (…, n, n) each."""

    def size(q: Floats) -> Floats:
        return sizes.force_sizes(by, q, at.qd, at.qdd, pull) + sizes.load_sizes(by, q, at.loads)

    by_position = _stacked(by.oracle, lambda j: slope(by.oracle.robot, size, at.q, j, size=True))
    none, units = np.zeros_like(at.qd), np.eye(at.qd.shape[-1])
    by_rate = _stacked(by.oracle, lambda j: sizes.force_sizes(by, at.q, np.abs(at.qd) + units[j], none, np.zeros(())))
    drives = by.oracle.drives
    return by_position + np.diag(np.abs(drives.spring_slopes)), by_rate + np.diag(drives.friction_slope_sizes)


def inertia_slopes(oracle: Oracle, q: Floats) -> Floats:
    """∂M_ik/∂q_j (…, n, n, n), indexed i, k, j."""
    slopes = [slope(oracle.robot, oracle.inertia_matrix, q, joint) for joint in range(oracle.robot.nv)]
    return np.stack(slopes, axis=-1)


def _stacked(oracle: Oracle, column: Callable[[int], Floats]) -> Floats:
    return np.stack([column(joint) for joint in range(oracle.robot.nv)], axis=-1)


def _diagonal(entries: Floats) -> Floats:
    return np.asarray(entries[..., None] * np.eye(entries.shape[-1]))


def _times(matrix: Floats, column: Floats) -> Floats:
    return np.asarray((matrix @ column[..., None])[..., 0])
