"""The variables of a robot's FMU: scalars in the order of their value references, which are places in one array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from symgen.derive.derivation import Derivation
from symgen.derive.setting import setting_of
from symgen.errors import InputError, LimitError
from symgen.program.module import CONSTANTS, MASS, Argument, Function, Module
from symgen.robot.model import Robot
from symgen.verify.oracle import Oracle

DYNAMICS = "forward_dynamics"
"""The function that every FMU needs."""

RESULTS = ("forward_kinematics", "kinetic_energy", "potential_energy")
"""Functions whose results are outputs of an FMU, where the module has them."""

TIME, STATES, RATES, INPUTS, PARAMETERS, OUTPUTS = "TIME", "STATES", "RATES", "INPUTS", "PARAMETERS", "RESULTS"
"""Groups of variables, in order, by the names of their first places in C."""

_POSE_ROWS = 12
"""Entries of a pose before its last row, which is 0 0 0 1."""


@dataclass(frozen=True)
class Variable:
    """A scalar: `start` is None where it is computed; `state` is the place of the state whose rate it is.

    `again`: whether an event may set it anew.
    """

    group: str
    name: str
    unit: str
    meaning: str
    start: float | None = None
    least: float | None = None
    state: int | None = None
    again: bool = False


@dataclass(frozen=True)
class Layout:
    """Variables by value reference, and the first place of each array that functions take or give."""

    variables: tuple[Variable, ...]
    places: dict[str, int]
    results: tuple[Function, ...]

    def first(self, group: str) -> int:
        """The place where a group begins, or would."""
        order = (TIME, STATES, RATES, INPUTS, PARAMETERS, OUTPUTS)
        return sum(order.index(variable.group) < order.index(group) for variable in self.variables)


def layout_of(robot: Robot, derivation: Derivation) -> Layout:
    """The variables of what was derived from `robot`.

    Raises:
        InputError: the module has no forward dynamics, functions an FMU cannot use, float32, or packed results.
        LimitError: the robot has loops.
    """
    module = derivation.module
    _check(module)
    names = {argument.name for function in module.functions for argument in function.inputs}
    gravity = _gravity(robot, derivation) if "gravity" in names else ()
    groups = [
        ("TIME", [Variable(TIME, "time", "s", "time")]),
        ("Q", list(_positions(module))),
        ("QD", list(_velocities(module))),
        ("RATES", list(_rates(module))),
        ("tau", list(_forces(module))),
        *((wrench.name, list(_wrench(wrench))) for wrench in _wrenches(module)),
        ("gravity", [_gravity_entry(axis, value) for axis, value in zip("xyz", gravity, strict=False)]),
        ("parameters", list(_parameters(module))),
    ]
    results = tuple(function for function in module.functions if function.kind in RESULTS)
    groups += [(output.name, list(_outputs(output))) for function in results for output in function.outputs]
    places: dict[str, int] = {}
    variables: list[Variable] = []
    for name, group in groups:
        places[name] = len(variables)
        variables += group
    return Layout(tuple(variables), places, results)


def _check(module: Module) -> None:
    """What an FMU cannot be made of."""
    robot = module.record.robot
    if module.record.loops:
        raise LimitError(
            f"{robot}: an FMU needs independent states, and positions of a robot with loops are not: they would drift "
            "from closed loops; simulate it with `symgen simulate`, or generate it with --loops open"
        )
    if module.real != "float64":
        raise InputError(f"{robot}: an FMU computes in double precision, found {module.real}; leave out --real")
    kinds = {function.name: function.kind for function in module.functions}
    if DYNAMICS not in kinds:
        raise InputError(f"{robot}: an FMU needs {DYNAMICS}; expected it among the functions, found {', '.join(kinds)}")
    useless = [name for name, kind in kinds.items() if kind not in (DYNAMICS, *RESULTS)]
    if useless:
        raise InputError(
            f"{robot}: an FMU has no use for {', '.join(useless)}; expected {DYNAMICS} and any of {', '.join(RESULTS)}"
        )
    packed = [f.name for f in module.functions for output in f.outputs if output.pattern is not None]
    if packed:
        raise InputError(f"{robot}: an FMU has whole poses, found a packed result of {packed[0]}; leave out --packed")


def _positions(module: Module) -> Iterator[Variable]:
    quaternions = {joint.q + place for joint in module.record.free for place in joint.quaternion}
    for place, position in enumerate(module.record.positions):
        again = place in quaternions
        yield Variable(
            STATES, f"q.{position.name}", position.unit, "joint position", start=position.neutral, again=again
        )


def _velocities(module: Module) -> Iterator[Variable]:
    for joint in module.record.joints:
        yield Variable(STATES, f"qd.{joint.name}", joint.velocity_unit, "joint velocity", start=0.0)


def _rates(module: Module) -> Iterator[Variable]:
    states = [*_positions(module), *_velocities(module)]
    for place, state in enumerate(states, start=1):
        unit = "1/s" if state.unit == "1" else state.unit.removesuffix("/s") + ("/s^2" if "/s" in state.unit else "/s")
        yield Variable(RATES, f"der({state.name})", unit, f"rate of {state.name}", state=place)


def _forces(module: Module) -> Iterator[Variable]:
    for joint in module.record.joints:
        yield Variable(INPUTS, f"tau.{joint.name}", joint.force_unit, f"joint {joint.effort}", start=0.0)


def _wrenches(module: Module) -> Sequence[Argument]:
    """Arguments of forward dynamics that are external wrenches."""
    known = ("q", "qd", "tau", "gravity", CONSTANTS)
    return [argument for argument in module.function(DYNAMICS).inputs if argument.name not in known]


def _wrench(argument: Argument) -> Iterator[Variable]:
    for part, unit in (("n", "N m"), ("f", "N")):
        for axis in "xyz":
            yield Variable(INPUTS, f"{argument.name}.{part}{axis}", unit, argument.meaning, start=0.0)


def _gravity(robot: Robot, derivation: Derivation) -> Sequence[float]:
    """The robot's own gravity, with parameters at their defaults."""
    module = derivation.module
    subject = derivation.subject.robot if module.parameters else robot
    values = {parameter.name: parameter.default for parameter in module.parameters}
    return [float(value) for value in Oracle(subject, values, setting_of(derivation).base).gravity]


def _gravity_entry(axis: str, value: float) -> Variable:
    return Variable(PARAMETERS, f"gravity.{axis}", "m/s^2", "gravity vector in the base frame", start=value)


def _parameters(module: Module) -> Iterator[Variable]:
    for parameter in module.parameters:
        least = 0.0 if parameter.kind == MASS else None
        name = f"parameters.{parameter.name}"
        yield Variable(PARAMETERS, name, parameter.unit, parameter.meaning, parameter.default, least)


def _outputs(output: Argument) -> Iterator[Variable]:
    """A pose row by row without its last row, or an energy."""
    if not output.shape:
        yield Variable(OUTPUTS, output.meaning.replace(" ", "_"), output.unit, output.meaning)
        return
    for place in range(_POSE_ROWS):
        row, column = divmod(place, 4)
        unit = "m" if column == 3 else "1"
        yield Variable(OUTPUTS, f"{output.name}[{row + 1},{column + 1}]", unit, output.meaning)
