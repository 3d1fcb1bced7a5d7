"""The file of an FMU: its binary for this machine, and a zip archive with the same bytes every time."""

from __future__ import annotations

import io
import platform
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from symgen.build.commands import run_together
from symgen.build.compiler import CODE_GENERATION, HIDDEN, STRICT, UNCONTRACTED, find_compiler
from symgen.build.files import write_files, write_texts
from symgen.errors import EnvironmentFault, InputError
from symgen.package.fmu.description import Standard

_ARCHITECTURES = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64", "i686": "x86"}
_SYSTEMS = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("windows", ".dll")}
_HEAD = 100_000
"""Bytes of a description in which its tool is looked for."""

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_MODES = {True: 0o100755, False: 0o100644}


def binary_path(name: str, standard: Standard) -> str:
    """Where an FMU has the binary for this machine."""
    machine = platform.machine().lower()
    architecture = _ARCHITECTURES.get(machine, machine)
    system, ending = _SYSTEMS.get(sys.platform, (sys.platform, ".so"))
    folder = f"{architecture}-{system}"
    if not standard.is_third and architecture in ("x86_64", "x86"):
        folder = ("win" if system == "windows" else system) + ("64" if architecture == "x86_64" else "32")
    return f"binaries/{folder}/{name}{ending}"


def compiled(name: str, files: Mapping[str, str]) -> bytes:
    """A shared library of the C sources in `files`, for any processor of this machine's kind.

    Raises `EnvironmentFault` if there is no compiler, `CompilerError` if it fails.
    """
    compiler = find_compiler()
    units = sorted(file for file in files if file.endswith(".c"))
    flags = [*CODE_GENERATION, *UNCONTRACTED, *STRICT, *HIDDEN, "-s", "-shared"]
    with tempfile.TemporaryDirectory(prefix="symgen-") as directory:
        write_texts(Path(directory), {file: files[file] for file in files if file.endswith((".c", ".h"))})
        run_together([[*compiler.command, *flags, *units, "-o", name, "-lm"]], Path(directory))
        return Path(directory, name).read_bytes()


def archive(contents: Mapping[str, bytes]) -> bytes:
    """A zip archive of the files, sorted, without dates."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for path in sorted(contents):
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = _MODES[path.startswith("binaries/")] << 16
            made.writestr(entry, contents[path])
    return stream.getvalue()


def write_fmu(path: Path, make: Callable[[], bytes], *, force: bool) -> list[Path]:
    """Write what is made to `path`, which may replace an FMU of symgen's with `force`, and nothing else.

    Raises `InputError` if something else is there, before anything is made; `EnvironmentFault` if it cannot be written.
    """
    if path.name in ("", ".."):
        raise InputError(f"{path}: expected the path of a file for the FMU, such as robot.fmu")
    if path.is_dir():
        raise InputError(f"{path}: expected the path of a file for the FMU, found a directory")
    if path.exists() and not force:
        raise InputError(f"{path} exists; --force replaces an FMU that symgen wrote there")
    if path.exists() and not _is_ours(path):
        raise InputError(f"{path} exists and is no FMU that symgen wrote; choose another file")
    return write_files(path.parent, {path.name: make()}, "choose another file with --output")


def _is_ours(path: Path) -> bool:
    """Whether the file is an FMU whose description names symgen as its tool."""
    try:
        with zipfile.ZipFile(path) as found, found.open("modelDescription.xml") as stream:
            return b'generationTool="symgen ' in stream.read(_HEAD)
    except OSError as error:
        raise EnvironmentFault(f"{path}: cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, zlib.error, EOFError):
        return False
