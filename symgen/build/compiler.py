"""The C compiler: finding it, asking what it is, and the flags it is given."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from symgen.build.kept import fetched, keep, key_of
from symgen.errors import EnvironmentFault

FLAGS = "flags"
"""The kind of entries of the cache that tell which flags compilers take."""

CANDIDATES = ("cc", "gcc", "clang")

# C99 alone would turn contraction off in gcc; fused multiply-adds are faster and round once less. Vectors that
# compilers put together from straight-line code take longer than its scalars: an inertia matrix twice as long.
CODE_GENERATION = ("-O3", "-fPIC", "-ffp-contract=fast", "-fno-tree-slp-vectorize")

# After the flags above: products and sums are rounded one by one, whatever stands around them. gcc (12.2, seen with
# -march=native) fuses them in the vectors of straight-line code all the same.
UNCONTRACTED = ("-ffp-contract=off", "-fno-tree-slp-vectorize")

# For generated C: a warning is a bug of symgen, and so is a double in a module of floats.
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wdouble-promotion", "-Wpedantic", "-Werror")

# For C that includes the headers of Python and NumPy: a warning in a later release of those is not.
AMONG_FOREIGN_HEADERS = ("-std=c99", "-Wall", "-Wextra")

# What two robots loaded in one process call the same must not meet.
HIDDEN = ("-fvisibility=hidden",)


@dataclass(frozen=True)
class Compiler:
    """A compiler that runs: its command (with the flags of $CC) and what it says of its version."""

    command: tuple[str, ...]
    version: str

    def code_flags(self) -> tuple[str, ...]:
        """Flags of optimization, with the instruction set of this machine where the compiler knows it."""
        return CODE_GENERATION + _native_flags(self)


def find_compiler() -> Compiler:
    """The compiler $CC names, else the first of cc, gcc and clang that runs.

    Raises:
        EnvironmentFault: $CC cannot be run, or it is unset and there is no compiler.
    """
    return _find(os.environ.get("CC", "").strip(), os.environ.get("PATH", ""))


def compiler_environment(temporary: Path | None = None) -> dict[str, str]:
    """The environment compilers run in: messages in plain English, temporary files in `temporary`."""
    environment = os.environ | {"LC_ALL": "C"}
    return environment if temporary is None else environment | {"TMPDIR": str(temporary)}


def link_flags() -> tuple[str, ...]:
    """Flags that make a library Python can load."""
    if sys.platform == "darwin":
        return ("-bundle", "-undefined", "dynamic_lookup")
    return ("-shared",)


def processor_identity() -> str:
    """What decides which instructions -march=native may use."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    # "flags" on x86, "Features" on Arm, "isa" on RISC-V, "cpu" on POWER.
    wanted = ("flags", "Features", "isa", "cpu")
    flags = {line for line in lines if line.split(":")[0].strip() in wanted}
    return "\n".join([platform.machine(), *(sorted(flags) or [platform.processor()])])


@cache
def _find(cc: str, search_path: str) -> Compiler:
    """`find_compiler` for given $CC and $PATH, remembered for the process."""
    if cc:
        return _named_by_cc(cc)
    for name in CANDIDATES:
        if shutil.which(name, path=search_path):
            try:
                return _ask((name,))
            except _CannotRunError:
                continue
    raise EnvironmentFault(
        f"no C compiler found: CC is not set, and none of {', '.join(CANDIDATES)} runs. "
        "Install one (for example gcc), or set CC to a C99 compiler."
    )


def _named_by_cc(cc: str) -> Compiler:
    try:
        command = tuple(shlex.split(cc))
        return _ask(command)
    except ValueError as error:  # an open quotation mark
        raise EnvironmentFault(f"CC is {cc!r}, which is not a command: {error}.") from error
    except _CannotRunError as error:
        raise EnvironmentFault(
            f"CC is {cc!r}, which cannot be used: {error}. Set CC to a C99 compiler, or unset it to let "
            f"symgen look for {', '.join(CANDIDATES)}."
        ) from error


class _CannotRunError(Exception):
    """A command is not a compiler; the message says what was tried and what came of it."""


def _ask(command: tuple[str, ...]) -> Compiler:
    """The compiler behind `command`, if it can say its version."""
    tried = shlex.join([*command, "--version"])
    # An absolute path, because compilation does not run in the directory the user is in.
    program = shutil.which(command[0])
    if program is None:
        raise _CannotRunError(f"`{tried}`: there is no program {command[0]}")
    command = (str(Path(program).absolute()), *command[1:])
    try:
        answer = _run([*command, "--version"])
    except OSError as error:
        raise _CannotRunError(f"`{tried}`: {error.strerror}") from error
    if answer.returncode != 0:
        words = answer.stderr.strip() or "and says nothing"
        raise _CannotRunError(f"`{tried}` fails with status {answer.returncode}: {words}")
    return Compiler(command, answer.stdout.strip())


def openmp_flags(compiler: Compiler) -> tuple[str, ...]:
    """Flags that switch OpenMP on, at compiling and at linking.

    Raises:
        EnvironmentFault: the compiler, or the machine, has none.
    """
    if not _has_openmp(compiler.command):
        raise EnvironmentFault(
            f"`{shlex.join(compiler.command)}` cannot compile for several threads: -fopenmp fails. Install OpenMP for "
            "it (for clang libomp), set CC to a compiler that has it, such as gcc, or work in one thread."
        )
    return ("-fopenmp",)


@cache
def _has_openmp(command: tuple[str, ...]) -> bool:
    with tempfile.TemporaryDirectory(prefix="symgen-") as directory:
        source = Path(directory, "probe.c")
        source.write_text("#include <omp.h>\nint main(void) { return omp_get_max_threads() < 1; }\n", encoding="ascii")
        built = str(source.with_suffix(".out"))
        return _run([*command, "-fopenmp", str(source), "-o", built]).returncode == 0


@cache
def _native_flags(compiler: Compiler) -> tuple[str, ...]:
    """The first spelling of "for this processor" that the compiler accepts, or nothing; kept for other processes."""
    key = key_of(compiler.command, compiler.version, processor_identity())
    known = fetched(FLAGS, key)
    flags = _accepted_flags(compiler.command) if known is None else tuple(known.decode().split())
    if known is None:
        keep(FLAGS, key, " ".join(flags).encode())
    return flags


def _accepted_flags(command: tuple[str, ...]) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory(prefix="symgen-") as directory:
        source = Path(directory, "probe.c")
        source.write_text("int symgen_probe;\n", encoding="ascii")
        for flag in ("-march=native", "-mcpu=native"):
            # clang only warns of flags it does not use, hence -Werror.
            probe = _run([*command, flag, "-Werror", "-c", str(source), "-o", str(source.with_suffix(".o"))])
            if probe.returncode == 0:
                return (flag,)
    return ()


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
        env=compiler_environment(),
    )
