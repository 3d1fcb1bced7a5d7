"""Arguments and results of functions: shapes, units and words for one robot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symgen.derive.subject import Subject
from symgen.mechanics.functions.quantity import NQ, NV, Extent, Input, Output, Quantity
from symgen.mechanics.functions.units import unit_of
from symgen.program.module import Argument
from symgen.robot.model import Robot

_DIMENSIONS: dict[Extent, str] = {NQ: "joint", NV: "joint", 3: "axis", 6: "component"}
"""Extent → what a dimension is called; others are called "row" and "column"."""


def arguments(subject: Subject, item: Quantity) -> tuple[Argument, ...]:
    """The state, then gravity, then external wrenches: the order of all generated functions."""
    found = [_input(each, subject.robot) for each in item.inputs]
    if item.gravity and subject.runtime_gravity:
        found.append(Argument("gravity", (3,), "m/s^2", "gravity vector in the base frame", dimensions((3,))))
    if item.loads:
        found += [_wrench(name, frame) for name, frame in subject.wrenches]
    return tuple(found)


def results(subject: Subject, item: Quantity) -> tuple[Argument, ...]:
    """The arrays that a function returns."""
    return tuple(_output(output, subject.robot) for output in item.outputs)


def _input(given: Input, robot: Robot) -> Argument:
    shape = (given.extent,)
    names = ("position",) if given.extent == NQ and robot.has_free_joints else dimensions(shape)
    return Argument(given.name, numbers(shape, robot), unit_of(given.unit, robot), given.meaning, names)


def _output(made: Output, robot: Robot) -> Argument:
    names = made.dimensions or dimensions(made.shape)
    return Argument(made.name, numbers(made.shape, robot), unit_of(made.unit, robot), made.meaning, names)


def _wrench(name: str, frame: str) -> Argument:
    """The wrench that the environment exerts on a frame."""
    meaning = f"moment (3) and force (3) of the environment on frame '{frame}', about its origin, in its axes"
    return Argument(name, (6,), "N m and N", meaning, dimensions((6,)))


def numbers(shape: Sequence[Extent], robot: Robot) -> tuple[int, ...]:
    """A shape in numbers."""
    extents = {NQ: robot.nq, NV: robot.nv}
    return tuple(extents[extent] if isinstance(extent, str) else extent for extent in shape)


def dimensions(shape: Sequence[Extent]) -> tuple[str, ...]:
    """Names of an array's dimensions, all different."""
    return tuple(_names(shape))


def _names(shape: Sequence[Extent]) -> Iterator[str]:
    names = [_DIMENSIONS.get(extent, other) for extent, other in zip(shape, ("row", "column"), strict=False)]
    for place, name in enumerate(names):
        yield f"{name}_2" if name in names[:place] else name
