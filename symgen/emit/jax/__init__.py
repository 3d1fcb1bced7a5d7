"""Module → JAX: one file of pure functions, and C++ files that make XLA call the compiled C and CUDA's kernels.

Kernels have run-time parameters in constant memory, so functions by them would not be pure: these are not written.
"""

from __future__ import annotations

from dataclasses import replace

from symgen.emit.c.printer import C_REAL
from symgen.emit.c.words import HEADERS
from symgen.emit.derivatives.known import companions
from symgen.emit.description import init_function, signature
from symgen.emit.environment import WIDTH, render
from symgen.emit.jax.derivatives import Derivatives, derivatives_of
from symgen.emit.jax.printer import LONG, PIECE, WORDS, JaxPrinter
from symgen.emit.jax.runner import run, tool
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.pieces import pieces
from symgen.emit.python.text import PythonFunction, docstring_safe, python_keys
from symgen.emit.text import comment_safe, wrapped
from symgen.emit.tree import Code, Loop
from symgen.program.counts import count
from symgen.program.module import Function, Module


def emit_jax(module: Module) -> dict[str, str]:
    """The source of `module` for JAX: file name → text, `<name>_jax.py`, `<name>_jax_ffi.cc`, `<name>_jax_cuda.cu`."""
    derived = {function.name: derivatives_of(module, function) for function in module.functions}
    made = {each.name: each for found in derived.values() for each in found.made}
    functions = [*([] if module.init is None else [_init(module)]), *module.functions, *made.values()]
    codes = [lower(function.program, JaxPrinter(module, function.name).style) for function in functions]
    text = render(
        "jax/module.py.j2",
        **python_keys(module),
        real=module.real,
        array="np.array",
        dtype="_REAL",
        angles=any(code.angles for code in codes),
        long=any(pieces(code, LONG, PIECE) for code in codes),
        scanned=any(isinstance(item, Loop) for code in codes for item in code.body),
        derived=", ".join(name for name, found in derived.items() if found.first),
        functions=[
            _function(module, function, code, derived.get(function.name, Derivatives()))
            for function, code in zip(functions, codes, strict=True)
        ],
    )
    files = {f"{module.name}_jax.py": text}
    templates = {"ffi.cc": "jax/foreign.cc.j2"} | ({"cuda.cu": "jax/kernels.cu.j2"} if not module.parameters else {})
    for ending, template in templates.items():
        files[f"{module.name}_jax_{ending}"] = render(
            template,
            name=module.name,
            generator=module.record.generator,
            robot=comment_safe(module.record.robot),
            type=C_REAL[module.real],
            xla={"float64": "F64", "float32": "F32"}[module.real],
            functions=[signature(function) for function in module.functions],
        )
    return files


LANGUAGE = Language("jax", emit_jax, words=WORDS, taken=HEADERS, run=run, tool=tool, companions=companions)


def _function(module: Module, function: Function, code: Code, found: Derivatives) -> PythonFunction:
    """A function; its settings are shapes of its arrays, and where its derivatives are."""
    printer, text = JaxPrinter(module, function.name), signature(function, docstring_safe)
    settings = [f"inputs={tuple((each.name, each.size) for each in text.inputs)!r},"]
    settings += [f"outputs={tuple(each.shape for each in text.outputs)!r},"]
    settings += ["derivatives=(", *(f"    {each!r}," for each in found.first), "),"] if found.first else []
    settings += [f"second={found.second!r},"] if found.second else []
    return PythonFunction(
        text,
        printer.body(code),
        f"[{', '.join(each.name for each in text.outputs)}]",
        printer.tables(code),
        tuple(wrapped(line.replace("'", '"'), WIDTH - 4, "    ") for line in settings),
    )


def _init(module: Module) -> Function:
    """The function that makes constants of parameters."""
    made = init_function(module)
    return replace(made, formulation=f"what the functions need of parameters, {count(made.program)}")
