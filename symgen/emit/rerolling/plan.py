"""What of a program can be written as loops: stretches of the same arithmetic on other values, as link by link.

A loop's turns are alike: each has the same slots, one for each instruction, and an operand of a slot is the result of
another slot of the turn, an entry of an array that earlier turns or loops have filled, an entry of an input, the sine
or cosine of an angle, or a number. Signs are left aside here; `signs` makes them alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from symgen.algebra.exact import Exact
from symgen.program.program import Op

SUMS = (Op.ADD, Op.SUB)

Place = tuple[int, int, int]
"""Where an instruction is: (loop, turn, slot)."""


@dataclass(frozen=True)
class Local:
    """The result of another slot of the same turn."""

    slot: int


@dataclass(frozen=True)
class Stored:
    """Row `start` + `step` · turn of an array."""

    array: int
    start: int
    step: int


@dataclass(frozen=True)
class Input:
    """Entries of an input, by turn."""

    name: str
    places: tuple[int, ...]


@dataclass(frozen=True)
class Point:
    """Sines or cosines of angles, by turn."""

    op: Op
    places: tuple[int, ...]


@dataclass(frozen=True)
class Numbers:
    """Constants, by turn."""

    values: tuple[Exact, ...]


@dataclass(frozen=True)
class Fixed:
    """The same value in all turns, from before the loop."""

    node: int


@dataclass(frozen=True)
class Wanted:
    """Row `start` + `step` · turn of an array yet to be found, of a loop's slot (or of no loop's) and further rows."""

    loop: int | None
    slot: int
    others: Mapping[int, int]
    start: int
    step: int


Operand = Local | Stored | Input | Point | Numbers | Fixed


@dataclass
class Rows:
    """An array of the values of a loop's slot (or of no loop's); `others` are further rows, filled before a loop."""

    loop: int | None
    slot: int
    others: dict[int, int] = field(default_factory=dict)
    turns: int = 0

    @property
    def first(self) -> int:
        """The lowest row."""
        return min([0, *self.others]) if self.turns else min(self.others)

    @property
    def size(self) -> int:
        """The number of rows."""
        return max([self.turns - 1, *self.others]) - self.first + 1


class Matched(NamedTuple):
    """A slot whose operands may be in arrays yet to be found."""

    op: Op
    nodes: tuple[int, ...]
    args: tuple[tuple[int, ...], ...]
    operands: tuple[Operand | Wanted, ...]


@dataclass
class Slot:
    """An instruction of every turn: `nodes` by turn, with operands in an order that is the same in all turns."""

    op: Op
    nodes: tuple[int, ...]
    args: tuple[tuple[int, ...], ...]
    operands: tuple[Operand, ...]


@dataclass
class Repetition:
    """Slots, which are run `turns` times; `number` is that of the loop, `stretch` that of the stretch it is of.

    `fills` are (array, row, value) to be stored before.
    """

    number: int
    stretch: int
    turns: int
    slots: list[Slot] = field(default_factory=list)
    fills: list[tuple[int, int, int]] = field(default_factory=list)

    @property
    def stored(self) -> list[Stored]:
        """The operands that are read from arrays."""
        return [operand for slot in self.slots for operand in slot.operands if isinstance(operand, Stored)]


@dataclass
class Plan:
    """The instructions in order, straight ones by number, and the arrays of the loops among them.

    `places` says where the instructions in loops are.
    """

    items: list[int | Repetition] = field(default_factory=list)
    loops: list[Repetition] = field(default_factory=list)
    arrays: list[Rows] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)
    _numbers: dict[tuple[int | None, int], list[int]] = field(default_factory=dict)
    _filled: set[tuple[int, int]] = field(default_factory=set)

    @property
    def size(self) -> int:
        """The number of instructions that are written."""
        return sum(len(item.slots) if isinstance(item, Repetition) else 1 for item in self.items)

    def add(self, stretch: int, slots: Sequence[Matched]) -> None:
        """Append the loop of a stretch."""
        loop = Repetition(len(self.loops), stretch, len(slots[0].nodes))
        self.items.append(loop)
        self.loops.append(loop)
        for number, slot in enumerate(slots):
            self.places.update((node, (loop.number, turn, number)) for turn, node in enumerate(slot.nodes))
            operands = tuple(self._found(operand, loop) for operand in slot.operands)
            loop.slots.append(Slot(slot.op, slot.nodes, slot.args, operands))

    def _found(self, operand: Operand | Wanted, loop: Repetition) -> Operand:
        """The operand, in an array that has it."""
        if not isinstance(operand, Wanted):
            return operand
        array = self.array(operand.loop, operand.slot, operand.others)
        for row, node in operand.others.items():
            if (array, row) not in self._filled:
                self._filled.add((array, row))
                loop.fills.append((array, row, node))
        return Stored(array, operand.start, operand.step)

    def array_of(self, node: int) -> tuple[int, int]:
        """(array, row) where the value of an instruction of a loop is kept after it; the array is made if needed."""
        loop, turn, slot = self.places[node]
        return self.array(loop, slot, {}), turn

    def array(self, loop: int | None, slot: int, others: Mapping[int, int]) -> int:
        """An array of a loop's slot whose further rows are these, or can be."""
        same = self._numbers.setdefault((loop, slot), [])
        for number in same:
            rows = self.arrays[number]
            if all(rows.others.get(row, node) == node for row, node in others.items()):
                if loop is None and rows.others != others:
                    continue
                rows.others.update(others)
                return number
        turns = 0 if loop is None else self.loops[loop].turns
        self.arrays.append(Rows(loop, slot, dict(others), turns))
        same.append(len(self.arrays) - 1)
        return same[-1]
