"""Inertia that no body can have is told where it acts, with the link; what a body can have passes silently."""

import pytest
from robot_text import MASSLESS, head, link, parameters

from symgen.robot.physical import lumps, remarks
from symgen.robot.reader import read_text

ACROSS = {"alpha": '"pi/2"'}
"""A link whose end turns the next joint's axis across its own."""


def told(text):
    robot = read_text(text, "arm.toml")
    assert robot.notices == ()
    return remarks(robot)


IMPOSSIBLE = [
    (
        {"inertia": "{ xx = 0.01, yy = 0.01, zz = 0.05 }"},
        "no body has this inertia: the principal moments 0.01, 0.01, 0.05 kg m² break the triangle inequality by 0.03",
    ),
    (
        {"inertia": "{ xx = -1, yy = 1, zz = 1 }"},
        "no body has this inertia: a principal moment is negative (-1, 1, 1 kg m²)",
    ),
    (
        {"inertia": "{ xx = 1, yy = 1, zz = 1, xy = 2 }"},
        "no body has this inertia: a principal moment is negative (-1, 1, 3 kg m²)",
    ),
    (
        {"inertia": '{ xx = 0.1, yy = 0.1, zz = 0.1, about = "origin" }'},
        "no body has this inertia: a principal moment is negative (-0.4, -0.4, 0.1 kg m²)",
    ),
    (
        {"mass": "0"},
        "the link has inertia (principal moments 0.01, 0.1, 0.1 kg m²) but no mass",
    ),
]


@pytest.mark.parametrize(("changes", "text"), IMPOSSIBLE)
def test_impossible_inertia_is_told_with_its_link(changes, text):
    hand = link(name='"hand"', **changes)
    assert told(head() + link(**ACROSS) + hand) == (f"links[2].inertia (link 'hand'): {text}",)


@pytest.mark.parametrize(
    "changes",
    [
        {"inertia": None},
        {"inertia": "{ xx = 0, yy = 0, zz = 0 }"},
        {"inertia": '{ xx = 0, yy = "1/12", zz = "1/12" }'},
        {"inertia": "{ xx = 0.1, yy = 0.2, zz = 0.3 }"},
        {"inertia": '{ xx = 0, yy = 0.5, zz = 0.5, about = "origin" }'},  # a point mass, seen from the origin
        {"inertia": "{ xx = 0, yy = 1, zz = 1, frame = { rpy = [0.3, 0.2, 0.1] } }"},
        MASSLESS,
        {"mass": "0", "inertia": None},
    ],
)
def test_possible_inertia_passes_silently(changes):
    assert told(head() + link(**ACROSS) + link(**changes) + link()) == ()


ODD = "{ xx = 0.01, yy = 0.01, zz = 0.05 }"
SOLE = "{ zz = 0.05 }"
SLIDE = {"joint": '"prismatic"', "b": None}
FIXED = {"joint": '"fixed"'}


@pytest.mark.parametrize(
    "rows",
    [
        link(inertia=SOLE) * 3,
        link(alpha='"pi"', inertia=SOLE) + link(inertia=SOLE),
        link(inertia=SOLE) + link(inertia=SOLE, **SLIDE) + link(inertia=SOLE),
        link(inertia=SOLE) + link(inertia=SOLE, **FIXED),
        link(inertia=ODD, **ACROSS) + link(),
        link(**ACROSS) + link(inertia=ODD, **FIXED) + link(),
        link(inertia=ODD, **SLIDE | ACROSS) + link(inertia=ODD, **ACROSS) + link(),
        link(inertia=ODD, **FIXED | ACROSS) + link(inertia=ODD),
        link(inertia="{ xx = -1, yy = 1, zz = 1, frame = { rpy = [0.3, 0, 0] } }", **FIXED) + link(),
        link(mass=0, inertia="{ xx = 1 }"),
    ],
)
def test_entries_that_act_on_no_joint_may_be_anything(rows):
    assert told(head() + rows) == ()


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            link(inertia="{ zz = -1 }"),
            "no body has this inertia: the moment about the axis it turns about is negative (-1 kg m²)",
        ),
        (link(mass=0, inertia=SOLE), "the link has inertia (0.05 kg m² about the axis it turns about) but no mass"),
        (link(alpha='"pi/2"', inertia="{ yy = -1 }"), "is negative (-1 kg m²)"),
        (link(inertia='{ zz = 0.1, about = "origin" }'), "is negative (-0.4 kg m²)"),
        (link(inertia='{ xx = -2, frame = { rpy = [0, "pi/2", 0] } }'), "is negative (-2 kg m²)"),
        (link(**ACROSS) + link() + link(**FIXED, inertia=ODD), "break the triangle inequality"),
    ],
)
def test_what_acts_on_the_one_axis_is_told(rows, text):
    (remark,) = told(head() + rows)
    assert text in remark


def test_parameters_are_judged_at_their_defaults():
    text = (
        head()
        + parameters(m="2", J='"m/100"')
        + link(**ACROSS)
        + link(mass='"m"', inertia='{ xx = "J", yy = "J", zz = "5*J" }')
    )
    (remark,) = told(text)
    assert "principal moments 0.02, 0.02, 0.1 kg m²" in remark


def test_carried_links_are_listed():
    fixed = {"joint": '"fixed"'}
    text = (
        head() + link(name='"plate"', **fixed) + link() + link(name='"flange"', **fixed) + link(name='"hand"', **fixed)
    )
    assert lumps(read_text(text, "arm.toml")) == (
        "base carries plate [2 kg] (fixed)",
        "link2 carries flange [2 kg], hand [2 kg] (fixed)",
    )
