"""Sources → a compiled file in the cache: a CPython extension, or a plain library for ctypes."""

from __future__ import annotations

import itertools
import platform
import shlex
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from symgen.build.cache import cache_key, cached_build
from symgen.build.compiler import (
    AMONG_FOREIGN_HEADERS,
    HIDDEN,
    STRICT,
    UNCONTRACTED,
    Compiler,
    compiler_environment,
    find_compiler,
    link_flags,
    openmp_flags,
    processor_identity,
)
from symgen.errors import CompilerError, EnvironmentFault


def has_python_headers() -> bool:
    """Whether this Python's C headers are installed (Debian, for one, packs them apart)."""
    return any(Path(directory, "Python.h").is_file() for directory in _python_includes())


def build_extension(name: str, robot_sources: Mapping[str, str], binding: str) -> Path:
    """The extension module `_<name>`, compiled from the robot's C (by file name) and its binding.

    Raises:
        CompilerError: the compiler rejects a source; the message holds its command and its words.
        EnvironmentFault: there is no compiler, or the cache cannot be written.
    """
    includes = [("-isystem", directory) for directory in (*_python_includes(), np.get_include())]
    binding_flags = (*AMONG_FOREIGN_HEADERS, *HIDDEN, *itertools.chain(*includes))
    abi = {
        "python": platform.python_version(),
        "soabi": sysconfig.get_config_var("SOABI"),
        "numpy": np.__version__,
    }
    filename = f"_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    sources = {**robot_sources, f"_{name}.c": binding}
    return _build(filename, sources, {f"_{name}.c": binding_flags}, abi)


def build_library(name: str, robot_sources: Mapping[str, str], loops: str) -> Path:
    """A plain library of the robot's C and the loops of `emit_loops`, for ctypes; needs no Python headers.

    Raises the same errors as `build_extension`.
    """
    source = f"{name}_loops.c"
    return _build(f"lib{name}.so", {**robot_sources, source: loops}, {source: STRICT}, {})


def build_uncontracted(name: str, sources: Mapping[str, str], *, threads: bool) -> Path:
    """A plain library of C that must give the same bits on any number of nodes; with `threads` it has OpenMP.

    Raises the same errors as `build_extension`, and `EnvironmentFault` if the compiler knows no OpenMP.
    """
    flags = (*UNCONTRACTED, *(openmp_flags(find_compiler()) if threads else ()))
    open_to_all = dict.fromkeys(sources, STRICT)
    return _build(f"lib{name}.so", sources, open_to_all, {}, flags)


def _build(
    filename: str,
    sources: Mapping[str, str],
    special_flags: Mapping[str, Sequence[str]],
    abi: Mapping[str, object],
    last_flags: Sequence[str] = (),
) -> Path:
    """Compile every `.c` of `sources` and link them into `filename`, or find that in the cache."""
    compiler = find_compiler()
    robot_flags = (*STRICT, *HIDDEN)
    units = {name: special_flags.get(name, robot_flags) for name in sources if name.endswith(".c")}
    identity = {
        **abi,
        "compiler": [compiler.command, compiler.version],
        "flags": [sorted(units.items()), (*compiler.code_flags(), *last_flags), link_flags()],
        "processor": processor_identity(),
    }

    def build(directory: Path) -> None:
        _write(directory, sources)
        _compile(compiler, units, directory, last_flags)
        _link(compiler, list(units), filename, directory, last_flags)

    return cached_build(cache_key(sources, identity), filename, build)


def _write(directory: Path, sources: Mapping[str, str]) -> None:
    try:
        for name, text in sources.items():
            (directory / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        message = f"{directory} cannot be written: {error.strerror}. Set SYMGEN_CACHE to another directory."
        raise EnvironmentFault(message) from error


def _compile(
    compiler: Compiler, units: Mapping[str, Sequence[str]], directory: Path, last_flags: Sequence[str]
) -> None:
    """All translation units at once: they do not wait for each other."""
    _run_together(
        [
            [*compiler.command, *flags, *compiler.code_flags(), *last_flags, "-c", source, "-o", _object(source)]
            for source, flags in units.items()
        ],
        directory,
    )


def _link(compiler: Compiler, units: Sequence[str], filename: str, directory: Path, last_flags: Sequence[str]) -> None:
    objects = [_object(source) for source in units]
    _run_together([[*compiler.command, *link_flags(), "-o", filename, *objects, *last_flags, "-lm"]], directory)


def _object(source: str) -> str:
    return str(Path(source).with_suffix(".o"))


def _run_together(commands: Sequence[Sequence[str]], directory: Path) -> None:
    """Run `commands` in `directory`, side by side; stop all of them if one fails or the user interrupts."""
    processes: list[subprocess.Popen[str]] = []
    try:
        for command in commands:
            processes.append(_start(command, directory))
        for command, process in zip(commands, processes, strict=True):
            _finish(command, process)
    finally:
        for process in processes:
            _stop(process)


def _start(command: Sequence[str], directory: Path) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            command,
            cwd=directory,
            env=compiler_environment(directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise CompilerError(f"cannot run `{shlex.join(command)}`: {error.strerror}") from error


def _finish(command: Sequence[str], process: subprocess.Popen[str]) -> None:
    words, _ = process.communicate()
    if process.returncode != 0:
        raise CompilerError(
            f"the C compiler failed with status {process.returncode}\n"
            f"  command: {shlex.join(command)}\n"
            f"{words.strip() or '(it printed nothing)'}"
        )


def _stop(process: subprocess.Popen[str]) -> None:
    """End a process that still runs, and wait until nobody holds its pipe: then nothing writes files."""
    if process.poll() is None:
        process.terminate()
    if process.stdout is not None and not process.stdout.closed:
        process.communicate()


def _python_includes() -> tuple[str, ...]:
    """The directories of Python.h and of pyconfig.h, which some systems keep apart."""
    return tuple(dict.fromkeys(sysconfig.get_path(name) for name in ("include", "platinclude")))
