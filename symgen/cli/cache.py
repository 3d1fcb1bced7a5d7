"""The command about what is kept of earlier runs: `cache`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from symgen.cli.arguments import JSON
from symgen.cli.terminal import print_json, print_tables

if TYPE_CHECKING:
    from symgen.build.contents import Item

_DAY = 24 * 3600.0  # seconds

_WORDS = {
    "robot": "robots read",
    "derivation": "derivations",
    "texts": "texts of code",
    "verdict": "verdicts",
    "compiled": "compiled files",
}
"""Kind of what is in the cache → what it is called; what has no word here is small."""

_OTHERS = "others"


def _bytes_of(_context: click.Context, _parameter: click.Parameter, given: str | None) -> int | str | None:
    """Bytes of a text such as 500M; an empty text is left."""
    from symgen.build.kept import size_of

    if not given:
        return given
    size = size_of(given)
    if size is None:
        raise click.BadParameter(f"expected a size such as 500M or 2G, found {given[:40]!r}")
    return size


@click.command()
@click.option(
    "--prune",
    is_flag=False,
    flag_value="",
    callback=_bytes_of,
    metavar="[SIZE]",
    help="Remove what was used longest ago until the cache holds SIZE at most, such as 200M (without: its bound).",
)
@click.option(
    "--older-than", type=click.FloatRange(0), metavar="DAYS", help="Remove what was not used for so many days."
)
@click.option("--clear", is_flag=True, help="Remove all that symgen wrote there.")
@JSON
def cache(prune: int | str | None, older_than: float | None, clear: bool, as_json: bool) -> None:
    """Show what is kept of earlier runs: derivations, verdicts, compiled modules; or remove some of it.

    The folder is $SYMGEN_CACHE, or the usual one of the platform. $SYMGEN_CACHE_SIZE, such as 500M, bounds what it
    holds (usually 1G): beyond that the oldest used goes first. With 0 nothing derived is kept or looked up.
    """
    from symgen.build import contents, kept
    from symgen.build.cache import cache_directory

    if clear and (prune is not None or older_than is not None):
        raise click.UsageError("--clear removes everything; it excludes --prune and --older-than")
    folder, bound = cache_directory(), kept.limit()
    removed: list[Item] | None = None
    if clear:
        removed = contents.remove(folder)
    if older_than is not None:
        since = time.time() - older_than * _DAY
        removed = contents.remove(folder, lambda item: item.used <= since)
    if prune is not None:
        size = prune if isinstance(prune, int) else bound
        removed = [*(removed or ()), *contents.trim(folder, size, in_use=0.0)]
    items = contents.items(folder)
    if as_json:
        print_json(_summary(folder, bound, items, removed))
        return
    if removed is not None:
        click.echo(f"removed {_files(removed)}")
    _show(folder, bound, items)


def _show(folder: Path, bound: int, items: Sequence[Item]) -> None:
    from symgen.display.markup import Grid
    from symgen.display.tables import grid_table

    held = f"at most {_bytes(bound)}" if bound else "nothing derived is kept: SYMGEN_CACHE_SIZE is 0"
    click.echo(f"{folder}: {_files(items)} ({held})")
    if items:
        rows = tuple(
            (word, str(len(own)), _bytes(_size(own)), _moment(own[0]), _moment(own[-1]))
            for word, own in _by_word(items).items()
        )
        print_tables(grid_table(Grid("cache", ("", "files", "size", "oldest use", "latest use"), rows)))


def _summary(folder: Path, bound: int, items: Sequence[Item], removed: Sequence[Item] | None) -> dict[str, Any]:
    found: dict[str, Any] = {
        "folder": str(folder),
        "bound": bound,
        **_sum(items),
        "kinds": {
            word: {
                "files": len(own),
                "bytes": _size(own),
                "oldest_use": _moment(own[0]),
                "latest_use": _moment(own[-1]),
            }
            for word, own in _by_word(items).items()
        },
    }
    if removed is not None:
        found["removed"] = _sum(removed)
    return found


def _sum(items: Sequence[Item]) -> dict[str, int]:
    return {"files": len(items), "bytes": _size(items)}


def _by_word(items: Sequence[Item]) -> dict[str, list[Item]]:
    """The items of each word, in the order of the words, the oldest used first."""
    found: dict[str, list[Item]] = {word: [] for word in (*_WORDS.values(), _OTHERS)}
    for item in items:
        found[_WORDS.get(item.kind, _OTHERS)].append(item)
    return {word: own for word, own in found.items() if own}


def _files(items: Sequence[Item]) -> str:
    return f"{'1 file' if len(items) == 1 else f'{len(items)} files'}, {_bytes(_size(items))}"


def _size(items: Sequence[Item]) -> int:
    return sum(item.size for item in items)


def _bytes(size: float) -> str:
    """A size for people, with three digits."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def _moment(item: Item) -> str:
    return datetime.fromtimestamp(item.used).astimezone().isoformat(" ", "seconds")
