"""The body of a loop, and its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symgen.algebra.exact import Exact
from symgen.emit.dialect import COSINE, SINE, Statement
from symgen.emit.rolling.plan import SUMS, Entry, Fixed, Local, Loop, Numbers, Point, Slot, Stored
from symgen.emit.writer import ATOM, MAX_INLINE, Text
from symgen.program.module import CONSTANTS
from symgen.program.program import Op

if TYPE_CHECKING:
    from symgen.emit.rolling.writer import RolledWriter

INDEX = "i"
"""The name of the turn."""


class Tables:
    """The constants of a loop that differ from turn to turn, by column."""

    def __init__(self, writer: RolledWriter) -> None:
        self._writer = writer
        self._columns: dict[tuple[str, ...], int] = {}
        self._places: dict[tuple[int, ...], int] = {}
        self._names = writer.unique("numbers"), writer.unique("places")

    def number(self, values: Sequence[Exact]) -> Text:
        """A number that is one of these, by turn."""
        texts = tuple(map(self._writer.dialect.literal, values))
        if len(set(texts)) == 1:
            return self._writer.number(values[0])
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


class Turn:
    """Writes the body of a loop.

    Attributes:
        left: slots whose values are outputs that cannot be written inside.
    """

    def __init__(self, writer: RolledWriter, loop: Loop, tables: Tables) -> None:
        self.writer = writer
        self.loop = loop
        self.tables = tables
        self.left: list[Slot] = []
        self.texts: list[Text] = []
        self.uses = Counter(
            operand.slot for slot in loop.slots for operand in slot.operands if isinstance(operand, Local)
        )
        self.stores: dict[int, list[int]] = {}
        for array in sorted(writer.layout.kept):
            if writer.plan.arrays[array].loop == loop.number:
                self.stores.setdefault(writer.plan.arrays[array].slot, []).append(array)
        self.last = {
            (slot, before): writer.unique(f"{writer.stem(loop.slots[slot].nodes[0])}_last")
            for slot, before in writer.layout.lasts(loop)
        }
        self.uses.update(slot for slot, _ in self.last)
        self.carried = {slot for slot, _ in self.last}
        writer.final.update(((loop.number, slot), name) for (slot, _), name in self.last.items())

    def lasts(self) -> tuple[tuple[str, str, str], ...]:
        """(name, value before the loop, value after a turn) of what the next turn needs."""
        return tuple(
            (name, self.writer.spread(self.writer.read(before)), self.writer.spread(self.texts[slot]))
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
            name = writer.name(writer.label(slot.nodes[0]))
            if args[0].uniform or args[0].precedence < ATOM:
                args[0] = self._named(None, args[0])
            text = writer.dialect.called[slot.op](args[0].text, name)
            writer.statements.append(Statement(name, text, local=True, call=True))
            return Text(name, ATOM, 0)
        if slot.op in SUMS:
            return writer.sum(args, writer.signs.subtracted[slot.nodes[0]])
        return writer.expression(slot.op, args)

    def _operand(self, slot: Slot, number: int) -> Text:
        writer, operand = self.writer, slot.operands[number]
        match operand:
            case Local():
                return self.texts[operand.slot]
            case Stored() if writer.layout.is_last(self.loop, operand):
                rows = writer.plan.arrays[operand.array]
                return Text(self.last[rows.slot, rows.others[-1]], ATOM, 0)
            case Stored():
                first = writer.plan.arrays[operand.array].first
                return Text(f"{writer.array(operand.array)}[{index(operand.start - first, operand.step)}]", ATOM, 0)
            case Entry():
                text = writer.dialect.variable(operand.name, self.tables.place(operand.places))
                return Text(text, ATOM, 0, uniform=operand.name == CONSTANTS)
            case Point():
                array = SINE if operand.op is Op.SIN else COSINE
                return Text(f"{array}[{self.tables.place(operand.places)}]", ATOM, 0)
            case Numbers():
                values = [
                    writer.number_of(node, args[number]) for node, args in zip(slot.nodes, slot.args, strict=True)
                ]
                return self.tables.number([value for value in values if value is not None])
            case Fixed():
                return writer.read(operand.node)

    def _placed(self, number: int, slot: Slot, text: Text) -> Text:
        """Write the statements that a slot needs; returns how its users write it."""
        writer, stores = self.writer, self.stores.get(number, [])
        if not writer.layout.is_output(slot):
            self.left.append(slot)
        outputs = self._outputs(slot) if writer.layout.is_output(slot) else []
        uses = self.uses[number] + len(stores) + len(outputs)
        is_named = uses > 1 or text.operations > MAX_INLINE or number in self.carried
        is_named |= bool(writer.label(slot.nodes[0]) and self.uses[number])
        if is_named and text.operations:
            text = self._named(writer.label(slot.nodes[0]), text)
        targets = [f"{writer.array(array)}[{index(-writer.plan.arrays[array].first, 1)}]" for array in stores] + [
            writer.dialect.output(name, place) for name, place in outputs or []
        ]
        for target in targets:
            writer.statements.append(Statement(target, writer.spread(text), local=False))
        return text

    def _named(self, label: str | None, text: Text) -> Text:
        name = self.writer.name(label)
        self.writer.statements.append(Statement(name, self.writer.spread(text), local=True))
        return Text(name, ATOM, 0)
