"""200 random robots: Pinocchio against programs, NumPy modules, compiled modules and the oracle, for every function."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from module_functions import numpy_names
from pinocchio_oracle import ARGUMENTS, Cases, Model, cases
from strategies import robots, seeded_robot, seeded_text
from thorough import usual

from symgen.derive.derivation import Derivation, Options, derive
from symgen.program.interpreter import evaluate
from symgen.prove.proof import prove
from symgen.robot.model import Robot
from symgen.runtime.module import build, emit
from symgen.verify.compare import verify
from symgen.verify.oracle import Oracle

ROBOTS = 80
CHUNK = 5
COMPILED = 4
TOLERANCE = 1e-10

Functions = Mapping[str, Callable[..., np.ndarray]]

chunks = pytest.mark.parametrize(
    "seeds",
    usual(8, [range(start, start + CHUNK) for start in range(0, ROBOTS, CHUNK)]),
    ids=lambda seeds: str(seeds.start),
)


def interpreted(derivation: Derivation) -> Functions:
    """All functions of a robot as programs that the interpreter runs."""
    return {function.name: functools.partial(interpret, function) for function in derivation.module.functions}


def generated(derivation: Derivation) -> Functions:
    """All functions of a robot as the generated NumPy module has them."""
    namespace = numpy_names(derivation.module)
    return {function.name: namespace[function.name] for function in derivation.module.functions}


def compiled(derivation: Derivation) -> Functions:
    """All functions of a robot from C."""
    module = build(derivation, emit(derivation.module))
    assert module.backend != "numpy"
    return module.functions


def interpret(function, *args: np.ndarray) -> np.ndarray:
    inputs = {argument.name: value for argument, value in zip(function.inputs, args, strict=True)}
    return evaluate(function.program, inputs)[function.outputs[0].name]


def of_oracle(robot: Robot) -> Functions:
    """All functions of a robot as the NumPy oracle computes them."""
    oracle = Oracle(robot)
    return {name: getattr(oracle, name) for name in ARGUMENTS}


def disagreements(case: Cases, functions: Functions) -> Iterator[str]:
    """A line for every function that is missing or not within the tolerance of Pinocchio's values."""
    for name in case.expected:
        if name not in functions:
            yield f"{case.robot.name}: {name} is missing"
            continue
        error = case.worst_error(name, functions[name](*case.arguments(name)))
        if not error <= TOLERANCE:
            yield f"{case.robot.name}: {name} is off by {error:.1e}"


@chunks
def test_derived_programs_agree_with_pinocchio(seeds):
    found: list[str] = []
    for seed in seeds:
        robot = seeded_robot(seed)
        derivation = derive(robot, Options(forward_dynamics="aba" if seed % 2 else "udu", effort="low"))
        functions = interpreted(derivation)
        case = cases(robot, seed=seed)
        found += disagreements(case, functions)
        found += disagreements(case, generated(derivation))
        found += [f"{robot.name}: {name} is singular" for name in functions if name not in case.expected]
        report = verify(robot, functions, states=10, seed=seed)
        found += [f"{robot.name}: {check}" for check in report.failures]
    assert found == []


@pytest.mark.parametrize("seed", range(3, ROBOTS, ROBOTS // COMPILED))
def test_compiled_modules_agree_with_pinocchio(seed):
    robot = seeded_robot(seed)
    derivation = derive(robot, Options(effort=("low", "normal")[seed % 3 == 0]))
    assert list(disagreements(cases(robot, seed=seed), compiled(derivation))) == []
    assert all(proof.holds for proof in prove(derivation))


def test_oracle_agrees_with_pinocchio():
    found: list[str] = []
    for seed in range(ROBOTS):
        case = cases(seeded_robot(seed), seed=seed)
        found += disagreements(case, of_oracle(case.robot))
        found += misplaced_frames(case)
    assert found == []


def misplaced_frames(case: Cases) -> Iterator[str]:
    model, q = Model(case.robot), case.inputs["q"][0]
    frames = Oracle(case.robot).frames(q)
    for link, frame in zip(case.robot.links, frames, strict=True):
        if not np.allclose(frame, model.frame(link.name, q), rtol=0, atol=1e-13):
            yield f"{case.robot.name}: the frame of {link.name} is elsewhere"


@settings(max_examples=60, deadline=None, derandomize=True)
@given(robots())
def test_oracle_agrees_with_pinocchio_on_drawn_robots(robot):
    assert list(disagreements(cases(robot), of_oracle(robot))) == []


@settings(max_examples=25, deadline=None, derandomize=True)
@given(robots(max_joints=3))
def test_derived_programs_agree_with_pinocchio_on_drawn_robots(robot):
    assert list(disagreements(cases(robot), interpreted(derive(robot, Options(effort="low"))))) == []


def test_random_robots_are_varied_and_always_the_same():
    drawn = [seeded_robot(seed) for seed in range(200)]
    assert [seeded_text(seed) for seed in (0, 7)] == [seeded_text(seed) for seed in (0, 7)]
    kinds = [link.joint.kind.value for robot in drawn for link in robot.links]
    assert min(kinds.count(kind) for kind in ("revolute", "prismatic", "fixed")) > 50
    assert {robot.convention for robot in drawn} == {"standard", "modified"}
    assert {robot.nv for robot in drawn} == set(range(1, 9))
    assert sum(bool(robot.base) for robot in drawn) > 50
    assert sum(any(link.parent != index - 1 for index, link in enumerate(robot.links)) for robot in drawn) > 20
    fixed_ends = [robot.links[end].joint.kind.value == "fixed" for robot in drawn for end in (0, -1)]
    assert sum(fixed_ends) > 5
    inertias = [link.inertia for robot in drawn for link in robot.links]
    assert min(sum(inertia.about_origin for inertia in inertias), sum(bool(i.axes) for i in inertias)) > 50
