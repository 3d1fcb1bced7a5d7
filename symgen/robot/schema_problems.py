"""What the schema refuses in a file, in the user's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from symgen.errors import Problem
from symgen.robot import joints
from symgen.robot.loops import CUTS
from symgen.robot.names import shown_key, shown_value
from symgen.robot.schema import (
    AxesTable,
    CouplingTable,
    CutRowTable,
    EndTable,
    FrameTable,
    InertiaTable,
    LimitsTable,
    LinkTable,
    LoopTable,
    PoseTable,
    RotorTable,
    ToolTable,
)

_BRANCHES = ("literal['link']", "AxesTable")


def faults_of(error: ValidationError) -> list[Any]:
    """Pydantic's details of what is wrong, those of another way to read a value left out."""
    return [details for details in error.errors(include_url=False) if not _is_other_branch(details)]


def _is_other_branch(details: Any) -> bool:
    """Whether this tells why a table of axes is not the word "link"."""
    return _BRANCHES[0] in details["loc"] and isinstance(details["input"], dict)


def problem_of(
    details: Any, data: dict[str, Any], whole: type[BaseModel], tables: Mapping[str, type[BaseModel]] | None = None
) -> Problem:
    """What is wrong and where; `data` is the file's, `whole` the table that it should be.

    `tables`: key → the table under it, where it is not that of other files.
    """
    location = tuple(part for part in details["loc"] if part not in _BRANCHES)
    return Problem(_place(location, data), _explain(details, location, whole, _TABLES | dict(tables or {})))


def _place(location: tuple[Any, ...], data: dict[str, Any]) -> str:
    text = ""
    for part in location:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += ("." if text else "") + shown_key(part)
    if len(location) > 1 and location[0] == "links" and isinstance(location[1], int):
        link = data["links"][location[1]]
        name = link.get("name") if isinstance(link, dict) else None
        if isinstance(name, str) and name.isprintable():
            text += f" (link '{name[:40]}')"
    return text or "file"


_MISSING = {
    "name": 'missing; give the robot a name such as "my_arm": generated files and functions carry it',
    "convention": 'missing; say which convention the table is in: "standard" or "modified"',
    "joint": f"missing; say {joints.words()}",
    "links": "missing; a robot needs at least one [[links]] table",
    "gravity": "missing; give the gravity vector in the base frame, such as [0, 0, -9.81]",
    "rpy": "missing; give the turns about fixed x, y, z, in radians",
    "frames.name": 'missing; give the frame a name such as "camera"',
    "loops.joint": f"missing; tell what ties the two links: {', '.join(CUTS)}",
    "joints.parent": 'missing; name the link it is on, or "base", such as { link = "rod", xyz = [0.2, 0, 0] }',
    "joints.child": 'missing; name the link that it moves, such as { link = "rod", xyz = [0.2, 0, 0] }',
    "joints.name": 'missing; give the joint a name such as "elbow"',
    "parent.link": 'missing; name the link, or "base"',
    "child.link": 'missing; name the link, or "base"',
    "links.name": 'missing; give the link a name such as "rod": joints tell by it what they tie',
    "rows.link": "missing; name the link whose frame the row begins at",
    "terms": "missing; give the ratio of each coordinate in the sum, such as { joint1 = 1, joint2 = -2 }",
}

_TABLES: dict[str, type[BaseModel]] = {
    "links": LinkTable,
    "frames": FrameTable,
    "inertia": InertiaTable,
    "rotor": RotorTable,
    "inertia_frame": AxesTable,
    "frame": AxesTable,
    "base": PoseTable,
    "tool": ToolTable,
    "limits": LimitsTable,
    "loops": LoopTable,
    "predecessor": EndTable,
    "successor": EndTable,
    "rows": CutRowTable,
    "couplings": CouplingTable,
}

_EXPECTED = {
    "links": "a [[links]] table for every link",
    "frames": "a [[frames]] table for every frame, with its name",
    "inertia": "a table such as { xx = 0.1, yy = 0.1, zz = 0.1 }",
    "inertia_frame": '"link" or a table such as { rpy = [0, 0, "pi/2"] }',
    "frame": '"link" or a table such as { rpy = [0, 0, "pi/2"] }',
    "base": "a table [base] with xyz and rpy",
    "tool": "a table [tool] with xyz and rpy",
    "joints": "a [[joints]] table for every joint",
    "parameters": "a table [parameters] of names and their default values",
    "limits": "a table such as { lower = -1, upper = 1 }",
    "parent": 'the name of a link above, or "base"',
    "rotor": 'a table such as { axis = [1, 0, 0], carrier = "link2" }',
    "carrier": 'the name of a link, or "base"',
    "link": "the name of a link",
    "loops": "a [[loops]] table for every cut joint",
    "predecessor": 'a table such as { link = "rod", xyz = [0.2, 0, 0] }',
    "successor": 'a table such as { link = "rocker", xyz = [0.1, 0, 0] }',
    "predecessor.frame": "the name of a frame",
    "successor.frame": "the name of a frame",
    "rows": 'two rows of a table, such as [{ link = "rod", a = 0.2 }, { link = "rocker", a = 0.1 }]',
    "couplings": "a [[couplings]] table for every coupling",
    "terms": "a table of coordinates and their ratios, such as { joint1 = 1, joint2 = -2 }",
    "actuated": "an array of names of joints",
    "independent": "an array of names of joints",
    "posture": "a table [posture] of coordinates and their approximate values",
    "contacts": 'a table [contacts] of sets, each with the names of its loops, such as stance = ["left", "right"]',
    "r": "an array of 3 numbers, the vector from the mass centre to the link's frame (Khalil's length r is `d` here)",
}


_LENGTHS = {
    "links": "between 1 and 1000 links",
    "frames": "at most 1000 frames",
    "joints": "between 1 and 2000 joints",
    "loops": "at most 100 loops",
    "couplings": "at most 100 couplings",
    "rows": "two rows, one for each link",
    "terms": "between 1 and 100 coordinates",
    "actuated": "at most 1000 names",
    "independent": "at most 1000 names",
    "contacts": "at most 100 sets, of at most 100 loops each",
}


def _explain(
    details: Any, location: tuple[Any, ...], whole: type[BaseModel], tables: Mapping[str, type[BaseModel]]
) -> str:
    kind = details["type"]
    names = [part for part in location if isinstance(part, str)]
    key, within = names[-1] if names else "", ".".join(names[-2:])
    key = "contacts" if location[0] == "contacts" else key  # others are names of the user's
    found = shown_value(details["input"])
    if kind == "missing":
        return _MISSING.get(within) or _MISSING.get(key, "missing")
    if kind == "extra_forbidden":
        return _unknown_key(key, tables.get(names[-2] if len(names) > 1 else "", whole))
    if kind == "value_error":
        return str(details["ctx"]["error"])
    expected = _EXPECTED.get(within) or _EXPECTED.get(key)
    if expected and kind not in ("too_short", "too_long"):
        return f"expected {expected}, found {found}"
    if kind == "literal_error":
        return f"expected {details['ctx']['expected']}, found {found}"
    if kind in ("too_short", "too_long"):
        return f"expected {_LENGTHS.get(key, '3 numbers')}, found {details['ctx']['actual_length']}"
    if kind == "list_type":
        return f"expected an array of 3 numbers, found {found}"
    return f"{details['msg']}, found {found}"


def _unknown_key(key: str, table: type[BaseModel]) -> str:
    import difflib  # for mistakes alone

    # Its own keys first, then those it shares with other tables.
    known = list(dict.fromkeys((*table.__annotations__, *table.model_fields)))
    near = difflib.get_close_matches(key, known, n=1)
    return "unknown key; " + (f"did you mean {near[0]}?" if near else f"the keys here are: {', '.join(known)}")
