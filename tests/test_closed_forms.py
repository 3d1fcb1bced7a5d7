"""The closed forms are the generated programs: the same normal form, or the same value in the prime field."""

import numpy as np
import pytest
from library_robots import ARMS
from ring_programs import ring_outputs

import symgen
from symgen.algebra.prime import PrimeField
from symgen.algebra.vanishing import SEEDS, Valuation
from symgen.derive.derivation import Options, derive
from symgen.program.fingerprint import Evaluation

DIVISION_FREE = (
    "inverse_dynamics",
    "inertia_matrix",
    "coriolis_torque",
    "gravity_torque",
    "bias_torque",
    "coriolis_matrix",
    "kinetic_energy",
    "potential_energy",
    "forward_kinematics",
    "jacobian",
)
WITH_DIVISION = ("udu_factors", "inverse_inertia_matrix")
ROBOTS = ARMS


@pytest.fixture(scope="module", params=ROBOTS)
def numeric(request):
    """(closed form, functions by name) of a library robot with its numbers."""
    robot = symgen.load(request.param)
    module = derive(robot, Options(functions=(*DIVISION_FREE, *WITH_DIVISION), effort="low")).module
    return symgen.closed_form(robot, parameters="numeric"), {item.name: item for item in module.functions}


def _form(closed, name):
    return getattr(closed, name)() if name in ("forward_kinematics", "jacobian") else getattr(closed, name)


@pytest.mark.parametrize("name", DIVISION_FREE)
def test_closed_form_and_program_have_the_same_normal_form(numeric, name):
    closed, functions = numeric
    form = _form(closed, name)
    (entries,) = ring_outputs(functions[name].program, form.subject.ring)
    assert [form.element(*index) for index in form.indices()] == entries


def test_quotients_and_programs_have_the_same_value_in_the_prime_field(numeric):
    closed, functions = numeric
    forms = {
        "udu_factors": [closed.U, closed.D],
        "inverse_inertia_matrix": [closed.inverse_inertia_matrix],
    }
    for name, items in forms.items():
        ring = items[0].subject.ring
        assert all(form.subject.ring is ring for form in items)
        elements = [[form.element(*index) for index in form.indices()] for form in items]
        for seed in SEEDS:
            field = PrimeField(ring.radicands(), seed)
            valuation = Valuation(ring, field)
            values = Evaluation(field).run(functions[name].program)
            found = [[values[node] for node in nodes] for _, nodes in functions[name].program.outputs]
            assert [[valuation(element).value for element in entries] for entries in elements] == found


def _symbolic_cases():
    """Every robot and function, but for the panda's velocity terms: ten thousands of terms in every entry."""
    for name in ROBOTS:
        yield name, "inertia_matrix"
        if name != "panda":
            yield from ((name, function) for function in ("coriolis_torque", "coriolis_matrix"))


@pytest.mark.parametrize(("name", "function"), list(_symbolic_cases()))
def test_symbolic_closed_form_and_program_have_the_same_normal_form(name, function):
    robot = symgen.load(name)
    program = (
        derive(robot, Options(functions=(function,), parameters="symbolic", effort="low")).module.functions[0].program
    )
    form = getattr(symgen.closed_form(robot), function)
    (entries,) = ring_outputs(program, form.subject.ring)
    assert [form.element(*index) for index in form.indices()] == entries


@pytest.mark.parametrize("name", ROBOTS)
def test_base_parameters_give_the_same_functions(name):
    closed = symgen.closed_form(name)
    base = symgen.closed_form(name, inertia="base")
    field = PrimeField(closed.inertia_matrix.subject.ring.radicands(), 1)
    for function in ("inertia_matrix", "gravity_torque", "coriolis_torque"):
        values = []
        for form in (getattr(closed, function), getattr(base, function)):
            valuation = Valuation(form.subject.ring, field)
            values.append([valuation(form.element(*index)).value for index in form.indices()])
        assert values[0] == values[1]


def test_an_entry_alone_is_the_entry_of_the_whole():
    for name in ("puma", "stanford", "scara"):
        whole = symgen.closed_form(name).inertia_matrix
        _ = whole.matrix
        n = whole.shape[0]
        for i, j in np.ndindex(n, n):
            alone = symgen.closed_form(name).inertia_matrix
            assert alone.element(i, j).key == whole.element(i, j).key
            assert "_elements" not in alone.__dict__
