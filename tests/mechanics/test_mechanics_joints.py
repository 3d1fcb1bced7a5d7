"""Joints of several columns: the same motion as joints of one column with massless bodies between them."""

from dataclasses import replace

import numpy as np
import pytest
from dual_numbers import Duals
from proving import FIXED, equal, inverse_dynamics, rates, values, zero
from strategies import seeded_robot

from symgen.algebra.domain import vector, zeros
from symgen.algebra.exact import Exact
from symgen.algebra.prime import PrimeField
from symgen.mechanics import articulated, composite, factorization
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.elimination import articulated_bodies, upper_factor
from symgen.mechanics.forward_recursion import forward_recursion
from symgen.mechanics.inertia import SpatialInertia
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.mechanism import Body, Mechanism
from symgen.mechanics.reference_points import MASS_CENTRE, ORIGIN
from symgen.mechanics.rotation import Rotation, Turn
from symgen.prove.block_form import BlockForm
from symgen.robot.library import chain
from symgen.robot.model import BASE

COLUMNS = {"rx": 0, "ry": 1, "rz": 2, "tx": 3, "ty": 4, "tz": 5}


def column(domain, kind):
    result = zeros(domain, 6)
    result[COLUMNS[kind]] = domain.constant(1)
    return result


class Renumbered:
    """A domain in which joint i turns by q[indices[i]]."""

    def __init__(self, domain, indices):
        self.constant, self.define = domain.constant, domain.define
        self.cos_sin = lambda index, offset, ratio=1: domain.cos_sin(indices[index], offset, ratio)


def carrier(domain, indices):
    """The bodies of an arm that the joint is put into: bodies with general inertia, rotations and positions."""
    return instantiate(chain(4), Renumbered(domain, indices)).bodies


def renumbered(body, parent, velocities):
    return replace(body, parent=parent, velocities=velocities)


def step(domain, kind, index):
    """(rotation, position) of one joint column at q[index]."""
    shift = zeros(domain, 3)
    if kind[0] == "r":
        return Rotation((Turn(COLUMNS[kind], *domain.cos_sin(index, Exact.of(0))),)), shift
    shift[COLUMNS[kind] - 3] = domain.variable("q", index)
    return Rotation(), shift


def with_joint(domain, kinds, *, apart, parent=0):
    """An arm whose third body moves by all of `kinds`, in one joint or in one joint each, and carries two branches."""
    number, start = len(kinds), 0 if parent == BASE else 1
    last = start + number
    first, second, third, fourth = carrier(domain, [0, 0, last, last + 1])
    bodies = [renumbered(first, BASE, (0,))][:start]
    rotation, position = Rotation(second.rotation.turns[:-1]), second.position
    motion, shift = Rotation(), zeros(domain, 3)
    for offset, kind in enumerate(kinds):
        index = start + offset
        turn, move = step(domain, kind, index)
        if apart:
            outer = parent if offset == 0 else len(bodies) - 1
            placed = (rotation.then(turn), position + rotation.to_parent(move)) if offset == 0 else (turn, move)
            inertia = second.inertia if offset == number - 1 else massless(domain)
            bodies.append(body(second, outer, placed, (column(domain, kind),), (index,), inertia))
        else:
            shift = shift + motion.to_parent(move)
            motion = motion.then(turn)
    if not apart:
        placed = (rotation.then(motion), position + rotation.to_parent(shift))
        columns = tuple(column(domain, kind) for kind in kinds)
        bodies.append(body(second, parent, placed, columns, tuple(range(start, start + number)), second.inertia))
    stem = len(bodies) - 1
    bodies.append(renumbered(third, stem, (last,)))
    bodies.append(renumbered(fourth, stem, (last + 1,)))
    gravity = vector(domain.parameter(f"g{axis}") for axis in "xyz")
    return Mechanism(domain, tuple(bodies), gravity, last + 2)


def body(like, parent, placed, subspace, velocities, inertia) -> Body:
    rotation, position = placed
    return replace(
        like,
        parent=parent,
        rotation=rotation,
        position=position,
        subspace=subspace,
        velocities=velocities,
        inertia=inertia,
    )


def massless(domain):
    return SpatialInertia(domain.constant(0), zeros(domain, 3), zeros(domain, 3, 3))


JOINTS = {
    "cylindrical": ("tz", "rz"),
    "cylindrical about x": ("rx", "tx"),
    "planar slide": ("tx", "ty"),
    "cartesian": ("tx", "ty", "tz"),
}
joints = pytest.mark.parametrize("kinds", JOINTS.values(), ids=JOINTS)
parents = pytest.mark.parametrize("parent", [BASE, 0], ids=["on the base", "on a body"])


@joints
@parents
@pytest.mark.parametrize("seed", [1, 2])
def test_columns_of_one_joint_are_joints_in_a_row(kinds, parent, seed):
    field = PrimeField(seed=seed)
    one, many = (with_joint(field, kinds, apart=apart, parent=parent) for apart in (False, True))
    assert len(many.bodies) - len(one.bodies) == len(kinds) - 1
    assert one.nv == many.nv
    assert equal(inverse_dynamics(one), inverse_dynamics(many))
    assert equal(composite.inertia_matrix(one), composite.inertia_matrix(many))
    forces = [field.variable("tau", index) for index in range(one.nv)]
    assert equal(articulated.forward_dynamics(one, forces), articulated.forward_dynamics(many, forces))
    denocs = Denoc(one), Denoc(many)
    first, second = map(articulated_bodies, denocs)
    assert equal(*map(upper_factor, denocs, (first, second)))
    assert equal(first.pivots, second.pivots)
    for reference in (ORIGIN, MASS_CENTRE):
        blocks = [Denoc(arm, reference) for arm in (one, many)]
        for name in ("inertia_matrix", "convective_forces", "gravity_forces"):
            assert equal(*(getattr(denoc, name) for denoc in blocks))


SUBSPACES = {**JOINTS, "spherical": ("rx", "ry", "rz"), "planar": ("tx", "ty", "rz"), "free": tuple(COLUMNS)}


@pytest.mark.parametrize("kinds", SUBSPACES.values(), ids=SUBSPACES)
@parents
def test_formulations_agree_for_any_subspace(kinds, parent):
    """Also where the velocities are not rates of coordinates: columns fixed in the body, any orientation."""
    field = PrimeField()
    arm = with_joint(field, kinds, apart=False, parent=parent)
    velocity, acceleration = rates(arm)
    matrix = composite.inertia_matrix(arm)
    for reference in (ORIGIN, MASS_CENTRE):
        denoc = Denoc(arm, reference)
        assert equal(matrix, denoc.inertia_matrix)
        push = [sum((a * b for a, b in zip(row, acceleration, strict=True)), field.constant(0)) for row in matrix]
        assert equal(inverse_dynamics(arm), push + denoc.convective_forces + denoc.gravity_forces)
        entries = [[denoc.inertia_entry(i, j) for j in range(arm.nv)] for i in range(arm.nv)]
        assert equal(matrix, entries)
    form = BlockForm(arm)
    assert equal(inverse_dynamics(arm), form.inertia_times(acceleration) + form.convective_forces + form.gravity_forces)
    factors = factorization.factorize(field, matrix)
    denoc = Denoc(arm)
    blocks = articulated_bodies(denoc)
    assert equal(factors.U, upper_factor(denoc, blocks))
    assert equal(factors.pivots, blocks.pivots)
    assert equal(factors.U.dot(vector(factors.pivots)[:, None] * factors.U.T), matrix)
    forces = [field.variable("tau", index) for index in range(arm.nv)]
    recursion = forward_recursion(denoc, blocks, vector(forces))
    assert equal(recursion.accelerations, articulated.forward_dynamics(arm, forces))
    assert equal(np.dot(factors.U, recursion.phi_hat), forces)
    assert equal(factorization.solve(factors, forces), articulated.forward_dynamics(arm, forces))
    assert len(values(velocity)) == arm.nv


@joints
def test_skewness_with_joints_of_several_columns(kinds):
    field = PrimeField()
    denoc = Denoc(with_joint(field, kinds, apart=False), MASS_CENTRE)
    moving = Denoc(with_joint(Duals(field), kinds, apart=False), MASS_CENTRE)
    rate = [[entry.rate for entry in row] for row in moving.inertia_matrix]
    skew = rate - 2 * denoc.convective_inertia
    assert zero(skew + skew.T)


# mechanisms of robots -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", FIXED)
def test_fixed_links_are_lumped(seed):
    robot = seeded_robot(seed)
    arm = instantiate(robot, PrimeField())
    assert len(arm.bodies) == robot.nv < len(robot.links)
    carried = [link for index, link in enumerate(robot.links) if not on_the_base(robot, index)]
    total = sum((link.inertia.mass.constant({}) for link in carried), Exact.of(0))
    mass = sum((body.inertia.mass for body in arm.bodies), arm.domain.constant(0))
    assert mass == arm.domain.constant(total)
    assert [body.number for body in arm.bodies] == [i + 1 for i, link in enumerate(robot.links) if link.joint.nv]


def on_the_base(robot, index):
    """Whether only fixed joints lie between a link and the base."""
    while index != BASE and not robot.links[index].joint.nv:
        index = robot.links[index].parent
    return index == BASE
