"""Tables → robots: what a row becomes in either convention, names, parents, defaults."""

from dataclasses import fields
from fractions import Fraction

import pytest
from robot_text import GOOD, frame, head, link, parameters

from symgen.algebra.exact import PI
from symgen.errors import RobotFileError
from symgen.robot.model import BASE, NO_DRIVE, JointKind
from symgen.robot.reader import read_text


def read(text):
    return read_text(text, "arm.toml")


def shown(placement):
    return " ".join(f"{'R' if part.rotates else 'T'}{'xyz'[part.axis]}({part.amount})" for part in placement)


ROWS = [
    ("standard", {"a": 1, "alpha": '"pi/2"', "b": 2}, "", "Tz(2) Tx(1) Rx(pi/2)"),
    ("standard", {"a": 1, "d": 2, "offset": '"pi/2"'}, "", "Tz(2) Tx(1)"),
    ("standard", {"joint": '"prismatic"', "a": 1, "theta": '"pi/2"', "offset": 3}, "Rz(pi/2) Tz(3)", "Tx(1)"),
    ("standard", {"joint": '"fixed"', "a": 1, "theta": '"pi/2"', "b": 2}, "Rz(pi/2)", "Tz(2) Tx(1)"),
    ("modified", {"a": 1, "alpha": '"pi/2"', "d": 2}, "Rx(pi/2) Tx(1) Tz(2)", ""),
    ("modified", {"a": 1, "gamma": '"pi/3"', "before": 4}, "Rz(pi/3) Tz(4) Tx(1)", ""),
    ("modified", {"joint": '"prismatic"', "a": 1, "theta": '"pi/2"', "offset": 3}, "Tx(1) Rz(pi/2) Tz(3)", ""),
]


@pytest.mark.parametrize(("convention", "row", "before", "after"), ROWS)
def test_rows_split_at_the_joint(convention, row, before, after):
    first = read(head(convention=f'"{convention}"') + link(**row) + link()).links[0]
    assert (shown(first.before), shown(first.after)) == (before, after)


def test_the_two_ways_to_give_a_mass_centre_are_opposite():
    com, r = read(head() + link(com="[1, -2, 0]") + link(com=None, r="[-1, 2, 0]")).links
    assert com.inertia == r.inertia


def test_names_and_parents_have_defaults():
    robot = read(head() + link() + link(name='"arm b"', joint_name='"shoulder-b"') + link(parent='"link1"'))
    assert [entry.name for entry in robot.links] == ["link1", "arm b", "link3"]
    assert [joint.name for joint in robot.joints] == ["joint1", "shoulder-b", "joint3"]
    assert [entry.parent for entry in robot.links] == [BASE, 0, 0]


def test_fixed_links_have_no_coordinate():
    robot = read(head() + link() + link(joint='"fixed"') + link(joint='"prismatic"'))
    assert [joint.kind for joint in robot.joints] == [JointKind.REVOLUTE, JointKind.PRISMATIC]
    assert [(index, q.start, q.stop) for index, q, _ in robot.coordinates()] == [(0, 0, 1), (1, 1, 1), (2, 1, 2)]


def test_decimals_are_exact():
    robot = read(head() + parameters(L="0.432", M='"L/3"') + link(a="0.02", mass='"M"'))
    assert robot.defaults == {"L": Fraction(54, 125), "M": Fraction(18, 125)}
    assert robot.links[0].row.a.constant({}) == Fraction(1, 50)


def test_poses_are_xyz_then_rpy_about_fixed_axes():
    robot = read(
        head(base='{ xyz = [1, 2, 0], rpy = [0.1, 0.2, "pi/2"] }', tool="{ name = 'tip', xyz = [0, 0, 3] }") + link()
    )
    assert shown(robot.base) == "Tx(1) Ty(2) Rz(pi/2) Ry(0.2) Rx(0.1)"
    assert (robot.frames[0].name, robot.frames[0].link, shown(robot.frames[0].placement)) == ("tip", 0, "Tz(3)")


def test_frames_stand_beside_the_tool():
    robot = read(
        head(tool="{ xyz = [1, 0, 0] }")
        + frame(link='"link1"', xyz="[0, 2, 0]", rpy='[0, 0, "pi/2"]')
        + frame(name='"left hand"')
        + link()
        + link()
    )
    assert [(entry.name, entry.link) for entry in robot.frames] == [("tool", 1), ("eye", 0), ("left hand", 1)]
    assert [shown(entry.placement) for entry in robot.frames] == ["Tx(1)", "Ty(2) Rz(pi/2)", ""]
    assert [entry.name for entry in robot.all_frames] == ["tool", "eye", "left hand", "link1", "link2"]


def test_joints_have_drives():
    plain, driven = read(
        head()
        + parameters(Fv="0.3")
        + link()
        + link(
            joint='"prismatic"',
            rotor_inertia="1e-4",
            gear_ratio="-100",
            viscous_friction='"Fv/2"',
            coulomb_friction="2",
            coulomb_smoothing="0.01",
            sigmoid_friction="0.5",
            sigmoid_slope="30",
            sigmoid_shift="-0.02",
            stiffness="80",
            rest_position='"-Fv"',
        )
    ).joints
    assert plain.drive == NO_DRIVE
    numbers = [str(getattr(driven.drive, field.name)) for field in fields(driven.drive)]
    assert numbers == ["0.0001", "-100", "Fv/2", "2", "0.01", "0.5", "30", "-0.02", "80", "-Fv"]


@pytest.mark.parametrize(
    ("given", "key", "problem"),
    [
        ({"stiffness": "-1"}, "stiffness", "expected a stiffness of at least 0, found -1"),
        ({"sigmoid_friction": "-1", "sigmoid_slope": "1"}, "sigmoid_friction", "sigmoid friction of at least 0"),
        ({"sigmoid_friction": "1", "sigmoid_slope": "-1"}, "sigmoid_slope", "slope of the sigmoid of at least 0"),
        ({"rest_position": "1"}, "stiffness", "missing; rest_position says nothing without it"),
        ({"sigmoid_friction": "1"}, "sigmoid_slope", "missing; sigmoid_friction says nothing without it"),
        ({"sigmoid_slope": "1"}, "sigmoid_friction", "missing; sigmoid_slope says nothing without it"),
        ({"sigmoid_shift": "1"}, "sigmoid_friction", "missing; sigmoid_shift says nothing without it"),
        ({"joint": '"fixed"', "theta": "0", "stiffness": "1"}, "stiffness", "a fixed joint has no drive"),
    ],
)
def test_what_drives_lack_is_told(given, key, problem):
    with pytest.raises(RobotFileError) as caught:
        read(head() + link() + link(**given))
    assert any(
        found.place.startswith(f"links[2].{key}") and problem in found.message for found in caught.value.problems
    )


def test_inertia_may_have_its_own_axes_and_point():
    one, two = read(
        head(inertia_frame='{ rpy = [0, 0, "pi/2"] }')
        + link()
        + link(inertia='{ xx = 1, yy = 1, zz = 1, about = "origin", frame = "link" }')
    ).links
    assert (shown(one.inertia.axes), one.inertia.about_origin) == ("Rz(pi/2)", False)
    assert (shown(two.inertia.axes), two.inertia.about_origin) == ("", True)


def test_reading_is_repeatable():
    assert read(GOOD) == read(GOOD)
    assert read(GOOD).links[1].row.alpha.constant({}) == PI / 2


def test_a_robot_shows_itself_in_one_line():
    assert repr(read(head(description='"two links"') + link() + link())) == "<Robot arm: 2 joints, two links>"
