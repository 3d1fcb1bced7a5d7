"""Module → C with CasADi's external interface: one source and one header that are compiled to one library.

CasADi finds functions and their derivatives in the library by their names. acados takes the same library.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from symgen.emit.c import emit_plain
from symgen.emit.c.printer import C_REAL
from symgen.emit.c.words import HEADERS, WORDS
from symgen.emit.casadi.external import External, derived, external, parameters
from symgen.emit.casadi.runner import run, tool
from symgen.emit.derivatives.blocks import Block
from symgen.emit.derivatives.known import companions
from symgen.emit.derivatives.parts import derivatives
from symgen.emit.environment import render
from symgen.emit.language import Language
from symgen.emit.statements import WIDTH
from symgen.emit.text import wrapped
from symgen.errors import InputError
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Function, Module


@dataclass(frozen=True)
class CExternal:
    """What the template needs of an external function; `lines` are the statements of its body."""

    name: str
    inputs: tuple[tuple[str, str, str], ...]
    outputs: tuple[tuple[str, str], ...]
    lines: tuple[str, ...]


def emit_casadi(module: Module) -> dict[str, str]:
    """The C of `module` for CasADi: file name → text, for `<name>_casadi.c` and its header."""
    externals: list[External] = []
    made: list[Function] = []
    without, once = [], []
    for function in module.functions:
        plain, found = external(module, function), derivatives(module, function)
        externals.append(plain)
        if found is None:
            without.append(function.name)
            continue
        made += found.made
        once += [function.name] if found.second is None else []
        externals += derived(plain, function, found)
    _check_names(module, [each.name for each in externals])
    whole = replace(module, name=f"{module.name}_casadi", functions=(*module.functions, *made), assembly=None)
    tables = _Tables()
    files = emit_plain(whole)
    files[f"{whole.name}.c"] += render(
        "casadi/interface.c.j2",
        name=whole.name,
        real=C_REAL[module.real],
        without=wrapped(f" * {', '.join(without)}", WIDTH, " * ") if without else "",
        once=wrapped(f" * {', '.join(once)}", WIDTH, " * ") if once else "",
        defaults=[repr(parameter.default) for parameter in module.parameters],
        externals=[*(_written(whole, each, tables) for each in externals), *_defaults(module, tables)],
        sparsities=tables.text("casadi_int", tables.sparsities),
        places=tables.text("int", tables.places),
    )
    return files


LANGUAGE = Language(
    "casadi", emit_casadi, words=WORDS, taken=HEADERS, fields=True, run=run, tool=tool, companions=companions
)


def _check_names(module: Module, names: list[str]) -> None:
    """`InputError` for functions that have one name where no two underscores may be side by side."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"{module.name}: two functions would be called {name} in CasADi, whose names have no two underscores "
                "side by side; rename a frame, of whose name the functions' are made"
            )


class _Tables:
    """Arrays of integers, each once: values → name."""

    def __init__(self) -> None:
        self.sparsities: dict[tuple[int, ...], str] = {}
        self.places: dict[tuple[int, ...], str] = {}

    def sparsity(self, block: Block) -> str:
        """The name of a block's pattern."""
        return self.sparsities.setdefault(block.sparsity, f"sparsity{len(self.sparsities)}")

    def place(self, block: Block) -> str:
        """The name of a block's places, or NULL where they are in order."""
        if block.places == tuple(range(len(block.places))):
            return "NULL"
        return self.places.setdefault(block.places, f"places{len(self.places)}")

    @staticmethod
    def text(kind: str, arrays: dict[tuple[int, ...], str]) -> list[str]:
        """Their definitions."""
        return [
            wrapped(f"static const {kind} {name}[] = {{{', '.join(map(str, values))}}};", WIDTH, "    ")
            for values, name in arrays.items()
        ]


def _written(module: Module, item: External, tables: _Tables) -> CExternal:
    return CExternal(
        name=item.name,
        inputs=tuple((each.name, tables.sparsity(each.block), each.missing) for each in item.inputs),
        outputs=tuple((each.name, tables.sparsity(each.block)) for each in item.outputs),
        lines=tuple(_body(module, item, tables)),
    )


def _defaults(module: Module, tables: _Tables) -> list[CExternal]:
    """The function that returns the parameters' usual values, where there are parameters."""
    if not module.parameters:
        return []
    given = parameters(module)
    values = ", ".join(repr(parameter.default) for parameter in module.parameters)
    lines = (
        wrapped(f"static const casadi_real defaults[] = {{{values}}};", WIDTH - 8, "        "),
        f"for (int i = 0; res[0] && i < {len(module.parameters)}; i++) {{",
        "    res[0][i] = defaults[i];",
        "}",
    )
    return [CExternal("default_parameters", (), ((given.name, tables.sparsity(given.block)),), lines)]


def _body(module: Module, item: External, tables: _Tables) -> list[str]:
    """The statements: inputs are taken, and of the functions those are called that make what is asked for."""
    real = C_REAL[module.real]
    needed = {argument.name: argument for maker in item.makers for argument in maker.inputs}
    lines = []
    for k, each in enumerate(item.inputs):
        array = CONSTANTS if each.name == PARAMETERS else each.block.array
        if array == CONSTANTS and array in needed:
            lines.append(f"const {module.name}_constants {CONSTANTS} = constants_of(arg[{k}]);")
        elif array in needed:
            size = prod(needed[array].shape)
            lines.append(f"{real} {array}[{size}];")
    for k, each in enumerate(item.inputs):
        if each.block.array in needed:
            size = prod(needed[each.block.array].shape)
            taken = f"{tables.place(each.block)}, {len(each.block.places)}, {each.block.array}, {size}"
            lines.append(f"take(arg[{k}], {taken}, {each.missing});")
    for maker in item.makers:
        lines += _call(module, item, maker, tables)
    for k, output in enumerate(item.outputs):
        if output.unknown:
            lines.append(f"unknown(res[{k}], {output.block.size});")
    return lines


def _call(module: Module, item: External, maker: Function, tables: _Tables) -> list[str]:
    """A call of a C function, where any of its outputs is asked for."""
    real = C_REAL[module.real]
    made = [(k, output) for k, output in enumerate(item.outputs) if output.maker and output.maker.name == maker.name]
    asked = " || ".join(f"res[{k}]" for k, _ in made)
    passed = [f"&{each.name}" if each.name == CONSTANTS else each.name for each in maker.inputs]
    passed += [each.name for each in maker.outputs]
    return [
        wrapped(f"if ({asked}) {{", WIDTH - 8, "            "),
        *(f"    {real} {each.name}[{prod(each.shape)}];" for each in maker.outputs),
        wrapped(f"    {module.name}_{maker.name}({', '.join(passed)});", WIDTH - 8, "            "),
        *(
            f"    give({output.block.array}, {tables.place(output.block)}, {len(output.block.places)}, res[{k}]);"
            for k, output in made
        ),
        "}",
    ]
