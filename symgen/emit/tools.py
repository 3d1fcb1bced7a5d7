"""Programs that run what was written, and what they say of themselves."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

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
