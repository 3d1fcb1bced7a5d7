"""Closed loops cut open into trees: what closes them, in plain NumPy, at states of the references.

A linkage's closure r(q) = 0 has rows A(q), A q̇ = 0. Independent velocities υ give all the tree's by q̇ = G υ with
A G = 0, and q̈ = G υ̇ + d, where A d = −Ȧ q̇. The tree's forces are S τ + Aᵀ f, with f the force at a cut on the side that
r counts as positive, so that Gᵀ takes τ from them: Gᵀ S = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

Record = Mapping[str, object]


@dataclass(frozen=True)
class Closure:
    """A linkage at a configuration q of its tree: `gap` (c) is r, `rows` (c, nv) are A, `bias`: q̇ → Ȧ q̇ (c)."""

    q: np.ndarray
    gap: np.ndarray
    rows: np.ndarray
    bias: Callable[[np.ndarray], np.ndarray]

    def solution(self, independent: list[int], right: np.ndarray) -> np.ndarray:
        """x (nv, k) with A x = right (c, k), 0 at the independent velocities."""
        dependent = [k for k in range(self.rows.shape[1]) if k not in independent]
        x = np.zeros((self.rows.shape[1], right.shape[1]))
        x[dependent] = np.linalg.solve(self.rows[:, dependent], right)
        return x

    def transformation(self, independent: list[int]) -> np.ndarray:
        """G (nv, k), the unit matrix at the independent velocities."""
        G = self.solution(independent, -self.rows[:, independent])
        G[independent] = np.eye(len(independent))
        return G

    def drift(self, independent: list[int], qd: np.ndarray) -> np.ndarray:
        """d (nv)."""
        return self.solution(independent, -self.bias(qd)[:, None])[:, 0]


@dataclass(frozen=True)
class Sample:
    """A state of a linkage in the tree's coordinates, as the reference has it.

    `q`, `qd`, `qdd` are the tree's; `tau` are the forces at the independent velocities. `work` (nv) are forces on the
    tree, besides, that do work; `reactions` (nv) all but τ. `expected` holds what only some references have.
    """

    closure: Closure
    independent: list[int]
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    work: np.ndarray
    reactions: np.ndarray
    expected: Mapping[str, np.ndarray]


# planar linkages of rods -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rod:
    """A vector of this length, at the sum of some of the tree's angles and a constant one."""

    length: float
    joints: tuple[int, ...]
    angle: float = 0.0


def planar(q: np.ndarray, loops: Sequence[tuple[Sequence[Rod], Sequence[float]]]) -> Closure:
    """The closure of loops of rods, each the sum of its rods less the vector between its pivots on the base."""
    gap, rows, squares = [], [], []
    for rods, pivots in loops:
        angles = [q[list(rod.joints)].sum() + rod.angle for rod in rods]
        lengths = np.array([rod.length for rod in rods])
        along = lengths[:, None] * np.array([np.cos(angles), np.sin(angles)]).T
        choices = np.array([[float(k in rod.joints) for k in range(len(q))] for rod in rods])
        gap.append(along.sum(axis=0) - pivots)
        rows.append(np.array([[0, -1], [1, 0]]) @ along.T @ choices)
        squares.append((along, choices))

    def bias(qd: np.ndarray) -> np.ndarray:
        return np.concatenate([-along.T @ (choices @ qd) ** 2 for along, choices in squares])

    return Closure(q, np.concatenate(gap), np.vstack(rows), bias)


def _planar_sample(closure, record, *, qd, qdd, independent, cuts):
    """`cuts`: forces on the positive sides of the loops."""
    reactions = closure.rows.T @ np.concatenate(cuts)
    keys = {"Mc", "hc", "gc", "tau_in", "theta_actuated_dd_fd"} & set(record)
    expected = {key: np.array(record[key]) for key in keys}
    return Sample(closure, independent, qd, qdd, np.array(record["tau"]), np.zeros(len(qd)), reactions, expected)


def fivebar(record: Record) -> Sample:
    """Two legs of two rods that share their end point."""

    def tree(first: str, second: str) -> np.ndarray:
        return np.array([record[first], record[second]], dtype=float).T.ravel()

    q = tree("theta_actuated", "theta2_relative_leg1_leg2")
    rods = [Rod(0.6, (0,)), Rod(1.1, (0, 1)), Rod(-0.7, (2,)), Rod(-1.2, (2, 3))]
    return _planar_sample(
        planar(q, [(rods, (1.2, 0))]),
        record,
        qd=tree("theta_actuated_d", "theta2_d"),
        qdd=tree("theta_actuated_dd", "theta2_dd"),
        independent=[0, 2],
        cuts=[record["force_on_leg1_link2_at_end_point"]],
    )


def rrr3(record: Record) -> Sample:
    """Three legs of two rods and a platform, which the tree's first leg carries; the others are cut off it."""
    *_, turn = record["platform_pose_x_y_theta"]
    first = (0, 1, 2)
    leg = [Rod(0.4, (0,)), Rod(0.6, (0, 1))]
    second = [*leg, Rod(0.4, first), Rod(-0.4, (3,)), Rod(-0.6, (3, 4))]
    third = [*leg, Rod(0.4, first, np.pi / 3), Rod(-0.4, (5,)), Rod(-0.6, (5, 6))]

    def tree(actuated: str, passive: str, platform: float) -> np.ndarray:
        (a, b, c), (d, e, f) = record[actuated], record[passive]
        return np.array([a, d, platform - a - d, b, e, c, f])

    q = tree("theta_actuated", "theta4_5_6_relative", turn)
    return _planar_sample(
        planar(q, [(second, (1, 0)), (third, (0.5, np.sqrt(3) / 2))]),
        record,
        qd=tree("theta_actuated_d", "theta4_5_6_d", record["platform_twist"][2]),
        qdd=tree("theta_actuated_dd", "theta4_5_6_dd", record["platform_acc"][2]),
        independent=[0, 3, 5],
        cuts=record["force_on_platform_at_vertices"][1:],
    )


# the RSSR linkage ------------------------------------------------------------------------------------------

CRANK, COUPLER, ROCKER = 0.05, 0.11, 0.1
PIVOT = np.array([-0.13, -0.02, -0.02036])
Z = np.array([0.0, 0.0, 1.0])
CRANK_AXES = np.array([[1, 0, 0], [0, np.cos(np.pi / 6), -0.5], [0, 0.5, np.cos(np.pi / 6)]])


def turn(quaternion: Sequence[float]) -> np.ndarray:
    """The rotation matrix of a unit quaternion w, x, y, z."""
    w, vector = quaternion[0], np.array(quaternion[1:])
    cross = np.cross(np.eye(3), vector)
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def about_z(angle: float) -> np.ndarray:
    """The rotation matrix of a turn about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


class Rssr:
    """The linkage at a state: crank 1, coupler 2 on a spherical joint, rocker 3; all vectors in the fixed axes.

    The coupler's spin about itself is free, or such that its z stays at right angles to the rocker's axis.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        relative = record["euler_B21_phi5_text"]
        first = CRANK_AXES @ about_z(record["psi"])
        self.turned, third = first @ turn(relative), about_z(record["theta"])
        self.z1, self.to_A, self.to_B = first[:, 2], CRANK * first[:, 0], COUPLER * self.turned[:, 0]
        self.rocker = ROCKER * third[:, 0]
        self.q = np.array([record["psi"], *relative[1:], relative[0], record["theta"]])
        self.velocities = np.zeros((3, 3, 5))  # ω of the links by q̇
        self.velocities[0, :, 0] = self.velocities[1, :, 0] = self.z1
        self.velocities[1, :, 1:4] = self.turned
        self.velocities[2, :, 4] = Z

    def closure(self, *, spins: bool) -> Closure:
        """At cut B, and of the coupler's spin unless it is free."""
        w1, w2, w3 = self.velocities
        across = np.cross(self.turned[:, 2], Z)
        rows = self._moved(w1, self.to_A) + self._moved(w2, self.to_B) - self._moved(w3, self.rocker)
        gap = PIVOT + self.to_A + self.to_B - self.rocker
        if not spins:
            rows, gap = np.vstack([rows, across @ w2]), np.append(gap, self.turned[2, 2])
        return Closure(self.q, gap, rows, lambda qd: self._bias(qd)[: len(gap)])

    @staticmethod
    def _moved(rates: np.ndarray, arm: np.ndarray) -> np.ndarray:
        return np.cross(rates, arm, axis=0)

    def _bias(self, qd: np.ndarray) -> np.ndarray:
        w1, w2, w3 = self.velocities @ qd
        rate = np.cross(w1, w2)  # of ω2 where q̈ = 0
        parts = [
            np.cross(w1, np.cross(w1, self.to_A)),
            np.cross(rate, self.to_B) + np.cross(w2, np.cross(w2, self.to_B)),
            -np.cross(w3, np.cross(w3, self.rocker)),
        ]
        z2 = self.turned[:, 2]
        return np.append(sum(parts), (np.cross(rate, z2) + np.cross(w2, np.cross(w2, z2))) @ Z)

    def sample(self, variant: str) -> Sample:
        """The state with the coupler's spin and the moment at B of a variant of the model.

        `hooke`: the spin is bound by a moment that does no work; `paper`: by one along the coupler, which does;
        `free_spin`: there is neither spin nor moment.
        """
        record, solved = self.record, self.record[variant]
        closure = self.closure(spins=variant == "free_spin")
        w1, w2 = self.z1 * record["psid"], np.array(solved["omega2"])
        rate = np.array(solved["alpha2"]) - self.z1 * record["psidd"] - np.cross(w2, w2 - w1)
        moment = np.array(solved["moment_on_2_at_B"]) @ (self.velocities[1] - self.velocities[2])
        force = np.array(solved["force_on_2_at_B_fixed_frame"]) @ closure.rows[:3]
        free = variant == "free_spin"
        return Sample(
            closure,
            [0, 1] if free else [0],
            qd=np.array([record["psid"], *self.turned.T @ (w2 - w1), record["thetad"]]),
            qdd=np.array([record["psidd"], *self.turned.T @ rate, record["thetadd"]]),
            tau=np.array([solved["tau"], 0.0] if free else [solved["tau"]]),
            work=moment if variant == "paper" else np.zeros(5),
            reactions=force + moment,
            expected={} if variant == "paper" else {"effective_inertia": np.array(solved["effective_inertia"])},
        )


SYSTEMS: Mapping[str, tuple[str, Callable[[Record], Sample]]] = {
    "fivebar": ("fivebar", fivebar),
    "rrr3": ("rrr3", rrr3),
    "rssr, hooke": ("rssr", lambda record: Rssr(record).sample("hooke")),
    "rssr, paper": ("rssr", lambda record: Rssr(record).sample("paper")),
    "rssr, free spin": ("rssr", lambda record: Rssr(record).sample("free_spin")),
}
"""Linkage → the name of its tree's files, and what makes a sample of a record of the reference."""
