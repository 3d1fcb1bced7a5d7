"""How long formulas are, recorded: a change of presentation is to be deliberate."""

from dataclasses import replace

import pytest

import symgen
from symgen.robot.expression import parse

FILE, BASE = {}, {"inertia": "base"}

LENGTHS = [
    # robot, quantity, entry, inertial parameters, summands, length
    ("planar2r", "inertia_matrix", (0, 0), FILE, 2, 12),
    ("planar2r", "inertia_matrix", (0, 1), FILE, 1, 7),
    ("planar2r", "coriolis_torque", (0,), FILE, 1, 8),
    ("planar3r", "inertia_matrix", (0, 0), FILE, 4, 36),
    ("planar3r", "gravity_torque", (0,), FILE, 1, 19),
    ("planar3r", "coriolis_matrix", (0, 0), FILE, 2, 21),
    ("scara", "inertia_matrix", (0, 0), FILE, 5, 42),
    ("scara", "inertia_matrix", (1, 1), BASE, 3, 9),
    ("stanford", "inertia_matrix", (0, 0), FILE, 10, 160),
    ("stanford", "inertia_matrix", (0, 0), BASE, 8, 81),
    ("puma", "inertia_matrix", (1, 1), FILE, 9, 138),
    ("puma", "inertia_matrix", (0, 0), FILE, 12, 225),
    ("puma", "gravity_torque", (1,), FILE, 1, 49),
    ("puma", "coriolis_torque", (5,), BASE, 10, 159),
    ("ur5", "inertia_matrix", (1, 1), FILE, 8, 109),
    ("ur5", "inertia_matrix", (1, 1), BASE, 6, 30),
    ("rx90", "inertia_matrix", (1, 1), FILE, 15, 170),
    ("panda", "inertia_matrix", (5, 5), FILE, 5, 24),
    ("panda", "gravity_torque", (6,), BASE, 1, 57),
]


@pytest.mark.parametrize(
    ("name", "quantity", "entry", "options", "summands", "length"),
    LENGTHS,
    ids=[f"{row[0]}-{row[1]}{row[2]}-{row[3].get('inertia', 'file')}" for row in LENGTHS],
)
def test_lengths(name, quantity, entry, options, summands, length):
    item = getattr(symgen.closed_form(name, **options), quantity).entry(*entry)
    assert (item.summands, item.length) == (summands, length)


def test_an_entry_of_the_puma_in_base_parameters():
    item = symgen.closed_form("puma", inertia="base").inertia_matrix.entry(1, 1)
    assert item.summands <= 7
    assert item.length <= 40
    assert {name for name, _ in item.definitions} >= {"ZZR2", "ZZR3", "MXR3", "XXR6"}


def test_the_same_entry_with_general_inertias():
    """All ten inertial parameters of every link."""
    com = tuple(map(parse, ("0.1", "0.2", "0.3")))
    tensor = tuple(map(parse, ("1", "2", "1.5", "0.01", "0.02", "0.03")))
    puma = symgen.load("puma")
    links = [replace(link, inertia=replace(link.inertia, com=com, tensor=tensor)) for link in puma.links]
    forms = symgen.closed_form(replace(puma, links=tuple(links)), inertia="base")
    assert len(forms.inertia_matrix.subject.symbols) >= 60
    assert forms.inertia_matrix.entry(1, 1).summands <= 19


def test_what_a_person_would_write():
    planar = symgen.closed_form("planar2r")
    assert planar.inertia_matrix.entry(0, 0).text() == "1/3*m1*L1^2 + m2*(1/3*L2^2 + L1*(L1 + L2*c2))"
    assert planar.gravity_torque.entry(1).text() == "0.5*g*m2*L2*c12"
    assert symgen.closed_form("ur5").forward_kinematics().entry(0, 3).text() == (
        "(b4 + b6*c5)*s1 + (a2*c2 + a3*c23 + b5*s234 - b6*c234*s5)*c1"
    )
    assert symgen.closed_form("scara", inertia="base").inertia_matrix.entry(1, 1).text() == (
        "(ZZR2 + ZZR4) + a2^2*MR3 + 2*a2*MXR4*c4"
    )
