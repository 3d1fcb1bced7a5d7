"""What mechanics needs of scalars: a domain makes them, they add, subtract, multiply, and divide where needed.

These domains exist:

- `Floats`: double-precision numbers at one state;
- `Exacts`: exact constants, for what depends on no state;
- `Ring`: exact closed forms;
- `PrimeField`: fingerprints and proofs;
- the program's `Graph`: code;
- `Duals`: derivatives in one direction, over another domain;
- `Balls`: real numbers with error bounds.

Formulas are written once, over NumPy object arrays of scalars of any of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symgen.algebra.angles import composed as composed  # users of domains find it here
from symgen.algebra.angles import cos_sin
from symgen.algebra.exact import Exact, Number

Scalar = Any
"""A scalar of some domain: supports + − * and, where the domain has division, /."""

Point = tuple[Scalar, Scalar]
"""Cosine and sine of an angle."""

Quaternion = tuple[Scalar, Scalar, Scalar, Scalar, Scalar]
"""x, y, z, w and 2/|q|²."""

UNIT = Fraction(1)
"""The ratio of a joint's angle to its coordinate, where the joint does not follow another."""

Vector = NDArray[Any]
Matrix = NDArray[Any]


class Domain(Protocol):
    """Makes the scalars of one kind."""

    def constant(self, value: Number) -> Scalar:
        """An exact constant as a scalar."""

    def parameter(self, name: str) -> Scalar:
        """A parameter of the robot as a scalar."""

    def variable(self, name: str, index: int) -> Scalar:
        """Entry `index` of the input array `name` (q, qd, qdd, tau)."""

    def cos_sin(self, index: int, offset: Any, ratio: Fraction = UNIT) -> tuple[Scalar, Scalar]:
        """(cos, sin) of ratio q[index] + offset; the offset is an `Exact` or a scalar of the domain."""

    def quaternion(self, index: int) -> Quaternion:
        """x, y, z, w, which are q[index] to q[index + 3], and 2/|q|²."""

    def circle(self, angle: Scalar) -> tuple[Scalar, Scalar]:
        """(cos, sin) of an angle."""

    def compose(self, a: Point, b: Point) -> Point:
        """(cos, sin) of the sum of two angles."""

    def sign(self, x: Scalar) -> Scalar:
        """sign x, with sign 0 = 0."""

    def tanh(self, x: Scalar) -> Scalar:
        """tanh x."""

    def atan(self, x: Scalar) -> Scalar:
        """atan x."""

    def nonzero(self, x: Scalar, least: Fraction) -> Scalar:
        """x; in floating point no number where |x| < `least`, since nothing should be divided by it there."""

    def sqrt(self, x: Scalar) -> Scalar:
        """√x of a scalar that is not negative."""

    def define(self, name: str, value: Scalar) -> Scalar:
        """`value` under a name: a named node of a program, a new generator of the ring, the value elsewhere."""


class Differentiating(Domain, Protocol):
    """A domain whose scalars know what they were made of, so that they can be differentiated: programs are."""

    def tangents(self, values: Sequence[Scalar], direction: Mapping[tuple[str, int], Scalar]) -> list[Scalar]:
        """The slopes of values where entries of inputs go in a direction."""

    def gradient(
        self, values: Sequence[Scalar], weights: Sequence[Scalar], by: Sequence[tuple[str, int]]
    ) -> list[Scalar]:
        """The derivatives of Σ weightᵢ valueᵢ by entries of inputs, at fixed weights."""


class Floats:
    """Double-precision numbers at one state: the formulas, executed."""

    def __init__(self, inputs: Mapping[str, ArrayLike], parameters: Mapping[str, float] | None = None) -> None:
        self._inputs = {name: np.asarray(values, dtype=float) for name, values in inputs.items()}
        self._parameters = dict(parameters or {})

    def constant(self, value: Number) -> float:
        """The nearest double."""
        return float(Exact.of(value))

    def parameter(self, name: str) -> float:
        """The parameter's value."""
        return self._parameters[name]

    def variable(self, name: str, index: int) -> float:
        """The input's value."""
        return float(self._inputs[name][index])

    def cos_sin(self, index: int, offset: Exact | float, ratio: Fraction = UNIT) -> tuple[float, float]:
        """Cosine and sine in floating point."""
        angle = float(ratio) * self.variable("q", index) + float(offset)
        return float(np.cos(angle)), float(np.sin(angle))

    def quaternion(self, index: int) -> Quaternion:
        """By division with the norm."""
        return normalized(self, index)

    def circle(self, angle: float) -> tuple[float, float]:
        """Cosine and sine in floating point."""
        return float(np.cos(angle)), float(np.sin(angle))

    def compose(self, a: Point, b: Point) -> Point:
        """By the addition theorems."""
        return composed(a, b)

    def sign(self, x: float) -> float:
        """sign x, with sign 0 = 0."""
        return float(np.sign(x))

    def tanh(self, x: float) -> float:
        """tanh x."""
        return float(np.tanh(x))

    def atan(self, x: float) -> float:
        """atan x."""
        return float(np.arctan(x))

    def nonzero(self, x: float, least: Fraction) -> float:
        """x, or no number where it is nearly 0."""
        return float("nan") if abs(x) < least else x

    def sqrt(self, x: float) -> float:
        """√x."""
        return float(np.sqrt(x))

    def define(self, name: str, value: float) -> float:
        """`value`; names have no meaning here."""
        return value


class Exacts:
    """Exact constants as scalars: what needs no state. It has no variables and no parameters."""

    def constant(self, value: Number) -> Exact:
        """The value itself."""
        return Exact.of(value)

    def parameter(self, name: str) -> Exact:
        """There are none."""
        raise KeyError(name)

    def variable(self, name: str, index: int) -> Exact:
        """There are none."""
        raise KeyError(name)

    def cos_sin(self, index: int, offset: Any, ratio: Fraction = UNIT) -> tuple[Exact, Exact]:
        """There are no angles that vary."""
        raise KeyError(index)

    def quaternion(self, index: int) -> Quaternion:
        """There are none."""
        raise KeyError(index)

    def circle(self, angle: Exact) -> tuple[Exact, Exact]:
        """Cosine and sine, exact."""
        return cos_sin(angle)

    def compose(self, a: Point, b: Point) -> Point:
        """By the addition theorems."""
        return composed(a, b)

    def sign(self, x: Exact) -> Exact:
        """Nothing that varies has a sign here."""
        raise KeyError("sign")

    def tanh(self, x: Exact) -> Exact:
        """Nothing that varies is smoothed here."""
        raise KeyError("tanh")

    def atan(self, x: Exact) -> Exact:
        """Nothing that varies has an angle here."""
        raise KeyError("atan")

    def nonzero(self, x: Exact, least: Fraction) -> Exact:
        """x."""
        return x

    def sqrt(self, x: Exact) -> Exact:
        """Nothing that varies has a root here."""
        raise KeyError("sqrt")

    def define(self, name: str, value: Exact) -> Exact:
        """`value`; names have no meaning here."""
        return value


def normalized(domain: Domain, index: int) -> Quaternion:
    """x, y, z, w at q[index] and on, and s = 2/|q|² by which whatever is quadratic in them is normalised."""
    x, y, z, w = (domain.variable("q", index + k) for k in range(4))
    half = (x * x + y * y + (z * z + w * w)) / domain.constant(2)
    return x, y, z, w, domain.define(f"s{index + 1}", domain.constant(1) / half)


def zeros(domain: Domain, *shape: int) -> NDArray[Any]:
    """An object array of the domain's zero."""
    array = np.empty(shape, dtype=object)
    array[...] = domain.constant(0)
    return array


def identity(domain: Domain, size: int) -> Matrix:
    """The identity matrix over the domain."""
    matrix = zeros(domain, size, size)
    for i in range(size):
        matrix[i, i] = domain.constant(1)
    return matrix


def vector(values: Any) -> Vector:
    """An object array of the given scalars."""
    entries = list(values)
    array = np.empty(len(entries), dtype=object)
    array[:] = entries
    return array


def variables(domain: Domain, name: str, size: int) -> Vector:
    """The input array `name` as a vector of the domain."""
    array = zeros(domain, size)
    for index in range(size):
        array[index] = domain.variable(name, index)
    return array


def is_zero(value: Scalar) -> bool:
    """Whether a scalar is the constant 0, as far as its domain sees at once."""
    known = getattr(value, "is_zero", None)
    return bool(value == 0) if known is None else bool(known)


def is_number(value: Scalar) -> bool:
    """Whether a scalar's value is known while code is made; in domains that know no other, it is."""
    return bool(getattr(value, "is_number", True))


def dot(a: Any, b: Any) -> Scalar:
    """Σ aᵢ bᵢ."""
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def cross(a: Any, b: Any) -> Vector:
    """a × b of 3-vectors."""
    return vector([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def cross_matrix(a: Any) -> Matrix:
    """The cross-product tensor a × 1: (a × 1) x = a × x."""
    zero = a[0] - a[0]
    matrix = np.empty((3, 3), dtype=object)
    matrix[...] = [[zero, -a[2], a[1]], [a[2], zero, -a[0]], [-a[1], a[0], zero]]
    return matrix
