"""The block matrices against numbers in base axes that share nothing with them, in both axes, about both points."""

from functools import cache

import numpy as np
import pytest
from block_numbers import Blocks
from form_robots import FIXED_TREE, SLIDES, TREE, robot, state

import symgen
from symgen.verify.oracle import Oracle

ROBOTS = ("scara", "puma", "planar3r+", TREE)
CHOICES = [(axes, reference) for axes in ("link", "base") for reference in ("origin", "mass_centre")]


@cache
def closed(name, axes, reference):
    return symgen.closed_form(robot(name), axes=axes, reference=reference, parameters="numeric")


class Case:
    """A closed form, the numbers it must have, and how these are turned into its axes."""

    def __init__(self, name, axes, reference):
        self.q, self.qd, _ = state(robot(name))
        self.form = closed(name, axes, reference)
        self.blocks = Blocks(robot(name), self.q, self.qd, reference)
        self.n = self.blocks.n
        self.axes = [np.eye(6) if axes == "base" else self.blocks.turned(i) for i in range(self.n)]
        self.all_axes = np.zeros((6 * self.n, 6 * self.n))
        for i in range(self.n):
            self.all_axes[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = self.axes[i]

    def check(self, form, expected):
        found = form.values(self.q, self.qd)
        assert found.shape == expected.shape
        assert np.allclose(found, expected, rtol=0, atol=1e-11 * max(1, np.abs(expected).max())), form


@pytest.fixture(params=CHOICES, ids="-".join)
def choice(request):
    return request.param


@pytest.fixture(params=ROBOTS, ids=str)
def case(request, choice):
    return Case(request.param, *choice)


def test_kinematics(case):
    form, blocks, n = case.form, case.blocks, case.n
    case.check(form.N_l, case.all_axes.T @ blocks.N_l @ case.all_axes)
    case.check(form.N_d, case.all_axes.T @ blocks.N_d)
    case.check(form.N, case.all_axes.T @ blocks.N)
    for i in range(n):
        case.check(form.joint_motions[i], case.axes[i].T @ blocks.column(i))
        for j in range(n):
            if blocks.carries(j, i):
                expected = case.axes[i].T @ blocks.propagation(i, j) @ case.axes[j]
                case.check(form.twist_propagations[i, j], expected)


def test_masses(case):
    for i in range(case.n):
        R = case.axes[i]
        case.check(case.form.mass_matrices[i], R.T @ case.blocks.M[i] @ R)
        case.check(case.form.composite_mass_matrices[i], R.T @ case.blocks.composite(i) @ R)
        case.check(case.form.angular_velocity_matrices[i], R.T @ case.blocks.spin(i) @ R)
        case.check(case.form.coupling_matrices[i], np.diag([1.0, 1, 1, 0, 0, 0]))


ARTICULATED = [(name, *choice) for name in ("scara", "planar3r+", TREE) for choice in CHOICES]
ARTICULATED += [("puma", "base", "mass_centre"), (SLIDES, "link", "origin"), (FIXED_TREE, "base", "mass_centre")]
articulated = pytest.mark.parametrize("choices", ARTICULATED, ids=lambda choices: "-".join(map(str, choices)))


@articulated
def test_articulated_bodies(choices):
    case = Case(*choices)
    form, blocks = case.form, case.blocks
    for i, (inertia, U, D) in enumerate(blocks.articulated):
        R, p = case.axes[i], blocks.column(i)
        case.check(form.articulated_mass_matrices[i], R.T @ inertia @ R)
        case.check(form.psi_hats[i], R.T @ U)
        case.check(form.psi[i], R.T @ U / D)
        transmitted = inertia - np.outer(U, U) / D
        case.check(form.transmitted_mass_matrices[i], R.T @ transmitted @ R)
        if not blocks.rotors[i]:
            assert np.allclose(transmitted @ p, 0, atol=1e-11 * np.abs(inertia).max())
        assert form.D.values(case.q)[i] == pytest.approx(D, rel=1e-11)


@articulated
def test_the_papers_forward_dynamics(choices):
    """η is N_lᵀ of the wrenches ψ φ̂, and μ̃ is N q̈, with the accelerations of the oracle's inertia matrix and bias."""
    case = Case(*choices)
    form, blocks, oracle = case.form, case.blocks, Oracle(robot(choices[0]))
    tau = np.linspace(-1, 2, case.n)
    inertia = oracle.inertia_matrix(case.q)
    rest = oracle.inverse_dynamics(case.q, case.qd, 0 * case.qd)
    acceleration = np.linalg.solve(inertia, tau - rest)
    tolerance = 1e-9 * max(1, np.abs(acceleration).max()) * max(1, np.abs(tau - rest).max())

    def check(quantity, expected):
        assert np.allclose(quantity.values(case.q, case.qd, tau=tau), expected, rtol=0, atol=tolerance), quantity

    phi_hat = np.linalg.solve(form.U.values(case.q), tau - rest)
    check(form.phi, tau - rest)
    check(form.phi_hat, phi_hat)
    check(form.phi_tilde, phi_hat / form.D.values(case.q))
    check(form.forward_dynamics, acceleration)
    wrenches = [U / D * force for (_, U, D), force in zip(blocks.articulated, phi_hat, strict=True)]
    etas, mus = blocks.N_l.T @ np.concatenate(wrenches), blocks.N @ acceleration
    for i, R in enumerate(case.axes):
        check(form.etas[i], R.T @ etas[6 * i : 6 * i + 6])
        check(form.mus[i], R.T @ mus[6 * i : 6 * i + 6])
