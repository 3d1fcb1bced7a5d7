"""What the cache holds, and how it is made smaller: the files that symgen wrote there, and no others."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from symgen.build.cache import FOLDER, UNFINISHED

COMPILED = "compiled"
"""The kind of what was compiled: modules, and the objects they are linked of."""

IN_USE = 3600.0
"""Seconds after its last use in which what was compiled is not removed to make room: who made it may yet link it."""

ABANDONED = 3600.0
"""Seconds after which a file that was never finished is removed."""

_FIRST = re.compile(r"[0-9a-f]{2}")
_REST = re.compile(r"[0-9a-f]{62}")


@dataclass(frozen=True)
class Item:
    """A file of the cache: its kind, its size in bytes, and when it was last used, in seconds since the epoch."""

    path: Path
    kind: str
    size: int
    used: float


def items(cache: Path) -> list[Item]:
    """The finished files in a cache, by their last use, the oldest first; none if there is no cache."""
    found = [item for item in (*_compiled(cache), *_entries(cache)) if item.kind]
    return sorted(found, key=lambda item: (item.used, str(item.path)))


def trim(cache: Path, size: int, in_use: float = IN_USE) -> list[Item]:
    """Remove what was used longest ago until the cache holds at most `size` bytes; returns what was removed.

    What was compiled, and used in the last `in_use` seconds, stays.
    """
    found = items(cache)
    total, now = sum(item.size for item in found), time.time()
    removed = []
    for item in found:
        if total <= size:
            break
        if item.kind != COMPILED or now - item.used >= in_use:
            _remove(item.path)
            removed.append(item)
            total -= item.size
    return removed


def remove(cache: Path, chosen: Callable[[Item], bool] = lambda item: True) -> list[Item]:
    """Remove the chosen files, and what was abandoned; returns what was removed."""
    removed = [item for item in items(cache) if chosen(item)]
    for item in removed:
        _remove(item.path)
    now = time.time()
    for item in _entries(cache):
        if not item.kind and now - item.used > ABANDONED:
            _remove(item.path)
    return removed


def _compiled(cache: Path) -> Iterator[Item]:
    for folder in _folders(cache, _FIRST):
        for inner in _folders(folder, _REST):
            for entry in _scanned(inner):
                yield from _item(entry, COMPILED)


def _entries(cache: Path) -> Iterator[Item]:
    """What is kept beside what was compiled; of no kind if it is not finished."""
    for folder in _folders(cache / FOLDER, _FIRST):
        for entry in _scanned(folder):
            key, dot, kind = entry.name.partition(".")
            if _REST.fullmatch(key) and dot:
                yield from _item(entry, kind)
            elif entry.name.startswith(UNFINISHED):
                yield from _item(entry, "")


def _folders(folder: Path, names: re.Pattern[str]) -> Iterator[Path]:
    for entry in _scanned(folder):
        if names.fullmatch(entry.name):
            yield Path(entry.path)


def _scanned(folder: Path) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if it cannot be read, or is none."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _item(entry: os.DirEntry[str], kind: str) -> Iterator[Item]:
    with contextlib.suppress(OSError):
        if entry.is_file(follow_symlinks=False):
            found = entry.stat(follow_symlinks=False)
            yield Item(Path(entry.path), kind, found.st_size, found.st_mtime)


def _remove(path: Path) -> None:
    """Remove a file, and the folders that it leaves empty."""
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)
        path.parent.rmdir()
        path.parent.parent.rmdir()
