"""Physics that must hold: time derivatives, skewness, energy, weight; exact in the prime field."""

import numpy as np
import pytest
from dual_numbers import Duals
from proving import SEEDS, equal, inverse_dynamics, rates, times, values, zero
from strategies import seeded_robot

from symgen.algebra.domain import dot
from symgen.algebra.prime import PrimeField
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.reference_points import MASS_CENTRE, ORIGIN
from symgen.robot.library import load

ROBOTS = [load("puma"), load("stanford"), load("scara"), *map(seeded_robot, SEEDS)]
NAMES = [robot.name for robot in ROBOTS]
every = pytest.mark.parametrize("robot", ROBOTS, ids=NAMES)


def both(robot, reference=ORIGIN):
    """The block form over the prime field, and the same with time derivatives."""
    field = PrimeField()
    return Denoc(instantiate(robot, field), reference), Denoc(instantiate(robot, Duals(field)), reference)


def rate(array):
    """The time derivatives of the entries."""
    entries = np.asarray(array, dtype=object)
    return np.array([entry.rate for entry in entries.reshape(-1)], dtype=object).reshape(entries.shape)


@every
@pytest.mark.parametrize("reference", [ORIGIN, MASS_CENTRE])
def test_rate_of_the_natural_orthogonal_complement(robot, reference):
    denoc, moving = both(robot, reference)
    assert equal(denoc.N_dot, rate(moving.N))


@every
def test_convective_inertia_about_the_mass_centres_is_skew(robot):
    denoc, moving = both(robot, MASS_CENTRE)
    skew = rate(moving.inertia_matrix) - 2 * denoc.convective_inertia
    assert zero(skew + skew.T)


@every
def test_convective_forces_do_not_depend_on_the_reference(robot):
    origin, centre = both(robot, ORIGIN)[0], both(robot, MASS_CENTRE)[0]
    assert equal(origin.convective_forces, centre.convective_forces)


@pytest.mark.parametrize("name", ["puma", "stanford"])
def test_convective_inertia_about_the_origins_is_not_skew_but_does_no_work(name):
    denoc, moving = both(load(name), ORIGIN)
    skew = rate(moving.inertia_matrix) - 2 * denoc.convective_inertia
    assert not zero(skew + skew.T)
    assert zero([dot(denoc.velocity, times(skew, denoc.velocity))])


def potential(denoc):
    """−Σ m gᵀ c over the bodies."""
    gravity = denoc.mechanism.gravity
    weights = (dot(gravity, body.point * body.inertia.mass + body.inertia.first_moment) for body in denoc.bodies)
    return -sum(weights, denoc.domain.constant(0))


@every
def test_gravity_is_the_gradient_of_the_potential(robot):
    """V̇ = gᵀ q̇ for all q̇ means that g is ∂V/∂q."""
    denoc, moving = both(robot)
    assert values([potential(moving).rate]) == values([dot(denoc.gravity_forces, denoc.velocity)])


@every
def test_power_is_the_rate_of_energy(robot):
    denoc, moving = both(robot)
    half = moving.domain.constant(1) / moving.domain.constant(2)
    kinetic = half * dot(moving.velocity, times(moving.inertia_matrix, moving.velocity))
    power = dot(inverse_dynamics(denoc.mechanism), rates(denoc.mechanism)[0])
    assert values([(kinetic + potential(moving)).rate]) == values([power])


@every
def test_twists_give_the_kinetic_energy(robot):
    denoc = both(robot)[0]
    half = denoc.domain.constant(1) / denoc.domain.constant(2)
    by_matrix = half * dot(denoc.velocity, times(denoc.inertia_matrix, denoc.velocity))
    by_twist = half * dot(denoc.twist, times(denoc.M, denoc.twist))
    assert by_matrix == by_twist


@every
def test_angular_velocity_and_coupling_blocks(robot):
    denoc = both(robot)[0]
    for i in range(denoc.n):
        block = slice(6 * i, 6 * i + 6)
        W, E, w = denoc.W[block, block], denoc.E[block, block], denoc.twist[block][:3]
        assert zero(W + W.T)
        assert zero(times(W, [*w, *w]))
        assert equal(np.dot(E, E), E)
