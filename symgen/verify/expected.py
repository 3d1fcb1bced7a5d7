"""What functions should return, each number with what the oracle itself can err: rounding in double precision.

What solves with the inertia matrix M inherits its condition: errors R of the forces become |M⁻¹| R, entry by entry.
Where M may be singular within its own error nothing is known, and radii are infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from symgen.verify import linear, sizes
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.geometry import Floats
from symgen.verify.oracle import Loads, Oracle, udu
from symgen.verify.setting import Setting
from symgen.verify.signatures import Signature
from symgen.verify.sizes import Measure

SOLVED = frozenset(("forward_dynamics", "udu_factors", "inverse_inertia_matrix", "forward_dynamics_derivatives"))
"""Functions that solve with the inertia matrix, and inherit its condition."""

LOST = 0.01
"""How large the errors of the inertia matrix may be beside it, direction by direction."""

DRAWS = 16
"""Random changes of the inertia matrix that tell what its factors can err."""

ENLARGED = 2.0**10
"""How much larger than the errors of the matrix these changes are, so that their effect is no rounding."""


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
        solve = {
            "forward_dynamics": self._accelerations,
            "udu_factors": self._factors,
            "inverse_inertia_matrix": lambda: [self._inverse],
            "forward_dynamics_derivatives": self._responses,
        }.get(signature.kind)
        if solve is not None:
            return solve()
        values = self._values(signature)
        measured = [self._rounding(partial(self._sizes, signature, k)) for k in range(len(values))]
        return [
            Ball(value, np.broadcast_to(radius, value.shape)) for value, radius in zip(values, measured, strict=True)
        ]

    def forces(self, qdd: Floats) -> Ball:
        """Joint forces for other accelerations."""
        at = replace(self, given={**self.given, "qdd": qdd})
        value = self.oracle.inverse_dynamics(self._q, self._qd, qdd, self._gravity, self._loads)
        return Ball(value, self._rounding(lambda by: at._forces(by, "inverse_dynamics")))

    def link_forces(self) -> Ball:
        """Joint forces of the links alone: without rotors, friction and loads."""
        value = self.oracle.links_dynamics(self._q, self._qd, self._qdd, self._gravity)
        return Ball(value, self._rounding(lambda by: self._forces(by, "inverse_dynamics")))

    @cached_property
    def inertia(self) -> Ball:
        """The inertia matrix."""
        size = self._rounding(lambda by: sizes.inertia_sizes(by, self._q))
        return Ball(self.oracle.inertia_matrix(self._q), size)

    def answering(self, forces: Floats) -> Floats:
        """What errors (…, n) of forces make of accelerations, |M⁻¹| times them."""
        return np.asarray((np.abs(self._inverse.value) @ forces[..., None])[..., 0] + self._unknown[..., None])

    # arguments ---------------------------------------------------------------------------------------------

    @property
    def _q(self) -> Floats:
        return self.given["q"]

    @property
    def _qd(self) -> Floats:
        return self.given["qd"]

    @property
    def _qdd(self) -> Floats:
        return self.given["qdd"]

    @property
    def _gravity(self) -> Floats | None:
        return self.given.get("gravity")

    @property
    def _loads(self) -> Loads:
        return [(frame, self.given[name]) for name, frame in self.frames.items()]

    @property
    def _pull(self) -> Floats:
        """|gravity|, (states) or ()."""
        return np.asarray(np.linalg.norm(self.oracle.gravity if self._gravity is None else self._gravity, axis=-1))

    def _instant(self, qdd: Floats) -> linear.Instant:
        return linear.Instant(self._q, self._qd, qdd, self._gravity, self._loads)

    # values ------------------------------------------------------------------------------------------------

    def _values(self, signature: Signature) -> list[Floats]:
        oracle, kind = self.oracle, signature.kind
        state = [self.given[argument] for argument in signature.arguments if argument in ("q", "qd")]
        if kind == "forward_kinematics":
            return list(oracle.forward_kinematics(self._q, signature.frames))
        if signature.frames:
            return [getattr(oracle, kind)(*state, signature.frames[0], self.setting.axes)]
        if kind == "inverse_dynamics":
            return [oracle.inverse_dynamics(self._q, self._qd, self._qdd, self._gravity, self._loads)]
        if kind == "regressor":
            columns = self.setting.regressor
            return [linear.regressor(oracle, columns, self._q, self._qd, self._qdd, self._gravity)]
        if kind == "inverse_dynamics_derivatives":
            return list(linear.inverse_dynamics_derivatives(oracle, self._instant(self._qdd)))
        gravity = [self._gravity] if "gravity" in signature.arguments else []
        return [getattr(oracle, kind)(*state, *gravity)]

    def _rounding(self, size: Callable[[Measure], Floats]) -> Floats:
        return sizes.rounding(self.oracle, size)

    def _sizes(self, signature: Signature, index: int, by: Measure) -> Floats:
        """Sums of the absolute terms of the entries of one of a function's arrays."""
        return self._all_sizes(by, signature)[index]

    def _all_sizes(self, by: Measure, signature: Signature) -> list[Floats]:
        """Sums of the absolute terms of every entry of a function's arrays."""
        frame = signature.frames[0] if signature.frames else ""
        match signature.kind:
            case "inertia_matrix":
                return [sizes.inertia_sizes(by, self._q)]
            case "coriolis_matrix":
                return [sizes.coriolis_sizes(by, self._q, self._qd)]
            case "kinetic_energy":
                return [sizes.kinetic_sizes(by, self._q, self._qd)]
            case "potential_energy":
                return [sizes.potential_sizes(by, self._q, self._pull)]
            case "regressor":
                columns = self.setting.regressor
                return [linear.regressor_sizes(by, columns, self._q, self._qd, self._qdd, self._pull)]
            case "inverse_dynamics_derivatives":
                return list(linear.derivative_sizes(by, self._instant(self._qdd), self._pull))
            case "forward_kinematics":
                return [sizes.pose_sizes(by, self._q, name) for name in signature.frames]
            case "jacobian":
                return [sizes.jacobian_sizes(by, self._q, frame)]
            case "jacobian_dot":
                return [sizes.jacobian_rate_sizes(by, self._q, self._qd, frame)]
            case "jacobian_dot_velocity":
                rate = sizes.jacobian_rate_sizes(by, self._q, self._qd, frame)
                return [np.sum(rate * np.abs(self._qd)[..., None, :], axis=-1)]
        return [self._forces(by, signature.kind)]

    def _forces(self, by: Measure, kind: str) -> Floats:
        none = np.zeros_like(self._q)
        qd = none if kind == "gravity_torque" else self._qd
        qdd = self._qdd if kind == "inverse_dynamics" else none
        pull = np.zeros(()) if kind == "coriolis_torque" else self._pull
        size = sizes.force_sizes(by, self._q, qd, qdd, pull)
        if kind != "inverse_dynamics":
            return size
        return size + sizes.drive_sizes(by, qd, qdd) + sizes.load_sizes(by, self._q, self._loads)

    # what solves with the inertia matrix -------------------------------------------------------------------

    def _accelerations(self) -> list[Ball]:
        qdd = self.given["answer"]
        forces = self.forces(qdd)
        solving = EPSILON * self.oracle.robot.nv * (np.abs(self.inertia.value) @ np.abs(qdd)[..., None])[..., 0]
        return [Ball(qdd, self.answering(forces.radius + EPSILON * np.abs(self.given["tau"]) + solving))]

    @cached_property
    def _unknown(self) -> Floats:
        """0, or infinity where the inertia matrix may be singular within its error, (states)."""
        matrix = self.inertia
        roots = np.sqrt(np.maximum(np.diagonal(matrix.value, axis1=-2, axis2=-1), 0))
        with np.errstate(all="ignore"):
            weight = 1 / (roots[..., :, None] * roots[..., None, :])
            lowest = np.linalg.eigvalsh(np.where(np.isfinite(weight), matrix.value * weight, 0))[..., 0]
            doubt = np.linalg.norm(np.where(np.isfinite(weight), matrix.radius * weight, np.inf), axis=(-2, -1))
        return np.where(doubt < LOST * lowest, 0.0, np.inf)

    @cached_property
    def _inverse(self) -> Ball:
        """M⁻¹; 0, and unknown, where M may be singular."""
        matrix, known = self.inertia, self._unknown == 0
        value = np.zeros_like(matrix.value)
        value[known] = np.linalg.inv(matrix.value[known])
        size = np.abs(value)
        work = EPSILON * matrix.value.shape[-1] * np.abs(matrix.value)
        return Ball(value, size @ (matrix.radius + work) @ size + self._unknown[..., None, None])

    def _factors(self) -> list[Ball]:
        """U and D; what they can err is seen from those of matrices that are a little different."""
        matrix, random = self.inertia, np.random.default_rng(0)
        upper, pivots = self.oracle.udu_factors(self._q)
        changes = []
        for _ in range(DRAWS):
            signs = np.triu(random.choice([-1.0, 1.0], matrix.value.shape))
            signs = signs + np.swapaxes(np.triu(signs, 1), -1, -2)
            other = udu(matrix.value + ENLARGED * matrix.radius * signs)
            changes.append([np.abs(new - old) / ENLARGED for new, old in zip(other, (upper, pivots), strict=True)])
        spread = [4 * np.max(part, axis=0) for part in zip(*changes, strict=True)]
        unknown = self._unknown[..., None]
        return [Ball(upper, spread[0] + unknown[..., None]), Ball(pivots, spread[1] + unknown)]

    def _responses(self) -> list[Ball]:
        """Derivatives of accelerations."""
        inverse, at = self._inverse, self._instant(self.given["answer"])
        slopes = linear.inverse_dynamics_derivatives(self.oracle, at)
        result = []
        for k, slope in enumerate(slopes):
            radius = self._rounding(partial(_slope_sizes, at, self._pull, k))
            result.append(inverse @ Ball(-slope, radius + (self.shifting() if k == 0 else 0)))
        return [*result, inverse]

    def shifting(self) -> Floats:
        """What ∂τ/∂q (…, n, n) at the `answer` is off by, which answers to τ but for rounding."""
        (qdd,) = self._accelerations()
        slopes = np.abs(linear.inertia_slopes(self.oracle, self._q))
        return np.asarray(np.einsum("...ikj,...k->...ij", slopes, qdd.radius))


def _slope_sizes(at: linear.Instant, pull: Floats, index: int, by: Measure) -> Floats:
    return linear.derivative_sizes(by, at, pull)[index]
