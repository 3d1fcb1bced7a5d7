"""Proofs in the prime field: the optimised programs are the same functions as the DeNOC block forms.

The programs come from recursions on 3-vectors in link frames and went through passes; the block forms are N_dᵀ M̃ N_d,
and its companions, in 6×6 blocks in the base frame. Equal values at random points of a field of about 2⁶¹ elements mean
equal functions, but for a chance below 1e-15: no floating-point sampling.

Functions of base inertial parameters are held against the block forms of links of any inertia that have these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from symgen.algebra import prime
from symgen.algebra.domain import Domain, cross, vector
from symgen.algebra.duals import Dual, Duals
from symgen.algebra.prime import Element, PrimeField
from symgen.derive.derivation import Derivation, Subject
from symgen.mechanics.denoc import Denoc
from symgen.mechanics.grouping import STEMS, inertia_of, with_inertias, with_parameters
from symgen.mechanics.kinematics import FRAME_AXES, Pose, homogeneous
from symgen.mechanics.mechanism import FrameOnBody, Mechanism
from symgen.mechanics.quantities import POTENTIAL_ENERGY
from symgen.mechanics.regressor import BASE_COLUMNS, parameter_values
from symgen.program.fingerprint import SEEDS, Evaluation, radicands
from symgen.program.graph import Graph
from symgen.program.hoist import PARAMETERS
from symgen.program.module import CONSTANTS, Function, Module

MAX_BODIES = 16
"""Block matrices grow with the square of the number of bodies; beyond this many the proof is left out."""


@dataclass(frozen=True)
class Proof:
    """What was proved of a function, and whether it holds."""

    function: str
    statement: str
    holds: bool


def prove(derivation: Derivation) -> tuple[Proof, ...]:
    """One proof for every function of the module; none if the robot has more than `MAX_BODIES` bodies."""
    subject, module = derivation.subject, derivation.module
    if subject.robot.nv > MAX_BODIES:
        return ()
    points = [_Point(subject, module, seed) for seed in SEEDS]
    return tuple(_prove(function, subject, points) for function in module.functions)


class _Point:
    """A random point of the prime field: the block forms there, and the programs' values."""

    def __init__(self, subject: Subject, module: Module, seed: int) -> None:
        programs = [function.program for function in module.functions]
        programs += [module.init] if module.init is not None else []
        roots = _roots(subject).union(*(radicands(program) for program in programs))
        self.field = PrimeField(roots, seed)
        self.subject = subject
        self.denoc = Denoc(self._mechanism(self.field))
        self.regressor = module.regressor
        self.constants = self._constants(module)

    def _mechanism(self, domain: Domain) -> Mechanism:
        """The subject over the field or its duals; with inertial parameters that have the base ones, if these vary."""
        mechanism = self.subject.mechanism(domain)
        return mechanism if self.subject.base is None else _of_any_inertia(mechanism)

    def _constants(self, module: Module) -> dict[tuple[str, int], int]:
        """What `init` makes of the parameters' random values."""
        if module.init is None:
            return {}
        given = {(PARAMETERS, i): element.value for i, element in enumerate(self._parameters())}
        values = Evaluation(self.field, given).run(module.init)
        return {(CONSTANTS, i): values[node] for i, node in enumerate(module.init.output_nodes())}

    def _parameters(self) -> list[Any]:
        """The values of what stays symbolic."""
        if self.subject.base is None:
            return [self.field.parameter(name) for name in self.subject.symbols]
        return parameter_values(self.denoc.mechanism, BASE_COLUMNS)

    @cached_property
    def potential_energy(self) -> Any:
        """−g · Σ m c; of links that have no inertial parameters but the base ones, if these vary."""
        if self.subject.base is None:
            return self.denoc.potential_energy
        columns = ((item.number, item.stem) for item in self.subject.base)
        values = dict(zip(columns, self._parameters(), strict=True))
        return Denoc(with_parameters(self.denoc.mechanism, values)).potential_energy

    @cached_property
    def direction(self) -> dict[tuple[str, int], Element]:
        """A random direction of positions, rates and forces: (input, index) → element."""
        return {
            (name, index): Element(self.field, self.field.random(f"direction {name} {index}"))
            for name in ("q", "qd", "tau")
            for index in range(self.denoc.nv)
        }

    @cached_property
    def moving(self) -> Denoc:
        """The block forms with their derivatives in the random direction."""
        return Denoc(self._mechanism(Duals(self.field, self.direction)))

    @cached_property
    def general(self) -> Denoc:
        """The block forms with random inertial parameters of every body."""
        return Denoc(_of_any_inertia(self.denoc.mechanism))

    def values(self, function: Function) -> list[list[int]]:
        """Entries of each output of a function."""
        values = Evaluation(self.field, self.constants).run(function.program)
        return [[values[node] for node in entries] for _, entries in function.program.outputs]


def _of_any_inertia(mechanism: Mechanism) -> Mechanism:
    """The mechanism with random inertial parameters of every body that can have inertia."""
    domain = mechanism.domain
    inertias = [
        body.inertia
        if body.is_between
        else inertia_of(domain, {stem: domain.parameter(f"any {stem} {index}") for stem in STEMS})
        for index, body in enumerate(mechanism.bodies)
    ]
    return with_inertias(mechanism, inertias)


def _roots(subject: Subject) -> frozenset[int]:
    """Integers whose square roots occur in the robot's geometry and inertia, whether or not a program needs them."""
    graph = Graph()
    subject.mechanism(graph)
    return prime.radicands(node.value for node in graph.nodes if node.value is not None)


def _prove(function: Function, subject: Subject, points: Sequence[_Point]) -> Proof:
    kind, frames = _kind(function.name, subject)
    statement, check = _FORMS[kind]
    holds = all(check(_Claim(point, point.values(function), frames, subject.axes)) for point in points)
    if subject.base is not None and any(array.name == CONSTANTS for array in function.inputs):
        statement += _UP_TO_A_CONSTANT if kind == POTENTIAL_ENERGY else _OF_ALL
    return Proof(function.name, statement, holds)


def _kind(name: str, subject: Subject) -> tuple[str, tuple[str, ...]]:
    """(kind of a function, frames it belongs to)."""
    frames = tuple(frame for frame, _ in subject.frames)
    for frame, suffix in subject.frames:
        if name.removesuffix(f"_{suffix}") in _FORMS and name not in _FORMS:
            return name.removesuffix(f"_{suffix}"), (frame,)
    return name, frames


@dataclass(frozen=True)
class _Claim:
    """A function's values at a point, to be held against the block forms there."""

    point: _Point
    outputs: list[list[int]]
    frames: tuple[str, ...]
    axes: str

    @property
    def denoc(self) -> Denoc:
        return self.point.denoc

    def equals(self, *expected: Any) -> bool:
        """Whether the outputs are these arrays of field elements."""
        found = [[element.value for element in array.reshape(-1)] for array in expected]
        return found == self.outputs

    def matrix(self, output: int, columns: int) -> Any:
        """An output as a matrix of field elements."""
        return self.vector(output).reshape(-1, columns)

    def vector(self, output: int) -> Any:
        """An output as a vector of field elements."""
        return prime.elements(self.point.field, self.outputs[output])

    def variables(self, name: str) -> Any:
        """An input array of the state."""
        return prime.elements(
            self.point.field, [self.point.field.variable(name, i).value for i in range(self.denoc.nv)]
        )

    @property
    def bias(self) -> Any:
        """h + gravity + friction − what external wrenches contribute."""
        return _bias(self.denoc)

    def along(self, name: str) -> Any:
        """The random direction of an input array."""
        return vector(self.point.direction[name, index] for index in range(self.denoc.nv))

    def frame(self, index: int = 0) -> FrameOnBody:
        """A frame of the mechanism."""
        return self.denoc.mechanism.frame(self.frames[index])

    def in_axes(self, matrix: Any) -> Any:
        """A Jacobian in base axes, or its columns turned into the frame's axes if these are wanted."""
        if self.axes != FRAME_AXES:
            return matrix
        rotation, _ = self.denoc.frame_pose(self.frame())
        result = matrix.copy()
        for j in range(matrix.shape[1]):
            result[:3, j], result[3:, j] = rotation.inward(matrix[:3, j]), rotation.inward(matrix[3:, j])
        return result

    def jacobian_rate(self) -> Any:
        """J̇ in the axes wanted: in the frame's axes Rᵀ (J̇ − ω × J)."""
        J, rate = self.denoc.jacobian(self.frame()), self.denoc.jacobian_rate(self.frame())
        if self.axes == FRAME_AXES:
            spin = J.dot(self.denoc.velocity)[:3]
            for j in range(rate.shape[1]):
                rate[:3, j] = rate[:3, j] - cross(spin, J[:3, j])
                rate[3:, j] = rate[3:, j] - cross(spin, J[3:, j])
        return self.in_axes(rate)


def _bias(denoc: Denoc) -> Any:
    friction = vector(denoc.mechanism.friction(list(denoc.velocity)))
    return denoc.convective_forces + denoc.gravity_forces + friction - denoc.load_forces


def _inverse_dynamics(claim: _Claim) -> bool:
    return claim.equals(claim.denoc.inertia_matrix.dot(claim.variables("qdd")) + claim.bias)


def _forward_dynamics(claim: _Claim) -> bool:
    left = claim.denoc.inertia_matrix.dot(claim.vector(0))
    return list(left) == list(claim.variables("tau") - claim.bias)


def _coriolis_matrix(claim: _Claim) -> bool:
    C = claim.matrix(0, claim.denoc.nv)
    return list(C.dot(claim.denoc.velocity)) == list(claim.denoc.convective_forces)


def _udu_factors(claim: _Claim) -> bool:
    n = claim.denoc.nv
    U, D = claim.matrix(0, n), claim.vector(1)
    return bool(((U * D.reshape(1, n)).dot(U.T) == claim.denoc.inertia_matrix).all())


def _inverse_inertia_matrix(claim: _Claim) -> bool:
    n = claim.denoc.nv
    found = claim.matrix(0, n).dot(claim.denoc.inertia_matrix)
    return all(found[i, j].value == (i == j) for i in range(n) for j in range(n))


def _kinetic_energy(claim: _Claim) -> bool:
    rates = claim.denoc.velocity
    (energy,) = claim.vector(0)
    return bool(energy + energy == rates.dot(claim.denoc.inertia_matrix.dot(rates)))


def _potential_energy(claim: _Claim) -> bool:
    return claim.equals(prime.array([claim.point.potential_energy]))


def _forward_kinematics(claim: _Claim) -> bool:
    mechanism = claim.denoc.mechanism
    expected = []
    for index in range(len(claim.frames)):
        rotation, origin = claim.denoc.frame_pose(claim.frame(index))
        expected.append(homogeneous(mechanism, Pose(rotation.matrix(mechanism.domain), origin)))
    return claim.equals(*expected)


def _regressor(claim: _Claim) -> bool:
    """Y π is τ for inertial parameters that are random, each body's own, regrouped into π."""
    general, known = claim.point.general, claim.point.regressor
    assert known is not None
    values = vector(parameter_values(general.mechanism, known.kind))
    acceleration = claim.variables("qdd")
    rotors = vector(general.mechanism.rotor_inertias) * acceleration
    links = general.inertia_matrix.dot(acceleration) - rotors + general.convective_forces + general.gravity_forces
    return list(claim.matrix(0, len(values)).dot(values)) == list(links)


def _inverse_dynamics_derivatives(claim: _Claim) -> bool:
    """The derivative of τ in a random direction, by dual numbers."""
    moving, n = claim.point.moving, claim.denoc.nv
    acceleration = vector(Dual(value, value * 0) for value in claim.variables("qdd"))
    forces = moving.inertia_matrix.dot(acceleration) + _bias(moving)
    found = sum(claim.matrix(k, n).dot(claim.along(name)) for k, name in enumerate(("q", "qd")))
    return [force.slope for force in forces] == list(found)


def _forward_dynamics_derivatives(claim: _Claim) -> bool:
    """Accelerations that go as the derivatives say keep in step with forces that go in a random direction."""
    moving, n = claim.point.moving, claim.denoc.nv
    accelerations = claim.matrix(2, n).dot(claim.variables("tau") - claim.bias)
    slopes = sum(claim.matrix(k, n).dot(claim.along(name)) for k, name in enumerate(("q", "qd", "tau")))
    acceleration = vector(Dual(value, slope) for value, slope in zip(accelerations, slopes, strict=True))
    forces = moving.inertia_matrix.dot(acceleration) + _bias(moving)
    return [force.slope for force in forces] == list(claim.along("tau"))


_OF_ALL = ", for all links with these base parameters"
_UP_TO_A_CONSTANT = ", for links with these base parameters alone"

_FORMS: dict[str, tuple[str, Callable[[_Claim], bool]]] = {
    "inverse_dynamics": ("N^T M N qdd + C qd + gravity (+ friction - loads)", _inverse_dynamics),
    "inertia_matrix": ("N^T M N", lambda claim: claim.equals(claim.denoc.inertia_matrix)),
    "coriolis_torque": ("N^T (M Ndot + W M E N) qd", lambda claim: claim.equals(claim.denoc.convective_forces)),
    "gravity_torque": ("-N^T M [0; g]", lambda claim: claim.equals(claim.denoc.gravity_forces)),
    "bias_torque": (
        "C qd + gravity",
        lambda claim: claim.equals(claim.denoc.convective_forces + claim.denoc.gravity_forces),
    ),
    "forward_dynamics": ("the solution of N^T M N qdd = tau - C qd - gravity (- friction + loads)", _forward_dynamics),
    "coriolis_matrix": ("a matrix with C qd = N^T (M Ndot + W M E N) qd", _coriolis_matrix),
    "udu_factors": ("factors with U D U^T = N^T M N", _udu_factors),
    "inverse_inertia_matrix": ("the inverse of N^T M N", _inverse_inertia_matrix),
    "kinetic_energy": ("qd^T N^T M N qd / 2", _kinetic_energy),
    "regressor": ("Y with Y pi = N^T M N qdd + C qd + gravity for all inertial parameters pi", _regressor),
    "inverse_dynamics_derivatives": (
        "derivatives of N^T M N qdd + C qd + gravity (+ friction - loads)",
        _inverse_dynamics_derivatives,
    ),
    "forward_dynamics_derivatives": (
        "derivatives of the solution of N^T M N qdd = tau - C qd - gravity (- friction + loads)",
        _forward_dynamics_derivatives,
    ),
    "potential_energy": ("-g . sum of m c", _potential_energy),
    "forward_kinematics": ("products of the links' transforms", _forward_kinematics),
    "jacobian": ("A N", lambda claim: claim.equals(claim.in_axes(claim.denoc.jacobian(claim.frame())))),
    "jacobian_dot": ("d(A N)/dt", lambda claim: claim.equals(claim.jacobian_rate())),
    "jacobian_dot_velocity": (
        "d(A N)/dt qd",
        lambda claim: claim.equals(claim.jacobian_rate().dot(claim.denoc.velocity)),
    ),
}
"""Kind of function → what it equals, and the check."""
