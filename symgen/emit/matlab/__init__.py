"""Module → MATLAB and Octave: a package folder with a file for each function, for many states at once.

States are columns. Inside a function they are rows, so that an operation takes an entry's values of all states, which
lie side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod

from symgen.emit.c import LANGUAGE as C
from symgen.emit.c.printer import C_REAL
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.matlab.printer import CLASSES, WIDTH, MatlabPrinter, continued
from symgen.emit.matlab.runner import run, tool
from symgen.emit.matlab.words import FUNCTIONS, KEYWORDS, USED, check_names
from symgen.emit.text import (
    PACKED,
    assembly_arguments,
    assembly_summary,
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
from symgen.emit.tree import Code
from symgen.program.counts import count
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Argument, Function, Module
from symgen.program.program import Op


@dataclass(frozen=True)
class MatlabFunction:
    """What the template needs of one function; `results` make its outputs what is returned."""

    name: str
    comment: tuple[str, ...]
    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    sizes: tuple[int, ...]
    made: tuple[str, ...]
    lines: tuple[str, ...]
    results: tuple[str, ...]
    nonzero: bool


def emit_matlab(module: Module) -> dict[str, str]:
    """The files of `module`: a package folder, and a MEX gateway to the C of the same robot."""
    functions = [*([] if module.init is None else [_init(module)]), *module.functions]
    codes = {function.name: lower(function.program, MatlabPrinter(module).style) for function in functions}
    check_names(module, codes)
    keys = {"name": module.name, "real": CLASSES[module.real]}
    files = {f"{each.name}.m": _function(module, each, codes[each.name], keys) for each in functions}
    files["info.m"] = _info(module)
    if module.parameters:
        files["constants_of.m"] = render("matlab/constants_of.m.j2", **keys)
    if any(map(packed_results, module.functions)):
        files["to_dense.m"] = render("matlab/to_dense.m.j2", **keys)
    if module.assembly is not None:
        files["assemble.m"] = _assemble(module, keys)
    folder = {f"+{module.name}/{name}": text for name, text in files.items()}
    return {**folder, f"{module.name}_mex.c": _gateway(module)}


LANGUAGE = Language(
    "matlab",
    emit_matlab,
    words=KEYWORDS,
    taken=frozenset(name.lower() for name in KEYWORDS | USED | FUNCTIONS),
    fields=True,
    run=run,
    tool=tool,
)


def _init(module: Module) -> Function:
    assert module.init is not None
    return Function(
        name="init",
        summary="The constants of values of the parameters; constants_of takes them by name.",
        formulation="",
        inputs=(Argument(PARAMETERS, (len(module.parameters),), "", "values in the order of info().parameters"),),
        outputs=(Argument(CONSTANTS, (module.constants_size,), "", "what the functions need of them"),),
        program=module.init,
    )


def _function(module: Module, function: Function, code: Code, keys: dict[str, str]) -> str:
    printer = MatlabPrinter(module)
    notes = [f"Formulation: {function.formulation}."] if function.formulation else []
    notes.append(f"Operations: {count(function.program)}.")
    made = MatlabFunction(
        name=function.name,
        comment=_help(module, function, function.summary, notes),
        arguments=tuple(argument.name for argument in function.inputs),
        outputs=tuple(argument.name for argument in function.outputs),
        sizes=tuple(prod(argument.shape) for argument in function.inputs),
        made=tuple(printer.made(output.name, prod(output.shape)) for output in function.outputs),
        lines=printer.body(code),
        results=tuple(map(_result, function.outputs)),
        nonzero=any(instruction.op is Op.NONZERO for instruction in function.program.instructions),
    )
    return render("matlab/function.m.j2", function=made, constants=CONSTANTS, names=_names(function.inputs), **keys)


def _names(arguments: Iterable[Argument]) -> str:
    return continued(f"  names = {{{', '.join(_quoted(each.name) for each in arguments)}}};", "    ")


def _result(output: Argument) -> str:
    """The statement that makes what is returned, columns or matrices, of rows with the entries row by row."""
    name, shape = output.name, output.shape
    if len(shape) < 2:
        return f"  {name} = {name}.';"
    extents, order = ", ".join(map(str, reversed(shape))), ", ".join(str(k) for k in range(len(shape) + 1, 0, -1))
    return f"  {name} = permute(reshape({name}, [count, {extents}]), [{order}]);"


def _help(module: Module, function: Function, summary: str, notes: Sequence[str]) -> tuple[str, ...]:
    """The help text of a function."""
    inputs, outputs = ([each.name for each in side] for side in (function.inputs, function.outputs))
    left = outputs[0] if len(outputs) == 1 else f"[{', '.join(outputs)}]"
    lines = [f"{left} = {module.name}.{function.name}({', '.join(inputs)})", ""]
    lines += [_described(module, each) for each in (*function.inputs, *function.outputs)]
    return (
        wrapped(f"%{function.name.upper()}  {summary}", WIDTH, "%   "),
        "%",
        *_comment(*lines, "", *notes),
    )


def _described(module: Module, argument: Argument) -> str:
    """Name, shape, meaning and unit of an argument."""
    shape = " x ".join([*map(str, argument.shape or (1,)), "count"])
    unit = f", {argument.unit}" if argument.unit else ""
    of = f"; that of {module.name}.constants_of, or a struct of parameters" if argument.name == CONSTANTS else ""
    return f"{argument.name} [{shape}]: {argument.description}{unit}{of if argument.meaning else ''}"


def _comment(*texts: str) -> tuple[str, ...]:
    """The lines of a comment."""
    return tuple(wrapped(f"%   {text}", WIDTH, "%       ") if text else "%" for text in texts)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _number(value: float) -> str:
    return repr(value).replace("inf", "Inf")


def _info(module: Module) -> str:
    record, regressor = module.record, module.regressor
    patterns = [
        (
            f"{function.name}.{name}.{part}",
            continued(f"    {', '.join(map(str, values))} ...", "    "),
        )
        for function in module.functions
        for name, pattern in packed_results(function)
        for part, values in pattern._asdict().items()
    ]
    return render(
        "matlab/info.m.j2",
        name=module.name,
        generator=record.generator,
        robot=_comment(*robot_lines(module)),
        legend=_comment(*legend(module)),
        free=not record.is_plain,
        nq=record.nq,
        nv=record.nv,
        joints=[_quoted(joint.name) for joint in record.joints],
        positions=[_quoted(position.name) for position in record.positions],
        limits=[(each, list(map(_number, each.values))) for each in record.limits],
        neutral=list(map(_number, module.neutral)),
        neutral_text=neutral_text(module),
        parameters=[(parameter.name, _number(parameter.default)) for parameter in module.parameters],
        parameter_lines=_body_comment(module.parameters_note, *parameter_lines(module)),
        patterns=patterns,
        packed_lines=_body_comment(f"Function and result, of packed results. {PACKED}"),
        regressor=[] if regressor is None else [(_quoted(p.name), _number(p.default)) for p in regressor.parameters],
        regressor_lines=_body_comment(regressor_note(module), *regressor_lines(module)),
    )


def _body_comment(*texts: str) -> tuple[str, ...]:
    return tuple(wrapped(f"  % {text}", WIDTH, "  %   ") for text in texts if text)


def _assemble(module: Module, keys: dict[str, str]) -> str:
    assert module.assembly is not None
    step = module.function(module.assembly.step)
    inputs = assembly_arguments(module, step)
    outputs = (
        Argument("q", (module.record.nq,), "", "the closed q; NaN where none was found"),
        Argument("status", (), "", "0 where q is closed, else 1"),
    )
    shown = replace(step, name="assemble", inputs=inputs, outputs=outputs)
    return render(
        "matlab/assemble.m.j2",
        comment=_help(module, shown, assembly_summary(module.assembly), []),
        arguments=[each.name for each in inputs],
        names=_names(inputs),
        sizes=[each.shape[0] for each in inputs],
        nq=module.record.nq,
        places=", ".join(str(place + 1) for place in module.assembly.places),
        given=len(module.assembly.places),
        most=module.assembly.most,
        step=module.assembly.step,
        start=module.assembly.start,
        starting=", ".join(start_arguments(module)),
        passed=", ".join(["q", *(each.name for each in step.inputs[1:])]),
        closed=repr(module.assembly.closed),
        constants=CONSTANTS,
        **keys,
    )


def _gateway(module: Module) -> str:
    """The MEX gateway; the C has the robot's name as C takes it."""
    c = C.fitting(replace(module, name=module.record.robot)).name
    most = max(len(function.inputs) + len(function.outputs) for function in module.functions)
    return render(
        "matlab/gateway.c.j2",
        name=module.name,
        c=c,
        generator=module.record.generator,
        real=C_REAL[module.real],
        kind=CLASSES[module.real],
        most=most,
        parameters=bool(module.parameters),
        functions=[
            {
                "name": function.name,
                "inputs": [(a.name, 1, (prod(a.shape),)) for a in function.inputs],
                "outputs": [(a.name, max(1, len(a.shape)), a.shape or (1,)) for a in function.outputs],
                "call": _call(c, function),
            }
            for function in module.functions
        ],
    )


def _call(c: str, function: Function) -> str:
    """The call of a function of the C for all states."""
    given = [
        f"&{CONSTANTS}" if argument.name == CONSTANTS else f"in[{k}].values, in[{k}].step, 1"
        for k, argument in enumerate(function.inputs)
    ]
    found = [f"out[{k}].values, out[{k}].step, 1" for k in range(len(function.outputs))]
    return wrapped(
        f"        {c}_{function.name}_strided({', '.join(['count', *given, *found])});", WIDTH, "            "
    )
