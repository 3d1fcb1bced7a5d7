"""A writer of straight code: which values get a name, and which are written where they are used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symgen.algebra.exact import Exact
from symgen.emit.dialect import COSINE, SINE, Code, Dialect, Sines, Statement, Turns
from symgen.program.module import CONSTANTS
from symgen.program.program import Op, Program

MAX_INLINE = 6
"""An expression with more operations than this gets a name of its own."""

SUM, _PRODUCT, UNARY, ATOM = 1, 2, 3, 4
_BINARY = {Op.ADD: ("+", SUM), Op.SUB: ("-", SUM), Op.MUL: ("*", _PRODUCT), Op.DIV: ("/", _PRODUCT)}


@dataclass(frozen=True)
class Text:
    """An expression; `uniform` is one number for all states."""

    text: str
    precedence: int
    operations: int
    uniform: bool = False


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


class Writer:
    """Writes a program in the order of its instructions."""

    def __init__(self, program: Program, dialect: Dialect) -> None:
        self.program = program
        self.dialect = dialect
        self.angles = angles(program) if dialect.sines is not Sines.WHERE_NEEDED else ()
        self.head = behind(program, self.angles)
        self.turning = frozenset(self.angles)
        self.texts: dict[int, Text] = {}
        self.statements: list[Statement | Turns] = []
        self.names = {array.name for array in program.inputs} | {array.name for array, _ in program.outputs}
        self.names |= {"angle", SINE, COSINE} if self.angles else set()
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
        """The program's code."""
        for node in self.head:
            self._write(node)
        written = tuple(self.spread(self.texts[angle]) for angle in self.angles)
        head = [statement for statement in self.statements if isinstance(statement, Statement)]
        self.statements = []
        if self.dialect.sines is Sines.BEFORE:
            head = [statement for statement in head if statement.local]
            self._forget(head)
        points = self._points()
        self._body([node for node in self._needed() if node not in self.texts])
        return Code(tuple(head), written, points, tuple(self.statements), self._arrays())

    def _body(self, nodes: Sequence[int]) -> None:
        for node in nodes:
            self._write(node)

    def _arrays(self) -> dict[str, int]:
        return {}

    def _forget(self, head: Sequence[Statement]) -> None:
        """Forget what another function has."""
        self.texts.clear()
        self.temporaries = 0
        self.names -= {statement.target for statement in head}

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
                self.texts[node] = self._placed(node, Text(name, ATOM, 0))
        return tuple((names.get(Op.SIN), names.get(Op.COS)) for names in found)

    def _write(self, node: int) -> None:
        self.texts[node] = self._place(node, self._value(node))

    def _value(self, node: int) -> Text:
        """How the value of an instruction is written; a call that makes it comes before."""
        instruction = self.program.instructions[node]
        if instruction.op in self.dialect.called:
            call, name = self.dialect.called[instruction.op], self.name(instruction.label)
            argument = self._variable(instruction.args[0])
            self.statements.append(Statement(name, call(argument, name), local=True, call=True))
            return Text(name, ATOM, 0)
        return self._text(node)

    def _variable(self, node: int) -> str:
        """The name of a variable, or entry of one, that holds the value of an instruction."""
        text = self.texts[node]
        if text.uniform or text.precedence < ATOM:
            name = self.name(None)
            self.statements.append(Statement(name, self.spread(text), local=True))
            text = self.texts[node] = Text(name, ATOM, 0)
        return text.text

    def spread(self, text: Text) -> str:
        """The text, as a vector where it is one number for all states."""
        return self.dialect.spread(text.text) if text.uniform and self.dialect.spread is not None else text.text

    def _text(self, node: int) -> Text:
        instruction = self.program.instructions[node]
        if instruction.op is Op.CONSTANT:
            assert instruction.value is not None
            return self.number(instruction.value)
        if instruction.op is Op.VARIABLE:
            text = self.dialect.variable(instruction.name, instruction.entry)
            return Text(text, ATOM, 0, uniform=instruction.name == CONSTANTS)
        return self.expression(instruction.op, [self.texts[arg] for arg in instruction.args])

    def number(self, value: Exact) -> Text:
        """A constant."""
        text = self.dialect.literal(value)
        return Text(text, UNARY if text.startswith("-") else ATOM, 0, uniform=True)

    def expression(self, op: Op, args: Sequence[Text]) -> Text:
        """An operation on expressions."""
        operations = 1 + sum(arg.operations for arg in args)
        uniform = all(arg.uniform for arg in args)
        if op in _BINARY:
            symbol, precedence = _BINARY[op]
            left, right = _wrapped(args[0], precedence), _wrapped(args[1], precedence + 1)
            separator = f" {symbol} " if precedence == SUM else symbol
            return Text(f"{left}{separator}{right}", precedence, operations, uniform)
        if op is Op.NEG:
            return Text(f"-{_wrapped(args[0], ATOM)}", UNARY, operations, uniform)
        return Text(f"{self.dialect.functions[op]}({args[0].text})", ATOM, operations, uniform)

    def _place(self, node: int, text: Text) -> Text:
        """Write the statements that `node` needs; returns how its users write it."""
        instruction = self.program.instructions[node]
        done = not instruction.args or (text.precedence == ATOM and text.operations == 0)
        if not done and (self._is_named(node) or text.operations > MAX_INLINE):
            name = self.name(instruction.label)
            self.statements.append(Statement(name, self.spread(text), local=True))
            text = Text(name, ATOM, 0)
        return self._placed(node, text)

    def _placed(self, node: int, text: Text) -> Text:
        """Write the output entries that `node` is."""
        for output, index in self.targets.get(node, []):
            target = self.dialect.output(output, index)
            self.statements.append(Statement(target, self.spread(text), local=False))
        return text

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


def _wrapped(text: Text, precedence: int) -> str:
    return text.text if text.precedence >= precedence else f"({text.text})"
