"""Functions that another process runs: it is sent states through a pipe, and sends back results.

A request is the number of a function and the number of states, as two unsigned integers of 32 bits, then the inputs, a
state after the other, in the module's real type; the answer is the outputs, in the same way.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.emit.states import states
from symgen.errors import InternalError
from symgen.program.module import Function, Module


def put(files: Mapping[str, str], folder: Path) -> None:
    """Writes files, and the folders that they are in."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@contextmanager
def served(command: Sequence[str], module: Module) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module, by name, as long as `command` runs; they are numbered in the module's order."""
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        try:
            call = partial(_call, process, errors, Path(command[0]).name, np.dtype(module.real))
            yield {f.name: partial(call, number, f) for number, f in enumerate(module.functions)}
        finally:
            process.kill()


def _call(
    process: subprocess.Popen[bytes],
    errors: IO[bytes],
    tool: str,
    real: np.dtype[Any],
    number: int,
    function: Function,
    *arguments: ArrayLike,
) -> tuple[NDArray[Any], ...]:
    """The results for a batch of states: inputs (…, *shape) broadcast."""
    batch, rows = states(function, real, arguments)
    count = prod(batch)
    sizes = [prod(argument.shape) for argument in function.outputs]
    length = count * sum(sizes) * real.itemsize
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(np.array([number, count], dtype=np.uint32).tobytes() + np.hstack(rows).tobytes())
        process.stdin.flush()
        answer = process.stdout.read(length)
    except BrokenPipeError:
        answer = b""
    if len(answer) < length:
        process.wait()
        errors.seek(0)
        raise InternalError(f"{tool} failed on {function.name}: {errors.read().decode(errors='replace').strip()}")
    results = np.split(np.frombuffer(answer, dtype=real).reshape(count, -1), np.cumsum(sizes)[:-1], axis=1)
    return tuple(y.reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True))
