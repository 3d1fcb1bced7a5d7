"""Build the wheel and the source distribution, and try them in fresh environments, on every Python that is here.

    python -m pip install -e ".[test]"
    python tests/release/check.py [--keep FOLDER] [PYTHON ...]

Each Python from 3.11 on, of $PATH and of pyenv, gets an environment with the wheel and what that needs; the first one
gets another with the source distribution. There `smoke.py` runs, in an empty directory. In the end the versions that
the metadata claim are compared with those that were tried: what was not tried is not claimed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
SMOKE = Path(__file__).with_name("smoke.py")
OLDEST = (3, 11)
_VERSION = "import sys; print(*sys.version_info[:2], sys.implementation.name)"


def pythons() -> dict[tuple[int, int], Path]:
    """Version → an interpreter of it, from 3.11 on: those that run, of $PATH first."""
    folders = [Path(folder) for folder in os.get_exec_path()]
    folders += sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions").glob("*/bin"))
    found: dict[tuple[int, int], Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("python3*")):
            if re.fullmatch(r"python3(\.\d+)?", path.name) and (version := version_of(path)) >= OLDEST:
                found.setdefault(version, path)
    return dict(sorted(found.items()))


def version_of(python: Path) -> tuple[int, int]:
    """(major, minor) of an interpreter; (0, 0) of what is none, or cannot make environments."""
    done = subprocess.run([python, "-c", f"import ensurepip, venv; {_VERSION}"], capture_output=True, text=True)
    words = done.stdout.split()
    return (int(words[0]), int(words[1])) if done.returncode == 0 and words[2] == "cpython" else (0, 0)


def claimed() -> set[tuple[int, int]]:
    """Versions of Python that the metadata name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [name.removeprefix("Programming Language :: Python :: ") for name in project["classifiers"]]
    return {(3, int(name.removeprefix("3."))) for name in names if re.fullmatch(r"3\.\d+", name)}


def run(*command: object, cwd: Path) -> str:
    """What a command prints; `SystemExit` with all of it if it fails."""
    # Neither the checkout nor anybody's settings: as for a stranger.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SYMGEN_"))}
    words = [os.fspath(word) if isinstance(word, Path) else str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, env=environment | {"SYMGEN_CACHE": str(cwd / "cache")}, capture_output=True)
    output = (done.stdout + done.stderr).decode(errors="replace")
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} exits with {done.returncode}:\n{output}")
    return output


def tried(python: Path, archive: Path, folder: Path) -> str:
    """The last line that the smoke test prints in a new environment of `python` with `archive` installed."""
    folder.mkdir()
    run(python, "-m", "venv", folder / "venv", cwd=folder)
    inside = folder / "venv" / "bin" / "python"
    run(inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", archive, cwd=folder)
    (folder / "empty").mkdir()
    return run(inside, SMOKE, cwd=folder / "empty").splitlines()[-1]


def main() -> None:
    """Build, try, compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--keep", metavar="FOLDER", type=Path, help="where the archives are put (default: nowhere)")
    parser.add_argument("python", nargs="*", type=Path, help="interpreters (default: all that are found)")
    given = parser.parse_args()
    chosen = {version_of(path): path for path in given.python} if given.python else pythons()
    with tempfile.TemporaryDirectory(prefix="symgen-release-") as name:
        work = Path(name)
        run(sys.executable, "-m", "build", "--outdir", work / "dist", ROOT, cwd=work)
        archives = sorted((work / "dist").iterdir(), key=lambda path: path.suffix != ".whl")
        for archive in archives:
            print(f"built {archive.name}: {archive.stat().st_size / 1e6:.2f} MB", flush=True)
        pairs = [(version, archives[0]) for version in chosen] + [(min(chosen), archives[1])]
        for number, (version, archive) in enumerate(pairs):
            start = time.monotonic()
            line = tried(chosen[version], archive, work / f"environment{number}")
            kind = "wheel" if archive.suffix == ".whl" else "source distribution"
            print(f"{kind}: {line} ({time.monotonic() - start:.0f} s with installing)", flush=True)
            shutil.rmtree(work / f"environment{number}")
        if given.keep is not None:
            shutil.copytree(work / "dist", given.keep, dirs_exist_ok=True)
    if untried := claimed() - set(chosen):
        raise SystemExit(f"the metadata claim Python {sorted(untried)}, which was not tried here")


if __name__ == "__main__":
    main()
