"""Jacobians of points that move with links, and their exact rates, in the base frame.

A joint turns what it carries about its axis, or slides it along, or both; so its column for a point is the axis times
the lever arm, the axis, or a sum of these. The rate of a column follows from the velocities of the axis, of its point,
and of the point moved.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.verify.geometry import Floats
from symgen.verify.transforms import cross


@dataclass(frozen=True)
class Joints:
    """The c columns of joints: unit vectors and points of their axes (…, c, 3), how far they turn and slide per unit
    (c), the columns (c, c) that carry the axis of column j (row j), and which of the n rates moves it (c, n)."""

    axes: Floats
    points: Floats
    turns: Floats
    slides: Floats
    carries: Floats
    rates: Floats


@dataclass(frozen=True)
class Velocities:
    """How the joints move P points: columns of Jacobians (…, P, 3, n), or their rates.

    `linear`: velocity of the points per unit of q̇. `angular`: angular velocity of the bodies they are fixed to.
    """

    linear: Floats
    angular: Floats


def velocities(joints: Joints, places: Floats, carries: Floats) -> Velocities:
    """Jacobians of points at `places` (…, P, 3), each carried by the columns with 1 in its row of `carries` (P, c)."""
    turning, sliding = _kinds(joints, carries)
    axes = joints.axes[..., None, :, :]
    linear = turning * cross(axes, _levers(places, joints.points)) + sliding * axes
    return _by_rate(joints, linear, turning * axes)


def rates(joints: Joints, places: Floats, carries: Floats, speed: Floats) -> Velocities:
    """The rates at which these Jacobians change while the joints move with `speed` (…, n)."""
    turning, sliding = _kinds(joints, carries)
    own = velocities(joints, joints.points, joints.carries)
    axes = joints.axes[..., None, :, :]
    changing = cross(times(own.angular, speed), joints.axes)[..., None, :, :]
    moving = times(velocities(joints, places, carries).linear, speed)
    lever, lever_rate = _levers(places, joints.points), _levers(moving, times(own.linear, speed))
    linear = turning * (cross(changing, lever) + cross(axes, lever_rate)) + sliding * changing
    return _by_rate(joints, linear, turning * changing)


def times(columns: Floats, speed: Floats) -> Floats:
    """Columns (…, P, 3, n) times joint rates (…, n): (…, P, 3)."""
    return np.asarray((columns @ speed[..., None, :, None])[..., 0])


def _by_rate(joints: Joints, linear: Floats, angular: Floats) -> Velocities:
    """Columns (…, P, c, 3) added where one rate moves several joints: a joint that follows another has its rate."""
    return Velocities(*(np.swapaxes(columns, -1, -2) @ joints.rates for columns in (linear, angular)))


def _kinds(joints: Joints, carries: Floats) -> tuple[Floats, Floats]:
    """(P, c, 1): how far a joint turns a point per unit, and how far it slides it; 0 where it does not carry it."""
    return (carries * joints.turns)[..., None], (carries * joints.slides)[..., None]


def _levers(places: Floats, points: Floats) -> Floats:
    """(…, P, c, 3): from the points of the axes to the places."""
    return np.asarray(places[..., :, None, :] - points[..., None, :, :])
