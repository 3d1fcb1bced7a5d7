"""C and C++ texts → libraries and programs in the cache, and what is called in them through ctypes."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from symgen.build.cache import cache_key, cached_build
from symgen.build.compiler import Compiler, compiler_environment, find_compiler, processor_identity
from symgen.emit.environment import render
from symgen.errors import CompilerError, EnvironmentFault

Floats = NDArray[np.float64]

OPTIMIZED = ("-std=c99", "-fno-semantic-interposition")
"""Flags beside those of generated code in symgen's own builds, for every peer's C alike."""

RESULTS = ("first", "second", "third")
"""What results are called in drivers."""

CXX_CANDIDATES = ("c++", "g++", "clang++")

_COUNTABLE = "-march=x86-64-v3"
"""In place of `native` where valgrind runs the code: it knows no AVX-512."""


@dataclass(frozen=True)
class CFunction:
    """A function in C, in the form the driver calls it.

    `sources`: file name → text. `declarations`: lines before the driver. `call`: statements for one state, of the
    pointers q, qd, last (q̈ or τ), first, second and third; `batch`: the same for `count` states in rows, None if
    there is no such function. `nq`, `nv`: entries of q, and of the others. `sizes`: entries of the three results, 0
    where there are fewer. `real`: the type of all numbers. `flags`, `libraries`: what the driver needs besides, to
    compile and to link.
    """

    sources: Mapping[str, str]
    declarations: tuple[str, ...]
    call: tuple[str, ...]
    batch: tuple[str, ...] | None
    nq: int
    nv: int
    sizes: tuple[int, int, int]
    real: str = "double"
    flags: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()

    def keys(self) -> dict[str, object]:
        """What the driver's template needs; without a batch function it loops over the states."""
        first, second, third = self.sizes
        loop = (
            "for (size_t k = 0; k < count; k++) {",
            f"    one(q + {self.nq} * k, qd + {self.nv} * k, last + {self.nv} * k, first + {first} * k, "
            f"second + {second} * k, third + {third} * k);",
            "}",
        )
        return {
            "declarations": self.declarations,
            "call": self.call,
            "batch": loop if self.batch is None else self.batch,
            "nq": self.nq,
            "nv": self.nv,
            "first_size": first,
            "second_size": second,
            "third_size": third,
            "real": self.real,
        }

    @property
    def dtype(self) -> type[np.floating]:
        """The type of all numbers in NumPy."""
        return np.float32 if self.real == "float" else np.float64


class Driver:
    """A compiled driver of a `CFunction`, with the arrays its results go to."""

    def __init__(self, function: CFunction) -> None:
        texts = {**function.sources, "driver.c": render("bench/driver.c.j2", **function.keys())}
        self._library = ctypes.CDLL(str(library("driver", texts, flags=function.flags, libraries=function.libraries)))
        self._library.driver_run.restype = self._library.driver_run_batch.restype = ctypes.c_double
        self._sizes, self._dtype = function.sizes, function.dtype

    def results(self, states: Sequence[Floats], *, batched: bool = False) -> list[Floats]:
        """The results for states (q, q̇, q̈ or τ), a row each: arrays (states, size)."""
        states, made = [self.given(array) for array in states], self._arrays(len(states[0]))
        call = self._library.driver_batch if batched else self._library.driver_results
        call(ctypes.c_long(len(states[0])), *map(pointer, (*states, *made)))
        return [array for array, size in zip(made, self._sizes, strict=True) if size]

    def run(self, start: int, calls: int, states: Sequence[Floats], made: Sequence[Floats]) -> float:
        """Nanoseconds of `calls` calls."""
        numbers = map(ctypes.c_long, (start, calls, len(states[0])))
        return float(self._library.driver_run(*numbers, *map(pointer, (*states, *made))))

    def run_batch(self, threads: int, repeats: int, states: Sequence[Floats], made: Sequence[Floats]) -> float:
        """Nanoseconds of `repeats` times all states."""
        numbers = map(ctypes.c_long, (threads, repeats, len(states[0])))
        time = float(self._library.driver_run_batch(*numbers, *map(pointer, (*states, *made))))
        if time < 0:
            raise EnvironmentFault(f"this machine does not give a process {threads} threads; ask for fewer")
        return time

    def arrays(self, states: int) -> list[Floats]:
        """Arrays for the results of so many states."""
        return self._arrays(states)

    def _arrays(self, states: int) -> list[Floats]:
        return [np.zeros((states, max(size, 1)), dtype=self._dtype) for size in self._sizes]

    def given(self, array: Floats) -> Floats:
        """An array as the function takes it."""
        return np.ascontiguousarray(array, dtype=self._dtype)


def pointer(array: Floats) -> ctypes.c_void_p:
    """Where an array's numbers are; it must outlive the use of this."""
    return ctypes.c_void_p(array.ctypes.data)


def instructions(function: CFunction, calls: int) -> int:
    """Instructions of one call, counted by valgrind: the difference of 2 `calls` and `calls`, divided by `calls`."""
    states = 64
    keys = {**function.keys(), "states": states}
    texts = {
        **function.sources,
        "driver.c": render("bench/driver.c.j2", **keys),
        "count.c": render("bench/count.c.j2", nq=function.nq, states=states, real=function.real, **_sizes(function)),
    }
    program = library("count", texts, program=True)
    fewer, more = (_counted(program, number) for number in (calls, 2 * calls))
    return round((more - fewer) / calls)


def _sizes(function: CFunction) -> dict[str, int]:
    return {f"{name}_size": max(size, 1) for name, size in zip(RESULTS, function.sizes, strict=True)}


def has_valgrind() -> bool:
    """Whether instructions can be counted."""
    return shutil.which("valgrind") is not None


def _counted(program: Path, calls: int) -> int:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), str(calls)]
    done = _run(command, None)
    for line in done.splitlines():
        if "Collected" in line:
            return int(line.rsplit(":", 1)[1])
    raise EnvironmentFault(f"`{shlex.join(command)}` counts no instructions: {done.strip()[-300:]}")


# compiling -----------------------------------------------------------------------------------------


def library(
    name: str,
    texts: Mapping[str, str],
    *,
    flags: Sequence[str] = (),
    libraries: Sequence[str] = (),
    program: bool = False,
) -> Path:
    """A shared library of C texts in the cache, optimised for this machine; a `program` for valgrind instead."""
    compiler = find_compiler()
    used = (*compiler.code_flags(), *OPTIMIZED, *flags)
    if program and "avx512" in processor_identity():
        used = tuple(_COUNTABLE if flag == "-march=native" else flag for flag in used)
    link = ("-pthread", *(() if program else ("-shared",)))
    filename = name if program else f"{name}.so"
    return _build(compiler.command, compiler.version, filename, texts, used, link, (*libraries, "-lm"))


def cxx_library(
    name: str, text: str, flags: Sequence[str], libraries: Sequence[str], identity: Mapping[str, str]
) -> Path:
    """A shared library of one C++ text in the cache.

    Raises:
        EnvironmentFault: there is no C++ compiler.
    """
    compiler = find_cxx()
    return _build(
        compiler.command,
        compiler.version,
        f"{name}.so",
        {f"{name}.cpp": text},
        flags,
        ("-shared",),
        libraries,
        identity,
    )


def find_cxx() -> Compiler:
    """The compiler $CXX names, else the first of c++, g++ and clang++."""
    names = [os.environ["CXX"]] if os.environ.get("CXX", "").strip() else list(CXX_CANDIDATES)
    for words in map(shlex.split, names):
        path = shutil.which(words[0])
        if path is not None:
            command = (path, *words[1:])
            return Compiler(command, _run([*command, "--version"], None).strip())
    raise EnvironmentFault(f"no C++ compiler found: tried {', '.join(names)}. Install g++, or set CXX")


def _build(
    command: Sequence[str],
    version: str,
    filename: str,
    texts: Mapping[str, str],
    flags: Sequence[str],
    link: Sequence[str],
    libraries: Sequence[str],
    identity: Mapping[str, str] | None = None,
) -> Path:
    """Compile and link; two steps, since -ffast-math at the second would change the arithmetic of the process.

    Objects are in the cache too: every driver of a robot's functions has the same C beside it.
    """
    units = [name for name in texts if name.endswith((".c", ".cpp"))]
    headers = {name: text for name, text in texts.items() if name not in units}
    about: dict[str, object] = {
        "compiler": [list(command), version],
        "processor": processor_identity(),
        **(identity or {}),
    }
    compiling, linking = about | {"flags": list(flags)}, about | {"flags": [list(flags), list(link), list(libraries)]}

    def compiled(unit: str) -> Path:
        sources = {unit: texts[unit], **headers}

        def build(directory: Path) -> None:
            for name, text in sources.items():
                (directory / name).write_text(text, encoding="utf-8")
            _run([*command, *flags, "-c", unit, "-o", made], directory)

        made = str(Path(unit).with_suffix(".o"))
        return cached_build(cache_key(sources, compiling), made, build)

    def build(directory: Path) -> None:
        _run([*command, *link, "-o", filename, *(str(compiled(unit)) for unit in units), *libraries], directory)

    return cached_build(cache_key(texts, linking), filename, build)


def _run(command: Sequence[str], directory: Path | None) -> str:
    """Run a command and return what it prints; `CompilerError` with its words if it fails."""
    done = subprocess.run(
        command,
        check=False,
        cwd=directory,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env=compiler_environment(directory),
    )
    if done.returncode != 0:
        raise CompilerError(
            f"`{shlex.join(command)[:300]}` failed with status {done.returncode}: {done.stdout.strip()[-2000:]}"
        )
    return done.stdout
