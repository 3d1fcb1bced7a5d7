"""How JAX code writes trees: rows of arrays in lists, which loops stack and take apart again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

from symgen.emit.environment import WIDTH
from symgen.emit.pieces import arrays_of, pieces, points_arrays
from symgen.emit.printer import NAMES
from symgen.emit.python.printer import NO_BREAK, PythonPrinter
from symgen.emit.python.printer import WORDS as PYTHON_WORDS
from symgen.emit.style import Sines
from symgen.emit.text import wrapped
from symgen.emit.tree import ANGLE, COSINE, SINE, TURN, Code, Lookup, Loop, Number
from symgen.program.module import Module
from symgen.program.program import Op

BATCH = "batch"
"""The leading dimensions of all arrays, which loops are told."""

WORDS = PYTHON_WORDS | {"jax", "jnp", "lax", "np", "turn", "piece", BATCH}
"""No variable or argument can be called so: reserved words, and what the module's functions use."""

LONG, PIECE = 200, 100
"""Code with at least so many operations is cut into pieces of about so many: XLA takes more than linear time."""


class JaxPrinter(PythonPrinter):
    """Writes the code of one function of a module; its tables are constants of the module, named after it."""

    words = WORDS
    functions = MappingProxyType(
        {op: f"jnp.{name}" for op, name in NAMES.items()} | {Op.ATAN: "jnp.arctan", Op.NONZERO: "_nonzero"}
    )

    def __init__(self, module: Module, function: str) -> None:
        super().__init__(module.real)
        self.style = replace(self.style, sines=Sines.FIRST, loops=True)
        self._function = function

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
        lines += [self.line(statement) for statement in code.head]
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
            lines += self._loop(item) if isinstance(item, Loop) else [self.line(item)]
        return lines

    def _loop(self, loop: Loop) -> list[str]:
        names, arrays = [each.name for each in loop.carried], list(arrays_of((loop,)))
        tables = [*loop.numbers, *loop.places]
        lines = ["", "    # Names are those of the first turn; ..._last is what the turn before has left."]
        lines += self._many("    def turn(", [TURN, *tables, *names, *arrays], "):")
        lines += [self.line(statement, "        ") for statement in loop.body]
        lines += self._many("        return [", [self.expression(each.after) for each in loop.carried], "]")
        lines.append("")
        before = [self.expression(each.before) for each in loop.carried]
        called = ["turn", f"{loop.times}", f"[{', '.join(map(self._table, tables))}]", f"[{', '.join(before)}]"]
        target = f"[{', '.join(names)}]{NO_BREAK}={NO_BREAK}" if names else ""
        head = f"    {target}_loop("
        return lines + self._many(head, [*called, f"[{', '.join(arrays)}]", BATCH], ")")

    def _many(self, head: str, items: Sequence[str], end: str) -> list[str]:
        return [wrapped(f"{head}{', '.join(items)}{end}", WIDTH, "        ").replace(NO_BREAK, " ")]
