"""What joints carry: which of them move nothing that has mass, and whether there are any that move."""

from __future__ import annotations

from symgen.errors import InputError
from symgen.robot.model import BASE, Robot


def check_moves(robot: Robot) -> None:
    """`InputError` for a robot no joint of which moves."""
    if not robot.nv:
        raise InputError(f"{robot.name}: no joint moves; base floating or planar (--base floating) lets the base move")


def bare_joints(robot: Robot) -> tuple[str, ...]:
    """For every joint that moves nothing with mass or inertia, and has no rotor: what that means, in words.

    If that is all joints, it is told first.
    """
    loaded = [not link.inertia.is_massless for link in robot.links]
    for index in reversed(range(len(robot.links))):
        parent = robot.links[index].parent
        if parent != BASE:
            loaded[parent] = loaded[parent] or loaded[index]
    bare = [
        f"joint {link.joint.name} moves nothing that has mass (link {link.name}): it needs no force, and no force "
        "determines its acceleration"
        for link, has_load in zip(robot.links, loaded, strict=True)
        if link.joint.nv and link.joint.mimic is None and not has_load and link.joint.drive.rotor_inertia.is_zero
    ]
    if bare and len(bare) == len(robot.joints):
        bare.insert(
            0, "no joint moves anything that has mass: unless the base is let loose, all inertia and gravity is 0"
        )
    return tuple(bare)
