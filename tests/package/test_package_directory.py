"""The directory: what is replaced, what is kept, and what an interruption leaves."""

import json
import os
from pathlib import Path

import pytest

from symgen.errors import EnvironmentFault, InputError
from symgen.package import directory as writing
from symgen.package.directory import MANIFEST, write_directory

OLD = {"README.md": "old\n", "src/arm.c": "int old;\n", "docs/gone.txt": "gone\n"}
NEW = {"README.md": "new\n", "src/arm.c": "int old;\n", "src/more.c": "int more;\n"}


@pytest.fixture
def package(tmp_path):
    write_directory(tmp_path / "pkg", OLD)
    return tmp_path / "pkg"


def contents(directory):
    """Every file below `directory`, but the manifest."""
    files = {path.relative_to(directory).as_posix(): path for path in directory.rglob("*") if path.is_file()}
    return {name: path.read_text() for name, path in files.items() if name != MANIFEST}


def test_new_directory(tmp_path):
    paths = write_directory(tmp_path / "deep" / "pkg", OLD)
    assert contents(tmp_path / "deep" / "pkg") == OLD
    assert sorted(paths) == sorted(tmp_path / "deep" / "pkg" / name for name in [*OLD, MANIFEST])
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["pkg"]
    listed = json.loads((tmp_path / "deep" / "pkg" / MANIFEST).read_text())["files"]
    assert list(listed) == sorted(OLD)


def test_permissions_are_ordinary(tmp_path):
    write_directory(tmp_path / "pkg", OLD)
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "file").write_text("")
    assert (tmp_path / "pkg").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "pkg" / "README.md").stat().st_mode == (tmp_path / "plain" / "file").stat().st_mode


def test_empty_directory_is_filled(tmp_path):
    write_directory(tmp_path, OLD)
    assert contents(tmp_path) == OLD


def test_nothing_is_replaced_without_force(package):
    with pytest.raises(InputError, match="not empty; --force replaces"):
        write_directory(package, NEW)
    assert contents(package) == OLD


def test_force_replaces_and_removes(package):
    write_directory(package, NEW, force=True)
    assert contents(package) == NEW
    assert not (package / "docs").exists()
    write_directory(package, OLD, force=True)
    assert contents(package) == OLD


def test_force_needs_a_manifest(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"holds no package that symgen wrote"):
        write_directory(tmp_path, NEW, force=True)
    assert contents(tmp_path) == {"thesis.tex": "years of work"}


@pytest.mark.parametrize("name", ["README.md", "docs/gone.txt"])
def test_changed_file_stops_everything(package, name):
    (package / name).write_text("mine\n")
    with pytest.raises(InputError, match=f"not as symgen wrote them: {name}"):
        write_directory(package, NEW, force=True)
    assert contents(package) == OLD | {name: "mine\n"}


def test_added_file_in_the_way_stops_everything(package):
    (package / "src" / "more.c").write_text("mine\n")
    with pytest.raises(InputError, match=r"src/more\.c"):
        write_directory(package, NEW, force=True)
    assert contents(package) == OLD | {"src/more.c": "mine\n"}


def test_added_files_are_kept(package):
    (package / "docs" / "notes.txt").write_text("mine\n")
    (package / "build").mkdir()
    (package / "build" / "arm.o").write_text("object\n")
    write_directory(package, NEW, force=True)
    assert contents(package) == NEW | {"docs/notes.txt": "mine\n", "build/arm.o": "object\n"}


def test_deleted_file_comes_back(package):
    (package / "README.md").unlink()
    write_directory(package, NEW, force=True)
    assert contents(package) == NEW


def test_changed_file_that_is_as_wanted_is_no_obstacle(package):
    (package / "README.md").write_text(NEW["README.md"])
    write_directory(package, NEW, force=True)
    assert contents(package) == NEW


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"files": []}',
        '{"files": {"README.md": 1}}',
        '{"files": {"../victim": "0"}}',
        '{"files": {"/victim": "0"}}',
        '{"files": {"": "0"}}',
        '{"files": {"a\\\\b": "0"}}',
    ],
)
def test_damaged_manifest_is_refused(package, text):
    (package / MANIFEST).write_text(text)
    with pytest.raises(InputError, match="damaged"):
        write_directory(package, NEW, force=True)
    assert contents(package) == OLD


def test_links_are_not_followed(package, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (package / "src").rename(elsewhere)
    (package / "src").symlink_to(elsewhere)
    with pytest.raises(InputError, match=r"links or files in place of: src/arm\.c"):
        write_directory(package, NEW, force=True)
    assert contents(elsewhere) == {"arm.c": "int old;\n"}


def test_link_to_the_directory_stays_one(package, tmp_path):
    (tmp_path / "link").symlink_to(package)
    write_directory(tmp_path / "link", NEW, force=True)
    assert (tmp_path / "link").is_symlink()
    assert contents(package) == NEW


def test_file_in_place_of_the_directory(tmp_path):
    (tmp_path / "pkg").write_text("mine")
    with pytest.raises(InputError, match="expected a directory"):
        write_directory(tmp_path / "pkg", NEW, force=True)
    assert (tmp_path / "pkg").read_text() == "mine"


class FullDisk:
    """Lets some calls pass; then there is no space left."""

    def __init__(self, function, passes):
        self.function, self.left = function, passes

    def __call__(self, *args, **keywords):
        if self.left == 0:
            raise OSError(28, "No space left on device")
        self.left -= 1
        return self.function(*args, **keywords)


@pytest.mark.parametrize("passes", [0, 1, 2])
def test_full_disk_leaves_the_old_package(package, monkeypatch, passes):
    manifest = (package / MANIFEST).read_text()
    monkeypatch.setattr(writing.os, "fsync", FullDisk(os.fsync, passes))
    with pytest.raises(EnvironmentFault, match="No space left"):
        write_directory(package, NEW, force=True)
    assert contents(package) == OLD
    assert (package / MANIFEST).read_text() == manifest
    assert not list(package.parent.rglob(".symgen-[!m]*"))


@pytest.mark.parametrize("passes", range(5))
def test_failure_between_two_renames_is_undone(package, monkeypatch, passes):
    manifest, rename = (package / MANIFEST).read_text(), Path.rename
    failing = FullDisk(rename, passes)
    with monkeypatch.context() as patch:

        def once(self, target):
            try:
                return failing(self, target)
            except OSError:
                failing.left = 99  # undoing succeeds
                raise

        patch.setattr(Path, "rename", once)
        with pytest.raises(EnvironmentFault):
            write_directory(package, NEW, force=True)
    assert contents(package) == OLD
    assert (package / MANIFEST).read_text() == manifest


def test_full_disk_leaves_no_new_directory(tmp_path, monkeypatch):
    monkeypatch.setattr(writing.os, "fsync", FullDisk(os.fsync, 1))
    with pytest.raises(EnvironmentFault):
        write_directory(tmp_path / "pkg", NEW)
    assert not list(tmp_path.iterdir())
