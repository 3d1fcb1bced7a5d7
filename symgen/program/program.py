"""The straight-line program: scalars, each assigned once; inputs, instructions, outputs.

It cannot express branches, loops, calls, arrays other than inputs and outputs, or a second assignment to a name. A
`Program` is immutable; passes make new ones. It is made by a `Graph`, which builds it hash-consed and sign-normalised.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple

from symgen.algebra.exact import Exact
from symgen.errors import InternalError


class Op(Enum):
    """Operations of a program; the value is the word used in messages.

    `NONZERO` is its first operand, or no number where that is nearer to 0 than the second, a positive constant.
    """

    CONSTANT = "constant"
    PARAMETER = "parameter"
    VARIABLE = "variable"
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    NEG = "neg"
    SQRT = "sqrt"
    SIN = "sin"
    COS = "cos"
    SIGN = "sign"
    TANH = "tanh"
    ATAN = "atan"
    NONZERO = "nonzero"

    # Members are singletons; hashing their names, as Enum does, would be a third of the cost of building a program.
    __hash__ = object.__hash__


ARITY = {
    Op.CONSTANT: 0,
    Op.PARAMETER: 0,
    Op.VARIABLE: 0,
    Op.ADD: 2,
    Op.SUB: 2,
    Op.MUL: 2,
    Op.DIV: 2,
    Op.NEG: 1,
    Op.SQRT: 1,
    Op.SIN: 1,
    Op.COS: 1,
    Op.SIGN: 1,
    Op.TANH: 1,
    Op.ATAN: 1,
    Op.NONZERO: 2,
}

ODD = frozenset({Op.NEG, Op.SIN, Op.SIGN, Op.TANH, Op.ATAN})
"""Operations that pass the sign of their operand on."""


REPEATING = 2000
"""Only programs of so many instructions are written with loops, which what repeats itself in them becomes."""


class Dependence(IntEnum):
    """What the value of a node depends on; an operation depends on the most of what its operands do."""

    CONSTANT = 0
    PARAMETER = 1
    VARIABLE = 2


class Instruction(NamedTuple):
    """One node: an operation on earlier nodes, or a leaf.

    `value` is set for constants, `name` and `entry` for variables (a number of an entry of input `name`), `name` for
    parameters. `label` is the name the derivation gave the value, if any.
    """

    op: Op
    args: tuple[int, ...] = ()
    value: Exact | None = None
    name: str = ""
    entry: int = 0
    label: str | None = None
    dependence: Dependence = Dependence.VARIABLE


@dataclass(frozen=True)
class Array:
    """An input or output array of a program: its name and its shape."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of entries."""
        size = 1
        for extent in self.shape:
            size *= extent
        return size


@dataclass(frozen=True)
class Program:
    """A straight-line program.

    `outputs` pairs each output array with the indices of the instructions that hold its entries, row by row.
    """

    inputs: tuple[Array, ...]
    instructions: tuple[Instruction, ...]
    outputs: tuple[tuple[Array, tuple[int, ...]], ...]

    def output_nodes(self) -> Iterator[int]:
        """Indices of the instructions that are outputs, in order, with repetitions."""
        for _, entries in self.outputs:
            yield from entries

    def uses(self) -> list[int]:
        """How often each instruction is an operand or an output."""
        counts = [0] * len(self.instructions)
        for instruction in self.instructions:
            for arg in instruction.args:
                counts[arg] += 1
        for node in self.output_nodes():
            counts[node] += 1
        return counts

    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters that occur, sorted."""
        return tuple(sorted({i.name for i in self.instructions if i.op is Op.PARAMETER}))


def validate(program: Program) -> None:
    """Raise `InternalError` unless operands precede their use, nothing is dead and 0 and ±1 are no operands."""
    sizes = {array.name: array.size for array in program.inputs}
    for position, instruction in enumerate(program.instructions):
        _validate_instruction(program, position, instruction, sizes)
    for array, entries in program.outputs:
        if len(entries) != array.size:
            raise InternalError(f"output {array.name} has {len(entries)} entries, expected {array.size}")
        if not all(0 <= entry < len(program.instructions) for entry in entries):
            raise InternalError(f"output {array.name} refers to an instruction that does not exist")
    unused = [index for index, count in enumerate(program.uses()) if count == 0]
    if unused:
        raise InternalError(f"instruction {unused[0]} is never used: {program.instructions[unused[0]]}")


_UNITS = (1, -1)


def _is_idle(instruction: Instruction, arg: int, value: Exact) -> bool:
    """Whether the operand leaves the operation without work: 0 anywhere, ±1 as a factor or divisor."""
    if not value:
        return True
    return value.rational in _UNITS and (
        instruction.op is Op.MUL or (instruction.op is Op.DIV and arg == instruction.args[1])
    )


def _fault(position: int, instruction: Instruction, text: str) -> InternalError:
    return InternalError(f"instruction {position} ({instruction.op.value}) {text}")


def _validate_instruction(program: Program, position: int, instruction: Instruction, sizes: dict[str, int]) -> None:
    if len(instruction.args) != ARITY[instruction.op]:
        raise _fault(position, instruction, f"has {len(instruction.args)} operands, expected {ARITY[instruction.op]}")
    for arg in instruction.args:
        if not 0 <= arg < position:
            raise _fault(position, instruction, f"uses instruction {arg}, which is not before it")
        value = program.instructions[arg].value
        if value is not None and _is_idle(instruction, arg, value):
            raise _fault(position, instruction, f"has the constant {value} as an operand")
    if instruction.op is Op.VARIABLE and not 0 <= instruction.entry < sizes.get(instruction.name, 0):
        raise _fault(position, instruction, f"reads {instruction.name}[{instruction.entry}], which is no input")
