"""Program → tree, in the order of its instructions: which values get a name, and which stand where they are used."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.exact import Exact
from symgen.emit.style import Sines, Style, rounded
from symgen.emit.tree import (
    ANGLE,
    COSINE,
    SINE,
    Assignment,
    Call,
    Code,
    Entry,
    Expression,
    Loop,
    Number,
    Operation,
    Place,
    Statement,
    Store,
    Variable,
    is_uniform,
    operations,
)
from symgen.program.program import Op, Program

MAX_INLINE = 6
"""An expression with more operations than this gets a name of its own."""


def angles(program: Program) -> tuple[int, ...]:
    """The angles of sines and cosines that are not themselves made of sines and cosines."""
    turning: set[int] = set()
    found: dict[int, None] = {}
    for node, instruction in enumerate(program.instructions):
        if instruction.op in (Op.SIN, Op.COS) and instruction.args[0] not in turning:
            found[instruction.args[0]] = None
        if instruction.op in (Op.SIN, Op.COS) or not turning.isdisjoint(instruction.args):
            turning.add(node)
    return tuple(found)


def behind(program: Program, nodes: Sequence[int]) -> tuple[int, ...]:
    """The given instructions and all that they are made of, in order."""
    found: set[int] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack.extend(program.instructions[node].args)
    return tuple(sorted(found))


class Lowering:
    """Lowers a program in the order of its instructions."""

    def __init__(self, program: Program, style: Style) -> None:
        self.program = program
        self.style = style
        self.angles = angles(program) if style.sines is not Sines.WHERE_NEEDED else ()
        self.head = behind(program, self.angles)
        self.turning = frozenset(self.angles)
        self.values: dict[int, Expression] = {}
        self.statements: list[Statement | Loop] = []
        self.names = {array.name for array in program.inputs} | {array.name for array, _ in program.outputs}
        self.names |= style.reserved | ({ANGLE, SINE, COSINE} if self.angles else set())
        self.temporaries = 0
        self.targets: dict[int, list[tuple[str, int]]] = {}
        for array, entries in program.outputs:
            for index, node in enumerate(entries):
                self.targets.setdefault(node, []).append((array.name, index))
        self.uses = self._uses()

    def _uses(self) -> list[int]:
        """How often each value is written out; an angle whose sine and cosine come first is so once."""
        uses = self.program.uses()
        for instruction in self.program.instructions:
            if instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in self.turning:
                uses[instruction.args[0]] -= 1
        for angle in self.angles:
            uses[angle] += 1
        return uses

    def run(self) -> Code:
        """The program's tree."""
        for node in self.head:
            self._lower(node)
        made = tuple(self.values[angle] for angle in self.angles)
        head = [statement for statement in self.statements if not isinstance(statement, Loop)]
        self.statements = []
        if self.style.sines is Sines.BEFORE:
            head = [statement for statement in head if not isinstance(statement, Store)]
            self._forget(head)
        points = self._points()
        self._body([node for node in self._needed() if node not in self.values])
        return Code(tuple(head), made, points, tuple(self.statements), self._arrays())

    def _body(self, nodes: Sequence[int]) -> None:
        for node in nodes:
            self._lower(node)

    def _arrays(self) -> dict[str, int]:
        return {}

    def _forget(self, head: Sequence[Statement]) -> None:
        """Forget what another function has."""
        self.values.clear()
        self.temporaries = 0
        self.names -= {statement.name for statement in head if not isinstance(statement, Store)}

    def _needed(self) -> tuple[int, ...]:
        """What outputs are made of, without what only the angles are."""
        found = set(self.program.output_nodes())
        for node in range(len(self.program.instructions) - 1, -1, -1):
            instruction = self.program.instructions[node]
            if node in found and not (instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in self.turning):
                found.update(instruction.args)
        return tuple(sorted(found))

    def _points(self) -> tuple[tuple[str | None, str | None], ...]:
        """Names for the sines and cosines of the angles."""
        places = {angle: place for place, angle in enumerate(self.angles)}
        found: list[dict[Op, str]] = [{} for _ in self.angles]
        for node, instruction in enumerate(self.program.instructions):
            if instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in places:
                name = self.name(instruction.label)
                found[places[instruction.args[0]]][instruction.op] = name
                self.values[node] = self._stored(node, Variable(name))
        return tuple((names.get(Op.SIN), names.get(Op.COS)) for names in found)

    def _lower(self, node: int) -> None:
        self.values[node] = self._placed(node, self._value(node))

    def _value(self, node: int) -> Expression:
        """The value of an instruction; a call that makes it comes before."""
        instruction = self.program.instructions[node]
        if instruction.op not in self.style.called:
            return self._expression(node)
        name = self.name(instruction.label)
        first, *others = instruction.args
        argument = self.held(self.read(first))
        if first in self.values:
            self.values[first] = argument
        return self.call(name, instruction.op, argument, [self.values[arg] for arg in others])

    def read(self, node: int) -> Expression:
        """The value of an instruction that comes before."""
        return self.values[node]

    def held(self, value: Expression) -> Variable | Entry:
        """A variable, or entry of an array for every state, that has the value."""
        if isinstance(value, Variable | Entry) and not is_uniform(value):
            return value
        return self.assigned(None, value)

    def assigned(self, label: str | None, value: Expression) -> Variable:
        """A new variable that has the value."""
        name = self.name(label)
        self.statements.append(Assignment(name, value))
        return Variable(name)

    def call(self, name: str, op: Op, argument: Variable | Entry, others: Sequence[Expression]) -> Variable:
        """The variable that a call of a kernel sets."""
        self.statements.append(Call(name, op, argument, tuple(others)))
        return Variable(name)

    def store(self, array: str, place: int, value: Expression) -> None:
        """Store the value into an entry of an array."""
        self.statements.append(Store(Entry(array, Place(place)), value))

    def _expression(self, node: int) -> Expression:
        instruction = self.program.instructions[node]
        if instruction.op is Op.CONSTANT:
            assert instruction.value is not None
            return self.number(instruction.value)
        if instruction.op is Op.VARIABLE:
            return Entry(instruction.name, Place(instruction.entry))
        return Operation(instruction.op, tuple(self.values[arg] for arg in instruction.args))

    def number(self, value: Exact) -> Number:
        """A constant."""
        return Number(rounded(value, self.style.real))

    def _placed(self, node: int, value: Expression) -> Expression:
        """Write the statements that `node` needs; returns what its users are given."""
        made = operations(value)
        if made and (self._is_named(node) or made > MAX_INLINE):
            value = self.assigned(self.program.instructions[node].label, value)
        return self._stored(node, value)

    def _stored(self, node: int, value: Expression) -> Expression:
        """Store the value into the output entries that `node` is."""
        for output, place in self.targets.get(node, []):
            self.store(output, place, value)
        return value

    def _is_named(self, node: int) -> bool:
        """Whether the value is used more than once, or has a name from the derivation that is not an output's."""
        if self.uses[node] > 1:
            return True
        return self.program.instructions[node].label is not None and node not in self.targets

    def name(self, label: str | None) -> str:
        """A name that nothing has yet: the label or, if that is taken or there is none, a number's."""
        while label is None or label in self.names:
            self.temporaries += 1
            label = f"t{self.temporaries}"
        self.names.add(label)
        return label
