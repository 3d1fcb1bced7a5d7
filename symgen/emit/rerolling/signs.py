"""Signs that make turns of loops alike: each value is kept as itself or as its negative.

That a sum adds or subtracts the same in all turns is a linear equation over the signs' bits, and so is that a result is
what it should be. Constants take up any sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.emit.rerolling.parity import Parity
from symgen.emit.rerolling.plan import SUMS, Plan, Repetition
from symgen.program.program import Op, Program

_PLAIN = (Op.SQRT, Op.SIN, Op.COS)


@dataclass(frozen=True)
class Signs:
    """Which values are negated, and for sums, in straight code by instruction and in loops by first instruction, which
    of the two terms are subtracted: never both."""

    negated: frozenset[int]
    subtracted: dict[int, tuple[bool, bool]]


class ContradictionError(Exception):
    """There are no signs for a plan; `stretches` are those whose loops are to blame: whose turns cannot be made alike,
    or of whose values an output is made that would get the wrong sign."""

    def __init__(self, stretches: frozenset[int]) -> None:
        super().__init__("the turns of a loop differ in their signs")
        self.stretches = stretches


def signs(program: Program, plan: Plan) -> Signs:
    """Signs for a plan, values of straight code kept as they are where that is possible.

    Raises `ContradictionError` if there are none.
    """
    return _Equations(program, plan).run()


class _Equations:
    def __init__(self, program: Program, plan: Plan) -> None:
        self.program = program
        self.plan = plan
        self.parity = Parity()
        self.forms: dict[int, int] = {}
        self.terms: dict[int, tuple[int, int]] = {}
        self.outputs = frozenset(program.output_nodes())
        self.contradicting: list[int] = []

    def run(self) -> Signs:
        """The signs; `ContradictionError` where the equations contradict each other."""
        for item in self.plan.items:
            self._write(item)
        for node, (first, second) in self.terms.items():
            if not (self.parity.require(first) or self.parity.require(second)):
                self.contradicting.append(node)
        if self.contradicting:
            raise ContradictionError(frozenset().union(*map(self._blamed, self.contradicting)))
        for item in self.plan.items:
            for node in [item] if isinstance(item, int) else []:
                self.parity.require(self.forms[node])
        for loop in self.plan.loops:
            for slot in loop.slots:
                self.parity.require(self.forms[slot.nodes[0]])
        solved = self.parity.solution()
        return Signs(
            frozenset(node for node, form in self.forms.items() if solved.value(form)),
            {node: (bool(solved.value(a)), bool(solved.value(b))) for node, (a, b) in self.terms.items()},
        )

    def _blamed(self, node: int) -> frozenset[int]:
        """The stretch of an instruction's loop or, for one in straight code, of the last loop that it is made of."""
        while (place := self.plan.places.get(node)) is None:
            args = self.program.instructions[node].args
            if not args:
                return frozenset()
            node = max(args)
        return frozenset([self.plan.loops[place[0]].stretch])

    def _write(self, item: int | Repetition) -> None:
        """Note the signs of an instruction or of a loop, and which of them cannot be."""
        if isinstance(item, int):
            self._note(item, self.program.instructions[item].args, item)
            return
        for turn in range(item.turns):
            for slot in item.slots:
                self._note(slot.nodes[turn], slot.args[turn], slot.nodes[0])

    def _note(self, node: int, args: Sequence[int], pattern: int) -> None:
        can_be = self._instruction(node, args, pattern)
        if node in self.outputs:
            can_be &= self.parity.require(self.forms[node])
        if not can_be:
            self.contradicting.append(node)

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
        if instruction.op is Op.NONZERO:
            self.forms[node] = forms[0]
        elif any(numbers):
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
