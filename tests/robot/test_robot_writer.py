"""Robots as files: what is written reads back equal, and looks as a person would write it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from robot_text import MASSLESS, frame, head, link, parameters
from strategies import robots, seeded_robot

from symgen.errors import LimitError
from symgen.robot import library
from symgen.robot.expression import constant, parse
from symgen.robot.model import Elementary, Frame
from symgen.robot.reader import read_text
from symgen.robot.symbolic import symbolic
from symgen.robot.writer import robot_text


def read(text):
    return read_text(text, "arm.toml")


def check(robot):
    assert replace(read(robot_text(robot)), notices=()) == replace(robot, notices=())


@pytest.mark.parametrize("name", library.names())
def test_library_robots_read_back_equal(name):
    check(library.load(name))
    check(symbolic(library.load(name)).robot)


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_random_robots_read_back_equal(start):
    for seed in range(start, start + 50):
        check(seeded_robot(seed))


@settings(max_examples=50, deadline=None)
@given(robots())
def test_drawn_robots_read_back_equal(robot):
    check(robot)


FULL = (
    head(
        description='"say \\"hi\\" \\\\ µ"',
        source='"page 7"',
        inertia_about='"origin"',
        inertia_frame='{ rpy = [0, 0, "pi/2"] }',
        base='{ xyz = [0.1, "L", 0], rpy = [0, 0.3, "-pi/2"] }',
        tool='{ name = "left {hand}", link = "upper", rpy = [0, 0, 1] }',
    )
    + parameters(L="0.432", M='"L/3"', root='"sqrt(2)"')
    + frame(link='"upper"', xyz='["L/2 + 0.1", "-(L*M)", "2*pi*L"]')
    + frame(name='"tip"')
    + link(name='"upper"', joint_name='"shoulder b"', a='"L"', alpha='"pi/3"', b="1e-3", offset='"L - pi"')
    + link(
        joint='"prismatic"',
        theta='"2*pi/3"',
        offset='"-L/2"',
        rotor_inertia="1e-4",
        gear_ratio='"100/3"',
        viscous_friction='"M"',
        coulomb_friction="0.1",
        coulomb_smoothing="0.01",
        sigmoid_friction="0.5",
        sigmoid_slope='"30*M"',
        sigmoid_shift="-0.02",
        stiffness='"800*L"',
        rest_position='"-L/3"',
    )
    + link(joint='"fixed"', theta="0.2", b="2", com='["1/3", "cos(0.7)", 12345678901234567890]')
    + link(parent='"base"', **MASSLESS)
    + link(parent='"upper"', inertia='{ xx = 1, yy = 1, zz = 1, about = "com", frame = "link" }')
)


def test_every_key_reads_back_equal():
    check(read(FULL))


def test_numbers_look_like_numbers():
    lines = robot_text(read(FULL)).splitlines()
    for line in (
        r'description = "say \"hi\" \\ µ"',
        "L = 0.432",
        "M = 0.144",
        'root = "sqrt(2)"',
        'xyz = ["L/2 + 0.1", "-(L*M)", "2*pi*L"]',
        'alpha = "pi/3"',
        "b = 0.001",
        'gear_ratio = "100/3"',
        'com = ["1/3", "cos(0.7)", "12345678901234567890"]',
        "[[frames]]",
    ):
        assert line in lines


def test_only_what_differs_from_the_defaults_is_written():
    text = robot_text(library.load("puma"))
    for key in ("joint_name", "parent", "theta", "offset", "frame", " about =", "rotor", "[tool]", "[parameters]"):
        assert key not in text


def test_what_no_file_can_say_is_told():
    robot = library.load("planar2r")
    turned = Frame("odd", 1, (Elementary(True, 0, constant(1)), Elementary(True, 2, constant(1))))
    long = parse("+".join(["cos(0.123456789)*L1"] * 20))
    deep = long
    for _ in range(3):
        deep = deep + deep
    odd = {
        "shift and then turns": replace(robot, frames=(turned,)),
        "has no row": replace(robot, links=tuple(replace(entry, row=None) for entry in robot.links)),
        "too complicated": replace(robot, gravity=(deep, deep, deep)),
    }
    for words, given_robot in odd.items():
        with pytest.raises(LimitError, match=words):
            robot_text(given_robot)
