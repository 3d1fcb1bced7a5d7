"""Objects of C that is compiled piece by piece: each piece as soon as it is known, while Python goes on.

What a compiler makes of a piece is kept in the cache, so that modules which have functions in common share it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from symgen.build.cache import cache_key, cached_build
from symgen.build.commands import Command, Process, finish, start
from symgen.build.compiler import Compiler, find_compiler, processor_identity
from symgen.build.files import write_texts


@dataclass(frozen=True)
class Piece:
    """C that is compiled on its own: translation units and their headers (file name → text), and the flags.

    `abi`: what else decides the objects.
    """

    files: Mapping[str, str]
    flags: tuple[str, ...]
    abi: Mapping[str, object] = field(default_factory=dict)

    @property
    def units(self) -> tuple[str, ...]:
        """The names of the translation units."""
        return tuple(name for name in self.files if name.endswith(".c"))


class Objects:
    """Compilers in the background, as many at a time as there are processors; until they are stopped."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, "symgen-cc")
        self._made: dict[str, Future[Path]] = {}
        self._running: set[Process] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def stop(self) -> None:
        """End what is being compiled, and begin nothing more."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.terminate()
        self._pool.shutdown(cancel_futures=True)

    def start(self, pieces: Iterable[Piece]) -> None:
        """Begin to compile; what fails is told when it is taken. `EnvironmentFault` if there is no compiler."""
        compiler = find_compiler()
        for piece in pieces:
            for unit in piece.units:
                self._future(compiler, piece, unit)

    def take(self, pieces: Iterable[Piece]) -> list[Path]:
        """The objects of all units, in order.

        Raises:
            CompilerError: the compiler rejects a unit; the message holds its command and its words.
            EnvironmentFault: there is no compiler, or the cache cannot be written.
        """
        compiler = find_compiler()
        futures = [self._future(compiler, piece, unit) for piece in pieces for unit in piece.units]
        return [future.result() for future in futures]

    def _future(self, compiler: Compiler, piece: Piece, unit: str) -> Future[Path]:
        files = {name: text for name, text in piece.files.items() if name == unit or name not in piece.units}
        flags = [*piece.flags, *compiler.code_flags()]
        identity = {
            **piece.abi,
            "compiler": [compiler.command, compiler.version],
            "flags": flags,
            "processor": processor_identity(),
            "unit": unit,
        }
        key = cache_key(files, identity)
        if key not in self._made:
            target = str(Path(unit).with_suffix(".o"))
            command = [*compiler.command, *flags, "-c", unit, "-o", target]
            self._made[key] = self._pool.submit(cached_build, key, target, self._compiling(command, files))
        return self._made[key]

    def _compiling(self, command: Command, files: Mapping[str, str]) -> Callable[[Path], None]:
        def build(directory: Path) -> None:
            write_texts(directory, files)
            with self._lock:
                if self._stopped:
                    raise InterruptedError
                process = start(command, directory)
                self._running.add(process)
            try:
                finish(command, process)
            finally:
                with self._lock:
                    self._running.discard(process)

        return build
