"""The worked examples for contributors: what their pages say is done to a copy of the package, and then it works."""

import os
import shutil
import subprocess
import sys

import pytest
from documents import ROOT, Page

pytestmark = pytest.mark.thorough

PAGES = ("contributing/a-joint", "contributing/a-function", "contributing/a-language")
"""Pages that change the package."""


@pytest.fixture
def copy(tmp_path):
    """(folder of a copy of the package, environment in which it is the one that is imported)."""
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in ("symgen", "templates"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    commands = tmp_path / "bin"
    commands.mkdir()
    script = commands / "symgen"
    script.write_text(f"#!{sys.executable}\nfrom symgen.cli import main\nmain()\n", encoding="utf-8")
    script.chmod(0o755)
    paths = [str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])]
    return tmp_path, os.environ | {
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(paths),
    }


def run(command, folder, environment, **more):
    """What a command prints, errors too."""
    ran = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )
    assert ran.returncode == 0, f"{command}\n{ran.stdout}"
    return ran.stdout


@pytest.mark.skipif(not all(map(shutil.which, ("git", "bash", "awk"))), reason="git, bash or awk is missing")
@pytest.mark.parametrize("page", PAGES)
def test_following_the_steps_works(page, copy):
    folder, environment = copy
    printed = ""
    for block in Page(page).blocks:
        if "printed" in block.directions:
            for line in block.text.splitlines():
                assert " ".join(line.split()) in " ".join(printed.split()), f"{page}, line {block.line}:\n{printed}"
        elif "file" in block.directions:
            path = folder / block.directions["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "diff":
            run(["git", "apply", "-"], folder, environment, input=block.text)
        else:
            assert block.language == "sh"
            printed = run(["bash", "-euo", "pipefail", "-c", block.text], folder, environment)


@pytest.mark.parametrize("page", PAGES)
def test_code_on_the_pages_is_as_all_code(page, copy):
    """Typed, and as the linter wants it."""
    folder, environment = copy
    changed = []
    for block in Page(page).blocks:
        if block.language == "python":
            path = folder / block.directions["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
            changed.append(str(path))
        elif block.language == "diff":
            run(["git", "apply", "-"], folder, environment, input=block.text)
            changed += [line.split("/", 1)[1] for line in block.text.splitlines() if line.startswith("+++ ")]
    run([sys.executable, "-m", "ruff", "check", *changed], folder, environment)
    run([sys.executable, "-m", "ruff", "format", "--check", *changed], folder, environment)
