"""Runs a generated package in Octave: one process, which is sent states and sends back results."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symgen.emit.environment import render
from symgen.emit.process import served
from symgen.emit.states import given_inputs
from symgen.emit.tools import version_of
from symgen.errors import EnvironmentFault
from symgen.program.module import Function, Module

TOOL = "octave"
FLAGS = ("--no-gui", "--norc", "--no-history", "--quiet")


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, run by Octave; see `symgen.emit.language.Runner`."""
    octave = _octave()
    with tempfile.TemporaryDirectory(prefix="symgen-") as folder:
        for name, text in {**files, "symgen_runner.m": _script(module, files)}.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        with served([octave, *FLAGS, str(Path(folder) / "symgen_runner.m")], module) as functions:
            yield functions


def tool() -> str:
    """Octave and its version; see `symgen.emit.language.Language`."""
    return version_of([_octave(), *FLAGS])


def _octave() -> str:
    octave = shutil.which(TOOL)
    if octave is None:
        raise EnvironmentFault(f"no {TOOL} found; install Octave (Debian's package octave)")
    return octave


def _script(module: Module, files: Mapping[str, str]) -> str:
    """What Octave runs; the package has the name of its folder."""
    return render(
        "matlab/runner.m.j2",
        name=next(iter(files)).partition("/")[0].removeprefix("+"),
        real={"float64": "double", "float32": "single"}[module.real],
        parameters=bool(module.parameters),
        functions=[
            {
                "name": function.name,
                "inputs": [argument.shape[0] for argument in given_inputs(function)],
                "outputs": [str(list(output.shape or (1,))) for output in function.outputs],
                "parametrized": _is_parametrized(function),
            }
            for function in module.functions
        ],
    )


def _is_parametrized(function: Function) -> bool:
    return len(given_inputs(function)) < len(function.inputs)
