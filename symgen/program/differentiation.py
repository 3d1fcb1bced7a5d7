"""Exact derivatives of programs: forward, along directions of the inputs, and reverse, gradients of weighted outputs.

Both work on nodes of a graph and add nodes to it, so that derivatives share what they have in common with the values
and with each other, and may be taken again: forward over reverse makes Hessians. Forward costs about two times the
values per direction, reverse about three times the values for all inputs at once.

What the derivatives are: that of the sign is 0, that of a value which must not be 0 is that of the value. A square root
has none at 0, where the derivative divides by 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from symgen.errors import InternalError
from symgen.program.graph import Graph, Scalar
from symgen.program.program import Array, Instruction, Op, Program

Entry = tuple[str, int]
"""An entry of an input: its name and its number."""

_Add = Callable[[int, Scalar], None]

DIRECTION, WEIGHTS = "d_", "w_"
"""How inputs and outputs that belong to others are named: slopes of either, weights of outputs."""

_ADDITIVE = {Op.ADD: (1, 1), Op.SUB: (1, -1), Op.NEG: (-1,)}
"""Operations whose derivatives by their operands are signs."""


def tangents(graph: Graph, values: Sequence[Scalar], direction: Mapping[Entry, Scalar]) -> list[Scalar]:
    """The slopes of `values` where inputs go in a `direction`: entry → its slope, 0 for others."""
    slopes: dict[int, Scalar] = {}
    for node in _nodes(graph, values):
        instruction = graph.nodes[node]
        if instruction.op is Op.VARIABLE:
            slope = direction.get((instruction.name, instruction.entry))
        else:
            slope = _slope(graph, node, instruction, slopes)
        if slope is not None and not slope.is_zero:
            slopes[node] = slope
    zero = graph.constant(0)
    return [_signed(slopes.get(value.node, zero), value.sign) for value in values]


def gradient(graph: Graph, values: Sequence[Scalar], weights: Sequence[Scalar], by: Sequence[Entry]) -> list[Scalar]:
    """The derivatives of Σ weightᵢ valueᵢ by entries of inputs, at fixed weights."""
    order = _nodes(graph, values)
    active = _active(graph, order, set(by))
    found: dict[int, Scalar] = {}

    def add(node: int, weight: Scalar) -> None:
        if node in active:
            found[node] = found[node] + weight if node in found else weight

    for value, weight in zip(values, weights, strict=True):
        add(value.node, _signed(weight, value.sign))
    for node in reversed(order):
        if node in found and not found[node].is_zero:
            _back(graph, node, found[node], active, add)
    zero = graph.constant(0)
    return [found.get(graph.variable(*entry).node, zero) for entry in by]


class DifferentiatingGraph(Graph):
    """A graph that formulas over it can be differentiated in (see `algebra.domain.Differentiating`)."""

    def tangents(self, values: Sequence[Scalar], direction: Mapping[Entry, Scalar]) -> list[Scalar]:
        """The slopes of values along a direction of the inputs."""
        return tangents(self, values, direction)

    def gradient(self, values: Sequence[Scalar], weights: Sequence[Scalar], by: Sequence[Entry]) -> list[Scalar]:
        """The derivatives of Σ weightᵢ valueᵢ by entries of inputs, at fixed weights."""
        return gradient(self, values, weights, by)


# programs ------------------------------------------------------------------------------------------


def tangent_program(program: Program, by: Sequence[str]) -> Program:
    """The program with slopes of its outputs, `d_` and their names, beside them.

    The inputs named `by` go in a direction that is given in as many inputs more, `d_` and their names.
    """
    graph, values = _loaded(program)
    moving = [_named(DIRECTION, array) for array in _inputs(program, by)]
    direction = {
        (array.name, k): graph.variable(DIRECTION + array.name, k)
        for array in _inputs(program, by)
        for k in range(array.size)
    }
    slopes = [(_named(DIRECTION, array), tangents(graph, entries, direction)) for array, entries in values]
    return graph.program((*program.inputs, *moving), [*values, *slopes])


def jacobian_program(program: Program, by: Sequence[str]) -> Program:
    """The derivatives of every output by every input of these, the output's dimensions first, then the input's."""
    graph, values = _loaded(program)
    one = graph.constant(1)
    outputs = []
    for array, entries in values:
        for given in _inputs(program, by):
            columns = [tangents(graph, entries, {(given.name, k): one}) for k in range(given.size)]
            shape = Array(f"{DIRECTION}{array.name}_{DIRECTION}{given.name}", (*array.shape, *given.shape))
            outputs.append((shape, [column[i] for i in range(len(entries)) for column in columns]))
    return graph.program(program.inputs, outputs)


def gradient_program(program: Program, by: Sequence[str]) -> Program:
    """The derivatives of the outputs' entries, weighed and summed, by these inputs: `d_` and their names.

    The weights are inputs, `w_` and the outputs' names.
    """
    graph, values = _loaded(program)
    given = [_named(WEIGHTS, array) for array, _ in values]
    weights = [graph.variable(array.name, k) for array in given for k in range(array.size)]
    entries = [value for _, each in values for value in each]
    arrays = _inputs(program, by)
    found = iter(gradient(graph, entries, weights, [(array.name, k) for array in arrays for k in range(array.size)]))
    outputs = [(_named(DIRECTION, array), [next(found) for _ in range(array.size)]) for array in arrays]
    return graph.program((*program.inputs, *given), outputs)


def _loaded(program: Program) -> tuple[Graph, list[tuple[Array, list[Scalar]]]]:
    graph = Graph()
    values = graph.load(program)
    return graph, [(array, [values[node] for node in nodes]) for array, nodes in program.outputs]


def _inputs(program: Program, names: Iterable[str]) -> list[Array]:
    known = {array.name: array for array in program.inputs}
    for name in names:
        if name not in known:
            raise InternalError(f"a program is to be differentiated by {name}; it has the inputs {', '.join(known)}")
    return [known[name] for name in names]


def _named(prefix: str, array: Array) -> Array:
    return Array(prefix + array.name, array.shape)


# rules ---------------------------------------------------------------------------------------------


def _slope(graph: Graph, node: int, instruction: Instruction, slopes: Mapping[int, Scalar]) -> Scalar | None:
    """The slope of an operation, given those of its operands; None where it is 0."""
    moving = [(place, slopes[arg]) for place, arg in enumerate(instruction.args) if arg in slopes]
    if not moving:
        return None
    if instruction.op is Op.DIV:
        # (dx − v dy) / y divides once.
        x, y = (slopes.get(arg, graph.constant(0)) for arg in instruction.args)
        return (x - Scalar(graph, node, 1) * y) / Scalar(graph, instruction.args[1], 1)
    parts = ((slope, _partial(graph, node, instruction, place)) for place, slope in moving)
    return graph.sum(slope * partial for slope, partial in parts if partial is not None)


def _back(graph: Graph, node: int, weight: Scalar, active: set[int], add: _Add) -> None:
    """Passes the weight of an operation on to its operands."""
    instruction = graph.nodes[node]
    if instruction.op is Op.DIV:
        x, y = instruction.args
        share = weight / Scalar(graph, y, 1)
        add(x, share)
        if y in active:
            add(y, -(share * Scalar(graph, node, 1)))
        return
    for place, arg in enumerate(instruction.args):
        partial = _partial(graph, node, instruction, place) if arg in active else None
        if partial is not None:
            add(arg, weight * partial)


def _partial(graph: Graph, node: int, instruction: Instruction, place: int) -> Scalar | None:
    """The derivative of an operation by one of its operands; None where it is 0 everywhere."""
    value, x = Scalar(graph, node, 1), Scalar(graph, instruction.args[place], 1)
    one = graph.constant(1)
    match instruction.op:
        case Op.ADD | Op.SUB | Op.NEG:
            return graph.constant(_ADDITIVE[instruction.op][place])
        case Op.MUL:
            return Scalar(graph, instruction.args[1 - place], 1)
        case Op.SQRT:
            return one / (value + value)
        case Op.SIN:
            return graph.cos(x)
        case Op.COS:
            return -graph.sin(x)
        case Op.TANH:
            return one - value * value
        case Op.ATAN:
            return one / (one + x * x)
        case Op.NONZERO:
            return one if place == 0 else None
        case Op.SIGN:
            return None
    raise InternalError(f"no derivative of {instruction.op.value} is known")


# nodes ---------------------------------------------------------------------------------------------


def _nodes(graph: Graph, values: Iterable[Scalar]) -> list[int]:
    """The nodes that the values need, operands first."""
    needed: set[int] = set()
    open_ones = [value.node for value in values]
    while open_ones:
        node = open_ones.pop()
        if node not in needed:
            needed.add(node)
            open_ones += graph.nodes[node].args
    return sorted(needed)


def _active(graph: Graph, order: Iterable[int], by: set[Entry]) -> set[int]:
    """The nodes that depend on these entries of inputs."""
    active: set[int] = set()
    for node in order:
        instruction = graph.nodes[node]
        if (instruction.name, instruction.entry) in by if instruction.op is Op.VARIABLE else _any(instruction, active):
            active.add(node)
    return active


def _any(instruction: Instruction, active: set[int]) -> bool:
    return any(arg in active for arg in instruction.args)


def _signed(value: Scalar, sign: int) -> Scalar:
    return value if sign > 0 else -value
