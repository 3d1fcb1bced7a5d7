"""What joints do: motion subspaces and transforms of the kinds in `robot.joints`, over any domain of scalars.

A joint makes one `Motion` after the other. A joint of screws has one for each coordinate: x ↦ (rotation about z by turn
x + offset, shift along z by slide x), a screw about another axis of the joint's frame between two constant quarter
turns. Each moves a body of its own; the bodies between are massless. A free joint is one motion with all of its
columns. In the frame of the body that it moves, a motion's subspace S is constant, so that recursions need no Ṡ of
their own. The rates of q are q̇ = E(q) v, with E the identity for screws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from symgen.algebra.domain import Domain, Matrix, Scalar, Vector, identity, vector, zeros
from symgen.mechanics.quaternion import left_product, orientation
from symgen.mechanics.rotation import Rotation, Turn
from symgen.robot.expression import ZERO, Expression
from symgen.robot.joints import JointKind
from symgen.robot.model import Joint, Robot


@dataclass(frozen=True)
class Motion:
    """What coordinates of a joint do at the present q.

    `before`: a constant rotation from the frame of the joint, or of the body moved last. Then `position` (3), None if
    it is the constant 0, is where the moved frame's origin lies, and `rotation` how it is turned. `shift` (m): how far
    a screw slides along z beyond what it does at q = 0, None if it does not. `columns`: [ω; v] in the moved frame per
    unit rate of each coordinate. `after`: the constant rotation from the moved frame back to the joint's axes.
    """

    before: Rotation
    rotation: Rotation
    position: Vector | None
    columns: tuple[Vector, ...]
    shift: Scalar | None = None
    after: Rotation = field(default_factory=Rotation)


def motions(
    joint: Joint, positions: Sequence[int], domain: Domain, scalar: Callable[[Expression], Scalar], offset: Any
) -> list[Motion]:
    """The motions of a joint, from its carrier outward, its coordinates at these indices of q.

    `scalar` makes numbers of the robot scalars of the domain. `offset` is the joint's `rest`: an `Exact` or a scalar;
    what it slides by is no part of the motions (see `Joint.shift`). A joint that follows another has the columns and
    the angle of its own coordinate per unit of that joint's.
    """
    if joint.kind.is_free:
        return [_free(joint.kind, positions, domain)]
    return [
        _screw(joint, number, q, domain, scalar, offset if number == 0 else ZERO.constant({}))
        for number, q in enumerate(positions)
    ]


def _screw(
    joint: Joint, number: int, q: int, domain: Domain, scalar: Callable[[Expression], Scalar], offset: Any
) -> Motion:
    coordinate = joint.kind.coordinates[number]
    nothing, slide, ratio = domain.constant(0), joint.slide(coordinate), joint.ratio
    rate = _directed(joint, scalar(slide))
    rate = rate if ratio == 1 else domain.constant(ratio) * rate
    turn = domain.constant(joint.direction * coordinate.turn * ratio)
    column = vector([nothing, nothing, turn, nothing, nothing, rate])
    rotation = Rotation()
    if coordinate.turn:
        # The angle, direction times ratio q plus offset, is direction times (ratio q + direction times offset).
        c, s = domain.cos_sin(q, _directed(joint, offset), ratio)
        rotation = Rotation((Turn(2, c, _directed(joint, s)),))
    shift = None if slide.is_zero else rate * domain.variable("q", q)
    position = None if shift is None else vector([nothing, nothing, shift])
    before = z_onto(domain, coordinate.axis)
    return Motion(before, rotation, position, (column,), shift, before.inverse())


def z_onto(domain: Domain, axis: int) -> Rotation:
    """The quarter turn that takes z onto axis 0, 1 or 2 (x, y, z)."""
    if axis == 2:
        return Rotation()
    # About y the turn is by +90°, about x by −90°.
    return Rotation((Turn(1 - axis, domain.constant(0), domain.constant(1 if axis == 0 else -1)),))


def _directed(joint: Joint, x: Any) -> Any:
    """`x` times the joint's direction."""
    return x if joint.direction > 0 else -x


# free joints -----------------------------------------------------------------------------------------


def _free(kind: JointKind, positions: Sequence[int], domain: Domain) -> Motion:
    columns = tuple(_unit_column(domain, each.axis + (0 if each.turn else 3)) for each in kind.coordinates)
    point = _point(kind, positions, domain)
    return Motion(Rotation(), _orientation(kind, positions, domain), point, columns)


def _unit_column(domain: Domain, index: int) -> Vector:
    column = zeros(domain, 6)
    column[index] = domain.constant(1)
    return column


def _entries(kind: JointKind, positions: Sequence[int], domain: Domain) -> dict[str, Scalar]:
    """The entries of q by their names."""
    return {each.name: domain.variable("q", q) for each, q in zip(kind.positions, positions, strict=True)}


def _point(kind: JointKind, positions: Sequence[int], domain: Domain) -> Vector | None:
    places = {each.name: q for each, q in zip(kind.positions, positions, strict=True)}
    entries = {axis: domain.variable("q", places[axis]) for axis in "xyz" if axis in places}
    if not entries:
        return None
    return vector(entries.get(axis, domain.constant(0)) for axis in "xyz")


def _orientation(kind: JointKind, positions: Sequence[int], domain: Domain) -> Rotation:
    names = [each.name for each in kind.positions]
    if "theta" in names:
        return Rotation((Turn(2, *domain.cos_sin(positions[names.index("theta")], ZERO.constant({}))),))
    first = names.index("qx")
    return Rotation((orientation(domain, domain.quaternion(positions[first])),))


# rates -------------------------------------------------------------------------------------------------


def rate_map(robot: Robot, domain: Domain) -> Matrix:
    """E(q), nq×nv, with q̇ = E(q) v: rates of the entries of q per unit of the velocity coordinates.

    For a quaternion it is half of q ⊗ (ω, 0), with ω in the moved link's axes; for a point, its frame's orientation.
    """
    result = zeros(domain, robot.nq, robot.nv)
    for index, q, v in robot.coordinates():
        joint = robot.links[index].joint
        if joint.mimic is None:
            result[q, v] = rates_of(joint.kind, range(q.start, q.stop), domain)
    return result


def rates_of(kind: JointKind, positions: Sequence[int], domain: Domain) -> Matrix:
    """A joint's block of E(q), its entries of q at these indices."""
    if not kind.is_free:
        return identity(domain, kind.nv)
    result = zeros(domain, kind.nq, kind.nv)
    names = [each.name for each in kind.positions]
    axes = _orientation(kind, positions, domain).matrix(domain)
    for column, each in enumerate(kind.coordinates):
        if not each.turn:
            for row, name in enumerate("xyz"):
                if name in names:
                    result[names.index(name), column] = axes[row, each.axis]
        elif "theta" in names:
            result[names.index("theta"), column] = domain.constant(1)
        else:
            first = names.index("qx")
            result[first : first + 4, column] = left_product(domain, _entries(kind, positions, domain), each.axis)
    return result
