"""Compiling in the background: what is compiled once, what failures say and when, and that stopping leaves nothing."""

import time

import pytest
import toy_module as toy

from symgen.build.compiler import find_compiler
from symgen.build.extension import piece_of
from symgen.build.objects import Objects
from symgen.errors import CompilerError


@pytest.fixture
def objects():
    made = Objects()
    yield made
    made.stop()


def piece(name, text):
    return piece_of({f"{name}.c": text, "shared.h": "#include <math.h>\n"})


GOOD = piece("good", '#include "shared.h"\ndouble good(double x);\ndouble good(double x) { return sin(x); }\n')
BAD = piece("bad", "int broken( {\n")


def test_what_was_begun_is_taken(empty_cache, objects):
    objects.start([GOOD])
    (path,) = objects.take([GOOD])
    assert path.suffix == ".o"
    assert [file for file in empty_cache.rglob("*") if file.is_file()] == [path]
    assert objects.take([GOOD]) == [path]


def test_what_is_in_the_cache_is_not_compiled_again(empty_cache, objects, monkeypatch):
    (path,) = objects.take([GOOD])
    monkeypatch.setattr("symgen.build.objects.start", None)
    assert Objects().take([GOOD]) == [path]


def test_every_unit_of_a_piece_in_order(empty_cache, objects):
    paths = objects.take([piece_of(toy.sources()), GOOD])
    units = [name for name in toy.sources() if name.endswith(".c")]
    assert [path.stem for path in paths] == [*(unit.removesuffix(".c") for unit in units), "good"]


def test_failures_are_told_when_they_are_taken(empty_cache, objects):
    objects.start([BAD])
    objects.take([GOOD])
    with pytest.raises(CompilerError, match=r"bad\.c") as caught:
        objects.take([BAD])
    assert "-Wpedantic -Werror" in str(caught.value)


def test_stopping_ends_compilers_and_leaves_nothing(empty_cache, tmp_path, monkeypatch):
    started = tmp_path / "started"
    hang = tmp_path / "hang"
    hang.write_text(
        f'#!/bin/sh\ncase "$*" in *--version*) echo 1 ;; *probe*) ;; *) touch "{started}"; exec sleep 60 ;; esac\n',
        encoding="utf-8",
    )
    hang.chmod(0o755)
    monkeypatch.setenv("CC", str(hang))
    find_compiler().code_flags()
    made = Objects()
    made.start([GOOD, BAD])
    begun = time.monotonic()
    while not started.exists():
        assert time.monotonic() < begun + 30
        time.sleep(0.01)
    made.stop()
    assert time.monotonic() < begun + 30
    assert not list(empty_cache.glob(".building-*"))
    assert not list(empty_cache.rglob("*.o"))
