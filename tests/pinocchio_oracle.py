"""Pinocchio as the outside oracle: a model built from the rows of a robot's table, and cases with what it expects.

Joints are `JointModelRZ` and `JointModelPZ`, placed by the rows; nothing is shared with `symgen.verify`. Pinocchio
wants the joints of a subtree to have consecutive indices, so a tree is built depth first and its coordinates are
permuted.

`cases(robot)` is the helper for testing any back end: inputs, and the expected values by function name; `worst_error`
says how far a result is from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from symgen.robot.model import BASE, JointKind, Link, Placement, Robot

ARGUMENTS = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "inertia_matrix": ("q",),
    "coriolis_torque": ("q", "qd"),
    "gravity_torque": ("q",),
    "bias_torque": ("q", "qd"),
    "forward_dynamics": ("q", "qd", "tau"),
}

SINGULAR = 1e12
"""Condition number of the weighted inertia matrix beyond which accelerations are not determined."""


@dataclass(frozen=True)
class Cases:
    """Random states of a robot, each array (states, n), and Pinocchio's values by the name of the function.

    `expected` lacks forward_dynamics where the inertia matrix is singular.
    """

    robot: Robot
    inputs: dict[str, np.ndarray]
    expected: dict[str, np.ndarray]

    def arguments(self, function: str) -> list[np.ndarray]:
        """The arguments of a function, in order, batched."""
        return [self.inputs[name] for name in ARGUMENTS[function]]

    def worst_error(self, function: str, found: np.ndarray) -> float:
        """The largest norm-wise error over the states: max|found - expected| / max|expected|.

        Forces that are small or zero count against a thousandth of the robot's largest force. Accelerations are
        weighted by √M_jj, and divided by κ / 1e4 where the condition number κ of the weighted matrix exceeds 1e4.
        """
        expected = self.expected[function]
        assert found.shape == expected.shape
        if not np.isfinite(found).all():
            return np.inf
        if function == "forward_dynamics":
            return float(self._acceleration_errors(found, expected).max())
        axes = tuple(range(1, expected.ndim))
        scale = np.abs(expected).max(axis=axes)
        if function != "inertia_matrix":
            scale = np.maximum(scale, 1e-3 * np.abs(self.expected["inverse_dynamics"]).max())
        return float((np.abs(found - expected).max(axis=axes) / np.where(scale > 0, scale, 1)).max())

    def _acceleration_errors(self, found: np.ndarray, expected: np.ndarray) -> np.ndarray:
        roots, condition = _weights(self.expected["inertia_matrix"])
        error = np.abs(roots * (found - expected)).max(axis=1) / np.abs(roots * expected).max(axis=1)
        return error / np.maximum(1, condition / 1e4)


def _weights(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """√M_jj (states, n), and the condition numbers (states,) of M_ij / √(M_ii M_jj)."""
    roots = np.sqrt(np.maximum(np.diagonal(matrix, axis1=1, axis2=2), 1e-300))
    return roots, np.linalg.cond(matrix / roots[:, :, None] / roots[:, None, :])


def cases(robot: Robot, states: int = 4, seed: int = 0) -> Cases:
    """`states` random states of `robot` and what Pinocchio computes at them."""
    generator = np.random.default_rng(seed)
    model = Model(robot)
    reach = [np.pi if joint.kind is JointKind.REVOLUTE else 0.5 for joint in robot.joints]
    q, qd, qdd = (size * generator.uniform(-1, 1, (states, robot.nv)) for size in (reach, 2, 5))
    tau = np.array([model.inverse_dynamics(*state) for state in zip(q, qd, 2 * qdd[::-1], strict=True)])
    inputs = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
    expected = {
        name: np.array([getattr(model, name)(*state) for state in zip(*(inputs[key] for key in keys), strict=True)])
        for name, keys in ARGUMENTS.items()
    }
    if _weights(expected["inertia_matrix"])[1].max() > SINGULAR:
        del expected["forward_dynamics"]
    return Cases(robot, inputs, expected)


class Model:
    """A robot in Pinocchio; arrays (n,) in the order of the robot's coordinates, SI units."""

    def __init__(self, robot: Robot) -> None:
        self.model = pin.Model()
        self.model.gravity.linear = np.array([_number(robot, entry) for entry in robot.gravity])
        self._order = _build(self.model, robot)
        self._data = self.model.createData()

    def inverse_dynamics(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
        return self._back(pin.rnea(self.model, self._data, *self._permuted(q, qd, qdd)))

    def bias_torque(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return self._back(pin.nonLinearEffects(self.model, self._data, *self._permuted(q, qd)))

    def gravity_torque(self, q: np.ndarray) -> np.ndarray:
        return self._back(pin.computeGeneralizedGravity(self.model, self._data, *self._permuted(q)))

    def coriolis_torque(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        q, qd = self._permuted(q, qd)
        return self._back(pin.computeCoriolisMatrix(self.model, self._data, q, qd) @ qd)

    def forward_dynamics(self, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> np.ndarray:
        return self._back(pin.aba(self.model, self._data, *self._permuted(q, qd, tau)))

    def inertia_matrix(self, q: np.ndarray) -> np.ndarray:
        upper = np.triu(pin.crba(self.model, self._data, *self._permuted(q)))
        return self._back(self._back(upper + np.triu(upper, 1).T).T)

    def frame(self, link: str, q: np.ndarray) -> np.ndarray:
        """The transform (4, 4) from the frame of a link's row to the base frame."""
        pin.framesForwardKinematics(self.model, self._data, *self._permuted(q))
        return self._data.oMf[self.model.getFrameId(link)].homogeneous

    def _permuted(self, *arrays: np.ndarray) -> list[np.ndarray]:
        return [array[self._order] for array in arrays]

    def _back(self, array: np.ndarray) -> np.ndarray:
        result = np.empty_like(array)
        result[self._order] = array
        return result


# the model ------------------------------------------------------------------------------------------------


def _build(model: pin.Model, robot: Robot) -> list[int]:
    """Add the links, depth first; for every coordinate of the model, the index of the robot's."""
    coordinates = {index: iq.start for index, iq, _ in robot.coordinates()}
    places = {BASE: (0, _pose(robot, robot.base))}
    order = []
    for index in _depth_first(robot, BASE):
        link = robot.links[index]
        joint, frame = places[link.parent]
        before, after = _split(robot, link)
        if link.joint.kind is JointKind.FIXED:
            place = frame * before * after
        else:
            kind = pin.JointModelRZ() if link.joint.kind is JointKind.REVOLUTE else pin.JointModelPZ()
            joint = model.addJoint(joint, kind, frame * before, link.joint.name)
            order.append(coordinates[index])
            place = after
        places[index] = (joint, place)
        model.appendBodyToJoint(joint, _inertia(robot, link), place)
        model.addFrame(pin.Frame(link.name, joint, 0, place, pin.FrameType.OP_FRAME))
    return order


def _depth_first(robot: Robot, parent: int) -> Iterator[int]:
    for index, link in enumerate(robot.links):
        if link.parent == parent:
            yield index
            yield from _depth_first(robot, index)


def _split(robot: Robot, link: Link) -> tuple[pin.SE3, pin.SE3]:
    """The row's transforms before and after the joint's motion along or about z, which its constants on z join."""
    row = link.row
    a, alpha, b, theta, gamma, before = (
        _number(robot, entry) for entry in (row.a, row.alpha, row.b, row.theta, row.gamma, row.before)
    )
    offset = _number(robot, link.joint.offset)
    turns = link.joint.kind is JointKind.REVOLUTE
    on_z = _about(2, theta + offset * turns) * _along(2, b + offset * (not turns))
    if robot.convention == "standard":
        return on_z, _along(0, a) * _about(0, alpha)
    return _about(2, gamma) * _along(2, before) * _about(0, alpha) * _along(0, a) * on_z, pin.SE3.Identity()


def _inertia(robot: Robot, link: Link) -> pin.Inertia:
    xx, yy, zz, xy, xz, yz = (_number(robot, entry) for entry in link.inertia.tensor)
    com = np.array([_number(robot, entry) for entry in link.inertia.com])
    mass = _number(robot, link.inertia.mass)
    axes = _pose(robot, link.inertia.axes).rotation
    tensor = axes @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes.T
    if link.inertia.about_origin:
        tensor = tensor + mass * pin.skew(com) @ pin.skew(com)
    return pin.Inertia(mass, com, tensor)


def _pose(robot: Robot, placement: Placement) -> pin.SE3:
    result = pin.SE3.Identity()
    for part in placement:
        result = result * (_about if part.rotates else _along)(part.axis, _number(robot, part.amount))
    return result


def _about(axis: int, angle: float) -> pin.SE3:
    return pin.SE3((pin.utils.rotate("xyz"[axis], angle)), np.zeros(3))


def _along(axis: int, length: float) -> pin.SE3:
    return pin.SE3(np.eye(3), length * np.eye(3)[axis])


def _number(robot: Robot, expression) -> float:
    return float(expression.constant(robot.defaults))
