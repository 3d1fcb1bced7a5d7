"""Physical checks of a robot's default values: what is impossible is a problem, what is odd is a notice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from symgen.robot.model import BASE, Inertia, Robot

_SLACK = 1e-9


def check(robot: Robot, problem: Callable[[str, str], None], notice: Callable[[str], None]) -> None:
    """Report negative masses as problems, and inertia no body can have as notices that name the link."""
    values = robot.defaults
    for index, link in enumerate(robot.links):
        place = f"links[{index + 1}] (link '{link.name}')"
        mass = float(link.inertia.mass.constant(values))
        if mass < 0:
            problem(f"{place}.mass", f"expected a mass of at least 0 kg, found {mass!r}")
            continue
        text = _inertia_notice(mass, _centroidal(link.inertia, robot))
        if text:
            notice(f"{place}.inertia: {text}")


def _centroidal(inertia: Inertia, robot: Robot) -> np.ndarray:
    """The tensor about the mass centre, in the axes it is given in."""
    values = robot.defaults
    xx, yy, zz, xy, xz, yz = (float(entry.constant(values)) for entry in inertia.tensor)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    com = np.array([float(entry.constant(values)) for entry in inertia.com])
    for turn in inertia.axes:
        angle = float(turn.amount.constant(values))
        com = _turned(com, turn.axis, -angle)
    if inertia.about_origin:
        mass = float(inertia.mass.constant(values))
        tensor = tensor - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return tensor


def _turned(vector: np.ndarray, axis: int, angle: float) -> np.ndarray:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    result = vector.copy()
    result[i] = np.cos(angle) * vector[i] - np.sin(angle) * vector[j]
    result[j] = np.sin(angle) * vector[i] + np.cos(angle) * vector[j]
    return result


def _inertia_notice(mass: float, tensor: np.ndarray) -> str | None:
    moments = np.linalg.eigvalsh(tensor)
    scale = float(np.abs(moments).max())
    shown = ", ".join(f"{moment:.6g}" for moment in moments)
    if mass == 0 and scale > 0:
        return f"the link has inertia (principal moments {shown} kg m²) but no mass"
    if moments[0] < -_SLACK * scale:
        return f"no body has this inertia: a principal moment is negative ({shown} kg m²)"
    excess = moments[2] - moments[0] - moments[1]
    if excess > _SLACK * scale:
        return (
            f"no body has this inertia: the principal moments {shown} kg m² break the triangle inequality "
            f"by {excess:.6g}"
        )
    return None


def lumps(robot: Robot) -> tuple[str, ...]:
    """For every moving link that carries fixed ones: which, in words."""
    carriers: list[int] = []
    carried: dict[int, list[str]] = {}
    for index, link in enumerate(robot.links):
        fixed = link.joint.nv == 0
        carrier = (BASE if link.parent == BASE else carriers[link.parent]) if fixed else index
        carriers.append(carrier)
        if fixed:
            carried.setdefault(carrier, []).append(link.name)
    return tuple(
        f"{'base' if carrier == BASE else robot.links[carrier].name} carries {', '.join(names)} (fixed)"
        for carrier, names in carried.items()
    )
