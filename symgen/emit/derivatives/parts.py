"""First and second derivatives of a module's functions by the entries of their inputs, in blocks.

They come from the module's own functions where these are known to be derivatives, else from its programs, by automatic
differentiation; where that would be too long, first ones are made of functions that have them along velocities.
Derivatives by run-time parameters are not made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod

from symgen.emit.derivatives.blocks import Block, block, block_of
from symgen.emit.derivatives.known import KNOWN, SLOPES, Known, known
from symgen.emit.derivatives.made import MOST, derivative
from symgen.emit.derivatives.rates import pseudo_inverse
from symgen.program.differentiation import WEIGHTS, Entry, gradient, gradient_program, tangents
from symgen.program.graph import Graph, Scalar
from symgen.program.module import CONSTANTS, Argument, Function, Module
from symgen.program.program import Array
from symgen.program.sparsity import patterns

VALUES = "values"
"""The one output of a function of derivatives: each value that occurs, once."""

Pair = tuple[str, str]


@dataclass(frozen=True)
class Part:
    """A function that some blocks are of: pair of names → block."""

    function: Function
    blocks: Mapping[Pair, Block]


@dataclass(frozen=True)
class Derivatives:
    """The derivatives of a function: `first` by (output, input), `second` by (input, input) of weighted outputs.

    `reverse` makes the slopes of weighted outputs by each input. A pair that no part has is zero; where `second` is
    None, all second derivatives are unknown. `made` are functions that the module lacks.
    """

    first: tuple[Part, ...]
    reverse: Function
    second: tuple[Part, ...] | None
    made: tuple[Function, ...]


def varying(function: Function) -> list[Argument]:
    """The inputs that derivatives are by."""
    return [argument for argument in function.inputs if argument.name != CONSTANTS]


def result_blocks(function: Function) -> dict[str, Block]:
    """The outputs as CasADi has them: vectors and numbers with all entries, matrices by their patterns."""
    found = zip(function.outputs, patterns(function), strict=True)
    return {output.name: block_of(output, pattern) for output, pattern in found}


def derivatives(module: Module, function: Function) -> Derivatives | None:
    """The derivatives of a function; None where they would be too long, or it is a derivative itself."""
    if not varying(function) or function.name in SLOPES:
        return None
    own = known(module, function.name)
    entries = sum(prod(argument.shape) for argument in varying(function))
    if own is None and len(function.program.instructions) * entries * 4 > MOST:
        return _along_velocities(module, function)
    reverse = _reverse(function)
    first = _first(function, [a for a in varying(function) if own is None or a.name not in own.first])
    second = _second(function) if own is None or len(varying(function)) > len(own.first) else None
    made = [reverse, *(part.function for part in (first, second) if part is not None)]
    if own is not None:
        firsts, seconds = _known_first(module, function, own), [_known_second(module, function, own)]
    else:
        firsts, seconds = [], []
    firsts += [first] if first is not None else []
    if second is not None:
        seconds = [second]
    return Derivatives(tuple(firsts), reverse, tuple(seconds), tuple(made))


def _along_velocities(module: Module, function: Function) -> Derivatives | None:
    """First derivatives made of the module's own, which are along velocities of free joints; None if it has none."""
    own, there = KNOWN.get(function.name), {each.name: each for each in module.functions}
    if own is None or not module.record.free or module.record.loops or not there.keys() >= own.functions_of_first:
        return None
    if own.first.keys() != {argument.name for argument in varying(function)}:
        return None  # by gravity, or by wrenches, the module has no derivatives
    graph, (output,) = Graph(), function.outputs
    loaded: dict[tuple[str, str], tuple[Block, list[Scalar]]] = {}
    arrays: dict[str, Array] = {}
    for name in dict.fromkeys(name for name, _ in own.first.values()):
        nodes, blocks = graph.load(there[name].program), result_blocks(there[name])
        arrays |= {array.name: array for array in there[name].program.inputs}
        for array, entries in there[name].program.outputs:
            loaded[name, array.name] = blocks[array.name], [nodes[node] for node in entries]
    if len(graph.nodes) > MOST:
        return None
    found: dict[Pair, list[tuple[int, int, Scalar]]] = {}
    shapes: dict[Pair, tuple[int, int]] = {}
    columns = pseudo_inverse(graph, module.record)
    for by, source in own.first.items():
        matrix, values = loaded[source]
        pair, slopes = (output.name, by), {(row, column): values[place] for column, row, place in matrix.entries}
        shapes[pair] = (matrix.rows, len(columns) if by == "q" else matrix.columns)
        if by != "q":
            found[pair] = [(*where, value) for where, value in slopes.items() if not value.is_zero]
            continue
        found[pair] = [
            (row, entry, graph.sum(slopes[row, k] * factor for k, factor in column.items() if (row, k) in slopes))
            for entry, column in enumerate(columns)
            for row in range(matrix.rows)
        ]
    part = _part(function, "slopes", graph, tuple(arrays.values()), found, shapes)
    assert part is not None
    reverse = _reverse(function)
    return Derivatives((part,), reverse, None, (reverse, part.function))


def _known_first(module: Module, function: Function, own: Known) -> list[Part]:
    (output,) = function.outputs
    parts = []
    for name in dict.fromkeys(name for name, _ in own.first.values()):
        other = module.function(name)
        arrays = result_blocks(other)
        found = {(output.name, by): arrays[array] for by, (owner, array) in own.first.items() if owner == name}
        parts.append(Part(other, found))
    return parts


def _known_second(module: Module, function: Function, own: Known) -> Part:
    (output,), other = function.outputs, module.function(own.hessian)
    arrays = result_blocks(other)
    found = {}
    for (one, two), array in own.second.items():
        found[one, two] = arrays[array]
        if one != two:
            found[two, one] = arrays[array].transposed
    *inputs, weights = [each for each in other.inputs if each.name != CONSTANTS]
    inputs = [*inputs, replace(weights, name=WEIGHTS + output.name)]
    constants = [each for each in other.inputs if each.name == CONSTANTS]
    return Part(replace(other, inputs=(*inputs, *constants)), found)


# by automatic differentiation ----------------------------------------------------------------------


def _reverse(function: Function) -> Function:
    names = [argument.name for argument in varying(function)]
    return derivative(function, "reverse", gradient_program(function.program, names))


def _first(function: Function, by: list[Argument]) -> Part | None:
    """The derivatives of all outputs by some inputs."""
    if not by:
        return None
    graph = Graph()
    nodes = graph.load(function.program)
    found: dict[tuple[str, str], list[tuple[int, int, Scalar]]] = {}
    blocks = result_blocks(function)
    for argument in by:
        for k in range(prod(argument.shape)):
            for array, entries in function.program.outputs:
                slopes = tangents(graph, [nodes[node] for node in entries], {(argument.name, k): graph.constant(1)})
                rows = blocks[array.name].rows
                block_entries = found.setdefault((array.name, argument.name), [])
                for column, row, place in blocks[array.name].entries:
                    if not slopes[place].is_zero:
                        block_entries.append((column * rows + row, k, slopes[place]))
    sizes = {argument.name: prod(argument.shape) for argument in by}
    extents = {name: each.rows * each.columns for name, each in blocks.items()}
    shapes = {pair: (extents[pair[0]], sizes[pair[1]]) for pair in found}
    return _part(function, "slopes", graph, function.program.inputs, found, shapes)


def _second(function: Function) -> Part | None:
    """The second derivatives of weighted outputs by the inputs: each once, of two that are the same."""
    graph = Graph()
    nodes = graph.load(function.program)
    weights = [Array(WEIGHTS + array.name, array.shape) for array, _ in function.program.outputs]
    values = [nodes[node] for _, entries in function.program.outputs for node in entries]
    weighing = [graph.variable(array.name, k) for array in weights for k in range(array.size)]
    by: list[Entry] = [(a.name, k) for a in varying(function) for k in range(prod(a.shape))]
    slopes = gradient(graph, values, weighing, by)
    found: dict[tuple[str, str], list[tuple[int, int, Scalar]]] = {}
    for end, (name, k) in enumerate(by):
        column = tangents(graph, slopes[: end + 1], {(name, k): graph.constant(1)})
        for (other, i), value in zip(by, column, strict=False):
            if not value.is_zero:
                found.setdefault((other, name), []).append((i, k, value))
                if (other, i) != (name, k):
                    found.setdefault((name, other), []).append((k, i, value))
    sizes = {argument.name: prod(argument.shape) for argument in varying(function)}
    shapes = {(one, two): (sizes[one], sizes[two]) for one, two in found}
    return _part(function, "curvatures", graph, (*function.program.inputs, *weights), found, shapes)


def _part(
    function: Function,
    word: str,
    graph: Graph,
    inputs: tuple[Array, ...],
    found: Mapping[Pair, list[tuple[int, int, Scalar]]],
    shapes: Mapping[Pair, tuple[int, int]],
) -> Part | None:
    """A function that makes these entries (row, column, value) of blocks, each value once."""
    places: dict[tuple[int, int], int] = {}
    values: list[Scalar] = []
    blocks = {}
    for pair, entries in ((pair, entries) for pair, entries in found.items() if entries):
        numbered = []
        for row, column, value in entries:
            key = (value.node, value.sign)
            if key not in places:
                places[key] = len(values)
                values.append(value)
            numbered.append((row, column, places[key]))
        blocks[pair] = block(*shapes[pair], numbered, VALUES)
    if not values:
        return None
    program = graph.program(inputs, [(Array(VALUES, (len(values),)), values)])
    return Part(derivative(function, word, program), blocks)
