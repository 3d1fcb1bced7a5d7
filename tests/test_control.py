"""What controllers ask for: products with matrices that are not formed, for trees of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from module_functions import interpreted
from tree_cases import TREES, Case

import symgen
from symgen.algebra.domain import Floats
from symgen.derive.derivation import Options, derive
from symgen.derive.subject import subject_of
from symgen.mechanics.functions import registry
from symgen.mechanics.grouping import STEMS
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.reframing import Framing, reframed
from symgen.mechanics.regressor import parameter_values

ANY = {f"any {stem}": 0.3 + 0.1 * k for k, stem in enumerate(STEMS)}

# trees of all kinds of joints ------------------------------------------------------------------------------------


class Controlled(Case):
    """A tree at a state, with vectors x, v and a."""

    def __init__(self, robot):
        super().__init__(robot)
        self.x, self.v, self.a = np.random.default_rng(3).uniform(-2, 2, (3, robot.nv))
        given = dict(zip(("q", "qd", "qdd", "tau"), self.state, strict=True))
        self.mechanism = instantiate(robot, Floats(given | {"x": self.x, "qd_ref": self.v, "qdd_ref": self.a}, ANY))

    def framings(self):
        every = frozenset(range(len(self.mechanism.bodies)))
        choices = Framing(), Framing(unturned=every, to_parent=every, in_moments=every), Framing(to_child=every)
        return [self.mechanism, *(reframed(self.mechanism, each, in_base_parameters=True) for each in choices)]

    def derived(self, name, mechanism, number=0):
        (value,) = registry.named(name).formulations[number].derive(mechanism)
        return np.array(value, dtype=float)


def near(found, expected):
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * max(1.0, np.abs(expected).max(initial=0)))


@pytest.mark.parametrize("robot", TREES, ids=lambda robot: robot.name)
def test_products_are_those_of_the_matrices(robot):
    case = Controlled(robot)
    C, M = (case.derived(name, case.mechanism) for name in ("coriolis_matrix", "inertia_matrix"))
    g = case.expected("gravity_torque")[0]
    expected = {
        "coriolis_product": C @ case.x,
        "coriolis_transpose_velocity": C.T @ case.qd,
        "inertia_rate": C + C.T,
        "generalized_momentum": M @ case.qd,
        "reference_torque": M @ case.a + C @ case.v + g,
    }
    for mechanism in case.framings():
        for name, wanted in expected.items():
            for number in range(len(registry.named(name).formulations)):
                near(case.derived(name, mechanism, number), wanted)


@pytest.mark.parametrize("robot", TREES[::4], ids=lambda robot: robot.name)
@pytest.mark.parametrize("kind", ["base", "standard"])
def test_its_regressor_gives_the_reference_torque(robot, kind):
    case = Controlled(robot)
    (item,) = registry.quantities(subject_of(robot, Options()).scope(kind), ("slotine_li_regressor",))
    (Y,) = item.formulations[0].derive(case.mechanism)
    values = np.array(parameter_values(case.mechanism, kind), dtype=float)
    rotors = np.array(case.mechanism.rotor_inertias, dtype=float)
    forces = case.derived("reference_torque", case.mechanism) - rotors * case.a
    near(np.array(Y, dtype=float) @ values, forces)


# generated -------------------------------------------------------------------------------------------------------


def generated(name, *functions):
    return interpreted(derive(symgen.load(name), Options(functions=functions, effort="low")))


def test_an_observer_of_momenta_sees_an_external_force():
    """The residual of p − ∫ (τ + Cᵀ q̇ − g + r) dt goes to what pushes the arm beside τ (De Luca and others 2006)."""
    names = ("generalized_momentum", "coriolis_transpose_velocity", "gravity_torque", "forward_dynamics")
    momentum, transposed, weight, accelerations = (generated("planar2r", *names)[name] for name in names)
    push, gain, step = np.array([0.7, -0.3]), 40.0, 5e-4
    q, qd, tau = np.array([0.3, -0.5]), np.zeros(2), np.zeros(2)
    total, residual = momentum(q, qd), np.zeros(2)
    for _ in range(400):
        total = total + step * (tau + transposed(q, qd) - weight(q) + residual)
        qd = qd + step * accelerations(q, qd, tau + push)
        q = q + step * qd
        residual = gain * (momentum(q, qd) - total)
    np.testing.assert_allclose(residual, push, rtol=0, atol=0.02)


@pytest.mark.parametrize("quantity", ["inertia_rate", "coriolis_transpose_velocity", "generalized_momentum"])
def test_closed_forms_are_the_generated_functions(quantity):
    q, qd = np.random.default_rng(0).uniform(-2, 2, (2, 3))
    form = getattr(symgen.closed_form("planar3r"), quantity)
    np.testing.assert_allclose(form.values(q, qd), generated("planar3r", quantity)[quantity](q, qd), atol=1e-12)
