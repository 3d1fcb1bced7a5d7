"""Random mechanisms: trees with one to three loops of random cut joints, and their equations in Pinocchio and NumPy.

The frames of a cut joint are chosen so that it is closed, to 9 digits, where the tree is in a random state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pinocchio as pin
from joint_trees import SCREWS, Twin, state, tree
from scipy.linalg import qr
from scipy.spatial.transform import Rotation

from symgen.derive.loop_constraints import Constraints
from symgen.mechanics.instantiation import instantiate
from symgen.robot.expression import ZERO, constant
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE, CutJoint, Frame, JointKind, Robot
from symgen.robot.placement import Pose

KINDS = (*SCREWS, JointKind.CYLINDRICAL, JointKind.UNIVERSAL, JointKind.SPHERICAL, JointKind.REVOLUTE)

CUTS = tuple(kind for kind in CutKind if kind is not CutKind.INLINE)
"""Kinds of cut joints that random mechanisms have: the inline one is for planar loops."""


@dataclass(frozen=True)
class End:
    """An end of a cut joint in Pinocchio: its joint there, and where it is on it."""

    joint: int
    place: pin.SE3


class Mechanism:
    """A robot with loops, and its twin in Pinocchio, at a closed q."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.twin = Twin(robot)
        self.model, self.data = self.twin.model, self.twin.data
        self.ends = [tuple(map(self._end, (cut.predecessor, cut.successor))) for cut in robot.cut_joints]

    def _end(self, frame: Frame) -> End:
        place = pin.SE3.Identity()
        for part in frame.placement:
            amount, axis = float(part.amount.constant({})), np.eye(3)[part.axis]
            turned = pin.AngleAxis(amount, axis).matrix() if part.rotates else np.eye(3)
            place = place * pin.SE3(turned, np.zeros(3) if part.rotates else amount * axis)
        return End(0 if frame.link == BASE else self.twin.joints[frame.link], place)

    def constraints(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """φ, A and Ȧ v by the geometry of both ends in the base frame (Haug's dot products)."""
        at = self.twin.q(q)
        pin.forwardKinematics(self.model, self.data, at, v, 0 * v)
        pin.computeJointJacobians(self.model, self.data, at)
        values, rows, rests = [], [], []
        for cut, ends in zip(self.robot.cut_joints, self.ends, strict=True):
            (R, p, J, s), (Q, o, K, r) = (self._seen(end, v) for end in ends)
            way, (w, u) = o - p, (J[3:] @ v, K[3:] @ v)
            gain, jerk = K[:3] @ v - J[:3] @ v, r[:3] - s[:3]
            if cut.kind is CutKind.ROD:
                values.append((way @ way - float(cut.length.constant({})) ** 2) / 2)
                rows.append(way @ (K[:3] - J[:3]))
                rests.append(gain @ gain + way @ jerk)
            for axis in cut.kind.shifts:
                a = R[:, axis]
                values.append(a @ way)
                rows.append(a @ (K[:3] - J[:3]) + np.cross(way, a) @ -J[3:])
                rests.append(
                    a @ jerk + 2 * np.cross(w, a) @ gain + (np.cross(s[3:], a) + np.cross(w, np.cross(w, a))) @ way
                )
            for own, far in cut.kind.angles:
                a, b = R[:, own], Q[:, far]
                values.append(a @ b)
                rows.append(np.cross(a, b) @ (J[3:] - K[3:]))
                change = np.cross(s[3:], a) + np.cross(w, np.cross(w, a))
                other = np.cross(r[3:], b) + np.cross(u, np.cross(u, b))
                rests.append(change @ b + 2 * np.cross(w, a) @ np.cross(u, b) + a @ other)
        return np.array(values), np.array(rows), np.array(rests)

    def _seen(self, end: End, v: np.ndarray):
        """R, p, the Jacobian [v; ω] in base axes at p, and its rate times v."""
        n = self.model.nv
        if end.joint == 0:
            return end.place.rotation, end.place.translation, np.zeros((6, n)), np.zeros(6)
        name = f"end {end.joint} {end.place.translation}"
        index = self.model.getFrameId(name)
        if index == len(self.model.frames):
            index = self.model.addFrame(pin.Frame(name, end.joint, 0, end.place, pin.FrameType.OP_FRAME))
            self.data = self.model.createData()
            raise _NewFrameError
        place = pin.updateFramePlacement(self.model, self.data, index)
        J = pin.getFrameJacobian(self.model, self.data, index, pin.LOCAL_WORLD_ALIGNED)
        rest = pin.getFrameClassicalAcceleration(self.model, self.data, index, pin.LOCAL_WORLD_ALIGNED).vector
        return place.rotation, place.translation, np.array(J), np.array(rest)

    def at(self, q: np.ndarray, v: np.ndarray):
        """The same; frames that are not there yet are added."""
        while True:
            try:
                return self.constraints(q, v)
            except _NewFrameError:
                continue

    def accelerations(self, q: np.ndarray, v: np.ndarray, tau: np.ndarray) -> np.ndarray:
        """The tree's q̈ under its forces τ, nv: equations of motion and constraints, solved at once."""
        _, A, rest = self.at(q, v)
        at = self.twin.q(q)
        M = pin.crba(self.model, self.data, at)
        M = np.triu(M) + np.triu(M, 1).T
        h = pin.rnea(self.model, self.data, at, v, 0 * v)
        n, m = len(M), len(A)
        whole = np.block([[M, A.T], [A, np.zeros((m, m))]])
        return np.linalg.lstsq(whole, np.concatenate([tau - h, -rest]), rcond=1e-13)[0][:n]


class _NewFrameError(Exception):
    """A frame was added, so that everything must be computed anew."""


def mechanism(seed: int) -> Robot | None:
    """A random robot with loops; None where the numbers drawn make none that can be driven."""
    chance = np.random.default_rng(seed)
    open_tree = tree(seed, int(chance.integers(4, 8)), KINDS)
    q = state(open_tree, seed)[0]
    cuts: list[CutJoint] = []
    left = open_tree.nv - 1
    for index in range(int(chance.integers(1, 4))):
        kinds = [kind for kind in CUTS if kind.size <= left]
        if not kinds:
            break
        kind = kinds[chance.integers(len(kinds))]
        cuts.append(_cut(chance, open_tree, q, f"loop{index + 1}", kind))
        left -= kind.size
    names = [each.name for each in open_tree.positions]
    posture = tuple(zip(names, map(_rounded, q), strict=True))
    looped = replace(open_tree, name=f"loops{seed}", cut_joints=tuple(cuts), posture=posture)
    return _driven(looped, q)


def closed(robot) -> np.ndarray:
    """The assembled posture."""
    constraints = Constraints(robot, lambda graph: instantiate(robot, graph))
    start = np.array([float(value.constant({})) for _, value in robot.posture])
    q = constraints.assembled(start, [k for k in range(robot.nv) if k not in robot.independent])
    assert q is not None
    assert np.abs(q - start).max() < 1e-6
    return q


def _cut(chance, robot: Robot, q: np.ndarray, name: str, kind: CutKind) -> CutJoint:
    twin = Twin(robot)
    pin.forwardKinematics(twin.model, twin.data, twin.q(q))
    first, second = chance.choice([BASE, *range(len(robot.links))], 2, replace=False)
    at = [pin.SE3.Identity() if link == BASE else twin.data.oMi[twin.joints[link]] for link in (first, second)]
    place = pin.SE3(pin.rpy.rpyToMatrix(*chance.uniform(-1, 1, 3)), chance.uniform(-0.3, 0.3, 3))
    near = at[1].inverse() * at[0] * place
    free = pin.SE3.Identity()
    if kind is CutKind.PRISMATIC or kind is CutKind.CYLINDRICAL:
        free.translation = np.array([0, 0, 0.1])
    if kind is CutKind.PLANAR:
        free.translation = np.array([0.1, -0.2, 0])
    if kind is CutKind.ROD or kind is CutKind.SPHERICAL:
        free.rotation = pin.rpy.rpyToMatrix(0.3, -0.4, 0.5)
    if kind is CutKind.ROD:
        free.translation = np.array([0.3, 0.2, -0.1])
    if kind is CutKind.UNIVERSAL:  # x of the one at right angles to y of the other
        free.rotation = pin.rpy.rpyToMatrix(0.4, 0, 0) @ pin.rpy.rpyToMatrix(0, 0.3, 0)
    ends = [
        Frame(f"{name}_{k}", int(link), placement(p)) for k, link, p in ((0, first, place), (1, second, near * free))
    ]
    length = ZERO if kind is not CutKind.ROD else _rounded(np.linalg.norm(free.translation))
    return CutJoint(name, kind, *ends, length)


def placement(place: pin.SE3):
    rpy = Rotation.from_matrix(place.rotation).as_euler("xyz")
    return Pose(tuple(map(_rounded, place.translation)), tuple(map(_rounded, rpy))).placement()


def _rounded(value: float):
    return constant(Fraction(round(float(value) * 10**9), 10**9))


def _driven(robot: Robot, q: np.ndarray) -> Robot | None:
    """The robot with as many independent joints as it has freedoms, which determine the others well."""
    _, A, _ = Mechanism(robot).at(q, np.zeros(robot.nv))
    _, R, order = qr(A, pivoting=True)
    sizes = np.abs(np.diagonal(R))
    rank = int((sizes > 1e-6 * sizes[0]).sum())
    if rank < len(A) or sizes[rank - 1] < 0.02 * sizes[0]:
        return None
    independent = set(range(robot.nv)) - set(order[:rank].tolist())
    for _, _, v in robot.coordinates():
        own = set(range(v.start, v.stop))
        if len(own) == 3 and own & independent not in (set(), own):
            return None  # a part of a ball joint cannot be given
    names = tuple(each.name for k, each in enumerate(robot.velocities) if k in independent)
    looped = replace(robot, actuated=names)
    return None if looped.spins else looped
