"""The DeNOC block matrices of a robot as numbers in base axes, from the oracle's geometry and textbook formulas.

Twists are [ω; v], wrenches [n; f]. A body is a link that moves, with the fixed links it carries. Articulated inertias
follow Featherstone (Rigid Body Dynamics Algorithms, table 7.1).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from symgen.robot.model import BASE
from symgen.verify.oracle import Oracle


def cross_matrix(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


class Blocks:
    """Bodies at q and q̇ about "origin" O_i, the origin of the frame on the joint axis, or "mass_centre" C_i."""

    def __init__(self, robot, q, qd, reference="origin"):
        oracle, self.qd = Oracle(robot), np.asarray(qd)
        at = oracle.geometry(q)
        links = oracle.bodies
        moving = [k for k, link in enumerate(links) if not link.is_fixed]
        self.n = len(moving)
        self.rotors = oracle.drives.rotors
        carriers = [BASE] * len(links)
        for k, link in enumerate(links):
            carriers[k] = moving.index(k) if k in moving else BASE if link.parent == BASE else carriers[link.parent]
        self.parents = [BASE if links[k].parent == BASE else carriers[links[k].parent] for k in moving]
        joints, self.turns = [], []
        for k in moving:
            joints.append(at.joints[k])
            ((column,),) = (motion.columns for motion in links[k].motions)
            self.turns.append(bool(column.turn))
        self.rotations = [joint[:3, :3] for joint in joints]
        self.axes = list(at.axes)
        self.origins = [joint[:3, 3] for joint in joints]
        own = [[k for k in range(len(links)) if carriers[k] == i] for i in range(self.n)]
        self.masses = [sum(links[k].mass for k in members) for members in own]
        self.points = self.origins
        if reference == "mass_centre":
            self.points = [
                sum(links[k].mass * at.centres[k] for k in members) / mass if mass else origin
                for members, mass, origin in zip(own, self.masses, self.origins, strict=True)
            ]
        self.M = [
            sum(inertia(links[k].mass, at.centres[k] - point, at.inertia[k]) for k in members)
            for members, point in zip(own, self.points, strict=True)
        ]

    def column(self, i):
        """p_i, 6."""
        axis = self.axes[i]
        if not self.turns[i]:
            return np.concatenate([0 * axis, axis])
        return np.concatenate([axis, np.cross(axis, self.points[i] - self.origins[i])])

    def carries(self, j, i):
        while i not in (j, BASE):
            i = self.parents[i]
        return i == j

    def propagation(self, i, j):
        """A_ij, 6×6: what body i's point does if it is fixed to body j."""
        matrix = np.eye(6)
        matrix[3:, :3] = cross_matrix(self.points[j] - self.points[i])
        return matrix

    def block_matrix(self, block):
        matrix = np.zeros((6 * self.n, 6 * self.n))
        for i in range(self.n):
            for j in range(self.n):
                matrix[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] = block(i, j)
        return matrix

    @cached_property
    def N_l(self):  # noqa: N802
        return self.block_matrix(lambda i, j: self.propagation(i, j) if self.carries(j, i) else 0)

    @cached_property
    def N_d(self):  # noqa: N802
        matrix = np.zeros((6 * self.n, self.n))
        for i in range(self.n):
            matrix[6 * i : 6 * i + 6, i] = self.column(i)
        return matrix

    @cached_property
    def N(self):  # noqa: N802
        return self.N_l @ self.N_d

    def spin(self, i):
        """W_i, 6×6."""
        w = cross_matrix((self.N @ self.qd)[6 * i : 6 * i + 3])
        return np.block([[w, np.zeros((3, 3))], [np.zeros((3, 3)), w]])

    def composite(self, i):
        """M̃_i: the masses of all that body i carries."""
        return sum(
            self.propagation(k, i).T @ self.M[k] @ self.propagation(k, i) for k in range(self.n) if self.carries(i, k)
        )

    @cached_property
    def articulated(self):
        """(M̂_i, U_i = M̂_i p_i, D_i) of every body, from the tips to the base."""
        inertias = [matrix.copy() for matrix in self.M]
        found = [None] * self.n
        for i in reversed(range(self.n)):
            p = self.column(i)
            U = inertias[i] @ p
            D = p @ U + self.rotors[i]
            found[i] = inertias[i], U, D
            if self.parents[i] != BASE:
                X = self.propagation(i, self.parents[i])
                inertias[self.parents[i]] += X.T @ (inertias[i] - np.outer(U, U) / D) @ X
        return found

    def turned(self, i):
        """diag(R_i, R_i): from the axes of body i to those of the base."""
        return np.kron(np.eye(2), self.rotations[i])


def inertia(mass, arm, tensor):
    """M of a body with the mass centre at `arm` from the reference point and the tensor about the mass centre."""
    c = cross_matrix(arm)
    return np.block([[tensor - mass * c @ c, mass * c], [-mass * c, mass * np.eye(3)]])
