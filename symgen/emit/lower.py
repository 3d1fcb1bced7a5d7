"""Program → tree: straight, or with loops where a language wants them and the program is long and repeats itself."""

from __future__ import annotations

from symgen.emit.rerolling.lowering import rolled
from symgen.emit.straight import Lowering
from symgen.emit.style import Style
from symgen.emit.tree import Code
from symgen.errors import LimitError
from symgen.program.program import Program


def lower(program: Program, style: Style) -> Code:
    """The tree of `program`; output entries come as soon as they are known.

    Raises `LimitError` for a program with parameters: they are baked in before code is made.
    """
    if program.parameters():
        raise LimitError("code is generated from numeric parameters; symbolic ones are for counting")
    return (rolled(program, style) if style.loops else None) or Lowering(program, style).run()
