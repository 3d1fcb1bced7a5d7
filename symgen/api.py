"""The corridor: load → derive → optimise → emit → build → verify → prove; see `generation` for one run of it.

load      name or path           → Robot
derive    Robot                  → Derivation: a Module of optimised programs, counts after each pass
emit      Module                 → Sources: text in the target languages
build     Derivation, Sources    → DynamicsModule: compiled and callable
compare   Robot, functions       → Report against an oracle that shares no code with the derivation
run       Sources                → Written: what was written in a language, run in it and compared likewise
prove     Robot, Module          → Proofs that the programs are the DeNOC block forms
write     Sources                → files

base_parameters  Robot         → InertialParameters: the fewest that joint forces depend on
closed_form  Robot             → ClosedForm: exact formulas, as SymPy, text and LaTeX
chains    Robot                  → Chains: dynamics worked out by nodes, one for each chain of a platform
simulate  DynamicsModule         → Simulation: the motion under joint forces
follow    DynamicsModule         → Trajectory: the joint forces along a prescribed motion
report    Robot                  → Page: one file of HTML with the robot in 3-D, live numbers, formulas, counts, checks
bench     names                  → BenchResult: times of the generated code, beside other libraries'
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from symgen.bench.report import BenchResult
    from symgen.build.files import write_files
    from symgen.build.threads import get_threads, set_threads
    from symgen.count.crossover import crossover
    from symgen.count.formulations import formulation_counts
    from symgen.derive.inertial_parameters import InertialParameters, base_parameters
    from symgen.derive.options import DEFAULT_FUNCTIONS, FUNCTION_NAMES, Options
    from symgen.derive.outcome import Derivation, Progress
    from symgen.emit.registry import LANGUAGES, USUAL
    from symgen.errors import VerificationError
    from symgen.formulas.closed_form import ClosedForm, closed_form
    from symgen.generation.chains import ChainsGeneration, chains, run_chains
    from symgen.generation.corridor import Generation, failure_text, generate, run
    from symgen.generation.kept import derive
    from symgen.package import package_kind
    from symgen.program.counts import Counts, OperationCounts
    from symgen.prove.verdict import UnprovedWarning
    from symgen.report.page import Page, report
    from symgen.robot.library import load
    from symgen.robot.model import Robot
    from symgen.runtime.languages import checked_languages, chosen_files
    from symgen.runtime.module import DynamicsModule, FallbackWarning, build, emit
    from symgen.simulation.closing import Complement, Penalty
    from symgen.simulation.results import Simulation, Trajectory
    from symgen.simulation.simulator import simulate
    from symgen.simulation.trajectory import cycloid, follow

__all__ = [
    "DEFAULT_FUNCTIONS",
    "FUNCTION_NAMES",
    "LANGUAGES",
    "USUAL",
    "ChainsGeneration",
    "ClosedForm",
    "Complement",
    "Counts",
    "Derivation",
    "DynamicsModule",
    "FallbackWarning",
    "Generation",
    "InertialParameters",
    "Options",
    "Page",
    "Penalty",
    "Simulation",
    "Trajectory",
    "UnprovedWarning",
    "VerificationError",
    "base_parameters",
    "bench",
    "build",
    "chains",
    "checked_languages",
    "chosen_files",
    "closed_form",
    "counts",
    "crossover",
    "cycloid",
    "derive",
    "emit",
    "failure_text",
    "follow",
    "formulation_counts",
    "generate",
    "get_threads",
    "load",
    "operation_counts",
    "package_kind",
    "report",
    "robot_names",
    "run",
    "run_chains",
    "set_threads",
    "simulate",
    "verify",
    "write_files",
    "write_package",
]

_HOMES = {
    "symgen.build.files": ("write_files",),
    "symgen.build.threads": ("get_threads", "set_threads"),
    "symgen.count.crossover": ("crossover",),
    "symgen.count.formulations": ("formulation_counts",),
    "symgen.derive.inertial_parameters": ("InertialParameters", "base_parameters"),
    "symgen.derive.options": ("DEFAULT_FUNCTIONS", "FUNCTION_NAMES", "Options"),
    "symgen.derive.outcome": ("Derivation",),
    "symgen.emit.registry": ("LANGUAGES", "USUAL"),
    "symgen.errors": ("VerificationError",),
    "symgen.formulas.closed_form": ("ClosedForm", "closed_form"),
    "symgen.generation.chains": ("ChainsGeneration", "chains", "run_chains"),
    "symgen.generation.corridor": ("Generation", "failure_text", "generate", "run"),
    "symgen.generation.kept": ("derive",),
    "symgen.package": ("package_kind",),
    "symgen.program.counts": ("Counts", "OperationCounts"),
    "symgen.prove.verdict": ("UnprovedWarning",),
    "symgen.report.page": ("Page", "report"),
    "symgen.robot.library": ("load",),
    "symgen.runtime.languages": ("checked_languages", "chosen_files"),
    "symgen.runtime.module": ("DynamicsModule", "FallbackWarning", "build", "emit"),
    "symgen.simulation.closing": ("Complement", "Penalty"),
    "symgen.simulation.results": ("Simulation", "Trajectory"),
    "symgen.simulation.simulator": ("simulate",),
    "symgen.simulation.trajectory": ("cycloid", "follow"),
}
"""Module → names that are loaded from it when they are first used, so that each costs only what it needs."""

_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def operation_counts(robot: str | Path | Robot, options: Options | None = None) -> OperationCounts:
    """Function → operations of a call, without compiling anything."""
    from symgen.generation.kept import derive
    from symgen.generation.reading import load

    return counts(derive(load(robot), options))


def counts(derivation: Derivation) -> OperationCounts:
    """Function → operations of a call, hoisted ones apart."""
    return derivation.counts


def verify(robot: str | Path | Robot, *, states: int = 100, seed: int = 0) -> Generation:
    """Generate and compile the robot's module, and compare it with the independent oracle; see its `report`.

    It is compared and proved now, whatever was found before.
    """
    from symgen.derive.options import Options
    from symgen.generation.corridor import run
    from symgen.robot.library import load

    return run(load(robot), Options(), states=states, seed=seed, verify=True)


def bench(
    robots: Sequence[str], progress: Progress | None = None, *, grid: bool = False, **settings: Any
) -> BenchResult:
    """Times of robots' functions beside other libraries' in one run; `settings` are those of `symgen.bench.run`.

    `grid`: also the cases of GRiDBenchmarks (see `symgen.bench.sets`).
    """
    from symgen.bench import run

    return run.bench_subjects(*run.asked(robots, grid=grid, **settings), progress or (lambda text: None))


def bench_titles(robots: Sequence[str], *, grid: bool = False, **settings: Any) -> list[tuple[str, str]]:
    """(name, what its inertia, base and numbers are) of the robots that `bench` would time."""
    from symgen.bench import run

    return run.titles(*run.asked(robots, grid=grid, **settings))


def write_package(made: Generation, place: str | Path, *, force: bool = False, kind: str = "library") -> list[Path]:
    """Write a package that stands alone to `place`, a directory or a file; see `symgen.package`."""
    from symgen.package import write_package

    return write_package(made.robot, made.derivation, made.sources, place, force=force, kind=kind)


def robot_names() -> tuple[str, ...]:
    """Names of the robots that ship with symgen, sorted."""
    from symgen.robot.shipped import names

    return names()
