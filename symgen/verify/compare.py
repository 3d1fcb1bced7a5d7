"""Callables → verdict: compares functions with the oracle at random states, and with each other.

The functions may come from anywhere: an interpreter, a NumPy module, a compiled one. How errors are measured is
said in `measures`, what the functions must be to each other in `identities`; nothing here depends on how the functions
were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.verify import measures
from symgen.verify.geometry import Floats
from symgen.verify.identities import check, condition_note, identity_checks
from symgen.verify.measures import PRECISIONS
from symgen.verify.oracle import Oracle
from symgen.verify.report import Check, Report
from symgen.verify.setting import BASE_AXES, FRAME_AXES, REALS, Setting
from symgen.verify.signatures import ARGUMENTS, Signature, signatures
from symgen.verify.states import States, draw
from symgen.verify.subject import ENTRIES, SOLVED, Subject

__all__ = ["ARGUMENTS", "Check", "Report", "Setting", "verify"]

TOLERANCE = PRECISIONS["float64"].tolerance
"""Tolerance of everything but what solves with the inertia matrix, in double precision."""

BLOCK = 1000
"""How many states are computed at once, which bounds the memory."""

_DEFAULT = Setting()


def verify(
    robot: Robot,
    functions: Mapping[str, Callable[..., Any]],
    states: int = 100,
    seed: int = 0,
    setting: Setting = _DEFAULT,
) -> Report:
    """Compare `functions`, named as they are generated, with the oracle at random states, and with each other.

    Each takes arrays (…, n) of the state by position, then gravity (…, 3) and wrenches (…, 6) as far as the setting has
    them; parameters are bound. It returns an array, or a tuple of several. `robot` must have the parameters that
    the setting gives values for. A function that raises or returns another shape fails its checks. `InputError` for
    a function without oracle, for an unknown frame or parameter, and if there is nothing to do.
    """
    _check_setting(setting)
    known = signatures(robot, setting)
    unknown = [name for name in functions if name not in known]
    if unknown:
        raise InputError(f"no oracle for {unknown[0][:60]!r}; there are oracles for: {', '.join(known)}")
    if not functions or states < 1:
        raise InputError("nothing to verify: expected at least one function and one state")
    oracle = Oracle(robot, setting.parameters)
    counts = [min(BLOCK, states - start) for start in range(0, states, BLOCK)]
    blocks = [
        _checks(oracle, functions, known, setting, draw(oracle, count, (seed, index), setting))
        for index, count in enumerate(counts)
    ]
    return Report(robot.name, tuple(_merged(same) for same in zip(*blocks, strict=True)))


def _check_setting(setting: Setting) -> None:
    for what, value, known in (("axes", setting.axes, (BASE_AXES, FRAME_AXES)), ("real type", setting.real, REALS)):
        if value not in known:
            raise InputError(f"unknown {what} {value[:60]!r}; there are: {', '.join(known)}")


def _checks(
    oracle: Oracle,
    functions: Mapping[str, Callable[..., Any]],
    known: Mapping[str, Signature],
    setting: Setting,
    at: States,
) -> list[Check]:
    by = measures.weights(oracle, at.q)
    subject = Subject(oracle, functions, known, setting, at, by, PRECISIONS[setting.real])
    return [*_oracle_checks(subject), *identity_checks(subject)]


def _merged(same: Sequence[Check]) -> Check:
    """One check over several blocks of states: the worst of them."""
    worst = max(same, key=lambda check: check.error)
    return replace(worst, states=sum(check.states for check in same))


# against the oracle ------------------------------------------------------------------------------------


def _oracle_checks(subject: Subject) -> Iterator[Check]:
    for name in subject.signatures:
        if subject.has(name):
            yield _oracle_check(subject, name)
            if name == "forward_dynamics":
                yield _residual_check(subject)


def _oracle_check(subject: Subject, name: str) -> Check:
    solved = subject.signatures[name].kind in SOLVED
    note = condition_note(subject.weights, subject.precision.good) if solved else ENTRIES

    def errors() -> Floats:
        return subject.errors(name, subject.call(name), subject.expected(name))

    return check(name, "oracle", subject.tolerance(name), note, errors)


def _residual_check(subject: Subject) -> Check:
    note = f"the oracle's forces for them, relative to {subject.precision.floor:g} of the size of their terms"

    def errors() -> Floats:
        return residuals(subject, subject.one("forward_dynamics"))

    return check("forward_dynamics, residual", "oracle", subject.precision.tolerance, note, errors)


def residuals(subject: Subject, found: Floats) -> Floats:
    """How far the oracle's forces for the accelerations `found` are from τ, relative to their terms.

    These terms are those of joint i's force, and √M_ii √M_jj |q̈_j|: relative to them, solving M q̈ = φ by factors
    is exact but for rounding. As for entries, an error counts against a share of them.
    """
    oracle, at, by = subject.oracle, subject.at, subject.weights
    with np.errstate(all="ignore"):
        forces = oracle.inverse_dynamics(at.q, at.qd, found, at.gravity, at.loads)
        solving = by.roots * np.sum(by.roots * np.abs(found), axis=-1, keepdims=True)
        scale = solving + subject.force_terms(found)
        return measures.entries(forces - at.tau, 0 * forces, scale, subject.precision.floor)
