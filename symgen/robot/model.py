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
from fractions import Fraction

from symgen.algebra.exact import Exact
from symgen.robot.expression import ONE, ZERO, Expression
from symgen.robot.joints import Coordinate, Measure, Position
from symgen.robot.joints import JointKind as JointKind
from symgen.robot.loops import Coupling, CutKind

BASE = -1
"""The index of the base as a parent."""

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
class Drive:
    """Rotor, friction and spring of a joint, all of them of the joint's own coordinate q.

    The rotor's inertia (kg m² about the motor's axis) is seen by the joint multiplied by the squared gear ratio.
    Friction is the sum of viscous (N m s/rad or N s/m) and Coulomb friction (N m or N), the latter times sign(q̇) with
    sign(0) = 0 or, if `smoothing` is not 0, times tanh(q̇ / smoothing), smoothing in rad/s or m/s; and of a sigmoid
    A/(1 + exp(−α (q̇ + v))) − A/(1 + exp(−α v)), with `sigmoid` A (N m or N), `slope` α (s/rad or s/m) and `shift` v
    (rad/s or m/s). The spring has the `stiffness` K (N m/rad or N/m) and is slack at `rest` (rad or m): K (q − rest).
    """

    rotor_inertia: Expression = ZERO
    gear_ratio: Expression = ONE
    viscous: Expression = ZERO
    coulomb: Expression = ZERO
    smoothing: Expression = ZERO
    sigmoid: Expression = ZERO
    slope: Expression = ZERO
    shift: Expression = ZERO
    stiffness: Expression = ZERO
    rest: Expression = ZERO


NO_DRIVE = Drive()


@dataclass(frozen=True)
class Limits:
    """How far, how fast and how hard a joint of one coordinate may move: rad or m, rad/s or m/s, N m or N.

    None where nothing is said. `velocity` and `effort` are the largest magnitudes.
    """

    lower: Expression | None = None
    upper: Expression | None = None
    velocity: Expression | None = None
    effort: Expression | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True)
class Mimic:
    """A joint of one coordinate that follows another: q = ratio q' + offset, with q' that of the joint called `joint`.

    `ratio` is a rational constant in rad or m per unit of q', `offset` in rad or m. The joint followed has one
    coordinate and does not follow another.
    """

    joint: str
    ratio: Expression
    offset: Expression = ZERO


@dataclass(frozen=True)
class Joint:
    """The joint that moves a link relative to its parent: by `direction` times its coordinates, plus `offset`.

    `direction` is 1 or −1, a joint that turns, or slides, against z. Rates and forces are those of the coordinates.
    `offset` (rad or m) belongs to the first of them. `drive` holds what acts in the joint itself, beside the links:
    rotor inertia, friction and a spring. `pitch`: how far a helical joint slides, in m/rad. A joint with `mimic`
    follows another and has no coordinates of its own in q and q̇; its drive acts all the same.
    """

    name: str
    kind: JointKind
    offset: Expression
    drive: Drive = NO_DRIVE
    direction: int = 1
    pitch: Expression = ZERO
    limits: Limits = NO_LIMITS
    mimic: Mimic | None = None

    @property
    def nv(self) -> int:
        """Number of velocity coordinates."""
        return self.kind.nv

    @property
    def nq(self) -> int:
        """Number of configuration coordinates."""
        return self.kind.nq

    def slide(self, coordinate: Coordinate) -> Expression:
        """How far the joint slides along its axis per unit of a coordinate, in m, the direction left out."""
        if isinstance(coordinate.slide, str):
            value: Expression = getattr(self, coordinate.slide)
            return value
        return ONE if coordinate.slide else ZERO

    @property
    def ratio(self) -> Fraction:
        """How far the joint's own coordinate goes per unit of the one in q: 1 unless it follows another joint."""
        value = self.mimic.ratio.constant({}).rational if self.mimic is not None else Fraction(1)
        assert value is not None, "readers take rational ratios only"
        return value

    @property
    def rest(self) -> Expression:
        """What the joint turns or slides by (rad or m) while q is 0: its offset, and that of what it follows."""
        if self.mimic is None or self.mimic.offset.is_zero:
            return self.offset
        ahead = self.mimic.offset if self.direction > 0 else -self.mimic.offset
        return ahead if self.offset.is_zero else self.offset + ahead

    @property
    def shift(self) -> Expression:
        """How far along z the joint slides the link while q is 0, in m; what it turns goes with the coordinate's turn.

        It is part of `Link.before`.
        """
        if not self.nv or self.rest.is_zero:
            return ZERO
        slide = self.slide(self.kind.coordinates[0])
        return self.rest if slide == ONE else slide * self.rest

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the velocity coordinates: the joint's, with what the coordinate measures where there are several."""
        return tuple(f"{self.name}_{each.name}" if each.name else self.name for each in self.kind.coordinates)

    @property
    def position_names(self) -> tuple[str, ...]:
        """Names of the entries of q: the joint's, with what the entry is where there are several."""
        return tuple(f"{self.name}_{each.name}" if each.name else self.name for each in self.kind.positions)


@dataclass(frozen=True)
class JointCoordinate:
    """A velocity coordinate of a robot: its name, what it measures, and the joint whose it is."""

    name: str
    measure: Measure
    joint: Joint


@dataclass(frozen=True)
class JointPosition:
    """An entry of a robot's q: its name, what it is, and the joint whose it is."""

    name: str
    position: Position
    joint: Joint


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
    frame; for joints with more than one it is that of their z axis, or (0, 0, 1).
    """

    xyz: Vector
    rpy: Vector
    axis: Vector


@dataclass(frozen=True)
class Link:
    """A rigid body and the joint that carries it; `parent` is the index of a link before it, or `BASE`.

    `row` or `placed` is what the user wrote; a link has one of them, or none if it was made otherwise.
    """

    name: str
    parent: int
    joint: Joint
    before: Placement
    after: Placement
    inertia: Inertia
    row: Row | None
    placed: Placed | None = None


@dataclass(frozen=True)
class Frame:
    """A named frame fixed to the reference frame of a link."""

    name: str
    link: int
    placement: Placement


@dataclass(frozen=True)
class CutJoint:
    """A joint that closes a loop: it ties a frame of one link to a frame of another; either may be the base's.

    `length`: how far apart a rod keeps the frames' origins, in m.
    """

    name: str
    kind: CutKind
    predecessor: Frame
    successor: Frame
    length: Expression = ZERO


@dataclass(frozen=True, repr=False)
class Robot:
    """A robot: a tree of links on a base.

    `links` are in an order in which parents come first. `gravity` is in the base frame, m/s². `base` places the tree's
    root in the base frame. `tool` names the frame of the tool, if there is one. `parameters` are (name, default)
    pairs. `notices` are things the reader wants the user to see.

    A robot with `cut_joints` or `couplings` has loops; its links are the tree that is left. `actuated` names the
    velocity coordinates that are independent, and `posture` gives approximate values of entries of q, by name, in rad
    or m: they say which of several assemblies is meant.
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
    posture: tuple[tuple[str, Expression], ...] = ()
    parameters: tuple[tuple[str, Exact], ...] = ()
    notices: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Robot {self.name}: {len(self.joints)} joints, {self.description or 'no description'}>"

    def _repr_html_(self) -> str:
        from symgen.robot.tabular import robot_html  # tables are made of robots

        return robot_html(self)

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
    def spins(self) -> tuple[Frame, ...]:
        """Ends of cut joints on links that may spin about the line from their own joint to that end, and move nothing.

        Such a link hangs between two ball joints, carries no other and has no rate that is independent. Its spin is
        taken to be none.
        """
        ends = [(end, cut.kind) for cut in self.cut_joints for end in (cut.predecessor, cut.successor)]
        carriers = {link.parent for link in self.links}
        spinning = {
            index
            for index, _, v in self.coordinates()
            if self.links[index].joint.kind is JointKind.SPHERICAL
            and index not in carriers
            and not set(range(v.start, v.stop)).intersection(self.independent)
        }
        return tuple(
            end
            for end, kind in ends
            if end.link in spinning
            and kind in (CutKind.SPHERICAL, CutKind.ROD)
            and [other.link for other, _ in ends].count(end.link) == 1
        )

    @property
    def constraints(self) -> int:
        """Number of constraints that close the loops."""
        return sum(cut.kind.size for cut in self.cut_joints) + len(self.couplings)

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
    def all_frames(self) -> tuple[Frame, ...]:
        """The named frames, and every link's reference frame under the link's name."""
        taken = {frame.name for frame in self.frames}
        links = tuple(Frame(link.name, index, ()) for index, link in enumerate(self.links) if link.name not in taken)
        return self.frames + links

    @property
    def defaults(self) -> dict[str, Exact]:
        """Default values of the parameters by name."""
        return dict(self.parameters)
