"""Derived library robots, each derived once per test process."""

from functools import cache

from symgen.derive.arguments import arguments
from symgen.derive.derivation import Derivation, Options, derive
from symgen.derive.records import record
from symgen.derive.subject import Subject, subject_of
from symgen.mechanics.functions import registry
from symgen.program.counts import Counts, count
from symgen.program.graph import Graph
from symgen.program.module import Argument, Function, Module
from symgen.program.program import Array
from symgen.robot.library import load
from symgen.robot.model import Robot


def derivation(name: str, forward_dynamics: str = "auto") -> Derivation:
    """The derivation of a library robot with every function, without a search."""
    return _derivation(name, forward_dynamics)


@cache
def _derivation(name: str, forward_dynamics: str) -> Derivation:
    return derive(load(name), Options(functions=("all",), forward_dynamics=forward_dynamics, effort="low"))


SEARCHED = ("inverse_dynamics", "inertia_matrix", "gravity_torque", "forward_dynamics", "coriolis_matrix")
"""Functions whose operations are counted after a search."""


@cache
def searched(name: str) -> Derivation:
    """The derivation of a library robot's most used functions, with the default effort."""
    return derive(load(name), Options(functions=SEARCHED))


def counts(derived: Derivation) -> dict[str, Counts]:
    """Function → operations of a call."""
    return {function.name: count(function.program) for function in derived.module.functions}


def as_derived(robot: Robot, names: tuple[str, ...]) -> Derivation:
    """Functions of a robot as the mechanics write them, without a search and without passes: also of large robots."""
    subject = subject_of(robot, Options())
    functions = tuple(_as_derived(subject, item) for item in registry.quantities(subject.scope("base"), names))
    return Derivation(lambda: subject, Module(robot.name, functions, record(robot)), {}, (), {})


def _as_derived(subject: Subject, item) -> Function:
    graph = Graph()
    *_, formulation = (each for each in item.formulations if each.trees)
    arrays = formulation.derive(subject.mechanism(graph))
    outputs = [
        (Array(output.name, array.shape), list(array.reshape(-1)))
        for output, array in zip(item.outputs, arrays, strict=True)
    ]
    inputs = [Array(each.name, each.shape) for each in arguments(subject, item)]
    return Function(
        name=item.name,
        summary=item.summary,
        formulation="",
        inputs=tuple(Argument(array.name, array.shape, "", "") for array in inputs),
        outputs=tuple(Argument(array.name, array.shape, "", "") for array, _ in outputs),
        program=graph.program(inputs, outputs),
        kind=item.kind,
        frame=item.frame,
    )
