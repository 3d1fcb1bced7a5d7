"""What the templates of a package see: one flat, typed record; every text is ready to stand where it is used."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from symgen.emit.c.printer import C_REAL
from symgen.emit.python.text import docstring_safe
from symgen.emit.text import argument_text, free_notes, packed_results, robot_lines, wrapped
from symgen.package.rows import ROUNDING, WIDTH, Result, Row, Vectors, c_row, c_rows
from symgen.program.counts import count
from symgen.program.module import CONSTANTS, Argument, Function, JointRecord, Module, Parameter, PositionRecord
from symgen.program.program import Op
from symgen.version import __version__

EXAMPLE = "inverse_dynamics"
"""The function that examples call, where a module has it."""

_CONVENTIONS = {
    "placed": (
        "Links are placed by Txyz Rz(yaw) Ry(pitch) Rx(roll), rpy = (roll, pitch, yaw), in their parents' frames.\n"
        "  A joint moves about or along its axis, given in the link's frame."
    ),
    "standard": (
        "A row is Rz(theta) Tz(b) Tx(a) Rx(alpha).\n"
        "  The joint acts on z of the frame before the row, and the link's frame is at its far end."
    ),
    "modified": (
        "A row is Rz(gamma) Tz(before) Rx(alpha) Tx(a)\n  Rz(theta) Tz(d). The joint acts on z of the link's own frame."
    ),
}

_REALS = {"float64": "double precision", "float32": "single precision (float)"}


@dataclass(frozen=True)
class ArrayKeys:
    """An input: its rows are C initializers, one for each state; `text` and `declaration` are for the example."""

    name: str
    size: int
    text: str
    rows: tuple[str, ...]
    declaration: str


@dataclass(frozen=True)
class ArrayRow:
    """A row of the README's table of arrays."""

    name: str
    shape: str
    unit: str
    meaning: str


@dataclass(frozen=True)
class OutputKeys:
    """An output of a function, with the values that the self-test expects."""

    name: str
    size: int
    rows: tuple[str, ...]
    tolerance: str


@dataclass(frozen=True)
class FunctionKeys:
    """A function: calls in C, signatures in Python, cells of the README."""

    name: str
    summary: str
    formulation: str
    counts: str
    takes_constants: bool
    inputs: tuple[ArrayKeys, ...]
    outputs: tuple[OutputKeys, ...]
    input_texts: tuple[str, ...]
    output_texts: tuple[str, ...]
    test_call: str
    example_call: str
    python_arguments: str
    argument_literals: str
    python_inputs: str
    python_outputs: str
    argument_cell: str
    result_cell: str


@dataclass(frozen=True)
class ParameterKeys:
    """Run-time parameters: C initializers of the test's sets, entries of Python's dict, rows of the README."""

    first: str
    note: str
    rows: tuple[str, ...]
    entries: tuple[str, ...]
    rows_of_table: tuple[Parameter, ...]


@dataclass(frozen=True)
class PackageKeys:
    """Everything that the templates of a package see."""

    name: str
    macro: str
    target: str
    package: str
    version: str
    generator: str
    real: str
    dtype: str
    to_double: str
    nq: int
    nv: int
    joints: tuple[str, ...]
    joint_rows: tuple[JointRecord, ...]
    positions: tuple[str, ...]
    position_rows: tuple[PositionRecord, ...]
    free_notes: tuple[str, ...]
    robot: tuple[str, ...]
    robot_plain: tuple[str, ...]
    arrays: tuple[ArrayRow, ...]
    functions: tuple[FunctionKeys, ...]
    inputs: tuple[ArrayKeys, ...]
    example: FunctionKeys
    parameters: ParameterKeys | None
    regressor: tuple[Parameter, ...]
    packed: bool
    renamed: tuple[tuple[str, str], ...]
    states: int
    rounding: int
    solves: bool
    name_width: int
    result_width: int
    convention: str
    convention_text: str
    gravity_text: str
    real_text: str
    source: str
    cc_line: str
    cc_example: str
    python_example: str


def package_keys(module: Module, vectors: Vectors, renamed: tuple[tuple[str, str], ...]) -> PackageKeys:
    """The record for `module`."""
    record, name = module.record, module.name
    functions = tuple(_function(module, function, vectors) for function in module.functions)
    example = next((function for function in functions if function.name == EXAMPLE), functions[0])
    inputs = {array.name: array for function in functions for array in function.inputs}
    cc = "cc -std=c99 -O2 -Iinclude"
    return PackageKeys(
        name=name,
        macro=name.upper(),
        target=f"{name}_dynamics",
        package=f"{name}_dynamics",
        version=__version__,
        generator=record.generator,
        real=C_REAL[module.real],
        dtype=module.real,
        to_double="" if module.real == "float64" else "(double)",
        nq=record.nq,
        nv=record.nv,
        joints=tuple(joint.name for joint in record.joints),
        joint_rows=record.joints,
        positions=tuple(position.name for position in record.positions),
        position_rows=record.positions,
        free_notes=tuple(free_notes(record)) if record.free else (),
        robot=tuple(map(docstring_safe, robot_lines(module))),
        robot_plain=robot_lines(module),
        arrays=_arrays(module),
        functions=functions,
        inputs=tuple(inputs.values()),
        example=example,
        parameters=_parameters(module, vectors),
        regressor=module.regressor.parameters if module.regressor is not None else (),
        packed=any(map(packed_results, module.functions)),
        renamed=renamed,
        states=vectors.states,
        rounding=ROUNDING[module.real],
        solves=any(i.op is Op.DIV for function in module.functions for i in function.program.instructions),
        name_width=max(len(function.name) for function in functions),
        result_width=max(len(output.name) for function in functions for output in function.outputs),
        convention=record.convention,
        convention_text=_CONVENTIONS.get(record.convention, ""),
        gravity_text=_gravity(module),
        real_text=_REALS[module.real],
        source=_prose(record.source) or "as given by the user",
        cc_line=f"{cc} main.c src/{name}.c -lm",
        cc_example=f"{cc} examples/example.c src/{name}.c -lm -o example",
        python_example=_python_example(module, example),
    )


def _function(module: Module, function: Function, vectors: Vectors) -> FunctionKeys:
    inputs = tuple(argument for argument in function.inputs if argument.name != CONSTANTS)
    takes_constants = len(inputs) < len(function.inputs)
    names = [argument.name for argument in inputs]
    constants = ["&constants"] if takes_constants else []
    results = vectors.results[function.name]
    outputs = [argument.name for argument in function.outputs]
    call = f"{module.name}_{function.name}"
    test_arguments = [f"in_{n}[state]" for n in names] + constants + [f"out_{n}" for n in outputs]
    return FunctionKeys(
        name=function.name,
        summary=function.summary,
        formulation=function.formulation,
        counts=str(count(function.program)),
        takes_constants=takes_constants,
        inputs=tuple(_input(module, argument, vectors.inputs[argument.name]) for argument in inputs),
        outputs=tuple(_output(argument, results[argument.name]) for argument in function.outputs),
        input_texts=tuple(map(argument_text, inputs)),
        output_texts=tuple(map(argument_text, function.outputs)),
        test_call=wrapped(f"{call}({', '.join(test_arguments)});", WIDTH - 8, " " * 12),
        example_call=wrapped(f"{call}({', '.join([*names, *constants, *outputs])});", WIDTH - 4, " " * 8),
        python_arguments=", ".join(names),
        argument_literals=", ".join(f'"{name}"' for name in names),
        python_inputs=_pairs([(argument.name, str(argument.shape[0])) for argument in inputs]),
        python_outputs=_pairs([(argument.name, repr(argument.shape)) for argument in function.outputs]),
        argument_cell=", ".join(map(_cell, inputs)),
        result_cell=", ".join(map(_cell, function.outputs)),
    )


def _pairs(entries: list[tuple[str, str]]) -> str:
    """A Python list of (name, number or shape)."""
    return "[" + ", ".join(f'("{name}", {text})' for name, text in entries) + "]"


def _cell(argument: Argument) -> str:
    return f"{argument.name} ({_shape(argument)})"


def _shape(argument: Argument) -> str:
    return " x ".join(map(str, argument.shape)) or "1"


def _arrays(module: Module) -> tuple[ArrayRow, ...]:
    """Every array that functions take or give, once."""
    arguments = [a for f in module.functions for a in (*f.inputs, *f.outputs) if a.name != CONSTANTS]
    rows = [ArrayRow(a.name, _shape(a), a.unit, a.description) for a in arguments]
    return tuple(dict.fromkeys(rows))


def _input(module: Module, argument: Argument, rows: tuple[Row, ...]) -> ArrayKeys:
    size = prod(argument.shape)
    declaration = f"    const {C_REAL[module.real]} {argument.name}[{size}] = {c_row(rows[0], module.real)};"
    return ArrayKeys(
        name=argument.name,
        size=size,
        text=argument_text(argument),
        rows=c_rows(rows, module.real),
        declaration=wrapped(declaration, WIDTH, " " * 8),
    )


def _output(argument: Argument, result: Result) -> OutputKeys:
    rows = c_rows(result.expected, "float64", indent=8)
    return OutputKeys(argument.name, prod(argument.shape), rows, repr(result.tolerance))


def _parameters(module: Module, vectors: Vectors) -> ParameterKeys | None:
    if module.init is None:
        return None
    return ParameterKeys(
        first=module.parameters[0].name,
        note=module.parameters_note,
        rows=c_rows(vectors.parameters, module.real),
        entries=tuple(
            f'"{p.name}": {p.default!r},  # {docstring_safe(p.unit)}: {docstring_safe(p.meaning)}'
            for p in module.parameters
        ),
        rows_of_table=module.parameters,
    )


def _gravity(module: Module) -> str:
    runtime = any(argument.name == "gravity" for function in module.functions for argument in function.inputs)
    return f"an argument; the robot file has {module.record.gravity}" if runtime else module.record.gravity


def _python_rest(module: Module, array: ArrayKeys) -> str:
    """Where no joint moves its link, for an input of the example; gravity is what it is on Earth."""
    known: dict[str, tuple[float, ...]] = {"gravity": (0.0, 0.0, -9.81), "q": module.record.neutral}
    return f"[{', '.join(map(repr, known.get(array.name, (0.0,) * array.size)))}]"


def _python_example(module: Module, example: FunctionKeys) -> str:
    """A call at rest, which any robot has."""
    zeros = ", ".join(f"{array.name}={_python_rest(module, array)}" for array in example.inputs)
    results = ", ".join(output.name for output in example.outputs)
    return f"{results} = {module.name}.{example.name}({zeros})"


def _prose(text: str) -> str:
    """Free text that means nothing to Markdown but itself."""
    return "".join(f"\\{character}" if character in "\\`*_{}[]<>#|!~" else character for character in text)
