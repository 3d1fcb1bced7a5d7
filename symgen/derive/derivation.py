"""Robot → Module: derives and optimises the program of every requested function.

This is the first half of the corridor: robot ─► mechanics ─► program ─► passes. What is asked for is in `subject` and
`requested`, how a function is derived in `function`, and what a header says of the robot in `records`, since the rooms
behind know no robots.
"""

from __future__ import annotations

from dataclasses import replace

from symgen.derive.assembly import assembly_of
from symgen.derive.collection import without_cycles
from symgen.derive.function import derived_function
from symgen.derive.inertial_parameters import BASE_NOTE
from symgen.derive.loop_branches import on_branches
from symgen.derive.options import SYMBOLIC, Choice, Options
from symgen.derive.outcome import Derivation, Derived, Progress
from symgen.derive.records import record
from symgen.derive.requested import regressor_of, requested, undetermined
from symgen.derive.search import Search
from symgen.derive.subject import Subject, subject_of
from symgen.errors import InputError
from symgen.mechanics.factorization import ZeroPivotError
from symgen.mechanics.loops.contacts import DependentRowsError
from symgen.mechanics.mass_centre import MasslessError
from symgen.passes.pipeline import Step, optimise
from symgen.program.hoist import hoist
from symgen.program.module import CONSTANTS, Argument, Function, Module
from symgen.program.orders import in_order
from symgen.program.sparsity import packed
from symgen.robot.model import Robot

__all__ = ["Derivation", "Options", "Progress", "Subject", "asked", "derive"]


@without_cycles()
def derive(
    robot: Robot, options: Options | None = None, progress: Progress | None = None, derived: Derived | None = None
) -> Derivation:
    """The module of `robot`; `derived` is told of functions before, but for those whose programs may still change.

    Raises `InputError` for unknown frames and parameters, and for functions that a joint without inertia, a robot
    without mass or base parameters do not admit, if they were asked for by name; otherwise a notice says why they are
    left out.
    """
    options = options or Options()
    report = progress or (lambda text: None)
    robot = on_branches(robot)
    subject = subject_of(robot, options)
    search = Search(subject, options.effort, far=subject.in_normal_form is not robot)
    functions: list[Function] = []
    steps: dict[str, tuple[Step, ...]] = {}
    choices: dict[str, Choice] = {}
    items = requested(subject, options)
    told = record(robot)
    hoists = bool(subject.parameters) and options.parameters != SYMBOLIC
    notices = undetermined(subject, options)
    for item in items:
        report(f"deriving {item.name}")
        try:
            function, steps[item.name], choices[item.name] = derived_function(subject, item, options, search)
        except (ZeroPivotError, MasslessError, DependentRowsError) as error:
            text = _singular_text(robot, item.name, error)
            if item.is_among(options.functions):
                raise InputError(text) from None
            notices.append(text)
        else:
            functions.append(function)
            if derived is not None and not hoists:
                derived(in_order(Module(robot.name, (function,), told, options.real), options.quaternion))
    module = Module(
        robot.name,
        tuple(functions),
        told,
        options.real,
        regressor=regressor_of(subject, items),
        assembly=assembly_of(subject, functions, options.real),
    )
    if hoists:
        module = _with_parameters(module, subject)
    module = in_order(module, options.quaternion)
    if options.packed:
        module = packed(module)
    return Derivation(lambda: subject, module, steps, tuple(notices), choices)


def asked(robot: Robot, options: Options) -> Subject:
    """What `derive` derives the module of; its errors are those of `derive` that need no derivation."""
    return subject_of(on_branches(robot), options)


def _singular_text(robot: Robot, function: str, error: ZeroPivotError | MasslessError | DependentRowsError) -> str:
    if isinstance(error, DependentRowsError):
        return (
            f"{robot.name}: {function} cannot be generated: indeterminate multipliers: the contact set "
            f"{error.contacts!r} holds {error.rows} components of velocities, of which {error.rank} are independent, "
            f"and how contacts share the load is open; let its loops hold less, take some out, or leave {function} out"
        )
    if isinstance(error, MasslessError):
        return (
            f"{robot.name}: {function} cannot be generated: the links that joints carry have no mass, so there is no "
            f"centre of mass; give a link mass, or leave {function} out"
        )
    joint = error.joint
    name = robot.independent_velocities[joint].name
    return (
        f"{robot.name}: {function} cannot be generated: the inertia of joint {joint + 1} ({name}) vanishes: no "
        f"mass or inertia between it and the joints beyond resists its motion, so its acceleration is not determined; "
        f"give a link there mass or inertia, or leave {function} out"
    )


# run-time parameters -------------------------------------------------------------------------------


def _with_parameters(module: Module, subject: Subject) -> Module:
    """The module with what depends on parameters alone moved into `init`."""
    init, programs = hoist([function.program for function in module.functions], subject.symbols, CONSTANTS)
    init, _ = optimise(init)
    constants = Argument(CONSTANTS, init.outputs[0][0].shape, "", "what init made of the parameters")
    functions = tuple(
        replace(function, program=program, inputs=(*function.inputs, constants))
        if any(array.name == CONSTANTS for array in program.inputs)
        else function
        for function, program in zip(module.functions, programs, strict=True)
    )
    note = BASE_NOTE if subject.base is not None else ""
    return replace(module, functions=functions, parameters=subject.parameters, parameters_note=note, init=init)
