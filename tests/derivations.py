"""Derived library robots, each derived once per test process."""

from functools import cache

from symgen.derive.derivation import Derivation, Options, derive
from symgen.program.counts import Counts, count
from symgen.robot.library import load


@cache
def derivation(name: str, forward_dynamics: str = "auto") -> Derivation:
    """The derivation of a library robot with every function, without a search."""
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
