"""Frames are free: whatever axes and origins are chosen, the functions are the same. Proved in the prime field."""

import numpy as np
import pytest
from proving import SEEDS, equal, library, mechanism, rates
from strategies import seeded_robot

from symgen.mechanics import articulated, composite, coriolis, energy, kinematics, newton_euler
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.parallel import parallel_bodies
from symgen.mechanics.reframing import Framing, reframed, slid, unturned
from symgen.program.graph import Graph
from symgen.robot.library import chain, load

ROBOTS = [*library(), *(seeded_robot(seed) for seed in SEEDS), chain(7, prismatic=(2, 5))]

every = pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)


def framings(n, seed):
    """A few random choices, and the extremes."""
    chance = np.random.default_rng(seed)
    everything = frozenset(range(n))

    def some():
        return frozenset(int(i) for i in np.flatnonzero(chance.integers(0, 2, n)))

    yield Framing()
    yield Framing(unturned=everything)
    yield Framing(to_parent=everything)
    yield Framing(to_child=everything, in_moments=everything)
    yield Framing(clearing_moment=everything, clearing_xx=everything)
    for _ in range(4):
        yield Framing(some(), some(), some(), some(), clearing_moment=some(), clearing_xx=some(), clearing_zz=some())


@every
def test_functions_do_not_depend_on_the_choice_of_frames(robot):
    for symbolic in (False, True):
        arm = mechanism(robot, symbolic=symbolic)
        velocity, acceleration = rates(arm)
        torques = newton_euler.inverse_dynamics(arm, velocity, acceleration, arm.gravity)
        inertia, rate = composite.inertia_matrix(arm), coriolis.coriolis_matrix(arm, velocity)
        kinetic = energy.kinetic_energy(arm, velocity)
        for framing in framings(len(arm.bodies), len(robot.name)):
            other = reframed(arm, framing)
            assert equal(newton_euler.inverse_dynamics(other, velocity, acceleration, other.gravity), torques)
            assert equal(composite.inertia_matrix(other), inertia)
            assert equal(coriolis.coriolis_matrix(other, velocity), rate)
            assert equal([energy.kinetic_energy(other, velocity)], [kinetic])


@every
def test_named_frames_are_where_they_were(robot):
    arm = mechanism(robot)
    for framing in framings(len(arm.bodies), 3):
        other = reframed(arm, framing)
        for before, after in zip(arm.frames, other.frames, strict=True):
            poses = [kinematics.frame_pose(m, f, kinematics.poses(m)) for m, f in ((arm, before), (other, after))]
            assert equal(poses[0].rotation, poses[1].rotation)
            assert equal(poses[0].origin, poses[1].origin)


@pytest.mark.parametrize("name", ["puma", "panda", "ur5"])
def test_accelerations_do_not_depend_on_the_choice_of_frames(name):
    arm = mechanism(load(name))
    forces = list(rates(arm)[1])
    expected = articulated.forward_dynamics(arm, forces)
    for framing in framings(len(arm.bodies), 5):
        assert equal(articulated.forward_dynamics(reframed(arm, framing), forces), expected)


def test_base_parameters_are_left():
    """One for the first body, which turns about a fixed axis, seven for others that turn, four for one that slides."""
    arm = mechanism(chain(5, prismatic=(3,)), symbolic=True)
    left = []
    for body in reframed(arm, Framing()).bodies:
        numbers = [body.inertia.mass, *body.inertia.first_moment, *body.inertia.tensor[np.triu_indices(3)]]
        left.append(sum(not number.is_zero for number in numbers))
    assert left == [1, 7, 4, 7, 7]


def test_origins_move_along_the_axes_only():
    arm = mechanism(load("puma"))
    moved = slid(arm, Framing(to_child=frozenset({3})))
    change = moved.bodies[3].position - arm.bodies[3].position
    along = arm.bodies[3].rotation.to_child(change)
    assert along[0].is_zero
    assert along[1].is_zero
    assert not along[2].is_zero
    assert all(entry.is_zero for entry in moved.bodies[4].position)


def test_parallel_joints_turn_by_sums_of_angles():
    graph = Graph()
    arm = instantiate(load("puma"), graph)
    (group,) = parallel_bodies(arm)
    assert group.bodies == (1, 2)
    assert group.senses == (1, 1)
    turn = unturned(arm, {1}).bodies[2].rotation.turns
    (angle,) = graph.nodes[turn[-1].c.node].args
    assert {graph.nodes[arg].entry for arg in graph.nodes[angle].args} == {1, 2}


def test_words_for_a_choice():
    assert Framing().text() == ""
    assert Framing(unturned=frozenset({1, 2}), to_child=frozenset({3})).text() == (
        "axes of links 2, 3 before the joint's turn; origin of link 4 moved towards the next link"
    )
