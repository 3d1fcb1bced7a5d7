"""Units of quantities that belong to joints: they depend on whether these turn or slide."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from symgen.robot.joints import ANGLE, LENGTH, QUATERNION, JointKind, Measure
from symgen.robot.model import Robot


@dataclass(frozen=True)
class Unit:
    """A unit where joints turn and where they slide; `mixed` says in words what it is in a robot with both.

    Without `mixed` the kinds of joints are named with the unit of each.
    """

    turning: str
    sliding: str
    mixed: str = ""

    def of(self, measure: Measure) -> str:
        """The unit of an entry that belongs to a coordinate."""
        return self.turning if measure == ANGLE else self.sliding


POSITION = Unit(ANGLE.position, LENGTH.position)
VELOCITY = Unit(ANGLE.velocity, LENGTH.velocity)
ACCELERATION = Unit(ANGLE.acceleration, LENGTH.acceleration)
FORCE = Unit(ANGLE.force, LENGTH.force)
INERTIA = Unit("kg m^2", "kg", "kg m^2, kg m or kg")
STIFFNESS = Unit("N m/rad", "N/m", "N m/rad to N/m, by the joints")
DAMPING = Unit("N m s/rad", "N s/m", "N m s/rad to N s/m, by the joints")
MOBILITY = Unit("1/(kg m^2)", "1/kg", "1/(kg m^2) to 1/kg, by the joints")
RATIO = Unit("1", "1", "1, m or 1/m, by the joints")
PER_PARAMETER = Unit(
    "N m per unit of the parameter",
    "N per unit of the parameter",
    "N m or N, by the joints, per unit of the parameter",
)
ENERGY = "J"
POSE = "1 and m"
JACOBIAN = "SI"
MOMENTUM = "kg m^2/s and kg m/s"
WRENCH = "N m and N"


def entry_unit(unit: Unit | str, measure: Measure) -> str:
    """The unit of an entry that belongs to a coordinate; a text is the unit itself."""
    return unit if isinstance(unit, str) else unit.of(measure)


def unit_of(unit: Unit | str, robot: Robot) -> str:
    """The unit for this robot's joints; a text is the unit itself."""
    if isinstance(unit, str):
        return unit
    if unit is POSITION and robot.has_free_joints:
        units = dict.fromkeys(each.position.unit for each in robot.positions)
        return " or ".join(f"{name} ({_entries(robot, name)})" for name in units)
    measured = {each.measure for each in robot.velocities}
    if len(measured) == 1:
        return unit.of(*measured)
    return unit.mixed or f"{unit.turning} ({_kinds(robot, ANGLE)}) or {unit.sliding} ({_kinds(robot, LENGTH)})"


def unit_at_cuts(unit: Unit | str, robot: Robot) -> str:
    """The unit of what belongs to the coordinates of this robot's cut joints."""
    return " or ".join(dict.fromkeys(entry_unit(unit, each.measure) for _, each, _ in robot.cut_coordinates))


def _kinds(robot: Robot, measure: Measure) -> str:
    """The kinds of joints, or what is theirs of several coordinates, that have this measure, in words."""
    return _words(
        (joint.kind, coordinate.name)
        for joint in robot.joints
        for coordinate in joint.kind.coordinates
        if coordinate.measure == measure
    )


def _entries(robot: Robot, unit: str) -> str:
    """The kinds of joints, or what is theirs of several entries of q, that have this unit, in words."""
    entries = ((joint.kind, position) for joint in robot.joints for position in joint.kind.positions)
    return _words(
        (kind, "quaternion" if position in QUATERNION else position.name)
        for kind, position in entries
        if position.unit == unit
    )


def _words(found: Iterable[tuple[JointKind, str]]) -> str:
    """Kinds with the names of what is theirs: floating: x y z, revolute."""
    names: dict[JointKind, dict[str, None]] = {}
    for kind, name in found:
        names.setdefault(kind, {})[name] = None
    return ", ".join(f"{kind.value}: {' '.join(own)}" if "" not in own else kind.value for kind, own in names.items())
