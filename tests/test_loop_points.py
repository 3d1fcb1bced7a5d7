"""Mechanisms of the library against the same bodies as point masses, their constraints written by hand for each.

A body is as heavy, and as hard to turn, as two points on each of its principal axes. Points are functions of the
coordinates; constraints are too, in other terms than the robot files have: the delta's forearms have no joints here.
The equations of motion and the constraints' second derivatives are solved at once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import symgen
from symgen.derive.derivation import Options, derive
from symgen.derive.loop_constraints import Constraints
from symgen.mechanics.instantiation import instantiate
from symgen.program.interpreter import evaluate

STEP = 1e-5
TOLERANCE = 1e-7
GRAVITY = -9.81


def turn(axis: int, angle: complex) -> np.ndarray:
    """The rotation about a coordinate axis; angles may be complex."""
    c, s, one = np.cos(angle), np.sin(angle), [axis, (axis + 1) % 3, (axis + 2) % 3]
    result = np.eye(3, dtype=complex)
    result[np.ix_(one[1:], one[1:])] = [[c, -s], [s, c]]
    return result


def at(*entries: complex) -> np.ndarray:
    return np.array(entries, dtype=complex)


X, Y, Z = range(3)


class Bodies:
    """Masses and places of the points of a robot's links."""

    def __init__(self, robot: symgen.Robot) -> None:
        values = robot.defaults
        self.links = {link.name: link.inertia for link in robot.links}
        self.value = lambda expression: float(expression.constant(values))

    def of(self, link: str, R: np.ndarray, origin: np.ndarray):
        """(mass, place) of a link's points, its frame being turned by R at `origin`."""
        inertia = self.links[link]
        mass, com = self.value(inertia.mass), np.array([self.value(entry) for entry in inertia.com])
        xx, yy, zz, xy, xz, yz = map(self.value, inertia.tensor)
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        sizes, axes = np.linalg.eigh(np.trace(tensor) / 2 * np.eye(3) - tensor)
        for size, axis in zip(sizes, axes.T, strict=True):
            for side in (1, -1):
                yield mass / 6, origin + R @ (com + side * np.sqrt(3 * max(size, 0) / mass) * axis)


def four_bar(bodies: Bodies, crank, coupler_pivot, rocker):
    first, second, third = (turn(Z, angle) for angle in (crank, crank + coupler_pivot, rocker))
    # A standard table has a link's frame at its far end.
    tip, foot = first @ at(0.1, 0, 0), at(0.3, 0, 0)
    pin, end = tip + second @ at(0.28, 0, 0), foot + third @ at(0.22, 0, 0)
    yield from bodies.of("crank_link", first, tip)
    yield from bodies.of("coupler", second, pin)
    yield from bodies.of("rocker_link", third, end)
    return (pin - end)[:2]


def delta(bodies: Bodies, position_x, position_y, position_z, motor1, motor2, motor3):
    """A forearm, a slender rod, is its ends and its middle: its mass to 1/6, 1/6 and 2/3."""
    platform = at(position_x, position_y, position_z)
    yield from bodies.of("platform", np.eye(3), platform)
    open_by = []
    for number, motor in enumerate((motor1, motor2, motor3), 1):
        R = turn(Z, (number - 1) * 2 * np.pi / 3)
        arm = R @ turn(X, -motor)
        shoulder, ball = R @ at(0, 0.2, 0), platform + R @ at(0, 0.05, 0)
        elbow = shoulder + arm @ at(0, 0.25, 0)
        yield from bodies.of(f"arm{number}", arm, shoulder)
        for share, place in ((1, elbow), (4, (elbow + ball) / 2), (1, ball)):
            yield 0.2 * share / 6, place
        open_by.append((ball - elbow) @ (ball - elbow) - 0.6**2)
    return np.array(open_by)


def palletizer(bodies: Bodies, waist, shoulder, elbow, wrist, gripper_turn, elbow_motor, rod_pivot):
    R = turn(Z, waist)
    axis, lever = at(0.15, 0, 0.6), turn(Y, elbow_motor)
    upper, rod, fore = turn(Y, shoulder), turn(Y, elbow_motor + rod_pivot), turn(Y, shoulder + elbow)
    top, pivot = axis + upper @ at(0, 0, 0.9), axis + lever @ at(-0.25, 0, 0)
    hand = turn(Y, shoulder + elbow + wrist)
    held = top + fore @ at(0.9, 0, 0)
    yield from bodies.of("turret", R, at(0, 0, 0))
    yield from bodies.of("upper_arm", R @ upper, R @ axis)
    yield from bodies.of("forearm", R @ fore, R @ top)
    yield from bodies.of("wrist_link", R @ hand, R @ held)
    yield from bodies.of("gripper", R @ hand @ turn(Z, gripper_turn), R @ (held + hand @ at(0.1, 0, -0.1)))
    yield from bodies.of("lever", R @ lever, R @ axis)
    yield from bodies.of("rod", R @ rod, R @ pivot)
    open_by = pivot + rod @ at(0, 0, 0.9) - top - fore @ at(-0.25, 0, 0)
    return np.array([open_by[0], open_by[2], shoulder + elbow + wrist])


def ankle(bodies: Bodies, pitch, roll, motor_left, motor_right):
    cross, foot = turn(Y, pitch), turn(Y, pitch) @ turn(X, roll)
    yield from bodies.of("cross", cross, at(0, 0, 0))
    yield from bodies.of("foot", foot, at(0, 0, 0))
    open_by = []
    for side, motor, y, height in (("left", motor_left, 0.035, 0.25), ("right", motor_right, -0.035, 0.17)):
        R, place = turn(Y, motor), at(0, y, height)
        yield from bodies.of(f"crank_{side}", R, place)
        way = place + R @ at(-0.04, 0, 0) - foot @ at(-0.05, y, 0)
        open_by.append(way @ way - height**2 - 0.01**2)
    return np.array(open_by)


@dataclass(frozen=True)
class Case:
    """A mechanism: its points and constraints, the direction of gravity, and inertia of its drives at joints."""

    build: Callable
    down: int
    drives: float = 0.0


CASES = {
    "four_bar": Case(four_bar, Y),
    "delta": Case(delta, Z),
    "palletizer": Case(palletizer, Z),
    "ankle": Case(ankle, Z, 2.4e-5 * 16**2),
}


class Points:
    """Equations of motion of a mechanism of point masses."""

    def __init__(self, name: str) -> None:
        self.case, self.bodies = CASES[name], Bodies(symgen.load(name))

    def read(self, y):
        """Masses (N), places (N 3) and constraints (m)."""
        masses, places, source = [], [], self.case.build(self.bodies, *y)
        while True:
            try:
                mass, place = next(source)
            except StopIteration as end:
                return np.array(masses), np.concatenate(places), end.value
            masses.append(mass)
            places.append(place)

    def derivatives(self, y):
        """J (3N n) and A (m n), by steps into the imaginary numbers."""
        columns = [self.read(y + 1e-30j * unit)[1:] for unit in np.eye(len(y))]
        return tuple(np.array(parts).imag.T / 1e-30 for parts in zip(*columns, strict=True))

    def motion(self, y, v, tau, driven):
        """ÿ under forces τ at the coordinates `driven`, and M, J, A."""
        masses, _, _ = self.read(y)
        J, A = self.derivatives(y)
        (J_after, A_after), (J_before, A_before) = (self.derivatives(y + side * STEP * v) for side in (1, -1))
        weights = np.repeat(masses, 3)[:, None]
        M = J.T @ (weights * J)
        M[driven, driven] += self.case.drives
        g = np.tile(GRAVITY * np.eye(3)[self.case.down], len(masses))
        rest = J.T @ (weights[:, 0] * ((J_after - J_before) @ v / (2 * STEP) - g))
        forces = -rest
        forces[driven] += tau
        m = len(A)
        whole = np.block([[M, A.T], [A, np.zeros((m, m))]])
        right = np.concatenate([forces, -(A_after - A_before) @ v / (2 * STEP)])
        return np.linalg.solve(whole, right)[: len(y)], M, A


@functools.cache
def derived(name: str):
    names = ("inverse_dynamics", "forward_dynamics", "inertia_matrix", "velocity_transformation")
    return derive(symgen.load(name), Options(names, effort="low")).module


def call(name: str, function: str, **given):
    found = derived(name).function(function)
    return next(iter(evaluate(found.program, {item.name: given[item.name] for item in found.inputs}).values()))


def states(name: str, count: int):
    """Assembled q of the tree, and rates and forces of the driven joints."""
    robot, chance = symgen.load(name), np.random.default_rng(5)
    constraints = Constraints(robot, lambda graph: instantiate(robot, graph))
    own = list(robot.independent)
    others = [index for index in range(robot.nv) if index not in own]
    for _ in range(count):
        step = np.zeros(robot.nv)
        step[own] = chance.uniform(-0.3, 0.3, len(own))
        q = constraints.assembled(constraints.ahead(np.array(robot.near), step), others)
        assert q is not None
        yield q, chance.uniform(-2, 2, len(own)), chance.uniform(-1, 1, len(own))


@pytest.mark.parametrize("name", CASES)
def test_motion_is_that_of_points(name):
    robot, points = symgen.load(name), Points(name)
    names = [each.name for each in robot.velocities]
    wanted = points.case.build.__code__.co_varnames[1 : points.case.build.__code__.co_argcount]
    rows = [names.index(each) for each in wanted]
    driven = [wanted.index(each) for each in robot.actuated]
    for q, qd, tau in states(name, 4):
        y, G = q[rows], call(name, "velocity_transformation", q=q)[rows]
        assert np.abs(points.read(y)[2]).max() < 1e-11
        found = call(name, "forward_dynamics", q=q, qd=qd, tau=tau)
        expected, M, A = points.motion(y, G @ qd, tau, driven)
        assert np.abs(A @ G).max() < 1e-11
        assert np.abs(found - expected[driven]).max() < TOLERANCE * np.abs(expected).max()
        np.testing.assert_allclose(call(name, "inertia_matrix", q=q), G.T @ M @ G, rtol=1e-9, atol=1e-12)
        forces = call(name, "inverse_dynamics", q=q, qd=qd, qdd=expected[driven])
        assert np.abs(forces - tau).max() < TOLERANCE * max(1, np.abs(M @ expected).max())
