"""Makes tests/data/loops/suspension.json: reference values for the library's `suspension`, made without symgen.

Five bodies in maximal coordinates: 30 Newton-Euler equations with a multiplier for every constraint, in the chassis's
axes, about the mass centres. Positions are in closed form: two equations A cos x + B sin x = C, one after the other.
Velocities and accelerations are square solves of all 30 constraints. Pinocchio's `constraintDynamics` over a spanning
tree with two point contacts, and the balance of power, are the second and the third method; the largest relative
difference is written into the file.

    python tests/benchmarks/suspension_reference.py
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

OUT = Path(__file__).parents[1] / "data" / "loops" / "suspension.json"
X, Y, Z = np.eye(3)
GRAVITY = -9.81 * Z
PIVOT, TOP, RACK = np.array([0, 0.36, 0.25]), np.array([-0.02, 0.57, 0.83]), np.array([-0.14, 0.33, 0.27])
STRUT = 0.45
BALL_OF_ARM, BALL_OF_HUB = np.array([0, 0.33, 0]), np.array([0.01, 0.02, -0.17])
END_OF_ARM, TIE_ROD = np.array([-0.13, -0.02, -0.12]), 0.312
WHEEL = np.array([0, 0.13, -0.1])
STIFFNESS, REST, DAMPING = 24000.0, -0.14, 1400.0
TYRE, RADIUS = 200000.0, 0.33
TRAVEL, DURATION = 0.06, 2.0
STRUT_DRIVE = 28
ARM_BODY, STRUT_BODY, HUB, RACK_BODY, ROD = range(5)
MASS = np.array([3.2, 1.6, 34.0, 1.2, 0.7])
COM = np.array([[-0.02, 0.17, 0], [0, 0, -0.18], [0, 0.1, -0.06], [0, -0.33, 0], [0, TIE_ROD / 2, 0]])
INERTIA = np.array(
    [
        np.diag([0.03, 0.012, 0.04]),
        np.diag([0.02, 0.02, 8e-4]),
        [[0.78, 0, 0], [0, 1.09, -0.065], [0, -0.065, 0.77]],
        np.diag([0.04, 1e-4, 0.04]),
        np.diag([6e-3, 3.5e-5, 6e-3]),
    ]
)


def turned(axis: np.ndarray, angle: float) -> np.ndarray:
    """The rotation about a unit vector."""
    c, s = np.cos(angle), np.sin(angle)
    return c * np.eye(3) + s * np.cross(np.eye(3), axis) + (1 - c) * np.outer(axis, axis)


def shortest(start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The rotation from one unit vector to another about the line across both."""
    v, c = np.cross(start, end), start @ end
    tensor = np.cross(np.eye(3), v)
    return np.eye(3) + tensor + tensor @ tensor / (1 + c)


def root(a: float, b: float, c: float) -> float:
    """The smaller angle x with a cos x + b sin x = c."""
    middle, half = np.arctan2(b, a), np.arccos(c / np.hypot(a, b))
    return min((np.angle(np.exp(1j * (middle + sign * half))) for sign in (1, -1)), key=abs)


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


@dataclass(frozen=True)
class Posture:
    """Where the bodies are at `rack` and `strut`: origins and orientations, all in the chassis's axes."""

    rack: float
    strut: float
    arm: float
    origin: np.ndarray
    turn: np.ndarray

    def at(self, body: int, point: np.ndarray) -> np.ndarray:
        return self.origin[body] + self.turn[body] @ point

    @property
    def q(self) -> np.ndarray:
        """The tree's q: arm, the strut's quaternion (x, y, z, w), strut, rack, the tie rod's quaternion."""
        strut, rod = (pin.Quaternion(self.turn[body]).coeffs() for body in (STRUT_BODY, ROD))
        return np.array([self.arm, *strut, self.strut, self.rack, *rod])


def posture(rack: float, strut: float) -> Posture:
    """The arm's angle from the triangle of pivot, ball and strut; the hub's turn from the tie rod's length."""
    ball = BALL_OF_HUB + (strut - STRUT) * Z
    way = PIVOT - TOP
    gap = (ball @ ball - way @ way - BALL_OF_ARM @ BALL_OF_ARM) / 2
    arm = root(way[1] * BALL_OF_ARM[1], way[2] * BALL_OF_ARM[1], gap)
    arm_turn = turned(X, arm)
    line = way + arm_turn @ BALL_OF_ARM
    axis, first = unit(line), shortest(unit(ball), unit(line))
    end, rack_end = first @ (END_OF_ARM + (strut - STRUT) * Z), RACK + rack * Y - TOP
    along, across = (end @ axis) * axis, end - (end @ axis) * axis
    gap = (end @ end + rack_end @ rack_end - TIE_ROD**2) / 2 - along @ rack_end
    hub = turned(axis, root(across @ rack_end, np.cross(axis, across) @ rack_end, gap)) @ first
    hub_origin = TOP + hub @ ((strut - STRUT) * Z)
    rod = shortest(Y, unit(hub_origin + hub @ END_OF_ARM - TOP - rack_end))
    origin = np.array([PIVOT, TOP, hub_origin, RACK + rack * Y, RACK + rack * Y])
    return Posture(rack, strut, arm, origin, np.array([arm_turn, hub, hub, np.eye(3), rod]))


class Equations:
    """Constraints J v = b and J a = c of the twists (velocity of the mass centre, ω) of all bodies, in a posture.

    Drives are constraints too: their multipliers are the forces of strut and rack, in this order.
    """

    def __init__(self, p: Posture) -> None:
        self.p = p
        self.rows: list[np.ndarray] = []
        self.rest: list[np.ndarray] = []  # of J a, as functions of v: what accelerations are where a = 0
        self.centres = np.array([p.at(body, COM[body]) for body in range(5)])
        self._point(ARM_BODY, None, p.origin[ARM_BODY], np.eye(3))
        self._turning(ARM_BODY, None, (Y, Z))
        self._point(STRUT_BODY, None, p.origin[STRUT_BODY], np.eye(3))
        axes = p.turn[STRUT_BODY]
        self._turning(HUB, STRUT_BODY, np.eye(3))
        self._sliding(HUB, STRUT_BODY, axes[:, :2].T)
        self._turning(RACK_BODY, None, np.eye(3))
        self._sliding(RACK_BODY, None, (X, Z))
        self._point(ROD, RACK_BODY, p.origin[ROD], np.eye(3))
        self.first_cut = len(self.rows)
        self._point(HUB, ARM_BODY, p.at(HUB, BALL_OF_HUB), np.eye(3))
        self._point(HUB, ROD, p.at(HUB, END_OF_ARM), np.eye(3))
        self._turning(ROD, None, (p.turn[ROD] @ Y,))
        self._sliding(HUB, STRUT_BODY, (axes[:, 2],))
        self._sliding(RACK_BODY, None, (Y,))
        self.J = np.array(self.rows)

    def _velocity_row(self, body: int | None, point: np.ndarray, axis: np.ndarray) -> np.ndarray:
        row = np.zeros(30)
        if body is not None:
            row[6 * body : 6 * body + 3] = axis
            row[6 * body + 3 : 6 * body + 6] = np.cross(point - self.centres[body], axis)
        return row

    def _centripetal(self, body: int | None, point: np.ndarray, v: np.ndarray) -> np.ndarray:
        if body is None:
            return np.zeros(3)
        w = v[6 * body + 3 : 6 * body + 6]
        return np.cross(w, np.cross(w, point - self.centres[body]))

    def _point(self, body: int, other: int | None, point: np.ndarray, axes) -> None:
        """A point of a body is one of another, or of the chassis."""
        for axis in axes:
            self.rows.append(self._velocity_row(body, point, axis) - self._velocity_row(other, point, axis))
            self.rest.append(
                lambda v, axis=axis: axis @ (self._centripetal(body, point, v) - self._centripetal(other, point, v))
            )

    def _turning(self, body: int, other: int | None, axes) -> None:
        """A body does not turn about axes, which are fixed in the chassis or, all three, anywhere."""
        for axis in axes:
            row = np.zeros(30)
            row[6 * body + 3 : 6 * body + 6] = axis
            if other is not None:
                row[6 * other + 3 : 6 * other + 6] = -axis
            self.rows.append(row)
            # The spin of the tie rod: d/dt (ω · y) = α · y + ω · (ω × y), whose last term is 0; so are all others.
            self.rest.append(lambda v: 0.0)

    def _sliding(self, body: int, other: int | None, axes) -> None:
        """How the point of `other` at the body's origin moves off it, along axes that `other` carries."""
        point = self.p.origin[body]
        for axis in axes:
            self.rows.append(self._velocity_row(body, point, axis) - self._velocity_row(other, point, axis))

            def rest(v: np.ndarray, axis=axis) -> float:
                if other is None:
                    return axis @ self._centripetal(body, point, v)
                w = v[6 * other + 3 : 6 * other + 6]
                centre = v[6 * body : 6 * body + 3] - v[6 * other : 6 * other + 3]
                moved = centre + np.cross(w, self.centres[other] - self.centres[body])  # as `other` sees it: same ω
                shift = self._centripetal(body, point, v) - self._centripetal(other, point, v)
                return axis @ (shift - 2 * np.cross(w, moved))

            self.rest.append(rest)

    def driven(self, values: np.ndarray) -> np.ndarray:
        return np.concatenate([np.zeros(28), values])

    def twists(self, rates: np.ndarray) -> np.ndarray:
        """v, 30, at given rates of strut and rack."""
        return np.linalg.solve(self.J, self.driven(rates))

    def bias(self, v: np.ndarray) -> np.ndarray:
        return np.array([rest(v) for rest in self.rest])

    def inertia(self) -> np.ndarray:
        matrix = np.zeros((30, 30))
        for k in range(5):
            turn = self.p.turn[k]
            matrix[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = MASS[k] * np.eye(3)
            matrix[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = turn @ INERTIA[k] @ turn.T
        return matrix

    def loads(self, v: np.ndarray, tyre: float) -> np.ndarray:
        """Gravity, gyroscopic moments, the tyre's vertical force at the wheel's centre, spring and damper."""
        force, M = np.zeros(30), self.inertia()
        for k in range(5):
            w, block = v[6 * k + 3 : 6 * k + 6], slice(6 * k + 3, 6 * k + 6)
            force[6 * k : 6 * k + 3] = MASS[k] * GRAVITY
            force[block] = -np.cross(w, M[block, block] @ w)
        force += tyre * self._velocity_row(HUB, self.p.at(HUB, WHEEL), Z)
        strut = self.J[STRUT_DRIVE]
        force -= strut * (STIFFNESS * (self.p.strut - REST) + DAMPING * (strut @ v))
        return force

    def solved(self, rates, tyre, accelerations=(None, None), forces=(None, None)):
        """(strut's and rack's accelerations, their forces, all 30 accelerations, multipliers): one of each is given."""
        v = self.twists(rates)
        matrix = np.block([[self.inertia(), -self.J.T], [self.J, np.zeros((30, 30))]])
        right = np.concatenate([self.loads(v, tyre), self.driven(np.zeros(2)) - self.bias(v)])
        for index, (acceleration, force) in enumerate(zip(accelerations, forces, strict=True)):
            row = 58 + index
            if acceleration is not None:
                right[row] += acceleration
            else:
                matrix[row], right[row] = np.eye(60)[row], force
        found = np.linalg.solve(matrix, right)
        a, multipliers = found[:30], found[30:]
        return (self.J @ a + self.bias(v))[28:], multipliers[28:], a, multipliers

    def tree(self, v: np.ndarray) -> np.ndarray:
        """The tree's rates, 9, at all twists, or its accelerations at those of which nothing but ω enters."""
        w = v.reshape(5, 6)[:, 3:]
        rates = self.J[28:] @ v
        strut, rod = self.p.turn[STRUT_BODY].T @ w[STRUT_BODY], self.p.turn[ROD].T @ w[ROD]
        return np.array([w[ARM_BODY] @ X, *strut, *rates, *rod])


def tyre_force(p: Posture) -> float:
    """A vertical spring below the wheel's centre."""
    return TYRE * (RADIUS - p.at(HUB, WHEEL)[2])


# the second method -----------------------------------------------------------------------------------


class Tree:
    """Pinocchio's model of the spanning tree, with point contacts for the cut joints; the tie rod may spin."""

    def __init__(self) -> None:
        model = pin.Model()
        model.gravity.linear = GRAVITY
        placed = lambda xyz: pin.SE3(np.eye(3), np.asarray(xyz, dtype=float))  # noqa: E731  # shorter than a function
        arm = model.addJoint(0, pin.JointModelRX(), placed(PIVOT), "arm")
        strut = model.addJoint(0, pin.JointModelSpherical(), placed(TOP), "mount")
        hub = model.addJoint(strut, pin.JointModelPZ(), placed(-STRUT * Z), "strut")
        rack = model.addJoint(0, pin.JointModelPY(), placed(RACK), "rack")
        rod = model.addJoint(rack, pin.JointModelSpherical(), placed(np.zeros(3)), "rod")
        for body, joint in enumerate((arm, strut, hub, rack, rod)):
            model.appendBodyToJoint(joint, pin.Inertia(MASS[body], COM[body], INERTIA[body]), pin.SE3.Identity())
        self.contacts, self.datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        for joint, end, other in ((arm, BALL_OF_ARM, BALL_OF_HUB), (rod, TIE_ROD * Y, END_OF_ARM)):
            ends = joint, placed(end), hub, placed(other)
            self.contacts.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *ends, pin.LOCAL))
            self.datas.append(self.contacts[-1].createData())
        self.wheel = model.addFrame(pin.Frame("wheel", hub, placed(WHEEL), pin.FrameType.OP_FRAME))
        self.model, self.data = model, model.createData()

    def accelerations(self, q, qd, forces, tyre: float) -> np.ndarray:
        """q̈, 9, where strut and rack are pushed by forces, drives of the strut not counted."""
        model, data = self.model, self.data
        J = pin.computeFrameJacobian(model, data, q, self.wheel, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        tau = tyre * J[2]
        tau[4:6] += forces
        tau[4] -= STIFFNESS * (q[5] - REST) + DAMPING * qd[4]
        pin.initConstraintDynamics(model, data, self.contacts, self.datas)
        settings = pin.ProximalSettings(1e-15, 1e-12, 20)
        return pin.constraintDynamics(model, data, q, qd, tau, self.contacts, self.datas, settings)


# the file --------------------------------------------------------------------------------------------


class Differences:
    """The largest differences found, each relative to the largest entry of its array."""

    def __init__(self) -> None:
        self.found: dict[str, float] = {}

    def compare(self, name: str, one: np.ndarray, other: np.ndarray, least: float = 0.0) -> None:
        one, other = np.asarray(one), np.asarray(other)
        error = float(np.abs(one - other).max() / max(np.abs(one).max(), np.abs(other).max(), least))
        self.found[name] = max(error, self.found.get(name, 0.0))


def record(p: Posture, rates, accelerations, tree: Tree, differences: Differences) -> dict[str, object]:
    """All reference values of a state; with the tyre's force or, where the key says so, without."""
    equations, tyre = Equations(p), tyre_force(p)
    v = equations.twists(rates)
    ends = [(ARM_BODY, BALL_OF_ARM, BALL_OF_HUB), (ROD, TIE_ROD * Y, END_OF_ARM)]
    differences.compare(
        "closure", np.zeros(3), [p.at(b, own) - p.at(HUB, end) for b, own, end in ends], float(np.linalg.norm(TOP))
    )
    _, free, a, _ = equations.solved(rates, 0.0, accelerations)
    _, forces, _, reactions = equations.solved(rates, tyre, accelerations)
    qd, qdd = equations.tree(v), equations.tree(a)
    qdd[4:6] = accelerations
    found = tree.accelerations(p.q, qd, forces, tyre)
    differences.compare("accelerations, Pinocchio", qdd, found)
    kinetic, M = v @ equations.inertia() @ a, equations.inertia()
    turning = sum(
        v[6 * k + 3 : 6 * k + 6]
        @ np.cross(v[6 * k + 3 : 6 * k + 6], M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] @ v[6 * k + 3 : 6 * k + 6])
        for k in range(5)
    )
    differences.compare("power", kinetic + turning, np.dot(forces, rates) + (equations.loads(v, tyre)) @ v, 100.0)
    (bump,), (rack,) = _hybrid(equations, rates, tyre, accelerations[1])
    cut = equations.first_cut
    wrench = np.concatenate([np.zeros(3), p.turn[HUB].T @ (tyre * Z)])
    unit = [equations.solved(np.zeros(2), 0.0, each)[1] for each in ((0, 0), (1, 0), (0, 1))]
    return {
        "q": p.q,
        "qd": rates,
        "qdd": accelerations,
        "tree_qd": qd,
        "tree_qdd": qdd,
        "tau": free,
        "inertia": np.array([unit[1] - unit[0], unit[2] - unit[0]]).T,
        "tau_given": free,
        "qdd_found": accelerations,
        "wheel_wrench": wrench,
        "tau_with_wrench": forces,
        "strut_acceleration": bump,
        "rack_force": rack,
        "forces_at_cuts": reactions[cut : cut + 6].reshape(2, 3),
    }


def _hybrid(equations: Equations, rates, tyre: float, rack: float):
    """The strut's acceleration where nothing but spring and damper acts in it, and the force that moves the rack."""
    found, forces, *_ = equations.solved(rates, tyre, (None, rack), (0.0, None))
    return found[:1], forces[1:]


def drive(t: float) -> tuple[float, float, float]:
    """The rack's sine: its position, velocity and acceleration."""
    w = 2 * np.pi / DURATION
    return TRAVEL * np.sin(w * t), TRAVEL * w * np.cos(w * t), -TRAVEL * w * w * np.sin(w * t)


def motion(times: np.ndarray) -> np.ndarray:
    """The strut's position and velocity at times; at first the wheel is at rest where it would stay so, rack in the
    middle."""

    def slope(t: float, state: np.ndarray) -> np.ndarray:
        rack, rate, acceleration = drive(t)
        p = posture(rack, state[0])
        (bump,), _ = _hybrid(Equations(p), (state[1], rate), tyre_force(p), acceleration)
        return np.array([state[1], bump])

    found = solve_ivp(slope, (0, times[-1]), [at_rest(), 0.0], "DOP853", times, rtol=1e-12, atol=1e-14)
    return found.y.T


def at_rest() -> float:
    """Where spring and tyre carry the wheel."""

    def bump(strut: float) -> float:
        p = posture(0.0, strut)
        return _hybrid(Equations(p), (0.0, 0.0), tyre_force(p), 0.0)[0][0]

    return brentq(bump, -0.05, 0.05, xtol=1e-15)


def main() -> None:
    tree, differences, chance = Tree(), Differences(), np.random.default_rng(2009)
    states = []
    for _ in range(12):
        rack, strut = chance.uniform(-0.06, 0.06), chance.uniform(-0.03, 0.03)
        rates, accelerations = chance.uniform(-0.6, 0.6, 2), chance.uniform(-8, 8, 2)
        states.append(record(posture(rack, strut), rates, accelerations, tree, differences))
    samples, times = [], np.linspace(0, DURATION, 21)
    for t, (strut, rate) in zip(times, motion(times), strict=True):
        rack, speed, acceleration = drive(t)
        p = posture(rack, strut)
        (bump,), _ = _hybrid(Equations(p), (rate, speed), tyre_force(p), acceleration)
        kept = record(p, np.array([rate, speed]), np.array([bump, acceleration]), tree, differences)
        chosen = ("q", "qd", "qdd", "wheel_wrench", "rack_force", "strut_acceleration", "forces_at_cuts")
        samples.append({"t": t, **{key: kept[key] for key in chosen}})
    about = {
        "about": "random states, and the rack moved by a sine of 0.06 m over 2 s while the strut is free",
        "units": "SI: m, kg, s, rad, N, N m",
        "method": "maximal-coordinate Newton-Euler with all multipliers, closed-form positions; DOP853 at 1e-12",
        "conventions": "q of the tree, quaternions x y z w; qd, qdd, tau of strut and rack; spring and damper act; tau "
        "without the tyre's force, tau_with_wrench with it: wheel_wrench [n; f] at the wheel's centre in the hub's "
        "axes; strut_acceleration, rack_force: rack moved with its qdd, no force in the strut but spring and damper; "
        "forces_at_cuts: on the hub, by arm and tie rod, in the chassis's axes, with the tyre's force",
        "cross_check": differences.found,
        "cross_check_max_rel_error": max(differences.found.values()),
    }
    lists = json.loads(json.dumps({"states": states, "trajectory": samples}, default=lambda value: value.tolist()))
    OUT.write_text(json.dumps(about | lists) + "\n", encoding="utf-8")
    print(json.dumps(about, indent=1))


if __name__ == "__main__":
    main()
