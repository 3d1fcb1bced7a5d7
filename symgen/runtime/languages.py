"""What was written in target languages, run in them and compared with the oracle."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symgen.derive.options import choice, names
from symgen.emit.registry import LANGUAGES, TITLES, USUAL, language
from symgen.errors import EnvironmentFault, InputError
from symgen.program.module import Module
from symgen.runtime.module import Sources
from symgen.verify.report import Report

Compare = Callable[[Mapping[str, Callable[..., Any]]], Report]
"""Compares functions with the oracle."""


@dataclass(frozen=True)
class Written:
    """The code in one language: `report` is what was found when it was run; None if it was not, for a `reason`."""

    language: str
    report: Report | None
    reason: str = ""

    @property
    def passed(self) -> bool:
        """Whether nothing wrong was found."""
        return self.report is None or self.report.passed

    @property
    def title(self) -> str:
        """The language's name for people."""
        return TITLES[self.language]


def run_written(module: Module, sources: Sources, name: str, compare: Compare) -> Written:
    """What was written in a language, run and compared."""
    target = language(name)
    if target.run is None:
        return Written(name, None, "no compiler found")
    try:
        with target.run(module, sources.files[name]) as functions:
            return Written(name, compare(functions))
    except EnvironmentFault as error:
        return Written(name, None, str(error))


def checked_languages(languages: Sequence[str]) -> tuple[str, ...]:
    """`languages`; `InputError` for one that is not known, or for none."""
    chosen = names("language", languages)
    if not chosen:
        raise InputError(f"no language was asked for; there are: {', '.join(LANGUAGES)}")
    for name in chosen:
        choice("language", name, LANGUAGES)
    return chosen


def companions(languages: Sequence[str], functions: Sequence[str]) -> tuple[str, ...]:
    """The names of functions that languages want beside those of these names."""
    others = [name for name in languages if name not in USUAL]
    return tuple(dict.fromkeys(wanted for name in others for wanted in language(name).companions(functions)))


def chosen_files(sources: Sources, languages: Sequence[str]) -> dict[str, str]:
    """File name → text for the given languages."""
    return {name: text for language in languages for name, text in sources.files[language].items()}
