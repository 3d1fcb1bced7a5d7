"""The corridor: load → derive → optimise → emit → build → verify, a few short functions.

    load      name or path           → Robot
    derive    Robot                  → Derivation: a Module of optimised programs, counts after each pass
    emit      Module                 → Sources: C and Python text
    build     Derivation, Sources    → DynamicsModule: compiled and callable
    verify    Robot, DynamicsModule  → Report against an oracle that shares no code with the derivation
    write     Sources                → files
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from symgen.derive import Derivation, Options, Progress, derive
from symgen.errors import VerificationError
from symgen.files import write_files
from symgen.generation import DynamicsModule, Sources, build, emit
from symgen.program.counts import Counts, count
from symgen.robot import library
from symgen.robot.model import Robot
from symgen.verify.compare import Report
from symgen.verify.compare import verify as compare

LANGUAGES = ("c", "python")
"""Target languages of `generate`."""


@dataclass(frozen=True)
class Generation:
    """Everything one run of the corridor made."""

    robot: Robot
    derivation: Derivation
    sources: Sources
    module: DynamicsModule
    report: Report


def load(robot: str | Path | Robot) -> Robot:
    """A library robot by name, the robot in a file, or the robot itself."""
    return robot if isinstance(robot, Robot) else library.load(robot)


def generate(
    robot: str | Path | Robot,
    *,
    functions: Sequence[str] | None = None,
    forward_dynamics: str = "auto",
    output: str | Path | None = None,
    languages: Sequence[str] = LANGUAGES,
    states: int = 100,
) -> DynamicsModule:
    """The compiled, verified dynamics module of a robot.

    `functions`: names (default: all the robot admits). `forward_dynamics`: "auto" takes the cheaper algorithm by
    count, "udu" and "aba" force one. `output`: a directory for the generated files of `languages` (default: none are
    written). `states`: number of random states of the verification.

    Raises `InputError`, `CompilerError`, `EnvironmentFault`, and `VerificationError` if a function disagrees with
    the oracle; then no file is written.
    """
    options = Options(None if functions is None else tuple(functions), forward_dynamics)
    made = run(load(robot), options, states=states)
    if not made.report.passed:
        raise VerificationError(failure_text(made.report))
    if output is not None:
        write_files(Path(output), chosen_files(made.sources, languages))
    return made.module


def run(robot: Robot, options: Options, *, states: int = 100, progress: Progress | None = None) -> Generation:
    """The whole corridor but for writing files; the report is in the result, whatever it says."""
    derivation = derive(robot, options, progress)
    sources = emit(derivation.module)
    module = build(derivation, sources, progress)
    if progress:
        progress("verifying")
    report = compare(robot, module.functions, states=states)
    return Generation(robot, derivation, sources, module, report)


def failure_text(report: Report) -> str:
    """One line for every check of `report` that failed."""
    failed = [f"{check.name}: error {check.error:.2e}, tolerance {check.tolerance:.0e}" for check in report.checks if not check.passed]
    return f"{report.robot}: verification failed; this is a bug of symgen: " + "; ".join(failed)


def chosen_files(sources: Sources, languages: Sequence[str]) -> dict[str, str]:
    """File name → text for the given languages."""
    texts = {"c": sources.c, "python": sources.python}
    return {name: text for language in languages for name, text in texts[language].items()}


def operation_counts(robot: str | Path | Robot, options: Options | None = None) -> dict[str, Counts]:
    """Function → operations of a call, without compiling anything."""
    derivation = derive(load(robot), options)
    return {function.name: count(function.program) for function in derivation.module.functions}


def verify(robot: str | Path | Robot, *, states: int = 100, seed: int = 0) -> Report:
    """Generate and compile the robot's module, and compare it with the independent oracle."""
    loaded = load(robot)
    derivation = derive(loaded)
    module = build(derivation, emit(derivation.module))
    return compare(loaded, module.functions, states=states, seed=seed)
