"""Inertia that no body can have, at the parameters' default values; and what links carry."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from symgen.robot.model import BASE, Inertia, Link, Placement, Robot

Floats = NDArray[np.float64]

_SLACK = 1e-9


def remarks(robot: Robot) -> tuple[str, ...]:
    """Inertia that no body can have, and inertia without mass, by link.

    Tables may give only what acts: of the tensor of a link that turns about one direction, whatever the joints do, that
    is the moment about this direction; of one that does not turn, nothing. Of links that are placed, as in a URDF, the
    tensor is judged as a whole.
    """
    found = []
    for index, (link, directions) in enumerate(zip(robot.links, _directions(robot), strict=True)):
        mass, tensor = float(link.inertia.mass.constant(robot.defaults)), _centroidal(link.inertia, robot)
        text = _whole_remark(mass, tensor) if link.placed else _inertia_remark(mass, tensor, directions)
        if text and not link.is_rotor:
            place = (
                f"inertia of link {link.name}" if link.placed else f"links[{index + 1}].inertia (link '{link.name}')"
            )
            found.append(f"{place}: {text}")
    return tuple(found)


# what acts -------------------------------------------------------------------------------------------


def _directions(robot: Robot) -> list[Floats]:
    """For every link the directions it turns about, (k, 3), in the axes of its tensor; two stand for all."""
    in_reference: list[Floats] = []
    result = []
    for link in robot.links:
        carrier = np.zeros((0, 3)) if link.parent == BASE else in_reference[link.parent]
        own = _with_joint(link, _inward(robot, link.before, carrier))
        in_reference.append(_inward(robot, link.after, own))
        result.append(_inward(robot, link.inertia.axes, in_reference[-1]))
    return result


def _with_joint(link: Link, directions: Floats) -> Floats:
    z = np.array([[0.0, 0.0, 1.0]])
    if not any(each.turn for each in link.joint.kind.coordinates) or len(directions) == 2:
        return directions
    across = np.abs(directions[:, :2]).max(initial=0)
    return directions if len(directions) and across < _SLACK else np.concatenate([directions, z])


def _inward(robot: Robot, placement: Placement, vectors: Floats) -> Floats:
    """Vectors (k, 3) given in outer axes, in the axes that a constant transform leads to."""
    for part in placement:
        if part.rotates:
            angle = float(part.amount.constant(robot.defaults))
            i, j = (part.axis + 1) % 3, (part.axis + 2) % 3
            turned = vectors.copy()
            turned[:, i] = np.cos(angle) * vectors[:, i] + np.sin(angle) * vectors[:, j]
            turned[:, j] = np.cos(angle) * vectors[:, j] - np.sin(angle) * vectors[:, i]
            vectors = turned
    return vectors


# inertia -----------------------------------------------------------------------------------------------


def _centroidal(inertia: Inertia, robot: Robot) -> Floats:
    """The tensor about the mass centre, in the axes it is given in."""
    values = robot.defaults
    xx, yy, zz, xy, xz, yz = (float(entry.constant(values)) for entry in inertia.tensor)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if inertia.about_origin:
        (com,) = _inward(robot, inertia.axes, np.array([[float(entry.constant(values)) for entry in inertia.com]]))
        mass = float(inertia.mass.constant(values))
        tensor = tensor - mass * (com @ com * np.eye(3) - np.outer(com, com))
    return tensor


def _inertia_remark(mass: float, tensor: Floats, directions: Floats) -> str | None:
    if len(directions) == 1:
        scale = float(np.abs(np.linalg.eigvalsh(tensor)).max())
        return _moment_remark(mass, float(directions[0] @ tensor @ directions[0]), scale)
    return _whole_remark(mass, tensor) if len(directions) else None


def _whole_remark(mass: float, tensor: Floats) -> str | None:
    """What is wrong with a tensor about the mass centre."""
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


def _moment_remark(mass: float, moment: float, scale: float) -> str | None:
    """The same of the moment about the one direction that a link turns about."""
    if mass == 0 and abs(moment) > _SLACK * scale:
        return f"the link has inertia ({moment:.6g} kg m² about the axis it turns about) but no mass"
    if moment < -_SLACK * scale:
        return f"no body has this inertia: the moment about the axis it turns about is negative ({moment:.6g} kg m²)"
    return None


def lumps(robot: Robot) -> tuple[str, ...]:
    """For every moving link that carries fixed ones: which, in words, and the masses they bring."""
    carriers: list[int] = []
    carried: dict[int, list[str]] = {}
    for index, link in enumerate(robot.links):
        fixed = link.joint.nv == 0
        carrier = (BASE if link.parent == BASE else carriers[link.parent]) if fixed else index
        carriers.append(carrier)
        if fixed:
            mass = float(link.inertia.mass.constant(robot.defaults))
            carried.setdefault(carrier, []).append(f"{link.name} [{mass:g} kg]" if mass else link.name)
    return tuple(
        f"{'base' if carrier == BASE else robot.links[carrier].name} carries {', '.join(names)} (fixed)"
        for carrier, names in carried.items()
    )
