"""Module → Rust: a crate without dependencies and without std, arrays in and out by reference."""

from __future__ import annotations

from math import prod

from symgen.emit.description import Writing, described, signature
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.lower import lower
from symgen.emit.rust.mathematics import mathematics
from symgen.emit.rust.printer import CRATES, REALS, WORDS, RustPrinter, begun
from symgen.emit.rust.runner import run, tool
from symgen.emit.text import assembly_arguments, robot_lines
from symgen.emit.written import Written, in_pieces, whole
from symgen.program.module import CONSTANTS, Argument, Function, Module


def _plain(text: str) -> str:
    """Free text that a comment can hold: no character that turns the order of others, which Rust refuses."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _prose(text: str) -> str:
    """Text as rustdoc's Markdown has it: brackets and angles make no links and tags, but where code is."""
    parts = _plain(text).split("`")
    return "`".join(part if k % 2 else part.replace("[", "\\[").replace("<", "\\<") for k, part in enumerate(parts))


def _quoted(text: str) -> str:
    """A string."""
    plain = [letter.isprintable() and letter not in '"\\' for letter in text]
    letters = (a if is_plain else f"\\u{{{ord(a):x}}}" for a, is_plain in zip(text, plain, strict=True))
    return f'"{"".join(letters)}"'


def emit_rust(module: Module) -> dict[str, str]:
    """The crate of `module`: file name → text, for `<name>/Cargo.toml` and what is in `<name>/src`."""
    real, math = REALS[module.real], mathematics(module)
    number = RustPrinter(module, "").number
    library = render(
        "rust/lib.rs.j2",
        **vars(described(module, Writing(number, (f"{real}::INFINITY", f"{real}::NEG_INFINITY"), _prose, _quoted)))
        | {"robot": tuple(map(_plain, robot_lines(module)))},
        real=real,
        math=bool(math),
        init_lines=() if module.init is None else whole(RustPrinter(module, "init", loops=False), module.init),
        functions=[_function(module, function) for function in module.functions],
        assembly_signature=_assembly_signature(module),
    )
    manifest = render("rust/Cargo.toml.j2", name=module.name)
    files = {"Cargo.toml": manifest, "src/lib.rs": library, **({"src/math.rs": math} if math else {})}
    return {f"{module.name}/{name}": text for name, text in files.items()}


LANGUAGE = Language(
    "rust", emit_rust, words=WORDS, taken=CRATES | {word.lower() for word in WORDS}, fields=True, run=run, tool=tool
)


def _function(module: Module, function: Function) -> Written:
    printer = RustPrinter(module, function.name)
    code = lower(function.program, printer.style)
    known = {each.name: _input(module, each) for each in function.inputs}
    known |= {each.name: _output(module, each.name, prod(each.shape)) for each in function.outputs}
    pieces, lines = in_pieces(printer, code, function.name, known)
    beginning = begun(f"pub fn {function.name}", [*known.values()])
    return Written(signature(function, _prose), printer.tables(code), pieces, lines, beginning)


def _input(module: Module, argument: Argument) -> str:
    kind = "Constants" if argument.name == CONSTANTS else f"[{REALS[module.real]}; {prod(argument.shape)}]"
    return f"{argument.name}: &{kind}"


def _output(module: Module, name: str, size: int | str) -> str:
    return f"{name}: &mut [{REALS[module.real]}; {size}]"


def _assembly_signature(module: Module) -> str:
    """How the function that closes loops begins, if there is one."""
    if module.assembly is None:
        return ""
    inputs = assembly_arguments(module, module.function(module.assembly.step))
    parameters = [*(_input(module, each) for each in inputs), _output(module, "q", "NQ")]
    return begun("pub fn assemble", parameters, " -> Result<(), Open>")
