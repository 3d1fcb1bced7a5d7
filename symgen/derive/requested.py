"""The quantities of the functions that are asked for, and the parameters of the regressor's columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symgen.derive.inertial_parameters import inertial_parameters
from symgen.derive.options import Options
from symgen.derive.reactions import indeterminate
from symgen.derive.subject import Subject
from symgen.errors import InputError
from symgen.mechanics.functions import registry
from symgen.mechanics.functions.loops import ASSEMBLY, START, USUAL
from symgen.mechanics.functions.quantity import Quantity
from symgen.mechanics.functions.words import OF_SET
from symgen.mechanics.regressor import parameter_values
from symgen.program.graph import Graph
from symgen.program.module import Parameter, Regressor
from symgen.program.program import Array
from symgen.robot.model import Robot


def requested(subject: Subject, options: Options) -> list[Quantity]:
    """The quantities that are asked for, in order, but for those that base parameters do not determine.

    `InputError` where frames make two functions have one name, and for such a quantity that was asked for by name.
    """
    scope = subject.scope(options.regressor)
    _check_names(subject, list(registry.names(scope)))
    _check_sets(subject.robot, options.functions or ())
    items = list(registry.quantities(scope, _wanted(subject, options)))
    for item in items:
        missing = _missing_text(subject, item)
        if missing and item.is_among(options.functions):
            raise InputError(missing)
    items = [item for item in items if item.is_among(options.functions) or not _is_left_out(subject.robot, item)]
    return [_as_determined(subject, item) for item in items if not _missing_text(subject, item)]


def _is_left_out(robot: Robot, item: Quantity) -> bool:
    """Whether a function is too large to be generated unasked."""
    return robot.has_loops and item.on_request_with_loops


def undetermined(subject: Subject, options: Options) -> list[str]:
    """A line for each function that is left out though robots like this one might have it, and why."""
    items = registry.quantities(subject.scope(options.regressor), _wanted(subject, options))
    texts = [_missing_text(subject, item) for item in items if item.unlooped or subject.robot.has_loops]
    return [text for text in texts if text]


def _wanted(subject: Subject, options: Options) -> tuple[str, ...]:
    """The names of functions; with a step of assembly goes where it starts, if that has a closed form."""
    usual = subject.robot.has_loops and options.functions is None
    wanted = (*options.wanted, *USUAL) if usual else options.wanted
    wanted = (*wanted, *(other for name in wanted for other in registry.beside(name)))
    starts = ASSEMBLY in wanted and subject.robot.has_loops and subject.plan.steps
    return tuple(dict.fromkeys((*wanted, START))) if starts else wanted


def _missing_text(subject: Subject, item: Quantity) -> str:
    """Why the robot does not have a function, if it does not."""
    name, robot = item.name, subject.robot
    if robot.has_loops and not item.looped:
        return f"{robot.name}: {name} cannot be generated: it is not known for robots with loops; leave {name} out"
    if not robot.has_loops and not item.unlooped:
        return f"{robot.name}: {name} cannot be generated: only robots with loops have it; leave {name} out"
    if item.kind == START and not subject.plan.steps:
        return (
            f"{robot.name}: {name} cannot be generated: no joint of its loops follows from the independent ones in "
            f"closed form; leave {name} out: assemble does without it"
        )
    if item.redundant and not robot.motors:
        return (
            f"{robot.name}: {name} cannot be generated: only robots with more actuators than freedoms have it (in the "
            f"robot's file, name some of `actuated` in `independent` too); leave {name} out"
        )
    if item.of_cuts and not robot.cut_coordinates:
        return (
            f"{robot.name}: {name} cannot be generated: none of its cut joints has coordinates, as revolute, "
            f"prismatic, cylindrical, universal, planar and inline ones have; leave {name} out"
        )
    if not item.at_cuts and robot.has_cut_drives:
        return (
            f"{robot.name}: {name} cannot be generated: it does not know friction and springs at cut joints; "
            f"leave them or {name} out"
        )
    if robot.has_loops and item.reacting:
        text = indeterminate(robot, subject.plan)
        if text:
            return f"{robot.name}: {name} cannot be generated: {text}, or leave {name} out"
    return "" if subject.base is None or item.grouped else _undetermined_text(subject, name)


def _undetermined_text(subject: Subject, function: str) -> str:
    return (
        f"{subject.robot.name}: {function} cannot be generated: base inertial parameters do not determine it, since it "
        f"depends on inertia that acts on no joint; take other parameters than the base ones, or leave {function} out"
    )


def _as_determined(subject: Subject, item: Quantity) -> Quantity:
    """A quantity, as far as the parameters determine it, in the words that suit the robot."""
    summary = item.summary if subject.base is None else item.summary_of_base or item.summary
    if subject.robot.has_loops and item.note_of_loops:
        summary = f"{summary} {item.note_of_loops}"
    return item if summary == item.summary else replace(item, summary=summary)


def _check_sets(robot: Robot, functions: Sequence[str]) -> None:
    """`InputError` for functions of contact sets that the robot does not have."""
    for asked in functions:
        name, _, contacts = asked.partition(OF_SET)
        if name not in registry.of_each_contact():
            continue
        if not robot.contacts:
            raise InputError(
                f"{robot.name}: {name} is a function of contact sets, and this robot has none; name loops that are "
                'closed at some times alone in its file, such as [contacts] stance = ["left", "right"]'
            )
        if contacts and contacts not in robot.contact_loops:
            known = ", ".join(robot.contact_loops)
            raise InputError(f"{robot.name}: no contact set is called {contacts[:60]!r}; there are: {known}")


def _check_names(subject: Subject, known: list[tuple[str, str]]) -> None:
    """`InputError` where a frame's suffix makes a function's name that of another."""
    names, kinds = [name for name, _ in known], [kind for _, kind in known]
    for name, kind in known:
        if names.count(name) > 1 or (name != kind and name in kinds):
            frames = ", ".join(frame for frame, _ in subject.frames)
            *others, last = registry.of_each_frame()
            raise InputError(
                f"{subject.robot.name}: two functions would be called {name} with the frames {frames}; rename a frame: "
                f"its name becomes a suffix of {', '.join(others)} and {last}"
            )


def regressor_of(subject: Subject, items: list[Quantity]) -> Regressor | None:
    """The parameters that the columns of a function's result belong to, if there is such a function."""
    kind = next((item.columns for item in items if item.columns), None)
    if kind is None:
        return None
    graph = Graph()
    found = subject.base
    if found is None:
        found = inertial_parameters(
            subject.robot, kind, symbols=subject.symbols, runtime_gravity=subject.runtime_gravity
        )
    values = parameter_values(subject.mechanism(graph), kind)
    return Regressor(
        kind=kind,
        columns=tuple((item.number, item.stem) for item in found),
        parameters=tuple(Parameter(item.name, item.value, item.unit, item.text) for item in found),
        values=graph.program((), [(Array("parameters", (len(values),)), values)]),
    )
