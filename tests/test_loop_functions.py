"""Functions that robots with loops share with trees: proved, verified, and refuted where they are wrong."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from loop_mechanisms import mechanism
from module_functions import interpreted, setting_of
from robots_with_drives import with_drives
from test_loop_reactions import inline
from thorough import usual

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.setting import setting_of as setting_with_blocks
from symgen.derive.split import given_velocities
from symgen.errors import InputError
from symgen.generation.corridor import run
from symgen.program.rounding import roundings
from symgen.prove.proof import prove
from symgen.verify.compare import verify

CONTROL = (
    "coriolis_product",
    "coriolis_transpose_velocity",
    "inertia_rate",
    "generalized_momentum",
    "reference_torque",
    "slotine_li_regressor",
)
FUNCTIONS = (
    "inverse_dynamics",
    "coriolis_matrix",
    "coriolis_torque",
    "constraint_jacobian",
    "constraint_forces",
    "cut_wrench",
    "joint_wrench",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "jacobian_dot",
    *CONTROL,
)
CASES = {
    "five_bar": lambda: (with_drives(inline("five_bar")), {"given": ("proximal2",), "axes": "frame"}),
    "rssr": lambda: (symgen.load("rssr"), {"gravity": "runtime", "wrenches": ("coupler",)}),
    "ankle": lambda: (symgen.load("ankle"), {"given": ("motor_left",)}),
    "random": lambda: (mechanism(312), {}),
}
NEW = ("coriolis_matrix", "cut_wrench", "joint_wrench", "inverse_dynamics_derivatives", "jacobian_dot")

cases = pytest.mark.parametrize("case", CASES)


@functools.cache
def derived(case: str):
    robot, options = CASES[case]()
    wanted = (*FUNCTIONS, "hybrid_dynamics") if "given" in options else FUNCTIONS
    return derive(robot, Options(wanted, effort="low", **options))


def report(case: str, functions):
    """The verdict on functions."""
    made = derived(case)
    return verify(made.subject.robot, functions, 4, setting=setting_of(made), roundings=roundings(made.module))


@cases
def test_all_are_proved_and_verified(case):
    made = derived(case)
    proofs = {proof.function: proof.holds for proof in prove(made)}
    assert proofs == dict.fromkeys((function.name for function in made.module.functions), True)
    assert ("hybrid_dynamics" in proofs) == bool(made.subject.given)
    found = report(case, interpreted(made))
    assert found.passed, [(item.name, item.note) for item in found.failures]


@pytest.mark.parametrize("name", [*NEW, *CONTROL, "hybrid_dynamics"])
def test_wrong_functions_are_refuted(name):
    right = interpreted(derived("five_bar"))[name]

    def wrong(*arguments):
        results = right(*arguments)
        arrays = [np.array(each) for each in (results if isinstance(results, tuple | list) else [results])]
        arrays[-1][..., -1] *= 1 + 1e-9
        return arrays

    assert not report("five_bar", {name: wrong}).passed
    assert report("five_bar", {name: right}).passed


def test_accelerations_are_given_to_independent_joints_alone():
    robot = symgen.load("five_bar")
    assert given_velocities(robot, ("proximal2",)) == (1,)
    with pytest.raises(InputError, match=r"distal1' moves as the loops make it.*proximal1, proximal2"):
        given_velocities(robot, ("distal1",))
    with pytest.raises(InputError, match="that is inverse_dynamics"):
        given_velocities(robot, ("proximal1", "proximal2"))


@pytest.mark.parametrize("name", ["rssr", "suspension"])
def test_determinants_of_spins_are_known(name):
    """Rows of spins are no part of `constraint_jacobian`: the oracle has its own."""
    robot = symgen.load(name)
    derivation = derive(robot, Options(functions=("loop_determinants",), effort="low"))
    functions, setting = interpreted(derivation), setting_with_blocks(derivation)
    found = verify(robot, functions, states=5, setting=setting, roundings=roundings(derivation.module))
    assert found.passed, str(found)
    assert not any("nothing is known" in check.note for check in found.checks)
    wrong = {**functions, "loop_determinants": lambda q: functions["loop_determinants"](q) * (1 + 1e-9)}
    assert not verify(robot, wrong, states=5, setting=setting, roundings=roundings(derivation.module)).passed


@pytest.mark.parametrize("name", usual(2, ["ankle", "rssr", "suspension", "palletizer", "rrr3", "delta", "five_bar"]))
def test_single_precision_is_verified(name):
    """Rounded states do not quite close loops."""
    options = Options(("all",), effort="low", real="float32")
    made = run(symgen.load(name), options, states=100, compiled=False)
    assert made.report.passed, [str(check) for check in made.report.failures]
    assert made.module.language == "python"


def test_whatever_is_asked_alone_can_be_verified():
    """Also without what its code can err, as functions have it that are not symgen's."""
    derivation = derive(symgen.load("five_bar"), Options(functions=("all",), effort="low"))
    functions, setting = interpreted(derivation), setting_with_blocks(derivation)
    for name, function in functions.items():
        if name not in ("loop_determinants", "constraint_forces"):  # which are judged with constraint_jacobian
            found = verify(derivation.subject.robot, {name: function}, states=3, setting=setting)
            assert found.passed, (name, str(found))
