"""The ring of closed forms: its normal form, textbook results, and agreement with the other domains."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from random_programs import INPUTS, PARAMETERS, inputs, run, tapes
from strategies import seeded_robot

from symgen.algebra.angles import cos_sin
from symgen.algebra.domain import Floats, variables
from symgen.algebra.exact import PI, Exact
from symgen.algebra.ring import Ring
from symgen.algebra.roots import sqrt
from symgen.errors import LimitError
from symgen.mechanics import composite, factorization, newton_euler
from symgen.mechanics.instantiation import instantiate
from symgen.program.graph import Graph
from symgen.program.interpreter import evaluate
from symgen.program.program import Array
from symgen.robot.library import load
from symgen.robot.symbolic import symbolic

DIVISION_FREE = ("add", "sub", "mul", "neg", "twice", "define")


class Valuation:
    """Numbers of ring elements: SymPy symbols by name, definitions one after the other."""

    def __init__(self, ring, arrays, parameters):
        self.values = {
            sympy.Symbol(f"{name}{index + 1}", real=True): value
            for name, array in arrays.items()
            for index, value in enumerate(array)
        }
        self.values |= {sympy.Symbol(name, real=True): value for name, value in parameters.items()}
        for item in ring.definitions:
            value = self(item.numerator) / (1.0 if item.denominator is None else self(item.denominator))
            self.values[sympy.Symbol(item.name, real=True)] = value

    def __call__(self, element):
        expression = element.sympy()
        symbols = sorted(expression.free_symbols, key=str)
        return float(sympy.lambdify(symbols, expression, "math")(*(self.values[symbol] for symbol in symbols)))


def ring_with_generators():
    ring = Ring()
    c, s = ring.cos_sin(0, Exact.of(0))
    return ring, c, s, ring.parameter("m"), ring.constant(sqrt(2))


# normal form ------------------------------------------------------------------------------------------

ZEROS = {
    "circle": lambda r, c, s, m, w: c * c + s * s - 1,
    "fourth power": lambda r, c, s, m, w: s * s * s * s - (1 - c * c) * (1 - c * c),
    "double angle": lambda r, c, s, m, w: (c * c - s * s) - (2 * c * c - 1),
    "root": lambda r, c, s, m, w: w * w - 2,
    "root in a product": lambda r, c, s, m, w: (1 + w * c) * (1 - w * c) - (1 - 2 * c * c),
    "parameters": lambda r, c, s, m, w: (m + c) * (m - c) - m * m + c * c,
    "turned by a quarter": lambda r, c, s, m, w: r.cos_sin(0, PI / 2)[0] + s,
    "turned by pi/3": lambda r, c, s, m, w: 2 * r.cos_sin(0, PI / 3)[0] - c + r.constant(sqrt(3)) * s,
    "turned there and back": lambda r, c, s, m, w: (
        sum(x * r.constant(y) for x, y in zip(r.cos_sin(0, Exact.of(1)), cos_sin(Exact.of(1)), strict=True)) - c
    ),
    "late generator": lambda r, c, s, m, w: (m + c) + r.parameter("late") - r.parameter("late") - c - m,
}


@pytest.mark.parametrize("zero", ZEROS.values(), ids=ZEROS)
def test_normal_form_of_zero(zero):
    element = zero(*ring_with_generators())
    assert element.is_zero
    assert element == 0
    assert element.sympy() == 0


def test_what_is_not_zero():
    _, c, s, m, w = ring_with_generators()
    for element in (c - s, c * c + s * s - 2, w * c - c, m * c - c, c + s - 1):
        assert not element.is_zero


@given(tapes(("add", "sub", "mul", "neg", "twice"), max_steps=8))
def test_the_order_of_generators_does_not_matter_to_equality(tape):
    ring = Ring()
    first = run(tape, ring)
    second = run(tape, ring)
    assert all((a - b).is_zero and a == b for a, b in zip(first, second, strict=True))


@given(tapes(DIVISION_FREE, max_steps=8), st.booleans())
def test_elements_have_the_values_of_floats(tape, named):
    ring, arrays = Ring(named=named), inputs()
    elements = run(tape, ring)
    valuation = Valuation(ring, arrays, PARAMETERS)
    expected = run(tape, Floats(arrays, PARAMETERS))
    scale = 1 + max(abs(value) for value in expected)
    for element, value in zip(elements, expected, strict=True):
        if element.summands < 200:
            assert valuation(element) == pytest.approx(value, rel=1e-9, abs=1e-9 * scale)
    assert sum(array.size for array in INPUTS) == len(valuation.values) - len(PARAMETERS) - len(ring.definitions)


# quotients and definitions -------------------------------------------------------------------------------


def test_quotient_that_is_a_polynomial():
    ring, c, _, m, _ = ring_with_generators()
    assert ring.quotient((m + c) * (m - 1), m + c) == m - 1
    assert not ring.definitions


def test_quotient_that_is_not_gets_one_generator():
    ring, c, _, m, _ = ring_with_generators()
    quotient = m / (1 + c)
    assert quotient == m / (1 + c)
    assert len(ring.definitions) == 1
    assert ring.definitions[0].numerator == m
    assert ring.definitions[0].denominator == 1 + c


def test_quotient_by_zero():
    ring, c, s, m, _ = ring_with_generators()
    with pytest.raises(ZeroDivisionError, match="identically zero"):
        ring.quotient(m, c * c + s * s - 1)


def test_definitions_of_the_same_name_stay_apart():
    ring = Ring(named=True)
    x, y = ring.variable("q", 0), ring.variable("q", 1)
    first, second = ring.define("f1", x + y), ring.define("f1", x - y)
    assert first != second
    assert ring.define("f1", x - y) == second
    assert [item.name for item in ring.definitions] == ["f1", "f1_2"]


def test_definitions_do_not_take_a_parameter_s_name():
    ring = Ring(named=True)
    m = ring.parameter("m1c")
    defined = ring.define("m1c", m + ring.parameter("m2"))
    assert str(defined) != str(m)


def test_what_is_short_needs_no_definition():
    ring = Ring(named=True)
    x = ring.variable("q", 0)
    assert ring.define("f1", 3 * x) == 3 * x
    assert not ring.definitions


def test_symbolic_angles_add():
    ring = Ring()
    a, b = ring.parameter("alpha"), ring.parameter("beta")
    (ca, sa), (cb, sb), (c, s) = ring.circle(a), ring.circle(b), ring.circle(2 * a - b + ring.constant(PI / 2))
    assert c == -(2 * sa * ca * cb - (2 * ca * ca - 1) * sb)
    assert s == (2 * ca * ca - 1) * cb + 2 * sa * ca * sb
    assert sympy.simplify(c.sympy() - sympy.cos(2 * a.sympy() - b.sympy() + sympy.pi / 2)) == 0


def test_offsets_of_a_joint_are_turned_from_the_first():
    ring = Ring()
    delta = ring.parameter("delta")
    c, s = ring.cos_sin(0, delta)
    turned_c, turned_s = ring.cos_sin(0, Exact.of(0))
    cd, sd = ring.circle(delta)
    assert (turned_c * cd - turned_s * sd, turned_s * cd + turned_c * sd) == (c, s)
    assert c.sympy() == sympy.cos(sympy.Symbol("q1", real=True) + delta.sympy())


def test_angles_must_be_integer_combinations():
    ring = Ring()
    x = ring.parameter("x")
    for angle in (x * x, x / 2, x * ring.constant(PI), 65 * x, ring.cos_sin(0, Exact.of(0))[0]):
        with pytest.raises(LimitError, match="integer combination"):
            ring.circle(angle)


def test_reciprocals_cancel():
    ring = Ring()
    m, a = ring.parameter("m"), ring.parameter("a")
    assert (m * a + 2) / m - 2 / m == a
    assert 1 / (2 * m * m) * m == 1 / m / 2
    assert not ring.definitions


# robots ---------------------------------------------------------------------------------------------------


def test_planar_2r_is_the_textbook_s():
    ring = Ring()
    matrix = composite.inertia_matrix(instantiate(load("planar2r"), ring, symbolic=True))
    L1, L2, m1, m2 = (sympy.Symbol(name, real=True) for name in ("L1", "L2", "m1", "m2"))
    c2 = sympy.cos(sympy.Symbol("q2", real=True))
    shared = m2 * L2**2 / 3 + m2 * L1 * L2 * c2 / 2
    expected = [
        [m1 * L1**2 / 3 + m2 * L1**2 + m2 * L2**2 / 3 + m2 * L1 * L2 * c2, shared],
        [shared, m2 * L2**2 / 3],
    ]
    for i in range(2):
        for j in range(2):
            assert sympy.expand(matrix[i, j].sympy() - expected[i][j]) == 0


def test_planar_2r_of_point_masses_with_standard_names():
    robot = symbolic(load("planar2r")).robot
    assert {"L1", "L2", "m1", "m2"} <= set(robot.defaults)
    torque = newton_euler.inverse_dynamics(
        mechanism := instantiate(robot, Ring(), symbolic=True),
        list(variables(mechanism.domain, "qd", 2)),
        [mechanism.domain.constant(0)] * 2,
        mechanism.gravity,
    )
    L1, L2, m2 = (sympy.Symbol(name, real=True) for name in ("L1", "L2", "m2"))
    q1, q2, qd1 = (sympy.Symbol(name, real=True) for name in ("q1", "q2", "qd1"))
    s2 = sympy.sin(q2)
    weight = sympy.Rational(981, 100) * m2 * L2 / 2 * (sympy.cos(q1) * sympy.cos(q2) - sympy.sin(q1) * s2)
    assert sympy.expand(torque[1].sympy() - m2 * L1 * L2 * s2 * qd1**2 / 2 - weight) == 0


@pytest.fixture(scope="module")
def puma():
    return symbolic(load("puma")).robot


def test_puma_closed_form_has_the_values_of_its_program(puma):
    ring = Ring()
    matrix = composite.inertia_matrix(instantiate(puma, ring, symbolic=True))
    assert not ring.definitions  # no division anywhere
    graph = Graph()
    entries = list(composite.inertia_matrix(instantiate(puma, graph, symbolic=True)).reshape(-1))
    program = graph.program([Array("q", (6,))], [(Array("inertia", (6, 6)), entries)])
    parameters = {name: float(value) for name, value in puma.defaults.items()}
    q = np.random.default_rng(5).uniform(-3, 3, 6)
    expected = evaluate(program, {"q": q}, parameters)["inertia"]
    valuation = Valuation(ring, {"q": q}, parameters)
    for i in range(6):
        for j in range(i + 1):
            assert valuation(matrix[i, j]) == pytest.approx(expected[i, j], rel=1e-12, abs=1e-13)
            assert matrix[i, j] == matrix[j, i]


def test_puma_entries_do_not_depend_on_the_first_joint(puma):
    matrix = composite.inertia_matrix(instantiate(puma, Ring(), symbolic=True))
    names = {str(symbol) for entry in matrix.reshape(-1) for symbol in entry.sympy().free_symbols}
    assert "q1" not in names
    assert {"q2", "q3", "m2"} <= names


@pytest.mark.parametrize("named", [False, True])
def test_factors_in_the_ring_have_the_values_of_floats(named):
    robot = load("planar3r_unequal")
    q = np.array([0.3, -1.1, 0.7])
    ring, floats = Ring(named=named), Floats({"q": q})
    elements = factorization.factorize(ring, composite.inertia_matrix(instantiate(robot, ring)))
    numbers = factorization.factorize(floats, composite.inertia_matrix(instantiate(robot, floats)))
    valuation = Valuation(ring, {"q": q}, {})
    for i in range(3):
        assert valuation(elements.pivots[i]) == pytest.approx(numbers.pivots[i], rel=1e-12)
        for j in range(i + 1, 3):
            assert valuation(elements.U[i, j]) == pytest.approx(numbers.U[i, j], rel=1e-12)


@pytest.mark.parametrize("seed", [16, 20, 37])
def test_named_definitions_of_random_trees(seed):
    robot = seeded_robot(seed)
    n = robot.nv
    chance = np.random.default_rng(seed)
    arrays = {name: chance.uniform(-1, 1, n) for name in ("q", "qd", "qdd")}

    def torques(domain):
        mechanism = instantiate(robot, domain)
        rates = (list(variables(domain, name, n)) for name in ("qd", "qdd"))
        return newton_euler.inverse_dynamics(mechanism, *rates, mechanism.gravity)

    ring = Ring(named=True)
    elements = torques(ring)
    valuation = Valuation(ring, arrays, {})
    expected = torques(Floats(arrays))
    assert [valuation(element) for element in elements] == pytest.approx(expected, rel=1e-8, abs=1e-10)
    names = [item.name for item in ring.definitions]
    assert len(names) == len(set(names))


def test_operands_that_are_no_scalars():
    ring = Ring()
    x = ring.variable("q", 0)
    array = x * np.array([ring.constant(2), ring.constant(3)], dtype=object)
    assert array[1] == 3 * x
    assert x * Fraction(1, 2) + x / 2 == x
    assert 1 - x == -(x - 1)
    assert str(1 / (2 * ring.constant(1))) == "1/2"
