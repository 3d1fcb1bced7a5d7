"""Drives in numbers: what acts in the joints themselves, beside the links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from symgen.robot.model import Drive, Robot
from symgen.verify.geometry import Floats, number


@dataclass(frozen=True)
class Drives:
    """Rotors, friction and springs of the c columns of joints, moved by n rates.

    `rotors` (n): inertias seen by the rates. `viscous`, `coulomb` and `smoothing` (c; 0: none) are friction, and so are
    `sigmoid`, `slope` and `shift` (c). `stiffness` and `rest` (c) are springs. `ratios` (c, n): rates of the joints'
    own coordinates per rate, 1 but for joints that follow others. `places` (c, nq) and `ahead` (c): these coordinates
    are `places` q + `ahead`; 0 for the columns of free joints, which have neither friction nor springs.
    """

    rotors: Floats
    viscous: Floats
    coulomb: Floats
    smoothing: Floats
    sigmoid: Floats
    slope: Floats
    shift: Floats
    stiffness: Floats
    rest: Floats
    ratios: Floats
    places: Floats
    ahead: Floats

    def forces(self, q: Floats, qd: Floats) -> Floats:
        """Forces (…, n) that friction and springs ask of the drives at q (…, nq) and q̇ (…, n)."""
        return self.friction(qd) + self.springs(q)

    def friction(self, qd: Floats) -> Floats:
        """Forces (…, n) that friction asks of the drives at joint velocities q̇ (…, n)."""
        own, smooth = self._own(qd), self.smoothing > 0
        direction = np.where(smooth, np.tanh(own / np.where(smooth, self.smoothing, 1)), np.sign(own))
        rise = _logistic(self.slope * (own + self.shift)) - _logistic(self.slope * self.shift)
        return np.asarray((self.viscous * own + self.coulomb * direction + self.sigmoid * rise) @ self.ratios)

    def springs(self, q: Floats) -> Floats:
        """Forces (…, n) that springs ask of the drives at q (…, nq)."""
        return np.asarray((self.stiffness * self._stretch(q)) @ self.ratios)

    def spring_sizes(self, q: Floats) -> Floats:
        """Sums of the absolute terms of these forces, (…, n)."""
        return np.asarray((np.abs(self.stiffness) * self._stretch_sizes(q)) @ np.abs(self.ratios))

    @property
    def spring_slopes(self) -> Floats:
        """Derivatives (n) of these forces by the coordinates."""
        return np.asarray(self.stiffness @ self.ratios**2)

    def spring_energy(self, q: Floats) -> Floats:
        """Energy (…) of the springs at q (…, nq)."""
        return np.asarray(self._stretch(q) ** 2 @ self.stiffness / 2)

    def spring_energy_sizes(self, q: Floats) -> Floats:
        """Sums of its absolute terms, (…)."""
        return np.asarray(self._stretch_sizes(q) ** 2 @ np.abs(self.stiffness) / 2)

    def _stretch(self, q: Floats) -> Floats:
        """How far the joints' own coordinates are from where their springs are slack, (…, c)."""
        return np.asarray(q @ self.places.T + (self.ahead - self.rest))

    def _stretch_sizes(self, q: Floats) -> Floats:
        return np.asarray(np.abs(q) @ np.abs(self.places.T) + np.abs(self.ahead) + np.abs(self.rest))

    def friction_slope(self, qd: Floats) -> Floats:
        """Derivatives (…, n) of these forces by the joint velocities; that of the sign counts as 0."""
        own, smooth = self._own(qd), self.smoothing > 0
        width = np.where(smooth, self.smoothing, 1)
        with np.errstate(over="ignore"):
            steepness = np.where(smooth, 1 / (width * np.cosh(own / width) ** 2), 0)
        level = _logistic(self.slope * (own + self.shift))
        rise = self.slope * level * (1 - level)
        return np.asarray((self.viscous + self.coulomb * steepness + self.sigmoid * rise) @ self.ratios**2)

    @property
    def friction_slope_sizes(self) -> Floats:
        """Sums of the absolute terms of these derivatives, at most, (n)."""
        smooth = self.smoothing > 0
        steepness = np.where(smooth, 1 / np.where(smooth, self.smoothing, 1), 0)
        terms = np.abs(self.viscous) + np.abs(self.coulomb) * steepness + np.abs(self.sigmoid * self.slope)
        return np.asarray(terms @ self.ratios**2)

    def friction_curvature(self, qd: Floats) -> Floats:
        """Second derivatives (…, n) of these forces by the joint velocities; that of the sign counts as 0."""
        own, smooth = self._own(qd), self.smoothing > 0
        width = np.where(smooth, self.smoothing, 1)
        with np.errstate(over="ignore"):
            bend = np.where(smooth, -2 * np.tanh(own / width) / (width * np.cosh(own / width)) ** 2, 0)
        level = _logistic(self.slope * (own + self.shift))
        rise = self.slope**2 * level * (1 - level) * (1 - 2 * level)
        return np.asarray((self.coulomb * bend + self.sigmoid * rise) @ self.ratios**3)

    @property
    def friction_curvature_sizes(self) -> Floats:
        """Sums of the absolute terms of these second derivatives, at most, (n)."""
        smooth = self.smoothing > 0
        bend = np.where(smooth, 2 / np.where(smooth, self.smoothing, 1) ** 2, 0)
        terms = np.abs(self.coulomb) * bend + np.abs(self.sigmoid) * self.slope**2
        return np.asarray(terms @ np.abs(self.ratios) ** 3)

    def friction_sizes(self, qd: Floats) -> Floats:
        """Sums of the absolute terms of these forces, (…, n)."""
        own = np.abs(self._own(qd))
        steps = np.abs(self.coulomb) * (own > 0) + 2 * np.abs(self.sigmoid)
        return np.asarray((np.abs(self.viscous) * own + steps) @ np.abs(self.ratios))

    def _own(self, qd: Floats) -> Floats:
        """Rates (…, c) of the joints' own coordinates."""
        return np.asarray(qd @ self.ratios.T)


def drives(robot: Robot) -> Drives:
    """The drives of the joints that move, in the order of their columns."""
    given, ratios, places = [], np.zeros((0, robot.nv)), np.zeros((0, robot.nq))
    ahead: list[float] = []
    for index, q, v in robot.coordinates():
        joint = robot.links[index].joint
        ratio = 1.0 if joint.mimic is None else number(joint.mimic.ratio, robot)
        own = ratio * np.eye(robot.nv)[v] if joint.nv else np.zeros((0, robot.nv))
        place = np.zeros((len(own), robot.nq)) if joint.kind.is_free else ratio * np.eye(robot.nq)[q][: len(own)]
        ratios, places = np.concatenate([ratios, own]), np.concatenate([places, place])
        given += [joint.drive] * len(own)
        ahead += [0.0 if joint.mimic is None else number(joint.mimic.offset, robot)] * len(own)

    return _drives(robot, given, ratios, places, np.array(ahead))


def cut_drives(robot: Robot) -> Drives:
    """The drives of the coordinates of cut joints, which are q and q̇ themselves."""
    given = [cut.drive for _, _, cut in robot.cut_coordinates]
    own = np.eye(len(given))
    return _drives(robot, given, own, own, np.zeros(len(given)))


def _drives(robot: Robot, given: Sequence[Drive], ratios: Floats, places: Floats, ahead: Floats) -> Drives:
    def numbers(field: str) -> Floats:
        return np.array([number(getattr(drive, field), robot) for drive in given])

    plain = ("viscous", "coulomb", "smoothing", "sigmoid", "slope", "shift", "stiffness", "rest")
    return Drives(
        rotors=(numbers("rotor_inertia") * numbers("gear_ratio") ** 2) @ ratios**2,
        **{field: numbers(field) for field in plain},
        ratios=ratios,
        places=places,
        ahead=ahead,
    )


def _logistic(x: Floats) -> Floats:
    """1/(1 + exp(−x)), without overflow."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x < 0, small, 1) / (1 + small))
