"""Robot → Module: derives and optimises the program of every requested function.

This is the first half of the corridor: robot ─► mechanics ─► program ─► passes. What a header says of the robot is
collected here too, since the rooms behind know no robots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symgen.algebra.prime import PrimeField
from symgen.errors import InputError
from symgen.mechanics.factorization import ZeroPivotError
from symgen.mechanics.mechanism import instantiate
from symgen.mechanics.quantities import QUANTITIES, Formulation, Quantity, quantity
from symgen.passes.pipeline import Step, optimise
from symgen.program.counts import count
from symgen.program.fingerprint import radicands
from symgen.program.graph import Graph
from symgen.program.module import Argument, Function, JointRecord, Module, Record
from symgen.program.program import Array, Program
from symgen.robot.model import BASE, Joint, JointKind, Link, Robot
from symgen.robot.symbolic import with_symbols
from symgen.version import __version__

FUNCTION_NAMES: tuple[str, ...] = tuple(item.name for item in QUANTITIES)
"""Names of all functions, in the order in which they are generated."""

FORWARD_DYNAMICS = ("auto", "udu", "aba")
"""Choices of the forward dynamics algorithm; auto takes the cheaper one by count."""

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """What is derived, and how.

    `functions`: names, in any order (None: all that the robot admits). `forward_dynamics`: one of `FORWARD_DYNAMICS`.
    `symbolic`: parameters and table entries stay symbols instead of being baked in.
    """

    functions: tuple[str, ...] | None = None
    forward_dynamics: str = "auto"
    symbolic: bool = False


@dataclass(frozen=True)
class Derivation:
    """A derived module, and for every function the counts after each group of passes."""

    module: Module
    steps: dict[str, tuple[Step, ...]]
    notices: tuple[str, ...]


def derive(robot: Robot, options: Options | None = None, progress: Progress | None = None) -> Derivation:
    """The module of `robot`.

    Raises `InputError` for unknown functions, and for forward dynamics of a robot with a joint without inertia, if
    that was asked for by name; otherwise a notice says why it is left out.
    """
    options = options or Options()
    report = progress or (lambda text: None)
    names = _ordered(options)
    subject = with_symbols(robot) if options.symbolic else robot
    functions: list[Function] = []
    steps: dict[str, tuple[Step, ...]] = {}
    notices: list[str] = []
    for name in names:
        report(f"deriving {name}")
        try:
            function, steps[name] = _function(subject, quantity(name), options)
        except ZeroPivotError as error:
            text = _singular_text(robot, error.joint)
            if options.functions is not None:
                raise InputError(text) from None
            notices.append(text)
        else:
            functions.append(function)
    return Derivation(Module(robot.name, tuple(functions), record(robot)), steps, tuple(notices))


def _ordered(options: Options) -> list[str]:
    wanted = options.functions if options.functions is not None else FUNCTION_NAMES
    unknown = [name for name in wanted if name not in FUNCTION_NAMES]
    if unknown or not wanted:
        found = f"unknown function {unknown[0][:60]!r}" if unknown else "no function was asked for"
        raise InputError(f"{found}; there are: {', '.join(FUNCTION_NAMES)}")
    if options.forward_dynamics not in FORWARD_DYNAMICS:
        raise InputError(
            f"unknown forward dynamics algorithm {options.forward_dynamics[:60]!r}; "
            f"there are: {', '.join(FORWARD_DYNAMICS)}"
        )
    return [name for name in FUNCTION_NAMES if name in wanted]


def _singular_text(robot: Robot, joint: int) -> str:
    name = robot.joints[joint].name
    return (
        f"{robot.name}: forward_dynamics cannot be generated: the inertia of joint {joint + 1} ({name}) vanishes: no "
        f"mass or inertia between it and the joints beyond resists its motion, so its acceleration is not determined; "
        f"give a link there mass or inertia, or leave forward_dynamics out"
    )


# functions -----------------------------------------------------------------------------------------


def _function(robot: Robot, item: Quantity, options: Options) -> tuple[Function, tuple[Step, ...]]:
    formulation, program, steps = _cheapest(robot, item, options)
    n = robot.nv
    function = Function(
        name=item.name,
        summary=item.summary,
        formulation=formulation.text,
        inputs=tuple(_argument(name, (n,), robot) for name in item.inputs),
        outputs=(_argument(item.output, (n, n) if item.matrix else (n,), robot),),
        program=program,
    )
    return function, steps


PASSES_SAVE = 0.25
"""No program was seen to lose more than this share of its operations in the passes."""


def _cheapest(robot: Robot, item: Quantity, options: Options) -> tuple[Formulation, Program, tuple[Step, ...]]:
    """The formulation that costs least after the passes; those that start far behind are not optimised."""
    derived = [
        (formulation, _program(robot, item, formulation, symbolic=options.symbolic))
        for formulation in _formulations(item, options)
    ]
    derived.sort(key=lambda candidate: count(candidate[1]).total)
    best: tuple[Formulation, Program, tuple[Step, ...]] | None = None
    for formulation, program in derived:
        if best is not None and count(program).total * (1 - PASSES_SAVE) > count(best[1]).total:
            continue
        optimised, steps = _optimised(robot, formulation, program, options)
        if best is None or count(optimised).total < count(best[1]).total:
            best = formulation, optimised, steps
    assert best is not None
    return best


def _optimised(
    robot: Robot, formulation: Formulation, program: Program, options: Options
) -> tuple[Program, tuple[Step, ...]]:
    """The program after the passes; `ZeroPivotError` where it divides by what is zero without looking like it."""
    try:
        return optimise(program)
    except ZeroDivisionError:
        field = PrimeField(radicands(program))
        formulation.derive(instantiate(robot, field, symbolic=options.symbolic))
        raise


def _formulations(item: Quantity, options: Options) -> Sequence[Formulation]:
    if item.name != "forward_dynamics" or options.forward_dynamics == "auto":
        return item.formulations
    return [f for f in item.formulations if f.name == options.forward_dynamics]


def _program(robot: Robot, item: Quantity, formulation: Formulation, *, symbolic: bool) -> Program:
    graph = Graph()
    entries = formulation.derive(instantiate(robot, graph, symbolic=symbolic))
    n = robot.nv
    inputs = [Array(name, (robot.nq if name == "q" else n,)) for name in item.inputs]
    return graph.program(inputs, [(Array(item.output, (n, n) if item.matrix else (n,)), entries)])


_MEANINGS = {
    "q": ("joint positions", "position"),
    "qd": ("joint velocities", "velocity"),
    "qdd": ("joint accelerations", "acceleration"),
    "tau": ("joint forces, about or along the joint axes", "force"),
    "inertia": ("generalized inertia matrix", "inertia"),
    "h": ("convective inertia forces", "force"),
    "g": ("gravity forces", "force"),
    "bias": ("convective inertia and gravity forces", "force"),
}

_UNITS = {
    "position": ("rad", "m"),
    "velocity": ("rad/s", "m/s"),
    "acceleration": ("rad/s^2", "m/s^2"),
    "force": ("N m", "N"),
    "inertia": ("kg m^2", "kg m^2, kg m or kg"),
}


def _argument(name: str, shape: tuple[int, ...], robot: Robot) -> Argument:
    meaning, kind = _MEANINGS[name]
    angular, linear = _UNITS[kind]
    kinds = {joint.kind for joint in robot.joints}
    if kinds == {JointKind.REVOLUTE}:
        unit = angular
    elif kinds == {JointKind.PRISMATIC}:
        unit = "kg" if kind == "inertia" else linear
    else:
        unit = linear if kind == "inertia" else f"{angular} (revolute) or {linear} (prismatic)"
    return Argument(name, shape, unit, meaning)


# what a header says of the robot ---------------------------------------------------------------------


def record(robot: Robot) -> Record:
    """The text and numbers that a generated header holds about `robot`."""
    gravity = ", ".join(str(entry) for entry in robot.gravity)
    return Record(
        robot=robot.name,
        description=robot.description,
        source=robot.source,
        convention=robot.convention,
        joints=tuple(_joint_record(joint) for joint in robot.joints),
        nq=robot.nq,
        nv=robot.nv,
        gravity=f"({gravity}) m/s^2 in the base frame",
        table=tuple(_table_line(robot, index, link) for index, link in enumerate(robot.links)),
        generator=f"symgen {__version__}",
    )


def _joint_record(joint: Joint) -> JointRecord:
    index = 0 if joint.kind is JointKind.REVOLUTE else 1
    units = (_UNITS[kind][index] for kind in ("position", "velocity", "force"))
    return JointRecord(joint.name, joint.kind.value, *units)


def _table_line(robot: Robot, index: int, link: Link) -> str:
    parts = [f"{index + 1:2d} {link.name}: {link.joint.kind.value}"]
    if link.parent != index - 1:
        parts.append("on " + ("base" if link.parent == BASE else robot.links[link.parent].name))
    if link.row is not None:
        row = link.row
        along = "b" if robot.convention == "standard" else "d"
        entries = [
            ("gamma", row.gamma),
            ("before", row.before),
            ("a", row.a),
            ("alpha", row.alpha),
            (along, row.b),
        ]
        entries += [("theta", row.theta), ("offset", link.joint.offset)]
        parts += [f"{name} = {value}" for name, value in entries if not value.is_zero]
    parts.append("massless" if link.inertia.is_massless else f"mass = {link.inertia.mass}")
    return ", ".join(parts)
