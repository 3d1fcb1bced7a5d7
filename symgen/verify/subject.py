"""What is compared: functions, the oracle and states; what functions return, what they should, and how far that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from symgen.verify import linear, measures, sizes
from symgen.verify.geometry import Floats
from symgen.verify.measures import Precision, Weights
from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting
from symgen.verify.signatures import Signature
from symgen.verify.states import States

SOLVED = frozenset(("forward_dynamics", "udu_factors", "inverse_inertia_matrix", "forward_dynamics_derivatives"))
"""Functions that solve with the inertia matrix, and inherit its condition."""

ENTRIES = "every entry relative to its size"


class UnusableError(Exception):
    """A function raised, or returned something of another shape; the text says so."""


@dataclass(frozen=True)
class Subject:
    """What is compared: the functions, the oracle and the states."""

    oracle: Oracle
    functions: Mapping[str, Callable[..., Any]]
    signatures: Mapping[str, Signature]
    setting: Setting
    at: States
    weights: Weights
    precision: Precision

    def has(self, *names: str) -> bool:
        """Whether all these functions are there."""
        return all(name in self.functions for name in names)

    # what functions return --------------------------------------------------------------------------------

    def call(self, name: str, **given: Floats) -> list[Floats]:
        """A function's arrays at the states, or with some arguments given; `UnusableError` if a shape is not right."""
        signature = self.signatures[name]
        arguments = [given.get(argument, self.at.argument(argument)) for argument in signature.arguments]
        batch = np.broadcast_shapes(*(argument.shape[:-1] for argument in arguments))
        try:
            values = self.functions[name](*arguments)
            several = isinstance(values, tuple | list) and len(signature.shapes) > 1
            arrays = [np.asarray(array, dtype=float) for array in (values if several else [_only(values)])]
        except Exception as error:
            raise UnusableError(f"{name} raised {type(error).__name__}: {error}") from error
        if len(arrays) != len(signature.shapes):
            raise UnusableError(f"{name} returned {len(arrays)} arrays, expected {len(signature.shapes)}")
        for array, shape in zip(arrays, signature.shapes, strict=True):
            if array.shape != (*batch, *shape):
                raise UnusableError(f"{name} returned the shape {array.shape}, expected {(*batch, *shape)}")
        return arrays

    def one(self, name: str, **given: Floats) -> Floats:
        """The same of a function that returns one array."""
        (array,) = self.call(name, **given)
        return array

    # what they should return -------------------------------------------------------------------------------

    def expected(self, name: str) -> list[Floats]:
        """What the oracle has for a function."""
        signature, at, oracle = self.signatures[name], self.at, self.oracle
        kind = signature.kind
        if kind == "forward_dynamics":
            return [at.answer]
        if kind == "inverse_inertia_matrix":
            return [self._inverses()]
        if kind == "udu_factors":
            return list(oracle.udu_factors(at.q))
        if kind == "forward_kinematics":
            return list(oracle.forward_kinematics(at.q, signature.frames))
        state = [at.argument(argument) for argument in signature.arguments if argument in ("q", "qd")]
        if signature.frames:
            return [getattr(oracle, kind)(*state, signature.frames[0], self.setting.axes)]
        if kind == "inverse_dynamics":
            return [oracle.inverse_dynamics(at.q, at.qd, at.qdd, at.gravity, at.loads)]
        if kind == "regressor":
            return [linear.regressor(oracle, self.setting.regressor, at.q, at.qd, at.qdd, at.gravity)]
        if kind == "inverse_dynamics_derivatives":
            return list(linear.inverse_dynamics_derivatives(oracle, self.instant(at.qdd)))
        if kind == "forward_dynamics_derivatives":
            return self._responses()
        gravity = [at.gravity] if "gravity" in signature.arguments else []
        return [getattr(oracle, kind)(*state, *gravity)]

    def _inverses(self) -> Floats:
        definite = np.isfinite(self.weights.condition)
        result = np.zeros((*self.at.q.shape, self.oracle.robot.nv))
        result[definite] = self.oracle.inverse_inertia_matrix(self.at.q[definite])
        return result

    def instant(self, qdd: Floats) -> linear.Instant:
        """The states with these accelerations."""
        return linear.Instant(self.at.q, self.at.qd, qdd, self.at.gravity, self.at.loads)

    def _responses(self) -> list[Floats]:
        """What the oracle has for the derivatives of forward dynamics; 0 where it has no inverse."""
        inverses = self._inverses()
        slopes = linear.inverse_dynamics_derivatives(self.oracle, self.instant(self.at.answer))
        return [*(-inverses @ slope for slope in slopes), inverses]

    # how far that is ---------------------------------------------------------------------------------------

    def tolerance(self, name: str) -> float:
        """The tolerance of a function's errors."""
        solved = self.signatures[name].kind in SOLVED
        return self.precision.solved if solved else self.precision.tolerance

    def errors(self, name: str, found: list[Floats], expected: list[Floats]) -> Floats:
        """Errors in a function's output, in the measure that befits it; for the first states if `found` has few."""
        count = len(found[0])
        by, precision = self.weights.first(count), self.precision
        kind = self.signatures[name].kind
        if kind == "forward_dynamics":
            forces = self.force_terms(self.at.answer)[:count]
            return measures.accelerations(found[0], expected[0], forces, by, precision)
        if kind == "forward_dynamics_derivatives":
            return self._response_errors(found, expected, by)
        if kind == "inverse_inertia_matrix":
            return measures.inverses(found[0], expected[0], by, precision)
        if kind == "udu_factors":
            diagonal = np.diagonal(sizes.inertia_sizes(self.oracle, self.at.q[:count]), axis1=-2, axis2=-1)
            pivots = measures.entries(found[1], expected[1], diagonal, precision.floor)
            pivots = measures.conditioned(pivots, found[1], by, precision.good)
            return np.maximum(measures.factors(found[0], expected[0], by, precision), pivots)
        parts = zip(found, expected, self.sizes(name), strict=True)
        return np.asarray(np.max([self.entries(array, right, size[:count]) for array, right, size in parts], axis=0))

    def _response_errors(self, found: list[Floats], expected: list[Floats], by: Weights) -> Floats:
        """Of derivatives of accelerations, entry by entry, relative to what the terms of the forces make of them."""
        count, precision = len(found[0]), self.precision
        terms = linear.derivative_sizes(self.oracle, self.instant(self.at.answer), self.at.pull(self.oracle))
        inverse, matrix = np.abs(expected[2][:count]), np.abs(self.oracle.inertia_matrix(self.at.q[:count]))
        errors = [measures.inverses(found[2], expected[2][:count], by, precision)]
        for array, right, forces in zip(found, expected, terms, strict=False):
            right = right[:count]
            size = inverse @ (forces[:count] + matrix @ np.abs(right))
            wrong = measures.entries(array, right, size, precision.floor)
            errors.append(measures.conditioned(wrong, array, by, precision.good))
        return np.asarray(np.max(errors, axis=0))

    def entries(self, found: Floats, expected: Floats, size: Floats) -> Floats:
        """Errors of entries relative to their sizes."""
        return measures.entries(found, expected, size, self.precision.floor)

    def sizes(self, name: str) -> list[Floats]:
        """Sizes of the entries of a function's arrays at all states (not of what solves with the inertia matrix)."""
        signature, at, oracle = self.signatures[name], self.at, self.oracle
        match signature.kind:
            case "inertia_matrix":
                return [sizes.inertia_sizes(oracle, at.q)]
            case "coriolis_matrix":
                return [sizes.coriolis_sizes(oracle, at.q, at.qd)]
            case "kinetic_energy":
                return [sizes.kinetic_sizes(oracle, at.q, at.qd)]
            case "potential_energy":
                return [sizes.potential_sizes(oracle, at.q, at.pull(oracle))]
            case "regressor":
                columns, pull = self.setting.regressor, at.pull(oracle)
                return [linear.regressor_sizes(oracle, columns, at.q, at.qd, at.qdd, pull)]
            case "inverse_dynamics_derivatives":
                return list(linear.derivative_sizes(oracle, self.instant(at.qdd), at.pull(oracle)))
            case "forward_kinematics":
                return [sizes.pose_sizes(oracle, at.q, frame) for frame in signature.frames]
            case "jacobian":
                return [sizes.jacobian_sizes(oracle, at.q, signature.frames[0])]
            case "jacobian_dot":
                return [self.rate_sizes(signature.frames[0])]
            case "jacobian_dot_velocity":
                return [np.sum(self.rate_sizes(signature.frames[0]) * np.abs(at.qd)[..., None, :], axis=-1)]
        return [self._force_sizes(signature.kind)]

    def rate_sizes(self, frame: str) -> Floats:
        """Sizes of the entries of a Jacobian's rate."""
        return sizes.jacobian_rate_sizes(self.oracle, self.at.q, self.at.qd, frame)

    def force_terms(self, qdd: Floats) -> Floats:
        """Sum of the absolute terms of joint forces at these accelerations, τ included, (states, n)."""
        at, oracle = self.at, self.oracle
        links = sizes.force_sizes(oracle, at.q, at.qd, qdd, at.pull(oracle))
        return np.abs(at.tau) + links + self._other_sizes(qdd)

    def _other_sizes(self, qdd: Floats) -> Floats:
        """Sizes of what drives and loads ask of the joints."""
        at = self.at
        return sizes.drive_sizes(self.oracle, at.qd, qdd) + sizes.load_sizes(self.oracle, at.q, at.loads)

    def _force_sizes(self, kind: str) -> Floats:
        at, none = self.at, np.zeros_like(self.at.q)
        qd = none if kind == "gravity_torque" else at.qd
        qdd = at.qdd if kind == "inverse_dynamics" else none
        pull = np.zeros(()) if kind == "coriolis_torque" else at.pull(self.oracle)
        size = sizes.force_sizes(self.oracle, at.q, qd, qdd, pull)
        return size + self._other_sizes(qdd) if kind == "inverse_dynamics" else size


def _only(values: Any) -> Any:
    """The array of a function that returns one, whether or not it is in a tuple."""
    return values[0] if isinstance(values, tuple) and len(values) == 1 else values
