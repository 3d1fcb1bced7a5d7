"""`Robot` → URDF, as far as the format goes; what it cannot say is told, or refused where the motion would be another.

A link that is placed at its joint keeps its frame. The frame of any other is the one on its joint's axis; where the
robot has it elsewhere, a fixed link without mass, called like the link and `_frame`, stands for it, and so do named
frames.
Parameters have their default values. Numbers are exact decimals, or rounded to 17 digits, which read back as what they
stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from xml.sax.saxutils import quoteattr

from symgen.algebra.exact import Exact
from symgen.errors import LimitError
from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.joints import JointKind
from symgen.robot.model import BASE, Elementary, Inertia, Joint, Limits, Link, Placement, Robot, Vector
from symgen.robot.names import free
from symgen.robot.orientation import matrix, pose_of
from symgen.robot.placed import AT_PARENT, UP
from symgen.robot.placement import pose
from symgen.robot.spelling import decimal
from symgen.robot.splitting import jointed
from symgen.robot.urdf.build import GRAVITY
from symgen.robot.urdf.elements import KINDS

DIGITS = 17
MAX_DIGITS = 500
LARGE = "1e6"
"""A limit that the format asks for and the robot has not."""

_WORDS = {kind: word for word, kind in KINDS.items()}
_ZERO = (ZERO, ZERO, ZERO)
_FEW = 5

_UNSAID = {
    "rotor_inertia": "rotor inertias and gear ratios",
    "stiffness": "springs",
    "sigmoid": "sigmoid friction",
    "smoothing": "smoothing of the Coulomb friction",
}
"""What acts in joints and has no place in the format."""


@dataclass(frozen=True)
class Written:
    """A URDF, and what of the robot is not in it."""

    text: str
    losses: tuple[str, ...]


def urdf_text(robot: Robot) -> Written:
    """The URDF of a robot; `LimitError` for joints and loops that the format does not know, and for no mass at all."""
    if robot.cut_joints:
        raise LimitError(f"{robot.name}: a URDF cannot describe closed loops; a robot file can (--to toml)")
    if all(link.inertia.is_massless for link in robot.links):
        raise LimitError(
            f"{robot.name}: no link has a mass; such a URDF would not be read, a robot file is (--to toml)"
        )
    return _Writing(robot).run()


@dataclass
class _Writing:
    robot: Robot
    lines: list[str] = field(default_factory=list)
    losses: dict[str, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        robot = self.robot
        self.names = {link.name for link in robot.links} | {frame.name for frame in robot.frames}
        self.joints = {link.joint.name for link in robot.links}

    def run(self) -> Written:
        robot = self.robot
        self._note_losses()
        root = self._root()
        self.lines = [f"<robot name={quoteattr(robot.name)}>"]
        if root is None:
            world = free("world", self.names)
            self.lines.append(f"  <link name={quoteattr(world)}/>")
        for index, link in enumerate(robot.links):
            self._link(link)
            if index != root:
                parent = robot.links[link.parent] if link.parent != BASE else None
                self._joint(link, parent, parent.name if parent else world)
        for link in robot.links:
            if _has_other_frame(link):
                self._fixed(free(f"{link.name}_frame", self.names), link, link.after)
        for frame in robot.frames:
            on = robot.links[frame.link]
            self._fixed(frame.name, on, (*(on.after if _has_other_frame(on) else ()), *frame.placement))
        return Written("\n".join([*self._head(), *self.lines, "</robot>"]) + "\n", tuple(self.losses))

    def _head(self) -> Iterator[str]:
        yield '<?xml version="1.0" encoding="utf-8"?>'
        said = [self.robot.description, *(f"not in this file: {loss}" for loss in self.losses)]
        for text in said:
            if text:
                yield f"<!-- {text.replace('--', '- -')} -->"

    def _root(self) -> int | None:
        """The link that is the base itself, if there is one."""
        roots = [index for index, link in enumerate(self.robot.links) if link.parent == BASE]
        link = self.robot.links[roots[0]]
        is_base = link.joint.kind is JointKind.FIXED and link.placed == AT_PARENT and not self.robot.base
        return roots[0] if len(roots) == 1 and is_base else None

    def _note_losses(self) -> None:
        robot = self.robot
        if robot.gravity != GRAVITY:
            gravity = ", ".join(map(str, robot.gravity))
            self._lose(f"gravity is ({gravity}) m/s^2, which a URDF does not say")
        if robot.parameters:
            self._lose("parameters have their default values")
        if robot.contacts:
            self._lose(f"contact sets: {', '.join(each.name for each in robot.contacts)}")
        for entry, what in _UNSAID.items():
            self._lose_of(what, [link.joint for link in robot.links if not getattr(link.joint.drive, entry).is_zero])
        continuous = [link.joint for link in robot.links if link.joint.kind is JointKind.CONTINUOUS]
        self._lose_of("lower and upper limits", [joint for joint in continuous if _has_ends(joint.limits)])

    def _lose_of(self, what: str, joints: list[Joint]) -> None:
        if joints:
            more = f" and {len(joints) - _FEW} more" if len(joints) > _FEW else ""
            self._lose(f"{what} of {', '.join(joint.name for joint in joints[:_FEW])}{more}")

    def _lose(self, what: str) -> None:
        self.losses[what] = None

    # links -----------------------------------------------------------------------------------------

    def _link(self, link: Link) -> None:
        if link.inertia.is_massless and all(entry.is_zero for entry in link.inertia.com):
            self.lines.append(f"  <link name={quoteattr(link.name)}/>")
            return
        given = link.inertia
        xyz, rpy = self._centre(link)
        keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        tensor = " ".join(f'{key}="{_text(value)}"' for key, value in zip(keys, self._tensor(given), strict=True))
        self.lines += [
            f"  <link name={quoteattr(link.name)}>",
            "    <inertial>",
            f"      {_origin(xyz, rpy)}",
            f'      <mass value="{_text(self._value(given.mass))}"/>',
            f"      <inertia {tensor}/>",
            "    </inertial>",
            "  </link>",
        ]

    def _centre(self, link: Link) -> tuple[Vector, Vector]:
        """xyz and rpy of the mass centre and the tensor's axes in the link's frame."""
        shifts = tuple(Elementary(False, axis, entry) for axis, entry in enumerate(link.inertia.com))
        axes = pose(link.inertia.axes)
        if _has_other_frame(link) or axes is None:
            start = link.after if _has_other_frame(link) else ()
            return pose_of((*start, *shifts, *link.inertia.axes), self.robot.defaults)
        x, y, z = (constant(self._value(entry)) for entry in link.inertia.com)
        return (x, y, z), axes.rpy

    def _tensor(self, inertia: Inertia) -> Iterable[Exact]:
        """xx, yy, zz, xy, xz, yz about the mass centre, in the tensor's axes."""
        values = [self._value(entry) for entry in inertia.tensor]
        if not inertia.about_origin:
            return values
        mass, com = self._value(inertia.mass), [self._value(entry) for entry in inertia.com]
        columns = matrix([(part.axis, part.amount.constant(self.robot.defaults)) for part in inertia.axes])
        c = [sum((columns[k][i] * com[k] for k in range(3)), Exact.of(0)) for i in range(3)]
        square = sum((entry * entry for entry in c), Exact.of(0))
        pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        return [
            value - mass * ((square if i == j else 0) - c[i] * c[j])
            for value, (i, j) in zip(values, pairs, strict=True)
        ]

    def _value(self, expression: Expression) -> Exact:
        return expression.constant(self.robot.defaults)

    # joints ----------------------------------------------------------------------------------------

    def _joint(self, link: Link, parent: Link | None, carrier: str) -> None:
        joint, kind = link.joint, link.joint.kind
        if kind not in _WORDS:
            raise LimitError(
                f"{self.robot.name}: joint {joint.name!r} is {kind.value}; a URDF has no such joint, a robot file has "
                "(--to toml)"
            )
        limits = joint.limits
        word = _WORDS[kind]
        if kind is JointKind.REVOLUTE and not _has_ends(limits):
            word = "continuous"
            self._lose("revolute joints without limits are continuous ones")
        xyz, rpy = self._place(link, parent)
        self.lines += [
            f"  <joint name={quoteattr(joint.name)} type={quoteattr(word)}>",
            f"    {_origin(xyz, rpy)}",
            f"    <parent link={quoteattr(carrier)}/>",
            f"    <child link={quoteattr(link.name)}/>",
            *self._details(link, word, limits),
            "  </joint>",
        ]

    def _place(self, link: Link, parent: Link | None) -> tuple[Vector, Vector]:
        """xyz and rpy of the joint in the frame of the parent, offset included."""
        # What a joint that follows another adds to it is said beside its mimicry.
        link = jointed(self.robot.convention, link, replace(link.joint, mimic=None), self.robot.defaults)
        start: Placement = self.robot.base if parent is None else parent.after if _has_other_frame(parent) else ()
        if not start and link.placed is not None and _keeps_frame(link) and link.joint.offset.is_zero:
            x, y, z = (constant(self._value(entry)) for entry in link.placed.xyz)
            return (x, y, z), link.placed.rpy
        turn = () if link.joint.kind.stands_for != "theta" else (Elementary(True, 2, link.joint.offset),)
        return pose_of((*start, *link.before, *turn, *(link.after if _keeps_frame(link) else ())), self.robot.defaults)

    def _details(self, link: Link, word: str, limits: Limits) -> Iterator[str]:
        joint = link.joint
        if joint.kind.stands_for or joint.kind is JointKind.PLANAR:
            axis = link.placed.axis if link.placed is not None and _keeps_frame(link) else UP
            senses = (entry if joint.direction > 0 else -entry for entry in axis)
            yield f'    <axis xyz="{" ".join(_text(self._value(entry)) for entry in senses)}"/>'
        yield from self._dynamics(joint)
        yield from self._limit(joint, word, limits)
        if joint.mimic is not None:
            ratio, offset = (_text(self._value(entry)) for entry in (joint.mimic.ratio, joint.mimic.offset))
            yield f'    <mimic joint={quoteattr(joint.mimic.joint)} multiplier="{ratio}" offset="{offset}"/>'

    def _dynamics(self, joint: Joint) -> Iterator[str]:
        damping, friction = self._value(joint.drive.viscous), self._value(joint.drive.coulomb)
        if damping or friction:
            yield f'    <dynamics damping="{_text(damping)}" friction="{_text(friction)}"/>'

    def _limit(self, joint: Joint, word: str, limits: Limits) -> Iterator[str]:
        if joint.nv != 1 or (word == "continuous" and limits.velocity is None and limits.effort is None):
            return
        given = {"lower": limits.lower, "upper": limits.upper, "velocity": limits.velocity, "effort": limits.effort}
        if word == "continuous":
            given = {key: given[key] for key in ("velocity", "effort")}
        if None in given.values():
            self._lose(f"limits that are not known, which a URDF must give, are {LARGE}")
        sign = {"lower": "-"}
        entries = (
            f'{key}="{sign.get(key, "") + LARGE if value is None else _text(self._value(value))}"'
            for key, value in given.items()
        )
        yield f"    <limit {' '.join(entries)}/>"

    def _fixed(self, name: str, parent: Link, placement: Placement) -> None:
        """A massless link for a frame."""
        xyz, rpy = pose_of(placement, self.robot.defaults)
        self.lines += [
            f"  <link name={quoteattr(name)}/>",
            f'  <joint name={quoteattr(free(f"{name}_joint", self.joints))} type="fixed">',
            f"    {_origin(xyz, rpy)}",
            f"    <parent link={quoteattr(parent.name)}/>",
            f"    <child link={quoteattr(name)}/>",
            "  </joint>",
        ]


def _has_ends(limits: Limits) -> bool:
    return limits.lower is not None or limits.upper is not None


def _keeps_frame(link: Link) -> bool:
    """Whether the link is placed with its frame at its joint, as in a URDF."""
    return link.placed is not None and link.placed.is_at_joint


def _has_other_frame(link: Link) -> bool:
    """Whether the link's frame in the file it comes from is not the one it has in a URDF."""
    return not _keeps_frame(link) and bool(link.after)


def _origin(xyz: Vector, rpy: Vector) -> str:
    shown = (" ".join(_text(entry.constant({})) for entry in vector) for vector in (xyz, rpy))
    return '<origin xyz="{}" rpy="{}"/>'.format(*shown)


def _text(value: Exact) -> str:
    """The number as an exact decimal, or rounded."""
    number = value.midpoint()
    scale = DIGITS - 1 - int(f"{float(number):.{DIGITS - 1}e}".partition("e")[2])
    if value.rational is not None and (text := decimal(number)) is not None:
        return text
    places = range(scale, scale + MAX_DIGITS) if value.rational is not None else [scale]
    scale = next((digits for digits in places if (number * Fraction(10) ** digits).denominator == 1), scale)
    rounded = round(number * Fraction(10) ** scale)
    return decimal(Fraction(rounded) / Fraction(10) ** scale) or f"{rounded}e{-scale}"
