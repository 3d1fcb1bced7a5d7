"""Value numbering: merge instructions that compute the same value or its negative, however they came by it.

Values are compared in the prime field, so that (a + b) + c and a + (c + b), or c² x and (1 − s²) x, are seen to be one.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.prime import PrimeField
from symgen.passes.rebuild import finished
from symgen.program.fingerprint import SEEDS, Evaluation, radicands
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Program

Value = tuple[int, ...]
"""A value at two points of the prime field; that or its negative, whichever is smaller at the first."""


def merge(program: Program) -> Program:
    """The program with one instruction for each value; values that are 0 or ±1 become constants.

    It is the program itself if all its values differ.
    """
    roots = radicands(program)
    first, second = (PrimeField(roots, seed) for seed in SEEDS)
    values = Evaluation(first, guards=True).run(program)
    if _all_differ(program, values, first.p):
        return program
    others = Evaluation(second, guards=True).run(program)
    return _merged(program, (values, others), (first.p, second.p))


def _all_differ(program: Program, values: Sequence[int], p: int) -> bool:
    """Whether no operation's value, at one point of the field, is 0, ±1, or up to its sign that of an instruction."""
    known = {0, 1}
    for instruction, value in zip(program.instructions, values, strict=True):
        size = min(value, p - value)
        if instruction.args and size in known:
            return False
        known.add(size)
    return True


def _merged(program: Program, values: tuple[Sequence[int], Sequence[int]], primes: tuple[int, int]) -> Program:
    graph = Graph()
    p, q = primes
    known: dict[Value, Scalar] = {(number, number): graph.constant(number) for number in (0, 1)}
    scalars: list[Scalar] = []
    merged = False
    for instruction, v, w in zip(program.instructions, *values, strict=True):
        positive = v <= p - v
        value = (v, w) if positive else (p - v, -w % q)
        scalar = known.get(value)
        if scalar is None:
            scalar = graph.apply(instruction, [scalars[arg] for arg in instruction.args])
            known[value] = scalar if positive else -scalar
        else:
            merged |= bool(instruction.args)
            scalar = scalar if positive else -scalar
        scalars.append(scalar)
    return finished(graph, program, scalars) if merged else program
