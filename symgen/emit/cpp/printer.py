"""How C++ writes trees: as C does, on numbers of any type `Scalar`, with constants of a type `K` that goes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from symgen.emit.c.printer import CPrinter
from symgen.emit.c.words import WORDS as C_WORDS
from symgen.emit.printer import ATOM, NAMES
from symgen.emit.style import Sines, Style
from symgen.emit.tree import ANGLE, COSINE, SINE, Code, Expression, Lookup, Number, Operation
from symgen.program.module import Module
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

LIBRARY = {op: name for op, name in NAMES.items() if op not in (Op.SIGN, Op.NONZERO)}
"""Functions that numbers' own libraries have, and else that of C++."""


class CppPrinter(CPrinter):
    """Writes the module's code in C++."""

    functions: Mapping[Op, str] = MappingProxyType({op: f"detail::{name}<Scalar>" for op, name in NAMES.items()})

    pointer, point = "{real} *{name}", "const {real} *{name}"
    member = "{}.{}"
    piece = "detail::{name}<{real}, K>"

    def __init__(self, module: Module, *, loops: bool = True) -> None:
        super().__init__(module, "Scalar", loops=loops)
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

    def arguments(self, operation: Operation) -> list[str]:
        """Those of a function of numbers; ours that says what is nearly 0 has a place to say so."""
        return [*map(self.expression, operation.args), *(["status"] if operation.op is Op.NONZERO else [])]

    def sincos(self, code: Code) -> Sequence[str]:
        """The statement that sets the sines and cosines of the angles."""
        return [f"    detail::sincos<{len(code.angles)}>({ANGLE}, {SINE}, {COSINE});"]

    def _text(self, expression: Expression) -> tuple[str, int]:
        if isinstance(expression, Lookup):
            return f"K({self.lookup(expression)})", ATOM
        if isinstance(expression, Number):
            return self.number(expression.value), ATOM
        return super()._text(expression)
