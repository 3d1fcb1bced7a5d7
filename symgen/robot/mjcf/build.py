"""A compiled model → `Robot`: bodies are links in MuJoCo's order, each placed by its joint.

MuJoCo's joints move a body one after the other, each about a point of the body. A body with several joints, or whose
last joint turns about a point other than the body's origin, is carried by links without mass, one a joint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from symgen.algebra.exact import Exact
from symgen.errors import Problem, RobotFileError
from symgen.robot.expression import ZERO, constant
from symgen.robot.joints import JointKind
from symgen.robot.loads import bare_joints
from symgen.robot.mjcf.couplings import couplings
from symgen.robot.mjcf.joints import Joints, is_disabled, kind_of
from symgen.robot.mjcf.left_out import left_out
from symgen.robot.mjcf.load import compiled, mujoco_package
from symgen.robot.mjcf.loops import Loops
from symgen.robot.mjcf.meant import RAW_PLACES, Meant
from symgen.robot.model import BASE, Frame, Inertia, Joint, Link, Placed, Robot, Vector
from symgen.robot.names import free, identifier, label_problem, robot_problem, shortened
from symgen.robot.orientation import matrix, turns_of
from symgen.robot.placed import UP, split
from symgen.robot.placement import Pose

CONVENTION = "placed"
UNNAMED = "MuJoCo Model"
"""What MuJoCo calls a model that has no name."""

_UNTURNED = (1.0, 0.0, 0.0, 0.0)
_HERE: Vector = (ZERO, ZERO, ZERO)
_MASSLESS = Inertia(ZERO, _HERE, (ZERO,) * 6, about_origin=False)
_LONG = 40
"""Exact lengths with more letters are rounded to decimals."""

_ORDER = "q has quaternions x y z w, where MuJoCo has w x y z (so has code generated with --quaternion wxyz)"
_RATES = {
    JointKind.FLOATING: "rates are [v; w], both in the body's own axes, where MuJoCo has v in the world's",
    JointKind.SPHERICAL: "rates are w in the body's own axes, as MuJoCo's",
}


def robot_of(content: bytes, source: str, *, snap: bool = True, independent: bool = False) -> Robot:
    """The robot of the MJCF file at the path `source`, whose bytes are `content`.

    With `snap` doubles are taken as what they stand for (see `meant`). With `independent` joints that equality
    constraints couple to others move by themselves. Raises `InputError` and its kin for what is wrong with the file,
    `EnvironmentFault` where the package mujoco is missing.
    """
    model, warnings = compiled(content, source)
    problem = _nothing(model)
    if problem:
        raise RobotFileError(source, (Problem("worldbody", problem),))
    try:
        robot = _Building(model, source, snap, independent).robot()
    except ValueError as error:  # numbers out of bounds
        raise RobotFileError(source, (Problem("model", str(error)),)) from None
    return replace(robot, notices=(*robot.notices, *(f"MuJoCo: {warning}" for warning in warnings)))


def _nothing(model: Any) -> str:
    if model.nbody == 1:
        return "the file has no bodies; what stands in the worldbody itself does not move"
    if not model.body_mass[1:].any() and not model.body_inertia[1:].any():
        return "no body has a mass; every force would be zero"
    return ""


class _Building:
    def __init__(self, model: Any, source: str, snap: bool, independent: bool) -> None:
        self.mujoco = mujoco_package()
        self.model = model
        self.source = source
        self.meant = Meant(snap)
        self.renamed: list[str] = []
        objects = self.mujoco.mjtObj
        self.bodies = ["world", *self._labels(objects.mjOBJ_BODY, range(1, model.nbody), "body", {"base"})]
        names = self._labels(objects.mjOBJ_JOINT, range(model.njnt), "joint", set())
        kinds = {name: kind_of(self.mujoco, model, joint) for joint, name in enumerate(names)}
        self.coupled = couplings(self.mujoco, model, kinds, self.meant, independent=independent)
        self.joints = Joints(self.mujoco, model, self.meant, names, self.coupled.followed)
        self.links: list[Link] = []
        self.link_names = {*self.bodies, "base"}
        self.joint_names = set(names)
        self.of_body = {0: BASE}

    def robot(self) -> Robot:
        for body in range(1, self.model.nbody):
            self._body(body)
        name = self._name()
        disabled = is_disabled(self.mujoco, self.model, "GRAVITY")
        x, y, z = (self.meant.number(0.0 if disabled else value) for value in self.model.opt.gravity)
        file = PurePath(self.source).name
        robot = Robot(
            name=name,
            description="",
            source=file if file.isprintable() else "",
            convention=CONVENTION,
            gravity=(x, y, z),
            base=(),
            links=tuple(self.links),
            frames=tuple(self._sites()),
        )
        loops = Loops(self.mujoco, self.model, self.meant, self.of_body, self.joints.names)
        robot = loops.closed(robot, self.coupled.of_bodies, self.coupled.sums)
        told = [*self.renamed, *self.meant.notices(), *self._conventions(), *self.coupled.notices, *robot.notices]
        told += left_out(self.mujoco, self.model, self.joints.names)
        return replace(robot, notices=(*told, *bare_joints(robot)))

    # names -----------------------------------------------------------------------------------------

    def _labels(self, kind: Any, indices: range, word: str, taken: set[str]) -> list[str]:
        """The names of objects, made such that they differ and can be shown."""
        given = {index: self.mujoco.mj_id2name(self.model, kind, index) or "" for index in indices}
        taken = taken | {name for name in given.values() if label_problem(name) is None}
        result = []
        for index, name in given.items():
            if label_problem(name) is not None:
                cleaned = re.sub(r"[^A-Za-z0-9_]", "_", name) if name else f"{word}{index + (word != 'body')}"
                label = free(cleaned, taken)
                if name:
                    self.renamed.append(f"the {word} {shortened(name, 40)!r} is called {label}")
                name = label
            result.append(name)
        return result

    def _name(self) -> str:
        """The robot's name, made an identifier."""
        given = bytes(self.model.names).partition(b"\0")[0].decode(errors="replace")
        is_named = given not in ("", UNNAMED)
        stem = PurePath(self.source).name.partition(".")[0]
        name = identifier(given if is_named else stem or "robot")
        name = name if robot_problem(name) is None else f"{name[:50]}_robot"
        name = name if robot_problem(name) is None else "robot"
        if name != given:
            why = f"{given[:60]!r} is no identifier" if is_named else "the file names none"
            self.renamed.insert(0, f"the robot is called {name}: {why}")
        return name

    # links -----------------------------------------------------------------------------------------

    def _body(self, body: int) -> None:
        """The links of a body, the last of them with its name, frame and inertia."""
        name, place = self.bodies[body], f"body {self.bodies[body]}"
        parent = self.of_body[int(self.model.body_parentid[body])]
        pose = Pose(
            self.meant.lengths(self.model.body_pos[body], place), self.meant.rpy(self.model.body_quat[body], place)
        )
        first, count = int(self.model.body_jntadr[body]), int(self.model.body_jntnum[body])
        at = _HERE  # where the links so far have their origin, in the body's axes
        for index in range(first, first + count):
            joint = self.joints.joint(index)
            if joint.kind is JointKind.FLOATING:  # its q is where the body is in the world
                pose = Pose(_HERE, _HERE)
            elif joint.kind is not JointKind.PRISMATIC:
                point = self.meant.lengths(self.model.jnt_pos[index], f"joint {joint.name}")
                pose, at = _moved(pose, _difference(point, at)), point
            is_last = index == first + count - 1 and at == _HERE
            link = name if is_last else free(f"{name}_{joint.name}", self.link_names)
            placed = Placed(pose.xyz, pose.rpy, self.joints.axis(index, joint))
            self._add(link, parent, joint, placed, self._inertia(body) if is_last else _MASSLESS)
            parent, pose = len(self.links) - 1, Pose(_HERE, _HERE)
        if not count or at != _HERE:
            fixed = Joint(free(f"{name}_fixed", self.joint_names), JointKind.FIXED, ZERO)
            pose = _moved(pose, _difference(_HERE, at))
            self._add(name, parent, fixed, Placed(pose.xyz, pose.rpy, UP), self._inertia(body))
        self.of_body[body] = len(self.links) - 1

    def _add(self, name: str, parent: int, joint: Joint, placed: Placed, inertia: Inertia) -> None:
        before, after = split(joint, placed, {})
        self.links.append(Link(name, parent, joint, before, after, inertia, None, placed))

    def _inertia(self, body: int) -> Inertia:
        model, name = self.model, self.bodies[body]
        same, frames = int(model.body_sameframe[body]), self.mujoco.mjtSameFrame
        # MuJoCo computes with the body's own frame where that of its inertia is within 1e-6 of it.
        is_same, is_turned = same == int(frames.mjSAMEFRAME_BODY), same != int(frames.mjSAMEFRAME_BODYROT)
        com = _HERE if is_same else self.meant.lengths(model.body_ipos[body], f"mass centre of {name}")
        axes = model.body_iquat[body] if is_turned and not is_same else _UNTURNED
        tensor = self.meant.tensor(model.body_inertia[body], axes)
        return Inertia(self.meant.number(model.body_mass[body]), com, tensor, about_origin=False)

    def _sites(self) -> Iterator[Frame]:
        """Named sites, frames of the links they stand on; those of the world are left out."""
        model, taken = self.model, set(self.link_names)
        for site in range(model.nsite):
            name = self.mujoco.mj_id2name(model, self.mujoco.mjtObj.mjOBJ_SITE, site) or ""
            body = int(model.site_bodyid[site])
            if body and label_problem(name) is None:
                place = f"site {name}"
                pose = Pose(
                    self.meant.lengths(model.site_pos[site], place), self.meant.rpy(model.site_quat[site], place)
                )
                yield Frame(free(name, taken), self.of_body[body], pose.placement())

    # notices ---------------------------------------------------------------------------------------

    def _conventions(self) -> Iterator[str]:
        """How q and the rates of free joints differ from MuJoCo's."""
        for kind, rates in _RATES.items():
            names = [link.joint.name for link in self.links if link.joint.kind is kind]
            if names:
                yield f"{kind.value} joints ({', '.join(names)}): {_ORDER}; {rates}"


def _difference(one: Vector, other: Vector) -> Vector:
    x, y, z = (constant(a.constant({}) - b.constant({})) for a, b in zip(one, other, strict=True))
    return x, y, z


def _moved(pose: Pose, shift: Vector) -> Pose:
    """The pose after a shift along the axes it leads to; to 18 decimals where angles are no multiples of π."""
    amounts = [entry.constant({}) for entry in shift]
    if not any(amounts):
        return pose
    x, y, z = (
        constant(_short(sum((entry * amount for entry, amount in zip(row, amounts, strict=True)), start.constant({}))))
        for row, start in zip(matrix(turns_of(pose.rpy)), pose.xyz, strict=True)
    )
    return Pose((x, y, z), pose.rpy)


def _short(value: Exact) -> Exact:
    if value.rational is not None or len(value.plain()) < _LONG:
        return value
    return Exact.of(Fraction(round(value.midpoint() * 10**RAW_PLACES), 10**RAW_PLACES))
