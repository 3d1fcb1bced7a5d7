"""Module → MATLAB and Octave: a package folder with a file for each function, for many states at once.

States are columns. Inside a function they are rows, so that an operation takes an entry's values of all states, which
lie side by side.
"""

from __future__ import annotations

from dataclasses import replace

from symgen.emit.c import LANGUAGE as C
from symgen.emit.c.printer import C_REAL
from symgen.emit.description import Writing, described, signature, with_init
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.matlab.printer import CLASSES, MatlabPrinter
from symgen.emit.matlab.runner import run, tool
from symgen.emit.matlab.words import FUNCTIONS, KEYWORDS, USED, check_names
from symgen.emit.written import straight
from symgen.program.module import CONSTANTS, Function, Module


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


WRITING = Writing(repr, ("Inf", "-Inf"), str, _quoted)


def emit_matlab(module: Module) -> dict[str, str]:
    """The files of `module`: a package folder, and a MEX gateway to the C of the same robot."""
    functions = with_init(module, "info().parameters", "; constants_of takes them by name")
    check_names(module, functions)
    keys = {**vars(described(module, WRITING, batched=True)), "real": CLASSES[module.real], "constant": CONSTANTS}
    files = {f"{each.name}.m": _function(module, each, keys) for each in functions}
    files["info.m"] = render("matlab/info.m.j2", **keys)
    for name, needed in (
        ("constants_of", module.parameters),
        ("to_dense", keys["packed"]),
        ("assemble", keys["assembly"]),
    ):
        if needed:
            files[f"{name}.m"] = render(f"matlab/{name}.m.j2", **keys)
    folder = {f"+{module.name}/{name}": text for name, text in files.items()}
    return {**folder, f"{module.name}_mex.c": _gateway(module)}


LANGUAGE = Language(
    "matlab",
    emit_matlab,
    words=KEYWORDS,
    taken=frozenset(name.lower() for name in KEYWORDS | USED | FUNCTIONS),
    fields=True,
    run=run,
    tool=tool,
)


def _function(module: Module, function: Function, keys: dict[str, object]) -> str:
    made = straight(MatlabPrinter(module, function.name), function, str)
    return render("matlab/function.m.j2", function=made.text, lines=made.lines, **keys)


def _gateway(module: Module) -> str:
    """The MEX gateway; the C has the robot's name as C takes it."""
    return render(
        "matlab/gateway.c.j2",
        name=module.name,
        c=C.fitting(replace(module, name=module.record.robot)).name,
        generator=module.record.generator,
        real=C_REAL[module.real],
        kind=CLASSES[module.real],
        most=max(len(function.inputs) + len(function.outputs) for function in module.functions),
        parameters=bool(module.parameters),
        functions=[signature(function) for function in module.functions],
    )
