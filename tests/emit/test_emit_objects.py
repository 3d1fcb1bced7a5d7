"""Objects of other libraries: the generated NumPy module takes arrays of them; lists are refused everywhere."""

from __future__ import annotations

import functools
import re
from fractions import Fraction

import numpy as np
import pytest
import sympy
from derivations import derivation

from symgen.build.callables import bind_numpy
from symgen.derive.derivation import Options, derive
from symgen.emit.python import emit_python
from symgen.errors import OBJECTS
from symgen.robot.library import load
from symgen.runtime.module import build, emit, numpy_namespace

CHANCE = np.random.default_rng(5)


@functools.cache
def functions(name):
    """The generated functions."""
    namespace = {}
    ((file, text),) = emit_python(derivation(name).module).items()
    exec(compile(text, file, "exec"), namespace)
    return namespace


def symbols(name, n):
    return np.array([sympy.Symbol(f"{name}{k}") for k in range(n)], dtype=object)


THROUGH = {
    "planar2r": (
        "inverse_dynamics",
        "forward_dynamics",
        "coriolis_matrix",
        "kinetic_energy",
        "udu_factors",
        "jacobian",
    ),
    "stanford": ("gravity_torque", "inertia_matrix", "forward_kinematics"),
}


@pytest.mark.parametrize("name", THROUGH)
def test_sympy_goes_through_functions(name):
    n = load(name).nv
    for function in map(derivation(name).module.function, THROUGH[name]):
        numbers = [CHANCE.uniform(-2, 2, n) for _ in function.inputs]
        letters = [symbols(argument.name, n) for argument in function.inputs]
        values = dict(zip(np.concatenate(letters), np.concatenate(numbers).tolist(), strict=True))
        found, expected = (functions(name)[function.name](*given) for given in (letters, numbers))
        several = len(function.outputs) > 1
        for one, other in zip(found if several else [found], expected if several else [expected], strict=True):
            assert np.shape(one) == np.shape(other)
            entries = [float(sympy.sympify(entry).xreplace(values)) for entry in np.array(one, dtype=object).flat]
            np.testing.assert_allclose(entries, np.ravel(other), rtol=1e-9, atol=1e-10)


def test_numbers_and_objects_go_together_and_broadcast():
    q, qd = CHANCE.uniform(-2, 2, (2, 4, 3))
    qdd = symbols("a", 3)
    found = functions("planar3r")["inverse_dynamics"](q, qd, qdd)
    inertia, bias = functions("planar3r")["inertia_matrix"](q), functions("planar3r")["bias_torque"](q, qd)
    assert found.shape == (4, 3)
    slopes = [[[float(sympy.diff(entry, a)) for a in qdd] for entry in row] for row in found]
    np.testing.assert_allclose(slopes, inertia, rtol=1e-12, atol=1e-12)
    rest = [[float(entry.subs(dict.fromkeys(qdd, 0))) for entry in row] for row in found]
    np.testing.assert_allclose(rest, bias, rtol=1e-12, atol=1e-12)


class Turned:
    """An angle that knows its own cosine and sine, as dual numbers of automatic differentiation do."""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Turned(self.value + getattr(other, "value", other))

    __radd__ = __add__

    def cos(self):
        return Fraction(3, 5)

    def sin(self):
        return Fraction(4, 5)


def test_methods_come_first_and_plain_numbers_are_numbers():
    gravity = functions("planar3r")["gravity_torque"]
    quarter = float(np.arctan2(4, 3))
    found = functions("planar3r")["inertia_matrix"](np.array([Turned(0.0), Turned(0.0), Turned(0.0)], dtype=object))
    assert found.shape == (3, 3)
    mixed = gravity(np.array([quarter, Fraction(1, 2), 1], dtype=object))
    np.testing.assert_allclose(mixed.astype(float), gravity([quarter, 0.5, 1.0]), rtol=1e-14)


@pytest.mark.parametrize(
    ("entry", "words"), [(None, "NoneType has no method cos"), (1j, "complex has no method cos"), ("x", "str has no")]
)
def test_objects_that_have_no_cosine_are_named(entry, words):
    with pytest.raises(TypeError, match=words):
        functions("planar3r")["inertia_matrix"](np.array([entry] * 3, dtype=object))


LISTS = [[sympy.Symbol("x")] * 3, [0.1, sympy.Symbol("x"), 0.2], [None, 0.1, 0.2], (Fraction(1, 2),) * 3]


class Unarrayed:
    """What will not be made an array, as a vector of CasADi's symbols."""

    def __array__(self, *args, **keywords):
        raise TypeError("symbols are no numbers")


@functools.cache
def gravity_torques():
    """The same function compiled, over NumPy, and as it is generated."""
    made = derive(load("planar3r"), Options(("gravity_torque",), effort="low"))
    sources = emit(made.module)
    plain = numpy_namespace(sources)
    compiled, fallback = build(made, sources).functions, bind_numpy(made.module, plain)
    return [found["gravity_torque"] for found in (compiled, fallback, plain)]


@pytest.mark.parametrize("given", [*LISTS, Unarrayed(), object()])
def test_lists_of_objects_are_refused_in_the_same_words(given):
    words = f"planar3r.gravity_torque: q holds objects, expected real numbers of shape (..., 3); {OBJECTS}"
    for function in gravity_torques():
        with pytest.raises(TypeError, match=f"^{re.escape(words)}$"):
            function(given)


def test_compiled_functions_refuse_arrays_of_objects_too():
    compiled, fallback, plain = gravity_torques()
    for function in (compiled, fallback):
        with pytest.raises(TypeError, match=re.escape(OBJECTS)):
            function(symbols("q", 3))
    assert plain(symbols("q", 3)).dtype == object


def test_casadi_goes_through():
    casadi = pytest.importorskip("casadi")
    q = casadi.SX.sym("q", 3)
    torque = functions("planar3r")["gravity_torque"](np.array([q[k] for k in range(3)], dtype=object))
    value = casadi.Function("g", [q], [casadi.vertcat(*torque)])([0.1, 0.2, 0.3])
    np.testing.assert_allclose(
        value.full().ravel(), functions("planar3r")["gravity_torque"]([0.1, 0.2, 0.3]), rtol=1e-12
    )
