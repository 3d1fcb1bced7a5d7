"""Where values of loops are kept: loop-carried ones in a variable, what else is read later in an array."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from symgen.emit.rerolling.plan import Fixed, Plan, Repetition, Slot, Stored
from symgen.program.program import Program

Targets = Mapping[int, Sequence[tuple[str, int]]]
"""Instruction → the output entries that it is."""


class Layout:
    """Where a plan's values are kept.

    Attributes:
        kept: the arrays that are needed: those of which more is read than the value of the turn before.
        fills: for every loop, (array, row, value) of what is stored before it.
    """

    def __init__(self, program: Program, plan: Plan, targets: Targets) -> None:
        self._program = program
        self._plan = plan
        self._targets = targets
        self._lasts = [self._found_lasts(loop) for loop in plan.loops]
        self.kept = self._kept()
        self.fills = [self._fills(loop) for loop in plan.loops]

    def lasts(self, loop: Repetition) -> list[tuple[int, int]]:
        """(slot, value before the loop) of the loop-carried values: what a turn needs of the one before."""
        return self._lasts[loop.number]

    def is_last(self, loop: Repetition, operand: Stored) -> bool:
        """Whether an operand is the value of a slot in the turn before."""
        return self._plan.arrays[operand.array].loop == loop.number and (operand.start, operand.step) == (-1, 1)

    def is_final(self, node: int) -> bool:
        """Whether a variable still holds the value of an instruction after its loop."""
        number, turn, slot = self._plan.places[node]
        return turn == self._plan.loops[number].turns - 1 and any(slot == other for other, _ in self._lasts[number])

    def is_output(self, slot: Slot) -> bool:
        """Whether the slot's values are entries of the same outputs, or of none, in all turns."""
        return len({tuple(name for name, _ in self._targets.get(node, [])) for node in slot.nodes}) == 1

    def written(self) -> Counter[int]:
        """How often values of straight code are written out for loops; twice where it is in a loop."""
        found = Counter(node for fills in self.fills for _, _, node in fills)
        for loop in self._plan.loops:
            found.update({before for _, before in self.lasts(loop)})
            found.update(2 * _fixed(loop))
        return found

    def _found_lasts(self, loop: Repetition) -> list[tuple[int, int]]:
        found: dict[tuple[int, int], None] = {}
        for operand in loop.stored:
            if self.is_last(loop, operand):
                rows = self._plan.arrays[operand.array]
                found[rows.slot, rows.others[-1]] = None
        return list(found)

    def _kept(self) -> frozenset[int]:
        found: set[int] = set()
        read: list[int] = []
        for item in self._plan.items:
            if isinstance(item, int):
                read += self._program.instructions[item].args
                continue
            read += [node for _, _, node in item.fills] + _fixed(item)
            found.update(operand.array for operand in item.stored if not self.is_last(item, operand))
            for slot in item.slots:
                read += [node for node in slot.nodes if node in self._targets and not self.is_output(slot)]
        inside = [node for node in read if node in self._plan.places and not self.is_final(node)]
        found.update(self._plan.array_of(node)[0] for node in inside)
        return frozenset(found)

    def _fills(self, loop: Repetition) -> list[tuple[int, int, int]]:
        """What is read from arrays, and not only as the value of the turn before."""
        read = {
            (operand.array, operand.start + operand.step * turn)
            for each in self._plan.loops
            for operand in each.stored
            if not self.is_last(each, operand)
            for turn in range(each.turns)
        }
        return [fill for fill in loop.fills if fill[:2] in read]


def _fixed(loop: Repetition) -> list[int]:
    """The values that are the same in all turns."""
    return [operand.node for slot in loop.slots for operand in slot.operands if isinstance(operand, Fixed)]
