"""What every function takes and gives, by its name and the setting it was generated with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.verify.setting import Setting

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "inertia_matrix": ("q",),
    "coriolis_torque": ("q", "qd"),
    "gravity_torque": ("q",),
    "bias_torque": ("q", "qd"),
    "forward_dynamics": ("q", "qd", "tau"),
    "coriolis_matrix": ("q", "qd"),
    "udu_factors": ("q",),
    "inverse_inertia_matrix": ("q",),
    "kinetic_energy": ("q", "qd"),
    "potential_energy": ("q",),
    "regressor": ("q", "qd", "qdd"),
    "inverse_dynamics_derivatives": ("q", "qd", "qdd"),
    "forward_dynamics_derivatives": ("q", "qd", "tau"),
    "forward_kinematics": ("q",),
    "jacobian": ("q",),
    "jacobian_dot": ("q", "qd"),
    "jacobian_dot_velocity": ("q", "qd"),
}
"""Functions that have an oracle, and their arguments of the state."""

WITH_LOADS = frozenset(
    ("inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives", "forward_dynamics_derivatives")
)
"""Functions into which external wrenches enter."""

WITH_GRAVITY = WITH_LOADS.union(("gravity_torque", "bias_torque", "potential_energy", "regressor"))
"""Functions into which run-time gravity enters."""

OF_A_FRAME = ("jacobian", "jacobian_dot", "jacobian_dot_velocity")
"""Functions that there is one of for every frame."""

_SHAPES: dict[str, tuple[tuple[int | str, ...], ...]] = {
    "inertia_matrix": (("n", "n"),),
    "coriolis_matrix": (("n", "n"),),
    "udu_factors": (("n", "n"), ("n",)),
    "inverse_inertia_matrix": (("n", "n"),),
    "kinetic_energy": ((),),
    "potential_energy": ((),),
    "regressor": (("n", "p"),),
    "inverse_dynamics_derivatives": (("n", "n"),) * 2,
    "forward_dynamics_derivatives": (("n", "n"),) * 3,
    "jacobian": ((6, "n"),),
    "jacobian_dot": ((6, "n"),),
    "jacobian_dot_velocity": ((6,),),
}


@dataclass(frozen=True)
class Signature:
    """A function: its kind (a key of `ARGUMENTS`), its frames, its arguments, and the shapes of what it returns."""

    name: str
    kind: str
    frames: tuple[str, ...]
    arguments: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]


def signatures(robot: Robot, setting: Setting) -> dict[str, Signature]:
    """Name → signature of every function that can be verified with this setting."""
    return {signature.name: signature for signature in _all(robot, setting)}


def frames(robot: Robot, setting: Setting) -> tuple[tuple[str, str], ...]:
    """The setting's (frame name, identifier) pairs or, without any, the first named frame or that of the last link."""
    first = robot.tool or robot.links[-1].name
    chosen = setting.frames or ((first, ""),)
    known = {frame.name for frame in robot.all_frames}
    for name in [frame for frame, _ in chosen] + [frame for _, frame in setting.wrenches]:
        if name not in known:
            raise InputError(f"{robot.name}: no frame is called {name[:60]!r}; there are: {', '.join(sorted(known))}")
    return chosen


def _all(robot: Robot, setting: Setting) -> Iterator[Signature]:
    chosen = frames(robot, setting)
    names = tuple(frame for frame, _ in chosen)
    for kind in ARGUMENTS:
        if kind not in OF_A_FRAME and (kind != "regressor" or setting.regressor):
            yield _signature(robot, setting, kind, kind, names if kind == "forward_kinematics" else ())
    for frame, identifier in chosen:
        for kind in OF_A_FRAME:
            suffix = f"_{identifier}" if len(chosen) > 1 else ""
            yield _signature(robot, setting, kind + suffix, kind, (frame,))


def _signature(robot: Robot, setting: Setting, name: str, kind: str, frames: tuple[str, ...]) -> Signature:
    arguments = ARGUMENTS[kind]
    if setting.gravity and kind in WITH_GRAVITY:
        arguments += ("gravity",)
    if kind in WITH_LOADS:
        arguments += tuple(argument for argument, _ in setting.wrenches)
    shapes = ((4, 4),) * len(frames) if kind == "forward_kinematics" else _SHAPES.get(kind, (("n",),))
    extents = {"n": robot.nv, "p": len(setting.regressor)}
    numbers = tuple(tuple(extents[e] if isinstance(e, str) else e for e in shape) for shape in shapes)
    return Signature(name, kind, frames, arguments, numbers)
