"""Frames in normal form: the same robot, in as few numbers as a table has, whatever frames its file was drawn in."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from strategies import Seeded
from urdf_text import random_urdf

from symgen import api
from symgen.algebra.domain import Floats
from symgen.algebra.exact import PI
from symgen.mechanics.fixed import merged
from symgen.mechanics.functions import registry
from symgen.mechanics.instantiation import instantiate
from symgen.prove.proof import prove
from symgen.robot.direction import back
from symgen.robot.expression import ZERO, constant
from symgen.robot.library import load
from symgen.robot.model import Elementary, Link, Placed, Robot
from symgen.robot.normal import normal
from symgen.robot.orientation import matrix, pose_of
from symgen.robot.splitting import jointed
from symgen.robot.urdf.build import robot_of


def redrawn(robot: Robot, seed: int) -> Robot:
    """The robot of a table, its links placed in frames that someone else has drawn: shifted along the axes, turned."""
    chance, links, drawn = Seeded(seed), [], []
    for link in robot.links:
        frame = (
            Elementary(False, 2, constant(Fraction(str(chance.number(-0.3, 0.3))))),
            *(Elementary(True, axis, constant(PI / 2 * chance.choose([0, 1, 2, 3]))) for axis in (2, 0, 1)),
        )
        start = robot.base if link.parent < 0 else (*back(drawn[link.parent]), *robot.links[link.parent].after)
        place = pose_of((*start, *link.before, Elementary(True, 2, link.joint.offset), *frame), robot.defaults)
        axes = matrix([(part.axis, part.amount.constant({})) for part in frame if part.rotates])
        x, y, z = map(constant, axes[2])
        centre = (Elementary(False, axis, entry) for axis, entry in enumerate(link.inertia.com))
        com, rpy = pose_of((*back(frame), *link.after, *centre, *link.inertia.axes), robot.defaults)
        turns = tuple(Elementary(True, axis, rpy[axis]) for axis in (2, 1, 0))
        joint, inertia = replace(link.joint, offset=ZERO), replace(link.inertia, com=com, axes=turns)
        placed = Placed(*place, (x, y, z))
        links.append(jointed("placed", Link(link.name, link.parent, joint, (), (), inertia, None, placed), joint, {}))
        drawn.append(frame)
    return replace(robot, convention="placed", base=(), links=tuple(links), frames=(), tool="")


def forces(robot: Robot, seed: int) -> np.ndarray:
    q, qd, qdd = np.random.default_rng(seed).uniform(-1, 1, (3, robot.nv))
    mechanism = instantiate(robot, Floats({"q": q, "qd": qd, "qdd": qdd}))
    (tau,) = registry.named("inverse_dynamics").formulations[0].derive(mechanism)
    return np.array(tau, dtype=float)


def test_random_robots_stay_the_same():
    for seed in range(30):
        robot = robot_of(random_urdf(seed).encode(), "random.urdf")
        expected = forces(robot, seed)
        np.testing.assert_allclose(forces(normal(robot), seed), expected, atol=1e-12 * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("seed", [1, 2, 3, 6])
@pytest.mark.parametrize("snap", [True, False])
def test_programs_in_normal_form_are_proved(seed, snap):
    robot = robot_of(random_urdf(seed).encode(), "random.urdf", snap=snap)
    for proof in prove(api.derive(robot, api.Options(functions=("inverse_dynamics",), effort="low"))):
        assert proof.holds, proof.reason


@pytest.mark.parametrize("name", ["puma", "stanford", "panda", "ur5"])
def test_redrawn_robots_cost_what_their_tables_do(name):
    table = load(name)
    robot = redrawn(table, seed=len(name))
    np.testing.assert_allclose(forces(robot, 0), forces(table, 0), atol=1e-9)
    options = api.Options(functions=("inverse_dynamics",))
    costs = [api.operation_counts(each, options)["inverse_dynamics"].cost for each in (table, robot)]
    assert costs[1] <= costs[0]


def test_only_what_a_table_has_is_left():
    robot = normal(redrawn(load("puma"), seed=5))
    way = ()
    for link in robot.links:
        kinds = [(part.rotates, part.axis) for part in merged((*way, *link.before))]
        assert set(kinds) <= {(False, 2), (True, 0), (False, 0)}
        way = link.after
