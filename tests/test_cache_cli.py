"""`symgen cache`: what is kept, as people and programs see it, and how it goes."""

import json
import os

import pytest
from click.testing import CliRunner

from symgen.build import contents, kept
from symgen.cli import main


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("SYMGEN_CACHE", str(folder))
    monkeypatch.delenv(kept.SIZE)
    return folder


def symgen(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture
def filled(cache):
    """Two derivations of about 5 kB, one of them not used for ten days, and a compiled module."""
    for number in range(2):
        kept.keep("derivation", kept.key_of(number), os.urandom(5000))
    old = contents.items(cache)[0]
    os.utime(old.path, (old.used - 10 * 86400,) * 2)
    compiled = cache / "ab" / ("c" * 62) / "_arm.so"
    compiled.parent.mkdir(parents=True)
    compiled.write_bytes(b"x" * 700)
    return cache


def test_an_empty_cache_is_shown(cache):
    found = symgen("cache")
    assert found.exit_code == 0
    assert found.output == f"{cache}: 0 files, 0 B (at most 1 GB)\n"
    assert not cache.exists()


def test_what_is_kept_is_shown(filled):
    found = symgen("cache")
    assert f"{filled}: 3 files, 10.8 kB (at most 1 GB)" in found.output
    rows = [line.split() for line in found.output.splitlines()]
    assert [row[:6] for row in rows if "derivations" in row] == [["│", "derivations", "│", "2", "│", "10.1"]]
    assert [row[:6] for row in rows if "compiled" in row] == [["│", "compiled", "files", "│", "1", "│"]]


def test_programs_get_numbers(filled, monkeypatch):
    monkeypatch.setenv(kept.SIZE, "20k")
    data = json.loads(symgen("cache", "--json").output)
    assert (data["folder"], data["bound"], data["files"]) == (str(filled), 20000, 3)
    assert set(data["kinds"]) == {"derivations", "compiled files"}
    assert data["kinds"]["derivations"]["oldest_use"] < data["kinds"]["derivations"]["latest_use"]
    assert data["bytes"] == sum(kind["bytes"] for kind in data["kinds"].values())
    assert "removed" not in data


@pytest.mark.parametrize(
    ("args", "size", "removed"),
    [
        (["--prune"], "", 0),
        (["--prune"], "8k", 1),
        (["--prune", "1k"], "", 2),
        (["--prune", "0"], "", 3),
        (["--older-than", "9"], "", 1),
        (["--older-than", "11"], "", 0),
        (["--prune", "--older-than", "9"], "3k", 2),
        (["--prune", "100", "--older-than", "9"], "", 3),
        (["--clear"], "", 3),
    ],
)
def test_what_is_removed(filled, monkeypatch, args, size, removed):
    monkeypatch.setenv(kept.SIZE, size)
    data = json.loads(symgen("cache", *args, "--json").output)
    assert (data["removed"]["files"], data["files"]) == (removed, 3 - removed)
    assert len(contents.items(filled)) == 3 - removed


def test_it_is_said_what_went(filled):
    assert symgen("cache", "--clear").output.startswith("removed 3 files, 10.8 kB\n")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--prune", "much"], "expected a size such as 500M or 2G, found 'much'"),
        (["--older-than", "-1"], "-1"),
        (["--clear", "--prune"], "it excludes --prune and --older-than"),
    ],
)
def test_wrong_arguments(filled, args, words):
    found = symgen("cache", *args)
    assert found.exit_code == 2
    assert words in found.output
    assert len(contents.items(filled)) == 3


def test_without_derivations_it_says_so(filled, monkeypatch):
    monkeypatch.setenv(kept.SIZE, "0")
    assert "nothing derived is kept: SYMGEN_CACHE_SIZE is 0" in symgen("cache").output


def test_fresh_is_an_option_of_what_derives(cache, tmp_path):
    asked = ["planar2r", "--functions", "gravity_torque", "--effort", "low", "--fresh"]
    assert symgen("count", *asked).exit_code == 0
    assert symgen("generate", *asked, "--states", 2, "-o", tmp_path / "out").exit_code == 0
    assert not {item.kind for item in contents.items(cache)} & {"robot", "derivation", "texts", "verdict"}
