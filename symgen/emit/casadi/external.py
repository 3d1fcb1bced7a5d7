"""CasADi's external functions: their inputs and outputs in its order, and which functions of the C code make them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from symgen.emit.derivatives.blocks import Block, block_of, filled, nothing
from symgen.emit.derivatives.parts import Derivatives, Pair, Part, result_blocks
from symgen.program.differentiation import DIRECTION, WEIGHTS
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Argument, Function, Module


@dataclass(frozen=True)
class Input:
    """An input of a function of CasADi's; its block's array is what C functions take it as, "" where they do not."""

    name: str
    block: Block
    missing: str = "0.0"


@dataclass(frozen=True)
class Output:
    """An output, and the C function that makes it: None where it is zero or, as derivatives by parameters, unknown."""

    name: str
    block: Block
    maker: Function | None = None
    unknown: bool = False


@dataclass(frozen=True)
class External:
    """A function of CasADi's."""

    name: str
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]

    @property
    def makers(self) -> tuple[Function, ...]:
        """The C functions that are called, each once."""
        makers = {output.maker.name: output.maker for output in self.outputs if output.maker is not None}
        return tuple(makers.values())


def external(module: Module, function: Function) -> External:
    """The function itself."""
    blocks, taken = result_blocks(function), {argument.name for argument in function.inputs}
    outputs = [
        Output(permitted(f"{name}_out" if name in taken else name), each, function) for name, each in blocks.items()
    ]
    return External(permitted(function.name), tuple(_input(module, each) for each in function.inputs), tuple(outputs))


def permitted(name: str) -> str:
    """A name that CasADi takes: it wants letters first, and no two underscores side by side."""
    return "_".join(part for part in name.split("_") if part)


def derived(plain: External, function: Function, found: Derivatives) -> list[External]:
    """`jac_f`, `adj1_f` and `jac_adj1_f`: what CasADi gives them and wants of them, in its order.

    Derivative functions are given the results, too, which they have no need of; these are called `out_`. There is no
    `jac_adj1_f` where second derivatives are unknown.
    """
    given, results = plain.inputs, plain.outputs
    again = tuple(Input(f"out_{each.name}", nothing(*each.block.extents)) for each in results)
    seeds = tuple(
        Input(f"adj_{each.name}", each.block.named(WEIGHTS + output.name))
        for each, output in zip(results, function.outputs, strict=True)
    )
    adjoint = tuple(_adjoint(each, found) for each in given)
    again_adjoint = tuple(Input(f"out_{each.name}", nothing(*each.block.extents)) for each in adjoint)
    slopes, curvatures = _sources(found.first), _sources(found.second or ())
    names = dict(zip((each.name for each in results), (output.name for output in function.outputs), strict=True))
    first = {(name, by.name): slopes.get((names[name], by.block.array)) for name in names for by in given}
    second = {
        (f"adj_{one.name}", two.name): curvatures.get((one.block.array, two.block.array))
        for one in given
        for two in given
    }
    for (name, by), source in first.items():
        second[f"adj_{by}", f"adj_{name}"] = None if source is None else (source[0], source[1].transposed)
    columns = (*given, *again, *seeds)
    once = [
        External(f"jac_{plain.name}", (*given, *again), _jacobian(results, given, first)),
        External(f"adj1_{plain.name}", columns, adjoint),
    ]
    if found.second is None:
        return once
    return [*once, External(f"jac_adj1_{plain.name}", (*columns, *again_adjoint), _jacobian(adjoint, columns, second))]


def parameters(module: Module) -> Input:
    """The input with the values of all run-time parameters, in order; not a number where it is not given."""
    shape = (len(module.parameters),)
    return Input(PARAMETERS, block_of(Argument(PARAMETERS, shape, "", "")), missing="NAN")


_Sources = Mapping[Pair, tuple[Function, Block] | None]


def _input(module: Module, argument: Argument) -> Input:
    if argument.name == CONSTANTS:
        return parameters(module)
    return Input(permitted(argument.name), block_of(argument), missing="NAN" if argument.name == "gravity" else "0.0")


def _sources(parts: Iterable[Part]) -> dict[Pair, tuple[Function, Block]]:
    return {pair: (part.function, each) for part in parts for pair, each in part.blocks.items()}


def _adjoint(given: Input, found: Derivatives) -> Output:
    name = f"adj_{given.name}"
    if given.name == PARAMETERS:
        return Output(name, given.block, unknown=True)
    return Output(name, given.block.named(DIRECTION + given.block.array), found.reverse)


def _jacobian(rows: Iterable[Output], columns: Iterable[Input], sources: _Sources) -> tuple[Output, ...]:
    """The blocks of a Jacobian: those by inputs that nothing depends on are zero, those by parameters unknown."""
    return tuple(_block(row, column, sources) for row in rows for column in columns)


def _block(row: Output, column: Input, sources: _Sources) -> Output:
    name, extents = f"jac_{row.name}_{column.name}", (row.block.size, column.block.size)
    source = sources.get((row.name, column.name))
    if source is not None:
        return Output(name, source[1], source[0])
    depends = not column.name.startswith("out_")
    if depends and (row.unknown or column.name == PARAMETERS):
        return Output(name, filled(*extents), unknown=True)
    return Output(name, nothing(*extents))
