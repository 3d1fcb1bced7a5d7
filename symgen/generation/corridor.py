"""One run of the corridor: what is made of a robot, verified and proved, and written where that is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Unpack

from symgen.build.files import write_files
from symgen.build.kept import unused
from symgen.derive.options import SYMBOLIC, Keywords, Options, options_of
from symgen.derive.outcome import Derivation, Progress
from symgen.emit.registry import USUAL
from symgen.errors import InputError, VerificationError
from symgen.generation.kept import How, Kept, Texts, Verdict
from symgen.generation.reading import load
from symgen.prove.verdict import Proof, UnprovedWarning, unproved_lines
from symgen.robot.model import Robot
from symgen.runtime.compilation import Compilation
from symgen.runtime.languages import Written, checked_languages, chosen_files, companions
from symgen.runtime.module import DynamicsModule, Sources, build, emit
from symgen.verify.report import Report


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
        return Verdict(self.report, self.proofs, self.written).passed

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
    fresh: bool = False,
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

    What was derived, verified and proved before is found in the cache (docs/reference/cache.md), and a module compiled
    to the same file is not verified again; with `fresh`, and where SYMGEN_CACHE_SIZE is 0, nothing that was kept is
    looked at, and nothing is kept.

    Raises `InputError`, `CompilerError`, `EnvironmentFault`, and `VerificationError` if a function disagrees with
    the oracle or is refuted by its proof; then no file is written. Without a C compiler a `FallbackWarning` says that
    NumPy does the work; an `UnprovedWarning` says which functions are not proved, if any, and why.
    """
    chosen = checked_languages(languages)
    written = chosen if output is not None else ()
    with unused(fresh):
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
    verify: bool = False,
    compiled: bool = True,
) -> Generation:
    """The whole corridor but for writing files; the reports are in the result, whatever they say.

    `languages` are those that will be written: the code is run in each of them where the machine can. What was made
    before is taken from the cache, with `verify` all but the verdict. Functions that a language wants beside those of
    the options are made, too, where q̇ is the joint velocities. Where the module is not `compiled`, it runs on NumPy.
    """
    report = progress or (lambda text: None)
    if not isinstance(states, int) or states < 1:
        raise InputError(f"states: expected a number of at least 1, found {states!r}"[:200])
    if options.parameters == SYMBOLIC:
        raise InputError("symbolic parameters are for counting; generate with numeric or runtime parameters")
    known = Kept(robot, _accompanied(robot, options, languages))
    with Compilation(wanted=compiled) as compilation:
        derivation = known.derivation(progress, compilation.begin)
        texts = known.texts(languages)
        sources = emit(derivation.module, languages) if texts is None else texts.sources
        if texts is not None:
            compilation.binding = texts.binding
        finish = cache(partial(build, derivation, sources, progress, compilation))
        how = How(states, seed, tuple(languages))
        verdict = None
        if texts is not None and not verify:  # it was compiled before, too: the verdict may be known
            verdict = known.verdict(sources, finish(), how)
        if verdict is None:
            from symgen.generation.judging import judged  # takes long to load, where it is not needed

            compilation.begin_rest(derivation.module, sources.c)
            verdict = judged(robot, derivation, sources, finish, compilation.language, how, report)
            known.keep(Texts(sources, finish().binding), verdict, finish(), how)
        module = finish()
    return Generation(robot, derivation, sources, module, verdict.report, verdict.proofs, verdict.written)


def _accompanied(robot: Robot, options: Options, languages: Sequence[str]) -> Options:
    """The options, with the functions that languages want beside those that are asked for."""
    further = () if robot.has_loops or robot.has_free_joints else companions(languages, options.wanted)
    missing = [name for name in further if name not in options.wanted]
    asked = options.wanted if options.functions is None else options.functions
    return replace(options, functions=(*asked, *missing)) if missing else options


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
