"""What headers and docstrings say of a robot and of arguments: words and units, collected from the robot."""

from __future__ import annotations

from symgen.program.module import Argument, JointRecord, Record
from symgen.robot.joints import ANGLE, LENGTH, Measure
from symgen.robot.model import BASE, JointCoordinate, Link, Robot
from symgen.version import __version__

_STATE = {
    "q": ("joint positions", "position"),
    "qd": ("joint velocities", "velocity"),
    "qdd": ("joint accelerations", "acceleration"),
    "tau": ("joint forces, about or along the joint axes", "force"),
}

_UNITS = {
    "position": (ANGLE.position, LENGTH.position),
    "velocity": (ANGLE.velocity, LENGTH.velocity),
    "acceleration": (ANGLE.acceleration, LENGTH.acceleration),
    "force": (ANGLE.force, LENGTH.force),
    "inertia": ("kg m^2", "kg"),
    "stiffness": ("N m/rad", "N/m"),
    "damping": ("N m s/rad", "N s/m"),
    "mobility": ("1/(kg m^2)", "1/kg"),
    "ratio": ("1", "1"),
    "slope": ("1/s^2", "1/s^2"),
    "rate": ("1/s", "1/s"),
    "per_parameter": ("N m per unit of the parameter", "N per unit of the parameter"),
}

_FIXED_UNITS = {
    "energy": "J",
    "pose": "1 and m",
    "jacobian": "SI",
    "jacobian_rate": "SI/s",
    "twist_rate": "rad/s^2 and m/s^2",
}

_MIXED = {
    "inertia": "kg m^2, kg m or kg",
    "stiffness": "N m/rad to N/m, by the joints",
    "damping": "N m s/rad to N s/m, by the joints",
    "mobility": "1/(kg m^2) to 1/kg, by the joints",
    "ratio": "1, m or 1/m, by the joints",
    "slope": "1/s^2, m/(rad s^2) or rad/(m s^2), by the joints",
    "rate": "1/s, m/(rad s) or rad/(m s), by the joints",
    "per_parameter": "N m or N, by the joints, per unit of the parameter",
}


def argument(name: str, shape: tuple[int, ...], unit: str | None, meaning: str | None, robot: Robot) -> Argument:
    """An argument with its unit for this robot; an array of the state says by its name what it is."""
    if meaning is None or unit is None:
        meaning, unit = _STATE[name]
    return Argument(name, shape, unit_of(unit, robot), meaning)


def unit_of(kind: str, robot: Robot) -> str:
    """The unit of a kind of quantity for this robot's joints; words that are no kind are the unit itself."""
    if kind in _FIXED_UNITS:
        return _FIXED_UNITS[kind]
    if kind not in _UNITS:
        return kind
    angular, linear = _UNITS[kind]
    measured = {each.measure for each in robot.velocities}
    if measured == {ANGLE}:
        return angular
    if measured == {LENGTH}:
        return linear
    return _MIXED.get(kind, f"{angular} ({_kinds(robot, ANGLE)}) or {linear} ({_kinds(robot, LENGTH)})")


def _kinds(robot: Robot, measure: Measure) -> str:
    """The kinds of joints, or what is theirs of several coordinates, that have this measure, in words."""
    words = {
        f"{joint.kind.value}: {coordinate.name}" if coordinate.name else joint.kind.value: None
        for joint in robot.joints
        for coordinate in joint.kind.coordinates
        if coordinate.measure == measure
    }
    return ", ".join(words)


def wrench_argument(name: str, frame: str) -> Argument:
    """The wrench that the environment exerts on a frame."""
    meaning = f"moment (3) and force (3) of the environment on frame '{frame}', about its origin, in its axes"
    return Argument(name, (6,), "N m and N", meaning)


def record(robot: Robot) -> Record:
    """The text and numbers that a generated header holds about `robot`."""
    gravity = ", ".join(str(entry) for entry in robot.gravity)
    return Record(
        robot=robot.name,
        description=robot.description,
        source=robot.source,
        convention=robot.convention,
        joints=tuple(map(_joint_record, robot.velocities)),
        nq=robot.nq,
        nv=robot.nv,
        gravity=f"({gravity}) m/s^2 in the base frame",
        table=tuple(_table_line(robot, index, link) for index, link in enumerate(robot.links)),
        generator=f"symgen {__version__}",
    )


def entry_unit(name: str, index: int, robot: Robot) -> str:
    """The unit of an entry of q, qd, qdd or tau."""
    unit: str = getattr(robot.velocities[index].measure, _STATE[name][1])
    return unit


def _joint_record(each: JointCoordinate) -> JointRecord:
    measure = each.measure
    return JointRecord(
        name=each.name,
        kind=each.joint.kind.value,
        position_unit=measure.position,
        velocity_unit=measure.velocity,
        force_unit=measure.force,
        effort=measure.effort,
        move=measure.move,
    )


def _table_line(robot: Robot, index: int, link: Link) -> str:
    parts = [f"{index + 1:2d} {link.name}: {link.joint.kind.value}"]
    if link.parent != index - 1:
        parts.append("on " + ("base" if link.parent == BASE else robot.links[link.parent].name))
    if link.row is not None:
        row = link.row
        along = "b" if robot.convention == "standard" else "d"
        entries = [("gamma", row.gamma), ("before", row.before), ("a", row.a), ("alpha", row.alpha), (along, row.b)]
        entries += [("theta", row.theta), ("offset", link.joint.offset)]
        entries += [(key, getattr(link.joint, key)) for key in link.joint.kind.keys]
        parts += [f"{name} = {value}" for name, value in entries if not value.is_zero]
    if link.joint.direction < 0:
        parts.append("direction = -1")
    parts.append("massless" if link.inertia.is_massless else f"mass = {link.inertia.mass}")
    drive = link.joint.drive
    entries = [("rotor", drive.rotor_inertia), ("viscous", drive.viscous), ("coulomb", drive.coulomb)]
    parts += [f"{name} = {value}" for name, value in entries if not value.is_zero]
    return ", ".join(parts)
