"""The plan that makes the shortest code, found once for all languages that a program is written in."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import ref

from symgen.emit.rerolling.plan import Plan
from symgen.emit.rerolling.planning import Planner
from symgen.emit.rerolling.signs import ContradictionError, Signs, signs
from symgen.program.program import Program

FACTORS = (1, 2, 3, 4)
"""A turn of a loop may be so many periods of the program; signs often are alike only every second link."""

Choice = tuple[Plan, Signs]

_known: dict[int, tuple[ref[Program], dict[tuple[int, ...], Choice | None]]] = {}
"""By the program's identity, as long as it lives: by its angles, what has been found."""


def shortest(program: Program, written: Sequence[int], angles: tuple[int, ...]) -> Choice | None:
    """The plan that makes the shortest code, with its signs; None if there is no plan.

    `angles` are those whose sines and cosines come first, `written` the instructions that are left to be written.
    """
    key = id(program)
    if key not in _known:
        _known[key] = ref(program, lambda _: _known.pop(key, None)), {}
    found = _known[key][1]
    if angles not in found:
        found[angles] = _shortest(program, Planner(program, written, angles))
    return found[angles]


def _shortest(program: Program, planner: Planner) -> Choice | None:
    best: Choice | None = None
    for factor in FACTORS:
        left_out: frozenset[int] = frozenset()
        while (made := planner.plan(factor, left_out)) is not None and (best is None or made.size < best[0].size):
            try:
                best = made, signs(program, made)
            except ContradictionError as error:
                if not error.stretches:
                    break
                left_out |= error.stretches
                continue
            if not left_out:
                return best
            break
    return best
