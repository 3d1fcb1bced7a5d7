"""How C++ writes trees: as C does, on numbers of any type `Scalar`, with constants of a type `K` that goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symgen.emit.c.printer import CPrinter
from symgen.emit.c.words import WORDS as C_WORDS
from symgen.emit.printer import ATOM
from symgen.emit.style import Sines, Style, literal
from symgen.emit.tree import Expression, Index, Lookup, Number, Operation, Place
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Module
from symgen.program.program import Op

WORDS = C_WORDS | frozenset(
    """
    Constants EOF HUGE_VAL HUGE_VALF HUGE_VALL INFINITY In K NAN NULL Out Parameters Real Scalar View assert detail
    errno math_errhandling status std stderr stdin stdout
    """.split()  # noqa: SIM905
)
"""No variable, argument or field can be called so: words of C++, macros of its library, and what headers name."""

TAKEN = C_WORDS | frozenset("assert eof errno i386 infinity linux nan null std stderr stdin stdout unix".split())  # noqa: SIM905
"""No namespace can be called so: words of C++, and macros of its library and of compilers."""

LIBRARY = MappingProxyType({Op.SQRT: "sqrt", Op.TANH: "tanh", Op.ATAN: "atan", Op.SIN: "sin", Op.COS: "cos"})
"""Functions that numbers' own libraries have, and else that of C++."""


class CppPrinter(CPrinter):
    """Writes the module's code in C++."""

    functions: Mapping[Op, str] = MappingProxyType(
        {op: f"detail::{name}<Scalar>" for op, name in {**LIBRARY, Op.SIGN: "sign", Op.NONZERO: "nonzero"}.items()}
    )

    def __init__(self, module: Module, *, loops: bool = True) -> None:
        super().__init__(module, "Scalar")
        self.style = Style(module.real, Sines.FIRST, loops=loops, reserved=WORDS)

    def plain(self, value: float) -> str:
        """A literal of the module's real type."""
        return super().number(value)

    def number(self, value: float) -> str:
        """A constant of the type that goes with the scalar."""
        return f"K({self.plain(value)})"

    def cell(self, number: Number) -> str:
        """A number in a table."""
        return self.plain(number.value)

    def entry(self, array: str, index: Index) -> str:
        """An entry of an array, or of a struct that holds run-time parameters or what is made of them."""
        if array == CONSTANTS:
            return f"{CONSTANTS}.k[{self.place(index)}]"
        if array == PARAMETERS and self._module.parameters and isinstance(index, Place) and not index.step:
            return f"{PARAMETERS}.{self._module.parameters[index.start].name}"
        return super().entry(array, index)

    def arguments(self, operation: Operation) -> list[str]:
        """Those of a function of numbers; ours that says what is nearly 0 has a place to say so."""
        return [*map(self.expression, operation.args), *(["status"] if operation.op is Op.NONZERO else [])]

    def pointer(self, name: str) -> str:
        """A parameter that is an array of the function's own."""
        return f"{self.real} *{name}"

    def piece(self, name: str) -> str:
        """What the function of a piece is called by."""
        return f"detail::{name}<{self.real}, K>"

    def _text(self, expression: Expression) -> tuple[str, int]:
        if isinstance(expression, Lookup):
            return f"K({self.lookup(expression)})", ATOM
        if isinstance(expression, Number):
            return self.number(expression.value), ATOM
        return super()._text(expression)


def infinite(value: float, real: str) -> str:
    """A literal, which may be infinite, of the real type."""
    if value in (float("inf"), float("-inf")):
        return "infinity" if value > 0 else "-infinity"
    return literal(value, real) + ("F" if real == "float32" else "")
