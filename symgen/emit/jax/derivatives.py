"""Which functions have the first and second derivatives of others: the module's own, or ones that are made for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from symgen.algebra.exact import ZERO
from symgen.emit.derivatives.known import KNOWN
from symgen.emit.derivatives.parts import Pair, Part, derivatives
from symgen.program.differentiation import WEIGHTS
from symgen.program.module import Argument, Function, Module
from symgen.program.program import Array, Dependence, Instruction, Op
from symgen.program.sparsity import dense

First = tuple[str, str, int, tuple[int, ...]]
"""An input, the function that has the derivative by it, the number of its result, and which inputs it takes."""

Second = tuple[str, tuple[int, ...], tuple[tuple[str, str, int], ...]]
"""A function, which inputs it takes (the one after the last are weights of the result), and of which pairs of inputs
it has second derivatives, each with the number of its result."""


@dataclass(frozen=True)
class Derivatives:
    """Where the derivatives of a function are; those by other inputs JAX makes of the program.

    Pairs that `second` lacks are zero. `made` are functions that the module lacks; their names begin with "_".
    """

    first: tuple[First, ...] = ()
    second: Second | None = None
    made: tuple[Function, ...] = ()


def derivatives_of(module: Module, function: Function) -> Derivatives:
    """The derivatives of the dynamics by the entries of their inputs; none of other functions."""
    if function.name not in KNOWN:
        return Derivatives()
    return _known(module, function) if module.record.is_plain else _differentiated(module, function)


def _known(module: Module, function: Function) -> Derivatives:
    """By the module's functions; packed ones are made again, whole."""
    known, there = KNOWN[function.name], {each.name: each for each in module.functions}
    wanted = [name for name in known.functions if name in there]
    whole = dense(replace(module, functions=tuple(there[name] for name in wanted))).functions
    sources, made = {}, []
    for name, each in zip(wanted, whole, strict=True):
        if each != there[name]:
            made.append(replace(each, name=f"_{name}"))
        sources[name] = made[-1] if each != there[name] else each
    first = tuple(
        _first(function, by, sources[name], result) for by, (name, result) in known.first.items() if name in sources
    )
    second = None
    if known.hessian in sources and len(first) == len(known.first):
        pairs = [(*pair, _place(sources[known.hessian], result)) for pair, result in known.second.items()]
        second = _second(function, sources[known.hessian], "weights", pairs)
    return Derivatives(first, second, tuple(made))


def _differentiated(module: Module, function: Function) -> Derivatives:
    """By functions that differentiation of the program makes: q̇ is not qd, and derivatives are by the entries of q."""
    found = derivatives(module, function)
    if found is None or not found.first:
        return Derivatives()
    (firsts,), (output,) = found.first, function.outputs
    slopes = _whole(firsts, list(firsts.blocks))
    first = tuple(_first(function, by, slopes, f"d{result}_d{by}") for result, by in firsts.blocks)
    if not found.second:
        return Derivatives(first, None, (slopes,))
    (seconds,) = found.second
    wanted = _once(seconds.blocks)
    curvatures = _whole(seconds, wanted)
    pairs = [(one, two, _place(curvatures, f"d{one}_d{two}")) for one, two in wanted]
    return Derivatives(first, _second(function, curvatures, WEIGHTS + output.name, pairs), (slopes, curvatures))


def _once(pairs: Iterable[Pair]) -> list[Pair]:
    """Of two pairs that are each other's reverse the first."""
    found: list[Pair] = []
    for one, two in pairs:
        if (two, one) not in found or one == two:
            found.append((one, two))
    return found


def _first(function: Function, by: str, source: Function, result: str) -> First:
    return by, source.name, _place(source, result), _taken(function, source)


def _second(function: Function, source: Function, weights: str, pairs: Sequence[tuple[str, str, int]]) -> Second:
    return source.name, _taken(function, source, weights), tuple(pairs)


def _taken(function: Function, source: Function, *further: str) -> tuple[int, ...]:
    names = [*(argument.name for argument in function.inputs), *further]
    return tuple(names.index(argument.name) for argument in source.inputs)


def _place(source: Function, result: str) -> int:
    return [argument.name for argument in source.outputs].index(result)


def _whole(part: Part, pairs: Sequence[Pair]) -> Function:
    """The function of a part with a matrix for each pair, zeros included, in place of the values that occur."""
    program = part.function.program
    ((_, values),) = program.outputs
    zero = len(program.instructions)
    results, outputs = [], []
    for one, two in pairs:
        block, name = part.blocks[one, two], f"d{one}_d{two}"
        nodes = [zero] * block.size
        for column, row, place in block.entries:
            nodes[row * block.columns + column] = values[place]
        results.append(Argument(name, block.extents, "", "derivatives"))
        outputs.append((Array(name, block.extents), tuple(nodes)))
    nothing = Instruction(Op.CONSTANT, value=ZERO, dependence=Dependence.CONSTANT)
    filled = replace(program, instructions=(*program.instructions, nothing), outputs=tuple(outputs))
    return replace(part.function, name=f"_{part.function.name}", outputs=tuple(results), program=filled)
