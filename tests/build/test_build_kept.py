"""Entries of the cache: whole or absent, verified when they are read, bounded, and no trouble where they cannot be."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symgen.build import contents, identity, kept
from symgen.build.cache import UNFINISHED
from symgen.errors import EnvironmentFault

KEY, OTHER = kept.key_of("one"), kept.key_of("another")
CONTENT = bytes(range(256)) * 4


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("SYMGEN_CACHE", str(folder))
    monkeypatch.delenv(kept.SIZE)
    return folder


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def compiled(folder, key, size=100):
    """A file where compiled modules are."""
    path = folder / key[:2] / key[2:] / "_arm.so"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x" * size)
    return path


# one entry ---------------------------------------------------------------------------------------------------


def test_what_is_kept_is_found(cache):
    assert kept.fetched("kind", KEY) is None
    kept.keep("kind", KEY, CONTENT)
    assert kept.fetched("kind", KEY) == CONTENT
    assert kept.fetched("other", KEY) is None
    assert kept.fetched("kind", OTHER) is None
    kept.keep("kind", KEY, b"")
    assert kept.fetched("kind", KEY) == b""
    assert len(files(cache)) == 1
    kept.discard("kind", KEY)
    assert kept.fetched("kind", KEY) is None


@pytest.mark.parametrize("seed", range(40))
def test_a_flipped_bit_anywhere_is_found_and_the_entry_thrown_away(cache, seed):
    kept.keep("kind", KEY, CONTENT)
    (path,) = files(cache)
    chance, content = random.Random(seed), bytearray(path.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)
    assert kept.fetched("kind", KEY) is None
    assert files(cache) == []


@pytest.mark.parametrize("damage", ["empty", "short", "long", "foreign", "of another key", "of another kind"])
def test_what_is_no_entry_is_thrown_away(cache, damage):
    kept.keep("kind", KEY, CONTENT)
    (path,) = files(cache)
    whole = path.read_bytes()
    kept.keep("kind", OTHER, CONTENT)
    kept.keep("other", KEY, CONTENT)
    others = {p.suffix: p.read_bytes() for p in files(cache) if p != path}
    changed = {
        "empty": b"",
        "short": whole[:-1],
        "long": whole + b"\0",
        "foreign": b"something else " * 20,
        "of another key": others[".kind"],
        "of another kind": others[".other"],
    }
    path.write_bytes(changed[damage])
    assert kept.fetched("kind", KEY) is None
    assert not path.exists()
    assert len(files(cache)) == 2


def test_keys_tell_apart_what_was_asked_and_who_answers(monkeypatch):
    assert (
        len({kept.key_of(), kept.key_of("a", "b"), kept.key_of("ab"), kept.key_of("a", ["b"]), kept.key_of("b")}) == 5
    )
    before = kept.key_of("a")
    monkeypatch.setattr(kept, "identity", lambda: "another symgen")
    assert kept.key_of("a") != before


@pytest.mark.parametrize("change", ["size", "time", "name", "new", "gone"])
def test_an_edited_file_is_another_symgen(tmp_path, change):
    (tmp_path / "inner").mkdir()
    path = tmp_path / "inner" / "part.py"
    path.write_text("1")
    (tmp_path / "__pycache__").mkdir()
    before = identity._files(tmp_path)
    assert len(before) == 1
    (tmp_path / "__pycache__" / "part.pyc").touch()
    assert identity._files(tmp_path) == before
    match change:
        case "size":
            path.write_text("12")
        case "time":
            os.utime(path, ns=(1, 1))
        case "name":
            path.rename(tmp_path / "part.py")
        case "new":
            (tmp_path / "other.j2").touch()
        case "gone":
            path.unlink()
    assert identity._files(tmp_path) != before


def test_the_identity_is_that_of_the_files_that_run():
    package = Path(identity.__file__).parents[1]
    paths = {Path(path) for path, _, _ in identity._files(package)}
    assert {package / "api.py", package / "robot" / "library" / "puma.toml"} <= paths
    assert identity._library("numpy")[1] > 0
    assert identity._library("no_such_library") == ("no_such_library", 0, 0)


# where nothing can be kept --------------------------------------------------------------------------------------


def test_with_size_0_nothing_is_kept_or_looked_up(cache, monkeypatch):
    kept.keep("kind", KEY, CONTENT)
    monkeypatch.setenv(kept.SIZE, "0")
    assert kept.fetched("kind", KEY) is None
    kept.keep("kind", OTHER, CONTENT)
    assert len(files(cache)) == 1


def test_without_it_nothing_is_kept_or_looked_up(cache):
    kept.keep("kind", KEY, CONTENT)
    with kept.unused():
        assert kept.fetched("kind", KEY) is None
        kept.keep("kind", OTHER, CONTENT)
        with kept.unused(False):
            assert not kept.is_used()
    with kept.unused(False):
        assert kept.fetched("kind", KEY) == CONTENT
    assert len(files(cache)) == 1


@pytest.mark.parametrize("below", ["", "below"])
def test_a_cache_that_cannot_be_is_no_trouble(tmp_path, monkeypatch, below):
    blocked = tmp_path / "blocked"
    blocked.touch()
    monkeypatch.setenv("SYMGEN_CACHE", str(blocked / below))
    monkeypatch.delenv(kept.SIZE)
    kept.keep("kind", KEY, CONTENT)
    assert kept.fetched("kind", KEY) is None
    kept.discard("kind", KEY)
    assert contents.items(blocked) == []


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of Unix")
def test_a_cache_that_is_only_to_be_read_is_read(cache, monkeypatch):
    kept.keep("kind", KEY, CONTENT)

    def refuse(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    # As root tests may write everywhere.
    for name in ("mkstemp", "mkdtemp"):
        monkeypatch.setattr(f"tempfile.{name}", refuse)
    monkeypatch.setattr(os, "utime", refuse)
    assert kept.fetched("kind", KEY) == CONTENT
    kept.keep("kind", OTHER, CONTENT)
    assert kept.fetched("kind", OTHER) is None


def test_an_interrupted_write_leaves_nothing(cache, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    kept.keep("kind", OTHER, CONTENT)
    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        kept.keep("kind", KEY, CONTENT)
    assert [path.suffix for path in files(cache)] == [".kind"]


_WRITE = """
import sys
from symgen.build import kept
key, content = kept.key_of("shared"), bytes(range(256)) * 200
for _ in range(60):
    found = kept.fetched("kind", key)
    assert found in (None, content), "half of an entry"
    if found is None or sys.argv[1] == "writes":
        kept.keep("kind", key, content)
    if sys.argv[1] == "throws away":
        kept.discard("kind", key)
"""


def test_many_processes_at_once(cache):
    kinds = ["writes", "writes", "throws away", "reads"]
    running = [subprocess.Popen([sys.executable, "-c", _WRITE, kind], stderr=subprocess.PIPE) for kind in kinds]
    errors = [process.communicate(timeout=120)[1].decode() for process in running]
    assert errors == [""] * len(kinds)
    assert not [path for path in files(cache) if path.name.startswith(UNFINISHED)]


# the bound ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("0", 0),
        ("12", 12),
        ("500M", 500 * 10**6),
        ("1.5 G", 1500 * 10**6),
        ("2gb", 2 * 10**9),
        (" 7k ", 7000),
        ("", None),
        ("-1", None),
        ("1e3", None),
        ("many", None),
        ("5 P", None),
        ("٣", None),
    ],
)
def test_sizes(text, size):
    assert kept.size_of(text) == size


def test_the_bound(monkeypatch):
    monkeypatch.setenv(kept.SIZE, " ")
    assert kept.limit() == kept.USUAL_SIZE
    monkeypatch.setenv(kept.SIZE, "3M")
    assert kept.limit() == 3 * 10**6
    monkeypatch.setenv(kept.SIZE, "much")
    with pytest.raises(EnvironmentFault, match=r"SYMGEN_CACHE_SIZE is 'much': expected .* such as 500M"):
        kept.limit()


def test_the_oldest_used_go_first(cache, monkeypatch):
    keys = [kept.key_of("entry", number) for number in range(8)]
    for age, key in enumerate(keys):
        kept.keep("kind", key, random.Random(age).randbytes(1000))
    found = {item.path.name[:62]: item for item in contents.items(cache)}
    for age, key in enumerate(keys):
        os.utime(found[key[2:]].path, (1000 + age, 1000 + age))
    assert kept.fetched("kind", keys[0]) is not None  # used just now
    monkeypatch.setenv(kept.SIZE, str(4 * 1100))
    kept.keep("kind", KEY, CONTENT)
    left = {item.path.name[:62] for item in contents.items(cache)}
    assert left == {key[2:] for key in (keys[0], keys[6], keys[7], KEY)}
    assert sum(item.size for item in contents.items(cache)) <= kept.limit()


def test_the_whole_cache_is_looked_at_seldom(cache, monkeypatch):
    seen = []
    monkeypatch.setattr(kept, "trim", lambda *args: seen.append(args))
    for number in range(5):
        kept.keep("kind", kept.key_of(number), os.urandom(1000))
    assert seen == [(cache, kept.USUAL_SIZE)]
    monkeypatch.setenv(kept.SIZE, str(2000 * 256))
    for number in range(6):
        kept.keep("kind", kept.key_of(number), os.urandom(1000))
    assert 3 <= len(seen) <= 4


def test_what_was_compiled_counts_but_is_not_taken_from_who_loads_it(cache, monkeypatch):
    old, new = compiled(cache, "a" * 64, 5000), compiled(cache, "b" * 64, 5000)
    os.utime(old, (1, 1))
    monkeypatch.setenv(kept.SIZE, "2k")
    kept.keep("kind", KEY, CONTENT)
    assert not old.parent.parent.exists()
    assert new.exists()
    assert contents.trim(cache, 0, in_use=0.0)
    assert files(cache) == []


def test_only_what_symgen_wrote_is_removed(cache):
    mine = ["notes.txt", "aa/notes.txt", "kept/aa/notes.txt", f"kept/{'a' * 64}.kind", f"{'c' * 64}/x.so", "kept/zz/y"]
    for name in mine:
        path = cache / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    kept.keep("kind", KEY, CONTENT)
    compiled(cache, "aa" + "b" * 62)
    half = [cache / "kept" / "aa" / f"{UNFINISHED}{age}" for age in ("old", "new")]
    for path in half:
        path.touch()
    os.utime(half[0], (1, 1))
    assert {item.kind for item in contents.remove(cache)} == {"kind", contents.COMPILED}
    assert sorted(files(cache)) == sorted([*(cache / name for name in mine), half[1]])


def test_chosen_items_are_removed(cache):
    kept.keep("kind", KEY, CONTENT)
    kept.keep("kind", OTHER, CONTENT)
    old = contents.items(cache)[0]
    os.utime(old.path, (1, 1))
    assert [item.path for item in contents.remove(cache, lambda item: item.used < time.time() - 60)] == [old.path]
    assert len(contents.items(cache)) == 1
