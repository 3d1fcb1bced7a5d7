"""Tables of numbers as users have them: CSV files, mappings of arrays, results of symgen; all become a `Table`."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from symgen.errors import InputError, LimitError
from symgen.simulation.checks import MAX_SAMPLES
from symgen.simulation.results import Simulation, Trajectory

Floats = NDArray[np.float64]

MAX_BYTES = 100_000_000
"""Size of a file at most: what symgen writes for 100,001 samples of an arm of ten joints."""


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of finite numbers, `values` (s, c), under their `names`.

    `source` is what messages call the table; `lines` are the rows' lines in their file, None where there is no file.
    """

    source: str
    names: tuple[str, ...]
    values: Floats
    lines: Sequence[int] | None = None

    def place(self, row: int) -> str:
        """What messages call a row: its line in the file, or its index, from 0."""
        return _row_name(row, self.lines)


def table(what: str, source: object, arrays: Sequence[str]) -> Table:
    """The table in a CSV file, a mapping, a result of symgen, or a pair such as (t, tau); `InputError` if it is none.

    A mapping holds columns (s,), or arrays (s, n), which become columns `q1` to `qn` under the name `q`. The pair, or
    longer tuple, holds times (s,) and then such `arrays` in their order. An `InputError` calls the source `what`, and
    a file by its path.
    """
    if isinstance(source, str | os.PathLike):
        return _read(Path(os.fsdecode(source)))
    if isinstance(source, Simulation | Trajectory):
        return _of_columns(what, source.columns)
    if hasattr(source, "keys") and hasattr(source, "__getitem__"):
        return _of_columns(what, {key: source[key] for key in source.keys()})  # noqa: SIM118 — frames iterate otherwise
    if is_tuple_of_arrays(source):
        if len(source) > 1 + len(arrays):
            raise InputError(f"{what}: expected times and {', '.join(arrays)} at most, found {len(source)} arrays")
        return _of_columns(what, dict(zip(("t", *arrays), source, strict=False)))
    raise InputError(
        f"{what}: expected the path of a CSV file, a mapping of columns, or arrays (t, {arrays[0]}) of shapes (s,) and "
        f"(s, n); found {source!r}"[:300]
    )


def is_tuple_of_arrays(source: object) -> TypeGuard[Sequence[object]]:
    """Whether this is times (s,) and arrays beside them, and not one vector of numbers."""
    return isinstance(source, tuple | list) and len(source) > 1 and all(np.iterable(entry) for entry in source)


# arrays ------------------------------------------------------------------------------------------------------


def _of_columns(what: str, arrays: Mapping[Any, Any]) -> Table:
    columns: dict[str, Floats] = {}
    for key, values in arrays.items():
        array = _array(f"{what}, {str(key)!r}"[:100], values)
        named = {str(key): array} if array.ndim == 1 else {f"{key}{i + 1}": part for i, part in enumerate(array.T)}
        twice = sorted(set(named) & set(columns))
        if twice:
            raise InputError(f"{what}: the column {twice[0]!r} is given twice")
        columns |= named
    if "t" not in columns:
        raise InputError(f"{what}: expected times 't', found {_shown(tuple(columns))}")
    count = len(columns["t"])
    for name, column in columns.items():
        if len(column) != count:
            raise InputError(f"{what}: expected {count} samples of {name!r}, one for each time; found {len(column)}")
    return _finite(Table(what, tuple(columns), np.column_stack(list(columns.values()))))


def _array(what: str, values: Any) -> Floats:
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(float), np.nan)
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "iufO":
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected real numbers in an array, found {values!r}"[:300]) from None
    if array.ndim not in (1, 2):
        raise InputError(f"{what}: expected an array of shape (s,) or (s, n), found {array.shape}")
    return array


# files -------------------------------------------------------------------------------------------------------


def _read(path: Path) -> Table:
    rows = _rows(path)
    first, header = next(rows, (0, []))
    names = tuple(name.strip() for name in header)
    if not header:
        raise InputError(f"{path}: it is empty; expected a line of column names, then lines of numbers")
    _check_header(path, first, names)
    lines: list[int] = []
    values: list[list[float]] = []
    for line, cells in rows:
        if len(cells) != len(names):
            hint = "; numbers have decimal points, not commas" if len(cells) > len(names) else ""
            raise InputError(
                f"{path}, line {line}: expected {len(names)} values, as there are column names; found "
                f"{len(cells)}{hint}"
            )
        if len(lines) == MAX_SAMPLES:
            raise LimitError(f"{path}: more than {MAX_SAMPLES} samples; thin them out, or cut the file")
        lines.append(line)
        values.append([_number(path, line, *pair) for pair in zip(names, cells, strict=True)])
    return _finite(Table(str(path), names, np.array(values).reshape(len(values), len(names)), lines))


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not blank, with their numbers in the file."""
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"{path}, line {reader.line_num}: not comma-separated values: {error}") from None
        if any(cell.strip() for cell in cells) or len(cells) > 1:
            yield reader.line_num, cells


def _text(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > MAX_BYTES:
        raise LimitError(f"{path}: larger than {MAX_BYTES} bytes; thin the samples out, or cut the file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}); save it as CSV in UTF-8") from None


def _check_header(path: Path, line: int, names: tuple[str, ...]) -> None:
    whole = ",".join(names)
    other = next((word for sign, word in ((";", "semicolons"), ("\t", "tabs")) if sign in whole), None)
    if other:
        raise InputError(
            f"{path}, line {line}: the columns are separated by {other}; expected commas between them, and decimal "
            "points in numbers"
        )
    if all(_is_number(name) for name in names):
        raise InputError(
            f"{path}, line {line}: a line of column names is missing; expected names such as t,q1,q2; found "
            f"{_shown(names)}"
        )
    for column, name in enumerate(names, start=1):
        if not name:
            raise InputError(f"{path}, line {line}: column {column} has no name")
        if name in names[: column - 1]:
            raise InputError(f"{path}, line {line}: two columns are called {name!r}"[:300])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(path: Path, line: int, name: str, cell: str) -> float:
    try:
        if "_" not in cell:
            return float(cell)
    except ValueError:
        pass
    where = f"{path}, line {line}, column {name!r}"[:200]
    if not cell.strip():
        raise InputError(f"{where}: the value is missing; fill the gap, or cut the file there")
    hint = "; write a decimal point, not a comma" if _is_number(cell.replace(",", ".", 1)) and "," in cell else ""
    raise InputError(f"{where}: expected a number, found {cell.strip()[:40]!r}{hint}")


def _finite(found: Table) -> Table:
    bad = np.argwhere(~np.isfinite(found.values))
    if len(bad):
        row, column = bad[0]
        raise InputError(
            f"{found.source}, {found.place(row)}, column {found.names[column]!r}: expected a finite number, found "
            f"{found.values[row, column]}; fill the gap, or cut the samples there"
        )
    return found


def _row_name(row: int, lines: Sequence[int] | None) -> str:
    return f"index {row}" if lines is None else f"line {lines[row]}"


def _shown(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names))[:200] or "nothing"
