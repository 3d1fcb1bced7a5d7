"""Cut joints given by Khalil's rows of a modified table, and by an axis."""

import re

import numpy as np
import pytest

from symgen.derive.loop_constraints import Constraints
from symgen.errors import RobotFileError
from symgen.mechanics.instantiation import instantiate
from symgen.robot import library
from symgen.robot.cut_frames import row_pose, turned_onto
from symgen.robot.expression import constant, parse
from symgen.robot.geometry import Elementary, Row
from symgen.robot.loops import CutKind
from symgen.robot.orientation import moved
from symgen.robot.reader import read_text
from symgen.robot.writer import robot_text

FIVE_BAR = """
name = "five_bar"
convention = "modified"
gravity = [0, -9.81, 0]
inertia_about = "com"
actuated = ["proximal1", "proximal2"]
[parameters]
reach = 1.1
{links}
[[loops]]
name = "tip"
joint = "{joint}"
{ends}
[posture]
proximal1 = 1.7
distal1 = -2.6
proximal2 = 1.35
distal2 = 2.7
"""
LINK = """[[links]]
name = "{name}"
parent = "{parent}"
joint = "revolute"
joint_name = "{joint}"
a = {a}
alpha = {alpha}
mass = {mass}
com = [{com}, 0, 0]
inertia = {{ yy = {yy}, zz = {yy} }}
"""
LINKS = "".join(
    LINK.format(name=name, parent=parent, joint=joint, a=a, alpha=0, mass=mass, com=com, yy=yy)
    for name, parent, joint, a, mass, com, yy in (
        ("leg1_1", "base", "proximal1", 0, 3, 0.3, 0.09),
        ("leg1_2", "leg1_1", "distal1", 0.6, 1.6, 0.55, '"1.6*1.1*1.1/12"'),
        ("leg2_1", "base", "proximal2", 1.2, 2, 0.35, '"2*0.7*0.7/12"'),
        ("leg2_2", "leg2_1", "distal2", 0.7, 1.1, 0.6, 0.132),
    )
)
ROWS = 'rows = [{ link = "leg1_2", a = "reach" }, { link = "leg2_2", a = 1.2 }]'
ENDS = 'predecessor = { link = "leg1_2", xyz = ["reach", 0, 0] }\nsuccessor = { link = "leg2_2", xyz = [1.2, 0, 0] }'


def five_bar(ends=ROWS, joint="revolute", links=LINKS):
    return FIVE_BAR.format(links=links, joint=joint, ends=ends)


def read(text):
    return read_text(text, "five_bar.toml")


def at(robot, q):
    return Constraints(robot, lambda graph: instantiate(robot, graph)).at(np.array(q))


def test_the_five_bar_by_rows_is_that_by_frames_and_that_of_the_library():
    """The library has it as a standard table, whose frames are elsewhere."""
    by_rows, by_frames = read(five_bar()), read(five_bar(ENDS))
    assert by_rows == by_frames
    q = [1.2, -2.0, 1.1, 2.2]
    for found, expected in zip(at(by_rows, q), at(library.load("five_bar"), q), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-14)


def test_rows_are_written_as_frames():
    robot = read(five_bar())
    assert read(robot_text(robot)).cut_joints == robot.cut_joints


ROW = {"gamma": "0.4", "before": "0.3", "alpha": "-0.7", "a": "0.2", "theta": "0.5", "d": "-0.1"}


def test_a_row_leads_where_the_rows_of_links_do():
    """Rz(gamma) Tz(before) Rx(alpha) Tx(a) Rz(theta) Tz(d), as one shift and one turn."""
    value = {key: parse(text) for key, text in ROW.items()}
    row = Row(value["a"], value["alpha"], value["d"], value["theta"], value["gamma"], value["before"])
    parts = [
        (True, 2, "gamma"),
        (False, 2, "before"),
        (True, 0, "alpha"),
        (False, 0, "a"),
        (True, 2, "theta"),
        (False, 2, "d"),
    ]
    chain = moved(tuple(Elementary(rotates, axis, value[key]) for rotates, axis, key in parts))
    for found, expected in zip(moved(row_pose(row)), chain, strict=True):
        np.testing.assert_allclose(np.array(found, dtype=float), np.array(expected, dtype=float), atol=1e-15)


@pytest.mark.parametrize(
    ("kind", "free"), [("revolute", ("d",)), ("prismatic", ("theta",)), ("spherical", ("d", "theta"))]
)
def test_constants_of_the_first_row_shift_and_turn_its_frame(kind, free):
    extra = ", ".join(f"{key} = 0.5" for key in free)
    robot = read(five_bar(ROWS.replace('"reach"', f'"reach", {extra}'), kind))
    assert robot.cut_joints[0].kind is CutKind(kind)
    assert [float(part.amount.constant(robot.defaults)) for part in robot.cut_joints[0].predecessor.placement] == [
        1.1,
        *(0.5 for _ in free),
    ]


BAD = [
    (ROWS + "\n" + ENDS.split("\n")[0], "revolute", "loops[1].predecessor: rows say where the cut joint is"),
    (ROWS + "\naxis = [0, 0, 1]", "revolute", "loops[1].axis: rows say where the cut joint is"),
    (ROWS.replace('"leg2_2"', '"leg9"'), "revolute", "loops[1].rows[2].link: no link is called 'leg9'"),
    (ROWS.replace('"leg2_2"', '"leg1_2"'), "revolute", "loops[1]: both ends are on one body"),
    (ROWS.replace("1.2", "1.2, theta = 0"), "revolute", "loops[1].rows[2].theta: theta is 0 in the second row"),
    (ROWS.replace('"reach"', "1, theta = 1"), "revolute", "rows[1].theta: theta is the coordinate of the cut revolute"),
    (ROWS.replace('"reach"', "1, d = 1"), "prismatic", "loops[1].rows[1].d: d is the coordinate of the cut prismatic"),
    (ROWS.replace('"reach"', '"rich"'), "revolute", "loops[1].rows[1].a: unknown symbol 'rich'"),
    (ROWS.replace("a = 1.2", "r = 1.2"), "revolute", "loops[1].rows[2].r: unknown key; the keys here are: link, gamma"),
    ('rows = [{ link = "leg1_2" }]', "revolute", "loops[1].rows: expected two rows, one for each link, found 1"),
    ("rows = 3", "revolute", "loops[1].rows: expected two rows of a table, such as"),
    ("rows = [{ a = 1 }, { a = 2 }]", "revolute", "loops[1].rows[1].link: missing; name the link whose frame"),
    (ENDS + "\naxis = [0, 0, 0]", "revolute", "loops[1].axis: the axis is zero; give a direction"),
    (ENDS + "\naxis = [0, 0, 1]", "spherical", "loops[1].axis: a spherical joint has no axis"),
]


@pytest.mark.parametrize(("ends", "joint", "words"), BAD)
def test_what_is_wrong_with_rows_is_told(ends, joint, words):
    with pytest.raises(RobotFileError, match=re.escape(words)) as told:
        read(five_bar(ends, joint))
    assert len(told.value.problems) == words.count("missing") + 1


def test_rows_are_for_modified_tables():
    with pytest.raises(
        RobotFileError, match=re.escape("loops[1].rows: rows are those of modified tables, this robot's")
    ):
        read(five_bar().replace('"modified"', '"standard"'))


# axes ------------------------------------------------------------------------------------------------

AXES = [("0", "0", "-1"), ("0", "3", "4"), ("1", "1", "1"), ("0.36", "0.48", "0.8")]


@pytest.mark.parametrize("axis", AXES)
def test_an_axis_is_the_z_of_both_frames(axis):
    given = tuple(parse(entry) for entry in axis)
    start = (Elementary(False, 0, constant(2)), Elementary(True, 2, parse("0.3")), Elementary(True, 0, parse("-1")))
    (place, rows), (_, before) = moved(turned_onto(start, given, {})), moved(start)
    wanted = np.array(before, dtype=float) @ np.array([float(entry.constant({})) for entry in given])
    np.testing.assert_allclose(np.array(rows, dtype=float)[:, 2], wanted / np.linalg.norm(wanted), atol=1e-15)
    assert [float(entry) for entry in place] == [2, 0, 0]


def test_an_axis_is_written_as_a_turn():
    robot = read(five_bar(ENDS + "\naxis = [0, 3, 4]"))
    assert read(robot_text(robot)).cut_joints == robot.cut_joints
