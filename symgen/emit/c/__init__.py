"""Module → C99: one source and one header, nothing but libm, no allocation, no static state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from symgen.emit.c.batch import emit_batch
from symgen.emit.c.prelude import prelude
from symgen.emit.c.printer import C_REAL, CPrinter
from symgen.emit.c.words import HEADERS, WORDS
from symgen.emit.description import Writing, described, signature
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.text import assembly_arguments, comment_safe
from symgen.emit.written import Written, in_pieces, whole
from symgen.program.module import CONSTANTS, OPEN, SINGULAR, Argument, Function, Module


@dataclass(frozen=True)
class CFunction(Written):
    """A function, and how it is declared."""

    prototype: str = ""


def emit_c(module: Module) -> dict[str, str]:
    """The C sources of `module`: file name → text, for `<name>.c`, `<name>.h` and those of batches."""
    return {**_sources(module), **emit_batch(module)}


def emit_plain(module: Module) -> dict[str, str]:
    """The C sources of `module` without those of batches."""
    return _sources(module)


def emit_piece(module: Module, function: Function) -> dict[str, str]:
    """The C of one function alone, file name → text: code as in the module's sources, whatever else is in these.

    With that of the other functions, and with `emit_rest`, it is compiled piece by piece, and linked.
    """
    alone = replace(module, functions=(function,), regressor=None, assembly=None)
    return {**_sources(alone, data=False), **emit_batch(alone)}


def emit_rest(module: Module) -> dict[str, str]:
    """What is in the sources of a module beside its functions."""
    needed = () if module.assembly is None else (module.assembly.step, module.assembly.start)
    declared = tuple(function for function in module.functions if function.name in needed)
    return _sources(replace(module, functions=declared), code=False)


def _sources(module: Module, *, code: bool = True, data: bool = True) -> dict[str, str]:
    """`<name>.c` and `<name>.h`; without `code` the functions are only declared, without `data` all else is."""
    functions = [_function(module, function) for function in module.functions]
    keys = {
        **vars(described(module, Writing(CPrinter(module).number, ("INFINITY", "-INFINITY"), comment_safe))),
        "real": C_REAL[module.real],
        "functions": functions,
        "in_pieces": code and any(function.pieces for function in functions),
        "init_lines": () if module.init is None else whole(CPrinter(module, loops=False), module.init),
        "assemble": None if module.assembly is None else _assembly(module),
        "statuses": _statuses(module),
        "prelude": prelude(
            replace(module, functions=module.functions if code else (), init=module.init if data else None)
        ),
        "code": code,
        "data": data,
    }
    return {
        f"{module.name}.c": render("c/module.c.j2", **keys),
        f"{module.name}.h": render("c/module.h.j2", **keys),
    }


LANGUAGE = Language("c", emit_c, words=WORDS, taken=HEADERS, fields=True)


def _function(module: Module, function: Function) -> CFunction:
    printer, text = CPrinter(module), signature(function, comment_safe)
    code, known = lower(function.program, printer.style), _arguments(module, function.inputs, function.outputs)
    pieces, lines = in_pieces(printer, code, f"{module.name}_{function.name}", known)
    begins = _begins(module, function.name, function.inputs, function.outputs, has_status=text.has_status)
    return CFunction(text, (), pieces, lines, *begins)


def _assembly(module: Module) -> tuple[str, str]:
    """How the iteration that closes loops begins, and its declaration."""
    assert module.assembly is not None
    inputs = assembly_arguments(module, module.function(module.assembly.step))
    return _begins(module, "assemble", inputs, [Argument("q", (module.record.nq,), "", "")], has_status=True)


def _begins(
    module: Module, name: str, inputs: Sequence[Argument], outputs: Sequence[Argument], *, has_status: bool
) -> tuple[str, str]:
    """How the definition of a function begins, and its declaration, which C++ reads, too."""
    definition, prototype = (
        CPrinter(module).definition(
            f"{module.name}_{name}", [*_arguments(module, inputs, outputs, word).values()], has_status=has_status
        )
        for word in ("restrict", f"{module.name.upper()}_RESTRICT")
    )
    return definition, prototype


def _statuses(module: Module) -> list[tuple[str, int, str]]:
    """What functions return that can fail, beside 0: words, numbers and what they mean."""
    found = [] if module.assembly is None else [("OPEN", OPEN, "no q was found that closes the loops")]
    able = [function for function in module.functions if signature(function).has_status]
    if able:
        meanings = ["the independent joints do not determine the others"] if module.record.loops else []
        meanings += ["contact forces are not determined"] if any(function.contacts for function in able) else []
        found.append(("SINGULAR", SINGULAR, ", or ".join(meanings)))
    return found


def _arguments(
    module: Module, inputs: Sequence[Argument], outputs: Sequence[Argument], restrict: str = "restrict"
) -> dict[str, str]:
    """Name → parameter, for inputs and outputs."""
    real = C_REAL[module.real]
    types = {each.name: f"{module.name}_constants" if each.name == CONSTANTS else real for each in inputs}
    found = {name: f"const {kind} *{restrict} {name}" for name, kind in types.items()}
    return found | {each.name: f"{real} *{restrict} {each.name}" for each in outputs}
