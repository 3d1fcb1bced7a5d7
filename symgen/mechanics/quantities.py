"""The quantities that functions are generated for: what each takes, gives, and how it is derived.

Every derivation is a formula over a mechanism of any domain; its inputs are variables of that domain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from symgen.algebra.domain import Scalar, Vector, variables, vector, zeros
from symgen.mechanics import articulated, composite, coriolis, energy, factorization, kinematics, newton_euler
from symgen.mechanics.mechanism import Mechanism

Extent = int | str
"""An extent of an array: a number, or "n" for the number of joints."""

Derive = Callable[[Mechanism], Sequence[Any]]
"""Derives the output arrays of a quantity, in order; an array is flattened row by row later."""


@dataclass(frozen=True)
class Formulation:
    """One way to derive a quantity."""

    name: str
    text: str
    derive: Derive


@dataclass(frozen=True)
class Output:
    """An output array: its name, its shape, and in words what it holds and in which unit (see `derivation`)."""

    name: str
    shape: tuple[Extent, ...]
    meaning: str
    unit: str


@dataclass(frozen=True)
class Quantity:
    """A function of the joint state.

    `inputs` are arrays of the state. `gravity` and `loads` say whether run-time gravity and external wrenches enter,
    where a module has them. `formulations`: the first is the default. `frame`: the named frame a Jacobian belongs to;
    then `name` may be `kind` with a suffix. `framed`: whether frames and base parameters may be chosen freely (see
    `reframing`); `inertial`: whether inertia matters at all. `large`: whether programs are too large for a long search.
    `usual`: whether it is generated where no function is named.
    """

    name: str
    summary: str
    inputs: tuple[str, ...]
    outputs: tuple[Output, ...]
    formulations: tuple[Formulation, ...]
    gravity: bool = False
    loads: bool = False
    frame: str = ""
    base_name: str = ""
    framed: bool = True
    inertial: bool = True
    large: bool = False
    usual: bool = False

    @property
    def kind(self) -> str:
        """The name of the function without the suffix of a frame."""
        return self.base_name or self.name


# derivations ---------------------------------------------------------------------------------------


def _velocity(mechanism: Mechanism) -> list[Scalar]:
    return list(variables(mechanism.domain, "qd", mechanism.nv))


def _rest(mechanism: Mechanism) -> list[Scalar]:
    return list(zeros(mechanism.domain, mechanism.nv))


def whole_inverse_dynamics(mechanism: Mechanism) -> Vector:
    """τ of links, rotors, friction and loads together, nv."""
    velocity = _velocity(mechanism)
    acceleration = list(variables(mechanism.domain, "qdd", mechanism.nv))
    links = newton_euler.inverse_dynamics(mechanism, velocity, acceleration, mechanism.gravity, loads=True)
    drives = zip(mechanism.rotor_inertias, mechanism.friction(velocity), acceleration, strict=True)
    forces = [force + (rotor * push + friction) for force, (rotor, friction, push) in zip(links, drives, strict=True)]
    return vector(forces)


def _inverse_dynamics(mechanism: Mechanism) -> list[Vector]:
    return [whole_inverse_dynamics(mechanism)]


def _coriolis_torque(mechanism: Mechanism) -> list[Vector]:
    still = zeros(mechanism.domain, 3)
    return [vector(newton_euler.inverse_dynamics(mechanism, _velocity(mechanism), _rest(mechanism), still))]


def _gravity_torque(mechanism: Mechanism) -> list[Vector]:
    rest = _rest(mechanism)
    return [vector(newton_euler.inverse_dynamics(mechanism, rest, rest, mechanism.gravity))]


def _bias_torque(mechanism: Mechanism) -> list[Vector]:
    bias = newton_euler.inverse_dynamics(mechanism, _velocity(mechanism), _rest(mechanism), mechanism.gravity)
    return [vector(bias)]


def _inertia_matrix(mechanism: Mechanism) -> list[Any]:
    return [composite.inertia_matrix(mechanism)]


def _driving_forces(mechanism: Mechanism) -> list[Scalar]:
    """φ: what is left of τ to accelerate links and rotors."""
    tau = variables(mechanism.domain, "tau", mechanism.nv)
    velocity = _velocity(mechanism)
    links = newton_euler.inverse_dynamics(mechanism, velocity, _rest(mechanism), mechanism.gravity, loads=True)
    return [
        force - (bias + friction)
        for force, bias, friction in zip(tau, links, mechanism.friction(velocity), strict=True)
    ]


def _accelerations_by_factors(mechanism: Mechanism) -> list[Vector]:
    forces = _driving_forces(mechanism)
    domain = mechanism.domain
    factors = factorization.factorize(domain, composite.inertia_matrix(mechanism))
    result = factorization.solve(factors, forces)
    return [vector(domain.define(f"qdd{index + 1}", value) for index, value in enumerate(result))]


def _accelerations_by_articulation(mechanism: Mechanism) -> list[Vector]:
    return [vector(articulated.forward_dynamics(mechanism, _driving_forces(mechanism)))]


def _udu_factors(mechanism: Mechanism) -> list[Any]:
    factors = factorization.factorize(mechanism.domain, composite.inertia_matrix(mechanism))
    return [factors.U, vector(factors.pivots)]


def _inverse_inertia_matrix(mechanism: Mechanism) -> list[Any]:
    factors = factorization.factorize(mechanism.domain, composite.inertia_matrix(mechanism))
    return [factorization.inverse(mechanism.domain, factors)]


def _coriolis_matrix(mechanism: Mechanism) -> list[Any]:
    return [coriolis.coriolis_matrix(mechanism, _velocity(mechanism))]


def _kinetic_energy(mechanism: Mechanism) -> list[Any]:
    return [vector([energy.kinetic_energy(mechanism, _velocity(mechanism))])]


def _potential_energy(mechanism: Mechanism) -> list[Any]:
    return [vector([energy.potential_energy(mechanism, mechanism.gravity)])]


# quantities of the state ----------------------------------------------------------------------------

_NEWTON_EULER = "recursive Newton-Euler in link frames"
_COMPOSITE = "composite bodies"


def _by(name: str, text: str, derive: Derive) -> tuple[Formulation, ...]:
    return (Formulation(name, text, derive),)


POTENTIAL_ENERGY = "potential_energy"

UP_TO_A_CONSTANT = (
    "Potential energy of the moving links, up to a constant that base inertial parameters do not determine: that of "
    "links whose other inertial parameters are 0."
)
"""What `potential_energy` is where only base parameters are known."""

STATE_QUANTITIES: tuple[Quantity, ...] = (
    Quantity(
        "inverse_dynamics",
        "Joint forces that produce the acceleration qdd at the state (q, qd), gravity included.",
        ("q", "qd", "qdd"),
        (Output("tau", ("n",), "joint forces, about or along the joint axes", "force"),),
        _by("newton_euler", _NEWTON_EULER, _inverse_dynamics),
        gravity=True,
        loads=True,
        usual=True,
    ),
    Quantity(
        "inertia_matrix",
        "Generalized inertia matrix (GIM), symmetric and positive definite.",
        ("q",),
        (Output("inertia", ("n", "n"), "generalized inertia matrix", "inertia"),),
        _by("composite", _COMPOSITE, _inertia_matrix),
        usual=True,
    ),
    Quantity(
        "coriolis_torque",
        "Convective inertia forces h(q, qd): Coriolis and centrifugal, without gravity and friction.",
        ("q", "qd"),
        (Output("h", ("n",), "convective inertia forces", "force"),),
        _by("newton_euler", _NEWTON_EULER, _coriolis_torque),
        usual=True,
    ),
    Quantity(
        "gravity_torque",
        "Joint forces that hold the robot at rest against gravity.",
        ("q",),
        (Output("g", ("n",), "gravity forces", "force"),),
        _by("newton_euler", _NEWTON_EULER, _gravity_torque),
        gravity=True,
        usual=True,
    ),
    Quantity(
        "bias_torque",
        "Convective inertia and gravity forces: coriolis_torque + gravity_torque.",
        ("q", "qd"),
        (Output("bias", ("n",), "convective inertia and gravity forces", "force"),),
        _by("newton_euler", _NEWTON_EULER, _bias_torque),
        gravity=True,
        usual=True,
    ),
    Quantity(
        "forward_dynamics",
        "Joint accelerations under the joint forces tau at the state (q, qd), gravity included.",
        ("q", "qd", "tau"),
        (Output("qdd", ("n",), "joint accelerations", "acceleration"),),
        (
            Formulation("udu", "inertia matrix and its U D U^T factors", _accelerations_by_factors),
            Formulation("aba", "articulated-body recursion, O(n)", _accelerations_by_articulation),
        ),
        gravity=True,
        loads=True,
        usual=True,
    ),
    Quantity(
        "coriolis_matrix",
        "Matrix of convective inertia by Christoffel's symbols: C qd = h, and dI/dt - 2 C is skew.",
        ("q", "qd"),
        (Output("C", ("n", "n"), "matrix of convective inertia", "damping"),),
        _by("composite", "composite bodies and momenta", _coriolis_matrix),
    ),
    Quantity(
        "udu_factors",
        "Factors of the inertia matrix, I = U diag(D) U^T, with U unit upper triangular.",
        ("q",),
        (
            Output("U", ("n", "n"), "unit upper triangular factor", "ratio"),
            Output("D", ("n",), "articulated inertias of the joints", "inertia"),
        ),
        _by("composite", "reverse Gaussian elimination of the inertia matrix by composite bodies", _udu_factors),
    ),
    Quantity(
        "inverse_inertia_matrix",
        "Inverse of the generalized inertia matrix, symmetric and positive definite.",
        ("q",),
        (Output("inverse", ("n", "n"), "inverse of the inertia matrix", "mobility"),),
        _by("udu", "from its U D U^T factors", _inverse_inertia_matrix),
    ),
    Quantity(
        "kinetic_energy",
        "Kinetic energy of links and rotors.",
        ("q", "qd"),
        (Output("T", (), "kinetic energy", "energy"),),
        _by("twists", "twists in link frames", _kinetic_energy),
    ),
    Quantity(
        POTENTIAL_ENERGY,
        "Potential energy of the moving links; zero were all their mass at the base frame's origin.",
        ("q",),
        (Output("V", (), "potential energy", "energy"),),
        _by("moments", "first moments from the tips inward", _potential_energy),
        gravity=True,
        framed=False,
    ),
)


# quantities of frames --------------------------------------------------------------------------------

AXES = {
    kinematics.BASE_AXES: "base axes",
    kinematics.FRAME_AXES: "the frame's own axes",
}
"""Axes in which Jacobians can be had, in words."""

FRAME_QUANTITY_NAMES = ("forward_kinematics", "jacobian", "jacobian_dot", "jacobian_dot_velocity")
"""Names of the functions that belong to named frames, without a frame's suffix."""


def frame_quantities(frames: Sequence[tuple[str, str]], axes: str) -> tuple[Quantity, ...]:
    """Quantities of (frame name, identifier) pairs; with several frames Jacobians carry the identifier as a suffix."""
    result = [_forward_kinematics(frames)]
    for frame, identifier in frames:
        suffix = "" if len(frames) == 1 else f"_{identifier}"
        result += _jacobians(frame, suffix, axes)
    return tuple(result)


def _forward_kinematics(frames: Sequence[tuple[str, str]]) -> Quantity:
    def derive(mechanism: Mechanism) -> list[Any]:
        bodies = kinematics.poses(mechanism)
        return [
            kinematics.homogeneous(mechanism, kinematics.frame_pose(mechanism, mechanism.frame(name), bodies))
            for name, _ in frames
        ]

    outputs = tuple(
        Output(f"T_{identifier}", (4, 4), f"pose [R p; 0 1] of frame '{name}' in the base frame", "pose")
        for name, identifier in frames
    )
    summary = "Poses of named frames in the base frame, as homogeneous matrices."
    formulation = _by("poses", "products of turns from the base outward", derive)
    return Quantity("forward_kinematics", summary, ("q",), outputs, formulation, inertial=False)


def _jacobians(frame: str, suffix: str, axes: str) -> list[Quantity]:
    where = f"of frame '{frame}', about its origin, in {AXES[axes]}"

    def jacobian(mechanism: Mechanism) -> list[Any]:
        return [kinematics.jacobian(mechanism, mechanism.frame(frame), axes)]

    def rate(mechanism: Mechanism) -> list[Any]:
        return [kinematics.jacobian_dot(mechanism, mechanism.frame(frame), _velocity(mechanism), axes)]

    def product(mechanism: Mechanism) -> list[Any]:
        return [kinematics.jacobian_dot_velocity(mechanism, mechanism.frame(frame), _velocity(mechanism), axes)]

    return [
        Quantity(
            f"jacobian{suffix}",
            f"Jacobian J {where}: the twist [w; v] is J qd.",
            ("q",),
            (Output("J", (6, "n"), f"rows w (3), v (3), {where}", "jacobian"),),
            _by("arms", "joint axes and arms to the frame's origin", jacobian),
            frame=frame,
            inertial=False,
            base_name="jacobian",
        ),
        Quantity(
            f"jacobian_dot{suffix}",
            f"Rate of the Jacobian's entries {where}.",
            ("q", "qd"),
            (Output("Jdot", (6, "n"), f"rows of dw/dt (3), dv/dt (3), {where}", "jacobian_rate"),),
            _by("arms", "joint axes and arms to the frame's origin", rate),
            frame=frame,
            inertial=False,
            base_name="jacobian_dot",
        ),
        Quantity(
            f"jacobian_dot_velocity{suffix}",
            f"Product Jdot qd {where}: the rate of the twist [w; v] at qdd = 0.",
            ("q", "qd"),
            (Output("a", (6,), f"dw/dt (3), dv/dt (3), {where}", "twist_rate"),),
            _by("newton_euler", "forward recursion in link frames", product),
            frame=frame,
            inertial=False,
            base_name="jacobian_dot_velocity",
        ),
    ]
