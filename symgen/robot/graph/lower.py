"""Data of a file whose joints are edges → data of one in which every link has the joint that carries it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symgen.errors import InputError, LimitError, Problem, RobotFileError
from symgen.robot import drives
from symgen.robot.expression import ZERO
from symgen.robot.graph.cut import BASE, Edge, Tree, tree_of
from symgen.robot.graph.tables import OF_JOINTS, EdgeTable, GraphFile, checked
from symgen.robot.joint_model import Joint
from symgen.robot.joints import JointKind, kind_called
from symgen.robot.loops import CutKind

CUT_AS = {
    JointKind.REVOLUTE: CutKind.REVOLUTE,
    JointKind.CONTINUOUS: CutKind.REVOLUTE,
    JointKind.PRISMATIC: CutKind.PRISMATIC,
    JointKind.CYLINDRICAL: CutKind.CYLINDRICAL,
    JointKind.UNIVERSAL: CutKind.UNIVERSAL,
    JointKind.SPHERICAL_ZYX: CutKind.SPHERICAL,
    JointKind.SPHERICAL: CutKind.SPHERICAL,
    JointKind.PLANAR: CutKind.PLANAR,
    JointKind.FIXED: CutKind.FIXED,
}
"""Kinds of joints → kinds of cut joints that hold what they hold."""

WITH_AXIS = (CutKind.REVOLUTE, CutKind.PRISMATIC, CutKind.CYLINDRICAL, CutKind.PLANAR)

_DRIVEN = ("rotor", "mimic", *(key for key in drives.KEYS if key not in drives.ACTING))
"""Keys that no cut joint can have."""

_KEPT = (*drives.ACTING, "limits")
"""Keys that cut joints of one coordinate have too: they mean the same of one without offset that turns with z."""


@dataclass(frozen=True)
class Lowered:
    """The data of a robot file, what the user should know, and where its parts stand in the user's.

    `links`: for each link its index in the user's file, and that of the joint that carries it. `loops`: for each of
    the loops that are cut here the index of its joint; they stand after `own` ones of the user's.
    """

    data: dict[str, Any]
    notices: tuple[str, ...]
    links: tuple[tuple[int, int], ...]
    loops: tuple[int, ...]
    own: int
    turned: frozenset[int] = field(default_factory=frozenset)
    """Indices of the joints that carry the link called their parent."""

    def problem(self, problem: Problem) -> Problem:
        """A problem of the data at its place in the user's file."""
        return Problem(self.place(problem.place), problem.message)

    def place(self, place: str) -> str:
        """A place in the data, or a text that begins with one, as one in the user's file."""
        if match := re.match(r"links\[(\d+)\](?:\.(\w+))?", place):
            link, joint = self.links[int(match[1]) - 1]
            key, rest = match[2] or "", place[match.end() :]
            if key in ("joint_name", "axis", "mimic", "limits", *OF_JOINTS):
                return f"joints[{joint + 1}].{key.removeprefix('joint_')}{re.sub(_LABEL, '', rest)}"
            if key in ("xyz", "rpy", "joint_xyz", "joint_rpy"):
                side = "child" if key.startswith("joint_") != (joint in self.turned) else "parent"
                return f"joints[{joint + 1}].{side}.{key[-3:]}{re.sub(_LABEL, '', rest)}"
            return f"links[{link + 1}]{'.' if key else ''}{key}{rest}"
        match = re.match(r"loops\[(\d+)\]", place)
        if match and int(match[1]) > self.own:
            rest = place[match.end() :].replace(".predecessor", ".parent").replace(".successor", ".child")
            return f"joints[{self.loops[int(match[1]) - self.own - 1] + 1}]{rest}"
        return place


_LABEL = r" \(link '[^']*'\)"


def lowered(data: dict[str, Any], source: str) -> Lowered:
    """The data with a tree of links, and loops where joints are cut; `RobotFileError` lists what is wrong."""
    graph = checked(data, source)
    if problems := tuple(_problems(graph)):
        raise RobotFileError(source, problems)
    kept = _kept(graph)
    edges = [_edge(joint, joint.name not in kept) for joint in graph.joints]
    try:
        tree = tree_of(edges)
    except (InputError, LimitError) as error:
        raise type(error)(f"{source}: joints: {error}") from None
    return _made(data, graph, tree)


def _problems(graph: GraphFile) -> Iterable[Problem]:
    names = [link.name for link in graph.links]
    for index, name in enumerate(names):
        if name in (BASE, *names[:index]):
            yield Problem(f"links[{index + 1}].name", f"the name {name!r} is taken already; names must differ")
    beside: dict[str, list[str]] = {}
    taken: set[str] = set()
    for index, joint in enumerate(graph.joints):
        place = f"joints[{index + 1}].{{}} (joint '{joint.name}')"
        if joint.name in taken:
            yield Problem(f"joints[{index + 1}].name", f"the name {joint.name!r} is taken already; names must differ")
        taken.add(joint.name)
        for side, end in (("parent", joint.parent), ("child", joint.child)):
            if end.link not in (BASE, *names):
                shown = ", ".join([BASE, *names[:20]])
                yield Problem(place.format(f"{side}.link"), f"no link is called {end.link[:40]!r}; there are: {shown}")
        if joint.parent.link == joint.child.link:
            yield Problem(place.format("child.link"), f"it ties the link {joint.parent.link[:40]!r} to itself")
        beside.setdefault(joint.parent.link, []).append(joint.child.link)
        beside.setdefault(joint.child.link, []).append(joint.parent.link)
    reached = {BASE: None}
    for link in (waiting := [BASE]):
        new = [other for other in dict.fromkeys(beside.get(link, ())) if other not in reached]
        reached |= dict.fromkeys(new)
        waiting += new
    for index, name in enumerate(names):
        if name not in reached:
            yield Problem(f"links[{index + 1}]", f"no joints lead from the base to the link {name!r}")


def _kept(graph: GraphFile) -> set[str]:
    """Names of the joints that are not cut: driven, needed by others or by couplings, or of more than a cut one has."""
    wanted = {*graph.actuated, *graph.independent, *(name for each in graph.couplings for name in each.terms)}
    kept: set[str] = set()
    for joint in graph.joints:
        given = joint.model_extra or {}
        names = {joint.name, *Joint(joint.name, kind_called(joint.joint), ZERO).coordinate_names}
        kind = CUT_AS.get(kind_called(joint.joint))
        is_plain = kind is not None and len(kind.coordinates) == 1 and not {"offset", "direction"} & given.keys()
        if wanted & names or kind is None or not given.keys().isdisjoint((*_DRIVEN, *(() if is_plain else _KEPT))):
            kept.add(joint.name)
        mimic = given.get("mimic")
        if isinstance(mimic, dict):
            kept.add(str(mimic.get("joint")))
    return kept


def _edge(joint: EdgeTable, may_be_cut: bool) -> Edge:
    kind = kind_called(joint.joint)
    reverses = bool(kind.stands_for) or kind is JointKind.FIXED
    return Edge(joint.name, joint.parent.link, joint.child.link, kind.nv, reverses, may_be_cut)


# the data ------------------------------------------------------------------------------------------


def _made(data: dict[str, Any], graph: GraphFile, tree: Tree) -> Lowered:
    order = _order(graph, tree)
    numbers = {link.name: index for index, link in enumerate(graph.links)}
    turned = frozenset(tree.carriers[name] for name in order if graph.joints[tree.carriers[name]].parent.link == name)
    links = [_link(data, numbers[name], tree.carriers[name], tree.carriers[name] in turned) for name in order]
    own = data.get("loops") or []
    loops = [_loop(data["joints"][index], graph.joints[index]) for index in tree.cut]
    gone = {name for index in tree.cut for name in _positions(graph.joints[index])}
    result = {key: value for key, value in data.items() if key != "joints"}
    result |= {"links": links, "loops": [*own, *loops]}
    if isinstance(posture := data.get("posture"), dict):
        result["posture"] = {name: value for name, value in posture.items() if name not in gone}
    last = graph.links[-1].name
    for key in ("tool", "frames"):  # without a link they are on the last one of the file
        entries = data.get(key)
        if isinstance(entries, dict):
            result[key] = {"link": last} | entries
        elif isinstance(entries, list):
            result[key] = [{"link": last} | each if isinstance(each, dict) else each for each in entries]
    if not result["loops"]:
        del result["loops"]
    places = tuple((numbers[name], tree.carriers[name]) for name in order)
    return Lowered(result, tuple(_notices(graph, tree)), places, tree.cut, len(own), turned)


def _order(graph: GraphFile, tree: Tree) -> list[str]:
    """The links, parents first, as near to the order of the file as that goes."""
    waiting, done = [link.name for link in graph.links], [BASE]
    while waiting:
        name = next(name for name in waiting if _carrier_of(graph, tree, name) in done)
        waiting.remove(name)
        done.append(name)
    return done[1:]


def _carrier_of(graph: GraphFile, tree: Tree, link: str) -> str:
    joint = graph.joints[tree.carriers[link]]
    return joint.child.link if joint.parent.link == link else joint.parent.link


def _link(data: Mapping[str, Any], link: int, joint: int, turned: bool) -> dict[str, Any]:
    """The table of a link with the keys of the joint that carries it; of one that is turned, the other way round."""
    given = data["joints"][joint]
    near, far = (_as_side(given[side]) for side in (("child", "parent") if turned else ("parent", "child")))
    made = {key: given[key] for key in ("joint", "axis", *OF_JOINTS) if key in given}
    made |= {"parent": near["link"], "joint_name": given["name"]}
    made |= {key: near[key] for key in ("xyz", "rpy") if key in near}
    made |= {f"joint_{key}": far[key] for key in ("xyz", "rpy") if key in far}
    if turned and kind_called(given["joint"]).stands_for:
        made["direction"] = "1" if str(given.get("direction", 1)).strip() == "-1" else "-1"
        if "offset" in given:
            made["offset"] = f"-({given['offset']})"
    return dict(data["links"][link]) | made


def _as_side(value: Any) -> dict[str, Any]:
    return {"link": value} if isinstance(value, str) else dict(value)


def _loop(given: Mapping[str, Any], joint: EdgeTable) -> dict[str, Any]:
    kind = CUT_AS[kind_called(joint.joint)]
    made = {"name": given["name"], "joint": kind.value}
    made |= {"predecessor": _as_side(given["parent"]), "successor": _as_side(given["child"])}
    made |= {key: given[key] for key in _KEPT if key in given}
    if isinstance(limits := made.get("limits"), dict):
        made["limits"] = {key: value for key, value in limits.items() if key != "effort"}
    return made | ({"axis": given["axis"]} if "axis" in given and kind in WITH_AXIS else {})


def _positions(joint: EdgeTable) -> tuple[str, ...]:
    return Joint(joint.name, kind_called(joint.joint), ZERO).position_names


def _notices(graph: GraphFile, tree: Tree) -> Iterable[str]:
    joints = [graph.joints[index] for index in tree.cut]
    if joints:
        shown = ", ".join(f"{each.name} ({each.joint}, {each.parent.link} to {each.child.link})" for each in joints)
        yield f"the graph is cut at {shown}, where branches have the fewest freedoms: {tree.freedoms} at most"
    limits = {each.name: (each.model_extra or {}).get("limits") for each in joints}
    if lost := [name for name, given in limits.items() if isinstance(given, dict) and "effort" in given]:
        yield f"limits of the effort of joints that are cut, which no motor drives, are left out: {', '.join(lost)}"
