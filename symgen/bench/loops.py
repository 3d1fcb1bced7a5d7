"""Robots with loops as other libraries take them: a tree, points or frames of it that are one, and consistent states.

Libraries tie points to points and frames to frames. A revolute cut joint is one such point where the tree and the other
joints leave no more to tie, as in planar loops, and else two on its axis. A rod may become a link that next to nothing
weighs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from symgen.bench.joints import Floats, PlainJoint, PlainTree
from symgen.robot.loops import CutKind
from symgen.robot.model import BASE, CutJoint, Frame, Robot
from symgen.verify.geometry import number, pose
from symgen.verify.loops.constraints import Constraints
from symgen.verify.oracle import Oracle
from symgen.verify.transforms import shift

ROD = 1e-10
"""Mass of a rod, kg: mass matrices must not be singular."""

RANK = 1e-9
"""Singular values below this share of the largest count as 0."""

_ACROSS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""The second frame of a rod's universal joint in the first: the same x, along the rod, and z along its y."""


@dataclass(frozen=True)
class Closing:
    """What is one: the origins of two places (4, 4) on joints (indices, or -1) or, if `whole`, all of the frames."""

    joints: tuple[int, int]
    places: tuple[Floats, Floats]
    whole: bool = False


@dataclass(frozen=True)
class Rod:
    """A rod between two places (4, 4) on joints (indices, or -1).

    At all states it is turned by `angles` about z and y of the first, whose x is along it at the first state; these
    have `rates`; both are (states, 2).
    """

    joints: tuple[int, int]
    places: tuple[Floats, Floats]
    length: float
    angles: Floats
    rates: Floats

    def links(self, carrier: int, index: int) -> tuple[PlainJoint, PlainJoint]:
        """It as two joints, the first of which gets this index, on their carrier."""
        still, tensor = np.zeros(3), ROD * self.length**2 / 12 * np.diag([0.0, 1.0, 1.0])
        middle = np.array([self.length / 2, 0.0, 0.0])
        return (
            PlainJoint(carrier, True, self.places[0][:3, :3], self.places[0][:3, 3], 0.0, still, np.zeros((3, 3))),
            PlainJoint(index, True, _ACROSS, still, ROD, middle, tensor),
        )


@dataclass(frozen=True)
class Loops:
    """A tree, what closes its loops, and states (states, nq or nv) of all of it.

    `independent`: indices of the rates that are independent. `lacks` says what has no counterpart, if something has
    none; `remarks` what stands for what.
    """

    joints: tuple[PlainJoint, ...]
    closings: tuple[Closing, ...]
    independent: tuple[int, ...]
    q: Floats
    v: Floats
    a: Floats
    tau: Floats
    rods: tuple[Rod, ...] = ()
    lacks: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def nv(self) -> int:
        """Number of the tree's rates."""
        return int(self.v.shape[1])


def loops_of(tree: PlainTree, oracle: Oracle, q: Floats, v: Floats, a: Floats, tau: Floats) -> Loops:
    """The robot of the oracle, which has the ends of cut joints as frames, at states q, q̇ and q̈ of its tree.

    `tau`: forces of the independent joints.
    """
    robot = oracle.robot
    forces = np.zeros_like(v)
    forces[:, list(robot.independent)] = tau
    found = Loops(tree.joints, (), robot.independent, q, v, a, forces, lacks=_lacking(robot))
    if found.lacks:
        return found
    constraints = Constraints(oracle, q, v)
    two = not _points_suffice(robot, constraints)
    ends = {cut: [_end(robot, tree, frame) for frame in (cut.predecessor, cut.successor)] for cut in robot.cut_joints}
    closings = [each for cut in ends if cut.kind is not CutKind.ROD for each in _closings(cut, ends[cut], two=two)]
    rods = tuple(_rod(cut, ends[cut], constraints) for cut in ends if cut.kind is CutKind.ROD)
    return replace(found, closings=tuple(closings), rods=rods, remarks=tuple(_remarks(robot, two=two)))


def _lacking(robot: Robot) -> str:
    taken = (CutKind.SPHERICAL, CutKind.FIXED, CutKind.REVOLUTE, CutKind.ROD)
    others = [f"the cut joint {cut.name} is {cut.kind.value}" for cut in robot.cut_joints if cut.kind not in taken]
    others += [f"the coupling {coupling.name} ties coordinates" for coupling in robot.couplings]
    others += [f"{cut.name} is a rod on the base" for cut in robot.cut_joints if _is_on_base(cut)]
    others += [f"the spin of {robot.links[spin.link].name} is held by no constraint of theirs" for spin in robot.spins]
    return others[0] if others else ""


def _is_on_base(cut: CutJoint) -> bool:
    return cut.kind is CutKind.ROD and cut.predecessor.link == BASE


def _remarks(robot: Robot, *, two: bool) -> list[str]:
    kinds = {cut.kind for cut in robot.cut_joints}
    texts = {
        CutKind.SPHERICAL: "spherical cut joints are point constraints",
        CutKind.FIXED: "fixed cut joints are constraints of frames",
        CutKind.REVOLUTE: f"revolute cut joints are {'two point constraints' if two else 'one point constraint'} each",
        CutKind.ROD: f"rods are links of {ROD:g} kg on universal joints with a point constraint (MuJoCo: tendons)",
    }
    return [text for kind, text in texts.items() if kind in kinds]


def _points_suffice(robot: Robot, constraints: Constraints) -> bool:
    """Whether the angles that revolute cut joints keep follow from their points and all other constraints."""
    A, start = constraints.jacobian.value, 0
    rows: list[int] = []
    for cut in robot.cut_joints:
        size = len(cut.kind.shifts) if cut.kind is CutKind.REVOLUTE else cut.kind.size
        rows += range(start, start + size)
        start += cut.kind.size
    rows += range(start, A.shape[-2])
    ranks = [np.linalg.matrix_rank(matrix, rtol=RANK).max() for matrix in (A, np.take(A, rows, axis=-2))]
    return bool(ranks[0] == ranks[1])


def _end(robot: Robot, tree: PlainTree, frame: Frame) -> tuple[int, Floats]:
    """The joint that carries a frame, and the frame in that joint's, (4, 4)."""
    joint, place = (BASE, pose(robot.base, robot)) if frame.link == BASE else tree.places[frame.link]
    return joint, place @ pose(frame.placement, robot)


def _closings(cut: CutJoint, ends: Sequence[tuple[int, Floats]], *, two: bool) -> list[Closing]:
    (first, second), (here, there) = ((end[0] for end in ends), (end[1] for end in ends))
    closing = Closing((first, second), (here, there), whole=cut.kind is CutKind.FIXED)
    if cut.kind is not CutKind.REVOLUTE or not two:
        return [closing]
    return [closing, replace(closing, places=(here @ shift(2, 1.0), there @ shift(2, 1.0)))]


# rods ----------------------------------------------------------------------------------------------------


def _rod(cut: CutJoint, ends: Sequence[tuple[int, Floats]], constraints: Constraints) -> Rod:
    """The rod at all states: its direction as its first end sees it gives its angles, its rate theirs."""
    (carrier, here), (other, there) = ends
    near, far = constraints.end(cut.predecessor), constraints.end(cut.successor)
    length = number(cut.length, constraints.robot)
    way, speed = (far.origin - near.origin) / length, (far.velocity - near.velocity) / length
    axes = np.swapaxes(near.axes, -1, -2)
    way, speed = ((axes @ each[..., None])[..., 0] for each in (way, speed - np.cross(near.spin, way)))
    start = _along(way[0])
    (x, y, z), (dx, dy, dz) = (way @ start[:3, :3]).T, (speed @ start[:3, :3]).T
    level = np.hypot(x, y)
    angles, rates = [np.arctan2(y, x), -np.arctan2(z, level)], [(x * dy - y * dx) / level**2, -dz / level]
    return Rod((carrier, other), (here @ start, there), length, np.stack(angles, -1), np.stack(rates, -1))


def _along(direction: Floats) -> Floats:
    """A turn (4, 4) that takes x onto a direction."""
    other = np.eye(3)[np.abs(direction).argmin()]
    z = np.cross(direction, other)
    result = np.eye(4)
    result[:3, 0], result[:3, 2] = direction / np.linalg.norm(direction), z / np.linalg.norm(z)
    result[:3, 1] = np.cross(result[:3, 2], result[:3, 0])
    return result


def with_rods(loops: Loops) -> Loops:
    """The tree with its rods as links, each right after the joint that carries it, so that branches have no gaps."""
    if not loops.rods:
        return loops
    grown = _Grown(loops)
    for index in range(len(loops.joints)):
        grown.take(index)
        for rod in loops.rods:
            if rod.joints[0] == index:
                grown.add(rod)
    return grown.made()


class _Grown:
    """A tree while joints are taken over and rods added: where joints and rates came to be."""

    def __init__(self, loops: Loops) -> None:
        self._loops = loops
        self._starts = np.cumsum([(0, 0), *((joint.nq, joint.nv) for joint in loops.joints)], axis=0)
        self._joints: list[PlainJoint] = []
        self._moved, self._rates = {BASE: BASE}, dict[int, int]()
        self._columns: list[list[Floats]] = []
        self._tips: list[tuple[Rod, int]] = []

    def take(self, index: int) -> None:
        """The joint of that index."""
        joint, loops = self._loops.joints[index], self._loops
        self._moved[index] = len(self._joints)
        self._joints.append(replace(joint, parent=self._moved[joint.parent]))
        (q, v), (q_end, v_end) = self._starts[index : index + 2]
        self._rates |= {int(k): int(k) + 2 * len(self._tips) for k in range(v, v_end)}
        self._columns.append([loops.q[:, q:q_end], *(each[:, v:v_end] for each in (loops.v, loops.a, loops.tau))])

    def add(self, rod: Rod) -> None:
        """The rod, on a joint taken; what it weighs asks for no acceleration."""
        self._joints += rod.links(self._moved[rod.joints[0]], len(self._joints))
        still = np.zeros_like(rod.rates)
        self._columns.append([rod.angles, rod.rates, still, still])
        self._tips.append((rod, len(self._joints) - 1))

    def made(self) -> Loops:
        """The whole."""
        closings = [
            replace(each, joints=(self._moved[each.joints[0]], self._moved[each.joints[1]]))
            for each in self._loops.closings
        ]
        for rod, tip in self._tips:
            places = (shift(0, rod.length), rod.places[1])
            closings.append(Closing((tip, self._moved[rod.joints[1]]), places))
        q, v, a, tau = (np.ascontiguousarray(np.hstack(parts)) for parts in zip(*self._columns, strict=True))
        own = tuple(self._rates[k] for k in self._loops.independent)
        return Loops(tuple(self._joints), tuple(closings), own, q, v, a, tau)
