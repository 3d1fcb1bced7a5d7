"""Functions whose matrices are packed: of each they make the entries that are not zero whatever the state.

An entry is left out where its program has the constant 0 for it: the passes make constants of all values that are zero
at every state, so that does not depend on how the program was found. `packed` and `dense` undo each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from symgen.algebra.exact import ZERO
from symgen.program.module import Argument, Function, Module
from symgen.program.pattern import Pattern, pattern_of
from symgen.program.program import Array, Dependence, Instruction, Op, Program

Entries = tuple[tuple[Array, tuple[int, ...]], ...]
"""Output arrays with the instructions that their entries are."""


def packed(module: Module) -> Module:
    """The module with every result of two or more dimensions packed."""
    return replace(module, functions=tuple(map(_packed, module.functions)))


def dense(module: Module) -> Module:
    """The module with every result whole: where packing left a zero out, the program has the constant 0 again."""
    return replace(module, functions=tuple(map(_dense, module.functions)))


def patterns(function: Function) -> tuple[Pattern | None, ...]:
    """The pattern of each result, whether or not it is packed; None for those of less than two dimensions."""
    return tuple(
        _pattern(function.program, array, nodes) if result.pattern is None else result.pattern
        for result, (array, nodes) in zip(function.outputs, function.program.outputs, strict=True)
    )


def unpacked(module: Module, functions: Mapping[str, Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Callables of the module's functions as ones that return whole arrays."""
    return {name: unpacking(call, module.function(name).outputs) for name, call in functions.items()}


def unpacking(call: Callable[..., Any], outputs: Sequence[Argument]) -> Callable[..., Any]:
    """A callable that returns whole arrays where `call` returns packed ones; the same one where it does not."""
    if all(output.pattern is None for output in outputs):
        return call
    return lambda *arguments, **words: whole(outputs, call(*arguments, **words))


def whole(outputs: Sequence[Argument], results: Any) -> Any:
    """What a function returned, an array or a tuple of several, with whole arrays; `ValueError` if they do not fit."""
    several = isinstance(results, tuple | list)
    arrays = tuple(results) if several else (results,)
    if len(arrays) != len(outputs):
        names = ", ".join(output.name for output in outputs)
        raise ValueError(f"expected what the function returns, {len(outputs)} arrays ({names}), found {len(arrays)}")
    found = tuple(
        array if output.pattern is None else output.pattern.unpack(array)
        for output, array in zip(outputs, arrays, strict=True)
    )
    return found if several else found[0]


def _packed(function: Function) -> Function:
    found = patterns(function)
    if all(pattern is None for pattern in found):
        return function
    results, entries = [], []
    for result, (array, nodes), pattern in zip(function.outputs, function.program.outputs, found, strict=True):
        if pattern is not None and result.pattern is None:
            array, nodes = Array(array.name, (pattern.nnz,)), tuple(nodes[place] for place in pattern.places)
            result = replace(result, shape=array.shape, dimensions=(f"{result.name}_entry",), pattern=pattern)
        results.append(result)
        entries.append((array, nodes))
    return replace(function, outputs=tuple(results), program=_with(function.program, tuple(entries)))


def _dense(function: Function) -> Function:
    if all(result.pattern is None for result in function.outputs):
        return function
    program = function.program
    zero = len(program.instructions)
    results, entries = [], []
    for result, (array, nodes) in zip(function.outputs, program.outputs, strict=True):
        if result.pattern is not None:
            known = dict(zip(result.pattern.places, nodes, strict=True))
            array = Array(array.name, result.pattern.shape)
            nodes = tuple(known.get(place, zero) for place in range(array.size))
            result = replace(result, shape=array.shape, dimensions=(), pattern=None)
        results.append(result)
        entries.append((array, nodes))
    nothing = Instruction(Op.CONSTANT, value=ZERO, dependence=Dependence.CONSTANT)
    filled = replace(program, instructions=(*program.instructions, nothing))
    return replace(function, outputs=tuple(results), program=_with(filled, tuple(entries)))


def _pattern(program: Program, array: Array, nodes: Sequence[int]) -> Pattern | None:
    """The pattern of an output array, if it has one."""
    if len(array.shape) < 2:
        return None
    return pattern_of(array.shape, [place for place, node in enumerate(nodes) if not _is_zero(program, node)])


def _is_zero(program: Program, node: int) -> bool:
    instruction = program.instructions[node]
    return instruction.op is Op.CONSTANT and not instruction.value


def _with(program: Program, outputs: Entries) -> Program:
    """The program with these outputs, and without constants that nothing needs any more."""
    used = {node for _, nodes in outputs for node in nodes}
    used.update(arg for instruction in program.instructions for arg in instruction.args)
    kept = [node for node, each in enumerate(program.instructions) if node in used or each.op is not Op.CONSTANT]
    place = {node: number for number, node in enumerate(kept)}
    instructions = [program.instructions[node] for node in kept]
    return Program(
        program.inputs,
        tuple(each._replace(args=tuple(place[arg] for arg in each.args)) for each in instructions),
        tuple((array, tuple(place[node] for node in nodes)) for array, nodes in outputs),
    )
