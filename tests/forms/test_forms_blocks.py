"""The block matrices against numbers in base axes that share nothing with them, in both axes, about both points."""

from functools import cache

import numpy as np
import pytest
from block_numbers import Blocks
from form_robots import FIXED_TREE, SLIDES, TREE, robot, state

import symgen

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


# In base axes the masses of single bodies are long already, and elimination makes them longer: small robots only.
SMALL = ("scara", "planar3r+", TREE)
ARTICULATED = [(name, *choice) for name in SMALL for choice in CHOICES]
ARTICULATED += [(name, "link", "origin") for name in ("puma", SLIDES, FIXED_TREE)]


@pytest.mark.parametrize("choice", ARTICULATED, ids=lambda choice: "-".join(map(str, choice)))
def test_articulated_bodies(choice):
    case = Case(*choice)
    for i, (inertia, U, D) in enumerate(case.blocks.articulated):
        R = case.axes[i]
        case.check(case.form.articulated_mass_matrices[i], R.T @ inertia @ R)
        case.check(case.form.psi_hats[i], R.T @ U)
        assert case.form.D.values(case.q)[i] == pytest.approx(D, rel=1e-11)
