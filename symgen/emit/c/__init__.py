"""Module → C99: one source and one header, nothing but libm, no allocation, no static state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from symgen.emit.c.batch import emit_batch
from symgen.emit.c.body import body_in_pieces, body_lines
from symgen.emit.c.pieces import CPiece
from symgen.emit.c.prelude import prelude
from symgen.emit.c.printer import C_REAL, WIDTH, CPrinter, declaration, has
from symgen.emit.c.words import HEADERS, WORDS
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.text import (
    PACKED,
    FunctionText,
    argument_text,
    assembly_arguments,
    assembly_summary,
    comment_safe,
    function_text,
    legend,
    neutral_text,
    packed_results,
    parameter_lines,
    regressor_lines,
    regressor_note,
    robot_lines,
    start_arguments,
    wrapped,
)
from symgen.program.counts import count
from symgen.program.module import CONSTANTS, OPEN, SINGULAR, Argument, Function, LimitRecord, Module
from symgen.program.pattern import Pattern
from symgen.program.program import Op


@dataclass(frozen=True)
class CFunction:
    """What the templates need of one function."""

    text: FunctionText
    comment: tuple[str, ...]
    prototype: str
    definition: str
    unused: tuple[str, ...]
    has_status: bool
    pieces: tuple[CPiece, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class CParameters:
    """What the templates need of run-time parameters."""

    fields: tuple[str, ...]
    defaults: tuple[str, ...]
    note: str
    texts: tuple[str, ...]
    size: int
    counts: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class CRegressor:
    """What the templates need of the parameters that belong to the regressor's columns."""

    size: int
    note: str
    texts: tuple[str, ...]
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CPattern:
    """What the templates need of the pattern of a packed result; `arrays` are declarations with their values."""

    macro: str
    size: int
    text: str
    arrays: tuple[tuple[str, str], ...]


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
    functions = tuple(_function(module, function) for function in module.functions)
    keys = {
        "name": module.name,
        "macro": module.name.upper(),
        "real": C_REAL[module.real],
        "generator": module.record.generator,
        "robot": tuple(map(comment_safe, robot_lines(module))),
        "legend": legend(module),
        "nq": module.record.nq,
        "nv": module.record.nv,
        "free": not module.record.is_plain,
        "neutral": _neutral(module),
        "neutral_text": neutral_text(module),
        "functions": functions,
        "in_pieces": code and any(function.pieces for function in functions),
        "parameters": _parameters(module),
        "regressor": _regressor(module),
        "limits": tuple(_limit(module, limit) for limit in module.record.limits),
        "patterns": tuple(
            _pattern(module, function, *found) for function in module.functions for found in packed_results(function)
        ),
        "packed_text": wrapped(f"/* {PACKED}", WIDTH, " * "),
        "assembly": _assembly(module),
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


def _assembly(module: Module) -> dict[str, object] | None:
    """The iteration that closes loops, if there is one."""
    if module.assembly is None:
        return None
    step = module.function(module.assembly.step)
    inputs = assembly_arguments(module, step)
    output = Argument("q", (module.record.nq,), "", "the closed q; NaN if none was found")
    texts = [f" *   in   {argument_text(each)}" for each in inputs] + [f" *   out  {argument_text(output)}"]
    real, macro = C_REAL[module.real], f"{module.name.upper()}_RESTRICT"
    signature = {
        key: declaration(
            f"int {module.name}_assemble",
            [*(_input(module, each, restrict) for each in inputs), f"{real} *{restrict} q"],
        )
        for key, restrict in (("prototype", macro), ("definition", "restrict"))
    }
    return {
        "comment": (
            wrapped(f"/* {assembly_summary(module.assembly)}", WIDTH, " *   "),
            " *",
            *(wrapped(text, WIDTH, " *          ") for text in texts),
            " *",
            f" * Returns 0, or {module.name.upper()}_OPEN if no closed q was found.",
        ),
        **signature,
        "places": ", ".join(map(str, module.assembly.places)),
        "given": len(module.assembly.places),
        "most": module.assembly.most,
        "step": module.assembly.step,
        "start": module.assembly.start,
        "starting": ", ".join(start_arguments(module)),
        "arguments": ", ".join(["q", *(each.name for each in step.inputs[1:])]),
        "closed": CPrinter(module).number(module.assembly.closed),
    }


def _neutral(module: Module) -> str:
    """The macro of the neutral configuration, if code has it."""
    numbers = ", ".join(map(CPrinter(module).number, module.neutral))
    line = f"#define {module.name.upper()}_NEUTRAL {{{numbers}}}"
    return wrapped(line, WIDTH - 2, "    ").replace("\n", " \\\n") if numbers else ""


def _limit(module: Module, limit: LimitRecord) -> dict[str, object]:
    """Limits as an array: its name, its extent, what it holds, and the numbers."""
    number, infinite = CPrinter(module).number, {inf: "INFINITY", -inf: "-INFINITY"}
    texts = [infinite.get(value) or number(value) for value in limit.values]
    size = f"{module.name.upper()}_{limit.extent}" if limit.extent else str(len(limit.values))
    return {"name": limit.name, "size": size, "meaning": limit.meaning, "texts": texts}


def _pattern(module: Module, function: Function, output: str, pattern: Pattern) -> CPattern:
    """The pattern of a packed result, in arrays."""
    name = f"{module.name}_{function.name}_{output}"
    rows = "" if len(pattern.shape) == 2 else ", a row for each entry of all dimensions but the last"
    text = f"/* {output} of {function.name}: {pattern.nnz} of {' x '.join(map(str, pattern.shape))} entries{rows}. */"
    arrays = (("indptr", pattern.indptr), ("indices", pattern.indices))
    return CPattern(
        macro=f"{name.upper()}_NNZ",
        size=pattern.nnz,
        text=wrapped(text, WIDTH, " * "),
        arrays=tuple((f"const int {name}_{part}[{len(values)}]", _listed(values)) for part, values in arrays),
    )


def _listed(numbers: Sequence[int]) -> str:
    """The lines of an initializer."""
    return wrapped("    " + ", ".join(map(str, numbers)), WIDTH, "    ")


def _function(module: Module, function: Function) -> CFunction:
    used = {i.name for i in function.program.instructions if i.op is Op.VARIABLE}
    text = function_text(function)
    known = _arguments(module, function, "restrict")
    pieces, lines = body_in_pieces(module, function.program, f"{module.name}_{function.name}", known)
    return CFunction(
        text=text,
        comment=_comment(module, text, function),
        prototype=_signature(module, function, f"{module.name.upper()}_RESTRICT"),
        definition=_signature(module, function, "restrict"),
        unused=tuple(argument.name for argument in function.inputs if argument.name not in used),
        has_status=_has_status(function),
        pieces=pieces,
        lines=lines,
    )


def _has_status(function: Function) -> bool:
    """Whether a function returns what went wrong."""
    return has(function.program, Op.NONZERO)


def _statuses(module: Module) -> list[tuple[str, int, str]]:
    """What functions return that can fail, beside 0: words, numbers and what they mean."""
    found = [] if module.assembly is None else [("OPEN", OPEN, "no q was found that closes the loops")]
    able = [function for function in module.functions if _has_status(function)]
    if able:
        meanings = ["the independent joints do not determine the others"] if module.record.loops else []
        meanings += ["contact forces are not determined"] if any(function.contacts for function in able) else []
        found.append(("SINGULAR", SINGULAR, ", or ".join(meanings)))
    return found


def _comment(module: Module, text: FunctionText, function: Function) -> tuple[str, ...]:
    """The lines of a function's comment in the header."""
    lines = [wrapped(f"/* {text.summary}", WIDTH, " *   "), " *"]
    lines += [wrapped(f" *   in   {line}", WIDTH, " *          ") for line in text.inputs]
    lines += [wrapped(f" *   out  {line}", WIDTH, " *          ") for line in text.outputs]
    lines.append(" *")
    lines.append(wrapped(f" * Formulation: {text.formulation}.", WIDTH, " *   "))
    lines.append(f" * Operations: {text.counts}.")
    if _has_status(function):
        returned = (
            f"Returns 0, or {module.name.upper()}_SINGULAR; outputs that depend on what is singular are NaN then."
        )
        lines += [" *", wrapped(f" * {returned}", WIDTH, " *   ")]
    return tuple(lines)


def _parameters(module: Module) -> CParameters | None:
    if module.init is None:
        return None
    number = CPrinter(module).number
    return CParameters(
        fields=tuple(parameter.name for parameter in module.parameters),
        defaults=tuple(number(parameter.default) for parameter in module.parameters),
        note=wrapped(f" * {comment_safe(module.parameters_note)}", WIDTH, " * ") if module.parameters_note else "",
        texts=tuple(wrapped(f" *   {comment_safe(line)}", WIDTH, " *       ") for line in parameter_lines(module)),
        size=module.constants_size,
        counts=str(count(module.init)),
        lines=body_lines(module, module.init, loops=False),
    )


def _regressor(module: Module) -> CRegressor | None:
    if module.regressor is None:
        return None
    number, parameters = CPrinter(module).number, module.regressor.parameters
    return CRegressor(
        size=len(parameters),
        note=wrapped(f"/* {regressor_note(module)}", WIDTH, " * "),
        texts=tuple(wrapped(f" *   {comment_safe(line)}", WIDTH, " *       ") for line in regressor_lines(module)),
        values=tuple((number(p.default), p.name) for p in parameters),
    )


def _signature(module: Module, function: Function, restrict: str) -> str:
    """The declaration of a function, without its semicolon; one argument a line where it is long."""
    kind = "int" if _has_status(function) else "void"
    return declaration(f"{kind} {module.name}_{function.name}", [*_arguments(module, function, restrict).values()])


def _arguments(module: Module, function: Function, restrict: str) -> dict[str, str]:
    """Name → parameter, for inputs and outputs."""
    real = C_REAL[module.real]
    found = {argument.name: _input(module, argument, restrict) for argument in function.inputs}
    return found | {argument.name: f"{real} *{restrict} {argument.name}" for argument in function.outputs}


def _input(module: Module, argument: Argument, restrict: str) -> str:
    real = f"{module.name}_constants" if argument.name == CONSTANTS else C_REAL[module.real]
    return f"const {real} *{restrict} {argument.name}"
