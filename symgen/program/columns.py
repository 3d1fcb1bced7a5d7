"""Modules and their programs ↔ plain data: a program is written by columns, not by instructions, which is a tenth."""

from __future__ import annotations

from typing import Any

from symgen.algebra.plain import Form, PlainError, forms_in
from symgen.errors import InternalError
from symgen.program import counts, module, pattern, program
from symgen.program.program import ARITY, Dependence, Instruction, Op, Program, validate

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_OPS = dict(zip(_LETTERS, Op, strict=False))
_LETTER = {op: letter for letter, op in _OPS.items()}
assert len(_LETTER) == len(Op), "every operation has a letter"

_DEPENDENCE = {str(int(dependence)): dependence for dependence in Dependence}


def columns(value: Program) -> tuple[Any, ...]:
    """(inputs, operations, dependences, operands, constants, names, labels, outputs) of a program.

    Operations and what they depend on are texts, a letter for each instruction; the others are in the order of the
    instructions that have them. `names` are pairs of a name and an entry, `labels` of an instruction and its label.
    """
    instructions = value.instructions
    return (
        value.inputs,
        "".join([_LETTER[each.op] for each in instructions]),
        "".join([str(int(each.dependence)) for each in instructions]),
        tuple([arg for each in instructions for arg in each.args]),
        tuple([each.value for each in instructions if each.op is Op.CONSTANT]),
        tuple([(each.name, each.entry) for each in instructions if each.op in (Op.PARAMETER, Op.VARIABLE)]),
        tuple([(place, each.label) for place, each in enumerate(instructions) if each.label is not None]),
        value.outputs,
    )


def program_of(
    inputs: Any,
    operations: str,
    dependences: str,
    operands: tuple[int, ...],
    constants: tuple[Any, ...],
    names: tuple[tuple[str, int], ...],
    labels: tuple[tuple[int, str], ...],
    outputs: Any,
) -> Program:
    """The valid program of these columns; `PlainError` if they belong to none."""
    known = dict(labels)
    args, values, leaves = iter(operands), iter(constants), iter(names)
    instructions = []
    try:
        for place, (letter, digit) in enumerate(zip(operations, dependences, strict=True)):
            op = _OPS[letter]
            own = tuple([next(args) for _ in range(ARITY[op])])
            value = next(values) if op is Op.CONSTANT else None
            name, entry = next(leaves) if op in (Op.PARAMETER, Op.VARIABLE) else ("", 0)
            instructions.append(Instruction(op, own, value, name, entry, known.get(place), _DEPENDENCE[digit]))
        made = Program(inputs, tuple(instructions), outputs)
        validate(made)
    except StopIteration:
        raise PlainError("a program has fewer operands than its operations take") from None
    except InternalError as error:
        raise PlainError(f"a program is not valid: {error}") from None
    if any(next(left, None) is not None for left in (args, values, leaves)):
        raise PlainError("a program has more operands than its operations take")
    return made


FORMS = (
    *(form for form in forms_in(module, pattern, program, counts) if form.kind is not Program),
    Form(Program, columns, program_of),
)
"""The forms of modules, with all that they hold."""
