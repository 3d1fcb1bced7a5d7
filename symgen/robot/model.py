"""What a robot is: a tree of links, each moved by one joint, described by frozen dataclasses.

No dynamics here, and no trace of the file a robot was read from except `Row`, the table's row as the user wrote it.

Every link has two frames. Its *own* frame is the joint's: it lies on the joint axis (z) and is reached from the
parent's reference frame by `Link.before` (constant) and the joint's motion. Its *reference* frame, the one in which
a table gives the mass centre, is reached from the own frame by `Link.after` (constant). In a modified table the two
are one; in a standard table the reference frame is the far-end frame i+1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from symgen.algebra.exact import Exact
from symgen.robot.expression import ONE, ZERO, Expression

BASE = -1
"""The index of the base as a parent."""

Vector = tuple[Expression, Expression, Expression]


class JointKind(Enum):
    """Kinds of joints; the value is the word used in robot files."""

    REVOLUTE = "revolute"
    PRISMATIC = "prismatic"
    FIXED = "fixed"


_SUBSPACES: dict[JointKind, tuple[tuple[int, ...], ...]] = {
    JointKind.REVOLUTE: ((0, 0, 1, 0, 0, 0),),
    JointKind.PRISMATIC: ((0, 0, 0, 0, 0, 1),),
    JointKind.FIXED: (),
}


@dataclass(frozen=True)
class Elementary:
    """A turn about, or a shift along, one axis (0, 1, 2 for x, y, z); `amount` in rad or m."""

    rotates: bool
    axis: int
    amount: Expression


Placement = tuple[Elementary, ...]
"""A constant transform, as the sequence of elementary ones that carry one frame into the next."""


@dataclass(frozen=True)
class Drive:
    """Rotor and friction of a joint.

    The rotor's inertia (kg m² about the motor's axis) is seen by the joint multiplied by the squared gear ratio.
    Friction is viscous (N m s/rad or N s/m) and Coulomb (N m or N), the latter times sign(q̇) with sign(0) = 0 or, if
    `smoothing` is not 0, times tanh(q̇ / smoothing), smoothing in rad/s or m/s.
    """

    rotor_inertia: Expression = ZERO
    gear_ratio: Expression = ONE
    viscous: Expression = ZERO
    coulomb: Expression = ZERO
    smoothing: Expression = ZERO


NO_DRIVE = Drive()


@dataclass(frozen=True)
class Joint:
    """The joint that moves a link relative to its parent: by `direction` times its coordinate, plus `offset`.

    `direction` is 1 or −1, a joint that turns, or slides, against z. Rates and forces are those of the coordinate.
    `drive` holds what acts in the joint itself, beside the links: rotor inertia and friction.
    """

    name: str
    kind: JointKind
    offset: Expression
    drive: Drive = NO_DRIVE
    direction: int = 1

    @property
    def subspace(self) -> tuple[tuple[int, ...], ...]:
        """Columns of the motion subspace, each a twist [ω; v] in the link's own frame, per rate of a coordinate."""
        return tuple(tuple(self.direction * entry for entry in column) for column in _SUBSPACES[self.kind])

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return len(self.subspace)

    @property
    def nq(self) -> int:
        """Number of configuration coordinates."""
        return self.nv


@dataclass(frozen=True)
class Inertia:
    """Mass (kg), mass centre (m) and inertia tensor (kg m²) of a link, in its reference frame.

    `tensor` holds xx, yy, zz, xy, xz, yz: entries of the tensor about the mass centre or, if `about_origin`, about the
    frame's origin, in axes reached from the reference frame's by the rotations `axes`.
    """

    mass: Expression
    com: Vector
    tensor: tuple[Expression, Expression, Expression, Expression, Expression, Expression]
    about_origin: bool
    axes: Placement = ()

    @property
    def is_massless(self) -> bool:
        """Whether mass and tensor are the constant 0."""
        return self.mass.is_zero and all(entry.is_zero for entry in self.tensor)


@dataclass(frozen=True)
class Row:
    """A row of a Denavit-Hartenberg table as the user wrote it.

    Standard: Rz(theta) Tz(b) Tx(a) Rx(alpha). Modified: Rz(gamma) Tz(before) Rx(alpha) Tx(a) Rz(theta) Tz(b).
    The joint's motion, direction times coordinate plus offset, is added to theta (revolute) or b (prismatic).
    """

    a: Expression
    alpha: Expression
    b: Expression
    theta: Expression
    gamma: Expression
    before: Expression


@dataclass(frozen=True)
class Link:
    """A rigid body and the joint that carries it; `parent` is the index of a link before it, or `BASE`."""

    name: str
    parent: int
    joint: Joint
    before: Placement
    after: Placement
    inertia: Inertia
    row: Row | None


@dataclass(frozen=True)
class Frame:
    """A named frame fixed to the reference frame of a link."""

    name: str
    link: int
    placement: Placement


@dataclass(frozen=True)
class CutJoint:
    """A joint that closes a loop: it ties a frame of one link to a frame of another."""

    joint: Joint
    predecessor: Frame
    successor: Frame


@dataclass(frozen=True, repr=False)
class Robot:
    """A robot: a tree of links on a base.

    `links` are in an order in which parents come first. `gravity` is in the base frame, m/s². `base` places the tree's
    root in the base frame. `tool` names the frame of the tool, if there is one. `parameters` are (name, default)
    pairs. `notices` are things the reader wants the user to see.
    """

    name: str
    description: str
    source: str
    convention: str
    gravity: Vector
    base: Placement
    links: tuple[Link, ...]
    frames: tuple[Frame, ...] = ()
    tool: str = ""
    cut_joints: tuple[CutJoint, ...] = ()
    parameters: tuple[tuple[str, Exact], ...] = ()
    notices: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Robot {self.name}: {self.nv} joints, {self.description or 'no description'}>"

    def _repr_html_(self) -> str:
        from symgen.robot.tabular import robot_html  # tables are made of robots

        return robot_html(self)

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints that move, in the order of their coordinates."""
        return tuple(link.joint for link in self.links if link.joint.nv)

    @property
    def nq(self) -> int:
        """Number of configuration coordinates."""
        return sum(link.joint.nq for link in self.links)

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return sum(link.joint.nv for link in self.links)

    def coordinates(self) -> Iterator[tuple[int, slice, slice]]:
        """(link index, slice of q, slice of q̇) of every link, in order."""
        iq = iv = 0
        for index, link in enumerate(self.links):
            yield index, slice(iq, iq + link.joint.nq), slice(iv, iv + link.joint.nv)
            iq += link.joint.nq
            iv += link.joint.nv

    @property
    def all_frames(self) -> tuple[Frame, ...]:
        """The named frames, and every link's reference frame under the link's name."""
        taken = {frame.name for frame in self.frames}
        links = tuple(Frame(link.name, index, ()) for index, link in enumerate(self.links) if link.name not in taken)
        return self.frames + links

    @property
    def defaults(self) -> dict[str, Exact]:
        """Default values of the parameters by name."""
        return dict(self.parameters)
