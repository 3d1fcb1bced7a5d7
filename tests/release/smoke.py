"""What must work wherever symgen is installed: run by the Python of a fresh environment, in an empty directory.

    python smoke.py

Every command is run once, code of all languages is written, the C is compiled where there is a compiler and checked.
"""

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np

import symgen
from symgen.emit.environment import template_directory
from symgen.emit.registry import LANGUAGES

SYMGEN = Path(sysconfig.get_path("scripts"), "symgen")
TORQUES = [15.012793864, 2.8115552875]
"""Of planar2r at q = (0.1, 0.2), at rest (N m); the second is 1.5 kg · 9.81 m/s² · 0.2 m · cos 0.3."""

COMMANDS = (
    "--version",
    "--version --verbose",
    "list",
    "init my_arm.toml",
    "info my_arm.toml",
    "info puma --base-parameters",
    "info puma --picture graph.svg",
    "convert puma --to modified -o puma_modified.toml",
    "show planar2r inertia_matrix 1 1",
    "count planar2r --effort low",
    f"generate planar2r --lang {','.join(LANGUAGES)} --states 3 -o written",
    "generate planar2r --package --states 3 -o packaged",
    "chains rrr3 --states 3 -o chains",
    "simulate planar2r --free-fall 0.1 --samples 3 -o motion",
    "plot planar2r --samples 3 -o motion",
    "report planar2r -o planar2r.html",
    "verify my_arm.toml --states 3",
    "cache",
)


def check_the_place():
    """Nothing is taken from a checkout."""
    packages = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    assert Path(symgen.__file__).resolve().parents[1] in packages, f"{symgen.__file__} is not in {packages}"
    assert template_directory() == Path(symgen.__file__).parent / "_templates"


def check_the_commands():
    """Each exits with 0 and says nothing of a fault."""
    for command in COMMANDS:
        done = subprocess.run([SYMGEN, *command.split()], capture_output=True, text=True)
        assert done.returncode == 0, f"symgen {command} exits with {done.returncode}: {done.stdout}{done.stderr}"


def check_the_module():
    """Numbers of the compiled module, or of NumPy's where there is no compiler."""
    module = symgen.generate("planar2r", states=3)
    found = module.inverse_dynamics([0.1, 0.2], [0, 0], [0, 0])
    np.testing.assert_allclose(found, TORQUES, rtol=1e-8)
    assert module.backend == ("ufunc" if shutil.which("cc") else "numpy")


if __name__ == "__main__":
    check_the_place()
    check_the_commands()
    check_the_module()
    print(f"symgen {symgen.__version__} works on Python {sys.version.split()[0]}")
