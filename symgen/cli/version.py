"""The options `--version` and `--verbose` of the command line as a whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from symgen.version import __version__

_VERBOSE = f"{__name__}.verbose"


def VERSION(command: Callable[..., Any]) -> Callable[..., Any]:  # noqa: N802 — a decorator among others
    """Gives the group of all commands its options about the version."""
    verbose = click.option(
        "--verbose",
        is_flag=True,
        is_eager=True,  # it is known when --version is, wherever it stands
        expose_value=False,
        callback=_remember,
        help="With --version: also what of symgen works here.",
    )
    version = click.option(
        "--version", is_flag=True, expose_value=False, callback=_tell, help="Show the version and exit."
    )
    return version(verbose(command))


def _remember(context: click.Context, _parameter: click.Parameter, verbose: bool) -> None:
    context.meta[_VERBOSE] = verbose


def _tell(context: click.Context, _parameter: click.Parameter, asked: bool) -> None:
    verbose = context.meta[_VERBOSE]
    if verbose and not asked:
        raise click.UsageError("--verbose here goes with --version; of a command it stands after the command")
    if not asked:
        return
    if verbose:
        from symgen.installation import installation

        click.echo(installation().as_text())
    else:
        click.echo(f"symgen, version {__version__}")
    context.exit()
