"""What cut joints do to links, in the base frame, and what joints carry then: λ times wrenches that do φ̇ as work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from symgen.robot.loops import CutKind
from symgen.robot.model import BASE, CutJoint, Frame
from symgen.verify import mass_sizes, masses, sizes
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats, pose
from symgen.verify.loops.constraints import SLACK
from symgen.verify.transforms import cross

if TYPE_CHECKING:
    from symgen.verify.expected import Expected
    from symgen.verify.loops.expected import Closed

Load = tuple[Frame, Ball]
"""A frame, and the wrench (…, 6) on it about its origin, in its axes."""


def cut_wrench(at: Closed) -> Ball:
    """[n; f] (…, cuts, 6) of predecessors on successors, about the predecessors' origins, in their axes."""
    found = [_on_predecessor(at, cut, own) * np.full((), -1.0) for cut, own in _multipliers(at)]
    return Ball(np.stack([ball.value for ball in found], -2), np.stack([ball.radius for ball in found], -2))


def joint_wrench(at: Closed) -> Ball:
    """[n; f] (…, links, 6) that the tree's joints carry."""
    closing = [load for load in _loads(at) if load[0].link != BASE]
    loads = [*at.loads, *((frame.name, wrench.value) for frame, wrench in closing)]

    def of(tree: Expected) -> Ball:
        value = masses.joint_wrench(tree.oracle, tree.q, tree.qd, tree.qdd, tree.gravity, loads)
        return tree.ball(value, lambda by: mass_sizes.wrench_sizes(by, tree.q, tree.qd, tree.qdd, tree.pull, loads))

    found = at.moved(of, at.velocity, at.accelerations_of(at.qdd))
    still = np.zeros_like(at.velocity.value)
    measure = sizes.Measure(at.oracle)
    errors = [(frame.name, wrench.radius) for frame, wrench in closing]
    return found.wider(mass_sizes.wrench_sizes(measure, at.q, still, still, np.zeros(()), errors))


def _multipliers(at: Closed) -> list[tuple[CutJoint, Ball]]:
    found, first, result = at.multipliers(at.qdd), 0, []
    for cut in at.oracle.robot.cut_joints:
        own = slice(first, first + cut.kind.size)
        result.append((cut, found.mapped(lambda array, own=own: array[..., own])))  # type: ignore[misc]
        first += cut.kind.size
    return result


def _loads(at: Closed) -> list[Load]:
    """What cut joints do to both of their frames, and what keeps links from spinning."""
    result: list[Load] = []
    for cut, own in _multipliers(at):
        result.append((cut.predecessor, _on_predecessor(at, cut, own)))
        result.append((cut.successor, _on_successor(at, cut, own)))
    spins, found = at.oracle.robot.spins, at.multipliers(at.qdd)
    for k, spin in enumerate(spins):
        place, count = _place(at, spin), found.value.shape[-1] - len(spins)
        start = at.oracle.geometry(at.q).joints[..., spin.link, :3, 3]
        line = place.mapped(lambda array: np.swapaxes(array[..., :3, :3], -1, -2)).times(
            Ball(place.value[..., :3, 3] - start, place.radius[..., :3, 3])
        )
        moment = line * found.mapped(lambda array, k=k + count: array[..., k, None])  # type: ignore[misc]
        result.append((spin, moment.mapped(lambda array: np.concatenate([array, 0 * array], axis=-1))))
    return result


def _on_successor(at: Closed, cut: CutJoint, own: Ball) -> Ball:
    """[n; f] (…, 6) on the successor about its origin, in its axes."""
    back, _ = _seen(at, cut)
    units = _units(cut, back.transposed, _seen(at, cut)[1], at_predecessor=False)
    wrench = units.transposed.times(own)
    moment, force = (back.times(wrench.mapped(lambda array, s=s: array[..., s])) for s in (np.s_[:3], np.s_[3:]))  # type: ignore[misc]
    return _joined(moment, force)


def _on_predecessor(at: Closed, cut: CutJoint, own: Ball) -> Ball:
    """[n; f] (…, 6) on the predecessor about its origin, in its axes."""
    back, way = _seen(at, cut)
    units = _units(cut, back.transposed, way, at_predecessor=True)
    return units.transposed.times(own) * np.full((), -1.0)


def _units(cut: CutJoint, axes: Ball, way: Ball, *, at_predecessor: bool) -> Ball:
    """Wrenches (…, m, 6) on the successor whose power is the rate of each constraint, in the predecessor's axes.

    They are about the successor's origin or, beyond the way (…, 3) to it, the predecessor's.
    """
    batch, rows = way.value.shape[:-1], []
    lines = [way] if cut.kind is CutKind.ROD else [_fixed(np.eye(3)[axis], batch) for axis in cut.kind.shifts]
    for line in lines:
        moment = _fixed(np.zeros(3), batch)
        if at_predecessor and cut.kind is not CutKind.ROD and not cut.kind.holds_points:
            moment = _cross(way, line)
        rows.append(_joined(moment, line))
    for own, far in cut.kind.angles:
        across = axes.mapped(lambda array, far=far: array[..., far])  # type: ignore[misc]
        rows.append(_joined(_cross(across, _fixed(np.eye(3)[own], batch)), _fixed(np.zeros(3), batch)))
    return Ball(np.stack([row.value for row in rows], -2), np.stack([row.radius for row in rows], -2))


def _seen(at: Closed, cut: CutJoint) -> tuple[Ball, Ball]:
    """(Rᵀ, way): from the predecessor's axes to the successor's, and to its origin in the predecessor's axes."""
    one, other = _place(at, cut.predecessor), _place(at, cut.successor)
    inward = one.mapped(lambda array: np.swapaxes(array[..., :3, :3], -1, -2))
    axes = inward @ other.mapped(lambda array: array[..., :3, :3])
    apart = other.mapped(lambda array: array[..., :3, 3]) - one.mapped(lambda array: array[..., :3, 3])
    return axes.transposed, inward.times(apart)


def _place(at: Closed, frame: Frame) -> Ball:
    """The pose (…, 4, 4) of an end of a cut joint in the base frame."""
    if frame.link == BASE:
        placed = at.oracle.root @ pose(frame.placement, at.oracle.robot)
        value = np.broadcast_to(placed, (*at.q.shape[:-1], 4, 4))
        return Ball(value, SLACK * EPSILON * np.abs(value))
    value = at.oracle.placed(at.oracle.geometry(at.q), frame.name)
    return at.ball(value, lambda by: sizes.pose_sizes(by, q=at.q, frame=frame.name))


def _cross(a: Ball, b: Ball) -> Ball:
    size = np.linalg.norm(a.value, axis=-1) * np.linalg.norm(b.radius, axis=-1)
    size = size + np.linalg.norm(a.radius, axis=-1) * np.linalg.norm(b.value, axis=-1)
    value = cross(a.value, b.value)
    rounding = EPSILON * np.linalg.norm(a.value, axis=-1) * np.linalg.norm(b.value, axis=-1)
    return Ball(value, np.broadcast_to((2 * (size + rounding))[..., None], value.shape))


def _fixed(axis: Floats, batch: tuple[int, ...]) -> Ball:
    return Ball.exact(np.broadcast_to(axis, (*batch, 3)))


def _joined(moment: Ball, force: Ball) -> Ball:
    parts = [(ball.value, ball.radius) for ball in (moment, force)]
    values, radii = zip(*parts, strict=True)
    return Ball(np.concatenate(values, axis=-1), np.concatenate(radii, axis=-1))
