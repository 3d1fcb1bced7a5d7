"""Equality constraints of a compiled model that close loops: cut joints, couplings, independent joints, posture.

connect  ties a point of a body to a point of another: a spherical cut joint
weld     ties a frame of a body to a frame of another: a fixed one, spherical where it has no torque
joint    ties coordinates linearly: a coupling, where it cannot be read as a joint that follows another
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import Any

from symgen.robot.expression import Expression
from symgen.robot.joints import JointKind
from symgen.robot.loop_parts import passed
from symgen.robot.loops import Coupling, CutKind
from symgen.robot.mjcf.meant import Meant
from symgen.robot.model import CutJoint, Frame, Robot
from symgen.robot.names import free, label_problem
from symgen.robot.placement import Pose

_HERE = (0.0, 0.0, 0.0)
_UNTURNED = (1.0, 0.0, 0.0, 0.0)


@dataclass
class Loops:
    """Reads the equality constraints of a model.

    `links`: index of a body → that of its link; `joints`: names of the joints in MuJoCo's order.
    """

    mujoco: ModuleType
    model: Any
    meant: Meant
    links: Mapping[int, int]
    joints: Sequence[str]
    _taken: set[str] = field(default_factory=set)

    def closed(self, robot: Robot, of_bodies: Iterable[int], couplings: Mapping[int, Coupling]) -> Robot:
        """The robot with the loops of constraints, by index: those `of_bodies`, and `couplings` of joints."""
        cuts = [self._cut(index) for index in of_bodies]
        named = tuple(replace(each, name=self._name(index)) for index, each in couplings.items())
        robot = replace(robot, cut_joints=tuple(cuts), couplings=named)
        if not robot.has_loops:
            return robot
        actuated = tuple(self._independent(robot))
        names = ", ".join([cut.name for cut in cuts] + [coupling.name for coupling in named])
        told = f"loops are closed exactly, where MuJoCo pulls them softly (loops = open leaves them open): {names}"
        posture = tuple(self._posture(robot))
        return replace(robot, actuated=actuated, posture=posture, notices=(told,))

    # constraints -----------------------------------------------------------------------------------

    def _name(self, index: int) -> str:
        given = self.mujoco.mj_id2name(self.model, self.mujoco.mjtObj.mjOBJ_EQUALITY, index) or ""
        return free(given if label_problem(given) is None else f"equality{index + 1}", self._taken)

    def _cut(self, index: int) -> CutJoint:
        data = self.model.eq_data[index]
        is_weld = int(self.model.eq_type[index]) == int(self.mujoco.mjtEq.mjEQ_WELD)
        one, other = int(self.model.eq_obj1id[index]), int(self.model.eq_obj2id[index])
        objects = getattr(self.model, "eq_objtype", None)
        name = self._name(index)
        if objects is not None and int(objects[index]) == int(self.mujoco.mjtObj.mjOBJ_SITE):
            first, second = self._site(one, f"{name}_predecessor"), self._site(other, f"{name}_successor")
        elif is_weld:  # MuJoCo has the point in the second body, and that body's frame as the first sees it
            first = self._frame(one, data[3:6], data[6:10], f"{name}_predecessor")
            second = self._frame(other, data[:3], _UNTURNED, f"{name}_successor")
        else:
            first = self._frame(one, data[:3], _UNTURNED, f"{name}_predecessor")
            second = self._frame(other, data[3:6], _UNTURNED, f"{name}_successor")
        turns = is_weld and bool(data[10])
        return CutJoint(name, CutKind.FIXED if turns else CutKind.SPHERICAL, first, second)

    def _site(self, site: int, name: str) -> Frame:
        body = int(self.model.site_bodyid[site])
        return self._frame(body, self.model.site_pos[site], self.model.site_quat[site], name)

    def _frame(self, body: int, position: Sequence[float], quaternion: Sequence[float], name: str) -> Frame:
        pose = Pose(self.meant.lengths(position, name), self.meant.rpy(quaternion, name))
        return Frame(name, self.links[body], pose.placement())

    # what moves by itself --------------------------------------------------------------------------

    def _independent(self, robot: Robot) -> Iterator[str]:
        """The coordinates of joints that an actuator drives, and of those that no loop passes."""
        driven, on_loops = set(self._driven()), passed(robot)
        for each in robot.velocities:
            if each.joint.name in driven or each.joint.name not in on_loops:
                yield each.name

    def _driven(self) -> Iterator[str]:
        """Names of the joints that an actuator drives directly."""
        kinds = self.mujoco.mjtTrn
        for actuator in range(self.model.nu):
            if int(self.model.actuator_trntype[actuator]) in map(int, (kinds.mjTRN_JOINT, kinds.mjTRN_JOINTINPARENT)):
                yield self.joints[int(self.model.actuator_trnid[actuator, 0])]

    def _posture(self, robot: Robot) -> Iterator[tuple[str, Expression]]:
        """The first keyframe, or where the file has the bodies: entries of q that are not those of the neutral one."""
        values = self.model.key_qpos[0] if self.model.nkey else self.model.qpos0
        starts = {name: int(self.model.jnt_qposadr[index]) for index, name in enumerate(self.joints)}
        for joint in robot.joints:
            if joint.name in starts:
                own = values[starts[joint.name] :][: joint.nq]
                given = [*own[:-4], *own[-3:], own[-4]] if joint.kind.is_free else list(own)
                for name, value, usual in zip(joint.position_names, given, joint.kind.neutral, strict=True):
                    if float(value) != usual:
                        yield name, self._coordinate(joint.kind, float(value))

    def _coordinate(self, kind: JointKind, value: float) -> Expression:
        turns = not kind.is_free and kind is not JointKind.PRISMATIC
        return self.meant.angle(value) if turns else self.meant.number(value)
