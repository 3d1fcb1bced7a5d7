"""Arguments and results of functions: shapes, units and words for one robot."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.derive.subject import Subject
from symgen.mechanics.functions.quantity import (
    ACTUATED,
    CUT_COORDINATES,
    CUTS,
    DEPENDENT,
    NQ,
    NV,
    ROWS,
    TREE,
    Extent,
    Input,
    Output,
    Quantity,
)
from symgen.mechanics.functions.units import unit_at_cuts, unit_of
from symgen.program.module import Argument
from symgen.robot.model import Robot

_DIMENSIONS: dict[Extent, str] = {
    NV: "joint",
    TREE: "tree_joint",
    ROWS: "constraint",
    DEPENDENT: "independent_constraint",
    ACTUATED: "actuator",
    CUTS: "cut_joint",
    CUT_COORDINATES: "cut_coordinate",
    3: "axis",
    6: "component",
}
"""Extent → what a dimension is called; that of positions as that of velocities, if there are as many."""


def arguments(subject: Subject, item: Quantity) -> tuple[Argument, ...]:
    """The state, then gravity, then external wrenches: the order of all generated functions."""
    found = [_input(each, subject.robot) for each in item.inputs]
    if item.gravity and subject.runtime_gravity:
        found.append(
            Argument("gravity", (3,), "m/s^2", "gravity vector in the base frame", dimensions((3,), subject.robot))
        )
    if item.loads:
        found += [_wrench(name, frame, subject.robot) for name, frame in subject.wrenches]
    return tuple(found)


def results(subject: Subject, item: Quantity) -> tuple[Argument, ...]:
    """The arrays that a function returns."""
    return tuple(_output(output, subject.robot) for output in item.outputs)


def _input(given: Input, robot: Robot) -> Argument:
    shape = (given.extent,)
    names = given.dimensions or dimensions(shape, robot)
    unit, is_q = unit_of(given.unit, robot), given.extent == NQ
    return Argument(given.name, numbers(shape, robot), unit, given.meaning, names, is_q)


def _output(made: Output, robot: Robot) -> Argument:
    names = made.dimensions or dimensions(made.shape, robot)
    unit, is_q = unit_of(made.unit, robot), made.shape == (NQ,)
    if made.shape == (CUT_COORDINATES,):
        unit = unit_at_cuts(made.unit, robot)
    return Argument(made.name, numbers(made.shape, robot), unit, made.meaning, names, is_q)


def _wrench(name: str, frame: str, robot: Robot) -> Argument:
    """The wrench that the environment exerts on a frame."""
    meaning = f"moment (3) and force (3) of the environment on frame '{frame}', about its origin, in its axes"
    return Argument(name, (6,), "N m and N", meaning, dimensions((6,), robot))


def numbers(shape: Sequence[Extent], robot: Robot) -> tuple[int, ...]:
    """A shape in numbers."""
    extents = {NQ: robot.nq, NV: len(robot.independent), TREE: robot.nv, ROWS: robot.constraints}
    extents |= {ACTUATED: len(robot.motors), CUTS: len(robot.cut_joints), CUT_COORDINATES: len(robot.cut_coordinates)}
    extents[DEPENDENT] = robot.nv - len(robot.independent)
    return tuple(extents[extent] if isinstance(extent, str) else extent for extent in shape)


def dimensions(shape: Sequence[Extent], robot: Robot) -> tuple[str, ...]:
    """Names of an array's dimensions, all different: joint and joint_2, or row and column where extents say nothing."""
    known = _DIMENSIONS | {NQ: "position" if robot.has_free_joints or robot.has_loops else "joint"}
    names = [known.get(extent, "column" if place else "row") for place, extent in enumerate(shape)]
    counted = [(name, names[:place].count(name)) for place, name in enumerate(names)]
    return tuple(f"{name}_{before + 1}" if before else name for name, before in counted)
