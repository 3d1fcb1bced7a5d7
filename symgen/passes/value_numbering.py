"""Value numbering: merge instructions that compute the same value or its negative, however they came by it.

Values are compared in the prime field, so that (a + b) + c and a + (c + b), or c² x and (1 − s²) x, are seen to be one.
"""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.prime import PrimeField
from symgen.passes.rebuild import LONG, finished, is_worthwhile
from symgen.program.fingerprint import SEEDS, Evaluation, radicands
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Op, Program

_NEG = Op.NEG  # an Enum's members are slow to look up

Value = tuple[int, ...]
"""A value at two points of the prime field; that or its negative, whichever is smaller at the first."""


def merge(program: Program) -> Program:
    """The program with one instruction for each value; values that are 0 or ±1 become constants.

    It is the program itself if all its values differ, or all but a few of a long one.
    """
    roots = radicands(program)
    first, second = (PrimeField(roots, seed) for seed in SEEDS)
    values = Evaluation(first, guards=True).run(program)
    if not is_worthwhile(program, _repetitions(program, values, first.p)):
        return program
    others = Evaluation(second, guards=True).run(program)
    return _merged(program, (values, others), (first.p, second.p))


def _repetitions(program: Program, values: Sequence[int], p: int) -> int:
    """How many operations' values, at one point of the field, are 0, ±1, or up to their signs those of instructions.

    Negatives count in short programs, where the signs of all are sought anew.
    """
    known, repetitions = {0, 1}, 0
    counts_negatives = len(program.instructions) <= LONG
    for instruction, value in zip(program.instructions, values, strict=True):
        size = value if value + value < p else p - value
        if size not in known:
            known.add(size)
        elif instruction.args and (counts_negatives or instruction.op is not _NEG):
            repetitions += 1
    return repetitions


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
