"""Conversion between conventions: the same robot, exactly, and files that say so."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from library_robots import ARMS
from robot_text import MASSLESS, frame, head, link, parameters
from strategies import robots, screw_robot, seeded_robot

from symgen.algebra.domain import variables
from symgen.algebra.exact import PI, Exact
from symgen.algebra.prime import PrimeField
from symgen.errors import InputError, LimitError
from symgen.mechanics import newton_euler
from symgen.mechanics.instantiation import instantiate
from symgen.robot import library
from symgen.robot.convert import converted
from symgen.robot.expression import parse
from symgen.robot.model import Drive
from symgen.robot.reader import read_text
from symgen.robot.symbolic import symbolic
from symgen.robot.writer import robot_text
from symgen.verify.geometry import pose
from symgen.verify.oracle import Oracle

OTHER = {"standard": "modified", "modified": "standard"}
TOLERANCE = 1e-12


TURNED = "{ xx = 1, yy = 2, zz = 2, frame = { rpy = [0, 1, 0] } }"


def read(text):
    return read_text(text, "arm.toml")


def bare(robot):
    return replace(robot, notices=())


def other(robot):
    return converted(robot, OTHER[robot.convention])


def worst(robot, result):
    """The worst difference of forces, inertia matrices and frames at random states, relative to their size."""
    q, qd, qdd = np.random.default_rng(1).uniform(-3, 3, (3, 10, robot.nv))
    one, two = Oracle(robot), Oracle(result)
    pairs = [
        (one.inverse_dynamics(q, qd, qdd), two.inverse_dynamics(q, qd, qdd)),
        (one.inertia_matrix(q), two.inertia_matrix(q)),
    ]
    named = {entry.name: entry for entry in result.frames}
    for entry in robot.frames:
        pairs.append((at(one, robot, entry, q), at(two, result, named[entry.name], q)))
    return max(np.abs(a - b).max() / max(1, np.abs(a).max()) for a, b in pairs)


def at(oracle, robot, entry, q):
    return oracle.frames(q)[..., entry.link, :, :] @ pose(entry.placement, robot)


def exact_forces(robot):
    """Joint forces as elements of a prime field, at a random point of which the constants are exact."""
    mechanism = instantiate(robot, PrimeField(frozenset({2, 3})), symbolic=True)
    state = (variables(mechanism.domain, name, robot.nv) for name in ("qd", "qdd"))
    return [force.value for force in newton_euler.inverse_dynamics(mechanism, *state, mechanism.gravity)]


def check(robot):
    """The robot and its conversions there and back have the same dynamics, coordinates and drives."""
    there = other(robot)
    back = other(there)
    assert (there.convention, back.convention) == (OTHER[robot.convention], robot.convention)
    for result in (there, back):
        assert worst(robot, result) < TOLERANCE
        assert exact_forces(robot) == exact_forces(result)
        assert result.joints == robot.joints
        assert result.parameters == robot.parameters
        assert bare(read(robot_text(result))) == bare(result)
    return there


@pytest.mark.parametrize("name", ARMS)
def test_library_robots_are_the_same_there_and_back(name):
    robot = library.load(name)
    there = check(robot)
    assert len(there.links) == len(robot.links)
    back = other(there)
    assert [entry.row for entry in back.links] == [entry.row for entry in robot.links]
    assert [entry.inertia for entry in back.links] == [entry.inertia for entry in robot.links]
    assert back.base == robot.base


@pytest.mark.parametrize("name", ARMS)
def test_symbols_stay_symbols(name):
    robot = symbolic(library.load(name)).robot
    there = check(robot)
    values = tuple((key, Exact.of(value + Fraction(i + 1, 7))) for i, (key, value) in enumerate(robot.parameters))
    assert worst(replace(robot, parameters=values), replace(there, parameters=values)) < TOLERANCE


@pytest.mark.parametrize("start", range(0, 100, 20))
def test_random_robots_are_the_same_there_and_back(start):
    for seed in range(start, start + 20):
        check(seeded_robot(seed))


def test_robots_with_screws_are_the_same_there_and_back():
    for seed in range(20):
        check(screw_robot(seed))


@settings(max_examples=30, deadline=None)
@given(robots())
def test_drawn_robots_are_the_same_there_and_back(robot):
    check(robot)


def test_drives_move_with_their_joints():
    drive = Drive(*map(parse, ["1e-4", "50", "F/2", "F", "0.1"]))
    robot = library.load("ur5")
    links = tuple(replace(entry, joint=replace(entry.joint, drive=drive)) for entry in robot.links)
    check(replace(robot, links=links, parameters=(("F", Exact.of(Fraction(1, 3))),)))


TABLES = {
    "tool on the far end": head() + "[tool]\nxyz = [0, 0, 1]\nrpy = [0.3, 0, 0]\n" + link(alpha='"pi/2"'),
    "frame that needs a link": head()
    + frame(link='"link1"', xyz="[1, 2, 3]", rpy="[0.1, 0.2, 0.3]")
    + link(alpha="0.7")
    + link(),
    "half a turn": head() + frame(rpy="[0.1, 0.2, 0.3]") + link(alpha='"pi"'),
    "turned tensor": head() + link(alpha="1", inertia="{ xx = 1, yy = 2, zz = 2, frame = { rpy = [0.1, 1, 2] } }"),
    "about the origin": head(inertia_about='"origin"') + link(alpha="0.7", com="[0.1, -0.2, 0.3]"),
    "about the origin, symbols": head(inertia_about='"origin"')
    + parameters(m="2", L="0.3", I="5")
    + link(a='"L"', alpha='"pi/3"', mass='"m"', com='["-L/2", "L/3", 0.1]', inertia='{ xx = "I", yy = "I", zz = "I" }')
    + link(),
    "branches": head(convention='"modified"')
    + link(a="0", alpha="0.3", gamma="0.2", before="0.1", d="0.4")
    + link(a="0.2", alpha="1")
    + link(parent='"link1"', a="0.3", gamma="1", before="2")
    + link(parent='"base"', a="0.7"),
    "twins": head(convention='"modified"')
    + link(a="0.1", alpha='"pi/2"')
    + link(a="0.3", alpha="1")
    + link(a="0.3", alpha="1", d="0.5", parent='"link1"'),
    "slides": head()
    + link(joint='"prismatic"', theta='"pi/3"', offset="0.2", alpha="1")
    + link(joint='"fixed"', b="1"),
    "base": head(convention='"modified"', base="{ xyz = [1, 2, 3], rpy = [0.1, 0.2, 0.3] }")
    + link(a="0.4", alpha="0.9", before="0.3"),
    "massless": head(convention='"modified"') + link(**MASSLESS) + link(a="0.3", alpha="0.2"),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_every_kind_are_the_same_there_and_back(name):
    check(read(TABLES[name]))


def test_no_link_is_added_where_none_is_needed():
    assert [len(other(read(TABLES[name])).links) for name in TABLES] == [1, 3, 1, 2, 1, 2, 8, 3, 2, 1, 2]


def test_right_angles_leave_plain_tables():
    there = other(library.load("puma"))
    assert all(entry.inertia.axes == () for entry in there.links)
    assert str(there.links[3].row.alpha) == "-pi/2"


def test_the_last_length_goes_into_the_tool():
    there = other(library.load("planar2r"))
    (tool,) = there.frames
    assert (tool.name, tool.link, str(tool.placement[0].amount)) == ("tool", 1, "L2")
    assert [str(entry.row.a) for entry in there.links] == ["0", "L1"]


def test_ends_of_branches_become_frames():
    robot = read(head() + link(name='"a"') + link(name='"b"', parent='"base"', alpha='"pi/2"'))
    assert [(entry.name, entry.link) for entry in other(robot).frames] == [("tool", 1), ("a_end", 0)]


def test_added_names_are_free():
    taken = head() + link(name='"a"', joint_name='"a_end_joint"', alpha="1", inertia=TURNED) + link(name='"a_end"')
    names = [entry.name for entry in other(read(taken)).links]
    joints = [entry.joint.name for entry in other(read(taken)).links]
    assert names == ["a", "a_end", "a_end_"]
    assert joints == ["a_end_joint", "joint2", "a_end__joint"]


def test_angles_stay_within_a_turn():
    robot = read(head() + frame(rpy='["3*pi/4", 0, 0]') + link(alpha='"pi/2"'))
    (placement,) = (entry.placement for entry in other(robot).frames)
    assert placement[1].amount.constant({}) == -PI * Fraction(3, 4)


def test_a_robot_in_that_convention_stays_as_it_is():
    robot = library.load("panda")
    assert converted(robot, "modified") is robot


def test_what_cannot_be_converted_is_told():
    robot = library.load("planar2r")
    with pytest.raises(InputError, match="unknown convention 'craig'; there are: standard, modified"):
        converted(robot, "craig")
    odd = replace(robot, links=tuple(replace(entry, row=None) for entry in robot.links))
    for given_robot, words in ((odd, "whose links all have a row"), (library.load("five_bar"), "with cut joints stay")):
        with pytest.raises(LimitError, match=words):
            converted(given_robot, "modified")
