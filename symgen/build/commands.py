"""Running a compiler: its commands end when what waits for them does, and their failures are told with their words."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

from symgen.build.compiler import compiler_environment
from symgen.errors import CompilerError

Process = subprocess.Popen[str]
Command = Sequence[str]


def run_together(commands: Sequence[Command], directory: Path) -> None:
    """Run `commands` in `directory`, side by side; stop all of them if one fails or the user interrupts."""
    processes: list[Process] = []
    try:
        for command in commands:
            processes.append(start(command, directory))
        for command, process in zip(commands, processes, strict=True):
            finish(command, process)
    finally:
        for process in processes:
            stop(process)


def start(command: Command, directory: Path) -> Process:
    """The command, running in `directory`; `CompilerError` if it cannot be run."""
    try:
        return subprocess.Popen(
            command,
            cwd=directory,
            env=compiler_environment(directory),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise CompilerError(f"cannot run `{shlex.join(command)}`: {error.strerror}") from error


def finish(command: Command, process: Process) -> None:
    """Wait for the end of a command; `CompilerError` if it fails."""
    words, _ = process.communicate()
    if process.returncode != 0:
        raise CompilerError(
            f"the C compiler failed with status {process.returncode}\n"
            f"  command: {shlex.join(command)}\n"
            f"{words.strip() or '(it printed nothing)'}"
        )


def stop(process: Process) -> None:
    """End a process that still runs, and wait until nobody holds its pipe: then nothing writes files."""
    if process.poll() is None:
        process.terminate()
    if process.stdout is not None and not process.stdout.closed:
        process.communicate()
