"""Trees of all kinds of joints at a state, and what Pinocchio has for them."""

import numpy as np
import pinocchio as pin
from joint_trees import SCREWS, Twin, state, tree

from symgen.robot.model import JointKind

TREES = [tree(seed, 1 + seed % 5) for seed in range(20)]
TREES += [tree(100 + seed, 2 + seed % 5, (*SCREWS, JointKind.FLOATING), mimics=True) for seed in range(12)]
STEP = 1e-6


class Case:
    """A tree at a state, here and in Pinocchio."""

    def __init__(self, robot, seed=7):
        self.robot, self.twin = robot, Twin(robot)
        self.model, self.data, self.G = self.twin.model, self.twin.data, self.twin.G
        self.state = state(robot, seed)
        self.q, self.qd, self.qdd, self.tau = self.state
        self.at = self.twin.q(self.q)

    def tree_inertia(self, at=None):
        upper = np.triu(pin.crba(self.model, self.data, self.at if at is None else at))
        return upper + np.triu(upper, 1).T

    def expected(self, name):
        G, v, a = self.G, self.G @ self.qd, self.G @ self.qdd
        inertia = G.T @ self.tree_inertia() @ G
        bias = G.T @ pin.nonLinearEffects(self.model, self.data, self.at, v)
        gravity = G.T @ pin.computeGeneralizedGravity(self.model, self.data, self.at)
        match name:
            case "inverse_dynamics":
                return [G.T @ pin.rnea(self.model, self.data, self.at, v, a)]
            case "inertia_matrix":
                return [inertia]
            case "coriolis_torque":
                return [bias - gravity]
            case "gravity_torque":
                return [gravity]
            case "bias_torque":
                return [bias]
            case "forward_dynamics":
                return [np.linalg.solve(inertia, self.tau - bias)]
            case "inverse_inertia_matrix":
                return [np.linalg.inv(inertia)]
            case "kinetic_energy":
                return [np.array([pin.computeKineticEnergy(self.model, self.data, self.at, v)])]
            case "potential_energy":
                return [np.array([pin.computePotentialEnergy(self.model, self.data, self.at)])]
            case "center_of_mass":
                return [pin.centerOfMass(self.model, self.data, self.at)]
            case "center_of_mass_jacobian":
                return [_rows(pin.jacobianCenterOfMass(self.model, self.data, self.at), 3) @ G]
            case "centroidal_momentum":
                return [(self.momentum_matrix() @ v)]
            case "centroidal_momentum_matrix":
                return [self.momentum_matrix() @ G]
            case "joint_wrench":
                pin.rnea(self.model, self.data, self.at, v, a)
                forces = (self.data.f[joint] for joint in self.twin.joints)
                return [np.array([[*force.angular, *force.linear] for force in forces])]
            case "inverse_dynamics_derivatives":
                return self.slopes(lambda q, v: G.T @ pin.rnea(self.model, self.data, q, v, a))
            case "forward_dynamics_derivatives":
                return [*self.slopes(self.accelerations), np.linalg.inv(inertia)]

    def momentum_matrix(self):
        """Angular momentum first, which Pinocchio has last."""
        return _rows(pin.computeCentroidalMap(self.model, self.data, self.at), 6)[[3, 4, 5, 0, 1, 2]]

    def accelerations(self, q, v):
        bias = self.G.T @ pin.nonLinearEffects(self.model, self.data, q, v)
        return np.linalg.solve(self.G.T @ self.tree_inertia(q) @ self.G, self.tau - bias)

    def slopes(self, function):
        """Derivatives by finite differences: Pinocchio's own are those of joints whose columns are constant."""
        v, steps = self.G @ self.qd, STEP * self.G.T
        by_q = [self.difference(lambda step: function(pin.integrate(self.model, self.at, step), v), s) for s in steps]
        by_v = [self.difference(lambda step: function(self.at, v + step), s) for s in steps]
        return [np.array(by_q).T, np.array(by_v).T]

    @staticmethod
    def difference(function, step):
        return (function(step) - function(-step)) / (2 * STEP)


def _rows(matrix, count):
    """A matrix of so many rows: Pinocchio's are vectors where they have one column."""
    return matrix.reshape(count, -1)
