"""Plans of loops: stretches that repeat themselves, and what the operands are in all turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from symgen.emit.rolling.periods import TIMES, Stretch, stretches
from symgen.emit.rolling.plan import (
    SUMS,
    Fixed,
    Input,
    Local,
    Numbers,
    Operand,
    Plan,
    Point,
    Repetition,
    Slot,
    Stored,
)
from symgen.program.program import Instruction, Op, Program

MAX_WAIT = 150
"""An instruction stands at most so far behind the last of its operands; it would have to wait in memory."""

MAX_STARTS = 4
"""A stretch may begin anywhere in its first period: so many beginnings are tried."""

MAX_PEELED = 3
"""So many turns are taken off a stretch whose first or last ones differ from the others."""


_COMMUTE = (*SUMS, Op.MUL)
_TRIG = (Op.SIN, Op.COS)


class Planner:
    """Plans for `nodes`, the instructions of a program to be written."""

    def __init__(self, program: Program, nodes: Sequence[int], angles: Sequence[int]) -> None:
        self._program = program
        self._angles = {angle: place for place, angle in enumerate(angles)}
        self._nodes = _early(program, [node for node in nodes if _kind(program, self._angles, node) == "operation"])
        codes: dict[object, int] = {}
        found = [codes.setdefault(_code(program, self._angles, node), len(codes)) for node in self._nodes]
        self._stretches = stretches(found)

    def plan(self, factor: int, left_out: frozenset[int] = frozenset()) -> Plan | None:
        """Loops whose turns are of `factor` periods, but for the stretches left out; None if there are none."""
        planning = _Planning(self._program, self._nodes, self._angles)
        return planning.run(self._stretches, factor, left_out)


def _kind(program: Program, angles: Mapping[int, int], node: int) -> str:
    """What an operand is, as far as it must be the same in all turns."""
    instruction = program.instructions[node]
    if instruction.op is Op.CONSTANT:
        return "number"
    if instruction.op is Op.VARIABLE:
        return f"entry of {instruction.name}"
    if instruction.op in _TRIG and instruction.args[0] in angles:
        return str(instruction.op.value)
    return "operation"


def _code(program: Program, angles: Mapping[int, int], node: int) -> tuple[object, ...]:
    """What must be the same in all turns: the operation, and what kinds of operands it has."""
    instruction = program.instructions[node]
    kinds = [_kind(program, angles, arg) for arg in instruction.args]
    op = Op.ADD if instruction.op is Op.SUB else instruction.op
    return op.value, tuple(sorted(kinds) if instruction.op in _COMMUTE else kinds)


def _early(program: Program, nodes: Sequence[int]) -> list[int]:
    """The instructions in an order in which none waits for long after its operands."""
    place = {node: at for at, node in enumerate(nodes)}
    new: dict[int, int] = {}
    for node, at in place.items():
        ready = max((new[arg] for arg in program.instructions[node].args if arg in new), default=at)
        new[node] = ready if at - ready > MAX_WAIT else at
    return sorted(nodes, key=lambda node: (new[node], place[node]))


class _Mismatch(Exception):  # noqa: N818 - it never leaves this module
    """The turns of a stretch are not alike."""


class _Planning:
    def __init__(self, program: Program, nodes: Sequence[int], angles: Mapping[int, int]) -> None:
        self.program = program
        self.angles = angles
        self.nodes = nodes
        self.plan = Plan([], [], [], {})

    def run(self, found: Sequence[Stretch], factor: int, left_out: frozenset[int]) -> Plan | None:
        """Loops for the stretches, as many as are alike."""
        at = 0
        for number, stretch in enumerate(found):
            for part in self._parts(stretch._replace(period=stretch.period * factor)) if number not in left_out else ():
                loop = self._loop(part, number)
                if loop is not None:
                    self.plan.items += [*self.nodes[at : part.start], loop]
                    at = part.start + part.period * part.times
                    break
        self.plan.items += self.nodes[at:]
        return self.plan if self.plan.loops else None

    def _parts(self, stretch: Stretch) -> Iterator[Stretch]:
        """Parts of a stretch of whole periods: those between which fewest values pass, the longest first."""
        passing = self._passing(stretch)
        offsets = sorted(range(len(passing)), key=lambda offset: (passing[offset], offset))
        for start in (stretch.start + offset for offset in offsets[:MAX_STARTS]):
            times = (stretch.stop - start) // stretch.period
            for less in range(min(MAX_PEELED, times - TIMES) + 1):
                for first in range(less + 1):
                    begin = start + first * stretch.period
                    yield Stretch(begin, begin + (times - less) * stretch.period, stretch.period)

    def _passing(self, stretch: Stretch) -> list[int]:
        """For every position in the first period: values that pass it from before to after, as halfway through."""
        nodes = self.nodes[stretch.start : stretch.stop]
        places = {node: at for at, node in enumerate(nodes)}
        last = list(range(len(nodes)))
        for at, node in enumerate(nodes):
            for arg in self.program.instructions[node].args:
                if arg in places:
                    last[places[arg]] = at
        change = [0] * (len(nodes) + 2)
        for made, used in enumerate(last):
            change[made + 1] += 1
            change[used + 1] -= 1
        passing = list(accumulate(change))
        middle = stretch.times // 2 * stretch.period
        return passing[middle : middle + stretch.period]

    # loops -----------------------------------------------------------------------------------------

    def _loop(self, stretch: Stretch, origin: int) -> Repetition | None:
        """The loop of a stretch; None, and nothing changes, if its turns differ."""
        number = len(self.plan.loops)
        places = {
            self.nodes[stretch.start + turn * stretch.period + slot]: (number, turn, slot)
            for turn in range(stretch.times)
            for slot in range(stretch.period)
        }
        before = [(rows, dict(rows.others)) for rows in self.plan.arrays]
        loop = Repetition(number, origin, stretch.times)
        self.plan.loops.append(loop)
        self.plan.places.update(places)
        try:
            for slot in range(stretch.period):
                nodes = self.nodes[stretch.start + slot : stretch.stop : stretch.period]
                loop.slots.append(self._slot(nodes, loop))
        except _Mismatch:
            self.plan.loops.pop()
            self.plan.arrays = [rows for rows, _ in before]
            for rows, others in before:
                rows.others = others
            for node in places:
                del self.plan.places[node]
            return None
        return loop

    def _slot(self, nodes: Sequence[int], loop: Repetition) -> Slot:
        op = self.program.instructions[nodes[0]].op
        args = self._aligned(nodes)
        operands = tuple(self._operand(column, loop) for column in zip(*args, strict=True))
        return Slot(Op.ADD if op is Op.SUB else op, tuple(nodes), tuple(args), operands)

    def _aligned(self, nodes: Sequence[int]) -> list[tuple[int, ...]]:
        """The operands by turn, those of sums and products in the order of the middle turn's."""
        instructions = [self.program.instructions[node] for node in nodes]
        if instructions[0].op not in _COMMUTE:
            return [instruction.args for instruction in instructions]
        middle = len(nodes) // 2
        wanted = [self._relative(arg, middle) for arg in instructions[middle].args]
        return [self._ordered(instruction, turn, wanted) for turn, instruction in enumerate(instructions)]

    def _ordered(self, instruction: Instruction, turn: int, wanted: list[object]) -> tuple[int, ...]:
        first, second = instruction.args
        keys = [self._relative(arg, turn) for arg in instruction.args]
        fits = (keys[0] == wanted[0]) + (keys[1] == wanted[1])
        crossed = (keys[0] == wanted[1]) + (keys[1] == wanted[0])
        return (second, first) if crossed > fits else (first, second)

    def _relative(self, node: int, turn: int) -> object:
        """An operand as seen from a turn."""
        if node in self.plan.places:
            loop, its_turn, slot = self.plan.places[node]
            return (loop, turn - its_turn, slot) if loop == len(self.plan.loops) - 1 else (loop, slot)
        return _kind(self.program, self.angles, node)

    def _operand(self, column: Sequence[int], loop: Repetition) -> Operand:
        """What an operand is in all turns; `_Mismatch` if it is nothing that can be written."""
        kinds = {_kind(self.program, self.angles, node) for node in column}
        instructions = [self.program.instructions[node] for node in column]
        if kinds == {"number"}:
            return Numbers(tuple(i.value for i in instructions if i.value is not None))
        if len(kinds) > 1:
            raise _Mismatch
        if instructions[0].op is Op.VARIABLE:
            return Input(instructions[0].name, tuple(i.entry for i in instructions))
        if kinds != {"operation"}:
            return Point(instructions[0].op, tuple(self.angles[i.args[0]] for i in instructions))
        return self._result(column, loop)

    def _result(self, column: Sequence[int], loop: Repetition) -> Operand:
        """Results of instructions: of this turn, of turns before, or of what came before the loop."""
        here = loop.number
        places = [self.plan.places.get(node) for node in column]
        last = places[-1]
        if last is not None and last[0] == here:
            distance, slot = loop.turns - 1 - last[1], last[2]
            for turn, place in enumerate(places):
                is_inside = place is not None and place[0] == here
                if place != (here, turn - distance, slot) if turn >= distance else is_inside:
                    raise _Mismatch
            if not distance:
                return Local(slot)
            others = {turn - distance: column[turn] for turn in range(distance)}
            return self._stored(here, slot, others, -distance, 1, loop)
        if any(place is not None and place[0] == here for place in places):
            raise _Mismatch
        if len(set(column)) == 1:
            return Fixed(column[0])
        return self._earlier(column, places, loop)

    def _earlier(
        self, column: Sequence[int], places: Sequence[tuple[int, int, int] | None], loop: Repetition
    ) -> Operand:
        """Results of another loop's slot, and other values, copied before the loop, where it has none."""
        slots = Counter((place[0], place[2]) for place in places if place is not None)
        if not slots:
            return self._stored(None, 0, dict(enumerate(column)), 0, 1, loop)
        ((number, slot), times), *_ = slots.most_common(1)
        known = [(turn, place[1]) for turn, place in enumerate(places) if place and (place[0], place[2]) == (number, slot)]
        if times < 2:
            raise _Mismatch
        (turn, row), (other, other_row) = known[:2]
        step, left = divmod(other_row - row, other - turn)
        start = row - step * turn
        if left or any(place != start + step * turn for turn, place in known):
            raise _Mismatch
        others = {start + step * turn: node for turn, node in enumerate(column) if (turn, start + step*turn) not in known}
        if any(0 <= row < self.plan.loops[number].turns for row in others) or len(others) + len(known) < len(column):
            raise _Mismatch
        return self._stored(number, slot, others, start, step, loop)

    def _stored(
        self, number: int | None, slot: int, others: dict[int, int], start: int, step: int, loop: Repetition
    ) -> Stored:
        array = self.plan.array(number, slot, others)
        filled = {(array, row) for each in self.plan.loops for array, row, _ in each.fills}
        loop.fills += [(array, row, node) for row, node in others.items() if (array, row) not in filled]
        return Stored(array, start, step)
