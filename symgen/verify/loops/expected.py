"""What functions of robots with loops should return, each number with what the oracle itself can err.

The constraints' least-squares solution gives q̇ = G q̇_a and q̈ = G q̈_a + γ; the oracle of the tree does the rest, and
d'Alembert's principle takes its forces back by Gᵀ. Errors go along: those of A through the inverse of its dependent
part, those of rates into the forces that they ask for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from symgen.verify import linear, mass_sizes, masses, sizes
from symgen.verify.balls import EPSILON, Ball
from symgen.verify.entry import Signature
from symgen.verify.expected import Expected
from symgen.verify.factors import factors
from symgen.verify.geometry import Floats
from symgen.verify.loops import control, derivatives, reactions
from symgen.verify.loops.assembly import dependent
from symgen.verify.loops.constraints import SINGLE, Constraints
from symgen.verify.loops.cut_joints import CutJoints
from symgen.verify.loops.stirring import STIR, stirred
from symgen.verify.oracle import Oracle

RESIDUAL = 1e-12
"""Residual (m, rad) of what counts as closed."""


@dataclass(frozen=True)
class Closed(Expected):
    """The oracle's results for a robot with loops: q is the tree's, other arguments are of the independent joints."""

    def of(self, signature: Signature) -> list[Ball]:
        """The arrays a function should return."""
        return CLOSED[signature.kind](self, signature)

    def tells(self, signature: Signature) -> bool:
        """Not where a function may write the constraints down in several ways."""
        return signature.kind in CLOSED

    # motion ------------------------------------------------------------------------------------------------

    @property
    def dependent_columns(self) -> list[int]:
        """Indices of the tree's rates that the constraints determine."""
        return dependent(self.oracle.robot)

    @cached_property
    def matrix(self) -> Ball:
        """G (…, nv, ni)."""
        own, rest = list(self.oracle.robot.independent), self.dependent_columns
        A = Constraints(self.oracle, self.q, np.zeros((*self.q.shape[:-1], self.oracle.robot.nv))).jacobian
        value = np.zeros((*A.value.shape[:-2], A.value.shape[-1], len(own)))
        value[..., own, :] = np.eye(len(own))
        inverse = np.linalg.pinv(A.value[..., rest], rcond=1e-10)
        value[..., rest, :] = -inverse @ A.value[..., own]
        # One step of refinement: what is left is the rounding of the residual.
        value[..., rest, :] -= inverse @ (A.value @ value)
        radius = np.zeros_like(value)
        work = A.radius + A.value.shape[-1] * EPSILON * np.abs(A.value)
        radius[..., rest, :] = np.abs(inverse) @ (work @ np.abs(value)) + EPSILON * np.abs(value[..., rest, :])
        return Ball(value, radius)

    @cached_property
    def velocity(self) -> Ball:
        """The tree's q̇ (…, nv)."""
        return self.matrix.times(self.given["qd"])

    @cached_property
    def gamma(self) -> Ball:
        """γ (…, nv): the tree's accelerations while independent joints do not accelerate."""
        rest = self.dependent_columns
        constraints = Constraints(self.oracle, self.q, self.velocity.value)
        A, bias = constraints.jacobian, constraints.rest
        doubtful = Constraints(self.oracle, self.q, self.velocity.value + STIR * self.velocity.radius).rest
        doubt = bias.radius + np.abs(doubtful.value - bias.value) / STIR
        inverse = np.linalg.pinv(A.value[..., rest], rcond=1e-10)
        value, radius = np.zeros_like(self.velocity.value), np.zeros_like(self.velocity.value)
        value[..., rest] = -(inverse @ bias.value[..., None])[..., 0]
        left = (A.value @ value[..., None])[..., 0] + bias.value
        value[..., rest] -= (inverse @ left[..., None])[..., 0]
        work = A.radius + A.value.shape[-1] * EPSILON * np.abs(A.value)
        doubt = doubt + (work @ np.abs(value)[..., None])[..., 0]
        radius[..., rest] = (np.abs(inverse) @ doubt[..., None])[..., 0] + EPSILON * np.abs(value[..., rest])
        return Ball(value, radius)

    def following(self, rest: Ball) -> Ball:
        """x (…, nv, k) with A x + `rest` = 0, (…, m, k), and no part along independent rates."""
        A, columns = self.constraints.jacobian, self.dependent_columns
        inverse = np.linalg.pinv(A.value[..., columns], rcond=1e-10)
        value = np.zeros((*rest.value.shape[:-2], A.value.shape[-1], rest.value.shape[-1]))
        radius = np.zeros_like(value)
        value[..., columns, :] = -inverse @ rest.value
        value[..., columns, :] -= inverse @ (A.value @ value + rest.value)
        work = A.radius + A.value.shape[-1] * EPSILON * np.abs(A.value)
        doubt = np.abs(inverse) @ (rest.radius + work @ np.abs(value))
        radius[..., columns, :] = doubt + EPSILON * np.abs(value[..., columns, :])
        return Ball(value, radius)

    @cached_property
    def constraints(self) -> Constraints:
        """The constraints at rest."""
        return Constraints(self.oracle, self.q, np.zeros((*self.q.shape[:-1], self.oracle.robot.nv)))

    def accelerations_of(self, qdd: Floats) -> Ball:
        """The tree's q̈ (…, nv) at independent accelerations."""
        return self.matrix.times(qdd) + self.gamma

    def displacement(self, residual: Floats) -> Floats:
        """How far entries of q (…, nq) may be off where constraints are off by residuals (…, m)."""
        A = Constraints(self.oracle, self.q).jacobian.value
        inverse = np.abs(np.linalg.pinv(A[..., self.dependent_columns], rcond=1e-10))
        far = (inverse[..., : residual.shape[-1]] @ residual[..., None])[..., 0].sum(axis=-1)
        return np.asarray(far[..., None] + 0 * self.q)

    # forces ------------------------------------------------------------------------------------------------

    def projected(self, forces: Ball) -> Ball:
        """Gᵀ τ (…, ni) of forces of the tree."""
        return self.matrix.transposed.times(forces)

    def multipliers(self, qdd: Floats) -> Ball:
        """λ (…, m) that keep dependent joints free of forces; of several the least ones."""
        return self.multipliers_of(self.dependent_forces(qdd))

    def multipliers_of(self, asked: Ball) -> Ball:
        """λ (…, m) that hold forces (…, nv − ni) of dependent joints; of several the least ones."""
        A = self.constraints.jacobian
        rows = A.mapped(lambda array: array[..., self.dependent_columns]).transposed
        inverse = np.linalg.pinv(rows.value, rcond=1e-10)
        value = (inverse @ asked.value[..., None])[..., 0]
        value += (inverse @ (asked.value - (rows.value @ value[..., None])[..., 0])[..., None])[..., 0]
        work = rows.radius + rows.value.shape[-1] * EPSILON * np.abs(rows.value)
        doubt = asked.radius + (work @ np.abs(value)[..., None])[..., 0]
        return Ball(value, (np.abs(inverse) @ doubt[..., None])[..., 0] + EPSILON * np.abs(value))

    def _answered(self, qdd: Floats, tau: Floats, known: NDArray[np.bool_]) -> Floats:
        """All accelerations in the states that are known."""
        found, others = qdd[known].copy(), self.other_part
        matrix = self.inertia.value[known][..., others, :][..., others]
        for _ in range(2):  # once more for what rounding leaves
            whole = qdd.copy()
            whole[known] = found
            left = (tau - self.forces(whole).value)[known][..., others]
            found[..., others] += np.linalg.solve(matrix, left[..., None])[..., 0]
        return found

    def tree(self, velocity: Floats, acceleration: Floats) -> Expected:
        """The oracle of the tree at its rates and accelerations (…, nv)."""
        given = {**self.given, "qd": velocity, "qdd": acceleration}
        return Expected(self.oracle, self.setting, self.frames, given)

    def moved(self, of: Callable[[Expected], Ball], velocity: Ball, acceleration: Ball) -> Ball:
        """A number of the tree at rates and accelerations that err."""
        return stirred(lambda *rates: of(self.tree(*rates)), velocity, acceleration)

    def forces(self, qdd: Floats) -> Ball:
        """Joint forces of independent joints for other accelerations."""
        return self.projected(self._tree_forces(qdd))

    def dependent_forces(self, qdd: Floats) -> Ball:
        """Forces (…, nv − ni) that the motion asks of the tree's other joints."""
        return self._tree_forces(qdd).mapped(lambda array: array[..., self.dependent_columns])

    def _tree_forces(self, qdd: Floats) -> Ball:
        forces = self.moved(lambda at: at.forces(at.qdd), self.velocity, self.accelerations_of(qdd))
        return forces + self.cut_joints.forces(self.velocity) if self.oracle.robot.has_cut_drives else forces

    @cached_property
    def cut_joints(self) -> CutJoints:
        """The coordinates of cut joints."""
        return CutJoints(self.oracle, self.q)

    def link_forces(self) -> Ball:
        """Joint forces of the links alone."""
        return self._of_links(self.accelerations_of(self.qdd))

    def _of_links(self, acceleration: Ball, *, gravity: bool = True) -> Ball:
        def of(at: Expected) -> Ball:
            pull = at.gravity if gravity else np.zeros(3)
            value = at.oracle.links_dynamics(at.q, at.qd, at.qdd, pull)
            weight = at.pull if gravity else np.zeros(())
            return at.ball(value, lambda by: sizes.force_sizes(by, at.q, at.qd, at.qdd, weight))

        return self.projected(self.moved(of, self.velocity, acceleration))

    def bias(self, *, gravity: bool) -> Ball:
        """Forces of links and rotors while independent joints do not accelerate."""
        rotors = self.gamma * self.oracle.drives.rotors
        return self._of_links(self.gamma, gravity=gravity) + self.projected(rotors)

    @property
    def weight(self) -> Ball:
        """Forces that hold the links."""
        still = Ball.exact(np.zeros_like(self.velocity.value))
        tree = self.tree(still.value, still.value)
        value = self.oracle.gravity_torque(self.q, self.gravity)
        return self.projected(tree.ball(value, lambda by: sizes.force_sizes(by, tree.q, tree.qd, tree.qd, tree.pull)))

    @cached_property
    def inertia(self) -> Ball:
        """The inertia matrix of the independent joints."""
        tree = self.tree(self.velocity.value, self.velocity.value).inertia
        return self.matrix.transposed @ (tree @ self.matrix)

    # derivatives ---------------------------------------------------------------------------------------------

    @cached_property
    def changes(self) -> derivatives.Changes:
        """How the constraints change along the columns of the tree's joints."""
        return derivatives.changes(self)

    def slopes(self, qdd: Floats) -> list[Ball]:
        """∂τ/∂q and ∂τ/∂q̇ along the loops."""
        return derivatives.slopes(self, qdd)

    @cached_property
    def inertia_slopes(self) -> Floats:
        """∂M_ik/∂q_j along the loops."""
        return derivatives.inertia_slopes(self)

    # others --------------------------------------------------------------------------------------------------

    def kinetic_energy(self) -> Ball:
        """T."""

        def of(at: Expected) -> Ball:
            value = at.oracle.kinetic_energy(at.q, at.qd)
            return at.ball(value, lambda by: sizes.kinetic_sizes(by, at.q, at.qd))

        return self.moved(of, self.velocity, self.velocity)

    def potential_energy(self) -> Ball:
        """V."""
        springs = self.oracle.drives.spring_energy_sizes(self.q)
        value = self.oracle.potential_energy(self.q, self.gravity)
        energy = self.ball(value, lambda by: sizes.potential_sizes(by, self.q, self.pull) + springs)
        return energy + self.cut_joints.spring_energy if self.oracle.robot.has_cut_drives else energy

    def regressor(self) -> Ball:
        """Gᵀ Y."""

        def of(at: Expected) -> Ball:
            columns, state = self.setting.regressor, (at.q, at.qd, at.qdd)
            value = linear.regressor(at.oracle, columns, *state, at.gravity)
            return at.ball(value, lambda by: linear.regressor_sizes(by, columns, *state, at.pull))

        return self.matrix.transposed @ self.moved(of, self.velocity, self.accelerations_of(self.qdd))

    def reference_torque(self, v: Floats, a: Floats) -> Ball:
        """I a + C v + gravity, for a reference velocity and acceleration."""
        return control.reference_torque(self, v, a)

    def reference_link_forces(self, v: Floats, a: Floats) -> Ball:
        """The same without rotors."""
        return control.reference_link_forces(self, v, a)

    def centre_jacobian(self) -> Ball:
        """That of the centre of mass, times G."""
        value = masses.center_of_mass_jacobian(self.oracle, self.q)
        return self.ball(value, lambda by: mass_sizes.centre_jacobian_sizes(by, self.q)) @ self.matrix

    def momentum(self) -> Ball:
        """Momentum about the centre of mass."""

        def of(at: Expected) -> Ball:
            value = masses.centroidal_momentum(at.oracle, at.q, at.qd)
            return at.ball(value, lambda by: mass_sizes.momentum_sizes(by, at.q, at.qd))

        return self.moved(of, self.velocity, self.velocity)

    def momentum_matrix(self) -> Ball:
        """The momentum matrix, times G."""
        value = masses.centroidal_momentum_matrix(self.oracle, self.q)
        return self.ball(value, lambda by: mass_sizes.momentum_matrix_sizes(by, self.q)) @ self.matrix

    def jacobian(self, frame: str) -> Ball:
        """J G."""
        value = self.oracle.jacobian(self.q, frame, self.setting.axes)
        return self.ball(value, lambda by: sizes.jacobian_sizes(by, self.q, frame)) @ self.matrix

    def drift(self, frame: str) -> Ball:
        """J̇ q̇ + J γ: the rate of the frame's twist while independent joints do not accelerate."""

        def of(at: Expected) -> Ball:
            def size(by: sizes.Measure) -> Floats:
                change = sizes.jacobian_rate_sizes(by, at.q, at.qd, frame)
                return np.asarray(np.sum(change * np.abs(at.qd)[..., None, :], axis=-1))

            return at.ball(at.oracle.jacobian_dot_velocity(at.q, at.qd, frame, at.setting.axes), size)

        value = self.oracle.jacobian(self.q, frame, self.setting.axes)
        columns = self.ball(value, lambda by: sizes.jacobian_sizes(by, self.q, frame))
        return self.moved(of, self.velocity, self.velocity) + columns.times(self.gamma)

    def of_positions(self, signature: Signature) -> list[Ball]:
        """What depends on q alone, in the same way as in the tree."""
        return signature.entry.expected(self, signature)


CLOSED: dict[str, Callable[[Closed, Signature], list[Ball]]] = {
    "inverse_dynamics": lambda at, _: [at.forces(at.qdd)],
    "inertia_matrix": lambda at, _: [at.inertia],
    "coriolis_torque": lambda at, _: [at.bias(gravity=False)],
    "coriolis_matrix": lambda at, _: [derivatives.coriolis_matrix(at)],
    "gravity_torque": lambda at, _: [at.weight],
    "bias_torque": lambda at, _: [at.bias(gravity=True)],
    "forward_dynamics": lambda at, _: [at.accelerations()],
    "udu_factors": lambda at, _: factors(at.inertia, at.unknown),
    "inverse_inertia_matrix": lambda at, _: [at.inverse],
    "kinetic_energy": lambda at, _: [at.kinetic_energy()],
    "potential_energy": lambda at, _: [at.potential_energy()],
    "regressor": lambda at, _: [at.regressor()],
    "forward_kinematics": lambda at, signature: at.of_positions(signature),
    "jacobian": lambda at, signature: [at.jacobian(signature.frames[0])],
    "jacobian_dot": lambda at, signature: [derivatives.jacobian_dot(at, signature.frames[0])],
    "jacobian_dot_velocity": lambda at, signature: [at.drift(signature.frames[0])],
    "coriolis_product": lambda at, _: [derivatives.coriolis_matrix(at).times(at.given["x"])],
    "coriolis_transpose_velocity": lambda at, _: [derivatives.coriolis_matrix(at).transposed.times(at.qd)],
    "inertia_rate": lambda at, _: [control.inertia_rate(at)],
    "generalized_momentum": lambda at, _: [at.inertia.times(at.qd)],
    "reference_torque": lambda at, _: [control.reference_torque(at, at.given["qd_ref"], at.given["qdd_ref"])],
    "slotine_li_regressor": lambda at, _: [control.regressor(at, at.given["qd_ref"], at.given["qdd_ref"])],
    "kinematic_hessian": lambda at, signature: [derivatives.kinematic_hessian(at, signature)],
    "center_of_mass": lambda at, signature: at.of_positions(signature),
    "center_of_mass_jacobian": lambda at, _: [at.centre_jacobian()],
    "centroidal_momentum": lambda at, _: [at.momentum()],
    "centroidal_momentum_matrix": lambda at, _: [at.momentum_matrix()],
    "velocity_transformation": lambda at, _: [at.matrix],
    "dependent_acceleration": lambda at, _: [at.gamma],
    "inverse_dynamics_derivatives": lambda at, signature: signature.entry.expected(at, signature),
    "forward_dynamics_derivatives": lambda at, signature: signature.entry.expected(at, signature),
    "hybrid_dynamics": lambda at, signature: signature.entry.expected(at, signature),
    **{
        f"contact_{what}": lambda at, signature: signature.entry.expected(at, signature)
        for what in ("dynamics", "impulse", "jacobian", "bias")
    },
    **{
        name: lambda at, signature: signature.entry.expected(at, signature)
        for name in ("tree_inertia_matrix", "tree_inverse_dynamics", "penalty_dynamics")
    },
    "joint_wrench": lambda at, _: [reactions.joint_wrench(at)],
    "cut_wrench": lambda at, _: [reactions.cut_wrench(at)],
    "cut_joint_positions": lambda at, _: [at.cut_joints.positions],
    "cut_joint_velocities": lambda at, _: [at.cut_joints.velocities(at.velocity)],
}
"""Function → what it should return of a robot with loops; others have no meaning there."""


def closed_of(at: Expected) -> Closed:
    """The oracle of a robot with loops."""
    assert isinstance(at, Closed)
    return at


def residual_radius(oracle: Oracle, q: Floats) -> Floats:
    """What residuals of closed postures may be, (…, m): rounding of positions and of q, and what assembly leaves."""
    constraints = Constraints(oracle, q, np.zeros((*q.shape[:-1], oracle.robot.nv)))
    size = np.abs(constraints.jacobian.value).sum(axis=-1) + constraints.jacobian.radius.sum(axis=-1)
    size = 1 + size[..., : oracle.robot.constraints]
    return np.asarray(RESIDUAL * size + np.minimum(np.abs(constraints.residual), SINGLE * size))
