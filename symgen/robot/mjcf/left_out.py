"""What a compiled model has that rigid-body dynamics has no place for, or that symgen does not do: one line a kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np

_FEW = 5
_COUNTS = {"keyframe": "nkey", "actuator": "nu", "tendon": "ntendon", "flex": "nflex", "plugin": "nplugin"}


def left_out(mujoco: ModuleType, model: Any, joints: Sequence[str]) -> Iterator[str]:
    """What is left out of the robot, in words; `joints` are the names of the joints."""
    found = [f"{count} {word}{'s' if count > 1 else ''}" for word, count in _counted(model)]
    if (np.asarray(model.geom_contype) | np.asarray(model.geom_conaffinity)).any():
        found.append("contacts")
    if np.any(model.body_gravcomp):
        found.append("compensation of gravity")
    if model.opt.density or model.opt.viscosity:
        found.append("forces of the medium (density, viscosity)")
    if model.nmocap:
        found.append("motion of mocap bodies, which stay where the file has them")
    if found:
        yield f"left out, being no rigid-body dynamics: {', '.join(found)}"
    yield from _starts(mujoco, model, joints)
    for joint in range(model.njnt):
        several = int(model.jnt_type[joint]) in map(int, (mujoco.mjtJoint.mjJNT_BALL, mujoco.mjtJoint.mjJNT_FREE))
        yield from (_of_several if several else _of_one)(mujoco, model, joint, joints[joint])


def _starts(mujoco: ModuleType, model: Any, joints: Sequence[str]) -> Iterator[str]:
    """Where the file puts bodies on free joints: a robot has no place for it, and begins at its neutral q."""
    places = []
    free = int(mujoco.mjtJoint.mjJNT_FREE)
    for joint in (index for index in range(model.njnt) if int(model.jnt_type[index]) == free):
        first = int(model.jnt_qposadr[joint])
        x, y, z, qw, qx, qy, qz = (float(value) for value in model.qpos0[first : first + 7])
        if (x, y, z, qw) != (0, 0, 0, 1):
            places.append(
                f"{joints[joint]} at q = [{', '.join(f'{value:.15g}' for value in (x, y, z, qx, qy, qz, qw))}]"
            )
    if places:
        more = f" and {len(places) - _FEW} more" if len(places) > _FEW else ""
        yield f"left out: where the file puts bodies that float: {'; '.join(places[:_FEW])}{more}"


def _counted(model: Any) -> Iterator[tuple[str, int]]:
    for word, field in _COUNTS.items():
        if count := int(getattr(model, field, 0)):
            yield word, count


def _of_several(mujoco: ModuleType, model: Any, joint: int, name: str) -> Iterator[str]:
    """What acts in a ball or free joint, whose drive symgen has not."""
    is_free = int(model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_FREE)
    first = model.jnt_dofadr[joint]
    own = slice(first, first + (6 if is_free else 3))
    given = {
        "armature": model.dof_armature[own].any(),
        "damping": model.dof_damping[own].any(),
        "frictionloss": model.dof_frictionloss[own].any(),
        "stiffness": model.jnt_stiffness[joint] != 0,
        "range": bool(model.jnt_limited[joint]),
    }
    found = [word for word, is_there in given.items() if is_there]
    if found:
        kind = "free" if is_free else "ball"
        yield f"left out of the {kind} joint {name}, which has several coordinates and no drive: {', '.join(found)}"


def _of_one(mujoco: ModuleType, model: Any, joint: int, name: str) -> Iterator[str]:
    """What is not linear in a joint of one coordinate; older versions of MuJoCo have none of it."""
    row = model.jnt_dofadr[joint]
    damping, stiffness = getattr(model, "dof_dampingpoly", None), getattr(model, "jnt_stiffnesspoly", None)
    given = {
        "nonlinear damping": damping is not None and np.any(damping[row]),
        "nonlinear stiffness": stiffness is not None and np.any(stiffness[joint]),
        "plasticity": getattr(model, "jnt_plasticadr", np.full(model.njnt, -1))[joint] >= 0,
    }
    found = [word for word, is_there in given.items() if is_there]
    if found:
        yield f"left out of the joint {name}: {', '.join(found)}"
