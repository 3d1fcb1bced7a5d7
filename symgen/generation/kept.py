"""What is kept of runs: derivations, the texts made of them, and the verdicts on what was compiled.

    robot, options                         → derivation: module, counts after each pass, notices, choices
    derivation, languages                  → texts of these languages, and of the binding
    derivation, texts, compiled file, how  → verdict: checks, proofs

Each is found by what it was made of, all of it: a robot by its content, a compiled file by its bytes, and everything by
symgen's own files and the versions of what it stands on. So a verdict holds for the very file that it was found of; of
one that another compiler made it says nothing. Nothing here imports what makes these things: who finds them does not
wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar

from symgen.algebra.plain import Codec, Form, PlainError, form_of
from symgen.build import kept
from symgen.derive.options import Choice, Options
from symgen.derive.outcome import Derivation, Derived, Progress
from symgen.emit.registry import USUAL
from symgen.passes.step import Step
from symgen.program import columns
from symgen.program.module import Module
from symgen.prove.verdict import Proof
from symgen.robot import plain
from symgen.robot.model import Robot
from symgen.runtime.compilation import Binding
from symgen.runtime.languages import Written
from symgen.runtime.module import DynamicsModule, Sources
from symgen.verify.report import Check, Report

if TYPE_CHECKING:
    from symgen.derive.subject import Subject

T = TypeVar("T")

DERIVATION, TEXTS, VERDICT = "derivation", "texts", "verdict"
"""Kinds of entries of the cache."""

_ASKED = Codec([*plain.FORMS, form_of(Options), form_of(Choice)])


@dataclass(frozen=True)
class How:
    """How a module is judged: the number of random states and their seed, and the languages whose code is run."""

    states: int
    seed: int
    languages: tuple[str, ...]


@dataclass(frozen=True)
class Verdict:
    """What was found of a module: the checks against the oracle, the proofs, and what other languages' code gave."""

    report: Report
    proofs: tuple[Proof, ...]
    written: tuple[Written, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every check holds and no function is refuted."""
        return (
            self.report.passed
            and all(written.passed for written in self.written)
            and not any(proof.refuted for proof in self.proofs)
        )


def _parts(verdict: Verdict) -> tuple[Any, ...]:
    """A verdict, where the report on the module itself is written once: other languages' reports are told from it."""
    own = [written.report is verdict.report for written in verdict.written]
    others = [None if same else each.report for each, same in zip(verdict.written, own, strict=True)]
    languages = [(each.language, each.reason) for each in verdict.written]
    return verdict.report, verdict.proofs, languages, others, own


def _verdict(report: Report, proofs: tuple[Proof, ...], languages: Any, others: Any, own: Any) -> Verdict:
    written = [
        Written(name, report if same else other, reason)
        for (name, reason), other, same in zip(languages, others, own, strict=True)
    ]
    return Verdict(report, proofs, tuple(written))


@dataclass(frozen=True)
class _Derived:
    """A derivation, but for what it was made of."""

    module: Module
    steps: dict[str, tuple[Step, ...]]
    notices: tuple[str, ...]
    choices: dict[str, Choice]


@dataclass(frozen=True)
class Texts:
    """The texts made of a derivation, and the C around it, if any was compiled."""

    sources: Sources
    binding: Binding | None


_MADE = Codec(
    [
        *columns.FORMS,
        *map(form_of, (_Derived, Step, Choice, Texts, Sources, Binding, Report, Check, Proof)),
        Form(Verdict, _parts, _verdict),
    ]
)


class Kept:
    """What is kept of runs for a robot with some options."""

    def __init__(self, robot: Robot, options: Options) -> None:
        self.robot, self.options = robot, options
        self._key = _key(robot, options) if kept.is_used() else ""

    def derivation(self, progress: Progress | None = None, derived: Derived | None = None) -> Derivation:
        """The derivation, as `derive` makes it, whose errors it has; of one that is found `derived` is told nothing."""
        found = self._found(DERIVATION, self._key, _Derived)
        if found is not None:
            made_of = cache(partial(_asked, self.robot, self.options))
            return Derivation(made_of, found.module, found.steps, found.notices, found.choices)
        from symgen.derive import derivation

        made = derivation.derive(self.robot, self.options, progress, derived)
        self._keep(DERIVATION, self._key, _Derived(made.module, made.steps, made.notices, made.choices))
        return made

    def texts(self, languages: Sequence[str]) -> Texts | None:
        """The texts of the module in the languages that it runs on, and in `languages`; None if none are kept."""
        return self._found(TEXTS, self._of_texts(languages), Texts)

    def verdict(self, sources: Sources, built: DynamicsModule, how: How) -> Verdict | None:
        """The verdict that was found so on a module built of `sources`; None if none is kept."""
        return self._found(VERDICT, self._of_verdict(sources, built, how), Verdict)

    def keep(self, texts: Texts, verdict: Verdict, built: DynamicsModule, how: How) -> None:
        """Keep texts and, if nothing wrong was found, the verdict: what is wrong is looked at again."""
        self._keep(TEXTS, self._of_texts(how.languages), texts)
        if verdict.passed:
            self._keep(VERDICT, self._of_verdict(texts.sources, built, how), verdict)

    def _of_verdict(self, sources: Sources, built: DynamicsModule, how: How) -> str:
        """The key of a verdict; empty where none is kept: where tools ran code whose versions symgen does not know."""
        if not self._key or not set(how.languages) <= set(USUAL):
            return ""
        compiled = b"" if built.compiled is None else built.compiled.read_bytes()
        texts = sorted((name, sorted(files.items())) for name, files in sources.files.items())
        return kept.key_of(
            self._key, texts, built.backend, sha256(compiled).hexdigest(), how.states, how.seed, how.languages
        )

    def _of_texts(self, languages: Sequence[str]) -> str:
        return kept.key_of(self._key, list(dict.fromkeys((*USUAL, *languages)))) if self._key else ""

    def _found(self, kind: str, key: str, expected: type[T]) -> T | None:
        """What is kept under this key; None if nothing is, or nothing that is what it should be."""
        return kept.recalled(kind, key, _MADE, expected) if key else None

    def _keep(self, kind: str, key: str, value: object) -> None:
        if key:
            kept.keep(kind, key, _MADE.text(value))


def derive(robot: Robot, options: Options | None = None, progress: Progress | None = None) -> Derivation:
    """The derivation, kept or made anew; its errors are those of `derive`."""
    return Kept(robot, options or Options()).derivation(progress)


def _key(robot: Robot, options: Options) -> str:
    """The key of a robot with options; empty for robots that were put together of what no reader makes."""
    try:
        return kept.key_of(_ASKED.text((robot, options)).decode())
    except PlainError:
        return ""


def _asked(robot: Robot, options: Options) -> Subject:
    from symgen.derive.derivation import asked

    return asked(robot, options)
