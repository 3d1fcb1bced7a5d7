"""Second derivatives of weighted joint forces by composite bodies are those of the recursion over dual numbers of dual
numbers."""

from __future__ import annotations

import pytest
from free_robots import FREE
from free_robots import robot as free_robot
from proving import SEEDS, equal, library
from robots_with_drives import equipped
from strategies import equipped_robot, screw_robot

from symgen.algebra.domain import dot, vector
from symgen.algebra.duals import Dual, Duals
from symgen.algebra.prime import Element, PrimeField
from symgen.mechanics.functions.forces import whole_inverse_dynamics
from symgen.mechanics.functions.hessians import INVERSE_DYNAMICS_HESSIAN, WEIGHTS
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.joints import rate_map
from symgen.mechanics.reframing import Framing, reframed
from symgen.robot import library as shipped

RADICANDS = frozenset((2, 3, 5, 6, 7, 11, 13))
ROBOTS = [
    *library(),
    *map(equipped_robot, SEEDS[::2]),
    *map(screw_robot, (0, 1, 2)),
    *(free_robot(kind) for kind in FREE),
    equipped("planar2r"),
]
(HESSIAN,) = (each.derive for each in INVERSE_DYNAMICS_HESSIAN.formulations)


def loads(robot):
    return [("wrench", robot.frames[-1].name)] if robot.frames else []


def along(field, name, count):
    """A random direction."""
    return vector(Element(field, field.random(f"direction {name} {index}")) for index in range(count))


def second_slope(robot, field, compute):
    """The second derivative of a scalar along the random direction of q, q̇ and q̈ all together.

    q goes at constant rates in the tangent space: a step of twice the length is two such steps.
    """
    domain = field
    for _ in range(2):
        ways = {name: along(field, name, robot.nv) for name in ("q", "qd", "qdd")}
        lifted = {name: vector(_constant(domain, entry) for entry in way) for name, way in ways.items()}
        lifted["q"] = rate_map(robot, domain).dot(lifted["q"])
        direction = {(name, k): entry for name, way in lifted.items() for k, entry in enumerate(way)}
        domain = Duals(domain, direction)
    return compute(instantiate(robot, domain, wrenches=loads(robot))).slope.slope


def _constant(domain, value):
    return Dual(value, value * 0) if isinstance(domain, Duals) else value


def weighted(mechanism):
    weights = [mechanism.domain.variable(WEIGHTS, k) for k in range(mechanism.nv)]
    return dot(weights, whole_inverse_dynamics(mechanism))


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)
def test_of_inverse_dynamics(robot):
    """As a quadratic form in a random direction: with symmetric blocks that determines all of them."""
    field = PrimeField(RADICANDS)
    qq, qqd, qdqd, qqdd = HESSIAN(instantiate(robot, field, wrenches=loads(robot)))
    assert equal(qq, qq.T)
    assert equal(qdqd, qdqd.T)
    q, qd, qdd = (along(field, name, robot.nv) for name in ("q", "qd", "qdd"))
    twice = q.dot(qqd).dot(qd) + q.dot(qqdd).dot(qdd)
    found = q.dot(qq).dot(q) + qd.dot(qdqd).dot(qd) + twice + twice
    assert found == second_slope(robot, field, weighted)


def test_in_any_frames():
    robot = shipped.load("puma")
    mechanism = instantiate(robot, PrimeField(RADICANDS))
    every = frozenset(range(robot.nv))
    expected = HESSIAN(mechanism)
    for framing in (Framing(), Framing(unturned=every), Framing(to_child=every), Framing(in_moments=every)):
        found = HESSIAN(reframed(mechanism, framing))
        assert all(equal(a, b) for a, b in zip(found, expected, strict=True)), framing
