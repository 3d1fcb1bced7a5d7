"""The structure of a generated function's results: of its program, at once however large the robot is.

Values of the program in the prime field tell which entries are zero or equal; those with an input moved, on which
inputs they depend. It is wrong with a chance below 1e-15.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from symgen.algebra.prime import PrimeField
from symgen.derive.effort import LOW
from symgen.derive.options import FUNCTION_NAMES, Options
from symgen.errors import InputError
from symgen.formulas.comparison import Place
from symgen.formulas.structure import Structure
from symgen.mechanics.functions.registry import of_each_frame
from symgen.program.fingerprint import SEEDS, Evaluation, finest, radicands
from symgen.program.module import CONSTANTS, Argument, Function
from symgen.program.program import Op
from symgen.robot.model import Robot

Variable = tuple[str, int]
"""An entry of an input: its name and its number."""


def has_structure(name: str) -> bool:
    """Whether a quantity is a function whose program tells the structure of its results."""
    return name in FUNCTION_NAMES


@dataclass(frozen=True)
class ResultStructure:
    """A result of a function with its structure."""

    result: Argument
    structure: Structure


def function_of(robot: Robot, name: str, parameters: str | Sequence[str], frame: str | None) -> Function:
    """The function called `name`, derived without a search; `InputError` where the robot does not have it.

    `frame`: that of a function of frames, if not the usual one.
    """
    from symgen.generation.kept import derive  # closed forms need no programs, and what makes them takes long to load

    of_frames = ("forward_kinematics", *of_each_frame())
    if frame is not None and name not in of_frames:
        raise InputError(f"{name} belongs to no frame; frames are for {', '.join(of_frames)}")
    frames = None if frame is None else (frame,)
    kind = parameters if isinstance(parameters, str) else tuple(parameters)
    derivation = derive(robot, Options(functions=(name,), parameters=kind, frames=frames, effort=LOW))
    found = [function for function in derivation.module.functions if name in (function.name, function.kind)]
    if not found:
        raise InputError(f"{robot.name}: there is no function {name} for this robot")
    return found[0]


def structures(function: Function) -> tuple[ResultStructure, ...]:
    """The structure of each result; a vector is a column, and the last of several dimensions has the columns."""
    comparison = ProgramComparison(function)
    found = []
    for result, (array, nodes) in zip(function.outputs, function.program.outputs, strict=True):
        columns = array.shape[-1] if len(array.shape) > 1 else 1
        rows = [nodes[start : start + columns] for start in range(0, array.size, columns)]
        found.append(ResultStructure(result, Structure(rows, result.meaning, comparison)))
    return tuple(found)


class ProgramComparison:
    """Values of a program in the prime field; elements are its instructions."""

    def __init__(self, function: Function) -> None:
        program = self._program = function.program
        self._fields = [PrimeField(radicands(program), seed, finest=finest(program)) for seed in SEEDS]
        self._values = list(zip(*(Evaluation(field).run(program) for field in self._fields), strict=True))
        self._seen: dict[tuple[int, ...], Place] = {}
        self._positions, self._others = _inputs(function)
        self._moved = {entry: self._at(names) for entry, names in self._positions.items()}
        self._rates = self._at(self._others)

    def vanishes(self, node: int) -> bool:
        """Whether an instruction is zero at every state."""
        return not any(self._values[node])

    def inputs(self, node: int) -> tuple[tuple[int, ...], bool]:
        """(entries of q, from 0, on which an instruction depends; whether it depends on other inputs)."""
        value = self._values[node][0]
        joints = tuple(entry for entry, moved in self._moved.items() if moved[node] != value)
        return joints, self._rates[node] != value

    def first_equal(self, node: int, place: Place) -> tuple[int, int, int] | None:
        """(row, column, sign) of the first element that is the same or its negative; None enters this one."""
        value = self._values[node]
        opposite = tuple(-number % field.p for number, field in zip(value, self._fields, strict=True))
        for known, sign in ((value, 1), (opposite, -1)):
            if known in self._seen:
                return *self._seen[known], sign
        self._seen[value] = place
        return None

    def _at(self, moved: Collection[Variable]) -> list[int]:
        """The values in the first field where these inputs are others."""
        if not moved:
            return [value for value, _ in self._values]
        field = self._fields[0]
        given = {(name, entry): field.random(f"moved {name} {entry}") for name, entry in moved}
        return Evaluation(field, given).run(self._program)


def _inputs(function: Function) -> tuple[dict[int, list[Variable]], list[Variable]]:
    """Entry of q → the inputs that are such; and all other inputs, as far as they occur."""
    positions: dict[int, list[Variable]] = {}
    others: list[Variable] = []
    configurations = {argument.name for argument in function.inputs if argument.positions}
    for name, entry in sorted(set(_variables(function))):
        if name in configurations:
            positions.setdefault(entry, []).append((name, entry))
        elif name != CONSTANTS:
            others.append((name, entry))
    return dict(sorted(positions.items())), others


def _variables(function: Function) -> Iterator[Variable]:
    return ((each.name, each.entry) for each in function.program.instructions if each.op is Op.VARIABLE)
