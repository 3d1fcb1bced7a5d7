"""Programs and libraries that run what was written, and what they say of themselves."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from symgen.errors import EnvironmentFault


def found(name: str, hint: str = "") -> str:
    """The path of a tool; `EnvironmentFault`, with a hint how it is had, where there is none of that name."""
    path = shutil.which(name)
    if path is None:
        raise EnvironmentFault(f"no {name} found{hint}")
    return path


def version_of(command: Sequence[str]) -> str:
    """The first line that `command --version` prints; `EnvironmentFault` if it cannot be run or fails."""
    try:
        done = subprocess.run(
            [*command, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentFault(f"{command[0]} cannot be run: {error}") from error
    if done.returncode:
        raise EnvironmentFault(f"{command[0]} --version fails with status {done.returncode}")
    return next(iter(done.stdout.splitlines()), "").strip()


def imported(name: str, title: str, package: str) -> Any:
    """A module of Python that is no dependency; `EnvironmentFault`, with the package that has it, where it is not."""
    try:
        return import_module(name)
    except ImportError as error:  # of the module, or of a library that it needs
        raise EnvironmentFault(f"no {title} found: python -m pip install {package} ({error})") from None
