"""Signs that make turns of loops alike: each value is kept as itself or as its negative.

That a sum adds or subtracts the same in all turns is a linear equation over the signs' bits, and so is that a result is
what it should be. Constants take up any sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.emit.rolling.parity import Parity
from symgen.emit.rolling.plan import SUMS, Plan, Repetition, Slot
from symgen.program.program import Op, Program

_PLAIN = (Op.SQRT, Op.SIN, Op.COS)


@dataclass(frozen=True)
class Signs:
    """Which values are negated, and for sums, in straight code by instruction and in loops by first instruction, which
    of the two terms are subtracted: never both."""

    negated: frozenset[int]
    subtracted: dict[int, tuple[bool, bool]]


class ContradictionError(Exception):
    """There are no signs for a plan; `loop` is the one whose turns cannot be made alike, if it is one."""

    def __init__(self, loop: Repetition | None) -> None:
        super().__init__("the turns of a loop differ in their signs")
        self.loop = loop


def signs(program: Program, plan: Plan) -> Signs:
    """Signs for a plan, values of straight code kept as they are where that is possible.

    Raises `ContradictionError` if there are none.
    """
    return _Equations(program).run(plan)


class _Equations:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.parity = Parity()
        self.forms: dict[int, int] = {}
        self.terms: dict[int, tuple[int, int]] = {}

    def run(self, plan: Plan) -> Signs:
        """The signs; `ContradictionError` where the equations contradict each other."""
        straight = [item for item in plan.items if not isinstance(item, Repetition)]
        for item in plan.items:
            if not self._written(item):
                raise ContradictionError(item if isinstance(item, Repetition) else None)
        if not all(self.parity.require(self.forms.get(node, 0)) for node in self.program.output_nodes()):
            raise ContradictionError(None)
        for first, second in self.terms.values():
            if not (self.parity.require(first) or self.parity.require(second)):
                raise ContradictionError(None)
        for node in straight:
            self.parity.require(self.forms[node])
        for loop in plan.loops:
            for slot in loop.slots:
                self.parity.require(self.forms[slot.nodes[0]])
        solved = self.parity.solution()
        return Signs(
            frozenset(node for node, form in self.forms.items() if solved.value(form)),
            {node: (bool(solved.value(a)), bool(solved.value(b))) for node, (a, b) in self.terms.items()},
        )

    def _written(self, item: int | Repetition) -> bool:
        """Note the signs of an instruction or of a loop; whether they can be."""
        if isinstance(item, int):
            return self._instruction(item, self.program.instructions[item].args, item)
        return all(self._turn(slot, turn) for turn in range(item.turns) for slot in item.slots)

    def _turn(self, slot: Slot, turn: int) -> bool:
        return self._instruction(slot.nodes[turn], slot.args[turn], slot.nodes[0])

    def _instruction(self, node: int, args: Sequence[int], pattern: int) -> bool:
        """`pattern` is the instruction that says how terms are added."""
        instruction = self.program.instructions[node]
        numbers = [self.program.instructions[arg].value is not None for arg in args]
        forms = [self.forms.get(arg, 0) for arg in args]
        if instruction.op in SUMS:
            return self._sum(node, args, numbers, forms, pattern)
        if instruction.op in _PLAIN:
            self.forms[node] = 0
            return self.parity.require(forms[0])
        if any(numbers):
            self.forms[node] = self.parity.unknown()
        else:
            self.forms[node] = self.parity.reduced(forms[0] ^ (forms[1] if len(forms) > 1 else 0))
        return True

    def _sum(self, node: int, args: Sequence[int], numbers: Sequence[bool], forms: Sequence[int], pattern: int) -> bool:
        """The terms' signs as they are added: those of a turn must be those of the first."""
        instruction = self.program.instructions[node]
        taken = [int(instruction.op is Op.SUB and arg == instruction.args[1]) for arg in args]
        main = numbers.index(False)
        first = pattern == node
        if first:
            self.terms[node] = (0, self.parity.unknown()) if main else (self.parity.unknown(), 0)
        own = self.terms[pattern][main]
        self.forms[node] = self.parity.reduced(forms[main] ^ taken[main] ^ own)
        if any(numbers):
            return True
        other = self.parity.reduced(self.forms[node] ^ forms[1] ^ taken[1])
        if first:
            self.terms[node] = own, other
            return True
        return self.parity.require(other ^ self.terms[pattern][1])
