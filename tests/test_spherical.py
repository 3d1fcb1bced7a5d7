"""A spherical joint beside three revolute joints in its place (Rahmani Hanzaki, Saha and Rao 2009): the same arm.

ω = E q̇ in the moved link's axes, with q̇ the rates of turns about z, y and x; forces of the three are Eᵀ n.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest
from module_functions import interpreted
from spherical_robots import spherical, spherical_zyx, three_revolutes

from symgen.derive.derivation import Derivation, Options, derive
from symgen.prove.proof import prove

FUNCTIONS = ("inverse_dynamics", "inertia_matrix", "coriolis_torque", "gravity_torque", "forward_dynamics")
WITH_ANGLES = {"three_revolutes": three_revolutes, "spherical_zyx": spherical_zyx}
TURNS = slice(1, 4)


@functools.cache
def derived(make, algorithm="auto", effort="low") -> Derivation:
    return derive(make(), Options(functions=FUNCTIONS, forward_dynamics=algorithm, effort=effort))


class State:
    """A state in angles, and as the spherical joint has it: `T` (5, 5) takes rates to rates, `drift` is Ṫ q̇."""

    def __init__(self, seed: int) -> None:
        self.angles, self.rates, self.accelerations, self.forces = np.random.default_rng(seed).uniform(-1, 1, (4, 5))
        _, db, dc = self.rates[TURNS]
        (_, cb, cc), (_, sb, sc) = np.cos(self.angles[TURNS]), np.sin(self.angles[TURNS])
        E = np.array([[-sb, 0, 1], [cb * sc, cc, 0], [cb * cc, -sc, 0]])
        rate = np.array(
            [
                [-cb * db, 0, 0],
                [cb * cc * dc - sb * sc * db, -sc * dc, 0],
                [-cb * sc * dc - sb * cc * db, -cc * dc, 0],
            ]
        )
        self.T, self.drift = np.eye(5), np.zeros(5)
        self.T[TURNS, TURNS], self.drift[TURNS] = E, rate @ self.rates[TURNS]
        (ca, cb, cc), (sa, sb, sc) = np.cos(self.angles[TURNS] / 2), np.sin(self.angles[TURNS] / 2)
        quaternion = [
            ca * cb * sc - sa * sb * cc,
            ca * sb * cc + sa * cb * sc,
            sa * cb * cc - ca * sb * sc,
            ca * cb * cc + sa * sb * sc,
        ]
        self.q = np.array([self.angles[0], *quaternion, self.angles[4]])
        self.qd = self.T @ self.rates
        self.qdd = self.T @ self.accelerations + self.drift


@pytest.mark.parametrize("algorithm", ["udu", "aba"])
@pytest.mark.parametrize("name", WITH_ANGLES)
def test_the_same_motion_needs_the_same_forces(name, algorithm):
    whole, split = interpreted(derived(spherical, algorithm)), interpreted(derived(WITH_ANGLES[name], algorithm))
    near = functools.partial(np.testing.assert_allclose, rtol=1e-10, atol=1e-11)
    for at in map(State, range(10)):
        near(
            split["inverse_dynamics"](at.angles, at.rates, at.accelerations),
            at.T.T @ whole["inverse_dynamics"](at.q, at.qd, at.qdd),
        )
        inertia = whole["inertia_matrix"](at.q)
        near(split["inertia_matrix"](at.angles), at.T.T @ inertia @ at.T)
        near(split["gravity_torque"](at.angles), at.T.T @ whole["gravity_torque"](at.q))
        near(
            split["coriolis_torque"](at.angles, at.rates),
            at.T.T @ (whole["coriolis_torque"](at.q, at.qd) + inertia @ at.drift),
        )
        found = split["forward_dynamics"](at.angles, at.rates, at.T.T @ at.forces)
        near(at.T @ found + at.drift, whole["forward_dynamics"](at.q, at.qd, at.forces))


def test_both_are_proved():
    for make in (spherical, three_revolutes, spherical_zyx):
        assert [proof.function for proof in prove(derived(make)) if not proof.holds] == []


def test_the_joint_as_a_whole_costs_less():
    """It has a division by the quaternion's square instead of six sines and cosines."""
    whole, split = (derived(make, effort="normal").counts for make in (spherical, three_revolutes))
    assert {name: (whole[name].mul, whole[name].add, whole[name].div, whole[name].trig) for name in FUNCTIONS} == {
        "inverse_dynamics": (149, 142, 1, 4),
        "inertia_matrix": (95, 84, 1, 2),
        "coriolis_torque": (130, 121, 1, 2),
        "gravity_torque": (49, 38, 1, 4),
        "forward_dynamics": (259, 230, 5, 4),
    }
    assert {name: (split[name].mul, split[name].add, split[name].div, split[name].trig) for name in FUNCTIONS} == {
        "inverse_dynamics": (167, 140, 0, 10),
        "inertia_matrix": (103, 76, 0, 8),
        "coriolis_torque": (154, 124, 0, 8),
        "gravity_torque": (45, 26, 0, 10),
        "forward_dynamics": (315, 251, 4, 10),
    }
    assert all(whole[name].weight < split[name].weight for name in FUNCTIONS)
