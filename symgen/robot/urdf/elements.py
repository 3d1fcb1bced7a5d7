"""Elements of a URDF → links and joints with exact numbers, checked one by one; what is missing has its default.

Numbers are exact decimals. What the specification says of missing elements holds: no origin is the identity, no axis
is (1, 0, 0), limits that are not given of a joint that has them are 0.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace

from symgen.errors import Problem
from symgen.robot.expression import ONE, ZERO, Expression, constant
from symgen.robot.joints import JointKind
from symgen.robot.limits import faults
from symgen.robot.loops import CutKind
from symgen.robot.model import NO_DRIVE, NO_LIMITS, Drive, Inertia, Limits, Mimic, Vector
from symgen.robot.names import label_problem, shortened
from symgen.robot.numbers import bounded, decimal
from symgen.robot.urdf.xml import Element

KINDS = {
    "revolute": JointKind.REVOLUTE,
    "continuous": JointKind.CONTINUOUS,
    "prismatic": JointKind.PRISMATIC,
    "fixed": JointKind.FIXED,
    "floating": JointKind.FLOATING,
    "planar": JointKind.PLANAR,
}
"""The format's words for kinds of joints."""

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z", re.ASCII)

_ORIGIN: Vector = (ZERO, ZERO, ZERO)
_X_AXIS: Vector = (ONE, ZERO, ZERO)
_TENSOR = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_LIMITS = ("lower", "upper", "velocity", "effort")


@dataclass(frozen=True)
class Pose:
    """xyz (m) and rpy (rad) of an origin."""

    xyz: Vector = _ORIGIN
    rpy: Vector = _ORIGIN


@dataclass(frozen=True)
class LinkElement:
    """A link as the file has it; its inertia's mass centre and axes are those of `origin`, `visuals` what draws it."""

    name: str
    place: str
    mass: Expression = ZERO
    tensor: tuple[Expression, ...] = (ZERO,) * 6
    origin: Pose = Pose()
    visuals: tuple[Element, ...] = ()


@dataclass(frozen=True)
class JointElement:
    """A joint as the file has it."""

    name: str
    place: str
    kind: JointKind
    parent: str
    child: str
    origin: Pose = Pose()
    axis: Vector = _X_AXIS
    drive: Drive = NO_DRIVE
    limits: Limits = NO_LIMITS
    mimic: Mimic | None = None
    independent: bool = True


@dataclass(frozen=True)
class LoopElement:
    """A joint that closes a loop; `ends`: (link, where on it) of predecessor and successor."""

    name: str
    place: str
    kind: CutKind
    ends: tuple[tuple[str, Pose], tuple[str, Pose]]
    axis: Vector


@dataclass(frozen=True)
class CouplingElement:
    """`ratio` times what the joints move from where the ways part to the predecessor is that to the successor."""

    name: str
    place: str
    links: tuple[str, str]
    ratio: Expression


@dataclass
class Reading:
    """The links and joints of a file, what is wrong with them, and what the user should know.

    `loops` and `couplings` are what URDF+ adds.
    """

    links: dict[str, LinkElement] = field(default_factory=dict)
    joints: dict[str, JointElement] = field(default_factory=dict)
    loops: dict[str, LoopElement] = field(default_factory=dict)
    couplings: dict[str, CouplingElement] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    is_whole: bool = True
    """Whether every element could be read, so that the tree can be judged."""

    def problem(self, place: str, message: str) -> None:
        """Note what refuses the file."""
        self.problems.append(Problem(place, message))


def read(root: Element) -> Reading:
    """The links and joints of a `robot` element."""
    reading = Reading()
    for element in root.children:
        if element.tag == "link" and (name := name_of(element, reading.links, reading)):
            reading.links[name] = _link(element, name, reading)
        elif element.tag == "joint" and (name := name_of(element, reading.joints, reading)):
            joint = _joint(element, name, reading)
            if joint is not None:
                reading.joints[name] = joint
            reading.is_whole &= joint is not None
    return reading


def name_of(element: Element, taken: Collection[str], reading: Reading) -> str:
    """The name of a link or joint; "" if it has none that can be used."""
    place = f"line {element.line} ({element.tag})"
    name = element.attributes.get("name")
    if name is None:
        reading.problem(place, f"a {element.tag} needs a name")
        reading.is_whole = False
        return ""
    problem = label_problem(name)
    if problem is None and name in taken:
        problem = f"there are two {element.tag}s called {shortened(name, 40)!r}; names must differ"
    if problem is not None:
        reading.problem(place, problem)
        reading.is_whole = False
        return ""
    return name


# links ---------------------------------------------------------------------------------------------


def _link(element: Element, name: str, reading: Reading) -> LinkElement:
    inertial = element.first("inertial")
    place = f"line {element.line} (link {name!r})"
    visuals = tuple(element.all("visual"))
    if inertial is None:
        return LinkElement(name, place, visuals=visuals)
    place = f"line {inertial.line} (link {name!r})"
    mass, inertia = inertial.first("mass"), inertial.first("inertia")
    if mass is None or inertia is None:
        missing = "mass" if mass is None else "inertia"
        hint = '<mass value="1.5"/>' if mass is None else '<inertia ixx="0" ... izz="0"/>, zeros for a point mass'
        reading.problem(place, f"the inertial element has no {missing}; write {hint}")
        return LinkElement(name, place)
    value = number_of(mass, "value", place, reading)
    if value is not None and value.constant({}).midpoint() < 0:
        reading.problem(place, f"expected a mass of at least 0 kg, found {value}")
    tensor = tuple(number_of(inertia, key, place, reading) or ZERO for key in _TENSOR)
    return LinkElement(name, place, value or ZERO, tensor, pose_of(inertial, place, reading), visuals)


def inertia_of(link: LinkElement) -> Inertia:
    """The inertia of a link, in the model's words."""
    from symgen.robot.placement import Pose as Placing

    xx, yy, zz, xy, xz, yz = link.tensor
    axes = Placing(_ORIGIN, link.origin.rpy).placement()
    is_point = all(entry.is_zero for entry in link.tensor)
    return Inertia(link.mass, link.origin.xyz, (xx, yy, zz, xy, xz, yz), False, () if is_point else axes)


# joints --------------------------------------------------------------------------------------------


def _joint(element: Element, name: str, reading: Reading) -> JointElement | None:
    place = f"line {element.line} (joint {name!r})"
    ends = {tag: end_of(element, tag, place, reading) for tag in ("parent", "child")}
    word = element.attributes.get("type", "")
    kind = KINDS.get(word)
    if kind is None:
        found = f"found {shortened(word, 40)!r}" if word else "found none"
        reading.problem(place, f"expected a type {', '.join(KINDS)}; {found}")
    if kind is None or not all(ends.values()):
        return None
    one = kind.nv == 1
    return JointElement(
        name,
        place,
        kind,
        ends["parent"],
        ends["child"],
        pose_of(element, place, reading),
        _joint_axis(element, kind, place, reading),
        _drive(element, place, reading) if one else NO_DRIVE,
        _limits(element, kind, f"joint {name}", place, reading) if one else NO_LIMITS,
        _mimic(element, place, reading) if kind.nv else None,
        _independent(element, place, reading),
    )


def end_of(element: Element, tag: str, place: str, reading: Reading) -> str:
    """The link at an end of a joint or loop; "" if none is said."""
    end = element.first(tag)
    name = "" if end is None else end.attributes.get("link", "")
    if not name:
        reading.problem(place, f'the {element.tag} has no {tag} link; write <{tag} link="..."/>')
    return name


def _independent(element: Element, place: str, reading: Reading) -> bool:
    """Whether URDF+ takes the joint's coordinates as independent, as it does where nothing is said."""
    word = element.attributes.get("independent", "true").lower()
    if word not in ("true", "false"):
        reading.problem(place, f'independent: expected "true" or "false", found {shortened(repr(word), 40)}')
    return word != "false"


def _joint_axis(element: Element, kind: JointKind, place: str, reading: Reading) -> Vector:
    return (ZERO, ZERO, ONE) if kind in (JointKind.FIXED, JointKind.FLOATING) else axis_of(element, place, reading)


def axis_of(element: Element, place: str, reading: Reading) -> Vector:
    """The axis of an element, x where it has none."""
    axis = element.first("axis")
    if axis is None or "xyz" not in axis.attributes:
        return _X_AXIS
    known = len(reading.problems)
    vector = triple_of(axis, "xyz", place, reading)
    if len(reading.problems) == known and all(entry.is_zero for entry in vector):
        found = shortened(axis.attributes["xyz"], 40)
        reading.problem(place, f'the axis is zero ({found!r}); give a direction, such as "0 0 1"')
        return _X_AXIS
    return vector


def _drive(element: Element, place: str, reading: Reading) -> Drive:
    dynamics = element.first("dynamics")
    if dynamics is None:
        return NO_DRIVE
    given = {}
    for key in ("damping", "friction"):
        value = number_of(dynamics, key, place, reading) if key in dynamics.attributes else None
        if value is not None and value.constant({}).midpoint() < 0:
            reading.problem(place, f"expected a {key} of at least 0, found {value}")
        given[key] = value or ZERO
    return Drive(viscous=given["damping"], coulomb=given["friction"])


def _limits(element: Element, kind: JointKind, label: str, place: str, reading: Reading) -> Limits:
    limit = element.first("limit")
    if limit is None:
        return NO_LIMITS
    given = {key: number_of(limit, key, place, reading) for key in _LIMITS if key in limit.attributes}
    ends = {} if kind is JointKind.CONTINUOUS else {key: given.get(key, ZERO) for key in ("lower", "upper")}
    limits = Limits(**ends, velocity=given.get("velocity"), effort=given.get("effort"))
    return _possible(limits, label, reading)


def _possible(limits: Limits, label: str, reading: Reading) -> Limits:
    """The limits without those that cannot be: they bear on no dynamics, and the file can be read without them."""
    for key, fault in faults(limits, {}).items():
        reading.notices.append(f"{label}: {fault}; left out")
        limits = replace(limits, lower=None, upper=None) if key == "lower" else replace(limits, **{key: None})
    return limits


def _mimic(element: Element, place: str, reading: Reading) -> Mimic | None:
    mimic = element.first("mimic")
    if mimic is None:
        return None
    joint = mimic.attributes.get("joint", "")
    if not joint:
        reading.problem(place, 'mimic names no joint; write <mimic joint="..."/>')
        return None
    ratio = number_of(mimic, "multiplier", place, reading) if "multiplier" in mimic.attributes else ONE
    offset = number_of(mimic, "offset", place, reading) if "offset" in mimic.attributes else ZERO
    return Mimic(joint, ratio or ZERO, offset or ZERO)


# numbers -------------------------------------------------------------------------------------------


def pose_of(element: Element, place: str, reading: Reading) -> Pose:
    """The origin of an element, the identity where it has none."""
    origin = element.first("origin")
    if origin is None:
        return Pose()
    xyz, rpy = (
        triple_of(origin, key, place, reading) if key in origin.attributes else _ORIGIN for key in ("xyz", "rpy")
    )
    return Pose(xyz, rpy)


def triple_of(element: Element, key: str, place: str, reading: Reading) -> Vector:
    """Three numbers under a key; what is wrong with them is noted."""
    words = element.attributes[key].split()
    if len(words) != 3:
        found = shortened(element.attributes[key], 40)
        reading.problem(place, f"{element.tag} {key}: expected three numbers, found {found!r}")
        return _ORIGIN
    x, y, z = (_parsed(word, f"{element.tag} {key}", place, reading) or ZERO for word in words)
    return x, y, z


def number_of(element: Element, key: str, place: str, reading: Reading) -> Expression | None:
    """The number under a key; None if it is missing or none, which is noted."""
    text = element.attributes.get(key)
    if text is None:
        reading.problem(place, f"{element.tag} has no {key}")
        return None
    return _parsed(text.strip(), f"{element.tag} {key}", place, reading)


def _parsed(text: str, what: str, place: str, reading: Reading) -> Expression | None:
    shown = repr(shortened(text, 40))
    if not _NUMBER.match(text):
        hint = "; write a point before the decimals" if "," in text else ""
        if "${" in text or "$(" in text:
            hint = "; that is xacro, expand the file first: xacro robot.urdf.xacro > robot.urdf"
        reading.problem(place, f"{what}: expected a finite decimal number, found {shown}{hint}")
        return None
    try:
        return constant(bounded(decimal(text)))
    except ValueError as error:
        reading.problem(place, f"{what}: {error}")
        return None
