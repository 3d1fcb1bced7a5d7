"""Drives in numbers: what acts in the joints themselves, beside the links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.geometry import Floats, number


@dataclass(frozen=True)
class Drives:
    """Rotors and friction of the c columns of joints, moved by n rates.

    `rotors` (n): inertias seen by the rates. `viscous`, `coulomb` and `smoothing` (c; 0: none) are friction. `ratios`
    (c, n): rates of the joints' own coordinates per rate, 1 but for joints that follow others.
    """

    rotors: Floats
    viscous: Floats
    coulomb: Floats
    smoothing: Floats
    ratios: Floats

    def friction(self, qd: Floats) -> Floats:
        """Forces (…, n) that friction asks of the drives at joint velocities q̇ (…, n)."""
        own, smooth = self._own(qd), self.smoothing > 0
        direction = np.where(smooth, np.tanh(own / np.where(smooth, self.smoothing, 1)), np.sign(own))
        return np.asarray((self.viscous * own + self.coulomb * direction) @ self.ratios)

    def friction_slope(self, qd: Floats) -> Floats:
        """Derivatives (…, n) of these forces by the joint velocities; that of the sign counts as 0."""
        own, smooth = self._own(qd), self.smoothing > 0
        width = np.where(smooth, self.smoothing, 1)
        with np.errstate(over="ignore"):
            steepness = np.where(smooth, 1 / (width * np.cosh(own / width) ** 2), 0)
        return np.asarray((self.viscous + self.coulomb * steepness) @ self.ratios**2)

    def friction_sizes(self, qd: Floats) -> Floats:
        """Sums of the absolute terms of these forces, (…, n)."""
        own = np.abs(self._own(qd))
        return np.asarray((np.abs(self.viscous) * own + np.abs(self.coulomb) * (own > 0)) @ np.abs(self.ratios))

    def _own(self, qd: Floats) -> Floats:
        """Rates (…, c) of the joints' own coordinates."""
        return np.asarray(qd @ self.ratios.T)


def drives(robot: Robot) -> Drives:
    """The drives of the joints that move, in the order of their columns."""
    given, ratios = [], np.zeros((0, robot.nv))
    for index, _, v in robot.coordinates():
        joint = robot.links[index].joint
        ratio = 1.0 if joint.mimic is None else number(joint.mimic.ratio, robot)
        own = ratio * np.eye(robot.nv)[v] if joint.nv else np.zeros((0, robot.nv))
        ratios = np.concatenate([ratios, own])
        given += [joint.drive] * len(own)
    rotors = [number(drive.rotor_inertia, robot) * number(drive.gear_ratio, robot) ** 2 for drive in given]
    return Drives(
        rotors=np.array(rotors) @ ratios**2,
        viscous=np.array([number(drive.viscous, robot) for drive in given]),
        coulomb=np.array([number(drive.coulomb, robot) for drive in given]),
        smoothing=np.array([number(drive.smoothing, robot) for drive in given]),
        ratios=ratios,
    )
