"""Base inertial parameters: as few as the rank of the regressor, and the same joint forces with any inertia."""

from __future__ import annotations

import pytest
from proving import SEEDS, equal, inverse_dynamics
from strategies import screw_robot, seeded_robot

from symgen.algebra.prime import Element, PrimeField
from symgen.mechanics.grouping import STEMS, base_stems, grouped, inertia_of, with_inertias
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.regressor import BASE_COLUMNS, STANDARD_COLUMNS, columns, regressor
from symgen.robot.library import load
from symgen.robot.reader import read_text

FREE = ("XX", "XY", "XZ", "YZ", "ZZ", "MX", "MY")
SLIDING = ("MX", "MY", "MZ", "M")
PLANAR = ("ZZ", "MX", "MY")

LIBRARY = {
    "panda": (43, [("ZZ",), *[FREE] * 6]),
    "planar2r": (6, [PLANAR] * 2),
    "planar3r": (9, [PLANAR] * 3),
    "puma": (36, [("ZZ",), *[FREE] * 5]),
    "rx90": (36, [("ZZ",), *[FREE] * 5]),
    "scara": (8, [("ZZ",), PLANAR, ("M",), PLANAR]),
    "stanford": (33, [("ZZ",), FREE, SLIDING, *[FREE] * 3]),
    "stanford_1999": (33, [("ZZ",), FREE, SLIDING, *[FREE] * 3]),
    "ur5": (36, [("ZZ",), *[FREE] * 5]),
}
"""Robot → number of base parameters of general inertia, as in the literature, and the stems of each body."""


class Moving(PrimeField):
    """A prime field whose state can be changed: the same robot, elsewhere."""

    state = 0

    def variable(self, name, index):
        return Element(self, self.random(f"variable {name} {index} {self.state}"))

    def cos_sin(self, index, offset, ratio=1):
        assert ratio == 1
        q = self.value_point(self.variable("q", index).value)
        return tuple(Element(self, value) for value in self.composed(q, self.constant_point(offset)))


def field_of(robot):
    """A field with the square roots of a robot's constants."""
    return Moving(frozenset((2, 3, 5, 6, 7, 11, 13)))


def rank(rows, p):
    """The rank of a matrix of integers modulo p, by elimination."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        inverse = pow(rows[found][column], -1, p)
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] * inverse % p
            if factor:
                rows[i] = [(a - factor * b) % p for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def stacked(robot, kind):
    """The regressor at so many states that its rank is that of the function, one list for each row; and p."""
    field = field_of(robot)
    width = len(columns(instantiate(robot, field), kind))
    rows = []
    for field.state in range(width // robot.nv + 2):
        mechanism = instantiate(robot, field)
        rates = ([field.variable(name, i) for i in range(robot.nv)] for name in ("qd", "qdd"))
        rows += [[entry.value for entry in row] for row in regressor(mechanism, kind, *rates)]
    return rows, field.p


def is_minimal(robot):
    """Whether the base parameters are independent, and as many as the standard ones have independent effects."""
    rows, p = stacked(robot, BASE_COLUMNS)
    everything, _ = stacked(robot, STANDARD_COLUMNS)
    return len(rows[0]) == rank(rows, p) == rank(everything, p)


def with_any_inertia(mechanism):
    """The mechanism with a random inertia, of which nothing is zero or equal, on every body that is a link."""
    field = mechanism.domain
    inertias = [
        body.inertia
        if body.is_between
        else inertia_of(field, {stem: field.parameter(f"{stem} {body.number}") for stem in STEMS})
        for body in mechanism.bodies
    ]
    return with_inertias(mechanism, inertias)


@pytest.mark.parametrize("name", LIBRARY)
def test_library_robots_have_the_known_numbers(name):
    number, stems = LIBRARY[name]
    robot = load(name)
    assert [set(found) for found in base_stems(instantiate(robot, field_of(robot)))] == list(map(set, stems))
    assert sum(map(len, stems)) == number
    assert is_minimal(robot)


SLIDES = (3, 4, 5, 8, 13, 18, 28, 47, 57, 103, 109, 116)
"""Random robots with slides after parallel axes, and without gravity."""


@pytest.mark.parametrize("seed", sorted({*SEEDS, *SLIDES}))
def test_random_robots_have_the_fewest(seed):
    assert is_minimal(seeded_robot(seed))


@pytest.mark.parametrize("seed", range(16))
def test_random_robots_with_screws_have_the_fewest(seed):
    assert is_minimal(screw_robot(seed))


@pytest.mark.parametrize("seed", range(30))
def test_joint_forces_of_robots_with_screws_stay_the_same_for_any_inertia(seed):
    mechanism = with_any_inertia(instantiate(screw_robot(seed), PrimeField(field_radicands())))
    assert equal(inverse_dynamics(grouped(mechanism)), inverse_dynamics(mechanism))
    every = frozenset(range(len(mechanism.bodies)))
    assert equal(inverse_dynamics(grouped(mechanism, every)), inverse_dynamics(mechanism))


@pytest.mark.parametrize("seed", range(60))
def test_joint_forces_stay_the_same_for_any_inertia(seed):
    robot = seeded_robot(seed)
    mechanism = with_any_inertia(instantiate(robot, PrimeField(field_radicands())))
    assert equal(inverse_dynamics(grouped(mechanism)), inverse_dynamics(mechanism))
    every = frozenset(range(len(mechanism.bodies)))
    assert equal(inverse_dynamics(grouped(mechanism, every)), inverse_dynamics(mechanism))


def field_radicands():
    return frozenset((2, 3, 5, 6, 7, 11, 13))


SPECIAL = """
name = "special"
parameters = {{ gap = 0 }}
convention = "modified"
gravity = {gravity}
links = [ {links} ]
"""
MASS = 'mass = 1, com = [0.1, 0.2, 0.3], inertia = { xx = 1, yy = 2, zz = 2.5, xy = 0.1, xz = 0.2, about = "com" }'


def special(gravity, *links):
    rows = ", ".join("{ " + f"{link}, {MASS}" + " }" for link in links)
    return read_text(SPECIAL.format(gravity=gravity, links=rows), "special")


TURN, SLIDE, BOTH = 'joint = "revolute"', 'joint = "prismatic"', 'joint = "cylindrical"'
SCREW, OTHER_SCREW = 'joint = "helical", pitch = 0.1', 'joint = "helical", pitch = 0.2'
CASES = {
    "one axis along gravity": (special([0, 0, -10], TURN), [("ZZ",)]),
    "one axis across gravity": (special([0, -10, 0], TURN), [PLANAR]),
    "slides alone": (special([0, 0, -10], SLIDE, f'{SLIDE}, alpha = "pi/2"'), [("M",), ("M",)]),
    "a slide across the first axis": (special([0, 0, -10], SLIDE, f'{TURN}, alpha = "pi/2"'), [("M",), PLANAR]),
    "a slide along the first axis": (special([0, 0, -10], TURN, SLIDE), [("ZZ",), ("M",)]),
    "an oblique slide": (special([0, 0, -10], TURN, f"{SLIDE}, alpha = 0.3"), [("ZZ",), ("MX", "MY", "M")]),
    "a slide at a right angle": (special([0, 0, -10], TURN, f'{SLIDE}, alpha = "pi/2"'), [("ZZ",), ("MX", "MZ", "M")]),
    "a parallel axis beside": (special([0, 0, -10], TURN, f"{TURN}, a = 0.5"), [("ZZ",), PLANAR]),
    "a parallel axis in line": (special([0, 0, -10], TURN, f"{TURN}, d = 0.5"), [("ZZ",), ("ZZ",)]),
    "a point at rest without gravity": (
        special([0, 0, 0], TURN, f'{TURN}, alpha = "pi/2", d = 0.5', f"{TURN}, alpha = 0.4, d = 0.2"),
        [("ZZ",), ("XX", "XY", "XZ", "YZ", "ZZ"), FREE],
    ),
    "a point at rest for three axes": (
        special([0, 0, 0], TURN, f'{TURN}, alpha = "pi/2"', f"{TURN}, alpha = 0.4, d = 0.2"),
        [("ZZ",), *[("XX", "XY", "XZ", "YZ", "ZZ")] * 2],
    ),
    "a screw along gravity": (special([0, 0, -10], SCREW), [("ZZ", "M")]),
    "a screw across gravity, whose mass is inertia": (special([0, -10, 0], SCREW), [PLANAR]),
    "a screw without gravity": (special([0, 0, 0], SCREW), [("ZZ",)]),
    "a screw beyond a slide along it": (special([0, 0, 0], SLIDE, SCREW), [("M",), ("ZZ", "M")]),
    "a screw beyond a slide across it": (special([0, 0, 0], SLIDE, f'{SCREW}, alpha = "pi/2"'), [("M",), PLANAR]),
    "screws of one pitch": (special([0, 0, 0], SCREW, f"{SCREW}, a = 0.5"), [("ZZ",), PLANAR]),
    "screws of one pitch, head to head": (special([0, 0, 0], SCREW, f'{SCREW}, alpha = "pi"'), [("ZZ",), ("ZZ",)]),
    "screws of two pitches": (special([0, 0, 0], SCREW, OTHER_SCREW), [("ZZ",), ("ZZ", "M")]),
    "a turn about the axis of a screw": (special([0, 0, 0], SCREW, TURN), [("ZZ",), ("ZZ",)]),
    "a screw about the axis of a turn": (special([0, 0, 0], TURN, SCREW), [("ZZ",), ("ZZ", "M")]),
    "screws in all directions": (
        special([0, 0, 0], SCREW, f"{OTHER_SCREW}, alpha = 1", f"{SCREW}, alpha = 1"),
        [("ZZ",), *[(*FREE, "MZ", "M")] * 2],
    ),
    "a turn and a slide along gravity": (special([0, 0, -10], BOTH), [("ZZ",), ("M",)]),
    "a turn and a slide across gravity": (special([0, -10, 0], BOTH), [PLANAR, ("M",)]),
    "turns and slides in all directions": (
        special([0, 0, -10], BOTH, f"{BOTH}, alpha = 1"),
        [("ZZ",), ("M",), ("XX", "XY", "XZ", "YZ", "ZZ"), SLIDING],
    ),
}


@pytest.mark.parametrize(("robot", "stems"), CASES.values(), ids=CASES)
def test_special_rules(robot, stems):
    mechanism = instantiate(robot, field_of(robot))
    assert [set(found) for found in base_stems(mechanism)] == list(map(set, stems))
    assert is_minimal(robot)
    general = with_any_inertia(mechanism)
    assert equal(inverse_dynamics(grouped(general)), inverse_dynamics(general))


def test_a_length_that_can_have_any_value_lets_everything_act():
    robot = special([0, 0, -10], TURN, f'{TURN}, a = "gap"')
    assert base_stems(instantiate(robot, field_of(robot))) == [("ZZ",), ("ZZ",)]
    assert base_stems(instantiate(robot, field_of(robot), symbolic=True)) == [("ZZ",), PLANAR]
