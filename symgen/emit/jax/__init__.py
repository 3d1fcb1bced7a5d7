"""Module → JAX: one file of pure functions, and C++ files that make XLA call the compiled C and CUDA's kernels.

Kernels have run-time parameters in constant memory, so functions by them would not be pure: these are not written.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from symgen.emit.c.printer import C_REAL
from symgen.emit.c.words import HEADERS
from symgen.emit.casadi.known import companions
from symgen.emit.environment import render
from symgen.emit.jax.derivatives import Derivatives, derivatives_of
from symgen.emit.jax.foreign import foreign_functions
from symgen.emit.jax.printer import LONG, PIECE, WIDTH, WORDS, JaxPrinter
from symgen.emit.jax.runner import run, tool
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.pieces import pieces
from symgen.emit.python.text import (
    docstring_safe,
    documentation,
    python_assembly,
    python_number,
    python_parameters,
    python_patterns,
    python_regressor,
)
from symgen.emit.text import (
    PACKED,
    assembly_arguments,
    comment_safe,
    function_text,
    legend,
    neutral_text,
    robot_lines,
    wrapped,
)
from symgen.emit.tree import Code, Loop
from symgen.program.counts import count
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Argument, Function, Module
from symgen.program.program import Op


@dataclass(frozen=True)
class JaxFunction:
    """What the template needs of one function; `decorator` are the lines that say what it takes and returns."""

    name: str
    arguments: tuple[str, ...]
    documentation: tuple[str, ...]
    tables: tuple[str, ...]
    decorator: tuple[str, ...]
    outputs: tuple[tuple[str, int], ...]
    lines: tuple[str, ...]
    returned: str


def emit_jax(module: Module) -> dict[str, str]:
    """The source of `module` for JAX: file name → text, `<name>_jax.py`, `<name>_jax_ffi.cc`, `<name>_jax_cuda.cu`."""
    derived = {function.name: derivatives_of(module, function) for function in module.functions}
    made = {each.name: each for found in derived.values() for each in found.made}
    functions = [*([] if module.init is None else [_init(module)]), *module.functions, *made.values()]
    codes = [lower(function.program, JaxPrinter(module, function.name).style) for function in functions]
    record = module.record
    keys = {
        "name": module.name,
        "generator": record.generator,
        "real": module.real,
    }
    text = render(
        "jax/module.py.j2",
        **keys,
        robot=tuple(map(docstring_safe, robot_lines(module))),
        legend=legend(module),
        nonzero=module.uses(Op.NONZERO),
        nq=record.nq,
        nv=record.nv,
        free=not record.is_plain,
        assembly=_assembly(module),
        neutral=module.neutral,
        neutral_text=neutral_text(module),
        positions=tuple(position.name for position in record.positions),
        joints=tuple(joint.name for joint in record.joints),
        limits=[(each, [python_number(value) for value in each.values]) for each in record.limits],
        angles=any(code.angles for code in codes),
        long=any(pieces(code, LONG, PIECE) for code in codes),
        loops=any(isinstance(item, Loop) for code in codes for item in code.body),
        derived=", ".join(name for name, found in derived.items() if found.first),
        functions=[
            _function(module, function, code, derived.get(function.name, Derivatives()))
            for function, code in zip(functions, codes, strict=True)
        ],
        patterns=python_patterns(module),
        packed_text=wrapped(PACKED, WIDTH, "").split("\n"),
        parameters=python_parameters(module, ()),
        regressor=python_regressor(module),
    )
    files = {f"{module.name}_jax.py": text}
    templates = {"ffi.cc": "jax/foreign.cc.j2"} | ({"cuda.cu": "jax/kernels.cu.j2"} if not module.parameters else {})
    for ending, template in templates.items():
        files[f"{module.name}_jax_{ending}"] = render(
            template,
            **keys,
            robot=comment_safe(record.robot),
            type=C_REAL[module.real],
            xla={"float64": "F64", "float32": "F32"}[module.real],
            functions=foreign_functions(module),
        )
    return files


LANGUAGE = Language("jax", emit_jax, words=WORDS, taken=HEADERS, run=run, tool=tool, companions=companions)


def _function(module: Module, function: Function, code: Code, found: Derivatives) -> JaxFunction:
    printer = JaxPrinter(module, function.name)
    inputs = tuple((argument.name, argument.shape[0]) for argument in function.inputs)
    decorator = [f"inputs={inputs!r},", f"outputs={tuple(argument.shape for argument in function.outputs)!r},"]
    decorator += ["derivatives=(", *(f"    {each!r}," for each in found.first), "),"] if found.first else []
    decorator += [f"second={found.second!r},"] if found.second else []
    return JaxFunction(
        name=function.name,
        arguments=(*(argument.name for argument in function.inputs), "batch"),
        documentation=documentation(function_text(function)),
        tables=printer.tables(code),
        decorator=tuple(wrapped(line.replace('"', "'"), WIDTH - 4, "    ").replace("'", '"') for line in decorator),
        outputs=tuple((argument.name, prod(argument.shape)) for argument in function.outputs),
        lines=printer.body(code),
        returned=f"[{', '.join(argument.name for argument in function.outputs)}]",
    )


def _assembly(module: Module) -> dict[str, object] | None:
    """The iteration that closes loops, if there is one, and the text of its arguments' leading shapes."""
    found = python_assembly(module)
    if found is None or module.assembly is None:
        return None
    arguments = assembly_arguments(module, module.function(module.assembly.step))
    return found | {"shapes": ", ".join(f"{argument.name}.shape[:-1]" for argument in arguments)}


def _init(module: Module) -> Function:
    """The function that makes constants of parameters."""
    assert module.init is not None
    return Function(
        name="init",
        summary="The constants of values of the parameters.",
        formulation=f"what the functions need of parameters, {count(module.init)}",
        inputs=(Argument(PARAMETERS, (len(module.parameters),), "", "values in the order of PARAMETERS"),),
        outputs=(Argument(CONSTANTS, (module.constants_size,), "", "what the functions need of them"),),
        program=module.init,
    )
