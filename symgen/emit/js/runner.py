"""Runs a generated ES module in Node: one process, which is sent states and sends back results."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.emit.environment import template_directory
from symgen.errors import EnvironmentFault, InternalError
from symgen.program.module import CONSTANTS, Argument, Function, Module

TOOL = "node"


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, run by Node; see `symgen.emit.language.Runner`."""
    node = shutil.which(TOOL)
    if node is None:
        raise EnvironmentFault(f"no {TOOL} found")
    with tempfile.TemporaryDirectory(prefix="symgen-") as folder, tempfile.TemporaryFile() as errors:
        paths = [Path(folder) / name for name in files]
        for path, text in zip(paths, files.values(), strict=True):
            path.write_text(text, encoding="utf-8")
        task = {"file": str(paths[0]), "real": module.real, "functions": list(map(_described, module.functions))}
        command = [node, str(template_directory() / "js" / "runner.mjs"), json.dumps(task)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors) as process:
            try:
                call = partial(_call, process, errors, np.dtype(module.real))
                yield {f.name: partial(call, number, f) for number, f in enumerate(module.functions)}
            finally:
                process.kill()


def _described(function: Function) -> dict[str, object]:
    return {
        "name": function.name,
        "inputs": [prod(argument.shape) for argument in _given(function)],
        "outputs": [prod(argument.shape) for argument in function.outputs],
        "parametrized": len(_given(function)) < len(function.inputs),
    }


def _given(function: Function) -> list[Argument]:
    """The inputs that a caller gives."""
    return [argument for argument in function.inputs if argument.name != CONSTANTS]


def _call(
    process: subprocess.Popen[bytes],
    errors: IO[bytes],
    real: np.dtype[Any],
    number: int,
    function: Function,
    *arguments: ArrayLike,
) -> tuple[NDArray[Any], ...]:
    """The results for a batch of states: inputs (…, *shape) broadcast."""
    given = _given(function)
    arrays = [np.asarray(argument, dtype=real) for argument in arguments]
    batch = np.broadcast_shapes(*(x.shape[: x.ndim - len(a.shape)] for x, a in zip(arrays, given, strict=True)))
    count = prod(batch)
    rows = [np.broadcast_to(x, (*batch, *a.shape)).reshape(count, -1) for x, a in zip(arrays, given, strict=True)]
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
        raise InternalError(f"{TOOL} failed on {function.name}: {errors.read().decode(errors='replace').strip()}")
    results = np.split(np.frombuffer(answer, dtype=real).reshape(count, -1), np.cumsum(sizes)[:-1], axis=1)
    return tuple(y.reshape((*batch, *a.shape)) for y, a in zip(results, function.outputs, strict=True))
