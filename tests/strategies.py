"""Random robots: tables drawn by Hypothesis or from a seed, written as TOML and read by the public reader.

One description of what a random robot is (`table`), two sources of chance: `robots()` is a Hypothesis strategy, which
shrinks, `seeded_robot(seed)` is the same robot for the same seed forever. Links have an inertia that a body can have;
some that carry others have none, so that a few robots are singular (a massless link between two parallel slides).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from hypothesis import strategies as st

from symgen.robot.expression import Expression, parse
from symgen.robot.model import Drive, Elementary, Frame, Link, Robot
from symgen.robot.reader import read_text

MAX_JOINTS = 8

Table = dict[str, Any]


class Chance(Protocol):
    """A source of chance."""

    def choose(self, options: list[Any]) -> Any:
        """One of the options."""

    def number(self, low: float, high: float) -> float:
        """A decimal with three digits after the point, between the bounds."""


class Seeded:
    """Chance from a seed."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def choose(self, options: list[Any]) -> Any:
        return options[int(self._generator.integers(len(options)))]

    def number(self, low: float, high: float) -> float:
        return round(float(self._generator.uniform(low, high)), 3)


class Drawn:
    """Chance from Hypothesis."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw

    def choose(self, options: list[Any]) -> Any:
        return self._draw(st.sampled_from(options))

    def number(self, low: float, high: float) -> float:
        return self._draw(st.integers(math.ceil(low * 1000), math.floor(high * 1000))) / 1000


def seeded_robot(seed: int) -> Robot:
    """The random robot of this seed."""
    return read_text(seeded_text(seed), f"random robot {seed}")


def seeded_text(seed: int) -> str:
    """The file of the random robot of this seed."""
    return to_toml(_directed(Seeded(2_000_000 + seed), table(Seeded(seed), f"random{seed}")))


def equipped_robot(seed: int) -> Robot:
    """The random robot of this seed with random drives, and one to three named frames."""
    robot, chance = seeded_robot(seed), Seeded(1_000_000 + seed)
    links = tuple(_driven(chance, link) for link in robot.links)
    frames = tuple(_frame(chance, name, len(links)) for name in ("tcp", "camera", "elbow")[: chance.choose([1, 2, 3])])
    return replace(robot, links=links, frames=frames, tool="tcp")


def large_tree(seed: int, joints: int) -> Robot:
    """A random tree of many joints, each carried by one of the six links before it."""
    chance = Seeded(3_000_000 + seed)
    convention = chance.choose(["standard", "modified"])
    kinds = [chance.choose(["revolute", "revolute", "prismatic"]) for _ in range(joints)]
    parents = [chance.choose(list(range(max(-1, index - 6), index))) for index in range(joints)]
    return read_text(to_toml(_filled(chance, f"tree{joints}", convention, kinds, parents)), f"random tree {seed}")


def screw_robot(seed: int, max_joints: int = 4) -> Robot:
    """A random robot some of whose joints, at least one, are helical or cylindrical."""
    return read_text(screw_text(seed, max_joints), f"random robot with screws {seed}")


def screw_text(seed: int, max_joints: int = 4) -> str:
    """The file of the random robot with screws of this seed."""
    chance = Seeded(3_000_000 + seed)
    return to_toml(_screwed(chance, _directed(chance, table(Seeded(seed), f"screws{seed}", max_joints))))


@st.composite
def robots(draw: Any, max_joints: int = MAX_JOINTS) -> Robot:
    """Random robots with 1 to `max_joints` joints that move."""
    return read_text(draw(robot_texts(max_joints)), "drawn by Hypothesis")


@st.composite
def robot_texts(draw: Any, max_joints: int = MAX_JOINTS) -> str:
    """Files of random robots."""
    return to_toml(_directed(Drawn(draw), table(Drawn(draw), "drawn", max_joints)))


# what a random robot is -------------------------------------------------------------------------------


def table(chance: Chance, name: str, max_joints: int = MAX_JOINTS) -> Table:
    """A random table: 1 to `max_joints` moving joints, some fixed links among them, possibly branches."""
    convention = chance.choose(["standard", "modified"])
    kinds = _kinds(chance, max_joints)
    return _filled(chance, name, convention, kinds, _parents(chance, len(kinds)))


def _filled(chance: Chance, name: str, convention: str, kinds: list[str], parents: list[int]) -> Table:
    """A random table of links of these kinds, carried by these parents."""
    links = [
        _link(chance, convention, index, kind, parents[index], leaf=index not in parents)
        for index, kind in enumerate(kinds)
    ]
    result: Table = {"name": name, "convention": convention, "gravity": _gravity(chance)}
    if chance.choose([True, False]):
        result["base"] = _pose(chance)
    if chance.choose([True, False]):
        result["inertia_about"] = chance.choose(["com", "origin"])
    return result | {"links": [_with_inertia(chance, link, result.get("inertia_about")) for link in links]}


def _directed(chance: Chance, robot: Table) -> Table:
    """The table with some joints that turn, or slide, the other way."""
    moving = [link for link in robot["links"] if link["joint"] != "fixed"]
    against = [link["name"] for link in moving if chance.choose([True, False, False])]
    links = [link | {"direction": -1} if link["name"] in against else link for link in robot["links"]]
    return robot | {"links": links}


def _screwed(chance: Chance, robot: Table) -> Table:
    """The table with some of its joints, at least one, made helical or cylindrical."""
    moving = [index for index, link in enumerate(robot["links"]) if link["joint"] != "fixed"]
    sure = chance.choose(moving)
    links = list(robot["links"])
    for index in moving:
        if index == sure or chance.choose([True, False, False]):
            kept = {key: value for key, value in links[index].items() if key not in ("joint", "theta", "offset")}
            links[index] = kept | _screw(chance)
    return robot | {"links": links}


def _screw(chance: Chance) -> Table:
    offset = {"offset": _angle(chance)} if chance.choose([True, False]) else {}
    if chance.choose([True, False]):
        return {"joint": "cylindrical", **offset}
    # Pitches that are often equal: screws on one axis that all have the same let fewer parameters act.
    return {
        "joint": "helical",
        "pitch": chance.choose([0.05, -0.05, "0.002/(2*pi)", chance.number(0.01, 0.3)]),
        **offset,
    }


def _kinds(chance: Chance, max_joints: int) -> list[str]:
    moving = chance.choose(list(range(1, max_joints + 1)))
    kinds = [chance.choose(["revolute", "revolute", "prismatic"]) for _ in range(moving)]
    for _ in range(chance.choose([0, 0, 0, 1, 2])):
        kinds.insert(chance.choose(list(range(len(kinds) + 1))), "fixed")
    return kinds


def _parents(chance: Chance, links: int) -> list[int]:
    """Index of every link's parent, -1 for the base."""
    tree = chance.choose([True, False, False])
    jumps = [tree and chance.choose([True, False, False]) for _ in range(links)]
    return [chance.choose(list(range(-1, i))) if jump else i - 1 for i, jump in enumerate(jumps)]


def _gravity(chance: Chance) -> list[float]:
    kind = chance.choose(["down", "down", "general", "general", "none"])
    if kind == "general":
        return [chance.number(-10, 10) for _ in range(3)]
    return [0, 0, -9.81 if kind == "down" else 0]


def _pose(chance: Chance) -> Table:
    return {"xyz": [chance.number(-1, 1) for _ in range(3)], "rpy": [_angle(chance) for _ in range(3)]}


def _angle(chance: Chance) -> Any:
    kind = chance.choose(["right", "right", "twelfth", "decimal"])
    if kind == "right":
        return chance.choose([0, "pi/2", "-pi/2", "pi"])
    if kind == "twelfth":
        return f"{chance.choose(list(range(-12, 13)))}*pi/12"
    return chance.number(-3.1, 3.1)


def _length(chance: Chance) -> float:
    return chance.number(-0.5, 0.5) if chance.choose([True, True, False]) else 0


def _link(chance: Chance, convention: str, index: int, kind: str, parent: int, *, leaf: bool) -> Table:
    along = "b" if convention == "standard" else "d"
    link: Table = {"name": f"link{index + 1}", "joint": kind, "a": _length(chance), "alpha": _angle(chance)}
    if parent != index - 1:
        link["parent"] = "base" if parent < 0 else f"link{parent + 1}"
    if kind != "prismatic":
        link[along] = _length(chance)
    if kind != "revolute":
        link["theta"] = _angle(chance)
    if kind != "fixed" and chance.choose([True, False]):
        link["offset"] = _angle(chance) if kind == "revolute" else _length(chance)
    if convention == "modified" and chance.choose([True, False, False]):
        link |= {"gamma": _angle(chance), "before": _length(chance)}
    return link | {"mass": _mass(chance, leaf=leaf)}


def _mass(chance: Chance, *, leaf: bool) -> float:
    return 0 if not leaf and chance.choose([True] + 9 * [False]) else chance.number(0.2, 5)


def _with_inertia(chance: Chance, link: Table, about: str | None) -> Table:
    com = np.array([chance.number(-0.3, 0.3) for _ in range(3)])
    if link["mass"]:
        key, sign = chance.choose([("com", 1), ("r", -1)])
        link[key] = [sign * entry for entry in com.tolist()]
    own_about = about if about and chance.choose([True, False]) else chance.choose(["com", "origin"])
    turned = chance.choose([True, False, False, False])
    rpy = [chance.number(-3, 3) for _ in range(3)] if turned else [0.0, 0.0, 0.0]
    if not link["mass"]:
        return link
    axes = _rotation(rpy)
    tensor = _tensor(chance)
    if own_about == "origin":
        given = axes.T @ com
        tensor = tensor + link["mass"] * (given @ given * np.eye(3) - np.outer(given, given))
    inertia: Table = {
        key: round(float(tensor[place]), 9)
        for key, place in {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}.items()
    }
    if own_about != about:
        inertia["about"] = own_about
    if turned:
        inertia["frame"] = {"rpy": rpy}
    return link | {"inertia": inertia}


def _tensor(chance: Chance) -> np.ndarray:
    """Inertia about the mass centre, kg m²: that of a body of masses ρ² around three axes, turned."""
    spread = [chance.number(0.01, 0.1) for _ in range(3)]
    moments = [spread[1] + spread[2], spread[0] + spread[2], spread[0] + spread[1]]
    turn = _rotation([chance.choose([0, chance.number(-3, 3)]) for _ in range(3)])
    return turn @ np.diag(moments) @ turn.T


def _rotation(rpy: list[float]) -> np.ndarray:
    """Rz(yaw) Ry(pitch) Rx(roll)."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


# drives and frames ------------------------------------------------------------------------------------------


def _driven(chance: Chance, link: Link) -> Link:
    """The link with a random drive in its joint, often without some of what a drive can have."""
    rotor, viscous, coulomb, sigmoid, spring = (chance.choose([True, True, False]) for _ in range(5))
    drive = Drive(
        rotor_inertia=_decimal(chance, 0.0001, 0.01, rotor),
        gear_ratio=parse(chance.choose(["1", "50", "-72.5", "10*pi"])),
        viscous=_decimal(chance, 0.01, 2, viscous),
        coulomb=_decimal(chance, 0.01, 2, coulomb),
        smoothing=_decimal(chance, 0.01, 0.5, chance.choose([True, False])),
        sigmoid=_decimal(chance, 0.01, 2, sigmoid),
        slope=_decimal(chance, 0.1, 20, sigmoid),
        shift=_decimal(chance, 0.01, 0.5, chance.choose([sigmoid, False])),
        stiffness=_decimal(chance, 1, 100, spring),
        rest=_decimal(chance, 0.1, 2, chance.choose([spring, False])),
    )
    return replace(link, joint=replace(link.joint, drive=drive))


def _decimal(chance: Chance, low: float, high: float, wanted: bool) -> Expression:
    value = max(0.0001, chance.number(low, high))
    return parse(str(value) if wanted else "0")


def _frame(chance: Chance, name: str, links: int) -> Frame:
    shifts = tuple(Elementary(False, axis, parse(str(chance.number(-0.5, 0.5)))) for axis in range(3))
    turns = tuple(Elementary(True, axis, parse(str(_angle(chance)))) for axis in (2, 1, 0))
    return Frame(name, chance.choose(list(range(links))), shifts + turns)


# text -----------------------------------------------------------------------------------------------------


def to_toml(robot: Table) -> str:
    """The TOML text of a robot's table."""
    head = [f"{key} = {_value(value)}" for key, value in robot.items() if key != "links"]
    links = ["\n[[links]]\n" + "\n".join(f"{key} = {_value(entry[key])}" for key in entry) for entry in robot["links"]]
    return "\n".join([*head, *links]) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)
