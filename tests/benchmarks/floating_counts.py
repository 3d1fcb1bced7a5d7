"""Operations of robots on a floating base: symgen's programs, and plain recursions over casadi.SX with its `cse`.

    python tests/benchmarks/floating_counts.py [NAME OF A URDF OF example-robot-data]... [--effort low]

CasADi's recursions are those of `symgen bench` (Newton-Euler, composite and articulated bodies in link frames,
constants 0 and 1 folded), with a floating base: its quaternion is taken to have length 1, where symgen's code divides
by its square; rates, accelerations and forces are as symgen has them. The base's acceleration is solved for by L D Lᵀ.
Every instruction of the function is counted: products and squares are *, sums, negatives and doubles are +. Drives are
left out. Before, both are evaluated at a random state and compared.
"""

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import casadi
import numpy as np
import pinocchio as pin

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from example_robots import Pair, paths

from symgen.bench.cases import PlainJoint, case_of
from symgen.bench.peers import casadi_dynamics as plain
from symgen.derive.derivation import Options, derive
from symgen.program.interpreter import evaluate
from symgen.robot.library import load
from symgen.robot.model import NO_DRIVE

FUNCTIONS = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "inertia_matrix": ("q",),
    "forward_dynamics": ("q", "qd", "tau"),
}

PRODUCTS = (casadi.OP_MUL, casadi.OP_SQ)
SUMS = (casadi.OP_ADD, casadi.OP_SUB, casadi.OP_NEG, casadi.OP_TWICE)
QUOTIENTS = (casadi.OP_DIV, casadi.OP_INV)
TURNS = (casadi.OP_SIN, casadi.OP_COS)
NOTHING = (casadi.OP_INPUT, casadi.OP_OUTPUT, casadi.OP_CONST)


class Floating:
    """The dynamics of a robot on a floating base over casadi.SX; the joints on the base have the parent −1."""

    def __init__(self, name, pair):
        self.case = case_of(load(str(paths()[name])), states=1)
        inertia = pair.model.inertias[1]
        self.base = PlainJoint(-1, True, np.eye(3), np.zeros(3), inertia.mass, inertia.lever, inertia.inertia)
        self.joints, self.n = self.case.joints, len(self.case.joints)

    def function(self, name):
        sizes = {"q": self.n + 7, "qd": self.n + 6, "qdd": self.n + 6, "tau": self.n + 6}
        arguments = [casadi.SX.sym(each, sizes[each]) for each in FUNCTIONS[name]]
        (result,) = casadi.cse([getattr(self, name)(*arguments)])
        return casadi.Function(name, arguments, [result])

    def pull(self, q):
        """Minus gravity in the base's axes."""
        x, y, z, w = (q[k] for k in range(3, 7))
        gx, gy, gz = (-float(entry) for entry in self.case.gravity)
        assert gx == gy == 0
        return gz * plain._vector(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))

    def inverse_dynamics(self, q, qd, qdd):
        path = plain.steps(self.case, q[7:])
        spin, rate = qd[3:6], qdd[3:6]
        start = spin, rate, qdd[:3] + casadi.cross(spin, qd[:3]) + self.pull(q)
        motions, forces, moments = [], [], []
        for k, step in enumerate(path):
            motions.append(
                moved(step, start if step.joint.parent < 0 else motions[step.joint.parent], qd[6 + k], qdd[6 + k])
            )
            force, moment = inertial(step.joint, *motions[k])
            forces.append(force)
            moments.append(moment)
        force, moment = inertial(self.base, *start)
        result = [None] * self.n
        for k in reversed(range(self.n)):
            step = path[k]
            result[k] = moments[k][2] if step.joint.turns else forces[k][2]
            up, turned = step.up(forces[k]), step.up(moments[k])
            arm = turned + casadi.cross(step.place, up)
            if step.joint.parent < 0:
                force, moment = force + up, moment + arm
            else:
                forces[step.joint.parent] += up
                moments[step.joint.parent] += arm
        return casadi.vertcat(force, moment, *result)

    def inertia_matrix(self, q):
        path = plain.steps(self.case, q[7:])
        composites = [plain._about_origin(joint) for joint in self.joints]
        whole = plain._about_origin(self.base)
        matrix = casadi.SX.zeros(self.n + 6, self.n + 6)
        for k in reversed(range(self.n)):
            step, parent = path[k], path[k].joint.parent
            force, moment = plain._column(step, *composites[k])
            if parent < 0:
                whole = plain._merged(whole, step, *composites[k])
            else:
                composites[parent] = plain._merged(composites[parent], step, *composites[k])
            matrix[6 + k, 6 + k] = moment[2] if step.joint.turns else force[2]
            while True:
                force, moment = step.up(force), step.up(moment)
                moment = moment + casadi.cross(step.place, force)
                if parent < 0:
                    break
                step = path[parent]
                matrix[6 + k, 6 + parent] = matrix[6 + parent, 6 + k] = moment[2] if step.joint.turns else force[2]
                parent = step.joint.parent
            column = casadi.vertcat(force, moment)
            matrix[:6, 6 + k], matrix[6 + k, :6] = column, column.T
        mass, first, tensor = whole
        matrix[:3, :3], matrix[3:6, 3:6] = mass * casadi.SX.eye(3), tensor
        matrix[3:6, :3], matrix[:3, 3:6] = plain._skew(first), plain._skew(first).T
        return matrix

    def forward_dynamics(self, q, qd, tau):
        path = plain.steps(self.case, q[7:])
        spin = qd[3:6]
        bodies = rigid(path, spin, qd[6:])
        mass, first, tensor = plain._about_origin(self.base)
        base = plain.Articulated(
            tensor,
            plain._skew(first),
            mass * casadi.SX.eye(3),
            casadi.cross(spin, tensor @ spin),
            plain._square(spin) @ first,
            casadi.SX.zeros(3),
            casadi.SX.zeros(3),
        )
        hinges = []
        for k in reversed(range(self.n)):
            hinge = plain._hinge(path[k], bodies[k], tau[6 + k])
            hinges.append(hinge)
            parent = path[k].joint.parent
            plain._joined(base if parent < 0 else bodies[parent], path[k], bodies[k], hinge)
        hinges.reverse()
        whole = casadi.blockcat([[base.linear, base.mixed.T], [base.mixed, base.angular]])
        start = solved(whole, casadi.vertcat(tau[:3] - base.force, tau[3:6] - base.moment))
        motions, result = [], []
        for step, hinge, body in zip(path, hinges, bodies, strict=True):
            linear, rate = (start[:3], start[3:]) if step.joint.parent < 0 else motions[step.joint.parent][::-1]
            linear = step.down(linear + casadi.cross(rate, step.place)) + body.swung
            rate = step.down(rate) + body.turning
            thrust = hinge.pivot * (hinge.rest - casadi.dot(hinge.top, rate) - casadi.dot(hinge.bottom, linear))
            along = plain._vector(0, 0, thrust)
            motions.append((rate + along, linear) if step.joint.turns else (rate, linear + along))
            result.append(thrust)
        return casadi.vertcat(start[:3] - casadi.cross(spin, qd[:3]) - self.pull(q), start[3:], *result)


def moved(step, carrier, speed, thrust):
    """ω, ω̇ and acceleration of the origin of a joint's frame."""
    spin, rate, linear = carrier
    linear = step.down(linear + (plain._skew(rate) + plain._square(spin)) @ step.place)
    spin, rate, along = step.down(spin), step.down(rate), plain._vector(0, 0, speed)
    if step.joint.turns:
        return spin + along, rate + casadi.cross(spin, along) + plain._vector(0, 0, thrust), linear
    return spin, rate, linear + 2 * casadi.cross(spin, along) + plain._vector(0, 0, thrust)


def inertial(joint, spin, rate, linear):
    """Force and moment that a body's motion needs."""
    mass, first, tensor = plain._about_origin(joint)
    force = mass * linear + (plain._skew(rate) + plain._square(spin)) @ first
    return force, tensor @ rate + casadi.cross(spin, tensor @ spin) + casadi.cross(first, linear)


def rigid(path, start, qd):
    """The bodies alone, carried by a base that turns."""
    spins, made = [], []
    for k, step in enumerate(path):
        joint = step.joint
        carrier = start if joint.parent < 0 else spins[joint.parent]
        before, along = step.down(carrier), plain._vector(0, 0, qd[k])
        crossed, swung = casadi.cross(before, along), step.down(plain._square(carrier) @ step.place)
        spin = before + along if joint.turns else before
        spins.append(spin)
        mass, first, tensor = plain._about_origin(joint)
        made.append(
            plain.Articulated(
                tensor,
                plain._skew(first),
                mass * casadi.SX.eye(3),
                casadi.cross(spin, tensor @ spin),
                plain._square(spin) @ first,
                crossed if joint.turns else casadi.SX.zeros(3),
                swung if joint.turns else swung + 2 * crossed,
            )
        )
    return made


def solved(matrix, right):
    """x of a symmetric system, by L D Lᵀ."""
    n, matrix = matrix.shape[0], casadi.SX(matrix)
    L, pivots, x = casadi.SX.eye(n), [], [right[k] for k in range(n)]
    for k in range(n):
        pivots.append(1 / matrix[k, k])
        for i in range(k + 1, n):
            L[i, k] = matrix[i, k] * pivots[k]
            for j in range(k + 1, i + 1):
                matrix[i, j] -= L[i, k] * matrix[j, k]
            x[i] -= L[i, k] * x[k]
    for k in reversed(range(n)):
        x[k] = x[k] * pivots[k] - sum((L[i, k] * x[i] for i in range(k + 1, n)), casadi.SX(0))
    return casadi.vertcat(*x)


def counted(function):
    """(*, +, /, sines and cosines) of a function."""
    found = Counter(function.instruction_id(k) for k in range(function.n_instructions()))
    kinds = (PRODUCTS, SUMS, QUOTIENTS, TURNS)
    assert not set(found).difference(NOTHING, *kinds)
    return tuple(sum(found[op] for op in kind) for kind in kinds)


def main(names, effort):
    for name in names:
        pair = Pair(paths()[name], "floating", "reduced")
        robot, peer = load(str(paths()[name]), base="floating"), Floating(name, pair)
        links = (replace(link, joint=replace(link.joint, drive=NO_DRIVE)) for link in robot.links)
        robot = replace(robot, links=tuple(links))
        derivation = derive(robot, Options(functions=tuple(FUNCTIONS), effort=effort))
        q = pin.randomConfiguration(pair.model, -np.ones(pair.model.nq), np.ones(pair.model.nq))
        qd, qdd, tau = np.random.default_rng(1).uniform(-1, 1, (3, robot.nv))
        given = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
        for function in derivation.module.functions:
            arguments = {key: given[key] for key in FUNCTIONS[function.name]}
            (mine,) = evaluate(function.program, arguments).values()
            made = peer.function(function.name)
            theirs = np.array(made(*arguments.values())).reshape(mine.shape)
            error = np.abs(mine - theirs).max() / np.abs(mine).max()
            assert error < 1e-8, (name, function.name, error)
            own, other = derivation.counts[function.name], counted(made)
            ratio = (own.mul + own.add) / (other[0] + other[1])
            print(
                f"{name}, nv {robot.nv}, {function.name}: symgen {own.mul} + {own.add} / {own.div} trig {own.trig}, "
                f"CasADi {other[0]} + {other[1]} / {other[2]} trig {other[3]}: {ratio:.2f}; differ by {error:.0e}",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["hyq_no_sensors", "talos_reduced"])
    parser.add_argument("--effort", default="normal")
    chosen = parser.parse_args()
    main(chosen.names, chosen.effort)
