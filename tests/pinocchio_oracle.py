"""Pinocchio as the outside oracle: a model built from the rows of a robot's table, and cases with what it expects.

Joints are `JointModelRZ` and its like, placed by the rows, a cylindrical one an RZ with a PZ on it; nothing is shared
with `symgen.verify`. Pinocchio
wants the joints of a subtree to have consecutive indices, so a tree is built depth first and its coordinates are
permuted.

`cases(robot)` is the helper for testing any back end: inputs, and the expected values by function name; `worst_error`
says how far a result is from them. `full_cases(robot, setting)` is the same for every function, with run-time gravity,
external wrenches, frames and axes as the setting has them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np
import pinocchio as pin

from symgen.robot.joints import ANGLE
from symgen.robot.model import BASE, Joint, JointKind, Link, Placement, Robot
from symgen.verify.setting import Setting

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
    reach = [np.pi if each.measure is ANGLE else 0.5 for each in robot.velocities]
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


SOLVED = {
    "forward_dynamics": ["accelerations"],
    "inverse_inertia_matrix": ["inverse"],
    "forward_dynamics_derivatives": ["accelerations", "accelerations", "inverse"],
}
"""What the arrays of functions are that solve with the inertia matrix."""


@dataclass(frozen=True)
class FullCases:
    """Random states, and Pinocchio's arrays by the name of the function; `arguments` are a function's, in order."""

    robot: Robot
    arguments: dict[str, list[np.ndarray]]
    expected: dict[str, list[np.ndarray]]
    inertia: np.ndarray

    def worst_error(self, function: str, found: object, floor: float = 1e-3) -> float:
        """The largest norm-wise error over states and arrays: max|found - expected| / max|expected|.

        What is small counts against a share, `floor`, of the largest over all states, or of 1 in SI units. What solves
        with the inertia matrix is weighted by √M_jj, and divided by κ / 1e4 where its condition number κ exceeds 1e4.
        """
        arrays = [np.asarray(array) for array in (found if isinstance(found, tuple) else (found,))]
        expected = self.expected[function]
        assert [array.shape for array in arrays] == [array.shape for array in expected]
        kinds = SOLVED.get(function, [""] * len(expected))
        return max(self._error(*entry, floor) for entry in zip(kinds, arrays, expected, strict=True))

    def _error(self, kind: str, found: np.ndarray, expected: np.ndarray, floor: float) -> float:
        roots, condition = _weights(self.inertia)
        if kind == "accelerations":
            weights = roots.reshape(*roots.shape, *[1] * (expected.ndim - 2))
            found, expected = weights * found, weights * expected
        elif kind == "inverse":
            found, expected = (roots[:, :, None] * matrix * roots[:, None, :] for matrix in (found, expected))
        axes = tuple(range(1, expected.ndim))
        norms = np.abs(expected).max(axis=axes)
        scale = np.maximum(norms, floor * max(norms.max(), 1))
        errors = np.abs(found - expected).max(axis=axes) / scale
        if kind:
            errors = errors / np.maximum(1, condition / 1e4)
        return float(errors.max()) if np.isfinite(errors).all() else np.inf


def full_cases(robot: Robot, setting: Setting, states: int = 100, seed: int = 0) -> FullCases:
    """`states` random states of `robot` in this setting, rounded to its real type, and what Pinocchio computes.

    udu_factors are left out: their products are compared with the inertia matrix by the tests.
    """
    inputs = _inputs(robot, setting, states, seed)
    model = Model(robot)
    gravity = ["gravity"] if setting.gravity else []
    wrenches = [name for name, _ in setting.wrenches]
    frames = [frame for frame, _ in setting.frames]
    arguments: dict[str, list[np.ndarray]] = {}
    expected: dict[str, list[np.ndarray]] = {}

    def add(name: str, compute, state: list[str], extra: list[str] = (), loads: list[str] = ()) -> None:
        arguments[name] = [inputs[key] for key in (*state, *extra, *loads)]
        results = []
        for index in range(states):
            options = {"gravity": inputs["gravity"][index]} if extra else {}
            if loads:
                options["loads"] = [(frame, inputs[key][index]) for key, frame in setting.wrenches]
            values = compute(*(inputs[key][index] for key in state), **options)
            results.append(values if isinstance(values, tuple) else (values,))
        expected[name] = [np.array(arrays) for arrays in zip(*results, strict=True)]

    add("inverse_dynamics", model.inverse_dynamics, ["q", "qd", "qdd"], gravity, wrenches)
    add("inertia_matrix", model.inertia_matrix, ["q"])
    add("center_of_mass", model.center_of_mass, ["q"])
    add("center_of_mass_jacobian", model.center_of_mass_jacobian, ["q"])
    add("centroidal_momentum", model.centroidal_momentum, ["q", "qd"])
    add("centroidal_momentum_matrix", model.centroidal_momentum_matrix, ["q"])
    add("joint_wrench", model.joint_wrench, ["q", "qd", "qdd"], gravity, wrenches)
    add("coriolis_torque", model.coriolis_torque, ["q", "qd"])
    add("gravity_torque", model.gravity_torque, ["q"], gravity)
    add("bias_torque", model.bias_torque, ["q", "qd"], gravity)
    add("forward_dynamics", model.forward_dynamics, ["q", "qd", "tau"], gravity, wrenches)
    add("coriolis_matrix", model.coriolis_matrix, ["q", "qd"])
    add("inverse_inertia_matrix", model.inverse_inertia_matrix, ["q"])
    add("kinetic_energy", model.kinetic_energy, ["q", "qd"])
    add("potential_energy", model.potential_energy, ["q"], gravity)
    add("inverse_dynamics_derivatives", model.inverse_dynamics_derivatives, ["q", "qd", "qdd"], gravity, wrenches)
    add("forward_dynamics_derivatives", model.forward_dynamics_derivatives, ["q", "qd", "tau"], gravity, wrenches)
    if setting.regressor:
        add("regressor", functools.partial(model.regressor, setting.regressor), ["q", "qd", "qdd"], gravity)
    add("forward_kinematics", lambda q: tuple(model.frame(frame, q) for frame in frames), ["q"])
    for frame, identifier in setting.frames:
        suffix = f"_{identifier}" if len(frames) > 1 else ""
        at = functools.partial
        where = {"frame": frame, "axes": setting.axes}
        add(f"jacobian{suffix}", at(model.jacobian, **where), ["q"])
        add(f"jacobian_dot{suffix}", at(model.jacobian_dot, **where), ["q", "qd"])
        add(f"jacobian_dot_velocity{suffix}", at(model.jacobian_dot_velocity, **where), ["q", "qd"])
    return FullCases(robot, arguments, expected, expected["inertia_matrix"][0])


def _inputs(robot: Robot, setting: Setting, states: int, seed: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    reach = [np.pi if each.measure is ANGLE else 0.5 for each in robot.velocities]
    sizes = {"q": reach, "qd": 2, "qdd": 5, "tau": 20}
    inputs = {name: size * generator.uniform(-1, 1, (states, robot.nv)) for name, size in sizes.items()}
    inputs["gravity"] = 10 * generator.uniform(-1, 1, (states, 3))
    inputs |= {name: 10 * generator.uniform(-1, 1, (states, 6)) for name, _ in setting.wrenches}
    return {name: np.asarray(array, dtype=setting.real).astype(float) for name, array in inputs.items()}


REFERENCES = {"base": pin.LOCAL_WORLD_ALIGNED, "frame": pin.LOCAL}
"""Axes of Jacobians as Pinocchio calls them."""

Loads = Sequence[tuple[str, np.ndarray]]


class Model:
    """A robot in Pinocchio; arrays (n,) in the order of the robot's coordinates, SI units.

    Rotor inertia is Pinocchio's armature; friction and springs, which Pinocchio has not, are added here. Loads are
    (frame, wrench) pairs, moment and force of the environment on the frame, in its axes. Twists are [ω; v].
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.model = pin.Model()
        self._gravity = np.array([_number(robot, entry) for entry in robot.gravity])
        self._order = _build(self.model, robot)
        drives = [each.joint.drive for each in robot.velocities]
        rotors = np.array([_number(robot, d.rotor_inertia) * _number(robot, d.gear_ratio) ** 2 for d in drives])
        self.model.armature = rotors[self._order]
        self._frames = _add_frames(self.model, robot)
        self._data = self.model.createData()

    def inverse_dynamics(self, q, qd, qdd, gravity=None, loads: Loads = ()) -> np.ndarray:
        self._pull(gravity)
        forces = pin.rnea(self.model, self._data, *self._permuted(q, qd, qdd), self._external(loads))
        return self._back(forces) + self.drives(q, qd)

    def drives(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        forces = []
        for drive, x, rate in zip(self._terms(), q, qd, strict=True):
            direction = np.tanh(rate / drive["smoothing"]) if drive["smoothing"] else np.sign(rate)
            levels = [1 / (1 + np.exp(-drive["slope"] * (v + drive["shift"]))) for v in (rate, 0)]
            friction = (
                drive["viscous"] * rate + drive["coulomb"] * direction + drive["sigmoid"] * (levels[0] - levels[1])
            )
            forces.append(friction + drive["stiffness"] * (x - drive["rest"]))
        return np.array(forces)

    def _terms(self) -> list[dict[str, float]]:
        drives = (each.joint.drive for each in self.robot.velocities)
        return [
            {each.name: _number(self.robot, getattr(drive, each.name)) for each in fields(drive)} for drive in drives
        ]

    def bias_torque(self, q: np.ndarray, qd: np.ndarray, gravity=None) -> np.ndarray:
        self._pull(gravity)
        return self._back(pin.nonLinearEffects(self.model, self._data, *self._permuted(q, qd)))

    def gravity_torque(self, q: np.ndarray, gravity=None) -> np.ndarray:
        self._pull(gravity)
        return self._back(pin.computeGeneralizedGravity(self.model, self._data, *self._permuted(q)))

    def coriolis_torque(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        q, qd = self._permuted(q, qd)
        return self._back(pin.computeCoriolisMatrix(self.model, self._data, q, qd) @ qd)

    def forward_dynamics(self, q, qd, tau, gravity=None, loads: Loads = ()) -> np.ndarray:
        self._pull(gravity)
        state = self._permuted(q, qd, tau - self.drives(q, qd))
        return self._back(pin.aba(self.model, self._data, *state, self._external(loads)))

    def friction_slope(self, qd: np.ndarray) -> np.ndarray:
        slopes = []
        for drive, rate in zip(self._terms(), qd, strict=True):
            smoothing, slope = drive["smoothing"], drive["slope"]
            steepness = (1 - np.tanh(rate / smoothing) ** 2) / smoothing if smoothing else 0
            rise = slope / (2 * np.cosh(slope * (rate + drive["shift"]) / 2)) ** 2
            slopes.append(drive["viscous"] + drive["coulomb"] * steepness + drive["sigmoid"] * rise)
        return np.array(slopes)

    def inverse_dynamics_derivatives(self, q, qd, qdd, gravity=None, loads: Loads = ()) -> tuple[np.ndarray, ...]:
        self._pull(gravity)
        state, external = self._permuted(q, qd, qdd), self._external(loads)
        by_q, by_qd, _ = pin.computeRNEADerivatives(self.model, self._data, *state, external)
        springs = np.diag([drive["stiffness"] for drive in self._terms()])
        return self._both(by_q) + springs, self._both(by_qd) + np.diag(self.friction_slope(qd))

    def forward_dynamics_derivatives(self, q, qd, tau, gravity=None, loads: Loads = ()) -> tuple[np.ndarray, ...]:
        self._pull(gravity)
        state, external = self._permuted(q, qd, tau - self.drives(q, qd)), self._external(loads)
        by_q, by_qd, inverse = pin.computeABADerivatives(self.model, self._data, *state, external)
        by_q, by_qd, inverse = self._both(by_q), self._both(by_qd), self._symmetric(inverse)
        springs = np.diag([drive["stiffness"] for drive in self._terms()])
        return by_q - inverse @ springs, by_qd - inverse @ np.diag(self.friction_slope(qd)), inverse

    def regressor(self, columns, q, qd, qdd, gravity=None) -> np.ndarray:
        """Columns of links' parameters about the origins of frames on the joint axes."""
        self._pull(gravity)
        Y = pin.computeJointTorqueRegressor(self.model, self._data, *self._permuted(q, qd, qdd))
        Y = Y.reshape(self.robot.nv, -1)
        order = {self.robot.velocities[i].name: k for k, i in enumerate(self._order)}
        result = []
        for number, stem in columns:
            link = self.robot.links[number - 1]
            start = 10 * order[link.joint.coordinate_names[-1]]
            result.append(Y[:, start : start + 10] @ self._unit(link, stem))
        return self._back(np.stack(result, axis=-1))

    def _unit(self, link: Link, stem: str) -> np.ndarray:
        """Pinocchio's ten parameters of a body whose one parameter is 1 about our frame.

        In a standard table Pinocchio's frame here lies further along the axis, by the length b.
        """
        mass, first, tensor = float(stem == "M"), np.zeros(3), np.zeros((3, 3))
        if stem in ("MX", "MY", "MZ"):
            first["XYZ".index(stem[1])] = 1
        elif stem != "M":
            i, j = map("XYZ".index, stem)
            tensor[i, j] = tensor[j, i] = 1
        further = self.robot.convention == "standard"
        p = np.array([0, 0, _number(self.robot, link.row.b) if further else 0])
        tensor = tensor - (2 * (p @ first) * np.eye(3) - np.outer(p, first) - np.outer(first, p))
        tensor = tensor + mass * (p @ p * np.eye(3) - np.outer(p, p))
        first = first - mass * p
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
        return np.array([mass, *first, xx, xy, yy, xz, yz, zz])

    def inertia_matrix(self, q: np.ndarray) -> np.ndarray:
        return self._symmetric(pin.crba(self.model, self._data, *self._permuted(q)))

    def inverse_inertia_matrix(self, q: np.ndarray) -> np.ndarray:
        return self._symmetric(pin.computeMinverse(self.model, self._data, *self._permuted(q)))

    def coriolis_matrix(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        C = pin.computeCoriolisMatrix(self.model, self._data, *self._permuted(q, qd))
        return self._back(self._back(C.copy()).T).T

    def kinetic_energy(self, q: np.ndarray, qd: np.ndarray) -> float:
        # Pinocchio 4.1 forgets the armature of joints about other axes than x, y and z here, and only here.
        position, rates = self._permuted(q, qd)
        armature = self.model.armature.copy()
        self.model.armature = 0 * armature
        links = pin.computeKineticEnergy(self.model, self._data, position, rates)
        self.model.armature = armature
        return links + armature @ rates**2 / 2

    def potential_energy(self, q: np.ndarray, gravity=None) -> float:
        self._pull(gravity)
        springs = sum(
            drive["stiffness"] * (x - drive["rest"]) ** 2 / 2 for drive, x in zip(self._terms(), q, strict=True)
        )
        return pin.computePotentialEnergy(self.model, self._data, *self._permuted(q)) + springs

    def center_of_mass(self, q: np.ndarray) -> np.ndarray:
        return pin.centerOfMass(self.model, self._data, *self._permuted(q))

    def center_of_mass_jacobian(self, q: np.ndarray) -> np.ndarray:
        J = pin.jacobianCenterOfMass(self.model, self._data, *self._permuted(q))
        return self._back(J.reshape(3, -1).T).T

    def centroidal_momentum(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        h = pin.computeCentroidalMomentum(self.model, self._data, *self._permuted(q, qd))
        return np.concatenate([h.angular, h.linear])

    def centroidal_momentum_matrix(self, q: np.ndarray) -> np.ndarray:
        return self._columns(pin.computeCentroidalMap(self.model, self._data, *self._permuted(q)))

    def joint_wrench(self, q, qd, qdd, gravity=None, loads: Loads = ()) -> np.ndarray:
        """About the frames on the joints' axes, the last of those that make one joint."""
        self._pull(gravity)
        pin.rnea(self.model, self._data, *self._permuted(q, qd, qdd), self._external(loads))
        moving = [link for link in self.robot.links if link.joint.nv]
        forces = [self._data.f[self.model.getJointId(link.joint.coordinate_names[-1])] for link in moving]
        places = [self._on_axis(link) for link in moving]
        return np.array([_rows(place.actInv(force)) for place, force in zip(places, forces, strict=True)])

    def _on_axis(self, link: Link) -> pin.SE3:
        """The frame that the joint moves, without the table's constants on z in a standard table."""
        further = self.robot.convention == "standard"
        return _along(2, -_number(self.robot, link.row.b) if further else 0.0)

    def frame(self, name: str, q: np.ndarray) -> np.ndarray:
        """The transform (4, 4) from a named frame, or that of a link's row, to the base frame."""
        pin.framesForwardKinematics(self.model, self._data, *self._permuted(q))
        return self._data.oMf[self._frames[name]].homogeneous

    def jacobian(self, q: np.ndarray, frame: str, axes: str) -> np.ndarray:
        where = self._frames[frame], REFERENCES[axes]
        return self._columns(pin.computeFrameJacobian(self.model, self._data, *self._permuted(q), *where))

    def jacobian_dot(self, q: np.ndarray, qd: np.ndarray, frame: str, axes: str) -> np.ndarray:
        pin.computeJointJacobiansTimeVariation(self.model, self._data, *self._permuted(q, qd))
        pin.updateFramePlacements(self.model, self._data)
        where = self._frames[frame], REFERENCES[axes]
        return self._columns(pin.getFrameJacobianTimeVariation(self.model, self._data, *where))

    def jacobian_dot_velocity(self, q: np.ndarray, qd: np.ndarray, frame: str, axes: str) -> np.ndarray:
        """In base axes v̇ is the classical acceleration; in the frame's, what is left of it without ω × v."""
        pin.forwardKinematics(self.model, self._data, *self._permuted(q, qd, 0 * qd))
        pin.updateFramePlacements(self.model, self._data)
        get = pin.getFrameClassicalAcceleration if axes == "base" else pin.getFrameAcceleration
        rate = get(self.model, self._data, self._frames[frame], REFERENCES[axes])
        return np.concatenate([rate.angular, rate.linear])

    def _pull(self, gravity: np.ndarray | None) -> None:
        self.model.gravity.linear = self._gravity if gravity is None else gravity

    def _external(self, loads: Loads) -> pin.StdVec_Force:
        forces = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for name, wrench in loads:
            frame = self.model.frames[self._frames[name]]
            forces[frame.parentJoint] += frame.placement.act(pin.Force(wrench[3:], wrench[:3]))
        return pin.StdVec_Force(forces)

    def _symmetric(self, upper: np.ndarray) -> np.ndarray:
        upper = np.triu(upper)
        return self._both(upper + np.triu(upper, 1).T)

    def _both(self, matrix: np.ndarray) -> np.ndarray:
        """A matrix with rows and columns in the robot's order."""
        return self._back(self._back(matrix.reshape(self.robot.nv, -1)).T).T

    def _columns(self, matrix: np.ndarray) -> np.ndarray:
        """A Jacobian with the rows [ω; v] and the columns in the robot's order."""
        return self._back(np.concatenate([matrix[3:], matrix[:3]]).reshape(6, -1).T).T

    def _permuted(self, *arrays: np.ndarray) -> list[np.ndarray]:
        return [array[self._order] for array in arrays]

    def _back(self, array: np.ndarray) -> np.ndarray:
        result = np.empty_like(array)
        result[self._order] = array
        return result


def _rows(force: pin.Force) -> np.ndarray:
    return np.concatenate([force.angular, force.linear])


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
            for number, screw in enumerate(_screws(robot, link.joint)):
                name = link.joint.coordinate_names[number]
                joint = model.addJoint(joint, screw, pin.SE3.Identity() if number else frame * before, name)
                order.append(coordinates[index] + number)
            place = after
        places[index] = (joint, place)
        model.appendBodyToJoint(joint, _inertia(robot, link), place)
        model.addFrame(pin.Frame(link.name, joint, 0, place, pin.FrameType.OP_FRAME))
    return order


def _screws(robot: Robot, joint: Joint) -> list[pin.JointModel]:
    """The joints of Pinocchio that make one of ours, from its carrier outward."""
    pitch, axis = _number(robot, joint.pitch), np.array([0.0, 0, joint.direction])
    turn, slide = pin.JointModelRevoluteUnaligned(axis), pin.JointModelPrismaticUnaligned(axis)
    if joint.direction > 0:
        turn, slide = pin.JointModelRZ(), pin.JointModelPZ()
    return {
        JointKind.REVOLUTE: [turn],
        JointKind.PRISMATIC: [slide],
        JointKind.HELICAL: [pin.JointModelHelicalUnaligned(axis, pitch)],
        JointKind.CYLINDRICAL: [turn, slide],
    }[joint.kind]


def _add_frames(model: pin.Model, robot: Robot) -> dict[str, int]:
    """Name → index of every frame: those of the rows, added by `_build`, and the robot's own, which hide them."""
    frames = {link.name: model.getFrameId(link.name, pin.FrameType.OP_FRAME) for link in robot.links}
    own = {}
    for index, frame in enumerate(robot.frames):
        link = model.frames[frames[robot.links[frame.link].name]]
        place = link.placement * _pose(robot, frame.placement)
        own[frame.name] = model.addFrame(pin.Frame(f"own{index}", link.parentJoint, 0, place, pin.FrameType.OP_FRAME))
    return frames | own


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
    slides = {JointKind.PRISMATIC: 1.0, JointKind.HELICAL: _number(robot, link.joint.pitch)}.get(link.joint.kind, 0)
    turns = link.joint.kind is not JointKind.PRISMATIC
    on_z = _about(2, theta + offset * turns) * _along(2, b + offset * slides)
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
