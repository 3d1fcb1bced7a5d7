"""Program → the lines of a C function's body, sines and cosines of its angles first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symgen.emit.c.pieces import CPiece, c_pieces
from symgen.emit.c.printer import WIDTH, CPrinter, style
from symgen.emit.c.sincos import LANES
from symgen.emit.lower import lower
from symgen.emit.pieces import pieces
from symgen.emit.text import wrapped
from symgen.emit.tree import ANGLE, COSINE, SINE, Code
from symgen.program.module import Module
from symgen.program.program import Program


def body_lines(module: Module, program: Program, *, loops: bool = True) -> tuple[str, ...]:
    """The body of a function; without `loops` where the entries of an input are fields of a struct."""
    printer, made = CPrinter(module), lower(program, style(module, loops=loops))
    return (*_first(module, printer, made), *printer.body(made))


def body_in_pieces(
    module: Module, program: Program, name: str, known: Mapping[str, str]
) -> tuple[tuple[CPiece, ...], tuple[str, ...]]:
    """The body of a function `name`, and the functions that it calls where it is long.

    `known`: name → parameter of the arrays that it is given.
    """
    printer, made = CPrinter(module), lower(program, style(module))
    found = pieces(made)
    if found is None:
        return (), (*_first(module, printer, made), *printer.body(made))
    points = {point: f"const {printer.real} *restrict {point}" for point in (SINE, COSINE)}
    parts = c_pieces(printer, found, name, {**known, **points})
    declared = replace(found.code, arrays={**found.code.arrays, found.kept: found.size})
    lines = (*_first(module, printer, found.code), *printer.body(declared), *calls(parts, "    "))
    return parts, lines


def calls(parts: tuple[CPiece, ...], indent: str) -> tuple[str, ...]:
    """The calls of all pieces."""
    return tuple(wrapped(f"{indent}{part.call}", WIDTH, f"{indent}    ") for part in parts)


def _first(module: Module, printer: CPrinter, made: Code) -> list[str]:
    """What stands before the body: the angles, and their sines and cosines."""
    found = [printer.line(statement) for statement in made.head]
    if made.angles:
        size = -(-len(made.angles) // LANES) * LANES
        found += [printer.angle_array(made, size), f"    {printer.real} {SINE}[{size}], {COSINE}[{size}];"]
        if size == LANES:
            found.append(f"    {module.name}_sincos({ANGLE}, {SINE}, {COSINE});")
        else:
            found.append(f"    for (int i = 0; i < {size}; i += {LANES}) {{")
            found += [f"        {module.name}_sincos({ANGLE} + i, {SINE} + i, {COSINE} + i);", "    }"]
    return found
