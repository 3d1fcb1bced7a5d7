"""Robots in installed packages: `example-robot-data:talos_reduced` is the file of that name in that package.

Any package that Python's installers know may hold robot files; nothing of it is imported or run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from itertools import takewhile
from pathlib import Path, PurePosixPath

from symgen.errors import InputError

_FORM = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]+):([^:\\]{1,200})")
"""The name of a package, of more letters than a drive has, and that of a file, with folders where one needs them."""

_SHOWN = 12


def packaged(text: str) -> Path | None:
    """The robot file that PACKAGE:NAME says; None for texts of another form.

    NAME is that of the file, without its ending, behind as many folders as tell it from others. `InputError` if there
    is no such package, no such file in it, or more than one.
    """
    form = _FORM.fullmatch(text)
    if form is None:
        return None
    package, name = form.groups()
    files = _robot_files(package)
    found = [file for file in files if _tail(file, name)]
    if len(found) > 1:
        names = [f"{package}:{path}" for path in _apart(found)]
        raise InputError(f"{text}: {package} has several; say which: {_list(names)}")
    if not found:
        known = sorted({file.stem for file in files})
        rest = f"it has: {_list(known)}" if known else "it holds no robot files"
        raise InputError(f"{text}: the package {package} has no {name}.urdf, .xml or .toml; {rest}")
    return Path(str(distribution(package).locate_file(found[0])))


def _robot_files(package: str) -> list[PurePosixPath]:
    """The files of a package that may be robots, from where it is installed."""
    try:
        files = distribution(package).files or []
    except PackageNotFoundError:
        raise InputError(
            f"no package called {package} is installed; expected the name of a robot, a file, or PACKAGE:NAME of an "
            f"installed package that holds robot files. Install it into this environment: pip install {package}"
        ) from None
    return sorted(PurePosixPath(file) for file in files if file.suffix in (".urdf", ".xml", ".toml"))


def _apart(files: Sequence[PurePosixPath]) -> list[str]:
    """The files' paths without their endings, from where they part."""
    paths = [file.with_suffix("").parts for file in files]
    shared = sum(1 for _ in takewhile(lambda same: len(set(same)) == 1, zip(*paths, strict=False)))
    return ["/".join(parts[min(shared, len(parts) - 1) :]) for parts in paths]


def _tail(file: PurePosixPath, name: str) -> bool:
    """Whether a file's path, without its ending, ends with these folders and this name."""
    parts = tuple(part for part in name.split("/") if part)
    return bool(parts) and file.with_suffix("").parts[-len(parts) :] == parts


def _list(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
