"""The one Jinja environment all emitters share; templates hold layout, the logic is in the emitters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import jinja2

from symgen.emit.text import wrapped

WIDTH = 100
"""No line that a template wraps is longer than this, unless the template says so."""

_SHORT = 30
"""Initializers with fewer characters stay on their line."""


def render(template: str, **keys: object) -> str:
    """The text of `template` (a path below the template directory, e.g. "c/module.c.j2").

    A key the template asks for and does not get is an error, not an empty string.
    """
    return _environment().get_template(template).render(**keys)


def plain_text(path: str) -> str:
    """The text of a file below the template directory that is no template, as it is."""
    return (template_directory() / path).read_text(encoding="utf-8")


def template_directory() -> Path:
    """Where the templates are: beside the package in a checkout, inside it in an installed wheel."""
    package = Path(__file__).parents[1]
    checkout = package.parent
    # A checkout (or editable install) wins, so that an edited template is never shadowed by a stale copy.
    # Both are asked for, since site-packages may hold an unrelated folder called "templates".
    if (checkout / "templates").is_dir() and (checkout / "pyproject.toml").is_file():
        return checkout / "templates"
    return package / "_templates"


@cache
def _environment() -> jinja2.Environment:
    """The environment, made once; only what is HTML is escaped: C and Python are not."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template_directory()),
        undefined=jinja2.StrictUndefined,
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["wrapped"] = _filled
    environment.filters["initializer"] = _initializer
    return environment


def _filled(text: str, further: str = "", width: int = WIDTH) -> str:
    """The filter `wrapped`: text broken at spaces; what `further` is begins all lines but the first."""
    return wrapped(text, width, further)


def _initializer(values: Sequence[object]) -> str:
    """The filter `initializer`: values in braces, on lines of their own where they are many."""
    text = ", ".join(map(str, values))
    return f"{{{text}}}" if len(text) < _SHORT else "{\n" + wrapped(f"    {text}", WIDTH, "    ") + "}"
