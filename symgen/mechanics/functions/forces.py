"""Joint forces: those of a motion, and the parts that inertia and gravity have in them."""

from __future__ import annotations

from collections.abc import Sequence

from symgen.algebra.domain import Scalar, Vector, vector, zeros
from symgen.mechanics import newton_euler
from symgen.mechanics.formulations import denoc, euler_parameters, platform, subsystems
from symgen.mechanics.functions.joint_forces import tree_forces
from symgen.mechanics.functions.quantity import NV, QD, QDD, TAU, Formulation, Output, Q, Quantity, by, of_loops
from symgen.mechanics.functions.state import State, rest
from symgen.mechanics.functions.units import FORCE
from symgen.mechanics.mechanism import Mechanism

_NEWTON_EULER = "recursive Newton-Euler in link frames"
_COLUMNS = "net wrenches of bodies in the twists of unit independent rates"


def whole_inverse_dynamics(mechanism: Mechanism) -> Vector:
    """τ of links, rotors, friction, springs and loads, ni (N m or N)."""
    state = State(mechanism)
    return state.forces(tree_forces(state, state.acceleration))


def multipliers(state: State) -> list[Scalar]:
    """λ of the constraints that close the loops, one for every row of A, in the motion of the inputs."""
    return state.reduction.multipliers(tree_forces(state, state.acceleration))[1]


def driving_forces(mechanism: Mechanism) -> list[Scalar]:
    """φ, ni (N m or N): what is left of the input τ to accelerate links and rotors (Saha 1999, eq. (33))."""
    state = State(mechanism)
    tau = state.given("tau")
    speed, coasting = state.velocity, state.coasting
    links = newton_euler.inverse_dynamics(mechanism, speed, coasting, mechanism.gravity, loads=True)
    drags = zip(links, state.drive_forces, strict=True)
    biases = state.forces(_with_rotors(state, [bias + drag for bias, drag in drags]))
    return [force - bias for force, bias in zip(tau, biases, strict=True)]


def _with_rotors(state: State, forces: Sequence[Scalar]) -> Sequence[Scalar]:
    """The tree's forces with those that rotors need where joints accelerate though independent ones do not."""
    mechanism = state.mechanism
    if mechanism.plan is None:
        return forces
    rotors = zip(mechanism.rotor_inertias, state.coasting, strict=True)
    return [force + rotor * push for force, (rotor, push) in zip(forces, rotors, strict=True)]


def _inverse_dynamics(mechanism: Mechanism) -> list[Vector]:
    return [whole_inverse_dynamics(mechanism)]


def _by_columns(mechanism: Mechanism) -> list[Vector]:
    state = State(mechanism)
    return [vector(state.columns.forces(state.velocity, state.acceleration, mechanism.gravity))]


def _coriolis_torque(mechanism: Mechanism) -> list[Vector]:
    still, state = zeros(mechanism.domain, 3), State(mechanism)
    forces = newton_euler.inverse_dynamics(mechanism, state.velocity, state.coasting, still)
    return [state.forces(_with_rotors(state, forces))]


def _gravity_torque(mechanism: Mechanism) -> list[Vector]:
    still = rest(mechanism)
    forces = newton_euler.inverse_dynamics(mechanism, still, still, mechanism.gravity)
    return [State(mechanism).forces(forces)]


def _bias_torque(mechanism: Mechanism) -> list[Vector]:
    state = State(mechanism)
    bias = newton_euler.inverse_dynamics(mechanism, state.velocity, state.coasting, mechanism.gravity)
    return [state.forces(_with_rotors(state, bias))]


def _coasting(mechanism: Mechanism, gravity: Vector) -> list[Vector]:
    state = State(mechanism)
    return [vector(state.columns.forces(state.velocity, state.coasting, gravity, bare=True))]


def _coriolis_by_columns(mechanism: Mechanism) -> list[Vector]:
    return _coasting(mechanism, zeros(mechanism.domain, 3))


def _bias_by_columns(mechanism: Mechanism) -> list[Vector]:
    return _coasting(mechanism, mechanism.gravity)


INVERSE_DYNAMICS = Quantity(
    "inverse_dynamics",
    "Joint forces that produce the acceleration qdd at the state (q, qd), gravity included.",
    (Q, QD, QDD),
    (Output("tau", (NV,), TAU.meaning, FORCE, r"\tau"),),
    (
        Formulation("newton_euler", _NEWTON_EULER, _inverse_dynamics),
        Formulation("columns", _COLUMNS, _by_columns, trees=False),
        of_loops(
            "denoc",
            "serial chains of a parallel robot, leg by leg, N_l N_c N_d",
            denoc.inverse_dynamics,
            misfit=denoc.misfit,
            tried=False,
        ),
        of_loops(
            "subsystems",
            "branches from the base one after the other, each by its own DeNOC, with multipliers of cut joints",
            subsystems.inverse_dynamics,
            misfit=subsystems.misfit,
            tried=False,
        ),
        of_loops(
            "platform",
            "platform and legs (Khalil): Jacobians of the legs, then that of the platform",
            platform.inverse_dynamics,
            misfit=platform.misfit,
            tried=False,
        ),
        of_loops(
            "euler_parameters",
            "branches with whole ball joints in the fixed frame, their multipliers at once",
            euler_parameters.inverse_dynamics,
            misfit=euler_parameters.misfit,
            tried=False,
        ),
    ),
    gravity=True,
    loads=True,
    usual=True,
    looped=True,
    exchanged=True,
)

CORIOLIS_TORQUE = Quantity(
    "coriolis_torque",
    "Convective inertia forces h(q, qd): Coriolis and centrifugal, without gravity and friction.",
    (Q, QD),
    (Output("h", (NV,), "convective inertia forces", FORCE, "h"),),
    (
        Formulation("newton_euler", _NEWTON_EULER, _coriolis_torque),
        Formulation("columns", _COLUMNS, _coriolis_by_columns, trees=False),
    ),
    usual=True,
    looped=True,
    exchanged=True,
)

GRAVITY_TORQUE = Quantity(
    "gravity_torque",
    "Joint forces that hold the robot at rest against gravity.",
    (Q,),
    (Output("g", (NV,), "gravity forces", FORCE, r"\gamma"),),
    by("newton_euler", _NEWTON_EULER, _gravity_torque),
    gravity=True,
    usual=True,
    looped=True,
    exchanged=True,
)

BIAS_TORQUE = Quantity(
    "bias_torque",
    "Convective inertia and gravity forces: coriolis_torque + gravity_torque.",
    (Q, QD),
    (Output("bias", (NV,), "convective inertia and gravity forces", FORCE, "b"),),
    (
        Formulation("newton_euler", _NEWTON_EULER, _bias_torque),
        Formulation("columns", _COLUMNS, _bias_by_columns, trees=False),
    ),
    gravity=True,
    usual=True,
    looped=True,
    exchanged=True,
)
