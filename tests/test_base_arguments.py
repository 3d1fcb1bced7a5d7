"""Base inertial parameters as arguments: the functions of any numbers at all, which no link need have."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from module_functions import interpreted, setting_of
from robots_with_drives import equipped
from strategies import equipped_robot

from symgen import api
from symgen.derive.derivation import Derivation, Options, derive
from symgen.derive.inertial_parameters import inertial_parameters
from symgen.errors import InputError
from symgen.package.rows import Vectors
from symgen.package.vectors import draw_vectors
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.runtime.module import build, emit, numpy_namespace
from symgen.verify.compare import verify
from symgen.verify.oracle import Oracle

ALL = Options(functions=("all",), effort="low", parameters="base")
UNDETERMINED = [
    "center_of_mass",
    "center_of_mass_jacobian",
    "centroidal_momentum",
    "centroidal_momentum_matrix",
    "joint_wrench",
]
ROBOTS = {
    "scara": (equipped("scara"), replace(ALL, gravity="runtime", wrenches=("tcp",))),
    "stanford": (equipped("stanford"), replace(ALL, forward_dynamics="aba")),
    "random7": (equipped_robot(7), ALL),
}


@functools.cache
def derived(name: str) -> Derivation:
    return derive(*ROBOTS[name])


def any_numbers(derivation: Derivation, seed: int = 0) -> dict[str, float]:
    """Parameters that no robot has."""
    names = derivation.subject.symbols
    return dict(zip(names, np.random.default_rng(seed).normal(size=len(names)).tolist(), strict=True))


def setting(derivation: Derivation, values=None):
    return replace(setting_of(derivation, values), base=derivation.subject.base_columns)


def state(n: int, seed: int = 0):
    return np.random.default_rng(seed).uniform(-2, 2, (3, 50, n))


@pytest.mark.parametrize("name", ROBOTS)
def test_every_function_is_proved_and_agrees_with_the_oracle(name):
    derivation = derived(name)
    base = inertial_parameters(derivation.subject.robot, runtime_gravity=derivation.subject.runtime_gravity)
    assert [notice.split(": ")[1].split(" cannot")[0] for notice in derivation.notices] == UNDETERMINED
    assert {p.name: p.default for p in derivation.module.parameters} == {p.name: p.value for p in base}
    assert [proof.function for proof in prove(derivation) if not proof.holds] == []
    robot, values = derivation.subject.robot, any_numbers(derivation)
    for given in (None, values):
        bounds = roundings(derivation.module, None if given is None else list(given.values()))
        functions = interpreted(derivation, given)
        report = verify(robot, functions, states=10, setting=setting(derivation, given), roundings=bounds)
        assert report.passed, str(report)
    few = {"inverse_dynamics": interpreted(derivation)["inverse_dynamics"]}
    assert not verify(robot, few, states=10, setting=setting(derivation, values)).passed


@pytest.mark.parametrize("name", UNDETERMINED)
def test_what_base_parameters_do_not_determine_is_refused(name):
    with pytest.raises(InputError, match=f"{name} cannot be generated: base inertial parameters do not determine it"):
        derive(ROBOTS["scara"][0], replace(ALL, functions=("inverse_dynamics", name)))


def test_a_proof_is_of_all_numbers():
    """Functions in which the robot's own numbers are baked are those of no other."""
    derivation = derived("scara")
    baked = derive(ROBOTS["scara"][0], replace(ROBOTS["scara"][1], parameters="numeric")).module
    kinematic = {
        f.name for f in baked.functions if f.name in ("forward_kinematics", "regressor", "slotine_li_regressor")
    }
    kinematic |= {f.name for f in baked.functions if f.name in ("integrate", "difference", "normalize")}
    kinematic |= {f.name for f in baked.functions if f.name.startswith(("jacobian", "kinematic"))}
    determined = tuple(f for f in baked.functions if f.kind not in UNDETERMINED)
    wrong = replace(derivation, module=replace(derivation.module, functions=determined))
    assert {proof.function for proof in prove(wrong) if proof.holds} == kinematic


def test_identified_parameters_become_code():
    """Least squares on torques of parameters that no robot has gives a module with these torques."""
    derivation = derive(library.load("stanford"), replace(ALL, functions=("regressor", "inverse_dynamics")))
    sources = emit(derivation.module)
    module, plain = build(derivation, sources), numpy_namespace(sources)
    q, qd, qdd = state(6)
    theta = np.array(list(any_numbers(derivation).values()))
    Y = module.regressor(q, qd, qdd)
    tau = Y @ theta
    found = np.linalg.lstsq(Y.reshape(-1, len(theta)), tau.reshape(-1), rcond=None)[0]
    identified = module.with_parameters(dict(zip(module.regressor_names, found, strict=True)))
    np.testing.assert_allclose(identified.inverse_dynamics(q, qd, qdd), tau, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(identified.regressor_parameters, theta, rtol=1e-9, atol=1e-9)
    constants = plain["constants_of"](identified.parameters)
    np.testing.assert_allclose(plain["inverse_dynamics"](q, qd, qdd, constants), tau, rtol=1e-9, atol=1e-9)
    assert "also ones that no robot has" in " ".join(sources.c["stanford.h"].replace("\n *", " ").split())


@pytest.mark.parametrize("name", ["stanford"])
def test_at_their_defaults_they_are_the_robot(name):
    derivation = derived(name)
    found, oracle = interpreted(derivation), Oracle(derivation.subject.robot)
    q, qd, qdd = state(oracle.robot.nv)
    expected = oracle.inverse_dynamics(q, qd, qdd)
    np.testing.assert_allclose(found["inverse_dynamics"](q, qd, qdd), expected, rtol=1e-9, atol=1e-9)
    offset = found["potential_energy"](q) - oracle.potential_energy(q)
    np.testing.assert_allclose(offset, offset[0], rtol=1e-9, atol=1e-9)
    (energy,) = (f for f in derivation.module.functions if f.name == "potential_energy")
    assert "up to a constant" in energy.summary


@pytest.mark.parametrize("name", ["scara", "random7"])
def test_vectors_of_a_package_are_of_several_parameters(name):
    derivation = derived(name)
    vectors: Vectors = draw_vectors(derivation.subject.robot, derivation)
    names = derivation.subject.symbols
    assert len(set(vectors.parameters)) == 2
    for state, values in enumerate(vectors.parameters):
        functions = interpreted(derivation, dict(zip(names, values, strict=True)))
        for function in derivation.module.functions:
            given = [np.array(vectors.inputs[a.name][state]) for a in function.inputs if a.name != "constants"]
            found = functions[function.name](*given)
            for output, array in zip(function.outputs, found if isinstance(found, tuple) else (found,), strict=True):
                result = vectors.results[function.name][output.name]
                np.testing.assert_allclose(np.ravel(array), result.expected[state], rtol=0, atol=2 * result.tolerance)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"regressor": "standard"}, "regressor: expected 'base' where parameters are the base ones, found 'standard'"),
        ({"parameters": "bases"}, "unknown kind of parameters 'bases'; there are: numeric, symbolic, runtime, base"),
        ({"parameters": ["base", "m2"]}, "planar2r: 'base' is a kind of parameters, not one of them: give it alone"),
    ],
)
def test_what_makes_no_sense_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        api.derive(library.load("planar2r"), Options(**{"parameters": "base"} | options))


def test_a_parameter_of_the_file_that_is_called_base_is_one():
    robot = replace(library.load("planar2r"), parameters=(("base", library.load("planar2r").defaults["L1"]),))
    with pytest.raises(InputError, match="the parameter 'base' changes nothing at run time"):
        api.derive(robot, Options(parameters=("base",)))


@pytest.mark.parametrize(("values", "words"), [({}, "missing base parameter 'M"), ({"m2": 1.0}, "base parameter 'M")])
def test_the_oracle_wants_all_of_them(values, words):
    robot = library.load("planar2r")
    columns = {item.name: (item.number, item.stem) for item in inertial_parameters(robot)}
    with pytest.raises(InputError, match=words):
        Oracle(robot, values, columns)
    with pytest.raises(InputError, match="unknown base parameter 'm2'; there are: ZZR1, MXR1, MY1, ZZ2, MX2, MY2"):
        Oracle(robot, dict.fromkeys(columns, 1.0) | {"m2": 1.0}, columns)
