"""Random states at which functions are compared, of the size that arms move in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from symgen.robot.model import JointKind
from symgen.verify.geometry import Floats
from symgen.verify.oracle import Oracle

STROKE = 0.5
SPEED = 2.0
THRUST = 5.0


@dataclass(frozen=True)
class States:
    """Joint states, each array (states, n): angles within ±π, strokes within ±0.5 m, rates within ±2, ±5.

    `tau` are the forces that accelerate the joints by `answer` at (q, qd), according to the oracle.
    """

    q: Floats
    qd: Floats
    qdd: Floats
    tau: Floats
    answer: Floats

    def argument(self, name: str) -> Floats:
        """The input array called `name`."""
        return {"q": self.q, "qd": self.qd, "qdd": self.qdd, "tau": self.tau}[name]


def draw(oracle: Oracle, states: int, seed: int | tuple[int, ...]) -> States:
    """`states` random states, the same for the same seed."""
    generator = np.random.default_rng(seed)
    reach = [np.pi if joint.kind is JointKind.REVOLUTE else STROKE for joint in oracle.robot.joints]
    q, qd, qdd, answer = generator.uniform(-1, 1, (4, states, oracle.robot.nv))
    q, qd, qdd, answer = q * reach, SPEED * qd, THRUST * qdd, THRUST * answer
    return States(q, qd, qdd, oracle.inverse_dynamics(q, qd, answer), answer)
