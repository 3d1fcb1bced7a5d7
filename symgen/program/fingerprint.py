"""Fingerprints of programs: their values in the prime field, and what equal values prove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm

from symgen.algebra import prime
from symgen.algebra.domain import UNIT
from symgen.algebra.exact import Exact
from symgen.algebra.prime import Point, PrimeField
from symgen.program.program import Dependence, Instruction, Op, Program

SEEDS = (1, 2)
"""Two independent points; one alone is already wrong only with a chance below 1e-15."""


def fingerprint(
    program: Program, seeds: Sequence[int] = SEEDS, roots: frozenset[int] | None = None
) -> tuple[tuple[int, ...], ...]:
    """The program's outputs at one random point of the prime field for each seed; equal for equal functions.

    `roots`: integers whose square roots the field must hold (default: those that occur in the program). Only
    fingerprints over the same field can be compared.
    """
    roots = radicands(program) if roots is None else roots
    result = []
    for seed in seeds:
        values = Evaluation(PrimeField(roots, seed, finest=finest(program)), guards=True).run(program)
        result.append(tuple(values[node] for node in program.output_nodes()))
    return tuple(result)


def radicands(program: Program) -> frozenset[int]:
    """Integers whose square roots occur in the program's constants."""
    return prime.radicands(i.value for i in program.instructions if i.value is not None)


_ADD, _SUB, _MUL = Op.ADD, Op.SUB, Op.MUL  # an Enum's members are slow to look up


class Evaluation:
    """Runs instructions over a prime field, one by one; angles are followed through sums and multiples."""

    def __init__(
        self, field: PrimeField, given: Mapping[tuple[str, int], int] | None = None, *, guards: bool = False
    ) -> None:
        """`given`: values of input entries (name, entry) that are not random.

        With `guards` a value that must not be 0 is not what it guards, so that programs differ if one lacks the guard.
        """
        self.field = field
        self.given = given or {}
        self.guards = guards
        self.values: list[int] = []
        self._instructions: list[Instruction] = []

    def run(self, program: Program) -> list[int]:
        """The values of all instructions."""
        return self.run_all(program.instructions)

    def run_all(self, instructions: Sequence[Instruction]) -> list[int]:
        """The values of all instructions so far, after these."""
        values, p = self.values, self.field.p
        self._instructions += instructions
        for instruction in instructions:
            op, args = instruction.op, instruction.args
            if op is _MUL:
                value = values[args[0]] * values[args[1]] % p
            elif op is _ADD:
                value = (values[args[0]] + values[args[1]]) % p
            elif op is _SUB:
                value = (values[args[0]] - values[args[1]]) % p
            else:
                value = self._value(instruction)
            values.append(value)
        return values

    def append(self, instruction: Instruction) -> int:
        """The value of the next instruction, whose operands are instructions appended before."""
        self.run_all((instruction,))
        return self.values[-1]

    def _value(self, instruction: Instruction) -> int:
        """The value of what is no arithmetic of whole numbers."""
        p = self.field.p
        args = [self.values[arg] for arg in instruction.args]
        match instruction.op:
            case Op.CONSTANT:
                assert instruction.value is not None
                return self.field.image(instruction.value)
            case Op.PARAMETER:
                return self.field.parameter(instruction.name).value
            case Op.VARIABLE:
                known = self.given.get((instruction.name, instruction.entry))
                return self.field.variable(instruction.name, instruction.entry).value if known is None else known
            case Op.DIV:
                return args[0] * self.field.inverse(args[1]) % p
            case Op.NEG:
                return -args[0] % p
            case Op.SIN:
                return self._angle(instruction.args[0])[1]
            case Op.COS:
                return self._angle(instruction.args[0])[0]
            case Op.SQRT:
                return self.field.root(args[0])
            case Op.NONZERO:
                return self._guarded(*args) if self.guards else args[0]
            case _:  # the sign, tanh and arc tangent
                return self.field.odd(instruction.op.value, args[0])

    def _guarded(self, value: int, least: int) -> int:
        """What stands for a value that must not be 0; a multiple of it where value and least are multiplied alike."""
        share = value * self.field.inverse(least) % self.field.p
        return value * self.field.random(f"nonzero {min(share, self.field.p - share)}") % self.field.p

    def _angle(self, node: int, factor: Fraction = UNIT) -> Point:
        """The circle point of `factor` times the angle that an instruction holds."""
        instruction = self._instructions[node]
        if instruction.dependence is Dependence.PARAMETER:
            # One angle, whatever it is made of: so it is in the block forms, and where it is hoisted.
            return self.field.value_point(self.values[node], factor)
        match instruction.op:
            case Op.CONSTANT:
                assert instruction.value is not None
                return self.field.constant_point(instruction.value * Exact.of(factor))
            case Op.ADD:
                return self.field.composed(*(self._angle(arg, factor) for arg in instruction.args))
            case Op.SUB:
                first, second = (self._angle(arg, factor) for arg in instruction.args)
                return self.field.composed(first, self.field.opposite(second))
            case Op.NEG:
                return self.field.opposite(self._angle(instruction.args[0], factor))
            case Op.MUL:
                ratio = _rational(self._instructions[instruction.args[0]])
                if ratio is not None:
                    return self._angle(instruction.args[1], factor * ratio)
        return self.field.value_point(self.values[node], factor)


def finest(program: Program) -> int:
    """The number of parts of an angle of which every angle in the program is a multiple."""
    parts, instructions = 1, program.instructions
    open_ones = [(i.args[0], UNIT) for i in instructions if i.op in (Op.SIN, Op.COS)]
    seen = set(open_ones)
    while open_ones:
        node, factor = open_ones.pop()
        instruction = instructions[node]
        parts = lcm(parts, factor.denominator)
        ratio = _rational(instructions[instruction.args[0]]) if instruction.op is Op.MUL else None
        if ratio is not None:
            inner = [(instruction.args[1], factor * ratio)]
        elif instruction.op in (Op.ADD, Op.SUB, Op.NEG):
            inner = [(arg, factor) for arg in instruction.args]
        else:
            continue
        open_ones += [item for item in inner if item not in seen]
        seen.update(inner)
    return parts


def _rational(instruction: Instruction) -> Fraction | None:
    """The value of an instruction that is a rational constant."""
    return instruction.value.rational if instruction.op is Op.CONSTANT and instruction.value is not None else None
