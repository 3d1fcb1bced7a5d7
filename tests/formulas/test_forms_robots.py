"""Robots out of the ordinary: many joints, one joint, slides only, fixed links, tools, massless links."""

import numpy as np
import pytest
from hypothesis import given, settings
from robot_text import MASSLESS, frame, head, link
from strategies import robots

import symgen
from symgen.formulas.catalogue import BODY, CATALOGUE, PAIR
from symgen.robot.library import chain
from symgen.robot.reader import read_text
from symgen.verify.oracle import Oracle

TOOL = '[tool]\nxyz = [0, 0.1, "1/3"]\nrpy = [0.3, 0, "pi/2"]\n'
BASE = '[base]\nxyz = [1, 0, "1/2"]\nrpy = [0, "pi/2", 0.2]\n'

TEXTS = {
    "one joint": head() + link(alpha="0.3"),
    "one slide": head(gravity="[1, 2, -9]") + link(joint='"prismatic"', theta="0.2"),
    "three slides": head(gravity="[0, 3, -9]")
    + link(joint='"prismatic"', alpha='"pi/2"')
    + link(name='"b"', joint='"prismatic"', alpha="0.3", theta='"pi/5"')
    + link(name='"c"', joint='"prismatic"'),
    "fixed links": BASE
    + head()
    + link(joint='"fixed"', theta="0.3", alpha='"pi/2"')
    + link(name='"b"')
    + link(name='"c"', joint='"fixed"', theta='"pi/3"', alpha="0.2")
    + link(name='"d"')
    + link(name='"e"', joint='"fixed"', theta="0"),
    "tool and frames": head() + TOOL + link() + link(name='"b"', alpha='"pi/2"') + frame(name='"eye"', link='"link1"'),
    "massless between": head() + link() + link(name='"b"', alpha='"pi/2"', **MASSLESS) + link(name='"c"'),
    "branches": head() + link() + link(name='"b"', alpha='"pi/2"') + link(name='"c"', parent='"link1"', alpha="0.4"),
    "branches from the base": head() + link() + link(name='"b"', parent='"base"', alpha="0.2"),
    "screws": head(gravity="[0, 3, -9]")
    + link(joint='"helical"', pitch="0.1", alpha="0.3", b="0.2", offset="0.4")
    + link(name='"b"', joint='"cylindrical"', direction="-1", b="0.2", offset="0.1"),
    "no gravity": head(gravity="[0, 0, 0]") + link() + link(name='"b"'),
    "gravity askew": head(gravity="[1, -2, 3]") + link(alpha="0.4") + link(name='"b"'),
}


def arm(name):
    text = TEXTS[name]
    if name == "fixed links":  # tables come before the links
        text = head() + BASE + text[len(BASE) + len(head()) :]
    return read_text(text, name)


def agree(found, expected):
    assert np.allclose(found, expected, rtol=0, atol=1e-10 * max(1, np.abs(expected).max(initial=0)))


def check_dynamics(robot, **options):
    q, qd, qdd = np.random.default_rng(3).uniform(-1, 1, (3, robot.nv))
    forms, oracle = symgen.closed_form(robot, **options), Oracle(robot)
    agree(forms.inertia_matrix.values(q), oracle.inertia_matrix(q))
    agree(forms.inverse_dynamics.values(q, qd, qdd), oracle.inverse_dynamics(q, qd, qdd))
    agree(forms.coriolis_matrix.values(q, qd), oracle.coriolis_matrix(q, qd))
    for item in robot.all_frames:
        agree(forms.forward_kinematics(item.name).values(q), oracle.forward_kinematics(q, [item.name])[0])


@pytest.mark.parametrize("inertia", ["file", "base"])
@pytest.mark.parametrize("name", TEXTS)
def test_dynamics(name, inertia):
    check_dynamics(arm(name), inertia=inertia)


@pytest.mark.parametrize(
    "name", ["one joint", "three slides", "tool and frames", "massless between", "branches", "screws"]
)
def test_every_quantity_can_be_written(name):
    forms = symgen.closed_form(arm(name))
    for quantity, item in CATALOGUE.items():
        bodies = {BODY: [0], PAIR: [0, 0]}.get(item.of, [])
        form = forms.quantity(quantity, bodies)
        assert form.text(40)
        assert form.latex(40).count("{") == form.latex(40).count("}")
        assert form.structure.text()
        assert form.label.name in repr(form)
        assert form._repr_html_().startswith("<div>")
        assert np.isfinite(form.values()).all()
        assert form.matrix.shape == (*form.shape, 1, 1)[:2]


def test_slides_have_constant_inertia_and_no_convective_forces():
    forms = symgen.closed_form(arm("three slides"))
    assert all(all(row) for row in forms.inertia_matrix.structure.constant)
    assert all(all(row) for row in forms.coriolis_matrix.structure.zero)
    assert forms.coriolis_torque.text() == "coriolis_torque = 0"


def test_different_branches_do_not_meet():
    forms = symgen.closed_form(arm("branches from the base"))
    assert forms.inertia_matrix.structure.zero == [[False, True], [True, False]]
    assert symgen.closed_form(arm("branches")).U.structure.zero[1] == [True, False, True]


@settings(max_examples=10, deadline=None, derandomize=True)
@given(robots(max_joints=2))
def test_random_robots(robot):
    check_dynamics(robot, parameters="numeric")


@settings(max_examples=6, deadline=None, derandomize=True)
@given(robots(max_joints=2))
def test_random_robots_in_base_parameters(robot):
    check_dynamics(robot, inertia="base")


# ten joints and more ------------------------------------------------------------------------------------


def test_many_joints():
    robot = chain(12)
    forms, oracle = symgen.closed_form(robot), Oracle(robot)
    q = np.random.default_rng(1).uniform(-1, 1, 12)
    expected = oracle.inertia_matrix(q)
    for i, j in ((11, 11), (11, 10), (8, 9), (9, 11)):
        item = forms.inertia_matrix.entry(i, j)
        names = {"cos": np.cos, "sin": np.sin, "pi": np.pi} | {f"q{k + 1}": q[k] for k in range(12)}
        names |= {name: float(value) for name, value in item.subject.parameter_values().items()}
        exec("\n".join(item.python_lines("found")), names)  # our own text
        agree(names["found"], expected[i, j])
    item = forms.inertia_matrix.entry(10, 11)
    assert "s12" in item.text()
    assert "s_{12}" in item.latex()
    assert ("s12", "sin(q12)", None) in item.legend


def test_sums_of_many_angles_are_told_from_angles_of_two_digits():
    """Twelve parallel axes: c1_2 is cos(q1 + q2), c12 is cos(q12)."""
    text = head() + "".join(link(name=f'"l{k}"') for k in range(1, 13))
    forms = symgen.closed_form(read_text(text, "chain"))
    item = forms.inertia_matrix.entry(11, 8)
    legend = {name: meaning for name, meaning, _ in item.legend}
    assert legend["c10_11_12"] == "cos(q10 + q11 + q12)"
    assert legend["c12"] == "cos(q12)"
    assert "c_{10,11,12}" in item.latex()
    assert "cos(q10 + q11 + q12)" in str(item.expression)
