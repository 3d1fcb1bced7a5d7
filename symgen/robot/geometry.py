"""Vectors and constant transforms: as chains of elementary ones, and as users write them, in rows or by xyz and rpy."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.robot.expression import ZERO, Expression

Vector = tuple[Expression, Expression, Expression]


@dataclass(frozen=True)
class Elementary:
    """A turn about, or a shift along, one axis (0, 1, 2 for x, y, z); `amount` in rad or m."""

    rotates: bool
    axis: int
    amount: Expression


Placement = tuple[Elementary, ...]
"""A constant transform, as the chain of elementary transforms that carry one frame into the next."""


@dataclass(frozen=True)
class Row:
    """A row of a Denavit-Hartenberg table as the user wrote it.

    Standard: Rz(theta) Tz(b) Tx(a) Rx(alpha). Modified: Rz(gamma) Tz(before) Rx(alpha) Tx(a) Rz(theta) Tz(b).
    The joint's motion, direction times coordinate plus offset, is added to theta if it turns, to b if it slides.
    """

    a: Expression
    alpha: Expression
    b: Expression
    theta: Expression
    gamma: Expression
    before: Expression


@dataclass(frozen=True)
class Placed:
    """Where a joint is, as a user wrote it who has no table: its frame in that of the parent link, and its axis.

    The frame is shifted by `xyz` (m) and turned by `rpy` (rad) about the fixed axes x, y, z of the parent's frame, in
    this order. `axis` is the direction, of any length, that the joint turns about or slides along, in the joint's
    frame; for joints with more than one it is that of their z axis, or (0, 0, 1). The joint moves a frame of the link
    that is shifted by `joint_xyz` and turned by `joint_rpy` from the link's own; it is usually that.
    """

    xyz: Vector
    rpy: Vector
    axis: Vector
    joint_xyz: Vector = (ZERO, ZERO, ZERO)
    joint_rpy: Vector = (ZERO, ZERO, ZERO)

    @property
    def is_at_joint(self) -> bool:
        """Whether the link's frame is the one that the joint moves."""
        return all(entry.is_zero for entry in (*self.joint_xyz, *self.joint_rpy))


@dataclass(frozen=True)
class Shape:
    """A shape that a file draws of a link: where it is in the link's reference frame, its sizes (m), its colour.

    `kind` is "box" (its edges), "cylinder" (radius, and length along z) or "sphere" (radius). `colour` is red, green,
    blue and opacity from 0 to 1; () where the file says none.
    """

    kind: str
    sizes: tuple[Expression, ...]
    placement: Placement
    colour: tuple[float, ...] = ()
