"""Module → JavaScript: one ES module, typed arrays in and out, needing nothing else."""

from __future__ import annotations

import json

from symgen.emit.description import Writing, described, with_init
from symgen.emit.environment import render
from symgen.emit.js.printer import ARRAYS, WORDS, JsPrinter
from symgen.emit.js.runner import run, tool
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.sincos import filled
from symgen.emit.text import comment_safe
from symgen.emit.written import straight
from symgen.program.module import Module

WRITING = Writing(repr, ("Infinity", "-Infinity"), comment_safe, json.dumps)


def emit_js(module: Module) -> dict[str, str]:
    """The JavaScript source of `module`: file name → text, for `<name>.mjs`."""
    functions, printer = with_init(module), JsPrinter(module, "")
    text = render(
        "js/module.mjs.j2",
        **vars(described(module, WRITING)),
        array=ARRAYS[module.real],
        single=module.real == "float32",
        angles=max(filled(lower(function.program, printer.style)) for function in functions),
        kernel=printer.kernel(),
        functions=[straight(JsPrinter(module, function.name), function, comment_safe) for function in functions],
    )
    return {f"{module.name}.mjs": text}


LANGUAGE = Language("js", emit_js, words=WORDS, run=run, tool=tool)
