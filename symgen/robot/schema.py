"""The schema of robot files: what keys there are and what they may hold, as pydantic models.

Robots by a Denavit-Hartenberg table, robots of placed links, and files of attached loads have their schemas here; URDFs
and MJCF models have readers of their own. Only the shape of a file is checked; what needs several keys at once is
checked in `rows`, `limits`, `mimicry` and `loads`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from symgen.robot import joints, names
from symgen.robot.expression import Expression, parse
from symgen.robot.joints import JointKind
from symgen.robot.loops import CUTS


def _number(value: Any, info: ValidationInfo) -> Expression:
    """A number; the context of a validation, if there is one, is the `Work` its numbers may take together."""
    return parse(value, info.context)


def _robot_name(value: Any) -> str:
    problem = names.robot_problem(value)
    if problem:
        raise ValueError(problem)
    return str(value)


def _label(value: Any) -> str:
    problem = names.label_problem(value)
    if problem:
        raise ValueError(problem)
    return str(value)


def _line(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected a string, found {names.shown_value(value)}")
    if len(value) > 500 or not value.isprintable():
        raise ValueError("expected one line of at most 500 printable characters")
    return value


def _kind(value: Any) -> str:
    if value not in [kind.value for kind in JointKind]:
        raise ValueError(f"expected {joints.words()}, found {names.shown_value(value)}")
    return str(value)


def _cut(value: Any) -> str:
    if value not in CUTS:
        raise ValueError(f"expected one of {', '.join(CUTS)}, found {names.shown_value(value)}")
    return str(value)


def _direction(value: Any) -> int:
    given = parse(value)
    for direction in (1, -1):
        if given.is_constant and given.constant({}) == direction:
            return direction
    raise ValueError(f"expected 1, or -1 for a joint that turns or slides against z, found {given}")


Number = Annotated[Expression, BeforeValidator(_number)]
Kind = Annotated[str, BeforeValidator(_kind)]
CutWord = Annotated[str, BeforeValidator(_cut)]
Direction = Annotated[int, BeforeValidator(_direction)]
RobotName = Annotated[str, BeforeValidator(_robot_name)]
Label = Annotated[str, BeforeValidator(_label)]
Line = Annotated[str, BeforeValidator(_line)]
Triple = Annotated[list[Number], Field(min_length=3, max_length=3)]


class _Table(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True, arbitrary_types_allowed=True)


class PoseTable(_Table):
    """A constant transform: shift by `xyz` (m), then turn by `rpy` (rad, about fixed x, y, z in that order)."""

    xyz: Triple | None = None
    rpy: Triple | None = None


class ToolTable(PoseTable):
    """The tool's frame, relative to the reference frame of `link` (default: the last one)."""

    name: Label = "tool"
    link: str | None = None


class FrameTable(PoseTable):
    """A named frame, relative to the reference frame of `link` (default: the last one)."""

    name: Label
    link: str | None = None


class AxesTable(_Table):
    """Axes in which a tensor is given, turned from the link's by `rpy`."""

    rpy: Triple


class InertiaTable(_Table):
    """Entries of the inertia tensor, kg m²; products are entries of the tensor (xy = −∫xy dm)."""

    xx: Number | None = None
    yy: Number | None = None
    zz: Number | None = None
    xy: Number | None = None
    xz: Number | None = None
    yz: Number | None = None
    about: Literal["com", "origin"] | None = None
    frame: Literal["link"] | AxesTable | None = None


class MimicTable(_Table):
    """A joint that follows another: q = ratio q' + offset, the offset in rad or m."""

    joint: Label
    ratio: Number | None = None
    offset: Number | None = None


class RotorTable(_Table):
    """Where the rotor of a joint's drive is: its axis, of any length, in the frame of the link that carries it."""

    axis: Triple | None = None
    carrier: str | None = None


class LimitsTable(_Table):
    """How far, how fast and how hard a joint may move: rad or m, rad/s or m/s, N m or N."""

    lower: Number | None = None
    upper: Number | None = None
    velocity: Number | None = None
    effort: Number | None = None


class ActingTable(_Table):
    """What acts in a joint beside a rotor, friction and a spring, and its limits."""

    limits: LimitsTable | None = None
    viscous_friction: Number | None = None
    coulomb_friction: Number | None = None
    coulomb_smoothing: Number | None = None
    sigmoid_friction: Number | None = None
    sigmoid_slope: Number | None = None
    sigmoid_shift: Number | None = None
    stiffness: Number | None = None
    rest_position: Number | None = None


class LinkTable(ActingTable):
    """One link: its joint with drive and limits, its place, by a row of the table or by xyz, rpy, axis, its inertia."""

    name: Label | None = None
    parent: str | None = None
    joint: Kind
    joint_name: Label | None = None
    offset: Number | None = None
    direction: Direction | None = None
    pitch: Number | None = None
    a: Number | None = None
    alpha: Number | None = None
    b: Number | None = None
    d: Number | None = None
    theta: Number | None = None
    gamma: Number | None = None
    before: Number | None = None
    xyz: Triple | None = None
    rpy: Triple | None = None
    axis: Triple | None = None
    joint_xyz: Triple | None = None
    joint_rpy: Triple | None = None
    mimic: MimicTable | None = None
    mass: Number | None = None
    r: Triple | None = None
    com: Triple | None = None
    inertia: InertiaTable | None = None
    rotor_inertia: Number | None = None
    gear_ratio: Number | None = None
    rotor: RotorTable | None = None


class EndTable(PoseTable):
    """One end of a cut joint: a frame by name, or a link ("base" for the base) and where on it."""

    link: str | None = None
    frame: str | None = None


class CutRowTable(_Table):
    """A row of a modified table that leads from the frame of `link` to that of a cut joint (Khalil)."""

    link: str
    gamma: Number | None = None
    before: Number | None = None
    a: Number | None = None
    alpha: Number | None = None
    d: Number | None = None
    theta: Number | None = None


class LoopTable(ActingTable):
    """A cut joint, which ties two links together: at two ends, or at two `rows` of a table; `length` of a rod, `branch`
    of two assemblies.

    `axis` of both ends: what the cut joint turns about or slides along, z unless it is given.
    """

    name: Label | None = None
    joint: CutWord
    predecessor: EndTable | None = None
    successor: EndTable | None = None
    axis: Triple | None = None
    rows: Annotated[list[CutRowTable], Field(min_length=2, max_length=2)] | None = None
    length: Number | None = None
    branch: Literal["left", "right", "near", "far"] | None = None


class CouplingTable(_Table):
    """Σ ratio · coordinate = offset."""

    name: Label | None = None
    terms: Annotated[dict[str, Number], Field(min_length=1, max_length=100)]
    offset: Number | None = None


class AttachTable(PoseTable):
    """A load on a link: a body with inertia, placed relative to the link's frame."""

    link: str
    mass: Number
    com: Triple | None = None
    inertia: InertiaTable | None = None


class AttachFile(_Table):
    """A file of loads, as `attach_file` takes it."""

    attach: Annotated[list[AttachTable], Field(min_length=1, max_length=1000)]


class LoopsFile(_Table):
    """What closes the loops of a robot, the whole of a file for robots whose own files cannot say it."""

    loops: Annotated[list[LoopTable], Field(max_length=100)] = Field(default_factory=list)
    couplings: Annotated[list[CouplingTable], Field(max_length=100)] = Field(default_factory=list)
    actuated: Annotated[list[str], Field(max_length=1000)] = Field(default_factory=list)
    independent: Annotated[list[str], Field(max_length=1000)] = Field(default_factory=list)
    posture: dict[str, Number] = Field(default_factory=dict)
    contacts: Annotated[dict[str, Annotated[list[str], Field(max_length=100)]], Field(max_length=100)] = Field(
        default_factory=dict
    )


class RobotTable(LoopsFile):
    """A whole robot file."""

    name: RobotName
    description: Line = ""
    source: Line = ""
    convention: Literal["standard", "modified", "placed"]
    snap: bool = True
    gravity: Triple
    inertia_about: Literal["com", "origin"] | None = None
    inertia_frame: Literal["link"] | AxesTable | None = None
    parameters: dict[str, Number] = Field(default_factory=dict)
    base: PoseTable | None = None
    tool: ToolTable | None = None
    frames: Annotated[list[FrameTable], Field(max_length=1000)] = Field(default_factory=list)
    links: Annotated[list[LinkTable], Field(min_length=1, max_length=1000)]
