"""The elementary functions that a crate needs, since Rust has none without its standard library."""

from __future__ import annotations

from dataclasses import replace

from symgen.emit.environment import render
from symgen.emit.rust.printer import MATH, RustPrinter
from symgen.emit.sincos import LIMIT, ROUND, kernel, series
from symgen.emit.statements import WIDTH
from symgen.emit.straight import angles
from symgen.emit.text import wrapped
from symgen.program.module import Module
from symgen.program.program import Op, Program


def mathematics(module: Module) -> str:
    """The text of the crate's module of elementary functions; empty if it needs none."""
    printer, double = RustPrinter(module, ""), RustPrinter(replace(module, real="float64"), "")
    programs = [*(function.program for function in module.functions), *([module.init] if module.init else [])]
    sines = module.uses(Op.SIN, Op.COS)
    late = {op for program in programs for op in _late(program)}
    used = [name for op, name in MATH.items() if (op in late if op in (Op.SIN, Op.COS) else module.uses(op))]
    if not (sines or used or module.uses(Op.SIGN, Op.NONZERO)):
        return ""
    first, second = (wrapped(double.expression(tree), WIDTH - 28, " " * 8) for tree in series("float64"))
    return render(
        "rust/math.rs.j2",
        real=printer.real,
        sincos=sines,
        used=used,
        sign=module.uses(Op.SIGN),
        nonzero=module.uses(Op.NONZERO),
        kernel={
            name: wrapped(printer.expression(tree), WIDTH - 22, " " * 8) for name, tree in kernel(module.real).items()
        },
        limit=LIMIT[module.real],
        round=printer.number(float.fromhex(ROUND[module.real])),
        sign_bit=63 if printer.real == "f64" else 31,
        sines=first,
        cosines=second,
    )


def _late(program: Program) -> set[Op]:
    """The sine or cosine, where it is taken of angles that are made of others."""
    first, both = set(angles(program)), (Op.SIN, Op.COS)
    return {each.op for each in program.instructions if each.op in both and each.args[0] not in first}
