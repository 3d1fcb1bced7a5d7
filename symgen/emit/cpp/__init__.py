"""Module → C++17: one header, functions of numbers of any type, nothing but the standard library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from symgen.emit.c.pieces import CPiece, c_pieces
from symgen.emit.c.printer import C_REAL, WIDTH, CPrinter, declaration, has
from symgen.emit.cpp.printer import LIBRARY, TAKEN, WORDS, CppPrinter, infinite
from symgen.emit.cpp.runner import run
from symgen.emit.environment import render
from symgen.emit.host import compiler
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.pieces import pieces
from symgen.emit.sincos import filled, kernel
from symgen.emit.text import (
    PACKED,
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
from symgen.emit.tree import ANGLE, COSINE, SINE, Code
from symgen.program.counts import count
from symgen.program.module import CONSTANTS, OPEN, SINGULAR, Argument, Function, Module
from symgen.program.program import Op


@dataclass(frozen=True)
class CppFunction:
    """What the template needs of one function."""

    comment: tuple[str, ...]
    definition: str
    unused: tuple[str, ...]
    has_status: bool
    pieces: tuple[CPiece, ...]
    lines: tuple[str, ...]


def emit_cpp(module: Module) -> dict[str, str]:
    """The C++ header of `module`: file name → text, for `<name>.hpp`."""
    printer, record = CppPrinter(module), module.record
    text = render(
        "cpp/module.hpp.j2",
        name=module.name,
        macro=module.name.upper(),
        real=C_REAL[module.real],
        generator=record.generator,
        robot=tuple(map(comment_safe, robot_lines(module))),
        legend=legend(module),
        nq=record.nq,
        nv=record.nv,
        free=not record.is_plain,
        neutral=_listed([printer.plain(value) for value in module.neutral]),
        neutral_text=neutral_text(module),
        positions=_listed([f'"{position.name}"' for position in record.positions]),
        joints=_listed([f'"{joint.name}"' for joint in record.joints]),
        limits=[
            (each, each.extent.lower() or len(each.values), _listed([infinite(x, module.real) for x in each.values]))
            for each in record.limits
        ],
        patterns=_patterns(module),
        packed_text=wrapped(f"/* {PACKED} */", WIDTH, " * "),
        regressor=module.regressor,
        regressor_lines=_comment(regressor_note(module), "", *regressor_lines(module)),
        plain=printer.plain,
        library=[name for op, name in LIBRARY.items() if module.uses(op)],
        numbers=_numbers(module),
        sines=module.uses(Op.SIN, Op.COS),
        kernels=[(C_REAL[real], _kernel(module, real)) for real in ("float64", "float32")],
        sign=module.uses(Op.SIGN),
        nonzero=module.uses(Op.NONZERO),
        loops=bool(record.loops),
        open=OPEN,
        singular=SINGULAR,
        parameters=module.parameters,
        parameter_lines=_comment(module.parameters_note, *parameter_lines(module)),
        constants=module.constants_size,
        init=_init(module),
        init_counts="" if module.init is None else str(count(module.init)),
        functions=[_function(module, function) for function in module.functions],
        assembly=_assembly(module),
    )
    return {f"{module.name}.hpp": text}


LANGUAGE = Language("cpp", emit_cpp, words=WORDS, taken=TAKEN, fields=True, run=run, tool=compiler)


def _function(module: Module, function: Function) -> CppFunction:
    printer, text = CppPrinter(module), function_text(function)
    used = {i.name for i in function.program.instructions if i.op is Op.VARIABLE}
    known = {each.name: _input(each) for each in function.inputs} | {o.name: _output(o) for o in function.outputs}
    made = lower(function.program, printer.style)
    found = pieces(made)
    parts: tuple[CPiece, ...] = ()
    if found is None:
        lines = (*_first(printer, made), *printer.body(made))
    else:
        points = {point: f"const {printer.real} *{point}" for point in (SINE, COSINE)}
        parts = c_pieces(printer, found, function.name, {**known, **points})
        declared = replace(found.code, arrays={**found.code.arrays, found.kept: found.size})
        calls = [wrapped(f"    {part.call}", WIDTH, "        ") for part in parts]
        lines = (*_first(printer, found.code), *printer.body(declared), *calls)
    has_status = has(function.program, Op.NONZERO)
    notes = [f"Formulation: {text.formulation}.", f"Operations: {text.counts}."]
    if has_status:
        notes += ["", "Returns 0, or `singular`; outputs that depend on what is singular are NaN then."]
    return CppFunction(
        comment=_comment(text.summary, "", *_arguments(function.inputs, function.outputs), "", *notes),
        definition=declaration(f"{'int' if has_status else 'void'} {function.name}", [*known.values()]),
        unused=tuple(argument.name for argument in function.inputs if argument.name not in used),
        has_status=has_status,
        pieces=parts,
        lines=lines,
    )


def _first(printer: CppPrinter, made: Code) -> list[str]:
    """What stands before the body: the angles, and their sines and cosines."""
    found = [printer.line(statement) for statement in made.head]
    if made.angles:
        size = filled(made)
        found += [printer.angle_array(made, size), f"    {printer.real} {SINE}[{size}], {COSINE}[{size}];"]
        found.append(f"    detail::sincos<{len(made.angles)}>({ANGLE}, {SINE}, {COSINE});")
    return found


def _init(module: Module) -> tuple[str, ...]:
    """The body of what makes constants of parameters, if there are any."""
    if module.init is None:
        return ()
    printer = CppPrinter(module, loops=False)
    made = lower(module.init, printer.style)
    return (*_first(printer, made), *printer.body(made))


def _kernel(module: Module, real: str) -> dict[str, str]:
    """What sines and cosines are made of, as the C makes them: name → expression."""
    printer = CPrinter(replace(module, real=real))
    return {name: wrapped(printer.expression(tree), WIDTH - 28, " " * 12) for name, tree in kernel(real).items()}


def _numbers(module: Module) -> str:
    """What numbers may be."""
    needed = ["+", "-", "*", "/", *(name for op, name in LIBRARY.items() if module.uses(op))]
    compared = module.uses(Op.SIGN, Op.NONZERO) or module.assembly is not None
    text = (
        f"Numbers are of type {C_REAL[module.real]}, or of another that you name, f<Dual>(q, ...), such as those of "
        f"libraries for automatic differentiation: one that has {', '.join(needed)}"
    )
    return wrapped(f" * {text}{', and can be compared' if compared else ''}. Needs C++17.", WIDTH, " * ")


def _patterns(module: Module) -> list[dict[str, object]]:
    """The patterns of packed results."""
    return [
        {
            "name": f"{function.name}_{output}",
            "text": f"{output} of {function.name}: {pattern.nnz} of {' x '.join(map(str, pattern.shape))} entries",
            "nnz": pattern.nnz,
            "arrays": [
                (part, len(values), _listed(list(map(str, values))))
                for part, values in (("indptr", pattern.indptr), ("indices", pattern.indices))
            ],
        }
        for function in module.functions
        for output, pattern in packed_results(function)
    ]


def _assembly(module: Module) -> dict[str, object] | None:
    """The iteration that closes loops, if there is one."""
    if module.assembly is None:
        return None
    step = module.function(module.assembly.step)
    inputs = assembly_arguments(module, step)
    output = Argument("q", (module.record.nq,), "", "the closed q; NaN if none was found")
    texts = [assembly_summary(module.assembly), "", *_arguments(inputs, (output,))]
    return {
        "comment": _comment(*texts, "", "Returns 0, or `open` if no closed q was found."),
        "definition": declaration("int assemble", [*map(_input, inputs), _output(output)]),
        "places": ", ".join(map(str, module.assembly.places)),
        "given": len(module.assembly.places),
        "most": module.assembly.most,
        "step": module.assembly.step,
        "start": module.assembly.start,
        "starting": ", ".join(start_arguments(module)),
        "arguments": ", ".join(["q", *(each.name for each in step.inputs[1:])]),
        "closed": CppPrinter(module).number(module.assembly.closed),
    }


def _arguments(inputs: Sequence[Argument], outputs: Sequence[Argument]) -> list[str]:
    return [*(f"  in   {argument_text(each)}" for each in inputs), *(f"  out  {argument_text(o)}" for o in outputs)]


def _input(argument: Argument) -> str:
    if argument.name == CONSTANTS:
        return f"const Constants<Scalar> &{CONSTANTS}"
    return f"In<Scalar, {prod(argument.shape)}> {argument.name}"


def _output(argument: Argument) -> str:
    return f"Out<Scalar, {prod(argument.shape)}> {argument.name}"


def _listed(texts: Sequence[str]) -> str:
    """An initializer: on a line of its own where it is long."""
    text = ", ".join(texts)
    return f"{{{text}}}" if len(text) < 30 else "{\n" + wrapped(f"    {text}", WIDTH, "    ") + "}"


def _comment(*texts: str) -> tuple[str, ...]:
    """The lines of a comment but for what begins and ends it; indented texts go on below what they say of a name."""
    further = {True: " *          ", False: " *   "}
    lines = [wrapped(f" * {comment_safe(text)}", WIDTH, further[text.startswith("  ")]) for text in texts]
    return tuple(line if text else " *" for line, text in zip(lines, texts, strict=True))
