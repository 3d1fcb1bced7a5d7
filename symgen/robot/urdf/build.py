"""A URDF → `Robot`: the root link is fixed to the base, every other link is placed by its joint."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import PurePath

from symgen.errors import Problem, RobotFileError
from symgen.robot.expression import ZERO, constant
from symgen.robot.joints import JointKind
from symgen.robot.loads import bare_joints
from symgen.robot.mimicry import Follower, resolved
from symgen.robot.model import BASE, Joint, Link, Mimic, Placed, Robot
from symgen.robot.names import identifier, robot_problem
from symgen.robot.placed import AT_PARENT, split
from symgen.robot.urdf.elements import JointElement, LinkElement, Pose, Reading, inertia_of, read
from symgen.robot.urdf.loops import read_loops, with_loops
from symgen.robot.urdf.snap import Snapping
from symgen.robot.urdf.tree import ordered
from symgen.robot.urdf.visuals import materials, shapes
from symgen.robot.urdf.xml import Element, parse

GRAVITY = (ZERO, ZERO, constant(Fraction("-9.81")))
"""The format says nothing of gravity."""

ROOT_JOINT = "root_joint"
"""The joint between the base and the root link."""

CONVENTION = "placed"
"""Of robots whose links are placed by xyz, rpy and axis."""


def robot_of(content: bytes, source: str, *, snap: bool = True, independent: bool = False) -> Robot:
    """The robot that a URDF describes; `source`, its path, names it in messages.

    With `snap` printed numbers are taken as what they stand for (see `snap`); notices tell which. With `independent`
    joints that mimic others move by themselves. Loops and couplings of URDF+ are read too. Raises `InputError`
    for what is no XML, `RobotFileError` with everything that is wrong with it otherwise.
    """
    root = parse(content, source)
    _refuse_macros(root, source)
    reading = read(root)
    read_loops(root, reading)
    base, joints = ordered(reading)
    followed = {} if independent else _followed(joints, reading)
    if not reading.problems and all(inertia_of(link).is_massless for link in reading.links.values()):
        reading.problem("robot", "no link has a mass; every force would be zero")
    if reading.problems:
        raise RobotFileError(source, tuple(reading.problems))
    robot = _Building(root, reading, snap).robot(base, joints, followed, source)
    if reading.problems:
        raise RobotFileError(source, tuple(reading.problems))
    return robot


def _refuse_macros(root: Element, source: str) -> None:
    for element in (root, *root.children):
        if "xacro" in element.tag:
            raise RobotFileError(source, (_macro(element.line, source),))


def _macro(line: int, source: str) -> Problem:
    path = PurePath(source)
    target = path.name.removesuffix(".xacro")
    target = target if target.endswith(".urdf") else f"{target.partition('.')[0]}.urdf"
    return Problem(f"line {line}", f"this is xacro, not yet a URDF; expand it first: xacro {path.name} > {target}")


def _followed(joints: tuple[JointElement, ...], reading: Reading) -> dict[str, Mimic]:
    """Joint → what it follows, a joint that follows none."""
    followers = {joint.name: Follower(joint.place, joint.kind, joint.mimic) for joint in joints}
    return resolved(followers, {}, reading.problem)


# the robot -----------------------------------------------------------------------------------------


class _Building:
    def __init__(self, root: Element, reading: Reading, snap: bool) -> None:
        self.root = root
        self.reading = reading
        self.materials = materials(root)
        self.snapping = Snapping(snap)

    def robot(self, base: str, joints: tuple[JointElement, ...], followed: dict[str, Mimic], source: str) -> Robot:
        names = {base: 0}
        links = [self._root_link(base)]
        for joint in joints:
            links.append(self._link(joint, names[joint.parent], followed.get(joint.name)))
            names[joint.child] = len(links) - 1
        name, renamed = self._name(source)
        robot = Robot(
            name=name,
            description="",
            source=PurePath(source).name if PurePath(source).name.isprintable() else "",
            convention=CONVENTION,
            gravity=GRAVITY,
            base=(),
            links=tuple(links),
        )
        robot = with_loops(robot, self.reading, self.snapping)
        notices = (*renamed, *self.snapping.notices(), *self.reading.notices, *bare_joints(robot))
        return replace(robot, notices=notices)

    def _name(self, source: str) -> tuple[str, tuple[str, ...]]:
        """The robot's name, made an identifier, and what is to be told of that."""
        given = self.root.attributes.get("name", "")
        name = identifier(given or PurePath(source).name.partition(".")[0] or "robot")
        name = name if robot_problem(name) is None else f"{name[:50]}_robot"
        if robot_problem(name) is not None:
            name = "robot"
        if name == given:
            return name, ()
        why = f"{given[:60]!r} is no identifier" if given else "the file names none"
        return name, (f"the robot is called {name}: {why}",)

    def _root_link(self, base: str) -> Link:
        name = ROOT_JOINT
        while name in self.reading.joints:
            name += "_"
        return self._made(self.reading.links[base], BASE, Joint(name, JointKind.FIXED, ZERO), AT_PARENT)

    def _link(self, element: JointElement, parent: int, followed: Mimic | None) -> Link:
        label = f"joint {element.name}"
        placed = Placed(
            self.snapping.lengths(element.origin.xyz, label),
            self.snapping.angles(element.origin.rpy, label),
            self.snapping.axis(element.axis, label) if element.kind.nv in (1, 3) else element.axis,
        )
        joint = Joint(element.name, element.kind, ZERO, element.drive, limits=element.limits, mimic=followed)
        return self._made(self.reading.links[element.child], parent, joint, placed)

    def _made(self, element: LinkElement, parent: int, joint: Joint, placed: Placed) -> Link:
        before, after = split(joint, placed, {})
        label = f"inertia of {element.name}"
        xyz, rpy = element.origin.xyz, element.origin.rpy
        origin = Pose(self.snapping.lengths(xyz, label), self.snapping.angles(rpy, label))
        inertia = inertia_of(replace(element, origin=origin))
        looks = shapes(element, self.materials, self.reading)
        return Link(element.name, parent, joint, before, after, inertia, None, placed, looks)
