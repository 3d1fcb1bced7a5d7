"""Module → Python: one file of NumPy functions, batched over leading dimensions, needing nothing but NumPy."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from types import MappingProxyType

from symgen.emit.description import signature
from symgen.emit.environment import WIDTH, render
from symgen.emit.language import Language
from symgen.emit.printer import NAMES
from symgen.emit.python.printer import WORDS, PythonPrinter
from symgen.emit.python.runner import run, tool
from symgen.emit.python.text import PythonFunction, docstring_safe, python_keys
from symgen.emit.tree import Index
from symgen.errors import OBJECTS
from symgen.program.module import Argument, Function, Module
from symgen.program.program import Op

NUMPY_REAL = {"float64": "np.float64", "float32": "np.float32"}
"""NumPy's name of each real type."""

TAKEN = frozenset(word.lower() for word in (*WORDS, *sys.stdlib_module_names, "numpy", "symgen"))
"""A module that was called so could not be imported, or would hide another."""

_OF_NUMBERS = (Op.SIN, Op.COS, Op.SQRT, Op.TANH, Op.ATAN, Op.SIGN)
"""Functions of one number, in the order in which a module makes them."""

_MESSAGE = 78


class NumpyPrinter(PythonPrinter):
    """Writes code with NumPy; functions have an underscore before their names, and take objects, too."""

    functions = MappingProxyType({op: f"_{name}" for op, name in NAMES.items()})

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array for every state."""
        return f"{array}[..., {self.place(index)}]"


def emit_python(module: Module) -> dict[str, str]:
    """The Python source of `module`: file name → text, for `<name>.py`."""
    printer = NumpyPrinter(module.real)
    text = render(
        "python/module.py.j2",
        **python_keys(module),
        real=NUMPY_REAL[module.real],
        array="np.array",
        dtype=NUMPY_REAL[module.real],
        functions=[_function(printer, function) for function in module.functions],
        functions_of_numbers=[NAMES[op] for op in _OF_NUMBERS if module.uses(op)],
        objects=textwrap.wrap(OBJECTS, _MESSAGE, drop_whitespace=False),
        init_lines=() if module.init is None else printer.lines(module.init),
    )
    return {f"{module.name}.py": text}


LANGUAGE = Language("python", emit_python, words=WORDS, taken=TAKEN, run=run, tool=tool)


def _function(printer: PythonPrinter, function: Function) -> PythonFunction:
    return PythonFunction(
        signature(function, docstring_safe),
        printer.lines(function.program),
        _returned([_result(argument) for argument in function.outputs]),
    )


def _result(argument: Argument) -> str:
    """How a flat output array is returned: as it is, as a matrix, or as a number where there is no batch."""
    if len(argument.shape) == 1:
        return argument.name
    if not argument.shape:
        return f"{argument.name}[..., 0][()]"
    return f"{argument.name}.reshape(*batch, {', '.join(map(str, argument.shape))})"


def _returned(results: Sequence[str]) -> str:
    """What a function returns; one result a line where they are long."""
    line = ", ".join(results)
    if len(f"    return {line}") <= WIDTH:
        return line
    return "(\n" + "".join(f"        {result},\n" for result in results) + "    )"
