"""Numbers that look as if they were in other units than SI are told once; robots of all sizes pass silently."""

import pytest
from robot_text import head, link, parameters
from strategies import equipped_robot, seeded_robot

from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.robot.starter import starter_text
from symgen.robot.units import notices

SHAPE = {
    "upper": (17.4, 0.432, 0.07, 0.198, 0.15),
    "fore": (4.8, 0.02, 0.43, 0.14, 0.1),
    "hand": (0.35, 0, 0, 0.03, 0.03),
}
"""An arm with a wrist: mass (kg), a and b (m), distance of the mass centre and radius of gyration (m)."""


def arm(*, mass=1.0, length=1.0, com=1.0, inertia=1.0, gravity="[0, 0, -9.81]", links=SHAPE):
    """The text of the arm with numbers in other units: a factor for each kind."""
    rows = [
        link(
            name=f'"{name}"',
            alpha='"pi/2"',
            a=a * length,
            b=b * length,
            mass=m * mass,
            com=f"[0, {c * com}, 0]",
            inertia=f"{{ xx = {m * r * r * inertia}, yy = {m * r * r * inertia}, zz = {m * r * r * inertia} }}",
        )
        for name, (m, a, b, c, r) in links.items()
    ]
    return head(gravity=gravity) + "".join(rows)


def found(text):
    return read_text(text, "arm.toml").notices


SLIPS = [
    ({"com": 1e3}, ("the mass centre of upper is 198 m", "write 0.198 for 198 (links upper, fore, hand)")),
    ({"inertia": 1e6}, ("radius of gyration of 150 m for upper", "write 0.3915, times 1e-6 (links upper, fore, hand)")),
    ({"com": 1e3, "inertia": 1e6}, ("write 0.198 for 198", "write 0.3915, times 1e-6")),
    ({"length": 1e3}, ("lengths reach 432 m in a robot of 22.55 kg", "write 0.432 for 432")),
    ({"length": 1e3, "com": 1e3, "inertia": 1e6}, ("lengths reach 432 m",)),
    ({"length": 1e3, "com": 1e3}, ("lengths reach 432 m",)),
    ({"mass": 1e3}, ("if masses are in g, write 17.4",)),
]


@pytest.mark.parametrize(("factors", "words"), SLIPS, ids=[" ".join(factors) for factors, _ in SLIPS])
def test_a_slip_of_a_thousand_is_told_once(factors, words):
    (notice,) = found(arm(**factors))
    assert notice.startswith("units: ")
    for part in words:
        assert part in notice


def test_only_the_links_concerned_are_named():
    slipped = SHAPE | {"fore": (4.8, 0.02, 0.43, 140, 0.1)}
    (notice,) = found(arm(links=slipped))
    assert notice.endswith("(link fore)")
    many = {f"part{k}": (1, 0.3, 0, 100, 0.1) for k in range(12)}
    (notice,) = found(arm(links=many))
    assert "links part0, part1, part2, part3, part4, part5, part6, part7 and 4 more" in notice


def test_parameters_are_taken_at_their_defaults():
    text = head() + parameters(c="198") + link(a=0.36, com='["c", 0, 0]')
    assert "write 0.198 for 198" in found(text)[0]
    assert found(text.replace("c = 198", "c = 0.198")) == ()


# what must pass ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-4, 1e-2, 0.1, 1, 4, 30])
def test_an_arm_of_any_size_passes(size):
    """Lengths scale with the size, masses with its cube, inertia with its fifth power."""
    text = arm(length=size, com=size, mass=size**3, inertia=size**5)
    assert found(text) == ()


def test_a_table_in_consistent_units_of_its_own_passes():
    assert found(arm(length=1e3, com=1e3, inertia=1e6, gravity="[0, 0, -9810]")) == ()
    assert found(arm(length=1e2, com=1e2, mass=1e3, inertia=1e7, gravity="[0, 0, -981]")) == ()


POINT = {"inertia": None, "mass": 1}
BODY = {"a": 0, "b": 0, "mass": 5, "com": "[0, 0, 0.2]", "inertia": "{ xx = 0.1, yy = 0.1, zz = 0.1 }"}
TEXTBOOK = {
    "point masses at the ends": link(a=1, com="[0, 0, 0]", **POINT) * 2,
    "point masses of a ton": link(a=2, com="[0, 0, 0]", inertia=None, mass=1000) * 2,
    "a pendulum without length": link(a=0, com="[5, 0, 0]", **POINT),
    "a small heavy pendulum": link(a=0.05, com="[0, 0, 0]", inertia=None, mass=10),
    "massless links": link(a=1, mass=None, com=None, inertia=None) * 2 + link(a=0, com="[0.5, 0, 0]", **POINT),
    "only massless links": link(a=1000, mass=None, com=None, inertia=None) * 2,
    "a wrist alone": link(**BODY) * 3,
    "a gimbal with a small offset": link(**BODY | {"b": 0.005}) + link(**BODY),
    "a long payload on a short link": link(a=0.05) + link(a=0, mass=30, com="[1.5, 0, 0]"),
    "inertia without mass": link(mass=0, com=None, inertia="{ zz = 20 }") + link(a=0.4),
    "the rotor in a light link": link(a=0.4, mass=10) + link(a=0, mass=0.05, inertia="{ zz = 2.5 }"),
    "nearly a point mass": link(a=1, mass=10, inertia="{ xx = 1e-3, yy = 1e-3, zz = 1e-3 }"),
    "next to no mass": link(a=1, mass=5) + link(a=1, mass=1e-6, inertia="{ xx = 1, yy = 1, zz = 1 }"),
    "a thin long boom": link(a=15, mass=20, com="[-7, 0, 0]", inertia="{ yy = 400, zz = 400 }") * 2,
    "unit numbers": link(a=1, mass=1, com="[1, 1, 1]", inertia="{ xx = 1, yy = 1, zz = 1 }") * 3,
    "a long rail": link(joint='"prismatic"', a=0, offset=50, mass=400, com="[0, 0, 0]") + link(a=1),
}


@pytest.mark.parametrize("name", TEXTBOOK)
def test_robots_of_textbooks_pass(name):
    assert found(head() + TEXTBOOK[name]) == ()


@pytest.mark.parametrize("name", [*library.names(), "chain1", "chain24", "chain100"])
def test_the_librarys_robots_pass(name):
    assert library.load(name).notices == ()
    assert notices(library.load(name)) == ()


def test_starters_and_random_robots_pass():
    for convention in ("standard", "modified"):
        assert found(starter_text("arm", convention, 3)) == ()
    assert [seed for seed in range(100) if notices(seeded_robot(seed))] == []
    assert notices(equipped_robot(3)) == ()
