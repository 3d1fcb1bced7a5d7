"""Angles: what stands for a multiple of pi/12 is read as it, with a notice; what looks like a slip is warned of."""

import pytest
from robot_text import head, link, parameters

from symgen.algebra.exact import PI
from symgen.robot.reader import read_text


def read(**changes):
    return read_text(head() + parameters(t="1.5708") + link(**changes), "arm.toml")


SNAPPED = [
    ("1.5708", PI / 2, "1.5708 is read as pi/2"),
    ("1.5707", PI / 2, "1.5707 is read as pi/2"),  # cut off, not rounded
    ("-1.5707963", -PI / 2, "-1.5707963 is read as -pi/2"),
    ("1.5707963267948966", PI / 2, "is read as pi/2"),
    ('"1.57079632679489661923"', PI / 2, "is read as pi/2"),
    ('"3.141592653589793/2"', PI / 2, "is read as pi/2"),
    ("3.14159", PI, "3.14159 is read as pi"),
    ("0.5236", PI / 6, "0.5236 is read as pi/6"),
    ("-2.6180", PI * -5 / 6, "-2.618 is read as -5*pi/6"),
    ("6.123e-17", 0, "is read as 0"),
    ('"pi/2 + 1e-17"', PI / 2, "is read as pi/2"),
]


@pytest.mark.parametrize(("text", "value", "notice"), SNAPPED, ids=[text for text, _, _ in SNAPPED])
def test_decimals_of_right_angles_are_read_as_them(text, value, notice):
    robot = read(alpha=text)
    assert robot.links[0].row.alpha.constant({}) == value
    (found,) = robot.notices
    assert found.startswith("links[1].alpha: ")
    assert notice in found


KEPT = [
    ("1.57", 'links[1].alpha: 1.57 is close to pi/2 but is not it; write "pi/2" for a right angle'),
    ("-3.14", 'links[1].alpha: -3.14 is close to -pi but is not it; write "pi/2" for a right angle'),
    ("1.5709", 'links[1].alpha: 1.5709 is close to pi/2 but is not it; write "pi/2" for a right angle'),
    (
        "90",
        'links[1].alpha: 90 rad is more than a full turn; angles are in radians: write "pi/2" for 90 degrees',
    ),
    ("0", None),
    ("0.3", None),
    ("1.2", None),
    ("0.001", None),
    ('"pi/2"', None),
    ('"-7*pi/12"', None),
    ('"5*pi/2"', None),
    ('"1/3"', None),
]


@pytest.mark.parametrize(("text", "notice"), KEPT, ids=[text for text, _ in KEPT])
def test_other_angles_are_kept(text, notice):
    robot = read(alpha=text)
    assert robot.links[0].row.alpha == read(offset=text).links[0].joint.offset
    assert robot.notices == (() if notice is None else (notice,))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (head() + link(alpha="1.5708"), "links[1].alpha"),
        (head() + link(name='"upper"', offset="1.5708"), "links[1].offset (link 'upper')"),
        (head() + link(joint='"prismatic"', theta="1.5708"), "links[1].theta"),
        (head(convention='"modified"') + link(gamma="1.5708"), "links[1].gamma"),
        (head(base="{ rpy = [0, 1.5708, 0] }") + link(), "base.rpy[2]"),
        (head(tool="{ rpy = [0, 0, 1.5708] }") + link(), "tool.rpy[3]"),
        (head(inertia_frame="{ rpy = [1.5708, 0, 0] }") + link() + link(), "inertia_frame.rpy[1]"),
        (head() + link(inertia="{ frame = { rpy = [1.5708, 0, 0] } }"), "links[1].inertia.frame.rpy[1]"),
    ],
)
def test_all_angles_are_read_alike(text, place):
    assert read_text(text, "arm.toml").notices == (f"{place}: 1.5708 is read as pi/2",)


def test_angles_are_numeric_and_say_so():
    robot = read(alpha='"t"')
    assert robot.links[0].row.alpha.constant({}) == PI / 2
    assert robot.notices == (
        "links[1].alpha: angles are numeric; the parameters' default values are used",
        "links[1].alpha: 1.5708 is read as pi/2",
    )


def test_lengths_are_never_read_as_angles():
    robot = read(a="1.5708")
    assert float(robot.links[0].row.a.constant({})) == 1.5708
    assert robot.notices == ()
