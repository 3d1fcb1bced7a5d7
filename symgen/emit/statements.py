"""Program → code: which values get a name, which are written where they are used, what is written as loops.

C and Python share their expression syntax, so this is written once; a `Dialect` says what differs. Evaluation order is
kept: parentheses stand wherever the program's order is not the language's own. Where a dialect wants it, angles come
first, so that several sines and cosines can be computed at once.
"""

from __future__ import annotations

from symgen.emit.dialect import Code, Dialect, Statement
from symgen.emit.rolling.writer import rolled
from symgen.emit.writer import Writer
from symgen.errors import LimitError
from symgen.program.program import Program


def statements(program: Program, dialect: Dialect) -> tuple[Statement, ...]:
    """The statements of `program`, in order, in a dialect without loops that computes sines where they are needed."""
    return tuple(item for item in code(program, dialect).body if isinstance(item, Statement))


def code(program: Program, dialect: Dialect) -> Code:
    """The code of `program`; output entries come as soon as they are known.

    Raises `LimitError` for a program with parameters: they are baked in before code is made.
    """
    if program.parameters():
        raise LimitError("code is generated from numeric parameters; symbolic ones are for counting")
    return (rolled(program, dialect) if dialect.loops else None) or Writer(program, dialect).run()
