"""Sources → a compiled file in the cache: a CPython extension, or a plain library for ctypes."""

from __future__ import annotations

import itertools
import platform
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from symgen.build.cache import cache_key, cached_build, is_cached
from symgen.build.commands import run_together
from symgen.build.compiler import (
    AMONG_FOREIGN_HEADERS,
    HIDDEN,
    STRICT,
    UNCONTRACTED,
    Compiler,
    find_compiler,
    link_flags,
    openmp_flags,
    processor_identity,
)
from symgen.build.files import write_texts
from symgen.build.objects import Objects, Piece

ROBOT_FLAGS = (*STRICT, *HIDDEN)
"""The flags of the robot's C."""


def has_python_headers() -> bool:
    """Whether this Python's C headers are installed (Debian, for one, packs them apart)."""
    return any(Path(directory, "Python.h").is_file() for directory in _python_includes())


@dataclass(frozen=True)
class Target:
    """A file to be compiled: its name, the sources, flags of some of them, and what else decides its bytes.

    `special_flags`: those of sources that are not the robot's. `last_flags`: after all others, at linking too.
    """

    filename: str
    sources: Mapping[str, str]
    special_flags: Mapping[str, tuple[str, ...]]
    abi: Mapping[str, object] = field(default_factory=dict)
    last_flags: tuple[str, ...] = ()

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """Translation unit → its flags, without those of all."""
        return {name: self.special_flags.get(name, ROBOT_FLAGS) for name in self.sources if name.endswith(".c")}

    def key(self, compiler: Compiler) -> str:
        """The key of the file in the cache."""
        identity = {
            **self.abi,
            "compiler": [compiler.command, compiler.version],
            "flags": [sorted(self.units.items()), (*compiler.code_flags(), *self.last_flags), link_flags()],
            "processor": processor_identity(),
        }
        return cache_key(self.sources, identity)

    def binding(self) -> list[Piece]:
        """What is compiled beside the robot's C, with the headers."""
        headers = {name: text for name, text in self.sources.items() if not name.endswith(".c")}
        return [
            Piece({**headers, name: self.sources[name]}, flags, self.abi) for name, flags in self.special_flags.items()
        ]


Pieces = Callable[[], Sequence[Mapping[str, str]]]
"""Makes the robot's C anew, in pieces that are compiled on their own: each file name → text."""


def extension_of(name: str, robot_sources: Mapping[str, str], binding: str) -> Target:
    """The extension module `_<name>` of the robot's C (by file name) and its binding."""
    includes = [("-isystem", directory) for directory in (*_python_includes(), np.get_include())]
    binding_flags = (*AMONG_FOREIGN_HEADERS, *HIDDEN, *itertools.chain(*includes))
    abi = {
        "python": platform.python_version(),
        "soabi": sysconfig.get_config_var("SOABI"),
        "numpy": np.__version__,
    }
    filename = f"_{name}{sysconfig.get_config_var('EXT_SUFFIX')}"
    return Target(filename, {**robot_sources, f"_{name}.c": binding}, {f"_{name}.c": binding_flags}, abi)


def library_of(name: str, robot_sources: Mapping[str, str], loops: str) -> Target:
    """A plain library of the robot's C and the loops of `emit_loops`, for ctypes; needs no Python headers."""
    source = f"{name}_loops.c"
    return Target(f"lib{name}.so", {**robot_sources, source: loops}, {source: STRICT})


def build_extension(name: str, robot_sources: Mapping[str, str], binding: str) -> Path:
    """The file of `extension_of`; the errors are those of `built`."""
    return built(extension_of(name, robot_sources, binding))


def build_library(name: str, robot_sources: Mapping[str, str], loops: str) -> Path:
    """The file of `library_of`; the errors are those of `built`."""
    return built(library_of(name, robot_sources, loops))


def build_uncontracted(name: str, sources: Mapping[str, str], *, threads: bool) -> Path:
    """A plain library of C that must give the same bits on any number of nodes; with `threads` it has OpenMP.

    Raises the errors of `built`, and `EnvironmentFault` if the compiler knows no OpenMP.
    """
    flags = (*UNCONTRACTED, *(openmp_flags(find_compiler()) if threads else ()))
    return built(Target(f"lib{name}.so", sources, dict.fromkeys(sources, STRICT), last_flags=flags))


def piece_of(files: Mapping[str, str]) -> Piece:
    """A piece of the robot's C."""
    return Piece(files, ROBOT_FLAGS)


def begin(target: Target, pieces: Pieces, objects: Objects) -> None:
    """Begin to compile the pieces of a file, if it is not in the cache."""
    if not is_cached(target.key(find_compiler()), target.filename):
        objects.start([*map(piece_of, pieces()), *target.binding()])


def built(target: Target, pieces: Pieces | None = None, objects: Objects | None = None) -> Path:
    """The compiled file, or the one in the cache; from `pieces` in `objects`, if they are given.

    Raises:
        CompilerError: the compiler rejects a source; the message holds its command and its words.
        EnvironmentFault: there is no compiler, or the cache cannot be written.
    """
    compiler = find_compiler()

    def build(directory: Path) -> None:
        if pieces is None or objects is None:
            made = _compiled(compiler, target, directory)
        else:
            made = objects.take([*map(piece_of, pieces()), *target.binding()])
        command = [*compiler.command, *link_flags(), "-o", target.filename, *map(str, made), *target.last_flags, "-lm"]
        run_together([command], directory)

    return cached_build(target.key(compiler), target.filename, build)


def _compiled(compiler: Compiler, target: Target, directory: Path) -> list[Path]:
    """The objects of all translation units, compiled at once: they do not wait for each other."""
    write_texts(directory, target.sources)
    objects = {unit: directory / Path(unit).with_suffix(".o") for unit in target.units}
    last = (*compiler.code_flags(), *target.last_flags)
    run_together(
        [
            [*compiler.command, *flags, *last, "-c", unit, "-o", objects[unit].name]
            for unit, flags in target.units.items()
        ],
        directory,
    )
    return list(objects.values())


def _python_includes() -> tuple[str, ...]:
    """The directories of Python.h and of pyconfig.h, which some systems keep apart."""
    return tuple(dict.fromkeys(sysconfig.get_path(name) for name in ("include", "platinclude")))
