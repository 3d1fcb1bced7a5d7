"""Writing files so that what was good before is never lost: write beside, then rename."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from symgen.errors import EnvironmentFault, InputError


def write_files(
    directory: str | Path, files: Mapping[str, str | bytes], remedy: str = "choose another directory with --output"
) -> list[Path]:
    """Write all `files` (name → text or bytes) into `directory`, made if it is missing; returns their paths.

    Nothing is replaced before everything is on disk, and if a file cannot be replaced, those before it get their old
    contents back. Raises `EnvironmentFault`, which ends with the `remedy`, if it cannot be written, and `InputError`
    for what is no path.
    """
    if not isinstance(directory, str | Path):
        raise InputError(f"output: expected the path of a directory, found {directory!r}"[:200])
    directory = Path(directory)
    paths = [directory / name for name in files]
    temporaries: list[str] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        contents = [data.encode() if isinstance(data, str) else data for data in files.values()]
        new = [_write_beside(directory, content, temporaries) for content in contents]
        old = [_copy_beside(directory, path, temporaries) for path in paths]
        _replace(paths, new, old)
    except OSError as error:
        raise EnvironmentFault(
            f"{directory}: cannot be written: {_reason(directory, error)}; files that were there are unchanged; "
            f"{remedy}"
        ) from None
    finally:
        for temporary in temporaries:
            _remove(temporary)
    return paths


def _reason(directory: Path, error: OSError) -> str:
    name = error.filename2 or error.filename
    if isinstance(error, FileExistsError) and name and Path(name) == directory:
        return "it is a file, not a directory"
    where = f" ({name})" if name and Path(name) != directory else ""
    return (error.strerror or str(error)) + where


def _replace(paths: Sequence[Path], new: Sequence[str], old: Sequence[str | None]) -> None:
    """Put the new files in place; if one cannot be, undo those before it."""
    done = 0
    try:
        for path, temporary in zip(paths, new, strict=True):
            os.replace(temporary, path)  # noqa: PTH105 — one call that is atomic on every platform
            done += 1
    except BaseException:
        for path, copy in zip(paths[:done], old[:done], strict=True):
            with contextlib.suppress(OSError):
                if copy is None:
                    path.unlink()
                else:
                    os.replace(copy, path)  # noqa: PTH105
        raise


def _copy_beside(directory: Path, path: Path, temporaries: list[str]) -> str | None:
    """A copy of the file at `path`, if there is one."""
    return _write_beside(directory, path.read_bytes(), temporaries) if path.exists() else None


def _write_beside(directory: Path, content: bytes, temporaries: list[str]) -> str:
    """A new file in `directory` that holds `content`; its name is added to `temporaries`."""
    handle, temporary = tempfile.mkstemp(prefix=".symgen-", dir=directory)
    temporaries.append(temporary)
    with os.fdopen(handle, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    Path(temporary).chmod(0o666 & ~_umask())
    return temporary


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        Path(path).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_texts(directory: Path, texts: Mapping[str, str]) -> None:
    """Write the sources of a build into its directory; `EnvironmentFault` if that cannot be written."""
    try:
        for name, text in texts.items():
            (directory / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        message = f"{directory} cannot be written: {error.strerror}. Set SYMGEN_CACHE to another directory."
        raise EnvironmentFault(message) from error
