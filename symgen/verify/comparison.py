"""What is compared: functions, the oracle and states; what functions return, and what they should."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from symgen.verify.balls import EPSILON, Ball
from symgen.verify.entry import Signature
from symgen.verify.expected import Expected
from symgen.verify.geometry import Floats
from symgen.verify.loops.expected import Closed
from symgen.verify.oracle import Oracle
from symgen.verify.setting import Setting
from symgen.verify.states import States

REAL_UNITS = {"float64": EPSILON, "float32": 2.0**-24}
"""Unit roundoff of each real type."""

UNTOLD = 100
"""Units in the last place of the largest entry that a function is taken to err by where nothing else is told."""

FEW = 10
"""States at which rates are formed: these need the functions at many states for each."""


class Rounding(Protocol):
    """What the code of a function can err."""

    def __call__(self, *arguments: Floats, through: Callable[[list[Floats]], Floats] | None = None) -> list[Floats]:
        """Bounds for every entry at these arguments; with `through`, of what that linear map makes of the errors.

        The map takes the function's arrays of errors, (draws, …).
        """
        ...


class UnusableError(Exception):
    """A function raised, or returned something of another shape; the text says so."""


@dataclass(frozen=True)
class Comparison:
    """What is compared: the functions, the oracle and the states.

    `roundings`: function → what its code can err. A function without is taken to err as the oracle does.
    """

    oracle: Oracle
    functions: Mapping[str, Callable[..., Any]]
    signatures: Mapping[str, Signature]
    setting: Setting
    at: States
    roundings: Mapping[str, Rounding]
    _called: dict[str, list[Ball]] = field(default_factory=dict, init=False, compare=False, repr=False)
    _wanted: dict[str, list[Ball]] = field(default_factory=dict, init=False, compare=False, repr=False)
    _fewer: dict[int, Comparison] = field(default_factory=dict, init=False, compare=False, repr=False)

    def has(self, *names: str) -> bool:
        """Whether all these functions are there."""
        return all(name in self.functions for name in names)

    def beside(self, signature: Signature, kind: str) -> str:
        """The name of the function of that kind that belongs to the same frame, or to none."""
        name = kind + signature.suffix
        return name if name in self.signatures else kind

    def few(self, count: int) -> Comparison:
        """The same with the first states alone."""
        if count >= len(self.at.q):
            return self
        if count not in self._fewer:  # several identities ask for the same
            self._fewer[count] = replace(self, at=self.at.first(count))
        return self._fewer[count]

    def arguments(self, name: str) -> list[Floats]:
        """The states' arguments of a function."""
        return [self.at.argument(argument) for argument in self.signatures[name].arguments]

    def calling(self, functions: Mapping[str, Callable[..., Any]]) -> Comparison:
        """The same with other callables of these functions; what the oracle has said is kept."""
        other = replace(self, functions=functions)
        other._wanted.update(self._wanted)
        return other

    # what functions return --------------------------------------------------------------------------------

    def call(self, name: str, **given: Floats) -> list[Ball]:
        """A function's arrays at the states, or with some arguments given; `UnusableError` if a shape is not right."""
        if given:
            return self._balls(name, given)
        if name not in self._called:  # several identities ask for the same
            self._called[name] = self._balls(name, given)
        return self._called[name]

    def _balls(self, name: str, given: Mapping[str, Floats]) -> list[Ball]:
        arguments = [given.get(argument, self.at.argument(argument)) for argument in self.signatures[name].arguments]
        values = self.values(name, arguments)
        radii = self._radii(name, arguments, given, values)
        return [Ball(value, np.broadcast_to(radius, value.shape)) for value, radius in zip(values, radii, strict=True)]

    def first(self, name: str, count: int) -> list[Ball]:
        """`call` at the first states alone, taken from what was called at more of them where that is known."""
        known = [each for each in (self, *self._fewer.values()) if name in each._called and len(each.at.q) >= count]
        balls = known[0].call(name) if known else self.few(count).call(name)
        return [Ball(ball.value[:count], ball.radius[:count]) for ball in balls]

    def one(self, name: str, **given: Floats) -> Ball:
        """The same of a function that returns one array."""
        (array,) = self.call(name, **given)
        return array

    def values(self, name: str, arguments: list[Floats]) -> list[Floats]:
        """What a function returns; `UnusableError` if that is not what it should be."""
        signature = self.signatures[name]
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

    def _radii(
        self, name: str, arguments: list[Floats], given: Mapping[str, Floats], values: list[Floats]
    ) -> list[Floats]:
        if name in self.roundings:
            return self.roundings[name](*arguments)
        signature, expected = self.signatures[name], self.expecting(**given) if given else self.expected
        unit = REAL_UNITS[self.setting.real]
        if expected.tells(signature):
            wanted = expected.of(signature) if given else self.of(name)
            return [unit / EPSILON * ball.radius for ball in wanted]
        own = [tuple(range(-len(shape), 0)) for shape in signature.shapes]
        return [UNTOLD * unit * np.abs(v).max(axis=axes, keepdims=True) for v, axes in zip(values, own, strict=True)]

    # what they should return -------------------------------------------------------------------------------

    @cached_property
    def expected(self) -> Expected:
        """The oracle at the states."""
        return self.expecting()

    def expecting(self, **given: Floats) -> Expected:
        """The oracle at the states, or with some arguments given; accelerations are those that answer to τ."""
        at = self.at
        known = {"q": at.q, "qd": at.qd, "qdd": at.qdd, "tau": at.tau, "answer": at.answer, **at.wrenches, **at.others}
        if at.gravity is not None:
            known["gravity"] = at.gravity
        kind = Closed if self.oracle.robot.has_loops else Expected
        return kind(self.oracle, self.setting, at.frames, {**known, **given})

    def of(self, name: str) -> list[Ball]:
        """What a function should return at the states."""
        if name not in self._wanted:  # its own error is judged by it too
            self._wanted[name] = self.expected.of(self.signatures[name])
        return self._wanted[name]


def _only(values: Any) -> Any:
    """The array of a function that returns one, whether or not it is in a tuple."""
    return values[0] if isinstance(values, tuple) and len(values) == 1 else values
