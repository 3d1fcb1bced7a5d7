"""Module → C99 for many states: the same programs over vectors of states, in any layout of the arrays.

The vectors are those of GCC and clang, which turn them into whatever the processor has; elsewhere they are single
numbers. Names of arguments stay as they are, those of locals are numbered, so that no two can be the same.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from symgen.emit.c.dialect import C_REAL, WIDTH, declaration, dialect, has, line
from symgen.emit.c.sincos import sincos
from symgen.emit.environment import render
from symgen.emit.statements import Dialect, statements
from symgen.emit.text import wrapped
from symgen.program.module import CONSTANTS, Function, Module
from symgen.program.program import Op

_SHORT = 60
"""Lists of arguments that are longer stand on lines of their own."""

_CALLED = {Op.SQRT: "sqrt", Op.TANH: "tanh", Op.SIGN: "sign"}


@dataclass(frozen=True)
class Call:
    """A function of one number, applied lane by lane."""

    name: str
    text: str


@dataclass(frozen=True)
class BatchArgument:
    """An argument of a function; `vectors` hold its entries in all lanes, `local` those of one lane.

    The others are texts for lists of parameters and of arguments.
    """

    name: str
    step: str
    stride: str
    size: int
    vectors: str
    local: str
    batch: str
    batch_call: str
    strided: str
    lanes: str
    far: str


@dataclass(frozen=True)
class BatchFunction:
    """What the templates need of one function; `inputs` are those that differ from state to state.

    The others are declarations, and lists of parameters and of arguments.
    """

    name: str
    summary: str
    inputs: tuple[BatchArgument, ...]
    outputs: tuple[BatchArgument, ...]
    unused: tuple[str, ...]
    trig: bool
    lines: tuple[str, ...]
    batch: str
    batch_call: str
    strided: str
    lanes: str
    lanes_call: str
    far: str
    far_call: str
    scalar_call: str


def emit_batch(module: Module) -> dict[str, str]:
    """The C sources of the batches of `module`: file name → text, for `<name>_batch.c` and `<name>_batch.h`."""
    functions = tuple(_function(module, function) for function in module.functions)
    suffix = "f" if module.real == "float32" else ""
    programs = [function.program for function in module.functions]
    keys = {
        "name": module.name,
        "macro": module.name.upper(),
        "real": C_REAL[module.real],
        "generator": module.record.generator,
        "functions": functions,
        "sincos": sincos(module.real, "lanes") if any(function.trig for function in functions) else None,
        "called": tuple(_call(op, suffix) for op in _CALLED if any(has(program, op) for program in programs)),
        "libm_sin": f"sin{suffix}",
        "libm_cos": f"cos{suffix}",
    }
    name = f"{module.name}_batch"
    return {f"{name}.c": render("c/batch.c.j2", **keys), f"{name}.h": render("c/batch.h.j2", **keys)}


def _call(op: Op, suffix: str) -> Call:
    name = _CALLED[op]
    return Call(name, "x > 0 ? 1 : x < 0 ? -1 : x" if op is Op.SIGN else f"{name}{suffix}(x)")


def _dialect(module: Module) -> Dialect:
    """How C writes the module's programs over vectors."""
    return replace(
        dialect(module),
        sincos=lambda angle, sine, cosine: f"sincos_lanes(&{angle}, &{sine}, &{cosine}, far)",
        called={op: _lanes_call(name) for op, name in _CALLED.items()},
        spread=lambda text: f"SPREAD({text})",
    )


def _lanes_call(name: str) -> Callable[[str, str], str]:
    return lambda argument, result: f"{name}_lanes(&{argument}, &{result})"


def _function(module: Module, function: Function) -> BatchFunction:
    program = function.program
    arguments = tuple(_argument(module, function, k) for k in range(len(function.inputs) + len(function.outputs)))
    inputs, outputs = arguments[: len(function.inputs)], arguments[len(function.inputs) :]
    trig = has(program, Op.SIN, Op.COS)
    far = ["far"] if trig else []
    used = {i.name for i in program.instructions if i.op is Op.VARIABLE}
    start = f"{module.name}_{function.name}"
    vectors = [argument.vectors for argument in arguments]
    return BatchFunction(
        name=function.name,
        summary=wrapped(f"/* {function.summary} */", WIDTH, " * "),
        inputs=tuple(argument for argument in inputs if argument.name != CONSTANTS),
        outputs=outputs,
        unused=tuple(argument.name for argument in inputs if argument.name not in used),
        trig=trig,
        lines=tuple(line(statement, "lanes") for statement in statements(program, _dialect(module))),
        batch=declaration(f"void {start}_batch", ["size_t count", *(a.batch for a in arguments)]),
        batch_call=_listed(["count", *(a.batch_call for a in arguments)]),
        strided=declaration(f"void {start}_strided", ["size_t count", *(a.strided for a in arguments)]),
        lanes=declaration(
            f"static void {function.name}_lanes",
            [*(a.lanes for a in arguments), *(f"lanes *restrict {name}" for name in far)],
        ),
        lanes_call=_listed([*vectors, *(f"&{name}" for name in far)]),
        far=declaration(f"static void {function.name}_far", [*(a.far for a in arguments), "const lanes *far"]),
        far_call=_listed([*vectors, "&far"]),
        scalar_call=_listed([argument.local for argument in arguments]),
    )


def _listed(texts: Sequence[str]) -> str:
    """A list of arguments, on a line of its own if it is long."""
    text = ", ".join(texts)
    return text if len(text) < _SHORT else "\n" + textwrap.indent(textwrap.fill(text, WIDTH - 12), " " * 12)


def _argument(module: Module, function: Function, number: int) -> BatchArgument:
    arguments = function.inputs + function.outputs
    argument, is_input = arguments[number], number < len(function.inputs)
    if argument.name == CONSTANTS:
        shared = f"const {module.name}_constants *{CONSTANTS}"
        return BatchArgument(CONSTANTS, "", "", 0, CONSTANTS, CONSTANTS, shared, CONSTANTS, shared, shared, shared)
    size = prod(argument.shape)
    name, real = argument.name, C_REAL[module.real]
    taken = {other.name for other in arguments}
    step, stride = (_free(f"{name}_{word}", taken) for word in ("step", "stride"))
    const, place = ("const ", "in") if is_input else ("", "out")
    return BatchArgument(
        name=name,
        step=step,
        stride=stride,
        size=size,
        vectors=f"{place}{number}",
        local=f"one{number}",
        batch=f"{const}{real} *{name}",
        batch_call=f"{name}, {size}, 1",
        strided=f"{const}{real} *{name}, ptrdiff_t {step}, ptrdiff_t {stride}",
        lanes=f"{const}lanes *restrict {name}",
        far=f"{const}lanes *{place}{number}",
    )


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else _free(f"{name}_", taken)
