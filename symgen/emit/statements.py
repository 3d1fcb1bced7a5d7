"""Program → statements: which values get a name, which are written where they are used.

C and Python share their expression syntax, so this is written once; a `Dialect` says what differs. Evaluation order is
kept: parentheses stand wherever the program's order is not the language's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from symgen.algebra.exact import Exact
from symgen.errors import LimitError
from symgen.program.module import CONSTANTS
from symgen.program.program import Op, Program

MAX_INLINE = 6
"""An expression with more operations than this gets a name of its own."""

_SUM, _PRODUCT, _UNARY, _ATOM = 1, 2, 3, 4
_BINARY = {Op.ADD: ("+", _SUM), Op.SUB: ("-", _SUM), Op.MUL: ("*", _PRODUCT), Op.DIV: ("/", _PRODUCT)}


@dataclass(frozen=True)
class Dialect:
    """How a target language writes entries of inputs and outputs, constants and functions.

    Functions in `called` take the name of a variable and that of their result, by a statement of their own; `sincos`
    takes the names of an angle, its sine and its cosine. `spread` writes what is one number for all states where
    variables are vectors of states.
    """

    variable: Callable[[str, int], str]
    output: Callable[[str, int], str]
    literal: Callable[[Exact], str]
    functions: Mapping[Op, str]
    sincos: Callable[[str, str, str], str] | None = None
    called: Mapping[Op, Callable[[str, str], str]] = field(default_factory=dict)
    spread: Callable[[str], str] | None = None


@dataclass(frozen=True)
class Statement:
    """`target` = `text`, where the target is a new local variable or an entry of an output array.

    A `call` is a text alone, which sets new local variables: the target enumerates them.
    """

    target: str
    text: str
    local: bool
    call: bool = False


@dataclass(frozen=True)
class _Text:
    text: str
    precedence: int
    operations: int
    uniform: bool = False


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
    """The statements of `program`, in order; output entries come as soon as they are known.

    Raises `LimitError` for a program with parameters: they are baked in before code is made.
    """
    if program.parameters():
        raise LimitError("code is generated from numeric parameters; symbolic ones are for counting")
    return _Writer(program, dialect).run()


class _Writer:
    def __init__(self, program: Program, dialect: Dialect) -> None:
        self.program = program
        self.dialect = dialect
        self.uses = program.uses()
        self.texts: list[_Text] = []
        self.statements: list[Statement] = []
        self.names = {array.name for array in program.inputs} | {array.name for array, _ in program.outputs}
        self.temporaries = 0
        self.targets: dict[int, list[tuple[str, int]]] = {}
        self.points: dict[int, tuple[_Text, _Text]] = {}
        self.labels: dict[int, dict[Op, str | None]] = {}
        for instruction in program.instructions:
            if instruction.op in (Op.SIN, Op.COS):
                self.labels.setdefault(instruction.args[0], {})[instruction.op] = instruction.label
        for array, entries in program.outputs:
            for index, node in enumerate(entries):
                self.targets.setdefault(node, []).append((array.name, index))

    def run(self) -> tuple[Statement, ...]:
        for node in range(len(self.program.instructions)):
            self.texts.append(self._place(node, self._value(node)))
        return tuple(self.statements)

    def _value(self, node: int) -> _Text:
        """How the value of an instruction is written; calls that make it come before."""
        instruction = self.program.instructions[node]
        if instruction.op in (Op.SIN, Op.COS) and self.dialect.sincos is not None:
            angle = instruction.args[0]
            if angle not in self.points:
                self._call_sincos(angle)
            return self.points[angle][instruction.op is Op.COS]
        if instruction.op in self.dialect.called:
            call, name = self.dialect.called[instruction.op], self._name(instruction.label)
            argument = self._variable(instruction.args[0])
            self.statements.append(Statement(name, call(argument, name), local=True, call=True))
            return _Text(name, _ATOM, 0)
        return self._text(node)

    def _call_sincos(self, angle: int) -> None:
        """One call for the sine and the cosine of an angle, under the names that they have in the program."""
        assert self.dialect.sincos is not None
        labels = self.labels.get(angle, {})
        argument = self._variable(angle)
        sine, cosine = self._name(labels.get(Op.SIN)), self._name(labels.get(Op.COS))
        self.statements.append(
            Statement(f"{sine}, {cosine}", self.dialect.sincos(argument, sine, cosine), local=True, call=True)
        )
        self.points[angle] = _Text(sine, _ATOM, 0), _Text(cosine, _ATOM, 0)

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
        targets = self.targets.get(node, [])
        done = not instruction.args or (text.precedence == _ATOM and text.operations == 0)
        if not done and (self._is_named(node) or text.operations > MAX_INLINE):
            name = self._name(instruction.label)
            self.statements.append(Statement(name, self._spread(text), local=True))
            text = _Text(name, _ATOM, 0)
        for output, index in targets:
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
