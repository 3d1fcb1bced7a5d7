"""One run of the corridor: what is made of a robot, verified and proved, and written where that is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from symgen.build.files import write_files
from symgen.derive.derivation import Derivation, Progress, derive
from symgen.derive.options import SYMBOLIC, Keywords, Options, options_of
from symgen.derive.setting import setting_of
from symgen.emit.registry import USUAL
from symgen.errors import InputError, VerificationError
from symgen.program.rounding import roundings
from symgen.program.sparsity import dense, unpacked
from symgen.prove.proof import Proof, UnprovedWarning, prove, unproved_lines
from symgen.robot.library import load
from symgen.robot.model import Robot
from symgen.runtime.compilation import Compilation
from symgen.runtime.languages import Written, checked_languages, chosen_files, run_written
from symgen.runtime.module import DynamicsModule, Sources, build, emit
from symgen.verify.compare import verify as compare
from symgen.verify.report import Report

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
    "float32". `packed`: matrices as the entries that are not zero by structure, column by column; functions then have
    their `pattern`, and `unpack` for what they return. `quaternion`: the order of a quaternion's numbers in q, "xyzw"
    or "wxyz". `regressor`: the inertial parameters of its columns, "base" (see `base_parameters`) or "standard".
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


def module_of(robot: str | Path | Robot | DynamicsModule, functions: Sequence[str]) -> DynamicsModule:
    """A module as it is; of a robot one with these functions."""
    return robot if isinstance(robot, DynamicsModule) else generate(robot, functions=functions)


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
    with Compilation() as compilation:
        derivation = derive(robot, options, progress, compilation.begin)
        sources = emit(derivation.module, languages)
        compilation.begin_rest(derivation.module, sources.c)
        # While compilers work, all is done that needs no compiled code.
        report("proving equality with the block forms")
        proofs = prove(derivation)
        report("verifying at random states")
        setting, erring = setting_of(derivation), roundings(dense(derivation.module))

        def against(functions: Mapping[str, Callable[..., Any]], states: int = states) -> Report:
            whole = unpacked(derivation.module, functions)
            return compare(robot, whole, states=states, seed=seed, setting=setting, roundings=erring)

        few = partial(against, states=min(states, FEW))
        others = [name for name in languages if name != compilation.language]
        written = {name: run_written(derivation.module, sources, name, few) for name in others}
        module = build(derivation, sources, progress, compilation)
    checks = against(module.functions)
    found = tuple(written.get(name) or Written(name, checks) for name in languages)
    return Generation(robot, derivation, sources, module, checks, proofs, found)


def failure_text(made: Generation) -> str:
    """What failed, in one line."""
    failed = [f"{check.name} (error {check.error:.1e})" for check in made.report.failures]
    failed += [
        f"{check.name} in {written.title} (error {check.error:.1e})"
        for written in made.written
        if written.report is not None and written.report is not made.report
        for check in written.report.failures
    ]
    failed += [f"proof of {proof.function}" for proof in made.proofs if proof.refuted]
    return (
        f"{made.robot.name}: verification failed: {'; '.join(failed)}. No file was written. "
        "Rounding cannot explain that: it is a bug of symgen or of the compiler; please report it with the robot file"
    )
