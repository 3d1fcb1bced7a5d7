"""How PyTorch code writes programs: straight lines on rows, which are tensors with an entry for every state."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from types import MappingProxyType

from symgen.emit.lower import lower
from symgen.emit.printer import Printer
from symgen.emit.python.text import WIDTH
from symgen.emit.style import Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import Assignment, Store
from symgen.program.program import Op, Program

WORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | {"torch"}
"""No variable or argument can be called so: reserved words, and what the module's functions use."""

_NO_BREAK = "\N{NO-BREAK SPACE}"


class TorchPrinter(Printer):
    """Writes the code of functions; numbers are Python's, which change neither the type nor the device of tensors."""

    functions: Mapping[Op, str] = MappingProxyType(
        {
            Op.SQRT: "torch.sqrt",
            Op.TANH: "torch.tanh",
            Op.ATAN: "torch.atan",
            Op.SIGN: "_sign",
            Op.NONZERO: "_nonzero",
            Op.SIN: "torch.sin",
            Op.COS: "torch.cos",
        }
    )

    def __init__(self, real: str) -> None:
        self._real = real

    def number(self, value: float) -> str:
        """A literal."""
        return literal(value, self._real)

    def lines(self, program: Program) -> tuple[str, ...]:
        """The body of a function."""
        code = lower(program, Style(self._real, reserved=WORDS))
        return tuple(self._line(item) for item in code.body if isinstance(item, Assignment | Store))

    def _line(self, statement: Assignment | Store) -> str:
        target = statement.name if isinstance(statement, Assignment) else self.expression(statement.entry)
        text = self.expression(statement.value)
        if len(line := f"    {target} = {text}") <= WIDTH:
            return line
        # Python ends a statement at a line's end unless a parenthesis is open: no break before it is.
        head = f"    {target} = (".replace(" ", _NO_BREAK)
        return wrapped(f"{head}{text})", WIDTH, "        ").replace(_NO_BREAK, " ")
