"""A writer of loops, for programs so long that straight code would outgrow the processor's instruction cache."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from symgen.algebra.exact import Exact
from symgen.emit.dialect import COSINE, SINE, Code, Dialect, Statement, Turns
from symgen.emit.rolling.plan import SUMS, Entry, Fixed, Local, Loop, Numbers, Plan, Planner, Point, Slot, Stored
from symgen.emit.rolling.signs import ContradictionError, Signs, signs
from symgen.emit.writer import ATOM, MAX_INLINE, UNARY, Text, Writer
from symgen.program.finish import opposite
from symgen.program.module import CONSTANTS
from symgen.program.program import Op, Program

LONG = 2000
"""Programs of fewer instructions than this stay straight."""

FACTORS = (1, 2, 3, 4)
"""A turn of a loop may be so many periods of the program; signs often are alike only every second link."""

INDEX = "i"


def rolled(program: Program, dialect: Dialect) -> Code | None:
    """The code of a program with loops; None where it is short, or does not repeat itself."""
    if len(program.instructions) < LONG:
        return None
    writer = _Rolled(program, dialect)
    return writer.run() if writer.is_worthwhile() else None


class _Rolled(Writer):
    def __init__(self, program: Program, dialect: Dialect) -> None:
        super().__init__(program, dialect)
        self.names.add(INDEX)
        written = [node for node in self._needed() if node not in set(self.head)]
        self.choice = _shortest(program, Planner(program, written, self.angles))
        self.array_names: dict[int, str] = {}
        self.kept: frozenset[int] = frozenset()
        self.fills: dict[int, list[tuple[int, int, int]]] = {}
        self.final: dict[tuple[int, int], str] = {}
        if self.choice is not None:
            self.kept = self._kept()
            self.fills = {id(loop): self._fills(loop) for loop in self.plan.loops}
            self._count_uses()

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

    def _kept(self) -> frozenset[int]:
        """The arrays that are needed: those of which more is read than the value of the turn before."""
        found: set[int] = set()
        read: list[int] = []
        for item in self.plan.items:
            if isinstance(item, int):
                read += self.program.instructions[item].args
                continue
            read += [node for _, _, node in item.fills]
            read += [o.node for slot in item.slots for o in slot.operands if isinstance(o, Fixed)]
            found.update(operand.array for operand in item.stored if not self.is_last(item, operand))
            for slot in item.slots:
                read += slot.nodes if not self.is_output(slot) else ()
        inside = [node for node in read if node in self.plan.places and not self._is_final(node)]
        found.update(self.plan.array_of(node)[0] for node in inside)
        return frozenset(found)

    def _is_final(self, node: int) -> bool:
        """Whether a variable still holds the value of an instruction after its loop."""
        number, turn, slot = self.plan.places[node]
        loop = self.plan.loops[number]
        return turn == loop.turns - 1 and any(slot == other for other, _ in self.lasts(loop))

    def _fills(self, loop: Loop) -> list[tuple[int, int, int]]:
        """What is stored before a loop: (array, row, value) that are read, and not only as a last value."""
        read = {
            (operand.array, operand.start + operand.step * turn)
            for each in self.plan.loops
            for operand in each.stored
            if not self.is_last(each, operand)
            for turn in range(each.turns)
        }
        return [fill for fill in loop.fills if fill[:2] in read]

    def _count_uses(self) -> None:
        """Values that are written before a loop more than once need a name."""
        written = Counter(node for fills in self.fills.values() for _, _, node in fills)
        for loop in self.plan.loops:
            written.update({before for _, before in self.lasts(loop)})
            written.update(2 * [o.node for slot in loop.slots for o in slot.operands if isinstance(o, Fixed)])
        for node, times in written.items():
            self.uses[node] = max(self.uses[node], times)

    def lasts(self, loop: Loop) -> list[tuple[int, int]]:
        """(slot, value before the loop) of what a turn needs of the one before."""
        found: dict[tuple[int, int], None] = {}
        for operand in loop.stored:
            if self.is_last(loop, operand):
                rows = self.plan.arrays[operand.array]
                found[rows.slot, rows.others[-1]] = None
        return list(found)

    def is_last(self, loop: Loop, operand: Stored) -> bool:
        """Whether an operand is the value of a slot in the turn before."""
        rows = self.plan.arrays[operand.array]
        return rows.loop == self.plan.loops.index(loop) and (operand.start, operand.step) == (-1, 1)

    def is_output(self, slot: Slot) -> bool:
        """Whether the slot's values are entries of the same outputs, or of none, in all turns."""
        return len({tuple(name for name, _ in self.targets.get(node, [])) for node in slot.nodes}) == 1

    def is_worthwhile(self) -> bool:
        """Whether there are loops."""
        return self.choice is not None

    # straight code ---------------------------------------------------------------------------------

    def _body(self, nodes: Sequence[int]) -> None:
        inside = {node for item in self.plan.items for node in ([item] if isinstance(item, int) else [])}
        inside |= self.plan.places.keys()
        for node in nodes:
            if node not in inside:
                self._write(node)
        for item in self.plan.items:
            if isinstance(item, int):
                self._write(item)
            else:
                self._loop(item)

    def _points(self) -> tuple[tuple[str | None, str | None], ...]:
        """Sines and cosines are read from their arrays, which loops run through."""
        places = {angle: place for place, angle in enumerate(self.angles)}
        for node, instruction in enumerate(self.program.instructions):
            if instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in places:
                array = SINE if instruction.op is Op.SIN else COSINE
                self.texts[node] = self._placed(node, Text(f"{array}[{places[instruction.args[0]]}]", ATOM, 0))
        return ()

    def _arrays(self) -> dict[str, int]:
        return {self._array(number): self.plan.arrays[number].size for number in sorted(self.kept)}

    def _array(self, number: int) -> str:
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
        label = self._label(node)
        return re.sub(r"\d+", "", label, count=1) if label else "x"

    def _slot(self, loop: int, slot: int) -> Slot:
        return self.plan.loops[loop].slots[slot]

    def _label(self, node: int) -> str | None:
        label = self.program.instructions[node].label
        return label if label is None or node not in self.signs.negated else opposite(label)

    def _read(self, node: int) -> Text:
        """How the value of an instruction is written outside its loop."""
        if node in self.plan.places and self._is_final(node):
            loop, _, slot = self.plan.places[node]
            return Text(self.final[loop, slot], ATOM, 0)
        if node in self.plan.places:
            number, row = self.plan.array_of(node)
            return Text(f"{self._array(number)}[{row - self.plan.arrays[number].first}]", ATOM, 0)
        return self.texts[node]

    def _text(self, node: int) -> Text:
        instruction = self.program.instructions[node]
        if not instruction.args:
            return super()._text(node)
        args = [self._signed_number(node, arg) or self._read(arg) for arg in instruction.args]
        if instruction.op not in SUMS:
            return self._expression(instruction.op, args)
        return self._sum(args, self.signs.subtracted[node])

    def _signed_number(self, node: int, arg: int) -> Text | None:
        value = self._number_of(node, arg)
        return None if value is None else self._number(value)

    def _number_of(self, node: int, arg: int) -> Exact | None:
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

    def _sum(self, args: Sequence[Text], subtracted: tuple[bool, bool]) -> Text:
        first, second = args
        if subtracted == (False, False) and second.precedence == UNARY and second.text.startswith("-"):
            return self._expression(Op.SUB, (first, Text(second.text[1:], ATOM, 0, second.uniform)))
        if subtracted == (False, False) and first.precedence == UNARY and first.text.startswith("-"):
            return self._expression(Op.SUB, (second, Text(first.text[1:], ATOM, 0, first.uniform)))
        if subtracted[0]:
            return self._expression(Op.SUB, (second, first))
        return self._expression(Op.SUB if subtracted[1] else Op.ADD, (first, second))

    # loops -----------------------------------------------------------------------------------------

    def _loop(self, loop: Loop) -> None:
        for array, row, node in self.fills[id(loop)]:
            target = f"{self._array(array)}[{row - self.plan.arrays[array].first}]"
            self.statements.append(Statement(target, self._spread(self._read(node)), local=False))
        outside, self.statements = self.statements, []
        tables = _Tables(self)
        turn = _Turn(self, loop, tables)
        turn.write()
        body = tuple(item for item in self.statements if isinstance(item, Statement))
        self.statements = outside
        self.statements.append(Turns(INDEX, loop.turns, turn.lasts(), tables.numbers(), tables.places(), body))
        for slot in turn.left:
            for node in slot.nodes:
                self._placed(node, self._read(node))


def _shortest(program: Program, planner: Planner) -> tuple[Plan, Signs] | None:
    """The plan that makes the shortest code, with its signs; None if there is no plan."""
    best: tuple[Plan, Signs] | None = None
    for factor in FACTORS:
        left_out: frozenset[int] = frozenset()
        while (made := planner.plan(factor, left_out)) is not None:
            try:
                found = made, signs(program, made)
            except ContradictionError as error:
                if error.loop is None:
                    break
                left_out |= {error.loop.stretch}
                continue
            if best is None or made.size < best[0].size:
                best = found
            if not left_out:
                return best
            break
    return best


class _Tables:
    """The constants of a loop that differ from turn to turn, by column."""

    def __init__(self, writer: _Rolled) -> None:
        self._writer = writer
        self._columns: dict[tuple[str, ...], int] = {}
        self._places: dict[tuple[int, ...], int] = {}
        self._names = writer.unique("numbers"), writer.unique("places")

    def number(self, values: Sequence[Exact]) -> Text:
        """A number that is one of these, by turn."""
        texts = tuple(map(self._writer.dialect.literal, values))
        if len(set(texts)) == 1:
            return self._writer._number(values[0])
        column = self._columns.setdefault(texts, len(self._columns))
        return Text(f"{self._names[0]}[{INDEX}][{column}]", ATOM, 0, uniform=True)

    def place(self, places: Sequence[int]) -> str:
        """An index that is one of these, by turn."""
        start, step = places[0], places[1] - places[0]
        if all(place == start + step * turn for turn, place in enumerate(places)):
            return index(start, step)
        column = self._places.setdefault(tuple(places), len(self._places))
        return f"{self._names[1]}[{INDEX}][{column}]"

    def numbers(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """The table of numbers, if there are any."""
        return {self._names[0]: tuple(zip(*self._columns, strict=True))} if self._columns else {}

    def places(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """The table of indices, if there are any."""
        return {self._names[1]: tuple(zip(*self._places, strict=True))} if self._places else {}


def index(start: int, step: int) -> str:
    """The expression start + step · i."""
    if not step:
        return str(start)
    text = INDEX if abs(step) == 1 else f"{abs(step)}*{INDEX}"
    if step < 0:
        return f"{start} - {text}"
    return text if not start else f"{text} + {start}" if start > 0 else f"{text} - {-start}"


class _Turn:
    """Writes the body of a loop.

    Attributes:
        left: slots whose values are outputs that cannot be written inside.
    """

    def __init__(self, writer: _Rolled, loop: Loop, tables: _Tables) -> None:
        self.writer = writer
        self.loop = loop
        self.tables = tables
        self.left: list[Slot] = []
        self.texts: list[Text] = []
        self.uses = Counter(
            operand.slot for slot in loop.slots for operand in slot.operands if isinstance(operand, Local)
        )
        number = writer.plan.loops.index(loop)
        self.stores: dict[int, list[int]] = {}
        for array in sorted(writer.kept):
            if writer.plan.arrays[array].loop == number:
                self.stores.setdefault(writer.plan.arrays[array].slot, []).append(array)
        self.last = {
            (slot, before): writer.unique(f"{writer.stem(loop.slots[slot].nodes[0])}_last")
            for slot, before in writer.lasts(loop)
        }
        self.uses.update(slot for slot, _ in self.last)
        self.carried = {slot for slot, _ in self.last}
        writer.final.update(((number, slot), name) for (slot, _), name in self.last.items())

    def lasts(self) -> tuple[tuple[str, str, str], ...]:
        """(name, value before the loop, value after a turn) of what the next turn needs."""
        return tuple(
            (name, self.writer._spread(self.writer._read(before)), self.writer._spread(self.texts[slot]))
            for (slot, before), name in self.last.items()
        )

    def _outputs(self, slot: Slot) -> list[tuple[str, str]]:
        """(output, index) of the entries that the slot's values are."""
        columns = zip(*(self.writer.targets.get(node, []) for node in slot.nodes), strict=True)
        return [(column[0][0], self.tables.place([place for _, place in column])) for column in columns]

    def write(self) -> None:
        """Write all slots."""
        for number, slot in enumerate(self.loop.slots):
            self.texts.append(self._placed(number, slot, self._value(slot)))

    def _value(self, slot: Slot) -> Text:
        writer = self.writer
        args = [self._operand(slot, number) for number in range(len(slot.operands))]
        if slot.op in writer.dialect.called:
            name = writer._name(writer._label(slot.nodes[0]))
            if args[0].uniform or args[0].precedence < ATOM:
                args[0] = self._named(None, args[0])
            text = writer.dialect.called[slot.op](args[0].text, name)
            writer.statements.append(Statement(name, text, local=True, call=True))
            return Text(name, ATOM, 0)
        if slot.op in SUMS:
            return writer._sum(args, writer.signs.subtracted[slot.nodes[0]])
        return writer._expression(slot.op, args)

    def _operand(self, slot: Slot, number: int) -> Text:
        writer, operand = self.writer, slot.operands[number]
        match operand:
            case Local():
                return self.texts[operand.slot]
            case Stored() if writer.is_last(self.loop, operand):
                rows = writer.plan.arrays[operand.array]
                return Text(self.last[rows.slot, rows.others[-1]], ATOM, 0)
            case Stored():
                first = writer.plan.arrays[operand.array].first
                return Text(f"{writer._array(operand.array)}[{index(operand.start - first, operand.step)}]", ATOM, 0)
            case Entry():
                text = writer.dialect.variable(operand.name, self.tables.place(operand.places))
                return Text(text, ATOM, 0, uniform=operand.name == CONSTANTS)
            case Point():
                array = SINE if operand.op is Op.SIN else COSINE
                return Text(f"{array}[{self.tables.place(operand.places)}]", ATOM, 0)
            case Numbers():
                values = [
                    writer._number_of(node, args[number]) for node, args in zip(slot.nodes, slot.args, strict=True)
                ]
                return self.tables.number([value for value in values if value is not None])
            case Fixed():
                return writer._read(operand.node)

    def _placed(self, number: int, slot: Slot, text: Text) -> Text:
        """Write the statements that a slot needs; returns how its users write it."""
        writer, stores = self.writer, self.stores.get(number, [])
        if not writer.is_output(slot):
            self.left.append(slot)
        outputs = self._outputs(slot) if writer.is_output(slot) else []
        uses = self.uses[number] + len(stores) + len(outputs)
        is_named = uses > 1 or text.operations > MAX_INLINE or number in self.carried
        is_named |= bool(writer._label(slot.nodes[0]) and self.uses[number])
        if is_named and text.operations:
            text = self._named(writer._label(slot.nodes[0]), text)
        targets = [f"{writer._array(array)}[{index(-writer.plan.arrays[array].first, 1)}]" for array in stores] + [
            writer.dialect.output(name, place) for name, place in outputs or []
        ]
        for target in targets:
            writer.statements.append(Statement(target, writer._spread(text), local=False))
        return text

    def _named(self, label: str | None, text: Text) -> Text:
        name = self.writer._name(label)
        self.writer.statements.append(Statement(name, self.writer._spread(text), local=True))
        return Text(name, ATOM, 0)
