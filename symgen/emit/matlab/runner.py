"""Runs a generated package in Octave: one process, which is sent states and sends back results."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symgen.emit.environment import render
from symgen.emit.matlab.printer import CLASSES
from symgen.emit.process import put, served
from symgen.emit.states import rows
from symgen.emit.tools import found, version_of
from symgen.program.module import Module

TOOL = "octave"
HINT = "; install Octave (Debian's package octave)"
FLAGS = ("--no-gui", "--norc", "--no-history", "--quiet")


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, run by Octave; see `symgen.emit.language.Runner`."""
    octave = found(TOOL, HINT)
    with tempfile.TemporaryDirectory(prefix="symgen-") as folder:
        put({**files, "symgen_runner.m": _script(module, files)}, Path(folder))
        with served([octave, *FLAGS, str(Path(folder) / "symgen_runner.m")], module) as functions:
            yield functions


def tool() -> str:
    """Octave and its version; see `symgen.emit.language.Language`."""
    return version_of([found(TOOL, HINT), *FLAGS])


def _script(module: Module, files: Mapping[str, str]) -> str:
    """What Octave runs; the package has the name of its folder."""
    return render(
        "matlab/runner.m.j2",
        name=next(iter(files)).partition("/")[0].removeprefix("+"),
        real=CLASSES[module.real],
        parameters=bool(module.parameters),
        functions=rows(module),
    )
