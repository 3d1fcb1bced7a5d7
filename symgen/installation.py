"""What of symgen works where it is installed: its parts, libraries, extras, compilers, and what runs each language.

Nothing is loaded that is only asked for its version, but libraries that run generated code.
"""

from __future__ import annotations

import platform
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from symgen.errors import EnvironmentFault
from symgen.version import __version__

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NAME = "symgen"

EXTRAS = {
    "bench": "times beside CasADi, Pinocchio and MuJoCo",
    "browser": "tests of pages in a browser",
    "casadi": "generated code in CasADi",
    "distributed": "batches on Dask arrays and xarray objects",
    "docs": "the site of documentation",
    "drake": "modules as systems of Drake",
    "fmi": "Functional Mock-up Units run by FMPy",
    "jax": "generated code in JAX",
    "mjcf": "robot files of MuJoCo",
    "mpi": "chains on MPI ranks",
    "test": "symgen's own tests",
    "toolbox": "Corke's Robotics Toolbox, beside which the documentation calculates",
    "torch": "generated code in PyTorch",
}
"""Extra → what it is for."""

MANY = 5
"""Packages of an extra that are told one by one, at most."""


@dataclass(frozen=True)
class Part:
    """A part: its name, what is there of it (empty: not all that it needs), and what it is for or what is missing."""

    name: str
    found: str = ""
    remark: str = ""


@dataclass(frozen=True)
class Installation:
    """What works here: `groups` of parts by heading, in the order in which they are told."""

    version: str = __version__
    groups: dict[str, tuple[Part, ...]] = field(default_factory=dict)

    def as_text(self) -> str:
        """Lines for people, to be read or put into a report of a fault."""
        lines = [f"{NAME} {self.version}"]
        for heading, parts in self.groups.items():
            lines += ["", heading]
            width = max((len(part.name) for part in parts), default=0)
            lines += [f"  {part.name:{width}}  {_words(part)}" for part in parts]
        return "\n".join(lines)


def installation() -> Installation:
    """What works here; it asks compilers and other programs for their versions."""
    groups = {
        "place": tuple(_places()),
        "libraries": tuple(_libraries()),
        'extras (python -m pip install "symgen[NAME]")': tuple(_extras()),
        "compilers": tuple(_compilers()),
        "languages, and what runs and verifies them": tuple(_languages()),
    }
    return Installation(groups=groups)


def _words(part: Part) -> str:
    return f"{part.found} ({part.remark})" if part.found and part.remark else part.found or part.remark


def _places() -> Iterator[Part]:
    from symgen.build.cache import cache_directory
    from symgen.emit.environment import template_directory

    yield Part("package", str(Path(__file__).parent))
    yield Part("templates", str(template_directory()))
    yield Part("cache", str(cache_directory()))
    yield Part("Python", f"{platform.python_implementation()} {platform.python_version()}", sys.executable)
    yield Part("machine", f"{platform.system()} {platform.machine()}")


# packages ----------------------------------------------------------------------------------------------


def _requirements() -> dict[str, list[Requirement]]:
    """Extra → what it needs on this machine, by the installed metadata; "" stands for what is always needed."""
    from packaging.requirements import Requirement

    found: dict[str, list[Requirement]] = {"": [], **{extra: [] for extra in EXTRAS}}
    for text in metadata.requires(NAME) or ():
        requirement = Requirement(text)
        for extra, wanted in found.items():
            marker = requirement.marker
            always = marker is None or marker.evaluate({"extra": ""})
            if always and extra:
                continue
            if always or (marker is not None and marker.evaluate({"extra": extra})):
                wanted.append(requirement)
    return found


def _libraries() -> Iterator[Part]:
    try:
        wanted = _requirements()[""]
    except metadata.PackageNotFoundError:
        yield Part(NAME, remark="it is not installed, but run from its sources; python -m pip install -e .")
        return
    for requirement in wanted:
        yield Part(requirement.name, *_state(requirement))


def _extras() -> Iterator[Part]:
    try:
        wanted = _requirements()
    except metadata.PackageNotFoundError:
        return
    for extra, purpose in EXTRAS.items():
        states = {requirement: _state(requirement) for requirement in wanted[extra]}
        missing = [_plain(requirement) for requirement, (_, remark) in states.items() if remark]
        there = [f"{requirement.name} {found}" for requirement, (found, _) in states.items()]
        if missing:
            yield Part(extra, remark=f"without {', '.join(missing)}: no {purpose}")
        else:
            yield Part(extra, ", ".join(there) if len(there) <= MANY else "complete", purpose)


def _state(requirement: Requirement) -> tuple[str, str]:
    """(installed version or nothing, what is wrong with it or nothing)."""
    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return "", f"missing, expected {requirement.specifier}"
    fits = requirement.specifier.contains(version, prereleases=True)
    return version, "" if fits else f"expected {requirement.specifier}"


def _plain(requirement: Requirement) -> str:
    return f"{requirement.name}{requirement.specifier}"


# programs ----------------------------------------------------------------------------------------------


def _compilers() -> Iterator[Part]:
    from symgen.build.compiler import find_compiler, openmp_flags
    from symgen.emit.host import compiler

    yield _asked("C", lambda: f"{shlex.join(find_compiler().command)}: {_first(find_compiler().version)}")
    yield _asked("OpenMP", lambda: " ".join(openmp_flags(find_compiler())))
    yield _asked("C++", compiler)
    mpi = shutil.which("mpicc")
    yield (
        Part("MPI", mpi)
        if mpi
        else Part("MPI", remark="no mpicc found; the extra mpi has one, or Debian's libopenmpi-dev")
    )


def _languages() -> Iterator[Part]:
    from symgen.build.compiler import find_compiler
    from symgen.emit.registry import LANGUAGES, language

    for name in LANGUAGES:
        # C has no runner of its own: the module that symgen makes of it is run.
        yield _asked(name, language(name).tool or (lambda: _first(find_compiler().version)))


def _asked(name: str, question: Callable[[], str]) -> Part:
    try:
        return Part(name, question())
    except EnvironmentFault as fault:
        return Part(name, remark=str(fault))


def _first(text: str) -> str:
    return text.partition("\n")[0]
