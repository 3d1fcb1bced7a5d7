"""Elsewhere: a domain in which entries of q have other values, so that formulas are read at another configuration."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from symgen.algebra.domain import UNIT, Domain, Point, Quaternion, Scalar, normalized


class Elsewhere:
    """Another domain, but for the entries of q that have `values` here; its scalars are that domain's."""

    def __init__(self, domain: Domain, values: Mapping[int, Scalar]) -> None:
        self._domain, self._values = domain, values

    def __getattr__(self, name: str) -> Any:
        return getattr(self._domain, name)

    def variable(self, name: str, index: int) -> Scalar:
        """The value here."""
        return self._values[index] if name == "q" and index in self._values else self._domain.variable(name, index)

    def cos_sin(self, index: int, offset: Any, ratio: Fraction = UNIT) -> Point:
        """(cos, sin) of ratio q[index] + offset."""
        if index not in self._values:
            return self._domain.cos_sin(index, offset, ratio)
        angle = self._values[index] if ratio == 1 else self._domain.constant(ratio) * self._values[index]
        return self._domain.circle(angle + offset)

    def quaternion(self, index: int) -> Quaternion:
        """By division with the norm."""
        return normalized(self, index)

    def define(self, name: str, value: Scalar) -> Scalar:
        """`value`; the names are those of the configuration itself."""
        return value
