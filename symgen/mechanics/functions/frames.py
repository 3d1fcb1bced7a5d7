"""Functions of named frames: poses, Jacobians and their rates."""

from __future__ import annotations

from typing import Any

from symgen.algebra.domain import dot, variables, vector
from symgen.mechanics import kinematics
from symgen.mechanics.functions.quantity import NV, QD, Dependent, Input, Output, Q, Quantity, Scope, by
from symgen.mechanics.functions.state import State
from symgen.mechanics.functions.units import JACOBIAN as JACOBIAN_UNIT
from symgen.mechanics.functions.units import POSE
from symgen.mechanics.kinematic_hessians import kinematic_hessian
from symgen.mechanics.loops.reduction import Reduction
from symgen.mechanics.loops.variations import of_projection
from symgen.mechanics.mechanism import Mechanism

AXES = {
    kinematics.BASE_AXES: "base axes",
    kinematics.FRAME_AXES: "the frame's own axes",
}
"""Axes in which Jacobians can be had, in words."""

ROW_WEIGHTS = "row_weights"
"""Name of the input that the rows of a Jacobian are weighed by."""

_ARMS = "joint axes and arms to the frame's origin"


def _where(scope: Scope) -> str:
    return f"of frame '{scope.frame}', about its origin, in {AXES[scope.axes]}"


def _forward_kinematics(scope: Scope) -> Quantity:
    def derive(mechanism: Mechanism) -> list[Any]:
        bodies = kinematics.poses(mechanism)
        return [
            kinematics.homogeneous(mechanism, kinematics.frame_pose(mechanism, mechanism.frame(name), bodies))
            for name, _ in scope.frames
        ]

    outputs = tuple(
        Output(f"T_{identifier}", (4, 4), f"pose [R p; 0 1] of frame '{name}' in the base frame", POSE)
        for name, identifier in scope.frames
    )
    summary = "Poses of named frames in the base frame, as homogeneous matrices."
    formulation = by("poses", "products of turns from the base outward", derive)
    return Quantity("forward_kinematics", summary, (Q,), outputs, formulation, inertial=False, looped=True)


def _jacobian(scope: Scope) -> Quantity:
    where = _where(scope)

    def derive(mechanism: Mechanism) -> list[Any]:
        columns = kinematics.jacobian(mechanism, mechanism.frame(scope.frame), scope.axes)
        return [State(mechanism).reduction.columns(columns)]

    return Quantity(
        "jacobian",
        f"Jacobian J {where}: the twist [w; v] is J qd.",
        (Q,),
        (Output("J", (6, NV), f"rows w (3), v (3), {where}", JACOBIAN_UNIT),),
        by("arms", _ARMS, derive),
        inertial=False,
        looped=True,
    )


def _jacobian_dot(scope: Scope) -> Quantity:
    where = _where(scope)

    def derive(mechanism: Mechanism) -> list[Any]:
        state, frame = State(mechanism), mechanism.frame(scope.frame)
        change = kinematics.jacobian_dot(mechanism, frame, state.velocity, scope.axes)
        if not isinstance(state.reduction, Reduction):
            return [change]
        columns = kinematics.jacobian(mechanism, frame, scope.axes)
        return [state.reduction.columns(change) + columns.dot(state.reduction.matrix_rate(state.velocity))]

    return Quantity(
        "jacobian_dot",
        f"Rate of the Jacobian's entries {where}.",
        (Q, QD),
        (Output("Jdot", (6, NV), f"rows of dw/dt (3), dv/dt (3), {where}", f"{JACOBIAN_UNIT}/s"),),
        by("arms", _ARMS, derive),
        inertial=False,
        looped=True,
        note_of_loops="It is that by independent joints.",
    )


def _jacobian_dot_velocity(scope: Scope) -> Quantity:
    where = _where(scope)

    def derive(mechanism: Mechanism) -> list[Any]:
        frame = mechanism.frame(scope.frame)
        state = State(mechanism)
        rest = kinematics.jacobian_dot_velocity(mechanism, frame, state.velocity, scope.axes)
        if mechanism.plan is None:
            return [rest]
        columns = kinematics.jacobian(mechanism, frame, scope.axes)
        return [rest + vector(dot(row, state.coasting) for row in columns)]

    return Quantity(
        "jacobian_dot_velocity",
        f"Product Jdot qd {where}: the rate of the twist [w; v] at qdd = 0.",
        (Q, QD),
        (Output("a", (6,), f"dw/dt (3), dv/dt (3), {where}", "rad/s^2 and m/s^2"),),
        by("newton_euler", "forward recursion in link frames", derive),
        inertial=False,
        looped=True,
    )


def _kinematic_hessian(scope: Scope) -> Quantity:
    where = _where(scope)

    def derive(mechanism: Mechanism) -> list[Any]:
        frame, weights = mechanism.frame(scope.frame), list(variables(mechanism.domain, ROW_WEIGHTS, 6))
        forces, matrix = kinematic_hessian(mechanism, frame, weights, scope.axes)
        reduction = State(mechanism).reduction
        return [matrix if not isinstance(reduction, Reduction) else of_projection(reduction, matrix, list(forces))]

    return Quantity(
        "kinematic_hessian",
        f"Derivatives of J^T row_weights by q, of the Jacobian J {where}; by q in steps d of integrate(q, d).",
        (Q, Input(ROW_WEIGHTS, 6, "weights of the rows of J", "1")),
        (Output("dJw_dq", (NV, NV), "derivatives of J^T row_weights (rows) by q (columns)", JACOBIAN_UNIT),),
        by("arms", _ARMS, derive),
        inertial=False,
        looped=True,
        note_of_loops="Both are those of independent joints; the others move along, so that loops stay closed.",
    )


FORWARD_KINEMATICS = Dependent("forward_kinematics", _forward_kinematics)
JACOBIAN = Dependent("jacobian", _jacobian, each_frame=True)
JACOBIAN_DOT = Dependent("jacobian_dot", _jacobian_dot, each_frame=True)
JACOBIAN_DOT_VELOCITY = Dependent("jacobian_dot_velocity", _jacobian_dot_velocity, each_frame=True)
KINEMATIC_HESSIAN = Dependent("kinematic_hessian", _kinematic_hessian, each_frame=True)
