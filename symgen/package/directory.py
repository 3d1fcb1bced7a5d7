"""Writing a directory of generated files: what was good before, and what is not ours, is never lost.

A manifest in the directory says which files symgen wrote, and what stood in them. Only files that are listed there and
are still as they were written are replaced or removed. If one was changed, or if a file stands in the way that is not
listed, nothing is written and the message names it. Everything new is on disk before anything old is moved; then files
change places by renaming, which needs no space, and if that fails they change back.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from symgen.errors import EnvironmentFault, InputError

MANIFEST = ".symgen-manifest.json"
"""The file that lists what symgen wrote: path → SHA-256 of its content."""

_SHOWN = 10


def write_directory(directory: Path, files: Mapping[str, str], *, force: bool = False) -> list[Path]:
    """Write `files` (path with `/` → text) and their manifest into `directory`; returns their paths, sorted.

    Raises `InputError` if the directory holds anything and `force` is not set, or if what it holds may not be replaced;
    `EnvironmentFault` if it cannot be written. In either case it is as it was.
    """
    contents = {path: text.encode() for path, text in sorted(files.items())}
    contents[MANIFEST] = _manifest(contents)
    try:
        # A link to a directory stays one: what it points to is written.
        target = directory.resolve()
        if not target.exists():
            _create(target, contents)
        else:
            _update(directory, target, contents, force=force)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise EnvironmentFault(
            f"{directory}: the package cannot be written: {error.strerror or error}{where}; "
            "files that were there are unchanged"
        ) from None
    return [directory / path for path in sorted(contents)]


# what may be replaced ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Change:
    """What is to be done in a directory: files to be written, listed files to be removed."""

    write: tuple[str, ...]
    remove: tuple[str, ...]


def _planned(directory: Path, target: Path, contents: Mapping[str, bytes], *, force: bool) -> _Change:
    """What replaces an old package; `InputError` where that would cost somebody's work."""
    if not target.is_dir():
        raise InputError(f"{directory}: expected a directory for the package, found a file")
    listed: Mapping[str, str] = {}
    if any(target.iterdir()):
        if not force:
            raise InputError(f"{directory} is not empty; --force replaces a package that symgen wrote there")
        listed = _listed(directory, target)
    strange = [path for path in (*listed, *contents) if _leads_elsewhere(target, path)]
    if strange:
        raise InputError(f"{directory}: nothing was written, because of links or files in place of: {_shown(strange)}")
    present = {path: _content(target / path) for path in {*listed, *contents} - {MANIFEST}}
    # Content that is wanted anyway is no loss: an interrupted run can be repeated.
    kept = [path for path, old in present.items() if old is not None and contents.get(path) != old]
    changed = [path for path in kept if listed.get(path) != _digest(present[path] or b"")]
    if changed:
        raise InputError(
            f"{directory}: nothing was written, because these files are not as symgen wrote them: {_shown(changed)}. "
            "Move them away, or write the package to another directory"
        )
    write = tuple(path for path in contents if path == MANIFEST or present[path] != contents[path])
    return _Change(write, tuple(sorted(path for path in kept if path not in contents)))


def _listed(directory: Path, target: Path) -> dict[str, str]:
    """The manifest of an old package; `InputError` if there is none that can be trusted."""
    try:
        found = json.loads((target / MANIFEST).read_bytes())["files"]
        sound = all(isinstance(path, str) and isinstance(digest, str) for path, digest in found.items())
    except FileNotFoundError:
        raise InputError(
            f"{directory} is not empty and holds no package that symgen wrote ({MANIFEST} is missing); "
            "choose another directory"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        sound, found = False, {}
    if not sound or not all(_is_inside(path) for path in found):
        raise InputError(f"{directory}: {MANIFEST} is damaged, so nothing can be replaced; choose another directory")
    return dict(found)


def _is_inside(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return bool(parts) and not any(part == ".." or set(part) & set("/\\:\0") for part in parts)


def _leads_elsewhere(target: Path, path: str) -> bool:
    """Whether something other than directories and a plain file stands on the way from `target` to `path`."""
    place = target
    for part in PurePosixPath(path).parts[:-1]:
        place = place / part
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            return True
    last = target / path
    return last.is_symlink() or (last.exists() and not last.is_file())


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _manifest(contents: Mapping[str, bytes]) -> bytes:
    note = "Files that symgen wrote, with the SHA-256 of each; only these are replaced when it writes again."
    data = {"note": note, "files": {path: _digest(content) for path, content in contents.items()}}
    return (json.dumps(data, indent=2) + "\n").encode()


def _shown(paths: Sequence[str]) -> str:
    names = sorted(set(paths))
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


# writing -------------------------------------------------------------------------------------------------


def _create(target: Path, contents: Mapping[str, bytes]) -> None:
    """A new directory, which appears when it is complete."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with _workshop(target.parent) as workshop:
        _write_all(workshop / "new", contents)
        (workshop / "new").rename(target)


def _update(directory: Path, target: Path, contents: Mapping[str, bytes], *, force: bool) -> None:
    """Replace an old package, file by file; what is not ours stays where it is."""
    change = _planned(directory, target, contents, force=force)
    # Inside the directory, since renaming must not cross from one file system to another.
    with _workshop(target) as workshop:
        _write_all(workshop / "new", {path: contents[path] for path in change.write})
        present = [path for path in (*change.write, *change.remove) if (target / path).exists()]
        moves = [(target / path, workshop / "old" / path) for path in present]
        # The manifest comes last: as long as the old one stands, it tells new files from old ones.
        order = sorted(change.write, key=lambda path: path == MANIFEST)
        moves += [(workshop / "new" / path, target / path) for path in order]
        _move_all(moves)
    for path in change.remove:
        _remove_empty(target, (target / path).parent)


def _move_all(moves: Sequence[tuple[Path, Path]]) -> None:
    """Rename in order; if one cannot be, undo those before it."""
    done: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            target.parent.mkdir(parents=True, exist_ok=True)
            source.rename(target)
            done.append((source, target))
    except BaseException:
        for source, target in reversed(done):
            with contextlib.suppress(OSError):
                target.rename(source)
        raise


def _write_all(root: Path, contents: Mapping[str, bytes]) -> None:
    for path, content in contents.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())


@contextlib.contextmanager
def _workshop(parent: Path) -> Iterator[Path]:
    """A directory for what is not in its place yet."""
    path = Path(tempfile.mkdtemp(prefix=".symgen-", dir=parent))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _remove_empty(root: Path, directory: Path) -> None:
    """Remove directories that hold nothing any more, from `directory` up to `root`."""
    with contextlib.suppress(OSError):
        while directory != root:
            directory.rmdir()
            directory = directory.parent
