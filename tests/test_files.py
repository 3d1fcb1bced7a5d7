"""Writing files: all or none, and what was there before is never lost."""

import errno
import os
from pathlib import Path

import pytest

from symgen.build.files import write_files
from symgen.errors import EnvironmentFault

NEW = {"arm.c": "new c\n", "arm.h": "new h\n", "arm.py": "new py, θ\n"}
OLD = {"arm.c": "old c\n", "arm.py": "old py\n", "notes.txt": "mine\n"}


def contents(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def folder(tmp_path):
    """A directory with the output of an earlier run."""
    directory = tmp_path / "out"
    directory.mkdir()
    for name, text in OLD.items():
        (directory / name).write_text(text, encoding="utf-8")
    return directory


def failing_on(call, code, real):
    """`real`, but its call number `call` (from 1) fails as the system would."""
    calls = iter(range(1, 1000))

    def function(*args, **kwargs):
        if next(calls) == call:
            raise OSError(code, os.strerror(code))
        return real(*args, **kwargs)

    return function


def test_files_are_written_beside_others(folder):
    paths = write_files(folder, NEW)
    assert paths == [folder / name for name in NEW]
    assert contents(folder) == OLD | NEW


def test_directories_are_made(tmp_path):
    write_files(tmp_path / "a" / "b c", NEW)
    assert contents(tmp_path / "a" / "b c") == NEW


def test_line_ends_are_the_same_everywhere(tmp_path):
    write_files(tmp_path, NEW)
    assert (tmp_path / "arm.c").read_bytes() == b"new c\n"


def test_permissions_follow_the_umask(tmp_path):
    previous = os.umask(0o027)
    try:
        write_files(tmp_path, NEW)
    finally:
        os.umask(previous)
    assert (tmp_path / "arm.c").stat().st_mode & 0o777 == 0o640


# one of these calls is made for every new file, then for a copy of every old one
@pytest.mark.parametrize("call", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("function", ["fsync", "fdopen"])
def test_a_full_disk_leaves_everything_as_it_was(folder, monkeypatch, function, call):
    monkeypatch.setattr(os, function, failing_on(call, errno.ENOSPC, getattr(os, function)))
    with pytest.raises(EnvironmentFault, match=r"No space left on device.*unchanged.*--output"):
        write_files(folder, NEW)
    assert contents(folder) == OLD
    assert list(folder.glob(".symgen-*")) == []


@pytest.mark.parametrize("call", [1, 2, 3])
def test_a_file_that_cannot_be_replaced_undoes_the_others(folder, monkeypatch, call):
    monkeypatch.setattr(os, "replace", failing_on(call, errno.EPERM, os.replace))
    with pytest.raises(EnvironmentFault, match="Operation not permitted"):
        write_files(folder, NEW)
    assert contents(folder) == OLD


def test_a_directory_in_the_way_is_named(folder):
    (folder / "arm.h").mkdir()
    with pytest.raises(EnvironmentFault, match=r"Is a directory \(.*arm\.h\)"):
        write_files(folder, NEW)
    assert contents(folder) == OLD


def test_a_file_in_the_place_of_the_directory_is_kept(tmp_path):
    path = tmp_path / "out"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(EnvironmentFault, match="it is a file, not a directory"):
        write_files(path, NEW)
    with pytest.raises(EnvironmentFault, match="Not a directory"):
        write_files(path / "below", NEW)
    assert path.read_text(encoding="utf-8") == "mine"


def test_an_interrupt_leaves_no_litter(folder, monkeypatch):
    def interrupt(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_files(folder, NEW)
    assert contents(folder) == OLD


def test_a_link_is_replaced_and_its_target_kept(folder, tmp_path):
    target = tmp_path / "elsewhere.c"
    target.write_text("elsewhere", encoding="utf-8")
    (folder / "arm.h").symlink_to(target)
    write_files(folder, NEW)
    assert not Path(folder / "arm.h").is_symlink()
    assert target.read_text(encoding="utf-8") == "elsewhere"


def test_files_in_folders_are_written_and_replaced(folder):
    for text in ("first", "second"):
        paths = write_files(folder, {"arm/Cargo.toml": text, "arm/src/lib.rs": text})
        assert [path.read_text(encoding="utf-8") for path in paths] == [text, text]
    assert paths == [folder / "arm" / "Cargo.toml", folder / "arm" / "src" / "lib.rs"]
    assert contents(folder) == OLD


def test_a_file_where_a_folder_is_needed_stays(folder):
    with pytest.raises(EnvironmentFault, match="cannot be written"):
        write_files(folder, {"arm.h": "new", "notes.txt/src/lib.rs": "new"})
    assert contents(folder) == OLD
