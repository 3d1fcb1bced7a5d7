"""Masses that change bodies where a loop closes: a point that two bodies share belongs to either.

A point mass added to one body where a cut joint holds the point of another, and taken from that other one, changes
neither inertia nor weight of the independent joints: both points have one velocity and one acceleration. That goes on
where base parameters end (see `grouping`): a link between two pivots can be left with its inertia alone. Multipliers
and the forces of the tree's joints do change.
"""

from __future__ import annotations

from collections.abc import Collection

from symgen.algebra.domain import Scalar, dot, is_zero
from symgen.mechanics.grouping import with_inertias
from symgen.mechanics.inertia import SpatialInertia, point_mass
from symgen.mechanics.kinematics import path
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.rotation import Rotation
from symgen.robot.model import BASE


def exchangeable(mechanism: Mechanism) -> list[int]:
    """Indices of the cut joints at which masses may change bodies.

    Their points must be held by the plan's constraints as a whole, or lie in one plane at every q, and their branches
    must meet at the base: then velocities of both points are equal in any state of the tree, closed or not.
    """
    plan = mechanism.plan
    if plan is None:
        return []
    solved = {row for block in plan.blocks for row in block.rows}
    moving = {row for row, _ in plan.entries}
    found, start = [], 0
    for index, cut in enumerate(mechanism.cuts):
        rows = set(range(start, start + 3))
        apart = not set(path(mechanism, cut.predecessor.body)) & set(path(mechanism, cut.successor.body))
        if cut.kind.holds_points and apart and not rows & moving - solved:
            found.append(index)
        start += cut.kind.size
    return found


def exchanged(mechanism: Mechanism, to_predecessor: Collection[int], to_successor: Collection[int]) -> Mechanism:
    """The mechanism with a mass moved to the predecessor, or the successor, of the cut joints of these indices.

    It is so large that the other body has no first moment left along the way from its origin to the point or, where
    these are one, no mass.
    """
    inertias = [body.inertia for body in mechanism.bodies]
    for index in exchangeable(mechanism):
        ends = (mechanism.cuts[index].predecessor, mechanism.cuts[index].successor)
        for chosen, (takes, gives) in ((to_predecessor, ends), (to_successor, ends[::-1])):
            if index not in chosen or gives.body == BASE:
                continue
            mass = _given(inertias[gives.body], gives)
            inertias[gives.body] = inertias[gives.body] + _point(mechanism, gives, -mass)
            if takes.body != BASE:
                inertias[takes.body] = inertias[takes.body] + _point(mechanism, takes, mass)
    return with_inertias(mechanism, inertias)


def _given(inertia: SpatialInertia, frame: FrameOnBody) -> Scalar:
    """The mass that a body gives away at the origin of a frame."""
    square = dot(frame.position, frame.position)
    return inertia.mass if is_zero(square) else dot(frame.position, inertia.first_moment) / square


def _point(mechanism: Mechanism, frame: FrameOnBody, mass: Scalar) -> SpatialInertia:
    """The inertia of a mass at the origin of a frame, about its body's."""
    return point_mass(mechanism.domain, mass).moved(Rotation(), frame.position)
