"""Turns of a stretch that are alike: what the operands of each instruction are in all turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from symgen.emit.rerolling.periods import Stretch
from symgen.emit.rerolling.plan import (
    SUMS,
    Fixed,
    Input,
    Local,
    Matched,
    Numbers,
    Operand,
    Place,
    Plan,
    Point,
    Wanted,
)
from symgen.program.program import Instruction, Op, Program

COMMUTE = (*SUMS, Op.MUL)
"""Operations whose operands may change places."""


class MismatchError(Exception):
    """The turns of a stretch are not alike; it never leaves the planning of loops."""


class Matching:
    """Compares the turns of a stretch of `nodes`, which have `positions`; what comes before it is planned already.

    `kinds` says what each instruction is as an operand.
    """

    def __init__(
        self,
        program: Program,
        kinds: Sequence[str],
        angles: Mapping[int, int],
        nodes: Sequence[int],
        positions: Mapping[int, int],
        plan: Plan,
        stretch: Stretch,
    ) -> None:
        self._program = program
        self._kinds = kinds
        self._angles = angles
        self._nodes = nodes
        self._positions = positions
        self._plan = plan
        self._stretch = stretch
        self._number = len(plan.loops)

    def slots(self) -> list[Matched]:
        """The instructions of every turn; `MismatchError` if the turns differ."""
        stretch = self._stretch
        starts = range(stretch.start, stretch.start + stretch.period)
        return [self._slot(self._nodes[start : stretch.stop : stretch.period]) for start in starts]

    def _slot(self, nodes: Sequence[int]) -> Matched:
        op = self._program.instructions[nodes[0]].op
        args = self._aligned(nodes)
        operands = tuple(map(self._operand, zip(*args, strict=True)))
        return Matched(Op.ADD if op is Op.SUB else op, tuple(nodes), tuple(args), operands)

    def _place(self, node: int) -> Place | None:
        """The place of an instruction of this loop or of one before."""
        at = self._positions.get(node, -1)
        if self._stretch.start <= at < self._stretch.stop:
            return self._number, *divmod(at - self._stretch.start, self._stretch.period)
        return self._plan.places.get(node)

    # order of operands ------------------------------------------------------------------------------

    def _aligned(self, nodes: Sequence[int]) -> list[tuple[int, ...]]:
        """The operands by turn, those of sums and products in the order of the middle turn's."""
        instructions = [self._program.instructions[node] for node in nodes]
        if instructions[0].op not in COMMUTE:
            return [instruction.args for instruction in instructions]
        middle = len(nodes) // 2
        wanted = [self._relative(arg, middle) for arg in instructions[middle].args]
        return [self._ordered(instruction, turn, wanted) for turn, instruction in enumerate(instructions)]

    def _ordered(self, instruction: Instruction, turn: int, wanted: Sequence[object]) -> tuple[int, ...]:
        first, second = instruction.args
        keys = [self._relative(arg, turn) for arg in instruction.args]
        fits = (keys[0] == wanted[0]) + (keys[1] == wanted[1])
        crossed = (keys[0] == wanted[1]) + (keys[1] == wanted[0])
        return (second, first) if crossed > fits else (first, second)

    def _relative(self, node: int, turn: int) -> object:
        """An operand as seen from a turn."""
        place = self._place(node)
        if place is None:
            return self._kinds[node]
        loop, its_turn, slot = place
        return (loop, turn - its_turn, slot) if loop == self._number else (loop, slot)

    # operands ---------------------------------------------------------------------------------------

    def _operand(self, column: Sequence[int]) -> Operand | Wanted:
        """What an operand is in all turns; `MismatchError` if it is nothing that can be written."""
        kinds = {self._kinds[node] for node in column}
        instructions = [self._program.instructions[node] for node in column]
        if kinds == {"number"}:
            return Numbers(tuple(i.value for i in instructions if i.value is not None))
        if len(kinds) > 1:
            raise MismatchError
        if instructions[0].op is Op.VARIABLE:
            return Input(instructions[0].name, tuple(i.entry for i in instructions))
        if kinds != {"operation"}:
            return Point(instructions[0].op, tuple(self._angles[i.args[0]] for i in instructions))
        return self._result(column)

    def _result(self, column: Sequence[int]) -> Operand | Wanted:
        """Results of instructions: of this turn, of turns before, or of what came before the loop."""
        places = [self._place(node) for node in column]
        last = places[-1]
        if last is not None and last[0] == self._number:
            return self._inside(column, places, *last[1:])
        if any(place is not None and place[0] == self._number for place in places):
            raise MismatchError
        return Fixed(column[0]) if len(set(column)) == 1 else self._earlier(column, places)

    def _inside(self, column: Sequence[int], places: Sequence[Place | None], row: int, slot: int) -> Operand | Wanted:
        """Results of a slot of this loop: of a turn so many turns before as for the last turn, which has row `row`."""
        here, distance = self._number, len(column) - 1 - row
        for turn, place in enumerate(places):
            is_inside = place is not None and place[0] == here
            if place != (here, turn - distance, slot) if turn >= distance else is_inside:
                raise MismatchError
        if not distance:
            return Local(slot)
        return Wanted(here, slot, {turn - distance: column[turn] for turn in range(distance)}, -distance, 1)

    def _earlier(self, column: Sequence[int], places: Sequence[Place | None]) -> Wanted:
        """Results of the slot of another loop that has most of them, and values copied there where it has none."""
        slots = Counter((place[0], place[2]) for place in places if place is not None)
        if not slots:
            return Wanted(None, 0, dict(enumerate(column)), 0, 1)
        number, slot = max(slots, key=slots.__getitem__)
        rows = {turn: place[1] for turn, place in enumerate(places) if place and (place[0], place[2]) == (number, slot)}
        if len(rows) < 2:
            raise MismatchError
        (turn, row), (other, other_row), *_ = rows.items()
        step, left = divmod(other_row - row, other - turn)
        start = row - step * turn
        others = {start + step * turn: node for turn, node in enumerate(column) if turn not in rows}
        if left or any(row != start + step * turn for turn, row in rows.items()):
            raise MismatchError
        if any(0 <= row < self._plan.loops[number].turns for row in others) or len(others) + len(rows) < len(column):
            raise MismatchError
        return Wanted(number, slot, others, start, step)
