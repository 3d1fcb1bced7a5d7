"""Second derivatives of the oracle's forces, in the tangent space: of q in steps d of integrate(q, d), at d = 0.

Along two positions they are slopes of slopes, exact sums of values at shifted positions (see `rates`); along two
columns of one joint, which need not commute, the mean of both orders. Along rates forces are quadratic but for
friction. Tensors are (…, n, n, n): the force first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from symgen.robot.model import Robot
from symgen.verify import sizes
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats
from symgen.verify.joints import all_motions
from symgen.verify.linear import Instant, inertia_slopes
from symgen.verify.oracle import Oracle
from symgen.verify.rates import slope
from symgen.verify.sizes import Measure


@dataclass(frozen=True)
class Tensors:
    """∂²τ by q and q, q and q̇, q̇ and q̇, q and q̈, each with what the oracle can err."""

    positions: Ball
    positions_rates: Ball
    rates: Ball
    positions_accelerations: Ball


def tensors(oracle: Oracle, at: Instant, pull: Floats) -> Tensors:
    """Those of the oracle's forces at an instant; `pull`: |gravity|."""

    measures = (
        partial(_position_sizes, at=at, pull=pull),
        partial(_position_rate_sizes, at=at),
        partial(_rate_sizes, at=at),
        partial(_position_acceleration_sizes, at=at),
    )
    return Tensors(
        *(
            Ball(value, np.broadcast_to(sizes.rounding(oracle, size), value.shape))
            for value, size in zip(values(oracle, at), measures, strict=True)
        )
    )


def values(oracle: Oracle, at: Instant) -> tuple[Floats, Floats, Floats, Floats]:
    """The same arrays as numbers alone."""
    mixed = np.swapaxes(inertia_slopes(oracle, at.q), -1, -2)
    return _positions(oracle, at), _positions_rates(oracle, at), _rates(oracle, at), mixed


def inertia_bends(oracle: Oracle, q: Floats, x: Floats) -> Floats:
    """Bounds of ∂²(M x)/∂q∂q (…, n, n, n) for all x (…, n) of this size."""

    def size(q: Floats) -> Floats:
        return np.asarray((sizes.inertia_sizes(Measure(oracle), q) @ x[..., None])[..., 0])

    return second_slopes(oracle.robot, size, q, size=True)


def second_slopes(robot: Robot, function: Callable[[Floats], Floats], q: Floats, *, size: bool = False) -> Floats:
    """Second derivatives (…, n, n) of a function's values (…) at q (…, nq); with `size` sums of the absolute terms."""
    n = robot.nv
    found: list[list[Floats]] = [[np.zeros(())] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            entry = _bend(robot, function, q, i, j, size=size)
            if i != j and _same_joint(robot, i, j):
                entry = (entry + _bend(robot, function, q, j, i, size=size)) / 2
            found[i][j] = found[j][i] = entry
    return np.stack([np.stack(row, axis=-1) for row in found], axis=-2)


def _bend(
    robot: Robot, function: Callable[[Floats], Floats], q: Floats, outer: int, inner: int, *, size: bool
) -> Floats:
    return slope(robot, lambda at: slope(robot, function, at, outer, size=size), q, inner, size=size)


def _same_joint(robot: Robot, i: int, j: int) -> bool:
    return any(i in motion.rates and j in motion.rates for motion in all_motions(robot))


def contracted(weights: Floats, tensor: Ball) -> Ball:
    """Σ weightₖ tensorₖ, (…, n, n)."""

    def total(weights: Floats, array: Floats) -> Floats:
        return np.asarray(np.einsum("...k,...kij->...ij", weights, array))

    size = np.abs(weights)
    rounding = EPSILON * weights.shape[-1] * total(size, np.abs(tensor.value))
    return Ball(total(weights, tensor.value), total(size, tensor.radius) + rounding)


# values --------------------------------------------------------------------------------------------


def _positions(oracle: Oracle, at: Instant) -> Floats:
    # What drives do has no second derivatives.
    return second_slopes(oracle.robot, lambda q: at.forces(oracle, q, at.qd), at.q)


def _positions_rates(oracle: Oracle, at: Instant) -> Floats:
    def by_rates(q: Floats, ways: Floats) -> Floats:
        ahead, behind = (oracle.coriolis_torque(q, at.qd[..., None, :] + sign * ways) for sign in (1, -1))
        return (ahead - behind) / 2

    return _along_rates(oracle.robot, by_rates, at)


def _along_rates(robot: Robot, of: Callable[[Floats, Floats], Floats], at: Instant, *, size: bool = False) -> Floats:
    """Slopes by q (last but one) of what belongs to every rate (last), of q (…, 1, nq) and unit rates (n, n)."""
    ways = np.eye(robot.nv)
    rows = [slope(robot, lambda q: of(q[..., None, :], ways), at.q, i, size=size) for i in range(robot.nv)]
    return np.stack([np.swapaxes(row, -1, -2) for row in rows], axis=-2)


def _rates(oracle: Oracle, at: Instant) -> Floats:
    n, units = oracle.robot.nv, np.eye(oracle.robot.nv)
    own = [oracle.coriolis_torque(at.q, way) for way in units]
    value = np.zeros((*own[0].shape, n, n))
    for i in range(n):
        value[..., i, i] = 2 * own[i]
        for j in range(i):
            both = oracle.coriolis_torque(at.q, units[i] + units[j]) - own[i] - own[j]
            value[..., i, j] = value[..., j, i] = both
    for i in range(n):
        value[..., i, i, i] += oracle.drives.friction_curvature(at.qd)[..., i]
    return value


# sizes ---------------------------------------------------------------------------------------------


def _position_sizes(by: Measure, at: Instant, pull: Floats) -> Floats:
    def size(q: Floats) -> Floats:
        return sizes.force_sizes(by, q, at.qd, at.qdd, pull) + sizes.load_sizes(by, q, at.loads)

    return second_slopes(by.oracle.robot, size, at.q, size=True)


def _position_rate_sizes(by: Measure, at: Instant) -> Floats:
    def of(q: Floats, ways: Floats) -> Floats:
        rates = np.abs(at.qd)[..., None, :] + ways
        return sizes.force_sizes(by, q, rates, np.zeros_like(rates), np.zeros(()))

    return _along_rates(by.oracle.robot, of, at, size=True)


def _rate_sizes(by: Measure, at: Instant) -> Floats:
    n, units = by.oracle.robot.nv, np.eye(by.oracle.robot.nv)
    still, weightless = np.zeros_like(at.qd), np.zeros(())
    rows = [
        np.stack([2 * sizes.force_sizes(by, at.q, one + other, still, weightless) for other in units], axis=-1)
        for one in units
    ]
    value = np.stack(rows, axis=-2)
    for i in range(n):
        value[..., i, i, i] += by.oracle.drives.friction_curvature_sizes[i]
    return value


def _position_acceleration_sizes(by: Measure, at: Instant) -> Floats:
    robot = by.oracle.robot

    def size(q: Floats) -> Floats:
        return sizes.inertia_sizes(by, q)

    return np.stack([slope(robot, size, at.q, joint, size=True) for joint in range(robot.nv)], axis=-2)
