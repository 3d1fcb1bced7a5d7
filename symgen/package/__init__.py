"""Generation → a directory that its receiver uses without symgen: C library, Python package, self-tests, README."""

from __future__ import annotations

from functools import reduce
from pathlib import Path

from symgen.derive.derivation import Derivation
from symgen.emit.registry import USUAL, language
from symgen.errors import InputError
from symgen.package.directory import write_directory
from symgen.package.texts import emit_package
from symgen.package.vectors import draw_vectors
from symgen.robot.model import Robot
from symgen.runtime.module import Sources, emit


def write_package(
    robot: Robot, derivation: Derivation, sources: Sources, directory: str | Path, *, force: bool = False
) -> list[Path]:
    """Write the package of what was derived from `robot` into `directory`; returns the paths of its files.

    The files that a package before this one left there are replaced with `force` only, and only if nobody changed them;
    files that symgen did not write are never touched. Raises `InputError` where these rules forbid writing, and
    `EnvironmentFault` if the directory cannot be written; in either case it is as it was.
    """
    if not isinstance(directory, str | Path) or not str(directory):
        raise InputError(f"package: expected the path of a directory, found {directory!r}"[:200])
    return write_directory(Path(directory), package_files(robot, derivation, sources), force=force)


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
