"""Derived library robots, each derived once per test process."""

from functools import cache

from symgen.derivation import Derivation, Options, derive
from symgen.program.counts import Counts, count
from symgen.robot.library import load


@cache
def derivation(name: str, forward_dynamics: str = "auto", effort: str = "low") -> Derivation:
    """The derivation of a library robot with every function."""
    return derive(load(name), Options(functions=("all",), forward_dynamics=forward_dynamics, effort=effort))


def counts(derived: Derivation) -> dict[str, Counts]:
    """Function → operations of a call."""
    return {function.name: count(function.program) for function in derived.module.functions}
