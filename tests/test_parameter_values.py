"""Values of run-time parameters: some are given, the others stay as they are."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from module_functions import numpy_names

import symgen
from symgen.build.callables import bind_numpy
from symgen.derive.derivation import Options, derive
from symgen.errors import InputError
from symgen.program.rounding import roundings
from symgen.robot import library
from symgen.robot.reader import read_text
from symgen.runtime.module import build, emit, numpy_namespace
from symgen.verify.compare import verify
from symgen.verify.setting import Setting

NAMES = ("m2", "L1")


@pytest.fixture(scope="module")
def made():
    options = Options(functions=("gravity_torque", "inertia_matrix"), parameters=NAMES, effort="low")
    derivation = derive(library.load("planar2r"), options)
    sources = emit(derivation.module)
    return build(derivation, sources), numpy_namespace(sources)


def test_what_is_not_given_keeps_its_present_value(made):
    arm, _ = made
    heavy = arm.with_parameters({"m2": 3.0})
    both = heavy.with_parameters({"L1": 2.0})
    assert heavy.parameters == arm.parameters | {"m2": 3.0}
    assert both.parameters == arm.parameters | {"m2": 3.0, "L1": 2.0}
    assert both.with_parameters({}).parameters == both.parameters
    assert both.with_parameters().parameters == arm.parameters
    expected = arm.with_parameters(arm.parameters | {"m2": 3.0, "L1": 2.0})
    np.testing.assert_array_equal(both.gravity_torque([0.1, 0.2]), expected.gravity_torque([0.1, 0.2]))
    assert not np.allclose(both.gravity_torque([0.1, 0.2]), arm.gravity_torque([0.1, 0.2]))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"m9": 1.0, "m2": 1.0, "x": 2.0}, r"planar2r: parameters unknown: m9, x; there are: L1, m2"),
        ({"L1": float("nan")}, "planar2r: parameter L1: expected a finite number, found nan"),
        ({"L1": float("inf")}, "planar2r: parameter L1: expected a finite number, found inf"),
        ({"L1": "long"}, "planar2r: parameter L1: expected a number, found 'long'"),
        ({"m2": -1.0}, "planar2r: parameter m2: expected a mass of at least 0 kg, found -1.0"),
        ([("m2", 1.0)], r"planar2r: parameters: expected a dict of names and values, found \[\('m2', 1.0\)\]"),
    ],
)
def test_wrong_values_are_named(made, values, words):
    with pytest.raises(InputError, match=words):
        made[0].with_parameters(values)


TEXT = """
name = "named"
convention = "modified"
gravity = [0, 0, -9.81]
[parameters]
load = 2
m7 = 0.5
[[links]]
joint = "revolute"
mass = "load"
com = [1, 0, 0]
[[links]]
joint = "revolute"
a = "m7"
mass = 1
com = [1, 0, 0]
"""


def test_kinds_follow_what_a_parameter_is_not_how_it_is_called():
    derivation = derive(read_text(TEXT, "here"), Options(("inertia_matrix",), parameters="runtime", effort="low"))
    kinds = {parameter.name: parameter.kind for parameter in derivation.module.parameters}
    assert kinds["load"] == kinds["m2"] == "mass"
    assert kinds["m7"] == "length"
    module = build(derivation, emit(derivation.module))
    assert module.with_parameters({"m7": -1.0}).parameters["m7"] == -1.0
    for name in ("load", "m2"):
        with pytest.raises(InputError, match=f"{name}: expected a mass of at least 0 kg"):
            module.with_parameters({name: -1.0})


def test_a_module_without_parameters_has_none_to_change():
    robot = symgen.load("planar2r")
    module = build(derivation := derive(robot, Options(("gravity_torque",), effort="low")), emit(derivation.module))
    assert module.with_parameters({}).parameters == {}
    with pytest.raises(InputError, match="planar2r: parameters unknown: m2; there are: none"):
        module.with_parameters({"m2": 1.0})


def test_the_numpy_module_completes_them_by_its_defaults(made):
    arm, plain = made
    q = np.array([0.1, 0.2])
    np.testing.assert_allclose(
        plain["gravity_torque"](q, plain["constants_of"]({"m2": 3.0})),
        arm.with_parameters({"m2": 3.0}).gravity_torque(q),
        rtol=1e-14,
    )
    with pytest.raises(ValueError, match="planar2r: parameters unknown: m9; there are: L1, m2"):
        plain["constants_of"]({"m9": 1.0})


def test_the_numpy_module_takes_symbols_for_them(made):
    _, plain = made
    m2, L1 = sympy.symbols("m2 L1")
    torque = plain["gravity_torque"](np.array([0.1, 0.2]), plain["constants_of"]({"m2": m2, "L1": L1}))
    assert torque[0].free_symbols == {m2, L1}
    assert torque[1].free_symbols == {m2}
    numbers = plain["gravity_torque"]([0.1, 0.2], plain["constants_of"]({"m2": 3.0, "L1": 0.25}))
    assert [float(entry.subs({m2: 3.0, L1: 0.25})) for entry in torque] == pytest.approx(numbers.tolist(), rel=1e-14)


@pytest.mark.parametrize("kind", ["runtime", "base"])
@pytest.mark.parametrize("real", ["float64", "float32"])
def test_defaults_may_be_rounded_to_the_real_type(kind, real):
    """An entry of the inertia matrix that is a parameter is off by its rounding, and no operation's."""
    robot = library.load("planar2r")
    module = derive(robot, Options(("inertia_matrix",), parameters=kind, real=real, effort="low")).module
    functions = bind_numpy(module, numpy_names(module))
    assert verify(robot, functions, 10, setting=Setting(real=real), roundings=roundings(module)).passed
    exact = roundings(module, [parameter.default for parameter in module.parameters])
    assert verify(robot, functions, 10, setting=Setting(real=real), roundings=exact).passed == (
        real == "float64" or kind == "runtime"
    )
