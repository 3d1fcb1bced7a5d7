"""What a robot is: a tree of links, each moved by one joint, described by frozen dataclasses.

No dynamics here, and no trace of the file a robot was read from except `Row` and `Placed`, what the user wrote.
Joints are in `joint_model`, transforms in `geometry`.

Every link has two frames. Its *own* frame is the joint's: it lies on the joint axis (z) and is reached from the
parent's reference frame by `Link.before` (constant) and the joint's motion. Its *reference* frame, the one in which
a table gives the mass centre, is reached from the own frame by `Link.after` (constant). In a modified table the two
are one; in a standard table the reference frame is the far-end frame i+1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from symgen.algebra.exact import Exact
from symgen.robot.expression import ZERO, Expression
from symgen.robot.geometry import Elementary, Placed, Placement, Row, Shape, Vector
from symgen.robot.joint_model import (
    NO_DRIVE,
    NO_LIMITS,
    Drive,
    Joint,
    JointCoordinate,
    JointPosition,
    Limits,
    Mimic,
)
from symgen.robot.joints import JointKind
from symgen.robot.loops import ContactSet, Coupling, CutCoordinate, CutKind

if TYPE_CHECKING:
    from symgen.drawing.notebook import View

__all__ = [
    "BASE",
    "NO_DRIVE",
    "NO_LIMITS",
    "ContactSet",
    "CutJoint",
    "Drive",
    "Elementary",
    "Frame",
    "Inertia",
    "Joint",
    "JointCoordinate",
    "JointKind",
    "JointPosition",
    "Limits",
    "Link",
    "Mimic",
    "Placed",
    "Placement",
    "Robot",
    "Row",
    "Shape",
    "Vector",
]

BASE = -1
"""The index of the base as a parent."""


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
class Link:
    """A rigid body and the joint that carries it; `parent` is the index of a link before it, or `BASE`.

    `row` or `placed` is what the user wrote; a link has one of them, or none if it was made otherwise. `shapes` are
    drawn and mean nothing else: links that differ in them alone are equal.
    """

    name: str
    parent: int
    joint: Joint
    before: Placement
    after: Placement
    inertia: Inertia
    row: Row | None
    placed: Placed | None = None
    shapes: tuple[Shape, ...] = field(default=(), compare=False)

    @property
    def is_rotor(self) -> bool:
        """Whether it is the rotor of a drive: without mass at its carrier's origin, it turns as a joint does."""
        joint, inertia = self.joint, self.inertia
        follows = joint.kind is JointKind.REVOLUTE and joint.mimic is not None and joint.limits == NO_LIMITS
        at_origin = self.placed is not None and all(entry.is_zero for entry in self.placed.xyz)
        return follows and at_origin and inertia.mass.is_zero and not inertia.is_massless


@dataclass(frozen=True)
class Frame:
    """A named frame fixed to the reference frame of a link."""

    name: str
    link: int
    placement: Placement


@dataclass(frozen=True)
class CutJoint:
    """A joint that closes a loop: it ties a frame of one link to a frame of another; either may be the base's.

    `length`: how far apart a rod keeps the frames' origins, in m. `branch`: which of two assemblies is meant, by name
    (see `derive.loop_branches`); "" leaves it to the posture. `drive` holds friction and a spring of a cut joint with
    one coordinate, `limits` how far and how fast it may move; no motor drives it.
    """

    name: str
    kind: CutKind
    predecessor: Frame
    successor: Frame
    length: Expression = ZERO
    branch: str = ""
    drive: Drive = NO_DRIVE
    limits: Limits = NO_LIMITS

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of its coordinates: its own, with what the coordinate measures where there are several."""
        return tuple(f"{self.name}_{each.name}" if each.name else self.name for each in self.kind.coordinates)


@dataclass(frozen=True, repr=False)
class Robot:
    """A robot: a tree of links on a base.

    `links` are in an order in which parents come first. `gravity` is in the base frame, m/s². `base` places the tree's
    root in the base frame. `tool` names the frame of the tool, if there is one. `parameters` are (name, default)
    pairs. `notices` are things the reader wants the user to see.

    A robot with `cut_joints` or `couplings` has loops; its links are the tree that is left. `actuated` names the
    velocity coordinates that are independent, and `posture` gives approximate values of entries of q, by name, in rad
    or m: they say which of several assemblies is meant. `motors` names the velocity coordinates that are driven where
    these are more than the freedoms; empty where they are the independent ones.

    `switched` are cut joints that are closed at some times alone, those that `contacts` name. They are none of the
    `cut_joints`, take no freedom and need not be closed at the posture.
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
    couplings: tuple[Coupling, ...] = ()
    actuated: tuple[str, ...] = ()
    motors: tuple[str, ...] = ()
    posture: tuple[tuple[str, Expression], ...] = ()
    switched: tuple[CutJoint, ...] = ()
    contacts: tuple[ContactSet, ...] = ()
    parameters: tuple[tuple[str, Exact], ...] = ()
    notices: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Robot {self.name}: {len(self.joints)} joints, {self.description or 'no description'}>"

    def _repr_html_(self) -> str:
        from symgen.robot.tabular import robot_html  # tables are made of robots

        return robot_html(self)

    def show(self, q: Sequence[float] | None = None, *, theme: str = "auto", height: int = 440) -> View:
        """The robot at q, nq (rad, m, or entries of quaternions x y z w), as notebooks show it: to turn and to move.

        Where nothing is said q is the posture of its file, its loops closed, or where no joint moves its link.
        `theme` is "light", "dark", or "auto" as the reader's system asks; `height` is in pixels. `InputError` for
        anything else. What it gives has the picture as `svg` and a page of HTML as `page`.
        """
        from symgen.robot.scenery import view_of  # views are made of robots

        return view_of(self, q, theme=theme, height=height)

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The joints that move of their own, in the order of their coordinates (a joint may have several)."""
        return tuple(link.joint for link in self.links if link.joint.nv and link.joint.mimic is None)

    @property
    def nq(self) -> int:
        """Number of configuration coordinates."""
        return sum(joint.nq for joint in self.joints)

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return sum(joint.nv for joint in self.joints)

    @property
    def has_loops(self) -> bool:
        """Whether constraints tie coordinates of the tree to each other."""
        return bool(self.cut_joints or self.couplings)

    @property
    def contact_loops(self) -> dict[str, tuple[CutJoint, ...]]:
        """Contact set → its cut joints, in its order."""
        named = {cut.name: cut for cut in self.switched}
        return {each.name: tuple(named[loop] for loop in each.loops) for each in self.contacts}

    @property
    def spins(self) -> tuple[Frame, ...]:
        """Ends of cut joints on links that may spin about the line from their own joint to that end, and move nothing.

        Such a link hangs between two ball joints, carries no other and has no rate that is independent. Its spin is
        taken to be none.
        """
        ends = [(end, cut.kind) for cut in self.cut_joints for end in (cut.predecessor, cut.successor)]
        carriers = {self.body(link.parent) for link in self.links if link.joint.nv}
        spinning = {
            index
            for index, _, v in self.coordinates()
            if self.links[index].joint.kind in (JointKind.SPHERICAL, JointKind.SPHERICAL_ZYX)
            and index not in carriers
            and not set(range(v.start, v.stop)).intersection(self.independent)
        }
        return tuple(
            end
            for end, kind in ends
            if end.link in spinning
            and kind in (CutKind.SPHERICAL, CutKind.ROD)
            and [self.body(other.link) for other, _ in ends].count(end.link) == 1
        )

    def body(self, index: int) -> int:
        """The link that a joint moves and that this one is fixed to; `BASE` if none does."""
        while index != BASE and not self.links[index].joint.nv:
            index = self.links[index].parent
        return index

    @property
    def constraints(self) -> int:
        """Number of constraints that close the loops."""
        return sum(cut.kind.size for cut in self.cut_joints) + len(self.couplings)

    @property
    def cut_coordinates(self) -> tuple[tuple[str, CutCoordinate, CutJoint], ...]:
        """(name, coordinate, cut joint) of the coordinates of all cut joints, in order."""
        return tuple(
            (name, coordinate, cut)
            for cut in self.cut_joints
            for name, coordinate in zip(cut.coordinate_names, cut.kind.coordinates, strict=True)
        )

    @property
    def has_cut_drives(self) -> bool:
        """Whether friction or springs act at cut joints."""
        return any(cut.drive != NO_DRIVE for cut in self.cut_joints)

    @property
    def independent(self) -> tuple[int, ...]:
        """Indices among the tree's velocity coordinates of those that rates, accelerations and forces are given of.

        All of them, unless the robot has loops: then those of the actuated joints.
        """
        if not self.has_loops:
            return tuple(range(self.nv))
        names = [each.name for each in self.velocities]
        return tuple(names.index(name) for name in self.actuated)

    @property
    def driven(self) -> tuple[int, ...]:
        """Indices among the tree's velocity coordinates of the `motors`."""
        names = [each.name for each in self.velocities]
        return tuple(names.index(name) for name in self.motors)

    @property
    def has_free_joints(self) -> bool:
        """Whether a joint moves its link by all of its columns at once, so that q̇ is not the velocities."""
        return any(joint.kind.is_free for joint in self.joints)

    def coordinates(self) -> Iterator[tuple[int, slice, slice]]:
        """(link index, slice of q, slice of q̇) of every link, in order; those that it follows of one that mimics."""
        own: dict[str, tuple[slice, slice]] = {}
        iq = iv = 0
        for joint in self.joints:
            own[joint.name] = slice(iq, iq + joint.nq), slice(iv, iv + joint.nv)
            iq += joint.nq
            iv += joint.nv
        iq = iv = 0
        for index, link in enumerate(self.links):
            if link.joint.nv and link.joint.mimic is not None:
                yield index, *own[link.joint.mimic.joint]
                continue
            yield index, slice(iq, iq + link.joint.nq), slice(iv, iv + link.joint.nv)
            iq += link.joint.nq
            iv += link.joint.nv

    @property
    def velocities(self) -> tuple[JointCoordinate, ...]:
        """The velocity coordinates in order, nv: what the entries of q̇, q̈ and τ belong to."""
        return tuple(
            JointCoordinate(name, coordinate.measure, joint)
            for joint in self.joints
            for name, coordinate in zip(joint.coordinate_names, joint.kind.coordinates, strict=True)
        )

    @property
    def plain_coordinates(self) -> Iterator[tuple[str, int, int]]:
        """(name, index in q, index in q̇) of the velocity coordinates that are rates of entries of q."""
        for index, q, v in self.coordinates():
            joint = self.links[index].joint
            if not joint.kind.is_free and joint.mimic is None:
                names = joint.coordinate_names
                yield from zip(names, range(q.start, q.stop), range(v.start, v.stop), strict=True)

    @property
    def independent_velocities(self) -> tuple[JointCoordinate, ...]:
        """The velocity coordinates that rates, accelerations and forces are given of, in order."""
        return tuple(self.velocities[index] for index in self.independent)

    @property
    def positions(self) -> tuple[JointPosition, ...]:
        """The entries of q in order, nq."""
        return tuple(
            JointPosition(name, position, joint)
            for joint in self.joints
            for name, position in zip(joint.position_names, joint.kind.positions, strict=True)
        )

    @property
    def neutral(self) -> tuple[float, ...]:
        """The configuration at which no joint moves its link but for its offset, nq."""
        return tuple(value for joint in self.joints for value in joint.kind.neutral)

    @property
    def last(self) -> int:
        """The index of the last link that is no rotor: its frame is meant where none is said."""
        return max((index for index, link in enumerate(self.links) if not link.is_rotor), default=len(self.links) - 1)

    @property
    def near(self) -> tuple[float, ...]:
        """The q of the posture, nq, its loops not quite closed; neutral where none is given."""
        given, pairs = dict(self.posture), zip(self.positions, self.neutral, strict=True)
        return tuple(
            float(given[each.name].constant(self.defaults)) if each.name in given else neutral
            for each, neutral in pairs
        )

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
