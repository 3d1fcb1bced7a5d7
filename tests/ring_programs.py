"""Programs run over the ring of closed forms: the exact functions that they compute."""

from __future__ import annotations

from typing import Any

from symgen.algebra.ring import Ring, RingElement
from symgen.program.program import Instruction, Op, Program


def ring_outputs(program: Program, ring: Ring) -> list[list[RingElement]]:
    """Entries of every output of a program without divisions and roots, in normal form."""
    values: list[RingElement] = []
    for instruction in program.instructions:
        values.append(_value(ring, instruction, [values[arg] for arg in instruction.args]))
    return [[values[node] for node in entries] for _, entries in program.outputs]


def _value(ring: Ring, instruction: Instruction, args: list[Any]) -> RingElement:
    match instruction.op:
        case Op.CONSTANT:
            return ring.constant(instruction.value)
        case Op.PARAMETER:
            return ring.parameter(instruction.name)
        case Op.VARIABLE:
            return ring.variable(instruction.name, instruction.entry)
        case Op.ADD:
            return args[0] + args[1]
        case Op.SUB:
            return args[0] - args[1]
        case Op.MUL:
            return args[0] * args[1]
        case Op.NEG:
            return -args[0]
        case Op.COS:
            return ring.circle(args[0])[0]
        case Op.SIN:
            return ring.circle(args[0])[1]
    raise AssertionError(f"{instruction.op} has no exact value in the ring")
