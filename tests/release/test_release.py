"""What is built of the project: the wheel and the source distribution hold what they should, and the wheel works.

All Pythons of the machine in fresh environments are tried by `make release`, which takes minutes.
"""

import email
import importlib.util
import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from release import check

from symgen.version import __version__

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("build", "hatchling"))), reason="build and hatchling are not installed"
)


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """(wheel, source distribution); the wheel is made of the source distribution."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


@pytest.fixture(scope="module")
def wheel(archives):
    with zipfile.ZipFile(archives[0]) as packed:
        yield packed


def files(folder, *, but=("__pycache__",)):
    """Paths of the files below a folder of the project, relative to it."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix() for path in found if not set(path.parts) & set(but) and path.suffix != ".pyc"}


def test_the_wheel_holds_the_package_and_the_templates_and_nothing_else(wheel):
    expected = {f"symgen/{name}" for name in files(ROOT / "symgen")}
    expected |= {f"symgen/_templates/{name}" for name in files(ROOT / "templates")}
    found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert found == expected


def test_the_source_distribution_holds_what_the_tests_need(archives):
    with tarfile.open(archives[1]) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    for folder in ("symgen", "templates", "tests", "generated", "notebooks"):
        assert {f"{folder}/{name}" for name in files(ROOT / folder)} <= names
    made = ("__pycache__", "_build", "notebooks")  # what the site leaves there
    assert {f"docs/{name}" for name in files(ROOT / "docs", but=made)} <= names
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "pyproject.toml", ".ci/run"):
        assert name in names


def test_the_metadata_are_those_of_the_project(wheel):
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    said = email.message_from_bytes(wheel.read(name))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert said["Version"] == __version__
    assert said["Requires-Python"] == ">=3.11"
    assert set(said.get_all("Provides-Extra")) == set(project["optional-dependencies"])
    assert check.claimed()
    assert min(check.claimed()) == check.OLDEST
    assert f"## {__version__}\n" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_wheel_works_without_the_checkout(archives, tmp_path):
    """Unpacked beside the libraries of these tests: its own templates are found."""
    with zipfile.ZipFile(archives[0]) as packed:
        packed.extractall(tmp_path / "site")
    code = (
        "import symgen, symgen.emit.environment as e; from symgen.cli import main; "
        "print(symgen.__file__, e.template_directory()); main(['generate', 'planar2r', '--lang', 'c,js,rust', "
        "'--functions', 'gravity_torque', '--effort', 'low', '--states', '3', '-o', 'made'])"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site"), "SYMGEN_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"{tmp_path}/site/symgen/__init__.py {tmp_path}/site/symgen/_templates\n")
    assert (tmp_path / "made" / "planar2r.c").read_text().startswith("/* planar2r.c")


def test_this_python_is_among_those_that_would_be_tried():
    assert sys.version_info[:2] in check.pythons() or sys.implementation.name != "cpython"
