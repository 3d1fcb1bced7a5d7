"""The cache of compiled files: one file a key, complete or absent, shared by processes without locks.

Beside them lies what else is kept, see `kept`; what the cache holds is told, and made less, by `contents`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from symgen.errors import EnvironmentFault

FOLDER = "kept"
"""The folder of the cache for what is not compiled."""

UNFINISHED = ".writing-"
"""What the names of files begin with that are not finished there."""

_BUILDING = ".building-"
_ABANDONED_AFTER = 24 * 3600.0  # seconds; no build takes a day


def cache_directory() -> Path:
    """$SYMGEN_CACHE, or the user's cache directory of the platform."""
    chosen = os.environ.get("SYMGEN_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    import platformdirs  # only who has not chosen waits for it

    return platformdirs.user_cache_path("symgen")


def cache_key(sources: Mapping[str, str], identity: Mapping[str, object]) -> str:
    """A hash of all that decides the compiled bytes: file names, texts, and `identity` (flags, versions)."""
    # JSON keeps fields apart: no two inputs run together into the same text.
    text = json.dumps([sorted(sources.items()), sorted(identity.items())])
    return hashlib.sha256(text.encode()).hexdigest()


def is_cached(key: str, filename: str) -> bool:
    """Whether the cache has the file `filename` of `key`."""
    cache = cache_directory()
    with _using(cache):
        return _place(key, filename).is_file()


def _place(key: str, filename: str) -> Path:
    return cache_directory() / key[:2] / key[2:] / filename


def cached_build(key: str, filename: str, build: Callable[[Path], None]) -> Path:
    """The file `filename` of `key`; if there is none, `build(directory)` makes it, in a directory of its own.

    Processes that build one key at once each build it, and the last replaces the others' file, which is the
    same. Nobody sees a file before it is whole, and a build which fails leaves nothing behind.

    Raises:
        EnvironmentFault: the cache directory cannot be read or written.
    """
    cache = cache_directory()
    target = _place(key, filename)
    with _using(cache):
        if target.is_file():
            with contextlib.suppress(OSError):
                os.utime(target)  # where the cache is full, the oldest used go first
            return target
        cache.mkdir(parents=True, exist_ok=True)
        _sweep(cache)
    with _building_directory(cache) as directory:
        build(directory)
        with _using(cache):
            _publish(directory / filename, target)
    return target


@contextlib.contextmanager
def _building_directory(cache: Path) -> Iterator[Path]:
    """A private directory inside the cache (so that a rename can move out of it), gone afterwards."""
    with _using(cache):
        directory = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=cache))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _publish(built: Path, target: Path) -> None:
    """Move a finished file to where others look for it."""
    # Without this a power failure could leave the name, but not yet the bytes.
    with built.open("rb") as file:
        os.fsync(file.fileno())
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        built.replace(target)
    except FileNotFoundError:  # who makes room removes folders that are empty
        target.parent.mkdir(parents=True, exist_ok=True)
        built.replace(target)


def _sweep(cache: Path) -> None:
    """Remove what builds that were killed outright left behind."""
    for directory in cache.glob(f"{_BUILDING}*"):
        with contextlib.suppress(OSError):
            if time.time() - directory.stat().st_mtime > _ABANDONED_AFTER:
                shutil.rmtree(directory, ignore_errors=True)


@contextlib.contextmanager
def _using(cache: Path) -> Iterator[None]:
    """Turn a refusal of the file system into an error that names the cache."""
    try:
        yield
    except OSError as error:
        raise EnvironmentFault(
            f"the cache directory {cache} cannot be used: {error.strerror or error}. "
            "Set SYMGEN_CACHE to a directory that can be written."
        ) from error
