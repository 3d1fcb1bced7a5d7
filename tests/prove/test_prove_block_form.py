"""The block form applied to vectors body by body is that of the dense matrices, over the prime field."""

import numpy as np
import pytest
from strategies import equipped_robot, seeded_robot

from symgen.algebra.domain import cross_matrix, vector, zeros
from symgen.algebra.duals import Duals
from symgen.algebra.prime import PrimeField
from symgen.mechanics.blocks import twist_propagation
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.instantiation import instantiate
from symgen.prove.block_form import BlockForm
from symgen.robot.library import chain, load
from symgen.robot.model import BASE

ROBOTS = [load("puma"), load("stanford"), chain(7, prismatic=(2, 5))]
ROBOTS += [seeded_robot(seed) for seed in range(12)] + [equipped_robot(seed) for seed in range(6)]

every = pytest.mark.parametrize("robot", ROBOTS, ids=lambda robot: robot.name)


def mechanism(robot, domain):
    loaded = (("wrench", robot.all_frames[-1].name), ("push", robot.all_frames[0].name))
    return instantiate(robot, domain, wrenches=loaded)


def both(robot):
    arm = mechanism(robot, PrimeField())
    return Denoc(arm), BlockForm(arm)


def random_vector(form, name, size):
    return vector(form.domain.parameter(f"{name} {index}") for index in range(size))


def same(left, right):
    return list(np.asarray(left).reshape(-1)) == list(np.asarray(right).reshape(-1))


def test_there_are_trees_and_all_kinds_of_joints():
    assert any(link.parent not in (BASE, index - 1) for robot in ROBOTS for index, link in enumerate(robot.links))
    assert len({joint.kind for robot in ROBOTS for joint in robot.joints}) > 1


@every
def test_twists_and_joint_forces(robot):
    denoc, form = both(robot)
    x, wrenches = random_vector(form, "x", form.nv), random_vector(form, "w", 6 * denoc.n)
    assert same([np.concatenate(twist) for twist in form.motions(x)], denoc.N.dot(x))
    split = {i: (wrenches[6 * i : 6 * i + 3], wrenches[6 * i + 3 : 6 * i + 6]) for i in range(denoc.n)}
    assert same(form.forces(split), denoc.N.T.dot(wrenches))


@every
def test_equations_of_motion(robot):
    denoc, form = both(robot)
    x = random_vector(form, "x", form.nv)
    assert same(form.inertia_times(x), denoc.inertia_matrix.dot(x))
    assert same(form.convective_forces, denoc.convective_forces)
    assert same(form.gravity_forces, denoc.gravity_forces)


def pose(denoc, frame):
    """(Q, origin) of a frame, as the dense blocks have its body."""
    own = frame.rotation.matrix(denoc.domain)
    if frame.body == BASE:
        return own, frame.position
    body = denoc.bodies[frame.body]
    Q = body.rotation.matrix(denoc.domain)
    return Q.dot(own), body.origin + Q.dot(frame.position)


def rows(matrix, frame):
    return matrix[6 * frame.body : 6 * frame.body + 6]


@every
def test_external_wrenches(robot):
    denoc, form = both(robot)
    total = zeros(form.domain, form.nv)
    for frame, wrench in form.mechanism.wrenches:
        if frame.body != BASE:
            Q, origin = pose(denoc, frame)
            A = twist_propagation(form.domain, denoc.bodies[frame.body].point - origin)
            turned = vector([*Q.dot(wrench[:3]), *Q.dot(wrench[3:])])
            total = total + rows(denoc.N, frame).T.dot(A.T.dot(turned))
    assert same(form.load_forces, total)


@every
def test_frames(robot):
    denoc, form = both(robot)
    for frame in form.mechanism.frames:
        found, (Q, origin) = form.frame_pose(frame), pose(denoc, frame)
        assert same(found.rotation, Q)
        assert same(found.origin, origin)
        if frame.body == BASE:
            assert not any(entry.value for entry in [*form.jacobian(frame).flat, *form.jacobian_rate(frame).flat])
            continue
        A = twist_propagation(form.domain, denoc.bodies[frame.body].point - origin)
        J = A.dot(rows(denoc.N, frame))
        assert same(form.jacobian(frame), J)
        A_dot = zeros(form.domain, 6, 6)
        A_dot[3:, :3] = cross_matrix((rows(denoc.twist, frame) - J.dot(denoc.velocity))[3:])
        assert same(form.jacobian_rate(frame), A_dot.dot(rows(denoc.N, frame)) + A.dot(rows(denoc.N_dot, frame)))


@every
def test_rates_are_derivatives(robot):
    """Along q̇: of a Jacobian, and of N x in Ṅ x, by dual numbers."""
    field = PrimeField()
    still = BlockForm(mechanism(robot, field))
    ways = {("q", index): rate for index, rate in enumerate(still.velocity)}
    moving = BlockForm(mechanism(robot, Duals(field, ways)))
    for frame in still.mechanism.frames:
        slopes = [entry.slope for entry in moving.jacobian(moving.mechanism.frame(frame.name)).flat]
        assert same(still.jacobian_rate(frame), slopes)
