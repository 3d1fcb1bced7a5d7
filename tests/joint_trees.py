"""Random trees of all kinds of joints, some of which follow others, and the same trees in Pinocchio.

Links stand in the order in which Pinocchio numbers joints (a link's branch is finished before the next begins). The
Pinocchio model has every joint of its own; `Twin` carries states to it and forces back.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pinocchio as pin

from symgen.robot.expression import ONE, ZERO, constant
from symgen.robot.model import BASE, Elementary, Inertia, Joint, JointKind, Link, Mimic, Placed, Robot
from symgen.robot.placement import Pose

GRAVITY = (1, 2, Fraction(-981, 100))

SCREWS = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC, JointKind.HELICAL)
KINDS = tuple(kind for kind in JointKind if kind.nv)


def tree(seed: int, joints: int, kinds=KINDS, *, mimics: bool = False) -> Robot:
    """A random tree with this many joints."""
    chance = np.random.default_rng(seed)
    parents: list[int] = []
    for index in range(joints):
        ancestors, k = [BASE], index - 1
        while k != BASE:
            ancestors.append(k)
            k = parents[k]
        parents.append(int(chance.choice([*ancestors[::-1][:2], ancestors[-1]])))
    links = [
        _link(chance, f"link{index + 1}", parent, kinds[chance.integers(len(kinds))])
        for index, parent in enumerate(parents)
    ]
    if mimics:
        links = _following(chance, links)
    return Robot(f"tree{seed}", "", "", "placed", tuple(map(constant, GRAVITY)), (), tuple(links))


def _number(chance, low, high):
    return constant(Fraction(int(1000 * chance.uniform(low, high)), 1000))


def _link(chance, name, parent, kind):
    arms = tuple(chance.normal(size=(4, 3)))
    points = np.array(arms) * 0.2
    mass = np.full(4, chance.uniform(0.2, 1))
    centre = points.mean(axis=0)
    tensor = sum(
        m * ((p - centre) @ (p - centre) * np.eye(3) - np.outer(p - centre, p - centre))
        for m, p in zip(mass, points, strict=True)
    )
    entries = [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    exact = lambda value: constant(Fraction(round(value * 10**6), 10**6))  # noqa: E731
    inertia = Inertia(exact(mass.sum()), tuple(map(exact, centre)), tuple(map(exact, entries)), about_origin=False)
    xyz, rpy = (tuple(_number(chance, -far, far) for _ in range(3)) for far in (0.5, 1.5))
    pitch = _number(chance, 0.02, 0.3) if kind is JointKind.HELICAL else ZERO
    placed = Placed(xyz, rpy, (ZERO, ZERO, ONE))
    joint = Joint(f"joint_{name}", kind, ZERO, pitch=pitch)
    return Link(name, parent, joint, Pose(xyz, rpy).placement(), (), inertia, None, placed)


def _following(chance, links):
    """Some joints of one coordinate follow the first of them."""
    free = [index for index, link in enumerate(links) if link.joint.kind in SCREWS]
    result = list(links)
    for index in free[1:]:
        if chance.uniform() < 0.6:
            ratio = Fraction(int(chance.integers(1, 6)) * int(chance.choice((-1, 1))), int(chance.integers(1, 5)))
            mimic = Mimic(links[free[0]].joint.name, constant(ratio), _number(chance, -1, 1))
            joint = replace(links[index].joint, mimic=mimic)
            shift = (Elementary(False, 2, joint.shift),)
            result[index] = replace(links[index], joint=joint, before=links[index].before + shift)
    return result


def number(expression) -> float:
    """The value of a constant."""
    return float(expression.constant({}))


def _placement(parts):
    result = pin.SE3.Identity()
    for part in parts:
        amount, axis = number(part.amount), np.eye(3)[part.axis]
        turned = pin.AngleAxis(amount, axis).matrix() if part.rotates else np.eye(3)
        result = result * pin.SE3(turned, np.zeros(3) if part.rotates else amount * axis)
    return result


def _composite(*models):
    joint = pin.JointModelComposite()
    for model in models:
        joint.addJoint(model)
    return joint


MODELS = {
    JointKind.REVOLUTE: lambda joint: pin.JointModelRZ(),
    JointKind.CONTINUOUS: lambda joint: pin.JointModelRZ(),
    JointKind.PRISMATIC: lambda joint: pin.JointModelPZ(),
    JointKind.HELICAL: lambda joint: pin.JointModelHelicalUnaligned(np.array([0.0, 0, 1]), number(joint.pitch)),
    JointKind.CYLINDRICAL: lambda joint: _composite(pin.JointModelRZ(), pin.JointModelPZ()),
    JointKind.UNIVERSAL: lambda joint: _composite(pin.JointModelRX(), pin.JointModelRY()),
    JointKind.SPHERICAL_ZYX: lambda joint: pin.JointModelSphericalZYX(),
    JointKind.TRANSLATION: lambda joint: pin.JointModelTranslation(),
    JointKind.SPHERICAL: lambda joint: pin.JointModelSpherical(),
    JointKind.PLANAR: lambda joint: pin.JointModelPlanar(),
    JointKind.FLOATING: lambda joint: pin.JointModelFreeFlyer(),
}


class Twin:
    """A tree in Pinocchio, with `G` (nv of Pinocchio × nv) of the joints that follow others."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.model = pin.Model()
        self.model.gravity.linear[:] = [float(entry) for entry in GRAVITY]
        joints: list[int] = []
        for link in robot.links:
            carrier = 0 if link.parent == BASE else joints[link.parent]
            # What a joint that follows another slides at q = 0 is its offset's, which stands in Pinocchio's q.
            place = _placement(link.before if link.joint.mimic is None else link.before[:-1])
            joints.append(self.model.addJoint(carrier, MODELS[link.joint.kind](link.joint), place, link.name))
            xx, yy, zz, xy, xz, yz = map(number, link.inertia.tensor)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            centre = np.array([number(entry) for entry in link.inertia.com])
            inertia = pin.Inertia(number(link.inertia.mass), centre, tensor)
            self.model.appendBodyToJoint(joints[-1], inertia, pin.SE3.Identity())
        self.joints = joints
        self.data = self.model.createData()
        self.G = np.zeros((self.model.nv, robot.nv))
        row = 0
        for link, (_, _, v) in zip(robot.links, robot.coordinates(), strict=True):
            nv = link.joint.nv
            self.G[row : row + nv, v] = np.eye(nv) * float(link.joint.ratio)
            row += nv

    def q(self, q):
        """Pinocchio's configuration."""
        entries: list[float] = []
        for link, (_, own, _) in zip(self.robot.links, self.robot.coordinates(), strict=True):
            values, mimic = q[own], link.joint.mimic
            if mimic is not None:
                values = values * float(link.joint.ratio) + number(mimic.offset)
            if link.joint.kind is JointKind.PLANAR:
                values = [values[0], values[1], np.cos(values[2]), np.sin(values[2])]
            entries += list(values)
        return np.array(entries)


def state(robot: Robot, seed: int):
    """Random q, with unit quaternions, q̇, q̈ and τ."""
    chance = np.random.default_rng(seed)
    q = chance.uniform(-1, 1, robot.nq)
    for _, own, _ in robot.coordinates():
        if own.stop - own.start >= 4:
            q[own.stop - 4 : own.stop] /= np.linalg.norm(q[own.stop - 4 : own.stop])
    return q, *chance.uniform(-1, 1, (3, robot.nv))
