"""What functions should return, each number with what the oracle itself can err: rounding in double precision.

What solves with the inertia matrix M inherits its condition: errors R of the forces become |M⁻¹| R, entry by entry.
Where M may be singular within its own error nothing is known, and radii are infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from symgen.verify import control, linear, sizes
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.entry import Signature
from symgen.verify.geometry import Floats
from symgen.verify.oracle import Loads, Oracle
from symgen.verify.setting import Setting
from symgen.verify.sizes import Measure

LOST = 0.01
"""How large the errors of the inertia matrix may be beside it, direction by direction."""


@dataclass(frozen=True)
class Expected:
    """The oracle's results at given arguments: arrays (states, …), each a `Ball`.

    `given`: argument → array (…, n), (…, 3) or (…, 6); accelerations that answer to the forces tau are its `answer`.
    `frames`: argument of a wrench → the frame it acts on.
    """

    oracle: Oracle
    setting: Setting
    frames: Mapping[str, str]
    given: Mapping[str, Floats]

    def of(self, signature: Signature) -> list[Ball]:
        """The arrays a function should return."""
        return signature.entry.expected(self, signature)

    def tells(self, signature: Signature) -> bool:
        """Whether there are such arrays; else there is only what follows from those that it returns."""
        return True

    def ball(self, value: Floats, size: Callable[[Measure], Floats]) -> Ball:
        """A number of the oracle's with what it can err, given the sum of the absolute terms it is made of."""
        return Ball(value, np.broadcast_to(sizes.rounding(self.oracle, size), value.shape))

    def forces(self, qdd: Floats) -> Ball:
        """Joint forces for other accelerations."""
        value = self.oracle.inverse_dynamics(self.q, self.qd, qdd, self.gravity, self.loads)
        return self.ball(value, lambda by: self._force_sizes(by, qdd))

    def link_forces(self) -> Ball:
        """Joint forces of the links alone: without rotors, friction and loads."""
        value = self.oracle.links_dynamics(self.q, self.qd, self.qdd, self.gravity)
        return self.ball(value, lambda by: self._force_sizes(by, self.qdd))

    def _force_sizes(self, by: Measure, qdd: Floats) -> Floats:
        """Sums of the absolute terms of joint forces."""
        links = sizes.force_sizes(by, self.q, self.qd, qdd, self.pull)
        return links + sizes.drive_sizes(by, self.q, self.qd, qdd) + sizes.load_sizes(by, self.q, self.loads)

    @cached_property
    def inertia(self) -> Ball:
        """The inertia matrix."""
        return self.ball(self.oracle.inertia_matrix(self.q), lambda by: sizes.inertia_sizes(by, self.q))

    def slopes(self, qdd: Floats) -> list[Ball]:
        """∂τ/∂q and ∂τ/∂q̇ for other accelerations."""
        instant = self.instant(qdd)

        def size(by: Measure) -> Floats:
            return np.stack(linear.derivative_sizes(by, instant, self.pull))

        values = linear.inverse_dynamics_derivatives(self.oracle, instant)
        radii = sizes.rounding(self.oracle, size)
        return [Ball(value, np.broadcast_to(radius, value.shape)) for value, radius in zip(values, radii, strict=True)]

    def reference_torque(self, v: Floats, a: Floats) -> Ball:
        """I a + C v + gravity, for a reference velocity and acceleration."""
        value = control.reference_torque(self.oracle, self.q, self.qd, v, a, self.gravity)
        return self.ball(value, lambda by: control.torque_sizes(by, self.q, self.qd, v, a, self.pull))

    def reference_link_forces(self, v: Floats, a: Floats) -> Ball:
        """The same of the links alone: without rotors."""
        return self.reference_torque(v, a) - Ball.exact(a) * self.oracle.drives.rotors

    @property
    def inertia_slopes(self) -> Floats:
        """∂M_ik/∂q_j (…, n, n, n), indexed i, k, j."""
        return linear.inertia_slopes(self.oracle, self.q)

    def answering(self, forces: Floats) -> Floats:
        """What errors (…, n) of forces make of accelerations, |M⁻¹| times them."""
        return np.asarray((np.abs(self.inverse.value) @ forces[..., None])[..., 0] + self.unknown[..., None])

    # arguments ---------------------------------------------------------------------------------------------

    @property
    def q(self) -> Floats:
        """Joint positions."""
        return self.given["q"]

    @property
    def qd(self) -> Floats:
        """Joint velocities."""
        return self.given["qd"]

    @property
    def qdd(self) -> Floats:
        """Joint accelerations."""
        return self.given["qdd"]

    @property
    def gravity(self) -> Floats | None:
        """Gravity, if it is an argument."""
        return self.given.get("gravity")

    @property
    def loads(self) -> Loads:
        """External wrenches."""
        return [(frame, self.given[name]) for name, frame in self.frames.items()]

    @property
    def pull(self) -> Floats:
        """|gravity|, (states) or ()."""
        return np.asarray(np.linalg.norm(self.oracle.gravity if self.gravity is None else self.gravity, axis=-1))

    def instant(self, qdd: Floats) -> linear.Instant:
        """The state, with accelerations."""
        return linear.Instant(self.q, self.qd, qdd, self.gravity, self.loads)

    # what solves with the inertia matrix -------------------------------------------------------------------

    def accelerations(self) -> Ball:
        """Accelerations that answer to the forces tau."""
        qdd = self.given["answer"]
        forces = self.forces(qdd)
        solving = (_elimination(self.inertia.value) @ np.abs(qdd)[..., None])[..., 0]
        return Ball(qdd, self.answering(forces.radius + EPSILON * np.abs(self.given["tau"]) + solving))

    @cached_property
    def unknown(self) -> Floats:
        """0, or infinity where the inertia matrix may be singular within its error, (states)."""
        return _unknown(self.inertia)

    @cached_property
    def inverse(self) -> Ball:
        """M⁻¹; 0, and unknown, where M may be singular."""
        return _inverse(self.inertia)

    # hybrid dynamics ---------------------------------------------------------------------------------------

    @property
    def given_part(self) -> list[int]:
        """Indices of the velocities whose accelerations are given."""
        return list(self.setting.given)

    @property
    def other_part(self) -> list[int]:
        """Indices of the others."""
        return list(self.setting.others(len(self.oracle.robot.independent)))

    @cached_property
    def hybrid(self) -> tuple[Ball, Ball]:
        """(q̈, τ) of all velocities, (…, n) each, of which some accelerations and the other forces are given."""
        given, others = self.given_part, self.other_part
        qdd, tau = (np.zeros_like(self.qd) for _ in range(2))
        qdd[..., given], tau[..., others] = self.given["qdd_given"], self.given["tau_given"]
        inner = self.inertia.mapped(lambda matrix: matrix[..., others, :][..., others])
        inverse = _inverse(inner)
        known = np.asarray(np.isfinite(inverse.radius).all(axis=(-2, -1)))
        # Where nothing is known the others are taken to rest.
        qdd[known] = self._answered(qdd, tau, known)
        forces = self.forces(qdd)
        size = np.abs(qdd[..., others])
        solving = (_elimination(inner.value) @ size[..., None])[..., 0]
        doubt = forces.radius[..., others] + EPSILON * np.abs(tau[..., others]) + solving
        radius = np.zeros_like(qdd)
        off = (np.abs(inverse.value) @ doubt[..., None])[..., 0] + EPSILON * size
        radius[..., others] = off + np.where(known, 0.0, np.inf)[..., None]
        pushed = (np.abs(self.inertia.value[..., given, :][..., others]) @ radius[..., others, None])[..., 0]
        tau[..., given] = forces.value[..., given]
        slack = np.zeros_like(tau)
        slack[..., given] = forces.radius[..., given] + pushed
        return Ball(qdd, radius), Ball(tau, slack)

    def _answered(self, qdd: Floats, tau: Floats, known: NDArray[np.bool_]) -> Floats:
        """All accelerations in the states that are known."""
        loads = [(frame, np.asarray(wrench)[known]) for frame, wrench in self.loads]
        gravity = self.gravity if self.gravity is None else self.gravity[known]
        return self.oracle.hybrid_dynamics(
            self.q[known], self.qd[known], tau[known], qdd[known], self.given_part, gravity, loads
        )


def _unknown(matrix: Ball) -> Floats:
    """0, or infinity where a symmetric matrix may be singular within its error, (states)."""
    roots = np.sqrt(np.maximum(np.diagonal(matrix.value, axis1=-2, axis2=-1), 0))
    with np.errstate(all="ignore"):
        weight = 1 / (roots[..., :, None] * roots[..., None, :])
        lowest = np.linalg.eigvalsh(np.where(np.isfinite(weight), matrix.value * weight, 0))[..., 0]
        doubt = np.linalg.norm(np.where(np.isfinite(weight), matrix.radius * weight, np.inf), axis=(-2, -1))
    return np.where(doubt < LOST * lowest, 0.0, np.inf)


def _inverse(matrix: Ball) -> Ball:
    """The inverse; 0, and unknown, where the matrix may be singular."""
    unknown = _unknown(matrix)
    known = unknown == 0
    value = np.zeros_like(matrix.value)
    value[known] = np.linalg.inv(matrix.value[known])
    size = np.abs(value)
    work = _elimination(matrix.value)
    return Ball(value, size @ (matrix.radius + work) @ size + unknown[..., None, None])


def _elimination(matrix: Floats) -> Floats:
    """By what a symmetric positive definite matrix may seem to be another one, after elimination in double precision.

    That is n ε |L| |U|, which is not 0 where the matrix is: Cauchy bounds its entries by √(M_ii M_jj).
    """
    roots = np.sqrt(np.maximum(np.diagonal(matrix, axis1=-2, axis2=-1), 0))
    return np.asarray(EPSILON * matrix.shape[-1] * roots[..., :, None] * roots[..., None, :])
