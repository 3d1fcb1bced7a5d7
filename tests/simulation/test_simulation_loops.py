"""Motions of robots with loops: falls keep their energy, and torques reproduce the motion that they were made for."""

import json
from pathlib import Path

import numpy as np
import pytest

import symgen
from symgen.errors import InputError, LimitError
from symgen.simulation.moves import cycloid

FALL = Path(__file__).parents[1] / "data" / "loops" / "five_bar_fall.json"
FUNCTIONS = (
    "forward_dynamics",
    "inverse_dynamics",
    "kinetic_energy",
    "potential_energy",
    "assembly_step",
    "closure",
    "velocity_transformation",
    "loop_determinants",
)


@pytest.fixture(scope="module")
def five_bar():
    return symgen.generate("five_bar", functions=FUNCTIONS, effort="low", states=10)


@pytest.fixture(scope="module")
def rrr3():
    return symgen.generate("rrr3", functions=FUNCTIONS, effort="low", states=10)


def test_a_fall_is_that_of_the_reference_and_keeps_its_energy(five_bar):
    reference = json.loads(FALL.read_text(encoding="utf-8"))
    first, second = reference["theta"][0]
    fall = symgen.simulate(five_bar, reference["t"][-1], q0=[first, -2.3, second, 2.4], samples=len(reference["t"]))
    assert np.abs(fall.q[:, [0, 2]] - reference["theta"]).max() < 1e-8
    assert np.abs(fall.drift).max() < 1e-9 * fall.kinetic_energy.max()
    assert np.abs(five_bar.closure(fall.q)).max() < 1e-11


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-12])
@pytest.mark.parametrize("duration", [1.2, 1.5])
def test_a_motion_beyond_a_singular_posture_says_where_it_stops(five_bar, tolerance, duration):
    """However loose the tolerances: no step goes over to another posture in silence."""
    with pytest.raises((InputError, LimitError), match=r"t = 0\.9[678]\d* s.* singular posture, beyond which"):
        symgen.simulate(five_bar, duration, rtol=tolerance, atol=tolerance)


def test_torques_reproduce_their_motion(rrr3):
    """The motion of Khan's thesis, which is unstable: torques are functions of time."""
    start = np.array([np.pi / 3, 4 * np.pi / 3, 11 * np.pi / 6])
    end = start + np.array([0.2, -0.1, 0.15])
    full = [start[0], -0.865, 3.8, start[1], -2.1, start[2], -0.976]
    motion = symgen.follow(rrr3, start=full, end=[end[0], 0, 0, end[1], 0, end[2], 0], duration=3.0, samples=31)
    near = motion.q[0]

    def torques(t, q, qd):
        nonlocal near
        given, rates, accelerations = cycloid(t, start, end, 3.0)
        near, _ = rrr3.assemble(given, near)
        return rrr3.inverse_dynamics(near, rates, accelerations)

    found = symgen.simulate(rrr3, 3.0, q0=motion.q[0], tau=torques, rtol=1e-13, atol=1e-13, samples=31)
    assert np.abs(found.q - motion.q).max() < 1e-7


@pytest.mark.parametrize("given", [("t", "q", "qd", "qdd"), ("t", "q", "qd"), ("t", "q")])
def test_sampled_motions_are_followed(five_bar, given):
    """What is sampled may be open a little; rates that are not there are those of a spline."""
    q0 = five_bar.assemble([1.7, 1.35], five_bar.neutral)[0]
    move = symgen.follow(five_bar, start=q0, end=[2.0, 0, 1.6, 0], duration=1.0, samples=301)
    parts = {name: getattr(move, name) for name in given}
    parts["q"] = parts["q"] + 1e-4 * np.array([0, 1, 0, -1])
    found = symgen.follow(five_bar, motion=tuple(parts.values()))
    assert np.abs(found.q - move.q).max() < 1e-12
    inside = slice(20, -20)
    assert np.abs(found.tau - move.tau)[inside].max() < 1e-5 * np.abs(move.tau).max()
    assert len(given) < 4 or np.abs(found.tau - move.tau).max() < 1e-11


def test_what_cannot_be_followed_is_told(five_bar):
    with pytest.raises(InputError, match="loops do not close near"):
        symgen.simulate(five_bar, 1.0, q0=[np.pi, 0.0, 0.0, 0.0])
    with pytest.raises(InputError, match=r"do not close beyond t = "):
        symgen.follow(five_bar, end=[np.pi, 0, 0.0, 0])
    with pytest.raises(InputError, match="index 0: the loops do not close near"):
        symgen.follow(five_bar, motion=(np.linspace(0, 1, 10), np.tile([np.pi, 0, 0, 0], (10, 1))))
    with pytest.raises(InputError, match="velocity_transformation"):
        five_bar.position_rates(np.zeros(4), np.zeros(2))


def test_shapes_of_what_is_assembled_are_checked(five_bar):
    for given, guess in ((np.zeros(3), np.zeros(4)), (np.zeros(2), np.zeros(3)), (np.zeros((2, 2)), np.zeros((3, 4)))):
        with pytest.raises(InputError, match="assemble"):
            five_bar.assemble(given, guess)
    with pytest.raises(InputError, match="no loops"):
        symgen.generate("planar2r", functions=["gravity_torque"], effort="low", states=5).assemble([0], [0, 0])
