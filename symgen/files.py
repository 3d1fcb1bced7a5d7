"""Writing files so that what was good before is never lost: write beside, then rename."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from symgen.errors import EnvironmentFault


def write_files(directory: Path, files: Mapping[str, str]) -> list[Path]:
    """Write all `files` (name → text) into `directory`, made if it is missing; returns their paths.

    Nothing is replaced before everything is on disk. Raises `EnvironmentFault` if it cannot be written.
    """
    written: list[tuple[str, Path]] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            written.append((_write_beside(directory, text), directory / name))
        for temporary, path in written:
            os.replace(temporary, path)  # noqa: PTH105 — one call that is atomic on every platform
    except OSError as error:
        raise EnvironmentFault(
            f"{directory}: cannot be written: {error.strerror or error}; files that were there are unchanged; "
            "choose another directory with --output"
        ) from None
    finally:
        for temporary, _ in written:
            with contextlib.suppress(OSError):
                Path(temporary).unlink(missing_ok=True)
    return [path for _, path in written]


def _write_beside(directory: Path, text: str) -> str:
    """A new file in `directory` that holds `text`; removed again if it cannot be completed."""
    handle, temporary = tempfile.mkstemp(prefix=".symgen-", dir=directory)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink(missing_ok=True)
        raise
    return temporary


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
