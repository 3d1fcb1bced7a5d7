"""Program → tree with loops, for programs so long that straight code would outgrow the instruction cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from symgen.algebra.exact import Exact
from symgen.emit.rerolling.choice import shortest
from symgen.emit.rerolling.layout import Layout
from symgen.emit.rerolling.plan import SUMS, Plan, Repetition, Slot
from symgen.emit.rerolling.signs import Signs
from symgen.emit.rerolling.turn import Tables, Turn
from symgen.emit.straight import Lowering
from symgen.emit.style import Style
from symgen.emit.tree import COSINE, SINE, TURN, Code, Entry, Expression, Loop, Number, Operation, Place, Variable
from symgen.program.finish import opposite
from symgen.program.program import REPEATING, Instruction, Op, Program


def rolled(program: Program, style: Style) -> Code | None:
    """The tree of a program with loops; None where it is short, or does not repeat itself."""
    if len(program.instructions) < REPEATING:
        return None
    lowering = RolledLowering(program, style)
    return lowering.run() if lowering.is_worthwhile else None


class RolledLowering(Lowering):
    """Lowers a program with loops, if a plan is found."""

    def __init__(self, program: Program, style: Style) -> None:
        super().__init__(program, style)
        self.names.add(TURN)
        head = set(self.head)
        written = [node for node in self._needed() if node not in head]
        self.choice = shortest(program, written, self.angles)
        self.array_names: dict[int, str] = {}
        self.final: dict[tuple[int, int], str] = {}
        if self.choice is not None:
            self.layout = Layout(program, self.plan, self.targets)
            for node, times in self.layout.written().items():
                self.uses[node] = max(self.uses[node], times)

    @property
    def plan(self) -> Plan:
        """The plan that makes the shortest code."""
        assert self.choice is not None
        return self.choice[0]

    @property
    def signs(self) -> Signs:
        """The signs that go with the plan."""
        assert self.choice is not None
        return self.choice[1]

    @property
    def is_worthwhile(self) -> bool:
        """Whether there are loops."""
        return self.choice is not None

    # straight code ---------------------------------------------------------------------------------

    def _body(self, nodes: Sequence[int]) -> None:
        inside = {node for item in self.plan.items for node in ([item] if isinstance(item, int) else [])}
        inside |= self.plan.places.keys()
        for node in nodes:
            if node not in inside:
                self._lower(node)
        for item in self.plan.items:
            if isinstance(item, int):
                self._lower(item)
            else:
                self._loop(item)

    def _points(self) -> tuple[tuple[str | None, str | None], ...]:
        """Sines and cosines are read from their arrays, which loops run through."""
        places = {angle: place for place, angle in enumerate(self.angles)}
        for node, instruction in enumerate(self.program.instructions):
            if instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in places:
                array = SINE if instruction.op is Op.SIN else COSINE
                self.values[node] = self._stored(node, Entry(array, Place(places[instruction.args[0]])))
        return ()

    def _arrays(self) -> dict[str, int]:
        return {self.array(number): self.plan.arrays[number].size for number in sorted(self.layout.kept)}

    def array(self, number: int) -> str:
        """The name of an array: that of its values, without the number of a link."""
        if number not in self.array_names:
            rows = self.plan.arrays[number]
            first = next(iter(rows.others.values())) if rows.loop is None else self._slot(rows.loop, rows.slot).nodes[0]
            self.array_names[number] = self.unique(self.stem(first))
        return self.array_names[number]

    def unique(self, stem: str) -> str:
        """A name that nothing has yet: the stem or, if that is taken, the stem and a number."""
        name, count = stem, 1
        while name in self.names:
            count += 1
            name = f"{stem}_{count}"
        self.names.add(name)
        return name

    def stem(self, node: int) -> str:
        """The name of a value without the number of its link."""
        label = self.label(node)
        return _without_number(label) if label else "x"

    def _slot(self, loop: int, slot: int) -> Slot:
        return self.plan.loops[loop].slots[slot]

    def label(self, node: int) -> str | None:
        """The name from the derivation of what is kept of an instruction's value."""
        label = self.program.instructions[node].label
        return label if label is None or node not in self.signs.negated else opposite(label)

    def read(self, node: int) -> Expression:
        """The value of an instruction, outside its loop."""
        if node in self.plan.places and self.layout.is_final(node):
            loop, _, slot = self.plan.places[node]
            return Variable(self.final[loop, slot])
        if node in self.plan.places:
            number, row = self.plan.array_of(node)
            return Entry(self.array(number), Place(row - self.plan.arrays[number].first))
        return self.values[node]

    def _expression(self, node: int) -> Expression:
        instruction = self.program.instructions[node]
        if not instruction.args:
            return super()._expression(node)
        args = [self._signed_number(node, arg) or self.read(arg) for arg in instruction.args]
        if instruction.op not in SUMS:
            return Operation(instruction.op, tuple(args))
        return self.sum(args, self._subtracted(node, instruction))

    def _subtracted(self, node: int, instruction: Instruction) -> tuple[bool, bool]:
        """Which of two terms are subtracted; what the angles are made of keeps its signs, whatever the plan."""
        second = self.program.instructions[instruction.args[1]]
        return self.signs.subtracted.get(node, (False, instruction.op is Op.SUB and second.value is None))

    def _signed_number(self, node: int, arg: int) -> Number | None:
        value = self.number_of(node, arg)
        return None if value is None else self.number(value)

    def number_of(self, node: int, arg: int) -> Exact | None:
        """A constant operand with the sign that it takes up."""
        value = self.program.instructions[arg].value
        if value is None:
            return None
        instruction = self.program.instructions[node]
        negative = node in self.signs.negated
        if instruction.op in SUMS:
            negative ^= instruction.op is Op.SUB and arg == instruction.args[1]
        else:
            negative ^= any(other in self.signs.negated for other in instruction.args)
        return -value if negative else value

    def sum(self, args: Sequence[Expression], subtracted: tuple[bool, bool]) -> Operation:
        """A sum of two terms, either of them subtracted; negative numbers are subtracted too."""
        first, second = args
        if subtracted == (False, False) and _is_negative(second):
            return Operation(Op.SUB, (first, _opposite(second)))
        if subtracted == (False, False) and _is_negative(first):
            return Operation(Op.SUB, (second, _opposite(first)))
        if subtracted[0]:
            return Operation(Op.SUB, (second, first))
        return Operation(Op.SUB if subtracted[1] else Op.ADD, (first, second))

    # loops -----------------------------------------------------------------------------------------

    def _loop(self, loop: Repetition) -> None:
        for array, row, node in self.layout.fills[loop.number]:
            self.store(self.array(array), row - self.plan.arrays[array].first, self.read(node))
        outside, self.statements = self.statements, []
        tables = Tables(self)
        turn = Turn(self, loop, tables)
        turn.write()
        body = tuple(item for item in self.statements if not isinstance(item, Loop))
        self.statements = outside
        self.statements.append(Loop(loop.turns, turn.carried(), tables.numbers(), tables.places(), body))
        for slot in turn.left:
            for node in slot.nodes:
                if node in self.targets:
                    self._stored(node, self.read(node))


def _without_number(label: str) -> str:
    """The label without the first number in it."""
    start = next((place for place, letter in enumerate(label) if letter.isdigit()), len(label))
    return label[:start] + label[start:].lstrip("0123456789")


def _is_negative(value: Expression) -> TypeGuard[Number]:
    return isinstance(value, Number) and value.value < 0


def _opposite(number: Number) -> Number:
    return Number(-number.value)
