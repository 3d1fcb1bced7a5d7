"""Generation → what its receiver uses without symgen: a library of C and Python, or a Functional Mock-up Unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from symgen.derive.derivation import Derivation
from symgen.emit.registry import USUAL, language
from symgen.errors import InputError
from symgen.package.directory import write_directory
from symgen.package.fmu import FMI2, FMI3, Standard, fmu_bytes
from symgen.package.fmu.archive import write_fmu
from symgen.package.fmu.variables import DYNAMICS, RESULTS
from symgen.package.texts import emit_package
from symgen.package.vectors import draw_vectors
from symgen.robot.model import Robot
from symgen.runtime.module import Sources, emit


@dataclass(frozen=True)
class Kind:
    """A kind of packages: what it is, where it is written if nobody says, and how.

    `functions`: those that are generated for it where none are named; None for the usual ones.
    """

    title: str
    place: str
    write: Callable[[Robot, Derivation, Sources, Path, bool], list[Path]]
    functions: tuple[str, ...] | None = None


LIBRARY = "library"
"""The kind that is written if none is named."""


def write_package(
    robot: Robot,
    derivation: Derivation,
    sources: Sources,
    place: str | Path,
    *,
    force: bool = False,
    kind: str = LIBRARY,
) -> list[Path]:
    """Write the package of what was derived from `robot` to `place`; returns the paths of its files.

    A library is a directory: the files that a package before this one left there are replaced with `force` only, and
    only if nobody changed them; files that symgen did not write are never touched. An FMU is a file, which replaces
    another FMU of symgen's with `force`. Raises `InputError` where these rules forbid writing or there is no such
    `kind`, and `EnvironmentFault` if it cannot be written; in either case what was there is as it was.
    """
    if not isinstance(place, str | Path) or not str(place):
        raise InputError(f"package: expected the path of a directory or file, found {place!r}"[:200])
    return package_kind(kind).write(robot, derivation, sources, Path(place), force)


def package_kind(name: str) -> Kind:
    """The kind of that name; `InputError` if there is none."""
    if name not in KINDS:
        raise InputError(f"package: expected one of {', '.join(KINDS)}, found {name!r}"[:200])
    return KINDS[name]


def _write_library(robot: Robot, derivation: Derivation, sources: Sources, place: Path, force: bool) -> list[Path]:
    return write_directory(place, package_files(robot, derivation, sources), force=force)


def _fmu_kind(standard: Standard) -> Kind:
    def write(robot: Robot, derivation: Derivation, sources: Sources, place: Path, force: bool) -> list[Path]:
        return write_fmu(place, lambda: fmu_bytes(robot, derivation, sources, standard), force=force)

    title = f"Functional Mock-up Unit, FMI {standard.version}"
    return Kind(title, "{name}.fmu", write, (DYNAMICS, *RESULTS))


KINDS = {
    LIBRARY: Kind("C library and Python package", "{name}_pkg", _write_library),
    "fmu": _fmu_kind(FMI3),
    "fmu2": _fmu_kind(FMI2),
}
"""Kinds of packages by name."""


def package_files(robot: Robot, derivation: Derivation, sources: Sources) -> dict[str, str]:
    """The files of the package: path with `/` → text. The same input gives the same bytes."""
    vectors = draw_vectors(robot, derivation)
    module = reduce(lambda made, name: language(name).fitting(made), USUAL, derivation.module)
    if module != derivation.module:
        sources = emit(module)
    return emit_package(module, sources.c, sources.python, vectors, _renamed(derivation))


def _renamed(derivation: Derivation) -> tuple[tuple[str, str], ...]:
    """(name in the robot file, name in code) of frames whose names are no identifiers."""
    subject = derivation.subject
    wrenches = [(frame, name.removeprefix("wrench_")) for name, frame in subject.wrenches if name != "wrench"]
    pairs = dict.fromkeys([*subject.frames, *wrenches])
    return tuple((frame, name) for frame, name in pairs if frame != name)
