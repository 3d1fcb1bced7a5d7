"""Callables → verdict: compares functions with the oracle at random states, and with each other.

The functions may come from anywhere: an interpreter, a NumPy module, a compiled one. How errors are measured is
said in `measures`; nothing here depends on how the functions were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.verify import measures
from symgen.verify.geometry import Floats
from symgen.verify.measures import Weights
from symgen.verify.oracle import Oracle
from symgen.verify.report import Check, Report
from symgen.verify.sizes import force_sizes, inertia_sizes
from symgen.verify.states import States, draw

__all__ = ["ARGUMENTS", "Check", "Report", "verify"]

TOLERANCE = 1e-10
"""Tolerance of everything but accelerations."""

ACCELERATION_TOLERANCE = 1e-9
"""Tolerance of accelerations where the weighted inertia matrix is well conditioned."""

SINGLE_CALLS = 5
"""How many states of a block are computed one by one, to be compared with the batch."""

BLOCK = 1000
"""How many states are computed at once, which bounds the memory."""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "inertia_matrix": ("q",),
    "coriolis_torque": ("q", "qd"),
    "gravity_torque": ("q",),
    "bias_torque": ("q", "qd"),
    "forward_dynamics": ("q", "qd", "tau"),
}
"""Functions that have an oracle, and their arguments."""

_ENTRIES = "every entry relative to its size"


class _UnusableError(Exception):
    """A function raised, or returned something of another shape; the text says so."""


@dataclass(frozen=True)
class _Subject:
    """What is compared: the functions, the oracle and the states."""

    oracle: Oracle
    functions: Mapping[str, Callable[..., Any]]
    at: States
    weights: Weights

    def has(self, *names: str) -> bool:
        return all(name in self.functions for name in names)

    def call(self, name: str, *args: Floats) -> Floats:
        """The function's values, with the shape they must have; `_UnusableError` otherwise."""
        n = self.oracle.robot.nv
        batch = np.broadcast_shapes(*(arg.shape[:-1] for arg in args))
        expected = (*batch, n, n) if name == "inertia_matrix" else (*batch, n)
        try:
            values = np.asarray(self.functions[name](*args), dtype=float)
        except Exception as error:
            raise _UnusableError(f"{name} raised {type(error).__name__}: {error}") from error
        if values.shape != expected:
            raise _UnusableError(f"{name} returned the shape {values.shape}, expected {expected}")
        return values

    def arguments(self, name: str) -> tuple[Floats, ...]:
        return tuple(self.at.argument(argument) for argument in ARGUMENTS[name])

    def batch(self, name: str) -> Floats:
        return self.call(name, *self.arguments(name))

    def sizes(self, name: str) -> Floats:
        """Sizes of the entries of a function's output at all states (not of accelerations)."""
        at, none = self.at, np.zeros_like(self.at.q)
        if name == "inertia_matrix":
            return inertia_sizes(self.oracle, at.q)
        qd = none if name == "gravity_torque" else at.qd
        qdd = at.qdd if name == "inverse_dynamics" else none
        return force_sizes(self.oracle, at.q, qd, qdd, gravity=name != "coriolis_torque")

    def errors(self, name: str, found: Floats, expected: Floats) -> Floats:
        """Errors in a function's output, in the measure that befits it; for the first states if `found` has few."""
        count = len(found)
        if name == "forward_dynamics":
            by = Weights(self.weights.roots[:count], self.weights.condition[:count])
            return measures.accelerations(found, expected, by)
        return measures.entries(found, expected, self.sizes(name)[:count])


def verify(robot: Robot, functions: Mapping[str, Callable[..., Any]], states: int = 100, seed: int = 0) -> Report:
    """Compare `functions`, named as in `ARGUMENTS`, with the oracle at random states, and with each other.

    Each takes arrays (…, n) by position and returns (…, n), or (…, n, n) for the inertia matrix. A function that
    raises or returns another shape fails its checks. `InputError` for a function without oracle, and if there is
    nothing to do.
    """
    unknown = [name for name in functions if name not in ARGUMENTS]
    if unknown:
        raise InputError(f"no oracle for {unknown[0][:60]!r}; there are oracles for: {', '.join(ARGUMENTS)}")
    if not functions or states < 1:
        raise InputError("nothing to verify: expected at least one function and one state")
    oracle = Oracle(robot)
    counts = [min(BLOCK, states - start) for start in range(0, states, BLOCK)]
    blocks = [_checks(oracle, functions, draw(oracle, count, (seed, index))) for index, count in enumerate(counts)]
    return Report(robot.name, tuple(_merged(same) for same in zip(*blocks, strict=True)))


def _checks(oracle: Oracle, functions: Mapping[str, Callable[..., Any]], at: States) -> list[Check]:
    subject = _Subject(oracle, functions, at, measures.weights(oracle, at.q))
    return [*_oracle_checks(subject), *_identity_checks(subject)]


def _merged(same: Sequence[Check]) -> Check:
    """One check over several blocks of states: the worst of them."""
    worst = max(same, key=lambda check: check.error)
    return replace(worst, states=sum(check.states for check in same))


def _check(name: str, kind: str, tolerance: float, note: str, compute: Callable[[], Floats]) -> Check:
    try:
        errors = compute()
    except _UnusableError as error:
        return Check(name, kind, 0, np.inf, tolerance, str(error))
    return Check(name, kind, len(errors), float(errors.max()), tolerance, note)


# against the oracle ------------------------------------------------------------------------------------


def _oracle_checks(subject: _Subject) -> Iterator[Check]:
    for name in ARGUMENTS:
        if subject.has(name):
            yield from _forward_checks(subject) if name == "forward_dynamics" else [_oracle_check(subject, name)]


def _oracle_check(subject: _Subject, name: str) -> Check:
    def errors() -> Floats:
        expected = getattr(subject.oracle, name)(*subject.arguments(name))
        return subject.errors(name, subject.batch(name), expected)

    return _check(name, "oracle", TOLERANCE, _ENTRIES, errors)


def _forward_checks(subject: _Subject) -> Iterator[Check]:
    name, at = "forward_dynamics", subject.at

    def residuals() -> Floats:
        found = subject.batch(name)
        return measures.residuals(subject.oracle, at.q, at.qd, at.tau, found, subject.weights)

    def errors() -> Floats:
        return subject.errors(name, subject.batch(name), at.answer)

    yield _check(name, "oracle", ACCELERATION_TOLERANCE, _condition_note(subject.weights), errors)
    note = "the oracle's forces for them, relative to a thousandth of the size of their terms"
    yield _check(f"{name}, residual", "oracle", TOLERANCE, note, residuals)


def _condition_note(by: Weights) -> str:
    worst = float(by.condition.max())
    text = f"weighted by the root of each joint's inertia, condition number up to {worst:.1e}"
    if np.isinf(worst):
        return text + "; where it is infinite, only the residual is judged"
    if worst > measures.GOOD_CONDITION:
        text += f"; errors divided by it over {measures.GOOD_CONDITION:.0e} where it exceeds that"
    return text


# identities ------------------------------------------------------------------------------------------------


def _identity_checks(subject: _Subject) -> Iterator[Check]:
    if subject.has("inverse_dynamics", "forward_dynamics"):
        yield _round_trip(subject)
    if subject.has("inertia_matrix"):
        yield _symmetry(subject)
        yield _definiteness(subject)
    if subject.has("inertia_matrix", "inverse_dynamics", "gravity_torque"):
        yield _columns(subject)
    if subject.has("bias_torque", "coriolis_torque", "gravity_torque"):
        yield _sum(subject)
    for name in ARGUMENTS:
        if subject.has(name):
            yield _single_calls(subject, name)


def _round_trip(subject: _Subject) -> Check:
    at = subject.at

    def errors() -> Floats:
        found = subject.call("forward_dynamics", at.q, at.qd, subject.batch("inverse_dynamics"))
        return subject.errors("forward_dynamics", found, at.qdd)

    name, note = "forward_dynamics of inverse_dynamics = qdd", _condition_note(subject.weights)
    return _check(name, "identity", ACCELERATION_TOLERANCE, note, errors)


def _symmetry(subject: _Subject) -> Check:
    def errors() -> Floats:
        matrix = subject.batch("inertia_matrix")
        return subject.errors("inertia_matrix", matrix, np.swapaxes(matrix, -1, -2))

    return _check("inertia_matrix is symmetric", "identity", TOLERANCE, _ENTRIES, errors)


def _definiteness(subject: _Subject) -> Check:
    """Smallest eigenvalue of the weighted matrix, which has a diagonal of ones; 0 where no inertia resists."""
    roots = subject.weights.roots
    expected = _lowest(subject.oracle.inertia_matrix(subject.at.q), roots)
    note = f"smallest eigenvalue of the weighted matrix {expected.min():.1e}"
    if expected.min() < -TOLERANCE:
        note = "no robot has this inertia: the oracle's matrix is not positive definite; compared with that"

    def errors() -> Floats:
        found = _lowest(subject.batch("inertia_matrix"), roots)
        return np.where(np.isfinite(found), np.maximum(0, np.minimum(0, expected) - found), np.inf)

    return _check("inertia_matrix is positive definite", "identity", TOLERANCE, note, errors)


def _lowest(matrix: Floats, roots: Floats) -> Floats:
    """Smallest eigenvalue (…) of weighted matrices; NaN where an entry is not finite."""
    finite = np.asarray(np.isfinite(matrix).all(axis=(-2, -1)))
    filled: Floats = np.where(finite[..., None, None], matrix, 0.0)
    return np.where(finite, np.linalg.eigvalsh(measures.weighted(filled, roots))[..., 0], np.nan)


def _columns(subject: _Subject) -> Check:
    q, n = subject.at.q, subject.oracle.robot.nv

    def errors() -> Floats:
        rest = subject.batch("gravity_torque")[:, None, :]
        forces = subject.call("inverse_dynamics", q[:, None, :], np.zeros((1, n, n)), np.eye(n)[None])
        columns = np.swapaxes(forces - rest, -1, -2)
        sizes = subject.sizes("inertia_matrix") + subject.sizes("gravity_torque")[..., None]
        return measures.entries(columns, subject.batch("inertia_matrix"), sizes)

    name = "column j of inertia_matrix = inverse_dynamics(q, 0, e_j) - gravity_torque"
    return _check(name, "identity", TOLERANCE, _ENTRIES, errors)


def _sum(subject: _Subject) -> Check:
    def errors() -> Floats:
        both = subject.batch("coriolis_torque") + subject.batch("gravity_torque")
        return subject.errors("bias_torque", both, subject.batch("bias_torque"))

    return _check("bias_torque = coriolis_torque + gravity_torque", "identity", TOLERANCE, _ENTRIES, errors)


def _single_calls(subject: _Subject, name: str) -> Check:
    count = min(SINGLE_CALLS, len(subject.at.q))
    tolerance = ACCELERATION_TOLERANCE if name == "forward_dynamics" else TOLERANCE

    def errors() -> Floats:
        args = subject.arguments(name)
        single = np.stack([subject.call(name, *(arg[index] for arg in args)) for index in range(count)])
        return subject.errors(name, single, subject.batch(name)[:count])

    return _check(f"{name}: single calls = batch", "identity", tolerance, "", errors)
