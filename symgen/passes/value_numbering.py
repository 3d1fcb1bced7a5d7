"""Value numbering: merge instructions that compute the same value or its negative, however they came by it.

Values are compared in the prime field, so that (a + b) + c and a + (c + b), or c² x and (1 − s²) x, are seen to be one.
"""

from __future__ import annotations

from symgen.algebra.prime import PrimeField
from symgen.passes.rebuild import finished
from symgen.program.fingerprint import SEEDS, Evaluation, radicands
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Program

Value = tuple[int, ...]


def merge(program: Program) -> Program:
    """The program with one instruction for each value; values that are 0 or ±1 become constants.

    It is the program itself if all its values differ.
    """
    fields = [PrimeField(radicands(program), seed) for seed in SEEDS]
    primes = [field.p for field in fields]
    runs = [Evaluation(field, guards=True).run(program) for field in fields]
    graph = Graph()
    known: dict[Value, Scalar] = {}
    for number in (0, 1):
        known[tuple(number for _ in fields)] = graph.constant(number)
    values: list[Scalar] = []
    merged = False
    for instruction, value in zip(program.instructions, zip(*runs, strict=True), strict=True):
        scalar = known.get(value)
        if scalar is None:
            opposite = known.get(tuple([-v % p for v, p in zip(value, primes, strict=True)]))
            scalar = None if opposite is None else -opposite
        if scalar is None:
            scalar = known[value] = graph.apply(instruction, [values[arg] for arg in instruction.args])
        elif instruction.args:
            merged = True
        values.append(scalar)
    return finished(graph, program, values) if merged else program
