"""Simulations and moves of robots with free joints: q̇ is not the velocities, quaternions have length 1."""

from __future__ import annotations

import numpy as np
import pytest
from free_robots import FREE, module

import symgen
from symgen.errors import InputError
from symgen.simulation.display import simulation_summary, trajectory_summary
from symgen.simulation.plots import simulation_picture

AT = {
    "floating": [0.3, -0.2, 0.5, 0.1, 0.7, -0.5, 0.5, 0.4],
    "spherical": [0.1, 0.7, -0.5, 0.5, 0.4],
    "planar": [0.3, -0.2, 1.1, 0.4],
}
TO = {
    "floating": [1.0, 0.2, -0.5, -0.5, 0.1, 0.5, 0.7, 1.0],
    "spherical": [-0.5, 0.1, 0.5, 0.7, 1.0],
    "planar": [1.0, 0.2, 4.0, 1.0],
}
VELOCITY = [0.5, -1.0, 0.8, 2.0, -1.5, 1.0, 0.7]

free = pytest.mark.parametrize("kind", FREE)


def rotation(q):
    """R of a quaternion x y z w by Rodrigues' formula."""
    x, y, z, w = np.asarray(q) / np.linalg.norm(q)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def test_a_floating_body_without_gravity_keeps_energy_and_momentum():
    mass, com, tensor = 3.0, np.array([0.1, 0, 0.02]), np.array([[0.1, 0.01, 0], [0.01, 0.2, 0.003], [0, 0.003, 0.15]])
    found = symgen.simulate(
        module("floating", gravity="[0, 0, 0]", arm=False), 3.0, q0=AT["floating"][:7], qd0=VELOCITY[:6], samples=7
    )
    momenta = []
    for q, qd in zip(found.q, found.qd, strict=True):
        axes, v, w = rotation(q[3:]), qd[:3], qd[3:]
        linear = mass * axes @ (v + np.cross(w, com))
        momenta.append([*linear, *(np.cross(q[:3] + axes @ com, linear) + axes @ tensor @ w)])
    np.testing.assert_allclose(momenta, [momenta[0]] * len(momenta), atol=1e-9)
    np.testing.assert_allclose(found.kinetic_energy, found.kinetic_energy[0], atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(found.q[:, 3:], axis=1), 1, atol=1e-15)
    assert np.abs(found.q[-1] - found.q[0]).max() > 0.5


def test_a_body_falls_by_half_g_t_squared_however_its_axes_are_turned():
    """Gravity is along the base's z; the joint's frame is turned by 60° about x against it."""
    found = symgen.simulate(
        module("floating", com="[0, 0, 0]", arm=False), 1.0, q0=[0, 0, 0, *AT["floating"][3:7]], samples=5
    )
    down = np.array([0, np.sin(np.pi / 3), np.cos(np.pi / 3)])
    fall = -9.81 / 2 * found.t[:, None] ** 2
    np.testing.assert_allclose(found.q[:, :3], fall * down, atol=1e-11)
    axes = rotation(found.q[-1, 3:])
    np.testing.assert_allclose(found.qd[-1], [*(-9.81 * axes.T @ down), 0, 0, 0], atol=1e-10)


@free
def test_the_rates_of_positions_are_those_of_the_motion(kind):
    made = module(kind)
    path = symgen.follow(made, start=AT[kind], end=TO[kind], duration=1.5, samples=2001)
    for values, rates in ((path.q, made.position_rates(path.q, path.qd)), (path.qd, path.qdd)):
        slopes = np.gradient(values, path.t, axis=0, edge_order=2)
        np.testing.assert_allclose(slopes, rates, atol=2e-4)
    for k, end in ((0, AT), (-1, TO)):
        unit = np.array(end[kind], dtype=float)
        if place := made.record.free[0].quaternion:
            unit[place] *= np.sign(unit[place] @ path.q[k, place]) / np.linalg.norm(unit[place])
        np.testing.assert_allclose(path.q[k], unit, atol=1e-14)


@free
def test_the_forces_along_a_move_give_the_move(kind):
    made = module(kind)
    path = symgen.follow(made, start=AT[kind], end=TO[kind], duration=1.0, samples=401)
    found = symgen.simulate(made, None, tau=path, q0=AT[kind], qd0=np.zeros(made.nv), samples=3, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(found.q[-1], path.q[-1], atol=1e-6)
    np.testing.assert_allclose(found.drift, 0, atol=1e-6)


@free
def test_free_joints_rest_where_nobody_says_more(kind):
    made = module(kind)
    path = symgen.follow(made, samples=3)
    assert path.q[:, :-1].tolist() == [list(made.neutral[:-1])] * 3
    assert symgen.simulate(made, 0.01, samples=2).q[0].tolist() == made.neutral.tolist()


@free
def test_a_motion_of_samples_needs_velocities(kind):
    made = module(kind)
    path = symgen.follow(made, start=AT[kind], end=TO[kind], duration=1.5, samples=301)
    columns = {name: values for name, values in path.columns.items() if not name.startswith(("qdd", "tau"))}
    assert list(columns)[1 : made.nq + 1] == [f"q{k + 1}" for k in range(made.nq)]
    found = symgen.follow(made, motion=columns)
    assert found.derived == ("qdd",)
    np.testing.assert_allclose(found.tau, path.tau, atol=1e-4)
    named = {made.positions[k].name: path.q[:, k] for k in range(made.nq)}
    with pytest.raises(InputError, match=r"qd1 to qd\d are missing; velocities of free joints \(base\)"):
        symgen.follow(made, motion={"t": path.t, **named})


@pytest.mark.parametrize(
    ("q0", "message"),
    [
        ([0] * 8, r"q0: the quaternion of base is 0; expected x, y, z, w"),
        ([0] * 7, r"q0: expected 8 numbers, for base_x, .*base_qw, elbow; found 7"),
        ([0, 0, 0, 0, 0, 0, np.nan, 0], r"q0: expected a finite number for base_qw"),
    ],
)
def test_wrong_configurations_are_refused(q0, message):
    with pytest.raises(InputError, match=message):
        symgen.simulate(module("floating"), 1.0, q0=q0)


def test_wrong_arrays_are_refused():
    with pytest.raises(InputError, match=r"q: expected shape \(…, 8\), found \(7,\)"):
        module("floating").position_rates(np.zeros(7), np.zeros(7))
    with pytest.raises(InputError, match="do not broadcast"):
        module("floating").position_rates(np.zeros((2, 8)), np.zeros((3, 7)))
    with pytest.raises(ValueError, match=r"q has shape \(7,\), expected \(..., 8\)"):
        module("floating").inverse_dynamics(*np.zeros((3, 7)))


def test_pictures_and_summaries_name_entries_of_q_and_joints():
    made = module("floating")
    found = symgen.simulate(made, 0.1, samples=3)
    titles = [axes.get_title(loc="left") for axes in simulation_picture(found).figure.axes]
    assert titles[-4:] == ["base_qw position", "elbow position", "elbow velocity", "change of the energy"]
    assert len(titles) == 8 + 7 + 1
    assert [each["name"] for each in simulation_summary(found)["positions"]] == [each.name for each in made.positions]
    summary = trajectory_summary(symgen.follow(made, end=TO["floating"], samples=3))
    assert summary["positions"][0] == {"name": "base_x", "from": 0.0, "to": 1.0, "unit": "m"}
    assert "from" not in summary["joints"][0]
