"""Module → CUDA: kernels in which each thread computes one state, arrays by entry, and functions that launch them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from symgen.emit.c.printer import C_REAL, WIDTH, declaration
from symgen.emit.c.words import HEADERS
from symgen.emit.cuda.printer import COUNT, WORDS, CudaPrinter
from symgen.emit.cuda.residency import THREADS, blocks
from symgen.emit.cuda.runner import run
from symgen.emit.environment import render
from symgen.emit.host import compiler
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.text import argument_text, comment_safe, function_text, legend, parameter_lines, robot_lines, wrapped
from symgen.program.hoist import PARAMETERS
from symgen.program.interpreter import evaluate
from symgen.program.module import CONSTANTS, Argument, Function, Module
from symgen.program.program import Op


@dataclass(frozen=True)
class CudaFunction:
    """What the templates need of one function; `blocks` are to be resident on a multiprocessor together."""

    name: str
    comment: tuple[str, ...]
    kernel: str
    launcher: str
    arguments: str
    unused: tuple[str, ...]
    lines: tuple[str, ...]
    blocks: int


def emit_cuda(module: Module) -> dict[str, str]:
    """The CUDA source of `module` and its header: file name → text, for `<name>_cuda.cu` and `<name>_cuda.h`."""
    printer = CudaPrinter(module, None)
    keys = {
        "name": module.name,
        "macro": module.name.upper(),
        "real": C_REAL[module.real],
        "number": printer.number,
        "suffix": "f" if module.real == "float32" else "",
        "generator": module.record.generator,
        "robot": tuple(map(comment_safe, robot_lines(module))),
        "legend": legend(module),
        "nq": module.record.nq,
        "nv": module.record.nv,
        "threads": THREADS,
        "sign": module.uses(Op.SIGN),
        "nonzero": module.uses(Op.NONZERO),
        "functions": [_function(module, function) for function in module.functions],
        "parameters": module.parameters,
        "parameter_texts": [
            wrapped(f" *   {comment_safe(line)}", WIDTH, " *       ") for line in parameter_lines(module)
        ],
        "constants": module.constants_size,
        "defaults": _defaults(module),
        "init": () if module.init is None else printer.lines(lower(module.init, printer.style)),
    }
    return {
        f"{module.name}_cuda.cu": render("cuda/module.cu.j2", **keys),
        f"{module.name}_cuda.h": render("cuda/module.h.j2", **keys),
    }


LANGUAGE = Language("cuda", emit_cuda, words=WORDS, taken=HEADERS, fields=True, run=run, tool=compiler)


def _function(module: Module, function: Function) -> CudaFunction:
    printer, text = CudaPrinter(module, function), function_text(function)
    used = {i.name for i in function.program.instructions if i.op is Op.VARIABLE}
    inputs = [argument for argument in function.inputs if argument.name != CONSTANTS]
    arguments = [*inputs, *function.outputs]
    given = [_parameter(module, argument, argument in inputs) for argument in arguments]
    comment = [wrapped(f"/* {text.summary}", WIDTH, " *   "), " *"]
    comment += [
        wrapped(f" *   {'in ' if argument in inputs else 'out'}  {argument_text(argument)}", WIDTH, " *          ")
        for argument in arguments
    ]
    comment += [" *", wrapped(f" * Formulation: {text.formulation}.", WIDTH, " *   "), f" * Operations: {text.counts}."]
    name = f"{module.name}_{function.name}"
    return CudaFunction(
        name=function.name,
        comment=tuple(comment),
        kernel=declaration(f"{name}_kernel", [f"size_t {COUNT}", *(text.format("__restrict__ ") for text in given)]),
        launcher=declaration(
            f"int {name}_cuda", [f"size_t {COUNT}", *(text.format("") for text in given), "void *stream"]
        ),
        arguments=", ".join([COUNT, *(argument.name for argument in arguments)]),
        unused=tuple(argument.name for argument in inputs if argument.name not in used or not prod(argument.shape)),
        lines=printer.lines(lower(function.program, printer.style)),
        blocks=blocks(function.program, module.real),
    )


def _defaults(module: Module) -> list[float]:
    """The constants of the parameters' defaults."""
    if module.init is None:
        return []
    given = np.array([parameter.default for parameter in module.parameters], dtype=module.real)
    return [float(value) for value in np.ravel(evaluate(module.init, {PARAMETERS: given})[CONSTANTS])]


def _parameter(module: Module, argument: Argument, is_input: bool) -> str:
    """The parameter of an array, with a place for what says that nothing else is there."""
    return f"{'const ' * is_input}{C_REAL[module.real]} *{{}}{argument.name}"
