"""Closed forms of robots with free joints: quaternions are e1 to e4, of length 1."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from free_robots import robot

from symgen.algebra.ring import Ring
from symgen.derive.derivation import derive
from symgen.derive.options import Options
from symgen.errors import InputError
from symgen.formulas import showing
from symgen.formulas.closed_form import closed_form
from symgen.program.interpreter import evaluate
from symgen.robot.model import BASE

Q = [0.3, -0.2, 0.5, 0.1, 0.7, -0.5, 0.5, 0.4]


@pytest.fixture(scope="module")
def closed():
    return closed_form(robot("floating"))


def test_a_rotation_is_one_by_the_relation_of_its_quaternion(closed):
    pose = closed.forward_kinematics("body")
    rows = [[pose.element(i, j) for j in range(3)] for i in range(3)]
    for a in range(3):
        for b in range(3):
            assert (sum(x * y for x, y in zip(rows[a], rows[b], strict=True)) - (a == b)).is_zero


@pytest.mark.parametrize("first", [None, 3, 4, 5, 6])
def test_the_relation_is_in_the_normal_form_whatever_was_a_variable_before(first):
    ring = Ring()
    if first is not None:
        ring.variable("q", first)
    x, y, z, w, _ = ring.quaternion(3)
    assert (w * w + x * x + y * y + z * z - 1).is_zero
    assert ((w * w - 1) * (w * w - 1) - (x * x + y * y + z * z) * (x * x + y * y + z * z)).is_zero
    assert not (w * w + x * x - 1).is_zero


def test_entries_are_written_with_e1_to_e4(closed):
    found = closed.gravity_torque.entry(0)
    text = found.text()
    assert {"e1", "e2", "e3", "e4"} <= {str(symbol) for symbol in found.expression.free_symbols}
    assert all(name in text for name in ("e1", "e2", "e3", "e4"))
    assert "e_{1}" in found.latex()
    shown = showing.text(closed.gravity_torque, (0,), None)
    assert "e1, e2, e3, e4: quaternion of base, e4 its scalar part, e1^2 + e2^2 + e3^2 + e4^2 = 1 (1)" in shown


@pytest.mark.parametrize("name", ["inertia_matrix", "gravity_torque", "coriolis_torque", "kinetic_energy"])
def test_values_are_those_of_the_programs_at_quaternions_of_any_length(closed, name):
    derivation = derive(robot("floating"), Options(functions=(name,)))
    function = derivation.module.function(name)
    qd = np.linspace(-1, 1, 7)
    state = {"q": np.array(Q), "qd": qd}
    inputs = {argument.name: state[argument.name] for argument in function.inputs}
    (expected,) = evaluate(function.program, inputs).values()
    found = getattr(closed, name).values(Q, qd)
    np.testing.assert_allclose(found, np.reshape(expected, found.shape), rtol=1e-12, atol=1e-13)


def test_python_text_computes_the_entry(closed):
    entry, unit = closed.gravity_torque, np.array(Q)
    unit[3:7] /= np.linalg.norm(unit[3:7])
    names = {f"q{k + 1}": value for k, value in enumerate(unit)} | {f"e{k + 1}": unit[3 + k] for k in range(4)}
    names |= entry.subject.parameter_values()
    names = {name: float(value) for name, value in names.items()}
    exec(showing.python(entry, (4,), None), names)
    assert names["gravity_torque_5"] == pytest.approx(entry.values(Q)[4], rel=1e-12)


def test_several_quaternions_have_the_numbers_of_their_links():
    one = robot("spherical")
    second = replace(one.links[0], name="second", joint=replace(one.links[0].joint, name="ball"), parent=0)
    two = replace(one, links=(one.links[0], second))
    text = closed_form(two).gravity_torque.text()
    assert "e1_1" in text
    assert "e4_2" in text
    assert "e_{1,2}" in closed_form(two).gravity_torque.latex()
    assert two.links[0].parent == BASE


def test_what_cannot_be_is_refused(closed):
    with pytest.raises(InputError, match="q: a quaternion is 0"):
        closed.gravity_torque.values([0] * 8)
    with pytest.raises(InputError, match="q: expected 8 numbers"):
        closed.gravity_torque.values([0] * 7)
    named = replace(robot("floating"), parameters=(("e1", robot("floating").links[0].inertia.mass.constant({})),))
    with pytest.raises(InputError, match="'e1' has the name of a joint variable"):
        _ = closed_form(replace(named, links=_massed(named, "e1"))).gravity_torque


def _massed(named, name):
    from symgen.robot.expression import symbol

    first, *rest = named.links
    return replace(first, inertia=replace(first.inertia, mass=symbol(name))), *rest
