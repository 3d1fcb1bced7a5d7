"""Parameters called like cosines, definitions, rates, base parameters or SymPy's constants are not taken for these."""

import math
from functools import cache

import numpy as np
import pytest
import sympy
from form_robots import state
from robot_text import head, link, parameters

import symgen
from symgen.errors import InputError, RobotFileError
from symgen.formulas.formula import letters_of, python_lines
from symgen.formulas.writing.notation import python_name
from symgen.robot.reader import read_text
from symgen.verify.oracle import Oracle

ROLES = ("a1", "m1", "cx1", "a2", "m2", "cx2", "zz2")

NAMES = {
    "cosines": ("c2", "s23", "cos", "c1_2", "sin", "s1", "sqrt"),
    "cosines of twists": ("calpha1", "salpha1", "calpha2", "alpha1", "theta1", "offset1", "salpha2"),
    "constants": ("E", "I", "S", "N", "Q", "oo", "beta"),
    "definitions": ("Mhat2_33", "mhat2", "w1", "w2", "I1_2", "I2_2", "Mhat1_11"),
    "base parameters": ("ZZR2", "XX2", "MXR2", "ZZR1", "M2", "MX2", "XXR2"),
    "standard names of others": ("m2", "a2", "Ixx2", "Izz2", "m1", "cx1", "g"),
    "joints beyond the last": ("q3", "qd7", "tau3", "qdd9", "gamma", "lambda_", "pi_"),
}

VALUES = (0.7, 1.3, -0.2, 0.4, 0.9, 0.15, 0.3)


@cache
def arm(kind):
    """Two turning joints with twists; a parameter in every role."""
    a1, m1, cx1, a2, m2, cx2, zz2 = NAMES[kind]
    text = head(gravity="[0, -9.81, 0]") + parameters(
        **{name: repr(v) for name, v in zip(NAMES[kind], VALUES, strict=True)}
    )
    text += link(a=f'"{a1}"', mass=f'"{m1}"', com=f'["{cx1}", 0.1, 0]', alpha="0.3")
    text += link(
        name='"b"',
        a=f'"{a2}"',
        mass=f'"{m2}"',
        com=f'["{cx2}", 0, 0.1]',
        inertia=f'{{ xx = 0.1, yy = 0.2, zz = "{zz2}" }}',
    )
    return read_text(text, kind)


def forms(kind, **options):
    closed = symgen.closed_form(arm(kind), **options)
    return closed.inertia_matrix, closed.coriolis_torque, closed.gravity_torque, closed.inverse_inertia_matrix, closed.D


CASES = [(kind, options) for kind in NAMES for options in ({}, {"inertia": "base"})]
CASES.append(("cosines of twists", {"angles": "symbolic"}))


@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
def test_values_of_python_text_and_of_sympy(kind, options):
    q, qd, _ = state(arm(kind))
    for form in forms(kind, **options):
        truth = np.asarray(expected(kind, form.label.name, q, qd))
        given = {name: float(value) for name, value in form.subject.parameter_values().items()}
        inputs = {f"q{j + 1}": q[j] for j in range(2)} | {f"qd{j + 1}": qd[j] for j in range(2)}
        assert np.allclose(form.values(q, qd), truth, rtol=0, atol=1e-11)
        assert np.allclose(run_text(form, given, inputs), truth, rtol=0, atol=1e-10)
        assert np.allclose(run_sympy(form, given | inputs), truth, rtol=0, atol=1e-10)


def expected(kind, name, q, qd):
    oracle = Oracle(arm(kind))
    if name == "D":
        return oracle.udu_factors(q)[1]
    return getattr(oracle, name)(*((q, qd) if name == "coriolis_torque" else (q,)))


def run_text(form, given, inputs):
    """The numbers that the form's Python text computes; no name is assigned twice."""
    items = {index: form.entry(*index) for index in form.indices()}
    lines = python_lines([(f"result{k}", item) for k, item in enumerate(items.values())])
    names = {python_name(name): value for name, value in given.items()} | inputs
    assigned = [line.split(" = ")[0] for line in lines]
    functions = {"cos": math.cos, "sin": math.sin, "sqrt": math.sqrt, "pi": math.pi}
    assert len({*assigned, *names, *functions}) == len(assigned) + len(names) + len(functions)
    scope = names | functions
    exec("\n".join(lines), scope)  # our own text
    return np.array([scope[f"result{k}"] for k in range(len(items))]).reshape(form.shape)


def run_sympy(form, numbers):
    """The numbers of the SymPy expressions, definitions put in one after the other."""
    values = {sympy.Symbol(name, real=True): value for name, value in numbers.items()}

    def number(expression):
        symbols = sorted(expression.free_symbols, key=str)
        assert set(symbols) <= values.keys()
        dummies = sympy.symbols(f"x:{len(symbols)}", seq=True)
        function = sympy.lambdify(dummies, expression.xreplace(dict(zip(symbols, dummies, strict=True))), "math")
        return float(function(*(values[symbol] for symbol in symbols)))

    for name, item in form.definitions:
        values[sympy.Symbol(name, real=True)] = number(item.expression)
    whole = form.matrix
    quick = np.array([number(entry) for entry in whole]).reshape(form.shape)
    shortest = np.array([number(form[index]) for index in form.indices()]).reshape(form.shape)
    assert np.allclose(quick, shortest, rtol=0, atol=1e-11)
    return shortest


@pytest.mark.parametrize(("kind", "options"), CASES, ids=str)
def test_every_letter_looks_different(kind, options):
    for form in forms(kind, **options):
        items = [form.entry(*index) for index in form.indices()] + [item for _, item in form.definitions]
        letters = {letter for item in items for letter in letters_of(item)}
        notation = form.subject.notation
        for write in (notation.text, notation.latex, notation.python, notation.sympy):
            assert len({write(letter) for letter in letters}) == len(letters)
        assert form.text()
        assert form.latex()


@pytest.mark.parametrize(
    ("name", "words"),
    [("lambda", "expression"), ("pi", "pi is a constant"), ("2x", "must be a letter"), ("for", "expression")],
)
def test_names_that_a_file_may_not_have(name, words):
    text = head() + f'[parameters]\n"{name}" = 1\n' + link(a='"L"')
    with pytest.raises(RobotFileError, match=words):
        read_text(text, "arm")


def test_links_and_frames_of_any_name():
    text = head() + link(name='"E"', joint_name='"q2"') + link(name='"c2 {x}"', joint_name='"lambda"')
    text += '[[frames]]\nname = "s23"\nxyz = [0.1, 0, 0]\n'
    closed = symgen.closed_form(read_text(text, "arm"))
    for frame in ("E", "c2 {x}", "s23"):
        form = closed.forward_kinematics(frame)
        assert frame in form.label.meaning
        assert form.text()
        assert form.latex()
        assert "$" in form._repr_html_()
    with pytest.raises(InputError, match="no frame is called 'q2'"):
        closed.jacobian("q2")
