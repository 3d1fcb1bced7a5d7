"""Generated C++ on this machine: a library that is called through ctypes, many states at once."""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.errors import EnvironmentFault, InternalError
from symgen.program.module import CONSTANTS, Argument, Function

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


def _compiler(purpose: str) -> list[str]:
    """The command that $CXX has, or else the first of `COMPILERS` that is there."""
    chosen = shlex.split(os.environ.get("CXX", ""))
    for command in [chosen] if chosen else [[name] for name in COMPILERS]:
        if shutil.which(command[0]):
            return command
    tried = f"there is no {chosen[0]}, which CXX names" if chosen else f"CXX is not set, no {', '.join(COMPILERS)}"
    raise EnvironmentFault(f"no C++ compiler found, which {purpose} ({tried}): install g++ or clang++")


def given_inputs(function: Function) -> list[Argument]:
    """The inputs that a caller gives."""
    return [argument for argument in function.inputs if argument.name != CONSTANTS]


def states(
    function: Function, real: np.dtype[Any], arguments: Sequence[ArrayLike]
) -> tuple[tuple[int, ...], list[NDArray[Any]]]:
    """The shape of a batch of states, and inputs (…, *shape), broadcast to it, as arrays (count, size)."""
    given = given_inputs(function)
    arrays = [np.asarray(argument, dtype=real) for argument in arguments]
    batch = np.broadcast_shapes(*(x.shape[: x.ndim - len(a.shape)] for x, a in zip(arrays, given, strict=True)))
    return batch, [
        np.ascontiguousarray(np.broadcast_to(x, (*batch, *a.shape)).reshape(prod(batch), prod(a.shape)))
        for x, a in zip(arrays, given, strict=True)
    ]
