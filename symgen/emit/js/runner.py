"""Runs a generated ES module in Node: one process, which is sent states and sends back results."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from symgen.emit.environment import template_directory
from symgen.emit.process import put, served
from symgen.emit.states import rows
from symgen.emit.tools import found, version_of
from symgen.program.module import Module

TOOL = "node"


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, run by Node; see `symgen.emit.language.Runner`."""
    node = found(TOOL)
    with tempfile.TemporaryDirectory(prefix="symgen-") as folder:
        described = [
            {"name": row.name, "inputs": row.taken, "outputs": row.given, "parametrized": row.parametrized}
            for row in rows(module)
        ]
        put(files, Path(folder))
        task = {"file": str(Path(folder) / next(iter(files))), "real": module.real, "functions": described}
        with served([node, str(template_directory() / "js" / "runner.mjs"), json.dumps(task)], module) as functions:
            yield functions


def tool() -> str:
    """Node and its version; see `symgen.emit.language.Language`."""
    return f"{TOOL} {version_of([found(TOOL)])}"
