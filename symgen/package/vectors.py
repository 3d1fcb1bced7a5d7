"""Test vectors: states, and what an oracle that shares no code with the derivation says of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from symgen.derive.derivation import Derivation
from symgen.derive.setting import setting_of
from symgen.errors import LimitError
from symgen.package.rows import Result, Row, Vectors
from symgen.program.module import CONSTANTS, Argument
from symgen.program.rounding import roundings
from symgen.program.sparsity import dense
from symgen.robot.model import Robot
from symgen.runtime.configuration import normalised
from symgen.verify.comparison import Comparison
from symgen.verify.geometry import Floats
from symgen.verify.oracle import Oracle
from symgen.verify.orders import ours, results, theirs
from symgen.verify.signatures import signatures
from symgen.verify.states import FORCE, GRAVITY, MOMENT, SPEED, THRUST, States, halves, others

BLOCK = 2
"""States with the same parameters: the first block has the defaults, and its first state the robot's own gravity."""

DIGITS = 4
"""Significant digits of inputs, so that people can read them."""

SPREAD = 0.05
"""By how much the parameters of the second block differ from their defaults, relative to them."""

MARGIN = 4.0
"""Results may be this many times as far off as rounding allows: other libraries' sines may be worse."""

_ATTEMPTS = 20

Answers = dict[str, list[tuple[Floats, float]]]
"""Function → for each output its values (states, …), and how far a correct program may be from them."""


def draw_vectors(robot: Robot, derivation: Derivation) -> Vectors:
    """Test vectors of every function, the same for the same robot and options.

    Raises `LimitError` if the robot has no inertia at any of the states that were tried.
    """
    for seed in range(_ATTEMPTS):
        try:
            return _Drawing(robot, derivation, seed).vectors()
        except (np.linalg.LinAlgError, _NotFiniteError):
            continue
    raise LimitError(
        f"{robot.name}: no state was found at which all functions have finite values, so a package cannot test itself; "
        "leave out functions that solve with the inertia matrix"
    )


class _NotFiniteError(Exception):
    """A result is no number; other states may do."""


class _Drawing:
    """Random numbers for one attempt, and what is made of them."""

    def __init__(self, robot: Robot, derivation: Derivation, seed: int) -> None:
        subject, self.module = derivation.subject, derivation.module
        # Where no number is a parameter, the robot as it was written is the plainest subject.
        self.robot = subject.robot if self.module.parameters else robot
        self.random = np.random.default_rng(seed)
        self.real = np.dtype(self.module.real)
        self.setting = setting_of(derivation)
        self.signatures = signatures(self.robot, self.setting)

    def vectors(self) -> Vectors:
        """The test vectors of two blocks of states."""
        parameters = [self._parameters(spread) for spread in (0.0, SPREAD)]
        subjects = [self._subject(values, index == 0) for index, values in enumerate(parameters)]
        answers = [self._answers(subject) for subject in subjects]
        inputs = dict.fromkeys(a.name for f in self.module.functions for a in f.inputs if a.name != CONSTANTS)
        return Vectors(
            inputs={name: _rows([self._given(name, subject) for subject in subjects]) for name in inputs},
            parameters=tuple(values for values in parameters for _ in range(BLOCK)) if self.module.parameters else (),
            results={
                function.name: {
                    output.name: _result([_packed(output, *block[function.name][k]) for block in answers])
                    for k, output in enumerate(function.outputs)
                }
                for function in self.module.functions
            },
        )

    def _parameters(self, spread: float) -> Row:
        defaults = np.array([parameter.default for parameter in self.module.parameters])
        factors = 1 + spread * self.random.uniform(-1, 1, len(defaults))
        return tuple((self._short(defaults * factors) if spread else self._real(defaults)).tolist())

    def _subject(self, parameters: Row, own_gravity: bool) -> Comparison:
        names = [parameter.name for parameter in self.module.parameters]
        oracle = Oracle(self.robot, dict(zip(names, parameters, strict=True)), self.setting.base)
        return Comparison(
            oracle=oracle,
            functions={},
            signatures=self.signatures,
            setting=self.setting,
            at=self._states(oracle, own_gravity),
            roundings=ours(self.setting.order, self.signatures, roundings(dense(self.module), parameters)),
        )

    def _states(self, oracle: Oracle, own_gravity: bool) -> States:
        n = self.module.record.nv
        q, qd, qdd = self._configurations(), self._uniform([SPEED] * n), self._uniform([THRUST] * n)
        answer = self.random.uniform(-THRUST, THRUST, (BLOCK, n))
        gravity = self._uniform([GRAVITY] * 3)
        if own_gravity:
            gravity[0] = self._real(oracle.gravity)
        sizes = [MOMENT] * 3 + [FORCE] * 3
        wrenches: Mapping[str, Floats] = {name: self._uniform(sizes) for name, _ in self.setting.wrenches}
        loads = [(frame, wrenches[name]) for name, frame in self.setting.wrenches]
        field = gravity if self.setting.gravity else None
        tau = self._short(oracle.inverse_dynamics(q, qd, answer, field, loads))
        used = [self.signatures[function.name] for function in self.module.functions]
        solves = any(signature.entry.solves for signature in used)
        exact = oracle.forward_dynamics(q, qd, tau, field, loads) if solves else answer
        further = {name: self._short(make(self.random, self.robot, BLOCK)) for name, make in others(used).items()}
        further |= halves(self.setting, qdd, tau)
        return States(q, qd, qdd, tau, exact, field, wrenches, dict(self.setting.wrenches), further)

    def _configurations(self) -> Floats:
        """q (BLOCK, nq); the first state has quaternions of length 1, others of any, which code must take too."""
        q = self._uniform([each.position.reach or 1.0 for each in self.robot.positions])
        q[0] = self._short(normalised(self.module.record, q[0]))
        return q

    def _given(self, name: str, subject: Comparison) -> Floats:
        """An argument as the functions take it."""
        return theirs(self.setting.order, name, np.asarray(subject.at.argument(name)))

    def _answers(self, subject: Comparison) -> Answers:
        return {function.name: self._answer(subject, function.name) for function in self.module.functions}

    def _answer(self, subject: Comparison, name: str) -> list[tuple[Floats, float]]:
        """What the oracle has, and what it and the code can err; other compilers' sines may be a little worse."""
        unit = float(np.finfo(self.real).eps)
        result = []
        radii = subject.roundings[name](*subject.arguments(name))
        for ball, radius in zip(subject.of(name), radii, strict=True):
            slack = MARGIN * float(np.max(ball.radius + radius)) + unit * _largest(ball.value)
            if not np.isfinite(slack) or not np.isfinite(ball.value).all():
                raise _NotFiniteError
            result.append((ball.value, slack or unit))
        values = results(self.setting.order, self.signatures[name], [value for value, _ in result])
        return [(value, slack) for value, (_, slack) in zip(values, result, strict=True)]

    def _uniform(self, sizes: Sequence[float]) -> Floats:
        return self._short(self.random.uniform(-1, 1, (BLOCK, len(sizes))) * sizes)

    def _short(self, values: Floats) -> Floats:
        """Short decimals, as the module's real type reads them."""
        short = [float(f"{value:.{DIGITS}g}") for value in values.reshape(-1)]
        return self._real(np.array(short).reshape(values.shape))

    def _real(self, values: Floats) -> Floats:
        return np.asarray(values.astype(self.real), dtype=float)


def _packed(output: Argument, values: Floats, slack: float) -> tuple[Floats, float]:
    """Values as the function returns them, and how far it may be from them."""
    return (values if output.pattern is None else output.pattern.pack(values)), slack


def _largest(values: Floats) -> float:
    return float(np.abs(values).max())


def _rows(blocks: Sequence[ArrayLike]) -> tuple[Row, ...]:
    """The states of all blocks, one flat row each."""
    return tuple(tuple(map(float, row)) for block in blocks for row in np.reshape(block, (BLOCK, -1)))


def _result(blocks: Sequence[tuple[Floats, float]]) -> Result:
    """The values of all blocks, to a hundredth of the widest tolerance: further digits say nothing."""
    tolerance = float(f"{max(slack for _, slack in blocks):.2g}")
    decimals = math.ceil(2 - math.log10(tolerance))
    rows = _rows([values for values, _ in blocks])
    return Result(tuple(tuple(round(value, decimals) + 0.0 for value in row) for row in rows), tolerance)
