"""What closed loops imply of few coordinates: equations that leave out joints which constraints contain.

Where two frames of a cut joint are one point, their distances from any third point are equal. Seen from a point on the
axis of a revolute joint, or the centre of a ball, neither distance depends on that joint: of a planar dyad (RRR, RRP,
RPR) one unknown coordinate is left, and of a coupler between two ball joints none of its own. Where a cut joint slides,
the distances from a plane along which it does take the place of these, and its axes stay parallel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symgen.algebra.domain import Scalar, dot, is_zero, zeros
from symgen.mechanics.loops.closure import closure
from symgen.mechanics.loops.view import branches, seen
from symgen.mechanics.mechanism import CutOnBodies, FrameOnBody, Mechanism
from symgen.mechanics.rotation import Rotation
from symgen.robot.loops import CutKind


@dataclass(frozen=True)
class Equation:
    """`value` is 0 where loops are closed; `cut`: the index of the cut joint that asks for it, None for couplings.

    Linear in the cosine and the sine of every angle, and quadratic at the most in shifts.
    """

    value: Scalar
    cut: int | None


def equations(mechanism: Mechanism) -> list[Equation]:
    """The constraints, and what they imply, in an order that is the same over all domains."""
    found, start, residual = [], 0, closure(mechanism).residual
    for index, cut in enumerate(mechanism.cuts):
        found += [Equation(value, index) for value in residual[start : start + cut.kind.size]]
        start += cut.kind.size
    found += [Equation(value, None) for value in residual[start:]]
    for index, cut in enumerate(mechanism.cuts):
        found += [Equation(value, index) for value in _implied(mechanism, cut)]
    return found


def _implied(mechanism: Mechanism, cut: CutOnBodies) -> Iterator[Scalar]:
    first, second = cut.predecessor, cut.successor
    slides = cut.kind is CutKind.PRISMATIC
    if slides:
        axes = seen(mechanism, first, second, None).axes
        yield from (axes[k, k] - mechanism.domain.constant(1) for k in range(3))
    inner, outer = branches(mechanism, first, second)
    for index in (*inner, *outer):
        if not all(map(is_zero, mechanism.bodies[index].subspace[0][3:])):
            continue
        centre, outside = _centre(mechanism, index)
        pair = (centre, outside) if index in inner else (outside, centre)
        if cut.kind.holds_points:
            near, far = (seen(mechanism, at, end, None).origin for at, end in zip(pair, (first, second), strict=True))
            yield (dot(near, near) - dot(far, far)) / mechanism.domain.constant(2)
        elif slides:
            near, far = (seen(mechanism, end, at, None).origin for at, end in zip(pair, (first, second), strict=True))
            yield from (near[axis] - far[axis] for axis in cut.kind.shifts)


def _centre(mechanism: Mechanism, index: int) -> tuple[FrameOnBody, FrameOnBody]:
    """A point on the axis of a body's joint, or its centre: as the body carries it, and as its parent does."""
    body = mechanism.bodies[index]
    own = FrameOnBody("", index, Rotation(), zeros(mechanism.domain, 3))
    return own, FrameOnBody("", body.parent, Rotation(), body.position)
