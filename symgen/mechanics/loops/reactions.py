"""Reactions: the wrenches by which cut joints close the loops, from the multipliers of their constraints.

The rate of every constraint is the power of a unit wrench on one end of a cut joint, as the other end sees it move:
along an axis of the observer, about the normal of two axes, or along the line between two points. Multipliers times
these are what the one body does to the other, and back, so that they make Aᵀ λ in the joints. Couplings act in joints
alone. A link that is taken not to spin about its own line has a moment about it where its motion asks for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from symgen.algebra.domain import Scalar, Vector, cross, identity, vector, zeros
from symgen.mechanics.kinematics import applied
from symgen.mechanics.loops.view import View, seen
from symgen.mechanics.mechanism import CutOnBodies, FrameOnBody, Mechanism
from symgen.mechanics.rotation import Rotation
from symgen.robot.loops import CutKind

Load = tuple[FrameOnBody, Vector]
"""A frame, and the wrench [n; f] (N m, N) on it about its origin, in its axes."""


@dataclass(frozen=True)
class Reaction:
    """What a cut joint does to its two ends."""

    cut: CutOnBodies
    predecessor: Load
    successor: Load

    @property
    def of_predecessor(self) -> Vector:
        """[n; f], 6 (N m, N), that the predecessor exerts on the successor, about its frame's origin, in its axes."""
        wrench, axes = self.predecessor[1], self.cut.axes
        return vector([*axes.to_child(-wrench[:3]), *axes.to_child(-wrench[3:])])


def loads(mechanism: Mechanism, multipliers: Sequence[Scalar]) -> Iterator[Load]:
    """What closes the loops, as wrenches on bodies, from λ of all rows of A."""
    for reaction in reactions(mechanism, multipliers):
        yield from (reaction.predecessor, reaction.successor)
    still = zeros(mechanism.domain, 3)
    for spin, multiplier in zip(mechanism.spins, multipliers[len(multipliers) - len(mechanism.spins) :], strict=True):
        yield replace(spin, rotation=Rotation()), vector([*(spin.position * multiplier), *still])


def reactions(mechanism: Mechanism, multipliers: Sequence[Scalar]) -> list[Reaction]:
    """The reactions of all cut joints, from the multipliers λ of their constraints."""
    assert mechanism.plan is not None
    result, first = [], 0
    for index, cut in enumerate(mechanism.cuts):
        own = multipliers[first : first + cut.kind.size]
        result.append(_reaction(mechanism, cut, own, reverse=index in mechanism.plan.reversed_cuts))
        first += cut.kind.size
    return result


def _reaction(mechanism: Mechanism, cut: CutOnBodies, own: Sequence[Scalar], *, reverse: bool) -> Reaction:
    start, end = (cut.successor, cut.predecessor) if reverse else (cut.predecessor, cut.successor)
    view = seen(mechanism, start, end, None)
    moment, force = _on_end(mechanism, cut, view, own, reverse=reverse)
    back = applied(view.axes.T, moment), applied(view.axes.T, force)
    arm = view.origin.copy()  # as far as the joint leaves one; a rod pushes along it
    arm[list(range(3) if cut.kind is CutKind.ROD else cut.kind.shifts)] = mechanism.domain.constant(0)
    at_start = start, -vector([*(moment + cross(arm, force)), *force])
    at_end = end, vector([*back[0], *back[1]])
    return Reaction(cut, at_end, at_start) if reverse else Reaction(cut, at_start, at_end)


def _on_end(
    mechanism: Mechanism, cut: CutOnBodies, view: View, own: Sequence[Scalar], *, reverse: bool
) -> tuple[Vector, Vector]:
    """(moment, force) on the end that is seen, about its origin, in the observer's axes."""
    moment, force = zeros(mechanism.domain, 3), zeros(mechanism.domain, 3)
    if cut.kind is CutKind.ROD:
        return moment, view.origin * own[0]
    for axis, multiplier in zip(cut.kind.shifts, own, strict=False):
        force[axis] = force[axis] + multiplier
    unit = identity(mechanism.domain, 3)
    pairs = [(second, first) for first, second in cut.kind.angles] if reverse else cut.kind.angles
    for (mine, other), multiplier in zip(pairs, own[len(cut.kind.shifts) :], strict=True):
        moment = moment + cross(view.axes[:, other], unit[mine]) * multiplier
    return moment, force
