"""The body of a loop, and its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from symgen.algebra.exact import Exact
from symgen.emit.rerolling.plan import SUMS, Fixed, Input, Local, Numbers, Point, Repetition, Slot, Stored
from symgen.emit.straight import MAX_INLINE
from symgen.emit.tree import (
    COSINE,
    SINE,
    Carried,
    Entry,
    Expression,
    Index,
    Lookup,
    Number,
    Operation,
    Place,
    Store,
    Variable,
    operations,
)
from symgen.program.program import Op

if TYPE_CHECKING:
    from symgen.emit.rerolling.lowering import RolledLowering


class Tables:
    """The constants of a loop that differ from turn to turn, by column."""

    def __init__(self, lowering: RolledLowering) -> None:
        self._lowering = lowering
        self._columns: dict[tuple[Number, ...], int] = {}
        self._places: dict[tuple[int, ...], int] = {}
        self._names = lowering.unique("numbers"), lowering.unique("places")

    def number(self, values: Sequence[Exact]) -> Number | Lookup:
        """A number that is one of these, by turn."""
        numbers = tuple(map(self._lowering.number, values))
        if len(set(numbers)) == 1:
            return numbers[0]
        return Lookup(self._names[0], self._columns.setdefault(numbers, len(self._columns)))

    def place(self, places: Sequence[int]) -> Index:
        """A place that is one of these, by turn."""
        start, step = places[0], places[1] - places[0]
        if all(place == start + step * turn for turn, place in enumerate(places)):
            return Place(start, step)
        return Lookup(self._names[1], self._places.setdefault(tuple(places), len(self._places)))

    def numbers(self) -> dict[str, tuple[tuple[Number, ...], ...]]:
        """The table of numbers, if there are any."""
        return {self._names[0]: tuple(zip(*self._columns, strict=True))} if self._columns else {}

    def places(self) -> dict[str, tuple[tuple[int, ...], ...]]:
        """The table of places, if there are any."""
        return {self._names[1]: tuple(zip(*self._places, strict=True))} if self._places else {}


class Turn:
    """Lowers the body of a loop.

    Attributes:
        left: slots whose values are outputs that cannot be written inside.
    """

    def __init__(self, lowering: RolledLowering, loop: Repetition, tables: Tables) -> None:
        self.lowering = lowering
        self.loop = loop
        self.tables = tables
        self.left: list[Slot] = []
        self.values: list[Expression] = []
        self.uses = Counter(
            operand.slot for slot in loop.slots for operand in slot.operands if isinstance(operand, Local)
        )
        self.stores: dict[int, list[int]] = {}
        for array in sorted(lowering.layout.kept):
            if lowering.plan.arrays[array].loop == loop.number:
                self.stores.setdefault(lowering.plan.arrays[array].slot, []).append(array)
        self.last = {
            (slot, before): lowering.unique(f"{lowering.stem(loop.slots[slot].nodes[0])}_last")
            for slot, before in lowering.layout.lasts(loop)
        }
        self.uses.update(slot for slot, _ in self.last)
        self.kept = {slot for slot, _ in self.last}
        lowering.final.update(((loop.number, slot), name) for (slot, _), name in self.last.items())

    def carried(self) -> tuple[Carried, ...]:
        """The loop-carried values: what the next turn needs."""
        return tuple(
            Carried(name, self.lowering.read(before), self.values[slot]) for (slot, before), name in self.last.items()
        )

    def _outputs(self, slot: Slot) -> list[tuple[str, Index]]:
        """(output, place) of the entries that the slot's values are."""
        columns = zip(*(self.lowering.targets.get(node, []) for node in slot.nodes), strict=True)
        return [(column[0][0], self.tables.place([place for _, place in column])) for column in columns]

    def write(self) -> None:
        """Lower all slots."""
        for number, slot in enumerate(self.loop.slots):
            self.values.append(self._placed(number, slot, self._value(slot)))

    def _value(self, slot: Slot) -> Expression:
        lowering = self.lowering
        args = [self._operand(slot, number) for number in range(len(slot.operands))]
        if slot.op in lowering.style.called:
            name = lowering.name(lowering.label(slot.nodes[0]))
            return lowering.call(name, slot.op, lowering.held(args[0]), args[1:])
        if slot.op in SUMS:
            return lowering.sum(args, lowering.signs.subtracted[slot.nodes[0]])
        return Operation(slot.op, tuple(args))

    def _operand(self, slot: Slot, number: int) -> Expression:
        lowering, operand = self.lowering, slot.operands[number]
        match operand:
            case Local():
                return self.values[operand.slot]
            case Stored() if lowering.layout.is_last(self.loop, operand):
                rows = lowering.plan.arrays[operand.array]
                return Variable(self.last[rows.slot, rows.others[-1]])
            case Stored():
                first = lowering.plan.arrays[operand.array].first
                return Entry(lowering.array(operand.array), Place(operand.start - first, operand.step))
            case Input():
                return Entry(operand.name, self.tables.place(operand.places))
            case Point():
                array = SINE if operand.op is Op.SIN else COSINE
                return Entry(array, self.tables.place(operand.places))
            case Numbers():
                values = [
                    lowering.number_of(node, args[number]) for node, args in zip(slot.nodes, slot.args, strict=True)
                ]
                return self.tables.number([value for value in values if value is not None])
            case Fixed():
                return lowering.read(operand.node)

    def _placed(self, number: int, slot: Slot, value: Expression) -> Expression:
        """Write the statements that a slot needs; returns what its users are given."""
        lowering, stores = self.lowering, self.stores.get(number, [])
        if not lowering.layout.is_output(slot):
            self.left.append(slot)
        outputs = self._outputs(slot) if lowering.layout.is_output(slot) else []
        uses = self.uses[number] + len(stores) + len(outputs)
        is_named = uses > 1 or operations(value) > MAX_INLINE or number in self.kept
        is_named |= bool(lowering.label(slot.nodes[0]) and self.uses[number])
        if is_named and operations(value):
            value = lowering.assigned(lowering.label(slot.nodes[0]), value)
        targets = [Entry(lowering.array(array), Place(-lowering.plan.arrays[array].first, 1)) for array in stores]
        targets += [Entry(name, place) for name, place in outputs]
        lowering.statements += [Store(target, value) for target in targets]
        return value
