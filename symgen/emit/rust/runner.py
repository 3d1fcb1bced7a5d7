"""Runs a generated crate: rustc makes a program of it, which is sent states and sends back results."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symgen.build.cache import cache_key, cached_build
from symgen.emit.environment import render
from symgen.emit.process import put, served
from symgen.emit.rust.printer import REALS
from symgen.emit.states import rows
from symgen.emit.tools import found, version_of
from symgen.errors import EnvironmentFault, InternalError
from symgen.program.module import Module

FLAGS = ("--edition", "2021", "-C", "opt-level=1", "-C", "overflow-checks=on", "-D", "warnings")
"""For both crates: values that leave their range are caught, and a warning is a fault."""

PROGRAM = "driver"


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, run by a program; see `symgen.emit.language.Runner`."""
    rustc = _rustc()
    sources = {**files, f"{PROGRAM}.rs": driver(module)}
    identity = {"language": "rust", "version": version_of([rustc]), "flags": list(FLAGS)}
    program = cached_build(cache_key(sources, identity), PROGRAM, lambda folder: _build(rustc, sources, folder))
    with served([str(program)], module) as functions:
        yield functions


def tool() -> str:
    """The compiler and its version; see `symgen.emit.language.Language`."""
    return version_of([_rustc()])


def _rustc() -> str:
    return found(os.environ.get("RUSTC") or "rustc", "; install Debian's package rustc or rustup, or set RUSTC")


def driver(module: Module) -> str:
    """The program that calls the crate, there called `robot`."""
    return render("rust/driver.rs.j2", real=REALS[module.real], functions=rows(module))


def _build(rustc: str, sources: Mapping[str, str], folder: Path) -> None:
    put(sources, folder)
    (library,) = (folder / name for name in sources if name.endswith("/lib.rs"))
    made = folder / "librobot.rlib"
    _call(rustc, [*FLAGS, "--crate-name", library.parts[-3], "--crate-type", "rlib", str(library), "-o", str(made)])
    program = folder / PROGRAM
    _call(rustc, [*FLAGS, "--extern", f"robot={made}", str(folder / f"{PROGRAM}.rs"), "-o", str(program)])


def _call(rustc: str, arguments: Sequence[str]) -> None:
    try:
        done = subprocess.run([rustc, *arguments], capture_output=True, text=True)
    except OSError as error:
        raise EnvironmentFault(f"{rustc} cannot be run: {error.strerror}") from error
    if done.returncode == 0:
        return
    if "linker" in done.stderr and "not found" in done.stderr:
        raise EnvironmentFault("rustc found no linker; install Debian's package gcc")
    raise InternalError(f"rustc failed: {done.stderr.strip()[:2000]}")
