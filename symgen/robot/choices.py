"""Choices at reading: what of a robot is taken, and what is done to it first; functions Robot → Robot.

They work for robots of any file. `Choices` says which of them are wanted, in the words of the command line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal, TypedDict, Unpack

from symgen.errors import InputError
from symgen.robot.cut import chains, rooted
from symgen.robot.expression import ZERO, Expression, constant, parse
from symgen.robot.joints import JointKind
from symgen.robot.lock import locked
from symgen.robot.loop_parts import on_moved_base, opened, renumbered
from symgen.robot.model import BASE, Inertia, Joint, Link, Robot
from symgen.robot.names import free, shortened
from symgen.robot.payload import Payload, attached, payloads_of_file, point_mass
from symgen.robot.placed import AT_PARENT, UP
from symgen.robot.splitting import jointed

BASES = {"fixed": JointKind.FIXED, "floating": JointKind.FLOATING, "planar": JointKind.PLANAR}
"""Words for how the base may move, and the joint of the root link."""

MIMIC = ("reduced", "independent")

OPEN: Literal["open"] = "open"
"""The word that leaves loops open."""


class Words(TypedDict, total=False):
    """The keywords of choices, as `symgen.load` takes them."""

    snap: bool
    mimic: str
    loops: str | Path | None
    root: str | None
    tip: str | Sequence[str]
    lock: Mapping[str, object]
    base: str | None
    attach: str | Sequence[str | Payload]
    attach_file: str | Path | None


@dataclass(frozen=True)
class Choices:
    """What is done to a robot that is read.

    `snap`: numbers of XML are taken as what they stand for. `mimic`: joints that follow others are "reduced" to
    these, or "independent". `loops`: a file of loops that are closed, or "open", which leaves all loops open. `root`:
    the link that the robot begins with. `tip`: the links it ends with, one or several. `lock`: joint → the value it is
    fixed at. `base`: how the root link may move, "fixed", "floating" or "planar". `attach`: loads; `attach_file`: a
    file that has more.
    """

    snap: bool = True
    mimic: str = "reduced"
    loops: Path | Literal["open"] | None = None
    root: str | None = None
    tip: Sequence[str] = ()
    lock: Mapping[str, Expression] = field(default_factory=dict)
    base: str | None = None
    attach: Sequence[Payload] = ()
    attach_file: Path | None = None

    def __post_init__(self) -> None:
        _known("mimic", self.mimic, MIMIC)
        if self.base is not None:
            _known("base", self.base, tuple(BASES))

    @staticmethod
    def of(**words: Unpack[Words]) -> Choices:
        """The choices of keywords: loads may be texts (see `payload.point_mass`), values to lock at as in a file."""
        loops, tip, attach, path = (
            words.get("loops"),
            words.get("tip", ()),
            words.get("attach", ()),
            words.get("attach_file"),
        )
        loads = (attach,) if isinstance(attach, str) else attach
        unknown = sorted(set(words) - Words.__annotations__.keys())
        if unknown:
            raise InputError(f"load: unknown choice {unknown[0]!r}; there are: {', '.join(Words.__annotations__)}")
        return Choices(
            snap=words.get("snap", True),
            mimic=words.get("mimic", "reduced"),
            loops=OPEN if loops == OPEN else None if loops is None else Path(loops),
            root=words.get("root"),
            tip=(tip,) if isinstance(tip, str) else tuple(tip),
            lock={name: _value(name, value) for name, value in words.get("lock", {}).items()},
            base=words.get("base"),
            attach=tuple(point_mass(load) if isinstance(load, str) else load for load in loads),
            attach_file=None if path is None else Path(path),
        )

    @property
    def independent(self) -> bool:
        """Whether joints that follow others move by themselves."""
        return self.mimic == "independent"

    def applied(self, robot: Robot) -> Robot:
        """The robot that is wanted; `InputError` for names it has not and for what cannot be done to it."""
        if self.independent:
            robot = independent(robot)
        if self.loops == OPEN:
            robot = opened(robot)
        elif self.loops is not None:
            robot = _closed(robot, self.loops, snap=self.snap)
        if self.root is not None:
            robot = rooted(robot, self.root)
        if self.tip:
            robot = chains(robot, self.tip)
        if self.lock:
            robot = locked(robot, self.lock)
        payloads = (*self.attach, *(payloads_of_file(self.attach_file) if self.attach_file else ()))
        for payload in payloads:
            robot = attached(robot, payload)
        return robot if self.base is None else with_base(robot, BASES[self.base])


def _closed(robot: Robot, path: Path, *, snap: bool) -> Robot:
    from symgen.robot.loops_file import closed  # the schema takes long to load

    return closed(robot, path, snap=snap)


def _value(joint: str, value: object) -> Expression:
    try:
        number = constant(value) if isinstance(value, Fraction) else parse(value)
    except ValueError as error:
        raise InputError(f"lock: {shortened(joint, 40)!r}: {error}") from None
    if not number.is_constant:
        raise InputError(f"lock: {shortened(joint, 40)!r}: expected a number, found {shortened(str(number), 40)}")
    return number


def _known(what: str, given: str, known: Sequence[str]) -> None:
    if given not in known:
        raise InputError(f"{what}: expected {', '.join(known[:-1])} or {known[-1]}, found {shortened(repr(given), 40)}")


def independent(robot: Robot) -> Robot:
    """The robot with joints that follow others moving by themselves; rotors stay with what they drive."""
    links = (
        link if link.is_rotor else jointed(robot.convention, link, replace(link.joint, mimic=None), robot.defaults)
        for link in robot.links
    )
    return replace(robot, links=tuple(links))


def with_base(robot: Robot, kind: JointKind) -> Robot:
    """The robot whose base, the root link, is moved by a joint of this kind relative to the world.

    A root link that is placed and fixed, or moved as a base is, gets the joint; otherwise a link without mass carries
    all that stood on the base.
    """
    roots = [index for index, link in enumerate(robot.links) if link.parent == BASE]
    root = robot.links[roots[0]]
    if len(roots) == 1 and root.placed is not None and root.joint.kind in BASES.values():
        links = list(robot.links)
        on_axis_z = replace(root, placed=replace(root.placed, axis=UP))
        links[roots[0]] = jointed(robot.convention, on_axis_z, Joint(root.joint.name, kind, ZERO), robot.defaults)
        return on_moved_base(replace(robot, links=tuple(links)), root.joint.name)
    if kind is JointKind.FIXED:
        return robot
    names = {link.name for link in robot.links} | {frame.name for frame in robot.frames}
    joints = {link.joint.name for link in robot.links}
    joint = Joint(free("root_joint", joints), kind, ZERO)
    carrier = Link(free("root", names), BASE, joint, (), (), MASSLESS, None, AT_PARENT)
    carried = (replace(link, parent=link.parent + 1) for link in robot.links)
    frames = tuple(replace(frame, link=frame.link + 1) for frame in robot.frames)
    # What was tied to the base is tied to what stands on it, but for contacts with the world.
    cuts = renumbered(robot.cut_joints, lambda link: link + 1)
    switched = renumbered(robot.switched, lambda link: link if link == BASE else link + 1)
    moved = replace(robot, links=(carrier, *carried), frames=frames, cut_joints=cuts, switched=switched)
    return on_moved_base(moved, joint.name)


MASSLESS = Inertia(ZERO, (ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO), about_origin=False)
"""No mass."""
