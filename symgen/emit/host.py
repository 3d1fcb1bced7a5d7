"""Generated C++ on this machine: a library that is called through ctypes, many states at once."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from symgen.emit.tools import version_of
from symgen.errors import EnvironmentFault, InternalError

COMPILERS = ("c++", "g++", "clang++")
"""Those that are tried where CXX is not set."""

FLAGS = ("-O1", "-ffp-contract=off", "-fPIC", "-shared", "-x", "c++")


@contextmanager
def library(files: Mapping[str, str], source: str, standard: str, purpose: str) -> Iterator[ctypes.CDLL]:
    """What a C++ compiler makes of `source`, one of `files`; `EnvironmentFault` says what none was found for."""
    command = _compiler(purpose)
    with tempfile.TemporaryDirectory(prefix="symgen-") as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        made = Path(folder) / "host.so"
        line = [*command, f"-std={standard}", *FLAGS, str(Path(folder) / source), "-o", str(made)]
        done = subprocess.run(line, capture_output=True, text=True)
        if done.returncode:
            raise InternalError(f"{command[0]} cannot compile {source}: {done.stderr.strip()[:2000]}")
        yield ctypes.CDLL(str(made))


def compiler() -> str:
    """The C++ compiler and its version; see `tool` of `symgen.emit.language.Language`."""
    return version_of(_compiler("runs what was generated"))


def _compiler(purpose: str) -> list[str]:
    """The command that $CXX has, or else the first of `COMPILERS` that is there."""
    chosen = shlex.split(os.environ.get("CXX", ""))
    for command in [chosen] if chosen else [[name] for name in COMPILERS]:
        if shutil.which(command[0]):
            return command
    tried = f"there is no {chosen[0]}, which CXX names" if chosen else f"CXX is not set, no {', '.join(COMPILERS)}"
    raise EnvironmentFault(f"no C++ compiler found, which {purpose} ({tried}): install g++ or clang++")
