"""The corridor: load → derive → optimise → emit → build → verify, a few short functions.

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
simulate  DynamicsModule         → Simulation: the motion under joint forces
follow    DynamicsModule         → Trajectory: the joint forces along a prescribed motion
bench     names                  → BenchResult: times of the generated code, beside other libraries'
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from symgen.build.files import write_files as _write_files
from symgen.build.threads import get_threads, set_threads
from symgen.count.crossover import Crossover
from symgen.count.crossover import crossover as _crossover
from symgen.derive.derivation import Derivation, Progress, derive
from symgen.derive.inertial_parameters import InertialParameters, base_parameters
from symgen.derive.options import (
    DEFAULT_FUNCTIONS,
    FUNCTION_NAMES,
    SYMBOLIC,
    Keywords,
    Options,
    choice,
    names,
    options_of,
)
from symgen.emit.registry import LANGUAGES, USUAL
from symgen.errors import InputError, VerificationError
from symgen.formulas.closed_form import ClosedForm, closed_form
from symgen.package import write_package as _write_package
from symgen.program.counts import Counts, OperationCounts
from symgen.program.rounding import roundings
from symgen.prove.proof import Proof, UnprovedWarning, prove, unproved_lines
from symgen.robot.library import load
from symgen.robot.model import Robot
from symgen.robot.shipped import names as robot_names
from symgen.runtime.languages import Written, run_written
from symgen.runtime.module import DynamicsModule, FallbackWarning, Sources, build, emit
from symgen.simulation import simulator, trajectory
from symgen.simulation.results import Simulation, Trajectory
from symgen.simulation.trajectory import cycloid
from symgen.verify.compare import verify as compare
from symgen.verify.report import Report
from symgen.verify.setting import Setting

if TYPE_CHECKING:
    from symgen.bench.report import BenchResult

__all__ = [
    "DEFAULT_FUNCTIONS",
    "FUNCTION_NAMES",
    "LANGUAGES",
    "USUAL",
    "ClosedForm",
    "Counts",
    "Derivation",
    "DynamicsModule",
    "FallbackWarning",
    "Generation",
    "InertialParameters",
    "Options",
    "Simulation",
    "Trajectory",
    "UnprovedWarning",
    "VerificationError",
    "base_parameters",
    "bench",
    "closed_form",
    "cycloid",
    "derive",
    "follow",
    "generate",
    "get_threads",
    "load",
    "operation_counts",
    "robot_names",
    "run",
    "set_threads",
    "simulate",
    "verify",
]

FEW = 10
"""At so many states other languages are compared, at the most: the program is the same, and only its text is new."""


@dataclass(frozen=True)
class Generation:
    """Everything one run of the corridor made."""

    robot: Robot
    derivation: Derivation
    sources: Sources
    module: DynamicsModule
    report: Report
    proofs: tuple[Proof, ...]
    written: tuple[Written, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every check of the reports holds and no function is refuted; `proved` says whether all are proved."""
        return (
            self.report.passed
            and all(written.passed for written in self.written)
            and not any(proof.refuted for proof in self.proofs)
        )

    @property
    def proved(self) -> bool:
        """Whether every function is proved; `proofs` say why one is not."""
        return all(proof.holds for proof in self.proofs)


def generate(
    robot: str | Path | Robot,
    *,
    output: str | Path | None = None,
    languages: Sequence[str] = USUAL,
    states: int = 100,
    **options: Unpack[Keywords],
) -> DynamicsModule:
    """The compiled, verified dynamics module of a robot.

    `functions`: names (default: inverse and forward dynamics and what they are made of; "all" for every one).
    `forward_dynamics`: "auto" takes the cheaper algorithm by count, "udu" and "aba" force one. `parameters`: "numeric"
    bakes the numbers in, "runtime" makes them arguments, "base" the base inertial parameters instead of the links'
    inertia, a list of names makes these arguments (see `with_parameters` of the result). `gravity`: "numeric", or
    "runtime" for a vector argument. `wrenches`: frames on which an external wrench acts, each a further argument.
    `frames`, `axes`: of kinematic functions; axes are those of the "base" or the "frame". `real`: "float64" or
    "float32". `regressor`: the inertial parameters of its columns, "base" (see `base_parameters`) or "standard".
    `effort`: "low", "normal" or "high": how far the search for fewer operations goes. `output`: a directory for the
    generated files of `languages`, "c", "python" and "js" (default: none are written); they are run, too, where the
    machine can run the language. `states`: number of random states of the verification.

    Raises `InputError`, `CompilerError`, `EnvironmentFault`, and `VerificationError` if a function disagrees with
    the oracle or is refuted by its proof; then no file is written. Without a C compiler a `FallbackWarning` says that
    NumPy does the work; an `UnprovedWarning` says which functions are not proved, if any, and why.
    """
    chosen = checked_languages(languages)
    written = chosen if output is not None else ()
    made = run(load(robot), options_of(options), states=states, languages=written)
    if not made.passed:
        raise VerificationError(failure_text(made))
    for line in unproved_lines(made.proofs):
        warnings.warn(f"{made.robot.name}: {line}", UnprovedWarning, stacklevel=2)
    if output is not None:
        write_files(output, chosen_files(made.sources, chosen))
    return made.module


def run(
    robot: Robot,
    options: Options,
    *,
    states: int = 100,
    seed: int = 0,
    languages: Sequence[str] = (),
    progress: Progress | None = None,
) -> Generation:
    """The whole corridor but for writing files; the reports are in the result, whatever they say.

    `languages` are those that will be written: the code is run in each of them where the machine can.
    """
    report = progress or (lambda text: None)
    if not isinstance(states, int) or states < 1:
        raise InputError(f"states: expected a number of at least 1, found {states!r}"[:200])
    if options.parameters == SYMBOLIC:
        raise InputError("symbolic parameters are for counting; generate with numeric or runtime parameters")
    derivation = derive(robot, options, progress)
    sources = emit(derivation.module, languages)
    module = build(derivation, sources, progress)
    report("verifying at random states")
    against = partial(
        compare,
        robot,
        states=states,
        seed=seed,
        setting=_setting(derivation),
        roundings=roundings(derivation.module),
    )
    checks = against(module.functions)
    written = run_written(
        derivation.module, sources, module, checks, languages, partial(against, states=min(states, FEW))
    )
    report("proving equality with the block forms")
    return Generation(robot, derivation, sources, module, checks, prove(derivation), written)


def failure_text(made: Generation) -> str:
    """What failed, in one line."""
    failed = [f"{check.name} (error {check.error:.1e})" for check in made.report.checks if not check.passed]
    failed += [
        f"{check.name} in {written.title} (error {check.error:.1e})"
        for written in made.written
        if written.report is not None and written.report is not made.report
        for check in written.report.checks
        if not check.passed
    ]
    failed += [f"proof of {proof.function}" for proof in made.proofs if proof.refuted]
    return (
        f"{made.robot.name}: verification failed: {'; '.join(failed)}. No file was written. "
        "Rounding cannot explain that: it is a bug of symgen or of the compiler; please report it with the robot file"
    )


def _setting(derivation: Derivation) -> Setting:
    """What the oracle must know of the options."""
    subject, regressor = derivation.subject, derivation.module.regressor
    return Setting(
        gravity=subject.runtime_gravity,
        wrenches=subject.wrenches,
        frames=subject.frames,
        axes=subject.axes,
        base=subject.base_columns,
        real=derivation.module.real,
        regressor=regressor.columns if regressor is not None else (),
        regressor_values=tuple(item.default for item in regressor.parameters) if regressor is not None else (),
    )


def operation_counts(robot: str | Path | Robot, options: Options | None = None) -> OperationCounts:
    """Function → operations of a call, without compiling anything."""
    return counts(derive(load(robot), options))


def counts(derivation: Derivation) -> OperationCounts:
    """Function → operations of a call, hoisted ones apart."""
    return derivation.counts


def verify(robot: str | Path | Robot, *, states: int = 100, seed: int = 0) -> Generation:
    """Generate and compile the robot's module, and compare it with the independent oracle; see its `report`."""
    return run(load(robot), Options(), states=states, seed=seed)


def bench(robots: Sequence[str], progress: Progress | None = None, **settings: Any) -> BenchResult:
    """Times of robots' functions beside other libraries' in one run; `settings` are those of `symgen.bench.run`."""
    from symgen.bench import run

    return run.bench(robots, run.Settings(**settings), progress or (lambda text: None))


def crossover() -> Crossover:
    """Both forward dynamics algorithms counted for general arms of 2 to 16 joints: n* and n+."""
    return _crossover()


# motion --------------------------------------------------------------------------------------------


def simulate(
    robot: str | Path | Robot | DynamicsModule,
    duration: float | None = None,
    *,
    q0: object = None,
    qd0: object = None,
    tau: object = None,
    interpolation: str | None = None,
    method: str = "DOP853",
    rtol: float = simulator.TOLERANCE,
    atol: float = simulator.TOLERANCE,
    samples: int = 101,
) -> Simulation:
    """The motion of a robot, or of a module made of one, from t = 0 to `duration` (s), at `samples` equidistant times.

    `tau` gives the joint forces: None for none (free fall), a constant vector (n,), a function of t, q and qd, the last
    two of shape (n,), that returns one, or a history: the path of a CSV file, a mapping with `t` and `tau1` to `taun`
    (or `tau` (s, n)), arrays (t, tau), or what `simulate` or `follow` returned. Samples are joined by `interpolation`:
    "cubic" where none is said (a spline, not a knot at the ends), "linear", or "hold" (each until the next); no step of
    the integrator crosses a sample. A history begins at t = 0 and is never extrapolated; `duration` defaults to its
    length.

    `q0` (n,) defaults to where the robot's usual move starts (see `follow`), `qd0` (n,) to rest; if neither is said, a
    history whose table has q and qd starts as they do. Vectors are in rad or m, their rates, and N m or N. Friction and
    rotor inertia act as everywhere. `method` is "DOP853" (Dormand and Prince, order 8) or "verner65" (Verner's pair of
    orders 6 and 5, as in the papers); `rtol` and `atol` bound the error of a step.

    Raises `InputError` for wrong sizes, numbers and columns, for a history that ends before the simulation or, if it is
    joined by a cubic spline, has a gap (a step above ten times the median), for a robot that has no forward dynamics,
    and where accelerations are not finite; `LimitError` where the integration takes too many steps or gets stuck, and
    for modules in float32 or with gravity or wrenches as arguments.
    """
    module = robot if isinstance(robot, DynamicsModule) else generate(robot, functions=simulator.FUNCTIONS)
    return simulator.simulate(
        module,
        duration,
        q0=q0,
        qd0=qd0,
        tau=tau,
        interpolation=interpolation,
        method=method,
        rtol=rtol,
        atol=atol,
        samples=samples,
    )


def follow(
    robot: str | Path | Robot | DynamicsModule,
    *,
    motion: object = None,
    start: object = None,
    end: object = None,
    duration: float | None = None,
    samples: int | None = None,
) -> Trajectory:
    """The joint forces of a robot, or of a module made of one, along a motion.

    `motion` gives its samples: the path of a CSV file, a mapping with `t` and `q1` to `qn` (or `q` (s, n)), arrays
    (t, q), (t, q, qd) or (t, q, qd, qdd), or what `simulate` or `follow` returned. The joint forces are those at the
    samples. Rates `qd` and `qdd` that are not among them are derivatives of a quintic spline through the positions, or
    the velocities if these are there; it is not a knot at the ends, and needs six samples.

    Without `motion` it is the cycloidal move of the papers (`cycloid`), at `samples` (201) equidistant times. It goes
    from rest at `start` to rest at `end`, vectors (n,) in rad or m, in `duration` (s). The usual move, where none is
    said: angles go from 0 to π, lengths from 0 to 0.1 m, in 10 s, as in the papers; the library's Stanford arms make
    the papers' other move.

    Raises `InputError` for wrong sizes, numbers and columns, and for gaps (a step above ten times the median), and
    `LimitError` for a module whose `inverse_dynamics` takes gravity or wrenches.
    """
    module = robot if isinstance(robot, DynamicsModule) else generate(robot, functions=["inverse_dynamics"])
    return trajectory.follow(module, motion=motion, start=start, end=end, duration=duration, samples=samples)


# files ---------------------------------------------------------------------------------------------


def checked_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """`languages`; `InputError` for one that is not known, or for none."""
    chosen = names("language", languages)
    if not chosen:
        raise InputError(f"no language was asked for; there are: {', '.join(LANGUAGES)}")
    for language in chosen:
        choice("language", language, LANGUAGES)
    return chosen


def chosen_files(sources: Sources, languages: Sequence[str]) -> dict[str, str]:
    """File name → text for the given languages."""
    return {name: text for language in languages for name, text in sources.files[language].items()}


def write_files(directory: str | Path, files: Mapping[str, str | bytes]) -> list[Path]:
    """Write `files` into `directory`, all of them or none; returns their paths."""
    if not isinstance(directory, str | Path):
        raise InputError(f"output: expected the path of a directory, found {directory!r}"[:200])
    return _write_files(Path(directory), files)


def write_package(made: Generation, directory: str | Path, *, force: bool = False) -> list[Path]:
    """Write a package that stands alone into `directory`; see `symgen.package`."""
    return _write_package(made.robot, made.derivation, made.sources, directory, force=force)
