"""Program → the lines of a C function's body, sines and cosines of its angles first."""

from __future__ import annotations

from symgen.emit.c.printer import CPrinter, style
from symgen.emit.c.sincos import LANES
from symgen.emit.lower import lower
from symgen.emit.tree import ANGLE, COSINE, SINE
from symgen.program.module import Module
from symgen.program.program import Program


def body_lines(module: Module, program: Program, *, loops: bool = True) -> tuple[str, ...]:
    """The body of a function; without `loops` where the entries of an input are fields of a struct."""
    printer, made = CPrinter(module), lower(program, style(module, loops=loops))
    found = [printer.line(statement) for statement in made.head]
    if made.angles:
        size = -(-len(made.angles) // LANES) * LANES
        found += [printer.angle_array(made, size), f"    {printer.real} {SINE}[{size}], {COSINE}[{size}];"]
        if size == LANES:
            found.append(f"    {module.name}_sincos({ANGLE}, {SINE}, {COSINE});")
        else:
            found.append(f"    for (int i = 0; i < {size}; i += {LANES}) {{")
            found += [f"        {module.name}_sincos({ANGLE} + i, {SINE} + i, {COSINE} + i);", "    }"]
    return (*found, *printer.body(made))
