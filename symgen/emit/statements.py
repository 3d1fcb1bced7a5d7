"""Program → code: which values get a name, which are written where they are used.

C and Python share their expression syntax, so this is written once; a `Dialect` says what differs. Evaluation order is
kept: parentheses stand wherever the program's order is not the language's own. Where a dialect wants it, angles come
first, so that several sines and cosines can be computed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from symgen.algebra.exact import Exact
from symgen.errors import LimitError
from symgen.program.module import CONSTANTS
from symgen.program.program import Op, Program

MAX_INLINE = 6
"""An expression with more operations than this gets a name of its own."""

_SUM, _PRODUCT, _UNARY, _ATOM = 1, 2, 3, 4
_BINARY = {Op.ADD: ("+", _SUM), Op.SUB: ("-", _SUM), Op.MUL: ("*", _PRODUCT), Op.DIV: ("/", _PRODUCT)}


class Sines(Enum):
    """Where sines and cosines are computed: where they are needed, first of all, or in a function before."""

    WHERE_NEEDED = 0
    FIRST = 1
    BEFORE = 2


SINE, COSINE = "sine", "cosine"
"""The arrays that hold the sines and cosines of the angles, where those come first or before."""


@dataclass(frozen=True)
class Dialect:
    """How a target language writes entries of inputs and outputs, constants and functions.

    Functions in `called` take the name of a variable and that of their result, by a statement of their own. `spread`
    writes what is one number for all states where variables are vectors of states.
    """

    variable: Callable[[str, int], str]
    output: Callable[[str, int], str]
    literal: Callable[[Exact], str]
    functions: Mapping[Op, str]
    sines: Sines = Sines.WHERE_NEEDED
    called: Mapping[Op, Callable[[str, str], str]] = field(default_factory=dict)
    spread: Callable[[str], str] | None = None


@dataclass(frozen=True)
class Statement:
    """`target` = `text`, where the target is a new local variable or an entry of an output array.

    A `call` is a text alone, which sets the new local variable.
    """

    target: str
    text: str
    local: bool
    call: bool = False


@dataclass(frozen=True)
class Code:
    """A program in a target language.

    `angles` are the angles whose sines and cosines come first, `head` is what they are made of; `points` are the names
    that the body gives to the sine and cosine of each, if it needs them.
    """

    head: tuple[Statement, ...]
    angles: tuple[str, ...]
    points: tuple[tuple[str | None, str | None], ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class _Text:
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


def _behind(program: Program, nodes: Sequence[int]) -> tuple[int, ...]:
    """The given instructions and all that they are made of, in order."""
    found: set[int] = set()
    stack = list(nodes)
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            stack.extend(program.instructions[node].args)
    return tuple(sorted(found))


def literal(value: Exact, real: str) -> str:
    """The shortest decimal that reads back as the real number nearest to `value`, with a point or an exponent.

    Raises `LimitError` if the real type cannot hold the value.
    """
    if real == "float64":
        return repr(float(value))
    number = np.float32(float(value))
    if not np.isfinite(number) or (number == 0.0 and value):
        raise LimitError(f"the constant {float(value)!r} is out of the range of float32; use float64")
    text = str(number)
    return text if "." in text or "e" in text else f"{text}.0"


def statements(program: Program, dialect: Dialect) -> tuple[Statement, ...]:
    """The statements of `program`, in order, in a dialect that computes sines where they are needed."""
    return code(program, dialect).body


def code(program: Program, dialect: Dialect) -> Code:
    """The code of `program`; output entries come as soon as they are known.

    Raises `LimitError` for a program with parameters: they are baked in before code is made.
    """
    if program.parameters():
        raise LimitError("code is generated from numeric parameters; symbolic ones are for counting")
    return _Writer(program, dialect).run()


class _Writer:
    def __init__(self, program: Program, dialect: Dialect) -> None:
        self.program = program
        self.dialect = dialect
        self.angles = angles(program) if dialect.sines is not Sines.WHERE_NEEDED else ()
        self.head = _behind(program, self.angles)
        self.texts: dict[int, _Text] = {}
        self.statements: list[Statement] = []
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
            if instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in self.angles:
                uses[instruction.args[0]] -= 1
        for angle in self.angles:
            uses[angle] += 1
        return uses

    def run(self) -> Code:
        for node in self.head:
            self._write(node)
        written = tuple(self._spread(self.texts[angle]) for angle in self.angles)
        head, self.statements = self.statements, []
        if self.dialect.sines is Sines.BEFORE:
            head = [statement for statement in head if statement.local]
            self._forget(head)
        points = self._points()
        for node in self._needed():
            if node not in self.texts:
                self._write(node)
        return Code(tuple(head), written, points, tuple(self.statements))

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
            if node in found and not (instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in self.angles):
                found.update(instruction.args)
        return tuple(sorted(found))

    def _points(self) -> tuple[tuple[str | None, str | None], ...]:
        """Names for the sines and cosines of the angles."""
        places = {angle: place for place, angle in enumerate(self.angles)}
        found: list[dict[Op, str]] = [{} for _ in self.angles]
        for node, instruction in enumerate(self.program.instructions):
            if instruction.op in (Op.SIN, Op.COS) and instruction.args[0] in places:
                name = self._name(instruction.label)
                found[places[instruction.args[0]]][instruction.op] = name
                self.texts[node] = self._placed(node, _Text(name, _ATOM, 0))
        return tuple((names.get(Op.SIN), names.get(Op.COS)) for names in found)

    def _write(self, node: int) -> None:
        self.texts[node] = self._place(node, self._value(node))

    def _value(self, node: int) -> _Text:
        """How the value of an instruction is written; a call that makes it comes before."""
        instruction = self.program.instructions[node]
        if instruction.op in self.dialect.called:
            call, name = self.dialect.called[instruction.op], self._name(instruction.label)
            argument = self._variable(instruction.args[0])
            self.statements.append(Statement(name, call(argument, name), local=True, call=True))
            return _Text(name, _ATOM, 0)
        return self._text(node)

    def _variable(self, node: int) -> str:
        """The name of a variable, or entry of one, that holds the value of an instruction."""
        text = self.texts[node]
        if text.uniform or text.precedence < _ATOM:
            name = self._name(None)
            self.statements.append(Statement(name, self._spread(text), local=True))
            text = self.texts[node] = _Text(name, _ATOM, 0)
        return text.text

    def _spread(self, text: _Text) -> str:
        return self.dialect.spread(text.text) if text.uniform and self.dialect.spread is not None else text.text

    def _text(self, node: int) -> _Text:
        instruction = self.program.instructions[node]
        if instruction.op is Op.CONSTANT:
            assert instruction.value is not None
            text = self.dialect.literal(instruction.value)
            return _Text(text, _UNARY if text.startswith("-") else _ATOM, 0, uniform=True)
        if instruction.op is Op.VARIABLE:
            text = self.dialect.variable(instruction.name, instruction.entry)
            return _Text(text, _ATOM, 0, uniform=instruction.name == CONSTANTS)
        args = [self.texts[arg] for arg in instruction.args]
        operations = 1 + sum(arg.operations for arg in args)
        uniform = all(arg.uniform for arg in args)
        if instruction.op in _BINARY:
            symbol, precedence = _BINARY[instruction.op]
            left, right = _wrapped(args[0], precedence), _wrapped(args[1], precedence + 1)
            separator = f" {symbol} " if precedence == _SUM else symbol
            return _Text(f"{left}{separator}{right}", precedence, operations, uniform)
        if instruction.op is Op.NEG:
            return _Text(f"-{_wrapped(args[0], _ATOM)}", _UNARY, operations, uniform)
        return _Text(f"{self.dialect.functions[instruction.op]}({args[0].text})", _ATOM, operations, uniform)

    def _place(self, node: int, text: _Text) -> _Text:
        """Write the statements that `node` needs; returns how its users write it."""
        instruction = self.program.instructions[node]
        done = not instruction.args or (text.precedence == _ATOM and text.operations == 0)
        if not done and (self._is_named(node) or text.operations > MAX_INLINE):
            name = self._name(instruction.label)
            self.statements.append(Statement(name, self._spread(text), local=True))
            text = _Text(name, _ATOM, 0)
        return self._placed(node, text)

    def _placed(self, node: int, text: _Text) -> _Text:
        """Write the output entries that `node` is."""
        for output, index in self.targets.get(node, []):
            target = self.dialect.output(output, index)
            self.statements.append(Statement(target, self._spread(text), local=False))
        return text

    def _is_named(self, node: int) -> bool:
        """Whether the value is used more than once, or has a name from the derivation that is not an output's."""
        if self.uses[node] > 1:
            return True
        return self.program.instructions[node].label is not None and node not in self.targets

    def _name(self, label: str | None) -> str:
        while label is None or label in self.names:
            self.temporaries += 1
            label = f"t{self.temporaries}"
        self.names.add(label)
        return label


def _wrapped(text: _Text, precedence: int) -> str:
    return text.text if text.precedence >= precedence else f"({text.text})"
