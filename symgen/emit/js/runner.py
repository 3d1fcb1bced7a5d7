"""Runs a generated ES module in Node: one process, which is sent states and sends back results."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

from symgen.emit.environment import template_directory
from symgen.emit.process import served
from symgen.emit.states import given_inputs
from symgen.emit.tools import version_of
from symgen.errors import EnvironmentFault
from symgen.program.module import Function, Module

TOOL = "node"


@contextmanager
def run(module: Module, files: Mapping[str, str]) -> Iterator[dict[str, Callable[..., Any]]]:
    """The functions of a module whose files were written, run by Node; see `symgen.emit.language.Runner`."""
    node = _node()
    with tempfile.TemporaryDirectory(prefix="symgen-") as folder:
        paths = [Path(folder) / name for name in files]
        for path, text in zip(paths, files.values(), strict=True):
            path.write_text(text, encoding="utf-8")
        task = {"file": str(paths[0]), "real": module.real, "functions": list(map(_described, module.functions))}
        with served([node, str(template_directory() / "js" / "runner.mjs"), json.dumps(task)], module) as functions:
            yield functions


def tool() -> str:
    """Node and its version; see `symgen.emit.language.Language`."""
    return f"{TOOL} {version_of([_node()])}"


def _node() -> str:
    node = shutil.which(TOOL)
    if node is None:
        raise EnvironmentFault(f"no {TOOL} found")
    return node


def _described(function: Function) -> dict[str, object]:
    return {
        "name": function.name,
        "inputs": [prod(argument.shape) for argument in given_inputs(function)],
        "outputs": [prod(argument.shape) for argument in function.outputs],
        "parametrized": len(given_inputs(function)) < len(function.inputs),
    }
