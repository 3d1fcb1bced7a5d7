"""Module → C99 for many states: the same programs over vectors of states, in any layout of the arrays.

The vectors are those of GCC and clang, which turn them into whatever the processor has; elsewhere they are single
numbers. Names of arguments stay as they are, those of locals are numbered, so that no two can be the same.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from symgen.emit.c.printer import C_REAL, KERNELS, LanesPrinter, absolute, declaration, style
from symgen.emit.c.sincos import sincos
from symgen.emit.environment import render
from symgen.emit.lower import lower
from symgen.emit.pieces import pieces
from symgen.emit.statements import WIDTH
from symgen.emit.style import Sines, Style
from symgen.emit.text import wrapped
from symgen.emit.tree import COSINE, SINE, Call, Code
from symgen.emit.written import Piece, called, calling
from symgen.program.module import CONSTANTS, Function, Module
from symgen.program.program import Op

_SHORT = 60
"""Lists of arguments that are longer stand on lines of their own."""

_AHEAD = 160
"""So many vectors are loaded, or made of angles, before the first is used; they should stay in the nearest cache."""

_MOST = 4
"""Sines and cosines of no more blocks than this are computed ahead."""

_LINE = 64
"""Bytes of a line of the caches."""

_TILE = 1 << 16
"""Bytes of a tile; as many lines of each column as fit, up to eight."""

CACHED = 1 << 22
"""Bytes of a batch's columns that may stay in caches from one use to the next."""

_MANY = 16
"""Outputs with more entries than this are written past the caches if these do not hold them."""


@dataclass(frozen=True)
class Kernel:
    """A function of one number, applied lane by lane."""

    name: str
    text: str


@dataclass(frozen=True)
class BatchArgument:
    """An argument of a function; `vectors` hold its entries in all lanes, `block` those of a block of states, `local`
    those of one lane, `rows` a block's entries row by row. `past`: an output with so many entries that it may be
    written past the caches.

    The others are texts for lists of parameters and of arguments.
    """

    name: str
    step: str
    stride: str
    size: int
    vectors: str
    block: str
    local: str
    rows: str
    batch: str
    batch_call: str
    strided: str
    strided_call: str
    lanes: str
    far: str
    past: bool = False


@dataclass(frozen=True)
class BatchFunction:
    """What the templates need of one function; `inputs` are those that differ from state to state.

    `angles` is the number of angles, `blocks` that of the blocks of states that are taken together, `lines` that of
    the lines of each column in a tile; `angle_lines` and `body` are the bodies of the function that computes sines and
    cosines and of that which computes the rest. `cached` states are in the caches, `past` which an output may be
    written; `columns` and `crowded` are conditions on the layout; tiles begin where lines of the output `aligned` do.
    The others are declarations, and lists of arguments.
    """

    name: str
    summary: str
    inputs: tuple[BatchArgument, ...]
    outputs: tuple[BatchArgument, ...]
    unused: tuple[str, ...]
    angles: int
    blocks: int
    angle_lines: tuple[str, ...]
    pieces: tuple[Piece, ...]
    body: tuple[str, ...]
    lines: int
    cached: int
    past: bool
    columns: str
    crowded: str
    aligned: str
    batch: str
    batch_call: str
    strided: str
    strided_call: str
    tiles: str
    tiled_call: str
    turn: str
    turn_unused: tuple[str, ...]
    turn_call: str
    lanes: str
    lanes_call: str
    far: str
    far_call: str
    scalar_call: str


def emit_batch(module: Module) -> dict[str, str]:
    """The C sources of the batches of `module`: file name → text, for `<name>_batch.c` and `<name>_batch.h`."""
    made = [(function, lower(function.program, _style(module))) for function in module.functions]
    functions = tuple(_function(module, function, written) for function, written in made)
    suffix = "f" if module.real == "float32" else ""
    size = 4 if module.real == "float32" else 8
    ops = {statement.op for _, written in made for statement in written.statements() if isinstance(statement, Call)}
    keys = {
        "name": module.name,
        "macro": module.name.upper(),
        "real": C_REAL[module.real],
        "generator": module.record.generator,
        "functions": functions,
        "past": any(function.past for function in functions),
        "in_pieces": any(function.pieces for function in functions),
        "sincos": sincos(module.real) if any(function.angles for function in functions) else None,
        "called": tuple(_kernel(op, suffix) for op in KERNELS if op in ops),
        "nonzero": absolute(module) if module.uses(Op.NONZERO) else None,
        "stream": "ps" if module.real == "float32" else "pd",
        "part": 16 // size,
        "macros": {width: _macros(width // size, 16 // size) for width in (64, 32, 16)},
    }
    name = f"{module.name}_batch"
    return {f"{name}.c": render("c/batch.c.j2", **keys), f"{name}.h": render("c/batch.h.j2", **keys)}


def _macros(lanes: int, part: int) -> str:
    """The macros that put vectors of so many lanes together from rows, and take them apart.

    `part` numbers of a row are moved at a time; a vector holds those of every `part`-th row.
    """
    every = ", ".join(f"(x)[{k}*(step)]" for k in range(lanes))
    parts = [f"part_at((x) + {k}*(step))" for k in range(0, lanes, part)]
    while len(parts) > 1:
        width = 2 * lanes // len(parts)
        parts = [f"JOIN{width}({a}, {b})" for a, b in zip(parts[::2], parts[1::2], strict=True)]
    widths = [width for width in (2 * part, 4 * part) if width <= lanes]
    starts, half = range(0, lanes, part), part // 2
    shuffles = {f"JOIN{width}": range(width) for width in widths} | {
        "LOWS": [at + k for at in starts for entry in range(half) for k in (entry, lanes + entry)],
        "HIGHS": [at + k for at in starts for entry in range(half, part) for k in (entry, lanes + entry)],
    }
    if part > 2:
        shuffles["FIRSTS"] = [at + k for at in starts for k in (0, 1, lanes, lanes + 1)]
        shuffles["SECONDS"] = [at + k for at in starts for k in (2, 3, lanes + 2, lanes + 3)]
    lines = [f"#define EVERY(x, step) {{{every}}}", f"#define PARTS(x, step) {parts[0]}"]
    for name, places in shuffles.items():
        lines.append(f"#define {name}(a, b) __builtin_shufflevector(a, b, {', '.join(map(str, places))})")
    return "\n".join(wrapped(line, WIDTH - 2, "    ").replace("\n", " \\\n") for line in lines)


def _kernel(op: Op, suffix: str) -> Kernel:
    name = KERNELS[op]
    return Kernel(name, "x > 0 ? 1 : x < 0 ? -1 : x" if op is Op.SIGN else f"{name}{suffix}(x)")


def _style(module: Module) -> Style:
    """How the module's programs are lowered for vectors."""
    return replace(style(module), sines=Sines.BEFORE, called=frozenset({*KERNELS, Op.NONZERO}))


def _function(module: Module, function: Function, written: Code) -> BatchFunction:
    arguments = tuple(_argument(module, function, k) for k in range(len(function.inputs) + len(function.outputs)))
    inputs, outputs = arguments[: len(function.inputs)], arguments[len(function.inputs) :]
    varying = tuple(argument for argument in inputs if argument.name != CONSTANTS)
    angles, start = len(written.angles), f"{module.name}_{function.name}"
    points_in = [f"const lanes *restrict {name}" for name in (SINE, COSINE)] if angles else []
    points_out = [f"lanes *restrict {name}" for name in (SINE, COSINE, "far")]
    blocks_in = [argument.block for argument in inputs]
    strided = ["count", *(argument.strided_call for argument in arguments)]
    entries, past = sum(a.size for a in (*varying, *outputs)), any(output.past for output in outputs)
    printer = LanesPrinter(module)
    head = tuple(printer.line(statement) for statement in written.head)
    angle_lines = (*head, printer.angle_array(written, angles)) if angles else ()
    parts, body = _body(printer, written, f"{function.name}_lanes", arguments, points_in)
    room = min(_SHORT, WIDTH - len("                _sincos();") - len(function.name))
    return BatchFunction(
        name=function.name,
        summary=wrapped(f"/* {function.summary} */", WIDTH, " * "),
        inputs=varying,
        outputs=outputs,
        unused=_others([*(a.name for a in inputs), *([SINE, COSINE] if angles else [])], written.body_arrays()),
        angles=angles,
        blocks=max(1, min(_MOST, _AHEAD // max(1, 2 * angles + sum(argument.size for argument in varying)))),
        angle_lines=angle_lines,
        pieces=parts,
        body=body,
        lines=next((lines for lines in (8, 4, 2) if entries * lines * _LINE <= _TILE), 1),
        cached=CACHED // (entries * (4 if module.real == "float32" else 8)),
        past=past,
        columns=_any([f"{a.step} == 1" for a in (*varying, *outputs)]),
        crowded=_any([f"crowded({a.step}, {a.stride})" for a in (*varying, *outputs)]),
        aligned=next((a for a in outputs if a.past), outputs[0]).name,
        batch=declaration(f"void {start}_batch", ["size_t count", *(a.batch for a in arguments)]),
        batch_call=_listed(["count", *(a.batch_call for a in arguments), "0", "beyond"], 8, room),
        strided=declaration(f"void {start}_strided", ["size_t count", *(a.strided for a in arguments)]),
        strided_call=_listed([*strided, "0", "beyond"], 12, room),
        tiles=declaration(
            f"ALWAYS_INLINE void {function.name}_tiles",
            ["size_t count", *(a.strided for a in arguments), "int tiled", "int beyond"],
        ),
        tiled_call=_listed([*strided, "1", "beyond"], 12, room),
        turn=declaration(f"ALWAYS_INLINE void {function.name}_sincos", [*(a.lanes for a in inputs), *points_out]),
        turn_unused=_others([argument.name for argument in inputs], written.angle_arrays()),
        turn_call=_listed([*blocks_in, "sine[block]", "cosine[block]", "&far[block]"], 16, room),
        lanes=declaration(f"static void {function.name}_lanes", [*(a.lanes for a in arguments), *points_in]),
        lanes_call=_listed(
            [*blocks_in, *(a.block for a in outputs), *(["sine[block]", "cosine[block]"] if angles else [])], 16, room
        ),
        far=declaration(f"static void {function.name}_far", [*(a.far for a in arguments), "const lanes *far"]),
        far_call=_listed([*blocks_in, *(a.block for a in outputs), "&far[block]"], 20, room),
        scalar_call=_listed([argument.local for argument in arguments], 16),
    )


def _body(
    printer: LanesPrinter, written: Code, name: str, arguments: Sequence[BatchArgument], points: Sequence[str]
) -> tuple[tuple[Piece, ...], tuple[str, ...]]:
    """The body of the function `name`, and the functions that it calls where it is long.

    The angles are another function's: what it calls numbers on the way has names that this one may give again.
    """
    found = pieces(replace(written, head=()))
    if found is None:
        return (), printer.body(written)
    known = {argument.name: argument.lanes for argument in arguments} | dict(zip((SINE, COSINE), points, strict=False))
    parts = called(printer, found, name, known)
    return parts, calling(printer, found, parts)


def _any(conditions: Sequence[str]) -> str:
    """Whether any condition holds; one a line where they are long."""
    text = " || ".join(conditions)
    return text if len(text) < _SHORT else "\n        || ".join(conditions)


def _others(names: Sequence[str], used: set[str]) -> tuple[str, ...]:
    """The names that are not used."""
    return tuple(name for name in names if name not in used)


def _listed(texts: Sequence[str], depth: int, room: int = _SHORT) -> str:
    """A list of arguments; if it is long on lines of its own, `depth` spaces from the margin."""
    text = ", ".join(texts)
    return text if len(text) < room else "\n" + textwrap.indent(textwrap.fill(text, WIDTH - depth), " " * depth)


def _argument(module: Module, function: Function, number: int) -> BatchArgument:
    arguments = function.inputs + function.outputs
    argument, is_input = arguments[number], number < len(function.inputs)
    if argument.name == CONSTANTS:
        shared = f"const {module.name}_constants *{CONSTANTS}"
        names = CONSTANTS, CONSTANTS, CONSTANTS, ""
        return BatchArgument(CONSTANTS, "", "", 0, *names, shared, CONSTANTS, shared, CONSTANTS, shared, shared)
    size = prod(argument.shape)
    name, real = argument.name, C_REAL[module.real]
    taken = {other.name for other in arguments}
    step, stride = (_free(f"{name}_{word}", taken) for word in ("step", "stride"))
    const, place = ("const ", "in") if is_input else ("", "out")
    return BatchArgument(
        name=name,
        step=step,
        stride=stride,
        size=size,
        vectors=f"{place}{number}",
        block=f"{place}{number}[{'block' if is_input else 'place'}]",
        local=f"one{number}",
        rows=f"rows{number}",
        batch=f"{const}{real} *{name}",
        batch_call=f"{name}, {size}, 1",
        strided=f"{const}{real} *{name}, ptrdiff_t {step}, ptrdiff_t {stride}",
        strided_call=f"{name}, {step}, {stride}",
        lanes=f"{const}lanes *restrict {name}",
        far=f"{const}lanes *{place}{number}",
        past=not is_input and size > _MANY,
    )


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else _free(f"{name}_", taken)
