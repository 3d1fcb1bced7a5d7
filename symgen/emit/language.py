"""A target language: what the registry knows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from symgen.program.module import Module

Functions = Mapping[str, Callable[..., Any]]
"""Functions by name: each takes arrays (…, *shape), but no constants, and returns its array or a tuple of them."""

Runner = Callable[[Module, Mapping[str, str]], AbstractContextManager[Functions]]
"""Runs what was written of a module (file name → text), with default parameters.

It raises `EnvironmentFault`, which says what was not found, where the machine cannot run the language.
"""


@dataclass(frozen=True)
class Language:
    """A target language.

    `files` writes a module: file name → text. `words` cannot be names of fields, which run-time parameters are in a
    language that has `fields`; `taken` (lower case) cannot be names of files and modules. `run` is None where symgen
    runs the language in no other way than as the module that it makes of it. `tool` names what `run` runs it with on
    this machine, and its version; it raises `EnvironmentFault` where there is nothing. `companions`: names of functions
    → those of functions that it wants beside them.
    """

    name: str
    files: Callable[[Module], dict[str, str]]
    words: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    fields: bool = False
    run: Runner | None = None
    tool: Callable[[], str] | None = None
    companions: Callable[[Sequence[str]], tuple[str, ...]] = lambda functions: ()

    def fitting(self, module: Module) -> Module:
        """The module with names that the language can take: those that it cannot get an underscore."""
        name = _free(module.name, lambda text: text.lower() in self.taken)
        if not self.fields:
            return replace(module, name=name)
        used = {parameter.name for parameter in module.parameters}
        parameters = []
        for parameter in module.parameters:
            field = _free(parameter.name, lambda text: text in self.words)
            while field != parameter.name and field in used:
                field += "_"
            used.add(field)
            parameters.append(replace(parameter, name=field))
        return replace(module, name=name, parameters=tuple(parameters))

    def write(self, module: Module) -> dict[str, str]:
        """The files of a module, whatever its names: file name → text."""
        return self.files(self.fitting(module))


def _free(name: str, is_taken: Callable[[str], bool]) -> str:
    return _free(f"{name}_", is_taken) if is_taken(name) else name
