"""Closed forms of robots with loops: they are the generated programs, and what has none is refused."""

import json

import numpy as np
import pytest
import sympy
from thorough import usual

import symgen
from symgen.algebra.domain import Floats
from symgen.algebra.prime import PrimeField
from symgen.algebra.vanishing import SEEDS, Valuation
from symgen.cli import main
from symgen.derive.derivation import Options, derive
from symgen.derive.options import FUNCTION_NAMES
from symgen.errors import InputError, LimitError
from symgen.formulas.catalogue import CATALOGUE
from symgen.formulas.looped import LOOPED
from symgen.mechanics.formulations.leg_matrices import LegMatrices
from symgen.program.fingerprint import Evaluation
from symgen.program.interpreter import evaluate
from symgen.robot import library

ROBOTS = ("five_bar", "four_bar", "rrr3", "palletizer")
FUNCTIONS = tuple(name for name in LOOPED if name in FUNCTION_NAMES)

robots = pytest.mark.parametrize("name", ROBOTS)


@robots
@pytest.mark.parametrize("parameters", usual(1, ["symbolic", "numeric"]))
def test_closed_forms_and_programs_have_the_same_value_in_the_prime_field(name, parameters):
    """At any q of the tree, closed or not, and any parameters."""
    robot, options = library.load(name), Options(FUNCTIONS, parameters=parameters, effort="low")
    derivation = derive(robot, options)
    module, symbols = derivation.module, derivation.subject.symbols
    closed = symgen.closed_form(robot, parameters=symbols or "numeric")
    forms = {function: getattr(closed, function) for function in FUNCTIONS}
    elements = {name: [form.element(*index) for index in form.indices()] for name, form in forms.items()}
    rings = {id(form.subject.ring): form.subject.ring for form in forms.values()}
    field = PrimeField(frozenset().union(*(ring.radicands() for ring in rings.values())), SEEDS[0])
    valuations = {key: Valuation(ring, field) for key, ring in rings.items()}
    for function, entries in elements.items():
        program = module.function(function).program
        values = Evaluation(field).run(program)
        expected = [values[node] for node in program.outputs[0][1]]
        valuation = valuations[id(forms[function].subject.ring)]
        assert [valuation(entry).value for entry in entries] == expected, function


@pytest.mark.parametrize("name", ["rssr", "carpet_scraper", "delta", "ankle"])
def test_closed_forms_have_the_programs_values(name):
    """With ball joints, whose quaternions closed forms take for unit ones; q is the posture, stirred."""
    robot, random = library.load(name), np.random.default_rng(0)
    wanted = ("velocity_transformation", "inertia_matrix", "coriolis_torque")
    closed, module = symgen.closed_form(robot), derive(robot, Options(wanted, effort="low")).module
    given = {"q": np.array(robot.near) + random.uniform(-0.1, 0.1, robot.nq)}
    given["qd"] = random.normal(size=len(robot.independent))
    for function in module.functions:
        (expected,) = evaluate(function.program, {item.name: given[item.name] for item in function.inputs}).values()
        found = getattr(closed, function.name).values(**given)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def test_other_parameters_and_a_state():
    robot = library.load("five_bar")
    closed = symgen.closed_form(robot)
    given = {"a1": 0.5, "m2": 2.0, "Izz5": 0.2}
    module = derive(robot, Options(("inertia_matrix",), parameters=tuple(given), effort="low")).module
    (expected,) = evaluate(
        module.function("inertia_matrix").program,
        {"q": np.array(robot.near)} | _constants(module, given),
    ).values()
    found = closed.inertia_matrix.values(robot.near, parameters=given)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)


def _constants(module, given):
    names = [parameter.name for parameter in module.parameters]
    return evaluate(module.init, {"parameters": np.array([given[name] for name in names])})


@robots
def test_the_velocity_transformation_solves_the_constraints_exactly(name):
    """A G = 0 in the prime field, both as closed forms."""
    closed = symgen.closed_form(name)
    A, G = closed.constraint_jacobian, closed.velocity_transformation
    elements = [[form.element(*index) for index in form.indices()] for form in (A, G)]
    field = PrimeField(A.subject.ring.radicands() | G.subject.ring.radicands(), 1)
    left, right = (
        np.array(list(map(Valuation(form.subject.ring, field), entries)), dtype=object).reshape(form.shape)
        for form, entries in zip((A, G), elements, strict=True)
    )
    product = left.dot(right)
    solved = {row for block in G.subject.mechanism.plan.blocks for row in block.rows}
    rows = [row for row in range(len(product)) if row in solved]
    assert rows
    assert all(entry.value == 0 for row in rows for entry in product[row])


def test_a_four_bar_in_letters():
    """The rates of coupler and rocker, with the textbook's sines of differences of absolute angles."""
    closed = symgen.closed_form("four_bar")
    q1, q2, q3, a1, a2, a4 = sympy.symbols("q1 q2 q3 a1 a2 a4", real=True)
    expected = [1, -1 - a1 * sympy.sin(q1 - q3) / (a2 * sympy.sin(q1 + q2 - q3))]
    expected.append(a1 * sympy.sin(q2) / (a4 * sympy.sin(q3 - q1 - q2)) * -1)
    point = {q1: 1.1, q2: -0.4, q3: 0.3, a1: 0.5, a2: 0.7, a4: 0.6}
    found = closed.velocity_transformation.expanded()
    assert found.shape == (3, 1)
    for entry, value in zip(found, expected, strict=True):
        number = sympy.sympify(entry).subs({symbol: point.get(_plain(symbol)) for symbol in entry.free_symbols})
        assert float(number) == pytest.approx(float(sympy.sympify(value).subs(point)), rel=1e-12)


def _plain(symbol):
    return sympy.Symbol(symbol.name, real=True)


@pytest.mark.parametrize("name", ["five_bar", "rrr3"])
def test_leg_by_leg_forms_are_the_papers_matrices(name):
    robot = library.load(name)
    closed = symgen.closed_form(robot)
    q = np.array(robot.near) + np.random.default_rng(0).uniform(-0.1, 0.1, robot.nq)
    given = closed.N_l.subject.mechanism_over(Floats({"q": q}, _defaults(closed)))
    expected = LegMatrices(given)
    for form in ("N_l", "N_c", "N_d", "end_jacobian"):
        numbers = np.array(getattr(expected, form), dtype=float)
        np.testing.assert_allclose(getattr(closed, form).values(q), numbers, rtol=0, atol=1e-12)
    for i, form in enumerate(closed.psi_matrices):
        np.testing.assert_allclose(form.values(q), np.array(expected.psi(i), dtype=float), rtol=0, atol=1e-12)
    projectors, count = closed.leg_projectors.values(q), len(closed.end_jacobian)
    total = sum(projectors[:, at : at + count] for at in range(0, projectors.shape[1], count))
    np.testing.assert_allclose(closed.sum_of_projectors.values(q), total, rtol=0, atol=1e-12)


def _defaults(closed):
    return {name: float(value) for name, value in closed.N_l.subject.parameter_values().items()}


@pytest.mark.parametrize("name", ["five_bar", "rrr3", "delta"])
def test_forces_of_chains_make_those_of_the_drives(name):
    """Of drives in all joints of the legs only Jᵀ τ̃ is determined (Khan)."""
    robot, random = library.load(name), np.random.default_rng(0)
    closed = symgen.closed_form(robot)
    q, rates = np.array(robot.near) + random.uniform(-0.1, 0.1, robot.nq), random.normal(size=(2, 3))
    state = (q, *rates[:, : len(robot.independent)])
    forces, J = closed.chain_forces.values(*state), closed.chain_jacobian.values(q)
    expected = closed.inverse_dynamics.values(*state)
    np.testing.assert_allclose(J.T @ forces, expected, rtol=0, atol=1e-12 * np.abs(forces).max())
    np.testing.assert_allclose(J[: robot.nv], closed.velocity_transformation.values(q), rtol=0, atol=1e-12)
    assert len(forces) == robot.nv + (2 if name == "rrr3" else 0)


def test_an_inner_projector_in_letters():
    """Φ of the five-bar's first leg: across its distal link."""
    q1, q2 = sympy.symbols("q1 q2", real=True)
    found, absolute = symgen.closed_form("five_bar").leg_projectors.expanded(), q1 + q2
    along = sympy.Matrix([sympy.cos(absolute), sympy.sin(absolute)])
    difference = found[:, :2] - along * along.T
    values = {q1: 0.7, q2: -1.9, sympy.Symbol("a2", real=True): 1.3}
    assert max(abs(entry.subs(values)) for entry in difference) < 1e-14


def test_robots_without_legs_have_no_such_forms():
    with pytest.raises(LimitError, match=r"carpet_scraper: .* leg by leg: two of its legs share the link arm"):
        _ = symgen.closed_form("carpet_scraper").N_c


def test_what_symbols_are():
    lines = {symbol.name: symbol.meaning for symbol in symgen.closed_form("five_bar").inverse_dynamics.symbols}
    assert lines["qdd2"] == "joint acceleration of proximal2"
    assert lines["m5"] == "mass"


def test_inertia_matrix_in_entries_of_g_and_of_the_trees():
    names = {name for name, _ in symgen.closed_form("five_bar").inertia_matrix.definitions}
    assert {"T1_1", "T1_2", "T2_2", "G2_1", "A1_4"} <= names


# refused ------------------------------------------------------------------------------------------------


def test_large_blocks_are_refused():
    with pytest.raises(LimitError, match="at most 3 constraints have to be solved together, and here 6 are"):
        symgen.closed_form("gough_stewart")


def test_quantities_of_trees_are_refused():
    closed = symgen.closed_form("five_bar")
    for name in set(CATALOGUE) - set(LOOPED):
        with pytest.raises(LimitError, match=f"five_bar: {name} has no closed form for robots with loops; there are"):
            getattr(closed, name)
    with pytest.raises(InputError, match="unknown quantity 'jacobian'; there are: closure"):
        closed.quantity("jacobian")
    assert not hasattr(closed, "anything")


def test_rates_are_those_of_independent_joints():
    with pytest.raises(InputError, match="qd: expected 2 numbers, found an array of shape"):
        symgen.closed_form("five_bar").coriolis_torque.values([0.1] * 4, [0.0] * 4)


# the command --------------------------------------------------------------------------------------------


def show(capsys, command, code=0):
    with pytest.raises(SystemExit) as ended:
        main(["show", *command.split()])
    assert (ended.value.code or 0) == code
    return capsys.readouterr()


def test_the_catalogue(capsys):
    assert [line.split()[0] for line in show(capsys, "five_bar").out.splitlines()] == list(LOOPED)


def test_an_entry_with_definitions(capsys):
    out = show(capsys, "five_bar velocity_transformation 4 1").out
    assert "velocity_transformation[4,1] = a1*s2/A1_4\n\nwith\n  A1_4 = a5*(s12*c34 - c12*s34)\n" in out
    assert "velocity_transformation[2,1] = G2_1" in show(capsys, "five_bar velocity_transformation 2 1").out


def test_python_lines_run(capsys):
    robot = library.load("five_bar")
    code = show(capsys, "five_bar inertia_matrix --python").out
    values = {f"q{index + 1}": value for index, value in enumerate(robot.near)}
    values |= symgen.closed_form(robot).inertia_matrix.subject.parameter_values()
    values = {name: float(value) for name, value in values.items()}
    exec(code, values)  # what the command printed for its users to run
    expected = symgen.closed_form(robot).inertia_matrix.values(robot.near)
    assert values["inertia_matrix_1_2"] == pytest.approx(expected[0, 1], rel=1e-13)


def test_structure(capsys):
    found = json.loads(show(capsys, "five_bar constraint_jacobian --json").out)
    assert (found["robot"], found["shape"]) == ("five_bar", [5, 4])
    assert found["entries"][0][1]["kind"] == "zero"


def test_refusals_of_the_command(capsys):
    assert "at most 3 constraints" in show(capsys, "gough_stewart inertia_matrix", 2).err
