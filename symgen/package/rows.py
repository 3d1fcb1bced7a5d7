"""Test vectors as a package holds them: rows of numbers in C and in JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from symgen.emit.text import wrapped

ROUNDING = {"float64": 2**10, "float32": 2**6}
"""How many units of rounding of its size a result may be off."""

WIDTH = 100
"""Columns of generated C."""

Row = tuple[float, ...]
"""The entries of one array, row by row."""


@dataclass(frozen=True)
class Result:
    """What one output must be, a row for each state, and by how much (absolute, in SI units) it may differ."""

    expected: tuple[Row, ...]
    tolerance: float


@dataclass(frozen=True)
class Vectors:
    """States and results: inputs by name and parameters, a row for each state; function → output → result.

    Inputs and parameters are numbers of the module's real type, results are in double precision.
    """

    inputs: Mapping[str, tuple[Row, ...]]
    parameters: tuple[Row, ...]
    results: Mapping[str, Mapping[str, Result]]

    @property
    def states(self) -> int:
        """Number of states."""
        return max(map(len, self.inputs.values()), default=0)


def c_rows(rows: tuple[Row, ...], real: str, indent: int = 4) -> tuple[str, ...]:
    """Initializers of C arrays, one for each row, indented and wrapped."""
    return tuple(wrapped(f"{' ' * indent}{c_row(row, real)},", WIDTH, " " * (indent + 1)) for row in rows)


def c_row(row: Row, real: str) -> str:
    """The initializer of a C array, in one line."""
    return f"{{{', '.join(c_number(value, real) for value in row)}}}"


def c_number(value: float, real: str) -> str:
    """The shortest C literal that the real type reads as `value`."""
    return repr(value) if real == "float64" else f"{float(str(np.float32(value)))!r}F"


def json_text(vectors: Vectors) -> str:
    """The vectors as a file of data for tests in other languages; one line for each array."""
    lines = [f'"states": {vectors.states}']
    lines += [f'"parameters": {json.dumps(vectors.parameters)}']
    lines += [_json_group("inputs", {name: json.dumps(rows) for name, rows in vectors.inputs.items()})]
    results = {
        function: "{" + ", ".join(_json_result(name, result) for name, result in outputs.items()) + "}"
        for function, outputs in vectors.results.items()
    }
    lines += [_json_group("results", results)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _json_group(name: str, entries: Mapping[str, str]) -> str:
    inner = ",\n".join(f'  "{key}": {text}' for key, text in entries.items())
    return f'"{name}": {{\n{inner}\n}}'


def _json_result(name: str, result: Result) -> str:
    return f'"{name}": {json.dumps({"tolerance": result.tolerance, "expected": result.expected})}'
