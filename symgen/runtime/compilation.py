"""Module → compiled file, in pieces: each function is compiled as soon as it is derived, while Python goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from symgen.build.compiler import find_compiler
from symgen.build.extension import Target, begin, built, extension_of, has_python_headers, library_of, piece_of
from symgen.build.objects import Objects
from symgen.emit.registry import language
from symgen.errors import EnvironmentFault
from symgen.program.module import Function, Module


@dataclass(frozen=True)
class Binding:
    """The C that lets Python call a module's: the `name` that the module has in C, and the text."""

    name: str
    text: str


class Compilation:
    """The compilation of one module: what is begun and not needed in the end is stopped with the context.

    `binding` is that of the module, where it is known: it is made where it is needed and not known. With `wanted`
    false nothing is compiled, and the module runs on NumPy.
    """

    def __init__(self, *, wanted: bool = True) -> None:
        self.wanted = wanted
        self.binding: Binding | None = None
        self._objects = Objects()
        self._pieces: dict[str, tuple[Function, dict[str, str]]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._objects.stop()

    def begin(self, part: Module) -> None:
        """Begin to compile functions of the module, which need not be whole."""
        if self._possible:
            written = language("c").fitting(part)
            self._objects.start(piece_of(self._piece(written, function)) for function in written.functions)

    def begin_rest(self, module: Module, sources: Mapping[str, str]) -> None:
        """Begin to compile what of the whole module, and its C, neither the cache has nor `begin` was given."""
        if self._possible:
            begin(self._target(module, sources), lambda: self._all(module), self._objects)

    def file(self, module: Module, sources: Mapping[str, str]) -> Path:
        """The compiled file, a library where Python's headers are missing; the errors are those of `built`."""
        return built(self._target(module, sources), lambda: self._all(module), self._objects)

    @property
    def language(self) -> str:
        """The language that the module will run on: C, if there is a compiler."""
        return "c" if self._possible else "python"

    @cached_property
    def _possible(self) -> bool:
        """Whether a compiler is wanted, and there is one."""
        if not self.wanted:
            return False
        try:
            find_compiler()
        except EnvironmentFault:
            return False
        return True

    def _target(self, module: Module, sources: Mapping[str, str]) -> Target:
        if has_python_headers():
            self.binding = self.binding or _binding(module)
            return extension_of(self.binding.name, sources, self.binding.text)
        from symgen.emit.binding import emit_loops

        written = language("c").fitting(module)
        return library_of(written.name, sources, emit_loops(written))

    def _all(self, module: Module) -> list[dict[str, str]]:
        from symgen.emit.c import emit_rest  # emitters take long to load where a compiled file is found

        written = language("c").fitting(module)
        return [*(self._piece(written, function) for function in written.functions), emit_rest(written)]

    def _piece(self, written: Module, function: Function) -> dict[str, str]:
        from symgen.emit.c import emit_piece

        known = self._pieces.get(function.name)
        if known is None or known[0] != function:
            known = self._pieces[function.name] = function, emit_piece(written, function)
        return known[1]


def _binding(module: Module) -> Binding:
    from symgen.emit.binding import emit_binding

    written = language("c").fitting(module)
    return Binding(written.name, emit_binding(written))
