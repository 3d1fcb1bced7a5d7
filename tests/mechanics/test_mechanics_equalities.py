"""All formulations are the same functions: proved in the prime field, for library robots and random ones."""

import numpy as np
import pytest
from proving import SEEDS, TREES, equal, identity_matrix, inverse_dynamics, library, mechanism, rates, times, zero
from strategies import screw_robot, seeded_robot

from symgen.algebra.domain import Floats, vector
from symgen.mechanics import articulated, composite, factorization
from symgen.mechanics.convective import convective_inertia_matrix
from symgen.mechanics.coriolis import mass_centre_matrix
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.elimination import articulated_bodies, upper_factor
from symgen.mechanics.forward_recursion import driving_forces, forward_recursion
from symgen.mechanics.functions.forces import BIAS_TORQUE
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.link_denoc import LinkDenoc
from symgen.mechanics.reference_points import MASS_CENTRE, ORIGIN
from symgen.robot.library import chain, load
from symgen.robot.model import BASE, JointKind

SCREWS = (0, 1)
"""Seeds of random robots with helical and cylindrical joints."""

ROBOTS = [*library(), *(seeded_robot(seed) for seed in SEEDS), *map(screw_robot, SCREWS), chain(7, prismatic=(2, 5))]


def _cases():
    for robot in ROBOTS:
        for symbolic in (False, True):
            yield pytest.param(robot, symbolic, id=f"{robot.name}{'-symbolic' if symbolic else ''}")


every = pytest.mark.parametrize(("robot", "symbolic"), list(_cases()))


def test_the_robots_are_of_all_kinds():
    """Of screws about z and their products; trees of all kinds of joints are held against Pinocchio."""
    kinds = {joint.kind for robot in ROBOTS for joint in (link.joint for link in robot.links)}
    assert kinds >= {kind for kind in JointKind if kind.stands_for} - {JointKind.CONTINUOUS}
    assert {robot.convention for robot in ROBOTS} == {"standard", "modified"}
    assert len(TREES) == 7


@every
def test_newton_euler_is_the_block_form(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    for reference in (ORIGIN, MASS_CENTRE):
        denoc = Denoc(arm, reference)
        push = times(denoc.inertia_matrix, rates(arm)[1])
        assert equal(inverse_dynamics(arm), push + denoc.convective_forces + denoc.gravity_forces)


@every
def test_composite_bodies_give_the_inertia_matrix(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    matrix = composite.inertia_matrix(arm)
    for reference in (ORIGIN, MASS_CENTRE):
        denoc = Denoc(arm, reference)
        assert equal(matrix, denoc.inertia_matrix)
        assert equal(matrix, [[denoc.inertia_entry(i, j) for j in range(arm.nv)] for i in range(arm.nv)])
    assert equal(matrix, matrix.T)


@every
def test_an_entry_alone_is_that_of_the_matrix(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    entries = [[composite.inertia_entry(arm, i, j) for j in range(arm.nv)] for i in range(arm.nv)]
    assert equal(composite.inertia_matrix(arm), entries)


@every
def test_blocks_in_link_axes_give_the_same_matrices(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    matrix = composite.inertia_matrix(arm)
    for reference in (ORIGIN, MASS_CENTRE):
        denoc, link = Denoc(arm, reference), LinkDenoc(arm, reference)
        assert equal(link.inertia_matrix, matrix)
        assert equal(matrix, [[link.inertia_entry(i, j) for j in range(arm.nv)] for i in range(arm.nv)])
        for i, body in enumerate(denoc.bodies):
            turned = [x for part in (link.twist[6 * i : 6 * i + 3], link.twist[6 * i + 3 : 6 * i + 6])
                      for x in body.rotation.to_parent(part)]  # fmt: skip
            assert equal(turned, denoc.twist[6 * i : 6 * i + 6])


@every
def test_recursions_give_the_papers_matrices_of_convective_inertia(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    velocity, _ = rates(arm)
    assert equal(mass_centre_matrix(arm, velocity), Denoc(arm, MASS_CENTRE).convective_inertia)
    assert equal(convective_inertia_matrix(arm, velocity), Denoc(arm, ORIGIN).convective_inertia)


@every
def test_factors_are_those_of_articulated_bodies(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    matrix = composite.inertia_matrix(arm)
    factors = factorization.factorize(arm.domain, matrix)
    denoc = Denoc(arm)
    blocks = articulated_bodies(denoc)
    U, pivots = factors.U, factors.pivots
    assert equal(U, upper_factor(denoc, blocks))
    assert equal(pivots, blocks.pivots)
    assert equal([r * m for r, m in zip(factors.reciprocals, pivots, strict=True)], [arm.domain.constant(1)] * arm.nv)
    assert equal(np.dot(U * np.array(pivots, dtype=object), U.T), matrix)
    assert zero([U[i, j] for i in range(arm.nv) for j in range(i)])
    assert equal([U[i, i] for i in range(arm.nv)], [arm.domain.constant(1)] * arm.nv)


@every
def test_forward_dynamics_inverts_inverse_dynamics(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    acceleration = rates(arm)[1]
    forces = [a - b for a, b in zip(inverse_dynamics(arm), bias(arm), strict=True)]
    factors = factorization.factorize(arm.domain, composite.inertia_matrix(arm))
    assert equal(factorization.solve(factors, forces), acceleration)
    assert equal(articulated.forward_dynamics(arm, forces), acceleration)
    assert equal(
        np.dot(factorization.unit_inverse(arm.domain, factors.U), factors.U), identity_matrix(arm.domain, arm.nv)
    )


@every
@pytest.mark.parametrize("kind", [Denoc, LinkDenoc])
@pytest.mark.parametrize("reference", [ORIGIN, MASS_CENTRE])
def test_the_papers_recursion_gives_forward_dynamics(robot, symbolic, kind, reference):
    """φ̂ = U⁻¹ φ, φ̃ = D⁻¹ φ̂ and q̈, and what η_i and μ̃_i mean: N_lᵀ of ψ φ̂, and N q̈."""
    arm = mechanism(robot, symbolic=symbolic)
    denoc = kind(arm, reference)
    bodies, acceleration = articulated_bodies(denoc), rates(arm)[1]
    phi = times(denoc.inertia_matrix, acceleration)
    found = forward_recursion(denoc, bodies, phi)
    assert equal(times(upper_factor(denoc, bodies), found.phi_hat), phi)
    assert equal(found.phi_tilde * vector(bodies.pivots), found.phi_hat)
    assert equal(found.accelerations, acceleration)
    assert equal(np.concatenate(found.mus), times(denoc.N, acceleration))
    pushes = [psi * force for psi, force in zip(bodies.psis, found.phi_hat, strict=True)]
    assert equal(np.concatenate(found.etas), times(denoc.N_l.T, np.concatenate(pushes)))


@every
def test_driving_forces_are_what_accelerates(robot, symbolic):
    arm = mechanism(robot, symbolic=symbolic)
    velocity, _ = rates(arm)
    tau = [arm.domain.variable("tau", index) for index in range(arm.nv)]
    left = [a - b - c for a, b, c in zip(tau, bias(arm), arm.drive_forces(velocity), strict=True)]
    assert equal(driving_forces(arm, velocity), left)


def bias(arm):
    (formulation,) = (each for each in BIAS_TORQUE.formulations if each.trees)
    return list(formulation.derive(arm)[0])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("reference", [ORIGIN, MASS_CENTRE])
def test_blocks_of_the_natural_orthogonal_complement(seed, reference):
    denoc = Denoc(mechanism(seeded_robot(seed)), reference)
    bodies = range(denoc.n)
    one = identity_matrix(denoc.domain, 6)
    assert equal(denoc.N, np.dot(denoc.N_l, denoc.N_d))
    for i in bodies:
        assert equal(denoc.propagation(i, i), one)
        for j in bodies:
            assert equal(np.dot(denoc.propagation(i, j), denoc.propagation(j, i)), one)
            block = denoc.N_l[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]
            assert equal(block, denoc.propagation(i, j)) if denoc.carries(j, i) else zero(block)
            for k in bodies:
                chained = np.dot(denoc.propagation(i, j), denoc.propagation(j, k))
                assert equal(chained, denoc.propagation(i, k))


@pytest.mark.parametrize("seed", SEEDS)
def test_who_carries_whom(seed):
    arm = mechanism(seeded_robot(seed))
    denoc = Denoc(arm)
    for i, body in enumerate(arm.bodies):
        ancestors = list(arm.ancestors(i))
        assert [j for j in range(denoc.n) if denoc.carries(j, i)] == sorted([i, *ancestors])
        assert ancestors[:1] == [body.parent] * (body.parent != BASE)


@pytest.mark.parametrize("seed", TREES)
def test_branches_do_not_couple(seed):
    arm = mechanism(seeded_robot(seed))
    matrix = composite.inertia_matrix(arm)
    owner = {index: i for i, body in enumerate(arm.bodies) for index in body.velocities}
    denoc = Denoc(arm)
    apart = [
        (i, j)
        for i in range(arm.nv)
        for j in range(arm.nv)
        if not denoc.carries(owner[i], owner[j]) and not denoc.carries(owner[j], owner[i])
    ]
    assert zero([matrix[i, j] for i, j in apart])
    assert zero([factorization.factorize(arm.domain, matrix).U[i, j] for i, j in apart])


def test_joint_without_inertia_is_named():
    robot = load("planar2r")
    massless = robot.links[1].inertia.__class__
    zeros_ = (robot.gravity[0],) * 3
    link = robot.links[1].__class__(
        **{**vars(robot.links[1]), "inertia": massless(robot.gravity[0], zeros_, (robot.gravity[0],) * 6, False)}
    )
    hollow = robot.__class__(**{**vars(robot), "links": (robot.links[0], link)})
    arm = mechanism(hollow)
    with pytest.raises(factorization.ZeroPivotError, match="joint 2") as caught:
        factorization.factorize(arm.domain, composite.inertia_matrix(arm))
    assert caught.value.joint == 1
    with pytest.raises(factorization.ZeroPivotError, match="joint 2"):
        articulated.forward_dynamics(arm, [arm.domain.constant(1)] * 2)


@pytest.mark.parametrize("name", ["puma", "scara", "panda", "planar2r"])
def test_numbers_run_through_the_same_formulas(name):
    robot = load(name)
    chance = np.random.default_rng(4)
    state = {key: chance.uniform(-2, 2, robot.nv) for key in ("q", "qd", "qdd")}
    arm = instantiate(robot, Floats(state))
    denoc = Denoc(arm)
    matrix = composite.inertia_matrix(arm).astype(float)
    np.testing.assert_allclose(matrix, denoc.inertia_matrix.astype(float), rtol=1e-12, atol=1e-12)
    assert (np.linalg.eigvalsh(matrix) > 0).all()
    torque = np.array(inverse_dynamics(arm), dtype=float)
    expected = matrix @ state["qdd"] + denoc.convective_forces.astype(float) + denoc.gravity_forces.astype(float)
    np.testing.assert_allclose(torque, expected, rtol=1e-10, atol=1e-10)
