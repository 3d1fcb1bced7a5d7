"""Second derivatives by composite bodies are those of the recursions over dual numbers of dual numbers."""

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
from symgen.mechanics.functions.accelerations import FORWARD_DYNAMICS
from symgen.mechanics.functions.forces import whole_inverse_dynamics
from symgen.mechanics.functions.hessians import (
    FORWARD_DYNAMICS_HESSIAN,
    FORWARD_DYNAMICS_SECOND_DERIVATIVES,
    INVERSE_DYNAMICS_HESSIAN,
    INVERSE_DYNAMICS_SECOND_DERIVATIVES,
)
from symgen.mechanics.functions.quantity import WEIGHTS
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.joints import rate_map
from symgen.mechanics.kinematic_hessians import kinematic_hessian
from symgen.mechanics.kinematics import BASE_AXES, FRAME_AXES, jacobian
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
SMALL = [robot for robot in ROBOTS if robot.nv <= 4 and robot.links[0].joint.kind.value != "floating"]
DERIVED = {
    item.name: item.formulations[0].derive
    for item in (
        INVERSE_DYNAMICS_HESSIAN,
        FORWARD_DYNAMICS_HESSIAN,
        INVERSE_DYNAMICS_SECOND_DERIVATIVES,
        FORWARD_DYNAMICS_SECOND_DERIVATIVES,
    )
}


def loads(robot):
    return [("wrench", robot.frames[-1].name)] if robot.frames else []


def mechanism_of(robot, domain):
    return instantiate(robot, domain, wrenches=loads(robot))


def along(field, name, count):
    """A random direction."""
    return vector(Element(field, field.random(f"direction {name} {index}")) for index in range(count))


def moving(robot, domain, ways):
    """The domain with its derivatives in these directions, that of q one of rates."""
    lifted = {name: vector(_constant(domain, entry) for entry in way) for name, way in ways.items()}
    lifted["q"] = rate_map(robot, domain).dot(lifted["q"])
    return Duals(domain, {(name, k): entry for name, way in lifted.items() for k, entry in enumerate(way)})


def _constant(domain, value):
    return Dual(value, value * 0) if isinstance(domain, Duals) else value


def second_slopes(robot, field, names, compute):
    """Second derivatives of a vector along the random direction of these inputs all together.

    q goes at constant rates in the tangent space: a step of twice the length is two such steps.
    """
    ways = {name: along(field, name, robot.nv) for name in names}
    domain = moving(robot, moving(robot, field, ways), ways)
    return [value.slope.slope for value in compute(mechanism_of(robot, domain))]


def weights(mechanism):
    return [mechanism.domain.variable(WEIGHTS, k) for k in range(mechanism.nv)]


def quadratic(blocks, q, qd, last):
    """What symmetric blocks say of a direction: as a form in a random one, that determines all of them."""
    by_q, mixed, by_qd, by_last = blocks
    assert equal(by_q, by_q.T)
    assert equal(by_qd, by_qd.T)
    twice = q.dot(mixed).dot(qd) + q.dot(by_last).dot(last)
    return q.dot(by_q).dot(q) + qd.dot(by_qd).dot(qd) + twice + twice


def check(robot, function, names, compute):
    field = PrimeField(RADICANDS)
    blocks = DERIVED[function](mechanism_of(robot, field))
    ways = [along(field, name, robot.nv) for name in names]
    expected = second_slopes(robot, field, names, compute)
    if function.endswith("hessian"):
        field_weights = [field.variable(WEIGHTS, k) for k in range(robot.nv)]
        assert quadratic(blocks, *ways) == dot(field_weights, expected)
    else:
        assert [quadratic([block[k] for block in blocks], *ways) for k in range(robot.nv)] == expected


def forward_dynamics(mechanism):
    return FORWARD_DYNAMICS.formulations[0].derive(mechanism)[0]


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)
def test_of_inverse_dynamics(robot):
    check(robot, "inverse_dynamics_hessian", ("q", "qd", "qdd"), whole_inverse_dynamics)


@pytest.mark.parametrize("robot", SMALL, ids=lambda robot: robot.name)
def test_of_forward_dynamics(robot):
    check(robot, "forward_dynamics_hessian", ("q", "qd", "tau"), forward_dynamics)


@pytest.mark.parametrize("robot", SMALL[::3], ids=lambda robot: robot.name)
def test_of_every_force_and_acceleration(robot):
    check(robot, "inverse_dynamics_second_derivatives", ("q", "qd", "qdd"), whole_inverse_dynamics)
    check(robot, "forward_dynamics_second_derivatives", ("q", "qd", "tau"), forward_dynamics)


def test_in_any_frames():
    robot = shipped.load("puma")
    mechanism = instantiate(robot, PrimeField(RADICANDS))
    every = frozenset(range(robot.nv))
    hessian = DERIVED["inverse_dynamics_hessian"]
    expected = hessian(mechanism)
    for framing in (Framing(), Framing(unturned=every), Framing(to_child=every), Framing(in_moments=every)):
        found = hessian(reframed(mechanism, framing))
        assert all(equal(a, b) for a, b in zip(found, expected, strict=True)), framing


@pytest.mark.parametrize("axes", [BASE_AXES, FRAME_AXES])
@pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)
def test_of_kinematics(robot, axes):
    """The derivative of J^T weights along a direction."""
    field = PrimeField(RADICANDS)
    name = robot.all_frames[-1].name

    def forces(mechanism):
        six = [mechanism.domain.variable(WEIGHTS, k) for k in range(6)]
        return vector(dot(column, six) for column in jacobian(mechanism, mechanism.frame(name), axes).T)

    way = along(field, "q", robot.nv)
    mechanism = mechanism_of(robot, field)
    six = [field.variable(WEIGHTS, k) for k in range(6)]
    found, matrix = kinematic_hessian(mechanism, mechanism.frame(name), six, axes)
    moved = forces(mechanism_of(robot, moving(robot, field, {"q": way})))
    assert equal(found, forces(mechanism))
    assert equal(matrix.dot(way), [value.slope for value in moved])
