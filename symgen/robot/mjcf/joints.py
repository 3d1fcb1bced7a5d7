"""Joints of a compiled model → joints of a robot, with what acts in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from symgen.robot.expression import ZERO, Expression, constant
from symgen.robot.joints import JointKind
from symgen.robot.mjcf.meant import Meant
from symgen.robot.model import NO_LIMITS, Drive, Joint, Limits, Mimic, Vector
from symgen.robot.placed import UP


def kind_of(mujoco: ModuleType, model: Any, joint: int) -> JointKind:
    """The kind of a joint, by its index; a hinge without a range is continuous."""
    types = mujoco.mjtJoint
    kinds = {
        types.mjJNT_FREE: JointKind.FLOATING,
        types.mjJNT_BALL: JointKind.SPHERICAL,
        types.mjJNT_SLIDE: JointKind.PRISMATIC,
        types.mjJNT_HINGE: JointKind.REVOLUTE if model.jnt_limited[joint] else JointKind.CONTINUOUS,
    }
    return kinds[types(int(model.jnt_type[joint]))]


def is_disabled(mujoco: ModuleType, model: Any, what: str) -> bool:
    """Whether the model's options switch off "GRAVITY", "SPRING", "DAMPER" or "FRICTIONLOSS"."""
    flags, older = mujoco.mjtDisableBit, {"SPRING": "PASSIVE", "DAMPER": "PASSIVE"}
    flag = getattr(flags, f"mjDSBL_{what}", None) or getattr(flags, f"mjDSBL_{older.get(what, what)}")
    return bool(model.opt.disableflags & int(flag))


@dataclass(frozen=True)
class Joints:
    """The joints of a model, which are called `names`; `followed` says which of them follow others."""

    mujoco: ModuleType
    model: Any
    meant: Meant
    names: list[str]
    followed: Mapping[str, Mimic]

    def joint(self, index: int) -> Joint:
        """The joint with its drive and limits; its q is MuJoCo's but for the order of quaternions."""
        kind, name = kind_of(self.mujoco, self.model, index), self.names[index]
        if kind.nv != 1:
            return Joint(name, kind, ZERO)
        start = self._coordinate(kind, self.model.qpos0[self.model.jnt_qposadr[index]])
        mimic = self.followed.get(name)
        offset = ZERO if start.is_zero else constant(-start.constant({}))
        return Joint(name, kind, offset, self._drive(index, kind), limits=self._limits(index, kind), mimic=mimic)

    def _coordinate(self, kind: JointKind, value: float) -> Expression:
        """A value of the joint's q."""
        return self.meant.number(value) if kind is JointKind.PRISMATIC else self.meant.angle(value)

    def axis(self, index: int, joint: Joint) -> Vector:
        """The joint's axis in the axes of its body."""
        return self.meant.axis(self.model.jnt_axis[index], f"joint {joint.name}") if joint.nv == 1 else UP

    def _drive(self, index: int, kind: JointKind) -> Drive:
        model, row = self.model, int(self.model.jnt_dofadr[index])
        drive = Drive(
            rotor_inertia=self.meant.number(model.dof_armature[row]),
            viscous=self._acting("DAMPER", model.dof_damping[row]),
            coulomb=self._acting("FRICTIONLOSS", model.dof_frictionloss[row]),
            stiffness=self._acting("SPRING", model.jnt_stiffness[index]),
        )
        if drive.stiffness.is_zero:
            return drive
        return replace(drive, rest=self._coordinate(kind, model.qpos_spring[model.jnt_qposadr[index]]))

    def _acting(self, what: str, value: float) -> Expression:
        return ZERO if is_disabled(self.mujoco, self.model, what) else self.meant.number(value)

    def _limits(self, index: int, kind: JointKind) -> Limits:
        if not self.model.jnt_limited[index]:
            return NO_LIMITS
        lower, upper = (self._coordinate(kind, value) for value in self.model.jnt_range[index])
        return Limits(lower, upper)
