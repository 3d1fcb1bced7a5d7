"""Functions → statements, with the functions that they call where they are long."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from symgen.emit.description import Signature, signature
from symgen.emit.lower import lower
from symgen.emit.pieces import Pieces, arrays_of, pieces, points_arrays
from symgen.emit.sincos import filled
from symgen.emit.statements import StatementPrinter
from symgen.emit.tree import COSINE, SINE, Code, Expression, Index, Operation, Place, value_of
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Function, Module
from symgen.program.program import Op, Program


@dataclass(frozen=True)
class Piece:
    """A function that is part of a longer one; `has_status`: whether it returns what went wrong."""

    definition: str
    has_status: bool
    lines: tuple[str, ...]
    call: str


@dataclass(frozen=True)
class Written:
    """A function: what it is in words, tables that stand before it, functions that it calls, and its statements.

    `definition` is how it begins, where the language makes it in Python.
    """

    text: Signature
    tables: tuple[str, ...]
    pieces: tuple[Piece, ...]
    lines: tuple[str, ...]
    definition: str = ""


class PiecesPrinter(StatementPrinter):
    """Writes functions that may be in pieces; `has_status`: whether these return what went wrong."""

    has_status = False
    pointer: str
    """The parameter of a piece that is an array of the function's own, of its name and size."""
    point: str
    """The parameter of a piece that is the array of sines or cosines."""
    pass_own, pass_point = "{name}", "{name}"
    """What pieces are given for these arrays."""
    piece = "{name}"
    """What a piece is called by."""

    member = "{}.{}"
    """A field of a struct, of its name and the field's."""
    held = "k"
    """The field with the constants that are made of parameters."""

    def __init__(self, module: Module) -> None:
        self._module = module

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array, or of a struct that holds run-time parameters or what is made of them."""
        if array == CONSTANTS:
            return f"{self.member.format(CONSTANTS, self.held)}[{self.place(index)}]"
        if array == PARAMETERS and self._module.parameters and isinstance(index, Place) and not index.step:
            return self.member.format(PARAMETERS, self._module.parameters[index.start].name)
        return super().entry(array, index)

    @abstractmethod
    def definition(self, name: str, parameters: Sequence[str], *, has_status: bool) -> str:
        """How a function begins."""


def straight(printer: StatementPrinter, function: Function, safe: Callable[[str], str]) -> Written:
    """A function in one."""
    code = lower(function.program, printer.style)
    return Written(signature(function, safe), printer.tables(code), (), _all(printer, code))


def whole(printer: StatementPrinter, program: Program) -> tuple[str, ...]:
    """The statements of a program, in one function."""
    return _all(printer, lower(program, printer.style))


def _all(printer: StatementPrinter, code: Code) -> tuple[str, ...]:
    return (*printer.first(code, code.body_arrays()), *printer.body(code))


def in_pieces(
    printer: PiecesPrinter, code: Code, name: str, known: Mapping[str, str]
) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """The pieces of a function `name`, none if it is short, and its statements; `known`: its arrays → parameters."""
    found = pieces(code)
    if found is None:
        return (), _all(printer, code)
    points = {point: printer.form(printer.point, point, filled(code)) for point in (SINE, COSINE)}
    parts = called(printer, found, name, {**known, **points})
    return parts, (*printer.first(found.code, code.body_arrays()), *calling(printer, found, parts))


def calling(printer: PiecesPrinter, found: Pieces, parts: Sequence[Piece]) -> tuple[str, ...]:
    """The statements of a function in pieces, but for those that come first."""
    declared = replace(found.code, arrays={**found.code.arrays, found.kept: found.size})
    indent = printer.indent
    return (*printer.body(declared), *(printer.broken(f"{indent}{part.call};", 2 * indent) for part in parts))


def called(printer: PiecesPrinter, found: Pieces, start: str, known: Mapping[str, str]) -> tuple[Piece, ...]:
    """The functions, whose names begin with `start`, told only what they need; `known`: array → parameter."""
    sizes = {**found.code.arrays, found.kept: found.size}
    every = {**known, **{name: printer.form(printer.pointer, name, size) for name, size in sizes.items()}}
    passed = dict.fromkeys((SINE, COSINE), printer.pass_point) | dict.fromkeys(sizes, printer.pass_own)
    made = []
    for number, piece in enumerate(found.pieces, start=1):
        needed, name = {*arrays_of(piece.body), *points_arrays(piece)}, f"{start}_{number}"
        names = [each for each in every if each in needed]
        has_status = printer.has_status and any(Op.NONZERO in _ops(value_of(each)) for each in piece.statements())
        given = [printer.form(passed.get(each, "{name}"), each) for each in names]
        call = f"{printer.form(printer.piece, name)}({', '.join(given)})"
        definition = printer.definition(name, [every[each] for each in names], has_status=has_status)
        made.append(Piece(definition, has_status, printer.body(piece), f"status |= {call}" if has_status else call))
    return tuple(made)


def _ops(expression: Expression) -> Iterator[Op]:
    if isinstance(expression, Operation):
        yield expression.op
        for arg in expression.args:
            yield from _ops(arg)
