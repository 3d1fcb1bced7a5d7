"""Trees in pieces → C: a function for each, which is told only what it needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symgen.emit.c.printer import CPrinter, declaration
from symgen.emit.pieces import Pieces, arrays_of, points_arrays
from symgen.emit.tree import Code, Expression, Operation, value_of
from symgen.program.program import Op


@dataclass(frozen=True)
class CPiece:
    """What the templates need of a piece; `has_status`: whether it returns what went wrong."""

    definition: str
    has_status: bool
    lines: tuple[str, ...]
    call: str


def c_pieces(printer: CPrinter, found: Pieces, start: str, known: Mapping[str, str]) -> tuple[CPiece, ...]:
    """The functions, whose names begin with `start`; `known`: name → parameter, of all arrays that there may be."""
    local = {name: printer.pointer(name) for name in (*found.code.arrays, found.kept)}
    return tuple(
        _piece(printer, piece, f"{start}_{number}", {**known, **local})
        for number, piece in enumerate(found.pieces, start=1)
    )


def _piece(printer: CPrinter, piece: Code, name: str, known: Mapping[str, str]) -> CPiece:
    needed = {*arrays_of(piece.body), *points_arrays(piece)}
    names = [array for array in known if array in needed]
    has_status = any(Op.NONZERO in _ops(value_of(statement)) for statement in piece.statements())
    call = f"{printer.piece(name)}({', '.join(names)});"
    kind = "int" if has_status else "void"
    return CPiece(
        declaration(f"{kind} {name}", [known[array] for array in names]),
        has_status,
        printer.body(piece),
        f"status |= {call}" if has_status else call,
    )


def _ops(expression: Expression) -> Iterator[Op]:
    if isinstance(expression, Operation):
        yield expression.op
        for arg in expression.args:
            yield from _ops(arg)
