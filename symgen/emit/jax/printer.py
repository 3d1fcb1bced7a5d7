"""How JAX code writes trees: rows of arrays in lists, which loops stack and take apart again."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from symgen.emit.pieces import arrays_of, pieces, points_arrays
from symgen.emit.printer import Printer
from symgen.emit.style import Sines, Style, literal
from symgen.emit.text import wrapped
from symgen.emit.tree import (
    ANGLE,
    COSINE,
    SINE,
    TURN,
    Assignment,
    Call,
    Code,
    Lookup,
    Loop,
    Number,
    Statement,
)
from symgen.program.module import Module
from symgen.program.program import Op

WIDTH = 100
"""No line of code is longer than this."""

BATCH = "batch"
"""The leading dimensions of all arrays, which loops are told."""

WORDS = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | {"jax", "jnp", "lax", "np", "turn", "piece", BATCH}
"""No variable or argument can be called so: reserved words, and what the module's functions use."""

LONG, PIECE = 200, 100
"""Code with at least so many operations is cut into pieces of about so many: XLA takes more than linear time."""

_NO_BREAK = "\N{NO-BREAK SPACE}"


class JaxPrinter(Printer):
    """Writes the code of one function of a module; its tables are constants of the module, named after it."""

    functions = MappingProxyType(
        {
            Op.SQRT: "jnp.sqrt",
            Op.TANH: "jnp.tanh",
            Op.ATAN: "jnp.arctan",
            Op.SIGN: "jnp.sign",
            Op.NONZERO: "_nonzero",
            Op.SIN: "jnp.sin",
            Op.COS: "jnp.cos",
        }
    )

    def __init__(self, module: Module, function: str) -> None:
        self.style = Style(module.real, Sines.FIRST, loops=True, reserved=WORDS)
        self._real, self._function = module.real, function

    def number(self, value: float) -> str:
        """A literal, which does not widen arrays."""
        return literal(value, self._real)

    def lookup(self, entry: Lookup) -> str:
        """An entry of a table's row, which every turn is given."""
        return f"{entry.table}[{entry.column}]"

    def tables(self, code: Code) -> tuple[str, ...]:
        """The constants that loops need."""
        lines = []
        for loop in (item for item in code.body if isinstance(item, Loop)):
            for name, rows in {**loop.numbers, **loop.places}.items():
                kind = "_REAL" if name in loop.numbers else "np.int32"
                lines += [f"{self._table(name)} = np.array(", "    ["]
                texts = [", ".join(self.number(x.value) if isinstance(x, Number) else str(x) for x in r) for r in rows]
                lines += [wrapped(f"        [{text}],", WIDTH, "         ") for text in texts]
                lines += ["    ],", f"    dtype={kind},", ")"]
        return tuple(lines)

    def _table(self, name: str) -> str:
        return f"_{self._function}_{name}"

    def body(self, code: Code) -> tuple[str, ...]:
        """The statements of the function."""
        found = pieces(code, LONG, PIECE)
        if found is None:
            return (*self._first(code), *self._rest(code))
        lines = self._first(replace(found.code, arrays={**code.arrays, found.kept: found.size}))
        for piece in found.pieces:
            arrays = ", ".join(dict.fromkeys((*points_arrays(piece), *arrays_of(piece.body))))
            lines += ["", *self._many("    def piece(", arrays.split(", "), "):")]
            lines += [f"    {line}".replace("\n", "\n    ") if line else "" for line in self._rest(piece)]
            lines += ["", *self._many("    _piece(", ["piece", f"[{arrays}]", BATCH], ")")]
        return tuple(lines)

    def _first(self, code: Code) -> list[str]:
        """Local arrays, the angles, and their sines and cosines."""
        lines = [f"    {name} = [None] * {size}" for name, size in code.arrays.items()]
        lines += [self._line(statement) for statement in code.head]
        if code.angles:
            lines += self._many(f"    {ANGLE} = [", [self.expression(angle) for angle in code.angles], "]")
            lines.append(f"    {SINE}, {COSINE} = _sincos({ANGLE}, {BATCH})")
        return lines

    def _rest(self, code: Code) -> list[str]:
        """The names of sines and cosines, and what comes then."""
        lines = []
        for place, names in enumerate(code.points):
            lines += [f"    {n} = {array}[{place}]" for n, array in zip(names, (SINE, COSINE), strict=True) if n]
        for item in code.body:
            lines += self._loop(item) if isinstance(item, Loop) else [self._line(item)]
        return lines

    def _loop(self, loop: Loop) -> list[str]:
        names, arrays = [each.name for each in loop.carried], list(arrays_of((loop,)))
        tables = [*loop.numbers, *loop.places]
        lines = ["", "    # Names are those of the first turn; ..._last is what the turn before has left."]
        lines += self._many("    def turn(", [TURN, *tables, *names, *arrays], "):")
        lines += [self._line(statement, "        ") for statement in loop.body]
        lines += self._many("        return [", [self.expression(each.after) for each in loop.carried], "]")
        lines.append("")
        before = [self.expression(each.before) for each in loop.carried]
        called = ["turn", f"{loop.times}", f"[{', '.join(map(self._table, tables))}]", f"[{', '.join(before)}]"]
        target = f"[{', '.join(names)}]{_NO_BREAK}={_NO_BREAK}" if names else ""
        head = f"    {target}_loop("
        return lines + self._many(head, [*called, f"[{', '.join(arrays)}]", BATCH], ")")

    def _many(self, head: str, items: Sequence[str], end: str) -> list[str]:
        return [wrapped(f"{head}{', '.join(items)}{end}", WIDTH, "        ").replace(_NO_BREAK, " ")]

    def _line(self, statement: Statement, indent: str = "    ") -> str:
        assert not isinstance(statement, Call)
        target = statement.name if isinstance(statement, Assignment) else self.expression(statement.entry)
        text = self.expression(statement.value)
        if len(line := f"{indent}{target} = {text}") <= WIDTH:
            return line
        # Python ends a statement at a line's end unless a parenthesis is open: no break before it is.
        head = f"{indent}{target} = (".replace(" ", _NO_BREAK)
        return wrapped(f"{head}{text})", WIDTH, f"{indent}    ").replace(_NO_BREAK, " ")
