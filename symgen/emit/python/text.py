"""What modules of Python say beside their code, whatever they compute with."""

from __future__ import annotations

from dataclasses import dataclass

from symgen.emit.description import Signature, Writing, described
from symgen.emit.environment import WIDTH
from symgen.emit.text import packed_results, wrapped
from symgen.program.module import Module
from symgen.program.pattern import Pattern


def docstring_safe(text: str) -> str:
    """Free text that can neither end a docstring nor escape in it."""
    return text.replace("\\", "\\\\").replace('"', "'")


WRITING = Writing(repr, ('float("inf")', 'float("-inf")'), docstring_safe)


@dataclass(frozen=True)
class PythonFunction:
    """A function: what it is in words, its statements and what it returns.

    `tables` stand before it. `settings` are lines: what else the module is told of it.
    """

    text: Signature
    lines: tuple[str, ...]
    returned: str
    tables: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def documentation(self) -> tuple[str, ...]:
        """The lines of its docstring."""
        return documentation(self.text)


def python_keys(module: Module) -> dict[str, object]:
    """What templates of modules of Python are told of a module, but for its functions."""
    found = described(module, WRITING, batched=True)
    closing = () if found.assembly is None else documentation(found.assembly.signature)
    return vars(found) | {"closing": closing, "patterns": _patterns(module)}


def documentation(text: Signature) -> tuple[str, ...]:
    """The lines of a function's docstring."""
    lines = [*(each.text for each in text.inputs), "", "Returns", *(f"    {each.text}" for each in text.outputs), ""]
    lines += [f"Formulation: {text.formulation}.", f"Operations: {text.counts}."]
    body = (wrapped(f"    {line}", WIDTH, "            ") if line else "" for line in lines)
    return (wrapped(f'    """{text.summary}', WIDTH, "    "), "", *body)


def _patterns(module: Module) -> list[tuple[str, list[tuple[str, tuple[str, ...]]]]]:
    """Function → result → lines of its pattern, none if it is not packed; of functions with packed results."""
    return [
        (function.name, [(output.name, _pattern_lines(output.pattern)) for output in function.outputs])
        for function in module.functions
        if packed_results(function)
    ]


def _pattern_lines(pattern: Pattern | None) -> tuple[str, ...]:
    """The lines of a pattern's two arrays and its shape; none if there is no pattern."""
    if pattern is None:
        return ()
    return tuple(wrapped(f"            {tuple(values)},", WIDTH, "             ") for values in pattern)
