"""Joints as edges between links: the tree that is chosen, the joints that are cut."""

import re
import tomllib
from decimal import Decimal
from importlib import resources

import numpy as np
import pytest

from symgen.derive.derivation import Options, derive
from symgen.derive.loop_constraints import Constraints
from symgen.errors import InputError, LimitError
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate
from symgen.robot import library
from symgen.robot.graph.cut import Edge, blocks, tree_of
from symgen.robot.reader import read_text
from symgen.robot.urdf.build import robot_of
from symgen.robot.urdf.write import urdf_text
from symgen.robot.writer import robot_text
from symgen.verify.oracle import Oracle


def edges(text, **words):
    """Edges "ab" from a to b, o for the base; a figure before them: their freedoms."""
    found = []
    for word in text.split():
        freedoms, (parent, child) = (int(word[0]), word[1:3]) if word[0].isdigit() else (1, word[:2])
        ends = ("base" if parent == "o" else parent, "base" if child == "o" else child)
        flags = {flag: word[-1] != mark for flag, mark in (("reverses", ">"), ("may_be_cut", "!"))}
        found.append(Edge(word.strip("0123456789>!"), *ends, freedoms, **flags))
    return found


CUTS = {
    "a tree": ("oa ab ac", "", 0),
    "a four-bar in a ring": ("oa ab bc co", "bc", 2),
    "a driven joint is not cut": ("oa ab! bc! co", "co", 3),
    "a five-bar": ("oa! ab oc! cd bd", "bd", 2),
    "a ball is better at the end of a branch": ("oa! 3ab 3bc oc", "3bc", 4),
    "freedoms count, not joints": ("2oa 2ab 2bc oc", "2ab", 3),
    "a joint that cannot carry its parent": ("oa ab> cb> oc", "cb", 2),
    "two loops that share a joint": ("oa ab bc oc ad dc", "bc dc", 2),
    "two loops that share a link": ("oa ab ob bc cd bd", "ab cd", 1),
    "a pair of links": ("oa oa", "oa", 1),
    "a branch beside": ("oa ab ob be ef", "ab", 1),
}


@pytest.mark.parametrize("case", CUTS)
def test_the_branch_with_most_freedoms_has_as_few_as_can_be(case):
    text, names, most = CUTS[case]
    given = edges(text)
    tree = tree_of(given)
    assert ([given[index].name for index in tree.cut], tree.freedoms) == (
        [name.strip("0123456789") for name in names.split()],
        most,
    )
    assert tree == tree_of(given)


def test_loops_that_share_no_joint_are_cut_by_themselves():
    assert blocks(edges("oa ab ob bc cd bd de")) == [[0, 1, 2], [3, 4, 5]]


def test_loops_without_a_passive_joint_are_told():
    with pytest.raises(InputError, match="none of the cuts of the loop through oa, ab, bo leaves a tree"):
        tree_of(edges("oa! ab! bo!"))


def test_what_cannot_be_turned_is_told():
    with pytest.raises(
        InputError, match="the joint 'ao' leads from 'base' to 'a' as seen from the base: swap its parent"
    ):
        tree_of(edges("ao>"))


def test_loops_that_can_be_cut_in_too_many_ways_are_told():
    ladder = [
        Edge(f"{side}{k}", "base" if not k else f"{side}{k - 1}", f"{side}{k}", 1) for k in range(12) for side in "ab"
    ]
    rungs = [Edge(f"r{k}", f"a{k}", f"b{k}", 1) for k in range(12)]
    with pytest.raises(LimitError, match=r"the 12 loops through a0, b0, a1, .* can be cut in 1251677700 ways"):
        tree_of([*ladder, *rungs])


# files -----------------------------------------------------------------------------------------------


def toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def text_of(data):
    return "\n".join(f"{key} = {toml(value)}" for key, value in data.items())


BODY = ("name", "mass", "com", "inertia")


def as_graph(name, turned=(), only=None):
    """A robot of the library, of placed links, with its joints as edges; those of `turned` from child to parent."""
    given = (resources.files("symgen.robot") / "library" / f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(given, parse_float=Decimal)
    joints, last = [], "base"
    for link in data["links"]:
        place = {key: link[key] for key in ("xyz", "rpy") if key in link}
        ends = {"parent": {"link": link.get("parent", last)} | place, "child": link["name"]}
        last = link["name"]
        rest = {key: value for key, value in link.items() if key not in (*BODY, "xyz", "rpy", "parent", "joint_name")}
        joints.append({"name": link["joint_name"]} | ends | rest)
    for loop in data.pop("loops"):
        axis = {"axis": [0, 0, 1]} if loop["joint"] == "revolute" else {}
        joints.append(
            {"name": loop["name"], "joint": loop["joint"], "parent": loop["predecessor"], "child": loop["successor"]}
            | axis
        )
    for joint in joints:
        if joint["name"] in turned:
            joint["parent"], joint["child"] = joint["child"], joint["parent"]
            data["posture"][joint["name"]] *= -1
    data["links"] = [{key: link[key] for key in BODY if key in link} for link in data["links"]]
    return data | {"joints": joints}


def read(data):
    return read_text(text_of(data), "robot.toml")


def dynamics(robot, q_of=None):
    """q, closed, by name; inverse dynamics at it."""
    constraints = Constraints(robot, lambda graph: instantiate(robot, graph))
    q = constraints.assembled(np.array(robot.near), [k for k in range(robot.nv) if k not in robot.independent])
    names = ("inverse_dynamics", "inertia_matrix")
    functions = derive(robot, Options(names, effort="low")).module
    rates = np.linspace(0.3, 0.9, len(robot.independent))
    given = {"q": q, "qd": rates, "qdd": rates[::-1]}
    return [next(iter(evaluate(functions.function(name).program, given).values())) for name in names]


@pytest.mark.parametrize(
    ("name", "turned", "cut"),
    [
        ("carpet_scraper", (), ("crank_pin", "strut_pin", "bar_pin")),
        ("rrr3", (), None),
        ("rrr3", ("elbow2",), None),
    ],
)
def test_robots_of_the_library_as_graphs_are_the_same_robots(name, turned, cut):
    robot = read(as_graph(name, turned))
    if cut is not None:
        assert len(robot.cut_joints) == len(cut)
    assert any(notice.startswith("the graph is cut at ") for notice in robot.notices)
    for found, expected in zip(dynamics(robot), dynamics(library.load(name)), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    again = read_text(robot_text(robot), "again.toml")
    assert (again.links, again.cut_joints) == (robot.links, robot.cut_joints)


RING = """
name = "ring"
convention = "placed"
gravity = [0, -9.81, 0]
inertia_about = "com"
actuated = ["crank"]
tool = { xyz = [0.1, 0, 0] }
links = [
  { name = "a", mass = 1, com = [0.1, 0.02, 0], inertia = { zz = 0.01 } },
  { name = "b", mass = 2, com = [0.2, 0, 0], inertia = { zz = 0.02 } },
  { name = "c", mass = 3, com = [-0.1, 0.1, 0], inertia = { zz = 0.03 } },
]

[[joints]]
name = "crank"
joint = "revolute"
parent = "base"
child = { link = "a", xyz = [-0.1, 0, 0], rpy = [0, 0, 0.2] }
axis = [0, 0, 1]
[[joints]]
name = "elbow"
joint = "revolute"
parent = { link = "a", xyz = [0.1, 0, 0] }
child = "b"
axis = [0, 0, 1]
[[joints]]
name = "pivot"
joint = "revolute"
parent = { link = "b", xyz = [0.4, 0, 0] }
child = { link = "c", xyz = [0, 0.1, 0] }
axis = [0, 0, 1]
[[joints]]
name = "ground"
joint = "revolute"
parent = { link = "c", xyz = [0, -0.2, 0] }
child = { link = "base", xyz = [0.5, 0, 0] }
axis = [0, 0, 1]
offset = 0.1
viscous_friction = 0.3

[posture]
crank = 1.4
elbow = -1.2
pivot = 0.9
ground = -0.2
"""


def test_a_ring_is_cut_and_a_joint_turned():
    robot = read_text(RING, "ring.toml")
    assert [(link.name, link.parent, link.joint.name, link.joint.direction) for link in robot.links] == [
        ("a", -1, "crank", 1),
        ("b", 0, "elbow", 1),
        ("c", -1, "ground", -1),
    ]
    assert [cut.name for cut in robot.cut_joints] == ["pivot"]
    assert dict(robot.posture).keys() == {"crank", "elbow", "ground"}
    assert robot.links[robot.frames[0].link].name == "c"
    told = "the graph is cut at pivot (revolute, b to c), where branches have the fewest freedoms: 2 at most"
    assert robot.notices == (told,)


def test_friction_springs_and_limits_stay_with_a_joint_that_is_cut():
    acting = "viscous_friction = 0.2\nstiffness = 3\nlimits = { lower = -1, upper = 2, effort = 4 }\n"
    robot = read_text(RING.replace('name = "pivot"\n', f'name = "pivot"\n{acting}'), "ring.toml")
    (cut,) = robot.cut_joints
    drive = cut.drive
    values = [drive.viscous, drive.stiffness, cut.limits.lower, cut.limits.upper]
    assert [float(each.constant({})) for each in values] == [0.2, 3, -1, 2]
    assert cut.limits.effort is None
    assert "limits of the effort of joints that are cut, which no motor drives, are left out: pivot" in robot.notices


@pytest.mark.parametrize("acting", ["rotor_inertia = 1", "stiffness = 3\noffset = 0.1", "limits = {}\ndirection = -1"])
def test_joints_that_have_more_than_a_cut_joint_can_are_not_cut(acting):
    robot = read_text(RING.replace('name = "pivot"\n', f'name = "pivot"\n{acting}\n'), "ring.toml")
    assert [cut.name for cut in robot.cut_joints] == ["elbow"]


def test_the_frames_of_a_joint_turn_about_its_axis_on_both_links():
    robot = library.load(read_text(RING, "ring.toml"), loops="open")
    q = np.array([0.3, 0.7, -0.4])
    a, b, c = Oracle(robot).frames(q)

    def turned(angle, x, y):
        return np.array([[np.cos(angle), -np.sin(angle), x], [np.sin(angle), np.cos(angle), y], [0, 0, 1]])

    def planar(frame):
        return frame[np.ix_([0, 1, 3], [0, 1, 3])]

    np.testing.assert_allclose(planar(a) @ turned(0.2, -0.1, 0), turned(0.3, 0, 0), atol=1e-15)
    np.testing.assert_allclose(planar(b), planar(a) @ turned(0.7, 0.1, 0), atol=1e-15)
    np.testing.assert_allclose(planar(c) @ turned(0, 0, -0.2) @ turned(-0.4 + 0.1, 0, 0), turned(0, 0.5, 0), atol=1e-15)


def test_a_joint_elsewhere_on_its_link_is_written_locked_and_exported():
    robot = library.load(read_text(RING, "ring.toml"), loops="open")
    assert read_text(robot_text(robot), "again.toml").links == robot.links
    locked = library.load(robot, lock={"ground": 0.4})
    frames = Oracle(robot).frames(np.array([0.1, 0.2, 0.4])), Oracle(locked).frames(np.array([0.1, 0.2]))
    np.testing.assert_allclose(*frames, atol=1e-15)
    back = robot_of(urdf_text(robot).text.encode(), "back.urdf")
    state = np.array([[0.1, 0.2, 0.4]]), np.array([[0.5, -0.3, 0.2]]), np.array([[0.3, 0.1, -0.7]])
    gravity = [entry.constant({}) for entry in robot.gravity]
    assert gravity != [entry.constant({}) for entry in back.gravity]
    np.testing.assert_allclose(
        Oracle(robot).inertia_matrix(state[0]), Oracle(back).inertia_matrix(state[0]), atol=1e-12
    )


BAD = [
    (
        'parent = "base"',
        'parent = "ground"',
        "joints[1].parent.link (joint 'crank'): no link is called 'ground'; there",
    ),
    ('child = "b"', 'child = { link = "a" }', "joints[2].child.link (joint 'elbow'): it ties the link 'a' to itself"),
    ('name = "pivot"', 'name = "elbow"', "joints[3].name: the name 'elbow' is taken already"),
    ('"placed"', '"standard"', "convention: joints between links go with convention = \"placed\", found 'standard'"),
    ('name = "c", mass', 'name = "c", joint = "fixed", mass', "links[3].joint (link 'c'): unknown key; "),
    (
        'name = "c", mass',
        'name = "c", xyz = [0, 0, 0], mass',
        "links[3].xyz (link 'c'): unknown key; the keys here are: name",
    ),
    ('parent = "base"\n', "", 'joints[1].parent: missing; name the link it is on, or "base", such as'),
    (
        'link = "c", xyz = [0, 0.1, 0]',
        'link = "c", body = 1',
        "joints[3].child.body: unknown key; the keys here are: link, xyz, rpy",
    ),
    ("offset = 0.1", "offst = 0.1", "joints[4].offst (joint 'ground'): unknown key; a joint has: name, joint, parent"),
    ("offset = 0.1", "offset = 'x'", "joints[4].offset: unknown symbol 'x'; declared parameters: none"),
    ("viscous_friction = 0.3", "viscous_friction = -1", "joints[4].viscous_friction: expected"),
    ("mass = 2", "mass = -2", "links[2].mass (link 'b'): expected a mass of at least 0 kg, found -2"),
    ("[0.5, 0, 0]", "[0.5, 0]", "joints[4].child.xyz: expected 3 numbers, found 2"),
    ("xyz = [0.5, 0, 0]", "xyz = [inf, 0, 0]", "joints[4].child.xyz[1]: expected a finite number"),
    ("rpy = [0, 0, 0.2]", "rpy = [0, 0, 'w']", "joints[1].child.rpy[3]: unknown symbol 'w'"),
    ('child = "b"\naxis = [0, 0, 1]', 'child = "b"', "joints[2].axis: missing; give the axis of the revolute joint"),
    ('child = "b"\naxis = [0, 0, 1]', 'child = "b"\naxis = [0, 0, 0]', "joints[2].axis: the axis is zero"),
    ("pivot = 0.9", "pvt = 0.9", "posture.pvt: no coordinate is called 'pvt'"),
    (
        '"revolute"\nparent = { link = "b"',
        '"hinge"\nparent = { link = "b"',
        'joints[3].joint: expected "revolute", "cont',
    ),
    ('child = "b"', "child = 3", "joints[2].child: expected a link's name or a table such as"),
]


@pytest.mark.parametrize(("old", "new", "words"), BAD)
def test_what_is_wrong_with_a_graph_is_told_where_it_stands(old, new, words):
    assert old in RING
    with pytest.raises(InputError) as told:
        read_text(RING.replace(old, new, 1), "ring.toml")
    assert f"ring.toml: 1 problem\n  {words}" in str(told.value)


def test_links_that_no_joint_leads_to_are_told():
    alone = RING.replace("]\n\n[[joints]]", '  { name = "alone" },\n]\n\n[[joints]]', 1)
    with pytest.raises(InputError, match=re.escape("links[4]: no joints lead from the base to the link 'alone'")):
        read_text(alone, "ring.toml")


def test_a_loop_that_cannot_be_cut_is_told_with_the_file():
    with pytest.raises(
        InputError, match=r"ring\.toml: joints: none of the cuts of the loop through crank, elbow, pivot"
    ):
        read_text(RING.replace('["crank"]', '["crank", "elbow", "pivot"]'), "ring.toml")


def test_a_tree_may_be_a_graph():
    data = tomllib.loads(RING)
    data["joints"] = data["joints"][:3]
    del data["posture"], data["actuated"]
    robot = read(data)
    assert not robot.has_loops
    assert [joint.name for joint in robot.joints] == ["crank", "elbow", "pivot"]
