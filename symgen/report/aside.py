"""Formulas of a page, written in a process of their own while the robot's code is derived, and kept.

They take about as long as all else of a page. The process is sent the robot as plain data and sends back the formulas;
where it cannot be run, or fails, they are written here, with the errors that this has.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, cast

from markupsafe import Markup

from symgen.algebra.plain import Codec, Form, PlainError, form_of
from symgen.build import kept
from symgen.report.equations import Entry, Equations, equations
from symgen.robot import plain
from symgen.robot.model import Robot

Written = tuple[Equations, ...]
"""The formulas of a page, quantity by quantity."""

FORMULAS = "formulas"
"""The kind of entries of the cache."""

_ROBOT = Codec(plain.FORMS)
_WRITTEN = Codec([form_of(Equations), form_of(Entry), Form(Markup, lambda text: (str(text),), Markup)])

_CHILD = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from symgen.report.aside import serve
serve()
"""


@contextmanager
def begun(robot: Robot) -> Iterator[Callable[[], Written]]:
    """Begin to write the formulas of a robot; what is given waits for them. The process ends with the context."""
    try:
        text = _ROBOT.text(robot)
    except PlainError:  # put together of what no reader makes
        yield lambda: tuple(equations(robot))
        return
    key = kept.key_of(text.decode()) if kept.is_used() else ""
    found = kept.recalled(FORMULAS, key, _WRITTEN, tuple) if key else None
    if found is not None:
        yield lambda: cast(Written, found)
        return
    with _process(text) as answer:

        def finish() -> Written:
            written = answer()
            if written is None:
                written = tuple(equations(robot))
            if key:
                kept.keep(FORMULAS, key, _WRITTEN.text(written))
            return written

        yield finish


@contextmanager
def _process(text: bytes) -> Iterator[Callable[[], Written | None]]:
    """A process that writes the formulas of a robot; what is given waits for them, and gives None where it fails."""
    command = [sys.executable or "", "-c", _CHILD, json.dumps(sys.path)]
    with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as answer:
        asked.write(text)
        asked.seek(0)
        try:
            process = subprocess.Popen(command, stdin=asked, stdout=answer, stderr=subprocess.DEVNULL)
        except OSError:
            yield lambda: None
            return
        try:
            yield lambda: _answer(process, answer)
        finally:
            process.kill()
            process.wait()


def _answer(process: subprocess.Popen[bytes], answer: IO[bytes]) -> Written | None:
    if process.wait():
        return None
    answer.seek(0)
    with contextlib.suppress(PlainError):
        return cast(Written, _WRITTEN.value(answer.read()))
    return None


def serve() -> None:
    """Read a robot from standard input, and write its formulas to standard output."""
    robot = _ROBOT.value(sys.stdin.buffer.read())
    sys.stdout.buffer.write(_WRITTEN.text(tuple(equations(robot))))
