"""Wrong programs: a sign, a dropped term, a constant changed by a millionth."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np

from symgen.program.interpreter import evaluate
from symgen.program.program import Op


def mutable(program):
    """Places of instructions that can be changed; none in a program that only passes values on."""
    return [k for k, i in enumerate(program.instructions) if i.op in (Op.ADD, Op.SUB, Op.NEG, Op.CONSTANT)]


def mutated_program(program, pick):
    """The program with one instruction changed."""
    place = pick.choice(mutable(program))
    old = program.instructions[place]
    if old.op is Op.CONSTANT:
        new = old._replace(value=old.value * Fraction(1_000_001, 1_000_000))
    elif old.op is Op.NEG or pick.random() < 0.5:
        new = old._replace(op={Op.ADD: Op.SUB, Op.SUB: Op.ADD, Op.NEG: Op.ADD}[old.op], args=(old.args * 2)[:2])
    else:
        zero = program.instructions[place]._replace(op=Op.SUB, args=(old.args[1], old.args[1]))
        new = old._replace(args=(old.args[0], place))
        shifted = [i._replace(args=tuple(a + (a >= place) for a in i.args)) for i in program.instructions[place + 1 :]]
        outputs = tuple((array, tuple(n + (n >= place) for n in nodes)) for array, nodes in program.outputs)
        instructions = (*program.instructions[:place], zero, new, *shifted)
        return dataclasses.replace(program, instructions=instructions, outputs=outputs)
    instructions = (*program.instructions[:place], new, *program.instructions[place + 1 :])
    return dataclasses.replace(program, instructions=instructions)


def same_numbers(function, other):
    """Whether two programs are one function of their inputs, as far as numbers tell."""
    generator = np.random.default_rng(0)
    inputs = {a.name: generator.uniform(-2, 2, (5, *a.shape)) for a in function.inputs}
    with np.errstate(all="ignore"):  # what is mutated may take the root of a negative number
        one, two = (evaluate(program, inputs) for program in (function.program, other))
    return all(np.allclose(one[key], two[key], rtol=0, atol=1e-12 * np.abs(one[key]).max()) for key in one)
