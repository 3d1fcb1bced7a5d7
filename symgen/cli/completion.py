"""What shells complete: names of robots, functions, quantities and languages. Files are left to the shell."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def robots(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Robots that ship with symgen; files, if none begins like that."""
    from symgen.robot import shipped

    found = [CompletionItem(name) for name in shipped.names() if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


def languages(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Languages, as a list with commas."""
    from symgen.emit.registry import LANGUAGES

    return _listed(LANGUAGES, incomplete)


def functions(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Functions, as a list with commas."""
    from symgen.mechanics.functions.registry import FUNCTIONS

    return _listed(["all", *(function.name for function in FUNCTIONS)], incomplete)


def quantities(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Quantities that have closed forms."""
    from symgen.formulas.closed_form import CATALOGUE, LOOPED

    return [CompletionItem(name) for name in sorted({*CATALOGUE, *LOOPED}) if name.startswith(incomplete)]


def _listed(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    before, comma, last = incomplete.rpartition(",")
    given = before.split(",")
    return [CompletionItem(before + comma + name) for name in names if name.startswith(last) and name not in given]
