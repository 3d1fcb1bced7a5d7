"""Hoisting: what depends on parameters alone is computed once, by a program of its own, and not in every call."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.program.graph import Graph, Scalar
from symgen.program.program import Array, Dependence, Instruction, Op, Program

PARAMETERS = "parameters"
"""Name of the input array of the initialising program."""


def hoist(programs: Sequence[Program], parameters: Sequence[str], constants: str) -> tuple[Program, list[Program]]:
    """(init, programs): `init` makes the array `constants` of the array of parameters, in the given order.

    The programs read their constants from the further input `constants`; one that needs none does not have it. Programs
    share constants that are equal, and there always is at least one.
    """
    shared = _Constants(parameters)
    split = [shared.split(program) for program in programs]
    size = Array(constants, (max(1, len(shared.values)),))
    values = shared.values or [shared.graph.constant(0)]
    init = shared.graph.program([Array(PARAMETERS, (len(parameters),))], [(size, values)])
    return init, [_written(program, places, size) for program, places in zip(programs, split, strict=True)]


class _Constants:
    """The constants of several programs, collected in one graph."""

    def __init__(self, parameters: Sequence[str]) -> None:
        self.graph = Graph()
        self.values: list[Scalar] = []
        self._entries = {name: entry for entry, name in enumerate(parameters)}
        self._places: dict[tuple[int, int], int] = {}

    def split(self, program: Program) -> dict[int, int]:
        """Instruction → constant, for the instructions on parameters alone, or on constants, that others need."""
        scalars: dict[int, Scalar] = {}
        for node, instruction in enumerate(program.instructions):
            if instruction.op is Op.PARAMETER:
                scalars[node] = self.graph.variable(PARAMETERS, self._entries[instruction.name])
            elif instruction.dependence is not Dependence.VARIABLE:
                scalars[node] = self.graph.apply(
                    instruction._replace(label=None), [scalars[arg] for arg in instruction.args]
                )
        return {node: self._place(scalars[node]) for node in _frontier(program)}

    def _place(self, scalar: Scalar) -> int:
        key = (scalar.node, scalar.sign)
        if key not in self._places:
            self._places[key] = len(self.values)
            self.values.append(scalar)
        return self._places[key]


def _frontier(program: Program) -> list[int]:
    """Instructions on parameters alone, or on constants, that are outputs or operands of what varies."""
    needed = set(program.output_nodes())
    for instruction in program.instructions:
        if instruction.dependence is Dependence.VARIABLE:
            needed.update(instruction.args)
    fixed = [(node, program.instructions[node]) for node in sorted(needed)]
    return [node for node, each in fixed if each.dependence is not Dependence.VARIABLE and each.op is not Op.CONSTANT]


def _written(program: Program, places: dict[int, int], constants: Array) -> Program:
    """`program` with its constants read from the input `constants`."""
    if not places:
        return program
    kept: list[Instruction] = []
    new: dict[int, int] = {}
    needed = set(program.output_nodes())
    for node in reversed(range(len(program.instructions))):
        # What varies is kept, and constants that it is made of, such as the tanh of a number.
        instruction = program.instructions[node]
        if node not in places and (instruction.dependence is Dependence.VARIABLE or node in needed):
            needed.update(instruction.args)
    for node, instruction in enumerate(program.instructions):
        if node in places:
            instruction = Instruction(Op.VARIABLE, name=constants.name, entry=places[node])
        elif instruction.dependence is not Dependence.VARIABLE and node not in needed:
            continue
        new[node] = len(kept)
        kept.append(instruction._replace(args=tuple(new[arg] for arg in instruction.args)))
    outputs = tuple((array, tuple(new[node] for node in entries)) for array, entries in program.outputs)
    return Program((*program.inputs, constants), tuple(kept), outputs)
