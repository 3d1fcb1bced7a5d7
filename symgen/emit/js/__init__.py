"""Module → JavaScript: one ES module, typed arrays in and out, needing nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import prod

from symgen.emit.environment import render
from symgen.emit.js.printer import ARRAYS, WIDTH, WORDS, JsPrinter
from symgen.emit.js.runner import run, tool
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.sincos import filled
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
from symgen.emit.tree import Code
from symgen.program.counts import count
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Argument, Function, Module
from symgen.program.pattern import Pattern
from symgen.program.program import Op


@dataclass(frozen=True)
class JsFunction:
    """What the template needs of one function; `checks` are (argument, size), `result` is what it returns."""

    name: str
    comment: tuple[str, ...]
    tables: tuple[str, ...]
    arguments: str
    checks: tuple[tuple[str, int], ...]
    lines: tuple[str, ...]
    result: str


def emit_js(module: Module) -> dict[str, str]:
    """The JavaScript source of `module`: file name → text, for `<name>.mjs`."""
    made = {function.name: lower(function.program, JsPrinter(module, "").style) for function in module.functions}
    init = None if module.init is None else lower(module.init, JsPrinter(module, "").style)
    every = [*made.values(), *([] if init is None else [init])]
    text = render(
        "js/module.mjs.j2",
        name=module.name,
        generator=module.record.generator,
        robot=tuple(map(comment_safe, robot_lines(module))),
        legend=legend(module),
        nq=module.record.nq,
        nv=module.record.nv,
        free=not module.record.is_plain,
        assembly=_assembly(module),
        neutral=module.neutral,
        neutral_text=neutral_text(module),
        positions=json.dumps([position.name for position in module.record.positions]),
        joints=json.dumps([joint.name for joint in module.record.joints]),
        limits=[
            (each, ", ".join(repr(value).replace("inf", "Infinity") for value in each.values))
            for each in module.record.limits
        ],
        array=ARRAYS[module.real],
        nonzero=module.uses(Op.NONZERO),
        single=module.real == "float32",
        angles=max(map(filled, every)),
        kernel=JsPrinter(module, "").kernel(),
        constants=module.constants_size,
        parameters=[(parameter.name, repr(parameter.default)) for parameter in module.parameters],
        parameter_lines=_comment(module.parameters_note, *parameter_lines(module)),
        patterns=_patterns(module),
        packed_lines=_comment(f"Function and result, of packed results. {PACKED}"),
        regressor=module.regressor,
        regressor_lines=_comment(regressor_note(module), *regressor_lines(module)),
        functions=[
            *([] if init is None else [_init(module, init)]),
            *(_function(module, function, made[function.name]) for function in module.functions),
        ],
    )
    return {f"{module.name}.mjs": text}


LANGUAGE = Language("js", emit_js, words=WORDS, run=run, tool=tool)


def _function(module: Module, function: Function, code: Code) -> JsFunction:
    text = function_text(function)
    outputs = [argument.name for argument in function.outputs]
    notes = (f"Formulation: {text.formulation}.", f"Operations: {text.counts}.")
    return _js_function(module, function, code, (text.summary, *notes), ", ".join(outputs))


def _init(module: Module, code: Code) -> JsFunction:
    assert module.init is not None
    init = Function(
        name="init",
        summary="",
        formulation="",
        inputs=(Argument(PARAMETERS, (len(module.parameters),), "", "values in the order of PARAMETERS"),),
        outputs=(Argument(CONSTANTS, (module.constants_size,), "", "what the functions need of them"),),
        program=module.init,
    )
    notes = ("The constants of values of the parameters.", f"Operations: {count(module.init)}.")
    return _js_function(module, init, code, notes, CONSTANTS)


def _js_function(module: Module, function: Function, code: Code, notes: tuple[str, ...], result: str) -> JsFunction:
    printer, array = JsPrinter(module, function.name), ARRAYS[module.real]
    arguments = (*function.inputs, *function.outputs)
    inputs = [f"@param {{{array}}} {_described(a)}" for a in function.inputs]
    outputs = [f"@param {{{array}}} [{a.name}] made if it is not given: {argument_text(a)}" for a in function.outputs]
    returned = array if len(function.outputs) == 1 else "Object"
    many = len(function.outputs) > 1
    return JsFunction(
        name=function.name,
        comment=_comment(*notes, "", *inputs, *outputs, f"@returns {{{returned}}} {result}"),
        tables=printer.tables(code),
        arguments=", ".join(
            [a.name for a in function.inputs] + [f"{a.name} = new {array}({prod(a.shape)})" for a in function.outputs]
        ),
        checks=tuple((a.name, prod(a.shape)) for a in arguments),
        lines=printer.body(code),
        result=f"{{ {result} }}" if many else result,
    )


def _patterns(module: Module) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Function → packed result → lines of its pattern."""
    return [
        (function.name, [(name, _pattern(pattern)) for name, pattern in packed_results(function)])
        for function in module.functions
        if packed_results(function)
    ]


def _pattern(pattern: Pattern) -> list[str]:
    arrays = pattern._asdict().items()
    lines = [f"      {name}: Int32Array.of({', '.join(map(str, values))})," for name, values in arrays]
    return [wrapped(line, WIDTH, "        ") for line in lines]


def _assembly(module: Module) -> dict[str, object] | None:
    """The iteration that closes loops, if there is one."""
    if module.assembly is None:
        return None
    step = module.function(module.assembly.step)
    inputs = assembly_arguments(module, step)
    output = Argument("q", (module.record.nq,), "", "the closed q; NaN if none was found")
    array = ARRAYS[module.real]
    params = [f"@param {{{array}}} {_described(each)}" for each in inputs]
    made = f"@param {{{array}}} [q] made if it is not given: {argument_text(output)}"
    returned = "@returns {Object} { q, status }: 0 if q is closed, else 1"
    return {
        "comment": _comment(assembly_summary(module.assembly), "", *params, made, returned),
        "arguments": ", ".join(each.name for each in inputs),
        "checks": [*((each.name, each.shape[0]) for each in inputs), ("q", module.record.nq)],
        "places": ", ".join(map(str, module.assembly.places)),
        "most": module.assembly.most,
        "step": module.assembly.step,
        "start": module.assembly.start,
        "starting": ", ".join(start_arguments(module)),
        "passed": ", ".join(["q", *(each.name for each in step.inputs[1:])]),
        "closed": repr(module.assembly.closed),
    }


def _described(argument: Argument) -> str:
    """`name` and what it is, as JSDoc has it."""
    return f"{argument.name} {argument_text(argument).removeprefix(f'{argument.name} ')}"


def _comment(*texts: str) -> tuple[str, ...]:
    """The lines of a comment."""
    return tuple(wrapped(f" * {comment_safe(text)}", WIDTH, " *   ") if text else " *" for text in texts)
