"""Module → Rust: a crate without dependencies and without std, arrays in and out by reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import inf, prod

from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.pieces import Pieces, arrays_of, pieces, points_arrays
from symgen.emit.rust.mathematics import mathematics
from symgen.emit.rust.printer import CRATES, REALS, WIDTH, WORDS, RustPrinter
from symgen.emit.rust.runner import run, tool
from symgen.emit.sincos import filled
from symgen.emit.text import (
    PACKED,
    argument_text,
    assembly_arguments,
    assembly_summary,
    function_text,
    legend,
    neutral_text,
    packed_results,
    regressor_lines,
    regressor_note,
    robot_lines,
    start_arguments,
    wrapped,
)
from symgen.emit.tree import COSINE, SINE, Code
from symgen.program.counts import count
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Argument, Function, LimitRecord, Module
from symgen.program.pattern import Pattern


@dataclass(frozen=True)
class RustFunction:
    """What the template needs of one function; `pieces` are the (signature, lines) of those that it calls."""

    comment: tuple[str, ...]
    tables: tuple[str, ...]
    pieces: tuple[tuple[str, tuple[str, ...]], ...]
    signature: str
    lines: tuple[str, ...]


def emit_rust(module: Module) -> dict[str, str]:
    """The crate of `module`: file name → text, for `<name>/Cargo.toml` and what is in `<name>/src`."""
    number = RustPrinter(module, "").number
    math = mathematics(module)
    library = render(
        "rust/lib.rs.j2",
        name=module.name,
        generator=module.record.generator,
        robot=tuple(map(_plain, robot_lines(module))),
        legend=legend(module),
        real=REALS[module.real],
        math=bool(math),
        nq=module.record.nq,
        nv=module.record.nv,
        free=not module.record.is_plain,
        neutral=_listed(map(number, module.neutral)),
        neutral_text=neutral_text(module),
        joints=[_quoted(joint.name) for joint in module.record.joints],
        positions=[_quoted(position.name) for position in module.record.positions],
        limits=[_limit(module, limit) for limit in module.record.limits],
        init=None if module.init is None else _init(module),
        parameters=[(p.name, number(p.default), _prose(f"{p.meaning}, {p.unit}")) for p in module.parameters],
        parameters_note=_comment(module.parameters_note or "Values of the parameters."),
        constants=module.constants_size,
        patterns=_patterns(module),
        packed_lines=_comment(PACKED),
        regressor=[(number(p.default), p.name) for p in module.regressor.parameters] if module.regressor else None,
        regressor_lines=_comment(regressor_note(module), "", *(f"* {line}" for line in regressor_lines(module))),
        functions=[_function(module, function) for function in module.functions],
        assembly=_assembly(module),
    )
    manifest = render("rust/Cargo.toml.j2", name=module.name)
    files = {"Cargo.toml": manifest, "src/lib.rs": library, **({"src/math.rs": math} if math else {})}
    return {f"{module.name}/{name}": text for name, text in files.items()}


LANGUAGE = Language(
    "rust",
    emit_rust,
    words=WORDS,
    taken=CRATES | {word.lower() for word in WORDS},
    fields=True,
    run=run,
    tool=tool,
)


def _function(module: Module, function: Function) -> RustFunction:
    printer, text = RustPrinter(module, function.name), function_text(function)
    code = lower(function.program, printer.style)
    found = pieces(code)
    read, before = code.body_arrays(), code if found is None else found.code
    unused = [a.name for a in function.inputs if a.name not in code.angle_arrays() | read]
    lines = [*(f"    let _ = {name};" for name in unused), *printer.first(before, read)]
    parts = () if found is None else _pieces(module, function, printer, found)
    if found is None:
        lines += printer.body(code)
    else:
        lines += printer.body(replace(found.code, arrays={**found.code.arrays, found.kept: found.size}))
        lines += [wrapped(f"    {call};", WIDTH, "        ") for call, _, _ in parts]
    return RustFunction(
        comment=_comment(
            text.summary,
            "",
            *map(_described, function.inputs),
            *(f"{_described(each)} (result)" for each in function.outputs),
            "",
            f"Formulation: {text.formulation}.",
            f"Operations: {text.counts}.",
        ),
        tables=printer.tables(code),
        pieces=tuple((signature, body) for _, signature, body in parts),
        signature=_signature(f"pub fn {function.name}", list(_arguments(module, function).values())),
        lines=tuple(lines),
    )


def _pieces(
    module: Module, function: Function, printer: RustPrinter, found: Pieces
) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """The calls, signatures and bodies of the pieces of a function, which are told only what they need."""
    size, real = filled(found.code), printer.real
    local = {**found.code.arrays, found.kept: found.size}
    known = {
        **_arguments(module, function),
        **{name: f"{name}: &[{real}; {size}]" for name in (SINE, COSINE)},
        **{name: f"{name}: &mut [{real}; {extent}]" for name, extent in local.items()},
    }
    passed = {SINE: f"&{SINE}", COSINE: f"&{COSINE}", **{name: f"&mut {name}" for name in local}}
    made = []
    for at, piece in enumerate(found.pieces, start=1):
        needed = {*arrays_of(piece.body), *points_arrays(piece)}
        names, name = [each for each in known if each in needed], f"{function.name}_{at}"
        call = f"{name}({', '.join(passed.get(each, each) for each in names)})"
        made.append((call, _signature(f"fn {name}", [known[each] for each in names]), printer.body(piece)))
    return tuple(made)


def _init(module: Module) -> RustFunction:
    assert module.init is not None
    printer = RustPrinter(module, "init")
    code: Code = lower(module.init, replace(printer.style, loops=False))
    read = code.body_arrays()
    unused = PARAMETERS not in code.angle_arrays() | read
    return RustFunction(
        comment=_comment("The constants of values of the parameters.", f"Operations: {count(module.init)}."),
        tables=(),
        pieces=(),
        signature=f"pub fn init({PARAMETERS}: &Parameters) -> Constants",
        lines=(
            *([f"    let _ = {PARAMETERS};"] if unused else []),
            f"    let mut {CONSTANTS} = Constants([0.0; {module.constants_size}]);",
            *printer.first(code, read),
            *printer.body(code),
            f"    {CONSTANTS}",
        ),
    )


def _arguments(module: Module, function: Function) -> dict[str, str]:
    """Name → parameter, for inputs and outputs."""
    found = {each.name: _input(module, each) for each in function.inputs}
    real = REALS[module.real]
    return found | {each.name: f"{each.name}: &mut [{real}; {prod(each.shape)}]" for each in function.outputs}


def _input(module: Module, argument: Argument) -> str:
    kind = "Constants" if argument.name == CONSTANTS else f"[{REALS[module.real]}; {prod(argument.shape)}]"
    return f"{argument.name}: &{kind}"


def _signature(start: str, parameters: Sequence[str], result: str = "") -> str:
    """The start of a function's definition; one parameter a line where it is long."""
    text = f"{start}({', '.join(parameters)}){result}"
    return text if len(text) < WIDTH - 2 else f"{start}(\n    " + ",\n    ".join(parameters) + f",\n){result}"


def _patterns(module: Module) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Constant, what it is of, and the fields, of the pattern of each packed result."""
    return [
        (f"{function.name}_{name}".upper(), f"`{name}` of `{function.name}`", _fields(pattern))
        for function in module.functions
        for name, pattern in packed_results(function)
    ]


def _fields(pattern: Pattern) -> list[tuple[str, str]]:
    return [(name, _listed(map(str, values), 8)) for name, values in pattern._asdict().items()]


def _limit(module: Module, limit: LimitRecord) -> tuple[str, str, str, str]:
    """Limits as an array: its name, its extent, what it holds, and the numbers."""
    real, number = REALS[module.real], RustPrinter(module, "").number
    infinite = {inf: f"{real}::INFINITY", -inf: f"{real}::NEG_INFINITY"}
    texts = (infinite.get(value) or number(value) for value in limit.values)
    return f"{limit.name.upper()}_LIMITS", limit.extent or str(len(limit.values)), limit.meaning, _listed(texts)


def _assembly(module: Module) -> dict[str, object] | None:
    """The iteration that closes loops, if there is one."""
    if module.assembly is None:
        return None
    step = module.function(module.assembly.step)
    inputs = assembly_arguments(module, step)
    output = Argument("q", (module.record.nq,), "", "the closed q; NaN if none was found")
    parameters = [*(_input(module, each) for each in inputs), f"q: &mut [{REALS[module.real]}; NQ]"]
    return {
        "comment": _comment(
            assembly_summary(module.assembly), "", *map(_described, inputs), f"{_described(output)} (result)"
        ),
        "signature": _signature("pub fn assemble", parameters, " -> Result<(), Open>"),
        "given": [(place, f"given[{at}]") for at, place in enumerate(module.assembly.places)],
        "most": module.assembly.most,
        "step": module.assembly.step,
        "start": module.assembly.start,
        "starting": ", ".join(start_arguments(module)),
        "passed": ", ".join(["q", *(each.name for each in step.inputs[1:])]),
        "closed": RustPrinter(module, "").number(module.assembly.closed),
    }


def _described(argument: Argument) -> str:
    """`name [shape]` and what it is, as an item of a list."""
    name, _, text = argument_text(argument).partition(": ")
    return f"* `{name}`: {text}"


def _comment(*texts: str) -> tuple[str, ...]:
    """The lines of a comment in documentation."""
    return tuple(wrapped(f"/// {_prose(text)}", WIDTH, "///   ") if text else "///" for text in texts)


def _prose(text: str) -> str:
    """Text as rustdoc's Markdown has it: brackets and angles make no links and tags, but where code is."""
    parts = _plain(text).split("`")
    return "`".join(part if k % 2 else part.replace("[", "\\[").replace("<", "\\<") for k, part in enumerate(parts))


def _listed(texts: Iterable[str], indent: int = 4) -> str:
    """The lines between the brackets of an array."""
    return wrapped(" " * indent + " ".join(f"{text}," for text in texts), WIDTH, " " * indent)


def _plain(text: str) -> str:
    """Free text that a comment can hold: no character that turns the order of others, which Rust refuses."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _quoted(text: str) -> str:
    """A string."""
    return '"' + "".join(_escaped(letter) for letter in text) + '"'


def _escaped(letter: str) -> str:
    return letter if letter.isprintable() and letter not in '"\\' else f"\\u{{{ord(letter):x}}}"
