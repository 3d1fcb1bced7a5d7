"""The coordinates of cut joints, and what friction and springs do there.

The successor is seen from the predecessor. Where the loop is closed its axes and origin give the coordinates, and the
rate of a coordinate is K q̇; a force f in it acts on the tree as Kᵀ f, by the principle of virtual work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from symgen.algebra.domain import Domain, Scalar, Vector, dot, is_zero, vector
from symgen.algebra.exact import PI
from symgen.mechanics.loops.closure import row_of
from symgen.mechanics.loops.view import Column, View, seen
from symgen.mechanics.mechanism import CutOnBodies, DriveTerms, Mechanism
from symgen.robot.joints import ANGLE
from symgen.robot.loops import CutCoordinate

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Coordinate:
    """A coordinate of a cut joint as the predecessor sees it."""

    mechanism: Mechanism
    cut: CutOnBodies
    view: View
    kind: CutCoordinate

    @property
    def position(self) -> Scalar:
        """The angle, in (−π, π], or the shift, rad or m."""
        if self.kind.measure == ANGLE:
            sine, cosine = (self.view.axes[pair] for pair in (self.kind.sine, self.kind.cosine))
            return angle(self.mechanism.domain, sine, cosine)
        return self.view.origin[self.kind.axis]

    @property
    def row(self) -> Vector:
        """K, nv: its rate is K q̇."""
        return row_of(self.mechanism, self.view, vector(map(self._of, self.view.columns)))

    def _of(self, column: Column) -> Scalar:
        if self.kind.measure != ANGLE:
            return column.linear[self.kind.axis]
        if self.kind.of_successor:
            return dot(self.view.axes[:, self.kind.axis], column.angular)
        return column.angular[self.kind.axis]

    @property
    def drive(self) -> DriveTerms:
        """Friction, and a spring at its stretch here."""
        drive = self.cut.drive
        stretch = drive.stretch if is_zero(drive.stiffness) else self.position + drive.stretch
        return replace(drive, stretch=stretch)

    def rate(self, velocity: Sequence[Scalar]) -> Scalar:
        """Its rate at the tree's q̇, nv."""
        return dot(self.row, velocity)


def coordinates(mechanism: Mechanism) -> list[Coordinate]:
    """The coordinates of all cut joints, in order."""
    return [
        Coordinate(mechanism, cut, view, kind)
        for cut in mechanism.cuts
        if cut.kind.coordinates
        for view in [seen(mechanism, cut.predecessor, cut.successor, None)]
        for kind in cut.kind.coordinates
    ]


def driven(mechanism: Mechanism) -> list[Coordinate]:
    """Those in which friction or a spring acts."""
    return coordinates(replace(mechanism, cuts=tuple(cut for cut in mechanism.cuts if cut.drive.acts)))


def drive_forces(mechanism: Mechanism, velocity: Sequence[Scalar]) -> list[Scalar]:
    """What friction and springs ask of the drives of each joint velocity at q̇ = `velocity`, nv (N m or N).

    Those of the tree's own joints, and Kᵀ f of those at cut joints.
    """
    total = mechanism.drive_forces(velocity)
    for each in driven(mechanism):
        drive, row = each.drive, each.row
        force = drive.friction(mechanism.domain, dot(row, velocity))
        force = force if is_zero(drive.stiffness) else force + drive.spring
        total = [own if is_zero(entry) else own + entry * force for own, entry in zip(total, row, strict=True)]
    return total


def angle(domain: Domain, sine: Scalar, cosine: Scalar) -> Scalar:
    """The angle, in (−π, π], whose sine and cosine these are.

    Its half is that of (sine, 1 + |cosine|), which keeps all digits; where the cosine is negative, that is what is left
    to half a turn.
    """
    one, (side, way) = domain.constant(1), (_side(domain, value) for value in (cosine, sine))
    near = domain.constant(2) * domain.atan(sine / (one + side * cosine))
    return side * near + domain.constant(PI * HALF) * ((one - side) * way)


def _side(domain: Domain, x: Scalar) -> Scalar:
    """The sign of x, 1 where x is 0: half a turn is π."""
    return domain.sign(domain.sign(x) + domain.constant(HALF))
