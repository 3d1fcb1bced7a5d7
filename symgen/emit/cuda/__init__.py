"""Module → CUDA: kernels in which each thread computes one state, arrays by entry, and functions that launch them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from symgen.emit.c.printer import C_REAL, declaration
from symgen.emit.c.words import HEADERS
from symgen.emit.cuda.printer import COUNT, WORDS, CudaPrinter
from symgen.emit.cuda.residency import THREADS, blocks
from symgen.emit.cuda.runner import run
from symgen.emit.description import Signature, Writing, described, signature
from symgen.emit.environment import render
from symgen.emit.host import compiler
from symgen.emit.language import Language
from symgen.emit.text import comment_safe
from symgen.emit.written import whole
from symgen.program.hoist import PARAMETERS
from symgen.program.interpreter import evaluate
from symgen.program.module import CONSTANTS, Argument, Function, Module


@dataclass(frozen=True)
class CudaFunction:
    """What the templates need of one function; `blocks` are to be resident on a multiprocessor together."""

    text: Signature
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
        **vars(described(module, Writing(printer.number, ("INFINITY", "-INFINITY"), comment_safe))),
        "real": C_REAL[module.real],
        "suffix": "f" if module.real == "float32" else "",
        "threads": THREADS,
        "functions": [_function(module, function) for function in module.functions],
        "defaults": [printer.number(value) for value in _defaults(module)],
        "init_lines": () if module.init is None else whole(printer, module.init),
    }
    return {
        f"{module.name}_cuda.cu": render("cuda/module.cu.j2", **keys),
        f"{module.name}_cuda.h": render("cuda/module.h.j2", **keys),
    }


LANGUAGE = Language("cuda", emit_cuda, words=WORDS, taken=HEADERS, fields=True, run=run, tool=compiler)


def _function(module: Module, function: Function) -> CudaFunction:
    printer, text = CudaPrinter(module, function), signature(function, comment_safe)
    inputs = [argument for argument in function.inputs if argument.name != CONSTANTS]
    arguments = [*inputs, *function.outputs]
    given = [_parameter(module, argument, argument in inputs) for argument in arguments]
    name = f"{module.name}_{function.name}"
    return CudaFunction(
        text=text,
        kernel=declaration(f"{name}_kernel", [f"size_t {COUNT}", *(text.format("__restrict__ ") for text in given)]),
        launcher=declaration(
            f"int {name}_cuda", [f"size_t {COUNT}", *(text.format("") for text in given), "void *stream"]
        ),
        arguments=", ".join([COUNT, *(argument.name for argument in arguments)]),
        unused=tuple(a.name for a in inputs if a.name in text.unused or not prod(a.shape)),
        lines=whole(printer, function.program),
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
