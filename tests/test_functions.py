"""Every function with every option, on robots that have drives and frames: against Pinocchio, the oracle and proofs.

The functions run in the interpreter, in the generated NumPy module and compiled; single precision in the latter two.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from module_functions import interpreted, numpy_names, setting_of
from oracle_functions import oracle_functions
from pinocchio_oracle import FullCases, full_cases
from robots_with_drives import equipped
from strategies import equipped_robot
from thorough import usual

from symgen.build.callables import bind_numpy
from symgen.derive.derivation import Derivation, Options, derive
from symgen.prove.proof import prove
from symgen.robot import library
from symgen.robot.expression import parse
from symgen.runtime.module import DynamicsModule, build, emit
from symgen.verify.compare import verify
from symgen.verify.functions.registry import ARGUMENTS
from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting

TOLERANCE = 1e-11
SINGLE_TOLERANCE = 2e-5
SINGLE_FLOOR = 0.1
"""Share of the largest value over all states below which single precision is judged against that."""

ALL = ("all",)
OPTIONS = {
    "plain": Options(functions=ALL, frames=("tcp", "elbow"), effort="low"),
    "inputs": Options(
        effort="low",
        functions=ALL,
        forward_dynamics="aba",
        gravity="runtime",
        wrenches=("tcp", "elbow"),
        frames=("elbow",),
        axes="frame",
        regressor="standard",
    ),
    "runtime": Options(
        effort="low", functions=ALL, parameters="runtime", gravity="runtime", wrenches=("tcp",), frames=("tcp",)
    ),
}
SOME = ("puma", "stanford", "scara")
PLAIN = ("planar3r", "scara", "stanford", "puma", "panda")


def derived(name: str, options: str, real: str = "float64") -> Derivation:
    return _derived(name, options, real)


@functools.cache
def _derived(name: str, options: str, real: str) -> Derivation:
    return derive(equipped(name), replace(OPTIONS[options], real=real))


@functools.cache
def expected(name: str, options: str, real: str = "float64") -> FullCases:
    return full_cases(equipped(name), setting_of(derived(name, options, real)))


def judged(derivation: Derivation, functions):
    """What the oracle judges: of larger arms without Hessians, which take it long and which smaller ones have too."""
    small = derivation.subject.robot.nv <= 4
    return {name: each for name, each in functions.items() if small or not name.endswith("dynamics_hessian")}


def numpy_functions(derivation: Derivation):
    return bind_numpy(derivation.module, numpy_names(derivation.module))


def compiled(derivation: Derivation) -> DynamicsModule:
    module = build(derivation, emit(derivation.module))
    assert module.backend != "numpy"
    return module


def disagreements(case: FullCases, functions, tolerance: float = TOLERANCE, floor: float = 1e-3) -> list[str]:
    """A line for every function that is missing or not within the tolerance of Pinocchio's values."""
    missing = [f"{case.robot.name}: {name} is missing" for name in case.expected if name not in functions]
    present = [name for name in case.expected if name in functions]
    errors = {name: case.worst_error(name, functions[name](*case.arguments[name]), floor) for name in present}
    return missing + [
        f"{case.robot.name}: {name} is off by {e:.1e}" for name, e in errors.items() if not e <= tolerance
    ]


# against Pinocchio -------------------------------------------------------------------------------------------


CASES = [(name, "plain") for name in PLAIN]
CASES = [*CASES[:-1], ("scara", "inputs"), ("scara", "runtime"), CASES[-1], ("stanford", "runtime")]


@pytest.mark.parametrize(("name", "options"), usual(6, CASES))
def test_programs_and_numpy_modules(name, options):
    """One test of all that is asked of a derivation, so that it is derived once, whichever process runs it."""
    derivation, case = derived(name, options), expected(name, options)
    assert derivation.notices == ()
    assert disagreements(case, interpreted(derivation)) == []
    assert disagreements(case, numpy_functions(derivation)) == []
    report = verify(
        equipped(name), judged(derivation, interpreted(derivation)), states=8, setting=setting_of(derivation)
    )
    assert report.passed, str(report)
    proofs = prove(derivation)
    assert len(proofs) == len(derivation.module.functions)
    assert [proof.function for proof in proofs if not proof.holds] == []
    check_single_precision(derivation)


def check_single_precision(derivation: Derivation) -> None:
    """The NumPy module of the same programs in single precision."""
    single = replace(derivation, module=replace(derivation.module, real="float32"))
    robot, setting = equipped(derivation.subject.robot.name), setting_of(single)
    functions = in_single(numpy_functions(single))
    assert functions["inertia_matrix"](np.zeros(robot.nv)).dtype == np.float32
    assert disagreements(full_cases(robot, setting), functions, SINGLE_TOLERANCE, SINGLE_FLOOR) == []
    report = verify(robot, judged(single, functions), states=8, setting=setting)
    assert report.passed, str(report)


@pytest.mark.parametrize(("name", "options"), [("scara", "runtime"), ("stanford", "inputs"), ("stanford", "plain")])
def test_compiled_modules_agree_with_pinocchio(name, options):
    module = compiled(derived(name, options))
    assert disagreements(expected(name, options), module.functions) == []


@pytest.mark.parametrize("name", SOME)
def test_the_oracle_agrees_with_pinocchio(name):
    for axes in ("base", "frame"):
        frames = (("tcp", "tcp"), ("elbow", "elbow"))
        setting = Setting(gravity=True, wrenches=(("w1", "tcp"), ("w2", "elbow")), frames=frames, axes=axes)
        case = full_cases(equipped(name), setting, states=20)
        assert disagreements(case, oracle_functions(equipped(name), setting)) == []


def test_factors_are_those_of_pinocchios_matrix():
    for name in ("puma", "stanford", "scara"):
        case = expected(name, "plain")
        U, D = interpreted(derived(name, "plain"))["udu_factors"](*case.arguments["inertia_matrix"])
        product = (U * D[:, None, :]) @ np.swapaxes(U, 1, 2)
        assert case.worst_error("inertia_matrix", product) < TOLERANCE
        assert np.array_equal(np.tril(U), np.broadcast_to(np.eye(U.shape[-1]), U.shape))


# friction and rotors ---------------------------------------------------------------------------------------------


def test_friction_vanishes_at_rest_and_rotors_do_not_fall():
    robot = equipped("puma")
    functions = interpreted(derived("puma", "plain"))
    q, still = np.random.default_rng(0).uniform(-3, 3, (20, robot.nv)), np.zeros(robot.nv)
    held = functions["inverse_dynamics"](q, still, still) - Oracle(robot).drives.springs(q)
    np.testing.assert_allclose(held, functions["gravity_torque"](q), rtol=0, atol=1e-13)
    bare = derive(library.load("puma"), Options(functions=ALL, effort="low"))
    for name in ("coriolis_torque", "gravity_torque", "bias_torque", "coriolis_matrix"):
        case = expected("puma", "plain")
        args = case.arguments[name]
        np.testing.assert_array_equal(functions[name](*args), interpreted(bare)[name](*args))


# single precision ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["scara"])
def test_compiled_single_precision(name):
    derivation, case = derived(name, "inputs", "float32"), expected(name, "inputs", "float32")
    functions = compiled(derivation).functions
    assert disagreements(case, in_single(functions), SINGLE_TOLERANCE, SINGLE_FLOOR) == []
    assert verify(equipped(name), in_single(functions), states=8, setting=setting_of(derivation)).passed


def in_single(functions):
    """The functions given arrays of their own type."""

    def converted(function):
        return lambda *args: function(*(np.float32(arg) for arg in args))

    return {name: converted(function) for name, function in functions.items()}


# run-time parameters ---------------------------------------------------------------------------------------------

PAYLOAD = {"m6": "3.25", "cx6": "0.02", "cz6": "0.11", "Ixx6": "0.07", "Izz6": "0.05", "Fv1": "2.5", "Im2": "0.0005"}
PARAMETERS = ("link6", "Fv1", "Im2")


def loaded():
    """The robot of the tests with the payload written into its table."""
    robot = equipped("puma")
    links = list(robot.links)
    given = links[5].inertia
    links[5] = replace(
        links[5],
        inertia=replace(
            given,
            mass=parse(PAYLOAD["m6"]),
            com=(parse(PAYLOAD["cx6"]), given.com[1], parse(PAYLOAD["cz6"])),
            tensor=(parse(PAYLOAD["Ixx6"]), given.tensor[1], parse(PAYLOAD["Izz6"]), *given.tensor[3:]),
        ),
    )
    for index, change in ((0, {"viscous": "2.5"}), (1, {"rotor_inertia": "0.0005"})):
        drive = replace(links[index].joint.drive, **{key: parse(value) for key, value in change.items()})
        links[index] = replace(links[index], joint=replace(links[index].joint, drive=drive))
    return replace(robot, links=tuple(links))


@functools.cache
def with_payload() -> Derivation:
    return derive(
        equipped("puma"), Options(functions=ALL, parameters=PARAMETERS, frames=("tcp", "elbow"), effort="low")
    )


def differences(left, right, case: FullCases) -> float:
    """The largest norm-wise difference of two sets of functions."""
    worst = 0.0
    q, qd, qdd = case.arguments["inverse_dynamics"][:3]
    values = {"q": q, "qd": qd, "qdd": qdd, "tau": qdd, "v": qd, "q0": q, "q1": q + qd, "weights": q}
    values |= {"x": qdd, "qd_ref": q, "qdd_ref": qdd, "row_weights": np.resize(q, (*q.shape[:-1], 6))}
    for name in right:
        args = case.arguments.get(name)
        if args is None:  # Pinocchio is not asked for it; those of frames have their names at the end
            kind = max((known for known in ARGUMENTS if f"{name}_".startswith(f"{known}_")), key=len)
            args = [values[argument] for argument in ARGUMENTS[kind]]
        for one, other in zip(*(as_tuple(functions[name](*args)) for functions in (left, right)), strict=True):
            worst = max(worst, float(np.abs(one - other).max() / max(np.abs(other).max(), 1e-300)))
    return worst


def as_tuple(values):
    return values if isinstance(values, tuple) else (values,)


def test_a_changed_payload_is_the_regenerated_robot():
    derivation, case = with_payload(), expected("puma", "plain")
    values = {name: float(value) for name, value in PAYLOAD.items()}
    regenerated = interpreted(derive(loaded(), OPTIONS["plain"]))
    assert differences(interpreted(derivation, values), regenerated, case) < 1e-13
    module = compiled(derivation)
    assert differences(module.with_parameters(values).functions, regenerated, case) < 1e-13
    changed = full_cases(loaded(), setting_of(derivation))
    assert disagreements(changed, interpreted(derivation, values)) == []
    setting = setting_of(derivation, values)
    changed_functions = judged(derivation, interpreted(derivation, values))
    assert verify(derivation.subject.robot, changed_functions, 8, setting=setting).passed
    few = {"inverse_dynamics": interpreted(derivation)["inverse_dynamics"]}
    assert not verify(derivation.subject.robot, few, 8, setting=setting).passed


def test_run_time_parameters_at_their_defaults_are_the_baked_numbers():
    case = expected("puma", "plain")
    baked = interpreted(derived("puma", "plain"))
    assert differences(interpreted(with_payload()), baked, case) < 1e-13
    everything = derive(equipped("puma"), replace(OPTIONS["plain"], parameters="runtime"))
    assert differences(interpreted(everything), baked, case) < 1e-13


# random robots ---------------------------------------------------------------------------------------------------

RANDOM = 6


def random_options(seed: int, frames: tuple[str, ...]) -> Options:
    """Options that differ from seed to seed, so that all pairs of them occur."""
    return Options(
        functions=ALL,
        effort="low",
        forward_dynamics=("udu", "aba")[seed % 2],
        gravity=("numeric", "runtime")[seed // 2 % 2],
        wrenches=frames[: seed // 3 % 3],
        frames=frames if seed % 5 else frames[:1],
        axes=("base", "frame")[seed // 4 % 2],
        parameters=("numeric", "runtime")[seed // 5 % 2] if seed % 3 == 0 else "numeric",
        regressor=("base", "standard")[seed % 7 == 0],
    )


@pytest.mark.parametrize("seed", usual(4, range(RANDOM)))
def test_random_robots_with_random_options(seed):
    robot = equipped_robot(seed)
    derivation = derive(robot, random_options(seed, tuple(frame.name for frame in robot.frames)))
    functions = interpreted(derivation)
    report = verify(robot, functions, states=8, seed=seed, setting=setting_of(derivation))
    assert report.passed, str(report)
    assert [proof.function for proof in prove(derivation) if not proof.holds] == []
    case = full_cases(robot, setting_of(derivation), states=4, seed=seed)
    assert disagreements(case, functions | numpy_functions(derivation), 1e-10) == []


@pytest.mark.parametrize("seed", [5])
def test_random_robots_are_searched(seed):
    robot = equipped_robot(seed)
    derivation = derive(robot, replace(random_options(seed, ()), functions=None, effort="normal"))
    report = verify(robot, interpreted(derivation), states=10, seed=seed, setting=setting_of(derivation))
    assert report.passed, str(report)
    assert [proof.function for proof in prove(derivation) if not proof.holds] == []
