"""What is compared: functions, the oracle and states; what functions return, what they should, and how far that is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from symgen.verify import measures, sizes
from symgen.verify.geometry import Floats
from symgen.verify.measures import Precision, Weights
from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting
from symgen.verify.signatures import Signature
from symgen.verify.states import States

SOLVED = frozenset(("forward_dynamics", "udu_factors", "inverse_inertia_matrix"))
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
        gravity = [at.gravity] if "gravity" in signature.arguments else []
        return [getattr(oracle, kind)(*state, *gravity)]

    def _inverses(self) -> Floats:
        definite = np.isfinite(self.weights.condition)
        result = np.zeros((*self.at.q.shape, self.oracle.robot.nv))
        result[definite] = self.oracle.inverse_inertia_matrix(self.at.q[definite])
        return result

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
        if kind == "inverse_inertia_matrix":
            return measures.inverses(found[0], expected[0], by, precision)
        if kind == "udu_factors":
            diagonal = np.diagonal(sizes.inertia_sizes(self.oracle, self.at.q[:count]), axis1=-2, axis2=-1)
            pivots = measures.entries(found[1], expected[1], diagonal, precision.floor)
            pivots = measures.conditioned(pivots, found[1], by, precision.good)
            return np.maximum(measures.factors(found[0], expected[0], by, precision), pivots)
        parts = zip(found, expected, self.sizes(name), strict=True)
        return np.asarray(np.max([self.entries(array, right, size[:count]) for array, right, size in parts], axis=0))

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
