"""What shells complete, asked as they ask, and by bash itself."""

import os
import shutil
import subprocess
import sys

import pytest

from symgen.api import robot_names
from symgen.emit.registry import LANGUAGES


def completed(words):
    """(kind, text) of what is offered for the last of `words`."""
    environment = os.environ | {"_SYMGEN_COMPLETE": "bash_complete", "COMP_WORDS": f"symgen {words}"}
    environment["COMP_CWORD"] = str(len(words.split(" ")))
    code = "from symgen.cli import main; main(prog_name='symgen')"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [tuple(line.split(",", 1)) for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("con", ["convert"]),
        ("info pum", ["puma"]),
        ("bench puma pan", ["panda"]),
        ("convert puma --to mod", ["modified"]),
        ("generate puma --lang ru", ["rust"]),
        ("generate puma --lang c,ru", ["c,rust"]),
        ("generate puma --lang rust,ru", []),
        ("count puma --functions gravity_torque,inverse_in", ["gravity_torque,inverse_inertia_matrix"]),
        ("show puma inertia_m", ["inertia_matrix"]),
    ],
)
def test_names_are_completed(words, offered):
    assert completed(words) == [("plain", text) for text in offered]


def test_all_are_offered_where_nothing_was_typed():
    assert [text for _, text in completed("info ")] == list(robot_names())
    assert [text for _, text in completed("verify puma --lang ")] == list(LANGUAGES)


def test_files_are_left_to_the_shell():
    assert completed("info ./my") == [("file", "./my")]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_with_the_script(tmp_path):
    tool = tmp_path / "symgen"
    tool.write_text(f"#!{sys.executable}\nfrom symgen.cli import main\nmain(prog_name='symgen')\n", encoding="utf-8")
    tool.chmod(0o755)
    script = 'eval "$(_SYMGEN_COMPLETE=bash_source symgen)"; COMP_WORDS=(symgen info pum); COMP_CWORD=2; '
    script += '_symgen_completion symgen; printf "%s\\n" "${COMPREPLY[@]}"'
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("puma\n", "")
