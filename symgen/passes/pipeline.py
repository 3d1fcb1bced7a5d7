"""The pipeline: runs passes in groups and checks each group's result.

After every group the program must be valid and, in the prime field, the same function as before. A group that would
cost more is left out, and the report says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symgen.errors import InternalError
from symgen.passes.cancel import cancel
from symgen.passes.merge import merge
from symgen.passes.simplify import simplify
from symgen.program.counts import Counts, count
from symgen.program.fingerprint import fingerprint, radicands
from symgen.program.program import Array, Program, validate

Pass = Callable[[Program], Program]

Identity = tuple[frozenset[int], tuple[tuple[int, ...], ...]]
"""The square roots that the field must have, and the program's outputs in it."""


@dataclass(frozen=True)
class Group:
    """Passes that are checked together."""

    name: str
    passes: tuple[Pass, ...]


GROUPS: tuple[Group, ...] = (
    Group("cancel", (cancel,)),
    Group("merge", (merge, simplify)),
)


CHECK_SEEDS = (1,)
"""One random point: a changed function slips through with a chance below 1e-15."""


@dataclass(frozen=True)
class Step:
    """One line of the report: the group, whether its result was taken, and the counts after it."""

    group: str
    taken: bool
    counts: Counts


def optimise(program: Program, groups: tuple[Group, ...] = GROUPS) -> tuple[Program, tuple[Step, ...]]:
    """The optimised program and a report that starts with the counts as derived.

    Raises `InternalError` if a pass makes an invalid program or another function.
    """
    validate(program)
    identity = _identity(program, radicands(program))
    steps = [Step("derived", True, count(program))]
    for group in groups:
        candidate = program
        for step in group.passes:
            candidate = step(candidate)
        if candidate != program:
            _check(group, candidate, program, identity)
        taken = _cost(candidate) <= _cost(program)
        program = candidate if taken else program
        steps.append(Step(group.name, taken, count(program)))
    return program, tuple(steps)


def _identity(program: Program, roots: frozenset[int]) -> Identity:
    return roots, fingerprint(program, CHECK_SEEDS, roots)


def _check(group: Group, candidate: Program, program: Program, identity: Identity) -> None:
    try:
        validate(candidate)
    except InternalError as error:
        raise InternalError(f"pass group '{group.name}' made an invalid program: {error}") from error
    if _interface(candidate) != _interface(program) or _identity(candidate, identity[0]) != identity:
        raise InternalError(f"pass group '{group.name}' changed the function")


def _interface(program: Program) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    return program.inputs, tuple(array for array, _ in program.outputs)


def _cost(program: Program) -> tuple[int, int]:
    """Operations per call, divisions and roots weighing more; then hoisted operations."""
    counts = count(program)
    return counts.total + 3 * (counts.div + counts.sqrt), counts.hoisted
