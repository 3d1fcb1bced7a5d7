"""Every language beside the oracle: every function of a robot, at the same random states.

    python tests/benchmarks/languages.py [ROBOT ...] [--only LANGUAGES] [--real REAL] [--states N] [--results FILE]
                                         [--functions NAMES]

Each row is a robot, each column a language; in it stand how many functions were run and the worst error among them, as
`symgen verify` has it: of the entry that comes closest to what rounding can make of it, relative to the largest entry
of its state. The exit status is 1 if an error is not explained by rounding, or is above the limit of its real type.
What a language cannot run on this machine is said, and why. With `--results` every result is appended to that file,
and what is in it is not run again. Programs are searched little (`--effort`) and compilers told to be quick, unless
there is `--slow`: what is looked at is the text.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

from rich.console import Console

from symgen import api
from symgen.build import compiler
from symgen.derive.outcome import Derivation
from symgen.derive.setting import setting_of
from symgen.display.tables import new_table
from symgen.emit import host
from symgen.emit.registry import LANGUAGES, TITLES, language
from symgen.emit.rust import runner as rust
from symgen.errors import EnvironmentFault, SymgenError
from symgen.program.rounding import roundings
from symgen.program.sparsity import dense, unpacked
from symgen.verify.comparison import Comparison, Rounding
from symgen.verify.geometry import Floats
from symgen.verify.loops.constraints import with_ends
from symgen.verify.measures import check
from symgen.verify.oracle import Oracle
from symgen.verify.report import Check
from symgen.verify.signatures import signatures
from symgen.verify.states import draw, others

LIMITS = {"float64": 1e-11, "float32": 2e-5}
"""Real type → the largest error that a language may have."""

QUICK = {"-O1": "-O0", "opt-level=1": "opt-level=0"}
"""What compilers are told → how they are told not to optimise."""

Functions = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Result:
    """What was found of a robot in a language: `error` is of `worst`, of which rounding explains `allowed`.

    `faults`: what rounding does not explain, or is above the limit. `reason`: why nothing was run.
    """

    robot: str
    language: str
    real: str
    states: int
    functions: int = 0
    error: float = 0.0
    worst: str = ""
    allowed: float = 0.0
    faults: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> tuple[str, str, str]:
        """What the result is of."""
        return self.robot, self.language, self.real


def results(robot: str, names: Sequence[str], real: str, given: argparse.Namespace) -> Iterator[Result]:
    """What is found of a library robot, in each of these languages."""
    states, options = given.states, api.Options(functions=tuple(given.functions.split(",")), effort=given.effort)
    derivation = api.derive(api.load(robot), options)
    derivation = replace(derivation, module=replace(derivation.module, real=real))
    subject = subject_of(derivation, states)
    for name in names:
        start = time.perf_counter()
        try:
            with running(derivation, name) as functions:
                found = judged(subject.calling(unpacked(derivation.module, functions)))
            yield result(robot, name, real, states, found, time.perf_counter() - start)
        except EnvironmentFault as error:
            yield Result(robot, name, real, states, reason=str(error))
        except SymgenError as error:
            text = f"{type(error).__name__}: {error}"[:500]
            yield Result(robot, name, real, states, faults=(text,), seconds=time.perf_counter() - start)


def subject_of(derivation: Derivation, states: int) -> Comparison:
    """The oracle of a robot's functions at random states, asked once; which callables there are is still open."""
    robot, setting, names = derivation.subject.robot, setting_of(derivation), derivation.module.functions
    known = signatures(robot, setting)
    known = {function.name: known[function.name] for function in names}
    oracle = Oracle(with_ends(robot) if robot.has_loops or robot.contacts else robot, setting.parameters, setting.base)
    at = draw(oracle, states, 0, setting, others(known.values()))
    erring = {name: remembered(each) for name, each in roundings(dense(derivation.module)).items()}
    subject = Comparison(oracle, {}, known, setting, at, erring)
    for name, signature in known.items():
        if subject.expected.tells(signature):
            subject.of(name)
    return subject


def remembered(rounding: Rounding) -> Rounding:
    """The same, found once for the same arguments: it is asked for every language."""
    known: dict[bytes, list[Floats]] = {}

    def bounds(*arguments: Floats, through: Callable[[list[Floats]], Floats] | None = None) -> list[Floats]:
        if through is not None:
            return rounding(*arguments, through=through)
        key = b"".join(argument.tobytes() for argument in arguments)
        if key not in known:
            known[key] = rounding(*arguments)
        return known[key]

    return bounds


@contextmanager
def running(derivation: Derivation, name: str) -> Iterator[Functions]:
    """The functions of a module in a language."""
    target = language(name)
    if target.run is None:
        yield api.build(derivation, api.emit(derivation.module)).functions
        return
    with target.run(derivation.module, target.write(derivation.module)) as functions:
        yield functions


def judged(subject: Comparison) -> list[Check]:
    """Every function against the oracle."""
    checks = []
    for name, signature in subject.signatures.items():
        checks.append(check(name, "oracle", "", partial(signature.entry.pairs, subject, signature)))
        further = signature.entry.further.items()
        checks += [check(text, "oracle", "", partial(pairs, subject)) for text, pairs in further]
    return checks


def result(robot: str, name: str, real: str, states: int, checks: Sequence[Check], seconds: float) -> Result:
    """The checks in short; where the largest entry itself is rounding, its share in it says nothing."""
    told = [check for check in checks if check.tolerance < 1]
    worst = max(told or checks, key=lambda check: check.error)
    wrong = [str(check) for check in checks if not check.passed or (check in told and check.error > LIMITS[real])]
    functions = len({check.name.partition(",")[0] for check in checks})
    figures = (functions, worst.error, worst.name, worst.tolerance)
    return Result(robot, name, real, states, *figures, tuple(wrong), seconds=round(seconds, 2))


# what is printed -----------------------------------------------------------------------------------------


def table(found: Sequence[Result], real: str) -> None:
    """Robots by languages, then the worst of each language, and what is wrong."""
    of_real = [each for each in found if each.real == real]
    names = [name for name in LANGUAGES if any(each.language == name for each in of_real)]
    robots = sorted({each.robot for each in of_real})
    known = {(each.robot, each.language): each for each in of_real}
    shown = new_table(f"{real}: functions and worst error", "robot", *(TITLES[name] for name in names))
    for robot in robots:
        shown.add_row(robot, *(cell(known.get((robot, name))) for name in names))
    Console(width=200).print(shown)
    for name in names:
        ran = [each for each in of_real if each.language == name and each.functions]
        if ran:
            worst = max(ran, key=lambda each: each.error)
            print(
                f"{TITLES[name]}: {sum(each.functions for each in ran)} functions of {len(ran)} robots, "
                f"worst {worst.error:.1e}, rounding allows {worst.allowed:.0e} ({worst.robot}, {worst.worst})"
            )
    for each in of_real:
        for fault in each.faults:
            print(f"{each.robot}, {TITLES[each.language]}: {fault}")
    for name in names:
        for reason in sorted({each.reason for each in of_real if each.language == name and each.reason}):
            print(f"{TITLES[name]} was not run: {reason}")


def cell(found: Result | None) -> str:
    """Functions and worst error, in short."""
    if found is None or found.reason:
        return "-"
    return f"{found.functions} {found.error:.0e}" + "!" * bool(found.faults)


def read(path: Path | None) -> list[Result]:
    """The results in a file."""
    if path is None or not path.exists():
        return []
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Result(**{**each, "error": float(each["error"]), "faults": tuple(each["faults"])}) for each in lines]


def appended(path: Path, found: Result) -> None:
    """Write a result; an error that is infinite as text, which JSON has no number for."""
    data = asdict(found)
    data["error"] = found.error if isfinite(found.error) else str(found.error)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(data) + "\n")


def be_quick() -> None:
    """Compile without optimising."""
    for each in (host, rust):
        vars(each)["FLAGS"] = tuple(QUICK.get(flag, flag) for flag in each.FLAGS)
    compiler.CODE_GENERATION = ("-O0", *compiler.CODE_GENERATION[1:])
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")


def main() -> None:
    """Print the tables; exit with 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("robots", nargs="*", default=api.robot_names())
    parser.add_argument("--only", default=",".join(LANGUAGES), help="languages, with commas")
    parser.add_argument("--real", choices=(*LIMITS, "both"), default="both")
    parser.add_argument("--states", type=int, default=100)
    parser.add_argument("--functions", default="all", help="with commas; of large robots all take hours")
    parser.add_argument("--effort", default="low")
    parser.add_argument("--slow", action="store_true", help="compile as users do")
    parser.add_argument("--results", type=Path)
    given = parser.parse_args()
    if not given.slow:
        be_quick()
    names, reals = api.checked_languages(given.only.split(",")), [*LIMITS] if given.real == "both" else [given.real]
    found = read(given.results)
    for robot in given.robots:
        for real in reals:
            known = {each.key for each in found}
            missing = [name for name in names if (robot, name, real) not in known]
            for each in results(robot, missing, real, given) if missing else ():
                found.append(each)
                print(f"{robot}, {TITLES[each.language]}, {real}: {cell(each)}, {each.seconds} s", file=sys.stderr)
                if given.results is not None:
                    appended(given.results, each)
    for real in reals:
        table(found, real)
    sys.exit(any(each.faults for each in found))


if __name__ == "__main__":
    main()
