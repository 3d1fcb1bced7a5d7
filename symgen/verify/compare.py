"""Callables → verdict: compares functions with the oracle at random states, and with each other.

The functions may come from anywhere: an interpreter, a NumPy module, a compiled one. How errors are measured is
said in `measures`, what the functions must be to each other in `identities`; nothing here depends on how the functions
were made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from symgen.errors import InputError
from symgen.robot.model import Robot
from symgen.verify.comparison import Comparison, Rounding
from symgen.verify.functions.registry import ARGUMENTS
from symgen.verify.identities import identity_checks
from symgen.verify.loops.constraints import with_ends
from symgen.verify.measures import check
from symgen.verify.oracle import Oracle
from symgen.verify.orders import ours
from symgen.verify.report import Check, Report
from symgen.verify.setting import BASE_AXES, FRAME_AXES, REALS, Setting
from symgen.verify.signatures import signatures
from symgen.verify.states import draw, others

__all__ = ["ARGUMENTS", "Check", "Report", "Setting", "verify"]

BLOCK = 1000
"""How many states are computed at once, which bounds the memory."""

_DEFAULT = Setting()


def verify(
    robot: Robot,
    functions: Mapping[str, Callable[..., Any]],
    states: int = 100,
    seed: int = 0,
    setting: Setting = _DEFAULT,
    roundings: Mapping[str, Rounding] | None = None,
) -> Report:
    """Compare `functions`, named as they are generated, with the oracle at random states, and with each other.

    An entry passes that is no further off than it and the oracle can err by rounding: `roundings` tell that of the
    functions' code; a function without is taken to err as the oracle does, in its real type.

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
    oracle = Oracle(with_ends(robot) if robot.has_loops or robot.contacts else robot, setting.parameters, setting.base)
    counts = [min(BLOCK, states - start) for start in range(0, states, BLOCK)]
    drawn = others(known[name] for name in functions)
    called, erring = (ours(setting.order, known, each) for each in (functions, roundings or {}))
    blocks = [
        _checks(Comparison(oracle, called, known, setting, draw(oracle, count, (seed, index), setting, drawn), erring))
        for index, count in enumerate(counts)
    ]
    return Report(robot.name, tuple(_merged(same) for same in zip(*blocks, strict=True)))


def _check_setting(setting: Setting) -> None:
    for what, value, known in (("axes", setting.axes, (BASE_AXES, FRAME_AXES)), ("real type", setting.real, REALS)):
        if value not in known:
            raise InputError(f"unknown {what} {value[:60]!r}; there are: {', '.join(known)}")


def _checks(subject: Comparison) -> list[Check]:
    return [*_oracle_checks(subject), *identity_checks(subject)]


def _merged(same: Sequence[Check]) -> Check:
    """One check over several blocks of states: the worst of them."""
    worst = max(same, key=lambda check: check.share)
    return replace(worst, states=sum(check.states for check in same))


# against the oracle ------------------------------------------------------------------------------------


def _oracle_checks(subject: Comparison) -> Iterator[Check]:
    for name, signature in subject.signatures.items():
        if subject.has(name):
            yield check(name, "oracle", "", partial(signature.entry.pairs, subject, signature))
            for text, pairs in signature.entry.further.items():
                yield check(text, "oracle", "", partial(pairs, subject))
