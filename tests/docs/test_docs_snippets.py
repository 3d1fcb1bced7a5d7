"""Every block of README and docs/ is run: commands by a shell, lines of Python, files that these use; see `documents`.

A page is read from its first line to its last, as a reader would: its blocks share a folder and Python's names.
"""

import contextlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from documents import ROOT, Page, paths
from thorough import long

from symgen.build import compiler

SHOWN = ("text", "{")
"""What languages of blocks begin with that only show something: what is printed, and Sphinx's directives."""

COMMAND = """#!{python}
from symgen.build import compiler
compiler.CODE_GENERATION = {flags}
from symgen.cli import main
main()
"""
"""The command symgen, which compiles as fast as tests do."""


def spaces(text):
    return " ".join(text.split())


def has(name):
    return shutil.which(name) is not None or importlib.util.find_spec(name) is not None


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """What commands print, errors too; symgen and Python are those that run the tests."""
    commands = tmp_path_factory.mktemp("bin")
    (commands / "symgen").write_text(COMMAND.format(python=sys.executable, flags=compiler.CODE_GENERATION))
    (commands / "symgen").chmod(0o755)
    joined = {
        "PATH": [commands, Path(sys.executable).parent, os.environ["PATH"]],
        "PYTHONPATH": [ROOT, *filter(None, [os.environ.get("PYTHONPATH")])],
    }
    changed = {name: os.pathsep.join(map(str, places)) for name, places in joined.items()}

    def run(text):
        ran = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", text],
            env=os.environ | changed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{text}\n{ran.stdout}"
        return ran.stdout

    return run


def python(text, where, names):
    """What lines of Python print."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(text, where, "exec"), names)
    return printed.getvalue()


def marked(path):
    """All pages together take minutes: most are for the thorough."""
    usual = path.startswith(("README", "tutorial/", "reference/", "how-to/languages/"))
    return path if usual and not path.endswith(("casadi", "pytorch")) else long(path)


@pytest.mark.parametrize("path", [marked(path) for path in paths()])
def test_page(path, tmp_path, shell):
    names, printed = {"__name__": "__main__"}, ""
    with contextlib.chdir(tmp_path):
        for block in Page(path).blocks:
            where, told = f"{path}, line {block.line}", block.directions
            if "needs" in told and not has(told["needs"]):
                pytest.skip(f"{where}: needs {told['needs']}")
            if "run by" in told:
                assert f'"{path}"' in (ROOT / told["run by"]).read_text(encoding="utf-8"), where
            elif "printed" in told:
                for line in block.text.splitlines():
                    assert spaces(line) in spaces(printed), f"{where}: not in what was printed:\n{printed}"
            elif "part of" in told:
                whole = tomllib.loads((ROOT / told["part of"]).read_text(encoding="utf-8"))
                assert tomllib.loads(block.text).items() <= whole.items(), where
            elif "not run" in told:
                assert told["not run"], f"{where}: not run, but why?"
            elif "file" in told:
                Path(told["file"]).parent.mkdir(parents=True, exist_ok=True)
                Path(told["file"]).write_text(block.text, encoding="utf-8")
            elif block.language == "python":
                printed = python(block.text, where, names)
            elif block.language == "sh":
                printed = shell(block.text)
            elif block.language == "toml":
                tomllib.loads(block.text)
            else:
                assert block.language.startswith(SHOWN), f"{where}: how is it run?"
