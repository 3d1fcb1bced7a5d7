"""How the command line speaks: tables, JSON, notices, progress, and errors as messages with an exit code."""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from symgen.errors import SymgenError

GARBAGE = 100_000
"""New objects before Python looks for garbage. Nearly all that a command makes stays: looking often finds nothing."""

PIPE_WIDTH = 160
"""Width of tables at least, in columns, where there is no terminal."""


def print_tables(renderable: Any, *, err: bool = False) -> None:
    """Show tables: words wrap at the width of a terminal, as far as they can, and never where there is none."""
    from rich.console import Console
    from rich.measure import Measurement

    class Stream(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    console = Stream(stderr=err, highlight=False)
    needed = Measurement.get(console, console.options.update(max_width=10_000), renderable)
    width = max(console.width, needed.minimum)
    if not console.is_terminal:
        width = max(PIPE_WIDTH, needed.maximum)
    Stream(stderr=err, highlight=False, width=width).print(renderable)


def print_json(data: Any) -> None:
    """Show data to a program."""
    click.echo(json.dumps(data, indent=2))


def show_notices(notices: tuple[str, ...]) -> None:
    """Show notices on the error stream."""
    for notice in notices:
        click.echo(f"notice: {notice}", err=True)


@contextlib.contextmanager
def progress_shown() -> Iterator[Callable[[str], None]]:
    """Shows the present step on a terminal's error stream, and turns warnings into notices."""
    from rich.console import Console

    console = Console(stderr=True)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        if console.is_terminal:
            with console.status("") as status:
                yield lambda text: status.update(text)
        else:
            yield lambda text: None
    for warning in caught:
        click.echo(f"notice: {warning.message}", err=True)


class Group(click.Group):
    """A group of commands that are imported when they are asked for, and whose errors are messages, not tracebacks.

    `homes`: name of a command → "module:name".
    """

    def __init__(self, *args: Any, homes: Mapping[str, str], **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.homes = homes

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the commands, sorted."""
        return sorted(self.homes)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if cmd_name not in self.homes:
            return None
        module, _, name = self.homes[cmd_name].partition(":")
        found = getattr(importlib.import_module(module), name)
        assert isinstance(found, click.Command)
        return found

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run a command and exit with its code."""
        gc.set_threshold(GARBAGE)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")  # for terminals that lack a letter
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            code = error.exit_code
        except (click.Abort, KeyboardInterrupt):
            code = _failed("interrupted", 130)
        except SymgenError as error:
            code = _failed(str(error), error.exit_code)
        except (_ReaderGoneError, BrokenPipeError):
            _discard(sys.stdout)
            code = 141
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            code = _failed(f"{where}{error.strerror or error}", 2)
            _discard(sys.stdout)
        except Exception as error:
            code = _failed(_bug_text(error), 3)
        sys.exit(code)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; that the reader of the output went away is kept from click."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGoneError from error


class _ReaderGoneError(Exception):
    """Who read the output has gone; click would take the plain `BrokenPipeError` for its own."""


def _failed(message: str, code: int) -> int:
    click.echo(f"symgen: {message}", err=True)
    return code


def _bug_text(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"this is a bug of symgen: {type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno}). "
        "Please report it with the robot file"
    )


def _discard(stream: Any) -> None:
    """Let what is still to be written go nowhere, so that Python does not stumble over it when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
