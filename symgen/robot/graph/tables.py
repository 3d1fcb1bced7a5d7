"""The schema of robot files with joints as edges: links are bodies, joints tie a frame of one to one of another."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from symgen.algebra.work import Work
from symgen.errors import Problem, RobotFileError
from symgen.robot.expression import MAX_WORK
from symgen.robot.names import shown_value
from symgen.robot.schema import InertiaTable, Kind, Label, LinkTable, LoopsFile, Number, Triple
from symgen.robot.schema_problems import faults_of, problem_of


class _Table(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="forbid", frozen=True, arbitrary_types_allowed=True)


class SideTable(_Table):
    """The frame on one side of a joint: a link, or "base", and where on it."""

    link: str
    xyz: Triple | None = None
    rpy: Triple | None = None


def _side(value: Any) -> Any:
    if isinstance(value, str):
        return {"link": value}
    if not isinstance(value, dict):
        raise ValueError(f"expected a link's name or a table such as {_SIDE}, found {shown_value(value)}")
    return value


_SIDE = '{ link = "rod", xyz = [0.2, 0, 0] }'


Side = Annotated[SideTable, BeforeValidator(_side)]

OF_JOINTS = tuple(
    key
    for key in LinkTable.model_fields
    if key not in {"name", "parent", "joint", "joint_name", "axis", "mass", "r", "com", "inertia"}
    and key not in {"a", "alpha", "b", "d", "theta", "gamma", "before", "xyz", "rpy", "joint_xyz", "joint_rpy"}
)
"""Keys of a link's table that belong to its joint and mean the same in a joint's."""


class BodyTable(_Table):
    """A link: a rigid body and its frame."""

    name: Label
    mass: Number | None = None
    r: Triple | None = None
    com: Triple | None = None
    inertia: InertiaTable | None = None


class EdgeTable(_Table):
    """A joint between two links; keys of its drive, limits and motion are those of links' tables."""

    model_config = ConfigDict(defer_build=True, extra="allow", frozen=True, arbitrary_types_allowed=True)

    name: Label
    joint: Kind
    parent: Side
    child: Side
    axis: Triple | None = None


class GraphFile(LoopsFile):
    """What a graph needs of a robot file; the rest of it is as in others."""

    model_config = ConfigDict(defer_build=True, extra="ignore", frozen=True, arbitrary_types_allowed=True)

    links: Annotated[list[BodyTable], Field(min_length=1, max_length=1000)]
    joints: Annotated[list[EdgeTable], Field(min_length=1, max_length=2000)]


_TABLES: dict[str, type[BaseModel]] = {"links": BodyTable, "joints": EdgeTable, "parent": SideTable, "child": SideTable}


def checked(data: dict[str, Any], source: str) -> GraphFile:
    """The graph in the data of a file; `RobotFileError` with everything that is wrong with its shape."""
    found: list[Problem] = []
    convention = data.get("convention")
    if convention != "placed":
        found.append(Problem("convention", f'joints between links go with convention = "placed", found {convention!r}'))
    try:
        graph = GraphFile.model_validate(data, context=Work(MAX_WORK))
    except ValidationError as error:
        found += [problem_of(details, data, GraphFile, _TABLES) for details in faults_of(error)]
        raise RobotFileError(source, tuple(found)) from None
    for index, edge in enumerate(graph.joints):
        found += [
            Problem(f"joints[{index + 1}].{key} (joint '{edge.name}')", f"unknown key; a joint has: {_known()}")
            for key in edge.model_extra or ()
            if key not in OF_JOINTS
        ]
    if found:
        raise RobotFileError(source, tuple(found))
    return graph


def _known() -> str:
    return ", ".join((*EdgeTable.model_fields, *OF_JOINTS))
