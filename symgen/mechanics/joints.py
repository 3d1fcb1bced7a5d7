"""What joints do: motion subspaces and transforms of the kinds in `robot.joints`, over any domain of scalars.

A joint is one screw about and along z for each of its coordinates, one after the other. Each screw x ↦ (rotation about
z by turn x + offset, shift along z by slide x) moves a body of its own; the bodies between are massless. In the frame
of the body that it moves, its motion subspace is the constant column [0, 0, turn, 0, 0, slide], so that everything that
runs over bodies with one column each knows all joints. The rates of q are the velocities themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from symgen.algebra.domain import Domain, Scalar, Vector, vector
from symgen.mechanics.rotation import Rotation, Turn
from symgen.robot.expression import ZERO, Expression
from symgen.robot.model import Joint


@dataclass(frozen=True)
class Screw:
    """A motion with one freedom about and along z, at the present q.

    `rotation` is the turn, empty if there is none; `shift` (m) how far it slides beyond what it does at q = 0, None if
    it does not. `column`: [ω; v] in the moved frame per unit rate of the coordinate.
    """

    rotation: Rotation
    shift: Scalar | None
    column: Vector


def screws(
    joint: Joint, positions: Sequence[int], domain: Domain, scalar: Callable[[Expression], Scalar], offset: Any
) -> list[Screw]:
    """The screws of a joint, from its carrier outward, their coordinates at these indices of q.

    `scalar` makes numbers of the robot scalars of the domain. `offset` is the joint's: an `Exact` or a scalar; what it
    slides by is no part of the screws (see `Joint.shift`).
    """
    return [
        _screw(joint, number, q, domain, scalar, offset if number == 0 else ZERO.constant({}))
        for number, q in enumerate(positions)
    ]


def _screw(
    joint: Joint, number: int, q: int, domain: Domain, scalar: Callable[[Expression], Scalar], offset: Any
) -> Screw:
    coordinate = joint.kind.coordinates[number]
    nothing, slide = domain.constant(0), joint.slide(coordinate)
    rate = _directed(joint, scalar(slide))
    column = vector([nothing, nothing, domain.constant(joint.direction * coordinate.turn), nothing, nothing, rate])
    rotation = Rotation()
    if coordinate.turn:
        # The angle, direction times q plus offset, is direction times (q + direction times offset).
        c, s = domain.cos_sin(q, _directed(joint, offset))
        rotation = Rotation((Turn(2, c, _directed(joint, s)),))
    return Screw(rotation, None if slide.is_zero else rate * domain.variable("q", q), column)


def _directed(joint: Joint, x: Any) -> Any:
    """`x` times the joint's direction."""
    return x if joint.direction > 0 else -x
