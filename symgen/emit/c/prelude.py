"""What stands before the functions of a C file: includes of the library, sines and cosines, signs, guards."""

from __future__ import annotations

from symgen.emit.c.printer import C_REAL, absolute
from symgen.emit.c.sincos import sincos
from symgen.emit.environment import render
from symgen.program.module import Module
from symgen.program.program import Op


def prelude(module: Module) -> tuple[str, ...]:
    """The lines that the module's operations need."""
    text = render(
        "c/prelude.c.j2",
        name=module.name,
        macro=module.name.upper(),
        real=C_REAL[module.real],
        sign=module.uses(Op.SIGN),
        nonzero=absolute(module) if module.uses(Op.NONZERO) else None,
        sincos=sincos(module.real, f"{module.name}_") if module.uses(Op.SIN, Op.COS) else None,
    )
    return tuple(text.splitlines())
