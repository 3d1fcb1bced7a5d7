"""Errors, split by whose fault they are: the input's, the machine's, a limit of symgen, or a bug of symgen.

Every message says where, what was expected, what was found and what to do. The command line prints
the message of a `SymgenError` without a traceback and exits with `exit_code`.
"""

from __future__ import annotations

from dataclasses import dataclass

OBJECTS = (
    "symbols of other libraries go to code in their own language (symgen generate --lang) or, as an array, "
    "np.array(..., dtype=object), to the functions of the generated NumPy module"
)
"""What to do with objects that functions of numbers are given."""

SHOWN_PROBLEMS = 50
"""The message on a robot file lists no more problems than this; the error holds them all."""


class SymgenError(Exception):
    """Base of all errors symgen raises on purpose."""

    exit_code = 2


class InputError(SymgenError):
    """The input (a robot file, an option, an argument) is at fault."""


class EnvironmentFault(SymgenError):  # noqa: N818 — EnvironmentError is a builtin
    """The machine is at fault: no compiler, a directory that cannot be written, a full disk."""


class CompilerError(EnvironmentFault):
    """The C compiler was found and failed; the message holds its command and its own words."""


class LimitError(SymgenError):
    """The input is legitimate, but symgen does not do this (yet)."""


class VerificationError(SymgenError):
    """A generated function disagrees with its oracle."""

    exit_code = 1


class InternalError(SymgenError):
    """A bug of symgen: one of its own checks failed."""

    exit_code = 3


@dataclass(frozen=True)
class Problem:
    """One thing wrong in a robot file: where it stands, what is wrong, what to do."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"


class RobotFileError(InputError):
    """All problems of one robot file, reported together."""

    def __init__(self, source: str, problems: tuple[Problem, ...]) -> None:
        self.source = source
        self.problems = problems
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        shown = [str(problem) for problem in problems[:SHOWN_PROBLEMS]]
        if len(problems) > SHOWN_PROBLEMS:
            shown.append(f"and {len(problems) - SHOWN_PROBLEMS} more")
        lines = "\n".join(f"  {line}" for line in shown)
        super().__init__(f"{source}: {count}\n{lines}")
