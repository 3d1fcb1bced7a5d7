"""Robot files written for the user: one to begin with, and robots as other files or in the other convention."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import flint
import numpy as np

from symgen.algebra.balls import Balls
from symgen.algebra.domain import variables
from symgen.build.files import write_files
from symgen.errors import InputError, InternalError
from symgen.mechanics.instantiation import instantiate
from symgen.mechanics.newton_euler import inverse_dynamics
from symgen.robot.convert import CONVENTIONS, converted
from symgen.robot.model import Drive, Link, Robot
from symgen.robot.reader import read_text
from symgen.robot.starter import robot_name, starter_text
from symgen.robot.urdf.build import robot_of
from symgen.robot.urdf.write import urdf_text
from symgen.robot.writer import robot_text
from symgen.verify.oracle import Oracle

STATES = 20
TOLERANCE = 1e-9
BITS = 4096


@dataclass(frozen=True)
class Conversion:
    """A robot, the same as its new file says it, the file, and the worst relative difference of their dynamics.

    `losses`: what the file cannot say of the robot.
    """

    given: Robot
    robot: Robot
    text: str
    error: float
    losses: tuple[str, ...] = ()


TARGETS = (*CONVENTIONS, "toml", "urdf")
"""What robots are converted to: the other convention of a table, a robot file as it is, a URDF."""


def convert(robot: Robot, target: str) -> Conversion:
    """`robot` as another file, checked: the text reads back as the same robot, or as one with the same joint forces.

    `target` is one of `TARGETS`. Raises `LimitError` for what it cannot say.
    """
    if target == "urdf":
        return _to_urdf(robot)
    result = robot if target == "toml" else converted(robot, target)
    text = _heading(robot, result) + robot_text(result)
    back = read_text(text, robot.name)
    if replace(back, notices=()) != replace(result, notices=()):
        raise InternalError(f"{robot.name}: the converted file does not read back as it was written")
    return Conversion(robot, back, text, 0.0 if result is robot else _checked_difference(robot, result))


def _to_urdf(robot: Robot) -> Conversion:
    """The text is read back as it will be; if that takes printed numbers for others, as they are, which is told."""
    written = urdf_text(robot)
    meant, raw = (robot_of(written.text.encode(), f"{robot.name}.urdf", snap=snap) for snap in (True, False))
    error = _urdf_error(robot, meant)
    is_read_otherwise = _is_same(robot, raw) and not _is_same(robot, meant)
    if error < TOLERANCE and not is_read_otherwise:
        return Conversion(robot, meant, written.text, error, written.losses)
    return Conversion(robot, raw, written.text, _checked(robot, _urdf_error(robot, raw)), (*written.losses, _AS_IT_IS))


_AS_IT_IS = "that its numbers mean what they say: read it with --no-snap (snap=False in Python)"


def _urdf_error(robot: Robot, back: Robot) -> float:
    """By how much the joint forces of a robot and of its URDF differ; what a URDF cannot say is left aside."""
    if _is_same(robot, back):
        return 0.0
    # Gravity and what acts in the joints beside friction are among the losses.
    return _error(replace(robot, gravity=back.gravity, links=tuple(map(_without_rotor, robot.links))), back)


def _is_same(robot: Robot, back: Robot) -> bool:
    return replace(back, notices=(), source=robot.source, description=robot.description) == replace(robot, notices=())


def _without_rotor(link: Link) -> Link:
    drive = Drive(viscous=link.joint.drive.viscous, coulomb=link.joint.drive.coulomb)
    return replace(link, joint=replace(link.joint, drive=drive))


def _checked_difference(one: Robot, other: Robot) -> float:
    """By how much the joint forces of both differ, relative to their size; `InternalError` if by more than rounding."""
    return _checked(one, _error(one, other))


def _error(one: Robot, other: Robot) -> float:
    """By how much the joint forces of both differ, relative to their size."""
    if one.nv == 0:
        return 0.0
    error = _difference(Oracle(one), Oracle(other))
    # What seems to be more may be rounding, where large numbers cancel; balls know how much.
    return error if error < TOLERANCE else _difference_of_balls(one, other)


def _checked(robot: Robot, error: float) -> float:
    """The error, if it is rounding."""
    if not error < TOLERANCE:
        raise InternalError(f"{robot.name}: the converted robot's joint forces differ by {error:.1e} of their size")
    return error


def _heading(given: Robot, result: Robot) -> str:
    if given.convention == result.convention:
        return ""
    return f"# Converted from the {given.convention} to the {result.convention} convention.\n"


def _difference(one: Oracle, other: Oracle) -> float:
    """The worst difference of joint forces and inertia matrices at random states, relative to their size."""
    with np.errstate(all="ignore"):  # what is not finite is no agreement
        return _worst(one, other)


def _worst(one: Oracle, other: Oracle) -> float:
    random = np.random.default_rng(0)
    q, (qd, qdd) = random.uniform(-3, 3, (STATES, one.robot.nq)), random.uniform(-3, 3, (2, STATES, one.robot.nv))
    pairs = [
        (one.inverse_dynamics(q, qd, qdd), other.inverse_dynamics(q, qd, qdd)),
        (one.inertia_matrix(q), other.inertia_matrix(q)),
    ]
    return max(float(np.abs(a - b).max() / (np.abs(a).max() or 1)) for a, b in pairs)


def _difference_of_balls(one: Robot, other: Robot) -> float:
    """The most by which joint forces at a random state can differ, relative to the largest: in thousands of bits."""
    with flint.ctx.workprec(BITS):
        forces = [_forces_in_balls(robot) for robot in (one, other)]
        size = max((abs(force).abs_upper() for force in forces[0]), default=flint.arb(0))
        differences = [abs(a - b).abs_upper() for a, b in zip(*forces, strict=True)]
        if all(difference == 0 for difference in differences):
            return 0.0
        return max(float((difference / size).abs_upper()) for difference in differences)


def _forces_in_balls(robot: Robot) -> list[flint.arb]:
    domain = Balls(0, bits=BITS)
    mechanism = instantiate(robot, domain)
    rates, accelerations = (variables(domain, name, robot.nv) for name in ("qd", "qdd"))
    return inverse_dynamics(mechanism, list(rates), list(accelerations), mechanism.gravity)


def start(path: Path, *, name: str | None, convention: str, joints: int, force: bool) -> Path:
    """Write a robot file to begin with; `name` is made of the file's if it is not given.

    Raises `InputError` if something is there already and `force` is not set.
    """
    text = starter_text(robot_name(path.stem) if name is None else name, convention, joints)
    write_robot_file(path, text, force=force)
    return path


def write_robot_file(path: Path, content: str | bytes, *, force: bool, kind: str = "robot file") -> None:
    """Write a robot file, or a file of another kind, whole or not at all; what is there stays unless `force` is set."""
    if path.is_dir():
        example = path / ("my_arm.toml" if kind == "robot file" else "my_arm.svg")
        raise InputError(f"{path} is a directory; expected the path of a {kind}, such as {example}")
    if not force and (path.exists() or path.is_symlink()):
        raise InputError(f"{path} is there already; give --force to replace it, or choose another path")
    write_files(path.parent, {path.name: content}, remedy="choose another path")
