"""What headers and docstrings say of a robot: words and numbers, collected from it."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from symgen.program.module import FreeJoint, JointRecord, LimitRecord, PositionRecord, Record
from symgen.robot.model import BASE, Drive, JointCoordinate, Link, Robot
from symgen.version import __version__

SHORT = 0.05
"""The usual move of a robot with loops beside that of an arm, whose joints go anywhere."""


def record(robot: Robot) -> Record:
    """The text and numbers that a generated header holds about `robot`."""
    gravity = ", ".join(str(entry) for entry in robot.gravity)
    return Record(
        robot=robot.name,
        description=robot.description,
        source=robot.source,
        convention=robot.convention,
        joints=tuple(map(_joint_record, robot.independent_velocities)),
        positions=tuple(_positions(robot)),
        free=tuple(_free_joints(robot)),
        gravity=f"({gravity}) m/s^2 in the base frame",
        table=tuple(_table_line(robot, index, link) for index, link in enumerate(robot.links)),
        generator=f"symgen {__version__}",
        limits=tuple(_limits(robot)),
        loops=tuple(_loops(robot)) if robot.has_loops else (),
        independent=independent_places(robot) if robot.has_loops else (),
        actuated=robot.motors,
        cut_coordinates=tuple(f"{name}, {each.measure.position}" for name, each, _ in robot.cut_coordinates),
    )


def _joint_record(each: JointCoordinate) -> JointRecord:
    measure = each.measure
    return JointRecord(
        name=each.name,
        kind=each.joint.kind.value,
        position_unit=measure.position,
        velocity_unit=measure.velocity,
        force_unit=measure.force,
        effort=measure.effort,
    )


def _positions(robot: Robot) -> Iterator[PositionRecord]:
    """The entries of q; with loops, their values in the robot's posture and a short move from there."""
    places = independent_places(robot)
    for index, (each, near) in enumerate(zip(robot.positions, robot.near, strict=True)):
        move = each.position.move
        if robot.has_loops:
            move = SHORT * move if index in places else 0.0
        yield PositionRecord(each.name, each.joint.kind.value, each.position.unit, near, move)


_LIMITS = {
    "lower": ("least position", -inf),
    "upper": ("greatest position", inf),
    "velocity": ("greatest velocity, either way", inf),
    "effort": ("greatest force, either way", inf),
}
"""Limit → what it is, and the value where there is none."""


def _limits(robot: Robot) -> Iterator[LimitRecord]:
    """The kinds of limits that any joint has; only joints of one coordinate have limits."""
    for name, (meaning, none) in _LIMITS.items():
        given = {joint.name: getattr(joint.limits, name) for joint in robot.joints}
        if any(value is not None for value in given.values()):
            entries = robot.positions if name in ("lower", "upper") else robot.independent_velocities
            known = (given[entry.joint.name] for entry in entries)
            values = (none if value is None else float(value.constant(robot.defaults)) for value in known)
            yield LimitRecord(name, meaning, tuple(values))
    for name, (meaning, none) in _LIMITS.items():
        found = [getattr(cut.limits, name) for _, _, cut in robot.cut_coordinates]
        if any(value is not None for value in found):
            values = (none if value is None else float(value.constant(robot.defaults)) for value in found)
            yield LimitRecord(f"cut_{name}", f"{meaning}, of the coordinates of cut joints", tuple(values))


def _free_joints(robot: Robot) -> Iterator[FreeJoint]:
    q = v = 0
    for joint in robot.joints:
        kind = joint.kind
        if kind.is_free:
            names = tuple(each.name for each in kind.positions), tuple(each.name for each in kind.coordinates)
            if v in robot.independent:
                yield FreeJoint(joint.name, kind.value, q, robot.independent.index(v), *names)
            else:
                yield FreeJoint(joint.name, kind.value, q, 0, names[0], ())
        q, v = q + joint.nq, v + joint.nv


def _loops(robot: Robot) -> Iterator[str]:
    """A line for each cut joint and coupling, with the numbers of its constraints."""
    first = 1
    for cut in robot.cut_joints:
        ends = ["base" if end.link == BASE else robot.links[end.link].name for end in (cut.predecessor, cut.successor)]
        length = "" if cut.length.is_zero else f" of {cut.length} m"
        between = f"{cut.kind.value}{length} between {' and '.join(ends)}"
        acting = "".join(f", {entry}" for entry in _acting(cut.drive))
        yield f"Cut joint {cut.name}: {between}{acting}{_numbers(first, cut.kind.size)}"
        first += cut.kind.size
    for coupling in robot.couplings:
        terms = " + ".join(f"{ratio} {name}" for name, ratio in coupling.terms)
        yield f"Coupling {coupling.name}: {terms} = {coupling.offset}{_numbers(first, 1)}"
        first += 1
    for end in robot.spins:
        yield f"Link {robot.links[end.link].name} may spin between two ball joints; it is taken not to"


def _numbers(first: int, count: int) -> str:
    return f"; constraint {first}" if count == 1 else f"; constraints {first} to {first + count - 1}"


def independent_places(robot: Robot) -> tuple[int, ...]:
    """The entries of q of the independent joints."""
    places: list[int] = []
    for index, q, v in robot.coordinates():
        joint = robot.links[index].joint
        if joint.mimic is not None or not joint.nv:
            continue
        own = [index in robot.independent for index in range(v.start, v.stop)]
        if joint.kind.is_free:
            places += range(q.start, q.stop) if all(own) else []
        else:
            places += [place for place, given in zip(range(q.start, q.stop), own, strict=True) if given]
    return tuple(places)


def _table_line(robot: Robot, index: int, link: Link) -> str:
    parts = [f"{index + 1:2d} {link.name}: {link.joint.kind.value}"]
    if link.parent != index - 1:
        parts.append("on " + ("base" if link.parent == BASE else robot.links[link.parent].name))
    if link.placed is not None:
        axis = [("axis", link.placed.axis)] if link.joint.nv else []
        vectors = [("xyz", link.placed.xyz), ("rpy", link.placed.rpy), *axis]
        parts += [f"{name} = ({', '.join(map(str, v))})" for name, v in vectors if not all(e.is_zero for e in v)]
        entries = [("offset", link.joint.offset), *((key, getattr(link.joint, key)) for key in link.joint.kind.keys)]
        parts += [f"{name} = {value}" for name, value in entries if not value.is_zero]
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
    return ", ".join([*parts, *_acting(link.joint.drive)])


def _acting(drive: Drive) -> list[str]:
    entries = [("rotor", drive.rotor_inertia), ("viscous", drive.viscous), ("coulomb", drive.coulomb)]
    entries += [("sigmoid", drive.sigmoid), ("slope", drive.slope), ("shift", drive.shift)]
    entries += [("stiffness", drive.stiffness), ("rest", drive.rest)]
    return [f"{name} = {value}" for name, value in entries if not value.is_zero]
