"""What `symgen --version --verbose` tells is what is there."""

import tomllib
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from symgen import installation
from symgen.cli import main
from symgen.emit.registry import LANGUAGES
from symgen.installation import EXTRAS, Part
from symgen.version import __version__

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def part(text, name):
    """What is said of a part, the last of that name: an extra and a language may share it."""
    lines = [line for line in text.splitlines() if line.startswith(f"  {name} ")]
    return lines[-1].removeprefix(f"  {name}").strip()


@pytest.fixture(scope="module")
def text():
    done = CliRunner().invoke(main, ["--version", "--verbose"])
    assert done.exit_code == 0
    return done.stdout


def test_the_version_alone_is_short():
    assert CliRunner().invoke(main, ["--version"]).stdout == f"symgen, version {__version__}\n"


def test_order_of_the_options_is_free(text):
    assert CliRunner().invoke(main, ["--verbose", "--version"]).stdout == text


@pytest.mark.parametrize("words", [["--verbose"], ["--verbose", "list"]])
def test_verbose_alone_is_refused(words):
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "--verbose here goes with --version" in done.stderr


def test_every_extra_and_language_is_told(text):
    assert set(EXTRAS) == set(PROJECT["optional-dependencies"])
    for name in (*EXTRAS, *LANGUAGES):
        assert part(text, name)


def test_versions_are_those_that_are_there(text):
    assert text.startswith(f"symgen {__version__}\n")
    assert part(text, "numpy") == np.__version__
    assert part(text, "python") == f"NumPy {np.__version__}"


@pytest.fixture
def stated(monkeypatch):
    """What is said of symgen if its metadata and those of other packages are these."""

    def state(requirements, versions):
        def version(name):
            if name not in versions:
                raise metadata.PackageNotFoundError(name)
            return versions[name]

        monkeypatch.setattr(installation.metadata, "requires", lambda name: requirements)
        monkeypatch.setattr(installation.metadata, "version", version)
        return {part.name: part for part in (*installation._libraries(), *installation._extras())}

    return state


def test_missing_and_old_packages_are_named(stated):
    requirements = ["numpy>=1.26", "scipy>=1.11", "jax>=0.7; extra == 'jax'", "fmpy>=0.3; extra == 'fmi'"]
    found = stated(
        [*requirements, "nosuch; extra == 'mpi' and sys_platform == 'nosuch'"], {"numpy": "1.25", "fmpy": "1"}
    )
    assert found["numpy"] == Part("numpy", "1.25", "expected >=1.26")
    assert found["scipy"] == Part("scipy", "", "missing, expected >=1.11")
    assert found["jax"] == Part("jax", "", "without jax>=0.7: no generated code in JAX")
    assert found["fmi"] == Part("fmi", "fmpy 1", EXTRAS["fmi"])
    assert "nosuch" not in str(found)


def test_sources_that_are_not_installed_say_so(monkeypatch):
    def requires(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(installation.metadata, "requires", requires)
    (only,) = installation._libraries()
    assert "run from its sources" in only.remark
    assert list(installation._extras()) == []


def test_what_cannot_run_a_language_is_said(monkeypatch):
    monkeypatch.setattr("symgen.emit.tools.shutil.which", lambda tool, path=None: None)
    found = {part.name: part for part in installation._languages()}
    assert found["js"] == Part("js", "", "no node found")


def test_no_compiler_is_said(monkeypatch):
    monkeypatch.setenv("CC", "nosuch")
    found = {part.name: part for part in installation._compilers()}
    assert found["C"].found == ""
    assert "there is no program nosuch" in found["C"].remark
    assert found["OpenMP"].found == ""
