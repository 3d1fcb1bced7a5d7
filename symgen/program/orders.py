"""The order of a quaternion's four numbers in q, as a renaming of what functions read and write.

Everything is derived with quaternions x y z w. A module with another order has the same programs, instruction by
instruction; only their entries of q have other places, and so have those that its record names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symgen.program.module import FreeJoint, Function, LimitRecord, Module, Record
from symgen.program.program import Array, Op, Program


def in_order(module: Module, order: str) -> Module:
    """The module with the quaternions in its q in this order, whatever theirs is now."""
    record = _ordered(module.record, order)
    if record == module.record:
        return module
    now = {place: k for k, place in enumerate(module.record.order)}
    places = [now[place] for place in record.order]
    assembly = module.assembly
    if assembly is not None:
        assembly = replace(assembly, places=_carried(assembly.places, places))
    functions = tuple(_moved(each, places) for each in module.functions)
    return replace(module, record=record, functions=functions, assembly=assembly)


def _ordered(record: Record, order: str) -> Record:
    """The record with quaternions in this order."""
    free = tuple(replace(joint, positions=_names(joint, order)) for joint in record.free)
    other = replace(record, free=free)
    now = {place: k for k, place in enumerate(record.order)}
    places = [now[place] for place in other.order]
    limits = tuple(
        LimitRecord(each.name, each.meaning, tuple(each.values[place] for place in places))
        if each.extent == "NQ"
        else each
        for each in record.limits
    )
    positions = tuple(record.positions[place] for place in places)
    independent = _carried(record.independent, places)
    return replace(other, positions=positions, limits=limits, independent=independent)


def _carried(chosen: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    """Places of entries of q, in their order, where entry k is what was entry `places[k]`."""
    return tuple(places.index(place) for place in chosen)


def _names(joint: FreeJoint, order: str) -> tuple[str, ...]:
    """The entries of the joint's q; a quaternion is the last of them."""
    return joint.positions if not joint.quaternion else (*joint.positions[:-4], *(f"q{axis}" for axis in order))


def _moved(function: Function, places: Sequence[int]) -> Function:
    """The function with entry k of every q where entry `places[k]` was."""
    q = {argument.name for argument in function.inputs if argument.positions}
    results = {argument.name for argument in function.outputs if argument.positions}
    return replace(function, program=_renamed(function.program, q, results, places))


def _renamed(program: Program, inputs: set[str], results: set[str], places: Sequence[int]) -> Program:
    new = {place: k for k, place in enumerate(places)}
    instructions = tuple(
        each._replace(entry=new[each.entry]) if each.op is Op.VARIABLE and each.name in inputs else each
        for each in program.instructions
    )
    outputs: tuple[tuple[Array, tuple[int, ...]], ...] = tuple(
        (array, tuple(nodes[place] for place in places) if array.name in results else nodes)
        for array, nodes in program.outputs
    )
    return replace(program, instructions=instructions, outputs=outputs)
