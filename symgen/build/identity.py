"""What decides results beside the input: symgen's own files, Python, and the libraries that results may depend on."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.machinery import PathFinder
from pathlib import Path

from symgen.version import __version__

LIBRARIES = ("numpy", "flint", "scipy", "sympy", "jinja2", "pydantic", "defusedxml", "yaml", "mujoco", "latex2mathml")
"""Libraries whose answers or texts stand in results; they are not imported to be asked for their versions."""


@cache
def identity() -> str:
    """A hash of symgen's version and files, of Python's version, and of the files that libraries are loaded from.

    Of a file it is the path, the size and the time of its last change, which takes milliseconds for all.
    """
    package = Path(__file__).parents[1]
    parts = [__version__, sys.version, sys.platform, platform.machine(), str(package)]
    checkout = package.parent  # where the templates are beside the package
    templates = _files(checkout / "templates") if (checkout / "pyproject.toml").is_file() else []
    files = [*_files(package), *templates, *map(_library, LIBRARIES)]
    return sha256(json.dumps([parts, files]).encode()).hexdigest()


File = tuple[str, int, int]
"""A file as far as it is asked: its path, its size, and the time of its last change in ns."""


def _files(folder: Path) -> list[File]:
    """All files in a folder, if there is one, but for what Python keeps of modules."""
    return sorted(_below(str(folder))) if folder.is_dir() else []


def _below(folder: str) -> Iterator[File]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _below(entry.path)
            elif not entry.name.endswith(".pyc"):
                found = entry.stat()
                yield entry.path, found.st_size, found.st_mtime_ns


def _library(name: str) -> File:
    """The file that a library is loaded from; zeros where there is none."""
    spec = PathFinder.find_spec(name)
    if spec is None or spec.origin is None:
        return name, 0, 0
    try:
        found = Path(spec.origin).stat()
    except OSError:
        return spec.origin, 0, 0
    return spec.origin, found.st_size, found.st_mtime_ns
