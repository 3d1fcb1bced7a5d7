"""Module → C++17: one header, functions of numbers of any type, nothing but the standard library."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from symgen.emit.c.printer import C_REAL, CPrinter, declaration
from symgen.emit.cpp.printer import LIBRARY, TAKEN, WORDS, CppPrinter
from symgen.emit.cpp.runner import run
from symgen.emit.description import Writing, described, signature
from symgen.emit.environment import render
from symgen.emit.host import compiler
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.sincos import kernel
from symgen.emit.statements import WIDTH
from symgen.emit.text import assembly_arguments, comment_safe, wrapped
from symgen.emit.written import Written, in_pieces, whole
from symgen.program.module import CONSTANTS, OPEN, SINGULAR, Argument, Function, Module


def emit_cpp(module: Module) -> dict[str, str]:
    """The C++ header of `module`: file name → text, for `<name>.hpp`."""
    text = render(
        "cpp/module.hpp.j2",
        **vars(described(module, Writing(CppPrinter(module).plain, ("infinity", "-infinity"), comment_safe))),
        real=C_REAL[module.real],
        library=[name for op, name in LIBRARY.items() if module.uses(op)],
        kernels=[(C_REAL[real], _kernel(module, real)) for real in ("float64", "float32")],
        open=OPEN,
        singular=SINGULAR,
        init_lines=() if module.init is None else whole(CppPrinter(module, loops=False), module.init),
        functions=[_function(module, function) for function in module.functions],
        assemble=_assemble(module),
        closed="" if module.assembly is None else CppPrinter(module).number(module.assembly.closed),
    )
    return {f"{module.name}.hpp": text}


LANGUAGE = Language("cpp", emit_cpp, words=WORDS, taken=TAKEN, fields=True, run=run, tool=compiler)


def _function(module: Module, function: Function) -> Written:
    printer, text = CppPrinter(module), signature(function, comment_safe)
    known = {each.name: _input(each) for each in function.inputs} | {o.name: _output(o) for o in function.outputs}
    pieces, lines = in_pieces(printer, lower(function.program, printer.style), function.name, known)
    begins = printer.definition(function.name, [*known.values()], has_status=text.has_status)
    return Written(text, (), pieces, lines, begins)


def _kernel(module: Module, real: str) -> dict[str, str]:
    """What sines and cosines are made of, as the C makes them: name → expression."""
    printer = CPrinter(replace(module, real=real))
    return {name: wrapped(printer.expression(tree), WIDTH - 28, " " * 12) for name, tree in kernel(real).items()}


def _assemble(module: Module) -> str:
    """How the iteration begins that closes loops, if there is one."""
    if module.assembly is None:
        return ""
    inputs = assembly_arguments(module, module.function(module.assembly.step))
    q = Argument("q", (module.record.nq,), "", "")
    return declaration("int assemble", [*map(_input, inputs), _output(q)])


def _input(argument: Argument) -> str:
    if argument.name == CONSTANTS:
        return f"const Constants<Scalar> &{CONSTANTS}"
    return f"In<Scalar, {prod(argument.shape)}> {argument.name}"


def _output(argument: Argument) -> str:
    return f"Out<Scalar, {prod(argument.shape)}> {argument.name}"
