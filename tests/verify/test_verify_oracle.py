"""The oracle itself: shapes, batches, and physics that needs no second implementation."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import symgen.verify
from symgen.robot import library
from symgen.verify.compare import ARGUMENTS
from symgen.verify.oracle import Oracle


@pytest.fixture(scope="module", params=["puma", "stanford", "panda", "scara", "ur5"])
def oracle(request):
    return Oracle(library.load(request.param))


def states(oracle, shape, seed=0):
    q, qd, qdd, tau = np.random.default_rng(seed).uniform(-1, 1, (4, *shape, oracle.robot.nv))
    return {"q": q, "qd": qd, "qdd": qdd, "tau": tau}


def call(oracle, name, at):
    return getattr(oracle, name)(*(at[argument] for argument in ARGUMENTS[name]))


@pytest.mark.parametrize("name", [name for name in tuple(ARGUMENTS)[:8] if name != "hybrid_dynamics"])
def test_batches_are_single_calls_and_broadcast(oracle, name):
    at = states(oracle, (2, 3))
    batch = call(oracle, name, at)
    n = oracle.robot.nv
    assert batch.shape == ((2, 3, n, n) if name.endswith("_matrix") else (2, 3, n))
    for index in np.ndindex(2, 3):
        single = call(oracle, name, {key: value[index] for key, value in at.items()})
        np.testing.assert_allclose(batch[index], single, rtol=0, atol=1e-12)
    if "qd" in ARGUMENTS[name]:
        one_q = call(oracle, name, at | {"q": at["q"][1, 2]})
        assert one_q.shape == batch.shape
        np.testing.assert_allclose(one_q[1, 2], batch[1, 2], rtol=0, atol=1e-12)


def test_frames_and_axes_have_one_entry_each(oracle):
    q, n = states(oracle, (4,))["q"], oracle.robot.nv
    frames = oracle.frames(q)
    assert frames.shape == (4, len(oracle.robot.links), 4, 4)
    turns = frames[..., :3, :3]
    np.testing.assert_allclose(turns @ np.swapaxes(turns, -1, -2), np.broadcast_to(np.eye(3), turns.shape), atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(oracle.axes(q), axis=-1), np.ones((4, n)), rtol=1e-14)


def test_right_angles_are_exact():
    frames = Oracle(library.load("puma")).frames(np.zeros(6))
    assert np.isin(frames[:, :3, :3], (-1, 0, 1)).all()


def test_power_of_the_convective_forces_is_that_of_the_changing_inertia(oracle):
    """q̇ᵀ h = q̇ᵀ İ q̇ / 2, with İ by central differences."""
    at = states(oracle, (20,))
    step = 1e-6
    rate = oracle.inertia_matrix(at["q"] + step * at["qd"]) - oracle.inertia_matrix(at["q"] - step * at["qd"])
    expected = np.einsum("...i,...ij,...j->...", at["qd"], rate / (2 * step), at["qd"]) / 2
    found = np.sum(at["qd"] * oracle.coriolis_torque(at["q"], at["qd"]), axis=-1)
    np.testing.assert_allclose(found, expected, atol=1e-7)


def test_gravity_is_the_slope_of_the_potential_energy(oracle):
    q, n, step = states(oracle, (20,))["q"], oracle.robot.nv, 1e-6

    def energy(q):
        return -np.einsum("l,...lx,x->...", oracle.masses, oracle.geometry(q).centres, oracle.gravity)

    slopes = [(energy(q + step * unit) - energy(q - step * unit)) / (2 * step) for unit in np.eye(n)]
    np.testing.assert_allclose(oracle.gravity_torque(q), np.stack(slopes, axis=-1), atol=1e-7)


def test_kinetic_energy_is_that_of_the_bodies(oracle):
    at, step = states(oracle, (10,)), 1e-6
    ahead, behind = (oracle.geometry(at["q"] + sign * step * at["qd"]) for sign in (1, -1))
    velocity = (ahead.centres - behind.centres) / (2 * step)
    turn = (ahead.frames - behind.frames)[..., :3, :3] / (2 * step)
    here = oracle.geometry(at["q"])
    cross = turn @ np.swapaxes(here.frames[..., :3, :3], -1, -2)
    spin = np.stack([cross[..., 2, 1], cross[..., 0, 2], cross[..., 1, 0]], axis=-1)
    energy = np.einsum("l,...lx,...lx->...", oracle.masses, velocity, velocity) / 2
    energy = energy + np.einsum("...lx,...lxy,...ly->...", spin, here.inertia, spin) / 2
    matrix = oracle.inertia_matrix(at["q"])
    np.testing.assert_allclose(np.einsum("...i,...ij,...j->...", at["qd"], matrix, at["qd"]) / 2, energy, atol=1e-7)


def test_parameters_have_their_defaults():
    matrix = Oracle(library.load("planar2r")).inertia_matrix(np.array([0.3, np.pi / 2]))
    m1, m2, l1, l2 = 2, 1.5, 0.5, 0.4
    np.testing.assert_allclose(matrix[1, 1], m2 * l2**2 / 3, rtol=1e-14)
    np.testing.assert_allclose(matrix[0, 0], (m1 / 3 + m2) * l1**2 + m2 * l2**2 / 3, rtol=1e-14)


def test_no_code_is_shared_with_what_is_verified():
    allowed = ("symgen.robot", "symgen.verify", "symgen.errors")
    for file in Path(symgen.verify.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []
            assert all(name.startswith(allowed) or not name.startswith("symgen") for name in names), (file, names)
