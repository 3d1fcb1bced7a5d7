"""Plans of loops: stretches that repeat themselves, as far as their turns are alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from symgen.emit.rerolling.matching import COMMUTE, Matching, MismatchError
from symgen.emit.rerolling.periods import TIMES, Stretch, stretches
from symgen.emit.rerolling.plan import Matched, Plan
from symgen.program.program import Op, Program

MAX_WAIT = 150
"""An instruction stands at most so far behind the last of its operands; it would have to wait in memory."""

MAX_STARTS = 4
"""A stretch may begin anywhere in its first period: so many beginnings are tried."""

MAX_PEELED = 3
"""So many turns are taken off a stretch whose first or last ones differ from the others."""


_TRIG = (Op.SIN, Op.COS)


class Planner:
    """Plans for `nodes`, the instructions of a program to be written."""

    def __init__(self, program: Program, nodes: Sequence[int], angles: Sequence[int]) -> None:
        self._program = program
        self._angles = {angle: place for place, angle in enumerate(angles)}
        self._kinds = [_kind(program, self._angles, node) for node in range(len(program.instructions))]
        self._nodes = _early(program, [node for node in nodes if self._kinds[node] == "operation"])
        self._positions = {node: at for at, node in enumerate(self._nodes)}
        codes: dict[object, int] = {}
        self._stretches = stretches([codes.setdefault(self._code(node), len(codes)) for node in self._nodes])

    def plan(self, factor: int, left_out: frozenset[int] = frozenset()) -> Plan | None:
        """Loops whose turns are of `factor` periods, but for the stretches left out; None if there are none."""
        plan, at = Plan(), 0
        for number, stretch in enumerate(self._stretches):
            for part in self._parts(stretch._replace(period=stretch.period * factor)) if number not in left_out else ():
                slots = self._slots(plan, part)
                if slots is not None:
                    plan.items += self._nodes[at : part.start]
                    plan.add(number, slots)
                    at = part.start + part.period * part.times
                    break
        plan.items += self._nodes[at:]
        return plan if plan.loops else None

    def _code(self, node: int) -> tuple[object, ...]:
        """What must be the same in all turns: the operation, and what kinds of operands it has."""
        instruction = self._program.instructions[node]
        kinds = [self._kinds[arg] for arg in instruction.args]
        op = Op.ADD if instruction.op is Op.SUB else instruction.op
        return op.value, tuple(sorted(kinds) if instruction.op in COMMUTE else kinds)

    def _slots(self, plan: Plan, stretch: Stretch) -> list[Matched] | None:
        """What the turns of a stretch have in common; None if they differ."""
        try:
            return Matching(
                self._program, self._kinds, self._angles, self._nodes, self._positions, plan, stretch
            ).slots()
        except MismatchError:
            return None

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
        length = stretch.stop - stretch.start
        last = list(range(length))
        for at, node in enumerate(self._nodes[stretch.start : stretch.stop]):
            for arg in self._program.instructions[node].args:
                made = self._positions.get(arg, -1) - stretch.start
                if 0 <= made < length:
                    last[made] = at
        change = [0] * (length + 2)
        for made, used in enumerate(last):
            change[made + 1] += 1
            change[used + 1] -= 1
        passing = list(accumulate(change))
        middle = stretch.times // 2 * stretch.period
        return passing[middle : middle + stretch.period]


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


def _early(program: Program, nodes: Sequence[int]) -> list[int]:
    """The instructions in an order in which none waits for long after its operands."""
    place = {node: at for at, node in enumerate(nodes)}
    new: dict[int, int] = {}
    for node, at in place.items():
        ready = max((new[arg] for arg in program.instructions[node].args if arg in new), default=at)
        new[node] = ready if at - ready > MAX_WAIT else at
    return sorted(nodes, key=lambda node: (new[node], place[node]))
