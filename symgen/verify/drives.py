"""Drives in numbers: what acts in the joints themselves, beside the links."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.robot.model import Robot
from symgen.verify.geometry import Floats, number


@dataclass(frozen=True)
class Drives:
    """Arrays (n): rotor inertias seen by the joints, viscous and Coulomb friction, smoothing (0: none)."""

    rotors: Floats
    viscous: Floats
    coulomb: Floats
    smoothing: Floats

    def friction(self, qd: Floats) -> Floats:
        """Forces (…, n) that friction asks of the drives at joint velocities q̇ (…, n)."""
        smooth = self.smoothing > 0
        direction = np.where(smooth, np.tanh(qd / np.where(smooth, self.smoothing, 1)), np.sign(qd))
        return np.asarray(self.viscous * qd + self.coulomb * direction)

    def friction_slope(self, qd: Floats) -> Floats:
        """Derivatives (…, n) of these forces by the joint velocities; that of the sign counts as 0."""
        smooth = self.smoothing > 0
        width = np.where(smooth, self.smoothing, 1)
        with np.errstate(over="ignore"):
            steepness = np.where(smooth, 1 / (width * np.cosh(qd / width) ** 2), 0)
        return np.asarray(self.viscous + self.coulomb * steepness)


def drives(robot: Robot) -> Drives:
    """The drives of the joints that move, in the order of their coordinates."""
    given = [each.joint.drive for each in robot.velocities]
    return Drives(
        rotors=np.array([number(d.rotor_inertia, robot) * number(d.gear_ratio, robot) ** 2 for d in given]),
        viscous=np.array([number(drive.viscous, robot) for drive in given]),
        coulomb=np.array([number(drive.coulomb, robot) for drive in given]),
        smoothing=np.array([number(drive.smoothing, robot) for drive in given]),
    )
