"""Physical checks of a robot at its parameters' default values: what no body can have is worth a notice."""

from __future__ import annotations

import numpy as np

from symgen.robot.model import BASE, Inertia, Robot

_SLACK = 1e-9


def notices(robot: Robot) -> tuple[str, ...]:
    """Inertia that no body can have, and inertia without mass, by link."""
    found = []
    for index, link in enumerate(robot.links):
        mass = float(link.inertia.mass.constant(robot.defaults))
        text = _inertia_notice(mass, _centroidal(link.inertia, robot))
        if text:
            found.append(f"links[{index + 1}].inertia (link '{link.name}'): {text}")
    return tuple(found)


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
