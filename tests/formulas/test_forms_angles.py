"""Twists and offsets as symbols: with their values put back, the formulas are those of numeric twists."""

import math
from functools import cache

import numpy as np
import pytest
import sympy
from form_robots import state
from robot_text import head, link, parameters

import symgen
from symgen.algebra.generators import constant_sympy
from symgen.formulas import showing
from symgen.robot.reader import read_text
from symgen.verify.oracle import Oracle

TENSOR = "{ xx = 0.1, yy = 0.2, zz = 0.15, xy = 0.01, xz = -0.02, yz = 0.03 }"

ARMS = {
    "planar with a twist": head(gravity="[0, -9.81, 0]") + link(alpha="0.4") + link(name='"b"', alpha="0"),
    "general twists": head()
    + link(alpha='"pi/3"', b="0.2", offset="0.7", inertia=TENSOR)
    + link(name='"b"', alpha="0.3", com="[0.1, 0.2, -0.1]", inertia=TENSOR)
    + link(name='"c"', alpha='"-pi/5"', offset='"pi/4"', com="[0.1, 0, 0.3]", inertia=TENSOR),
    "modified, with a slide": head(convention='"modified"')
    + link(alpha='"pi/3"', d="0.2", gamma=None)
    + link(name='"b"', joint='"prismatic"', alpha="0.3", theta="0.2")
    + link(name='"c"', parent='"link1"', gamma="0.5", before="0.1", alpha='"pi/2"'),
    "declared angles": head()
    + parameters(delta="0.35", phi="-0.2")
    + link(alpha='"delta"', offset='"phi"', inertia=TENSOR)
    + link(name='"b"', alpha='"2*delta - phi + pi/3"', com="[0.1, 0.2, -0.1]", inertia=TENSOR),
}

QUANTITIES = {
    "inertia_matrix": 1,
    "coriolis_torque": 2,
    "gravity_torque": 1,
    "inverse_dynamics": 3,
    "coriolis_matrix": 2,
}


@cache
def arm(name):
    return read_text(ARMS[name], name)


@cache
def closed(name, angles):
    return symgen.closed_form(arm(name), angles=angles)


@pytest.mark.parametrize("name", ARMS)
def test_values(name):
    states = state(arm(name))
    oracle = Oracle(arm(name))
    for quantity, count in QUANTITIES.items():
        numeric, symbolic = (getattr(closed(name, kind), quantity) for kind in ("numeric", "symbolic"))
        expected = getattr(oracle, quantity)(*states[:count])
        assert np.allclose(symbolic.values(*states[:count]), expected, rtol=0, atol=1e-11 * np.abs(expected).max())
        assert np.allclose(numeric.values(*states[:count]), expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    for quantity in ("U", "D", "inverse_inertia_matrix"):
        found = [getattr(closed(name, kind), quantity).values(states[0]) for kind in ("numeric", "symbolic")]
        assert np.allclose(*found, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["planar with a twist", "general twists"])
def test_other_twists(name):
    """The formulas hold for every twist: those of a robot with other ones in its table."""
    form = closed(name, "symbolic").inertia_matrix
    turned = read_text(
        ARMS[name].replace("alpha = 0.4", "alpha = 1.1").replace("alpha = 0.3", "alpha = -0.8"), "turned"
    )
    q, *_ = state(turned)
    twist = {"alpha1": 1.1} if name == "planar with a twist" else {"alpha2": -0.8}
    expected = Oracle(turned).inertia_matrix(q)
    assert np.allclose(form.values(q, parameters=twist), expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    assert not np.allclose(form.values(q), expected)


@pytest.mark.parametrize("name", ["planar with a twist", "declared angles"])
def test_exactly_equal_through_sympy(name):
    numeric, symbolic = (closed(name, kind).inertia_matrix for kind in ("numeric", "symbolic"))
    twists = {
        sympy.Symbol(key, real=True): constant_sympy(value)
        for key, value in symbolic.subject.parameter_values().items()
        if key not in numeric.subject.parameter_values()
    }
    difference = symbolic.matrix.xreplace(twists) - numeric.matrix
    point = {symbol: sympy.Rational(k + 2, k + 3) for k, symbol in enumerate(sorted(difference.free_symbols, key=str))}
    assert all(abs(entry) < 1e-40 for entry in difference.xreplace(point).evalf(50, chop=False))


def test_names_and_text():
    form = closed("planar with a twist", "symbolic").inertia_matrix
    names = set(form.subject.parameter_values())
    assert {"alpha1", "m1", "a2"} <= names
    shown = form.text() + form.latex() + "\n".join(form.entry(0, 0).python_lines("x"))
    assert "cos(alpha1)" in shown
    assert r"c_{\alpha_{1}}" in shown
    assert "offset1" in closed("general twists", "symbolic").inertia_matrix.subject.parameter_values()


def test_python_text_of_symbolic_angles():
    form = closed("planar with a twist", "symbolic").inertia_matrix
    q, *_ = state(arm("planar with a twist"))
    names = {"cos": math.cos, "sin": math.sin, "q1": q[0], "q2": q[1]}
    names |= {key: float(value) for key, value in form.subject.parameter_values().items()}
    code = showing.python(form, (0, 0), None).split("\n\n", 1)[1]
    exec(code, names)  # our own text
    assert names["inertia_matrix_1_1"] == pytest.approx(form.values(q)[0, 0], rel=1e-12)
