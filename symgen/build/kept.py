"""What was worked out before and is kept: entries in the cache, each a file, complete or absent, without locks.

An entry has a kind, a key that says all it was made of, and bytes. It is written beside and renamed, so that nobody
sees it before it is whole, and of processes that write one at once the last wins: they write the same. It is verified
when it is read; one that is damaged, or not what its name says, is thrown away. Where the cache cannot be used nothing
is kept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import tempfile
import zlib
from collections.abc import Iterator
from contextvars import ContextVar
from math import inf
from pathlib import Path
from typing import TypeVar

from symgen.algebra.plain import Codec, PlainError
from symgen.build.cache import FOLDER, UNFINISHED, cache_directory
from symgen.build.contents import trim
from symgen.build.identity import identity
from symgen.errors import EnvironmentFault

T = TypeVar("T")

SIZE = "SYMGEN_CACHE_SIZE"
"""The environment variable with the bound of the cache."""

USUAL_SIZE = 10**9
"""Bytes that the cache may hold where nothing is said."""

UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
"""What stands behind the number of a size, in bytes."""

SHARE = 1 / 256
"""Of its bound a cache may hold so much more for each process that writes there: looking at all of it takes time."""

_MAGIC = b"symgen kept 1\n"
_DIGEST = 32  # bytes

_unused: ContextVar[bool] = ContextVar("unused", default=False)


def size_of(text: str) -> int | None:
    """Bytes of a size such as 500M or 1.5G; None for a text that is none."""
    found = re.fullmatch(r"(\d{1,15}(?:\.\d{1,9})?) ?([KMGT]?)B?", text.strip(), re.ASCII | re.IGNORECASE)
    return None if found is None else int(float(found[1]) * UNITS[found[2].upper()])


@contextlib.contextmanager
def unused(wanted: bool = True) -> Iterator[None]:
    """Inside, if it is wanted, nothing is looked up and nothing kept; compiled files are found as always."""
    token = _unused.set(_unused.get() or wanted)
    try:
        yield
    finally:
        _unused.reset(token)


def limit() -> int:
    """Bytes that the cache may hold: $SYMGEN_CACHE_SIZE, or `USUAL_SIZE`; with 0 nothing is kept nor looked up.

    Raises:
        EnvironmentFault: the variable holds no size.
    """
    text = os.environ.get(SIZE, "").strip()
    size = size_of(text) if text else USUAL_SIZE
    if size is None:
        raise EnvironmentFault(
            f"{SIZE} is {text[:60]!r}: expected the most that the cache may hold, such as 500M or 2G, or 0 to keep "
            "nothing; correct or unset it"
        )
    return size


def is_used() -> bool:
    """Whether anything is looked up and kept.

    Raises the error of `limit`.
    """
    return bool(limit()) and not _unused.get()


def key_of(*parts: object) -> str:
    """The key of what is made of these parts, which are texts and numbers, by this symgen on this Python."""
    return hashlib.sha256(json.dumps([identity(), *parts]).encode()).hexdigest()


def fetched(kind: str, key: str) -> bytes | None:
    """The bytes of an entry; None if there is none."""
    if not is_used():
        return None
    path = _path(kind, key)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    found = _opened(kind, key, content)
    if found is None:
        discard(kind, key)
    else:
        with contextlib.suppress(OSError):
            os.utime(path)  # the oldest used go first
    return found


def recalled(kind: str, key: str, codec: Codec, expected: type[T]) -> T | None:
    """The value of an entry; None if there is none. One that holds no such value is thrown away."""
    content = fetched(kind, key)
    if content is None:
        return None
    with contextlib.suppress(PlainError):
        found = codec.value(content)
        if isinstance(found, expected):
            return found
    discard(kind, key)
    return None


def keep(kind: str, key: str, content: bytes) -> None:
    """Keep an entry, if the cache can be written; what was used longest ago goes where the cache is full."""
    if not is_used():
        return
    packed = zlib.compress(content, 1)
    with contextlib.suppress(OSError):
        _write(_path(kind, key), _MAGIC + _digest(kind, key, packed) + packed)
        _room.taken(cache_directory(), len(packed))


class _Room:
    """Keeps a cache within its bound: looks at all of it when a process first writes there, and after each `SHARE`."""

    def __init__(self) -> None:
        self._written: dict[Path, float] = {}

    def taken(self, cache: Path, size: int) -> None:
        """Note that so many bytes were written, and make room if it is time to."""
        bound = limit()
        self._written[cache] = self._written.get(cache, inf) + size
        if self._written[cache] > SHARE * bound:
            trim(cache, bound)
            self._written[cache] = 0.0


_room = _Room()


def discard(kind: str, key: str) -> None:
    """Throw an entry away."""
    with contextlib.suppress(OSError):
        _path(kind, key).unlink(missing_ok=True)


def _path(kind: str, key: str) -> Path:
    return cache_directory() / FOLDER / key[:2] / f"{key[2:]}.{kind}"


def _digest(kind: str, key: str, packed: bytes) -> bytes:
    """Of all that an entry is, its name too."""
    return hashlib.sha256(f"{kind} {key}\n".encode() + packed).digest()


def _opened(kind: str, key: str, content: bytes) -> bytes | None:
    """The bytes in a file; None if it is not what was written under this name."""
    head = len(_MAGIC) + _DIGEST
    packed = content[head:]
    if content[:head] != _MAGIC + _digest(kind, key, packed):
        return None
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return None


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise
