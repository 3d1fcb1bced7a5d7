"""Inertia that no body can have is worth a notice that names the link; what a body can have passes silently."""

import pytest
from robot_text import MASSLESS, head, link, parameters

from symgen.robot.physical import lumps
from symgen.robot.reader import read_text


def notices(text):
    return read_text(text, "arm.toml").notices


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
    assert notices(head() + link() + link(name='"hand"', **changes)) == (f"links[2].inertia (link 'hand'): {text}",)


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
    assert notices(head() + link() + link(**changes) + link()) == ()


def test_parameters_are_judged_at_their_defaults():
    text = head() + parameters(m="2", J='"m/100"') + link(mass='"m"', inertia='{ xx = "J", yy = "J", zz = "5*J" }')
    (notice,) = notices(text)
    assert "principal moments 0.02, 0.02, 0.1 kg m²" in notice


def test_carried_links_are_listed():
    fixed = {"joint": '"fixed"'}
    text = (
        head() + link(name='"plate"', **fixed) + link() + link(name='"flange"', **fixed) + link(name='"hand"', **fixed)
    )
    assert lumps(read_text(text, "arm.toml")) == ("base carries plate (fixed)", "link2 carries flange, hand (fixed)")
